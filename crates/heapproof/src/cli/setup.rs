//! From the command line to the options of a check or a run.

use super::Status;
use super::args::{Execution, LimitArgs, Source, TargetName, WorldArgs};
use super::output::{complain, err_text, quoted, words};
use crate::at_exit::LeaksAtExit;
use crate::check::{Failure, Options};
use crate::watch::within;
use clap::ValueEnum;
use heapproof_engine::{Environment, World};
use heapproof_frontend::{self as frontend, Error};
use heapproof_ir::Target;
use heapproof_report::text::Replay;
use heapproof_verdict::{Property, PropertySet, parse_prp};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How to compile.
pub fn frontend_options(source: &Source, limits: LimitArgs, clang_args: Vec<String>) -> frontend::Options {
    let target = match source.target {
        TargetName::Lp64 => Target::Lp64,
        TargetName::Ilp32 => Target::Ilp32,
    };
    frontend::Options {
        target,
        clang: source.clang.clone(),
        clang_args,
        files: source.entries.clone(),
        deadline: Some(Instant::now() + Duration::from_secs_f64(limits.timeout)),
        memory: Some(limits.memory << 20),
        ..frontend::Options::default()
    }
}

/// How to check or run; says what is wrong with the command line otherwise.
pub fn options(
    source: &Source,
    execution: &Execution,
    clang: Vec<String>,
    args: Option<Vec<String>>,
) -> Result<Options, Status> {
    let frontend = frontend_options(source, execution.limits, clang);
    let leaks_at_exit = execution.leaks_at_exit.unwrap_or(match &execution.property {
        Some(_) => LeaksAtExit::Error,
        None => LeaksAtExit::Note,
    });
    let property = match &execution.property {
        Some(text) => property(text, frontend.deadline).map_err(|message| {
            complain(message);
            Status::WrongUse
        })?,
        None if leaks_at_exit == LeaksAtExit::Error => PropertySet::default_of_check(),
        None => PropertySet::default_without_leaks_at_exit(),
    };
    let presupposed = match &execution.presuppose {
        Some(text) => members(text, frontend.deadline)?,
        None => BTreeSet::new(),
    };
    let requires = requirements(&execution.requires)?;
    let environment = Environment {
        target: frontend.target,
        entries: execution.entry.clone(),
        argv: args.or_else(|| execution.argv.as_deref().map(words)).map(|args| {
            let name = source.files.first().and_then(|f| f.file_stem()).unwrap_or_default();
            let name = name.to_string_lossy().into_owned();
            std::iter::once(name).chain(args).map(String::into_bytes).collect()
        }),
        malloc_may_fail: execution.malloc_may_fail,
        havoc: execution.havoc.iter().cloned().collect(),
        pure: execution.assume_pure.iter().cloned().collect(),
        properties: property,
        presupposed,
        requires,
        world: world(&execution.world, frontend.deadline)?,
    };
    let mut options = Options {
        property_given: execution.property.is_some(),
        leaks_at_exit,
        deadline: frontend.deadline,
        frontend,
        // What an object needs here is more than its bytes.
        max_memory: (execution.limits.memory << 20) / 8,
        ..Options::new(environment)
    };
    options.random.seed = execution.seed;
    options.random.steps = steps(execution.limits);
    Ok(options)
}

/// The most steps of all executions: what takes about as long as the time allows, the same on every machine.
pub fn steps(limits: LimitArgs) -> u64 {
    const A_SECOND: f64 = 50e6;
    ((limits.timeout * A_SECOND) as u64).max(1)
}

/// What of the world is given.
fn world(args: &WorldArgs, deadline: Option<Instant>) -> Result<World, Status> {
    let wrong = |message: String| {
        complain(message);
        Status::WrongUse
    };
    let pair = |option: &str, text: &str, what: &str| match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err(wrong(format!("`{option} {text}`: {what} is needed"))),
    };
    let mut world = World::default();
    if let Some(path) = &args.stdin {
        world.stdin = Some(content(path, deadline).map_err(wrong)?);
    }
    for text in &args.file {
        let (name, path) = pair("--file", text, "NAME=PATH")?;
        world.files.insert(name.into_bytes(), content(Path::new(&path), deadline).map_err(wrong)?);
    }
    for text in &args.env {
        let (name, value) = pair("--env", text, "NAME=VALUE")?;
        world.variables.get_or_insert_default().insert(name.into_bytes(), value.into_bytes());
    }
    Ok(world)
}

/// The bytes of a file that the program is to read.
fn content(path: &Path, deadline: Option<Instant>) -> Result<Arc<[u8]>, String> {
    const MOST_BYTES: u64 = 64 << 20;
    let name = path.display();
    let file = path.to_owned();
    let read = within(deadline, move || {
        let mut content = Vec::new();
        File::open(file)?.take(MOST_BYTES + 1).read_to_end(&mut content).map(|_| content)
    });
    let content = read
        .ok_or_else(|| format!("cannot read {name}: it does not end within the time limit"))?
        .map_err(|error| format!("cannot read {name}: {error}"))?;
    if content.len() as u64 > MOST_BYTES {
        return Err(format!("cannot read {name}: it is larger than {} MiB", MOST_BYTES >> 20));
    }
    Ok(content.into())
}

/// The elementary properties that a list of names means.
fn members(text: &str, deadline: Option<Instant>) -> Result<BTreeSet<Property>, Status> {
    match property(text, deadline) {
        Ok(set) => Ok(set.members.into_iter().collect()),
        Err(message) => {
            complain(message);
            Err(Status::WrongUse)
        }
    }
}

/// What functions may assume, by function: each text is `NAME: FORMULA`.
fn requirements(texts: &[String]) -> Result<BTreeMap<String, Vec<String>>, Status> {
    let mut requires: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for text in texts {
        let is_name = |name: &str| {
            let mut letters = name.chars();
            letters.next().is_some_and(|c| c.is_alphabetic() || c == '_')
                && letters.all(|c| c.is_alphanumeric() || c == '_' || c == '$')
        };
        match text.split_once(':').map(|(name, formula)| (name.trim(), formula.trim())) {
            Some((name, formula)) if is_name(name) && !formula.is_empty() => {
                requires.entry(name.to_owned()).or_default().push(formula.to_owned());
            }
            _ => {
                complain(format_args!(
                    "`--requires {text}`: a function and what it may assume are needed, as in 'push: n > 0'"
                ));
                return Err(Status::WrongUse);
            }
        }
    }
    Ok(requires)
}

/// A property by its name or from a file.
fn property(text: &str, deadline: Option<Instant>) -> Result<PropertySet, String> {
    /// No property file is nearly as large.
    const MOST_BYTES: u64 = 1 << 20;
    let path = Path::new(text);
    let is_file = path.extension().is_some_and(|e| e == "prp") || text.contains('/');
    if !is_file {
        return text.parse().map_err(|error: heapproof_verdict::ParsePropertyError| error.to_string());
    }
    let unreadable = |why: &dyn std::fmt::Display| format!("cannot read the property file {text}: {why}");
    let file = path.to_owned();
    let read = within(deadline, move || {
        let mut content = Vec::new();
        File::open(file)?.take(MOST_BYTES + 1).read_to_end(&mut content).map(|_| content)
    });
    let content = read
        .ok_or_else(|| unreadable(&"it does not end within the time limit"))?
        .map_err(|error| unreadable(&error))?;
    if content.len() as u64 > MOST_BYTES {
        return Err(unreadable(&"it is larger than 1 MiB"));
    }
    let content = String::from_utf8(content).map_err(|_| format!("the property file {text} is not text"))?;
    let name = path.file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
    parse_prp(&name, &content).map_err(|error| format!("{text}: {error}"))
}

/// The command that replays a violation.
pub fn replay(source: &Source, execution: &Execution, clang: &[String]) -> Replay {
    let mut words = vec!["heapproof".to_owned(), "run".to_owned()];
    words.extend(source.files.iter().map(|f| f.display().to_string()));
    if source.target == TargetName::Ilp32 {
        words.extend(["--target".to_owned(), "ilp32".to_owned()]);
    }
    if let Some(database) = &source.compile_commands {
        words.extend(["--compile-commands".to_owned(), database.display().to_string()]);
    }
    if let Some(clang) = &source.clang {
        words.extend(["--clang".to_owned(), clang.display().to_string()]);
    }
    if let Some(property) = &execution.property {
        words.extend(["--property".to_owned(), property.clone()]);
    }
    if let Some(what) = execution.leaks_at_exit.and_then(|what| what.to_possible_value()) {
        words.extend(["--leaks-at-exit".to_owned(), what.get_name().to_owned()]);
    }
    for entry in &execution.entry {
        words.extend(["--entry".to_owned(), entry.clone()]);
    }
    if execution.malloc_may_fail {
        words.push("--malloc-may-fail".to_owned());
    }
    for name in &execution.assume_pure {
        words.extend(["--assume-pure".to_owned(), name.clone()]);
    }
    for name in &execution.havoc {
        words.extend(["--havoc".to_owned(), name.clone()]);
    }
    if let Some(argv) = &execution.argv {
        words.extend(["--argv".to_owned(), argv.clone()]);
    }
    if let Some(path) = &execution.world.stdin {
        words.extend(["--stdin".to_owned(), path.display().to_string()]);
    }
    for text in &execution.world.file {
        words.extend(["--file".to_owned(), text.clone()]);
    }
    for text in &execution.world.env {
        words.extend(["--env".to_owned(), text.clone()]);
    }
    let join = |words: &[String]| words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
    let compiler = if clang.is_empty() { String::new() } else { format!(" -- {}", join(clang)) };
    Replay { command: join(&words), compiler, file: None }
}

/// Why nothing is known about the input, if it is clang that did not come to an end.
pub fn unfinished(failure: &Failure, source: &Source) -> Option<String> {
    match failure {
        Failure::Frontend(error @ (Error::Timeout { .. } | Error::OutOfMemory { .. })) => {
            Some(error.to_string())
        }
        Failure::Frontend(error @ Error::Crashed { diagnostics, .. }) => {
            tell_warnings(source, diagnostics);
            let more = if source.verbose { "" } else { "; --verbose shows what it wrote" };
            Some(format!("{error}{more}"))
        }
        _ => None,
    }
}

/// Tells why the input cannot be analysed.
pub fn tell_failure(failure: &Failure, source: &Source) -> Status {
    match failure {
        Failure::Frontend(Error::Rejected { path, diagnostics }) => {
            // clang's words, unchanged.
            err_text(diagnostics);
            if !diagnostics.ends_with('\n') {
                err_text("\n");
            }
            complain(format_args!("{} does not compile", path.display()));
            Status::WrongUse
        }
        Failure::Annotations { shown } => {
            err_text(shown);
            err_text("\n");
            let files: Vec<_> = source.files.iter().map(|f| f.display().to_string()).collect();
            complain(format_args!("there are mistakes in the annotations of {}", files.join(", ")));
            Status::WrongUse
        }
        Failure::NoEntry { .. }
        | Failure::NoEngine { .. }
        | Failure::WholeProgram { .. }
        | Failure::OneByOne { .. }
        | Failure::SeveralEntries { .. } => {
            let files: Vec<_> = source.files.iter().map(|f| f.display().to_string()).collect();
            complain(format_args!("{}: {failure}", files.join(", ")));
            Status::WrongUse
        }
        Failure::Frontend(_) | Failure::Harness { .. } => {
            complain(failure);
            Status::WrongUse
        }
    }
}

/// Shows clang's warnings if they are wanted.
pub fn tell_warnings(source: &Source, diagnostics: &str) {
    if source.verbose {
        err_text(diagnostics);
    }
}
