//! Where an execution goes on in the source when it enters a block.

use crate::inst::{InstKind, Terminator};
use crate::program::{BlockId, Body, Span};

/// Blocks without a position that are followed.
const MOST_BLOCKS: usize = 8;

/// The first known position from the start of a block on. Starts and ends of scopes do not count: their positions are
/// those of the statement that has the scope, which may be the loop that was just left.
pub fn first_place(body: &Body, block: BlockId) -> Option<Span> {
    let mut block = block;
    for _ in 0..MOST_BLOCKS {
        let here = &body.blocks[block];
        let done = here.insts.iter().filter(|inst| {
            !matches!(
                inst.kind,
                InstKind::Forget { .. } | InstKind::ScopeStart { .. } | InstKind::ScopeEnd { .. }
            )
        });
        let mut spans = done.map(|inst| inst.span).chain([here.term_span]);
        if let Some(span) = spans.find(|span| span.is_known()) {
            return Some(span);
        }
        let Terminator::Jump(next) = here.term else { return None };
        block = next;
    }
    None
}
