//! Bytes with their state: whether they were written and whether they are part of an address.

use crate::value::Prov;
use std::collections::BTreeMap;

const UNINIT: u8 = 0;
const PLAIN: u8 = 1;
const CHOSEN: u8 = 2;
const SLOT: u8 = 3;
const FRAGMENT: u8 = 4;
const FOREIGN: u8 = 5;
const UNKNOWN: u8 = 6;

/// One byte of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Byte {
    /// Never written.
    Uninit,
    /// Part of an external object and not read yet.
    Unknown,
    /// An ordinary byte.
    Plain(u8),
    /// Never written, chosen at a read.
    Chosen(u8),
    /// Part of an external object, chosen at a read.
    Foreign(u8),
    /// The byte number `index` of an address.
    Address { byte: u8, prov: Prov, index: u8 },
}

impl Byte {
    /// What it holds, if that is decided.
    pub fn value(self) -> Option<u8> {
        match self {
            Byte::Plain(b) | Byte::Chosen(b) | Byte::Foreign(b) | Byte::Address { byte: b, .. } => Some(b),
            Byte::Uninit | Byte::Unknown => None,
        }
    }
}

/// What bytes are before they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fresh {
    Uninit,
    Zero,
    Unknown,
}

/// Bytes on their way from one place to another.
pub(crate) struct Run {
    bytes: Vec<u8>,
    states: Vec<u8>,
    /// The provenance of the addresses among them, per word.
    slots: Vec<Prov>,
}

/// A run of bytes. The provenance of aligned addresses is kept per word, that of others per byte.
#[derive(Debug)]
pub(crate) struct Page {
    /// The bytes, then their states.
    data: Box<[u8]>,
    len: usize,
    word: usize,
    slots: Vec<Prov>,
    fragments: BTreeMap<u32, (Prov, u8)>,
}

impl Page {
    pub fn new(len: usize, word: usize, fresh: Fresh) -> Page {
        let mut data = vec![0u8; len * 2].into_boxed_slice();
        let state = match fresh {
            Fresh::Uninit => UNINIT,
            Fresh::Zero => PLAIN,
            Fresh::Unknown => UNKNOWN,
        };
        if state != 0 {
            data[len..].fill(state);
        }
        Page { data, len, word, slots: Vec::new(), fragments: BTreeMap::new() }
    }

    /// 1, 2, 4 or 8 bytes at `at` as a number if all are ordinary.
    #[inline(always)]
    pub fn read_small(&self, at: usize, n: usize) -> Option<u64> {
        let states = self.len + at;
        match n {
            1 => (self.data[states] == PLAIN).then(|| self.data[at].into()),
            2 => (self.data[states..states + 2] == [PLAIN; 2])
                .then(|| u16::from_le_bytes(self.data[at..at + 2].try_into().expect("2 bytes")).into()),
            4 => (self.data[states..states + 4] == [PLAIN; 4])
                .then(|| u32::from_le_bytes(self.data[at..at + 4].try_into().expect("4 bytes")).into()),
            8 => (self.data[states..states + 8] == [PLAIN; 8])
                .then(|| u64::from_le_bytes(self.data[at..at + 8].try_into().expect("8 bytes"))),
            _ => None,
        }
    }

    /// The `n` bytes at `at` as a number if all are ordinary.
    #[inline]
    pub fn read_plain(&self, at: usize, n: usize) -> Option<u128> {
        let states = self.data.get(self.len + at..self.len + at + n)?;
        let bytes = &self.data[at..at + n];
        match n {
            8 => {
                let ok = u64::from_le_bytes(states.try_into().ok()?) == 0x0101_0101_0101_0101;
                ok.then(|| u128::from(u64::from_le_bytes(bytes.try_into().expect("8 bytes"))))
            }
            4 => {
                let ok = u32::from_le_bytes(states.try_into().ok()?) == 0x0101_0101;
                ok.then(|| u128::from(u32::from_le_bytes(bytes.try_into().expect("4 bytes"))))
            }
            1 => (states[0] == PLAIN).then(|| u128::from(bytes[0])),
            _ => {
                if states.iter().any(|s| *s != PLAIN) {
                    return None;
                }
                let mut all = [0u8; 16];
                all[..n].copy_from_slice(bytes);
                Some(u128::from_le_bytes(all))
            }
        }
    }

    /// The address at `at` if one was stored there, aligned and as a whole.
    #[inline]
    pub fn read_slot(&self, at: usize) -> Option<(u128, Prov)> {
        if at & (self.word - 1) != 0 || at + self.word > self.len {
            return None;
        }
        let states = &self.data[self.len + at..self.len + at + self.word];
        if states.iter().any(|s| *s != SLOT) {
            return None;
        }
        let mut all = [0u8; 16];
        all[..self.word].copy_from_slice(&self.data[at..at + self.word]);
        Some((u128::from_le_bytes(all), self.slots[at / self.word]))
    }

    /// Stores ordinary bytes.
    #[inline]
    pub fn write_plain(&mut self, at: usize, n: usize, bits: u128) {
        self.clear_addresses(at, n);
        let states = self.len + at;
        // The usual sizes without a call.
        match n {
            1 => {
                self.data[at] = bits as u8;
                self.data[states] = PLAIN;
                return;
            }
            4 => {
                self.data[at..at + 4].copy_from_slice(&(bits as u32).to_le_bytes());
                self.data[states..states + 4].copy_from_slice(&[PLAIN; 4]);
                return;
            }
            8 => {
                self.data[at..at + 8].copy_from_slice(&(bits as u64).to_le_bytes());
                self.data[states..states + 8].copy_from_slice(&[PLAIN; 8]);
                return;
            }
            _ => {}
        }
        let all = bits.to_le_bytes();
        self.data[at..at + n].copy_from_slice(&all[..n]);
        self.data[self.len + at..self.len + at + n].fill(PLAIN);
    }

    /// Stores an address as a whole at an aligned place.
    pub fn write_slot(&mut self, at: usize, bits: u128, prov: Prov) {
        debug_assert!(at & (self.word - 1) == 0 && at + self.word <= self.len);
        self.clear_addresses(at, self.word);
        if self.slots.is_empty() {
            self.slots = vec![Prov::None; self.len / self.word];
        }
        self.slots[at / self.word] = prov;
        self.data[at..at + self.word].copy_from_slice(&bits.to_le_bytes()[..self.word]);
        self.data[self.len + at..self.len + at + self.word].fill(SLOT);
    }

    /// Makes the bytes of addresses that are only partly overwritten into fragments.
    #[inline]
    fn clear_addresses(&mut self, at: usize, n: usize) {
        if self.slots.is_empty() && self.fragments.is_empty() {
            return;
        }
        self.clear_addresses_slowly(at, n);
    }

    fn clear_addresses_slowly(&mut self, at: usize, n: usize) {
        if n == 0 {
            return;
        }
        for edge in [at, at + n] {
            let start = edge - edge % self.word;
            if edge != start && start + self.word <= self.len && self.data[self.len + start] == SLOT {
                let prov = self.slots[start / self.word];
                for index in 0..self.word {
                    if self.data[self.len + start + index] == SLOT {
                        self.data[self.len + start + index] = FRAGMENT;
                        self.fragments.insert((start + index) as u32, (prov, index as u8));
                    }
                }
            }
        }
        if !self.fragments.is_empty() {
            for place in at..at + n {
                if self.data[self.len + place] == FRAGMENT {
                    self.fragments.remove(&(place as u32));
                }
            }
        }
    }

    /// One byte.
    pub fn byte(&self, at: usize) -> Byte {
        let byte = self.data[at];
        match self.data[self.len + at] {
            UNINIT => Byte::Uninit,
            PLAIN => Byte::Plain(byte),
            CHOSEN => Byte::Chosen(byte),
            FOREIGN => Byte::Foreign(byte),
            SLOT => {
                let (slot, index) = (at / self.word, at % self.word);
                Byte::Address { byte, prov: self.slots[slot], index: index as u8 }
            }
            FRAGMENT => {
                let (prov, index) = self.fragments[&(at as u32)];
                Byte::Address { byte, prov, index }
            }
            _ => Byte::Unknown,
        }
    }

    /// Stores one byte.
    pub fn set_byte(&mut self, at: usize, byte: Byte) {
        self.clear_addresses(at, 1);
        let (value, state) = match byte {
            Byte::Uninit => (0, UNINIT),
            Byte::Unknown => (0, UNKNOWN),
            Byte::Plain(value) => (value, PLAIN),
            Byte::Chosen(value) => (value, CHOSEN),
            Byte::Foreign(value) => (value, FOREIGN),
            Byte::Address { byte, prov, index } => {
                self.fragments.insert(at as u32, (prov, index));
                (byte, FRAGMENT)
            }
        };
        self.data[at] = value;
        self.data[self.len + at] = state;
    }

    /// Some bytes with all that is known about them. None if parts of addresses are among them, or addresses that would not be
    /// `whole` at their new place.
    pub fn run(&self, at: usize, n: usize, whole: bool) -> Option<Run> {
        let states = &self.data[self.len + at..self.len + at + n];
        let addresses = !self.slots.is_empty() && states.contains(&SLOT);
        let parts = !self.fragments.is_empty() && states.contains(&FRAGMENT);
        let aligned = whole && at.is_multiple_of(self.word);
        if parts || addresses && !aligned {
            return None;
        }
        let slots = if addresses { &self.slots[at / self.word..(at + n) / self.word] } else { &[] };
        Some(Run { bytes: self.data[at..at + n].to_vec(), states: states.to_vec(), slots: slots.to_vec() })
    }

    /// Stores bytes from [`Page::run`].
    pub fn put_run(&mut self, at: usize, run: &Run) {
        let n = run.bytes.len();
        self.clear_addresses(at, n);
        self.data[at..at + n].copy_from_slice(&run.bytes);
        self.data[self.len + at..self.len + at + n].copy_from_slice(&run.states);
        if !run.slots.is_empty() {
            if self.slots.is_empty() {
                self.slots = vec![Prov::None; self.len / self.word];
            }
            self.slots[at / self.word..(at + n) / self.word].copy_from_slice(&run.slots);
        }
    }

    /// Sets bytes.
    pub fn fill(&mut self, at: usize, n: usize, byte: u8) {
        self.clear_addresses(at, n);
        self.data[at..at + n].fill(byte);
        self.data[self.len + at..self.len + at + n].fill(PLAIN);
    }

    /// Position of the first ordinary byte equal to `wanted` in a run of ordinary bytes, and how far the run goes.
    pub fn scan_plain(&self, at: usize, most: usize, wanted: u8) -> (usize, bool) {
        let end = (at + most).min(self.len);
        for place in at..end {
            if self.data[self.len + place] != PLAIN {
                return (place - at, false);
            }
            if self.data[place] == wanted {
                return (place - at, true);
            }
        }
        (end - at, false)
    }

    /// Calls `f` with the provenance of every address and fragment.
    pub fn for_each_prov(&self, mut f: impl FnMut(Prov)) {
        for (slot, prov) in self.slots.iter().enumerate() {
            if self.data[self.len + slot * self.word] == SLOT {
                f(*prov);
            }
        }
        self.fragments.values().for_each(|(prov, _)| f(*prov));
    }

    /// Host memory in use.
    pub fn cost(len: usize) -> u64 {
        len as u64 * 2 + 64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::ObjId;

    #[test]
    fn overwriting_part_of_an_address_leaves_fragments() {
        let mut page = Page::new(16, 8, Fresh::Uninit);
        let prov = Prov::Object(ObjId(7));
        page.write_slot(8, 0x1122_3344_5566_7788, prov);
        assert_eq!(page.read_slot(8), Some((0x1122_3344_5566_7788, prov)));
        page.write_plain(8, 1, 0);
        assert_eq!(page.read_slot(8), None);
        assert_eq!(page.byte(8), Byte::Plain(0));
        assert_eq!(page.byte(9), Byte::Address { byte: 0x77, prov, index: 1 });
        page.fill(8, 8, 0);
        assert_eq!(page.read_plain(8, 8), Some(0));
        let mut seen = 0;
        page.for_each_prov(|_| seen += 1);
        assert_eq!(seen, 0);
    }

    #[test]
    fn uninitialised_bytes_are_not_plain() {
        let mut page = Page::new(8, 8, Fresh::Uninit);
        page.write_plain(0, 4, 5);
        assert_eq!(page.read_plain(0, 4), Some(5));
        assert_eq!(page.read_plain(0, 8), None);
        assert_eq!(page.byte(4), Byte::Uninit);
    }
}
