//! Models of external functions: one table used by every engine and by the interpreter.
//!
//! A [`Model`] states what a function is ([`ModelKind`], for engines that execute it), its prototype, and its
//! effect on memory in a form that an engine can apply without knowing the function ([`Effect`]).
//! A definition in the program beats a model of the same name: callers look for a body first.

mod alloc;
mod bodies;
mod files;
mod input;
mod kind;
mod math;
mod process;
mod stdio;
mod string;

pub use bodies::{has_no_positions, link};
pub use kind::{
    CharClass, CharTable, CompareCase, CopyResult, Fallible, FindFrom, MathFunction, ModelKind, PrintSink,
    SizeArg, SpanKind,
};

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A scalar C type of a prototype.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Scalar {
    Void,
    /// An integer of a fixed number of bits.
    Int {
        bits: u8,
        signed: bool,
    },
    /// `long`, `size_t` and other integers of the pointer's width.
    Word {
        signed: bool,
    },
    Ptr,
    Float,
    Double,
    LongDouble,
}

impl Scalar {
    /// `int`.
    pub const INT: Scalar = Scalar::Int { bits: 32, signed: true };
    /// `unsigned`.
    pub const UINT: Scalar = Scalar::Int { bits: 32, signed: false };
    /// `long`.
    pub const LONG: Scalar = Scalar::Word { signed: true };
    /// `unsigned long` and `size_t`.
    pub const SIZE: Scalar = Scalar::Word { signed: false };
    /// `long long`.
    pub const LLONG: Scalar = Scalar::Int { bits: 64, signed: true };
    /// `unsigned long long`.
    pub const ULLONG: Scalar = Scalar::Int { bits: 64, signed: false };

    /// Number of bits for pointers of the given width; 0 for `void`.
    pub fn bits(self, pointer_bits: u8) -> u8 {
        match self {
            Scalar::Void => 0,
            Scalar::Int { bits, .. } => bits,
            Scalar::Word { .. } | Scalar::Ptr => pointer_bits,
            Scalar::Float => 32,
            Scalar::Double => 64,
            Scalar::LongDouble => 80,
        }
    }

    /// True for signed integers.
    pub fn is_signed(self) -> bool {
        matches!(self, Scalar::Int { signed: true, .. } | Scalar::Word { signed: true })
    }
}

/// How many bytes of an area a function touches, from the address that the argument gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extent {
    /// A fixed number.
    Bytes(u64),
    /// The size of a pointer.
    Pointer,
    /// The size of a `long`, `time_t` and other words.
    Word,
    /// The value of an argument.
    Arg(usize),
    /// The product of two arguments.
    Product(usize, usize),
    /// Up to and with the NUL.
    Nul,
    /// Up to and with the NUL, and not more than the value of an argument.
    NulOrArg(usize),
    /// As many bytes as the string at an argument has, with its NUL.
    StringOf(usize),
    /// Starts at the NUL of the area and takes the string at an argument with its NUL (`strcat`).
    AppendStringOf(usize),
    /// As `AppendStringOf`, and not more characters than an argument says (`strncat`).
    AppendStringOfAtMost(usize, usize),
    /// Between nothing and the value of an argument: an input decides.
    UpToArg(usize),
    /// What a format says: the output with its NUL.
    Format,
    /// What a format says, not more than the value of an argument.
    FormatAtMost(usize),
    /// Any number of bytes (`gets`).
    Unbounded,
}

/// An area that a function reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Area {
    /// The argument that points to it.
    pub arg: usize,
    /// How much of it.
    pub extent: Extent,
    /// The argument may be null; the area is then not touched.
    pub nullable: bool,
}

/// Where the result of a function comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ResultOf {
    /// It has none, or it is computed as the kind says.
    #[default]
    Kind,
    /// A new heap block.
    NewBlock,
    /// An argument as it is.
    Arg(usize),
    /// A pointer into the area of an argument, or null.
    IntoArg(usize),
    /// Any value of the type.
    Input,
    /// Any value of the type that is not negative.
    NonNegativeInput,
    /// A pointer to an object of the library.
    LibraryObject,
    /// A pointer to a string of the library, or null.
    LibraryStringOrNull,
    /// Zero.
    Zero,
}

/// The effect of a function on memory and control.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    /// What it reads.
    pub reads: Vec<Area>,
    /// What it writes.
    pub writes: Vec<Area>,
    /// It reads the strings that `%s` in the format names and writes through `%n`; the format is this argument.
    pub format: Option<usize>,
    /// It makes a heap block.
    pub allocates: bool,
    /// It frees the block at this argument.
    pub frees: Option<usize>,
    /// It does not return: the program ends there.
    pub ends_program: bool,
    /// It calls a function of the program that it was given.
    pub calls_back: bool,
    /// Where the result comes from.
    pub result: ResultOf,
}

impl Effect {
    /// True if it neither writes, allocates, frees, ends the program nor calls back.
    pub fn is_pure(&self) -> bool {
        self.writes.is_empty()
            && self.format.is_none()
            && !self.allocates
            && self.frees.is_none()
            && !self.ends_program
            && !self.calls_back
    }
}

/// The model of an external function.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The symbol.
    pub name: &'static str,
    /// What it does.
    pub kind: ModelKind,
    /// Types of the parameters.
    pub params: Vec<Scalar>,
    /// Type of the result.
    pub result: Scalar,
    /// More arguments are allowed.
    pub variadic: bool,
    /// The effect on memory and control.
    pub effect: Effect,
    /// It never returns.
    pub no_return: bool,
    /// What is modelled and what is left out, in a sentence.
    pub doc: &'static str,
}

impl Model {
    fn new(
        name: &'static str,
        kind: ModelKind,
        result: Scalar,
        params: &[Scalar],
        doc: &'static str,
    ) -> Model {
        Model {
            name,
            kind,
            params: params.to_vec(),
            result,
            variadic: false,
            effect: Effect::default(),
            no_return: false,
            doc,
        }
    }

    fn reads(mut self, arg: usize, extent: Extent) -> Model {
        self.effect.reads.push(Area { arg, extent, nullable: false });
        self
    }

    fn writes(mut self, arg: usize, extent: Extent) -> Model {
        self.effect.writes.push(Area { arg, extent, nullable: false });
        self
    }

    fn writes_unless_null(mut self, arg: usize, extent: Extent) -> Model {
        self.effect.writes.push(Area { arg, extent, nullable: true });
        self
    }

    fn gives(mut self, result: ResultOf) -> Model {
        self.effect.result = result;
        self
    }

    fn allocates(mut self) -> Model {
        self.effect.allocates = true;
        self
    }

    fn frees(mut self, arg: usize) -> Model {
        self.effect.frees = Some(arg);
        self
    }

    fn ends(mut self) -> Model {
        self.effect.ends_program = true;
        self.no_return = true;
        self
    }

    fn format(mut self, arg: usize) -> Model {
        self.effect.format = Some(arg);
        self.reads(arg, Extent::Nul)
    }

    fn variadic(mut self) -> Model {
        self.variadic = true;
        self
    }
}

static TABLE: LazyLock<BTreeMap<&'static str, Model>> = LazyLock::new(|| {
    let mut table = BTreeMap::new();
    let parts = [
        alloc::models(),
        string::models(),
        stdio::models(),
        files::models(),
        input::models(),
        process::models(),
        math::models(),
    ];
    for model in parts.into_iter().flatten() {
        let name = model.name;
        let earlier = table.insert(name, model);
        debug_assert!(earlier.is_none(), "two models of {name}");
    }
    table
});

/// The model of the external function with this symbol.
pub fn lookup(name: &str) -> Option<&'static Model> {
    TABLE.get(name)
}

/// All models in the order of their names.
pub fn all() -> impl Iterator<Item = &'static Model> {
    TABLE.values()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_name_existing_pointer_parameters() {
        for model in all() {
            for area in model.effect.reads.iter().chain(&model.effect.writes) {
                assert_eq!(model.params.get(area.arg), Some(&Scalar::Ptr), "{}", model.name);
                let used: &[usize] = match &area.extent {
                    Extent::Arg(a) | Extent::NulOrArg(a) | Extent::UpToArg(a) | Extent::StringOf(a) => &[*a],
                    Extent::Product(a, b) => &[*a, *b],
                    _ => &[],
                };
                assert!(used.iter().all(|a| *a < model.params.len()), "{}", model.name);
            }
            assert!(!model.doc.is_empty(), "{}", model.name);
        }
    }

    #[test]
    fn the_common_functions_are_there() {
        for name in "malloc free realloc memcpy strcpy printf exit abort __assert_fail __VERIFIER_nondet_int \
                     __VERIFIER_nondet_pointer __VERIFIER_assume reach_error kmalloc strtol sqrt setjmp isalpha"
            .split_whitespace()
        {
            assert!(lookup(name).is_some(), "{name}");
        }
        assert!(lookup("no_such_function").is_none());
    }

    #[test]
    fn kinds_and_effects_agree_on_freeing_and_ending() {
        for model in all() {
            let frees = matches!(model.kind, ModelKind::Free | ModelKind::Realloc { .. });
            assert_eq!(frees, model.effect.frees.is_some(), "{}", model.name);
            let ends = matches!(
                model.kind,
                ModelKind::Exit { .. }
                    | ModelKind::Abort
                    | ModelKind::AssertFail { .. }
                    | ModelKind::ReachError
            );
            assert_eq!(ends, model.no_return, "{}", model.name);
        }
    }
}
