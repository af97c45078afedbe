//! Concrete states: a function is started with given arguments, in a heap and with globals that somebody made up.

use crate::api::{Inputs, Options, Run};
use crate::machine::{Machine, Res, Role};
use crate::memory::{ObjectKind, Site};
use crate::page::{Byte, Fresh};
use crate::run::Company;
use crate::value::{ObjId, Prov, Value};
pub use heapproof_engine::state::{Address, Argument, BadState, Block, Content, State};
use heapproof_ir::{FuncId, Program, Span, mask};

/// Runs a function from a state. Callees are executed. What the arguments lead to, what nothing in the state refers to, and what
/// the function returns is held by its caller: the end of the run loses nothing of that.
pub fn run_from(
    program: &Program,
    options: &Options,
    func: FuncId,
    state: &State,
    inputs: &mut dyn Inputs,
) -> Result<Run, BadState> {
    state.check(program, func)?;
    Ok(crate::run::run(program, options, inputs, Company { from: Some((func, state)), ..Company::default() }))
}

/// Decides what the objects of a state hold where it leaves that open, at the first read.
pub trait Lazy {
    /// What some bytes of an object hold; none if they are just not initialised. An address may lead to the object behind the last one: then
    /// that is made.
    fn content(&mut self, object: usize, offset: u64, size: u64) -> Option<Content>;

    /// The size of a new object.
    fn size(&mut self, object: usize) -> u64;

    /// All scalars of an object: offset and size.
    fn scalars(&mut self, object: usize) -> Vec<(u64, u64)>;
}

/// As [`run_from`], in a state that is completed as it is read.
pub fn run_lazily(
    program: &Program,
    options: &Options,
    func: FuncId,
    state: &State,
    lazy: &mut dyn Lazy,
    inputs: &mut dyn Inputs,
) -> Result<Run, BadState> {
    state.check(program, func)?;
    let company = Company { from: Some((func, state)), lazy: Some(lazy), ..Company::default() };
    Ok(crate::run::run(program, options, inputs, company))
}

/// The same, while somebody looks on.
pub fn run_from_observed(
    program: &Program,
    options: &Options,
    func: FuncId,
    state: &State,
    inputs: &mut dyn Inputs,
    observer: &mut dyn crate::snapshot::Observer,
) -> Result<Run, BadState> {
    state.check(program, func)?;
    let company = Company { from: Some((func, state)), observer: Some(observer), ..Company::default() };
    Ok(crate::run::run(program, options, inputs, company))
}

impl Machine<'_, '_> {
    /// Makes the objects of a state and enters the function.
    pub(crate) fn enter_from(&mut self, func: FuncId, state: &State) -> Res<()> {
        let site = Site { span: Span::NONE, func: None, step: 0 };
        let align = self.program.target.malloc_align();
        let mut made = Vec::new();
        for block in &state.objects {
            let id = self.create(block.size, align, ObjectKind::Heap, Fresh::Uninit, site)?;
            self.mem.get_mut(id).escaped = true;
            made.push(id);
        }
        for (id, block) in made.iter().zip(&state.objects) {
            for (offset, content) in &block.content {
                self.put_content(&made, *id, *offset, content)?;
            }
        }
        self.made = made.iter().enumerate().map(|(index, id)| (*id, index)).collect();
        for (global, offset, content) in &state.globals {
            let id = self.globals[global.as_u32() as usize];
            self.put_content(&made, id, *offset, content)?;
        }
        for index in state.unreferred() {
            self.held.push(Prov::Object(made[index]));
        }
        let params = &self.program.functions[func].params;
        let target = self.program.target;
        let mut args = Vec::new();
        for (argument, ty) in state.arguments.iter().zip(params) {
            let value = match argument {
                Argument::Number(bits) => Value::plain(bits & mask(ty.bits(target))),
                Argument::Pointer(address) => self.address_in(&made, *address),
            };
            self.held.push(value.prov);
            args.push((value, *ty));
        }
        self.adopt_arguments(func, &args);
        self.push_frame(func, &args, &[], Role::Entry)
    }

    /// Lets somebody decide what some bytes hold, if nothing was written there.
    pub(crate) fn fill_lazily(&mut self, id: ObjId, at: u64, n: u64) -> Res<()> {
        let Some(&index) = self.made.get(&id) else { return Ok(()) };
        if !(0..n).all(|i| self.mem.byte(id, at + i) == Byte::Uninit) {
            return Ok(());
        }
        let Some(lazy) = self.lazy.as_mut() else { return Ok(()) };
        let Some(content) = lazy.content(index, at, n) else { return Ok(()) };
        if let Content::Pointer(Address::Object { index: to, offset }) = content {
            if to == self.made.len() {
                let size = lazy.size(to);
                let site = Site { span: Span::NONE, func: None, step: 0 };
                let align = self.program.target.malloc_align();
                let new = self.create(size, align, ObjectKind::Heap, Fresh::Uninit, site)?;
                self.mem.get_mut(new).escaped = true;
                self.made.insert(new, to);
                self.held.push(Prov::Object(new));
            }
            if let Some(target) = self.made_at(to) {
                self.adopt_link(id, at, target, offset);
            }
        }
        let made: Vec<ObjId> = (0..self.made.len()).filter_map(|to| self.made_at(to)).collect();
        self.put_content(&made, id, at, &content)
    }

    /// The same for all scalars of an object.
    pub(crate) fn fill_all_lazily(&mut self, id: ObjId) -> Res<()> {
        let Some(&index) = self.made.get(&id) else { return Ok(()) };
        let scalars = self.lazy.as_mut().map(|lazy| lazy.scalars(index)).unwrap_or_default();
        scalars.into_iter().try_for_each(|(at, n)| self.fill_lazily(id, at, n))
    }

    fn made_at(&self, index: usize) -> Option<ObjId> {
        self.made.iter().find(|(_, i)| **i == index).map(|(id, _)| *id)
    }

    fn put_content(&mut self, made: &[ObjId], id: ObjId, offset: u64, content: &Content) -> Res<()> {
        match content {
            Content::Bytes(bytes) => self.put_raw(id, offset, bytes),
            Content::Pointer(address) => {
                let value = self.address_in(made, *address);
                self.put(id, offset, self.word_bytes, value)
            }
        }
    }

    fn address_in(&self, made: &[ObjId], address: Address) -> Value {
        let (id, offset) = match address {
            Address::Null => return Value::NULL,
            Address::Unknown => return Value { bits: 16, prov: Prov::Foreign },
            Address::Object { index, offset } => (made[index], offset),
            Address::Global { global, offset } => (self.globals[global.as_u32() as usize], offset),
            Address::Function(func) => (self.functions[func.as_u32() as usize], 0),
        };
        let start = self.address_of(id);
        let bits = start.bits.wrapping_add(offset as u128) & mask(self.word_bits);
        Value { bits, prov: Prov::Object(id) }
    }
}
