//! Errors that are known: suppressed by a comment in the source, or in a baseline.
//!
//! `// heapproof: allow CLASS: reason` stands on the line of the error, or on lines of its own above it. A baseline is a list of
//! fingerprints: each stands for one error. Both say what is reported, never what is true: without its known errors a program is
//! not decided.

use crate::fingerprint;
use crate::source::Sources;
use heapproof_verdict::{Answer, ErrorClass, Location, Verdict, Violation};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// An error in a few words, with its fingerprint.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Entry {
    /// Where.
    #[serde(flatten)]
    pub location: Location,
    /// Its class.
    pub class: ErrorClass,
    /// The first unit of a project that has it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// What it is.
    pub message: String,
    /// What it is known by.
    pub fingerprint: String,
    /// Why it is suppressed, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suppressed: Option<String>,
    /// It is in the baseline.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_baseline: bool,
}

impl Entry {
    /// Of an error of a unit.
    pub fn of(violation: &Violation, unit: &str, sources: &mut Sources) -> Entry {
        let Violation { class, location, message, .. } = violation;
        Entry {
            location: location.clone(),
            class: *class,
            unit: unit.to_owned(),
            message: message.clone(),
            fingerprint: fingerprint::of(*class, location, message, sources),
            suppressed: None,
            in_baseline: false,
        }
    }

    /// True if it does not count.
    pub fn is_known(&self) -> bool {
        self.suppressed.is_some() || self.in_baseline
    }

    fn is(&self, violation: &Violation) -> bool {
        (self.class, &self.location) == (violation.class, &violation.location)
    }

    /// In a line.
    pub fn words(&self) -> String {
        format!("{}:{}: {}: {}", self.location.file, self.location.line, self.class.name(), self.message)
    }
}

/// A comment that suppresses errors.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Comment {
    /// The file.
    pub file: String,
    /// Its own line.
    pub line: u32,
    /// The line that it is about.
    pub about: u32,
    /// The class, as it was written.
    pub class: String,
    /// The reason.
    pub reason: String,
    /// It suppresses an error.
    #[serde(default)]
    pub used: bool,
    /// All that contains the file is proved, so an error that it could suppress would have been found.
    #[serde(default)]
    pub decided: bool,
}

const MARK: &str = "heapproof: allow";

/// The comments of a file that suppress errors.
pub fn comments(file: &str, text: &str) -> Vec<Comment> {
    if !text.contains(MARK) {
        return Vec::new();
    }
    let mut comments = Vec::new();
    let mut waiting: Vec<usize> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let number = index as u32 + 1;
        let found = line.find(MARK).and_then(|at| {
            let before = line[..at].trim_end();
            let code = before.strip_suffix("//").or_else(|| before.strip_suffix("/*"))?;
            Some((code.trim(), line[at + MARK.len()..].trim_end().trim_end_matches("*/").trim()))
        });
        let is_code = match found {
            Some((code, said)) => {
                let (class, reason) = said.split_once(':').unwrap_or((said, ""));
                waiting.push(comments.len());
                comments.push(Comment {
                    file: file.to_owned(),
                    line: number,
                    about: 0,
                    class: class.trim().to_owned(),
                    reason: reason.trim().to_owned(),
                    used: false,
                    decided: false,
                });
                !code.is_empty()
            }
            None => {
                let line = line.trim();
                !line.is_empty() && !line.starts_with("//")
            }
        };
        if is_code {
            waiting.drain(..).for_each(|comment| comments[comment].about = number);
        }
    }
    comments
}

impl Comment {
    /// What is wrong with it, if something is.
    pub fn mistake(&self) -> Option<String> {
        let place = format!("{}:{}", self.file, self.line);
        match self.class.parse::<ErrorClass>() {
            Err(_) => {
                Some(format!("{place}: `{}` is no class of errors, so nothing is suppressed", self.class))
            }
            Ok(_) if self.reason.is_empty() => Some(format!(
                "{place}: nothing is suppressed without a reason: // heapproof: allow {}: reason",
                self.class
            )),
            Ok(_) if self.about == 0 => Some(format!("{place}: no line follows that could have an error")),
            Ok(_) => None,
        }
    }

    /// A note about one that is no longer needed.
    pub fn stale(&self) -> Option<String> {
        let is_stale = self.mistake().is_none() && self.decided && !self.used;
        let place = format!("{}:{}", self.file, self.line);
        is_stale.then(|| format!("{place}: `allow {}` is stale: there is no such error any more", self.class))
    }

    fn fits(&self, entry: &Entry) -> bool {
        self.mistake().is_none()
            && (self.file.as_str(), self.about) == (entry.location.file.as_str(), entry.location.line)
            && self.class == entry.class.name()
    }
}

/// Marks the errors that comments suppress, and the comments that do.
pub fn suppress(errors: &mut [Entry], comments: &mut [Comment]) {
    for entry in errors {
        for comment in comments.iter_mut() {
            if comment.fits(entry) {
                comment.used = true;
                entry.suppressed.get_or_insert_with(|| comment.reason.clone());
            }
        }
    }
}

/// Removes the known errors from an answer; what has no other error is not decided then.
pub fn leave_out(answer: &mut Answer, known: &[&Entry]) {
    let is_known = |violation: &Violation| known.iter().any(|entry| entry.is(violation));
    let mut count = answer.violations.len();
    answer.violations.retain(|violation| !is_known(violation));
    count -= answer.violations.len();
    for function in &mut answer.functions {
        let before = function.violations.len();
        function.violations.retain(|violation| !is_known(violation));
        let left_out = before - function.violations.len();
        count += left_out;
        if left_out > 0 && function.violations.is_empty() && function.verdict == Verdict::Unsafe {
            function.verdict = Verdict::Unknown;
            function.reason = Some(KNOWN_ERRORS.to_owned());
        }
    }
    let is_left = !answer.violations.is_empty() || answer.functions.iter().any(|f| !f.violations.is_empty());
    if count > 0 && !is_left && answer.verdict == Verdict::Unsafe {
        answer.verdict = Verdict::Unknown;
        answer.reason = Some(KNOWN_ERRORS.to_owned());
        answer.proofs.clear();
    }
}

/// Why an answer without its known errors is not decided.
pub const KNOWN_ERRORS: &str =
    "it has known errors (suppressed or in the baseline); what happens after them is not known";

/// A list of errors that do not count.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Baseline {
    /// The form of the file.
    pub version: u32,
    /// The errors; one each.
    pub errors: Vec<Listed>,
}

/// An error of a baseline. Only the fingerprint counts; the rest is for people.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Listed {
    /// The file in which it was.
    pub file: String,
    /// The function.
    pub function: String,
    /// Its class.
    pub class: ErrorClass,
    /// What it is.
    pub message: String,
    /// What it is known by.
    pub fingerprint: String,
}

impl Baseline {
    const VERSION: u32 = 1;

    /// Reads one.
    pub fn read(path: &Path) -> Result<Baseline, String> {
        let place = path.display();
        let text = std::fs::read(path).map_err(|why| format!("cannot read the baseline {place}: {why}"))?;
        let read: Baseline =
            serde_json::from_slice(&text).map_err(|why| format!("{place} is no baseline: {why}"))?;
        match read.version {
            Baseline::VERSION => Ok(read),
            other => {
                Err(format!("the baseline {place} is of version {other}, and {} is known", Self::VERSION))
            }
        }
    }

    /// Writes it.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        let text = serde_json::to_string_pretty(self).unwrap_or_default() + "\n";
        std::fs::write(path, text)
            .map_err(|why| format!("cannot write the baseline {}: {why}", path.display()))
    }

    /// Of errors: those that no comment suppresses.
    pub fn of(errors: &[Entry]) -> Baseline {
        let listed = |entry: &Entry| Listed {
            file: entry.location.file.clone(),
            function: entry.location.function.clone(),
            class: entry.class,
            message: entry.message.clone(),
            fingerprint: entry.fingerprint.clone(),
        };
        let mut errors: Vec<Listed> =
            errors.iter().filter(|entry| entry.suppressed.is_none()).map(listed).collect();
        errors.sort();
        Baseline { version: Baseline::VERSION, errors }
    }

    /// Marks the errors that it lists, those in the same file first, and returns what it lists and is not there.
    pub fn mark<'a>(&'a self, errors: &mut [Entry]) -> Vec<&'a Listed> {
        let mut left: BTreeMap<&str, Vec<&Listed>> = BTreeMap::new();
        for listed in &self.errors {
            left.entry(&listed.fingerprint).or_default().push(listed);
        }
        for same_file in [true, false] {
            for entry in errors.iter_mut().filter(|entry| !entry.in_baseline && entry.suppressed.is_none()) {
                let Some(listed) = left.get_mut(entry.fingerprint.as_str()) else { continue };
                let fits = |listed: &&Listed| !same_file || listed.file == entry.location.file;
                if let Some(at) = listed.iter().position(fits) {
                    listed.remove(at);
                    entry.in_baseline = true;
                }
            }
        }
        left.into_values().flatten().collect()
    }
}

/// What has changed between two lists of errors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// Only in the new one.
    pub new: Vec<Entry>,
    /// Only in the old one.
    pub gone: Vec<Listed>,
    /// In both.
    pub still: Vec<Entry>,
}

/// Compares two lists of errors by fingerprints. Suppressed ones are left out.
pub fn difference(old: &[Entry], new: &[Entry]) -> Difference {
    let old = Baseline::of(old);
    let mut entries: Vec<Entry> = new.iter().filter(|entry| entry.suppressed.is_none()).cloned().collect();
    entries.iter_mut().for_each(|entry| entry.in_baseline = false);
    let gone = old.mark(&mut entries).into_iter().cloned().collect();
    let (still, new) = entries.into_iter().partition(|entry| entry.in_baseline);
    Difference { new, gone, still }
}

/// The comments of many files, which are read from a folder.
pub fn comments_of(files: &BTreeSet<String>, folder: &Path) -> Vec<Comment> {
    let of = |file: &String| {
        let path = folder.join(file);
        let is_file = path.metadata().is_ok_and(|metadata| metadata.is_file());
        let bytes = if is_file { std::fs::read(&path).unwrap_or_default() } else { Vec::new() };
        comments(file, &String::from_utf8_lossy(&bytes))
    };
    files.iter().flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    fn entry(file: &str, line: u32, fingerprint: &str) -> Entry {
        Entry {
            location: Location { file: file.into(), line, column: 1, function: "f".into() },
            class: ErrorClass::Leak,
            unit: String::new(),
            message: "lost".into(),
            fingerprint: fingerprint.into(),
            suppressed: None,
            in_baseline: false,
        }
    }

    #[test]
    fn comments_on_and_above_the_line() {
        let text = "f(); // heapproof: allow leak: known\n\n  /* heapproof: allow double-free: a: b */\n// more\n\nx;\n\
                    // heapproof: allow leek: x\n// heapproof: allow leak\ny;\n// heapproof: allow leak: end\n\
                    s = \"heapproof: allow leak: x\";\n";
        let found = comments("a.c", text);
        let about: Vec<_> =
            found.iter().map(|c| (c.line, c.about, c.class.as_str(), c.reason.as_str())).collect();
        assert_eq!(
            about,
            [
                (1, 1, "leak", "known"),
                (3, 6, "double-free", "a: b"),
                (7, 9, "leek", "x"),
                (8, 9, "leak", ""),
                (10, 11, "leak", "end")
            ]
        );
        let mistakes: Vec<_> = found.iter().filter_map(Comment::mistake).collect();
        assert_eq!(mistakes.len(), 2);
        assert!(mistakes[0].contains("`leek` is no class") && mistakes[1].contains("without a reason"));
        let mut errors = [entry("a.c", 1, "1"), entry("a.c", 6, "2"), entry("b.c", 1, "3")];
        let mut found = found;
        suppress(&mut errors, &mut found);
        assert_eq!(errors[0].suppressed.as_deref(), Some("known"));
        assert!(found[0].used && !errors[1].is_known() && !errors[2].is_known());
        found.iter_mut().for_each(|comment| comment.decided = true);
        assert_eq!(found.iter().filter_map(Comment::stale).count(), 2);
    }

    #[test]
    fn a_suppressed_error_never_makes_safe() {
        let mut answer = samples::use_after_free("a.c");
        let mut entry = Entry::of(&answer.violations[0], "", &mut Sources::new());
        leave_out(&mut answer, &[]);
        assert_eq!(answer.verdict, Verdict::Unsafe);
        entry.suppressed = Some("known".into());
        leave_out(&mut answer, &[&entry]);
        assert_eq!((answer.verdict, answer.violations.len()), (Verdict::Unknown, 0));
        assert_eq!(answer.reason.as_deref(), Some(KNOWN_ERRORS));
    }

    #[test]
    fn each_entry_of_a_baseline_stands_for_one_error() {
        let baseline = Baseline::of(&[entry("a.c", 1, "x"), entry("b.c", 2, "x"), entry("c.c", 3, "y")]);
        // Lines moved, a file was renamed, one error is new, one is gone.
        let mut now = [entry("new.c", 7, "x"), entry("a.c", 9, "x"), entry("d.c", 1, "x")];
        let stale = baseline.mark(&mut now);
        assert_eq!(stale.iter().map(|listed| listed.fingerprint.as_str()).collect::<Vec<_>>(), ["y"]);
        assert_eq!(now.iter().map(|entry| entry.in_baseline).collect::<Vec<_>>(), [true, true, false]);
        let difference = difference(&now[..1], &now);
        assert_eq!((difference.still.len(), difference.new.len(), difference.gone.len()), (1, 2, 0));
    }
}
