//! One test on one target: truth, execution, proof and inverted twin.

use std::io;
use std::path::Path;

use crate::native::{self, Native, Target};
use crate::suite::Test;
use crate::tool::{Checked, Ran, Tool, Twin};

/// What is asked of each test.
#[derive(Clone, Copy, Debug)]
pub struct Questions {
    /// By `run`.
    pub run: bool,
    /// By `check`, with the inverted twin.
    pub check: bool,
}

/// What came of a test.
#[derive(Clone, Debug)]
pub enum Judged {
    /// It does not count: there is no truth, or it is on the list.
    LeftOut(LeftOut, String),
    /// It counts.
    Compared(Compared),
}

/// Why a test does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// It does not compile or fails on this machine.
    NoTest,
    /// gcc and clang differ.
    Apart,
    /// On the list.
    OutOfScope,
}

/// The answers to the questions that were asked.
#[derive(Clone, Debug, Default)]
pub struct Compared {
    /// Of `run`.
    pub ran: Option<Ran>,
    /// Of `check`.
    pub checked: Option<Checked>,
    /// Of `check` for the inverted twin.
    pub twin: Option<Checked>,
}

impl Compared {
    /// What must not be: another result, an execution that does not end, an error where there is none, a proof of the
    /// twin.
    pub fn failures(&self) -> Vec<String> {
        let mut failures = Vec::new();
        match &self.ran {
            Some(Ran::Wrong(how)) => failures.push(format!("run: wrong: {how}")),
            Some(Ran::Stopped(why)) => failures.push(format!("run: stopped: {why}")),
            Some(Ran::Right | Ran::Asked(_)) | None => {}
        }
        if let Some(Checked::Unsafe(why)) = &self.checked {
            failures.push(format!("check: unsafe: {why}"));
        }
        if self.twin == Some(Checked::Safe) {
            failures.push("check: the inverted twin is safe".to_string());
        }
        failures
    }

    /// What is only imprecise.
    pub fn gaps(&self) -> Vec<String> {
        let mut gaps = Vec::new();
        if let Some(Ran::Asked(how)) = &self.ran {
            gaps.push(format!("run: after other inputs: {how}"));
        }
        if let Some(Checked::Unknown(why)) = &self.checked {
            gaps.push(format!("check: unknown: {why}"));
        }
        if let Some(Checked::Unknown(why)) = &self.twin {
            gaps.push(format!("twin: unknown: {why}"));
        }
        gaps
    }
}

/// Asks the questions about `test`; files go to `scratch`.
pub fn judge(
    test: &Test,
    target: Target,
    tool: &Tool,
    questions: Questions,
    known: Option<&Path>,
    scratch: &Path,
) -> io::Result<Judged> {
    let truth = match native::recall(known, test, target, scratch, tool.native_limit)? {
        Native::Agreed(truth) => truth,
        Native::NoTest(why) => return Ok(Judged::LeftOut(LeftOut::NoTest, why)),
        Native::Apart(how) => return Ok(Judged::LeftOut(LeftOut::Apart, how)),
    };
    let mut compared = Compared::default();
    if questions.run {
        compared.ran = Some(tool.run(test, target, &truth, scratch)?);
    }
    if questions.check {
        compared.checked = Some(tool.check(test, target, Twin::Straight, scratch)?);
        compared.twin = Some(tool.check(test, target, Twin::Inverted, scratch)?);
    }
    Ok(Judged::Compared(compared))
}
