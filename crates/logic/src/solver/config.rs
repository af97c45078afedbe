//! Which solver is started, and how.

use crate::Sort;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Limits of one question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Time. A solver that does not keep to it is ended a little later.
    pub time: Duration,
    /// Steps, in the solver's own count: unlike time, the same in every run.
    pub steps: Option<u64>,
    /// Memory in MiB, for the whole process.
    pub memory: Option<u64>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { time: Duration::from_secs(10), steps: None, memory: Some(2_048) }
    }
}

/// What a solver understands besides SMT-LIB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// z3.
    Z3,
    /// cvc5; with a heap it decides separation logic, one question per process.
    Cvc5,
    /// Nothing is known: it reads SMT-LIB from its input. It is ended when the time of a question is over.
    Other,
}

impl Dialect {
    /// The dialect of a program: by its name, else by what it says about itself.
    pub fn of(program: &str) -> Dialect {
        let name = Path::new(program).file_name().map(|name| name.to_string_lossy().to_lowercase());
        let name = name.unwrap_or_default();
        let by = |text: &str| match () {
            () if text.contains("z3") => Some(Dialect::Z3),
            () if text.contains("cvc5") => Some(Dialect::Cvc5),
            () => None,
        };
        by(&name).or_else(|| by(&version(program)?.to_lowercase())).unwrap_or(Dialect::Other)
    }
}

/// What a program answers to `--version`, if it does so at once.
fn version(program: &str) -> Option<String> {
    let limits =
        heapproof_process::Limits { memory: None, deadline: Some(Instant::now() + Duration::from_secs(3)) };
    let mut command = heapproof_process::limited(program, limits).ok()?;
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    super::pipe::first_words(command, Duration::from_secs(2))
}

/// How a solver is started.
#[derive(Clone, Debug)]
pub struct Config {
    /// The program.
    pub program: String,
    /// What it understands.
    pub dialect: Dialect,
    /// The logic that is set first; none if none is set.
    pub logic: Option<&'static str>,
    /// Options that are set first, each as `:name value`.
    pub options: Vec<String>,
    /// The sorts of addresses and contents of separation logic.
    pub heap: Option<(Sort, Sort)>,
    /// Limits of each question.
    pub limits: Limits,
    /// The time to start, and the most for everything but questions.
    pub patience: Duration,
    /// When the program is ended, whatever it does.
    pub deadline: Option<Instant>,
    /// Every question is written to a file in this directory.
    pub dump: Option<PathBuf>,
}

impl Config {
    /// A program: z3, cvc5 or another one that reads SMT-LIB.
    pub fn new(program: &str) -> Config {
        Config {
            program: program.to_owned(),
            dialect: Dialect::of(program),
            logic: Some("ALL"),
            options: Vec::new(),
            heap: None,
            limits: Limits::default(),
            patience: Duration::from_secs(20),
            deadline: None,
            dump: None,
        }
    }

    /// cvc5 for separation logic over a heap from addresses to contents.
    pub fn separation(program: &str, address: Sort, content: Sort) -> Config {
        let base = Config::new(program);
        Config { logic: Some("QF_ALL"), heap: Some((address, content)), ..base }
    }

    /// With limits for each question.
    pub fn with_limits(self, limits: Limits) -> Config {
        Config { limits, ..self }
    }

    /// With a time at which everything is over.
    pub fn with_deadline(self, deadline: Option<Instant>) -> Config {
        Config { deadline, ..self }
    }

    /// With every question written to a directory.
    pub fn with_dump(self, dump: Option<PathBuf>) -> Config {
        Config { dump, ..self }
    }

    /// What the program answers to `--version`, if it does so at once.
    pub fn version(&self) -> Option<String> {
        version(&self.program)
    }

    /// False if each question needs a process of its own.
    pub(super) fn is_incremental(&self) -> bool {
        self.heap.is_none()
    }

    /// The command that starts it.
    pub(super) fn command(&self) -> std::io::Result<Command> {
        let memory = self.limits.memory.map(|memory| memory << 20);
        let limits = heapproof_process::Limits { memory, deadline: self.deadline };
        let mut command = heapproof_process::limited(&self.program, limits)?;
        match self.dialect {
            Dialect::Z3 => {
                command.args(["-smt2", "-in"]);
                if let Some(memory) = self.limits.memory {
                    command.arg(format!("-memory:{memory}"));
                }
            }
            Dialect::Cvc5 => {
                command.args(["--lang=smt2", "--quiet"]);
                command.arg(if self.is_incremental() { "--incremental" } else { "--no-incremental" });
                command.arg(format!("--tlimit-per={}", self.limits.time.as_millis().max(1)));
                if let Some(steps) = self.limits.steps {
                    command.arg(format!("--rlimit-per={steps}"));
                }
            }
            Dialect::Other => {}
        }
        Ok(command)
    }

    /// True if another limit needs another process.
    pub(super) fn must_restart(&self, new: &Limits) -> bool {
        match self.dialect {
            Dialect::Z3 => self.limits.memory != new.memory,
            Dialect::Cvc5 => self.limits != *new,
            Dialect::Other => false,
        }
    }

    /// The commands that set the limits of a question.
    pub(super) fn limit_commands(&self) -> Vec<String> {
        if self.dialect != Dialect::Z3 {
            return Vec::new();
        }
        let mut commands =
            vec![format!("(set-option :timeout {})", self.limits.time.as_millis().clamp(1, 1 << 31))];
        commands.extend(self.limits.steps.map(|steps| format!("(set-option :rlimit {steps})")));
        commands
    }

    /// The first commands.
    pub(super) fn preamble(&self) -> Vec<String> {
        let mut commands = vec!["(set-option :print-success false)".to_owned()];
        commands.push("(set-option :produce-models true)".to_owned());
        if self.is_incremental() {
            commands.push("(set-option :produce-unsat-assumptions true)".to_owned());
        }
        commands.extend(self.options.iter().map(|option| format!("(set-option {option})")));
        commands.extend(self.limit_commands());
        commands.extend(self.logic.map(|logic| format!("(set-logic {logic})")));
        commands
    }
}
