//! The engine on programs written in the text form of `ir`: no compiler is needed, and every budget is counted in states.

mod arrays;
mod lists;

use heapproof_engine::Environment;
use heapproof_ir::Program;
use heapproof_smg::{Analysis, Options, Thresholds, TroubleKind, analyse};
use heapproof_verdict::ErrorClass;
use std::collections::BTreeSet;

/// What the programs call, and the type of their nodes; `main` is `f4`.
const PRELUDE: &str = r#"
target lp64
type t0 = int "int" size 4 signed
type t1 = struct "node" size 16 { 0 "next" t2; 64 "tag" t0 }
type t2 = pointer t1
func f0 "__VERIFIER_nondet_int"() -> (i32)
func f1 "malloc"(i64) -> (ptr)
func f2 "free"(ptr)
func f3 "reach_error"()
"#;

/// Analyses a program: what follows the prelude.
fn analysis(text: &str) -> Analysis {
    let functions = text.split_inclusive("\n}\n").map(without_gaps).collect::<String>();
    let program: Program = format!("{PRELUDE}\n{functions}").parse().expect("a program");
    let properties = "memsafety,unreach-call".parse().expect("properties");
    let options = Options {
        environment: Environment::usual(program.target, properties),
        deadline: None,
        cancelled: None,
        max_states: 60_000,
        delay: 32,
        thresholds: Thresholds::default(),
        keep_invariants: false,
        profile: false,
    };
    analyse(&program, &options)
}

/// A function with its registers numbered from 0 on, so that tests can leave lines out and put others in.
fn without_gaps(function: &str) -> String {
    let is_name = |c: char| c.is_alphanumeric() || c == '"' || c == '_';
    let words: Vec<&str> = function.split_inclusive(|c: char| !is_name(c)).collect();
    let register = |word: &str| word.trim_end_matches(|c| !is_name(c)).strip_prefix('r')?.parse::<u32>().ok();
    let used: BTreeSet<u32> = words.iter().filter_map(|word| register(word)).collect();
    let renamed = |word: &&str| match register(word) {
        Some(number) => {
            let new = used.range(..number).count();
            word.replace(&format!("r{number}"), &format!("r{new}"))
        }
        None => (*word).to_owned(),
    };
    words.iter().map(renamed).collect()
}

/// The program is proved.
#[track_caller]
fn proved(text: &str) {
    let analysis = analysis(text);
    assert!(analysis.is_proof(), "not proved: {:#?}", analysis.troubles);
}

/// The program is not proved, and the error is among what is suspected.
#[track_caller]
fn suspected(class: ErrorClass, text: &str) {
    let analysis = analysis(text);
    let found = analysis.troubles.iter().any(|trouble| trouble.kind == TroubleKind::Suspicion(class));
    assert!(found, "{class:?} is not suspected: {:#?}", analysis.troubles);
}
