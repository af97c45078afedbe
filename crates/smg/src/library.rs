//! Graphs as library functions see them: the effects of the table carried out on symbolic memory.
//!
//! Where the environment, or what is not known, decides between a few cases, the call is carried out once for each sequence of
//! decisions. A pointer that needs a case distinction first ends the attempt: the instruction is executed again in each case.

use crate::access::Access;
use crate::content;
use crate::graph::{Addr, Def, ObjId, Object, State, Storage, Text, Tg, Val};
use crate::number::{Range, bits};
use crate::step::{Executor, Next, Parts, advance, assign, end_life, index};
use crate::trouble::Trouble;
use heapproof_ir::{BinOp, CmpOp, GlobalInit, Reg, Span, Target};
use heapproof_libc::{
    self as libc, Failure, LibraryObject, Memory, Model, Place, Scalar, StreamKind, StreamUse, Written,
};
use heapproof_verdict::{ErrorClass, Property};

/// Why an attempt to carry out a call ends.
enum Halt {
    /// There is trouble.
    Trouble(Trouble),
    /// The instruction has to be executed again in each of these.
    Again(Vec<State>),
}

impl From<Trouble> for Halt {
    fn from(trouble: Trouble) -> Halt {
        Halt::Trouble(trouble)
    }
}

type Res<T> = Result<T, Halt>;

/// Goes on with what is known, or ends the attempt.
fn parts<T>(found: Parts<T>) -> Res<T> {
    found.map_err(Halt::Again)
}

/// A call on a graph.
struct Library<'e, 'p> {
    executor: &'e Executor<'p>,
    state: State,
    span: Span,
    /// The decisions that are given, and those that were made: which one of how many.
    script: Vec<usize>,
    made: Vec<(usize, usize)>,
    /// One of several outcomes of a comparison was chosen: the others are those of other decisions.
    narrowed: bool,
    /// Memory was changed: there is no way back.
    changed: bool,
}

impl<'p> Executor<'p> {
    /// Executes a library function as its effect says.
    pub fn carry_out(
        &self,
        state: State,
        model: &'static Model,
        results: &[Reg],
        args: &[Val],
        span: Span,
    ) -> Next {
        let mut next = Vec::new();
        let mut troubles = Vec::new();
        let mut script = Some(Vec::new());
        while let Some(decisions) = script {
            let mut library = Library {
                executor: self,
                state: state.clone(),
                span,
                script: decisions,
                made: Vec::new(),
                narrowed: false,
                changed: false,
            };
            match libc::apply(model, args, &mut library) {
                Ok(result) => next.push(self.give_result(library.state, model, results, result)),
                Err(Halt::Again(states)) if !library.changed && library.narrowed => next.extend(states),
                Err(Halt::Again(states)) if !library.changed => return Ok(states),
                Err(Halt::Again(_)) => {
                    let what = format!("`{}` on a place that depends on what it changes", model.name);
                    troubles.push(self.not_covered::<()>(&state, &what).expect_err("it is trouble"));
                }
                Err(Halt::Trouble(trouble)) => troubles.push(trouble),
            }
            script = following(library.made);
        }
        let Some(trouble) = content::worst(troubles) else { return Ok(next) };
        let mut trouble = content::with_all(trouble, next.clone());
        // The analysis goes on where there was no trouble.
        if let (Some(fork), Some(fine)) = (&mut trouble.fork, next.pop())
            && fork.fine.is_empty()
        {
            fork.fine.push(fine);
        }
        Err(trouble)
    }

    /// Assigns the result, in the type with which the program declares the function.
    fn give_result(&self, mut state: State, model: &Model, results: &[Reg], result: Option<Val>) -> State {
        self.forget_error_number(&mut state);
        let Some(&dst) = results.first() else { return advance(state) };
        let width = state.frame().widths[index(dst)];
        let val = match result {
            Some(val) if state.is_number(val) => {
                let from = model.result.bits(state.pointer_bits()).max(1);
                if from == width { val } else { state.resized(val, from, width, model.result.is_signed()) }
            }
            Some(val) if width == state.pointer_bits() => val,
            _ => state.unknown(width),
        };
        assign(state, dst, val)
    }

    /// Any call may have failed on the way and set the error number.
    pub fn forget_error_number(&self, state: &mut State) {
        if let Some(global) = self.error_number
            && let Some(&obj) = state.globals.get(&global)
        {
            let size = state.object(obj).size;
            state.object_mut(obj).erase(0, size);
        }
    }

    /// A new string of the environment, of a length between two.
    pub fn foreign_string(&self, state: &mut State, shortest: u64, longest: u64) -> Val {
        let width = state.pointer_bits();
        let len = state.derived(width, Range { lo: shortest.into(), hi: i128::from(longest) }, Def::Free);
        let size = state.arithmetic(BinOp::Add, width, len, Val::Int(1));
        let mut object = Object::region(1, Storage::Foreign, Span::NONE);
        object.exact = false;
        object.fresh = false;
        if let (Val::Sym(len), Val::Sym(size)) = (len, size) {
            object.size_sym = Some(size);
            object.text = Some(Text { start: 0, len });
        }
        Val::Addr(Addr { obj: state.add(object), off: 0, tg: Tg::Region })
    }
}

/// The next sequence of decisions, if there is one.
fn following(mut made: Vec<(usize, usize)>) -> Option<Vec<usize>> {
    while let Some((which, ways)) = made.pop() {
        if which + 1 < ways {
            let before = made.iter().map(|(which, _)| *which);
            return Some(before.chain([which + 1]).collect());
        }
    }
    None
}

impl Library<'_, '_> {
    /// One of some ways; all of them are gone sooner or later.
    fn decide(&mut self, ways: usize) -> usize {
        let which = self.script.get(self.made.len()).copied().unwrap_or(0);
        self.made.push((which, ways));
        which
    }

    fn width(&self) -> u8 {
        self.state.pointer_bits()
    }

    fn not_covered<T>(&self, what: &str) -> Res<T> {
        self.executor.not_covered(&self.state, what).map_err(Halt::Trouble)
    }

    /// Goes on in one of the outcomes of a comparison of numbers.
    fn compare(&mut self, op: CmpOp, width: u8, a: Val, b: Val) -> Res<bool> {
        let mut outcomes = self.state.compare(op, width, a, b);
        if outcomes.is_empty() {
            return self.not_covered("a comparison without an outcome");
        }
        let which = if outcomes.len() > 1 { self.decide(outcomes.len()) } else { 0 };
        self.narrowed |= outcomes.len() > 1;
        let (state, holds) = outcomes.swap_remove(which);
        self.state = state;
        Ok(holds)
    }

    /// A pointer into a region, without cases.
    fn region(&self, pointer: Val) -> Res<()> {
        match pointer {
            Val::Addr(addr) if addr.tg != Tg::Region => Err(Halt::Again(self.state.open(addr))),
            Val::Addr(addr) if self.state.object(addr.obj).maybe => {
                Err(Halt::Again(self.state.split_maybe(addr.obj)))
            }
            _ => Ok(()),
        }
    }

    /// A size that is not negative and at most so much.
    fn bounds(&self, size: Val) -> Res<(u64, u64)> {
        let range = self.state.range(size, self.width());
        match (u64::try_from(range.lo), u64::try_from(range.hi)) {
            (Ok(lo), Ok(hi)) if self.state.is_number(size) => Ok((lo, hi)),
            _ => self.not_covered("a size that is not known"),
        }
    }

    /// Where a write of some bytes goes: object, first offset, and the ends of what is surely and possibly written.
    fn written(&mut self, pointer: Val, size: Val, strict: bool) -> Res<Option<(ObjId, u64, u64, u64)>> {
        let (obj, lo, hi) = match self.executor.resolve(&mut self.state, pointer, true) {
            Ok(found) => parts(found)?,
            Err(trouble) if strict => return Err(trouble.into()),
            // The way on which all is written tells of it.
            Err(_) => return Ok(None),
        };
        let (Ok(from), Ok(last)) = (u64::try_from(lo), u64::try_from(hi)) else {
            return if strict { self.not_covered("a write in front of an object") } else { Ok(None) };
        };
        let (least, most) = self.bounds(size)?;
        let known = self.state.object(obj).known_end();
        let sure = if from == last { from.saturating_add(least).min(known) } else { from };
        let possible = last.saturating_add(most).min(known);
        Ok(Some((obj, from, sure.max(from), possible.max(from))))
    }

    /// A string of a length is at a place now. If it may be shorter, how long it is, is another number.
    fn put_text(&mut self, obj: ObjId, off: u64, len: Val, shorter: bool) {
        if let Some(n) = self.state.known(len) {
            // Its end is known; the bytes before are not.
            let end = off.saturating_add(n as u64);
            if end < self.state.least_size(obj) {
                self.state.write(obj, end, 1, Val::ZERO);
                return;
            }
        }
        let width = self.width();
        let range = self.state.range(len, width);
        let len = match len {
            Val::Sym(id) if !shorter => Some(id),
            _ => match self.state.derived(width, Range { lo: 0, hi: range.hi.max(0) }, Def::Free) {
                Val::Sym(id) => Some(id),
                _ => None,
            },
        };
        if let Some(len) = len {
            self.state.set_text(obj, Some(Text { start: off, len }));
        }
    }

    /// A fresh number of a type, of a range.
    fn fresh(&mut self, ty: Scalar, range: Option<(i64, i64)>) -> Val {
        let width = ty.bits(self.width()).max(1);
        let val = self.state.unknown(width);
        if let (Val::Sym(id), Some((low, high))) = (val, range)
            && ty.is_signed() | (i128::from(high) <= Range::full(width).hi)
        {
            self.state.restrict(id, Range { lo: low.into(), hi: high.into() });
        }
        val
    }

    fn new_block(&mut self, size: Val) -> Res<Val> {
        let (least, most) = self.bounds(size)?;
        let block = self.executor.new_block(&mut self.state, least, least == most, false, self.span);
        if let (Val::Addr(addr), Val::Sym(id)) = (block, size)
            && least != most
        {
            self.state.object_mut(addr.obj).size_sym = Some(id);
        }
        Ok(block)
    }
}

impl Memory for Library<'_, '_> {
    type Value = Val;
    type Stop = Halt;

    fn target(&self) -> Target {
        self.executor.program.target
    }

    fn number(&mut self, number: i64, ty: Scalar) -> Val {
        Val::Int(bits(number.into(), ty.bits(self.width()).max(1)))
    }

    fn known(&self, value: Val) -> Option<u128> {
        self.state.known(value)
    }

    fn may_be_nul(&self, value: Val) -> bool {
        match self.state.known(value) {
            Some(known) => known as u8 == 0,
            None => !(Range { lo: 1, hi: 255 }).covers(self.state.range(value, 32)),
        }
    }

    fn is_null(&mut self, pointer: Val) -> Res<bool> {
        self.region(pointer)?;
        let width = self.width();
        self.compare(CmpOp::Eq, width, pointer, Val::ZERO)
    }

    fn sum(&mut self, a: Val, b: Val) -> Res<Val> {
        let ((_, x), (_, y)) = (self.bounds(a)?, self.bounds(b)?);
        let width = self.width();
        if i128::from(x) + i128::from(y) > Range::full(width).hi {
            return self.not_covered("a size that is not known");
        }
        Ok(self.state.arithmetic(BinOp::Add, width, a, b))
    }

    fn product(&mut self, a: Val, b: Val) -> Res<Val> {
        match (self.state.known(a), self.state.known(b)) {
            (Some(1), _) => return Ok(b),
            (_, Some(1)) => return Ok(a),
            (Some(0), _) | (_, Some(0)) => return Ok(Val::ZERO),
            _ => {}
        }
        let ((_, x), (_, y)) = (self.bounds(a)?, self.bounds(b)?);
        let width = self.width();
        if i128::from(x).saturating_mul(y.into()) > Range::full(width).hi {
            return self.not_covered("a size that is not known");
        }
        Ok(self.state.arithmetic(BinOp::Mul, width, a, b))
    }

    fn at_most(&mut self, a: Val, b: Val) -> Res<bool> {
        let width = self.width();
        self.compare(CmpOp::Ule, width, a, b)
    }

    fn less_one(&mut self, number: Val, ty: Scalar) -> Res<Option<Val>> {
        let width = ty.bits(self.width());
        if !self.state.is_number(number) {
            return self.not_covered("a number that is not known");
        }
        let op = if ty.is_signed() { CmpOp::Sgt } else { CmpOp::Ne };
        if !self.compare(op, width, number, Val::ZERO)? {
            return Ok(None);
        }
        let less = self.state.arithmetic(BinOp::Sub, width, number, Val::Int(1));
        Ok(Some(self.convert(less, ty, Scalar::SIZE)))
    }

    fn convert(&mut self, value: Val, from: Scalar, to: Scalar) -> Val {
        let (from_width, to_width) = (from.bits(self.width()), to.bits(self.width()));
        if from_width == to_width {
            return value;
        }
        if !self.state.is_number(value) {
            return self.state.unknown(to_width);
        }
        self.state.resized(value, from_width, to_width, from.is_signed())
    }

    fn moved(&mut self, pointer: Val, by: Val) -> Res<Val> {
        self.region(pointer)?;
        let width = self.width();
        if let Some(n) = self.state.known(by) {
            let n = n as i64;
            if n == 0 {
                return Ok(pointer);
            }
            return Ok(match pointer {
                Val::Addr(addr) => Val::Addr(Addr { off: addr.off.wrapping_add(n), ..addr }),
                Val::Sym(id) => match self.state.syms[&id].def {
                    Def::At(base, index, scale) => {
                        let base = Addr { off: base.off.wrapping_add(n), ..base };
                        self.state.derived(width, Range::full(width), Def::At(base, index, scale))
                    }
                    _ => self.state.unknown(width),
                },
                _ => self.state.unknown(width),
            });
        }
        match (pointer, by) {
            (Val::Addr(addr), Val::Sym(index)) if self.state.is_number(by) => {
                Ok(self.state.derived(width, Range::full(width), Def::At(addr, index, 1)))
            }
            (Val::Sym(id), Val::Sym(more)) if self.state.is_number(by) => match self.state.syms[&id].def {
                // Two numbers: their sum is a new one.
                Def::At(base, index, 1) => {
                    let sum = self.sum(Val::Sym(index), Val::Sym(more))?;
                    self.moved(Val::Addr(base), sum)
                }
                _ => self.not_covered("a place that is not known"),
            },
            _ => self.not_covered("a place that is not known"),
        }
    }

    fn check(&mut self, place: Place<Val>, sizes: &[Val], access: libc::Access) -> Res<()> {
        let write = access == libc::Access::Write;
        let mut first = None;
        for size in sizes {
            let checked = match self.state.known(*size) {
                Some(0) => return Ok(()),
                Some(n) => {
                    let n = u64::try_from(n).unwrap_or(u64::MAX);
                    match self.executor.access(&mut self.state, place.at, n, write) {
                        Ok(Access::Again(states)) => return Err(Halt::Again(states)),
                        Ok(_) => Ok(()),
                        Err(trouble) => Err(trouble),
                    }
                }
                None => match self.executor.extent(&mut self.state, place.at, *size, write) {
                    Ok(Err(states)) => return Err(Halt::Again(states)),
                    Ok(Ok(_)) => Ok(()),
                    Err(trouble) => Err(trouble),
                },
            };
            match checked {
                Ok(()) => return Ok(()),
                Err(trouble) => drop(first.get_or_insert(trouble)),
            }
        }
        first.map_or(Ok(()), |trouble| Err(trouble.into()))
    }

    fn apart(&mut self, (to, size): (Place<Val>, Val), (from, bytes): (Place<Val>, Val)) -> Res<()> {
        if [size, bytes].iter().any(|size| self.state.known(*size) == Some(0)) {
            return Ok(());
        }
        self.region(to.at)?;
        self.region(from.at)?;
        let places = (self.state.place(to.at), self.state.place(from.at));
        let (Some(((x, _), lo, hi)), Some(((y, _), low, high))) = places else {
            return self.not_covered("a copy between places that are not known");
        };
        let ((_, n), (_, m)) = (self.bounds(size)?, self.bounds(bytes)?);
        let apart = x != y
            || hi + i128::from(n) <= low
            || high + i128::from(m) <= lo
            || self.state.ends_before(to.at, size, from.at)
            || self.state.ends_before(from.at, bytes, to.at);
        if apart {
            return Ok(());
        }
        let what = "the areas may overlap";
        if self.executor.asks(Property::NoOverlap) {
            return self
                .executor
                .suspect(&self.state, ErrorClass::OverlappingCopy, what)
                .map_err(Halt::Trouble);
        }
        self.not_covered(what)
    }

    fn is_command_line(&mut self, table: Val, count: Option<Val>) -> Res<bool> {
        self.region(table)?;
        let word = self.state.pointer_bytes();
        let Some(((obj, _), lo, hi)) = self.state.place(table) else { return Ok(false) };
        let object = self.state.object(obj);
        if object.storage != Storage::Arguments || !object.valid {
            return Ok(false);
        }
        let Some(count) = count else {
            let known = lo == hi && lo % i128::from(word) == 0;
            if !known && !self.state.is_multiple(table, word) {
                return Ok(false);
            }
            let place = Place { at: table, arg: 0 };
            let word = Val::Int(word.into());
            return self.check(place, &[word], libc::Access::Read).map(|()| true);
        };
        let (Some(entries), true) = (object.size_sym, lo == hi && lo >= 0 && lo % i128::from(word) == 0)
        else {
            return Ok(false);
        };
        let width = self.width();
        let count = self.convert(count, Scalar::INT, Scalar::SIZE);
        let before = Val::Int((lo / i128::from(word)) as u128);
        let end = self.state.arithmetic(BinOp::Add, width, count, before);
        Ok(self.state.decide(CmpOp::Slt, width, end, Val::Sym(entries)) == Some(true))
    }

    fn permute(&mut self, table: Val) {
        if let Val::Addr(addr) = table {
            self.changed = true;
            let behind = u64::try_from(addr.off).map_or(0, |off| off + 1);
            self.state.object_mut(addr.obj).cells.retain(|off, _| *off < behind);
        }
    }

    fn length(&mut self, place: Place<Val>, most: Option<Val>) -> Res<Val> {
        if most.and_then(|most| self.state.known(most)) == Some(0) {
            return Ok(Val::ZERO);
        }
        let bounded = most.is_some();
        let text = parts(self.executor.bounded_text(&mut self.state, place.at, bounded, most.as_ref())?)?;
        Ok(self.executor.settled_length(&mut self.state, text, bounded))
    }

    fn text(&mut self, place: Place<Val>) -> Res<Option<Vec<u8>>> {
        let text = parts(self.executor.text(&mut self.state, place.at, None)?)?;
        Ok(self.executor.bytes(&self.state, text))
    }

    fn write(&mut self, place: Place<Val>, size: Val, content: Written<Val>) -> Res<()> {
        if self.state.known(size) == Some(0) {
            return Ok(());
        }
        let strict = content != Written::Spoilt;
        let Some((obj, from, sure, possible)) = self.written(place.at, size, strict)? else { return Ok(()) };
        self.changed = true;
        // The end of a string may lie behind all that is known by its place.
        self.state.set_text(obj, None);
        let sure = if strict { sure } else { from };
        if sure > from {
            self.state.object_mut(obj).erase(from, sure - from);
        }
        self.executor.blur(&mut self.state, obj, sure, possible, None);
        self.state.object_mut(obj).fresh = false;
        let exact = matches!(place.at, Val::Addr(_));
        match content {
            Written::Text(len) if exact => self.put_text(obj, from, len, false),
            Written::Line(len) if exact => self.put_text(obj, from, len, true),
            _ => {}
        }
        Ok(())
    }

    fn load(&mut self, place: Place<Val>, ty: Scalar) -> Res<Val> {
        let width = ty.bits(self.width());
        let len = u64::from(width).div_ceil(8);
        match self.executor.access(&mut self.state, place.at, len, false)? {
            Access::Again(states) => Err(Halt::Again(states)),
            Access::At(obj, off) if self.state.object(obj).storage != Storage::Arguments => {
                let val = self.state.read(obj, off, len);
                Ok(if self.state.has_width(val, width) { val } else { self.state.unknown(width) })
            }
            _ => self.not_covered("a read from a place that is not known"),
        }
    }

    fn store(&mut self, place: Place<Val>, ty: Scalar, value: Val) -> Res<()> {
        let len = u64::from(ty.bits(self.width())).div_ceil(8);
        match self.executor.access(&mut self.state, place.at, len, true)? {
            Access::Again(states) => Err(Halt::Again(states)),
            Access::At(obj, off) => {
                self.changed = true;
                self.state.write(obj, off, len, value);
                Ok(())
            }
            Access::Between(obj, lo, hi) => {
                self.changed = true;
                self.executor.blur(&mut self.state, obj, lo, hi + len, Some(value));
                Ok(())
            }
        }
    }

    fn input(&mut self, ty: Scalar, range: Option<(i64, i64)>) -> Res<Val> {
        Ok(self.fresh(ty, range))
    }

    fn fraction(&mut self) -> Res<Val> {
        Ok(self.state.unknown(64))
    }

    fn amount_from(&mut self, least: u64, most: Option<Val>, failure: Failure) -> Res<Option<Val>> {
        let width = self.width();
        if matches!(failure, Failure::Gives(_)) && self.decide(2) == 0 {
            return Ok(None);
        }
        // No input is longer than half of the address space.
        let limit = u64::try_from(Range::full(width).hi / 2).unwrap_or(u64::MAX);
        let hi = match most {
            Some(most) => match self.state.range(most, width) {
                Range { lo: 0.., hi } => u64::try_from(hi).unwrap_or(limit).min(limit),
                _ => limit,
            },
            None => limit,
        };
        let range = Range { lo: least.into(), hi: hi.max(least).into() };
        Ok(Some(self.state.derived(width, range, Def::Free)))
    }

    fn fails(&mut self) -> Res<bool> {
        Ok(self.decide(2) == 1)
    }

    fn matches(&mut self) -> Res<bool> {
        Ok(self.decide(2) == 1)
    }

    fn either(&mut self) -> Res<bool> {
        Ok(self.decide(2) == 1)
    }

    fn computed(&mut self, ty: Scalar) -> Res<Val> {
        Ok(self.fresh(ty, None))
    }

    fn computed_size(&mut self, least: u64, most: Val) -> Res<Val> {
        let (_, greatest) = self.bounds(most)?;
        let greatest = greatest.max(least);
        if let Some(size) = self.state.index_up_to(least, most, true) {
            return Ok(size);
        }
        let range = Range { lo: least.into(), hi: greatest.into() };
        Ok(self.state.derived(self.width(), range, Def::Free))
    }

    fn allocation_fails(&mut self) -> Res<bool> {
        Ok(self.executor.environment.malloc_may_fail && self.decide(2) == 1)
    }

    fn allocate(&mut self, size: Val) -> Res<Val> {
        self.new_block(size)
    }

    fn release(&mut self, place: Place<Val>) -> Res<()> {
        parts(self.executor.release(&mut self.state, place.at)?)?;
        self.changed = true;
        Ok(())
    }

    fn object(&mut self, object: &'static LibraryObject) -> Res<Val> {
        let program = self.executor.program;
        if !object.single {
            let size = object.size_on(program.target);
            return Ok(self.executor.foreign_string(&mut self.state, object.least(), size - 1));
        }
        match program.global(object.name).and_then(|global| self.state.globals.get(&global)) {
            Some(&obj) => Ok(Val::Addr(Addr { obj, off: 0, tg: Tg::Region })),
            None => self.not_covered("an object of the library that was not linked"),
        }
    }

    fn protect(&mut self, _: Val) {
        // Strings of the library are only read.
    }

    fn retire(&mut self, pointer: Val) -> Res<()> {
        self.region(pointer)?;
        match pointer {
            Val::Addr(addr) => {
                self.changed = true;
                end_life(&mut self.state, &[addr.obj]);
                Ok(())
            }
            _ => self.not_covered("a string of the library whose place is not known"),
        }
    }

    fn open(&mut self, kind: StreamKind) -> Res<Val> {
        let size = kind.size_on(self.executor.program.target);
        let mut object = Object::region(size, Storage::Stream(kind), self.span);
        object.fresh = false;
        Ok(Val::Addr(Addr { obj: self.state.add(object), off: 0, tg: Tg::Region }))
    }

    fn stream(&mut self, place: Place<Val>, kind: StreamKind, _: StreamUse) -> Res<()> {
        let (obj, lo, hi) = parts(self.executor.resolve(&mut self.state, place.at, false)?)?;
        let is_stream = match self.state.object(obj).storage {
            Storage::Stream(found) => found == kind && (lo, hi) == (0, 0),
            Storage::Global(global, _) => {
                matches!(self.executor.program.globals[global].init, GlobalInit::External)
            }
            _ => false,
        };
        if !is_stream {
            let what = "the argument may be no stream";
            return self.executor.suspect(&self.state, ErrorClass::WildDeref, what).map_err(Halt::Trouble);
        }
        Ok(())
    }

    fn close(&mut self, place: Place<Val>) -> Res<()> {
        self.region(place.at)?;
        match place.at {
            Val::Addr(addr) => {
                if matches!(self.state.object(addr.obj).storage, Storage::Stream(_)) {
                    self.changed = true;
                    end_life(&mut self.state, &[addr.obj]);
                }
                Ok(())
            }
            _ => self.not_covered("a stream whose place is not known is closed"),
        }
    }

    fn compares_addresses(&self) -> bool {
        libc::compares_addresses(self.executor.program)
    }

    fn declares(&self, function: &str) -> bool {
        self.executor.program.function(function).is_some()
    }

    fn global(&mut self, name: &str) -> Option<Val> {
        let global = self.executor.program.global(name)?;
        let obj = *self.state.globals.get(&global)?;
        Some(Val::Addr(Addr { obj, off: 0, tg: Tg::Region }))
    }

    fn not_modelled(&self, model: &Model, what: &str) -> Halt {
        let what = format!("{what} of the function `{}`", model.name);
        let trouble = self.executor.not_covered::<()>(&self.state, &what).expect_err("it is trouble");
        Halt::Trouble(trouble)
    }
}
