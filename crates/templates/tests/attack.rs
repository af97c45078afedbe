//! Programs that were written to get a wrong proof: wrapping numbers, views of bytes, aliases, scopes, loops of all kinds.

mod parallel;
mod programs;

use heapproof_verdict::Property;
use parallel::in_parallel;
use programs::{all_with, compiled, findings, findings_by_induction, folder, is_proved, memory_findings};
use std::path::PathBuf;

#[test]
fn none_is_proved() {
    let entries = std::fs::read_dir(folder("templates-soundness")).expect("the cases");
    let files: Vec<PathBuf> = entries.map(|entry| entry.expect("a case").path()).collect();
    assert!(files.len() >= 50, "{} programs", files.len());
    in_parallel(files, |file| {
        let (program, target) = compiled(&file);
        assert!(!is_proved(&findings(&program, target)), "{} is proved", file.display());
    });
}

#[test]
fn none_is_proved_by_k_induction() {
    let entries = std::fs::read_dir(folder("templates-soundness")).expect("the cases");
    in_parallel(entries, |entry| {
        let file = entry.expect("a case").path();
        let (program, target) = compiled(&file);
        let is_proved = (2..=4).any(|turns| is_proved(&findings_by_induction(&program, target, turns)));
        assert!(!is_proved, "{} is proved", file.display());
    });
}

/// Errors that are accesses or releases.
const MEMORY_ERRORS: [&str; 7] = [
    "double-free",
    "invalid-free",
    "null-deref",
    "out-of-bounds",
    "readonly-write",
    "use-after",
    "wild-deref",
];

#[test]
fn no_memory_error_is_missed() {
    let files =
        all_with(|text| MEMORY_ERRORS.iter().any(|class| text.contains(&format!("// error: {class}"))));
    assert!(files.len() >= 200, "{} programs", files.len());
    in_parallel(files, |file| {
        let (program, target) = compiled(&file);
        let proof = memory_findings(&program, target).proof;
        let is_shown = |property| proof.as_ref().is_some_and(|proof| proof.shows.contains(&property));
        let is_proved = is_shown(Property::ValidDeref) && is_shown(Property::ValidFree);
        assert!(!is_proved, "the memory of {} is proved", file.display());
    });
}
