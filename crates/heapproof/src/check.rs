//! The check of a program as a library call: compile, choose an engine, answer.

use crate::at_exit::{self, LeaksAtExit, Returning};
use crate::bounds;
use crate::engines::{ENGINES, Settings, engine, random};
use crate::film;
use crate::library;
use crate::portfolio;
use crate::progress::Progress;
use crate::witness;
use heapproof_confirm::vector::{Queued, Vector};
use heapproof_confirm::{ctest, violations};
use heapproof_engine::{
    Artefact, ArtefactKind, Budget, Environment, Progress as _, Scope, Source, model_note,
};
use heapproof_frontend as frontend;
use heapproof_interp as interp;
use heapproof_ir::{Program, Target};
use heapproof_report::picture::Film;
use heapproof_verdict::{Answer, ErrorClass, NoteKind, Property, PropertySet, Violation};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// What to check and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// How to compile.
    pub frontend: frontend::Options,
    /// What the program runs in and what is asked.
    pub environment: Environment,
    /// The user named the properties.
    pub property_given: bool,
    /// What to do with blocks that are lost because `main` returns.
    pub leaks_at_exit: LeaksAtExit,
    /// Executions go on after errors.
    pub go_on: bool,
    /// The engine that the user chose; all that fit if none.
    pub engine: Option<String>,
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
    /// Every question to it is written to a file in this directory.
    pub dump_queries: Option<PathBuf>,
    /// States of engine `symheap` are written to files in this directory.
    pub dump_heaps: Option<PathBuf>,
    /// How engine `symheap` finds the cell at an address.
    pub deref: heapproof_symheap::Deref,
    /// Draw what engine `smg` finds to hold at loop heads.
    pub draw: bool,
    /// Tell what engine `smg` spent its configurations on.
    pub profile_proof: bool,
    /// Show the formulas of programs.
    pub dump_ssa: bool,
    /// Keep what engine `integrity` asks its solver.
    pub keep_goals: bool,
    /// Make a C program that shows the first error.
    pub write_test: bool,
    /// Draw the executions of errors.
    pub film: bool,
    /// Keep what calls return on the way to the first error.
    pub returned: bool,
    /// What engine `contracts` showed is kept in this directory, and not asked again.
    pub cache: Option<PathBuf>,
    /// Tell the loop invariants that engine `contracts` found.
    pub suggest: bool,
    /// A module without `main` is asked for all its clients, if nothing else is asked.
    pub clients: bool,
    /// The headers of a library: only what they name is called by clients.
    pub headers: Vec<PathBuf>,
}

impl Options {
    /// The usual budgets for a program in an environment.
    pub fn new(environment: Environment) -> Self {
        Options {
            frontend: frontend::Options { target: environment.target, ..frontend::Options::default() },
            environment,
            property_given: true,
            leaks_at_exit: LeaksAtExit::Error,
            go_on: false,
            engine: None,
            max_memory: 1 << 30,
            max_depth: 10_000,
            deadline: None,
            random: random::Budget::default(),
            configurations: 2_000_000,
            solver: "z3".to_owned(),
            dump_queries: None,
            dump_heaps: None,
            deref: Default::default(),
            draw: false,
            profile_proof: false,
            dump_ssa: false,
            keep_goals: false,
            write_test: false,
            film: false,
            returned: false,
            cache: None,
            suggest: false,
            clients: false,
            headers: Vec::new(),
        }
    }

    /// What engines need to know besides their task.
    pub(crate) fn settings(&self) -> Settings {
        Settings {
            seed: self.random.seed,
            first_steps: self.random.first_steps,
            max_depth: self.max_depth,
            solver: self.solver.clone(),
            dump_queries: self.dump_queries.clone(),
            dump_heaps: self.dump_heaps.clone(),
            deref: self.deref,
            memory: self.frontend.memory,
            draw: self.draw,
            profile_proof: self.profile_proof,
            dump_ssa: self.dump_ssa,
            keep_goals: self.keep_goals,
            write_test: self.write_test,
            cache: self.cache.clone(),
            suggest: self.suggest,
        }
    }

    /// What may be spent.
    pub(crate) fn budget(&self) -> Budget {
        Budget {
            deadline: self.deadline,
            states: self.configurations,
            executions: self.random.executions,
            steps: self.random.steps,
            memory: self.max_memory,
            cancelled: Arc::new(AtomicBool::new(false)),
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
            stop_at_choice: false,
            go_on: self.go_on,
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
    /// A whole program cannot start at several functions.
    #[error("{property} is about a whole program, which starts at one function: give --entry once")]
    SeveralEntries {
        /// What is asked.
        property: PropertySet,
    },
    /// The chosen engine does not look at functions one by one.
    #[error("engine {engine} needs a whole program: {}", no_entry("main", defined))]
    WholeProgram {
        /// The engine.
        engine: String,
        /// The functions that are defined.
        defined: Vec<String>,
    },
    /// The chosen engine looks at functions one by one.
    #[error("engine {engine} looks at functions one by one and cannot decide {property}")]
    OneByOne {
        /// The engine.
        engine: String,
        /// What is asked.
        property: PropertySet,
    },
    /// No engine looks at functions one by one for this property.
    #[error("{} (no engine at hand decides {property} function by function)", no_entry("main", defined))]
    NoEngine {
        /// What is asked.
        property: PropertySet,
        /// The functions that are defined.
        defined: Vec<String>,
    },
    /// There are mistakes in annotations.
    #[error("{shown}")]
    Annotations {
        /// The mistakes as a compiler tells them.
        shown: String,
    },
    /// The client of a library cannot be written or compiled.
    #[error("{why}")]
    Harness {
        /// Why.
        why: String,
    },
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
    /// `main` as it was, where leaks at exit are no errors.
    pub returning: Option<Returning>,
}

/// Compiles the files and makes sure that there is a function to start at.
pub fn prepare(files: &[PathBuf], options: &Options, progress: &Progress) -> Result<Prepared, Failure> {
    let prepared = compile(files, options, progress)?;
    can_start(&prepared.program, &options.environment)?;
    Ok(prepared)
}

/// Compiles the files.
pub(crate) fn compile(
    files: &[PathBuf],
    options: &Options,
    progress: &Progress,
) -> Result<Prepared, Failure> {
    progress.enter("compiling");
    let compiled = frontend::compile(files, &options.frontend)?;
    let mut program = compiled.program;
    let linked = heapproof_libc::link(&mut program, |name| !options.environment.is_said(name));
    let environment = &options.environment;
    if environment.properties.has(Property::Bounds) {
        bounds::instrument(&mut program);
    }
    let is_asked = environment.properties.has(Property::ValidMemtrack)
        && !environment.properties.is_of_functions()
        && environment.entry() == "main";
    let returning = match options.leaks_at_exit {
        LeaksAtExit::Ignore | LeaksAtExit::Note if is_asked => at_exit::end_by_exit(&mut program),
        _ => None,
    };
    let (diagnostics, sources) = (compiled.diagnostics, compiled.sources);
    Ok(Prepared { program, diagnostics, linked, sources, returning })
}

fn is_defined(program: &Program, name: &str) -> bool {
    program.functions.values().any(|f| f.name == name && f.body.is_some())
}

fn defined(program: &Program) -> Vec<String> {
    program.functions.values().filter(|f| f.body.is_some()).map(|f| f.name.clone()).collect()
}

/// A whole program starts at one function.
fn can_start(program: &Program, environment: &Environment) -> Result<(), Failure> {
    if environment.entries.len() > 1 {
        return Err(Failure::SeveralEntries { property: environment.properties.clone() });
    }
    let entry = environment.entry();
    if !is_defined(program, entry) {
        return Err(Failure::NoEntry { entry: entry.to_owned(), defined: defined(program) });
    }
    Ok(())
}

/// An answer with what clang had to say.
#[derive(Debug)]
pub struct Checked {
    /// The answer.
    pub answer: Answer,
    /// clang's warnings.
    pub diagnostics: String,
    /// Invariants, pictures and other things that engines made.
    pub artefacts: Vec<Artefact>,
    /// The names of the files that were compiled.
    pub sources: BTreeSet<String>,
    /// The executions of errors, step by step.
    pub films: Vec<Film>,
    /// What calls return on the way to the first error, where that is all of its inputs.
    pub returned: Option<Vec<witness::Returned>>,
}

/// Checks the program that the files make up.
pub fn check(files: &[PathBuf], options: &Options, progress: &Progress) -> Result<Checked, Failure> {
    let started = Instant::now();
    let given: Vec<Source> = files.iter().cloned().map(Source::file).collect();
    let compiled = compile(files, options, progress)?;
    if is_library(&compiled.program, &given, options) {
        let mut options = options.clone();
        if !options.property_given {
            options.environment.properties = PropertySet::memsafety();
        }
        let mut checked = library::check(files, &options, progress, compiled)?;
        checked.answer.elapsed_ms = started.elapsed().as_millis() as u64;
        return Ok(checked);
    }
    let mut environment = question_about(&compiled.program, &given, options)?;
    // Checks in the program are all that engines see of it.
    let members = &mut environment.properties.members;
    let has_bounds = members.contains(&Property::Bounds);
    members.retain(|property| *property != Property::Bounds);
    let environment = &environment;
    let settings = &options.settings();
    let Prepared { mut program, diagnostics, linked, sources, returning } = compiled;
    let question = portfolio::Question {
        program: &program,
        sources: &given,
        environment,
        settings,
        budget: options.budget(),
        progress,
    };
    if let Some(name) = &options.engine {
        fits(name, &question)?;
    } else if environment.properties.is_of_functions() && !ENGINES.iter().any(|e| e.decides(&question)) {
        return Err(Failure::NoEngine {
            property: environment.properties.clone(),
            defined: defined(&program),
        });
    }
    if environment.properties.has(Property::Contracts) {
        let mistakes = heapproof_contracts::mistakes(&program, &given);
        if !mistakes.is_empty() {
            return Err(Failure::Annotations { shown: mistakes.join("\n") });
        }
    }
    let (mut answer, mut artefacts) = portfolio::answer(&question, options.engine.as_deref());
    if has_bounds {
        answer.property.members.push(Property::Bounds);
        answer.property.members.sort();
        for proof in answer.proofs.iter_mut().filter(|proof| proof.shows.contains(&Property::Assertions)) {
            proof.shows.insert(Property::Bounds);
        }
    }
    let target = match program.target {
        Target::Lp64 => "the target is lp64 (x86_64-linux-gnu)",
        Target::Ilp32 => "the target is ilp32 (i386-linux-gnu)",
    };
    answer.ledger.note(NoteKind::Target, target);
    for name in linked {
        answer.ledger.note(NoteKind::Model, model_note(name));
    }
    let allocates = ["malloc", "calloc", "realloc"].iter().any(|name| program.function(name).is_some());
    if allocates && !environment.malloc_may_fail {
        answer
            .ledger
            .note(NoteKind::Machine, "malloc and its relatives never fail (--malloc-may-fail lets them)");
    }
    answer.elapsed_ms = started.elapsed().as_millis() as u64;
    let has_test =
        artefacts.iter().any(|artefact| matches!(artefact.kind, ArtefactKind::Test | ArtefactKind::NoTest));
    if options.write_test
        && !has_test
        && let Some(violation) = answer.violations.first()
    {
        artefacts.push(reproduce(&question, violation, options));
    }
    // The answer must not be lost for want of time.
    let now = Instant::now();
    let deadline = options.deadline.map(|end| now + end.saturating_duration_since(now) / 2);
    let run_options = interp::Options { environment: environment.clone(), deadline, ..options.interp() };
    let films = match options.film {
        true => film::films(&program, &run_options, &answer, &sources),
        false => Vec::new(),
    };
    let first = answer.violations.first().filter(|_| options.returned);
    let returned = first.and_then(|violation| witness::returned(&program, &run_options, violation));
    if let (LeaksAtExit::Note, Some(returning)) = (options.leaks_at_exit, returning) {
        progress.enter("looking for leaks at exit");
        let seed = options.random.seed;
        let run_options = interp::Options { environment: environment.clone(), ..options.interp() };
        answer.leaks_at_exit = at_exit::leaks(&mut program, returning, &run_options, seed);
    }
    Ok(Checked { answer, diagnostics, artefacts, sources, films, returned })
}

/// A C program that shows an error; its text says why where there can be none.
fn reproduce(question: &portfolio::Question<'_>, violation: &Violation, options: &Options) -> Artefact {
    let vector: Vector = violation.inputs.as_deref().unwrap_or_default().parse().unwrap_or_default();
    let run_options = interp::Options { environment: question.environment.clone(), ..options.interp() };
    let run = interp::run(question.program, &run_options, &mut Queued::new(&vector));
    // A sanitizer tells of leaks at the end, if the program gets there.
    let shown = violations(&run);
    let violation = shown.iter().find(|v| v.class != ErrorClass::Leak).unwrap_or(violation);
    let case = ctest::Reproduction {
        program: question.program,
        sources: question.sources,
        compiler: &options.frontend.clang_args,
        environment: question.environment,
        inputs: &run.inputs,
        violation,
    };
    let (kind, text) = match ctest::of_inputs(&case) {
        Ok(text) => (ArtefactKind::Test, text),
        Err(why) => (ArtefactKind::NoTest, why.to_string()),
    };
    Artefact { engine: "replay", kind, name: "test".to_owned(), text, dot: None }
}

/// A module without `main`, asked about memory: the question is about all its clients.
fn is_library(program: &Program, sources: &[Source], options: &Options) -> bool {
    let is_module = options.environment.entries.is_empty() && !is_defined(program, "main");
    let has_code = program.functions.values().any(|function| function.body.is_some());
    if !is_module || !has_code || options.engine.is_some() {
        return false;
    }
    let members = &options.environment.properties.members;
    let is_memory = |property: &Property| {
        use Property::*;
        matches!(property, ValidDeref | ValidFree | ValidMemtrack | NoOverlap)
    };
    match options.property_given {
        true => !members.is_empty() && members.iter().all(is_memory),
        false => !is_annotated(sources) && options.clients,
    }
}

fn is_annotated(sources: &[Source]) -> bool {
    sources.iter().any(|source| source.text().is_some_and(|text| text.contains("/*@")))
}

/// What is asked about a program. A module without `main` is asked function by function, if nothing else was said.
fn question_about(program: &Program, sources: &[Source], options: &Options) -> Result<Environment, Failure> {
    let mut environment = options.environment.clone();
    let is_module = environment.entries.is_empty() && !is_defined(program, "main");
    // Without any function there is nothing to ask about.
    let is_module = is_module && program.functions.values().any(|function| function.body.is_some());
    if is_module && !options.property_given {
        let annotated = is_annotated(sources);
        environment.properties = PropertySet::default_of_module(annotated);
    }
    if environment.properties.is_of_functions() {
        // Whoever calls a function may be short of memory.
        environment.malloc_may_fail = true;
        return match environment.entries.iter().find(|name| !is_defined(program, name)) {
            Some(name) => Err(Failure::NoEntry { entry: name.clone(), defined: defined(program) }),
            None => Ok(environment),
        };
    }
    can_start(program, &environment)?;
    Ok(environment)
}

/// An engine that the user chose has to fit the question.
fn fits(name: &str, question: &portfolio::Question<'_>) -> Result<(), Failure> {
    let functions = question.environment.properties.is_of_functions();
    let scope = engine(name, question.settings).map(|engine| engine.scope());
    match (scope, functions) {
        (Some(Scope::Program), true) => {
            Err(Failure::WholeProgram { engine: name.to_owned(), defined: defined(question.program) })
        }
        (Some(Scope::Functions), false) => Err(Failure::OneByOne {
            engine: name.to_owned(),
            property: question.environment.properties.clone(),
        }),
        _ => Ok(()),
    }
}
