//! Machine operations on sets of integers: each gives a set that has every result.

use crate::number::{Number, gcd, mask, signed};

/// An operation on two integers of one width, with the meaning of the machine: results wrap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Operation {
    Add,
    Sub,
    Mul,
    UDiv,
    URem,
    SDiv,
    SRem,
    And,
    Or,
    Xor,
    Shl,
    LShr,
    AShr,
}

/// A set from parts that each cover the result: a range that may be empty or too wide is left out.
fn from_parts(
    width: u8,
    range: Option<(u128, u128)>,
    signed_range: Option<(i128, i128)>,
    ones: u128,
    zeros: u128,
) -> Number {
    let any = Number::any(width);
    let meet = |a: Number, b: Option<Number>| b.and_then(|b| a.meet(b)).unwrap_or(a);
    let result = meet(any, range.and_then(|(least, most)| Number::between(least, most, width)));
    let result =
        meet(result, signed_range.and_then(|(least, most)| Number::signed_between(least, most, width)));
    meet(result, Number::with_bits(ones, zeros, width))
}

impl Number {
    /// The values with these bits set and those clear; nothing if a bit is in both.
    pub fn with_bits(ones: u128, zeros: u128, width: u8) -> Option<Number> {
        if ones & zeros & mask(width) != 0 {
            return None;
        }
        let (least, most) = (ones & mask(width), !zeros & mask(width));
        Number::between(least, most, width)?.known(ones & mask(width), zeros & mask(width))
    }

    /// All results of an operation. A division by zero and a shift by the width or more give nothing or anything: the
    /// engine reports the one and takes any value for the other, so both are covered by any value here.
    pub fn apply(self, op: Operation, other: Number) -> Number {
        match op {
            Operation::Add => self.add(other),
            Operation::Sub => self.sub(other),
            Operation::Mul => self.mul(other),
            Operation::UDiv => self.udiv(other),
            Operation::URem => self.urem(other),
            Operation::SDiv => self.sdiv(other),
            Operation::SRem => self.srem(other),
            Operation::And => self.and(other),
            Operation::Or => self.or(other),
            Operation::Xor => self.xor(other),
            Operation::Shl => self.shl(other),
            Operation::LShr => self.lshr(other),
            Operation::AShr => self.ashr(other),
        }
    }

    /// True if the unsigned sum cannot wrap.
    pub fn sum_fits(self, other: Number) -> bool {
        self.range().1 + other.range().1 <= mask(self.width())
    }

    /// True if the signed sum cannot wrap.
    pub fn signed_sum_fits(self, other: Number) -> bool {
        let ((a, b), (c, d), any) =
            (self.signed_range(), other.signed_range(), Number::any(self.width()).signed_range());
        a + c >= any.0 && b + d <= any.1
    }

    fn add(self, other: Number) -> Number {
        let ((a, b), (c, d)) = (self.range(), other.range());
        let ((sa, sb), (sc, sd)) = (self.signed_range(), other.signed_range());
        let width = self.width();
        // Both ends wrap equally often, so the range only moves.
        let turns = |n: u128| n >> width;
        let range = (turns(a + c) == turns(b + d)).then_some(((a + c) & mask(width), (b + d) & mask(width)));
        let signed_range = self.signed_sum_fits(other).then_some((sa + sc, sb + sd));
        let (ones, zeros) = sum_bits(self, other, 0);
        let result = from_parts(width, range, signed_range, ones, zeros);
        let stride = common_stride(self, other);
        if stride <= 1 || b + d > mask(width) {
            return result;
        }
        result.with_stride(stride, (a + c) % stride).unwrap_or(result)
    }

    fn sub(self, other: Number) -> Number {
        let ((a, b), (c, d)) = (self.range(), other.range());
        let ((sa, sb), (sc, sd)) = (self.signed_range(), other.signed_range());
        let width = self.width();
        let any = Number::any(width).signed_range();
        let range = (a >= d)
            .then(|| (a - d, b - c))
            .or_else(|| (b < c).then(|| ((a + mask(width) + 1) - d, (b + mask(width) + 1) - c)));
        let signed_range = (sa - sd >= any.0 && sb - sc <= any.1).then_some((sa - sd, sb - sc));
        // a - b is a + !b + 1.
        let (ones, zeros) = sum_bits(self, other.complement(), 1);
        let result = from_parts(width, range, signed_range, ones, zeros);
        let stride = common_stride(self, other);
        if stride <= 1 || a < d {
            return result;
        }
        let rest = (a % stride + stride - c % stride) % stride;
        result.with_stride(stride, rest).unwrap_or(result)
    }

    /// All bits the other way round.
    pub fn complement(self) -> Number {
        let ((a, b), (ones, zeros), width) = (self.range(), self.bits(), self.width());
        from_parts(width, Some((mask(width) - b, mask(width) - a)), None, zeros, ones)
    }

    fn mul(self, other: Number) -> Number {
        let ((a, b), (c, d)) = (self.range(), other.range());
        let width = self.width();
        let range = b.checked_mul(d).filter(|most| *most <= mask(width)).map(|most| (a * c, most));
        let signed_range = signed_products(self, other);
        // Low zeros add up.
        let low = |n: Number| (n.bits().1).trailing_ones();
        let zeros = mask((low(self) + low(other)).min(u32::from(width)) as u8);
        let result = from_parts(width, range, signed_range, 0, zeros);
        match (range, self.value(), other.value()) {
            (Some(_), Some(factor), _) => scaled(result, other, factor),
            (Some(_), _, Some(factor)) => scaled(result, self, factor),
            _ => result,
        }
    }

    fn udiv(self, other: Number) -> Number {
        let ((a, b), (c, d)) = (self.range(), other.range());
        if c == 0 {
            return Number::any(self.width());
        }
        from_parts(self.width(), Some((a / d, b / c)), None, 0, 0)
    }

    fn urem(self, other: Number) -> Number {
        let ((_, b), (c, d)) = (self.range(), other.range());
        if c == 0 {
            return Number::any(self.width());
        }
        if b < c {
            return self;
        }
        let mut zeros = 0;
        if let Some(value) = other.value().filter(|value| value.is_power_of_two()) {
            let low = value - 1;
            let (ones, clear) = self.bits();
            return from_parts(self.width(), Some((0, low.min(b))), None, ones & low, clear | !low);
        }
        if self.bits().1 & other.bits().1 & 1 != 0 {
            zeros = 1;
        }
        from_parts(self.width(), Some((0, b.min(d - 1))), None, 0, zeros)
    }

    fn sdiv(self, other: Number) -> Number {
        let ((a, b), (c, d)) = (self.signed_range(), other.signed_range());
        let any = Number::any(self.width());
        if c <= 0 && d >= 0 {
            return any;
        }
        let ends = [a / c, a / d, b / c, b / d];
        let (mut least, mut most) = (ends[0], ends[0]);
        for end in ends {
            (least, most) = (least.min(end), most.max(end));
        }
        if a <= 0 && b >= 0 {
            (least, most) = (least.min(0), most.max(0));
        }
        // The least value divided by -1 wraps to itself.
        if most > any.signed_range().1 {
            return any;
        }
        from_parts(self.width(), None, Some((least, most)), 0, 0)
    }

    fn srem(self, other: Number) -> Number {
        let ((a, b), (c, d)) = (self.signed_range(), other.signed_range());
        if c <= 0 && d >= 0 {
            return Number::any(self.width());
        }
        let largest = c.unsigned_abs().max(d.unsigned_abs()) as i128 - 1;
        let least = if a < 0 { (-largest).max(a) } else { 0 };
        let most = if b > 0 { largest.min(b) } else { 0 };
        from_parts(self.width(), None, Some((least, most)), 0, 0)
    }

    fn and(self, other: Number) -> Number {
        let most = self.range().1.min(other.range().1);
        let ((ones, zeros), (more_ones, more_zeros)) = (self.bits(), other.bits());
        from_parts(self.width(), Some((0, most)), None, ones & more_ones, zeros | more_zeros)
    }

    fn or(self, other: Number) -> Number {
        let least = self.range().0.max(other.range().0);
        let ((ones, zeros), (more_ones, more_zeros)) = (self.bits(), other.bits());
        let width = self.width();
        from_parts(width, Some((least, mask(width))), None, ones | more_ones, zeros & more_zeros)
    }

    fn xor(self, other: Number) -> Number {
        let ((ones, zeros), (more_ones, more_zeros)) = (self.bits(), other.bits());
        let set = (ones & more_zeros) | (zeros & more_ones);
        let clear = (ones & more_ones) | (zeros & more_zeros);
        from_parts(self.width(), None, None, set, clear)
    }

    fn shl(self, other: Number) -> Number {
        let width = self.width();
        let ((a, b), (least, most)) = (self.range(), other.range());
        if most >= u128::from(width) {
            return Number::any(width);
        }
        let range = (b << most <= mask(width)).then(|| (a << least, b << most));
        let (ones, zeros) = match other.value() {
            Some(by) => ((self.bits().0 << by) & mask(width), (self.bits().1 << by) | mask(by as u8)),
            None => (0, mask(least as u8)),
        };
        let result = from_parts(width, range, None, ones, zeros & mask(width));
        match (range, other.value()) {
            (Some(_), Some(by)) => scaled(result, self, 1 << by),
            _ => result,
        }
    }

    fn lshr(self, other: Number) -> Number {
        let width = self.width();
        let ((a, b), (least, most)) = (self.range(), other.range());
        if most >= u128::from(width) {
            return Number::any(width);
        }
        let (ones, zeros) = match other.value() {
            Some(by) => (self.bits().0 >> by, (self.bits().1 >> by) | (mask(width) & !(mask(width) >> by))),
            None => (0, mask(width) & !(mask(width) >> least)),
        };
        from_parts(width, Some((a >> most, b >> least)), None, ones, zeros)
    }

    fn ashr(self, other: Number) -> Number {
        let width = self.width();
        let ((a, b), (least, most)) = (self.signed_range(), other.range());
        if most >= u128::from(width) {
            return Number::any(width);
        }
        let low = if a < 0 { a >> least } else { a >> most };
        let high = if b < 0 { b >> most } else { b >> least };
        from_parts(width, None, Some((low, high)), 0, 0)
    }

    /// Widened with zeros.
    pub fn zero_extended(self, width: u8) -> Number {
        let ((ones, zeros), (stride, rest)) = (self.bits(), self.stride());
        let high = mask(width) & !mask(self.width());
        let result = from_parts(width, Some(self.range()), None, ones, zeros | high);
        result.with_stride(stride, rest).unwrap_or(result)
    }

    /// Widened with the sign.
    pub fn sign_extended(self, width: u8) -> Number {
        let ((ones, zeros), high) = (self.bits(), mask(width) & !mask(self.width() - 1));
        let sign = 1 << (self.width() - 1);
        let ones = if ones & sign != 0 { ones | high } else { ones };
        let zeros = if zeros & sign != 0 { zeros | high } else { zeros };
        let result = from_parts(width, None, Some(self.signed_range()), ones, zeros);
        let (stride, rest) = self.stride();
        if self.signed_range().0 >= 0 { result.with_stride(stride, rest).unwrap_or(result) } else { result }
    }

    /// Cut to fewer bits.
    pub fn truncated(self, width: u8) -> Number {
        let ((a, b), (sa, sb), (ones, zeros)) = (self.range(), self.signed_range(), self.bits());
        let any = Number::any(width).signed_range();
        let range = (b - a <= mask(width) && a & mask(width) <= b & mask(width))
            .then_some((a & mask(width), b & mask(width)));
        let signed_range = (sa >= any.0 && sb <= any.1).then_some((sa, sb));
        let result = from_parts(width, range, signed_range, ones & mask(width), zeros & mask(width));
        let (stride, rest) = self.stride();
        if b <= mask(width) { result.with_stride(stride, rest).unwrap_or(result) } else { result }
    }
}

/// The known bits of `a + b + carry`, from the low end as long as both are known, and after that by the extreme sums.
fn sum_bits(a: Number, b: Number, carry: u128) -> (u128, u128) {
    // With all unknown bits clear and with all set: a bit is known if both sums and all carries into it agree.
    let width = a.width();
    let ((a1, a0), (b1, b0)) = (a.bits(), b.bits());
    let (a_most, b_most) = (!a0 & mask(width), !b0 & mask(width));
    let (low, high) = (a1 + b1 + carry, a_most + b_most + carry);
    let carries_low = low ^ a1 ^ b1;
    let carries_high = high ^ a_most ^ b_most;
    let known = (a1 | a0) & (b1 | b0) & !(carries_low ^ carries_high) & mask(width);
    (low & known, !low & known & mask(width))
}

/// The greatest divisor by which a sum or a difference of two sets that does not wrap leaves always the same rest.
fn common_stride(a: Number, b: Number) -> u128 {
    let of = |n: Number| if n.value().is_some() { 0 } else { n.stride().0 };
    gcd(of(a), of(b))
}

/// A product by a constant that does not wrap.
fn scaled(result: Number, of: Number, factor: u128) -> Number {
    let (stride, rest) = match of.value() {
        Some(_) => return result,
        None => of.stride(),
    };
    match (stride.checked_mul(factor), rest.checked_mul(factor)) {
        (Some(stride), Some(rest)) => result.with_stride(stride, rest).unwrap_or(result),
        _ => result,
    }
}

fn signed_products(a: Number, b: Number) -> Option<(i128, i128)> {
    let ((a0, a1), (b0, b1)) = (a.signed_range(), b.signed_range());
    let products = [a0.checked_mul(b0)?, a0.checked_mul(b1)?, a1.checked_mul(b0)?, a1.checked_mul(b1)?];
    let (least, most) = (*products.iter().min()?, *products.iter().max()?);
    let any = Number::any(a.width()).signed_range();
    (least >= any.0 && most <= any.1).then_some((least, most))
}

/// The result of an operation on two values; nothing for a division by zero or a shift that is too wide.
pub fn evaluate(op: Operation, a: u128, b: u128, width: u8) -> Option<u128> {
    let (sa, sb) = (signed(a, width), signed(b, width));
    let wide = u128::from(width);
    Some(
        match op {
            Operation::Add => a.wrapping_add(b),
            Operation::Sub => a.wrapping_sub(b),
            Operation::Mul => a.wrapping_mul(b),
            Operation::UDiv => a.checked_div(b)?,
            Operation::URem => a.checked_rem(b)?,
            Operation::SDiv => sa.checked_div(sb)? as u128,
            Operation::SRem => sa.checked_rem(sb)? as u128,
            Operation::And => a & b,
            Operation::Or => a | b,
            Operation::Xor => a ^ b,
            Operation::Shl if b < wide => a << b,
            Operation::LShr if b < wide => a >> b,
            Operation::AShr if b < wide => (sa >> b) as u128,
            Operation::Shl | Operation::LShr | Operation::AShr => return None,
        } & mask(width),
    )
}
