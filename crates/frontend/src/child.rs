//! The front end in a process of its own: what it is asked and what it answers, over pipes, in `ir`'s binary form.
//!
//! The parent opens the source files, since `/dev/stdin` and the like mean something else elsewhere. The child starts
//! clang, reads its bitcode and lowers it. It has limits, leads a process group, and ends with its parent; whatever
//! happens to it is a message here.

use crate::source::Source;
use crate::{After, Compiled, Error, Options, compile_here};
use heapproof_ir::{Target, binary};
use heapproof_process::{Group, Limits, Mode, ourselves, stack_bytes};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The mode in which the program is the front end.
pub const CHILD: Mode = Mode { name: "compile", run: serve };

/// The stack of the child: lowering follows nested expressions.
const STACK_BYTES: usize = 256 << 20;
/// How often the child is looked at, which looks at clang more often itself.
const INTERVAL: Duration = Duration::from_millis(100);
/// The child watches clang itself and can say more; so the parent waits a little longer.
const GRACE: Duration = Duration::from_millis(150);
/// The most bytes of what a child that failed has to say.
const MOST_WORDS: u64 = 16 << 10;

/// What the child is asked.
#[derive(Serialize, Deserialize)]
struct Request {
    sources: Vec<Source>,
    target: Target,
    clang: Option<OsString>,
    clang_args: Vec<String>,
    promote: bool,
    left: Option<Duration>,
    memory: Option<u64>,
}

type Reply = Result<Compiled, Error>;

/// The child, if this program can be started again.
pub fn command(options: &Options) -> Option<Command> {
    ourselves(CHILD.name, Limits { memory: options.memory, deadline: options.deadline })
}

/// Lets the child compile.
pub fn compile(mut command: Command, sources: Vec<Source>, options: &Options) -> Reply {
    let files: Vec<_> = sources.iter().map(|source| source.path.display().to_string()).collect();
    let mut run = Run { files, group: None, options };
    let request = Request {
        sources,
        target: options.target,
        clang: options.clang.clone().map(Into::into),
        clang_args: options.clang_args.clone(),
        promote: options.promote,
        left: options.deadline.map(|at| at.saturating_duration_since(Instant::now())),
        memory: options.memory,
    };
    let request = binary::write(&request).map_err(|why| run.broken(&why.to_string()))?;
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let started = Group::start(&mut command).and_then(|mut group| {
        let streams = talk(&mut group, request)?;
        Ok((group, streams))
    });
    let (group, streams) = started.map_err(|why| run.not_started(&why))?;
    run.group = Some(group);
    run.finish(&streams)
}

/// Sends the request and gathers what the child writes, in threads.
fn talk(group: &mut Group, request: Vec<u8>) -> io::Result<Receiver<(usize, Vec<u8>)>> {
    let (send, receive) = channel();
    let child = group.child();
    let answer = child.stdout.take().map(|pipe| Box::new(pipe) as Box<dyn Read + Send>);
    let words = child.stderr.take().map(|pipe| Box::new(pipe.take(MOST_WORDS)) as Box<dyn Read + Send>);
    for (index, pipe) in [answer, words].into_iter().enumerate() {
        let (send, mut pipe) = (send.clone(), pipe.ok_or(io::ErrorKind::BrokenPipe)?);
        thread::Builder::new().spawn(move || {
            let mut bytes = Vec::new();
            let _ = pipe.read_to_end(&mut bytes);
            let _ = send.send((index, bytes));
        })?;
    }
    let mut stdin = child.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
    // A child that does not read any more is seen from its status.
    thread::Builder::new().spawn(move || stdin.write_all(&request))?;
    Ok(receive)
}

/// A running child.
struct Run<'a> {
    files: Vec<String>,
    group: Option<Group>,
    options: &'a Options,
}

impl Run<'_> {
    fn finish(mut self, streams: &Receiver<(usize, Vec<u8>)>) -> Reply {
        let [answer, words] = self.gather(streams)?;
        let Some(status) = self.group.take().map(Group::end) else { return Err(self.broken("it is gone")) };
        let status = status.map_err(|why| self.broken(&why.to_string()))?;
        if !status.success() {
            return Err(self.broken(&how(status, &words)));
        }
        let reply: Reply = binary::read(&answer).map_err(|why| self.broken(&format!("its answer: {why}")))?;
        let mut compiled = reply?;
        compiled.program = binary::checked(compiled.program).map_err(|why| self.broken(&why.to_string()))?;
        Ok(compiled)
    }

    /// What the child writes to its standard output and error, unless a limit is reached before the end.
    fn gather(&self, streams: &Receiver<(usize, Vec<u8>)>) -> Result<[Vec<u8>; 2], Error> {
        let mut gathered = [Vec::new(), Vec::new()];
        let mut missing = gathered.len();
        while missing > 0 {
            match streams.recv_timeout(INTERVAL) {
                Ok((index, bytes)) => {
                    gathered[index] = bytes;
                    missing -= 1;
                }
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => self.within_limits()?,
            }
        }
        Ok(gathered)
    }

    fn within_limits(&self) -> Result<(), Error> {
        let path = || self.files.join(", ").into();
        let Options { deadline, memory, .. } = self.options;
        if deadline.is_some_and(|deadline| Instant::now() >= deadline + GRACE) {
            return Err(Error::Timeout { path: path() });
        }
        let used = self.group.as_ref().map_or(0, Group::bytes);
        match memory {
            // Of clang and of the reader; clang alone is watched by the child.
            Some(limit) if used > limit.saturating_add(limit / 4) => {
                Err(Error::OutOfMemory { path: path(), mib: limit >> 20 })
            }
            _ => Ok(()),
        }
    }

    fn broken(&self, how: &str) -> Error {
        Error::Reader { files: self.files.join(", "), how: how.to_owned() }
    }

    fn not_started(&self, why: &io::Error) -> Error {
        Error::NotStarted { program: "the front end".to_owned(), why: why.to_string() }
    }
}

/// How a child ended that gave no answer.
fn how(status: ExitStatus, words: &[u8]) -> String {
    let words = String::from_utf8_lossy(words);
    // LLVM's and our own complaints; a stack dump helps nobody.
    let complaint = words.lines().find(|line| line.contains("ERROR") || line.contains("rror:"));
    let complaint = complaint.or_else(|| words.lines().find(|line| !line.trim().is_empty()));
    let end = match status.signal() {
        Some(_) => format!("LLVM crashed on it ({status})"),
        None => format!("the process that reads it ended with {status}"),
    };
    match complaint {
        Some(complaint) => format!("{end}: {}", complaint.trim()),
        None => end,
    }
}

/// The child: reads the question, works, writes the answer.
fn serve(_: Vec<OsString>) -> ExitCode {
    // LLVM's own handlers and our panic messages end up on standard error, which the parent reads.
    let worker = thread::Builder::new().stack_size(stack_bytes(STACK_BYTES)).spawn(answer);
    match worker.map(thread::JoinHandle::join) {
        Ok(Ok(Ok(()))) => ExitCode::SUCCESS,
        Ok(Ok(Err(why))) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
        Ok(Err(_)) => ExitCode::from(101),
        Err(why) => {
            eprintln!("error: cannot start a thread: {why}");
            ExitCode::FAILURE
        }
    }
}

fn answer() -> Result<(), String> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes).map_err(|why| why.to_string())?;
    let request: Request = binary::read(&bytes).map_err(|why| why.to_string())?;
    drop(bytes);
    let options = Options {
        target: request.target,
        clang: request.clang.map(Into::into),
        clang_args: request.clang_args,
        // The sources hold what is special about them.
        files: Vec::new(),
        promote: request.promote,
        deadline: request.left.and_then(|left| Instant::now().checked_add(left)),
        memory: request.memory,
    };
    let reply: Reply = compile_here(&request.sources, &options, After::Nothing);
    let bytes = binary::write(&reply).map_err(|why| why.to_string())?;
    let mut out = io::stdout().lock();
    out.write_all(&bytes).and_then(|()| out.flush()).map_err(|why| why.to_string())?;
    // Nothing is worth freeing any more.
    std::process::exit(0)
}
