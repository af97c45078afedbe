//! Loads and stores: nodes by their field heaps, cells outside of nodes, and memory of the function itself.

use crate::exec::Next;
use crate::state::*;
use crate::{Analysis, Stop, Why};
use heapproof_chr::syntax::Formula;
use heapproof_ir::inst::Operand;
use heapproof_ir::nodes::{Content, Link, NodeType};
use heapproof_ir::{Reg, Span, Ty};

impl Analysis<'_> {
    /// Requires that the start of the node is valid.
    pub(crate) fn need_valid(
        &mut self,
        state: &mut State,
        node: NodeType,
        base: Sym,
        span: Span,
    ) -> Result<(), Stop> {
        if state.valid.contains(&(node, base)) {
            return Ok(());
        }
        let valid = self.valid_now(state, node, base);
        if !self.obligation(state, &valid) {
            let null = base.var.is_none() || !self.holds(state, &differs(base, Sym::ZERO));
            return Err(Stop::new(if null { Why::MayBeNull } else { Why::NoNode }, span));
        }
        state.path.push(valid);
        state.valid.insert((node, base));
        Ok(())
    }

    pub(crate) fn load(
        &mut self,
        state: &mut State,
        dst: Reg,
        ty: Ty,
        ptr: &Operand,
        span: Span,
    ) -> Result<Next, Stop> {
        let size = self.width(ty);
        let pointer = self.eval(state, ptr)?;
        let value = match pointer {
            Value::Own(own, at) => self.read_own(state, own, at, size, span)?,
            Value::Sym(s, Hint::Node(node, delta)) => {
                let Some(content) = self.nodes.access(node, delta, size) else {
                    return Err(Stop::new(Why::Outside, span));
                };
                let base = s.plus(-delta);
                self.need_valid(state, node, base, span)?;
                match content {
                    Content::Data => {
                        let value = self.read_data(state, (node, delta, size, base));
                        self.read_function(state, (node, delta, size), &value);
                        value
                    }
                    Content::Link(link) => self.read_link(state, link, base),
                }
            }
            Value::Sym(s, Hint::Cell(node)) if ty == Ty::Ptr => match state.cell_of.get(&s).copied() {
                None => return self.split_cell(state, node, s, span),
                Some(CellOf::Link(link)) => {
                    let base = self.linked_node(state, link, s, span)?;
                    self.read_link(state, link, base)
                }
                Some(CellOf::Outside(_)) => {
                    self.cells_usable(state, span)?;
                    let version = state.cells[node.0];
                    let value = self.read_heap(state, version, s);
                    Value::Sym(value, Hint::Node(node, 0))
                }
            },
            Value::Sym(_, Hint::Data(global, at)) => {
                self.data_access(global, at, size, false, span)?;
                Value::Sym(self.fresh(), Hint::None)
            }
            _ => return Err(Stop::new(Why::Wild, span)),
        };
        self.set(state, dst, value);
        Ok(Next::On)
    }

    /// The node whose link this address is. It may be one on the stack whose scope is over by now.
    fn linked_node(&mut self, state: &mut State, link: Link, at: Sym, span: Span) -> Result<Sym, Stop> {
        let info = &self.nodes.links[link.0];
        let (of, base) = (info.of, at.plus(-info.offset));
        self.need_valid(state, of, base, span)?;
        Ok(base)
    }

    /// Data of a node: the same as long as nothing is written there.
    fn read_data(&mut self, state: &mut State, place: (NodeType, i128, i128, Sym)) -> Value {
        if let Some(value) = state.data.get(&place) {
            return value.clone();
        }
        let value = Value::Sym(self.fresh(), Hint::None);
        state.data.insert(place, value.clone());
        value
    }

    /// Data of a node is written: what is known of it in other nodes, which may be the same one, is forgotten.
    fn write_data(&mut self, state: &mut State, place: (NodeType, i128, i128, Sym), value: Value) {
        let (node, at, size, _) = place;
        state.data.retain(|(n, o, s, _), _| fault!(16) || *n != node || *o >= at + size || at >= *o + *s);
        state.data.insert(place, value);
    }

    pub(crate) fn read_link(&mut self, state: &mut State, link: Link, base: Sym) -> Value {
        let value = self.read_heap(state, state.links[link.0], base);
        Value::Sym(value, Hint::Node(self.nodes.links[link.0].to, 0))
    }

    pub(crate) fn read_heap(&mut self, state: &mut State, version: u32, at: Sym) -> Sym {
        if let Some(&value) = state.read.get(&(version, at)) {
            return value;
        }
        let value = self.fresh();
        state.path.push(Formula::holds("in", vec![heap(version), at.term(), value.term()]));
        state.read.insert((version, at), value);
        value
    }

    pub(crate) fn read_own(
        &mut self,
        state: &mut State,
        own: Own,
        at: i128,
        size: i128,
        span: Span,
    ) -> Result<Value, Stop> {
        let memory = &state.own[own.0];
        if at < 0 || at + size > memory.size || size == 0 {
            return Err(Stop::new(Why::Outside, span));
        }
        if let Some((stored, value)) = memory.content.get(&at)
            && *stored == size
        {
            return Ok(match value {
                Value::Own(inner, offset) => state.own_value(*inner, *offset),
                value => value.clone(),
            });
        }
        if memory.kind == Kind::Outside {
            return Ok(Value::Sym(self.fresh(), Hint::None));
        }
        let overlaps = memory.content.iter().any(|(&o, (s, _))| o < at + size && at < o + s);
        let value = if memory.zeroed && !overlaps {
            Value::Sym(Sym::ZERO, Hint::None)
        } else {
            Value::Sym(self.fresh(), Hint::None)
        };
        if !overlaps {
            state.own[own.0].content.insert(at, (size, value.clone()));
        }
        Ok(value)
    }

    /// One state for each heap that the cell may belong to.
    pub(crate) fn split_cell(
        &mut self,
        state: &mut State,
        node: NodeType,
        s: Sym,
        span: Span,
    ) -> Result<Next, Stop> {
        let somewhere = state.is_cell(&self.nodes, node, s);
        if !self.obligation(state, &somewhere) {
            return Err(Stop::new(Why::NoCell, span));
        }
        let mut states = Vec::new();
        let mut outside = state.clone();
        outside.path.push(Formula::holds("dom", vec![heap(state.cells[node.0]), s.term()]));
        outside.cell_of.insert(s, CellOf::Outside(node));
        states.push(outside);
        for (index, link) in self.nodes.links.iter().enumerate().filter(|(_, l)| l.to == node) {
            let base = s.plus(-link.offset);
            let mut inside = state.clone();
            inside.path.push(is_valid(&self.nodes, link.of, base));
            if state.dead.is_empty() {
                inside.valid.insert((link.of, base));
            }
            inside.cell_of.insert(s, CellOf::Link(Link(index)));
            states.push(inside);
        }
        // Cells whose place is known already, such as the address of a local, need only one of these.
        let mut possible = Vec::new();
        for other in states {
            if self.feasible(&other) {
                possible.push(other);
            }
        }
        Ok(Next::Again(possible))
    }

    pub(crate) fn store(
        &mut self,
        state: &mut State,
        ty: Ty,
        value: &Operand,
        ptr: &Operand,
        span: Span,
    ) -> Result<Next, Stop> {
        let size = self.width(ty);
        let pointer = self.eval(state, ptr)?;
        let value = self.eval(state, value)?;
        match pointer {
            Value::Own(own, at) => {
                if at < 0 || at + size > state.own[own.0].size || size == 0 {
                    return Err(Stop::new(Why::Outside, span));
                }
                if state.own[own.0].sealed {
                    return Err(Stop::new(Why::Unsupported("a write to a constant"), span));
                }
                if state.own[own.0].kind == Kind::Outside {
                    self.publish(state, &value, span)?;
                    return Ok(Next::On);
                }
                let memory = &mut state.own[own.0];
                let overlapping: Vec<i128> = memory
                    .content
                    .iter()
                    .filter(|&(&o, (s, _))| o < at + size && at < o + s)
                    .map(|(&o, _)| o)
                    .collect();
                for offset in overlapping {
                    if (offset != at || memory.content[&offset].0 != size) && !fault!(17) {
                        // Bytes of a value that was overwritten in part are not known any more.
                        memory.zeroed = false;
                    }
                    memory.content.remove(&offset);
                }
                memory.content.insert(at, (size, value));
            }
            Value::Sym(s, Hint::Node(node, delta)) => {
                let Some(content) = self.nodes.access(node, delta, size) else {
                    return Err(Stop::new(Why::Outside, span));
                };
                let base = s.plus(-delta);
                self.need_valid(state, node, base, span)?;
                match content {
                    Content::Data => {
                        // An address of own memory in data would be out of sight.
                        let value = match value {
                            Value::Own(..) => Value::Sym(self.publish(state, &value, span)?, Hint::None),
                            value => value,
                        };
                        self.keeps_functions(state, (node, delta, size), &value, span)?;
                        self.write_data(state, (node, delta, size, base), value);
                    }
                    Content::Link(link) => self.write_link(state, link, base, &value, span)?,
                }
            }
            Value::Sym(s, Hint::Cell(node)) if ty == Ty::Ptr => match state.cell_of.get(&s).copied() {
                None => return self.split_cell(state, node, s, span),
                Some(CellOf::Link(link)) => {
                    let base = self.linked_node(state, link, s, span)?;
                    self.write_link(state, link, base, &value, span)?;
                }
                Some(CellOf::Outside(_)) => {
                    self.cells_usable(state, span)?;
                    let value = self.publish(state, &value, span)?;
                    self.write_cell(state, node, s, value);
                }
            },
            Value::Sym(_, Hint::Data(global, at)) => {
                self.data_access(global, at, size, true, span)?;
                self.publish(state, &value, span)?;
            }
            _ => return Err(Stop::new(Why::Wild, span)),
        }
        Ok(Next::On)
    }

    pub(crate) fn cells_usable(&self, state: &State, span: Span) -> Result<(), Stop> {
        if state.cells_ended && !fault!(48) {
            return Err(Stop::new(Why::Unsupported("a pointer to a variable whose scope may be over"), span));
        }
        Ok(())
    }

    pub(crate) fn write_cell(&mut self, state: &mut State, node: NodeType, at: Sym, value: Sym) {
        let old = state.cells[node.0];
        let new = self.version();
        state.cells[node.0] = new;
        state.changed_cells.insert(node);
        state.path.push(Formula::holds("assign", vec![heap(new), heap(old), at.term(), value.term()]));
        state.read.insert((new, at), value);
    }

    pub(crate) fn write_link(
        &mut self,
        state: &mut State,
        link: Link,
        base: Sym,
        value: &Value,
        span: Span,
    ) -> Result<(), Stop> {
        if let Value::Own(own, 0) = value {
            state.own[own.0].node.get_or_insert(self.nodes.links[link.0].to);
        }
        let value = self.publish(state, value, span)?;
        self.touched.insert(link);
        self.update(state, link, base, value);
        Ok(())
    }

    pub(crate) fn update(&mut self, state: &mut State, link: Link, base: Sym, value: Sym) {
        let old = state.links[link.0];
        let new = self.version();
        state.links[link.0] = new;
        if !fault!(11) {
            state.changed_links.insert(link);
        }
        state.path.push(Formula::holds("assign", vec![heap(new), heap(old), base.term(), value.term()]));
        state.read.insert((new, base), value);
    }

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
            return Err(Stop::new(Why::Unsupported("a new node with links in unions or long arrays"), span));
        }
        let address = match state.own[own.0].address {
            Some(address) => address,
            None => {
                let address = self.fresh();
                self.is_new(state, node, address);
                address
            }
        };
        state.own[own.0].became = Some(address);
        state.path.push(is_valid(&self.nodes, node, address));
        state.valid.insert((node, address));
        state.zero.insert(address, false);
        for field in self.nodes.types[node.0].fields.clone() {
            let memory = &state.own[own.0];
            let junk = !memory.zeroed && !memory.content.contains_key(&field.offset);
            let content = self.read_own(state, own, field.offset, field.size, span)?;
            match field.content {
                Content::Link(link) => {
                    if junk && let Some(places) = state.junk.entry(link).or_insert_with(|| Some(Vec::new())) {
                        places.push(address);
                    }
                    if let Value::Own(inner, 0) = content {
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
                    self.keeps_functions(state, (node, field.offset, field.size), &content, span)?;
                    state.data.insert((node, field.offset, field.size, address), content);
                }
            }
        }
        // Other memory may still name the block: registers and contents are looked up through `became`.
        Ok(address.plus(offset))
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
        for index in (0..nodes.links.len()).filter(|&l| nodes.links[l].to == node) {
            let link = Link(index);
            let version = state.links[index];
            // A link that holds null or nodes does not hold what is no node yet.
            let closed = fault!(12)
                || !state.changed_links.contains(&link)
                || self.holds(state, &is_closed(&nodes, link, version));
            if closed {
                state.path.push(is_unlinked(version, address));
                continue;
            }
            let Some(Some(places)) = state.junk.get(&link) else { continue };
            let &[place] = &places[..] else { continue };
            if self.holds(state, &is_closed_but(&nodes, link, version, place)) {
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
        let links = (0..state.links.len()).filter(|&l| self.nodes.links[l].to == node);
        let heaps = links.map(|l| state.links[l]).chain([state.cells[node.0]]);
        for version in heaps.collect::<Vec<u32>>() {
            let unlinked = is_unlinked(version, address);
            if !self.obligation(state, &unlinked) && !fault!(49) {
                return Err(Stop::new(Why::LinkedLocal, span));
            }
            state.path.push(unlinked);
        }
        // Other names of the same address are valid no longer either.
        state.valid.retain(|(of, s)| *of != node || (fault!(13) && *s != address));
        state.dead.insert((node, address));
        Ok(())
    }

    pub(crate) fn fill(
        &mut self,
        state: &mut State,
        to: &Value,
        byte: &Value,
        len: &Value,
        span: Span,
    ) -> Result<(), Stop> {
        let (Value::Own(own, at), Value::Sym(Sym { var: None, offset: len }, _)) = (to, len) else {
            return Err(Stop::new(Why::Unsupported("memset of a node"), span));
        };
        self.writable(state, *own, *at, *len, span)?;
        if state.own[own.0].kind == Kind::Outside {
            return Ok(());
        }
        let zero = matches!(byte, Value::Sym(Sym::ZERO, _));
        let memory = &mut state.own[own.0];
        let whole = *at == 0 && *len == memory.size;
        let cut = |o: i128, s: i128| o < at + len && *at < o + s && (o < *at || o + s > at + len);
        // A value that is filled in part leaves bytes that are not known.
        let partly = memory.content.iter().any(|(&o, (s, _))| cut(o, *s));
        memory.zeroed = if whole { zero } else { memory.zeroed && zero && (!partly || fault!(14)) };
        memory.content.retain(|&o, (s, _)| o + *s <= *at || o >= at + len);
        Ok(())
    }

    fn writable(&self, state: &State, own: Own, at: i128, len: i128, span: Span) -> Result<(), Stop> {
        let memory = &state.own[own.0];
        if at < 0 || len < 0 || at + len > memory.size {
            return Err(Stop::new(Why::Outside, span));
        }
        if memory.sealed {
            return Err(Stop::new(Why::Unsupported("a write to a constant"), span));
        }
        Ok(())
    }

    /// Copies a structure: scalar by scalar, as far as both sides are known.
    pub(crate) fn copy(
        &mut self,
        state: &mut State,
        to: &Value,
        from: &Value,
        len: &Value,
        span: Span,
    ) -> Result<(), Stop> {
        let Value::Sym(Sym { var: None, offset: len }, _) = len else {
            return Err(Stop::new(Why::Unsupported("a copy of unknown length"), span));
        };
        let scalars = self.scalars_of(state, from, *len).or_else(|| self.scalars_of(state, to, *len));
        let Some(scalars) = scalars else {
            return Err(Stop::new(Why::Unsupported("a copy of this structure"), span));
        };
        for place in [from, to] {
            self.spans(state, place, *len, span)?;
        }
        let mut values = Vec::new();
        for &(at, size) in &scalars {
            values.push(self.read_at(state, from, at, size, span)?);
        }
        if let Value::Own(own, at) = to {
            self.writable(state, *own, *at, *len, span)?;
            let memory = &mut state.own[own.0];
            memory.zeroed = false;
            memory.content.retain(|&o, (s, _)| o + *s <= *at || o >= at + len);
        }
        if let Value::Sym(_, Hint::Node(node, _)) = to {
            // Bit-fields and unions change as well.
            state.data.retain(|(n, ..), _| n != node);
        }
        for (&(at, size), value) in scalars.iter().zip(values) {
            self.write_at(state, to, at, size, value, span)?;
        }
        Ok(())
    }

    /// So many bytes at an address belong to one piece of memory, also those that are in no field.
    fn spans(&self, state: &State, place: &Value, len: i128, span: Span) -> Result<(), Stop> {
        let (at, size) = match place {
            Value::Own(own, at) => (*at, state.own[own.0].size),
            Value::Sym(_, Hint::Node(node, at)) => (*at, self.nodes.types[node.0].size),
            _ => return Err(Stop::new(Why::Wild, span)),
        };
        if (at < 0 || len < 0 || at + len > size) && !fault!(15) {
            return Err(Stop::new(Why::Outside, span));
        }
        Ok(())
    }

    /// Offsets and sizes of the scalars of the structure that an address leads to, if it has the length.
    fn scalars_of(&self, state: &State, place: &Value, len: i128) -> Option<Vec<(i128, i128)>> {
        let (node, at) = match place {
            Value::Sym(_, Hint::Node(node, at)) => (*node, *at),
            Value::Own(own, at) => (state.own[own.0].node?, *at),
            _ => return None,
        };
        let info = &self.nodes.types[node.0];
        // All of a node: then each of its scalars is copied as a whole. Parts that are in none of them are data.
        (at == 0 && len == info.size && info.hazy.is_empty())
            .then(|| info.fields.iter().map(|f| (f.offset, f.size)).collect())
    }

    fn read_at(
        &mut self,
        state: &mut State,
        place: &Value,
        offset: i128,
        size: i128,
        span: Span,
    ) -> Result<Value, Stop> {
        match place {
            Value::Own(own, at) => self.read_own(state, *own, at + offset, size, span),
            Value::Sym(s, Hint::Node(node, 0)) => {
                let Some(content) = self.nodes.access(*node, offset, size) else {
                    return Err(Stop::new(Why::Outside, span));
                };
                self.need_valid(state, *node, *s, span)?;
                Ok(match content {
                    Content::Data => {
                        let value = self.read_data(state, (*node, offset, size, *s));
                        self.read_function(state, (*node, offset, size), &value);
                        value
                    }
                    Content::Link(link) => self.read_link(state, link, *s),
                })
            }
            _ => Err(Stop::new(Why::Wild, span)),
        }
    }

    fn write_at(
        &mut self,
        state: &mut State,
        place: &Value,
        offset: i128,
        size: i128,
        value: Value,
        span: Span,
    ) -> Result<(), Stop> {
        match place {
            Value::Own(own, _) if state.own[own.0].kind == Kind::Outside => {
                self.publish(state, &value, span)?;
            }
            Value::Own(own, at) => {
                state.own[own.0].content.insert(at + offset, (size, value));
            }
            Value::Sym(s, Hint::Node(node, 0)) => {
                self.need_valid(state, *node, *s, span)?;
                match self.nodes.access(*node, offset, size) {
                    Some(Content::Link(link)) => self.write_link(state, link, *s, &value, span)?,
                    Some(Content::Data) => {
                        let value = match value {
                            Value::Own(..) => Value::Sym(self.publish(state, &value, span)?, Hint::None),
                            value => value,
                        };
                        self.keeps_functions(state, (*node, offset, size), &value, span)?;
                        self.write_data(state, (*node, offset, size, *s), value);
                    }
                    None => return Err(Stop::new(Why::Outside, span)),
                }
            }
            _ => return Err(Stop::new(Why::Wild, span)),
        }
        Ok(())
    }
}
