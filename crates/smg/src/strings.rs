//! Models of the functions of `string.h` on graphs.
//!
//! A string needs a NUL that is surely there, at a known place inside its object. How long it is, is then known as far as
//! the bytes before are: the first of them that may be NUL is the least length.

use crate::access::Access;
use crate::block::Done;
use crate::graph::{Addr, Def, ObjId, State, Tg, Val};
use crate::number::Range;
use crate::step::{Executor, Next, Parts, advance, assign};
use crate::trouble::Trouble;
use heapproof_ir::{CmpOp, CopyKind, Reg, Span};
use heapproof_libc::{CompareCase, CopyResult, FindFrom, Model, ModelKind};
use heapproof_verdict::ErrorClass;
use std::cmp::Ordering;

/// A string in memory.
#[derive(Clone, Copy)]
pub(crate) struct Text {
    obj: ObjId,
    off: u64,
    /// It may start behind that offset, but not behind its NUL.
    moved: bool,
    /// The least and the greatest length, without the NUL.
    least: u64,
    most: u64,
    /// The length, if it is a number that the object knows.
    len: Option<Val>,
}

impl Text {
    fn is_exact(&self) -> bool {
        self.least == self.most
    }

    fn at(&self, index: u64) -> Val {
        Val::Addr(Addr { obj: self.obj, off: (self.off + index) as i64, tg: Tg::Region })
    }
}

/// Gives up this attempt: the instruction is executed again in each of the parts.
macro_rules! part {
    ($found:expr) => {
        match $found {
            Ok(found) => found,
            Err(states) => return Ok(states),
        }
    };
}

impl Executor<'_> {
    /// Executes a function of `string.h`.
    pub fn string_function(
        &self,
        mut state: State,
        model: &'static Model,
        results: &[Reg],
        args: &[Val],
        span: Span,
    ) -> Next {
        let state_of = &mut state;
        let val = match model.kind {
            ModelKind::StrLen { bounded } => {
                let text = part!(self.bounded_text(state_of, args[0], bounded, args.get(1))?);
                self.settled_length(state_of, text, bounded)
            }
            ModelKind::StrCompare { bounded, case } => {
                let a = part!(self.bounded_text(state_of, args[0], bounded, args.get(2))?);
                let b = part!(self.bounded_text(state_of, args[1], bounded, args.get(2))?);
                let known = (self.bytes(state_of, a), self.bytes(state_of, b));
                match (known, case) {
                    ((Some(x), Some(y)), CompareCase::Exact) => sign(state_of, x.cmp(&y)),
                    _ => state.unknown(32),
                }
            }
            ModelKind::CompareBytes => part!(self.compare_bytes(state_of, args)?),
            ModelKind::StrFind { from } => return self.find(state, from, results, args),
            ModelKind::DupString { bounded } => {
                let text = part!(self.bounded_text(state_of, args[0], bounded, args.get(1))?);
                self.duplicate(state_of, text, bounded, span)
            }
            ModelKind::StrCopy { bounded: false, result } => {
                return self.copy_string(state, results, args, result);
            }
            ModelKind::StrCopy { bounded: true, .. } => return self.copy_padded(state, results, args),
            _ => return self.carry_out(state, model, results, args, span),
        };
        Ok(vec![give(state, results, val)])
    }

    /// The length of a string as a number. Where it is not known, it is remembered, so that it is the same next time.
    pub(crate) fn settled_length(&self, state: &mut State, text: Text, bounded: bool) -> Val {
        if text.is_exact() {
            return Val::Int(u128::from(text.most));
        }
        if let (Some(len), false) = (text.len, bounded) {
            return len;
        }
        let range = Range { lo: text.least.into(), hi: text.most.into() };
        let val = state.derived(state.pointer_bits(), range, Def::Free);
        if let (Val::Sym(len), false, false) = (val, bounded, text.moved)
            && state.object(text.obj).seg.is_none()
            && state.object(text.obj).level == 0
        {
            state.set_text(text.obj, Some(crate::graph::Text { start: text.off, len }));
        }
        val
    }

    /// The most bytes that are read, where there is a limit that is known.
    fn most(&self, state: &State, bounded: bool, arg: Option<&Val>) -> Result<Option<u64>, Trouble> {
        match arg {
            Some(Val::Int(0)) if bounded => self.not_covered(state, "a string function on no bytes"),
            Some(Val::Int(most)) if bounded => Ok(Some(*most as u64)),
            // Without a known limit the string has to end.
            _ => Ok(None),
        }
    }

    /// The string at an address as far as a limit allows, if there is one. A limit that is not known may cut it anywhere.
    pub(crate) fn bounded_text(
        &self,
        state: &mut State,
        at: Val,
        bounded: bool,
        limit: Option<&Val>,
    ) -> Result<Parts<Text>, Trouble> {
        let most = self.most(state, bounded, limit)?;
        let cut = match limit {
            Some(limit) if bounded && most.is_none() => {
                let range = state.range(*limit, state.pointer_bits());
                u64::try_from(range.lo).unwrap_or(0)
            }
            _ => u64::MAX,
        };
        Ok(self.text(state, at, most)?.map(|text| Text { least: text.least.min(cut), ..text }))
    }

    /// The string at an address, which has to end in its object or go on for `most` bytes.
    pub(crate) fn text(&self, state: &mut State, at: Val, most: Option<u64>) -> Result<Parts<Text>, Trouble> {
        let (obj, off) = match self.access(state, at, 1, false)? {
            Access::Again(states) => return Ok(Err(states)),
            Access::At(obj, off) => (obj, off),
            Access::Between(obj, lo, hi) => {
                if let Some(text) = state.string_behind(at, (obj, lo), most) {
                    return Ok(Ok(text));
                }
                return self.moved_text(state, (obj, lo, hi), most);
            }
        };
        let object = state.object(obj);
        let room = state.least_size(obj).saturating_sub(off);
        let end = most.map_or(room, |most| most.min(room));
        let mut least = None;
        for index in 0..end {
            match object.peek(off + index, 1) {
                Some(Val::Int(0)) => {
                    let least = least.unwrap_or(index);
                    let len = self.remembered(state, obj, off).filter(|_| least < index);
                    return Ok(Ok(Text { obj, off, moved: false, least, most: index, len }));
                }
                Some(val) if state.is_number(val) && is_never_zero(state, val) => {}
                _ => least = least.or(Some(index)),
            }
        }
        match most {
            Some(most) if most <= room => {
                Ok(Ok(Text { obj, off, moved: false, least: least.unwrap_or(most), most, len: None }))
            }
            _ if let Some(len) = self.remembered(state, obj, off) => {
                let range = state.range(len, state.pointer_bits());
                let (lo, hi) =
                    (u64::try_from(range.lo).unwrap_or(0), u64::try_from(range.hi).unwrap_or(u64::MAX));
                let cut = |n: u64| most.map_or(n, |most| most.min(n));
                // Bytes that are known not to be NUL are not looked at again.
                Ok(Ok(Text { obj, off, moved: false, least: cut(lo), most: cut(hi), len: Some(len) }))
            }
            _ => self.suspect(state, ErrorClass::OutOfBoundsRead, "the string may not end inside its object"),
        }
    }

    /// The length of the string at an offset, if the object knows it.
    fn remembered(&self, state: &mut State, obj: ObjId, off: u64) -> Option<Val> {
        let text = state.object(obj).text?;
        let width = state.pointer_bits();
        let before = off.checked_sub(text.start)?;
        let by = Val::Int(u128::from(before));
        if state.decide(CmpOp::Ule, width, by, Val::Sym(text.len)) != Some(true) {
            return None;
        }
        Some(state.arithmetic(heapproof_ir::BinOp::Sub, width, Val::Sym(text.len), by))
    }

    /// Reads one byte of an object with a string whose length is a number: the byte is NUL where the string ends, and
    /// not before.
    pub(crate) fn load_char(&self, mut state: State, dst: Reg, obj: ObjId, off: u64) -> Vec<State> {
        let object = state.object(obj);
        let text = object.text.filter(|text| off >= text.start && object.peek(off, 1).is_none());
        let Some(text) = text else {
            let val = state.read(obj, off, 1);
            let val = if state.has_width(val, 8) { val } else { state.unknown(8) };
            return vec![assign(state, dst, val)];
        };
        let (width, index) = (state.pointer_bits(), Val::Int(u128::from(off - text.start)));
        if state.decide(CmpOp::Ule, width, index, Val::Sym(text.len)) != Some(true) {
            let val = state.read(obj, off, 1);
            let val = if state.has_width(val, 8) { val } else { state.unknown(8) };
            return vec![assign(state, dst, val)];
        }
        let cases = state.compare(CmpOp::Eq, width, Val::Sym(text.len), index);
        let read = |(mut state, at_end): (State, bool)| {
            if at_end {
                return assign(state, dst, Val::ZERO);
            }
            let val = state.read(obj, off, 1);
            if let Val::Sym(id) = val {
                state.exclude(id, 0);
            }
            let val = if state.has_width(val, 8) { val } else { state.unknown(8) };
            assign(state, dst, val)
        };
        cases.into_iter().map(read).collect()
    }

    /// A string that starts somewhere between two offsets: it needs a NUL that is surely there at the second one or behind.
    fn moved_text(
        &self,
        state: &State,
        (obj, lo, hi): (ObjId, u64, u64),
        most: Option<u64>,
    ) -> Result<Parts<Text>, Trouble> {
        let object = state.object(obj);
        let room = state.least_size(obj);
        let end = (hi..room).find(|at| object.peek(*at, 1) == Some(Val::ZERO));
        let cut = |n: u64| most.map_or(n, |most| most.min(n));
        match end {
            Some(end) => Ok(Ok(Text { obj, off: lo, moved: true, least: 0, most: cut(end - lo), len: None })),
            None if most.is_some_and(|most| hi.saturating_add(most) <= room) => {
                Ok(Ok(Text { obj, off: lo, moved: true, least: 0, most: cut(u64::MAX), len: None }))
            }
            None => {
                self.suspect(state, ErrorClass::OutOfBoundsRead, "the string may not end inside its object")
            }
        }
    }

    /// The bytes of a string without the NUL, if they are known.
    pub(crate) fn bytes(&self, state: &State, text: Text) -> Option<Vec<u8>> {
        if !text.is_exact() || text.moved {
            return None;
        }
        known_bytes(state, text.obj, text.off, text.most)
    }

    /// `memcmp`.
    fn compare_bytes(&self, state: &mut State, args: &[Val]) -> Result<Parts<Val>, Trouble> {
        let Val::Int(len) = args[2] else {
            return self.not_covered(state, "blocks of unknown size are compared");
        };
        if len == 0 {
            return Ok(Ok(Val::ZERO));
        }
        let mut blocks = Vec::new();
        for at in &args[..2] {
            match self.access(state, *at, len as u64, false)? {
                Access::Again(states) => return Ok(Err(states)),
                Access::At(obj, off) => blocks.push(known_bytes(state, obj, off, len as u64)),
                Access::Between(..) => blocks.push(None),
            }
        }
        Ok(Ok(match &blocks[..] {
            [Some(x), Some(y)] => sign(state, x.cmp(y)),
            _ => state.unknown(32),
        }))
    }

    /// `strchr` and `strrchr`.
    fn find(&self, mut state: State, from: FindFrom, results: &[Reg], args: &[Val]) -> Next {
        let text = part!(self.text(&mut state, args[0], None)?);
        if text.moved {
            return self.not_covered(&state, "a search in a string at an unknown place");
        }
        if let (Some(mut bytes), Val::Int(wanted)) = (self.bytes(&state, text), args[1]) {
            bytes.push(0);
            let is_wanted = |byte: &u8| *byte == wanted as u8;
            let found = match from {
                FindFrom::Front => bytes.iter().position(is_wanted),
                FindFrom::Back => bytes.iter().rposition(is_wanted),
                FindFrom::FrontOrEnd => bytes.iter().position(is_wanted).or(Some(bytes.len() - 1)),
            };
            let val = found.map_or(Val::ZERO, |index| text.at(index as u64));
            return Ok(vec![give(state, results, val)]);
        }
        let absent = give(state.clone(), results, Val::ZERO);
        let width = state.pointer_bits();
        let len = self.settled_length(&mut state, text, false);
        // The end is found only if it is looked for.
        let is_end =
            !matches!(args[1], Val::Int(wanted) if wanted as u8 != 0) || from == FindFrom::FrontOrEnd;
        let index = state.index_up_to(0, len, is_end);
        let Some(index) = index else { return Ok(vec![absent]) };
        let val = match (index, text.at(0)) {
            (Val::Sym(index), Val::Addr(base)) => {
                state.derived(width, Range::full(width), Def::At(base, index, 1))
            }
            (_, start) => start,
        };
        Ok(vec![absent, give(state, results, val)])
    }

    /// A new block with a copy of a string.
    fn duplicate(&self, state: &mut State, text: Text, bounded: bool, span: Span) -> Val {
        let len = self.settled_length(state, text, bounded);
        let exact = text.is_exact() && !text.moved;
        let new = self.new_block(state, text.least + 1, text.is_exact(), false, span);
        if let (Val::Addr(Addr { obj, .. }), Val::Sym(id)) = (new, len) {
            let width = state.pointer_bits();
            if let Val::Sym(size) = state.arithmetic(heapproof_ir::BinOp::Add, width, len, Val::Int(1)) {
                state.object_mut(obj).size_sym = Some(size);
                state.object_mut(obj).text = Some(crate::graph::Text { start: 0, len: id });
            }
        }
        if let Val::Addr(Addr { obj, .. }) = new {
            if exact {
                if text.most > 0 {
                    state.copy((text.obj, text.off), (obj, 0), text.most);
                }
                state.write(obj, text.most, 1, Val::ZERO);
            } else {
                state.object_mut(obj).fresh = false;
            }
        }
        new
    }

    /// `strcpy` and `stpcpy`.
    fn copy_string(&self, mut state: State, results: &[Reg], args: &[Val], result: CopyResult) -> Next {
        let text = part!(self.text(&mut state, args[1], None)?);
        let end = match (result, args[0]) {
            (CopyResult::Start, to) => to,
            (CopyResult::End, Val::Addr(to)) if to.tg == Tg::Region && text.is_exact() => {
                Val::Addr(Addr { off: to.off + text.most as i64, ..to })
            }
            _ => return self.not_covered(&state, "the end of a string at an unknown place"),
        };
        let bytes = text.most.saturating_add(1);
        if text.is_exact() && !text.moved {
            let copied =
                self.copy_block(state, CopyKind::Disjoint, args[0], args[1], Val::Int(u128::from(bytes)))?;
            return Ok(copied.into_iter().map(|done| done.retry_or(|s| give(s, results, end))).collect());
        }
        let len = self.settled_length(&mut state, text, false);
        let width = state.pointer_bits();
        let size = match state.range(len, width).hi < Range::full(width).hi {
            true => state.arithmetic(heapproof_ir::BinOp::Add, width, len, Val::Int(1)),
            false => return self.not_covered(&state, "a string of any length is copied"),
        };
        if state.known(size).is_some() {
            // Its end is known, but not where it starts.
            let (obj, off) = part!(self.target(&mut state, args[0], bytes, text)?);
            self.blur(&mut state, obj, off, off + bytes, None);
            state.object_mut(obj).fresh = false;
            return Ok(vec![give(state, results, end)]);
        }
        let (obj, off, sure, possible) = part!(self.extent(&mut state, args[0], size, true)?);
        if obj == text.obj {
            return self.not_covered(&state, "a string is copied inside its object");
        }
        if sure > 0 {
            state.object_mut(obj).erase(off, sure);
        }
        self.blur(&mut state, obj, off + sure, off + possible, None);
        state.object_mut(obj).fresh = false;
        let placed = state.offset(args[0]).is_some_and(|offset| offset.is_constant());
        if let (Val::Sym(len), true) = (len, placed) {
            state.set_text(obj, Some(crate::graph::Text { start: off, len }));
        }
        Ok(vec![give(state, results, end)])
    }

    /// `strncpy`.
    fn copy_padded(&self, mut state: State, results: &[Reg], args: &[Val]) -> Next {
        let Some(bytes) = self.most(&state, true, args.get(2))? else {
            return self.not_covered(&state, "a string is copied to a block of unknown size");
        };
        let text = part!(self.text(&mut state, args[1], Some(bytes))?);
        let (obj, off) = part!(self.target(&mut state, args[0], bytes, text)?);
        if text.is_exact() && !text.moved {
            let len = Val::Int(u128::from(text.most));
            let copied = self.copy_block(state, CopyKind::Disjoint, args[0], args[1], len)?;
            return Ok(copied
                .into_iter()
                .map(|done| match done {
                    Done::Now(mut state) => {
                        fill_up(&mut state, obj, off + text.most, off + bytes);
                        give(state, results, args[0])
                    }
                    Done::Again(state) => state,
                })
                .collect());
        }
        self.blur(&mut state, obj, off, off + bytes, None);
        state.object_mut(obj).fresh = false;
        fill_up(&mut state, obj, off + text.most, off + bytes);
        Ok(vec![give(state, results, args[0])])
    }

    /// The block that a string is copied to.
    fn target(
        &self,
        state: &mut State,
        to: Val,
        bytes: u64,
        from: Text,
    ) -> Result<Parts<(ObjId, u64)>, Trouble> {
        match self.access(state, to, bytes, true)? {
            Access::Again(states) => Ok(Err(states)),
            Access::At(obj, off) if obj != from.obj => Ok(Ok((obj, off))),
            _ => self.not_covered(state, "a string is copied to an unknown place"),
        }
    }
}

fn give(state: State, results: &[Reg], val: Val) -> State {
    match results.first() {
        Some(&dst) => assign(state, dst, val),
        None => advance(state),
    }
}

/// Fills up with NUL what is behind the end of a string.
fn fill_up(state: &mut State, obj: ObjId, from: u64, to: u64) {
    if from < to {
        state.fill(obj, from, to - from, Some(0));
    }
}

pub(crate) fn is_never_zero(state: &State, val: Val) -> bool {
    state.decide(CmpOp::Ne, 8, val, Val::ZERO) == Some(true)
}

fn known_bytes(state: &State, obj: ObjId, off: u64, len: u64) -> Option<Vec<u8>> {
    let object = state.object(obj);
    (off..off + len)
        .map(|at| match object.peek(at, 1) {
            Some(Val::Int(byte)) => Some(byte as u8),
            _ => None,
        })
        .collect()
}

/// A number of which only the sign is known.
fn sign(state: &mut State, order: Ordering) -> Val {
    let full = Range::full(32);
    let range = match order {
        Ordering::Less => Range { lo: full.lo, hi: -1 },
        Ordering::Equal => Range::one(0),
        Ordering::Greater => Range { lo: 1, hi: full.hi },
    };
    state.derived(32, range, Def::Free)
}

impl State {
    /// A string that starts at an unknown place, but not behind the first NUL of its object.
    fn string_behind(&mut self, at: Val, (obj, lo): (ObjId, u64), most: Option<u64>) -> Option<Text> {
        let text = self.object(obj).text?;
        let width = self.pointer_bits();
        let start = heapproof_numbers::Linear::constant(i128::from(text.start));
        let (offset, end) = (self.offset(at)?, self.form_of(text.len)?.plus(&start, 1)?);
        if !self.is_at_most(&start, &offset, 0) || !self.is_at_most(&offset, &end, 0) {
            return None;
        }
        let len = self.number_of(&end.plus(&offset, -1)?, width);
        let range = self.range(len, width);
        let cut = |n: i128| {
            let n = u64::try_from(n.max(0)).unwrap_or(u64::MAX);
            most.map_or(n, |most| most.min(n))
        };
        let (least, greatest) = (cut(range.lo), cut(range.hi));
        let len = Some(len).filter(|_| most.is_none() && least < greatest);
        Some(Text { obj, off: lo, moved: true, least, most: greatest, len })
    }

    /// A number from the least one up to another one, which may be `reached` itself; none if there is no such number. It
    /// is remembered that it is no more than that.
    pub fn index_up_to(&mut self, least: u64, most: Val, reached: bool) -> Option<Val> {
        let width = self.pointer_bits();
        let hi = self.range(most, width).hi - i128::from(!reached);
        if hi < i128::from(least) {
            return None;
        }
        let index = self.derived(width, Range { lo: least.into(), hi }, Def::Free);
        self.note_at_most(index, most, width, i128::from(!reached));
        Some(index)
    }
}
