//! Characters that the environment wrote and that are not any characters: `scanf("%s")` stores no white space.
//!
//! A byte that nobody looked at has no value yet. What it may be is kept beside it until it is read or written anew.

use crate::machine::Machine;
use crate::value::ObjId;
use heapproof_libc::CharSet;
use std::rc::Rc;

impl Machine<'_, '_> {
    /// Bytes of an object that have no value yet are of a set.
    pub(super) fn limit_characters(&mut self, id: ObjId, at: u64, n: u64, set: &CharSet) {
        let set = Rc::new(set.clone());
        for place in at..at + n {
            self.limited.insert((id, place), Rc::clone(&set));
        }
    }

    /// Nothing is known any more about bytes that are written.
    pub(super) fn lift_limits(&mut self, id: ObjId, at: u64, n: u64) {
        if self.limited.is_empty() {
            return;
        }
        let places: Vec<_> =
            self.limited.range((id, at)..(id, at.saturating_add(n))).map(|(key, _)| *key).collect();
        for place in places {
            self.limited.remove(&place);
        }
    }

    /// The values that bytes get at their first read, the first one lowest, brought into the sets that they are of.
    pub(crate) fn fit_characters(&mut self, id: ObjId, places: &[u64], chosen: u128) -> u128 {
        let mut all = chosen.to_le_bytes();
        for (byte, place) in all.iter_mut().zip(places) {
            let set = self.limited.remove(&(id, *place));
            *byte = set.and_then(|set| set.next_from(*byte)).unwrap_or(*byte);
        }
        let fitted = u128::from_le_bytes(all);
        if fitted != chosen {
            self.choose_instead(fitted);
        }
        fitted
    }

    /// The choice that was just made is another one: what was asked for cannot be.
    pub(super) fn choose_instead(&mut self, value: u128) {
        if let Some(record) = self.records.last_mut() {
            record.value = value;
        }
    }
}
