//! The engine: verdicts of functions from their obligations.

use crate::annotation::Position;
use crate::cache::Cache;
use crate::concrete::{Broken, describe};
use crate::execute::{Failure, Kind, Outcome, Question};
use crate::invariants::{Search, has_bare_loop};
use crate::ladder::{Prover, add};
use crate::place::Annotations;
use crate::refute::{FEW_RUNS, RUNS, Refutation, Shown, refute};
use crate::sources::Texts;
use crate::spec::Spec;
use crate::vacuous::look_for_contradictions;
use crate::verify::Checked;
use heapproof_confirm::ctest::{Reproduction, of_state};
use heapproof_engine::{Artefact, ArtefactKind, Budget, Engine, Findings, Progress, Scope, Task};
use heapproof_ir::{Callee, FuncId, InstKind, Program};
use heapproof_logic::{Config, Limits, Statistics};
use heapproof_verdict::{
    Assumption, AssumptionKind, ErrorClass, FunctionAnswer, Location, NoteKind, Obstacle, Proof, Property,
    Verdict, Violation,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The solver gives up on an obligation after so many steps: the same in every run.
const STEPS: u64 = 30_000_000;
/// It gives up after this in any case.
const PATIENCE: Duration = Duration::from_secs(60);

/// Engine `contracts`.
#[derive(Clone, Debug)]
pub struct Contracts {
    /// The solver.
    pub solver: String,
    /// Every question to it is written to a file in this directory.
    pub dump_queries: Option<PathBuf>,
    /// What is shown is kept in this directory, and not asked again.
    pub cache: Option<PathBuf>,
    /// Tell the loop invariants that were found, as few as can be.
    pub suggest: bool,
}

impl Engine for Contracts {
    fn name(&self) -> &'static str {
        "contracts"
    }

    fn scope(&self) -> Scope {
        Scope::Functions
    }

    fn proves(&self) -> &'static [Property] {
        &[Property::Contracts]
    }

    fn refutes(&self) -> &'static [Property] {
        &[Property::Contracts]
    }

    fn run(&self, task: &Task<'_>, budget: &Budget, progress: &dyn Progress) -> Findings {
        progress.enter("proving contracts");
        let mut findings = Findings::default();
        let texts = Texts::read(task.program, task.sources);
        let (annotations, spec) = match texts.spec(task.program, &task.environment.requires) {
            Ok(both) => both,
            Err(mistakes) => {
                findings.obstacles.extend(mistakes.into_iter().map(|text| Obstacle::Other { text }));
                return findings;
            }
        };
        if !spec.functions.values().any(|function| function.contract.is_some()) {
            let text = "no function has a contract".to_owned();
            findings.obstacles.push(Obstacle::Other { text });
            return findings;
        }
        let left = budget.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let limits = Limits {
            time: left.map_or(PATIENCE, |left| left.min(PATIENCE)),
            steps: Some(STEPS),
            ..Limits::default()
        };
        let config = Config::new(&self.solver)
            .with_limits(limits)
            .with_deadline(budget.deadline)
            .with_dump(self.dump_queries.clone());
        let question = Question {
            program: task.program,
            spec: &spec,
            environment: task.environment,
            deadline: budget.deadline,
        };
        let cache = self.cache.clone().and_then(|directory| Cache::new(directory, &config));
        let prover = Prover { with_other: true, cache, config };
        let asked = Asked { task, question, annotations: &annotations, texts: &texts, suggest: self.suggest };
        if let Err(why) = decide(&asked, &prover, &mut findings) {
            findings.obstacles.push(Obstacle::Helper { text: why.to_string() });
        }
        findings
    }
}

/// What is asked, with the annotations as they are written.
struct Asked<'a> {
    task: &'a Task<'a>,
    question: Question<'a>,
    annotations: &'a Annotations,
    texts: &'a Texts,
    suggest: bool,
}

/// Shows what is shown quickly, looks for states that break the other contracts, looks for invariants that are missing, and tries the
/// rest with patience.
fn decide(
    asked: &Asked<'_>,
    prover: &Prover,
    findings: &mut Findings,
) -> Result<(), heapproof_logic::Failure> {
    let (task, question) = (asked.task, asked.question);
    let (program, spec) = (question.program, question.spec);
    let entries = &task.environment.entries;
    let is_asked = |func: FuncId| entries.is_empty() || entries.contains(&program.functions[func].name);
    let mut checked = Checked::collect(question);
    checked.try_quickly(prover, share(question.deadline))?;
    let mut refutations = BTreeMap::new();
    let mut runs = 0;
    let mut look_for_states = |checked: &Checked, functions: &BTreeSet<FuncId>, most: u64| {
        let shown: BTreeSet<FuncId> =
            checked.functions.keys().copied().filter(|func| checked.functions[func].is_shown()).collect();
        for func in functions {
            let deadline = share(question.deadline);
            let found = refute(program, spec, task.environment, (*func, &shown), deadline, (&mut runs, most));
            refutations.extend(found.map(|found| (*func, found)));
        }
        refutations.keys().copied().collect::<BTreeSet<FuncId>>()
    };
    let undecided = |checked: &Checked, except: &BTreeSet<FuncId>| -> BTreeSet<FuncId> {
        let is_wanted = |func: &FuncId| is_asked(*func) && !except.contains(func);
        checked.undecided().into_iter().filter(is_wanted).collect()
    };
    // Where a loop has no invariant, patience alone does not help.
    let is_bare = |func: &FuncId| has_bare_loop(question, *func);
    let bare: BTreeSet<FuncId> = undecided(&checked, &BTreeSet::new()).into_iter().filter(is_bare).collect();
    let refuted = look_for_states(&checked, &bare, FEW_RUNS);
    let tried: BTreeSet<FuncId> = bare.difference(&refuted).copied().collect();
    find_invariants(asked, prover, &tried, &mut checked, findings)?;
    let refuted = look_for_states(&checked, &undecided(&checked, &refuted), RUNS);
    checked.try_patiently(prover, question.deadline, &refuted)?;
    let rest = undecided(&checked, &refuted.union(&tried).copied().collect());
    find_invariants(asked, prover, &rest, &mut checked, findings)?;
    look_for_contradictions(&mut checked, question, prover)?;
    let proven = proven(&checked);
    for (func, outcome) in checked.functions.iter().filter(|(func, _)| is_asked(**func)) {
        let mut answer = answer(program, *func, outcome, &proven);
        answer.requires = task.environment.requires.get(&answer.name).cloned().unwrap_or_default();
        if let Some(refutation) = refutations.get(func) {
            tell_refuted(task, *func, refutation, &mut answer, findings);
        }
        findings.functions.push(answer);
    }
    for func in forgotten(program, spec).into_iter().filter(|func| is_asked(*func)) {
        let reason = "it has no contract, and no function with a contract calls it".to_owned();
        findings
            .functions
            .push(FunctionAnswer { reason: Some(reason), ..blank(program, func, Verdict::Unknown) });
    }
    if findings.functions.iter().all(|function| function.verdict == Verdict::Safe) {
        findings.proof = Some(Proof::of("contracts", &task.environment.properties));
    }
    note(program, &checked, findings);
    findings.statistics.insert("runs".to_owned(), runs);
    Ok(())
}

/// Looks for the loop invariants that some functions lack.
fn find_invariants(
    asked: &Asked<'_>,
    prover: &Prover,
    functions: &BTreeSet<FuncId>,
    checked: &mut Checked,
    findings: &mut Findings,
) -> Result<(), heapproof_logic::Failure> {
    let program = asked.question.program;
    for func in functions {
        let file = program.files.get(program.functions[*func].span.file).cloned().unwrap_or_default();
        let mut search = Search {
            question: asked.question,
            annotations: asked.annotations,
            text: asked.texts.of(&file),
            prover,
            func: *func,
            shorten: asked.suggest,
            solver: Statistics::default(),
        };
        let found = search.run();
        add(&mut checked.solver, &search.solver);
        let Some(found) = found? else { continue };
        checked.put_shown(*func, found.outcome);
        let count = found.suggestions.iter().map(|loops| loops.texts.len() as u64).sum::<u64>();
        *findings.statistics.entry("invariants_found".to_owned()).or_default() += count;
        for loops in found.suggestions {
            let lines = loops.texts.iter().map(|text| format!("    //@ loop invariant {text};\n"));
            let text = format!("{file}:{}: before this loop:\n{}", loops.line, lines.collect::<String>());
            let name = format!("suggestion-{}-{}", program.functions[*func].name, loops.line);
            let (engine, kind) = ("contracts", ArtefactKind::Suggestion);
            findings.artefacts.push(Artefact { engine, kind, name, text, dot: None });
        }
    }
    Ok(())
}

/// Half of the time that is left.
fn share(deadline: Option<Instant>) -> Option<Instant> {
    deadline.map(|deadline| {
        let now = Instant::now();
        now + deadline.saturating_duration_since(now) / 2
    })
}

/// Writes down what the answers rest on.
fn note(program: &Program, checked: &Checked, findings: &mut Findings) {
    let rests = |on: fn(&Outcome) -> bool| checked.functions.values().any(on);
    if rests(|outcome| outcome.aligned) {
        findings
            .ledger
            .note(NoteKind::Machine, "pointers, and structures with pointers, are aligned as C demands");
    }
    if rests(|outcome| outcome.frees) {
        findings.ledger.note(NoteKind::Machine, "what a caller hands over to be freed comes from malloc");
    }
    let external: BTreeSet<FuncId> =
        checked.functions.values().flat_map(|outcome| outcome.external.iter().copied()).collect();
    for func in external {
        findings.ledger.assume(Assumption {
            kind: AssumptionKind::ExternalFunction,
            subject: program.functions[func].name.clone(),
            location: None,
            accepted: true,
        });
    }
    let obligations = checked.functions.values().map(|outcome| outcome.obligations).sum();
    findings.statistics.insert("obligations".to_owned(), obligations);
    findings.statistics.insert("questions".to_owned(), checked.solver.calls);
    findings.statistics.insert("solver_ms".to_owned(), checked.solver.time.as_millis() as u64);
}

/// A function breaks its contract.
fn tell_refuted(
    task: &Task<'_>,
    func: FuncId,
    refutation: &Refutation,
    answer: &mut FunctionAnswer,
    findings: &mut Findings,
) {
    let program = task.program;
    let violation = match &refutation.shown {
        Shown::Error(violation) => (**violation).clone(),
        Shown::Broken(broken) => told(program, broken),
    };
    answer.verdict = Verdict::Unsafe;
    answer.reason = None;
    answer.suspicions.clear();
    answer.state = Some(describe(program, func, &refutation.generated));
    answer.violations = vec![violation.clone()];
    let case = Reproduction {
        program,
        sources: task.sources,
        compiler: &[],
        environment: task.environment,
        inputs: &refutation.inputs,
        violation: &violation,
    };
    let (kind, text) = match of_state(&case, func, &refutation.generated.state) {
        Ok(text) => (ArtefactKind::Test, text),
        Err(why) => (ArtefactKind::NoTest, why.to_string()),
    };
    findings.artefacts.push(Artefact { engine: "contracts", kind, name: "test".to_owned(), text, dot: None });
    findings.violations.push(violation);
}

/// A part of a contract that a run broke.
pub fn told(program: &Program, broken: &Broken) -> Violation {
    let file = program.files.get(program.functions[broken.func].span.file).cloned().unwrap_or_default();
    Violation {
        message: format!("{} does not hold", words(broken.kind)),
        ..suspicion(program, broken.func, (broken.at, broken.kind), file)
    }
}

/// The functions that are proven together with all whose contracts they use.
fn proven(checked: &Checked) -> BTreeSet<FuncId> {
    let shown: BTreeMap<FuncId, &Outcome> = checked
        .functions
        .iter()
        .filter(|(_, outcome)| outcome.is_shown())
        .map(|(func, outcome)| (*func, outcome))
        .collect();
    let mut proven: BTreeSet<FuncId> = shown.keys().copied().collect();
    // Whoever uses a contract that is not proven is not proven either.
    loop {
        let before = proven.len();
        let kept = |func: &FuncId| shown[func].callees.iter().all(|callee| proven.contains(callee));
        proven = proven.iter().copied().filter(kept).collect();
        if proven.len() == before {
            return proven;
        }
    }
}

/// Functions with a body that no contract speaks of, directly or through calls.
fn forgotten(program: &Program, spec: &Spec) -> Vec<FuncId> {
    let has_contract = |func: &FuncId| spec.contract(*func).is_some();
    let mut reached: BTreeSet<FuncId> = program.functions.keys().filter(has_contract).collect();
    let mut todo: Vec<FuncId> = reached.iter().copied().collect();
    while let Some(func) = todo.pop() {
        let Some(body) = &program.functions[func].body else { continue };
        for inst in body.blocks.values().flat_map(|block| &block.insts) {
            if let InstKind::Call { callee: Callee::Direct(callee), .. } = &inst.kind
                && reached.insert(*callee)
            {
                todo.push(*callee);
            }
        }
    }
    let is_forgotten = |func: &FuncId| {
        let function = &program.functions[*func];
        function.body.is_some() && function.span.is_known() && !reached.contains(func)
    };
    program.functions.keys().filter(is_forgotten).collect()
}

fn blank(program: &Program, func: FuncId, verdict: Verdict) -> FunctionAnswer {
    let function = &program.functions[func];
    FunctionAnswer {
        name: function.name.clone(),
        file: program.files.get(function.span.file).cloned().unwrap_or_default(),
        line: function.span.line,
        verdict,
        violations: Vec::new(),
        suspicions: Vec::new(),
        reason: None,
        assumptions: Vec::new(),
        requires: Vec::new(),
        state: None,
        elapsed_ms: 0,
    }
}

fn answer(program: &Program, func: FuncId, outcome: &Outcome, proven: &BTreeSet<FuncId>) -> FunctionAnswer {
    let unknown = blank(program, func, Verdict::Unknown);
    if outcome.assumes {
        let reason = "it rests on an `assume`, which nobody has accepted".to_owned();
        return FunctionAnswer { reason: Some(reason), ..unknown };
    }
    if let Some(vacuous) = &outcome.vacuous {
        let reason = format!("line {}: {}", vacuous.at.line, vacuous.why);
        return FunctionAnswer { reason: Some(reason), ..unknown };
    }
    if proven.contains(&func) {
        return blank(program, func, Verdict::Safe);
    }
    let file = program.files.get(program.functions[func].span.file).cloned().unwrap_or_default();
    let told = |failure: &Failure| suspicion(program, func, (failure.at, failure.kind), file.clone());
    let suspicions: Vec<Violation> = outcome.failures.iter().map(told).collect();
    let reason = match (outcome.failures.first(), outcome.limits.first()) {
        (Some(failure), _) => {
            format!("line {}: {} was not shown: {}", failure.at.line, words(failure.kind), failure.why)
        }
        (None, Some((Some(span), what))) => format!("line {}: {what}", span.line),
        (None, Some((None, what))) => what.clone(),
        (None, None) => "it uses the contract of a function that is not proven".to_owned(),
    };
    FunctionAnswer { suspicions, reason: Some(reason), ..unknown }
}

fn suspicion(program: &Program, func: FuncId, (at, kind): (Position, Kind), file: String) -> Violation {
    let class = match kind {
        Kind::Divisor => ErrorClass::DivisionByZero,
        _ => ErrorClass::Contract,
    };
    Violation {
        class,
        cwe: class.cwe(),
        property: Property::Contracts,
        location: Location {
            file,
            line: at.line,
            column: at.column,
            function: program.functions[func].name.clone(),
        },
        message: format!("{} was not shown", words(kind)),
        path: Vec::new(),
        inputs: None,
        later: false,
    }
}

fn words(kind: Kind) -> &'static str {
    match kind {
        Kind::Access => "that the access lies in allocated memory",
        Kind::Free => "that the start of an allocated block is freed",
        Kind::Ensures => "what the function ensures",
        Kind::Modifies => "that nothing else is modified",
        Kind::Frees => "that nothing else is freed",
        Kind::Requires => "what the called function requires",
        Kind::Entry => "that the loop invariant holds at first",
        Kind::Kept => "that the loop invariant is kept",
        Kind::Founded => "that lists stay well founded",
        Kind::Assert => "the assertion",
        Kind::Divisor => "that the divisor is not zero",
        Kind::Outside => "that a pointer that is kept lies in its object or at its end",
        Kind::Constant => "that nothing constant is written",
    }
}
