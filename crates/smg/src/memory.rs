//! Reading and writing objects: read and write reinterpretation (section 3.1 of the paper).
//!
//! Known numbers can be taken apart into bytes; addresses and symbols are read back only as they were written. What
//! cannot be expressed becomes an unknown number, which over-approximates it.

use crate::graph::{Cell, Def, ObjId, Object, State, Sym, Val};
use crate::number::Range;
use std::collections::BTreeSet;

/// The longest value that is stored as one number.
const LONGEST: u64 = 16;

impl Object {
    /// What a field holds, if that is known without adding anything to the graph.
    pub fn peek(&self, off: u64, len: u64) -> Option<Val> {
        match self.cells.get(&off) {
            Some(cell) if cell.len == len => return Some(cell.val),
            _ => {}
        }
        if len > LONGEST {
            return self.is_zero(off, len).then_some(Val::ZERO);
        }
        let mut number = 0u128;
        for index in 0..len {
            number |= u128::from(self.byte(off + index)?) << (8 * index);
        }
        Some(Val::Int(number))
    }

    /// A byte that is known as a number.
    fn byte(&self, at: u64) -> Option<u8> {
        if self.is_zero(at, 1) {
            return Some(0);
        }
        let (&start, cell) = self.cells.range(..=at).next_back()?;
        match cell.val {
            Val::Int(number) if at < start + cell.len => Some((number >> (8 * (at - start))) as u8),
            _ => None,
        }
    }

    /// Where the last thing ends that is known about it; at least its size.
    pub fn known_end(&self) -> u64 {
        if fault!(43) {
            return self.size;
        }
        let cell = self.cells.last_key_value().map_or(0, |(start, cell)| start + cell.len);
        let zero = self.zeros.last_key_value().map_or(0, |(_, end)| *end);
        self.size.max(cell).max(zero)
    }

    /// True if a block is nullified.
    pub fn is_zero(&self, off: u64, len: u64) -> bool {
        self.zeros.range(..=off).next_back().is_some_and(|(_, &end)| off + len <= end)
    }

    /// True if nothing at all is known about a block.
    fn is_blank(&self, off: u64, len: u64) -> bool {
        let touched = |start: u64, end: u64| start < off + len && off < end;
        !self.cells.range(..off + len).next_back().is_some_and(|(&s, c)| touched(s, s + c.len))
            && !self.zeros.range(..off + len).next_back().is_some_and(|(&s, &e)| touched(s, e))
    }

    /// Where the cell begins that may reach into what follows an offset, or the offset.
    pub fn cell_before(&self, off: u64) -> u64 {
        self.cells.range(..off).next_back().map_or(off, |(start, _)| *start)
    }

    /// Forgets a block. What sticks out of it is kept where it is known as numbers.
    pub fn erase(&mut self, off: u64, len: u64) {
        let end = off + len;
        if self.text.is_some_and(|text| end > text.start) {
            self.text = None;
        }
        let hit: Vec<(u64, Cell)> = self
            .cells
            .range(self.cell_before(off)..end)
            .filter(|(start, cell)| **start + cell.len > off)
            .map(|(start, cell)| (*start, *cell))
            .collect();
        for (start, cell) in hit {
            self.cells.remove(&start);
            if let Val::Int(number) = cell.val {
                self.put_bytes(start, off.max(start), number, start);
                self.put_bytes(end.min(start + cell.len), start + cell.len, number, start);
            }
        }
        let hit: Vec<(u64, u64)> =
            self.zeros.range(..end).filter(|(_, e)| **e > off).map(|(s, e)| (*s, *e)).collect();
        for (start, stop) in hit {
            self.zeros.remove(&start);
            if start < off {
                self.zeros.insert(start, off);
            }
            if end < stop {
                self.zeros.insert(end, stop);
            }
        }
    }

    /// Stores the bytes from `from` to `to` of a number that starts at `start`.
    fn put_bytes(&mut self, from: u64, to: u64, number: u128, start: u64) {
        for at in from..to {
            match (number >> (8 * (at - start))) as u8 {
                0 => self.nullify(at, 1),
                byte => {
                    self.cells.insert(at, Cell { len: 1, val: Val::Int(u128::from(byte)) });
                }
            }
        }
    }

    /// Adds a nullified block to what was erased before, joined with its neighbours.
    fn nullify(&mut self, off: u64, len: u64) {
        let (mut start, mut end) = (off, off + len);
        if let Some((&s, &e)) = self.zeros.range(..=start).next_back()
            && e >= start
        {
            start = s;
            end = end.max(e);
        }
        while let Some((&s, &e)) = self.zeros.range(start..=end).next() {
            self.zeros.remove(&s);
            end = end.max(e);
        }
        self.zeros.insert(start, end);
    }

    /// Writes a field.
    pub fn put(&mut self, off: u64, len: u64, val: Val) {
        let kept = fault!(31).then(|| self.zeros.clone());
        self.erase(off, len);
        if let Some(kept) = kept {
            self.zeros = kept;
        }
        if val == Val::ZERO {
            self.nullify(off, len);
        } else {
            self.cells.insert(off, Cell { len, val });
        }
    }
}

impl State {
    /// Reads a field; an unknown field gets a symbol, so that reading it again gives the same.
    pub fn read(&mut self, id: ObjId, off: u64, len: u64) -> Val {
        let object = self.object(id);
        if let Some(val) = object.peek(off, len) {
            return val;
        }
        let width = (len * 8).min(128) as u8;
        if len > LONGEST || !object.is_blank(off, len) {
            return self.unknown(width);
        }
        let uninit = object.fresh;
        let sym = Sym {
            width,
            range: Range::full(width),
            not: BTreeSet::new(),
            def: Def::Free,
            functions: BTreeSet::new(),
            level: 0,
            uninit,
            depth: 0,
        };
        let val = Val::Sym(self.add_sym(sym));
        self.object_mut(id).cells.insert(off, Cell { len, val });
        val
    }

    /// Writes a field.
    pub fn write(&mut self, id: ObjId, off: u64, len: u64, val: Val) {
        self.object_mut(id).put(off, len, val);
    }

    /// Sets a block to a byte; an unknown byte gives unknown content.
    pub fn fill(&mut self, id: ObjId, off: u64, len: u64, byte: Option<u8>) {
        let object = self.object_mut(id);
        object.erase(off, len);
        match byte {
            Some(0) if len > 0 => object.put(off, len, Val::ZERO),
            // Longer blocks of other bytes are unknown: rare, and never pointers.
            Some(byte) if len <= 256 => {
                for at in off..off + len {
                    object.cells.insert(at, Cell { len: 1, val: Val::Int(u128::from(byte)) });
                }
            }
            _ => object.fresh = false,
        }
    }

    /// Copies a block; the areas may overlap.
    pub fn copy(&mut self, from: (ObjId, u64), to: (ObjId, u64), len: u64) {
        let source = self.object(from.0);
        let inside = |start: u64, stop: u64| from.1 <= start && stop <= from.1 + len;
        let cells: Vec<(u64, Cell)> = source
            .cells
            .range(from.1..from.1 + len)
            // Two arrays do not have one table.
            .filter(|(start, cell)| {
                inside(**start, **start + cell.len) && (self.part(cell.val).is_none() || fault!(70))
            })
            .map(|(start, cell)| (start - from.1, *cell))
            .collect();
        let zeros: Vec<(u64, u64)> = source
            .zeros
            .iter()
            .map(|(start, stop)| ((*start).max(from.1), (*stop + u64::from(fault!(32))).min(from.1 + len)))
            .filter(|(start, stop)| start < stop)
            .map(|(start, stop)| (start - from.1, stop - from.1))
            .collect();
        let fresh = source.fresh && !self.has_table(from.0);
        let target = self.object_mut(to.0);
        target.erase(to.1, len);
        target.fresh &= fresh;
        for (start, stop) in zeros {
            target.put(to.1 + start, stop - start, Val::ZERO);
        }
        for (start, cell) in cells {
            target.put(to.1 + start, cell.len, cell.val);
        }
    }
}
