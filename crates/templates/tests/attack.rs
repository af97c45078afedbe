//! Programs that were written to get a wrong proof: wrapping numbers, views of bytes, aliases, scopes, loops of all kinds.

mod programs;

use programs::{compiled, findings, folder, is_proved};

#[test]
fn none_is_proved() {
    let mut count = 0;
    for entry in std::fs::read_dir(folder("templates-soundness")).expect("the cases") {
        let file = entry.expect("a case").path();
        let (program, target) = compiled(&file);
        assert!(!is_proved(&findings(&program, target)), "{} is proved", file.display());
        count += 1;
    }
    assert!(count >= 50, "{count} programs");
}
