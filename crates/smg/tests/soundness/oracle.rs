//! The two sides of the comparison: the engine's answer, and concrete executions with random inputs.

use crate::inputs;
use heapproof_frontend as frontend;
use heapproof_interp::{self as interp, Outcome};
use heapproof_ir::{Program, Target};
use heapproof_smg::{Options, Thresholds, TroubleKind, analyse};
use heapproof_verdict::PropertySet;
use std::path::Path;

/// Compiles a program text.
pub fn compile(text: &str, directory: &Path, name: &str) -> Result<Program, String> {
    let path = directory.join(name).with_extension("c");
    std::fs::write(&path, text).map_err(|why| why.to_string())?;
    let options = frontend::Options { target: Target::Lp64, ..frontend::Options::default() };
    let mut program = frontend::compile(&[path], &options).map_err(|why| why.to_string())?.program;
    heapproof_libc::link(&mut program, |_| true);
    Ok(program)
}

/// What is asked of the programs.
pub fn properties() -> PropertySet {
    "memsafety,assertions".parse().expect("known properties")
}

/// What the engine says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opinion {
    /// There is no error.
    Proved,
    /// There may be an error.
    Suspected,
    /// The program has something that it does not cover, or more configurations than allowed.
    Open,
}

/// The stack that the program gives its engines: a deep recursion of a program is one of theirs.
const STACK: usize = 256 << 20;

/// What the engine says about a program, within some number of configurations: never in some time, so that the answer is
/// the same on every machine.
pub fn opinion(program: &Program, properties: &PropertySet, configurations: u64) -> Opinion {
    std::thread::scope(|scope| {
        let judge = || judged(program, properties, configurations);
        let judge = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, judge);
        judge.expect("a thread starts").join().expect("the engine gives an answer")
    })
}

fn judged(program: &Program, properties: &PropertySet, configurations: u64) -> Opinion {
    let options = Options {
        environment: heapproof_engine::Environment::usual(program.target, properties.clone()),
        deadline: None,
        cancelled: None,
        max_states: configurations,
        delay: 32,
        thresholds: Thresholds::default(),
        keep_invariants: false,
        profile: false,
    };
    let analysis = analyse(program, &options);
    let suspected = analysis.troubles.iter().any(|trouble| matches!(trouble.kind, TroubleKind::Suspicion(_)));
    match analysis.is_proof() {
        true => Opinion::Proved,
        false if suspected => Opinion::Suspected,
        false => Opinion::Open,
    }
}

/// The first violation that random executions find.
pub fn refute(program: &Program, properties: &PropertySet, seed: u64, runs: u64) -> Option<String> {
    let options = inputs::options(properties.clone());
    for number in 0..runs {
        let mut inputs = inputs::Habits::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ number);
        let run = interp::run(program, &options, &mut inputs);
        if let Outcome::Violation(violation) = run.outcome {
            let inputs: Vec<String> = run.inputs.iter().map(|i| i.value.to_string()).collect();
            return Some(format!("{:?} with inputs {}", violation.class, inputs.join(",")));
        }
    }
    None
}
