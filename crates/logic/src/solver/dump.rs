//! Questions as files that a solver reads back.

use super::{Answer, Config, Failure};
use crate::Term;
use crate::smtlib::Script;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The number of the next file, over all solvers of this process.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// A question as a script of its own.
pub(crate) fn script<'a>(config: &Config, conditions: impl Iterator<Item = &'a Term>) -> String {
    let mut script = Script::new();
    if let Some(logic) = config.logic {
        script.command(&format!("(set-logic {logic})"));
    }
    if let Some((address, content)) = &config.heap {
        script.declare_sort(address);
        script.declare_sort(content);
        script.command(&format!("(declare-heap ({address} {content}))"));
    }
    conditions.for_each(|condition| script.assert(condition));
    script.command("(check-sat)");
    script.take()
}

/// Writes a question before it is asked. The file's name has its number. What cannot be written is left out:
/// a dump is for people and changes no answer.
pub(crate) fn question(directory: &Path, script: &str) -> Option<PathBuf> {
    fs::create_dir_all(directory).ok()?;
    // What is there stays: questions of an earlier run keep their files.
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let file = directory.join(format!("query-{number:06}.smt2"));
        match fs::OpenOptions::new().write(true).create_new(true).open(&file) {
            Ok(mut open) => {
                open.write_all(script.as_bytes()).ok()?;
                return Some(file);
            }
            Err(why) if why.kind() == ErrorKind::AlreadyExists => {}
            Err(_) => return None,
        }
    }
}

/// Adds what came out.
pub(crate) fn outcome(file: &Path, answer: &Result<Answer, Failure>, elapsed: Duration) {
    let words = match answer {
        Ok(Answer::Sat) => "sat".to_owned(),
        Ok(Answer::Unsat) => "unsat".to_owned(),
        Ok(Answer::Unknown(reason)) => format!("unknown: {reason}"),
        Err(why) => format!("no answer: {why}"),
    };
    if let Ok(mut text) = fs::read_to_string(file) {
        text.push_str(&format!("; {}, {} ms\n", words.replace('\n', " "), elapsed.as_millis()));
        let _ = fs::write(file, text);
    }
}
