//! What an engine may spend, and who hears of how it goes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What an engine may spend. Work is counted, so that equal input gives equal answers; the clock only ends things.
#[derive(Clone, Debug)]
pub struct Budget {
    /// When everything has to be done.
    pub deadline: Option<Instant>,
    /// The most states of a symbolic analysis.
    pub states: u64,
    /// The most concrete executions.
    pub executions: u64,
    /// The most steps of all concrete executions together.
    pub steps: u64,
    /// The most bytes of memory of one concrete execution.
    pub memory: u64,
    /// Set by whoever no longer waits.
    pub cancelled: Arc<AtomicBool>,
}

/// Which part of a budget is spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    /// The time is up.
    Time,
    /// Nobody waits any longer.
    Cancelled,
}

impl Budget {
    /// Some eighths of the time that is left, and all of the rest.
    pub fn eighths(&self, eighths: u32) -> Budget {
        let now = Instant::now();
        let part = |deadline: Instant| {
            let left: Duration = deadline.saturating_duration_since(now);
            now + left * eighths / 8
        };
        Budget { deadline: self.deadline.map(part), ..self.clone() }
    }

    /// At most so many states.
    pub fn with_states(self, states: u64) -> Budget {
        Budget { states: self.states.min(states), ..self }
    }

    /// At most so many executions.
    pub fn with_executions(self, executions: u64) -> Budget {
        Budget { executions: self.executions.min(executions), ..self }
    }

    /// At most so many steps.
    pub fn with_steps(self, steps: u64) -> Budget {
        Budget { steps: self.steps.min(steps), ..self }
    }

    /// Says whether there is time left.
    pub fn check(&self) -> Result<(), Exhausted> {
        if self.cancelled.load(Ordering::Relaxed) {
            return Err(Exhausted::Cancelled);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Exhausted::Time),
            _ => Ok(()),
        }
    }
}

/// Hears of how the work goes.
pub trait Progress: Sync {
    /// A new phase begins.
    fn enter(&self, phase: &'static str);

    /// One more execution, of so many steps, was done.
    fn executed(&self, steps: u64);
}

/// Nobody listens.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn enter(&self, _: &'static str) {}

    fn executed(&self, _: u64) {}
}
