//! Objects whose scope the compiler did not mark: their address must not be kept.

use crate::inst::{InstKind, Operand};
use crate::program::{Body, LocalId, Reg, Span};
use std::collections::BTreeSet;

/// Where the address of an object without scope markers is used for anything but an access, if it is.
pub fn escape(body: &Body) -> Option<Span> {
    let unmarked: BTreeSet<LocalId> =
        body.locals.iter().filter(|(_, l)| l.unmarked).map(|(id, _)| id).collect();
    if unmarked.is_empty() {
        return None;
    }
    let insts = || body.blocks.values().flat_map(|block| &block.insts);
    // Registers that hold such an address; there are few, so a few rounds find them all.
    let mut holders: BTreeSet<Reg> = BTreeSet::new();
    let held = |operand: &Operand, holders: &BTreeSet<Reg>| match operand {
        Operand::Local(local) => unmarked.contains(local),
        Operand::Reg(reg) => holders.contains(reg),
        _ => false,
    };
    loop {
        let before = holders.len();
        for inst in insts() {
            if let InstKind::PtrAdd { dst, base, .. } = &inst.kind
                && held(base, &holders)
            {
                holders.insert(*dst);
            }
        }
        if holders.len() == before {
            break;
        }
    }
    for inst in insts() {
        let mut uses = 0;
        inst.kind.for_each_use(|operand| uses += usize::from(held(operand, &holders)));
        let accesses = match &inst.kind {
            InstKind::Load { ptr, .. } | InstKind::Store { ptr, .. } => usize::from(held(ptr, &holders)),
            InstKind::CopyBlock { to, from, .. } => {
                usize::from(held(to, &holders)) + usize::from(held(from, &holders))
            }
            InstKind::FillBlock { to, .. } => usize::from(held(to, &holders)),
            InstKind::PtrAdd { base, dst, .. } if body.regs[*dst].variable.is_none() => {
                usize::from(held(base, &holders))
            }
            _ => 0,
        };
        if uses > accesses {
            return Some(inst.span);
        }
    }
    for block in body.blocks.values() {
        let mut escapes = false;
        block.term.for_each_use(|operand| escapes |= held(operand, &holders));
        if escapes {
            return Some(block.term_span);
        }
    }
    None
}
