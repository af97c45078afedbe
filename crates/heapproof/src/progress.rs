//! What is being done at the moment: written by the worker, shown and reported by the main thread.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// The state of the work.
#[derive(Debug, Default)]
pub struct Progress {
    phase: Mutex<&'static str>,
    executions: AtomicU64,
    steps: AtomicU64,
}

impl heapproof_engine::Progress for Progress {
    fn enter(&self, phase: &'static str) {
        *self.phase.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = phase;
    }

    fn executed(&self, steps: u64) {
        self.executions.fetch_add(1, Ordering::Relaxed);
        self.steps.fetch_add(steps, Ordering::Relaxed);
    }
}

impl Progress {
    /// Nothing done yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The present phase.
    pub fn phase(&self) -> &'static str {
        *self.phase.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Executions so far.
    pub fn executions(&self) -> u64 {
        self.executions.load(Ordering::Relaxed)
    }

    /// Steps of these executions.
    pub fn steps(&self) -> u64 {
        self.steps.load(Ordering::Relaxed)
    }

    /// In a few words.
    pub fn summary(&self) -> String {
        match (self.phase(), self.executions()) {
            ("", _) => "nothing was done yet".to_owned(),
            (phase, 0) => phase.to_owned(),
            (phase, n) => format!("{phase}, {n} executions"),
        }
    }
}
