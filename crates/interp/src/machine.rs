//! The state of a run, its inputs, and checked access to memory.

use crate::api::{Choice, InputRecord, Inputs, Options, Request, Source, Stop};
use crate::fault::{Access, Actor, Fault, bytes};
use crate::feedback::{self, Feedback};
use crate::leaks::Probe;
use crate::memory::{Full, Life, Memory, ObjectKind, Site};
use crate::page::{Byte, Fresh};
use crate::snapshot::Observer;
use crate::state::State;
use crate::trace::Trace;
use crate::value::{MixId, Mixes, ObjId, Prov, Value};
use heapproof_engine::{Resolutions, model_note};
use heapproof_ir::{
    BlockId, Body, FuncId, GlobalInit, LocalId, Operand, Program, Reg, RelocTarget, Span, Ty, mask,
};
use heapproof_libc::CharSet;
use heapproof_verdict::{Assumption, AssumptionKind, Ledger, NoteKind, Property};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// Why the main loop ends.
#[derive(Debug)]
pub(crate) enum Halt {
    Fault(Fault),
    Stop(Stop),
    Exit {
        code: i32,
        aborted: bool,
    },
    /// A probe of the leak search found what it looked for.
    Probed,
}

/// The result of whatever may end the run.
pub(crate) type Res<T> = Result<T, Box<Halt>>;

impl From<Stop> for Box<Halt> {
    fn from(stop: Stop) -> Self {
        Box::new(Halt::Stop(stop))
    }
}

impl From<Fault> for Box<Halt> {
    fn from(fault: Fault) -> Self {
        Box::new(Halt::Fault(fault))
    }
}

/// What happens when a frame returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The caller goes on.
    Callee,
    /// The program ends.
    Entry,
    /// A function given to `atexit`: the next one runs, or the program ends.
    Handler,
}

/// The smallest and the largest value of an input, if it has them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ranges {
    pub range: Option<(u128, u128)>,
    /// Of a value whose smallest one is negative.
    pub signed: Option<(i64, i64)>,
}

/// An activation of a function.
#[derive(Debug)]
pub(crate) struct Frame<'p> {
    pub func: FuncId,
    pub body: &'p Body,
    pub role: Role,
    /// The block and the instruction that is executed; behind the call in frames that wait.
    pub block: BlockId,
    pub ip: usize,
    /// The block before this one.
    pub from: Option<BlockId>,
    pub regs: usize,
    pub locals: usize,
    /// Where the caller wants the results.
    pub results: &'p [Reg],
    pub allocas: Vec<ObjId>,
    /// Where the variadic arguments lie: the first of the `allocas`.
    pub variadic: Option<ObjId>,
    /// Number of objects at the entry.
    pub first_object: usize,
    /// No other frame of the run has it.
    pub serial: u64,
}

/// A run in progress.
pub(crate) struct Machine<'p, 'i> {
    pub program: &'p Program,
    pub options: &'i Options,
    pub inputs: &'i mut dyn Inputs,
    pub observer: Option<&'i mut dyn Observer>,
    /// What is kept for a search that learns.
    pub feedback: Option<&'i mut Feedback>,
    /// What the next input is about to be compared with.
    pub hint: Option<u8>,
    /// The function and the state to start from; the program's own start if none.
    pub from: Option<(FuncId, &'i State)>,
    /// Decides what the objects of a state hold where it leaves that open.
    pub lazy: Option<&'i mut dyn crate::state::Lazy>,
    /// The objects of the state, in its order.
    pub made: BTreeMap<ObjId, usize>,
    /// Nodes, where the property `data-structure` is asked about.
    pub handover: Option<crate::handover::Handover>,
    /// What the caller of the first function holds.
    pub held: Vec<Prov>,
    pub mem: Memory,
    pub mixes: Mixes,
    pub regs: Vec<Value>,
    pub locals: Vec<Option<ObjId>>,
    pub top: Frame<'p>,
    pub frames: Vec<Frame<'p>>,
    /// False before the entry and after it returned.
    pub running: bool,
    pub globals: Vec<ObjId>,
    pub functions: Vec<ObjId>,
    pub resolutions: Resolutions,
    pub steps: u64,
    /// The number of steps at which something is to be done.
    pub next_event: u64,
    pub probe: Option<Probe>,
    pub records: Vec<InputRecord>,
    /// The first choice that was made.
    pub choice: Option<Choice>,
    /// What functions do with registers that were asked about.
    pub uses: crate::choice::Uses,
    pub literals: crate::literals::Literals,
    /// The most frames so far.
    pub depth: usize,
    pub ledger: Ledger,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub handlers: Vec<FuncId>,
    pub jumps: crate::jump::Jumps<'p>,
    /// The number of frames so far.
    pub entered: u64,
    pub exit_code: i32,
    /// The place that `exit` was called at or that the entry returned at.
    pub exit_site: Option<Site>,
    pub used_models: Vec<bool>,
    pub library: BTreeMap<&'static str, ObjId>,
    pub strtok: Value,
    /// The object of `errno`, if the program looks at it.
    pub errno: Option<ObjId>,
    /// Answers of the environment that stay the same: the function and its arguments, and what it gave.
    pub answers: BTreeMap<(&'static str, Vec<u128>), u128>,
    /// Descriptors that are in use, as far as the program knows them.
    pub descriptors: BTreeSet<u128>,
    /// The strings that `getenv` gave, by name.
    pub environment: BTreeMap<Vec<u8>, Value>,
    /// All other variables were removed.
    pub environment_cleared: bool,
    /// The characters that were given back to streams.
    pub given_back: BTreeMap<ObjId, Vec<u8>>,
    /// The buffers that the program gave its streams.
    pub buffers: BTreeMap<ObjId, Value>,
    /// The files of a world that is given.
    pub files: crate::models::Files,
    /// What streams say about their end and errors, of those that were used.
    pub indicators: BTreeMap<ObjId, crate::models::Indicators>,
    /// Bytes that the environment wrote, that nobody read yet, and that are not any bytes.
    pub limited: BTreeMap<(ObjId, u64), Rc<CharSet>>,
    /// Where `getopt` is inside an argument.
    pub option_at: usize,
    /// An address was found back that was computed from those of several objects.
    pub provenance_lost: bool,
    pub trace: Trace,
    /// Errors that the execution went on after.
    pub passed: crate::mend::Passed,
    pub args: Vec<(Value, Ty)>,
    pub word_bits: u8,
    pub word_bytes: u64,
    /// Liveness of the functions that a scan for leaks has met.
    pub liveness: HashMap<FuncId, heapproof_ir::liveness::Liveness>,
}

static NO_BODY: std::sync::LazyLock<Body> = std::sync::LazyLock::new(Body::default);

impl<'p, 'i> Machine<'p, 'i> {
    pub fn new(program: &'p Program, options: &'i Options, inputs: &'i mut dyn Inputs) -> Self {
        let top = Frame {
            func: program.functions.keys().next().unwrap_or(FuncId::from_u32(0)),
            body: &NO_BODY,
            role: Role::Entry,
            block: Body::ENTRY,
            ip: 0,
            from: None,
            regs: 0,
            locals: 0,
            results: &[],
            allocas: Vec::new(),
            variadic: None,
            first_object: 0,
            serial: 0,
        };
        Machine {
            program,
            options,
            inputs,
            observer: None,
            feedback: None,
            hint: None,
            lazy: None,
            made: BTreeMap::new(),
            handover: options
                .environment
                .properties
                .has(Property::DataStructure)
                .then(|| crate::handover::Handover::new(program)),
            from: None,
            held: Vec::new(),
            mem: Memory::new(program.target, options.max_memory),
            mixes: Mixes::new(),
            regs: Vec::new(),
            locals: Vec::new(),
            top,
            frames: Vec::new(),
            running: false,
            globals: Vec::new(),
            functions: Vec::new(),
            resolutions: Resolutions::new(program, &options.environment),
            steps: 0,
            next_event: 0,
            probe: None,
            records: Vec::new(),
            choice: None,
            uses: HashMap::new(),
            literals: Default::default(),
            depth: 0,
            ledger: Ledger::default(),
            stdout: Vec::new(),
            stderr: Vec::new(),
            handlers: Vec::new(),
            jumps: Default::default(),
            entered: 0,
            exit_code: 0,
            exit_site: None,
            used_models: vec![false; program.functions.len()],
            library: BTreeMap::new(),
            strtok: Value::NULL,
            errno: None,
            answers: BTreeMap::new(),
            // Standard input, output and errors.
            descriptors: BTreeSet::from([0, 1, 2]),
            environment: BTreeMap::new(),
            environment_cleared: false,
            given_back: BTreeMap::new(),
            buffers: BTreeMap::new(),
            files: crate::models::Files::new(&options.environment.world),
            indicators: BTreeMap::new(),
            limited: BTreeMap::new(),
            option_at: 0,
            provenance_lost: false,
            trace: Trace::new(options.record_path),
            passed: Default::default(),
            args: Vec::new(),
            word_bits: program.target.pointer_bits(),
            word_bytes: program.target.pointer_bytes(),
            liveness: HashMap::new(),
        }
    }

    /// True if a property is part of the question.
    pub fn asks(&self, property: Property) -> bool {
        let asked = &self.options.environment.properties;
        // Nodes are good only if every access to them is.
        let part = asked.has(Property::DataStructure)
            && matches!(property, Property::ValidDeref | Property::ValidFree);
        // Whoever asks for bounds has put checks into the program.
        part || asked.has(property) || property == Property::Bounds && asked.has(Property::Assertions)
    }

    /// Makes the functions and globals.
    pub fn set_up(&mut self) -> Res<()> {
        let program = self.program;
        for (id, function) in program.functions.iter() {
            let site = Site { span: function.span, func: None, step: 0 };
            let object = self.create(0, 16, ObjectKind::Function(id), Fresh::Zero, site)?;
            self.mem.get_mut(object).constant = true;
            self.functions.push(object);
        }
        for (id, global) in program.globals.iter() {
            let fresh = match global.init {
                GlobalInit::External => Fresh::Unknown,
                GlobalInit::Data { .. } => Fresh::Zero,
            };
            let site = Site { span: global.span, func: None, step: 0 };
            let object = self.create(global.size, global.align, ObjectKind::Global(id), fresh, site)?;
            self.mem.get_mut(object).constant = global.constant;
            self.mem.get_mut(object).escaped = true;
            self.globals.push(object);
        }
        let errno = program.global("errno").filter(|id| program.globals[*id].init == GlobalInit::External);
        self.errno = errno.map(|id| self.globals[id.as_u32() as usize]);
        for (id, global) in program.globals.iter() {
            let object = self.globals[id.as_u32() as usize];
            match &global.init {
                GlobalInit::External => self.known_external(object, &global.name, global.size)?,
                GlobalInit::Data { bytes, relocs } => {
                    for (index, part) in bytes.chunks(16).enumerate() {
                        if part.iter().any(|b| *b != 0) {
                            self.put_raw(object, index as u64 * 16, part)?;
                        }
                    }
                    for reloc in relocs {
                        let to = match reloc.target {
                            RelocTarget::Global(g) => self.globals[g.as_u32() as usize],
                            RelocTarget::Func(f) => self.functions[f.as_u32() as usize],
                        };
                        let addr = self.mem.get(to).base.wrapping_add_signed(reloc.addend);
                        let bits = u128::from(addr) & mask(self.word_bits);
                        let n = self.word_bytes;
                        let done = self.mem.write_address(object, reloc.offset, n, bits, Prov::Object(to));
                        self.room(done)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// External objects that every program may use: the environment, which is empty here.
    fn known_external(&mut self, object: ObjId, name: &str, size: u64) -> Res<()> {
        let n = self.word_bytes;
        if size < n {
            return Ok(());
        }
        let to = match name {
            "environ" | "__environ" => self.library_object("environ", n, Fresh::Zero)?,
            _ => return Ok(()),
        };
        let bits = u128::from(self.mem.get(to).base);
        let done = self.mem.write_address(object, 0, n, bits, Prov::Object(to));
        self.room(done)
    }

    /// An object of the library, made at its first use.
    pub fn library_object(&mut self, name: &'static str, size: u64, fresh: Fresh) -> Res<ObjId> {
        if let Some(id) = self.library.get(name) {
            return Ok(*id);
        }
        if name == "environ" {
            self.note_choice("the environment variables");
        }
        let site = Site { span: Span::NONE, func: None, step: 0 };
        let id = self.create(size, 16, ObjectKind::Library(name), fresh, site)?;
        self.mem.get_mut(id).escaped = true;
        self.library.insert(name, id);
        Ok(id)
    }

    /// Makes an object or stops for lack of memory.
    pub fn create(
        &mut self,
        size: u64,
        align: u64,
        kind: ObjectKind,
        fresh: Fresh,
        born: Site,
    ) -> Res<ObjId> {
        let made = self.mem.create(size, align, kind, fresh, born);
        self.room(made)
    }

    pub fn room<T>(&self, result: Result<T, Full>) -> Res<T> {
        result.map_err(|Full| Stop::Memory(self.options.max_memory).into())
    }

    /// The position of the instruction that is executed.
    pub fn span(&self) -> Span {
        frame_span(&self.top)
    }

    pub fn site(&self) -> Site {
        Site { span: self.span(), func: self.running.then_some(self.top.func), step: self.steps }
    }

    /// The function and the number of the step, for the trace.
    pub fn now(&self) -> (heapproof_ir::FuncId, u64) {
        (self.top.func, self.steps)
    }

    /// The address of an object.
    pub fn address_of(&self, id: ObjId) -> Value {
        Value { bits: u128::from(self.mem.get(id).base), prov: Prov::Object(id) }
    }

    /// Asks the inputs.
    pub fn choose(
        &mut self,
        source: Source,
        width: u8,
        signed: bool,
        range: Option<(u128, u128)>,
        name: impl Into<String>,
    ) -> u128 {
        self.choose_from(source, (width, signed), Ranges { range, signed: None }, name)
    }

    /// As [`Self::choose`]; the second range is that of a signed value, which the caller brings it into.
    pub fn choose_from(
        &mut self,
        source: Source,
        (width, signed): (u8, bool),
        Ranges { range, signed: signed_range }: Ranges,
        name: impl Into<String>,
    ) -> u128 {
        let span = self.span();
        let hint = self.hint.take();
        let request = Request { source, width, signed, range, signed_range, hint, span };
        let mut value = self.inputs.choose(&request) & mask(width);
        if let Some((low, high)) = range
            && !(low..=high).contains(&value)
        {
            value = low + value.wrapping_sub(low) % (high - low + 1);
        }
        let record = InputRecord { source, width, signed, value, name: name.into(), span };
        self.note_asked(source, &record.name);
        let now = self.now();
        self.trace.input(&record, now);
        self.records.push(record);
        value
    }

    /// Says the choice that was just made in other words; nothing is told of it without.
    pub fn reword(&mut self, text: impl FnOnce(&Self) -> Option<String>) {
        if self.trace.is_on() {
            let text = text(self);
            self.trace.reword(text);
        }
    }

    /// Provenance was lost and found again by the address: leaks are no longer judged.
    fn note_lost_provenance(&mut self) {
        self.provenance_lost = true;
        self.ledger.assume(Assumption {
            kind: AssumptionKind::ProvenanceLost,
            subject: "an address was computed from several addresses or from parts of one".to_owned(),
            location: None,
            accepted: false,
        });
    }

    pub fn note_model(&mut self, func: FuncId, name: &str) {
        let index = func.as_u32() as usize;
        if !self.used_models[index] {
            self.used_models[index] = true;
            self.ledger.note(NoteKind::Model, model_note(name));
        }
    }

    /// The value of an operand.
    #[inline(always)]
    pub fn operand(&mut self, operand: &Operand) -> Res<Value> {
        Ok(match operand {
            Operand::Reg(reg) => {
                let place = self.top.regs + reg.as_u32() as usize;
                let value = self.regs[place];
                if value.prov == Prov::Forgotten {
                    return Ok(self.read_forgotten(*reg));
                }
                value
            }
            Operand::Int { bits, .. } | Operand::Float { bits, .. } => Value::plain(*bits),
            Operand::Null => Value::NULL,
            Operand::Global(id) => self.address_of(self.globals[id.as_u32() as usize]),
            Operand::Func(id) => self.address_of(self.functions[id.as_u32() as usize]),
            Operand::Local(id) => return self.local_address(*id),
            Operand::Undef(ty) => self.undefined(*ty, "an unspecified value"),
        })
    }

    #[inline(always)]
    pub fn set(&mut self, reg: Reg, value: Value) {
        let place = self.top.regs + reg.as_u32() as usize;
        self.regs[place] = value;
    }

    #[cold]
    fn read_forgotten(&mut self, reg: Reg) -> Value {
        let info = &self.top.body.regs[reg];
        let name = info.variable.as_ref().map_or_else(|| "a temporary".to_owned(), |v| v.name.clone());
        let value = self.undefined(info.ty, &name);
        self.set(reg, value);
        value
    }

    fn undefined(&mut self, ty: Ty, name: &str) -> Value {
        let width = ty.bits(self.program.target);
        let bits = self.choose(Source::Uninitialised, width, false, None, name);
        if !name.contains(' ') {
            self.reword(|_| Some(format!("`{name}` was never assigned and reads as {bits:#x}")));
        }
        Value { bits, prov: Prov::Uninit }
    }

    fn local_address(&self, local: LocalId) -> Res<Value> {
        match self.locals[self.top.locals + local.as_u32() as usize] {
            Some(id) => Ok(self.address_of(id)),
            None => Err(Stop::Other("a variable is used outside its scope".to_owned()).into()),
        }
    }

    /// The object and offset of `n` bytes at a pointer, which must all lie inside one live object.
    #[inline]
    pub fn check(&mut self, ptr: Value, n: u64, access: Access, actor: Actor<'_>) -> Res<(ObjId, u64)> {
        if let Prov::Object(id) = ptr.prov {
            let object = self.mem.get(id);
            let offset = ptr.addr().wrapping_sub(object.base);
            if object.life == Life::Live
                && offset <= object.size
                && n <= object.size - offset
                && !(object.constant && access == Access::Write)
            {
                let room = object.size - offset - n;
                if let Some(feedback) = &mut self.feedback {
                    let at = feedback::site(self.top.func, self.top.block, self.top.ip);
                    feedback.access(at, room);
                }
                return Ok((id, offset));
            }
        }
        self.check_slowly(ptr, n, access, actor)
    }

    #[cold]
    fn check_slowly(&mut self, ptr: Value, n: u64, access: Access, actor: Actor<'_>) -> Res<(ObjId, u64)> {
        match ptr.prov {
            Prov::Mixed(mix) => match self.resolve(mix, ptr.addr()) {
                Some(id) => self.check(Value { bits: ptr.bits, prov: Prov::Object(id) }, n, access, actor),
                None => Err(Stop::Other(
                    "an address was computed in a way that does not tell which object it belongs to"
                        .to_owned(),
                )
                .into()),
            },
            Prov::Foreign => Err(Stop::Other("an address from an external object is used".to_owned()).into()),
            _ => Err(self.access_fault(ptr, n, access, actor).into()),
        }
    }

    /// The object of a set at an address. Telling several apart by the address is noted.
    pub fn resolve(&mut self, mix: MixId, addr: u64) -> Option<ObjId> {
        let found = match self.mixes.members(mix) {
            None => self.mem.at_address(addr),
            Some(members) => members.iter().copied().find(|id| {
                let object = self.mem.get(*id);
                addr.wrapping_sub(object.base) <= object.size
            }),
        };
        if found.is_some() && !self.mixes.is_single(mix) {
            self.note_lost_provenance();
        }
        found
    }

    /// The pointer that bits with this provenance are.
    pub fn as_pointer(&mut self, value: Value) -> Value {
        let prov = match value.prov {
            Prov::None if value.bits == 0 => Prov::Null,
            Prov::Mixed(mix) => self.resolve(mix, value.addr()).map_or(value.prov, Prov::Object),
            other => other,
        };
        Value { bits: value.bits, prov }
    }

    /// `*(ty *)ptr`
    #[inline]
    pub fn load(&mut self, ptr: Value, ty: Ty, actor: Actor<'_>) -> Res<Value> {
        let n = ty.bytes(self.program.target);
        let (id, at) = self.check(ptr, n, Access::Read, actor)?;
        if let Some(bits) = self.mem.read_plain(id, at, n) {
            return Ok(self.typed(Value::plain(bits), ty));
        }
        if n == self.word_bytes
            && let Some((bits, prov)) = self.mem.read_slot(id, at)
        {
            return Ok(self.typed(Value { bits, prov }, ty));
        }
        let value = self.load_slowly(id, at, n)?;
        Ok(self.typed(value, ty))
    }

    #[inline]
    fn typed(&mut self, value: Value, ty: Ty) -> Value {
        match ty {
            Ty::Ptr if value.prov == Prov::None || matches!(value.prov, Prov::Mixed(_)) => {
                self.as_pointer(value)
            }
            Ty::Int(width) => {
                let part = value.prov == Prov::Null && width < self.word_bits;
                let prov = if part { Prov::None } else { value.prov };
                Value { bits: value.bits & mask(width), prov }
            }
            _ => value,
        }
    }

    fn load_slowly(&mut self, id: ObjId, at: u64, n: u64) -> Res<Value> {
        if self.lazy.is_some() {
            self.fill_lazily(id, at, n)?;
        }
        let mut bytes = [Byte::Plain(0); 16];
        let (mut uninit, mut unknown) = (0u8, 0u8);
        for (index, byte) in bytes.iter_mut().enumerate().take(n as usize) {
            *byte = self.mem.byte(id, at + index as u64);
            match byte {
                Byte::Uninit => uninit += 1,
                Byte::Unknown => unknown += 1,
                _ => {}
            }
        }
        let bytes = &mut bytes[..n as usize];
        for (count, source) in [(uninit, Source::Uninitialised), (unknown, Source::Environment)] {
            if count == 0 {
                continue;
            }
            let name = self.object_name(id);
            let mut chosen = self.choose(source, count * 8, false, None, name);
            if source == Source::Environment && !self.limited.is_empty() {
                let unknown = bytes.iter().enumerate().filter(|(_, byte)| **byte == Byte::Unknown);
                let places: Vec<u64> = unknown.map(|(index, _)| at + index as u64).collect();
                chosen = self.fit_characters(id, &places, chosen);
            }
            self.reword(|machine| Some(machine.chosen_bytes(id, u64::from(count), source, chosen)));
            for (index, byte) in bytes.iter_mut().enumerate() {
                let new = match byte {
                    Byte::Uninit if source == Source::Uninitialised => Byte::Chosen(chosen as u8),
                    Byte::Unknown if source == Source::Environment => Byte::Foreign(chosen as u8),
                    _ => continue,
                };
                chosen = chosen.checked_shr(8).unwrap_or(0);
                *byte = new;
                let done = self.mem.set_byte(id, at + index as u64, new);
                self.room(done)?;
            }
        }
        Ok(self.assemble(bytes))
    }

    /// In words that bytes of an object got their value at this read.
    fn chosen_bytes(&self, id: ObjId, n: u64, source: Source, value: u128) -> String {
        let object = self.mem.get(id);
        let origin = self.object_origin(id);
        let whole = n == object.size && matches!(object.kind, ObjectKind::Local(..));
        let (were, read) = if n == 1 { ("was", "reads") } else { ("were", "read") };
        match source {
            Source::Uninitialised if whole => format!("{origin} was never assigned and reads as {value:#x}"),
            Source::Uninitialised => {
                format!("{} of {origin} {were} never written and {read} as {value:#x}", bytes(n))
            }
            _ => format!("{} of {origin} {were} not set by the program and {read} as {value:#x}", bytes(n)),
        }
    }

    /// The number that bytes without gaps make, with its provenance.
    fn assemble(&mut self, bytes: &[Byte]) -> Value {
        let mut all = [0u8; 16];
        let mut whole = None;
        let (mut is_whole, mut chosen, mut foreign) = (bytes.len() as u64 == self.word_bytes, false, false);
        let mut parts = Prov::None;
        for (place, byte) in bytes.iter().enumerate() {
            match *byte {
                Byte::Plain(b) => {
                    all[place] = b;
                    is_whole = false;
                }
                Byte::Chosen(b) => {
                    all[place] = b;
                    chosen = true;
                }
                Byte::Foreign(b) => {
                    all[place] = b;
                    foreign = true;
                }
                Byte::Address { byte, prov, index } => {
                    all[place] = byte;
                    is_whole &= index as usize == place && *whole.get_or_insert(prov) == prov;
                    if parts != prov {
                        parts = self.mixes.union(parts, prov);
                    }
                }
                Byte::Uninit | Byte::Unknown => unreachable!("chosen before"),
            }
        }
        let prov = match whole {
            _ if chosen => Prov::Uninit,
            Some(prov) if is_whole && !foreign => prov,
            Some(_) => {
                self.note_choice("a part of an address");
                self.mixes.blur(parts)
            }
            None if foreign => Prov::Foreign,
            None => Prov::None,
        };
        Value { bits: u128::from_le_bytes(all), prov }
    }

    /// `*(ty *)ptr = value`
    #[inline]
    pub fn store(&mut self, ptr: Value, ty: Ty, value: Value, actor: Actor<'_>) -> Res<()> {
        let n = ty.bytes(self.program.target);
        let (id, at) = self.check(ptr, n, Access::Write, actor)?;
        if self.handover.is_some() && n == self.word_bytes {
            self.note_writer(id, at);
        }
        self.put(id, at, n, value)
    }

    /// Stores a value at a checked place.
    #[inline]
    pub fn put(&mut self, id: ObjId, at: u64, n: u64, value: Value) -> Res<()> {
        let done = match value.prov {
            Prov::None | Prov::Forgotten => self.mem.write_plain(id, at, n, value.bits),
            Prov::Null if value.bits == 0 => self.mem.write_plain(id, at, n, 0),
            Prov::Object(_) | Prov::Mixed(_) | Prov::Null => {
                self.escape(value.prov);
                self.mem.write_address(id, at, n, value.bits, value.prov)
            }
            Prov::Uninit | Prov::Foreign => {
                let mut done = Ok(());
                for (index, byte) in value.bits.to_le_bytes()[..n as usize].iter().enumerate() {
                    let byte = match value.prov {
                        Prov::Uninit => Byte::Chosen(*byte),
                        _ => Byte::Foreign(*byte),
                    };
                    done = done.and(self.mem.set_byte(id, at + index as u64, byte));
                }
                done
            }
        };
        self.room(done)
    }

    /// Remembers that addresses with this provenance are known elsewhere than in this frame.
    pub fn escape(&mut self, prov: Prov) {
        match prov {
            Prov::Object(id) => self.mem.get_mut(id).escaped = true,
            Prov::Mixed(mix) => {
                if let Some(members) = self.mixes.members(mix) {
                    members.iter().for_each(|id| self.mem.get_mut(*id).escaped = true);
                } else {
                    self.mem.all_escaped = true;
                }
            }
            _ => {}
        }
    }

    /// One byte as a number; chosen if it was never written.
    pub fn byte_at(&mut self, id: ObjId, at: u64) -> Res<u8> {
        match self.mem.byte(id, at) {
            Byte::Plain(b) | Byte::Chosen(b) | Byte::Foreign(b) => Ok(b),
            Byte::Address { byte, .. } => {
                self.note_choice("a part of an address");
                Ok(byte)
            }
            Byte::Uninit | Byte::Unknown => Ok(self.load_slowly(id, at, 1)?.bits as u8),
        }
    }
}

/// The position of the instruction or terminator that a frame is at.
pub(crate) fn frame_span(frame: &Frame<'_>) -> Span {
    match frame.body.blocks.get(frame.block) {
        Some(block) => block.insts.get(frame.ip).map_or(block.term_span, |inst| inst.span),
        None => Span::NONE,
    }
}
