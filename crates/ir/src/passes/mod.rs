//! Passes that make a program smaller without changing what it does, one file for each.
//!
//! No pass assumes that the program has no undefined behaviour: a read of an uninitialised variable stays a
//! read of it, an access stays an access, and what a *variable* holds (it keeps heap objects reachable) is
//! never held longer or shorter than the source says. Inputs are counted on the program after the passes: a
//! pass may delay or drop the read of an uninitialised register whose value is used later or never, so a vector of
//! inputs belongs to the program that it was made for.

mod compact;
mod forward;
mod promote;
#[cfg(test)]
mod tests;
mod unreachable;

use crate::program::{Body, Program};
use crate::scalar::Target;

/// One pass over the body of a function.
pub struct Pass {
    /// Its name, as its file.
    pub name: &'static str,
    /// Does it.
    pub run: fn(Target, &mut Body),
}

/// The passes in the order in which [`run`] applies them.
pub const PASSES: &[Pass] = &[
    // Dead code first: what it does to a local must not keep the local in memory.
    Pass { name: "unreachable", run: |_, body| unreachable::run(body) },
    // Scalars whose address is not taken become registers; their loads and stores become copies.
    Pass { name: "promote", run: promote::run },
    // The copies that promotion left are read through, and the temporaries between them disappear.
    Pass { name: "forward", run: |_, body| forward::run(body) },
    // Removed copies leave blocks that only jump.
    Pass { name: "unreachable", run: |_, body| unreachable::run(body) },
    // The registers that nothing mentions any more go last.
    Pass { name: "compact", run: |_, body| compact::run(body) },
];

/// Applies all passes to all functions. The program must have passed the checker, and does so afterwards.
pub fn run(program: &mut Program) {
    for function in program.functions.values_mut() {
        if let Some(body) = &mut function.body {
            for pass in PASSES {
                (pass.run)(program.target, body);
            }
        }
    }
}

pub use compact::run as compact;
pub use forward::run as forward;
pub use promote::run as promote;
pub use unreachable::run as remove_unreachable;
