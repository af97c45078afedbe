//! Choices that are gone through in order. After a failure those are changed that it depends on: conflict-directed
//! backjumping.

use std::collections::BTreeSet;

/// One choice.
#[derive(Clone, Debug)]
struct Choice {
    taken: usize,
    options: usize,
    /// Earlier choices because of which the options taken so far failed.
    because: BTreeSet<usize>,
}

/// The choices of an attempt.
#[derive(Clone, Debug, Default)]
pub(super) struct Script {
    made: Vec<Choice>,
    at: usize,
    order: u64,
}

impl Script {
    /// Choices whose options are gone through in one of several orders.
    pub fn new(order: u64) -> Script {
        Script { order, ..Script::default() }
    }

    /// Begins an attempt.
    pub fn restart(&mut self) {
        self.at = 0;
    }

    /// The number of the next choice.
    pub fn next_choice(&self) -> usize {
        self.at
    }

    /// One of several options.
    pub fn choose(&mut self, options: usize) -> usize {
        if self.at == self.made.len() {
            self.made.push(Choice { taken: 0, options, because: BTreeSet::new() });
        }
        let taken = self.made[self.at].taken;
        let turn = match self.order {
            0 => 0,
            order => (order.wrapping_mul(0x9e37_79b9).wrapping_add(self.at as u64 * 31) >> 3) as usize,
        };
        self.at += 1;
        (taken + turn) % options.max(1)
    }

    /// The attempt failed because of some of its choices. Goes to the next choices; false if there are none.
    pub fn failed(&mut self, because: BTreeSet<usize>) -> bool {
        let mut because = because;
        while let Some(last) = because.pop_last() {
            self.made.truncate(last + 1);
            let Some(choice) = self.made.get_mut(last) else { continue };
            choice.because.extend(because.iter().copied());
            if choice.taken + 1 < choice.options {
                choice.taken += 1;
                return true;
            }
            because = std::mem::take(&mut choice.because);
        }
        false
    }

    /// The attempt succeeded. Goes to the next choices; false if there are none.
    pub fn another(&mut self) -> bool {
        self.failed((0..self.at).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::Script;
    use std::collections::BTreeSet;

    /// All solutions of `a + c == 3` with three numbers below four, and how many attempts that took.
    fn solutions(jump: bool) -> (BTreeSet<[usize; 3]>, usize) {
        let (mut script, mut found, mut attempts) = (Script::new(0), BTreeSet::new(), 0);
        loop {
            script.restart();
            attempts += 1;
            let all = [script.choose(4), script.choose(4), script.choose(4)];
            let goes_on = match all[0] + all[2] == 3 && all[0] > 1 {
                true => {
                    found.insert(all);
                    script.another()
                }
                false if all[0] <= 1 && jump => script.failed(BTreeSet::from([0])),
                false if jump => script.failed(BTreeSet::from([0, 2])),
                false => script.another(),
            };
            if !goes_on {
                return (found, attempts);
            }
        }
    }

    #[test]
    fn jumping_back_leaves_out_no_solution() {
        let ((all, slow), (found, fast)) = (solutions(false), solutions(true));
        assert_eq!(all, found);
        assert_eq!(all.len(), 8);
        assert!(fast < slow, "{fast} {slow}");
    }
}
