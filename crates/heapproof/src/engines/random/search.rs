//! The search: executions with random inputs until one violates a property, confirmed and made simple.

use super::Budget;
use super::constants::Constants;
use super::inputs::RandomInputs;
use super::learn::{Learned, Learner};
use super::stops::Stops;
use crate::engines::execution::choice_text;
use heapproof_confirm::evidence;
use heapproof_confirm::vector::{Vector, show};
use heapproof_engine::{Candidate, Findings, Progress, Suspicion};
use heapproof_interp::{self as interp, Options, Outcome, Run, Source, Stop};
use heapproof_ir::Program;
use heapproof_verdict::{Ledger, Obstacle, Violation};
use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Instant;

/// Inputs of executions that behaved in a new way, at most.
const MOST_KEPT: usize = 512;
/// Executions without new behaviour after which the search ends.
const BOREDOM: u64 = 4_000;
/// Executions after which the search begins to learn, if there are to be more.
const BEFORE_LEARNING: u64 = 2_000;
/// Executions in a row that hit the limit of steps before it grows.
const PATIENCE: u64 = 24;

/// Searches for a violation of the properties in `options`.
pub fn search(program: &Program, options: &Options, budget: &Budget, progress: &dyn Progress) -> Findings {
    progress.enter("executing with random inputs");
    let mut search = Search {
        program,
        options,
        budget,
        progress,
        constants: Constants::of(program),
        kept: Vec::new(),
        behaviours: HashSet::new(),
        stops: Stops::default(),
        ledger: Ledger::default(),
        executions: 0,
        steps: 0,
        learned: 0,
        limit: budget.first_steps,
        without_inputs: 0,
        longest: 0,
        choice: None,
    };
    let end = search.run();
    search.findings(end)
}

/// Why the search ended.
enum End {
    Found(Vec<Violation>, Ledger),
    /// An error, with its inputs, that there was no time to show again.
    Unshown(Box<Violation>, String),
    /// An error that did not show again: a defect of the interpreter, told as such.
    Fickle(Box<Violation>),
    /// The program reads no input and came to its end.
    NoInputs,
    Executions,
    Steps,
    Deadline,
    Bored,
}

struct Search<'a> {
    program: &'a Program,
    options: &'a Options,
    budget: &'a Budget,
    progress: &'a dyn Progress,
    constants: Constants,
    /// Inputs that led to new behaviour.
    kept: Vec<Vec<(Source, u128)>>,
    behaviours: HashSet<u64>,
    stops: Stops,
    ledger: Ledger,
    executions: u64,
    steps: u64,
    /// Those among them that changed earlier inputs.
    learned: u64,
    /// The most steps of most executions.
    limit: u64,
    /// Executions that read no input.
    without_inputs: u64,
    /// The steps of the longest execution.
    longest: u64,
    /// Why the one execution without inputs is not the only one.
    choice: Option<String>,
}

impl Search<'_> {
    fn run(&mut self) -> End {
        let mut cut_in_a_row = 0;
        let mut last_new = 0;
        loop {
            if self.executions >= self.budget.executions {
                return End::Executions;
            }
            if self.steps >= self.budget.steps {
                return End::Steps;
            }
            if self.over() {
                return End::Deadline;
            }
            let learns = self.executions >= BEFORE_LEARNING && self.executions > self.without_inputs;
            if self.executions - last_new >= BOREDOM || learns {
                return self.learn();
            }
            let (run, limit) = self.execute();
            let deterministic = run.inputs.is_empty();
            self.without_inputs += u64::from(deterministic);
            self.longest = self.longest.max(run.steps);
            if self.is_new(&run) {
                last_new = self.executions;
                if self.kept.len() < MOST_KEPT && !deterministic {
                    self.kept.push(Vector::of_records(&run.inputs).values);
                }
            }
            match run.outcome {
                Outcome::Violation(ref found) => return self.confirm((**found).clone(), &run, limit),
                Outcome::Finished { .. } if deterministic => {
                    // That shorter attempts were cut no longer matters.
                    self.stops = Stops::default();
                    self.ledger.absorb(run.ledger);
                    self.choice = run
                        .choice
                        .map(|choice| choice_text(self.program, &self.options.environment, &choice));
                    return End::NoInputs;
                }
                Outcome::Finished { .. } => cut_in_a_row = 0,
                Outcome::Stopped { ref why, at, ref function } => {
                    let cut = matches!(why, Stop::Steps(_));
                    cut_in_a_row = if cut { cut_in_a_row + 1 } else { 0 };
                    if cut && (deterministic || cut_in_a_row >= PATIENCE) {
                        self.limit = self.limit.saturating_mul(10);
                        cut_in_a_row = 0;
                    }
                    self.stops.add(why, at, function, self.program, &mut self.ledger);
                    self.ledger.absorb(run.ledger);
                    match why {
                        Stop::Deadline => return End::Deadline,
                        _ if deterministic && !cut => return End::NoInputs,
                        _ => continue,
                    }
                }
            }
            self.ledger.absorb(run.ledger);
        }
    }

    fn over(&self) -> bool {
        self.budget.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Goes on with inputs that showed something new.
    fn learn(&mut self) -> End {
        self.progress.enter("searching for new behaviour");
        let (program, constants) = (self.program, std::mem::take(&mut self.constants));
        let mut learner = Learner::new(program, self.options, self.budget, self.progress, &constants);
        let learned = learner.run(self.executions, self.steps);
        self.executions += learner.executions;
        self.steps += learner.steps;
        self.learned += learner.executions;
        self.constants = constants;
        match learned {
            Learned::Found(run, limit) => match run.outcome {
                Outcome::Violation(ref found) => self.confirm((**found).clone(), &run, limit),
                _ => End::Bored,
            },
            Learned::Nothing => End::Bored,
            Learned::Deadline => End::Deadline,
        }
    }

    /// One execution. Most are short, some are longer than the limit.
    fn execute(&mut self) -> (Run, u64) {
        let number = self.executions;
        let factor = match number {
            0 => 1,
            n if n % 1021 == 0 => 1000,
            n if n % 127 == 0 => 100,
            n if n % 17 == 0 => 10,
            _ => 1,
        };
        let left = self.budget.steps.saturating_sub(self.steps).max(1);
        let limit = self.limit.saturating_mul(factor).min(left);
        let mut inputs = RandomInputs::new(self.budget.seed, number, &self.constants);
        if !self.kept.is_empty() && number > 32 && inputs.rng().u8(..) < 100 {
            let index = inputs.rng().usize(..self.kept.len());
            inputs = inputs.based_on(&self.kept[index]);
        }
        let options = Options {
            max_steps: limit,
            deadline: self.budget.deadline,
            record_path: false,
            ..self.options.clone()
        };
        let run = interp::run(self.program, &options, &mut inputs);
        self.executions += 1;
        self.steps += run.steps;
        self.progress.executed(run.steps);
        (run, limit)
    }

    /// True if no execution went like this before: by how it ended, how long it took and which inputs it read
    /// how often, in powers of two.
    fn is_new(&mut self, run: &Run) -> bool {
        let magnitude = |n: u64| u64::BITS - n.leading_zeros();
        let mut sites: BTreeMap<_, u64> = BTreeMap::new();
        for record in &run.inputs {
            *sites.entry((record.span, record.width)).or_default() += 1;
        }
        let mut hasher = DefaultHasher::new();
        for (site, count) in sites {
            (site, magnitude(count)).hash(&mut hasher);
        }
        u128::from(run.steps).pow(2).checked_ilog2().hash(&mut hasher);
        run.stdout.len().hash(&mut hasher);
        match &run.outcome {
            Outcome::Finished { exit_code, aborted } => (exit_code, aborted).hash(&mut hasher),
            Outcome::Violation(v) => v.location.hash(&mut hasher),
            Outcome::Stopped { at, .. } => at.hash(&mut hasher),
        }
        self.behaviours.insert(hasher.finish())
    }

    /// Replays the inputs, makes them simple, and runs once more with the path recorded.
    fn confirm(&mut self, found: Violation, run: &Run, limit: u64) -> End {
        self.progress.enter("confirming an error");
        let options = Options { max_steps: limit, ..self.options.clone() };
        match evidence(self.program, &options, run, self.budget.deadline, self.progress) {
            Some(evidence) => {
                self.executions += evidence.executions;
                self.steps += evidence.steps;
                End::Found(evidence.violations, evidence.ledger)
            }
            // The time may have been too short for it; whoever comes next can try these inputs.
            None if self.over() => End::Unshown(Box::new(found), show(&run.inputs)),
            None => End::Fickle(Box::new(found)),
        }
    }

    fn findings(mut self, end: End) -> Findings {
        let statistics =
            BTreeMap::from([("executions".to_owned(), self.executions), ("steps".to_owned(), self.steps)]);
        let mut findings = Findings { statistics, ..Findings::default() };
        match end {
            End::Found(violations, ledger) => {
                findings.violations = violations;
                // The error rests on this one execution and on nothing else.
                findings.ledger = ledger;
            }
            End::Fickle(violation) => {
                let violation = Violation { inputs: None, ..*violation };
                findings.suspicions.push(Suspicion { violation, place: None, candidate: None });
                let text = "an error was found that did not show again with the same inputs; this is a defect of heapproof, please report it";
                findings.obstacles.push(Obstacle::Other { text: text.to_owned() });
                findings.ledger = self.ledger;
            }
            End::Unshown(violation, inputs) => {
                let candidate = Some(Candidate::Inputs(inputs));
                findings.suspicions.push(Suspicion { violation: *violation, place: None, candidate });
                findings.obstacles.push(Obstacle::Time);
                findings.ledger = self.ledger;
            }
            end => {
                findings.obstacles.push(Obstacle::Inconclusive { text: self.reason(&end) });
                self.stops.note_bounds(&mut self.ledger);
                findings.ledger = self.ledger;
            }
        }
        findings
    }

    /// Why nothing is decided, for the user.
    fn reason(&self, end: &End) -> String {
        if let End::NoInputs = end {
            // There is only one execution.
            return match self.stops.describe() {
                Some(why) => format!("the execution did not come to its end: {}", without_count(&why)),
                None if self.stops.infeasible > 0 => {
                    "the one execution of the program ends at an assumption that does not hold".to_owned()
                }
                None => match &self.choice {
                    Some(choice) => format!("the program reads no input and its execution has no error; {choice}"),
                    None => "the program reads no input and its one execution has no error; engine random does not make a proof of this".to_owned(),
                },
            };
        }
        if self.without_inputs == self.executions && self.executions > 0 {
            return format!(
                "the program reads no input and was still running after {} steps; a part of an execution proves nothing",
                self.longest
            );
        }
        let n = self.executions;
        let plural = if n == 1 { "" } else { "s" };
        let mut text = format!("{n} random execution{plural} found no error");
        match self.stops.describe() {
            Some(why) if self.stops.total() == n => {
                text = format!("none of {n} random execution{plural} came to its end: {why}");
            }
            Some(why) => {
                text.push_str(&format!("; {} of them did not come to their end: {why}", self.stops.total()))
            }
            None => {}
        }
        if self.stops.infeasible > 0 && self.stops.infeasible * 2 > n {
            text.push_str(&format!(
                "; in {} of them an assumption of the program did not hold",
                self.stops.infeasible
            ));
        }
        text.push_str("; random execution cannot prove the absence of errors");
        match end {
            End::Deadline => text.push_str(" (the time is over)"),
            End::Steps => text.push_str(" (the budget of steps is spent)"),
            _ => {}
        }
        text
    }
}

/// "why (1)" without its count.
fn without_count(why: &str) -> &str {
    why.rsplit_once(" (").map_or(why, |(text, _)| text)
}
