//! What an answer is: properties, violations, verdicts, evidence and the assumption ledger.
//!
//! Plain data without input or output. Every engine answers in these terms and every report is written from them.

mod class;
mod evidence;
mod fold;
mod ledger;
mod proof;
mod property;

pub use class::ErrorClass;
pub use evidence::{
    Answer, Fork, FunctionAnswer, Location, PathStep, Place, StepKind, Verdict, Violation, unfold,
};
pub use fold::{Foldable, Folded, fold_tail};
pub use ledger::{Assumption, AssumptionKind, Ledger, Note, NoteKind};
pub use proof::{Obstacle, Proof, left_open};
pub use property::{ParsePropertyError, Property, PropertySet, parse_prp};
