//! All functions with a contract, one after the other.

use crate::condition::{Formula, Words};
use crate::execute::{Outcome, Question, Verifier};
use crate::ladder::Ladder;
use crate::spec::Spec;
use heapproof_ir::{FuncId, Program};
use heapproof_logic::{Config, Solver, Statistics};
use std::collections::BTreeMap;
use std::time::Instant;

/// What came out for a program.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// By function.
    pub functions: BTreeMap<FuncId, Outcome>,
    /// What the solver was asked.
    pub solver: Statistics,
}

/// Checks the functions that have a contract and a body.
pub fn check(
    program: &Program,
    spec: &Spec,
    config: Config,
    deadline: Option<Instant>,
) -> Result<Checked, heapproof_logic::Failure> {
    let words = Words::new(program, &spec.fields);
    let formula = Formula::new(program, &words);
    let mut solver = Ladder::start(&config)?;
    let mut checked = Checked::default();
    for axiom in words.axioms(program) {
        solver.assert(&axiom);
    }
    let question = Question { program, spec, deadline };
    for (func, function) in &spec.functions {
        if function.contract.is_some() && program.functions[*func].body.is_some() {
            let outcome = Verifier::verify(question, &formula, &mut solver, *func);
            checked.functions.insert(*func, outcome);
        }
    }
    checked.solver = solver.statistics().clone();
    Ok(checked)
}
