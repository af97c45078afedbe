//! Concrete states: memory and arguments with which a function is started on its own.

use heapproof_ir::{FuncId, GlobalId, Program, Ty};

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
    /// Somewhere, but not null: using it ends the run as undecided.
    Unknown,
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
    pub fn unreferred(&self) -> Vec<usize> {
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
            Address::Null | Address::Unknown => true,
            Address::Object { index, .. } => *index < self.objects.len(),
            Address::Global { global, .. } => program.globals.get(*global).is_some(),
            Address::Function(func) => program.functions.get(*func).is_some(),
        };
        if exists { Ok(()) } else { Err(BadState::Dangling) }
    }
}
