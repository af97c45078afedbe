//! The search that confirms suspicions of other engines: paths on separated heaps, steered to the suspected place.

use crate::exec::{Executor, Sink, Suspect};
use crate::oracle::{Oracle, SolverSettings};
use crate::search::Search;
use heapproof_confirm::{Candidate, End, Judge, Quest, Searcher};
use heapproof_ir::Program;

/// Follows paths for whoever confirms errors.
#[derive(Clone, Debug)]
pub struct Paths {
    /// The solver that tells which paths can be taken.
    pub solver: SolverSettings,
}

impl Searcher for Paths {
    fn search(&self, program: &Program, quest: &Quest, judge: &mut dyn Judge) -> End {
        let mut bench = Bench { judge };
        let oracle = Oracle::new(self.solver.clone(), quest.budget.deadline);
        let mut executor = Executor::new(program, &quest.environment, oracle, &mut bench);
        let end = Search::new(&mut executor, quest.place, quest.order, quest.budget.clone()).run();
        if let Some(trouble) = executor.oracle.trouble.take() {
            bench.judge.hear(trouble);
        }
        end
    }
}

/// Hands what is found to the judge.
struct Bench<'a> {
    judge: &'a mut dyn Judge,
}

impl Sink for Bench<'_> {
    fn suspect(&mut self, suspect: &Suspect<'_>) -> bool {
        let candidate =
            Candidate { class: suspect.fault.class, place: suspect.place, journal: suspect.journal };
        self.judge.judge(&candidate)
    }
}
