//! Integer arithmetic of all widths in random statements, and floating point.

use super::{Holes, Part, Scenario, Site, Variation, values};
use crate::c;
use crate::expr::{Expr, TYPES, expression};
use crate::fault::Fault::*;
use crate::rng::Rng;

pub const SCENARIO: Scenario = Scenario { name: "arith", variations: FAULTS, emit };

const FAULTS: &[Variation] = &[
    (DivisionByZero, &[("use", "int zero = (int)(mixed - mixed);\nmixed += (unsigned)(17 / zero); @fault")]),
    (DivisionByZero, &[("use", "for (unsigned long d = $count; mixed; d--)\n    mixed += 1000 % d; @fault")]),
    (
        DivisionByZero,
        &[(
            "use",
            "signed char narrow = (signed char)0x100;\nmixed ^= (unsigned)(mixed / (unsigned)narrow); @fault",
        )],
    ),
    (
        AssertionFailure,
        &[
            ("use", "assert((unsigned char)mixed > 255 || !mixed); @fault"),
            ("setup", "unsigned mixed = $seed;"),
        ],
    ),
    (AssertionFailure, &[("use", "assert(whole < ratio); @fault")]),
    (
        OutOfBoundsRead,
        &[(
            "use",
            "static const short odd[4] = {1, 3, 5, 7};\nfor (int i = -2; i <= 4; i++)\n    mixed += (unsigned)odd[i < 0 ? -i : i]; @fault",
        )],
    ),
    (
        OutOfBoundsWrite,
        &[(
            "use",
            "unsigned digits[4], at = 0;\nfor (unsigned rest = 12345; rest; rest /= 10)\n    digits[at++] = rest % 10; @fault\nmixed += digits[0];",
        )],
    ),
];

const TEMPLATE: &str = r#"
    $globals

    static unsigned ${p}_mix(unsigned mixed, long more)
    {
        return (mixed ^ (unsigned)more) * 2654435761u + (mixed >> 15);
    }

    static unsigned ${p}_compute(int x, unsigned long y)
    {
        $setup
        $locals
        $statements
        return mixed;
    }

    static double ${p}_floats(int n, float f)
    {
        double d = $double, last = 0;
        for (int i = 1; i <= n; i++) {
            last = d;
            d = $recurrence;
            if (d > 1e6 || d < -1e6)
                d = i;
        }
        _Bool moved = d != last;
        printf("${p} %.3f %g %d\n", d, (double)f, moved);
        return d;
    }

    static long ${p}_run(void)
    {
        double ratio = ${p}_floats($count, $float);
        long whole = (long)ratio;
        unsigned mixed = ${p}_compute($x, $y);

        printf("${p} %u\n", mixed);
        ratio -= (double)whole;
        whole = whole * 2 + 2000000000L;
        $use
        return (long)(mixed % 10000) + (ratio < 0.5) + whole % 7;
    }
"#;

fn emit(site: &mut Site) -> Part {
    let rng = &mut *site.rng;
    let mut leaves = vec![Expr::var("x", TYPES[5]), Expr::var("y", TYPES[8])];
    let (mut globals, mut locals) = (String::new(), String::new());
    for index in 0..rng.range(3, 6) {
        let ty = *rng.pick(&TYPES);
        let name = format!("{}{index}", *rng.pick(&["a", "b", "v"]));
        let init = expression(rng, &leaves, 1).text;
        if rng.percent(25) {
            let name = format!("{}_{name}", site.prefix);
            globals.push_str(&format!("static {} {name} = {};\n", ty.name, rng.range(0, 100)));
            leaves.push(Expr::var(&name, ty));
        } else {
            locals.push_str(&format!("{} {name} = ({}){init};\n", ty.name, ty.name));
            leaves.push(Expr::var(&name, ty));
        }
    }
    let variables: Vec<Expr> = leaves[2..].to_vec();
    let mut statements = String::new();
    for _ in 0..rng.range(5, 10) {
        statements.push_str(&statement(rng, &variables, &leaves, 2));
    }
    for variable in &variables {
        statements.push_str(&c!(
            "mixed = ${p}_mix(mixed, (long)$name);",
            p = site.prefix,
            name = variable.text
        ));
    }
    let shown = rng.pick(&variables);
    statements.push_str(&format!("printf(\"{} {}\\n\", {});\n", site.prefix, shown.ty.print, shown.text));

    let mut holes = Holes::new(&[("use", ""), ("setup", "unsigned mixed = $seed;"), ("recurrence", "")]);
    let recurrence = [
        "d * 1.25 - f",
        "(d + n) / (i + 0.5) + f",
        "i % 2 ? d * f : d - (float)i",
        "(int)d + f * (double)i",
        "-d + last * 0.5 + (short)i",
    ];
    holes.set("recurrence", rng.text(&recurrence));
    let values = values! {
        globals = globals,
        locals = locals,
        statements = statements,
        double = rng.text(&["1.5", "-0.25", "3", "1e3", "0x1p-3"]),
        float = rng.text(&["0.5f", "2.75f", "-1.125f", "7"]),
        count = rng.range(3, 9),
        seed = rng.range(1, 1000),
        x = rng.range(-1000, 1000),
        y = rng.range(0, 1 << 40),
    };
    site.part(holes, TEMPLATE, values)
}

/// An assignment, or a branch, loop or switch over assignments.
fn statement(rng: &mut Rng, variables: &[Expr], leaves: &[Expr], depth: usize) -> String {
    let target = rng.pick(variables).clone();
    let value = expression(rng, leaves, 3);
    let assign = match rng.below(4) {
        0 if target.ty.bits >= 32 && !target.ty.signed => {
            format!(
                "{} {} (unsigned long){};\n",
                target.text,
                rng.pick(&["+=", "-=", "*=", "^="]),
                value.text
            )
        }
        1 if !target.ty.signed => format!("{}{};\n", target.text, rng.pick(&["++", "--"])),
        _ => format!("{} = ({}){};\n", target.text, target.ty.name, value.text),
    };
    if depth == 0 {
        return assign;
    }
    match rng.below(7) {
        0 => {
            let test = expression(rng, leaves, 2).text;
            let (then, other) = (statement(rng, variables, leaves, depth - 1), assign);
            c!(
                "
                if ($test) {
                    $then
                } else {
                    $other
                }
                ",
                test = test,
                then = then,
                other = other
            )
        }
        1 => {
            let counter = format!("i{depth}");
            let bound = rng.range(2, 6);
            let mut inner = leaves.to_vec();
            inner.push(Expr::bounded(&counter, 0, bound));
            let body = statement(rng, variables, &inner, depth - 1);
            c!(
                "
                for (int $i = 0; $i < $bound; $i++) {
                    $body
                }
                ",
                i = counter,
                bound = bound,
                body = body
            )
        }
        2 => {
            let body = statement(rng, variables, leaves, depth - 1);
            c!(
                "
                switch ((unsigned)$value % 4) {
                case 0:
                    $assign
                    break;
                case 2:
                    $body
                    __attribute__((fallthrough));
                default:
                    mixed += 5;
                }
                ",
                value = value.text,
                assign = assign,
                body = body
            )
        }
        _ => assign,
    }
}
