//! Engine `execution`: one execution. Where nothing in it depends on a choice it is the only one, and decides.

use super::executions;
use heapproof_confirm::violations;
use heapproof_engine::{Budget, Engine, Environment, Findings, Place, Progress, Scope, Task};
use heapproof_interp::{self as interp, Choice, Inputs, Outcome, Request, Run, Stop};
use heapproof_ir::Program;
use heapproof_verdict::{NoteKind, Obstacle, Proof, Property, PropertySet};

/// Frames from which on the size of the stack is worth a note.
const DEEP: usize = 100;

/// The engine.
#[derive(Clone, Debug)]
pub struct Execution {
    /// The most frames on the call stack.
    pub max_depth: u32,
}

/// Whatever is asked for: the execution ends there.
struct Nothing;

impl Inputs for Nothing {
    fn choose(&mut self, _: &Request) -> u128 {
        0
    }
}

impl Engine for Execution {
    fn name(&self) -> &'static str {
        "execution"
    }

    fn scope(&self) -> Scope {
        Scope::Program
    }

    fn proves(&self) -> &'static [Property] {
        &Property::OF_PROGRAMS
    }

    fn refutes(&self) -> &'static [Property] {
        &Property::OF_PROGRAMS
    }

    fn run(&self, task: &Task<'_>, budget: &Budget, progress: &dyn Progress) -> Findings {
        progress.enter("executing");
        let mut options =
            interp::Options { stop_at_choice: true, ..executions(task, budget, self.max_depth) };
        let mut run = interp::run(task.program, &options, &mut Nothing);
        progress.executed(run.steps);
        let mut steps = run.steps;
        if run.choice.is_none() && matches!(run.outcome, Outcome::Violation(_)) {
            // Once more, for the path.
            options.record_path = true;
            run = interp::run(task.program, &options, &mut Nothing);
            progress.executed(run.steps);
            steps += run.steps;
        }
        let mut findings = conclude(task, &run);
        findings.statistics.insert("executions".to_owned(), 1);
        findings.statistics.insert("steps".to_owned(), steps);
        findings
    }
}

/// What a run shows. Only without any choice it shows something about the program.
fn conclude(task: &Task<'_>, run: &Run) -> Findings {
    let mut findings = Findings::default();
    if let Some(choice) = &run.choice {
        let text = choice_text(task.program, task.environment, choice);
        findings.obstacles.push(Obstacle::Inconclusive { text });
        return findings;
    }
    findings.ledger = run.ledger.clone();
    match &run.outcome {
        Outcome::Finished { .. } => {
            let asked = &task.environment.properties;
            let shown = asked.members.iter().copied().filter(|p| Property::OF_PROGRAMS.contains(p));
            findings.proof = Some(Proof::of("execution", &PropertySet::new(&asked.name, shown)));
            findings.ledger.note(
                NoteKind::Machine,
                "the program has one execution: it reads no input, and nothing in it depends on its environment",
            );
            if run.depth >= DEEP {
                findings.ledger.note(NoteKind::Machine, "the stack is large enough for every recursion");
            }
        }
        Outcome::Violation(_) => findings.violations = violations(run),
        Outcome::Stopped { why, at, function } => {
            let func = task.program.function(function);
            let location = func.map(|func| Place { func, span: *at }.location(task.program));
            findings.obstacles.push(obstacle(why, location.filter(|l| l.line > 0)));
        }
    }
    findings
}

/// That there are other executions, and why.
pub fn choice_text(program: &Program, environment: &Environment, choice: &Choice) -> String {
    let func = program.function(environment.entry());
    let location = func.map(|func| Place { func, span: choice.span }.location(program));
    let place = location.filter(|l| l.line > 0).map_or(String::new(), |l| format!("{}:{}: ", l.file, l.line));
    format!("{place}the program has more than one execution: it depends on {}", choice.what)
}

/// Why an execution did not come to its end.
pub fn obstacle(why: &Stop, location: Option<heapproof_verdict::Location>) -> Obstacle {
    match why {
        Stop::Steps(limit) => Obstacle::Steps { limit: *limit },
        Stop::Memory(limit) => Obstacle::Memory { limit: *limit },
        Stop::Deadline => Obstacle::Time,
        Stop::External { name } => Obstacle::External { name: name.clone(), location },
        Stop::Unsupported { .. } | Stop::Depth(_) => Obstacle::NotCovered { what: why.to_string(), location },
        Stop::Choice(_) | Stop::OtherError(_) | Stop::Infeasible | Stop::Other(_) => {
            Obstacle::Other { text: why.to_string() }
        }
    }
}
