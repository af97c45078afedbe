//! What a proof leaves open by place: engines that each show a part of it are joined by the first violation of an execution.
//!
//! Errors of content (failed assertions, calls of the error function, divisions by zero) end an execution, and all engines agree at
//! which instruction they happen. So it can be said of each such instruction alone whether an execution's *first* violation is there.

use crate::findings::Place;
use heapproof_verdict::ErrorClass;
use std::collections::BTreeSet;

/// An error of content: of a class, at a place. One place may be reached by many calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Spot {
    /// Where.
    pub place: Place,
    /// Which.
    pub class: ErrorClass,
}

impl Spot {
    /// The spot of an error, if it is one of content.
    pub fn new(place: Place, class: ErrorClass) -> Option<Spot> {
        matches!(class, ErrorClass::AssertionFailure | ErrorClass::DivisionByZero)
            .then_some(Spot { place, class })
    }
}

/// What is left of a question: in no execution is the first violation of what is asked, or of memory, any other one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remainder {
    /// The first violation may be one of these.
    pub spots: BTreeSet<Spot>,
    /// It may be an invalid access or release as well.
    pub memory: bool,
}

impl Remainder {
    /// What two remainders leave together: a first violation has to be in both.
    pub fn meet(&self, other: &Remainder) -> Remainder {
        Remainder {
            spots: self.spots.intersection(&other.spots).copied().collect(),
            memory: self.memory && other.memory,
        }
    }
}
