//! The proof of one function: what has to hold at loop heads and at its end.

use crate::exec::Ended;
use crate::facts::{Facts, Shape};
use crate::state::*;
use crate::{Analysis, Stop, Why};
use heapproof_chr::syntax::Formula;
use heapproof_ir::inst::Operand;
use heapproof_ir::nodes::Link;
use heapproof_ir::{BlockId, Body, FuncId, Span};
use std::collections::BTreeMap;

impl Analysis<'_> {
    /// The proof of one function with the facts that were found.
    pub(crate) fn prove(&mut self, function: FuncId, facts: &BTreeMap<BlockId, Facts>) -> Result<(), Stop> {
        let program = self.program;
        let Some(body) = &program.functions[function].body else { return Ok(()) };
        let shape = self.shape(function, body)?;
        self.checking = true;
        self.touched.clear();
        self.writes_functions = false;
        self.nulls_functions = false;
        self.frees_nodes = false;
        let result = self.prove_paths(function, body, &shape, facts);
        self.checking = false;
        if !self.touched.is_subset(&self.summaries[&function].changes) {
            let why = Why::Limit("a link is changed in a way that callers would not expect");
            return result.and(Err(Stop::new(why, program.functions[function].span)));
        }
        if self.frees_nodes && !self.freers.contains(&function) {
            let why = Why::Limit("a node is freed, which was not expected");
            return result.and(Err(Stop::new(why, program.functions[function].span)));
        }
        if self.nulls_functions && !self.may_null_functions {
            let why = Why::Limit("a pointer to a function may become null, which was not expected");
            return result.and(Err(Stop::new(why, program.functions[function].span)));
        }
        if self.writes_functions && !self.may_write_functions {
            let why = Why::Limit("a pointer to a function is written, which was not expected");
            return result.and(Err(Stop::new(why, program.functions[function].span)));
        }
        result
    }

    pub(crate) fn prove_paths(
        &mut self,
        function: FuncId,
        body: &Body,
        shape: &Shape,
        facts: &BTreeMap<BlockId, Facts>,
    ) -> Result<(), Stop> {
        for start in std::iter::once(None).chain(shape.heads.iter().copied().map(Some)) {
            let Some(state) = self.start(function, body, shape, facts, start) else { continue };
            for ended in self.paths(state, &shape.heads)? {
                match ended {
                    Ended::Head(head, state) => {
                        let mut again = facts.clone();
                        let mut published = state.clone();
                        self.good_at_head(body, shape, head, &mut published, &facts[&head])?;
                        self.arrive(body, shape, head, state, &mut again)?;
                        if again != *facts {
                            let span = body.blocks[head].term_span;
                            return Err(Stop::new(
                                Why::Limit("a fact at a loop head was not shown again"),
                                span,
                            ));
                        }
                    }
                    Ended::Return(mut state, values) => self.good_at_return(function, &mut state, &values)?,
                }
            }
        }
        Ok(())
    }

    fn good_at_head(
        &mut self,
        body: &Body,
        shape: &Shape,
        head: BlockId,
        state: &mut State,
        facts: &Facts,
    ) -> Result<(), Stop> {
        let span = body.blocks[head].term_span;
        let live = &shape.live[&head];
        self.publish_at_head(live, state, &mut facts.clone(), span)?;
        for &reg in live {
            if facts.kept.contains_key(&reg) || facts.plain.contains_key(&reg) || fault!(30) {
                continue;
            }
            let value = self.eval(state, &Operand::Reg(reg))?;
            let s = self.publish(state, &value, span)?;
            match self.variable_hint(body, reg) {
                Hint::Node(node, _) => self.need_node(state, node, s, Why::BadPointer, span)?,
                Hint::Cell(node) => {
                    let good = state.is_cell(&self.nodes, node, s);
                    if !self.obligation(state, &good) {
                        return Err(Stop::new(Why::BadPointer, span));
                    }
                }
                Hint::None | Hint::Data(..) | Hint::Area(_) => {}
            }
        }
        for (reg, kept) in &facts.kept {
            if let Value::Own(own, _) = self.eval(state, &Operand::Reg(*reg))? {
                for &offset in &kept.good {
                    if !self.block_link_is_good(state, own, kept.node, offset, span)? {
                        return Err(Stop::new(Why::BadPointer, span));
                    }
                }
            }
        }
        // What is known of these is shown with the other facts.
        state.changed_links.retain(|link| !facts.open.contains_key(link) && !fault!(29));
        self.constraint_holds(state, span)
    }

    fn good_at_return(&mut self, function: FuncId, state: &mut State, values: &[Value]) -> Result<(), Stop> {
        let program = self.program;
        let block = state.frames[0].block;
        let body = program.functions[function].body.as_ref();
        let span = body.map_or(Span::NONE, |b| b.blocks[block].term_span);
        let node = self.result_node(function);
        let mut results = Vec::new();
        for value in values {
            if let (Value::Own(own, 0), Some(node)) = (value, node) {
                state.own[own.0].node.get_or_insert(node);
            }
            // A block that is given back without a type is not a node yet: it concerns nobody but the caller.
            let untyped = matches!(value, Value::Own(own, _) if state.own[own.0].node.is_none()
                && state.own[own.0].kind == Kind::Block);
            if !untyped || node.is_some() {
                results.push(self.publish(state, value, span)?);
            }
        }
        let locals: Vec<Place> = state.frames[0].locals.values().copied().collect();
        for place in locals {
            match place {
                Place::Own(own) if state.own[own.0].size > 0 => self.end_local(state, own, span)?,
                Place::Cell(address, node) => self.end_cell(state, address, node, span)?,
                Place::Own(_) => {}
            }
        }
        if let Some(node) = node.filter(|_| !fault!(32)) {
            for s in results {
                self.need_node(state, node, s, Why::BadPointer, span)?;
            }
        }
        // The function's own cells end here: they may hold anything. All others must hold nodes.
        for node in std::mem::take(&mut state.changed_cells) {
            let (s, t) = (self.fresh(), self.fresh());
            let mut bad = vec![
                Formula::holds("in", vec![heap(state.cells[node.0]), s.term(), t.term()]),
                self.node_now(state, node, t).negated(),
            ];
            for place in state.frames[0].locals.values() {
                if let Place::Cell(address, _) = place {
                    bad.push(differs(s, *address));
                }
            }
            if !self.obligation(state, &Formula::And(bad).negated()) && !fault!(33) {
                return Err(Stop::new(Why::NotClosed, span));
            }
        }
        if fault!(31) {
            return Ok(());
        }
        self.constraint_holds(state, span)
    }

    /// No link to cells leads into what is there no longer.
    fn dead_cells_unlinked(&mut self, state: &mut State, link: Link, span: Span) -> Result<(), Stop> {
        for (node, address) in state.dead.clone() {
            let to = self.nodes.links[link.0].to;
            if self.nodes.types[node.0].slots.iter().any(|slots| slots.to == to) {
                return Err(Stop::new(Why::LinkedLocal, span));
            }
            let inside = self.cells_inside(node, address).into_iter().filter(|(of, _)| *of == link);
            for (_, at) in inside.collect::<Vec<_>>() {
                if !self.obligation(state, &is_unlinked(state.links[link.0], at)) {
                    return Err(Stop::new(Why::LinkedLocal, span));
                }
            }
        }
        Ok(())
    }

    /// The constraint holds here; what was changed must be shown to keep it.
    pub(crate) fn constraint_holds(&mut self, state: &mut State, span: Span) -> Result<(), Stop> {
        for link in std::mem::take(&mut state.changed_links) {
            let version = state.links[link.0];
            let closed = is_closed(&self.nodes, &state.cells, link, version);
            if !self.obligation(state, &closed) {
                return Err(Stop::new(Why::NotClosed, span));
            }
            state.path.push(closed);
            let to = self.nodes.links[link.0].to;
            let of = self.nodes.links[link.0].of;
            if self.nodes.links[link.0].cell {
                self.dead_cells_unlinked(state, link, span)?;
                continue;
            }
            for address in state.dead.iter().filter(|(n, _)| *n == to).map(|(_, a)| *a).collect::<Vec<_>>() {
                // The links of what is there no longer do not count.
                let unlinked = match of == to {
                    true => is_unlinked_but(version, address, address),
                    false => is_unlinked(version, address),
                };
                if !self.obligation(state, &unlinked) {
                    return Err(Stop::new(Why::LinkedLocal, span));
                }
            }
        }
        for node in std::mem::take(&mut state.changed_cells) {
            let version = state.cells[node.0];
            let closed = cells_closed(&self.nodes, node, version);
            if !self.obligation(state, &closed) {
                return Err(Stop::new(Why::NotClosed, span));
            }
            state.path.push(closed);
            for address in state.dead.iter().filter(|(n, _)| *n == node).map(|(_, a)| *a).collect::<Vec<_>>()
            {
                if !self.obligation(state, &is_unlinked(version, address)) {
                    return Err(Stop::new(Why::LinkedLocal, span));
                }
            }
        }
        Ok(())
    }
}
