//! Errors of content: failed assertions, calls of the error function, divisions by zero. They are told by place.
//!
//! Each of them ends an execution, and what goes on past one is followed wherever it is suspected. So an analysis that ends with no other
//! trouble has covered all executions up to such an error: their first violation is one of those that are left.

use crate::graph::{State, Val};
use crate::step::{Executor, Next, advance, assign};
use crate::trouble::{Fork, Trouble, TroubleKind};
use heapproof_engine::{Place, Spot};
use heapproof_ir::{CmpOp, Reg};
use heapproof_verdict::{ErrorClass, Property};
use std::collections::BTreeSet;

/// Where an error of content is.
fn spot(trouble: &Trouble) -> Option<Spot> {
    let TroubleKind::Suspicion(class) = trouble.kind else { return None };
    Spot::new(Place { func: trouble.func, span: trouble.span }, class)
}

/// Of several troubles of one call the one that is told. Others would be silent behind an error of content, so these come last.
pub fn worst(troubles: Vec<Trouble>) -> Option<Trouble> {
    troubles.into_iter().min_by_key(|trouble| spot(trouble).is_some())
}

/// An error of content, which leaves the executions that go on as they are; any other trouble as it is.
pub fn with_all(mut trouble: Trouble, mut others: Vec<State>) -> Trouble {
    if spot(&trouble).is_none() {
        return trouble;
    }
    others.extend(trouble.fork.take().map(|fork| fork.fine).unwrap_or_default());
    going_on(trouble, others)
}

/// True if others have shown that this is no first violation.
pub fn is_excluded(trouble: &Trouble, only: Option<&BTreeSet<Spot>>) -> bool {
    only.is_some_and(|only| spot(trouble).is_some_and(|spot| !only.contains(&spot) || fault!(92)))
}

/// The errors that are left, if all of them are errors of content.
pub fn left(troubles: &[Trouble]) -> Option<BTreeSet<Spot>> {
    let is_told = |trouble: &&Trouble| !fault!(93) || spot(trouble).is_some();
    troubles.iter().filter(is_told).map(spot).collect()
}

impl Executor<'_> {
    /// A condition that must hold. Where it does, the execution goes on.
    pub fn assertion(&self, state: &State, condition: Val) -> Next {
        let outcomes = state.compare(CmpOp::Ne, state.own_width(condition), condition, Val::ZERO);
        let (fine, failed): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(|(_, holds)| *holds);
        let fine: Vec<State> = fine.into_iter().map(|(state, _)| advance(state)).collect();
        if failed.is_empty() {
            return Ok(fine);
        }
        let error = match self.asks(Property::Assertions) {
            true => self.suspect(state, ErrorClass::AssertionFailure, "the assertion may fail"),
            false => failed.iter().try_for_each(|(state, _)| self.check_cleanup(state, false)),
        };
        error.map(|()| fine.clone()).map_err(|trouble| going_on(trouble, fine))
    }

    /// The divisor is not known to be other than zero. Where it is not, the execution goes on: with that knowledge, or with any result.
    pub fn division_by_zero(&self, state: State, dst: Reg, width: u8, divisor: Val) -> Next {
        let error = [(CmpOp::Eq, width, divisor, Val::ZERO)];
        let message = "the divisor may be zero";
        self.suspect_if(&state, ErrorClass::DivisionByZero, message, &error).map_err(|trouble: Trouble| {
            let is_followed = trouble.fork.as_ref().is_some_and(|fork| !fork.fine.is_empty());
            if is_followed || state.decide(CmpOp::Eq, width, divisor, Val::ZERO) == Some(true) {
                return trouble;
            }
            let mut any = state;
            let result = any.unknown(width);
            going_on(trouble, vec![assign(any, dst, result)])
        })
    }
}

/// Trouble on some paths, while others go on.
fn going_on(mut trouble: Trouble, fine: Vec<State>) -> Trouble {
    let fine = if fault!(91) { Vec::new() } else { fine };
    trouble.fork = Some(Box::new(Fork { fine }));
    trouble
}
