//! Modules of functions that are known to be right or wrong.

#![allow(dead_code)]

use heapproof_engine::Environment;
use heapproof_integrity::{Report, analyse, search};
use heapproof_ir::Program;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// All modules.
pub const MODULES: [&str; 16] = [
    "list",
    "tree",
    "attack_scopes",
    "attack_callbacks",
    "attack_memory",
    "attack_requires",
    "attack_aliases",
    "attack_loops",
    "attack_globals",
    "attack_parts",
    "attack_static",
    "attack_arrays",
    "attack_unions",
    "attack_intrusive",
    "attack_free",
    "attack_cells",
];

/// Runs in small graphs for each function.
const RUNS: u32 = 300;

fn path(module: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/modules").join(module)
}

pub fn load(module: &str) -> (Program, Environment) {
    let text = std::fs::read_to_string(path(module).with_extension("ir")).unwrap();
    let program = heapproof_ir::text::parse(&text).unwrap();
    let mut environment = Environment::usual(program.target, "data-structure".parse().unwrap());
    environment.malloc_may_fail = true;
    let source = std::fs::read_to_string(path(module).with_extension("c")).unwrap();
    for line in source.lines().filter_map(|line| line.strip_prefix("// requires: ")) {
        let (name, formula) = line.split_once(": ").unwrap();
        environment.requires.entry(name.to_owned()).or_default().push(formula.to_owned());
    }
    (program, environment)
}

pub fn report(module: &str, keep_goals: bool) -> Report {
    let (program, environment) = load(module);
    analyse(&program, &environment, keep_goals, None).unwrap()
}

/// What is wrongly proved or refuted, and what is not proved.
pub fn check(module: &str) -> (Vec<String>, Vec<String>) {
    let (program, environment) = load(module);
    let (mut wrong, mut missed) = (Vec::new(), Vec::new());
    for function in &analyse(&program, &environment, false, None).unwrap().functions {
        let name = function.name.clone();
        let good = name.starts_with("ok_") || name.starts_with("fine_");
        match &function.result {
            Ok(()) if name.starts_with("bad_") => wrong.push(format!("{name} is proved")),
            Err(stop) if name.starts_with("ok_") => missed.push(format!("{name}: {}", stop.why)),
            _ => {}
        }
        let runs = AtomicU32::new(0);
        let over = || runs.fetch_add(1, Ordering::Relaxed) >= RUNS;
        if good && let Some(found) = search(&program, &environment, function.function, &over).first() {
            wrong.push(format!("{name} is refuted: {:?}", found.run.outcome));
        }
    }
    (wrong, missed)
}

/// Functions that go wrong and are proved nevertheless.
pub fn proved_though_bad(module: &str) -> Vec<String> {
    let bad = report(module, false).functions.into_iter().filter(|f| f.name.starts_with("bad_"));
    bad.filter(|f| f.result.is_ok()).map(|f| f.name).collect()
}
