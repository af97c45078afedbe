//! Terms, what they mean, how they are simplified, and the solvers that decide them.
//!
//! - [`Term`]: bit vectors, truth values, integers, arrays, uninterpreted sorts and functions, quantifiers with
//!   triggers, separation logic. Terms are shared nodes that may cross threads; equal terms are the same node.
//!   Constructors simplify. A mistake in sorts is a mistake of the caller and panics.
//! - [`Model`]: values of variables and functions; [`Model::eval`] gives the value of a term.
//! - [`Solver`]: conditions that come and go, questions under assumptions, models, cores, limits. [`Process`] is one:
//!   z3, cvc5 (with separation logic), or any program that reads SMT-LIB from a pipe. [`Quick`] is another one: bit vectors
//!   in this process, for many small questions.
//!
//! ```
//! use heapproof_logic::{BvRel, Config, Process, Solved, Solver, Sort, Term};
//! let x = Term::var("x", Sort::Bits(32));
//! let mut solver = Process::start(Config::new("z3"))?;
//! solver.assert(&Term::rel(BvRel::Ult, x.clone(), Term::bits(2, 32)));
//! let Solved::Sat(model) = solver.solve(&[Term::ne(x.clone(), Term::bits(0, 32))])? else { panic!() };
//! assert_eq!(model.bits(&x), Some(1));
//! # Ok::<(), heapproof_logic::Failure>(())
//! ```
//!
//! This crate knows neither programs nor heaps.

mod bits;
mod build;
mod fold;
mod model;
pub mod smtlib;
mod solver;
mod term;
mod value;

pub use bits::Quick;
pub use fold::fold;
pub use model::{Meaning, Model, NoValue};
pub use solver::{Answer, Config, Dialect, Failure, Limits, Process, Reason, Solved, Solver, Statistics};
pub use term::{Binder, BvOp, BvRel, Function, Kind, MAX_WIDTH, Name, Op, Sort, Term, nodes};
pub use value::Value;

#[cfg(test)]
mod tests;
