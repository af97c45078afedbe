//! Random programs with lists and numbers: never a proof where an execution fails.
//!
//! `TEMPLATES_PROGRAMS=N` takes N programs instead of the few of a usual run, `TEMPLATES_SEED=N` others, `TEMPLATES_STATES=N` looks at
//! each for longer.

mod generate;
mod parallel;
mod runs;

use generate::{memory_program, program};
use heapproof_engine::{Budget, Engine, NoProgress, Task};
use heapproof_interp::{self as interp, Outcome};
use heapproof_ir::Program;
use heapproof_templates::{Templates, Trial, Tuning};
use heapproof_verdict::Property;
use parallel::in_parallel;
use runs::{Small, compiled, environment, options};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Programs of a usual run.
const PROGRAMS: u64 = 12;
/// Work for one program, in states: there is no deadline.
const STATES: u64 = 60_000;
/// Executions of a program that is proved.
const EXECUTIONS: u64 = 3_000;

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// What is asked about a program.
const ASSERTIONS: &[Property] = &[Property::Assertions];
const MEMORY: &[Property] = &[Property::ValidDeref, Property::ValidFree];

/// The attempt by k-induction of a seed, alone: invariants and what follows from them are shown with two to four turns.
fn k_induction(seed: u64) -> Tuning {
    let trial = Trial { witnesses: 1 + (seed / 3 % 2) as u8, copies: 0, turns: 2 + (seed % 3) as u32 };
    Tuning { trials: vec![trial], unwinds: false, ..Tuning::default() }
}

/// True if the engine proves what is asked.
fn is_proved(program: &Program, asked: &[Property], tuning: Tuning) -> bool {
    let environment = environment(asked);
    let budget = Budget {
        deadline: None,
        states: number("TEMPLATES_STATES", STATES),
        executions: 1,
        steps: 1_000,
        memory: 1 << 28,
        cancelled: Arc::new(AtomicBool::new(false)),
    };
    let engine = Templates { solver: "z3".to_owned(), dump_queries: None, draw: false, dump: false, tuning };
    let findings = engine.run(&Task::new(program, &[], &environment), &budget, &NoProgress);
    findings.proof.is_some_and(|proof| asked.iter().all(|property| proof.shows.contains(property)))
}

/// An execution that fails.
fn failing_run(program: &Program, asked: &[Property], seed: u64) -> bool {
    let options = options(asked);
    (0..EXECUTIONS).any(|n| {
        let mut inputs = Small(fastrand::Rng::with_seed(seed.wrapping_mul(7919).wrapping_add(n)));
        matches!(interp::run(program, &options, &mut inputs).outcome, Outcome::Violation(_))
    })
}

/// Never a proof where an execution fails.
fn compare(
    write: impl Fn(u64) -> String + Sync,
    asked: &[Property],
    tuning: impl Fn(u64) -> Tuning + Sync,
    usual: u64,
) {
    let (count, first) = (number("TEMPLATES_PROGRAMS", usual), number("TEMPLATES_SEED", 1));
    let proved = AtomicU64::new(0);
    in_parallel(first..first + count, |seed| {
        let text = write(seed);
        let program = compiled(&text);
        if is_proved(&program, asked, tuning(seed)) {
            proved.fetch_add(1, Ordering::Relaxed);
            assert!(!failing_run(&program, asked, seed), "seed {seed} is proved and fails:\n{text}");
        }
    });
    println!("{count} programs, {} proved", proved.into_inner());
}

#[test]
fn never_a_proof_where_an_assertion_fails() {
    compare(program, ASSERTIONS, |_| Tuning::default(), PROGRAMS);
}

#[test]
fn never_a_proof_by_k_induction_where_an_assertion_fails() {
    compare(program, ASSERTIONS, k_induction, PROGRAMS);
}

#[test]
fn never_a_proof_where_memory_is_misused() {
    compare(memory_program, MEMORY, |_| Tuning::default(), PROGRAMS / 2);
}

/// Programs that fail only in another block than the first, or between two blocks.
const FAILING: [&str; 4] = [
    "for (p = list; p != NULL; p = p->next) assert(p->a == 0);",
    "for (p = list; p != NULL; p = p->next) if (p->next) assert(p->a == p->next->a);",
    "for (p = list; p != NULL; p = p->next) { x = p->a; p = p->next; if (!p) break; assert(x == p->a); }",
    "for (p = list; p != NULL; p = p->next) if (p->next) p->next->b = 5; \
     for (p = list; p != NULL; p = p->next) assert(p->b == 0);",
];

#[test]
fn blocks_of_one_allocation_are_told_apart() {
    for part in FAILING {
        let text = format!(
            "{}int main(void) {{ int x = 0; struct node *p, *list = NULL;\n\
             while (__VERIFIER_nondet_int()) {{ p = malloc(sizeof *p); if (!p) abort();\n\
             p->a = list == NULL; p->b = 0; p->next = list; p->other = NULL; list = p; }}\n{part}\nreturn x; }}\n",
            generate::HEAD
        );
        let program = compiled(&text);
        assert!(failing_run(&program, ASSERTIONS, 1), "no run fails:\n{text}");
        assert!(!is_proved(&program, ASSERTIONS, Tuning::default()), "it is proved and fails:\n{text}");
    }
}
