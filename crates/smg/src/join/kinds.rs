//! Join of the kinds of nodes: contents that can be told apart, or cannot be joined, stay two kinds of one segment.

use super::merge::has_dangling;
use super::{Growth, Joiner, Lift, NoJoin, Place, Res, Side, fields_of};
use crate::graph::{ObjId, Object, Seg, State, Val};
use crate::kinds::{Alike, MOST_KINDS};
use std::collections::BTreeSet;

/// A kind of nodes that one side lacks.
#[derive(Clone)]
pub(super) struct Lacking {
    /// The side that has it.
    side: Side,
    content: Object,
    /// The kind of the result.
    into: ObjId,
    /// By how much levels of the side are below those of the result.
    add: u32,
}

/// The two objects that become a segment, and the segment.
type Owners = (ObjId, ObjId, ObjId);

/// Makes one kind of two kinds of a segment that are alike by now. The result is the whole configuration.
pub fn merge_kinds(state: &State, segment: ObjId, first: ObjId, second: ObjId) -> Res<State> {
    let mut joiner = Joiner::new(state, state, state.clone(), Growth::Hull);
    // Links back from what hangs on either kind lead to the same nodes.
    joiner.merging = Some((segment, segment, segment));
    let (x, y) = (state.object(first), state.object(second));
    let kind = joiner.one_kind(x, y, Alike::Tags, (segment, segment, segment), Lift::NONE)?;
    joiner.copy_lacking_kinds()?;
    let (left, right) = (joiner.left.map, joiner.right.map);
    if left.keys().any(|id| right.contains_key(id)) && !fault!(63) {
        return Err(NoJoin::Sharing);
    }
    let mut out = joiner.out;
    for gone in left.keys().chain(right.keys()).chain([&first, &second]) {
        out.objects.remove(gone);
        state.object(*gone).kinds.iter().for_each(|kind| {
            out.objects.remove(kind);
        });
    }
    let kinds = &mut out.object_mut(segment).kinds;
    kinds.retain(|known| ![first, second].contains(known));
    kinds.push(kind);
    if kinds.len() == 1 {
        kinds.clear();
        out.hold_only_kind(segment, kind);
    }
    if has_dangling(&out) {
        return Err(NoJoin::Sharing);
    }
    if !out.is_well_nested() {
        return Err(NoJoin::Levels);
    }
    #[cfg(test)]
    crate::audit::covers("merge kinds", state, &[&out]);
    Ok(out)
}

impl State {
    /// A segment whose nodes are of one kind holds that itself.
    fn hold_only_kind(&mut self, segment: ObjId, kind: ObjId) {
        let content = self.object(kind).clone();
        self.objects.remove(&kind);
        let object = self.object_mut(segment);
        for (start, end) in content.zeros {
            object.put(start, end - start, Val::ZERO);
        }
        for (off, cell) in content.cells {
            object.put(off, cell.len, cell.val);
        }
    }
}

impl Joiner<'_> {
    /// Joins the fields of two objects that become a segment.
    pub(super) fn fields_of_kinds(&mut self, owners: Owners, lift: Lift, inner: Lift) -> Res<()> {
        let (l, r, out) = owners;
        let (x, y) = (self.left.state.object(l).clone(), self.right.state.object(r).clone());
        // Numbers of nodes of several kinds are not related.
        self.left.keeps &= x.each.is_none();
        self.right.keeps &= y.each.is_none();
        let ptr = self.out.pointer_bytes();
        let place = Place { lift, level: self.out.object(out).level, width: self.out.pointer_bits() };
        let links: Vec<u64> = self.out.object(out).links().collect();
        for &link in &links {
            // Without its links a segment says nothing about its ends.
            let (Some(a), Some(b)) = (x.peek(link, ptr), y.peek(link, ptr)) else {
                return Err(NoJoin::Objects);
            };
            let val = self.values(a, b, place, Some(owners))?;
            self.out.object_mut(out).put(link, ptr, val);
        }
        let seg = self.out.object(out).seg;
        let links: Vec<u64> = seg.into_iter().flat_map(|seg| seg.linked(ptr)).collect();
        self.contents(owners, inner, &links)
    }

    /// Joins what two neighbouring nodes hold besides their links.
    pub(super) fn contents_of_nodes(&mut self, owners: Owners, shape: Seg) -> Res<()> {
        let (o1, o2, _) = owners;
        let state = self.left.state;
        let links: Vec<u64> = shape.linked(state.pointer_bytes()).collect();
        self.outside = state.outside_of([o1, o2], &links);
        let lift = |id: ObjId| u32::from(state.object(id).seg.is_none());
        self.contents(owners, Lift { left: lift(o1), right: lift(o2) }, &links)
    }

    /// Each kind of one side becomes one with a kind of the other side, or stays as it is.
    fn contents(&mut self, owners: Owners, inner: Lift, links: &[u64]) -> Res<()> {
        let (l, r, out) = owners;
        let (left, right) = (self.left.state.contents(l, links), self.right.state.contents(r, links));
        let mut lonely: [BTreeSet<usize>; 2] = [(0..left.len()).collect(), (0..right.len()).collect()];
        let mut kinds = Vec::new();
        for alike in [Alike::Tags, Alike::Shape, Alike::Joinable] {
            for i in lonely[0].clone() {
                let found = lonely[1].iter().find_map(|&j| {
                    let kind = self.one_kind(&left[i], &right[j], alike, owners, inner).ok()?;
                    Some((j, kind))
                });
                if let Some((j, kind)) = found {
                    lonely[0].remove(&i);
                    lonely[1].remove(&j);
                    kinds.push(kind);
                }
            }
            if kinds.len() + lonely[0].len() + lonely[1].len() <= MOST_KINDS {
                break;
            }
        }
        for (side, contents, lonely) in [(Side::Left, left, &lonely[0]), (Side::Right, right, &lonely[1])] {
            for &index in lonely {
                kinds.push(self.lacking(side, &contents[index], out, inner.of(side)));
            }
        }
        match kinds[..] {
            [only] => self.out.hold_only_kind(out, only),
            _ if kinds.len() > MOST_KINDS => return Err(NoJoin::Objects),
            _ => self.out.object_mut(out).kinds = kinds,
        }
        Ok(())
    }

    /// A kind for two contents, if they are alike and can be joined; nothing happens otherwise.
    fn one_kind(&mut self, x: &Object, y: &Object, alike: Alike, owners: Owners, inner: Lift) -> Res<ObjId> {
        if self.are_apart(x, y, alike) {
            return Err(NoJoin::Objects);
        }
        let before = self.clone();
        let waiting = std::mem::take(&mut self.work);
        let kind = self.new_kind(owners.2, x, y);
        match self.content(x, y, kind, owners, inner).and_then(|()| self.settle()) {
            Ok(()) => {
                self.work = waiting;
                Ok(kind)
            }
            Err(why) => {
                *self = before;
                Err(why)
            }
        }
    }

    fn new_kind(&mut self, segment: ObjId, x: &Object, y: &Object) -> ObjId {
        let mut kind = Object::kind_of(self.out.object(segment));
        kind.fresh = x.fresh || y.fresh;
        (kind.vague, kind.hidden) = (x.vague || y.vague, x.hidden || y.hidden);
        self.out.add(kind)
    }

    /// True if contents differ in a field in a way that is seen at once.
    fn are_apart(&self, x: &Object, y: &Object, alike: Alike) -> bool {
        let (left, right) = (self.left.state, self.right.state);
        fields_of(x, y).into_iter().any(|(off, len)| match (x.peek(off, len), y.peek(off, len)) {
            (Some(a), Some(b)) => left.are_kinds_apart(a, right, b, (len * 8).min(128) as u8, alike),
            _ => false,
        })
    }

    fn content(&mut self, x: &Object, y: &Object, kind: ObjId, owners: Owners, lift: Lift) -> Res<()> {
        let level = self.out.object(kind).level;
        self.views(x, y)?;
        for (off, len) in fields_of(x, y) {
            let place = Place { lift, level, width: (len * 8).min(128) as u8 };
            match (x.peek(off, len), y.peek(off, len)) {
                (Some(a), Some(b)) => {
                    let val = self.values(a, b, place, Some(owners))?;
                    self.out.object_mut(kind).put(off, len, val);
                }
                (Some(a), None) if self.left.state.is_number(a) => self.left.keeps = false,
                (None, Some(b)) if self.right.state.is_number(b) => self.right.keeps = false,
                (None, None) => self.lose_both(),
                _ => return Err(NoJoin::Address),
            }
        }
        self.common_zeros(x, y, kind);
        Ok(())
    }

    /// A kind that only one side has: the other side does not cover the result.
    fn lacking(&mut self, side: Side, content: &Object, segment: ObjId, add: u32) -> ObjId {
        let into = self.new_kind(segment, content, content);
        self.side_mut(side.other()).keeps &= side == Side::Right && fault!(65);
        self.differences.shapes = true;
        self.lacking.push(Lacking { side, content: content.clone(), into, add });
        into
    }

    /// Copies the kinds that one side lacks.
    pub(super) fn copy_lacking_kinds(&mut self) -> Res<()> {
        while let Some(Lacking { side, content, into, add }) = self.lacking.pop() {
            self.copy_content(side, add, &content, into)?;
        }
        Ok(())
    }

    fn copy_content(&mut self, side: Side, add: u32, content: &Object, into: ObjId) -> Res<()> {
        let level = self.out.object(into).level;
        for (start, end) in &content.zeros {
            self.out.object_mut(into).put(*start, end - start, Val::ZERO);
        }
        for (off, cell) in &content.cells {
            let val = self.copy_value(side, add, level, cell.val)?;
            self.out.object_mut(into).put(*off, cell.len, val);
        }
        Ok(())
    }

    /// Copies the kinds of a segment that is copied.
    pub(super) fn copy_kinds(&mut self, side: Side, add: u32, out: ObjId, kinds: &[ObjId]) -> Res<()> {
        for &kind in kinds {
            let content = self.side(side).state.object(kind).clone();
            let into = self.new_kind(out, &content, &content);
            self.copy_content(side, add, &content, into)?;
            self.out.object_mut(out).kinds.push(into);
        }
        Ok(())
    }
}
