//! Solvers that fail: each failure has its type, and none becomes an answer.

use crate::{Answer, Config, Dialect, Failure, Limits, Process, Reason, Solved, Solver, Sort, Term};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;

/// A program that answers questions by a shell script. `$line` is what it is told.
fn fake(name: &str, on_question: &str) -> (TempDir, PathBuf) {
    let script = format!(
        r#"#!/bin/sh
while IFS= read -r line; do
  case "$line" in
    *get-info*version*) echo '(:version "4.8.12")' ;;
    "(echo "*) echo "$line" | sed 's/.*"\(.*\)".*/\1/' ;;
    *check-sat*) {on_question} ;;
  esac
done
"#
    );
    program(name, &script)
}

fn program(name: &str, script: &str) -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join(name);
    std::fs::write(&path, script).expect("a file");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("a program");
    (directory, path)
}

fn config(path: &std::path::Path) -> Config {
    let limits = Limits { time: Duration::from_secs(60), steps: None, memory: None };
    Config { dialect: Dialect::Z3, ..Config::new(path.to_str().expect("a path")) }.with_limits(limits)
}

fn question() -> Term {
    let x = Term::var("x", Sort::Bits(8));
    Term::eq(x, Term::bits(1, 8))
}

fn ask(on_question: &str) -> Result<Answer, Failure> {
    let (_directory, path) = fake("z3-fake", on_question);
    let mut solver = Process::start(config(&path)).expect("it starts");
    solver.check(&[question()])
}

#[test]
fn a_missing_solver_is_told() {
    let why = Process::start(Config::new("no-such-solver")).expect_err("there is none");
    assert!(matches!(why, Failure::Start { .. }));
    assert!(why.to_string().starts_with("the solver `no-such-solver` cannot be started: "));
}

#[test]
fn a_solver_that_works_is_believed() {
    assert_eq!(ask("echo sat"), Ok(Answer::Sat));
    assert_eq!(ask("echo unsat"), Ok(Answer::Unsat));
}

#[test]
fn death_in_the_middle_is_no_answer() {
    let why = ask("kill -9 $$").expect_err("it died");
    assert!(matches!(&why, Failure::Died { how, .. } if how == " by signal 9"), "{why}");
    let why = ask("echo uns; exit 3").expect_err("it died");
    assert!(matches!(&why, Failure::Died { how, .. } if how == " with status 3: uns"), "{why}");
    // An answer without the end that belongs to it does not count.
    assert!(matches!(ask("echo unsat; exit 0"), Err(Failure::Died { .. })));
}

#[test]
fn garbage_is_no_answer() {
    for garbage in [
        "echo satt",
        "echo ')))'",
        "echo '((('",
        "echo sat unsat",
        ":",
        "printf '\\377\\376\\n'",
        "echo unsat; echo unsat",
    ] {
        let answer = ask(garbage);
        assert!(matches!(answer, Err(Failure::Garbage { .. })), "{garbage}: {answer:?}");
    }
}

#[test]
fn a_refused_command_spoils_the_answer() {
    let why = ask("echo '(error \"line 3: unknown sort\")'; echo sat").expect_err("an error");
    assert!(matches!(&why, Failure::Refused { message, .. } if message == "line 3: unknown sort"), "{why}");
}

#[test]
fn silence_ends_with_the_time() {
    let short = Limits { time: Duration::from_millis(20), steps: None, memory: None };
    for dialect in [Dialect::Z3, Dialect::Other] {
        let (_directory, path) = fake("fake", "read -r never");
        let mut solver = Process::start(Config { dialect, ..config(&path) }).expect("it starts");
        solver.set_limits(short);
        assert_eq!(solver.check(&[question()]), Ok(Answer::Unknown(Reason::Time)));
    }
    let (_directory, path) = fake("fake", "echo sat ;;\n    *get-value*) read -r never");
    let mut solver = Process::start(config(&path)).expect("it starts");
    solver.set_limits(short);
    assert!(matches!(solver.solve(&[question()]), Err(Failure::Silent { .. })));
}

#[test]
fn a_flood_is_no_answer() {
    assert!(matches!(ask("yes sat"), Err(Failure::Flood { .. })));
    assert!(matches!(ask("yes '(' | tr -d '\\n'"), Err(Failure::Flood { .. })));
}

#[test]
fn a_wrong_version_is_told() {
    let (_directory, path) =
        program("z3-old", "#!/bin/sh\necho '(:version \"3.2\")'\necho heapproof-1\ncat >/dev/null\n");
    let why = Process::start(config(&path)).expect_err("too old");
    assert!(matches!(&why, Failure::Version { version, .. } if version == "3.2"), "{why}");
    let (_directory, path) = program("z3-none", "#!/bin/sh\necho usage\necho heapproof-1\ncat >/dev/null\n");
    assert!(matches!(Process::start(config(&path)), Err(Failure::Garbage { .. })));
}

#[test]
fn a_wrong_model_is_no_model() {
    let (_directory, path) = fake("z3-fake", "echo sat ;;\n    *get-value*) echo '((v.x #x02))'");
    let mut solver = Process::start(config(&path)).expect("it starts");
    assert!(matches!(solver.solve(&[question()]), Err(Failure::WrongModel { .. })));
    for model in ["((v.x #x1))", "((v.x))", "model", "(((", "((v.x true))"] {
        let (_directory, path) = fake("z3-fake", &format!("echo sat ;;\n    *get-value*) echo '{model}'"));
        let mut solver = Process::start(config(&path)).expect("it starts");
        assert!(matches!(solver.solve(&[question()]), Err(Failure::Garbage { .. })), "{model}");
    }
}

#[test]
fn after_a_failure_the_solver_is_started_again() {
    let directory = tempfile::tempdir().expect("a directory");
    let mark = directory.path().join("died");
    let (_directory, path) = program(
        "z3-once",
        &format!(
            "#!/bin/sh\nif [ -e {mark} ]; then exec z3 \"$@\"; fi\ntouch {mark}\n{}",
            FAKE_THAT_DIES,
            mark = mark.display()
        ),
    );
    let mut solver = Process::start(config(&path)).expect("it starts");
    solver.push();
    solver.assert(&question());
    assert!(matches!(solver.check(&[]), Err(Failure::Died { .. })));
    assert_eq!(solver.check(&[]), Ok(Answer::Sat));
    assert_eq!(solver.model().map(|model| model.bits(&Term::var("x", Sort::Bits(8)))), Ok(Some(1)));
    solver.pop();
    assert!(matches!(solver.solve(&[question().not()]), Ok(Solved::Sat(_))));
    let statistics = solver.statistics();
    assert_eq!((statistics.starts, statistics.failures, statistics.sat), (2, 1, 2));
}

const FAKE_THAT_DIES: &str = r#"
while IFS= read -r line; do
  case "$line" in
    *get-info*version*) echo '(:version "4.8.12")' ;;
    "(echo "*) echo "$line" | sed 's/.*"\(.*\)".*/\1/' ;;
    *check-sat*) exit 1 ;;
  esac
done
"#;
