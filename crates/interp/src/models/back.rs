//! Characters that `ungetc` gives back to a stream are read again.

use super::Call;
use crate::api::Stop;
use crate::machine::{Machine, Res};
use crate::value::{ObjId, Prov, Value};
use heapproof_libc::{ModelKind, Place, ScanSource, StreamKind, StreamUse};

impl Machine<'_, '_> {
    /// The result of a call that gives a character back or reads one that was given back; none for any other call.
    pub(super) fn given_back(&mut self, call: &Call<'_>) -> Res<Option<Value>> {
        if call.model.kind == ModelKind::PutBack {
            return self.give_back(call).map(Some);
        }
        if self.given_back.is_empty() {
            return Ok(None);
        }
        let Some((stream, usage)) = self.stream_of(call) else { return Ok(None) };
        if usage == StreamUse::Asks || !self.given_back.contains_key(&stream) {
            return Ok(None);
        }
        use ModelKind::*;
        match call.model.kind {
            Effect if is_get(call.name()) => {
                if let Some(arg) = call.model.effect.streams.first() {
                    let place = Place { at: call.value(arg.arg), arg: arg.arg };
                    self.use_stream(call.name(), place, arg.kind, arg.usage)?;
                }
                let characters = self.given_back.entry(stream).or_default();
                let last = characters.pop();
                if characters.is_empty() {
                    self.given_back.remove(&stream);
                }
                Ok(last.map(|c| self.int_result(c.into())))
            }
            Scan { .. } | GetDelim { .. } => self.reads_on(call),
            Effect if call.model.effect.transfer.is_some() => self.reads_on(call),
            Print { .. } | PutString | PutChar { .. } | WriteItems => Ok(None),
            _ => {
                // Moving a stream drops them.
                self.given_back.remove(&stream);
                Ok(None)
            }
        }
    }

    /// What a longer input begins with is not followed.
    fn reads_on(&self, call: &Call<'_>) -> Res<Option<Value>> {
        Err(Stop::Unsupported { what: format!("`{}` after `ungetc`", call.name()) }.into())
    }

    fn give_back(&mut self, call: &Call<'_>) -> Res<Value> {
        let place = Place { at: call.value(1), arg: 1 };
        let stream = self.use_stream(call.name(), place, StreamKind::File, StreamUse::Moves)?;
        let c = call.int(0);
        if c == -1 {
            return Ok(self.int_result(-1));
        }
        self.given_back.entry(stream).or_default().push(c as u8);
        Ok(self.int_result(i64::from(c as u8)))
    }

    /// The stream that a call uses, and what for.
    fn stream_of(&self, call: &Call<'_>) -> Option<(ObjId, StreamUse)> {
        if let Some(arg) = call.model.effect.streams.first() {
            let Prov::Object(id) = call.value(arg.arg).prov else { return None };
            return Some((id, arg.usage));
        }
        let scans = matches!(call.model.kind, ModelKind::Scan { source: ScanSource::Stdin, .. });
        let reads = scans || call.model.kind == ModelKind::Effect;
        let name = call.model.implied_stream().filter(|_| reads)?;
        let global = self.program.global(name)?;
        Some((self.globals[global.as_u32() as usize], StreamUse::Moves))
    }
}

/// Functions that read one character.
pub(super) fn is_get(name: &str) -> bool {
    matches!(
        name,
        "getchar" | "getchar_unlocked" | "getc" | "fgetc" | "_IO_getc" | "getc_unlocked" | "fgetc_unlocked"
    )
}
