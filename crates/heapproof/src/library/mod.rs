//! A library, for all its well-behaved clients: the client that `heapproof_harness` writes is compiled together with it and analysed
//! like any program. Errors are found by random clients first; the unbounded loop of the client is proved by engine `smg`.
//!
//! Functions that share structures or variables form a group, with a client of its own.

mod inputs;
mod observe;

use crate::check::{Checked, Failure, Options, Prepared, compile};
use crate::engines::Settings;
use crate::portfolio;
use crate::progress::Progress;
use heapproof_confirm::vector::{Queued, Vector};
use heapproof_confirm::{evidence, violations};
use heapproof_engine::{Artefact, Environment, Progress as _, Source};
use heapproof_harness::{Annotations, Clients, Given, Style};
use heapproof_interp::{self as interp, Outcome, Run};
use heapproof_ir::{FuncId, Program};
use heapproof_verdict::{
    Answer, ErrorClass, FunctionAnswer, NoteKind, Obstacle, PathStep, Proof, Property, PropertySet, StepKind,
    Verdict, Violation,
};
use inputs::{ClientInputs, Purposes};
use observe::{Sites, Watcher};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The name of the client's file in answers.
pub const CLIENT: &str = "client.c";
/// Random clients of a group, and the steps of one.
const CLIENTS: u64 = 6_000;
const STEPS: u64 = 60_000;
/// Random clients before a proof is tried.
const FIRST_CLIENTS: u64 = 800;
/// States of a proof for a group.
const STATES: u64 = 200_000;

/// What is given besides the code: annotations in the files, headers.
pub fn given(
    program: &Program,
    files: &[PathBuf],
    headers: &[PathBuf],
    linked: &[&str],
) -> Result<Given, String> {
    let mut annotations = Annotations::default();
    let mut texts = Vec::new();
    for header in headers {
        let text = std::fs::read_to_string(header).map_err(|why| format!("{}: {why}", header.display()))?;
        annotations.read(&header.display().to_string(), &text);
        let path = std::fs::canonicalize(header).unwrap_or(header.clone());
        texts.push((path.display().to_string(), text));
    }
    for file in files {
        if let Ok(text) = std::fs::read_to_string(file) {
            annotations.read(&file.display().to_string(), &text);
        }
    }
    if let Some((file, line, why)) = annotations.mistakes.first() {
        return Err(format!("{file}:{line}: {why}"));
    }
    if let Some(unknown) = annotations.functions().find(|name| program.function(name).is_none()) {
        return Err(format!("`//@ client {unknown}` names no function of the library"));
    }
    let foreign = linked.iter().map(|name| (*name).to_owned()).collect();
    Ok(Given { annotations, owned: BTreeSet::new(), foreign, headers: texts })
}

/// Answers for all well-behaved clients.
pub fn check(
    files: &[PathBuf],
    options: &Options,
    progress: &Progress,
    compiled: Prepared,
) -> Result<Checked, Failure> {
    let Prepared { program, diagnostics, linked, sources, .. } = compiled;
    let given =
        given(&program, files, &options.headers, &linked).map_err(|shown| Failure::Annotations { shown })?;
    let mut environment = options.environment.clone();
    environment.malloc_may_fail = true;
    environment.properties = PropertySet::new(
        &environment.properties.name,
        environment.properties.members.iter().copied().filter(|property| *property != Property::Assertions),
    );
    let mut session = Session {
        files,
        options,
        progress,
        environment: &environment,
        answers: BTreeMap::new(),
        given,
        answer: Answer::undecided(environment.properties.clone(), "client"),
    };
    session.all(&program)?;
    let mut answer = session.finish();
    for name in &linked {
        answer.ledger.note(NoteKind::Model, heapproof_engine::model_note(name));
    }
    Ok(Checked {
        answer,
        diagnostics,
        artefacts: Vec::<Artefact>::new(),
        sources,
        films: Vec::new(),
        returned: None,
    })
}

struct Session<'a> {
    files: &'a [PathBuf],
    options: &'a Options,
    progress: &'a Progress,
    environment: &'a Environment,
    given: Given,
    answers: BTreeMap<String, FunctionAnswer>,
    answer: Answer,
}

/// A program with its client.
struct Harnessed {
    program: Program,
    sites: Sites,
    purposes: Purposes,
    folder: tempfile::TempDir,
}

/// What random clients of a group showed.
#[derive(Default)]
struct Seen {
    /// By function: errors in its calls, with the calls that show them.
    errors: BTreeMap<String, (Vec<Violation>, Vec<String>)>,
    returned: BTreeSet<String>,
    /// Functions whose result the client dropped although nothing else held it.
    dropped: BTreeSet<String>,
    /// Errors in the client itself.
    own: Vec<Violation>,
    /// How many clients were run.
    clients: u64,
    /// Errors that were met, by class, place and function.
    places: BTreeSet<(ErrorClass, String, u32, Option<FuncId>)>,
}

impl Session<'_> {
    fn all(&mut self, program: &Program) -> Result<(), Failure> {
        for func in heapproof_harness::external(program, &self.given) {
            let function = &program.functions[func];
            let file = program.files.get(function.span.file).cloned().unwrap_or_default();
            let answer = FunctionAnswer {
                name: function.name.clone(),
                file,
                line: function.span.line,
                verdict: Verdict::Unknown,
                violations: Vec::new(),
                suspicions: Vec::new(),
                reason: None,
                assumptions: Vec::new(),
                requires: Vec::new(),
                state: None,
                elapsed_ms: 0,
            };
            self.answers.insert(function.name.clone(), answer);
        }
        let mut done: BTreeSet<String> = BTreeSet::new();
        // What a client learns of results changes what is inferred of others: a few rounds.
        for _ in 0..4 {
            let clients = heapproof_harness::infer(program, &self.given);
            let mut groups: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
            for covered in clients.covered() {
                groups.entry(covered.group).or_default().insert(covered.name.clone());
            }
            for (func, why) in clients.asked() {
                if let Some(answer) = self.answers.get_mut(&program.functions[*func].name) {
                    answer.reason = Some(why.clone());
                }
            }
            let mut learnt = BTreeSet::new();
            let count = groups.len();
            for (at, group) in groups.into_values().enumerate() {
                if group.iter().all(|name| done.contains(name)) || self.is_over() {
                    continue;
                }
                let dropped = self.group(&clients, &group, (count - at) as u32)?;
                match dropped.is_empty() {
                    true => done.extend(group),
                    false => learnt.extend(dropped),
                }
            }
            for covered in clients.covered() {
                for note in &covered.notes {
                    self.answer.ledger.note(NoteKind::Machine, format!("client: `{}`: {note}", covered.name));
                }
            }
            if learnt.iter().all(|name| self.given.owned.contains(name)) {
                break;
            }
            self.given.owned.extend(learnt);
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.options.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    fn harness(
        &self,
        clients: &Clients<'_>,
        style: &Style,
    ) -> Result<(Harnessed, BTreeSet<String>), Failure> {
        let written = clients.write(style);
        let folder = tempfile::tempdir().map_err(|why| Failure::Harness { why: why.to_string() })?;
        let path = folder.path().join(CLIENT);
        let text = format!("#line 1 \"{CLIENT}\"\n{}", written.text);
        std::fs::write(&path, text).map_err(|why| Failure::Harness { why: why.to_string() })?;
        let files: Vec<PathBuf> = self.files.iter().cloned().chain([path]).collect();
        let compiled = compile(&files, self.options, self.progress).map_err(|failure| Failure::Harness {
            why: format!("the client that was written does not compile: {failure}"),
        })?;
        let program = compiled.program;
        let sites = Sites::of(&program, CLIENT);
        let purposes = Purposes::of(&program, CLIENT);
        Ok((Harnessed { program, sites, purposes, folder }, written.calls))
    }

    /// Looks at the clients of a group; gives the functions whose results the client must not drop.
    fn group(
        &mut self,
        clients: &Clients<'_>,
        group: &BTreeSet<String>,
        parts: u32,
    ) -> Result<BTreeSet<String>, Failure> {
        let started = Instant::now();
        let style = Style { consistent: true, only: Some(group.clone()) };
        let (harnessed, calls) = match self.harness(clients, &style) {
            Ok(done) => done,
            Err(failure) => {
                self.tell(group, &failure.to_string());
                return Ok(BTreeSet::new());
            }
        };
        let deadline = self.options.deadline.map(|deadline| {
            let left = deadline.saturating_duration_since(started) / parts.max(1);
            started + left
        });
        let share = |eighths: u32| {
            deadline.map(|deadline| {
                let now = Instant::now();
                now + deadline.saturating_duration_since(now) * eighths / 8
            })
        };
        let mut seen = Seen::default();
        self.random(&harnessed, FIRST_CLIENTS, share(3), &mut seen);
        let leaks = seen.dropped.len()
            + seen
                .errors
                .values()
                .filter(|(found, _)| found.iter().any(|v| v.class == ErrorClass::Leak))
                .count();
        if leaks > 0 {
            let learnt = self.who_gives(clients, group, &seen, share(3));
            if !learnt.is_empty() {
                return Ok(learnt);
            }
        }
        let mut proof = None;
        if seen.errors.is_empty() && seen.own.is_empty() {
            let covered = clients.covered();
            let limit = covered.iter().filter(|c| group.contains(&c.name)).find_map(|c| c.limit.clone());
            let prover = match limit {
                Some(limit) => (Verdict::Unknown, Some(limit)),
                None => self.prove(clients, group, share(4)),
            };
            if prover.0 != Verdict::Safe {
                self.random(&harnessed, CLIENTS, share(6), &mut seen);
            }
            proof = Some(prover);
        } else {
            self.random(&harnessed, CLIENTS, share(6), &mut seen);
        }
        let elapsed = |from: Instant| from.elapsed().as_millis() as u64;
        for (name, (found, calls)) in &seen.errors {
            let Some(answer) = self.answers.get_mut(name) else { continue };
            answer.verdict = Verdict::Unsafe;
            answer.violations = found.clone();
            answer.state = Some(calls.join("\n"));
            answer.elapsed_ms = elapsed(started);
        }
        if !seen.errors.is_empty() {
            self.tell(group, "another function of the module has an error, so nothing is proved of this one");
            return Ok(BTreeSet::new());
        }
        if let Some(own) = seen.own.first() {
            let why = format!(
                "the client that was inferred goes wrong itself ({} at {}:{}): {}",
                own.class, own.location.file, own.location.line, own.message
            );
            self.tell(group, &why);
            return Ok(BTreeSet::new());
        }
        let (verdict, reason) = proof.unwrap_or((Verdict::Unknown, None));
        for name in group {
            let Some(answer) = self.answers.get_mut(name) else { continue };
            answer.elapsed_ms = elapsed(started);
            answer.reason = None;
            if !calls.contains(name) {
                answer.reason = Some("the client that was inferred does not call it".to_owned());
            } else if !seen.returned.contains(name) {
                answer.reason = Some("it returned in no execution of a client".to_owned());
            } else if verdict == Verdict::Safe {
                answer.verdict = Verdict::Safe;
            } else {
                answer.reason = reason.clone();
            }
        }
        Ok(BTreeSet::new())
    }

    fn tell(&mut self, group: &BTreeSet<String>, why: &str) {
        for name in group {
            if let Some(answer) =
                self.answers.get_mut(name).filter(|answer| answer.verdict == Verdict::Unknown)
            {
                answer.reason = Some(why.to_owned());
            }
        }
    }

    fn interp(&self, deadline: Option<Instant>) -> interp::Options {
        interp::Options {
            environment: self.environment.clone(),
            max_steps: STEPS,
            deadline,
            ..self.options.interp()
        }
    }

    /// Runs random clients.
    fn random(&mut self, harnessed: &Harnessed, most: u64, deadline: Option<Instant>, seen: &mut Seen) {
        self.progress.enter("running random clients");
        let program = &harnessed.program;
        let options = self.interp(deadline);
        let mut returned: BTreeSet<FuncId> = BTreeSet::new();
        let first = seen.clients;
        for number in first..most.min(self.options.random.executions) {
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                break;
            }
            seen.clients = number + 1;
            let mut inputs = ClientInputs::new(self.options.random.seed, number, &harnessed.purposes);
            let mut watcher = Watcher::new(program, &harnessed.sites);
            // Looking on costs time.
            let run = match number < 128 || number % 8 == 0 {
                true => interp::run_observed(program, &options, &mut inputs, &mut watcher),
                false => interp::run(program, &options, &mut inputs),
            };
            self.progress.executed(run.steps);
            *self.answer.statistics.entry("executions".to_owned()).or_default() += 1;
            *self.answer.statistics.entry("steps".to_owned()).or_default() += run.steps;
            returned.extend(watcher.returned.iter().copied());
            let Outcome::Violation(found) = &run.outcome else { continue };
            let caller = self.caller(harnessed, &options, &run, found);
            let place = (found.class, found.location.file.clone(), found.location.line, caller.0);
            if !seen.places.insert(place) {
                continue;
            }
            self.file(harnessed, &options, &run, found, caller, seen);
        }
        seen.returned.extend(returned.iter().map(|func| program.functions[*func].name.clone()));
    }

    /// Something is lost that a function gave: would a client that frees results of this or that function lose less?
    fn who_gives(
        &mut self,
        clients: &Clients<'_>,
        group: &BTreeSet<String>,
        seen: &Seen,
        deadline: Option<Instant>,
    ) -> BTreeSet<String> {
        let covered = clients.covered();
        let candidates = covered.iter().filter(|covered| {
            group.contains(&covered.name)
                && (covered.may_give || seen.dropped.contains(&covered.name))
                && !self.given.owned.contains(&covered.name)
        });
        let names: Vec<String> = candidates.map(|covered| covered.name.clone()).collect();
        let mut best = (seen.places.len(), None);
        for name in names {
            let mut given = self.given.clone();
            given.owned.insert(name.clone());
            let others = clients.with(&given);
            let style = Style { consistent: true, only: Some(group.clone()) };
            let Ok((harnessed, _)) = self.harness(&others, &style) else { continue };
            let mut again = Seen::default();
            self.random(&harnessed, seen.clients, deadline, &mut again);
            if again.places.len() < best.0 && again.clients == seen.clients {
                best = (again.places.len(), Some(name));
            }
        }
        best.1.into_iter().collect()
    }

    /// The function of the library in whose call an error shows, if it is in one; the one that returned last; the calls in words.
    fn caller(
        &self,
        harnessed: &Harnessed,
        options: &interp::Options,
        run: &Run,
        found: &Violation,
    ) -> (Option<FuncId>, Option<FuncId>, Vec<String>) {
        let program = &harnessed.program;
        let vector = Vector::of_records(&run.inputs);
        let mut watcher = Watcher::with_words(program, &harnessed.sites, &found.location);
        let again = interp::run_observed(program, options, &mut Queued::new(&vector), &mut watcher);
        drop(again);
        let running = match found.class {
            ErrorClass::Leak => watcher.at_place().flatten(),
            _ => watcher.running(),
        };
        let last = watcher.last_at_place();
        (running, last, watcher.calls())
    }

    /// Keeps an error.
    fn file(
        &mut self,
        harnessed: &Harnessed,
        options: &interp::Options,
        run: &Run,
        found: &Violation,
        (caller, last, calls): (Option<FuncId>, Option<FuncId>, Vec<String>),
        seen: &mut Seen,
    ) {
        let program = &harnessed.program;
        let name = |func: FuncId| program.functions[func].name.clone();
        let Some(caller) = caller else {
            if found.class == ErrorClass::Leak
                && let Some(last) = last
            {
                seen.dropped.insert(name(last));
            }
            if seen.own.len() < 4 {
                seen.own.push(found.clone());
            }
            return;
        };
        if seen.errors.contains_key(&name(caller)) {
            return;
        }
        self.progress.enter("confirming an error");
        let simple = evidence(program, options, run, options.deadline, self.progress);
        let mut shown = None;
        if let Some(simple) = simple
            && let Some(inputs) = simple.violations.first().and_then(|v| v.inputs.clone())
            && let Ok(vector) = inputs.parse::<Vector>()
        {
            let again = interp::run(program, options, &mut Queued::new(&vector));
            if let Outcome::Violation(same) = &again.outcome {
                let (func, _, calls) = self.caller(harnessed, options, &again, same);
                if func == Some(caller) {
                    shown = Some((simple.violations, calls));
                }
            }
        }
        let (mut found, calls) = shown.unwrap_or_else(|| (violations(run), calls));
        found.truncate(1);
        found.iter_mut().for_each(about_memory);
        seen.errors.insert(name(caller), (found, calls));
        self.progress.enter("running random clients");
    }

    /// Tries to prove the most general client of a group.
    fn prove(
        &mut self,
        clients: &Clients<'_>,
        group: &BTreeSet<String>,
        deadline: Option<Instant>,
    ) -> (Verdict, Option<String>) {
        let style = Style { consistent: false, only: Some(group.clone()) };
        let harnessed = match self.harness(clients, &style) {
            Ok((harnessed, _)) => harnessed,
            Err(failure) => return (Verdict::Unknown, Some(failure.to_string())),
        };
        let settings: Settings = self.options.settings();
        let sources: Vec<Source> = self
            .files
            .iter()
            .cloned()
            .chain([harnessed.folder.path().join(CLIENT)])
            .map(Source::file)
            .collect();
        let environment = Environment { entries: Vec::new(), ..self.environment.clone() };
        let mut budget = self.options.budget();
        budget.states = budget.states.min(STATES);
        budget.deadline = deadline;
        let question = portfolio::Question {
            program: &harnessed.program,
            sources: &sources,
            environment: &environment,
            settings: &settings,
            budget,
            progress: self.progress,
        };
        let (answer, _) = portfolio::answer(&question, Some("smg"));
        for (key, count) in &answer.statistics {
            *self.answer.statistics.entry(key.clone()).or_default() += count;
        }
        if answer.verdict != Verdict::Safe {
            self.answer.obstacles.extend(answer.obstacles);
            let reason = match answer.verdict {
                Verdict::Unsafe => answer
                    .violations
                    .first()
                    .map(|v| format!("{}:{}: {} is suspected", v.location.file, v.location.line, v.class)),
                _ => answer.reason,
            };
            return (Verdict::Unknown, reason.or(Some("no proof was found".to_owned())));
        }
        self.answer.ledger.absorb(answer.ledger);
        self.answer.proofs.extend(answer.proofs);
        (Verdict::Safe, None)
    }

    fn finish(mut self) -> Answer {
        let mut functions: Vec<FunctionAnswer> = std::mem::take(&mut self.answers).into_values().collect();
        functions.sort_by(|a, b| (&a.file, a.line, &a.name).cmp(&(&b.file, b.line, &b.name)));
        for function in functions.iter_mut().filter(|f| f.verdict == Verdict::Unknown && f.reason.is_none()) {
            function.reason = Some("the time was over".to_owned());
        }
        let mut answer = self.answer;
        answer.verdict = Verdict::of_all(&functions).unwrap_or(Verdict::Unknown);
        answer.proofs.dedup();
        if answer.verdict != Verdict::Safe {
            answer.proofs = Vec::<Proof>::new();
        }
        if answer.verdict == Verdict::Unknown {
            let open = functions.iter().filter(|f| f.verdict == Verdict::Unknown).count();
            let first = functions.iter().find(|f| f.verdict == Verdict::Unknown);
            answer.reason = first.map(|first| {
                let why = first.reason.as_deref().unwrap_or_default();
                format!("{open} of {} functions are not decided; `{}`: {why}", functions.len(), first.name)
            });
        } else {
            answer.obstacles = Vec::<Obstacle>::new();
        }
        if functions.is_empty() {
            answer.reason = Some("there is no function that a client could call".to_owned());
        }
        answer.functions = functions;
        answer
    }
}

/// Leaves of the way to an error what is known of the memory concerned: the calls of the client are shown by themselves.
fn about_memory(violation: &mut Violation) {
    let keeps = |step: &PathStep| {
        matches!(step.kind, StepKind::Allocated | StepKind::Freed | StepKind::ScopeEnded | StepKind::Declared)
            && Path::new(&step.location.file) != Path::new(CLIENT)
    };
    violation.path.retain(keeps);
}
