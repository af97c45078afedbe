//! All functions with a contract, one after the other.

use crate::annotation::Mistake;
use crate::condition::{Formula, Vocabulary};
use crate::execute::{Outcome, Verifier};
use crate::place::Annotations;
use heapproof_ir::{FuncId, Program};
use heapproof_logic::{Config, Process, Solver, Statistics, Term};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::time::Instant;

/// What came out for a program.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// By function.
    pub functions: BTreeMap<FuncId, Result<Outcome, Mistake>>,
    /// What the solver was asked.
    pub solver: Statistics,
}

/// Checks the functions that have a contract.
pub fn check(
    program: &Program,
    annotations: &Annotations,
    config: Config,
    deadline: Option<Instant>,
) -> Result<Checked, heapproof_logic::Failure> {
    let words = Vocabulary::new(program, &annotations.fields);
    let formula = Formula { program, words: &words, next: Cell::new(0) };
    let mut config = config;
    // Triggers alone decide where quantifiers are looked at.
    config.options.extend([":auto_config false", ":smt.mbqi false"].map(str::to_owned));
    let mut solver = Process::start(config)?;
    let mut checked = Checked::default();
    for axiom in words.axioms().into_iter().chain(globals(program, &words)) {
        solver.assert(&axiom);
    }
    for (func, annotated) in &annotations.functions {
        if annotated.contract.is_some() {
            let outcome = Verifier::verify(program, annotations, &formula, &mut solver, *func, deadline);
            checked.functions.insert(*func, outcome);
        }
    }
    checked.solver = solver.statistics().clone();
    Ok(checked)
}

/// Globals are different objects that are always allocated.
fn globals(program: &Program, words: &Vocabulary) -> Vec<Term> {
    let mut objects = vec![words.null_object(), words.obj(&words.nowhere)];
    let mut facts = Vec::new();
    for global in program.globals.values() {
        let object = words.obj(&crate::condition::global_address(words, &global.name)).simplified();
        let heap = Term::bound(1, words.heap.clone());
        let alloc = words.is_alloc(&heap, &object);
        facts.push(Term::forall(vec![heap], vec![vec![alloc.clone()]], alloc));
        facts.push(Term::eq(words.size(&object), Term::int(global.size.into())));
        objects.push(object);
    }
    facts.push(Term::distinct(objects));
    facts
}
