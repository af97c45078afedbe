//! The two sides of the comparison: the engine's answer, and concrete executions with random inputs.

use fastrand::Rng;
use heapproof_frontend as frontend;
use heapproof_interp::{self as interp, Inputs, Outcome, Request, Source};
use heapproof_ir::{Program, Target};
use heapproof_smg::{Options, Thresholds, analyse};
use heapproof_verdict::PropertySet;
use std::path::Path;
use std::time::{Duration, Instant};

/// Compiles a program text.
pub fn compile(text: &str, directory: &Path, name: &str) -> Result<Program, String> {
    let path = directory.join(name).with_extension("c");
    std::fs::write(&path, text).map_err(|why| why.to_string())?;
    let options = frontend::Options { target: Target::Lp64, ..frontend::Options::default() };
    let compiled = frontend::compile(&[path], &options).map_err(|why| why.to_string())?;
    Ok(compiled.program)
}

/// What is asked of the programs.
pub fn properties() -> PropertySet {
    "memsafety,assertions".parse().expect("known properties")
}

/// True if the engine proves the program.
pub fn proves(program: &Program, properties: &PropertySet, time: Duration) -> bool {
    let options = Options {
        properties: properties.clone(),
        entry: "main".to_owned(),
        deadline: Some(Instant::now() + time),
        max_states: 200_000,
        delay: 32,
        thresholds: Thresholds::default(),
        keep_invariants: false,
        malloc_may_fail: false,
    };
    analyse(program, &options).is_proof()
}

/// Inputs that keep loops short.
struct Short {
    rng: Rng,
    /// How likely a loop goes on, of 256.
    on: u8,
    /// Calls until everything is zero.
    patience: u32,
}

impl Inputs for Short {
    fn choose(&mut self, request: &Request) -> u128 {
        if request.source != Source::Call {
            return if self.rng.bool() { 0 } else { self.rng.u128(..) };
        }
        if self.patience == 0 {
            return 0;
        }
        self.patience -= 1;
        if self.rng.u8(..) >= self.on {
            return 0;
        }
        match self.rng.u8(..16) {
            0 => self.rng.u128(..),
            1 => u128::MAX,
            2 | 3 => self.rng.u128(1..5),
            _ => 1,
        }
    }
}

/// The first violation that random executions find.
pub fn refute(program: &Program, properties: &PropertySet, seed: u64, runs: u64) -> Option<String> {
    let options = interp::Options {
        properties: properties.clone(),
        entry: "main".to_owned(),
        max_steps: 20_000,
        max_memory: 1 << 24,
        max_depth: 64,
        malloc_may_fail: false,
        argv: Some(vec![b"program".to_vec()]),
        assume_pure: Default::default(),
        havoc: Default::default(),
        deadline: None,
        record_path: false,
    };
    for number in 0..runs {
        let mut rng = Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number);
        let on = [40, 100, 140, 180, 215][rng.usize(..5)];
        let patience = 1 << rng.u32(1..6);
        let mut inputs = Short { rng, on, patience };
        let run = interp::run(program, &options, &mut inputs);
        if let Outcome::Violation(violation) = run.outcome {
            let inputs: Vec<String> = run.inputs.iter().map(|i| i.value.to_string()).collect();
            return Some(format!("{:?} with inputs {}", violation.class, inputs.join(",")));
        }
    }
    None
}
