//! `heapproof harness`: the most general well-behaved client of a library, as C.

use super::Status;
use super::args::Harness;
use super::output::{self, complain, remark, seconds};
use super::setup;
use crate::check::Failure;
use crate::library;
use crate::progress::Progress;
use crate::watch::{Ended, Limits, supervise};
use heapproof_engine::Progress as _;
use heapproof_harness::Style;

/// Writes the client within the limits.
pub fn main(args: Harness, clang: Vec<String>) -> Status {
    let options = setup::frontend_options(&args.source, args.limits, clang);
    let limits = Limits { deadline: options.deadline, memory: args.limits.memory << 20 };
    let progress = Progress::new();
    progress.enter("compiling");
    let (files, headers) = (args.source.files.clone(), args.api.clone());
    let work = move || {
        let compiled = heapproof_frontend::compile(&files, &options).map_err(Failure::Frontend)?;
        let program = compiled.program;
        let given = library::given(&program, &files, &headers, &[])
            .map_err(|shown| Failure::Annotations { shown })?;
        let clients = heapproof_harness::infer(&program, &given);
        let asked: Vec<String> = clients
            .asked()
            .iter()
            .map(|(func, why)| format!("{}: {why}", program.functions[*func].name))
            .collect();
        Ok((clients.write(&Style::default()).text, asked, compiled.diagnostics))
    };
    let reason = match supervise(limits, &progress, work) {
        Ended::Done(Ok((text, asked, diagnostics))) => {
            setup::tell_warnings(&args.source, &diagnostics);
            for line in asked {
                remark(format_args!("not called: {line}"));
            }
            return match &args.output {
                None if output::out(text.as_bytes()) => Status::Safe,
                None => Status::WrongUse,
                Some(path) => match std::fs::write(path, text) {
                    Ok(()) => Status::Safe,
                    Err(why) => {
                        complain(format_args!("cannot write {}: {why}", path.display()));
                        Status::WrongUse
                    }
                },
            };
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
