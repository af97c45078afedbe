//! Runs a program concretely, byte by byte, and stops at the first violation.
//!
//! This is the reference semantics: counterexamples are replayed on it, engines are tested against it.

mod api;
mod calls;
mod choice;
mod exec;
mod fault;
mod feedback;
pub mod float;
mod handover;
mod jump;
mod leaks;
mod literals;
mod machine;
mod memory;
mod mend;
mod models;
mod page;
mod quick;
mod run;
mod snapshot;
pub mod state;
mod trace;
mod value;
mod varargs;

pub use api::{
    Choice, InputRecord, Inputs, Options, Outcome, Request, Run, Source, Stop, run, run_observed,
    run_with_feedback,
};
pub use feedback::{Comparison, Feedback, Texts};
pub use snapshot::{Kind, Object, ObjectId, Observer, Piece, Scalar, Snapshot, Waiting};
pub use state::{Lazy, run_from, run_from_observed, run_lazily};
