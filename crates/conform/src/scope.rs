//! The list of tests that are out of scope, each with its reason.
//!
//! A line is `SUITE/NAME: REASON`, or `SUITE/NAME (ilp32): REASON` for one target, or `SUITE/DIRECTORY/: REASON`.
//! `SUITE/NAME (leaks): REASON` does not leave the test out: it loses memory, so it is asked for everything but leaks.
//! Lines that start with `#` and empty lines say nothing.

use std::collections::BTreeMap;

use crate::native::Target;

/// The list.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    reasons: BTreeMap<String, String>,
}

impl Scope {
    /// Reads the list; a line without a reason is an error.
    pub fn read(text: &str) -> Result<Scope, String> {
        let mut reasons = BTreeMap::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match line.split_once(": ") {
                Some((id, reason)) if !reason.trim().is_empty() => {
                    if reasons.insert(id.trim().to_string(), reason.trim().to_string()).is_some() {
                        return Err(format!("line {}: `{id}` is there twice", number + 1));
                    }
                }
                _ => return Err(format!("line {}: a test needs `: ` and a reason", number + 1)),
            }
        }
        Ok(Scope { reasons })
    }

    /// Whether the test of this id is known to lose memory.
    pub fn leaks(&self, id: &str) -> bool {
        self.reasons.contains_key(&format!("{id} (leaks)"))
    }

    /// Why the test of this id is out of scope, if it is.
    pub fn reason(&self, id: &str, target: Target) -> Option<&str> {
        let mut names = vec![id.to_string(), format!("{id} ({})", target.name())];
        names.extend(id.match_indices('/').map(|(at, _)| id[..=at].to_string()));
        names.iter().find_map(|name| self.reasons.get(name)).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_names_targets_and_directories() {
        let list = "# why\n\na/x.c: forks\na/y.c (ilp32): prints sizes\na/sub/: needs a device\n\
            a/w.c (leaks): frees nothing\n";
        let scope = Scope::read(list).unwrap();
        assert_eq!(scope.reason("a/x.c", Target::Lp64), Some("forks"));
        assert_eq!(scope.reason("a/y.c", Target::Lp64), None);
        assert_eq!(scope.reason("a/y.c", Target::Ilp32), Some("prints sizes"));
        assert_eq!(scope.reason("a/sub/z.c", Target::Lp64), Some("needs a device"));
        assert_eq!(scope.reason("a/z.c", Target::Lp64), None);
        assert_eq!(scope.reason("a/w.c", Target::Lp64), None);
        assert!(scope.leaks("a/w.c") && !scope.leaks("a/x.c"));
    }

    #[test]
    fn every_line_has_a_reason() {
        assert!(Scope::read("a/x.c").is_err());
        assert!(Scope::read("a/x.c: ").is_err());
        assert!(Scope::read("a/x.c: forks\na/x.c: waits\n").is_err());
    }
}
