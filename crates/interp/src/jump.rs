//! `setjmp` and `longjmp`: a jump to a frame that still lives.
//!
//! `setjmp` puts the address of an object of its own into the buffer, so a copy of the buffer serves as well. A jump
//! ends the frames above, and what was made in the frame itself since. Variables of the frame keep what memory holds;
//! where that is another value than at `setjmp` and the variable is not volatile, C leaves the value open.

use crate::api::Stop;
use crate::fault::{Access, Fault};
use crate::machine::{Frame, Machine, Res, Role};
use crate::memory::{Life, ObjectKind};
use crate::models::Call;
use crate::page::{Byte, Fresh};
use crate::value::{ObjId, Prov, Value};
use heapproof_ir::jump::{is_read_after, is_volatile};
use heapproof_ir::{BlockId, Reg, mask};
use heapproof_libc::JumpBuffer;
use heapproof_verdict::ErrorClass;
use std::collections::{BTreeMap, BTreeSet};

/// Variables larger than this count as changed.
const LONGEST: u64 = 1 << 12;
/// With so many places those of frames that are gone are dropped.
const MANY: usize = 256;

/// What the objects that stand for places are called.
const PLACE: &str = "the place of a call of `setjmp`";

/// A call of `setjmp`: its frame, block and instruction.
type At = (u64, BlockId, usize);

/// What a call of `setjmp` noted.
#[derive(Debug)]
struct Point<'p> {
    at: At,
    from: Option<BlockId>,
    results: &'p [Reg],
    /// The number of blocks on the stack of the frame.
    allocas: usize,
    /// The objects of the locals that lived, with their content if it matters.
    locals: Vec<Option<(ObjId, Option<Vec<Byte>>)>>,
}

/// The places that `setjmp` noted.
#[derive(Debug, Default)]
pub(crate) struct Jumps<'p> {
    points: BTreeMap<ObjId, Point<'p>>,
    places: BTreeMap<At, ObjId>,
}

impl<'p> Machine<'p, '_> {
    /// `setjmp(buffer)`
    pub(crate) fn set_jump(&mut self, call: &Call<'_>, buffer: JumpBuffer, results: &'p [Reg]) -> Res<Value> {
        let size = buffer.size(self.program.target);
        let (id, start) = self.check(call.value(0), size, Access::Write, call.actor(0))?;
        let at = (self.top.serial, self.top.block, self.top.ip);
        let place = match self.jumps.places.get(&at) {
            Some(place) => *place,
            None => {
                self.drop_old_points();
                let site = self.site();
                let made = self.create(0, 1, ObjectKind::Library(PLACE), Fresh::Zero, site)?;
                self.mem.get_mut(made).escaped = true;
                self.jumps.places.insert(at, made);
                made
            }
        };
        for offset in 0..size {
            let done = self.mem.set_byte(id, start + offset, Byte::Unknown);
            self.room(done)?;
        }
        let address = self.address_of(place);
        self.put(id, start, self.word_bytes, address)?;
        let locals = self.locals_now();
        let point = Point { at, from: self.top.from, results, allocas: self.top.allocas.len(), locals };
        self.jumps.points.insert(place, point);
        Ok(Value::plain(0))
    }

    /// `longjmp(buffer, value)`
    pub(crate) fn jump_back(&mut self, call: &Call<'_>) -> Res<()> {
        if self.handover.is_some() {
            return Err(Stop::Unsupported { what: "`longjmp` where nodes are checked".to_owned() }.into());
        }
        let given = call.args.get(1).map_or(1, |(value, _)| value.bits & mask(32));
        let kept = self.load(call.value(0), heapproof_ir::Ty::Ptr, call.actor(0))?;
        let place = match kept.prov {
            Prov::Object(id) if self.mem.get(id).kind == ObjectKind::Library(PLACE) => id,
            Prov::Uninit => {
                let message = format!("`{}` gets a buffer that was never filled", call.name());
                return Err(Fault::new(ErrorClass::WildDeref, message, None).into());
            }
            _ => {
                let what = format!("`{}` with a buffer that `setjmp` did not fill", call.name());
                return Err(Stop::Unsupported { what }.into());
            }
        };
        let point = self.jumps.points.get(&place).map(|point| point.at);
        let depth = point.and_then(|(serial, ..)| self.frames.iter().position(|f| f.serial == serial));
        let (serial, block, ip) = match point {
            Some(at) if depth.is_some() || at.0 == self.top.serial => at,
            _ => {
                let message = format!("`{}` jumps to a call of a function that has returned", call.name());
                return Err(Fault::new(ErrorClass::UseAfterScope, message, None).into());
            }
        };
        while self.top.serial != serial {
            if self.top.role == Role::Handler {
                let what = "a jump out of a function given to `atexit`".to_owned();
                return Err(Stop::Unsupported { what }.into());
            }
            self.drop_frame();
        }
        let Some(point) = self.jumps.points.remove(&place) else { return Ok(()) };
        self.back_to_scopes(&point)?;
        let site = self.site();
        for id in self.top.allocas.split_off(point.allocas.min(self.top.allocas.len())) {
            self.mem.end(id, Life::Ended, site);
        }
        (self.top.block, self.top.ip, self.top.from) = (block, ip + 1, point.from);
        if let Some(reg) = point.results.first() {
            self.set(*reg, Value::plain(given.max(1)));
        }
        self.jumps.points.insert(place, point);
        Ok(())
    }

    /// Ends the present frame without a return.
    fn drop_frame(&mut self) {
        self.end_objects();
        self.regs.truncate(self.top.regs);
        self.locals.truncate(self.top.locals);
        if self.top.role == Role::Callee && self.trace.is_on() {
            self.trace.leave();
        }
        if let Some(frame) = self.frames.pop() {
            self.top = frame;
        }
    }

    /// The objects of the present frame's locals, with the content of those that C protects only if they do not change.
    fn locals_now(&self) -> Vec<Option<(ObjId, Option<Vec<Byte>>)>> {
        let (body, types) = (self.top.body, &self.program.types);
        let live = body.locals.iter().map(|(local, info)| {
            let id = self.locals[self.top.locals + local.as_u32() as usize]?;
            let object = self.mem.get(id);
            if object.life != Life::Live {
                return None;
            }
            let content = || if object.size <= LONGEST { self.content_of(id) } else { Vec::new() };
            Some((id, (!is_volatile(types, info)).then(content)))
        });
        live.collect()
    }

    fn content_of(&self, id: ObjId) -> Vec<Byte> {
        (0..self.mem.get(id).size).map(|at| self.mem.byte(id, at)).collect()
    }

    /// Ends what began in the frame since `setjmp`, and says whose value is open.
    fn back_to_scopes(&mut self, point: &Point<'p>) -> Res<()> {
        let (body, site) = (self.top.body, self.site());
        for (local, before) in body.locals.keys().zip(&point.locals) {
            let index = self.top.locals + local.as_u32() as usize;
            let now = self.locals[index].filter(|id| self.mem.get(*id).life == Life::Live);
            match (before, now) {
                (Some((id, content)), Some(now)) if *id == now => {
                    let Some(content) = content else { continue };
                    let changed = *content != self.content_of(now);
                    if changed && is_read_after(body, (point.at.1, point.at.2), local) {
                        let variable = body.locals[local].variable.as_ref();
                        let name = variable.map_or("a temporary", |variable| &variable.name);
                        let what = format!("`{name}`, which changed after `setjmp` and is not volatile");
                        self.note_choice(&what);
                    }
                }
                (Some(_), _) => {
                    let what = "a jump by `longjmp` into a block that was left".to_owned();
                    return Err(Stop::Unsupported { what }.into());
                }
                (None, Some(now)) => self.mem.end(now, Life::Ended, site),
                (None, None) => {}
            }
        }
        Ok(())
    }

    fn drop_old_points(&mut self) {
        if self.jumps.places.len() < MANY {
            return;
        }
        let live: BTreeSet<u64> =
            self.frames.iter().chain([&self.top]).map(|frame: &Frame<'_>| frame.serial).collect();
        self.jumps.places.retain(|(serial, ..), _| live.contains(serial));
        self.jumps.points.retain(|_, point| live.contains(&point.at.0));
    }
}
