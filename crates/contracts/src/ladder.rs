//! Obligations are asked in passes, each with more patience for instances of instances than the one before.
//!
//! Most obligations need few of them, and are then shown quickly; only what is left over is asked again. A pass shares its
//! obligations out among some workers, each with a solver of its own. Which worker gets which does not depend on time, so
//! answers are the same in every run.

use crate::assumed::{Assumed, Obligation};
use crate::cache::Cache;
use heapproof_logic::{Answer, Config, Dialect, Failure, Limits, Process, Solver, Statistics, Term};
use std::sync::Arc;
use std::time::Instant;

/// A pass: how deep instances of quantifiers may make others, and the share of the steps for it in eighths.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    depth: u32,
    share: u64,
    /// It asks the other solver.
    other: bool,
}

/// What is asked before anybody looks for states that break a contract.
pub const QUICK: [Pass; 2] =
    [Pass { depth: 6, share: 1, other: false }, Pass { depth: 9, share: 2, other: false }];
/// For what may well not hold: candidates for invariants.
pub const SWIFT: Pass = Pass { depth: 6, share: 1, other: false };
/// The same with some more patience.
pub const STEADY: Pass = Pass { depth: 9, share: 2, other: false };
/// What is asked of the rest.
pub const PATIENT: [Pass; 1] = [Pass { depth: 20, share: 8, other: false }];
/// What is asked of the other solver at the end.
pub const LAST: [Pass; 1] = [Pass { depth: 20, share: 8, other: true }];
/// The steps of another solver, which counts in its own way.
const OTHER_STEPS: u64 = 300_000;
/// The most workers.
const WORKERS: usize = 4;
/// Fewer obligations are not worth another worker.
const SHARE: usize = 6;

/// The answers to obligations.
pub struct Answers {
    /// For each obligation: none if it was shown, otherwise why not.
    pub why: Vec<Option<String>>,
    /// What the solvers were asked.
    pub statistics: Statistics,
}

/// Whom obligations are asked of.
#[derive(Clone, Debug)]
pub struct Prover {
    /// The solver.
    pub config: Config,
    /// cvc5 is asked for what is left at the end, if it is there.
    pub with_other: bool,
    /// What was shown in earlier runs.
    pub cache: Option<Cache>,
}

impl Prover {
    /// A solver alone.
    pub fn new(config: Config) -> Prover {
        Prover { config, with_other: false, cache: None }
    }

    /// The solver for what z3 does not show, if it is there. That is found out only when it is needed.
    fn other(&self) -> Option<Config> {
        let found = (self.with_other && self.config.dialect == Dialect::Z3).then(|| Config::new("cvc5"))?;
        found.version()?;
        let limits = Limits { steps: Some(OTHER_STEPS), ..self.config.limits };
        let dump = self.config.dump.clone();
        Some(found.with_limits(limits).with_deadline(self.config.deadline).with_dump(dump))
    }

    /// Asks for each obligation that is not known to be shown.
    pub fn ask(
        &self,
        pass: Pass,
        obligations: &[&Obligation],
        deadline: Option<Instant>,
    ) -> Result<Answers, Failure> {
        let other = if pass.other { self.other() } else { None };
        let config = match (pass.other, &other) {
            (true, Some(other)) => other,
            (true, None) => return Ok(Answers::none(obligations.len())),
            (false, _) => &self.config,
        };
        let Some(cache) = &self.cache else { return ask(config, pass, obligations, deadline) };
        let files: Vec<_> = obligations.iter().map(|obligation| cache.file(obligation)).collect();
        let is_known: Vec<bool> = files.iter().map(|file| cache.knows(file)).collect();
        let open: Vec<usize> = (0..files.len()).filter(|index| !is_known[*index]).collect();
        let asked: Vec<&Obligation> = open.iter().map(|index| obligations[*index]).collect();
        let found = if asked.is_empty() { Answers::none(0) } else { ask(config, pass, &asked, deadline)? };
        let mut answers = Answers { why: vec![None; files.len()], statistics: found.statistics };
        for (index, why) in open.into_iter().zip(found.why) {
            if why.is_none() {
                cache.keep(&files[index]);
            }
            answers.why[index] = why;
        }
        Ok(answers)
    }
}

impl Answers {
    /// Nothing was asked.
    fn none(count: usize) -> Answers {
        Answers { why: vec![Some("it was not asked".to_owned()); count], statistics: Statistics::default() }
    }
}

/// Asks a solver for each obligation.
fn ask(
    config: &Config,
    pass: Pass,
    obligations: &[&Obligation],
    deadline: Option<Instant>,
) -> Result<Answers, Failure> {
    let config = tuned(config, pass);
    let workers = (obligations.len() / SHARE).clamp(1, WORKERS);
    let work = |worker: usize| -> Result<Vec<(usize, Option<String>, Statistics)>, Failure> {
        let mut rung = Rung::start(config.clone())?;
        let mine = obligations.iter().enumerate().filter(|(index, _)| index % workers == worker);
        let mut all = Vec::new();
        for (index, obligation) in mine {
            let why = match deadline {
                Some(deadline) if Instant::now() >= deadline => Some("the time is over".to_owned()),
                _ => rung.ask(&obligation.assumed, &obligation.goal),
            };
            all.push((index, why, rung.process.statistics().clone()));
        }
        Ok(all)
    };
    let mut answers = Answers::none(obligations.len());
    let results: Vec<Result<_, Failure>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|worker| scope.spawn(move || work(worker))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or(Err(Failure::NoAnswer))).collect()
    });
    for result in results {
        let result = result?;
        if let Some((_, _, statistics)) = result.last() {
            add(&mut answers.statistics, statistics);
        }
        for (index, why, _) in result {
            answers.why[index] = why;
        }
    }
    Ok(answers)
}

/// Adds what another solver was asked.
pub fn add(sum: &mut Statistics, more: &Statistics) {
    sum.calls += more.calls;
    sum.sat += more.sat;
    sum.unsat += more.unsat;
    sum.unknown += more.unknown;
    sum.failures += more.failures;
    sum.trivial += more.trivial;
    sum.time += more.time;
}

fn tuned(config: &Config, pass: Pass) -> Config {
    let mut config = config.clone();
    config.limits.steps = config.limits.steps.map(|steps| steps / 8 * pass.share);
    if config.dialect == Dialect::Z3 {
        // Triggers alone decide where quantifiers are looked at; case splits follow what the question needs.
        let options = [":auto_config false", ":smt.mbqi false", ":smt.case_split 3", ":smt.arith.solver 2"];
        config.options.extend(options.map(str::to_owned));
        config.options.push(format!(":smt.qi.eager_threshold {}", pass.depth));
        config.options.push(format!(":smt.qi.lazy_threshold {}", pass.depth));
    }
    config
}

/// A solver that goes from the assumptions of one obligation to those of the next.
struct Rung {
    process: Process,
    known: Vec<Arc<Vec<Term>>>,
}

impl Rung {
    fn start(config: Config) -> Result<Rung, Failure> {
        Ok(Rung { process: Process::start(config)?, known: Vec::new() })
    }

    /// None if a goal follows, otherwise why it was not shown.
    fn ask(&mut self, assumed: &Assumed, goal: &Term) -> Option<String> {
        self.tell(assumed.levels());
        self.process.push();
        self.process.assert(&goal.clone().not());
        let answer = self.process.check(&[]);
        self.process.pop();
        match answer {
            Ok(Answer::Unsat) => None,
            Ok(Answer::Sat) => Some("there is a counterexample".to_owned()),
            Ok(Answer::Unknown(reason)) => Some(reason.to_string()),
            Err(failure) => Some(failure.to_string()),
        }
    }

    /// Takes back what differs, and says what is new.
    fn tell(&mut self, levels: &[Arc<Vec<Term>>]) {
        let is_same = |(a, b): &(&Arc<Vec<Term>>, &Arc<Vec<Term>>)| Arc::ptr_eq(a, b) || a == b;
        let same = self.known.iter().zip(levels).take_while(is_same).count();
        // A level that only grew goes on.
        let grown = match (self.known.get(same), levels.get(same)) {
            (Some(known), Some(level)) if level.starts_with(known) => Some(known.len()),
            _ => None,
        };
        let kept = same + usize::from(grown.is_some());
        while self.known.len() > kept {
            self.process.pop();
            self.known.pop();
        }
        if let Some(said) = grown {
            levels[same][said..].iter().for_each(|term| self.process.assert(term));
            self.known[same] = levels[same].clone();
        }
        for level in &levels[kept..] {
            self.process.push();
            level.iter().for_each(|term| self.process.assert(term));
            self.known.push(level.clone());
        }
    }
}
