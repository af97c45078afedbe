//! Programs of the cases, and what the engine says of them.

use heapproof_engine::{Budget, Engine, Environment, Findings, NoProgress, Task};
use heapproof_frontend as frontend;
use heapproof_ir::{Program, Target};
use heapproof_templates::{Templates, Trial, Tuning};
use heapproof_verdict::{Property, PropertySet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Work for one program, in states: there is no deadline.
const STATES: u64 = 60_000;

/// A folder of cases.
pub fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases").join(name)
}

/// A case with the target that its header names.
pub fn compiled(file: &Path) -> (Program, Target) {
    let text = std::fs::read_to_string(file).expect("a case");
    let target = if text.contains("// target: ilp32") { Target::Ilp32 } else { Target::Lp64 };
    let options = frontend::Options { target, ..frontend::Options::default() };
    (frontend::compile(&[file.to_owned()], &options).expect("it compiles").program, target)
}

/// All cases of a whole program whose text is of interest.
#[allow(dead_code)]
pub fn all_with(is_wanted: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder("")];
    while let Some(path) = folders.pop() {
        for entry in std::fs::read_dir(path).expect("a folder of cases") {
            let path = entry.expect("a case").path();
            let is_code = path.extension().is_some_and(|extension| extension == "c");
            if path.is_dir() {
                folders.push(path);
            } else if is_code && is_wanted(&std::fs::read_to_string(&path).expect("a text")) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// What the engine finds, with memory taken for granted.
pub fn findings(program: &Program, target: Target) -> Findings {
    findings_by(program, target, Tuning::default())
}

/// The same by k-induction with so many turns, and by nothing else.
#[allow(dead_code)]
pub fn findings_by_induction(program: &Program, target: Target, turns: u32) -> Findings {
    let trials = vec![Trial { witnesses: 1, copies: 0, turns }];
    findings_by(program, target, Tuning { trials, unwinds: false, ..Tuning::default() })
}

fn findings_by(program: &Program, target: Target, tuning: Tuning) -> Findings {
    let mut environment = Environment::usual(target, PropertySet::new("assertions", [Property::Assertions]));
    environment.presupposed.extend(PropertySet::memsafety().members);
    found(program, &environment, STATES, tuning)
}

/// What the engine finds about memory, with less work.
#[allow(dead_code)]
pub fn memory_findings(program: &Program, target: Target) -> Findings {
    let properties = PropertySet::new("memory", [Property::ValidDeref, Property::ValidFree]);
    found(program, &Environment::usual(target, properties), STATES / 4, Tuning::default())
}

fn found(program: &Program, environment: &Environment, states: u64, tuning: Tuning) -> Findings {
    let budget = Budget {
        deadline: None,
        states,
        executions: 1,
        steps: 1_000,
        memory: 1 << 28,
        cancelled: Arc::default(),
    };
    let engine = Templates { solver: "z3".to_owned(), dump_queries: None, draw: false, dump: false, tuning };
    engine.run(&Task::new(program, &[], environment), &budget, &NoProgress)
}

/// True if the assertions are said to hold.
pub fn is_proved(findings: &Findings) -> bool {
    findings.proof.as_ref().is_some_and(|proof| proof.shows.contains(&Property::Assertions))
}
