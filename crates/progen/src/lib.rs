//! Random C programs with known behaviour, and their comparison between AddressSanitizer and the interpreter.
//!
//! [`generate`] writes a self-contained, deterministic C program for a seed. Without a fault the program has
//! only defined behaviour and frees everything it allocates; with one, it commits exactly one error of the
//! given class, on a line of its own that is surely reached. [`asan`] says what clang's sanitizer observes,
//! [`heapproof`] what our tool observes, and [`compare`] holds the two against each other.
//!
//! A program is a handful of *scenarios* (a list being built and sorted, strings being joined, …) called one
//! after the other from `main`. A fault is woven into one of them by the scenario itself, which knows where its
//! own code can go wrong.

pub mod asan;
pub mod compare;
pub mod expr;
pub mod fault;
pub mod grid;
pub mod heapproof;
pub mod observed;
mod process;
pub mod program;
pub mod rng;
pub mod scenario;
pub mod template;

pub use fault::{Fault, Planted};
pub use program::{GeneratedProgram, generate, generate_variation, variations};
