//! One path between two cut points: registers, heaps by name, what is known, and memory that nobody else can see yet.

use crate::callbacks::Given;
use crate::ranges::Range;
use heapproof_chr::syntax::{Comparison, Formula, Term};
use heapproof_ir::nodes::{Link, NodeType, Nodes};
use heapproof_ir::{BlockId, FuncId, GlobalId, LocalId, Reg};
use std::collections::{BTreeMap, BTreeSet};

/// A number or address: a variable of the goal plus a number, or a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sym {
    /// The variable; none for a plain number.
    pub var: Option<u32>,
    /// What is added.
    pub offset: i128,
}

impl Sym {
    /// Null, or the number 0.
    pub const ZERO: Sym = Sym { var: None, offset: 0 };

    /// As a term of a goal.
    pub fn term(self) -> Term {
        match self.var {
            None => Term::Int(self.offset),
            Some(v) => Term::var(format!("v{v}")).plus(self.offset),
        }
    }

    /// This plus a number.
    pub fn plus(self, n: i128) -> Sym {
        Sym { var: self.var, offset: self.offset + n }
    }
}

/// What the program's types say about an address. It decides only what is tried to be proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    /// Nothing.
    None,
    /// So many bytes after the start of a node.
    Node(NodeType, i128),
    /// A cell that holds a pointer to a node.
    Cell(NodeType),
    /// An address in a global that is no node: the least and the greatest offset from its start.
    Data(GlobalId, i128, i128),
    /// An address in an array of a node.
    Area(Area),
}

/// An element of an array in a node, of which the index is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// The type of the node.
    pub node: NodeType,
    /// The node.
    pub base: Sym,
    /// The least offset from there.
    pub low: i128,
    /// The greatest offset.
    pub high: i128,
    /// The distance of elements.
    pub step: i128,
}

/// Memory of the function itself: a block that was just allocated, or a local.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Own(pub usize);

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number or an address.
    Sym(Sym, Hint),
    /// The truth of a formula, as one bit.
    Bool(Formula),
    /// An address in memory of the function itself.
    Own(Own, i128),
}

/// What own memory is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A block from the heap that becomes a node when its address is stored or handed over.
    Block,
    /// A local that is no node.
    Plain,
    /// A local of a node type: it becomes a node when its address is stored or handed over, until its scope ends.
    Stack,
    /// Memory outside of nodes that the function was allowed to use. Others may see it, so nothing is known of its content.
    Outside,
}

/// Memory of the function itself.
#[derive(Clone, Debug)]
pub struct Memory {
    /// What it is.
    pub kind: Kind,
    /// Size in bytes.
    pub size: i128,
    /// The node type that it is used as.
    pub node: Option<NodeType>,
    /// Known content: size and value by offset.
    pub content: BTreeMap<i128, (i128, Value)>,
    /// What is not in `content` is zero.
    pub zeroed: bool,
    /// The node that it has become.
    pub became: Option<Sym>,
    /// One element of it, if it has as many as this argument says.
    pub elements: Option<(Own, Sym, i128)>,
    /// It was a block that is freed.
    pub freed: bool,
    /// It may only be read.
    pub sealed: bool,
    /// The address of a local of a node type, whether or not it has become a node.
    pub address: Option<Sym>,
}

impl Memory {
    /// Memory of which nothing is known.
    pub fn new(kind: Kind, size: i128) -> Memory {
        let content = BTreeMap::new();
        Memory {
            kind,
            size,
            node: None,
            content,
            zeroed: false,
            became: None,
            elements: None,
            freed: false,
            sealed: false,
            address: None,
        }
    }
}

/// A number that is at most an argument, without sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Below {
    /// The argument.
    pub of: Sym,
    /// It is not equal to it.
    pub less: bool,
    /// The number of bits of which this is true.
    pub width: u8,
}

/// Where a local lives.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    /// In own memory.
    Own(Own),
    /// A pointer to a node whose address is taken: a cell outside of nodes.
    Cell(Sym, NodeType),
}

impl Place {
    /// The address of a cell.
    pub fn cell(&self) -> Option<Sym> {
        match self {
            Place::Cell(address, _) => Some(*address),
            Place::Own(_) => None,
        }
    }
}

/// A running function.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Which.
    pub function: FuncId,
    /// The block.
    pub block: BlockId,
    /// The next instruction.
    pub next: usize,
    /// Registers that have a value.
    pub regs: BTreeMap<Reg, Value>,
    /// Its locals.
    pub locals: BTreeMap<LocalId, Place>,
    /// Where the caller wants the results.
    pub results: Vec<Reg>,
}

/// Which heap a cell belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellOf {
    /// The link of a node.
    Link(Link),
    /// A cell outside of nodes, for pointers to nodes of this type.
    Outside(NodeType),
}

/// The state of a path.
#[derive(Clone, Debug)]
pub struct State {
    /// Running functions; the first is the one that is analysed.
    pub frames: Vec<Frame>,
    /// What holds on the path.
    pub path: Vec<Formula>,
    /// Version of each link's heap.
    pub links: Vec<u32>,
    /// The versions at the entry of the function, if the path begins there.
    pub entry: Option<Vec<u32>>,
    /// Links that may hold junk, in these nodes; in any node if that is not known.
    pub junk: BTreeMap<Link, Option<Vec<Sym>>>,
    /// Addresses known to be null or nodes that there were when they were got.
    pub given: BTreeSet<(NodeType, Sym)>,
    /// Version of the cells outside of nodes, by type.
    pub cells: Vec<u32>,
    /// Links and cells that were changed since the constraint was last known to hold.
    pub changed_links: BTreeSet<Link>,
    /// The same for cells.
    pub changed_cells: BTreeSet<NodeType>,
    /// Own memory.
    pub own: Vec<Memory>,
    /// Addresses known to be nodes.
    pub valid: BTreeSet<(NodeType, Sym)>,
    /// Addresses and numbers known to be zero or not.
    pub zero: BTreeMap<Sym, bool>,
    /// Decisions about cells.
    pub cell_of: BTreeMap<Sym, CellOf>,
    /// Values read from heaps, by the heap's version and the address.
    pub read: BTreeMap<(u32, Sym), Sym>,
    /// Numbers that are at most, or below, an argument, without sign.
    pub below: BTreeMap<Sym, Below>,
    /// The least and the greatest value of numbers.
    pub ranges: BTreeMap<Sym, Range>,
    /// Data read from nodes or written to them: type, offset, size, node.
    pub data: BTreeMap<(NodeType, i128, i128, Sym), Value>,
    /// Nodes on the stack whose scope is over, and nodes that were freed.
    pub dead: BTreeSet<(NodeType, Sym)>,
    /// A node was freed: its address may be that of a new block.
    pub freed: bool,
    /// The scope of a pointer whose address was taken is over: no cell outside of nodes may be used any more.
    pub cells_ended: bool,
    /// Values that are functions which touch no nodes.
    pub functions: BTreeMap<Sym, Given>,
    /// How many blocks were entered.
    pub steps: u32,
}

/// The heap of a version of a link or of cells.
pub fn heap(version: u32) -> Term {
    Term::var(format!("F{version}"))
}

/// The set of nodes of a type.
pub fn node_set(nodes: &Nodes, node: NodeType) -> Term {
    Term::var(format!("N_{}", nodes.types[node.0].name))
}

/// `s` is a node of the type.
pub fn is_valid(nodes: &Nodes, node: NodeType, s: Sym) -> Formula {
    Formula::holds("dom", vec![node_set(nodes, node), s.term()])
}

/// `s` is null or a node of the type.
pub fn is_node(nodes: &Nodes, node: NodeType, s: Sym) -> Formula {
    let name = format!("node_{}", nodes.types[node.0].name);
    Formula::holds(name, vec![s.term(), node_set(nodes, node)])
}

/// What a link is closed by: its heap, its nodes, and the sets that it leads to.
fn closed_args(nodes: &Nodes, cells: &[u32], link: Link, version: u32) -> Vec<Term> {
    let info = &nodes.links[link.0];
    let mut args = vec![heap(version), node_set(nodes, info.of)];
    if info.cell {
        args.push(heap(cells[info.to.0]));
        args.extend(nodes.links_to(info.to).map(|(_, link)| node_set(nodes, link.of)));
    } else {
        args.push(node_set(nodes, info.to));
    }
    args
}

/// The link is a node in every node; with these versions of the cells outside of nodes.
pub fn is_closed(nodes: &Nodes, cells: &[u32], link: Link, version: u32) -> Formula {
    let name = format!("closed_{}", nodes.links[link.0].name);
    Formula::holds(name, closed_args(nodes, cells, link, version))
}

/// The link is a node in every node but one.
pub fn is_closed_but(nodes: &Nodes, cells: &[u32], link: Link, version: u32, but: Sym) -> Formula {
    let mut args = closed_args(nodes, cells, link, version);
    args.push(but.term());
    Formula::holds(format!("closed_but_{}", nodes.links[link.0].name), args)
}

/// No cell of the heap holds this address.
pub fn is_unlinked(version: u32, address: Sym) -> Formula {
    Formula::holds("unlinked", vec![heap(version), address.term()])
}

/// No cell of the heap but one holds this address.
pub fn is_unlinked_but(version: u32, address: Sym, but: Sym) -> Formula {
    Formula::holds("unlinked_but", vec![heap(version), address.term(), but.term()])
}

/// Where the first version is not null, the second is not.
pub fn is_kept(before: u32, after: u32) -> Formula {
    Formula::holds("keeps", vec![heap(before), heap(after)])
}

/// A way of one or more links leads from one node to another.
pub fn is_reached(nodes: &Nodes, link: Link, version: u32, from: Sym, to: Sym) -> Formula {
    let of = node_set(nodes, nodes.links[link.0].of);
    Formula::holds("reach", vec![heap(version), of, from.term(), to.term()])
}

/// All cells outside of nodes hold nodes.
pub fn cells_closed(nodes: &Nodes, node: NodeType, version: u32) -> Formula {
    let name = format!("cells_{}", nodes.types[node.0].name);
    Formula::holds(name, vec![heap(version), node_set(nodes, node)])
}

/// Cells outside of nodes are not where the links of nodes are.
pub fn cells_outside(nodes: &Nodes, node: NodeType, version: u32) -> Vec<Formula> {
    nodes
        .links_to(node)
        .map(|(_, link)| {
            Formula::holds(format!("outside_{}", link.name), vec![heap(version), node_set(nodes, link.of)])
        })
        .collect()
}

/// `a = b`.
pub fn equal(a: Sym, b: Sym) -> Formula {
    Formula::Compare(Comparison::Equal, a.term(), b.term())
}

/// `a != b`.
pub fn differs(a: Sym, b: Sym) -> Formula {
    Formula::Compare(Comparison::Differs, a.term(), b.term())
}

impl State {
    /// The running function.
    pub fn top(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    /// An address in own memory; that of a node, if it has become one.
    pub fn own_value(&self, own: Own, offset: i128) -> Value {
        let memory = &self.own[own.0];
        match memory.became {
            Some(s) => {
                let hint = memory.node.map_or(Hint::None, |n| Hint::Node(n, offset));
                Value::Sym(s.plus(offset), hint)
            }
            None => Value::Own(own, offset),
        }
    }

    /// Whether it is known that `s` is zero, or that it is not.
    pub fn known_zero(&self, s: Sym) -> Option<bool> {
        match s.var {
            None => Some(s.offset == 0),
            Some(_) => self.zero.get(&s).copied(),
        }
    }

    /// `s` is what a link may hold: null, or a node, or the address of a pointer.
    pub fn is_linkable(&self, nodes: &Nodes, link: Link, s: Sym) -> Formula {
        let info = &nodes.links[link.0];
        match info.cell {
            true => Formula::Or(vec![equal(s, Sym::ZERO), self.is_cell(nodes, info.to, s)]),
            false => is_node(nodes, info.to, s),
        }
    }

    /// The formula that says where a cell of type `T **` is: in a node, or outside.
    pub fn is_cell(&self, nodes: &Nodes, node: NodeType, s: Sym) -> Formula {
        let mut cases = vec![Formula::holds("dom", vec![heap(self.cells[node.0]), s.term()])];
        for (_, link) in nodes.links_to(node) {
            let base = s.plus(-link.offset);
            // Not in a node that is there no longer.
            let dead = self.dead.iter().filter(|(of, _)| *of == link.of && !fault!(51));
            let alive = dead.map(|(_, a)| differs(base, *a));
            let valid = is_valid(nodes, link.of, base);
            cases.push(Formula::And(std::iter::once(valid).chain(alive).collect()));
        }
        Formula::Or(cases)
    }
}
