//! Concrete states: a function is started with given arguments, in a heap and with globals that somebody made up.

use crate::api::{Inputs, Options, Run};
use crate::machine::{Machine, Res, Role};
use crate::memory::{ObjectKind, Site};
use crate::page::Fresh;
use crate::value::{ObjId, Prov, Value};
use heapproof_ir::{FuncId, GlobalId, Program, Span, Ty, mask};

/// Where an address leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Address {
    /// Nowhere: the null pointer.
    Null,
    /// Into an object of the state.
    Object {
        /// Its place in [`State::objects`].
        index: usize,
        /// Bytes from its start.
        offset: i64,
    },
    /// Into a global.
    Global {
        /// Which.
        global: GlobalId,
        /// Bytes from its start.
        offset: i64,
    },
    /// To a function.
    Function(FuncId),
}

/// What some bytes of an object hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Numbers.
    Bytes(Vec<u8>),
    /// An address, of the size of a pointer.
    Pointer(Address),
}

/// A heap block of the state. What is not said of its content is uninitialised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The size in bytes.
    pub size: u64,
    /// Content at offsets, without overlaps.
    pub content: Vec<(u64, Content)>,
}

/// An argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A number, or the bits of a floating point number.
    Number(u128),
    /// A pointer.
    Pointer(Address),
}

/// Memory and arguments with which a function starts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The heap.
    pub objects: Vec<Block>,
    /// Content of globals that differs from what the program starts with.
    pub globals: Vec<(GlobalId, u64, Content)>,
    /// The arguments, one for each parameter.
    pub arguments: Vec<Argument>,
}

/// Why a state does not fit a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadState {
    /// The function has no code.
    #[error("the function has no code")]
    NoBody,
    /// The arguments are not those of the parameters.
    #[error("the arguments do not fit the parameters of the function")]
    Arguments,
    /// Some content lies outside its object.
    #[error("content at offset {offset} lies outside its object of {size} bytes")]
    Outside {
        /// Where the content is.
        offset: u64,
        /// The size of the object.
        size: u64,
    },
    /// An address leads to an object that is not there.
    #[error("an address leads to an object that does not exist")]
    Dangling,
}

impl State {
    /// Says whether the state fits a function of a program.
    pub fn check(&self, program: &Program, func: FuncId) -> Result<(), BadState> {
        let function = program.functions.get(func).ok_or(BadState::NoBody)?;
        if function.body.is_none() {
            return Err(BadState::NoBody);
        }
        let fits = |(argument, ty): (&Argument, &Ty)| match argument {
            Argument::Pointer(_) => *ty == Ty::Ptr,
            Argument::Number(_) => *ty != Ty::Ptr,
        };
        if self.arguments.len() != function.params.len()
            || !self.arguments.iter().zip(&function.params).all(fits)
        {
            return Err(BadState::Arguments);
        }
        let word = program.target.pointer_bytes();
        for block in &self.objects {
            for (offset, content) in &block.content {
                self.check_content(program, block.size, *offset, content, word)?;
            }
        }
        for (global, offset, content) in &self.globals {
            let size = program.globals.get(*global).ok_or(BadState::Dangling)?.size;
            self.check_content(program, size, *offset, content, word)?;
        }
        let pointers = self.arguments.iter().filter_map(|argument| match argument {
            Argument::Pointer(address) => Some(address),
            Argument::Number(_) => None,
        });
        pointers.into_iter().try_for_each(|address| self.check_address(program, address))
    }

    /// The objects that nothing refers to, but perhaps they themselves.
    fn unreferred(&self) -> Vec<usize> {
        let mut referred = vec![false; self.objects.len()];
        let mut note = |address: &Address, from: Option<usize>| {
            if let Address::Object { index, .. } = address
                && from != Some(*index)
            {
                referred[*index] = true;
            }
        };
        for (from, block) in self.objects.iter().enumerate() {
            for (_, content) in &block.content {
                if let Content::Pointer(address) = content {
                    note(address, Some(from));
                }
            }
        }
        for (_, _, content) in &self.globals {
            if let Content::Pointer(address) = content {
                note(address, None);
            }
        }
        for argument in &self.arguments {
            if let Argument::Pointer(address) = argument {
                note(address, None);
            }
        }
        (0..self.objects.len()).filter(|index| !referred[*index]).collect()
    }

    fn check_content(
        &self,
        program: &Program,
        size: u64,
        offset: u64,
        content: &Content,
        word: u64,
    ) -> Result<(), BadState> {
        let len = match content {
            Content::Bytes(bytes) => bytes.len() as u64,
            Content::Pointer(address) => {
                self.check_address(program, address)?;
                word
            }
        };
        match offset.checked_add(len) {
            Some(end) if end <= size => Ok(()),
            _ => Err(BadState::Outside { offset, size }),
        }
    }

    fn check_address(&self, program: &Program, address: &Address) -> Result<(), BadState> {
        let exists = match address {
            Address::Null => true,
            Address::Object { index, .. } => *index < self.objects.len(),
            Address::Global { global, .. } => program.globals.get(*global).is_some(),
            Address::Function(func) => program.functions.get(*func).is_some(),
        };
        if exists { Ok(()) } else { Err(BadState::Dangling) }
    }
}

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
