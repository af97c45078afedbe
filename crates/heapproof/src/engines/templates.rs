//! Engine `templates`, with the errors that it finds shown by executions.

use super::{Settings, executions};
use heapproof_confirm::vector::{Queued, Vector};
use heapproof_confirm::{Evidence, evidence};
use heapproof_engine::{Budget, Candidate, Engine, Findings, Progress, Scope, Suspicion, Task};
use heapproof_interp as interp;
use heapproof_templates::Templates as Prover;
use heapproof_verdict::Property;

/// The engine.
#[derive(Clone, Debug)]
pub struct Templates {
    prover: Prover,
    max_depth: u32,
}

impl Templates {
    /// With the user's solver.
    pub fn new(settings: &Settings) -> Self {
        let prover = Prover {
            solver: settings.solver.clone(),
            dump_queries: settings.dump_queries.clone(),
            draw: settings.draw,
            dump: settings.dump_ssa,
            tuning: heapproof_templates::Tuning::default(),
        };
        Templates { prover, max_depth: settings.max_depth }
    }

    /// Executes the program with the inputs of a suspicion and keeps the errors that show.
    fn replay(
        &self,
        task: &Task<'_>,
        budget: &Budget,
        progress: &dyn Progress,
        suspicion: &Suspicion,
    ) -> Option<Evidence> {
        let Some(Candidate::Inputs(inputs)) = &suspicion.candidate else { return None };
        let vector = inputs.parse::<Vector>().ok()?;
        let options = executions(task, budget, self.max_depth);
        let run = interp::run(task.program, &options, &mut Queued::new(&vector));
        progress.executed(run.steps);
        evidence(task.program, &options, &run, budget.deadline, progress)
    }
}

impl Engine for Templates {
    fn name(&self) -> &'static str {
        self.prover.name()
    }

    fn scope(&self) -> Scope {
        self.prover.scope()
    }

    fn proves(&self) -> &'static [Property] {
        self.prover.proves()
    }

    fn refutes(&self) -> &'static [Property] {
        &[Property::UnreachCall, Property::Assertions]
    }

    fn run(&self, task: &Task<'_>, budget: &Budget, progress: &dyn Progress) -> Findings {
        let mut findings = self.prover.run(task, &budget.eighths(7), progress);
        for suspicion in &findings.suspicions {
            let Some(found) = self.replay(task, budget, progress, suspicion) else { continue };
            findings.violations.extend(found.violations);
            findings.ledger = found.ledger;
            return findings;
        }
        let is_guessed = findings.suspicions.iter().any(|s| s.candidate.is_some());
        if is_guessed && findings.proof.is_none() {
            // The inputs lead to no error, so there is reason to go on.
            let mut prover = self.prover.clone();
            prover.tuning.unwinds = false;
            prover.tuning.trials.remove(0);
            let later = prover.run(task, &budget.eighths(7), progress);
            if later.proof.is_some() {
                return later;
            }
        }
        findings
    }
}
