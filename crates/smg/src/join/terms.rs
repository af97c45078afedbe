//! Join of what numbers were computed of: what both sides computed of the same numbers.

use super::{Joiner, Lift, Place};
use crate::graph::{State, Val};
use crate::terms::Term;
use std::collections::BTreeSet;

impl Joiner<'_> {
    /// The terms of both sides. A side with others says more than the result.
    pub(super) fn terms(&mut self) {
        let (left, right) = (self.left.state, self.right.state);
        let (mut mine, mut theirs) = (0, BTreeSet::new());
        let (own, others) = (without_products(left), without_products(right));
        for term in &own {
            let index = others.iter().position(|other| self.are_one(term, other));
            let Some(index) = index.or((fault!(105) && !others.is_empty()).then_some(0)) else { continue };
            let other = others[index];
            let of = [0, 1].map(|at| self.joined_operand(term.of[at], other.of[at]));
            let place = Place { lift: Lift::NONE, level: 0, width: term.op.width() };
            let result = match (term.result, other.result) {
                (Val::Int(x), Val::Int(y)) if x == y => term.result,
                (x, y) => self.join_numbers(x, y, place),
            };
            let shared = !matches!(result, Val::Sym(id) if self.out.syms[&id].level > 0);
            if let ([Some(a), Some(b)], true) = (of, shared) {
                self.out.terms.push(Term { op: term.op, of: [a, b], result });
                mine += 1;
                theirs.insert(index);
            }
        }
        self.left.keeps &= mine == own.len();
        self.right.keeps &= theirs.len() == others.len();
    }

    /// True if two terms are the same operation on numbers that are one in the result.
    fn are_one(&self, a: &Term, b: &Term) -> bool {
        a.op == b.op && (0..2).all(|at| self.joined_operand(a.of[at], b.of[at]).is_some())
    }

    /// The number of the result that two operands are.
    fn joined_operand(&self, a: Val, b: Val) -> Option<Val> {
        if let (Val::Int(x), Val::Int(y)) = (a, b) {
            return (x == y).then_some(a);
        }
        let width =
            [(self.left.state, a), (self.right.state, b)].into_iter().find_map(|(state, val)| match val {
                Val::Sym(id) => Some(state.syms[&id].width),
                _ => None,
            });
        let joined = self.numbers.get(&(a, b, width?)).copied()?;
        matches!(joined, Val::Sym(id) if self.out.syms[&id].level == 0).then_some(joined)
    }
}

/// The terms that are no products: these are joined on their own.
fn without_products(state: &State) -> Vec<Term> {
    state.terms.iter().filter(|term| !term.is_product()).copied().collect()
}
