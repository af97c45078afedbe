//! `heapproof capture -- make`: records what a build calls.
//!
//! A folder with links to this program, named like the compilers, archivers and linkers on the path, stands first on the path of the
//! build. Started by such a name, the program writes down the call and becomes the real one.

use crate::cli::Status;
use crate::cli::args::Capture;
use crate::cli::output::{complain, remark};
use heapproof_project::call::{is_tool, is_worth_recording};
use heapproof_project::database::Call;
use heapproof_project::words::expand;
use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Names the folder of a recording to the programs of the build.
const RECORDING: &str = "HEAPPROOF_CAPTURE";
/// The path as it was.
const PATH: &str = "HEAPPROOF_CAPTURE_PATH";
/// The file of calls in that folder, and the folder of links.
const CALLS: &str = "calls";
const LINKS: &str = "bin";

/// Becomes the program by whose name this one was started, if a build is recorded. To be called before anything else.
pub fn shim() -> Option<ExitCode> {
    let folder = PathBuf::from(std::env::var_os(RECORDING)?);
    let mut arguments = std::env::args_os();
    let first = PathBuf::from(arguments.next()?);
    let name = first.file_name()?.to_owned();
    if !is_tool(&name.to_string_lossy()) {
        return None;
    }
    let arguments: Vec<OsString> = arguments.collect();
    if let Err(why) = record(&folder, &name, &arguments) {
        eprintln!("heapproof: a call of {} could not be recorded: {why}", name.to_string_lossy());
    }
    let path = std::env::var_os(PATH).unwrap_or_default();
    let links = folder.join(LINKS);
    let real = std::env::split_paths(&path)
        .filter(|place| *place != links)
        .map(|place| place.join(&name))
        .find(|file| file.is_file());
    let Some(real) = real else {
        eprintln!("heapproof: {} is not on the path", name.to_string_lossy());
        return Some(ExitCode::from(127));
    };
    // What a compiler calls itself is its own business.
    let why = Command::new(&real)
        .arg0(&first)
        .args(arguments)
        .env("PATH", &path)
        .env_remove(RECORDING)
        .env_remove(PATH)
        .exec();
    eprintln!("heapproof: cannot start {}: {why}", real.display());
    Some(ExitCode::from(126))
}

/// Writes a call down. Response files are read now: builds remove them.
fn record(folder: &Path, name: &OsString, arguments: &[OsString]) -> std::io::Result<()> {
    let directory = std::env::current_dir()?;
    let words = [name].into_iter().chain(arguments).map(|word| word.to_string_lossy().into_owned());
    let words: Vec<String> = words.collect();
    let arguments = expand(&words, &directory).unwrap_or(words);
    let call = Call { directory, arguments, file: None, output: None };
    if !is_worth_recording(&call) {
        return Ok(());
    }
    let mut line = serde_json::to_vec(&call)?;
    line.push(b'\n');
    // One write to the end of a file is not mixed with that of another process.
    OpenOptions::new().create(true).append(true).open(folder.join(CALLS))?.write_all(&line)
}

/// `heapproof capture`.
pub fn main(args: &Capture) -> Status {
    match recorded(args) {
        Ok(code) => std::process::exit(code),
        Err(message) => {
            complain(message);
            Status::WrongUse
        }
    }
}

/// Runs the build, and writes what it called. The exit status is that of the build.
fn recorded(args: &Capture) -> Result<i32, String> {
    let (program, words) =
        args.command.split_first().ok_or("a command is needed: heapproof capture -- make")?;
    let failed = |what: &str, why: std::io::Error| format!("{what}: {why}");
    let folder = tempfile::Builder::new().prefix("heapproof-capture-").tempdir();
    let folder = folder.map_err(|why| failed("cannot make a temporary directory", why))?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let links = folder.path().join(LINKS);
    link_tools(&links, &path).map_err(|why| failed("cannot make links to this program", why))?;
    let places = std::iter::once(links).chain(std::env::split_paths(&path));
    let joined = std::env::join_paths(places).map_err(|why| format!("the path cannot be extended: {why}"))?;
    let status = Command::new(program)
        .args(words)
        .env("PATH", joined)
        .env(PATH, &path)
        .env(RECORDING, folder.path())
        .status();
    let status = status.map_err(|why| failed(&format!("cannot start {}", program.to_string_lossy()), why))?;
    let text = std::fs::read_to_string(folder.path().join(CALLS)).unwrap_or_default();
    let calls: Vec<Call> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let calls: Vec<&Call> = calls.iter().filter(|call| !is_test_of_configure(call)).collect();
    if calls.is_empty() {
        remark(
            "nothing was recorded: is everything built already, or are compilers called by their whole path? (make clean; make CC=gcc)",
        );
    }
    let json = serde_json::to_string_pretty(&calls).map_err(|why| why.to_string())?;
    std::fs::write(&args.output, json)
        .map_err(|why| failed(&format!("cannot write {}", args.output.display()), why))?;
    remark(format_args!("{} calls were recorded in {}", calls.len(), args.output.display()));
    Ok(status.code().unwrap_or(1))
}

/// Programs that only find out what a system has are not a part of a project.
fn is_test_of_configure(call: &Call) -> bool {
    let folder = call.directory.to_string_lossy();
    let is_scratch = |text: &str| {
        ["CMakeFiles/CMakeScratch", "CMakeFiles/CMakeTmp", "meson-private", "CMakeFiles/3."]
            .iter()
            .any(|part| text.contains(part))
    };
    let is_test = |word: &String| {
        let name = Path::new(word).file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with("conftest.") || is_scratch(word)
    };
    is_scratch(&folder) || call.arguments.iter().any(is_test)
}

/// A link to this program for each tool on the path.
fn link_tools(folder: &Path, path: &OsString) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let ourselves = std::env::current_exe()?;
    for place in std::env::split_paths(path) {
        for entry in std::fs::read_dir(&place).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let link = folder.join(&name);
            if is_tool(&name.to_string_lossy()) && !link.exists() {
                std::os::unix::fs::symlink(&ourselves, link)?;
            }
        }
    }
    Ok(())
}
