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

use crate::inst::{Callee, InstKind};
use crate::program::{Body, FuncId, Function, Program};
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

/// Library functions that may return more than once. Where a function calls one of them its variables stay in memory: what
/// they hold when it returns again is what was stored last.
pub const RETURNS_TWICE: &[&str] = &["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "__builtin_setjmp"];

/// True if a body calls one of these functions.
fn calls(body: &Body, functions: &[FuncId]) -> bool {
    let mut insts = body.blocks.values().flat_map(|block| &block.insts);
    insts.any(|inst| {
        matches!(&inst.kind, InstKind::Call { callee: Callee::Direct(func), .. } if functions.contains(func))
    })
}

/// Applies all passes to all functions. The program must have passed the checker, and does so afterwards.
pub fn run(program: &mut Program) {
    let is_twice = |f: &Function| f.body.is_none() && RETURNS_TWICE.contains(&f.name.as_str());
    let twice: Vec<FuncId> =
        program.functions.iter().filter(|(_, f)| is_twice(f)).map(|(id, _)| id).collect();
    for function in program.functions.values_mut() {
        if let Some(body) = &mut function.body {
            let returns_twice = !twice.is_empty() && calls(body, &twice);
            for pass in PASSES.iter().filter(|pass| !returns_twice || pass.name != "promote") {
                (pass.run)(program.target, body);
            }
        }
    }
}

pub use compact::run as compact;
pub use forward::run as forward;
pub use promote::run as promote;
pub use unreachable::run as remove_unreachable;
