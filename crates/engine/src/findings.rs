//! What an engine found out.

use crate::remainder::Remainder;
use crate::state::State;
use heapproof_ir::{FuncId, Program, Span};
use heapproof_verdict::{ErrorClass, FunctionAnswer, Ledger, Location, Obstacle, Proof, Property, Violation};
use std::collections::BTreeMap;

/// A place of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The function.
    pub func: FuncId,
    /// The position in the source.
    pub span: Span,
}

impl Place {
    /// The place in words of an answer.
    pub fn location(self, program: &Program) -> Location {
        Location {
            file: program.files.get(self.span.file).cloned().unwrap_or_default(),
            line: self.span.line,
            column: self.span.column,
            function: program.functions.get(self.func).map(|f| f.name.clone()).unwrap_or_default(),
        }
    }
}

/// An error that an engine takes to be possible.
#[derive(Clone, Debug)]
pub struct Suspicion {
    /// The error as it would be told.
    pub violation: Violation,
    /// Where it is in the program; none if it may be anywhere.
    pub place: Option<Place>,
    /// What may lead to it, if that is known: it is tried first.
    pub candidate: Option<Candidate>,
}

/// What may lead to an error.
#[derive(Clone, Debug)]
pub enum Candidate {
    /// Inputs of the program, in the syntax of `run --input`.
    Inputs(String),
    /// A state in which a function is started.
    State(FuncId, Box<State>),
}

impl Suspicion {
    /// An error of a class at a place.
    pub fn new(program: &Program, class: ErrorClass, place: Place, message: impl Into<String>) -> Self {
        let property = class.properties().first().copied().unwrap_or(Property::ValidDeref);
        Suspicion {
            violation: Violation {
                class,
                cwe: class.cwe(),
                property,
                location: place.location(program),
                message: message.into(),
                path: Vec::new(),
                inputs: None,
                later: false,
            },
            place: Some(place),
            candidate: None,
        }
    }
}

/// What kind of thing an engine made besides its verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ArtefactKind {
    /// What holds at a place of the program.
    Invariant,
    /// A C program that reproduces an error.
    Test,
    /// Why there is no such program.
    NoTest,
    /// The program as a formula.
    Formula,
    /// What a user may add to the program.
    Suggestion,
    /// Anything else.
    Other,
}

/// Something that an engine made for people, or for other engines: an invariant, a picture, a generated solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artefact {
    /// The engine that made it.
    pub engine: &'static str,
    /// What it is.
    pub kind: ArtefactKind,
    /// A name that can be that of a file, such as `main-line42`.
    pub name: String,
    /// As text.
    pub text: String,
    /// As Graphviz, if it can be drawn.
    pub dot: Option<String>,
}

/// All that an engine found out.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// What is proved, if anything.
    pub proof: Option<Proof>,
    /// What is left of the question, where all the rest is shown: others may show that.
    pub remainder: Option<Remainder>,
    /// Errors that may be there.
    pub suspicions: Vec<Suspicion>,
    /// Errors that executions have shown.
    pub violations: Vec<Violation>,
    /// Verdicts of functions.
    pub functions: Vec<FunctionAnswer>,
    /// Invariants, pictures and other things to look at.
    pub artefacts: Vec<Artefact>,
    /// What the findings rest on.
    pub ledger: Ledger,
    /// Counts of what was done, by name.
    pub statistics: BTreeMap<String, u64>,
    /// What stood in the way of a decision, the most important first.
    pub obstacles: Vec<Obstacle>,
}

impl Findings {
    /// True if work was left because of a limit: with a larger budget there may be more.
    pub fn is_cut(&self) -> bool {
        self.obstacles.iter().any(Obstacle::is_limit)
    }
}
