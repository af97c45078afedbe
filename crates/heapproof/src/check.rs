//! The check of a program as a library call: compile, choose an engine, answer.

use crate::engines::{Engine, random};
use crate::progress::Progress;
use heapproof_frontend as frontend;
use heapproof_interp as interp;
use heapproof_ir::{Program, Target};
use heapproof_verdict::{Answer, NoteKind, PropertySet};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// What to check and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// How to compile.
    pub frontend: frontend::Options,
    /// The properties.
    pub property: PropertySet,
    /// The engine.
    pub engine: Engine,
    /// The function to start at.
    pub entry: String,
    /// `malloc` and its relatives may give null.
    pub malloc_may_fail: bool,
    /// The command line of the program; arbitrary if none.
    pub argv: Option<Vec<Vec<u8>>>,
    /// External functions that change no memory.
    pub assume_pure: BTreeSet<String>,
    /// External functions that may change what their arguments point to.
    pub havoc: BTreeSet<String>,
    /// The most bytes of all live objects of the program together.
    pub max_memory: u64,
    /// The most frames on the program's call stack.
    pub max_depth: u32,
    /// When everything has to be done.
    pub deadline: Option<Instant>,
    /// The budget of engine `random`. Its deadline is set from the other.
    pub random: random::Budget,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            frontend: frontend::Options::default(),
            property: PropertySet::default_of_check(),
            engine: Engine::Auto,
            entry: "main".to_owned(),
            malloc_may_fail: false,
            argv: None,
            assume_pure: BTreeSet::new(),
            havoc: BTreeSet::new(),
            max_memory: 1 << 30,
            max_depth: 10_000,
            deadline: None,
            random: random::Budget::default(),
        }
    }
}

impl Options {
    /// The options of one concrete execution.
    pub fn interp(&self) -> interp::Options {
        interp::Options {
            properties: self.property.clone(),
            entry: self.entry.clone(),
            max_steps: self.random.steps,
            max_memory: self.max_memory,
            max_depth: self.max_depth,
            malloc_may_fail: self.malloc_may_fail,
            argv: self.argv.clone(),
            assume_pure: self.assume_pure.clone(),
            havoc: self.havoc.clone(),
            deadline: self.deadline,
            record_path: false,
        }
    }
}

/// Why there is no answer: the input is at fault.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The files cannot be compiled.
    #[error(transparent)]
    Frontend(#[from] frontend::Error),
    /// There is no function to start at.
    #[error("{}", no_entry(entry, defined))]
    NoEntry {
        /// The function that was looked for.
        entry: String,
        /// The functions that are defined.
        defined: Vec<String>,
    },
}

/// The most function names that a message lists.
const MOST_NAMES: usize = 8;

fn no_entry(entry: &str, defined: &[String]) -> String {
    let names: Vec<String> = defined.iter().take(MOST_NAMES).map(|name| format!("`{name}`")).collect();
    let more = if defined.len() > MOST_NAMES { ", …" } else { "" };
    match defined {
        [] => format!("there is no function `{entry}` to start at; the input defines no function at all"),
        _ => format!(
            "there is no function `{entry}` to start at; defined are {}{more}: name one with --entry",
            names.join(", ")
        ),
    }
}

/// A program, ready to be run.
#[derive(Debug)]
pub struct Prepared {
    /// The program.
    pub program: Program,
    /// clang's warnings.
    pub diagnostics: String,
}

/// Compiles the files and makes sure that there is a function to start at.
pub fn prepare(files: &[PathBuf], options: &Options, progress: &Progress) -> Result<Prepared, Failure> {
    progress.enter("compiling");
    let frontend = frontend::Options { deadline: options.deadline, ..options.frontend.clone() };
    let compiled = frontend::compile(files, &frontend)?;
    let program = compiled.program;
    let is_entry = program.functions.values().any(|f| f.name == options.entry && f.body.is_some());
    if !is_entry {
        let defined = program.functions.values().filter(|f| f.body.is_some());
        let defined = defined.map(|f| f.name.clone()).collect();
        return Err(Failure::NoEntry { entry: options.entry.clone(), defined });
    }
    Ok(Prepared { program, diagnostics: compiled.diagnostics })
}

/// An answer with what clang had to say.
#[derive(Debug)]
pub struct Checked {
    /// The answer.
    pub answer: Answer,
    /// clang's warnings.
    pub diagnostics: String,
}

/// Checks the program that the files make up.
pub fn check(files: &[PathBuf], options: &Options, progress: &Progress) -> Result<Checked, Failure> {
    let started = Instant::now();
    let Prepared { program, diagnostics } = prepare(files, options, progress)?;
    let mut answer = match options.engine {
        Engine::Auto | Engine::Random => {
            let budget = random::Budget {
                deadline: options.deadline.map(|deadline| part_of(started, deadline)),
                ..options.random.clone()
            };
            random::search(&program, &options.interp(), &budget, progress)
        }
    };
    let target = match program.target {
        Target::Lp64 => "the target is lp64 (x86_64-linux-gnu)",
        Target::Ilp32 => "the target is ilp32 (i386-linux-gnu)",
    };
    answer.ledger.note(NoteKind::Target, target);
    let allocates = ["malloc", "calloc", "realloc"].iter().any(|name| program.function(name).is_some());
    if allocates && !options.malloc_may_fail {
        answer
            .ledger
            .note(NoteKind::Machine, "malloc and its relatives never fail (--malloc-may-fail lets them)");
    }
    answer.elapsed_ms = started.elapsed().as_millis() as u64;
    Ok(Checked { answer, diagnostics })
}

/// Three quarters of the time: what is found has to be confirmed and told.
fn part_of(started: Instant, deadline: Instant) -> Instant {
    let left: Duration = deadline.saturating_duration_since(started);
    started + left * 3 / 4
}
