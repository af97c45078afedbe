//! Engine `contracts`: annotated C, function by function, with the low-level reachability predicate.
//!
//! After "A Low-Level Memory Model and an Accompanying Reachability Predicate" (Chatterjee, Lahiri, Qadeer, Rakamarić).
//! Contracts, loop invariants and ghost statements are read from comments (`annotation`) and tied to the program by
//! position (`place`); typed
//! (`typed`, `spec`); `condition` turns them and the steps of the program into terms; `execute` follows the paths between
//! cut points and asks the solver for one obligation after the other.

/// True if the deliberate fault of this number is switched on. Never without the feature `faults`, which is there to see
/// whether the tests notice.
macro_rules! fault {
    ($number:literal) => {
        cfg!(feature = "faults") && crate::FAULT.load(std::sync::atomic::Ordering::Relaxed) == $number
    };
}

/// The number of the deliberate fault that is switched on; only with the feature `faults` it has a meaning.
#[doc(hidden)]
pub static FAULT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);

pub mod annotation;
mod assumed;
mod cache;
mod code;
mod concrete;
mod condition;
mod engine;
mod execute;
mod invariants;
mod ladder;
mod place;
mod prototype;
mod refute;
mod run;
mod signature;
mod sources;
mod spec;
mod typed;
mod vacuous;
mod verify;

pub use engine::Contracts;
pub use execute::{Failure, Kind, Outcome, Question};
pub use place::{Annotated, Annotations, Contract};
pub use refute::broken_state;
pub use run::{Watched, run_with_contracts};
pub use sources::mistakes;
pub use spec::Spec;
pub use verify::{Checked, check};

#[cfg(test)]
mod tests;
