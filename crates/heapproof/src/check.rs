//! The check of a program as a library call: compile, choose an engine, answer.

use crate::engines::{Engine, random, smg};
use crate::progress::Progress;
use heapproof_engine::Environment;
use heapproof_frontend as frontend;
use heapproof_interp as interp;
use heapproof_ir::{Program, Target};
use heapproof_verdict::{Answer, NoteKind, Verdict};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// What to check and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// How to compile.
    pub frontend: frontend::Options,
    /// What the program runs in and what is asked.
    pub environment: Environment,
    /// The engine.
    pub engine: Engine,
    /// The most bytes of all live objects of the program together.
    pub max_memory: u64,
    /// The most frames on the program's call stack.
    pub max_depth: u32,
    /// When everything has to be done.
    pub deadline: Option<Instant>,
    /// The budget of engine `random`. Its deadline is set from the other.
    pub random: random::Budget,
    /// The most configurations that engine `smg` looks at.
    pub configurations: u64,
    /// The solver that finds inputs for suspected errors.
    pub solver: String,
    /// Draw what engine `smg` finds to hold at loop heads.
    pub draw: bool,
}

impl Options {
    /// The usual budgets for a program in an environment.
    pub fn new(environment: Environment) -> Self {
        Options {
            frontend: frontend::Options { target: environment.target, ..frontend::Options::default() },
            environment,
            engine: Engine::Auto,
            max_memory: 1 << 30,
            max_depth: 10_000,
            deadline: None,
            random: random::Budget::default(),
            configurations: 2_000_000,
            solver: "z3".to_owned(),
            draw: false,
        }
    }

    /// The options of one concrete execution.
    pub fn interp(&self) -> interp::Options {
        interp::Options {
            environment: self.environment.clone(),
            max_steps: self.random.steps,
            max_memory: self.max_memory,
            max_depth: self.max_depth,
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
    /// Library functions that were given a body.
    pub linked: Vec<&'static str>,
    /// The names of the files that were compiled.
    pub sources: BTreeSet<String>,
}

/// Compiles the files and makes sure that there is a function to start at.
pub fn prepare(files: &[PathBuf], options: &Options, progress: &Progress) -> Result<Prepared, Failure> {
    progress.enter("compiling");
    let compiled = frontend::compile(files, &options.frontend)?;
    let mut program = compiled.program;
    let environment = &options.environment;
    let linked = heapproof_libc::link(&mut program, |name| !environment.is_said(name));
    let entry = environment.entry();
    let is_entry = program.functions.values().any(|f| f.name == entry && f.body.is_some());
    if !is_entry {
        let defined = program.functions.values().filter(|f| f.body.is_some());
        let defined = defined.map(|f| f.name.clone()).collect();
        return Err(Failure::NoEntry { entry: entry.to_owned(), defined });
    }
    Ok(Prepared { program, diagnostics: compiled.diagnostics, linked, sources: compiled.sources })
}

/// An answer with what clang had to say.
#[derive(Debug)]
pub struct Checked {
    /// The answer.
    pub answer: Answer,
    /// clang's warnings.
    pub diagnostics: String,
    /// What holds at loop heads, if engine `smg` ran and it was asked for.
    pub pictures: Vec<smg::Picture>,
    /// The names of the files that were compiled.
    pub sources: BTreeSet<String>,
}

/// Checks the program that the files make up.
pub fn check(files: &[PathBuf], options: &Options, progress: &Progress) -> Result<Checked, Failure> {
    let started = Instant::now();
    let Prepared { program, diagnostics, linked, sources } = prepare(files, options, progress)?;
    let mut pictures = Vec::new();
    let mut answer = match options.engine {
        Engine::Random => find(&program, options, options.random.executions, 6, progress),
        Engine::Smg => prove(&program, options, 7, progress, &mut pictures),
        Engine::Auto => portfolio(&program, options, progress, &mut pictures),
    };
    let target = match program.target {
        Target::Lp64 => "the target is lp64 (x86_64-linux-gnu)",
        Target::Ilp32 => "the target is ilp32 (i386-linux-gnu)",
    };
    answer.ledger.note(NoteKind::Target, target);
    for name in linked {
        answer.ledger.note(NoteKind::Model, format!("the model of `{name}` was used"));
    }
    let allocates = ["malloc", "calloc", "realloc"].iter().any(|name| program.function(name).is_some());
    if allocates && !options.environment.malloc_may_fail {
        answer
            .ledger
            .note(NoteKind::Machine, "malloc and its relatives never fail (--malloc-may-fail lets them)");
    }
    answer.elapsed_ms = started.elapsed().as_millis() as u64;
    Ok(Checked { answer, diagnostics, pictures, sources })
}

/// A quick look for an error, an attempt at a proof, and a long look where there is none.
fn portfolio(
    program: &Program,
    options: &Options,
    progress: &Progress,
    pictures: &mut Vec<smg::Picture>,
) -> Answer {
    const QUICK: u64 = 1_500;
    let quick = find(program, options, options.random.executions.min(QUICK), 2, progress);
    if quick.verdict == Verdict::Unsafe {
        return with_others(quick, program, options, progress);
    }
    let proof = prove(program, options, 4, progress, pictures);
    match proof.verdict {
        Verdict::Safe => return combine(quick, proof),
        Verdict::Unsafe => return proof,
        Verdict::Unknown => {}
    }
    let long = find(program, options, options.random.executions, 7, progress);
    if long.verdict == Verdict::Unsafe { long } else { combine(long, proof) }
}

/// An error was found: are there others? That is worth a little time.
fn with_others(mut found: Answer, program: &Program, options: &Options, progress: &Progress) -> Answer {
    const MOST: u64 = 2_000;
    const LONGEST: Duration = Duration::from_secs(2);
    let until = Instant::now() + LONGEST;
    let options = Options {
        deadline: Some(options.deadline.map_or(until, |deadline| part_of(deadline, 1).min(until))),
        configurations: options.configurations.min(MOST),
        draw: false,
        ..options.clone()
    };
    let question = smg::Question { known: found.violations.clone(), ..question(&options, 8) };
    let others = smg::prove(program, &question, progress, &mut Vec::new());
    found.violations.extend(others.violations);
    found
}

/// Looks for an error by random executions, in some eighths of the time that is left.
fn find(program: &Program, options: &Options, executions: u64, eighths: u32, progress: &Progress) -> Answer {
    let deadline = options.deadline.map(|deadline| part_of(deadline, eighths));
    let budget = random::Budget { deadline, executions, ..options.random.clone() };
    random::search(program, &options.interp(), &budget, progress)
}

/// Tries a proof in some eighths of the time that is left.
fn prove(
    program: &Program,
    options: &Options,
    eighths: u32,
    progress: &Progress,
    pictures: &mut Vec<smg::Picture>,
) -> Answer {
    smg::prove(program, &question(options, eighths), progress, pictures)
}

/// What engine `smg` is asked, in some eighths of the time that is left.
fn question(options: &Options, eighths: u32) -> smg::Question {
    smg::Question {
        environment: options.environment.clone(),
        configurations: options.configurations,
        deadline: options.deadline.map(|deadline| part_of(deadline, eighths)),
        draw: options.draw,
        replay: options.interp(),
        solver: options.solver.clone(),
        memory: options.frontend.memory,
        known: Vec::new(),
    }
}

/// The answer of a search that found nothing and of the proof that followed it.
fn combine(found: Answer, proof: Answer) -> Answer {
    let mut answer = proof;
    answer.statistics.extend(found.statistics);
    if answer.verdict == Verdict::Safe {
        // What the executions met is no assumption of the proof; the models they used say something about it.
        answer.ledger.notes.extend(found.ledger.notes);
        return answer;
    }
    answer.ledger.absorb(found.ledger);
    answer.reason = match (found.reason, answer.reason) {
        (Some(first), Some(second)) => Some(format!("{first}; no proof: {second}")),
        (first, second) => first.or(second),
    };
    answer
}

/// Some eighths of the time that is left: what is found has to be confirmed and told.
pub fn part_of(deadline: Instant, eighths: u32) -> Instant {
    let now = Instant::now();
    let left: Duration = deadline.saturating_duration_since(now);
    now + left * eighths / 8
}
