//! Equality and order.

use super::linear::{Linear, Ring};
use crate::value::mask;
use crate::{BvRel, Kind, Op, Sort, Term};

impl Term {
    /// Two values are equal.
    #[allow(clippy::should_implement_trait)]
    pub fn eq(a: Term, b: Term) -> Term {
        Term::op(Op::Eq, [a, b])
    }

    /// Two values differ.
    #[allow(clippy::should_implement_trait)]
    pub fn ne(a: Term, b: Term) -> Term {
        Term::eq(a, b).not()
    }

    /// An order of two bit vectors.
    pub fn rel(rel: BvRel, a: Term, b: Term) -> Term {
        Term::op(Op::Rel(rel), [a, b])
    }

    /// One integer is at most another one.
    pub fn int_le(a: Term, b: Term) -> Term {
        Term::op(Op::IntLe, [a, b])
    }

    /// One integer is less than another one.
    pub fn int_lt(a: Term, b: Term) -> Term {
        Term::op(Op::IntLt, [a, b])
    }
}

pub(super) fn eq(a: Term, b: Term) -> Term {
    assert!(a.sort() == b.sort(), "values of sorts {} and {} are compared", a.sort(), b.sort());
    if a == b {
        return Term::truth(true);
    }
    // A constant is the second one.
    let (a, b) = if a.is_constant() || (!b.is_constant() && b < a) { (b, a) } else { (a, b) };
    if a.is_constant() {
        return Term::truth(false);
    }
    match a.sort() {
        Sort::Bool => eq_bool(a, b),
        Sort::Bits(_) | Sort::Int => eq_number(a, b),
        Sort::Array(_) | Sort::Named(_) => Term::raw(Op::Eq, [a, b]),
    }
}

fn eq_bool(a: Term, b: Term) -> Term {
    match b.as_bool() {
        Some(true) => a,
        Some(false) => a.not(),
        None if a == b.clone().not() => Term::truth(false),
        None => Term::raw(Op::Eq, [a, b]),
    }
}

fn eq_number(a: Term, b: Term) -> Term {
    if b.is_constant()
        && let Some(simple) = eq_constant(&a, &b)
    {
        return simple;
    }
    let ring = Ring::of(&a).expect("a number");
    if let Ring::Bits(_) = ring {
        let (x, y) = (a.range(), b.range());
        if x.1 < y.0 || y.1 < x.0 {
            return Term::truth(false);
        }
    }
    let is_sum =
        |term: &Term| matches!(term.as_op(), Some((op, _)) if op == ring.sum_op() || op == ring.product_op());
    if !is_sum(&a) && !is_sum(&b) {
        return Term::raw(Op::Eq, [a, b]);
    }
    let Some(difference) = Linear::of(ring, &a).plus(Linear::of(ring, &b), -1) else {
        return Term::raw(Op::Eq, [a, b]);
    };
    match sides(difference) {
        Ok((left, right)) => {
            let (left, right) = if left.is_constant() || (!right.is_constant() && right < left) {
                (right, left)
            } else {
                (left, right)
            };
            if left == right {
                return Term::truth(true);
            }
            // Once more for what got simpler, such as a single term and a constant.
            match right.is_constant().then(|| eq_constant(&left, &right)).flatten() {
                Some(simple) => simple,
                None => Term::raw(Op::Eq, [left, right]),
            }
        }
        Err(constant) => Term::truth(constant == 0),
    }
}

/// Is a sum zero? As two sides without negative factors, or as the constant that it is.
fn sides(mut sum: Linear) -> Result<(Term, Term), i128> {
    let ring = sum.ring;
    let Some((_, first)) = sum.parts.first() else { return Err(sum.constant) };
    // The sign of all can be turned; the first term is on the left.
    if *first < 0 && sum.parts.iter().all(|(_, factor)| *factor != i128::MIN) && sum.constant != i128::MIN {
        let nothing = Linear { ring, constant: 0, parts: Vec::new() };
        match nothing.plus(Linear { ring, constant: sum.constant, parts: sum.parts.clone() }, -1) {
            Some(turned) => sum = turned,
            None => return Ok((sum.term(), ring.constant(0))),
        }
    }
    let (left, right): (Vec<_>, Vec<_>) =
        sum.parts.into_iter().partition(|(_, factor)| *factor >= 0 || *factor == i128::MIN);
    let right = right.into_iter().map(|(term, factor)| (term, -factor)).collect();
    // The most negative number has no opposite: it stays.
    let (here, there) = if sum.constant == i128::MIN { (sum.constant, 0) } else { (0, -sum.constant) };
    let left = Linear { ring, constant: here, parts: left };
    Ok((left.term(), Linear { ring, constant: there, parts: right }.term()))
}

/// A term is equal to a constant.
fn eq_constant(term: &Term, constant: &Term) -> Option<Term> {
    let (op, args) = term.as_op()?;
    match op {
        Op::Ite if args[1].is_constant() && args[2].is_constant() => {
            Some(match (args[1] == *constant, args[2] == *constant) {
                (true, false) => args[0].clone(),
                (false, true) => args[0].clone().not(),
                // Both cannot be: they differ.
                _ => Term::truth(false),
            })
        }
        Op::ZeroExtend(_) => {
            let (bits, inner) = (constant.as_bits()?, args[0].width());
            Some(match bits <= mask(inner) {
                true => eq(args[0].clone(), Term::bits(bits, inner)),
                false => Term::truth(false),
            })
        }
        Op::SignExtend(_) => {
            let (bits, inner) = (constant.as_bits()?, args[0].width());
            let low = Term::bits(bits, inner);
            Some(match Term::sign_extend(term.width() - inner, low.clone()) == *constant {
                true => eq(args[0].clone(), low),
                false => Term::truth(false),
            })
        }
        Op::Concat => {
            let (bits, below) = (constant.as_bits()?, args[1].width());
            let high = Term::bits(bits >> below, args[0].width());
            Some(Term::and([eq(args[0].clone(), high), eq(args[1].clone(), Term::bits(bits, below))]))
        }
        Op::BvNot => {
            let bits = constant.as_bits()?;
            Some(eq(args[0].clone(), Term::bits(!bits, term.width())))
        }
        _ => None,
    }
}

pub(super) fn rel(rel: BvRel, a: Term, b: Term) -> Term {
    let width = a.width();
    assert!(b.width() == width, "bit vectors of widths {width} and {} are compared", b.width());
    let strict = matches!(rel, BvRel::Ult | BvRel::Slt);
    if a == b {
        return Term::truth(!strict);
    }
    let decided = match rel {
        BvRel::Ult | BvRel::Ule => decide(strict, a.range(), b.range()),
        BvRel::Slt | BvRel::Sle => decide(strict, a.signed_range(), b.signed_range()),
    };
    if let Some(value) = decided {
        return Term::truth(value);
    }
    // Numbers that were made wider by zeros.
    if let (Some((Op::ZeroExtend(x), inner)), Some((Op::ZeroExtend(y), other))) = (a.as_op(), b.as_op())
        && x == y
    {
        let unsigned = if strict { BvRel::Ult } else { BvRel::Ule };
        return self::rel(unsigned, inner[0].clone(), other[0].clone());
    }
    match (rel, a.as_bits(), b.as_bits()) {
        // Less than one, at most zero, at least the greatest.
        (BvRel::Ult, _, Some(1)) => eq(a, Term::bits(0, width)),
        (BvRel::Ule, _, Some(0)) => eq(a, b),
        (BvRel::Ult, Some(0), _) => eq(b, Term::bits(0, width)).not(),
        (BvRel::Ule, Some(bits), _) if bits == mask(width) => eq(a, b),
        _ => Term::raw(Op::Rel(rel), [a, b]),
    }
}

/// The order of two numbers from their ranges.
fn decide<N: PartialOrd>(strict: bool, a: (N, N), b: (N, N)) -> Option<bool> {
    if strict {
        if a.1 < b.0 { Some(true) } else { (a.0 >= b.1).then_some(false) }
    } else if a.1 <= b.0 {
        Some(true)
    } else {
        (a.0 > b.1).then_some(false)
    }
}

/// An order of integers: the difference decides if it is a constant, and what both sides have goes.
pub(super) fn int_rel(strict: bool, a: Term, b: Term) -> Term {
    assert!(*a.sort() == Sort::Int && *b.sort() == Sort::Int, "an order of other sorts");
    let op = if strict { Op::IntLt } else { Op::IntLe };
    let is_plain = |term: &Term| matches!(term.kind(), Kind::Var(_) | Kind::Call(_) | Kind::Int(_));
    if a == b {
        return Term::truth(!strict);
    }
    if is_plain(&a) && is_plain(&b) {
        return Term::raw(op, [a, b]);
    }
    let Some(difference) = Linear::of(Ring::Int, &a).plus(Linear::of(Ring::Int, &b), -1) else {
        return Term::raw(op, [a, b]);
    };
    if difference.parts.is_empty() {
        return Term::truth(if strict { difference.constant < 0 } else { difference.constant <= 0 });
    }
    let (left, right): (Vec<_>, Vec<_>) =
        difference.parts.into_iter().partition(|(_, factor)| *factor >= 0 || *factor == i128::MIN);
    let right = right.into_iter().map(|(term, factor)| (term, -factor)).collect();
    let (here, there) =
        if difference.constant == i128::MIN { (difference.constant, 0) } else { (0, -difference.constant) };
    let left = Linear { ring: Ring::Int, constant: here, parts: left };
    let right = Linear { ring: Ring::Int, constant: there, parts: right };
    Term::raw(op, [left.term(), right.term()])
}
