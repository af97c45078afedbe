//! Relations between machine integers: no heaps, no programs.
//!
//! [`Number`] is what is known of one integer by itself, [`System`] a conjunction of linear constraints, and [`Numbers`] both
//! together for the integers of a program state. Everything is in the width of C's types: a relation survives an
//! operation only where that provably does not wrap.

mod arithmetic;
mod hull;
mod linear;
mod number;
mod numbers;
mod simplex;
mod system;
#[cfg(test)]
mod tests;

pub use arithmetic::{Operation, evaluate};
pub use linear::{Constraint, Linear, Normal, Relation};
pub use number::{Comparison, Number, WIDEST, mask, signed};
pub use numbers::{Dimension, Numbers, Term, View};
pub use simplex::{Least, Simplex};
pub use system::{Contradiction, Ranges, System};
