//! The steps of the path that a person reads: inputs, calls and branches, equal rounds of loops told once.

use crate::api::{InputRecord, Source};
use crate::machine::Machine;
use heapproof_engine::fork;
use heapproof_ir::{BlockId, FuncId, Span, sign_extend};
use heapproof_verdict::{Foldable, Folded, PathStep, StepKind, fold_tail, unfold};

/// So many steps of the beginning are always kept.
const BEGINNING: usize = 12;
/// So many steps in a row are left out when there are too many.
const LEFT_OUT_AT_ONCE: usize = 64;
/// The most steps that are kept.
const MOST: usize = BEGINNING + 4 * LEFT_OUT_AT_ONCE;
/// The most values of one input in a loop that are told.
const MOST_VALUES: usize = 6;

#[derive(Clone, Debug)]
enum Event {
    /// The words and, if they are not among them, the values.
    Input {
        words: String,
        values: Vec<String>,
    },
    Call(FuncId),
    Branch {
        block: BlockId,
        to: BlockId,
    },
}

/// An event with its place, its step, and the depth of the call it belongs to.
#[derive(Clone, Debug)]
struct Entry {
    event: Event,
    span: Span,
    func: FuncId,
    step: u64,
    depth: usize,
}

impl Foldable for Entry {
    /// True if it is the same in another round of a loop; inputs may differ in their values.
    fn is_like(&self, other: &Entry) -> bool {
        let same = match (&self.event, &other.event) {
            (Event::Input { .. }, Event::Input { .. }) => true,
            (Event::Call(a), Event::Call(b)) => a == b,
            (Event::Branch { block: a, to: x }, Event::Branch { block: b, to: y }) => (a, x) == (b, y),
            _ => false,
        };
        same && (self.func, self.depth, self.span) == (other.func, other.depth, other.span)
    }

    /// Takes in the same event of a later round.
    fn absorb(&mut self, later: Entry) {
        self.step = later.step;
        let Event::Input { words, values } = &mut self.event else { return };
        let Event::Input { words: other, values: more } = later.event else { return };
        if *words == other {
            let room = (MOST_VALUES + 1).saturating_sub(values.len());
            values.extend(more.into_iter().take(room));
        } else {
            (*words, *values) = (other, more);
        }
    }
}

/// The events of a run.
#[derive(Debug)]
pub(crate) struct Trace {
    on: bool,
    events: Vec<Folded<Entry>>,
    /// Events left out after the first ones.
    left_out: u64,
    /// How many calls are active.
    depth: usize,
}

impl Trace {
    pub fn new(on: bool) -> Trace {
        Trace { on, events: Vec::new(), left_out: 0, depth: 0 }
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
            let words = match record.source {
                Source::Uninitialised => format!("{name} is not initialised and reads as"),
                Source::Environment => format!("{name} is"),
                Source::Call => format!("{name} gives"),
            };
            self.push(Event::Input { words, values: vec![value] }, record.span, now);
        }
    }

    /// Other words for the last event, which is an input; nothing is told without.
    pub fn reword(&mut self, text: Option<String>) {
        match text {
            Some(words) => {
                if let Some(Folded::One(entry)) = self.events.last_mut() {
                    entry.event = Event::Input { words, values: Vec::new() };
                }
            }
            None => {
                self.events.pop();
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

    pub fn branch(&mut self, block: BlockId, to: BlockId, span: Span, now: (FuncId, u64)) {
        self.push(Event::Branch { block, to }, span, now);
    }

    /// Folds what is there and adds an event. The last one stays as it is: it may be told in other words.
    fn push(&mut self, event: Event, span: Span, (func, step): (FuncId, u64)) {
        if !self.on || !span.is_known() && !matches!(event, Event::Input { .. }) {
            return;
        }
        fold_tail(&mut self.events);
        if self.events.len() >= MOST {
            let gone = self.events.drain(BEGINNING..BEGINNING + LEFT_OUT_AT_ONCE);
            self.left_out += gone.map(|entry| entry.count()).sum::<u64>();
        }
        self.events.push(Folded::One(Entry { event, span, func, step, depth: self.depth }));
    }

    /// The events in words with their steps, oldest first.
    pub fn steps(&self, machine: &Machine<'_, '_>) -> Vec<(u64, PathStep)> {
        let mut events = self.events.clone();
        fold_tail(&mut events);
        let mut steps = Vec::new();
        for (index, event) in events.iter().enumerate() {
            let step = last_step(event);
            let told = unfold(in_words(machine, event).into_iter().collect());
            if let (true, Some(first)) = (index == BEGINNING && self.left_out > 0, told.first()) {
                let words = format!("{} steps before this one are left out", self.left_out);
                steps.push((step, PathStep::new(StepKind::Note, first.location.clone(), words)));
            }
            steps.extend(told.into_iter().map(|told| (step, told)));
        }
        steps
    }
}

/// When the last of some events happened.
fn last_step(event: &Folded<Entry>) -> u64 {
    match event {
        Folded::One(entry) => entry.step,
        Folded::Rounds { items, .. } => items.last().map_or(0, last_step),
    }
}

/// Events as steps, folded in the same way; those without a place are left out.
fn in_words(machine: &Machine<'_, '_>, event: &Folded<Entry>) -> Option<Folded<PathStep>> {
    match event {
        Folded::One(entry) => entry.span.is_known().then(|| Folded::One(one_in_words(machine, entry))),
        Folded::Rounds { items, times } => {
            let items: Vec<_> = items.iter().filter_map(|item| in_words(machine, item)).collect();
            (!items.is_empty()).then_some(Folded::Rounds { items, times: *times })
        }
    }
}

fn one_in_words(machine: &Machine<'_, '_>, entry: &Entry) -> PathStep {
    let location = machine.location(entry.span, Some(entry.func));
    match &entry.event {
        Event::Input { words, values } => {
            let more = if values.len() > MOST_VALUES { ", …" } else { "" };
            let blank = if values.is_empty() { "" } else { " " };
            let shown = &values[..values.len().min(MOST_VALUES)];
            let words = format!("{words}{blank}{}{more}", shown.join(", "));
            PathStep::new(StepKind::Input, location, words)
        }
        Event::Call(callee) => {
            let name = &machine.program.functions[*callee].name;
            PathStep::new(StepKind::Call, location, format!("`{name}` is called"))
        }
        Event::Branch { block, to } => {
            let body = machine.program.functions[entry.func].body.as_ref();
            let fork = body.map(|body| fork(body, *block, *to, entry.span)).unwrap_or_default();
            PathStep::branch(location, fork)
        }
    }
}
