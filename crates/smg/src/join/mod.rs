//! Join of two configurations (section 3.2 of the paper), which is also the entailment check, and the merge of two
//! nodes of one configuration that abstraction is made of.
//!
//! Both graphs are traversed from pairs of equal roots; each pair of objects met at the same time becomes one object of
//! the result. An object of one side is never joined with two of the other. Two flags are kept on the way: whether the
//! result still says all that the left side says, and the same for the right side. The join fails rather than drop an
//! address: what only that address held would be lost, and its leak with it.

use crate::graph::{Addr, Def, ObjId, Object, Seg, State, Storage, Sym, SymId, Tg, Val};
use crate::number::Range;
use crate::tree::Kids;
use heapproof_ir::CmpOp;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

mod among;
mod each;
mod functions;
mod growth;
mod insert;
mod kinds;
mod lengths;
mod measures;
mod merge;
mod offsets;
mod order;
mod own;
mod products;
mod relations;
mod rows;
mod tags;
mod terms;
mod tree;

pub use growth::Growth;
use kinds::Lacking;
pub use kinds::merge_kinds;
pub use merge::{Merged, has_dangling, merge_nodes};
use relations::Tie;
pub use tree::{Fold, fold_nodes};

/// The result of a join.
pub struct Joined {
    /// A configuration that covers both sides.
    pub state: State,
    /// It says no less than the left side: the left side covers the right one.
    pub is_left: bool,
    /// It says no less than the right side: the right side covers the left one.
    pub is_right: bool,
    /// Something else than numbers was generalised.
    pub shape_changed: bool,
    /// A list has another length, and a variable another number, on the left side than on the right one.
    pub lengths_differ: bool,
    /// What neighbouring nodes of a list have differs, and a variable has another number.
    pub tags_differ: bool,
    /// A list is in order on one side only, and a variable has another number.
    pub orders_differ: bool,
    /// A variable is zero on one side and surely not on the other.
    pub flags_differ: bool,
    /// Elements of an array at the same place are not alike, and a variable has another number: it may be the index up to which they are done.
    pub parts_differ: bool,
    /// The numbers in heap blocks that are surely not the same on the left side and on the right one.
    pub parted: Vec<(Range, Range)>,
    /// The numbers of variables and nodes that may be different masks.
    pub masks: Vec<(i128, i128)>,
    /// What numbers of the result are on either side; see [`Joined::related`].
    ties: Vec<Tie>,
    /// The segments of the result whose nodes may have related numbers.
    nodes: Vec<each::Nodes>,
    /// Numbers of the result that are in registers, or indices of addresses.
    in_registers: BTreeSet<SymId>,
}

/// Why two configurations were not joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoJoin {
    /// The call stacks differ.
    Stack,
    /// Objects differ in size, validity or kind.
    Objects,
    /// An object would have to be joined with two.
    Sharing,
    /// An address meets something else.
    Address,
    /// Nesting levels do not fit.
    Levels,
}

/// By how much the levels of a side are below those of the result.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Lift {
    left: u32,
    right: u32,
}

impl Lift {
    const NONE: Lift = Lift { left: 0, right: 0 };

    fn of(self, side: Side) -> u32 {
        match side {
            Side::Left => self.left,
            Side::Right => self.right,
        }
    }
}

/// Where a value stands: how levels compare, and at which level a new number there is.
#[derive(Clone, Copy)]
struct Place {
    lift: Lift,
    level: u32,
    width: u8,
}

/// One of the two configurations that are joined.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

impl Side {
    fn other(self) -> Side {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }

    /// A value of this side and one of the other, the left one first.
    fn ordered<T>(self, own: T, other: T) -> (T, T) {
        match self {
            Side::Left => (own, other),
            Side::Right => (other, own),
        }
    }
}

/// A configuration that is joined, and what became of its parts.
#[derive(Clone)]
struct Input<'a> {
    state: &'a State,
    /// The objects of the result that its objects became.
    map: BTreeMap<ObjId, ObjId>,
    /// What its numbers were joined with first.
    partners: BTreeMap<Val, Val>,
    /// Objects that met null on the other side.
    absent: BTreeSet<ObjId>,
    /// What segments met on the other side that are empty there.
    met: BTreeMap<ObjId, Val>,
    /// Symbols that were copied without a counterpart.
    copied: BTreeMap<SymId, SymId>,
    /// The result says no less than it does.
    keeps: bool,
}

impl<'a> Input<'a> {
    fn new(state: &'a State) -> Self {
        Input {
            state,
            map: BTreeMap::new(),
            partners: BTreeMap::new(),
            absent: BTreeSet::new(),
            met: BTreeMap::new(),
            copied: BTreeMap::new(),
            keeps: true,
        }
    }
}

/// How the sides differ, for whoever decides whether the join is worth it.
#[derive(Clone, Default)]
struct Differences {
    shapes: bool,
    lengths: bool,
    tags: bool,
    orders: bool,
    /// Numbers in registers that are zero on one side and surely not on the other.
    flags: bool,
    /// Parts of tables that are not alike.
    parts: bool,
    /// Numbers in registers.
    numbers: bool,
    /// Numbers in heap blocks that are surely not the same.
    parted: Vec<(Range, Range)>,
    /// Numbers of variables and nodes that may be different masks.
    masks: Vec<(i128, i128)>,
}

/// What a node becomes that meets a segment of the other side.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NodeMeetsSegment {
    /// One of the nodes of the segment. None did so far.
    Untold,
    /// The same, and one did.
    Joined,
    /// The node that follows the segment, if it has no next one: the segment is empty beside it. So a queue of one node meets a longer one.
    MayFollow,
}

#[derive(Clone)]
struct Joiner<'a> {
    left: Input<'a>,
    right: Input<'a>,
    out: State,
    growth: Growth<'a>,
    /// Both sides are one graph and two of its nodes, the first two, are merged to the third.
    merging: Option<(ObjId, ObjId, ObjId)>,
    /// Pairs of objects whose content is to be joined.
    work: Vec<(ObjId, ObjId, ObjId, Lift)>,
    /// Kinds of nodes that one side lacks, to be copied when all else is known.
    lacking: Vec<Lacking>,
    /// While nodes are merged: what does not hang on them alone.
    outside: BTreeSet<ObjId>,
    /// What pairs of values became, by their width: the same bits may be another number in another width.
    numbers: BTreeMap<(Val, Val, u8), Val>,
    /// Addresses of some node of a segment.
    among: among::Numbers,
    /// Segments of the result that are empty on one side.
    inserted: BTreeSet<ObjId>,
    /// Indices of addresses that are forms on the sides.
    indices: Vec<Tie>,
    in_registers: BTreeSet<SymId>,
    nodes: NodeMeetsSegment,
    differences: Differences,
    /// The numbers that the left side knows.
    known: OnceCell<BTreeSet<i128>>,
}

type Res<T> = Result<T, NoJoin>;

/// Joins two configurations at the same place of the program. The result says nothing yet of several numbers together: that
/// takes longer, and is done only where the result is used ([`Joined::related`]).
pub fn join(left: &State, right: &State, growth: Growth<'_>) -> Res<Joined> {
    checked(left, right, join_nodes(left, right, growth, NodeMeetsSegment::Untold).0)
}

/// The same where many configurations meet: queues with one node and with more are not told apart.
pub fn join_in_crowd(left: &State, right: &State, growth: Growth<'_>) -> Res<Joined> {
    let (joined, nodes) = join_nodes(left, right, growth, NodeMeetsSegment::Untold);
    let joined = match joined {
        Err(_) if nodes == NodeMeetsSegment::Joined => {
            join_nodes(left, right, growth, NodeMeetsSegment::MayFollow).0
        }
        joined => joined,
    };
    checked(left, right, joined)
}

fn checked(_left: &State, _right: &State, joined: Res<Joined>) -> Res<Joined> {
    let joined = joined?;
    if !joined.state.is_well_nested() {
        return Err(NoJoin::Levels);
    }
    #[cfg(any(test, debug_assertions))]
    crate::consistency::check("join", &joined.state);
    #[cfg(test)]
    crate::audit::joined(_left, _right, &joined);
    Ok(joined)
}

/// The same with a rule for nodes that meet segments; tells whether there were any.
fn join_nodes(
    left: &State,
    right: &State,
    growth: Growth<'_>,
    nodes: NodeMeetsSegment,
) -> (Res<Joined>, NodeMeetsSegment) {
    let mut out = State::new(left.pointer_bytes());
    (out.relates, out.looks_inside) = (left.relates, left.looks_inside);
    (out.counts, out.tells) = (left.counts, left.tells.clone());
    out.kinds = left.kinds.clone();
    (out.rows, out.sorts) = (left.rows, left.sorts);
    let mut joiner = Joiner { nodes, ..Joiner::new(left, right, out, growth) };
    if let Err(why) = joiner.roots().and_then(|()| joiner.run()) {
        return (Err(why), joiner.nodes);
    }
    let nodes = joiner.nodes;
    joiner.terms();
    joiner.products();
    joiner.orders();
    let mut ties = joiner.ties();
    joiner.add_between(&mut ties);
    joiner.compare_relations(&ties);
    let related = joiner.related_nodes();
    joiner.compare_nodes(&related, &ties);
    (Ok(joiner.finish(ties, related)), nodes)
}

impl<'a> Joiner<'a> {
    fn new(left: &'a State, right: &'a State, out: State, growth: Growth<'a>) -> Self {
        Joiner {
            left: Input::new(left),
            right: Input::new(right),
            out,
            growth,
            merging: None,
            work: Vec::new(),
            lacking: Vec::new(),
            outside: BTreeSet::new(),
            numbers: BTreeMap::new(),
            among: BTreeMap::new(),
            inserted: BTreeSet::new(),
            indices: Vec::new(),
            in_registers: BTreeSet::new(),
            nodes: NodeMeetsSegment::Untold,
            differences: Differences::default(),
            known: OnceCell::new(),
        }
    }

    fn side(&self, side: Side) -> &Input<'a> {
        match side {
            Side::Left => &self.left,
            Side::Right => &self.right,
        }
    }

    fn side_mut(&mut self, side: Side) -> &mut Input<'a> {
        match side {
            Side::Left => &mut self.left,
            Side::Right => &mut self.right,
        }
    }

    /// Neither side covers the other.
    fn lose_both(&mut self) {
        (self.left.keeps, self.right.keeps) = (false, false);
    }

    fn finish(self, ties: Vec<Tie>, nodes: Vec<each::Nodes>) -> Joined {
        let differences = self.differences;
        Joined {
            state: self.out,
            is_left: self.left.keeps,
            is_right: self.right.keeps,
            shape_changed: differences.shapes,
            lengths_differ: differences.lengths && differences.numbers,
            tags_differ: differences.tags && differences.numbers,
            orders_differ: differences.orders && differences.numbers,
            flags_differ: differences.flags,
            parts_differ: differences.parts && differences.numbers,
            parted: differences.parted,
            masks: differences.masks,
            ties,
            nodes,
            in_registers: self.in_registers,
        }
    }

    fn roots(&mut self) -> Res<()> {
        let (left, right) = (self.left.state, self.right.state);
        if left.frames.len() != right.frames.len() || !left.globals.keys().eq(right.globals.keys()) {
            return Err(NoJoin::Stack);
        }
        for (&global, &l) in &left.globals {
            let object = self.objects(l, right.globals[&global], Lift::NONE)?;
            self.out.globals.insert(global, object);
        }
        for (l, r) in left.frames.iter().zip(&right.frames) {
            if l.func != r.func
                || l.block != r.block
                || l.inst != r.inst
                || !l.locals.keys().eq(r.locals.keys())
                || l.allocas.len() != r.allocas.len()
                || l.widths != r.widths
            {
                return Err(NoJoin::Stack);
            }
            let mut frame = l.clone();
            frame.holds_heap = l.holds_heap || r.holds_heap;
            self.left.keeps &= l.holds_heap == frame.holds_heap;
            self.right.keeps &= r.holds_heap == frame.holds_heap;
            for (&local, &id) in &l.locals {
                frame.locals.insert(local, self.objects(id, r.locals[&local], Lift::NONE)?);
            }
            for (index, (&a, &b)) in l.allocas.iter().zip(&r.allocas).enumerate() {
                frame.allocas[index] = self.objects(a, b, Lift::NONE)?;
            }
            for (index, (&a, &b)) in l.regs.iter().zip(&r.regs).enumerate() {
                frame.regs[index] = self.registers(a, b, l.widths[index])?;
            }
            self.out.frames.push(frame);
        }
        Ok(())
    }

    fn registers(&mut self, a: Option<Val>, b: Option<Val>, width: u8) -> Res<Option<Val>> {
        match (a, b) {
            (None, None) => Ok(None),
            (Some(a), Some(b)) => {
                if self.left.state.is_number(a) && self.right.state.is_number(b) {
                    let (x, y) = (self.left.state.range(a, width), self.right.state.range(b, width));
                    let is_set =
                        |state: &State, val| state.decide(CmpOp::Ne, width, val, Val::ZERO) == Some(true);
                    let flags = [is_set(self.left.state, a), is_set(self.right.state, b)];
                    self.differences.numbers |= x != y || flags[0] != flags[1];
                    self.differences.flags |=
                        flags[0] != flags[1] && (x == Range::one(0) || y == Range::one(0));
                    self.note_masks(x, y);
                }
                let place = Place { lift: Lift::NONE, level: 0, width };
                let joined = self.values(a, b, place, None)?;
                if let Val::Sym(id) = joined {
                    self.in_registers.insert(id);
                }
                Ok(Some(joined))
            }
            // One side has no value: nothing is known, unless an address would get lost.
            (Some(a), None) if self.left.state.is_number(a) => {
                self.left.keeps = false;
                Ok(None)
            }
            (None, Some(b)) if self.right.state.is_number(b) => {
                self.right.keeps = false;
                Ok(None)
            }
            _ => Err(NoJoin::Address),
        }
    }

    /// Joins the content of all pairs of objects that were met.
    fn run(&mut self) -> Res<()> {
        self.settle()?;
        self.copy_lacking_kinds()
    }

    /// The same without what one side lacks.
    fn settle(&mut self) -> Res<()> {
        while let Some((l, r, out, lift)) = self.work.pop() {
            self.fields(l, r, out, lift)?;
        }
        Ok(())
    }

    fn values(&mut self, a: Val, b: Val, place: Place, from: Option<(ObjId, ObjId, ObjId)>) -> Res<Val> {
        if self.merging.is_some() && a == b {
            // Both nodes refer to the same: it is shared, not nested.
            return Ok(a);
        }
        match (a, b) {
            _ if let Some(joined) = self.parts(a, b, place, from) => joined,
            (Val::Int(x), Val::Int(y)) if x == y => Ok(a),
            (Val::Func(f), Val::Func(g)) if f == g => Ok(a),
            _ if let Some(joined) = self.node_after_segment(a, b, place, from) => Ok(joined),
            (Val::Addr(x), Val::Addr(y)) => match self.addresses(x, y, place.lift) {
                Ok(addr) => Ok(Val::Addr(addr)),
                Err(_)
                    if x.off != y.off
                        && let Ok(joined) = self.any_offsets(a, b, place) =>
                {
                    Ok(joined)
                }
                Err(why) => self.insert_segment(a, b, place, from).unwrap_or(Err(why)),
            },
            _ if self.left.state.is_number(a) && self.right.state.is_number(b) => {
                Ok(self.join_numbers(a, b, place))
            }
            _ if let Some(joined) = self.functions(a, b, place) => Ok(joined),
            (Val::Sym(s), Val::Sym(t)) => match self.computed_addresses(s, t, place) {
                Err(why) => self.any_offsets(a, b, place).map_err(|_| why),
                joined => joined,
            },
            (Val::Sym(_), Val::Addr(_)) | (Val::Addr(_), Val::Sym(_))
                if let Ok(joined) = self.any_offsets(a, b, place) =>
            {
                Ok(joined)
            }
            _ => match self.insert_segment(a, b, place, from) {
                Some(joined) => joined,
                None => self.optional(a, b, place),
            },
        }
    }

    /// Addresses with an unknown index.
    fn computed_addresses(&mut self, s: SymId, t: SymId, place: Place) -> Res<Val> {
        let pair = (Val::Sym(s), Val::Sym(t), self.out.pointer_bits());
        if let Some(&known) = self.numbers.get(&pair) {
            return Ok(known);
        }
        let (x, y) = (self.left.state.syms[&s].clone(), self.right.state.syms[&t].clone());
        let (Def::At(base, i, scale), Def::At(other, j, factor)) = (x.def, y.def) else {
            return Err(NoJoin::Address);
        };
        if scale != factor || base.off != other.off {
            return Err(NoJoin::Address);
        }
        let left_base = base;
        let base = self.addresses(base, other, place.lift)?;
        let width = self.out.pointer_bits();
        let index = self.join_numbers(Val::Sym(i), Val::Sym(j), Place { width, ..place });
        let Val::Sym(index) = index else { return Err(NoJoin::Address) };
        let sides = (self.left.state.range(Val::Sym(i), width), self.right.state.range(Val::Sym(j), width));
        let range = self.inside(left_base, scale.into(), sides, self.out.syms[&index].range);
        self.out.sym_mut(index).range = range;
        self.in_registers.insert(index);
        let level = self.number_level(Some(&x), Some(&y), place);
        self.left.keeps &= x.level == level;
        self.right.keeps &= y.level == level;
        self.left.keeps &= partner(&mut self.left.partners, pair.0, pair.1);
        self.right.keeps &= partner(&mut self.right.partners, pair.1, pair.0);
        let sym = Sym { def: Def::At(base, index, scale), level, ..(*x).clone() };
        let joined = Val::Sym(self.out.add_sym(sym));
        self.numbers.insert(pair, joined);
        Ok(joined)
    }

    fn join_numbers(&mut self, a: Val, b: Val, place: Place) -> Val {
        let info = |state: &State, val: Val| match val {
            Val::Sym(id) => Some(state.syms[&id].clone()),
            _ => None,
        };
        let (l, r) = (info(self.left.state, a), info(self.right.state, b));
        let width = l.as_ref().or(r.as_ref()).map_or(place.width, |sym| sym.width);
        let level = self.number_level(l.as_deref(), r.as_deref(), place);
        // What is one number per node elsewhere is none outside of these nodes.
        let fits = |known: &Val| !matches!(known, Val::Sym(id) if self.out.syms[id].level > level);
        if let Some(&known) = self.numbers.get(&(a, b, width)).filter(|known| fits(known)) {
            return known;
        }
        let (x, y) = (self.left.state.range(a, width), self.right.state.range(b, width));
        let range = self.grown(x, self.right.state.narrowed(b, y, x), width);
        let def = match (l.as_ref().map(|s| s.def), r.as_ref().map(|s| s.def)) {
            (Some(Def::Plus(s, m)), Some(Def::Plus(t, n))) if m == n && level == 0 => {
                match self.join_numbers(Val::Sym(s), Val::Sym(t), place) {
                    Val::Sym(source) => Def::Plus(source, m),
                    _ => Def::Free,
                }
            }
            (Some(Def::Times(s, m)), Some(Def::Times(t, n))) if m == n && level == 0 => {
                match self.join_numbers(Val::Sym(s), Val::Sym(t), place) {
                    Val::Sym(source) => Def::Times(source, m),
                    _ => Def::Free,
                }
            }
            (Some(Def::Same(s)), Some(Def::Same(t))) if level == 0 => {
                let from = self.left.state.syms[&s].width;
                match self.join_numbers(Val::Sym(s), Val::Sym(t), Place { width: from, ..place }) {
                    Val::Sym(source) if self.out.syms[&source].width == from => Def::Same(source),
                    _ => Def::Free,
                }
            }
            _ => Def::Free,
        };
        let mut not = common_exclusions(self.left.state, self.right.state, a, b, x, y);
        not.extend(self.between(x, y));
        let uninit = l.as_ref().is_some_and(|s| s.uninit) || r.as_ref().is_some_and(|s| s.uninit);
        let depth = match def {
            Def::Plus(source, _) | Def::Same(source) | Def::Times(source, _) => {
                self.out.syms[&source].depth + 1
            }
            Def::Free | Def::At(..) => 0,
        };
        let functions = BTreeSet::new();
        let sym = Sym { width, range, not, def, functions, level, uninit, depth };
        let shared = |side: Option<&Sym>, lift: u32| {
            lift == 0 && side.is_some_and(|s| s.level < sym.level) && !fault!(3)
        };
        self.left.keeps &= says_no_more(l.as_deref(), &sym, x) && partner(&mut self.left.partners, a, b);
        self.left.keeps &= !shared(l.as_deref(), place.lift.left);
        self.right.keeps &= says_no_more(r.as_deref(), &sym, y) && partner(&mut self.right.partners, b, a);
        self.right.keeps &= !shared(r.as_deref(), place.lift.right);
        let id = self.out.add_sym(sym);
        self.numbers.insert((a, b, width), Val::Sym(id));
        Val::Sym(id)
    }

    /// A number of a node of a segment is one per node, unless both sides share it among all nodes.
    fn number_level(&self, l: Option<&Sym>, r: Option<&Sym>, place: Place) -> u32 {
        let level = |sym: Option<&Sym>, lift: u32| sym.map(|s| if lift > 0 { place.level } else { s.level });
        match (level(l, place.lift.left), level(r, place.lift.right)) {
            // Two numbers that are merged are not one that all nodes share.
            (Some(x), Some(y)) if self.merging.is_some() && !fault!(2) => x.max(y).max(place.level),
            (Some(x), Some(y)) => x.max(y),
            _ => place.level,
        }
    }

    fn addresses(&mut self, x: Addr, y: Addr, lift: Lift) -> Res<Addr> {
        if x.off != y.off {
            return Err(NoJoin::Address);
        }
        if let Some((o1, o2, d)) = self.merging {
            if x.obj == o1 && y.obj == o2 {
                // A back link from what is nested below the node, or from the node to itself.
                let each = |state: &State, a: Addr| a.tg == Tg::All || state.object(a.obj).seg.is_none();
                if !each(self.left.state, x) || !each(self.right.state, y) {
                    return Err(NoJoin::Address);
                }
                return Ok(Addr { obj: d, off: x.off, tg: Tg::All });
            }
            if [o1, o2].contains(&x.obj) || [o1, o2].contains(&y.obj) {
                return Err(NoJoin::Sharing);
            }
            if x.obj == y.obj {
                return if x == y { Ok(x) } else { Err(NoJoin::Address) };
            }
        }
        if x.tg.is_among() || y.tg.is_among() {
            return self.some_nodes(x, y, lift);
        }
        let fits = match (x.tg, y.tg) {
            (Tg::Region, _) | (_, Tg::Region) => true,
            (a, b) => a == b,
        };
        if !fits {
            return Err(NoJoin::Address);
        }
        let obj = self.objects(x.obj, y.obj, lift)?;
        let tg = if self.out.object(obj).seg.is_none() {
            Tg::Region
        } else if x.tg != Tg::Region {
            x.tg
        } else {
            y.tg
        };
        Ok(Addr { obj, off: x.off, tg })
    }

    fn objects(&mut self, l: ObjId, r: ObjId, lift: Lift) -> Res<ObjId> {
        match (self.left.map.get(&l), self.right.map.get(&r)) {
            (Some(a), Some(b)) if a == b => return Ok(*a),
            (None, None) => {}
            (Some(a), _) if fault!(18) => return Ok(*a),
            _ => return Err(NoJoin::Sharing),
        }
        let (x, y) = (self.left.state.object(l).clone(), self.right.state.object(r).clone());
        let ptr = self.left.state.pointer_bytes();
        let seg = joined_segment(&x, &y, ptr)?;
        let level = self.own_level(joined_level(&x, &y, lift)?)?;
        // What all nodes share is not lifted, nor is what it leads to.
        let lift = Lift { left: level - x.level, right: level - y.level };
        let place = self.measured_at(&x, &y, seg, level, lift);
        let size = self.sizes(&x, &y, place)?;
        let maybe = (if fault!(16) { x.maybe && y.maybe } else { x.maybe || y.maybe }) && seg.is_none();
        for (object, flag) in [(&x, &mut self.left.keeps), (&y, &mut self.right.keeps)] {
            *flag &= (object.seg == seg || fault!(19)) && object.maybe == maybe;
        }
        if self.nodes == NodeMeetsSegment::Untold && x.seg.is_some() != y.seg.is_some() {
            self.nodes = NodeMeetsSegment::Joined;
        }
        self.differences.lengths |= x.seg != y.seg;
        self.differences.shapes |= x.seg != y.seg || x.maybe != y.maybe;
        let mut object = x.clone();
        object.seg = seg;
        object.maybe = maybe;
        object.level = level;
        object.cells = BTreeMap::new();
        object.zeros = BTreeMap::new();
        object.kinds = Vec::new();
        object.fresh = x.fresh || y.fresh;
        (object.vague, object.hidden) = (x.vague || y.vague, x.hidden || y.hidden);
        match size {
            Some(size) => self.set_sizes(&mut object, (&x, &y), size, place.level),
            None => {
                self.set_least_size(&mut object, &x, &y);
                object.size_sym = self.joined_size(&x, &y, place);
            }
        }
        object.begin = self.joined_begin(&x, &y, place)?;
        object.aligned = self.joined_alignment(&x, &y);
        object.text = self.joined_text(&x, &y, place);
        object.length = self.joined_length(&x, &y, seg, lift);
        object.tags = self.joined_tags(&x, &y, seg, lift);
        self.forget_nodes(&mut object, &x, &y);
        self.forget_orders(&mut object, &x, &y);
        let out = self.out.add(object);
        self.left.map.insert(l, out);
        self.right.map.insert(r, out);
        self.work.push((l, r, out, lift));
        Ok(out)
    }

    /// The level of an object that replaces others. While nodes are merged it has to be nested below them: two objects
    /// that the nodes share are not one that all of them share.
    fn own_level(&self, level: u32) -> Res<u32> {
        match self.merging {
            Some((_, _, d)) if level <= self.out.object(d).level && !fault!(1) => Err(NoJoin::Levels),
            _ => Ok(level),
        }
    }

    /// Joins the fields of two objects (join reinterpretation).
    fn fields(&mut self, l: ObjId, r: ObjId, out: ObjId, lift: Lift) -> Res<()> {
        let (x, y) = (self.left.state.object(l).clone(), self.right.state.object(r).clone());
        let seg = self.out.object(out).seg;
        let inner = Lift {
            left: lift.left + u32::from(seg.is_some() && x.seg.is_none()),
            right: lift.right + u32::from(seg.is_some() && y.seg.is_none()),
        };
        if seg.is_some() && self.out.kinds.is_some() {
            return self.fields_of_kinds((l, r, out), lift, inner);
        }
        let (x, y) = match seg {
            Some(seg) => [x, y].map(|side| side.without_twins(seg, self.out.pointer_bytes())).into(),
            None => (x, y),
        };
        let level = self.out.object(out).level;
        let text = self.out.object(out).text;
        self.views(&x, &y)?;
        let kids = seg.map_or(Kids::NONE, |seg| seg.kids);
        for (off, len) in fields_of(&x, &y) {
            if kids.has(off, self.out.pointer_bytes()) {
                continue;
            }
            let link = seg.is_some_and(|s| s.next == off || s.prev == Some(off));
            let place = Place {
                lift: if link { lift } else { inner },
                level: if link { level } else { level + u32::from(seg.is_some()) },
                width: (len * 8).min(128) as u8,
            };
            match (x.peek(off, len), y.peek(off, len)) {
                (Some(a), Some(b)) => {
                    if x.storage == Storage::Heap {
                        self.note_parted(a, b, place.width);
                    }
                    if level == 0
                        && seg.is_none()
                        && self.left.state.is_number(a)
                        && self.right.state.is_number(b)
                    {
                        let width = place.width;
                        self.note_masks(self.left.state.range(a, width), self.right.state.range(b, width));
                    }
                    let val = self.values(a, b, place, Some((l, r, out)))?;
                    self.out.object_mut(out).put(off, len, val);
                }
                (Some(a), None) if self.left.state.is_number(a) => self.left.keeps = false,
                (None, Some(b)) if self.right.state.is_number(b) => self.right.keeps = false,
                (None, None) => self.lose_both(),
                // An entry that one side has not looked at yet: nothing is lost, it can be looked at again.
                (Some(_), None) if x.storage == Storage::Arguments => self.left.keeps = false,
                (None, Some(_)) if x.storage == Storage::Arguments => self.right.keeps = false,
                _ => return Err(NoJoin::Address),
            }
        }
        self.common_zeros(&x, &y, out);
        if kids != Kids::NONE {
            self.holes((&x, &y), (l, r, out), lift)?;
        }
        // What was put there is what both sides have beside their strings.
        self.out.set_text(out, text);
        let object = self.out.object(out);
        let linked = |seg: Seg| {
            let known = |off: u64| object.peek(off, self.out.pointer_bytes()).is_some();
            known(seg.next) && seg.prev.is_none_or(known)
        };
        // Without its links a segment says nothing about its ends.
        if seg.is_none_or(linked) { Ok(()) } else { Err(NoJoin::Objects) }
    }

    /// Notes numbers that may be two different masks.
    fn note_masks(&mut self, x: Range, y: Range) {
        if crate::align::are_two_masks(x, y) {
            self.differences.masks.push((x.lo, y.lo));
        }
    }

    /// Notes numbers that are surely different.
    fn note_parted(&mut self, a: Val, b: Val, width: u8) {
        if self.left.state.is_number(a) && self.right.state.is_number(b) {
            let (x, y) = (self.left.state.range(a, width), self.right.state.range(b, width));
            if x.meet(y).is_none() {
                self.differences.parted.push((x, y));
            }
        }
    }

    /// What one side sees in other pieces than the fields that are joined is lost; it must not be an address.
    fn views(&mut self, x: &Object, y: &Object) -> Res<()> {
        let fields: BTreeMap<u64, u64> = fields_of(x, y).into_iter().collect();
        let sides =
            [(x, self.left.state, &mut self.left.keeps), (y, self.right.state, &mut self.right.keeps)];
        for (object, state, flag) in sides {
            for (off, cell) in &object.cells {
                if fields.get(off) != Some(&cell.len) {
                    *flag = false;
                    if !state.is_number(cell.val) {
                        return Err(NoJoin::Address);
                    }
                }
            }
        }
        Ok(())
    }

    fn common_zeros(&mut self, x: &Object, y: &Object, out: ObjId) {
        for (&start, &end) in &x.zeros {
            for (&low, &high) in y.zeros.range(..end) {
                let (from, to) = (start.max(low), end.min(high));
                let object = self.out.object_mut(out);
                if from < to && object.cells.range(from..to).next().is_none() {
                    object.put(from, to - from, Val::ZERO);
                }
            }
        }
        // A nullified block of one side that is not one of the result is a loss.
        let result = self.out.object(out).clone();
        let kept = |zeros: &BTreeMap<u64, u64>| {
            zeros.iter().all(|(&start, &end)| result.is_zero(start, end - start))
        };
        self.left.keeps &= kept(&x.zeros);
        self.right.keeps &= kept(&y.zeros);
    }
}

/// The segment that two objects are joined to; none for two regions.
fn joined_segment(x: &Object, y: &Object, pointer_bytes: u64) -> Res<Option<Seg>> {
    if x.valid != y.valid || x.storage != y.storage {
        return Err(NoJoin::Objects);
    }
    match (x.seg, y.seg) {
        (None, None) => Ok(None),
        (Some(a), Some(b)) if Seg { min: b.min, ..a } == b => {
            Ok(Some(Seg { min: if fault!(7) { a.min.max(b.min) } else { a.min.min(b.min) }, ..a }))
        }
        (Some(seg), None) | (None, Some(seg))
            if x.valid && matches!(x.storage, Storage::Heap | Storage::Part) =>
        {
            let (Some(a), Some(b)) = (x.hole(seg, pointer_bytes), y.hole(seg, pointer_bytes)) else {
                return Err(NoJoin::Objects);
            };
            if !(x.has_twins(seg, pointer_bytes) && y.has_twins(seg, pointer_bytes)) {
                return Err(NoJoin::Objects);
            }
            if !(x.maybe || y.maybe) {
                return Ok(Some(Seg { min: if fault!(8) { seg.min } else { seg.min.min(1) }, ..seg }));
            }
            // An absent node is null, an empty segment is what follows or precedes it: they agree where that is null.
            let begins = |object: &Object| {
                seg.prev.is_none_or(|prev| object.peek(prev, pointer_bytes) == Some(Val::ZERO))
            };
            if (a, b) == (Val::ZERO, Val::ZERO) && begins(x) && begins(y) {
                Ok(Some(Seg { min: 0, ..seg }))
            } else {
                Err(NoJoin::Objects)
            }
        }
        _ => Err(NoJoin::Objects),
    }
}

fn joined_level(x: &Object, y: &Object, lift: Lift) -> Res<u32> {
    let (a, b) = (x.level + lift.left, y.level + lift.right);
    if a == b {
        Ok(a)
    } else if x.level == y.level {
        // Shared by all nodes on both sides.
        Ok(x.level)
    } else {
        Err(NoJoin::Levels)
    }
}

/// The fields that at least one side knows as a value, each once, without overlaps of different shape.
fn fields_of(x: &Object, y: &Object) -> Vec<(u64, u64)> {
    let mut fields: BTreeMap<u64, u64> = x.cells.iter().map(|(off, cell)| (*off, cell.len)).collect();
    for (&off, cell) in &y.cells {
        let clash = fields.iter().any(|(&o, &l)| o < off + cell.len && off < o + l);
        if !clash {
            fields.insert(off, cell.len);
        } else if fields.get(&off) != Some(&cell.len) {
            // Different views of the same bytes: both are looked at, and what cannot be read is unknown.
            fields.entry(off).or_insert(cell.len);
        }
    }
    fields.into_iter().collect()
}

/// Numbers that neither side can be.
fn common_exclusions(l: &State, r: &State, a: Val, b: Val, x: Range, y: Range) -> BTreeSet<i128> {
    let of = |state: &State, val: Val| match val {
        Val::Sym(id) => state.syms[&id].not.clone(),
        _ => BTreeSet::new(),
    };
    let (p, q) = (of(l, a), of(r, b));
    let out = |number: &i128, set: &BTreeSet<i128>, range: Range| {
        set.contains(number) || *number < range.lo || *number > range.hi
    };
    p.union(&q).filter(|n| out(n, &p, x) && (out(n, &q, y) || fault!(15))).copied().collect()
}

/// True if a side knows no more about a number than the result does.
fn says_no_more(side: Option<&Sym>, result: &Sym, range: Range) -> bool {
    let Some(side) = side else { return false };
    side.uninit == result.uninit
        && (range.covers(result.range) || fault!(6))
        && (side.not.is_subset(&result.not) || fault!(5))
        && (side.def == Def::Free) == (result.def == Def::Free)
}

/// Notes which value a value was joined with; false if it was another one before: then an equality is lost.
fn partner(map: &mut BTreeMap<Val, Val>, of: Val, with: Val) -> bool {
    *map.entry(of).or_insert(with) == with || fault!(4)
}
