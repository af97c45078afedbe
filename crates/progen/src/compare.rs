//! Generates programs, has them executed by both sides, and holds the observations against each other.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::asan::Sanitizer;
use crate::fault::{Fault, Planted};
use crate::heapproof;
use crate::observed::{End, Observed, Unobserved};
use crate::process;
use crate::program::{GeneratedProgram, generate, generate_variation, variations};

/// Which programs get which fault.
#[derive(Clone, Debug)]
pub enum Plan {
    /// Every k-th seed commits an error, the classes taking turns; 0 means none does.
    Every(u64),
    /// Every seed commits an error, these classes taking turns.
    Classes(Vec<Fault>),
    /// Every seed commits an error, all variations of all scenarios taking turns.
    Variations,
}

impl Plan {
    /// The program of this seed.
    pub fn program(&self, seed: u64) -> GeneratedProgram {
        let turn = |classes: &[Fault], at: u64| classes[(at % classes.len() as u64) as usize];
        match self {
            Plan::Every(k) if *k > 0 && seed.is_multiple_of(*k) => {
                generate(seed, Some(turn(&Fault::ALL, seed / k)))
            }
            Plan::Classes(classes) if !classes.is_empty() => generate(seed, Some(turn(classes, seed))),
            Plan::Variations => generate_variation(seed, (seed % variations() as u64) as usize),
            Plan::Every(_) | Plan::Classes(_) => generate(seed, None),
        }
    }
}

/// What to compare.
#[derive(Clone, Debug)]
pub struct Options {
    /// The tool under test; without it the generator is checked against the sanitizers alone.
    pub heapproof: Option<PathBuf>,
    /// A second compiler: programs without error have to do the same with it as with the sanitizer.
    pub second: Option<PathBuf>,
    /// The seeds.
    pub seeds: Range<u64>,
    /// Their faults.
    pub plan: Plan,
    /// Programs in work at a time.
    pub jobs: usize,
    /// Where disagreeing programs are kept.
    pub keep: Option<PathBuf>,
    /// The sanitizer's settings. `strict` is set for programs without fault when `heapproof` is not given.
    pub sanitizer: Sanitizer,
}

/// The outcome for one program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Both sides saw the same.
    Agreed,
    /// They did not; what each saw.
    Disagreed(String),
    /// The tool under test gave up, with its reason.
    Stopped(String),
    /// The sanitizer did not see what the generator planned, or the second compiler's program did something else: an
    /// error in the generator.
    Misplanted(String),
}

/// The outcomes of many programs.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Programs by class (`None`: no fault), by kind of outcome: agreed, disagreed, stopped, misplanted.
    counts: BTreeMap<Option<Fault>, [usize; 4]>,
}

impl Summary {
    fn add(&mut self, fault: Option<Fault>, outcome: &Outcome) {
        let kind = match outcome {
            Outcome::Agreed => 0,
            Outcome::Disagreed(_) => 1,
            Outcome::Stopped(_) => 2,
            Outcome::Misplanted(_) => 3,
        };
        self.counts.entry(fault).or_default()[kind] += 1;
    }

    /// Whether every program agreed.
    pub fn all_agreed(&self) -> bool {
        self.counts.values().all(|counts| counts[1..] == [0, 0, 0])
    }

    /// A table, a line per class.
    pub fn table(&self) -> String {
        let mut text = format!(
            "{:<20} {:>9} {:>9} {:>9} {:>9} {:>10}\n",
            "class", "programs", "agreed", "disagreed", "stopped", "misplanted"
        );
        let mut total = [0; 4];
        let mut row = |name: &str, counts: &[usize; 4]| {
            let [agreed, disagreed, stopped, misplanted] = counts;
            let all: usize = counts.iter().sum();
            let _ = writeln!(
                text,
                "{name:<20} {all:>9} {agreed:>9} {disagreed:>9} {stopped:>9} {misplanted:>10}"
            );
        };
        for (fault, counts) in &self.counts {
            row(fault.map_or("none", Fault::name), counts);
            for (sum, count) in total.iter_mut().zip(counts) {
                *sum += count;
            }
        }
        row("total", &total);
        text
    }
}

/// Compares all programs of `options`; `report` gets every outcome that is not an agreement.
pub fn compare_all(
    options: &Options,
    report: impl Fn(u64, &GeneratedProgram, &Outcome) + Sync,
) -> Result<Summary, Unobserved> {
    let next = AtomicU64::new(options.seeds.start);
    let summary = Mutex::new(Summary::default());
    let work = || -> Result<(), Unobserved> {
        let directory = tempfile::tempdir()?;
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= options.seeds.end {
                return Ok(());
            }
            let program = options.plan.program(seed);
            let source = directory.path().join(format!("seed{seed}.c"));
            std::fs::write(&source, &program.source)?;
            let outcome = compare_one(options, &program, &source);
            std::fs::remove_file(&source)?;
            if outcome != Outcome::Agreed {
                keep(options.keep.as_deref(), seed, &program, &outcome)?;
                report(seed, &program, &outcome);
            }
            let class = program.fault.as_ref().map(|planted| planted.class);
            summary.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).add(class, &outcome);
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..options.jobs.max(1)).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| match worker.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        })
    })?;
    Ok(summary.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()))
}

fn keep(
    directory: Option<&Path>,
    seed: u64,
    program: &GeneratedProgram,
    outcome: &Outcome,
) -> Result<(), Unobserved> {
    let Some(directory) = directory else { return Ok(()) };
    std::fs::create_dir_all(directory)?;
    let class = program.fault.as_ref().map_or("none", |planted| planted.class.name());
    let name = format!("{class}-{seed}");
    std::fs::write(directory.join(format!("{name}.c")), &program.source)?;
    std::fs::write(directory.join(format!("{name}.txt")), format!("{outcome:?}\n").replace("\\n", "\n"))?;
    Ok(())
}

/// Executes one program, written to `source`, by both sides.
pub fn compare_one(options: &Options, program: &GeneratedProgram, source: &Path) -> Outcome {
    let mut sanitizer = options.sanitizer.clone();
    sanitizer.strict = program.fault.is_none() && options.heapproof.is_none();
    let reference = match sanitizer.observe(source) {
        Ok(reference) => reference,
        Err(error) => return Outcome::Misplanted(error.to_string()),
    };
    if let Some(problem) = planned(&reference, program.fault.as_ref()) {
        return Outcome::Misplanted(problem);
    }
    if let (End::Exit(_), Some(second)) = (&reference.end, &options.second) {
        match second_opinion(second, source) {
            Ok(other) => {
                if let Some(how) = difference(&reference, &other) {
                    return Outcome::Misplanted(format!("{}: {how}", second.display()));
                }
            }
            Err(error) => return Outcome::Misplanted(format!("{}: {error}", second.display())),
        }
    }
    let Some(tool) = &options.heapproof else { return Outcome::Agreed };
    match heapproof::observe(tool, source, Duration::from_secs(60)) {
        Ok(ours) => difference(&reference, &ours).map_or(Outcome::Agreed, Outcome::Disagreed),
        Err(Unobserved::Stopped(reason)) => Outcome::Stopped(reason),
        Err(error) => Outcome::Disagreed(error.to_string()),
    }
}

/// What the program does if another compiler compiles it: what clang decides before its code exists, it decides for the
/// sanitizer and for us alike.
fn second_opinion(compiler: &Path, source: &Path) -> Result<Observed, Unobserved> {
    let executable = source.with_extension("second");
    let mut compile = Command::new(compiler);
    compile.args(["-O0", "-std=gnu17", "-fno-builtin", "-w", "-o"]).arg(&executable).arg(source);
    let compiled = process::run(&mut compile, Duration::from_secs(120))?;
    if compiled.code != Some(0) {
        return Err(Unobserved::NotCompiled(compiled.stderr));
    }
    let done = process::run(&mut Command::new(&executable), Duration::from_secs(20))?;
    std::fs::remove_file(&executable)?;
    match done.code {
        _ if done.timed_out => Err(Unobserved::TimedOut),
        Some(code) => Ok(Observed { stdout: done.stdout, end: End::Exit(code) }),
        None => Err(Unobserved::NotUnderstood(format!("killed by a signal: {}", done.stderr))),
    }
}

/// What is wrong with `observed` if the program commits exactly the planted error.
pub fn planned(observed: &Observed, fault: Option<&Planted>) -> Option<String> {
    let as_planned = match (&observed.end, fault) {
        (End::Exit(code), None) => (0..=100).contains(code),
        (End::Error { class: Fault::Leak, alloc_lines, .. }, Some(planted)) => {
            planted.class == Fault::Leak && alloc_lines.iter().eq([&planted.line])
        }
        (End::Error { class, access_line, .. }, Some(planted)) => {
            *class == planted.class && *access_line == Some(planted.line)
        }
        _ => false,
    };
    let plan = fault.map_or("no error".to_string(), |p| format!("{} at line {}", p.class, p.line));
    (!as_planned).then(|| format!("planned: {plan}; sanitizer: {}", observed.end))
}

/// How `ours` differs from the `reference`, if it does.
pub fn difference(reference: &Observed, ours: &Observed) -> Option<String> {
    let same_end = match (&reference.end, &ours.end) {
        (
            End::Error { class: Fault::Leak, alloc_lines: known, .. },
            End::Error { class: Fault::Leak, alloc_lines: found, .. },
        ) => !found.is_empty() && found.is_subset(known),
        (End::Error { class: a, access_line: at, .. }, End::Error { class: b, access_line: bt, .. }) => {
            a == b && at == bt
        }
        (a, b) => a == b,
    };
    if !same_end {
        return Some(format!("sanitizer: {}; heapproof: {}", reference.end, ours.end));
    }
    let mut pairs = reference.stdout.lines().zip(ours.stdout.lines()).enumerate();
    if let Some((index, (a, b))) = pairs.find(|(_, (a, b))| a != b) {
        return Some(format!("output line {}: sanitizer `{a}`, heapproof `{b}`", index + 1));
    }
    (reference.stdout != ours.stdout).then(|| {
        let (a, b) = (reference.stdout.len(), ours.stdout.len());
        format!("output: sanitizer {a} bytes, heapproof {b} bytes, equal as far as they go")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn error(class: Fault, line: u32, allocs: &[u32]) -> Observed {
        let alloc_lines: BTreeSet<u32> = allocs.iter().copied().collect();
        Observed { stdout: String::new(), end: End::Error { class, access_line: Some(line), alloc_lines } }
    }

    #[test]
    fn leaks_are_compared_by_allocation_and_others_by_access() {
        assert_eq!(difference(&error(Fault::Leak, 1, &[5]), &error(Fault::Leak, 9, &[5])), None);
        assert!(difference(&error(Fault::Leak, 1, &[5]), &error(Fault::Leak, 1, &[6])).is_some());
        let freed = Fault::UseAfterFree;
        assert_eq!(difference(&error(freed, 4, &[1]), &error(freed, 4, &[])), None);
        assert!(difference(&error(freed, 4, &[]), &error(freed, 5, &[])).is_some());
        assert!(difference(&error(freed, 4, &[]), &error(Fault::DoubleFree, 4, &[])).is_some());
    }

    #[test]
    fn output_counts() {
        let with = |text: &str| Observed { stdout: text.to_string(), end: End::Exit(1) };
        assert_eq!(difference(&with("a\n"), &with("a\n")), None);
        assert!(difference(&with("a\nb\n"), &with("a\nc\n")).unwrap().contains("line 2"));
        assert!(difference(&with("a\nb\n"), &with("a\n")).is_some());
    }

    #[test]
    fn classes_take_turns() {
        let class = |plan: Plan, seed| plan.program(seed).fault.map(|planted| planted.class);
        assert_eq!(class(Plan::Every(2), 0), Some(Fault::ALL[0]));
        assert_eq!(class(Plan::Every(2), 1), None);
        assert_eq!(class(Plan::Every(2), 2), Some(Fault::ALL[1]));
        assert_eq!(class(Plan::Every(0), 0), None);
        assert_eq!(class(Plan::Classes(vec![Fault::Leak]), 7), Some(Fault::Leak));
    }
}
