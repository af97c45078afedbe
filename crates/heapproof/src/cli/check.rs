//! `heapproof check`: an answer in the chosen form, within the limits.

use super::Status;
use super::args::{Check, Format, LimitArgs};
use super::invariants;
use super::output::{self, complain};
use super::setup;
use crate::check::{self, Failure, Options};
use crate::progress::Progress;
use crate::watch::{Ended, Limits, supervise};
use heapproof_frontend::Error;
use heapproof_report::{json, sarif, svcomp, text};
use heapproof_verdict::{Answer, Assumption, AssumptionKind, Ledger, PropertySet, Verdict};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Checks and tells.
pub fn main(args: Check, clang: Vec<String>) -> Status {
    let started = Instant::now();
    let mut options = match setup::options(&args.source, &args.execution, clang.clone(), None) {
        Ok(options) => options,
        Err(status) => return status,
    };
    options.engine = args.engine;
    options.solver = args.solver.clone();
    if let Some(folder) = &args.dump_invariants {
        options.draw = true;
        if let Err(message) = invariants::prepare(folder, args.engine) {
            complain(message);
            return Status::WrongUse;
        }
    }
    if let Some(path) = &args.output
        && let Err(message) = can_be_written(path)
    {
        complain(message);
        return Status::WrongUse;
    }
    let progress = Arc::new(Progress::new());
    let mut answer = match decide(&args, &options, &progress) {
        Ok(answer) => answer,
        Err(failure) => return setup::tell_failure(&failure, &args.source),
    };
    answer.elapsed_ms = started.elapsed().as_millis() as u64;
    deliver(&args, &clang, &answer)
}

/// The answer, by an engine or by a limit.
fn decide(args: &Check, options: &Options, progress: &Arc<Progress>) -> Result<Answer, Failure> {
    let seconds = output::seconds(args.execution.limits.timeout);
    if args.execution.limits.timeout == 0.0 {
        let reason = "the time limit is 0 seconds, so nothing was done";
        return Ok(undecided(
            &options.environment.properties,
            reason.to_owned(),
            "0 seconds".to_owned(),
            progress,
        ));
    }
    let limits = Limits { deadline: options.deadline, memory: args.execution.limits.memory << 20 };
    let work = {
        let (files, options, progress) = (args.source.files.clone(), options.clone(), Arc::clone(progress));
        move || check::check(&files, &options, &progress)
    };
    let done = progress_so_far;
    match supervise(limits, progress, work) {
        Ended::Done(Ok(checked)) => {
            setup::tell_warnings(&args.source, &checked.diagnostics);
            if let Some(folder) = &args.dump_invariants {
                invariants::dump(folder, &checked.pictures, checked.answer.verdict);
            }
            Ok(checked.answer)
        }
        Ended::Done(Err(failure)) => {
            let Some(reason) = setup::unfinished(&failure, &args.source) else { return Err(failure) };
            let mut answer = undecided(&options.environment.properties, reason, String::new(), progress);
            answer.ledger = not_compiled(&failure, args);
            Ok(answer)
        }
        Ended::Panicked => {
            let reason = format!("internal error of heapproof while {}; please report it", done(progress));
            let mut answer = undecided(&options.environment.properties, reason, String::new(), progress);
            answer.ledger = Ledger::default();
            Ok(answer)
        }
        Ended::OutOfTime => {
            let reason = format!("the time limit of {seconds} was reached while {}", done(progress));
            Ok(undecided(&options.environment.properties, reason, seconds, progress))
        }
        Ended::OutOfMemory => {
            let memory = args.execution.limits.memory;
            let reason = format!("the memory limit of {memory} MiB was reached while {}", done(progress));
            Ok(undecided(&options.environment.properties, reason, format!("{memory} MiB"), progress))
        }
    }
}

/// What stands in the way where clang did not come to an end.
fn not_compiled(failure: &Failure, args: &Check) -> Ledger {
    let LimitArgs { timeout, memory } = args.execution.limits;
    let (kind, subject) = match failure {
        Failure::Frontend(Error::Timeout { .. }) => (AssumptionKind::Bound, output::seconds(timeout)),
        Failure::Frontend(Error::OutOfMemory { .. }) => (AssumptionKind::Bound, format!("{memory} MiB")),
        Failure::Frontend(Error::Crashed { path, .. }) => {
            (AssumptionKind::FileNotAnalysed, path.display().to_string())
        }
        _ => return Ledger::default(),
    };
    let mut ledger = Ledger::default();
    ledger.assume(Assumption { kind, subject, location: None, accepted: false });
    ledger
}

fn progress_so_far(progress: &Progress) -> String {
    match progress.phase() {
        "" => "starting".to_owned(),
        _ => progress.summary(),
    }
}

/// `unknown` because of a limit.
fn undecided(property: &PropertySet, reason: String, limit: String, progress: &Progress) -> Answer {
    let mut ledger = Ledger::default();
    ledger.assume(Assumption {
        kind: AssumptionKind::Bound,
        subject: limit,
        location: None,
        accepted: false,
    });
    let mut statistics = BTreeMap::new();
    if progress.executions() > 0 {
        statistics.insert("executions".to_owned(), progress.executions());
        statistics.insert("steps".to_owned(), progress.steps());
    }
    let engine = if progress.executions() > 0 { "random" } else { "none" };
    Answer { reason: Some(reason), ledger, statistics, ..Answer::undecided(property.clone(), engine) }
}

/// Says before the work whether the answer will find its place after it.
fn can_be_written(path: &Path) -> Result<(), String> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if path.is_dir() {
        Err(format!("cannot write {}: it is a directory", path.display()))
    } else if !folder.is_dir() {
        Err(format!("cannot write {}: {} is not a directory", path.display(), folder.display()))
    } else {
        Ok(())
    }
}

/// Writes the answer in its form to its place.
fn deliver(args: &Check, clang: &[String], answer: &Answer) -> Status {
    let to_file = args.output.is_some();
    let mut rendered = match args.format {
        Format::Text => text::render(
            answer,
            &text::Options {
                colour: !to_file && output::colour(args.execution.color, &std::io::stdout()),
                verbose: args.source.verbose,
                replay: Some(setup::replay(&args.source, &args.execution, clang)),
            },
        ),
        Format::Json => {
            let files: Vec<String> = args.source.files.iter().map(|f| f.display().to_string()).collect();
            json::render(answer, &files)
        }
        Format::Sarif => sarif::render(answer),
        Format::Svcomp => svcomp::render(answer),
    };
    if !rendered.ends_with('\n') {
        rendered.push('\n');
    }
    match &args.output {
        None => output::out(rendered.as_bytes()),
        Some(path) => {
            if let Err(error) = std::fs::write(path, rendered) {
                complain(format_args!("cannot write {}: {error}", path.display()));
                return Status::WrongUse;
            }
        }
    }
    match answer.verdict {
        Verdict::Safe => Status::Safe,
        Verdict::Unsafe => Status::Unsafe,
        Verdict::Unknown => Status::Unknown,
    }
}
