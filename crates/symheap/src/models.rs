//! Library functions: those that are followed byte by byte here. All others do what their effect says (`library.rs`).

use crate::exec::Executor;
use crate::halt::{Fault, Halt, Res, not_covered};
use crate::heap::{self, Kind, Life};
use crate::library::Library;
use crate::state::State;
use crate::value::{ObjId, Prov, Value};
use heapproof_confirm::Origin;
use heapproof_engine::{Access, BadRelease};
use heapproof_ir::{CmpOp, CopyKind, GlobalInit, Reg, Ty, mask};
use heapproof_libc::{self as libc, CharClass, CopyResult, Fallible, Legal, Model, ModelKind, SizeArg};
use heapproof_logic::{BvOp, BvRel, Term};
use heapproof_verdict::{ErrorClass, Property};
use std::rc::Rc;

/// What a call does to the path.
pub enum Outcome {
    /// It returns.
    Gives(Option<Value>),
    /// Another function is entered.
    Enters,
}

/// The call of a model.
pub struct ModelCall<'a> {
    pub model: &'static Model,
    pub args: &'a [(Value, Ty)],
}

impl ModelCall<'_> {
    pub fn value(&self, index: usize) -> &Value {
        &self.args[index].0
    }
}

/// What the environment answered before may be another thing after a call.
fn forget_answers(state: &mut State, model: &Model) {
    let outside = model.outside();
    let stays = |name: &str| libc::lookup(name).is_some_and(|asked| !outside.changes(asked));
    if state.answers.keys().any(|(name, _)| !stays(name)) {
        Rc::make_mut(&mut state.answers).retain(|(name, _), _| stays(name));
    }
}

impl Executor<'_> {
    /// Carries out a call of a modelled function.
    pub fn model(
        &mut self,
        state: &mut State,
        model: &'static Model,
        args: &[(Value, Ty)],
        results: &[Reg],
    ) -> Res<bool> {
        if args.len() < model.params.len() {
            return not_covered(format!("`{}` is called with too few arguments", model.name));
        }
        let saved = state.clone();
        forget_answers(state, model);
        state.pure.restores = true;
        let call = ModelCall { model, args };
        let done = match libc::jump(model) {
            Some(libc::Jump::Set(buffer)) => self.set_jump(state, &call, buffer, results),
            Some(libc::Jump::To) => self.jump_back(state, &call),
            None => self.model_outcome(state, &call),
        };
        state.pure.restores = false;
        match done {
            Ok(Outcome::Gives(value)) => {
                self.forget_error_number(state);
                self.give(state, model, results, value);
                state.advance();
                Ok(false)
            }
            Ok(Outcome::Enters) => Ok(true),
            Err(halt) => {
                let pure = std::mem::take(&mut state.pure);
                *state = State { pure, ..saved };
                Err(halt)
            }
        }
    }

    /// Assigns the result, fitted to the type with which the program declares the function.
    fn give(&mut self, state: &mut State, model: &Model, results: &[Reg], value: Option<Value>) {
        let Some(reg) = results.first() else { return };
        let ty = self.body(state.top().func).regs[*reg].ty;
        let width = ty.bits(self.program.target);
        let value = value.unwrap_or_else(|| Value::number(0, width));
        let term = value.term.resized(width, model.result.is_signed());
        let prov = match value.prov {
            Prov::None if ty == Ty::Ptr && term.as_bits() == Some(0) => Prov::Null,
            other => other,
        };
        state.set(*reg, Value { term, prov });
    }

    /// Any call may have failed on the way and set the error number.
    fn forget_error_number(&mut self, state: &mut State) {
        let Some(global) = self.program.global("errno") else { return };
        if matches!(self.program.globals[global].init, GlobalInit::External) {
            let id = self.global(global);
            state.heap.get_mut(id).reset(heap::Fill::Unknown);
        }
    }

    fn model_outcome(&mut self, state: &mut State, call: &ModelCall<'_>) -> Res<Outcome> {
        use ModelKind::*;
        self.check_numbers(state, call)?;
        let value = match call.model.kind {
            Alloc { size, zeroed, align, fallible } => {
                let size = self.block_size(state, call, size)?;
                if fallible == Fallible::IfAsked && self.allocation_fails(state)? {
                    return Ok(Outcome::Gives(Some(Value::null(self.word))));
                }
                let page = if call.model.name == "valloc" { 4096 } else { 1 };
                let align = align.map_or(Some(page), |index| call.value(index).known()).unwrap_or(1) as u64;
                let fill = if zeroed { heap::Fill::Byte(Term::bits(0, 8)) } else { heap::Fill::Uninit };
                let id = self.new_block(state, size, align, fill)?;
                Some(state.heap.address(id))
            }
            Alloca => Some(self.new_alloca(state, &call.value(0).term, 16)?),
            Realloc { size } => Some(self.realloc(state, call, size)?),
            Free => {
                if let Some(id) = self.releasable(state, call.value(0))? {
                    state.heap.end(id, Life::Freed);
                }
                None
            }
            CopyBytes { overlap, swapped, result } => {
                self.copy_bytes(state, call, overlap, swapped, result)?
            }
            Fill { zero } => {
                let zero_byte = Term::bits(0, 8);
                let (byte, n) =
                    if zero { (zero_byte, 1) } else { (call.value(1).term.clone().resized(8, false), 2) };
                self.fill_block(state, call.value(0), byte, &call.value(n).term)?;
                (!zero).then(|| call.value(0).clone())
            }
            CompareBytes
            | FindByte { .. }
            | StrLen { .. }
            | StrCopy { .. }
            | StrCat { .. }
            | StrCompare { .. }
            | StrFind { .. }
            | DupString { .. } => match self.string_model(state, call)? {
                Some(value) => Some(value),
                None => self.by_effect(state, call)?,
            },
            Exit { handlers } => {
                if handlers && !state.handlers.is_empty() {
                    let frame = state.top().clone();
                    state.top_mut().inst += 1;
                    state.pure.advance();
                    self.finish(state, frame.func, &frame)?;
                    return Ok(Outcome::Enters);
                }
                let place = self.place(state);
                self.program_ends(state, place, false)?;
                return Err(Halt::End);
            }
            Abort => {
                let place = self.place(state);
                self.program_ends(state, place, true)?;
                return Err(Halt::End);
            }
            AtExit => {
                let Prov::Object(id) = call.value(0).prov else {
                    return not_covered("what `atexit` is given");
                };
                match self.function_of(state, id).filter(|f| self.program.functions[*f].body.is_some()) {
                    Some(func) => state.handlers.push(func),
                    None => return not_covered("what `atexit` is given"),
                }
                Some(Value::number(0, 32))
            }
            AssertFail { .. } => {
                return Err(Fault::new(ErrorClass::AssertionFailure, "an assertion may fail").into());
            }
            ReachError => {
                let mut fault =
                    Fault::new(ErrorClass::AssertionFailure, format!("`{}` may be called", call.model.name));
                fault.property = Property::UnreachCall;
                return Err(fault.into());
            }
            Assume => {
                let holds = is_true(call.value(0));
                if !self.decide(state, &holds)? {
                    return Err(Halt::End);
                }
                None
            }
            Assert => {
                let fault = || Fault::new(ErrorClass::AssertionFailure, "an assertion may fail");
                self.demand(state, &is_true(call.value(0)), fault)?;
                None
            }
            IsChar(class) => Some(self.is_char(state, call, class)),
            ToLower | ToUpper => Some(self.change_case(state, call)?),
            Abs => {
                let n = call.value(0).term.clone();
                let negative = Term::rel(BvRel::Slt, n.clone(), Term::bits(0, n.width()));
                Some(Value::plain(Term::ite(negative, Term::bv_neg(n.clone()), n)))
            }
            _ => self.by_effect(state, call)?,
        };
        Ok(Outcome::Gives(value))
    }

    /// Arguments that are numbers have to be legal ones.
    fn check_numbers(&mut self, state: &mut State, call: &ModelCall<'_>) -> Res<()> {
        for demand in &call.model.effect.demands {
            let (ty, term) = (call.model.params[demand.arg], &call.value(demand.arg).term);
            let width = ty.bits(self.word);
            let number = term.clone().resized(width, ty.is_signed());
            let bits = |n: u64| Term::bits(n.into(), width);
            let power = || {
                let less = Term::bv(BvOp::And, number.clone(), number.clone().plus(-1));
                Term::and([Term::eq(less, bits(0)), Term::ne(number.clone(), bits(0))])
            };
            let legal = match demand.legal {
                Legal::Character => self.between(&number, -128, 255),
                Legal::Base => Term::or([Term::eq(number.clone(), bits(0)), self.between(&number, 2, 36)]),
                Legal::Alignment => power(),
                Legal::WordAlignment => {
                    let word = bits(self.program.target.pointer_bytes());
                    Term::and([power(), Term::rel(BvRel::Ule, word, number.clone())])
                }
            };
            if !self.decide(state, &legal)? {
                let what = format!(
                    "argument {} of `{}`, which is not {}",
                    demand.arg + 1,
                    call.model.name,
                    demand.legal.name()
                );
                return not_covered(what);
            }
        }
        Ok(())
    }

    /// What the effect of a model says.
    fn by_effect(&mut self, state: &mut State, call: &ModelCall<'_>) -> Res<Option<Value>> {
        let mut library = Library::new(self, state, call);
        let handles = library.arguments();
        let result = libc::apply(call.model, &handles, &mut library)?;
        Ok(result.map(|handle| library.value(handle)))
    }

    /// The size of a new block. It never wraps.
    fn block_size(&mut self, state: &State, call: &ModelCall<'_>, size: SizeArg) -> Res<Term> {
        let size = match size {
            SizeArg::Bytes(index) => call.value(index).term.clone().resized(self.word, false),
            SizeArg::Product(a, b) => {
                let (a, b) = (&call.value(a).term, &call.value(b).term);
                let (wide_a, wide_b) =
                    (a.clone().resized(2 * self.word, false), b.clone().resized(2 * self.word, false));
                let wide = Term::bv(BvOp::Mul, wide_a, wide_b);
                let fits = Term::rel(BvRel::Ule, wide, Term::bits(mask(self.word), 2 * self.word));
                if !self.decide(state, &fits)? {
                    return not_covered("an object of more than half of the memory");
                }
                Term::bv(BvOp::Mul, a.clone(), b.clone())
            }
        };
        self.object_size(state, &size)?;
        Ok(size)
    }

    pub fn allocation_fails(&mut self, state: &mut State) -> Res<bool> {
        if !self.environment.malloc_may_fail {
            return Ok(false);
        }
        let fails = self.input(state, Origin::Environment, 1);
        self.decide(state, &crate::arith::truth(&fails))
    }

    pub fn new_block(&mut self, state: &mut State, size: Term, align: u64, fill: heap::Fill) -> Res<ObjId> {
        self.object_size(state, &size)?;
        let align = align.max(self.program.target.malloc_align());
        Ok(state.heap.create(size, align, Kind::Heap, fill))
    }

    /// The block that a pointer given to `free` or `realloc` names; none for null.
    pub fn releasable(&mut self, state: &mut State, pointer: &Value) -> Res<Option<ObjId>> {
        let bad = |bad: BadRelease| Err(Fault::new(bad.class(), bad.suspected()).into());
        let id = match crate::access::resolved(&state.heap, pointer) {
            Prov::Object(id) => id,
            Prov::Mixed(_) | Prov::Foreign => return not_covered("an unknown address is freed"),
            Prov::Uninit => return bad(BadRelease::NotHeap),
            Prov::Null | Prov::None => {
                let is_null = Term::eq(pointer.term.clone(), Term::bits(0, pointer.term.width()));
                return if self.decide(state, &is_null)? { Ok(None) } else { bad(BadRelease::NotHeap) };
            }
        };
        let object = state.heap.get(id);
        if object.kind != Kind::Heap {
            return bad(BadRelease::NotHeap);
        }
        if object.life == Life::Freed {
            return bad(BadRelease::Freed);
        }
        let start = Term::eq(pointer.term.clone(), object.base.clone());
        self.demand(state, &start, || {
            Fault::new(BadRelease::Inside.class(), BadRelease::Inside.suspected())
        })?;
        Ok(Some(id))
    }

    fn realloc(&mut self, state: &mut State, call: &ModelCall<'_>, size: SizeArg) -> Res<Value> {
        let old = self.releasable(state, call.value(0))?;
        let size = self.block_size(state, call, size)?;
        if let Some(old) = old
            && self.decide(state, &Term::eq(size.clone(), Term::bits(0, self.word)))?
        {
            state.heap.end(old, Life::Freed);
            return Ok(Value::null(self.word));
        }
        if self.allocation_fails(state)? {
            return Ok(Value::null(self.word));
        }
        let new = self.new_block(state, size.clone(), 1, heap::Fill::Uninit)?;
        if let Some(old) = old {
            let before = state.heap.get(old).size.clone();
            let grows = Term::rel(BvRel::Ule, before.clone(), size.clone());
            let n = if self.decide(state, &grows)? { before } else { size };
            let n = self.concretize(state, &n)? as u64;
            let runs = state.heap.get(old).runs(0, n);
            state.heap.get_mut(new).put(0, runs);
            state.heap.end(old, Life::Freed);
        }
        Ok(state.heap.address(new))
    }

    fn copy_bytes(
        &mut self,
        state: &mut State,
        call: &ModelCall<'_>,
        overlap: bool,
        swapped: bool,
        result: CopyResult,
    ) -> Res<Option<Value>> {
        let (to, from) = if swapped { (1, 0) } else { (0, 1) };
        let kind = if overlap { CopyKind::Move } else { CopyKind::Disjoint };
        let (to, from, n) = (call.value(to), call.value(from), call.value(2).term.clone());
        self.copy_block(state, kind, to, from, &n)?;
        Ok(match result {
            CopyResult::Start => Some(to.clone()),
            CopyResult::End => {
                Some(Value { term: Term::bv(BvOp::Add, to.term.clone(), n), prov: to.prov.clone() })
            }
            CopyResult::Nothing => None,
        })
    }

    /// A number that is zero or not, as a condition says, and of which nothing else is known.
    fn nonzero_if(&mut self, state: &mut State, holds: Term, width: u8) -> Value {
        let number = self.unknown(state, width);
        let is_set = Term::ne(number.clone(), Term::bits(0, width));
        let defined = Term::eq(is_set, holds.clone());
        self.define(state, &number, &Term::ite(holds, Term::bits(1, width), Term::bits(0, width)), &defined);
        Value::plain(number)
    }

    /// A new number that fulfils a condition, for which one value is known to do.
    pub fn define(&mut self, state: &mut State, number: &Term, value: &Term, condition: &Term) {
        if state.pure.decided(condition) == Some(true) {
            return;
        }
        let model = state.pure.model.as_ref().and_then(|model| {
            let value = model.eval(value).ok()?;
            let mut model = (**model).clone();
            model.set(number.clone(), value);
            Some(std::rc::Rc::new(model))
        });
        state.pure.assume(condition, model);
        state.pure.note_decision(condition, true);
    }

    /// A number with the sign of another one, and of which nothing else is known.
    pub fn with_sign_of(&mut self, state: &mut State, of: &Term) -> Value {
        if of.as_bits() == Some(0) {
            return Value::plain(of.clone());
        }
        let width = of.width();
        let zero = || Term::bits(0, width);
        let number = self.unknown(state, width);
        let same =
            |rel: fn(Term, Term) -> Term| Term::eq(rel(number.clone(), zero()), rel(of.clone(), zero()));
        let below = |a: Term, b: Term| Term::rel(BvRel::Slt, a, b);
        let condition = Term::and([same(Term::eq), same(below)]);
        self.define(state, &number, of, &condition);
        Value::plain(number)
    }

    fn is_char(&mut self, state: &mut State, call: &ModelCall<'_>, class: CharClass) -> Value {
        let c = &call.value(0).term;
        let width = c.width();
        let mut holds = Vec::new();
        let mut start = None;
        for code in 0..=256u32 {
            let inside = code < 256 && class.holds(code as u8);
            match (inside, start) {
                (true, None) => start = Some(code),
                (false, Some(from)) => {
                    let (from, to) = (Term::bits(from.into(), width), Term::bits((code - 1).into(), width));
                    holds.push(Term::and([
                        Term::rel(BvRel::Ule, from, c.clone()),
                        Term::rel(BvRel::Ule, c.clone(), to),
                    ]));
                    start = None;
                }
                _ => {}
            }
        }
        self.nonzero_if(state, Term::or(holds), 32)
    }

    /// `tolower` and `toupper`. Of a negative `char` the interpreter asks what they give.
    fn change_case(&mut self, state: &mut State, call: &ModelCall<'_>) -> Res<Value> {
        let c = &call.value(0).term;
        let below = Term::rel(BvRel::Slt, c.clone(), Term::bits(mask(c.width()), c.width()));
        if self.decide(state, &below)? {
            let coin = self.input(state, Origin::Environment, 1);
            let meant = Term::bv(BvOp::And, c.clone(), Term::bits(255, c.width()));
            return Ok(Value::plain(Term::ite(crate::arith::truth(&coin), meant, c.clone())));
        }
        let number = |n: u8| Term::bits(n.into(), c.width());
        let (low, high, by) =
            if call.model.kind == ModelKind::ToLower { (b'A', b'Z', 32) } else { (b'a', b'z', -32) };
        let inside = Term::and([
            crate::arith::comparison(CmpOp::Ule, number(low), c.clone()),
            crate::arith::comparison(CmpOp::Ule, c.clone(), number(high)),
        ]);
        Ok(Value::plain(Term::ite(inside, c.clone().plus(by), c.clone())))
    }
}

fn is_true(value: &Value) -> Term {
    Term::ne(value.term.clone(), Term::bits(0, value.term.width()))
}

/// The class of an access, for the library's word for it.
pub fn access(access: libc::Access) -> Access {
    match access {
        libc::Access::Read => Access::Read,
        libc::Access::Write => Access::Write,
    }
}
