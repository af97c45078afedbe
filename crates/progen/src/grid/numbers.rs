//! Types of numbers, and what C says of operations on them: which type a result has, and which results are defined.

/// What numbers a type has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Bool,
    /// An ordinary integer type, or a bit-field of one.
    Integer,
    /// `_BitInt`, which is not promoted.
    Exact,
    /// A floating-point type with so many bytes that say something; the order of conversions is the order of the sizes.
    Real,
}

/// A type of numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    pub name: String,
    /// The type in C; of a bit-field, the declared one.
    pub c: String,
    pub kind: Kind,
    /// The width; of floating-point types the bits that say something.
    pub bits: u32,
    pub signed: bool,
    /// It is a bit-field.
    pub field: bool,
    pub gcc: bool,
    pub ilp32: bool,
}

fn number(name: &str, c: &str, kind: Kind, bits: u32, signed: bool) -> Number {
    Number {
        name: name.to_owned(),
        c: c.to_owned(),
        kind,
        bits,
        signed,
        field: false,
        gcc: true,
        ilp32: true,
    }
}

/// All types of numbers; `long` is as wide as the target says.
pub fn numbers(ilp32: bool) -> Vec<Number> {
    let word = if ilp32 { 32 } else { 64 };
    let mut all = vec![
        number("bool", "_Bool", Kind::Bool, 1, false),
        number("char", "char", Kind::Integer, 8, true),
        number("uchar", "unsigned char", Kind::Integer, 8, false),
        number("short", "short", Kind::Integer, 16, true),
        number("ushort", "unsigned short", Kind::Integer, 16, false),
        number("int", "int", Kind::Integer, 32, true),
        number("uint", "unsigned", Kind::Integer, 32, false),
        number("enum", "enum colour", Kind::Integer, 32, false),
        number("long", "long", Kind::Integer, word, true),
        number("ulong", "unsigned long", Kind::Integer, word, false),
        number("llong", "long long", Kind::Integer, 64, true),
        number("ullong", "unsigned long long", Kind::Integer, 64, false),
        number("float", "float", Kind::Real, 32, true),
        number("double", "double", Kind::Real, 64, true),
        number("ldouble", "long double", Kind::Real, 80, true),
    ];
    for (name, c, kind, bits, signed) in [
        ("field5", "int", Kind::Integer, 5, true),
        ("ufield9", "unsigned", Kind::Integer, 9, false),
        ("field1", "_Bool", Kind::Bool, 1, false),
        ("field40", "long long", Kind::Integer, 40, true),
        ("ufield33", "unsigned long long", Kind::Integer, 33, false),
        ("ufield3", "unsigned char", Kind::Integer, 3, false),
        ("field32", "int", Kind::Integer, 32, true),
    ] {
        all.push(Number { field: true, ..number(name, c, kind, bits, signed) });
    }
    if !ilp32 {
        for (name, c, kind, bits, signed) in [
            ("int128", "__int128", Kind::Integer, 128, true),
            ("uint128", "unsigned __int128", Kind::Integer, 128, false),
            ("float128", "__float128", Kind::Real, 128, true),
        ] {
            all.push(number(name, c, kind, bits, signed));
        }
    }
    for (bits, signed) in
        [(2, true), (7, false), (13, true), (33, true), (64, false), (100, true), (128, false)]
    {
        let (prefix, sign) = if signed { ("", "") } else { ("u", "unsigned ") };
        let made = number(
            &format!("{prefix}bits{bits}"),
            &format!("{sign}_BitInt({bits})"),
            Kind::Exact,
            bits,
            signed,
        );
        // Conversions between wide integers and floating-point numbers call functions that no library has with 32 bits.
        if !ilp32 || bits <= 64 {
            all.push(Number { gcc: false, ..made });
        }
    }
    all
}

/// The type of a result: kind, width, sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Result {
    pub kind: Kind,
    pub bits: u32,
    pub signed: bool,
}

impl Number {
    /// The type after integer promotion.
    pub fn promoted(&self) -> Result {
        let own = Result { kind: self.kind, bits: self.bits, signed: self.signed };
        match self.kind {
            Kind::Exact | Kind::Real => own,
            _ if self.bits < 32 || (self.bits == 32 && self.signed) => {
                Result { kind: Kind::Integer, bits: 32, signed: true }
            }
            _ => own,
        }
    }

    /// A number is kept as it is.
    pub fn holds(&self, value: i128) -> bool {
        Result { kind: self.kind, bits: self.bits, signed: self.signed }.holds(value)
    }
}

impl Result {
    /// A number is kept as it is.
    pub fn holds(self, value: i128) -> bool {
        match self.kind {
            Kind::Bool => value == 0 || value == 1,
            Kind::Real => value.abs() <= 2048,
            _ if self.signed => {
                let most = 1i128.checked_shl(self.bits - 1).map_or(i128::MAX, |m| m.wrapping_sub(1));
                self.bits > 127 || (-most - 1..=most).contains(&value)
            }
            _ => value >= 0 && (self.bits >= 127 || value < 1i128 << self.bits),
        }
    }
}

/// The type that the operands of `+` and its like are converted to.
pub fn common(a: Result, b: Result) -> Result {
    if a.kind == Kind::Real || b.kind == Kind::Real {
        let real = |r: Result| if r.kind == Kind::Real { r.bits } else { 0 };
        return if real(a) >= real(b) { a } else { b };
    }
    // Of equal widths an ordinary type wins over `_BitInt`, and an unsigned one over a signed one.
    let rank = |r: Result| (r.bits, r.kind == Kind::Integer);
    let (high, low) = if rank(a) >= rank(b) { (a, b) } else { (b, a) };
    let unsigned = !high.signed || (!low.signed && low.bits >= high.bits);
    Result { signed: !unsigned, ..high }
}

/// What an operator of two integers computes, if that is defined in a type that is signed; shifts have their own type.
pub fn computed(op: &str, a: i128, b: i128) -> Option<i128> {
    match op {
        "+" => Some(a + b),
        "-" => Some(a - b),
        "*" => Some(a * b),
        "/" if b != 0 => Some(a / b),
        "%" if b != 0 => Some(a % b),
        "<<" if a >= 0 && b >= 0 => Some(a << b),
        ">>" if b >= 0 => Some(a >> b),
        "&" => Some(a & b),
        "|" => Some(a | b),
        "^" => Some(a ^ b),
        _ => None,
    }
}
