//! Answers of the environment that follow from what the program did before or gave: no run gets another one.

use super::back::is_get;
use crate::machine::Machine;
use crate::value::{Prov, Value};
use heapproof_ir::{mask, sign_extend};
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
            "fileno" => match self.standard_descriptor(args[0]) {
                Some(number) => {
                    self.descriptors.insert(number);
                    number
                }
                None => self.free_descriptor(chosen),
            },
            "open" | "open64" | "creat" | "dup" | "mkstemp" | "dirfd" => self.free_descriptor(chosen),
            // From the start on: there, or nowhere.
            "lseek" if args[2].bits & mask(32) == 0 => {
                let word = mask(self.word_bits);
                if sign_extend(args[1].bits & word, self.word_bits) < 0 || chosen == word {
                    word
                } else {
                    args[1].bits
                }
            }
            "clock" => self.later(chosen),
            "wait" if chosen == 0 => mask(32),
            "waitpid" => awaited(args, chosen),
            _ => chosen,
        }
    }

    /// A descriptor that is not in use, as far as is known: none if the call failed.
    fn free_descriptor(&mut self, chosen: u128) -> u128 {
        if chosen == mask(32) {
            return chosen;
        }
        let mut number = chosen;
        while self.descriptors.contains(&number) {
            number += 1;
        }
        self.descriptors.insert(number);
        number
    }

    /// The processor time is never less than it was.
    fn later(&mut self, chosen: u128) -> u128 {
        let word = self.word_bits;
        if word < 64 {
            return chosen;
        }
        let before = self.answers.get(&("clock", Vec::new())).copied().unwrap_or(0);
        let now = if sign_extend(chosen, word) < before as i128 { before } else { chosen };
        self.answers.insert(("clock", Vec::new()), now);
        now
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
    if failed || not_yet {
        chosen
    } else if (process as u32 as i32) > 0 {
        process
    } else if chosen == 0 {
        // There is always a number.
        mask(32)
    } else {
        chosen
    }
}
