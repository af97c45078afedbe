//! Fewer invariants: what the proof does not need is left out again.

use super::{Candidates, Search};
use crate::execute::Outcome;
use heapproof_logic::Failure;
use std::collections::BTreeSet;

/// Attempts to leave something out.
const ATTEMPTS: u32 = 40;

impl Search<'_> {
    /// Leaves out candidates, many at once first, as long as the function is still shown.
    pub(super) fn fewer(&mut self, left: &mut Candidates, shown: Outcome) -> Result<Outcome, Failure> {
        let mut outcome = shown;
        let mut attempts = ATTEMPTS;
        let mut size = left.count().div_ceil(2);
        while size > 0 {
            let mut start = 0;
            while start < left.count() && attempts > 0 {
                attempts -= 1;
                let mut less = left.clone();
                less.drop(&left.some(start, size));
                match self.shown_quickly(&less)? {
                    Some(new) => {
                        *left = less;
                        outcome = new;
                    }
                    None => start += size,
                }
            }
            size /= 2;
        }
        Ok(outcome)
    }
}

impl Candidates {
    /// So many candidates from one on, in the order of the loops.
    fn some(&self, start: usize, count: usize) -> BTreeSet<(heapproof_ir::BlockId, usize)> {
        let places =
            self.0.iter().flat_map(|(header, (_, all))| (0..all.len()).map(|index| (*header, index)));
        places.skip(start).take(count).collect()
    }
}
