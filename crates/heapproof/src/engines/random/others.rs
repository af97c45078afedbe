//! Other errors than those that are known: executions that go on after an error, as if the bad access had not been made.

use super::constants::Constants;
use super::inputs::RandomInputs;
use heapproof_confirm::vector::{Queued, Vector};
use heapproof_confirm::{Evidence, evidence_of};
use heapproof_engine::{Budget, Progress};
use heapproof_interp::{self as interp, Options, Outcome, Run, Source};
use heapproof_ir::Program;
use heapproof_verdict::{Ledger, Violation};
use std::time::Instant;

/// The most errors that are reported.
const MOST_ERRORS: usize = 40;
/// The most steps of one execution.
const MOST_STEPS: u64 = 200_000;

/// What was found.
#[derive(Debug, Default)]
pub struct Others {
    /// The errors, each with an execution that shows it.
    pub violations: Vec<Violation>,
    /// What the executions rest on.
    pub ledger: Ledger,
    /// Executions.
    pub executions: u64,
    /// Their steps.
    pub steps: u64,
}

/// Looks for errors besides the known ones: first on the way of these, then with inputs like theirs.
pub fn look(
    program: &Program,
    options: &Options,
    seed: u64,
    known: &[Violation],
    budget: &Budget,
    progress: &dyn Progress,
) -> Others {
    progress.enter("looking for other errors");
    let constants = Constants::of(program);
    let mut bases: Vec<Vec<(Source, u128)>> = Vec::new();
    for inputs in known.iter().filter_map(|violation| violation.inputs.as_deref()) {
        let values = inputs.parse::<Vector>().map(|vector| vector.values).unwrap_or_default();
        if !bases.contains(&values) {
            bases.push(values);
        }
    }
    let options = Options {
        go_on: true,
        max_steps: options.max_steps.min(MOST_STEPS),
        deadline: budget.deadline,
        record_path: false,
        ..options.clone()
    };
    let mut others = Others::default();
    let may_go_on = |others: &Others| {
        others.executions < budget.executions
            && others.steps < budget.steps
            && others.violations.len() < MOST_ERRORS
            && budget.deadline.is_none_or(|deadline| Instant::now() < deadline)
    };
    let mut number = 0;
    while may_go_on(&others) {
        let run = match bases.get(number) {
            Some(values) => {
                let vector = Vector { values: values.clone() };
                interp::run(program, &options, &mut Queued::new(&vector))
            }
            None => {
                let mut inputs = RandomInputs::new(seed, number as u64, &constants);
                if number % 2 == 1 && !bases.is_empty() {
                    let index = inputs.rng().usize(..bases.len());
                    inputs = inputs.based_on(&bases[index]);
                }
                interp::run(program, &options, &mut inputs)
            }
        };
        number += 1;
        others.executions += 1;
        others.steps += run.steps;
        progress.executed(run.steps);
        let is_alone = run.inputs.is_empty();
        take(program, &options, &run, known, &mut others, progress);
        // It is the same every time.
        if is_alone && number > bases.len() {
            break;
        }
    }
    others
}

/// Confirms what a run shows and nobody knows.
fn take(
    program: &Program,
    options: &Options,
    run: &Run,
    known: &[Violation],
    others: &mut Others,
    progress: &dyn Progress,
) {
    let Outcome::Violation(first) = &run.outcome else { return };
    for (index, violation) in std::iter::once(&**first).chain(&run.further).enumerate() {
        let is_like = |other: &Violation| {
            other.class == violation.class
                && (&other.location.file, other.location.line)
                    == (&violation.location.file, violation.location.line)
        };
        if known.iter().chain(&others.violations).any(is_like) {
            continue;
        }
        let options = Options { go_on: index > 0, ..options.clone() };
        let found = evidence_of(program, &options, run, violation, options.deadline, progress);
        let Some(Evidence { violations, ledger, executions, steps }) = found else { continue };
        others.executions += executions;
        others.steps += steps;
        others.ledger.absorb(ledger);
        others.violations.extend(violations.into_iter().filter(|v| is_like(v)).take(1));
    }
}
