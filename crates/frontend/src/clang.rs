//! Starts clang, once per file, and takes its bitcode from a pipe; ends it where it needs too much.

use crate::source::Source;
use crate::{Error, Options};
use heapproof_ir::Target;
use heapproof_process::{Limits, Mode};
use std::ffi::OsString;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// The mode in which the program is clang.
pub const BUILT_IN: Mode = Mode { name: "clang", run: crate::llvm::clang::run };

/// How often clang's memory is looked at.
const INTERVAL: Duration = Duration::from_millis(20);

/// No optimisation, but the life time markers that clang writes only when it believes that it optimises;
/// no inlines of glibc, no builtins, old code accepted.
const FLAGS: [&str; 19] = [
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
    // What a function returns is a copy: a local that is returned has an object of its own.
    "-fno-elide-constructors",
    "-std=gnu17",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-mismatch",
    // A crash must not leave files behind.
    "-fno-crash-diagnostics",
    // Nothing but the command line decides what is compiled.
    "--no-default-config",
];

/// Says last what the folder is called in debug information. With `.` names of files there are those that clang was given.
const FOLDER: &str = "-fdebug-compilation-dir=";

/// All that clang gets of our environment: where programs, libraries and temporary files are. Variables that add
/// options or folders of headers (`CCC_OVERRIDE_OPTIONS`, `CPATH` …) would let something else decide what is compiled.
const ENVIRONMENT: [&str; 4] = ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH"];

/// The result of one start of clang.
pub struct Bitcode {
    /// The bitcode.
    pub bytes: Vec<u8>,
    /// What clang had to say.
    pub diagnostics: String,
}

/// Compiles one file, or takes what was made of it before.
pub fn compile(source: &Source, options: &Options) -> Result<Bitcode, Error> {
    let Some(place) = &source.bitcode else { return compile_and_record(source, options, None) };
    let unreadable = |why: std::io::Error| Error::Bitcode { path: source.path.clone(), why: why.to_string() };
    let bytes = std::fs::read(place).map_err(unreadable)?;
    Ok(Bitcode { bytes, diagnostics: String::new() })
}

/// Compiles one file. What the result depends on is written to `record`; only the clang of this program can do so.
pub fn compile_and_record(
    source: &Source,
    options: &Options,
    record: Option<&Path>,
) -> Result<Bitcode, Error> {
    let (clang, tried) = find_clang(options);
    let built_in = built_in(options);
    // What needs a folder, an input or limits of its own needs a process of its own.
    let is_limited = options.deadline.is_some() || options.memory.is_some();
    let is_special = source.folder.is_some() || source.piped.is_some() || is_limited;
    let is_in_process = built_in.is_none() && is_wanted(options) && !is_special;
    let mut command = built_in.unwrap_or_else(|| Command::new(&clang));
    if let Some(place) = record {
        command.arg(crate::llvm::clang::RECORD).arg(place);
    }
    command.args(FLAGS);
    if options.target == Target::Ilp32 {
        command.arg("-m32");
    }
    command.args(&source.options).args(&options.clang_args);
    let mut folder = OsString::from(FOLDER);
    folder.push(source.folder.as_deref().unwrap_or(".".as_ref()));
    command.arg(folder).args(["-o", "-"]).args(source.arguments());
    if is_in_process {
        return compiled_here(&command, source);
    }
    if let Some(folder) = &source.folder {
        command.current_dir(folder);
    }
    command.env_clear().env("LC_ALL", "C");
    if source.folder.is_some() {
        // What a build makes does not depend on the day: `__DATE__` and `__TIME__` are fixed.
        command.env("SOURCE_DATE_EPOCH", "0");
    }
    command.envs(ENVIRONMENT.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
    command.stdin(if source.piped.is_some() { Stdio::piped() } else { Stdio::null() });
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().map_err(|why| match why.kind() {
        ErrorKind::NotFound if source.folder.as_ref().is_none_or(|folder| Path::new(folder).is_dir()) => {
            Error::ClangMissing { tried }
        }
        _ => not_started(&clang, &why),
    })?;
    finish(child, source, options, &clang)
}

/// The clang that is a part of this program, unless another one is wanted, or this program cannot be started again.
pub fn built_in(options: &Options) -> Option<Command> {
    let ourselves = || heapproof_process::ourselves(BUILT_IN.name, Limits::default());
    is_wanted(options).then(ourselves).flatten()
}

/// True if no other clang than that of this program is wanted.
fn is_wanted(options: &Options) -> bool {
    options.clang.is_none() && crate::llvm::clang::usable()
}

/// Compiles by the clang that is a part of this program, in this process.
fn compiled_here(command: &Command, source: &Source) -> Result<Bitcode, Error> {
    let (made, messages) = crate::llvm::clang::run_here(command.get_args())
        .map_err(|why| not_started(command.get_program().as_ref(), &why))?;
    let diagnostics = String::from_utf8_lossy(&messages).into_owned();
    match made {
        Some(bytes) => Ok(Bitcode { bytes, diagnostics }),
        None => Err(Error::Rejected { path: source.path.clone(), diagnostics }),
    }
}

fn not_started(clang: &Path, why: &std::io::Error) -> Error {
    Error::NotStarted { program: clang.display().to_string(), why: why.to_string() }
}

fn find_clang(options: &Options) -> (PathBuf, String) {
    if let Some(clang) = &options.clang {
        // It is meant from here, also where clang is started elsewhere.
        let path = match clang.components().count() {
            1 => clang.clone(),
            _ => std::path::absolute(clang).unwrap_or_else(|_| clang.clone()),
        };
        return (path, format!("tried {}", clang.display()));
    }
    const NAME: &str = "clang-19";
    const FIXED: &str = "/usr/lib/llvm-19/bin/clang";
    let on_path = std::env::var_os("PATH")
        .and_then(|path| std::env::split_paths(&path).map(|dir| dir.join(NAME)).find(|file| file.is_file()));
    (on_path.unwrap_or_else(|| FIXED.into()), format!("tried {NAME} on the path and {FIXED}"))
}

/// Feeds clang, gathers what it writes and waits for it, or kills it when it reaches a limit.
fn finish(mut child: Child, source: &Source, options: &Options, clang: &Path) -> Result<Bitcode, Error> {
    let gathered = match talk(&mut child, source) {
        Ok(streams) => gather(&streams, child.id(), source, options),
        Err(why) => Err(not_started(clang, &why)),
    };
    if gathered.is_err() {
        let _ = child.kill();
    }
    let status = child.wait();
    let [bytes, stderr] = gathered?;
    let diagnostics = String::from_utf8_lossy(&stderr).into_owned();
    let path = source.path.clone();
    match status {
        Ok(status) if status.success() => Ok(Bitcode { bytes, diagnostics }),
        Ok(status) if crashed(status, &diagnostics) => {
            Err(Error::Crashed { path, how: end(status), diagnostics })
        }
        Ok(status) if diagnostics.is_empty() => {
            Err(Error::Rejected { path, diagnostics: format!("clang ended with {status}") })
        }
        Ok(_) => Err(Error::Rejected { path, diagnostics }),
        Err(why) => Err(Error::Rejected { path, diagnostics: why.to_string() }),
    }
}

/// How clang ended, and why that may be.
fn end(status: ExitStatus) -> String {
    match heapproof_process::address_space() {
        Some(bytes) => {
            format!(
                "{status}; the system allows a process only {} MiB of address space (ulimit -v)",
                bytes >> 20
            )
        }
        None => status.to_string(),
    }
}

/// Feeds clang and gathers what it writes to its standard output and error, in threads.
fn talk(child: &mut Child, source: &Source) -> std::io::Result<Receiver<(usize, Vec<u8>)>> {
    let (send, receive) = channel();
    let out = child.stdout.take().map(|p| Box::new(p) as Box<dyn Read + Send>);
    let err = child.stderr.take().map(|p| Box::new(p) as Box<dyn Read + Send>);
    for (index, mut pipe) in [out, err].into_iter().flatten().enumerate() {
        let send = send.clone();
        std::thread::Builder::new().spawn(move || {
            let mut bytes = Vec::new();
            let _ = pipe.read_to_end(&mut bytes);
            let _ = send.send((index, bytes));
        })?;
    }
    if let (Some(mut stdin), Some(text)) = (child.stdin.take(), source.piped.clone()) {
        let marker = source.marker();
        // clang may stop reading at an error; that is seen from its status.
        std::thread::Builder::new()
            .spawn(move || stdin.write_all(marker.as_bytes()).and_then(|()| stdin.write_all(&text)))?;
    }
    Ok(receive)
}

/// What clang writes, unless a limit is reached before the end.
fn gather(
    streams: &Receiver<(usize, Vec<u8>)>,
    process: u32,
    source: &Source,
    options: &Options,
) -> Result<[Vec<u8>; 2], Error> {
    let mut gathered = [Vec::new(), Vec::new()];
    let mut missing = gathered.len();
    let path = || source.path.clone();
    while missing > 0 {
        let left = options.deadline.map(|at| at.saturating_duration_since(Instant::now()));
        match streams.recv_timeout(left.unwrap_or(INTERVAL).min(INTERVAL)) {
            Ok((index, bytes)) => {
                gathered[index] = bytes;
                missing -= 1;
            }
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) if left.is_some_and(|left| left.is_zero()) => {
                return Err(Error::Timeout { path: path() });
            }
            Err(RecvTimeoutError::Timeout) => {
                let used = heapproof_process::tree_bytes(process);
                if let Some(limit) = options.memory.filter(|limit| used > *limit) {
                    return Err(Error::OutOfMemory { path: path(), mib: limit >> 20 });
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
