//! Register promotion: a local whose address is not taken becomes a register.
//!
//! A local is promoted if it is used only as the pointer of loads and stores that all have one type, start at
//! the local's first byte and lie inside it, and each of them is certainly inside the local's scope (so an
//! access that would be a use after scope stays one). Loads and stores become copies. `ScopeStart` makes a new
//! object without a value and `ScopeEnd` takes the value away; both become `Forget`, after which a read
//! is a read of an uninitialised register: nothing is folded. A local without scope markers is a fresh
//! uninitialised object in each frame, as registers are, so it needs no `Forget`.
//!
//! The register gets the local's `variable`, and with it stays a root for reachability as long as the object
//! would have been. A local without a variable is a temporary of the compiler (the value of a statement
//! expression, the slot of a return value): as a register it keeps objects reachable only while it is
//! live, which is what the programmer sees. Locals that nothing accesses disappear.

use crate::cfg::Cfg;
use crate::inst::{InstKind, Operand};
use crate::program::{Body, LocalId, Reg, RegInfo};
use crate::scalar::{Target, Ty};
use cranelift_entity::{EntityRef, PrimaryMap};

/// What is known of the uses of a local.
#[derive(Clone, Copy, PartialEq)]
enum Uses {
    /// Scope markers at most.
    None,
    /// Loads and stores of this type at the start.
    Accesses(Ty),
    /// Something else.
    Other,
}

/// What becomes of a local.
#[derive(Clone, Copy)]
enum Fate {
    Stays(LocalId),
    Becomes(Reg),
    Disappears,
}

/// Runs the pass on one body.
pub fn run(target: Target, body: &mut Body) {
    let mut uses = collect_uses(target, body);
    if uses.iter().all(|uses| *uses == Uses::Other) {
        return;
    }
    exclude_accesses_outside_scope(body, &mut uses);

    let mut locals = PrimaryMap::new();
    let mut fates = Vec::with_capacity(uses.len());
    for ((_, local), uses) in std::mem::take(&mut body.locals).into_iter().zip(uses) {
        fates.push(match uses {
            Uses::Other => Fate::Stays(locals.push(local)),
            Uses::None => Fate::Disappears,
            Uses::Accesses(ty) => Fate::Becomes(body.regs.push(RegInfo { ty, variable: local.variable })),
        });
    }
    body.locals = locals;
    rewrite(body, &fates);
}

fn collect_uses(target: Target, body: &Body) -> Vec<Uses> {
    let mut all = vec![Uses::None; body.locals.len()];
    fn escape(all: &mut [Uses], operand: &Operand) {
        if let Operand::Local(local) = operand {
            all[local.index()] = Uses::Other;
        }
    }
    let access = |all: &mut [Uses], local: LocalId, ty: Ty| {
        let uses = &mut all[local.index()];
        *uses = match *uses {
            Uses::None if ty.bytes(target) <= body.locals[local].size => Uses::Accesses(ty),
            Uses::Accesses(other) if other == ty => Uses::Accesses(ty),
            _ => Uses::Other,
        };
    };
    for block in body.blocks.values() {
        for inst in &block.insts {
            match &inst.kind {
                InstKind::Load { ty, ptr: Operand::Local(local), .. } => access(&mut all, *local, *ty),
                InstKind::Store { ty, ptr: Operand::Local(local), value } => {
                    access(&mut all, *local, *ty);
                    escape(&mut all, value);
                }
                // A later write must stay an error.
                InstKind::Seal { local } => all[local.index()] = Uses::Other,
                kind => kind.for_each_use(|operand| escape(&mut all, operand)),
            }
        }
        block.term.for_each_use(|operand| escape(&mut all, operand));
    }
    all
}

/// Keeps locals in memory that some access may reach outside their scope. A bit says that a local is
/// certainly in scope; blocks that are not reachable start with all bits set.
fn exclude_accesses_outside_scope(body: &Body, uses: &mut [Uses]) {
    let mut columns = vec![None; uses.len()];
    let mut count = 0usize;
    for (id, local) in body.locals.iter() {
        if local.scoped && matches!(uses[id.index()], Uses::Accesses(_)) {
            columns[id.index()] = Some(count);
            count += 1;
        }
    }
    if count == 0 {
        return;
    }
    let words = count.div_ceil(64);
    let column =
        |local: LocalId| columns[local.index()].map(|column: usize| (column / 64, 1u64 << (column % 64)));
    let step = |kind: &InstKind, state: &mut [u64]| match kind {
        InstKind::ScopeStart { local } => {
            if let Some((word, bit)) = column(*local) {
                state[word] |= bit;
            }
        }
        InstKind::ScopeEnd { local } => {
            if let Some((word, bit)) = column(*local) {
                state[word] &= !bit;
            }
        }
        _ => {}
    };

    let cfg = Cfg::new(body);
    let mut at_end = vec![u64::MAX; body.blocks.len() * words];
    let mut state = vec![0; words];
    let enter = |block, at_end: &[u64], state: &mut [u64]| {
        state.fill(if block == Body::ENTRY { 0 } else { u64::MAX });
        for predecessor in cfg.predecessors(block) {
            let row = &at_end[predecessor.index() * words..][..words];
            state.iter_mut().zip(row).for_each(|(state, row)| *state &= row);
        }
    };
    let mut changed = true;
    while changed {
        changed = false;
        for &block in cfg.reverse_postorder() {
            enter(block, &at_end, &mut state);
            for inst in &body.blocks[block].insts {
                step(&inst.kind, &mut state);
            }
            let row = &mut at_end[block.index() * words..][..words];
            if *row != *state {
                row.copy_from_slice(&state);
                changed = true;
            }
        }
    }
    for &block in cfg.reverse_postorder() {
        enter(block, &at_end, &mut state);
        for inst in &body.blocks[block].insts {
            if let InstKind::Load { ptr: Operand::Local(local), .. }
            | InstKind::Store { ptr: Operand::Local(local), .. } = &inst.kind
                && let Some((word, bit)) = column(*local)
                && state[word] & bit == 0
            {
                uses[local.index()] = Uses::Other;
            }
            step(&inst.kind, &mut state);
        }
    }
}

fn rewrite(body: &mut Body, fates: &[Fate]) {
    let fate = |local: LocalId| fates[local.index()];
    let renumber = |operand: &mut Operand| {
        if let Operand::Local(local) = operand
            && let Fate::Stays(new) = fate(*local)
        {
            *local = new;
        }
    };
    for block in body.blocks.values_mut() {
        block.insts.retain_mut(|inst| {
            match &mut inst.kind {
                InstKind::Load { dst, ptr: Operand::Local(local), .. } => {
                    if let Fate::Becomes(reg) = fate(*local) {
                        inst.kind = InstKind::Copy { dst: *dst, src: Operand::Reg(reg) };
                    }
                }
                InstKind::Store { ptr: Operand::Local(local), value, .. } => {
                    if let Fate::Becomes(reg) = fate(*local) {
                        inst.kind = InstKind::Copy { dst: reg, src: *value };
                    }
                }
                InstKind::ScopeStart { local } | InstKind::ScopeEnd { local } => match fate(*local) {
                    Fate::Stays(new) => *local = new,
                    Fate::Becomes(reg) => inst.kind = InstKind::Forget { dst: reg },
                    Fate::Disappears => return false,
                },
                InstKind::Seal { local } => {
                    if let Fate::Stays(new) = fate(*local) {
                        *local = new;
                    }
                }
                _ => {}
            }
            inst.kind.for_each_use_mut(renumber);
            true
        });
        block.term.for_each_use_mut(renumber);
    }
}
