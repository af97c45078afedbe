//! What heapproof says of a program.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::native::{Target, Truth, differing};
use crate::process::{self, End};
use crate::suite::Test;

/// The program under test and its limits.
#[derive(Clone, Debug)]
pub struct Tool {
    /// The executable.
    pub path: PathBuf,
    /// Most instructions of an execution.
    pub steps: u64,
    /// Most time of one question; nothing but a guard where the machine is slow.
    pub limit: Duration,
    /// Most time of a native program.
    pub native_limit: Duration,
    /// What is asked for.
    pub property: &'static str,
}

/// Everything.
pub const ALL: &str = "memsafety+assertions";
/// Everything but leaks.
pub const ALL_BUT_LEAKS: &str = "valid-deref+valid-free+no-overlap+assertions";

/// How an execution by heapproof compares with the truth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ran {
    /// Same output, same status.
    Right,
    /// Another output, another status, or an error that is none.
    Wrong(String),
    /// Another result after values that its environment chose: the native program had other ones.
    Asked(String),
    /// Stopped, with the reason.
    Stopped(String),
}

/// An answer of `check`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Checked {
    /// `safe`.
    Safe,
    /// `unsafe`, with the first violation.
    Unsafe(String),
    /// `unknown` or no answer, with the reason.
    Unknown(String),
}

/// What is compiled into a program so that `check` sees whether it fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Twin {
    /// A program that ends by `abort` violates an assertion.
    Straight,
    /// So does one that ends in the usual way.
    Inverted,
}

const RENAMED: &str = "void conform_abort(void) __attribute__((noreturn));\n\
    #define abort conform_abort\n\
    #define __builtin_abort conform_abort\n";
const FAILING: &str = "#include <assert.h>\n\
    void conform_abort(void) { assert(!\"aborted\"); __builtin_unreachable(); }\n";
const INVERTING: &str = "#include <assert.h>\n#include <stdlib.h>\n\
    static void ended(void) { assert(!\"ended\"); }\n\
    __attribute__((constructor)) static void first(void) { atexit(ended); }\n";

impl Tool {
    /// Executes `test` and compares.
    pub fn run(&self, test: &Test, target: Target, truth: &Truth, scratch: &Path) -> io::Result<Ran> {
        let mut command = Command::new(&self.path);
        command.args(["run", "--format", "json", "--target", target.name()]);
        command.args(["--steps", &self.steps.to_string(), "--timeout", &self.seconds()]);
        command.args(["--property", self.property]);
        command.args(&test.options).args(&test.files).arg("--args");
        let done = process::run(&mut command, scratch, self.limit * 2)?;
        let Ok(answer) = serde_json::from_str::<Value>(&done.stdout) else {
            return Ok(Ran::Stopped(no_answer(&done)));
        };
        Ok(match answer["outcome"].as_str() {
            Some("finished") => {
                // A program's parent sees the low byte only.
                let status = answer["exit_code"].as_i64().unwrap_or(-1) as i32 & 0xff;
                let stdout = answer["stdout"].as_str().unwrap_or("").to_string();
                let ours = Truth { stdout, status };
                if ours == *truth {
                    Ran::Right
                } else {
                    let how = differing(&ours, truth);
                    differs(&answer, format!("status {status} instead of {}{how}", truth.status))
                }
            }
            Some("violation") => differs(&answer, violation(&answer)),
            _ => Ran::Stopped(text(&answer["reason"])),
        })
    }

    /// Asks for the property.
    pub fn check(&self, test: &Test, target: Target, twin: Twin, scratch: &Path) -> io::Result<Checked> {
        let answer = self.check_with(test, target, twin, true, scratch)?;
        match answer {
            // A program that has an `abort` of its own keeps it.
            Checked::Unknown(why) if why.contains("does not compile") => {
                self.check_with(test, target, twin, false, scratch)
            }
            answer => Ok(answer),
        }
    }

    fn check_with(
        &self,
        test: &Test,
        target: Target,
        twin: Twin,
        renamed: bool,
        scratch: &Path,
    ) -> io::Result<Checked> {
        let mut command = Command::new(&self.path);
        command.args(["check", "--format", "json", "--target", target.name()]);
        command.args(["--timeout", &self.seconds(), "--property", self.property]);
        // As the native program was run: without arguments.
        command.args(["--argv", ""]).args(&test.options);
        command.args(&test.files);
        if renamed {
            let (header, failing) = (scratch.join("renamed.h"), scratch.join("failing.c"));
            fs::write(&header, RENAMED)?;
            fs::write(&failing, FAILING)?;
            command.arg("-include").arg(header).arg(failing);
        }
        if twin == Twin::Inverted {
            let inverting = scratch.join("inverting.c");
            fs::write(&inverting, INVERTING)?;
            command.arg(inverting);
        }
        let done = process::run(&mut command, scratch, self.limit * 3)?;
        if done.end == End::Status(2) {
            return Ok(Checked::Unknown(format!("does not compile: {}", no_answer(&done))));
        }
        let Ok(answer) = serde_json::from_str::<Value>(&done.stdout) else {
            return Ok(Checked::Unknown(no_answer(&done)));
        };
        Ok(match answer["verdict"].as_str() {
            Some("safe") => Checked::Safe,
            Some("unsafe") => Checked::Unsafe(violation(&answer)),
            _ => Checked::Unknown(text(&answer["reason"])),
        })
    }

    fn seconds(&self) -> String {
        self.limit.as_secs().to_string()
    }
}

/// What it means that an execution differs.
fn differs(answer: &Value, how: String) -> Ran {
    let inputs = answer["inputs"].as_str().unwrap_or("");
    // Memory that was not assigned is no choice of the environment: `u7`.
    match inputs.split(',').any(|input| !input.is_empty() && !input.starts_with('u')) {
        true => Ran::Asked(how),
        false => Ran::Wrong(how),
    }
}

fn no_answer(done: &process::Done) -> String {
    let error = done.stderr.lines().find(|line| line.contains("error") || line.contains("panicked"));
    let first = error.or(done.stderr.lines().next()).unwrap_or("");
    match done.end {
        End::Status(status) => format!("no answer, status {status}: {first}"),
        End::TimedOut => "no answer in time".to_string(),
    }
}

fn violation(answer: &Value) -> String {
    let first = &answer["violations"][0];
    let place = first["line"].as_u64().map_or(String::new(), |line| format!("line {line}: "));
    let class = first["class"].as_str().unwrap_or("violation");
    let message = first["message"].as_str().unwrap_or("");
    format!("{place}{class}: {message}")
}

fn text(reason: &Value) -> String {
    match reason {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_environment_chose_excuses_another_result() {
        let answer = |inputs: &str| serde_json::json!({ "inputs": inputs });
        assert_eq!(differs(&answer(""), "a".into()), Ran::Wrong("a".into()));
        assert_eq!(differs(&answer("u7,u165:2"), "a".into()), Ran::Wrong("a".into()));
        assert_eq!(differs(&answer("u7,e0"), "a".into()), Ran::Asked("a".into()));
        assert_eq!(differs(&answer("3"), "a".into()), Ran::Asked("a".into()));
    }
}
