//! Whole projects: every entry of a database, unit by unit, with a cache.
//!
//! [`entries`] reads what a build does, [`scan`] compiles each file once or finds that nothing has changed, [`run`] lets
//! processes of our own ([`worker`]) analyse units, [`show`] writes the answer about all of them.

pub mod capture;
mod entries;
mod run;
mod scan;
mod select;
mod show;
mod worker;

pub use worker::UNIT;

use crate::cli::Status;
use crate::cli::args::{CacheArgs, Check, Diff, Known, Merge, Source};
use crate::cli::output::{complain, out, remark};
use heapproof_project::cache::Cache;
use heapproof_project::report::{Report, Shard, Summary, Times};
use heapproof_project::{find, plan};
use heapproof_report::escape;
use heapproof_report::known::{self, Baseline, Entry};
use heapproof_verdict::Verdict;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// True if the command line is about a project rather than about files of one program.
pub fn is_meant(args: &Check) -> bool {
    match args.source.files.as_slice() {
        [] => true,
        [one] => one.is_dir(),
        _ => false,
    }
}

/// Names the database in the directory that `-p` names.
pub fn name_database(source: &mut Source) -> Result<(), String> {
    if let (None, Some(build)) = (&source.compile_commands, &source.build) {
        let found = find::database(build);
        let missing =
            || format!("there is neither {} nor {} in {}", find::RECORD, find::DATABASE, build.display());
        source.compile_commands = Some(found.ok_or_else(missing)?);
    }
    Ok(())
}

/// What is ended by Ctrl-C.
pub type Interrupted = Arc<AtomicBool>;

/// Checks a project and says what came of it.
pub fn main(args: &Check, clang: &[String]) -> Status {
    match checked(args, clang) {
        Ok((report, place)) => show::deliver(args, &report, &place),
        Err(message) => {
            complain(message);
            Status::WrongUse
        }
    }
}

/// The report, and where the project is as seen from here.
fn checked(args: &Check, clang: &[String]) -> Result<(Report, show::Place), String> {
    let started = Instant::now();
    show::can_show(args)?;
    let project = entries::read(args)?;
    let selection = select::Selection::new(&args.project, &project.root)?;
    let interrupted = Interrupted::default();
    signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::clone(&interrupted))
        .map_err(|why| format!("cannot listen to signals: {why}"))?;
    let cache = Cache::new(cache_folder(args));
    let tool = scan::Tool::new(args)?;
    let scanned = scan::all(&project, &tool, &cache, clang, args, &interrupted)?;
    let units = plan::units(&scanned.objects(), &project.links, &project.root);
    let jobs = run::jobs(units, &scanned, &project, &tool, args);
    let plan = run::digest(&jobs);
    let all = jobs.len();
    let jobs = selection.select(jobs, &scanned, &project.root)?;
    let (mine, elsewhere) = selection.shard(jobs);
    let selected = (mine.len() + elsewhere) as u64;
    let done = run::all(mine, &scanned, &project, &cache, args, &interrupted);
    let mut report = Report {
        heapproof: env!("CARGO_PKG_VERSION").to_owned(),
        verdict: Verdict::Unknown,
        summary: Summary::default(),
        selection: selection.words(selected, all as u64),
        shard: selection.shard.map(|(number, of)| Shard { number, of, plan, elsewhere: elsewhere as u64 }),
        units: done.units,
        errors: Vec::new(),
        suppressions: Vec::new(),
        not_analysed: project
            .not_analysed
            .into_iter()
            .chain(scanned.not_analysed)
            .chain(done.not_analysed)
            .collect(),
        notes: scanned.notes.into_iter().collect(),
        times: None,
    };
    report.times = Some(Times {
        elapsed_ms: started.elapsed().as_millis() as u64,
        cached: done.cached,
        compiled: scanned.compiled,
        units: done.times,
    });
    if cache.damaged() > 0 {
        remark(format_args!("{} damaged entries of the cache were done anew", cache.damaged()));
    }
    if cache.unwritten() > 0 {
        remark(format_args!(
            "{} entries could not be written to the cache: is its disk full?",
            cache.unwritten()
        ));
    }
    if interrupted.load(Ordering::Relaxed) {
        remark("interrupted: this is what is known so far");
    }
    let sources: BTreeSet<String> = done.sources.values().flatten().cloned().collect();
    // Headers of the system are not ours.
    let own = sources.iter().filter(|file| !file.starts_with('/')).cloned().collect();
    let comments = known::comments_of(&own, &project.root);
    let report = report.finish().with_errors(&project.root, &done.sources, comments);
    let report = baseline(report, &args.known)?;
    let place = show::Place { root: project.root, sources };
    Ok((report, place))
}

/// The report without the errors of the baseline; or a new baseline.
fn baseline(report: Report, args: &Known) -> Result<Report, String> {
    let Some(path) = &args.baseline else { return Ok(report) };
    if report.shard.is_some() {
        return Err("the reports of all shards have one baseline: heapproof merge --baseline".to_owned());
    }
    // What was not decided now may be there as before.
    let is_complete = report.selection.is_none()
        && report.not_analysed.iter().all(|entry| entry.accepted)
        && report.units.iter().all(|unit| unit.answer.verdict != Verdict::Unknown);
    let old = match path.exists() || !args.update_baseline {
        true => Baseline::read(path)?,
        false => Baseline::default(),
    };
    if args.update_baseline {
        let mut errors = report.errors.clone();
        let gone = old.mark(&mut errors).into_iter().cloned();
        let mut new = Baseline::of(&report.errors);
        let kept: Vec<_> = gone.filter(|_| !is_complete).collect();
        remark(format_args!(
            "{}: {} errors, of which {} were not found in this run and stay, since not all was decided",
            path.display(),
            new.errors.len() + kept.len(),
            kept.len()
        ));
        new.errors.extend(kept);
        new.errors.sort();
        new.write(path)?;
        return Ok(report.with_baseline(&new).0);
    }
    let (report, gone) = report.with_baseline(&old);
    if !gone.is_empty() && is_complete {
        remark(format_args!(
            "{} errors of the baseline are not there any more, the first in {} ({}): --update-baseline removes them",
            gone.len(),
            gone[0].file,
            gone[0].class.name()
        ));
    }
    Ok(report)
}

/// `heapproof diff`.
pub fn diff(args: &Diff) -> Status {
    let read = |path: &PathBuf| {
        #[derive(serde::Deserialize)]
        struct Errors {
            errors: Vec<Entry>,
        }
        let text = std::fs::read(path).map_err(|why| format!("cannot read {}: {why}", path.display()))?;
        let read = serde_json::from_slice::<Errors>(&text);
        read.map(|report| report.errors)
            .map_err(|why| format!("{} is no report (check --format json): {why}", path.display()))
    };
    let both = read(&args.old).and_then(|old| Ok((old, read(&args.new)?)));
    let difference = match both {
        Ok((old, new)) => known::difference(&old, &new),
        Err(message) => {
            complain(message);
            return Status::WrongUse;
        }
    };
    let mut text = String::new();
    for entry in &difference.new {
        text.push_str(&format!("new    {}\n", escape::line(&entry.words())));
    }
    for listed in &difference.gone {
        let words = format!("{}: {}: {}", listed.file, listed.class.name(), listed.message);
        text.push_str(&format!("gone   {}\n", escape::line(&words)));
    }
    let (new, gone, still) = (difference.new.len(), difference.gone.len(), difference.still.len());
    text.push_str(&format!("{new} new, {gone} gone, {still} in both\n"));
    match out(text.as_bytes()) {
        false => Status::WrongUse,
        true if new > 0 => Status::Unsafe,
        true => Status::Safe,
    }
}

/// Where results are kept: where the user says, else in the usual place; nowhere if they are not wanted.
fn cache_folder(args: &Check) -> Option<PathBuf> {
    // What another clang reads is not known.
    if args.project.no_cache || args.source.clang.is_some() {
        return None;
    }
    args.cache.clone().or_else(Cache::usual_folder)
}

/// `heapproof merge`.
pub fn merge(args: &Merge) -> Status {
    let read = |path: &PathBuf| {
        let text = std::fs::read(path).map_err(|why| format!("cannot read {}: {why}", path.display()))?;
        serde_json::from_slice::<Report>(&text).map_err(|why| {
            format!("{} is no report of a shard (check --shard K/N --format json): {why}", path.display())
        })
    };
    let merged = args.reports.iter().map(read).collect::<Result<Vec<_>, _>>().and_then(Report::merge);
    match merged {
        Ok(report) => match baseline(report, &args.known) {
            Ok(report) => show::write(&report, &args.into(), &show::Place::here()),
            Err(message) => {
                complain(message);
                Status::WrongUse
            }
        },
        Err(message) => {
            complain(message);
            Status::WrongUse
        }
    }
}

/// `heapproof cache`.
pub fn cache(args: &CacheArgs) -> Status {
    let Some(folder) = args.cache.clone().or_else(Cache::usual_folder) else {
        complain("there is no home directory and so no usual place of a cache; name one with --cache");
        return Status::WrongUse;
    };
    let cache = Cache::new(Some(folder.clone()));
    let mut text = String::new();
    if args.clear || args.trim_days.is_some() || args.trim_mib.is_some() {
        let unused = args.trim_days.map(|days| Duration::from_secs(days.saturating_mul(24 * 3600)));
        let most = if args.clear { Some(0) } else { args.trim_mib.map(|mib| mib.saturating_mul(1 << 20)) };
        let removed = cache.trim(unused, most);
        text.push_str(&format!("removed {} entries, {} KiB\n", removed.entries, removed.bytes >> 10));
    }
    let size = cache.size();
    text.push_str(&format!("{}: {} entries, {} KiB\n", folder.display(), size.entries, size.bytes >> 10));
    if out(text.as_bytes()) { Status::Safe } else { Status::WrongUse }
}
