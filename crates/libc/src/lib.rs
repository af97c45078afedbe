//! Models of external functions: one table used by every engine and by the interpreter.
//!
//! A [`Model`] states the prototype of a function, its effect on memory ([`Effect`]), and what it is ([`ModelKind`]). The
//! effect is the meaning: [`apply`] carries it out on whatever implements [`Memory`]. The kind refines it, for engines that can
//! say more than the effect does. A definition in the program beats a model of the same name: callers look for a body first.

mod alloc;
mod answers;
mod apply;
mod bodies;
mod effect;
mod errno;
mod files;
mod format;
mod formatted;
mod input;
mod jump;
mod kept;
mod kind;
mod link;
mod locale;
mod math;
mod memory;
mod options;
mod parts;
mod process;
mod readers;
mod special;
mod stdio;
mod string;
mod system;
mod time;

pub use answers::{AnswerObjects, Outside, SLOT, compares_addresses, constant_text};
pub use apply::apply;
pub use bodies::has_no_positions;
pub use effect::{
    Amount, Answers, Area, Content, Demand, Effect, Extent, Failure, Field, Legal, LibraryObject, Passing,
    ResultOf, StreamArg, StreamKind, StreamUse, Transfer,
};
pub use errno::{EDOM, EINVAL, ERANGE};
pub use format::{Conversion, Length, Number, Piece, Scan, ScanPiece, Taken, print_pieces, scan_pieces};
pub use formatted::stored;
pub use jump::{Jump, JumpBuffer, jump};
pub use kept::LOG_NAME;
pub use kind::{
    CharClass, CompareCase, CopyResult, Fallible, FindFrom, MathFunction, ModelKind, PrintSink, ScanSource,
    SizeArg, SpanKind,
};
pub use link::{STANDARD_STREAMS, defines, link};
pub use locale::{NUMBERS as LOCALE_OF_NUMBERS, STATE as LOCALE};
pub use memory::{Access, CharSet, Memory, Place, Written};
pub use process::INDEX_OUT_OF_BOUNDS;
pub use time::BROKEN_DOWN;

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

    /// A function that is no more than its effect.
    fn effect(name: &'static str, result: Scalar, params: &[Scalar], doc: &'static str) -> Model {
        Model::new(name, ModelKind::Effect, result, params, doc)
    }

    fn reads(mut self, arg: usize, extent: Extent) -> Model {
        self.effect.reads.push(Area { arg, extent, nullable: false, content: Content::Any });
        self
    }

    fn reads_unless_null(mut self, arg: usize, extent: Extent) -> Model {
        self.effect.reads.push(Area { arg, extent, nullable: true, content: Content::Any });
        self
    }

    fn writes(self, arg: usize, extent: Extent) -> Model {
        self.fills(arg, extent, Content::Any)
    }

    fn writes_unless_null(self, arg: usize, extent: Extent) -> Model {
        self.fills_unless_null(arg, extent, Content::Any)
    }

    fn fills(mut self, arg: usize, extent: Extent, content: Content) -> Model {
        self.effect.writes.push(Area { arg, extent, nullable: false, content });
        self
    }

    fn fills_unless_null(mut self, arg: usize, extent: Extent, content: Content) -> Model {
        self.effect.writes.push(Area { arg, extent, nullable: true, content });
        self
    }

    fn stores(mut self, to: usize, amount: Amount) -> Model {
        self.effect.transfer = Some(Transfer { to, amount });
        self
    }

    /// The argument is a descriptor.
    fn descriptor(mut self, arg: usize) -> Model {
        self.effect.descriptors.push(arg);
        self
    }

    /// The argument is a stream that is read, written or moved.
    fn stream(self, arg: usize) -> Model {
        self.stream_for(arg, StreamUse::Moves)
    }

    fn stream_for(mut self, arg: usize, usage: StreamUse) -> Model {
        self.effect.streams.push(StreamArg { arg, usage, kind: StreamKind::File, nullable: false });
        self
    }

    /// The stream argument is a directory.
    fn directory(mut self, arg: usize, usage: StreamUse) -> Model {
        let kind = StreamKind::Directory;
        self.effect.streams.push(StreamArg { arg, usage, kind, nullable: false });
        self
    }

    fn may_give(mut self, failure: i64) -> Model {
        self.effect.failure = Failure::Gives(failure);
        self
    }

    fn or_gives(mut self, otherwise: i64) -> Model {
        self.effect.failure = Failure::OrElse(otherwise);
        self
    }

    fn answers(mut self, answers: Answers) -> Model {
        self.effect.answers = answers;
        self
    }

    fn gives(mut self, result: ResultOf) -> Model {
        self.effect.result = result;
        self
    }

    /// The argument has to be one of these numbers.
    fn needs(mut self, arg: usize, legal: Legal) -> Model {
        self.effect.demands.push(Demand { arg, legal });
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
        system::models(),
        math::models(),
        time::models(),
        bodies::models(),
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
            for demand in &model.effect.demands {
                let ty = model.params.get(demand.arg);
                assert!(matches!(ty, Some(Scalar::Int { .. } | Scalar::Word { .. })), "{}", model.name);
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
