//! States that wait to be executed, the least rank first, older ones first among equals.

use crate::{Domain, Trail};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The place of a state in the waitlist.
pub type Ticket<R> = Rc<(R, u64)>;

/// A state with the path to it.
type Waiting<D> = (<D as Domain>::State, Trail<<D as Domain>::Mark>);

pub struct Waitlist<D: Domain> {
    waiting: BTreeMap<Ticket<D::Rank>, Waiting<D>>,
    count: u64,
}

impl<D: Domain> Waitlist<D> {
    pub fn new() -> Self {
        Waitlist { waiting: BTreeMap::new(), count: 0 }
    }

    /// The number of the state that comes next.
    pub fn next_number(&mut self) -> u64 {
        self.count += 1;
        self.count
    }

    pub fn push(&mut self, place: (D::Rank, u64), state: D::State, trail: Trail<D::Mark>) -> Ticket<D::Rank> {
        let ticket = Rc::new(place);
        self.waiting.insert(ticket.clone(), (state, trail));
        ticket
    }

    pub fn pop(&mut self) -> Option<Waiting<D>> {
        self.waiting.pop_first().map(|(_, waiting)| waiting)
    }

    /// Takes a state off the list, if it still waits.
    pub fn withdraw(&mut self, ticket: &Ticket<D::Rank>) {
        self.waiting.remove(ticket);
    }
}
