//! Generated programs, executed by us and under clang's AddressSanitizer: the same output, and the same error at the
//! same line. `progen-compare` does this for any number of programs.

use heapproof_progen::Fault;
use heapproof_progen::asan::Sanitizer;
use heapproof_progen::compare::{Options, Plan, compare_all};
use std::ops::Range;
use std::sync::Mutex;

#[track_caller]
fn agree(plan: Plan, seeds: Range<u64>) {
    let options = Options {
        heapproof: Some(env!("CARGO_BIN_EXE_heapproof").into()),
        second: Some("gcc".into()),
        seeds,
        plan,
        jobs: std::thread::available_parallelism().map_or(2, |n| n.get()),
        keep: None,
        sanitizer: Sanitizer::default(),
    };
    let wrong = Mutex::new(Vec::new());
    let summary = compare_all(&options, |seed, program, outcome| {
        let text = format!("seed {seed}: {outcome:?}\n{}", program.source);
        wrong.lock().unwrap().push(text);
    })
    .unwrap();
    let wrong = wrong.into_inner().unwrap();
    assert!(summary.all_agreed(), "{}\n{}", wrong.join("\n"), summary.table());
}

#[test]
fn errors_of_every_class_are_seen_by_both() {
    agree(Plan::Classes(Fault::ALL.to_vec()), 7_000..7_000 + 3 * Fault::ALL.len() as u64);
}

#[test]
fn programs_without_errors_behave_the_same() {
    agree(Plan::Every(0), 8_000..8_021);
}

#[test]
fn a_write_right_behind_a_static_array_is_seen_by_both() {
    // At a constant address the sanitizer would miss it.
    agree(Plan::Variations, 11_473..11_474);
}
