//! Quotients by constants: the same number divided twice gives one symbol, and a quotient is remembered as long as it says that others
//! are so many apart.
//!
//! `q = a / c` is known by `c * q <= a <= c * q + c - 1`. Between rational numbers two such `q` differ; as whole numbers they are the same.

use crate::graph::{Def, State, SymId, Val};
use crate::number::Range;
use crate::relation::Form;
use heapproof_ir::CmpOp;
use heapproof_numbers::{Constraint, Linear, Relation};
use std::collections::{BTreeMap, BTreeSet};

/// So many quotients are remembered for what they say of others.
const MOST_KEPT: usize = 4;

/// So many pairs are looked at for being the same.
const MOST_PAIRS: usize = 8;

impl State {
    /// `a / by` rounded down, which lies in a range: the quotient that is known already, or a new one.
    pub fn quotient(&mut self, a: Val, by: i128, range: Range, width: u8) -> Val {
        if let Some(known) = self.known_quotient(a, by, width) {
            return Val::Sym(known);
        }
        let quotient = self.derived(width, range, Def::Free);
        self.note_quotient(quotient, a, by, width);
        quotient
    }

    /// A symbol that is surely the quotient of a number.
    fn known_quotient(&self, a: Val, by: i128, width: u8) -> Option<SymId> {
        let whole = self.form(a, width).filter(|form| !form.is_constant())?;
        let speaks = |constraint: &&Constraint<SymId>| {
            whole.factors().any(|(id, _)| constraint.form().factor(id) != 0)
        };
        let mut candidates = BTreeSet::new();
        for constraint in self.relations.constraints().filter(speaks) {
            let divided =
                |(id, factor): (SymId, i128)| (factor.abs() == by && whole.factor(id) == 0).then_some(id);
            candidates.extend(constraint.form().factors().filter_map(divided));
        }
        candidates.into_iter().find(|id| {
            let sym = &self.syms[id];
            sym.width == width && sym.level == 0 && self.is_quotient(*id, &whole, by)
        })
    }

    fn is_quotient(&self, id: SymId, whole: &Form, by: i128) -> bool {
        let Some(product) = Linear::dimension(id).times(by) else { return false };
        let rest = if fault!(94) { -by } else { 1 - by };
        self.is_at_most(&product, whole, 0) && self.is_at_most(whole, &product, rest)
    }

    /// Finds quotients that are surely the same number, where relations of two origins come together.
    pub fn unify_quotients(&mut self) {
        for (a, b) in self.alike_quotients() {
            let (a, b) = (Linear::dimension(a), Linear::dimension(b));
            let apart = a.plus(&b, -1).and_then(|apart| self.bounds(&apart));
            if apart == Some(Range::one(0)) {
                self.assume_forms(CmpOp::Eq, &a, &b);
            }
        }
    }

    /// Pairs of symbols that are related to a third one in the same way.
    fn alike_quotients(&self) -> Vec<(SymId, SymId)> {
        let mut known: BTreeMap<(i128, SymId, i128), Vec<SymId>> = BTreeMap::new();
        for constraint in self.relations.constraints() {
            let factors: Vec<(SymId, i128)> = constraint.form().factors().collect();
            for &(id, factor) in factors.iter().filter(|(_, factor)| factor.abs() > 1) {
                for &(other, by) in factors.iter().filter(|(other, _)| *other != id) {
                    let alike = known.entry((factor.abs(), other, by.abs())).or_default();
                    if !alike.contains(&id) {
                        alike.push(id);
                    }
                }
            }
        }
        let pairs = known.values().flat_map(|ids| ids.windows(2).map(|pair| (pair[0], pair[1])));
        pairs.take(MOST_PAIRS).collect()
    }

    /// Symbols that are used nowhere, but without which it would be forgotten that a number is a multiple of a constant.
    pub fn divisors(&self, used: &BTreeSet<SymId>) -> Vec<SymId> {
        let divisor = |constraint: &Constraint<SymId>| {
            if constraint.relation() != Relation::Zero {
                return None;
            }
            let mut others = constraint.form().factors().filter(|(id, _)| !used.contains(id));
            match (others.next(), others.next()) {
                // What is as far from a number that is used needs no name of its own.
                (Some((id, factor)), None) if factor.abs() > 1 && !self.is_next_to(id, used) => Some(id),
                _ => None,
            }
        };
        self.relations.constraints().filter_map(divisor).take(MOST_KEPT).collect()
    }

    /// True if an equality says how far a symbol is from one that is used.
    fn is_next_to(&self, id: SymId, used: &BTreeSet<SymId>) -> bool {
        self.relations.constraints().filter(|c| c.relation() == Relation::Zero).any(|c| {
            let factors: Vec<(SymId, i128)> = c.form().factors().collect();
            let other = |(symbol, factor): &(SymId, i128)| {
                *symbol != id && used.contains(symbol) && factor.abs() == 1
            };
            factors.len() == 2 && c.form().factor(id).abs() == 1 && factors.iter().any(other)
        })
    }
}
