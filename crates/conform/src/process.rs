//! Runs a child process with a time limit, and ends it together with everything that it started.

use std::fs::File;
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

/// How a child process ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// With this status, as a shell reports it: 128 and the number of the signal that ended it.
    Status(i32),
    /// It was ended at its time limit.
    TimedOut,
}

/// What a child process did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// How it ended.
    pub end: End,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

/// Output goes through files below `scratch`: a pipe could be held open by what the child started.
pub fn run(command: &mut Command, scratch: &Path, limit: Duration) -> io::Result<Done> {
    let (out, err) = (scratch.join("stdout"), scratch.join("stderr"));
    command.stdin(Stdio::null()).stdout(File::create(&out)?).stderr(File::create(&err)?);
    let mut child = command.process_group(0).spawn()?;
    let group = Pid::from_raw(child.id() as i32);
    let deadline = Instant::now() + limit;
    let mut pause = Duration::from_millis(1);
    let end = loop {
        if let Some(status) = child.try_wait()? {
            let code = status.code().or(status.signal().map(|signal| 128 + signal));
            break End::Status(code.unwrap_or(255));
        }
        if Instant::now() >= deadline {
            break End::TimedOut;
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    };
    // The group may have ended with its leader.
    let _ = killpg(group, Signal::SIGKILL);
    if end == End::TimedOut {
        child.wait()?;
    }
    let text = |path: &Path| -> io::Result<String> {
        let bytes = std::fs::read(path)?;
        Ok(String::from_utf8_lossy(&bytes[..bytes.len().min(MOST_BYTES)]).into_owned())
    };
    Ok(Done { end, stdout: text(&out)?, stderr: text(&err)? })
}

/// What is read of a file of output: a program that writes for ever fills no memory.
const MOST_BYTES: usize = 16 << 20;
