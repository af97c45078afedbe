//! Soundness of the engine: what it proves, no concrete execution may refute.

mod buffers;
mod cases;
mod generator;
mod inputs;
mod models;
mod oracle;
mod text;

use oracle::Opinion;

/// The most configurations of one program.
const CONFIGURATIONS: u64 = 5_000;

/// Proves and runs the programs of some seeds; gives how many are proved and how many refuted.
fn compare(generate: fn(u64) -> String, seeds: std::ops::Range<u64>, runs: u64) -> (usize, usize) {
    let directory = tempfile::tempdir().expect("a directory for the programs");
    let properties = oracle::properties();
    let (mut proved, mut refuted) = (0, 0);
    for seed in seeds {
        let text = generate(seed);
        // A planted fault may use a variable that is not there.
        let Ok(program) = oracle::compile(&text, directory.path(), "program") else { continue };
        let safe = oracle::opinion(&program, &properties, CONFIGURATIONS) == Opinion::Proved;
        let fault = oracle::refute(&program, &properties, seed, if safe { runs } else { 30 });
        proved += usize::from(safe);
        refuted += usize::from(fault.is_some());
        if let (true, Some(fault)) = (safe, fault) {
            panic!("program {seed} is proved, but fails: {fault}\n{text}");
        }
    }
    (proved, refuted)
}

#[test]
fn no_execution_refutes_a_proof() {
    let (proved, refuted) = compare(generator::generate, 0..80, 400);
    // The test would say nothing if nearly all programs were of one kind.
    assert!(proved >= 8 && refuted >= 20, "{proved} proved, {refuted} refuted");
}

#[test]
fn no_execution_refutes_a_proof_about_buffers() {
    let (proved, refuted) = compare(buffers::generate, 0..30, 100);
    assert!(proved >= 4 && refuted >= 4, "{proved} proved, {refuted} refuted");
}

/// `PROGRAMS=FIRST,COUNT cargo test --release -p heapproof-smg --test soundness -- --ignored --nocapture`
#[test]
#[ignore = "long"]
fn no_execution_refutes_many_proofs() {
    let range = std::env::var("PROGRAMS").unwrap_or_else(|_| "1000,2000".to_owned());
    let (first, count) = range.split_once(',').expect("two numbers");
    let (first, count): (u64, u64) = (first.parse().expect("a number"), count.parse().expect("a number"));
    for (what, generate) in
        [("lists", generator::generate as fn(u64) -> String), ("buffers", buffers::generate)]
    {
        let (proved, refuted) = compare(generate, first..first + count, 1000);
        println!("{count} programs of {what}, {proved} proved, {refuted} refuted");
    }
}
