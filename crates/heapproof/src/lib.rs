//! heapproof: verifies that C programs use memory correctly.
//!
//! The library behind the command line: [`check::check`] answers whether a program has a property,
//! [`portfolio`] says which engines do it, [`cli`] is the program itself.

pub mod at_exit;
pub mod bounds;
pub mod check;
pub mod cli;
pub mod engines;
pub mod film;
pub mod library;
pub mod portfolio;
pub mod progress;
pub mod project;
pub mod reasons;
pub mod watch;
pub mod witness;
