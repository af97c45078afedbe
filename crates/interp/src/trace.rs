//! The steps of the path that a person reads: the last inputs, calls, branches and loops.

use crate::api::InputRecord;
use crate::machine::Machine;
use heapproof_ir::{FuncId, Span, sign_extend};
use heapproof_verdict::{PathStep, StepKind};
use std::collections::VecDeque;

/// How many events are kept.
const KEPT: usize = 20;
/// How far back the head of a loop is looked for.
const LOOP_WINDOW: usize = 16;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Event {
    Input(String),
    Call(FuncId),
    Branch { taken: bool, rounds: u64 },
}

/// The last events of a run.
#[derive(Debug)]
pub(crate) struct Trace {
    on: bool,
    events: VecDeque<(Event, Span, FuncId, usize)>,
    depth: usize,
}

impl Trace {
    pub fn new(on: bool) -> Trace {
        Trace { on, events: VecDeque::new(), depth: 0 }
    }

    pub fn is_on(&self) -> bool {
        self.on
    }

    pub fn input(&mut self, record: &InputRecord, func: FuncId) {
        if self.on {
            let value = if record.signed {
                sign_extend(record.value, record.width).to_string()
            } else {
                record.value.to_string()
            };
            self.push(Event::Input(format!("`{}` gives {value}", record.name)), record.span, func);
        }
    }

    pub fn call(&mut self, callee: FuncId, span: Span, func: FuncId) {
        self.push(Event::Call(callee), span, func);
        self.depth += 1;
    }

    pub fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    pub fn branch(&mut self, taken: bool, span: Span, func: FuncId) {
        if !span.is_known() {
            return;
        }
        // The same branch of the same activation again: a loop. What lies between is dropped.
        let depth = self.depth;
        let same = self.events.iter().rev().take(LOOP_WINDOW).position(|(event, at, f, d)| {
            *at == span && *f == func && *d == depth && matches!(event, Event::Branch { taken: t, .. } if *t == taken)
        });
        if let Some(back) = same {
            let index = self.events.len() - 1 - back;
            self.events.truncate(index + 1);
            if let Some((Event::Branch { rounds, .. }, ..)) = self.events.back_mut() {
                *rounds += 1;
            }
            return;
        }
        self.push(Event::Branch { taken, rounds: 0 }, span, func);
    }

    fn push(&mut self, event: Event, span: Span, func: FuncId) {
        if self.events.len() == KEPT * 2 {
            self.events.pop_front();
        }
        self.events.push_back((event, span, func, self.depth));
    }

    /// The events in words, oldest first.
    pub fn steps(&self, machine: &Machine<'_, '_>) -> Vec<PathStep> {
        let skip = self.events.len().saturating_sub(KEPT);
        let known = self.events.iter().skip(skip).filter(|(_, span, ..)| span.is_known());
        known
            .map(|(event, span, func, _)| {
                let (kind, message) = match event {
                    Event::Input(text) => (StepKind::Input, text.clone()),
                    Event::Call(callee) => {
                        let name = &machine.program.functions[*callee].name;
                        (StepKind::Call, format!("`{name}` is called"))
                    }
                    Event::Branch { taken, rounds: 0 } => {
                        let way = if *taken { "holds" } else { "does not hold" };
                        (StepKind::Branch, format!("the condition {way}"))
                    }
                    Event::Branch { rounds: 1, .. } => {
                        (StepKind::Loop, "the loop goes round once more".to_owned())
                    }
                    Event::Branch { rounds, .. } => {
                        (StepKind::Loop, format!("the loop goes round {} times", rounds + 1))
                    }
                };
                PathStep { kind, location: machine.location(*span, Some(*func)), message }
            })
            .collect()
    }
}
