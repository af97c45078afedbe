//! Engine `search`: follows paths to errors that others suspect, and confirms them by executions.

use super::{Settings, executions};
use heapproof_confirm::{Case, confirm};
use heapproof_engine::{Budget, Engine, Findings, Progress, Scope, Task};
use heapproof_symheap::{Paths, SolverSettings};
use heapproof_verdict::{Obstacle, Property};
use std::path::PathBuf;

/// The engine.
#[derive(Clone, Debug)]
pub struct Search {
    max_depth: u32,
    solver: String,
    dump_queries: Option<PathBuf>,
    memory: Option<u64>,
}

impl Search {
    /// With the user's solver.
    pub fn new(settings: &Settings) -> Self {
        Search {
            max_depth: settings.max_depth,
            solver: settings.solver.clone(),
            dump_queries: settings.dump_queries.clone(),
            memory: settings.memory,
        }
    }
}

impl Engine for Search {
    fn name(&self) -> &'static str {
        "search"
    }

    fn scope(&self) -> Scope {
        Scope::Program
    }

    fn proves(&self) -> &'static [Property] {
        &[]
    }

    fn refutes(&self) -> &'static [Property] {
        &Property::OF_PROGRAMS
    }

    fn run(&self, task: &Task<'_>, budget: &Budget, progress: &dyn Progress) -> Findings {
        let searcher = Paths {
            solver: SolverSettings {
                dump: self.dump_queries.clone(),
                memory: self.memory,
                ..SolverSettings::new(&self.solver)
            },
        };
        let case = Case {
            program: task.program,
            options: &executions(task, budget, self.max_depth),
            searcher: &searcher,
            solver: &self.solver,
            dump_queries: self.dump_queries.as_deref(),
            memory: self.memory,
            configurations: budget.states,
            known: task.known,
            deadline: budget.deadline,
            progress,
        };
        let confirmed = confirm(&case, task.suspicions);
        let mut findings = Findings { violations: confirmed.violations, ..Findings::default() };
        findings.statistics.insert("questions".to_owned(), confirmed.questions);
        findings.statistics.insert("replays".to_owned(), confirmed.replays);
        findings.ledger = confirmed.ledger;
        findings.obstacles.extend(confirmed.obstacle.map(|text| Obstacle::Helper { text }));
        findings
    }
}
