//! Join of the objects that two addresses lead to.

use super::{Joiner, Lift, NoJoin, NodeMeetsSegment, Res};
use crate::graph::{Addr, ObjId, Object, Seg, State, Storage, Tg, Val};
use std::collections::BTreeMap;
use std::rc::Rc;

impl Joiner<'_> {
    pub(super) fn addresses(&mut self, x: Addr, y: Addr, lift: Lift) -> Res<Addr> {
        if x.off != y.off {
            return Err(NoJoin::Address);
        }
        if let Some((o1, o2, d)) = self.merging {
            if x.obj == o1 && y.obj == o2 {
                // A back link from what is nested below the node, or from the node to itself.
                let each = |state: &State, a: Addr| a.tg == Tg::All || state.object(a.obj).seg.is_none();
                if !each(self.left.state, x) || !each(self.right.state, y) {
                    return Err(NoJoin::Address);
                }
                return Ok(Addr { obj: d, off: x.off, tg: Tg::All });
            }
            if [o1, o2].contains(&x.obj) || [o1, o2].contains(&y.obj) {
                return Err(NoJoin::Sharing);
            }
            if x.obj == y.obj {
                return if x == y { Ok(x) } else { Err(NoJoin::Address) };
            }
        }
        if x.tg.is_among() || y.tg.is_among() {
            return self.some_nodes(x, y, lift);
        }
        let fits = match (x.tg, y.tg) {
            (Tg::Region, _) | (_, Tg::Region) => true,
            (a, b) => a == b,
        };
        if !fits {
            return Err(NoJoin::Address);
        }
        let obj = self.objects(x.obj, y.obj, lift)?;
        let tg = if self.out.object(obj).seg.is_none() {
            Tg::Region
        } else if x.tg != Tg::Region {
            x.tg
        } else {
            y.tg
        };
        Ok(Addr { obj, off: x.off, tg })
    }

    pub(super) fn objects(&mut self, l: ObjId, r: ObjId, lift: Lift) -> Res<ObjId> {
        match (self.left.map.get(&l), self.right.map.get(&r)) {
            (Some(a), Some(b)) if a == b => return Ok(*a),
            (None, None) => {}
            (Some(a), _) if fault!(18) => return Ok(*a),
            _ => return Err(NoJoin::Sharing),
        }
        let (x, y) = (Rc::clone(&self.left.state.objects[&l]), Rc::clone(&self.right.state.objects[&r]));
        let ptr = self.left.state.pointer_bytes();
        let seg = joined_segment(&x, &y, ptr)?;
        let level = self.own_level(joined_level(&x, &y, lift)?)?;
        // What all nodes share is not lifted, nor is what it leads to.
        let lift = Lift { left: level - x.level, right: level - y.level };
        let place = self.measured_at(&x, &y, seg, level, lift);
        let size = self.sizes(&x, &y, place)?;
        let maybe = (if fault!(16) { x.maybe && y.maybe } else { x.maybe || y.maybe }) && seg.is_none();
        for (object, flag) in [(&x, &mut self.left.keeps), (&y, &mut self.right.keeps)] {
            *flag &= (object.seg == seg || fault!(19)) && object.maybe == maybe;
        }
        if self.nodes == NodeMeetsSegment::Untold && x.seg.is_some() != y.seg.is_some() {
            self.nodes = NodeMeetsSegment::Joined;
        }
        self.differences.lengths |= x.seg != y.seg;
        self.differences.shapes |= x.seg != y.seg || x.maybe != y.maybe;
        let mut object = (*x).clone();
        object.seg = seg;
        object.maybe = maybe;
        object.level = level;
        object.cells = BTreeMap::new();
        object.zeros = BTreeMap::new();
        object.kinds = Vec::new();
        object.fresh = x.fresh || y.fresh;
        (object.vague, object.hidden) = (x.vague || y.vague, x.hidden || y.hidden);
        match size {
            Some(size) => self.set_sizes(&mut object, (&x, &y), size, place.level),
            None => {
                self.set_least_size(&mut object, &x, &y);
                object.size_sym = self.joined_size(&x, &y, place);
            }
        }
        object.begin = self.joined_begin(&x, &y, place)?;
        object.aligned = self.joined_alignment(&x, &y);
        object.text = self.joined_text(&x, &y, place);
        object.length = self.joined_length(&x, &y, seg, lift);
        object.tags = self.joined_tags(&x, &y, seg, lift);
        self.forget_nodes(&mut object, &x, &y);
        self.forget_orders(&mut object, &x, &y);
        let out = self.out.add(object);
        self.left.map.insert(l, out);
        self.right.map.insert(r, out);
        self.work.push((l, r, out, lift));
        Ok(out)
    }

    /// The level of an object that replaces others. While nodes are merged it has to be nested below them: two objects
    /// that the nodes share are not one that all of them share.
    pub(super) fn own_level(&self, level: u32) -> Res<u32> {
        match self.merging {
            Some((_, _, d)) if level <= self.out.object(d).level && !fault!(1) => Err(NoJoin::Levels),
            _ => Ok(level),
        }
    }
}

/// The segment that two objects are joined to; none for two regions.
fn joined_segment(x: &Object, y: &Object, pointer_bytes: u64) -> Res<Option<Seg>> {
    if x.valid != y.valid || x.storage != y.storage || x.half != y.half {
        return Err(NoJoin::Objects);
    }
    match (x.seg, y.seg) {
        (None, None) => Ok(None),
        (Some(a), Some(b)) if Seg { min: b.min, ..a } == b => {
            Ok(Some(Seg { min: if fault!(7) { a.min.max(b.min) } else { a.min.min(b.min) }, ..a }))
        }
        (Some(seg), None) | (None, Some(seg))
            if x.valid && matches!(x.storage, Storage::Heap | Storage::Part) =>
        {
            let (Some(a), Some(b)) = (x.hole(seg, pointer_bytes), y.hole(seg, pointer_bytes)) else {
                return Err(NoJoin::Objects);
            };
            if !(x.has_twins(seg, pointer_bytes) && y.has_twins(seg, pointer_bytes)) {
                return Err(NoJoin::Objects);
            }
            if !(x.maybe || y.maybe) {
                return Ok(Some(Seg { min: if fault!(8) { seg.min } else { seg.min.min(1) }, ..seg }));
            }
            // An absent node is null, an empty segment is what follows or precedes it: they agree where that is null.
            let begins = |object: &Object| {
                seg.prev.is_none_or(|prev| object.peek(prev, pointer_bytes) == Some(Val::ZERO))
            };
            if (a, b) == (Val::ZERO, Val::ZERO) && begins(x) && begins(y) {
                Ok(Some(Seg { min: 0, ..seg }))
            } else {
                Err(NoJoin::Objects)
            }
        }
        _ => Err(NoJoin::Objects),
    }
}

fn joined_level(x: &Object, y: &Object, lift: Lift) -> Res<u32> {
    let (a, b) = (x.level + lift.left, y.level + lift.right);
    if a == b {
        Ok(a)
    } else if x.level == y.level {
        // Shared by all nodes on both sides.
        Ok(x.level)
    } else {
        Err(NoJoin::Levels)
    }
}
