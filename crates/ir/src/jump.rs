//! What `setjmp` asks of a function that calls it: which of its variables keep their values over the jump back.

use crate::ctype::{CType, Qualifier, TypeId, Types};
use crate::inst::{InstKind, Operand};
use crate::program::{BlockId, Body, Local, LocalId};
use std::collections::BTreeSet;

/// True if C protects what a local holds over a jump, also where it changed.
pub fn is_volatile(types: &Types, local: &Local) -> bool {
    let ctype = local.variable.as_ref().and_then(|variable| variable.ctype);
    ctype.is_some_and(|ctype| has_volatile_type(types, ctype))
}

/// True if a variable of this type is volatile.
fn has_volatile_type(types: &Types, id: TypeId) -> bool {
    match &types[id] {
        CType::Qualified { qualifier: Qualifier::Volatile, .. } => true,
        CType::Qualified { of, .. } | CType::Typedef { of, .. } => has_volatile_type(types, *of),
        CType::Array { element, .. } => has_volatile_type(types, *element),
        _ => false,
    }
}

/// True if what a local holds may be read after an instruction before the local gets a new value.
pub fn is_read_after(body: &Body, start: (BlockId, usize), local: LocalId) -> bool {
    let is_local = |operand: &Operand| *operand == Operand::Local(local);
    let escapes = |kind: &InstKind| {
        let mut others = 0;
        kind.for_each_use(|operand| others += usize::from(is_local(operand)));
        match kind {
            InstKind::Load { ptr, .. } | InstKind::Store { ptr, .. } => others -= usize::from(is_local(ptr)),
            _ => {}
        }
        others > 0
    };
    if body.blocks.values().flat_map(|block| &block.insts).any(|inst| escapes(&inst.kind)) {
        return true;
    }
    let mut seen = BTreeSet::new();
    let mut left = vec![(start.0, start.1 + 1)];
    while let Some((block, from)) = left.pop() {
        let mut ends = false;
        for inst in &body.blocks[block].insts[from..] {
            match &inst.kind {
                InstKind::Load { ptr, .. } if is_local(ptr) => return true,
                InstKind::Store { ptr, .. } if is_local(ptr) => ends = true,
                InstKind::ScopeStart { local: other } | InstKind::ScopeEnd { local: other }
                    if *other == local =>
                {
                    ends = true;
                }
                _ => {}
            }
            if ends {
                break;
            }
        }
        if !ends {
            let next = body.blocks[block].term.successors();
            left.extend(next.into_iter().filter(|to| seen.insert(*to)).map(|to| (to, 0)));
        }
    }
    false
}
