//! Deliberate faults, one at a time: do the tests notice?
//!
//! `cargo test --release -p heapproof-smg --features faults --lib -- --ignored --nocapture faults`

use super::tests::{analysis_of, audit_of, generator};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

/// The number of faults in the code.
const FAULTS: u32 = 42;

/// Faults that change nothing that can be wrong: what they break is also caught elsewhere, or is only cost.
const HARMLESS: [u32; 0] = [];

fn cases(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases").join(folder);
    let Ok(entries) = std::fs::read_dir(root) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|ext| ext == "c"));
    files.sort();
    files
}

/// What notices the fault that is switched on.
fn noticed(programs: &Path) -> Option<String> {
    for file in cases("smg-soundness").into_iter().chain(cases("smg")) {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let property =
            text.lines().find_map(|line| line.strip_prefix("// property: ")).unwrap_or("memsafety");
        if text.contains("// verdict: unsafe") && text.contains("target: lp64") {
            match std::panic::catch_unwind(|| analysis_of(&file, property, 2)) {
                Ok(Some(true)) => return Some(format!("case {name} is proved")),
                Ok(_) => {}
                Err(_) => return Some(format!("case {name}: crash")),
            }
        }
    }
    for seed in 0..60 {
        let path = programs.join("program.c");
        std::fs::write(&path, generator::generate(seed)).ok()?;
        if let Some((_, failures)) = audit_of(&path, seed, 1)
            && let Some(failure) = failures.first()
        {
            let what = failure.lines().next().unwrap_or_default().split(':').next().unwrap_or_default();
            return Some(format!("audit of program {seed}: {what}"));
        }
    }
    for file in cases("smg-soundness").into_iter().chain(cases("smg")) {
        if let Some((_, failures)) = audit_of(&file, 1, 1)
            && let Some(failure) = failures.first()
        {
            let what = failure.lines().next().unwrap_or_default().split(':').next().unwrap_or_default();
            let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            return Some(format!("audit of case {name}: {what}"));
        }
    }
    None
}

#[test]
#[ignore = "long"]
fn faults_are_noticed() {
    let directory = tempfile::tempdir().expect("a directory for the programs");
    std::panic::set_hook(Box::new(|_| {}));
    let only: Option<u32> = std::env::var("FAULT").ok().and_then(|n| n.parse().ok());
    let mut missed = Vec::new();
    for number in (1..=FAULTS).filter(|n| only.is_none_or(|only| only == *n)) {
        crate::FAULT.store(number, Ordering::Relaxed);
        let what = noticed(directory.path());
        println!("fault {number}: {}", what.as_deref().unwrap_or("NOT NOTICED"));
        if what.is_none() && !HARMLESS.contains(&number) {
            missed.push(number);
        }
    }
    crate::FAULT.store(0, Ordering::Relaxed);
    let _ = std::panic::take_hook();
    assert!(missed.is_empty(), "not noticed: {missed:?}");
}
