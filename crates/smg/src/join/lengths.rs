//! Join of the lengths of segments: a region has one node, and a segment that one side lacks has none there.

use super::{Joiner, Lift, Place, Side};
use crate::graph::{Object, Seg, Val};
use crate::length::LENGTH_BITS;

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
