//! Variadic arguments: the layout of `va_list` on both targets.

use crate::api::Stop;
use crate::fault::{Access, Actor};
use crate::machine::{Machine, Res};
use crate::memory::ObjectKind;
use crate::page::Fresh;
use crate::value::Value;
use heapproof_ir::{CopyKind, FloatKind, Operand, Target, Ty};

/// Size of `__va_list_tag` on x86_64.
const TAG: u64 = 24;

/// What the area of the variadic arguments is aligned to; no argument of the front end needs more.
pub(crate) const AREA_ALIGN: u64 = 64;

/// Size and alignment of an argument in the area of a target.
pub(crate) fn slot(target: Target, ty: Ty) -> (u64, u64) {
    match (target, ty) {
        (Target::Lp64, Ty::Float(FloatKind::X87 | FloatKind::F128)) => (16, 16),
        (Target::Lp64, Ty::Int(65..)) => (16, 16),
        (Target::Lp64, _) => (8, 8),
        (Target::Ilp32, Ty::Float(FloatKind::X87)) => (12, 4),
        (Target::Ilp32, Ty::Float(FloatKind::F128)) => (16, 4),
        (Target::Ilp32, ty) => (ty.bytes(target).next_multiple_of(4), 4),
    }
}

impl Machine<'_, '_> {
    /// Lays the variadic arguments of a new frame out in an area that lives as long as the frame: it is below
    /// every state of the stack that the function can save.
    pub fn lay_out_variadic(&mut self, args: &[(Value, Ty)]) -> Res<()> {
        let target = self.program.target;
        let mut places = Vec::new();
        let mut end = 0u64;
        for &(value, ty) in args {
            let (size, align) = slot(target, ty);
            let place = end.next_multiple_of(align);
            places.push((place, value, ty));
            end = place + size;
        }
        let site = self.site();
        let area = self.create(end, AREA_ALIGN, ObjectKind::Alloca, Fresh::Uninit, site)?;
        self.top.allocas.push(area);
        self.top.variadic = Some(area);
        for (place, value, ty) in places {
            self.put(area, place, ty.bytes(target), value)?;
        }
        Ok(())
    }

    /// Makes a list start at the first of the variadic arguments.
    pub fn va_start(&mut self, list: &Operand) -> Res<()> {
        let target = self.program.target;
        let pointer = self.operand(list)?;
        let size = if target == Target::Lp64 { TAG } else { self.word_bytes };
        let (id, at) = self.check(pointer, size, Access::Write, Actor::Inst(list))?;
        let Some(area) = self.top.variadic else {
            let what = "`va_start` in a function without variadic arguments".to_owned();
            return Err(Stop::Unsupported { what }.into());
        };
        let address = self.address_of(area);
        match target {
            Target::Lp64 => {
                // Both register areas are used up, so that everything is taken from the overflow area.
                self.put(id, at, 4, Value::plain(48))?;
                self.put(id, at + 4, 4, Value::plain(176))?;
                self.put(id, at + 8, 8, address)?;
                self.put(id, at + 16, 8, Value::NULL)
            }
            Target::Ilp32 => self.put(id, at, 4, address),
        }
    }

    pub fn va_copy(&mut self, to: &Operand, from: &Operand) -> Res<()> {
        let (target, source) = (self.operand(to)?, self.operand(from)?);
        let size = if self.program.target == Target::Lp64 { TAG } else { self.word_bytes };
        self.copy_block(CopyKind::Move, target, source, size, (Actor::Inst(to), Actor::Inst(from)))
    }

    /// Takes the next argument out of a list, as `va_arg` does.
    pub fn va_next(&mut self, list: Value, ty: Ty, function: &'static str, arg: usize) -> Res<Value> {
        let actor = Actor::Model(function, arg);
        let target = self.program.target;
        // On x86_64 the list is the address of the tag; on i386 its value is the area itself and is not updated.
        let place = match target {
            Target::Lp64 => Value { bits: list.bits + 8, prov: list.prov },
            Target::Ilp32 => {
                return Err(Stop::Unsupported { what: "a list without a place".to_owned() }.into());
            }
        };
        let area = self.load(place, Ty::Ptr, actor)?;
        let (value, next) = self.va_take(area, ty, actor)?;
        self.store(place, Ty::Ptr, next, actor)?;
        Ok(value)
    }

    /// The argument at a place of an area, and the place behind it.
    pub fn va_take(&mut self, area: Value, ty: Ty, actor: Actor<'_>) -> Res<(Value, Value)> {
        let (size, align) = slot(self.program.target, ty);
        let place = Value { bits: area.bits.next_multiple_of(u128::from(align)), prov: area.prov };
        let value = self.load(place, ty, actor)?;
        Ok((value, Value { bits: place.bits + u128::from(size), prov: area.prov }))
    }
}
