//! Compares an answer with the truth of its case.

use crate::header::{Case, Stated};
use heapproof::check::{self, Options};
use heapproof::engines::random::Budget;
use heapproof::progress::Progress;
use heapproof_engine::Environment;
use heapproof_verdict::{Answer, Verdict, Violation};
use std::path::Path;

/// What came out of one case.
#[derive(Debug, Default)]
pub struct Outcome {
    /// What contradicts the truth.
    pub wrong: Vec<String>,
    /// The case, or its functions, that are `unknown` although the truth is known.
    pub undecided: Vec<String>,
}

/// Checks a case and compares the answer with its truth.
pub fn judge(case: &Case) -> Outcome {
    let mut outcome = Outcome::default();
    match check::check(std::slice::from_ref(&case.path), &options(case), &Progress::new()) {
        Err(failure) => outcome.wrong.push(failure.to_string()),
        Ok(checked) if case.functions.is_empty() => whole(case, &checked.answer, &mut outcome),
        Ok(checked) => functions(case, &checked.answer, &mut outcome),
    }
    outcome
}

/// Budgets are counted, so that the answer is the same on every machine.
fn options(case: &Case) -> Options {
    let mut environment = Environment::usual(case.target, case.property.clone());
    for (name, formula) in &case.requires {
        environment.requires.entry(name.clone()).or_default().push(formula.clone());
    }
    let mut options = Options::new(environment);
    options.frontend.clang_args.extend(case.defines.iter().cloned());
    if case.name.starts_with("api/") {
        // For all clients.
        options.random.executions = 1_500;
        options.configurations = 700;
        "/none".clone_into(&mut options.solver);
    }
    if case.has_main {
        options.max_memory = 64 << 20;
        options.random =
            Budget { executions: 600, steps: 1_500_000, first_steps: 4_000, ..Budget::default() };
        options.configurations = 8_000;
        // What needs a solver has tests of its own; with one this takes too long.
        "/none".clone_into(&mut options.solver);
    }
    options
}

fn whole(case: &Case, answer: &Answer, outcome: &mut Outcome) {
    let not_shown_again = answer.verdict == Verdict::Unknown
        && !answer.suspicions.is_empty()
        && answer.engine == "random"
        && case.verdict != Verdict::Unknown;
    if not_shown_again {
        // An execution that did not show its error again; what a proof suspects is no contradiction.
        outcome.wrong.push(format!("not confirmed: {}", answer.reason.as_deref().unwrap_or_default()));
    }
    outcome.wrong.extend(contradiction(
        case,
        (case.verdict, &case.errors),
        answer.verdict,
        &answer.violations,
    ));
    if answer.verdict == Verdict::Unknown && case.verdict != Verdict::Unknown {
        outcome.undecided.push(case.name.clone());
    }
}

fn functions(case: &Case, answer: &Answer, outcome: &mut Outcome) {
    for function in &case.functions {
        let found = answer.functions.iter().find(|f| f.name == function.name);
        let (verdict, violations) =
            found.map_or((Verdict::Unknown, &[][..]), |f| (f.verdict, f.violations.as_slice()));
        let truth = (function.verdict, function.errors.as_slice());
        let wrong = contradiction(case, truth, verdict, violations);
        outcome.wrong.extend(wrong.map(|text| format!("{}: {text}", function.name)));
        if verdict == Verdict::Unknown && function.verdict != Verdict::Unknown {
            outcome.undecided.push(format!("{}:{}", case.name, function.name));
        }
    }
}

/// What is wrong with an answer, if anything.
fn contradiction(
    case: &Case,
    (truth, errors): (Verdict, &[Stated]),
    verdict: Verdict,
    violations: &[Violation],
) -> Option<String> {
    match (truth, verdict) {
        (_, Verdict::Unknown) | (Verdict::Safe, Verdict::Safe) => None,
        (truth, Verdict::Safe) => Some(format!("is {}, but the answer is safe", word(truth))),
        (truth, Verdict::Unsafe) => {
            // Further confirmed errors of an unsafe program contradict nothing.
            let right = violations.iter().any(|found| {
                let here = Path::new(&found.location.file).file_name() == case.path.file_name();
                here && errors.contains(&(found.class, found.location.line))
            });
            if right && truth == Verdict::Unsafe {
                return None;
            }
            Some(format!("is {}, but the answer is {}", wanted(truth, errors), shown(violations)))
        }
    }
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Safe => "safe",
        Verdict::Unsafe => "unsafe",
        Verdict::Unknown => "unknown",
    }
}

fn wanted(truth: Verdict, errors: &[Stated]) -> String {
    let errors: Vec<String> = errors.iter().map(|(class, line)| format!("{class} line {line}")).collect();
    if truth == Verdict::Unsafe { errors.join(" or ") } else { word(truth).to_owned() }
}

fn shown(violations: &[Violation]) -> String {
    let shown = violations.iter().map(|found| {
        let inputs = found.inputs.as_deref().unwrap_or_default();
        let place = &found.location;
        format!("{} at {}:{}: {} (inputs {inputs})", found.class, place.file, place.line, found.message)
    });
    shown.collect::<Vec<_>>().join("; ")
}
