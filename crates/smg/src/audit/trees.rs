//! What paths through trees stand for: written out node by node. Shares nothing with the engine's own materialisation.

use super::expand::{Node, owned};
use crate::graph::{Addr, ObjId, Object, Seg, State, Tg, Val};
use crate::tree::Kids;
use std::collections::BTreeMap;

/// How a path begins.
#[derive(Clone, Copy, Debug)]
pub enum Way {
    /// It is empty.
    Empty,
    /// With a node that goes on at this field.
    Node(u64),
}

/// True if an object is a path through a tree.
pub fn is_path(object: &Object) -> bool {
    object.seg.is_some_and(|seg| seg.kids != Kids::NONE)
}

/// The ways in which a path can begin.
pub fn ways(state: &State, id: ObjId) -> Vec<Way> {
    let seg = state.object(id).seg.expect("paths are segments");
    let nodes = seg.kids.offsets(state.pointer_bytes()).map(Way::Node);
    let empty = (seg.min == 0).then_some(Way::Empty);
    empty.into_iter().chain(nodes).collect()
}

/// The graph in which a path begins in this way; `None` if that is no graph: an empty cycle.
pub fn grown(state: &State, id: ObjId, way: Way) -> Option<State> {
    let object = state.object(id).clone();
    let (seg, ptr) = (object.seg?, state.pointer_bytes());
    let below = owned(state, id);
    let mut out = state.clone();
    let follows = object.peek(seg.next, ptr)?;
    let root = match way {
        Way::Empty => {
            if matches!(follows, Val::Addr(addr) if addr.obj == id) {
                return None;
            }
            out.objects.remove(&id);
            below.iter().for_each(|nested| drop(out.objects.remove(nested)));
            follows
        }
        Way::Node(at) => {
            let region = out.add(Object { seg: None, ..object.clone() });
            let mut objects = BTreeMap::new();
            for &nested in &below {
                let copy = state.object(nested).clone();
                objects.insert(nested, out.add(Object { level: copy.level - 1, ..copy }));
            }
            let pairs: Vec<(ObjId, ObjId)> = objects.iter().map(|(a, b)| (*a, *b)).collect();
            let mut node =
                Node { state, out: &mut out, segment: id, region, objects, symbols: BTreeMap::new() };
            node.fill(id, region);
            pairs.into_iter().for_each(|(from, to)| node.fill(from, to));
            out.object_mut(id).seg = Some(Seg { min: seg.min.saturating_sub(1), ..seg });
            for off in seg.kids.offsets(ptr) {
                let obj = if off == at { id } else { beside(state, &mut out, id, seg) };
                let link = Val::Addr(Addr { obj, off: seg.head, tg: Tg::First });
                out.object_mut(region).put(off, ptr, link);
            }
            let node = Val::Addr(Addr { obj: region, off: seg.head, tg: Tg::Region });
            let mut links = out.object(region).clone();
            out.replace_values(|val| match val {
                Val::Addr(addr) if addr.obj == id && addr.tg == Tg::First => node,
                other => other,
            });
            // Its own links do not lead to itself.
            std::mem::swap(out.object_mut(region), &mut links);
            return Some(out);
        }
    };
    out.replace_values(|val| match val {
        Val::Addr(addr) if addr.obj == id => root,
        other => other,
    });
    Some(out)
}

/// A tree of its own, of the kind that hangs beside a path.
fn beside(state: &State, out: &mut State, id: ObjId, seg: Seg) -> ObjId {
    let mut tree = state.object(id).clone();
    tree.seg = Some(Seg { min: 0, ..seg });
    tree.put(seg.next, state.pointer_bytes(), Val::ZERO);
    let tree = out.add(tree);
    let mut copies = BTreeMap::from([(id, tree)]);
    for nested in owned(state, id) {
        let copy = state.object(nested).clone();
        copies.insert(nested, out.add(copy));
    }
    for copy in copies.values() {
        for cell in out.object_mut(*copy).cells.values_mut() {
            if let Val::Addr(addr) = &mut cell.val
                && let Some(new) = copies.get(&addr.obj)
            {
                addr.obj = *new;
            }
        }
    }
    tree
}
