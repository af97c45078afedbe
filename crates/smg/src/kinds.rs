//! Segments whose nodes are of several kinds: a tag in a node says which pointer it has, or whether it has one.
//!
//! What the nodes of one kind hold besides their links is kept like an object: nested below the segment, of no storage, and known
//! only to its segment. So whatever walks over objects and their values walks over kinds as well. A node that is taken out is of
//! one of the kinds; it has a copy of what hangs on that kind, and of nothing else.

use crate::graph::{ObjId, Object, State, Storage, Val};
use crate::join::merge_kinds;
use crate::number::Range;
use heapproof_ir::FuncId;
use std::collections::{BTreeMap, BTreeSet};

/// More kinds than these are not told apart.
pub const MOST_KINDS: usize = 4;

/// How much contents have to have in common to be of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Alike {
    /// Nothing: whatever can be joined is.
    Joinable,
    /// Where one has an address the other has one.
    Shape,
    /// The same, and they have no numbers or functions that the program tells apart.
    Tags,
}

/// What a field of a node holds, as far as kinds of nodes differ in it.
#[derive(PartialEq, Eq)]
enum Held {
    Nothing,
    Itself,
    Address(Storage, bool),
    Function(FuncId),
}

impl Object {
    /// An empty kind of the nodes of a segment.
    pub fn kind_of(segment: &Object) -> Object {
        Object {
            exact: segment.exact,
            level: segment.level + 1,
            used_as: segment.used_as,
            ..Object::region(segment.size, Storage::Kind, segment.span)
        }
    }

    /// The offsets of the links of a segment.
    pub fn links(&self) -> impl Iterator<Item = u64> + use<> {
        self.seg.into_iter().flat_map(|seg| [Some(seg.next), seg.prev].into_iter().flatten())
    }
}

impl State {
    /// The objects that an object leads to, kinds of its nodes among them.
    pub fn targets(&self, id: ObjId) -> impl Iterator<Item = ObjId> {
        let object = self.object(id);
        let cells = object.cells.values().filter_map(|cell| self.target(cell.val));
        cells.chain(object.kinds.iter().copied())
    }

    /// The cases of a node that is taken out of an end of a segment: one for each kind.
    pub fn of_each_kind(&self, id: ObjId, first: bool) -> Vec<(State, ObjId)> {
        let kinds = &self.object(id).kinds;
        let kinds: Vec<Option<ObjId>> =
            if kinds.is_empty() { vec![None] } else { kinds.iter().map(|kind| Some(*kind)).collect() };
        let most = if fault!(64) { 1 } else { kinds.len() };
        let case = |kind: Option<ObjId>| {
            let mut case = self.clone();
            let node = if first { case.materialise_first(id, kind) } else { case.materialise_last(id, kind) };
            Some((case, node?))
        };
        kinds.into_iter().take(most).filter_map(case).collect()
    }

    /// A node of a segment with the content of a kind, if there are several.
    pub fn node_of_kind(&self, id: ObjId, kind: Option<ObjId>) -> Object {
        let segment = self.object(id);
        let mut node = segment.clone();
        let Some(kind) = kind else { return node };
        let content = self.object(kind);
        node.kinds = Vec::new();
        (node.cells, node.zeros) = (content.cells.clone(), content.zeros.clone());
        (node.fresh, node.vague, node.hidden) = (content.fresh, content.vague, content.hidden);
        let ptr = self.pointer_bytes();
        for link in segment.links() {
            match segment.peek(link, ptr) {
                Some(val) => node.put(link, ptr, val),
                None => node.erase(link, ptr),
            }
        }
        node
    }

    /// What the nodes of a segment, or a node, hold besides these links, by kinds.
    pub fn contents(&self, id: ObjId, links: &[u64]) -> Vec<Object> {
        let object = self.object(id);
        if !object.kinds.is_empty() {
            return object.kinds.iter().map(|kind| self.object(*kind).clone()).collect();
        }
        let mut content = object.clone();
        links.iter().for_each(|link| content.erase(*link, self.pointer_bytes()));
        vec![content]
    }

    /// The same with one kind for those of each segment that are alike by now.
    pub fn with_fewer_kinds(mut self) -> State {
        while let Some(fewer) = self.fewer_kinds() {
            self = fewer;
        }
        self
    }

    fn fewer_kinds(&self) -> Option<State> {
        self.objects.iter().find_map(|(&id, object)| {
            let kinds = object.kinds.iter().enumerate();
            let mut pairs = kinds.flat_map(|(at, a)| object.kinds[at + 1..].iter().map(move |b| (*a, *b)));
            pairs.find_map(|(a, b)| merge_kinds(self, id, a, b).ok())
        })
    }

    /// The new names of kinds, after objects were copied with all that is nested below them.
    pub fn rename_kinds(&mut self, objects: &BTreeMap<ObjId, ObjId>) {
        for copy in objects.values() {
            if !self.object(*copy).kinds.is_empty() {
                self.object_mut(*copy).kinds.iter_mut().for_each(|kind| *kind = objects[kind]);
            }
        }
    }

    /// True if two nodes hold different things besides their links: an address where the other has none, or one of another kind of
    /// object, or another function.
    pub fn are_mixed(&self, first: ObjId, second: ObjId, links: &[u64]) -> bool {
        let held = |id: ObjId, val: Option<Val>| match val {
            Some(Val::Func(function)) => Held::Function(function),
            Some(val) if self.target(val) == Some(id) => Held::Itself,
            Some(val) => self.target(val).map_or(Held::Nothing, |target| {
                let target = self.object(target);
                Held::Address(target.storage, target.valid)
            }),
            None => Held::Nothing,
        };
        let fields = |id: ObjId| {
            let cells = self.object(id).cells.iter().map(|(off, cell)| (*off, cell.len));
            cells.filter(|(off, _)| !links.contains(off)).collect::<Vec<_>>()
        };
        fields(first).into_iter().chain(fields(second)).any(|(off, len)| {
            let [x, y] = [first, second].map(|id| held(id, self.object(id).peek(off, len)));
            x != y
        })
    }

    /// What is outside of two nodes: reached without what they hold besides their links.
    pub fn outside_of(&self, nodes: [ObjId; 2], links: &[u64]) -> BTreeSet<ObjId> {
        let mut bare = self.clone();
        for node in nodes {
            let object = bare.object_mut(node);
            object.cells.retain(|off, _| links.contains(off));
            object.kinds = Vec::new();
        }
        let (values, objects) = bare.roots();
        let mut outside = bare.reachable(&values, &objects);
        outside.retain(|id| !nodes.contains(id));
        outside
    }

    /// True if two contents of this configuration and another one differ too much in a field, as far as that is seen at once.
    pub fn are_kinds_apart(&self, a: Val, other: &State, b: Val, width: u8, alike: Alike) -> bool {
        if self.is_number(a) && other.is_number(b) {
            let tags = self.kinds.as_ref().filter(|_| alike == Alike::Tags);
            let (x, y): (Range, Range) = (self.range(a, width), other.range(b, width));
            return tags.is_some_and(|tags| x.is_told_from(y, tags));
        }
        let functions = (self.functions_of(a), other.functions_of(b));
        if let (Some(x), Some(y)) = functions {
            return alike == Alike::Tags && x.is_disjoint(&y);
        }
        let block =
            |state: &State, val: Val| matches!(val, Val::Addr(addr) if state.object(addr.obj).seg.is_none());
        match (a, b) {
            (Val::Int(0), b) => alike >= Alike::Shape && block(other, b),
            (a, Val::Int(0)) => alike >= Alike::Shape && block(self, a),
            _ => false,
        }
    }
}
