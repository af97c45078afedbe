//! The meaning of integer operations, once: the interpreter computes with it, engines fold constants with it.

use crate::inst::{BinOp, CmpOp, IntUnOp};
use crate::scalar::{mask, sign_extend};

/// The result of an integer operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Computed {
    /// These bits; those above the width are zero.
    Bits(u128),
    /// The divisor is zero: an error of the program.
    DividesByZero,
    /// A shift by the width or more: any bits.
    Unspecified,
}

impl Computed {
    /// The bits, if there are any that are certain.
    pub fn bits(self) -> Option<u128> {
        match self {
            Computed::Bits(bits) => Some(bits),
            Computed::DividesByZero | Computed::Unspecified => None,
        }
    }
}

impl BinOp {
    /// The result on numbers of a width, whose bits above it are zero.
    #[inline]
    pub fn compute(self, width: u8, a: u128, b: u128) -> Computed {
        let all = mask(width);
        let small = width <= 64;
        Computed::Bits(match self {
            BinOp::Add => a.wrapping_add(b) & all,
            BinOp::Sub => a.wrapping_sub(b) & all,
            BinOp::Mul if small => u128::from((a as u64).wrapping_mul(b as u64)) & all,
            BinOp::Mul => a.wrapping_mul(b) & all,
            BinOp::And => a & b,
            BinOp::Or => a | b,
            BinOp::Xor => a ^ b,
            BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem => {
                if b == 0 {
                    return Computed::DividesByZero;
                }
                match self {
                    BinOp::UDiv if small => u128::from(a as u64 / b as u64),
                    BinOp::UDiv => a / b,
                    BinOp::URem if small => u128::from(a as u64 % b as u64),
                    BinOp::URem => a % b,
                    _ => {
                        let (a, b) = (sign_extend(a, width), sign_extend(b, width));
                        let result = match (self, small) {
                            (BinOp::SDiv, true) => i128::from((a as i64).wrapping_div(b as i64)),
                            (BinOp::SDiv, false) => a.wrapping_div(b),
                            (_, true) => i128::from((a as i64).wrapping_rem(b as i64)),
                            (_, false) => a.wrapping_rem(b),
                        };
                        result as u128 & all
                    }
                }
            }
            BinOp::Shl | BinOp::LShr | BinOp::AShr => {
                if b >= u128::from(width) {
                    return Computed::Unspecified;
                }
                match self {
                    BinOp::Shl => (a << b) & all,
                    BinOp::LShr => a >> b,
                    _ => (sign_extend(a, width) >> b) as u128 & all,
                }
            }
        })
    }
}

impl CmpOp {
    /// True if the comparison holds for numbers of a width, whose bits above it are zero.
    #[inline]
    pub fn holds(self, width: u8, a: u128, b: u128) -> bool {
        let signed = |bits| sign_extend(bits, width);
        match self {
            CmpOp::Eq => a == b,
            CmpOp::Ne => a != b,
            CmpOp::Ult => a < b,
            CmpOp::Ule => a <= b,
            CmpOp::Ugt => a > b,
            CmpOp::Uge => a >= b,
            CmpOp::Slt => signed(a) < signed(b),
            CmpOp::Sle => signed(a) <= signed(b),
            CmpOp::Sgt => signed(a) > signed(b),
            CmpOp::Sge => signed(a) >= signed(b),
        }
    }

    /// The comparison that holds where this one does not.
    pub fn negated(self) -> CmpOp {
        match self {
            CmpOp::Eq => CmpOp::Ne,
            CmpOp::Ne => CmpOp::Eq,
            CmpOp::Ult => CmpOp::Uge,
            CmpOp::Ule => CmpOp::Ugt,
            CmpOp::Ugt => CmpOp::Ule,
            CmpOp::Uge => CmpOp::Ult,
            CmpOp::Slt => CmpOp::Sge,
            CmpOp::Sle => CmpOp::Sgt,
            CmpOp::Sgt => CmpOp::Sle,
            CmpOp::Sge => CmpOp::Slt,
        }
    }
}

impl IntUnOp {
    /// The result on a number of a width.
    pub fn compute(self, width: u8, a: u128) -> u128 {
        let spare = 128 - u32::from(width);
        match self {
            IntUnOp::ByteSwap => (a << spare).swap_bytes(),
            IntUnOp::BitReverse => (a << spare).reverse_bits(),
            IntUnOp::PopCount => u128::from(a.count_ones()),
            IntUnOp::LeadingZeros => u128::from(a.leading_zeros() - spare),
            IntUnOp::TrailingZeros => u128::from(a.trailing_zeros().min(u32::from(width))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(op: BinOp, width: u8, a: u128, b: u128) -> u128 {
        op.compute(width, a, b).bits().expect("bits")
    }

    #[test]
    fn arithmetic_wraps() {
        assert_eq!(bits(BinOp::Add, 8, 255, 1), 0);
        assert_eq!(bits(BinOp::SDiv, 32, 0x8000_0000, 0xffff_ffff), 0x8000_0000);
        assert_eq!(bits(BinOp::SRem, 32, 0xffff_fff9, 3), 0xffff_ffff);
        assert_eq!(bits(BinOp::AShr, 16, 0x8000, 15), 0xffff);
        assert_eq!(bits(BinOp::Mul, 128, u128::MAX, 2), u128::MAX - 1);
        assert_eq!(BinOp::Shl.compute(32, 1, 32), Computed::Unspecified);
        assert_eq!(BinOp::URem.compute(32, 1, 0), Computed::DividesByZero);
    }

    #[test]
    fn bit_operations() {
        assert_eq!(IntUnOp::ByteSwap.compute(32, 0x1122_3344), 0x4433_2211);
        assert_eq!(IntUnOp::BitReverse.compute(8, 0b0000_0011), 0b1100_0000);
        assert_eq!(IntUnOp::LeadingZeros.compute(32, 0), 32);
        assert_eq!(IntUnOp::TrailingZeros.compute(32, 0), 32);
        assert_eq!(IntUnOp::LeadingZeros.compute(16, 1), 15);
    }

    #[test]
    fn comparisons_have_signs_and_opposites() {
        assert!(CmpOp::Slt.holds(8, 0x80, 0x7f));
        assert!(CmpOp::Ugt.holds(8, 0x80, 0x7f));
        for op in [CmpOp::Eq, CmpOp::Ult, CmpOp::Ule, CmpOp::Slt, CmpOp::Sle] {
            for (a, b) in [(0, 0), (1, 0), (0, 255), (127, 128)] {
                assert_ne!(op.holds(8, a, b), op.negated().holds(8, a, b));
            }
        }
    }
}
