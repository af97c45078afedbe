//! Answers as text in GCC's style: position, class, message, source line, notes, and a line that sums up.

use crate::advice::advice;
use crate::escape;
use crate::source::Sources;
use crate::story;
use anstyle::{AnsiColor, Style};
use heapproof_verdict::{
    Answer, Assumption, AssumptionKind, Location, PathStep, StepKind, Verdict, Violation,
};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The most steps of a path that are shown; the other formats have them all.
const MOST_STEPS: usize = 8;

/// The most suspicions that are shown.
const MOST_SUSPICIONS: usize = 5;

/// The most places that are named where the same is suspected.
const MOST_PLACES: usize = 3;

/// The longest inputs that are shown as part of a command.
const LONGEST_INPUTS: usize = 300;

/// Stands in a reason between why there is no proof and what executions showed.
pub const BESIDES: &str = "; besides: ";

/// How to show an answer.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Use colours.
    pub colour: bool,
    /// Show what informs only: models used, the data model, code never reached.
    pub verbose: bool,
    /// Show errors that are suspected and were not confirmed; most of them are none.
    pub suspicions: bool,
    /// The most steps of the way to an error that are shown; a few if there is no such number.
    pub steps: Option<usize>,
    /// The command that runs the program again.
    pub replay: Option<Replay>,
    /// The source files of which lines may be shown; any if there is no list.
    pub sources: Option<BTreeSet<String>>,
}

/// A command that runs the program again, in two parts: the inputs come between them.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    /// The command with its files and options.
    pub command: String,
    /// What has to come last: nothing, or ` -- ` and arguments for the compiler.
    pub compiler: String,
    /// The file that the inputs of the first error were written to.
    pub file: Option<String>,
}

/// The colours, or none.
struct Palette {
    bold: Style,
    error: Style,
    warning: Style,
    note: Style,
    good: Style,
}

impl Palette {
    fn new(colour: bool) -> Self {
        let style = |c: AnsiColor| if colour { c.on_default().bold() } else { Style::new() };
        Palette {
            bold: if colour { Style::new().bold() } else { Style::new() },
            error: style(AnsiColor::Red),
            warning: style(AnsiColor::Magenta),
            note: style(AnsiColor::Cyan),
            good: style(AnsiColor::Green),
        }
    }
}

fn paint(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}

/// The answer as text, with a line end after it.
pub fn render(answer: &Answer, options: &Options) -> String {
    let answer = story::in_words(answer, options.sources.as_ref());
    let answer = &escape::value(&answer).unwrap_or(answer);
    let mut writer = Writer {
        out: String::new(),
        palette: Palette::new(options.colour),
        sources: Sources::only(options.sources.clone()),
        function: String::new(),
        way: Vec::new(),
        steps: options.steps,
    };
    writer.hints(answer);
    for violation in &answer.violations {
        writer.violation(violation, true);
    }
    answer.leaks_at_exit.iter().for_each(|leak| writer.leak_at_exit(leak));
    if options.suspicions {
        writer.suspicions(&answer.suspicions);
    }
    if let Some(replay) = &options.replay {
        let mut file = replay.file.as_deref();
        let mut told: Vec<(&str, bool)> = Vec::new();
        for violation in &answer.violations {
            let Some(inputs) = violation.inputs.as_deref() else { continue };
            // Errors of one execution have the same inputs.
            if !told.contains(&(inputs, violation.later)) {
                writer.replay(replay, inputs, violation.later, file.take());
                told.push((inputs, violation.later));
            }
        }
    }
    for function in &answer.functions {
        function.violations.iter().for_each(|violation| writer.violation(violation, true));
        if options.suspicions {
            function.suspicions.iter().for_each(|suspicion| writer.violation(suspicion, false));
        }
    }
    if !options.suspicions {
        writer.hidden(answer);
    }
    writer.assumptions(answer);
    if options.verbose {
        for note in &answer.ledger.notes {
            writer.remark(&note.text);
        }
    }
    writer.reason(answer);
    writer.out.push_str(&crate::functions::table(&answer.functions));
    writer.summary(answer);
    writer.out
}

/// One violation as text, with its notes.
pub fn render_violation(violation: &Violation, options: &Options) -> String {
    render_one(violation, options, |writer, violation| writer.violation(violation, true))
}

/// A block that is lost because `main` returns, as text.
pub fn render_leak_at_exit(leak: &Violation, options: &Options) -> String {
    render_one(leak, options, Writer::leak_at_exit)
}

fn render_one(violation: &Violation, options: &Options, write: fn(&mut Writer, &Violation)) -> String {
    let violation = story::violation_in_words(violation, options.sources.as_ref());
    let violation = &escape::value(&violation).unwrap_or(violation);
    let mut writer = Writer {
        out: String::new(),
        palette: Palette::new(options.colour),
        sources: Sources::only(options.sources.clone()),
        function: String::new(),
        way: Vec::new(),
        steps: options.steps,
    };
    write(&mut writer, violation);
    writer.out
}

struct Writer {
    out: String,
    palette: Palette,
    sources: Sources,
    /// The function that was named last.
    function: String,
    /// The steps that were told last.
    way: Vec<PathStep>,
    /// The most steps that are told.
    steps: Option<usize>,
}

impl Writer {
    fn line(&mut self, text: impl AsRef<str>) {
        self.out.push_str(text.as_ref());
        self.out.push('\n');
    }

    /// A remark that belongs to no line.
    fn remark(&mut self, text: &str) {
        let head = paint(self.palette.note, "note:");
        self.line(format!("{head} {text}"));
    }

    fn violation(&mut self, violation: &Violation, confirmed: bool) {
        self.enter(&violation.location);
        let (style, word) = if confirmed {
            (self.palette.error, "error:")
        } else {
            (self.palette.warning, "warning: not confirmed:")
        };
        let cwe = violation.cwe.map(|n| format!(" [CWE-{n}]")).unwrap_or_default();
        self.message(
            &violation.location,
            &paint(style, word),
            &format!("{}: {}{cwe}", paint(self.palette.bold, violation.class), violation.message),
        );
        self.snippet(&violation.location, style);
        // The life of the object is what the reader looks for; the way there follows.
        let (object, way): (Vec<_>, Vec<_>) = violation.path.iter().partition(|s| about_an_object(s.kind));
        for step in object {
            self.step(step);
            self.snippet(&step.location, self.palette.note);
        }
        if !way.is_empty() && way.iter().copied().eq(&self.way) {
            self.remark("the way there is the one above");
            return;
        }
        self.way = way.iter().map(|step| (*step).clone()).collect();
        // The first steps tell where the way begins, the last ones lead to the error.
        let most = self.steps.unwrap_or(MOST_STEPS);
        // One step takes no more room than saying that it is not shown.
        let left_out = Some(way.len().saturating_sub(most)).filter(|n| *n > 1).unwrap_or(0);
        for (index, step) in way.iter().enumerate() {
            if left_out == 0 || index < most / 4 || index >= most / 4 + left_out {
                self.step(step);
            } else if index == most / 4 {
                self.remark(&format!("… {left_out} steps (--steps all shows them)"));
            }
        }
    }

    /// A block that is lost because `main` returns.
    fn leak_at_exit(&mut self, leak: &Violation) {
        self.enter(&leak.location);
        let style = self.palette.note;
        let text = format!("leak at exit: {}; `main` returns, so the system takes it back", leak.message);
        self.message(&leak.location, &paint(style, "note:"), &text);
        self.snippet(&leak.location, style);
        for step in leak.path.iter().filter(|step| about_an_object(step.kind)) {
            self.step(step);
        }
    }

    /// What is suspected: one of each kind, and where else.
    fn suspicions(&mut self, suspicions: &[Violation]) {
        let mut roots: Vec<(&Violation, Vec<&Violation>)> = Vec::new();
        for suspicion in suspicions {
            match roots.iter_mut().find(|(root, _)| have_one_root(root, suspicion)) {
                Some((_, others)) => others.push(suspicion),
                None => roots.push((suspicion, Vec::new())),
            }
        }
        for (root, others) in roots.iter().take(MOST_SUSPICIONS) {
            self.violation(root, false);
            if !others.is_empty() {
                let mut places: Vec<_> = others.iter().map(|v| position(&v.location)).collect();
                let more = places.len().saturating_sub(MOST_PLACES);
                places.truncate(MOST_PLACES);
                let more = if more > 0 { format!(" and at {more} more places") } else { String::new() };
                self.remark(&format!("the same is suspected at {}{more}", places.join(", ")));
            }
        }
        let others: usize = roots.iter().skip(MOST_SUSPICIONS).map(|(_, others)| 1 + others.len()).sum();
        if others > 0 {
            let (things, have) = if others == 1 { ("thing is", "it") } else { ("things are", "them") };
            self.remark(&format!("{others} more {things} suspected; --format json has {have}"));
        }
    }

    /// That there are suspicions.
    fn hidden(&mut self, answer: &Answer) {
        let of_functions: usize = answer.functions.iter().map(|function| function.suspicions.len()).sum();
        match answer.suspicions.len() + of_functions {
            0 => {}
            1 => self.remark("1 error is suspected and could not be confirmed; --suspicions shows it"),
            n => self.remark(&format!(
                "{n} errors are suspected and could not be confirmed; --suspicions shows them"
            )),
        }
    }

    /// A step of the way.
    fn step(&mut self, step: &PathStep) {
        self.enter(&step.location);
        let head = paint(self.palette.note, "note:");
        self.message(&step.location, &head, &step.message);
    }

    /// Names the function when it changes, as GCC does.
    fn enter(&mut self, place: &Location) {
        if place.function.is_empty() || place.function == self.function {
            return;
        }
        self.function.clone_from(&place.function);
        let file = paint(self.palette.bold, format!("{}:", place.file));
        let function = paint(self.palette.bold, &place.function);
        self.line(format!("{file} In function '{function}':"));
    }

    fn message(&mut self, place: &Location, head: &str, text: &str) {
        let position = paint(self.palette.bold, format!("{}:", position(place)));
        self.line(format!("{position} {head} {text}"));
    }

    /// The source line with a caret under the column.
    fn snippet(&mut self, place: &Location, style: Style) {
        let Some(excerpt) = self.sources.excerpt(&place.file, place.line, place.column) else { return };
        let number = format!("{:>5}", place.line);
        self.line(format!("{number} | {}", excerpt.text));
        if let Some(caret) = excerpt.caret {
            let mark = format!("{}^{}", "~".repeat(excerpt.before), "~".repeat(excerpt.length - 1));
            let margin = " ".repeat(number.len());
            self.line(format!("{margin} | {}{}", " ".repeat(caret - excerpt.before), paint(style, mark)));
        }
    }

    fn replay(&mut self, replay: &Replay, inputs: &str, later: bool, file: Option<&str>) {
        let Replay { command, compiler, .. } = replay;
        let command = &if later { format!("{command} --go-on") } else { command.clone() };
        if inputs.len() > LONGEST_INPUTS && file.is_none() {
            self.remark(&format!(
                "the inputs that lead there are long; --write-inputs FILE writes them to a file, and \
                 {command} --input-file FILE{compiler} shows it happen"
            ));
            return;
        }
        let inputs = match file {
            Some(file) => format!(" --input-file {file}"),
            None if inputs.is_empty() => String::new(),
            None => format!(" --input {inputs}"),
        };
        self.remark(&format!("see it happen: {command}{inputs}{compiler}"));
    }

    fn assumptions(&mut self, answer: &Answer) {
        let all = &answer.ledger.assumptions;
        for assumption in all {
            let is_placed = |other: &Assumption| {
                other.location.is_some()
                    && (other.kind, &other.subject) == (assumption.kind, &assumption.subject)
            };
            // One that is told with its place is not told without.
            if assumption.location.is_none() && all.iter().any(is_placed) {
                continue;
            }
            let text = describe(assumption);
            match &assumption.location {
                Some(place) => {
                    let head = paint(self.palette.note, "note:");
                    self.message(place, &head, &text);
                }
                None => self.remark(&text),
            }
        }
    }

    fn reason(&mut self, answer: &Answer) {
        if answer.verdict != Verdict::Unknown {
            return;
        }
        if let Some(reason) = &answer.reason {
            let head = paint(self.palette.note, "reason:");
            // Why there is no proof, and what executions showed: one line each.
            for part in reason.split(BESIDES) {
                self.line(format!("{head} {part}"));
            }
        }
    }

    /// What the reader can do about an answer that is not decided: that comes first.
    fn hints(&mut self, answer: &Answer) {
        for hint in advice(answer) {
            let head = paint(self.palette.note, "hint:");
            self.line(format!("{head} {hint}"));
        }
    }

    fn summary(&mut self, answer: &Answer) {
        let property = &answer.property;
        let (style, words) = match answer.verdict {
            Verdict::Safe => (self.palette.good, format!("no execution violates {property}")),
            Verdict::Unsafe => {
                let text = match answer.violations.len() {
                    0 | 1 => format!("an execution violates {property}"),
                    n => format!("{n} errors violate {property}"),
                };
                (self.palette.error, text)
            }
            Verdict::Unknown => (self.palette.warning, format!("{property} is not decided")),
        };
        let name = match answer.verdict {
            Verdict::Safe => "safe:",
            Verdict::Unsafe => "unsafe:",
            Verdict::Unknown => "unknown:",
        };
        let name = paint(style, name);
        let mut line = format!("{name} {words} (engine {}", answer.engine);
        if let Some(executions) = answer.statistics.get("executions") {
            let plural = if *executions == 1 { "" } else { "s" };
            let _ = write!(line, ", {executions} execution{plural}");
        }
        let _ = write!(line, ", {:.2} s)", answer.elapsed_ms as f64 / 1000.0);
        self.line(line);
    }
}

fn about_an_object(kind: StepKind) -> bool {
    matches!(kind, StepKind::Allocated | StepKind::Freed | StepKind::ScopeEnded | StepKind::Declared)
}

/// Suspicions that are likely one error: the same is said of several places, or several things of one line.
fn have_one_root(a: &Violation, b: &Violation) -> bool {
    let line = |v: &Violation| (v.location.file.clone(), v.location.line);
    a.class == b.class && (a.message == b.message || line(a) == line(b))
}

/// `file:line:column` as far as it is known.
fn position(place: &Location) -> String {
    let file = if place.file.is_empty() { "<unknown>" } else { &place.file };
    match (place.line, place.column) {
        (0, _) => file.to_owned(),
        (line, 0) => format!("{file}:{line}"),
        (line, column) => format!("{file}:{line}:{column}"),
    }
}

/// An assumption in words.
fn describe(assumption: &Assumption) -> String {
    let subject = &assumption.subject;
    if assumption.accepted {
        return match assumption.kind {
            AssumptionKind::Option => format!("accepted by option: {subject}"),
            _ => format!("accepted: {}", plain(assumption.kind, subject)),
        };
    }
    plain(assumption.kind, subject)
}

pub(crate) fn plain(kind: AssumptionKind, subject: &str) -> String {
    match kind {
        AssumptionKind::ExternalFunction => format!("the external function `{subject}` has no model"),
        AssumptionKind::Bound => format!("a limit was reached: {subject}"),
        AssumptionKind::InlineAssembly => format!("inline assembly is not analysed: {subject}"),
        AssumptionKind::Unsupported => format!("not supported: {subject}"),
        AssumptionKind::FileNotAnalysed => format!("the file {subject} was not analysed"),
        AssumptionKind::ProvenanceLost => format!("it is not clear where an address points: {subject}"),
        AssumptionKind::Option => format!("option: {subject}"),
    }
}

#[cfg(test)]
mod tests;
