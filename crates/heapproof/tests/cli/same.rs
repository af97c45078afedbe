//! Equal input gives the equal answer, whatever else the machine does.

use crate::support::Desk;
use std::path::Path;

/// Programs that proofs, paths with a solver, and random executions decide.
const PROGRAMS: [&str; 5] = [
    "symheap/checksum-xor",
    "symheap/word-by-characters",
    "sl/realloc-grow",
    "sl/ptr-to-ptr-leak",
    "cells/hash-table",
];

/// The answer without what tells how long it took.
fn answer(desk: &Desk, name: &str) -> serde_json::Value {
    let output = desk.run_within(600.0, &format!("check {name}.c --format json --timeout 600"));
    let mut json = output.json();
    let fields = json.as_object_mut().expect("an object");
    fields.remove("elapsed_ms");
    if let Some(counts) = fields.get_mut("statistics").and_then(|counts| counts.as_object_mut()) {
        counts.retain(|key, _| !key.contains("microseconds"));
    }
    json
}

#[test]
fn ten_answers_are_the_same() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases");
    let desk = Desk::new();
    for path in PROGRAMS {
        let name = path.rsplit('/').next().expect("a name");
        desk.file(&format!("{name}.c"), std::fs::read(cases.join(path).with_extension("c")).unwrap());
        let first = answer(&desk, name);
        // One alone, then three side by side, then six: they get their turns in different ways.
        for together in [3, 6] {
            std::thread::scope(|scope| {
                let others: Vec<_> = (0..together).map(|_| scope.spawn(|| answer(&desk, name))).collect();
                for other in others {
                    assert_eq!(other.join().unwrap(), first, "{path}");
                }
            });
        }
    }
}
