//! Functions: cut points, facts at loop heads and about results (found by dropping what does not hold), and the proof.

use crate::exec::Ended;
use crate::nodes::{Content, Link, NodeType};
use crate::requires::{Condition, conditions};
use crate::state::*;
use crate::{Analysis, FunctionResult, Stop, Summary, Why, not_null};
use heapproof_chr::syntax::Formula;
use heapproof_ir::cfg::Cfg;
use heapproof_ir::dominators::Dominators;
use heapproof_ir::inst::Operand;
use heapproof_ir::liveness::Liveness;
use heapproof_ir::loops::Loops;
use heapproof_ir::{BlockId, Body, Callee, FuncId, InstKind, LocalId, Reg, Span};
use std::collections::{BTreeMap, BTreeSet};

/// What holds at a loop head besides the constraint.
#[derive(Clone, Debug, Default, PartialEq)]
struct Facts {
    seen: bool,
    /// Variables that are not null.
    not_null: BTreeSet<Reg>,
    /// Arguments that were not null at the entry.
    argument: BTreeSet<usize>,
    /// If the argument was not null at the entry, the variable is not.
    if_argument: BTreeSet<(usize, Reg)>,
    /// Variables that hold the address of a block that nobody else knows.
    kept: BTreeMap<Reg, Kept>,
    /// Variables that hold the address of other own memory.
    plain: BTreeMap<Reg, (Own, i128)>,
}

#[derive(Clone, Debug, PartialEq)]
struct Kept {
    size: i128,
    node: Option<NodeType>,
    /// Links that hold null or a node, by offset.
    good: BTreeSet<i128>,
}

struct Shape {
    heads: Vec<BlockId>,
    live: BTreeMap<BlockId, Vec<Reg>>,
    arguments: Vec<Sym>,
}

const MOST_ROUNDS: usize = 12;

impl Analysis<'_> {
    /// All functions with a body.
    pub(crate) fn run(&mut self) -> Vec<FunctionResult> {
        let functions: Vec<FuncId> =
            self.program.functions.iter().filter(|(_, f)| f.body.is_some()).map(|(id, _)| id).collect();
        self.find_loop_free(&functions);
        self.first_summaries(&functions);
        // Facts about results: all are believed at first, and dropped until what is left supports itself.
        let mut found: BTreeMap<FuncId, Result<BTreeMap<BlockId, Facts>, Stop>> = BTreeMap::new();
        let mut pending: BTreeSet<FuncId> = functions.iter().copied().collect();
        while !pending.is_empty() {
            let round: Vec<FuncId> = std::mem::take(&mut pending).into_iter().collect();
            for function in round {
                self.uses.clear();
                let before = self.summaries[&function].clone();
                let result = self.find_facts(function);
                if result.is_err()
                    && let Some(summary) = self.summaries.get_mut(&function)
                {
                    summary.result_not_null = false;
                    summary.not_null_if.clear();
                }
                found.insert(function, result);
                let after = &self.summaries[&function];
                if before.result_not_null != after.result_not_null || before.not_null_if != after.not_null_if
                {
                    pending.extend(self.callers(function));
                }
            }
        }
        let mut results = Vec::new();
        for function in functions {
            self.uses.clear();
            let goals = self.goals;
            let started = std::time::Instant::now();
            let result = match found.remove(&function) {
                Some(Ok(facts)) => self.prove(function, &facts),
                Some(Err(stop)) => Err(stop),
                None => Ok(()),
            };
            results.push(FunctionResult {
                function,
                name: self.program.functions[function].name.clone(),
                result,
                uses: self.uses.clone(),
                goals: self.goals - goals,
                elapsed: started.elapsed(),
            });
        }
        spread(self.program, &mut results);
        results
    }

    fn find_loop_free(&mut self, functions: &[FuncId]) {
        for &function in functions {
            let Some(body) = &self.program.functions[function].body else { continue };
            let cfg = Cfg::new(body);
            let loops = Loops::new(&cfg, &Dominators::new(&cfg));
            if loops.iter().next().is_none() && loops.irreducible_edges().is_empty() {
                self.loop_free.insert(function);
            }
        }
    }

    fn callers(&self, callee: FuncId) -> Vec<FuncId> {
        // Calls may be entered through functions without loops, so callers of callers count as well.
        let mut found = BTreeSet::new();
        let mut todo = vec![callee];
        while let Some(callee) = todo.pop() {
            for (id, function) in self.program.functions.iter() {
                let Some(body) = &function.body else { continue };
                let calls = body.blocks.values().flat_map(|b| &b.insts).any(
                    |i| matches!(i.kind, InstKind::Call { callee: Callee::Direct(f), .. } if f == callee),
                );
                if calls && found.insert(id) {
                    todo.push(id);
                }
            }
        }
        found.into_iter().collect()
    }

    /// Which links a function may change, and the facts about its result that are believed at first.
    fn first_summaries(&mut self, functions: &[FuncId]) {
        let mut changes: BTreeMap<FuncId, BTreeSet<Link>> = BTreeMap::new();
        for &function in functions {
            changes.insert(function, self.own_changes(function));
        }
        loop {
            let mut grown = false;
            for &function in functions {
                let Some(body) = &self.program.functions[function].body else { continue };
                let mut all = changes[&function].clone();
                for inst in body.blocks.values().flat_map(|b| &b.insts) {
                    if let InstKind::Call { callee: Callee::Direct(f), .. } = inst.kind
                        && let Some(more) = changes.get(&f)
                    {
                        all.extend(more);
                    }
                }
                grown |= all.len() > changes[&function].len();
                changes.insert(function, all);
            }
            if !grown {
                break;
            }
        }
        for &function in functions {
            let node = self.result_node(function);
            let types = self.parameter_types(function);
            let pointers = (0..types.len()).filter(|&i| matches!(self.hint_of(types[i]), Hint::Node(..)));
            let summary = Summary {
                changes: changes.remove(&function).unwrap_or_default(),
                result_not_null: node.is_some(),
                not_null_if: if node.is_some() { pointers.collect() } else { BTreeSet::new() },
            };
            self.summaries.insert(function, summary);
        }
    }

    /// Links that the function's own stores may change.
    fn own_changes(&self, function: FuncId) -> BTreeSet<Link> {
        let all: BTreeSet<Link> = (0..self.nodes.links.len()).map(Link).collect();
        let Some(body) = &self.program.functions[function].body else { return all };
        let mut changes = BTreeSet::new();
        let mut fields: BTreeMap<Reg, Option<(NodeType, i128)>> = BTreeMap::new();
        for inst in body.blocks.values().flat_map(|b| &b.insts) {
            for &reg in inst.kind.defs() {
                let field = match &inst.kind {
                    InstKind::PtrAdd { offset, index: None, within: Some(t), .. } => {
                        self.nodes.struct_type(self.program, *t).map(|n| (n, i128::from(*offset)))
                    }
                    _ => None,
                };
                fields
                    .entry(reg)
                    .and_modify(|f| *f = if *f == field { field } else { None })
                    .or_insert(field);
            }
        }
        for inst in body.blocks.values().flat_map(|b| &b.insts) {
            match &inst.kind {
                InstKind::Store { ptr: Operand::Local(_), .. } => {}
                InstKind::Store { ptr: Operand::Reg(reg), .. } => match fields.get(reg).copied().flatten() {
                    Some((node, offset)) => {
                        let at = |l: &&Link| {
                            self.nodes.links[l.0].of == node && self.nodes.links[l.0].offset == offset
                        };
                        changes.extend(all.iter().filter(at));
                    }
                    None => changes.extend(&all),
                },
                InstKind::Store { .. } | InstKind::CopyBlock { .. } => changes.extend(&all),
                _ => {}
            }
        }
        changes
    }

    fn shape(&mut self, function: FuncId, body: &Body) -> Result<Shape, Stop> {
        let cfg = Cfg::new(body);
        let loops = Loops::new(&cfg, &Dominators::new(&cfg));
        if !loops.irreducible_edges().is_empty() {
            return Err(Stop::new(
                Why::Unsupported("a jump into a loop"),
                self.program.functions[function].span,
            ));
        }
        let heads: Vec<BlockId> = loops.iter().map(|(_, l)| l.header).collect();
        let liveness = Liveness::new(body, &cfg);
        let live = heads.iter().map(|&h| (h, liveness.live_in(h).collect())).collect();
        let arguments = body.params.iter().map(|_| self.fresh()).collect();
        Ok(Shape { heads, live, arguments })
    }

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
                Hint::Node(node, _) => {
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
                _ => Place::Own(plain(state, i128::from(local.size))),
            };
            frame.locals.insert(id, place);
        }
        frame
    }

    /// A state in which nothing is known but the constraint.
    fn empty_state(&mut self) -> State {
        let links: Vec<u32> = (0..self.nodes.links.len()).map(|_| self.version()).collect();
        let cells: Vec<u32> = (0..self.nodes.types.len()).map(|_| self.version()).collect();
        let mut path = Vec::new();
        for (index, &version) in links.iter().enumerate() {
            path.push(is_closed(&self.nodes, Link(index), version));
        }
        for (index, &version) in cells.iter().enumerate() {
            path.push(cells_closed(&self.nodes, NodeType(index), version));
        }
        State {
            frames: Vec::new(),
            path,
            links,
            cells,
            changed_links: BTreeSet::new(),
            changed_cells: BTreeSet::new(),
            own: Vec::new(),
            valid: BTreeSet::new(),
            zero: BTreeMap::new(),
            cell_of: BTreeMap::new(),
            read: BTreeMap::new(),
            cells_ended: false,
            steps: 0,
        }
    }

    /// The state at the entry of the function.
    fn entry(&mut self, function: FuncId, body: &Body, shape: &Shape) -> State {
        let mut state = self.empty_state();
        let outside = self.outside_parameters(function, body, &mut state);
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
                Hint::Node(node, _) => state.path.push(is_node(&self.nodes, node, s)),
                Hint::Cell(node) => {
                    let cell = state.is_cell(&self.nodes, node, s);
                    state.path.push(cell);
                }
                Hint::None => {}
            }
            frame.regs.insert(reg, value);
        }
        for index in self.required_not_null(function, body) {
            state.path.push(not_null(shape.arguments[index]));
        }
        state.frames.push(frame);
        state
    }

    fn parameter_names(&self, function: FuncId, body: &Body) -> Vec<Option<String>> {
        // A parameter's register is copied into the register or local of its variable at the entry.
        let mut names = vec![None; body.params.len()];
        let _ = function;
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

    fn conditions(&self, function: FuncId) -> Vec<Condition> {
        let text = self.requires.get(&self.program.functions[function].name);
        text.into_iter().flatten().flat_map(|t| conditions(t)).collect()
    }

    fn required_not_null(&self, function: FuncId, body: &Body) -> Vec<usize> {
        let names = self.parameter_names(function, body);
        let wanted = self.conditions(function);
        (0..names.len())
            .filter(|&i| names[i].as_ref().is_some_and(|n| wanted.contains(&Condition::NotNull(n.clone()))))
            .collect()
    }

    /// Parameters that point to memory outside of nodes, each with a piece of own memory.
    fn outside_parameters(
        &mut self,
        function: FuncId,
        body: &Body,
        state: &mut State,
    ) -> BTreeMap<usize, Own> {
        let names = self.parameter_names(function, body);
        let types = self.parameter_types(function);
        let mut found = BTreeMap::new();
        for condition in self.conditions(function) {
            let Condition::Outside(name, count) = condition else { continue };
            let Some(index) = names.iter().position(|n| n.as_deref() == Some(&name)) else { continue };
            let element = types[index].and_then(|t| heapproof_ir::ctype::pointee(&self.program.types, t));
            let bytes = self.program.target.pointer_bytes();
            let size = element.and_then(|t| heapproof_ir::ctype::size_of(&self.program.types, t, bytes));
            if let Some(size) = size {
                let size = i128::from(size) * i128::from(count);
                found.insert(index, plain(state, size));
            }
        }
        found
    }

    /// The state at a loop head: the constraint and the facts.
    fn head_state(
        &mut self,
        function: FuncId,
        body: &Body,
        shape: &Shape,
        head: BlockId,
        facts: &Facts,
    ) -> State {
        let mut state = self.empty_state();
        self.outside_parameters(function, body, &mut state);
        let mut frame = self.new_frame(&mut state, function);
        // The function's own cells hold nodes at a loop head like all others.
        for node in 0..self.nodes.types.len() {
            let node = NodeType(node);
            if state.changed_cells.remove(&node) {
                let new = self.version();
                state.cells[node.0] = new;
                state.path.push(cells_closed(&self.nodes, node, new));
                for place in frame.locals.values() {
                    if let Place::Cell(address, of) = place
                        && *of == node
                    {
                        state.path.push(Formula::holds("dom", vec![heap(new), address.term()]));
                    }
                }
            }
        }
        for &argument in &facts.argument {
            state.path.push(not_null(shape.arguments[argument]));
        }
        for &reg in &shape.live[&head] {
            if let Some(kept) = facts.kept.get(&reg) {
                let own = self.kept_block(&mut state, kept);
                frame.regs.insert(reg, Value::Own(own, 0));
                continue;
            }
            if let Some(&(own, offset)) = facts.plain.get(&reg) {
                frame.regs.insert(reg, Value::Own(own, offset));
                continue;
            }
            let hint = self.variable_hint(body, reg);
            let s = self.fresh();
            match hint {
                Hint::Node(node, _) => {
                    state.path.push(is_node(&self.nodes, node, s));
                    if facts.not_null.contains(&reg) {
                        state.path.push(not_null(s));
                        state.zero.insert(s, false);
                    }
                    for &(argument, of) in &facts.if_argument {
                        if of == reg {
                            state.path.push(Formula::Or(vec![
                                equal(shape.arguments[argument], Sym::ZERO),
                                not_null(s),
                            ]));
                        }
                    }
                }
                Hint::Cell(node) => {
                    let cell = state.is_cell(&self.nodes, node, s);
                    state.path.push(cell);
                }
                Hint::None => {}
            }
            frame.regs.insert(reg, Value::Sym(s, hint));
        }
        frame.block = head;
        state.frames.push(frame);
        state
    }

    fn kept_block(&mut self, state: &mut State, kept: &Kept) -> Own {
        let mut content = BTreeMap::new();
        let pointer = i128::from(self.program.target.pointer_bytes());
        if let Some(node) = kept.node {
            for field in self.nodes.types[node.0].fields.clone() {
                if let Content::Link(link) = field.content
                    && kept.good.contains(&field.offset)
                {
                    let to = self.nodes.links[link.0].to;
                    let s = self.fresh();
                    state.path.push(is_node(&self.nodes, to, s));
                    content.insert(field.offset, (pointer, Value::Sym(s, Hint::Node(to, 0))));
                }
            }
        }
        state.own.push(Memory {
            kind: Kind::Block,
            size: kept.size,
            node: kept.node,
            content,
            zeroed: false,
            became: None,
        });
        Own(state.own.len() - 1)
    }

    fn variable_hint(&self, body: &Body, reg: Reg) -> Hint {
        body.regs[reg].variable.as_ref().map_or(Hint::None, |v| self.hint_of(v.ctype))
    }

    /// Looks for facts until they support themselves.
    fn find_facts(&mut self, function: FuncId) -> Result<BTreeMap<BlockId, Facts>, Stop> {
        self.checking = false;
        let program = self.program;
        let Some(body) = &program.functions[function].body else { return Ok(BTreeMap::new()) };
        self.check_signature(function)?;
        let shape = self.shape(function, body)?;
        let mut facts: BTreeMap<BlockId, Facts> =
            shape.heads.iter().map(|&h| (h, Facts::default())).collect();
        for _ in 0..MOST_ROUNDS {
            let before = facts.clone();
            for start in self.starts(function, body, &shape, &facts) {
                for ended in self.paths(start, &shape.heads)? {
                    match ended {
                        Ended::Head(head, state) => self.arrive(body, &shape, head, state, &mut facts)?,
                        Ended::Return(state, values) => self.returned(function, &shape, state, &values)?,
                    }
                }
            }
            if before == facts {
                return Ok(facts);
            }
        }
        Err(Stop::new(Why::Limit("the facts at loop heads did not settle"), program.functions[function].span))
    }

    fn check_signature(&self, function: FuncId) -> Result<(), Stop> {
        let info = &self.program.functions[function];
        let known = self.parameter_types(function).iter().all(Option::is_some);
        let cell = matches!(self.hint_of(self.result_type(function)), Hint::Cell(_));
        if info.variadic || !known || cell || info.results.len() > 1 {
            return Err(Stop::new(Why::Unsupported("this signature"), info.span));
        }
        Ok(())
    }

    fn starts(
        &mut self,
        function: FuncId,
        body: &Body,
        shape: &Shape,
        facts: &BTreeMap<BlockId, Facts>,
    ) -> Vec<State> {
        let mut starts = vec![self.entry(function, body, shape)];
        for (&head, known) in facts.iter().filter(|(_, f)| f.seen) {
            starts.push(self.head_state(function, body, shape, head, known));
        }
        starts
    }

    /// A path reaches a loop head: facts that do not hold there are dropped.
    fn arrive(
        &mut self,
        body: &Body,
        shape: &Shape,
        head: BlockId,
        mut state: State,
        facts: &mut BTreeMap<BlockId, Facts>,
    ) -> Result<(), Stop> {
        let first = !facts[&head].seen;
        let mut known = facts[&head].clone();
        known.seen = true;
        let span = body.blocks[head].term_span;
        if state.cells_ended {
            return Err(Stop::new(Why::Unsupported("a pointer to a variable whose scope may be over"), span));
        }
        let mut blocks = BTreeMap::new();
        let mut plains = BTreeMap::new();
        let lasting = |own: Own, state: &State| {
            let scoped = |(id, place): (&LocalId, &Place)| {
                matches!(place, Place::Own(o) if *o == own) && body.locals[*id].scoped
            };
            !state.frames[0].locals.iter().any(scoped)
        };
        let live = &shape.live[&head];
        for &reg in live {
            match self.eval(&mut state, &Operand::Reg(reg))? {
                Value::Own(own, offset) if state.own[own.0].kind == Kind::Plain => {
                    if lasting(own, &state) {
                        plains.insert(reg, (own, offset));
                    }
                }
                Value::Own(own, 0) => {
                    blocks.insert(reg, own);
                }
                _ => {}
            }
        }
        // A block that two variables name, or that another block names, is not kept apart.
        let named_twice = |own: Own, state: &State| {
            let all: usize = live
                .iter()
                .filter(|r| matches!(state.frames[0].regs.get(r), Some(Value::Own(o, _)) if *o == own))
                .count();
            let inside = state
                .own
                .iter()
                .flat_map(|m| m.content.values())
                .any(|(_, v)| matches!(v, Value::Own(o, _) if *o == own));
            all > 1 || inside
        };
        blocks.retain(|_, own| !named_twice(*own, &state));
        if first {
            known.plain = plains.clone();
            for (&reg, &own) in &blocks {
                let memory = &state.own[own.0];
                let good = memory.node.map(|n| self.present_links(n, memory)).unwrap_or_default();
                known.kept.insert(reg, Kept { size: memory.size, node: memory.node, good });
            }
        }
        known.plain.retain(|reg, place| plains.get(reg) == Some(place));
        known.kept.retain(|reg, kept| {
            blocks
                .get(reg)
                .is_some_and(|own| state.own[own.0].size == kept.size && state.own[own.0].node == kept.node)
        });
        for (reg, kept) in &mut known.kept {
            let own = blocks[reg];
            for offset in kept.good.clone() {
                if !self.block_link_is_good(&mut state, own, kept.node, offset, span)? {
                    kept.good.remove(&offset);
                }
            }
        }
        for &reg in live {
            let value = self.eval(&mut state, &Operand::Reg(reg))?;
            if !known.kept.contains_key(&reg) && !known.plain.contains_key(&reg) {
                self.publish(&mut state, &value, span)?;
            }
        }
        self.pointer_facts(body, shape, live, &mut state, &mut known, first)?;
        facts.insert(head, known);
        Ok(())
    }

    fn pointer_facts(
        &mut self,
        body: &Body,
        shape: &Shape,
        live: &[Reg],
        state: &mut State,
        known: &mut Facts,
        first: bool,
    ) -> Result<(), Stop> {
        let mut pointers = BTreeMap::new();
        for &reg in live {
            let node = matches!(self.variable_hint(body, reg), Hint::Node(..));
            if node
                && !known.kept.contains_key(&reg)
                && let Value::Sym(s, _) = self.eval(state, &Operand::Reg(reg))?
            {
                pointers.insert(reg, s);
            }
        }
        let arguments = 0..shape.arguments.len();
        if first {
            known.not_null = pointers.keys().copied().collect();
            known.argument = arguments.clone().collect();
            known.if_argument = arguments.flat_map(|a| pointers.keys().map(move |r| (a, *r))).collect();
        }
        for reg in known.not_null.clone() {
            let shown = pointers.get(&reg).is_some_and(|&s| self.not_null_known(state, s));
            if !shown {
                known.not_null.remove(&reg);
            }
        }
        for argument in known.argument.clone() {
            if !self.not_null_known(state, shape.arguments[argument]) {
                known.argument.remove(&argument);
            }
        }
        // What holds anyway need not be said under a condition.
        let (not_null_regs, plain_arguments) = (known.not_null.clone(), known.argument.clone());
        for (argument, reg) in known.if_argument.clone() {
            let s = pointers.get(&reg).copied();
            let shown = not_null_regs.contains(&reg)
                || !plain_arguments.contains(&argument)
                    && s.is_some_and(|s| {
                        let implied =
                            Formula::Or(vec![equal(shape.arguments[argument], Sym::ZERO), not_null(s)]);
                        self.holds(state, &implied)
                    });
            if !shown {
                known.if_argument.remove(&(argument, reg));
            }
        }
        Ok(())
    }

    fn not_null_known(&mut self, state: &State, s: Sym) -> bool {
        match state.known_zero(s) {
            Some(zero) => !zero,
            None => self.holds(state, &not_null(s)),
        }
    }

    fn present_links(&self, node: NodeType, memory: &Memory) -> BTreeSet<i128> {
        let fields = &self.nodes.types[node.0].fields;
        let present = |offset: i128| memory.zeroed || memory.content.contains_key(&offset);
        fields
            .iter()
            .filter(|f| matches!(f.content, Content::Link(_)) && present(f.offset))
            .map(|f| f.offset)
            .collect()
    }

    /// Whether a link of a block that is kept apart holds null or a node.
    fn block_link_is_good(
        &mut self,
        state: &mut State,
        own: Own,
        node: Option<NodeType>,
        offset: i128,
        span: Span,
    ) -> Result<bool, Stop> {
        let Some(node) = node else { return Ok(false) };
        let pointer = i128::from(self.program.target.pointer_bytes());
        let Some(field) = self.nodes.field(node, offset, pointer).cloned() else { return Ok(false) };
        let Content::Link(link) = field.content else { return Ok(false) };
        let memory = &state.own[own.0];
        if !memory.zeroed && !memory.content.contains_key(&offset) {
            return Ok(false);
        }
        let Some((_, value)) = memory.content.get(&offset).cloned() else { return Ok(true) };
        let s = self.publish(state, &value, span)?;
        let good = is_node(&self.nodes, self.nodes.links[link.0].to, s);
        Ok(self.holds(state, &good))
    }

    /// A path returns: facts about the result that do not hold are dropped.
    fn returned(
        &mut self,
        function: FuncId,
        shape: &Shape,
        mut state: State,
        values: &[Value],
    ) -> Result<(), Stop> {
        if self.result_node(function).is_none() {
            return Ok(());
        }
        let Some(value) = values.first() else { return Ok(()) };
        let result = match value {
            Value::Sym(s, _) => *s,
            _ => return Ok(()),
        };
        let summary = self.summaries[&function].clone();
        let mut kept = summary.clone();
        if summary.result_not_null && !self.not_null_known(&state, result) {
            kept.result_not_null = false;
        }
        if !kept.result_not_null {
            for &argument in &summary.not_null_if {
                let implied =
                    Formula::Or(vec![equal(shape.arguments[argument], Sym::ZERO), not_null(result)]);
                if !self.holds(&state, &implied) {
                    kept.not_null_if.remove(&argument);
                }
            }
        }
        state.steps += 1;
        self.summaries.insert(function, kept);
        Ok(())
    }

    /// The constraint holds here; what was changed must be shown to keep it.
    pub(crate) fn constraint_holds(&mut self, state: &mut State, span: Span) -> Result<(), Stop> {
        for link in std::mem::take(&mut state.changed_links) {
            let closed = is_closed(&self.nodes, link, state.links[link.0]);
            if !self.obligation(state, &closed) {
                return Err(Stop::new(Why::NotClosed, span));
            }
            state.path.push(closed);
        }
        for node in std::mem::take(&mut state.changed_cells) {
            let closed = cells_closed(&self.nodes, node, state.cells[node.0]);
            if !self.obligation(state, &closed) {
                return Err(Stop::new(Why::NotClosed, span));
            }
            state.path.push(closed);
        }
        Ok(())
    }

    /// The proof of one function with the facts that were found.
    fn prove(&mut self, function: FuncId, facts: &BTreeMap<BlockId, Facts>) -> Result<(), Stop> {
        let program = self.program;
        let Some(body) = &program.functions[function].body else { return Ok(()) };
        let shape = self.shape(function, body)?;
        self.checking = true;
        self.touched.clear();
        let result = self.prove_paths(function, body, &shape, facts);
        self.checking = false;
        if !self.touched.is_subset(&self.summaries[&function].changes) {
            let why = Why::Limit("a link is changed in a way that callers would not expect");
            return result.and(Err(Stop::new(why, program.functions[function].span)));
        }
        result
    }

    fn prove_paths(
        &mut self,
        function: FuncId,
        body: &Body,
        shape: &Shape,
        facts: &BTreeMap<BlockId, Facts>,
    ) -> Result<(), Stop> {
        for start in self.starts(function, body, shape, facts) {
            for ended in self.paths(start, &shape.heads)? {
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
        for &reg in &shape.live[&head] {
            if facts.kept.contains_key(&reg) || facts.plain.contains_key(&reg) {
                continue;
            }
            let value = self.eval(state, &Operand::Reg(reg))?;
            let hint = self.variable_hint(body, reg);
            let s = self.publish(state, &value, span)?;
            let good = match hint {
                Hint::Node(node, _) => is_node(&self.nodes, node, s),
                Hint::Cell(node) => state.is_cell(&self.nodes, node, s),
                Hint::None => continue,
            };
            if !self.obligation(state, &good) {
                return Err(Stop::new(Why::BadPointer, span));
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
        self.constraint_holds(state, span)
    }

    fn good_at_return(&mut self, function: FuncId, state: &mut State, values: &[Value]) -> Result<(), Stop> {
        let block = state.frames[0].block;
        let span =
            self.program.functions[function].body.as_ref().map_or(Span::NONE, |b| b.blocks[block].term_span);
        for value in values {
            if let (Value::Own(own, 0), Some(node)) = (value, self.result_node(function)) {
                state.own[own.0].node.get_or_insert(node);
            }
            // A block that is given back without a type is not a node yet: it concerns nobody but the caller.
            let untyped = matches!(value, Value::Own(own, _) if state.own[own.0].node.is_none() && state.own[own.0].kind == Kind::Block);
            if untyped && self.result_node(function).is_none() {
                continue;
            }
            let s = self.publish(state, value, span)?;
            if let Some(node) = self.result_node(function) {
                let good = is_node(&self.nodes, node, s);
                if !self.obligation(state, &good) {
                    return Err(Stop::new(Why::BadPointer, span));
                }
            }
        }
        // The function's own cells end here: they may hold anything. All others must hold nodes.
        for node in std::mem::take(&mut state.changed_cells) {
            let (s, t) = (self.fresh(), self.fresh());
            let mut bad = vec![
                Formula::holds("in", vec![heap(state.cells[node.0]), s.term(), t.term()]),
                is_node(&self.nodes, node, t).negated(),
            ];
            for place in state.frames[0].locals.values() {
                if let Place::Cell(address, _) = place {
                    bad.push(differs(s, *address));
                }
            }
            if !self.obligation(state, &Formula::And(bad).negated()) {
                return Err(Stop::new(Why::NotClosed, span));
            }
        }
        self.constraint_holds(state, span)
    }
}

fn plain(state: &mut State, size: i128) -> Own {
    state.own.push(Memory {
        kind: Kind::Plain,
        size,
        node: None,
        content: BTreeMap::new(),
        zeroed: false,
        became: None,
    });
    Own(state.own.len() - 1)
}

/// A function that rests on one that is not proved is not proved.
fn spread(program: &heapproof_ir::Program, results: &mut [FunctionResult]) {
    loop {
        let bad: BTreeSet<FuncId> =
            results.iter().filter(|r| r.result.is_err()).map(|r| r.function).collect();
        let mut changed = false;
        for result in results.iter_mut().filter(|r| r.result.is_ok()) {
            if let Some(callee) = result.uses.iter().find(|f| bad.contains(f)) {
                let name = program.functions[*callee].name.clone();
                result.result = Err(Stop::new(Why::Callee(name), program.functions[result.function].span));
                changed = true;
            }
        }
        if !changed {
            return;
        }
    }
}
