//! Leaks: heap blocks that no root leads to any more, and blocks that are left at the end.

use crate::exec::Executor;
use crate::halt::{Fault, Res};
use crate::heap::{Kind, Life};
use crate::state::{Role, State};
use crate::value::{ObjId, Prov, Value};
use heapproof_engine::Place;
use heapproof_verdict::{ErrorClass, Property};

impl Executor<'_> {
    /// The program ends: what is lost or left over?
    pub fn program_ends(&mut self, state: &mut State, place: Place, aborted: bool) -> Res<()> {
        self.dump(state, "the end of a path");
        self.look_for_leaks(state, place)?;
        let normal = !aborted && self.asks(Property::MemCleanup);
        let property = match () {
            () if normal => Property::MemCleanup,
            () if self.asks(Property::ValidMemcleanup) => Property::ValidMemcleanup,
            () => return Ok(()),
        };
        let left = state.heap.ids().any(|id| is_block(state, id) && !state.lost.contains(&id));
        if left {
            let mut fault = Fault::new(ErrorClass::Leak, "heap blocks may never be freed");
            fault.property = property;
            self.report_here(state, &fault, place)?;
        }
        Ok(())
    }

    /// Tells of blocks that cannot be reached any more. The path goes on.
    pub fn look_for_leaks(&mut self, state: &mut State, place: Place) -> Res<()> {
        if !self.asks(Property::ValidMemtrack) {
            return Ok(());
        }
        let lost: Vec<ObjId> =
            self.unreachable(state).into_iter().filter(|id| !state.lost.contains(id)).collect();
        if lost.is_empty() {
            return Ok(());
        }
        state.lost.extend(lost);
        self.report_here(state, &Fault::new(ErrorClass::Leak, "a heap block may be lost"), place)
    }

    /// Tells of an error that happens on the path as it is.
    pub fn report_here(&mut self, state: &State, fault: &Fault, place: Place) -> Res<()> {
        self.dump(state, &fault.message);
        use crate::oracle::May;
        let model = match &state.pure.model {
            Some(model) => Some(model.clone()),
            None => match self.oracle.may(&state.pure, &heapproof_logic::Term::truth(true)) {
                May::Yes(model) => Some(model),
                // Nobody knew that the path cannot be taken.
                May::No => return Ok(()),
                May::Perhaps => None,
            },
        };
        self.report(fault, place, &state.pure.journal, model.as_deref())
    }

    /// The live heap blocks that no root leads to.
    fn unreachable(&mut self, state: &State) -> Vec<ObjId> {
        let blocks: Vec<ObjId> = state.heap.ids().filter(|id| is_block(state, *id)).collect();
        if blocks.is_empty() {
            return blocks;
        }
        let mut reached = vec![false; state.heap.len()];
        let mut work = Vec::new();
        for id in state.heap.ids() {
            let object = state.heap.get(id);
            if object.life == Life::Live && object.kind != Kind::Heap {
                reached[id.index()] = true;
                work.push(id);
            }
        }
        let mut visit = |value: &Value, work: &mut Vec<ObjId>| {
            let mut add = |id: ObjId| {
                if !reached[id.index()] {
                    reached[id.index()] = true;
                    work.push(id);
                }
            };
            match &value.prov {
                Prov::Object(id) => add(*id),
                Prov::Mixed(set) => set.iter().copied().for_each(add),
                _ => {}
            }
        };
        for value in self.roots(state) {
            visit(&value, &mut work);
        }
        while let Some(id) = work.pop() {
            let object = state.heap.get(id);
            if object.life == Life::Live {
                object.for_each_value(|value| visit(value, &mut work));
            }
        }
        blocks.into_iter().filter(|id| !reached[id.index()]).collect()
    }

    /// The values in registers that are roots: variables, and what is live.
    fn roots(&mut self, state: &State) -> Vec<Value> {
        let mut values = state.held.clone();
        for (index, frame) in state.frames.iter().enumerate() {
            let body = self.body(frame.func);
            let liveness = self.liveness_of(frame.func);
            let above = state.frames.get(index + 1).filter(|frame| frame.role == Role::Callee);
            let awaited = above.map_or(&[][..], |frame| &frame.results);
            let live = frame.inst.checked_sub(1).map(|before| liveness.live_after(body, frame.block, before));
            for (reg, info) in body.regs.iter() {
                let Some(value) = &frame.regs[reg.as_u32() as usize] else { continue };
                if !value.is_address() || (awaited.contains(&reg) && info.variable.is_none()) {
                    continue;
                }
                let is_live = || match &live {
                    Some(live) => live.contains(reg),
                    None => liveness.is_live_in(frame.block, reg),
                };
                if info.variable.is_some() || is_live() {
                    values.push(value.clone());
                }
            }
        }
        values
    }
}

/// True for a heap block that lives.
fn is_block(state: &State, id: ObjId) -> bool {
    let object = state.heap.get(id);
    object.kind == Kind::Heap && object.life == Life::Live
}
