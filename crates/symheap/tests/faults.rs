//! Solvers that fail: there is one answer, it is not wrong, and what is suspected is kept.

use heapproof_engine::{Budget, Engine, Environment, Findings, NoProgress, Task};
use heapproof_frontend as frontend;
use heapproof_ir::{Program, Target};
use heapproof_symheap::{Deref, SolverSettings, Symheap};
use heapproof_verdict::{Obstacle, PropertySet};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// An error that only a solver finds: no small change of a model leads to it.
const HARD: &str = "
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    int zero = 0, *p = &zero;
    if (x * 2654435761u == 0x12345679u && y * 40503u == x)
        p = 0;
    return *p;
}
";

fn program(folder: &Path) -> Program {
    let file = folder.join("hard.c");
    std::fs::write(&file, HARD).unwrap();
    frontend::compile(&[file], &frontend::Options::default()).expect("it compiles").program
}

fn script(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.display().to_string()
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("heapproof-faults-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn run(program: &Program, solver: &str, limit: Option<Duration>) -> Findings {
    let environment = Environment::usual(Target::Lp64, PropertySet::memsafety());
    let solver = SolverSettings { program: solver.to_owned(), dump: None, memory: None };
    let engine = Symheap { solver, deref: Deref::Segments, dump_heaps: None, max_depth: 1_000 };
    let budget = Budget {
        deadline: limit.map(|limit| Instant::now() + limit),
        states: 200,
        executions: 100,
        steps: 100_000,
        memory: 1 << 26,
        cancelled: Arc::default(),
    };
    engine.run(&Task::new(program, &[], &environment), &budget, &NoProgress)
}

/// Nothing is proved, nothing is refuted, and the null pointer is suspected.
fn keeps_the_suspicion(name: &str, solver: &str, limit: Option<Duration>) {
    let folder = folder(name);
    let program = program(&folder);
    let findings = run(&program, solver, limit);
    assert!(findings.proof.is_none(), "{name}: a proof without a solver");
    assert!(findings.violations.is_empty(), "{name}: {:?}", findings.violations);
    assert!(findings.suspicions.iter().any(|s| s.violation.location.line == 9), "{name}: {findings:?}");
    assert!(
        findings.obstacles.iter().any(|o| matches!(o, Obstacle::Helper { .. })),
        "{name}: {:?}",
        findings.obstacles
    );
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_solver_that_works_finds_it() {
    let folder = folder("works");
    let findings = run(&program(&folder), "z3", None);
    assert_eq!(findings.violations.len(), 1, "{:?}", findings.obstacles);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn no_solver() {
    keeps_the_suspicion("missing", "/no/such/solver", None);
}

#[test]
fn a_solver_that_ends_at_once() {
    let folder = folder("ends");
    keeps_the_suspicion("ends-run", &script(&folder, "z3", "exit 3"), None);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_solver_that_is_killed_in_the_middle() {
    let folder = folder("killed");
    keeps_the_suspicion("killed-run", &script(&folder, "z3", "read line; kill -9 $$"), None);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_solver_that_writes_garbage() {
    let folder = folder("garbage");
    let text = "while read line; do case \"$line\" in *echo*) echo perhaps; echo \"$line\" | sed 's/.*\"\\(.*\\)\".*/\\1/';; esac; done";
    keeps_the_suspicion("garbage-run", &script(&folder, "z3", text), None);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_solver_that_writes_without_end() {
    let folder = folder("flood");
    keeps_the_suspicion("flood-run", &script(&folder, "z3", "exec yes sat"), None);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_solver_that_says_nothing() {
    let folder = folder("silence");
    let solver = script(&folder, "z3", "exec sleep 60");
    keeps_the_suspicion("silence-run", &solver, Some(Duration::from_secs(3)));
    std::fs::remove_dir_all(folder).unwrap();
}
