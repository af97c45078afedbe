//! The inputs that a solver chose for a path, given to the interpreter at the places where the path read them.

use crate::journal::{Journal, Origin, Position};
use crate::vector::default_value;
use heapproof_interp::{Inputs, Request, Source};
use heapproof_ir::{Program, Span};
use heapproof_logic::Model;
use std::collections::VecDeque;

/// Inputs by where they come from, in the order of the path.
#[derive(Debug, Default)]
pub struct Planned {
    calls: VecDeque<(Option<Span>, u128)>,
    uninitialised: VecDeque<(Option<Span>, u128)>,
    environment: VecDeque<(Option<Span>, u128)>,
}

impl Planned {
    /// The inputs of a path with the values of a model; what the model leaves open has its usual value.
    pub fn new(program: &Program, journal: &Journal, model: &Model) -> Self {
        let mut planned = Planned::default();
        for input in journal.inputs() {
            let source = match input.origin {
                Origin::Call => Source::Call,
                Origin::Uninitialised => Source::Uninitialised,
                Origin::Environment => Source::Environment,
            };
            let usual = default_value(source, input.var.width());
            let value = model.bits(&input.var).unwrap_or(usual);
            planned.queue(source).push_back((input.at.map(|at| span(program, at)), value));
        }
        planned
    }

    fn queue(&mut self, source: Source) -> &mut VecDeque<(Option<Span>, u128)> {
        match source {
            Source::Call => &mut self.calls,
            Source::Uninitialised => &mut self.uninitialised,
            Source::Environment => &mut self.environment,
        }
    }
}

impl Inputs for Planned {
    fn choose(&mut self, request: &Request) -> u128 {
        let queue = self.queue(request.source);
        // What the path read before and the execution does not ask for is left out.
        match queue.iter().position(|(at, _)| at.is_none_or(|at| at == request.span)) {
            Some(place) => {
                queue.drain(..place);
                queue.pop_front().map_or(0, |(_, value)| value)
            }
            // The path knows nothing of it.
            None => default_value(request.source, request.width),
        }
    }
}

/// The source position of an instruction.
fn span(program: &Program, (func, block, inst): Position) -> Span {
    let Some(body) = &program.functions[func].body else { return Span::NONE };
    let block = &body.blocks[block];
    block.insts.get(inst).map_or(block.term_span, |inst| inst.span)
}
