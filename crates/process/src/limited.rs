//! Other programs within limits.
//!
//! `limited` starts a *supervisor*: ourselves in the mode `supervise`. It starts the program in a process group of its
//! own, through the mode `exec`, which makes the program die with the supervisor; and it ends the group at a limit.

use crate::mode::{Child, ourselves};
use crate::{Group, Limits};
use nix::unistd::{AccessFlags, access};
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};
use std::sync::atomic::Ordering;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The modes of a supervisor and of the program that it starts.
pub(crate) const SUPERVISE: &str = "supervise";
pub(crate) const EXEC: &str = "exec";

/// What ended a limited program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The deadline.
    Time,
    /// The memory.
    Memory,
}

impl Limit {
    fn status(self) -> u8 {
        match self {
            Limit::Time => 124,
            Limit::Memory => 125,
        }
    }
}

/// The limit that a program of [`limited`] reached, by its exit status.
pub fn limit_reached(status: ExitStatus) -> Option<Limit> {
    [Limit::Time, Limit::Memory].into_iter().find(|limit| status.code() == Some(i32::from(limit.status())))
}

/// A command for a program that ends at the limits and when the thread that starts it ends, with all that it started.
///
/// The caller adds arguments and pipes, starts it and waits for it. Libraries that start programs by themselves can be
/// given [`get_program`](Command::get_program) and [`get_args`](Command::get_args). [`limit_reached`] tells from the
/// exit status which limit it was. Start it from a thread that lives as long as the program has to.
pub fn limited(program: impl AsRef<OsStr>, limits: Limits) -> io::Result<Command> {
    let program = find(program.as_ref())?;
    let Some(mut command) = ourselves(SUPERVISE, limits) else { return Ok(Command::new(program)) };
    command.arg(program);
    Ok(command)
}

/// The file of a program: a path, or a name that is looked for on the path.
pub fn find(program: &OsStr) -> io::Result<PathBuf> {
    let missing = || io::Error::new(io::ErrorKind::NotFound, "there is no such program");
    let path = Path::new(program);
    let file = if program.as_encoded_bytes().contains(&b'/') {
        path.to_owned()
    } else {
        let folders = std::env::var_os("PATH").ok_or_else(missing)?;
        let files = std::env::split_paths(&folders).map(|folder| folder.join(path));
        files.into_iter().find(|file| runs(file)).ok_or_else(missing)?
    };
    match runs(&file) {
        true => Ok(file),
        false if file.exists() => {
            Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is no program that may be started"))
        }
        false => Err(missing()),
    }
}

fn runs(file: &Path) -> bool {
    file.is_file() && access(file, AccessFlags::X_OK).is_ok()
}

/// The mode `supervise`: starts the program and ends it at the limits.
pub(crate) fn supervise(child: Child) -> ExitCode {
    const SHORTEST: Duration = Duration::from_millis(1);
    const LONGEST: Duration = Duration::from_millis(20);
    let asked_to_end = child.told_to_end_with_parent();
    child.limits.impose();
    let Some(mut command) = ourselves(EXEC, Limits::default()) else { return ExitCode::FAILURE };
    command.args(&child.arguments);
    let group = match Group::start(&mut command) {
        Ok(group) => group,
        Err(why) => return failed(child.arguments.first(), &why),
    };
    let mut pause = SHORTEST;
    while !group.has_ended() {
        let late = child.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let large = child.limits.memory.is_some_and(|memory| group.bytes() > memory);
        if asked_to_end.load(Ordering::Relaxed) {
            let _ = group.end();
            return ExitCode::FAILURE;
        }
        if late || large {
            let _ = group.end();
            return ExitCode::from(if late { Limit::Time } else { Limit::Memory }.status());
        }
        sleep(pause);
        pause = (pause * 2).min(LONGEST);
    }
    match group.end() {
        Ok(status) => match (status.code(), status.signal()) {
            (Some(code), _) => ExitCode::from(code as u8),
            (None, signal) => ExitCode::from(128u8.saturating_add(signal.unwrap_or(0) as u8)),
        },
        Err(_) => ExitCode::FAILURE,
    }
}

/// The mode `exec`: becomes the program, which is killed when its parent ends.
pub(crate) fn exec(child: Child) -> ExitCode {
    child.killed_with_parent();
    let Some((program, arguments)) = child.arguments.split_first() else { return ExitCode::FAILURE };
    let why = Command::new(program).args(arguments).exec();
    failed(Some(program), &why)
}

fn failed(program: Option<&OsString>, why: &io::Error) -> ExitCode {
    let program = program.map(|p| p.to_string_lossy()).unwrap_or_default();
    eprintln!("heapproof: cannot start {program}: {why}");
    ExitCode::from(127)
}
