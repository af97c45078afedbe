//! The engine as the portfolio sees it: explorations become findings.

use crate::deref::Deref;
use crate::exec::{Executor, Gap, Sink, Suspect};
use crate::oracle::{Oracle, SolverSettings};
use crate::search::Search;
use heapproof_confirm::{End, Evidence, Order, replay};
use heapproof_engine::{Budget, Engine, Findings, Place, Progress, Resolutions, Scope, Suspicion, Task};
use heapproof_explore::{Budget as Steps, Exhausted};
use heapproof_interp::Options;
use heapproof_ir::Program;
use heapproof_logic::Model;
use heapproof_verdict::{Ledger, NoteKind, Obstacle, Proof, Property, PropertySet, Violation};
use std::time::{Duration, Instant};

/// The orders in which paths are followed, one after the other, each on a part of what is left, in quarters.
/// At first short branches are followed together; the numbers that this makes unknown are told apart later.
const PHASES: [(Order, bool, u32); 6] = [
    (Order::Breadth, true, 1),
    (Order::Breadth, false, 3),
    (Order::Depth(60), false, 1),
    (Order::Depth(250), true, 2),
    (Order::Depth(1_000), false, 2),
    (Order::Depth(10_000), false, 4),
];

/// Symbolic execution over separated heaps.
#[derive(Clone, Debug)]
pub struct Symheap {
    /// The solver.
    pub solver: SolverSettings,
    /// How the cell at an address is found.
    pub deref: Deref,
    /// States at errors and at ends of paths are written here, as formulas of separation logic.
    pub dump_heaps: Option<std::path::PathBuf>,
    /// The most frames on the call stack of an execution.
    pub max_depth: u32,
}

impl Engine for Symheap {
    fn name(&self) -> &'static str {
        "symheap"
    }

    fn scope(&self) -> Scope {
        Scope::Program
    }

    fn proves(&self) -> &'static [Property] {
        &Property::OF_PROGRAMS
    }

    fn refutes(&self) -> &'static [Property] {
        &Property::OF_PROGRAMS
    }

    fn run(&self, task: &Task<'_>, budget: &Budget, progress: &dyn Progress) -> Findings {
        progress.enter("following paths on separated heaps");
        let options = Options {
            environment: task.environment.clone(),
            max_steps: budget.steps,
            max_memory: budget.memory,
            max_depth: self.max_depth,
            deadline: budget.deadline,
            stop_at_choice: false,
            go_on: false,
            record_path: false,
        };
        let mut court = Court::new(task, &options, progress);
        explore(self, task, budget, &mut court)
    }
}

/// Replays what is suspected, and keeps what shows.
struct Court<'a> {
    task: &'a Task<'a>,
    options: &'a Options,
    progress: &'a dyn Progress,
    violations: Vec<Violation>,
    suspicions: Vec<Suspicion>,
    ledger: Ledger,
    replays: u64,
}

impl<'a> Court<'a> {
    fn new(task: &'a Task<'a>, options: &'a Options, progress: &'a dyn Progress) -> Self {
        Court {
            task,
            options,
            progress,
            violations: Vec::new(),
            suspicions: Vec::new(),
            ledger: Ledger::default(),
            replays: 0,
        }
    }

    /// Keeps what an execution has shown; true if there is something new.
    fn keep(&mut self, evidence: Evidence) -> bool {
        let mut new = false;
        for violation in evidence.violations {
            let is_like = |v: &Violation| v.class == violation.class && v.location == violation.location;
            if !self.violations.iter().chain(self.task.known).any(is_like) {
                self.violations.push(violation);
                new = true;
            }
        }
        if new {
            self.ledger.absorb(evidence.ledger);
        }
        new
    }

    fn suspicion(&self, suspect: &Suspect<'_>) -> Suspicion {
        let mut suspicion = Suspicion::new(
            self.task.program,
            suspect.fault.class,
            suspect.place,
            suspect.fault.message.clone(),
        );
        suspicion.violation.property = suspect.fault.property;
        suspicion
    }
}

impl Sink for Court<'_> {
    fn suspect(&mut self, suspect: &Suspect<'_>) -> bool {
        const MOST: usize = 12;
        self.replays += 1;
        let empty = Model::new();
        let model = suspect.model.unwrap_or(&empty);
        let found = replay(self.task.program, self.options, suspect.journal, model, self.progress);
        if let Some(evidence) = found
            && self.keep(evidence)
        {
            return true;
        }
        let new = self.suspicion(suspect);
        let is_like =
            |known: &Suspicion| known.violation.class == new.violation.class && known.place == new.place;
        let known = |v: &Violation| v.class == new.violation.class && v.location == new.violation.location;
        if self.suspicions.len() < MOST
            && !self.suspicions.iter().any(is_like)
            && !self.task.known.iter().any(known)
        {
            self.suspicions.push(new);
        }
        false
    }
}

/// What all explorations together came to.
struct Sum {
    end: End,
    gaps: Vec<Gap>,
    states: u64,
    calls: u64,
    solving: Duration,
    cheap: u64,
    recursion: bool,
    externals: std::collections::BTreeSet<heapproof_ir::FuncId>,
    trouble: Option<String>,
}

fn explore(engine: &Symheap, task: &Task<'_>, budget: &Budget, court: &mut Court<'_>) -> Findings {
    let mut sum = Sum {
        end: End::Cut,
        gaps: Vec::new(),
        states: 0,
        calls: 0,
        solving: Duration::ZERO,
        cheap: 0,
        recursion: false,
        externals: Default::default(),
        trouble: None,
    };
    // What was asked in one phase is known in the next.
    let mut oracle = Oracle::new(engine.solver.clone(), budget.deadline);
    for (order, joins, quarters) in PHASES {
        oracle.begin();
        let now = Instant::now();
        let until = budget.deadline.map(|until| now + until.saturating_duration_since(now) * quarters / 4);
        let states = budget.states.saturating_sub(sum.states) * u64::from(quarters) / 4;
        let mut steps = Steps::new(until, Some(states.max(1)));
        steps.cancelled = Some(budget.cancelled.clone());
        let mut executor = Executor::new(task.program, task.environment, oracle, court);
        executor.deref = engine.deref;
        executor.joins = joins;
        executor.dump_heaps.clone_from(&engine.dump_heaps);
        let mut search = Search::new(&mut executor, None, order, steps);
        sum.end = search.run();
        sum.states += search.budget.spent();
        sum.calls += executor.sep.calls;
        sum.solving += executor.sep.time;
        sum.trouble = sum.trouble.take().or(executor.sep.trouble.take());
        sum.recursion |= executor.recursion;
        sum.externals.append(&mut executor.externals);
        sum.gaps = std::mem::take(&mut executor.gaps);
        oracle = executor.oracle;
        let over = matches!(sum.end, End::Exhausted(Exhausted::Cancelled)) || budget.check().is_err();
        if matches!(sum.end, End::Found | End::Complete) || over {
            break;
        }
    }
    let (calls, time) = oracle.statistics();
    sum.calls += calls;
    sum.solving += time;
    sum.cheap = oracle.cheap;
    sum.trouble = sum.trouble.take().or(oracle.trouble.take());
    findings(task, budget, court, sum)
}

fn findings(task: &Task<'_>, budget: &Budget, court: &mut Court<'_>, sum: Sum) -> Findings {
    let program = task.program;
    let mut findings = Findings {
        violations: std::mem::take(&mut court.violations),
        suspicions: std::mem::take(&mut court.suspicions),
        ledger: std::mem::take(&mut court.ledger),
        ..Findings::default()
    };
    for (name, count) in [
        ("configurations", sum.states),
        ("questions", sum.calls),
        ("questions answered without a solver", sum.cheap),
        ("microseconds in the solver", sum.solving.as_micros() as u64),
        ("replays", court.replays),
    ] {
        findings.statistics.insert(name.to_owned(), count);
    }
    if !findings.violations.is_empty() {
        return findings;
    }
    let resolutions = Resolutions::new(program, task.environment);
    resolutions.note(program, sum.externals.iter().copied(), &mut findings.ledger);
    if sum.recursion {
        findings.ledger.note(NoteKind::Machine, "the stack is large enough for every recursion");
    }
    if sum.end == End::Complete
        && sum.gaps.is_empty()
        && findings.suspicions.is_empty()
        && task.known.is_empty()
    {
        let asked = &task.environment.properties;
        let shown = asked.members.iter().copied().filter(|p| Property::OF_PROGRAMS.contains(p));
        findings.proof = Some(Proof::of("symheap", &PropertySet::new(&asked.name, shown)));
        return findings;
    }
    findings.obstacles = obstacles(program, budget, &findings.suspicions, sum);
    findings
}

fn obstacles(program: &Program, budget: &Budget, suspicions: &[Suspicion], sum: Sum) -> Vec<Obstacle> {
    let located = |place: Place| Some(place.location(program)).filter(|location| location.line > 0);
    let mut obstacles: Vec<Obstacle> = suspicions
        .iter()
        .map(|s| Obstacle::Suspicion {
            message: s.violation.message.clone(),
            location: Some(s.violation.location.clone()),
        })
        .collect();
    obstacles.extend(sum.gaps.into_iter().map(|gap| match gap {
        Gap::NotCovered(what, place) => Obstacle::NotCovered { what, location: located(place) },
        Gap::External(func, place) => {
            Obstacle::External { name: program.functions[func].name.clone(), location: located(place) }
        }
    }));
    match sum.end {
        End::Exhausted(Exhausted::Time) => obstacles.push(Obstacle::Time),
        End::Exhausted(Exhausted::States(_)) => obstacles.push(Obstacle::States { limit: budget.states }),
        End::Exhausted(Exhausted::Cancelled) => {
            obstacles.push(Obstacle::Other { text: "it was not finished".to_owned() });
        }
        End::Cut => {
            obstacles.push(Obstacle::Other { text: "some paths were not followed to their end".to_owned() })
        }
        End::Found | End::Complete => {}
    }
    obstacles.extend(sum.trouble.map(|text| Obstacle::Helper { text }));
    obstacles
}
