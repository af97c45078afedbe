//! The way to an error in the words of its source.
//!
//! Engines say where a branch is and where the execution goes on. Here the source says what that means: which way the condition
//! went, that a loop goes round, which case was taken.

mod outline;
mod tokens;

use heapproof_verdict::{Answer, PathStep, Place, StepKind, Violation};
use outline::Told;
use std::collections::{BTreeSet, HashMap};
use tokens::Tokens;

/// Larger files are not looked at.
const MOST_BYTES: u64 = 8 << 20;

/// Puts the steps of all violations and suspicions into words. Only the given files are read, if there is a list: a program
/// can name others with `#line`.
pub fn in_words(answer: &Answer, sources: Option<&BTreeSet<String>>) -> Answer {
    let mut story = Story { sources, files: HashMap::new() };
    let mut answer = answer.clone();
    let functions = answer.functions.iter_mut();
    let more = functions.flat_map(|function| function.violations.iter_mut().chain(&mut function.suspicions));
    let found = answer.violations.iter_mut().chain(&mut answer.suspicions).chain(more);
    found.for_each(|violation| story.tell(violation));
    answer
}

/// The same for one violation.
pub fn violation_in_words(violation: &Violation, sources: Option<&BTreeSet<String>>) -> Violation {
    let mut violation = violation.clone();
    Story { sources, files: HashMap::new() }.tell(&mut violation);
    violation
}

/// The files that were looked at.
#[derive(Debug, Default)]
struct Story<'a> {
    /// The files that may be read; all if there is no such list.
    sources: Option<&'a BTreeSet<String>>,
    files: HashMap<String, Option<Tokens>>,
}

impl Story<'_> {
    /// Puts the steps of one violation into words; what says nothing is dropped.
    fn tell(&mut self, violation: &mut Violation) {
        violation.path.retain_mut(|step| self.step(step));
    }

    /// True if the step says something.
    fn step(&mut self, step: &mut PathStep) -> bool {
        let said = self.branch(step);
        if step.times > 1 && said && !says_how_often(step) {
            step.message.push_str(&format!(" ({} times)", step.times));
        }
        said
    }

    fn branch(&mut self, step: &mut PathStep) -> bool {
        let (Some(fork), StepKind::Branch) = (&step.fork, step.kind) else { return true };
        let at = Place { line: step.location.line, column: step.location.column };
        let file = &step.location.file;
        if self.sources.is_some_and(|sources| !sources.contains(file)) {
            return true;
        }
        let tokens = self.files.entry(file.clone()).or_insert_with(|| read(file));
        let Some(tokens) = tokens else { return true };
        match outline::tell(tokens, at, fork) {
            Some(Told::Part) => return false,
            Some(told) => {
                if matches!(told, Told::Loop { again: true, .. }) {
                    step.kind = StepKind::Loop;
                }
                step.message = words(&told, step.times);
            }
            // A branch inside of a macro that stays on its line says nothing.
            None => match fork.goes_on {
                Some(place) if place.line != at.line => {
                    if let Some(text) = macro_call(tokens, at) {
                        step.message = format!("`{text}` goes on at line {}", place.line);
                    }
                }
                _ => return false,
            },
        }
        true
    }
}

/// The words hold the number already.
fn says_how_often(step: &PathStep) -> bool {
    step.kind == StepKind::Loop || step.kind == StepKind::Input && step.message.contains(", ")
}

fn words(told: &Told, times: u64) -> String {
    match told {
        Told::If { head, holds, because } => {
            let because = match because {
                Some((operand, holds)) => format!(", as `{operand}` is {holds}"),
                None => String::new(),
            };
            format!("taking the {holds} branch of `{head}`{because}")
        }
        Told::Loop { head, again: true } => match times {
            1 => format!("the loop `{head}` goes round"),
            _ => format!("the loop `{head}` goes round {times} times"),
        },
        Told::Loop { head, again: false } => format!("the loop `{head}` ends"),
        Told::Switch { head, label: Some(label) } => format!("`{head}` goes to `{label}`"),
        Told::Switch { head, label: None } => format!("`{head}` has no case for the value"),
        Told::Operand { text, holds } => format!("`{text}` is {holds}"),
        Told::Assert { text } => format!("`{text}` holds"),
        Told::Part => String::new(),
    }
}

/// The name and the arguments at a place, if there is a call.
fn macro_call(tokens: &Tokens, at: Place) -> Option<String> {
    let name = tokens.at(at)?;
    let close = if tokens.get(name + 1) == "(" { tokens.partner(name + 1)? } else { return None };
    Some(tokens.quote(name..close + 1)).filter(|text| text.len() <= 60)
}

/// A regular file of text.
fn read(file: &str) -> Option<Tokens> {
    // A directory, a pipe or a device is not read: it may never end.
    let about = std::fs::metadata(file).ok()?;
    if !about.is_file() || about.len() > MOST_BYTES {
        return None;
    }
    Some(Tokens::new(&std::fs::read(file).ok()?))
}

#[cfg(test)]
mod tests;
