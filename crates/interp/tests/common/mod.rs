//! Programs in text form, run with given inputs.

#![allow(dead_code)]

use heapproof_engine::Environment;
use heapproof_interp::{Inputs, Options, Outcome, Request, Run, Source, Stop, run};
use heapproof_ir::{Program, Target};
use heapproof_verdict::{ErrorClass, Property, PropertySet, Violation};

/// Answers calls from a list, then with 0; uninitialised bytes are 0xa5; the environment gives 0.
pub struct Given(pub Vec<u128>);

impl Inputs for Given {
    fn choose(&mut self, request: &Request) -> u128 {
        match request.source {
            Source::Call if !self.0.is_empty() => self.0.remove(0),
            Source::Uninitialised => u128::MAX / 255 * 0xa5,
            _ => 0,
        }
    }
}

pub fn options() -> Options {
    Options {
        environment: Environment::usual(Target::Lp64, PropertySet::default_of_check()),
        max_steps: 1_000_000,
        max_memory: 64 << 20,
        max_depth: 1000,
        deadline: None,
        stop_at_choice: false,
        go_on: false,
        record_path: true,
    }
}

/// A program of external functions (`"malloc(i64) -> (ptr)"`, …), other items, and functions whose bodies name the
/// external ones by `$malloc`. The first function of `functions` is `$0`, and so on.
pub fn program(externals: &[&str], items: &str, functions: &[&str]) -> Program {
    let mut text = format!("file file0 \"t.c\"\n{items}\n");
    let mut names = Vec::new();
    for (index, external) in externals.iter().enumerate() {
        let (name, rest) = external.split_once('(').expect("a prototype");
        text += &format!("func f{index} \"{name}\"({rest}\n");
        names.push((format!("${name}("), format!("f{index}(")));
    }
    let mut bodies = String::new();
    for (index, function) in functions.iter().enumerate() {
        let id = externals.len() + index;
        bodies += &format!("func f{id} {function}\n");
        names.push((format!("${index}"), format!("f{id}")));
    }
    for (name, id) in names {
        bodies = bodies.replace(&name, &id);
    }
    text += &bodies;
    text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Runs a `main` without parameters made of these instructions, one per line; the line number is the position.
pub fn run_main(externals: &[&str], items: &str, body: &str, inputs: &[u128], options: &Options) -> Run {
    let main = format!("\"main\"() -> (i32) @0:1:1 {{\n{}\n}}", number_lines(body));
    run(&program(externals, items, &[&main]), options, &mut Given(inputs.to_vec()))
}

/// As `run_main`, with what the library defines.
pub fn run_linked(externals: &[&str], items: &str, body: &str, inputs: &[u128], options: &Options) -> Run {
    let main = format!("\"main\"() -> (i32) @0:1:1 {{\n{}\n}}", number_lines(body));
    let mut program = program(externals, items, &[&main]);
    heapproof_libc::link(&mut program, |_| true);
    run(&program, options, &mut Given(inputs.to_vec()))
}

/// Gives each instruction its line as its position.
pub fn number_lines(body: &str) -> String {
    let mut text = String::new();
    for (index, line) in body.trim().lines().enumerate() {
        let line = line.trim();
        let plain = line.ends_with(':') || line.starts_with("reg ") || line.starts_with("local ");
        if plain || line.contains('@') {
            text += &format!("{line}\n");
        } else {
            text += &format!("{line} @0:{}:1\n", index + 1);
        }
    }
    text
}

pub fn violation(run: &Run) -> &Violation {
    match &run.outcome {
        Outcome::Violation(violation) => violation,
        other => panic!("no violation but {other:?}"),
    }
}

#[track_caller]
pub fn expect(run: &Run, class: ErrorClass, line: u32) {
    let violation = violation(run);
    assert_eq!((violation.class, violation.location.line), (class, line), "{violation:?}");
    assert!(!violation.message.is_empty());
}

#[track_caller]
pub fn expect_end(run: &Run, code: i32) {
    assert_eq!(run.outcome, Outcome::Finished { exit_code: code, aborted: false });
}

pub fn stop(run: &Run) -> &Stop {
    match &run.outcome {
        Outcome::Stopped { why, .. } => why,
        other => panic!("not stopped but {other:?}"),
    }
}

pub fn only(properties: &[Property]) -> Options {
    with(|environment| environment.properties = PropertySet::new("some", properties.iter().copied()))
}

/// The usual options in another environment.
pub fn with(change: impl FnOnce(&mut Environment)) -> Options {
    let mut options = options();
    change(&mut options.environment);
    options
}
