//! Memory in the formula (paper, section III): objects with fields, reads and writes as choices among the objects that a pointer
//! may lead to.
//!
//! Blocks of an allocation in a loop are told apart like this: a few *witnesses* are arbitrary blocks, each followed exactly, and
//! the *rest* stands for all others. What holds for a witness holds for every block, because the witness is any of them. Reading
//! the rest gives any value, writing it changes no witness. The paper's abstract objects are the witnesses without this rest; its number of
//! them is too small once values outlive the pointers that they were read through.

use crate::build::{Builder, Frame};
use crate::plan::{Key, ObjKind};
use crate::ssa::Kind;
use crate::state::State;
use crate::value::{NULL, Obj, Offsets, Pointer, UNKNOWN, Value, WILD, obj_term};
use heapproof_engine::Place;
use heapproof_ir::{LocalId, Ty};
use heapproof_logic::{BvOp, BvRel, Sort, Term};
use heapproof_verdict::{ErrorClass, Property, PropertySet};
use std::collections::BTreeSet;

/// The most fields of one object that an index may choose among.
const MOST_FIELDS: usize = 40;

/// With so many witnesses it is told apart where their links were written.
pub const TAGGED: u8 = 3;
/// The tag of a block that is gone.
const FREED: u8 = 254;

/// True if something is asked about numbers; else all that counts is where blocks are.
pub fn asks_about_content(asked: &PropertySet) -> bool {
    asked.has(Property::Assertions) || asked.has(Property::UnreachCall)
}

impl Builder<'_> {
    /// Gives an object new content: zeros, or anything.
    pub fn new_content(&mut self, state: &mut State, obj: Obj, zero: bool) {
        if self.plan.is_blob(obj) {
            return self.new_elements(state, obj);
        }
        for (off, len) in self.plan.all_cells(obj) {
            let key = Key::Cell(obj, off, len);
            let bits = (8 * len) as u8;
            let value = if zero || fault!(12) {
                Value::Int(Term::bits(0, bits))
            } else if len == u64::from(self.width / 8) && self.plan.field(obj, off, len).is_some() {
                Value::Ptr(Pointer::to(WILD, self.width))
            } else {
                let name = self.name(key);
                Value::Int(self.ssa.fresh(&name, Sort::Bits(bits)))
            };
            state.vars.insert(key, value);
        }
    }

    /// An object lives, or does no more.
    pub fn set_life(&mut self, state: &mut State, obj: Obj, lives: bool) {
        state.vars.insert(Key::Live(obj), Value::Int(Term::bits(u128::from(lives), 1)));
        if state.vars.contains_key(&Key::Sealed(obj)) {
            state.vars.insert(Key::Sealed(obj), Value::Int(Term::bits(0, 1)));
        }
    }

    /// The size of an object.
    pub fn set_size(&mut self, state: &mut State, obj: Obj, size: Term) {
        state.vars.insert(Key::Size(obj), Value::Int(size));
    }

    /// A number of the state that belongs to an object.
    pub fn number_of(&mut self, state: &State, key: Key) -> Term {
        let known = state.vars.get(&key).cloned().or_else(|| self.default(key));
        match known {
            Some(Value::Int(term)) => term,
            _ => {
                let bits = if matches!(key, Key::Size(_)) { self.width } else { 1 };
                self.ssa.fresh("any", Sort::Bits(bits))
            }
        }
    }

    /// The condition that an object lives.
    pub fn lives(&mut self, state: &State, obj: Obj) -> Term {
        match self.plan.kind(obj) {
            Some(ObjKind::Global(_)) => Term::truth(true),
            // What holds for the witnesses holds for the rest.
            Some(ObjKind::Rest(..)) => Term::truth(true),
            _ => Term::eq(self.number_of(state, Key::Live(obj)), Term::bits(1, 1)),
        }
    }

    /// An object of the stack begins its life: pointers to an earlier incarnation would be taken for pointers to this one.
    pub fn note_rebirth(&mut self, state: &State, obj: Obj) {
        let is_led_to = |v: &Value| matches!(v, Value::Ptr(p) if p.may_be(obj));
        if state.vars.values().any(is_led_to) || self.plan.is_stored(obj) {
            self.ssa.blurred = true;
            self.plan.note_reborn(obj);
        }
    }

    /// A variable with a scope begins its life.
    pub fn scope_start(&mut self, frame: &Frame, local: LocalId, state: &mut State) {
        let obj = self.plan.object(ObjKind::Local(frame.id, local));
        let body = self.program.functions[frame.func].body.as_ref().expect("it is being followed");
        let size = body.locals[local].size;
        self.note_rebirth(state, obj);
        self.plan.note_local(obj, size);
        self.new_content(state, obj, false);
        self.set_life(state, obj, true);
        self.set_size(state, obj, Term::bits(u128::from(size), self.width));
    }

    /// An access of some bytes must lie inside a live object; the state goes on where it does.
    fn check_access(&mut self, state: &mut State, p: &Pointer, len: u64, write: bool, place: Place) {
        let mut valid = Vec::new();
        for obj in p.may.clone() {
            let is = p.is(obj);
            let fine = match self.plan.kind(obj) {
                None | Some(ObjKind::Function(_)) => Term::truth(false),
                Some(ObjKind::Global(global)) if write && self.program.globals[global].constant => {
                    Term::truth(false)
                }
                Some(ObjKind::Rest(..)) => Term::truth(true),
                Some(_) => {
                    let size = self.number_of(state, Key::Size(obj));
                    let length = Term::bits(u128::from(len), self.width);
                    let room = Term::rel(BvRel::Ule, length.clone(), size.clone());
                    let last = Term::bv(BvOp::Sub, size, length);
                    let inside = Term::rel(BvRel::Ule, p.off.clone(), last);
                    let open = match state.vars.get(&Key::Sealed(obj)) {
                        Some(Value::Int(sealed)) if write => Term::eq(sealed.clone(), Term::bits(0, 1)),
                        _ => Term::truth(true),
                    };
                    Term::and([self.lives(state, obj), room, inside, open])
                }
            };
            valid.push(Term::and([is, fine]));
        }
        if p.may_be(UNKNOWN) {
            if write {
                let known = Term::not(p.is(UNKNOWN));
                self.require(
                    state,
                    known,
                    Kind::Coverage,
                    place,
                    "a write through an address of which nothing is known",
                );
            } else {
                let kind = Kind::Error(Property::ValidDeref, ErrorClass::WildDeref);
                let bad = Term::and([state.guard.clone(), p.is(UNKNOWN)]);
                self.oblige(kind, bad, place, "nothing is known about the pointer");
                valid.push(p.is(UNKNOWN));
            }
        }
        let kind = Kind::Error(Property::ValidDeref, ErrorClass::NullDeref);
        self.require(state, Term::or(valid), kind, place, "the access may be invalid");
    }

    /// The objects and offsets that an access may concern, each with its condition. Content that cannot be told is given up.
    fn targets(&mut self, state: &State, p: &Pointer, len: u64, is_number: bool) -> Vec<(Obj, u64, Term)> {
        let mut targets = Vec::new();
        for obj in p.may.clone() {
            match self.plan.kind(obj) {
                None | Some(ObjKind::Function(_) | ObjKind::Rest(..)) => continue,
                Some(_) if self.plan.is_blob(obj) => {
                    self.note_element(p, obj, len, is_number);
                    continue;
                }
                Some(_) => {}
            }
            let size = self.number_of(state, Key::Size(obj)).as_bits();
            let offsets = match (&p.offsets, size) {
                (Offsets::Set(set), None) => Some(set.iter().copied().filter(|o| *o < 1 << 31).collect()),
                (offsets, Some(size)) => offsets.inside(size as u64, len, MOST_FIELDS),
                _ => None,
            };
            let Some(offsets) = offsets else {
                self.plan.give_up(obj);
                continue;
            };
            let is = p.is(obj);
            for off in offsets {
                let here = match p.offsets.single() {
                    Some(_) => is.clone(),
                    None => {
                        let at = Term::eq(p.off.clone(), Term::bits(u128::from(off), self.width));
                        Term::and([is.clone(), at])
                    }
                };
                targets.push((obj, off, here));
            }
        }
        targets
    }

    /// Reads a value.
    pub fn load(&mut self, state: &mut State, p: &Pointer, ty: Ty, place: Place) -> Value {
        let target = self.program.target;
        let len = ty.bytes(target);
        self.check_access(state, p, len, false, place);
        self.note_deref(state, p);
        let targets = self.targets(state, p, len, ty != Ty::Ptr);
        let mut value =
            (targets.is_empty() || self.may_miss(p)).then(|| self.unknown_content(state, p, ty, len));
        value = value.map(|value| self.read_elements(state, p, len, value));
        for (obj, off, here) in targets.into_iter().rev() {
            let found = self.read_cells(state, obj, off, len, ty);
            self.check_field(state, obj, (off, len), &found, &here, ty, p, place);
            value = Some(match value {
                Some(value) => Value::ite(&here, &found, &value, self.width),
                // The access is valid, so it concerns this one if it concerns none before.
                None => found,
            });
        }
        let Some(value) = value else { return Value::Ptr(Pointer::to(UNKNOWN, self.width)) };
        match value {
            Value::Int(term) if ty == Ty::Ptr => Value::Ptr(Value::Int(term).pointer(self.width)),
            Value::Int(term) => {
                let bits = ty.bits(target);
                Value::Int(if term.width() > bits { Term::extract(bits - 1, 0, term) } else { term })
            }
            pointer => pointer,
        }
    }

    fn note_deref(&mut self, state: &State, p: &Pointer) {
        for rest in p.may.iter().filter(|o| matches!(self.plan.kind(**o), Some(ObjKind::Rest(..)))) {
            let deref = crate::ssa::Deref {
                rest: *rest,
                pointer: p.obj.clone(),
                missed: Term::and([state.guard.clone(), p.is(*rest)]),
                inside: self.cut,
                number: self.ssa.count(),
            };
            self.ssa.derefs.push(deref);
        }
    }

    /// True if a valid access may concern something of whose content nothing is known.
    fn may_miss(&self, p: &Pointer) -> bool {
        let is_vague = |o: &Obj| {
            *o == UNKNOWN || self.plan.is_blob(*o) || matches!(self.plan.kind(*o), Some(ObjKind::Rest(..)))
        };
        let steps = matches!(&p.offsets, Offsets::Step { step, .. } if !step.is_power_of_two());
        steps || p.may.iter().any(is_vague)
    }

    /// What is read where nothing is known: a pointer in the rest of an allocation leads where such pointers lead.
    fn unknown_content(&mut self, state: &State, p: &Pointer, ty: Ty, len: u64) -> Value {
        if ty != Ty::Ptr {
            let bits = (8 * len) as u8;
            let any = if fault!(10) { Term::bits(0, bits) } else { self.ssa.fresh("read", Sort::Bits(bits)) };
            return Value::Int(any);
        }
        let rests: Vec<Obj> =
            p.may.iter().copied().filter(|o| matches!(self.plan.kind(*o), Some(ObjKind::Rest(..)))).collect();
        let others = p.may.iter().any(|o| {
            *o == UNKNOWN
                || self.plan.is_blob(*o)
                || (matches!(self.plan.kind(*o), Some(ObjKind::Global(_))) && p.offsets.single().is_none())
        });
        let mut may = BTreeSet::new();
        let mut offsets: Option<Offsets> = None;
        for rest in rests {
            let Some(off) = p.offsets.single() else {
                may.insert(UNKNOWN);
                continue;
            };
            if let Some((leads, at)) = self.plan.field(rest, off, len) {
                may.extend(leads);
                offsets = Some(offsets.map_or(at.clone(), |o| o.union(&at)));
            }
        }
        if others {
            may.insert(UNKNOWN);
        }
        if may.is_empty() {
            may.insert(NULL);
        }
        let offsets = offsets.unwrap_or(Offsets::one(0));
        let obj = match may.first() {
            Some(only) if may.len() == 1 => obj_term(*only),
            _ => {
                let obj = self.ssa.fresh("read.obj", Sort::Bits(crate::value::OBJ_BITS));
                // No pointer leads to a block before it is made.
                let one_of = may.iter().map(|o| {
                    let made = self.made_bit(*o, state).unwrap_or(Term::truth(true));
                    Term::and([Term::eq(obj.clone(), obj_term(*o)), made])
                });
                let one_of = Term::or(one_of);
                self.ssa.facts.push(Term::implies(state.guard.clone(), one_of));
                obj
            }
        };
        let off = match offsets.single() {
            Some(only) => Term::bits(u128::from(only), self.width),
            None => self.ssa.fresh("read.off", Sort::Bits(self.width)),
        };
        Value::Ptr(Pointer { obj, off, may, offsets })
    }

    /// A pointer that is read from a witness must be one of those that the rest may hold, too: so reading the rest is right.
    #[allow(clippy::too_many_arguments)]
    fn check_field(
        &mut self,
        state: &mut State,
        obj: Obj,
        (off, len): (u64, u64),
        value: &Value,
        here: &Term,
        ty: Ty,
        p: &Pointer,
        place: Place,
    ) {
        let has_rest = p.may.iter().any(|o| matches!(self.plan.kind(*o), Some(ObjKind::Rest(..))));
        if ty != Ty::Ptr || !has_rest || !matches!(self.plan.kind(obj), Some(ObjKind::Witness(..))) {
            return;
        }
        let pointer = value.pointer(self.width);
        let leads = self.plan.field(obj, off, len).map(|(may, _)| may).unwrap_or_default();
        let one_of = Term::or(leads.iter().map(|o| pointer.is(*o)));
        let message = "a pointer in a block of a loop that may not be set";
        self.require(state, Term::implies(here.clone(), one_of), Kind::Coverage, place, message);
    }

    fn read_cells(&mut self, state: &State, obj: Obj, off: u64, len: u64, ty: Ty) -> Value {
        let cells = self.plan.cells(obj, off, len);
        let mut parts = Vec::new();
        for (o, l) in cells {
            let key = Key::Cell(obj, o, l);
            let known = state.vars.get(&key).cloned().or_else(|| self.default(key));
            parts.push(match known {
                Some(value) => value,
                None if ty == Ty::Ptr && l == len => Value::Ptr(Pointer::to(UNKNOWN, self.width)),
                None => {
                    let name = self.name(key);
                    Value::Int(self.ssa.fresh(&name, Sort::Bits((8 * l) as u8)))
                }
            });
        }
        if parts.len() == 1 {
            let only = parts.remove(0);
            return match (&only, ty) {
                (Value::Ptr(_), Ty::Int(_)) if ty.bits(self.program.target) == self.width => only,
                (Value::Ptr(_), Ty::Int(_) | Ty::Float(_)) => {
                    Value::Int(self.ssa.fresh("address", Sort::Bits((8 * len) as u8)))
                }
                _ => only,
            };
        }
        let mut whole: Option<Term> = None;
        for part in parts {
            let part = match part {
                Value::Int(term) => term,
                Value::Ptr(_) => return Value::Int(self.ssa.fresh("address", Sort::Bits((8 * len) as u8))),
            };
            whole = Some(match whole {
                None => part,
                Some(low) if fault!(5) => Term::concat(low, part),
                Some(low) => Term::concat(part, low),
            });
        }
        Value::Int(whole.expect("there is a byte"))
    }

    /// Writes a value.
    pub fn store(&mut self, state: &mut State, p: &Pointer, ty: Ty, value: Value, place: Place) {
        let len = ty.bytes(self.program.target);
        self.check_access(state, p, len, true, place);
        let value = match value {
            Value::Int(term) if term.width() < (8 * len) as u8 => {
                Value::Int(term.resized((8 * len) as u8, false))
            }
            value => value,
        };
        self.write(state, p, len, &value, place);
    }

    /// Writes some bytes, the access is known to be valid.
    pub fn write(&mut self, state: &mut State, p: &Pointer, len: u64, value: &Value, place: Place) {
        let targets = self.targets(state, p, len, matches!(value, Value::Int(_)));
        self.write_elements(state, p, len, value);
        self.check_hit(state, p, &targets, place);
        if let (Value::Ptr(v), Some(off)) = (value, p.offsets.single()) {
            for obj in p.may.clone() {
                self.plan.note_field(obj, off, len, &v.may, &v.offsets);
            }
        } else if len == u64::from(self.width / 8) {
            // A number where pointers are stored, too: null, or nothing known.
            let v = value.pointer(self.width);
            for obj in p.may.clone() {
                if let Some(off) = p.offsets.single()
                    && self.plan.field(obj, off, len).is_some()
                {
                    self.plan.note_field(obj, off, len, &v.may, &v.offsets);
                }
            }
        }
        for (obj, off, here) in targets {
            self.write_cells(state, obj, off, len, value, &here);
            self.mark(state, obj, (off, len), &here, place);
        }
    }

    /// Where many witnesses are followed, each remembers where its link was last written: lists that a program moves blocks
    /// between are told apart that way.
    fn mark(&mut self, state: &mut State, obj: Obj, field: (u64, u64), here: &Term, place: Place) {
        let rest = self.plan.alike(obj);
        if self.witnesses < TAGGED || rest == obj || !self.plan.links(rest).contains(&field) {
            return;
        }
        let number = self.plan.place(self.context, place.span.line, place.span.column);
        self.set_tag(state, obj, here, number);
    }

    /// A witness with links gets a tag, where something holds.
    fn set_tag(&mut self, state: &mut State, obj: Obj, here: &Term, number: u8) {
        let old = self.number_of(state, Key::Tag(obj));
        let new = Term::ite(here.clone(), Term::bits(u128::from(number), 8), old);
        let name = self.name(Key::Tag(obj));
        let new = self.ssa.define(&name, new);
        state.vars.insert(Key::Tag(obj), Value::Int(new));
    }

    /// Where memory is asked about, a tag tells blocks that are gone from those that lists are made of.
    pub fn mark_freed(&mut self, state: &mut State, obj: Obj, here: &Term) {
        let rest = self.plan.alike(obj);
        let is_linked = self.witnesses >= TAGGED && rest != obj && !self.plan.links(rest).is_empty();
        if is_linked && !asks_about_content(&self.environment.properties) {
            self.set_tag(state, obj, here, FREED);
        }
    }

    /// A write with an index must meet one of the fields that are considered.
    fn check_hit(&mut self, state: &mut State, p: &Pointer, targets: &[(Obj, u64, Term)], place: Place) {
        if matches!(&p.offsets, Offsets::Set(_))
            || matches!(&p.offsets, Offsets::Step { step, .. } if step.is_power_of_two())
        {
            return;
        }
        let elsewhere = p
            .may
            .iter()
            .filter(|o| self.plan.is_blob(**o) || matches!(self.plan.kind(**o), Some(ObjKind::Rest(..))));
        let other = elsewhere.map(|o| p.is(*o)).collect::<Vec<_>>();
        let hit = Term::or(targets.iter().map(|(_, _, here)| here.clone()).chain(other));
        self.require(state, hit, Kind::Coverage, place, "a write between the elements of an array");
    }

    fn write_cells(&mut self, state: &mut State, obj: Obj, off: u64, len: u64, value: &Value, here: &Term) {
        let cells = self.plan.cells(obj, off, len);
        for (o, l) in cells {
            let key = Key::Cell(obj, o, l);
            let part = match value {
                Value::Ptr(_) if l == len => value.clone(),
                Value::Ptr(_) => Value::Int(self.ssa.fresh("address", Sort::Bits((8 * l) as u8))),
                Value::Int(term) => {
                    let low = (8 * (o - off)) as u8;
                    Value::Int(Term::extract(low + (8 * l) as u8 - 1, low, term.clone()))
                }
            };
            let old = state.vars.get(&key).cloned().or_else(|| self.default(key));
            let new = match old {
                Some(old) if !fault!(6) => Value::ite(here, &part, &old, self.width),
                _ => part,
            };
            let name = self.name(key);
            let new = crate::state::named(&mut self.ssa, &name, new);
            state.vars.insert(key, new);
        }
    }

    /// Copies a block: field by field, as far as anybody looks.
    pub fn copy_block(&mut self, state: &mut State, to: &Pointer, from: &Pointer, len: &Term, place: Place) {
        let (Some(len), Some(d), Some(s)) = (len.as_bits(), to.offsets.single(), from.offsets.single())
        else {
            return self.give_up(state, place, "a block copy of unknown size or place");
        };
        let len = len as u64;
        if len == 0 {
            return;
        }
        self.check_access(state, from, len, false, place);
        self.check_access(state, to, len, true, place);
        let mut ranges: BTreeSet<(u64, u64)> = BTreeSet::new();
        for (p, base) in [(to, d), (from, s)] {
            for obj in &p.may {
                for (off, size) in self.plan.all_cells(*obj) {
                    if off >= base && off + size <= base + len {
                        ranges.insert((off - base, size));
                    } else if off < base + len && off + size > base {
                        // A field that is cut: its bytes count one by one.
                        let bytes = off.max(base)..(off + size).min(base + len);
                        ranges.extend(bytes.map(|byte| (byte - base, 1)));
                    }
                }
            }
        }
        let mut values = Vec::new();
        for (off, size) in ranges {
            let source = self.moved(from, off as i64, None);
            let pointer = size == u64::from(self.width / 8) && self.holds_pointers(state, &source, size);
            let ty = if pointer { Ty::Ptr } else { Ty::Int((8 * size) as u8) };
            let value = self.load(state, &source, ty, place);
            values.push((off, size, value));
        }
        self.overwrite_elements(state, to, len, None);
        for (off, size, value) in values {
            let target = self.moved(to, off as i64, None);
            self.write(state, &target, size, &value, place);
        }
    }

    fn holds_pointers(&mut self, state: &State, p: &Pointer, len: u64) -> bool {
        let Some(off) = p.offsets.single() else { return false };
        p.may.iter().any(|o| {
            self.plan.field(*o, off, len).is_some()
                || matches!(state.vars.get(&Key::Cell(*o, off, len)), Some(Value::Ptr(_)))
        })
    }

    /// Fills a block with a byte.
    pub fn fill_block(&mut self, state: &mut State, to: &Pointer, byte: &Term, len: &Term, place: Place) {
        let (Some(len), Some(base)) = (len.as_bits(), to.offsets.single()) else {
            return self.give_up(state, place, "a block of unknown size or place is filled");
        };
        let len = len as u64;
        if len == 0 {
            return;
        }
        self.check_access(state, to, len, true, place);
        let mut ranges: BTreeSet<(u64, u64)> = BTreeSet::new();
        for obj in &to.may {
            for (off, size) in self.plan.all_cells(*obj) {
                if off >= base && off + size <= base + len {
                    ranges.insert((off - base, size));
                } else if off < base + len && off + size > base && !fault!(28) {
                    ranges.extend((off.max(base)..(off + size).min(base + len)).map(|b| (b - base, 1)));
                }
            }
        }
        self.overwrite_elements(state, to, len, Some(byte));
        for (off, size) in ranges {
            let splat = (1..size).fold(byte.clone(), |all, _| Term::concat(byte.clone(), all));
            let target = self.moved(to, off as i64, None);
            self.write(state, &target, size, &Value::Int(splat), place);
        }
    }
}
