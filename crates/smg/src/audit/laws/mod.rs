//! Laws of the operations on graphs, on random graphs.

mod build;
mod bytes;
mod recipe;

#[cfg(feature = "faults")]
pub use bytes::try_bytes;

use super::{audited, compared, covers, joined};
use crate::abstraction::{Rules, Thresholds};
use crate::consistency;
use crate::graph::{Addr, Def, Frame, ObjId, Object, Seg, State, Sym, SymId, Tg, Val};
use crate::join::{Growth, join, merge_nodes};
use crate::summary;
use crate::tree::Kids;
use crate::twins::Twins;
use fastrand::Rng;
use heapproof_ir::{Body, CmpOp, FuncId};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use recipe::{Plan, plan};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What the laws were tried on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Graphs made.
    pub graphs: u64,
    /// Pairs of different graphs that were joined, and how often that succeeded.
    pub joins: u64,
    pub joined: u64,
    /// Merges of neighbouring nodes that succeeded.
    pub merges: u64,
    /// Pairs with equal keys that were not made alike.
    pub same_keys: u64,
    /// Graphs with segments of several kinds.
    pub kinds: u64,
    /// Concrete memories that were looked for.
    pub memories: u64,
}

/// Tries the laws on this many pairs of graphs.
pub fn try_laws(pairs: u32, seed: u64, shrink: bool) -> Result<Tally, String> {
    let tally = Cell::new(Tally::default());
    let max_shrink_iters = if shrink { 2000 } else { 0 };
    let config = Config { cases: pairs, max_shrink_iters, failure_persistence: None, ..Config::default() };
    let mut bytes = [7; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes));
    let tried = runner.run(&plan(), |plan| {
        let mut now = tally.get();
        let result = laws(&plan, &mut now);
        tally.set(now);
        result.map_err(TestCaseError::fail)
    });
    tried.map_err(|why| why.to_string())?;
    Ok(tally.get())
}

/// All laws on two graphs; says which one does not hold.
fn laws(plan: &Plan, tally: &mut Tally) -> Result<(), String> {
    let (left, right) = (build::build(&plan.left), build::build(&plan.right));
    for graph in [&left, &right] {
        if let Some(why) = consistency::malformed(graph).filter(|_| !cfg!(feature = "faults")) {
            return Err(format!("the generator makes no graph: {why}\n{}", super::dump(graph)));
        }
    }
    tally.graphs += 2;
    let mut broken = None;
    let (memories, failures) = audited(plan.seed, || {
        let alone = law_of_one(&left, &mut Rng::with_seed(plan.seed), tally);
        broken = alone.or_else(|| law_of_two(&left, &right, tally)).or_else(|| {
            // No attempt has both.
            if left.has_vague_cursors() || right.has_vague_cursors() {
                return None;
            }
            let [left, right] = [&left, &right].map(of_kinds);
            tally.kinds += u64::from(left.objects.values().any(|object| !object.kinds.is_empty()));
            let alone = law_of_one(&left, &mut Rng::with_seed(plan.seed), tally);
            alone.or_else(|| law_of_two(&left, &right, tally))
        });
    });
    tally.memories += memories;
    match failures.into_iter().next().or(broken) {
        Some(failure) => Err(failure),
        None => Ok(()),
    }
}

/// The same with nodes of several kinds.
fn of_kinds(graph: &State) -> State {
    let mut graph = graph.clone();
    graph.kinds = Some(Rc::new(BTreeSet::from([0, 1, 2])));
    graph.abstracted(&rules(&Thresholds { by_cost: [2, 2, 2] }, None, false))
}

fn law_of_two(left: &State, right: &State, tally: &mut Tally) -> Option<String> {
    let numbers = BTreeSet::from([-1, 0, 1, 2, 100]);
    let same = left.key() == right.key();
    for (a, b) in [(left, right), (right, left)] {
        tally.joins += u64::from(!same);
        for growth in [Growth::Hull, Growth::Thresholds(&numbers)] {
            if let Ok(result) = join(a, b, growth) {
                joined(a, b, &result);
                // Checks itself.
                result.related(a, b, growth);
                tally.joined += u64::from(!same && matches!(growth, Growth::Hull));
            }
        }
        if same {
            tally.same_keys += 1;
            covers("equal keys", a, &[b]);
        }
    }
    None
}

fn law_of_one(graph: &State, rng: &mut Rng, tally: &mut Tally) -> Option<String> {
    match join(graph, graph, Growth::Hull) {
        Ok(itself) if itself.is_left && itself.is_right => {}
        Ok(_) => return Some(format!("the join with itself says less\n{}", super::dump(graph))),
        Err(why) => return Some(format!("no join with itself: {why:?}\n{}", super::dump(graph))),
    }
    let other = renamed(graph);
    if graph.key() != other.key() {
        return Some(format!("other names, another key\n{}", super::dump(graph)));
    }
    covers("abstraction", graph, &[&graph.clone().abstracted(&rules(&Thresholds::default(), None, false))]);
    let eager = Thresholds { by_cost: [2, 2, 2] };
    covers("eager abstraction", graph, &[&graph.clone().abstracted(&rules(&eager, None, false))]);
    covers("loose abstraction", graph, &[&graph.clone().abstracted(&rules(&eager, None, true))]);
    let tags = BTreeSet::from([0, 1, 2]);
    covers("careful abstraction", graph, &[&graph.clone().abstracted(&rules(&eager, Some(&tags), false))]);
    tally.merges += merges(graph);
    openings(graph);
    comparisons(graph, rng);
    call(graph, rng);
    None
}

fn rules<'a>(thresholds: &'a Thresholds, tags: Option<&'a BTreeSet<i128>>, loose: bool) -> Rules<'a> {
    Rules { thresholds, tags, held: false, loose, trees: None, patient: false }
}

/// Merges all neighbours; the number of merges that succeed.
fn merges(graph: &State) -> u64 {
    let mut count = 0;
    for (&id, object) in &graph.objects {
        for (&next, cell) in &object.cells {
            let Val::Addr(Addr { obj, off, .. }) = cell.val else { continue };
            let prev = next + graph.pointer_bytes();
            if obj == id || off < 0 {
                continue;
            }
            let back = |a: Val| matches!(a, Val::Addr(a) if a.obj == id && a.off == off);
            let double = graph.object(obj).peek(prev, graph.pointer_bytes()).is_some_and(back);
            let nodes = |o: &Object| o.seg.map_or(1, |seg| seg.min);
            let shape = Seg {
                head: off,
                next,
                prev: double.then_some(prev),
                min: nodes(object) + nodes(graph.object(obj)),
                kids: Kids::NONE,
                twins: Twins::NONE,
            };
            let Some(shape) = graph.with_twins(id, obj, shape) else { continue };
            let agrees = |o: &Object| o.seg.is_none_or(|seg| Seg { min: shape.min, ..seg } == shape);
            let node = |o: &Object| o.valid && !o.maybe && o.level == 0;
            let second = graph.object(obj);
            if [object, second].iter().all(|o| node(o) && agrees(o) && o.storage == object.storage)
                && let Ok(merged) = merge_nodes(graph, id, obj, shape, count % 2 == 0)
            {
                count += 1;
                covers("merge", graph, &[&merged.related(graph)]);
            }
        }
    }
    count
}

/// Opens everything that can be opened.
fn openings(graph: &State) {
    let all = |states: &[State], what: &str| covers(what, graph, &states.iter().collect::<Vec<_>>());
    for (&id, object) in graph.objects.iter().filter(|(_, object)| object.level == 0) {
        if let Some(seg) = object.seg {
            for tg in [Tg::First, Tg::Last] {
                if tg == Tg::First || seg.prev.is_some() {
                    all(&graph.open(Addr { obj: id, off: seg.head, tg }), "open");
                }
            }
            for number in graph.among(id) {
                all(&graph.open(Addr { obj: id, off: seg.head, tg: Tg::Among(number) }), "open at some node");
            }
            if seg.min == 1 {
                let cases: Vec<State> = graph.one_or_more(id).into_iter().map(|(state, _)| state).collect();
                all(&cases, "one or more");
            }
            if seg.min == 0 {
                all(&graph.split_empty(id), "split_empty");
            }
        } else if object.maybe {
            all(&graph.split_maybe(id), "split_maybe");
        }
    }
}

/// Compares what registers and objects hold.
fn comparisons(graph: &State, rng: &mut Rng) {
    let frame = graph.frame();
    let mut values: Vec<(Val, u8)> = frame
        .regs
        .iter()
        .zip(frame.widths.iter())
        .filter_map(|(val, width)| Some(((*val)?, *width)))
        .collect();
    let level = |id: &ObjId| graph.object(*id).level;
    for object in graph.objects.values().filter(|object| object.level == 0 && object.seg.is_none()) {
        for cell in object.cells.values() {
            if graph.target(cell.val).is_none_or(|id| level(&id) == 0) {
                values.push((cell.val, (cell.len * 8) as u8));
            }
        }
    }
    values.extend([(Val::ZERO, 64), (Val::ZERO, 32)]);
    for _ in 0..10 {
        let (a, width) = values[rng.usize(..values.len())];
        // What leads to the same object is compared more often.
        let any = rng.bool();
        let near = |val: Val| any || graph.target(val) == graph.target(a);
        let alike: Vec<Val> =
            values.iter().filter(|(val, w)| *w == width && near(*val)).map(|(val, _)| *val).collect();
        let b = alike[rng.usize(..alike.len())];
        let op = if rng.bool() { CmpOp::Eq } else { CmpOp::Slt };
        compared(graph, op, width, (a, b), &graph.compare(op, width, a, b));
    }
}

/// A call that does nothing leaves everything as it is.
fn call(graph: &State, rng: &mut Rng) {
    let mut state = graph.clone();
    let below = graph.frame();
    let args: Vec<usize> = (0..below.regs.len()).filter(|_| rng.u8(..3) == 0).collect();
    state.frames.push(Frame {
        func: FuncId::from_u32(1),
        block: Body::ENTRY,
        regs: args.iter().map(|at| below.regs[*at]).collect(),
        widths: args.iter().map(|at| below.widths[*at]).collect(),
        locals: BTreeMap::new(),
        ..below.clone()
    });
    let cut = summary::cut(state);
    let mut exit = cut.entry.clone();
    exit.frames.pop();
    exit.collect_garbage();
    if let Some((after, _)) = cut.glue(&exit) {
        covers("call", graph, &[&after]);
    }
}

/// The same graph with other names.
fn renamed(graph: &State) -> State {
    let mut out = State::new(graph.pointer_bytes());
    out.kinds = graph.kinds.clone();
    let objects: BTreeMap<ObjId, ObjId> =
        graph.objects.iter().rev().map(|(id, object)| (*id, out.add((**object).clone()))).collect();
    out.rename_kinds(&objects);
    let syms: BTreeMap<SymId, SymId> =
        graph.syms.iter().rev().map(|(id, sym)| (*id, out.add_sym((**sym).clone()))).collect();
    // Numbers that nothing uses any more may be based on objects that are gone.
    let address = |addr: Addr| Addr { obj: objects.get(&addr.obj).copied().unwrap_or(addr.obj), ..addr };
    for id in syms.values() {
        let sym: &mut Sym = out.sym_mut(*id);
        sym.def = match sym.def {
            Def::Free => Def::Free,
            Def::Plus(source, by) => Def::Plus(syms[&source], by),
            Def::Times(source, by) => Def::Times(syms[&source], by),
            Def::Same(source) => Def::Same(syms[&source]),
            Def::At(base, index, scale) => Def::At(address(base), syms[&index], scale),
        };
    }
    let value = |val: Val| match val {
        Val::Addr(addr) => Val::Addr(address(addr)),
        Val::Sym(id) => Val::Sym(syms[&id]),
        other => other,
    };
    for id in objects.values() {
        let object = out.object_mut(*id);
        object.size_sym = object.size_sym.map(|id| syms[&id]);
        object.begin = object.begin.map(|id| syms[&id]);
        object.length = object.length.map(value);
        object.cells.values_mut().for_each(|cell| cell.val = value(cell.val));
    }
    out.relations = Rc::new(graph.relations.renamed(|id| syms.get(&id).copied()));
    for frame in &graph.frames {
        let mut frame = frame.clone();
        frame.regs.iter_mut().flatten().for_each(|val| *val = value(*val));
        frame.locals.values_mut().for_each(|id| *id = objects[id]);
        out.frames.push(frame);
    }
    out
}

fn check(pairs: u32, seed: u64) {
    match try_laws(pairs, seed, true) {
        Ok(tally) => {
            println!("{tally:?}");
            assert!(tally.kinds * 40 > tally.graphs, "too few segments of several kinds");
            assert!(tally.joined * 10 > tally.joins * 3, "too few joins succeed");
        }
        Err(why) => panic!("{why}"),
    }
}

#[test]
fn laws_hold() {
    check(800, 1);
}

/// `LAWS=SEED,PAIRS cargo test --release -p heapproof-smg --lib -- --ignored --nocapture laws`
#[test]
#[ignore = "long"]
fn laws_hold_for_long() {
    let asked = std::env::var("LAWS").unwrap_or_else(|_| "2,200000".to_owned());
    let (seed, pairs) = asked.split_once(',').expect("two numbers");
    check(pairs.parse().expect("a number"), seed.parse().expect("a number"));
}
