//! Errors of the program under analysis, and their messages.

use crate::machine::{Machine, frame_span};
use crate::memory::{Life, ObjectKind, Site};
use crate::value::{ObjId, Prov, Value};
pub(crate) use heapproof_engine::Access;
use heapproof_engine::BadAccess;
use heapproof_ir::{FuncId, InstKind, Operand, Span, describe};
use heapproof_verdict::{ErrorClass, Location, PathStep, Property, StepKind, Violation};

/// Who uses a pointer, for messages.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Actor<'a> {
    /// An instruction through this operand.
    Inst(&'a Operand),
    /// A library function, through its argument of this number.
    Model(&'static str, usize),
}

/// An error of the program.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub class: ErrorClass,
    pub cwe: Option<u32>,
    /// Which of the properties of the class.
    pub property: Property,
    pub message: String,
    /// The object concerned.
    pub object: Option<ObjId>,
    /// Where, if not at the current instruction.
    pub place: Option<(Span, FuncId)>,
}

impl Fault {
    pub fn new(class: ErrorClass, message: String, object: Option<ObjId>) -> Fault {
        Fault {
            class,
            cwe: class.cwe(),
            property: *class.properties().first().expect("a class of the interpreter"),
            message,
            object,
            place: None,
        }
    }
}

pub(crate) fn bytes(n: u64) -> String {
    if n == 1 { "1 byte".to_owned() } else { format!("{n} bytes") }
}

impl Machine<'_, '_> {
    /// The C name of an object, for messages and inputs.
    pub fn object_name(&self, id: ObjId) -> String {
        let object = self.mem.get(id);
        match object.kind {
            ObjectKind::Global(global) => {
                let global = &self.program.globals[global];
                if global.anonymous { "a string literal".to_owned() } else { global.name.clone() }
            }
            ObjectKind::Function(func) => self.program.functions[func].name.clone(),
            ObjectKind::Local(func, local) => {
                let body = self.program.functions[func].body.as_ref();
                let variable = body.and_then(|b| b.locals[local].variable.as_ref());
                variable.map_or_else(|| "a temporary object".to_owned(), |v| v.name.clone())
            }
            ObjectKind::Alloca => "a block on the stack".to_owned(),
            ObjectKind::Heap => "a heap block".to_owned(),
            ObjectKind::Library(name) => name.to_owned(),
        }
    }

    /// The object with its size, as the subject or object of a sentence.
    pub fn object_phrase(&self, id: ObjId) -> String {
        let object = self.mem.get(id);
        let size = bytes(object.size);
        match object.kind {
            ObjectKind::Global(global) if self.program.globals[global].anonymous => {
                format!("a string literal of {size}")
            }
            ObjectKind::Local(func, local) => {
                let body = self.program.functions[func].body.as_ref();
                match body.and_then(|b| b.locals[local].variable.as_ref()) {
                    Some(variable) => format!("`{}` of {size}", variable.name),
                    None => format!("a temporary object of {size}"),
                }
            }
            ObjectKind::Global(_) => format!("`{}` of {size}", self.object_name(id)),
            ObjectKind::Function(_) => format!("the function `{}`", self.object_name(id)),
            ObjectKind::Alloca => format!("a block of {size} on the stack"),
            ObjectKind::Heap => format!("a heap block of {size}"),
            ObjectKind::Library(name) => format!("{name} ({size})"),
        }
    }

    /// The object in a sentence about some of its bytes.
    pub fn object_origin(&self, id: ObjId) -> String {
        let object = self.mem.get(id);
        let line = object.born.span.line;
        match object.kind {
            ObjectKind::Heap if line > 0 => format!("the heap block allocated at line {line}"),
            ObjectKind::Alloca if line > 0 => format!("the block on the stack made at line {line}"),
            ObjectKind::Local(func, local) => {
                let body = self.program.functions[func].body.as_ref();
                match body.and_then(|b| b.locals[local].variable.as_ref()) {
                    Some(variable) => format!("`{}`", variable.name),
                    None => "a temporary object".to_owned(),
                }
            }
            ObjectKind::Global(global) if !self.program.globals[global].anonymous => {
                format!("`{}`", self.program.globals[global].name)
            }
            _ => self.object_name(id),
        }
    }

    /// The pointer as the source names it: `p` where `p->next` is accessed.
    fn pointer_phrase(&self, actor: Actor<'_>) -> String {
        match actor {
            Actor::Inst(operand) => {
                let name = self.expression(self.base_of(operand)).map(|text| format!("`{text}`"));
                name.unwrap_or_else(|| "the pointer".to_owned())
            }
            Actor::Model(function, arg) => {
                let given = match self.instruction_now() {
                    Some(InstKind::Call { args, .. }) => args.get(arg).and_then(|arg| self.expression(arg)),
                    _ => None,
                };
                let given = given.map_or_else(String::new, |text| format!(" (`{text}`)"));
                format!("argument {} of `{function}`{given}", arg + 1)
            }
        }
    }

    /// The instruction that is executed.
    pub fn instruction_now(&self) -> Option<&InstKind> {
        let block = self.top.body.blocks.get(self.top.block)?;
        block.insts.get(self.top.ip).map(|inst| &inst.kind)
    }

    /// The pointer that an address was computed from by constant offsets and indices in the same block.
    fn base_of<'o>(&'o self, operand: &'o Operand) -> &'o Operand {
        let Some(block) = self.top.body.blocks.get(self.top.block) else { return operand };
        let mut base = operand;
        let mut end = self.top.ip.min(block.insts.len());
        while let Operand::Reg(reg) = base
            && self.top.body.regs[*reg].variable.is_none()
            && let Some(at) = block.insts[..end].iter().rposition(|inst| inst.kind.defs().contains(reg))
            && let InstKind::PtrAdd { base: under, .. } = &block.insts[at].kind
        {
            (base, end) = (under, at);
        }
        base
    }

    /// The C expression that an operand came from, where it can be told.
    pub fn expression(&self, operand: &Operand) -> Option<String> {
        describe::describe_operand(self.program, self.top.func, operand, Some((self.top.block, self.top.ip)))
    }

    /// The C expression for what lies at a pointer, where it can be told.
    pub fn place(&self, pointer: &Operand) -> Option<String> {
        describe::describe_target(self.program, self.top.func, pointer, Some((self.top.block, self.top.ip)))
    }

    /// The error of an access through the null pointer or what was computed from it.
    fn null_fault(&self, ptr: Value, n: u64, verb: &str, actor: Actor<'_>) -> Fault {
        let pointer = self.pointer_phrase(actor);
        let derived = "an address computed from the null pointer";
        let message = match actor {
            Actor::Model(..) if ptr.bits == 0 => format!("{pointer} is null"),
            Actor::Model(..) => format!("{pointer} is {derived}"),
            Actor::Inst(operand) => {
                let base = match self.base_of(operand) {
                    Operand::Reg(reg) => self.regs[self.top.regs + reg.as_u32() as usize],
                    _ => Value::NULL,
                };
                let what = if base.bits == 0 { "null" } else { derived };
                match self.place(operand) {
                    Some(place) => format!("{verb} of `{place}`, but {pointer} is {what}"),
                    None if ptr.bits == 0 => format!("{verb} through {pointer}, which is null"),
                    None => format!("{verb} of {} through {pointer}, {derived}", bytes(n)),
                }
            }
        };
        Fault::new(BadAccess::Null.class(Access::Read), message, None)
    }

    /// The error of an access that is not allowed.
    #[cold]
    pub fn access_fault(&self, ptr: Value, n: u64, access: Access, actor: Actor<'_>) -> Fault {
        let pointer = self.pointer_phrase(actor);
        let verb = access.word();
        let id = match ptr.prov {
            Prov::Object(id) => id,
            Prov::Null => return self.null_fault(ptr, n, verb, actor),
            Prov::Uninit | Prov::Forgotten => {
                let message = format!("{verb} through {pointer}, which is not initialised");
                return Fault::new(BadAccess::Uninitialised.class(access), message, None);
            }
            _ => {
                let message = format!(
                    "{verb} through {pointer}, an integer ({:#x}) that is no address of an object",
                    ptr.bits
                );
                return Fault::new(BadAccess::Number.class(access), message, None);
            }
        };
        let object = self.mem.get(id);
        let what = self.object_phrase(id);
        match object.life {
            Life::Freed => {
                let message = match object.kind {
                    ObjectKind::Library(name) => format!("{pointer} points to {name} that was closed"),
                    _ => format!("{pointer} points to {what} that was freed"),
                };
                return Fault::new(BadAccess::Freed.class(access), message, Some(id));
            }
            Life::Ended => {
                let message = format!("{pointer} points to {what}, whose life has ended");
                return Fault::new(BadAccess::Ended.class(access), message, Some(id));
            }
            Life::Live => {}
        }
        let offset = self.signed_offset(ptr, id);
        let inside = offset >= 0 && offset as u64 <= object.size && n <= object.size - offset as u64;
        if inside
            || (object.constant && access == Access::Write && matches!(object.kind, ObjectKind::Function(_)))
        {
            let message = match actor {
                Actor::Inst(_) => format!("write to {what}, which is constant"),
                Actor::Model(function, _) => format!("`{function}` writes to {what}, which is constant"),
            };
            let is_function = matches!(object.kind, ObjectKind::Function(_));
            let bad = if is_function { BadAccess::Function } else { BadAccess::Constant };
            return Fault::new(bad.class(access), message, Some(id));
        }
        let class = BadAccess::Outside.class(access);
        let place = match (offset, actor) {
            (0, Actor::Model(..)) => String::new(),
            (0.., _) => format!(" at offset {offset}"),
            _ => format!(" {} before the start", bytes(offset.unsigned_abs())),
        };
        let message = match (actor, access) {
            (Actor::Inst(_), _) => format!("{verb} of {}{place} of {what}", bytes(n)),
            (Actor::Model(f, _), Access::Read) => format!("`{f}` reads {}{place} of {what}", bytes(n)),
            (Actor::Model(f, _), Access::Write) => format!("`{f}` writes {}{place} into {what}", bytes(n)),
        };
        Fault::new(class, message, Some(id))
    }

    /// The offset of a pointer in its object.
    pub fn signed_offset(&self, ptr: Value, id: ObjId) -> i64 {
        let offset = ptr.addr().wrapping_sub(self.mem.get(id).base);
        heapproof_ir::sign_extend(u128::from(offset) & heapproof_ir::mask(self.word_bits), self.word_bits)
            as i64
    }

    /// A place of the source.
    pub fn location(&self, span: Span, func: Option<FuncId>) -> Location {
        Location {
            file: self.program.files.get(span.file).cloned().unwrap_or_default(),
            line: span.line,
            column: span.column,
            function: func.map_or_else(String::new, |f| self.program.functions[f].name.clone()),
        }
    }

    /// The nearest known position: of the instruction, else of the call in a frame below.
    pub fn nearest(&self) -> (Span, FuncId) {
        let here = frame_span(&self.top);
        if here.is_known() || !self.running {
            return (here, self.top.func);
        }
        let block = self.top.body.blocks.get(self.top.block);
        let around = block.and_then(|b| {
            let before = b.insts[..self.top.ip.min(b.insts.len())].iter().rev();
            let after = b.insts[self.top.ip.min(b.insts.len())..].iter();
            before.chain(after).map(|inst| inst.span).chain([b.term_span]).find(|span| span.is_known())
        });
        if let Some(around) = around {
            return (around, self.top.func);
        }
        if heapproof_libc::has_no_positions(self.top.body) {
            // A function of the library: the call in the program is the place.
            for frame in self.frames.iter().rev() {
                let call =
                    frame.ip.checked_sub(1).and_then(|ip| frame.body.blocks[frame.block].insts.get(ip));
                if let Some(call) = call.filter(|inst| inst.span.is_known()) {
                    return (call.span, frame.func);
                }
            }
        }
        (self.program.functions[self.top.func].span, self.top.func)
    }

    fn site_step(&self, kind: StepKind, site: Site, message: String) -> Option<(u64, PathStep)> {
        let known = site.span.is_known();
        known.then(|| (site.step, PathStep::new(kind, self.location(site.span, site.func), message)))
    }

    /// What happened to an object, for the path.
    fn object_steps(&self, id: ObjId) -> Vec<(u64, PathStep)> {
        let object = self.mem.get(id);
        let what = self.object_phrase(id);
        let (kind, message) = match object.kind {
            ObjectKind::Library(name) => (StepKind::Allocated, format!("{name} is opened here")),
            ObjectKind::Heap | ObjectKind::Alloca => {
                (StepKind::Allocated, format!("{what} is allocated here"))
            }
            _ => (StepKind::Declared, format!("{what} is declared here")),
        };
        let born = self.site_step(kind, object.born, message);
        let died = match object.life {
            Life::Live => None,
            Life::Freed => {
                let closed = matches!(object.kind, ObjectKind::Library(_));
                let how = if closed { "it is closed here" } else { "it is freed here" };
                self.site_step(StepKind::Freed, object.died, how.to_owned())
            }
            Life::Ended => self.site_step(StepKind::ScopeEnded, object.died, "its life ends here".to_owned()),
        };
        born.into_iter().chain(died).collect()
    }

    /// The violation that a fault is, with its path.
    pub fn violation(&self, fault: &Fault) -> Violation {
        let (span, func) = fault.place.unwrap_or_else(|| self.nearest());
        let mut path = self.trace.steps(self);
        if let Some(id) = fault.object {
            path.extend(self.object_steps(id));
        }
        path.sort_by_key(|(step, _)| *step);
        let path = path.into_iter().map(|(_, step)| step).collect();
        Violation {
            class: fault.class,
            cwe: fault.cwe,
            property: fault.property,
            location: self.location(span, Some(func)),
            message: fault.message.clone(),
            path,
            inputs: None,
            later: false,
        }
    }
}
