//! The engine as the portfolio sees it: results of functions become findings.

use crate::{FunctionResult, Stop, Why, analyse};
use heapproof_engine::{
    Artefact, ArtefactKind, Budget, Engine, Findings, Place, Progress, Scope, Suspicion, Task,
};
use heapproof_verdict::{ErrorClass, FunctionAnswer, NoteKind, Obstacle, Property, Verdict};

/// Data structures of any shape, function by function. Errors that it suspects are for others to confirm.
#[derive(Clone, Debug, Default)]
pub struct Integrity {
    /// Keep the goals that were solved, for people.
    pub keep_goals: bool,
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
        &[]
    }

    fn run(&self, task: &Task<'_>, budget: &Budget, progress: &dyn Progress) -> Findings {
        progress.enter("proving that data structures stay whole");
        let mut findings = Findings::default();
        let stop = || budget.check().is_err();
        let report = match analyse(task.program, &task.environment.requires, self.keep_goals, Some(&stop)) {
            Ok(report) => report,
            Err(error) => {
                findings.obstacles.push(Obstacle::NotCovered { what: error.to_string(), location: None });
                return findings;
            }
        };
        let entries = &task.environment.entries;
        for result in &report.functions {
            if entries.is_empty() || entries.contains(&result.name) {
                findings.functions.push(answer(task, result));
            }
        }
        findings.ledger.note(NoteKind::Model, "callbacks touch no nodes");
        findings
            .ledger
            .note(NoteKind::Machine, "leaks, termination and the size of the stack are not looked at");
        let goals = report.functions.iter().map(|f| f.goals).sum();
        findings.statistics.insert("goals".to_owned(), goals);
        let artefact = |name: &str, text: String| Artefact {
            engine: NAME,
            kind: ArtefactKind::Other,
            name: name.to_owned(),
            text,
            dot: None,
        };
        findings.artefacts.push(artefact("solver", report.rules));
        if let Some(goals) = report.goals {
            findings.artefacts.push(artefact("goals", goals.join("\n")));
        }
        findings
    }
}

fn answer(task: &Task<'_>, result: &FunctionResult) -> FunctionAnswer {
    let program = task.program;
    let place = Place { func: result.function, span: program.functions[result.function].span };
    let at = place.location(program);
    let suspicions = result.result.as_ref().err().and_then(|stop| suspicion(task, result, stop));
    FunctionAnswer {
        name: result.name.clone(),
        file: at.file,
        line: at.line,
        verdict: if result.result.is_ok() { Verdict::Safe } else { Verdict::Unknown },
        violations: Vec::new(),
        suspicions: suspicions.into_iter().map(|s| s.violation).collect(),
        reason: result.result.as_ref().err().map(|stop| reason(task, stop)),
        assumptions: Vec::new(),
        requires: task.environment.requires.get(&result.name).cloned().unwrap_or_default(),
        state: None,
        elapsed_ms: result.elapsed.as_millis() as u64,
    }
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
        Why::NoNode | Why::NoCell | Why::BadArgument | Why::NotClosed | Why::BadPointer | Why::TooSmall => {
            ErrorClass::DataStructure
        }
        Why::Wild => ErrorClass::WildDeref,
        Why::Outside
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
