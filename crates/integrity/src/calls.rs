//! Calls: entered, by the constraint and what is known of the callee, or of the library.

use crate::entry::parameter_names;
use crate::exec::Next;
use crate::facts::Where;
use crate::requires::{Condition, all_conditions};
use crate::state::*;
use crate::{Analysis, Stop, Why};
use heapproof_chr::syntax::Formula;
use heapproof_engine::Resolution;
use heapproof_ir::inst::Operand;
use heapproof_ir::nodes::{Link, NodeType};
use heapproof_ir::{Callee, FuncId, Reg, Span};
use heapproof_libc::{Demand, Model, ModelKind, SizeArg};
use std::collections::BTreeSet;

const MOST_INLINED: usize = 80;
const DEEPEST: usize = 5;

impl Analysis<'_> {
    pub(crate) fn call(
        &mut self,
        state: &mut State,
        results: &[Reg],
        callee: &Callee,
        args: &[Operand],
        span: Span,
    ) -> Result<Next, Stop> {
        let mut values = Vec::new();
        for arg in args {
            values.push(self.eval(state, arg)?);
        }
        let function = match callee {
            Callee::Direct(function) => *function,
            Callee::Indirect(operand) => {
                let value = self.eval(state, operand)?;
                match self.known_function(&value, values.len()) {
                    Some(function) => function,
                    None => {
                        self.call_back(state, results, &value, &values, span)?;
                        return Ok(Next::On);
                    }
                }
            }
        };
        self.called.insert(function);
        match self.resolutions.of(function) {
            Resolution::Body if self.can_enter(state, function) => {
                self.enter(state, function, results, values, span)?;
                Ok(Next::On)
            }
            Resolution::Body => {
                self.summarised_call(state, function, results, &values, span)?;
                Ok(Next::On)
            }
            Resolution::Pure => {
                self.any_results(state, results);
                Ok(Next::On)
            }
            Resolution::Model(model) => self.library(state, model, results, &values, span),
            Resolution::Havoc | Resolution::Unknown => {
                let name = self.program.functions[function].name.clone();
                Err(Stop::new(Why::External(name), span))
            }
        }
    }

    pub(crate) fn any_results(&mut self, state: &mut State, results: &[Reg]) {
        for reg in results {
            let value = Value::Sym(self.fresh(), Hint::None);
            self.set(state, *reg, value);
        }
    }

    /// Small functions without loops are entered, unless that made too many paths.
    pub(crate) fn can_enter(&self, state: &State, function: FuncId) -> bool {
        let Some(body) = &self.program.functions[function].body else { return false };
        let size: usize = body.blocks.values().map(|b| b.insts.len() + 1).sum();
        // The address of a pointer, or of a node on the stack, would outlive it.
        let stays = |local: &heapproof_ir::Local| {
            let ctype = local.variable.as_ref().and_then(|v| v.ctype);
            matches!(self.hint_of(ctype), Hint::Node(..))
                || ctype.is_some_and(|t| self.nodes.struct_type(self.program, t).is_some())
        };
        let wanted = self.entering || !self.hands_over(function);
        wanted
            && size <= MOST_INLINED
            && !body.locals.values().any(stays)
            && !lives_unknown(body)
            && state.frames.len() < DEEPEST
            && state.frames.iter().all(|f| f.function != function)
            && self.loop_free.contains(&function)
    }

    /// Whether a parameter is the address of a pointer to nodes.
    fn is_cell_parameter(&self, function: FuncId, names: &[Option<String>], name: &str) -> bool {
        let index = names.iter().position(|n| n.as_deref() == Some(name));
        index.is_some_and(|i| matches!(self.hint_of(self.parameter_types(function)[i]), Hint::Cell(_)))
    }

    /// Whether nodes are handed over when this function is called or returns.
    pub(crate) fn hands_over(&self, function: FuncId) -> bool {
        let result = self.hint_of(self.result_type(function));
        let params = self.parameter_types(function);
        params.iter().map(|t| self.hint_of(*t)).chain([result]).any(|hint| hint != Hint::None)
    }

    fn enter(
        &mut self,
        state: &mut State,
        function: FuncId,
        results: &[Reg],
        args: Vec<Value>,
        span: Span,
    ) -> Result<(), Stop> {
        if self.hands_over(function) {
            let types = self.parameter_types(function);
            for (position, value) in args.iter().enumerate() {
                let hint = self.hint_of(types.get(position).copied().flatten());
                // A block that nobody knows yet may be filled in by the callee.
                if let (Value::Sym(s, _), Hint::Node(node, _)) = (value, hint) {
                    self.need_node(state, node, *s, Why::BadArgument, span)?;
                }
            }
            self.constraint_holds(state, span)?;
        }
        let program = self.program;
        let Some(body) = &program.functions[function].body else { return Ok(()) };
        let mut frame = self.new_frame(state, function);
        frame.results = results.to_vec();
        for (reg, value) in body.params.iter().zip(args) {
            frame.regs.insert(*reg, value);
        }
        state.frames.push(frame);
        Ok(())
    }

    /// An entered function returns: what it hands over is good.
    pub(crate) fn entered_returns(
        &mut self,
        state: &mut State,
        function: FuncId,
        values: &mut [Value],
        span: Span,
    ) -> Result<(), Stop> {
        if !self.hands_over(function) {
            return Ok(());
        }
        if let (Some(node), Some(value)) = (self.result_node(function), values.first_mut()) {
            if let Value::Own(own, 0) = value {
                state.own[own.0].node.get_or_insert(node);
            }
            let s = self.publish(state, value, span)?;
            self.need_node(state, node, s, Why::BadPointer, span)?;
            *value = Value::Sym(s, Hint::Node(node, 0));
        }
        self.constraint_holds(state, span)
    }

    /// Requires that `s` is null or a node.
    pub(crate) fn need_node(
        &mut self,
        state: &mut State,
        node: NodeType,
        s: Sym,
        why: Why,
        span: Span,
    ) -> Result<(), Stop> {
        if s == Sym::ZERO || state.valid.contains(&(node, s)) {
            return Ok(());
        }
        let good = self.node_now(state, node, s);
        if !self.obligation(state, &good) {
            return Err(Stop::new(why, span));
        }
        Ok(())
    }

    fn library(
        &mut self,
        state: &mut State,
        model: &Model,
        results: &[Reg],
        args: &[Value],
        span: Span,
    ) -> Result<Next, Stop> {
        let number = |index: usize| match args.get(index) {
            Some(Value::Sym(Sym { var: None, offset }, _)) if *offset >= 0 => Some(*offset),
            _ => None,
        };
        let effect = &model.effect;
        let target = self.program.target;
        let is_legal = |demand: &Demand| number(demand.arg).is_some_and(|n| demand.legal.holds(n, n, target));
        if !effect.demands.iter().all(is_legal) {
            return Err(Stop::new(Why::External(model.name.to_owned()), span));
        }
        match &model.kind {
            ModelKind::Alloc { size, zeroed, .. } => {
                let size = match size {
                    SizeArg::Bytes(index) => number(*index),
                    SizeArg::Product(a, b) => number(*a).zip(number(*b)).and_then(|(a, b)| a.checked_mul(b)),
                };
                let Some(size) = size else {
                    return Err(Stop::new(Why::Unsupported("a block of unknown size"), span));
                };
                Ok(self.allocate(state, results, size, *zeroed))
            }
            ModelKind::Fill { zero } => {
                let nothing = Value::Sym(Sym::ZERO, Hint::None);
                let (to, byte, len) = match args {
                    [to, len] if *zero => (to, &nothing, len),
                    [to, byte, len] if !*zero => (to, byte, len),
                    _ => return Err(Stop::new(Why::External(model.name.to_owned()), span)),
                };
                self.fill(state, to, byte, len, span)?;
                if let Some(reg) = results.first() {
                    self.set(state, *reg, to.clone());
                }
                Ok(Next::On)
            }
            ModelKind::Free => self.free(state, args.first(), span),
            _ if effect.ends_program => Ok(Next::End),
            _ if effect.is_pure()
                && effect.reads.is_empty()
                && effect.streams.is_empty()
                && effect.format.is_none() =>
            {
                self.any_results(state, results);
                Ok(Next::On)
            }
            _ => Err(Stop::new(Why::External(model.name.to_owned()), span)),
        }
    }

    /// Two states: memory is given, or not.
    fn allocate(&mut self, state: &State, results: &[Reg], size: i128, zeroed: bool) -> Next {
        let mut failed = state.clone();
        let mut given = state.clone();
        given.own.push(Memory { zeroed, ..Memory::new(Kind::Block, size) });
        let own = Own(given.own.len() - 1);
        if let Some(&reg) = results.first() {
            self.set(&mut failed, reg, Value::Sym(Sym::ZERO, Hint::None));
            self.set(&mut given, reg, Value::Own(own, 0));
        }
        failed.top().next += 1;
        given.top().next += 1;
        Next::Again(if fault!(39) { vec![given] } else { vec![failed, given] })
    }

    /// Null and blocks that nobody else knows can be freed, and nodes if nothing leads to them at the next cut point.
    fn free(&mut self, state: &mut State, block: Option<&Value>, span: Span) -> Result<Next, Stop> {
        match block {
            Some(Value::Sym(s, _)) if state.known_zero(*s) == Some(true) => Ok(Next::On),
            Some(Value::Own(own, 0)) if state.own[own.0].kind == Kind::Block && !state.own[own.0].freed => {
                let memory = &mut state.own[own.0];
                if fault!(40) {
                    return Ok(Next::On);
                }
                *memory = Memory { freed: true, ..Memory::new(Kind::Plain, 0) };
                Ok(Next::On)
            }
            Some(Value::Sym(s, Hint::Node(node, 0))) => self.free_node(state, *node, *s, span),
            _ => Err(Stop::new(Why::Frees, span)),
        }
    }

    /// A node is freed: from here on it is none. That nothing leads to it is shown at the next cut point.
    fn free_node(&mut self, state: &mut State, node: NodeType, s: Sym, span: Span) -> Result<Next, Stop> {
        if state.known_zero(s).is_none() && !state.valid.contains(&(node, s)) {
            let (mut null, mut other) = (state.clone(), state.clone());
            let mut states = Vec::new();
            if self.learn(&mut null, &equal(s, Sym::ZERO)) {
                states.push(null);
            }
            if self.learn(&mut other, &differs(s, Sym::ZERO)) {
                states.push(other);
            }
            return Ok(Next::Again(states));
        }
        // The inside of a block cannot be freed. Of slots it is not known who leads to them.
        let mut slots = self.nodes.types[node.0].slots.iter();
        let led = slots.any(|slots| self.nodes.cell_links_to(slots.to).next().is_some());
        if led || !self.nodes.containers(node).is_empty() {
            return Err(Stop::new(Why::Frees, span));
        }
        self.need_valid(state, node, s, span)?;
        let stack = state.own.iter().filter(|m| m.node == Some(node)).filter_map(|m| m.address);
        let unfreed: Vec<Sym> = stack.chain(self.global_nodes(node)).collect();
        for other in unfreed {
            if !self.obligation(state, &differs(s, other)) && !fault!(60) {
                return Err(Stop::new(Why::Frees, span));
            }
        }
        self.frees_nodes = true;
        state.freed = true;
        self.ends(state, node, s);
        for (node, _) in self.with_parts(node, s) {
            for (link, _) in self.cells_inside(node, s) {
                state.changed_links.insert(link);
            }
            for place in self.holders(node) {
                match place {
                    _ if fault!(61) => {}
                    Where::Link(link) => {
                        state.changed_links.insert(link);
                    }
                    Where::Cells(node) => {
                        state.changed_cells.insert(node);
                    }
                }
            }
        }
        Ok(Next::On)
    }

    /// What a callee requires of its arguments.
    fn callee_conditions(
        &mut self,
        state: &mut State,
        function: FuncId,
        args: &[Value],
        span: Span,
    ) -> Result<(), Stop> {
        let program = self.program;
        let info = &program.functions[function];
        let Some(texts) = self.environment.requires.get(&info.name) else { return Ok(()) };
        let refused = || Err(Stop::new(Why::CalleeRequires(info.name.clone()), span));
        let Some(body) = &info.body else { return refused() };
        let names = parameter_names(body);
        for text in texts {
            let Some(conditions) = all_conditions(text) else { return refused() };
            for condition in conditions {
                let (Condition::NotNull(name)
                | Condition::Outside(name, _)
                | Condition::OutsideMany(name, _)) = &condition;
                let argument = names.iter().position(|n| n.as_ref() == Some(name)).and_then(|i| args.get(i));
                let holds = match (&condition, argument) {
                    (Condition::NotNull(_), Some(Value::Own(..))) => true,
                    (Condition::NotNull(_), Some(Value::Sym(s, _))) => {
                        let s = *s;
                        state.known_zero(s) == Some(false) || self.obligation(state, &differs(s, Sym::ZERO))
                    }
                    (Condition::Outside(name, count), Some(Value::Own(own, at)))
                        if !self.is_cell_parameter(function, &names, name) =>
                    {
                        let size = self.outside_size(function, body, name, *count);
                        let memory = &state.own[own.0];
                        let plain = matches!(memory.kind, Kind::Plain | Kind::Outside) && !memory.sealed;
                        plain && size.is_some_and(|size| *at >= 0 && at + size <= memory.size)
                    }
                    _ => false,
                };
                if !holds && !fault!(38) {
                    return refused();
                }
            }
        }
        Ok(())
    }

    /// What is taken for granted of the arguments of a static function.
    fn callee_assumes(
        &mut self,
        state: &State,
        function: FuncId,
        args: &[Value],
        span: Span,
    ) -> Result<(), Stop> {
        for index in self.assumed.get(&function).cloned().unwrap_or_default() {
            let shown = match args.get(index) {
                Some(Value::Own(..)) => true,
                Some(Value::Sym(s, _)) => {
                    state.known_zero(*s) == Some(false) || self.obligation(state, &differs(*s, Sym::ZERO))
                }
                _ => false,
            };
            if !shown {
                self.unshown.insert((function, index));
                let name = self.program.functions[function].name.clone();
                return Err(Stop::new(Why::CalleeRequires(name), span));
            }
        }
        Ok(())
    }

    /// A call by what is known of every call: the constraint holds before and after.
    pub(crate) fn summarised_call(
        &mut self,
        state: &mut State,
        function: FuncId,
        results: &[Reg],
        args: &[Value],
        span: Span,
    ) -> Result<(), Stop> {
        self.uses.insert(function);
        // It takes pointers to functions in nodes to be functions.
        if self.may_null_functions && self.back_callers.contains(&function) {
            return Err(Stop::new(Why::NoFunction, span));
        }
        // Any pointer may lead to a node that is freed there.
        if self.freers.contains(&function) && !fault!(62) {
            return Err(Stop::new(Why::Frees, span));
        }
        self.callee_conditions(state, function, args, span)?;
        self.callee_assumes(state, function, args, span)?;
        let types = self.parameter_types(function);
        let mut syms = Vec::new();
        let mut cells = BTreeSet::new();
        for (position, value) in args.iter().enumerate() {
            let hint = self.hint_of(types.get(position).copied().flatten());
            if let Value::Own(own, _) = value {
                if let Hint::Node(node, 0) = hint {
                    state.own[own.0].node.get_or_insert(node);
                }
                if matches!(state.own[own.0].kind, Kind::Plain | Kind::Outside) {
                    // Only what was asked for by `outside` gets here with success: the callee may write to it.
                    self.callee_may_write(state, *own, function, position, span)?;
                    syms.push(self.fresh());
                    continue;
                }
            }
            if self.is_function_pointer(types.get(position).copied().flatten())
                && self.given(state, value) < Some(self.callback_of(function))
            {
                return Err(Stop::new(Why::NoFunction, span));
            }
            let s = self.publish(state, value, span)?;
            syms.push(s);
            match hint {
                Hint::Node(..) if fault!(35) => {}
                Hint::Node(node, _) => self.need_node(state, node, s, Why::BadArgument, span)?,
                Hint::Cell(node) => {
                    let good = state.is_cell(&self.nodes, node, s);
                    if !self.obligation(state, &good) {
                        return Err(Stop::new(Why::BadArgument, span));
                    }
                    self.cells_usable(state, span)?;
                    cells.insert(node);
                }
                Hint::None | Hint::Data(..) | Hint::Area(_) => {}
            }
        }
        if !fault!(34) {
            self.constraint_holds(state, span)?;
        }
        // All links are closed here, so none holds junk.
        state.junk.clear();
        if !fault!(37) {
            state.data.clear();
        }
        let summary = self.summaries[&function].clone();
        // Callers must expect these as well; of a call through a pointer they would not know.
        if !fault!(52) {
            self.touched.extend(&summary.changes);
        }
        for &link in summary.changes.iter().filter(|_| !fault!(36)) {
            let new = self.version();
            if summary.keeps.contains(&link) {
                state.path.push(is_kept(state.links[link.0], new));
            }
            state.links[link.0] = new;
            state.path.push(is_closed(&self.nodes, &state.cells, link, new));
            // What is there no longer is no node to the callee.
            let to = self.nodes.links[link.0].to;
            let dead = state.dead.iter().filter(|(of, _)| *of == to);
            let unlinked: Vec<Formula> = dead.map(|(_, a)| is_unlinked(new, *a)).collect();
            state.path.extend(unlinked);
        }
        cells.extend(self.globals.cell_types());
        if !fault!(56) {
            cells.extend(self.nodes.slot_types());
        }
        for node in cells {
            self.forget_cells(state, node);
        }
        let result_type = self.result_type(function);
        for (position, reg) in results.iter().enumerate() {
            let s = self.fresh();
            let hint = if position == 0 { self.hint_of(result_type) } else { Hint::None };
            if let Hint::Node(node, _) = hint {
                state.path.push(is_node(&self.nodes, node, s));
                state.given.insert((node, s));
                let dead = state.dead.iter().filter(|(of, _)| *of == node);
                let apart: Vec<Formula> = dead.map(|(_, a)| differs(s, *a)).collect();
                state.path.extend(apart);
                if summary.result_not_null {
                    state.path.push(differs(s, Sym::ZERO));
                    state.zero.insert(s, false);
                }
                for &argument in &summary.not_null_if {
                    let given = syms[argument];
                    state.path.push(Formula::Or(vec![equal(given, Sym::ZERO), differs(s, Sym::ZERO)]));
                }
            }
            let hint = if matches!(hint, Hint::Node(..)) { hint } else { Hint::None };
            self.set(state, *reg, Value::Sym(s, hint));
        }
        Ok(())
    }

    /// Own memory is passed to a function that requires memory outside of nodes there.
    fn callee_may_write(
        &mut self,
        state: &mut State,
        own: Own,
        function: FuncId,
        position: usize,
        span: Span,
    ) -> Result<(), Stop> {
        let program = self.program;
        let info = &program.functions[function];
        let name = info.body.as_ref().and_then(|b| parameter_names(b).get(position).cloned().flatten());
        let texts = self.environment.requires.get(&info.name).into_iter().flatten();
        let outside = |c: &Condition| matches!(c, Condition::Outside(of, _) | Condition::OutsideMany(of, _) if Some(of) == name.as_ref());
        let asked = texts.filter_map(|t| all_conditions(t)).flatten().any(|c| outside(&c));
        if !asked {
            let why = Why::Unsupported("the address of a local that is stored or passed on");
            return Err(Stop::new(why, span));
        }
        let memory = &mut state.own[own.0];
        memory.content.clear();
        memory.zeroed = false;
        Ok(())
    }

    /// Cells outside of nodes may have changed; they are still there and hold nodes.
    pub(crate) fn forget_cells(&mut self, state: &mut State, node: NodeType) {
        let new = self.version();
        state.cells[node.0] = new;
        state.path.push(cells_closed(&self.nodes, node, new));
        state.path.extend(cells_outside(&self.nodes, node, new));
        let dead = state.dead.iter().filter(|(of, _)| *of == node);
        let unlinked: Vec<Formula> = dead.map(|(_, a)| is_unlinked(new, *a)).collect();
        state.path.extend(unlinked);
        let mut known: Vec<Sym> = Vec::new();
        for frame in &state.frames {
            for place in frame.locals.values() {
                if let Place::Cell(address, of) = place
                    && *of == node
                {
                    known.push(*address);
                }
            }
        }
        known.extend(state.cell_of.iter().filter(|(_, c)| **c == CellOf::Outside(node)).map(|(s, _)| *s));
        for s in known {
            state.path.push(Formula::holds("dom", vec![heap(new), s.term()]));
        }
        self.cell_links_closed(state, node, &BTreeSet::new());
    }

    /// Links to cells lead to cells of the present version as well.
    pub(crate) fn cell_links_closed(&self, state: &mut State, node: NodeType, open: &BTreeSet<Link>) {
        for (link, _) in self.nodes.cell_links_to(node).filter(|(link, _)| !open.contains(link)) {
            let closed = is_closed(&self.nodes, &state.cells, link, state.links[link.0]);
            state.path.push(closed);
        }
    }
}

/// Whether the address of a compound literal is kept, whose life is not known.
pub(crate) fn lives_unknown(body: &heapproof_ir::Body) -> bool {
    body.locals.values().any(|local| local.unmarked) && heapproof_ir::scope::escape(body).is_some()
}
