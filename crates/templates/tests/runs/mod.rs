//! Programs from text, and executions of them with small inputs.

use heapproof_engine::Environment;
use heapproof_frontend as frontend;
use heapproof_interp::{Inputs, Options, Request};
use heapproof_ir::{Program, Target};
use heapproof_verdict::{Property, PropertySet};

/// The program of a text.
pub fn compiled(text: &str) -> Program {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("program.c");
    std::fs::write(&file, text).expect("a file");
    frontend::compile(&[file], &frontend::Options::default()).expect("it compiles").program
}

/// The usual environment, and what is asked.
pub fn environment(asked: &[Property]) -> Environment {
    Environment::usual(Target::Lp64, PropertySet::new("asked", asked.iter().copied()))
}

/// Inputs that keep loops short: mostly small numbers.
pub struct Small(pub fastrand::Rng);

impl Inputs for Small {
    fn choose(&mut self, request: &Request) -> u128 {
        let number = match self.0.u8(0..8) {
            0..=4 => self.0.i64(0..3),
            5 => self.0.i64(-20..20),
            6 => self.0.i64(-1000..1000),
            _ => self.0.i64(i64::from(i32::MIN)..=i64::from(i32::MAX)),
        };
        number as i128 as u128 & heapproof_ir::mask(request.width)
    }
}

/// How programs are run.
pub fn options(asked: &[Property]) -> Options {
    Options {
        environment: environment(asked),
        max_steps: 20_000,
        max_memory: 1 << 24,
        max_depth: 100,
        deadline: None,
        stop_at_choice: false,
        go_on: false,
        record_path: false,
    }
}
