//! New nodes and the end of nodes: blocks and locals that become known to everybody, scopes that are over, what is freed.

use crate::state::*;
use crate::{Analysis, Stop, Why};
use heapproof_chr::syntax::Formula;
use heapproof_ir::Span;
use heapproof_ir::nodes::{Content, Link, NodeType};

impl Analysis<'_> {
    /// Makes a value known to everybody: a block whose address it is becomes a node, with all that it points to.
    pub(crate) fn publish(&mut self, state: &mut State, value: &Value, span: Span) -> Result<Sym, Stop> {
        let (own, offset) = match value {
            Value::Sym(s, _) => return Ok(*s),
            Value::Bool(_) => return Ok(self.fresh()),
            Value::Own(own, offset) => (*own, *offset),
        };
        if let Some(s) = state.own[own.0].became {
            return Ok(s.plus(offset));
        }
        if matches!(state.own[own.0].kind, Kind::Plain | Kind::Outside) || state.own[own.0].sealed {
            return Err(Stop::new(
                Why::Unsupported("the address of a local that is stored or passed on"),
                span,
            ));
        }
        let Some(node) = state.own[own.0].node else {
            return Err(Stop::new(Why::Unsupported("a new block whose type is not known"), span));
        };
        if state.own[own.0].size < self.nodes.types[node.0].size && !fault!(9) {
            return Err(Stop::new(Why::TooSmall, span));
        }
        if !self.nodes.types[node.0].hazy.is_empty() {
            return Err(Stop::new(
                Why::Unsupported("a new node with a flexible or long array of links"),
                span,
            ));
        }
        if !fault!(59) {
            self.slots_are_set(state, own, node, span)?;
        }
        let address = match state.own[own.0].address {
            Some(address) => address,
            None => {
                let address = self.fresh();
                for (part, at) in self.with_parts(node, address) {
                    self.is_new(state, part, at);
                }
                address
            }
        };
        state.own[own.0].became = Some(address);
        state.path.push(is_valid(&self.nodes, node, address));
        state.valid.extend(self.with_parts(node, address));
        state.zero.insert(address, false);
        self.publish_slots(state, own, node, address, span)?;
        for field in self.nodes.types[node.0].fields.clone() {
            let memory = &state.own[own.0];
            let junk = !memory.zeroed && !memory.content.contains_key(&field.offset);
            let content = self.read_own(state, own, field.offset, field.size, span)?;
            match field.content {
                Content::Link(link) => {
                    let address = address.plus(field.offset - self.nodes.links[link.0].offset);
                    if junk && let Some(places) = state.junk.entry(link).or_insert_with(|| Some(Vec::new())) {
                        places.push(address);
                    }
                    if let (Value::Own(inner, 0), false) = (&content, self.nodes.links[link.0].cell) {
                        state.own[inner.0].node.get_or_insert(self.nodes.links[link.0].to);
                    }
                    let content = self.publish(state, &content, span)?;
                    let content = if junk && fault!(10) { Sym::ZERO } else { content };
                    self.update(state, link, address, content);
                }
                Content::Data => {
                    // Data may hold the address of another block.
                    let content = match content {
                        Value::Own(..) => Value::Sym(self.publish(state, &content, span)?, Hint::None),
                        content => content,
                    };
                    let (part, at) = self.data_place(node, field.offset);
                    self.keeps_functions(state, (part, at, field.size), &content, span)?;
                    let of = address.plus(field.offset - at);
                    state.data.insert((part, at, field.size, of), content);
                }
                // These were there before.
                Content::Slot(_) => {}
            }
        }
        // Other memory may still name the block: registers and contents are looked up through `became`.
        Ok(address.plus(offset))
    }

    /// Each of many links of a new node holds something.
    fn slots_are_set(&self, state: &State, own: Own, node: NodeType, span: Span) -> Result<(), Stop> {
        let memory = &state.own[own.0];
        let word = i128::from(self.program.target.pointer_bytes());
        for slots in &self.nodes.types[node.0].slots {
            let set = |index: i128| memory.content.contains_key(&(slots.offset + index * word));
            if !memory.zeroed && !(0..slots.count).all(set) {
                return Err(Stop::new(
                    Why::Unsupported("a new node with an array of links that is not set"),
                    span,
                ));
            }
        }
        Ok(())
    }

    /// Many links of a new node that hold something else than null.
    fn publish_slots(
        &mut self,
        state: &mut State,
        own: Own,
        node: NodeType,
        address: Sym,
        span: Span,
    ) -> Result<(), Stop> {
        let word = i128::from(self.program.target.pointer_bytes());
        for slots in self.nodes.types[node.0].slots.clone() {
            let end = slots.offset + slots.count * word;
            let content = state.own[own.0].content.range(slots.offset..end);
            for (at, (size, value)) in content.map(|(at, held)| (*at, held.clone())).collect::<Vec<_>>() {
                if size != word || (at - slots.offset) % word != 0 {
                    return Err(Stop::new(Why::Outside, span));
                }
                self.outside_cell(state, slots.to, address.plus(at));
                self.store_cell(state, slots.to, address.plus(at), &value, span)?;
            }
        }
        Ok(())
    }

    /// A block from the heap is nowhere known before it becomes a node. Junk may be any number, so nothing is said of it.
    fn is_new(&mut self, state: &mut State, node: NodeType, address: Sym) {
        for other in state.own.iter().filter_map(|m| m.address) {
            state.path.push(differs(address, other));
        }
        let known = state.given.iter().chain(&state.valid).filter(|(of, _)| *of == node);
        state.path.extend(known.map(|(_, s)| differs(address, *s)));
        if !self.rich {
            return;
        }
        let nodes = self.nodes.clone();
        let cells = state.cells[node.0];
        if !state.changed_cells.contains(&node) || self.holds(state, &cells_closed(&nodes, node, cells)) {
            state.path.push(is_unlinked(cells, address));
        }
        for (link, _) in nodes.links_to(node) {
            let version = state.links[link.0];
            // A link that holds null or nodes does not hold what is no node yet.
            let closed = fault!(12)
                || !state.changed_links.contains(&link)
                || self.holds(state, &is_closed(&nodes, &state.cells, link, version));
            if closed {
                state.path.push(is_unlinked(version, address));
                continue;
            }
            let Some(Some(places)) = state.junk.get(&link) else { continue };
            let &[place] = &places[..] else { continue };
            if self.holds(state, &is_closed_but(&nodes, &state.cells, link, version, place)) {
                state.path.push(is_unlinked_but(version, address, place));
            }
        }
    }

    /// `s` is a node, and none on the stack whose scope is over.
    pub(crate) fn valid_now(&self, state: &State, node: NodeType, s: Sym) -> Formula {
        self.not_dead(state, node, s, is_valid(&self.nodes, node, s))
    }

    /// `s` is null or a node, and none on the stack whose scope is over.
    pub(crate) fn node_now(&self, state: &State, node: NodeType, s: Sym) -> Formula {
        self.not_dead(state, node, s, is_node(&self.nodes, node, s))
    }

    fn not_dead(&self, state: &State, node: NodeType, s: Sym, formula: Formula) -> Formula {
        if state.dead.is_empty() || fault!(18) {
            return formula;
        }
        let dead = state.dead.iter().filter(|(of, _)| *of == node).map(|(_, a)| differs(s, *a));
        Formula::And(std::iter::once(formula).chain(dead).collect())
    }

    /// A local's scope ends. If it has become a node, nothing may lead to it any more.
    pub(crate) fn end_local(&mut self, state: &mut State, own: Own, span: Span) -> Result<(), Stop> {
        let memory = &mut state.own[own.0];
        memory.content.clear();
        memory.zeroed = false;
        memory.size = 0;
        let (Some(address), Some(node)) = (memory.became, memory.node) else { return Ok(()) };
        let slots = self.nodes.types[node.0].slots.iter();
        if slots.into_iter().any(|slots| self.nodes.cell_links_to(slots.to).next().is_some()) {
            return Err(Stop::new(Why::LinkedLocal, span));
        }
        for (node, address) in self.with_parts(node, address) {
            for (link, at) in self.cells_inside(node, address) {
                self.cell_is_unlinked(state, link, at, span)?;
            }
            for place in self.holders(node) {
                let unlinked = is_unlinked(place.version(state), address);
                if !self.obligation(state, &unlinked) && !fault!(49) {
                    return Err(Stop::new(Why::LinkedLocal, span));
                }
                state.path.push(unlinked);
            }
        }
        self.ends(state, node, address);
        Ok(())
    }

    /// No link to cells holds this address.
    fn cell_is_unlinked(&mut self, state: &mut State, link: Link, at: Sym, span: Span) -> Result<(), Stop> {
        let unlinked = is_unlinked(state.links[link.0], at);
        if !self.obligation(state, &unlinked) && !fault!(64) {
            return Err(Stop::new(Why::LinkedLocal, span));
        }
        state.path.push(unlinked);
        Ok(())
    }

    /// The scope of a pointer to nodes whose address was taken is over: no node may hold it.
    pub(crate) fn end_cell(
        &mut self,
        state: &mut State,
        address: Sym,
        node: NodeType,
        span: Span,
    ) -> Result<(), Stop> {
        let nodes = self.nodes.clone();
        for (link, _) in nodes.cell_links_to(node) {
            self.cell_is_unlinked(state, link, address, span)?;
        }
        Ok(())
    }

    /// A node is there no longer, and what is inside of it.
    pub(crate) fn ends(&self, state: &mut State, node: NodeType, address: Sym) {
        for (node, address) in self.with_parts(node, address) {
            // Other names of the same address are valid no longer either.
            state.valid.retain(|(of, s)| *of != node || (fault!(13) && *s != address));
            state.dead.insert((node, address));
        }
        // Its slots are cells of which nobody knows whose they are.
        state.cells_ended |= !self.nodes.types[node.0].slots.is_empty();
    }
}
