//! Symbolic memory graphs: byte-precise shape analysis of whole programs with lists.
//!
//! The engine of *Byte-Precise Verification of Low-Level List Manipulation* (Dudka, Peringer, Vojnar). Sets of heaps are
//! graphs of regions and list segments; programs are executed on them, nodes of lists are merged into segments at
//! loops, and configurations are joined until nothing new appears.

/// True if the deliberate fault of this number is switched on. Never without the feature `faults`, which is there to see
/// whether the tests notice.
macro_rules! fault {
    ($number:literal) => {
        cfg!(feature = "faults") && crate::FAULT.load(std::sync::atomic::Ordering::Relaxed) == $number
    };
}

mod abstraction;
mod access;
mod address;
mod align;
mod among;
mod answers;
mod apart;
mod arguments;
mod attempts;
#[cfg(test)]
mod audit;
mod begin;
mod block;
mod borders;
mod call;
mod canon;
mod care;
mod closing;
mod compare;
mod consistency;
mod content;
mod draw;
mod each;
mod elements;
mod engine;
mod external;
mod findings;
mod functions;
mod graph;
mod halves;
mod invariant;
mod join;
mod kinds;
mod length;
mod library;
mod memory;
mod nesting;
mod nul;
mod number;
mod order;
mod path;
mod products;
mod profile;
mod quotient;
mod relation;
mod resize;
mod rows;
mod segment;
mod shape;
mod shift;
mod start;
mod step;
mod strings;
mod summary;
mod table;
mod tags;
mod terms;
mod tree;
mod trouble;
mod twins;
mod varargs;
mod walk;

pub use abstraction::Thresholds;
pub use attempts::{analyse, analyse_only};
#[doc(hidden)]
pub use consistency::{check_graphs, graphs_met};
pub use draw::{to_dot, to_text};
pub use engine::{Analysis, Options};
pub use findings::{PROFILE, Smg};
pub use invariant::Invariant;
pub use trouble::{Trouble, TroubleKind};

/// The deliberate fault that is switched on; none is 0.
#[doc(hidden)]
pub static FAULT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
