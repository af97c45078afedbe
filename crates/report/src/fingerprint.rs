//! Fingerprints of errors: by what stands at the place, not by the number of its line or the name of its file.
//!
//! So an error keeps its fingerprint if lines are moved or a file is renamed. Two errors may have the same one (two programs
//! with the same line in `main`); [`numbered`] tells them apart.

use crate::source::Sources;
use heapproof_verdict::{ErrorClass, Location};
use std::collections::HashMap;

/// How many digits a fingerprint has.
const DIGITS: usize = 16;
/// A line with fewer letters and digits than this (`}`) says nothing about the error.
const FEW: usize = 4;

/// The fingerprint of an error of a class at a place: a hash over class, function and text of the line.
pub fn of(class: ErrorClass, place: &Location, message: &str, sources: &mut Sources) -> String {
    let line = sources.text(&place.file, place.line).map(|line| content(&line));
    let says_much =
        |line: &String| line.bytes().filter(|byte| byte.is_ascii_alphanumeric()).take(FEW).count() == FEW;
    let names = || message.split('`').skip(1).step_by(2).collect::<Vec<_>>().join("`");
    let text = match line {
        Some(line) if says_much(&line) => line,
        Some(line) => format!("{line}`{}", names()),
        None => message.chars().filter(|c| !c.is_ascii_digit()).collect(),
    };
    let mut hasher = blake3::Hasher::new();
    for part in [class.name(), &place.function, &text] {
        hasher.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
    }
    let mut digits = hasher.finalize().to_hex().to_string();
    digits.truncate(DIGITS);
    digits
}

/// Fingerprints of a report that no two results share: `HASH:1`, `HASH:2`, in the order of the results.
pub fn numbered<'a>(fingerprints: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut seen: HashMap<&str, u32> = HashMap::new();
    let number = |fingerprint: &'a str| {
        let count = seen.entry(fingerprint).or_default();
        *count += 1;
        format!("{fingerprint}:{count}")
    };
    fingerprints.into_iter().map(number).collect()
}

/// A line without blanks and without the comment that suppresses an error on it.
fn content(line: &str) -> String {
    let code = line.find("heapproof: allow").map_or(line, |at| {
        let before = &line[..at];
        before.rfind("//").or_else(|| before.rfind("/*")).map_or(line, |start| &before[..start])
    });
    code.chars().filter(|c| !c.is_whitespace()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_line(text: &str, line: u32) -> String {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        let place =
            Location { file: file.path().display().to_string(), line, column: 1, function: "f".into() };
        of(
            ErrorClass::Leak,
            &place,
            "a block of 4 bytes is lost when `p` goes out of scope",
            &mut Sources::new(),
        )
    }

    #[test]
    fn moved_lines_and_other_files_have_the_same() {
        let first = of_line("int x;\nfree(p->next);\n", 2);
        assert_eq!(first, of_line("\n\n\tfree (p->next); // heapproof: allow leak: why not\n", 3));
        assert_ne!(first, of_line("free(p->last);\n", 1));
        assert_ne!(first, of_line("}\n", 1));
        assert_eq!(of_line("}\n", 1), of_line("\n  }\n", 2));
        assert_eq!(first.len(), DIGITS);
    }

    #[test]
    fn equal_ones_are_numbered() {
        assert_eq!(numbered(["a", "b", "a"]), ["a:1", "b:1", "a:2"]);
    }
}
