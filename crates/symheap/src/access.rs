//! Reads and writes: which segment an address belongs to, whether the access lies inside it, what it holds.

use crate::arith;
use crate::deref::Deref;
use crate::exec::Executor;
use crate::halt::{Fault, Halt, Res, not_covered};
use crate::heap::{Fill, Heap, Kind, Life, Run, assemble, is_base};
use crate::state::State;
use crate::value::{ObjId, Prov, Value};
use heapproof_confirm::Origin;
use heapproof_engine::{Access, BadAccess};
use heapproof_ir::{Ty, mask};
use heapproof_logic::{BvOp, BvRel, Op, Term};
use std::rc::Rc;

/// Places of one access with an unknown offset that are looked at together.
const MOST_PLACES: u128 = 64;

impl Executor<'_> {
    /// The error that an access is.
    pub fn bad(&self, bad: BadAccess, access: Access) -> Fault {
        Fault::new(bad.class(access), bad.suspected())
    }

    /// The segment that an address belongs to; it lives, and may be written if it is to be.
    pub fn segment(&mut self, state: &State, pointer: &Value, access: Access) -> Res<ObjId> {
        let bad = match &resolved(&state.heap, pointer) {
            Prov::Object(id) => {
                let object = state.heap.get(*id);
                match (object.life, object.kind) {
                    (Life::Freed, Kind::Library | Kind::Stream(_)) => BadAccess::Closed,
                    (Life::Freed, _) => BadAccess::Freed,
                    (Life::Ended, _) => BadAccess::Ended,
                    (Life::Live, Kind::Function(_)) => BadAccess::Function,
                    (Life::Live, _) if object.constant && access == Access::Write => BadAccess::Constant,
                    (Life::Live, _) => return Ok(*id),
                }
            }
            Prov::Null => BadAccess::Null,
            Prov::Uninit => BadAccess::Uninitialised,
            Prov::None => {
                let is_null = Term::eq(pointer.term.clone(), Term::bits(0, pointer.term.width()));
                if self.decide(state, &is_null)? { BadAccess::Null } else { BadAccess::Number }
            }
            Prov::Foreign => return not_covered("an address from the environment is used"),
            Prov::Mixed(_) => {
                return not_covered(
                    "an address was computed in a way that does not tell which object it belongs to",
                );
            }
        };
        Err(self.bad(bad, access).into())
    }

    /// The segment and the offset of `n` bytes at a pointer, which must all lie inside one live object.
    pub fn check(
        &mut self,
        state: &mut State,
        pointer: &Value,
        n: &Term,
        access: Access,
    ) -> Res<(ObjId, Term)> {
        let id = self.segment(state, pointer, access)?;
        let object = state.heap.get(id);
        let offset = arith::offset(object, &pointer.term);
        let inside = in_bounds(&offset, n, &object.size);
        if self.deref != Deref::Segments
            && let Some(n) = n.as_bits()
            && let Some(found) = self.find_cell(state, id, &offset, n as u64)?
        {
            // A cell was found; whether the address may lead elsewhere as well is the allocation check.
            let bounds = in_bounds(&offset, &self.word_number(n as u64), &state.heap.get(id).size);
            let fault = || Fault::new(BadAccess::Outside.class(access), BadAccess::Outside.suspected());
            self.demand(state, &bounds, fault)?;
            return Ok((id, found));
        }
        self.demand(state, &inside, || {
            Fault::new(BadAccess::Outside.class(access), BadAccess::Outside.suspected())
        })?;
        Ok((id, offset))
    }

    /// `*(ty *)pointer`
    pub fn load(&mut self, state: &mut State, pointer: &Value, ty: Ty) -> Res<Value> {
        let n = ty.bytes(self.program.target);
        let (id, offset) = self.check(state, pointer, &self.word_number(n), Access::Read)?;
        let value = self.read(state, id, &offset, n)?;
        Ok(self.typed(&state.heap, value, ty))
    }

    /// Bytes as a value of a type.
    fn typed(&self, heap: &Heap, value: Value, ty: Ty) -> Value {
        let width = ty.bits(self.program.target);
        let term = value.term.resized(width, false);
        let prov = match value.prov {
            Prov::None if ty == Ty::Ptr && term.as_bits() == Some(0) => Prov::Null,
            Prov::Null if ty != Ty::Ptr => Prov::None,
            Prov::Mixed(_) if ty == Ty::Ptr => {
                resolved(heap, &Value { term: term.clone(), prov: value.prov })
            }
            other => other,
        };
        Value { term, prov }
    }

    /// `*(ty *)pointer = value`
    pub fn store(&mut self, state: &mut State, pointer: &Value, ty: Ty, value: Value) -> Res<()> {
        let n = ty.bytes(self.program.target);
        let (id, offset) = self.check(state, pointer, &self.word_number(n), Access::Write)?;
        self.write(state, id, &offset, n, value)
    }

    /// Reads bytes of a segment.
    pub fn read(&mut self, state: &mut State, id: ObjId, offset: &Term, n: u64) -> Res<Value> {
        if let Some(at) = offset.as_bits() {
            return Ok(self.read_at(state, id, at as u64, n));
        }
        if let Some(places) = self.places(state, id, offset, n)
            && let Some(value) = read_any(state, id, offset, n, &places)
        {
            return Ok(value);
        }
        let at = self.settled(state, id, offset, n)?;
        Ok(self.read_at(state, id, at, n))
    }

    /// Reads bytes at a known offset. What was never written is chosen now, as inputs.
    pub fn read_at(&mut self, state: &mut State, id: ObjId, at: u64, n: u64) -> Value {
        let runs = state.heap.get(id).runs(at, n);
        if let Some(value) = assemble(&runs) {
            return value;
        }
        for (wanted, origin, prov) in [
            (Fill::Uninit, Origin::Uninitialised, Prov::Uninit),
            (Fill::Unknown, Origin::Environment, Prov::Foreign),
        ] {
            let is_wanted = |run: &Run| matches!(run, Run::Fill(fill, _) if *fill == wanted);
            let runs = state.heap.get(id).runs(at, n);
            let count: u64 = runs.iter().filter(|run| is_wanted(run)).map(Run::len).sum();
            if count == 0 {
                continue;
            }
            let term = self.kept_input(state, origin, (8 * count) as u8);
            let whole = Rc::new(Value { term, prov });
            let (mut first, mut place) = (0u8, at);
            for run in runs {
                let len = run.len();
                if is_wanted(&run) {
                    let part = Run::Part { whole: whole.clone(), first, bytes: len as u8 };
                    state.heap.get_mut(id).put(place, vec![part]);
                    first += len as u8;
                }
                place += len;
            }
        }
        // Bytes that are not there: nobody knew that the path cannot be taken. Any value will do.
        let outside =
            |executor: &Self, state: &mut State| Value::plain(executor.unknown(state, (8 * n) as u8));
        match assemble(&state.heap.get(id).runs(at, n)) {
            Some(value) if u64::from(value.term.width()) == 8 * n => value,
            _ => outside(self, state),
        }
    }

    /// Writes a value to `n` bytes of a segment.
    pub fn write(&mut self, state: &mut State, id: ObjId, offset: &Term, n: u64, value: Value) -> Res<()> {
        let value = stored(value, n);
        if let Some(at) = offset.as_bits() {
            state.heap.get_mut(id).put_value(at as u64, value);
            return Ok(());
        }
        if let Some(places) = self.places(state, id, offset, n)
            && write_any(state, id, offset, n, &places, &value)
        {
            return Ok(());
        }
        let at = self.settled(state, id, offset, n)?;
        state.heap.get_mut(id).put_value(at, value);
        Ok(())
    }

    /// One of the values of an offset that was found to lie inside. A path with another one cannot be taken, although the solver did not
    /// find that out.
    fn settled(&mut self, state: &State, id: ObjId, offset: &Term, n: u64) -> Res<u64> {
        let at = self.concretize(state, offset)?;
        match state.heap.get(id).known_size() {
            Some(size) if at + u128::from(n) > size.into() => Err(Halt::End),
            _ => Ok(at as u64),
        }
    }

    /// The offsets that an unknown one may be, if these are few. It lies inside the segment.
    fn places(&self, state: &State, id: ObjId, offset: &Term, n: u64) -> Option<Vec<u64>> {
        let (low, high) = state.pure.ranges.of(offset);
        let size = u128::from(state.heap.get(id).known_size()?);
        let high = high.min(size.checked_sub(n.into())?);
        let (step, rest) = stride(state, offset);
        let step = step.max(1);
        let first = low + (rest + step - low % step) % step;
        if first > high || (high - first) / step >= MOST_PLACES {
            return None;
        }
        Some((first..=high).step_by(step as usize).map(|at| at as u64).collect())
    }
}

/// The provenance of a pointer. One that was put together of parts of addresses belongs to an object if it is, as a number, a
/// place relative to that object and to no other.
pub fn resolved(heap: &Heap, pointer: &Value) -> Prov {
    let Prov::Mixed(members) = &pointer.prov else { return pointer.prov.clone() };
    let is_relative = |id: &ObjId| {
        let object = heap.get(*id);
        object.base.width() == pointer.term.width()
            && !arith::offset(object, &pointer.term).vars().iter().any(is_base)
    };
    members.iter().copied().find(is_relative).map_or_else(|| pointer.prov.clone(), Prov::Object)
}

/// A value as its bytes. Null is a number once it is stored.
fn stored(value: Value, n: u64) -> Value {
    let prov = match value.prov {
        Prov::Null if value.term.as_bits() == Some(0) => Prov::None,
        other => other,
    };
    Value { term: value.term.resized((8 * n) as u8, false), prov }
}

/// `n` bytes at an offset lie inside a segment of a size.
pub fn in_bounds(offset: &Term, n: &Term, size: &Term) -> Term {
    if let (Some(n), Some(bytes)) = (n.as_bits(), size.as_bits()) {
        let width = size.width();
        return match bytes.checked_sub(n) {
            Some(last) => Term::rel(BvRel::Ule, offset.clone(), Term::bits(last, width)),
            None => Term::truth(false),
        };
    }
    let left = Term::bv(BvOp::Sub, size.clone(), offset.clone());
    Term::and([Term::rel(BvRel::Ule, offset.clone(), size.clone()), Term::rel(BvRel::Ule, n.clone(), left)])
}

/// A number of which an offset is a multiple, up to a rest. 0 is the number of a constant.
fn stride(state: &State, term: &Term) -> (u128, u128) {
    if let Some(bits) = term.as_bits() {
        return (0, bits);
    }
    let top = mask(term.width());
    // Modulo a power of two a sum or a product may wrap; modulo anything else it must not.
    let wraps = |args: &[Term], start: u128, join: fn(u128, u128) -> Option<u128>| {
        let high = args.iter().try_fold(start, |high, arg| join(high, state.pure.ranges.of(arg).1));
        high.is_none_or(|high| high > top)
    };
    let (step, rest, wraps) = match term.as_op() {
        Some((Op::Bv(BvOp::Add), args)) => {
            let (step, rest) = args.iter().fold((0, 0u128), |(step, rest), arg| {
                let (other, more) = stride(state, arg);
                (gcd(step, other), rest.wrapping_add(more) & top)
            });
            (step, rest, wraps(args, 0, u128::checked_add))
        }
        Some((Op::Bv(BvOp::Mul), args)) => {
            let factor = args.iter().find_map(Term::as_bits).unwrap_or(1);
            (factor.max(1), 0, wraps(args, 1, u128::checked_mul))
        }
        _ => (1, 0, false),
    };
    let step = if wraps && step != 0 { 1 << step.trailing_zeros() } else { step };
    (step, rest.checked_rem(step).unwrap_or(rest))
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The value at one of some places, if it is a plain number at each.
fn read_any(state: &State, id: ObjId, offset: &Term, n: u64, places: &[u64]) -> Option<Value> {
    let object = state.heap.get(id);
    let mut values = Vec::new();
    for place in places {
        let value = assemble(&object.runs(*place, n))?;
        if value.prov != Prov::None {
            return None;
        }
        values.push((*place, value.term));
    }
    if values.iter().all(|(_, value)| value.is_constant()) && !values.is_empty() {
        let top = significant(places).min(offset.width());
        return Some(Value::plain(selected(&lowest(offset, top), top, &values)));
    }
    // What was written at an unknown offset is told apart by the same equations.
    let chosen = values.into_iter().rev().reduce(|(_, rest), (place, value)| {
        let is_here = Term::eq(offset.clone(), Term::bits(place.into(), offset.width()));
        (place, Term::ite(is_here, value, rest))
    });
    chosen.map(|(_, term)| Value::plain(term))
}

/// How many bits tell places apart.
fn significant(places: &[u64]) -> u8 {
    let most = places.iter().copied().max().unwrap_or(0);
    (64 - most.leading_zeros()).max(1) as u8
}

/// The lowest bits of a number. Sums and products need no others of their parts.
fn lowest(term: &Term, bits: u8) -> Term {
    match term.as_op() {
        Some((Op::Bv(op @ (BvOp::Add | BvOp::Mul)), args)) => {
            let parts = args.iter().map(|arg| lowest(arg, bits));
            parts.reduce(|a, b| Term::bv(op, a, b)).unwrap_or_else(|| term.clone())
        }
        _ => Term::extract(bits - 1, 0, term.clone()),
    }
}

/// The value of a table at an offset, which is one of some places below `2^bits`: one question for each bit that tells them apart.
/// For a solver that is much less than one for each place.
fn selected(offset: &Term, bits: u8, values: &[(u64, Term)]) -> Term {
    if let [(_, only)] = values {
        return only.clone();
    }
    let bit = bits - 1;
    let (high, low): (Vec<_>, Vec<_>) = values.iter().cloned().partition(|(place, _)| place >> bit & 1 == 1);
    match (high.is_empty(), low.is_empty()) {
        (true, _) => selected(offset, bit, &low),
        (_, true) => selected(offset, bit, &high),
        _ => {
            let is_high = arith::truth(&Term::extract(bit, bit, offset.clone()));
            Term::ite(is_high, selected(offset, bit, &high), selected(offset, bit, &low))
        }
    }
}

/// Writes to one of some places, if all of it is plain numbers; false if it is not.
fn write_any(state: &mut State, id: ObjId, offset: &Term, n: u64, places: &[u64], value: &Value) -> bool {
    if value.prov != Prov::None || places.windows(2).any(|pair| pair[1] - pair[0] < n) {
        return false;
    }
    let object = state.heap.get(id);
    let old: Option<Vec<Value>> = places
        .iter()
        .map(|place| assemble(&object.runs(*place, n)).filter(|value| value.prov == Prov::None))
        .collect();
    let Some(old) = old else { return false };
    let object = state.heap.get_mut(id);
    for (place, old) in places.iter().zip(old) {
        let is_here = Term::eq(offset.clone(), Term::bits((*place).into(), offset.width()));
        object.put_value(*place, Value::plain(Term::ite(is_here, value.term.clone(), old.term)));
    }
    true
}

impl From<BadAccess> for Halt {
    fn from(bad: BadAccess) -> Halt {
        Fault::new(bad.class(Access::Read), bad.suspected()).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapproof_logic::{Model, Sort, Value as Number};

    /// At each of some places the value there is chosen, whatever gaps there are between them.
    #[test]
    fn the_value_at_each_place() {
        let x = Term::var("x", Sort::Bits(32));
        let offset = Term::bv(BvOp::Mul, x.clone().resized(64, false), Term::bits(12, 64)).plus(4);
        for count in 1..40u64 {
            let places: Vec<u64> = (0..count).map(|i| 12 * i + 4).collect();
            let values: Vec<(u64, Term)> =
                places.iter().map(|at| (*at, Term::bits(u128::from(at * 7 % 251), 8))).collect();
            let bits = significant(&places);
            let chosen = selected(&lowest(&offset, bits), bits, &values);
            for (i, (_, value)) in values.iter().enumerate() {
                let mut model = Model::new();
                model.set(x.clone(), Number::bits(i as u128, 32));
                assert_eq!(model.eval(&chosen).unwrap().as_bits(), value.as_bits(), "{i} of {count}");
            }
        }
    }
}
