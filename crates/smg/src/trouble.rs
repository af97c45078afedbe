//! What keeps an analysis from saying `safe`.

use heapproof_ir::{FuncId, Span};
use heapproof_verdict::ErrorClass;

/// Something that keeps the analysis from saying `safe`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// What.
    pub kind: TroubleKind,
    /// In words.
    pub message: String,
    /// Where.
    pub span: Span,
    /// In which function.
    pub func: FuncId,
}

/// Kinds of trouble.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TroubleKind {
    /// The program may have an error of this class.
    Suspicion(ErrorClass),
    /// The analysis does not cover something.
    NotCovered,
    /// A limit was reached.
    Limit,
}
