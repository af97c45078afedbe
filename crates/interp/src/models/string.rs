//! `string.h` on strings that end with a NUL.

use super::Call;
use crate::api::Stop;
use crate::fault::{Access, Fault};
use crate::machine::{Machine, Res};
use crate::value::{Prov, Value};
use heapproof_ir::{CopyKind, Ty};
use heapproof_libc::{CompareCase, CopyResult, FindFrom, ModelKind, SpanKind};
use heapproof_verdict::{ErrorClass, Property};

impl Machine<'_, '_> {
    pub(super) fn string_function(&mut self, call: &Call<'_>) -> Res<Value> {
        match call.model.kind {
            ModelKind::StrLen { bounded } => {
                let most = if bounded { call.size(1) } else { u64::MAX };
                let text = self.string_at_most(call.value(0), most, call.actor(0))?;
                Ok(self.word_result(text.len() as u64))
            }
            ModelKind::StrCopy { bounded, result } => self.str_copy(call, bounded, result),
            ModelKind::StrCat { bounded } => self.str_cat(call, bounded),
            ModelKind::StrCompare { bounded, case } => self.str_compare(call, bounded, case),
            ModelKind::StrFind { from } => {
                let (pointer, wanted) = (call.value(0), call.int(1) as u8);
                let text = self.string_to(pointer, wanted, from != FindFrom::Back, call)?;
                let found = match from {
                    FindFrom::Back if wanted == 0 => Some(text.len()),
                    FindFrom::Back => text.iter().rposition(|c| *c == wanted),
                    _ if text.last() == Some(&wanted) && wanted != 0 => Some(text.len() - 1),
                    _ if wanted == 0 || from == FindFrom::FrontOrEnd => Some(text.len()),
                    _ => None,
                };
                Ok(found.map_or(Value::NULL, |at| self.moved(pointer, at as u64)))
            }
            ModelKind::StrStr { case } => {
                let pointer = call.value(0);
                let text = self.string(pointer, call.actor(0))?;
                let wanted = self.string(call.value(1), call.actor(1))?;
                let found = if wanted.is_empty() {
                    Some(0)
                } else {
                    text.windows(wanted.len()).position(|part| match case {
                        CompareCase::Exact => part == wanted,
                        CompareCase::Folded => part.eq_ignore_ascii_case(&wanted),
                    })
                };
                Ok(found.map_or(Value::NULL, |at| self.moved(pointer, at as u64)))
            }
            ModelKind::StrSpan(kind) => {
                let pointer = call.value(0);
                let text = self.string(pointer, call.actor(0))?;
                let set = self.string(call.value(1), call.actor(1))?;
                let accept = kind == SpanKind::Accept;
                let len = text.iter().take_while(|c| set.contains(c) == accept).count();
                Ok(match kind {
                    SpanKind::Find if len == text.len() => Value::NULL,
                    SpanKind::Find => self.moved(pointer, len as u64),
                    _ => self.word_result(len as u64),
                })
            }
            ModelKind::StrTok { reentrant } => self.str_tok(call, reentrant),
            ModelKind::StrSep => self.str_sep(call),
            _ => unreachable!("no function on strings"),
        }
    }

    /// The string up to its NUL, or up to and with the first `wanted`.
    fn string_to(&mut self, pointer: Value, wanted: u8, stop: bool, call: &Call<'_>) -> Res<Vec<u8>> {
        let (id, at) = self.check(pointer, 1, Access::Read, call.actor(0))?;
        let room = self.mem.get(id).size - at;
        let mut text = Vec::new();
        for offset in 0..room {
            let byte = self.byte_at(id, at + offset)?;
            if byte == 0 {
                return Ok(text);
            }
            text.push(byte);
            if stop && byte == wanted {
                return Ok(text);
            }
        }
        let pointer = Value { bits: pointer.bits, prov: Prov::Object(id) };
        Err(self.access_fault(pointer, room + 1, Access::Read, call.actor(0)).into())
    }

    fn str_copy(&mut self, call: &Call<'_>, bounded: bool, result: CopyResult) -> Res<Value> {
        let (to, from) = (call.value(0), call.value(1));
        let actors = (call.actor(0), call.actor(1));
        let most = if bounded { call.size(2) } else { u64::MAX };
        let text = self.string_at_most(from, most, call.actor(1))?;
        let len = text.len() as u64;
        // The bytes that are read, with the NUL where it is.
        let read = if bounded { most.min(len + 1) } else { len + 1 };
        if bounded {
            if most > 0 {
                self.check(to, most, Access::Write, call.actor(0))?;
            }
            self.copy_block(CopyKind::Disjoint, to, from, read, actors)?;
            let rest = self.moved(to, len);
            self.fill_block(rest, 0, most - len, call.actor(0))?;
        } else {
            self.copy_block(CopyKind::Disjoint, to, from, read, actors)?;
        }
        Ok(if result == CopyResult::End { self.moved(to, len) } else { to })
    }

    fn str_cat(&mut self, call: &Call<'_>, bounded: bool) -> Res<Value> {
        let (to, from) = (call.value(0), call.value(1));
        let start = self.string(to, call.actor(0))?.len() as u64;
        let most = if bounded { call.size(2) } else { u64::MAX };
        let text = self.string_at_most(from, most, call.actor(1))?;
        let len = text.len() as u64;
        let end = self.moved(to, start);
        self.check(end, len + 1, Access::Write, call.actor(0))?;
        if most > 0 {
            self.check_apart(call, (end, len + 1), (from, most.min(len + 1)))?;
        }
        self.copy_block(CopyKind::Disjoint, end, from, len, (call.actor(0), call.actor(1)))?;
        let nul = self.moved(end, len);
        self.store(nul, Ty::Int(8), Value::plain(0), call.actor(0))?;
        Ok(to)
    }

    /// An area that is written must not overlap one that is read.
    pub(super) fn check_apart(&mut self, call: &Call<'_>, to: (Value, u64), from: (Value, u64)) -> Res<()> {
        if to.1 == 0 || from.1 == 0 {
            return Ok(());
        }
        let target = self.check(to.0, 1, Access::Write, call.actor(0))?;
        let source = self.check(from.0, 1, Access::Read, call.actor(1))?;
        if target.0 != source.0 || target.1 + to.1 <= source.1 || source.1 + from.1 <= target.1 {
            return Ok(());
        }
        let what = self.object_phrase(target.0);
        if !self.asks(Property::NoOverlap) {
            return Err(Stop::Unsupported { what: format!("`{}` on areas that overlap", call.name()) }.into());
        }
        let message = format!("`{}` writes to {what} what it reads there", call.name());
        Err(Fault::new(ErrorClass::OverlappingCopy, message, Some(target.0)).into())
    }

    fn str_compare(&mut self, call: &Call<'_>, bounded: bool, case: CompareCase) -> Res<Value> {
        let most = if bounded { call.size(2) } else { u64::MAX };
        let result = self.compare_bytewise(call, most, case);
        self.learn_from_texts(call, most, true);
        result
    }

    /// Both are read only up to the first difference.
    fn compare_bytewise(&mut self, call: &Call<'_>, most: u64, case: CompareCase) -> Res<Value> {
        let (mut a, mut b) = (call.value(0), call.value(1));
        for _ in 0..most {
            self.hint = self.byte_there(b);
            let x = self.load(a, Ty::Int(8), call.actor(0))?.bits as u8;
            self.hint = Some(x);
            let y = self.load(b, Ty::Int(8), call.actor(1))?.bits as u8;
            self.hint = None;
            let (p, q) = match case {
                CompareCase::Exact => (x, y),
                CompareCase::Folded => (x.to_ascii_lowercase(), y.to_ascii_lowercase()),
            };
            if p != q || p == 0 {
                return Ok(self.int_result(i64::from(p) - i64::from(q)));
            }
            (a, b) = (self.moved(a, 1), self.moved(b, 1));
        }
        Ok(self.int_result(0))
    }

    fn str_tok(&mut self, call: &Call<'_>, reentrant: bool) -> Res<Value> {
        let mut pointer = call.value(0);
        let set = self.string(call.value(1), call.actor(1))?;
        if pointer.bits == 0 {
            // Before the first string this is null, which glibc reads from.
            pointer = if reentrant { self.load(call.value(2), Ty::Ptr, call.actor(2))? } else { self.strtok };
        }
        let (token, next) = self.token(call, pointer, &set)?;
        if reentrant {
            self.store(call.value(2), Ty::Ptr, next, call.actor(2))?;
        } else {
            self.strtok = next;
            self.escape(next.prov);
        }
        Ok(token)
    }

    /// The next token, which is cut off, and where to go on.
    fn token(&mut self, call: &Call<'_>, pointer: Value, set: &[u8]) -> Res<(Value, Value)> {
        let text = self.string(pointer, call.actor(0))?;
        let skipped = text.iter().take_while(|c| set.contains(c)).count();
        if skipped == text.len() {
            return Ok((Value::NULL, self.moved(pointer, skipped as u64)));
        }
        let token = self.moved(pointer, skipped as u64);
        let len = text[skipped..].iter().take_while(|c| !set.contains(c)).count();
        let end = self.moved(token, len as u64);
        if skipped + len == text.len() {
            return Ok((token, end));
        }
        self.store(end, Ty::Int(8), Value::plain(0), call.actor(0))?;
        Ok((token, self.moved(end, 1)))
    }

    fn str_sep(&mut self, call: &Call<'_>) -> Res<Value> {
        let place = call.value(0);
        let set = self.string(call.value(1), call.actor(1))?;
        let token = self.load(place, Ty::Ptr, call.actor(0))?;
        if token.bits == 0 {
            return Ok(Value::NULL);
        }
        let text = self.string(token, call.actor(0))?;
        let len = text.iter().take_while(|c| !set.contains(c)).count();
        let next = if len == text.len() {
            Value::NULL
        } else {
            let end = self.moved(token, len as u64);
            self.store(end, Ty::Int(8), Value::plain(0), call.actor(0))?;
            self.moved(end, 1)
        };
        self.store(place, Ty::Ptr, next, call.actor(0))?;
        Ok(token)
    }
}
