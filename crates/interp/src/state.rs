//! Concrete states: a function is started with given arguments, in a heap and with globals that somebody made up.

use crate::api::{Inputs, Options, Run};
use crate::machine::{Machine, Res, Role};
use crate::memory::{ObjectKind, Site};
use crate::page::Fresh;
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
    Ok(crate::run::run(program, options, inputs, None, Some((func, state))))
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
    Ok(crate::run::run(program, options, inputs, Some(observer), Some((func, state))))
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
        self.push_frame(func, &args, &[], Role::Entry)
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
            Address::Object { index, offset } => (made[index], offset),
            Address::Global { global, offset } => (self.globals[global.as_u32() as usize], offset),
            Address::Function(func) => (self.functions[func.as_u32() as usize], 0),
        };
        let start = self.address_of(id);
        let bits = start.bits.wrapping_add(offset as u128) & mask(self.word_bits);
        Value { bits, prov: Prov::Object(id) }
    }
}
