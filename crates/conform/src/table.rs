//! Counts, for the table at the end.

use std::collections::BTreeMap;
use std::fmt;

use crate::judge::{Judged, LeftOut};
use crate::tool::{Checked, Ran};

#[derive(Default)]
struct Row {
    counted: u32,
    right: u32,
    wrong: u32,
    asked: u32,
    stopped: u32,
    safe: u32,
    unsafe_: u32,
    unknown: u32,
    twins: u32,
    twin_safe: u32,
    apart: u32,
    out: u32,
    no_test: u32,
}

/// Counts by suite and target.
#[derive(Default)]
pub struct Table {
    rows: BTreeMap<(String, &'static str), Row>,
}

impl Table {
    /// Counts one test.
    pub fn add(&mut self, suite: &str, target: &'static str, judged: &Judged) {
        let row = self.rows.entry((suite.to_string(), target)).or_default();
        let compared = match judged {
            Judged::LeftOut(LeftOut::NoTest, _) => return row.no_test += 1,
            Judged::LeftOut(LeftOut::Apart, _) => return row.apart += 1,
            Judged::LeftOut(LeftOut::OutOfScope, _) => return row.out += 1,
            Judged::Compared(compared) => compared,
        };
        row.counted += 1;
        match compared.ran {
            Some(Ran::Right) => row.right += 1,
            Some(Ran::Wrong(_)) => row.wrong += 1,
            Some(Ran::Asked(_)) => row.asked += 1,
            Some(Ran::Stopped(_)) => row.stopped += 1,
            None => {}
        }
        match compared.checked {
            Some(Checked::Safe) => row.safe += 1,
            Some(Checked::Unsafe(_)) => row.unsafe_ += 1,
            Some(Checked::Unknown(_)) => row.unknown += 1,
            None => {}
        }
        match compared.twin {
            Some(Checked::Safe) => row.twin_safe += 1,
            Some(Checked::Unsafe(_)) => row.twins += 1,
            Some(Checked::Unknown(_)) | None => {}
        }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<18} {:>5} | {:>5} {:>5} {:>5} {:>7} | {:>5} {:>6} {:>7} | {:>10} {:>9} | {:>5} {:>5} {:>7}",
            "suite",
            "tests",
            "right",
            "wrong",
            "input",
            "stopped",
            "safe",
            "unsafe",
            "unknown",
            "twin caught",
            "twin safe",
            "apart",
            "scope",
            "no test"
        )?;
        for ((suite, target), row) in &self.rows {
            writeln!(
                f,
                "{:<18} {:>5} | {:>5} {:>5} {:>5} {:>7} | {:>5} {:>6} {:>7} | {:>11} {:>9} | {:>5} {:>5} {:>7}",
                format!("{suite} {target}"),
                row.counted,
                row.right,
                row.wrong,
                row.asked,
                row.stopped,
                row.safe,
                row.unsafe_,
                row.unknown,
                row.twins,
                row.twin_safe,
                row.apart,
                row.out,
                row.no_test
            )?;
        }
        Ok(())
    }
}
