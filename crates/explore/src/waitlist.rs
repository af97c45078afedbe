//! States that wait to be executed, the least rank first, older ones first among equals.

use crate::{Domain, Trail};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The place of a state in the waitlist.
pub type Ticket<R> = Rc<(R, u64)>;

pub struct Waitlist<D: Domain> {
    waiting: BTreeMap<Ticket<D::Rank>, (D::State, Trail<D::Mark>)>,
    count: u64,
}

impl<D: Domain> Waitlist<D> {
    pub fn new() -> Self {
        Waitlist { waiting: BTreeMap::new(), count: 0 }
    }

    pub fn push(&mut self, rank: D::Rank, state: D::State, trail: Trail<D::Mark>) -> Ticket<D::Rank> {
        self.count += 1;
        let ticket = Rc::new((rank, self.count));
        self.waiting.insert(ticket.clone(), (state, trail));
        ticket
    }

    pub fn pop(&mut self) -> Option<(D::State, Trail<D::Mark>)> {
        self.waiting.pop_first().map(|(_, waiting)| waiting)
    }

    /// Takes a state off the list, if it still waits.
    pub fn withdraw(&mut self, ticket: &Ticket<D::Rank>) {
        self.waiting.remove(ticket);
    }
}
