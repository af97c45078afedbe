//! The algorithm: states at every place of the program until nothing new appears.

use crate::waitlist::{Ticket, Waitlist};
use crate::{Domain, Merge, Trail};
use std::collections::BTreeMap;

/// How it stands at the place where a state meets others.
#[derive(Clone, Copy, Debug)]
pub struct Meeting {
    /// How many states were known there when the new one came.
    pub states: usize,
    /// How often states were joined there.
    pub joins: u32,
    /// The new state was not joined with any of them: this is the second time that it meets them.
    pub insists: bool,
}

/// The states that were reached, by place.
pub struct Reached<D: Domain> {
    places: BTreeMap<D::Place, Known<D>>,
}

struct Known<D: Domain> {
    states: Vec<(D::State, Ticket<D::Rank>)>,
    joins: u32,
}

impl<D: Domain> Reached<D> {
    fn new() -> Self {
        Reached { places: BTreeMap::new() }
    }

    /// The places with their states.
    pub fn iter(&self) -> impl Iterator<Item = (&D::Place, impl Iterator<Item = &D::State>)> {
        self.places.iter().map(|(place, known)| (place, known.states.iter().map(|(state, _)| state)))
    }
}

/// Explores from some states, which the trail leads to, until nothing is waiting: all reachable states are then
/// covered by what is returned.
pub fn explore<D: Domain>(
    domain: &mut D,
    initial: Vec<D::State>,
    trail: &Trail<D::Mark>,
) -> (Reached<D>, Result<(), D::Failure>) {
    let mut reached = Reached::new();
    let mut waitlist = Waitlist::new();
    for state in initial {
        meet(domain, state, trail, &mut reached, &mut waitlist);
    }
    let ended = settle(domain, &mut reached, &mut waitlist);
    (reached, ended)
}

fn settle<D: Domain>(
    domain: &mut D,
    reached: &mut Reached<D>,
    waitlist: &mut Waitlist<D>,
) -> Result<(), D::Failure> {
    while let Some((state, trail)) = waitlist.pop() {
        domain.budget().spend()?;
        for successor in domain.transfer(state, &trail)? {
            meet(domain, successor, &trail, reached, waitlist);
        }
    }
    Ok(())
}

/// A new state meets those that were reached at its place, and waits to be executed unless one of them covers it.
fn meet<D: Domain>(
    domain: &D,
    state: D::State,
    trail: &Trail<D::Mark>,
    reached: &mut Reached<D>,
    waitlist: &mut Waitlist<D>,
) {
    let mut new = state;
    let Some(place) = domain.place(&new) else {
        wait(domain, new, trail, waitlist);
        return;
    };
    let known = reached.places.entry(place).or_insert_with(|| Known { states: Vec::new(), joins: 0 });
    if known.states.iter().any(|(other, _)| domain.is_same(&new, other)) {
        return;
    }
    let states = known.states.len();
    let (mut index, mut joined_any, mut insists) = (0, false, false);
    loop {
        let Some((other, _)) = known.states.get(index) else {
            if insists || joined_any || !domain.insists(states) {
                break;
            }
            (index, insists) = (0, true);
            continue;
        };
        domain.budget().note_merge();
        let meeting = Meeting { states, joins: known.joins, insists };
        match domain.merge(&new, other, meeting) {
            Merge::Apart => index += 1,
            Merge::Stop => return,
            Merge::Replace => known.remove(index, waitlist),
            Merge::Join(joined) => {
                known.remove(index, waitlist);
                known.joins += 1;
                new = joined;
                joined_any = true;
                // It may cover others, or be covered.
                index = 0;
            }
        }
    }
    let kept = domain.keep(&new);
    let ticket = wait(domain, new, trail, waitlist);
    known.states.push((kept, ticket));
}

fn wait<D: Domain>(
    domain: &D,
    state: D::State,
    trail: &Trail<D::Mark>,
    waitlist: &mut Waitlist<D>,
) -> Ticket<D::Rank> {
    let trail = trail.then(domain.mark(&state));
    let number = waitlist.next_number();
    let rank = domain.rank(&state, &trail, number);
    waitlist.push((rank, number), state, trail)
}

impl<D: Domain> Known<D> {
    /// Forgets a state that another one covers; it needs not be executed any more.
    fn remove(&mut self, index: usize, waitlist: &mut Waitlist<D>) {
        let (_, ticket) = self.states.remove(index);
        waitlist.withdraw(&ticket);
    }
}
