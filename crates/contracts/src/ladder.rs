//! One question, asked several times with growing patience for instances of instances.
//!
//! Most obligations need few of them, and are then shown quickly; the others are asked again with more. What is asserted is
//! told to all.

use heapproof_logic::{Answer, Config, Dialect, Failure, Limits, Model, Process, Solver, Statistics, Term};

/// How deep instances of quantifiers may make others, and the share of the steps for it in eighths.
const RUNGS: [(u32, u64); 3] = [(3, 2), (4, 2), (7, 8)];

/// Several processes that know the same.
pub struct Ladder {
    rungs: Vec<Process>,
    statistics: Statistics,
    /// The one that answered last.
    last: usize,
}

impl Ladder {
    /// Starts the solver for each depth.
    pub fn start(config: &Config) -> Result<Ladder, Failure> {
        let mut rungs = Vec::new();
        let depths: &[(u32, u64)] = if config.dialect == Dialect::Z3 { &RUNGS } else { &[(0, 8)] };
        for (depth, share) in depths {
            let mut config = config.clone();
            config.limits.steps = config.limits.steps.map(|steps| steps / 8 * share);
            if config.dialect == Dialect::Z3 {
                // Triggers alone decide where quantifiers are looked at; case splits follow what the question needs.
                let options =
                    [":auto_config false", ":smt.mbqi false", ":smt.case_split 3", ":smt.arith.solver 2"];
                config.options.extend(options.map(str::to_owned));
                config.options.push(format!(":smt.qi.eager_threshold {depth}"));
                config.options.push(format!(":smt.qi.lazy_threshold {depth}"));
            }
            rungs.push(Process::start(config)?);
        }
        Ok(Ladder { rungs, statistics: Statistics::default(), last: 0 })
    }
}

impl Solver for Ladder {
    fn push(&mut self) {
        self.rungs.iter_mut().for_each(Solver::push);
    }

    fn pop(&mut self) {
        self.rungs.iter_mut().for_each(Solver::pop);
    }

    fn assert(&mut self, condition: &Term) {
        self.rungs.iter_mut().for_each(|rung| rung.assert(condition));
    }

    fn check(&mut self, assumptions: &[Term]) -> Result<Answer, Failure> {
        let mut answer = Err(Failure::NoAnswer);
        for (index, rung) in self.rungs.iter_mut().enumerate() {
            answer = rung.check(assumptions);
            self.last = index;
            if matches!(answer, Ok(Answer::Unsat | Answer::Sat)) {
                break;
            }
        }
        self.statistics.calls += 1;
        match &answer {
            Ok(Answer::Unsat) => self.statistics.unsat += 1,
            Ok(Answer::Sat) => self.statistics.sat += 1,
            Ok(Answer::Unknown(_)) => self.statistics.unknown += 1,
            Err(_) => self.statistics.failures += 1,
        }
        self.statistics.time = self.rungs.iter().map(|rung| rung.statistics().time).sum();
        answer
    }

    fn model(&mut self) -> Result<Model, Failure> {
        self.rungs[self.last].model()
    }

    fn core(&mut self) -> Result<Vec<Term>, Failure> {
        self.rungs[self.last].core()
    }

    fn set_limits(&mut self, limits: Limits) {
        self.rungs.iter_mut().for_each(|rung| rung.set_limits(limits));
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}
