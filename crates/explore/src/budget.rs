//! What an exploration may spend: states, time, and the patience of whoever waits for it.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// A limit that explorations share.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// When to give up.
    pub deadline: Option<Instant>,
    /// The most states that are executed; merges count as well, for less.
    pub most: Option<u64>,
    /// Set from outside to end the exploration.
    pub cancelled: Option<Arc<AtomicBool>>,
    spent: Cell<u64>,
    merges: Cell<u64>,
}

/// Why an exploration was not finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    /// The time is up.
    Time,
    /// So many states were executed.
    States(u64),
    /// Someone ended it.
    Cancelled,
}

impl Budget {
    /// A budget of time and states.
    pub fn new(deadline: Option<Instant>, most: Option<u64>) -> Self {
        Budget { deadline, most, ..Budget::default() }
    }

    /// One more state is executed.
    pub fn spend(&self) -> Result<(), Exhausted> {
        self.spend_as(1)
    }

    /// One more state is executed, which is as much work as so many small ones.
    pub fn spend_as(&self, weight: u64) -> Result<(), Exhausted> {
        self.spent.set(self.spent.get() + weight);
        if let Some(most) = self.most.filter(|most| self.spent.get() > *most) {
            return Err(Exhausted::States(most));
        }
        if self.cancelled.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(Exhausted::Cancelled);
        }
        if self.deadline.is_some_and(|at| Instant::now() >= at) {
            return Err(Exhausted::Time);
        }
        Ok(())
    }

    /// Two states were merged, or stayed apart after a comparison: so many of these are as much work as a state.
    pub(crate) fn note_merge(&self) {
        const WORTH: u64 = 32;
        self.merges.set(self.merges.get() + 1);
        if self.merges.get().is_multiple_of(WORTH) {
            self.spent.set(self.spent.get() + 1);
        }
    }

    /// How many states were executed, and merges in terms of these.
    pub fn spent(&self) -> u64 {
        self.spent.get()
    }
}
