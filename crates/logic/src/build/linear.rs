//! Linear normal form: a sum is a list of different terms with factors, in a fixed order, and a constant. Two sums
//! that are equal as polynomials of degree one are the same term.

use crate::value::signed;
use crate::{BvOp, Op, Sort, Term};

/// Longer sums are not taken apart to be part of another one.
const MOST_PARTS: usize = 24;

/// What numbers a sum is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ring {
    /// Bit vectors of a width; factors are written with sign.
    Bits(u8),
    /// Integers; a factor that is too large has no place.
    Int,
}

impl Ring {
    pub fn of(term: &Term) -> Option<Ring> {
        match term.sort() {
            Sort::Bits(width) => Some(Ring::Bits(*width)),
            Sort::Int => Some(Ring::Int),
            _ => None,
        }
    }

    fn add(self, a: i128, b: i128) -> Option<i128> {
        match self {
            Ring::Bits(width) => Some(signed(a.wrapping_add(b) as u128, width)),
            Ring::Int => a.checked_add(b),
        }
    }

    fn mul(self, a: i128, b: i128) -> Option<i128> {
        match self {
            Ring::Bits(width) => Some(signed(a.wrapping_mul(b) as u128, width)),
            Ring::Int => a.checked_mul(b),
        }
    }

    pub fn constant(self, number: i128) -> Term {
        match self {
            Ring::Bits(width) => Term::bits(number as u128, width),
            Ring::Int => Term::int(number),
        }
    }

    fn value(self, term: &Term) -> Option<i128> {
        match self {
            Ring::Bits(width) => term.as_bits().map(|bits| signed(bits, width)),
            Ring::Int => term.as_int(),
        }
    }

    pub fn sum_op(self) -> Op {
        match self {
            Ring::Bits(_) => Op::Bv(BvOp::Add),
            Ring::Int => Op::IntAdd,
        }
    }

    pub fn product_op(self) -> Op {
        match self {
            Ring::Bits(_) => Op::Bv(BvOp::Mul),
            Ring::Int => Op::IntMul,
        }
    }
}

/// A sum: a constant and terms with factors that are not zero, in the order of terms.
pub(super) struct Linear {
    pub ring: Ring,
    pub constant: i128,
    pub parts: Vec<(Term, i128)>,
}

impl Linear {
    /// A term as a sum.
    pub fn of(ring: Ring, term: &Term) -> Linear {
        let mut linear = Linear { ring, constant: 0, parts: Vec::new() };
        match term.args_of(ring.sum_op()) {
            Some(args) if args.len() <= MOST_PARTS => {
                // A sum that was made as it stands may have parts in any order.
                for arg in args {
                    linear.push(arg);
                }
                linear.tidy();
            }
            _ => linear.push(term),
        }
        linear
    }

    fn push(&mut self, term: &Term) {
        if let Some(number) = self.ring.value(term) {
            match self.ring.add(self.constant, number) {
                Some(sum) => self.constant = sum,
                None => self.parts.push((term.clone(), 1)),
            }
            return;
        }
        match split_product(self.ring, term) {
            Some((factor, rest)) => self.parts.push((rest, factor)),
            None => self.parts.push((term.clone(), 1)),
        }
    }

    /// Puts the parts in order and joins equal ones.
    fn tidy(&mut self) {
        if self.parts.windows(2).all(|pair| pair[0].0 < pair[1].0) {
            return;
        }
        self.parts.sort_by(|a, b| a.0.cmp(&b.0));
        let mut tidy: Vec<(Term, i128)> = Vec::with_capacity(self.parts.len());
        for (term, factor) in self.parts.drain(..) {
            match tidy.last_mut() {
                Some((last, sum)) if *last == term => match self.ring.add(*sum, factor) {
                    Some(both) => *sum = both,
                    None => tidy.push((term, factor)),
                },
                _ => tidy.push((term, factor)),
            }
        }
        tidy.retain(|(_, factor)| *factor != 0);
        self.parts = tidy;
    }

    /// This sum and another one `times` over; none if a factor gets too large.
    pub fn plus(mut self, other: Linear, times: i128) -> Option<Linear> {
        let ring = self.ring;
        self.constant = ring.add(self.constant, ring.mul(other.constant, times)?)?;
        for (term, factor) in other.parts {
            let factor = ring.mul(factor, times)?;
            match self.parts.binary_search_by(|part| part.0.cmp(&term)) {
                Ok(index) => {
                    let sum = ring.add(self.parts[index].1, factor)?;
                    if sum == 0 {
                        self.parts.remove(index);
                    } else {
                        self.parts[index].1 = sum;
                    }
                }
                Err(_) if factor == 0 => {}
                Err(index) => self.parts.insert(index, (term, factor)),
            }
        }
        Some(self)
    }

    /// The sum as a term.
    pub fn term(self) -> Term {
        let ring = self.ring;
        let mut args: Vec<Term> =
            self.parts.into_iter().map(|(term, factor)| monomial(ring, term, factor)).collect();
        if self.constant != 0 || args.is_empty() {
            args.push(ring.constant(self.constant));
        }
        if args.len() == 1 { args.remove(0) } else { Term::raw(ring.sum_op(), args) }
    }
}

/// A term times a factor that is not zero.
fn monomial(ring: Ring, term: Term, factor: i128) -> Term {
    if factor == 1 { term } else { Term::raw(ring.product_op(), [ring.constant(factor), term]) }
}

/// A product with a constant as its factor and the rest.
fn split_product(ring: Ring, term: &Term) -> Option<(i128, Term)> {
    match term.args_of(ring.product_op())? {
        [factor, rest] => match (ring.value(factor), ring.value(rest)) {
            (Some(factor), None) if factor != 0 => Some((factor, rest.clone())),
            (None, Some(factor)) if factor != 0 => Some((factor, rest_of(term, 0))),
            _ => None,
        },
        _ => None,
    }
}

fn rest_of(term: &Term, index: usize) -> Term {
    term.args()[index].clone()
}

/// A sum of two terms, the second one `times` over.
pub(super) fn sum(ring: Ring, a: &Term, b: &Term, times: i128) -> Term {
    Linear::of(ring, a).plus(Linear::of(ring, b), times).map(Linear::term).unwrap_or_else(|| {
        let scaled = monomial(ring, b.clone(), times);
        Term::raw(ring.sum_op(), [a.clone(), scaled])
    })
}

/// A product of two terms.
pub(super) fn product(ring: Ring, a: Term, b: Term) -> Term {
    let (a, b) = if ring.value(&a).is_some() { (a, b) } else { (b, a) };
    if let Some(factor) = ring.value(&a) {
        if factor == 0 {
            return ring.constant(0);
        }
        let nothing = Linear { ring, constant: 0, parts: Vec::new() };
        return match nothing.plus(Linear::of(ring, &b), factor) {
            Some(scaled) => scaled.term(),
            None => Term::raw(ring.product_op(), [a, b]),
        };
    }
    for (one, other) in [(&a, &b), (&b, &a)] {
        if let Some((factor, rest)) = split_product(ring, one) {
            return product(ring, ring.constant(factor), product(ring, rest, other.clone()));
        }
    }
    let (first, second) = if a <= b { (a, b) } else { (b, a) };
    Term::raw(ring.product_op(), [first, second])
}

/// A sum of integers.
pub(super) fn int_sum(args: Vec<Term>) -> Term {
    args.into_iter().reduce(|a, b| sum(Ring::Int, &a, &b, 1)).unwrap_or_else(|| Term::int(0))
}

/// A product of integers.
pub(super) fn int_product(args: Vec<Term>) -> Term {
    args.into_iter().reduce(|a, b| product(Ring::Int, a, b)).unwrap_or_else(|| Term::int(1))
}

/// A quotient or remainder of integers.
pub(super) fn int_division(op: Op, a: Term, b: Term) -> Term {
    match (op, b.as_int()) {
        (Op::IntDiv, Some(1)) => a,
        (Op::IntMod, Some(1)) => Term::int(0),
        _ => Term::raw(op, [a, b]),
    }
}

impl Term {
    /// The sum of two integers.
    pub fn int_add(a: Term, b: Term) -> Term {
        Term::op(Op::IntAdd, [a, b])
    }

    /// The difference of two integers.
    pub fn int_sub(a: Term, b: Term) -> Term {
        assert!(*a.sort() == Sort::Int && *b.sort() == Sort::Int, "a difference of other sorts");
        sum(Ring::Int, &a, &b, -1)
    }

    /// The product of two integers.
    pub fn int_mul(a: Term, b: Term) -> Term {
        Term::op(Op::IntMul, [a, b])
    }

    /// A term as a sum: the constant (with sign), and other terms with their factors (with sign). For an address
    /// this is its base, its scaled indexes and its offset.
    pub fn linear(&self) -> Option<(i128, Vec<(Term, i128)>)> {
        let linear = Linear::of(Ring::of(self)?, self);
        Some((linear.constant, linear.parts))
    }
}
