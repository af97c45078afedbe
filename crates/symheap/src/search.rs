//! The exploration of paths: states as a `Domain` of `explore`, breadth first or depth first to a limit.

use crate::exec::{Executor, Gap};
use crate::halt::Halt;
use crate::state::State;
use crate::steer::Steer;
use heapproof_confirm::{End, Order};
use heapproof_engine::Place;
use heapproof_explore::{Budget, Domain, Meeting, Merge, Trail};
use heapproof_logic::{Model, Term};
use heapproof_verdict::ErrorClass;
use std::rc::Rc;

/// Blocks that are executed before others get a turn, where nothing forks.
const LONGEST_STRETCH: usize = 2_000;

/// An exploration.
pub struct Search<'a, 'p> {
    pub executor: &'a mut Executor<'p>,
    pub order: Order,
    pub budget: Budget,
    steer: Steer,
    /// Where no path has to be left out.
    exhaustive: bool,
}

impl<'a, 'p> Search<'a, 'p> {
    /// Paths that may lead to a place; all paths if none is given.
    pub fn new(executor: &'a mut Executor<'p>, place: Option<Place>, order: Order, budget: Budget) -> Self {
        let steer = Steer::to(executor.program, place);
        Search { executor, order, budget, steer, exhaustive: place.is_none() }
    }

    /// Follows paths from the start of the program.
    pub fn run(&mut self) -> End {
        let name = self.executor.environment.entry();
        let entry = self
            .executor
            .program
            .function(name)
            .filter(|f| self.executor.program.functions[*f].body.is_some());
        let Some(entry) = entry else {
            let place = Place { func: heapproof_ir::FuncId::from_u32(0), span: heapproof_ir::Span::NONE };
            self.executor.note_gap(Gap::NotCovered("the entry function does not exist".to_owned(), place));
            return End::Complete;
        };
        let start = match self.executor.start(entry) {
            Ok(state) => state,
            Err(halt) => {
                let place = Place { func: entry, span: self.executor.program.functions[entry].span };
                self.halted(&State::new(), halt, place).ok();
                return End::Complete;
            }
        };
        match heapproof_explore::explore(self, vec![start], &Trail::new()).1 {
            Err(end) => end,
            Ok(()) if self.executor.cut => End::Cut,
            Ok(()) => End::Complete,
        }
    }

    /// The path ends, unless the exploration does.
    fn halted(&mut self, state: &State, halt: Halt, place: Place) -> Result<(), End> {
        match halt {
            Halt::Split(_) | Halt::End => {}
            Halt::Error(fault) => {
                let asked = self.executor.asks(fault.property);
                if fault.class == ErrorClass::AssertionFailure && !asked {
                    let mut state = state.clone();
                    return self.reported(|executor| executor.program_ends(&mut state, place, true));
                }
                self.reported(|executor| executor.report_here(state, &fault, place))?;
                let mut state = state.clone();
                self.reported(|executor| executor.look_for_leaks(&mut state, place))?;
            }
            Halt::NotCovered(what) => self.executor.note_gap(Gap::NotCovered(what, place)),
            Halt::External(func) => self.executor.note_gap(Gap::External(func, place)),
            Halt::Found => return Err(End::Found),
        }
        Ok(())
    }

    fn reported(&mut self, report: impl FnOnce(&mut Executor<'p>) -> Result<(), Halt>) -> Result<(), End> {
        match report(self.executor) {
            Err(Halt::Found) => Err(End::Found),
            _ => Ok(()),
        }
    }

    /// The two ways in which a path goes on.
    fn fork(&mut self, state: State, condition: &Term) -> Vec<State> {
        let (yes, no) = std::mem::take(&mut self.executor.split);
        let way = |mut state: State, holds: bool, model: Option<Rc<Model>>| {
            let assumed = if holds { condition.clone() } else { condition.clone().not() };
            state.pure.assume(&assumed, model);
            state.pure.note_decision(condition, holds);
            state.pure.again();
            state
        };
        vec![way(state.clone(), true, yes), way(state, false, no)]
    }

    /// Those that may still lead where the search is going.
    fn steered(&self, states: Vec<State>) -> Vec<State> {
        if self.exhaustive {
            return states;
        }
        states.into_iter().filter(|state| self.steer.distance(state).is_some()).collect()
    }
}

impl Domain for Search<'_, '_> {
    type State = State;
    type Place = ();
    type Mark = ();
    type Rank = (usize, usize);
    type Failure = End;

    fn place(&self, _: &State) -> Option<()> {
        None
    }

    fn rank(&self, state: &State, trail: &Trail<()>, _: u64) -> (usize, usize) {
        let distance = if self.exhaustive { 0 } else { self.steer.distance(state).unwrap_or(usize::MAX) };
        match self.order {
            Order::Breadth => (trail.len(), distance),
            Order::Depth(limit) => (limit.saturating_sub(trail.len()), distance),
        }
    }

    fn mark(&self, _: &State) {}

    fn transfer(&mut self, mut state: State, trail: &Trail<()>) -> Result<Vec<State>, End> {
        if matches!(self.order, Order::Depth(limit) if trail.len() >= limit) {
            self.executor.cut = true;
            return Ok(Vec::new());
        }
        let mut blocks = 0;
        loop {
            match self.executor.step(&mut state) {
                Ok(false) => {}
                Ok(true) => {
                    blocks += 1;
                    if blocks >= LONGEST_STRETCH {
                        return Ok(self.steered(vec![state]));
                    }
                }
                Err(Halt::Split(condition)) => {
                    let place = self.executor.place(&state);
                    self.reported(|executor| executor.look_for_leaks(&mut state, place))?;
                    let forked = self.fork(state, &condition);
                    return Ok(self.steered(forked));
                }
                Err(halt) => {
                    let place = self.executor.place(&state);
                    self.halted(&state, halt, place)?;
                    return Ok(Vec::new());
                }
            }
        }
    }

    fn merge(&self, _: &State, _: &State, _: Meeting) -> Merge<State> {
        Merge::Apart
    }

    fn keep(&self, state: &State) -> State {
        state.clone()
    }

    fn budget(&self) -> &Budget {
        &self.budget
    }
}
