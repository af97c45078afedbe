//! Makes the inputs of a failing execution short and simple, keeping the error.

use crate::vector::{Queued, Vector};
use heapproof_engine::Progress;
use heapproof_interp::{self as interp, InputRecord, Options, Outcome, Run, Source, Stop};
use heapproof_ir::{Program, sign_extend};
use heapproof_verdict::{ErrorClass, Ledger, Location, Violation};
use std::time::Instant;

/// The most executions spent on it.
const MOST_EXECUTIONS: u64 = 1_000;
/// The most inputs that one round of a loop is taken to read.
const LONGEST_ROUND: usize = 8;
/// The most steps spent on it.
const MOST_STEPS: u64 = 20_000_000;

/// What must stay the same.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Target {
    /// All errors of an execution, oldest first.
    All(Vec<(ErrorClass, Location)>),
    /// One of them, whatever others there are.
    One(ErrorClass, Location),
}

/// The errors of a run, oldest first.
fn errors(run: &Run) -> impl Iterator<Item = &Violation> {
    let first = match &run.outcome {
        Outcome::Violation(first) => Some(&**first),
        _ => None,
    };
    first.into_iter().chain(first.into_iter().flat_map(|_| &run.further))
}

impl Target {
    /// The errors of a run, if it has any.
    fn of(run: &Run) -> Option<Self> {
        let all: Vec<_> = errors(run).map(|v| (v.class, v.location.clone())).collect();
        (!all.is_empty()).then_some(Target::All(all))
    }

    /// True if a run shows it.
    fn shows(&self, run: &Run) -> bool {
        match self {
            Target::All(_) => Target::of(run).as_ref() == Some(self),
            Target::One(class, location) => errors(run).any(|v| v.class == *class && v.location == *location),
        }
    }
}

/// Runs with given values; every run counts.
struct Replayer<'a> {
    /// The program.
    program: &'a Program,
    /// How to run.
    options: Options,
    /// When to give up.
    deadline: Option<Instant>,
    /// Where executions are counted.
    progress: &'a dyn Progress,
    /// Executions so far.
    executions: u64,
    /// Their steps.
    steps: u64,
}

impl Replayer<'_> {
    /// One run with these values.
    fn replay(&mut self, values: Vec<(Source, u128)>) -> Run {
        let run = interp::run(self.program, &self.options, &mut Queued::new(&Vector { values }));
        self.executions += 1;
        self.steps += run.steps;
        self.progress.executed(run.steps);
        run
    }

    fn may_go_on(&self) -> bool {
        self.executions < MOST_EXECUTIONS
            && self.steps < MOST_STEPS
            && self.deadline.is_none_or(|deadline| Instant::now() < deadline)
    }

    /// The records of a run with these values, if it has the same error.
    fn attempt(&mut self, values: Vec<(Source, u128)>, target: &Target) -> Option<Vec<InputRecord>> {
        let run = self.replay(values);
        target.shows(&run).then_some(run.inputs)
    }

    /// The simplest inputs found that lead to the target, beginning with `records`, which do.
    fn minimise(&mut self, mut records: Vec<InputRecord>, target: &Target) -> Vec<InputRecord> {
        while self.may_go_on() {
            let before = weight(&records);
            self.remove_parts(&mut records, target);
            self.simplify_values(&mut records, target);
            if weight(&records) >= before {
                break;
            }
        }
        records
    }

    /// Leaves out halves, quarters, … from the end, then every short part: what one round of a loop read.
    fn remove_parts(&mut self, records: &mut Vec<InputRecord>, target: &Target) {
        let mut size = records.len();
        while size > 0 {
            let stride = if size <= LONGEST_ROUND { 1 } else { size };
            let mut end = records.len();
            while end > 0 && self.may_go_on() {
                let start = end.saturating_sub(size);
                let mut values = Vector::of_records(records).values;
                values.drain(start..end);
                match self.attempt(values, target) {
                    Some(fewer) if weight(&fewer) < weight(records) => {
                        *records = fewer;
                        end = start.min(records.len());
                    }
                    _ => end = end.saturating_sub(stride),
                }
            }
            size = if size <= LONGEST_ROUND { size - 1 } else { (size / 2).max(LONGEST_ROUND) };
        }
    }

    /// Replaces single values by simpler ones.
    fn simplify_values(&mut self, records: &mut Vec<InputRecord>, target: &Target) {
        let mut index = 0;
        while index < records.len() {
            for simpler in simpler(&records[index]) {
                if !self.may_go_on() {
                    return;
                }
                let mut values = Vector::of_records(records).values;
                values[index].1 = simpler;
                if let Some(better) = self.attempt(values, target)
                    && weight(&better) < weight(records)
                {
                    *records = better;
                    break;
                }
            }
            index += 1;
        }
    }
}

/// Simpler values to try, the simplest first.
fn simpler(record: &InputRecord) -> Vec<u128> {
    let value = number(record);
    let mut candidates = vec![0, 1, -1, 2, 10];
    candidates.extend((1..7).map(|shift| value / (1 << shift)));
    candidates.extend([value.wrapping_sub(value.signum())]);
    let cost = complexity(value);
    let mut seen = std::collections::BTreeSet::new();
    candidates.retain(|c| complexity(*c) < cost && seen.insert(*c));
    candidates.into_iter().map(|c| c as u128).collect()
}

fn number(record: &InputRecord) -> i128 {
    if record.signed { sign_extend(record.value, record.width.clamp(1, 128)) } else { record.value as i128 }
}

/// 0 is simpler than 1, small is simpler than large, positive is simpler than negative.
fn complexity(value: i128) -> u128 {
    value.unsigned_abs().saturating_mul(2).saturating_add(u128::from(value < 0))
}

/// Fewer inputs first, then simpler ones.
fn weight(records: &[InputRecord]) -> (usize, u128) {
    let by_itself = |r: &InputRecord| {
        r.value == crate::vector::default_value(r.source, r.width) && r.source == Source::Uninitialised
    };
    let counted: Vec<_> = records.iter().filter(|r| !by_itself(r)).collect();
    let sum = counted.iter().fold(0u128, |sum, r| sum.saturating_add(complexity(number(r))));
    (counted.len(), sum)
}

/// A confirmed error.
pub struct Evidence {
    /// What the execution shows, oldest first.
    pub violations: Vec<Violation>,
    /// What the execution rests on.
    pub ledger: Ledger,
    /// Executions that were needed.
    pub executions: u64,
    /// Their steps.
    pub steps: u64,
}

/// Replays the inputs of a run that failed, makes them simple, and runs once more with the path recorded. None if the
/// error does not show again.
pub fn evidence(
    program: &Program,
    options: &Options,
    run: &Run,
    deadline: Option<Instant>,
    progress: &dyn Progress,
) -> Option<Evidence> {
    show(program, options, run, Target::of(run)?, deadline, progress)
}

/// The same for one of the errors of a run, with an execution that has to show no other.
pub fn evidence_of(
    program: &Program,
    options: &Options,
    run: &Run,
    wanted: &Violation,
    deadline: Option<Instant>,
    progress: &dyn Progress,
) -> Option<Evidence> {
    let target = Target::One(wanted.class, wanted.location.clone());
    show(program, options, run, target, deadline, progress)
}

fn show(
    program: &Program,
    options: &Options,
    run: &Run,
    target: Target,
    deadline: Option<Instant>,
    progress: &dyn Progress,
) -> Option<Evidence> {
    let options = Options { record_path: false, ..options.clone() };
    let mut replayer = Replayer { program, options, deadline, progress, executions: 0, steps: 0 };
    let again = replayer.replay(Vector::of_records(&run.inputs).values);
    if !target.shows(&again) {
        return None;
    }
    let records = replayer.minimise(again.inputs.clone(), &target);
    replayer.options.record_path = true;
    let last = replayer.replay(Vector::of_records(&records).values);
    let shown = match target.shows(&last) {
        true => last,
        // No time is left for the path; the error has shown again before.
        false if matches!(last.outcome, Outcome::Stopped { why: Stop::Deadline, .. }) => again,
        false => return None,
    };
    Some(Evidence {
        violations: violations(&shown),
        ledger: shown.ledger,
        executions: replayer.executions,
        steps: replayer.steps,
    })
}

/// The violations of a run, oldest first, with its inputs filled in.
pub fn violations(run: &Run) -> Vec<Violation> {
    let Outcome::Violation(first) = &run.outcome else { return Vec::new() };
    let inputs = Some(crate::vector::show(&run.inputs));
    let all = std::iter::once(&**first).chain(&run.further);
    all.map(|violation| Violation { inputs: inputs.clone(), ..violation.clone() }).collect()
}
