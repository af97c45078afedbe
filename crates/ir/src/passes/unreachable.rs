//! Removes blocks that the entry does not reach, and skips blocks that only jump.
//!
//! An edge into an empty block that ends in a jump is led to the jump's target if the position of the jump is
//! unknown or on the line of the edge's own terminator or of the target's start: then a path shown to a user loses
//! nothing. Loops of such blocks (`for (;;);`) stay, and so does the entry.

use crate::cfg::Cfg;
use crate::inst::Terminator;
use crate::program::{Block, BlockId, Body, Span};
use cranelift_entity::{EntityRef, PrimaryMap};

/// Runs the pass on one body.
pub fn run(body: &mut Body) {
    skip_jumps(body);
    let cfg = Cfg::new(body);
    if cfg.reverse_postorder().len() == body.blocks.len() {
        return;
    }
    let mut renamed = vec![Body::ENTRY; body.blocks.len()];
    let mut blocks = PrimaryMap::with_capacity(cfg.reverse_postorder().len());
    for (old, block) in std::mem::take(&mut body.blocks).into_iter() {
        if cfg.is_reachable(old) {
            renamed[old.index()] = blocks.push(block);
        }
    }
    body.blocks = blocks;
    for block in body.blocks.values_mut() {
        block.term.for_each_successor_mut(|to| *to = renamed[to.index()]);
    }
}

fn skip_jumps(body: &mut Body) {
    // From the back, so that long chains of jumps are short when they are met again.
    for id in body.blocks.keys().rev() {
        let mut term = std::mem::replace(&mut body.blocks[id].term, Terminator::Unreachable);
        let span = body.blocks[id].term_span;
        // While the terminator is taken out, a chain that leads back here ends here.
        term.for_each_successor_mut(|to| *to = destination(body, span, *to));
        body.blocks[id].term = term;
    }
}

/// Where an edge to `block` leads when jumps are skipped. A loop of jumps keeps the edge as it is.
fn destination(body: &Body, from: Span, block: BlockId) -> BlockId {
    let mut at = block;
    // Brent's cycle detection: the tortoise waits at powers of two.
    let (mut tortoise, mut steps, mut limit) = (block, 0, 1);
    while let Some(next) = jumps_to(&body.blocks[at]) {
        let jump = body.blocks[at].term_span;
        if jump.is_known() && !same_line(jump, from) && !same_line(jump, start(&body.blocks[next])) {
            break;
        }
        at = next;
        if at == tortoise {
            return block;
        }
        steps += 1;
        if steps == limit {
            (tortoise, steps, limit) = (at, 0, limit * 2);
        }
    }
    at
}

fn jumps_to(block: &Block) -> Option<BlockId> {
    match block.term {
        Terminator::Jump(to) if block.insts.is_empty() => Some(to),
        _ => None,
    }
}

fn start(block: &Block) -> Span {
    block.insts.first().map_or(block.term_span, |inst| inst.span)
}

fn same_line(a: Span, b: Span) -> bool {
    (a.file, a.line) == (b.file, b.line)
}
