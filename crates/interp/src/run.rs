//! A run as a whole: from the start to the answer.

use crate::api::{Inputs, Options, Outcome, Run, Stop};
use crate::fault::Fault;
use crate::leaks::{self, LeakSearch};
use crate::machine::{Halt, Machine};
use heapproof_ir::Program;
use heapproof_verdict::{ErrorClass, Property};

/// The status of a program that a signal of `abort` ended.
const ABORTED: i32 = 134;

pub(crate) fn run(program: &Program, options: &Options, inputs: &mut dyn Inputs) -> Run {
    let mut machine = Machine::new(program, options, inputs);
    let halt = machine.start();
    let outcome = conclude(&mut machine, *halt);
    Run {
        outcome,
        stdout: machine.stdout,
        stderr: machine.stderr,
        steps: machine.steps,
        inputs: machine.records,
        ledger: machine.ledger,
    }
}

fn conclude(machine: &mut Machine<'_, '_>, halt: Halt) -> Outcome {
    let no_execution = matches!(halt, Halt::Stop(Stop::Infeasible));
    if machine.options.properties.has(Property::ValidMemtrack) && !no_execution {
        let lost = machine.unreachable();
        if !lost.is_empty() {
            return match leaks::find(machine, &lost) {
                LeakSearch::Found(violation) => Outcome::Violation(violation),
                LeakSearch::OutOfTime => stopped(machine, Stop::Deadline),
            };
        }
    }
    match halt {
        Halt::Exit { code, aborted } => {
            if !aborted
                && machine.options.properties.has(Property::MemCleanup)
                && let Some(fault) = machine.left_over()
            {
                return Outcome::Violation(Box::new(machine.violation(&fault)));
            }
            Outcome::Finished { exit_code: code, aborted }
        }
        Halt::Fault(fault) => judge(machine, &fault),
        Halt::Stop(stop) => stopped(machine, stop),
        Halt::Probed => unreachable!("only replays have probes"),
    }
}

fn judge(machine: &Machine<'_, '_>, fault: &Fault) -> Outcome {
    if machine.options.properties.has(fault.property) {
        return Outcome::Violation(Box::new(machine.violation(fault)));
    }
    if fault.class == ErrorClass::AssertionFailure {
        return Outcome::Finished { exit_code: ABORTED, aborted: true };
    }
    stopped(machine, Stop::OtherError(format!("{}: {}", fault.class, fault.message)))
}

fn stopped(machine: &Machine<'_, '_>, why: Stop) -> Outcome {
    let (at, func) = machine.nearest();
    let function = machine.program.functions.get(func).map_or_else(String::new, |f| f.name.clone());
    Outcome::Stopped { why, at, function }
}
