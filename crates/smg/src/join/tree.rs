//! Trees in a join: what follows a path, and nodes of a tree merged to one path.

use super::merge::{has_dangling, merge_content, redirect};
use super::{Joiner, Lift, NoJoin, Place, Res};
use crate::graph::{ObjId, Object, Seg, State, Val};

/// Nodes of a tree that become one path.
pub struct Fold {
    /// The node at which the path begins.
    pub root: ObjId,
    /// Nodes, paths and trees that become part of it.
    pub members: Vec<ObjId>,
    /// The path that they become.
    pub shape: Seg,
    /// What follows it.
    pub hole: Val,
}

/// Merges nodes of a tree. The result is the whole configuration with the path in their place.
pub fn fold_nodes(state: &State, fold: &Fold) -> Res<State> {
    let ptr = state.pointer_bytes();
    let (mut out, mut root) = (state.clone(), fold.root);
    for &member in &fold.members {
        // It may have become a part of the content.
        if ![root, member].iter().all(|id| out.objects.contains_key(id)) {
            return Err(NoJoin::Sharing);
        }
        let (next, path, ..) = merge_content(&out, root, member, fold.shape)?;
        out = next;
        redirect(&mut out, root, member, path, fold.shape);
        root = path;
        // Any other address of what is gone comes from outside: it is no tree by itself.
        if has_dangling(&out) && !fault!(75) {
            return Err(NoJoin::Sharing);
        }
    }
    for off in fold.shape.kids.offsets(ptr) {
        out.object_mut(root).erase(off, ptr);
    }
    out.write(root, fold.shape.next, ptr, fold.hole);
    if has_dangling(&out) && !fault!(75) {
        return Err(NoJoin::Sharing);
    }
    if !out.is_well_nested() {
        return Err(NoJoin::Levels);
    }
    #[cfg(any(test, debug_assertions))]
    crate::consistency::check("fold", &out);
    #[cfg(test)]
    crate::audit::covers("fold", state, &[&out]);
    Ok(out)
}

impl Joiner<'_> {
    /// Joins what follows a path. A node of the other side is a path by itself.
    pub(super) fn holes(
        &mut self,
        (x, y): (&Object, &Object),
        ids: (ObjId, ObjId, ObjId),
        lift: Lift,
    ) -> Res<()> {
        let out = ids.2;
        let ptr = self.out.pointer_bytes();
        let (Some(seg), level) = (self.out.object(out).seg, self.out.object(out).level) else {
            return Err(NoJoin::Objects);
        };
        let (Some(a), Some(b)) = (x.hole(seg, ptr), y.hole(seg, ptr)) else { return Err(NoJoin::Objects) };
        let place = Place { lift, level, width: self.out.pointer_bits() };
        let joined = self.values(a, b, place, Some(ids))?;
        let object = self.out.object_mut(out);
        seg.kids.offsets(ptr).for_each(|off| object.erase(off, ptr));
        object.put(seg.next, ptr, joined);
        Ok(())
    }
}
