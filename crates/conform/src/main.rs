//! Holds heapproof against conformance suites: native runs by clang and gcc, `heapproof run` and `heapproof check`.

mod judge;
mod native;
mod process;
mod scope;
mod suite;
mod table;
mod tool;

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use clap::Parser;

use judge::{Judged, LeftOut, Questions};
use native::Target;
use scope::Scope;
use suite::{Kind, Test};
use table::Table;
use tool::Tool;

/// Compare heapproof with clang and gcc on conformance suites.
#[derive(Parser)]
#[command(name = "conform")]
struct Arguments {
    /// The heapproof executable.
    #[arg(long, value_name = "PATH")]
    heapproof: PathBuf,
    /// A suite: torture, llvm, firm, c-testsuite, libc-test or own, and where it is (repeatable).
    #[arg(long, value_name = "NAME=DIR", value_parser = suite)]
    suite: Vec<(Kind, PathBuf)>,
    /// Random programs of csmith with these seeds, from A up to but without B.
    #[arg(long, value_name = "A..B", value_parser = seeds, default_value = "0..0")]
    csmith: Range<u64>,
    /// Every N-th test, from the K-th on.
    #[arg(long, value_name = "K/N", value_parser = slice, default_value = "1/1")]
    slice: (usize, usize),
    /// Only tests whose SUITE/NAME contains one of these (repeatable).
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,
    /// The list of tests that are out of scope.
    #[arg(long, value_name = "FILE")]
    scope: Option<PathBuf>,
    /// Targets: lp64, ilp32.
    #[arg(long, value_name = "NAME", value_parser = target, value_delimiter = ',', default_value = "lp64,ilp32")]
    target: Vec<Target>,
    /// Questions: run, check.
    #[arg(long, value_name = "NAME", value_delimiter = ',', default_value = "run,check")]
    ask: Vec<String>,
    /// Tests in work at a time.
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// The most seconds of a question: a guard, as the steps are limited.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    limit: u64,
    /// The most seconds of a native program; csmith writes some that never end.
    #[arg(long, value_name = "SECONDS", default_value_t = 5)]
    native_limit: u64,
    /// The most instructions of an execution by `run`.
    #[arg(long, value_name = "N", default_value_t = 50_000_000)]
    steps: u64,
    /// Write every outcome to a file, with tabulators.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Keep what the native programs did in a directory, and do not run them again.
    #[arg(long, value_name = "DIR")]
    truth: Option<PathBuf>,
    /// Keep programs of csmith that differ here.
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

fn suite(text: &str) -> Result<(Kind, PathBuf), String> {
    let (name, path) = text.split_once('=').ok_or("NAME=DIR is needed")?;
    let kind = Kind::by_name(name).ok_or_else(|| format!("no suite is called `{name}`"))?;
    Ok((kind, PathBuf::from(path)))
}

fn seeds(text: &str) -> Result<Range<u64>, String> {
    let number = |digits: &str| digits.parse::<u64>().map_err(|error| format!("{error}: `{digits}`"));
    let (from, to) = text.split_once("..").ok_or("A..B is needed")?;
    Ok(number(from)?..number(to)?)
}

fn slice(text: &str) -> Result<(usize, usize), String> {
    let number = |digits: &str| digits.parse::<usize>().map_err(|error| format!("{error}: `{digits}`"));
    let (which, of) = text.split_once('/').ok_or("K/N is needed")?;
    match (number(which)?, number(of)?) {
        (which, of) if (1..=of).contains(&which) => Ok((which, of)),
        _ => Err("slices are counted from 1/N to N/N".to_string()),
    }
}

fn target(text: &str) -> Result<Target, String> {
    let all = [Target::Lp64, Target::Ilp32];
    all.into_iter()
        .find(|target| target.name() == text)
        .ok_or_else(|| format!("no target is called `{text}`"))
}

/// A test that may still have to be written.
enum Source {
    File(Test),
    Csmith(u64),
}

impl Source {
    fn id(&self) -> String {
        match self {
            Source::File(test) => test.id(),
            Source::Csmith(seed) => format!("csmith/{seed}"),
        }
    }

    fn kind(&self) -> Kind {
        match self {
            Source::File(test) => test.kind,
            Source::Csmith(_) => Kind::Csmith,
        }
    }

    /// The test; a program of csmith is written to `scratch`.
    fn test(&self, scratch: &Path) -> io::Result<Test> {
        match self {
            Source::File(test) => Ok(test.clone()),
            Source::Csmith(seed) => {
                let file = scratch.join(format!("csmith-{seed}.c"));
                let mut command = Command::new("csmith");
                command.args(["--seed", &seed.to_string(), "--no-argc", "-o"]).arg(&file);
                // It leaves a file `platform.info` where it runs.
                command.current_dir(scratch);
                process::run(&mut command, scratch, Duration::from_secs(60))?;
                Ok(suite::csmith(*seed, file))
            }
        }
    }
}

fn main() -> ExitCode {
    match conform(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("conform: {error}");
            ExitCode::from(2)
        }
    }
}

/// Whether everything agrees.
fn conform(arguments: &Arguments) -> io::Result<bool> {
    let scope = match &arguments.scope {
        Some(path) => Scope::read(&fs::read_to_string(path)?).map_err(|why| {
            io::Error::new(io::ErrorKind::InvalidData, format!("{}: {why}", path.display()))
        })?,
        None => Scope::default(),
    };
    let results = Results {
        table: Mutex::default(),
        failed: Mutex::default(),
        report: arguments.report.as_ref().map(File::create).transpose()?.map(Mutex::new),
    };
    let work = Mutex::new(sources(arguments)?);
    let outcomes: Vec<io::Result<()>> = thread::scope(|threads| {
        let workers: Vec<_> = (0..arguments.jobs.max(1))
            .map(|_| threads.spawn(|| work_off(&work, arguments, &scope, &results)))
            .collect();
        workers.into_iter().map(|worker| worker.join().expect("a worker does not panic")).collect()
    });
    outcomes.into_iter().collect::<io::Result<()>>()?;
    print!("{}", results.table.into_inner().expect("not poisoned"));
    let failed = results.failed.into_inner().expect("not poisoned");
    println!("{failed} disagree");
    Ok(failed == 0)
}

struct Results {
    table: Mutex<Table>,
    failed: Mutex<u32>,
    report: Option<Mutex<File>>,
}

type Work = Mutex<VecDeque<(Source, Target)>>;

fn sources(arguments: &Arguments) -> io::Result<VecDeque<(Source, Target)>> {
    let mut all = Vec::new();
    for (kind, root) in &arguments.suite {
        let root = root.canonicalize()?;
        all.extend(suite::tests(*kind, &root)?.into_iter().map(Source::File));
    }
    all.extend(arguments.csmith.clone().map(Source::Csmith));
    let (which, of) = arguments.slice;
    let wanted = |id: &str| arguments.only.is_empty() || arguments.only.iter().any(|text| id.contains(text));
    let mut work = VecDeque::new();
    let chosen =
        all.into_iter().enumerate().filter(|(at, source)| at % of == which - 1 && wanted(&source.id()));
    for (_, source) in chosen {
        for target in &arguments.target {
            let again = match &source {
                Source::File(test) => Source::File(test.clone()),
                Source::Csmith(seed) => Source::Csmith(*seed),
            };
            work.push_back((again, *target));
        }
    }
    Ok(work)
}

fn work_off(work: &Work, arguments: &Arguments, scope: &Scope, results: &Results) -> io::Result<()> {
    let limit = Duration::from_secs(arguments.limit);
    let path = arguments.heapproof.canonicalize()?;
    let ask = |name: &str| arguments.ask.iter().any(|asked| asked == name);
    let questions = Questions { run: ask("run"), check: ask("check") };
    loop {
        let next = work.lock().expect("not poisoned").pop_front();
        let Some((source, target)) = next else { return Ok(()) };
        let scratch = tempfile::tempdir()?;
        let judged = match scope.reason(&source.id(), target) {
            Some(reason) => Judged::LeftOut(LeftOut::OutOfScope, reason.to_string()),
            None => {
                let test = source.test(scratch.path())?;
                let property = if scope.leaks(&test.id()) { tool::ALL_BUT_LEAKS } else { tool::ALL };
                let native_limit = Duration::from_secs(arguments.native_limit);
                let tool = Tool { path: path.clone(), steps: arguments.steps, limit, native_limit, property };
                let judged = judge::judge(
                    &test,
                    target,
                    &tool,
                    questions,
                    arguments.truth.as_deref(),
                    scratch.path(),
                )?;
                keep(&judged, &test, arguments)?;
                judged
            }
        };
        record(&source, target, &judged, results)?;
    }
}

fn keep(judged: &Judged, test: &Test, arguments: &Arguments) -> io::Result<()> {
    let Judged::Compared(compared) = judged else { return Ok(()) };
    let Some(directory) = &arguments.keep else { return Ok(()) };
    if test.kind == Kind::Csmith && !compared.failures().is_empty() {
        fs::create_dir_all(directory)?;
        fs::copy(&test.files[0], directory.join(test.files[0].file_name().expect("a file")))?;
    }
    Ok(())
}

fn record(source: &Source, target: Target, judged: &Judged, results: &Results) -> io::Result<()> {
    let (id, target) = (source.id(), target.name());
    results.table.lock().expect("not poisoned").add(source.kind().name(), target, judged);
    let lines = match judged {
        Judged::LeftOut(why, detail) => vec![format!("{why:?}: {detail}")],
        Judged::Compared(compared) => {
            let failures = compared.failures();
            for failure in &failures {
                println!("{id} {target}: {failure}");
            }
            *results.failed.lock().expect("not poisoned") += u32::from(!failures.is_empty());
            let mut lines = failures;
            lines.extend(compared.gaps());
            if lines.is_empty() {
                lines.push("agrees".to_string());
            }
            lines
        }
    };
    if let Some(report) = &results.report {
        let mut report = report.lock().expect("not poisoned");
        for line in lines {
            writeln!(report, "{id}\t{target}\t{}", line.replace(['\n', '\t'], " "))?;
        }
    }
    Ok(())
}
