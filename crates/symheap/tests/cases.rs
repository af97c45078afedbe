//! The engine alone on programs with known answers. It may not know; it may never be wrong.

use heapproof_engine::{Budget, Engine, Environment, NoProgress, Task};
use heapproof_frontend as frontend;
use heapproof_ir::{Program, Target};
use heapproof_symheap::{Deref, SolverSettings, Symheap};
use heapproof_verdict::{ErrorClass, PropertySet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

struct Case {
    name: String,
    program: Program,
    environment: Environment,
    is_safe: bool,
    errors: Vec<(ErrorClass, u32)>,
}

fn read(path: &Path) -> Option<Case> {
    let text = std::fs::read_to_string(path).unwrap();
    let header: Vec<(&str, &str)> =
        text.lines().map_while(|line| line.strip_prefix("// ")?.split_once(": ")).collect();
    let get = |key: &str| header.iter().find(|(k, _)| *k == key).map(|(_, value)| value.trim());
    let target = if get("target")? == "ilp32" { Target::Ilp32 } else { Target::Lp64 };
    let properties: PropertySet = match get("property")? {
        "memcleanup" => "memsafety+memcleanup".parse().unwrap(),
        name => name.parse().unwrap(),
    };
    let errors = header.iter().filter(|(key, _)| matches!(*key, "error" | "also")).map(|(_, value)| {
        let (class, line) = value.trim().split_once(" line ").unwrap();
        (class.parse().unwrap(), line.trim().parse().unwrap())
    });
    let options = frontend::Options { target, ..frontend::Options::default() };
    let mut program = frontend::compile(&[path.to_owned()], &options).expect("it compiles").program;
    heapproof_libc::link(&mut program, |_| true);
    Some(Case {
        name: get("case")?.to_owned(),
        program,
        environment: Environment::usual(target, properties),
        is_safe: get("verdict")? == "safe",
        errors: errors.collect(),
    })
}

fn budget(states: u64) -> Budget {
    Budget {
        deadline: None,
        states,
        executions: 10_000,
        steps: 1_000_000,
        memory: 1 << 28,
        cancelled: Arc::default(),
    }
}

fn look_at(folder: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases").join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    let solver = SolverSettings::new("z3");
    let engine = Symheap { solver, deref: Deref::Segments, dump_heaps: None, max_depth: 10_000 };
    for case in files.iter().filter(|path| path.extension().is_some_and(|e| e == "c")).filter_map(|p| read(p))
    {
        let task = Task::new(&case.program, &[], &case.environment);
        let findings = engine.run(&task, &budget(8_000), &NoProgress);
        let decided = findings.proof.is_some() || !findings.violations.is_empty();
        assert!(decided, "{}: {:?}", case.name, findings.obstacles);
        assert!(findings.proof.is_none() || case.is_safe, "{} is proved", case.name);
        for found in &findings.violations {
            let known = case.errors.contains(&(found.class, found.location.line));
            assert!(known, "{}: {} at line {}", case.name, found.class, found.location.line);
        }
    }
}

#[test]
fn bounded_programs_are_decided() {
    look_at("sl");
}

#[test]
fn errors_that_random_inputs_do_not_meet_are_found() {
    look_at("symheap");
}
