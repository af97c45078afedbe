//! Runs `heapproof run` on a program and reads its answer.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde::Deserialize;

use crate::fault::Fault;
use crate::observed::{End, Observed, Unobserved};
use crate::process;

#[derive(Deserialize)]
struct Answer {
    outcome: Outcome,
    exit_code: Option<i32>,
    #[serde(default)]
    stdout: String,
    #[serde(default)]
    violations: Vec<Violation>,
    reason: Option<serde_json::Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Outcome {
    Finished,
    Violation,
    Stopped,
}

#[derive(Deserialize)]
struct Violation {
    class: String,
    line: Option<u32>,
    #[serde(default)]
    path: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    kind: String,
    line: Option<u32>,
}

/// What `tool run` observes of the C file `source`.
pub fn observe(tool: &Path, source: &Path, limit: Duration) -> Result<Observed, Unobserved> {
    let mut command = Command::new(tool);
    command.args(["run", "--format", "json"]).arg(source);
    let done = process::run(&mut command, limit)?;
    if done.timed_out {
        return Err(Unobserved::TimedOut);
    }
    read_answer(&done.stdout).map_err(|error| match error {
        Unobserved::NotUnderstood(why) => {
            Unobserved::NotUnderstood(format!("{why}; exit {:?}, {}", done.code, done.stderr.trim()))
        }
        other => other,
    })
}

/// Points with their numbers, and what ended the program before it was done.
type Printed = (Vec<(usize, i32)>, Option<String>);

/// The numbers that the points of a batch of [`crate::grid`] have by `heapproof run`.
pub struct Numbers<'a> {
    /// The program heapproof.
    pub tool: &'a Path,
    /// The files of the batch.
    pub files: &'a [std::path::PathBuf],
    /// The data model with 32 bits.
    pub ilp32: bool,
    /// Limit for one run.
    pub limit: Duration,
}

impl Numbers<'_> {
    /// The number of each wanted point, or why there is none; a point that fails does not stop the others.
    pub fn of(&self, wanted: &[bool]) -> Result<Vec<Result<i32, String>>, String> {
        let mut found: Vec<Result<i32, String>> = vec![Err("not wanted".to_owned()); wanted.len()];
        let mut first = wanted.iter().position(|wanted| *wanted).unwrap_or(wanted.len());
        while first < wanted.len() {
            let last = (first..wanted.len()).take_while(|index| wanted[*index]).last().unwrap_or(first);
            let (numbers, failure) = self.run(first, last)?;
            let mut next = first;
            for (index, number) in numbers {
                found[index] = Ok(number);
                next = index + 1;
            }
            if let (Some(why), true) = (failure, next <= last) {
                found[next] = Err(why);
                next += 1;
            }
            first = (next..wanted.len()).find(|index| wanted[*index]).unwrap_or(wanted.len());
        }
        Ok(found)
    }

    fn run(&self, first: usize, last: usize) -> Result<Printed, String> {
        let mut command = Command::new(self.tool);
        command.args(["run", "--format", "json", "--steps", "1000000000", "--target"]);
        command.arg(if self.ilp32 { "ilp32" } else { "lp64" }).args(self.files);
        command.args([format!("-DFIRST={first}"), format!("-DLAST={last}")]).args(["-std=gnu17", "-w"]);
        let done = process::run(&mut command, self.limit).map_err(|error| format!("{error:?}"))?;
        let answer: Answer = serde_json::from_str(&done.stdout)
            .map_err(|error| format!("{error}: {} {}", done.stdout.trim(), done.stderr.trim()))?;
        let numbers = crate::grid::native::read(&answer.stdout);
        let failure = match answer.outcome {
            Outcome::Finished => None,
            Outcome::Stopped => Some(format!("stopped: {}", answer.reason.unwrap_or_default())),
            Outcome::Violation => {
                let what = answer.violations.first();
                Some(what.map_or_else(String::new, |v| format!("{} at line {:?}", v.class, v.line)))
            }
        };
        let silent = numbers.last().map_or(first, |(index, _)| index + 1) <= last && failure.is_none();
        Ok((numbers, if silent { Some("no output".to_owned()) } else { failure }))
    }
}

/// Reads the JSON answer of `heapproof run`.
pub fn read_answer(json: &str) -> Result<Observed, Unobserved> {
    let answer: Answer =
        serde_json::from_str(json).map_err(|error| Unobserved::NotUnderstood(error.to_string()))?;
    let end = match answer.outcome {
        Outcome::Stopped => {
            let reason = answer.reason.map(|reason| reason.to_string());
            return Err(Unobserved::Stopped(reason.unwrap_or_default()));
        }
        Outcome::Finished if answer.violations.is_empty() => {
            let code = answer.exit_code;
            End::Exit(code.ok_or_else(|| Unobserved::NotUnderstood("finished without exit code".into()))?)
        }
        Outcome::Finished | Outcome::Violation => error(&answer.violations)?,
    };
    Ok(Observed { stdout: answer.stdout, end })
}

/// Execution goes on after leaks, so the first other violation is what ended it.
fn error(violations: &[Violation]) -> Result<End, Unobserved> {
    let is_leak = |violation: &&Violation| violation.class == Fault::Leak.name();
    let first = violations.iter().find(|v| !is_leak(v)).or(violations.first());
    let first = first.ok_or_else(|| Unobserved::NotUnderstood("violation without violations".into()))?;
    let class: Fault = first.class.parse().map_err(Unobserved::NotUnderstood)?;
    let concerned: Vec<&Violation> =
        if class == Fault::Leak { violations.iter().collect() } else { vec![first] };
    let steps = concerned.iter().flat_map(|violation| &violation.path);
    let alloc_lines: BTreeSet<u32> =
        steps.filter(|step| step.kind == "allocated").filter_map(|step| step.line).collect();
    Ok(End::Error { class, access_line: first.line, alloc_lines })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_an_exit() {
        let json = r#"{"outcome":"finished","exit_code":3,"stdout":"a\n","violations":[],"reason":null}"#;
        let observed = Observed { stdout: "a\n".to_string(), end: End::Exit(3) };
        assert_eq!(read_answer(json), Ok(observed));
    }

    #[test]
    fn reads_all_allocations_of_a_leak() {
        let json = r#"{"outcome":"violation","stdout":"","violations":[
            {"class":"leak","line":9,"path":[{"kind":"allocated","file":"a.c","line":4,"message":""}]},
            {"class":"leak","line":9,"path":[{"kind":"allocated","file":"a.c","line":5,"message":""}]}]}"#;
        let end =
            End::Error { class: Fault::Leak, access_line: Some(9), alloc_lines: BTreeSet::from([4, 5]) };
        assert_eq!(read_answer(json).unwrap().end, end);
    }

    #[test]
    fn a_stop_carries_its_reason() {
        let json = r#"{"outcome":"stopped","reason":"no model for `frob`"}"#;
        assert_eq!(read_answer(json), Err(Unobserved::Stopped("\"no model for `frob`\"".to_string())));
    }
}
