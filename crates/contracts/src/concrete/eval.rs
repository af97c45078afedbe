//! The value of an annotation in a concrete state. What reads outside of memory has none.

use super::world::{Spot, World};
use crate::typed::{Form, Int, IntOp, LinkField, Ptr, Set};
use std::collections::{BTreeMap, BTreeSet};

/// The longest list that is followed.
const LONGEST: usize = 10_000;

/// Evaluates annotations.
pub struct Evaluator<'a> {
    /// The link fields.
    pub fields: &'a [LinkField],
    /// The present state.
    pub now: &'a mut dyn World,
    /// The state at entry; the present one is it if there is none.
    pub old: Option<&'a mut dyn World>,
    bound: BTreeMap<u32, Spot>,
}

/// The truth of a formula; none if it has no value.
pub fn holds<'a>(
    fields: &'a [LinkField],
    form: &Form,
    now: &'a mut dyn World,
    old: Option<&'a mut dyn World>,
) -> Option<bool> {
    Evaluator { fields, now, old, bound: BTreeMap::new() }.form(form, false)
}

impl<'a> Evaluator<'a> {
    /// For a state, and the one at entry.
    pub fn new(
        fields: &'a [LinkField],
        now: &'a mut dyn World,
        old: Option<&'a mut dyn World>,
    ) -> Evaluator<'a> {
        Evaluator { fields, now, old, bound: BTreeMap::new() }
    }

    fn world(&mut self, is_old: bool) -> &mut dyn World {
        match (&mut self.old, is_old) {
            (Some(old), true) => &mut **old,
            _ => &mut *self.now,
        }
    }

    /// The truth of a formula.
    pub fn form(&mut self, form: &Form, old: bool) -> Option<bool> {
        match form {
            Form::Truth(value) => Some(*value),
            Form::Not(inner) => self.form(inner, old).map(|holds| !holds),
            Form::And(a, b) => match self.form(a, old) {
                Some(false) => Some(false),
                first => match (first, self.form(b, old)) {
                    (_, Some(false)) => Some(false),
                    (Some(true), second) => second,
                    _ => None,
                },
            },
            Form::Or(a, b) => match self.form(a, old) {
                Some(true) => Some(true),
                first => match (first, self.form(b, old)) {
                    (_, Some(true)) => Some(true),
                    (Some(false), second) => second,
                    _ => None,
                },
            },
            Form::Implies(a, b) => match self.form(a, old) {
                Some(false) => Some(true),
                first => match (first, self.form(b, old)) {
                    (_, Some(true)) => Some(true),
                    (Some(true), second) => second,
                    _ => None,
                },
            },
            Form::Same(a, b) => Some(self.form(a, old)? == self.form(b, old)?),
            Form::PtrEq(a, b) => Some(self.ptr(a, old)? == self.ptr(b, old)?),
            Form::ObjEq(a, b) => Some(self.ptr(a, old)?.object == self.ptr(b, old)?.object),
            Form::IntEq(a, b) => Some(self.int(a, old)? == self.int(b, old)?),
            Form::IntLt(a, b) => Some(self.int(a, old)? < self.int(b, old)?),
            Form::IntLe(a, b) => Some(self.int(a, old)? <= self.int(b, old)?),
            Form::Alloc(ptr, bytes) => {
                let spot = self.ptr(ptr, old)?;
                let Some(object) = spot.object else { return Some(false) };
                let size = self.world(old).allocated(object);
                Some(size.is_some_and(|size| {
                    spot.offset >= 0 && spot.offset + i128::from(*bytes) <= i128::from(size)
                }))
            }
            Form::Blocking(ptr) => {
                let spot = self.ptr(ptr, old)?;
                self.world(old).blocking(spot)
            }
            Form::In(ptr, set) => {
                let spot = self.ptr(ptr, old)?;
                self.member(spot, set, old)
            }
            Form::Forall(var, set, body) => self.forall(*var, set, body, old),
            Form::Old(inner) => self.form(inner, true),
        }
    }

    fn forall(&mut self, var: u32, set: &Set, body: &Form, old: bool) -> Option<bool> {
        let mut result = Some(true);
        for spot in self.elements(set, old)? {
            self.bound.insert(var, spot);
            let holds = self.form(body, old);
            self.bound.remove(&var);
            match holds {
                Some(true) => {}
                Some(false) => return Some(false),
                None => result = None,
            }
        }
        result
    }

    fn member(&mut self, spot: Spot, set: &Set, old: bool) -> Option<bool> {
        match set {
            Set::Blocking => self.world(old).blocking(spot),
            Set::Shift(inner, by) => self.member(spot.at(-by), inner, old),
            Set::Sized(inner, _) => self.member(spot, inner, old),
            Set::Union(a, b) => Some(self.member(spot, a, old)? || self.member(spot, b, old)?),
            Set::Inter(a, b) => Some(self.member(spot, a, old)? && self.member(spot, b, old)?),
            Set::Diff(a, b) => Some(self.member(spot, a, old)? && !self.member(spot, b, old)?),
            Set::Old(inner) => self.member(spot, inner, true),
            _ => Some(self.elements(set, old)?.contains(&spot)),
        }
    }

    /// The members of a set.
    pub fn elements(&mut self, set: &Set, old: bool) -> Option<BTreeSet<Spot>> {
        Some(self.cells(set, old)?.into_iter().map(|(spot, _)| spot).collect())
    }

    /// The members of a set, each with the size of the scalar at it.
    pub fn cells(&mut self, set: &Set, old: bool) -> Option<Vec<(Spot, u64)>> {
        let with = |spots: Vec<Spot>| Some(spots.into_iter().map(|spot| (spot, 1)).collect());
        match set {
            Set::Nothing => Some(Vec::new()),
            Set::Elements(elements) => {
                elements.iter().map(|(ptr, bytes)| Some((self.ptr(ptr, old)?, *bytes))).collect()
            }
            Set::Blocking => with(self.world(old).all_blocking()?),
            Set::List(from, field) => {
                let from = self.ptr(from, old)?;
                with(self.list(from, *field, old)?.0)
            }
            Set::Array(from, count, size) => {
                let (from, count) = (self.ptr(from, old)?, self.int(count, old)?);
                if count > LONGEST as i128 {
                    return None;
                }
                with((0..count.max(0)).map(|index| from.at(index * i128::from(*size))).collect())
            }
            Set::Shift(inner, by) => {
                let cells = self.cells(inner, old)?;
                Some(cells.into_iter().map(|(spot, bytes)| (spot.at(*by), bytes)).collect())
            }
            Set::Deref(inner) => {
                let cells = self.cells(inner, old)?;
                // What lies outside of memory has no content.
                Some(
                    cells
                        .into_iter()
                        .filter_map(|(spot, _)| Some((self.world(old).word(spot)?, 1)))
                        .collect(),
                )
            }
            Set::Union(a, b) => {
                let mut cells = self.cells(a, old)?;
                cells.extend(self.cells(b, old)?);
                Some(cells)
            }
            Set::Inter(a, b) | Set::Diff(a, b) => {
                let wanted = matches!(set, Set::Inter(..));
                let mut cells = Vec::new();
                for (spot, bytes) in self.cells(a, old)? {
                    if self.member(spot, b, old)? == wanted {
                        cells.push((spot, bytes));
                    }
                }
                Some(cells)
            }
            Set::Sized(inner, bytes) => {
                Some(self.cells(inner, old)?.into_iter().map(|(spot, _)| (spot, *bytes)).collect())
            }
            Set::Old(inner) => self.cells(inner, true),
        }
    }

    /// The list from a pointer, and what stops it; none for a list that has no end.
    pub fn list(&mut self, from: Spot, field: usize, old: bool) -> Option<(Vec<Spot>, Option<Spot>)> {
        let offset = self.fields[field].offset;
        let mut all = vec![from];
        let mut at = from;
        loop {
            let world = self.world(old);
            if !world.link(field, at) {
                return Some((all, None));
            }
            let next = world.word(at.at(offset))?;
            if world.blocking(next)? {
                return Some((all, Some(next)));
            }
            if all.contains(&next) || all.len() > LONGEST {
                return None;
            }
            all.push(next);
            at = next;
        }
    }

    /// A pointer.
    pub fn ptr(&mut self, ptr: &Ptr, old: bool) -> Option<Spot> {
        match ptr {
            Ptr::Number(int) => Some(Spot { object: None, offset: self.int(int, old)? }),
            Ptr::Var(var) => self.world(old).var(*var),
            Ptr::Bound(number) => self.bound.get(number).copied(),
            Ptr::Result => self.now.result(),
            Ptr::Global(id) => Some(Spot { object: Some(self.world(old).global(*id)?), offset: 0 }),
            Ptr::Local(local) => Some(Spot { object: Some(self.world(old).local(*local)?), offset: 0 }),
            Ptr::Plus(base, bytes) => {
                let (base, bytes) = (self.ptr(base, old)?, self.int(bytes, old)?);
                Some(base.at(bytes))
            }
            Ptr::Load(at) => {
                let at = self.ptr(at, old)?;
                self.world(old).word(at)
            }
            // Where a list ends at no link, what stops it is equal to no pointer.
            Ptr::Block(from, field) => {
                let from = self.ptr(from, old)?;
                let (_, stop) = self.list(from, *field, old)?;
                Some(stop.unwrap_or(Spot { object: Some(u32::MAX), offset: 0 }))
            }
            Ptr::Old(inner) => self.ptr(inner, true),
        }
    }

    fn int(&mut self, int: &Int, old: bool) -> Option<i128> {
        let number = |spot: Option<Spot>, size: u8, signed: bool| {
            let spot = spot.filter(|spot| spot.object.is_none())?;
            Some(typed(spot.offset, size, signed))
        };
        match int {
            Int::Const(value) => Some(*value),
            Int::Var(var, size, signed) => number(self.world(old).var(*var), *size, *signed),
            Int::Bound(var, size, signed) => number(self.bound.get(var).copied(), *size, *signed),
            Int::Result(size, signed) => number(self.now.result(), *size, *signed),
            Int::Load(at, size, signed) => {
                let at = self.ptr(at, old)?;
                Some(typed(self.world(old).int(at, *size)?, *size, *signed))
            }
            Int::Off(ptr) => Some(self.ptr(ptr, old)?.offset),
            Int::Num(ptr) => self.ptr(ptr, old).filter(|spot| spot.object.is_none()).map(|spot| spot.offset),
            Int::Op(op, a, b) => {
                let (a, b) = (self.int(a, old)?, self.int(b, old)?);
                match op {
                    IntOp::Add => a.checked_add(b),
                    IntOp::Sub => a.checked_sub(b),
                    IntOp::Mul => a.checked_mul(b),
                    IntOp::Div => a.checked_div(b),
                    IntOp::Mod => a.checked_rem(b),
                }
            }
            Int::Cast(inner, size, signed) => Some(typed(self.int(inner, old)?, *size, *signed)),
            Int::Enum(inner, _) => self.int(inner, old).filter(|value| *value >= 0),
            Int::Truth(form) => self.form(form, old).map(i128::from),
            Int::Old(inner) => self.int(inner, true),
        }
    }
}

/// The number that some bytes hold, with or without sign.
fn typed(value: i128, size: u8, signed: bool) -> i128 {
    let bits = value as u128 & heapproof_ir::mask(8 * size);
    if signed { heapproof_ir::sign_extend(bits, 8 * size) } else { bits as i128 }
}
