//! What is known of one machine integer by itself: an unsigned and a signed range, known bits, a stride.
//!
//! The four views sharpen each other ([`Number::reduced`]): a range fixes high bits, low bits fix the ends of a range, a
//! range that stays on one side of the sign makes the other range. Every operation covers all results of the machine
//! operation on members; this is checked by brute force on small widths.

use std::cmp::{max, min};
use std::fmt;

/// The widest integer that is followed.
pub const WIDEST: u8 = 64;

/// The largest unsigned value of a width.
pub fn mask(width: u8) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// The signed value of some bits.
pub fn signed(bits: u128, width: u8) -> i128 {
    let shift = 128 - u32::from(width);
    ((bits << shift) as i128) >> shift
}

/// A set of machine integers of one width, never empty.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Number {
    width: u8,
    least: u128,
    most: u128,
    signed_least: i128,
    signed_most: i128,
    /// Bits that are surely set.
    ones: u128,
    /// Bits that are surely clear.
    zeros: u128,
    /// All members leave the same rest by this divisor (1: nothing is known). The unsigned value is meant.
    stride: u128,
    /// That rest.
    rest: u128,
}

/// A comparison of machine integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Comparison {
    Eq,
    Ne,
    Ult,
    Ule,
    Slt,
    Sle,
}

impl Comparison {
    /// The truth of the comparison of two values of a width.
    pub fn holds(self, a: u128, b: u128, width: u8) -> bool {
        match self {
            Comparison::Eq => a == b,
            Comparison::Ne => a != b,
            Comparison::Ult => a < b,
            Comparison::Ule => a <= b,
            Comparison::Slt => signed(a, width) < signed(b, width),
            Comparison::Sle => signed(a, width) <= signed(b, width),
        }
    }

    /// What holds of `(b, a)` where this comparison of `(a, b)` does not hold; for `Eq` and `Ne` the opposite.
    pub fn opposite(self) -> (Comparison, bool) {
        match self {
            Comparison::Eq => (Comparison::Ne, false),
            Comparison::Ne => (Comparison::Eq, false),
            Comparison::Ult => (Comparison::Ule, true),
            Comparison::Ule => (Comparison::Ult, true),
            Comparison::Slt => (Comparison::Sle, true),
            Comparison::Sle => (Comparison::Slt, true),
        }
    }
}

impl Number {
    /// Any value of the width.
    pub fn any(width: u8) -> Number {
        let half = 1_i128 << (width - 1);
        Number {
            width,
            least: 0,
            most: mask(width),
            signed_least: -half,
            signed_most: half - 1,
            ones: 0,
            zeros: 0,
            stride: 1,
            rest: 0,
        }
    }

    /// One value.
    pub fn constant(bits: u128, width: u8) -> Number {
        let bits = bits & mask(width);
        let value = signed(bits, width);
        Number {
            width,
            least: bits,
            most: bits,
            signed_least: value,
            signed_most: value,
            ones: bits,
            zeros: !bits & mask(width),
            stride: 1,
            rest: 0,
        }
    }

    /// The values of an unsigned range; nothing if it is empty.
    pub fn between(least: u128, most: u128, width: u8) -> Option<Number> {
        Number { least, most: min(most, mask(width)), ..Number::any(width) }.reduced()
    }

    /// The values of a signed range; nothing if it is empty.
    pub fn signed_between(least: i128, most: i128, width: u8) -> Option<Number> {
        let any = Number::any(width);
        let (signed_least, signed_most) = (max(least, any.signed_least), min(most, any.signed_most));
        Number { signed_least, signed_most, ..any }.reduced()
    }

    /// The number of bits.
    pub fn width(self) -> u8 {
        self.width
    }

    /// The least and the greatest unsigned value.
    pub fn range(self) -> (u128, u128) {
        (self.least, self.most)
    }

    /// The least and the greatest signed value.
    pub fn signed_range(self) -> (i128, i128) {
        (self.signed_least, self.signed_most)
    }

    /// The bits that are surely set and those that are surely clear.
    pub fn bits(self) -> (u128, u128) {
        (self.ones, self.zeros)
    }

    /// Divisor and rest that all members share.
    pub fn stride(self) -> (u128, u128) {
        (self.stride, self.rest)
    }

    /// The value, if there is only one.
    pub fn value(self) -> Option<u128> {
        (self.least == self.most).then_some(self.least)
    }

    /// True if the value may be a member.
    pub fn has(self, bits: u128) -> bool {
        let value = signed(bits, self.width);
        (self.least..=self.most).contains(&bits)
            && (self.signed_least..=self.signed_most).contains(&value)
            && bits & self.ones == self.ones
            && bits & self.zeros == 0
            && bits % self.stride == self.rest
    }

    /// Lets the four views sharpen each other; nothing if they exclude each other.
    fn reduced(mut self) -> Option<Number> {
        // Each round can only shrink the set; three rounds reach what the views say of each other in practice.
        for _ in 0..3 {
            let before = self;
            self.exchange_signs()?;
            self.exchange_bits()?;
            self.round_to_stride()?;
            if self == before {
                break;
            }
        }
        Some(self)
    }

    fn exchange_signs(&mut self) -> Option<()> {
        let half = 1_u128 << (self.width - 1);
        let modulus = 1_i128 << self.width.min(126);
        if self.most < half {
            self.signed_least = max(self.signed_least, self.least as i128);
            self.signed_most = min(self.signed_most, self.most as i128);
        } else if self.least >= half {
            self.signed_least = max(self.signed_least, self.least as i128 - modulus);
            self.signed_most = min(self.signed_most, self.most as i128 - modulus);
        }
        if self.signed_least >= 0 {
            self.least = max(self.least, self.signed_least as u128);
            self.most = min(self.most, self.signed_most.max(0) as u128);
        } else if self.signed_most < 0 {
            self.least = max(self.least, (self.signed_least + modulus) as u128);
            self.most = min(self.most, (self.signed_most + modulus) as u128);
        }
        (self.least <= self.most && self.signed_least <= self.signed_most).then_some(())
    }

    fn exchange_bits(&mut self) -> Option<()> {
        if self.ones & self.zeros != 0 {
            return None;
        }
        self.least = max(self.least, self.ones);
        self.most = min(self.most, mask(self.width) & !self.zeros);
        if self.least > self.most {
            return None;
        }
        // Bits above the highest one in which the ends differ are the same in all members.
        let same = !mask(128 - (self.least ^ self.most).leading_zeros() as u8) & mask(self.width);
        self.ones |= self.least & same;
        self.zeros |= !self.least & same;
        (self.ones & self.zeros == 0).then_some(())
    }

    fn round_to_stride(&mut self) -> Option<()> {
        if self.stride == 1 {
            return Some(());
        }
        let up = (self.rest + self.stride - self.least % self.stride) % self.stride;
        let down = (self.most % self.stride + self.stride - self.rest) % self.stride;
        self.least = self.least.checked_add(up)?;
        self.most = self.most.checked_sub(down)?;
        (self.least <= self.most).then_some(())
    }

    /// A sharper view of the same number, if it is one; used where a sharpened view cannot be empty.
    fn tidy(self) -> Number {
        self.reduced().unwrap_or(self)
    }

    /// Says that all members leave a rest by a divisor. Nothing if no member does.
    pub fn with_stride(self, stride: u128, rest: u128) -> Option<Number> {
        if stride <= 1 {
            return Some(self);
        }
        if self.stride == 1 || stride.is_multiple_of(self.stride) {
            if self.stride != 1 && rest % self.stride != self.rest {
                return None;
            }
            return Number { stride, rest: rest % stride, ..self }.reduced();
        }
        self.reduced()
    }

    /// Says that some bits are surely set and others surely clear. Nothing if no member is like that.
    pub(crate) fn known(self, ones: u128, zeros: u128) -> Option<Number> {
        Number { ones: self.ones | ones, zeros: self.zeros | zeros, ..self }.reduced()
    }

    /// The members of both.
    pub fn meet(self, other: Number) -> Option<Number> {
        let both = Number {
            width: self.width,
            least: max(self.least, other.least),
            most: min(self.most, other.most),
            signed_least: max(self.signed_least, other.signed_least),
            signed_most: min(self.signed_most, other.signed_most),
            ones: self.ones | other.ones,
            zeros: self.zeros | other.zeros,
            stride: self.stride,
            rest: self.rest,
        };
        both.reduced()?.with_stride(other.stride, other.rest)
    }

    /// All members of either.
    pub fn join(self, other: Number) -> Number {
        let (stride, rest) = joined_stride(self, other);
        Number {
            width: self.width,
            least: min(self.least, other.least),
            most: max(self.most, other.most),
            signed_least: min(self.signed_least, other.signed_least),
            signed_most: max(self.signed_most, other.signed_most),
            ones: self.ones & other.ones,
            zeros: self.zeros & other.zeros,
            stride,
            rest,
        }
        .tidy()
    }

    /// A set that covers both and that can only grow finitely often: ends that move go to the next threshold.
    pub fn widen(self, other: Number, thresholds: &[i128]) -> Number {
        let joined = self.join(other);
        let any = Number::any(self.width);
        let down = |old: i128, new: i128, end: i128| match new < old {
            true => thresholds.iter().copied().filter(|t| *t <= new && *t > end).max().unwrap_or(end),
            false => old,
        };
        let up = |old: i128, new: i128, end: i128| match new > old {
            true => thresholds.iter().copied().filter(|t| *t >= new && *t < end).min().unwrap_or(end),
            false => old,
        };
        Number {
            least: down(self.least as i128, joined.least as i128, 0) as u128,
            most: up(self.most as i128, joined.most as i128, any.most as i128) as u128,
            signed_least: down(self.signed_least, joined.signed_least, any.signed_least),
            signed_most: up(self.signed_most, joined.signed_most, any.signed_most),
            ..joined
        }
    }

    /// True if every member of the other is one of this.
    pub fn covers(self, other: Number) -> bool {
        self.least <= other.least
            && self.most >= other.most
            && self.signed_least <= other.signed_least
            && self.signed_most >= other.signed_most
            && self.ones & !other.ones == 0
            && self.zeros & !other.zeros == 0
            && (self.stride == 1
                || other.value().is_some_and(|value| value % self.stride == self.rest)
                || (other.stride.is_multiple_of(self.stride) && other.rest % self.stride == self.rest))
    }

    /// The truth of a comparison, where it is the same for all members.
    pub fn compare(self, op: Comparison, other: Number) -> Option<bool> {
        match op {
            Comparison::Eq if self.value().is_some() && self.value() == other.value() => Some(true),
            Comparison::Eq => self.meet(other).is_none().then_some(false),
            Comparison::Ne => self.compare(Comparison::Eq, other).map(|equal| !equal),
            Comparison::Ult if self.most < other.least => Some(true),
            Comparison::Ult if self.least >= other.most => Some(false),
            Comparison::Ule if self.most <= other.least => Some(true),
            Comparison::Ule if self.least > other.most => Some(false),
            Comparison::Slt if self.signed_most < other.signed_least => Some(true),
            Comparison::Slt if self.signed_least >= other.signed_most => Some(false),
            Comparison::Sle if self.signed_most <= other.signed_least => Some(true),
            Comparison::Sle if self.signed_least > other.signed_most => Some(false),
            _ => None,
        }
    }

    /// What is left of both numbers where a comparison holds; nothing if it cannot.
    pub fn assume(self, op: Comparison, other: Number) -> Option<(Number, Number)> {
        let (mut a, mut b) = (self, other);
        match op {
            Comparison::Eq => {
                let both = a.meet(b)?;
                return Some((both, both));
            }
            Comparison::Ne => return Some((a.without(b)?, b.without(a)?)),
            Comparison::Ult | Comparison::Ule => {
                let gap = u128::from(op == Comparison::Ult);
                a.most = min(a.most, b.most.checked_sub(gap)?);
                b.least = max(b.least, a.least + gap);
            }
            Comparison::Slt | Comparison::Sle => {
                let gap = i128::from(op == Comparison::Slt);
                a.signed_most = min(a.signed_most, b.signed_most - gap);
                b.signed_least = max(b.signed_least, a.signed_least + gap);
            }
        }
        Some((a.reduced_if_ordered()?, b.reduced_if_ordered()?))
    }

    fn reduced_if_ordered(self) -> Option<Number> {
        (self.least <= self.most && self.signed_least <= self.signed_most).then_some(self)?.reduced()
    }

    /// This number is not that constant: an end of a range may move.
    fn without(mut self, other: Number) -> Option<Number> {
        let Some(value) = other.value() else { return Some(self) };
        let as_signed = signed(value, self.width);
        if self.least == value {
            self.least += 1;
        }
        if self.most == value {
            self.most = self.most.checked_sub(1)?;
        }
        if self.signed_least == as_signed {
            self.signed_least += 1;
        }
        if self.signed_most == as_signed {
            self.signed_most -= 1;
        }
        self.reduced_if_ordered()
    }
}

/// The greatest stride that both sets have.
fn joined_stride(a: Number, b: Number) -> (u128, u128) {
    let of = |n: Number| if n.value().is_some() { 0 } else { n.stride };
    let apart = a.least.abs_diff(b.least);
    let stride = gcd(gcd(of(a), of(b)), apart);
    if stride <= 1 { (1, 0) } else { (stride, a.least % stride) }
}

/// The greatest common divisor; that of 0 and n is n.
pub(crate) fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(value) = self.value() {
            return write!(f, "{}", signed(value, self.width));
        }
        let crosses = self.signed_least < 0 && self.signed_most >= 0;
        match crosses {
            true => write!(f, "{}..{}", self.signed_least, self.signed_most)?,
            false => write!(f, "{}..{}", self.least, self.most)?,
        }
        if self.stride > 1 {
            write!(f, " by {}", self.stride)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "i{} {self} ones {:x} zeros {:x} rest {}", self.width, self.ones, self.zeros, self.rest)
    }
}
