//! Global variables: pointers to nodes, nodes, and data.
//!
//! A global pointer to nodes is a cell outside of nodes like any other: it holds null or a node whenever the constraint holds. A global node is a node
//! that is always there. What a global holds at the start must fit; of one that is defined elsewhere that is assumed. Other globals
//! are memory of which only the size is known. Constants are data as well.

use crate::state::*;
use crate::{Analysis, Stop, Why};
use heapproof_chr::syntax::Formula;
use heapproof_ir::nodes::{NodeType, Nodes};
use heapproof_ir::program::{GlobalInit, RelocTarget};
use heapproof_ir::{CType, GlobalId, Program, Span, TypeId, ctype};
use std::collections::BTreeMap;

/// What a global is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A pointer to nodes.
    Cell(NodeType),
    /// A node.
    Node(NodeType),
    /// An array of pointers to nodes.
    Slots(NodeType),
    /// Nothing that has to do with nodes.
    Data,
}

/// The globals of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Globals {
    kinds: BTreeMap<GlobalId, Kind>,
}

impl Globals {
    pub(crate) fn new(program: &Program, nodes: &Nodes) -> Globals {
        let mut kinds = BTreeMap::new();
        for (id, global) in program.globals.iter() {
            let Some(of) = global.ctype else { continue };
            let kind = if is_data(program, of) {
                Kind::Data
            } else if let Some(node) = nodes.pointer_to(program, of) {
                Kind::Cell(node)
            } else if let CType::Array { element, count: Some(_) } =
                &program.types[ctype::strip(&program.types, of)]
                && let Some(node) = nodes.pointer_to(program, *element)
            {
                Kind::Slots(node)
            } else if let Some(node) = nodes.struct_type(program, of)
                && nodes.types[node.0].hazy.is_empty()
                && !nodes.types[node.0].fields.iter().any(|f| f.function)
            {
                Kind::Node(node)
            } else {
                continue;
            };
            if kind == Kind::Data || !global.constant {
                kinds.insert(id, kind);
            }
        }
        let mut globals = Globals { kinds };
        // One that does not fit is none, and then what points to it does not fit either.
        loop {
            let wrong = |(id, kind): (&GlobalId, &Kind)| {
                (!globals.starts_well(program, nodes, *id, *kind)).then_some(*id)
            };
            let wrong: Vec<GlobalId> = globals.kinds.iter().filter_map(wrong).collect();
            if wrong.is_empty() {
                return globals;
            }
            globals.kinds.retain(|id, _| !wrong.contains(id));
        }
    }

    /// Whether the links of a global are null or nodes at the start.
    fn starts_well(&self, program: &Program, nodes: &Nodes, id: GlobalId, kind: Kind) -> bool {
        let word = program.target.pointer_bytes();
        let links: Vec<(u64, NodeType)> = match kind {
            Kind::Data => return true,
            Kind::Cell(to) => vec![(0, to)],
            Kind::Node(node) => nodes.links_of(node).iter().map(|l| (l.offset as u64, l.to)).collect(),
            Kind::Slots(to) => (0..program.globals[id].size / word).map(|index| (index * word, to)).collect(),
        };
        let GlobalInit::Data { bytes, relocs } = &program.globals[id].init else { return true };
        let good = |at: u64, to: NodeType| {
            let mut over = relocs.iter().filter(|r| r.offset < at + word && at < r.offset + word);
            match over.next() {
                None => bytes.iter().skip(at as usize).take(word as usize).all(|b| *b == 0),
                Some(reloc) => {
                    let target = match reloc.target {
                        RelocTarget::Global(global) => self.kinds.get(&global),
                        _ => None,
                    };
                    let fits = match target {
                        Some(Kind::Node(node)) => nodes.holds_at(*node, i128::from(reloc.addend), to),
                        _ => false,
                    };
                    reloc.offset == at && over.next().is_none() && fits
                }
            }
        };
        // Pointers to pointers are null.
        let null = |at: u64| {
            let over = relocs.iter().any(|r| r.offset < at + word && at < r.offset + word);
            !over && bytes.iter().skip(at as usize).take(word as usize).all(|b| *b == 0)
        };
        let cells = match kind {
            Kind::Node(node) => nodes.cells_of(node),
            _ => Vec::new(),
        };
        links.into_iter().all(|(at, to)| good(at, to)) && cells.iter().all(|l| null(l.offset as u64))
    }

    /// Node types that a global pointer leads to.
    pub(crate) fn cell_types(&self) -> impl Iterator<Item = NodeType> {
        self.kinds.values().filter_map(|kind| match kind {
            Kind::Cell(node) | Kind::Slots(node) => Some(*node),
            _ => None,
        })
    }

    /// Whether there are global pointers to nodes, or global nodes.
    pub(crate) fn any(&self) -> bool {
        self.kinds.values().any(|kind| *kind != Kind::Data)
    }
}

/// A type without pointers to nodes and without pointers to functions.
fn is_data(program: &Program, of: TypeId) -> bool {
    let of = ctype::strip(&program.types, of);
    match &program.types[of] {
        CType::Int { .. } | CType::Float { .. } | CType::Enum { .. } => true,
        CType::Array { element, .. } => is_data(program, *element),
        CType::Struct { members, size: Some(_), .. } => members.iter().all(|m| is_data(program, m.ty)),
        _ => false,
    }
}

impl Analysis<'_> {
    /// The address of a global.
    pub(crate) fn global_value(&mut self, id: GlobalId) -> Value {
        let Some(kind) = self.globals.kinds.get(&id).copied() else {
            return Value::Sym(self.fresh(), Hint::None);
        };
        let s = self.global_address(id);
        Value::Sym(
            s,
            match kind {
                Kind::Cell(node) => Hint::Cell(node),
                Kind::Node(node) => Hint::Node(node, 0),
                Kind::Data | Kind::Slots(_) => Hint::Data(id, 0, 0),
            },
        )
    }

    fn global_address(&mut self, id: GlobalId) -> Sym {
        self.function_of(format!("global {id:?}"), &[])
    }

    /// The addresses of global nodes of a type.
    pub(crate) fn global_nodes(&mut self, node: NodeType) -> Vec<Sym> {
        let globals = self.globals.clone();
        let all = globals.kinds.iter().filter(|(_, kind)| **kind == Kind::Node(node));
        all.map(|(id, _)| self.global_address(*id)).collect()
    }

    /// What is known of globals in a new state.
    pub(crate) fn globals_in(&mut self, state: &mut State) {
        let globals = self.globals.clone();
        let mut known: Vec<(Kind, Sym)> = Vec::new();
        for (&id, &kind) in globals.kinds.iter().filter(|(_, kind)| **kind != Kind::Data) {
            let s = self.global_address(id);
            match kind {
                Kind::Cell(node) => {
                    state.path.push(Formula::holds("dom", vec![heap(state.cells[node.0]), s.term()]));
                    state.cell_of.insert(s, CellOf::Outside(node));
                }
                Kind::Node(node) => {
                    state.path.push(is_valid(&self.nodes, node, s));
                    state.valid.insert((node, s));
                }
                Kind::Data | Kind::Slots(_) => {}
            }
            state.path.push(differs(s, Sym::ZERO));
            state.zero.insert(s, false);
            // Different globals lie apart.
            let alike = known.iter().filter(|(other, _)| *other == kind);
            state.path.extend(alike.map(|(_, other)| differs(s, *other)));
            known.push((kind, s));
        }
    }

    /// An element of a global array at an index that is not known, at an offset between two.
    pub(crate) fn global_element(
        &mut self,
        state: &mut State,
        id: GlobalId,
        s: Sym,
        (low, high, step): (i128, i128, i128),
    ) -> Value {
        let Some(&Kind::Slots(to)) = self.globals.kinds.get(&id) else {
            return Value::Sym(s, Hint::Data(id, low, high));
        };
        let word = i128::from(self.program.target.pointer_bytes());
        let inside = low >= 0 && high + word <= i128::from(self.program.globals[id].size);
        if !inside || low % word != 0 || step % word != 0 {
            return Value::Sym(s, Hint::None);
        }
        self.outside_cell(state, to, s);
        Value::Sym(s, Hint::Cell(to))
    }

    /// The pointer to nodes that an access to a global array means; none if it holds data only.
    pub(crate) fn global_slot(
        &self,
        id: GlobalId,
        (low, high): (i128, i128),
        size: i128,
        span: Span,
    ) -> Result<Option<NodeType>, Stop> {
        let Some(&Kind::Slots(to)) = self.globals.kinds.get(&id) else { return Ok(None) };
        let word = i128::from(self.program.target.pointer_bytes());
        let inside = low >= 0 && high + size <= i128::from(self.program.globals[id].size);
        if !inside || low != high || low % word != 0 || size != word {
            return Err(Stop::new(Why::Outside, span));
        }
        Ok(Some(to))
    }

    /// An access to a global that holds data only, at an offset between two.
    pub(crate) fn data_access(
        &self,
        id: GlobalId,
        (low, high): (i128, i128),
        size: i128,
        writes: bool,
        span: Span,
    ) -> Result<(), Stop> {
        let global = &self.program.globals[id];
        if low < 0 || size <= 0 || high + size > i128::from(global.size) || writes && global.constant {
            return Err(Stop::new(Why::Outside, span));
        }
        Ok(())
    }
}
