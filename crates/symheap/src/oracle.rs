//! Decides conditions on a path: by what the terms are, by ranges, by the model at hand, and only then by a solver.
//!
//! A solver that is missing, dies or gives up never decides anything: both outcomes are then possible.

use crate::pure::Pure;
use heapproof_logic::{Answer, Config, Limits, Model, Process, Solver, Term, Value};
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// A question is given up after so many steps of the solver: about a second, and the same in every run.
const STEPS: u64 = 3_000_000;
/// It is given up after this in any case.
const PATIENCE: Duration = Duration::from_secs(5);
/// A solver that failed so often in a row is not asked any more.
const MOST_FAILURES: u32 = 3;

/// How a solver is started.
#[derive(Clone, Debug)]
pub struct SolverSettings {
    /// The program.
    pub program: String,
    /// Every question is written to a file in this directory.
    pub dump: Option<PathBuf>,
    /// The most bytes of memory that we and the solver may use together.
    pub memory: Option<u64>,
}

/// Whether something can be.
#[derive(Clone, Debug)]
pub enum May {
    /// It can, in this model.
    Yes(Rc<Model>),
    /// It cannot.
    No,
    /// It is not known.
    Perhaps,
}

/// Whether a condition holds.
#[derive(Clone, Debug)]
pub enum Holds {
    /// It does.
    Always,
    /// It does not.
    Never,
    /// It may and may not. The models are those of either case, as far as they are known.
    Both(Option<Rc<Model>>, Option<Rc<Model>>),
}

/// Answers questions about paths.
pub struct Oracle {
    solver: Option<Process>,
    /// What the solver was told.
    told: Vec<Term>,
    settings: SolverSettings,
    deadline: Option<Instant>,
    failures: u32,
    /// Why the solver did not answer.
    pub trouble: Option<String>,
    /// Questions that ranges or the model answered.
    pub cheap: u64,
    /// What solvers that are gone were asked.
    calls: u64,
    time: Duration,
}

impl Oracle {
    pub fn new(settings: SolverSettings, deadline: Option<Instant>) -> Oracle {
        Oracle {
            solver: None,
            told: Vec::new(),
            settings,
            deadline,
            failures: 0,
            trouble: None,
            cheap: 0,
            calls: 0,
            time: Duration::ZERO,
        }
    }

    /// How often a solver was asked, and for how long.
    pub fn statistics(&self) -> (u64, Duration) {
        let (calls, time) = self.solver.as_ref().map_or((0, Duration::ZERO), |solver| {
            let statistics = solver.statistics();
            (statistics.calls, statistics.time)
        });
        (self.calls + calls, self.time + time)
    }

    /// Whether a condition holds on a path.
    pub fn holds(&mut self, pure: &Pure, condition: &Term) -> Holds {
        if let Some(holds) = pure.ranges.decide(condition) {
            self.cheap += 1;
            return if holds { Holds::Always } else { Holds::Never };
        }
        let opposite = condition.clone().not();
        let by_model = pure.model.as_ref().and_then(|model| match model.eval(condition) {
            Ok(Value::Bool(holds)) => Some((holds, model.clone())),
            _ => None,
        });
        match by_model {
            Some((true, model)) => {
                self.cheap += 1;
                match self.ask(pure, &opposite) {
                    May::No => Holds::Always,
                    May::Yes(other) => Holds::Both(Some(model), Some(other)),
                    May::Perhaps => Holds::Both(Some(model), None),
                }
            }
            Some((false, model)) => {
                self.cheap += 1;
                match self.ask(pure, condition) {
                    May::No => Holds::Never,
                    May::Yes(other) => Holds::Both(Some(other), Some(model)),
                    May::Perhaps => Holds::Both(None, Some(model)),
                }
            }
            None => match (self.ask(pure, condition), self.ask(pure, &opposite)) {
                (_, May::No) => Holds::Always,
                (May::No, _) => Holds::Never,
                (yes, no) => Holds::Both(model_of(yes), model_of(no)),
            },
        }
    }

    /// Whether a condition can hold on a path.
    pub fn may(&mut self, pure: &Pure, condition: &Term) -> May {
        if pure.ranges.decide(condition) == Some(false) {
            self.cheap += 1;
            return May::No;
        }
        if let Some(model) = &pure.model
            && model.satisfies(condition)
        {
            self.cheap += 1;
            return May::Yes(model.clone());
        }
        self.ask(pure, condition)
    }

    fn ask(&mut self, pure: &Pure, condition: &Term) -> May {
        if self.failures >= MOST_FAILURES || self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return May::Perhaps;
        }
        match self.try_ask(pure, condition) {
            Ok(may) => {
                self.failures = 0;
                may
            }
            Err(why) => {
                self.failures += 1;
                self.trouble.get_or_insert(why.to_string());
                self.forget_solver();
                May::Perhaps
            }
        }
    }

    fn try_ask(&mut self, pure: &Pure, condition: &Term) -> Result<May, heapproof_logic::Failure> {
        let mut wanted = pure.journal.conditions();
        wanted.reverse();
        let common = self.told.iter().zip(&wanted).take_while(|(a, b)| a == b).count();
        let limits = self.limits();
        if self.solver.is_none() {
            self.start(limits)?;
        }
        let Some(solver) = &mut self.solver else { return Ok(May::Perhaps) };
        for _ in common..self.told.len() {
            solver.pop();
        }
        self.told.truncate(common);
        for condition in &wanted[common..] {
            solver.push();
            solver.assert(condition);
            self.told.push(condition.clone());
        }
        solver.push();
        solver.assert(condition);
        let answer = solver.check(&[]);
        let may = match answer {
            Ok(Answer::Sat) => solver.model().map(|model| May::Yes(Rc::new(model))),
            Ok(Answer::Unsat) => Ok(May::No),
            Ok(Answer::Unknown(_)) => Ok(May::Perhaps),
            Err(why) => Err(why),
        };
        solver.pop();
        may
    }

    fn start(&mut self, limits: Limits) -> Result<(), heapproof_logic::Failure> {
        const LEAST_BYTES: u64 = 64 << 20;
        let memory = self.settings.memory.map(|memory| {
            memory.saturating_sub(heapproof_process::tree_bytes(std::process::id())).max(LEAST_BYTES) >> 20
        });
        let limits = Limits { memory: memory.or(limits.memory), ..limits };
        let mut config =
            Config::new(&self.settings.program).with_limits(limits).with_deadline(self.deadline);
        config.dump.clone_from(&self.settings.dump);
        // For z3's small questions one after the other this is faster than QF_BV.
        config.logic = Some("AUFBV");
        self.told.clear();
        self.solver = Some(Process::start(config)?);
        Ok(())
    }

    fn limits(&self) -> Limits {
        let left = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        Limits {
            time: left.map_or(PATIENCE, |left| left.min(PATIENCE)),
            steps: Some(STEPS),
            ..Limits::default()
        }
    }

    fn forget_solver(&mut self) {
        (self.calls, self.time) = self.statistics();
        self.solver = None;
        self.told.clear();
    }
}

fn model_of(may: May) -> Option<Rc<Model>> {
    match may {
        May::Yes(model) => Some(model),
        May::No | May::Perhaps => None,
    }
}
