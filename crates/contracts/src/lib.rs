//! Engine `contracts`: annotated C, function by function, with the low-level reachability predicate.
//!
//! After "A Low-Level Memory Model and an Accompanying Reachability Predicate" (Chatterjee, Lahiri, Qadeer, Rakamarić).
//! Contracts, loop invariants and ghost statements are read from comments (`annotation`) and tied to the program by
//! position (`place`); typed
//! (`typed`, `spec`); `condition` turns them and the steps of the program into terms; `execute` follows the paths between
//! cut points and asks the solver for one obligation after the other.

pub mod annotation;
mod assumed;
mod concrete;
mod condition;
mod engine;
mod execute;
mod ladder;
mod place;
mod refute;
mod sources;
mod spec;
mod typed;
mod verify;

pub use engine::Contracts;
pub use execute::{Failure, Kind, Outcome, Question};
pub use place::{Annotated, Annotations, Contract};
pub use refute::broken_state;
pub use sources::mistakes;
pub use spec::Spec;
pub use verify::{Checked, check};

#[cfg(test)]
mod tests;
