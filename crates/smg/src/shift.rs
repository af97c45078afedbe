//! Copies of whole elements of tables: one element is copied as any other block, of several the rows are moved.
//!
//! Rows do not share what they have. So where several elements are copied, the place that they come from is left with elements of which
//! nothing is known.

use crate::access::Access;
use crate::block::Done;
use crate::graph::{ObjId, Object, Seg, State, Storage, Val};
use crate::relation::Form;
use crate::rows::Table;
use crate::step::Executor;
use crate::tree::Kids;
use crate::trouble::Trouble;
use crate::twins::Twins;
use heapproof_ir::{CmpOp, CopyKind};
use heapproof_numbers::Linear;

/// Elements one after the other in a table.
#[derive(Clone)]
struct Run {
    table: Table,
    start: Form,
    end: Form,
}

impl Executor<'_> {
    /// Copies at most one element, from or to a table. None if there is no table at either place.
    pub fn copy_element(
        &self,
        state: &State,
        (to, target): (Val, &Access),
        (from, source): (Val, &Access),
        (len, kind): (u64, CopyKind),
    ) -> Result<Option<Vec<Done>>, Trouble> {
        let (Some(goal), Some(origin)) = (at(target), at(source)) else { return Ok(None) };
        if !state.rows || !(state.has_table(goal.0) || state.has_table(origin.0)) {
            return Ok(None);
        }
        let mut copied = Vec::new();
        for (state, obj, off) in self.element_or_place(state, from, source, origin, len)? {
            for (mut state, to_obj, to_off) in self.element_or_place(&state, to, target, goal, len)? {
                let overlap = obj == to_obj && off < to_off + len && to_off < off + len;
                let allowed = kind == CopyKind::Move || kind == CopyKind::Struct && off == to_off;
                if overlap && !allowed || !state.objects.contains_key(&obj) {
                    return self.not_covered(&state, ODD);
                }
                state.copy((obj, off), (to_obj, to_off), len);
                state.set_text(goal.0, None);
                for (part, taken) in [(obj, true), (to_obj, false)] {
                    if state.object(part).is_part() {
                        state.object_mut(part).taken = taken;
                    }
                }
                copied.push(Done::Now(state));
            }
        }
        Ok(Some(copied))
    }

    /// The elements that an access means, or the place of an object without tables.
    fn element_or_place(
        &self,
        state: &State,
        ptr: Val,
        access: &Access,
        place: (ObjId, u64),
        len: u64,
    ) -> Result<Vec<(State, ObjId, u64)>, Trouble> {
        match self.opened(state, ptr, access, len)? {
            Some(opened) => Ok(opened),
            None if matches!(access, Access::At(..)) => Ok(vec![(state.clone(), place.0, place.1)]),
            None => self.not_covered(state, ODD),
        }
    }

    /// Copies several elements from one table to another, or within one. None if they are no such elements.
    pub fn copy_rows(
        &self,
        state: &State,
        (to, goal): (Val, ObjId),
        (from, origin): (Val, ObjId),
        len: Val,
    ) -> Option<Vec<State>> {
        if !state.rows || !state.has_table(origin) {
            return None;
        }
        let mut some = state.clone();
        if !some.has_table(goal) {
            let block = some.object(goal);
            let (stride, end) = (some.tables_of(origin).first()?.stride, block.exact.then_some(block.size));
            some.make_table(goal, 0, stride, end);
        }
        let (source, target) = (some.run(origin, from, len)?, some.run(goal, to, len)?);
        let mut results = Vec::new();
        let (none, count) = (Linear::constant(0), source.end.plus(&source.start, -1)?);
        let mut nothing = state.clone();
        if nothing.assume_forms(CmpOp::Eq, &count, &none) && !fault!(120) {
            results.push(nothing);
        }
        if some.assume_forms(CmpOp::Sge, &count, &Linear::constant(1)) {
            results.extend(some.with_moved(&source, &target, &count)?);
        }
        Some(results)
    }
}

/// The object of an access and the first offset that it may mean.
fn at(access: &Access) -> Option<(ObjId, u64)> {
    match access {
        Access::At(obj, off) => Some((*obj, *off)),
        Access::Between(obj, lo, _) => Some((*obj, *lo)),
        Access::Again(_) => None,
    }
}

const ODD: &str = "a copy from or to an array of pointers that is none of its elements";

impl State {
    /// The elements that a block of bytes is.
    fn run(&self, obj: ObjId, ptr: Val, len: Val) -> Option<Run> {
        let mut tables = self.tables_of(obj);
        let table = tables.pop().filter(|_| tables.is_empty())?;
        let (start, field) = self.element_index(&table, ptr, 1)?;
        let bytes = self.form(len, self.pointer_bits())?;
        let (count, rest) = crate::rows::divided(&bytes, table.stride)?;
        let end = start.plus(&count, 1)?;
        let inside = self.is_never_negative(&start) && self.is_at_most(&end, &self.count(&table)?, 0);
        (inside && field == 0 && rest == 0).then_some(Run { table, start, end })
    }

    /// Moves elements, of which there is at least one.
    fn with_moved(self, source: &Run, target: &Run, count: &Form) -> Option<Vec<State>> {
        if source.table.stride != target.table.stride {
            return None;
        }
        if source.table.obj != target.table.obj {
            return self.moved_between(source, target, count);
        }
        let distance = source.start.plus(&target.start, -1)?;
        let (down, up) =
            (self.is_never_negative(&distance), self.is_at_most(&distance, &Linear::constant(0), 0));
        let far = if down { distance } else { distance.plus(&distance, -2)? };
        if !(down || up) || !(self.is_at_most(&far, count, 0) || fault!(119)) {
            return None;
        }
        let (table, blank) = (&source.table, &far);
        let cuts = match down {
            true => [&target.start, &source.start, &source.end],
            false => [&source.start, &source.end, &target.end],
        };
        let mut results = Vec::new();
        for mut state in self.cut_at_all(table, &cuts)? {
            let pieces = state.pieces(table, &cuts)?;
            let [before, first, second, after] = <[Vec<ObjId>; 4]>::try_from(pieces).ok()?;
            let empty = vec![state.blank_row(table, blank, false)];
            // What is overwritten is left to itself: what only it held is lost.
            let order = if down { [before, second, empty, after] } else { [before, empty, first, after] };
            state.relink(table, &order.concat());
            results.push(state);
        }
        Some(results)
    }

    /// Moves elements to another table.
    fn moved_between(self, source: &Run, target: &Run, count: &Form) -> Option<Vec<State>> {
        let mut results = Vec::new();
        let cuts = [&source.start, &source.end];
        let goals = [&target.start, &target.end];
        for state in self.cut_at_all(&source.table, &cuts)? {
            for mut state in state.cut_at_all(&target.table, &goals)? {
                let taken = state.pieces(&source.table, &cuts)?;
                let lost = state.pieces(&target.table, &goals)?;
                let ([before, moved, after], [first, _, last]) =
                    (<[Vec<ObjId>; 3]>::try_from(taken).ok()?, <[Vec<ObjId>; 3]>::try_from(lost).ok()?);
                let empty = vec![state.blank_row(&source.table, count, false)];
                state.relink(&source.table, &[before, empty, after].concat());
                state.relink(&target.table, &[first, moved, last].concat());
                results.push(state);
            }
        }
        Some(results)
    }

    /// The cases in which parts begin at these indices, in ascending order, or the table ends there.
    fn cut_at_all(&self, table: &Table, cuts: &[&Form]) -> Option<Vec<State>> {
        let mut states = vec![self.clone()];
        for index in cuts {
            let mut next = Vec::new();
            for state in states {
                next.extend(state.cut_before(table, index)?);
            }
            states = next;
        }
        Some(states)
    }

    /// The cases in which a part begins at an index, or the table ends there.
    fn cut_before(&self, table: &Table, index: &Form) -> Option<Vec<State>> {
        let (mut rest, mut results) = (self.clone(), Vec::new());
        let all = self
            .parts(table)
            .iter()
            .try_fold(Linear::constant(0), |sum: Form, part| sum.plus(&self.part_length(*part)?, 1))?;
        rest.assume_forms(CmpOp::Eq, &all, &self.count(table)?);
        let mut start: Form = Linear::constant(0);
        for part in self.parts(table) {
            let length = self.part_length(part)?;
            let end = start.plus(&length, 1)?;
            let mut inside = rest.clone();
            let alone = self.object(part).seg.is_none();
            if inside.assume_forms(CmpOp::Slt, index, &end)
                && (!alone || inside.assume_forms(CmpOp::Eq, index, &start))
                && !(inside.is_at_most(&end, index, 0) || inside.is_at_most(index, &start, 1))
            {
                if inside.decide_forms(CmpOp::Eq, index, &start) != Some(true) {
                    inside.cut_row(part, &index.plus(&start, -1)?, &end.plus(index, -1)?);
                }
                results.push(inside);
            }
            if !rest.assume_forms(CmpOp::Sge, index, &end) {
                return Some(results);
            }
            start = end;
        }
        if rest.assume_forms(CmpOp::Eq, index, &start) && !rest.is_at_most(index, &start, 1) {
            results.push(rest);
        }
        Some(results)
    }

    /// Makes two rows of one.
    fn cut_row(&mut self, row: ObjId, before: &Form, after: &Form) {
        let (stride, ptr) = (self.object(row).size, self.pointer_bytes());
        let back = self.duplicate(row);
        self.set_row_length(row, before);
        self.set_row_length(back, after);
        let link = self.part_link(back);
        self.object_mut(row).put(stride, ptr, link);
    }

    /// The parts before the first index, between each two, and after the last one. Parts begin there.
    fn pieces(&self, table: &Table, cuts: &[&Form]) -> Option<Vec<Vec<ObjId>>> {
        let (mut pieces, mut piece) = (Vec::new(), Vec::new());
        let mut start: Form = Linear::constant(0);
        let mut cuts = cuts.iter().peekable();
        for part in self.parts(table) {
            while cuts.next_if(|cut| self.decide_forms(CmpOp::Eq, cut, &start) == Some(true)).is_some() {
                pieces.push(std::mem::take(&mut piece));
            }
            start = start.plus(&self.part_length(part)?, 1)?;
            piece.push(part);
        }
        for cut in cuts {
            if self.decide_forms(CmpOp::Eq, cut, &start) != Some(true) {
                return None;
            }
            pieces.push(std::mem::take(&mut piece));
        }
        pieces.push(piece);
        Some(pieces)
    }

    /// Makes a table of these parts, in order.
    fn relink(&mut self, table: &Table, parts: &[ObjId]) {
        let ptr = self.pointer_bytes();
        let mut next = Val::ZERO;
        for &part in parts.iter().rev() {
            self.object_mut(part).put(table.stride, ptr, next);
            next = self.part_link(part);
        }
        if let Some(cell) = self.object_mut(table.obj).cells.get_mut(&table.base) {
            cell.val = next;
        }
    }

    /// A row of elements of a block of which nothing is known.
    pub fn blank_row(&mut self, table: &Table, count: &Form, fresh: bool) -> ObjId {
        let (stride, ptr) = (table.stride, self.pointer_bytes());
        let mut row = Object::region(stride, Storage::Part, self.object(table.obj).span);
        row.fresh = fresh;
        row.put(stride, ptr, Val::ZERO);
        row.seg =
            Some(Seg { head: 0, next: stride, prev: None, kids: Kids::NONE, twins: Twins::NONE, min: 0 });
        let row = self.add(row);
        self.set_row_length(row, count);
        row
    }
}
