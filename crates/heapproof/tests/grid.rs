//! A grid of ordinary C: every type in every position, and every operation on every pair of numbers, against what the native program
//! computes. `progen-grid` walks all of it; here every so many-th point is taken.

use heapproof::check::{self, Options, Prepared};
use heapproof::engines::ENGINES;
use heapproof::engines::random::Budget;
use heapproof::progress::Progress;
use heapproof_confirm::vector::{Queued, Vector};
use heapproof_engine::Environment;
use heapproof_interp::{self as interp, Outcome};
use heapproof_ir::Target;
use heapproof_progen::grid::{Batch, Selection, batches, native};
use heapproof_verdict::{PropertySet, Verdict};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use tempfile::TempDir;

/// What has no meaning yet: a part of the point's name, and of the reason.
const UNSUPPORTED: &[(&str, &str)] = &[
    ("t_float16", "unusual type"),
    ("r_aligned", "over-aligned structure among variadic arguments"),
    ("u_vector: variadic", "over-aligned structure among variadic arguments"),
    ("t_v8int: variadic", "over-aligned structure among variadic arguments"),
    ("t_v4double: variadic", "over-aligned structure among variadic arguments"),
    // Passed in one word and taken as two.
    ("r_aligned: variadic", "over-aligned structure among variadic arguments"),
    ("r_aligned_32: variadic", "over-aligned structure among variadic arguments"),
];

fn options(target: Target) -> Options {
    let properties: PropertySet = PropertySet::default_of_check();
    let mut options = Options {
        max_memory: 64 << 20,
        random: Budget { executions: 3, steps: 400_000, first_steps: 4_000, ..Budget::default() },
        configurations: 1_000,
        // What needs a solver has tests of its own.
        solver: "/none".to_owned(),
        ..Options::new(Environment::usual(target, properties))
    };
    options.frontend.clang_args = vec!["-std=gnu17".to_owned(), "-w".to_owned()];
    options
}

/// Does something with every element, in all threads of the machine, and returns what was wrong.
fn each<T: Sync>(all: &[T], work: impl Fn(&T) -> Vec<String> + Sync) -> Vec<String> {
    let queue = Mutex::new(all.iter());
    let wrong = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(2, |n| n.get());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let work = || {
                while let Some(one) = { queue.lock().unwrap().next() } {
                    let found = work(one);
                    wrong.lock().unwrap().extend(found);
                }
            };
            std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, work).unwrap();
        }
    });
    wrong.into_inner().unwrap()
}

/// The number that a point computes in the interpreter, or what happens instead.
fn interpreted(prepared: &Prepared, options: &Options, function: &str) -> Result<i32, String> {
    let mut run_options = interp::Options { max_steps: 10_000_000, ..options.interp() };
    run_options.environment.entries = vec![function.to_owned()];
    let run = interp::run(&prepared.program, &run_options, &mut Queued::new(&Vector::default()));
    match run.outcome {
        Outcome::Finished { exit_code, .. } => Ok(exit_code),
        Outcome::Violation(violation) => {
            Err(format!("{} in line {}: {}", violation.class, violation.location.line, violation.message))
        }
        Outcome::Stopped { why, .. } => Err(format!("stopped: {why}")),
    }
}

fn wrong_points(batch: &Batch, target: Target, folder: &Path) -> Vec<String> {
    let files = native::write(batch, folder).unwrap();
    let truth = native::numbers(&native::clang(target == Target::Ilp32), &files, batch.points.len());
    let truth = match truth {
        Ok(truth) => truth,
        Err(why) => return vec![why],
    };
    let options = options(target);
    let prepared = check::prepare(&files, &options, &Progress::new()).unwrap();
    let mut wrong = Vec::new();
    for (point, truth) in batch.points.iter().zip(truth) {
        let found = interpreted(&prepared, &options, &point.function);
        let known = |why: &String| {
            let listed = |(name, reason): &(&str, &str)| point.name.contains(name) && why.contains(reason);
            why.starts_with("stopped") && UNSUPPORTED.iter().any(listed)
        };
        if found != Ok(truth) && !found.as_ref().is_err_and(known) {
            wrong.push(format!("{}: {found:?} instead of {truth} ({})", point.name, batch.files[0].0));
        }
    }
    wrong
}

fn interpreter_agrees(target: Target, every: usize) {
    let folder = TempDir::new().unwrap();
    let selection = Selection { ilp32: target == Target::Ilp32, every, types: 40 };
    let wrong = each(&batches(selection), |batch| wrong_points(batch, target, folder.path()));
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_interpreter_computes_what_the_native_program_computes() {
    interpreter_agrees(Target::Lp64, 7);
}

#[test]
fn the_same_holds_where_long_has_32_bits() {
    interpreter_agrees(Target::Ilp32, 23);
}

/// A `main` that compares the points with the truth; with `inverted` the last comparison is the wrong way round.
fn main_of(batch: &Batch, truth: &[i32], inverted: bool) -> String {
    let mut text = "#include <assert.h>\n".to_owned();
    for point in &batch.points {
        let _ = writeln!(text, "int {}(void);", point.function);
    }
    text += "int main(void) {\n";
    for (index, (point, truth)) in batch.points.iter().zip(truth).enumerate() {
        let operator = if inverted && index + 1 == batch.points.len() { "!=" } else { "==" };
        let _ = writeln!(text, "  assert({}() {operator} {truth}); /* {} */", point.function, point.name);
    }
    text + "  return 0;\n}\n"
}

fn verdict(files: &[PathBuf], engine: Option<&str>) -> Result<Verdict, String> {
    let mut options = options(Target::Lp64);
    options.engine = engine.map(str::to_owned);
    options.frontend.clang_args.push("-DNO_MAIN".to_owned());
    let checked = check::check(files, &options, &Progress::new()).map_err(|failure| failure.to_string())?;
    Ok(checked.answer.verdict)
}

/// What an engine says wrongly of the program, or of the one with an inverted comparison.
fn wrong_verdicts(batch: &Batch, folder: &Path) -> Vec<String> {
    let files = native::write(batch, folder).unwrap();
    let truth = native::numbers(&native::clang(false), &files, batch.points.len()).unwrap();
    let mut wrong = Vec::new();
    for inverted in [false, true] {
        let main = files[0].with_extension(if inverted { "inverted.c" } else { "main.c" });
        std::fs::write(&main, main_of(batch, &truth, inverted)).unwrap();
        let program: Vec<PathBuf> = files.iter().cloned().chain([main]).collect();
        let engines = ENGINES.iter().map(|engine| Some(engine.name)).filter(|e| e.is_some_and(of_programs));
        for engine in engines.chain([None]) {
            let found = verdict(&program, engine);
            let contradicts = if inverted { Verdict::Safe } else { Verdict::Unsafe };
            if found.is_err() || found == Ok(contradicts) {
                let points: Vec<&str> = batch.points.iter().map(|point| point.name.as_str()).collect();
                wrong.push(format!("{engine:?}, inverted: {inverted}: {found:?} of {}", points.join(", ")));
            }
        }
    }
    wrong
}

/// The engine looks at whole programs.
fn of_programs(engine: &str) -> bool {
    !matches!(engine, "integrity" | "contracts")
}

#[test]
fn no_engine_contradicts_the_native_program() {
    let folder = TempDir::new().unwrap();
    let mut sample = batches(Selection { ilp32: false, every: 509, types: 40 });
    let supported = |batch: &Batch| {
        let listed = |name: &str| batch.points.iter().any(|point| point.name.contains(name));
        !UNSUPPORTED.iter().any(|(name, _)| listed(name))
    };
    sample.retain(supported);
    assert!(sample.len() > 5);
    let wrong = each(&sample, |batch| wrong_verdicts(batch, folder.path()));
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
