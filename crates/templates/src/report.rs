//! What an attempt becomes: a proof with what it presupposes, suspicions, obstacles, texts.

use crate::Templates;
use crate::memory::asks_about_content;
use crate::prove::{Attempt, violated};
use crate::ssa::{Kind, Obligation, Ssa};
use crate::strategy::Template;
use heapproof_engine::{Artefact, ArtefactKind, Findings, Resolutions, Spot, Suspicion, Task};
use heapproof_verdict::{Obstacle, Proof, Property};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The most suspicions that are told.
const MOST_SUSPICIONS: usize = 6;

/// The properties that an attempt shows, if nothing stands in the way.
fn shown(attempt: &Attempt) -> Option<(BTreeSet<Property>, BTreeSet<Property>)> {
    if attempt.open.iter().any(|o| o.kind == Kind::Coverage) {
        return None;
    }
    let broken = violated(&attempt.open);
    let mut shows = BTreeSet::new();
    let mut presupposes = BTreeSet::new();
    for property in [Property::UnreachCall, Property::Assertions] {
        if !broken.contains(&property) {
            shows.insert(property);
        }
    }
    let memory = [Property::ValidDeref, Property::ValidFree];
    if attempt.ssa.blurred || memory.iter().any(|p| broken.contains(p)) {
        presupposes.extend(memory);
    } else {
        shows.extend(memory);
        if !attempt.ssa.has_heap {
            shows.extend([Property::ValidMemtrack, Property::MemCleanup, Property::ValidMemcleanup]);
            shows.insert(Property::NoOverlap);
        }
    }
    Some((shows, presupposes))
}

/// The errors of content that an attempt leaves, given that memory is used rightly.
pub fn left(task: &Task<'_>, attempt: &Attempt) -> Option<BTreeSet<Spot>> {
    if attempt.open.iter().any(|o| o.kind == Kind::Coverage) && !fault!(34) {
        return None;
    }
    // What is not asked about was not examined.
    let asked = &task.environment.properties;
    let is_unexamined = |o: &&Obligation| match o.kind {
        Kind::Error(property, _) => task.only.is_none() && !asked.has(property) && !fault!(35),
        Kind::Coverage => false,
    };
    let unexamined = attempt.ssa.obligations.iter().filter(is_unexamined);
    Some(attempt.open.iter().chain(unexamined).filter_map(Obligation::spot).collect())
}

/// True if an attempt shows what is asked about content, or, where nothing is, what is asked about memory.
pub fn is_proof(task: &Task<'_>, attempt: &Attempt) -> bool {
    let asked = &task.environment.properties;
    let wanted = |p: &&Property| match p {
        Property::UnreachCall | Property::Assertions => true,
        _ => !asks_about_content(asked),
    };
    shown(attempt).is_some_and(|(shows, _)| {
        let mut wanted = asked.members.iter().filter(wanted).peekable();
        wanted.peek().is_some() && wanted.all(|p| shows.contains(p))
    })
}

/// Writes down what was found.
pub fn conclude(engine: &Templates, task: &Task<'_>, attempt: Attempt, findings: &mut Findings) {
    let asked = &task.environment.properties;
    let resolutions = Resolutions::new(task.program, task.environment);
    if engine.dump {
        findings.artefacts.push(artefact("ssa", ArtefactKind::Formula, attempt.ssa.to_text()));
    }
    if engine.draw {
        let text: String = attempt.levels.iter().map(|level| describe(&attempt.ssa, level)).collect();
        findings.artefacts.push(artefact("templates", ArtefactKind::Invariant, text));
    }
    if let Some((shows, presupposes)) = shown(&attempt).filter(|_| task.only.is_none()) {
        let shows: BTreeSet<Property> = shows.into_iter().filter(|p| asked.has(*p)).collect();
        if !shows.is_empty() {
            findings.proof = Some(Proof { engine: "templates".to_owned(), shows, presupposes });
        }
    }
    if findings.proof.is_some() || findings.remainder.is_some() {
        resolutions.note(task.program, attempt.ssa.externals.iter().copied(), &mut findings.ledger);
    }
    for open in &attempt.open {
        let location = Some(open.place.location(task.program)).filter(|l| l.line > 0);
        match &open.kind {
            Kind::Coverage => {
                findings.obstacles.push(Obstacle::NotCovered { what: open.message.clone(), location });
            }
            Kind::Error(property, class) if asked.has(*property) => {
                findings.obstacles.push(Obstacle::Suspicion { message: open.message.clone(), location });
                // Which memory error it is, is for others to say.
                let is_content = matches!(property, Property::UnreachCall | Property::Assertions);
                let known = findings.suspicions.iter().any(|s| s.place == Some(open.place));
                if is_content && !known && findings.suspicions.len() < MOST_SUSPICIONS {
                    let mut suspicion =
                        Suspicion::new(task.program, *class, open.place, open.message.clone());
                    suspicion.violation.property = *property;
                    findings.suspicions.push(suspicion);
                }
            }
            Kind::Error(..) => {}
        }
    }
}

fn artefact(name: &str, kind: ArtefactKind, text: String) -> Artefact {
    Artefact { engine: "templates", kind, name: name.to_owned(), text, dot: None }
}

/// The invariants for people.
fn describe(ssa: &Ssa, templates: &[Template]) -> String {
    let mut out = String::new();
    for (l, template) in ssa.loops.iter().zip(templates) {
        let _ = writeln!(out, "loop {}:", l.name);
        if !template.reached {
            let _ = writeln!(out, "  its end is never reached");
            continue;
        }
        let rows = template.domains.iter().map(|domain| domain.describe()).filter(|row| !row.is_empty());
        for row in rows {
            let _ = writeln!(out, "  {row}");
        }
    }
    out
}
