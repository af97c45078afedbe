//! Decides conditions on a path: by what the terms are, by ranges, by the model at hand and by small changes of it, by what was asked
//! before, and only then by a solver.
//!
//! A question is about the conditions that have to do with each other: those that share variables with what is asked, directly or through
//! others. The rest of the path has a model of its own. So the same question comes up on many paths, and is asked once. A solver that is missing, dies or gives up never decides anything: both outcomes are then possible.

use crate::pure::Pure;
use heapproof_ir::mask;
use heapproof_logic::{Answer, Config, Limits, Model, Process, Reason, Solver, Term, Value};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// A question is given up after so many steps of the solver: about a second, and the same in every run.
const STEPS: u64 = 3_000_000;
/// Each question that is given up halves the steps of the next ones, down to this. So all of them together take few seconds.
const LEAST_STEPS: u64 = 50_000;
/// A question is given up after this in any case.
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
    /// A question is given up after this time, whatever the solver says about its steps.
    pub patience: Duration,
}

impl SolverSettings {
    /// A solver with the usual patience.
    pub fn new(program: &str) -> SolverSettings {
        SolverSettings { program: program.to_owned(), dump: None, memory: None, patience: PATIENCE }
    }
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

/// What came of a question.
#[derive(Clone)]
enum Asked {
    /// A model, or that there is none.
    Answer(Option<Rc<Model>>),
    /// The solver gave up.
    GaveUp,
    /// Its time was over.
    OutOfTime,
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
    /// What was asked before, and what came out.
    known: HashMap<(Vec<Term>, Term), Asked>,
    /// The variables of conditions.
    vars: HashMap<Term, Rc<[Term]>>,
    settings: SolverSettings,
    deadline: Option<Instant>,
    failures: u32,
    /// It has answered before.
    answered: bool,
    /// The steps of the next question, and the MiB of memory of the solver.
    steps: u64,
    memory: Option<u64>,
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
            known: HashMap::new(),
            vars: HashMap::new(),
            settings,
            deadline,
            failures: 0,
            answered: false,
            steps: STEPS,
            memory: Limits::default().memory,
            trouble: None,
            cheap: 0,
            calls: 0,
            time: Duration::ZERO,
        }
    }

    /// A new phase begins: a solver that has answered before is asked again.
    pub fn begin(&mut self) {
        if self.answered {
            self.failures = 0;
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
            Some((true, model)) => match self.ask(pure, &opposite) {
                May::No => Holds::Always,
                May::Yes(other) => Holds::Both(Some(model), Some(other)),
                May::Perhaps => Holds::Both(Some(model), None),
            },
            Some((false, model)) => match self.ask(pure, condition) {
                May::No => Holds::Never,
                May::Yes(other) => Holds::Both(Some(other), Some(model)),
                May::Perhaps => Holds::Both(None, Some(model)),
            },
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
        let mut all = pure.journal.conditions();
        all.reverse();
        let related = match &pure.model {
            // Without a model of the path all of it is asked about.
            None => all.clone(),
            Some(model) => {
                if let Some(model) = self.changed(model, &all, condition) {
                    self.cheap += 1;
                    return May::Yes(Rc::new(model));
                }
                self.related(&all, condition)
            }
        };
        let key = (related, condition.clone());
        let asked = match self.known.get(&key) {
            Some(asked) => {
                self.cheap += 1;
                asked.clone()
            }
            None => {
                let asked = self.ask_solver(&key.0, condition);
                // What was given up in so many steps would be given up again; what had no time may have some later.
                if !matches!(asked, Asked::OutOfTime) {
                    self.known.insert(key, asked.clone());
                }
                asked
            }
        };
        match (asked, &pure.model) {
            (Asked::GaveUp | Asked::OutOfTime, _) => May::Perhaps,
            (Asked::Answer(None), _) => May::No,
            (Asked::Answer(Some(model)), None) => May::Yes(model),
            (Asked::Answer(Some(model)), Some(rest)) => May::Yes(Rc::new(joined(rest, &model))),
        }
    }

    /// The model with one number changed, such that a condition holds with all others.
    fn changed(&mut self, model: &Model, all: &[Term], condition: &Term) -> Option<Model> {
        const MOST_VARS: usize = 4;
        let vars = self.vars_of(condition);
        let numbers = constants(condition);
        for var in vars.iter().filter(|var| var.sort().width().is_some()).take(MOST_VARS) {
            let width = var.width();
            let before = model.bits(var).unwrap_or(0);
            for number in numbers.iter().map(|number| number & mask(width)) {
                if number == before {
                    continue;
                }
                let mut new = model.clone();
                new.set(var.clone(), Value::bits(number, width));
                if new.satisfies(condition) && self.satisfies(&new, all, var) {
                    return Some(new);
                }
            }
        }
        None
    }

    /// True if the conditions that a variable occurs in hold in a model.
    fn satisfies(&mut self, model: &Model, all: &[Term], var: &Term) -> bool {
        all.iter().all(|condition| !self.vars_of(condition).contains(var) || model.satisfies(condition))
    }

    fn vars_of(&mut self, condition: &Term) -> Rc<[Term]> {
        self.vars.entry(condition.clone()).or_insert_with(|| condition.vars().into()).clone()
    }

    /// The conditions that have to do with another one.
    fn related(&mut self, all: &[Term], condition: &Term) -> Vec<Term> {
        let mut vars: HashSet<Term> = self.vars_of(condition).iter().cloned().collect();
        let mut chosen = vec![false; all.len()];
        loop {
            let before = vars.len();
            for (index, other) in
                all.iter().enumerate().filter(|(index, _)| !chosen[*index]).collect::<Vec<_>>()
            {
                let more = self.vars_of(other);
                if more.is_empty() || more.iter().any(|var| vars.contains(var)) {
                    chosen[index] = true;
                    vars.extend(more.iter().cloned());
                }
            }
            if vars.len() == before {
                break;
            }
        }
        all.iter().zip(&chosen).filter(|(_, chosen)| **chosen).map(|(term, _)| term.clone()).collect()
    }

    /// When everything is over.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Asks the solver about a condition on a path, whatever is known of it: none if it does not know, else a model if there is one.
    pub fn ask_plainly(&mut self, conditions: &[Term], condition: &Term) -> Option<Option<Rc<Model>>> {
        match self.ask_solver(conditions, condition) {
            Asked::Answer(answer) => Some(answer),
            Asked::GaveUp | Asked::OutOfTime => None,
        }
    }

    /// Asks the solver, unless it has failed too often.
    fn ask_solver(&mut self, conditions: &[Term], condition: &Term) -> Asked {
        if self.failures >= MOST_FAILURES || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
        {
            return Asked::OutOfTime;
        }
        match self.try_solver(conditions, condition) {
            Ok(Asked::Answer(answer)) => {
                self.failures = 0;
                self.answered = true;
                Asked::Answer(answer)
            }
            Ok(Asked::GaveUp) => {
                self.steps = (self.steps / 2).max(LEAST_STEPS);
                let limits = self.limits();
                if let Some(solver) = &mut self.solver {
                    solver.set_limits(limits);
                }
                Asked::GaveUp
            }
            // One that takes all its time, and again, would take the time of all that is left to do. One that does so with its
            // first question may never answer.
            Ok(Asked::OutOfTime) => {
                self.failures += if self.answered { 1 } else { MOST_FAILURES };
                self.trouble.get_or_insert_with(|| "the solver does not answer in time".to_owned());
                Asked::OutOfTime
            }
            Err(why) => {
                let hopeless = matches!(why, heapproof_logic::Failure::Silent { .. });
                self.failures = if hopeless { MOST_FAILURES } else { self.failures + 1 };
                self.trouble.get_or_insert(why.to_string());
                self.forget_solver();
                Asked::OutOfTime
            }
        }
    }

    fn try_solver(
        &mut self,
        conditions: &[Term],
        condition: &Term,
    ) -> Result<Asked, heapproof_logic::Failure> {
        if self.solver.is_none() {
            self.start(self.limits())?;
        }
        let Some(solver) = &mut self.solver else { return Ok(Asked::GaveUp) };
        solver.push();
        conditions.iter().chain([condition]).for_each(|condition| solver.assert(condition));
        let answer = match solver.check(&[]) {
            Ok(Answer::Sat) => solver.model().map(|model| Asked::Answer(Some(Rc::new(model)))),
            Ok(Answer::Unsat) => Ok(Asked::Answer(None)),
            Ok(Answer::Unknown(Reason::Time)) => Ok(Asked::OutOfTime),
            Ok(Answer::Unknown(_)) => Ok(Asked::GaveUp),
            Err(why) => Err(why),
        };
        solver.pop();
        answer
    }

    fn start(&mut self, limits: Limits) -> Result<(), heapproof_logic::Failure> {
        const LEAST_BYTES: u64 = 64 << 20;
        let memory = self.settings.memory.map(|memory| {
            memory.saturating_sub(heapproof_process::tree_bytes(std::process::id())).max(LEAST_BYTES) >> 20
        });
        self.memory = memory.or(limits.memory);
        let limits = Limits { memory: self.memory, ..limits };
        let mut config = Config::new(&self.settings.program).with_limits(limits).with_deadline(self.deadline);
        config.patience = config.patience.min(4 * self.settings.patience);
        config.dump.clone_from(&self.settings.dump);
        // For z3's small questions one after the other this is faster than QF_BV.
        config.logic = Some("AUFBV");
        self.solver = Some(Process::start(config)?);
        Ok(())
    }

    fn limits(&self) -> Limits {
        let left = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        Limits {
            time: left.map_or(self.settings.patience, |left| (left / 4).min(self.settings.patience)),
            steps: Some(self.steps),
            memory: self.memory,
        }
    }

    fn forget_solver(&mut self) {
        (self.calls, self.time) = self.statistics();
        self.solver = None;
    }
}

/// The values of one model, and those of another where the first says nothing else.
fn joined(rest: &Model, model: &Model) -> Model {
    let mut all = rest.clone();
    for (var, value) in model.vars() {
        all.set(var.clone(), value.clone());
    }
    for (function, meaning) in model.functions() {
        all.define(function.clone(), meaning.clone());
    }
    all
}

/// Numbers that may make a difference to a condition: those in it, their neighbours, and a few usual ones.
fn constants(condition: &Term) -> Vec<u128> {
    const MOST: usize = 24;
    let mut numbers = vec![1, 0, u128::MAX, 2, 10];
    for term in Term::dag([condition]) {
        if let Some(bits) = term.as_bits() {
            numbers.extend([bits, bits.wrapping_add(1), bits.wrapping_sub(1)]);
        }
        if numbers.len() >= MOST {
            break;
        }
    }
    let mut seen = HashSet::new();
    numbers.retain(|number| seen.insert(*number));
    numbers
}

fn model_of(may: May) -> Option<Rc<Model>> {
    match may {
        May::Yes(model) => Some(model),
        May::No | May::Perhaps => None,
    }
}
