//! Combinators: domains made of domains.

use crate::domain::{Bound, Domain, Expr, Owner, Parameters, Side};
use heapproof_logic::{Model, Term};
use std::collections::BTreeSet;

/// A domain that claims something only where a condition holds: guarded rows, and the members of a power domain.
pub struct Guarded {
    /// The condition, if there is one.
    pub when: Option<Expr>,
    /// The witnesses that it speaks about, where its expressions do not tell: `p` leads to this witness, say.
    pub owners: Option<BTreeSet<Owner>>,
    /// What is claimed then.
    pub inner: Box<dyn Domain>,
}

impl Guarded {
    /// What may be written in front of a claim at one place.
    fn condition(&self, side: Side) -> Term {
        self.when.as_ref().map_or(Term::truth(true), |when| when.at(side).clone())
    }
}

impl Domain for Guarded {
    fn exprs(&self) -> Vec<&Expr> {
        self.inner.exprs().into_iter().chain(&self.when).collect()
    }

    fn claim(&self, side: Side) -> Option<Term> {
        self.inner.claim(side).map(|claim| Term::implies(self.condition(side), claim))
    }

    fn join(&mut self, model: &Model) {
        if model.satisfies(&self.condition(Side::End)) {
            self.inner.join(model);
        }
    }

    fn give_up(&mut self) {
        self.inner.give_up();
    }

    fn describe(&self) -> String {
        let inner = self.inner.describe();
        match &self.when {
            Some(when) if !inner.is_empty() => format!("{} ==> {inner}", when.name),
            _ => inner,
        }
    }

    fn bound(&mut self) -> Option<&mut Bound> {
        self.inner.bound()
    }

    fn owners(&self) -> Option<&BTreeSet<Owner>> {
        self.owners.as_ref()
    }

    fn parameters(&self) -> Option<Parameters> {
        self.inner.parameters()
    }

    fn adopt(&mut self, parameters: &Parameters) {
        self.inner.adopt(parameters);
    }

    fn when(&self, side: Side) -> Term {
        Term::and([self.condition(side), self.inner.when(side)])
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
