//! A solver of our own for bit vectors and truth values: terms become gates, gates become clauses, a search looks for a model.
//!
//! It is made for many small questions one after the other: no process, no text, and what was learnt stays. Questions that it cannot
//! represent or does not decide in few steps go to another solver.

mod blast;
mod gates;
mod order;
mod sat;

use crate::solver::{Answer, Config, Failure, Limits, Process, Solver, Statistics, dump};
use crate::{Model, Op, Term};
use blast::Blaster;
use sat::Lit;
use std::time::Instant;

/// Steps (propagations) for one question.
const STEPS: u64 = 3_000_000;

/// See the module.
#[derive(Debug)]
pub struct Quick {
    /// The solver for what is too hard.
    other: Config,
    blaster: Blaster,
    asserted: Vec<Vec<Term>>,
    /// What always holds.
    always: Vec<Lit>,
    /// Something that always holds has no bits.
    is_beyond: bool,
    last: Last,
    statistics: Statistics,
}

/// The last question.
#[derive(Debug)]
enum Last {
    Nothing,
    Sat(Model),
    Unsat(Vec<Term>),
}

impl Quick {
    /// A solver that asks another one where it gives up. That one is started for each such question.
    pub fn new(other: Config) -> Quick {
        Quick {
            other,
            blaster: Blaster::new(),
            asserted: vec![Vec::new()],
            always: Vec::new(),
            is_beyond: false,
            last: Last::Nothing,
            statistics: Statistics::default(),
        }
    }

    fn conditions(&self) -> impl Iterator<Item = &Term> {
        self.asserted.iter().flatten()
    }

    /// Something holds from now on: a name for a term, or a clause.
    fn assert_always(&mut self, condition: &Term) {
        let done = match condition.as_op() {
            Some((Op::Eq, [a, b])) if a.is_var() || b.is_var() => {
                let (var, term) = if a.is_var() { (a, b) } else { (b, a) };
                self.blaster.name(var, term)
            }
            _ => Ok(false),
        };
        let added =
            done.and_then(|done| if done { Ok(None) } else { self.blaster.truth(condition).map(Some) });
        match added {
            Ok(Some(lit)) => {
                self.blaster.gates.sat.add_clause(&[lit]);
                self.always.push(lit);
            }
            Ok(None) => {}
            Err(_) => self.is_beyond = true,
        }
    }

    /// The answer of the search; none if it has none.
    fn search(&mut self, assumptions: &[Term]) -> Option<Answer> {
        if self.is_beyond {
            return None;
        }
        let asked: Vec<Term> = self.asserted[1..].iter().flatten().chain(assumptions).cloned().collect();
        let mut lits = Vec::with_capacity(asked.len());
        for term in &asked {
            lits.push(self.blaster.truth(term).ok()?);
        }
        let gates = &mut self.blaster.gates;
        gates.sat.start();
        gates.want(lits.iter().chain(&self.always).copied());
        if gates.sat.solve(&lits, STEPS)? {
            let values = gates.values();
            let holds = |lit: &Lit| values[lit.var() as usize] != lit.is_opposite();
            assert!(lits.iter().chain(&self.always).all(holds), "the search found no model");
            let mut model = Model::new();
            self.blaster.model(&values).for_each(|(var, value)| model.set(var, value));
            self.last = Last::Sat(model);
            return Some(Answer::Sat);
        }
        let failed = gates.sat.failed();
        let is_part = |(_, lit): &(&Term, &Lit)| failed.contains(lit);
        let core: Vec<Term> = asked.iter().zip(&lits).filter(is_part).map(|(term, _)| term.clone()).collect();
        self.last = Last::Unsat(core.into_iter().filter(|term| assumptions.contains(term)).collect());
        Some(Answer::Unsat)
    }

    /// The answer of the other solver.
    fn ask(&mut self, assumptions: &[Term]) -> Result<Answer, Failure> {
        self.statistics.starts += 1;
        let mut process = Process::start(Config { dump: None, ..self.other.clone() })?;
        for condition in self.asserted.iter().flatten().chain(assumptions) {
            process.assert(condition);
        }
        let answer = process.check(&[])?;
        match answer {
            Answer::Sat => self.last = Last::Sat(process.model()?),
            Answer::Unsat => self.last = Last::Unsat(assumptions.to_vec()),
            Answer::Unknown(_) => {}
        }
        Ok(answer)
    }
}

impl Solver for Quick {
    fn push(&mut self) {
        self.last = Last::Nothing;
        self.asserted.push(Vec::new());
    }

    fn pop(&mut self) {
        self.last = Last::Nothing;
        assert!(self.asserted.len() > 1, "a pop without a push");
        self.asserted.pop();
    }

    fn assert(&mut self, condition: &Term) {
        self.last = Last::Nothing;
        if self.asserted.len() == 1 {
            self.assert_always(condition);
        }
        self.asserted.last_mut().expect("there is a level").push(condition.clone());
    }

    fn check(&mut self, assumptions: &[Term]) -> Result<Answer, Failure> {
        self.last = Last::Nothing;
        let start = Instant::now();
        let file = self.other.dump.clone().and_then(|directory| {
            dump::question(&directory, &dump::script(&self.other, self.conditions().chain(assumptions)))
        });
        let answer = match self.search(assumptions) {
            Some(answer) => Ok(answer),
            None => self.ask(assumptions),
        };
        self.statistics.note(&answer, start.elapsed());
        if let Some(file) = file {
            dump::outcome(&file, &answer, start.elapsed());
        }
        answer
    }

    fn model(&mut self) -> Result<Model, Failure> {
        match &self.last {
            Last::Sat(model) => Ok(model.clone()),
            _ => Err(Failure::NoAnswer),
        }
    }

    fn core(&mut self) -> Result<Vec<Term>, Failure> {
        match &self.last {
            Last::Unsat(core) => Ok(core.clone()),
            _ => Err(Failure::NoAnswer),
        }
    }

    fn set_limits(&mut self, limits: Limits) {
        self.other.limits = limits;
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}
