//! `heapproof run`: one concrete execution with given inputs, or several with random ones.

use super::Status;
use super::args::{Run, RunFormat};
use super::output::{self, complain, err, remark};
use super::setup;
use crate::at_exit::LeaksAtExit;
use crate::check::{self, Failure, Options, Prepared};
use crate::engines::random;
use crate::progress::Progress;
use crate::watch::{Ended, Limits, supervise};
use heapproof_confirm::vector::{self, Queued, Vector};
use heapproof_confirm::violations;
use heapproof_contracts::run_with_contracts;
use heapproof_engine::{Progress as _, Source};
use heapproof_interp::{self as interp, Outcome};
use heapproof_ir::Span;
use heapproof_report::{escape, text};
use heapproof_verdict::{Property, PropertySet, Violation};
use serde::Serialize;
use std::collections::BTreeSet;
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;

/// Runs and tells.
pub fn main(args: Run, clang: Vec<String>) -> Status {
    let options = match setup::options(&args.source, &args.execution, clang, args.args.clone()) {
        Ok(options) => options,
        Err(status) => return status,
    };
    let vector = match inputs(&args) {
        Ok(vector) => vector,
        Err(message) => {
            complain(message);
            return Status::WrongUse;
        }
    };
    let report = match execute(&args, options, vector) {
        Ok(report) => report,
        Err(failure) => return setup::tell_failure(&failure, &args.source),
    };
    let told = match args.format {
        RunFormat::Text => tell(&args, &report),
        RunFormat::Json => {
            let text = escape::json(serde_json::to_string_pretty(&report).unwrap_or_default());
            output::out(format!("{text}\n").as_bytes())
        }
    };
    if !told || report.not_started {
        return Status::WrongUse;
    }
    match report.outcome {
        "finished" => Status::Safe,
        "violation" => Status::Unsafe,
        _ => Status::Unknown,
    }
}

/// The largest file of inputs.
const MOST_BYTES: u64 = 64 << 20;

/// The inputs from the command line or from a file.
fn inputs(args: &Run) -> Result<Vector, String> {
    let Some(path) = &args.input_file else {
        return args
            .input
            .as_deref()
            .unwrap_or("")
            .parse()
            .map_err(|error: vector::ParseVectorError| error.to_string());
    };
    let name = path.display();
    let mut text = String::new();
    let file =
        std::fs::File::open(path).map_err(|error| format!("cannot read the inputs {name}: {error}"))?;
    let read = file.take(MOST_BYTES + 1).read_to_string(&mut text);
    read.map_err(|error| format!("cannot read the inputs {name}: {error}"))?;
    if text.len() as u64 > MOST_BYTES {
        return Err(format!("the file of inputs {name} is larger than {} MiB", MOST_BYTES >> 20));
    }
    text.parse().map_err(|error: vector::ParseVectorError| format!("{name}: {error}"))
}

/// How a run ended, as JSON has it.
#[derive(Serialize)]
struct Report {
    outcome: &'static str,
    exit_code: Option<i32>,
    stdout: String,
    stderr: String,
    violations: Vec<Violation>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    leaks_at_exit: Vec<Violation>,
    reason: Option<String>,
    steps: u64,
    inputs: String,
    /// What the program wrote, as it wrote it.
    #[serde(skip)]
    raw: (Vec<u8>, Vec<u8>),
    /// Calls for which no input was given.
    #[serde(skip)]
    calls_beyond: u64,
    /// Inputs that nothing asked for.
    #[serde(skip)]
    left_over: usize,
    #[serde(skip)]
    aborted: bool,
    /// Files of which lines may be shown.
    #[serde(skip)]
    sources: BTreeSet<String>,
    /// The system did not let us begin.
    #[serde(skip)]
    not_started: bool,
}

impl Report {
    /// Without an execution.
    fn stopped(reason: String) -> Self {
        Report {
            outcome: "stopped",
            exit_code: None,
            stdout: String::new(),
            stderr: String::new(),
            violations: Vec::new(),
            leaks_at_exit: Vec::new(),
            reason: Some(reason),
            steps: 0,
            inputs: String::new(),
            raw: (Vec::new(), Vec::new()),
            calls_beyond: 0,
            left_over: 0,
            aborted: false,
            sources: BTreeSet::new(),
            not_started: false,
        }
    }

    fn of(run: interp::Run, prepared: &Prepared) -> Self {
        let inputs = vector::show(&run.inputs);
        let violations = violations(&run);
        let mut report = Report::stopped(String::new());
        report.reason = None;
        report.sources.clone_from(&prepared.sources);
        match run.outcome {
            Outcome::Finished { exit_code, aborted } => {
                report.outcome = "finished";
                report.exit_code = Some(exit_code);
                report.aborted = aborted;
            }
            Outcome::Violation(_) => {
                report.outcome = "violation";
                report.violations = violations;
            }
            Outcome::Stopped { why, at, .. } => {
                report.reason = Some(format!("{}{why}", place(prepared, at)));
            }
        }
        report.stdout = String::from_utf8_lossy(&run.stdout).into_owned();
        report.stderr = String::from_utf8_lossy(&run.stderr).into_owned();
        report.raw = (run.stdout, run.stderr);
        report.steps = run.steps;
        report.inputs = inputs;
        report
    }
}

/// `file:line:column: ` or nothing.
fn place(prepared: &Prepared, at: Span) -> String {
    match prepared.program.files.get(at.file) {
        Some(file) if at.is_known() => format!("{file}:{}:{}: ", at.line, at.column),
        _ => String::new(),
    }
}

/// Compiles and runs within the limits.
fn execute(args: &Run, options: Options, vector: Vector) -> Result<Report, Failure> {
    let allowed = args.execution.limits;
    if allowed.timeout == 0.0 {
        return Ok(Report::stopped("the time limit is 0 seconds, so nothing was done".to_owned()));
    }
    let limits = Limits { deadline: options.deadline, memory: allowed.memory << 20 };
    let progress = Arc::new(Progress::new());
    let steps = args.steps.unwrap_or_else(|| setup::steps(allowed));
    let work = {
        let progress = Arc::clone(&progress);
        let files = args.source.files.clone();
        let (steps, random, contracts, go_on) = (steps, args.random, args.contracts, args.go_on);
        move || -> Result<(Report, String), Failure> {
            let mut prepared = check::prepare(&files, &options, &progress)?;
            progress.enter("executing");
            let run_options =
                interp::Options { max_steps: steps, go_on, record_path: true, ..options.interp() };
            let mut report = match random {
                None if contracts => watched(&prepared, &files, &run_options, &vector)?,
                None => once(&prepared, &run_options, &vector),
                Some(executions) => several(&prepared, &options, &run_options, executions, &progress),
            };
            let is_noted = options.leaks_at_exit == LeaksAtExit::Note && random.is_none() && !contracts;
            if let Some(returning) = prepared.returning.take_if(|_| is_noted && report.outcome == "finished")
            {
                returning.restore(&mut prepared.program);
                let mut again = run_options;
                again.environment.properties = PropertySet::new("leaks", [Property::ValidMemtrack]);
                let run = interp::run(&prepared.program, &again, &mut Queued::new(&vector));
                report.leaks_at_exit = violations(&run);
            }
            Ok((report, std::mem::take(&mut prepared.diagnostics)))
        }
    };
    match supervise(limits, &progress, work) {
        Ended::Done(Ok((report, diagnostics))) => {
            setup::tell_warnings(&args.source, &diagnostics);
            Ok(report)
        }
        Ended::Done(Err(failure)) => match setup::unfinished(&failure, &args.source) {
            Some(reason) => Ok(Report::stopped(reason)),
            None => Err(failure),
        },
        Ended::NotStarted(why) => Ok(Report { not_started: true, ..Report::stopped(why) }),
        Ended::Panicked => Ok(Report::stopped("internal error of heapproof; please report it".to_owned())),
        Ended::OutOfTime => {
            Ok(Report::stopped(format!("the time limit of {} was reached", output::seconds(allowed.timeout))))
        }
        Ended::OutOfMemory => {
            Ok(Report::stopped(format!("the memory limit of {} MiB was reached", allowed.memory)))
        }
    }
}

/// One run with the given inputs. Its path costs more than the run itself and is of interest after an error only; so
/// a run with an error is repeated.
fn once(prepared: &Prepared, options: &interp::Options, vector: &Vector) -> Report {
    let quiet = interp::Options { record_path: false, ..options.clone() };
    let mut inputs = Queued::new(vector);
    let mut run = interp::run(&prepared.program, &quiet, &mut inputs);
    if matches!(run.outcome, Outcome::Violation(_)) {
        inputs = Queued::new(vector);
        run = interp::run(&prepared.program, options, &mut inputs);
    }
    let mut report = Report::of(run, prepared);
    report.calls_beyond = inputs.calls_beyond;
    report.left_over = inputs.left_over();
    report
}

/// One run with the given inputs, while contracts are evaluated.
fn watched(
    prepared: &Prepared,
    files: &[PathBuf],
    options: &interp::Options,
    vector: &Vector,
) -> Result<Report, Failure> {
    let sources: Vec<Source> = files.iter().cloned().map(Source::file).collect();
    let mut inputs = Queued::new(vector);
    let watched = run_with_contracts(&prepared.program, &sources, options, &mut inputs)
        .map_err(|mistakes| Failure::Annotations { shown: mistakes.join("\n") })?;
    let mut report = Report::of(watched.run, prepared);
    if let Some(broken) = watched.broken {
        report.outcome = "violation";
        report.exit_code = None;
        report.violations = vec![broken];
    } else if watched.undecided > 0 && report.outcome == "finished" {
        report.outcome = "stopped";
        report.reason = Some(format!("{} formulas of contracts had no value", watched.undecided));
    }
    report.calls_beyond = inputs.calls_beyond;
    report.left_over = inputs.left_over();
    Ok(report)
}

/// Runs with random inputs until one has an error; then that one, and the last one otherwise.
fn several(
    prepared: &Prepared,
    options: &Options,
    run_options: &interp::Options,
    executions: u64,
    progress: &Progress,
) -> Report {
    let mut last = Report::stopped("no execution was asked for".to_owned());
    let mut source = random::Generator::new(&prepared.program, options.random.seed);
    for _ in 0..executions {
        let run = source.run(&prepared.program, run_options);
        progress.executed(run.steps);
        last = Report::of(run, prepared);
        if last.outcome == "violation" {
            break;
        }
    }
    last
}

/// The program's output where it belongs, and on standard error how it ended.
#[must_use]
fn tell(args: &Run, report: &Report) -> bool {
    let told = output::out_of_program(&report.raw.0);
    output::err_of_program(&report.raw.1);
    let options = text::Options {
        colour: output::colour(args.execution.color, &std::io::stderr()),
        sources: Some(report.sources.clone()),
        ..text::Options::default()
    };
    for violation in &report.violations {
        err(text::render_violation(violation, &options).as_bytes());
    }
    for leak in &report.leaks_at_exit {
        err(text::render_leak_at_exit(leak, &options).as_bytes());
    }
    if report.calls_beyond > 0 && args.random.is_none() {
        let (n, were) = match report.calls_beyond {
            1 => ("1 more input".to_owned(), "was asked for than given; it was 0"),
            n => (format!("{n} more inputs"), "were asked for than given; they were 0"),
        };
        remark(format_args!("note: {n} {were}"));
    }
    if report.left_over > 0 {
        remark(format_args!("note: {} of the given inputs were not asked for", report.left_over));
    }
    let steps = report.steps;
    match report.outcome {
        "finished" if report.aborted => remark(format_args!("aborted after {steps} steps")),
        "finished" => {
            let code = report.exit_code.unwrap_or_default();
            remark(format_args!("finished with exit code {code} after {steps} steps"));
        }
        "violation" => remark(format_args!("stopped at an error after {steps} steps")),
        _ => {
            let reason = report.reason.as_deref().unwrap_or_default();
            remark(format_args!("stopped after {steps} steps: {reason}"));
        }
    }
    if args.random.is_some() && !report.inputs.is_empty() {
        remark(format_args!("the inputs were --input {}", report.inputs));
    }
    told
}
