//! `heapproof ir`: the program as the engines see it.

use super::Status;
use super::args::Ir;
use super::output::{self, complain, remark, seconds};
use super::setup;
use crate::check::Failure;
use crate::progress::Progress;
use crate::watch::{Ended, Limits, supervise};
use heapproof_engine::Progress as _;
use heapproof_frontend as frontend;

/// Compiles and prints within the limits.
pub fn main(args: Ir, clang: Vec<String>) -> Status {
    let options = frontend::Options {
        promote: !args.no_promote,
        ..setup::frontend_options(&args.source, args.limits, clang)
    };
    let limits = Limits { deadline: options.deadline, memory: args.limits.memory << 20 };
    let progress = Progress::new();
    progress.enter("compiling");
    let files = args.source.files.clone();
    let work = move || {
        let compiled = frontend::compile(&files, &options).map_err(Failure::Frontend)?;
        Ok((compiled.program.to_string(), compiled.diagnostics))
    };
    let reason = match supervise(limits, &progress, work) {
        Ended::Done(Ok((text, diagnostics))) => {
            setup::tell_warnings(&args.source, &diagnostics);
            return if output::out(text.as_bytes()) { Status::Safe } else { Status::WrongUse };
        }
        Ended::Done(Err(failure)) => match setup::unfinished(&failure, &args.source) {
            Some(reason) => reason,
            None => return setup::tell_failure(&failure, &args.source),
        },
        Ended::Panicked => return Status::Unknown,
        Ended::NotStarted(why) => {
            complain(why);
            return Status::WrongUse;
        }
        Ended::OutOfTime => format!("the time limit of {} was reached", seconds(args.limits.timeout)),
        Ended::OutOfMemory => format!("the memory limit of {} MiB was reached", args.limits.memory),
    };
    remark(reason);
    Status::Unknown
}
