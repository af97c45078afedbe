//! Calls: functions of the program, and models of external functions on graphs.

use crate::block::Done;
use crate::graph::{Addr, Frame, ObjId, Object, State, Storage, SymId, Tg, Val};
use crate::step::{Executor, Next, Parts, advance, assign, end_life, index};
use crate::trouble::{Trouble, TroubleKind};
use heapproof_engine::{BadRelease, Resolution};
use heapproof_ir::{Body, Callee, CmpOp, CopyKind, FuncId, Operand, Reg, Span, Ty, mask};
use heapproof_libc::{CopyResult, Model, ModelKind, SizeArg};
use heapproof_verdict::{ErrorClass, Property};

/// Deeper call stacks are not followed.
const DEEPEST: usize = 250;

impl<'p> Executor<'p> {
    /// Executes a call.
    pub fn call(
        &self,
        mut state: State,
        results: &[Reg],
        callee: &Callee,
        args: &[Operand],
        span: Span,
    ) -> Next {
        if let Some(addr) = args.iter().find_map(|arg| state.some_node(arg)) {
            return Ok(state.open(addr));
        }
        let func = match callee {
            Callee::Direct(func) => *func,
            Callee::Indirect(operand) => match self.operand(&mut state, operand) {
                Val::Func(func) => func,
                Val::Int(0) => {
                    return self.suspect(&state, ErrorClass::NullDeref, "the function pointer may be null");
                }
                Val::Sym(id) if state.functions_of(Val::Sym(id)).is_some() && state.syms[&id].level == 0 => {
                    return Ok(state.each_function(id));
                }
                _ => return self.not_covered(&state, "a call through an unknown function pointer"),
            },
        };
        let caller = self.program.functions[state.frame().func].body.as_ref().expect("callers have code");
        let types: Vec<Ty> = args.iter().map(|arg| caller.operand_ty(arg)).collect();
        let args: Vec<Val> = args.iter().map(|arg| self.operand(&mut state, arg)).collect();
        let function = &self.program.functions[func];
        if function.body.is_none() {
            self.called.borrow_mut().insert(func);
        }
        match self.resolutions.of(func) {
            Resolution::Body => {
                let sizes: Vec<u64> = types.iter().map(|ty| ty.bytes(self.program.target)).collect();
                self.enter_function(state, func, &args, &sizes)
            }
            Resolution::Havoc => {
                let args: Vec<(Val, Ty)> = args.into_iter().zip(types).collect();
                self.havoc(state, &function.name, results, &args)
            }
            Resolution::Pure => self.pure(state, results),
            Resolution::Model(model) => self.model(state, model, results, &args, span),
            Resolution::Unknown => {
                let what = format!("the external function `{}` has no model", function.name);
                let trouble = self.not_covered::<Vec<State>>(&state, &what);
                trouble.map_err(|trouble| Trouble { kind: TroubleKind::External(func), ..trouble })
            }
        }
    }

    /// Pushes a frame; the sizes of the arguments are in bytes.
    pub fn enter_function(&self, mut state: State, func: FuncId, args: &[Val], sizes: &[u64]) -> Next {
        let function = &self.program.functions[func];
        let Some(body) = &function.body else { return self.not_covered(&state, "a call of nothing") };
        if state.frames.len() >= DEEPEST {
            return self.not_covered(&state, "recursion, or calls nested too deeply");
        }
        if args.len() < body.params.len() || (args.len() > body.params.len() && !function.variadic) {
            return self.not_covered(&state, "a call that does not fit the function");
        }
        let widths = body.regs.values().map(|reg| reg.ty.bits(self.program.target)).collect();
        let mut frame = Frame {
            func,
            block: Body::ENTRY,
            inst: 0,
            regs: vec![None; body.regs.len()],
            widths,
            locals: Default::default(),
            allocas: Vec::new(),
            cut: false,
            holds_heap: false,
        };
        for (param, arg) in body.params.iter().zip(args) {
            frame.regs[index(*param)] = Some(*arg);
        }
        state.frames.push(frame);
        if function.variadic {
            self.lay_out_variadic(&mut state, args.iter().zip(sizes).skip(body.params.len()));
        }
        for (local, info) in &body.locals {
            if !info.scoped {
                self.new_local(&mut state, local);
            }
        }
        Ok(vec![state])
    }

    /// Pops the current frame and gives its results to the caller. `None` when the program ends.
    pub fn leave_function(&self, mut state: State, values: &[Operand]) -> Result<Option<State>, Trouble> {
        let values: Vec<Val> = values.iter().map(|value| self.operand(&mut state, value)).collect();
        let frame = state.frames.pop().expect("a running program has a frame");
        let ended: Vec<ObjId> = frame.locals.into_values().chain(frame.allocas).collect();
        end_life(&mut state, &ended);
        if state.frames.is_empty() {
            return Ok(None);
        }
        if state.frame().cut {
            let results = self.program.functions[frame.func].results.iter();
            let widths = results.map(|ty| ty.bits(self.program.target));
            let below = state.frame_mut();
            below.widths = below.widths.iter().copied().chain(widths).collect();
            below.regs.extend(values.into_iter().map(Some));
            return Ok(Some(state));
        }
        self.give_results(state, &values).map(Some)
    }

    /// Assigns the results of a call that the current frame waits for.
    pub fn give_results(&self, mut state: State, values: &[Val]) -> Result<State, Trouble> {
        let caller = state.frame();
        let body = self.program.functions[caller.func].body.as_ref().expect("callers have code");
        let call = &body.blocks[caller.block].insts[caller.inst];
        let results = call.kind.defs().to_vec();
        if results.len() > values.len() {
            return self.not_covered(&state, "a call that does not fit the definition");
        }
        for (result, val) in results.iter().zip(values) {
            state.frame_mut().regs[index(*result)] = Some(*val);
        }
        Ok(advance(state))
    }

    /// Executes a model. The program may have declared the function with other types: its declaration counts.
    fn model(
        &self,
        mut state: State,
        model: &'static Model,
        results: &[Reg],
        args: &[Val],
        span: Span,
    ) -> Next {
        let word = state.pointer_bits();
        // A condition is whatever the program declares it to be: all its bits count.
        let is_condition = matches!(model.kind, ModelKind::Assume | ModelKind::Assert);
        let types = model.params.iter().filter(|_| !is_condition).map(|ty| Some(ty.bits(word)));
        let wanted = types.chain(std::iter::repeat(None));
        let args: Vec<Val> =
            args.iter().zip(wanted).map(|(arg, width)| fitted(&mut state, *arg, width)).collect();
        let at = state.frame().inst;
        let slot = self.answer_slot(&state, model, &args);
        if let Some((val, dst)) =
            slot.zip(results.first()).and_then(|(slot, dst)| Some((self.answer(&state, slot, *dst)?, *dst)))
        {
            return Ok(vec![assign(state, dst, val)]);
        }
        self.forget_answers(&mut state, model.outside());
        let mut next = self.modelled(state, model, results, &args, span)?;
        if let Some(&dst) = results.first() {
            for state in next.iter_mut().filter(|state| state.frame().inst > at) {
                let (width, given) = (state.frame().widths[index(dst)], state.frame().regs[index(dst)]);
                if let Some(val) = given.filter(|val| !state.has_width(*val, width)) {
                    let val = match val {
                        Val::Sym(_) | Val::Int(_) if state.is_number(val) => {
                            let from = model.result.bits(word).max(1);
                            state.resized(val, from, width, model.result.is_signed())
                        }
                        _ => state.unknown(width),
                    };
                    state.frame_mut().regs[index(dst)] = Some(val);
                }
                if let Some(slot) = slot {
                    self.keep_answer(state, slot, dst);
                }
            }
        }
        Ok(next)
    }

    fn modelled(
        &self,
        state: State,
        model: &'static Model,
        results: &[Reg],
        args: &[Val],
        span: Span,
    ) -> Next {
        let allocates = matches!(
            model.kind,
            ModelKind::Alloc { .. } | ModelKind::Realloc { .. } | ModelKind::DupString { .. }
        );
        if !(allocates && self.environment.malloc_may_fail) {
            return self.effect(state, model, results, args, span);
        }
        let before = state.clone();
        let mut next = self.effect(state, model, results, args, span)?;
        if next.iter().any(|state| state.frame().inst > before.frame().inst) {
            next.push(match results.first() {
                Some(&dst) => assign(before, dst, Val::ZERO),
                None => advance(before),
            });
        }
        Ok(next)
    }

    /// What a model does, if it does not fail.
    fn effect(
        &self,
        mut state: State,
        model: &'static Model,
        results: &[Reg],
        args: &[Val],
        span: Span,
    ) -> Next {
        let give = |state: State, val: Val| match results.first() {
            Some(&dst) => assign(state, dst, val),
            None => advance(state),
        };
        let finish = |done: Vec<Done>, val: Val| {
            done.into_iter().map(|d| d.retry_or(|s| give(s, val))).collect::<Vec<_>>()
        };
        if args.len() < model.params.len() {
            return self.not_covered(&state, "a call that does not fit the function");
        }
        for demand in &model.effect.demands {
            let (ty, arg) = (model.params[demand.arg], args[demand.arg]);
            let width = ty.bits(state.pointer_bits());
            let range = state.range(arg, width);
            if !state.is_number(arg) || !demand.legal.holds(range.lo, range.hi, self.program.target) {
                let what = format!(
                    "argument {} of `{}`, which may not be {}",
                    demand.arg + 1,
                    model.name,
                    demand.legal.name()
                );
                return self.not_covered(&state, &what);
            }
        }
        self.forget_error_number(&mut state);
        match model.kind {
            ModelKind::Alloc { size, zeroed, align, .. } => {
                let (least, number) = self.block_size(&mut state, size, args)?;
                let val = self.new_block(&mut state, least, number.is_none(), zeroed, span);
                state.cut_in_two(val);
                state.set_size(val, number);
                let usual = u128::from(self.program.target.malloc_align());
                let align = align.and_then(|at| state.known(args[at])).filter(|align| *align > usual);
                state.set_alignment(val, align);
                Ok(vec![give(state, val)])
            }
            ModelKind::Alloca => {
                let (size, number) = self.block_size(&mut state, SizeArg::Bytes(0), args)?;
                let mut object = Object::region(size, Storage::Alloca, span);
                (object.exact, object.size_sym) = (number.is_none(), number);
                let obj = state.add(object);
                state.frame_mut().allocas.push(obj);
                Ok(vec![give(state, Val::Addr(Addr { obj, off: 0, tg: Tg::Region }))])
            }
            ModelKind::Free => match self.release(&mut state, args[0])? {
                Ok(()) => Ok(vec![give(state, Val::ZERO)]),
                Err(states) => Ok(states),
            },
            ModelKind::Realloc { size } => self.realloc(state, size, args, results, span),
            ModelKind::CopyBytes { overlap, swapped, result } => {
                let (to, from) = if swapped { (args[1], args[0]) } else { (args[0], args[1]) };
                let kind = if overlap { CopyKind::Move } else { CopyKind::Disjoint };
                let given = match (result, to, args[2]) {
                    (CopyResult::End, Val::Addr(addr), Val::Int(n)) if addr.tg == Tg::Region => {
                        Val::Addr(Addr { off: addr.off.wrapping_add(n as i64), ..addr })
                    }
                    (CopyResult::End, ..) => {
                        return self.not_covered(&state, "the end of a copy at an unknown place");
                    }
                    _ => to,
                };
                Ok(finish(self.copy_block(state, kind, to, from, args[2])?, given))
            }
            ModelKind::Fill { zero } => {
                let (byte, len) = if zero { (Val::ZERO, args[1]) } else { (args[1], args[2]) };
                Ok(finish(self.fill_block(state, args[0], byte, len)?, args[0]))
            }
            ModelKind::Assume => {
                let outcomes = state.compare(CmpOp::Ne, state.own_width(args[0]), args[0], Val::ZERO);
                Ok(outcomes.into_iter().filter(|(_, holds)| *holds).map(|(s, _)| advance(s)).collect())
            }
            ModelKind::Assert => self.assertion(&state, args[0]),
            ModelKind::AssertFail { .. } => {
                if self.asks(Property::Assertions) {
                    return self.suspect(&state, ErrorClass::AssertionFailure, "the assertion may fail");
                }
                self.check_cleanup(&state, false)?;
                Ok(Vec::new())
            }
            ModelKind::ReachError => {
                if self.asks(Property::UnreachCall) {
                    return self.suspect(
                        &state,
                        ErrorClass::AssertionFailure,
                        "the error call may be reached",
                    );
                }
                self.check_cleanup(&state, false)?;
                Ok(Vec::new())
            }
            ModelKind::Abort => {
                self.check_cleanup(&state, false)?;
                Ok(Vec::new())
            }
            ModelKind::Exit { .. } => {
                self.check_cleanup(&state, true)?;
                Ok(Vec::new())
            }
            _ => self.string_function(state, model, results, args, span),
        }
    }

    /// The size of a new block. If it is not known exactly, the least one and the size as a number.
    pub fn block_size(
        &self,
        state: &mut State,
        size: SizeArg,
        args: &[Val],
    ) -> Result<(u64, Option<SymId>), Trouble> {
        let width = state.pointer_bits();
        let size = match size {
            SizeArg::Bytes(arg) => args[arg],
            SizeArg::Product(a, b) => {
                let (x, y) = (state.range(args[a], width), state.range(args[b], width));
                let most = mask(width - 1) as i128;
                let exact = x.lo >= 0 && y.lo >= 0 && x.hi.checked_mul(y.hi).is_some_and(|p| p <= most);
                if !exact {
                    return self.not_covered(state, "a heap block of unknown size");
                }
                state.arithmetic(heapproof_ir::BinOp::Mul, width, args[a], args[b])
            }
        };
        let range = state.range(size, width);
        // A negative number is a huge size: such a block cannot be had, or it is larger than any other.
        let least = range.lo.max(0);
        let number = match size {
            Val::Sym(id) if range.lo < range.hi => Some(id),
            _ if range.lo < range.hi => return self.not_covered(state, "a heap block of unknown size"),
            _ => None,
        };
        match u64::try_from(least) {
            Ok(least) if u128::from(least) <= mask(width - 1) / 2 => Ok((least, number)),
            _ => self.not_covered(state, "a heap block of unknown size"),
        }
    }

    /// A new heap block.
    pub fn new_block(&self, state: &mut State, size: u64, exact: bool, zeroed: bool, span: Span) -> Val {
        state.leave_room_for_a_block();
        let mut object = Object::region(size, Storage::Heap, span);
        object.exact = exact;
        if zeroed && !exact && state.rows {
            object.nullify_to_the_end();
        } else if zeroed && size > 0 {
            object.put(0, size, Val::ZERO);
        }
        Val::Addr(Addr { obj: state.add(object), off: 0, tg: Tg::Region })
    }

    /// Ends the life of a heap block.
    pub fn release(&self, state: &mut State, ptr: Val) -> Result<Parts<()>, Trouble> {
        match ptr {
            Val::Int(0) => Ok(Ok(())),
            Val::Addr(addr) if addr.tg != Tg::Region => Ok(Err(state.open(addr))),
            Val::Addr(addr) if state.object(addr.obj).maybe => Ok(Err(state.split_maybe(addr.obj))),
            Val::Addr(addr) => {
                let object = state.object(addr.obj);
                if object.storage != Storage::Heap {
                    return self.bad_release(state, BadRelease::NotHeap);
                }
                if !object.valid {
                    return self.bad_release(state, BadRelease::Freed);
                }
                if !state.begins_at(ptr) || object.half.is_some_and(|half| half.link) {
                    return self.bad_release(state, BadRelease::Inside);
                }
                if object.half.is_some() {
                    return self.release_halves(state, addr.obj);
                }
                end_life(state, &[addr.obj]);
                Ok(Ok(()))
            }
            Val::Sym(_) if state.begins_at(ptr) => self.release_counted(state, ptr),
            _ => self.bad_release(state, BadRelease::Unknown),
        }
    }

    /// Ends the life of both halves of a block.
    fn release_halves(&self, state: &mut State, main: ObjId) -> Result<Parts<()>, Trouble> {
        match state.known_other_half(main) {
            Some(link) => {
                end_life(state, &[main]);
                if !fault!(136) {
                    end_life(state, &[link]);
                }
                Ok(Ok(()))
            }
            None => match state.with_other_half(main) {
                Some(states) => Ok(Err(states)),
                None => self.not_covered(state, "a block that is on two lists, of which one cannot be cut"),
            },
        }
    }

    /// Ends the life of a heap block whose beginning is a number.
    fn release_counted(&self, state: &mut State, ptr: Val) -> Result<Parts<()>, Trouble> {
        let Some(obj) = state.target(ptr) else { return self.bad_release(state, BadRelease::Unknown) };
        let object = state.object(obj);
        if object.maybe {
            return Ok(Err(state.split_maybe(obj)));
        }
        if object.storage != Storage::Heap {
            return self.bad_release(state, BadRelease::NotHeap);
        }
        if !object.valid {
            return self.bad_release(state, BadRelease::Freed);
        }
        end_life(state, &[obj]);
        Ok(Ok(()))
    }

    /// A release may be wrong.
    fn bad_release<T>(&self, state: &State, bad: BadRelease) -> Result<T, Trouble> {
        self.suspect(state, bad.class(), bad.suspected())
    }

    fn realloc(&self, mut state: State, size: SizeArg, args: &[Val], results: &[Reg], span: Span) -> Next {
        let (size, number) = self.block_size(&mut state, size, args)?;
        if size == 0 {
            return self.not_covered(&state, "`realloc` to size 0");
        }
        let old = match args[0] {
            Val::Int(0) => None,
            Val::Addr(addr) if addr.tg != Tg::Region => return Ok(state.open(addr)),
            Val::Addr(addr) if state.object(addr.obj).maybe => return Ok(state.split_maybe(addr.obj)),
            Val::Addr(addr) if state.object(addr.obj).valid && state.begins_at(args[0]) => {
                if state.object(addr.obj).storage != Storage::Heap {
                    return self.suspect(&state, ErrorClass::InvalidFree, "what is resized is no heap block");
                }
                self.check_whole(&state, addr.obj)?;
                if state.object(addr.obj).begin.is_some() {
                    // Its offsets are not counted from where it begins.
                    return self.not_covered(&state, "a block that was aligned by hand is resized");
                }
                Some(addr.obj)
            }
            _ => {
                return self.suspect(
                    &state,
                    ErrorClass::InvalidFree,
                    "the resized block may not be a live one",
                );
            }
        };
        let new = self.new_block(&mut state, size, number.is_none(), false, span);
        state.set_size(new, number);
        if let (Some(old), Val::Addr(to)) = (old, new) {
            let held = state.object(old).cells.range(state.object(old).size.min(size).saturating_sub(16)..);
            if held.into_iter().any(|(off, cell)| off + cell.len > size && state.target(cell.val).is_some()) {
                return self.not_covered(&state, "addresses at the end of a block that is resized");
            }
            let len = state.least_size(old).min(size);
            if len > 0 {
                state.copy((old, 0), (to.obj, 0), len);
            }
            if state.object(old).indexed.is_some_and(|(_, pointers)| pointers) {
                // It will grow again.
                self.wants_rows.set(true);
                self.needs_rows.set(true);
            }
            if !state.move_tables(old, to.obj) {
                return self.not_covered(&state, "an array of pointers that may become smaller");
            }
            end_life(&mut state, &[old]);
        }
        Ok(vec![match results.first() {
            Some(&dst) => assign(state, dst, new),
            None => advance(state),
        }])
    }

    /// At an end of the program nothing may be left, if that is asked of such an end.
    pub fn check_cleanup(&self, state: &State, normal: bool) -> Result<(), Trouble> {
        let asked = self.asks(Property::ValidMemcleanup) || (normal && self.asks(Property::MemCleanup));
        let left = state.objects.values().any(|o| o.valid && o.storage == Storage::Heap)
            || state.frames.iter().any(|frame| frame.holds_heap);
        if left && asked && !state.frames.is_empty() {
            return self.suspect(state, ErrorClass::Leak, "a heap block may be left at the end");
        }
        Ok(())
    }
}

/// An argument in the width that a model takes it in.
fn fitted(state: &mut State, arg: Val, width: Option<u8>) -> Val {
    match (arg, width) {
        (Val::Int(number), Some(width)) if width > 0 => Val::Int(number & mask(width)),
        (Val::Sym(id), Some(width))
            if state.is_number(arg) && state.syms[&id].width != width && width > 0 =>
        {
            let from = state.syms[&id].width;
            state.resized(arg, from, width, false)
        }
        _ => arg,
    }
}
