//! Accesses to memory, new objects, and the end of objects.

use super::values::Val;
use super::{Kind, State, Stop, Verifier, position};
use crate::condition::{Change, Content, Pointer, Step};
use crate::place::names_field;
use heapproof_ir::{Program, Span, Ty, TypeId, ctype};
use heapproof_logic::{Op, Term};

/// Bytes of a block operation that is carried out step by step.
const LARGEST_BLOCK: i128 = 256;

/// What is known of an offset: its rest when divided by the size of a pointer.
enum Rest {
    Known(i128),
    Term(Term),
}

impl Verifier<'_> {
    /// An access of some bytes.
    pub(super) fn access(
        &mut self,
        state: &State,
        at: &Pointer,
        bytes: Term,
        span: Span,
    ) -> Result<(), Stop> {
        let goal = state.heap.valid(self.words, at, bytes);
        self.oblige(goal, Kind::Access, position(span), Some(span))
    }

    pub(super) fn load(&mut self, state: &State, ty: Ty, address: &Val, span: Span) -> Result<Val, Stop> {
        let at = self.pointer(address);
        let bytes = ty.bytes(self.program.target) as u8;
        self.access(state, &at, Term::int(bytes.into()), span)?;
        Ok(self.content(state, ty, &at))
    }

    /// What lies at a pointer, as a value of a type.
    fn content(&mut self, state: &State, ty: Ty, at: &Pointer) -> Val {
        let bytes = ty.bytes(self.program.target) as u8;
        let whole = matches!(ty, Ty::Int(width) if u32::from(width) == 8 * u32::from(bytes));
        let val = match (state.heap.mem(self.words, bytes, at), ty) {
            (Some(Content::Word(pointer)), Ty::Ptr) => Val::Pointer(self.formula.named(pointer)),
            (Some(Content::Word(pointer)), _) if whole => {
                Val::Int(self.words.num(&self.formula.named(pointer)))
            }
            (Some(Content::Int(term)), _) if whole => Val::Int(self.formula.named_int(term)),
            (Some(Content::Int(term)), Ty::Int(1)) => {
                // A `_Bool` is 0 or 1.
                Val::Bit(Term::eq(Term::op(Op::IntMod, [term, Term::int(2)]), Term::int(1)))
            }
            _ => self.fresh_val(ty),
        };
        self.assume([]);
        val
    }

    pub(super) fn store(
        &mut self,
        state: &mut State,
        ty: Ty,
        value: &Val,
        (address, place): (&Val, Option<(TypeId, i128)>),
        span: Span,
    ) -> Result<(), Stop> {
        let at = self.pointer(address);
        let bytes = ty.bytes(self.program.target) as u8;
        self.access(state, &at, Term::int(bytes.into()), span)?;
        self.writable(state, &at, span)?;
        self.keep(value, span)?;
        let value = self.stored(ty, bytes, value);
        let rest = self.rest(&at.offset, ty == Ty::Ptr, place);
        let mut links = Vec::new();
        for (index, field) in self.words.fields.iter().enumerate() {
            let through =
                place.is_some_and(|(ty, at)| names_field(self.program, ty, at, field.owner, field.offset));
            let is_link = ty == Ty::Ptr && matches!(rest, Rest::Known(0));
            if ty == Ty::Ptr && matches!(rest, Rest::Term(_)) {
                return Err(Stop::new("a pointer is stored at an address that may not be aligned"));
            }
            if !is_link {
                links.push(Change::Kill(self.cells(&at, bytes.into(), &rest, field.offset)));
                continue;
            }
            let base = at.at(-field.offset);
            let makes = Term::or([Term::truth(through), state.heap.link(index, &base)]);
            if let Some(Content::Word(y)) = value.as_ref().filter(|_| !fault!(21)) {
                let heap = &state.heap;
                let fine = [heap.blocking(y), heap.reach(self.words, index, y, &base).not()];
                let founded = Term::or([makes.clone().not(), Term::or(fine)]);
                self.oblige(founded, Kind::Founded, position(span), Some(span))?;
            }
            links.push(Change::Lead { base, makes });
        }
        state.heap = state.heap.after(self.words, Step::Store { at, bytes, value, links });
        Ok(())
    }

    fn stored(&mut self, ty: Ty, bytes: u8, value: &Val) -> Option<Content> {
        if bytes == self.words.word {
            return match ty {
                Ty::Float(_) => None,
                _ => Some(Content::Word(self.pointer(value))),
            };
        }
        match ty {
            Ty::Int(width) if width <= 64 && u32::from(width) == 8 * u32::from(bytes) => {
                Some(Content::Int(self.int(value, width)))
            }
            Ty::Int(1) => {
                let bit = self.bit(value);
                Some(Content::Int(Term::ite(bit, Term::int(1), Term::int(0))))
            }
            _ => None,
        }
    }

    /// The rest of an offset. C demands that pointers, and structures with pointers, lie at multiples of the size of a
    /// pointer; that is used for offsets of which nothing else is known.
    fn rest(&mut self, offset: &Term, is_pointer: bool, place: Option<(TypeId, i128)>) -> Rest {
        let word = i128::from(self.words.word);
        let modulo = || Rest::Term(Term::op(Op::IntMod, [offset.clone(), Term::int(word)]));
        let Some((constant, parts)) = offset.linear() else { return modulo() };
        let odd: Vec<&(Term, i128)> = parts
            .iter()
            .filter(|(term, factor)| factor % word != 0 && !self.aligned.contains(term))
            .collect();
        let rest = constant.rem_euclid(word);
        match odd.as_slice() {
            [] => Rest::Known(rest),
            [(term, 1)] if term.as_op().is_none() => {
                let by_type = place
                    .is_some_and(|(ty, at)| is_word_aligned(self.program, ty) && at.rem_euclid(word) == rest);
                if (is_pointer && rest == 0) || by_type {
                    self.aligned.insert(term.clone());
                    self.outcome.aligned = true;
                    return Rest::Known(rest);
                }
                modulo()
            }
            _ => modulo(),
        }
    }

    /// The pointers whose cell of a field at an offset overlaps some bytes.
    fn cells(&self, at: &Pointer, bytes: i128, rest: &Rest, offset: i128) -> Vec<Pointer> {
        let word = i128::from(self.words.word);
        match rest {
            Rest::Known(rest) => {
                let first = -rest;
                let mut all = Vec::new();
                let mut cell = first;
                while cell < bytes {
                    all.push(at.at(cell - offset));
                    cell += word;
                }
                all
            }
            Rest::Term(rest) => {
                // The cell of the first byte, and that of the last.
                let first = at.plus(Term::int_sub(Term::int(0), rest.clone()));
                let last = at.at(bytes - 1);
                let rest = Term::op(Op::IntMod, [last.offset.clone(), Term::int(word)]);
                let last = last.plus(Term::int_sub(Term::int(0), rest));
                vec![first.at(-offset), last.at(-offset)]
            }
        }
    }

    /// A new object of a size.
    pub(super) fn new_object(&mut self, state: &mut State, size: Term, is_heap: bool) -> Term {
        let object = self.words.fresh("new", self.words.object.clone());
        let words = self.words;
        let facts = [
            state.heap.alloc(&object).not(),
            self.entry_heap.alloc(&object).not(),
            Term::ne(object.clone(), words.null_object.clone()),
            Term::ne(object.clone(), words.nowhere.object.clone()),
            Term::eq(words.size(&object), size),
        ];
        self.assume(facts);
        self.made.insert(object.clone());
        for (index, _) in words.fields.iter().enumerate() {
            // Nothing leads to it so far.
            let fact = words.leads_nowhere(&state.heap, index, &object);
            self.assume([fact]);
        }
        state.heap = state.heap.after(words, Step::New { object: object.clone(), blocking: is_heap });
        object
    }

    pub(super) fn end_object(&mut self, state: &mut State, object: &Term) {
        state.heap = state.heap.after(self.words, Step::End(object.clone()));
        let facts = self.words.step_facts(&state.heap);
        self.assume(facts);
    }

    pub(super) fn malloc(
        &mut self,
        state: &mut State,
        dst: Option<heapproof_ir::Reg>,
        size: Term,
    ) -> Result<bool, Stop> {
        // It may fail.
        if let Some(dst) = dst.filter(|_| !fault!(20)) {
            self.path()?;
            let mut failed = state.clone();
            failed.set(dst, Val::Pointer(self.words.null()));
            self.assumed.push();
            let explored = self.explore(failed);
            self.assumed.pop();
            explored?;
        }
        // What is larger than any object cannot be had.
        self.assume([Term::int_le(size.clone(), Term::int(crate::condition::LARGEST))]);
        let object = self.new_object(state, size, true);
        if let Some(dst) = dst {
            state.set(dst, Val::Pointer(Pointer { object, offset: Term::int(0) }));
        }
        Ok(true)
    }

    pub(super) fn free(&mut self, state: &mut State, pointer: &Pointer, span: Span) -> Result<bool, Stop> {
        let is_null = pointer.equals(&self.words.null());
        let object = pointer.object.clone();
        let at_start = Term::eq(pointer.offset.clone(), Term::int(0));
        // What is surely no block of the heap cannot be freed; of what comes from elsewhere that is assumed.
        let start = [state.heap.alloc(&object), at_start, self.is_no_variable(state, &object)];
        self.outcome.frees = true;
        self.oblige(Term::or([is_null.clone(), Term::and(start)]), Kind::Free, position(span), Some(span))?;
        // Nothing happens for a null pointer.
        if is_null.as_bool() != Some(false) {
            self.path()?;
            self.assumed.push();
            self.assumed.assert(&is_null);
            let explored = self.explore(state.clone());
            self.assumed.pop();
            explored?;
        }
        self.assume([is_null.not()]);
        let globals: Vec<Term> =
            self.program.globals.values().map(|global| self.words.global(&global.name)).collect();
        self.assume(globals.into_iter().map(|global| Term::ne(object.clone(), global)));
        self.end_object(state, &object);
        Ok(true)
    }

    /// A copy of a block whose size is a constant: cell by cell, links too.
    pub(super) fn copy_block(
        &mut self,
        state: &mut State,
        (to, place): (&Val, Option<(TypeId, i128)>),
        from: &Val,
        len: &Val,
        span: Span,
    ) -> Result<bool, Stop> {
        let Some(len) = self.int(len, 64).as_int().filter(|len| (0..=LARGEST_BLOCK).contains(len)) else {
            return self.beyond(span, "a copy of a block whose size is not a small constant");
        };
        let (target, source) = (self.pointer(to), self.pointer(from));
        if len == 0 {
            return Ok(true);
        }
        self.access(state, &source, Term::int(len), span)?;
        self.access(state, &target, Term::int(len), span)?;
        self.writable(state, &target, span)?;
        let before = State { heap: state.heap.clone(), frames: Vec::new() };
        let word = i128::from(self.words.word);
        if !self.words.fields.is_empty() && !matches!(self.rest(&target.offset, false, place), Rest::Known(0))
        {
            return self.beyond(span, "a copy of a block to an address that may not be aligned");
        }
        let mut done = 0;
        while done < len {
            let bytes = if len - done >= word { word } else { 1 };
            let (at, from) = (target.at(done), source.at(done));
            let value = before.heap.mem(self.words, bytes as u8, &from);
            let value = value.map(|content| match content {
                Content::Word(pointer) => Content::Word(self.formula.named(pointer)),
                Content::Int(term) => Content::Int(self.formula.named_int(term)),
            });
            self.assume([]);
            let mut links = Vec::new();
            for (index, field) in self.words.fields.iter().enumerate() {
                let base = at.at(-field.offset);
                if bytes != word {
                    let cell = at.at(-(done.rem_euclid(word)) - field.offset);
                    links.push(Change::Kill(vec![cell]));
                    continue;
                }
                // A link is copied as one; anything else ends the link that was there.
                let makes = before.heap.link(index, &from.at(-field.offset));
                if let Some(Content::Word(y)) = &value {
                    let heap = &state.heap;
                    let fine = [heap.blocking(y), heap.reach(self.words, index, y, &base).not()];
                    let founded = Term::or([makes.clone().not(), Term::or(fine)]);
                    self.oblige(founded, Kind::Founded, position(span), Some(span))?;
                }
                links.push(Change::Copy { base, makes });
            }
            state.heap = state.heap.after(self.words, Step::Store { at, bytes: bytes as u8, value, links });
            done += bytes;
        }
        Ok(true)
    }

    /// A block of a constant size is filled: its links end.
    pub(super) fn fill_block(
        &mut self,
        state: &mut State,
        (to, place): (&Val, Option<(TypeId, i128)>),
        byte: &Val,
        len: &Val,
        span: Span,
    ) -> Result<bool, Stop> {
        let Some(len) = self.int(len, 64).as_int().filter(|len| (0..=LARGEST_BLOCK).contains(len)) else {
            return self.beyond(span, "a block of unknown size that is filled");
        };
        let at = self.pointer(to);
        if len == 0 {
            return Ok(true);
        }
        self.access(state, &at, Term::int(len), span)?;
        self.writable(state, &at, span)?;
        let byte = self.int(byte, 8).as_int();
        let word = i128::from(self.words.word);
        let rest = self.rest(&at.offset, false, place);
        let mut done = 0;
        while done < len {
            let bytes = if len - done >= word { word } else { 1 };
            let here = at.at(done);
            let value = byte.map(|byte| {
                let all = (0..bytes).fold(0i128, |sum, _| (sum << 8) | (byte & 0xff));
                let half = 1i128 << (8 * bytes - 1);
                let number = Term::int(if all >= half { all - 2 * half } else { all });
                if bytes == word { Content::Word(self.words.number(number)) } else { Content::Int(number) }
            });
            let here_rest = match &rest {
                Rest::Known(rest) => Rest::Known((rest + done).rem_euclid(word)),
                Rest::Term(_) => Rest::Term(Term::op(Op::IntMod, [here.offset.clone(), Term::int(word)])),
            };
            let links = self.words.fields.iter();
            let links =
                links.map(|field| Change::Kill(self.cells(&here, bytes, &here_rest, field.offset))).collect();
            state.heap =
                state.heap.after(self.words, Step::Store { at: here, bytes: bytes as u8, value, links });
            done += bytes;
        }
        Ok(true)
    }
}

/// A structure that C puts at multiples of the size of a pointer.
fn is_word_aligned(program: &Program, ty: TypeId) -> bool {
    let word = program.target.pointer_bytes();
    let ty = ctype::strip(&program.types, ty);
    let size = ctype::size_of(&program.types, ty, word).unwrap_or(1);
    if !size.is_multiple_of(word) {
        return false;
    }
    if let Some(element) = ctype::element(&program.types, ty) {
        return is_word_aligned(program, element);
    }
    let members = ctype::members(&program.types, ty);
    if members.is_empty() {
        return size == word;
    }
    members
        .iter()
        .any(|member| (member.bit_offset / 8).is_multiple_of(word) && is_word_aligned(program, member.ty))
}
