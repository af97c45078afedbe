//! Which way a path goes at the end of a block.

use heapproof_ir::way::first_place;
use heapproof_ir::{BlockId, Body, Span};
use heapproof_verdict::{Fork, Place};

/// The ways from the end of a block, of which one was taken, as places in the file of its branch.
pub fn fork(body: &Body, block: BlockId, to: BlockId, at: Span) -> Fork {
    let place = |block: BlockId| {
        let span = first_place(body, block).filter(|span| span.file == at.file)?;
        Some(Place { line: span.line, column: span.column })
    };
    let mut others = body.blocks[block].term.successors();
    others.retain(|other| *other != to);
    let mut instead: Vec<Place> = others.into_iter().filter_map(place).collect();
    instead.sort();
    instead.dedup();
    Fork { goes_on: place(to), instead }
}
