//! Abstraction (section 3.3 of the paper): neighbouring nodes of lists are merged into segments.

use crate::graph::{Addr, ObjId, Object, Seg, State, Storage, Tg, Val};
use crate::join::{Merged, merge_nodes};
use crate::tree::{Kids, Trees};
use crate::twins::Twins;
use std::collections::BTreeSet;

/// How many nodes a sequence needs to be merged, by the cost of merging it.
#[derive(Clone, Copy, Debug)]
pub struct Thresholds {
    /// Equal nodes, one covers the other, neither.
    pub by_cost: [u32; 3],
}

impl Default for Thresholds {
    /// The paper's setting.
    fn default() -> Self {
        Thresholds { by_cost: [2, 2, 3] }
    }
}

/// Which nodes are merged.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'a> {
    /// How long a list has to be.
    pub thresholds: &'a Thresholds,
    /// Nodes that these numbers tell apart stay apart.
    pub tags: Option<&'a BTreeSet<i128>>,
    /// A node to which a variable leads stays what it is.
    pub held: bool,
    /// Cursors in the middle of a list do not matter: they lead to some node of it.
    pub loose: bool,
    /// Two nodes of which one covers the other are not enough if a list begins or ends with them.
    pub patient: bool,
    /// The structures whose nodes are merged to trees, if any are.
    pub trees: Option<&'a Trees>,
}

/// A longer segment is not told from one of this length.
const LONGEST_MIN: u32 = 2;

/// Two nodes that may be merged, and how they are linked.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    first: ObjId,
    second: ObjId,
    shape: Seg,
}

impl State {
    /// Merges nodes of lists into segments as long as the rules allow, and nodes of trees.
    pub fn abstracted(mut self, rules: &Rules<'_>) -> State {
        // First what nodes of trees own, then trees, then lists of trees.
        for round in 0..2 {
            while let Some(next) = self.cheapest_merge(rules) {
                self = next;
            }
            match rules.trees {
                Some(trees) if round == 0 => self = self.with_folded_trees(trees),
                _ => break,
            }
        }
        self.with_fewer_kinds()
    }

    /// True if there are neighbours with which a list begins or ends.
    pub fn has_ends_to_merge(&self) -> bool {
        self.candidates().into_iter().any(|candidate| self.has_end(candidate))
    }

    /// True if there are neighbours of which one has an address, or another one, where the other has none.
    pub fn has_mixed_neighbours(&self) -> bool {
        self.candidates().into_iter().any(|Candidate { first, second, shape }| {
            let links: Vec<u64> = shape.linked(self.pointer_bytes()).collect();
            self.are_mixed(first, second, &links)
        })
    }

    fn cheapest_merge(&self, rules: &Rules<'_>) -> Option<State> {
        let mut best: Option<Merged> = None;
        let held = if rules.held || self.sorts { self.held_nodes() } else { BTreeSet::new() };
        for candidate in self.candidates() {
            let is_held = held.contains(&candidate.first) || held.contains(&candidate.second);
            if is_held && rules.held {
                continue;
            }
            // One child of a tree is no list.
            let (first, ptr) = (self.object(candidate.first), self.pointer_bytes());
            let is_child = |trees: &Trees| {
                let kids = trees.kids(first);
                let list = candidate.shape.is_no_tree(kids, ptr)
                    || self.share_a_kid(candidate.first, candidate.second, kids);
                kids.has(candidate.shape.next, ptr) && !list
            };
            if candidate.shape.prev.is_none() && rules.trees.is_some_and(is_child) {
                continue;
            }
            if rules.tags.is_some_and(|tags| self.are_told_apart(candidate.first, candidate.second, tags)) {
                continue;
            }
            // Where a list is looked at that is not in order, its node says more than the others.
            if let Some(merged) =
                self.merge(candidate, rules).filter(|merged| !is_held || merged.is_in_order())
                && best.as_ref().is_none_or(|known| merged.cost < known.cost)
            {
                let equal = merged.cost == 0;
                best = Some(merged);
                if equal {
                    break;
                }
            }
        }
        best.map(|merged| merged.related(self))
    }

    /// The regions to which variables lead.
    fn held_nodes(&self) -> BTreeSet<ObjId> {
        let (mut values, objects) = self.roots();
        values.extend(objects.iter().flat_map(|id| self.object(*id).cells.values().map(|cell| cell.val)));
        let regions = values.into_iter().filter_map(|val| match val {
            Val::Addr(Addr { obj, tg: Tg::Region, .. }) => Some(obj),
            _ => None,
        });
        regions.collect()
    }

    fn merge(&self, candidate: Candidate, rules: &Rules<'_>) -> Option<Merged> {
        let merged =
            merge_nodes(self, candidate.first, candidate.second, candidate.shape, rules.loose).ok()?;
        // Nodes in order are a list, however much they differ.
        let cost = if rules.loose || merged.is_in_order() { 0 } else { merged.cost };
        let cost = if cost == 1 && rules.patient && self.has_end(candidate) { 2 } else { cost };
        let needed = rules.thresholds.by_cost[cost as usize];
        (self.sequence_length(candidate, needed, rules.loose) >= needed).then_some(merged)
    }

    /// True if a list begins or ends with one of two neighbours.
    fn has_end(&self, Candidate { first, second, shape }: Candidate) -> bool {
        let ends = |id: ObjId, link: u64| self.object(id).peek(link, self.pointer_bytes()) == Some(Val::ZERO);
        ends(second, shape.next) || shape.prev.is_some_and(|prev| ends(first, prev))
    }

    /// True if two nodes have numbers in a field that the program tells apart.
    fn are_told_apart(&self, first: ObjId, second: ObjId, tags: &BTreeSet<i128>) -> bool {
        let (x, y) = (self.object(first), self.object(second));
        let fields: BTreeSet<(u64, u64)> =
            [x, y].iter().flat_map(|node| node.cells.iter().map(|(off, cell)| (*off, cell.len))).collect();
        fields.into_iter().any(|(off, len)| {
            let width = (len * 8).min(128) as u8;
            match (x.peek(off, len), y.peek(off, len)) {
                (Some(a), Some(b)) if self.is_number(a) && self.is_number(b) => {
                    self.range(a, width).is_told_from(self.range(b, width), tags)
                }
                _ => false,
            }
        })
    }

    /// How many nodes hang together from a candidate on, counted up to a limit.
    fn sequence_length(&self, candidate: Candidate, limit: u32, loose: bool) -> u32 {
        let nodes = |id: ObjId| self.object(id).seg.map_or(1, |seg| seg.min.max(1));
        let mut length = nodes(candidate.first) + nodes(candidate.second);
        let mut at = candidate;
        while length < limit {
            let next = self.candidates_of(at.second).into_iter().find(|next| {
                (next.shape.head, next.shape.next, next.shape.prev)
                    == (at.shape.head, at.shape.next, at.shape.prev)
                    && next.second != candidate.first
            });
            let Some(next) = next else { break };
            if merge_nodes(self, next.first, next.second, next.shape, loose).is_err() {
                break;
            }
            length += nodes(next.second);
            at = next;
        }
        length
    }

    fn candidates(&self) -> Vec<Candidate> {
        self.objects.keys().flat_map(|&id| self.candidates_of(id)).collect()
    }

    /// All ways in which an object is linked to a neighbour of its kind.
    fn candidates_of(&self, first: ObjId) -> Vec<Candidate> {
        let object = self.object(first);
        if !self.is_node(first) {
            return Vec::new();
        }
        let ptr = self.pointer_bytes();
        let mut found = Vec::new();
        for (&next, cell) in &object.cells {
            let Val::Addr(link) = cell.val else { continue };
            if cell.len != ptr
                || link.obj == first
                || !self.is_node(link.obj)
                || !matches!(link.tg, Tg::Region | Tg::First)
                || link.off < 0
            {
                continue;
            }
            for prev in self.back_links(first, link) {
                // The other way round it is the same list; one way for all, so that neighbouring segments fit.
                if prev.is_some_and(|prev| prev <= next) {
                    continue;
                }
                // Who comes before itself is no neighbour, but one to whom all lead.
                let before = prev.and_then(|prev| object.peek(prev, ptr));
                if before.is_some_and(|before| self.target(before) == Some(first)) {
                    continue;
                }
                let shape = Seg { head: link.off, next, prev, min: 0, kids: Kids::NONE, twins: Twins::NONE };
                let shape = self.with_twins(first, link.obj, shape);
                if let Some(shape) = shape.and_then(|shape| self.agreed_shape(first, link.obj, shape)) {
                    found.push(Candidate { first, second: link.obj, shape });
                }
            }
        }
        found
    }

    /// Offsets at which the neighbour points back, then none: the list is singly linked.
    fn back_links(&self, first: ObjId, link: Addr) -> Vec<Option<u64>> {
        let back = |val: Val| match val {
            Val::Addr(a) => a.obj == first && a.off == link.off && matches!(a.tg, Tg::Region | Tg::Last),
            _ => false,
        };
        let cells = self.object(link.obj).cells.iter();
        let doubly: Vec<_> = cells.filter(|(_, cell)| back(cell.val)).map(|(off, _)| Some(*off)).collect();
        if doubly.is_empty() { vec![None] } else { doubly }
    }

    /// The shape if segments among the two have it already, with the number of nodes.
    fn agreed_shape(&self, first: ObjId, second: ObjId, shape: Seg) -> Option<Seg> {
        let mut min = 0;
        for id in [first, second] {
            min += match self.object(id).seg {
                Some(seg) if Seg { min: 0, ..seg } != Seg { min: 0, ..shape } => return None,
                Some(seg) => seg.min,
                None => 1,
            };
        }
        let (x, y) = (self.object(first), self.object(second));
        let alike = match (x.used_as, y.used_as) {
            (Some(a), Some(b)) => a == b,
            _ => true,
        };
        let nodes = self.looks_inside && x.used_as.is_some();
        let fits = x.level == y.level && x.half == y.half && self.may_merge_at_level(x, y);
        (alike && (x.size == y.size || nodes) && fits).then_some(Seg {
            min: (min + u32::from(fault!(35))).min(LONGEST_MIN + u32::from(fault!(35))),
            ..shape
        })
    }

    /// A live heap object that may be a node of a list.
    fn is_node(&self, id: ObjId) -> bool {
        let object = self.object(id);
        object.valid && (!object.maybe || fault!(36)) && object.storage == Storage::Heap
    }

    /// Below the top level only what is a list already grows, and nothing is said of several numbers.
    fn may_merge_at_level(&self, first: &Object, second: &Object) -> bool {
        let plain = !(self.counts || self.looks_inside || self.tells.is_some() || self.kinds.is_some());
        first.level == 0 || plain && (first.seg.is_some() || second.seg.is_some())
    }
}
