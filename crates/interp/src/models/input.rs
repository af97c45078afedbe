//! Functions whose result the environment decides.

use super::Call;
use crate::api::{Source, Stop};
use crate::fault::Access;
use crate::machine::{Machine, Res};
use crate::memory::{ObjectKind, Site};
use crate::page::{Byte, Fresh};
use crate::value::{Prov, Value};
use heapproof_ir::{Span, mask, sign_extend};
use heapproof_libc::{Extent, ModelKind, Scalar};

/// The longest line or environment variable that is tried.
const LONGEST: u64 = 64;

impl Machine<'_, '_> {
    pub(super) fn input_function(&mut self, call: &Call<'_>) -> Res<Value> {
        let name = call.name();
        match call.model.kind {
            ModelKind::Input { value, non_negative } => {
                for area in &call.model.effect.reads {
                    if area.extent == Extent::Nul {
                        self.string(call.value(area.arg), call.actor(area.arg))?;
                    }
                }
                for area in &call.model.effect.writes {
                    if let Extent::Bytes(n) = area.extent {
                        self.check(call.value(area.arg), n, Access::Write, call.actor(area.arg))?;
                    }
                }
                let width = value.bits(self.word_bits);
                let range = non_negative.then(|| (0, mask(width) / 2));
                let signed = value.is_signed();
                let bits = self.choose(Source::Call, width, signed, range, name);
                let prov = if value == Scalar::Ptr && bits == 0 { Prov::Null } else { Prov::None };
                Ok(Value { bits, prov })
            }
            // -1 or an unsigned char.
            ModelKind::GetChar => {
                let char_or_end = self.choose_count(32, 255, name);
                Ok(self.int_result(char_or_end))
            }
            ModelKind::GetLine => {
                let n = call.int(1);
                if n <= 0 {
                    return Ok(Value::NULL);
                }
                self.read_line(call, n as u64 - 1)
            }
            ModelKind::GetLineUnbounded => self.read_line(call, LONGEST),
            ModelKind::ReadDescriptor => {
                let (to, n) = (call.value(1), call.size(2));
                let most = n.min(mask(self.word_bits) as u64 / 2);
                let count = self.choose_count(self.word_bits, most, name);
                let Ok(count) = u64::try_from(count) else { return Ok(self.word_result(u64::MAX)) };
                if count > 0 {
                    let (id, at) = self.check(to, count, Access::Write, call.actor(1))?;
                    for offset in 0..count {
                        let done = self.mem.set_byte(id, at + offset, Byte::Unknown);
                        self.room(done)?;
                    }
                }
                Ok(self.word_result(count))
            }
            ModelKind::GetEnv => {
                self.string(call.value(0), call.actor(0))?;
                let range = Some((0, u128::from(LONGEST) + 1));
                let choice = self.choose(Source::Environment, 8, false, range, name) as u64;
                if choice == 0 {
                    return Ok(Value::NULL);
                }
                let len = choice - 1;
                let site = Site { span: Span::NONE, func: None, step: self.steps };
                let kind = ObjectKind::Library("a string of the environment");
                let id = self.create(len + 1, 1, kind, Fresh::Unknown, site)?;
                self.put(id, len, 1, Value::plain(0))?;
                Ok(self.address_of(id))
            }
            ModelKind::Time => {
                let pointer = call.value(0);
                let bits = self.choose(Source::Call, self.word_bits, true, None, name);
                if pointer.bits != 0 || !matches!(pointer.prov, Prov::Null | Prov::None) {
                    let n = self.word_bytes;
                    let (id, at) = self.check(pointer, n, Access::Write, call.actor(0))?;
                    self.put(id, at, n, Value::plain(bits))?;
                }
                Ok(Value::plain(bits))
            }
            ModelKind::ErrnoLocation => {
                let id = self.library_object("errno", 4, Fresh::Unknown)?;
                Ok(self.address_of(id))
            }
            _ => Err(Stop::External { name: name.to_owned() }.into()),
        }
    }

    /// An input from -1 to `most`.
    pub(super) fn choose_count(&mut self, width: u8, most: u64, name: &str) -> i64 {
        let bits = self.choose(Source::Call, width, true, None, name);
        let mut count = sign_extend(bits, width);
        if !(-1..=i128::from(most)).contains(&count) {
            count = (bits % (u128::from(most) + 2)) as i128 - 1;
        }
        // The record holds what the function gives.
        if let Some(record) = self.records.last_mut() {
            record.value = count as u128 & mask(width);
        }
        count as i64
    }

    /// Null, or a string of input.
    fn read_line(&mut self, call: &Call<'_>, most: u64) -> Res<Value> {
        let to = call.value(0);
        let most = most.min(1 << 16);
        let range = Some((0, u128::from(most) + 1));
        let choice = self.choose(Source::Call, 32, false, range, call.name()) as u64;
        if choice == 0 {
            return Ok(Value::NULL);
        }
        let len = choice - 1;
        let (id, at) = self.check(to, len + 1, Access::Write, call.actor(0))?;
        for offset in 0..len {
            let done = self.mem.set_byte(id, at + offset, Byte::Unknown);
            self.room(done)?;
        }
        self.put(id, at + len, 1, Value::plain(0))?;
        Ok(to)
    }
}
