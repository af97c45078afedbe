//! The heap as library functions see it: the effects of the table carried out on segments.
//!
//! What the environment decides is an input where the interpreter asks for it, and any value otherwise.

use crate::arith::truth;
use crate::exec::Executor;
use crate::halt::{Fault, Halt, Res, not_covered};
use crate::heap::{Fill, Kind, Life};
use crate::models::{ModelCall, access};
use crate::state::State;
use crate::value::{Prov, Value};
use heapproof_confirm::Origin;
use heapproof_engine::Access;
use heapproof_ir::{FloatKind, GlobalInit, Target, Ty, mask};
use heapproof_libc::{
    self as libc, Answers, Content, Failure, LibraryObject, Memory, Model, ModelKind, Place, Scalar,
    ScanSource, StreamKind, StreamUse, Written,
};
use heapproof_logic::{BvOp, BvRel, Term};
use heapproof_verdict::{ErrorClass, Property};
use std::rc::Rc;

/// The longest line that the interpreter tries where there is no limit, and the most input that it stores.
const LONGEST_LINE: u128 = 300;
const MOST_INPUT: u128 = 1 << 16;
/// The longest string of the environment that the interpreter tries.
const LONGEST: u64 = 64;

/// Names a value of the call.
#[derive(Clone, Copy, Debug)]
pub struct Handle(usize);

/// A call that is carried out.
pub struct Library<'a, 'p> {
    executor: &'a mut Executor<'p>,
    state: &'a mut State,
    call: &'a ModelCall<'a>,
    values: Vec<Value>,
    /// The interpreter asks for the same inputs.
    asked: bool,
}

impl<'a, 'p> Library<'a, 'p> {
    pub fn new(executor: &'a mut Executor<'p>, state: &'a mut State, call: &'a ModelCall<'a>) -> Self {
        use ModelKind::*;
        let asked = match call.model.kind {
            Scan { source, list } => source != ScanSource::Text || list,
            Effect | GetDelim { .. } | Time | GetPath { .. } | Control => true,
            FileControl | ReadEntry => true,
            _ => false,
        };
        let values = call.args.iter().map(|(value, _)| value.clone()).collect();
        Library { executor, state, call, values, asked }
    }

    /// The arguments of the call.
    pub fn arguments(&self) -> Vec<Handle> {
        (0..self.call.args.len()).map(Handle).collect()
    }

    pub fn value(&self, handle: Handle) -> Value {
        self.values[handle.0].clone()
    }

    fn keep(&mut self, value: Value) -> Handle {
        self.values.push(value);
        Handle(self.values.len() - 1)
    }

    fn keep_term(&mut self, term: Term) -> Handle {
        self.keep(Value::plain(term))
    }

    fn term(&self, handle: Handle) -> Term {
        self.values[handle.0].term.clone()
    }

    /// A number as a size.
    fn size(&self, handle: Handle) -> Term {
        self.term(handle).resized(self.executor.word, false)
    }

    /// A number that the environment decides.
    fn chosen(&mut self, origin: Origin, width: u8) -> Term {
        if self.asked {
            self.executor.input(self.state, origin, width)
        } else {
            self.executor.unknown(self.state, width)
        }
    }

    /// A condition on a number that was just chosen. It can hold.
    fn restrict(&mut self, condition: Term) {
        if self.state.pure.decided(&condition) == Some(true) {
            return;
        }
        let model = self.state.pure.model.clone().filter(|model| model.satisfies(&condition));
        self.state.pure.assume(&condition, model);
        self.state.pure.note_decision(&condition, true);
    }

    fn coin(&mut self, origin: Origin) -> Res<bool> {
        let coin = self.chosen(origin, 1);
        self.executor.decide(self.state, &truth(&coin))
    }

    fn decide(&mut self, condition: &Term) -> Res<bool> {
        self.executor.decide(self.state, condition)
    }

    fn ty(&self, scalar: Scalar) -> Ty {
        match scalar {
            Scalar::Ptr => Ty::Ptr,
            Scalar::Float => Ty::Float(FloatKind::F32),
            Scalar::Double => Ty::Float(FloatKind::F64),
            Scalar::LongDouble => Ty::Float(FloatKind::X87),
            other => Ty::Int(other.bits(self.executor.word).max(1)),
        }
    }

    fn sum_of(&mut self, a: &Term, b: &Term) -> Res<Term> {
        let sum = Term::bv(BvOp::Add, a.clone(), b.clone());
        if self.decide(&Term::rel(BvRel::Ule, a.clone(), sum.clone()))? {
            Ok(sum)
        } else {
            not_covered("a size that wraps")
        }
    }
}

impl Memory for Library<'_, '_> {
    type Value = Handle;
    type Stop = Halt;

    fn target(&self) -> Target {
        self.executor.program.target
    }

    fn number(&mut self, number: i64, ty: Scalar) -> Handle {
        let width = ty.bits(self.executor.word).max(1);
        let value = if ty == Scalar::Ptr && number == 0 {
            Value::null(width)
        } else {
            Value::number(number as u128, width)
        };
        self.keep(value)
    }

    fn known(&self, value: Handle) -> Option<u128> {
        self.values[value.0].known()
    }

    fn is_null(&mut self, pointer: Handle) -> Res<bool> {
        let pointer = self.value(pointer);
        let null = Value::null(self.executor.word);
        let is_null = self.executor.compare(self.state, heapproof_ir::CmpOp::Eq, &pointer, &null);
        self.decide(&is_null)
    }

    fn sum(&mut self, a: Handle, b: Handle) -> Res<Handle> {
        let (a, b) = (self.size(a), self.size(b));
        let sum = self.sum_of(&a, &b)?;
        Ok(self.keep_term(sum))
    }

    fn product(&mut self, a: Handle, b: Handle) -> Res<Handle> {
        let (a, b, word) = (self.size(a), self.size(b), self.executor.word);
        let wide =
            Term::bv(BvOp::Mul, a.clone().resized(2 * word, false), b.clone().resized(2 * word, false));
        let fits = Term::rel(BvRel::Ule, wide, Term::bits(mask(word), 2 * word));
        let product =
            if self.decide(&fits)? { Term::bv(BvOp::Mul, a, b) } else { Term::bits(mask(word), word) };
        Ok(self.keep_term(product))
    }

    fn at_most(&mut self, a: Handle, b: Handle) -> Res<bool> {
        let less = Term::rel(BvRel::Ule, self.size(a), self.size(b));
        self.decide(&less)
    }

    fn less_one(&mut self, number: Handle, ty: Scalar) -> Res<Option<Handle>> {
        let term = self.term(number);
        let zero = Term::bits(0, term.width());
        let positive = if ty.is_signed() {
            Term::rel(BvRel::Slt, zero, term.clone())
        } else {
            Term::ne(term.clone(), zero)
        };
        if !self.decide(&positive)? {
            return Ok(None);
        }
        let less = term.plus(-1).resized(self.executor.word, ty.is_signed());
        Ok(Some(self.keep_term(less)))
    }

    fn convert(&mut self, value: Handle, from: Scalar, to: Scalar) -> Handle {
        let width = to.bits(self.executor.word).max(1);
        let value = self.value(value);
        let prov = if value.term.width() == width { value.prov } else { Prov::None };
        let term = value.term.resized(width, from.is_signed());
        self.keep(Value { term, prov })
    }

    fn moved(&mut self, pointer: Handle, by: Handle) -> Res<Handle> {
        let by = self.size(by);
        let pointer = self.value(pointer);
        let term = Term::bv(BvOp::Add, pointer.term, by);
        Ok(self.keep(Value { term, prov: pointer.prov }))
    }

    fn check(&mut self, place: Place<Handle>, sizes: &[Handle], kind: libc::Access) -> Res<()> {
        let mut least = self.size(sizes[0]);
        for size in &sizes[1..] {
            let size = self.size(*size);
            let less = Term::rel(BvRel::Ule, least.clone(), size.clone());
            if !self.decide(&less)? {
                least = size;
            }
        }
        if self.decide(&Term::eq(least.clone(), Term::bits(0, least.width())))? {
            return Ok(());
        }
        let pointer = self.value(place.at);
        self.executor.check(self.state, &pointer, &least, access(kind)).map(drop)
    }

    fn apart(
        &mut self,
        (to, size): (Place<Handle>, Handle),
        (from, bytes): (Place<Handle>, Handle),
    ) -> Res<()> {
        let (n, m) = (self.size(size), self.size(bytes));
        for size in [&n, &m] {
            if self.decide(&Term::eq(size.clone(), Term::bits(0, size.width())))? {
                return Ok(());
            }
        }
        let (to, from) = (self.value(to.at), self.value(from.at));
        let (target, to_at) = self.executor.check(self.state, &to, &n, Access::Write)?;
        let (source, from_at) = self.executor.check(self.state, &from, &m, Access::Read)?;
        if source != target {
            return Ok(());
        }
        let before = |a: &Term, n: &Term, b: &Term| {
            Term::rel(BvRel::Ule, Term::bv(BvOp::Add, a.clone(), n.clone()), b.clone())
        };
        let apart = Term::or([before(&to_at, &n, &from_at), before(&from_at, &m, &to_at)]);
        if self.executor.asks(Property::NoOverlap) {
            let fault = || Fault::new(ErrorClass::OverlappingCopy, "the areas may overlap");
            return self.executor.demand(self.state, &apart, fault);
        }
        if self.decide(&apart)? { Ok(()) } else { not_covered("areas that overlap") }
    }

    fn length(&mut self, place: Place<Handle>, most: Option<Handle>) -> Res<Handle> {
        let most = most.map(|most| self.size(most));
        let pointer = self.value(place.at);
        let (_, _, len) = self.executor.length_of(self.state, &pointer, most.as_ref())?;
        let word = self.executor.word;
        Ok(self.keep(Value::number(len.into(), word)))
    }

    fn text(&mut self, place: Place<Handle>) -> Res<Option<Vec<u8>>> {
        let pointer = self.value(place.at);
        let (id, at, len) = self.executor.length_of(self.state, &pointer, None)?;
        let bytes = (0..len).map(|index| {
            let value = self.executor.read_at(self.state, id, at + index, 1);
            value.known().map(|byte| byte as u8)
        });
        Ok(bytes.collect())
    }

    fn write(&mut self, place: Place<Handle>, size: Handle, content: Written<Handle>) -> Res<()> {
        let size = self.size(size);
        if self.decide(&Term::eq(size.clone(), Term::bits(0, size.width())))? {
            return Ok(());
        }
        let pointer = self.value(place.at);
        if matches!(content, Written::Spoilt) {
            // Any part may have been written: the whole object is unknown. Whether it is there was checked, if it was to be.
            if let Prov::Object(id) = pointer.prov
                && self.state.heap.get(id).life == Life::Live
                && !self.state.heap.get(id).constant
            {
                self.state.heap.get_mut(id).reset(Fill::Unknown);
            }
            return Ok(());
        }
        let (id, at) = self.executor.check(self.state, &pointer, &size, Access::Write)?;
        let at = self.executor.concretize(self.state, &at)? as u64;
        let n = self.executor.concretize(self.state, &size)? as u64;
        let text = match content {
            Written::Text(len) | Written::Line(len) => Some(self.size(len)),
            _ => None,
        };
        let Some(len) = text else {
            self.state.heap.get_mut(id).fill(at, n, Fill::Unknown);
            return Ok(());
        };
        let len = self.executor.concretize(self.state, &len)? as u64;
        let object = self.state.heap.get_mut(id);
        object.fill(at, len.min(n), Fill::Unknown);
        if len < n {
            object.put_value(at + len, Value::number(0, 8));
        }
        Ok(())
    }

    fn load(&mut self, place: Place<Handle>, ty: Scalar) -> Res<Handle> {
        let (ty, pointer) = (self.ty(ty), self.value(place.at));
        let value = self.executor.load(self.state, &pointer, ty)?;
        Ok(self.keep(value))
    }

    fn store(&mut self, place: Place<Handle>, ty: Scalar, value: Handle) -> Res<()> {
        let (ty, pointer, value) = (self.ty(ty), self.value(place.at), self.value(value));
        self.executor.store(self.state, &pointer, ty, value)
    }

    fn input(&mut self, ty: Scalar, range: Option<(i64, i64)>) -> Res<Handle> {
        let question = (self.call.model.name, self.call.args.iter().map(|(v, _)| v.term.clone()).collect());
        let steady = self.call.model.effect.answers != Answers::Anew;
        if steady && let Some(answer) = self.state.answers.get(&question) {
            let answer = answer.clone();
            return Ok(self.keep(answer));
        }
        let width = ty.bits(self.executor.word).max(1);
        let term = self.chosen(Origin::Call, width);
        if let Some((low, high)) = range {
            let condition = if low < 0 || ty.is_signed() {
                self.executor.between(&term, low.into(), high.into())
            } else {
                let (low, high) = (Term::bits(low as u128, width), Term::bits(high as u128, width));
                Term::and([
                    Term::rel(BvRel::Ule, low, term.clone()),
                    Term::rel(BvRel::Ule, term.clone(), high),
                ])
            };
            self.restrict(condition);
        }
        let value = Value::plain(term);
        if steady {
            Rc::make_mut(&mut self.state.answers).insert(question, value.clone());
        }
        Ok(self.keep(value))
    }

    fn fraction(&mut self) -> Res<Handle> {
        let term = self.executor.unknown(self.state, 64);
        Ok(self.keep_term(term))
    }

    fn amount_from(&mut self, least: u64, most: Option<Handle>, failure: Failure) -> Res<Option<Handle>> {
        let word = self.executor.word;
        let least = Term::bits(least.into(), word);
        let limit = match most {
            Some(most) => self.size(most),
            None => {
                // There may be more; the interpreter does not try it.
                self.executor.cut = true;
                Term::bits(LONGEST_LINE, word)
            }
        };
        match failure {
            Failure::Gives(0) => {
                let tried = Term::rel(BvRel::Ule, limit.clone(), Term::bits(MOST_INPUT, word));
                if !self.decide(&tried)? {
                    return not_covered("very much input");
                }
                let choice = self.chosen(Origin::Call, 32);
                let wide = choice.clone().resized(word, false);
                let most = limit.plus(1);
                self.restrict(Term::rel(BvRel::Ule, wide.clone(), most));
                if self.decide(&Term::eq(choice, Term::bits(0, 32)))? {
                    return Ok(None);
                }
                let count = wide.plus(-1);
                self.restrict(Term::rel(BvRel::Ule, least, count.clone()));
                Ok(Some(self.keep_term(count)))
            }
            Failure::Gives(_) => {
                let count = self.chosen(Origin::Call, word);
                let fails = Term::eq(count.clone(), Term::bits(mask(word), word));
                let fine = Term::rel(BvRel::Ule, count.clone(), limit);
                let positive = Term::rel(BvRel::Sle, least, count.clone());
                self.restrict(Term::or([fails.clone(), Term::and([fine, positive])]));
                if self.decide(&fails)? {
                    return Ok(None);
                }
                Ok(Some(self.keep_term(count)))
            }
            Failure::Never | Failure::OrElse(_) => {
                let count = self.chosen(Origin::Call, word);
                let enough = Term::rel(BvRel::Ule, least, count.clone());
                self.restrict(Term::and([enough, Term::rel(BvRel::Ule, count.clone(), limit)]));
                Ok(Some(self.keep_term(count)))
            }
        }
    }

    fn fails(&mut self) -> Res<bool> {
        self.coin(Origin::Environment)
    }

    fn matches(&mut self) -> Res<bool> {
        self.coin(Origin::Call)
    }

    fn either(&mut self) -> Res<bool> {
        self.coin(Origin::Environment)
    }

    fn computed(&mut self, ty: Scalar) -> Res<Handle> {
        let width = ty.bits(self.executor.word).max(1);
        let term = self.chosen(Origin::Environment, width);
        let prov = if ty == Scalar::Ptr { Prov::Foreign } else { Prov::None };
        Ok(self.keep(Value { term, prov }))
    }

    fn computed_size(&mut self, least: u64, most: Handle) -> Res<Handle> {
        let (most, word) = (self.size(most), self.executor.word);
        let term = self.chosen(Origin::Environment, word);
        let condition = Term::and([
            Term::rel(BvRel::Ule, Term::bits(least.into(), word), term.clone()),
            Term::rel(BvRel::Ule, term.clone(), most),
        ]);
        self.restrict(condition);
        Ok(self.keep_term(term))
    }

    fn allocation_fails(&mut self) -> Res<bool> {
        self.executor.allocation_fails(self.state)
    }

    fn allocate(&mut self, size: Handle) -> Res<Handle> {
        let size = self.size(size);
        let id = self.executor.new_block(self.state, size, 1, Fill::Uninit)?;
        let address = self.state.heap.address(id);
        Ok(self.keep(address))
    }

    fn release(&mut self, place: Place<Handle>) -> Res<()> {
        let pointer = self.value(place.at);
        if let Some(id) = self.executor.releasable(self.state, &pointer)? {
            self.state.heap.end(id, Life::Freed);
        }
        Ok(())
    }

    fn object(&mut self, object: &'static LibraryObject) -> Res<Handle> {
        let size = object.size_on(self.executor.program.target);
        if object.single {
            let id = match self.executor.program.global(object.name) {
                Some(global) => self.executor.global(global),
                None => match self.state.library.get(object.name) {
                    Some(id) => *id,
                    None => {
                        let size = self.executor.word_number(size);
                        let id = self.state.heap.create(size, 16, Kind::Library, Fill::Unknown);
                        Rc::make_mut(&mut self.state.library).insert(object.name, id);
                        id
                    }
                },
            };
            let address = self.state.heap.address(id);
            return Ok(self.keep(address));
        }
        if !matches!(object.content, Content::Text | Content::LongText(_)) {
            return not_covered("an object of the library");
        }
        // Longer strings are not tried.
        self.executor.cut = true;
        let word = self.executor.word;
        let most = LONGEST.min(size - 1);
        let len = self.chosen(Origin::Environment, 8);
        self.restrict(Term::and([
            Term::rel(BvRel::Ule, Term::bits(object.least().into(), 8), len.clone()),
            Term::rel(BvRel::Ule, len.clone(), Term::bits(most.into(), 8)),
        ]));
        let len = self.executor.concretize(self.state, &len)? as u64;
        let size = Term::bits(u128::from(len) + 1, word);
        let id = self.state.heap.create(size, 1, Kind::Library, Fill::Unknown);
        self.state.heap.get_mut(id).put_value(len, Value::number(0, 8));
        let address = self.state.heap.address(id);
        Ok(self.keep(address))
    }

    fn protect(&mut self, pointer: Handle) {
        if let Prov::Object(id) = self.value(pointer).prov {
            self.state.heap.get_mut(id).constant = true;
        }
    }

    fn retire(&mut self, pointer: Handle) -> Res<()> {
        match self.value(pointer).prov {
            Prov::Object(id) => {
                self.state.heap.end(id, Life::Freed);
                Ok(())
            }
            _ => not_covered("a string of the library whose place is not known"),
        }
    }

    fn open(&mut self, kind: StreamKind) -> Res<Handle> {
        let size = self.executor.word_number(kind.size_on(self.executor.program.target));
        let id = self.state.heap.create(size, 16, Kind::Stream(kind), Fill::Unknown);
        let address = self.state.heap.address(id);
        Ok(self.keep(address))
    }

    fn stream(&mut self, place: Place<Handle>, kind: StreamKind, _: StreamUse) -> Res<()> {
        let pointer = self.value(place.at);
        let one = self.executor.word_number(1);
        let (id, at) = self.executor.check(self.state, &pointer, &one, Access::Read)?;
        let is_stream = match self.state.heap.get(id).kind {
            Kind::Stream(found) => found == kind && at.as_bits() == Some(0),
            // A stream that other code defines.
            Kind::Global(global) => {
                matches!(self.executor.program.globals[global].init, GlobalInit::External)
            }
            _ => false,
        };
        if !is_stream {
            return Err(Fault::new(ErrorClass::WildDeref, "the argument is no stream").into());
        }
        Ok(())
    }

    fn close(&mut self, place: Place<Handle>) -> Res<()> {
        let pointer = self.value(place.at);
        let Prov::Object(id) = pointer.prov else {
            return not_covered("a stream whose place is not known is closed");
        };
        if matches!(self.state.heap.get(id).kind, Kind::Stream(_)) {
            self.state.heap.end(id, Life::Freed);
        }
        Ok(())
    }

    fn compares_addresses(&self) -> bool {
        libc::compares_addresses(self.executor.program)
    }

    fn declares(&self, function: &str) -> bool {
        self.executor.program.function(function).is_some()
    }

    fn global(&mut self, name: &str) -> Option<Handle> {
        let global = self.executor.program.global(name)?;
        let address = self.state.heap.address(self.executor.global(global));
        Some(self.keep(address))
    }

    fn not_modelled(&self, model: &Model, what: &str) -> Halt {
        Halt::NotCovered(format!("{what} of `{}`", model.name))
    }
}
