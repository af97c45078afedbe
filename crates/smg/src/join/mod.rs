//! Join of two configurations (section 3.2 of the paper), which is also the entailment check, and the merge of two
//! nodes of one configuration that abstraction is made of.
//!
//! Both graphs are traversed from pairs of equal roots; each pair of objects met at the same time becomes one object of
//! the result. An object of one side is never joined with two of the other. Two flags are kept on the way: whether the
//! result still says all that the left side says, and the same for the right side. The join fails rather than drop an
//! address: what only that address held would be lost, and its leak with it.

use crate::graph::{ObjId, State, SymId, Val};
use crate::number::Range;
use heapproof_ir::CmpOp;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

mod among;
mod each;
mod fields;
mod functions;
mod gone;
mod growth;
mod insert;
mod kinds;
mod lengths;
mod measures;
mod merge;
mod objects;
mod offsets;
mod order;
mod own;
mod products;
mod relations;
mod rows;
mod tags;
mod terms;
mod tree;
mod values;

use fields::fields_of;
pub use growth::Growth;
use kinds::Lacking;
pub use kinds::merge_kinds;
pub use merge::{Merged, has_dangling, merge_nodes};
use relations::Tie;
pub use tree::{Fold, fold_nodes};
use values::partner;

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
    /// Numbers of which a side knows more than the result.
    contents: bool,
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
    out.cut = left.cut;
    (out.counts, out.tells) = (left.counts, left.tells.clone());
    out.kinds = left.kinds.clone();
    (out.rows, out.borders, out.sorts) = (left.rows, left.borders, left.sorts);
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
}
