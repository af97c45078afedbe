//! Loop invariants that the user left out (Houdini): candidates are made up, tried out on runs, and kept only as far as the ordinary
//! obligations show them.
//!
//! Nothing rests on where a candidate comes from. A round asks for all obligations of the candidates: that they hold at first and are
//! kept, if all of them are assumed. Those that are not shown are dropped, until all that are left are shown together. Then they are loop
//! invariants like those that the user writes, and the function is shown if all its other obligations are.

mod candidates;
mod fewer;
mod site;
mod tried;

use crate::annotation::Position;
use crate::assumed::Obligation;
use crate::condition::{Formula, Words};
use crate::execute::{Outcome, Question, Verifier};
use crate::ladder::{self, PATIENT, Pass, Prover, QUICK, STEADY, SWIFT};
use crate::place::Annotations;
use crate::spec::{Claim, Spec};
use crate::typed::{BodyScope, Elaborator};
use candidates::{Speech, candidates};
use heapproof_ir::{BlockId, FuncId};
use heapproof_logic::{Failure, Statistics};
use site::{parse, sites};
use std::collections::{BTreeMap, BTreeSet};

/// Rounds in which candidates may be dropped.
const ROUNDS: u32 = 30;

/// A formula that may be an invariant.
#[derive(Clone, Debug)]
struct Candidate {
    text: String,
    claim: Claim,
}

/// The candidates of the loops of a function, by the block at the head, with the line of the loop.
#[derive(Clone, Debug, Default)]
struct Candidates(BTreeMap<BlockId, (u32, Vec<Candidate>)>);

impl Candidates {
    fn count(&self) -> usize {
        self.0.values().map(|(_, all)| all.len()).sum()
    }

    fn claims(&self) -> BTreeMap<BlockId, Vec<Claim>> {
        let claims = |all: &[Candidate]| all.iter().map(|candidate| candidate.claim.clone()).collect();
        self.0.iter().map(|(header, (_, all))| (*header, claims(all))).collect()
    }

    fn drop(&mut self, which: &BTreeSet<(BlockId, usize)>) {
        for (header, (_, all)) in &mut self.0 {
            let mut index = 0;
            all.retain(|_| {
                index += 1;
                !which.contains(&(*header, index - 1))
            });
        }
    }
}

/// Invariants that were found for a loop.
#[derive(Clone, Debug)]
pub struct Suggestion {
    /// The first line of the loop.
    pub line: u32,
    /// The invariants as they are written.
    pub texts: Vec<String>,
}

/// A function that is shown with invariants that were found.
pub struct Found {
    /// What came out; everything is shown.
    pub outcome: Outcome,
    /// The invariants.
    pub suggestions: Vec<Suggestion>,
}

/// A search for the invariants of a function.
pub struct Search<'a> {
    /// What is looked at.
    pub question: Question<'a>,
    /// The annotations as they are written.
    pub annotations: &'a Annotations,
    /// The text of the file that the function is in.
    pub text: &'a str,
    /// The solvers.
    pub prover: &'a Prover,
    /// The function.
    pub func: FuncId,
    /// Few invariants are wanted, not only some.
    pub shorten: bool,
    /// What the solver was asked.
    pub solver: Statistics,
}

/// True if a function has a loop without any invariant.
pub fn has_bare_loop(question: Question<'_>, func: FuncId) -> bool {
    let Some(body) = &question.program.functions[func].body else { return false };
    let spec = question.spec.functions.get(&func);
    let has = |header: &BlockId| spec.is_some_and(|spec| spec.invariants.contains_key(header));
    crate::place::loops(body).iter().any(|(_, this)| !has(&this.header))
}

impl Search<'_> {
    /// Looks for invariants with which the function is shown.
    pub fn run(&mut self) -> Result<Option<Found>, Failure> {
        let mut all = self.candidates();
        let question = self.question;
        let (program, spec, environment) = (question.program, question.spec, question.environment);
        tried::keep_what_holds(program, spec, environment, (self.func, question.deadline), &mut all);
        for pass in [SWIFT, STEADY] {
            let mut left = all.clone();
            if !self.settle(&mut left, pass)? {
                continue;
            }
            let Some(mut outcome) = self.shown_with(&left)? else { continue };
            if self.shorten {
                outcome = self.fewer(&mut left, outcome)?;
            }
            return Ok(Some(Found { outcome, suggestions: self.suggestions(left) }));
        }
        Ok(None)
    }

    /// All candidates that can be read.
    fn candidates(&self) -> Candidates {
        let program = self.question.program;
        let mut all = Candidates::default();
        let contract = self.annotations.functions.get(&self.func).and_then(|known| known.contract.as_ref());
        let (Some(contract), Some(body)) = (contract, &program.functions[self.func].body) else { return all };
        let speech = Speech::new(program, &contract.clauses, &self.annotations.predicates);
        let elaborator = Elaborator::new(program, &self.annotations.fields, &self.annotations.predicates);
        for site in sites(program, &self.annotations.codes, self.func, self.text) {
            let at = Position { line: site.line, column: 1 };
            let place = (at, site.header);
            let scope = BodyScope::at_loop(program, &self.annotations.codes, self.func, body, place);
            let read = |text: String| {
                let form = elaborator.formula(&parse(program, &text)?, &scope).ok()?;
                Some(Candidate { text, claim: Claim { at, form } })
            };
            let found = candidates(&speech, &site).into_iter().filter_map(read).collect();
            all.0.insert(site.header, (site.line, found));
        }
        all
    }

    /// What is said of the program, with more invariants of the function.
    fn spec_with(&self, candidates: &Candidates) -> Spec {
        let mut spec = self.question.spec.clone();
        let function = spec.functions.entry(self.func).or_default();
        for (header, claims) in candidates.claims() {
            function.invariants.entry(header).or_default().extend(claims);
        }
        spec
    }

    /// The obligations of the function with more invariants.
    fn obligations(&self, spec: &Spec) -> (Outcome, Vec<Obligation>) {
        let question = Question { spec, ..self.question };
        let words = Words::new(question.program, &spec.fields);
        let formula = Formula::new(question.program, &words);
        let axioms = words.axioms(question.program);
        Verifier::verify(question, &formula, &axioms, self.func)
    }

    /// The candidate that an obligation is about.
    fn candidate_of(&self, obligation: &Obligation) -> Option<(BlockId, usize)> {
        let (func, header, index) = obligation.invariant?;
        let own = self.question.spec.functions.get(&self.func);
        let users = own.and_then(|spec| spec.invariants.get(&header)).map_or(0, Vec::len);
        (func == self.func).then_some(())?;
        Some((header, index.checked_sub(users)?))
    }

    /// Drops candidates until all that are left are shown; false if there is no end.
    fn settle(&mut self, candidates: &mut Candidates, pass: Pass) -> Result<bool, Failure> {
        for _ in 0..ROUNDS {
            let spec = self.spec_with(candidates);
            let (_, obligations) = self.obligations(&spec);
            let mine: Vec<&Obligation> =
                obligations.iter().filter(|one| self.candidate_of(one).is_some()).collect();
            let dropped = self.not_shown(&mine, pass)?;
            let dropped: BTreeSet<_> =
                dropped.into_iter().filter_map(|index| self.candidate_of(mine[index])).collect();
            if dropped.is_empty() {
                return Ok(true);
            }
            candidates.drop(&dropped);
        }
        Ok(false)
    }

    /// The places of the obligations that are not shown.
    fn not_shown(&mut self, asked: &[&Obligation], pass: Pass) -> Result<Vec<usize>, Failure> {
        if asked.is_empty() {
            return Ok(Vec::new());
        }
        let answers = self.prover.ask(pass, asked, self.question.deadline)?;
        ladder::add(&mut self.solver, &answers.statistics);
        Ok((0..asked.len()).filter(|index| answers.why[*index].is_some()).collect())
    }

    /// What comes out with these invariants, if every obligation is shown: those of the candidates, too.
    fn shown_with(&mut self, candidates: &Candidates) -> Result<Option<Outcome>, Failure> {
        self.shown_in(candidates, &[QUICK.as_slice(), PATIENT.as_slice()].concat())
    }

    /// The same with little patience.
    fn shown_quickly(&mut self, candidates: &Candidates) -> Result<Option<Outcome>, Failure> {
        self.shown_in(candidates, &[SWIFT, STEADY])
    }

    fn shown_in(&mut self, candidates: &Candidates, passes: &[Pass]) -> Result<Option<Outcome>, Failure> {
        let spec = self.spec_with(candidates);
        let (outcome, obligations) = self.obligations(&spec);
        if !outcome.limits.is_empty() {
            return Ok(None);
        }
        let mut open: Vec<&Obligation> = obligations.iter().collect();
        for pass in passes {
            open = self.not_shown(&open, *pass)?.into_iter().map(|index| open[index]).collect();
            if open.is_empty() {
                return Ok(Some(outcome));
            }
        }
        Ok(None)
    }

    fn suggestions(&self, candidates: Candidates) -> Vec<Suggestion> {
        let mut all = Vec::new();
        for (line, found) in candidates.0.into_values() {
            let texts: Vec<String> = found.into_iter().map(|candidate| candidate.text).collect();
            if !texts.is_empty() {
                all.push(Suggestion { line, texts });
            }
        }
        all
    }
}
