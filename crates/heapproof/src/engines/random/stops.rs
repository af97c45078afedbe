//! Why executions ended early, counted and put into words and into the ledger.

use heapproof_interp::Stop;
use heapproof_ir::{Program, Span};
use heapproof_verdict::{Assumption, AssumptionKind, Ledger, Location};
use std::collections::BTreeMap;

/// The most different reasons that are told.
const MOST_TOLD: usize = 4;

/// Counts of executions that gave no answer.
#[derive(Debug, Default)]
pub struct Stops {
    counts: BTreeMap<String, u64>,
    /// Executions that did not happen, because an assumption of the program does not hold.
    pub infeasible: u64,
    steps: Option<u64>,
}

impl Stops {
    /// One more.
    pub fn add(&mut self, stop: &Stop, at: Span, function: &str, program: &Program, ledger: &mut Ledger) {
        let (kind, subject) = match stop {
            Stop::Infeasible => {
                self.infeasible += 1;
                return;
            }
            Stop::Steps(limit) => {
                *self
                    .counts
                    .entry("they were still running at the limit of steps".to_owned())
                    .or_default() += 1;
                self.steps = self.steps.max(Some(*limit));
                return;
            }
            Stop::Unsupported { what } => (Some(AssumptionKind::Unsupported), what.clone()),
            Stop::External { name } => (Some(AssumptionKind::ExternalFunction), name.clone()),
            Stop::Memory(_) | Stop::Depth(_) => (Some(AssumptionKind::Bound), stop.to_string()),
            Stop::OtherError(_) | Stop::Other(_) | Stop::Deadline | Stop::Choice(_) => (None, String::new()),
        };
        if let Some(kind) = kind {
            let known = ledger.assumptions.iter().any(|a| a.kind == kind && a.subject == subject);
            if !known {
                let location = Some(location(program, at, function)).filter(|l| l.line > 0);
                ledger.assume(Assumption { kind, subject, location, accepted: false });
            }
        }
        *self.counts.entry(stop.to_string()).or_default() += 1;
    }

    /// The reasons with their counts, the most frequent first; nothing if every execution came to its end.
    pub fn describe(&self) -> Option<String> {
        if self.counts.is_empty() {
            return None;
        }
        let mut reasons: Vec<_> = self.counts.iter().collect();
        reasons.sort_by_key(|(text, count)| (std::cmp::Reverse(**count), *text));
        let told: Vec<String> =
            reasons.iter().take(MOST_TOLD).map(|(text, count)| format!("{text} ({count})")).collect();
        let more = if reasons.len() > MOST_TOLD { " and other reasons" } else { "" };
        Some(format!("{}{more}", told.join(", ")))
    }

    /// How many executions these are.
    pub fn total(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Notes in the ledger that executions were cut at a number of steps.
    pub fn note_bounds(&self, ledger: &mut Ledger) {
        if let Some(limit) = self.steps {
            ledger.assume(Assumption {
                kind: AssumptionKind::Bound,
                subject: format!("{limit} steps in one execution"),
                location: None,
                accepted: false,
            });
        }
    }
}

/// A position in words of the verdict.
pub fn location(program: &Program, at: Span, function: &str) -> Location {
    Location {
        file: program.files.get(at.file).cloned().unwrap_or_default(),
        line: at.line,
        column: at.column,
        function: function.to_owned(),
    }
}
