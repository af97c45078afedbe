//! Loop invariants that are missing: the cases without theirs. What breaks its contract is never proved with invariants that were found.

use heapproof_contracts::Contracts;
use heapproof_engine::{Budget, Engine, Environment, Findings, NoProgress, Source, Task};
use heapproof_ir::Target;
use heapproof_verdict::Verdict;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

fn case(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/contracts").join(format!("{name}.c"))
}

/// What the engine says of a case without its loop invariants.
fn without_invariants(name: &str) -> Findings {
    let text = std::fs::read_to_string(case(name)).expect("a case");
    let bare: String =
        text.lines().filter(|line| !line.contains("loop invariant")).fold(String::new(), |mut text, line| {
            text.push_str(line);
            text.push('\n');
            text
        });
    let path = std::env::temp_dir().join(format!("heapproof-bare-{}-{name}.c", std::process::id()));
    std::fs::write(&path, &bare).expect("a file");
    let options = heapproof_frontend::Options { target: Target::Lp64, ..Default::default() };
    let compiled = heapproof_frontend::compile(std::slice::from_ref(&path), &options);
    let _ = std::fs::remove_file(&path);
    let program = compiled.expect("it compiles").program;
    let sources = [Source::with_text(path.display().to_string(), &bare)];
    let environment = Environment::usual(program.target, "contracts".parse().expect("a property"));
    let task = Task::new(&program, &sources, &environment);
    let budget = Budget {
        deadline: None,
        states: 1_000,
        executions: 1_000,
        steps: 1_000_000,
        memory: 1 << 30,
        cancelled: Arc::new(AtomicBool::new(false)),
    };
    let engine = Contracts { solver: "z3".to_owned(), dump_queries: None, cache: None, suggest: false };
    engine.run(&task, &budget, &NoProgress)
}

fn is_proved(name: &str) -> bool {
    let findings = without_invariants(name);
    !findings.functions.is_empty()
        && findings.functions.iter().all(|function| function.verdict == Verdict::Safe)
}

#[test]
fn missing_invariants_are_found() {
    for name in ["iterate_acyclic", "slist_sorted_insert", "reverse_acyclic"] {
        assert!(is_proved(name), "{name}");
    }
}

#[test]
#[ignore = "takes minutes"]
fn most_cases_are_proved_without_their_invariants() {
    let all = [
        "allocator",
        "dlist_add",
        "dlist_remove",
        "iterate",
        "iterate_acyclic",
        "list_appl",
        "muh_free",
        "reverse_acyclic",
        "slist_add",
        "slist_sorted_insert",
    ];
    let proved: Vec<&str> = all.into_iter().filter(|name| is_proved(name)).collect();
    println!("{} of {}: {}", proved.len(), all.len(), proved.join(" "));
    assert_eq!(proved, all);
}

#[test]
fn what_is_wrong_is_not_proved() {
    for name in
        ["iterate_unsafe", "iterate_acyclic_unsafe", "slist_sorted_insert_unsafe", "reverse_acyclic_unsafe"]
    {
        let findings = without_invariants(name);
        let is_safe = findings.functions.iter().all(|function| function.verdict == Verdict::Safe);
        assert!(!is_safe, "{name}");
    }
}

#[test]
#[ignore = "takes minutes"]
fn no_unsafe_case_is_proved() {
    for name in ["allocator_unsafe", "muh_free_unsafe", "list_appl_unsafe"] {
        let findings = without_invariants(name);
        let is_safe = findings.functions.iter().all(|function| function.verdict == Verdict::Safe);
        assert!(!is_safe, "{name}");
    }
}
