//! Execution from one block boundary to the next.

use crate::graph::{Frame, State, Storage};
use crate::shape::Outline;
use crate::step::{Executor, end_life};
use crate::trouble::{Trouble, TroubleKind};
use heapproof_engine::{Environment, Resolution, Resolutions};
use heapproof_ir::{Body, Callee, FuncId, InstKind, Operand, Program, Span, Terminator};
use heapproof_libc::ModelKind;
use heapproof_verdict::{ErrorClass, Property};
use std::rc::Rc;

/// Executes blocks of a program.
pub struct Walker<'p> {
    /// Executes its instructions.
    pub executor: Executor<'p>,
    /// What is known of the program before.
    pub outline: Rc<Outline>,
}

/// Where an execution pauses.
pub enum Pause {
    /// At the start of a block.
    Block(State),
    /// At the start of a function that was just called.
    Call(State),
    /// After a return, in the caller or in front of the surroundings that were cut off; from which function and where.
    Return(State, FuncId, Span),
}

/// What comes of walking on.
#[derive(Default)]
pub struct Walked {
    /// The configurations that follow.
    pub pauses: Vec<Pause>,
    /// What went wrong on other paths.
    pub troubles: Vec<Trouble>,
}

impl<'p> Walker<'p> {
    /// A walker for a program.
    pub fn new(program: &'p Program, environment: &'p Environment, outline: Rc<Outline>) -> Self {
        let resolutions = Resolutions::new(program, environment);
        let is_external = |id: &heapproof_ir::GlobalId| {
            matches!(program.globals[*id].init, heapproof_ir::GlobalInit::External)
        };
        let error_number = program.global("errno").filter(is_external);
        let called = Default::default();
        let answers = heapproof_libc::AnswerObjects::of(program);
        let executor = Executor {
            program,
            environment,
            resolutions,
            called,
            error_number,
            answers,
            wants_rows: Default::default(),
            needs_rows: Default::default(),
            masks: Default::default(),
        };
        Walker { executor, outline }
    }

    /// The code of a function that was entered.
    pub fn body(&self, func: FuncId) -> &'p Body {
        self.executor.program.functions[func].body.as_ref().expect("frames have code")
    }

    /// Where the block of a frame begins in the source.
    pub fn span(&self, frame: &Frame) -> Span {
        let block = &self.body(frame.func).blocks[frame.block];
        block.insts.get(frame.inst).map_or(block.term_span, |inst| inst.span)
    }

    /// Executes from the present instruction to the next pauses on all paths.
    pub fn walk(&self, state: State) -> Walked {
        let mut walked = Walked::default();
        let mut work = vec![state];
        while let Some(state) = work.pop() {
            if let Err(mut trouble) = self.step(state, &mut work, &mut walked) {
                // Where there is a way past the error, it is gone.
                if let Some(fork) = &mut trouble.fork {
                    work.append(&mut fork.fine);
                }
                walked.troubles.push(trouble);
            }
        }
        walked
    }

    /// Executes one instruction or terminator.
    fn step(&self, mut state: State, work: &mut Vec<State>, walked: &mut Walked) -> Result<(), Trouble> {
        let frame = state.frame();
        let func = frame.func;
        let block = &self.body(func).blocks[frame.block];
        if let Some(inst) = block.insts.get(frame.inst) {
            if self.may_end(&inst.kind) {
                // What is lost in the middle of a block is seen at its end, unless the program ends before.
                walked.troubles.extend(self.tidy(&mut state).err());
            }
            let depth = state.frames.len();
            for next in self.executor.instruction(state, inst)? {
                crate::consistency::check_after(&next, &inst.kind);
                if next.frames.len() == depth {
                    work.push(next);
                } else {
                    walked.pauses.push(Pause::Call(next));
                }
            }
        } else if let Terminator::Return(values) = &block.term {
            if state.frames.len() == 1 {
                self.executor.check_cleanup(&state, true)?;
            }
            let span = block.term_span;
            let next = self.leave(state, values, func, span)?;
            walked.pauses.extend(next.map(|state| Pause::Return(state, func, span)));
        } else {
            let next = self.executor.terminator(state, &block.term)?;
            walked.pauses.extend(next.into_iter().map(Pause::Block));
        }
        Ok(())
    }

    /// True for calls that may be the last thing that happens.
    fn may_end(&self, kind: &InstKind) -> bool {
        let InstKind::Call { callee, .. } = kind else { return false };
        let Callee::Direct(func) = callee else { return true };
        match self.executor.resolutions.of(*func) {
            Resolution::Body | Resolution::Unknown => true,
            Resolution::Havoc | Resolution::Pure => false,
            Resolution::Model(model) => model.effect.ends_program || model.kind == ModelKind::Assert,
        }
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
                // The frame of the entry function is gone: what only it held is lost. Nobody takes what `main` returns;
                // another entry has a caller that gets it.
                let has_caller = self.executor.program.functions[func].name != "main";
                let frame = end.frame_mut();
                let locals = std::mem::take(&mut frame.locals).into_values();
                let ended: Vec<_> = locals.chain(std::mem::take(&mut frame.allocas)).collect();
                for (slot, val) in frame.regs.iter_mut().enumerate() {
                    let is_slot =
                        |value: &Operand| matches!(value, Operand::Reg(reg) if reg.as_u32() as usize == slot);
                    if !has_caller || !values.iter().any(is_slot) {
                        *val = None;
                    }
                }
                end_life(&mut end, &ended);
                self.check_leaks(&mut end, func, span)?;
                Ok(None)
            }
        }
    }

    /// Forgets what is not needed any more, and reports what is lost with it.
    pub fn tidy(&self, state: &mut State) -> Result<(), Trouble> {
        self.forget_dead(state);
        let frame = state.frame();
        let (func, span) = (frame.func, self.span(frame));
        self.check_leaks(state, func, span)
    }

    /// Drops what nothing refers to; live heap blocks among it leak.
    pub fn check_leaks(&self, state: &mut State, func: FuncId, span: Span) -> Result<(), Trouble> {
        let lost = state.collect_garbage();
        let leaks = [Property::ValidMemtrack, Property::MemCleanup, Property::ValidMemcleanup];
        let asked = leaks.into_iter().any(|property| self.executor.asks(property));
        if asked && let Some(object) = lost.first() {
            let (kind, message) = match object.hidden {
                true => {
                    (TroubleKind::NotCovered, "an address stored at an unknown place of an array".to_owned())
                }
                false => {
                    let message = format!("a heap block of {} bytes may be lost", object.size);
                    (TroubleKind::Suspicion(ErrorClass::Leak), message)
                }
            };
            let span = if object.span.is_known() && !span.is_known() { object.span } else { span };
            return Err(Trouble::new(kind, message, span, func));
        }
        // Those that are left of one kind belong to those of the other kind one to one, which would not be so any more.
        if lost.iter().any(|object| object.half.is_some()) && !fault!(139) {
            let message = "one half of a block that is on two lists is lost";
            return Err(Trouble::new(TroubleKind::NotCovered, message, span, func));
        }
        Ok(())
    }

    /// Drops registers that are not read any more. A variable that is the last to hold a heap block keeps it.
    fn forget_dead(&self, state: &mut State) {
        for level in 0..state.frames.len() {
            if state.frames[level].cut {
                continue;
            }
            for slot in self.dead_holders(state, level) {
                forget_unless_last(state, level, slot);
            }
        }
    }

    /// Drops what a caller does not need any more once the function that was just entered has it: `list = sort(list)`. Of a variable
    /// that keeps its value, the function is blamed for what it loses.
    pub fn forget_handed_over(&self, state: &mut State) {
        let Some(level) = state.frames.len().checked_sub(2).filter(|level| !state.frames[*level].cut) else {
            return;
        };
        let caller = &state.frames[level];
        let call = &self.body(caller.func).blocks[caller.block].insts[caller.inst];
        // What it waits for is not there yet.
        let results = call.kind.defs().iter().map(|reg| reg.as_u32() as usize);
        for slot in self.dead_holders(state, level).into_iter().chain(results) {
            forget_unless_last(state, level, slot);
        }
    }

    /// Drops the dead registers of a frame, except for variables that hold addresses: these are given.
    fn dead_holders(&self, state: &mut State, level: usize) -> Vec<usize> {
        let frame = &state.frames[level];
        let waiting = level + 1 < state.frames.len();
        let (body, live) = (self.body(frame.func), self.live(frame, waiting));
        let mut held = Vec::new();
        for (slot, info) in body.regs.values().enumerate() {
            let Some(val) = state.frames[level].regs[slot].filter(|_| !live[slot]) else { continue };
            if info.variable.is_none() || state.target(val).is_none() {
                state.frames[level].regs[slot] = None;
            } else {
                held.push(slot);
            }
        }
        held
    }

    /// Which registers of a frame are still read.
    fn live(&self, frame: &Frame, waiting: bool) -> Vec<bool> {
        let (shape, body) = (&self.outline.shapes[&frame.func], self.body(frame.func));
        if frame.inst == 0 && !waiting {
            return body.regs.keys().map(|reg| shape.live.is_live_in(frame.block, reg)).collect();
        }
        let at = if waiting { frame.inst } else { frame.inst - 1 };
        let set = shape.live.live_after(body, frame.block, at);
        body.regs.keys().map(|reg| set.contains(reg)).collect()
    }
}

/// Drops a register, unless a heap block would be lost with it.
fn forget_unless_last(state: &mut State, level: usize, slot: usize) {
    let Some(val) = state.frames[level].regs[slot].take() else { return };
    let (values, objects) = state.roots();
    let reachable = state.reachable(&values, &objects);
    if state.target(val).is_some_and(|obj| {
        let object = state.object(obj);
        object.valid && object.storage == Storage::Heap && !reachable.contains(&obj)
    }) {
        state.frames[level].regs[slot] = Some(val);
    }
}
