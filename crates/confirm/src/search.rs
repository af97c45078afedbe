//! The search for a path to a suspected error, as whoever confirms it sees it.

use crate::journal::Journal;
use heapproof_engine::{Environment, Place};
use heapproof_explore::{Budget, Exhausted};
use heapproof_ir::Program;
use heapproof_verdict::ErrorClass;

/// In which order paths are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Short ones first.
    Breadth,
    /// Each to its end, or up to this many blocks.
    Depth(usize),
}

/// A path on which there may be an error.
#[derive(Debug)]
pub struct Candidate<'a> {
    /// The class of the error.
    pub class: ErrorClass,
    /// Where it is.
    pub place: Place,
    /// The inputs that were read and the conditions on them.
    pub journal: &'a Journal,
}

/// Judges paths.
pub trait Judge {
    /// Looks at a possible error; true ends the search.
    fn judge(&mut self, candidate: &Candidate<'_>) -> bool;

    /// Hears what was in the way of the search.
    fn hear(&mut self, _trouble: String) {}
}

/// What is searched and how.
#[derive(Clone, Debug)]
pub struct Quest {
    /// What the program runs in and what is asked.
    pub environment: Environment,
    /// Where the error is suspected; anywhere if nothing is known.
    pub place: Option<Place>,
    /// In which order.
    pub order: Order,
    /// What may be spent.
    pub budget: Budget,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The judge is content.
    Found,
    /// All paths were followed, as far as the analysis covers the program.
    Complete,
    /// Paths were cut at the limit of their length.
    Cut,
    /// The budget is spent.
    Exhausted(Exhausted),
}

impl From<Exhausted> for End {
    fn from(why: Exhausted) -> End {
        End::Exhausted(why)
    }
}

/// Finds paths. It may leave some out, and it may be wrong about them: the replay decides.
pub trait Searcher: Sync {
    /// Follows paths until the judge is content.
    fn search(&self, program: &Program, quest: &Quest, judge: &mut dyn Judge) -> End;
}
