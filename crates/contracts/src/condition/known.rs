//! What is known of all members of a set, said so that it is looked at where it matters.
//!
//! `\forall T *x \in list(h, f); alloc(x) && in(x->f, list(h, f))` names a new member with every member. Looked at for every
//! member it would go on for ever: `x`, `x->f`, `x->f->f`, … So what speaks of `x->f` is looked at only for those members whose
//! content somebody else asks for.

use super::formula::{Formula, Part, View, quantified, quantified_where, triggers};
use super::words::Pointer;
use heapproof_logic::{Kind, Op, Term};
use std::collections::BTreeMap;

impl Formula<'_> {
    /// A body that holds of all members, as one quantifier for each set of contents that it speaks of.
    pub(super) fn known_of_all(&self, part: &Part, body: &Term, view: &View<'_>) -> Term {
        let [x] = part.vars.as_slice() else { return quantified(&part.vars, &part.guard, body.clone()) };
        if triggers(&part.guard, &x.parts()).is_empty() {
            return quantified(&part.vars, &part.guard, body.clone());
        }
        let (others, conjuncts) = split(body);
        let mut groups: BTreeMap<Vec<Term>, Vec<Term>> = BTreeMap::new();
        for conjunct in conjuncts {
            groups.entry(self.contents_of(&conjunct, x, view)).or_default().push(conjunct);
        }
        Term::and(groups.into_iter().map(|(occur, conjuncts)| {
            // It is looked at for a member of another set, too, if it says something about being a member of that.
            let members = conjuncts.iter().filter(|conjunct| matches!(conjunct.kind(), Kind::Call(_)));
            let also: Vec<Vec<Term>> = match occur.as_slice() {
                [] => members.flat_map(|conjunct| triggers(conjunct, &x.parts())).collect(),
                _ => Vec::new(),
            };
            let body = Term::or(others.iter().cloned().chain([Term::and(conjuncts)]));
            quantified_where(&part.vars, &part.guard, body, &occur, &also)
        }))
    }

    /// The pointers in cells of a member that a term speaks of, as terms that a trigger can name.
    fn contents_of(&self, term: &Term, x: &Pointer, view: &View<'_>) -> Vec<Term> {
        let bases = [Some(view.heap), view.old.map(|old| old.heap)].into_iter().flatten();
        let bases: Vec<_> = bases.filter_map(|heap| heap.as_base()).collect();
        let mut all = Vec::new();
        for inner in Term::dag([term]) {
            for base in &bases {
                let Some(at) = base.word.argument(&inner).and_then(|at| at.distance(x)) else { continue };
                let field = self.words.fields.iter().position(|field| field.offset == at);
                let named = match (at, field) {
                    // What is no link names no new members.
                    (_, None) => continue,
                    (0, _) => inner.clone(),
                    // No sum in a trigger: the cell is named by its field.
                    (_, Some(field)) => base.fields[field].next.call(x),
                };
                if !all.contains(&named) {
                    all.push(named);
                }
            }
        }
        all.sort();
        all
    }
}

/// A body as alternatives and a conjunction: it holds if one of the alternatives or the whole conjunction does.
fn split(body: &Term) -> (Vec<Term>, Vec<Term>) {
    match body.as_op() {
        Some((Op::And, conjuncts)) => (Vec::new(), conjuncts.to_vec()),
        Some((Op::Or, all)) => {
            let is_and = |term: &Term| matches!(term.as_op(), Some((Op::And, _)));
            // Equality of pointers is a conjunction, too: the longest one is meant.
            let longest = all.iter().filter(|term| is_and(term)).max_by_key(|term| term.args().len());
            let Some(longest) = longest.filter(|term| term.args().len() > 2) else {
                return (Vec::new(), vec![body.clone()]);
            };
            let others = all.iter().filter(|term| *term != longest).cloned().collect();
            (others, longest.args().to_vec())
        }
        _ => (Vec::new(), vec![body.clone()]),
    }
}
