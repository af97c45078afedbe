//! Confirmation: a suspicion goes in, an error that the interpreter has shown comes out, with its inputs.
//!
//! A [`Searcher`] follows paths without abstraction to a suspected place and keeps a [`Journal`] of each: the inputs that were read
//! and the conditions on them. [`confirm`] asks a solver for inputs that take such a path, replays them, and makes them
//! simple. Only what the interpreter shows is an error; how the path was found does not matter.

mod court;
pub mod ctest;
mod evidence;
mod journal;
mod planned;
mod search;
pub mod vector;

pub use court::{Case, Confirmed, confirm, confirm_state, replay};
pub use evidence::{Evidence, evidence, evidence_of, violations};
pub use heapproof_interp::{run_from, state};
pub use journal::{Input, Journal, Origin, Position};
pub use search::{Candidate, End, Judge, Order, Quest, Searcher};
