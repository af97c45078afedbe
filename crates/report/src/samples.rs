//! Answers for the tests of the reports.

use heapproof_verdict::*;

/// A place in `main`.
pub fn place(file: &str, line: u32, column: u32) -> Location {
    Location { file: file.to_owned(), line, column, function: "main".to_owned() }
}

fn step(kind: StepKind, location: Location, message: &str) -> PathStep {
    PathStep::new(kind, location, message)
}

/// An answer without anything in it.
pub fn empty(verdict: Verdict) -> Answer {
    let undecided = Answer::undecided(PropertySet::default_of_check(), "random");
    Answer { verdict, elapsed_ms: 1234, ..undecided }
}

/// A proof.
pub fn safe() -> Answer {
    empty(Verdict::Safe)
}

/// One confirmed error with a path.
pub fn use_after_free(file: &str) -> Answer {
    let mut answer = empty(Verdict::Unsafe);
    answer.violations.push(Violation {
        class: ErrorClass::UseAfterFree,
        cwe: Some(416),
        property: Property::ValidDeref,
        location: place(file, 6, 15),
        message: "reading 4 bytes of a heap block of 16 bytes that was freed".to_owned(),
        path: vec![
            step(StepKind::Allocated, place(file, 3, 22), "the block is allocated here"),
            step(StepKind::Input, place(file, 4, 9), "the input is 1"),
            step(StepKind::Branch, place(file, 4, 9), "the condition holds"),
            step(StepKind::Freed, place(file, 5, 2), "the block is freed here"),
        ],
        inputs: Some("1,-1".to_owned()),
        later: false,
    });
    answer.statistics.insert("executions".to_owned(), 12);
    answer
}

/// Nothing decided, with assumptions.
pub fn unknown() -> Answer {
    let mut answer = empty(Verdict::Unknown);
    answer.reason =
        Some("1834 executions found no error; random execution cannot prove its absence".to_owned());
    answer.ledger.assume(Assumption {
        kind: AssumptionKind::ExternalFunction,
        subject: "read_sensor".to_owned(),
        location: Some(place("a.c", 7, 3)),
        accepted: false,
    });
    answer.ledger.assume(Assumption {
        kind: AssumptionKind::Bound,
        subject: "20000 steps in one execution".to_owned(),
        location: None,
        accepted: false,
    });
    answer.ledger.assume(Assumption {
        kind: AssumptionKind::Option,
        subject: "--assume-pure log_line".to_owned(),
        location: None,
        accepted: true,
    });
    answer.ledger.note(NoteKind::Machine, "malloc never fails");
    answer
}

/// The program that [`use_after_free`] speaks of.
pub const LIST_C: &str = "\
#include <stdlib.h>
int main(void) {
    struct node *n = malloc(sizeof *n);
    if (nondet())
\tfree(n);
    return n->value;
}
";
