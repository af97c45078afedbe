//! Integer expressions whose value ranges are tracked, so that no operation overflows or divides by zero.

use crate::rng::Rng;

/// An integer type of C on lp64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntType {
    /// How C spells it.
    pub name: &'static str,
    /// Width in bits.
    pub bits: u32,
    /// Signed or not.
    pub signed: bool,
    /// The printf conversion that prints a value of this type.
    pub print: &'static str,
}

const fn int_type(name: &'static str, bits: u32, signed: bool, print: &'static str) -> IntType {
    IntType { name, bits, signed, print }
}

const INT: IntType = int_type("int", 32, true, "%d");
const UINT: IntType = int_type("unsigned", 32, false, "%u");
const LONG: IntType = int_type("long", 64, true, "%ld");
const ULONG: IntType = int_type("unsigned long", 64, false, "%lu");

/// The types that variables are given.
pub const TYPES: [IntType; 13] = [
    int_type("char", 8, true, "%d"),
    int_type("signed char", 8, true, "%d"),
    int_type("unsigned char", 8, false, "%d"),
    int_type("short", 16, true, "%d"),
    int_type("unsigned short", 16, false, "%d"),
    INT,
    UINT,
    LONG,
    ULONG,
    int_type("int8_t", 8, true, "%d"),
    int_type("uint16_t", 16, false, "%d"),
    int_type("uint32_t", 32, false, "%u"),
    int_type("int64_t", 64, true, "%ld"),
];

impl IntType {
    fn min(self) -> i128 {
        if self.signed { -(1i128 << (self.bits - 1)) } else { 0 }
    }

    fn max(self) -> i128 {
        (1i128 << (self.bits - u32::from(self.signed))) - 1
    }

    fn holds(self, lo: i128, hi: i128) -> bool {
        self.min() <= lo && hi <= self.max()
    }

    /// The type after the integer promotions.
    fn promoted(self) -> IntType {
        if self.bits < 32 { INT } else { self }
    }

    fn unsigned(self) -> IntType {
        if self.bits <= 32 { UINT } else { ULONG }
    }
}

/// The common type of two operands.
fn common(a: IntType, b: IntType) -> IntType {
    let (a, b) = (a.promoted(), b.promoted());
    let bits = a.bits.max(b.bits);
    let unsigned = (a.bits == bits && !a.signed) || (b.bits == bits && !b.signed);
    match (bits, unsigned) {
        (32, false) => INT,
        (32, true) => UINT,
        (_, false) => LONG,
        (_, true) => ULONG,
    }
}

/// A C expression, its type, and bounds on its value.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The C text, in parentheses where needed.
    pub text: String,
    /// Its type.
    pub ty: IntType,
    lo: i128,
    hi: i128,
}

impl Expr {
    /// An lvalue of type `ty` that can hold any value of the type.
    pub fn var(name: &str, ty: IntType) -> Expr {
        Expr { text: name.to_string(), ty, lo: ty.min(), hi: ty.max() }
    }

    /// An `int` lvalue known to be in `lo..=hi`.
    pub fn bounded(name: &str, lo: i64, hi: i64) -> Expr {
        Expr { text: name.to_string(), ty: INT, lo: lo.into(), hi: hi.into() }
    }

    fn constant(rng: &mut Rng) -> Expr {
        let value = match rng.below(5) {
            0..=2 => rng.range(0, 20),
            3 => rng.range(-300, 300),
            _ => *rng.pick(&[127, 128, 255, 256, 32767, 65535, 65536, 1_000_003, i32::MAX.into()]),
        };
        let plain = if value < 0 { format!("({value})") } else { value.to_string() };
        let (text, ty) = match rng.below(6) {
            0 if value >= 0 => (format!("{value}u"), UINT),
            1 => (format!("({value}L)"), LONG),
            2 if value >= 0 => (format!("0x{value:x}"), INT),
            _ => (plain, INT),
        };
        Expr { text, ty, lo: value.into(), hi: value.into() }
    }

    /// The value after conversion to `ty`: the same if it fits, else anything.
    fn converted(&self, ty: IntType) -> (i128, i128) {
        if ty.holds(self.lo, self.hi) { (self.lo, self.hi) } else { (ty.min(), ty.max()) }
    }

    fn cast(&self, ty: IntType) -> Expr {
        let (lo, hi) = self.converted(ty);
        Expr { text: format!("({}){}", ty.name, self.text), ty, lo, hi }
    }

    fn flag(text: String) -> Expr {
        Expr { text, ty: INT, lo: 0, hi: 1 }
    }
}

/// A random expression over `leaves` of at most `depth` nested operators.
pub fn expression(rng: &mut Rng, leaves: &[Expr], depth: usize) -> Expr {
    if depth == 0 || rng.percent(10) {
        return if leaves.is_empty() || rng.percent(25) {
            Expr::constant(rng)
        } else {
            rng.pick(leaves).clone()
        };
    }
    let a = expression(rng, leaves, depth - 1);
    match rng.below(16) {
        0 => return unary(rng, &a),
        1 => return a.cast(*rng.pick(&TYPES)),
        2 => return shift(rng, &a),
        3 => {
            let b = expression(rng, leaves, depth - 1);
            return conditional(rng, leaves, depth, &a, &b);
        }
        _ => {}
    }
    let b = expression(rng, leaves, depth - 1);
    match rng.below(12) {
        0..=5 => arithmetic(&a, &b, &rng.text(&["+", "-", "*", "+", "-"])),
        6 => divide(rng, &a, &b),
        7 | 8 => bitwise(&a, &b, &rng.text(&["&", "|", "^"])),
        9 | 10 => compare(rng, &a, &b),
        _ => Expr::flag(format!("({} {} {})", a.text, rng.pick(&["&&", "||"]), b.text)),
    }
}

fn unary(rng: &mut Rng, a: &Expr) -> Expr {
    match rng.below(3) {
        0 => Expr::flag(format!("(!{})", a.text)),
        1 => {
            let ty = a.ty.promoted();
            let (lo, hi) = (ty.min(), ty.max());
            Expr { text: format!("(~{})", a.text), ty, lo, hi }
        }
        _ => arithmetic(&Expr { text: "0".to_string(), ty: INT, lo: 0, hi: 0 }, a, "-"),
    }
}

/// `+`, `-`, `*`: in the common type if the result fits, else in an unsigned type, where it wraps.
fn arithmetic(a: &Expr, b: &Expr, op: &str) -> Expr {
    let ty = common(a.ty, b.ty);
    let ((a_lo, a_hi), (b_lo, b_hi)) = (a.converted(ty), b.converted(ty));
    let (lo, hi) = match op {
        "+" => (a_lo + b_lo, a_hi + b_hi),
        "-" => (a_lo - b_hi, a_hi - b_lo),
        _ => {
            let corners = [a_lo, a_hi].map(|x| [b_lo, b_hi].map(|y| x.saturating_mul(y))).concat();
            (*corners.iter().min().unwrap(), *corners.iter().max().unwrap())
        }
    };
    if ty.holds(lo, hi) {
        return Expr { text: format!("({} {op} {})", a.text, b.text), ty, lo, hi };
    }
    let ty = ty.unsigned();
    let text = format!("({} {op} {})", a.cast(ty).text, b.text);
    Expr { text, ty: common(ty, b.ty), lo: ty.min(), hi: ty.max() }
}

/// `/` and `%` by a divisor made positive.
fn divide(rng: &mut Rng, a: &Expr, b: &Expr) -> Expr {
    let mask = *rng.pick(&[3, 7, 15, 63]);
    let divisor = format!("(({} & {mask}) + 1)", b.text);
    let ty = common(a.ty, b.ty);
    let (lo, hi) = a.converted(ty);
    let op = *rng.pick(&["/", "%"]);
    let (lo, hi) = if op == "/" { (lo.min(0), hi.max(0)) } else { (if lo < 0 { -mask } else { 0 }, mask) };
    Expr { text: format!("({} {op} {divisor})", a.text), ty, lo, hi }
}

fn bitwise(a: &Expr, b: &Expr, op: &str) -> Expr {
    let ty = common(a.ty, b.ty);
    let ((a_lo, a_hi), (b_lo, b_hi)) = (a.converted(ty), b.converted(ty));
    let (lo, hi) = match op {
        "&" if b_lo >= 0 => (0, b_hi),
        "&" if a_lo >= 0 => (0, a_hi),
        _ => (ty.min(), ty.max()),
    };
    Expr { text: format!("({} {op} {})", a.text, b.text), ty, lo, hi }
}

fn shift(rng: &mut Rng, a: &Expr) -> Expr {
    let ty = a.ty.promoted();
    if rng.percent(50) {
        let by = rng.range(1, i64::from(ty.bits) - 1);
        let (lo, hi) = a.converted(ty);
        return Expr { text: format!("({} >> {by})", a.text), ty, lo: lo >> by, hi: hi >> by };
    }
    let ty = ty.unsigned();
    let by = rng.range(1, i64::from(ty.bits) - 1);
    Expr { text: format!("({} << {by})", a.cast(ty).text), ty, lo: 0, hi: ty.max() }
}

/// A comparison; the operands get one signedness, so that compilers have nothing to warn about.
fn compare(rng: &mut Rng, a: &Expr, b: &Expr) -> Expr {
    let op = rng.pick(&["<", "<=", "==", "!=", ">", ">="]);
    let ty = *rng.pick(&[LONG, INT, ULONG]);
    Expr::flag(format!("({} {op} {})", a.cast(ty).text, b.cast(ty).text))
}

fn conditional(rng: &mut Rng, leaves: &[Expr], depth: usize, a: &Expr, b: &Expr) -> Expr {
    let test = expression(rng, leaves, depth - 1);
    let ty = common(a.ty, b.ty);
    let (a, b) = (a.cast(ty), b.cast(ty));
    let text = format!("({} ? {} : {})", test.text, a.text, b.text);
    Expr { text, ty, lo: a.lo.min(b.lo), hi: a.hi.max(b.hi) }
}
