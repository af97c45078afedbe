//! Symbolic execution over separated heaps: finds and confirms errors, and proves programs that have few paths.
//!
//! The engine of *A Separation Logic CPA for Memory Safety* (chapters 3 to 7). A state is a pure formula, a stack and a
//! heap of separated segments; programs are executed on it path by path. Whoever finds an error asks a solver for inputs
//! that lead to it, and the interpreter shows it. If all paths were followed to their end, what was not found is not there.

mod access;
mod arith;
mod call;
mod deref;
mod engine;
mod exec;
mod halt;
mod heap;
mod jump;
mod leaks;
mod library;
mod merge;
mod models;
mod oracle;
mod paths;
mod pure;
mod search;
mod spatial;
mod state;
mod steer;
mod step;
mod strings;
mod value;

pub use deref::{Deref, UnknownDeref};
pub use engine::Symheap;
pub use oracle::SolverSettings;
pub use paths::Paths;
pub use spatial::{Abduced, Part, Spatial};
