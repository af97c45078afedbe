//! Deliberate faults, one at a time: each is noticed. A program with an error is proved, or the second opinion takes a claim back.
//!
//! `cargo test --release -p heapproof-templates --features faults --test faults`
#![cfg(feature = "faults")]

mod programs;

use heapproof_engine::Findings;
use heapproof_templates::FAULT;
use heapproof_verdict::Obstacle;
use programs::{compiled, findings, findings_by_induction, folder, is_proved};
use std::sync::atomic::Ordering;

/// The fault, and the program that shows it.
const FAULTS: [(u32, &str); 32] = [
    (1, "templates-soundness/parameter-by-address"),
    (2, "templates-soundness/unsigned-compare"),
    (3, "templates-soundness/shift-too-far"),
    (4, "templates-soundness/unsigned-char-compare"),
    (5, "templates-soundness/byte-order"),
    (6, "templates-soundness/one-of-two-outside"),
    (7, "templates-soundness/pointer-goes-back"),
    (8, "templates-soundness/unset-on-one-way"),
    (9, "templates-soundness/tail-of-a-literal"),
    (10, "templates-soundness/four-nodes"),
    (11, "templates-soundness/nodes-differ"),
    (12, "templates-soundness/uninitialised-differs"),
    (13, "templates-soundness/container-of"),
    (14, "templates-soundness/union-pointer"),
    (15, "templates-soundness/switch-default"),
    (16, "templates-soundness/goto-loop"),
    (17, "templates-soundness/divided-by-zero"),
    (18, "templates-soundness/recursion"),
    (19, "templates-soundness/long-counter"),
    (20, "templates-soundness/realloc-moves"),
    (21, "templates-soundness/goto-loop"),
    (22, "templates-soundness/write-through-a-neighbour"),
    (23, "templates-soundness/last-two-differ"),
    (24, "templates-soundness/goto-loop"),
    (25, "templates/budget"),
    (26, "templates-soundness/function-pointers"),
    (27, "templates-soundness/divided-by-zero"),
    (28, "templates-soundness/overlapping-view"),
    (29, "templates-soundness/static-local"),
    (30, "templates-soundness/first-round-only"),
    (31, "templates-soundness/every-second-round"),
    (32, "templates-soundness/no-round-at-all"),
];

/// Faults from this one on are in k-induction, so they are looked for with nothing else.
const OF_INDUCTION: u32 = 30;

fn run(fault: u32, case: &str) -> Findings {
    let (program, target) = compiled(&folder(&format!("{case}.c")));
    if fault < OF_INDUCTION { findings(&program, target) } else { findings_by_induction(&program, target, 2) }
}

fn is_taken_back(findings: &Findings) -> bool {
    findings.obstacles.iter().any(|o| matches!(o, Obstacle::Helper { text } if text.contains("took back")))
}

/// Which cases notice a fault.
fn search(fault: u32) {
    for entry in std::fs::read_dir(folder("templates-soundness")).expect("the cases") {
        let (program, target) = compiled(&entry.as_ref().expect("a case").path());
        let findings = findings(&program, target);
        if is_proved(&findings) || is_taken_back(&findings) {
            println!("{fault}: {}", entry.expect("a case").path().display());
        }
    }
}

#[test]
fn each_fault_is_noticed() {
    let mut missed = Vec::new();
    for (fault, case) in FAULTS {
        FAULT.store(fault, Ordering::Relaxed);
        let findings = run(fault, case);
        if std::env::var_os("FAULT_SEARCH").is_some() && !is_proved(&findings) && !is_taken_back(&findings) {
            search(fault);
        }
        FAULT.store(0, Ordering::Relaxed);
        let how = match (is_proved(&findings), is_taken_back(&findings)) {
            (_, true) => "a claim is taken back",
            (true, _) => "is proved",
            _ => {
                missed.push(fault);
                "nothing"
            }
        };
        println!("| {fault} | `{case}`: {how} |");
    }
    assert!(missed.is_empty(), "not noticed: {missed:?}");
}
