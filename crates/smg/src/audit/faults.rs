//! Deliberate faults, one at a time: do the tests notice?
//!
//! `cargo test --release -p heapproof-smg --features faults --lib -- --ignored --nocapture faults`

use super::tests::{audit_of, compile, generator, is_safe};
use heapproof_ir::Program;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

/// The number of faults in the code.
const FAULTS: u32 = 42;

/// Faults that cannot show: symbols that stand for many numbers are never operands, and 0/1 objects never neighbours.
const HARMLESS: [u32; 2] = [28, 36];

/// Unsafe programs for faults that no case shows.
const EXTRA: [(&str, &str); 3] = [
    (
        "block freed twice",
        "#include <stdlib.h>
        char *block;
        int main(void) {
            block = malloc(4);
            free(block);
            free(block);
            return 0;
        }",
    ),
    (
        "memory used again",
        "#include <stdlib.h>
        int main(void) {
            char *old = malloc(4);
            free(old);
            char *new = malloc(4);
            if (old == new) *(int *)0 = 1;
            free(new);
            return 0;
        }",
    ),
    (
        "copy of a part never written",
        "#include <assert.h>
        struct pair { int first, second; };
        int main(void) {
            struct pair from, to;
            from.first = 0;
            to = from;
            assert(((char *)&to)[4] == 0);
            return 0;
        }",
    ),
];

/// A program that the tests look at.
struct Specimen {
    name: String,
    program: Program,
    /// The property that it violates.
    violates: Option<String>,
}

fn files(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases").join(folder);
    let Ok(entries) = std::fs::read_dir(root) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|ext| ext == "c"));
    files.sort();
    files
}

fn case(path: &Path) -> Option<Specimen> {
    let text = std::fs::read_to_string(path).ok()?;
    let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
    if field("// target: ")? != "lp64" {
        return None;
    }
    let unsafe_case = field("// verdict: ")? == "unsafe";
    let violates = field("// property: ").filter(|_| unsafe_case);
    let name = format!("case {}", path.file_stem()?.to_string_lossy());
    Some(Specimen { name, program: compile(path)?, violates })
}

fn specimens() -> Vec<Specimen> {
    let directory = tempfile::tempdir().expect("a directory for the programs");
    let path = directory.path().join("program.c");
    let mut all: Vec<Specimen> = Vec::new();
    for seed in 0..60 {
        std::fs::write(&path, generator::generate(seed)).expect("the directory takes files");
        let Some(program) = compile(&path) else { continue };
        all.push(Specimen { name: format!("program {seed}"), program, violates: None });
    }
    for (name, text) in EXTRA {
        std::fs::write(&path, text).expect("the directory takes files");
        let Some(program) = compile(&path) else { continue };
        let violates = Some("memsafety,assertions".to_owned());
        all.push(Specimen { name: name.to_owned(), program, violates });
    }
    for folder in ["smg-soundness", "smg", "sl"] {
        all.extend(files(folder).iter().filter_map(|path| case(path)));
    }
    all
}

/// What notices the fault that is switched on.
fn noticed(specimens: &[Specimen]) -> Option<String> {
    let numbers: [(&str, fn()); 2] = [
        ("conditions_and_results_hold", super::numbers::conditions_and_results_hold),
        ("other_widths_hold", super::numbers::other_widths_hold),
    ];
    for (name, test) in numbers {
        if catch_unwind(test).is_err() {
            return Some(name.to_owned());
        }
    }
    for specimen in specimens {
        let Some(property) = &specimen.violates else { continue };
        match catch_unwind(AssertUnwindSafe(|| is_safe(&specimen.program, property, 1))) {
            Ok(true) => return Some(format!("{} is proved", specimen.name)),
            Ok(false) => {}
            Err(_) => return Some(format!("{}: crash", specimen.name)),
        }
    }
    for (seed, specimen) in specimens.iter().enumerate() {
        let (_, failures) = audit_of(&specimen.program, seed as u64, 1);
        if let Some(failure) = failures.first() {
            let what = failure.lines().next().unwrap_or_default().split(':').next().unwrap_or_default();
            return Some(format!("audit of {}: {what}", specimen.name));
        }
    }
    None
}

#[test]
#[ignore = "long"]
fn faults_are_noticed() {
    let specimens = specimens();
    std::panic::set_hook(Box::new(|_| {}));
    let only: Option<u32> = std::env::var("FAULT").ok().and_then(|n| n.parse().ok());
    let mut missed = Vec::new();
    for number in (1..=FAULTS).filter(|n| only.is_none_or(|only| only == *n)) {
        crate::FAULT.store(number, Ordering::Relaxed);
        let what = noticed(&specimens);
        println!("fault {number}: {}", what.as_deref().unwrap_or("NOT NOTICED"));
        if what.is_none() && !HARMLESS.contains(&number) {
            missed.push(number);
        }
    }
    crate::FAULT.store(0, Ordering::Relaxed);
    let _ = std::panic::take_hook();
    assert!(missed.is_empty(), "not noticed: {missed:?}");
}
