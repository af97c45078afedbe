//! Arithmetic and bitwise operations on bit vectors.

use super::linear::{Ring, product, sum};
use crate::value::mask;
use crate::{BvOp, Op, Term};

impl Term {
    /// An operation on two bit vectors of one width.
    pub fn bv(op: BvOp, a: Term, b: Term) -> Term {
        Term::op(Op::Bv(op), [a, b])
    }

    /// All bits turned round.
    pub fn bv_not(term: Term) -> Term {
        Term::op(Op::BvNot, [term])
    }

    /// The number with the opposite sign.
    pub fn bv_neg(term: Term) -> Term {
        let width = term.width();
        Term::bv(BvOp::Sub, Term::bits(0, width), term)
    }

    /// A bit vector plus a number.
    pub fn plus(self, number: i128) -> Term {
        let width = self.width();
        Term::bv(BvOp::Add, self, Term::bits(number as u128, width))
    }
}

pub(super) fn nary(op: BvOp, args: Vec<Term>) -> Term {
    let width = args.first().expect("an operation has arguments").width();
    for arg in &args {
        assert!(arg.width() == width, "{op:?} of bit vectors of widths {width} and {}", arg.width());
    }
    args.into_iter().reduce(|a, b| binary(op, width, a, b)).expect("an operation has arguments")
}

fn binary(op: BvOp, width: u8, a: Term, b: Term) -> Term {
    if let (Some(x), Some(y)) = (a.as_bits(), b.as_bits()) {
        return Term::bits(crate::fold::operate(op, x, y, width), width);
    }
    let ring = Ring::Bits(width);
    match op {
        BvOp::Add => sum(ring, &a, &b, 1),
        BvOp::Sub => sum(ring, &a, &b, -1),
        BvOp::Mul => product(ring, a, b),
        BvOp::UDiv | BvOp::URem => unsigned_division(op, width, a, b),
        BvOp::SDiv | BvOp::SRem => signed_division(op, width, a, b),
        BvOp::Shl | BvOp::LShr | BvOp::AShr => shift(op, width, a, b),
        BvOp::And | BvOp::Or | BvOp::Xor => bitwise(op, width, a, b),
    }
}

/// The number of the bit if only one is set.
fn power(bits: u128) -> Option<u8> {
    bits.is_power_of_two().then(|| bits.trailing_zeros() as u8)
}

fn low_bits(term: Term, count: u8) -> Term {
    let width = term.width();
    match count {
        0 => Term::bits(0, width),
        _ => Term::zero_extend(width - count, Term::extract(count - 1, 0, term)),
    }
}

fn unsigned_division(op: BvOp, width: u8, a: Term, b: Term) -> Term {
    match (op, b.as_bits().and_then(power)) {
        (BvOp::UDiv, Some(bit)) => shift(BvOp::LShr, width, a, Term::bits(bit.into(), width)),
        (BvOp::URem, Some(bit)) => low_bits(a, bit),
        _ => Term::raw(Op::Bv(op), [a, b]),
    }
}

fn signed_division(op: BvOp, width: u8, a: Term, b: Term) -> Term {
    match (op, b.as_bits()) {
        // In one bit this is -1, not 1.
        (BvOp::SDiv, Some(1)) if width > 1 => a,
        (BvOp::SRem, Some(1)) => Term::bits(0, width),
        _ => Term::raw(Op::Bv(op), [a, b]),
    }
}

fn shift(op: BvOp, width: u8, a: Term, b: Term) -> Term {
    if a.as_bits() == Some(0) {
        return a;
    }
    let by = match b.as_bits() {
        Some(0) => return a,
        Some(by) if by >= u128::from(width) && op != BvOp::AShr => return Term::bits(0, width),
        Some(by) => by.min(u128::from(width) - 1) as u8,
        None => return Term::raw(Op::Bv(op), [a, b]),
    };
    match op {
        BvOp::Shl => product(Ring::Bits(width), a, Term::bits(1 << by, width)),
        BvOp::LShr => Term::zero_extend(by, Term::extract(width - 1, by, a)),
        _ => Term::sign_extend(by, Term::extract(width - 1, by, a)),
    }
}

fn bitwise(op: BvOp, width: u8, a: Term, b: Term) -> Term {
    let (a, b) = if b.is_constant() || (!a.is_constant() && a <= b) { (a, b) } else { (b, a) };
    let (zero, ones) = (b.as_bits() == Some(0), b.as_bits() == Some(mask(width)));
    match op {
        BvOp::And if zero => return b,
        BvOp::And if ones => return a,
        BvOp::Or if zero => return a,
        BvOp::Or if ones => return b,
        BvOp::Xor if zero => return a,
        BvOp::Xor if ones => return not(a),
        BvOp::And | BvOp::Or if a == b => return a,
        BvOp::Xor if a == b => return Term::bits(0, width),
        _ => {}
    }
    let opposite = a.args_of(Op::BvNot).is_some_and(|args| args[0] == b)
        || b.args_of(Op::BvNot).is_some_and(|args| args[0] == a);
    if opposite {
        return Term::bits(if op == BvOp::And { 0 } else { mask(width) }, width);
    }
    if let Some(bits) = b.as_bits() {
        // The low bits of a number.
        if op == BvOp::And && (bits + 1).is_power_of_two() {
            return low_bits(a, bits.count_ones() as u8);
        }
        // Two constants come together.
        if let Some([inner, constant]) = a.args_of(Op::Bv(op))
            && let Some(other) = constant.as_bits()
        {
            let both = crate::fold::operate(op, bits, other, width);
            return bitwise(op, width, inner.clone(), Term::bits(both, width));
        }
    }
    Term::raw(Op::Bv(op), [a, b])
}

pub(super) fn not(term: Term) -> Term {
    if let Some(args) = term.args_of(Op::BvNot) {
        return args[0].clone();
    }
    match term.as_bits() {
        Some(bits) => Term::bits(!bits, term.width()),
        None => Term::raw(Op::BvNot, [term]),
    }
}
