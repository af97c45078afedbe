//! Copy forwarding: reads through copies into temporaries and removes what is then dead, block by block.
//!
//! What is done, with a temporary being a register without a variable:
//! - After `t = copy s`, where `t` is a temporary, a later read of `t` in the same block becomes a read of `s`, as
//!   long as neither was assigned or forgotten in between. `s` may be a variable: it holds the value just as
//!   long as it did before. The address of a local is not carried over its scope markers, and `undef`
//!   is never carried, since each read of it is a new input.
//! - Instructions that only compute (no access, no division, nothing that may fail or choose an input by
//!   itself) into a temporary that is dead afterwards are removed.
//! - `t = …; v = copy t` next to each other, on one line of the source, with `t` dead afterwards becomes `v = …`.
//!
//! Uninitialised registers: the value of one is a single input until the next assignment, so reading it
//! twice in place of reading a copy of it gives the same value. The input may be chosen later than before
//! (at the use, not at the copy), or not at all if nothing uses it; see [`crate::passes`] on vectors of inputs.

use crate::cfg::Cfg;
use crate::inst::{BinOp, CastOp, Inst, InstKind, Operand};
use crate::liveness::{Liveness, RegSet};
use crate::program::{Block, Body, LocalId, Reg, RegInfo, Span};
use crate::scalar::Ty;
use cranelift_entity::{EntityRef, PrimaryMap};

/// Runs the pass on one body.
pub fn run(body: &mut Body) {
    let mut copies = Copies::new(body);
    for block in body.blocks.values_mut() {
        copies.forward(block, &body.regs);
    }
    // The second round catches what the removals of the first made dead in other blocks.
    for _ in 0..2 {
        let liveness = Liveness::new(body, &Cfg::new(body));
        let mut removed = false;
        let mut live = RegSet::with_capacity(body.regs.len());
        for (id, block) in body.blocks.iter_mut() {
            live.clear();
            live.extend(liveness.live_out(id));
            removed |= remove_dead(block, &body.regs, &mut live);
            live.clear();
            live.extend(liveness.live_out(id));
            fuse(block, &body.regs, &mut live);
        }
        if !removed {
            break;
        }
    }
}

/// The copies known at a point of a block. An assignment changes the stamp of its register; a copy is valid
/// while both stamps are those that it was recorded with, so nothing is searched when one ends.
struct Copies {
    clock: u64,
    reg_stamps: Vec<u64>,
    local_stamps: Vec<u64>,
    /// For a destination: the source, the stamp of the source and of the destination.
    known: Vec<Option<(Operand, u64, u64)>>,
}

impl Copies {
    fn new(body: &Body) -> Copies {
        Copies {
            clock: 0,
            reg_stamps: vec![0; body.regs.len()],
            local_stamps: vec![0; body.locals.len()],
            known: vec![None; body.regs.len()],
        }
    }

    fn forward(&mut self, block: &mut Block, regs: &PrimaryMap<Reg, RegInfo>) {
        // Copies of earlier blocks say nothing here.
        self.clock += 1;
        let start = self.clock;
        for inst in &mut block.insts {
            inst.kind.for_each_use_mut(|operand| self.replace(operand, start));
            for def in inst.kind.defs() {
                self.clock += 1;
                self.reg_stamps[def.index()] = self.clock;
            }
            match inst.kind {
                InstKind::ScopeStart { local } | InstKind::ScopeEnd { local } => {
                    self.clock += 1;
                    self.local_stamps[local.index()] = self.clock;
                }
                InstKind::Copy { dst, src } if regs[dst].variable.is_none() && src != Operand::Reg(dst) => {
                    if let Some(stamp) = self.source_stamp(&src) {
                        self.known[dst.index()] = Some((src, stamp, self.reg_stamps[dst.index()]));
                    }
                }
                _ => {}
            }
        }
        block.term.for_each_use_mut(|operand| self.replace(operand, start));
    }

    fn replace(&self, operand: &mut Operand, start: u64) {
        if let Operand::Reg(reg) = operand
            && let Some((source, source_stamp, stamp)) = self.known[reg.index()]
            && stamp > start
            && stamp == self.reg_stamps[reg.index()]
            && self.source_stamp(&source) == Some(source_stamp)
        {
            *operand = source;
        }
    }

    /// None if reads of the operand must not be multiplied.
    fn source_stamp(&self, source: &Operand) -> Option<u64> {
        match source {
            Operand::Reg(reg) => Some(self.reg_stamps[reg.index()]),
            Operand::Local(local) => Some(self.local_stamps[LocalId::index(*local)]),
            Operand::Undef(_) => None,
            Operand::Int { .. }
            | Operand::Float { .. }
            | Operand::Null
            | Operand::Global(_)
            | Operand::Func(_) => Some(0),
        }
    }
}

/// Walks back from the live registers at the end. True if something was removed.
fn remove_dead(block: &mut Block, regs: &PrimaryMap<Reg, RegInfo>, live: &mut RegSet) -> bool {
    fn add(live: &mut RegSet, operand: &Operand) {
        if let Operand::Reg(reg) = operand {
            live.insert(*reg);
        }
    }
    block.term.for_each_use(|operand| add(live, operand));
    let mut dead = Vec::new();
    for (index, inst) in block.insts.iter().enumerate().rev() {
        let unused = |reg: &Reg| regs[*reg].variable.is_none() && !live.contains(*reg);
        if only_computes(&inst.kind) && inst.kind.defs().iter().all(unused) {
            dead.push(index);
            continue;
        }
        for def in inst.kind.defs() {
            live.remove(*def);
        }
        inst.kind.for_each_use(|operand| add(live, operand));
    }
    let removed = !dead.is_empty();
    let mut index = 0;
    block.insts.retain(|_| {
        let gone = dead.last() == Some(&index);
        if gone {
            dead.pop();
        }
        index += 1;
        !gone
    });
    removed
}

/// True if leaving the instruction out changes nothing but its result.
fn only_computes(kind: &InstKind) -> bool {
    match kind {
        InstKind::Copy { .. }
        | InstKind::Forget { .. }
        | InstKind::IntUn { .. }
        | InstKind::FloatBin { .. }
        | InstKind::FloatUn { .. }
        | InstKind::FloatCmp { .. }
        | InstKind::Select { .. }
        | InstKind::PtrAdd { .. } => true,
        InstKind::Bin { op, width, b, .. } => match op {
            BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem => false,
            // Shifting too far gives an unspecified value, which is an input.
            BinOp::Shl | BinOp::LShr | BinOp::AShr => {
                matches!(b, Operand::Int { bits, .. } if *bits < u128::from(*width))
            }
            BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::And | BinOp::Or | BinOp::Xor => true,
        },
        // Whether a freed pointer equals a later one is a choice.
        InstKind::Cmp { ty, .. } => !matches!(ty, Ty::Ptr),
        // Out of range conversions give unspecified values.
        InstKind::Cast { op, .. } => !matches!(op, CastOp::FloatToUInt | CastOp::FloatToSInt),
        InstKind::Load { .. }
        | InstKind::Store { .. }
        | InstKind::CopyBlock { .. }
        | InstKind::FillBlock { .. }
        | InstKind::Alloca { .. }
        | InstKind::StackSave { .. }
        | InstKind::StackRestore { .. }
        | InstKind::ScopeStart { .. }
        | InstKind::ScopeEnd { .. }
        | InstKind::Seal { .. }
        | InstKind::Call { .. }
        | InstKind::VaStart { .. }
        | InstKind::VaCopy { .. }
        | InstKind::VaEnd { .. }
        | InstKind::Unsupported { .. } => false,
    }
}

/// Lets an instruction assign its result to where the next one would only copy it.
fn fuse(block: &mut Block, regs: &PrimaryMap<Reg, RegInfo>, live: &mut RegSet) {
    fn add(live: &mut RegSet, operand: &Operand) {
        if let Operand::Reg(reg) = operand {
            live.insert(*reg);
        }
    }
    block.term.for_each_use(|operand| add(live, operand));
    let mut gone = vec![false; block.insts.len()];
    for index in (0..block.insts.len()).rev() {
        if let InstKind::Copy { dst, src: Operand::Reg(src) } = block.insts[index].kind
            && dst != src
            && regs[src].variable.is_none()
            && !live.contains(src)
            && let Some(before) = index.checked_sub(1)
        {
            let span = block.insts[index].span;
            if retarget(&mut block.insts[before], src, dst, span) {
                gone[index] = true;
                continue;
            }
        }
        let inst = &block.insts[index];
        for def in inst.kind.defs() {
            live.remove(*def);
        }
        inst.kind.for_each_use(|operand| add(live, operand));
    }
    let mut gone = gone.into_iter();
    block.insts.retain(|_| !gone.next().unwrap_or(false));
}

/// Makes an instruction that assigns `from` assign `to` instead, if it may.
fn retarget(inst: &mut Inst, from: Reg, to: Reg, copied_at: Span) -> bool {
    let same_line =
        !copied_at.is_known() || (inst.span.file, inst.span.line) == (copied_at.file, copied_at.line);
    // A forgotten register has an input of its own, and `unsupported` has no result.
    if !same_line || matches!(inst.kind, InstKind::Forget { .. } | InstKind::Unsupported { .. }) {
        return false;
    }
    let defs = inst.kind.defs();
    if defs.iter().filter(|def| **def == from).count() != 1 || defs.contains(&to) {
        return false;
    }
    inst.kind.for_each_def_mut(|def| {
        if *def == from {
            *def = to;
        }
    });
    true
}
