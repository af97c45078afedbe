//! How the cell at an address is found: the three procedures of the thesis (section 5.3), and ours.
//!
//! `segments` asks one question about a whole segment and keeps unknown offsets as terms (`access.rs`). The others look at cells, one byte
//! each: a syntactic look-up first, then a solver. Other than in the thesis every question is asked under the conditions of the
//! path, is limited to the segment that provenance names, and several possible cells are told apart by forks with blocking clauses.

use crate::exec::Executor;
use crate::halt::Res;
use crate::heap::{Object, assemble};
use crate::state::State;
use crate::value::ObjId;
use heapproof_logic::{Answer, Config, Name, Process, Solver, Sort, Term};
use std::str::FromStr;
use std::time::{Duration, Instant};

/// A procedure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Deref {
    /// Whole segments, syntactically first, a solver last.
    #[default]
    Segments,
    /// One question in separation logic for each cell (algorithms 3 and 4), to cvc5.
    Sl,
    /// One question of equality for each cell.
    Smt,
    /// One question with an auxiliary truth value for each cell (algorithm 5).
    SmtModel,
}

/// There is no procedure of this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownDeref(pub String);

impl std::fmt::Display for UnknownDeref {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}` is none of segments, sl, smt and smt-model", self.0)
    }
}

impl std::error::Error for UnknownDeref {}

impl FromStr for Deref {
    type Err = UnknownDeref;

    fn from_str(name: &str) -> Result<Deref, UnknownDeref> {
        match name {
            "segments" => Ok(Deref::Segments),
            "sl" => Ok(Deref::Sl),
            "smt" => Ok(Deref::Smt),
            "smt-model" => Ok(Deref::SmtModel),
            other => Err(UnknownDeref(other.to_owned())),
        }
    }
}

/// Larger segments are not looked at cell by cell.
const MOST_CELLS: u64 = 512;

/// The solver for separation logic, with what it was asked.
#[derive(Default)]
pub struct SepSolver {
    solver: Option<Process>,
    pub calls: u64,
    pub time: Duration,
    pub trouble: Option<String>,
}

impl SepSolver {
    /// Whether conditions can hold; none if it is not known.
    fn may(&mut self, address: &Sort, conditions: &[Term], deadline: Option<Instant>) -> Option<bool> {
        if self.solver.is_none() {
            let config = Config::separation("cvc5", address.clone(), Sort::Bits(8)).with_deadline(deadline);
            match Process::start(config) {
                Ok(solver) => self.solver = Some(solver),
                Err(why) => {
                    self.trouble.get_or_insert(why.to_string());
                    return None;
                }
            }
        }
        let solver = self.solver.as_mut()?;
        self.calls += 1;
        let start = Instant::now();
        solver.push();
        conditions.iter().for_each(|condition| solver.assert(condition));
        let answer = solver.check(&[]);
        solver.pop();
        self.time += start.elapsed();
        match answer {
            Ok(Answer::Sat) => Some(true),
            Ok(Answer::Unsat) => Some(false),
            Ok(Answer::Unknown(_)) => None,
            Err(why) => {
                self.trouble.get_or_insert(why.to_string());
                self.solver = None;
                None
            }
        }
    }
}

/// `key |-> value` for each byte of a segment.
pub fn cells(object: &Object, size: u64) -> Vec<(Term, Term)> {
    let cell = |at: u64| {
        let value = assemble(&object.runs(at, 1)).map(|value| value.term);
        let nothing = || Term::var(Name::Numbered("cell", at), Sort::Bits(8));
        (object.base.clone().plus(at.into()), value.unwrap_or_else(nothing))
    };
    (0..size).map(cell).collect()
}

impl Executor<'_> {
    /// Finds the cell at an offset of a segment by one of the thesis's procedures: a constant offset if there is one, none if the
    /// segment has to be looked at as a whole, because it is too large or its size is not known.
    pub fn find_cell(&mut self, state: &mut State, id: ObjId, offset: &Term, n: u64) -> Res<Option<Term>> {
        let object = state.heap.get(id);
        let size = match object.known_size() {
            Some(size) if size <= MOST_CELLS && size >= n => size,
            _ => return Ok(None),
        };
        if let Some(at) = offset.as_bits() {
            // The look-up: `E` is a key as it stands.
            return Ok((at <= u128::from(size - n)).then(|| offset.clone()));
        }
        let places: Vec<u64> = (0..=size - n).collect();
        let mut pure = state.pure.journal.conditions();
        pure.reverse();
        let address = crate::arith::base_plus(object, offset);
        match self.deref {
            Deref::Segments => Ok(None),
            Deref::Sl => {
                let cells = cells(object, size);
                let other = Term::var("other", Sort::Bits(8));
                for at in &places {
                    let (key, value) = &cells[*at as usize];
                    let two = Term::star([
                        Term::points_to(key.clone(), value.clone()),
                        Term::points_to(address.clone(), other.clone()),
                    ]);
                    let conditions: Vec<Term> = pure.iter().cloned().chain([two]).collect();
                    let deadline = self.oracle.deadline();
                    if self.sep.may(address.sort(), &conditions, deadline) == Some(false) {
                        return Ok(Some(Term::bits((*at).into(), offset.width())));
                    }
                }
                self.pick(state, offset, &places)
            }
            Deref::Smt => {
                for at in &places {
                    let differs = Term::ne(offset.clone(), Term::bits((*at).into(), offset.width()));
                    if self.oracle.ask_plainly(&pure, &differs) == Some(None) {
                        return Ok(Some(Term::bits((*at).into(), offset.width())));
                    }
                }
                self.pick(state, offset, &places)
            }
            Deref::SmtModel => {
                let aux = |at: u64| Term::var(Name::Numbered("aux", at), Sort::Bool);
                let linked = places.iter().map(|at| {
                    let here = Term::eq(offset.clone(), Term::bits((*at).into(), offset.width()));
                    Term::eq(here, aux(*at))
                });
                let some = Term::or(places.iter().map(|at| aux(*at)));
                let formula = Term::and(linked.chain([some]));
                let Some(Some(model)) = self.oracle.ask_plainly(&pure, &formula) else { return Ok(None) };
                let chosen = places.iter().copied().filter(|at| model.satisfies(&aux(*at)));
                let chosen: Vec<u64> = chosen.collect();
                self.pick(state, offset, &chosen)
            }
        }
    }

    /// Forks over the cells that an address may lead to.
    fn pick(&mut self, state: &State, offset: &Term, places: &[u64]) -> Res<Option<Term>> {
        for at in places {
            let at = Term::bits((*at).into(), offset.width());
            let here = Term::eq(offset.clone(), at.clone());
            if self.decide(state, &here)? {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }
}
