//! The answer about a project: units with their answers, what was not analysed, and the parts that shards make.
//!
//! Everything but [`Times`] depends on the content of the project alone, so reports of equal projects are equal.

use crate::plan::UnitKind;
use crate::{Cause, NotAnalysed};
use heapproof_report::known::{self, Baseline, Comment, Entry, Listed};
use heapproof_report::source::Sources;
use heapproof_verdict::{Answer, Verdict, Violation};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The answer about a unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitReport {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: UnitKind,
    /// Its source files, from the root of the project.
    pub files: Vec<String>,
    /// What is not known of it.
    pub gaps: Vec<String>,
    /// The answer; paths are from the root, and times are 0.
    pub answer: Answer,
}

/// Which part of the units a run looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// The number of this one, from 1.
    pub number: u32,
    /// How many there are.
    pub of: u32,
    /// A hash over the names and keys of all units: shards of different projects do not fit together.
    pub plan: String,
    /// Units of other shards.
    pub elsewhere: u64,
}

/// What differs between equal runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Times {
    /// The whole run.
    pub elapsed_ms: u64,
    /// Units whose answers were kept from an earlier run.
    pub cached: u64,
    /// Files that were compiled in this run.
    pub compiled: u64,
    /// What each unit took when it was analysed.
    pub units: BTreeMap<String, u64>,
}

/// Counts of a report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// Units with an answer.
    pub units: u64,
    /// Of these, proved.
    pub safe: u64,
    /// With errors.
    #[serde(rename = "unsafe")]
    pub unsafe_: u64,
    /// Not decided.
    pub unknown: u64,
    /// Errors that count, each place and class once.
    pub errors: u64,
    /// Errors that are suppressed by comments.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub suppressed: u64,
    /// Errors that are in the baseline.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub in_baseline: u64,
    /// Units that are not decided, by the first obstacle.
    pub unknown_by_cause: BTreeMap<String, u64>,
    /// Files and units that were not analysed, by cause.
    pub not_analysed_by_cause: BTreeMap<Cause, u64>,
}

/// The answer about a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The version of heapproof.
    pub heapproof: String,
    /// The verdict about all of it.
    pub verdict: Verdict,
    /// Counts.
    pub summary: Summary,
    /// What was left out on demand (`--only`, `--changed-since`), in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selection: Option<String>,
    /// The part that this is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// Units by name.
    pub units: Vec<UnitReport>,
    /// All errors, each once, with those that do not count.
    #[serde(default)]
    pub errors: Vec<Entry>,
    /// Comments in the sources that suppress errors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suppressions: Vec<Comment>,
    /// What was not analysed.
    pub not_analysed: Vec<NotAnalysed>,
    /// What is worth knowing, such as options that were left out.
    pub notes: Vec<String>,
    /// What differs between equal runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<Times>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Report {
    /// Lists the errors with their fingerprints, and applies the comments that suppress some. `reads` says which files a unit is
    /// made of, headers included.
    pub fn with_errors(
        mut self,
        folder: &Path,
        reads: &BTreeMap<String, BTreeSet<String>>,
        mut comments: Vec<Comment>,
    ) -> Report {
        let mut sources = Sources::below(folder);
        let listed = self.errors_of_units();
        let listed: Vec<Entry> =
            listed.into_iter().map(|(unit, error)| Entry::of(error, &unit.name, &mut sources)).collect();
        self.errors = listed;
        known::suppress(&mut self.errors, &mut comments);
        for comment in &mut comments {
            comment.decided = self.selection.is_none()
                && self.units.iter().all(|unit| {
                    let is_read = reads.get(&unit.name).is_none_or(|files| files.contains(&comment.file));
                    !is_read || unit.answer.verdict == Verdict::Safe
                });
        }
        self.suppressions = comments;
        self.finish()
    }

    /// Applies a baseline, and returns what it lists and is not there any more.
    pub fn with_baseline(mut self, baseline: &Baseline) -> (Report, Vec<Listed>) {
        let gone = baseline.mark(&mut self.errors).into_iter().cloned().collect();
        (self.finish(), gone)
    }

    /// Comments that suppress nothing although they should, and those that are not needed any more.
    pub fn about_suppressions(&self) -> Vec<String> {
        let all_done = self.not_analysed.iter().all(|entry| entry.accepted);
        let stale = |comment: &Comment| comment.stale().filter(|_| all_done);
        self.suppressions.iter().filter_map(|comment| comment.mistake().or_else(|| stale(comment))).collect()
    }

    /// Sorts everything, and counts and decides.
    pub fn finish(mut self) -> Report {
        self.units.sort_by(|a, b| a.name.cmp(&b.name));
        self.not_analysed.sort();
        self.not_analysed.dedup();
        self.notes.sort();
        self.notes.dedup();
        self.errors.sort();
        self.errors.dedup_by(|a, b| (a.class, &a.location) == (b.class, &b.location));
        self.suppressions.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
        self.suppressions.dedup_by(|b, a| {
            let is_same = (&a.file, a.line) == (&b.file, b.line);
            if is_same {
                a.used |= b.used;
                a.decided &= b.decided;
            }
            is_same
        });
        let known: Vec<&Entry> = self.errors.iter().filter(|entry| entry.is_known()).collect();
        for unit in &mut self.units {
            known::leave_out(&mut unit.answer, &known);
            unit.settle();
        }
        self.summary = self.counted();
        self.verdict = self.decided();
        self
    }

    fn decided(&self) -> Verdict {
        let is_open = self.not_analysed.iter().any(|entry| !entry.accepted);
        let all = |verdict| self.units.iter().all(|unit| unit.answer.verdict == verdict);
        let nothing = self.units.is_empty() || self.shard.as_ref().is_some_and(|shard| shard.elsewhere > 0);
        match () {
            () if self.units.iter().any(|unit| unit.answer.verdict == Verdict::Unsafe) => Verdict::Unsafe,
            () if is_open || nothing || !all(Verdict::Safe) => Verdict::Unknown,
            () => Verdict::Safe,
        }
    }

    fn counted(&self) -> Summary {
        let mut summary = Summary { units: self.units.len() as u64, ..Summary::default() };
        for unit in &self.units {
            match unit.answer.verdict {
                Verdict::Safe => summary.safe += 1,
                Verdict::Unsafe => summary.unsafe_ += 1,
                Verdict::Unknown => {
                    summary.unknown += 1;
                    *summary.unknown_by_cause.entry(unit.cause()).or_default() += 1;
                }
            }
        }
        for entry in &self.not_analysed {
            *summary.not_analysed_by_cause.entry(entry.cause).or_default() += 1;
        }
        summary.errors = self.errors_of_units().len() as u64;
        summary.suppressed = self.errors.iter().filter(|entry| entry.suppressed.is_some()).count() as u64;
        summary.in_baseline = self.errors.iter().filter(|entry| entry.in_baseline).count() as u64;
        summary
    }

    /// The errors that count, each place and class once, with the first unit that has it.
    pub fn errors_of_units(&self) -> Vec<(&UnitReport, &Violation)> {
        let mut seen = BTreeSet::new();
        let mut errors = Vec::new();
        for unit in &self.units {
            for violation in unit.violations() {
                if seen.insert((violation.location.clone(), format!("{:?}", violation.class))) {
                    errors.push((unit, violation));
                }
            }
        }
        errors
    }

    /// Puts the reports of all shards together.
    pub fn merge(reports: Vec<Report>) -> Result<Report, String> {
        let mut parts = reports.into_iter();
        let mut merged = parts.next().ok_or("there is no report")?;
        let first = merged.shard.take().ok_or("a report is not of a shard (check --shard K/N)")?;
        let mut seen = BTreeSet::from([first.number]);
        for part in parts {
            let shard = part.shard.ok_or("a report is not of a shard (check --shard K/N)")?;
            if (shard.of, &shard.plan) != (first.of, &first.plan) || part.heapproof != merged.heapproof {
                return Err("the reports are not of the same project, options and version".to_owned());
            }
            if !seen.insert(shard.number) {
                return Err(format!("shard {}/{} is there twice", shard.number, shard.of));
            }
            merged.units.extend(part.units);
            merged.errors.extend(part.errors);
            merged.suppressions.extend(part.suppressions);
            merged.not_analysed.extend(part.not_analysed);
            merged.notes.extend(part.notes);
            if let (Some(times), Some(more)) = (&mut merged.times, part.times) {
                times.elapsed_ms = times.elapsed_ms.max(more.elapsed_ms);
                times.cached += more.cached;
                times.compiled += more.compiled;
                times.units.extend(more.units);
            }
        }
        let missing = (1..=first.of).filter(|number| !seen.contains(number));
        merged.not_analysed.extend(missing.map(|number| NotAnalysed {
            cause: Cause::MissingShard,
            subject: format!("shard {number}/{}", first.of),
            reason: "its report was not given".to_owned(),
            accepted: false,
        }));
        Ok(merged.finish())
    }
}

impl UnitReport {
    /// All confirmed errors, those of functions included.
    pub fn violations(&self) -> impl Iterator<Item = &Violation> {
        let functions = self.answer.functions.iter().flat_map(|function| &function.violations);
        self.answer.violations.iter().chain(functions)
    }

    /// A proof of a program that was guessed, or of a part of it, is no proof.
    fn settle(&mut self) {
        if self.answer.verdict == Verdict::Safe && !self.gaps.is_empty() {
            self.answer.verdict = Verdict::Unknown;
            self.answer.reason = Some(format!("proved, but: {}", self.gaps.join("; ")));
        }
    }

    /// Why it is not decided, in a word.
    fn cause(&self) -> String {
        if self.answer.reason.as_deref() == Some(known::KNOWN_ERRORS) {
            return "only known errors".to_owned();
        }
        if self.answer.reason.as_deref().is_some_and(|reason| reason.starts_with("proved, but")) {
            return "what the program is made of".to_owned();
        }
        let Some(first) = self.answer.obstacles.first() else { return "other".to_owned() };
        match serde_json::to_value(first) {
            Ok(serde_json::Value::String(name)) => name,
            Ok(serde_json::Value::Object(map)) => match map.get("kind").or_else(|| map.get("obstacle")) {
                Some(serde_json::Value::String(name)) => name.clone(),
                _ => map.keys().next().cloned().unwrap_or_default(),
            },
            _ => "other".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapproof_verdict::PropertySet;

    fn unit(name: &str, verdict: Verdict) -> UnitReport {
        let mut answer = Answer::undecided(PropertySet::default_of_check(), "none");
        answer.verdict = verdict;
        UnitReport { name: name.into(), kind: UnitKind::Program, files: vec![], gaps: vec![], answer }
    }

    fn report(units: Vec<UnitReport>) -> Report {
        Report {
            heapproof: "1".into(),
            verdict: Verdict::Unknown,
            summary: Summary::default(),
            selection: None,
            shard: None,
            units,
            errors: vec![],
            suppressions: vec![],
            not_analysed: vec![],
            notes: vec![],
            times: None,
        }
    }

    #[test]
    fn verdicts_of_projects() {
        let safe = || unit("a", Verdict::Safe);
        assert_eq!(report(vec![safe()]).finish().verdict, Verdict::Safe);
        assert_eq!(report(vec![]).finish().verdict, Verdict::Unknown);
        assert_eq!(report(vec![safe(), unit("b", Verdict::Unknown)]).finish().verdict, Verdict::Unknown);
        assert_eq!(report(vec![unit("b", Verdict::Unsafe), safe()]).finish().verdict, Verdict::Unsafe);
        let mut gap = safe();
        gap.gaps.push("guessed".into());
        assert_eq!(report(vec![gap]).finish().verdict, Verdict::Unknown);
    }

    #[test]
    fn never_safe_with_an_entry_unread() {
        let mut unread = report(vec![unit("a", Verdict::Safe)]);
        unread.not_analysed.push(NotAnalysed {
            cause: Cause::BrokenEntry,
            subject: "entry 1".into(),
            reason: "broken".into(),
            accepted: false,
        });
        assert_eq!(unread.clone().finish().verdict, Verdict::Unknown);
        unread.not_analysed[0].accepted = true;
        assert_eq!(unread.finish().verdict, Verdict::Safe);
    }

    #[test]
    fn shards_make_the_whole() {
        let shard = |number, units: Vec<UnitReport>| {
            let elsewhere = 2 - units.len() as u64;
            Report { shard: Some(Shard { number, of: 2, plan: "p".into(), elsewhere }), ..report(units) }
                .finish()
        };
        let (a, b) = (shard(1, vec![unit("b", Verdict::Safe)]), shard(2, vec![unit("a", Verdict::Safe)]));
        assert_eq!(a.verdict, Verdict::Unknown);
        let whole = report(vec![unit("a", Verdict::Safe), unit("b", Verdict::Safe)]).finish();
        assert_eq!(Report::merge(vec![a.clone(), b.clone()]).unwrap(), whole);
        assert_eq!(Report::merge(vec![b.clone(), a.clone()]).unwrap(), whole);
        assert_eq!(Report::merge(vec![a.clone()]).unwrap().verdict, Verdict::Unknown);
        assert!(Report::merge(vec![a.clone(), a.clone()]).unwrap_err().contains("twice"));
        assert!(Report::merge(vec![whole, a.clone()]).is_err());
        let mut other = b;
        other.shard.as_mut().unwrap().plan = "q".into();
        assert!(Report::merge(vec![a, other]).unwrap_err().contains("same project"));
    }
}
