//! States at the entry of a function and at loop heads.

use crate::facts::{Facts, Kept, Shape, Where};
use crate::requires::{Condition, conditions};
use crate::state::*;
use crate::{Analysis, not_null};
use heapproof_chr::syntax::Formula;
use heapproof_ir::inst::Operand;
use heapproof_ir::nodes::{Content, Link, NodeType};
use heapproof_ir::{BlockId, Body, FuncId, InstKind, LocalId, Reg, Ty};
use std::collections::{BTreeMap, BTreeSet};

impl Analysis<'_> {
    /// The frame of a function that is entered: its locals are new.
    pub(crate) fn new_frame(&mut self, state: &mut State, function: FuncId) -> Frame {
        let mut frame = Frame {
            function,
            block: Body::ENTRY,
            next: 0,
            regs: BTreeMap::new(),
            locals: BTreeMap::new(),
            results: Vec::new(),
        };
        let program = self.program;
        let Some(body) = &program.functions[function].body else { return frame };
        for (id, local) in body.locals.iter() {
            let ctype = local.variable.as_ref().and_then(|v| v.ctype);
            let place = match self.hint_of(ctype) {
                Hint::Node(node, _) => self.local_cell(state, node),
                _ => {
                    let node = ctype.and_then(|t| self.nodes.struct_type(program, t));
                    // What has a scope is not there before it starts.
                    let size = if local.scoped { 0 } else { i128::from(local.size) };
                    let memory = match node {
                        Some(_) => {
                            let address = self.fresh();
                            state.path.push(not_null(address));
                            let memory = Memory::new(Kind::Stack, size);
                            Memory { node, address: Some(address), ..memory }
                        }
                        None => Memory::new(Kind::Plain, size),
                    };
                    state.own.push(memory);
                    Place::Own(Own(state.own.len() - 1))
                }
            };
            frame.locals.insert(id, place);
        }
        frame
    }

    /// A pointer to a node whose address is taken: a new cell outside of nodes, with any content.
    fn local_cell(&mut self, state: &mut State, node: NodeType) -> Place {
        let address = self.fresh();
        let (old, new) = (state.cells[node.0], self.version());
        let junk = self.fresh();
        state.cells[node.0] = new;
        state.changed_cells.insert(node);
        let args = vec![heap(new), heap(old), address.term(), junk.term()];
        state.path.push(Formula::holds("alloc", args));
        state.path.push(not_null(address));
        state.cell_of.insert(address, CellOf::Outside(node));
        state.read.insert((new, address), junk);
        Place::Cell(address, node)
    }

    /// A state in which nothing is known but the constraint, without these links.
    fn empty_state(&mut self, open: &BTreeSet<Link>) -> State {
        let links: Vec<u32> = (0..self.nodes.links.len()).map(|_| self.version()).collect();
        let cells: Vec<u32> = (0..self.nodes.types.len()).map(|_| self.version()).collect();
        let mut path = Vec::new();
        for (index, &version) in links.iter().enumerate().filter(|(l, _)| !open.contains(&Link(*l))) {
            path.push(is_closed(&self.nodes, &cells, Link(index), version));
        }
        for (index, &version) in cells.iter().enumerate() {
            path.push(cells_closed(&self.nodes, NodeType(index), version));
        }
        let mut state = State {
            frames: Vec::new(),
            path,
            entry: None,
            junk: BTreeMap::new(),
            given: BTreeSet::new(),
            links,
            cells,
            changed_links: open.clone(),
            changed_cells: BTreeSet::new(),
            own: Vec::new(),
            valid: BTreeSet::new(),
            zero: BTreeMap::new(),
            cell_of: BTreeMap::new(),
            read: BTreeMap::new(),
            below: BTreeMap::new(),
            ranges: BTreeMap::new(),
            data: BTreeMap::new(),
            dead: BTreeSet::new(),
            freed: false,
            cells_ended: false,
            functions: BTreeMap::new(),
            steps: 0,
        };
        self.globals_in(&mut state);
        state
    }

    /// The state at the entry of the function.
    pub(crate) fn entry(&mut self, function: FuncId, body: &Body, shape: &Shape) -> State {
        let mut state = self.empty_state(&BTreeSet::new());
        state.entry = Some(state.links.clone());
        let outside = self.outside_parameters(function, body, shape, &mut state);
        let mut frame = self.new_frame(&mut state, function);
        let types = self.parameter_types(function);
        for (index, &reg) in body.params.iter().enumerate() {
            let s = shape.arguments[index];
            let hint = self.hint_of(types[index]);
            let value = match outside.get(&index) {
                Some(&own) => Value::Own(own, 0),
                None => Value::Sym(s, hint),
            };
            match hint {
                Hint::Node(node, _) => {
                    state.path.push(is_node(&self.nodes, node, s));
                    state.given.insert((node, s));
                }
                Hint::Cell(node) => {
                    let cell = state.is_cell(&self.nodes, node, s);
                    state.path.push(cell);
                }
                Hint::None | Hint::Data(..) | Hint::Area(_) => {}
            }
            if self.is_function_pointer(types[index]) {
                state.functions.insert(s, self.callback_of(function));
            }
            frame.regs.insert(reg, value);
        }
        for index in self.required_not_null(function, body) {
            state.path.push(not_null(shape.arguments[index]));
            state.zero.insert(shape.arguments[index], false);
        }
        state.frames.push(frame);
        // Nothing leads to the function's own locals yet.
        let cells: Vec<Place> = state.frames[0].locals.values().copied().collect();
        for place in cells {
            let Place::Cell(address, node) = place else { continue };
            for (link, _) in self.nodes.cell_links_to(node) {
                let unlinked = is_unlinked(state.links[link.0], address);
                state.path.push(unlinked);
            }
        }
        for own in 0..state.own.len() {
            let regs = body.params.clone();
            self.nothing_leads_to(&mut state, Own(own), &regs);
        }
        state
    }

    /// Nothing is known of the address of a local of a node type: no link holds it, and none of these variables.
    fn nothing_leads_to(&self, state: &mut State, own: Own, regs: &[Reg]) {
        let (Some(address), Some(node)) = (state.own[own.0].address, state.own[own.0].node) else { return };
        for (node, address) in self.with_parts(node, address) {
            for (link, at) in self.cells_inside(node, address) {
                let unlinked = is_unlinked(state.links[link.0], at);
                state.path.push(unlinked);
            }
            for place in self.holders(node) {
                let unlinked = is_unlinked(place.version(state), address);
                state.path.push(unlinked);
            }
            for reg in regs {
                if let Some(Value::Sym(s, Hint::Node(of, 0))) = state.frames[0].regs.get(reg)
                    && *of == node
                {
                    let apart = differs(*s, address);
                    state.path.push(apart);
                }
            }
        }
    }

    /// A node and the nodes inside of it.
    pub(crate) fn with_parts(&self, node: NodeType, address: Sym) -> Vec<(NodeType, Sym)> {
        let parts = self.nodes.types[node.0].parts.iter();
        std::iter::once((node, address)).chain(parts.map(|p| (p.node, address.plus(p.offset)))).collect()
    }

    /// All heaps whose cells may hold the address of a node of this type.
    pub(crate) fn holders(&self, node: NodeType) -> Vec<Where> {
        let links = self.nodes.links_to(node).map(|(link, _)| Where::Link(link));
        links.chain([Where::Cells(node)]).collect()
    }

    /// Links to cells, and the addresses of links of a node to which they may lead.
    pub(crate) fn cells_inside(&self, node: NodeType, address: Sym) -> Vec<(Link, Sym)> {
        let own = self.nodes.links.iter().filter(|link| link.of == node && !link.cell);
        own.flat_map(|own| {
            let at = address.plus(own.offset);
            self.nodes.cell_links_to(own.to).map(move |(link, _)| (link, at))
        })
        .collect()
    }

    fn conditions(&self, function: FuncId) -> Vec<Condition> {
        let text = self.environment.requires.get(&self.program.functions[function].name);
        text.into_iter().flatten().flat_map(|t| conditions(t)).collect()
    }

    fn required_not_null(&self, function: FuncId, body: &Body) -> Vec<usize> {
        let names = parameter_names(body);
        let wanted = self.conditions(function);
        let assumed = self.assumed.get(&function).cloned().unwrap_or_default();
        (0..names.len())
            .filter(|i| {
                assumed.contains(i)
                    || names[*i].as_ref().is_some_and(|n| wanted.contains(&Condition::NotNull(n.clone())))
            })
            .collect()
    }

    /// How many bytes `outside(name, count)` promises.
    pub(crate) fn outside_size(&self, function: FuncId, body: &Body, name: &str, count: u64) -> Option<i128> {
        let names = parameter_names(body);
        let index = names.iter().position(|n| n.as_deref() == Some(name))?;
        let of = self.parameter_types(function)[index];
        let element = of.and_then(|t| heapproof_ir::ctype::pointee(&self.program.types, t))?;
        let bytes = self.program.target.pointer_bytes();
        let size = heapproof_ir::ctype::size_of(&self.program.types, element, bytes)?;
        Some(i128::from(size) * i128::from(count))
    }

    /// Parameters that point to memory outside of nodes, each with a piece of own memory.
    fn outside_parameters(
        &mut self,
        function: FuncId,
        body: &Body,
        shape: &Shape,
        state: &mut State,
    ) -> BTreeMap<usize, Own> {
        let names = parameter_names(body);
        let place = |name: &str| names.iter().position(|n| n.as_deref() == Some(name));
        let mut found = BTreeMap::new();
        for (argument, reg) in shape.arguments.iter().zip(&body.params) {
            if let Ty::Int(width) = body.regs[*reg].ty {
                state.below.insert(*argument, Below { of: *argument, less: false, width });
            }
        }
        for condition in self.conditions(function) {
            let (name, count) = match &condition {
                Condition::Outside(name, count) => (name, *count),
                Condition::OutsideMany(name, _) => (name, 1),
                Condition::NotNull(_) => continue,
            };
            let Some(index) = place(name) else { continue };
            // A pointer to nodes outside of nodes is one of the cells, which others may see as well.
            if matches!(self.hint_of(self.parameter_types(function)[index]), Hint::Cell(_)) {
                continue;
            }
            let Some(size) = self.outside_size(function, body, name, count) else { continue };
            state.own.push(Memory::new(Kind::Outside, size));
            let mut own = Own(state.own.len() - 1);
            if let Condition::OutsideMany(_, many) = &condition {
                let many = place(many).filter(|&i| self.is_unsigned(function, i));
                let elements = many.map(|many| (own, shape.arguments[many], size));
                state.own.push(Memory { elements, ..Memory::new(Kind::Outside, 0) });
                own = Own(state.own.len() - 1);
            }
            found.insert(index, own);
        }
        found
    }

    fn is_unsigned(&self, function: FuncId, parameter: usize) -> bool {
        let of = self.parameter_types(function)[parameter];
        let of = of.map(|t| &self.program.types[heapproof_ir::ctype::strip(&self.program.types, t)]);
        matches!(of, Some(heapproof_ir::CType::Int { signed: false, .. }))
    }

    /// The state at a loop head: the constraint and the facts.
    pub(crate) fn head_state(
        &mut self,
        function: FuncId,
        body: &Body,
        shape: &Shape,
        head: BlockId,
        facts: &Facts,
    ) -> State {
        let open: BTreeSet<Link> = facts.open.keys().copied().collect();
        let mut state = self.empty_state(&open);
        self.outside_parameters(function, body, shape, &mut state);
        let mut frame = self.new_frame(&mut state, function);
        for (local, place) in &frame.locals {
            if let Place::Own(own) = place
                && !facts.ended.contains(local)
            {
                state.own[own.0].size = i128::from(body.locals[*local].size);
            }
        }
        self.cells_at_head(&mut state, &frame, &open);
        for &argument in &facts.argument {
            state.path.push(not_null(shape.arguments[argument]));
            state.zero.insert(shape.arguments[argument], false);
        }
        for &reg in &shape.live[&head] {
            let value = self.variable_at_head(&mut state, body, shape, facts, reg);
            frame.regs.insert(reg, value);
        }
        frame.block = head;
        state.frames.push(frame);
        self.stack_at_head(&mut state, shape, head, facts);
        for (link, regs) in &facts.open {
            let first = regs.first().and_then(|reg| state.frames[0].regs.get(reg));
            let place = match first {
                Some(Value::Sym(s, _)) => Some(vec![*s]),
                _ => None,
            };
            state.junk.insert(*link, place);
            for reg in regs {
                if let Some(Value::Sym(s, _)) = state.frames[0].regs.get(reg) {
                    let closed = is_closed_but(&self.nodes, &state.cells, *link, state.links[link.0], *s);
                    state.path.push(closed);
                }
            }
        }
        for (a, b) in &facts.differ {
            let regs = &state.frames[0].regs;
            if let (Some(Value::Sym(a, _)), Some(Value::Sym(b, _))) = (regs.get(a), regs.get(b)) {
                let apart = differs(*a, *b);
                state.path.push(apart);
            }
        }
        for (a, b) in &facts.either {
            let regs = &state.frames[0].regs;
            if let (Some(Value::Sym(a, _)), Some(Value::Sym(b, _))) = (regs.get(a), regs.get(b)) {
                let one = Formula::Or(vec![not_null(*a), not_null(*b)]);
                state.path.push(one);
            }
        }
        for (link, from, to) in &facts.reach {
            let regs = &state.frames[0].regs;
            if let (Some(Value::Sym(a, _)), Some(Value::Sym(b, _))) = (regs.get(from), regs.get(to)) {
                let reached = is_reached(&self.nodes, *link, state.links[link.0], *a, *b);
                state.path.push(reached);
            }
        }
        state
    }

    /// The function's own cells hold nodes at a loop head like all others.
    fn cells_at_head(&mut self, state: &mut State, frame: &Frame, open: &BTreeSet<Link>) {
        for node in (0..self.nodes.types.len()).map(NodeType) {
            if !state.changed_cells.remove(&node) {
                continue;
            }
            let new = self.version();
            state.cells[node.0] = new;
            state.path.push(cells_closed(&self.nodes, node, new));
            state.path.extend(cells_outside(&self.nodes, node, new));
            let globals = state.cell_of.iter().filter(|(_, of)| **of == CellOf::Outside(node));
            let own: Vec<Sym> = frame.locals.values().filter_map(Place::cell).collect();
            let mut known: Vec<Sym> = globals.map(|(s, _)| *s).filter(|s| !own.contains(s)).collect();
            state.path.extend(known.iter().map(|s| Formula::holds("dom", vec![heap(new), s.term()])));
            for place in frame.locals.values() {
                if let Place::Cell(address, of) = place
                    && *of == node
                {
                    state.path.push(Formula::holds("dom", vec![heap(new), address.term()]));
                    // Variables lie apart.
                    state.path.extend(known.iter().map(|other| differs(*address, *other)));
                    known.push(*address);
                }
            }
            self.cell_links_closed(state, node, open);
        }
    }

    fn variable_at_head(
        &mut self,
        state: &mut State,
        body: &Body,
        shape: &Shape,
        facts: &Facts,
        reg: Reg,
    ) -> Value {
        if let Some(kept) = facts.kept.get(&reg) {
            return Value::Own(self.kept_block(state, kept), 0);
        }
        if let Some(&(own, offset)) = facts.plain.get(&reg) {
            return Value::Own(own, offset);
        }
        let hint = self.variable_hint(body, reg);
        let s = self.fresh();
        if let Some((_, argument)) = facts.below.iter().find(|(of, _)| *of == reg)
            && let Ty::Int(width) = body.regs[reg].ty
        {
            state.below.insert(s, Below { of: shape.arguments[*argument], less: false, width });
        }
        if let Some(&range) = facts.ranges.get(&reg) {
            state.ranges.insert(s, range);
        }
        if let Some(&given) = facts.functions.get(&reg) {
            state.functions.insert(s, given);
        }
        match hint {
            Hint::Node(node, _) => {
                state.path.push(is_node(&self.nodes, node, s));
                state.given.insert((node, s));
                if facts.not_null.contains(&reg) {
                    state.path.push(not_null(s));
                    state.zero.insert(s, false);
                }
                for &(argument, of) in &facts.if_argument {
                    if of == reg {
                        let none = equal(shape.arguments[argument], Sym::ZERO);
                        state.path.push(Formula::Or(vec![none, not_null(s)]));
                    }
                }
            }
            Hint::Cell(node) => {
                let cell = state.is_cell(&self.nodes, node, s);
                state.path.push(cell);
            }
            Hint::None | Hint::Data(..) | Hint::Area(_) => {}
        }
        Value::Sym(s, hint)
    }

    /// Locals of node types, and what is known to be apart from locals.
    fn stack_at_head(&mut self, state: &mut State, shape: &Shape, head: BlockId, facts: &Facts) {
        let locals: Vec<(LocalId, Place)> = state.frames[0].locals.iter().map(|(l, p)| (*l, *p)).collect();
        for (local, place) in locals {
            let address = match place {
                Place::Cell(address, _) => {
                    for (_, place) in facts.unlinked.iter().filter(|(l, _)| *l == local) {
                        let unlinked = is_unlinked(place.version(state), address);
                        state.path.push(unlinked);
                    }
                    address
                }
                Place::Own(own) => {
                    let memory = &mut state.own[own.0];
                    let (Some(address), Some(node)) = (memory.address, memory.node) else { continue };
                    if facts.private.contains(&local) {
                        self.nothing_leads_to(state, own, &shape.live[&head]);
                        continue;
                    }
                    memory.became = Some(address);
                    state.path.push(is_valid(&self.nodes, node, address));
                    state.valid.insert((node, address));
                    state.zero.insert(address, false);
                    for (_, place) in facts.unlinked.iter().filter(|(l, _)| *l == local) {
                        let unlinked = is_unlinked(place.version(state), address);
                        state.path.push(unlinked);
                    }
                    for (_, link, reg) in facts.unlinked_but.iter().filter(|(l, ..)| *l == local) {
                        if let Some(Value::Sym(s, _)) = state.frames[0].regs.get(reg) {
                            let unlinked = is_unlinked_but(state.links[link.0], address, *s);
                            state.path.push(unlinked);
                        }
                    }
                    address
                }
            };
            for (_, reg) in facts.not_local.iter().filter(|(l, _)| *l == local) {
                if let Some(Value::Sym(s, _)) = state.frames[0].regs.get(reg) {
                    let apart = differs(*s, address);
                    state.path.push(apart);
                }
            }
        }
    }

    fn kept_block(&mut self, state: &mut State, kept: &Kept) -> Own {
        let mut memory = Memory { node: kept.node, ..Memory::new(Kind::Block, kept.size) };
        let pointer = i128::from(self.program.target.pointer_bytes());
        if let Some(node) = kept.node {
            for field in &self.nodes.types[node.0].fields.clone() {
                if let Content::Link(link) = field.content
                    && kept.good.contains(&field.offset)
                {
                    let s = self.fresh();
                    let good = state.is_linkable(&self.nodes, link, s);
                    state.path.push(good);
                    let hint = self.link_hint(link);
                    memory.content.insert(field.offset, (pointer, Value::Sym(s, hint)));
                }
            }
        }
        state.own.push(memory);
        Own(state.own.len() - 1)
    }

    pub(crate) fn variable_hint(&self, body: &Body, reg: Reg) -> Hint {
        body.regs[reg].variable.as_ref().map_or(Hint::None, |v| self.hint_of(v.ctype))
    }
}

/// The C names of the parameters.
pub(crate) fn parameter_names(body: &Body) -> Vec<Option<String>> {
    // A parameter's register is copied into the register or local of its variable at the entry.
    let mut names = vec![None; body.params.len()];
    for inst in &body.blocks[Body::ENTRY].insts {
        let (from, name) = match &inst.kind {
            InstKind::Copy { dst, src: Operand::Reg(reg) } => {
                (*reg, body.regs[*dst].variable.as_ref().map(|v| v.name.clone()))
            }
            InstKind::Store { value: Operand::Reg(reg), ptr: Operand::Local(local), .. } => {
                (*reg, body.locals[*local].variable.as_ref().map(|v| v.name.clone()))
            }
            _ => continue,
        };
        if let Some(index) = body.params.iter().position(|&p| p == from) {
            let slot: &mut Option<String> = &mut names[index];
            if slot.is_none() {
                *slot = name;
            }
        }
    }
    for (index, reg) in body.params.iter().enumerate() {
        if names[index].is_none() {
            names[index] = body.regs[*reg].variable.as_ref().map(|v| v.name.clone());
        }
    }
    names
}
