//! The way to a suspected error, as far as the blocks on it tell.

use heapproof_engine::{Place, fork};
use heapproof_ir::{BlockId, Callee, FuncId, InstKind, Program, Terminator};
use heapproof_verdict::{Folded, PathStep, StepKind, fold_tail, unfold};

/// So many steps of the beginning are told, and twice as many of the end.
const BEGINNING: usize = 8;

/// Calls and branches on the way through some blocks; equal rounds of a loop are told once.
pub fn steps(program: &Program, blocks: &[(FuncId, BlockId)]) -> Vec<PathStep> {
    let mut folded = Vec::new();
    for pair in blocks.windows(2) {
        let Some(step) = step(program, pair[0], pair[1]) else { continue };
        folded.push(Folded::One(step));
        fold_tail(&mut folded);
    }
    let mut steps = unfold(folded);
    let left_out = steps.len().saturating_sub(3 * BEGINNING);
    if left_out > 0 {
        steps.drain(BEGINNING..BEGINNING + left_out);
        let words = format!("{left_out} steps before this one are left out");
        let note = PathStep::new(StepKind::Note, steps[BEGINNING].location.clone(), words);
        steps.insert(BEGINNING, note);
    }
    steps
}

fn step(program: &Program, from: (FuncId, BlockId), to: (FuncId, BlockId)) -> Option<PathStep> {
    let body = program.functions[from.0].body.as_ref()?;
    let block = &body.blocks[from.1];
    if from.0 != to.0 {
        // A return leads into the middle of a caller.
        let entered = program.functions[to.0]
            .body
            .as_ref()
            .is_some_and(|callee| callee.blocks.keys().next() == Some(to.1));
        let calls = |kind: &InstKind| match kind {
            InstKind::Call { callee: Callee::Direct(callee), .. } => *callee == to.0,
            InstKind::Call { .. } => true,
            _ => false,
        };
        let call = block.insts.iter().find(|inst| calls(&inst.kind)).filter(|_| entered)?;
        let words = format!("`{}` is called", program.functions[to.0].name);
        let location = Place { func: from.0, span: call.span }.location(program);
        return Some(PathStep::new(StepKind::Call, location, words));
    }
    // The same block again is the rest of it, after a call.
    let next = block.term.successors();
    let choice = matches!(block.term, Terminator::Branch { .. } | Terminator::Switch { .. });
    let other = next.iter().any(|other| *other != to.1);
    if !choice || !other || !next.contains(&to.1) || from.1 == to.1 || !block.term_span.is_known() {
        return None;
    }
    let fork = fork(body, from.1, to.1, block.term_span);
    let location = Place { func: from.0, span: block.term_span }.location(program);
    Some(PathStep::branch(location, fork))
}
