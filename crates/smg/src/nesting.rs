//! Nesting: what a segment has once per node belongs to that segment alone.

use crate::graph::{Addr, Def, ObjId, Object, State, Tg, Val};
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
        // Only what a segment has once per node knows the node that has it.
        let own = |holder: ObjId, val: Val| match self.each_node(val) {
            Some(seg) => holder == seg || families.get(&seg).is_some_and(|family| family.contains(&holder)),
            None => true,
        };
        let (values, objects) = self.roots();
        let targets = values.into_iter().filter_map(|val| self.target(val));
        targets.chain(objects).all(|target| allowed(None, target))
            && self.objects.iter().all(|(&id, object)| {
                self.is_level_enough(object)
                    && self.targets(id).all(|target| allowed(Some(id), target))
                    && object.cells.values().all(|cell| own(id, cell.val))
            })
    }

    /// True if an object leads only to what there is once for it, or once for each of its nodes; its links only to what there is once.
    fn is_level_enough(&self, object: &Object) -> bool {
        let inner = object.level + u32::from(object.seg.is_some());
        object.cells.iter().all(|(off, cell)| {
            let level = if object.links().any(|link| link == *off) { object.level } else { inner };
            // Only variables lead to some node: these alone are looked at where its list is cut.
            !self.is_some_node(cell.val)
                && self.target(cell.val).is_none_or(|target| self.object(target).level <= level)
        })
    }

    /// The segment each of whose nodes an address means.
    fn each_node(&self, val: Val) -> Option<ObjId> {
        match val {
            Val::Addr(Addr { obj, tg: Tg::All, .. }) => Some(obj),
            Val::Sym(id) => match self.syms.get(&id)?.def {
                Def::At(Addr { obj, tg: Tg::All, .. }, ..) => Some(obj),
                Def::Plus(source, _) | Def::Same(source) => self.each_node(Val::Sym(source)),
                _ => None,
            },
            _ => None,
        }
    }
}
