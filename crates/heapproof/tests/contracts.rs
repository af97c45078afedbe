//! Annotated modules with known verdicts: `cases/contracts` and its neighbours. Contradicting the truth always fails.

use heapproof::check::{Options, check};
use heapproof::progress::Progress;
use heapproof_engine::Environment;
use heapproof_ir::Target;
use heapproof_verdict::{Answer, Verdict};
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases").join(name)
}

fn answer(path: &Path) -> Answer {
    let environment = Environment::usual(Target::Lp64, "contracts".parse().expect("a property"));
    let options = Options::new(environment);
    check(&[path.to_owned()], &options, &Progress::new()).expect("the case compiles").answer
}

/// The errors that a case names: class and line.
fn errors(text: &str) -> Vec<(String, u32)> {
    let named = text
        .lines()
        .filter_map(|line| line.strip_prefix("// error: ").or_else(|| line.strip_prefix("// also: ")));
    named
        .filter_map(|line| {
            let (class, line) = line.split_once(" line ")?;
            Some((class.to_owned(), line.trim().parse().ok()?))
        })
        .collect()
}

/// The cases of a folder that are not decided as they should be.
fn wrong_in(name: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    for entry in std::fs::read_dir(folder(name)).expect("the cases") {
        let path = entry.expect("a file").path();
        if path.extension().is_none_or(|end| end != "c") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a text");
        let is_safe = text.contains("// verdict: safe");
        let answer = answer(&path);
        let is_right = match (is_safe, answer.verdict) {
            (true, Verdict::Safe) => true,
            (false, Verdict::Unsafe) => answer.violations.iter().any(|violation| {
                errors(&text).contains(&(violation.class.to_string(), violation.location.line))
            }),
            _ => false,
        };
        if !is_right {
            wrong.push(format!("{}: {:?} {:?}", path.display(), answer.verdict, answer.reason));
        }
    }
    wrong
}

#[test]
fn contracts_are_proved_and_refuted() {
    let wrong = wrong_in("contracts");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn more_contracts_are_proved_and_refuted() {
    let wrong = wrong_in("contracts-own");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn contracts_with_named_predicates_are_proved() {
    let wrong = wrong_in("contracts-named");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
