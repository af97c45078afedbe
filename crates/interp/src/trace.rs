//! The steps of the path that a person reads: the last inputs, calls, branches and loops.

use crate::api::{InputRecord, Source};
use crate::machine::Machine;
use heapproof_ir::{BlockId, FuncId, Span, sign_extend};
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
    Branch { block: BlockId, taken: bool, rounds: u64 },
}

/// An event with its place, step and depth of the call stack.
#[derive(Debug)]
struct Entry {
    event: Event,
    span: Span,
    func: FuncId,
    step: u64,
    depth: usize,
}

/// The last events of a run.
#[derive(Debug)]
pub(crate) struct Trace {
    on: bool,
    events: VecDeque<Entry>,
    depth: usize,
}

impl Trace {
    pub fn new(on: bool) -> Trace {
        Trace { on, events: VecDeque::new(), depth: 0 }
    }

    pub fn is_on(&self) -> bool {
        self.on
    }

    pub fn input(&mut self, record: &InputRecord, now: (FuncId, u64)) {
        if self.on {
            let value = if record.signed {
                sign_extend(record.value, record.width).to_string()
            } else {
                record.value.to_string()
            };
            // What is not a name of the program stands without quotes.
            let name =
                if record.name.contains(' ') { record.name.clone() } else { format!("`{}`", record.name) };
            let text = match record.source {
                Source::Uninitialised => format!("{name} is not initialised and reads as {value}"),
                Source::Environment => format!("{name} is {value}"),
                Source::Call => format!("{name} gives {value}"),
            };
            self.push(Event::Input(text), record.span, now);
        }
    }

    /// Other words for the last event, which is an input; nothing is told without.
    pub fn reword(&mut self, text: Option<String>) {
        match text {
            Some(text) => {
                if let Some(entry) = self.events.back_mut() {
                    entry.event = Event::Input(text);
                }
            }
            None => {
                self.events.pop_back();
            }
        }
    }

    pub fn call(&mut self, callee: FuncId, span: Span, now: (FuncId, u64)) {
        self.push(Event::Call(callee), span, now);
        self.depth += 1;
    }

    pub fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    pub fn branch(&mut self, block: BlockId, taken: bool, span: Span, now: (FuncId, u64)) {
        if !span.is_known() {
            return;
        }
        // The same branch of the same activation again: a loop. What lies between is dropped.
        let same = self.events.iter().rev().take(LOOP_WINDOW).position(|entry| {
            entry.func == now.0
                && entry.depth == self.depth
                && matches!(entry.event, Event::Branch { block: b, taken: t, .. } if b == block && t == taken)
        });
        if let Some(back) = same {
            let index = self.events.len() - 1 - back;
            self.events.truncate(index + 1);
            if let Some(Entry { event: Event::Branch { rounds, .. }, step, .. }) = self.events.back_mut() {
                *rounds += 1;
                *step = now.1;
            }
            return;
        }
        self.push(Event::Branch { block, taken, rounds: 0 }, span, now);
    }

    fn push(&mut self, event: Event, span: Span, (func, step): (FuncId, u64)) {
        if self.events.len() == KEPT * 2 {
            self.events.pop_front();
        }
        self.events.push_back(Entry { event, span, func, step, depth: self.depth });
    }

    /// The events in words with their steps, oldest first.
    pub fn steps(&self, machine: &Machine<'_, '_>) -> Vec<(u64, PathStep)> {
        let skip = self.events.len().saturating_sub(KEPT);
        let known = self.events.iter().skip(skip).filter(|entry| entry.span.is_known());
        known
            .map(|entry| {
                let (kind, message) = match &entry.event {
                    Event::Input(text) => (StepKind::Input, text.clone()),
                    Event::Call(callee) => {
                        let name = &machine.program.functions[*callee].name;
                        (StepKind::Call, format!("`{name}` is called"))
                    }
                    Event::Branch { taken, rounds: 0, .. } => {
                        let way = if *taken { "holds" } else { "does not hold" };
                        (StepKind::Branch, format!("the condition {way}"))
                    }
                    Event::Branch { rounds, .. } => {
                        (StepKind::Loop, format!("the loop goes round {} times", rounds + 1))
                    }
                };
                let location = machine.location(entry.span, Some(entry.func));
                (entry.step, PathStep { kind, location, message })
            })
            .collect()
    }
}
