//! What the user could do about an answer that is not decided. There is always something.

use heapproof_verdict::{Answer, AssumptionKind, Location, Obstacle, Property, Verdict};

/// The most things that are proposed.
const MOST: usize = 4;
/// The most functions that one proposal names.
const MOST_NAMES: usize = 4;

/// What stands in the way, as far as something can be done about it. The order is that of the proposals.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Cause {
    External(String),
    Solver,
    Time,
    Memory,
    Suspicion(String),
    NotCovered(String),
    Work,
    OnlyExecutions,
    Presupposed(String),
    NoEngine,
    Compiler,
}

/// The proposals, the most useful first; none for a decided answer.
pub fn advice(answer: &Answer) -> Vec<String> {
    if answer.verdict != Verdict::Unknown {
        return Vec::new();
    }
    let mut causes = causes(answer);
    causes.sort();
    causes.dedup();
    let externals: Vec<String> = causes
        .iter()
        .filter_map(|cause| if let Cause::External(name) = cause { Some(name.clone()) } else { None })
        .collect();
    let mut proposals = Vec::new();
    if let Some(first) = externals.first() {
        proposals.push(about_functions(first, &externals));
    }
    for cause in causes.iter().filter(|cause| !matches!(cause, Cause::External(_))) {
        let proposal = propose(cause);
        // One proposal for each kind; further suspicions are shown above.
        let known = causes.iter().take_while(|other| *other != cause);
        if !known.into_iter().any(|other| std::mem::discriminant(other) == std::mem::discriminant(cause)) {
            proposals.push(proposal);
        }
    }
    if proposals.is_empty() {
        proposals.push("check a part of the program: --entry FUNCTION starts there".to_owned());
    }
    proposals.truncate(MOST);
    proposals
}

fn causes(answer: &Answer) -> Vec<Cause> {
    let mut causes: Vec<Cause> = answer.obstacles.iter().filter_map(cause).collect();
    for assumption in answer.ledger.blocking() {
        let subject = &assumption.subject;
        match assumption.kind {
            AssumptionKind::ExternalFunction => causes.push(Cause::External(subject.clone())),
            // A limit on steps or on the depth of calls is none of the user's.
            AssumptionKind::Bound if subject.contains("second") => causes.push(Cause::Time),
            AssumptionKind::Bound if subject.contains("MiB") || subject.contains("memory") => {
                causes.push(Cause::Memory);
            }
            AssumptionKind::FileNotAnalysed => causes.push(Cause::Compiler),
            AssumptionKind::InlineAssembly | AssumptionKind::Unsupported => {
                let place = assumption.location.as_ref().map(place).unwrap_or_default();
                causes.push(Cause::NotCovered(place));
            }
            AssumptionKind::Bound | AssumptionKind::ProvenanceLost | AssumptionKind::Option => {}
        }
    }
    causes.extend(answer.suspicions.first().map(|v| Cause::Suspicion(place(&v.location))));
    if answer.engine == "random" {
        causes.push(Cause::OnlyExecutions);
    }
    causes
}

/// What can be done something about; executions without an error are no obstacle where a proof was tried, too.
fn cause(obstacle: &Obstacle) -> Option<Cause> {
    let at = |location: &Option<Location>| location.as_ref().map(place).unwrap_or_default();
    Some(match obstacle {
        Obstacle::Time | Obstacle::TimeShare => Cause::Time,
        Obstacle::States { .. } | Obstacle::Steps { .. } | Obstacle::Other { .. } => Cause::Work,
        Obstacle::Memory { .. } => Cause::Memory,
        Obstacle::External { name, .. } => Cause::External(name.clone()),
        Obstacle::NotCovered { location, .. } => Cause::NotCovered(at(location)),
        Obstacle::Suspicion { location, .. } => Cause::Suspicion(at(location)),
        Obstacle::Inconclusive { .. } => return None,
        Obstacle::Presupposed { properties } => {
            let names: Vec<&str> = properties.iter().map(|property: &Property| property.name()).collect();
            Cause::Presupposed(names.join("+"))
        }
        Obstacle::NoEngine { .. } => Cause::NoEngine,
        // A solver that gave up has nothing to be installed.
        Obstacle::Helper { text } if !text.contains("cannot be started") => return None,
        Obstacle::Helper { .. } => Cause::Solver,
    })
}

/// ` at file:line` if it is known.
fn place(location: &Location) -> String {
    if location.line == 0 { String::new() } else { format!(" at {}:{}", location.file, location.line) }
}

fn about_functions(first: &str, names: &[String]) -> String {
    let also: Vec<String> =
        names.iter().skip(1).take(MOST_NAMES - 1).map(|name| format!("`{name}`")).collect();
    let more = names.len().saturating_sub(MOST_NAMES);
    let also = match (also.is_empty(), more) {
        (true, _) => String::new(),
        (false, 0) => format!("; the same for {}", also.join(", ")),
        (false, more) => format!("; the same for {} and {more} more", also.join(", ")),
    };
    format!(
        "add the file that defines `{first}`, or say what it does: --assume-pure {first} (changes no memory), \
         --havoc {first} (may change what its arguments point to){also}"
    )
}

fn propose(cause: &Cause) -> String {
    match cause {
        Cause::External(name) => about_functions(name, &[]),
        Cause::Solver => {
            "install z3, or name the program with --solver PROGRAM: it finds inputs for what is suspected"
                .to_owned()
        }
        Cause::Time => "--timeout SECONDS allows more time".to_owned(),
        Cause::Memory => "--memory MIB allows more memory".to_owned(),
        Cause::Suspicion(at) => format!(
            "see whether the error{at} can happen; if it cannot, a check in front of it that ends the program \
             (`if (…) abort();`) tells why"
        ),
        Cause::NotCovered(at) => format!(
            "check the program without what is not covered{at}: put simpler code in its place, or start elsewhere with \
             --entry FUNCTION"
        ),
        Cause::Work => "check a smaller part of the program: --entry FUNCTION starts there".to_owned(),
        Cause::OnlyExecutions => {
            "executions cannot show that there is no error; --engine auto also tries a proof".to_owned()
        }
        Cause::Presupposed(names) => format!("--presuppose {names} accepts what the proof takes for granted"),
        Cause::NoEngine => "ask for another property with --property, or for another --engine".to_owned(),
        Cause::Compiler => {
            "see with --verbose what clang wrote, and leave out what it cannot compile".to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn every_undecided_answer_says_what_to_do() {
        let place = Some(samples::place("a.c", 7, 3));
        let text = || "words".to_owned();
        let obstacles = [
            (Obstacle::Time, "--timeout"),
            (Obstacle::States { limit: 9 }, "--entry"),
            (Obstacle::Steps { limit: 9 }, "--entry"),
            (Obstacle::Memory { limit: 9 }, "--memory"),
            (Obstacle::External { name: "f".to_owned(), location: None }, "--havoc f"),
            (Obstacle::NotCovered { what: text(), location: place.clone() }, "at a.c:7"),
            (Obstacle::Suspicion { message: text(), location: place }, "the error at a.c:7 can happen"),
            (Obstacle::Inconclusive { text: text() }, "--entry"),
            (Obstacle::Presupposed { properties: vec![Property::ValidDeref] }, "--presuppose valid-deref"),
            (Obstacle::NoEngine { properties: vec![] }, "--property"),
            (Obstacle::Helper { text: text() }, "--entry"),
            (Obstacle::Helper { text: "z3 cannot be started".to_owned() }, "--solver"),
            (Obstacle::Other { text: text() }, "--entry"),
        ];
        for (obstacle, words) in obstacles {
            let mut answer = samples::empty(Verdict::Unknown);
            answer.engine = "smg".to_owned();
            answer.obstacles = vec![obstacle.clone(), obstacle];
            let advice = advice(&answer);
            assert!(advice.len() == 1 && advice[0].contains(words), "{advice:?}");
        }
        let mut answer = samples::empty(Verdict::Unknown);
        answer.engine = "smg".to_owned();
        assert_eq!(advice(&answer).len(), 1);
        assert!(advice(&samples::safe()).is_empty());
    }

    #[test]
    fn functions_are_told_together() {
        let mut answer = samples::empty(Verdict::Unknown);
        answer.engine = "smg".to_owned();
        for name in ["d", "b", "a", "c", "e"] {
            answer.obstacles.push(Obstacle::External { name: name.to_owned(), location: None });
        }
        let advice = advice(&answer);
        assert_eq!(advice.len(), 1);
        assert!(advice[0].ends_with("; the same for `b`, `c`, `d` and 1 more"), "{advice:?}");
    }
}
