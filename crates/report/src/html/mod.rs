//! One page for a run: the answer, each error with its source and a stepper through its execution, what is proved at loops.
//!
//! The page needs nothing else: no network, no scripts (with scripts, one step is shown at a time).

mod highlight;

use crate::picture::{Film, Layout, draw, shapes};
use crate::story;
use askama::Template;
use heapproof_verdict::{Answer, Assumption, FunctionAnswer, Location, StepKind, Verdict, Violation};
use std::collections::{BTreeMap, BTreeSet};

/// Lines before and after the one that is about to be executed, in a step that is read without scripts.
const CONTEXT: usize = 4;
/// Files with more lines are shown in parts.
const MOST_LINES: usize = 3000;
/// The largest source file that is read.
const MOST_BYTES: u64 = 4 << 20;
/// States of one loop that are drawn.
const MOST_CASES: usize = 12;

/// What the page shows.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// The answer.
    pub answer: &'a Answer,
    /// What was checked, for the title.
    pub name: &'a str,
    /// The executions of errors, step by step.
    pub films: &'a [Film],
    /// What engines found to hold at loops, as they write it for people.
    pub invariants: &'a [String],
    /// The source files of which lines may be shown.
    pub sources: &'a BTreeSet<String>,
    /// The command that runs an error again; its inputs follow.
    pub replay: Option<&'a str>,
    /// The parts of a project.
    pub units: &'a [Unit],
}

/// A part of a project that was checked on its own.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Its name.
    pub name: String,
    /// The answer about it.
    pub verdict: Verdict,
    /// Why it is not decided, or what else there is to say.
    pub note: String,
}

#[derive(Template)]
#[template(path = "page.html", escape = "none")]
struct PageTemplate {
    title: String,
    verdict: &'static str,
    sentence: String,
    reason: Vec<String>,
    advice: Vec<String>,
    facts: Vec<(String, String)>,
    errors: Vec<Error>,
    suspicions: Vec<Error>,
    functions: Vec<Function>,
    units: Vec<Function>,
    loops: Vec<Loop>,
    proved: bool,
    assumptions: Vec<String>,
    notes: Vec<String>,
    files: Vec<File>,
    style: &'static str,
    script: &'static str,
}

struct Error {
    number: usize,
    title: String,
    class: String,
    place: String,
    href: String,
    excerpt: Vec<Line>,
    story: Vec<Told>,
    steps: Vec<Shown>,
    replay: String,
}

struct Told {
    kind: &'static str,
    place: String,
    href: String,
    text: String,
}

struct Shown {
    number: usize,
    count: usize,
    place: String,
    file: usize,
    line: u32,
    error: String,
    happened: Vec<String>,
    left_out: String,
    excerpt: Vec<Line>,
    svg: String,
}

struct Line {
    number: usize,
    here: bool,
    markup: String,
}

struct Function {
    name: String,
    place: String,
    href: String,
    verdict: &'static str,
    note: String,
}

struct Loop {
    heading: String,
    href: String,
    cases: Vec<Case>,
    text: String,
}

struct Case {
    sentence: String,
    svg: String,
}

struct File {
    number: usize,
    name: String,
    lines: Vec<Line>,
    more: usize,
}

/// The page.
pub fn render(page: &Page<'_>) -> String {
    let answer = story::in_words(page.answer, Some(page.sources));
    let mut maker = Maker { files: BTreeMap::new(), sources: page.sources, names: Vec::new() };
    // Files stand in the order in which the reader meets them.
    let errors: Vec<Error> = answer
        .violations
        .iter()
        .enumerate()
        .map(|(index, violation)| {
            let film = page.films.iter().find(|film| film.violation == index);
            maker.error(index + 1, violation, film, page.replay)
        })
        .collect();
    let first = errors.len();
    let of_functions = answer.functions.iter().flat_map(|function| &function.violations).enumerate();
    let more: Vec<Error> = of_functions
        .map(|(index, violation)| maker.error(first + index + 1, violation, None, None))
        .collect();
    let suspicions = answer.suspicions.iter().enumerate();
    let suspicions: Vec<Error> =
        suspicions.map(|(index, violation)| maker.error(index + 1, violation, None, None)).collect();
    let units = page.units.iter().map(|unit| Function {
        name: escape(&unit.name),
        place: String::new(),
        href: String::new(),
        verdict: verdict(unit.verdict),
        note: words(&unit.note),
    });
    let units = units.collect();
    let functions = answer.functions.iter().map(|function| maker.function(function)).collect();
    let loops: Vec<Loop> = page.invariants.iter().flat_map(|text| maker.loops(text)).collect();
    // Headers of the system are there only if an error or a loop is.
    for name in page.sources.iter().filter(|name| !name.starts_with("/usr/")) {
        maker.file(name);
    }
    let template = PageTemplate {
        title: escape(page.name),
        verdict: verdict(answer.verdict),
        sentence: sentence(&answer),
        reason: answer
            .reason
            .iter()
            .filter(|_| answer.verdict == Verdict::Unknown)
            .map(|r| words(r))
            .collect(),
        advice: match answer.verdict {
            Verdict::Unknown => crate::advice::advice(&answer).iter().map(|hint| words(hint)).collect(),
            _ => Vec::new(),
        },
        facts: facts(&answer),
        errors: errors.into_iter().chain(more).collect(),
        suspicions,
        functions,
        units,
        loops,
        proved: answer.verdict == Verdict::Safe,
        assumptions: answer.ledger.assumptions.iter().map(assumption).collect(),
        notes: answer.ledger.notes.iter().map(|note| words(&note.text)).collect(),
        files: maker.shown(),
        style: include_str!("../../templates/style.css"),
        script: include_str!("../../templates/script.js"),
    };
    template.render().unwrap_or_else(|why| format!("<!doctype html><p>The page cannot be made: {why}</p>"))
}

fn escape(text: &str) -> String {
    crate::picture::escape(&crate::escape::line(text))
}

/// Words with what stands in backquotes as code.
fn words(text: &str) -> String {
    let mut out = String::new();
    for (index, part) in escape(text).split('`').enumerate() {
        match index % 2 {
            0 => out.push_str(part),
            _ => out.push_str(&format!("<code>{part}</code>")),
        }
    }
    out
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Safe => "safe",
        Verdict::Unsafe => "unsafe",
        Verdict::Unknown => "unknown",
    }
}

fn sentence(answer: &Answer) -> String {
    let property = escape(&answer.property.to_string());
    match (answer.verdict, answer.violations.len()) {
        (Verdict::Safe, _) => format!("No execution violates {property}."),
        (Verdict::Unsafe, 0 | 1) => format!("An execution violates {property}."),
        (Verdict::Unsafe, n) => format!("{n} errors violate {property}."),
        (Verdict::Unknown, _) => format!("It is not decided whether {property} holds."),
    }
}

fn facts(answer: &Answer) -> Vec<(String, String)> {
    let mut facts = vec![
        ("Property".to_owned(), escape(&answer.property.to_string())),
        ("Engine".to_owned(), escape(&answer.engine)),
    ];
    for proof in &answer.proofs {
        let shows: Vec<&str> = proof.shows.iter().map(|p| p.name()).collect();
        facts.push((format!("Proved by {}", escape(&proof.engine)), shows.join(", ")));
    }
    if let Some(executions) = answer.statistics.get("executions") {
        facts.push(("Executions".to_owned(), executions.to_string()));
    }
    facts.push(("Time".to_owned(), format!("{:.2} s", answer.elapsed_ms as f64 / 1000.0)));
    facts.push(("heapproof".to_owned(), env!("CARGO_PKG_VERSION").to_owned()));
    facts
}

fn assumption(assumption: &Assumption) -> String {
    let accepted = if assumption.accepted { " (accepted)" } else { "" };
    let place = assumption.location.as_ref().map(|at| format!("{}: ", position(at))).unwrap_or_default();
    format!(
        "{}{}{accepted}",
        escape(&place),
        words(&crate::text::plain(assumption.kind, &assumption.subject))
    )
}

fn position(place: &Location) -> String {
    match (place.file.is_empty(), place.line) {
        (true, _) => "unknown place".to_owned(),
        (_, 0) => place.file.clone(),
        (_, line) => format!("{}:{line}", place.file),
    }
}

struct Maker<'a> {
    /// Files with their lines as markup; none for those that cannot be read.
    files: BTreeMap<String, (usize, Vec<String>)>,
    sources: &'a BTreeSet<String>,
    names: Vec<String>,
}

impl Maker<'_> {
    /// The number of a file, and its lines.
    fn file(&mut self, name: &str) -> Option<&(usize, Vec<String>)> {
        if !self.files.contains_key(name) && self.sources.contains(name) {
            let lines = read(name)?;
            self.names.push(name.to_owned());
            self.files.insert(name.to_owned(), (self.names.len(), lines));
        }
        self.files.get(name)
    }

    /// A link to a line.
    fn href(&mut self, place: &Location) -> String {
        match self.file(&place.file) {
            Some((file, _)) if place.line > 0 => format!("#f{file}-{}", place.line),
            _ => String::new(),
        }
    }

    /// Lines around a place.
    fn excerpt(&mut self, place: &Location, context: usize) -> Vec<Line> {
        let here = place.line as usize;
        let Some((_, lines)) = self.file(&place.file).filter(|_| here > 0) else { return Vec::new() };
        let first = here.saturating_sub(context + 1);
        let shown = lines.iter().enumerate().skip(first).take(2 * context + 1);
        shown
            .map(|(index, line)| Line { number: index + 1, here: index + 1 == here, markup: line.clone() })
            .collect()
    }

    fn error(
        &mut self,
        number: usize,
        violation: &Violation,
        film: Option<&Film>,
        replay: Option<&str>,
    ) -> Error {
        let told = |maker: &mut Self, kind, place: &Location, text: &str, times: u64| Told {
            kind,
            place: escape(&position(place)),
            href: maker.href(place),
            text: words(&match times {
                1 => text.to_owned(),
                n => format!("{text} ({n} times)"),
            }),
        };
        let mut story: Vec<Told> = violation
            .path
            .iter()
            .map(|step| told(self, kind(step.kind), &step.location, &step.message, step.times))
            .collect();
        story.push(told(self, "error", &violation.location, &violation.message, 1));
        let cwe = violation.cwe.map(|n| format!(" (CWE-{n})")).unwrap_or_default();
        let replay = match (replay, &violation.inputs) {
            (Some(command), Some(inputs)) if inputs.is_empty() => escape(command),
            (Some(command), Some(inputs)) if inputs.len() < 400 => {
                escape(&format!("{command} --input {inputs}"))
            }
            _ => String::new(),
        };
        let steps = film.map(|film| self.steps(film)).unwrap_or_default();
        // The stepper shows the source itself.
        let excerpt = if steps.is_empty() { self.excerpt(&violation.location, 2) } else { Vec::new() };
        Error {
            number,
            title: words(&violation.message),
            class: format!("{}{cwe}", violation.class),
            place: escape(&position(&violation.location)),
            href: self.href(&violation.location),
            excerpt,
            story,
            steps,
            replay,
        }
    }

    fn steps(&mut self, film: &Film) -> Vec<Shown> {
        let layout = Layout::of(film.steps.iter().map(|step| &step.picture));
        let count = film.steps.len();
        let one = |(index, step): (usize, &crate::picture::Step)| {
            let file = self.file(&step.location.file).map_or(0, |file| file.0);
            let place = format!("line {} in {}", step.location.line, step.location.function);
            let label = format!("The memory at step {} of {count}, {place}", index + 1);
            Shown {
                number: index + 1,
                count,
                place: escape(&place),
                file,
                line: step.location.line,
                error: step.picture.error.as_deref().map(words).unwrap_or_default(),
                happened: step.happened.iter().map(|text| words(text)).collect(),
                left_out: match step.left_out {
                    0 => String::new(),
                    1 => "1 step before this one is not shown".to_owned(),
                    n => format!("{n} steps before this one are not shown"),
                },
                excerpt: self.excerpt(&step.location, CONTEXT),
                svg: draw(&step.picture, &layout, &label),
            }
        };
        film.steps.iter().enumerate().map(one).collect()
    }

    fn function(&mut self, function: &FunctionAnswer) -> Function {
        let place =
            Location { file: function.file.clone(), line: function.line, column: 0, function: String::new() };
        Function {
            name: escape(&function.name),
            place: escape(&position(&place)),
            href: self.href(&place),
            verdict: verdict(function.verdict),
            note: match (&function.reason, function.violations.first()) {
                (_, Some(violation)) => words(&violation.message),
                (Some(reason), _) => words(reason),
                _ => String::new(),
            },
        }
    }

    /// What holds at the loops of a text.
    fn loops(&mut self, text: &str) -> Vec<Loop> {
        let shapes = shapes(text);
        if shapes.is_empty() {
            let heading = text.lines().next().unwrap_or_default();
            let text = crate::picture::escape(text);
            return vec![Loop { heading: words(heading), href: String::new(), cases: Vec::new(), text }];
        }
        let one = |shape: crate::picture::Shape| {
            let place = shape.heading.split(": loop in").next().unwrap_or_default();
            let (file, line) = place.rsplit_once(':').unwrap_or((place, ""));
            let line = line.parse().unwrap_or(0);
            let place = Location { file: file.to_owned(), line, column: 0, function: String::new() };
            let count = shape.cases.len();
            let cases = shape.cases.iter().take(MOST_CASES).map(|(sentence, picture)| Case {
                sentence: words(sentence),
                svg: draw(picture, &Layout::of([picture]), "What holds at the loop"),
            });
            let cases: Vec<Case> = cases.collect();
            let which = match count {
                1 => "always one state".to_owned(),
                n => format!("one of {n} states"),
            };
            let heading = match shape.heading.split_once(": loop in ") {
                Some((_, rest)) => {
                    let function = rest.split(',').next().unwrap_or_default();
                    format!(
                        "the loop at {}:{line} in {function}: {which}",
                        file.rsplit('/').next().unwrap_or(file)
                    )
                }
                None => shape.heading.clone(),
            };
            let text = crate::picture::escape(&shape.text);
            Loop { heading: words(&heading), href: self.href(&place), cases, text }
        };
        shapes.into_iter().map(one).collect()
    }

    /// The files as they are shown, in the order of their numbers.
    fn shown(self) -> Vec<File> {
        let mut files: Vec<File> = self
            .files
            .into_iter()
            .map(|(name, (number, lines))| {
                let more = lines.len().saturating_sub(MOST_LINES);
                let lines = lines.into_iter().take(MOST_LINES).enumerate();
                let lines =
                    lines.map(|(index, markup)| Line { number: index + 1, here: false, markup }).collect();
                File { number, name: escape(&name), lines, more }
            })
            .collect();
        files.sort_by_key(|file| file.number);
        files
    }
}

fn kind(kind: StepKind) -> &'static str {
    match kind {
        StepKind::Allocated | StepKind::Declared => "allocated",
        StepKind::Freed | StepKind::ScopeEnded => "freed",
        _ => "way",
    }
}

/// The lines of a source file as markup.
fn read(name: &str) -> Option<Vec<String>> {
    let about = std::fs::metadata(name).ok()?;
    if !about.is_file() || about.len() > MOST_BYTES {
        return None;
    }
    let bytes = std::fs::read(name).ok()?;
    Some(highlight::lines(&String::from_utf8_lossy(&bytes)))
}

#[cfg(test)]
mod tests;
