//! Programs of the cases, and what the engine says of them.

use heapproof_engine::{Budget, Engine, Environment, Findings, NoProgress, Task};
use heapproof_frontend as frontend;
use heapproof_ir::{Program, Target};
use heapproof_templates::{Templates, Tuning};
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

/// What the engine finds, with memory taken for granted.
pub fn findings(program: &Program, target: Target) -> Findings {
    let properties = PropertySet::new("assertions", [Property::Assertions]);
    let mut environment = Environment::usual(target, properties);
    environment.presupposed.extend(PropertySet::memsafety().members);
    let budget = Budget {
        deadline: None,
        states: STATES,
        executions: 1,
        steps: 1_000,
        memory: 1 << 28,
        cancelled: Arc::default(),
    };
    let engine = Templates {
        solver: "z3".to_owned(),
        dump_queries: None,
        draw: false,
        dump: false,
        tuning: Tuning::default(),
    };
    engine.run(&Task::new(program, &[], &environment), &budget, &NoProgress)
}

/// True if the assertions are said to hold.
pub fn is_proved(findings: &Findings) -> bool {
    findings.proof.as_ref().is_some_and(|proof| proof.shows.contains(&Property::Assertions))
}
