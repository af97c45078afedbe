//! How an analysis is done.

use crate::choose::Level;

/// How loops are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unwinding {
    /// Iterations that are followed one by one first.
    pub copies: u32,
    /// One more iteration stands for all others; otherwise longer executions are left out.
    pub cut: bool,
    /// So many iterations stand for all others: one for plain induction.
    pub turns: u32,
}

/// One attempt at a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trial {
    /// Blocks of each allocation, and elements of each array, that are followed exactly.
    pub witnesses: u8,
    /// Iterations that are followed one by one before each loop is cut.
    pub copies: u32,
    /// Iterations that are followed from the cut on: more than one is k-induction.
    pub turns: u32,
}

impl Trial {
    /// True if it may tell something about memory.
    pub fn is_about_blocks(self) -> bool {
        (self.witnesses == 1 || self.witnesses == crate::memory::TAGGED)
            && self.copies == 0
            && self.turns == 1
    }
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
        let trial = |witnesses, copies, turns| Trial { witnesses, copies, turns };
        let tagged = crate::memory::TAGGED;
        let trials = vec![
            trial(1, 0, 1),
            trial(tagged, 0, 1),
            trial(2, 0, 1),
            trial(1, 1, 1),
            trial(1, 0, 2),
            trial(1, 0, 4),
        ];
        Tuning { trials, without: Vec::new(), unwinds: true }
    }
}
