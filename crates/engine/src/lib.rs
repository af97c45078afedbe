//! What an engine is: a task and a budget go in, findings come out.
//!
//! Every analysis of heapproof stands behind the trait [`Engine`]. The command line and the portfolio know nothing else
//! of it. What a program runs in is one value, the [`Environment`], that every engine and the interpreter get whole.

mod access;
mod budget;
mod environment;
mod findings;
mod fork;
mod remainder;
pub mod state;
mod task;

pub use access::{Access, BadAccess, BadRelease};
pub use budget::{Budget, Exhausted, NoProgress, Progress};
pub use environment::{Environment, Resolution, Resolutions, World, model_note};
pub use findings::{Artefact, ArtefactKind, Candidate, Findings, Place, Suspicion};
pub use fork::fork;
pub use remainder::{Remainder, Spot};
pub use task::{Source, Task};

use heapproof_verdict::Property;

/// What an engine looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// A whole program, from the function that it starts at.
    Program,
    /// Functions, each on its own, with callers unknown.
    Functions,
}

/// An analysis.
pub trait Engine: Sync {
    /// The name by which users choose it.
    fn name(&self) -> &'static str;

    /// What it looks at.
    fn scope(&self) -> Scope;

    /// The elementary properties whose absence of violations it can prove.
    fn proves(&self) -> &'static [Property];

    /// The elementary properties of which it can show a violation.
    fn refutes(&self) -> &'static [Property];

    /// Does as much of the task as the budget allows.
    fn run(&self, task: &Task<'_>, budget: &Budget, progress: &dyn Progress) -> Findings;
}
