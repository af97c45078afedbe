//! The engine as the portfolio sees it: an analysis becomes findings.

use crate::abstraction::Thresholds;
use crate::attempts::analyse_only;
use crate::draw::{to_dot, to_text};
use crate::engine::{Analysis, Options};
use crate::path;
use crate::trouble::{Trouble, TroubleKind};
use heapproof_engine::{
    Artefact, ArtefactKind, Budget, Engine, Findings, Place, Progress, Remainder, Resolutions, Scope,
    Suspicion, Task,
};
use heapproof_explore::Exhausted;
use heapproof_ir::Program;
use heapproof_verdict::{NoteKind, Obstacle, Proof, Property, PropertySet};

/// The name of the artefact that tells what configurations were spent on.
pub const PROFILE: &str = "proof.profile";

/// Configurations that differ in numbers only and stay apart at a loop.
const DELAY: usize = 32;

/// Proofs by symbolic memory graphs. Errors that it suspects are for others to confirm.
#[derive(Clone, Debug)]
pub struct Smg {
    /// Draw what holds at loop heads.
    pub draw: bool,
    /// Tell what the configurations were spent on.
    pub profile: bool,
}

impl Engine for Smg {
    fn name(&self) -> &'static str {
        "smg"
    }

    fn scope(&self) -> Scope {
        Scope::Program
    }

    fn proves(&self) -> &'static [Property] {
        &Property::OF_PROGRAMS
    }

    fn refutes(&self) -> &'static [Property] {
        &[]
    }

    fn run(&self, task: &Task<'_>, budget: &Budget, progress: &dyn Progress) -> Findings {
        progress.enter("proving with symbolic memory graphs");
        let options = Options {
            environment: task.environment.clone(),
            deadline: budget.deadline,
            cancelled: Some(budget.cancelled.clone()),
            max_states: budget.states,
            delay: DELAY,
            thresholds: Thresholds::default(),
            keep_invariants: self.draw,
            profile: self.profile,
        };
        let analysis = analyse_only(task.program, &options, task.only);
        findings(task, &analysis, budget.states)
    }
}

fn findings(task: &Task<'_>, analysis: &Analysis, limit: u64) -> Findings {
    let program = task.program;
    let mut findings = Findings::default();
    findings.statistics.insert("configurations".to_owned(), analysis.states);
    findings.artefacts = pictures(program, analysis);
    if !analysis.profiles.is_empty() {
        findings.artefacts.push(Artefact {
            engine: "smg",
            kind: ArtefactKind::Other,
            name: PROFILE.to_owned(),
            text: analysis.profiles.concat(),
            dot: None,
        });
    }
    let resolutions = Resolutions::new(program, task.environment);
    resolutions.note(program, analysis.externals.iter().copied(), &mut findings.ledger);
    if analysis.recursion {
        findings.ledger.note(NoteKind::Machine, "the stack is large enough for every recursion");
    }
    findings.remainder = analysis.left.clone().map(|spots| Remainder { spots, memory: false });
    if analysis.is_proof() && task.only.is_none() {
        let asked = &task.environment.properties;
        let shown = asked.members.iter().copied().filter(|p| Property::OF_PROGRAMS.contains(p));
        findings.proof = Some(Proof::of("smg", &PropertySet::new(&asked.name, shown)));
    }
    for trouble in &analysis.troubles {
        findings.obstacles.push(obstacle(program, trouble, limit));
        findings.suspicions.extend(suspicion(task, trouble));
    }
    if !findings.is_cut()
        && let Some(why) = analysis.cut
    {
        findings.obstacles.push(limit_of(why, limit));
    }
    if let Some(text) = analysis.growth.clone().filter(|_| findings.is_cut()) {
        findings.obstacles.push(Obstacle::Other { text });
    }
    findings
}

fn obstacle(program: &Program, trouble: &Trouble, limit: u64) -> Obstacle {
    let place = Place { func: trouble.func, span: trouble.span };
    let location = Some(place.location(program)).filter(|location| location.line > 0);
    let message = trouble.message.clone();
    match trouble.kind {
        TroubleKind::Suspicion(_) => Obstacle::Suspicion { message, location },
        TroubleKind::NotCovered => Obstacle::NotCovered { what: message, location },
        TroubleKind::External(func) => {
            Obstacle::External { name: program.functions[func].name.clone(), location }
        }
        TroubleKind::Limit(why) => limit_of(why, limit),
    }
}

fn limit_of(why: Exhausted, limit: u64) -> Obstacle {
    match why {
        Exhausted::Time => Obstacle::Time,
        Exhausted::States(_) => Obstacle::States { limit },
        Exhausted::Cancelled => Obstacle::Other { text: "it was not finished".to_owned() },
    }
}

fn suspicion(task: &Task<'_>, trouble: &Trouble) -> Option<Suspicion> {
    let TroubleKind::Suspicion(class) = trouble.kind else { return None };
    let place = Place { func: trouble.func, span: trouble.span };
    let mut suspicion = Suspicion::new(task.program, class, place, trouble.message.clone());
    let asked = class.properties().iter().find(|property| task.environment.properties.has(**property));
    if let Some(property) = asked {
        suspicion.violation.property = *property;
    }
    suspicion.violation.path = path::steps(task.program, &trouble.path);
    Some(suspicion)
}

/// What holds at loop heads, each under a name of its own.
fn pictures(program: &Program, analysis: &Analysis) -> Vec<Artefact> {
    let mut pictures: Vec<Artefact> = Vec::new();
    for invariant in &analysis.invariants {
        let function = &program.functions[invariant.func].name;
        let place = match invariant.span.line {
            0 => format!("{function}-block{}", invariant.block.as_u32()),
            line => format!("{function}-line{line}"),
        };
        let taken = |name: &str| pictures.iter().any(|picture| picture.name == name);
        let more = (2..).map(|turn| format!("{place}-{turn}"));
        let name = std::iter::once(place.clone()).chain(more).find(|name| !taken(name));
        pictures.push(Artefact {
            engine: "smg",
            kind: ArtefactKind::Invariant,
            name: name.unwrap_or(place),
            text: to_text(program, invariant),
            dot: Some(to_dot(program, invariant)),
        });
    }
    pictures
}
