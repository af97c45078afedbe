//! The program: command line, limits, messages and exit statuses.

pub(crate) mod args;
pub(crate) mod check;
mod chr;
pub(crate) mod compiler;
mod database;
mod explain;
mod harness;
mod html;
mod invariants;
mod ir;
mod known;
mod manual;
pub(crate) mod output;
mod run;
pub(crate) mod setup;
mod task;
mod validate;

use clap::Parser;
use clap::error::ErrorKind;
use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

/// What the exit statuses of `check` mean; those of `run` are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Safe, or finished.
    Safe = 0,
    /// An error was found.
    Unsafe = 1,
    /// Wrong use, or input that does not compile.
    WrongUse = 2,
    /// Not decided.
    Unknown = 3,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        ExitCode::from(status as u8)
    }
}

/// The program with its command line.
pub fn main(arguments: Vec<OsString>) -> ExitCode {
    install_panic_hook();
    let status = catch_unwind(AssertUnwindSafe(|| dispatch(arguments))).unwrap_or(Status::Unknown);
    if status == Status::Unknown {
        // A worker that ran into a limit may still be busy; it must not keep the process alive.
        std::process::exit(status as i32);
    }
    status.into()
}

fn dispatch(arguments: Vec<OsString>) -> Status {
    let compiler::Split { ours, clang } = compiler::split(arguments);
    let cli = match args::Cli::try_parse_from(ours) {
        Ok(cli) => cli,
        Err(error) => {
            let asked = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
            let printed = output::printed(error.print());
            return if asked && printed { Status::Safe } else { Status::WrongUse };
        }
    };
    let mut cli = cli;
    let named = match &mut cli.command {
        args::Command::Check(args) => task::apply(&mut args.source, &mut args.execution),
        args::Command::Run(args) => task::apply(&mut args.source, &mut args.execution),
        _ => Ok(()),
    };
    if let Err(message) = named {
        output::complain(message);
        return Status::WrongUse;
    }
    let source = match &mut cli.command {
        args::Command::Check(args) => Some(&mut args.source),
        args::Command::Run(args) => Some(&mut args.source),
        args::Command::Ir(args) => Some(&mut args.source),
        args::Command::Harness(args) => Some(&mut args.source),
        _ => None,
    };
    if let Some(Err(message)) = source.map(crate::project::name_database) {
        output::complain(message);
        return Status::WrongUse;
    }
    if let args::Command::Check(args) = &cli.command
        && crate::project::is_meant(args)
    {
        return crate::project::main(args, &clang);
    }
    let applied = match &mut cli.command {
        args::Command::Check(args) => database::apply(&mut args.source, args.execution.limits),
        args::Command::Run(args) => database::apply(&mut args.source, args.execution.limits),
        args::Command::Ir(args) => database::apply(&mut args.source, args.limits),
        args::Command::Harness(args) => database::apply(&mut args.source, args.limits),
        _ => Ok(()),
    };
    if let Err(message) = applied {
        output::complain(message);
        return Status::WrongUse;
    }
    match cli.command {
        args::Command::Check(args) => check::main(*args, clang),
        args::Command::Run(args) => run::main(*args, clang),
        args::Command::Ir(args) => ir::main(args, clang),
        args::Command::Harness(args) => harness::main(args, clang),
        args::Command::Validate(args) => validate::main(*args, clang),
        args::Command::Explain(args) => explain::main(args),
        args::Command::Man(args) => manual::man(&args),
        args::Command::Completions(args) => manual::completions(&args),
        args::Command::Capture(args) => crate::project::capture::main(&args),
        args::Command::Merge(args) => crate::project::merge(&args),
        args::Command::Diff(args) => crate::project::diff(&args),
        args::Command::Cache(args) => crate::project::cache(&args),
        args::Command::Chr(args) => chr::main(&args),
    }
}

/// A defect of heapproof is told as such; the verdict is `unknown`.
fn install_panic_hook() {
    std::panic::set_hook(Box::new(|info| {
        let message = info.payload_as_str().unwrap_or("no message");
        let place = info.location().map(|l| format!(" at {}:{}", l.file(), l.line())).unwrap_or_default();
        output::err(
            format!(
                "heapproof: internal error: {message}{place}\n\
                 heapproof: this is a defect of heapproof {}, not of your program; please report it with the input: {}/issues\n",
                env!("CARGO_PKG_VERSION"),
                env!("CARGO_PKG_REPOSITORY"),
            )
            .as_bytes(),
        );
    }));
}
