//! Symbolic execution of what concerns whole blocks of bytes, and reads from tables at an unknown index.

use crate::access::Access;
use crate::graph::{Def, ObjId, Object, State, Storage, SymId, Val};
use crate::number::Range;
use crate::relation::Form;
use crate::step::{Executor, Parts};
use crate::trouble::Trouble;
use heapproof_ir::{CmpOp, CopyKind, mask};
use heapproof_verdict::{ErrorClass, Property};
use std::collections::BTreeSet;

/// At most this many entries of a table are looked at.
const MOST_ENTRIES: u64 = 4096;

/// At most this many different values of a table are told apart.
const MOST_VALUES: usize = 16;

/// A configuration after an effect, or one in which the instruction is to be executed again.
pub enum Done {
    /// The effect happened.
    Now(State),
    /// Do it again.
    Again(State),
}

impl Done {
    /// Goes on with the next instruction, or executes this one again.
    pub fn retry_or(self, f: impl FnOnce(State) -> State) -> State {
        match self {
            Done::Now(state) => f(state),
            Done::Again(state) => state,
        }
    }
}

impl State {
    /// True if a value can be in a register of a width.
    pub fn has_width(&self, val: Val, width: u8) -> bool {
        match val {
            Val::Sym(id) => self.syms[&id].width == width,
            Val::Int(n) => n & mask(width) == n,
            Val::Addr(_) | Val::Func(_) => width == self.pointer_bits(),
        }
    }

    /// The width of a value whose type is not that of the function that it is given to: the program may have declared
    /// the function in its own way.
    pub fn own_width(&self, val: Val) -> u8 {
        match val {
            Val::Sym(id) => self.syms[&id].width,
            Val::Int(_) => 128,
            Val::Addr(_) | Val::Func(_) => self.pointer_bits(),
        }
    }

    /// The bytes that an object has at least.
    pub fn least_size(&self, obj: ObjId) -> u64 {
        let object = self.object(obj);
        let known = object.size_sym.map_or(0, |size| self.range(Val::Sym(size), self.pointer_bits()).lo);
        let known = u64::try_from(known).unwrap_or(0).saturating_mul(self.size_unit(object));
        object.size.max(known)
    }

    /// True if the program has a block whose size is not known.
    pub fn has_unknown_size(&self) -> bool {
        self.objects.values().any(|object| {
            object.size_sym.is_some()
                && object.valid
                && !matches!(object.storage, Storage::Arguments | Storage::Foreign)
        })
    }

    /// Sets the size of a new block as a number, where it is not known exactly.
    pub fn set_size(&mut self, block: Val, size: Option<SymId>) {
        if let (Val::Addr(addr), Some(_)) = (block, size) {
            self.object_mut(addr.obj).size_sym = size;
        }
    }

    /// A block is accessed: it was had, so it is no larger than blocks are.
    pub fn was_had(&mut self, block: ObjId) {
        let (object, sizes) = (self.object(block), self.sizes_of_blocks());
        if object.storage == Storage::Heap
            && let Some(size) = object.size_sym
            && self.syms[&size].level == 0
            && !sizes.covers(self.range(Val::Sym(size), self.pointer_bits()))
        {
            self.restrict(size, sizes);
        }
    }

    /// The sizes that blocks have on the machine.
    pub fn sizes_of_blocks(&self) -> Range {
        let hi = if self.pointer_bytes() == 8 { 1 << 46 } else { i32::MAX.into() };
        Range { lo: 0, hi }
    }

    /// How many bytes are one in the size of an object that is a number.
    pub fn size_unit(&self, object: &Object) -> u64 {
        if object.storage == Storage::Arguments { self.pointer_bytes() } else { 1 }
    }
}

impl State {
    /// True if two areas of one object surely do not overlap, or are the same where that is allowed.
    fn are_apart(&self, kind: CopyKind, to: Val, from: Val, len: Val) -> bool {
        let len = self.form(len, self.pointer_bits());
        let (Some(to), Some(from), Some(len)) = (self.offset(to), self.offset(from), len) else {
            return false;
        };
        let ends_before = |a: &Form, b: &Form| a.plus(&len, 1).is_some_and(|end| self.is_at_most(&end, b, 0));
        let same = kind == CopyKind::Struct && self.decide_forms(CmpOp::Eq, &to, &from) == Some(true);
        same || ends_before(&to, &from) || ends_before(&from, &to)
    }

    /// True if an area surely ends before another place of its object.
    pub fn ends_before(&self, at: Val, len: Val, other: Val) -> bool {
        let len = self.form(len, self.pointer_bits());
        let (Some(at), Some(len), Some(other)) = (self.offset(at), len, self.offset(other)) else {
            return false;
        };
        at.plus(&len, 1).is_some_and(|end| self.is_at_most(&end, &other, 0))
    }

    /// The size of an object in bytes, as a form.
    pub fn size_form(&self, object: &Object) -> Option<Form> {
        match object.size_sym {
            _ if object.exact => Some(Form::constant(object.size.into())),
            Some(size) => self.form_of(size)?.times(self.size_unit(object).into()),
            None => None,
        }
    }
}

impl Executor<'_> {
    /// All values that a table may give at an unknown index; which index gives which is not kept.
    pub fn table(
        &self,
        state: &mut State,
        ptr: Val,
        (obj, lo, hi): (ObjId, u64, u64),
        len: u64,
        width: u8,
    ) -> BTreeSet<Val> {
        let unknown = BTreeSet::from([state.unknown(width)]);
        let (base, step) = match ptr {
            Val::Sym(id) => match state.syms[&id].def {
                Def::At(base, _, scale) => (base.off, scale.unsigned_abs()),
                _ => return unknown,
            },
            _ => return unknown,
        };
        // Where the first offset is none that an index has, the others are none either.
        let is_element = |off: u64| (i128::from(off) - i128::from(base)).rem_euclid(i128::from(step)) == 0;
        if step == 0 || hi < lo || (hi - lo) / step >= MOST_ENTRIES || !(is_element(lo) || fault!(143)) {
            return unknown;
        }
        let object = state.object(obj);
        let mut values = BTreeSet::new();
        for off in (lo..=hi).step_by(step as usize) {
            match object.peek(off, len).filter(|val| state.has_width(*val, width)) {
                Some(val) if values.len() < MOST_VALUES => values.insert(val),
                _ => return unknown,
            };
        }
        values
    }

    /// Copies a block; `Ok` configurations that must be executed again are marked as such.
    pub fn copy_block(
        &self,
        mut state: State,
        kind: CopyKind,
        to: Val,
        from: Val,
        len: Val,
    ) -> Result<Vec<Done>, Trouble> {
        let Some(len) = state.known(len) else { return self.copy_unknown(state, kind, to, from, len) };
        let len = len as u64;
        if len == 0 {
            return Ok(vec![Done::Now(state)]);
        }
        let source = match self.access(&mut state, from, len, false)? {
            Access::Again(states) => return Ok(states.into_iter().map(Done::Again).collect()),
            place => place,
        };
        let target = match self.access(&mut state, to, len, true)? {
            Access::Again(states) => return Ok(states.into_iter().map(Done::Again).collect()),
            place => place,
        };
        if let Some(done) = self.copy_element(&state, (to, &target), (from, &source), (len, kind))? {
            return Ok(done);
        }
        let (source, target) = match (source, target) {
            (Access::At(from, start), Access::At(to, off)) => ((from, start), (to, off)),
            _ => return self.copy_unknown(state, kind, to, from, Val::Int(u128::from(len))),
        };
        let overlap = source.0 == target.0 && source.1 < target.1 + len && target.1 < source.1 + len;
        let allowed = match kind {
            CopyKind::Move => true,
            CopyKind::Struct => source == target,
            CopyKind::Disjoint => false,
        };
        if overlap && !allowed && self.asks(Property::NoOverlap) {
            return self.suspect(&state, ErrorClass::OverlappingCopy, "the areas overlap");
        }
        state.copy(source, target, len);
        Ok(vec![Done::Now(state)])
    }

    /// Sets a block.
    pub fn fill_block(&self, mut state: State, to: Val, byte: Val, len: Val) -> Result<Vec<Done>, Trouble> {
        let Some(len) = state.known(len) else { return self.fill_unknown(state, to, byte, len) };
        let len = len as u64;
        if len == 0 {
            return Ok(vec![Done::Now(state)]);
        }
        match self.access(&mut state, to, len, true)? {
            Access::Again(states) => Ok(states.into_iter().map(Done::Again).collect()),
            Access::At(obj, off) => {
                let byte = match byte {
                    Val::Int(n) => Some(n as u8),
                    _ => None,
                };
                state.fill(obj, off, len, byte);
                Ok(vec![Done::Now(state)])
            }
            Access::Between(..) => self.fill_unknown(state, to, byte, Val::Int(u128::from(len))),
        }
    }

    /// Where a block of unknown size lies: object, offset, and the bytes that are surely and possibly in it, as far as the
    /// object's content is known.
    pub fn extent(
        &self,
        state: &mut State,
        ptr: Val,
        len: Val,
        write: bool,
    ) -> Result<Parts<(ObjId, u64, u64, u64)>, Trouble> {
        if !state.is_number(len) {
            return self.not_covered(state, "a block of unknown size");
        }
        let width = state.pointer_bits();
        let range = state.range(len, width);
        let (obj, lo, hi) = match self.resolve(state, ptr, write)? {
            Err(states) => return Ok(Err(states)),
            Ok(place) => place,
        };
        let object = state.object(obj);
        let (start, bytes) = (state.offset(ptr), state.form(len, width));
        let fits = match (start, bytes, state.size_form(object)) {
            _ if lo >= state.first_offset(object)
                && range.lo >= 0
                && range.hi.saturating_add(hi) <= i128::from(object.size) =>
            {
                true
            }
            (Some(start), Some(bytes), Some(size)) => {
                state.is_after_begin(object, &start)
                    && state.is_never_negative(&bytes)
                    && start.plus(&bytes, 1).is_some_and(|end| state.is_at_most(&end, &size, 0))
            }
            _ => false,
        };
        if !fits {
            let class = if write { ErrorClass::OutOfBoundsWrite } else { ErrorClass::OutOfBoundsRead };
            return self.suspect(state, class, "a block of unknown size may not fit into the object");
        }
        if range.lo > 0 {
            state.was_had(obj);
        }
        if write {
            // The end of a string may lie behind all that is known by its place.
            state.set_text(obj, None);
        }
        let (lo, hi) = state.reach(ptr, lo, hi);
        let object = state.object(obj);
        // A block whose size is not known exactly may have content behind its least size.
        let off = lo.max(0) as u64;
        let known = object.known_end().saturating_sub(off);
        let reach = u64::try_from(range.hi.saturating_add(hi - lo.max(0))).unwrap_or(u64::MAX);
        let sure = if lo == hi { known.min(u64::try_from(range.lo).unwrap_or(0)) } else { 0 };
        Ok(Ok((obj, off, sure, known.min(reach))))
    }

    /// Sets a block of unknown size.
    fn fill_unknown(&self, mut state: State, to: Val, byte: Val, len: Val) -> Result<Vec<Done>, Trouble> {
        let (obj, off, sure, possible) = match self.extent(&mut state, to, len, true)? {
            Ok(extent) => extent,
            Err(states) => return Ok(states.into_iter().map(Done::Again).collect()),
        };
        let byte = match byte {
            Val::Int(n) => Some(n as u8),
            _ => None,
        };
        state.fill(obj, off, sure, byte);
        self.blur(&mut state, obj, off + sure, off + possible, None);
        Ok(vec![Done::Now(state)])
    }

    /// Copies a block of unknown size that holds no addresses.
    fn copy_unknown(
        &self,
        mut state: State,
        kind: CopyKind,
        to: Val,
        from: Val,
        len: Val,
    ) -> Result<Vec<Done>, Trouble> {
        let (source, at, _, bytes) = match self.extent(&mut state, from, len, false)? {
            Ok(extent) => extent,
            Err(states) => return Ok(states.into_iter().map(Done::Again).collect()),
        };
        let (obj, off, _, possible) = match self.extent(&mut state, to, len, true)? {
            Ok(extent) => extent,
            Err(states) => return Ok(states.into_iter().map(Done::Again).collect()),
        };
        let may_overlap = source == obj && kind != CopyKind::Move && !state.are_apart(kind, to, from, len);
        if !may_overlap && let Some(states) = self.copy_rows(&state, (to, obj), (from, source), len) {
            return Ok(states.into_iter().map(Done::Now).collect());
        }
        let object = state.object(source);
        let addresses = object.cells.range(object.cell_before(at)..at.saturating_add(bytes));
        if may_overlap || addresses.into_iter().any(|(_, cell)| state.target(cell.val).is_some()) {
            return self.not_covered(&state, "a block of unknown size is copied");
        }
        let text = state.copied_text(source, from, to, len).filter(|_| source != obj);
        self.blur(&mut state, obj, off, off + possible, None);
        state.object_mut(obj).fresh = false;
        state.set_text(obj, text);
        Ok(vec![Done::Now(state)])
    }
}
