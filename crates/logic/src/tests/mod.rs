//! Tests of terms, their meaning and simplification, and of solvers.

mod bits;
mod faults;
mod meaning;
mod random;
mod simple;
mod solvers;
mod text;
