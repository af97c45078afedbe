//! Random programs with few paths: never a proof where an execution fails.
//!
//! `SYMHEAP_PROGRAMS=N` takes N programs instead of the few of a usual run, `SYMHEAP_SEED=N` others.

mod generate;

use fastrand::Rng;
use heapproof_engine::{Budget, Engine, Environment, NoProgress, Task};
use heapproof_frontend as frontend;
use heapproof_interp::{self as interp, Inputs, Outcome, Request};
use heapproof_ir::{Program, Target};
use heapproof_symheap::{Deref, SolverSettings, Symheap};
use heapproof_verdict::PropertySet;
use std::sync::Arc;

/// Programs of a usual run.
const PROGRAMS: u64 = 60;
/// Executions of a program that is proved, and of others.
const EXECUTIONS: u64 = 1_500;

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn compiled(text: &str) -> Program {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("program.c");
    std::fs::write(&file, text).expect("a file");
    let mut program = frontend::compile(&[file], &frontend::Options::default()).expect("it compiles").program;
    heapproof_libc::link(&mut program, |_| true);
    program
}

fn environment() -> Environment {
    let properties: PropertySet = "memsafety,assertions".parse().expect("known properties");
    Environment::usual(Target::Lp64, properties)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opinion {
    Proved,
    Refuted,
    Open,
}

/// What the engine says, within some number of states: the same on every machine.
fn opinion(program: &Program, deref: Deref) -> Opinion {
    let environment = environment();
    let budget = Budget {
        deadline: None,
        states: 400,
        executions: 1,
        steps: 100_000,
        memory: 1 << 26,
        cancelled: Arc::default(),
    };
    let engine = Symheap { solver: SolverSettings::new("z3"), deref, dump_heaps: None, max_depth: 100 };
    let findings = engine.run(&Task::new(program, &[], &environment), &budget, &NoProgress);
    match () {
        () if findings.proof.is_some() => Opinion::Proved,
        () if !findings.violations.is_empty() => Opinion::Refuted,
        () => Opinion::Open,
    }
}

/// Inputs that make a difference: small numbers, ends of ranges, powers of two and their neighbours.
struct Habits(Rng);

impl Inputs for Habits {
    fn choose(&mut self, request: &Request) -> u128 {
        let power = 1i128 << self.0.u32(0..33);
        let number = match self.0.u8(0..8) {
            0..=2 => self.0.i64(-2..18).into(),
            3 => i128::from(self.0.i32(-300..300)),
            4 => power - 1,
            5 => -power,
            6 => power + i128::from(self.0.i32(-2..3)),
            _ => self.0.i32(..).into(),
        };
        number as u128 & heapproof_ir::mask(request.width)
    }
}

/// An execution that fails, in words.
fn failing_run(program: &Program, seed: u64, executions: u64) -> Option<String> {
    let options = interp::Options {
        environment: environment(),
        max_steps: 20_000,
        max_memory: 1 << 24,
        max_depth: 100,
        deadline: None,
        stop_at_choice: false,
        go_on: false,
        record_path: false,
    };
    (0..executions).find_map(|n| {
        let mut inputs = Habits(Rng::with_seed(seed.wrapping_mul(7919).wrapping_add(n)));
        let run = interp::run(program, &options, &mut inputs);
        let Outcome::Violation(violation) = run.outcome else { return None };
        let inputs: Vec<String> = run.inputs.iter().map(|input| input.value.to_string()).collect();
        Some(format!("{:?} at line {} with {}", violation.class, violation.location.line, inputs.join(", ")))
    })
}

#[test]
fn never_a_proof_where_an_execution_fails() {
    let (count, first) = (number("SYMHEAP_PROGRAMS", PROGRAMS), number("SYMHEAP_SEED", 1));
    let (mut proved, mut refuted, mut failing) = (0u64, 0u64, 0u64);
    for seed in first..first + count {
        let text = generate::program(seed);
        let program = compiled(&text);
        let opinion = opinion(&program, Deref::Segments);
        let executions = if opinion == Opinion::Proved { EXECUTIONS } else { EXECUTIONS / 10 };
        let failure = failing_run(&program, seed, executions);
        proved += u64::from(opinion == Opinion::Proved);
        refuted += u64::from(opinion == Opinion::Refuted);
        failing += u64::from(failure.is_some());
        if let (Opinion::Proved, Some(how)) = (opinion, &failure) {
            panic!("seed {seed} is proved and fails: {how}\n{text}");
        }
    }
    println!("{count} programs: {proved} proved, {refuted} refuted, {failing} fail with random inputs");
    assert!(count < 50 || (proved >= count / 20 && refuted >= count / 5), "nearly all are of one kind");
}
