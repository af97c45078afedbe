//! Paths: branches, loops by their invariants, returns.

use super::values::Val;
use super::{Activation, Kind, State, Stop, Verifier};
use crate::condition::{Heap, Mode};
use crate::spec::{Claim, Ghost};
use heapproof_ir::{BlockId, Body, FuncId, InstKind, Reg, Span, Terminator, sign_extend};
use heapproof_logic::Term;
use std::collections::{BTreeMap, BTreeSet};

/// What a loop may do to the heap.
#[derive(Default)]
struct Effects {
    content: bool,
    allocation: bool,
    blocking: bool,
}

impl Effects {
    fn add(&mut self, inst: &InstKind) {
        match inst {
            InstKind::Store { .. } | InstKind::CopyBlock { .. } | InstKind::FillBlock { .. } => {
                self.content = true
            }
            InstKind::Call { .. } => (self.content, self.allocation, self.blocking) = (true, true, true),
            InstKind::ScopeStart { .. } | InstKind::ScopeEnd { .. } => {
                (self.content, self.allocation) = (true, true)
            }
            InstKind::Alloca { .. } | InstKind::StackRestore { .. } => {
                (self.content, self.allocation, self.blocking) = (true, true, true);
            }
            _ => {}
        }
    }
}

impl Verifier<'_> {
    pub(super) fn enter(
        &mut self,
        state: &mut State,
        func: FuncId,
        body: &Body,
        args: Vec<Val>,
        results: Vec<Reg>,
    ) -> Result<(), Stop> {
        let regs = body.params.iter().copied().zip(args.iter().cloned()).collect();
        let mut frame = Activation {
            func,
            block: Body::ENTRY,
            inst: 0,
            regs,
            locals: BTreeMap::new(),
            results,
            open: Vec::new(),
            entry: state.heap.clone(),
            args,
        };
        for (local, info) in body.locals.iter() {
            if info.unmarked {
                return Err(Stop::new("a variable whose end of life is not known"));
            }
            if !info.scoped {
                let object = self.new_object(state, Term::int(info.size.into()), false);
                frame.locals.insert(local, object);
            }
        }
        state.frames.push(frame);
        if self.loops(func).iter().any(|(_, this)| this.header == Body::ENTRY) {
            return Err(Stop::new("a loop begins where the function begins"));
        }
        if !self.loops(func).irreducible_edges().is_empty() {
            return Err(Stop::new("a loop with several entries"));
        }
        Ok(())
    }

    /// Follows all paths from a state.
    pub(super) fn explore(&mut self, mut state: State) -> Result<(), Stop> {
        loop {
            let (func, id, index) = (state.top().func, state.top().block, state.top().inst);
            let block = &self.body(func)?.blocks[id];
            if let Some(ghosts) =
                self.spec.functions.get(&func).and_then(|spec| spec.ghosts.get(&(id, index)))
            {
                for ghost in ghosts {
                    self.ghost(&mut state, ghost)?;
                }
            }
            if let Some(inst) = block.insts.get(index) {
                state.top_mut().inst += 1;
                if !self.step(&mut state, inst)? {
                    return Ok(());
                }
                continue;
            }
            match &block.term {
                Terminator::Jump(to) => {
                    if !self.go(&mut state, *to, block.term_span)? {
                        return Ok(());
                    }
                }
                Terminator::Branch { cond, then, otherwise } => {
                    let cond = self.operand(&state, cond);
                    let cond = self.bit(&cond);
                    return self.split(
                        &state,
                        [(cond.clone(), *then), (cond.not(), *otherwise)],
                        block.term_span,
                    );
                }
                Terminator::Switch { value, width, cases, default } => {
                    let value = self.operand(&state, value);
                    let value = self.int(&value, *width);
                    let is = |bits: &u128| Term::eq(value.clone(), Term::int(sign_extend(*bits, *width)));
                    let mut ways: Vec<(Term, BlockId)> =
                        cases.iter().map(|(bits, to)| (is(bits), *to)).collect();
                    ways.push((Term::and(cases.iter().map(|(bits, _)| is(bits).not())), *default));
                    return self.split(&state, ways, block.term_span);
                }
                Terminator::Return(values) => {
                    let values: Vec<Val> = values.iter().map(|value| self.operand(&state, value)).collect();
                    let frame = state.frames.pop().expect("a function is running");
                    for object in frame.locals.values() {
                        self.end_object(&mut state, object);
                    }
                    if state.frames.is_empty() {
                        if let Some(value) = values.first() {
                            self.keep(value, block.term_span)?;
                        }
                        return self.finish(&state, values.first(), block.term_span);
                    }
                    state.top_mut().regs.extend(frame.results.iter().copied().zip(values));
                }
                Terminator::Unreachable => {
                    self.limit(Some(block.term_span), "the end of a function without a result");
                    return Ok(());
                }
            }
        }
    }

    fn split(
        &mut self,
        state: &State,
        ways: impl IntoIterator<Item = (Term, BlockId)>,
        span: Span,
    ) -> Result<(), Stop> {
        for (condition, to) in ways {
            if condition.as_bool() == Some(false) {
                continue;
            }
            self.path()?;
            self.assumed.push();
            self.assumed.assert(&condition);
            let mut state = state.clone();
            let went = match self.go(&mut state, to, span) {
                Ok(true) => self.explore(state),
                Ok(false) => Ok(()),
                Err(stop) => Err(stop),
            };
            self.assumed.pop();
            went?;
        }
        Ok(())
    }

    pub(super) fn path(&mut self) -> Result<(), Stop> {
        self.paths = self.paths.checked_sub(1).ok_or_else(|| Stop::new("there are too many paths"))?;
        Ok(())
    }

    /// Goes to a block; false if the path ends there, at the head of a loop.
    fn go(&mut self, state: &mut State, to: BlockId, span: Span) -> Result<bool, Stop> {
        let func = state.top().func;
        let inside: Vec<(BlockId, bool)> =
            self.loops(func).iter().map(|(_, this)| (this.header, this.blocks.contains(&to))).collect();
        let frame = state.top_mut();
        frame.open.retain(|header| inside.iter().any(|(known, has)| known == header && *has));
        let is_back = frame.open.contains(&to);
        frame.block = to;
        frame.inst = 0;
        if !inside.iter().any(|(header, _)| *header == to) {
            return Ok(true);
        }
        let spec = self.spec;
        let invariants: &[Claim] =
            spec.functions.get(&func).and_then(|spec| spec.invariants.get(&to)).map_or(&[], Vec::as_slice);
        let kind = if is_back { Kind::Kept } else { Kind::Entry };
        for (index, invariant) in invariants.iter().enumerate() {
            let term = self.in_body(state, &invariant.form, Mode::Goal);
            self.about = Some((func, to, index));
            let obliged = self.oblige(term, kind, invariant.at, Some(span));
            self.about = None;
            obliged?;
        }
        self.keep_at_loop(state, (func, to), span)?;
        if self.changes_heap(func, to)? && !fault!(23) {
            self.oblige_frame(state, Some(span))?;
        }
        if is_back {
            return Ok(false);
        }
        self.havoc(state, func, to)?;
        for invariant in invariants {
            let term = self.in_body(state, &invariant.form, Mode::Fact);
            self.assume([term]);
        }
        state.top_mut().open.push(to);
        Ok(true)
    }

    fn blocks_of(&mut self, func: FuncId, header: BlockId) -> Vec<BlockId> {
        let found = self.loops(func).iter().find(|(_, this)| this.header == header);
        found.map_or_else(Vec::new, |(_, this)| this.blocks.clone())
    }

    fn effects(&mut self, func: FuncId, header: BlockId) -> Result<(Effects, BTreeSet<Reg>), Stop> {
        let body = self.body(func)?;
        let blocks = self.blocks_of(func, header);
        let mut effects = Effects::default();
        let mut assigned: BTreeSet<Reg> = BTreeSet::new();
        for block in &blocks {
            for inst in &body.blocks[*block].insts {
                assigned.extend(inst.kind.defs());
                effects.add(&inst.kind);
            }
        }
        if let Some(spec) = self.spec.functions.get(&func) {
            let is_change = |ghost: &Ghost| matches!(ghost, Ghost::Block(..) | Ghost::Unblock(..));
            let mut inside = spec.ghosts.iter().filter(|((block, _), _)| blocks.contains(block));
            effects.blocking |= inside.any(|(_, ghosts)| ghosts.iter().any(is_change));
        }
        Ok((effects, assigned))
    }

    pub(super) fn assigned(&mut self, func: FuncId, header: BlockId) -> Result<BTreeSet<Reg>, Stop> {
        Ok(self.effects(func, header)?.1)
    }

    fn changes_heap(&mut self, func: FuncId, header: BlockId) -> Result<bool, Stop> {
        let (effects, _) = self.effects(func, header)?;
        Ok(effects.content || effects.allocation || effects.blocking)
    }

    /// Any round of a loop: what it may change is not known.
    fn havoc(&mut self, state: &mut State, func: FuncId, header: BlockId) -> Result<(), Stop> {
        let body = self.body(func)?;
        let (effects, assigned) = self.effects(func, header)?;
        for reg in assigned.into_iter().filter(|_| !fault!(22)) {
            let val = self.fresh_val(body.regs[reg].ty);
            state.set(reg, val);
        }
        if !(effects.content || effects.allocation || effects.blocking) {
            return Ok(());
        }
        let before = state.heap.clone();
        let alloc = (!effects.allocation).then_some(&before);
        let blocking = (!effects.blocking && !effects.allocation).then_some(&before);
        let heap = Heap::base(self.words, alloc, blocking);
        let entry = self.entry_heap.clone();
        let frame = self.frame_of(self.root, &self.entry_args.clone(), &entry);
        let kept = frame.assumptions(self.formula, &entry, &heap);
        self.assume(kept);
        let laws = self.words.laws(self.program, &heap);
        self.assume(laws);
        self.locals_live(state, &heap);
        state.heap = heap;
        Ok(())
    }

    /// Variables in scope stay allocated, whatever else happens.
    pub(super) fn locals_live(&mut self, state: &State, heap: &Heap) {
        let facts: Vec<Term> = state
            .frames
            .iter()
            .flat_map(|frame| frame.locals.values())
            .map(|object| heap.alloc(object))
            .collect();
        self.assume(facts);
    }
}
