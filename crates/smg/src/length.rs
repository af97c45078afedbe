//! The number of nodes of a segment, as a number like any other: counters of the program are related to it.
//!
//! Nodes are counted only where an attempt asks for it ([`State::counts`]), and only in segments of the top level. A region has
//! one node, so every operation on segments is a sum or a difference here.

use crate::graph::{ObjId, Object, State, Storage, SymId, Val};
use crate::number::Range;
use crate::relation::Form;
use heapproof_ir::CmpOp;
use heapproof_numbers::{Linear, Relation};

/// The width of a number of nodes.
pub const LENGTH_BITS: u8 = 64;

/// At most so many heap blocks are live at the same time: the machine model says so.
const MOST_NODES: i128 = (1 << 31) - 1;

impl Object {
    /// The number of its nodes, if it is known as a number.
    pub fn nodes(&self) -> Option<Val> {
        if self.seg.is_none() { Some(Val::Int(1)) } else { self.length }
    }

    /// True for blocks of the heap that are surely there.
    fn is_there(&self) -> bool {
        self.valid && self.storage == Storage::Heap && self.level == 0 && !self.maybe && !self.is_part()
    }
}

impl State {
    fn length_form(&self, object: &Object) -> Option<Form> {
        self.form(object.length?, LENGTH_BITS)
    }

    /// Takes it that a segment has so many nodes at least; false if it cannot have them.
    pub fn has_nodes(&mut self, id: ObjId, least: u32) -> bool {
        let Some(length) = self.length_form(self.object(id)) else { return true };
        let least = Linear::constant(least.into());
        !self.is_at_most(&length, &least, 1) && self.assume_forms(CmpOp::Sle, &least, &length)
    }

    /// Takes it that a segment is empty; false if it cannot be.
    pub fn has_no_nodes(&mut self, id: ObjId) -> bool {
        let Some(length) = self.length_form(self.object(id)) else { return true };
        let none = Linear::constant(0);
        !self.is_at_most(&none, &length, 1) && self.assume_forms(CmpOp::Eq, &length, &none)
    }

    /// True if a segment has no nodes, whatever the numbers are.
    pub fn is_surely_empty(&self, object: &Object) -> bool {
        object.seg.is_some()
            && self
                .length_form(object)
                .is_some_and(|length| self.is_at_most(&length, &Linear::constant(0), 0))
    }

    /// A node was taken out of a segment.
    pub fn count_one_less(&mut self, id: ObjId) {
        let length = self.length_form(self.object(id));
        let less = length.and_then(|length| length.plus(&Linear::constant(1), -1 + i128::from(fault!(52))));
        let row = self.object(id).is_part();
        let length = less.map(|form| self.length_number(&form, row));
        if let (Some(length), Some(seg)) = (length, self.object(id).seg) {
            self.bound_length(length, seg.min, row);
        }
        self.object_mut(id).length = length;
    }

    /// The length of the segment that two neighbouring nodes or segments become.
    pub fn length_of_both(&mut self, first: ObjId, second: ObjId) -> Option<Val> {
        let (x, y) = (self.object(first), self.object(second));
        let row = x.is_part();
        if !(self.counts || row) || x.level > 0 {
            return None;
        }
        let (a, b) = (self.form(x.nodes()?, LENGTH_BITS)?, self.form(y.nodes()?, LENGTH_BITS)?);
        let both = a.plus(&b, i128::from(!fault!(54)))?;
        Some(self.length_number(&both, row))
    }

    /// True if a join has more lengths that no equality speaks of than either side.
    pub fn loses_count(&self, left: &State, right: &State) -> bool {
        self.untied_lengths() > left.untied_lengths().max(right.untied_lengths())
    }

    fn untied_lengths(&self) -> usize {
        let tied = |form: &Form| {
            let equalities = self.relations.constraints().filter(|c| c.relation() == Relation::Zero);
            form.is_constant()
                || equalities.into_iter().any(|c| form.factors().any(|(id, _)| c.form().factor(id) != 0))
        };
        let lengths = self.objects.values().filter_map(|object| self.length_form(object));
        lengths.filter(|form| !tied(form)).count()
    }

    /// The number for a length, of a list or of a row of an array.
    pub fn length_number(&mut self, form: &Form, row: bool) -> Val {
        let val = self.number_of(form, LENGTH_BITS);
        self.bound_length(val, 0, row);
        val
    }

    /// A length is at least what its segment has at least, and at most what the machine model allows. There may be more
    /// elements than blocks.
    pub fn bound_length(&mut self, length: Val, least: u32, row: bool) {
        if let Val::Sym(id) = length {
            let hi = if row { i64::MAX.into() } else { MOST_NODES };
            self.restrict(id, Range { lo: least.into(), hi });
        }
    }

    /// The range of a form if it fits a width: by what is known, or because there is no room for so many nodes.
    pub fn range_within(&self, form: &Form, width: u8) -> Option<Range> {
        let fits = |range: &Range| Range::full(width).covers(*range);
        self.bounds(form).filter(fits).or_else(|| self.with_room()?.bounds(form).filter(fits))
    }

    /// The configuration with what the machine model says of all nodes together; none if nodes are not counted.
    fn with_room(&self) -> Option<State> {
        if !self.counts {
            return None;
        }
        let mut all = Linear::constant(0);
        for object in self.objects.values().filter(|object| object.is_there()) {
            let least = Linear::constant(object.seg.map_or(1, |seg| seg.min).into());
            all = all.plus(&self.length_form(object).unwrap_or(least), 1)?;
        }
        let most = if fault!(127) { 3 } else { MOST_NODES };
        let mut state = self.clone();
        let possible = state.assume_forms(CmpOp::Sle, &all, &Linear::constant(most));
        #[cfg(test)]
        crate::audit::covers(
            "room for nodes",
            self,
            &possible.then_some(&state).into_iter().collect::<Vec<_>>(),
        );
        possible.then_some(state)
    }

    /// Before a block is allocated there is room for one more.
    pub fn leave_room_for_a_block(&mut self) {
        if !self.counts {
            return;
        }
        let lengths: Vec<SymId> = self
            .objects
            .values()
            .filter_map(|object| match object.length {
                Some(Val::Sym(id)) if object.valid && !object.is_part() => Some(id),
                _ => None,
            })
            .collect();
        for id in lengths {
            self.restrict(id, Range { lo: 0, hi: MOST_NODES - 1 });
        }
    }
}
