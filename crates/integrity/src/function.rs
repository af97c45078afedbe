//! All functions: what is known of calls of each, and the proofs in turn.
//!
//! Facts about results are believed at first and dropped until what is left supports itself. A function that cannot be proved is tried
//! again in another mode: with more kinds of facts, or without entering calls where that made too many paths.

use crate::facts::Facts;
use crate::state::Hint;
use crate::{Analysis, FunctionResult, Stop, Why};
use heapproof_ir::cfg::Cfg;
use heapproof_ir::dominators::Dominators;
use heapproof_ir::inst::Operand;
use heapproof_ir::loops::Loops;
use heapproof_ir::program::{GlobalInit, RelocTarget};
use heapproof_ir::{BlockId, Body, Callee, FuncId, InstKind, Program};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How a function is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mode {
    entering: bool,
    rich: bool,
}

const FIRST: Mode = Mode { entering: true, rich: false };
const MOST_TRIES: usize = 8;

type Found = Result<BTreeMap<BlockId, Facts>, Stop>;

/// Proves functions, each on its own.
pub(crate) struct Prover<'a> {
    /// What all of them share.
    pub(crate) base: Analysis<'a>,
    modes: BTreeMap<FuncId, Mode>,
    spent: BTreeMap<FuncId, (Duration, u64)>,
    /// Static functions for which something was taken for granted once.
    helped: BTreeSet<FuncId>,
    /// Goals that were asked, for people.
    pub(crate) dump: Vec<String>,
}

impl<'a> Prover<'a> {
    pub(crate) fn new(mut base: Analysis<'a>) -> Self {
        base.loop_free = loop_free(base.program);
        Prover {
            base,
            modes: BTreeMap::new(),
            spent: BTreeMap::new(),
            helped: BTreeSet::new(),
            dump: Vec::new(),
        }
    }

    /// All functions with a body.
    pub(crate) fn run(&mut self) -> Vec<FunctionResult> {
        let program = self.base.program;
        let functions: Vec<FuncId> =
            program.functions.iter().filter(|(_, f)| f.body.is_some()).map(|(id, _)| id).collect();
        self.modes = functions.iter().map(|f| (*f, FIRST)).collect();
        let compares = |f: &&FuncId| !compares_callbacks(&self.base, **f);
        self.base.needs_callbacks = functions.iter().filter(compares).copied().collect();
        let mut results = Vec::new();
        for _ in 0..MOST_TRIES {
            self.dump.clear();
            self.base.first_summaries(&functions);
            let found = self.facts(&functions);
            results = self.proofs(&functions, found);
            if !fault!(44) {
                spread(program, &mut results);
            }
            let mut again = self.note_function_writers(&results)
                | self.note_function_nullers(&results)
                | self.note_freers(&results)
                | self.drop_unshown(&results);
            for result in &results {
                if let Err(stop) = &result.result {
                    again |= self.try_otherwise(result.function, &stop.why);
                }
            }
            if !again || self.base.is_over() {
                break;
            }
        }
        results
    }

    /// What is to be tried next with a function that was not proved; false if there is nothing.
    fn try_otherwise(&mut self, function: FuncId, why: &Why) -> bool {
        if *why == Why::NoFunction && self.base.needs_callbacks.insert(function) {
            return true;
        }
        if let Some(mode) = next_mode(self.modes[&function], why) {
            self.modes.insert(function, mode);
            return true;
        }
        let null = matches!(why, Why::MayBeNull);
        if null && !self.helped.contains(&function) && only_called_here(&self.base, function) {
            self.helped.insert(function);
            let types = self.base.parameter_types(function);
            let nodes = (0..types.len()).filter(|&i| matches!(self.base.hint_of(types[i]), Hint::Node(..)));
            self.base.assumed.insert(function, nodes.collect());
            return true;
        }
        false
    }

    /// Parameters that some call cannot show to be other than null are not taken to be so.
    fn drop_unshown(&mut self, results: &[FunctionResult]) -> bool {
        let mut dropped = false;
        for (function, index) in results.iter().flat_map(|r| &r.unshown) {
            dropped |= self.base.assumed.get_mut(function).is_some_and(|all| all.remove(index));
        }
        dropped
    }

    /// Functions that write pointers to functions in nodes, and all that call them; true if there are more than were known.
    fn note_function_writers(&mut self, results: &[FunctionResult]) -> bool {
        let program = self.base.program;
        let before = self.base.function_writers.len();
        for writer in results.iter().filter(|r| r.writes_functions) {
            self.base.function_writers.insert(writer.function);
            self.base.function_writers.extend(callers(program, writer.function));
        }
        self.base.function_writers.len() > before
    }

    /// The same of functions that may set them to null.
    fn note_function_nullers(&mut self, results: &[FunctionResult]) -> bool {
        let program = self.base.program;
        let before = self.base.function_nullers.len();
        for writer in results.iter().filter(|r| r.nulls_functions) {
            self.base.function_nullers.insert(writer.function);
            self.base.function_nullers.extend(callers(program, writer.function));
        }
        self.base.function_nullers.len() > before
    }

    /// The same of functions that free nodes.
    fn note_freers(&mut self, results: &[FunctionResult]) -> bool {
        let program = self.base.program;
        let before = self.base.freers.len();
        for freer in results.iter().filter(|r| r.frees_nodes) {
            self.base.freers.insert(freer.function);
            self.base.freers.extend(callers(program, freer.function));
        }
        self.base.freers.len() > before
    }

    /// Facts about loops and results that support each other.
    fn facts(&mut self, functions: &[FuncId]) -> BTreeMap<FuncId, Found> {
        let program = self.base.program;
        let mut found: BTreeMap<FuncId, Found> = BTreeMap::new();
        let mut pending: BTreeSet<FuncId> = functions.iter().copied().collect();
        while !pending.is_empty() {
            let round: Vec<FuncId> = std::mem::take(&mut pending).into_iter().collect();
            let done = self.in_parallel(&round, |analysis, function| {
                let result = analysis.find_facts(function);
                (result, analysis.summaries[&function].clone())
            });
            for (function, (result, mut summary)) in done {
                if result.is_err() {
                    summary.result_not_null = false;
                    summary.not_null_if.clear();
                    summary.keeps.clear();
                }
                found.insert(function, result);
                if self.base.summaries[&function] != summary {
                    self.base.summaries.insert(function, summary);
                    pending.extend(callers(program, function));
                }
            }
        }
        found
    }

    fn proofs(&mut self, functions: &[FuncId], found: BTreeMap<FuncId, Found>) -> Vec<FunctionResult> {
        let done = self.in_parallel(functions, |analysis, function| {
            let result = match &found[&function] {
                Ok(facts) => analysis.prove(function, facts),
                Err(stop) => Err(stop.clone()),
            };
            let uses = std::mem::take(&mut analysis.uses);
            let called = std::mem::take(&mut analysis.called);
            let unshown = std::mem::take(&mut analysis.unshown);
            let functions = (analysis.writes_functions, analysis.nulls_functions);
            let notes = (analysis.called_back, functions, analysis.frees_nodes, unshown);
            (result, uses, called, notes, analysis.dump.take())
        });
        let mut results = Vec::new();
        for (function, (result, uses, called, notes, dump)) in done {
            let (called_back, (writes_functions, nulls_functions), frees_nodes, unshown) = notes;
            self.dump.extend(dump.into_iter().flatten());
            let (elapsed, goals) = self.spent.get(&function).copied().unwrap_or_default();
            let name = self.base.program.functions[function].name.clone();
            results.push(FunctionResult {
                function,
                name,
                result,
                uses,
                called,
                called_back,
                writes_functions,
                nulls_functions,
                frees_nodes,
                unshown,
                goals,
                elapsed,
            });
        }
        results
    }

    /// Does something with each function; results are in the order of the functions.
    fn in_parallel<R: Send>(
        &mut self,
        functions: &[FuncId],
        work: impl Fn(&mut Analysis<'a>, FuncId) -> R + Sync,
    ) -> Vec<(FuncId, R)> {
        let queue = Mutex::new(functions.iter().copied().enumerate());
        let done = Mutex::new(BTreeMap::new());
        let (base, modes) = (&self.base, &self.modes);
        let workers = std::thread::available_parallelism().map_or(1, usize::from).min(functions.len());
        let serve = || loop {
            let next = queue.lock().ok().and_then(|mut q| q.next());
            let Some((index, function)) = next else { return };
            let started = Instant::now();
            let mode = modes[&function];
            let mut analysis = base.clone();
            (analysis.entering, analysis.rich) = (mode.entering, mode.rich);
            analysis.may_write_functions = base.function_writers.contains(&function);
            analysis.may_null_functions = base.function_nullers.contains(&function);
            let result = work(&mut analysis, function);
            if let Ok(mut done) = done.lock() {
                done.insert(index, (function, result, started.elapsed(), analysis.goals));
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..workers {
                scope.spawn(serve);
            }
            serve();
        });
        let done = done.into_inner().unwrap_or_default();
        let mut results = Vec::new();
        for (_, (function, result, elapsed, goals)) in done {
            let spent = self.spent.entry(function).or_default();
            spent.0 += elapsed;
            spent.1 += goals;
            results.push((function, result));
        }
        results
    }
}

/// What to try next with a function that was not proved.
fn next_mode(mode: Mode, why: &Why) -> Option<Mode> {
    match why {
        Why::TooManyPaths if mode.entering => Some(Mode { entering: false, rich: false }),
        Why::MayBeNull
        | Why::NoNode
        | Why::BadPointer
        | Why::BadArgument
        | Why::NotClosed
        | Why::LinkedLocal
            if !mode.rich =>
        {
            Some(Mode { rich: true, ..mode })
        }
        _ => None,
    }
}

/// Whether a function compares a pointer to a function with null: then it may bear that.
fn compares_callbacks(base: &Analysis<'_>, function: FuncId) -> bool {
    let Some(body) = &base.program.functions[function].body else { return false };
    let callback = |operand: &Operand| match operand {
        Operand::Reg(reg) => {
            base.is_function_pointer(body.regs[*reg].variable.as_ref().and_then(|v| v.ctype))
        }
        _ => false,
    };
    let mut insts = body.blocks.values().flat_map(|b| &b.insts);
    insts.any(|inst| matches!(&inst.kind, InstKind::Cmp { a, b, .. } if callback(a) || callback(b)))
}

/// Whether all calls of a function are known: it is static, its address is not taken, and nobody asks about it.
fn only_called_here(base: &Analysis<'_>, function: FuncId) -> bool {
    let program = base.program;
    let info = &program.functions[function];
    let visible = program.functions.values().any(|f| f.body.is_some() && !f.internal);
    let asked = base.environment.entries.contains(&info.name);
    let mut taken = false;
    for inst in program.functions.values().filter_map(|f| f.body.as_ref()).flat_map(|b| b.blocks.values()) {
        for inst in &inst.insts {
            inst.kind.for_each_use(|operand| taken |= *operand == Operand::Func(function));
        }
        inst.term.for_each_use(|operand| taken |= *operand == Operand::Func(function));
    }
    let mut relocs = program.globals.values().filter_map(|g| match &g.init {
        GlobalInit::Data { relocs, .. } => Some(relocs),
        GlobalInit::External => None,
    });
    taken |= relocs.any(|all| all.iter().any(|r| r.target == RelocTarget::Func(function)));
    info.internal && visible && !asked && !taken && !base.environment.requires.contains_key(&info.name)
}

/// Functions that call through pointers, and all that call them.
pub(crate) fn back_callers(program: &Program) -> BTreeSet<FuncId> {
    let calls_back = |body: &Body| {
        let mut insts = body.blocks.values().flat_map(|block| &block.insts);
        insts.any(|inst| matches!(&inst.kind, InstKind::Call { callee: Callee::Indirect(_), .. }))
    };
    let mut all = BTreeSet::new();
    for (id, function) in program.functions.iter() {
        if function.body.as_ref().is_some_and(calls_back) {
            all.insert(id);
            all.extend(callers(program, id));
        }
    }
    all
}

fn loop_free(program: &Program) -> BTreeSet<FuncId> {
    let mut found = BTreeSet::new();
    for (id, function) in program.functions.iter() {
        let Some(body) = &function.body else { continue };
        let cfg = Cfg::new(body);
        let loops = Loops::new(&cfg, &Dominators::new(&cfg));
        if loops.iter().next().is_none() && loops.irreducible_edges().is_empty() {
            found.insert(id);
        }
    }
    found
}

/// Calls may be entered through functions without loops, so callers of callers count as well. Who names a function may call it.
fn callers(program: &Program, callee: FuncId) -> BTreeSet<FuncId> {
    let mut found = BTreeSet::new();
    let mut todo = vec![callee];
    while let Some(callee) = todo.pop() {
        for (id, function) in program.functions.iter() {
            let Some(body) = &function.body else { continue };
            let mut insts = body.blocks.values().flat_map(|b| &b.insts);
            let calls = insts.any(|i| {
                let mut named = false;
                i.kind.for_each_use(|operand| named |= *operand == Operand::Func(callee));
                named || matches!(i.kind, InstKind::Call { callee: Callee::Direct(f), .. } if f == callee)
            });
            if calls && found.insert(id) {
                todo.push(id);
            }
        }
    }
    found
}

/// A function that rests on one that is not proved is not proved.
fn spread(program: &Program, results: &mut [FunctionResult]) {
    loop {
        let bad: BTreeSet<FuncId> =
            results.iter().filter(|r| r.result.is_err()).map(|r| r.function).collect();
        let mut changed = false;
        for result in results.iter_mut().filter(|r| r.result.is_ok()) {
            if let Some(callee) = result.uses.iter().find(|f| bad.contains(f)) {
                let name = program.functions[*callee].name.clone();
                result.result = Err(Stop::new(Why::Callee(name), program.functions[result.function].span));
                changed = true;
            }
        }
        if !changed {
            return;
        }
    }
}
