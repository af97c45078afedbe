//! Engine `templates`: invariants by templates over one formula (paper: Template-Based Verification of Heap-Manipulating Programs).
//!
//! The program becomes a formula in static single assignment form ([`ssa`], made by [`build`]); what holds at loops is found by
//! strategy iteration over templates ([`strategy`], [`domain`], [`choose`]); what must hold is then asked ([`prove`]).

/// True if the deliberate fault of this number is switched on. Never without the feature `faults`, which is there to see
/// whether the tests notice.
macro_rules! fault {
    ($number:literal) => {
        cfg!(feature = "faults") && crate::FAULT.load(std::sync::atomic::Ordering::Relaxed) == $number
    };
}

mod address;
#[cfg(test)]
mod audit;
mod blocks;
mod branches;
mod build;
mod calls;
mod check;
mod choose;
mod combine;
mod domain;
mod elements;
mod equations;
mod induction;
mod inst;
mod loops;
mod memory;
mod names;
mod options;
mod plan;
mod prove;
mod report;
mod shape;
mod ssa;
mod state;
mod strategy;
mod unwind;
mod value;

pub use choose::Level;
pub use options::{Trial, Tuning};

use heapproof_engine::{Budget, Engine, Findings, Progress, Scope, Task};
use heapproof_verdict::Property;
use std::path::PathBuf;

/// The deliberate fault that is switched on, with the feature `faults`; 0 for none.
pub static FAULT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);

/// The engine.
#[derive(Clone, Debug)]
pub struct Templates {
    /// The solver to start.
    pub solver: String,
    /// Every question to it is written to a file here.
    pub dump_queries: Option<PathBuf>,
    /// Show the invariants.
    pub draw: bool,
    /// Show the formula.
    pub dump: bool,
    /// Which parts of it take part.
    pub tuning: Tuning,
}

impl Engine for Templates {
    fn name(&self) -> &'static str {
        "templates"
    }

    fn scope(&self) -> Scope {
        Scope::Program
    }

    fn proves(&self) -> &'static [Property] {
        &Property::OF_PROGRAMS
    }

    fn refutes(&self) -> &'static [Property] {
        &[]
    }

    fn run(&self, task: &Task<'_>, budget: &Budget, progress: &dyn Progress) -> Findings {
        progress.enter("proving with templates");
        prove::run(self, task, budget)
    }
}
