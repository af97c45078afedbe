//! Join of what holds in each node of segments, and what holds in each node of a new one.
//!
//! A node of the result is one of the left side or one of the right side. The numbers that it has are tied to forms on both
//! sides, as all numbers of a join are; what the sides say of these is joined, and kept apart for each segment.

use super::relations::{
    Gap, Tie, anchors, counterparts, holds_there, leap, side, union, with_bounds, without_far,
};
use super::{Growth, Joiner};
use crate::graph::{Def, ObjId, Object, State, SymId, Val};
use crate::relation::Form;
use heapproof_numbers::{Linear, Ranges, System};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// So many numbers of a node are looked at.
const MOST_OWN: usize = 6;

/// So many numbers that all nodes share are looked at.
const MOST_SHARED: usize = 5;

/// A segment of the result, and what its nodes are on the sides.
pub struct Nodes {
    /// The segment.
    pub out: ObjId,
    /// The segment or node of the left side; none if the left side has no such nodes.
    pub left: Option<ObjId>,
    /// The same for the right side.
    pub right: Option<ObjId>,
    /// The numbers that each node has.
    pub own: Vec<Tie>,
}

impl Joiner<'_> {
    /// The segments of the top level whose nodes may have related numbers.
    pub(super) fn related_nodes(&self) -> Vec<Nodes> {
        if !self.out.relates || !self.out.looks_inside || self.out.kinds.is_some() {
            return Vec::new();
        }
        let back = |map: &BTreeMap<ObjId, ObjId>| -> BTreeMap<ObjId, ObjId> {
            map.iter().map(|(own, out)| (*out, *own)).collect()
        };
        let (lefts, rights) = (back(&self.left.map), back(&self.right.map));
        let top = self.out.objects.iter().filter(|(_, object)| object.seg.is_some() && object.level == 0);
        let nodes = top.filter_map(|(&out, _)| {
            let (left, right) = (lefts.get(&out).copied(), rights.get(&out).copied());
            let may_say = |state: &State, id: Option<ObjId>| {
                id.is_some_and(|id| state.object(id).seg.is_none() || state.object(id).each.is_some())
            };
            let says = may_say(self.left.state, left) || may_say(self.right.state, right);
            let top = |state: &State, id: Option<ObjId>| id.is_none_or(|id| state.object(id).level == 0);
            let own = says && top(self.left.state, left) && top(self.right.state, right);
            own.then(|| Nodes { out, left, right, own: self.own_ties(out, left, right) })
        });
        nodes.collect()
    }

    /// The numbers that each node of a segment of the result has, with what they are on the sides.
    pub(super) fn own_ties(&self, out: ObjId, left: Option<ObjId>, right: Option<ObjId>) -> Vec<Tie> {
        let (own, mut ties) = (self.out.own_numbers(out), Vec::new());
        let seen = |state: &State, id: Option<ObjId>, val: Val, width: u8| {
            state.form_within(id.is_some_and(|id| state.object(id).seg.is_some()), val, width)
        };
        let mut note = |id: SymId, a: Val, b: Val, left: Option<ObjId>, right: Option<ObjId>| {
            let sym = &self.out.syms[&id];
            if sym.def != Def::Free || sym.width > 64 || !sym.functions.is_empty() {
                return;
            }
            if let (Some(mine), Some(theirs)) =
                (seen(self.left.state, left, a, sym.width), seen(self.right.state, right, b, sym.width))
            {
                ties.push(Tie { id, left: mine, right: theirs });
            }
        };
        match (left, right) {
            (Some(_), Some(_)) => {
                let indices = self.indices.iter().filter(|tie| own.contains(&tie.id));
                let mut known: BTreeSet<SymId> = indices.map(|tie| tie.id).collect();
                for ((a, b, _), joined) in &self.numbers {
                    if let Val::Sym(id) = *joined
                        && own.contains(&id)
                    {
                        known.insert(id);
                        note(id, *a, *b, left, right);
                    }
                }
                if self.merging.is_some() {
                    // What both nodes call the same.
                    let same =
                        own.iter().filter(|id| !known.contains(id) && self.left.state.syms.contains_key(id));
                    same.for_each(|id| note(*id, Val::Sym(*id), Val::Sym(*id), left, right));
                }
            }
            // The other side has no nodes; whatever is said there of them holds.
            (Some(_), None) => {
                for (from, to) in self.left.copied.iter().filter(|(_, to)| own.contains(to)) {
                    let form = seen(self.left.state, left, Val::Sym(*from), 64);
                    ties.extend(form.map(|form| Tie { id: *to, left: form.clone(), right: form }));
                }
            }
            (None, Some(_)) => {
                for (from, to) in self.right.copied.iter().filter(|(_, to)| own.contains(to)) {
                    let form = seen(self.right.state, right, Val::Sym(*from), 64);
                    ties.extend(form.map(|form| Tie { id: *to, left: form.clone(), right: form }));
                }
            }
            (None, None) => {}
        }
        let indices = self.indices.iter().filter(|tie| own.contains(&tie.id));
        ties.extend(indices.cloned());
        ties
    }

    /// What holds in each node of an object is known only when all numbers are. Below other nodes it is not kept.
    pub(super) fn forget_nodes(&mut self, object: &mut Object, x: &Object, y: &Object) {
        object.each = None;
        if object.level > 0 || self.merging.is_some() {
            self.left.keeps &= x.each.is_none();
            self.right.keeps &= y.each.is_none();
        }
    }

    /// A side that says more of its nodes than the other does not cover it.
    pub(super) fn compare_nodes(&mut self, nodes: &[Nodes], shared: &[Tie]) {
        if fault!(60) {
            return;
        }
        for nodes in nodes {
            let (Some(left), Some(right)) = (nodes.left, nodes.right) else { continue };
            // No other check has looked at these.
            if self.indices.iter().any(|tie| nodes.own.contains(tie)) {
                self.lose_both();
            }
            let ties = || shared.iter().chain(&nodes.own);
            if self.left.keeps {
                let pairs: Vec<(&Form, &Form)> = ties().map(|tie| (&tie.left, &tie.right)).collect();
                let sides = ((self.left.state, left), (self.right.state, right));
                self.left.keeps = covers(sides.0, sides.1, &pairs);
            }
            if self.right.keeps {
                let pairs: Vec<(&Form, &Form)> = ties().map(|tie| (&tie.right, &tie.left)).collect();
                let sides = ((self.right.state, right), (self.left.state, left));
                self.right.keeps = covers(sides.0, sides.1, &pairs);
            }
        }
    }
}

/// True if all that a side says of its nodes holds of those of the other.
fn covers(side: (&State, ObjId), other: (&State, ObjId), pairs: &[(&Form, &Form)]) -> bool {
    let Some(each) = &side.0.object(side.1).each else { return true };
    holds_there(each, &other.0.seen_from(other.1), &counterparts(pairs, 0))
}

/// What holds in each node of a segment of the result.
pub fn joined(
    out: &State,
    nodes: &Nodes,
    shared: &[Tie],
    (left, right): (&State, &State),
    growth: Growth<'_>,
) -> Option<Rc<System<SymId>>> {
    let ties = chosen(out, nodes, shared, left, right);
    if ties.len() < 2 || nodes.own.is_empty() {
        return None;
    }
    let views = (nodes.left.map(|id| left.seen_from(id)), nodes.right.map(|id| right.seen_from(id)));
    let mine = views.0.as_ref().map(|view| side(view, &ties, |tie| &tie.left));
    let theirs = views.1.as_ref().map(|view| side(view, &ties, |tie| &tie.right));
    let system = match (mine, theirs) {
        (Some((system, _)), None) | (None, Some((system, _))) => system,
        (None, None) => return None,
        (Some((system, _)), Some(_)) if fault!(59) => system,
        (Some(mine), Some(theirs)) => {
            let gaps = gaps(out, nodes, &ties);
            match growth {
                Growth::Hull => {
                    let dimensions: Vec<SymId> = ties.iter().map(|tie| tie.id).collect();
                    let joined = mine.0.join(&theirs.0, &mine.1, &theirs.1, &dimensions);
                    let ends = |id| union(mine.1.get(&id)?, theirs.1.get(&id)?);
                    with_bounds(joined, &mine, &theirs, &gaps, ends, |gap| gap)
                }
                Growth::Thresholds(_) => {
                    let kept = mine.0.widen(&theirs.0, &mine.1, &theirs.1);
                    with_bounds(kept, &mine, &theirs, &gaps, |id| Some(Ranges::range(out, id)), leap)
                }
            }
        }
    };
    out.about_nodes(&without_far(&system))
}

/// The numbers of nodes and those of level 0 between which relations are looked for.
fn chosen<'t>(out: &State, nodes: &'t Nodes, shared: &'t [Tie], left: &State, right: &State) -> Vec<&'t Tie> {
    let known = |state: &State, id: Option<ObjId>| {
        let mut known = state.relations.dimensions();
        known.extend(id.map(|id| state.object(id).each_dimensions()).unwrap_or_default());
        known
    };
    let (mine, theirs) = (known(left, nodes.left), known(right, nodes.right));
    let says = |form: &Form, known: &BTreeSet<SymId>| form.factors().any(|(id, _)| known.contains(&id));
    let rank = |tie: &Tie| u32::from(!says(&tie.left, &mine) && !says(&tie.right, &theirs));
    let mut own: Vec<&Tie> = nodes.own.iter().collect();
    own.sort_by_key(|tie| rank(tie));
    own.truncate(MOST_OWN);
    // What has to do with the numbers of the nodes, directly or through others.
    let near = |state: &State, id: Option<ObjId>, form: fn(&Tie) -> &Form| {
        let mut near: BTreeSet<SymId> =
            own.iter().flat_map(|tie| form(tie).factors().map(|(id, _)| id).collect::<Vec<_>>()).collect();
        let each = id.and_then(|id| state.object(id).each.clone()).unwrap_or_default();
        for _ in 0..3 {
            for constraint in state.relations.constraints().chain(each.constraints()) {
                if constraint.form().factors().any(|(id, _)| near.contains(&id)) {
                    near.extend(constraint.form().factors().map(|(id, _)| id));
                }
            }
        }
        near
    };
    let mine = near(left, nodes.left, |tie| &tie.left);
    let theirs = near(right, nodes.right, |tie| &tie.right);
    let anchors = anchors(out);
    let mut others: Vec<&Tie> = shared
        .iter()
        .filter(|tie| !out.is_own(tie.id))
        .filter(|tie| {
            says(&tie.left, &mine)
                || says(&tie.right, &theirs)
                || tie.left.is_constant() && tie.right.is_constant()
        })
        .collect();
    others.sort_by_key(|tie| {
        let near = says(&tie.left, &mine) || says(&tie.right, &theirs);
        (!near, !anchors.contains(&tie.id))
    });
    let mut seen = BTreeSet::new();
    others.retain(|tie| seen.insert(tie.id));
    others.truncate(MOST_SHARED);
    own.into_iter().chain(others).collect()
}

/// The differences that are looked at: between numbers of one node, and between these and others.
fn gaps(out: &State, nodes: &Nodes, ties: &[&Tie]) -> Vec<Gap> {
    let ids: BTreeSet<SymId> = ties.iter().map(|tie| tie.id).collect();
    let family: Vec<ObjId> = out.nested(nodes.out).into_iter().chain([nodes.out]).collect();
    let measures: BTreeSet<SymId> = family.iter().flat_map(|id| out.object(*id).measures()).collect();
    let anchors = anchors(out);
    let mut gaps = Vec::new();
    for &bound in &ids {
        for &below in ids.iter().filter(|id| **id != bound && (out.is_own(**id) || out.is_own(bound))) {
            let anchored = anchors.contains(&bound) || measures.contains(&bound);
            if let Some(form) = Linear::dimension(bound).plus(&Linear::dimension(below), -1) {
                gaps.push(Gap { form, anchored });
            }
        }
    }
    for id in family {
        for cell in out.object(id).cells.values() {
            let Val::Sym(address) = cell.val else { continue };
            let Def::At(base, index, scale) = out.syms[&address].def else { continue };
            let object = out.object(base.obj);
            let width = out.pointer_bits();
            let offset = out
                .form_within(true, Val::Sym(index), width)
                .and_then(|index| Linear::constant(base.off.into()).plus(&index, scale.into()));
            let text = object.text.and_then(|text| {
                let len = out.form_within(true, Val::Sym(text.len), width)?;
                len.plus(&Linear::constant(text.start.into()), 1)
            });
            for end in [out.size_within(object), text].into_iter().flatten() {
                let form = offset.as_ref().and_then(|offset| end.plus(offset, -1));
                if let Some(form) = form.filter(|form| form.factors().all(|(id, _)| ids.contains(&id))) {
                    gaps.push(Gap { form, anchored: true });
                }
            }
        }
    }
    // How much room is left after a string.
    for id in out.nested(nodes.out).into_iter().chain([nodes.out]) {
        let object = out.object(id);
        let len = object.text.and_then(|text| {
            let len = out.form_within(true, Val::Sym(text.len), out.pointer_bits())?;
            len.plus(&Linear::constant(text.start.into()), 1)
        });
        let room = len.and_then(|len| out.size_within(object)?.plus(&len, -1));
        if let Some(form) = room.filter(|form| form.factors().all(|(id, _)| ids.contains(&id))) {
            gaps.push(Gap { form, anchored: true });
        }
    }
    gaps
}

/// The numbers of level 0 that a graph has before and after two of its nodes were merged.
pub fn unchanged(before: &State, after: &State) -> Vec<Tie> {
    let mut used = after.used_syms();
    if before.sorts {
        // What holds in the nodes beside may speak of what is in no node any more.
        let each = after.objects.values().flat_map(|object| object.each_dimensions());
        used.extend(each.filter(|id| !after.is_own(*id)));
    }
    let free = used.into_iter().filter(|id| before.syms.get(id).is_some_and(|sym| sym.def == Def::Free));
    let forms = free.filter_map(|id| Some((id, before.form_of(id).filter(|form| !form.is_constant())?)));
    forms.map(|(id, form)| Tie { id, left: form.clone(), right: form }).collect()
}
