//! Combinators: domains made of domains.

use crate::domain::{Bound, Domain, Expr, Owner, Parameters, Side};
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

    fn parameters(&self) -> Option<Parameters> {
        self.inner.parameters()
    }

    fn adopt(&mut self, parameters: &Parameters) {
        self.inner.adopt(parameters);
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

    fn parameters(&self) -> Option<Parameters> {
        self.inner.parameters()
    }

    fn adopt(&mut self, parameters: &Parameters) {
        self.inner.adopt(parameters);
    }

    fn owners(&self) -> Option<&BTreeSet<Owner>> {
        Some(&self.owners)
    }

    fn when(&self, side: Side) -> Term {
        self.inner.when(side)
    }
}

/// One domain about any witnesses of an allocation: the same claim for each way to choose them. What is found for the first choice holds for
/// all, because it is any.
pub struct Alike {
    /// The claim for each choice.
    pub choices: Vec<Box<dyn Domain>>,
}

impl Alike {
    fn spread(&mut self) {
        let Some((first, others)) = self.choices.split_first_mut() else { return };
        match first.parameters() {
            Some(parameters) => others.iter_mut().for_each(|other| other.adopt(&parameters)),
            None => others.iter_mut().for_each(|other| other.give_up()),
        }
    }
}

impl Domain for Alike {
    fn exprs(&self) -> Vec<&Expr> {
        self.choices.iter().flat_map(|choice| choice.exprs()).collect()
    }

    fn claim(&self, side: Side) -> Option<Term> {
        match side {
            Side::Back => {
                let claims: Vec<Term> = self.choices.iter().filter_map(|choice| choice.claim(side)).collect();
                (!claims.is_empty()).then(|| Term::and(claims))
            }
            Side::End => self.choices.first()?.claim(side),
        }
    }

    fn join(&mut self, model: &Model) {
        if let Some(first) = self.choices.first_mut() {
            first.join(model);
        }
        self.spread();
    }

    fn give_up(&mut self) {
        self.choices.iter_mut().for_each(|choice| choice.give_up());
    }

    fn describe(&self) -> String {
        self.choices.first().map(|first| first.describe()).unwrap_or_default()
    }

    fn owners(&self) -> Option<&BTreeSet<Owner>> {
        self.choices.first()?.owners()
    }
}
