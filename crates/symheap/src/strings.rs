//! `string.h` byte by byte: lengths, copies, comparisons and searches.
//!
//! Where one side is known, a comparison is one term and no case distinction: that is what finds the words that a program waits for.

use crate::exec::Executor;
use crate::halt::{Fault, Res, not_covered};
use crate::heap::{Fill, Run, assemble};
use crate::models::ModelCall;
use crate::state::State;
use crate::value::{ObjId, Prov, Value};
use heapproof_engine::{Access, BadAccess};
use heapproof_libc::{CompareCase, CopyResult, FindFrom, ModelKind};
use heapproof_logic::{BvOp, BvRel, Term};

/// Longer comparisons are not one term.
const LONGEST: u64 = 256;

/// A place in a segment.
#[derive(Clone, Copy, Debug)]
struct Spot {
    id: ObjId,
    at: u64,
}

impl Executor<'_> {
    /// A function on strings or bytes; none if its effect has to do.
    pub fn string_model(&mut self, state: &mut State, call: &ModelCall<'_>) -> Res<Option<Value>> {
        use ModelKind::{CompareBytes, DupString, FindByte, StrCat, StrCompare, StrCopy, StrFind, StrLen};
        Ok(Some(match call.model.kind {
            StrLen { bounded } => {
                let most = bounded.then(|| call.value(1).term.clone());
                let (_, len) = self.text(state, call.value(0), most.as_ref())?;
                Value::number(len.into(), self.word)
            }
            DupString { bounded } => {
                let most = bounded.then(|| call.value(1).term.clone());
                let (from, len) = self.text(state, call.value(0), most.as_ref())?;
                let size = self.word_number(len + 1);
                if self.environment.malloc_may_fail {
                    return Ok(None);
                }
                let id = self.new_block(state, size, 1, Fill::Uninit)?;
                self.put_text(state, Spot { id, at: 0 }, from, len);
                state.heap.address(id)
            }
            StrCopy { bounded: false, result } => {
                let (from, len) = self.text(state, call.value(1), None)?;
                let to = self.copy_text(state, call.value(0), from, len, 0)?;
                match result {
                    CopyResult::End => moved(call.value(0), to + len),
                    _ => call.value(0).clone(),
                }
            }
            StrCopy { bounded: true, result } => return self.bounded_copy(state, call, result).map(Some),
            StrCat { bounded } => {
                let (_, before) = self.text(state, call.value(0), None)?;
                let most = bounded.then(|| call.value(2).term.clone());
                let (from, len) = self.text(state, call.value(1), most.as_ref())?;
                self.copy_text(state, call.value(0), from, len, before)?;
                call.value(0).clone()
            }
            StrCompare { bounded, case: CompareCase::Exact } => {
                let most = bounded.then(|| call.value(2).term.clone());
                return self.compare_texts(state, call, most).map(Some);
            }
            CompareBytes => return self.compare_bytes(state, call).map(Some),
            StrFind { from } if from != FindFrom::Back => return self.find_char(state, call, from).map(Some),
            FindByte { from: FindFrom::Front } => return self.find_byte(state, call).map(Some),
            _ => return Ok(None),
        }))
    }

    /// The place that a pointer leads to, which must have a byte to read.
    fn spot(&mut self, state: &mut State, pointer: &Value) -> Res<Spot> {
        let (id, at) = self.check(state, pointer, &self.word_number(1), Access::Read)?;
        let at = self.concretize(state, &at)? as u64;
        Ok(Spot { id, at })
    }

    /// One byte of a segment, which must be there.
    fn byte(&mut self, state: &mut State, spot: Spot, index: u64) -> Res<Term> {
        let size = &state.heap.get(spot.id).size;
        let inside = Term::rel(BvRel::Ult, self.word_number(spot.at + index), size.clone());
        let outside = || Fault::new(BadAccess::Outside.class(Access::Read), BadAccess::Outside.suspected());
        self.demand(state, &inside, outside)?;
        Ok(self.read_at(state, spot.id, spot.at + index, 1).term)
    }

    /// Where a string is and how long it is. Every length that it may have is a case of its own.
    pub fn length_of(
        &mut self,
        state: &mut State,
        pointer: &Value,
        most: Option<&Term>,
    ) -> Res<(ObjId, u64, u64)> {
        let (spot, len) = self.text(state, pointer, most)?;
        Ok((spot.id, spot.at, len))
    }

    fn text(&mut self, state: &mut State, pointer: &Value, most: Option<&Term>) -> Res<(Spot, u64)> {
        if let Some(most) = most
            && self.decide(state, &Term::eq(most.clone(), Term::bits(0, most.width())))?
        {
            return Ok((Spot { id: ObjId(0), at: 0 }, 0));
        }
        let spot = self.spot(state, pointer)?;
        let mut len = 0;
        loop {
            if let Some(most) = most
                && self.decide(
                    state,
                    &Term::rel(BvRel::Ule, most.clone(), Term::bits(len.into(), most.width())),
                )?
            {
                return Ok((spot, len));
            }
            let byte = self.byte(state, spot, len)?;
            if self.decide(state, &Term::eq(byte, Term::bits(0, 8)))? {
                return Ok((spot, len));
            }
            len += 1;
        }
    }

    fn put_text(&mut self, state: &mut State, to: Spot, from: Spot, len: u64) {
        let mut runs = if len > 0 { state.heap.get(from.id).runs(from.at, len) } else { Vec::new() };
        runs.push(Run::Fill(Fill::Byte(Term::bits(0, 8)), 1));
        state.heap.get_mut(to.id).put(to.at, runs);
    }

    /// Copies a string behind some bytes of an area; gives where that is from the pointer.
    fn copy_text(&mut self, state: &mut State, to: &Value, from: Spot, len: u64, behind: u64) -> Res<u64> {
        let n = self.word_number(behind + len + 1);
        let (id, at) = self.check(state, to, &n, Access::Write)?;
        let at = self.concretize(state, &at)? as u64;
        self.no_overlap((Spot { id, at: at + behind }, len + 1), (from, len + 1))?;
        self.put_text(state, Spot { id, at: at + behind }, from, len);
        Ok(behind)
    }

    /// What is copied does not lie where it is written.
    fn no_overlap(&self, (to, n): (Spot, u64), (from, m): (Spot, u64)) -> Res<()> {
        if to.id != from.id || m == 0 || to.at >= from.at + m || from.at >= to.at + n {
            return Ok(());
        }
        if self.asks(heapproof_verdict::Property::NoOverlap) {
            let class = heapproof_verdict::ErrorClass::OverlappingCopy;
            return Err(Fault::new(class, "the areas of the copy overlap").into());
        }
        not_covered("areas that overlap")
    }

    /// `strncpy`: fills up with NUL.
    fn bounded_copy(&mut self, state: &mut State, call: &ModelCall<'_>, result: CopyResult) -> Res<Value> {
        let n = call.value(2).term.clone();
        if self.decide(state, &Term::eq(n.clone(), Term::bits(0, n.width())))? {
            return Ok(call.value(0).clone());
        }
        let (from, len) = self.text(state, call.value(1), Some(&n))?;
        let (id, at) = self.check(state, call.value(0), &n, Access::Write)?;
        let (n, at) = (self.concretize(state, &n)? as u64, self.concretize(state, &at)? as u64);
        let len = len.min(n);
        self.no_overlap((Spot { id, at }, n), (from, n.min(len + 1)))?;
        let mut runs = state.heap.get(from.id).runs(from.at, len);
        if n > len {
            runs.push(Run::Fill(Fill::Byte(Term::bits(0, 8)), n - len));
        }
        state.heap.get_mut(id).put(at, runs);
        Ok(match result {
            CopyResult::End => moved(call.value(0), len),
            _ => call.value(0).clone(),
        })
    }

    /// `strcmp` and `strncmp`: only the sign of the result is known.
    fn compare_texts(&mut self, state: &mut State, call: &ModelCall<'_>, most: Option<Term>) -> Res<Value> {
        if let Some(most) = &most
            && self.decide(state, &Term::eq(most.clone(), Term::bits(0, most.width())))?
        {
            return Ok(Value::number(0, 32));
        }
        let (a, b) = (self.spot(state, call.value(0))?, self.spot(state, call.value(1))?);
        if let Some(limit) = most.as_ref().map_or(Some(LONGEST), |most| most.as_bits().map(|n| n as u64))
            && let Some(difference) = difference_of_texts(state, a, b, limit)
        {
            return Ok(self.with_sign_of(state, &difference));
        }
        let mut index = 0;
        loop {
            if let Some(most) = &most {
                let over = Term::rel(BvRel::Ule, most.clone(), Term::bits(index.into(), most.width()));
                if self.decide(state, &over)? {
                    return Ok(Value::number(0, 32));
                }
            }
            let (x, y) = (self.byte(state, a, index)?, self.byte(state, b, index)?);
            if !self.decide(state, &Term::eq(x.clone(), y.clone()))? {
                return Ok(self.with_sign_of(state, &difference(&x, &y)));
            }
            if self.decide(state, &Term::eq(x, Term::bits(0, 8)))? {
                return Ok(Value::number(0, 32));
            }
            index += 1;
        }
    }

    fn compare_bytes(&mut self, state: &mut State, call: &ModelCall<'_>) -> Res<Value> {
        let n = call.value(2).term.clone();
        if self.decide(state, &Term::eq(n.clone(), Term::bits(0, n.width())))? {
            return Ok(Value::number(0, 32));
        }
        let (a, at_a) = self.check(state, call.value(0), &n, Access::Read)?;
        let (b, at_b) = self.check(state, call.value(1), &n, Access::Read)?;
        let n = self.concretize(state, &n)? as u64;
        let a = Spot { id: a, at: self.concretize(state, &at_a)? as u64 };
        let b = Spot { id: b, at: self.concretize(state, &at_b)? as u64 };
        if n <= LONGEST && is_plain(state, a, n) && is_plain(state, b, n) {
            let mut result = Term::bits(0, 32);
            for index in (0..n).rev() {
                let x = self.read_at(state, a.id, a.at + index, 1).term;
                let y = self.read_at(state, b.id, b.at + index, 1).term;
                result = Term::ite(Term::eq(x.clone(), y.clone()), result, difference(&x, &y));
            }
            return Ok(self.with_sign_of(state, &result));
        }
        for index in 0..n {
            let (x, y) = (self.byte(state, a, index)?, self.byte(state, b, index)?);
            if !self.decide(state, &Term::eq(x.clone(), y.clone()))? {
                return Ok(self.with_sign_of(state, &difference(&x, &y)));
            }
        }
        Ok(Value::number(0, 32))
    }

    fn find_char(&mut self, state: &mut State, call: &ModelCall<'_>, from: FindFrom) -> Res<Value> {
        let spot = self.spot(state, call.value(0))?;
        let wanted = call.value(1).term.clone().resized(8, false);
        let mut index = 0;
        loop {
            let byte = self.byte(state, spot, index)?;
            if self.decide(state, &Term::eq(byte.clone(), wanted.clone()))? {
                return Ok(moved(call.value(0), index));
            }
            if self.decide(state, &Term::eq(byte, Term::bits(0, 8)))? {
                let null = Value::null(self.word);
                return Ok(if from == FindFrom::FrontOrEnd { moved(call.value(0), index) } else { null });
            }
            index += 1;
        }
    }

    fn find_byte(&mut self, state: &mut State, call: &ModelCall<'_>) -> Res<Value> {
        let n = call.value(2).term.clone();
        let wanted = call.value(1).term.clone().resized(8, false);
        let mut spot = None;
        let mut index = 0;
        loop {
            if self.decide(state, &Term::rel(BvRel::Ule, n.clone(), Term::bits(index.into(), n.width())))? {
                return Ok(Value::null(self.word));
            }
            let spot = match spot {
                Some(spot) => spot,
                None => *spot.insert(self.spot(state, call.value(0))?),
            };
            let byte = self.byte(state, spot, index)?;
            if self.decide(state, &Term::eq(byte, wanted.clone()))? {
                return Ok(moved(call.value(0), index));
            }
            index += 1;
        }
    }
}

fn moved(pointer: &Value, by: u64) -> Value {
    Value { term: pointer.term.clone().plus(by.into()), prov: pointer.prov.clone() }
}

/// The difference of two bytes as an `int`.
fn difference(x: &Term, y: &Term) -> Term {
    Term::bv(BvOp::Sub, x.clone().resized(32, false), y.clone().resized(32, false))
}

/// All bytes are there, were written, and are plain numbers.
fn is_plain(state: &State, spot: Spot, n: u64) -> bool {
    let object = state.heap.get(spot.id);
    object.known_size().is_some_and(|size| spot.at + n <= size)
        && object.runs(spot.at, n).iter().all(|run| match run {
            Run::Fill(fill, _) => matches!(fill, Fill::Byte(_)),
            Run::Part { whole, .. } => !matches!(whole.prov, Prov::Object(_) | Prov::Mixed(_)),
        })
}

/// How two strings compare, as one term: one of them ends at a known place, and the other has as many bytes.
fn difference_of_texts(state: &State, a: Spot, b: Spot, limit: u64) -> Option<Term> {
    let byte =
        |spot: Spot, index: u64| Some(assemble(&state.heap.get(spot.id).runs(spot.at + index, 1))?.term);
    let end_of = |spot: Spot| {
        let size = state.heap.get(spot.id).known_size()?.saturating_sub(spot.at);
        for index in 0..size.min(LONGEST) {
            match byte(spot, index)?.as_bits() {
                Some(0) => return Some(index),
                Some(_) => {}
                None => return None,
            }
        }
        None
    };
    let ends = [end_of(a), end_of(b)].into_iter().flatten().min();
    let n = match ends {
        Some(end) => limit.min(end + 1),
        None if limit < LONGEST => limit,
        None => return None,
    };
    if !is_plain(state, a, n) || !is_plain(state, b, n) {
        return None;
    }
    let mut result = Term::bits(0, 32);
    for index in (0..n).rev() {
        let (x, y) = (byte(a, index)?, byte(b, index)?);
        let both_end = Term::eq(x.clone(), Term::bits(0, 8));
        let rest = Term::ite(both_end, Term::bits(0, 32), result);
        result = Term::ite(Term::eq(x.clone(), y.clone()), rest, difference(&x, &y));
    }
    Some(result)
}
