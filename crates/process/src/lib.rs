//! Child processes with limits, which end when we end.
//!
//! Limits that a child must not be able to leave are set in the child, and setting them between `fork` and `exec` needs
//! `unsafe`. So our own program is started again in a *mode* (`heapproof --child MODE …`), sets limits on itself and
//! then works or becomes the wanted program. [`enter`] has to be the first thing that `main` does.
//!
//! - [`limited`] gives a [`Command`](std::process::Command) for any program (a solver, Graphviz): it is ended at its
//!   deadline, with more memory than allowed, and when we end. The caller starts it and waits for it as for any other.
//! - [`ourselves`] gives a command that runs one of our own modes; [`Group`] starts it, watches it and ends it with
//!   everything that it started.
//!
//! A program that does not call [`enter`] (a test, an example) has no modes: there `limited` gives the plain program
//! and `ourselves` nothing.

mod group;
mod limited;
mod limits;
mod memory;
mod mode;

pub use group::Group;
pub use limited::{Limit, find, limit_reached, limited};
pub use limits::{Limits, address_space, stack_bytes};
pub use memory::tree_bytes;
pub use mode::{Entered, Mode, enter, ourselves};
