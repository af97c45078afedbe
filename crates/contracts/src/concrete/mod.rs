//! Executable contracts: annotations in concrete states, states that satisfy what a function requires, and runs that are watched.

mod eval;
mod lazy;
mod script;
mod show;
mod watch;
mod world;

pub use lazy::{Generated, MANY, Random, SOME, has_state, states};
pub use show::describe;
pub use watch::{Broken, Watch};
