//! Violations with their paths, and the answer as a whole.

use crate::class::ErrorClass;
use crate::fold::{Foldable, Folded};
use crate::ledger::{Assumption, Ledger};
use crate::proof::{Obstacle, Proof};
use crate::property::{Property, PropertySet};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Location {
    /// The path of the file.
    pub file: String,
    /// The line, from 1; 0 if unknown.
    pub line: u32,
    /// The column, from 1; 0 if unknown.
    pub column: u32,
    /// The function.
    pub function: String,
}

/// What a step of a path tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepKind {
    /// The object concerned came into being here.
    Allocated,
    /// The object concerned was freed here.
    Freed,
    /// The object concerned went out of scope here.
    ScopeEnded,
    /// The object concerned is declared here.
    Declared,
    /// An input was read.
    Input,
    /// A branch was taken.
    Branch,
    /// A loop went round.
    Loop,
    /// A function was called.
    Call,
    /// Anything else worth knowing.
    Note,
}

/// One step on the way to a violation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathStep {
    /// What it tells.
    pub kind: StepKind,
    /// Where.
    #[serde(flatten)]
    pub location: Location,
    /// In words.
    pub message: String,
    /// Where a branch went on, from which the words are found in the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fork: Option<Fork>,
    /// How often it happened in a row of equal rounds.
    #[serde(default = "once", skip_serializing_if = "is_once")]
    pub times: u64,
}

impl PathStep {
    /// A step that happened once and is no branch.
    pub fn new(kind: StepKind, location: Location, message: impl Into<String>) -> Self {
        PathStep { kind, location, message: message.into(), fork: None, times: 1 }
    }

    /// A branch. The words here serve where the source cannot be read.
    pub fn branch(location: Location, fork: Fork) -> Self {
        let message = match fork.goes_on {
            Some(place) => format!("goes on at line {}", place.line),
            None => "a branch is taken".to_owned(),
        };
        PathStep { kind: StepKind::Branch, location, message, fork: Some(fork), times: 1 }
    }
}

/// Steps one after the other. Equal rounds of a loop become the steps of one round with the number of times; where a round
/// goes through the same place in several ways, a note after it says how often.
pub fn unfold(items: Vec<Folded<PathStep>>) -> Vec<PathStep> {
    let mut steps = Vec::new();
    items.into_iter().for_each(|item| unfold_into(item, &mut steps));
    steps
}

fn unfold_into(item: Folded<PathStep>, steps: &mut Vec<PathStep>) {
    match item {
        Folded::One(step) => steps.push(step),
        Folded::Rounds { items, times } => {
            let first = steps.len();
            items.into_iter().for_each(|item| unfold_into(item, steps));
            let round = &mut steps[first..];
            let in_turn = round.iter().enumerate().any(|(index, step)| {
                round[..index]
                    .iter()
                    .any(|before| before.location == step.location && before.kind == step.kind)
            });
            if !in_turn {
                round.iter_mut().for_each(|step| step.times *= times);
            } else if let Some(last) = round.last() {
                let words = format!("… and so on, {times} times in all");
                let note = PathStep::new(StepKind::Note, last.location.clone(), words);
                steps.push(note);
            }
        }
    }
}

impl Foldable for PathStep {
    fn is_like(&self, other: &Self) -> bool {
        (&self.location, self.kind, &self.fork) == (&other.location, other.kind, &other.fork)
    }

    fn absorb(&mut self, later: Self) {
        if self.message != later.message {
            self.message = later.message;
        }
    }
}

fn once() -> u64 {
    1
}

fn is_once(times: &u64) -> bool {
    *times == 1
}

/// The two or more ways that lead on from a branch, as places in its file.
///
/// The compiler turns conditions round, so the truth of what it branches on says little to the author of the source;
/// the place where the execution goes on says which way the written condition went.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fork {
    /// The first place after the branch; none if it is not known or in another file.
    pub goes_on: Option<Place>,
    /// The first places on the ways that were not taken.
    pub instead: Vec<Place>,
}

/// A place in a file that is known from elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; 0 if unknown.
    pub column: u32,
}

/// An error of the program under analysis.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Violation {
    /// Its class.
    pub class: ErrorClass,
    /// The number in the Common Weakness Enumeration.
    pub cwe: Option<u32>,
    /// The elementary property that it violates.
    pub property: Property,
    /// Where.
    #[serde(flatten)]
    pub location: Location,
    /// In one sentence, for the author of the line.
    pub message: String,
    /// How the execution got there, oldest step first.
    pub path: Vec<PathStep>,
    /// The inputs with which the error was replayed, in the syntax of `run --input`; none if it was not confirmed.
    pub inputs: Option<String>,
    /// The execution passed over an earlier error to get there, as if that access had not been made.
    #[serde(default, skip_serializing_if = "is_no")]
    pub later: bool,
}

fn is_no(flag: &bool) -> bool {
    !flag
}

/// The answer to "does the program have the property?"
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// No execution allowed by the stated assumptions violates the property.
    Safe,
    /// A concrete execution violates it; it was confirmed by replay.
    Unsafe,
    /// Not decided.
    Unknown,
}

/// The verdict of one function, with all that belongs to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionAnswer {
    /// The function.
    pub name: String,
    /// The file that it is defined in.
    pub file: String,
    /// The line of its definition.
    pub line: u32,
    /// The verdict.
    pub verdict: Verdict,
    /// The confirmed violations of an `unsafe`.
    pub violations: Vec<Violation>,
    /// Errors that are suspected and could not be confirmed.
    pub suspicions: Vec<Violation>,
    /// Why it is not decided.
    pub reason: Option<String>,
    /// What the verdict rests on.
    pub assumptions: Vec<Assumption>,
    /// What would have to be required of callers to exclude the violations, or what is required.
    pub requires: Vec<String>,
    /// The state from which the function runs into its first violation, for people.
    pub state: Option<String>,
    /// Wall-clock time in milliseconds.
    pub elapsed_ms: u64,
}

impl Verdict {
    /// The verdict about all functions together: `unsafe` if one is, else `unknown` if one is; none about no function.
    pub fn of_all<'a>(functions: impl IntoIterator<Item = &'a FunctionAnswer>) -> Option<Verdict> {
        functions.into_iter().map(|function| function.verdict).reduce(|a, b| match (a, b) {
            (Verdict::Unsafe, _) | (_, Verdict::Unsafe) => Verdict::Unsafe,
            (Verdict::Unknown, _) | (_, Verdict::Unknown) => Verdict::Unknown,
            _ => Verdict::Safe,
        })
    }
}

/// A verdict with all that belongs to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The verdict.
    pub verdict: Verdict,
    /// What was asked.
    pub property: PropertySet,
    /// The engine that decided, or that was run last.
    pub engine: String,
    /// The confirmed violations of an `unsafe`, in the order in which they were found.
    pub violations: Vec<Violation>,
    /// Blocks that are lost because `main` returns, where that is no error.
    #[serde(default)]
    pub leaks_at_exit: Vec<Violation>,
    /// Errors that an engine suspects and could not confirm.
    pub suspicions: Vec<Violation>,
    /// Why it is not decided, in words that a person can act on.
    pub reason: Option<String>,
    /// The same as data, the most important first.
    pub obstacles: Vec<Obstacle>,
    /// What was proved, by whom, and what the proofs take for granted.
    pub proofs: Vec<Proof>,
    /// Verdicts of functions, where functions were looked at one by one.
    pub functions: Vec<FunctionAnswer>,
    /// What the answer rests on.
    pub ledger: Ledger,
    /// Counts of what was done, by name.
    pub statistics: BTreeMap<String, u64>,
    /// Wall-clock time in milliseconds; the only part of an answer that differs between equal runs.
    pub elapsed_ms: u64,
}

impl Answer {
    /// Nothing decided and nothing known yet.
    pub fn undecided(property: PropertySet, engine: impl Into<String>) -> Self {
        Answer {
            verdict: Verdict::Unknown,
            property,
            engine: engine.into(),
            violations: Vec::new(),
            leaks_at_exit: Vec::new(),
            suspicions: Vec::new(),
            reason: None,
            obstacles: Vec::new(),
            proofs: Vec::new(),
            functions: Vec::new(),
            ledger: Ledger::default(),
            statistics: BTreeMap::new(),
            elapsed_ms: 0,
        }
    }
}
