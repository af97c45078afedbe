//! Calls, returns, the start and the end of the program.

use crate::api::{Source, Stop};
use crate::fault::{Actor, Fault};
use crate::machine::{Frame, Halt, Machine, Res, Role};
use crate::memory::{Life, ObjectKind, Site};
use crate::page::{Byte, Fresh};
use crate::value::{ObjId, Prov, Value};
use heapproof_engine::Resolution;
use heapproof_ir::{Body, Callee, FuncId, Operand, Reg, Span, Ty};
use heapproof_verdict::{Assumption, AssumptionKind, ErrorClass};

/// The most arguments of the command line that are tried, and the longest of them.
const MOST_ARGUMENTS: u128 = 4;
const LONGEST_ARGUMENT: u128 = 16;

impl<'p> Machine<'p, '_> {
    /// Executes from the start of the program to its end.
    pub fn start(&mut self) -> Box<Halt> {
        let from = self.from;
        let entered = self.set_up().and_then(|()| match from {
            Some((func, state)) => self.enter_from(func, state),
            None => self.enter(),
        });
        if let Err(halt) = entered {
            return halt;
        }
        self.plan_event();
        self.execute()
    }

    fn enter(&mut self) -> Res<()> {
        let name = self.options.environment.entry();
        let Some(func) = self.program.function(name) else {
            return Err(Stop::Other(format!("there is no function `{name}` to start at")).into());
        };
        let function = &self.program.functions[func];
        if function.body.is_none() {
            return Err(Stop::Other(format!("`{name}` has no body")).into());
        }
        let ignored = function.body.as_ref().is_some_and(|body| self.ignores_parameters(body));
        let args = if name == "main" && ignored {
            // Whatever they are: nothing is asked for.
            function
                .params
                .iter()
                .map(|ty| (if *ty == Ty::Ptr { Value::NULL } else { Value::plain(1) }, *ty))
                .collect()
        } else if name == "main" && !function.params.is_empty() {
            self.command_line(&function.params)?
        } else {
            let target = self.program.target;
            let params = function.params.iter().enumerate();
            params
                .map(|(index, ty)| {
                    let name = format!("parameter {} of {name}", index + 1);
                    let bits = self.choose(Source::Environment, ty.bits(target), false, None, name);
                    let prov = if *ty == Ty::Ptr { Prov::Foreign } else { Prov::None };
                    (Value { bits, prov }, *ty)
                })
                .collect()
        };
        self.push_frame(func, &args, &[], Role::Entry)
    }

    /// argc, argv and envp.
    fn command_line(&mut self, params: &[Ty]) -> Res<Vec<(Value, Ty)>> {
        let site = Site { span: Span::NONE, func: None, step: 0 };
        let word = self.word_bytes;
        let given = self.options.environment.argv.clone();
        let count = match &given {
            Some(strings) => strings.len() as u128,
            None => self.choose(Source::Environment, 32, true, Some((1, MOST_ARGUMENTS)), "argc"),
        };
        let mut args = vec![(Value::plain(count), Ty::Int(32))];
        if params.len() > 1 {
            let size = (count as u64 + 1) * word;
            let argv = self.create(size, 16, ObjectKind::Library("argv"), Fresh::Zero, site)?;
            for index in 0..count as u64 {
                let name = format!("the length of argv[{index}]");
                let (len, content) = match &given {
                    Some(strings) => (strings[index as usize].len() as u64, strings.get(index as usize)),
                    None => {
                        let range = Some((0, LONGEST_ARGUMENT));
                        (self.choose(Source::Environment, 8, false, range, name) as u64, None)
                    }
                };
                let kind = ObjectKind::Library("a string of argv");
                let string = self.create(len + 1, 1, kind, Fresh::Unknown, site)?;
                let bytes = content.into_iter().flatten().enumerate();
                let bytes: Vec<_> = bytes.map(|(at, b)| (at as u64, *b)).chain([(len, 0)]).collect();
                for (at, byte) in bytes {
                    let done = self.mem.set_byte(string, at, Byte::Plain(byte));
                    self.room(done)?;
                }
                let address = self.address_of(string);
                self.put(argv, index * word, word, address)?;
            }
            args.push((self.address_of(argv), Ty::Ptr));
        }
        if params.len() > 2 {
            let envp = self.library_object("environ", word, Fresh::Zero)?;
            args.push((self.address_of(envp), Ty::Ptr));
        }
        Ok(args)
    }

    /// Calls a function; true if execution goes on in a new frame.
    pub fn call(&mut self, results: &'p [Reg], callee: &'p Callee, args: &'p [Operand]) -> Res<bool> {
        let func = match callee {
            Callee::Direct(func) => *func,
            Callee::Indirect(operand) => {
                let pointer = self.operand(operand)?;
                self.function_at(pointer, operand)?
            }
        };
        let mut values = std::mem::take(&mut self.args);
        values.clear();
        let body = self.top.body;
        for arg in args {
            let value = self.operand(arg)?;
            values.push((value, body.operand_ty(arg)));
        }
        let done = if matches!(self.resolutions.of(func), Resolution::Body) {
            if self.handover.is_some() {
                self.hand_to(func, &values)?;
            }
            if self.trace.is_on() {
                let (span, now) = (self.span(), self.now());
                self.trace.call(func, span, now);
            }
            self.push_frame(func, &values, results, Role::Callee).map(|()| true)
        } else {
            self.external(func, &values, results)
        };
        self.args = values;
        done
    }

    /// The function that a pointer points to.
    fn function_at(&mut self, pointer: Value, operand: &Operand) -> Res<FuncId> {
        let pointer = self.as_pointer(pointer);
        if let Prov::Object(id) = pointer.prov
            && let ObjectKind::Function(func) = self.mem.get(id).kind
            && self.mem.get(id).base == pointer.addr()
        {
            return Ok(func);
        }
        let name =
            self.expression(operand).map_or_else(|| "a pointer".to_owned(), |text| format!("`{text}`"));
        let fault = match pointer.prov {
            Prov::Foreign | Prov::Mixed(_) => {
                return Err(Stop::Other("a function is called through an unknown address".to_owned()).into());
            }
            Prov::Null => {
                Fault::new(ErrorClass::NullDeref, format!("call through {name}, which is null"), None)
            }
            Prov::Uninit | Prov::Forgotten => {
                let message = format!("call through {name}, which is not initialised");
                Fault::new(ErrorClass::WildDeref, message, None)
            }
            Prov::Object(id) => match self.mem.get(id).life {
                Life::Live => {
                    let message = format!("call through {name}, which is not the address of a function");
                    Fault::new(ErrorClass::WildDeref, message, Some(id))
                }
                _ => self.access_fault(pointer, 1, crate::fault::Access::Read, Actor::Inst(operand)),
            },
            Prov::None => {
                let message = format!("call through {name}, which is not the address of a function");
                Fault::new(ErrorClass::WildDeref, message, None)
            }
        };
        Err(fault.into())
    }

    /// Enters a function with a body.
    pub fn push_frame(
        &mut self,
        func: FuncId,
        args: &[(Value, Ty)],
        results: &'p [Reg],
        role: Role,
    ) -> Res<()> {
        let program = self.program;
        let function = &program.functions[func];
        let body = function.body.as_ref().expect("checked by the caller");
        let count = body.params.len();
        let fits = if function.variadic { args.len() >= count } else { args.len() == count };
        let alike = args.iter().zip(&function.params).all(|((_, given), wanted)| given == wanted);
        if !fits || !alike {
            let message =
                format!("`{}` is called with arguments that do not fit its parameters", function.name);
            return Err(Stop::Other(message).into());
        }
        if self.frames.len() + 1 >= self.options.max_depth as usize {
            return Err(Stop::Depth(self.options.max_depth).into());
        }
        let frame = Frame {
            func,
            body,
            role,
            block: Body::ENTRY,
            ip: 0,
            from: None,
            regs: self.regs.len(),
            locals: self.locals.len(),
            results,
            allocas: Vec::new(),
            variadic: None,
            first_object: self.mem.len(),
            serial: self.entered + 1,
        };
        self.entered += 1;
        let (regs, locals) = (frame.regs, frame.locals);
        if let Some(feedback) = &mut self.feedback {
            feedback.edge(func, self.top.func.as_u32(), u32::MAX - self.top.block.as_u32());
        }
        self.regs.resize(regs + body.regs.len(), Value::FORGOTTEN);
        self.locals.resize(locals + body.locals.len(), None);
        for (reg, (value, _)) in body.params.iter().zip(args) {
            self.regs[regs + reg.as_u32() as usize] = *value;
        }
        if self.running {
            self.top.ip += 1;
            self.frames.push(std::mem::replace(&mut self.top, frame));
            self.depth = self.depth.max(self.frames.len());
        } else {
            self.top = frame;
            self.running = true;
        }
        if self.choice.is_none()
            && body.locals.values().any(|local| local.unmarked)
            && heapproof_ir::scope::escape(body).is_some()
        {
            // It may end before the block around it does.
            self.note_choice("the life of a compound literal whose address is kept");
        }
        if function.variadic {
            self.lay_out_variadic(&args[count..])?;
        }
        for (id, local) in body.locals.iter().filter(|(_, local)| !local.scoped) {
            let span = local.variable.as_ref().map_or(function.span, |v| v.span);
            let site = Site { span, func: Some(func), step: self.steps };
            let object =
                self.create(local.size, local.align, ObjectKind::Local(func, id), Fresh::Uninit, site)?;
            self.locals[locals + id.as_u32() as usize] = Some(object);
        }
        Ok(())
    }

    /// Leaves the present function.
    pub fn return_from(&mut self, operands: &'p [Operand]) -> Res<()> {
        let mut values = std::mem::take(&mut self.args);
        values.clear();
        for operand in operands {
            let value = self.operand(operand)?;
            self.escape(value.prov);
            values.push((value, Ty::Ptr));
        }
        let site = self.site();
        self.end_objects();
        if self.handover.is_some() {
            self.hand_back(operands, &values)?;
        }
        self.regs.truncate(self.top.regs);
        self.locals.truncate(self.top.locals);
        self.mem.trim(self.top.first_object);
        let (results, role) = (self.top.results, self.top.role);
        match self.frames.pop() {
            Some(frame) => self.top = frame,
            None => self.running = false,
        }
        let done = match role {
            Role::Callee => {
                if self.trace.is_on() {
                    self.trace.leave();
                }
                for (index, reg) in results.iter().enumerate() {
                    let value = values.get(index).map_or(Value::FORGOTTEN, |(value, _)| *value);
                    self.set(*reg, value);
                }
                Ok(())
            }
            Role::Entry => {
                self.exit_site = Some(site);
                // Nobody takes what `main` returns; another entry has a caller that gets it.
                let has_caller = site.func.is_some_and(|func| self.program.functions[func].name != "main");
                if self.from.is_some() || has_caller {
                    self.held.extend(values.iter().map(|(value, _)| value.prov));
                }
                let code = values.first().map_or(0, |(value, _)| value.bits as i32);
                self.finish(code)
            }
            Role::Handler => self.finish(self.exit_code),
        };
        self.args = values;
        done
    }

    /// Ends the life of the objects of the present frame.
    pub fn end_objects(&mut self) {
        let site = self.site();
        for place in self.top.locals..self.locals.len() {
            if let Some(id) = self.locals[place]
                && self.mem.get(id).life == Life::Live
            {
                self.mem.end(id, Life::Ended, site);
            }
        }
        for id in std::mem::take(&mut self.top.allocas) {
            self.mem.end(id, Life::Ended, site);
        }
    }

    /// Runs the functions given to `atexit`, the last one first, then ends the program.
    pub fn finish(&mut self, code: i32) -> Res<()> {
        self.exit_code = code;
        match self.handlers.pop() {
            Some(func) => self.push_frame(func, &[], &[], Role::Handler),
            None => Err(Box::new(Halt::Exit { code, aborted: false })),
        }
    }

    /// Calls a function without a body; true if execution goes on in a new frame.
    fn external(&mut self, func: FuncId, args: &[(Value, Ty)], results: &'p [Reg]) -> Res<bool> {
        let function = &self.program.functions[func];
        match self.resolutions.of(func) {
            Resolution::Body => unreachable!("a function without a body"),
            Resolution::Pure => self.accept(func),
            Resolution::Havoc => {
                self.note_choice(&format!("what `{}` does", function.name));
                self.accept(func);
                self.overwrite(args);
            }
            Resolution::Model(model) => {
                self.note_model(func, model.name);
                if !self.is_given(model, args) {
                    self.note_model_call(model, args, results);
                }
                return self.model(model, args, results);
            }
            Resolution::Unknown => {
                let location = self.location(self.span(), Some(self.top.func));
                self.ledger.assume(Assumption {
                    kind: AssumptionKind::ExternalFunction,
                    subject: function.name.clone(),
                    location: Some(location),
                    accepted: false,
                });
                return Err(Stop::External { name: function.name.clone() }.into());
            }
        }
        self.unknown_results(func, results);
        Ok(false)
    }

    /// The user's word on a function is part of what the run rests on.
    fn accept(&mut self, func: FuncId) {
        self.ledger.assume(Assumption {
            kind: AssumptionKind::ExternalFunction,
            subject: self.program.functions[func].name.clone(),
            location: None,
            accepted: true,
        });
    }

    /// What pointers among the arguments point to gets unknown content.
    fn overwrite(&mut self, args: &[(Value, Ty)]) {
        for (value, ty) in args {
            if *ty == Ty::Ptr
                && let Prov::Object(id) = value.prov
                && self.mem.get(id).life == Life::Live
                && !self.mem.get(id).constant
            {
                self.mem.forget_content(id);
            }
        }
    }

    fn unknown_results(&mut self, func: FuncId, results: &'p [Reg]) {
        let name = &self.program.functions[func].name;
        for reg in results {
            let ty = self.top.body.regs[*reg].ty;
            let bits = self.choose(Source::Call, ty.bits(self.program.target), false, None, name.clone());
            let prov = if ty == Ty::Ptr { Prov::Foreign } else { Prov::None };
            self.set(*reg, Value { bits, prov });
        }
    }

    /// All live heap objects.
    pub fn live_heap(&self) -> Vec<ObjId> {
        let heap = |id: &ObjId| {
            let object = self.mem.get(*id);
            object.kind == ObjectKind::Heap && object.life == Life::Live
        };
        self.mem.ids().filter(heap).collect()
    }
}
