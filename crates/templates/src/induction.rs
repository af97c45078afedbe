//! k-induction. The head of a loop is any state that its invariant allows, and from there not one iteration is followed but several, its
//! *turns*. What must hold is assumed of the turns before the last one, so it has to follow for the last one only.
//!
//! An execution that has reached the head of a loop `m` times has a model in the formula. For `m` up to the number of turns the loop-select
//! guard is false, and the first `m` turns are its iterations: the base case, in which every turn counts. For a greater `m` the guard is true and
//! the turns are its last iterations: the ones before the last one are then the last ones of shorter executions, so nothing is asked of them, and
//! nothing leaves the loop in them. An invariant is shown in the same way: it must hold at the end of the last turn, and in the base
//! case at the end of every turn.

use crate::build::{Builder, Frame};
use crate::ssa::{Kind, Obligation};
use crate::state::State;
use heapproof_engine::Place;
use heapproof_ir::BlockId;
use heapproof_ir::loops::LoopId;
use heapproof_logic::{Sort, Term};
use std::collections::BTreeMap;

impl Builder<'_> {
    /// The turns of a loop from its head on; gives what comes back to the head at the end of an execution.
    pub fn turns(
        &mut self,
        frame: &mut Frame,
        id: LoopId,
        order: &[BlockId],
        head: State,
        select: &Term,
        pending: &mut BTreeMap<BlockId, Vec<State>>,
    ) -> Vec<State> {
        let header = frame.code.loops.get(id).header;
        let is_base = Term::not(select.clone());
        let mut ends = Vec::new();
        let mut state = head;
        for _ in 1..self.unwinding.turns {
            let (returns, mut outside) = (frame.ends.len(), BTreeMap::new());
            self.earlier.push(select.clone());
            let came = self.iteration(frame, id, order, state, &mut outside);
            self.earlier.pop();
            for (block, states) in outside {
                let left = states.iter().map(|state| self.leaving(state, &is_base));
                pending.entry(block).or_default().extend(left);
            }
            for (state, _) in &mut frame.ends[returns..] {
                *state = self.leaving(state, &is_base);
            }
            let Some(mut end) = self.merge(came) else { return ends };
            end.vars.retain(|key, _| !self.is_dead_register(frame, header, *key));
            let stops = self.ssa.fresh("stops", Sort::Bool);
            if !fault!(31) {
                ends.push(self.constrained(&end, Term::and([is_base.clone(), stops.clone()])));
            }
            state = self.constrained(&end, Term::not(stops));
        }
        ends.extend(self.iteration(frame, id, order, state, pending));
        ends
    }

    /// A state that leaves the loop in a turn before the last one.
    fn leaving(&mut self, state: &State, is_base: &Term) -> State {
        let condition = if fault!(32) { Term::truth(false) } else { is_base.clone() };
        self.constrained(state, condition)
    }

    /// Something must not happen. In turns before the last one that is asked in the base case only.
    pub fn oblige(&mut self, kind: Kind, bad: Term, place: Place, message: &str) {
        if fault!(30) && !self.earlier.is_empty() {
            return;
        }
        let is_base = self.earlier.iter().map(|select| Term::not(select.clone()));
        let bad = Term::and([bad].into_iter().chain(is_base));
        if bad.as_bool() == Some(false) {
            return;
        }
        let number = self.ssa.count();
        self.ssa.obligations.push(Obligation { kind, bad, place, message: message.to_owned(), number });
    }
}
