//! `ctype.h`.

use super::Call;
use crate::api::Source;
use crate::machine::{Machine, Res};
use crate::memory::Life;
use crate::value::{Prov, Value};
use heapproof_libc::ModelKind;

impl Machine<'_, '_> {
    /// By provenance: a pointer that belongs to no object is to nothing that lives.
    pub(super) fn is_live(&self, call: &Call<'_>) -> Value {
        let live = match call.value(0).prov {
            Prov::Object(object) => self.mem.get(object).life == Life::Live,
            _ => false,
        };
        Value::plain(u128::from(live))
    }

    pub(super) fn char_function(&mut self, call: &Call<'_>) -> Res<Value> {
        match call.model.kind {
            ModelKind::IsChar(class) => {
                let holds = u8::try_from(call.int(0)).is_ok_and(|c| class.holds(c));
                Ok(self.int_result(i64::from(holds)))
            }
            // A negative `char`: glibc's tables give the character that is meant, others the number as it is.
            ModelKind::ToLower | ModelKind::ToUpper if call.int(0) < -1 => {
                let meant = self.choose(Source::Environment, 1, false, None, call.name()) == 1;
                let c = if meant { call.int(0) & 255 } else { call.int(0) };
                Ok(self.int_result(i64::from(c)))
            }
            ModelKind::ToLower => Ok(self.int_result(i64::from(lower(call.int(0))))),
            ModelKind::ToUpper => Ok(self.int_result(i64::from(upper(call.int(0))))),
            _ => unreachable!("no function on characters"),
        }
    }
}

fn lower(c: i32) -> i32 {
    u8::try_from(c).map_or(c, |c| i32::from(c.to_ascii_lowercase()))
}

fn upper(c: i32) -> i32 {
    u8::try_from(c).map_or(c, |c| i32::from(c.to_ascii_uppercase()))
}
