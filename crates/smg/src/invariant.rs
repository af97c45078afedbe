//! What holds at loop heads: the configurations that stay there when the fixpoint is reached.

use crate::canon::Key;
use crate::graph::State;
use heapproof_ir::{BlockId, FuncId, Program, Span};
use std::collections::BTreeMap;

/// The most configurations that are kept per loop head.
const MOST: usize = 64;

/// The configurations at one loop head, over all heaps with which its function was called.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// The function.
    pub func: FuncId,
    /// The loop head.
    pub block: BlockId,
    /// Where the loop begins in the source.
    pub span: Span,
    /// How many configurations more there are than are kept.
    pub left_out: usize,
    pub(crate) states: Vec<State>,
}

impl Invariant {
    /// How many configurations are kept.
    pub fn configurations(&self) -> usize {
        self.states.len()
    }
}

/// Gathers invariants from one summary after the other.
#[derive(Default)]
pub struct Collector {
    heads: BTreeMap<(FuncId, BlockId), Head>,
}

#[derive(Default)]
struct Head {
    states: Vec<(State, Key)>,
    left_out: usize,
}

impl Collector {
    /// Adds configurations that were finally reached at a loop head.
    pub fn add<'s>(
        &mut self,
        func: FuncId,
        block: BlockId,
        states: impl Iterator<Item = (&'s State, &'s Key)>,
    ) {
        let head = self.heads.entry((func, block)).or_default();
        for (state, key) in states {
            if head.states.iter().any(|(_, known)| known == key) {
                continue;
            }
            if head.states.len() < MOST {
                head.states.push((state.clone(), key.clone()));
            } else {
                head.left_out += 1;
            }
        }
    }

    /// All invariants, in the order of the program.
    pub fn finish(self, program: &Program) -> Vec<Invariant> {
        let heads = self.heads.into_iter();
        heads
            .map(|((func, block), head)| {
                let body = program.functions[func].body.as_ref();
                let span = body.map_or(Span::NONE, |body| {
                    let block = &body.blocks[block];
                    let spans = block.insts.iter().map(|inst| inst.span).chain([block.term_span]);
                    spans.into_iter().find(|span| span.is_known()).unwrap_or(Span::NONE)
                });
                let states = head.states.into_iter().map(|(state, _)| state).collect();
                Invariant { func, block, span, left_out: head.left_out, states }
            })
            .collect()
    }
}
