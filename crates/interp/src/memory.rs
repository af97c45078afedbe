//! Objects and their bytes. Every object has an address of its own that is never given to another.

use crate::page::{Byte, Fresh, Page};
use crate::value::{ObjId, Prov};
use heapproof_ir::{FuncId, GlobalId, LocalId, Span, Target};
use std::collections::BTreeMap;

/// Objects up to this size are one page.
const FLAT: u64 = 64 * 1024;
/// Host memory that the record of an object takes.
const RECORD: u64 = 160;

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ObjectKind {
    Global(GlobalId),
    Function(FuncId),
    Local(FuncId, LocalId),
    /// From `alloca` or a variable length array.
    Alloca,
    Heap,
    /// Belongs to the library or the environment.
    Library(&'static str),
}

/// Whether an object may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Life {
    Live,
    Freed,
    /// The scope or frame ended.
    Ended,
}

/// Where and when something happened to an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    pub span: Span,
    pub func: Option<FuncId>,
    pub step: u64,
}

#[derive(Debug)]
enum Storage {
    Untouched,
    Flat(Page),
    Paged(BTreeMap<u64, Page>),
}

/// An object.
#[derive(Debug)]
pub(crate) struct Object {
    pub base: u64,
    pub size: u64,
    pub kind: ObjectKind,
    pub life: Life,
    pub constant: bool,
    /// Its address was stored in memory or left its frame.
    pub escaped: bool,
    fresh: Fresh,
    storage: Storage,
    pub born: Site,
    pub died: Site,
}

/// No more room: the limit on memory or the address space.
#[derive(Debug)]
pub(crate) struct Full;

/// All objects of a run.
#[derive(Debug)]
pub(crate) struct Memory {
    objects: Vec<Object>,
    word: usize,
    next: u64,
    end: u64,
    gap: u64,
    used: u64,
    limit: u64,
    /// Some address is known somewhere that may be of any object: no record can go.
    pub all_escaped: bool,
}

impl Memory {
    pub fn new(target: Target, limit: u64) -> Memory {
        let (next, end, gap) = match target {
            Target::Lp64 => (0x5555_0000_1000, 0x7fff_0000_0000_0000, 0x100),
            // In the upper half, as stacks are: the sign of such an address is not that of a small number.
            Target::Ilp32 => (0x8804_8000, 0xffff_0000, 32),
        };
        let word = target.pointer_bytes() as usize;
        Memory { objects: Vec::new(), word, next, end, gap, used: 0, limit, all_escaped: false }
    }

    pub fn get(&self, id: ObjId) -> &Object {
        &self.objects[id.index()]
    }

    pub fn get_mut(&mut self, id: ObjId) -> &mut Object {
        &mut self.objects[id.index()]
    }

    pub fn len(&self) -> usize {
        self.objects.len()
    }

    pub fn ids(&self) -> impl Iterator<Item = ObjId> + use<> {
        (0..self.objects.len() as u32).map(ObjId)
    }

    /// Makes a new object.
    pub fn create(
        &mut self,
        size: u64,
        align: u64,
        kind: ObjectKind,
        fresh: Fresh,
        born: Site,
    ) -> Result<ObjId, Full> {
        let align = align.max(16);
        let base = self.next.checked_next_multiple_of(align).ok_or(Full)?;
        let after = base.checked_add(size).and_then(|e| e.checked_add(self.gap)).ok_or(Full)?;
        if after > self.end || self.objects.len() >= i32::MAX as usize {
            return Err(Full);
        }
        self.charge(RECORD)?;
        self.next = after;
        let id = ObjId(self.objects.len() as u32);
        self.objects.push(Object {
            base,
            size,
            kind,
            life: Life::Live,
            constant: false,
            escaped: false,
            fresh,
            storage: Storage::Untouched,
            born,
            died: born,
        });
        Ok(id)
    }

    fn charge(&mut self, bytes: u64) -> Result<(), Full> {
        self.used += bytes;
        if self.used > self.limit { Err(Full) } else { Ok(()) }
    }

    /// Ends the life of an object; its content is gone.
    pub fn end(&mut self, id: ObjId, life: Life, site: Site) {
        let object = &mut self.objects[id.index()];
        object.life = life;
        object.died = site;
        let cost = match std::mem::replace(&mut object.storage, Storage::Untouched) {
            Storage::Untouched => 0,
            Storage::Flat(_) => Page::cost(object.size as usize),
            Storage::Paged(pages) => pages.len() as u64 * Page::cost(FLAT as usize),
        };
        self.used -= cost;
    }

    /// Takes back the records of dead objects at the end of the list down to `floor` that nothing can refer to.
    pub fn trim(&mut self, floor: usize) {
        while self.objects.len() > floor {
            let last = self.objects.last().expect("not empty");
            if last.life != Life::Ended || last.escaped || self.all_escaped {
                return;
            }
            self.next = last.base;
            self.used -= RECORD;
            self.objects.pop();
        }
    }

    /// The object whose area, with the address behind it, holds an address.
    pub fn at_address(&self, addr: u64) -> Option<ObjId> {
        let after = self.objects.partition_point(|o| o.base <= addr);
        let index = after.checked_sub(1)?;
        let object = &self.objects[index];
        (addr - object.base <= object.size).then_some(ObjId(index as u32))
    }

    /// The content becomes unknown.
    pub fn forget_content(&mut self, id: ObjId) {
        let (life, died) = (self.get(id).life, self.get(id).died);
        self.end(id, life, died);
        self.get_mut(id).fresh = Fresh::Unknown;
    }

    #[inline]
    fn page(&self, id: ObjId, at: u64, n: u64) -> Option<(&Page, usize)> {
        match &self.objects[id.index()].storage {
            Storage::Flat(page) => Some((page, at as usize)),
            Storage::Untouched => None,
            Storage::Paged(pages) => {
                let (index, place) = (at / FLAT, at % FLAT);
                if place + n > FLAT { None } else { Some((pages.get(&index)?, place as usize)) }
            }
        }
    }

    /// The page with `at`, which is made if need be, and the place in it.
    #[inline]
    fn page_mut(&mut self, id: ObjId, at: u64) -> Result<(&mut Page, usize), Full> {
        let object = &mut self.objects[id.index()];
        if let Storage::Flat(_) = object.storage {
            let Storage::Flat(page) = &mut self.objects[id.index()].storage else { unreachable!() };
            return Ok((page, at as usize));
        }
        self.make_page(id, at)
    }

    fn make_page(&mut self, id: ObjId, at: u64) -> Result<(&mut Page, usize), Full> {
        let (size, fresh, word) = (self.get(id).size, self.get(id).fresh, self.word);
        if size <= FLAT {
            self.charge(Page::cost(size as usize))?;
            let object = &mut self.objects[id.index()];
            object.storage = Storage::Flat(Page::new(size as usize, word, fresh));
            let Storage::Flat(page) = &mut object.storage else { unreachable!() };
            return Ok((page, at as usize));
        }
        let index = at / FLAT;
        let missing = match &self.get(id).storage {
            Storage::Paged(pages) => !pages.contains_key(&index),
            _ => true,
        };
        if missing {
            self.charge(Page::cost(FLAT as usize))?;
        }
        let object = &mut self.objects[id.index()];
        if let Storage::Untouched = object.storage {
            object.storage = Storage::Paged(BTreeMap::new());
        }
        let Storage::Paged(pages) = &mut object.storage else { unreachable!() };
        let page = pages.entry(index).or_insert_with(|| Page::new(FLAT as usize, word, fresh));
        Ok((page, (at % FLAT) as usize))
    }

    fn fits(&self, id: ObjId, at: u64, n: u64) -> bool {
        self.objects[id.index()].size <= FLAT || at % FLAT + n <= FLAT
    }

    /// Ordinary bytes of a live object at an address, where nothing special is to be looked at; none where anything is.
    #[inline]
    pub fn read_quickly(&self, id: ObjId, addr: u64, n: u64) -> Option<u64> {
        let object = &self.objects[id.index()];
        let at = addr.wrapping_sub(object.base);
        match &object.storage {
            Storage::Flat(page) if object.life == Life::Live && at < object.size && n <= object.size - at => {
                page.read_small(at as usize, n as usize)
            }
            _ => None,
        }
    }

    /// A pointer at an address of a live object: one that was stored as a whole, or ordinary bytes.
    #[inline]
    pub fn read_pointer_quickly(&self, id: ObjId, addr: u64, n: u64) -> Option<(u64, Prov)> {
        if let Some(bits) = self.read_quickly(id, addr, n) {
            return Some((bits, if bits == 0 { Prov::Null } else { Prov::None }));
        }
        let object = &self.objects[id.index()];
        let at = addr.wrapping_sub(object.base);
        match &object.storage {
            Storage::Flat(page) if object.life == Life::Live && at < object.size && n <= object.size - at => {
                let (bits, prov) = page.read_slot(at as usize)?;
                matches!(prov, Prov::Object(_)).then_some((bits as u64, prov))
            }
            _ => None,
        }
    }

    /// Stores ordinary bytes at an address of a live object; false where anything special is to be looked at, and then nothing is done.
    #[inline]
    pub fn write_quickly(&mut self, id: ObjId, addr: u64, n: u64, bits: u64) -> bool {
        let object = &mut self.objects[id.index()];
        let at = addr.wrapping_sub(object.base);
        if object.life != Life::Live || object.constant || at >= object.size || n > object.size - at {
            return false;
        }
        match &mut object.storage {
            Storage::Flat(page) => {
                page.write_plain(at as usize, n as usize, bits.into());
                true
            }
            _ => false,
        }
    }

    /// Ordinary bytes as a number; none if some are not ordinary.
    #[inline]
    pub fn read_plain(&self, id: ObjId, at: u64, n: u64) -> Option<u128> {
        let (page, place) = self.page(id, at, n)?;
        page.read_plain(place, n as usize)
    }

    /// An address that was stored here as a whole.
    #[inline]
    pub fn read_slot(&self, id: ObjId, at: u64) -> Option<(u128, Prov)> {
        let (page, place) = self.page(id, at, self.word as u64)?;
        page.read_slot(place)
    }

    /// Stores ordinary bytes.
    #[inline]
    pub fn write_plain(&mut self, id: ObjId, at: u64, n: u64, bits: u128) -> Result<(), Full> {
        if self.fits(id, at, n) {
            let (page, place) = self.page_mut(id, at)?;
            page.write_plain(place, n as usize, bits);
            return Ok(());
        }
        for (index, byte) in bits.to_le_bytes()[..n as usize].iter().enumerate() {
            self.set_byte(id, at + index as u64, Byte::Plain(*byte))?;
        }
        Ok(())
    }

    /// Stores an address of `n` bytes (fewer than a word for a fragment).
    pub fn write_address(&mut self, id: ObjId, at: u64, n: u64, bits: u128, prov: Prov) -> Result<(), Full> {
        if n as usize == self.word && at.is_multiple_of(n) {
            let (page, place) = self.page_mut(id, at)?;
            page.write_slot(place, bits, prov);
            return Ok(());
        }
        for (index, byte) in bits.to_le_bytes()[..n as usize].iter().enumerate() {
            let byte = Byte::Address { byte: *byte, prov, index: index as u8 };
            self.set_byte(id, at + index as u64, byte)?;
        }
        Ok(())
    }

    /// One byte.
    pub fn byte(&self, id: ObjId, at: u64) -> Byte {
        match self.page(id, at, 1) {
            Some((page, place)) => page.byte(place),
            None => match self.get(id).fresh {
                Fresh::Uninit => Byte::Uninit,
                Fresh::Zero => Byte::Plain(0),
                Fresh::Unknown => Byte::Unknown,
            },
        }
    }

    /// Stores one byte.
    pub fn set_byte(&mut self, id: ObjId, at: u64, byte: Byte) -> Result<(), Full> {
        let (page, place) = self.page_mut(id, at)?;
        page.set_byte(place, byte);
        Ok(())
    }

    /// Sets `n` bytes.
    pub fn fill(&mut self, id: ObjId, mut at: u64, mut n: u64, byte: u8) -> Result<(), Full> {
        while n > 0 {
            let part = if self.get(id).size <= FLAT { n } else { n.min(FLAT - at % FLAT) };
            let (page, place) = self.page_mut(id, at)?;
            page.fill(place, part as usize, byte);
            at += part;
            n -= part;
        }
        Ok(())
    }

    /// Copies `n` bytes with their states as `memmove` does: in pieces that lie in one page on both sides, in the direction
    /// that keeps overlaps right.
    pub fn copy(&mut self, to: (ObjId, u64), from: (ObjId, u64), n: u64) -> Result<(), Full> {
        let backwards = to.0 == from.0 && to.1 > from.1;
        let mut left = n;
        while left > 0 {
            let (start, len) = if backwards {
                let len = left
                    .min(self.room_before(to.0, to.1 + left))
                    .min(self.room_before(from.0, from.1 + left));
                (left - len, len)
            } else {
                let start = n - left;
                let len = left
                    .min(self.room_after(to.0, to.1 + start))
                    .min(self.room_after(from.0, from.1 + start));
                (start, len)
            };
            self.copy_piece((to.0, to.1 + start), (from.0, from.1 + start), len)?;
            left -= len;
        }
        Ok(())
    }

    /// How many bytes from a place on lie in its page.
    fn room_after(&self, id: ObjId, at: u64) -> u64 {
        if self.get(id).size <= FLAT { u64::MAX } else { FLAT - at % FLAT }
    }

    /// How many bytes before a place lie in one page.
    fn room_before(&self, id: ObjId, at: u64) -> u64 {
        if self.get(id).size <= FLAT { u64::MAX } else { (at - 1) % FLAT + 1 }
    }

    /// Copies bytes that lie in one page on both sides.
    fn copy_piece(&mut self, to: (ObjId, u64), from: (ObjId, u64), n: u64) -> Result<(), Full> {
        let word = self.word as u64;
        let whole = (to.1 | n).is_multiple_of(word);
        let run = self.page(from.0, from.1, n).and_then(|(page, place)| page.run(place, n as usize, whole));
        if let Some(run) = run {
            let (page, place) = self.page_mut(to.0, to.1)?;
            page.put_run(place, &run);
            return Ok(());
        }
        let bytes: Vec<Byte> = (0..n).map(|i| self.byte(from.0, from.1 + i)).collect();
        self.put_bytes(to.0, to.1, &bytes)
    }

    /// Stores bytes; whole aligned addresses among them stay whole.
    pub fn put_bytes(&mut self, id: ObjId, at: u64, bytes: &[Byte]) -> Result<(), Full> {
        let word = self.word;
        let mut index = 0;
        while index < bytes.len() {
            let place = at + index as u64;
            if let Byte::Address { prov, index: 0, .. } = bytes[index]
                && place.is_multiple_of(word as u64)
                && let Some(bits) = whole_address(&bytes[index..], word, prov)
            {
                self.write_address(id, place, word as u64, bits, prov)?;
                index += word;
                continue;
            }
            self.set_byte(id, place, bytes[index])?;
            index += 1;
        }
        Ok(())
    }

    /// How far ordinary bytes go that differ from `wanted`, at most `most`, and whether it was found there.
    pub fn scan_plain(&self, id: ObjId, at: u64, most: u64, wanted: u8) -> (u64, bool) {
        match self.page(id, at, 1) {
            Some((page, place)) => {
                let (n, found) = page.scan_plain(place, most.min(FLAT) as usize, wanted);
                (n as u64, found)
            }
            None => (0, false),
        }
    }

    /// Calls `f` with the provenance of every address in the object.
    pub fn for_each_prov(&self, id: ObjId, mut f: impl FnMut(Prov)) {
        match &self.objects[id.index()].storage {
            Storage::Untouched => {}
            Storage::Flat(page) => page.for_each_prov(f),
            Storage::Paged(pages) => pages.values().for_each(|page| page.for_each_prov(&mut f)),
        }
    }
}

fn whole_address(bytes: &[Byte], word: usize, wanted: Prov) -> Option<u128> {
    let mut all = [0u8; 16];
    for (place, byte) in bytes.get(..word)?.iter().enumerate() {
        match byte {
            Byte::Address { byte, prov, index } if *prov == wanted && *index as usize == place => {
                all[place] = *byte;
            }
            _ => return None,
        }
    }
    Some(u128::from_le_bytes(all))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site() -> Site {
        Site { span: Span::NONE, func: None, step: 0 }
    }

    fn heap(memory: &mut Memory, size: u64) -> ObjId {
        memory.create(size, 16, ObjectKind::Heap, Fresh::Uninit, site()).unwrap()
    }

    #[test]
    fn huge_objects_cost_only_what_is_touched() {
        let mut memory = Memory::new(Target::Lp64, 1 << 20);
        let id = heap(&mut memory, 1 << 40);
        memory.write_plain(id, (1 << 40) - 8, 8, 42).unwrap();
        assert_eq!(memory.read_plain(id, (1 << 40) - 8, 8), Some(42));
        // Across two pages.
        memory.write_plain(id, FLAT - 4, 8, 0x0102_0304_0506_0708).unwrap();
        assert_eq!(memory.byte(id, FLAT), Byte::Plain(4));
        assert!(memory.fill(id, 0, 1 << 30, 0).is_err());
    }

    #[test]
    fn copies_keep_addresses_and_uninitialised_bytes() {
        let mut memory = Memory::new(Target::Lp64, 1 << 20);
        let (a, b) = (heap(&mut memory, 24), heap(&mut memory, 24));
        let prov = Prov::Object(b);
        memory.write_address(a, 8, 8, 77, prov).unwrap();
        memory.copy((b, 0), (a, 0), 24).unwrap();
        assert_eq!(memory.read_slot(b, 8), Some((77, prov)));
        assert_eq!(memory.byte(b, 0), Byte::Uninit);
        memory.copy((a, 1), (a, 8), 8).unwrap();
        assert_eq!(memory.byte(a, 1), Byte::Address { byte: 77, prov, index: 0 });
        memory.copy((a, 16), (a, 1), 8).unwrap();
        assert_eq!(memory.read_slot(a, 16), Some((77, prov)));
    }

    /// The same bytes, one by one.
    fn slowly(memory: &mut Memory, to: (ObjId, u64), from: (ObjId, u64), n: u64) {
        let bytes: Vec<Byte> = (0..n).map(|i| memory.byte(from.0, from.1 + i)).collect();
        memory.put_bytes(to.0, to.1, &bytes).unwrap();
    }

    #[test]
    fn copies_of_any_place_and_length_are_those_of_single_bytes() {
        for size in [64, 3 * FLAT] {
            let make = || {
                let mut memory = Memory::new(Target::Lp64, 1 << 30);
                let a = heap(&mut memory, size);
                let b = heap(&mut memory, size);
                let middle = if size > FLAT { FLAT - 24 } else { 0 };
                for index in [0, 1, 4, 5] {
                    memory
                        .write_address(a, middle + 8 * index, 8, 100 + u128::from(index), Prov::Object(b))
                        .unwrap();
                }
                memory.write_address(a, middle + 19, 8, 7, Prov::Object(a)).unwrap();
                memory.write_plain(a, middle + 50, 3, 0x030201).unwrap();
                (memory, a, b, middle)
            };
            for (n, from, by) in [
                (8, 0, 8),
                (8, 8, -8),
                (40, 0, 8),
                (40, 8, -8),
                (24, 3, 5),
                (24, 9, -4),
                (31, 0, 16),
                (48, 0, 1),
            ] {
                for same in [true, false] {
                    let ((mut fast, a, b, middle), (mut slow, ..)) = (make(), make());
                    let to = (if same { a } else { b }, (middle + from).wrapping_add_signed(by));
                    fast.copy(to, (a, middle + from), n).unwrap();
                    slowly(&mut slow, to, (a, middle + from), n);
                    for at in middle..middle + 64 {
                        for id in [a, b] {
                            assert_eq!(
                                fast.byte(id, at),
                                slow.byte(id, at),
                                "{size} {n} {from} {by} {same} {at}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn addresses_are_found_back() {
        let mut memory = Memory::new(Target::Ilp32, 1 << 20);
        let (a, b) = (heap(&mut memory, 5), heap(&mut memory, 0));
        let (at_a, at_b) = (memory.get(a).base, memory.get(b).base);
        assert_eq!(memory.at_address(at_a + 5), Some(a));
        assert_eq!(memory.at_address(at_a + 6), None);
        assert_eq!(memory.at_address(at_b), Some(b));
        assert_eq!(memory.at_address(0), None);
        assert!(at_b < 1 << 32);
    }
}
