//! Engine `smg`: proofs by symbolic memory graphs. Errors that it suspects are confirmed by executions, or left undecided.

mod confirm;
mod path;
mod planned;

use crate::check::part_of;
use crate::progress::Progress;
use heapproof_engine::Environment;
use heapproof_interp as interp;
use heapproof_ir::Program;
use heapproof_smg::{self as smg, Trouble, TroubleKind};
use heapproof_verdict::{Answer, NoteKind, Verdict, Violation};
use std::collections::BTreeMap;
use std::time::Instant;

/// What is asked.
#[derive(Clone, Debug)]
pub struct Question {
    /// What the program runs in and what is asked.
    pub environment: Environment,
    /// The most configurations that are looked at.
    pub configurations: u64,
    /// When to give up.
    pub deadline: Option<Instant>,
    /// Draw what holds at loop heads.
    pub draw: bool,
    /// How suspected errors are replayed.
    pub replay: interp::Options,
    /// The solver that finds inputs for them.
    pub solver: String,
    /// The most bytes of memory that we and the solver may use together.
    pub memory: Option<u64>,
    /// Errors that are confirmed already: others are looked for.
    pub known: Vec<Violation>,
}

/// What holds at a loop head, ready to be shown.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The function and the line, such as `main-line42`.
    pub name: String,
    /// As text.
    pub text: String,
    /// As Graphviz.
    pub dot: String,
}

/// Configurations that differ in numbers only and stay apart at a loop.
const DELAY: usize = 32;

/// Tries to prove the properties. What holds at loop heads is added to `pictures`, if it is asked for.
pub fn prove(
    program: &Program,
    question: &Question,
    progress: &Progress,
    pictures: &mut Vec<Picture>,
) -> Answer {
    progress.enter("proving with symbolic memory graphs");
    let options = smg::Options {
        environment: question.environment.clone(),
        deadline: question.deadline.map(|deadline| part_of(deadline, 5)),
        max_states: question.configurations,
        delay: DELAY,
        thresholds: smg::Thresholds::default(),
        keep_invariants: question.draw,
    };
    let analysis = smg::analyse(program, &options);
    draw(program, &analysis.invariants, pictures);
    let mut statistics = BTreeMap::from([("configurations".to_owned(), analysis.states)]);
    let Some(first) = analysis.troubles.first() else {
        let mut answer = answer(question, Verdict::Safe, None, Vec::new(), statistics);
        if analysis.recursion {
            answer.ledger.note(NoteKind::Machine, "the stack is large enough for every recursion");
        }
        return answer;
    };
    let case = confirm::Case {
        program,
        options: &question.replay,
        solver: &question.solver,
        memory: question.memory,
        configurations: question.configurations,
        known: &question.known,
        deadline: question.deadline,
        progress,
    };
    let confirmed = confirm::confirm(&case, &analysis.troubles);
    statistics.insert("questions".to_owned(), confirmed.questions);
    statistics.insert("replays".to_owned(), confirmed.replays);
    if !confirmed.violations.is_empty() {
        let mut answer = answer(question, Verdict::Unsafe, None, Vec::new(), statistics);
        answer.violations = confirmed.violations;
        answer.ledger = confirmed.ledger;
        return answer;
    }
    let location = path::location(program, first.span, first.func);
    let place = match location.line {
        0 => String::new(),
        line => format!("{}:{line}: ", location.file),
    };
    let mut reason = format!("{place}{}", first.message);
    if let Some(obstacle) = confirmed.obstacle {
        reason.push_str(&format!("; {obstacle}"));
    }
    let suspicions = analysis.troubles.iter().filter_map(|trouble| suspicion(program, trouble)).collect();
    answer(question, Verdict::Unknown, Some(reason), suspicions, statistics)
}

fn draw(program: &Program, invariants: &[smg::Invariant], pictures: &mut Vec<Picture>) {
    for invariant in invariants {
        let function = &program.functions[invariant.func].name;
        let place = match invariant.span.line {
            0 => format!("{function}-block{}", invariant.block.as_u32()),
            line => format!("{function}-line{line}"),
        };
        let taken = |name: &str| pictures.iter().any(|picture| picture.name == name);
        let more = (2..).map(|turn| format!("{place}-{turn}"));
        let name = std::iter::once(place.clone()).chain(more).find(|name| !taken(name));
        let (text, dot) = (smg::to_text(program, invariant), smg::to_dot(program, invariant));
        pictures.push(Picture { name: name.unwrap_or(place), text, dot });
    }
}

fn answer(
    question: &Question,
    verdict: Verdict,
    reason: Option<String>,
    suspicions: Vec<Violation>,
    statistics: BTreeMap<String, u64>,
) -> Answer {
    let answer = Answer::undecided(question.environment.properties.clone(), "smg");
    Answer { verdict, suspicions, reason, statistics, ..answer }
}

fn suspicion(program: &Program, trouble: &Trouble) -> Option<Violation> {
    let TroubleKind::Suspicion(class) = trouble.kind else { return None };
    let property = class.properties().first().copied().unwrap_or(heapproof_verdict::Property::ValidDeref);
    Some(Violation {
        class,
        cwe: class.cwe(),
        property,
        location: path::location(program, trouble.span, trouble.func),
        message: trouble.message.clone(),
        path: path::steps(program, &trouble.path),
        inputs: None,
    })
}
