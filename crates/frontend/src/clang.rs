//! Starts clang, once per file, and takes its bitcode from a pipe; ends it where it needs too much.

use crate::source::{Source, Text};
use crate::{Error, Options};
use heapproof_ir::Target;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How often clang's memory is looked at.
const INTERVAL: Duration = Duration::from_millis(20);

/// No optimisation, but the life time markers that clang writes only when it believes that it optimises;
/// no inlines of glibc, no builtins, old code accepted.
const FLAGS: [&str; 17] = [
    "-c",
    "-emit-llvm",
    "-g",
    "-O1",
    "-U__OPTIMIZE__",
    "-Xclang",
    "-disable-llvm-passes",
    "-fno-discard-value-names",
    "-U_FORTIFY_SOURCE",
    "-fno-builtin",
    "-std=gnu17",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-mismatch",
    // A crash must not leave files behind.
    "-fno-crash-diagnostics",
];

/// The result of one start of clang.
pub struct Bitcode {
    /// The bitcode.
    pub bytes: Vec<u8>,
    /// What clang had to say.
    pub diagnostics: String,
    /// The source, if it was read here.
    pub text: Option<Text>,
}

/// Compiles one file.
pub fn compile(path: &Path, options: &Options) -> Result<Bitcode, Error> {
    let source = Source::open(path)?;
    let (clang, tried) = find_clang(options);
    let mut command = Command::new(&clang);
    command.args(FLAGS);
    if options.target == Target::Ilp32 {
        command.arg("-m32");
    }
    command.args(&options.clang_args);
    command.args(["-o", "-"]).args(source.arguments());
    command.stdin(if source.piped.is_some() { Stdio::piped() } else { Stdio::null() });
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().map_err(|why| match why.kind() {
        ErrorKind::NotFound => Error::ClangMissing { tried },
        _ => Error::ClangMissing { tried: format!("{}: {why}", clang.display()) },
    })?;
    finish(child, path, &source, options)
}

fn find_clang(options: &Options) -> (PathBuf, String) {
    if let Some(clang) = &options.clang {
        return (clang.clone(), format!("tried {}", clang.display()));
    }
    const NAME: &str = "clang-19";
    const FIXED: &str = "/usr/lib/llvm-19/bin/clang";
    let on_path = std::env::var_os("PATH")
        .and_then(|path| std::env::split_paths(&path).map(|dir| dir.join(NAME)).find(|file| file.is_file()));
    (on_path.unwrap_or_else(|| FIXED.into()), format!("tried {NAME} on the path and {FIXED}"))
}

/// Feeds clang, gathers what it writes and waits for it, or kills it when it reaches a limit.
fn finish(mut child: Child, path: &Path, source: &Source, options: &Options) -> Result<Bitcode, Error> {
    let (send, receive) = channel();
    for (index, mut pipe) in [
        child.stdout.take().map(|p| Box::new(p) as Box<dyn Read + Send>),
        child.stderr.take().map(|p| Box::new(p) as Box<dyn Read + Send>),
    ]
    .into_iter()
    .flatten()
    .enumerate()
    {
        let send = send.clone();
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = pipe.read_to_end(&mut bytes);
            let _ = send.send((index, bytes));
        });
    }
    if let (Some(mut stdin), Some(text)) = (child.stdin.take(), source.piped.clone()) {
        let marker = source.marker();
        // clang may stop reading at an error; that is seen from its status.
        std::thread::spawn(move || {
            let _ = stdin.write_all(marker.as_bytes()).and_then(|()| stdin.write_all(&text));
        });
    }
    let gathered = gather(&receive, child.id(), path, options);
    if gathered.is_err() {
        let _ = child.kill();
    }
    let status = child.wait();
    let [bytes, stderr] = gathered?;
    let diagnostics = String::from_utf8_lossy(&stderr).into_owned();
    let path = path.to_owned();
    match status {
        Ok(status) if status.success() => Ok(Bitcode { bytes, diagnostics, text: source.piped.clone() }),
        Ok(status) if crashed(status, &diagnostics) => {
            Err(Error::Crashed { path, how: status.to_string(), diagnostics })
        }
        Ok(status) if diagnostics.is_empty() => {
            Err(Error::Rejected { path, diagnostics: format!("clang ended with {status}") })
        }
        Ok(_) => Err(Error::Rejected { path, diagnostics }),
        Err(why) => Err(Error::Rejected { path, diagnostics: why.to_string() }),
    }
}

/// What clang writes to its standard output and error, unless a limit is reached before the end.
fn gather(
    streams: &Receiver<(usize, Vec<u8>)>,
    process: u32,
    path: &Path,
    options: &Options,
) -> Result<[Vec<u8>; 2], Error> {
    let mut gathered = [Vec::new(), Vec::new()];
    let mut missing = gathered.len();
    while missing > 0 {
        let left = options.deadline.map(|at| at.saturating_duration_since(Instant::now()));
        match streams.recv_timeout(left.unwrap_or(INTERVAL).min(INTERVAL)) {
            Ok((index, bytes)) => {
                gathered[index] = bytes;
                missing -= 1;
            }
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) if left.is_some_and(|left| left.is_zero()) => {
                return Err(Error::Timeout { path: path.to_owned() });
            }
            Err(RecvTimeoutError::Timeout) => {
                let used = resident_bytes(process).unwrap_or(0);
                if let Some(limit) = options.memory.filter(|limit| used > *limit) {
                    return Err(Error::OutOfMemory { path: path.to_owned(), mib: limit >> 20 });
                }
            }
        }
    }
    Ok(gathered)
}

/// True if clang was killed or found itself broken; a program that it refuses gives the status 1.
fn crashed(status: ExitStatus, diagnostics: &str) -> bool {
    matches!(status.code(), None | Some(70 | 128..)) || diagnostics.contains("PLEASE submit a bug report")
}

/// Memory that a process uses, where the system tells.
fn resident_bytes(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
}
