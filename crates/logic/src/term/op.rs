//! The operators of terms, with the sorts that they take and give. Their meaning is in `fold.rs`.

use super::{Sort, Term};

/// Operations on bit vectors of one width, with the meaning that SMT-LIB gives them: a quotient by zero has all bits
/// set (signed: 1 or -1), a remainder by zero is the dividend, a shift by the width or more leaves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum BvOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
}

/// Orders of two bit vectors of one width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum BvRel {
    Ult,
    Ule,
    Slt,
    Sle,
}

/// An operator. What it is applied to are the arguments of the term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Op {
    /// The opposite of a truth value.
    Not,
    /// All of some truth values hold.
    And,
    /// One of some truth values holds.
    Or,
    /// Two values of one sort are equal.
    Eq,
    /// Values of one sort differ pairwise.
    Distinct,
    /// The second argument if the first holds, else the third.
    Ite,
    /// An operation on bit vectors; `Add` and `Mul` take any number of them from two on.
    Bv(BvOp),
    /// All bits turned round.
    BvNot,
    /// An order of bit vectors.
    Rel(BvRel),
    /// The bits from `low` to `high`, both included.
    Extract {
        /// The highest bit.
        high: u8,
        /// The lowest bit.
        low: u8,
    },
    /// Two bit vectors side by side; the first is the upper part.
    Concat,
    /// A bit vector made wider by this many zeros.
    ZeroExtend(u8),
    /// A bit vector made wider by this many copies of its sign.
    SignExtend(u8),
    /// A sum of integers.
    IntAdd,
    /// A product of integers.
    IntMul,
    /// The quotient of two integers, such that the remainder is not negative.
    IntDiv,
    /// The remainder that belongs to [`Op::IntDiv`].
    IntMod,
    /// One integer is at most another one.
    IntLe,
    /// One integer is less than another one.
    IntLt,
    /// The number that a bit vector stands for, without sign.
    BitsToInt,
    /// The low bits of an integer.
    IntToBits(u8),
    /// The element of an array (first argument) at an index (second).
    Select,
    /// An array (first argument) that has at an index (second) another element (third).
    Store,
    /// The array that has the same element everywhere.
    ConstArray,
    /// Separation logic: the heap is empty.
    SepEmp,
    /// Separation logic: the heap falls into parts, one for each argument.
    SepStar,
    /// Separation logic: with a heap of the first argument added, the second holds.
    SepWand,
    /// Separation logic: the heap is one cell, with this address and this content.
    PointsTo,
    /// Separation logic: the address that is never in the heap.
    SepNil,
}

impl Op {
    /// True if it can be applied to these arguments.
    pub fn accepts(self, args: &[Term]) -> bool {
        let least = match self {
            Op::And | Op::Or | Op::Distinct | Op::SepStar | Op::IntAdd | Op::IntMul | Op::SepEmp => 0,
            Op::Bv(_) => 2,
            _ => 1,
        };
        args.len() >= least && self.result(args).is_ok()
    }

    /// The sort of the result, or what is wrong with the arguments. The sort of `ConstArray` and `SepNil` does not
    /// follow from arguments.
    pub(super) fn result(self, args: &[Term]) -> Result<Sort, &'static str> {
        let sort = |index: usize| args[index].sort();
        let count =
            |number: usize| if args.len() == number { Ok(()) } else { Err("wrong number of arguments") };
        let all = |wanted: &Sort| {
            if args.iter().all(|arg| arg.sort() == wanted) {
                Ok(())
            } else {
                Err("arguments of another sort")
            }
        };
        let bits = |index: usize| sort(index).width().ok_or("a bit vector is needed");
        let wider = |by: u8| {
            let width = bits(0)?.checked_add(by).filter(|width| *width <= super::MAX_WIDTH);
            width.map(Sort::Bits).ok_or("wider than any bit vector")
        };
        Ok(match self {
            Op::Not => count(1).and(all(&Sort::Bool)).map(|()| Sort::Bool)?,
            Op::And | Op::Or | Op::SepStar => all(&Sort::Bool).map(|()| Sort::Bool)?,
            Op::SepWand => count(2).and(all(&Sort::Bool)).map(|()| Sort::Bool)?,
            Op::PointsTo => count(2).map(|()| Sort::Bool)?,
            Op::SepEmp => count(0).map(|()| Sort::Bool)?,
            Op::Eq => {
                count(2)?;
                all(sort(0))?;
                Sort::Bool
            }
            Op::Distinct => {
                if let Some(first) = args.first() {
                    all(first.sort())?;
                }
                Sort::Bool
            }
            Op::Ite => {
                count(3)?;
                if *sort(0) != Sort::Bool || sort(1) != sort(2) {
                    return Err("a truth value and two values of one sort are needed");
                }
                sort(1).clone()
            }
            Op::Bv(op) => {
                if !matches!(op, BvOp::Add | BvOp::Mul) {
                    count(2)?;
                }
                let width = bits(0)?;
                all(&Sort::Bits(width))?;
                Sort::Bits(width)
            }
            Op::BvNot => count(1).and(bits(0)).map(Sort::Bits)?,
            Op::Rel(_) => {
                count(2)?;
                all(&Sort::Bits(bits(0)?))?;
                Sort::Bool
            }
            Op::Extract { high, low } => {
                count(1)?;
                if low > high || high >= bits(0)? {
                    return Err("no such bits");
                }
                Sort::Bits(high - low + 1)
            }
            Op::Concat => {
                count(2)?;
                wider(bits(1)?)?
            }
            Op::ZeroExtend(by) | Op::SignExtend(by) => {
                count(1)?;
                wider(by)?
            }
            Op::IntAdd | Op::IntMul => all(&Sort::Int).map(|()| Sort::Int)?,
            Op::IntDiv | Op::IntMod => count(2).and(all(&Sort::Int)).map(|()| Sort::Int)?,
            Op::IntLe | Op::IntLt => count(2).and(all(&Sort::Int)).map(|()| Sort::Bool)?,
            Op::BitsToInt => count(1).and(bits(0)).map(|_| Sort::Int)?,
            Op::IntToBits(width) => {
                count(1).and(all(&Sort::Int))?;
                if width == 0 || width > super::MAX_WIDTH {
                    return Err("no such width");
                }
                Sort::Bits(width)
            }
            Op::Select => {
                count(2)?;
                match sort(0) {
                    Sort::Array(sorts) if sorts.0 == *sort(1) => sorts.1.clone(),
                    _ => return Err("an array and an index of it are needed"),
                }
            }
            Op::Store => {
                count(3)?;
                match sort(0) {
                    Sort::Array(sorts) if sorts.0 == *sort(1) && sorts.1 == *sort(2) => sort(0).clone(),
                    _ => return Err("an array, an index and an element of it are needed"),
                }
            }
            Op::ConstArray | Op::SepNil => return Err("the sort has to be given"),
        })
    }
}
