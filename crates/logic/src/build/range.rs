//! The range that a bit vector surely lies in.

use crate::value::{mask, signed};
use crate::{BvOp, Kind, Op, Term};

/// How deep is looked.
const DEPTH: u32 = 5;

/// What is known about some terms besides what they are made of.
type Known<'a> = &'a dyn Fn(&Term) -> Option<(u128, u128)>;

impl Term {
    /// The least and the greatest number that a bit vector may stand for, without sign.
    pub fn range(&self) -> (u128, u128) {
        unsigned(self, DEPTH, &|_| None)
    }

    /// The same where the ranges of some terms are known.
    pub fn range_with(&self, known: Known<'_>) -> (u128, u128) {
        unsigned(self, DEPTH, known)
    }

    /// The least and the greatest number with sign, where the ranges (without sign) of some terms are known.
    pub fn signed_range_with(&self, known: Known<'_>) -> (i128, i128) {
        with_sign(self, DEPTH, known)
    }

    /// The least and the greatest number that a bit vector may stand for, with sign.
    pub fn signed_range(&self) -> (i128, i128) {
        with_sign(self, DEPTH, &|_| None)
    }
}

fn unsigned(term: &Term, depth: u32, known: Known<'_>) -> (u128, u128) {
    if let Kind::Bits(bits) = term.kind() {
        return (*bits, *bits);
    }
    let (low, high) = structural(term, depth, known);
    match known(term) {
        // Ranges that have nothing in common come from conditions that cannot hold: nothing is concluded here.
        Some((least, most)) if least.max(low) <= most.min(high) => (least.max(low), most.min(high)),
        _ => (low, high),
    }
}

fn structural(term: &Term, depth: u32, known: Known<'_>) -> (u128, u128) {
    let width = term.width();
    let full = (0, mask(width));
    let (Some((op, args)), true) = (term.as_op(), depth > 0) else { return full };
    let inner = |index: usize| unsigned(&args[index], depth - 1, known);
    let checked = |low: Option<u128>, high: Option<u128>| match (low, high) {
        (Some(low), Some(high)) if high <= full.1 => (low, high),
        _ => full,
    };
    match op {
        Op::ZeroExtend(_) => inner(0),
        Op::SignExtend(_) => {
            let (low, high) = inner(0);
            if high <= mask(args[0].width()) >> 1 { (low, high) } else { full }
        }
        Op::Extract { low: 0, .. } => {
            let (low, high) = inner(0);
            if high <= full.1 { (low, high) } else { full }
        }
        Op::Concat => {
            let ((low, high), below) = (inner(0), args[1].width());
            (low << below, (high << below) | mask(below))
        }
        Op::Ite => {
            let (a, b) = (inner(1), inner(2));
            (a.0.min(b.0), a.1.max(b.1))
        }
        Op::Bv(BvOp::And) => (0, inner(0).1.min(inner(1).1)),
        Op::Bv(BvOp::Or) => {
            let (a, b) = (inner(0), inner(1));
            let used = 128 - (a.1 | b.1).leading_zeros();
            (a.0.max(b.0), mask(used as u8))
        }
        Op::Bv(BvOp::URem) => {
            let ((_, most), (least, by)) = (inner(0), inner(1));
            if least == 0 { (0, most) } else { (0, most.min(by - 1)) }
        }
        Op::Bv(BvOp::UDiv) => {
            let ((low, high), (least, most)) = (inner(0), inner(1));
            high.checked_div(least).map_or(full, |high| (low / most, high))
        }
        Op::Bv(BvOp::LShr) => (0, inner(0).1),
        Op::Bv(BvOp::Add) => {
            let sum = (0..args.len()).map(inner).try_fold((0u128, 0u128), |sum, next| {
                Some((sum.0.checked_add(next.0)?, sum.1.checked_add(next.1)?))
            });
            checked(sum.map(|sum| sum.0), sum.map(|sum| sum.1))
        }
        Op::Bv(BvOp::Mul) => {
            let product = (0..args.len()).map(inner).try_fold((1u128, 1u128), |product, next| {
                Some((product.0.checked_mul(next.0)?, product.1.checked_mul(next.1)?))
            });
            checked(product.map(|product| product.0), product.map(|product| product.1))
        }
        _ => full,
    }
}

fn with_sign(term: &Term, depth: u32, known: Known<'_>) -> (i128, i128) {
    let width = term.width();
    let (low, high) = unsigned(term, depth, known);
    let half = mask(width) >> 1;
    if high <= half || low > half {
        return (signed(low, width), signed(high, width));
    }
    match term.as_op() {
        Some((Op::SignExtend(_), args)) if depth > 0 => with_sign(&args[0], depth - 1, known),
        Some((Op::Ite, args)) if depth > 0 => {
            let (a, b) = (with_sign(&args[1], depth - 1, known), with_sign(&args[2], depth - 1, known));
            (a.0.min(b.0), a.1.max(b.1))
        }
        _ => (signed(half + 1, width), half as i128),
    }
}
