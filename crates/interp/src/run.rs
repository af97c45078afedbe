//! A run as a whole: from the start to the answer.

use crate::api::{Inputs, Options, Outcome, Run, Stop};
use crate::fault::Fault;
use crate::feedback::Feedback;
use crate::leaks;
use crate::machine::{Halt, Machine};
use crate::snapshot::Observer;
use crate::state::{Lazy, State};
use crate::value::ObjId;
use heapproof_ir::{FuncId, Program};
use heapproof_verdict::{ErrorClass, Property, Violation};

/// The status of a program that a signal of `abort` ended.
const ABORTED: i32 = 134;

/// What a run may have besides its inputs.
#[derive(Default)]
pub(crate) struct Company<'a> {
    /// Somebody who looks on.
    pub observer: Option<&'a mut dyn Observer>,
    /// What is kept for a search that learns.
    pub feedback: Option<&'a mut Feedback>,
    /// The function and the state to start from.
    pub from: Option<(FuncId, &'a State)>,
    /// Completes the state.
    pub lazy: Option<&'a mut dyn Lazy>,
}

pub(crate) fn run<'a>(
    program: &Program,
    options: &'a Options,
    inputs: &'a mut dyn Inputs,
    company: Company<'a>,
) -> Run {
    let mut machine = Machine::new(program, options, inputs);
    machine.from = company.from;
    machine.lazy = company.lazy;
    machine.observer = company.observer;
    machine.feedback = company.feedback;
    let halt = machine.start();
    let (outcome, further) = conclude(&mut machine, *halt);
    Run {
        outcome,
        further,
        stdout: machine.stdout,
        stderr: machine.stderr,
        steps: machine.steps,
        inputs: machine.records,
        choice: machine.choice,
        depth: machine.depth,
        ledger: machine.ledger,
    }
}

fn conclude(machine: &mut Machine<'_, '_>, halt: Halt) -> (Outcome, Vec<Violation>) {
    let passed = std::mem::take(&mut machine.passed.found);
    if !passed.is_empty() {
        // What was lost may be lost because something was left out.
        let mut passed = passed.into_iter();
        let first = passed.next().map(Box::new).expect("there is one");
        return (Outcome::Violation(first), passed.collect());
    }
    let no_execution = matches!(halt, Halt::Stop(Stop::Infeasible));
    let judged = machine.asks(Property::ValidMemtrack) && !machine.provenance_lost;
    let lost = if judged && !no_execution { machine.unreachable() } else { Vec::new() };
    let end = end_of(machine, halt, &lost);
    if lost.is_empty() {
        return (end, Vec::new());
    }
    let mut leaks = leaks::find_all(machine, &lost).into_iter();
    match (leaks.next(), end) {
        (Some(leak), Outcome::Violation(later)) => {
            (Outcome::Violation(Box::new(leak)), leaks.chain([*later]).collect())
        }
        (Some(leak), _) => (Outcome::Violation(Box::new(leak)), leaks.collect()),
        (None, end @ Outcome::Violation(_)) => (end, Vec::new()),
        (None, _) => (stopped(machine, Stop::Deadline), Vec::new()),
    }
}

/// What the end of the run is, leaks apart.
fn end_of(machine: &Machine<'_, '_>, halt: Halt, lost: &[ObjId]) -> Outcome {
    match halt {
        Halt::Exit { code, aborted } => ended(machine, code, aborted, lost),
        Halt::Fault(fault) => judge(machine, &fault, lost),
        Halt::Stop(stop) => stopped(machine, stop),
        Halt::Probed => unreachable!("only replays have probes"),
    }
}

/// The program ended: nothing may be left, if that is asked of such an end.
fn ended(machine: &Machine<'_, '_>, exit_code: i32, aborted: bool, lost: &[ObjId]) -> Outcome {
    let normal = !aborted && machine.asks(Property::MemCleanup);
    let asked = if normal { Some(Property::MemCleanup) } else { None };
    let asked =
        asked.or_else(|| machine.asks(Property::ValidMemcleanup).then_some(Property::ValidMemcleanup));
    match asked.and_then(|property| machine.left_over(property, lost)) {
        Some(fault) => Outcome::Violation(Box::new(machine.violation(&fault))),
        None => Outcome::Finished { exit_code, aborted },
    }
}

fn judge(machine: &Machine<'_, '_>, fault: &Fault, lost: &[ObjId]) -> Outcome {
    if machine.asks(fault.property) {
        return Outcome::Violation(Box::new(machine.violation(fault)));
    }
    if fault.class == ErrorClass::AssertionFailure {
        return ended(machine, ABORTED, true, lost);
    }
    stopped(machine, Stop::OtherError(format!("{}: {}", fault.class, fault.message)))
}

fn stopped(machine: &Machine<'_, '_>, why: Stop) -> Outcome {
    let (at, func) = machine.nearest();
    let function = machine.program.functions.get(func).map_or_else(String::new, |f| f.name.clone());
    Outcome::Stopped { why, at, function }
}
