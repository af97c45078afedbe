//! Answers as text in GCC's style: position, class, message, source line, notes, and a line that sums up.

use crate::escape;
use crate::source::Sources;
use anstyle::{AnsiColor, Style};
use heapproof_verdict::{
    Answer, Assumption, AssumptionKind, Location, PathStep, StepKind, Verdict, Violation,
};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The most steps of a path that are shown; the other formats have them all.
const MOST_STEPS: usize = 24;

/// The longest source line that is shown within a message.
const LONGEST_QUOTE: usize = 72;

/// How to show an answer.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Use colours.
    pub colour: bool,
    /// Show what informs only: models used, the data model, code never reached.
    pub verbose: bool,
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
    let answer = &escape::value(answer).unwrap_or_else(|| answer.clone());
    let mut writer = Writer {
        out: String::new(),
        palette: Palette::new(options.colour),
        sources: Sources::only(options.sources.clone()),
        function: String::new(),
    };
    for violation in &answer.violations {
        writer.violation(violation, true);
    }
    for suspicion in &answer.suspicions {
        writer.violation(suspicion, false);
    }
    if let Some(replay) = &options.replay {
        for inputs in answer.violations.iter().filter_map(|v| v.inputs.as_deref()) {
            writer.replay(replay, inputs);
        }
    }
    for function in &answer.functions {
        function.violations.iter().for_each(|violation| writer.violation(violation, true));
        function.suspicions.iter().for_each(|suspicion| writer.violation(suspicion, false));
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
    let violation = &escape::value(violation).unwrap_or_else(|| violation.clone());
    let mut writer = Writer {
        out: String::new(),
        palette: Palette::new(options.colour),
        sources: Sources::only(options.sources.clone()),
        function: String::new(),
    };
    writer.violation(violation, true);
    writer.out
}

struct Writer {
    out: String,
    palette: Palette,
    sources: Sources,
    /// The function that was named last.
    function: String,
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
            self.step(step, 1);
            self.snippet(&step.location, self.palette.note);
        }
        let way: Vec<_> = way.chunk_by(|a, b| a == b).collect();
        // The first steps tell where the way begins, the last ones lead to the error.
        let left_out = way.len().saturating_sub(MOST_STEPS);
        for (index, equal) in way.iter().enumerate() {
            if left_out == 0 || index < MOST_STEPS / 4 || index >= MOST_STEPS / 4 + left_out {
                self.step(equal[0], equal.len());
            } else if index == MOST_STEPS / 4 {
                self.remark(&format!("… {left_out} more steps; --format json shows them all"));
            }
        }
    }

    /// A step of the way, or several equal ones in a row.
    fn step(&mut self, step: &PathStep, times: usize) {
        self.enter(&step.location);
        let head = paint(self.palette.note, "note:");
        let mut text = step.message.clone();
        // A condition says little without its text.
        if matches!(step.kind, StepKind::Branch | StepKind::Loop)
            && let Some(line) =
                self.sources.excerpt(&step.location.file, step.location.line, step.location.column)
        {
            let line = statement(&line.text, line.caret.unwrap_or(0));
            if !line.is_empty() && line.len() <= LONGEST_QUOTE {
                let _ = write!(text, ": {line}");
            }
        }
        if times > 1 {
            let _ = write!(text, " ({times} times)");
        }
        self.message(&step.location, &head, &text);
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

    fn replay(&mut self, replay: &Replay, inputs: &str) {
        let Replay { command, compiler } = replay;
        let inputs = if inputs.is_empty() { String::new() } else { format!(" --input {inputs}") };
        self.remark(&format!("see it happen: {command}{inputs}{compiler}"));
    }

    fn assumptions(&mut self, answer: &Answer) {
        for assumption in &answer.ledger.assumptions {
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
            self.line(format!("{head} {reason}"));
        }
        for hint in hints(answer) {
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

/// The part of a line that belongs to the column: what stands in braces before it does not.
fn statement(line: &str, column: usize) -> &str {
    let before = line.char_indices().nth(column).map_or(line, |(end, _)| &line[..end]);
    let start = before.rfind(['{', '}']).map_or(0, |brace| brace + 1);
    line[start..].trim().trim_end_matches(['{', '}']).trim_end()
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

fn plain(kind: AssumptionKind, subject: &str) -> String {
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

/// What the user can do about an answer that is not decided.
fn hints(answer: &Answer) -> Vec<String> {
    let mut hints = Vec::new();
    let functions: Vec<&str> = answer
        .ledger
        .blocking()
        .filter(|a| a.kind == AssumptionKind::ExternalFunction)
        .map(|a| a.subject.as_str())
        .collect();
    if let Some(first) = functions.first() {
        hints.push(format!(
            "add the file that defines `{first}`, or say what it does: --assume-pure {first} (changes no memory), --havoc {first} (may change what its arguments point to)"
        ));
    }
    // A limit on steps or on the depth of calls is none of the user's.
    let bound = |words: &[&str]| {
        let hit = |a: &Assumption| words.iter().any(|word| a.subject.contains(word));
        answer.ledger.blocking().any(|a| a.kind == AssumptionKind::Bound && hit(a))
    };
    if bound(&["second"]) {
        hints.push("--timeout SECONDS allows more time".to_owned());
    }
    if bound(&["MiB", "memory"]) {
        hints.push("--memory MIB allows more memory".to_owned());
    }
    hints
}

#[cfg(test)]
mod tests;
