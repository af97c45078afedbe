//! Verification conditions: terms for memory, formulas and frames.

mod axioms;
mod formula;
mod frame;
mod heap;
mod induction;
mod known;
mod words;

pub use formula::{Formula, Mode, Part, Variables, View};
pub use frame::{Frame, FrameKind};
pub use heap::{Change, Content, Heap, Step};
pub use words::{LARGEST, Pointer, Words, is_sum, limit, unsigned, wrapped};
