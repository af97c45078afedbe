//! Answers of the environment that follow from what the program did before or gave: no run gets another one.

use super::back::is_get;
use crate::machine::Machine;
use crate::value::{Prov, Value};
use heapproof_ir::mask;
use heapproof_libc::{Model, STANDARD_STREAMS};

/// Bits of a mask for the rights of new files.
const RIGHTS: u128 = 0o777;
/// `WNOHANG`: `waitpid` does not wait.
const NO_WAIT: u128 = 1;

impl Machine<'_, '_> {
    /// The answer that is possible in the place of one that was chosen.
    pub(super) fn possible(&mut self, model: &Model, args: &[Value], chosen: u128) -> u128 {
        match model.name {
            name if is_get(name) && self.is_at_end(model, args) => mask(32),
            // The last mask is given back.
            "umask" => self.answers.insert(("umask", Vec::new()), args[0].bits & RIGHTS).unwrap_or(chosen),
            "fileno" => self.standard_descriptor(args[0]).unwrap_or(chosen),
            "waitpid" => awaited(args, chosen),
            _ => chosen,
        }
    }

    /// The descriptor of a standard stream that still is what it was at the start.
    fn standard_descriptor(&self, stream: Value) -> Option<u128> {
        let Prov::Object(id) = stream.prov else { return None };
        let name = self.standard_stream(id).filter(|_| self.program.function("freopen").is_none())?;
        STANDARD_STREAMS.iter().position(|(_, stream)| *stream == name).map(|at| at as u128)
    }
}

/// A process that is waited for by its number is the one that ends.
fn awaited(args: &[Value], chosen: u128) -> u128 {
    let process = args[0].bits & mask(32);
    let failed = chosen == mask(32);
    let not_yet = chosen == 0 && args[2].bits & NO_WAIT != 0;
    if (process as u32 as i32) <= 0 || failed || not_yet { chosen } else { process }
}
