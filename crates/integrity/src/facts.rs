//! Facts at loop heads and about results: found by dropping what does not hold.

use crate::callbacks::Given;
use crate::calls::lives_unknown;
use crate::exec::Ended;
use crate::ranges::{Range, thresholds};
use crate::state::*;
use crate::{Analysis, Stop, Why, not_null};
use heapproof_chr::syntax::Formula;
use heapproof_ir::cfg::Cfg;
use heapproof_ir::dominators::Dominators;
use heapproof_ir::inst::Operand;
use heapproof_ir::liveness::Liveness;
use heapproof_ir::loops::Loops;
use heapproof_ir::nodes::{Content, Link, LinkInfo, NodeType};
use heapproof_ir::{BlockId, Body, FuncId, LocalId, Reg, Span, Ty};
use std::collections::{BTreeMap, BTreeSet};

/// What holds at a loop head besides the constraint.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Facts {
    pub(crate) seen: bool,
    /// Variables that are not null.
    pub(crate) not_null: BTreeSet<Reg>,
    /// Arguments that were not null at the entry.
    pub(crate) argument: BTreeSet<usize>,
    /// If the argument was not null at the entry, the variable is not.
    pub(crate) if_argument: BTreeSet<(usize, Reg)>,
    /// Variables that hold the address of a block that nobody else knows.
    pub(crate) kept: BTreeMap<Reg, Kept>,
    /// Locals of node types that nobody else knows.
    pub(crate) private: BTreeSet<LocalId>,
    /// Heaps that do not hold the address of a local of a node type.
    pub(crate) unlinked: BTreeSet<(LocalId, Where)>,
    /// The same of a link in all nodes but that of a variable.
    pub(crate) unlinked_but: BTreeSet<(LocalId, Link, Reg)>,
    /// Variables that are not the address of a local.
    pub(crate) not_local: BTreeSet<(LocalId, Reg)>,
    /// Links that are not closed; but they are, if the node of any of these variables is left out.
    pub(crate) open: BTreeMap<Link, BTreeSet<Reg>>,
    /// Variables that are at most an argument, as numbers without sign of the same width.
    pub(crate) below: BTreeSet<(Reg, usize)>,
    /// The least and the greatest value of numbers.
    pub(crate) ranges: BTreeMap<Reg, Range>,
    /// One of two variables is not null.
    pub(crate) either: BTreeSet<(Reg, Reg)>,
    /// Variables that differ.
    pub(crate) differ: BTreeSet<(Reg, Reg)>,
    /// Some links lead from the node of the first variable to that of the second.
    pub(crate) reach: BTreeSet<(Link, Reg, Reg)>,
    /// Locals whose scope is over, or has not begun, on some way.
    pub(crate) ended: BTreeSet<LocalId>,
    /// Variables that hold a function which touches no nodes.
    pub(crate) functions: BTreeMap<Reg, Given>,
    /// Variables that hold the address of other own memory.
    pub(crate) plain: BTreeMap<Reg, (Own, i128)>,
}

impl Facts {
    /// What is said of the function's own memory.
    fn own(&self) -> (BTreeSet<LocalId>, Vec<Reg>, Vec<Reg>) {
        (self.private.clone(), self.plain.keys().copied().collect(), self.kept.keys().copied().collect())
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Kept {
    pub(crate) size: i128,
    pub(crate) node: Option<NodeType>,
    /// Links that hold null or a node, by offset.
    pub(crate) good: BTreeSet<i128>,
}

/// What does not change while facts are looked for.
pub(crate) struct Shape {
    pub(crate) heads: Vec<BlockId>,
    pub(crate) live: BTreeMap<BlockId, Vec<Reg>>,
    pub(crate) arguments: Vec<Sym>,
    /// Numbers at which ranges may stop to grow.
    pub(crate) thresholds: Vec<i128>,
}

/// A heap that may hold addresses of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Where {
    /// A link of all nodes.
    Link(Link),
    /// The cells outside of nodes.
    Cells(NodeType),
}

impl Where {
    /// Its present version.
    pub(crate) fn version(self, state: &State) -> u32 {
        match self {
            Where::Link(link) => state.links[link.0],
            Where::Cells(node) => state.cells[node.0],
        }
    }
}

const MOST_ROUNDS: usize = 60;
/// More pairs of variables are not looked at.
const MOST_PAIRS: usize = 60;

impl Analysis<'_> {
    pub(crate) fn shape(&mut self, function: FuncId, body: &Body) -> Result<Shape, Stop> {
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
        Ok(Shape { heads, live, arguments, thresholds: thresholds(body) })
    }

    /// Looks for facts until they support themselves.
    pub(crate) fn find_facts(&mut self, function: FuncId) -> Result<BTreeMap<BlockId, Facts>, Stop> {
        self.checking = false;
        let program = self.program;
        let Some(body) = &program.functions[function].body else { return Ok(BTreeMap::new()) };
        self.check_signature(function)?;
        let shape = self.shape(function, body)?;
        let mut facts: BTreeMap<BlockId, Facts> =
            shape.heads.iter().map(|&h| (h, Facts::default())).collect();
        'rounds: for _ in 0..MOST_ROUNDS {
            let before = facts.clone();
            for start in std::iter::once(None).chain(shape.heads.iter().copied().map(Some)) {
                let Some(state) = self.start(function, body, &shape, &facts, start) else { continue };
                for ended in self.paths(state, &shape.heads)? {
                    match ended {
                        Ended::Head(head, state) => {
                            let own = facts[&head].own();
                            let seen = facts[&head].seen;
                            self.arrive(body, &shape, head, state, &mut facts)?;
                            // What others know of own memory has changed: other paths began with something else.
                            if seen && facts[&head].own() != own {
                                continue 'rounds;
                            }
                        }
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

    pub(crate) fn check_signature(&self, function: FuncId) -> Result<(), Stop> {
        let info = &self.program.functions[function];
        let known = self.parameter_types(function).iter().all(Option::is_some);
        let cell = matches!(self.hint_of(self.result_type(function)), Hint::Cell(_));
        if info.variadic || !known || cell || info.results.len() > 1 {
            return Err(Stop::new(Why::Unsupported("this signature"), info.span));
        }
        if info.body.as_ref().is_some_and(lives_unknown) {
            let why = Why::Unsupported("a compound literal whose address is kept");
            return Err(Stop::new(why, info.span));
        }
        Ok(())
    }

    /// The state at the entry or at a loop head; none if the head was not reached yet.
    pub(crate) fn start(
        &mut self,
        function: FuncId,
        body: &Body,
        shape: &Shape,
        facts: &BTreeMap<BlockId, Facts>,
        head: Option<BlockId>,
    ) -> Option<State> {
        match head {
            None => Some(self.entry(function, body, shape)),
            Some(head) => {
                let known = facts.get(&head).filter(|f| f.seen)?;
                Some(self.head_state(function, body, shape, head, known))
            }
        }
    }

    /// A path reaches a loop head: facts that do not hold there are dropped.
    pub(crate) fn arrive(
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
        if (state.cells_ended || !state.dead.is_empty()) && !fault!(47) {
            let why = match state.freed {
                true => Why::Frees,
                false => {
                    Why::Unsupported("a variable of a loop that others may point to when its scope is over")
                }
            };
            return Err(Stop::new(why, span));
        }
        let over = |place: &Place| matches!(place, Place::Own(own) if state.own[own.0].size == 0);
        let locals = state.frames[0].locals.iter().filter(|(_, place)| over(place));
        if !fault!(19) {
            known.ended.extend(locals.map(|(local, _)| *local));
        }
        self.function_facts(body, &shape.live[&head], &mut state, &mut known, first)?;
        self.own_facts(body, &shape.live[&head], &mut state, &mut known, first, span)?;
        self.range_facts(body, shape, &shape.live[&head], &mut state, &mut known, first)?;
        self.pointer_facts(body, shape, &shape.live[&head], &mut state, &mut known, first)?;
        self.local_facts(body, &shape.live[&head], &mut state, &mut known, first)?;
        self.open_links(body, &shape.live[&head], &mut state, &mut known)?;
        facts.insert(head, known);
        Ok(())
    }

    /// Memory of the function itself that its variables name, and what becomes known to all.
    fn own_facts(
        &mut self,
        body: &Body,
        live: &[Reg],
        state: &mut State,
        known: &mut Facts,
        first: bool,
        span: Span,
    ) -> Result<(), Stop> {
        let mut blocks = BTreeMap::new();
        let mut plains = BTreeMap::new();
        let lasting = |own: Own, state: &State| {
            let scoped = |(id, place): (&LocalId, &Place)| {
                let is_it = matches!(place, Place::Own(o) if *o == own);
                is_it && body.locals[*id].scoped && state.own[own.0].kind != Kind::Stack
            };
            !state.own[own.0].freed && !state.frames[0].locals.iter().any(scoped)
        };
        for &reg in live {
            match self.eval(state, &Operand::Reg(reg))? {
                Value::Own(own, offset) if state.own[own.0].kind != Kind::Block && lasting(own, state) => {
                    plains.insert(reg, (own, offset));
                }
                Value::Own(own, _) if state.own[own.0].kind != Kind::Block => {}
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
            (all > 1 || inside) && !fault!(20)
        };
        blocks.retain(|_, own| !named_twice(*own, state));
        if first {
            known.plain = plains.clone();
            let stack = |place: &Place| matches!(place, Place::Own(o) if state.own[o.0].address.is_some());
            let locals = state.frames[0].locals.iter().filter(|(_, place)| stack(place));
            known.private = locals.map(|(local, _)| *local).collect();
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
                if !self.block_link_is_good(state, own, kept.node, offset, span)? && !fault!(21) {
                    kept.good.remove(&offset);
                }
            }
        }
        self.publish_at_head(live, state, known, span)
    }

    /// What is not kept apart is known to all from here on.
    pub(crate) fn publish_at_head(
        &mut self,
        live: &[Reg],
        state: &mut State,
        known: &mut Facts,
        span: Span,
    ) -> Result<(), Stop> {
        for &reg in live {
            let value = self.eval(state, &Operand::Reg(reg))?;
            if !known.kept.contains_key(&reg) && !known.plain.contains_key(&reg) {
                self.publish(state, &value, span)?;
            }
        }
        let locals: Vec<(LocalId, Own)> = state.frames[0]
            .locals
            .iter()
            .filter_map(|(local, place)| match place {
                Place::Own(own) if state.own[own.0].address.is_some() => Some((*local, *own)),
                _ => None,
            })
            .collect();
        for (local, own) in locals {
            if state.own[own.0].became.is_some() {
                known.private.remove(&local);
                known.plain.retain(|_, (of, _)| *of != own);
            } else if !known.private.contains(&local) {
                self.publish(state, &Value::Own(own, 0), span)?;
                known.plain.retain(|_, (of, _)| *of != own);
            }
        }
        Ok(())
    }

    /// Variables that point to nodes or cells, whatever they hold now.
    fn typed(&self, body: &Body, live: &[Reg]) -> BTreeMap<Reg, Hint> {
        let hints = live.iter().map(|reg| (*reg, self.variable_hint(body, *reg)));
        hints.filter(|(_, hint)| *hint != Hint::None).collect()
    }

    /// The values of variables that are not own memory.
    fn variables(
        &mut self,
        body: &Body,
        live: &[Reg],
        state: &mut State,
        known: &Facts,
    ) -> Result<BTreeMap<Reg, (Sym, Hint)>, Stop> {
        let mut found = BTreeMap::new();
        for &reg in live {
            let hint = self.variable_hint(body, reg);
            if hint != Hint::None
                && !known.kept.contains_key(&reg)
                && let Value::Sym(s, _) = self.eval(state, &Operand::Reg(reg))?
            {
                found.insert(reg, (s, hint));
            }
        }
        Ok(found)
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
        let mut pointers = self.variables(body, live, state, known)?;
        pointers.retain(|_, (_, hint)| matches!(hint, Hint::Node(..)));
        let arguments = 0..shape.arguments.len();
        let width = |reg: Reg| body.regs[reg].ty;
        if first {
            for (argument, param) in body.params.iter().enumerate() {
                let alike = |r: &&Reg| matches!(width(**r), Ty::Int(_)) && width(**r) == width(*param);
                known.below.extend(live.iter().filter(alike).map(|r| (*r, argument)));
            }
            let mut typed = self.typed(body, live);
            typed.retain(|_, hint| matches!(hint, Hint::Node(..)));
            known.not_null = typed.keys().copied().collect();
            known.argument = arguments.clone().collect();
            known.if_argument = arguments.flat_map(|a| typed.keys().map(move |r| (a, *r))).collect();
            if self.rich {
                known.reach = self.reach_candidates(&typed);
                for (a, hint) in &typed {
                    let others = typed.iter().filter(|(b, h)| *h == hint && a < *b);
                    known.differ.extend(others.map(|(b, _)| (*a, *b)));
                }
                if known.differ.len() > MOST_PAIRS {
                    known.differ.clear();
                }
                known.either = known.differ.clone();
            }
        }
        for (reg, argument) in known.below.clone() {
            let shown = match self.eval(state, &Operand::Reg(reg))? {
                Value::Sym(s, _) => state.below.get(&s).is_some_and(|below| {
                    below.of == shape.arguments[argument] && Ty::Int(below.width) == width(reg)
                }),
                _ => false,
            };
            if !shown {
                known.below.remove(&(reg, argument));
            }
        }
        for reg in known.not_null.clone() {
            // Own memory is not null.
            let shown = pointers.get(&reg).is_none_or(|&(s, _)| self.not_null_known(state, s));
            if !shown && !fault!(22) {
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
                    && s.is_none_or(|(s, _)| {
                        let implied =
                            Formula::Or(vec![equal(shape.arguments[argument], Sym::ZERO), not_null(s)]);
                        self.holds(state, &implied)
                    });
            if !shown && !fault!(23) {
                known.if_argument.remove(&(argument, reg));
            }
        }
        for (a, b) in known.either.clone() {
            let shown = match (pointers.get(&a), pointers.get(&b)) {
                _ if known.not_null.contains(&a) || known.not_null.contains(&b) => true,
                (Some(&(x, _)), Some(&(y, _))) => {
                    self.holds(state, &Formula::Or(vec![not_null(x), not_null(y)]))
                }
                // Own memory is not null.
                _ => true,
            };
            if !shown {
                known.either.remove(&(a, b));
            }
        }
        for (a, b) in known.differ.clone() {
            let shown = match (pointers.get(&a), pointers.get(&b)) {
                (Some(&(x, _)), Some(&(y, _))) => x != y && self.holds(state, &differs(x, y)),
                _ => false,
            };
            if !shown && !fault!(24) {
                known.differ.remove(&(a, b));
            }
        }
        for (link, from, to) in known.reach.clone() {
            let shown = match (pointers.get(&from), pointers.get(&to)) {
                (Some(&(a, _)), Some(&(b, _))) => {
                    let reached = is_reached(&self.nodes, link, state.links[link.0], a, b);
                    self.holds(state, &reached)
                }
                _ => false,
            };
            if !shown && !fault!(50) {
                known.reach.remove(&(link, from, to));
            }
        }
        Ok(())
    }

    /// Pairs of variables where one may lie behind the other.
    fn reach_candidates(&self, pointers: &BTreeMap<Reg, Hint>) -> BTreeSet<(Link, Reg, Reg)> {
        let mut found = BTreeSet::new();
        for (index, link) in self.nodes.links.iter().enumerate().filter(|(_, l)| l.of == l.to && !l.cell) {
            let fits = |r: &&Reg| pointers[r] == Hint::Node(link.of, 0);
            for a in pointers.keys().filter(fits) {
                found.extend(pointers.keys().filter(fits).filter(|b| *b != a).map(|b| (Link(index), *a, *b)));
            }
        }
        if found.len() > MOST_PAIRS { BTreeSet::new() } else { found }
    }

    /// Variables that are not the address of a local, and heaps that do not hold it.
    fn local_facts(
        &mut self,
        body: &Body,
        live: &[Reg],
        state: &mut State,
        known: &mut Facts,
        first: bool,
    ) -> Result<(), Stop> {
        let variables = self.variables(body, live, state, known)?;
        let mut places: BTreeMap<LocalId, (Sym, Hint)> = BTreeMap::new();
        for (local, place) in &state.frames[0].locals {
            match place {
                Place::Cell(address, node) => {
                    places.insert(*local, (*address, Hint::Cell(*node)));
                }
                Place::Own(own) => {
                    let memory = &state.own[own.0];
                    if let (Some(address), Some(node)) = (memory.address, memory.node) {
                        places.insert(*local, (address, Hint::Node(node, 0)));
                    }
                }
            }
        }
        if first {
            let typed = self.typed(body, live);
            for (local, (_, hint)) in &places {
                let fits = typed.iter().filter(|(_, h)| *h == hint);
                known.not_local.extend(fits.map(|(reg, _)| (*local, *reg)));
                if let Hint::Node(node, _) = hint {
                    known.unlinked.extend(self.holders(*node).into_iter().map(|w| (*local, w)));
                    known.unlinked_but.extend(self.exceptions(*local, *node, &typed));
                }
                if let Hint::Cell(node) = hint {
                    let links = self.nodes.cell_links_to(*node);
                    known.unlinked.extend(links.map(|(link, _)| (*local, Where::Link(link))));
                }
            }
        }
        for (local, reg) in known.not_local.clone() {
            // A block of the function's own is no local; own locals have their addresses here.
            let shown = match variables.get(&reg) {
                Some((s, _)) => *s == Sym::ZERO || self.holds(state, &differs(*s, places[&local].0)),
                None => known.kept.contains_key(&reg),
            };
            if !shown {
                known.not_local.remove(&(local, reg));
            }
        }
        for (local, place) in known.unlinked.clone() {
            if known.private.contains(&local) {
                continue;
            }
            let unlinked = is_unlinked(place.version(state), places[&local].0);
            if !self.holds(state, &unlinked) {
                known.unlinked.remove(&(local, place));
            }
        }
        for (local, link, reg) in known.unlinked_but.clone() {
            if known.private.contains(&local) {
                continue;
            }
            // Where it holds without an exception, it holds with one.
            let shown = known.unlinked.contains(&(local, Where::Link(link)))
                || variables.get(&reg).is_some_and(|(s, _)| {
                    let version = state.links[link.0];
                    self.holds(state, &is_unlinked_but(version, places[&local].0, *s))
                });
            if !shown {
                known.unlinked_but.remove(&(local, link, reg));
            }
        }
        Ok(())
    }

    /// Links that may hold the address of a local in the node of one variable only.
    fn exceptions(
        &self,
        local: LocalId,
        node: NodeType,
        typed: &BTreeMap<Reg, Hint>,
    ) -> Vec<(LocalId, Link, Reg)> {
        let links = self.nodes.links_to(node).filter(|_| self.rich);
        let fits = |(link, info): (Link, &LinkInfo)| {
            let of = Hint::Node(info.of, 0);
            typed.iter().filter(move |(_, hint)| **hint == of).map(move |(reg, _)| (local, link, *reg))
        };
        links.flat_map(fits).collect()
    }

    /// Links that are not closed here: they may be so in all nodes but that of a variable.
    fn open_links(
        &mut self,
        body: &Body,
        live: &[Reg],
        state: &mut State,
        known: &mut Facts,
    ) -> Result<(), Stop> {
        let variables = self.variables(body, live, state, known)?;
        for link in state.changed_links.clone() {
            let version = state.links[link.0];
            let closed = |me: &mut Self| me.holds(state, &is_closed(&me.nodes, &state.cells, link, version));
            if !known.open.contains_key(&link) && (fault!(25) || fault!(29) || closed(self)) {
                continue;
            }
            let of = Hint::Node(self.nodes.links[link.0].of, 0);
            let all = || variables.iter().filter(|(_, (_, h))| *h == of).map(|(r, _)| *r).collect();
            let candidates: BTreeSet<Reg> = known.open.get(&link).cloned().unwrap_or_else(all);
            let mut left = BTreeSet::new();
            for reg in candidates {
                let Some(&(s, _)) = variables.get(&reg) else { continue };
                if self.holds(state, &is_closed_but(&self.nodes, &state.cells, link, version, s)) {
                    left.insert(reg);
                }
            }
            known.open.insert(link, left);
        }
        Ok(())
    }

    pub(crate) fn not_null_known(&mut self, state: &State, s: Sym) -> bool {
        match state.known_zero(s) {
            Some(zero) => !zero,
            None => self.holds(state, &not_null(s)),
        }
    }

    pub(crate) fn present_links(&self, node: NodeType, memory: &Memory) -> BTreeSet<i128> {
        let fields = &self.nodes.types[node.0].fields;
        let present = |offset: i128| memory.zeroed || memory.content.contains_key(&offset);
        fields
            .iter()
            .filter(|f| matches!(f.content, Content::Link(_)) && present(f.offset))
            .map(|f| f.offset)
            .collect()
    }

    /// Whether a link of a block that is kept apart holds null or a node.
    pub(crate) fn block_link_is_good(
        &mut self,
        state: &mut State,
        own: Own,
        node: Option<NodeType>,
        offset: i128,
        span: Span,
    ) -> Result<bool, Stop> {
        let Some(node) = node else { return Ok(false) };
        let pointer = i128::from(self.program.target.pointer_bytes());
        let Some(Content::Link(link)) = self.nodes.access(node, offset, pointer) else { return Ok(false) };
        let memory = &state.own[own.0];
        if !memory.zeroed && !memory.content.contains_key(&offset) {
            return Ok(false);
        }
        let Some((_, value)) = memory.content.get(&offset).cloned() else { return Ok(true) };
        let s = self.publish(state, &value, span)?;
        let good = state.is_linkable(&self.nodes, link, s);
        Ok(self.holds(state, &good))
    }

    /// A path returns: facts about the result that do not hold are dropped.
    pub(crate) fn returned(
        &mut self,
        function: FuncId,
        shape: &Shape,
        mut state: State,
        values: &[Value],
    ) -> Result<(), Stop> {
        let before = state.entry.clone();
        for link in self.summaries[&function].keeps.clone() {
            let kept = before.as_ref().is_some_and(|before| {
                let (before, after) = (before[link.0], state.links[link.0]);
                before == after || self.holds(&state, &is_kept(before, after))
            });
            if !kept
                && !fault!(27)
                && let Some(summary) = self.summaries.get_mut(&function)
            {
                summary.keeps.remove(&link);
            }
        }
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
        if summary.result_not_null && !self.not_null_known(&state, result) && !fault!(26) {
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
}
