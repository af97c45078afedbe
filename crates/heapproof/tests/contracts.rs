//! Annotated modules with known verdicts: `cases/contracts`. Contradicting the truth always fails.

use heapproof::check::{Options, check};
use heapproof::progress::Progress;
use heapproof_engine::Environment;
use heapproof_ir::Target;
use heapproof_verdict::{Answer, Verdict};
use std::path::{Path, PathBuf};

/// Cases that take long; they are looked at by hand.
const LONG: [&str; 6] =
    ["list_appl", "list_appl_unsafe", "dlist_add", "dlist_remove", "dlist_remove_unsafe", "allocator"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/contracts")
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

#[test]
fn contracts_are_proved_and_refuted() {
    let mut wrong = Vec::new();
    for entry in std::fs::read_dir(folder()).expect("the cases") {
        let path = entry.expect("a file").path();
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        if path.extension().is_none_or(|end| end != "c") || LONG.contains(&name.as_str()) {
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
            wrong.push(format!("{name}: {:?} {:?}", answer.verdict, answer.reason));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
