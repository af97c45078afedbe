//! `heapproof validate`: replays a violation witness.

use super::Status;
use super::args::{TargetName, Validate};
use super::output::{self, complain};
use super::setup;
use crate::check::{self, Failure};
use crate::progress::Progress;
use crate::watch::{Ended, Limits, supervise};
use crate::witness::validate::{self, Refusal};
use heapproof_engine::Environment;
use heapproof_interp as interp;
use heapproof_report::text;
use heapproof_verdict::Violation;
use std::collections::BTreeSet;
use std::sync::Arc;

/// No witness is nearly as large.
const MOST_BYTES: u64 = 64 << 20;

/// Replays and tells.
pub fn main(mut args: Validate, clang: Vec<String>) -> Status {
    let shown = args.witness.display().to_string();
    let is_file =
        std::fs::metadata(&args.witness).is_ok_and(|about| about.is_file() && about.len() <= MOST_BYTES);
    let text = match std::fs::read_to_string(&args.witness) {
        Ok(text) if is_file => text,
        Ok(_) => {
            complain(format_args!("{shown} is no file, or larger than 64 MiB"));
            return Status::WrongUse;
        }
        Err(why) => {
            complain(format_args!("cannot read {shown}: {why}"));
            return Status::WrongUse;
        }
    };
    let witness = match validate::read(&text, &args.source.files) {
        Ok(witness) => witness,
        Err(refusal) => return refused(&shown, &refusal),
    };
    args.source.target = if witness.data_model == "ILP32" { TargetName::Ilp32 } else { TargetName::Lp64 };
    let options = match setup::options(&args.source, &args.execution, clang, None) {
        Ok(options) => options,
        Err(status) => return status,
    };
    let limits = Limits { deadline: options.deadline, memory: args.execution.limits.memory << 20 };
    let progress = Arc::new(Progress::new());
    let work = {
        let (files, progress) = (args.source.files.clone(), Arc::clone(&progress));
        move || -> Result<(Result<Violation, Refusal>, BTreeSet<String>), Failure> {
            let prepared = check::prepare(&files, &options, &progress)?;
            let environment =
                Environment { properties: witness.properties.clone(), ..options.environment.clone() };
            let run_options = interp::Options { environment, record_path: true, ..options.interp() };
            Ok((validate::replay(&prepared.program, &run_options, &witness), prepared.sources))
        }
    };
    let reason = match supervise(limits, &progress, work) {
        Ended::Done(Ok((Ok(violation), sources))) => {
            let options = text::Options {
                colour: output::colour(args.execution.color, &std::io::stdout()),
                sources: Some(sources),
                ..text::Options::default()
            };
            let told = format!(
                "{}confirmed: the execution has the error that {shown} describes\n",
                text::render_violation(&violation, &options)
            );
            return if output::out(told.as_bytes()) { Status::Unsafe } else { Status::WrongUse };
        }
        Ended::Done(Ok((Err(refusal), _))) => return refused(&shown, &refusal),
        Ended::Done(Err(failure)) => match setup::unfinished(&failure, &args.source) {
            Some(reason) => reason,
            None => return setup::tell_failure(&failure, &args.source),
        },
        Ended::NotStarted(why) => {
            complain(why);
            return Status::WrongUse;
        }
        Ended::Panicked => "internal error of heapproof; please report it".to_owned(),
        Ended::OutOfTime => "the time limit was reached".to_owned(),
        Ended::OutOfMemory => "the memory limit was reached".to_owned(),
    };
    refused(&shown, &Refusal::NotReplayed(reason))
}

/// Says why a witness is not confirmed.
fn refused(witness: &str, refusal: &Refusal) -> Status {
    let (word, status) = match refusal {
        Refusal::Malformed(_) => {
            complain(format_args!("{witness} is no witness of format 2.0: {refusal}"));
            return Status::WrongUse;
        }
        Refusal::Wrong(_) => ("rejected", Status::Unknown),
        Refusal::NotReplayed(_) => ("not confirmed", Status::Unknown),
    };
    let told = heapproof_report::escape::lines(&format!("{word}: {refusal}\n"));
    if output::out(told.as_bytes()) { status } else { Status::WrongUse }
}
