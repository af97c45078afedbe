//! Conversions and operations of every pair of types of numbers.

use super::numbers::{Kind, Number, Result, common, computed, numbers};
use super::{Batch, Point, Selection, Text};
use std::fmt::Write;

/// The most points in a batch.
const MOST_POINTS: usize = 150;

/// The most pairs of numbers that an operator is tried on.
const PAIRS: usize = 4;

const OPERATORS: [&str; 10] = ["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^"];

/// Defines what the points use: bytes of floating-point numbers.
const HELPERS: &str = "static u64 bytes(u64 h, const void *p, unsigned n) { const unsigned char *c = p; for (unsigned i = 0; i < n; i++) h = mix(h, c[i]); return h; }
";

/// The batches of all pairs, or of those that are selected.
pub fn batches(selection: Selection) -> Vec<Batch> {
    let all = numbers(selection.ilp32);
    let mut points: Vec<(String, String, bool)> = Vec::new();
    let mut count = 0;
    let mut add = |gcc: bool, name: String, text: &dyn Fn(&str) -> String| {
        count += 1;
        if (count - 1usize).is_multiple_of(selection.every) {
            points.push((name, text("$f"), gcc));
        }
    };
    for left in &all {
        add(left.gcc, format!("{}: alone", left.name), &|f| alone(left, f));
        for right in &all {
            let gcc = left.gcc && right.gcc;
            let names = format!("{} and {}", left.name, right.name);
            add(gcc, format!("{names}: conversion"), &|f| conversion(left, right, f));
            add(gcc, format!("{names}: operators"), &|f| operators(left, right, f));
            add(gcc, format!("{names}: compound assignment"), &|f| assignments(left, right, f));
        }
    }
    let mut batches = Vec::new();
    for gcc in [true, false] {
        let some: Vec<_> = points.iter().filter(|point| point.2 == gcc).collect();
        for chunk in some.chunks(MOST_POINTS) {
            let mut text = Text::new(&format!("pairs{}", batches.len()));
            text.first += HELPERS;
            for (name, body, _) in chunk {
                let function = text.next_function();
                let _ = writeln!(text.first, "/* {name} */\n{}", body.replace("$f", &function));
                text.points.push(Point { name: name.clone(), function });
            }
            batches.push(text.finish(gcc));
        }
    }
    batches
}

/// The declaration of a variable of this type, and how its value is named.
fn variable(number: &Number, name: &str) -> (String, String) {
    match number.field {
        false => (format!("{} {name};", number.c), name.to_owned()),
        true => (
            format!(
                "struct {{ unsigned before : 5; {} v : {}; unsigned after : 3; }} {name} = {{ 9, 0, 5 }};",
                number.c, number.bits
            ),
            format!("{name}.v"),
        ),
    }
}

/// Mixes the value of an expression into `h`.
fn see(value: &str, kind: Kind, bits: u32) -> String {
    match kind {
        Kind::Real => format!("{{ __auto_type seen = {value}; h = bytes(h, &seen, {}); }}", bits.div_ceil(8)),
        _ if bits <= 64 => format!("h = mix(h, (u64)({value}));"),
        _ => format!("h = mix(h, (u64)({value})); h = mix(h, (u64)(({value}) >> 64));"),
    }
}

fn see_number(value: &str, number: &Number) -> String {
    // A bit-field has no address and no `typeof`.
    see(value, number.kind, number.bits)
}

/// Values of a type, with those at its limits.
fn values(number: &Number) -> Vec<String> {
    let texts: &[&str] = match number.kind {
        Kind::Bool => &["0", "1"],
        Kind::Real => &["0", "1.5", "-2.25", "100.75", "-0.0", "0.1", "1e4"],
        _ if number.name == "enum" => &["0", "1", "2"],
        _ => &["0", "1", "-1", "5", "NUMBER(1, 1)", "NUMBER(2, 3)"],
    };
    let mut values: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    if matches!(number.kind, Kind::Integer | Kind::Exact) && number.name != "enum" {
        let high = number.bits - u32::from(number.signed);
        let wide = if number.kind == Kind::Exact {
            format!("unsigned _BitInt({})", number.bits.max(64) + 1)
        } else if number.bits > 64 {
            "unsigned __int128".to_owned()
        } else {
            "u64".to_owned()
        };
        // The largest number and the one after, which is the smallest if there is a sign.
        let most = match high == 64 && wide == "u64" {
            true => "~0ull".to_owned(),
            false if high == 128 && wide.ends_with("int128") => format!("~({wide})0"),
            false => format!("((({wide})1 << {high}) - 1)"),
        };
        values.push(most.clone());
        if number.signed {
            values.push(format!("(-({}){most} - 1)", number.c));
        }
    }
    values
}

/// A floating-point number, as text, can be converted to the type.
fn convertible(text: &str, to: &Number) -> bool {
    let value: f64 = text.parse().unwrap_or(0.0);
    match to.kind {
        Kind::Bool | Kind::Real => true,
        _ => {
            let whole = value.trunc() as i128;
            let zero = whole == 0 && (value >= 0.0 || value > -1.0);
            (whole != 0 && to.holds(whole)) || zero
        }
    }
}

fn conversion(left: &Number, right: &Number, f: &str) -> String {
    let (l, r) = (&left.c, &right.c);
    let mut text = String::new();
    if !left.field {
        let _ = writeln!(text, "static {l} {f}_result({r} r) {{ return r; }}");
        let _ = writeln!(
            text,
            "static u64 {f}_parameter({l} l) {{ u64 h = 0; {} return h; }}",
            see_number("l", left)
        );
    }
    let (declare_right, right_value) = variable(right, "r");
    let (declare_left, left_value) = variable(left, "l");
    let _ = writeln!(
        text,
        "static u64 {f}_one({r} value) {{ u64 h = 0; {declare_right} {declare_left} {right_value} = value;"
    );
    let _ = writeln!(text, "  {left_value} = {right_value}; {}", see_number(&left_value, left));
    if left.field {
        let _ = writeln!(text, "  h = mix(h, l.before); h = mix(h, l.after);");
        let _ = writeln!(text, "  {}", see_number(&format!("({left_value} = {right_value})"), left));
    } else {
        let _ = writeln!(text, "  {}", see_number(&format!("({l}){right_value}"), left));
        let _ = writeln!(text, "  {l} m = {right_value}; {}", see_number("m", left));
        let _ = writeln!(text, "  {l} a[2] = {{ {right_value}, 1 }}; {}", see_number("a[0]", left));
        let _ = writeln!(
            text,
            "  struct {{ char c; {l} v; }} s = {{ 1, {right_value} }}; {}",
            see_number("s.v", left)
        );
        let _ = writeln!(text, "  {l} n = {f}_result({right_value}); {}", see_number("n", left));
        let _ = writeln!(text, "  h = mix(h, {f}_parameter({right_value}));");
        let _ = writeln!(text, "  {}", see_number(&format!("(m = {right_value})"), left));
    }
    let _ = writeln!(text, "  return h; }}");
    let _ = writeln!(text, "int {f}(void) {{ u64 h = 0;");
    for value in values(right) {
        if right.kind != Kind::Real || convertible(&value, left) {
            let _ = writeln!(text, "  h = mix(h, {f}_one(({r}){value}));");
        }
    }
    text + "  return fold(h); }\n"
}

/// Small numbers for arithmetic.
fn small(number: &Number) -> Vec<i128> {
    let wanted: &[i128] = match number.name.as_str() {
        "enum" => &[0, 1, 2],
        _ => &[0, 1, 2, 3, 13, -1, -3],
    };
    let negative = |value: &i128| *value >= 0 || (number.signed && number.kind != Kind::Bool);
    wanted.iter().copied().filter(|value| number.holds(*value) && negative(value)).collect()
}

/// A few pairs of small numbers for which something is defined.
fn chosen(left: &Number, right: &Number, defined: impl Fn(i128, i128) -> bool) -> Vec<(i128, i128)> {
    let rights = small(right);
    let all: Vec<(i128, i128)> = small(left)
        .into_iter()
        .flat_map(|a| rights.iter().map(move |b| (a, *b)))
        .filter(|(a, b)| defined(*a, *b))
        .collect();
    let step = all.len().div_ceil(PAIRS).max(1);
    all.into_iter().rev().step_by(step).collect()
}

/// The operation is defined, and its value is the same everywhere.
fn defined(op: &str, left: &Number, a: i128, right: &Number, b: i128) -> bool {
    let shift = op == "<<" || op == ">>";
    let real = left.kind == Kind::Real || right.kind == Kind::Real;
    if real {
        return matches!(op, "+" | "-" | "*") || (op == "/" && b != 0);
    }
    let result = result(op, left, right);
    if shift {
        // gcc and clang give long bit-fields different widths.
        return b >= 0
            && b < i128::from(result.bits)
            && computed(op, a, b).is_some_and(|value| result.holds(value))
            && (!result.signed || a >= 0 || op == ">>");
    }
    if b == 0 && matches!(op, "/" | "%") {
        return false;
    }
    let long_field = |n: &Number| n.field && n.bits > 32;
    // What wraps around shows the width, which gcc takes from the bit-field and clang from its type.
    let wraps = long_field(left) || long_field(right);
    if result.signed || wraps {
        computed(op, a, b).is_some_and(|value| result.holds(value)) && (!wraps || (a >= 0 && b >= 0))
    } else {
        true
    }
}

fn result(op: &str, left: &Number, right: &Number) -> Result {
    match op {
        "<<" | ">>" => left.promoted(),
        _ => common(left.promoted(), right.promoted()),
    }
}

fn operators(left: &Number, right: &Number, f: &str) -> String {
    let (declare_left, l) = variable(left, "l");
    let (declare_right, r) = variable(right, "r");
    let mut text = format!("int {f}(void) {{ u64 h = 0; {declare_left} {declare_right}\n");
    let long_field = (left.field && left.bits > 32) || (right.field && right.bits > 32);
    for op in OPERATORS {
        for (a, b) in chosen(left, right, |a, b| defined(op, left, a, right, b)) {
            let result = result(op, left, right);
            let seen = see(&format!("({l} {op} {r})"), result.kind, result.bits);
            let _ = writeln!(text, "  {l} = {a}; {r} = {b}; {seen}");
        }
    }
    for (a, b) in chosen(left, right, |a, b| !long_field || (a >= 0 && b >= 0)) {
        let _ = writeln!(text, "  {l} = {a}; {r} = {b};");
        for op in ["==", "!=", "<", "<=", ">", ">=", "&&", "||"] {
            let _ = writeln!(text, "  h = mix(h, {l} {op} {r});");
        }
        if !long_field {
            let result = common(left.promoted(), right.promoted());
            let choice = format!("(h & 1 ? {l} : {r})");
            let _ = writeln!(text, "  {}", see(&choice, result.kind, result.bits));
        }
    }
    if !long_field {
        let _ = writeln!(text, "  h = mix(h, sizeof({l} + {r}));");
    }
    text + "  return fold(h); }\n"
}

fn assignments(left: &Number, right: &Number, f: &str) -> String {
    let (declare_left, l) = variable(left, "l");
    let (declare_right, r) = variable(right, "r");
    let mut text = format!("int {f}(void) {{ u64 h = 0; {declare_left} {declare_right}\n");
    if !left.field {
        let _ = writeln!(text, "  {} *p = &l; struct {{ char c; {} v; }} s;", left.c, left.c);
    }
    let real = left.kind == Kind::Real || right.kind == Kind::Real;
    for op in OPERATORS {
        let fits = |a: i128, b: i128| match (real, left.kind) {
            (false, _) | (true, Kind::Real | Kind::Bool) => true,
            (true, _) => computed(op, a, b).is_some_and(|value| left.holds(value)),
        };
        for (a, b) in chosen(left, right, |a, b| defined(op, left, a, right, b) && fits(a, b)) {
            let _ = writeln!(text, "  {l} = {a}; {r} = {b}; {l} {op}= {r}; {}", see_number(&l, left));
            if left.field {
                let _ = writeln!(text, "  h = mix(h, l.before); h = mix(h, l.after);");
            } else {
                let _ = writeln!(
                    text,
                    "  {l} = {a}; s.v = {a}; *p {op}= {r}; s.v {op}= {r}; {} {}",
                    see_number(&l, left),
                    see_number("s.v", left)
                );
            }
        }
    }
    text + "  return fold(h); }\n"
}

fn alone(number: &Number, f: &str) -> String {
    let (declare, l) = variable(number, "l");
    let mut text = format!("int {f}(void) {{ u64 h = 0; {declare}\n");
    let promoted = number.promoted();
    let long_field = number.field && number.bits > 32;
    for a in small(number) {
        let _ =
            writeln!(text, "  {l} = {a}; h = mix(h, !{l}); h = mix(h, {l} ? 3 : 4); if ({l}) h = mix(h, 5);");
        for op in ["-", "+", "~"] {
            let signed_limit = promoted.signed && !promoted.holds(-a);
            if (op == "~" && number.kind == Kind::Real) || (op == "-" && signed_limit) || long_field {
                continue;
            }
            let _ = writeln!(text, "  {}", see(&format!("({op}{l})"), promoted.kind, promoted.bits));
        }
        for (op, change) in [("++", 1), ("--", -1)] {
            let exact = number.kind == Kind::Exact && number.signed;
            if exact && !number.holds(a + change) {
                continue;
            }
            let _ = writeln!(text, "  {l} = {a}; {op}{l}; {}", see_number(&l, number));
            let _ = writeln!(text, "  {l} = {a}; {l}{op}; {}", see_number(&l, number));
            let before = format!("{l}{op}");
            let _ = writeln!(
                text,
                "  {l} = {a}; {{ __typeof__(+{l}) t = {before}; {} }} {}",
                see("t", promoted.kind, promoted.bits),
                see_number(&l, number)
            );
            let _ = writeln!(
                text,
                "  {l} = {a}; {{ __typeof__(+{l}) t = {op}{l}; {} }} {}",
                see("t", promoted.kind, promoted.bits),
                see_number(&l, number)
            );
        }
        if number.kind != Kind::Real && number.bits <= 64 {
            let _ = writeln!(
                text,
                "  {l} = {a}; switch ({l}) {{ case 0: h = mix(h, 1); break; case 1: h = mix(h, 2); break; default: h = mix(h, 3); }}"
            );
            let _ = writeln!(text, "  {{ char a[20] = {{ 1, 2, 3, 4, 5 }}; h = mix(h, (a + 5)[{l}]); }}");
        }
    }
    text + "  return fold(h); }\n"
}
