//! Removes temporaries that nothing mentions and numbers the registers anew. Registers of variables stay.

use crate::inst::Operand;
use crate::program::{Body, Reg};
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};

/// Runs the pass on one body.
pub fn run(body: &mut Body) {
    let mut used: Vec<bool> = body.regs.values().map(|info| info.variable.is_some()).collect();
    for reg in &body.params {
        used[reg.index()] = true;
    }
    for block in body.blocks.values() {
        let mut mark = |operand: &Operand| {
            if let Operand::Reg(reg) = operand {
                used[reg.index()] = true;
            }
        };
        block.term.for_each_use(&mut mark);
        for inst in &block.insts {
            inst.kind.for_each_use(&mut mark);
        }
        for inst in &block.insts {
            for def in inst.kind.defs() {
                used[def.index()] = true;
            }
        }
    }
    if used.iter().all(|used| *used) {
        return;
    }
    let mut regs = PrimaryMap::new();
    let mut renamed: SecondaryMap<Reg, Reg> = SecondaryMap::with_default(Reg::new(0));
    for (old, info) in std::mem::take(&mut body.regs).into_iter() {
        if used[old.index()] {
            renamed[old] = regs.push(info);
        }
    }
    body.regs = regs;
    for reg in &mut body.params {
        *reg = renamed[*reg];
    }
    for block in body.blocks.values_mut() {
        let rename = |operand: &mut Operand| {
            if let Operand::Reg(reg) = operand {
                *reg = renamed[*reg];
            }
        };
        for inst in &mut block.insts {
            inst.kind.for_each_use_mut(rename);
            inst.kind.for_each_def_mut(|reg| *reg = renamed[*reg]);
        }
        block.term.for_each_use_mut(rename);
    }
}
