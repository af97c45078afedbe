//! Parts of bit vectors, and bit vectors made of parts. What is split in bytes and put together again is what it was.

use crate::{BvOp, Op, Term};

impl Term {
    /// The bits from `low` to `high`, both included.
    pub fn extract(high: u8, low: u8, term: Term) -> Term {
        Term::op(Op::Extract { high, low }, [term])
    }

    /// Two bit vectors side by side; the first is the upper part.
    pub fn concat(high: Term, low: Term) -> Term {
        Term::op(Op::Concat, [high, low])
    }

    /// A bit vector made wider by zeros.
    pub fn zero_extend(by: u8, term: Term) -> Term {
        Term::op(Op::ZeroExtend(by), [term])
    }

    /// A bit vector made wider by its sign.
    pub fn sign_extend(by: u8, term: Term) -> Term {
        Term::op(Op::SignExtend(by), [term])
    }

    /// A bit vector in another width: cut, or made wider by zeros or its sign.
    pub fn resized(self, width: u8, sign: bool) -> Term {
        let from = self.width();
        if width <= from {
            return Term::extract(width - 1, 0, self);
        }
        let op = if sign { Op::SignExtend(width - from) } else { Op::ZeroExtend(width - from) };
        Term::op(op, [self])
    }
}

pub(super) fn extract(high: u8, low: u8, term: Term) -> Term {
    let width = term.width();
    assert!(low <= high && high < width, "no bits {low} to {high} in {width}");
    if low == 0 && high == width - 1 {
        return term;
    }
    if let Some(bits) = term.as_bits() {
        return Term::bits(bits >> low, high - low + 1);
    }
    match term.as_op() {
        Some((Op::Extract { low: below, .. }, args)) => extract(high + below, low + below, args[0].clone()),
        Some((Op::Concat, args)) => {
            let split = args[1].width();
            if high < split {
                extract(high, low, args[1].clone())
            } else if low >= split {
                extract(high - split, low - split, args[0].clone())
            } else {
                concat(extract(high - split, 0, args[0].clone()), extract(split - 1, low, args[1].clone()))
            }
        }
        Some((Op::ZeroExtend(_), args)) => {
            let inner = args[0].width();
            if low >= inner {
                Term::bits(0, high - low + 1)
            } else if high < inner {
                extract(high, low, args[0].clone())
            } else {
                extend(high - inner + 1, false, extract(inner - 1, low, args[0].clone()))
            }
        }
        Some((Op::SignExtend(_), args)) => {
            let inner = args[0].width();
            if high < inner {
                extract(high, low, args[0].clone())
            } else if low < inner {
                extend(high - inner + 1, true, extract(inner - 1, low, args[0].clone()))
            } else {
                Term::raw(Op::Extract { high, low }, [term])
            }
        }
        Some((Op::Bv(op @ (BvOp::And | BvOp::Or | BvOp::Xor)), args)) if args[1].is_constant() => {
            let part = |arg: &Term| extract(high, low, arg.clone());
            Term::bv(op, part(&args[0]), part(&args[1]))
        }
        Some((Op::Ite, args)) if args[1].is_constant() || args[2].is_constant() => {
            let part = |arg: &Term| extract(high, low, arg.clone());
            Term::ite(args[0].clone(), part(&args[1]), part(&args[2]))
        }
        _ => Term::raw(Op::Extract { high, low }, [term]),
    }
}

pub(super) fn concat(high: Term, low: Term) -> Term {
    let below = low.width();
    if let (Some(a), Some(b)) = (high.as_bits(), low.as_bits()) {
        return Term::bits((a << below) | b, high.width() + below);
    }
    if high.as_bits() == Some(0) {
        return extend(high.width(), false, low);
    }
    // To the right, so that neighbours meet.
    if let Some([first, second]) = high.args_of(Op::Concat) {
        return concat(first.clone(), concat(second.clone(), low));
    }
    if let Some(joined) = neighbours(&high, &low) {
        return joined;
    }
    if let Some([next, rest]) = low.args_of(Op::Concat)
        && let Some(joined) = neighbours(&high, next)
    {
        return concat(joined, rest.clone());
    }
    Term::raw(Op::Concat, [high, low])
}

/// Adjacent parts of one bit vector, or two constants, as one.
fn neighbours(high: &Term, low: &Term) -> Option<Term> {
    if high.is_constant() && low.is_constant() {
        return Some(concat(high.clone(), low.clone()));
    }
    let part = |term: &Term| match term.as_op() {
        Some((Op::Extract { high, low }, args)) => (args[0].clone(), high, low),
        _ => (term.clone(), term.width() - 1, 0),
    };
    let ((a, top, from), (b, to, bottom)) = (part(high), part(low));
    (a == b && from == to + 1).then(|| extract(top, bottom, a))
}

pub(super) fn extend(by: u8, sign: bool, term: Term) -> Term {
    if by == 0 {
        return term;
    }
    let op = if sign { Op::SignExtend(by) } else { Op::ZeroExtend(by) };
    if term.is_constant() {
        return Term::op(op, [term]);
    }
    match term.as_op() {
        // The upper bit is zero.
        Some((Op::ZeroExtend(more), args)) if more > 0 => extend(by + more, false, args[0].clone()),
        Some((Op::SignExtend(more), args)) if sign => extend(by + more, true, args[0].clone()),
        _ => Term::raw(op, [term]),
    }
}
