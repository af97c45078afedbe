//! All functions with a contract: what has to be shown of them is collected, and then asked in passes.

use crate::assumed::Obligation;
use crate::condition::{Formula, Words};
use crate::execute::{Outcome, Question, Verifier};
use crate::ladder::{self, LAST, PATIENT, Pass, Prover, QUICK};
use crate::vacuous::look_for_contradictions;
use heapproof_ir::FuncId;
use heapproof_logic::{Config, Statistics};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// What came out for a program.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// By function.
    pub functions: BTreeMap<FuncId, Outcome>,
    /// What the solver was asked.
    pub solver: Statistics,
    /// What is not shown yet.
    open: Vec<Obligation>,
}

impl Checked {
    /// Collects what has to be shown of the functions that have a contract and a body.
    pub fn collect(question: Question<'_>) -> Checked {
        let mut checked = Checked::default();
        for (func, function) in &question.spec.functions {
            if function.contract.is_some() && question.program.functions[*func].body.is_some() {
                // Words of its own: what is asked of a function does not depend on the others.
                let words = Words::new(question.program, &question.spec.fields);
                let formula = Formula::new(question.program, &words);
                let axioms = words.axioms(question.program);
                let (outcome, open) = Verifier::verify(question, &formula, &axioms, *func);
                checked.functions.insert(*func, outcome);
                checked.open.extend(open);
            }
        }
        checked.note_failures();
        checked
    }

    /// Asks for most of what is open, with little patience.
    pub fn try_quickly(
        &mut self,
        prover: &Prover,
        deadline: Option<Instant>,
    ) -> Result<(), heapproof_logic::Failure> {
        self.passes(&QUICK, prover, deadline, &BTreeSet::new())
    }

    /// Asks for the rest of what is open, except of some functions.
    pub fn try_patiently(
        &mut self,
        prover: &Prover,
        deadline: Option<Instant>,
        except: &BTreeSet<FuncId>,
    ) -> Result<(), heapproof_logic::Failure> {
        self.passes(&PATIENT, prover, deadline, except)?;
        if prover.with_other {
            self.passes(&LAST, prover, deadline, except)?;
        }
        Ok(())
    }

    /// A function is shown after all, in another way.
    pub fn put_shown(&mut self, func: FuncId, outcome: Outcome) {
        self.open.retain(|obligation| obligation.func != func);
        self.functions.insert(func, outcome);
        self.note_failures();
    }

    /// The functions of which something is open, or not handled.
    pub fn undecided(&self) -> BTreeSet<FuncId> {
        let open = self.functions.iter().filter(|(_, outcome)| !outcome.is_shown());
        open.map(|(func, _)| *func).collect()
    }

    fn passes(
        &mut self,
        passes: &[Pass],
        prover: &Prover,
        deadline: Option<Instant>,
        except: &BTreeSet<FuncId>,
    ) -> Result<(), heapproof_logic::Failure> {
        for pass in passes {
            let is_asked = |obligation: &&Obligation| !except.contains(&obligation.func);
            let asked: Vec<&Obligation> = self.open.iter().filter(is_asked).collect();
            if asked.is_empty() {
                break;
            }
            let answers = prover.ask(*pass, &asked, deadline)?;
            ladder::add(&mut self.solver, &answers.statistics);
            let mut whys = answers.why.into_iter();
            self.open.retain_mut(|obligation| {
                if except.contains(&obligation.func) {
                    return true;
                }
                match whys.next() {
                    Some(None) => false,
                    Some(Some(why)) => {
                        obligation.failure.why = why;
                        true
                    }
                    None => true,
                }
            });
        }
        self.note_failures();
        Ok(())
    }

    /// What is open is not shown.
    fn note_failures(&mut self) {
        for (func, outcome) in &mut self.functions {
            let open = self.open.iter().filter(|obligation| obligation.func == *func);
            outcome.failures = open.map(|obligation| obligation.failure.clone()).collect();
        }
    }
}

/// Checks the functions that have a contract and a body.
pub fn check(question: Question<'_>, config: &Config) -> Result<Checked, heapproof_logic::Failure> {
    let prover = &Prover::new(config.clone());
    let mut checked = Checked::collect(question);
    checked.try_quickly(prover, question.deadline)?;
    checked.try_patiently(prover, question.deadline, &BTreeSet::new())?;
    look_for_contradictions(&mut checked, question, prover)?;
    Ok(checked)
}
