//! The property `data-structure`: whenever nodes are handed over, at a call or a return, they must be good.
//!
//! A block becomes a node of a type when it is handed over as one, or when a node's link leads to it. From then on its links must hold null or
//! the address of a live node of their type, at every call and return of a function that is given nodes or gives one. A block that was
//! just allocated and is passed on directly may still be incomplete: the callee may be there to fill it in.

use crate::fault::Fault;
use crate::machine::{Machine, Res};
use crate::memory::{Life, ObjectKind};
use crate::page::Byte;
use crate::value::{ObjId, Prov, Value};
use heapproof_ir::nodes::{LinkAt, NodeType, Nodes};
use heapproof_ir::{CType, FuncId, InstKind, Operand, Program, Span, Ty, TypeId, ctype};
use heapproof_verdict::ErrorClass;
use std::collections::{BTreeMap, BTreeSet};

/// What is known of the nodes of a run.
pub(crate) struct Handover {
    nodes: Nodes,
    /// The objects that are nodes.
    typed: BTreeMap<ObjId, NodeType>,
    /// Nodes inside of arrays and of other objects, by their places.
    elements: BTreeSet<(ObjId, u64, NodeType)>,
    /// Objects of the state that hold a pointer to a node.
    cells: BTreeMap<ObjId, NodeType>,
    /// Where pointers were last stored.
    writers: BTreeMap<(ObjId, u64), (Span, FuncId)>,
}

/// What is wrong with a pointer to a node.
enum Bad {
    /// It is no address.
    Junk(String),
    /// It is the address of something else.
    Wrong(String, ObjId),
    /// It leads into a block, and what lies there is not known.
    Unclear,
}

impl Handover {
    pub fn new(program: &Program) -> Self {
        Handover {
            nodes: Nodes::new(program),
            typed: BTreeMap::new(),
            elements: BTreeSet::new(),
            cells: BTreeMap::new(),
            writers: BTreeMap::new(),
        }
    }
}

/// The parameters and the result of a function, as far as they are known.
fn signature(program: &Program, func: FuncId) -> (Vec<TypeId>, Option<TypeId>) {
    let info = &program.functions[func];
    match info.ctype.map(|t| &program.types[ctype::strip(&program.types, t)]) {
        Some(CType::Function { params, result, .. }) if params.len() == info.params.len() => {
            (params.clone(), Some(*result))
        }
        _ => (Vec::new(), None),
    }
}

impl<'p> Machine<'p, '_> {
    /// A pointer is stored: whoever finds it bad later can say where.
    pub fn note_writer(&mut self, id: ObjId, at: u64) {
        let place = (self.span(), self.top.func);
        if let Some(handover) = &mut self.handover {
            handover.writers.insert((id, at), place);
        }
    }

    /// The nodes of a state that somebody made up are good: their types follow from the parameters.
    pub fn adopt_arguments(&mut self, func: FuncId, args: &[(Value, Ty)]) {
        let Some(mut handover) = self.handover.take() else { return };
        let (params, _) = signature(self.program, func);
        let mut work = Vec::new();
        for ((value, _), ctype) in args.iter().zip(&params) {
            let Prov::Object(id) = value.prov else { continue };
            if let Some(node) = handover.nodes.pointer_to(self.program, *ctype) {
                work.push((id, self.around(&handover.nodes, id, value.addr(), node)));
            } else if let Some(node) = handover.nodes.link_to(self.program, *ctype) {
                if let Some(of) = self.link_holder(&handover.nodes, id, value.addr(), node) {
                    work.push((id, of));
                    continue;
                }
                handover.cells.insert(id, node);
                if let Some((bits, Prov::Object(inner))) = self.mem.read_slot(id, 0) {
                    work.push((inner, self.around(&handover.nodes, inner, bits as u64, node)));
                }
            }
        }
        while let Some((id, node)) = work.pop() {
            if handover.typed.insert(id, node).is_some() {
                continue;
            }
            for link in handover.nodes.links_of(node) {
                if let Some((bits, Prov::Object(next))) = self.mem.read_slot(id, link.offset as u64) {
                    work.push((next, self.around(&handover.nodes, next, bits as u64, link.to)));
                }
            }
            for cell in handover.nodes.cells_of(node) {
                if let Some((bits, Prov::Object(next))) = self.mem.read_slot(id, cell.offset as u64) {
                    let of = self.link_holder(&handover.nodes, next, bits as u64, cell.to);
                    work.extend(of.map(|of| (next, of)));
                }
            }
        }
        self.handover = Some(handover);
    }

    /// The type of an object that holds a node of a type at an address.
    fn around(&self, nodes: &Nodes, id: ObjId, address: u64, node: NodeType) -> NodeType {
        let object = self.mem.get(id);
        let offset = address.wrapping_sub(object.base) as i64;
        nodes.holder(i128::from(object.size), i128::from(offset), node).unwrap_or(node)
    }

    /// The type of an object in which an address is that of a link; none if it is no node.
    fn link_holder(&self, nodes: &Nodes, id: ObjId, address: u64, to: NodeType) -> Option<NodeType> {
        let object = self.mem.get(id);
        let offset = i128::from(address.wrapping_sub(object.base) as i64);
        nodes.link_holder(i128::from(object.size), offset, to)
    }

    /// A link of a node, or a pointer outside of nodes, was chosen just now.
    pub fn adopt_link(&mut self, from: ObjId, at: u64, to: ObjId, offset: i64) {
        let Some(mut handover) = self.handover.take() else { return };
        let address = self.mem.get(to).base.wrapping_add(offset as u64);
        let node = match (handover.cells.get(&from), handover.typed.get(&from)) {
            (Some(&node), _) => Some(node),
            (None, Some(&of)) => {
                let here =
                    |links: &[LinkAt]| links.iter().find(|link| link.offset == i128::from(at)).cloned();
                if let Some(cell) = here(&handover.nodes.cells_of(of)) {
                    match self.link_holder(&handover.nodes, to, address, cell.to) {
                        Some(node) => {
                            handover.typed.entry(to).or_insert(node);
                        }
                        None => {
                            handover.cells.insert(to, cell.to);
                        }
                    }
                }
                here(handover.nodes.links_of(of)).map(|link| link.to)
            }
            (None, None) => None,
        };
        if let Some(node) = node {
            let node = self.around(&handover.nodes, to, address, node);
            handover.typed.entry(to).or_insert(node);
        }
        self.handover = Some(handover);
    }

    /// A function is called: the nodes that there are, and those that it gets, must be good.
    pub fn hand_to(&mut self, func: FuncId, args: &[(Value, Ty)]) -> Res<()> {
        let Some(mut handover) = self.handover.take() else { return Ok(()) };
        let (params, result) = signature(self.program, func);
        let mut roots = Vec::new();
        for ((value, _), ctype) in args.iter().zip(&params) {
            let Some(node) = handover.nodes.pointer_to(self.program, *ctype) else { continue };
            let own = matches!(value.prov, Prov::Object(id) if !handover.typed.contains_key(&id)
                && self.mem.get(id).kind == ObjectKind::Heap);
            if !own {
                roots.push((*value, node));
            }
        }
        let all = params.iter().chain(&result);
        let concerned = all.into_iter().any(|t| is_of_nodes(&handover.nodes, self.program, *t));
        let place = (self.span(), self.top.func);
        let judged = if concerned { self.judge(&mut handover, &roots, place, true) } else { Ok(()) };
        self.handover = Some(handover);
        judged
    }

    /// A function returns: its locals are gone, what it gives and the nodes that there are must be good.
    pub fn hand_back(&mut self, operands: &'p [Operand], values: &[(Value, Ty)]) -> Res<()> {
        let Some(mut handover) = self.handover.take() else { return Ok(()) };
        self.forget_dead(&mut handover);
        let (params, result) = signature(self.program, self.top.func);
        let node = result.and_then(|t| handover.nodes.pointer_to(self.program, t));
        let roots: Vec<(Value, NodeType)> =
            values.first().zip(node).map(|((value, _), node)| (*value, node)).into_iter().collect();
        let all = params.iter().chain(&result);
        let concerned = all.into_iter().any(|t| is_of_nodes(&handover.nodes, self.program, *t));
        let place = (self.return_span(operands), self.top.func);
        let judged =
            if concerned { self.judge(&mut handover, &roots, place, node.is_some()) } else { Ok(()) };
        self.handover = Some(handover);
        judged
    }

    /// Where the `return` statement stands: its value is put into a register before the scopes end.
    fn return_span(&self, operands: &[Operand]) -> Span {
        let Some(Operand::Reg(reg)) = operands.first() else { return self.span() };
        let blocks = [Some(self.top.block), self.top.from];
        for block in blocks.into_iter().flatten() {
            let insts = &self.top.body.blocks[block].insts;
            let sets =
                |kind: &InstKind| !matches!(kind, InstKind::Forget { .. }) && kind.defs().contains(reg);
            let set = insts.iter().rev().find(|inst| sets(&inst.kind));
            if let Some(inst) = set.filter(|inst| inst.span.is_known()) {
                return inst.span;
            }
        }
        self.span()
    }

    fn forget_dead(&self, handover: &mut Handover) {
        let is_live = |id: &ObjId| id.index() < self.mem.len() && self.mem.get(*id).life == Life::Live;
        handover.typed.retain(|id, _| is_live(id));
        handover.elements.retain(|(id, ..)| is_live(id));
    }

    /// Looks at all nodes and at some pointers.
    fn judge(
        &mut self,
        handover: &mut Handover,
        roots: &[(Value, NodeType)],
        place: (Span, FuncId),
        here: bool,
    ) -> Res<()> {
        self.forget_dead(handover);
        let whole = handover.typed.iter().map(|(id, node)| (*id, 0, *node));
        let mut work: Vec<Place> = whole.chain(handover.elements.iter().copied()).collect();
        let mut seen: BTreeSet<(ObjId, u64)> = work.iter().map(|(id, at, _)| (*id, *at)).collect();
        for (value, node) in roots {
            match self.is_node(handover, *value, *node) {
                Ok(Some((id, at, node))) => {
                    if seen.insert((id, at)) {
                        work.push((id, at, node));
                    }
                }
                Ok(None) => {}
                Err(Bad::Junk(what)) => {
                    return Err(fault(format!("a pointer to a node {what}"), None, place));
                }
                Err(Bad::Wrong(what, id)) => {
                    return Err(fault(format!("a pointer to a node {what}"), Some(id), place));
                }
                Err(Bad::Unclear) => return Err(unclear()),
            }
        }
        while let Some((id, base, node)) = work.pop() {
            for position in 0..handover.nodes.links_of(node).len() {
                let link = &handover.nodes.links_of(node)[position];
                let (at, to) = (base + link.offset as u64, link.to);
                let next = match self.link_at(id, at) {
                    Some(value) => self.is_node(handover, value, to),
                    None if self.made.contains_key(&id) => Ok(None),
                    None => Err(Bad::Junk("was never initialised".to_owned())),
                };
                let (what, wrong) = match next {
                    Ok(next) => {
                        work.extend(next.filter(|(next, at, _)| seen.insert((*next, *at))));
                        continue;
                    }
                    Err(Bad::Junk(what)) => (what, false),
                    Err(Bad::Wrong(what, _)) => (what, true),
                    Err(Bad::Unclear) => return Err(unclear()),
                };
                let name = &handover.nodes.types[node.0].name;
                let writer = handover.writers.get(&(id, at)).copied().filter(|(span, _)| span.is_known());
                let place = if wrong || !here { writer.unwrap_or(place) } else { place };
                let field = &handover.nodes.links_of(node)[position].field;
                let message = format!("the link `{field}` of a node `{name}` {what}");
                return Err(fault(message, Some(id), place));
            }
        }
        Ok(())
    }

    /// The pointer at an offset of an object; none if it was never written.
    fn link_at(&self, id: ObjId, at: u64) -> Option<Value> {
        if let Some(bits) = self.mem.read_plain(id, at, self.word_bytes) {
            return Some(Value::plain(bits));
        }
        if let Some((bits, prov)) = self.mem.read_slot(id, at) {
            return Some(Value { bits, prov });
        }
        let mut bits = 0u128;
        for i in (0..self.word_bytes).rev() {
            match self.mem.byte(id, at + i) {
                Byte::Plain(byte) => bits = bits << 8 | u128::from(byte),
                Byte::Uninit => return None,
                // Nothing is known of it, so nothing is wrong with it.
                Byte::Unknown | Byte::Foreign(_) => return Some(Value::plain(0)),
                // What was put together from pieces is a number to us.
                Byte::Address { .. } | Byte::Chosen(_) => return Some(Value { bits: 1, prov: Prov::Uninit }),
            }
        }
        Some(Value::plain(bits))
    }

    /// The object and its type that a pointer to a node leads to; none if it is null.
    fn is_node(
        &mut self,
        handover: &mut Handover,
        value: Value,
        node: NodeType,
    ) -> Result<Option<Place>, Bad> {
        let value = self.as_pointer(value);
        let id = match value.prov {
            Prov::Null if value.bits == 0 => return Ok(None),
            Prov::Object(id) => id,
            Prov::Uninit | Prov::Forgotten => return Err(Bad::Junk("was never initialised".to_owned())),
            _ => return Err(Bad::Junk("holds a number that is no address of a node".to_owned())),
        };
        let object = self.mem.get(id);
        let wrong = |what: &str| Err(Bad::Wrong(what.to_owned(), id));
        if object.life != Life::Live {
            return wrong(if object.life == Life::Freed {
                "leads to memory that was freed"
            } else {
                "leads to a variable whose scope is over"
            });
        }
        let offset = i128::from(value.addr().wrapping_sub(object.base) as i64);
        let inside = handover.nodes.containers(node).iter().any(|(_, at)| *at == offset);
        if self.is_element(&handover.nodes, id, offset, node) && offset != 0 {
            handover.elements.insert((id, offset as u64, node));
            return Ok(Some((id, offset as u64, node)));
        }
        if offset != 0 && !inside {
            // Nodes do not overlap; what lies beside a node in a larger block may be one.
            let size = |of: NodeType| handover.nodes.types[of.0].size;
            let overlaps = |at: i128, of: NodeType| at < offset + size(node) && offset < at + size(of);
            let first = handover.typed.get(&id).is_some_and(|of| overlaps(0, *of));
            let mut elements = handover.elements.iter().filter(|(object, ..)| *object == id);
            let meets = first || elements.any(|(_, at, of)| overlaps(i128::from(*at), *of));
            let inside = offset > 0 && offset + size(node) <= i128::from(object.size);
            if object.kind == ObjectKind::Heap && inside && !meets {
                return Err(Bad::Unclear);
            }
            return wrong("leads to a place inside or outside of a node, not to its start");
        }
        if matches!(object.kind, ObjectKind::Function(_) | ObjectKind::Library(_)) {
            return wrong("leads to something that is no node");
        }
        let info = &handover.nodes.types[node.0];
        let size = i128::from(object.size);
        match handover.typed.get(&id).copied() {
            Some(known) if handover.nodes.holds_at(known, offset, node) => Ok(Some((id, 0, known))),
            // What was known of it was a part of it.
            Some(known) if offset == 0 && handover.nodes.holds_at(node, 0, known) && info.size <= size => {
                handover.typed.insert(id, node);
                Ok(Some((id, 0, node)))
            }
            Some(known) => {
                let other = &handover.nodes.types[known.0].name;
                wrong(&format!("leads to a node of type `{other}`, not `{}`", info.name))
            }
            None if size - offset < info.size => {
                wrong(&format!("leads to {} bytes, too few for a `{}`", size - offset, info.name))
            }
            None => {
                let fits = handover.nodes.holder(size, offset, node);
                let around = handover.nodes.containers(node).into_iter();
                let larger =
                    around.filter(|(of, at)| *at == offset && handover.nodes.types[of.0].size <= size);
                let of = fits.or_else(|| larger.map(|(of, _)| of).next()).or((offset == 0).then_some(node));
                let Some(of) = of else {
                    return wrong("leads to a place inside of something that is too small for its node");
                };
                handover.typed.insert(id, of);
                Ok(Some((id, 0, of)))
            }
        }
    }

    /// True if a node lies at a place of an object by the object's type, or as one of several in a block.
    fn is_element(&self, nodes: &Nodes, id: ObjId, offset: i128, node: NodeType) -> bool {
        let object = self.mem.get(id);
        let body = |func: FuncId| self.program.functions[func].body.as_ref();
        let declared = match object.kind {
            ObjectKind::Global(global) => self.program.globals[global].ctype,
            ObjectKind::Local(func, local) => {
                body(func).and_then(|body| body.locals[local].variable.as_ref()).and_then(|v| v.ctype)
            }
            ObjectKind::Heap => {
                let (size, one) = (i128::from(object.size), nodes.types[node.0].size);
                let many = |one: i128, at: i128| one > 0 && size % one == 0 && (offset - at) % one == 0;
                let inside = offset >= 0 && offset + one <= size;
                let around = nodes.containers(node);
                return inside
                    && (many(one, 0) || around.iter().any(|(of, at)| many(nodes.types[of.0].size, *at)));
            }
            _ => None,
        };
        let Some(declared) = declared else { return false };
        lies_at(nodes, self.program, declared, offset, node)
    }
}

/// A node: its object, where it begins there, and its type.
type Place = (ObjId, u64, NodeType);

/// True if a type has a node of a type at an offset.
fn lies_at(nodes: &Nodes, program: &Program, ty: TypeId, offset: i128, node: NodeType) -> bool {
    if offset == 0 && nodes.struct_type(program, ty) == Some(node) {
        return true;
    }
    let word = program.target.pointer_bytes();
    let size = |ty: TypeId| i128::from(ctype::size_of(&program.types, ty, word).unwrap_or(0));
    match &program.types[ctype::strip(&program.types, ty)] {
        CType::Array { element, count } => {
            let one = size(*element);
            let many = count.map_or(i128::MAX, i128::from);
            offset >= 0
                && one > 0
                && offset / one < many
                && lies_at(nodes, program, *element, offset % one, node)
        }
        CType::Struct { members, .. } | CType::Union { members, .. } => members.iter().any(|member| {
            let start = i128::from(member.bit_offset / 8);
            member.bit_width.is_none()
                && offset >= start
                && offset < start + size(member.ty).max(1)
                && lies_at(nodes, program, member.ty, offset - start, node)
        }),
        _ => false,
    }
}

fn unclear() -> Box<crate::machine::Halt> {
    let what =
        "a pointer to a node that leads into a block of which it is not known what it holds".to_owned();
    crate::api::Stop::Unsupported { what }.into()
}

/// A pointer to nodes, or to a pointer to nodes.
fn is_of_nodes(nodes: &Nodes, program: &Program, ctype: TypeId) -> bool {
    nodes.pointer_to(program, ctype).is_some() || nodes.link_to(program, ctype).is_some()
}

fn fault(message: String, object: Option<ObjId>, place: (Span, FuncId)) -> Box<crate::machine::Halt> {
    let fault = Fault { place: Some(place), ..Fault::new(ErrorClass::DataStructure, message, object) };
    fault.into()
}
