//! The end of the program, assertions and assumptions.

use super::Call;
use crate::api::Stop;
use crate::fault::Fault;
use crate::machine::{Halt, Machine, Res};
use crate::memory::ObjectKind;
use crate::value::Prov;
use heapproof_ir::{Reg, sign_extend};
use heapproof_libc::{INDEX_OUT_OF_BOUNDS, ModelKind};
use heapproof_verdict::{ErrorClass, Property};

/// The status of a program that `abort` ended.
const ABORTED: i32 = 134;

impl<'p> Machine<'p, '_> {
    pub(super) fn process_function(&mut self, call: &Call<'_>, results: &'p [Reg]) -> Res<bool> {
        match call.model.kind {
            ModelKind::Exit { handlers } => {
                self.exit_site = Some(self.site());
                let code = call.int(0) & 0xff;
                if handlers {
                    self.finish(code)?;
                    return Ok(true);
                }
                Err(Box::new(Halt::Exit { code, aborted: false }))
            }
            ModelKind::Abort => Err(Box::new(Halt::Exit { code: ABORTED, aborted: true })),
            ModelKind::AtExit => {
                let pointer = call.value(0);
                let func = match pointer.prov {
                    Prov::Object(id) => match self.mem.get(id).kind {
                        ObjectKind::Function(func) if self.program.functions[func].body.is_some() => {
                            Some(func)
                        }
                        _ => None,
                    },
                    _ => None,
                };
                let Some(func) = func else {
                    return Err(Stop::Other("`atexit` is given no function of the program".to_owned()).into());
                };
                self.handlers.push(func);
                let zero = self.int_result(0);
                self.give(call.model, results, Some(zero));
                Ok(false)
            }
            ModelKind::AssertFail { .. } if call.name() == INDEX_OUT_OF_BOUNDS => {
                Err(self.index_out_of_bounds(call)?.into())
            }
            ModelKind::AssertFail { text } => {
                let condition = text
                    .and_then(|index| self.string_at_most(call.value(index), 200, call.actor(index)).ok())
                    .map(|text| String::from_utf8_lossy(&text).into_owned());
                let message = match condition {
                    Some(text) => format!("the assertion `{text}` fails"),
                    None => "an assertion fails".to_owned(),
                };
                Err(Fault::new(ErrorClass::AssertionFailure, message, None).into())
            }
            ModelKind::ReachError => {
                let message = format!("`{}` is called", call.name());
                let mut fault = Fault::new(ErrorClass::AssertionFailure, message, None);
                fault.property = Property::UnreachCall;
                Err(fault.into())
            }
            ModelKind::Assume if call.value(0).bits == 0 => Err(Stop::Infeasible.into()),
            ModelKind::Assert if call.value(0).bits == 0 => {
                let message = "the assertion of `__VERIFIER_assert` fails".to_owned();
                Err(Fault::new(ErrorClass::AssertionFailure, message, None).into())
            }
            _ => Ok(false),
        }
    }

    /// An index that leaves an array inside of an object.
    fn index_out_of_bounds(&mut self, call: &Call<'_>) -> Res<Fault> {
        let array = self.string_at_most(call.value(0), 200, call.actor(0))?;
        let index = sign_extend(call.value(1).bits, self.word_bits);
        let (class, verb) = match call.int(2) {
            0 => (ErrorClass::OutOfBoundsRead, "read"),
            _ => (ErrorClass::OutOfBoundsWrite, "write"),
        };
        let message = format!("{verb} with index {index} of {}", String::from_utf8_lossy(&array));
        let mut fault = Fault::new(class, message, None);
        fault.property = Property::Bounds;
        Ok(fault)
    }
}
