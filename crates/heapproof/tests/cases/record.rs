//! `cases/imprecision.toml`: what is `unknown` although its truth is known.

use crate::header::folder;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;

/// The engine that is measured.
const ENGINE: &str = "auto";

fn path() -> PathBuf {
    folder().join("imprecision.toml")
}

/// The names in the record.
pub fn load() -> BTreeSet<String> {
    names(&std::fs::read_to_string(path()).unwrap_or_default())
}

/// Replaces what the record says of the cases that were run; of others it says what it did.
pub fn update(run: &BTreeSet<String>, undecided: &BTreeSet<String>) {
    let of_case = |name: &str| name.split_once(':').map_or(name, |(case, _)| case).to_owned();
    let mut kept: BTreeSet<String> =
        load().into_iter().filter(|name| !run.contains(&of_case(name))).collect();
    kept.extend(undecided.iter().cloned());
    std::fs::write(path(), text(&kept)).unwrap();
}

fn names(text: &str) -> BTreeSet<String> {
    text.lines()
        .skip_while(|line| line.trim() != format!("[{ENGINE}]"))
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.trim().strip_prefix('"')?.split_once('"').map(|(name, _)| name.to_owned()))
        .collect()
}

fn text(names: &BTreeSet<String>) -> String {
    let mut text = String::from(
        "# Cases, and functions of cases, whose truth is known and whose answer is `unknown`, by engine.\n\
         # Rewritten by `UPDATE_CASES=1 cargo test -p heapproof --test cases`; see README.md.\n",
    );
    let _ = write!(text, "\n[{ENGINE}]\nunknown = [\n");
    for name in names {
        let _ = writeln!(text, "    \"{name}\",");
    }
    text.push_str("]\n");
    text
}

/// What is written is read back.
pub fn is_read_back() -> bool {
    let some: BTreeSet<String> = ["a/b", "c/d:f"].map(String::from).into();
    names(&text(&some)) == some
}
