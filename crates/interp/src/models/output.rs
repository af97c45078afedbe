//! Output without a format, and where output goes.

use super::Call;
use super::library::is_null;
use crate::fault::Access;
use crate::machine::{Machine, Res};
use crate::value::{ObjId, Value};
use heapproof_libc::{ModelKind, Place, StreamKind, StreamUse};

/// The most output that is kept of each stream.
const KEPT: usize = 16 << 20;

/// Where output goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sink {
    Out,
    Error,
    /// A file of a world that is given.
    File(ObjId),
    Elsewhere,
}

impl Machine<'_, '_> {
    pub(super) fn write_out(&mut self, sink: Sink, bytes: &[u8]) {
        let stream = match sink {
            Sink::Out => &mut self.stdout,
            Sink::Error => &mut self.stderr,
            Sink::File(stream) => return self.files.write(stream, bytes),
            Sink::Elsewhere => return,
        };
        let room = KEPT.saturating_sub(stream.len());
        stream.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    /// The stream that a `FILE *` argument names; it must be valid.
    pub(super) fn stream(&mut self, call: &Call<'_>, index: usize) -> Res<Sink> {
        let place = Place { at: call.value(index), arg: index };
        let id = self.use_stream(call.name(), place, StreamKind::File, StreamUse::Moves)?;
        Ok(match self.standard_stream(id) {
            Some("standard output") => Sink::Out,
            Some("standard error") => Sink::Error,
            _ if self.is_in_world(id) => Sink::File(id),
            _ => Sink::Elsewhere,
        })
    }

    /// Standard output, for a function that always writes there.
    pub(super) fn standard_output(&mut self, call: &Call<'_>) -> Res<Sink> {
        self.use_standard_output(call.name())?;
        Ok(Sink::Out)
    }

    pub(super) fn descriptor(&self, number: i32) -> Sink {
        match number {
            1 => Sink::Out,
            2 => Sink::Error,
            _ => Sink::Elsewhere,
        }
    }

    /// `n` bytes as numbers.
    fn bytes(&mut self, pointer: Value, n: u64, call: &Call<'_>, index: usize) -> Res<Vec<u8>> {
        if n == 0 {
            return Ok(Vec::new());
        }
        let (id, at) = self.check(pointer, n, Access::Read, call.actor(index))?;
        let kept = n.min(KEPT as u64);
        (0..kept).map(|offset| self.byte_at(id, at + offset)).collect()
    }

    pub(super) fn output(&mut self, call: &Call<'_>) -> Res<Option<Value>> {
        match call.model.kind {
            ModelKind::Puts => {
                let mut text = self.string(call.value(0), call.actor(0))?;
                text.push(b'\n');
                let sink = self.standard_output(call)?;
                self.write_out(sink, &text);
                Ok(Some(self.int_result(text.len() as i64)))
            }
            ModelKind::PutString => {
                let text = self.string(call.value(0), call.actor(0))?;
                let sink = self.stream(call, 1)?;
                self.write_out(sink, &text);
                Ok(Some(self.int_result(1)))
            }
            ModelKind::PutChar { stream } => {
                let byte = call.int(0) as u8;
                let sink = if stream { self.stream(call, 1)? } else { self.standard_output(call)? };
                self.write_out(sink, &[byte]);
                Ok(Some(self.int_result(i64::from(byte))))
            }
            ModelKind::WriteItems => {
                let (size, count) = (call.size(1), call.size(2));
                // A product that overflows is more than any object has.
                let n = size.saturating_mul(count);
                let bytes = self.bytes(call.value(0), n, call, 0)?;
                let sink = self.stream(call, 3)?;
                self.files.full |= matches!(sink, Sink::File(_)) && (bytes.len() as u64) < n;
                self.write_out(sink, &bytes);
                Ok(Some(self.word_result(if size == 0 { 0 } else { count })))
            }
            ModelKind::WriteDescriptor => {
                let n = call.size(2);
                let bytes = self.bytes(call.value(1), n, call, 1)?;
                let sink = self.descriptor(call.int(0));
                self.write_out(sink, &bytes);
                if sink == Sink::Elsewhere {
                    // It may fail or write only a part.
                    let done = self.choose_count(self.word_bits, n, "write");
                    return Ok(Some(self.word_result(done as u64)));
                }
                Ok(Some(self.word_result(n)))
            }
            ModelKind::PrintError => {
                let pointer = call.value(0);
                if !is_null(pointer) {
                    let mut text = self.string(pointer, call.actor(0))?;
                    text.extend_from_slice(b": error\n");
                    self.write_out(Sink::Error, &text);
                }
                Ok(None)
            }
            _ => unreachable!("no output"),
        }
    }
}
