//! Engine `templates`: invariants by templates over one formula (paper: Template-Based Verification of Heap-Manipulating Programs).
//!
//! The program becomes a formula in static single assignment form ([`ssa`], made by [`build`]); what holds at loops is found by
//! strategy iteration over templates ([`strategy`], [`domain`], [`choose`]); what must hold is then asked ([`prove`]).

mod build;
mod calls;
mod choose;
mod domain;
mod inst;
mod memory;
mod options;
mod plan;
mod prove;
mod report;
mod ssa;
mod state;
mod strategy;
mod unwind;
mod value;

use heapproof_engine::{Budget, Engine, Findings, Progress, Scope, Task};
use heapproof_verdict::Property;
use std::path::PathBuf;

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
