//! Combinators: domains made of domains.

use crate::domain::{Bound, Domain, Expr, Owner, Side};
use heapproof_logic::{Model, Term};
use std::collections::BTreeSet;

/// A domain that claims something only where a condition holds: guarded rows, and the members of a power domain.
pub struct Guarded {
    /// The condition.
    pub when: Expr,
    /// What is claimed then.
    pub inner: Box<dyn Domain>,
}

impl Domain for Guarded {
    fn exprs(&self) -> Vec<&Expr> {
        let mut all = self.inner.exprs();
        all.push(&self.when);
        all
    }

    fn claim(&self, side: Side) -> Option<Term> {
        self.inner.claim(side).map(|claim| Term::implies(self.when.at(side).clone(), claim))
    }

    fn join(&mut self, model: &Model) {
        if model.satisfies(&self.when.end) {
            self.inner.join(model);
        }
    }

    fn give_up(&mut self) {
        self.inner.give_up();
    }

    fn describe(&self) -> String {
        let inner = self.inner.describe();
        if inner.is_empty() { inner } else { format!("{} ==> {inner}", self.when.name) }
    }

    fn bound(&mut self) -> Option<&mut Bound> {
        self.inner.bound()
    }

    fn when(&self, side: Side) -> Term {
        Term::and([self.when.at(side).clone(), self.inner.when(side)])
    }
}

/// A domain that speaks about some witnesses only, though its expressions name pointers: `p` leads to this witness, say.
pub struct Owned {
    /// The witnesses.
    pub owners: BTreeSet<Owner>,
    /// What is claimed.
    pub inner: Box<dyn Domain>,
}

impl Domain for Owned {
    fn exprs(&self) -> Vec<&Expr> {
        self.inner.exprs()
    }

    fn claim(&self, side: Side) -> Option<Term> {
        self.inner.claim(side)
    }

    fn join(&mut self, model: &Model) {
        self.inner.join(model);
    }

    fn give_up(&mut self) {
        self.inner.give_up();
    }

    fn describe(&self) -> String {
        self.inner.describe()
    }

    fn bound(&mut self) -> Option<&mut Bound> {
        self.inner.bound()
    }

    fn owners(&self) -> Option<&BTreeSet<Owner>> {
        Some(&self.owners)
    }

    fn when(&self, side: Side) -> Term {
        self.inner.when(side)
    }
}
