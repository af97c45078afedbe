//! heapproof: verifies that C programs use memory correctly.
//!
//! The library behind the command line: [`check::check`] answers whether a program has a property,
//! [`vector`] holds the inputs of a concrete execution, [`cli`] is the program itself.

pub mod check;
pub mod cli;
pub mod engines;
pub mod progress;
pub mod vector;
pub mod watch;
