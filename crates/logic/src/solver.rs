//! What a solver does: decide whether some conditions can hold together, and with which values.

use crate::{Term, Var};
use std::collections::BTreeMap;

/// Values of variables under which conditions hold.
pub type Model = BTreeMap<Var, u128>;

/// What a solver says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The conditions hold together with these values.
    Sat(Model),
    /// They do not hold together.
    Unsat,
    /// It gave up.
    Unknown,
}

/// Why a solver does not answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It cannot be started.
    #[error("the solver `{program}` cannot be started: {why}")]
    Start {
        /// The command.
        program: String,
        /// What the system said.
        why: std::io::Error,
    },
    /// It ended, or said something that makes no sense.
    #[error("the solver failed: {0}")]
    Failed(#[from] std::io::Error),
    /// A value that is none.
    #[error("the solver gave `{0}` as a value")]
    Value(String),
}

/// Decides conjunctions of conditions.
pub trait Solver {
    /// Can all conditions hold together?
    fn solve(&mut self, conditions: &[Term]) -> Result<Answer, Error>;
}
