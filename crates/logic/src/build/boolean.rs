//! Truth values: negation, conjunction, disjunction, choice.

use crate::{BvRel, Op, Sort, Term};

/// Longer conjunctions and disjunctions are not taken apart to be part of another one: adding to a long one again and
/// again would cost the square of its length.
const MOST_FLAT: usize = 32;

impl Term {
    /// The opposite of a truth value.
    #[allow(clippy::should_implement_trait)]
    pub fn not(self) -> Term {
        not(self)
    }

    /// All of some truth values hold.
    pub fn and(terms: impl IntoIterator<Item = Term>) -> Term {
        junction(true, terms.into_iter().collect())
    }

    /// One of some truth values holds.
    pub fn or(terms: impl IntoIterator<Item = Term>) -> Term {
        junction(false, terms.into_iter().collect())
    }

    /// If one holds, the other one holds.
    pub fn implies(a: Term, b: Term) -> Term {
        Term::or([not(a), b])
    }

    /// One of two values.
    pub fn ite(condition: Term, then: Term, otherwise: Term) -> Term {
        ite(condition, then, otherwise)
    }

    /// Values differ pairwise.
    pub fn distinct(terms: impl IntoIterator<Item = Term>) -> Term {
        distinct(terms.into_iter().collect())
    }

    /// Separation logic: the heap is empty.
    pub fn sep_emp() -> Term {
        Term::raw(Op::SepEmp, [])
    }

    /// Separation logic: the heap falls into parts.
    pub fn star(parts: impl IntoIterator<Item = Term>) -> Term {
        star(parts.into_iter().collect())
    }

    /// Separation logic: with a heap of `a` added, `b` holds.
    pub fn wand(a: Term, b: Term) -> Term {
        Term::raw(Op::SepWand, [a, b])
    }

    /// Separation logic: the heap is one cell.
    pub fn points_to(address: Term, content: Term) -> Term {
        Term::raw(Op::PointsTo, [address, content])
    }
}

pub(super) fn not(term: Term) -> Term {
    if let Some(value) = term.as_bool() {
        return Term::truth(!value);
    }
    let swapped = |rel: BvRel, args: &[Term]| Term::raw(Op::Rel(rel), [args[1].clone(), args[0].clone()]);
    match term.as_op() {
        Some((Op::Not, args)) => args[0].clone(),
        Some((Op::Rel(BvRel::Ult), args)) => swapped(BvRel::Ule, args),
        Some((Op::Rel(BvRel::Ule), args)) => swapped(BvRel::Ult, args),
        Some((Op::Rel(BvRel::Slt), args)) => swapped(BvRel::Sle, args),
        Some((Op::Rel(BvRel::Sle), args)) => swapped(BvRel::Slt, args),
        Some((Op::IntLe, args)) => Term::raw(Op::IntLt, [args[1].clone(), args[0].clone()]),
        Some((Op::IntLt, args)) => Term::raw(Op::IntLe, [args[1].clone(), args[0].clone()]),
        _ => Term::raw(Op::Not, [term]),
    }
}

/// A conjunction, or a disjunction.
pub(super) fn junction(is_and: bool, terms: Vec<Term>) -> Term {
    let op = if is_and { Op::And } else { Op::Or };
    let mut flat: Vec<Term> = Vec::with_capacity(terms.len());
    for term in terms {
        assert!(*term.sort() == Sort::Bool, "no truth value: {term}");
        match (term.as_bool(), term.args_of(op)) {
            (Some(value), _) if value == is_and => {}
            (Some(_), _) => return term,
            (_, Some(args)) if args.len() <= MOST_FLAT => flat.extend_from_slice(args),
            _ => flat.push(term),
        }
    }
    flat.sort_unstable();
    flat.dedup();
    // A truth value and its opposite.
    if flat.iter().any(|term| has_opposite(term, &flat)) {
        return Term::truth(!is_and);
    }
    match flat.len() {
        0 => Term::truth(is_and),
        1 => flat.remove(0),
        _ => Term::raw(op, flat),
    }
}

/// True if a sorted list has the opposite of a term.
fn has_opposite(term: &Term, sorted: &[Term]) -> bool {
    match term.as_op() {
        Some((Op::Not, args)) => sorted.binary_search(&args[0]).is_ok(),
        Some((Op::Rel(BvRel::Ult | BvRel::Slt) | Op::IntLt, _)) => {
            sorted.binary_search(&not(term.clone())).is_ok()
        }
        _ => false,
    }
}

pub(super) fn star(terms: Vec<Term>) -> Term {
    let mut parts: Vec<Term> = Vec::with_capacity(terms.len());
    for term in terms {
        match term.args_of(Op::SepStar) {
            _ if term.args_of(Op::SepEmp).is_some() => {}
            Some(args) if args.len() <= MOST_FLAT => parts.extend_from_slice(args),
            _ => parts.push(term),
        }
    }
    match parts.len() {
        0 => Term::sep_emp(),
        1 => parts.remove(0),
        _ => Term::raw(Op::SepStar, parts),
    }
}

pub(super) fn ite(condition: Term, then: Term, otherwise: Term) -> Term {
    assert!(*condition.sort() == Sort::Bool && then.sort() == otherwise.sort(), "ite of other sorts");
    if let Some(value) = condition.as_bool() {
        return if value { then } else { otherwise };
    }
    if then == otherwise {
        return then;
    }
    if let Some(args) = condition.args_of(Op::Not) {
        return ite(args[0].clone(), otherwise, then);
    }
    // Below the same condition its outcome is known.
    let below = |term: &Term, branch: usize| {
        term.args_of(Op::Ite).filter(|args| args[0] == condition).map(|args| args[branch].clone())
    };
    if let Some(inner) = below(&then, 1) {
        return ite(condition, inner, otherwise);
    }
    if let Some(inner) = below(&otherwise, 2) {
        return ite(condition, then, inner);
    }
    match (then.as_bool(), otherwise.as_bool()) {
        (Some(true), _) => return Term::or([condition, otherwise]),
        (Some(false), _) => return Term::and([not(condition), otherwise]),
        (_, Some(true)) => return Term::or([not(condition), then]),
        (_, Some(false)) => return Term::and([condition, then]),
        _ => {}
    }
    Term::raw(Op::Ite, [condition, then, otherwise])
}

pub(super) fn distinct(mut terms: Vec<Term>) -> Term {
    terms.sort_unstable();
    let count = terms.len();
    terms.dedup();
    if terms.len() < count {
        return Term::truth(false);
    }
    if terms.iter().all(Term::is_constant) {
        return Term::truth(true);
    }
    match <[Term; 2]>::try_from(terms) {
        Ok([a, b]) => not(Term::eq(a, b)),
        Err(terms) => Term::raw(Op::Distinct, terms),
    }
}
