//! Materialisation and removal of list segments (section 2.3 of the paper).

use crate::graph::{Addr, Def, ObjId, State, SymId, Tg, Val};
use crate::tree::Kids;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

impl State {
    /// Makes the node that an address into a segment means concrete. A segment that may be empty gives two
    /// configurations. The address itself changes; callers look at their operands again.
    pub fn open(&self, addr: Addr) -> Vec<State> {
        let Some(seg) = self.object(addr.obj).seg else { return vec![self.clone()] };
        let mut results = Vec::new();
        if seg.min == 0 && !fault!(21) {
            let mut empty = self.clone();
            if empty.remove(addr.obj) {
                results.push(empty);
            }
        }
        let mut some = self.clone();
        if seg.kids != Kids::NONE {
            results.extend(some.with_root(addr.obj));
        } else if some.has_nodes(addr.obj, 1) {
            if let Tg::Among(number) = addr.tg {
                results.extend(some.cut_at(addr.obj, number));
            } else {
                let first = addr.tg != Tg::Last;
                for (some, node) in some.of_each_kind(addr.obj, first) {
                    let cases = some.taken_out(addr.obj, node).into_iter();
                    results.extend(cases.flat_map(|case| case.tagged(addr.obj, node, first)));
                }
            }
        }
        #[cfg(test)]
        crate::audit::covers("open", self, &results.iter().collect::<Vec<_>>());
        results
    }

    /// The two cases of a segment that may be empty: it is, or it has a node.
    pub fn split_empty(&self, id: ObjId) -> Vec<State> {
        let mut results = Vec::new();
        let mut empty = self.clone();
        if !fault!(22) && empty.remove(id) {
            results.push(empty);
        }
        let mut some = self.clone();
        if let Some(seg) = &mut some.object_mut(id).seg {
            seg.min = seg.min.max(1);
        }
        if some.has_nodes(id, 1) {
            results.push(some);
        }
        #[cfg(test)]
        crate::audit::covers("split_empty", self, &results.iter().collect::<Vec<_>>());
        results
    }

    /// The two cases of a segment of at least one node: it has exactly one, or it has more.
    pub fn one_or_more(&self, id: ObjId) -> Vec<(State, bool)> {
        let mut results = Vec::new();
        for (mut one, node) in self.of_each_kind(id, true) {
            if one.is_the_only_one(id, node) && one.remove(id) {
                results.push((one, true));
            }
        }
        let mut more = self.clone();
        if let Some(seg) = &mut more.object_mut(id).seg {
            seg.min = seg.min.max(2);
        }
        if more.has_nodes(id, 2) {
            results.push((more, false));
        }
        #[cfg(test)]
        crate::audit::covers(
            "one_or_more",
            self,
            &results.iter().map(|(state, _)| state).collect::<Vec<_>>(),
        );
        results
    }

    /// The two cases of a 0/1 object: it is absent and its address null, or it is there.
    pub fn split_maybe(&self, id: ObjId) -> Vec<State> {
        let mut absent = self.clone();
        let below = absent.reachable(&[], &[id]);
        absent.objects.remove(&id);
        absent.replace_values(|val| match val {
            Val::Addr(addr) if addr.obj == id => Val::ZERO,
            other => other,
        });
        // What only the object held is not there either.
        let (values, objects) = absent.roots();
        let kept = absent.reachable(&values, &objects);
        absent.objects.retain(|object, _| kept.contains(object) || !below.contains(object));
        let mut present = self.clone();
        present.object_mut(id).maybe = false;
        #[cfg(test)]
        crate::audit::covers("split_maybe", self, &[&absent, &present]);
        vec![absent, present]
    }

    /// The objects nested below a segment.
    pub fn nested(&self, id: ObjId) -> BTreeSet<ObjId> {
        self.nested_from(id, id)
    }

    /// The objects nested below a segment that an object leads to.
    pub fn nested_from(&self, id: ObjId, from: ObjId) -> BTreeSet<ObjId> {
        let level = self.object(id).level;
        let mut work = vec![from];
        let mut found = BTreeSet::new();
        while let Some(object) = work.pop() {
            for target in self.targets(object) {
                if target != id && self.object(target).level > level && found.insert(target) {
                    work.push(target);
                }
            }
        }
        found
    }

    /// Removes an empty segment: who pointed to its first node points to what follows, who pointed to its last node to
    /// what comes before. False if the segment cannot be empty in a consistent graph.
    pub fn remove(&mut self, id: ObjId) -> bool {
        let object = self.object(id).clone();
        let Some(seg) = object.seg else { return false };
        if !self.has_no_nodes(id) || !self.among(id).is_empty() {
            return false;
        }
        let ptr = self.pointer_bytes();
        let width = self.pointer_bits();
        let next = object.peek(seg.next, ptr).unwrap_or_else(|| self.unknown(width));
        let prev = seg.prev.and_then(|off| object.peek(off, ptr)).unwrap_or_else(|| self.unknown(width));
        let end = |val: Val| match val {
            Val::Addr(a) if a.obj == id => Some(a.tg),
            _ => None,
        };
        // A link of the last node to itself means the node before where there is none, and the other way round.
        let (next, prev) = match (end(next), end(prev)) {
            (None, None) => (next, prev),
            (Some(Tg::Last), None) => (prev, prev),
            (None, Some(Tg::First)) => (next, next),
            // Only itself follows: a cycle without a node is nowhere.
            _ => return false,
        };
        for nested in self.nested(id) {
            self.objects.remove(&nested);
        }
        self.objects.remove(&id);
        self.replace_values(|val| match val {
            Val::Addr(Addr { obj, tg: Tg::First, .. }) if obj == id => next,
            Val::Addr(Addr { obj, tg: Tg::Last, .. }) if obj == id => {
                if fault!(23) {
                    next
                } else {
                    prev
                }
            }
            other => other,
        });
        true
    }

    /// The node that was the first one, as one of a kind if there are several; none if there can be no node.
    pub(crate) fn materialise_first(&mut self, id: ObjId, kind: Option<ObjId>) -> Option<ObjId> {
        let seg = self.object(id).seg.expect("only segments are materialised");
        let region = self.pull_out(id, Tg::First, kind)?;
        let ptr = self.pointer_bytes();
        let rest = Val::Addr(Addr { obj: id, off: seg.head, tg: Tg::First });
        self.write(region, seg.next, ptr, rest);
        if let Some(prev) = seg.prev {
            let node = Val::Addr(Addr { obj: region, off: seg.head, tg: Tg::Region });
            self.write(id, prev, ptr, node);
        }
        self.write_twins(region, seg);
        self.put_in_order(id, region, true);
        Some(region)
    }

    /// The same for the last node.
    pub fn materialise_last(&mut self, id: ObjId, kind: Option<ObjId>) -> Option<ObjId> {
        let seg = self.object(id).seg.expect("only segments are materialised");
        let region = self.pull_out(id, Tg::Last, kind)?;
        let ptr = self.pointer_bytes();
        if let Some(prev) = seg.prev {
            let rest = Val::Addr(Addr { obj: id, off: seg.head, tg: Tg::Last });
            self.write(region, prev, ptr, rest);
        }
        let node = Val::Addr(Addr { obj: region, off: seg.head, tg: Tg::Region });
        self.write(id, seg.next, ptr, node);
        self.write_twins(region, seg);
        self.put_in_order(id, region, false);
        Some(region)
    }

    /// A region with the content of one node; addresses of that end of the segment become its address. None if what holds in
    /// each node can hold in none.
    pub fn pull_out(&mut self, id: ObjId, end: Tg, kind: Option<ObjId>) -> Option<ObjId> {
        let mut node = self.node_of_kind(id, kind);
        node.seg = None;
        (node.length, node.tags, node.each) = (None, None, None);
        node.orders = Vec::new();
        let region = self.add(node);
        self.replace_values(|val| match val {
            Val::Addr(addr) if addr.obj == id && addr.tg == end => {
                Val::Addr(Addr { obj: region, off: addr.off, tg: Tg::Region })
            }
            other => other,
        });
        let own = self.copy_nested(id, region, kind, 1);
        if !self.instantiate(id, &own) {
            return None;
        }
        if let Some(seg) = &mut self.object_mut(id).seg {
            seg.min = if fault!(20) { seg.min } else { seg.min.saturating_sub(1) };
        }
        self.count_one_less(id);
        Some(region)
    }

    /// A second segment with nodes like those of a segment. Nothing leads to it yet.
    pub(crate) fn duplicate(&mut self, id: ObjId) -> ObjId {
        let copy = self.add(self.object(id).clone());
        let own = self.copy_nested(id, copy, None, 0);
        if let Some(each) = self.object(id).each.clone() {
            let renamed = each.renamed(|id| Some(own.get(&id).copied().unwrap_or(id)));
            self.object_mut(copy).each = Some(Rc::new(renamed));
        }
        copy
    }

    /// Gives a materialised node, or a copy of a segment, its own copy of what is nested below the segment, so many levels
    /// down, and numbers of its own.
    fn copy_nested(
        &mut self,
        id: ObjId,
        region: ObjId,
        kind: Option<ObjId>,
        down: u32,
    ) -> BTreeMap<SymId, SymId> {
        let level = self.object(id).level;
        let mut objects: BTreeMap<ObjId, ObjId> = BTreeMap::new();
        for nested in self.nested_from(id, kind.unwrap_or(id)) {
            let mut copy = self.object(nested).clone();
            copy.level -= down;
            objects.insert(nested, self.add(copy));
        }
        self.rename_kinds(&objects);
        let mut syms: BTreeMap<SymId, SymId> = BTreeMap::new();
        for target in objects.values().copied().chain([region]).collect::<Vec<_>>() {
            let cells: Vec<_> = self.object(target).cells.iter().map(|(off, cell)| (*off, *cell)).collect();
            for (off, mut cell) in cells {
                cell.val = self.own_value(cell.val, (id, region, down), level, &objects, &mut syms);
                self.object_mut(target).cells.insert(off, cell);
            }
            self.own_measures(target, |state, val| {
                state.own_value(val, (id, region, down), level, &objects, &mut syms)
            });
        }
        syms
    }

    /// A value of a node as seen by the materialised node.
    fn own_value(
        &mut self,
        val: Val,
        (id, region, down): (ObjId, ObjId, u32),
        level: u32,
        objects: &BTreeMap<ObjId, ObjId>,
        syms: &mut BTreeMap<SymId, SymId>,
    ) -> Val {
        match val {
            Val::Addr(addr) if addr.obj == id && addr.tg == Tg::All => Val::Addr(Addr {
                obj: region,
                off: addr.off,
                tg: if down > 0 { Tg::Region } else { Tg::All },
            }),
            Val::Addr(addr) => match objects.get(&addr.obj) {
                Some(_) if fault!(24) => val,
                Some(&copy) => Val::Addr(Addr { obj: copy, ..addr }),
                None => val,
            },
            Val::Sym(sym) if self.syms[&sym].level > level => {
                if let Some(&copy) = syms.get(&sym) {
                    return Val::Sym(copy);
                }
                let mut copy = (*self.syms[&sym]).clone();
                copy.level -= down;
                if fault!(25) {
                    copy.range.hi = copy.range.lo.max(0);
                }
                copy.def = match copy.def {
                    Def::At(base, index, scale) => {
                        let base = self.own_value(Val::Addr(base), (id, region, down), level, objects, syms);
                        let index = self.own_value(Val::Sym(index), (id, region, down), level, objects, syms);
                        match (base, index) {
                            (Val::Addr(base), Val::Sym(index)) => Def::At(base, index, scale),
                            _ => Def::Free,
                        }
                    }
                    // Relations between nested numbers are not kept across nodes.
                    _ => Def::Free,
                };
                let copy = self.add_sym(copy);
                syms.insert(sym, copy);
                Val::Sym(copy)
            }
            other => other,
        }
    }
}
