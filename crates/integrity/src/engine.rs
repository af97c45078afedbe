//! The engine as the portfolio sees it: results of functions become findings.

use crate::generate::Found;
use crate::globals::Globals;
use crate::{FunctionResult, Stop, Why, analyse, search};
use heapproof_confirm::ctest;
use heapproof_engine::{
    Artefact, ArtefactKind, Budget, Engine, Findings, Place, Progress, Resolutions, Scope, Suspicion, Task,
};
use heapproof_ir::nodes::Nodes;
use heapproof_ir::{CType, ctype};
use heapproof_verdict::{
    Assumption, AssumptionKind, ErrorClass, FunctionAnswer, NoteKind, Obstacle, Proof, Property, Verdict,
    Violation,
};
use std::sync::Mutex;
use std::time::Instant;

/// Data structures of any shape, function by function.
#[derive(Clone, Debug, Default)]
pub struct Integrity {
    /// Keep the goals that were solved, for people.
    pub keep_goals: bool,
    /// Make a C program that shows the first error.
    pub write_test: bool,
}

/// The name of the engine.
const NAME: &str = "integrity";

impl Engine for Integrity {
    fn name(&self) -> &'static str {
        NAME
    }

    fn scope(&self) -> Scope {
        Scope::Functions
    }

    fn proves(&self) -> &'static [Property] {
        &[Property::DataStructure]
    }

    fn refutes(&self) -> &'static [Property] {
        &[Property::DataStructure]
    }

    fn run(&self, task: &Task<'_>, budget: &Budget, progress: &dyn Progress) -> Findings {
        progress.enter("proving that data structures stay whole");
        let mut findings = Findings::default();
        let over = || budget.check().is_err();
        let report = match analyse(task.program, task.environment, self.keep_goals, Some(&over)) {
            Ok(report) => report,
            Err(error) => {
                findings.obstacles.push(Obstacle::NotCovered { what: error.to_string(), location: None });
                return findings;
            }
        };
        let goals = report.functions.iter().map(|f| f.goals).sum();
        findings.statistics.insert("goals".to_owned(), goals);
        self.artefacts(&mut findings, report.rules, report.goals);
        let results: Vec<&FunctionResult> = report.functions.iter().collect();
        self.ledger(task, &mut findings, &results);
        match task.program.function("main").filter(|_| task.environment.entries.is_empty()) {
            Some(main) => whole_program(task, &mut findings, results.iter().find(|r| r.function == main)),
            None => self.functions(task, budget, progress, &mut findings, &results),
        }
        findings
    }
}

/// A program starts at `main`: only that counts.
fn whole_program(task: &Task<'_>, findings: &mut Findings, main: Option<&&FunctionResult>) {
    match main.map(|main| &main.result) {
        Some(Ok(())) => {
            findings.proof = Some(Proof {
                engine: NAME.to_owned(),
                shows: [Property::DataStructure].into(),
                presupposes: Default::default(),
            });
        }
        Some(Err(stop)) => {
            findings.obstacles.push(Obstacle::NotCovered { what: reason(task, stop), location: None });
        }
        None => {}
    }
}

impl Integrity {
    fn artefacts(&self, findings: &mut Findings, rules: String, goals: Option<Vec<String>>) {
        let artefact = |name: &str, text: String| Artefact {
            engine: NAME,
            kind: ArtefactKind::Other,
            name: name.to_owned(),
            text,
            dot: None,
        };
        findings.artefacts.push(artefact("solver.chr", rules));
        if let Some(goals) = goals {
            findings.artefacts.push(artefact("goals.chr", goals.join("\n")));
        }
    }

    fn ledger(&self, task: &Task<'_>, findings: &mut Findings, results: &[&FunctionResult]) {
        let resolutions = Resolutions::new(task.program, task.environment);
        let proved = results.iter().filter(|r| r.result.is_ok());
        resolutions.note(task.program, proved.flat_map(|r| r.called.iter().copied()), &mut findings.ledger);
        if results.iter().any(|r| r.called_back) {
            findings.ledger.note(NoteKind::Model, "callbacks are valid functions that touch no nodes");
        }
        if results.iter().any(|r| r.result.is_ok() && has_cells(task, r)) {
            findings.ledger.note(NoteKind::Model, "addresses of pointers to nodes that are given are valid");
        }
        if results.iter().any(|r| r.result.is_ok() && r.frees_nodes) {
            findings.ledger.note(NoteKind::Model, "nodes that are given and freed come from `malloc`");
        }
        if Globals::new(task.program, &Nodes::new(task.program)).any() {
            findings
                .ledger
                .note(NoteKind::Model, "global pointers to nodes hold null or nodes, global nodes are good");
        }
        findings
            .ledger
            .note(NoteKind::Machine, "leaks, termination and the size of the stack are not looked at");
    }

    /// Every function that is asked about: what is not proved is run in small graphs.
    fn functions(
        &self,
        task: &Task<'_>,
        budget: &Budget,
        progress: &dyn Progress,
        findings: &mut Findings,
        results: &[&FunctionResult],
    ) {
        let asked = asked(task, results);
        progress.enter("running functions in small graphs");
        let over = || budget.check().is_err();
        let open: Vec<&FunctionResult> = asked.iter().copied().filter(|r| r.result.is_err()).collect();
        let queue = Mutex::new(open.iter());
        let done = Mutex::new(std::collections::BTreeMap::new());
        let serve = || loop {
            let next = queue.lock().ok().and_then(|mut queue| queue.next());
            let Some(result) = next else { return };
            let started = Instant::now();
            let found = search(task.program, task.environment, result.function, &over);
            if let Ok(mut done) = done.lock() {
                done.insert(result.function, (found, started.elapsed().as_millis() as u64));
            }
        };
        std::thread::scope(|scope| {
            let workers = std::thread::available_parallelism().map_or(1, usize::from).min(open.len().max(1));
            for _ in 1..workers {
                scope.spawn(serve);
            }
            serve();
        });
        let mut done = done.into_inner().unwrap_or_default();
        for result in asked {
            let (found, elapsed) = done.remove(&result.function).unwrap_or_default();
            if let Some(found) = found.first()
                && self.write_test
                && !findings.artefacts.iter().any(|a| a.kind != ArtefactKind::Other)
            {
                findings.artefacts.push(test(task, result, found));
            }
            findings.functions.push(answer(task, result, &found, elapsed));
        }
    }
}

/// The functions that were named; else those that other files can call, or all if there are none of these.
fn asked<'r>(task: &Task<'_>, results: &[&'r FunctionResult]) -> Vec<&'r FunctionResult> {
    let entries = &task.environment.entries;
    let visible = |r: &&FunctionResult| !task.program.functions[r.function].internal;
    let named = |r: &&FunctionResult| entries.contains(&r.name);
    let any_visible = results.iter().any(visible);
    let all = results.iter().copied();
    match (entries.is_empty(), any_visible) {
        (false, _) => all.filter(named).collect(),
        (true, true) => all.filter(visible).collect(),
        (true, false) => all.collect(),
    }
}

fn test(task: &Task<'_>, result: &FunctionResult, found: &Found) -> Artefact {
    let violations = heapproof_confirm::violations(&found.run);
    let written = match violations.first() {
        Some(violation) => {
            let case = ctest::Reproduction {
                program: &found.program,
                sources: task.sources,
                compiler: &[],
                environment: &found.environment,
                inputs: &found.run.inputs,
                violation,
            };
            ctest::of_state(&case, result.function, &found.state).map_err(|why| why.to_string())
        }
        None => Err("the error does not show again".to_owned()),
    };
    let (kind, text) = match written {
        Ok(text) => (ArtefactKind::Test, text),
        Err(why) => (ArtefactKind::NoTest, why),
    };
    Artefact { engine: NAME, kind, name: "test".to_owned(), text, dot: None }
}

fn answer(task: &Task<'_>, result: &FunctionResult, found: &[Found], elapsed: u64) -> FunctionAnswer {
    let program = task.program;
    let place = Place { func: result.function, span: program.functions[result.function].span };
    let at = place.location(program);
    let violations: Vec<Violation> =
        found.iter().flat_map(|found| heapproof_confirm::violations(&found.run)).collect();
    let verdict = match &result.result {
        _ if !violations.is_empty() => Verdict::Unsafe,
        Ok(()) => Verdict::Safe,
        Err(_) => Verdict::Unknown,
    };
    let unknown = result.result.as_ref().err().filter(|_| verdict == Verdict::Unknown);
    let suspicion = unknown.and_then(|stop| suspicion(task, result, stop));
    FunctionAnswer {
        name: result.name.clone(),
        file: at.file,
        line: at.line,
        verdict,
        violations,
        suspicions: suspicion.into_iter().map(|s| s.violation).collect(),
        reason: unknown.map(|stop| reason(task, stop)),
        assumptions: assumptions(result),
        requires: task.environment.requires.get(&result.name).cloned().unwrap_or_default(),
        state: found.first().map(|found| {
            let hint = found
                .excluded_by
                .as_ref()
                .map(|formula| format!("excluded by --requires '{}: {formula}'\n", result.name));
            format!("{}{}", found.picture, hint.unwrap_or_default())
        }),
        elapsed_ms: result.elapsed.as_millis() as u64 + elapsed,
    }
}

/// Whether a function is given the address of a pointer to nodes.
fn has_cells(task: &Task<'_>, result: &FunctionResult) -> bool {
    let program = task.program;
    let nodes = Nodes::new(program);
    let of =
        program.functions[result.function].ctype.map(|t| &program.types[ctype::strip(&program.types, t)]);
    match of {
        Some(CType::Function { params, .. }) => params.iter().any(|t| nodes.link_to(program, *t).is_some()),
        _ => false,
    }
}

/// What a verdict rests on besides the rules of the property.
fn assumptions(result: &FunctionResult) -> Vec<Assumption> {
    let callbacks = Assumption {
        kind: AssumptionKind::ExternalFunction,
        subject: "callbacks are valid functions that touch no nodes".to_owned(),
        location: None,
        accepted: true,
    };
    if result.result.is_ok() && result.called_back { vec![callbacks] } else { Vec::new() }
}

fn reason(task: &Task<'_>, stop: &Stop) -> String {
    let file = task.program.files.get(stop.span.file);
    match file {
        Some(file) if stop.span.is_known() => format!("{file}:{}: {}", stop.span.line, stop.why),
        _ => stop.why.to_string(),
    }
}

/// Where a proof failed because something may be wrong, not because of a limit of the engine.
fn suspicion(task: &Task<'_>, result: &FunctionResult, stop: &Stop) -> Option<Suspicion> {
    let class = match stop.why {
        Why::MayBeNull => ErrorClass::NullDeref,
        Why::NoNode
        | Why::NoCell
        | Why::BadArgument
        | Why::NotClosed
        | Why::BadPointer
        | Why::TooSmall
        | Why::LinkedLocal => ErrorClass::DataStructure,
        Why::Wild
        | Why::Outside
        | Why::NoFunction
        | Why::TooManyPaths
        | Why::Frees
        | Why::External(_)
        | Why::CalleeRequires(_)
        | Why::Callee(_)
        | Why::Unsupported(_)
        | Why::Limit(_) => return None,
    };
    let place = Place { func: result.function, span: stop.span };
    Some(Suspicion::new(task.program, class, place, stop.why.to_string()))
}
