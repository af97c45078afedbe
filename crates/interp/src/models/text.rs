//! Strings in memory: reading up to a NUL, writing.

use super::Call;
use crate::fault::{Access, Actor};
use crate::feedback::{self, LONGEST_TEXT};
use crate::machine::{Machine, Res};
use crate::memory::Life;
use crate::value::{ObjId, Prov, Value};

impl Machine<'_, '_> {
    /// The string at a pointer without its NUL. Every byte read must lie inside one live object.
    pub fn string(&mut self, pointer: Value, actor: Actor<'_>) -> Res<Vec<u8>> {
        self.string_at_most(pointer, u64::MAX, actor)
    }

    /// As [`Self::string`], reading at most `most` bytes.
    pub fn string_at_most(&mut self, pointer: Value, most: u64, actor: Actor<'_>) -> Res<Vec<u8>> {
        let mut text = Vec::new();
        if most == 0 {
            return Ok(text);
        }
        let (id, start) = self.check(pointer, 1, Access::Read, actor)?;
        let room = self.mem.get(id).size - start;
        let limit = most.min(room);
        while (text.len() as u64) < limit {
            let at = start + text.len() as u64;
            let (run, found) = self.mem.scan_plain(id, at, limit - text.len() as u64, 0);
            for offset in 0..run {
                let byte = self.byte_at(id, at + offset)?;
                text.push(byte);
            }
            if found {
                return Ok(text);
            }
            if (text.len() as u64) < limit {
                match self.byte_at(id, start + text.len() as u64)? {
                    0 => return Ok(text),
                    byte => text.push(byte),
                }
            }
        }
        if most <= room {
            return Ok(text);
        }
        // No NUL in the object: the byte behind it is read.
        let beyond = Value { bits: pointer.bits, prov: Prov::Object(id) };
        Err(self.access_fault(beyond, room + 1, Access::Read, actor).into())
    }

    /// The byte at a pointer, if there is one that has a value.
    pub fn byte_there(&self, pointer: Value) -> Option<u8> {
        let Prov::Object(id) = pointer.prov else { return None };
        let object = self.mem.get(id);
        let at = pointer.addr().wrapping_sub(object.base);
        if object.life != Life::Live || at >= object.size {
            return None;
        }
        self.mem.byte(id, at).value()
    }

    /// Two texts, or areas of `most` bytes, were compared.
    pub fn learn_from_texts(&mut self, call: &Call<'_>, most: u64, strings: bool) {
        if self.feedback.is_none() {
            return;
        }
        let text = |pointer: Value| {
            let places = (0..most.min(LONGEST_TEXT)).map_while(|at| self.byte_there(self.moved(pointer, at)));
            places.take_while(|byte| !strings || *byte != 0).collect::<Vec<u8>>()
        };
        let (a, b) = (text(call.value(0)), text(call.value(1)));
        let at = feedback::site(self.top.func, self.top.block, self.top.ip);
        if let Some(feedback) = &mut self.feedback {
            feedback.compare_texts(at, a, b);
        }
    }

    /// Stores bytes and a NUL at a checked place.
    pub fn put_text(&mut self, id: ObjId, at: u64, text: &[u8]) -> Res<()> {
        self.put_raw(id, at, text)?;
        self.put(id, at + text.len() as u64, 1, Value::plain(0))
    }

    /// Stores bytes at a checked place.
    pub fn put_raw(&mut self, id: ObjId, at: u64, bytes: &[u8]) -> Res<()> {
        for (index, part) in bytes.chunks(16).enumerate() {
            let mut all = [0u8; 16];
            all[..part.len()].copy_from_slice(part);
            let place = at + index as u64 * 16;
            let done = self.mem.write_plain(id, place, part.len() as u64, u128::from_le_bytes(all));
            self.room(done)?;
        }
        Ok(())
    }
}
