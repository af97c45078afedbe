//! Terms over bit vectors and the solvers that decide them.
//!
//! Solvers are processes that speak SMT-LIB over a pipe. This crate knows neither programs nor heaps.

mod smtlib;
mod solver;
mod term;

pub use smtlib::Process;
pub use solver::{Answer, Error, Model, Solver};
pub use term::{BvOp, BvRel, Term, Var};

#[cfg(test)]
mod tests;
