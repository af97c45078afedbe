//! Soundness of the engine: what it proves, no concrete execution may refute.

mod generator;
mod oracle;
mod text;

use std::time::Duration;

#[test]
fn no_execution_refutes_a_proof() {
    let directory = tempfile::tempdir().expect("a directory for the programs");
    let properties = oracle::properties();
    let (mut proved, mut refuted) = (0, 0);
    for seed in 0..80 {
        let text = generator::generate(seed);
        let program = oracle::compile(&text, directory.path(), "program")
            .unwrap_or_else(|why| panic!("program {seed} does not compile: {why}\n{text}"));
        let safe = oracle::proves(&program, &properties, Duration::from_secs(2));
        let fault = oracle::refute(&program, &properties, seed, if safe { 400 } else { 30 });
        proved += usize::from(safe);
        refuted += usize::from(fault.is_some());
        if let (true, Some(fault)) = (safe, fault) {
            panic!("program {seed} is proved, but fails: {fault}\n{text}");
        }
    }
    // The test would say nothing if nearly all programs were of one kind.
    assert!(proved >= 8 && refuted >= 20, "{proved} proved, {refuted} refuted");
}
