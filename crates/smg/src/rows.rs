//! Arrays at unknown indices: an array is a list that is laid out in place.
//!
//! One wide cell of an array leads to its first *part*, each part to the next one, the last one to null. A part is a region
//! (one element), or a segment that stands for any number of neighbouring elements: a *row*. Rows are list segments: what
//! each element has for itself is nested below them, and join, merge and materialisation are those of lists. The index
//! at which a part begins is the sum of the lengths of the parts before it, so `[0, i)` filled and `[i, n)` not is two rows of
//! lengths `i` and `n - i`. Programs never have addresses of parts: an address of an element is one of the array.

use crate::graph::{Addr, Cell, Def, ObjId, Object, Seg, State, Storage, Tg, Val};
use crate::length::LENGTH_BITS;
use crate::relation::Form;
use crate::tree::Kids;
use crate::twins::Twins;
use heapproof_numbers::Linear;
use std::collections::{BTreeMap, BTreeSet};

/// The length of the cell of a table that goes on to the end of its object, wherever that is.
pub const TO_THE_END: u64 = 1 << 40;

/// An array with more parts than these is not taken apart.
const MOST_PARTS: usize = 40;

/// Pointers at so many known places of a block of unknown size will be followed by others.
const MANY: u64 = 8;

/// In a structure, a table of fewer bytes is a handful of fields.
const SMALLEST: u64 = 17;

/// Elements of an array.
#[derive(Clone, Debug)]
pub struct Table {
    /// The array.
    pub obj: ObjId,
    /// The offset of the first element.
    pub base: u64,
    /// The length of the cell: bytes, or [`TO_THE_END`].
    pub len: u64,
    /// The bytes of an element.
    pub stride: u64,
    /// The first part.
    pub first: ObjId,
}

impl Object {
    /// True for a part of a table.
    pub fn is_part(&self) -> bool {
        self.storage == Storage::Part
    }

    /// True if it may be an array by its size.
    fn is_large_enough(&self) -> bool {
        self.size >= SMALLEST || self.used_as.is_none()
    }

    /// All of it is zero, however long it is.
    pub fn nullify_to_the_end(&mut self) {
        self.zeros.insert(0, TO_THE_END);
    }

    /// Where the last thing ends that is not the same up to the end; at least its size.
    fn told_end(&self) -> u64 {
        match self.zeros.last_key_value() {
            Some((&start, &TO_THE_END)) => {
                let zero = self.zeros.range(..start).next_back().map_or(0, |(_, end)| *end);
                let cell = self.cells.last_key_value().map_or(0, |(start, cell)| start + cell.len);
                self.size.max(cell).max(zero).max(start)
            }
            _ => self.known_end(),
        }
    }
}

impl State {
    /// The part of a table that a value leads to. No value of the program does.
    pub fn part(&self, val: Val) -> Option<ObjId> {
        match val {
            Val::Addr(addr) => self.objects.get(&addr.obj).filter(|o| o.is_part()).map(|_| addr.obj),
            _ => None,
        }
    }

    /// The tables of an object.
    pub fn tables_of(&self, obj: ObjId) -> Vec<Table> {
        let object = self.object(obj);
        if object.is_part() {
            return Vec::new();
        }
        let cells = object.cells.iter().filter_map(|(&base, cell)| {
            let first = self.part(cell.val)?;
            Some(Table { obj, base, len: cell.len, stride: self.object(first).size, first })
        });
        cells.collect()
    }

    /// The table of an object that these bytes belong to.
    pub fn table_at(&self, obj: ObjId, start: u64, end: u64) -> Option<Table> {
        let (&base, cell) = self.object(obj).cells.range(..=start).next_back()?;
        let first = self.part(cell.val)?;
        let inside = end <= base.saturating_add(cell.len);
        let stride = self.object(first).size;
        inside.then_some(Table { obj, base, len: cell.len, stride, first })
    }

    /// True if an object has a table.
    pub fn has_table(&self, obj: ObjId) -> bool {
        !self.object(obj).is_part()
            && self.object(obj).cells.values().any(|cell| self.part(cell.val).is_some())
    }

    /// The number of elements of a table.
    pub fn count(&self, table: &Table) -> Option<Form> {
        if table.len != TO_THE_END {
            return Some(Linear::constant((table.len / table.stride).into()));
        }
        let size = self.size_form(self.object(table.obj))?;
        let bytes = size.plus(&Linear::constant(table.base.into()), -1)?;
        divided(&bytes, table.stride).filter(|(_, rest)| *rest == 0).map(|(count, _)| count)
    }

    /// The parts of a table in order.
    pub fn parts(&self, table: &Table) -> Vec<ObjId> {
        let mut parts = vec![table.first];
        let link = |part: ObjId| self.object(part).peek(table.stride, self.pointer_bytes());
        while let Some(next) = parts.last().and_then(|last| self.part(link(*last)?)) {
            parts.push(next);
        }
        parts
    }

    /// The number of elements of a part.
    pub fn part_length(&self, part: ObjId) -> Option<Form> {
        self.form(self.object(part).nodes()?, LENGTH_BITS)
    }

    /// The address of a part, for the link to it.
    pub fn part_link(&self, part: ObjId) -> Val {
        let tg = if self.object(part).seg.is_some() { Tg::First } else { Tg::Region };
        Val::Addr(Addr { obj: part, off: 0, tg })
    }

    /// What each element of a row would have for itself, if the row is lost and has no elements.
    pub fn below_empty(&self, reachable: &BTreeSet<ObjId>) -> BTreeSet<ObjId> {
        if !self.rows {
            return BTreeSet::new();
        }
        let lost = self.objects.iter().filter(|(id, object)| object.is_part() && !reachable.contains(id));
        lost.filter(|(_, part)| self.is_surely_empty(part) || fault!(68))
            .flat_map(|(id, _)| self.nested(*id))
            .collect()
    }

    /// Makes an object a table, if its content can be seen as elements of a size. True if it did.
    pub fn make_table(&mut self, obj: ObjId, base: u64, stride: u64, end: Option<u64>) -> bool {
        #[cfg(test)]
        let before = self.clone();
        let object = self.object(obj).clone();
        let fits = object.seg.is_none()
            && !object.maybe
            && object.level == 0
            && object.valid
            && self.relates
            && matches!(
                object.storage,
                Storage::Heap | Storage::Local | Storage::Alloca | Storage::Global(_, false)
            );
        let len = match end {
            Some(end) if end != object.size || !object.exact => end.saturating_sub(base),
            _ => TO_THE_END,
        };
        let mut table = Table { obj, base, len, stride, first: obj };
        let Some(count) = self.count(&table).filter(|_| fits) else { return false };
        // In a block whose size is not known, what is known lies in its first elements.
        let known = match count.is_constant() {
            true => count.offset(),
            false => i128::from(object.told_end().saturating_sub(base).div_ceil(stride)),
        };
        let Some(mut elements) = runs(&object, base, stride, known) else { return false };
        if let Some(more) = count.plus(&Linear::constant(known), -1).filter(|more| !more.is_constant()) {
            let mut rest = Object::region(stride, Storage::Part, object.span);
            if object.is_zero(base + stride * known as u64, TO_THE_END - base - stride * known as u64) {
                rest.put(0, stride, Val::ZERO);
            }
            // What is the same up to the end is one row.
            let same = |last: &(Object, Form)| {
                last.0.cells.is_empty() && !rest.zeros.is_empty() && last.0.zeros == rest.zeros
            };
            let more = match elements.pop_if(|last| same(last)) {
                Some((_, count)) => more.plus(&count, 1),
                None => Some(more),
            };
            // A join may have left content past the least size, where the block need not reach.
            let reaches = |more: &Form| self.is_never_negative(more) || fault!(141);
            let Some(more) = more.filter(reaches) else { return false };
            elements.push((rest, more));
        } else if !count.is_constant() {
            return false;
        }
        let ptr = self.pointer_bytes();
        let mut next = Val::ZERO;
        for (mut part, count) in elements.into_iter().rev() {
            part.fresh = object.fresh;
            part.put(stride, ptr, next);
            if count != Linear::constant(1) {
                let min = if count.is_constant() { count.offset().clamp(0, 2) as u32 } else { 0 };
                part.seg = Some(Seg {
                    head: 0,
                    next: stride,
                    prev: None,
                    kids: Kids::NONE,
                    twins: Twins::NONE,
                    min,
                });
                part.length = Some(self.length_number(&count, true));
            }
            table.first = self.add(part);
            next = self.part_link(table.first);
        }
        let object = self.object_mut(obj);
        // Elements are written without a look at strings.
        object.text = None;
        object.erase(base, if len == TO_THE_END { object.known_end() - base } else { len });
        object.cells.insert(base, Cell { len, val: next });
        #[cfg(test)]
        crate::audit::covers("take apart", &before, &[self]);
        true
    }

    /// An address is computed with an index that is a variable.
    pub fn note_index(&mut self, addr: Addr, offset: i64, scale: i64) {
        let object = self.object(addr.obj);
        let stride = scale.unsigned_abs();
        let hint = Some(stride).filter(|_| stride >= self.pointer_bytes());
        let begins = addr.off == 0 && offset >= 0 && (offset as u64) < stride;
        if begins && addr.tg == Tg::Region && object.indexed.is_none() && hint.is_some() && !object.is_part()
        {
            self.object_mut(addr.obj).indexed = hint.map(|stride| (stride, false));
        }
    }

    /// A pointer is stored in an array that is used at variable indices. Gives whether there will be no end of such
    /// pointers.
    pub fn note_pointer(&mut self, obj: ObjId, off: u64, val: Val) -> bool {
        let Some((stride, _)) = self.object(obj).indexed else { return false };
        let object = self.object_mut(obj);
        object.indexed = Some((stride, true));
        !object.exact && off >= MANY * stride && self.target(val).is_some()
    }

    /// Takes arrays apart that hold pointers and are used at variable indices.
    pub fn make_tables(&mut self) {
        let arrays: Vec<(ObjId, u64)> = self
            .objects
            .iter()
            .filter(|(_, object)| object.level == 0 && object.valid)
            .filter_map(|(id, object)| {
                let (stride, _) = object.indexed.filter(|(_, pointers)| *pointers)?;
                let fits = !object.exact || object.size.is_multiple_of(stride) && object.is_large_enough();
                (fits && !self.has_table(*id)).then_some((*id, stride))
            })
            .collect();
        for (obj, stride) in arrays {
            let end = Some(self.object(obj).size).filter(|_| self.object(obj).exact);
            self.make_table(obj, 0, stride, end);
        }
    }

    /// Where the elements lie that an address with an unknown index goes through: base, element size and end.
    pub fn layout(
        &self,
        obj: ObjId,
        ptr: Val,
        len: u64,
        (lo, hi): (u64, u64),
    ) -> Option<(u64, u64, Option<u64>)> {
        let Val::Sym(id) = ptr else { return None };
        let Def::At(base, _, scale) = self.syms[&id].def else { return None };
        let stride = scale.unsigned_abs();
        let object = self.object(obj);
        if stride < len || stride < self.pointer_bytes() || stride > 4096 {
            return None;
        }
        let whole = if object.exact {
            object.size.is_multiple_of(stride) && object.is_large_enough()
        } else {
            self.size_form(object).and_then(|size| divided(&size, stride)).is_some_and(|(_, rest)| rest == 0)
        };
        if whole && (0..stride as i64).contains(&base.off) && (base.off as u64 % stride) + len <= stride {
            return Some((0, stride, object.exact.then_some(object.size)));
        }
        // An array among other fields, all of whose elements may be meant.
        let inner = stride == len && hi < object.size && hi + len - lo >= SMALLEST;
        inner.then_some((lo, stride, Some(hi + len)))
    }

    /// The index of an element and the offset in it, for an address of a table.
    pub fn element_index(&self, table: &Table, ptr: Val, len: u64) -> Option<(Form, u64)> {
        let offset = self.offset(ptr)?.plus(&Linear::constant(table.base.into()), -1)?;
        let (index, field) = divided(&offset, table.stride)?;
        (field + len <= table.stride).then_some((index, field))
    }
}

/// A form divided by a number, with the rest, where the rest is a constant.
pub fn divided(form: &Form, by: u64) -> Option<(Form, u64)> {
    let by = i128::from(by);
    let mut result = Linear::constant(form.offset().div_euclid(by));
    for (id, factor) in form.factors() {
        if factor % by != 0 {
            return None;
        }
        result = result.plus(&Linear::dimension(id), factor / by)?;
    }
    Some((result, form.offset().rem_euclid(by) as u64))
}

/// The elements of an array, and how many neighbouring ones are the same.
fn runs(object: &Object, base: u64, stride: u64, count: i128) -> Option<Vec<(Object, Form)>> {
    let mut found: Vec<(Object, i128)> = Vec::new();
    let end = base + stride * u64::try_from(count).ok().filter(|count| *count <= 1 << 16)?;
    let straddles = |(off, cell): (&u64, &Cell)| {
        off + cell.len > base && *off < end && {
            let at = off.checked_sub(base);
            at.is_none_or(|at| at % stride + cell.len > stride)
        }
    };
    if object.cells.iter().any(straddles) {
        return None;
    }
    for at in (base..end).step_by(stride as usize) {
        let mut part = Object::region(stride, Storage::Part, object.span);
        part.cells = object.cells.range(at..at + stride).map(|(off, cell)| (off - at, *cell)).collect();
        let zeros = object.zeros.range(..at + stride).filter(|(_, stop)| **stop > at);
        part.zeros = zeros
            .map(|(start, stop)| (start.saturating_sub(at), (stop - at).min(stride)))
            .collect::<BTreeMap<_, _>>();
        let many = found.len() >= MOST_PARTS;
        match found.last_mut() {
            Some((last, count))
                if last.cells.is_empty() && part.cells.is_empty() && last.zeros == part.zeros =>
            {
                *count += 1;
            }
            _ if many => return None,
            _ => found.push((part, 1)),
        }
    }
    Some(found.into_iter().map(|(part, count)| (part, Linear::constant(count))).collect())
}
