//! Loops unwound some times, without invariants: finds errors, and proves programs whose loops end early.

use crate::build::Builder;
use crate::options::Unwinding;
use crate::prove::{Attempt, quick_solver};
use crate::ssa::{Kind, Obligation, Ssa};
use crate::{Templates, report};
use heapproof_engine::{Budget, Candidate, Findings, Suspicion, Task};
use heapproof_logic::{Answer, Model, Solver, Term, Value};
use std::fmt::Write;

/// Iterations of every loop, one attempt after the other: few, and many.
pub const FEW: [u32; 2] = [1, 2];
/// See above.
pub const MANY: [u32; 9] = [4, 8, 16, 32, 64, 128, 256, 512, 1024];

/// With heap blocks every copy of an allocation is an object of its own, so only few are followed.
const MOST_WITH_HEAP: u32 = 16;

/// Looks for errors in few iterations. Gives a proof if no execution has more.
pub fn run(
    engine: &Templates,
    task: &Task<'_>,
    copies: &[u32],
    budget: &Budget,
    over: &dyn Fn() -> bool,
    findings: &mut Findings,
) -> Option<Attempt> {
    for copies in copies.iter().copied() {
        let unwinding = Unwinding { copies, cut: false, turns: 1 };
        let builder = Builder::new(task.program, task.environment, unwinding, 1, over);
        let (ssa, plan) = builder.build().ok()?;
        if ssa.has_heap && copies > MOST_WITH_HEAP {
            return None;
        }
        *findings.statistics.entry("unwindings".to_owned()).or_default() += 1;
        let asked = &task.environment.properties;
        let is_error = |o: &&Obligation| matches!(o.kind, Kind::Error(property, _) if asked.has(property));
        let errors: Vec<&Obligation> = ssa.obligations.iter().filter(is_error).collect();
        let mut solver = quick_solver(engine, budget, &ssa);
        let any = Term::or(errors.iter().map(|o| o.bad.clone()));
        match solver.check(&[any]).ok()? {
            Answer::Sat => {
                let model = solver.model().ok()?;
                let found = errors.iter().find(|o| model.satisfies(&o.bad));
                if let Some(found) = found {
                    findings.suspicions.insert(0, suspicion(task, &ssa, found, &model));
                }
                return None;
            }
            Answer::Unknown(_) => return None,
            Answer::Unsat => {}
        }
        // No error in so few iterations. Are there more?
        let others = Term::or(ssa.obligations.iter().map(|o| o.bad.clone()));
        if solver.check(&[others]).ok()? == Answer::Unsat {
            // A proof does not rest on one answer: another solver is asked, too.
            if !crate::check::confirms(engine, budget, &ssa, &[], &ssa.obligations).ok()? {
                return None;
            }
            let attempt = Attempt { ssa, plan, levels: Vec::new(), open: Vec::new() };
            return report::is_proof(task, &attempt).then_some(attempt);
        }
        if over() {
            return None;
        }
    }
    None
}

/// The error with the inputs that lead to it.
fn suspicion(task: &Task<'_>, ssa: &Ssa, error: &Obligation, model: &Model) -> Suspicion {
    let Kind::Error(property, class) = error.kind else { unreachable!("only errors are asked for") };
    let mut suspicion = Suspicion::new(task.program, class, error.place, error.message.clone());
    suspicion.violation.property = property;
    let mut inputs = String::new();
    for input in ssa.inputs.iter().filter(|input| model.satisfies(&input.guard)) {
        if let Ok(Value::Bits { bits, width }) = model.eval(&input.value) {
            let separator = if inputs.is_empty() { "" } else { "," };
            let _ = write!(inputs, "{separator}{}", heapproof_ir::sign_extend(bits, width));
        }
    }
    suspicion.candidate = Some(Candidate::Inputs(inputs));
    suspicion
}
