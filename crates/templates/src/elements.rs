//! Arrays with many elements: a few *element witnesses* are arbitrary elements, each followed exactly, as blocks of an allocation are.
//!
//! An element witness lies at an index that is a free variable. A write there changes it, a read elsewhere gives any value. What holds for the
//! witness holds for every element, and a claim that does not speak about it may be examined for the element that is read.

use crate::build::Builder;
use crate::choose::{Chooser, Dim, MOVES, bounds};
use crate::combine::Guarded;
use crate::domain::{Domain, Expr, Holds, OneOf};
use crate::equations::Equations;
use crate::plan::{Key, ObjKind};
use crate::ssa::{Deref, Element};
use crate::state::State;
use crate::value::{Obj, Offsets, Pointer, Value};
use heapproof_ir::GlobalInit;
use heapproof_logic::{BvOp, BvRel, Sort, Term};
use std::collections::BTreeSet;

/// Bits of an index.
const INDEX: u8 = 32;
/// Larger objects are not looked into.
const LARGEST: u64 = 1 << 30;
/// The most numbers that an index is compared with.
const MOST_NUMBERS: usize = 6;

impl Builder<'_> {
    /// Makes the indices of all element witnesses: they are there before anything happens.
    pub fn make_elements(&mut self) {
        for (parent, len) in self.plan.elements() {
            // There must be an element.
            let Some(size) = self.size_of_array(parent).filter(|size| *size >= len) else { continue };
            for n in 0..self.witnesses {
                let obj = self.plan.object(ObjKind::Element(parent, n));
                let index = self.ssa.fresh("index", Sort::Bits(INDEX));
                let count = Term::bits(u128::from(size / len), INDEX);
                self.ssa.facts.push(Term::rel(BvRel::Ult, index.clone(), count));
                self.ssa.elements.push(Element { parent, obj, index, len });
            }
        }
    }

    /// The size of a variable that may be an array.
    fn size_of_array(&self, obj: Obj) -> Option<u64> {
        let size = match self.plan.kind(obj)? {
            ObjKind::Global(global) => self.program.globals[global].size,
            ObjKind::Local(..) => self.plan.local_size(obj)?,
            _ => return None,
        };
        (size <= LARGEST).then_some(size)
    }

    /// The elements of an object that are followed.
    fn elements_of(&self, parent: Obj) -> Vec<Element> {
        self.ssa.elements.iter().filter(|e| e.parent == parent).cloned().collect()
    }

    /// Those of a size. Another access makes the plan grow, and the formula is made again without them.
    fn elements_of_size(&self, parent: Obj, len: u64) -> Vec<Element> {
        self.elements_of(parent).into_iter().filter(|e| e.len == len).collect()
    }

    /// An access to an object of which only some elements are followed.
    pub fn note_element(&mut self, p: &Pointer, obj: Obj, len: u64, is_number: bool) {
        if self.size_of_array(obj).is_none() {
            return;
        }
        let is_aligned = match &p.offsets {
            Offsets::Set(set) => set.iter().all(|o| o.is_multiple_of(len)),
            Offsets::Step { step, rest } => {
                step.is_power_of_two() && step.is_multiple_of(len) && rest.is_multiple_of(len)
            }
        };
        let fits = is_number && is_aligned && len.is_power_of_two() && len <= 8;
        self.plan.note_element(obj, fits.then_some(len));
    }

    /// The condition that a pointer leads to an element that is followed.
    fn is_at(&self, p: &Pointer, element: &Element) -> Term {
        let off = Term::bv(
            BvOp::Mul,
            element.index.clone().resized(self.width, false),
            Term::bits(u128::from(element.len), self.width),
        );
        Term::and([p.is(element.parent), Term::eq(p.off.clone(), off)])
    }

    /// The value that is read: that of an element that is followed, or else another one.
    pub fn read_elements(&mut self, state: &State, p: &Pointer, len: u64, mut value: Value) -> Value {
        for parent in p.may.clone() {
            let elements = self.elements_of_size(parent, len);
            if elements.is_empty() || !matches!(value, Value::Int(_)) {
                continue;
            }
            let mut missed = vec![state.guard.clone(), p.is(parent)];
            for element in elements {
                let key = Key::Cell(element.obj, 0, len);
                let Some(known) = state.vars.get(&key).cloned().or_else(|| self.default(key)) else {
                    continue;
                };
                let here = self.is_at(p, &element);
                value = Value::ite(&here, &known, &value, self.width);
                missed.push(Term::not(here));
            }
            let number = self.ssa.count();
            let (pointer, inside) = (p.off.clone(), self.cut);
            self.ssa.derefs.push(Deref { rest: parent, pointer, missed: Term::and(missed), inside, number });
        }
        value
    }

    /// A write through a pointer, as far as it concerns elements that are followed.
    pub fn write_elements(&mut self, state: &mut State, p: &Pointer, len: u64, value: &Value) {
        for parent in p.may.clone() {
            for element in self.elements_of_size(parent, len) {
                let here = self.is_at(p, &element);
                self.set_element(state, &element, value, &here);
            }
        }
    }

    /// Some bytes of an array are overwritten by one byte, or by anything.
    pub fn overwrite_elements(&mut self, state: &mut State, p: &Pointer, len: u64, byte: Option<&Term>) {
        for parent in p.may.clone() {
            for element in self.elements_of(parent) {
                let size = Term::bits(u128::from(element.len), self.width);
                let at = Term::bv(BvOp::Mul, element.index.clone().resized(self.width, false), size.clone());
                let from = Term::bv(BvOp::Sub, at, p.off.clone());
                // The element begins inside, or it ends inside.
                let begins = Term::rel(BvRel::Ult, from.clone(), Term::bits(u128::from(len), self.width));
                let last =
                    Term::bv(BvOp::Add, from.clone(), Term::bv(BvOp::Sub, size, Term::bits(1, self.width)));
                let ends = Term::rel(BvRel::Ult, last, Term::bits(u128::from(len), self.width));
                let whole = Term::and([p.is(parent), begins.clone(), ends.clone()]);
                let touched = Term::and([p.is(parent), Term::or([begins, ends])]);
                let bits = (8 * element.len) as u8;
                let any = Value::Int(self.ssa.fresh("overwritten", Sort::Bits(bits)));
                self.set_element(state, &element, &any, &touched);
                if let Some(byte) = byte {
                    let splat = (1..element.len).fold(byte.clone(), |all, _| Term::concat(byte.clone(), all));
                    self.set_element(state, &element, &Value::Int(splat), &whole);
                }
            }
        }
    }

    fn set_element(&mut self, state: &mut State, element: &Element, value: &Value, here: &Term) {
        let one = Value::Int(Term::bits(1, 1));
        let parts = [(Key::Cell(element.obj, 0, element.len), value), (Key::Made(element.obj), &one)];
        for (key, value) in parts {
            let old = state.vars.get(&key).cloned().or_else(|| self.default(key));
            let new = match old {
                Some(old) => Value::ite(here, value, &old, self.width),
                None => value.clone(),
            };
            let name = self.name(key);
            let new = crate::state::named(&mut self.ssa, &name, new);
            state.vars.insert(key, new);
        }
    }

    /// An array begins its life: its elements may be anything.
    pub fn new_elements(&mut self, state: &mut State, parent: Obj) {
        for element in self.elements_of(parent) {
            let key = Key::Cell(element.obj, 0, element.len);
            let name = self.name(key);
            let any = self.ssa.fresh(&name, Sort::Bits((8 * element.len) as u8));
            state.vars.insert(key, Value::Int(any));
            state.vars.insert(Key::Made(element.obj), Value::Int(Term::bits(0, 1)));
        }
    }

    /// An element at the start of the program: zero where all elements are; none if nothing is known.
    pub fn first_element(&self, parent: Obj, len: u64) -> Option<Value> {
        let Some(ObjKind::Global(global)) = self.plan.kind(parent) else { return None };
        match &self.program.globals[global].init {
            GlobalInit::Data { bytes, relocs } if relocs.is_empty() && bytes.iter().all(|b| *b == 0) => {
                Some(Value::Int(Term::bits(0, (8 * len) as u8)))
            }
            _ => None,
        }
    }
}

impl Chooser<'_> {
    /// Rows about elements: which indices were written, and what was written there.
    pub fn element_rows(&self, domains: &mut Vec<Box<dyn Domain>>) {
        for element in &self.ssa.elements {
            let cell = Key::Cell(element.obj, 0, element.len);
            let (Some(Value::Int(made)), Some(Value::Int(cell))) =
                (self.l.state.get(&Key::Made(element.obj)), self.l.state.get(&cell))
            else {
                continue;
            };
            let made = Term::eq(made.clone(), Term::bits(1, 1));
            let cell = self.both(cell);
            let is_neutral = |d: &&Dim| d.expr.back.vars().iter().all(|v| self.neutral.contains(v));
            let numbers: Vec<&Dim> = self.dims.iter().filter(is_neutral).take(MOST_NUMBERS).collect();
            for when in [made.clone(), Term::not(made.clone())] {
                let mut rows: Vec<Box<dyn Domain>> = Vec::new();
                for dim in numbers.iter().filter(|d| d.expr.back.width() >= INDEX) {
                    let index = index_of(element, dim.expr.back.width());
                    relations(&index, &dim.expr, dim.signed, &mut rows);
                }
                self.push(element, &when, rows, domains);
            }
            self.push(element, &made, self.content(element, &cell, &numbers), domains);
            let few = OneOf { expr: cell, values: BTreeSet::new(), most: 2 };
            self.push(element, &Term::not(made), vec![Box::new(few)], domains);
        }
    }

    /// What an element may be: bounds, relations to its index and to numbers of the program.
    fn content(&self, element: &Element, cell: &Expr, numbers: &[&Dim]) -> Vec<Box<dyn Domain>> {
        let mut rows: Vec<Box<dyn Domain>> = Vec::new();
        let width = cell.back.width();
        rows.extend(bounds(cell, true, self.thresholds, MOVES.0));
        rows.push(Box::new(OneOf { expr: cell.clone(), values: BTreeSet::new(), most: 3 }));
        for dim in numbers.iter().filter(|d| d.expr.back.width() == width) {
            relations(cell, &dim.expr, dim.signed, &mut rows);
        }
        if width >= INDEX {
            let index = index_of(element, width);
            relations(cell, &index, true, &mut rows);
            relations(cell, &index, false, &mut rows);
            rows.push(Box::new(Equations::new(vec![cell.clone(), index])));
        }
        rows
    }

    fn push(
        &self,
        element: &Element,
        when: &Term,
        rows: Vec<Box<dyn Domain>>,
        domains: &mut Vec<Box<dyn Domain>>,
    ) {
        let when = self.both(when);
        for inner in rows {
            let owners = BTreeSet::from([(element.parent, element.obj)]);
            domains.push(Box::new(Guarded { when: Some(when.clone()), owners: Some(owners), inner }));
        }
    }
}

/// The index of an element witness as a number of a width.
fn index_of(element: &Element, width: u8) -> Expr {
    let index = element.index.clone().resized(width, false);
    Expr { name: element.index.to_string(), back: index.clone(), end: index }
}

/// Which of two numbers is less, and which is not greater.
pub fn relations(x: &Expr, y: &Expr, signed: bool, rows: &mut Vec<Box<dyn Domain>>) {
    let all = if signed { [BvRel::Slt, BvRel::Sle] } else { [BvRel::Ult, BvRel::Ule] };
    for (a, b) in [(x, y), (y, x)] {
        for rel in all {
            let expr = Expr {
                name: format!("{} {rel:?} {}", a.name, b.name),
                back: Term::rel(rel, a.back.clone(), b.back.clone()),
                end: Term::rel(rel, a.end.clone(), b.end.clone()),
            };
            rows.push(Box::new(Holds { expr, claimed: true, seen: false }));
        }
    }
}
