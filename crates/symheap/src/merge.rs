//! Short branches whose sides come together again are executed side by side, and the two states become one: `c ? x : y` instead
//! of two paths. A loop that sorts or sums up numbers has one path then, not one for each outcome of its comparisons.

use crate::exec::Executor;
use crate::halt::{Halt, Res};
use crate::heap::{Heap, Object, Run, assemble};
use crate::state::{Frame, State};
use crate::value::{Prov, Value};
use heapproof_ir::cfg::Cfg;
use heapproof_ir::liveness::Liveness;
use heapproof_ir::{BinOp, BlockId, Body, InstKind, Terminator};
use heapproof_logic::Term;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The most instructions between a branch and where its sides come together.
const MOST_INSTRUCTIONS: usize = 48;
/// The most blocks between them.
const MOST_BLOCKS: usize = 12;
/// The most terms that the sides of a branch may differ in.
const MOST_DIFFERENCES: usize = 8;

/// The block where the sides of a branch come together, if all on the way is short and simple.
pub fn meeting_point(body: &Body, from: BlockId) -> Option<BlockId> {
    let Terminator::Branch { then, otherwise, .. } = &body.blocks[from].term else { return None };
    let (left, right) = (reachable(body, *then, from)?, reachable(body, *otherwise, from)?);
    // The first block that every way from both sides leads to.
    let candidates = left.iter().filter(|block| right.contains(block));
    candidates.copied().find(|to| is_simple(body, from, *to))
}

/// Blocks in the order in which they are met from one on; none if a way leads back to the branch.
fn reachable(body: &Body, start: BlockId, branch: BlockId) -> Option<Vec<BlockId>> {
    let mut found = vec![start];
    let mut next = 0;
    while next < found.len() && found.len() < 4 * MOST_BLOCKS {
        for to in body.blocks[found[next]].term.successors() {
            if !found.contains(&to) {
                found.push(to);
            }
        }
        next += 1;
    }
    (start != branch).then_some(found)
}

/// All ways from a branch lead to a block, through few instructions that neither call, nor make or end objects.
fn is_simple(body: &Body, branch: BlockId, to: BlockId) -> bool {
    let mut region: BTreeSet<BlockId> = BTreeSet::new();
    let mut work = body.blocks[branch].term.successors();
    let mut instructions = 0;
    while let Some(block) = work.pop() {
        if block == to || region.contains(&block) {
            continue;
        }
        instructions += body.blocks[block].insts.len();
        let simple = body.blocks[block].insts.iter().all(|inst| is_plain(&inst.kind));
        let goes_on = matches!(body.blocks[block].term, Terminator::Jump(_) | Terminator::Branch { .. });
        region.insert(block);
        let short = instructions <= MOST_INSTRUCTIONS && region.len() <= MOST_BLOCKS;
        if block == branch || !simple || !goes_on || !short {
            return false;
        }
        work.extend(body.blocks[block].term.successors());
    }
    is_acyclic(body, &region, to)
}

/// No way inside a region goes round.
fn is_acyclic(body: &Body, region: &BTreeSet<BlockId>, to: BlockId) -> bool {
    let mut left = region.clone();
    loop {
        let done: Vec<BlockId> = left
            .iter()
            .copied()
            .filter(|block| {
                body.blocks[*block].term.successors().iter().all(|next| *next == to || !left.contains(next))
            })
            .collect();
        if done.is_empty() {
            return left.is_empty();
        }
        done.iter().for_each(|block| {
            left.remove(block);
        });
    }
}

fn is_plain(kind: &InstKind) -> bool {
    match kind {
        InstKind::Bin { op, .. } => !matches!(op, BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem),
        InstKind::Copy { .. }
        | InstKind::Forget { .. }
        | InstKind::IntUn { .. }
        | InstKind::Cmp { .. }
        | InstKind::Cast { .. }
        | InstKind::Select { .. }
        | InstKind::PtrAdd { .. }
        | InstKind::Load { .. }
        | InstKind::Store { .. } => true,
        _ => false,
    }
}

impl Executor<'_> {
    /// Executes both sides of a branch and joins what comes out, if that is possible. The models of the last split are used.
    pub fn together(&mut self, state: &State, condition: &Term) -> Res<Option<State>> {
        if !self.joins {
            return Ok(None);
        }
        let (func, block) = (state.top().func, state.top().block);
        let body = self.body(func);
        let to = *self.meetings.entry((func, block)).or_insert_with(|| meeting_point(body, block));
        let Some(to) = to else { return Ok(None) };
        let split = std::mem::take(&mut self.split);
        let mut sides = Vec::new();
        for (holds, model) in [(true, split.0.clone()), (false, split.1.clone())] {
            let mut side = state.clone();
            let assumed = if holds { condition.clone() } else { condition.clone().not() };
            side.pure.assume(&assumed, model);
            side.pure.note_decision(condition, holds);
            match self.side(&mut side, to) {
                Ok(true) => sides.push(side),
                Err(Halt::Found) => return Err(Halt::Found),
                Ok(false) | Err(_) => {
                    self.split = split;
                    return Ok(None);
                }
            }
        }
        let (no, yes) = (sides.pop().expect("two sides"), sides.pop().expect("two sides"));
        let liveness = self.liveness_of(func);
        let joined = join(state, condition, yes, no, body, &liveness, to);
        if joined.is_none() {
            self.split = split;
        }
        Ok(joined)
    }

    /// Goes on to a block of the same activation.
    fn side(&mut self, state: &mut State, to: BlockId) -> Res<bool> {
        let depth = state.frames.len();
        for _ in 0..2 * MOST_INSTRUCTIONS {
            self.step(state)?;
            let top = state.top();
            if state.frames.len() != depth {
                return Ok(false);
            }
            if top.block == to && top.inst == 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub fn liveness_of(&mut self, func: heapproof_ir::FuncId) -> Rc<Liveness> {
        let body = self.body(func);
        self.liveness.entry(func).or_insert_with(|| Rc::new(Liveness::new(body, &Cfg::new(body)))).clone()
    }
}

/// One state for two, which came from one and differ in a few numbers.
fn join(
    before: &State,
    condition: &Term,
    yes: State,
    no: State,
    body: &Body,
    liveness: &Liveness,
    to: BlockId,
) -> Option<State> {
    if !yes.pure.has_same_variables(&before.pure) || !no.pure.has_same_variables(&before.pure) {
        return None;
    }
    let mut differences = 0;
    let frame = join_frames(condition, yes.top(), no.top(), body, liveness, to, &mut differences)?;
    let heap = join_heaps(condition, &yes.heap, &no.heap, &mut differences)?;
    if differences > MOST_DIFFERENCES {
        return None;
    }
    let mut joined = before.clone();
    joined.heap = heap;
    *joined.top_mut() = frame;
    let extra = |side: &State| {
        let all = side.pure.journal.conditions();
        let new = all.len() - before.pure.journal.conditions().len();
        Term::and(all.into_iter().take(new))
    };
    let either = Term::or([extra(&yes), extra(&no)]);
    let model = yes.pure.model.or(no.pure.model);
    joined.pure.assume(&either, model);
    joined.pure.advance();
    Some(joined)
}

fn join_values(condition: &Term, a: &Value, b: &Value) -> Option<Value> {
    let plain = |value: &Value| matches!(value.prov, Prov::None | Prov::Uninit | Prov::Foreign);
    if a.prov == b.prov && plain(a) && a.term.sort() == b.term.sort() {
        let term = Term::ite(condition.clone(), a.term.clone(), b.term.clone());
        return Some(Value { term, prov: a.prov.clone() });
    }
    None
}

fn join_frames(
    condition: &Term,
    a: &Frame,
    b: &Frame,
    body: &Body,
    liveness: &Liveness,
    to: BlockId,
    differences: &mut usize,
) -> Option<Frame> {
    let mut joined = a.clone();
    for (reg, _) in body.regs.iter() {
        let index = reg.as_u32() as usize;
        let (x, y) = (&a.regs[index], &b.regs[index]);
        if x == y {
            continue;
        }
        let harmless = |value: &Option<Value>| value.as_ref().is_none_or(|value| !value.is_address());
        joined.regs[index] = match (x, y) {
            _ if !liveness.is_live_in(to, reg) && harmless(x) && harmless(y) => None,
            (Some(x), Some(y)) => {
                *differences += 1;
                Some(join_values(condition, x, y)?)
            }
            _ => return None,
        };
    }
    Some(joined)
}

fn join_heaps(condition: &Term, a: &Heap, b: &Heap, differences: &mut usize) -> Option<Heap> {
    if a.len() != b.len() {
        return None;
    }
    let mut joined = a.clone();
    for id in a.ids().filter(|id| !a.is_shared(b, *id)) {
        let object = join_objects(condition, a.get(id), b.get(id), differences)?;
        *joined.get_mut(id) = object;
    }
    Some(joined)
}

fn join_objects(condition: &Term, a: &Object, b: &Object, differences: &mut usize) -> Option<Object> {
    const LONGEST: u64 = 16;
    let mut joined = a.clone();
    let starts: BTreeSet<u64> = a.content().chain(b.content()).map(|(at, _)| at).collect();
    let ends = starts.iter().copied().skip(1).map(Some).chain([None]);
    for (at, end) in starts.iter().copied().zip(ends) {
        let len = match end {
            Some(end) => end - at,
            None => a.content().last().map_or(0, |(last, run)| last + run.len() - at),
        };
        let (x, y): (Vec<Run>, Vec<Run>) = (a.runs(at, len), b.runs(at, len));
        if x == y {
            continue;
        }
        if len > LONGEST {
            return None;
        }
        *differences += 1;
        let value = join_values(condition, &assemble(&x)?, &assemble(&y)?)?;
        joined.put_value(at, value);
    }
    Some(joined)
}
