//! How an analysis is done.

use crate::choose::Level;

/// How loops are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unwinding {
    /// Iterations that are followed one by one first.
    pub copies: u32,
    /// One more iteration stands for all others; otherwise longer executions are left out.
    pub cut: bool,
}

/// One attempt at a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trial {
    /// Blocks of each allocation, and elements of each array, that are followed exactly.
    pub witnesses: u8,
    /// Iterations that are followed one by one before each loop is cut.
    pub copies: u32,
}

/// Which parts of the engine take part. Everything, unless somebody measures what a part is good for.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// Attempts, one after the other.
    pub trials: Vec<Trial>,
    /// Kinds of rows that are left out.
    pub without: Vec<Level>,
    /// Few iterations are followed without invariants, to find errors.
    pub unwinds: bool,
}

impl Default for Tuning {
    fn default() -> Self {
        let trial = |witnesses, copies| Trial { witnesses, copies };
        let trials = vec![trial(1, 0), trial(crate::memory::TAGGED, 0), trial(2, 0), trial(1, 1)];
        Tuning { trials, without: Vec::new(), unwinds: true }
    }
}
