//! Verification conditions: terms for memory, formulas and frames.

mod formula;
mod frame;
mod update;
mod vocabulary;

pub use formula::{Context, Formula, Lookup, Typed, global_address, is_type, link_field};
pub use frame::{Frame, FrameKind};
pub use vocabulary::{Ctype, Shown, Vocabulary, limit, unsigned, wrapped};
