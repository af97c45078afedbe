//! Invariants against executions: whenever a run comes back to the head of a loop, all that is claimed there holds, whichever of its
//! blocks are the witnesses.

#[allow(dead_code)]
#[path = "../tests/generate/mod.rs"]
mod generate;
#[path = "../tests/runs/mod.rs"]
mod runs;

use crate::domain::Side;
use crate::options::Trial;
use crate::plan::{Context, Key, ObjKind, Plan};
use crate::prove::{Attempt, attempt};
use crate::ssa::{Loop, Role};
use crate::value::{self, NULL, Obj};
use crate::{Templates, Tuning};
use heapproof_engine::{Budget, Findings, Task};
use heapproof_interp::{self as interp, Kind, ObjectId, Observer, Piece, Scalar, Snapshot};
use heapproof_ir::cfg::Cfg;
use heapproof_ir::dominators::Dominators;
use heapproof_ir::liveness::Liveness;
use heapproof_ir::loops::Loops;
use heapproof_ir::{BlockId, Body, FuncId, Program};
use heapproof_logic::{Model, Term, Value};
use heapproof_verdict::Property;
use runs::{Small, compiled, environment, options};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// Ways to choose witnesses for each moment.
const CHOICES: u64 = 4;
/// Looks at the clock of one analysis.
const LOOKS: u64 = 40_000;

/// Looks at a run whenever it comes back to the head of a loop.
struct Watch<'a> {
    attempt: &'a Attempt,
    flow: HashMap<FuncId, (Loops, Liveness)>,
    last: HashMap<FuncId, BlockId>,
    rng: fastrand::Rng,
    visits: u64,
    /// Claims that were evaluated.
    claims: u64,
    /// A claim that does not hold.
    misfit: Option<String>,
}

impl<'a> Watch<'a> {
    fn new(program: &Program, attempt: &'a Attempt) -> Self {
        let flow = attempt.ssa.loops.iter().filter_map(|l| {
            let body = program.functions[l.place.0].body.as_ref()?;
            let cfg = Cfg::new(body);
            let loops = Loops::new(&cfg, &Dominators::new(&cfg));
            Some((l.place.0, (loops, Liveness::new(body, &cfg))))
        });
        let rng = fastrand::Rng::with_seed(11);
        let last = HashMap::new();
        Watch { attempt, flow: flow.collect(), last, rng, visits: 0, claims: 0, misfit: None }
    }

    /// The loop with a head, if the function is followed in one context only.
    fn loop_at(&self, func: FuncId, block: BlockId) -> Option<usize> {
        let loops = self.attempt.ssa.loops.iter().enumerate();
        let of_function: BTreeSet<Context> =
            loops.clone().filter(|(_, l)| l.place.0 == func).map(|(_, l)| l.place.2).collect();
        let mut here = loops.filter(|(_, l)| (l.place.0, l.place.1) == (func, block));
        let (index, _) = here.next()?;
        (here.next().is_none() && of_function.len() == 1).then_some(index)
    }
}

impl Observer for Watch<'_> {
    fn wants(&mut self, func: FuncId, block: BlockId) -> bool {
        let from = self.last.insert(func, block);
        let comes_back = block != Body::ENTRY
            && self
                .flow
                .get(&func)
                .zip(from)
                .is_some_and(|((loops, _), from)| loops.is_back_edge(from, block));
        self.visits += u64::from(comes_back);
        let often = self.visits <= 40 || self.visits.is_multiple_of(1 << (self.visits.ilog2() - 3));
        comes_back && often && self.misfit.is_none() && self.loop_at(func, block).is_some()
    }

    fn look(&mut self, snapshot: Snapshot) {
        let Some(index) = self.loop_at(snapshot.func, snapshot.block) else { return };
        for _ in 0..CHOICES {
            let l = &self.attempt.ssa.loops[index];
            let Some(names) = named(self.attempt, l, &snapshot, &mut self.rng) else { return };
            let live = &self.flow[&snapshot.func].1;
            let moment = Moment { snapshot: &snapshot, names, live, plan: &self.attempt.plan, l };
            let (model, known) = moment.model();
            for template in self.attempt.levels.iter().map(|level| &level[index]) {
                if !template.reached {
                    self.misfit = Some(format!("the end of loop {} is reached", l.name));
                }
                for domain in &template.domains {
                    let Some(claim) = domain.claim(Side::Back) else { continue };
                    if !claim.vars().iter().all(|var| known.contains(var)) {
                        continue;
                    }
                    self.claims += 1;
                    if !model.satisfies(&claim) {
                        self.misfit = Some(format!("loop {}: {}", l.name, domain.describe()));
                    }
                }
            }
        }
    }
}

/// The objects of the formula that those of a run are, for some choice of witnesses; none if that cannot be told.
fn named(
    attempt: &Attempt,
    l: &Loop,
    snapshot: &Snapshot,
    rng: &mut fastrand::Rng,
) -> Option<BTreeMap<ObjectId, Obj>> {
    let plan = &attempt.plan;
    let mut names = BTreeMap::new();
    for (global, id) in &snapshot.globals {
        names.extend(plan.known(ObjKind::Global(*global)).map(|obj| (*id, obj)));
    }
    for (local, id) in &snapshot.locals {
        names.extend(plan.known(ObjKind::Local(l.place.2, *local)).map(|obj| (*id, obj)));
    }
    let mut free: BTreeMap<Obj, Vec<Obj>> =
        attempt.ssa.sites.iter().map(|site| (site.rest, site.witnesses.clone())).collect();
    let mut blocks: Vec<ObjectId> = snapshot.objects.keys().copied().collect();
    rng.shuffle(&mut blocks);
    for id in blocks {
        let object = &snapshot.objects[&id];
        if object.kind != Kind::Heap {
            continue;
        }
        let mut from = plan.births().filter(|(_, span)| *span == object.born).map(|(obj, _)| obj);
        let (obj, None) = (from.next()?, from.next()) else { return None };
        let witness = free.get_mut(&obj).filter(|_| rng.u8(0..8) > 0).and_then(Vec::pop);
        names.insert(id, witness.unwrap_or(obj));
    }
    Some(names)
}

/// A run at the head of a loop.
struct Moment<'a> {
    snapshot: &'a Snapshot,
    names: BTreeMap<ObjectId, Obj>,
    live: &'a Liveness,
    plan: &'a Plan,
    l: &'a Loop,
}

impl Moment<'_> {
    /// The values of variables of the formula that are known.
    fn model(&self) -> (Model, BTreeSet<Term>) {
        let mut model = Model::new();
        let mut known = BTreeSet::new();
        let mut set = |term: &Term, bits: Option<u128>| {
            if let (true, Some(bits)) = (term.is_var(), bits) {
                model.set(term.clone(), Value::bits(bits, term.width()));
                known.insert(term.clone());
            }
        };
        for (key, value) in &self.l.state {
            match value {
                value::Value::Int(term) => set(term, self.number(*key)),
                value::Value::Ptr(p) => {
                    set(&p.obj, self.pointer(*key).map(|(obj, _)| obj));
                    set(&p.off, self.pointer(*key).map(|(_, off)| off));
                }
            }
        }
        for var in &self.l.vars {
            let bits = match var.role {
                Role::Number { .. } | Role::Ghost => self.number(var.key),
                Role::Object => self.pointer(var.key).map(|(obj, _)| obj),
                Role::Offset => self.pointer(var.key).map(|(_, off)| off),
            };
            set(&var.back, bits);
            set(&var.phi, bits);
        }
        (model, known)
    }

    fn object(&self, obj: Obj) -> Option<&interp::Object> {
        let id = self.names.iter().find(|(_, name)| **name == obj)?.0;
        self.snapshot.objects.get(id)
    }

    fn register(&self, key: Key) -> Option<Scalar> {
        match key {
            Key::Reg(context, reg)
                if context == self.l.place.2 && self.live.is_live_in(self.l.place.1, reg) =>
            {
                self.snapshot.regs.get(reg.as_u32() as usize).copied()
            }
            _ => None,
        }
    }

    fn byte(&self, obj: Obj, at: u64) -> Option<u8> {
        let content = self.object(obj)?.content.as_ref()?;
        match content.iter().find(|(off, _)| *off == at)?.1 {
            Piece::Byte(byte) => Some(byte),
            Piece::Address(_) => None,
        }
    }

    fn number(&self, key: Key) -> Option<u128> {
        match key {
            Key::Reg(..) => match self.register(key)? {
                Scalar::Number(number) => Some(number),
                _ => None,
            },
            Key::Cell(obj, off, len) if !self.plan.is_blob(obj) => {
                let mut bytes = (0..len).rev().map(|n| self.byte(obj, off + n));
                bytes.try_fold(0, |number, byte| Some(number << 8 | u128::from(byte?)))
            }
            Key::Live(obj) => Some(u128::from(self.object(obj)?.live)),
            Key::Made(obj) => self.object(obj).map(|_| 1),
            Key::Size(obj) => Some(u128::from(self.object(obj)?.size)),
            // A tag is of the formula only, and fields of which the formula gave up the content are no fields.
            Key::Cell(..) | Key::Tag(_) | Key::Sealed(_) => None,
        }
    }

    /// The object and the offset of a pointer.
    fn pointer(&self, key: Key) -> Option<(u128, u128)> {
        let scalar = match key {
            Key::Cell(obj, off, _) => {
                match self.object(obj)?.content.as_ref()?.iter().find(|(at, _)| *at == off)?.1 {
                    Piece::Address(scalar) => scalar,
                    Piece::Byte(_) => Scalar::Number(self.number(key)?),
                }
            }
            _ => self.register(key)?,
        };
        match scalar {
            Scalar::Number(0) => Some((u128::from(NULL), 0)),
            Scalar::Address { object, offset } => {
                Some((u128::from(*self.names.get(&object)?), u128::from(offset as u64)))
            }
            _ => None,
        }
    }
}

/// What the engine claims of a program, in one attempt.
fn analysed(program: &Program, trial: Trial) -> Option<Attempt> {
    let asked = [Property::Assertions];
    let environment = environment(&asked);
    let budget = Budget {
        deadline: None,
        states: u64::MAX,
        executions: 1,
        steps: 1_000,
        memory: 1 << 28,
        cancelled: Arc::default(),
    };
    let engine = Templates {
        solver: "z3".to_owned(),
        dump_queries: None,
        draw: false,
        dump: false,
        tuning: Tuning::default(),
    };
    let looks = std::cell::Cell::new(0);
    let over = || {
        looks.set(looks.get() + 1);
        looks.get() > LOOKS / 200
    };
    let task = Task::new(program, &[], &environment);
    attempt(&engine, &task, None, &budget, trial, &over, &mut Findings::default()).ok()
}

/// One block of each allocation, plain induction.
const ONE: Trial = Trial { witnesses: 1, copies: 0, turns: 1 };

/// Runs a program and compares it with claims; gives the number of claims that were evaluated.
fn watched(program: &Program, attempt: &Attempt, runs: u64) -> Result<u64, String> {
    let mut watch = Watch::new(program, attempt);
    for seed in 0..runs {
        let mut inputs = Small(fastrand::Rng::with_seed(seed));
        (watch.visits, watch.last) = (0, HashMap::new());
        interp::run_observed(program, &options(&[Property::Assertions]), &mut inputs, &mut watch);
    }
    watch.misfit.map_or(Ok(watch.claims), Err)
}

fn folder(name: &str) -> Vec<String> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases").join(name);
    let mut files: Vec<_> =
        std::fs::read_dir(path).expect("a folder").map(|e| e.expect("a file").path()).collect();
    files.sort();
    let code = files.into_iter().filter(|file| file.extension().is_some_and(|e| e == "c"));
    code.map(|file| std::fs::read_to_string(file).expect("a text")).filter(|t| !t.contains("ilp32")).collect()
}

fn watch_all(texts: impl Iterator<Item = String>, trial: Trial, runs: u64) -> u64 {
    let mut claims = 0;
    for text in texts {
        let program = compiled(&text);
        let Some(attempt) = analysed(&program, trial) else { continue };
        match watched(&program, &attempt, runs) {
            Ok(more) => claims += more,
            Err(why) => panic!("{why}:\n{text}"),
        }
    }
    println!("{claims} claims hold in executions");
    claims
}

#[test]
fn executions_keep_the_invariants_of_cases() {
    let texts = folder("heapdata").into_iter().chain(folder("templates"));
    assert!(watch_all(texts, ONE, 20) > 1_000);
}

#[test]
fn executions_keep_the_invariants_of_several_blocks() {
    let trial = Trial { witnesses: crate::memory::TAGGED, ..ONE };
    assert!(watch_all(folder("heapdata").into_iter().take(6), trial, 20) > 100);
}

#[test]
fn executions_keep_the_invariants_of_k_induction() {
    let texts = folder("templates").into_iter().chain((1..=12).map(generate::program));
    assert!(watch_all(texts, Trial { turns: 3, ..ONE }, 20) > 1_000);
}

/// `TEMPLATES_PROGRAMS=N` takes N programs.
#[test]
fn executions_keep_the_invariants_of_random_programs() {
    let count = std::env::var("TEMPLATES_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(12);
    watch_all((1..=count).map(generate::program), ONE, 100);
}

#[test]
fn wrong_invariants_are_noticed() {
    let text = |bound: u32| {
        let head = "#include <assert.h>\nint main(void) { unsigned i = 0;";
        format!("{head} while (i < {bound}) i++; assert(i <= {bound}); return 0; }}")
    };
    let (right, other) = (compiled(&text(5)), compiled(&text(9)));
    let attempt = analysed(&right, ONE).expect("there are invariants");
    assert!(watched(&right, &attempt, 1).is_ok_and(|claims| claims > 0));
    assert!(watched(&other, &attempt, 1).is_err());
}
