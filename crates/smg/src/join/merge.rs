//! Merging two neighbouring nodes of a list: the join started from two nodes of one graph (section 3.3 of the paper).

use super::each::{self, Nodes};
use super::{Growth, Joiner, Lift, NoJoin, Place, Res, fields_of};
use crate::graph::{Addr, ObjId, Object, Seg, State, Text, Tg, Val};
use std::collections::BTreeMap;

/// Two nodes that were merged.
pub struct Merged {
    /// The configuration with the segment in their place. It says nothing yet of several numbers of its nodes.
    state: State,
    /// 0 if the nodes are equal, 1 if one covers the other and their numbers are alike, and 2 otherwise.
    pub cost: u32,
    /// The new segment.
    nodes: Option<Nodes>,
    orders: bool,
}

impl Merged {
    /// True if its nodes are in some order.
    pub fn is_in_order(&self) -> bool {
        self.orders
    }

    /// The result, with what holds in each node of the new segment.
    pub fn related(mut self, before: &State) -> State {
        if let Some(nodes) = self.nodes {
            let shared = each::unchanged(before, &self.state);
            let each = each::joined(&self.state, &nodes, &shared, (before, before), Growth::Hull);
            self.state.object_mut(nodes.out).each = each;
            #[cfg(test)]
            crate::audit::covers("merge of relations", before, &[&self.state]);
        }
        self.state
    }
}

/// Merges two neighbouring nodes of a list into one segment (section 3.3). The result is the whole configuration with
/// the segment in their place.
pub fn merge_nodes(state: &State, o1: ObjId, o2: ObjId, shape: Seg, loose: bool) -> Res<Merged> {
    let (mut out, d, cost, nodes) = merge_content(state, o1, o2, shape)?;
    let ptr = state.pointer_bytes();
    out.write(d, shape.next, ptr, state.object(o2).peek(shape.next, ptr).ok_or(NoJoin::Objects)?);
    if let Some(prev) = shape.prev {
        out.write(
            d,
            prev,
            ptr,
            state.object(if fault!(13) { o2 } else { o1 }).peek(prev, ptr).ok_or(NoJoin::Objects)?,
        );
    }
    redirect(&mut out, o1, o2, d, shape);
    out.blur(state, [o1, o2], d, loose);
    // Any other address of what is gone comes from outside: the nodes are not a list by themselves.
    if has_dangling(&out) && !fault!(11) {
        return Err(NoJoin::Sharing);
    }
    if !out.is_well_nested() {
        return Err(NoJoin::Levels);
    }
    crate::consistency::check("merge", &out);
    #[cfg(test)]
    crate::audit::covers("merge", state, &[&out]);
    let orders = !out.object(d).orders.is_empty();
    Ok(Merged { state: out, cost, nodes, orders })
}

/// A configuration in which two nodes became a segment, the cost, and what numbers of the segment were before.
type Content = (State, ObjId, u32, Option<Nodes>);

/// Replaces two nodes, and what each of them has for itself, by a segment with what they have in common, but without links.
/// Addresses of the two still lead to them.
pub(super) fn merge_content(state: &State, o1: ObjId, o2: ObjId, shape: Seg) -> Res<Content> {
    let mut out = state.clone();
    let (x, y) = (state.object(o1).clone(), state.object(o2).clone());
    if x.level != y.level || x.half != y.half {
        return Err(NoJoin::Objects);
    }
    let mut node = x.clone();
    node.seg = Some(shape);
    node.cells = BTreeMap::new();
    node.zeros = BTreeMap::new();
    node.kinds = Vec::new();
    node.fresh = x.fresh || y.fresh;
    (node.vague, node.hidden) = (x.vague || y.vague, x.hidden || y.hidden);
    node.size_sym = None;
    node.text = None;
    node.each = None;
    node.orders = Vec::new();
    node.length = out.length_of_both(o1, o2);
    let tags = out.tags_of_both(o1, o2, shape);
    node.tags = tags.clone();
    let d = out.add(node);
    let [x, y] = [x, y].map(|node| node.without_twins(shape, state.pointer_bytes()));
    let mut joiner = Joiner::new(state, state, out, Growth::Hull);
    let keeps = |side: &Object| side.tags.is_none() || side.tags == tags;
    joiner.left.keeps &= keeps(&x);
    joiner.right.keeps &= keeps(&y);
    joiner.merging = Some((o1, o2, d));
    joiner.left.map.insert(o1, d);
    joiner.right.map.insert(o2, d);
    let text = joiner.node_measures(&x, &y, d, shape)?;
    match state.kinds {
        Some(_) => joiner.contents_of_nodes((o1, o2, d), shape)?,
        None => joiner.node_fields(&x, &y, d, shape)?,
    }
    joiner.out.set_text(d, text);
    joiner.run()?;
    let orders = state.orders_of_both(o1, o2, shape);
    joiner.lose_orders(&x, &y, &orders);
    let cost = match u32::from(!joiner.left.keeps) + u32::from(!joiner.right.keeps) {
        // Numbers that differ may tell more of two nodes than a list that one of them lacks.
        1 if joiner.differences.contents => 2,
        cost => cost,
    };
    let nodes = (state.relates && state.looks_inside && state.kinds.is_none()).then(|| Nodes {
        out: d,
        left: Some(o1),
        right: Some(o2),
        own: joiner.own_ties(d, Some(o1), Some(o2)),
    });
    let (lmap, rmap) = (joiner.left.map, joiner.right.map);
    // What both nodes lead to, by different ways, is no object of either.
    if lmap.keys().any(|id| rmap.contains_key(id)) && !fault!(63) {
        return Err(NoJoin::Sharing);
    }
    let mut out = joiner.out;
    out.set_orders(d, orders);
    for gone in lmap.keys().chain(rmap.keys()) {
        out.objects.remove(gone);
        state.object(*gone).kinds.iter().for_each(|kind| {
            out.objects.remove(kind);
        });
    }
    Ok((out, d, cost, nodes))
}

impl Joiner<'_> {
    /// The size of the nodes, which may be one per node; gives the string in them.
    fn node_measures(&mut self, x: &Object, y: &Object, d: ObjId, shape: Seg) -> Res<Option<Text>> {
        let place = self.measured_at(x, y, Some(shape), x.level, Lift::NONE);
        let mut node = self.out.object(d).clone();
        match self.sizes(x, y, place)? {
            Some(size) => self.set_sizes(&mut node, (x, y), size, place.level),
            None => {
                self.set_least_size(&mut node, x, y);
                node.size_sym = self.joined_size(x, y, place);
            }
        }
        *self.out.object_mut(d) = node;
        let (begin, aligned) = (self.joined_begin(x, y, place)?, self.joined_alignment(x, y));
        let node = self.out.object_mut(d);
        (node.begin, node.aligned) = (begin, aligned);
        Ok(self.joined_text(x, y, place))
    }

    fn node_fields(&mut self, x: &Object, y: &Object, d: ObjId, shape: Seg) -> Res<()> {
        let lift = Lift { left: u32::from(x.seg.is_none()), right: u32::from(y.seg.is_none()) };
        let level = x.level;
        self.views(x, y)?;
        for (off, len) in fields_of(x, y) {
            if off == shape.next || shape.prev == Some(off) || shape.kids.has(off, self.out.pointer_bytes()) {
                continue;
            }
            let place = Place { lift, level: level + 1, width: (len * 8).min(128) as u8 };
            match (x.peek(off, len), y.peek(off, len)) {
                (Some(a), Some(b)) => {
                    let val = self.values(a, b, place, self.merging)?;
                    self.out.object_mut(d).put(off, len, val);
                }
                (Some(a), None) if self.left.state.is_number(a) => self.left.keeps = false,
                (None, Some(b)) if self.right.state.is_number(b) => self.right.keeps = false,
                (None, None) => self.lose_both(),
                _ => return Err(NoJoin::Address),
            }
        }
        // Links are not the content of nodes: that the last one leads nowhere is no loss.
        let [x, y] = [x, y].map(|node| node.clone().without_links(shape, self.out.pointer_bytes()));
        self.common_zeros(&x, &y, d);
        Ok(())
    }
}

/// Links into the merged nodes become links to the ends of the segment.
pub(super) fn redirect(out: &mut State, o1: ObjId, o2: ObjId, d: ObjId, shape: Seg) {
    out.replace_values(|val| match val {
        Val::Addr(a) if a.obj == o1 && a.off == shape.head && matches!(a.tg, Tg::Region | Tg::First) => {
            Val::Addr(Addr { obj: d, off: a.off, tg: Tg::First })
        }
        Val::Addr(a)
            if shape.prev.is_some()
                && a.obj == o2
                && a.off == shape.head
                && matches!(a.tg, Tg::Region | Tg::Last) =>
        {
            Val::Addr(Addr { obj: d, off: a.off, tg: if fault!(12) { Tg::First } else { Tg::Last } })
        }
        other => other,
    });
}

/// True if an address leads to an object that is not there.
pub fn has_dangling(state: &State) -> bool {
    let gone = |val: Val| state.target(val).is_some_and(|obj| !state.objects.contains_key(&obj));
    let (values, objects) = state.roots();
    values.into_iter().any(gone)
        || objects.iter().any(|id| !state.objects.contains_key(id))
        || state.objects.values().any(|object| {
            object.cells.values().any(|cell| gone(cell.val))
                || object.kinds.iter().any(|kind| !state.objects.contains_key(kind))
        })
}
