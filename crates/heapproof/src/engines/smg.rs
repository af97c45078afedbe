//! Engine `smg`: proofs by symbolic memory graphs. What it cannot prove it leaves undecided.

use crate::progress::Progress;
use heapproof_ir::Program;
use heapproof_smg::{self as smg, Trouble, TroubleKind};
use heapproof_verdict::{Answer, ErrorClass, Ledger, Location, PropertySet, Verdict, Violation};
use std::collections::BTreeMap;
use std::time::Instant;

/// What is asked.
#[derive(Clone, Debug)]
pub struct Question {
    /// The properties.
    pub properties: PropertySet,
    /// The function to start at.
    pub entry: String,
    /// `malloc` and its relatives may give null.
    pub malloc_may_fail: bool,
    /// The most configurations that are looked at.
    pub configurations: u64,
    /// When to give up.
    pub deadline: Option<Instant>,
}

/// Configurations that differ in numbers only and stay apart at a loop.
const DELAY: usize = 32;

/// Tries to prove the properties.
pub fn prove(program: &Program, question: &Question, progress: &Progress) -> Answer {
    progress.enter("proving with symbolic memory graphs");
    if question.malloc_may_fail {
        let reason = "engine smg does not cover a malloc that may fail".to_owned();
        return answer(question, Verdict::Unknown, Some(reason), None, BTreeMap::new());
    }
    let options = smg::Options {
        properties: question.properties.clone(),
        entry: question.entry.clone(),
        deadline: question.deadline,
        max_states: question.configurations,
        delay: DELAY,
        thresholds: smg::Thresholds::default(),
    };
    let analysis = smg::analyse(program, &options);
    let statistics = BTreeMap::from([("configurations".to_owned(), analysis.states)]);
    match analysis.trouble {
        None => answer(question, Verdict::Safe, None, None, statistics),
        Some(trouble) => {
            let location = location(program, &trouble);
            let place = match location.line {
                0 => String::new(),
                line => format!("{}:{line}: ", location.file),
            };
            let reason = format!("{place}{}", trouble.message);
            let suspicion = match trouble.kind {
                TroubleKind::Suspicion(class) => Some(suspicion(class, location, trouble.message)),
                TroubleKind::NotCovered | TroubleKind::Limit => None,
            };
            answer(question, Verdict::Unknown, Some(reason), suspicion, statistics)
        }
    }
}

fn answer(
    question: &Question,
    verdict: Verdict,
    reason: Option<String>,
    suspicion: Option<Violation>,
    statistics: BTreeMap<String, u64>,
) -> Answer {
    Answer {
        verdict,
        property: question.properties.clone(),
        engine: "smg".to_owned(),
        violations: Vec::new(),
        suspicions: suspicion.into_iter().collect(),
        reason,
        ledger: Ledger::default(),
        statistics,
        elapsed_ms: 0,
    }
}

fn location(program: &Program, trouble: &Trouble) -> Location {
    let file = program.files.get(trouble.span.file).cloned().unwrap_or_default();
    let function = program.functions.get(trouble.func).map(|f| f.name.clone()).unwrap_or_default();
    Location { file, line: trouble.span.line, column: trouble.span.column, function }
}

fn suspicion(class: ErrorClass, location: Location, message: String) -> Violation {
    let property = class.properties().first().copied().unwrap_or(heapproof_verdict::Property::ValidDeref);
    Violation { class, cwe: class.cwe(), property, location, message, path: Vec::new(), inputs: None }
}
