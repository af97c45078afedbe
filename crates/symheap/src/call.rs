//! Calls and returns, the start and the end of the program, variadic arguments.

use crate::exec::Executor;
use crate::halt::{Fault, Halt, Res, not_covered};
use crate::heap::{Fill, Kind, Life};
use crate::state::{Frame, Role, State};
use crate::value::{ObjId, Prov, Value};
use heapproof_confirm::Origin;
use heapproof_engine::{Access, BadAccess, Resolution};
use heapproof_ir::{Body, Callee, FloatKind, FuncId, GlobalInit, Operand, Reg, RelocTarget, Target, Ty};
use heapproof_logic::{BvRel, Term};
use heapproof_verdict::ErrorClass;
use std::rc::Rc;

/// Recursion deeper than this is not followed.
const MOST_FRAMES: usize = 600;

impl Executor<'_> {
    /// The state in which the program starts.
    pub fn start(&mut self, entry: FuncId) -> Res<State> {
        let mut state = State::new();
        for id in self.program.functions.keys() {
            let object = state.heap.create(self.word_number(0), 1, Kind::Function(id), Fill::Uninit);
            state.heap.get_mut(object).constant = true;
        }
        for (id, global) in self.program.globals.iter() {
            let fill = match global.init {
                GlobalInit::External => Fill::Unknown,
                GlobalInit::Data { .. } => Fill::Byte(Term::bits(0, 8)),
            };
            let size = self.word_number(global.size);
            let object = state.heap.create(size, global.align, Kind::Global(id), fill);
            state.heap.get_mut(object).constant = global.constant;
        }
        for (id, global) in self.program.globals.iter() {
            let GlobalInit::Data { bytes, relocs } = &global.init else { continue };
            let object = self.global(id);
            for (at, byte) in bytes.iter().enumerate().filter(|(_, byte)| **byte != 0) {
                state.heap.get_mut(object).put_value(at as u64, Value::number((*byte).into(), 8));
            }
            for reloc in relocs {
                let to = match reloc.target {
                    RelocTarget::Global(to) => self.global(to),
                    RelocTarget::Func(func) => ObjId(func.as_u32()),
                };
                let address = state.heap.address(to);
                let moved = Value { term: address.term.plus(reloc.addend.into()), prov: address.prov };
                state.heap.get_mut(object).put_value(reloc.offset, moved);
            }
        }
        let args = self.entry_arguments(&mut state, entry)?;
        self.push_frame(&mut state, entry, args, Vec::new(), Role::Entry)?;
        Ok(state)
    }

    fn entry_arguments(&mut self, state: &mut State, entry: FuncId) -> Res<Vec<(Value, Ty)>> {
        let function = &self.program.functions[entry];
        let target = self.program.target;
        let ignored = function.body.as_ref().is_some_and(ignores_parameters);
        if function.name == "main" && !ignored {
            return self.command_line(state, &function.params);
        }
        let main = function.name == "main";
        let args = function.params.iter().map(|ty| {
            let width = ty.bits(target);
            let term =
                if main { self.unknown(state, width) } else { self.input(state, Origin::Environment, width) };
            let prov = if *ty == Ty::Ptr { Prov::Foreign } else { Prov::None };
            (Value { term, prov }, *ty)
        });
        Ok(args.collect())
    }

    /// argc and argv: a few short command lines, or the one that the user gave.
    fn command_line(&mut self, state: &mut State, params: &[Ty]) -> Res<Vec<(Value, Ty)>> {
        /// The longest argument that is tried.
        const LONGEST: u64 = 16;
        let word = self.program.target.pointer_bytes();
        let given = self.environment.argv.clone();
        let count = match &given {
            Some(strings) => strings.len() as u64,
            None => {
                // The interpreter tries one to four; two of them are enough for a start.
                self.cut = true;
                let argc = self.input(state, Origin::Environment, 32);
                state.pure.assume(&Term::eq(argc, Term::bits(2, 32)), None);
                2
            }
        };
        let mut args = vec![(Value::number(count.into(), 32), Ty::Int(32))];
        if params.len() > 1 {
            let zeros = Fill::Byte(Term::bits(0, 8));
            let size = self.word_number((count + 1) * word);
            let argv = state.heap.create(size, 16, Kind::Library, zeros);
            for index in 0..count {
                let text = given.as_ref().map(|strings| strings[index as usize].clone());
                let len = match &text {
                    Some(text) => text.len() as u64,
                    None => {
                        let len = self.input(state, Origin::Environment, 8);
                        state.pure.assume(&Term::eq(len, Term::bits(LONGEST.into(), 8)), None);
                        LONGEST
                    }
                };
                let size = self.word_number(len + 1);
                let string = state.heap.create(size, 1, Kind::Library, Fill::Unknown);
                let object = state.heap.get_mut(string);
                for (at, byte) in text.into_iter().flatten().enumerate() {
                    object.put_value(at as u64, Value::number(byte.into(), 8));
                }
                object.put_value(len, Value::number(0, 8));
                let address = state.heap.address(string);
                state.heap.get_mut(argv).put_value(index * word, address);
            }
            args.push((state.heap.address(argv), Ty::Ptr));
        }
        if params.len() > 2 {
            return not_covered("the environment variables as a parameter of `main`");
        }
        Ok(args)
    }

    /// Calls a function.
    pub fn call(
        &mut self,
        state: &mut State,
        results: &[Reg],
        callee: &Callee,
        args: &[Operand],
    ) -> Res<bool> {
        let func = match callee {
            Callee::Direct(func) => *func,
            Callee::Indirect(operand) => {
                let pointer = self.operand(state, operand)?;
                self.function_at(state, &pointer)?
            }
        };
        let body = self.body(state.top().func);
        let mut values = Vec::new();
        for arg in args {
            values.push((self.operand(state, arg)?, body.operand_ty(arg)));
        }
        match self.resolutions.of(func) {
            Resolution::Body => {
                state.top_mut().inst += 1;
                state.pure.advance();
                self.push_frame(state, func, values, results.to_vec(), Role::Callee)?;
                return Ok(true);
            }
            Resolution::Model(model) => {
                self.externals.insert(func);
                return self.model(state, model, &values, results);
            }
            Resolution::Pure => {}
            Resolution::Havoc => {
                for (value, ty) in &values {
                    if *ty != Ty::Ptr {
                        continue;
                    }
                    match value.prov {
                        Prov::Object(id) => {
                            let object = state.heap.get(id);
                            if object.life == Life::Live && !object.constant {
                                state.heap.get_mut(id).reset(Fill::Unknown);
                            }
                        }
                        Prov::Null | Prov::None => {}
                        _ => return not_covered("what an unknown pointer points to may be overwritten"),
                    }
                }
            }
            Resolution::Unknown => return Err(Halt::External(func)),
        }
        self.externals.insert(func);
        for reg in results {
            let ty = body.regs[*reg].ty;
            let term = self.input(state, Origin::Call, ty.bits(self.program.target));
            let prov = if ty == Ty::Ptr { Prov::Foreign } else { Prov::None };
            state.set(*reg, Value { term, prov });
        }
        state.advance();
        Ok(false)
    }

    /// The function that a pointer points to.
    fn function_at(&mut self, state: &State, pointer: &Value) -> Res<FuncId> {
        let wild = |message: &str| Fault::new(ErrorClass::WildDeref, message);
        let fault = match &pointer.prov {
            Prov::Object(id) => {
                let object = state.heap.get(*id);
                if let Some(func) = self.function_of(state, *id)
                    && object.base == pointer.term
                {
                    return Ok(func);
                }
                match object.life {
                    Life::Live => wild("a call through what is not the address of a function"),
                    Life::Freed => self.bad(BadAccess::Freed, Access::Read),
                    Life::Ended => self.bad(BadAccess::Ended, Access::Read),
                }
            }
            Prov::Foreign | Prov::Mixed(_) => {
                return not_covered("a function is called through an unknown address");
            }
            Prov::Null => self.bad(BadAccess::Null, Access::Read),
            Prov::Uninit => self.bad(BadAccess::Uninitialised, Access::Read),
            Prov::None => {
                let is_null = Term::eq(pointer.term.clone(), Term::bits(0, pointer.term.width()));
                if self.decide(state, &is_null)? {
                    self.bad(BadAccess::Null, Access::Read)
                } else {
                    wild("a call through what is not the address of a function")
                }
            }
        };
        Err(fault.into())
    }

    /// Enters a function with code.
    pub fn push_frame(
        &mut self,
        state: &mut State,
        func: FuncId,
        args: Vec<(Value, Ty)>,
        results: Vec<Reg>,
        role: Role,
    ) -> Res<()> {
        let function = &self.program.functions[func];
        let body = self.body(func);
        let count = body.params.len();
        let fits = if function.variadic { args.len() >= count } else { args.len() == count };
        let alike = args.iter().zip(&function.params).all(|((_, given), wanted)| given == wanted);
        if !fits || !alike {
            return not_covered(format!(
                "`{}` is called with arguments that do not fit its parameters",
                function.name
            ));
        }
        if heapproof_ir::scope::escape(body).is_some() {
            let place = self.place(state);
            let what = "the address of a compound literal, or of a variable that goto may jump past, is kept";
            self.note_gap(crate::exec::Gap::NotCovered(what.to_owned(), place));
        }
        if state.frames.len() >= MOST_FRAMES {
            return not_covered("the recursion is too deep");
        }
        self.recursion |= state.frames.iter().any(|frame| frame.func == func);
        let mut regs = vec![None; body.regs.len()];
        for (reg, (value, _)) in body.params.iter().zip(&args) {
            regs[reg.as_u32() as usize] = Some(value.clone());
        }
        state.frames.push(Rc::new(Frame {
            func,
            role,
            block: Body::ENTRY,
            inst: 0,
            regs,
            locals: vec![None; body.locals.len()],
            allocas: Vec::new(),
            variadic: None,
            results,
            serial: self.entered,
        }));
        self.entered += 1;
        if function.variadic {
            self.lay_out_variadic(state, &args[count..]);
        }
        for (id, _) in body.locals.iter().filter(|(_, local)| !local.scoped) {
            self.new_local(state, id);
        }
        Ok(())
    }

    /// Leaves the present function.
    pub fn return_from(&mut self, state: &mut State, operands: &[Operand]) -> Res<()> {
        let mut values = Vec::new();
        for operand in operands {
            values.push(self.operand(state, operand)?);
        }
        let frame = state.frames.pop().expect("a function returns");
        let locals = frame.locals.iter().flatten().chain(&frame.allocas);
        for id in locals {
            if state.heap.get(*id).life == Life::Live {
                state.heap.end(*id, Life::Ended);
            }
        }
        state.pure.advance();
        match frame.role {
            Role::Callee => {
                for (index, reg) in frame.results.iter().enumerate() {
                    state.top_mut().regs[reg.as_u32() as usize] = values.get(index).cloned();
                }
                Ok(())
            }
            Role::Entry => {
                if self.program.functions[frame.func].name != "main" {
                    state.held.extend(values);
                }
                self.finish(state, frame.func, &frame)
            }
            Role::Handler => self.finish(state, frame.func, &frame),
        }
    }

    /// Runs the functions given to `atexit`, the last one first, then ends the program.
    pub fn finish(&mut self, state: &mut State, func: FuncId, frame: &Frame) -> Res<()> {
        match state.handlers.pop() {
            Some(handler) => self.push_frame(state, handler, Vec::new(), Vec::new(), Role::Handler),
            None => {
                let span = self.body(func).blocks[frame.block].term_span;
                let place = heapproof_engine::Place { func, span };
                self.program_ends(state, place, false)?;
                Err(Halt::End)
            }
        }
    }

    pub fn list_size(&self) -> u64 {
        match self.program.target {
            Target::Lp64 => 24,
            Target::Ilp32 => 4,
        }
    }

    /// Lays the variadic arguments of a new frame out.
    fn lay_out_variadic(&mut self, state: &mut State, args: &[(Value, Ty)]) {
        let target = self.program.target;
        let mut places = Vec::new();
        let mut end = 0u64;
        for (value, ty) in args {
            let (size, align) = slot(target, *ty);
            let place = end.next_multiple_of(align);
            places.push((place, value.clone(), ty.bytes(target)));
            end = place + size;
        }
        let area = state.heap.create(self.word_number(end), 16, Kind::Alloca, Fill::Uninit);
        for (place, value, bytes) in places {
            let term = value.term.resized((8 * bytes) as u8, false);
            state.heap.get_mut(area).put_value(place, Value { term, prov: value.prov });
        }
        let frame = state.top_mut();
        frame.allocas.push(area);
        frame.variadic = Some(area);
    }

    /// Makes a list start at the first of the variadic arguments.
    pub fn va_start(&mut self, state: &mut State, list: &Value) -> Res<()> {
        let size = self.word_number(self.list_size());
        let (id, at) = self.check(state, list, &size, Access::Write)?;
        let at = self.concretize(state, &at)? as u64;
        let Some(area) = state.top().variadic else {
            return not_covered("`va_start` in a function without variadic arguments");
        };
        let address = state.heap.address(area);
        let object = state.heap.get_mut(id);
        match self.program.target {
            Target::Lp64 => {
                // Both register areas are used up, so that everything is taken from the overflow area.
                object.put_value(at, Value::number(48, 32));
                object.put_value(at + 4, Value::number(176, 32));
                object.put_value(at + 8, address);
                object.put_value(at + 16, Value::number(0, 64));
            }
            Target::Ilp32 => object.put_value(at, address),
        }
        Ok(())
    }

    /// A number lies between two others, with sign.
    pub fn between(&self, term: &Term, low: i128, high: i128) -> Term {
        let width = term.width();
        Term::and([
            Term::rel(BvRel::Sle, Term::bits(low as u128, width), term.clone()),
            Term::rel(BvRel::Sle, term.clone(), Term::bits(high as u128, width)),
        ])
    }
}

/// Size and alignment of an argument in the area of a target.
fn slot(target: Target, ty: Ty) -> (u64, u64) {
    match (target, ty) {
        (Target::Lp64, Ty::Float(FloatKind::X87 | FloatKind::F128)) => (16, 16),
        (Target::Lp64, Ty::Int(65..)) => (16, 16),
        (Target::Lp64, _) => (8, 8),
        (Target::Ilp32, Ty::Float(FloatKind::X87)) => (12, 4),
        (Target::Ilp32, Ty::Float(FloatKind::F128)) => (16, 4),
        (Target::Ilp32, ty) => (ty.bytes(target).next_multiple_of(4), 4),
    }
}

/// True if a function never reads any of its parameters.
fn ignores_parameters(body: &Body) -> bool {
    let mut read = false;
    let mut look = |operand: &Operand| {
        read |= matches!(operand, Operand::Reg(reg) if body.params.contains(reg));
    };
    for block in body.blocks.values() {
        block.insts.iter().for_each(|inst| inst.kind.for_each_use(&mut look));
        block.term.for_each_use(&mut look);
    }
    !read
}
