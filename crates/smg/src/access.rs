//! Where an access goes, and whether it stays inside its object (sections 2.2 and 3.5 of the paper).

use crate::graph::{Addr, Def, ObjId, Object, State, Storage, SymId, Tg, Val};
use crate::number::{Range, bits};
use crate::step::{Executor, Parts};
use crate::trouble::Trouble;
use heapproof_engine::BadAccess;
use heapproof_ir::CmpOp;

/// Where an access goes.
pub enum Access {
    /// To one place.
    At(ObjId, u64),
    /// Somewhere between two offsets.
    Between(ObjId, u64, u64),
    /// It depends: do it again in each of these configurations.
    Again(Vec<State>),
}
/// At most this many positions of an unknown index are told apart.
const MOST_POSITIONS: i128 = 40;

impl Executor<'_> {
    /// A block of an object gets unknown content, a value among it. Addresses there are forgotten: what only they lead to counts as lost.
    pub fn blur(&self, state: &mut State, obj: ObjId, lo: u64, hi: u64, val: Option<Val>) {
        let cells = state.object(obj).cells.range(state.object(obj).cell_before(lo)..hi);
        let held = cells.filter(|(off, cell)| *off + cell.len > lo).map(|(_, cell)| cell.val);
        let targets: Vec<ObjId> = held.chain(val).filter_map(|val| state.target(val)).collect();
        for target in &targets {
            state.object_mut(*target).hidden = true;
        }
        let object = state.object_mut(obj);
        object.vague |= !targets.is_empty();
        if lo < hi {
            object.erase(lo, hi - lo);
        }
    }

    /// A pointer that is read where addresses were forgotten may be one of them.
    pub fn check_vague(&self, state: &State, obj: ObjId, known: bool, len: u64) -> Result<(), Trouble> {
        if state.object(obj).vague && !known && len >= state.pointer_bytes() {
            return self.not_covered(state, "an address at an unknown place of an array");
        }
        Ok(())
    }

    /// Where an access of some bytes goes, if it is fine.
    pub fn access(&self, state: &mut State, ptr: Val, len: u64, write: bool) -> Result<Access, Trouble> {
        self.access_of(state, ptr, len, write, false)
    }

    /// Where an access of some bytes goes, which may be a pointer, if it is fine.
    pub fn access_of(
        &self,
        state: &mut State,
        ptr: Val,
        len: u64,
        write: bool,
        pointer: bool,
    ) -> Result<Access, Trouble> {
        if len == 0 {
            return Ok(Access::At(ObjId(u32::MAX), 0));
        }
        let (obj, lo, hi) = match self.resolve_half(state, ptr, write)? {
            Ok(place) => place,
            Err(states) => return Ok(Access::Again(states)),
        };
        self.check_half(state, obj, (lo, hi), len)?;
        let object = state.object(obj);
        let behind_start = lo >= state.first_offset(object)
            || state.offset(ptr).is_some_and(|off| {
                let by_products = || state.with_facts_of_products();
                state.is_after_begin(object, &off)
                    || by_products().is_some_and(|state| state.is_after_begin(object, &off))
            });
        if !behind_start || !self.fits(state, ptr, object, hi, len) {
            let access = if write { heapproof_engine::Access::Write } else { heapproof_engine::Access::Read };
            let class = BadAccess::Outside.class(access);
            let what = format!(
                "an access of {len} bytes at offset {lo}{} of an object of {} bytes",
                if lo == hi { String::new() } else { format!(" to {hi}") },
                object.size
            );
            let error = self.outside(state, ptr, object, len);
            return self.suspect_if(state, class, &what, &error);
        }
        state.was_had(obj);
        if lo == hi {
            return Ok(Access::At(obj, lo as u64));
        }
        // It lies inside, whatever the range of the index says.
        let end = |off: i128| off.clamp(0, i128::from(i64::MAX)) as u64;
        if let Val::Sym(id) = ptr
            && let Def::At(_, index, _) = state.syms[&id].def
            && !self.goes_by_rows(
                state,
                ptr,
                (obj, end(state.on_steps(ptr, lo.max(0), hi).0), end(hi)),
                len,
                pointer,
            )
        {
            let range = state.possible(index);
            // Each place of a block that may be of any size is as good as any other.
            let told_apart = state.object(obj).exact;
            if told_apart
                && range.hi.saturating_sub(range.lo) < MOST_POSITIONS
                && state.syms[&index].level == 0
            {
                return Ok(Access::Again(each_number(state, index, range.lo..=range.hi)));
            }
        }
        let (lo, hi) = state.reach(ptr, lo, hi);
        Ok(Access::Between(obj, end(lo), end(hi)))
    }

    /// The live object that a pointer leads to, with the range of offsets; or the parts to look at one by one.
    pub fn resolve(
        &self,
        state: &mut State,
        ptr: Val,
        write: bool,
    ) -> Result<Parts<(ObjId, i128, i128)>, Trouble> {
        let found = self.resolve_half(state, ptr, write)?;
        if let Ok((obj, ..)) = found {
            self.check_whole(state, obj)?;
        }
        Ok(found)
    }

    /// The same, where the object may be half of a block.
    fn resolve_half(
        &self,
        state: &mut State,
        ptr: Val,
        write: bool,
    ) -> Result<Parts<(ObjId, i128, i128)>, Trouble> {
        let Some(((obj, tg), lo, hi)) = state.place(ptr) else {
            return self.bad_pointer(state, ptr, write);
        };
        if tg != Tg::Region {
            return Ok(Err(state.open(Addr { obj, off: lo as i64, tg })));
        }
        let object = state.object(obj);
        if object.maybe {
            return Ok(Err(state.split_maybe(obj)));
        }
        if !object.valid {
            let bad = match object.storage {
                Storage::Heap => BadAccess::Freed,
                Storage::Stream(_) => BadAccess::Closed,
                _ => BadAccess::Ended,
            };
            return self.bad_access(state, bad, write);
        }
        if write && matches!(object.storage, Storage::Global(_, true) | Storage::Constant) {
            return self.bad_access(state, BadAccess::Constant, write);
        }
        if write && matches!(object.storage, Storage::Foreign | Storage::Arguments) {
            return self.not_covered(state, "a string of the environment is written");
        }
        Ok(Ok((obj, lo, hi)))
    }

    /// True if an access that ends `len` bytes behind offset `hi` at the most lies inside the object.
    pub fn fits(&self, state: &State, ptr: Val, object: &Object, hi: i128, len: u64) -> bool {
        let end = hi + i128::from(len) - i128::from(fault!(39));
        if end <= i128::from(object.size) {
            return true;
        }
        if let Some(size) = object.size_sym
            && end
                <= state
                    .range(Val::Sym(size), state.pointer_bits())
                    .lo
                    .saturating_mul(state.size_unit(object).into())
        {
            return true;
        }
        let (Some(offset), Some(size)) = (state.offset(ptr), state.size_form(object)) else { return false };
        let least = i128::from(len) - i128::from(fault!(45));
        state.is_at_most(&offset, &size, least)
            || state.with_facts_of_products().is_some_and(|state| state.is_at_most(&offset, &size, least))
    }

    /// The indices with which an access lies outside an object; none if there are others or no index.
    fn outside(&self, state: &State, ptr: Val, object: &Object, len: u64) -> Vec<(CmpOp, u8, Val, Val)> {
        let Val::Sym(id) = ptr else { return Vec::new() };
        let Def::At(base, index, scale) = state.syms[&id].def else { return Vec::new() };
        if scale <= 0 || !object.exact || object.begin.is_some() {
            return Vec::new();
        }
        let width = state.pointer_bits();
        let (off, scale) = (i128::from(base.off), i128::from(scale));
        let least = (-off + scale - 1).div_euclid(scale);
        let most = (i128::from(object.size) - i128::from(len) - off).div_euclid(scale);
        let number = |n: i128| Val::Int(bits(n, width));
        vec![
            (CmpOp::Slt, width, Val::Sym(index), number(least)),
            (CmpOp::Sgt, width, Val::Sym(index), number(most)),
        ]
    }

    fn bad_pointer<T>(&self, state: &State, ptr: Val, write: bool) -> Result<T, Trouble> {
        let bad = match ptr {
            Val::Int(0..4096) => BadAccess::Null,
            Val::Int(_) => BadAccess::Number,
            Val::Func(_) => BadAccess::Function,
            _ => BadAccess::Unknown,
        };
        self.bad_access(state, bad, write)
    }

    /// An access may be wrong.
    fn bad_access<T>(&self, state: &State, bad: BadAccess, write: bool) -> Result<T, Trouble> {
        let access = if write { heapproof_engine::Access::Write } else { heapproof_engine::Access::Read };
        self.suspect(state, bad.class(access), bad.suspected())
    }
}

impl State {
    /// From which offset to which an address inside its object may lead, by what is known of several numbers together, too. Both
    /// are offsets that some index has.
    pub fn reach(&self, ptr: Val, lo: i128, hi: i128) -> (i128, i128) {
        let bounds = self.offset(ptr).and_then(|offset| self.bounds(&offset));
        let both = bounds.and_then(|bounds| bounds.meet(Range { lo, hi }));
        let (lo, hi) = both.map_or((lo, hi), |range| (range.lo, range.hi));
        self.on_steps(ptr, lo.max(0), hi)
    }

    /// The first and the last offset between two that an index has: a bound of a sum is a bound between rational numbers, and
    /// may lie between two elements. Unchanged if there is none.
    fn on_steps(&self, ptr: Val, lo: i128, hi: i128) -> (i128, i128) {
        let Val::Sym(id) = ptr else { return (lo, hi) };
        let Def::At(base, _, scale) = self.syms[&id].def else { return (lo, hi) };
        let (base, step) = (i128::from(base.off), i128::from(scale.unsigned_abs()).max(1));
        let first = lo + (base - lo).rem_euclid(step);
        let last = hi - (hi - base).rem_euclid(step);
        if first <= last && !fault!(143) { (first, last) } else { (lo, hi) }
    }

    /// The range of a number, by what is known of several numbers together, too.
    fn possible(&self, id: SymId) -> Range {
        let range = self.range(Val::Sym(id), self.pointer_bits());
        let bounds = self.form_of(id).and_then(|form| self.bounds(&form));
        let mut possible = bounds.and_then(|bounds| bounds.meet(range)).unwrap_or(range);
        if fault!(71) && possible.lo < possible.hi {
            possible.hi -= 1;
        }
        possible
    }
}

/// One configuration for each value of an unknown number.
fn each_number(state: &State, sym: SymId, numbers: impl IntoIterator<Item = i128>) -> Vec<State> {
    numbers
        .into_iter()
        .filter_map(|number| {
            let mut state = state.clone();
            state.restrict(sym, Range::one(number)).then_some(state)
        })
        .collect()
}
