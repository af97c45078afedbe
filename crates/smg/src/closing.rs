//! Abstraction of tables: neighbouring elements that are alike become one row.
//!
//! A loop that fills or frees an array leaves two rows, since a null pointer is not like an address. An element that stands out
//! between two rows that are alike was met at an index that can be any: all three become one row of elements that may be like either.

use crate::graph::{ObjId, Seg, State, Storage, Val};
use crate::join::merge_nodes;
use crate::rows::Table;
use crate::tree::Kids;
use crate::twins::Twins;

/// What a field of an element holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Null, or the number zero.
    Null,
    /// Any other number.
    Number,
    /// What was never looked at.
    Blank,
    /// An address of something that is there.
    Held,
    /// Null or an address.
    Either,
    /// An address of something that is gone.
    Gone,
}

/// From so many parts on, parts are merged that are not alike.
const MOST_PARTS: usize = 6;

impl State {
    /// Merges neighbouring parts of tables.
    pub fn closed(mut self) -> State {
        self.make_tables();
        for (obj, base) in self.all_tables() {
            if let Some(table) = self.table_from(obj, base) {
                self.forget_dangling(&table);
                self.forget_moved(&table);
            }
            while let Some(next) = self.with_parts_merged(obj, base) {
                self = next;
            }
        }
        self
    }

    /// Merges neighbouring parts of tables where a function is called or left, if their border means nothing.
    pub fn closed_for_call(mut self) -> State {
        for (obj, base) in self.all_tables() {
            let next = |state: &State| state.with_border_gone(&state.table_from(obj, base)?, true);
            while let Some(next) = next(&self) {
                self = next;
            }
        }
        self
    }

    /// True if there is a table.
    pub fn has_tables(&self) -> bool {
        self.objects.values().any(|object| object.is_part())
    }

    /// All tables, by where they begin.
    fn all_tables(&self) -> Vec<(ObjId, u64)> {
        let arrays = self.objects.keys().filter(|id| self.has_table(**id));
        arrays.flat_map(|id| self.tables_of(*id)).map(|table| (table.obj, table.base)).collect()
    }

    fn table_from(&self, obj: ObjId, base: u64) -> Option<Table> {
        self.tables_of(obj).into_iter().find(|table| table.base == base)
    }

    fn with_parts_merged(&self, obj: ObjId, base: u64) -> Option<State> {
        let table = self.table_from(obj, base)?;
        if self.object(obj).level > 0 {
            return None;
        }
        let parts = self.parts(&table);
        if let Some(empty) =
            parts.iter().find(|part| parts.len() > 1 && self.is_surely_empty(self.object(**part)))
        {
            let mut without = self.clone();
            return without.remove(*empty).then_some(without);
        }
        let pairs = || parts.windows(2).map(|pair| (pair[0], pair[1]));
        let like = |a: ObjId, b: ObjId| self.is_like(a, self, b);
        let alike =
            pairs().filter(|(a, b)| like(*a, *b)).chain(pairs().filter(|(a, b)| self.is_done_like(*a, *b)));
        if let Some(next) = alike.into_iter().find_map(|(a, b)| self.as_one_row(a, b)) {
            return Some(next);
        }
        let between = |at: usize| {
            let [a, b, c] = [parts[at - 1], parts[at], parts[at + 1]];
            self.object(b).seg.is_none() && like(a, c)
        };
        let inner = 1..parts.len().saturating_sub(1);
        if let Some(next) = inner.filter(|at| between(*at)).find_map(|at| self.as_row_of_three(&table, at)) {
            return Some(next);
        }
        if self.borders
            && let Some(next) = self.with_border_gone(&table, false)
        {
            return Some(next);
        }
        let mut forced = pairs().filter(|_| parts.len() > MOST_PARTS);
        forced.find_map(|(a, b)| self.as_one_row(a, b))
    }

    /// One row of a part and its neighbours.
    fn as_row_of_three(&self, table: &Table, at: usize) -> Option<State> {
        let parts = self.parts(table);
        let two = self.as_one_row(parts[at - 1], parts[at])?;
        let table = two.table_at(table.obj, table.base, table.base + table.stride)?;
        let parts = two.parts(&table);
        two.as_one_row(parts[at - 1], parts[at])
    }

    pub(crate) fn as_one_row(&self, a: ObjId, b: ObjId) -> Option<State> {
        let least = |part: ObjId| self.object(part).seg.map_or(1, |seg| seg.min);
        let min = (least(a) + least(b)).min(2);
        let shape =
            Seg { head: 0, next: self.object(a).size, prev: None, kids: Kids::NONE, twins: Twins::NONE, min };
        merge_nodes(self, a, b, shape, false).ok().map(|merged| merged.related(self))
    }

    /// Pointers in elements to what is gone become numbers of which nothing is known.
    fn forget_dangling(&mut self, table: &Table) {
        for part in self.parts(table) {
            for off in self.fields_where(part, |val| self.kind_of(val) == Kind::Gone) {
                self.forget_field(part, off);
            }
        }
    }

    /// Pointers that were read, and now lead to what other elements have, are forgotten: rows cannot share what they have, and what was
    /// moved is no longer looked for where it came from.
    fn forget_moved(&mut self, table: &Table) {
        for part in self.parts(table) {
            if self.object(part).taken {
                for off in self.fields_where(part, |val| self.kind_of(val) == Kind::Held) {
                    let mut without = self.clone();
                    without.forget_field(part, off);
                    let moved = self.object(part).cells.get(&off).and_then(|cell| self.target(cell.val));
                    if moved.is_some_and(|moved| without.is_held_by_elements(moved)) {
                        *self = without;
                    }
                }
            }
        }
    }

    /// True if elements of tables lead to an object, and are not below it.
    fn is_held_by_elements(&self, obj: ObjId) -> bool {
        let (values, objects) = self.roots();
        let (there, below) = (self.reachable(&values, &objects), self.reachable(&[], &[obj]));
        let elements = there.difference(&below).copied().filter(|id| self.object(*id).is_part());
        self.reachable(&[], &elements.collect::<Vec<_>>()).contains(&obj)
    }

    fn fields_where(&self, part: ObjId, holds: impl Fn(Val) -> bool) -> Vec<u64> {
        let cells = self.object(part).cells.iter();
        cells
            .filter(|(_, cell)| self.part(cell.val).is_none() && holds(cell.val))
            .map(|(off, _)| *off)
            .collect()
    }

    /// Makes a field of an element a number of which nothing is known.
    fn forget_field(&mut self, part: ObjId, off: u64) {
        let level = self.object(part).level + u32::from(self.object(part).seg.is_some());
        let val = self.unknown(self.pointer_bits());
        if let Val::Sym(id) = val {
            self.sym_mut(id).level = level;
        }
        if let Some(cell) = self.object_mut(part).cells.get_mut(&off) {
            cell.val = val;
        }
    }

    fn kind_of(&self, val: Val) -> Kind {
        let Some(target) = self.target(val) else {
            return if val == Val::ZERO { Kind::Null } else { Kind::Number };
        };
        let object = self.object(target);
        let may_be_empty = object.seg.is_some_and(|seg| seg.min == 0)
            && object.next(self.pointer_bytes()) == Some(Val::ZERO);
        match object.storage {
            Storage::Heap if !object.valid => Kind::Gone,
            _ if object.maybe || may_be_empty => Kind::Either,
            _ => Kind::Held,
        }
    }

    pub(crate) fn kinds(&self, part: ObjId) -> Vec<Kind> {
        let ptr = self.pointer_bytes();
        let object = self.object(part);
        let fields = (0..object.size / ptr).map(|at| at * ptr);
        fields.map(|off| object.peek(off, ptr).map_or(Kind::Blank, |val| self.kind_of(val))).collect()
    }

    /// True if the elements of two parts hold pointers at the same places.
    pub fn is_like(&self, part: ObjId, other: &State, theirs: ObjId) -> bool {
        let (a, b) = (self.kinds(part), other.kinds(theirs));
        a == b
    }

    /// True if a part is followed by an element that differs from it only in that null is one number among others: a loop
    /// has done with both.
    fn is_done_like(&self, part: ObjId, element: ObjId) -> bool {
        let (a, b) = (self.kinds(part), self.kinds(element));
        let pairs = a.iter().zip(&b);
        let number = |kind: &Kind| matches!(kind, Kind::Null | Kind::Number);
        self.object(element).seg.is_none()
            && a.len() == b.len()
            && pairs.into_iter().all(|(a, b)| a == b || number(a) && number(b))
    }

    /// The parts that follow a part.
    pub fn parts_after(&self, part: ObjId) -> Vec<ObjId> {
        let object = self.object(part);
        let next = object.peek(object.size, self.pointer_bytes()).and_then(|link| self.part(link));
        let Some(first) = next else { return Vec::new() };
        self.parts(&Table { obj: part, base: 0, len: 0, stride: object.size, first })
    }
}
