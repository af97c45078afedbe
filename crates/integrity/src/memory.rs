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
        // A part of a node that is known.
        let around = |(of, at): (NodeType, i128)| state.valid.contains(&(of, base.plus(-at)));
        if self.nodes.containers(node).into_iter().any(around) {
            state.valid.insert((node, base));
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
                self.read_node(state, (node, delta, size, s.plus(-delta)), span)?
            }
            Value::Sym(_, Hint::Area(area)) => {
                self.need_valid(state, area.node, area.base, span)?;
                match self.area_content(&area, size) {
                    Some(Content::Data) => Value::Sym(self.fresh(), Hint::None),
                    _ => return Err(Stop::new(Why::Outside, span)),
                }
            }
            Value::Sym(s, Hint::Cell(node)) if ty == Ty::Ptr => match state.cell_of.get(&s).copied() {
                None => return self.split_cell(state, node, s, span),
                Some(CellOf::Link(link)) => {
                    let base = self.linked_node(state, link, s, span)?;
                    self.read_link(state, link, base)
                }
                Some(CellOf::Outside(_)) => self.read_cell(state, node, s, span)?,
            },
            Value::Sym(s, Hint::Data(global, low, high)) => {
                match self.global_slot(global, (low, high), size, span)? {
                    Some(to) => {
                        self.outside_cell(state, to, s);
                        self.read_cell(state, to, s, span)?
                    }
                    None => {
                        self.data_access(global, (low, high), size, false, span)?;
                        Value::Sym(self.fresh(), Hint::None)
                    }
                }
            }
            _ => return Err(Stop::new(Why::Wild, span)),
        };
        self.set(state, dst, value);
        Ok(Next::On)
    }

    /// What some bytes of a node hold: type, offset, size, node.
    fn read_node(
        &mut self,
        state: &mut State,
        (node, delta, size, base): (NodeType, i128, i128, Sym),
        span: Span,
    ) -> Result<Value, Stop> {
        let Some(content) = self.nodes.access(node, delta, size) else {
            return Err(Stop::new(Why::Outside, span));
        };
        self.need_valid(state, node, base, span)?;
        let s = base.plus(delta);
        Ok(match content {
            Content::Data => {
                let (part, at) = self.data_place(node, delta);
                let value = self.read_data(state, (part, at, size, s.plus(-at)));
                self.read_function(state, (part, at, size), &value);
                value
            }
            Content::Link(link) => self.read_link(state, link, s.plus(-self.nodes.links[link.0].offset)),
            Content::Slot(to) => {
                self.outside_cell(state, to, s);
                self.read_cell(state, to, s, span)?
            }
        })
    }

    /// Writes some bytes of a node.
    fn write_node(
        &mut self,
        state: &mut State,
        (node, delta, size, base): (NodeType, i128, i128, Sym),
        value: Value,
        span: Span,
    ) -> Result<(), Stop> {
        let Some(content) = self.nodes.access(node, delta, size) else {
            return Err(Stop::new(Why::Outside, span));
        };
        self.need_valid(state, node, base, span)?;
        let s = base.plus(delta);
        match content {
            Content::Data => {
                // An address of own memory in data would be out of sight.
                let value = match value {
                    Value::Own(..) => Value::Sym(self.publish(state, &value, span)?, Hint::None),
                    value => value,
                };
                let (part, at) = self.data_place(node, delta);
                self.keeps_functions(state, (part, at, size), &value, span)?;
                self.write_data(state, (part, at, size, s.plus(-at)), value);
            }
            Content::Link(link) => {
                let of = s.plus(-self.nodes.links[link.0].offset);
                self.write_link(state, link, of, &value, span)?;
            }
            Content::Slot(to) => {
                self.outside_cell(state, to, s);
                self.store_cell(state, to, s, &value, span)?;
            }
        }
        Ok(())
    }

    /// Data of a part of a node is that of the part.
    pub(crate) fn data_place(&self, node: NodeType, delta: i128) -> (NodeType, i128) {
        if fault!(57) { (node, delta) } else { self.nodes.innermost(node, delta) }
    }

    /// What all elements of an area hold that an access of this size may mean: all data, or all slots.
    pub(crate) fn area_content(&self, area: &Area, size: i128) -> Option<Content> {
        let first = self.nodes.access(area.node, area.low, size)?;
        let mut at = area.low;
        while at <= area.high {
            let content = self.nodes.access(area.node, at, size)?;
            if content != first || matches!(content, Content::Link(_)) {
                return None;
            }
            at += area.step.max(1);
        }
        Some(first)
    }

    /// This is the address of a pointer to nodes that is no link of a node, or one of many slots.
    pub(crate) fn outside_cell(&mut self, state: &mut State, node: NodeType, s: Sym) {
        if state.cell_of.insert(s, CellOf::Outside(node)) != Some(CellOf::Outside(node)) {
            state.path.push(Formula::holds("dom", vec![heap(state.cells[node.0]), s.term()]));
        }
    }

    fn read_cell(&mut self, state: &mut State, node: NodeType, s: Sym, span: Span) -> Result<Value, Stop> {
        self.cells_usable(state, span)?;
        let value = self.read_heap(state, state.cells[node.0], s);
        Ok(Value::Sym(value, Hint::Node(node, 0)))
    }

    pub(crate) fn store_cell(
        &mut self,
        state: &mut State,
        node: NodeType,
        s: Sym,
        value: &Value,
        span: Span,
    ) -> Result<(), Stop> {
        self.cells_usable(state, span)?;
        if let Value::Own(own, 0) = value {
            state.own[own.0].node.get_or_insert(node);
        }
        let value = self.publish(state, value, span)?;
        self.write_cell(state, node, s, value);
        Ok(())
    }

    /// The node whose link this address is. It may be one on the stack whose scope is over by now.
    fn linked_node(&mut self, state: &mut State, link: Link, at: Sym, span: Span) -> Result<Sym, Stop> {
        let info = &self.nodes.links[link.0];
        let (of, base) = (info.of, at.plus(-info.offset));
        if !fault!(51) {
            self.need_valid(state, of, base, span)?;
        }
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
        Value::Sym(value, self.link_hint(link))
    }

    /// What a link leads to.
    pub(crate) fn link_hint(&self, link: Link) -> Hint {
        let info = &self.nodes.links[link.0];
        if info.cell { Hint::Cell(info.to) } else { Hint::Node(info.to, 0) }
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
        let nodes = self.nodes.clone();
        for (index, link) in nodes.links_to(node) {
            let base = s.plus(-link.offset);
            let mut inside = state.clone();
            inside.path.push(is_valid(&self.nodes, link.of, base));
            if state.dead.is_empty() || fault!(51) {
                inside.valid.insert((link.of, base));
            }
            inside.cell_of.insert(s, CellOf::Link(index));
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
                self.write_node(state, (node, delta, size, s.plus(-delta)), value, span)?;
            }
            Value::Sym(_, Hint::Area(area)) => self.write_area(state, &area, size, &value, span)?,
            Value::Sym(s, Hint::Cell(node)) if ty == Ty::Ptr => match state.cell_of.get(&s).copied() {
                None => return self.split_cell(state, node, s, span),
                Some(CellOf::Link(link)) => {
                    let base = self.linked_node(state, link, s, span)?;
                    self.write_link(state, link, base, &value, span)?;
                }
                Some(CellOf::Outside(_)) => self.store_cell(state, node, s, &value, span)?,
            },
            Value::Sym(s, Hint::Data(global, low, high)) => {
                match self.global_slot(global, (low, high), size, span)? {
                    Some(to) => {
                        self.outside_cell(state, to, s);
                        self.store_cell(state, to, s, &value, span)?;
                    }
                    None => {
                        self.data_access(global, (low, high), size, true, span)?;
                        self.publish(state, &value, span)?;
                    }
                }
            }
            _ => return Err(Stop::new(Why::Wild, span)),
        }
        Ok(Next::On)
    }

    /// Some element of an array of data is written.
    fn write_area(
        &mut self,
        state: &mut State,
        area: &Area,
        size: i128,
        value: &Value,
        span: Span,
    ) -> Result<(), Stop> {
        self.need_valid(state, area.node, area.base, span)?;
        if self.area_content(area, size) != Some(Content::Data) {
            return Err(Stop::new(Why::Outside, span));
        }
        self.publish(state, value, span)?;
        let (low, end) = (area.low, area.high + size);
        let meets = |f: &heapproof_ir::nodes::Field| f.function && f.offset < end && low < f.offset + f.size;
        if self.nodes.types[area.node.0].fields.iter().any(meets) {
            return Err(Stop::new(Why::NoFunction, span));
        }
        if !fault!(58) {
            self.forget_data(state, area.node);
        }
        Ok(())
    }

    /// Nothing is known of the data of nodes of a type, and of what is inside of them.
    fn forget_data(&self, state: &mut State, node: NodeType) {
        let parts = &self.nodes.types[node.0].parts;
        state.data.retain(|(n, ..), _| *n != node && !parts.iter().any(|part| part.node == *n));
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
        if let (Value::Own(own, 0), false) = (value, self.nodes.links[link.0].cell) {
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
        // Where a node is written, its own fields count, whatever is copied.
        let scalars = match to {
            Value::Sym(..) if !fault!(63) => self.scalars_of(state, to, *len),
            _ => self.scalars_of(state, from, *len).or_else(|| self.scalars_of(state, to, *len)),
        };
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
            self.forget_data(state, *node);
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
        (at == 0 && len == info.size && info.hazy.is_empty() && info.slots.is_empty())
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
            Value::Sym(s, Hint::Node(node, 0)) => self.read_node(state, (*node, offset, size, *s), span),
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
                self.write_node(state, (*node, offset, size, *s), value, span)?;
            }
            _ => return Err(Stop::new(Why::Wild, span)),
        }
        Ok(())
    }
}
