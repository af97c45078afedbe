//! `heapproof check`: an answer in the chosen form, within the limits.

use super::Status;
use super::args::{Check, Format, LimitArgs, TargetName};
use super::invariants;
use super::known;
use super::output::{self, complain};
use super::setup;
use crate::check::{self, Checked, Failure, Options};
use crate::progress::Progress;
use crate::watch::{Ended, Limits, supervise, within};
use crate::witness::{Returned, write};
use heapproof_engine::{Artefact, ArtefactKind};
use heapproof_frontend::Error;
use heapproof_report::picture::Film;
use heapproof_report::text::{self, Replay};
use heapproof_report::{escape, json, sarif, story, svcomp};
use heapproof_verdict::{Answer, Assumption, AssumptionKind, Ledger, Obstacle, PropertySet, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Who analyses, and how much.
pub fn choose(options: &mut Options, args: &Check) {
    options.engine = Some(args.engine.clone()).filter(|name| name != "auto");
    options.solver = args.solver.clone();
    options.deref = args.deref;
    if let Some(budget) = args.budget {
        options.configurations = options.configurations.min(budget);
        options.random.executions = options.random.executions.min((budget / 4).max(1));
        options.random.steps = options.random.steps.min(budget.saturating_mul(500));
    }
}

/// Checks and tells.
pub fn main(args: Check, clang: Vec<String>) -> Status {
    let started = Instant::now();
    let mut options = match setup::options(&args.source, &args.execution, clang.clone(), None) {
        Ok(options) => options,
        Err(status) => return status,
    };
    choose(&mut options, &args);
    if let Some(folder) = &args.dump_queries {
        if let Err(why) = std::fs::create_dir_all(folder) {
            complain(format!("`{}` cannot be made: {why}", folder.display()));
            return Status::WrongUse;
        }
        options.dump_queries = Some(folder.clone());
    }
    if let Some(folder) = &args.dump_heaps {
        if let Err(why) = std::fs::create_dir_all(folder) {
            complain(format!("`{}` cannot be made: {why}", folder.display()));
            return Status::WrongUse;
        }
        options.dump_heaps = Some(folder.clone());
    }
    if let Some(folder) = &args.cache {
        if let Err(why) = std::fs::create_dir_all(folder) {
            complain(format!("`{}` cannot be made: {why}", folder.display()));
            return Status::WrongUse;
        }
        options.cache = Some(folder.clone());
    }
    if let Some(folder) = &args.html {
        if let Err(why) = std::fs::create_dir_all(folder) {
            complain(format!("`{}` cannot be made: {why}", folder.display()));
            return Status::WrongUse;
        }
        options.film = true;
        options.draw = true;
    }
    options.returned = args.witness.is_some();
    options.suggest = args.suggest;
    options.clients = true;
    options.headers = args.api.clone();
    options.write_test = args.write_test.is_some();
    if let Some(folder) = &args.dump_invariants {
        options.draw = true;
        if let Err(message) = invariants::prepare(folder, &args.engine) {
            complain(message);
            return Status::WrongUse;
        }
    }
    if let Some(folder) = &args.dump_ssa {
        options.dump_ssa = true;
        if let Err(message) = invariants::prepare_formula(folder, &args.engine) {
            complain(message);
            return Status::WrongUse;
        }
    }
    options.keep_goals = args.dump_vcs.is_some();
    options.profile_proof = args.profile_proof;
    for folder in [&args.dump_solver, &args.dump_vcs].into_iter().flatten() {
        if let Err(why) = std::fs::create_dir_all(folder) {
            complain(format!("cannot create {}: {why}", folder.display()));
            return Status::WrongUse;
        }
    }
    for path in [&args.output, &args.write_test, &args.write_inputs, &args.witness].into_iter().flatten() {
        if let Err(message) = can_be_written(path, &args) {
            complain(message);
            return Status::WrongUse;
        }
    }
    let progress = Arc::new(Progress::new());
    let mut decided = match decide(&args, &options, &progress) {
        Ok(decided) => decided,
        Err(NoAnswer::Failure(failure)) => return setup::tell_failure(&failure, &args.source),
        Err(NoAnswer::NotStarted(why)) => {
            complain(why);
            return Status::WrongUse;
        }
    };
    note_left_out(&args.source.left_out, &mut decided.answer);
    decided.answer.elapsed_ms = started.elapsed().as_millis() as u64;
    let status = deliver(&args, &clang, &decided, options.deadline);
    // The answer comes first: drawing may take what is left of the time.
    if let (Some(folder), Some(artefacts)) = (&args.dump_invariants, &decided.artefacts) {
        let limits =
            heapproof_process::Limits { memory: options.frontend.memory, deadline: options.deadline };
        invariants::dump(folder, artefacts, decided.answer.verdict, limits);
    }
    if let (Some(folder), Some(artefacts)) = (&args.dump_ssa, &decided.artefacts) {
        invariants::dump_formula(folder, artefacts);
    }
    let artefacts = decided.artefacts.as_deref().unwrap_or_default();
    for (folder, name) in [(&args.dump_solver, "solver.chr"), (&args.dump_vcs, "goals.chr")] {
        if let Some(folder) = folder {
            dump(folder, name, artefacts);
        }
    }
    if args.suggest {
        suggest(&args, artefacts);
    }
    if args.profile_proof {
        for profile in artefacts.iter().filter(|artefact| artefact.name == heapproof_smg::PROFILE) {
            eprint!("{}", profile.text);
        }
    }
    if let Some(folder) = &args.html {
        super::html::write(folder, &args, &clang, &decided, options.deadline);
    }
    if let Some(path) = &args.witness {
        write_witness(path, &args, &decided, options.deadline);
    }
    if let Some(path) = &args.write_test {
        write_test(path, &decided, options.deadline);
    }
    status
}

/// An answer with what belongs to it.
pub struct Decided {
    /// The answer.
    pub answer: Answer,
    /// What engines made, where one came to its end.
    pub artefacts: Option<Vec<Artefact>>,
    /// Files of which lines may be shown.
    pub sources: BTreeSet<String>,
    /// The executions of errors, step by step.
    pub films: Vec<Film>,
    /// What calls return on the way to the first error.
    pub returned: Option<Vec<Returned>>,
}

impl Decided {
    fn without_program(answer: Answer) -> Decided {
        Decided { answer, artefacts: None, sources: BTreeSet::new(), films: Vec::new(), returned: None }
    }
}

/// Why there is no answer.
pub enum NoAnswer {
    /// The input is at fault.
    Failure(Failure),
    /// The system did not let us begin.
    NotStarted(String),
}

/// The answer, by an engine or by a limit.
pub fn decide(args: &Check, options: &Options, progress: &Arc<Progress>) -> Result<Decided, NoAnswer> {
    let seconds = output::seconds(args.execution.limits.timeout);
    if args.execution.limits.timeout == 0.0 {
        let reason = "the time limit is 0 seconds, so nothing was done";
        let answer =
            undecided(&options.environment.properties, reason.to_owned(), "0 seconds".to_owned(), progress);
        return Ok(Decided::without_program(answer));
    }
    let limits = Limits { deadline: options.deadline, memory: args.execution.limits.memory << 20 };
    let work = {
        let (files, options, progress) = (args.source.files.clone(), options.clone(), Arc::clone(progress));
        move || check::check(&files, &options, &progress)
    };
    let done = progress_so_far;
    let answer = match supervise(limits, progress, work) {
        Ended::Done(Ok(Checked { answer, diagnostics, artefacts, sources, films, returned })) => {
            setup::tell_warnings(&args.source, &diagnostics);
            return Ok(Decided { answer, artefacts: Some(artefacts), sources, films, returned });
        }
        Ended::NotStarted(why) => return Err(NoAnswer::NotStarted(why)),
        Ended::Done(Err(failure)) => {
            let Some(reason) = setup::unfinished(&failure, &args.source) else {
                return Err(NoAnswer::Failure(failure));
            };
            let mut answer = undecided(&options.environment.properties, reason, String::new(), progress);
            answer.ledger = not_compiled(&failure, args);
            answer
        }
        Ended::Panicked => {
            let reason = format!("internal error of heapproof while {}; please report it", done(progress));
            let mut answer = undecided(&options.environment.properties, reason, String::new(), progress);
            answer.ledger = Ledger::default();
            answer
        }
        Ended::OutOfTime => {
            let reason = format!("the time limit of {seconds} was reached while {}", done(progress));
            let answer = undecided(&options.environment.properties, reason, seconds, progress);
            Answer { obstacles: vec![Obstacle::Time], ..answer }
        }
        Ended::OutOfMemory => {
            let memory = args.execution.limits.memory;
            let reason = format!("the memory limit of {memory} MiB was reached while {}", done(progress));
            let answer =
                undecided(&options.environment.properties, reason, format!("{memory} MiB"), progress);
            Answer { obstacles: vec![Obstacle::Memory { limit: memory << 20 }], ..answer }
        }
    };
    Ok(Decided::without_program(answer))
}

/// Writes what an engine made under this name into a folder.
fn dump(folder: &Path, name: &str, artefacts: &[Artefact]) {
    let Some(made) = artefacts.iter().find(|a| a.kind == ArtefactKind::Other && a.name == name) else {
        return output::remark(format_args!("no {name} is written: no engine made one"));
    };
    if let Err(why) = std::fs::write(folder.join(name), &made.text) {
        complain(format!("cannot write to {}: {why}", folder.display()));
    }
}

/// Tells what a user may add to the program: beside an answer for people, otherwise on standard error.
fn suggest(args: &Check, artefacts: &[Artefact]) {
    let made = artefacts.iter().filter(|a| a.kind == ArtefactKind::Suggestion);
    let text: String = made.map(|a| a.text.as_str()).collect();
    match (text.is_empty(), args.format) {
        (true, _) => output::remark("no loop invariants were found that are missing"),
        (false, Format::Text) => drop(output::out(escape::lines(&text).as_bytes())),
        (false, _) => output::err_text(&text),
    }
}

/// Writes the witness, or says why there is none.
fn write_witness(path: &Path, args: &Check, decided: &Decided, deadline: Option<Instant>) {
    let file = args.execution.property.as_deref().filter(|name| name.ends_with(".prp") || name.contains('/'));
    let specification = file.and_then(|file| std::fs::read_to_string(file).ok());
    let task = write::Task {
        files: &args.source.files,
        specification: specification.as_deref(),
        data_model: match args.source.target {
            TargetName::Lp64 => "LP64",
            TargetName::Ilp32 => "ILP32",
        },
        answer: &decided.answer,
        returned: decided.returned.as_deref(),
    };
    match write::witness(&task) {
        Ok(text) => {
            if let Err(message) = write_to(path, text, &decided.sources, deadline) {
                complain(message);
            }
        }
        Err(why) => output::remark(format_args!("no witness is written: {why}")),
    }
}

/// Writes the program that shows the error, or says why there is none.
fn write_test(path: &Path, decided: &Decided, deadline: Option<Instant>) {
    let artefacts = decided.artefacts.as_deref().unwrap_or_default();
    let test = artefacts.iter().find(|a| matches!(a.kind, ArtefactKind::Test | ArtefactKind::NoTest));
    match test {
        Some(test) if test.kind == ArtefactKind::Test => {
            if let Err(message) = write_to(path, test.text.clone(), &decided.sources, deadline) {
                complain(message);
            }
        }
        Some(test) => output::remark(format_args!("no test is written: {}", test.text)),
        None => output::remark("no test is written: there is no confirmed error"),
    }
}

/// A file that is compiled in other ways, too, is another program there: what holds here may not hold then.
fn note_left_out(left_out: &[String], answer: &mut Answer) {
    let Some(first) = left_out.first() else { return };
    for subject in left_out {
        let kind = AssumptionKind::FileNotAnalysed;
        answer.ledger.assume(Assumption { kind, subject: subject.clone(), location: None, accepted: false });
    }
    let reason = format!(
        "the compilation database has several entries for a file, and one of them was not analysed: {first}"
    );
    for function in answer.functions.iter_mut().filter(|function| function.verdict == Verdict::Safe) {
        function.verdict = Verdict::Unknown;
        function.reason = Some(reason.clone());
    }
    if answer.verdict == Verdict::Safe {
        answer.verdict = Verdict::Unknown;
        answer.proofs.clear();
        answer.reason = Some(reason);
    }
}

/// What stands in the way where clang did not come to an end.
fn not_compiled(failure: &Failure, args: &Check) -> Ledger {
    let LimitArgs { timeout, memory } = args.execution.limits;
    let (kind, subject) = match failure {
        Failure::Frontend(Error::Timeout { .. }) => (AssumptionKind::Bound, output::seconds(timeout)),
        Failure::Frontend(Error::OutOfMemory { .. }) => (AssumptionKind::Bound, format!("{memory} MiB")),
        Failure::Frontend(Error::Crashed { path, .. }) => {
            (AssumptionKind::FileNotAnalysed, path.display().to_string())
        }
        _ => return Ledger::default(),
    };
    let mut ledger = Ledger::default();
    ledger.assume(Assumption { kind, subject, location: None, accepted: false });
    ledger
}

fn progress_so_far(progress: &Progress) -> String {
    match progress.phase() {
        "" => "starting".to_owned(),
        _ => progress.summary(),
    }
}

/// `unknown` because of a limit.
fn undecided(property: &PropertySet, reason: String, limit: String, progress: &Progress) -> Answer {
    let mut ledger = Ledger::default();
    ledger.assume(Assumption {
        kind: AssumptionKind::Bound,
        subject: limit,
        location: None,
        accepted: false,
    });
    let mut statistics = BTreeMap::new();
    if progress.executions() > 0 {
        statistics.insert("executions".to_owned(), progress.executions());
        statistics.insert("steps".to_owned(), progress.steps());
    }
    let engine = if progress.executions() > 0 { "random" } else { "none" };
    Answer { reason: Some(reason), ledger, statistics, ..Answer::undecided(property.clone(), engine) }
}

/// Says before the work whether the answer will find its place after it.
fn can_be_written(path: &Path, args: &Check) -> Result<(), String> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let property = args.execution.property.as_deref().map(Path::new);
    if path.is_dir() {
        Err(format!("cannot write {}: it is a directory", path.display()))
    } else if !folder.is_dir() {
        Err(format!("cannot write {}: {} is not a directory", path.display(), folder.display()))
    } else {
        is_no_input(path, args.source.files.iter().map(|file| file.as_path()).chain(property))
    }
}

/// The answer must not replace what was read.
fn is_no_input<'a>(path: &Path, mut inputs: impl Iterator<Item = &'a Path>) -> Result<(), String> {
    let identity = |path: &Path| {
        let metadata = path.metadata().ok().filter(|metadata| metadata.is_file())?;
        Some((metadata.dev(), metadata.ino()))
    };
    let Some(place) = identity(path) else { return Ok(()) };
    match inputs.find(|input| identity(input) == Some(place)) {
        Some(input) => Err(format!("cannot write {}: it is the input {}", path.display(), input.display())),
        None => Ok(()),
    }
}

/// The longest line of a file of inputs, about.
const LINE: usize = 100;

/// Inputs as a file: on lines of bearable length.
fn in_lines(inputs: &str) -> String {
    let mut text = String::with_capacity(inputs.len() + inputs.len() / LINE + 1);
    let mut line = 0;
    for c in inputs.chars() {
        text.push(c);
        line += 1;
        if c == ',' && line >= LINE {
            text.push('\n');
            line = 0;
        }
    }
    text.push('\n');
    text
}

/// Writes the inputs of the first error, if that is asked for and there are any.
fn write_inputs(args: &Check, decided: &Decided, deadline: Option<Instant>) -> Result<(), String> {
    let Some(path) = &args.write_inputs else { return Ok(()) };
    match decided.answer.violations.first().and_then(|violation| violation.inputs.as_deref()) {
        Some(inputs) => write_to(path, in_lines(inputs), &decided.sources, deadline),
        None => Ok(()),
    }
}

/// Writes the answer in its form to its place.
fn deliver(args: &Check, clang: &[String], decided: &Decided, deadline: Option<Instant>) -> Status {
    let sources = &decided.sources;
    let known::Reported { answer, errors } = match known::apply(&decided.answer, sources, &args.known) {
        Ok(reported) => reported,
        Err(message) => {
            complain(message);
            return Status::WrongUse;
        }
    };
    let answer = &answer;
    if let Err(message) = write_inputs(args, decided, deadline) {
        complain(message);
        return Status::WrongUse;
    }
    let to_file = args.output.is_some();
    let mut rendered = match args.format {
        Format::Text => text::render(
            answer,
            &text::Options {
                colour: !to_file && output::colour(args.execution.color, &std::io::stdout()),
                verbose: args.source.verbose,
                suspicions: args.suspicions,
                steps: args.steps,
                replay: Some(Replay {
                    file: args.write_inputs.as_ref().map(|path| output::quoted(&path.display().to_string())),
                    ..setup::replay(&args.source, &args.execution, clang)
                }),
                sources: Some(sources.clone()),
            },
        ),
        Format::Json => {
            let files: Vec<String> = args.source.files.iter().map(|f| f.display().to_string()).collect();
            let text = json::render(&story::in_words(answer, Some(sources)), &files);
            escape::json(json::with_errors(text, &errors))
        }
        Format::Sarif => escape::json(sarif::render(&story::in_words(answer, Some(sources)))),
        Format::Svcomp => svcomp::render(answer),
    };
    if !rendered.ends_with('\n') {
        rendered.push('\n');
    }
    let written = match &args.output {
        None => output::out(rendered.as_bytes()),
        Some(path) => write_to(path, rendered, sources, deadline).map_err(complain).is_ok(),
    };
    match answer.verdict {
        _ if !written => Status::WrongUse,
        Verdict::Safe => Status::Safe,
        Verdict::Unsafe => Status::Unsafe,
        Verdict::Unknown if args.project.fail_on.is_some() => Status::Safe,
        Verdict::Unknown => Status::Unknown,
    }
}

/// Writes to a file. A pipe that nobody reads takes nothing.
pub(super) fn write_to(
    path: &Path,
    text: String,
    sources: &BTreeSet<String>,
    deadline: Option<Instant>,
) -> Result<(), String> {
    // Only now it is known which headers were read.
    is_no_input(path, sources.iter().map(Path::new))?;
    let place = path.to_owned();
    match within(deadline, move || std::fs::write(place, text)) {
        Some(Ok(())) => Ok(()),
        Some(Err(error)) => Err(format!("cannot write {}: {error}", path.display())),
        None => Err(format!("cannot write {}: nothing took it within the time limit", path.display())),
    }
}
