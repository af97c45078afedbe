//! What keeps an analysis from saying `safe`.

use crate::graph::State;
use heapproof_explore::Exhausted;
use heapproof_ir::{BlockId, FuncId, Span};
use heapproof_verdict::ErrorClass;

/// Something that keeps the analysis from saying `safe`.
#[derive(Clone, Debug)]
pub struct Trouble {
    /// What.
    pub kind: TroubleKind,
    /// In words.
    pub message: String,
    /// Where.
    pub span: Span,
    /// In which function.
    pub func: FuncId,
    /// The blocks that lead there.
    pub path: Vec<(FuncId, BlockId)>,
    pub(crate) fork: Option<Box<Fork>>,
}

/// An error that may or may not happen.
#[derive(Clone, Debug)]
pub(crate) struct Fork {
    /// It does not; none if it surely happens, or if that is not known.
    pub fine: Vec<State>,
}

impl Trouble {
    /// Trouble at a position.
    pub(crate) fn new(kind: TroubleKind, message: impl Into<String>, span: Span, func: FuncId) -> Trouble {
        Trouble { kind, message: message.into(), span, func, path: Vec::new(), fork: None }
    }

    /// True if both tell of the same.
    pub(crate) fn is_like(&self, other: &Trouble) -> bool {
        self.kind == other.kind && self.span == other.span && self.func == other.func
    }
}

impl From<Exhausted> for Trouble {
    fn from(why: Exhausted) -> Trouble {
        let message = match why {
            Exhausted::Time => "the time limit was reached",
            Exhausted::States(_) => "there are too many configurations",
            Exhausted::Cancelled => "it was not finished",
        };
        Trouble::new(TroubleKind::Limit(why), message, Span::NONE, FuncId::from_u32(0))
    }
}

/// Kinds of trouble.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TroubleKind {
    /// The program may have an error of this class.
    Suspicion(ErrorClass),
    /// The analysis does not cover something.
    NotCovered,
    /// A function is external and has no model.
    External(FuncId),
    /// A limit was reached.
    Limit(Exhausted),
}
