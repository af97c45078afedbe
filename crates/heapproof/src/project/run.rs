//! Units, each in a process of its own, as many at a time as wanted.

use super::Interrupted;
use super::entries::Project;
use super::scan::{Scan, Tool, take};
use super::worker::{Outcome, Spec, SpecFile, UNIT};
use crate::cli::args::Check;
use blake3::Hash;
use heapproof_ir::Target;
use heapproof_process::{Group, Limits, ourselves};
use heapproof_project::cache::Cache;
use heapproof_project::files::Key;
use heapproof_project::plan::{Unit, UnitKind};
use heapproof_project::report::UnitReport;
use heapproof_project::{Cause, NotAnalysed};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// How often a running unit is looked at.
const INTERVAL: Duration = Duration::from_millis(100);
/// The counted budget of a unit, unless the user says otherwise.
const BUDGET: u64 = 20_000;

/// A unit with all that is needed to analyse it.
#[derive(Debug)]
pub struct Job {
    /// Its name.
    pub name: String,
    /// Its source files, from the root.
    pub files: Vec<String>,
    /// Its files, as indices.
    pub members: Vec<usize>,
    unit: Unit,
    spec: Spec,
    /// The key of its result; none if not all is known that it depends on.
    key: Option<Hash>,
}

/// What came of all units.
#[derive(Debug, Default)]
pub struct Done {
    /// Answers.
    pub units: Vec<UnitReport>,
    /// Units without an answer.
    pub not_analysed: Vec<NotAnalysed>,
    /// What each took, if it was analysed in this run.
    pub times: BTreeMap<String, u64>,
    /// How many answers were known before.
    pub cached: u64,
    /// Files that may be shown, from the root, by unit.
    pub sources: BTreeMap<String, BTreeSet<String>>,
}

/// What has to be done for each unit.
pub fn jobs(units: Vec<Unit>, scan: &Scan, project: &Project, tool: &Tool, args: &Check) -> Vec<Job> {
    let given = given_words(args);
    let job = |unit: Unit| {
        let memory = args.execution.limits.memory;
        let mut words = vec![format!("--budget={BUDGET}"), format!("--memory={memory}")];
        words.extend(project.config.words(&unit.name));
        words.extend(given.iter().cloned());
        if unit.kind == UnitKind::Contracts {
            words.retain(|word| !word.starts_with("--property=") && !word.starts_with("--entry="));
            words.push("--property=contracts".to_owned());
        }
        let words = last_of_each(words);
        let members = unit.members.iter().map(|member| &scan.files[*member]);
        let files = members.clone().map(|member| member.name.clone()).collect();
        let spec = Spec {
            words,
            files: members.clone().map(|member| SpecFile::from(&member.file)).collect(),
            root: project.root.clone(),
            is_32: members.clone().any(|member| member.target == Target::Ilp32),
        };
        let key = || {
            let mut key = tool.key("result");
            // What only ends a unit does not change its answer.
            for word in spec.words.iter().filter(|word| !word.starts_with("--timeout=")) {
                key.add(word);
            }
            for member in unit.members.iter().map(|member| &scan.files[*member]) {
                member.add_to(&mut key, &project.root);
                member.manifest.as_ref()?.add_to(&mut key);
            }
            Some(key.finish())
        };
        let key = key();
        Job { name: unit.name.clone(), files, members: unit.members.clone(), unit, spec, key }
    };
    units.into_iter().map(job).collect()
}

impl From<&heapproof_frontend::FileOptions> for SpecFile {
    fn from(file: &heapproof_frontend::FileOptions) -> Self {
        SpecFile {
            path: file.path.clone(),
            arguments: file.arguments.clone(),
            folder: file.folder.clone(),
            bitcode: file.bitcode.clone(),
        }
    }
}

/// The options of the command line that are for units; those of the file of the project come before.
fn given_words(args: &Check) -> Vec<String> {
    let execution = &args.execution;
    let mut words = vec![format!("--solver={}", args.solver), format!("--seed={}", execution.seed)];
    let mut option =
        |name: &str, value: Option<String>| words.extend(value.map(|value| format!("--{name}={value}")));
    option("engine", Some(args.engine.clone()).filter(|name| name != "auto"));
    option("property", execution.property.clone());
    option("presuppose", execution.presuppose.clone());
    option("argv", execution.argv.clone());
    option("budget", args.budget.map(|budget| budget.to_string()));
    for (name, values) in [
        ("entry", &execution.entry),
        ("assume-pure", &execution.assume_pure),
        ("havoc", &execution.havoc),
        ("requires", &execution.requires),
    ] {
        values.iter().for_each(|value| option(name, Some(value.clone())));
    }
    if execution.malloc_may_fail {
        words.push("--malloc-may-fail".to_owned());
    }
    words
}

/// Of options that can be given once, the last.
fn last_of_each(words: Vec<String>) -> Vec<String> {
    const REPEATABLE: [&str; 4] = ["--entry", "--assume-pure", "--havoc", "--requires"];
    let name = |word: &str| word.split('=').next().unwrap_or(word).to_owned();
    let is_kept = |at: usize| {
        let own = name(&words[at]);
        let later = &words[at + 1..];
        REPEATABLE.contains(&own.as_str()) && !later.contains(&words[at])
            || !later.iter().any(|word| name(word) == own)
    };
    (0..words.len()).filter(|at| is_kept(*at)).map(|at| words[at].clone()).collect()
}

/// A hash over all units: shards of one run have the same.
pub fn digest(jobs: &[Job]) -> String {
    let mut key = Key::new("plan");
    for job in jobs {
        key.add(&job.name);
        key.add(job.key.map(|key| key.to_hex().to_string()).unwrap_or_default());
    }
    key.finish().to_hex().to_string()
}

/// A bar on standard error, if that is a terminal.
pub fn bar(length: u64, what: &'static str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{elapsed} {bar:30} {pos}/{len} {prefix} {wide_msg}") {
        bar.set_style(style);
    }
    bar.set_prefix(what);
    bar
}

/// Analyses all units.
pub fn all(
    jobs: Vec<Job>,
    scan: &Scan,
    project: &Project,
    cache: &Cache,
    args: &Check,
    interrupted: &Interrupted,
) -> Done {
    let history = History::read(cache, &project.root);
    let mut jobs = jobs;
    // Long ones first: they would otherwise be waited for at the end.
    jobs.sort_by_key(|job| std::cmp::Reverse(history.times.get(&job.name).copied().unwrap_or(0)));
    let bar = bar(jobs.len() as u64, "units");
    let run = Run {
        scan,
        project,
        cache,
        args,
        interrupted,
        bar,
        running: Mutex::default(),
        done: Mutex::default(),
    };
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..args.project.jobs().min(jobs.len()) {
            scope.spawn(|| {
                while let Some((_, job)) = take(&next, &jobs) {
                    run.one(job);
                }
            });
        }
    });
    run.bar.finish_and_clear();
    let done = run.done.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    history.write(cache, &project.root, &done.times);
    done
}

/// What units took in the last run, which decides only the order.
struct History {
    times: BTreeMap<String, u64>,
}

impl History {
    fn key(root: &Path) -> Hash {
        Key::new("history").with(root.display().to_string()).finish()
    }

    fn read(cache: &Cache, root: &Path) -> History {
        let bytes = cache.get("history", &History::key(root));
        History { times: bytes.and_then(|bytes| postcard::from_bytes(&bytes).ok()).unwrap_or_default() }
    }

    fn write(mut self, cache: &Cache, root: &Path, new: &BTreeMap<String, u64>) {
        if new.is_empty() {
            return;
        }
        self.times.extend(new.iter().map(|(name, time)| (name.clone(), *time)));
        if let Ok(bytes) = postcard::to_allocvec(&self.times) {
            cache.put("history", &History::key(root), &bytes);
        }
    }
}

struct Run<'a> {
    scan: &'a Scan,
    project: &'a Project,
    cache: &'a Cache,
    args: &'a Check,
    interrupted: &'a Interrupted,
    bar: ProgressBar,
    running: Mutex<BTreeSet<String>>,
    done: Mutex<Done>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Run<'_> {
    fn one(&self, job: &Job) {
        let kept = job.key.and_then(|key| self.cache.get("result", &key));
        let kept = kept.and_then(|bytes| serde_json::from_slice::<Outcome>(&bytes).ok());
        let is_kept = kept.is_some();
        let outcome = kept.unwrap_or_else(|| self.anew(job));
        let mut done = lock(&self.done);
        match outcome {
            Outcome::Answer { answer, sources, elapsed_ms, .. } => {
                if is_kept {
                    done.cached += 1;
                } else {
                    done.times.insert(job.name.clone(), elapsed_ms);
                }
                done.sources.insert(job.name.clone(), sources);
                done.units.push(UnitReport {
                    name: job.name.clone(),
                    kind: job.unit.kind,
                    files: job.files.clone(),
                    gaps: job.unit.gaps.clone(),
                    answer: *answer,
                });
            }
            Outcome::Failure { cause, reason } => {
                done.cached += u64::from(is_kept);
                done.not_analysed.push(NotAnalysed {
                    cause,
                    subject: job.name.clone(),
                    reason,
                    accepted: false,
                });
            }
        }
        drop(done);
        self.bar.inc(1);
    }

    /// Analyses a unit, and keeps the answer if it would be the same everywhere.
    fn anew(&self, job: &Job) -> Outcome {
        if self.interrupted.load(Ordering::Relaxed) {
            return Outcome::Failure {
                cause: Cause::Interrupted,
                reason: "the run was interrupted before it".to_owned(),
            };
        }
        self.tell(|running| {
            running.insert(job.name.clone());
        });
        let outcome = self.process(job).unwrap_or_else(|(cause, reason)| Outcome::Failure { cause, reason });
        self.tell(|running| {
            running.remove(&job.name);
        });
        let is_final = outcome.is_final();
        if let Some(key) = job.key.filter(|_| is_final && self.is_unchanged(job))
            && let Ok(bytes) = serde_json::to_vec(&outcome)
        {
            self.cache.put("result", &key, &bytes);
        }
        outcome
    }

    /// True if the files are still those that the key was made of.
    fn is_unchanged(&self, job: &Job) -> bool {
        let manifests = job.members.iter().map(|member| self.scan.files[*member].manifest.as_ref());
        manifests.into_iter().all(|manifest| {
            manifest
                .is_some_and(|m| m.files(&self.project.root).all(|file| self.scan.known.is_unchanged(&file)))
        })
    }

    fn tell(&self, change: impl FnOnce(&mut BTreeSet<String>)) {
        let mut running = lock(&self.running);
        change(&mut running);
        self.bar.set_message(running.iter().cloned().collect::<Vec<_>>().join(", "));
    }

    /// Lets a process of our own do it.
    fn process(&self, job: &Job) -> Result<Outcome, (Cause, String)> {
        let broken =
            |why: &dyn std::fmt::Display| (Cause::Crashed, format!("its process cannot be started: {why}"));
        let limits = self.limits(job);
        let mut command = ourselves(UNIT.name, limits).ok_or_else(|| broken(&"this program has no modes"))?;
        let spec = serde_json::to_vec(&job.spec).map_err(|why| broken(&why))?;
        command.current_dir(&self.project.root);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut group = Group::start(&mut command).map_err(|why| broken(&why))?;
        let (send, receive) = channel();
        let child = group.child();
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let talk = std::thread::Builder::new().spawn(move || {
            if let Some(mut stdin) = stdin {
                let _ = stdin.write_all(&spec);
            }
            let mut words = Vec::new();
            let errors = std::thread::Builder::new().spawn(move || {
                let mut bytes = Vec::new();
                let _ = stderr.map(|stderr| stderr.take(16 << 10).read_to_end(&mut bytes));
                bytes
            });
            let _ = stdout.map(|mut stdout| stdout.read_to_end(&mut words));
            let errors = errors.ok().and_then(|errors| errors.join().ok()).unwrap_or_default();
            let _ = send.send((words, errors));
        });
        talk.map_err(|why| broken(&why))?;
        let (words, errors) = loop {
            match receive.recv_timeout(INTERVAL) {
                Ok(both) => break both,
                Err(RecvTimeoutError::Disconnected) => break Default::default(),
                Err(RecvTimeoutError::Timeout) if self.interrupted.load(Ordering::Relaxed) => {
                    return Err((
                        Cause::Interrupted,
                        "the run was interrupted while it was analysed".to_owned(),
                    ));
                }
                Err(RecvTimeoutError::Timeout)
                    if limits.deadline.is_some_and(|end| Instant::now() >= end) =>
                {
                    let seconds = crate::cli::output::seconds(self.timeout(job));
                    return Err((
                        Cause::Limit,
                        format!("it was not done after {seconds} (--timeout; --budget N makes it do less)"),
                    ));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        };
        let status = group.end();
        serde_json::from_slice(&words).map_err(|_| {
            let how = status.map_or_else(|why| why.to_string(), |status| status.to_string());
            let errors = String::from_utf8_lossy(&errors);
            let said = errors.lines().find(|line| line.contains("error")).unwrap_or("").trim().to_owned();
            (
                Cause::Crashed,
                format!("its process ended with {how}{}{said}", if said.is_empty() { "" } else { ": " }),
            )
        })
    }

    fn timeout(&self, job: &Job) -> f64 {
        value_of(&job.spec.words, "--timeout=")
            .and_then(|text| text.parse().ok())
            .unwrap_or(self.args.execution.limits.timeout)
    }

    fn limits(&self, job: &Job) -> Limits {
        let memory = value_of(&job.spec.words, "--memory=").and_then(|text| text.parse::<u64>().ok());
        let memory = memory.unwrap_or(self.args.execution.limits.memory);
        let deadline = Instant::now().checked_add(Duration::from_secs_f64(self.timeout(job)));
        Limits { memory: Some(memory << 20), deadline }
    }
}

fn value_of<'a>(words: &'a [String], start: &str) -> Option<&'a str> {
    words.iter().rev().find_map(|word| word.strip_prefix(start))
}
