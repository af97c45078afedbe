//! The algorithm on a small domain: intervals of one counter in a loop.

use crate::{Budget, Domain, Exhausted, Meeting, Merge, Trail, explore};

/// `for (i = 0; i < limit; i++);` with the places 0 (loop head) and 1 (after the loop).
struct Counter {
    limit: u32,
    join: bool,
    budget: Budget,
    longest: usize,
}

#[derive(Clone, Debug, PartialEq)]
struct At {
    place: u8,
    lo: u32,
    hi: u32,
}

impl Domain for Counter {
    type State = At;
    type Place = u8;
    type Mark = u8;
    type Rank = u8;
    type Failure = Exhausted;

    fn place(&self, state: &At) -> Option<u8> {
        Some(state.place)
    }

    fn rank(&self, state: &At, _: &Trail<u8>, _: u64) -> u8 {
        state.place
    }

    fn mark(&self, state: &At) -> u8 {
        state.place
    }

    fn transfer(&mut self, state: At, trail: &Trail<u8>) -> Result<Vec<At>, Exhausted> {
        self.longest = self.longest.max(trail.len());
        let mut next = Vec::new();
        if state.place == 0 && state.lo < self.limit {
            next.push(At { place: 0, lo: state.lo + 1, hi: state.hi.min(self.limit - 1) + 1 });
        }
        if state.place == 0 && state.hi >= self.limit {
            next.push(At { place: 1, lo: state.lo.max(self.limit), hi: state.hi });
        }
        Ok(next)
    }

    fn merge(&self, new: &At, known: &At, meeting: Meeting) -> Merge<At> {
        if known.lo <= new.lo && new.hi <= known.hi {
            Merge::Stop
        } else if new.lo <= known.lo && known.hi <= new.hi {
            Merge::Replace
        } else if self.join {
            let hi = if meeting.joins > 3 { self.limit } else { new.hi.max(known.hi) };
            Merge::Join(At { place: new.place, lo: new.lo.min(known.lo), hi })
        } else {
            Merge::Apart
        }
    }

    fn keep(&self, state: &At) -> At {
        state.clone()
    }

    fn budget(&self) -> &Budget {
        &self.budget
    }
}

fn counter(limit: u32, join: bool, most: Option<u64>) -> Counter {
    Counter { limit, join, budget: Budget::new(None, most), longest: 0 }
}

fn states(domain: &mut Counter) -> (Vec<At>, Result<(), Exhausted>) {
    let (reached, ended) = explore(domain, vec![At { place: 0, lo: 0, hi: 0 }], &Trail::new());
    let all = reached.iter().flat_map(|(_, states)| states.cloned().collect::<Vec<_>>()).collect();
    (all, ended)
}

#[test]
fn states_that_stay_apart_are_all_reached() {
    let mut domain = counter(10, false, None);
    let (all, ended) = states(&mut domain);
    assert_eq!(ended, Ok(()));
    assert_eq!(all.len(), 12);
    assert_eq!(domain.longest, 12, "the path to the end goes through every iteration");
}

#[test]
fn joined_states_take_the_place_of_both() {
    let mut domain = counter(1_000_000, true, Some(100));
    let (all, ended) = states(&mut domain);
    assert_eq!(ended, Ok(()));
    assert_eq!(all, [At { place: 0, lo: 0, hi: 1_000_000 }, At { place: 1, lo: 1_000_000, hi: 1_000_000 }]);
}

#[test]
fn the_budget_ends_an_exploration() {
    let mut domain = counter(1_000_000, false, Some(50));
    let (all, ended) = states(&mut domain);
    assert_eq!(ended, Err(Exhausted::States(50)));
    assert!(all.len() > 25 && all.len() <= 51, "what was reached so far is told");
}

#[test]
fn a_cancelled_exploration_ends() {
    let mut domain = counter(1_000_000, false, None);
    domain.budget.cancelled = Some(std::sync::Arc::new(true.into()));
    assert_eq!(states(&mut domain).1, Err(Exhausted::Cancelled));
}

#[test]
fn a_long_trail_can_be_dropped() {
    let trail = (0..1_000_000u32).fold(Trail::new(), |trail, mark| trail.then(mark));
    assert_eq!(trail.len(), 1_000_000);
    assert_eq!(trail.backwards().next(), Some(&999_999));
}
