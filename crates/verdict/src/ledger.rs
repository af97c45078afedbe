//! The assumption ledger: what an answer rests on, for people and for programs.

use crate::evidence::Location;
use serde::{Deserialize, Serialize};

/// Something that stands in the way of `safe` unless the user accepted it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Assumption {
    /// What kind of thing.
    pub kind: AssumptionKind,
    /// The function, option, file or construct concerned.
    pub subject: String,
    /// Where, if at one place.
    pub location: Option<Location>,
    /// The user said that it is fine; it no longer blocks.
    pub accepted: bool,
}

/// Kinds of assumptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AssumptionKind {
    /// A call of an external function without a model.
    ExternalFunction,
    /// A limit on steps, depth, time or memory that was reached.
    Bound,
    /// Inline assembly.
    InlineAssembly,
    /// A construct that the engine does not cover.
    Unsupported,
    /// A source file that was not analysed.
    FileNotAnalysed,
    /// Addresses were computed in a way that loses track of the object.
    ProvenanceLost,
    /// An option by which the user accepted something.
    Option,
}

/// Something that informs and blocks nothing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Note {
    /// What kind of thing.
    pub kind: NoteKind,
    /// In words.
    pub text: String,
}

/// Kinds of notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoteKind {
    /// A model of a library function was used.
    Model,
    /// A convention of the machine model.
    Machine,
    /// The data model.
    Target,
    /// Code that was never reached.
    Unreached,
}

/// All that an answer rests on. Sorted and without repetition, so equal runs give equal ledgers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ledger {
    /// What blocks `safe`.
    pub assumptions: Vec<Assumption>,
    /// What informs.
    pub notes: Vec<Note>,
}

impl Ledger {
    /// Adds an assumption once.
    pub fn assume(&mut self, assumption: Assumption) {
        if let Err(place) = self.assumptions.binary_search(&assumption) {
            self.assumptions.insert(place, assumption);
        }
    }

    /// Adds a note once.
    pub fn note(&mut self, kind: NoteKind, text: impl Into<String>) {
        let note = Note { kind, text: text.into() };
        if let Err(place) = self.notes.binary_search(&note) {
            self.notes.insert(place, note);
        }
    }

    /// Takes over all of another ledger.
    pub fn absorb(&mut self, other: Ledger) {
        other.assumptions.into_iter().for_each(|a| self.assume(a));
        other.notes.into_iter().for_each(|n| self.note(n.kind, n.text));
    }

    /// The assumptions that nobody accepted: with any of these `safe` cannot be said.
    pub fn blocking(&self) -> impl Iterator<Item = &Assumption> {
        self.assumptions.iter().filter(|a| !a.accepted)
    }
}
