//! The errors of one program that do not count: suppressed by comments, or in a baseline.

use super::args::Known;
use super::output::remark;
use heapproof_report::known::{self, Baseline, Entry};
use heapproof_report::source::Sources;
use heapproof_verdict::{Answer, Verdict, Violation};
use std::collections::BTreeSet;
use std::path::Path;

/// An answer as it is reported.
#[derive(Debug)]
pub struct Reported {
    /// Without its known errors.
    pub answer: Answer,
    /// All errors.
    pub errors: Vec<Entry>,
}

/// Leaves the known errors out of an answer, and says so.
pub fn apply(answer: &Answer, files: &BTreeSet<String>, args: &Known) -> Result<Reported, String> {
    let mut reported = Reported { errors: listed(answer), answer: answer.clone() };
    let own = files.iter().filter(|file| !file.starts_with("/usr/")).cloned().collect();
    let mut comments = known::comments_of(&own, Path::new(""));
    known::suppress(&mut reported.errors, &mut comments);
    for comment in &mut comments {
        comment.decided = answer.verdict == Verdict::Safe;
        let said = comment.mistake().or_else(|| comment.stale());
        if let Some(words) = said {
            remark(words);
        }
    }
    for entry in &reported.errors {
        if let Some(reason) = &entry.suppressed {
            let (place, class) = (&entry.location, entry.class.name());
            remark(format_args!("{}:{}: {class} is suppressed: {reason}", place.file, place.line));
        }
    }
    if let Some(path) = &args.baseline {
        baseline(&mut reported, answer.verdict, path, args.update_baseline)?;
    }
    let entries: Vec<&Entry> = reported.errors.iter().filter(|entry| entry.is_known()).collect();
    known::leave_out(&mut reported.answer, &entries);
    Ok(reported)
}

fn baseline(reported: &mut Reported, verdict: Verdict, path: &Path, update: bool) -> Result<(), String> {
    let old = match path.exists() || !update {
        true => Baseline::read(path)?,
        false => Baseline::default(),
    };
    let gone: Vec<_> = old.mark(&mut reported.errors).into_iter().cloned().collect();
    if update {
        let mut new = Baseline::of(&reported.errors);
        if verdict == Verdict::Unknown {
            // What was not decided now may be there as before.
            new.errors.extend(gone);
        }
        new.errors.sort();
        new.write(path)?;
        remark(format_args!("{}: {} errors", path.display(), new.errors.len()));
        new.mark(&mut reported.errors);
    } else {
        let count = reported.errors.iter().filter(|entry| entry.in_baseline).count();
        if count > 0 {
            remark(format_args!("{count} errors are in the baseline"));
        }
        if !gone.is_empty() && verdict == Verdict::Safe {
            remark(format_args!(
                "{} errors of the baseline are not there any more: --update-baseline removes them",
                gone.len()
            ));
        }
    }
    Ok(())
}

/// The errors of an answer, each place and class once.
fn listed(answer: &Answer) -> Vec<Entry> {
    let functions = answer.functions.iter().flat_map(|function| &function.violations);
    let mut sources = Sources::new();
    let mut seen = BTreeSet::new();
    let is_new = |violation: &&Violation| seen.insert((violation.class, violation.location.clone()));
    let all = answer.violations.iter().chain(functions).filter(is_new);
    all.map(|violation| Entry::of(violation, "", &mut sources)).collect()
}
