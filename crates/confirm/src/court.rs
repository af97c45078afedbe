//! Confirmation of suspected errors: paths without abstraction, inputs from a solver, replay on the interpreter.

use crate::evidence::{Evidence, evidence, violations};
use crate::journal::Journal;
use crate::planned::Planned;
use crate::search::{self, End, Judge, Order, Quest, Searcher};
use crate::vector::{Queued, Vector};
use heapproof_engine::state::State;
use heapproof_engine::{Candidate, Place, Progress, Suspicion};
use heapproof_explore::Budget;
use heapproof_interp::{self as interp, Inputs, Outcome};
use heapproof_ir::{FuncId, Program};
use heapproof_logic::{Config, Failure, Limits, Model, Process, Solved, Solver};
use heapproof_verdict::{ErrorClass, Ledger, Location, Violation};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// The solver gives up on a question after so many steps: about a second, and the same in every run.
const STEPS: u64 = 3_000_000;
/// It gives up after this in any case, which is only for a solver that does not count its steps.
const PATIENCE: Duration = Duration::from_secs(10);
const LONG_PATIENCE: Duration = Duration::from_secs(300);
/// Questions that the solver gave up, in all. Then nothing more is asked: the others would be as hard.
const MOST_GIVEN_UP: u32 = 12;
/// Paths to one place that are tried.
const MOST_TRIES: u32 = 24;
/// The most configurations of a search, breadth first.
const BREADTH: u64 = 6_000;
/// How long paths may be, depth first, one limit after the other.
const DEPTHS: [usize; 3] = [60, 250, 1_000];
/// The most configurations of a search for each of these limits.
const DEPTH: u64 = 10_000;

/// What is searched.
pub struct Case<'a> {
    /// The program.
    pub program: &'a Program,
    /// How it is executed.
    pub options: &'a interp::Options,
    /// Who follows paths.
    pub searcher: &'a dyn Searcher,
    /// The solver to start.
    pub solver: &'a str,
    /// Every question to it is written to a file here.
    pub dump_queries: Option<&'a Path>,
    /// The most bytes of memory that we and the solver may use together.
    pub memory: Option<u64>,
    /// The most configurations of all searches.
    pub configurations: u64,
    /// Errors that are confirmed already.
    pub known: &'a [Violation],
    /// When to give up.
    pub deadline: Option<Instant>,
    /// Told of what happens.
    pub progress: &'a dyn Progress,
}

impl Case<'_> {
    /// The solver, within what is left of time and memory. Often nothing has to be asked, so it starts with the first question.
    fn new_solver(&self) -> Process {
        const LEAST_BYTES: u64 = 64 << 20;
        let memory = self.memory.map(|memory| {
            memory.saturating_sub(heapproof_process::tree_bytes(std::process::id())).max(LEAST_BYTES)
        });
        let limits = Limits { memory: memory.map(|bytes| bytes >> 20), ..self.limits() };
        let mut config = Config::new(self.solver).with_limits(limits).with_deadline(self.deadline);
        config.dump = self.dump_queries.map(Path::to_owned);
        // For z3's small questions one after the other this is faster than QF_BV.
        config.logic = Some("AUFBV");
        Process::on_demand(config)
    }

    /// The limits of one question.
    fn limits(&self) -> Limits {
        let left = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        Limits {
            // Without a deadline nothing is decided by the clock.
            time: left.map_or(LONG_PATIENCE, |left| left.min(PATIENCE)),
            steps: Some(STEPS),
            ..Limits::default()
        }
    }
}

/// What was confirmed.
#[derive(Default)]
pub struct Confirmed {
    /// The errors.
    pub violations: Vec<Violation>,
    /// What the executions rest on.
    pub ledger: Ledger,
    /// Questions to the solver.
    pub questions: u64,
    /// Paths that were solved and replayed.
    pub replays: u64,
    /// Why nothing more could be done.
    pub obstacle: Option<String>,
}

/// Tries to confirm suspicions, one after the other. Without any, an error is looked for anywhere.
pub fn confirm(case: &Case<'_>, suspicions: &[Suspicion]) -> Confirmed {
    case.progress.enter("confirming suspected errors");
    let mut court = Court::new(case, Box::new(case.new_solver()));
    let mut wanted: Vec<Option<&Suspicion>> = suspicions.iter().map(Some).collect();
    if wanted.is_empty() {
        wanted.push(None);
    }
    let most = case.configurations / wanted.len() as u64;
    for (index, suspicion) in wanted.iter().enumerate() {
        // Without a deadline nothing is decided by the clock.
        let until = case.deadline.map(|end| part_of_time(end, wanted.len() - index));
        court.wanted = suspicion.map(|s| (s.violation.class, s.violation.location.clone()));
        if let Some(Candidate::Inputs(inputs)) = suspicion.and_then(|s| s.candidate.as_ref()) {
            court.try_inputs(inputs);
        }
        if !court.is_found() {
            pursue(case, &mut court, suspicion.and_then(|s| s.place), most, until);
        }
    }
    court.confirmed
}

/// The end of one of so many equal parts of the time that is left.
fn part_of_time(end: Instant, parts: usize) -> Instant {
    let now = Instant::now();
    now + end.saturating_duration_since(now) / parts.max(1) as u32
}

/// Searches for one error: breadth first, then depth first with growing limits.
fn pursue(case: &Case<'_>, court: &mut Court<'_>, place: Option<Place>, most: u64, until: Option<Instant>) {
    let orders = std::iter::once((Order::Breadth, BREADTH));
    for (order, usual) in orders.chain(DEPTHS.map(|limit| (Order::Depth(limit), DEPTH))) {
        let most = usual.min(most / (1 + DEPTHS.len() as u64));
        let half = until.map(|until| part_of_time(until, 2));
        let quest = Quest {
            environment: case.options.environment.clone(),
            place,
            order,
            budget: Budget::new(half, Some(most)),
        };
        match case.searcher.search(case.program, &quest, court) {
            End::Found | End::Complete => return,
            End::Cut | End::Exhausted(_) => {}
        }
        if until.is_some_and(|until| Instant::now() >= until) {
            return;
        }
    }
}

/// Judges the paths of a search.
struct Court<'a> {
    case: &'a Case<'a>,
    solver: Box<dyn Solver>,
    wanted: Option<(ErrorClass, Location)>,
    tries: BTreeMap<(ErrorClass, Place), u32>,
    /// Questions that the solver gave up.
    given_up: u32,
    confirmed: Confirmed,
}

impl<'a> Court<'a> {
    fn new(case: &'a Case<'a>, solver: Box<dyn Solver>) -> Self {
        Court {
            case,
            solver,
            wanted: None,
            tries: BTreeMap::new(),
            given_up: 0,
            confirmed: Confirmed::default(),
        }
    }

    /// True if the wanted error is among the confirmed ones: the same class on the same line, or any.
    fn is_found(&self) -> bool {
        let mut found = self.confirmed.violations.iter().chain(self.case.known);
        let Some((class, place)) = &self.wanted else { return found.next().is_some() };
        found.any(|violation| {
            violation.class == *class
                && (*class == ErrorClass::Leak
                    || (&violation.location.file, violation.location.line) == (&place.file, place.line))
        })
    }

    /// The solver's answer, if there is one.
    fn solve(&mut self, journal: &Journal) -> Option<Solved> {
        let over = self.case.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if over || self.given_up >= MOST_GIVEN_UP {
            return None;
        }
        self.confirmed.questions += 1;
        let solved = self.solver.solve(&journal.conditions());
        let solved = solved.map_err(|why| self.give_up(&why)).ok();
        self.given_up += u32::from(!matches!(solved, Some(Solved::Sat(_) | Solved::Unsat)));
        solved
    }

    /// Keeps why the solver gives no answer. One that does not start is not asked again.
    fn give_up(&mut self, why: &Failure) {
        let starts = !matches!(why, Failure::Start { .. } | Failure::Version { .. });
        self.confirmed.obstacle = Some(if starts {
            why.to_string()
        } else {
            self.given_up = MOST_GIVEN_UP;
            format!("{why}; without it suspected errors cannot be confirmed")
        });
    }

    /// Tries inputs that somebody proposes.
    fn try_inputs(&mut self, inputs: &str) {
        if let Ok(vector) = inputs.parse::<Vector>() {
            self.replay(Queued::new(&vector));
        }
    }

    /// Executes the program with given inputs and keeps the errors that show.
    fn replay(&mut self, mut inputs: impl Inputs) {
        self.confirmed.replays += 1;
        let case = self.case;
        let run = interp::run(case.program, case.options, &mut inputs);
        case.progress.executed(run.steps);
        if !matches!(run.outcome, Outcome::Violation(_)) {
            return;
        }
        let found = evidence(case.program, case.options, &run, case.deadline, case.progress);
        let Some(Evidence { violations, ledger, .. }) = found else { return };
        for violation in violations {
            let known = &mut self.confirmed.violations;
            let is_like = |v: &Violation| v.class == violation.class && v.location == violation.location;
            if !known.iter().chain(case.known).any(is_like) {
                known.push(violation);
            }
        }
        self.confirmed.ledger.absorb(ledger);
    }
}

impl Judge for Court<'_> {
    fn hear(&mut self, trouble: String) {
        self.confirmed.obstacle.get_or_insert(trouble);
    }

    fn judge(&mut self, candidate: &search::Candidate<'_>) -> bool {
        let place = (candidate.class, candidate.place);
        let tries = self.tries.entry(place).or_default();
        *tries += 1;
        if *tries > MOST_TRIES {
            return false;
        }
        if let Some(Solved::Sat(model)) = self.solve(candidate.journal) {
            self.replay(Planned::new(self.case.program, candidate.journal, &model));
        }
        self.is_found()
    }
}

/// Executes a program with the inputs that a model gives a path. If an error shows, it comes with the simplest inputs that
/// lead to it.
pub fn replay(
    program: &Program,
    options: &interp::Options,
    journal: &Journal,
    model: &Model,
    progress: &dyn Progress,
) -> Option<Evidence> {
    let run = interp::run(program, options, &mut Planned::new(program, journal, model));
    progress.executed(run.steps);
    if !matches!(run.outcome, Outcome::Violation(_)) {
        return None;
    }
    evidence(program, options, &run, options.deadline, progress)
}

/// Starts a function in a state and gives the errors that show, with their path; none if the state does not fit.
pub fn confirm_state(
    program: &Program,
    options: &interp::Options,
    func: FuncId,
    state: &State,
) -> Vec<Violation> {
    let options = interp::Options { record_path: true, ..options.clone() };
    let mut inputs = Queued::new(&Vector::default());
    match interp::run_from(program, &options, func, state, &mut inputs) {
        Ok(run) => violations(&run),
        Err(_) => Vec::new(),
    }
}
