//! Trees: a tree is a path from its root to one of its null links, and all that hangs beside it.
//!
//! A *path* is a segment whose nodes go on at any of several fields, the kids. At all their other kids hang trees with nodes of the same
//! kind; these are a part of the path, and nobody else leads to them. What follows a path, the value in its hole, is kept at the first kid. A
//! path that is followed by null is a tree, and an empty one is null, as for lists. So a tree with a cursor in it is a path that is
//! followed by another one. (Not in the paper.)

use crate::graph::{Addr, Def, ObjId, Object, Seg, State, Storage, SymId, Tg, Val};
use crate::join::{Fold, fold_nodes};
use crate::twins::Twins;
use heapproof_ir::nodes::Nodes;
use heapproof_ir::{Program, TypeId};
use std::collections::{BTreeMap, BTreeSet};

/// The fields of a node at which children may be: a set of words of the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Kids(u64);

/// More children than these are no tree for us.
const MOST_KIDS: u32 = 8;

impl Kids {
    /// No path through a tree: a list goes on at one field.
    pub const NONE: Kids = Kids(0);

    /// The kids at these offsets; none if they do not fit.
    pub fn new(offsets: impl IntoIterator<Item = i128>, ptr: u64) -> Kids {
        let mut kids = 0u64;
        for off in offsets {
            let word = off / i128::from(ptr);
            if off < 0 || off % i128::from(ptr) != 0 || word >= 64 {
                return Kids::NONE;
            }
            kids |= 1 << word;
        }
        if (2..=MOST_KIDS).contains(&kids.count_ones()) { Kids(kids) } else { Kids::NONE }
    }

    /// A number for it.
    pub fn bits(self) -> u64 {
        self.0
    }

    /// The offsets, in order.
    pub fn offsets(self, ptr: u64) -> impl Iterator<Item = u64> {
        (0..64).filter(move |word| self.0 >> word & 1 == 1).map(move |word| word * ptr)
    }

    /// True if there is a child at an offset, or a part of one.
    pub fn has(self, off: u64, ptr: u64) -> bool {
        let word = off / ptr;
        word < 64 && self.0 >> word & 1 == 1
    }
}

/// The structures of a program that can be nodes of trees: those with several links to their own kind.
#[derive(Clone, Debug, Default)]
pub struct Trees(BTreeMap<TypeId, Kids>);

impl Trees {
    /// The trees of a program.
    pub fn of(program: &Program) -> Trees {
        let nodes = Nodes::new(program);
        let ptr = program.target.pointer_bytes();
        let mut trees = BTreeMap::new();
        for id in program.types.keys() {
            let Some(node) = nodes.struct_type(program, id) else { continue };
            let own = nodes.links.iter().filter(|link| (link.of, link.to, link.cell) == (node, node, false));
            let kids = Kids::new(own.map(|link| link.offset), ptr);
            if kids != Kids::NONE {
                trees.insert(id, kids);
            }
        }
        Trees(trees)
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The kids of an object, by what it is used as.
    pub fn kids(&self, object: &Object) -> Kids {
        let kids = object.used_as.and_then(|ty| self.0.get(&ty));
        kids.copied().unwrap_or(Kids::NONE)
    }
}

impl Object {
    /// What follows a path, or a node as a path by itself; none if it has more than one child.
    pub fn hole(&self, seg: Seg, ptr: u64) -> Option<Val> {
        if self.seg.is_some() || seg.kids == Kids::NONE {
            return self.peek(seg.next, ptr);
        }
        let mut hole = Val::ZERO;
        for off in seg.kids.offsets(ptr) {
            match self.peek(off, ptr)? {
                Val::ZERO => {}
                val if hole == Val::ZERO => hole = val,
                _ if fault!(76) => {}
                _ => return None,
            }
        }
        Some(hole)
    }
}

/// Who holds addresses of objects.
#[derive(Default)]
struct Holders {
    /// How many variables lead to an object, or what is no node of a tree. The surroundings of a call do not count, but are noted.
    outside: BTreeMap<ObjId, u32>,
    /// How many links of nodes lead to an object.
    links: BTreeMap<ObjId, u32>,
}

impl Holders {
    /// True for a node to which several lead: what is known of it may matter.
    fn is_cursor(&self, id: ObjId) -> bool {
        self.outside.get(&id).is_some_and(|count| *count > 1 || self.links.contains_key(&id))
    }

    /// True if only one link of a node leads to it.
    fn is_child(&self, id: ObjId) -> bool {
        !self.outside.contains_key(&id) && self.links.get(&id) == Some(&1)
    }
}

/// What a child of a node is good for.
enum Child {
    /// It ends there: a tree, or a node without children.
    Tree(ObjId),
    /// A path that is followed by this, or a node with one child.
    Path(ObjId, Val),
    /// Something else.
    Other(Val),
}

impl State {
    /// True if a node has several children. Who leads back to it is no child, but a neighbour in a list.
    pub fn has_branches(&self, trees: &Trees) -> bool {
        let ptr = self.pointer_bytes();
        let is_child =
            |id: ObjId, child: ObjId| child != id && self.targets(child).all(|target| target != id);
        !trees.is_empty()
            && self.objects.iter().any(|(&id, object)| {
                let links =
                    trees.kids(object).offsets(ptr).filter_map(|off| self.target(object.peek(off, ptr)?));
                let children: BTreeSet<ObjId> = links.filter(|child| is_child(id, *child)).collect();
                children.len() > 1
            })
    }

    /// True if two nodes have the same object at a kid: it is the child of neither, but a parent.
    pub fn share_a_kid(&self, first: ObjId, second: ObjId, kids: Kids) -> bool {
        let ptr = self.pointer_bytes();
        let (x, y) = (self.object(first), self.object(second));
        kids.offsets(ptr).any(|off| {
            let held = x.peek(off, ptr);
            matches!(held, Some(Val::Addr(_))) && held == y.peek(off, ptr)
        })
    }

    /// Merges nodes of trees to paths, except for those in the middle that variables lead to.
    pub fn with_folded_trees(mut self, trees: &Trees) -> State {
        if trees.is_empty() || self.counts || self.looks_inside || self.tells.is_some() {
            return self;
        }
        while let Some(next) = self.folded_once(trees) {
            self = next;
        }
        self
    }

    fn folded_once(&self, trees: &Trees) -> Option<State> {
        let holders = self.holders(trees);
        let roots = self.objects.iter().filter(|(_, object)| is_tree_node(object, trees));
        roots
            .filter_map(|(&id, _)| self.fold(id, trees, &holders))
            .find_map(|fold| fold_nodes(self, &fold).ok())
    }

    fn holders(&self, trees: &Trees) -> Holders {
        let ptr = self.pointer_bytes();
        let Holders { mut outside, mut links } = Holders::default();
        for frame in &self.frames {
            for target in frame.regs.iter().flatten().filter_map(|val| self.target(*val)) {
                *outside.entry(target).or_default() += u32::from(!frame.cut);
            }
        }
        for object in self.objects.values() {
            let kids = trees.kids(object);
            for (off, cell) in &object.cells {
                let Some(target) = self.target(cell.val) else { continue };
                let holders = if kids.has(*off, ptr) { &mut links } else { &mut outside };
                *holders.entry(target).or_default() += 1;
            }
        }
        Holders { outside, links }
    }

    /// How an object and its children become a path; none if there is nothing to merge.
    fn fold(&self, root: ObjId, trees: &Trees, holders: &Holders) -> Option<Fold> {
        let ptr = self.pointer_bytes();
        let object = self.object(root);
        let kids = trees.kids(object);
        let next = kids.offsets(ptr).next()?;
        let shape = Seg { head: 0, next, prev: None, min: 0, kids, twins: Twins::NONE };
        if object.seg.is_none() && holders.is_cursor(root) {
            return None;
        }
        let links: Vec<Val> = match object.seg {
            Some(seg) if Seg { min: 0, ..seg } != shape => return None,
            Some(seg) => vec![object.peek(seg.next, ptr)?],
            None => kids.offsets(ptr).map(|off| object.peek(off, ptr)).collect::<Option<_>>()?,
        };
        let mut fold = Fold { root, members: Vec::new(), shape, hole: Val::ZERO };
        let (mut last, mut holes) = (None, 0);
        for link in links.iter().copied().filter(|link| *link != Val::ZERO) {
            match self.child(root, link, shape, trees, holders) {
                Child::Tree(id) => fold.members.push(id),
                Child::Path(id, hole) => (last, fold.hole, holes) = (Some(id), hole, holes + 1),
                Child::Other(hole) => (fold.hole, holes) = (hole, holes + 1),
            }
        }
        fold.members.extend(last);
        // One that has a node is not told from longer ones.
        let is_empty = |id: &ObjId| self.object(*id).seg.is_some_and(|seg| seg.min == 0);
        fold.shape.min = u32::from(fault!(77) || ![root].iter().chain(&fold.members).all(is_empty));
        let is_address = fold.hole == Val::ZERO || matches!(fold.hole, Val::Addr(_));
        let cyclic = || self.reachable(&links, &[]).contains(&root);
        (holes <= 1 && is_address && !fold.members.is_empty() && !cyclic()).then_some(fold)
    }

    fn child(&self, root: ObjId, link: Val, shape: Seg, trees: &Trees, holders: &Holders) -> Child {
        let Val::Addr(addr) = link else { return Child::Other(link) };
        let (object, of) = (self.object(addr.obj), self.object(root));
        let fits = is_tree_node(object, trees)
            && trees.kids(object) == shape.kids
            && object.seg.is_none_or(|seg| Seg { min: 0, ..seg } == shape)
            && (object.size, object.used_as) == (of.size, of.used_as)
            && addr.off == shape.head
            && holders.is_child(addr.obj);
        match object.hole(shape, self.pointer_bytes()) {
            Some(Val::ZERO) if fits => Child::Tree(addr.obj),
            Some(hole) if fits => Child::Path(addr.obj, hole),
            _ => Child::Other(link),
        }
    }

    /// The cases of a path that has a node: it goes on at one of its kids. If null follows, they are all alike: trees.
    pub fn with_root(&self, id: ObjId) -> Vec<State> {
        let ptr = self.pointer_bytes();
        let Some(seg) = self.object(id).seg else { return Vec::new() };
        let ends = self.object(id).peek(seg.next, ptr) == Some(Val::ZERO);
        let ways = seg.kids.offsets(ptr).take(if ends || fault!(78) { 1 } else { usize::MAX });
        ways.filter_map(|way| self.with_root_that_goes_on(id, seg, way)).collect()
    }

    fn with_root_that_goes_on(&self, id: ObjId, seg: Seg, way: u64) -> Option<State> {
        let mut state = self.clone();
        let ptr = state.pointer_bytes();
        let region = state.pull_out(id, Tg::First, None)?;
        for off in seg.kids.offsets(ptr) {
            let path = if off == way { id } else { state.other_tree(id, seg) };
            let link = Val::Addr(Addr { obj: path, off: seg.head, tg: Tg::First });
            state.write(region, off, ptr, link);
        }
        Some(state)
    }

    /// A tree like those that hang beside a path.
    fn other_tree(&mut self, id: ObjId, seg: Seg) -> ObjId {
        let ptr = self.pointer_bytes();
        let mut tree = self.object(id).clone();
        tree.seg = Some(Seg { min: 0, ..seg });
        let tree = self.add(tree);
        self.write(tree, seg.next, ptr, Val::ZERO);
        let mut objects = BTreeMap::from([(id, tree)]);
        for nested in self.nested(id) {
            let copy = self.object(nested).clone();
            objects.insert(nested, self.add(copy));
        }
        let level = self.object(id).level;
        let mut symbols = BTreeMap::new();
        for copy in objects.values().copied().collect::<Vec<_>>() {
            let cells: Vec<_> = self.object(copy).cells.iter().map(|(off, cell)| (*off, *cell)).collect();
            for (off, mut cell) in cells {
                cell.val = self.copied_value(cell.val, level, &objects, &mut symbols);
                self.object_mut(copy).cells.insert(off, cell);
            }
            self.own_measures(copy, |state, val| state.copied_value(val, level, &objects, &mut symbols));
        }
        tree
    }

    /// A value of a path in a copy of it.
    fn copied_value(
        &mut self,
        val: Val,
        level: u32,
        objects: &BTreeMap<ObjId, ObjId>,
        symbols: &mut BTreeMap<SymId, SymId>,
    ) -> Val {
        let moved = |addr: Addr| Addr { obj: objects.get(&addr.obj).copied().unwrap_or(addr.obj), ..addr };
        match val {
            Val::Addr(addr) => Val::Addr(moved(addr)),
            Val::Sym(id) if self.syms[&id].level > level => {
                if let Some(&copy) = symbols.get(&id) {
                    return Val::Sym(copy);
                }
                let mut sym = (*self.syms[&id]).clone();
                sym.def = match sym.def {
                    Def::At(base, index, scale) => Def::At(moved(base), index, scale),
                    // Relations between nested numbers are not kept across nodes.
                    _ => Def::Free,
                };
                let copy = self.add_sym(sym);
                symbols.insert(id, copy);
                Val::Sym(copy)
            }
            other => other,
        }
    }
}

/// True for a live block of the top level that is used as a node of a tree.
fn is_tree_node(object: &Object, trees: &Trees) -> bool {
    object.valid
        && !object.maybe
        && object.exact
        && object.storage == Storage::Heap
        && object.level == 0
        && trees.kids(object) != Kids::NONE
}
