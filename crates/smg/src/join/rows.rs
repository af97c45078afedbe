//! Join of tables: parts meet in order; a part that the other side has nothing like is empty there.

use super::{Joiner, NoJoin, Place, Res, Side};
use crate::graph::{ObjId, Seg, Val};
use crate::tree::Kids;
use crate::twins::Twins;

impl Joiner<'_> {
    /// Joins the links to two parts of tables, where they are not joined as other addresses are. `None` otherwise.
    pub(super) fn parts(
        &mut self,
        a: Val,
        b: Val,
        place: Place,
        from: Option<(ObjId, ObjId, ObjId)>,
    ) -> Option<Res<Val>> {
        let (left, right) = (self.left.state, self.right.state);
        let inner = from.is_some_and(|(l, _, _)| left.object(l).is_part());
        match (left.part(a), right.part(b)) {
            (None, None) => None,
            (Some(x), Some(y)) => {
                let met = self.left.map.contains_key(&x) || self.right.map.contains_key(&y);
                if met || self.merging.is_some() || left.is_like(x, right, y) {
                    return None;
                }
                let follows = |side: Side| match side {
                    Side::Left => left.parts_after(x).iter().any(|next| left.is_like(*next, right, y)),
                    Side::Right => right.parts_after(y).iter().any(|next| right.is_like(*next, left, x)),
                };
                let Some(side) = [Side::Left, Side::Right].into_iter().find(|side| follows(*side)) else {
                    // Joined they would say less of where either begins and ends.
                    let same = left.parts_after(x).len() == right.parts_after(y).len();
                    self.differences.parts = true;
                    return if same { None } else { Some(Err(NoJoin::Objects)) };
                };
                let (own, other) = if side == Side::Left { (x, b) } else { (y, a) };
                Some(self.insert_part(side, own, other, place, from))
            }
            // The table of one side has come to its end.
            (Some(x), None) if inner && b == Val::ZERO => {
                Some(self.insert_part(Side::Left, x, b, place, from))
            }
            (None, Some(y)) if inner && a == Val::ZERO => {
                Some(self.insert_part(Side::Right, y, a, place, from))
            }
            // An array that is taken apart on one side only.
            _ => Some(Err(NoJoin::Address)),
        }
    }

    fn insert_part(
        &mut self,
        side: Side,
        part: ObjId,
        other: Val,
        place: Place,
        from: Option<(ObjId, ObjId, ObjId)>,
    ) -> Res<Val> {
        let object = self.side(side).state.object(part);
        let one =
            Seg { head: 0, next: object.size, prev: None, kids: Kids::NONE, twins: Twins::NONE, min: 1 };
        self.insert(side, part, object.seg.unwrap_or(one), other, place, from)
    }
}
