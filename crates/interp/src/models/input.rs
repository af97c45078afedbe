//! Functions whose result the environment decides.

use super::Call;
use crate::api::{Source, Stop};
use crate::fault::Access;
use crate::machine::{Machine, Res};
use crate::memory::{Life, ObjectKind, Site};
use crate::page::{Byte, Fresh};
use crate::value::{Prov, Value};
use heapproof_ir::{Span, mask, sign_extend};
use heapproof_libc::{Extent, ModelKind, Scalar};

/// The longest line or environment variable that is tried.
const LONGEST: u64 = 64;
/// The size of a stream's object.
const STREAM: u64 = 256;

impl Machine<'_, '_> {
    pub(super) fn input_function(&mut self, call: &Call<'_>) -> Res<Value> {
        let name = call.name();
        for area in &call.model.effect.reads {
            if area.extent == Extent::Nul {
                self.string(call.value(area.arg), call.actor(area.arg))?;
            }
        }
        match call.model.kind {
            ModelKind::Input { value, non_negative } => {
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
                let n = call.size(2);
                let most = n.min(mask(self.word_bits) as u64 / 2);
                let count = self.choose_count(self.word_bits, most, name);
                let Ok(count) = u64::try_from(count) else { return Ok(self.word_result(u64::MAX)) };
                self.write_unknown(call, 1, count)?;
                Ok(self.word_result(count))
            }
            ModelKind::ReadItems => {
                self.stream(call, 3)?;
                let (size, most) = (call.size(1), call.size(2));
                if size == 0 || most == 0 {
                    return Ok(self.word_result(0));
                }
                let range = Some((0, u128::from(most)));
                let count = self.choose(Source::Call, self.word_bits, false, range, name) as u64;
                // A product that overflows is more than any object has.
                self.write_unknown(call, 0, size.saturating_mul(count))?;
                Ok(self.word_result(count))
            }
            ModelKind::OpenStream => {
                if self.fails(name) {
                    return Ok(Value::NULL);
                }
                let site = self.site();
                let id = self.create(STREAM, 16, ObjectKind::Library("a stream"), Fresh::Unknown, site)?;
                self.mem.get_mut(id).escaped = true;
                Ok(self.address_of(id))
            }
            ModelKind::CloseStream => {
                let (id, _) = self.check(call.value(0), 1, Access::Read, call.actor(0))?;
                let site = self.site();
                if self.mem.get(id).kind == ObjectKind::Library("a stream") {
                    self.mem.end(id, Life::Freed, site);
                }
                Ok(self.status(name))
            }
            ModelKind::Status => Ok(self.status(name)),
            ModelKind::ErrorText => {
                let id = self.library_object("the text of an error", LONGEST, Fresh::Unknown)?;
                self.put(id, LONGEST - 1, 1, Value::plain(0))?;
                Ok(self.address_of(id))
            }
            ModelKind::GetEnv => {
                let range = Some((0, u128::from(LONGEST) + 1));
                let choice = self.choose(Source::Environment, 8, false, range, name) as u64;
                self.reword(|_| {
                    Some(match choice {
                        0 => format!("`{name}` gives NULL"),
                        _ => format!("`{name}` gives a string of length {}", choice - 1),
                    })
                });
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

    /// Whether a call of the operating system fails.
    fn fails(&mut self, name: &str) -> bool {
        let fails = self.choose(Source::Environment, 1, false, None, format!("{name} fails")) == 1;
        self.reword(|_| fails.then(|| format!("`{name}` fails here")));
        fails
    }

    /// 0, or -1 if the call fails.
    fn status(&mut self, name: &str) -> Value {
        let fails = self.fails(name);
        self.int_result(if fails { -1 } else { 0 })
    }

    /// Writes bytes of input to the area of an argument.
    fn write_unknown(&mut self, call: &Call<'_>, arg: usize, n: u64) -> Res<()> {
        if n == 0 {
            return Ok(());
        }
        let (id, at) = self.check(call.value(arg), n, Access::Write, call.actor(arg))?;
        for offset in 0..n {
            let done = self.mem.set_byte(id, at + offset, Byte::Unknown);
            self.room(done)?;
        }
        Ok(())
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
        self.reword(|_| Some(format!("`{name}` gives {count}")));
        count as i64
    }

    /// Null, or a string of input.
    fn read_line(&mut self, call: &Call<'_>, most: u64) -> Res<Value> {
        let to = call.value(0);
        let most = most.min(1 << 16);
        let range = Some((0, u128::from(most) + 1));
        let name = call.name();
        let choice = self.choose(Source::Call, 32, false, range, name) as u64;
        self.reword(|_| {
            Some(match choice {
                0 => format!("`{name}` gives NULL"),
                _ => format!("`{name}` reads a string of length {}", choice - 1),
            })
        });
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
