//! Random programs: whatever they do, a run ends with an outcome and never with a panic.

mod common;

use common::options;
use heapproof_engine::Environment;
use heapproof_interp::{Inputs, Options, Outcome, Request, run};
use heapproof_ir::{Program, arbitrary};
use heapproof_verdict::{Property, PropertySet};
use proptest::prelude::*;

/// Different values, determined by the seed.
struct Stream(u64);

impl Stream {
    fn next(&mut self) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize
    }
}

impl Inputs for Stream {
    fn choose(&mut self, _: &Request) -> u128 {
        self.next();
        let bits = u128::from(self.0 >> 20);
        if self.0 >> 62 == 0 { bits & 3 } else { bits << 70 ^ bits }
    }
}

/// Runs every function of the program, each property alone and all together; twice with the same result.
fn run_all(program: &Program, seed: u64) {
    let all = PropertySet::new("all", Property::ALL);
    let none = PropertySet::new("none", []);
    for function in program.functions.values().filter(|f| f.body.is_some()) {
        for properties in [&all, &none] {
            let options = Options {
                environment: Environment {
                    entries: vec![function.name.clone()],
                    malloc_may_fail: seed.is_multiple_of(2),
                    ..Environment::usual(program.target, properties.clone())
                },
                max_steps: 2_000,
                max_memory: 1 << 20,
                max_depth: 30,
                go_on: seed.is_multiple_of(5),
                record_path: !seed.is_multiple_of(3),
                ..options()
            };
            let one = run(program, &options, &mut Stream(seed));
            let other = run(program, &options, &mut Stream(seed));
            assert_eq!(one.outcome, other.outcome);
            assert_eq!(one.inputs, other.inputs);
            assert!(one.further.is_empty() || matches!(one.outcome, Outcome::Violation(_)));
        }
    }
}

/// Makes the external functions into library functions, whatever their prototypes.
fn with_library(mut program: Program, seed: u64) -> Program {
    let names: Vec<&str> = heapproof_libc::all().map(|model| model.name).collect();
    let mut choices = Stream(seed);
    for function in program.functions.values_mut().filter(|f| f.body.is_none()) {
        let choice = choices.next();
        let common = ["malloc", "free", "realloc", "memcpy", "strcpy", "printf"];
        function.name = match choice % 3 {
            0 => common[choice / 3 % common.len()].to_owned(),
            _ => names[choice / 3 % names.len()].to_owned(),
        };
    }
    program
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_program_makes_the_interpreter_panic(program in arbitrary::program(), seed in any::<u64>()) {
        run_all(&program, seed);
        run_all(&with_library(program, seed), seed);
    }
}

#[test]
fn random_programs_reach_the_library() {
    let mut choices = Stream(1);
    let mut reached = 0;
    for seed in 0..400 {
        let list: Vec<u32> = (0..300).map(|_| choices.next() as u32).collect();
        let program = with_library(arbitrary::build(&list), seed);
        let options = Options { max_steps: 2_000, ..options() };
        reached += usize::from(!run(&program, &options, &mut Stream(seed)).ledger.notes.is_empty());
    }
    assert!(reached > 0, "none of 400");
}
