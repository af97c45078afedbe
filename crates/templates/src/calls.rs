//! Calls in the formula: functions with code are inlined, library functions follow their models, anything else ends the way.

use crate::build::{Builder, Frame};
use crate::plan::{Key, ObjKind, Step};
use crate::ssa::{Input, Kind};
use crate::state::State;
use crate::value::{NULL, Pointer, UNKNOWN, Value, obj_term};
use heapproof_engine::{Place, Resolution};
use heapproof_ir::{BlockId, Callee, FuncId, GlobalInit, Operand, Reg, Ty};
use heapproof_libc::{Fallible, Legal, Model, ModelKind, ResultOf, SizeArg};
use heapproof_logic::{BvRel, Sort, Term};
use heapproof_verdict::{ErrorClass, Property};

/// The most functions on the stack.
const DEEPEST: usize = 60;

impl Builder<'_> {
    /// A call.
    #[allow(clippy::too_many_arguments)]
    pub fn call(
        &mut self,
        frame: &mut Frame,
        at: (BlockId, usize),
        results: &[Reg],
        callee: &Callee,
        args: &[Operand],
        place: Place,
        state: &mut State,
    ) {
        let values: Vec<Value> = args.iter().map(|arg| self.operand(frame, state, arg)).collect();
        match callee {
            Callee::Direct(func) => {
                let after = self.call_one(frame, at, results, *func, values, place, state.clone());
                self.go_on(state, after);
            }
            Callee::Indirect(operand) => {
                let pointer = self.operand(frame, state, operand).pointer(self.width);
                let mut ends = Vec::new();
                let mut known = Vec::new();
                for obj in pointer.may.iter().copied().take(if fault!(26) { 1 } else { usize::MAX }) {
                    let Some(ObjKind::Function(func)) = self.plan.kind(obj) else { continue };
                    known.push(pointer.is(obj));
                    let here = self.constrained(state, pointer.is(obj));
                    if !here.is_dead() {
                        ends.extend(self.call_one(frame, at, results, func, values.clone(), place, here));
                    }
                }
                let unknown = if fault!(26) { Term::truth(false) } else { Term::not(Term::or(known)) };
                let other = self.constrained(state, unknown);
                if !other.is_dead() {
                    self.not_covered(&other, place, "a call through a pointer to an unknown function");
                }
                let after = self.merge(ends);
                self.go_on(state, after);
            }
        }
    }

    fn go_on(&mut self, state: &mut State, after: Option<State>) {
        match after {
            Some(after) => *state = after,
            None => state.guard = Term::truth(false),
        }
    }

    /// The state after a call of one function; none if it does not return.
    #[allow(clippy::too_many_arguments)]
    fn call_one(
        &mut self,
        frame: &Frame,
        at: (BlockId, usize),
        results: &[Reg],
        func: FuncId,
        values: Vec<Value>,
        place: Place,
        mut state: State,
    ) -> Option<State> {
        let function = &self.program.functions[func];
        match self.resolutions.of(func) {
            Resolution::Body => {
                if self.stack.contains(&func) || self.stack.len() > DEEPEST {
                    self.not_covered(&state, place, "recursion");
                    return fault!(18).then_some(state);
                }
                if function.variadic || values.len() != function.params.len() {
                    self.not_covered(&state, place, "a call whose arguments do not fit");
                    return None;
                }
                let outside = self.context;
                self.context = self.plan.enter(outside, Step::Call(at.0, at.1, func));
                let after = self.function(func, state, values);
                self.context = outside;
                let (mut state, given) = after?;
                for (reg, value) in results.iter().zip(given) {
                    self.assign(frame, &mut state, *reg, value);
                }
                Some(state)
            }
            Resolution::Model(model) => {
                self.ssa.externals.insert(func);
                self.library(frame, at, results, model, values, place, &mut state);
                if model.may_set_errno() {
                    self.forget_errno(&mut state, place);
                }
                (!state.is_dead()).then_some(state)
            }
            Resolution::Pure => {
                self.ssa.externals.insert(func);
                self.any_results(frame, results, &mut state);
                Some(state)
            }
            Resolution::Havoc | Resolution::Unknown => {
                self.ssa.externals.insert(func);
                let what = format!("the external function `{}`", function.name);
                self.not_covered(&state, place, &what);
                None
            }
        }
    }

    /// The error number may be another one after a call.
    fn forget_errno(&mut self, state: &mut State, place: Place) {
        let Some(global) = self.program.global("errno") else { return };
        let data = &self.program.globals[global];
        if data.init != GlobalInit::External || state.is_dead() {
            return;
        }
        let obj = self.plan.object(ObjKind::Global(global));
        let number = self.ssa.fresh("errno", Sort::Bits((8 * data.size) as u8));
        self.write(state, &Pointer::to(obj, self.width), data.size, &Value::Int(number), place);
    }

    fn any_results(&mut self, frame: &Frame, results: &[Reg], state: &mut State) {
        let body = self.program.functions[frame.func].body.as_ref().expect("it is being followed");
        for reg in results {
            let value = match body.regs[*reg].ty {
                Ty::Ptr => Value::Ptr(Pointer::to(UNKNOWN, self.width)),
                ty => Value::Int(self.ssa.fresh("result", Sort::Bits(ty.bits(self.program.target)))),
            };
            self.assign(frame, state, *reg, value);
        }
    }

    /// A function of the library.
    #[allow(clippy::too_many_arguments)]
    fn library(
        &mut self,
        frame: &Frame,
        at: (BlockId, usize),
        results: &[Reg],
        model: &Model,
        args: Vec<Value>,
        place: Place,
        state: &mut State,
    ) {
        let int = |n: usize| match args.get(n) {
            Some(Value::Int(term)) => Some(term.clone()),
            _ => None,
        };
        let error = |property| Kind::Error(property, ErrorClass::AssertionFailure);
        for demand in &model.effect.demands {
            // An alignment has to be known by others.
            let legal = match (demand.legal, int(demand.arg)) {
                (Legal::Character, Some(c)) => {
                    let number = |n: i64| Term::bits(n as u128 & heapproof_ir::mask(c.width()), c.width());
                    Term::and([
                        Term::rel(BvRel::Sle, number(-128), c.clone()),
                        Term::rel(BvRel::Sle, c.clone(), number(255)),
                    ])
                }
                _ => Term::truth(false),
            };
            let other = self.constrained(state, Term::not(legal));
            if !other.is_dead() {
                let what = format!("argument {} of `{}`", demand.arg + 1, model.name);
                self.not_covered(&other, place, &what);
            }
        }
        match model.kind {
            ModelKind::ReachError => {
                let message = format!("`{}` may be called", model.name);
                self.require(state, Term::truth(false), error(Property::UnreachCall), place, &message);
            }
            ModelKind::AssertFail { .. } => {
                self.require(
                    state,
                    Term::truth(false),
                    error(Property::Assertions),
                    place,
                    "an assertion may fail",
                );
            }
            ModelKind::Assert | ModelKind::Assume => {
                let Some(condition) = int(0) else {
                    return self.give_up(state, place, "a condition that is no number");
                };
                let zero = Term::bits(0, condition.width());
                let holds = Term::ne(condition, zero);
                self.note_condition(&holds);
                if model.kind == ModelKind::Assert {
                    self.require(state, holds, error(Property::Assertions), place, "an assertion may fail");
                } else {
                    self.assume(state, holds);
                }
            }
            ModelKind::AtExit => self.give_up(state, place, "functions that run at the end of the program"),
            ModelKind::Abort | ModelKind::Exit { .. } => state.guard = Term::truth(false),
            ModelKind::Alloc { size, zeroed, fallible, align: None } => {
                let bytes = match size {
                    SizeArg::Bytes(n) => int(n),
                    SizeArg::Product(a, b) => self.product(int(a), int(b)),
                };
                let Some(bytes) = bytes else {
                    return self.give_up(state, place, "an allocation of unknown size");
                };
                let may_fail = self.environment.malloc_may_fail && fallible == Fallible::IfAsked;
                let value = self.allocate(at, state, bytes, zeroed, may_fail);
                if let Some(reg) = results.first() {
                    self.assign(frame, state, *reg, Value::Ptr(value));
                }
            }
            ModelKind::Free => {
                let pointer = args.first().map(|v| v.pointer(self.width));
                let Some(pointer) = pointer else { return };
                self.free(state, &pointer, place);
            }
            ModelKind::Fill { zero } => {
                let (byte, len) = if zero { (Some(Term::bits(0, 8)), int(1)) } else { (int(1), int(2)) };
                let (Some(to), Some(byte), Some(len)) = (args.first(), byte, len) else {
                    return self.give_up(state, place, model.name);
                };
                let to = to.pointer(self.width);
                let byte = if byte.width() > 8 { Term::extract(7, 0, byte) } else { byte };
                self.fill_block(state, &to, &byte, &len, place);
                if let Some(reg) = results.first() {
                    self.assign(frame, state, *reg, Value::Ptr(to));
                }
            }
            ModelKind::CopyBytes { .. } => {
                // Whether areas overlap is for others to say.
                self.ssa.blurred = true;
                let (to, from) = match model.kind {
                    ModelKind::CopyBytes { swapped: true, .. } => (args.get(1), args.first()),
                    _ => (args.first(), args.get(1)),
                };
                let (Some(to), Some(from), Some(len)) = (to, from, int(2)) else {
                    return self.give_up(state, place, model.name);
                };
                let (to, from) = (to.pointer(self.width), from.pointer(self.width));
                self.copy_block(state, &to, &from, &len, place);
                let ModelKind::CopyBytes { result: heapproof_libc::CopyResult::Start, .. } = model.kind
                else {
                    return if results.is_empty() {
                    } else {
                        self.give_up(state, place, model.name)
                    };
                };
                if let Some(reg) = results.first() {
                    self.assign(frame, state, *reg, Value::Ptr(to));
                }
            }
            ModelKind::Abs => {
                let (Some(n), Some(reg)) = (int(0), results.first()) else { return };
                let negative = Term::rel(BvRel::Slt, n.clone(), Term::bits(0, n.width()));
                let value = Term::ite(negative, Term::bv_neg(n.clone()), n);
                self.assign(frame, state, *reg, Value::Int(value));
            }
            _ => self.by_effect(frame, results, model, place, state),
        }
    }

    /// A function that changes no memory: its result is what the environment gives.
    fn by_effect(&mut self, frame: &Frame, results: &[Reg], model: &Model, place: Place, state: &mut State) {
        let effect = &model.effect;
        let unknown = model.kind == ModelKind::Unsupported || model.kind.is_more_than_its_effect();
        if unknown || !effect.is_pure() || !effect.streams.is_empty() {
            return self.give_up(state, place, &format!("the library function `{}`", model.name));
        }
        if !effect.reads.is_empty() {
            // What it reads is not looked at here.
            let kind = Kind::Error(Property::ValidDeref, ErrorClass::OutOfBoundsRead);
            let bad = state.guard.clone();
            self.oblige(kind, bad, place, &format!("`{}` may read outside of an object", model.name));
        }
        let Some(reg) = results.first() else { return };
        let body = self.program.functions[frame.func].body.as_ref().expect("it is being followed");
        let ty = body.regs[*reg].ty;
        if ty == Ty::Ptr {
            return self.any_results(frame, results, state);
        }
        let bits = ty.bits(self.program.target);
        let value = self.ssa.fresh(model.name.trim_start_matches("__VERIFIER_"), Sort::Bits(bits));
        let never_fails = matches!(effect.failure, heapproof_libc::Failure::Never);
        let is_input = matches!(model.kind, ModelKind::Effect);
        match effect.result {
            ResultOf::Input | ResultOf::AtLeast(_) | ResultOf::Between(..) if is_input && never_fails => {
                let constant = |n: i64| Term::bits(n as i128 as u128 & heapproof_ir::mask(bits), bits);
                let least = match effect.result {
                    ResultOf::AtLeast(low) => Some((low, None)),
                    ResultOf::Between(low, high) => Some((low, Some(high))),
                    _ => None,
                };
                if let Some((low, high)) = least {
                    let signed = low < 0 || model.result.is_signed();
                    let rel = if signed { BvRel::Sle } else { BvRel::Ule };
                    self.ssa.facts.push(Term::rel(rel, constant(low), value.clone()));
                    let most = i64::MAX >> (64 - bits.min(64));
                    if let Some(high) = high.filter(|high| *high <= most) {
                        self.ssa.facts.push(Term::rel(rel, value.clone(), constant(high)));
                    }
                }
                self.ssa.inputs.push(Input { guard: state.guard.clone(), value: value.clone() });
            }
            _ => {}
        }
        self.assign(frame, state, *reg, Value::Int(value));
    }

    fn product(&self, a: Option<Term>, b: Option<Term>) -> Option<Term> {
        let bytes = a?.as_bits()?.checked_mul(b?.as_bits()?)?;
        (bytes <= heapproof_ir::mask(self.width)).then(|| Term::bits(bytes, self.width))
    }

    /// A new block (paper, section III-B): in a loop a free choice says whether it is a witness.
    fn allocate(
        &mut self,
        (block, index): (BlockId, usize),
        state: &mut State,
        size: Term,
        zeroed: bool,
        may_fail: bool,
    ) -> Pointer {
        self.ssa.has_heap = true;
        let context = self.context;
        let mut pointer;
        if self.cut.is_none() || fault!(11) {
            let obj = self.plan.object(ObjKind::Single(context, block, index));
            self.note_birth(obj, block, index);
            pointer = Pointer::to(obj, self.width);
            self.new_block(state, obj, &size, zeroed, &Term::truth(true));
        } else {
            let rest = self.plan.object(ObjKind::Rest(context, block, index));
            self.note_birth(rest, block, index);
            pointer = Pointer::to(rest, self.width);
            for n in (0..self.witnesses).rev() {
                let obj = self.plan.object(ObjKind::Witness(context, block, index, n));
                let made = match state.vars.get(&Key::Made(obj)) {
                    Some(Value::Int(bit)) => bit.clone(),
                    _ => Term::bits(0, 1),
                };
                let free = self.ssa.fresh("os", Sort::Bool);
                let chosen = Term::and([free, Term::eq(made, Term::bits(0, 1)), state.guard.clone()]);
                // At most one of them is chosen: the later choice counts, so it must exclude the earlier.
                let earlier = pointer.is(rest);
                let chosen = self.ssa.define("os", Term::and([chosen, earlier]));
                pointer = match Value::ite(
                    &chosen,
                    &Value::Ptr(Pointer::to(obj, self.width)),
                    &Value::Ptr(pointer),
                    self.width,
                ) {
                    Value::Ptr(p) => p,
                    Value::Int(_) => unreachable!("both are pointers"),
                };
                pointer.obj = self.ssa.define("new", pointer.obj);
                self.new_block(state, obj, &size, zeroed, &chosen);
            }
        }
        if may_fail {
            let fails = self.ssa.fresh("fails", Sort::Bool);
            pointer.obj = Term::ite(fails, obj_term(NULL), pointer.obj);
            pointer.may.insert(NULL);
        }
        pointer
    }

    /// Remembers where a block comes from.
    fn note_birth(&mut self, obj: u32, block: BlockId, index: usize) {
        let body = self.stack.last().and_then(|func| self.program.functions[*func].body.as_ref());
        if let Some(body) = body {
            self.plan.note_birth(obj, body.blocks[block].insts[index].span);
        }
    }

    fn new_block(&mut self, state: &mut State, obj: u32, size: &Term, zeroed: bool, chosen: &Term) {
        let mut fresh = State { guard: state.guard.clone(), vars: Default::default() };
        self.new_content(&mut fresh, obj, zeroed);
        self.set_life(&mut fresh, obj, true);
        self.set_size(&mut fresh, obj, size.clone());
        fresh.vars.insert(Key::Made(obj), Value::Int(Term::bits(1, 1)));
        for (key, value) in fresh.vars {
            let old = state.vars.get(&key).cloned().or_else(|| self.default(key));
            let value = match old {
                Some(old) => Value::ite(chosen, &value, &old, self.width),
                None => value,
            };
            let name = self.name(key);
            let value = crate::state::named(&mut self.ssa, &name, value);
            state.vars.insert(key, value);
        }
    }

    fn free(&mut self, state: &mut State, p: &Pointer, place: Place) {
        let known = Term::not(p.is(UNKNOWN));
        self.require(
            state,
            known,
            Kind::Coverage,
            place,
            "a release of an address of which nothing is known",
        );
        let mut fine = Vec::new();
        for obj in p.may.clone() {
            let is = p.is(obj);
            let start = Term::eq(p.off.clone(), Term::bits(0, self.width));
            fine.push(match self.plan.kind(obj) {
                None if obj == NULL => Term::and([is, start]),
                Some(ObjKind::Rest(..)) => is,
                Some(kind) if kind.is_heap() => {
                    let live = match state.vars.get(&Key::Live(obj)) {
                        Some(Value::Int(bit)) => Term::eq(bit.clone(), Term::bits(1, 1)),
                        _ => Term::truth(false),
                    };
                    Term::and([is, start, live])
                }
                _ => Term::truth(false),
            });
        }
        let kind = Kind::Error(Property::ValidFree, ErrorClass::InvalidFree);
        self.require(state, Term::or(fine), kind, place, "the release may be invalid");
        for obj in p.may.clone() {
            if !self.plan.kind(obj).is_some_and(ObjKind::is_heap) {
                continue;
            }
            self.plan.note_freed(obj);
            if matches!(self.plan.kind(obj), Some(ObjKind::Rest(..))) {
                continue;
            }
            let Some(Value::Int(live)) = state.vars.get(&Key::Live(obj)).cloned() else { continue };
            let now = Term::ite(p.is(obj), Term::bits(0, 1), live);
            let name = self.name(Key::Live(obj));
            let now = self.ssa.define(&name, now);
            state.vars.insert(Key::Live(obj), Value::Int(now));
            self.mark_freed(state, obj, &p.is(obj));
        }
    }
}
