//! The execution of an error as pictures, one for each step that is worth showing.
//!
//! The program is replayed twice with the inputs of the error: first its steps are counted, then those that were chosen are drawn.

mod content;
mod culprit;
mod scene;

use heapproof_confirm::vector::{Queued, Vector};
use heapproof_interp::{self as interp, Observer, Outcome, Snapshot};
use heapproof_ir::{BlockId, FileId, FuncId, InstKind, Program, Span};
use heapproof_report::picture::{Film, Step};
use heapproof_verdict::{Answer, Location, StepKind, Violation};
use std::collections::BTreeSet;

/// The most errors whose executions are shown.
const MOST_FILMS: usize = 6;
/// The most steps of an execution that are shown; the first and the last ones are always among them.
const MOST_STEPS: usize = 48;
const FIRST_STEPS: usize = 6;
const LAST_STEPS: usize = 30;
/// The longest execution that is drawn, in steps of the source and in instructions.
const LONGEST: usize = 1 << 20;
const MOST_INSTRUCTIONS: u64 = 50_000_000;

/// The executions of the errors of an answer. `sources` are the user's files.
pub fn films(
    program: &Program,
    options: &interp::Options,
    answer: &Answer,
    sources: &BTreeSet<String>,
) -> Vec<Film> {
    let shown = answer.violations.iter().enumerate().take(MOST_FILMS);
    shown.filter_map(|(index, violation)| film(program, options, (index, violation), sources)).collect()
}

/// One execution; none if there are no inputs, or it does not end as before.
fn film(
    program: &Program,
    options: &interp::Options,
    (index, violation): (usize, &Violation),
    sources: &BTreeSet<String>,
) -> Option<Film> {
    let vector: Vector = violation.inputs.as_deref()?.parse().ok()?;
    let files = program.files.iter().filter(|(_, name)| sources.contains(*name)).map(|(id, _)| id).collect();
    let max_steps = options.max_steps.min(MOST_INSTRUCTIONS);
    let options = interp::Options { record_path: false, stop_at_choice: false, max_steps, ..options.clone() };
    let mut counter = Counter { lines: Lines::new(program, files), events: Vec::new() };
    let run = interp::run_observed(program, &options, &mut Queued::new(&vector), &mut counter);
    let is_it = |found: &Violation| found.class == violation.class && found.location == violation.location;
    let Outcome::Violation(found) = &run.outcome else { return None };
    if !is_it(found) && !run.further.iter().any(is_it) {
        return None;
    }
    let Counter { lines: Lines { program, files, instructions, .. }, events } = counter;
    let (shown, last) = choose(program, &events, instructions, violation);
    let wanted = shown.iter().map(|event| event.at).chain([last]).collect();
    let mut camera = Camera {
        lines: Lines::new(program, files),
        wanted,
        scenes: scene::Maker::new(program, violation, sources, last),
        steps: Vec::new(),
    };
    interp::run_observed(program, &options, &mut Queued::new(&vector), &mut camera);
    let mut steps = camera.steps;
    let final_step = steps.last_mut()?;
    final_step.location = violation.location.clone();
    final_step.picture.error = Some(violation.message.clone());
    let mut before = 0;
    for (step, event) in steps.iter_mut().zip(&shown) {
        step.left_out = event.number.saturating_sub(before);
        before = event.number + 1;
    }
    Some(Film { violation: index, steps })
}

/// A line that is about to be executed.
#[derive(Clone, Copy, Debug)]
struct Event {
    /// Which one it is.
    number: u64,
    /// How many instructions were executed before it.
    at: u64,
    span: Span,
    func: FuncId,
}

/// The events that are shown before the last instruction, and which one that is.
fn choose(
    program: &Program,
    events: &[Event],
    instructions: u64,
    violation: &Violation,
) -> (Vec<Event>, u64) {
    let on = |event: &Event, place: &Location| {
        event.span.line == place.line
            && program.files.get(event.span.file) == Some(&place.file)
            && program.functions[event.func].name == place.function
    };
    let mut last = instructions;
    if violation.property.is_about_leaks() {
        // The block is lost when the line is over; the execution goes on after that.
        let lost = events.iter().rposition(|event| on(event, &violation.location));
        last = lost.and_then(|index| events.get(index + 1)).map_or(last, |next| next.at);
    }
    let mut before: Vec<Event> = events.iter().copied().filter(|event| event.at < last).collect();
    // What happens within the line of the error is one picture.
    if let Some(event) = before.last()
        && on(event, &violation.location)
        && !violation.property.is_about_leaks()
    {
        before.pop();
    }
    let object =
        |kind: StepKind| matches!(kind, StepKind::Allocated | StepKind::Freed | StepKind::ScopeEnded);
    let mut kept: BTreeSet<usize> = (0..before.len()).collect();
    if before.len() > MOST_STEPS {
        kept = (0..FIRST_STEPS).chain(before.len() - LAST_STEPS..before.len()).collect();
        for step in violation.path.iter().filter(|step| object(step.kind)) {
            if let Some(index) = before.iter().rposition(|event| on(event, &step.location)) {
                kept.extend([index, index + 1]);
            }
        }
    }
    (kept.into_iter().filter_map(|index| before.get(index)).copied().collect(), last)
}

/// Cuts an execution into lines.
struct Lines<'p> {
    program: &'p Program,
    files: BTreeSet<FileId>,
    instructions: u64,
    here: Option<(FuncId, FileId, u32)>,
    /// Instructions executed since the line began: a line that begins again is another step.
    seen: BTreeSet<(BlockId, usize)>,
}

impl<'p> Lines<'p> {
    fn new(program: &'p Program, files: BTreeSet<FileId>) -> Self {
        Lines { program, files, instructions: 0, here: None, seen: BTreeSet::new() }
    }

    /// An instruction: its number, and its place if a line begins with it.
    fn step(&mut self, func: FuncId, block: BlockId, instruction: usize) -> (u64, Option<Span>) {
        self.instructions += 1;
        let number = self.instructions;
        let Some(body) = &self.program.functions[func].body else { return (number, None) };
        let block_of = &body.blocks[block];
        let span = match block_of.insts.get(instruction) {
            // These stand where a variable is declared or its scope ends.
            Some(inst) => match inst.kind {
                InstKind::Forget { .. }
                | InstKind::ScopeStart { .. }
                | InstKind::ScopeEnd { .. }
                | InstKind::Seal { .. } => {
                    return (number, None);
                }
                _ => inst.span,
            },
            None => block_of.term_span,
        };
        if !span.is_known() || !self.files.contains(&span.file) {
            return (number, None);
        }
        let place = Some((func, span.file, span.line));
        let again = !self.seen.insert((block, instruction));
        if place == self.here && !again {
            return (number, None);
        }
        self.here = place;
        self.seen.clear();
        self.seen.insert((block, instruction));
        (number, Some(span))
    }
}

/// Counts the steps.
struct Counter<'p> {
    lines: Lines<'p>,
    events: Vec<Event>,
}

impl Observer for Counter<'_> {
    fn wants(&mut self, _: FuncId, _: BlockId) -> bool {
        false
    }

    fn look(&mut self, _: Snapshot) {}

    fn wants_step(&mut self, func: FuncId, block: BlockId, instruction: usize) -> bool {
        if let (at, Some(span)) = self.lines.step(func, block, instruction) {
            self.events.push(Event { number: self.events.len() as u64, at, span, func });
        }
        false
    }

    fn is_done(&self) -> bool {
        self.events.len() > LONGEST
    }
}

/// Draws the steps that were chosen.
struct Camera<'p> {
    lines: Lines<'p>,
    wanted: BTreeSet<u64>,
    scenes: scene::Maker<'p>,
    steps: Vec<Step>,
}

impl Observer for Camera<'_> {
    fn wants(&mut self, _: FuncId, _: BlockId) -> bool {
        false
    }

    fn wants_all(&self) -> bool {
        true
    }

    fn wants_step(&mut self, func: FuncId, block: BlockId, instruction: usize) -> bool {
        let (at, _) = self.lines.step(func, block, instruction);
        let wanted = self.wanted.contains(&at);
        if wanted {
            self.scenes.at = (at, block, instruction);
        }
        wanted
    }

    fn look(&mut self, snapshot: Snapshot) {
        self.steps.push(self.scenes.step(&snapshot));
    }

    fn is_done(&self) -> bool {
        self.wanted.last().is_none_or(|last| self.lines.instructions >= *last)
    }
}
