//! `setjmp` and `longjmp`: a jump to a frame that still lives, as the interpreter does it.

use crate::exec::{Executor, Gap};
use crate::halt::{Fault, Res, not_covered};
use crate::heap::{Fill, Kind, Life, Run};
use crate::models::{ModelCall, Outcome};
use crate::state::{Role, State};
use crate::value::{ObjId, Prov, Value};
use heapproof_engine::Access;
use heapproof_ir::jump::{is_read_after, is_volatile};
use heapproof_ir::{BlockId, Reg};
use heapproof_libc::JumpBuffer;
use heapproof_logic::Term;
use heapproof_verdict::ErrorClass;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What calls of `setjmp` noted, by the object whose address is in the buffer.
pub type Jumps = BTreeMap<ObjId, Point>;

/// A call of `setjmp`.
#[derive(Clone, Debug)]
pub struct Point {
    /// Its frame, block and instruction.
    at: (u64, BlockId, usize),
    results: Vec<Reg>,
    /// The number of blocks on the stack of the frame.
    allocas: usize,
    /// The objects of the locals that lived, with their content if it matters.
    locals: Vec<Option<(ObjId, Option<Vec<Run>>)>>,
}

impl Executor<'_> {
    /// `setjmp(buffer)`
    pub fn set_jump(
        &mut self,
        state: &mut State,
        call: &ModelCall<'_>,
        buffer: JumpBuffer,
        results: &[Reg],
    ) -> Res<Outcome> {
        let size = buffer.size(self.program.target);
        let (id, at) = self.check(state, call.value(0), &self.word_number(size), Access::Write)?;
        let at = self.concretize(state, &at)? as u64;
        let place = state.heap.create(self.word_number(0), 1, Kind::Library, Fill::Unknown);
        let address = state.heap.address(place);
        state.heap.get_mut(id).put(at, vec![Run::Fill(Fill::Unknown, size)]);
        state.heap.get_mut(id).put_value(at, address);
        let frame = state.top().clone();
        let body = self.body(frame.func);
        let locals = body.locals.iter().map(|(local, info)| {
            let id = frame.locals[local.as_u32() as usize]?;
            let object = state.heap.get(id);
            let content = || object.runs(0, u64::MAX / 2);
            let is_live = object.life == Life::Live;
            is_live.then(|| (id, (!is_volatile(&self.program.types, info)).then(content)))
        });
        let point = Point {
            at: (frame.serial, frame.block, frame.inst),
            results: results.to_vec(),
            allocas: frame.allocas.len(),
            locals: locals.collect(),
        };
        Rc::make_mut(&mut state.jumps).insert(place, point);
        Ok(Outcome::Gives(Some(Value::number(0, 32))))
    }

    /// `longjmp(buffer, value)`
    pub fn jump_back(&mut self, state: &mut State, call: &ModelCall<'_>) -> Res<Outcome> {
        let bytes = self.program.target.pointer_bytes();
        let (id, at) = self.check(state, call.value(0), &self.word_number(bytes), Access::Read)?;
        let at = self.concretize(state, &at)? as u64;
        let kept = state.heap.get(id).runs(at, bytes);
        let place = match &kept[..] {
            [Run::Part { whole, first: 0, bytes: n }] if u64::from(*n) == bytes => match whole.prov {
                Prov::Object(id) => state.jumps.get(&id).cloned(),
                _ => None,
            },
            _ => None,
        };
        let Some(point) = place else {
            return not_covered(format!("`{}` with a buffer that `setjmp` did not fill", call.model.name));
        };
        let (serial, block, inst) = point.at;
        let Some(depth) = state.frames.iter().position(|frame| frame.serial == serial) else {
            let message = format!("`{}` jumps to a call of a function that has returned", call.model.name);
            return Err(Fault::new(ErrorClass::UseAfterScope, message).into());
        };
        if state.frames[depth + 1..].iter().any(|frame| frame.role != Role::Callee) {
            return not_covered("a jump out of a function given to `atexit`");
        }
        for frame in state.frames.split_off(depth + 1) {
            for id in frame.locals.iter().flatten().chain(&frame.allocas) {
                if state.heap.get(*id).life == Life::Live {
                    state.heap.end(*id, Life::Ended);
                }
            }
        }
        self.back_to_scopes(state, &point)?;
        let frame = state.top_mut();
        (frame.block, frame.inst) = (block, inst + 1);
        if let Some(reg) = point.results.first() {
            let value = call.args.get(1).map_or(Value::number(1, 32), |(value, _)| value.clone());
            let is_zero = Term::eq(value.term.clone(), Term::bits(0, value.term.width()));
            let one = Term::bits(1, value.term.width());
            state.set(*reg, Value::plain(Term::ite(is_zero, one, value.term)));
        }
        state.pure.advance();
        Ok(Outcome::Enters)
    }

    /// Ends what began in the frame since `setjmp`, and says whose value is open.
    fn back_to_scopes(&mut self, state: &mut State, point: &Point) -> Res<()> {
        let frame = state.top().clone();
        let body = self.body(frame.func);
        for id in &frame.allocas[point.allocas.min(frame.allocas.len())..] {
            state.heap.end(*id, Life::Ended);
        }
        state.top_mut().allocas.truncate(point.allocas);
        for (local, before) in body.locals.keys().zip(&point.locals) {
            let now = frame.locals[local.as_u32() as usize];
            let now = now.filter(|id| state.heap.get(*id).life == Life::Live);
            match (before, now) {
                (Some((id, content)), Some(now)) if *id == now => {
                    let Some(content) = content else { continue };
                    let changed = *content != state.heap.get(now).runs(0, u64::MAX / 2);
                    if changed && is_read_after(body, (point.at.1, point.at.2), local) {
                        let place = self.place(state);
                        let what = "a variable that changed after `setjmp` and is not volatile";
                        self.note_gap(Gap::NotCovered(what.to_owned(), place));
                    }
                }
                (Some(_), _) => return not_covered("a jump by `longjmp` into a block that was left"),
                (None, Some(now)) => state.heap.end(now, Life::Ended),
                (None, None) => {}
            }
        }
        Ok(())
    }
}
