//! Programs that were written to get a wrong proof: wrapping numbers, views of bytes, aliases, scopes, loops of all kinds.

mod parallel;
mod programs;

use parallel::in_parallel;
use programs::{compiled, findings, folder, is_proved};
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
