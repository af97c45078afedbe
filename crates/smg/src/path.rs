//! The way to a suspected error, as far as the blocks on it tell.

use heapproof_engine::Place;
use heapproof_ir::{BlockId, FuncId, Program, Terminator};
use heapproof_verdict::{PathStep, StepKind};

/// The last steps are told.
const MOST: usize = 12;

/// Calls and branches on the way through some blocks; a branch that is taken again and again is told once.
pub fn steps(program: &Program, blocks: &[(FuncId, BlockId)]) -> Vec<PathStep> {
    let mut steps: Vec<PathStep> = Vec::new();
    for pair in blocks.windows(2) {
        let Some(step) = step(program, pair[0], pair[1]) else { continue };
        if let Some(before) = steps.iter().position(|known| *known == step) {
            steps.truncate(before);
        }
        steps.push(step);
    }
    let from = steps.len().saturating_sub(MOST);
    steps.split_off(from)
}

fn step(program: &Program, from: (FuncId, BlockId), to: (FuncId, BlockId)) -> Option<PathStep> {
    if from.0 != to.0 {
        let function = &program.functions[to.0];
        let message = format!("`{}` is called", function.name);
        let location = Place { func: to.0, span: function.span }.location(program);
        return Some(PathStep { kind: StepKind::Call, location, message });
    }
    let block = &program.functions[from.0].body.as_ref()?.blocks[from.1];
    let Terminator::Branch { then, otherwise, .. } = &block.term else { return None };
    if then == otherwise || !block.term_span.is_known() {
        return None;
    }
    let holds = if *then == to.1 { "true" } else { "false" };
    let message = format!("the condition is {holds}");
    let location = Place { func: from.0, span: block.term_span }.location(program);
    Some(PathStep { kind: StepKind::Branch, location, message })
}
