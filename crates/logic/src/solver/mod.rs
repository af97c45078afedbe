//! What a solver does: decide whether conditions can hold together, with which values, or which of them cannot.

mod config;
pub(crate) mod dump;
mod pipe;
mod process;

pub use config::{Config, Dialect, Limits};
pub use process::Process;

use crate::{Model, Term};
use std::time::Duration;

/// What a solver says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The conditions hold together in some model.
    Sat,
    /// They hold together in none.
    Unsat,
    /// It gave up.
    Unknown(Reason),
}

/// Why a solver gave up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// The time for one question is over.
    #[error("the time for one question is over")]
    Time,
    /// The steps for one question are used up.
    #[error("the steps for one question are used up")]
    Steps,
    /// It needs more memory than it may have.
    #[error("more memory is needed")]
    Memory,
    /// It cannot decide it, and says why.
    #[error("the solver cannot decide it: {0}")]
    Incomplete(String),
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The program cannot be started.
    #[error("the solver `{program}` cannot be started: {why}")]
    Start {
        /// The command.
        program: String,
        /// What the system said.
        why: String,
    },
    /// The program is no solver that is known to work.
    #[error("the solver `{program}` has version {version}; {needed} or later is needed")]
    Version {
        /// The command.
        program: String,
        /// What it said.
        version: String,
        /// What would do.
        needed: &'static str,
    },
    /// It ended.
    #[error("the solver `{program}` ended{how}")]
    Died {
        /// The command.
        program: String,
        /// With which status or signal.
        how: String,
    },
    /// It says nothing, long after the time for a question.
    #[error("the solver `{program}` does not answer")]
    Silent {
        /// The command.
        program: String,
    },
    /// It writes without end.
    #[error("the solver `{program}` writes without end")]
    Flood {
        /// The command.
        program: String,
    },
    /// It says something that is no answer.
    #[error("the solver `{program}` answered `{text}`")]
    Garbage {
        /// The command.
        program: String,
        /// What it said, shortened.
        text: String,
    },
    /// It does not take a command.
    #[error("the solver `{program}` refused a command: {message}")]
    Refused {
        /// The command.
        program: String,
        /// What it said, shortened.
        message: String,
    },
    /// Its model does not satisfy what was asked.
    #[error("the model of the solver `{program}` does not satisfy `{condition}`")]
    WrongModel {
        /// The command.
        program: String,
        /// The condition, shortened.
        condition: String,
    },
    /// A model or a core was asked for that no answer gave.
    #[error("there is no answer to ask about")]
    NoAnswer,
}

/// What a solver was asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Questions that went to the solver.
    pub calls: u64,
    /// Questions that needed none.
    pub trivial: u64,
    /// Answers that the conditions hold together.
    pub sat: u64,
    /// Answers that they do not.
    pub unsat: u64,
    /// Questions on which the solver gave up.
    pub unknown: u64,
    /// Questions without any answer.
    pub failures: u64,
    /// How often the program was started.
    pub starts: u64,
    /// Time in the solver, over all questions.
    pub time: Duration,
}

impl Statistics {
    /// One more question went to the solver.
    pub(crate) fn note(&mut self, answer: &Result<Answer, Failure>, elapsed: Duration) {
        self.calls += 1;
        self.time += elapsed;
        match answer {
            Ok(Answer::Sat) => self.sat += 1,
            Ok(Answer::Unsat) => self.unsat += 1,
            Ok(Answer::Unknown(_)) => self.unknown += 1,
            Err(_) => self.failures += 1,
        }
    }
}

/// What came out of a question with all it needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Solved {
    /// The conditions hold in this model.
    Sat(Model),
    /// They do not hold together.
    Unsat,
    /// It gave up.
    Unknown(Reason),
}

/// Decides conditions that come and go.
///
/// A failure is never an answer. After one the solver can be asked again; what was asserted is kept.
pub trait Solver: Send {
    /// Conditions from here on can be taken back.
    fn push(&mut self);

    /// Takes back the conditions since the last `push`.
    ///
    /// # Panics
    /// If there was none.
    fn pop(&mut self);

    /// A condition from now on.
    fn assert(&mut self, condition: &Term);

    /// Can all conditions and the assumptions hold together? The assumptions count for this question only.
    fn check(&mut self, assumptions: &[Term]) -> Result<Answer, Failure>;

    /// The model of the last question, if it was `Sat`.
    fn model(&mut self) -> Result<Model, Failure>;

    /// Assumptions of the last question that are enough for its answer, if it was `Unsat`.
    fn core(&mut self) -> Result<Vec<Term>, Failure>;

    /// Limits of each question from now on.
    fn set_limits(&mut self, limits: Limits);

    /// What was asked so far.
    fn statistics(&self) -> &Statistics;

    /// Can all conditions so far and the given ones hold together, and in which model?
    fn solve(&mut self, conditions: &[Term]) -> Result<Solved, Failure> {
        self.push();
        conditions.iter().for_each(|condition| self.assert(condition));
        let solved = match self.check(&[]) {
            Ok(Answer::Sat) => self.model().map(Solved::Sat),
            Ok(Answer::Unsat) => Ok(Solved::Unsat),
            Ok(Answer::Unknown(reason)) => Ok(Solved::Unknown(reason)),
            Err(why) => Err(why),
        };
        self.pop();
        solved
    }
}
