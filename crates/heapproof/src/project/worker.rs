//! One unit in a process of its own: reads what to do, analyses it, writes the answer.
//!
//! No clock runs in it: its budget is counted, so equal units get equal answers on every machine. The process that started it ends
//! it when its time is over.

use crate::check::Failure;
use crate::cli::args::{Cli, Command, TargetName};
use crate::cli::check::{NoAnswer, decide};
use crate::cli::setup;
use crate::progress::Progress;
use clap::Parser;
use heapproof_frontend::{Error, FileOptions};
use heapproof_process::Mode;
use heapproof_project::Cause;
use heapproof_project::call::normal;
use heapproof_report::story;
use heapproof_verdict::{Answer, Obstacle};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// The mode in which the program analyses a unit.
pub const UNIT: Mode = Mode { name: "unit", run };

/// What to analyse.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Spec {
    /// Options of `heapproof check`.
    pub words: Vec<String>,
    /// The files.
    pub files: Vec<SpecFile>,
    /// The root of the project.
    pub root: PathBuf,
    /// For 32 bits.
    pub is_32: bool,
}

/// A file, and how it is compiled.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SpecFile {
    /// Its path.
    pub path: PathBuf,
    /// Options for clang.
    pub arguments: Vec<String>,
    /// Where clang is started.
    pub folder: PathBuf,
    /// What clang made of it before.
    pub bitcode: Option<PathBuf>,
}

/// What came of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Outcome {
    /// An answer, in words and with paths from the root; and the files that were compiled.
    Answer {
        /// The answer.
        answer: Box<Answer>,
        /// Names of files that may be shown.
        sources: BTreeSet<String>,
        /// True if an equal unit would get this answer on every machine.
        is_final: bool,
        /// What it took.
        elapsed_ms: u64,
    },
    /// There is nothing to answer.
    Failure {
        /// Why, as a kind.
        cause: Cause,
        /// Why.
        reason: String,
    },
}

impl Outcome {
    /// True if an equal unit would come to the same everywhere.
    pub fn is_final(&self) -> bool {
        match self {
            Outcome::Answer { is_final, .. } => *is_final,
            Outcome::Failure { cause, .. } => matches!(cause, Cause::DoesNotLink | Cause::WrongUse),
        }
    }
}

fn run(_: Vec<OsString>) -> ExitCode {
    let mut bytes = Vec::new();
    let spec = match std::io::stdin().lock().read_to_end(&mut bytes) {
        Ok(_) => serde_json::from_slice::<Spec>(&bytes).map_err(|why| why.to_string()),
        Err(why) => Err(why.to_string()),
    };
    let outcome =
        spec.and_then(analyse).unwrap_or_else(|reason| Outcome::Failure { cause: Cause::WrongUse, reason });
    let written = serde_json::to_vec(&outcome).map(|bytes| {
        let mut stdout = std::io::stdout().lock();
        stdout.write_all(&bytes).and_then(|()| stdout.flush())
    });
    let is_written = matches!(written, Ok(Ok(())));
    // A worker that ran into a limit may still be busy.
    std::process::exit(if is_written { 0 } else { 1 })
}

fn analyse(spec: Spec) -> Result<Outcome, String> {
    let started = std::time::Instant::now();
    let paths: BTreeSet<&Path> = spec.files.iter().map(|file| file.path.as_path()).collect();
    if paths.len() < spec.files.len() {
        return Err(
            "a file is a part of it in two configurations, which cannot be put together yet".to_owned()
        );
    }
    let words = ["heapproof".to_owned(), "check".to_owned()].into_iter().chain(spec.words.iter().cloned());
    let words =
        words.map(OsString::from).chain(spec.files.iter().map(|file| file.path.clone().into_os_string()));
    let cli = Cli::try_parse_from(words)
        .map_err(|why| why.to_string().lines().next().unwrap_or_default().to_owned())?;
    let Command::Check(mut args) = cli.command else { return Err("it is no check".to_owned()) };
    args.source.target = if spec.is_32 { TargetName::Ilp32 } else { TargetName::Lp64 };
    args.source.entries = spec.files.iter().map(SpecFile::options).collect();
    let options = setup::options(&args.source, &args.execution, Vec::new(), None);
    let mut options = options.map_err(|_| "its options do not fit".to_owned())?;
    options.deadline = None;
    options.frontend.deadline = None;
    crate::cli::check::choose(&mut options, &args);
    let progress = Arc::new(Progress::new());
    match decide(&args, &options, &progress) {
        Ok(decided) => {
            let answer = story::in_words(&decided.answer, Some(&decided.sources));
            let is_final = is_final(&answer);
            let elapsed_ms = started.elapsed().as_millis() as u64;
            let answer = Box::new(from_root(&answer, &spec.root)?);
            let sources = decided.sources.iter().map(|name| relative(name, &spec.root)).collect();
            Ok(Outcome::Answer { answer, sources, is_final, elapsed_ms })
        }
        Err(NoAnswer::Failure(failure)) => {
            let (cause, reason) = why(&failure);
            Ok(Outcome::Failure { cause, reason: reason.replace(&format!("{}/", spec.root.display()), "") })
        }
        Err(NoAnswer::NotStarted(reason)) => Ok(Outcome::Failure { cause: Cause::Limit, reason }),
    }
}

impl SpecFile {
    fn options(&self) -> FileOptions {
        FileOptions {
            path: self.path.clone(),
            arguments: self.arguments.clone(),
            folder: self.folder.clone(),
            bitcode: self.bitcode.clone(),
        }
    }
}

/// What the clock or the memory of a machine decided is not the same everywhere. There is no deadline here, so the share of an engine
/// in the time can be over by counts only.
fn is_final(answer: &Answer) -> bool {
    let by_machine = |obstacle: &Obstacle| {
        matches!(obstacle, Obstacle::Time | Obstacle::Memory { .. } | Obstacle::Helper { .. })
    };
    // Functions have only words.
    let mut functions = answer.functions.iter().filter_map(|function| function.reason.as_ref());
    let by_clock = functions.any(|reason| reason.contains("time"));
    !by_clock && !answer.obstacles.iter().any(by_machine)
}

fn why(failure: &Failure) -> (Cause, String) {
    let cause = match failure {
        Failure::Frontend(Error::Link { .. }) => Cause::DoesNotLink,
        Failure::Frontend(Error::Timeout { .. } | Error::OutOfMemory { .. }) => Cause::Limit,
        Failure::Frontend(Error::Crashed { .. } | Error::Reader { .. }) => Cause::Crashed,
        Failure::Frontend(_) => Cause::DoesNotCompile,
        _ => Cause::WrongUse,
    };
    let text = failure.to_string();
    (cause, text.lines().find(|line| !line.trim().is_empty()).unwrap_or("no reason").to_owned())
}

/// The answer with paths from the root, and without times. Words are told: forks and counts are in the messages already.
fn from_root(answer: &Answer, root: &Path) -> Result<Answer, String> {
    let mut value = serde_json::to_value(answer).map_err(|why| why.to_string())?;
    tidy(&mut value, root, &format!("{}/", root.display()));
    serde_json::from_value(value).map_err(|why| why.to_string())
}

fn tidy(value: &mut Value, root: &Path, start: &str) {
    match value {
        Value::String(text) => *text = text.replace(start, ""),
        Value::Array(items) => items.iter_mut().for_each(|item| tidy(item, root, start)),
        Value::Object(map) => {
            map.remove("fork");
            map.retain(|name, _| !name.contains("microseconds"));
            for (key, value) in map.iter_mut() {
                match (key.as_str(), &mut *value) {
                    ("elapsed_ms", number) => *number = Value::from(0),
                    ("times", number @ Value::Number(_)) => *number = Value::from(1),
                    ("file", Value::String(name)) => *name = relative(name, root),
                    (_, value) => tidy(value, root, start),
                }
            }
        }
        _ => {}
    }
}

/// A name from the root, without `..` where that is possible.
fn relative(name: &str, root: &Path) -> String {
    let path = normal(&root.join(name));
    path.strip_prefix(root).unwrap_or(&path).display().to_string()
}
