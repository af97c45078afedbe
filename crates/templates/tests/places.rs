//! Proofs of parts, joined by place: what `smg` and `templates` leave together holds every first violation of an execution.
//!
//! `TEMPLATES_PROGRAMS=N` and `TEMPLATES_SEED=N` as in `random.rs`. With the feature `faults` of this crate and of `heapproof-smg` also deliberate faults.

#[allow(dead_code)]
mod generate;
mod parallel;
mod runs;

use generate::program;
use heapproof_engine::{Budget, Engine, NoProgress, Remainder, Spot, Task};
use heapproof_interp::{self as interp, Outcome};
use heapproof_ir::Program;
use heapproof_smg::Smg;
use heapproof_templates::{Templates, Tuning};
use heapproof_verdict::{Property, Violation};
use parallel::in_parallel;
use runs::{Small, compiled, environment, options};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Programs of a usual run.
const PROGRAMS: u64 = 6;
/// Work for one program.
const STATES: u64 = 6_000;
/// Executions of one program.
const EXECUTIONS: u64 = 300;

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// What an engine leaves of some errors.
fn left_by(
    engine: &dyn Engine,
    program: &Program,
    asked: &[Property],
    only: Option<&BTreeSet<Spot>>,
) -> Option<Remainder> {
    let environment = environment(asked);
    let budget = Budget {
        deadline: None,
        states: STATES,
        executions: 1,
        steps: 1_000,
        memory: 1 << 28,
        cancelled: Default::default(),
    };
    let task = Task { only, ..Task::new(program, &[], &environment) };
    engine.run(&task, &budget, &NoProgress).remainder
}

fn templates() -> Templates {
    let tuning = Tuning::default();
    Templates { solver: "z3".to_owned(), dump_queries: None, draw: false, dump: false, tuning }
}

/// What both leave, one after the other: each is asked about what the other one left.
fn left_together(program: &Program, asked: &[Property], is_smg_first: bool) -> Vec<Remainder> {
    let mut engines: [&dyn Engine; 2] = [&Smg { draw: false, profile: false }, &templates()];
    if !is_smg_first {
        engines.reverse();
    }
    let mut known: Vec<Remainder> = Vec::new();
    for engine in engines {
        let only = known.last().map(|remainder| &remainder.spots);
        let Some(new) = left_by(engine, program, asked, only) else { continue };
        known.push(known.last().map_or(new.clone(), |known| known.meet(&new)));
    }
    known
}

/// The first violations of some executions, whatever is asked.
fn violations(program: &Program, seed: u64) -> Vec<Violation> {
    let options =
        options(&[Property::Assertions, Property::UnreachCall, Property::ValidDeref, Property::ValidFree]);
    let run = |n| {
        let mut inputs = Small(fastrand::Rng::with_seed(seed.wrapping_mul(7919).wrapping_add(n)));
        match interp::run(program, &options, &mut inputs).outcome {
            Outcome::Violation(violation) => Some(*violation),
            _ => None,
        }
    };
    (0..EXECUTIONS).filter_map(run).collect()
}

/// True if an error may be the first violation as far as is known.
fn allows(program: &Program, left: &Remainder, found: &Violation) -> bool {
    let at = |spot: &Spot| spot.place.location(program) == found.location && spot.class == found.class;
    left.spots.iter().any(at)
        || left.memory && !matches!(found.property, Property::Assertions | Property::UnreachCall)
}

/// Each violation that executions show is among what is left.
fn compare(program: &Program, asked: &[Property], seed: u64) -> Result<usize, String> {
    let found = violations(program, seed);
    let mut told = 0;
    for is_smg_first in [true, false] {
        for left in left_together(program, asked, is_smg_first) {
            told += 1;
            if let Some(missed) = found.iter().find(|violation| !allows(program, &left, violation)) {
                return Err(format!("{missed:?} is not in {left:?}"));
            }
        }
    }
    Ok(told)
}

#[test]
fn first_violations_are_among_what_is_left() {
    let _alone = alone();
    let (count, first) = (number("TEMPLATES_PROGRAMS", PROGRAMS), number("TEMPLATES_SEED", 1));
    let told = AtomicU64::new(0);
    in_parallel(first..first + count, |seed| {
        let text = program(seed);
        match compare(&compiled(&text), &[Property::Assertions], seed) {
            Ok(some) => told.fetch_add(some as u64, Ordering::Relaxed),
            Err(why) => panic!("seed {seed}: {why}\n{text}"),
        };
    });
    println!("{count} programs, {} remainders", told.into_inner());
}

const HEAD: &str = "#include <assert.h>\n#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\n\
    extern void __VERIFIER_assert(int);\nextern void reach_error(void);\nstruct node { int v; struct node *next; };\n";

/// Programs with errors that a mistake would lose, what is asked, and the deliberate faults: of `templates`, or of `smg` from 90 on.
const SPECIMENS: [(&str, Property, &[u32]); 8] = [
    // One place, two calls: only one of them fails.
    (
        "static void check(int x) { assert(x < 2); }\n\
         int main(void) { int n = __VERIFIER_nondet_int(); if (n < 2) check(n); else if (n > 5) check(n); return 0; }\n",
        Property::Assertions,
        &[33],
    ),
    // The error comes after something that is not understood.
    (
        "static int down(int n) { return n > 0 ? down(n - 1) : n; }\n\
         int main(void) { int n = __VERIFIER_nondet_int(); if (n > 5 || n < 0) return 0;\n\
         down(n); assert(n != 2); return 0; }\n",
        Property::Assertions,
        &[34],
    ),
    // Divisions are not asked about, so they are not shown either.
    (
        "int main(void) { int n = __VERIFIER_nondet_int(); int q = 12 / n; if (q > 12) reach_error(); return 0; }\n",
        Property::UnreachCall,
        &[35],
    ),
    // Two conditions: what goes on past the first meets the second.
    (
        "int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assert(n); assert(n != 2); return 0; }\n",
        Property::Assertions,
        &[91],
    ),
    // The divisor is not zero, and then the assertion fails.
    (
        "int main(void) { unsigned n = __VERIFIER_nondet_int(); unsigned m = n * n; int q = 100 / m;\n\
         assert(q != 25); return 0; }\n",
        Property::Assertions,
        &[],
    ),
    // Errors of content are left, and others as well.
    (
        "int main(void) { int a[4] = {0}; int n = __VERIFIER_nondet_int(); if (n < 0 || n > 4) return 0;\n\
         assert(n != 3); a[n] = 1; assert(a[0] == (n == 0)); return 0; }\n",
        Property::Assertions,
        &[93],
    ),
    // What one engine leaves is what the other is asked about, and nothing else.
    (
        "int main(void) { struct node *l = NULL, *p; int n = 0, m = 0;\n\
         while (__VERIFIER_nondet_int()) { p = malloc(sizeof *p); if (!p) abort(); p->v = n; p->next = l; l = p; n++; }\n\
         for (p = l; p; p = p->next) { assert(p->v >= 0); m++; assert(p->v != 1); }\n\
         assert(m == n); return 0; }\n",
        Property::Assertions,
        &[92],
    ),
    // After the first suspicion much is to be done before the second.
    (
        "int main(void) { struct node *l[6] = {0}; int n = __VERIFIER_nondet_int(); assert(n != 1);\n\
         while (__VERIFIER_nondet_int()) { int i = __VERIFIER_nondet_int(); if (i < 0 || i > 5) continue;\n\
         struct node *p = malloc(sizeof *p); if (!p) abort(); p->v = i; \n\
         if (i == 0) { p->next = l[0]; l[0] = p; } else if (i == 1) { p->next = l[1]; l[1] = p; }\n\
         else if (i == 2) { p->next = l[2]; l[2] = p; } else if (i == 3) { p->next = l[3]; l[3] = p; }\n\
         else if (i == 4) { p->next = l[4]; l[4] = p; } else { p->next = l[5]; l[5] = p; } }\n\
         if (l[0] && l[1] && n == 2) assert(0); return 0; }\n",
        Property::Assertions,
        &[90],
    ),
];

fn judged(text: &str, asked: Property) -> Result<usize, String> {
    compare(&compiled(&format!("{HEAD}{text}")), &[asked], 1)
}

/// Faults are switched on for all threads, so only one test at a time may be there.
static SWITCH: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    SWITCH.lock().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn errors_that_a_mistake_would_lose_are_kept() {
    let _alone = alone();
    for (text, asked, _) in SPECIMENS {
        let found = violations(&compiled(&format!("{HEAD}{text}")), 1);
        assert!(!found.is_empty(), "no execution fails:\n{text}");
        judged(text, asked).unwrap_or_else(|why| panic!("{why}\n{text}"));
    }
}

#[cfg(feature = "faults")]
#[test]
fn each_fault_of_places_is_noticed() {
    let _alone = alone();
    let mut missed = Vec::new();
    for (text, asked, faults) in SPECIMENS {
        for fault in faults {
            let switch = if *fault < 90 { &heapproof_templates::FAULT } else { &heapproof_smg::FAULT };
            switch.store(*fault, Ordering::Relaxed);
            let judged = judged(text, asked);
            switch.store(0, Ordering::Relaxed);
            println!("fault {fault}: {judged:?}");
            if judged.is_ok() {
                missed.push(*fault);
            }
        }
    }
    assert!(missed.is_empty(), "not noticed: {missed:?}");
}
