//! The steps of the path that a person reads: the last inputs, calls, branches and loops.

use crate::api::{InputRecord, Source};
use crate::machine::Machine;
use heapproof_ir::{BlockId, FuncId, Span, Terminator, sign_extend};
use heapproof_verdict::{PathStep, StepKind};
use std::collections::VecDeque;

/// How many events are kept.
const KEPT: usize = 20;
/// How far back the head of a loop is looked for.
const LOOP_WINDOW: usize = 16;

/// An execution with so few events is told as it is.
const SHORT: usize = 24;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Event {
    Input(String),
    Call(FuncId),
    Branch { block: BlockId, taken: bool, rounds: u64 },
}

/// An event with its place, its step and the call it belongs to.
#[derive(Clone, Debug)]
struct Entry {
    event: Event,
    span: Span,
    func: FuncId,
    step: u64,
    call: u64,
}

/// The last events of a run.
#[derive(Debug)]
pub(crate) struct Trace {
    on: bool,
    /// The last events, loops told once.
    events: VecDeque<Entry>,
    /// The first events as they came.
    start: Vec<Entry>,
    /// The numbers of the calls that are active.
    active: Vec<u64>,
    calls: u64,
}

impl Trace {
    pub fn new(on: bool) -> Trace {
        Trace { on, events: VecDeque::new(), start: Vec::new(), active: Vec::new(), calls: 0 }
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
                for entry in self.events.back_mut().into_iter().chain(self.start.last_mut()) {
                    entry.event = Event::Input(text.clone());
                }
            }
            None => {
                self.events.pop_back();
                self.start.pop();
            }
        }
    }

    pub fn call(&mut self, callee: FuncId, span: Span, now: (FuncId, u64)) {
        self.push(Event::Call(callee), span, now);
        self.calls += 1;
        self.active.push(self.calls);
    }

    pub fn leave(&mut self) {
        self.active.pop();
    }

    pub fn branch(&mut self, block: BlockId, taken: bool, span: Span, now: (FuncId, u64)) {
        if !span.is_known() {
            return;
        }
        let branch = Event::Branch { block, taken, rounds: 0 };
        let call = self.call_number();
        // The same branch of the same call again: a loop. What lies between is dropped.
        let same = self.events.iter().rev().take(LOOP_WINDOW).position(|entry| {
            entry.func == now.0
                && entry.call == call
                && matches!(entry.event, Event::Branch { block: b, taken: t, .. } if b == block && t == taken)
        });
        if let Some(back) = same {
            self.remember(branch, span, now);
            let index = self.events.len() - 1 - back;
            self.events.truncate(index + 1);
            if let Some(Entry { event: Event::Branch { rounds, .. }, step, .. }) = self.events.back_mut() {
                *rounds += 1;
                *step = now.1;
            }
            return;
        }
        self.push(branch, span, now);
    }

    fn call_number(&self) -> u64 {
        self.active.last().copied().unwrap_or(0)
    }

    /// Keeps an event of a short execution.
    fn remember(&mut self, event: Event, span: Span, (func, step): (FuncId, u64)) {
        if self.start.len() <= SHORT {
            self.start.push(Entry { event, span, func, step, call: self.call_number() });
        }
    }

    fn push(&mut self, event: Event, span: Span, (func, step): (FuncId, u64)) {
        self.remember(event.clone(), span, (func, step));
        let call = self.call_number();
        if self.events.len() == KEPT * 2 {
            self.events.pop_front();
        }
        self.events.push_back(Entry { event, span, func, step, call });
    }

    /// The events in words with their steps, oldest first.
    pub fn steps(&self, machine: &Machine<'_, '_>) -> Vec<(u64, PathStep)> {
        let skip = self.events.len().saturating_sub(KEPT);
        let told: Vec<&Entry> = if self.start.len() <= SHORT {
            self.start.iter().collect()
        } else {
            self.events.iter().skip(skip).collect()
        };
        told.into_iter()
            .filter(|entry| entry.span.is_known())
            .map(|entry| {
                let (kind, message) = match &entry.event {
                    Event::Input(text) => (StepKind::Input, text.clone()),
                    Event::Call(callee) => {
                        let name = &machine.program.functions[*callee].name;
                        (StepKind::Call, format!("`{name}` is called"))
                    }
                    Event::Branch { block, taken, rounds: 0 } => {
                        (StepKind::Branch, way(machine, entry.func, *block, *taken))
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

/// Which way a branch was taken. clang turns `!` round, so the line tells more than the truth of the condition.
fn way(machine: &Machine<'_, '_>, func: FuncId, block: BlockId, taken: bool) -> String {
    let line = machine.program.functions[func].body.as_ref().and_then(|body| {
        let Terminator::Branch { then, otherwise, .. } = &body.blocks[block].term else { return None };
        let next = &body.blocks[if taken { *then } else { *otherwise }];
        let mut spans = next.insts.iter().map(|inst| inst.span).chain([next.term_span]);
        spans.find(|span| span.is_known()).map(|span| span.line)
    });
    match line {
        Some(line) => format!("goes on at line {line}"),
        None => "a branch is taken".to_owned(),
    }
}
