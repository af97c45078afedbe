//! Concrete runs against invariants: at every loop head the memory of a run belongs to a graph that was reached there.

use super::cases::{self, Case};
use super::concrete::{Moment, moment};
use super::{dump, inputs, member};
use crate::canon::Key;
use crate::graph::State;
use crate::{Invariant, Options, analyse};
use heapproof_interp::{self as interp, Observer, Outcome, Snapshot};
use heapproof_ir::cfg::Cfg;
use heapproof_ir::liveness::Liveness;
use heapproof_ir::{BlockId, FuncId, Program};
use std::collections::{BTreeMap, BTreeSet};

/// What the runs of a program showed.
#[derive(Default)]
pub struct Seen {
    /// The engine proves the program.
    pub proved: bool,
    /// Moments at loop heads that were looked at, different ones only.
    pub moments: u64,
    /// Those among them for which it was not found out.
    pub open: u64,
    /// A memory that is in no graph.
    pub misfit: Option<String>,
    /// A run with an error.
    pub refuted: Option<String>,
}

/// The configurations at a loop head, without cut points, and what is looked at there.
struct Head {
    live: Liveness,
    graphs: Vec<State>,
    whole: bool,
    visits: u32,
    known: BTreeSet<Key>,
}

/// Looks at the loop heads of a run.
struct Watch<'p> {
    program: &'p Program,
    heads: BTreeMap<(FuncId, BlockId), Head>,
    /// The most memories that are looked at.
    most: u64,
    seen: Seen,
}

/// The largest memory that is looked at.
const MOST_OBJECTS: usize = 120;

impl<'p> Watch<'p> {
    fn new(program: &'p Program, invariants: Vec<Invariant>, most: u64) -> Watch<'p> {
        let heads = invariants.into_iter().filter_map(|invariant| {
            let body = program.functions[invariant.func].body.as_ref()?;
            let whole = invariant.left_out == 0;
            let graphs = invariant.states.into_iter().map(without_cut_points).collect();
            let live = Liveness::new(body, &Cfg::new(body));
            let head = Head { live, graphs, whole, visits: 0, known: BTreeSet::new() };
            Some(((invariant.func, invariant.block), head))
        });
        let seen = Seen { proved: true, ..Seen::default() };
        Watch { program, heads: heads.collect(), most, seen }
    }
}

fn without_cut_points(mut state: State) -> State {
    state.frames.retain(|frame| !frame.cut);
    state
}

impl Observer for Watch<'_> {
    fn wants(&mut self, func: FuncId, block: BlockId) -> bool {
        let body = self.program.functions[func].body.as_ref();
        let Some(head) = self.heads.get_mut(&(func, block)) else {
            let is_head =
                body.is_some_and(|body| heapproof_ir::wto::Wto::new(&Cfg::new(body)).is_head(block));
            if is_head && self.seen.misfit.is_none() {
                self.seen.misfit = Some(format!("the loop at {func:?} {block:?} is never reached"));
            }
            return false;
        };
        head.visits += 1;
        // Later visits are like earlier ones: fewer and fewer are looked at.
        let often = head.visits <= 50 || head.visits.is_multiple_of(1 << (head.visits.ilog2() - 3));
        often && self.seen.misfit.is_none() && self.seen.moments < self.most
    }

    fn look(&mut self, snapshot: Snapshot) {
        let Some(head) = self.heads.get_mut(&(snapshot.func, snapshot.block)) else { return };
        if snapshot.objects.len() > MOST_OBJECTS {
            return;
        }
        let cut = head.graphs.first().and_then(|graph| graph.cut);
        let Some(moment) = moment(self.program, &head.live, &snapshot, cut) else { return };
        if !head.known.insert(moment.memory.key()) {
            return;
        }
        self.seen.moments += 1;
        match fits(&moment, &head.graphs) {
            Ok(true) => {}
            Err(why) if head.whole => self.seen.misfit = Some(why),
            Ok(false) | Err(_) => self.seen.open += 1,
        }
    }
}

/// Whether a moment belongs to one of the graphs; false if it takes too long to find out.
fn fits(moment: &Moment, graphs: &[State]) -> Result<bool, String> {
    let mut reasons = Vec::new();
    for budget in [100, 4000] {
        reasons.clear();
        let mut open = false;
        for graph in graphs {
            match member::belongs(&moment.memory, &moment.required, graph, budget) {
                Ok(true) => return Ok(true),
                Ok(false) => open = true,
                Err(why) => reasons.push(format!("-- graph\n{}-- does not fit: {why}\n", dump(graph))),
            }
        }
        if !open {
            let frame = moment.memory.frame();
            let place = format!("at {:?} {:?}", frame.func, frame.block);
            return Err(format!(
                "a memory {place} is in no graph\n{}{}",
                dump(&moment.memory),
                reasons.concat()
            ));
        }
    }
    Ok(false)
}

/// How much is done for one program. Nothing is measured in time, so that the outcome is the same on every machine.
#[derive(Clone, Copy)]
pub struct Effort {
    /// The most configurations of the analysis.
    pub configurations: u64,
    /// The executions.
    pub runs: u64,
    /// The most memories that are looked at.
    pub moments: u64,
}

/// Analyses a program and runs it a few times.
pub fn watch(case: &Case, effort: Effort) -> Seen {
    match invariants(case, effort.configurations) {
        Some(invariants) => watch_against(case, invariants, effort),
        None => Seen::default(),
    }
}

/// What holds at the loop heads of a program, if it is proved.
fn invariants(case: &Case, configurations: u64) -> Option<Vec<Invariant>> {
    let options = Options {
        keep_invariants: true,
        ..super::tests::options(&case.program, &case.property, configurations)
    };
    let analysis = analyse(&case.program, &options);
    analysis.is_proof().then_some(analysis.invariants)
}

pub fn watch_against(case: &Case, invariants: Vec<Invariant>, effort: Effort) -> Seen {
    let properties: heapproof_verdict::PropertySet = case.property.parse().expect("known properties");
    let mut watch = Watch::new(&case.program, invariants, effort.moments);
    for number in 0..effort.runs {
        let mut inputs = inputs::Habits::new(number);
        let run = interp::run_observed(
            &case.program,
            &inputs::options(properties.clone()),
            &mut inputs,
            &mut watch,
        );
        watch.heads.values_mut().for_each(|head| head.visits = 0);
        if let Outcome::Violation(violation) = run.outcome {
            watch.seen.refuted = Some(format!("a run fails: {}", violation.message));
        }
        if watch.seen.refuted.is_some() || watch.seen.moments >= watch.most {
            break;
        }
    }
    watch.seen
}

/// Watches the runs of all cases that are proved; gives the number of moments.
fn watch_all(cases: impl Iterator<Item = Case>, effort: Effort) -> u64 {
    let (mut proved, mut moments, mut open, mut bad) = (0, 0, 0, 0);
    for case in cases {
        let seen = watch(&case, effort);
        proved += u64::from(seen.proved);
        moments += seen.moments;
        open += seen.open;
        if std::env::var("RUNS_NAMES").is_ok() && seen.proved {
            println!("{}: {} moments, {} open", case.name, seen.moments, seen.open);
        }
        if let Some(failure) = seen.refuted.or(seen.misfit) {
            bad += 1;
            let most = failure.len().min(6000);
            println!("FAILURE {}: {}", case.name, failure.get(..most).unwrap_or(&failure));
        }
    }
    println!(
        "{proved} programs proved, {moments} concrete memories at loop heads, {open} left open, {bad} bad"
    );
    assert_eq!(bad, 0);
    moments
}

/// For every change.
const LITTLE: Effort = Effort { configurations: 1_000, runs: 10, moments: 100 };
/// Once in a while.
const MUCH: Effort = Effort { configurations: 20_000, runs: 200, moments: 5_000 };

const FOLDERS: [&str; 9] =
    ["tutorial", "lang", "libc", "smg", "smg-soundness", "overlaid", "sl", "dsic", "heapdata"];

#[test]
fn wrong_invariants_are_noticed() {
    let case = cases::of(&["tutorial"]).find(|case| !case.is_unsafe).expect("a safe case");
    let effort = Effort { configurations: 5_000, runs: 30, moments: 1_000 };
    let right = invariants(&case, effort.configurations).expect("it is proved");
    let graphs = |of: &[Invariant]| of.iter().map(|head| head.states.len()).sum::<usize>();
    assert!(watch_against(&case, right.clone(), effort).misfit.is_none());
    // Only graphs without segments: no list of several nodes is among them.
    let mut few = right.clone();
    for head in &mut few {
        head.states.retain(|state| state.objects.values().all(|object| object.seg.is_none()));
    }
    assert!(graphs(&few) < graphs(&right));
    assert!(watch_against(&case, few, effort).misfit.is_some());
    // Every segment has four nodes or more.
    let mut long = right.clone();
    for state in long.iter_mut().flat_map(|head| &mut head.states) {
        for object in state.objects.values_mut() {
            if let Some(seg) = &mut std::rc::Rc::make_mut(object).seg {
                seg.min = 4;
            }
        }
    }
    assert!(watch_against(&case, long, effort).misfit.is_some());
}

#[test]
fn runs_stay_in_invariants() {
    let cases =
        cases::of(&["tutorial", "lang", "sl", "smg", "trees", "overlaid"]).filter(|case| !case.is_unsafe);
    let moments = watch_all(cases, LITTLE);
    assert!(moments > 400, "only {moments} memories");
}

#[test]
fn runs_of_random_programs_stay_in_invariants() {
    for moments in
        [watch_all(cases::random_blocks(0..60), LITTLE), watch_all(cases::random_buffers(0..60), LITTLE)]
    {
        assert!(moments > 200, "only {moments} memories");
    }
}

/// `cargo test --release -p heapproof-smg --lib -- --ignored --nocapture long_runs`: all safe cases.
#[test]
#[ignore = "long"]
fn long_runs_stay_in_invariants() {
    let safe = cases::of(&FOLDERS).filter(|case| !case.is_unsafe);
    watch_all(safe, MUCH);
}

/// The same for a range of random programs, by `RUNS=FIRST,COUNT`.
#[test]
#[ignore = "long"]
fn long_runs_of_random_programs_stay_in_invariants() {
    let range = std::env::var("RUNS").unwrap_or_else(|_| "0,300".to_owned());
    let (first, count) = range.split_once(',').expect("two numbers");
    let (first, count): (u64, u64) = (first.parse().expect("a number"), count.parse().expect("a number"));
    watch_all(cases::random_blocks(first..first + count), MUCH);
    watch_all(cases::random(first..first + count), MUCH);
    watch_all(cases::random_buffers(first..first + count), MUCH);
}
