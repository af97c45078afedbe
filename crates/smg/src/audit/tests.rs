//! Audited analyses of random programs.

#[path = "../../tests/soundness/blocks.rs"]
pub mod blocks;
#[path = "../../tests/soundness/buffers.rs"]
pub mod buffers;
#[path = "../../tests/soundness/generator.rs"]
pub mod generator;
#[path = "../../tests/soundness/text.rs"]
mod text;

use crate::attempts::analyse_with;
use crate::care::Care;
use crate::{Options, Thresholds, analyse};
use heapproof_frontend as frontend;
use heapproof_ir::{Program, Target};
use std::path::Path;

/// Compiles a file; `None` if that fails.
pub fn compile(source: &Path) -> Option<Program> {
    compile_for(source, Target::Lp64)
}

/// Compiles a file for a target; `None` if that fails.
pub fn compile_for(source: &Path, target: Target) -> Option<Program> {
    let options = frontend::Options { target, ..frontend::Options::default() };
    Some(frontend::compile(&[source.to_owned()], &options).ok()?.program)
}

/// An analysis with a limit in configurations.
pub fn options(program: &Program, properties: &str, configurations: u64) -> Options {
    Options {
        environment: heapproof_engine::Environment::usual(
            program.target,
            properties.parse().expect("known properties"),
        ),
        deadline: None,
        cancelled: None,
        max_states: configurations,
        delay: 32,
        thresholds: Thresholds::default(),
        keep_invariants: false,
        profile: false,
    }
}

/// True if the engine proves the program within some number of configurations.
pub fn is_safe(program: &Program, properties: &str, configurations: u64) -> bool {
    analyse(program, &options(program, properties, configurations)).is_proof()
}

/// Audits the analysis of a program: the number of checks, and what failed.
pub fn audit_of(program: &Program, seed: u64, configurations: u64) -> (u64, Vec<String>) {
    super::audited(seed, || {
        is_safe(program, "memsafety,assertions", configurations);
    })
}

/// The same for attempts that count nodes, follow the order of their numbers and relate these, which few programs need, and for one that
/// merges all it can.
pub fn audit_of_care(program: &Program, seed: u64, configurations: u64) -> (u64, Vec<String>) {
    super::audited(seed, || {
        let options = options(program, "memsafety,assertions", configurations);
        for care in [Care::COUNTED, Care::TAGGED, Care::INSIDE, Care::SORTED, Care::KINDS, Care::SIMPLEST] {
            analyse_with(program, &options, &[care]);
        }
        for nth in 0..crate::halves::cuts(program).len().min(2) {
            analyse_with(program, &options, &[Care { overlaid: Some(nth), ..Care::SIMPLEST }]);
        }
    })
}

/// The same for the attempt that merges nodes to trees.
pub fn audit_of_trees(program: &Program, seed: u64, configurations: u64) -> (u64, Vec<String>) {
    super::audited(seed, || {
        let options = options(program, "memsafety,assertions", configurations);
        analyse_with(program, &options, &[Care::TREES]);
    })
}

type AuditOf = fn(&Program, u64, u64) -> (u64, Vec<String>);

fn audit_seeds(
    generate: fn(u64) -> String,
    seeds: impl Iterator<Item = u64>,
    configurations: u64,
    audit: AuditOf,
) {
    let directory = tempfile::tempdir().expect("a directory for the programs");
    let path = directory.path().join("program.c");
    let (mut programs, mut checks, mut bad) = (0, 0, 0);
    for seed in seeds {
        let text = generate(seed);
        std::fs::write(&path, &text).expect("the directory takes files");
        let Some(program) = compile(&path) else { continue };
        let (checked, failures) = audit(&program, seed, configurations);
        programs += 1;
        checks += checked;
        if let Some(failure) = failures.first() {
            bad += 1;
            println!("FAILURE seed {seed}\n{text}\n{failure}");
        }
    }
    println!("{programs} programs, {checks} memories checked, {bad} programs with failures");
    assert_eq!(bad, 0);
    assert!(checks > 0);
}

/// The most configurations of a program of a long audit.
fn configurations() -> u64 {
    std::env::var("AUDIT_CONFIGURATIONS").ok().and_then(|s| s.parse().ok()).unwrap_or(2_000)
}

#[test]
fn operations_lose_no_memory() {
    audit_seeds(generator::generate, 0..20, 500, audit_of);
    audit_seeds(generator::generate, 20..40, 300, audit_of_care);
    audit_seeds(buffers::generate, 0..20, 300, audit_of);
}

/// The same for programs with trees.
#[test]
fn trees_lose_no_memory() {
    let mut checks = 0;
    for (seed, case) in super::cases::of(&["trees"]).enumerate() {
        let (checked, failures) = audit_of_trees(&case.program, seed as u64, 250);
        assert!(failures.is_empty(), "{}: {}", case.name, failures[0]);
        checks += checked;
    }
    println!("{checks} memories checked");
    assert!(checks > 1000, "only {checks} memories");
}

/// What debug builds check after every instruction, on random programs; the test of all cases does it for these.
#[test]
fn graphs_stay_consistent() {
    let mut graphs = 0;
    for case in super::cases::random(0..12).chain(super::cases::random_blocks(0..12)) {
        graphs += crate::consistency::checking(|| {
            is_safe(&case.program, &case.property, 150);
        });
    }
    println!("{graphs} graphs checked");
    assert!(graphs > 5_000, "only {graphs} graphs");
}

/// `AUDIT=FIRST,COUNT cargo test --release -p heapproof-smg --lib -- --ignored --nocapture audit`
#[test]
#[ignore = "long"]
fn long_audit() {
    let range = std::env::var("AUDIT").unwrap_or_else(|_| "1000,500".to_owned());
    let (first, count) = range.split_once(',').expect("two numbers");
    let (first, count): (u64, u64) = (first.parse().expect("a number"), count.parse().expect("a number"));
    audit_seeds(generator::generate, first..first + count, configurations(), audit_of);
    audit_seeds(generator::generate, first..first + count, configurations(), audit_of_care);
    audit_seeds(buffers::generate, first..first + count, configurations(), audit_of);
}

/// `AUDIT_FILES=A.c:B.c` for programs of one's own; with `AUDIT_TREES` only the attempt that merges nodes to trees.
#[test]
#[ignore = "needs files"]
fn audit_of_files() {
    let mut bad = 0;
    for file in std::env::var("AUDIT_FILES").unwrap_or_default().split(':').filter(|f| !f.is_empty()) {
        let Some(program) = compile(Path::new(file)) else { continue };
        let only_trees = std::env::var("AUDIT_TREES").is_ok();
        let audits: &[AuditOf] = if only_trees { &[audit_of_trees] } else { &[audit_of, audit_of_care] };
        let (mut checked, mut failures) = (0, Vec::new());
        for (seed, audit) in (1..).zip(audits) {
            let (more, others) = audit(&program, seed, configurations());
            checked += more;
            failures.extend(others);
        }
        println!("{file}: {checked} checks");
        if let Some(failure) = failures.first() {
            bad += 1;
            println!("FAILURE {file}\n{failure}");
        }
    }
    assert_eq!(bad, 0);
}
