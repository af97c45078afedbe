//! From the formula to findings: invariants, what follows from them, and what does not.

use crate::build::{Builder, NoFormula};
use crate::choose::{self, Level};
use crate::memory::{TAGGED, asks_about_content};
use crate::options::{Trial, Unwinding};
use crate::plan::Plan;
use crate::ssa::{Kind, Obligation, Ssa};
use crate::strategy::{NoInvariant, Template, invariants, solve};
use crate::unwind::{FEW, MANY};
use crate::{Templates, check, report};
use heapproof_engine::{Budget, Findings, Remainder, Spot, Task};
use heapproof_logic::{Answer, Config, Failure, Limits, Process, Quick, Solver, Term};
use heapproof_verdict::{Obstacle, Property};
use std::cell::Cell;
use std::collections::{BTreeSet, VecDeque};
use std::time::{Duration, Instant};

/// The solver gives up on a question after so many steps: some seconds, and the same in every run.
const STEPS: u64 = 12_000_000;
/// So many states of another engine cost about as much as what is done between two looks at the clock.
const STATES_OF_A_LOOK: u64 = 400;
/// It gives up after this in any case.
const PATIENCE: Duration = Duration::from_secs(30);
/// What an attempt found out.
pub struct Attempt {
    /// The formula.
    pub ssa: Ssa,
    /// What its objects are: for tests.
    #[cfg_attr(not(test), allow(dead_code))]
    pub plan: Plan,
    /// What holds at the loops, level by level.
    pub levels: Vec<Vec<Template>>,
    /// Errors that are possible as far as the invariants tell.
    pub open: Vec<Obligation>,
}

/// What is done, one after the other.
enum Step {
    /// Invariants, and what follows from them.
    Prove(Trial),
    /// So many iterations of all loops, without invariants.
    Unwind(&'static [u32]),
}

/// Does the whole analysis.
pub fn run(engine: &Templates, task: &Task<'_>, budget: &Budget) -> Findings {
    let mut findings = Findings::default();
    let mut best: Option<Attempt> = None;
    // Each look at the clock comes with some work, so the looks are counted: without a deadline the states bound the work.
    let looks = Cell::new(0);
    let is_over = |share: &Budget| {
        looks.set(looks.get() + 1);
        looks.get() > budget.states / STATES_OF_A_LOOK || share.check().is_err()
    };
    // One block tells whether pointers lead to blocks at all; the rest about memory is how blocks hang together.
    let is_about_memory = !asks_about_content(&task.environment.properties);
    let trials = engine.tuning.trials.iter().copied().filter(|t| !is_about_memory || t.is_about_blocks());
    let mut steps: VecDeque<Step> = trials.map(Step::Prove).collect();
    let mut is_first = true;
    // The errors of content that are left. Each attempt covers all executions, so it is asked about what others left.
    let mut left: Option<BTreeSet<Spot>> = task.only.cloned();
    while let Some(step) = steps.pop_front() {
        let found = match step {
            Step::Prove(trial) => {
                if !best.as_ref().is_none_or(|best| is_worth(&best.ssa, trial.witnesses)) {
                    continue;
                }
                // Each attempt leaves something for what comes after it; the one with several blocks takes long.
                let share = budget.eighths(if trial.witnesses == TAGGED { 7 } else { 4 });
                attempt(engine, task, left.as_ref(), &share, trial, &|| is_over(&share), &mut findings)
            }
            Step::Unwind(copies) => {
                let share = budget.eighths(3);
                let over = || is_over(&share);
                let proof = crate::unwind::run(engine, task, copies, &share, &over, &mut findings);
                if !findings.suspicions.is_empty() {
                    break;
                }
                proof.ok_or(None)
            }
        };
        match found {
            Ok(attempt) => {
                let spots = report::left(task, &attempt).filter(|_| !is_about_memory);
                let proves = report::is_proof(task, &attempt) || is_all(task, spots.as_ref());
                if let Some(spots) = spots {
                    findings.remainder = Some(Remainder { spots: spots.clone(), memory: true });
                    left = Some(spots);
                }
                if proves || best.as_ref().is_none_or(|best| attempt.open.len() < best.open.len()) {
                    best = Some(attempt);
                }
                if proves {
                    break;
                }
            }
            Err(obstacle) => findings.obstacles.extend(obstacle),
        }
        if std::mem::take(&mut is_first) && !is_about_memory {
            let has_lists = best.as_ref().is_some_and(|best| is_worth(&best.ssa, TAGGED));
            steps = after_the_first(steps, has_lists, engine.tuning.unwinds);
        }
    }
    if let Some(attempt) = best {
        if report::is_proof(task, &attempt) || is_all(task, report::left(task, &attempt).as_ref()) {
            findings.obstacles.clear();
        }
        report::conclude(engine, task, attempt, &mut findings);
    }
    findings
}

/// True if some errors were asked about, and none of them is left.
fn is_all(task: &Task<'_>, left: Option<&BTreeSet<Spot>>) -> bool {
    task.only.is_some() && left.is_some_and(BTreeSet::is_empty)
}

/// What is done after the first attempt. Errors in few iterations are worth a look before more is tried. With lists many iterations cost much,
/// so k-induction and long executions come last there, and first where there are only numbers.
fn after_the_first(steps: VecDeque<Step>, has_lists: bool, unwinds: bool) -> VecDeque<Step> {
    let (induction, others): (Vec<Step>, Vec<Step>) =
        steps.into_iter().partition(|step| matches!(step, Step::Prove(trial) if trial.turns > 1));
    let few = unwinds.then_some(Step::Unwind(&FEW));
    let many = unwinds.then_some(Step::Unwind(&MANY));
    let next: Vec<Step> = if has_lists {
        others.into_iter().chain(induction).chain(many).collect()
    } else {
        induction.into_iter().chain(many).chain(others).collect()
    };
    few.into_iter().chain(next).collect()
}

/// True if following so many blocks or elements at once may tell more than one.
fn is_worth(ssa: &Ssa, witnesses: u8) -> bool {
    match witnesses {
        1 => true,
        TAGGED => ssa.sites.iter().any(|site| !site.links.is_empty()),
        _ => !ssa.sites.is_empty() || !ssa.elements.is_empty(),
    }
}

/// One attempt at a proof.
pub fn attempt(
    engine: &Templates,
    task: &Task<'_>,
    only: Option<&BTreeSet<Spot>>,
    budget: &Budget,
    Trial { witnesses, copies, turns }: Trial,
    over: &dyn Fn() -> bool,
    findings: &mut Findings,
) -> Result<Attempt, Option<Obstacle>> {
    let unwinding = Unwinding { copies, cut: true, turns };
    let builder = Builder::new(task.program, task.environment, unwinding, witnesses, over);
    let (ssa, plan) = builder.build().map_err(no_formula)?;
    let mut solver = quick_solver(engine, budget, &ssa);
    let mut levels = Vec::new();
    let (mut left, memory) = split(task, only, &ssa);
    let is_presupposed = task.only.is_some() || task.environment.presupposed.contains(&Property::ValidDeref);
    let mut memory = Some(memory).filter(|_| !is_presupposed);
    let mut rounds = 0;
    let all: &[Level] = if witnesses >= TAGGED { &Level::SHAPES } else { &Level::NUMBERS };
    for level in all.iter().copied() {
        let is_pointless = match level {
            Level::Elements => ssa.elements.is_empty(),
            Level::Blocks => ssa.sites.is_empty(),
            // Several turns make up for rows that cost much.
            Level::Pairs => turns > 1,
            // Where blocks are linked, branches are told apart by what happens to each block.
            Level::Branches => turns > 1 || ssa.sites.iter().any(|site| !site.links.is_empty()),
            _ => false,
        };
        if is_pointless || engine.tuning.without.contains(&level) {
            continue;
        }
        let mut templates = choose::templates(&ssa, level);
        match solve(&ssa, &mut templates, &mut solver, over) {
            Ok(more) => rounds += more,
            Err(NoInvariant::Time) if level != all[0] => break,
            Err(NoInvariant::Time) => return Err(Some(Obstacle::Time)),
            Err(NoInvariant::Solver(_)) if over() => break,
            Err(NoInvariant::Solver(why)) => return Err(Some(failed(why))),
        }
        invariants(&ssa, &templates).iter().for_each(|claim| solver.assert(claim));
        levels.push(templates);
        left = open(&mut solver, &ssa, &left, over)?;
        if left.is_empty()
            && let Some(of_memory) = &mut memory
        {
            *of_memory = open(&mut solver, &ssa, of_memory, over)?;
        }
        // Memory of programs with heap blocks is better left to others, unless nothing else is asked about.
        let is_left = |memory: &Vec<Obligation>| memory.is_empty() || ssa.has_heap && !ssa.is_about_memory;
        let of_memory = memory.as_ref().is_none_or(is_left);
        if left.is_empty() && of_memory || ssa.loops.is_empty() {
            break;
        }
    }
    match memory {
        Some(memory) => left.extend(memory),
        None => left.extend(split(task, only, &ssa).1),
    }
    let is_left = |o: &Obligation| left.iter().any(|l| l.number == o.number && l.bad == o.bad);
    let excluded: Vec<Obligation> =
        considered(task, only, &ssa).into_iter().filter(|o| !is_left(o)).collect();
    if !excluded.is_empty()
        && !check::confirms(engine, budget, &ssa, &levels, &excluded).map_err(|why| Some(failed(why)))?
    {
        let text = "the solver took back that an invariant is one".to_owned();
        return Err(Some(Obstacle::Helper { text }));
    }
    let mut count = |name: &str, n: u64| *findings.statistics.entry(name.to_owned()).or_default() += n;
    count("template rounds", rounds);
    count("template queries", solver.statistics().calls);
    Ok(Attempt { ssa, plan, levels, open: left })
}

/// What must hold for what is asked about content, and what must hold of memory.
fn split(task: &Task<'_>, only: Option<&BTreeSet<Spot>>, ssa: &Ssa) -> (Vec<Obligation>, Vec<Obligation>) {
    let asked = &task.environment.properties;
    let is_memory =
        |o: &Obligation| matches!(o.kind, Kind::Error(Property::ValidDeref | Property::ValidFree, _));
    let counts = |o: &Obligation| match o.kind {
        Kind::Error(property, _) if !(asked.has(property) || task.only.is_some()) => false,
        Kind::Error(..) => only.is_none_or(|only| o.spot().is_some_and(|spot| only.contains(&spot))),
        Kind::Coverage => true,
    };
    let (memory, content): (Vec<_>, Vec<_>) = ssa.obligations.iter().cloned().partition(is_memory);
    let mut content: Vec<Obligation> = content.into_iter().filter(counts).collect();
    if fault!(33) {
        let mut known = BTreeSet::new();
        content.retain(|o| o.spot().is_none_or(|spot| known.insert(spot)));
    }
    (content, memory)
}

/// All that must hold for what is asked, or for what is shown besides.
fn considered(task: &Task<'_>, only: Option<&BTreeSet<Spot>>, ssa: &Ssa) -> Vec<Obligation> {
    let (mut all, memory) = split(task, only, ssa);
    all.extend(memory);
    all
}

/// How another solver is started.
fn config(engine: &Templates, budget: &Budget) -> Config {
    let left = budget.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
    let time = left.map_or(PATIENCE, |left| left.min(PATIENCE));
    let limits = Limits { time, steps: Some(STEPS), ..Limits::default() };
    let config = Config::new(&engine.solver).with_limits(limits).with_deadline(budget.deadline);
    Config { dump: engine.dump_queries.clone(), logic: Some("QF_BV"), ..config }
}

/// Starts a process for one question about the formula.
pub fn fresh_solver(engine: &Templates, budget: &Budget, ssa: &Ssa) -> Result<Process, Failure> {
    let mut solver = Process::start(config(engine, budget))?;
    ssa.conditions().for_each(|condition| solver.assert(&condition));
    Ok(solver)
}

/// A solver that knows the formula, for many small questions.
pub fn quick_solver(engine: &Templates, budget: &Budget, ssa: &Ssa) -> Quick {
    let mut solver = Quick::new(config(engine, budget));
    ssa.conditions().for_each(|condition| solver.assert(&condition));
    solver
}

/// The obligations that do not follow from what the solver knows.
fn open(
    solver: &mut dyn Solver,
    ssa: &Ssa,
    obligations: &[Obligation],
    over: &dyn Fn() -> bool,
) -> Result<Vec<Obligation>, Obstacle> {
    let all = Term::or(obligations.iter().map(|o| ssa.examined(o)));
    let mut open = Vec::new();
    if solver.check(&[all]).map_err(failed)? != Answer::Unsat {
        for obligation in obligations {
            if over() {
                return Err(Obstacle::Time);
            }
            if solver.check(&[ssa.examined(obligation)]).map_err(failed)? != Answer::Unsat {
                open.push(obligation.clone());
            }
        }
    }
    Ok(open)
}

fn failed(why: Failure) -> Obstacle {
    Obstacle::Helper { text: why.to_string() }
}

fn no_formula(why: NoFormula) -> Obstacle {
    match why {
        NoFormula::NoEntry => Obstacle::Other { text: "the program has no entry".to_owned() },
        NoFormula::TooLarge => {
            Obstacle::NotCovered { what: "the formula is too large".to_owned(), location: None }
        }
        NoFormula::Time => Obstacle::Time,
    }
}

/// The properties that errors of some obligations violate.
pub fn violated(open: &[Obligation]) -> BTreeSet<Property> {
    let property = |o: &Obligation| match &o.kind {
        Kind::Error(property, _) => Some(*property),
        Kind::Coverage => None,
    };
    open.iter().filter_map(property).collect()
}
