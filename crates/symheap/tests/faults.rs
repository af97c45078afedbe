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

fn run(program: &Program, solver: SolverSettings, states: u64, deadline: Option<Instant>) -> Findings {
    let environment = Environment::usual(Target::Lp64, PropertySet::memsafety());
    let engine = Symheap { solver, deref: Deref::Segments, dump_heaps: None, max_depth: 1_000 };
    let budget = Budget {
        deadline,
        states,
        executions: 100,
        steps: 100_000,
        memory: 1 << 26,
        cancelled: Arc::default(),
    };
    engine.run(&Task::new(program, &[], &environment), &budget, &NoProgress)
}

/// Nothing is proved, nothing is refuted, and the null pointer is suspected.
fn keeps_the_suspicion(name: &str, solver: &str) {
    keeps_it_with(name, SolverSettings::new(solver));
}

fn keeps_it_with(name: &str, solver: SolverSettings) {
    let folder = folder(name);
    let program = program(&folder);
    let findings = run(&program, solver, 200, None);
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

/// A solver that is a script, and that reads commands line by line.
fn keeps_it_with_script(name: &str, text: &str) {
    let folder = folder(&format!("{name}-script"));
    keeps_the_suspicion(name, &script(&folder, "z3", text));
    std::fs::remove_dir_all(folder).unwrap();
}

/// A script that answers what is asked for, the end of each exchange included.
fn answering(cases: &str) -> String {
    let echo = "*echo*) echo \"$line\" | sed 's/.*\"\\(.*\\)\".*/\\1/';;";
    format!("while read -r line; do case \"$line\" in {cases} {echo} esac; done")
}

const VERSION: &str = "*version*) echo '(:version \"4.8.12\")';;";

#[test]
fn a_solver_that_works_finds_it() {
    let folder = folder("works");
    let findings = run(&program(&folder), SolverSettings::new("z3"), 200, None);
    assert_eq!(findings.violations.len(), 1, "{:?}", findings.obstacles);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn no_solver() {
    keeps_the_suspicion("missing", "/no/such/solver");
}

#[test]
fn a_solver_that_ends_at_once() {
    keeps_it_with_script("ends", "exit 3");
}

#[test]
fn a_solver_that_is_killed_at_its_start() {
    keeps_it_with_script("killed-early", "read line; kill -9 $$");
}

#[test]
fn a_solver_that_is_killed_in_the_middle() {
    keeps_it_with_script("killed", &answering(&format!("{VERSION} *check-sat*) kill -9 $$;;")));
}

#[test]
fn a_solver_of_another_age() {
    keeps_it_with_script("version", &answering("*version*) echo '(:version \"4.3.1\")';;"));
}

#[test]
fn a_solver_that_writes_garbage() {
    keeps_it_with_script("garbage", &answering("*check-sat*) echo perhaps;;"));
    keeps_it_with_script("garbage-late", &answering(&format!("{VERSION} *check-sat*) echo perhaps;;")));
    // Its end of an exchange never comes, however long it is waited for.
    let folder = folder("no-text-script");
    let solver = SolverSettings::new(&script(&folder, "z3", "printf '\\377\\376\\n'; exec cat"));
    keeps_it_with("no-text", SolverSettings { patience: Duration::from_secs(1), ..solver });
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_solver_without_a_model() {
    keeps_it_with_script("no-model", &answering(&format!("{VERSION} *check-sat*) echo sat;;")));
    let wrong = "*get-value*) echo \"$line\" | sed 's/(get-value (//; s/))//' | \
                 (read -r names; for n in $names; do echo \"($n #x00000000)\"; done | tr -d '\\n' | sed 's/.*/(&)/'; echo);;";
    keeps_it_with_script("wrong-model", &answering(&format!("{VERSION} *check-sat*) echo sat;; {wrong}")));
}

#[test]
fn a_solver_that_writes_without_end() {
    keeps_it_with_script("flood", "exec yes sat");
}

/// How long a solver is waited for makes no difference: it never says anything.
#[test]
fn a_solver_that_says_nothing() {
    let folder = folder("silence-script");
    for (name, text) in [
        ("silence", "exec sleep 600".to_owned()),
        ("silence-late", answering(&format!("{VERSION} *check-sat*) exec sleep 600;;"))),
    ] {
        let patience = Duration::from_millis(100);
        keeps_it_with(
            name,
            SolverSettings { patience, ..SolverSettings::new(&script(&folder, "z3", &text)) },
        );
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// Wherever the work is cut off there is an answer, and it is not wrong.
#[test]
fn the_end_at_any_moment() {
    let folder = folder("moments");
    let program = program(&folder);
    let check = |findings: &Findings, states: u64| {
        assert!(findings.proof.is_none(), "{states} states: a proof");
        for found in &findings.violations {
            assert_eq!(found.location.line, 9, "{states} states");
        }
        let told = !findings.violations.is_empty() || !findings.obstacles.is_empty();
        assert!(told, "{states} states: neither an error nor an obstacle");
    };
    for states in 0..12 {
        check(&run(&program, SolverSettings::new("z3"), states, None), states);
        check(&run(&program, SolverSettings::new("/none"), states, None), states);
    }
    check(&run(&program, SolverSettings::new("z3"), 200, Some(Instant::now())), 200);
    std::fs::remove_dir_all(folder).unwrap();
}
