//! Random functions over random node types: what is proved, no run in a small graph may refute.
//!
//! `HEAPPROOF_FUNCTIONS=10000` makes that many programs of two functions, `HEAPPROOF_FIRST` says which is the first one.

mod random;

use heapproof_engine::Environment;
use heapproof_integrity::{analyse, search};
use std::sync::atomic::{AtomicU32, Ordering};

/// Runs in small graphs for each function that is proved.
const RUNS: u32 = 400;

fn wanted(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

#[test]
fn what_is_proved_is_never_refuted() {
    let first = wanted("HEAPPROOF_FIRST", 0);
    let count = wanted("HEAPPROOF_FUNCTIONS", 150);
    let (mut proved, mut refuted) = (0, 0);
    for seed in first..first + count {
        let text = random::program(seed);
        let program = heapproof_ir::text::parse(&text).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        let mut environment = Environment::usual(program.target, "data-structure".parse().unwrap());
        environment.malloc_may_fail = true;
        let report = analyse(&program, &environment, false, None).unwrap();
        for function in &report.functions {
            let runs = AtomicU32::new(0);
            let over = || runs.fetch_add(1, Ordering::Relaxed) >= RUNS;
            let found = search(&program, &environment, function.function, &over);
            if function.result.is_err() {
                refuted += u64::from(!found.is_empty());
                continue;
            }
            proved += 1;
            if let Some(found) = found.first() {
                let name = &function.name;
                panic!(
                    "seed {seed}: {name} is proved, but {:?} in\n{}\n{text}",
                    found.run.outcome, found.picture
                );
            }
        }
    }
    println!("{} functions: {proved} proved, {refuted} refuted", 2 * count);
    assert!(
        proved * 8 > count && refuted * 8 > count,
        "the functions are not of both kinds: {proved}, {refuted}"
    );
}
