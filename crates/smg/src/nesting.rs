//! Nesting: what a segment has once per node belongs to that segment alone.

use crate::graph::{ObjId, State};
use std::collections::{BTreeMap, BTreeSet};

impl State {
    /// True if every nested object belongs to one segment, and only that segment and what belongs to it lead there.
    pub fn is_well_nested(&self) -> bool {
        let mut families: BTreeMap<ObjId, BTreeSet<ObjId>> = BTreeMap::new();
        let mut owners: BTreeMap<ObjId, ObjId> = BTreeMap::new();
        for (&id, object) in &self.objects {
            if object.seg.is_none() {
                continue;
            }
            let family = self.nested(id);
            for &member in &family {
                let own = self.object(member).level == object.level + 1;
                if own && owners.insert(member, id).is_some() {
                    return false;
                }
            }
            families.insert(id, family);
        }
        let allowed = |holder: Option<ObjId>, target: ObjId| {
            self.object(target).level == 0
                || owners.get(&target).is_some_and(|owner| {
                    holder.is_some_and(|holder| holder == *owner || families[owner].contains(&holder))
                })
        };
        let (values, objects) = self.roots();
        let targets = values.into_iter().filter_map(|val| self.target(val));
        targets.chain(objects).all(|target| allowed(None, target))
            && self.objects.iter().all(|(&id, object)| {
                let mut targets = object.cells.values().filter_map(|cell| self.target(cell.val));
                targets.all(|target| allowed(Some(id), target))
            })
    }
}
