//! `memcpy`, `memset` and their relatives.

use super::Call;
use crate::fault::Access;
use crate::machine::{Machine, Res};
use crate::value::{Prov, Value};
use heapproof_ir::CopyKind;
use heapproof_libc::{CopyResult, FindFrom, ModelKind};

impl Machine<'_, '_> {
    pub(super) fn block_function(&mut self, call: &Call<'_>) -> Res<Option<Value>> {
        match call.model.kind {
            ModelKind::CopyBytes { overlap, swapped, result } => {
                let (to, from) = if swapped { (1, 0) } else { (0, 1) };
                let kind = if overlap { CopyKind::Move } else { CopyKind::Disjoint };
                let n = call.size(2);
                let (target, source) = (call.value(to), call.value(from));
                self.copy_block(kind, target, source, n, (call.actor(to), call.actor(from)))?;
                Ok(match result {
                    CopyResult::Start => Some(target),
                    CopyResult::End => Some(self.moved(target, n)),
                    CopyResult::Nothing => None,
                })
            }
            ModelKind::Fill { zero } => {
                let (byte, n) = if zero { (0, call.size(1)) } else { (call.int(1) as u8, call.size(2)) };
                self.fill_block(call.value(0), byte, n, call.actor(0))?;
                Ok((!zero).then(|| call.value(0)))
            }
            ModelKind::CompareBytes => {
                let n = call.size(2);
                if n == 0 {
                    return Ok(Some(self.int_result(0)));
                }
                let (a, at_a) = self.check(call.value(0), n, Access::Read, call.actor(0))?;
                let (b, at_b) = self.check(call.value(1), n, Access::Read, call.actor(1))?;
                for offset in 0..n {
                    self.hint = self.mem.byte(b, at_b + offset).value();
                    let x = self.byte_at(a, at_a + offset)?;
                    self.hint = Some(x);
                    let y = self.byte_at(b, at_b + offset)?;
                    self.hint = None;
                    if x != y {
                        self.learn_from_texts(call, n, false);
                        return Ok(Some(self.int_result(i64::from(x) - i64::from(y))));
                    }
                }
                self.learn_from_texts(call, n, false);
                Ok(Some(self.int_result(0)))
            }
            ModelKind::FindByte { from } => self.find_byte(call, from).map(Some),
            _ => unreachable!("no block function"),
        }
    }

    fn find_byte(&mut self, call: &Call<'_>, from: FindFrom) -> Res<Value> {
        let (pointer, wanted, n) = (call.value(0), call.int(1) as u8, call.size(2));
        if n == 0 {
            return Ok(Value::NULL);
        }
        if from == FindFrom::Back {
            let (id, at) = self.check(pointer, n, Access::Read, call.actor(0))?;
            for offset in (0..n).rev() {
                if self.byte_at(id, at + offset)? == wanted {
                    return Ok(self.moved(pointer, offset));
                }
            }
            return Ok(Value::NULL);
        }
        // It reads no further than the first occurrence.
        let (id, at) = self.check(pointer, 1, Access::Read, call.actor(0))?;
        let room = self.mem.get(id).size - at;
        for offset in 0..n.min(room) {
            if self.byte_at(id, at + offset)? == wanted {
                return Ok(self.moved(pointer, offset));
            }
        }
        if n > room {
            let pointer = Value { bits: pointer.bits, prov: Prov::Object(id) };
            return Err(self.access_fault(pointer, n, Access::Read, call.actor(0)).into());
        }
        Ok(Value::NULL)
    }
}
