//! Symbolic memory graphs: byte-precise shape analysis of whole programs with lists.
//!
//! The engine of *Byte-Precise Verification of Low-Level List Manipulation* (Dudka, Peringer, Vojnar). Sets of heaps are
//! graphs of regions and list segments; programs are executed on them, nodes of lists are merged into segments at
//! loops, and configurations are joined until nothing new appears.

mod abstraction;
mod call;
mod canon;
mod compare;
mod engine;
mod graph;
mod join;
mod memory;
mod number;
mod scope;
mod segment;
mod step;
mod summary;
mod trouble;

pub use abstraction::Thresholds;
pub use engine::{Analysis, Options, analyse};
pub use trouble::{Trouble, TroubleKind};
