//! What numbers were computed of: computed again of the same numbers they are the same.
//!
//! `bucket[key % size]` is read, and later written at an index that is computed anew, perhaps in a function: only if both indices are
//! one number is the element that is written the one that was read. Terms are kept only where arrays are taken apart
//! ([`State::rows`]), and not past the head of a loop.

use crate::graph::{Def, State, SymId, Val};
use crate::number::bits;
use heapproof_ir::BinOp;
use heapproof_numbers::Relation;
use std::collections::BTreeSet;

/// More terms than these are not kept; the oldest are forgotten.
const MOST_TERMS: usize = 24;

/// How a number is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Of two numbers of a width.
    Binary(BinOp, u8),
    /// The product of two whole numbers, which fits 64 bits. Its operands are symbols.
    Product,
    /// A change of width, perhaps with the sign.
    Resize {
        /// The width before.
        from: u8,
        /// The width after.
        to: u8,
        /// The sign is kept.
        sign: bool,
    },
}

impl Operation {
    /// A number for each operation.
    pub fn code(self) -> [u64; 3] {
        match self {
            Operation::Binary(op, width) => [0, op as u64, u64::from(width)],
            Operation::Product => [3, 0, 0],
            Operation::Resize { from, to, sign } => [1 + u64::from(sign), u64::from(from), u64::from(to)],
        }
    }

    /// The width of what goes in.
    #[cfg(test)]
    pub fn width_before(self) -> u8 {
        match self {
            Operation::Binary(_, width) | Operation::Resize { from: width, .. } => width,
            Operation::Product => 64,
        }
    }

    /// What comes out of numbers, as bits; none if that is not defined.
    #[cfg(test)]
    pub fn apply(self, a: u128, b: u128) -> Option<u128> {
        use heapproof_ir::{mask, sign_extend};
        let (a, b) = (a & mask(self.width_before()), b & mask(self.width_before()));
        let result = match self {
            Operation::Binary(op, width) => crate::number::compute(op, width, a, b)?,
            Operation::Product => sign_extend(a, 64).checked_mul(sign_extend(b, 64))? as u128,
            Operation::Resize { from, sign: true, .. } => sign_extend(a, from) as u128,
            Operation::Resize { .. } => a,
        };
        Some(result & mask(self.width()))
    }

    /// The width of what comes out.
    pub fn width(self) -> u8 {
        match self {
            Operation::Binary(_, width) | Operation::Resize { to: width, .. } => width,
            Operation::Product => 64,
        }
    }
}

/// A number with what it was computed of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// How.
    pub op: Operation,
    /// The operands; zero where there is only one.
    pub of: [Val; 2],
    /// What comes out: a number that is known, or a symbol.
    pub result: Val,
}

impl Term {
    /// The symbols among the operands.
    pub fn sources(&self) -> impl Iterator<Item = SymId> + use<> {
        self.of.into_iter().filter_map(symbol)
    }

    /// All symbols of it.
    pub fn symbols(&self) -> impl Iterator<Item = SymId> + use<> {
        self.sources().chain(symbol(self.result))
    }

    /// The same with other values.
    pub fn renamed(&self, value: impl Fn(Val) -> Val) -> Term {
        Term { op: self.op, of: self.of.map(&value), result: value(self.result) }
    }
}

impl Term {
    /// True for products of whole numbers.
    pub fn is_product(&self) -> bool {
        self.op == Operation::Product
    }

    /// Which of its parts are symbols.
    pub fn kinds(&self) -> [bool; 3] {
        [self.of[0], self.of[1], self.result].map(|val| symbol(val).is_some())
    }
}

fn symbol(val: Val) -> Option<SymId> {
    match val {
        Val::Sym(id) => Some(id),
        _ => None,
    }
}

impl State {
    /// A number that is computed: the same as before if it was computed before.
    pub fn once(&mut self, op: Operation, of: [Val; 2], compute: impl FnOnce(&mut State) -> Val) -> Val {
        if !self.rows {
            return compute(self);
        }
        let same = |term: &&Term| term.op == op && (term.of == of || fault!(102) && term.of[0] == of[0]);
        let is_there = |term: &&Term| symbol(term.result).is_none_or(|id| self.syms.contains_key(&id));
        if let Some(term) = self.terms.iter().filter(same).find(is_there) {
            return term.result;
        }
        let val = compute(self);
        // A shift by too much gives another number each time.
        let definite = match (op, of[1]) {
            (Operation::Binary(BinOp::Shl | BinOp::LShr | BinOp::AShr, width), by) => {
                matches!(by, Val::Int(by) if by < u128::from(width))
            }
            _ => true,
        };
        let shared = |id: SymId| self.syms.get(&id).is_some_and(|sym| sym.level == 0);
        let numbers = of.iter().all(|val| match val {
            Val::Int(_) => true,
            Val::Sym(id) => shared(*id) && self.is_number(*val),
            Val::Addr(_) | Val::Func(_) => false,
        });
        // What has a definition is found again by it.
        let new = symbol(val).is_some_and(|id| self.syms[&id].def == Def::Free);
        if new && definite && numbers {
            self.terms.push(Term { op, of, result: val });
            if self.terms.len() > MOST_TERMS {
                self.terms.remove(0);
            }
        }
        val
    }

    /// The symbols of the terms that can be computed of symbols that are used, and of which such symbols were computed.
    pub fn syms_of_terms(&self, used: &BTreeSet<SymId>) -> BTreeSet<SymId> {
        let (mut from, mut to) = (used.clone(), used.clone());
        // An equality may say which number it is.
        let results = self.terms.iter().filter_map(|term| symbol(term.result));
        to.extend(results.filter(|id| self.is_tied(*id, used)));
        let leads = |to: &BTreeSet<SymId>, term: &Term| symbol(term.result).is_none_or(|id| to.contains(&id));
        loop {
            let before = from.len() + to.len();
            for term in &self.terms {
                if term.sources().all(|id| from.contains(&id)) {
                    from.extend(symbol(term.result));
                }
                if leads(&to, term) {
                    to.extend(term.sources());
                }
            }
            for (&id, sym) in &self.syms {
                let plain = !matches!(sym.def, Def::Free | Def::At(..));
                if plain && sym.sources().all(|id| from.contains(&id)) {
                    from.insert(id);
                }
                if plain && to.contains(&id) {
                    to.extend(sym.sources());
                }
            }
            if from.len() + to.len() == before {
                break;
            }
        }
        let lies_between = |term: &&Term| term.sources().all(|id| from.contains(&id)) && leads(&to, term);
        self.terms.iter().filter(lies_between).flat_map(|term| term.symbols()).collect()
    }

    /// True if an equality ties a symbol to others that are used.
    fn is_tied(&self, id: SymId, used: &BTreeSet<SymId>) -> bool {
        self.relations.constraints().filter(|c| c.relation() == Relation::Zero).any(|c| {
            let form = c.form();
            form.factor(id) != 0 && form.factors().all(|(other, _)| other == id || used.contains(&other))
        })
    }

    /// Forgets the terms of symbols that are not used.
    pub fn keep_terms(&mut self, used: &BTreeSet<SymId>) {
        self.terms.retain(|term| term.symbols().all(|id| used.contains(&id)));
    }

    /// What comes out of a term is a known number if it can be only one.
    pub fn settle_terms(&mut self) {
        if self.terms.is_empty() {
            return;
        }
        self.settle_products();
        let known = |state: &State, term: &Term| match term.result {
            Val::Sym(id) => {
                let width = state.syms.get(&id).map_or(0, |sym| sym.width);
                let range = state.range(term.result, width);
                let one = width > 0 && range.lo == range.hi;
                if one { Val::Int(bits(range.lo, term.op.width())) } else { term.result }
            }
            other => other,
        };
        let results: Vec<Val> = self.terms.iter().map(|term| known(self, term)).collect();
        for (term, result) in self.terms.iter_mut().zip(results) {
            term.result = result;
        }
        self.keep_products();
    }
}
