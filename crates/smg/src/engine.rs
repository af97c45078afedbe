//! The fixpoint: configurations at every place of the program until nothing new appears.

use crate::abstraction::Thresholds;
use crate::canon::Key;
use crate::graph::{Object, State, Storage, Tg, Val};
use crate::invariant::{Collector, Invariant};
use crate::join::{Growth, join};
use crate::scope;
use crate::step::Executor;
use crate::summary;
use crate::trouble::{Trouble, TroubleKind};
use heapproof_ir::cfg::Cfg;
use heapproof_ir::liveness::Liveness;
use heapproof_ir::wto::Wto;
use heapproof_ir::{
    BlockId, Callee, FuncId, GlobalInit, InstKind, Operand, Program, RelocTarget, Span, Terminator,
};
use heapproof_libc::ModelKind;
use heapproof_verdict::{ErrorClass, Property, PropertySet};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;
use std::time::Instant;

/// How to analyse.
#[derive(Clone, Debug)]
pub struct Options {
    /// What is checked.
    pub properties: PropertySet,
    /// The function to start at.
    pub entry: String,
    /// When to give up.
    pub deadline: Option<Instant>,
    /// The most configurations.
    pub max_states: u64,
    /// How many configurations that differ in numbers only stay apart at a loop.
    pub delay: usize,
    /// When nodes are merged.
    pub thresholds: Thresholds,
    /// Keep what holds at loop heads, to be shown.
    pub keep_invariants: bool,
}

/// What an analysis found.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// What keeps it from being a proof; none if the program is safe.
    pub trouble: Option<Trouble>,
    /// Configurations executed.
    pub states: u64,
    /// Functions that were entered.
    pub functions: BTreeSet<FuncId>,
    /// What holds at loop heads, if it was asked for. With trouble these are only the configurations seen so far.
    pub invariants: Vec<Invariant>,
}

/// A place of the program with its call stack.
type Location = Vec<(FuncId, BlockId, usize)>;

struct Shape {
    cfg: Cfg,
    wto: Wto,
    live: Liveness,
    /// The address of an object whose scope is not marked may outlive the scope.
    escape: Option<Span>,
}

impl Shape {
    /// True for a block to which a loop is left.
    fn is_behind_loop(&self, block: BlockId) -> bool {
        let around: Vec<BlockId> = self.wto.heads(block).collect();
        let left =
            |from: &BlockId| self.wto.heads(*from).any(|head| head != block && !around.contains(&head));
        self.cfg.predecessors(block).iter().any(left)
    }
}

struct Fixpoint<'p> {
    executor: Executor<'p>,
    options: &'p Options,
    shapes: BTreeMap<FuncId, Shape>,
    thresholds: BTreeSet<i128>,
    /// Configurations to execute, in the order of the control flow.
    waitlist: BTreeMap<(Vec<(usize, usize)>, u64), State>,
    reached: BTreeMap<Location, Reached>,
    /// The exits of the function being summarised.
    exits: Vec<State>,
    /// Exits by entry.
    cache: HashMap<Key, Rc<Vec<State>>>,
    /// The functions being summarised.
    active: Vec<FuncId>,
    functions: BTreeSet<FuncId>,
    invariants: Collector,
    count: u64,
}

#[derive(Default)]
struct Reached {
    states: Vec<(State, Key)>,
    joins: u32,
}

/// Analyses a program.
pub fn analyse(program: &Program, options: &Options) -> Analysis {
    let mut fixpoint = Fixpoint {
        executor: Executor { program, properties: options.properties.clone() },
        options,
        shapes: shapes(program),
        thresholds: constants(program),
        waitlist: BTreeMap::new(),
        reached: BTreeMap::new(),
        exits: Vec::new(),
        cache: HashMap::new(),
        active: Vec::new(),
        functions: BTreeSet::new(),
        invariants: Collector::default(),
        count: 0,
    };
    let trouble = fixpoint.run().err();
    fixpoint.keep_invariants();
    let invariants = fixpoint.invariants.finish(program);
    Analysis { trouble, states: fixpoint.count, functions: fixpoint.functions, invariants }
}

impl<'p> Fixpoint<'p> {
    fn run(&mut self) -> Result<(), Trouble> {
        let program = self.executor.program;
        let Some(main) = program.function(&self.options.entry) else {
            return Err(limit(
                "the entry function does not exist".to_owned(),
                Span::NONE,
                FuncId::from_u32(0),
            ));
        };
        let mut start = State::new(program.target.pointer_bytes());
        self.globals(&mut start);
        let args = self.entry_arguments(&mut start, main);
        self.note_function(main)?;
        for state in self.executor.enter_function(start, main, &args)? {
            self.schedule(state)?;
        }
        self.settle()
    }

    /// Any arguments; of `main` the first is at least 1. Nothing is known about the pointers among them.
    fn entry_arguments(&self, state: &mut State, main: FuncId) -> Vec<Val> {
        let function = &self.executor.program.functions[main];
        let target = self.executor.program.target;
        let args: Vec<Val> = function.params.iter().map(|ty| state.unknown(ty.bits(target))).collect();
        if let ("main", Some(Val::Sym(argc))) = (function.name.as_str(), args.first()) {
            state.sym_mut(*argc).range.lo = 1;
        }
        args
    }

    /// A function is entered.
    fn note_function(&mut self, func: FuncId) -> Result<(), Trouble> {
        self.functions.insert(func);
        match self.shapes[&func].escape {
            None => Ok(()),
            Some(span) => {
                let message =
                    "the address of a compound literal, or of a variable that goto may jump past, is kept";
                Err(Trouble { kind: TroubleKind::NotCovered, message: message.to_owned(), span, func })
            }
        }
    }

    /// Executes until nothing is waiting.
    fn settle(&mut self) -> Result<(), Trouble> {
        while let Some((_, state)) = self.waitlist.pop_first() {
            self.count += 1;
            self.check_budget(&state)?;
            for next in self.block(state)? {
                self.schedule(next)?;
            }
        }
        Ok(())
    }

    fn check_budget(&self, state: &State) -> Result<(), Trouble> {
        let over = self.options.deadline.is_some_and(|at| Instant::now() >= at);
        if over || self.count > self.options.max_states {
            let why = if over { "the time limit was reached" } else { "there are too many configurations" };
            return Err(limit(why.to_owned(), Span::NONE, state.frame().func));
        }
        Ok(())
    }

    /// All globals with their initial content.
    fn globals(&self, state: &mut State) {
        let program = self.executor.program;
        for (id, global) in &program.globals {
            let storage = Storage::Global(id, global.constant);
            let obj = state.add(Object::region(global.size, storage, global.span));
            state.globals.insert(id, obj);
        }
        for (id, global) in &program.globals {
            let obj = state.globals[&id];
            let GlobalInit::Data { bytes, relocs } = &global.init else {
                state.object_mut(obj).fresh = false;
                continue;
            };
            if global.size > 0 {
                state.fill(obj, 0, global.size, Some(0));
            }
            // Longer tables are read as unknown numbers, except for their zeros and addresses.
            const LONGEST: usize = 1 << 14;
            for (at, chunk) in bytes.chunks(8).enumerate().take(LONGEST / 8) {
                let number = chunk.iter().rev().fold(0u128, |n, b| n << 8 | u128::from(*b));
                let off = 8 * at as u64;
                state.write(obj, off, chunk.len() as u64, Val::Int(number));
            }
            if bytes.len() > LONGEST {
                let object = state.object_mut(obj);
                object.erase(LONGEST as u64, global.size - LONGEST as u64);
                object.fresh = false;
            }
            for reloc in relocs {
                let val = match reloc.target {
                    RelocTarget::Global(to) => Val::Addr(crate::graph::Addr {
                        obj: state.globals[&to],
                        off: reloc.addend,
                        tg: Tg::Region,
                    }),
                    RelocTarget::Func(func) => Val::Func(func),
                };
                state.write(obj, reloc.offset, program.target.pointer_bytes(), val);
            }
        }
    }

    /// Executes from the present instruction to the next block boundary, call or return on all paths.
    fn block(&mut self, state: State) -> Result<Vec<State>, Trouble> {
        let mut work = vec![state];
        let mut boundary = Vec::new();
        while let Some(state) = work.pop() {
            let frame = state.frame();
            let (func, id, at) = (frame.func, frame.block, frame.inst);
            let body = self.executor.program.functions[func].body.as_ref().expect("frames have code");
            let block = &body.blocks[id];
            if let Some(inst) = block.insts.get(at) {
                if self.may_end(&inst.kind) {
                    self.check_before_end(&state, func, inst.span)?;
                }
                let depth = state.frames.len();
                for next in self.executor.instruction(state, inst)? {
                    if next.frames.len() == depth {
                        work.push(next);
                    } else {
                        work.extend(self.call(next)?);
                    }
                }
            } else if let Terminator::Return(values) = &block.term {
                if state.frames.len() == 1 {
                    self.executor.check_cleanup(&state)?;
                }
                if let Some(next) = self.leave(state, values, func, block.term_span)? {
                    self.exit(next, func, block.term_span)?;
                }
            } else {
                boundary.extend(self.executor.terminator(state, &block.term)?);
            }
        }
        Ok(boundary)
    }

    /// True for calls that may be the last thing that happens.
    fn may_end(&self, kind: &InstKind) -> bool {
        let InstKind::Call { callee, .. } = kind else { return false };
        let Callee::Direct(func) = callee else { return true };
        let function = &self.executor.program.functions[*func];
        function.body.is_some()
            || heapproof_libc::lookup(&function.name)
                .is_none_or(|model| model.effect.ends_program || model.kind == ModelKind::Assert)
    }

    /// What is lost in the middle of a block is seen at its end, unless the program ends before.
    fn check_before_end(&self, state: &State, func: FuncId, span: Span) -> Result<(), Trouble> {
        let mut state = state.clone();
        self.forget_dead(&mut state);
        self.check_leaks(&mut state, func, span)
    }

    /// Executes a call whose frame was just pushed: the function is analysed once for each heap that it sees.
    fn call(&mut self, state: State) -> Result<Vec<State>, Trouble> {
        let func = state.frame().func;
        let cut = summary::cut(state);
        let mut entry = cut.entry.clone();
        if self.options.properties.has(Property::MemCleanup) && cut.holds_heap() {
            // The cut-off blocks are still there if the function ends the program.
            entry.frames[0].holds_heap = true;
        }
        entry.collect_garbage();
        let key = entry.key();
        let exits = match self.cache.get(&key) {
            Some(exits) => exits.clone(),
            None => {
                if self.active.contains(&func) {
                    let span = self.executor.program.functions[func].span;
                    let message = "recursion is not followed".to_owned();
                    return Err(Trouble { kind: TroubleKind::NotCovered, message, span, func });
                }
                let exits = Rc::new(self.summarise(entry, func)?);
                self.cache.insert(key, exits.clone());
                exits
            }
        };
        let mut next = Vec::new();
        for exit in exits.iter() {
            let Some((state, results)) = cut.glue(exit) else {
                let span = self.executor.program.functions[func].span;
                let message = "the result of a call does not fit its surroundings".to_owned();
                return Err(Trouble { kind: TroubleKind::NotCovered, message, span, func });
            };
            #[cfg(test)]
            crate::audit::proper("glue", &state);
            next.push(self.executor.give_results(state, &results)?);
        }
        Ok(next)
    }

    /// All exits of a function from one entry.
    fn summarise(&mut self, entry: State, func: FuncId) -> Result<Vec<State>, Trouble> {
        let outer = (
            std::mem::take(&mut self.waitlist),
            std::mem::take(&mut self.reached),
            std::mem::take(&mut self.exits),
        );
        self.active.push(func);
        self.note_function(func)?;
        self.schedule(entry)?;
        self.settle()?;
        self.keep_invariants();
        self.active.pop();
        let exits = std::mem::replace(&mut self.exits, outer.2);
        (self.waitlist, self.reached) = (outer.0, outer.1);
        Ok(exits)
    }

    /// Keeps what was reached at loop heads, if it is asked for.
    fn keep_invariants(&mut self) {
        if !self.options.keep_invariants {
            return;
        }
        for (location, reached) in &self.reached {
            if let Some(&(func, block, 0)) = location.last()
                && self.shapes[&func].wto.is_head(block)
            {
                self.invariants.add(func, block, &reached.states);
            }
        }
    }

    /// A function that was cut out returns.
    fn exit(&mut self, mut state: State, func: FuncId, span: Span) -> Result<(), Trouble> {
        self.check_leaks(&mut state, func, span)?;
        let mut index = 0;
        while index < self.exits.len() {
            match join(&self.exits[index], &state, Growth::Hull) {
                Ok(joined) if joined.is_left => return Ok(()),
                Ok(joined) if joined.is_right => {
                    self.exits.remove(index);
                }
                _ => index += 1,
            }
        }
        self.exits.push(state);
        Ok(())
    }

    fn leave(
        &self,
        state: State,
        values: &[Operand],
        func: FuncId,
        span: Span,
    ) -> Result<Option<State>, Trouble> {
        let mut end = state.clone();
        match self.executor.leave_function(state, values)? {
            Some(next) => Ok(Some(next)),
            None => {
                // The frame of the entry function is gone: what only it held is lost.
                let frame = end.frames.pop().expect("a running program has a frame");
                let ended: Vec<_> = frame.locals.into_values().chain(frame.allocas).collect();
                crate::step::end_life(&mut end, &ended);
                self.check_leaks(&mut end, func, span)?;
                Ok(None)
            }
        }
    }

    fn check_leaks(&self, state: &mut State, func: FuncId, span: Span) -> Result<(), Trouble> {
        let lost = state.collect_garbage();
        let asked = self.options.properties.has(Property::ValidMemtrack)
            || self.options.properties.has(Property::MemCleanup);
        if asked && let Some(object) = lost.first() {
            let message = format!("a heap block of {} bytes may be lost", object.size);
            let kind = TroubleKind::Suspicion(ErrorClass::Leak);
            let span = if object.span.is_known() && !span.is_known() { object.span } else { span };
            return Err(Trouble { kind, message, span, func });
        }
        Ok(())
    }

    /// Puts a configuration at a block boundary on the waitlist, unless it is covered.
    fn schedule(&mut self, mut state: State) -> Result<(), Trouble> {
        let frame = state.frame();
        let (func, block) = (frame.func, frame.block);
        let at_entry = frame.inst == 0;
        #[cfg(test)]
        crate::audit::proper("schedule", &state);
        self.forget_dead(&mut state);
        let body = self.executor.program.functions[func].body.as_ref().expect("frames have code");
        let span = body.blocks[block].insts.first().map_or(body.blocks[block].term_span, |i| i.span);
        self.check_leaks(&mut state, func, span)?;
        let shape = &self.shapes[&func];
        let head = at_entry && shape.wto.is_head(block);
        let behind = at_entry && !head && shape.is_behind_loop(block);
        let merge = at_entry && (head || shape.cfg.predecessors(block).len() > 1);
        if merge {
            if head {
                state = state.abstracted(&self.options.thresholds);
            }
            let Some(joined) = self.reach(state, head) else { return Ok(()) };
            state = joined;
        }
        let order: Vec<(usize, usize)> = state
            .frames
            .iter()
            .map(|f| (self.shapes[&f.func].wto.position(f.block).unwrap_or(usize::MAX), f.inst))
            .collect();
        // Behind a loop the last one first: what comes late covers what came early.
        let age = self.count << 20 | self.waitlist.len() as u64;
        self.waitlist.insert((order, if behind { u64::MAX - age } else { age }), state);
        Ok(())
    }

    /// Adds a configuration to those reached at its place; gives what is to be executed, if it is not covered.
    fn reach(&mut self, state: State, head: bool) -> Option<State> {
        let location: Location = state.frames.iter().map(|f| (f.func, f.block, f.inst)).collect();
        let reached = self.reached.entry(location).or_default();
        let key = state.key();
        if let Some((_known, _)) = reached.states.iter().find(|(_, known)| *known == key) {
            #[cfg(test)]
            crate::audit::covers("equal keys", &state, &[_known]);
            return None;
        }
        if !head {
            reached.states.push((state, key));
            return Some(state_of(reached));
        }
        let crowded = reached.states.len() >= self.options.delay;
        let (mut index, mut state) = (0, state);
        let (mut any, mut found) = (false, false);
        loop {
            if index == reached.states.len() {
                // Of too many configurations those that differ in numbers only are joined first, then any.
                if !crowded || any || found {
                    break;
                }
                (any, index) = (true, 0);
            }
            let growth = if reached.joins > 8 { Growth::Thresholds(&self.thresholds) } else { Growth::Hull };
            match join(&reached.states[index].0, &state, growth) {
                Ok(joined) if joined.is_left => return None,
                Ok(joined) if joined.is_right => {
                    reached.states.remove(index);
                }
                // A list and its length, as far as they are known, stay together.
                Ok(joined) if any || if joined.shape_changed { !joined.lengths_differ } else { crowded } => {
                    found = true;
                    reached.states.remove(index);
                    reached.joins += 1;
                    state = joined.state;
                    // What was joined may now cover others.
                    index = 0;
                }
                _ => index += 1,
            }
        }
        let key = state.key();
        reached.states.push((state, key));
        Some(state_of(reached))
    }

    /// Drops registers that are not read any more. A variable that is the last to hold a heap block keeps it.
    fn forget_dead(&self, state: &mut State) {
        let depth = state.frames.len();
        for level in 0..depth {
            let frame = &state.frames[level];
            if frame.cut {
                continue;
            }
            let shape = &self.shapes[&frame.func];
            let body = self.executor.program.functions[frame.func].body.as_ref().expect("frames have code");
            let (block, inst) = (frame.block, frame.inst);
            let waiting = level + 1 < depth;
            let live: Vec<bool> = if inst == 0 && !waiting {
                body.regs.keys().map(|reg| shape.live.is_live_in(block, reg)).collect()
            } else {
                let at = if waiting { inst } else { inst - 1 };
                let set = shape.live.live_after(body, block, at);
                body.regs.keys().map(|reg| set.contains(reg)).collect()
            };
            let mut held = Vec::new();
            for (slot, (reg, info)) in body.regs.iter().enumerate() {
                let _ = reg;
                let Some(val) = state.frames[level].regs[slot] else { continue };
                if live[slot] {
                    continue;
                }
                if info.variable.is_none() || state.target(val).is_none() {
                    state.frames[level].regs[slot] = None;
                } else {
                    held.push(slot);
                }
            }
            for slot in held {
                let Some(val) = state.frames[level].regs[slot].take() else { continue };
                let (values, objects) = state.roots();
                let reachable = state.reachable(&values, &objects);
                if state.target(val).is_some_and(|obj| {
                    let object = state.object(obj);
                    object.valid && object.storage == Storage::Heap && !reachable.contains(&obj)
                }) {
                    state.frames[level].regs[slot] = Some(val);
                }
            }
        }
    }
}

fn state_of(reached: &Reached) -> State {
    reached.states.last().map(|(state, _)| state.clone()).expect("one was just added")
}

fn limit(message: String, span: Span, func: FuncId) -> Trouble {
    Trouble { kind: TroubleKind::Limit, message, span, func }
}

fn shapes(program: &Program) -> BTreeMap<FuncId, Shape> {
    let bodies = program.functions.iter().filter_map(|(id, f)| Some((id, f.body.as_ref()?)));
    bodies
        .map(|(id, body)| {
            let cfg = Cfg::new(body);
            let (wto, live) = (Wto::new(&cfg), Liveness::new(body, &cfg));
            (id, Shape { cfg, wto, live, escape: scope::escape(body) })
        })
        .collect()
}

/// The numbers of the program, at which ranges stop growing first.
fn constants(program: &Program) -> BTreeSet<i128> {
    let mut numbers = BTreeSet::from([-1, 0, 1]);
    let mut note = |bits: u128, width: u8| {
        let number = heapproof_ir::sign_extend(bits, width);
        numbers.extend([number - 1, number, number + 1]);
    };
    for body in program.functions.values().filter_map(|f| f.body.as_ref()) {
        for block in body.blocks.values() {
            for inst in &block.insts {
                if matches!(inst.kind, InstKind::Cmp { .. }) {
                    inst.kind.for_each_use(|operand| {
                        if let Operand::Int { bits, width } = operand {
                            note(*bits, *width);
                        }
                    });
                }
            }
            if let Terminator::Switch { cases, width, .. } = &block.term {
                cases.iter().for_each(|(bits, _)| note(*bits, *width));
            }
        }
    }
    numbers
}
