//! The algorithm: states at every place of the program until nothing new appears.

use crate::waitlist::{Ticket, Waitlist};
use crate::{Domain, Merge, Trail};
use std::collections::{BTreeMap, HashMap};

/// How it stands at the place where a state meets others.
#[derive(Clone, Copy, Debug)]
pub struct Meeting {
    /// How many states were known there when the new one came.
    pub states: usize,
    /// How often states were joined there.
    pub joins: u32,
    /// How often a new state took the place of one that it covers.
    pub replaced: u32,
    /// The new state was not joined with any of them: this is the second time that it meets them.
    pub insists: bool,
}

/// The states that were reached, by place.
pub struct Reached<D: Domain> {
    places: BTreeMap<D::Place, Known<D>>,
}

struct Known<D: Domain> {
    states: Vec<Entry<D>>,
    /// How many of the states have a fingerprint.
    fingerprints: HashMap<u64, usize>,
    joins: u32,
    replaced: u32,
}

struct Entry<D: Domain> {
    state: D::State,
    fingerprint: u64,
    ticket: Ticket<D::Rank>,
}

impl<D: Domain> Reached<D> {
    fn new() -> Self {
        Reached { places: BTreeMap::new() }
    }

    /// The places with their states.
    pub fn iter(&self) -> impl Iterator<Item = (&D::Place, impl Iterator<Item = &D::State>)> {
        self.places.iter().map(|(place, known)| (place, known.states.iter().map(|known| &known.state)))
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
        domain.budget().spend_as(domain.weight(&state))?;
        for successor in domain.transfer(state, &trail)? {
            // There may be many, and each meets many others.
            domain.budget().spend_as(0)?;
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
    let Some(place) = domain.place(&state) else {
        wait(domain, state, trail, waitlist);
        return;
    };
    let known = reached.places.entry(place).or_insert_with(Known::new);
    for new in domain.adapt(state, known.states.len()) {
        meet_at(domain, new, trail, known, waitlist);
    }
}

/// A new state meets those that were reached at its place.
fn meet_at<D: Domain>(
    domain: &D,
    mut new: D::State,
    trail: &Trail<D::Mark>,
    known: &mut Known<D>,
    waitlist: &mut Waitlist<D>,
) {
    if known.has(domain, &new) {
        return;
    }
    let states = known.states.len();
    if !domain.meets(&new, states) {
        known.add(domain, new, trail, waitlist);
        return;
    }
    let (mut index, mut joined_any, mut insists) = (0, false, false);
    loop {
        let Some(Entry { state: other, .. }) = known.states.get(index) else {
            if insists || joined_any || !domain.insists(states) {
                break;
            }
            (index, insists) = (0, true);
            continue;
        };
        domain.budget().note_merge();
        let meeting = Meeting { states, joins: known.joins, replaced: known.replaced, insists };
        match domain.merge(&new, other, meeting) {
            Merge::Apart => index += 1,
            Merge::Stop => return,
            Merge::Replace => {
                known.remove(index, waitlist);
                known.replaced += 1;
            }
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
    known.add(domain, new, trail, waitlist);
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
    fn new() -> Self {
        Known { states: Vec::new(), fingerprints: HashMap::new(), joins: 0, replaced: 0 }
    }

    /// True if a state is known that quickly shows to cover a new one.
    fn has(&self, domain: &D, new: &D::State) -> bool {
        let fingerprint = domain.fingerprint(new);
        let alike = |known: &&Entry<D>| known.fingerprint == fingerprint;
        self.fingerprints.contains_key(&fingerprint)
            && self.states.iter().filter(alike).any(|known| domain.is_same(new, &known.state))
    }

    /// A new state waits to be executed.
    fn add(&mut self, domain: &D, new: D::State, trail: &Trail<D::Mark>, waitlist: &mut Waitlist<D>) {
        let (state, fingerprint) = (domain.keep(&new), domain.fingerprint(&new));
        let ticket = wait(domain, new, trail, waitlist);
        *self.fingerprints.entry(fingerprint).or_default() += 1;
        self.states.push(Entry { state, fingerprint, ticket });
    }

    /// Forgets a state that another one covers; it needs not be executed any more.
    fn remove(&mut self, index: usize, waitlist: &mut Waitlist<D>) {
        let Entry { fingerprint, ticket, .. } = self.states.remove(index);
        if let Some(count) = self.fingerprints.get_mut(&fingerprint) {
            *count -= 1;
            if *count == 0 {
                self.fingerprints.remove(&fingerprint);
            }
        }
        waitlist.withdraw(&ticket);
    }
}
