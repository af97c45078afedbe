//! Answers of the environment that stay the same are kept in memory: see [`heapproof_libc::AnswerObjects`].
//!
//! Where it is not sure that an answer was given and still holds, it is asked for again: any answer is possible then.

use crate::graph::{Addr, ObjId, State, Storage, Tg, Val};
use crate::step::{Executor, index};
use heapproof_ir::{GlobalInit, Reg};
use heapproof_libc::{Model, ModelKind, Outside, SLOT, STANDARD_STREAMS, StreamKind, constant_text};

/// Where an answer is kept.
type Slot = (ObjId, u64);

/// Slots of streams end here.
const STREAM_SLOTS: u64 = 8 * SLOT;

impl Executor<'_> {
    /// Where the answer to a call is kept, if it is one that stays the same.
    pub fn answer_slot(&self, state: &State, model: &Model, args: &[Val]) -> Option<Slot> {
        if let Some(at) = model.slot_in_stream() {
            return match args.first()? {
                Val::Addr(Addr { obj, off: 0, tg: Tg::Region }) if self.is_open_stream(state, *obj) => {
                    Some((*obj, at))
                }
                _ => None,
            };
        }
        let (global, at) = match model.kind {
            ModelKind::GetEnv => match args.first()? {
                Val::Addr(Addr { obj, off: 0, tg: Tg::Region }) => {
                    let Storage::Global(name, true) = state.object(*obj).storage else { return None };
                    let question = (model.name, constant_text(self.program, name)?);
                    (*self.answers.variables.get(&question)?, 0)
                }
                _ => return None,
            },
            _ => self.answers.number_slot(model, args.first().and_then(|arg| state.known(*arg)))?,
        };
        Some((*state.globals.get(&global)?, at))
    }

    fn is_open_stream(&self, state: &State, obj: ObjId) -> bool {
        let object = state.object(obj);
        match object.storage {
            Storage::Stream(_) => object.valid && !object.maybe,
            Storage::Global(global, _) => {
                let global = &self.program.globals[global];
                matches!(global.init, GlobalInit::External)
                    && STANDARD_STREAMS.iter().any(|(_, name)| *name == global.name)
            }
            _ => false,
        }
    }

    /// The answer in a slot, if there is one for sure.
    pub fn answer(&self, state: &State, (obj, at): Slot, dst: Reg) -> Option<Val> {
        let width = state.frame().widths[index(dst)];
        let object = state.object(obj);
        let flag = object.peek(at, SLOT / 2)?;
        let val = object.peek(at + SLOT / 2, u64::from(width).div_ceil(8))?;
        (state.known(flag) == Some(1) && state.has_width(val, width)).then_some(val)
    }

    /// The answer that a call just gave is kept.
    pub fn keep_answer(&self, state: &mut State, (obj, at): Slot, dst: Reg) {
        let width = state.frame().widths[index(dst)];
        let Some(val) = state.frame().regs[index(dst)] else { return };
        state.write(obj, at, SLOT / 2, Val::Int(1));
        state.write(obj, at + SLOT / 2, u64::from(width).div_ceil(8), val);
    }

    /// Answers may be others after this.
    pub fn forget_answers(&self, state: &mut State, outside: Outside) {
        if outside == Outside::Nothing {
            return;
        }
        let program = self.program;
        let stream =
            |global: &heapproof_ir::Global| STANDARD_STREAMS.iter().any(|(_, name)| *name == global.name);
        let streams: Vec<ObjId> = state
            .objects
            .iter()
            .filter(|(_, object)| match object.storage {
                Storage::Stream(kind) => kind != StreamKind::Entry,
                Storage::Global(global, _) => stream(&program.globals[global]),
                _ => false,
            })
            .filter(|(_, object)| !object.cells.is_empty())
            .map(|(id, _)| *id)
            .collect();
        for obj in streams {
            state.object_mut(obj).erase(0, STREAM_SLOTS);
        }
        let numbers = self.answers.numbers.values().filter(|_| outside >= Outside::Anything);
        let variables = self.answers.variables.values().filter(|_| outside >= Outside::Everything);
        let kept: Vec<ObjId> =
            numbers.chain(variables).filter_map(|global| state.globals.get(global).copied()).collect();
        for obj in kept {
            let size = state.object(obj).size;
            state.fill(obj, 0, size, Some(0));
        }
    }
}
