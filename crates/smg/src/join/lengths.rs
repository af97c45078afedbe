//! Join of the lengths of segments: a region has one node, and a segment that one side lacks has none there.

use super::{Joiner, Lift, Place, Side};
use crate::graph::{ObjId, Object, Seg, State, SymId, Tg, Val};
use crate::length::LENGTH_BITS;
use crate::relation::Form;
use heapproof_numbers::Linear;
use std::collections::BTreeSet;

impl Joiner<'_> {
    /// The length of a joined segment, if both sides know theirs and it is not one per node.
    pub(super) fn joined_length(
        &mut self,
        x: &Object,
        y: &Object,
        seg: Option<Seg>,
        lift: Lift,
    ) -> Option<Val> {
        let plain = seg.is_some() && x.level == 0 && y.level == 0 && !x.maybe && !y.maybe;
        if plain
            && self.counts(x, lift)
            && let (Some(a), Some(b)) = (x.nodes(), y.nodes())
        {
            let length = self.length(a, b);
            self.out.bound_length(length, seg.map_or(0, |seg| seg.min), x.is_part());
            return Some(length);
        }
        self.left.keeps &= x.length.is_none();
        self.right.keeps &= y.length.is_none();
        None
    }

    /// The length of a segment of one side that is empty on the other.
    pub(super) fn length_or_none(&mut self, side: Side, object: &Object, lift: Lift) -> Option<Val> {
        if object.level == 0
            && self.counts(object, lift)
            && let Some(nodes) = object.nodes()
        {
            let none = Val::Int(0);
            let (a, b) = side.ordered(nodes, none);
            return Some(self.length(a, b));
        }
        self.side_mut(side).keeps &= object.length.is_none();
        None
    }

    fn counts(&self, object: &Object, lift: Lift) -> bool {
        (self.out.counts || object.is_part()) && self.merging.is_none() && lift == Lift::NONE
    }

    fn length(&mut self, a: Val, b: Val) -> Val {
        if let (Val::Int(x), Val::Int(y)) = (a, b)
            && (x == y || fault!(53))
        {
            return a;
        }
        let joined = self.join_numbers(a, b, Place { lift: Lift::NONE, level: 0, width: LENGTH_BITS });
        if let Val::Sym(id) = joined {
            self.in_registers.insert(id);
        }
        joined
    }
}

/// How far numbers are below the lengths of lists that a cursor divides: the parts grow and shrink, the whole stays.
pub fn beyond_lists(state: &State, ids: &BTreeSet<SymId>) -> Vec<Form> {
    if !state.counts {
        return Vec::new();
    }
    let wholes: Vec<Form> = state.objects.keys().filter_map(|id| whole_list(state, *id)).collect();
    let others = |whole: &Form| ids.iter().filter(|id| whole.factor(**id) == 0).copied().collect::<Vec<_>>();
    let beyond = |whole: &Form, id: SymId| whole.plus(&Linear::dimension(id), -1);
    wholes.iter().flat_map(|whole| others(whole).into_iter().filter_map(|id| beyond(whole, id))).collect()
}

/// The number of nodes from an object on to the end of the list, where several lengths make it.
fn whole_list(state: &State, first: ObjId) -> Option<Form> {
    let (mut whole, mut seen, mut at) = (Linear::constant(0), BTreeSet::new(), Some(first));
    while let Some(id) = at {
        let object = state.object(id);
        if object.level > 0 || object.is_part() || !seen.insert(id) {
            return None;
        }
        whole = whole.plus(&state.form(object.nodes()?, LENGTH_BITS)?, 1)?;
        at = next_of(state, object, state.object(first).seg?);
    }
    (whole.factors().count() > 1).then_some(whole)
}

/// What follows in a list whose nodes are linked like those of a segment.
fn next_of(state: &State, object: &Object, shape: Seg) -> Option<ObjId> {
    match object.peek(shape.next, state.pointer_bytes())? {
        Val::Addr(next) if matches!(next.tg, Tg::Region | Tg::First) => Some(next.obj),
        _ => None,
    }
}
