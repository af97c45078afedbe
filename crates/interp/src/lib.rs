//! Runs a program concretely, byte by byte, and stops at the first violation.
//!
//! This is the reference semantics: counterexamples are replayed on it, engines are tested against it.

mod api;

pub use api::{InputRecord, Inputs, Options, Outcome, Request, Run, Source, Stop, run};
