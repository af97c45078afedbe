//! The answer about a project: as text that fits a screen, as JSON and as SARIF.

use crate::cli::Status;
use crate::cli::args::{Check, Format, Merge};
use crate::cli::output::{self, complain};
use heapproof_project::report::Report;
use heapproof_report::{escape, html, sarif, text};
use heapproof_verdict::{Answer, Assumption, AssumptionKind, PropertySet, Verdict, Violation};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;

/// The most units that are listed one by one.
const MOST_LINES: usize = 12;
/// The most errors that are shown with their whole story.
const MOST_STORIES: usize = 20;

/// Where a project is.
#[derive(Debug)]
pub struct Place {
    /// Its root.
    pub root: PathBuf,
    /// Files that may be shown, from there.
    pub sources: BTreeSet<String>,
}

impl Place {
    /// Here.
    pub fn here() -> Place {
        Place { root: std::env::current_dir().unwrap_or_default(), sources: BTreeSet::new() }
    }

    /// The name of a file as seen from the directory in which the program was started.
    fn name(&self, file: &str) -> String {
        let path = self.root.join(file);
        let here = std::env::current_dir().and_then(|here| here.canonicalize()).unwrap_or_default();
        path.strip_prefix(&here).unwrap_or(&path).display().to_string()
    }
}

/// How to write.
#[derive(Debug)]
pub struct How {
    format: Format,
    output: Option<PathBuf>,
    colour: bool,
    verbose: bool,
    /// What is unknown is no failure.
    errors_only: bool,
}

impl From<&Check> for How {
    fn from(args: &Check) -> How {
        How {
            format: args.format,
            output: args.output.clone(),
            colour: args.output.is_none() && output::colour(args.execution.color, &std::io::stdout()),
            verbose: args.source.verbose,
            errors_only: args.project.fail_on.is_some(),
        }
    }
}

impl From<&Merge> for How {
    fn from(args: &Merge) -> How {
        How {
            format: args.format,
            output: args.output.clone(),
            colour: false,
            verbose: false,
            errors_only: args.fail_on.is_some(),
        }
    }
}

/// Says before the work what will not go after it.
pub fn can_show(args: &Check) -> Result<(), String> {
    if args.format == Format::Svcomp {
        return Err("--format svcomp is for one program, not for a project".to_owned());
    }
    let single = [
        ("--write-test", args.write_test.is_some()),
        ("--witness", args.witness.is_some()),
        ("--write-inputs", args.write_inputs.is_some()),
        ("--dump-queries", args.dump_queries.is_some()),
        ("--dump-heaps", args.dump_heaps.is_some()),
        ("--dump-invariants", args.dump_invariants.is_some()),
        ("--dump-ssa", args.dump_ssa.is_some()),
        ("--dump-solver", args.dump_solver.is_some()),
        ("--dump-vcs", args.dump_vcs.is_some()),
    ];
    match single.iter().find(|(_, given)| *given) {
        Some((name, _)) => Err(format!("{name} is for one program, not for a project: name its files")),
        None => Ok(()),
    }
}

/// Writes the answer to where the command line says.
pub fn deliver(args: &Check, report: &Report, place: &Place) -> Status {
    if let Some(folder) = &args.html {
        page(folder, report, place);
    }
    write(report, &How::from(args), place)
}

/// Writes the page of a project: its units, and each error with its story.
fn page(folder: &std::path::Path, report: &Report, place: &Place) {
    let mut answer = joined(report);
    answer.engine = "auto".to_owned();
    for violation in &mut answer.violations {
        rename(violation, place);
    }
    if let Some(times) = &report.times {
        answer.elapsed_ms = times.elapsed_ms;
    }
    let note = |unit: &heapproof_project::report::UnitReport| {
        let errors = unit.answer.violations.iter().map(|violation| violation.class.to_string());
        let errors: BTreeSet<String> = errors.collect();
        let why = unit.answer.reason.as_deref().map(|why| short(why).to_owned());
        why.unwrap_or_else(|| errors.into_iter().collect::<Vec<_>>().join(", "))
    };
    let unit = |unit: &heapproof_project::report::UnitReport| html::Unit {
        name: unit.name.clone(),
        verdict: unit.answer.verdict,
        note: note(unit),
    };
    let units: Vec<html::Unit> = report.units.iter().map(unit).collect();
    let page = html::render(&html::Page {
        answer: &answer,
        name: &place.root.file_name().unwrap_or_default().to_string_lossy(),
        films: &[],
        invariants: &[],
        // Only files with errors: a project may have thousands.
        sources: &answer.violations.iter().flat_map(files).filter(|file| is_shown(file, place)).collect(),
        replay: None,
        units: &units,
    });
    let path = folder.join("index.html");
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, page));
    match written {
        Ok(()) => output::remark(format_args!("the page is {}", path.display())),
        Err(why) => complain(format_args!("cannot write {}: {why}", path.display())),
    }
}

/// The files of a story.
fn files(violation: &Violation) -> impl Iterator<Item = String> {
    let steps = violation.path.iter().map(|step| &step.location.file);
    steps.chain([&violation.location.file]).cloned().collect::<Vec<_>>().into_iter()
}

/// A file of the project, as it is named here.
fn is_shown(file: &str, place: &Place) -> bool {
    place.sources.iter().any(|source| place.name(source) == file)
}

/// Names files as seen from here.
fn rename(violation: &mut Violation, place: &Place) {
    let steps = violation.path.iter_mut().map(|step| &mut step.location.file);
    steps.chain([&mut violation.location.file]).for_each(|file| *file = place.name(file));
}

/// Writes the answer.
pub fn write(report: &Report, how: &How, place: &Place) -> Status {
    let mut rendered = match how.format {
        Format::Json => serde_json::to_string_pretty(report).map(escape::json).unwrap_or_default(),
        Format::Sarif => escape::json(sarif::render(&joined(report))),
        Format::Text | Format::Svcomp => text(report, how, place),
    };
    if !rendered.ends_with('\n') {
        rendered.push('\n');
    }
    let written = match &how.output {
        None => output::out(rendered.as_bytes()),
        Some(path) => std::fs::write(path, rendered)
            .map_err(|why| complain(format_args!("cannot write {}: {why}", path.display())))
            .is_ok(),
    };
    match report.verdict {
        _ if !written => Status::WrongUse,
        Verdict::Safe => Status::Safe,
        Verdict::Unsafe => Status::Unsafe,
        Verdict::Unknown if how.errors_only => Status::Safe,
        Verdict::Unknown => Status::Unknown,
    }
}

/// All of it as one answer: each error once, and what was not analysed in the ledger.
fn joined(report: &Report) -> Answer {
    let property =
        report.units.first().map_or_else(PropertySet::default_of_check, |unit| unit.answer.property.clone());
    let mut answer = Answer::undecided(property, "project");
    answer.verdict = report.verdict;
    answer.violations =
        report.errors_of_units().into_iter().map(|(_, violation)| violation.clone()).collect();
    if report.verdict == Verdict::Unknown {
        answer.reason = Some(counts(report));
    }
    for entry in &report.not_analysed {
        answer.ledger.assume(Assumption {
            kind: AssumptionKind::FileNotAnalysed,
            subject: format!("{}: {}", entry.subject, entry.reason),
            location: None,
            accepted: entry.accepted,
        });
    }
    answer
}

/// For people.
fn text(report: &Report, how: &How, place: &Place) -> String {
    let mut text = String::new();
    let errors = report.errors_of_units();
    for (unit, violation) in errors.iter().take(MOST_STORIES) {
        text.push_str(&story(violation, how, place));
        let _ = writeln!(text, "  in {}\n", escape::line(&unit.name));
    }
    if errors.len() > MOST_STORIES {
        let _ =
            writeln!(text, "… {} more errors (--format json has all of them)\n", errors.len() - MOST_STORIES);
    }
    list_units(report, how, &mut text);
    summary(report, &mut text);
    text
}

fn story(violation: &Violation, how: &How, place: &Place) -> String {
    let mut violation = violation.clone();
    rename(&mut violation, place);
    let options = text::Options {
        colour: how.colour,
        verbose: how.verbose,
        suspicions: false,
        steps: None,
        replay: None,
        sources: Some(place.sources.iter().map(|file| place.name(file)).collect()),
    };
    text::render_violation(&violation, &options)
}

/// Units that are not proved, with why; with `--verbose` all.
fn list_units(report: &Report, how: &How, text: &mut String) {
    let is_listed = |verdict: Verdict| how.verbose || verdict != Verdict::Safe;
    let listed: Vec<_> = report.units.iter().filter(|unit| is_listed(unit.answer.verdict)).collect();
    let most = if how.verbose { listed.len() } else { MOST_LINES };
    for unit in listed.iter().take(most) {
        let verdict = match unit.answer.verdict {
            Verdict::Safe => "safe",
            Verdict::Unsafe => "unsafe",
            Verdict::Unknown => "unknown",
        };
        let why = unit.answer.reason.as_deref().map(|why| format!(": {}", short(why))).unwrap_or_default();
        let _ = writeln!(text, "{verdict:8} {}{}", escape::line(&unit.name), escape::line(&why));
    }
    if listed.len() > most {
        let _ = writeln!(text, "… {} more units (-v lists all)", listed.len() - most);
    }
    let most = if how.verbose { report.not_analysed.len() } else { MOST_LINES };
    for entry in report.not_analysed.iter().filter(|entry| !entry.accepted).take(most) {
        let _ = writeln!(
            text,
            "not done {}: {}",
            escape::line(&entry.subject),
            escape::line(short(&entry.reason))
        );
    }
    let open = report.not_analysed.iter().filter(|entry| !entry.accepted).count();
    if open > most {
        let _ = writeln!(text, "… {} more that were not analysed (-v lists all)", open - most);
    }
}

/// The beginning of a long sentence.
fn short(text: &str) -> &str {
    const MOST: usize = 200;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}

fn counts(report: &Report) -> String {
    let s = &report.summary;
    let errors = if s.errors == 1 { "1 error".to_owned() } else { format!("{} errors", s.errors) };
    let units = if s.units == 1 { "1 unit".to_owned() } else { format!("{} units", s.units) };
    let open = report.not_analysed.iter().filter(|entry| !entry.accepted).count();
    let known = match (s.suppressed, s.in_baseline) {
        (0, 0) => String::new(),
        (suppressed, 0) => format!("; {suppressed} errors suppressed"),
        (0, listed) => format!("; {listed} errors in the baseline"),
        (suppressed, listed) => format!("; {suppressed} errors suppressed, {listed} in the baseline"),
    };
    format!(
        "{units}: {} proved, {} with errors ({errors}), {} unknown; {open} not analysed{known}",
        s.safe, s.unsafe_, s.unknown
    )
}

fn summary(report: &Report, text: &mut String) {
    for note in report.notes.iter().take(MOST_LINES) {
        let _ = writeln!(text, "note: {}", escape::line(note));
    }
    if report.notes.len() > MOST_LINES {
        let _ = writeln!(text, "note: … {} more notes", report.notes.len() - MOST_LINES);
    }
    for entry in
        report.errors.iter().filter_map(|entry| Some((entry, entry.suppressed.as_ref()?))).take(MOST_LINES)
    {
        let (place, class) = (&entry.0.location, entry.0.class.name());
        let words = format!("{}:{}: {class} is suppressed: {}", place.file, place.line, entry.1);
        let _ = writeln!(text, "note: {}", escape::line(&words));
    }
    for words in report.about_suppressions().iter().take(MOST_LINES) {
        let _ = writeln!(text, "note: {}", escape::line(words));
    }
    if let Some(selection) = &report.selection {
        let _ = writeln!(text, "note: only what was asked for: {}", escape::line(selection));
    }
    if let Some(shard) = &report.shard {
        let _ = writeln!(
            text,
            "note: shard {}/{}: {} units are elsewhere (heapproof merge puts reports together)",
            shard.number, shard.of, shard.elsewhere
        );
    }
    let list = |name: &str, items: Vec<(String, u64)>, text: &mut String| {
        if !items.is_empty() {
            let items: Vec<String> =
                items.into_iter().map(|(cause, count)| format!("{count} {cause}")).collect();
            let _ = writeln!(text, "{name}: {}", items.join(", "));
        }
    };
    let s = &report.summary;
    list("unknown", s.unknown_by_cause.iter().map(|(c, n)| (c.clone(), *n)).collect(), text);
    let not_analysed = s.not_analysed_by_cause.iter().map(|(c, n)| (c.words().to_owned(), *n));
    list("not analysed", not_analysed.collect(), text);
    let verdict = match report.verdict {
        Verdict::Safe => "safe",
        Verdict::Unsafe => "unsafe",
        Verdict::Unknown => "unknown",
    };
    let times = report.times.as_ref().map(|times| {
        let seconds = times.elapsed_ms as f64 / 1000.0;
        format!(" ({seconds:.1} s, {} units from the cache, {} files compiled)", times.cached, times.compiled)
    });
    let _ = writeln!(text, "{verdict}: {}{}", counts(report), times.unwrap_or_default());
}
