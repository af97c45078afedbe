//! Join of tables: parts meet in order; a part that the other side has nothing like is empty there.

use super::{Input, Joiner, NoJoin, Place, Res, Side};
use crate::graph::{ObjId, Seg, State, Storage, Val};
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
                if met || self.merging.is_some() {
                    return None;
                }
                if left.is_like(x, right, y) {
                    self.differences.parts |= is_read(left, x) != is_read(right, y);
                    return None;
                }
                let Some(side) = self.lacking_part(x, y) else {
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

    /// The side whose part the other one has nothing like at this place, so that most of what follows meets its like.
    fn lacking_part(&self, x: ObjId, y: ObjId) -> Option<Side> {
        let from = |state: &State, part: ObjId| [vec![part], state.parts_after(part)].concat();
        let (left, right) = (self.left.state, self.right.state);
        let (ours, theirs) = (from(left, x), from(right, y));
        let common = |ours: &[ObjId], theirs: &[ObjId]| {
            longest_common(ours, theirs, |a, b| left.is_like(*a, right, *b))
        };
        let (inserted_left, inserted_right) = (common(&ours[1..], &theirs), common(&ours, &theirs[1..]));
        match inserted_left.max(inserted_right) {
            0 => None,
            best if best == inserted_left => Some(Side::Left),
            _ => Some(Side::Right),
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
        if object.seg.is_none() && self.leads_to_met(side, part) {
            return Err(NoJoin::Objects);
        }
        let one =
            Seg { head: 0, next: object.size, prev: None, kids: Kids::NONE, twins: Twins::NONE, min: 1 };
        self.insert(side, part, object.seg.unwrap_or(one), other, place, from)
    }

    /// True if an element leads to what variables lead to as well: absent it would not be, where they lead to nothing.
    fn leads_to_met(&self, side: Side, part: ObjId) -> bool {
        let Input { state, map, .. } = self.side(side);
        let is_met = |obj: &ObjId| map.contains_key(obj) && state.object(*obj).storage == Storage::Heap;
        let held: Vec<ObjId> = state.targets(part).filter(|id| !state.object(*id).is_part()).collect();
        state.reachable(&[], &held).iter().any(is_met)
    }
}

/// True for an element whose address was read: a loop is at it, or has done with it.
fn is_read(state: &State, part: ObjId) -> bool {
    let part = state.object(part);
    part.taken && part.seg.is_none()
}

/// How many elements two sequences have in common, in order.
fn longest_common<T>(ours: &[T], theirs: &[T], alike: impl Fn(&T, &T) -> bool) -> usize {
    let mut row = vec![0; theirs.len() + 1];
    for a in ours {
        let mut before = 0;
        for (at, b) in theirs.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if alike(a, b) { before + 1 } else { above.max(row[at]) };
            before = above;
        }
    }
    row[theirs.len()]
}
