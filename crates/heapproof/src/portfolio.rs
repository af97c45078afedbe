//! The portfolio: which engines answer which question, in which order, on which share of the budget.
//!
//! **A whole program.**
//! 1. `execution`, until something depends on a choice: a program without choices has one execution, which decides it. At first for
//!    few steps.
//! 2. `random`, a handful of executions, which cost next to nothing: many errors show in the first. What is found is confirmed, and
//!    others are looked for for a little while.
//! 3. `smg` in few states: most small programs are proved in less time than more executions take. If step 1 was cut short before any
//!    choice, in little time, and then that execution gets most of what is left.
//! 4. `random`, some executions.
//! 5. `symheap` in few states: errors that random inputs do not meet, and proofs of programs with few paths.
//! 6. `random` again, which now learns: inputs that showed something new are kept, and what they are compared with is put in their place.
//! 7. `templates`, where assertions or calls of the error function are asked about: they depend on numbers and on what is stored. Where
//!    `smg` has shown all but a few of them, only about these (also where only memory is asked about and divisions are left). What such a proof
//!    presupposes of memory is then a question to `smg`, and after that to `templates` itself.
//! 8. `smg` in all states, if step 3 was cut short, or if `templates` has shown some of what `smg` did not.
//! 9. `search`: what is suspected, by paths that are steered there.
//! 10. `symheap` in all states.
//! 11. `random`, many executions that learn, in the time that is left.
//!
//! **One engine that the user chose.** That engine, and `search` for what it suspects.
//!
//! **Functions one by one** (`data-structure`, `contracts`). Every engine that works function by function and knows the property, in the
//! order of the table. If there is a `main`, `random` looks for errors where they prove nothing.
//!
//! What flows: suspicions to `search`, confirmed errors to whoever looks for others, artefacts to everybody. Proofs are joined; what
//! they presuppose has to be proved by another or accepted by the user. Proofs of parts are joined by place: an error of content
//! that nobody leaves as a possible first violation is none. Shares are eighths of the time that is left, and
//! counts of states and executions: equal input gives equal answers, the clock only ends things.

use crate::engines::random::others;
use crate::engines::{ENGINES, Settings, engine, executions};
use crate::reasons::{self, Reasons};
use heapproof_engine::{
    Artefact, Budget, Environment, Findings, Progress, Remainder, Scope, Source, Spot, Suspicion, Task,
};
use heapproof_ir::Program;
use heapproof_verdict::{
    Answer, Assumption, AssumptionKind, Obstacle, Proof, Property, PropertySet, Verdict, Violation, left_open,
};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// States in which a proof is tried before anything is executed at random.
const QUICK_STATES: u64 = 6_000;
/// States in which paths are followed before a long proof.
const QUICK_PATHS: u64 = 1_500;
/// Steps of an execution before a proof is tried.
const QUICK_STEPS: u64 = 1_000_000;
/// Random executions before any proof, and all their steps.
const FIRST_EXECUTIONS: u64 = 24;
const FIRST_STEPS: u64 = 40_000;
/// Random executions before a long proof.
const QUICK_EXECUTIONS: u64 = 1_500;
/// Executions of a search that learns, before a long proof, and all their steps.
const LEARNING_EXECUTIONS: u64 = 60_000;
const LEARNING_STEPS: u64 = 200_000_000;
/// States, executions with their steps, and time for errors besides the first.
const OTHERS_STATES: u64 = 120;
const OTHERS_EXECUTIONS: u64 = 600;
const OTHERS_STEPS: u64 = 2_000_000;
const OTHERS_TIME: Duration = Duration::from_secs(2);

/// A question, with all that is at hand to answer it.
pub struct Question<'a> {
    /// The program.
    pub program: &'a Program,
    /// The files that it was made of.
    pub sources: &'a [Source],
    /// What it runs in and what is asked.
    pub environment: &'a Environment,
    /// What engines need to know besides.
    pub settings: &'a Settings,
    /// What may be spent.
    pub budget: Budget,
    /// Hears of how it goes.
    pub progress: &'a dyn Progress,
}

/// Answers a question, by all engines or by one.
pub fn answer(question: &Question<'_>, only: Option<&str>) -> (Answer, Vec<Artefact>) {
    let mut desk = Desk::new(question);
    match only {
        Some(name) => one_engine(&mut desk, name),
        None if question.environment.properties.is_of_functions() => functions(&mut desk),
        None => whole_program(&mut desk),
    }
    desk.answer()
}

fn whole_program(desk: &mut Desk<'_>) {
    desk.run("execution", |budget| budget.eighths(2).with_steps(QUICK_STEPS));
    if !desk.is_decided() && !desk.was_cut("execution") {
        let few =
            |budget: Budget| budget.eighths(1).with_executions(FIRST_EXECUTIONS).with_steps(FIRST_STEPS);
        desk.run("random", few);
    }
    if !desk.violations.is_empty() && !desk.question.settings.draw {
        return look_for_others(desk);
    }
    if desk.question.settings.draw && desk.violations.is_empty() {
        // Somebody wants to see the invariants.
        desk.run("smg", |budget| budget.eighths(6));
    } else if !desk.is_decided() {
        let share = if desk.was_cut("execution") { 1 } else { 3 };
        desk.run("smg", |budget| budget.eighths(share).with_states(QUICK_STATES));
    }
    // Nothing was asked for so far: random inputs make no difference.
    if !desk.is_decided() && desk.was_cut("execution") {
        desk.run("execution", |budget| budget.eighths(6));
    }
    let one_execution = desk.was_cut("execution");
    if !desk.is_decided() && !one_execution {
        desk.run("random", |budget| budget.eighths(2).with_executions(QUICK_EXECUTIONS));
    }
    if !desk.violations.is_empty() {
        return look_for_others(desk);
    }
    if !desk.is_decided() && !one_execution {
        desk.run("symheap", |budget| paths(budget.eighths(1)).with_states(QUICK_PATHS));
    }
    if !desk.violations.is_empty() {
        return look_for_others(desk);
    }
    if !desk.is_decided() && !one_execution {
        let some = |budget: Budget| {
            budget.eighths(2).with_executions(LEARNING_EXECUTIONS).with_steps(LEARNING_STEPS)
        };
        desk.run("random", some);
    }
    if !desk.violations.is_empty() {
        return look_for_others(desk);
    }
    let before = desk.spots().cloned();
    if !desk.is_decided() && desk.asks_about_content() {
        desk.run("templates", |budget| budget.eighths(5));
        if !desk.violations.is_empty() {
            return look_for_others(desk);
        }
        let missing = desk.open().1;
        if !desk.is_decided() && !missing.is_empty() {
            desk.run_for("smg", missing, |budget| budget.eighths(3));
        }
        let missing = desk.open().1;
        if !desk.is_decided() && !missing.is_empty() {
            desk.run_for("templates", missing, |budget| budget.eighths(3));
        }
    }
    if !desk.is_decided() && desk.spots().is_some_and(|spots| !spots.is_empty()) {
        desk.run_for_spots("templates", |budget| budget.eighths(4));
    }
    let is_helped = desk.spots() != before.as_ref() && desk.suspects_content("smg");
    if !desk.is_decided() && (desk.was_cut("smg") || is_helped) && !desk.question.settings.draw {
        desk.run("smg", |budget| budget.eighths(6));
    }
    if !desk.is_decided() && !desk.suspicions().is_empty() {
        desk.run("search", |budget| budget.eighths(4));
    }
    if !desk.is_decided() && !one_execution {
        desk.run("symheap", |budget| paths(budget.eighths(5)));
    }
    if !desk.is_decided() && !one_execution {
        desk.run("random", |budget| budget.eighths(7));
    }
    if !desk.violations.is_empty() {
        look_for_others(desk);
    }
}

/// True if numbers that the program computes and stores decide about it.
fn is_content(property: Property) -> bool {
    matches!(property, Property::UnreachCall | Property::Assertions)
}

/// A state on a path of `symheap` may need a solver, so it costs as much as many of `smg`.
fn paths(budget: Budget) -> Budget {
    let states = budget.states / 64;
    budget.with_states(states)
}

fn one_engine(desk: &mut Desk<'_>, name: &str) {
    desk.run(name, |budget| budget.eighths(6));
    if !desk.is_decided() && !desk.suspicions().is_empty() {
        desk.run("search", |budget| budget.eighths(7));
    }
    if !desk.violations.is_empty() && !desk.question.environment.properties.is_of_functions() {
        desk.go_on(|budget| budget.eighths(2).with_executions(OTHERS_EXECUTIONS).with_steps(OTHERS_STEPS));
    }
}

fn functions(desk: &mut Desk<'_>) {
    let question = desk.question;
    let environment = question.environment;
    let nodes = environment.properties.has(Property::DataStructure);
    if nodes && environment.entries.is_empty() && question.program.function("main").is_some() {
        return nodes_of_a_program(desk);
    }
    for entry in ENGINES.iter().filter(|entry| entry.decides(desk.question)) {
        desk.run(entry.name, |budget| budget.eighths(6));
        if desk.is_decided() {
            return;
        }
    }
}

/// A whole program whose nodes must stay good: the functions that `main` calls are proved on their own; errors are executions from `main` on.
fn nodes_of_a_program(desk: &mut Desk<'_>) {
    for entry in ENGINES.iter().filter(|entry| entry.decides(desk.question)) {
        desk.run(entry.name, |budget| budget.eighths(4));
        if desk.is_decided() {
            return;
        }
    }
    desk.run("random", |budget| budget.eighths(7));
}

/// An error was found: are there others? That is worth a little time.
fn look_for_others(desk: &mut Desk<'_>) {
    // Where the clock ends nothing, only states are counted: the answer is then the same on every machine.
    let until = Instant::now() + OTHERS_TIME;
    let little = |budget: Budget| Budget {
        deadline: budget.deadline.map(|deadline| deadline.min(until)),
        ..budget.with_states(OTHERS_STATES)
    };
    let few = |budget: Budget| budget.with_executions(OTHERS_EXECUTIONS).with_steps(OTHERS_STEPS);
    desk.go_on(|budget| few(little(budget.eighths(2))));
    if !desk.was_run("smg") {
        desk.run("smg", |budget| little(budget.eighths(1)));
    }
    if !desk.suspicions().is_empty() {
        desk.run("search", |budget| little(budget.eighths(1)));
    }
    if !desk.was_run("symheap") {
        desk.run("symheap", |budget| little(budget.eighths(1)));
    }
}

/// Everything found so far.
struct Desk<'a> {
    question: &'a Question<'a>,
    /// What each engine found that was run, in order; a later run of an engine takes the place of an earlier one.
    done: Vec<(&'static str, Findings)>,
    violations: Vec<Violation>,
    artefacts: Vec<Artefact>,
    /// The engine that found the first error.
    finder: Option<usize>,
    /// What is left by place, as far as engines showed all the rest of what is asked.
    remainder: Option<Remainder>,
}

impl<'a> Desk<'a> {
    fn new(question: &'a Question<'a>) -> Self {
        Desk {
            question,
            done: Vec::new(),
            violations: Vec::new(),
            artefacts: Vec::new(),
            finder: None,
            remainder: None,
        }
    }

    /// True if it matters what numbers the program computes and stores.
    fn asks_about_content(&self) -> bool {
        self.question.environment.properties.members.iter().any(|property| is_content(*property))
    }

    /// Lets an engine work on a share of the budget, with all that is known.
    fn run(&mut self, name: &str, share: impl FnOnce(Budget) -> Budget) {
        if let Some(findings) = self.found(name, self.question.environment, self.spots(), share) {
            let remainder = findings.remainder.clone();
            self.file(name, findings);
            self.join_by_place(remainder);
        }
    }

    /// Lets executions go on after the errors that are known.
    fn go_on(&mut self, share: impl FnOnce(Budget) -> Budget) {
        let question = self.question;
        let budget = share(question.budget.clone());
        if budget.check().is_err() {
            return;
        }
        let task = Task::new(question.program, question.sources, question.environment);
        let settings = question.settings;
        let options = executions(&task, &budget, settings.max_depth);
        let others = others::look(
            question.program,
            &options,
            settings.seed,
            &self.violations,
            &budget,
            question.progress,
        );
        if let Some((_, findings)) = self.finder.and_then(|at| self.done.get_mut(at)) {
            for (key, count) in [("executions", others.executions), ("steps", others.steps)] {
                *findings.statistics.entry(key.to_owned()).or_default() += count;
            }
            findings.ledger.absorb(others.ledger);
        }
        self.violations.extend(others.violations);
    }

    /// The errors of content that are left, if all others are known to be none.
    fn spots(&self) -> Option<&BTreeSet<Spot>> {
        self.remainder.as_ref().map(|remainder| &remainder.spots)
    }

    /// What engines leave together. Each of them says which errors are never the first violation of an execution; if these are all, there
    /// is none. (`heapproof_engine::Remainder`; SOUNDNESS.md, "Proofs of parts".)
    fn join_by_place(&mut self, new: Option<Remainder>) {
        let Some(new) = new else { return };
        let left = self.remainder.as_ref().map_or(new.clone(), |known| known.meet(&new));
        let is_all = left.spots.is_empty();
        self.remainder = Some(left.clone());
        if !is_all {
            return;
        }
        let asked = self.question.environment.properties.members.iter().copied();
        let asked: BTreeSet<Property> = asked.filter(|p| Property::OF_PROGRAMS.contains(p)).collect();
        let (content, others): (BTreeSet<_>, BTreeSet<_>) = asked.into_iter().partition(|p| is_content(*p));
        let memory = [Property::ValidDeref, Property::ValidFree];
        let alone = self.done.iter().filter_map(|(_, f)| f.remainder.as_ref()).all(|own| !own.memory);
        for (name, findings) in &mut self.done {
            let Some(own) = &findings.remainder else { continue };
            let (mut shows, mut presupposes) = (BTreeSet::new(), BTreeSet::new());
            if own.memory || alone {
                shows.extend(content.iter().copied());
            }
            match own.memory {
                true => presupposes.extend(memory),
                false => shows.extend(others.iter().copied().chain(memory)),
            }
            findings.proof.get_or_insert(Proof { engine: (*name).to_owned(), shows, presupposes });
        }
    }

    /// Lets an engine look at other properties than those that are asked. Only a proof of them is of interest.
    fn run_for(&mut self, name: &str, properties: Vec<Property>, share: impl FnOnce(Budget) -> Budget) {
        let mut environment = self.question.environment.clone();
        environment.properties = PropertySet::new("presupposed", properties);
        let findings = self.found(name, &environment, None, share);
        if let Some(findings) = findings.filter(|findings| findings.proof.is_some()) {
            self.file(name, Findings { remainder: None, ..findings });
        }
    }

    /// Lets an engine look at the errors of content that are left, where these are not what is asked: divisions by zero, which
    /// stand in the way of a proof about memory.
    fn run_for_spots(&mut self, name: &str, share: impl FnOnce(Budget) -> Budget) {
        if self.asks_about_content() {
            return;
        }
        let mut environment = self.question.environment.clone();
        environment.properties = PropertySet::new("left", [Property::Assertions]);
        let findings = self.found(name, &environment, self.spots(), share);
        if let Some(findings) = findings.filter(|findings| findings.remainder.is_some()) {
            let remainder = findings.remainder.clone();
            self.file(name, Findings { suspicions: Vec::new(), ..findings });
            self.join_by_place(remainder);
        }
    }

    /// True if an engine suspects errors of content only.
    fn suspects_content(&self, name: &str) -> bool {
        let is_content =
            |s: &Suspicion| s.place.and_then(|place| Spot::new(place, s.violation.class)).is_some();
        self.done.iter().any(|(done, findings)| *done == name && findings.suspicions.iter().all(is_content))
    }

    /// What an engine finds.
    fn found(
        &self,
        name: &str,
        environment: &Environment,
        only: Option<&BTreeSet<Spot>>,
        share: impl FnOnce(Budget) -> Budget,
    ) -> Option<Findings> {
        let question = self.question;
        let engine = engine(name, question.settings)?;
        let budget = share(question.budget.clone());
        budget.check().ok()?;
        let suspicions = self.suspicions();
        let task = Task {
            suspicions: &suspicions,
            known: &self.violations,
            artefacts: &self.artefacts,
            only,
            ..Task::new(question.program, question.sources, environment)
        };
        let mut findings = engine.run(&task, &budget, question.progress);
        self.tell_shares_from_limits(&mut findings);
        Some(findings)
    }

    /// Keeps what an engine found.
    fn file(&mut self, name: &str, mut findings: Findings) {
        let Some(name) = ENGINES.iter().map(|entry| entry.name).find(|known| *known == name) else { return };
        if !findings.violations.is_empty() && self.finder.is_none() {
            self.finder = Some(self.done.len());
        }
        self.violations.append(&mut findings.violations);
        // A proof stays, though: the engine may have been asked about something else then.
        let is_replaced = |earlier: &Findings| earlier.proof.is_none() || findings.proof.is_none();
        if let Some(at) = self.done.iter().position(|(done, earlier)| *done == name && is_replaced(earlier)) {
            let (_, earlier) = self.done.remove(at);
            self.finder = self.finder.map(|finder| finder - usize::from(at < finder));
            self.artefacts.retain(|artefact| artefact.engine != name);
            for (key, count) in earlier.statistics {
                *findings.statistics.entry(key).or_default() += count;
            }
            if earlier.remainder.is_some() {
                // It may become part of a proof.
                findings.remainder = findings.remainder.or(earlier.remainder);
                findings.ledger.absorb(earlier.ledger);
            }
        }
        self.artefacts.append(&mut findings.artefacts);
        self.done.push((name, findings));
    }

    /// The time that an engine was given is not the time that the user gave.
    fn tell_shares_from_limits(&self, findings: &mut Findings) {
        let over = self.question.budget.check().is_err();
        for obstacle in &mut findings.obstacles {
            if *obstacle == Obstacle::Time && !over {
                *obstacle = Obstacle::TimeShare;
            }
        }
    }

    /// What engines suspect, as far as it is still of interest.
    fn suspicions(&self) -> Vec<Suspicion> {
        self.done.iter().flat_map(|(_, findings)| findings.suspicions.iter().cloned()).collect()
    }

    fn was_run(&self, name: &str) -> bool {
        self.done.iter().any(|(done, _)| *done == name)
    }

    fn was_cut(&self, name: &str) -> bool {
        self.done.iter().any(|(done, findings)| *done == name && findings.is_cut())
    }

    fn proofs(&self) -> Vec<Proof> {
        self.done.iter().filter_map(|(_, findings)| findings.proof.clone()).collect()
    }

    /// What is left open, and what would have to be shown for it.
    fn open(&self) -> (Vec<Property>, Vec<Property>) {
        let environment = self.question.environment;
        left_open(&environment.properties, &self.proofs(), &environment.presupposed)
    }

    fn verdict(&self) -> Verdict {
        let functions = self.done.iter().flat_map(|(_, findings)| &findings.functions);
        match Verdict::of_all(functions) {
            _ if !self.violations.is_empty() => Verdict::Unsafe,
            Some(verdict) => verdict,
            None if self.open().0.is_empty() && !self.is_blocked() => Verdict::Safe,
            None => Verdict::Unknown,
        }
    }

    /// True if a proof rests on something that nobody accepted.
    fn is_blocked(&self) -> bool {
        let mut proofs = self.done.iter().filter(|(_, findings)| findings.proof.is_some());
        proofs.any(|(_, findings)| findings.ledger.blocking().next().is_some())
    }

    fn is_decided(&self) -> bool {
        self.verdict() != Verdict::Unknown
    }

    /// The answer from all that was found.
    fn answer(mut self) -> (Answer, Vec<Artefact>) {
        let environment = self.question.environment;
        let verdict = self.verdict();
        let mut answer = Answer::undecided(environment.properties.clone(), self.name_of(verdict));
        answer.verdict = verdict;
        answer.proofs = self.proofs();
        let missing = self.open().1;
        for (_, findings) in &mut self.done {
            for (key, count) in &findings.statistics {
                *answer.statistics.entry(key.clone()).or_default() += count;
            }
            answer.functions.append(&mut findings.functions);
        }
        match verdict {
            Verdict::Unsafe => {
                // The errors rest on the executions that show them, and on nothing else.
                let finder = self.finder.map(|at| &mut self.done[at].1.ledger);
                answer.ledger = finder.map(std::mem::take).unwrap_or_default();
            }
            Verdict::Safe => self.account_for_proofs(&mut answer),
            Verdict::Unknown => {
                answer.suspicions = self.suspicions().into_iter().map(|s| s.violation).collect();
                self.explain(&mut answer, missing);
            }
        }
        // What an execution shows before it passed over anything comes first.
        self.violations.sort_by_key(|violation| violation.later);
        answer.violations = self.violations;
        (answer, self.artefacts)
    }

    /// Who decided, or who came closest to it.
    fn name_of(&self, verdict: Verdict) -> String {
        let provers: Vec<&str> =
            self.done.iter().filter(|(_, f)| f.proof.is_some()).map(|(name, _)| *name).collect();
        let last = |wanted: &[&str]| {
            let known = self.done.iter().rev().map(|(name, _)| *name);
            known.into_iter().find(|name| wanted.contains(name))
        };
        match verdict {
            Verdict::Unsafe => {
                let of_functions = |findings: &Findings| {
                    findings.functions.iter().any(|function| function.verdict == Verdict::Unsafe)
                };
                let at = self.finder.or_else(|| self.done.iter().position(|(_, f)| of_functions(f)));
                at.map_or("none", |at| self.done[at].0).to_owned()
            }
            Verdict::Safe if !provers.is_empty() => provers.join("+"),
            _ => last(&["smg"]).or(self.done.last().map(|(name, _)| *name)).unwrap_or("none").to_owned(),
        }
    }

    /// What the proofs rest on. What other engines met is no assumption of theirs.
    fn account_for_proofs(&mut self, answer: &mut Answer) {
        for (_, findings) in self.done.iter_mut().filter(|(_, findings)| findings.proof.is_some()) {
            answer.ledger.absorb(std::mem::take(&mut findings.ledger));
        }
        let presupposed: BTreeSet<Property> =
            answer.proofs.iter().flat_map(|proof| proof.presupposes.iter().copied()).collect();
        for property in presupposed.intersection(&self.question.environment.presupposed) {
            answer.ledger.assume(Assumption {
                kind: AssumptionKind::Option,
                subject: format!("--presuppose {property}"),
                location: None,
                accepted: true,
            });
        }
    }

    /// Why it is not decided: what stood in the way of the engine that came closest to a proof, then what executions tell.
    fn explain(&mut self, answer: &mut Answer, missing: Vec<Property>) {
        let mut all: Vec<Reasons> = Vec::new();
        for (name, findings) in &mut self.done {
            answer.ledger.absorb(std::mem::take(&mut findings.ledger));
            let proves = engine(name, self.question.settings).is_some_and(|e| !e.proves().is_empty());
            let obstacles = std::mem::take(&mut findings.obstacles);
            all.push(Reasons { engine: name, proves, obstacles });
        }
        let mut obstacles = Vec::new();
        if !missing.is_empty() {
            obstacles.push(Obstacle::Presupposed { properties: missing });
        }
        if all.iter().all(|own| own.obstacles.is_empty())
            && obstacles.is_empty()
            && answer.functions.is_empty()
        {
            let properties = self.question.environment.properties.members.clone();
            obstacles.push(Obstacle::NoEngine { properties });
        }
        if !obstacles.is_empty() {
            all.push(Reasons { engine: "none", proves: true, obstacles });
        }
        (answer.reason, answer.obstacles) = reasons::explain(all);
    }
}

impl crate::engines::Entry {
    /// True if the engine looks at functions and knows what is asked.
    pub fn decides(&self, question: &Question<'_>) -> bool {
        engine(self.name, question.settings).is_some_and(|engine| {
            let known = |property: &Property| {
                engine.proves().contains(property) || engine.refutes().contains(property)
            };
            engine.scope() == Scope::Functions && question.environment.properties.members.iter().any(known)
        })
    }
}
