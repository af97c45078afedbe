//! Access to an element of a table: its row is taken apart before and after it.

use crate::access::Access;
use crate::graph::{ObjId, Object, State, Storage, Val};
use crate::relation::Form;
use crate::rows::Table;
use crate::step::{Executor, advance, assign};
use crate::trouble::Trouble;
use heapproof_ir::{CmpOp, Reg};
use heapproof_numbers::Linear;

/// Configurations in which an element stands alone, with its part and the offset in it.
pub type Opened = Vec<(State, ObjId, u64)>;

impl Executor<'_> {
    /// True if an access goes through a table. An array that is used as one of pointers at an unknown index becomes one.
    pub fn goes_by_rows(
        &self,
        state: &mut State,
        ptr: Val,
        (obj, lo, hi): (ObjId, u64, u64),
        len: u64,
        pointer: bool,
    ) -> bool {
        let object = state.object(obj);
        if matches!(object.storage, Storage::Arguments | Storage::Foreign | Storage::Constant)
            || object.begin.is_some()
        {
            return false;
        }
        if state.table_at(obj, lo, lo + len).is_some() {
            return true;
        }
        let holds = |object: &Object| object.cells.values().any(|cell| state.target(cell.val).is_some());
        if lo == hi || !(pointer || holds(object)) {
            return false;
        }
        if !state.rows {
            let mut there = object.cells.range(object.cell_before(lo)..hi.saturating_add(len));
            let holds = there.any(|(off, cell)| off + cell.len > lo && state.target(cell.val).is_some());
            self.wants_rows.set(self.wants_rows.get() || pointer || holds);
            return false;
        }
        self.wants_rows.set(true);
        let layout = state.layout(obj, ptr, len, (lo, hi));
        layout.is_some_and(|(base, stride, end)| state.make_table(obj, base, stride, end))
    }

    /// The elements of a table that an access may mean; none if it means no table.
    pub fn opened(
        &self,
        state: &State,
        ptr: Val,
        place: &Access,
        len: u64,
    ) -> Result<Option<Opened>, Trouble> {
        let (obj, lo, hi) = match place {
            Access::At(obj, off) => (*obj, *off, *off),
            Access::Between(obj, lo, hi) => (*obj, *lo, *hi),
            Access::Again(_) => return Ok(None),
        };
        if len == 0 || !state.rows || !state.has_table(obj) {
            return Ok(None);
        }
        let Some(table) = state.table_at(obj, lo, lo + len) else {
            let beside = state
                .tables_of(obj)
                .iter()
                .all(|table| hi + len <= table.base || lo >= table.base.saturating_add(table.len));
            return if beside { Ok(None) } else { self.not_covered(state, ODD) };
        };
        // In this table: an object may have several.
        let end = table.base.saturating_add(table.len);
        let inside = hi.saturating_add(len) <= end || state.to_the_end(&table);
        let found = state.element_index(&table, ptr, len).filter(|_| inside);
        let opened = found.and_then(|(index, field)| {
            let states = state.singled_out(&table, &index)?;
            Some(states.into_iter().map(|(state, part)| (state, part, field)).collect())
        });
        match opened {
            Some(opened) => Ok(Some(opened)),
            None => self.not_covered(state, ODD),
        }
    }

    /// Reads an element of a table; none if it is no element.
    pub fn load_element(
        &self,
        state: &State,
        dst: Reg,
        ptr: Val,
        place: &Access,
        (len, width): (u64, u8),
    ) -> Result<Option<Vec<State>>, Trouble> {
        let Some(opened) = self.opened(state, ptr, place, len)? else { return Ok(None) };
        let mut next = Vec::new();
        for (mut state, part, off) in opened {
            let first = state.read(part, off, len);
            // Whoever goes on with the address of an object that may be absent makes lists of such objects.
            let cases = match first {
                Val::Addr(addr) if state.object(addr.obj).maybe => state.split_maybe(addr.obj),
                _ => vec![state],
            };
            for mut state in cases {
                let val = state.read(part, off, len);
                if state.target(val).is_some() {
                    state.object_mut(part).taken = true;
                }
                let val = if state.has_width(val, width) { val } else { state.unknown(width) };
                next.push(assign(state, dst, val));
            }
        }
        Ok(Some(next))
    }

    /// Writes an element of a table; none if it is no element.
    pub fn store_element(
        &self,
        state: &State,
        val: Val,
        ptr: Val,
        place: &Access,
        len: u64,
    ) -> Result<Option<Vec<State>>, Trouble> {
        let Some(opened) = self.opened(state, ptr, place, len)? else { return Ok(None) };
        let written = opened.into_iter().map(|(mut state, part, off)| {
            state.write(part, off, len, val);
            if let Access::At(obj, _) | Access::Between(obj, ..) = place {
                state.set_text(*obj, None);
            }
            state.object_mut(part).taken = false;
            advance(state)
        });
        Ok(Some(written.collect()))
    }
}

const ODD: &str = "an access to an array of pointers that is none to one of its elements";

impl State {
    /// True if a table ends where its object ends.
    fn to_the_end(&self, table: &Table) -> bool {
        table.len == crate::rows::TO_THE_END
    }

    /// The cases of an index into a table: in each, one part is the element. The index lies inside the table.
    fn singled_out(&self, table: &Table, index: &Form) -> Option<Vec<(State, ObjId)>> {
        let parts = self.parts(table);
        let mut rest = self.clone();
        let all = parts
            .iter()
            .try_fold(Linear::constant(0), |sum: Form, part| sum.plus(&self.part_length(*part)?, 1))?;
        rest.assume_forms(CmpOp::Eq, &all, &self.count(table)?);
        let mut results = Vec::new();
        let mut start: Form = Linear::constant(0);
        let mut holder = (table.obj, table.base);
        for (at, &part) in parts.iter().enumerate() {
            let length = self.part_length(part)?;
            let end = start.plus(&length, 1)?;
            let before = index.plus(&start, -1)?;
            let last = at + 1 == parts.len();
            let decided = if last { Some(true) } else { rest.decide_forms(CmpOp::Slt, index, &end) };
            if decided != Some(false) {
                let mut inside = rest.clone();
                let after =
                    length.plus(&before, -1)?.plus(&Linear::constant(1 - i128::from(fault!(67))), -1)?;
                // The only index of an element that stands alone is where it begins.
                let alone = self.object(part).seg.is_none() && !fault!(67);
                if inside.assume_forms(CmpOp::Slt, index, &end)
                    && (!alone || inside.assume_forms(CmpOp::Eq, index, &start))
                    && let Some(element) = inside.single_out(holder, part, &before, &after)
                {
                    results.push((inside, element));
                }
            }
            if decided == Some(true) || fault!(69) || !rest.assume_forms(CmpOp::Sge, index, &end) {
                break;
            }
            (holder, start) = ((part, table.stride), end);
        }
        #[cfg(test)]
        crate::audit::covers("single_out", self, &results.iter().map(|(state, _)| state).collect::<Vec<_>>());
        Some(results)
    }

    /// Takes the element out of a part that has so many elements before and after it there. None if there can be no element.
    fn single_out(
        &mut self,
        holder: (ObjId, u64),
        part: ObjId,
        before: &Form,
        after: &Form,
    ) -> Option<ObjId> {
        let Some(seg) = self.object(part).seg else { return Some(part) };
        let none = Linear::constant(0);
        let first = self.is_at_most(before, &none, 0);
        if first || fault!(121) {
            // Which element it is stays known, even if the index is used no more.
            self.assume_forms(CmpOp::Eq, before, &none);
        }
        let front = (!first).then(|| self.duplicate(part));
        let element = self.materialise_first(part, None)?;
        if let Some(front) = front {
            let ptr = self.pointer_bytes();
            let (link, first) = (self.part_link(element), self.part_link(front));
            self.object_mut(front).put(seg.next, ptr, link);
            if let Some(cell) = self.object_mut(holder.0).cells.get_mut(&holder.1) {
                cell.val = first;
            }
            self.set_row_length(front, before);
        }
        self.set_row_length(part, after);
        if self.is_at_most(after, &none, 0) {
            self.assume_forms(CmpOp::Eq, after, &none);
            self.remove(part);
        }
        Some(element)
    }

    pub fn set_row_length(&mut self, row: ObjId, length: &Form) {
        let number = self.length_number(length, true);
        let some = self.is_at_most(&Linear::constant(1), length, 0);
        let object = self.object_mut(row);
        object.length = Some(number);
        if let Some(seg) = &mut object.seg {
            seg.min = u32::from(some);
        }
    }
}
