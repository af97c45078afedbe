//! Live registers: which may be read before they are assigned or forgotten again.
//!
//! Bits are kept only for registers that are live across the boundary of some block; the temporaries inside
//! blocks, which are most, cost nothing. Liveness is about reading only: a register with a `variable` is a root
//! for reachability also when it is dead (see [`crate::RegInfo`]).

use crate::cfg::Cfg;
use crate::inst::Operand;
use crate::program::{BlockId, Body, Reg};
use cranelift_entity::{EntityRef, EntitySet};

/// A set of registers.
pub type RegSet = EntitySet<Reg>;

/// The live registers at the boundaries of the blocks of one body.
#[derive(Clone, Debug)]
pub struct Liveness {
    /// The registers that have a column in the bit matrices.
    columns: Vec<Reg>,
    column_of: Vec<Option<u32>>,
    words: usize,
    live_in: Vec<u64>,
    live_out: Vec<u64>,
}

impl Liveness {
    /// Computes liveness by iteration in postorder.
    pub fn new(body: &Body, cfg: &Cfg) -> Liveness {
        let (columns, column_of) = exposed_registers(body);
        let words = columns.len().div_ceil(64);
        let rows = body.blocks.len() * words;
        let mut this =
            Liveness { columns, column_of, words, live_in: vec![0; rows], live_out: vec![0; rows] };
        if words > 0 {
            this.solve(body, cfg);
        }
        this
    }

    fn solve(&mut self, body: &Body, cfg: &Cfg) {
        let words = self.words;
        let mut assigned = vec![0; self.live_in.len()];
        // Until the loop below, `live_in` holds what a block reads before assigning it.
        for (id, block) in body.blocks.iter() {
            let row = id.index() * words;
            let read = |operand: &Operand, live_in: &mut Vec<u64>, assigned: &Vec<u64>| {
                let Operand::Reg(reg) = operand else { return };
                if let Some((word, bit)) = self.column_of[reg.index()].map(split)
                    && assigned[row + word] & bit == 0
                {
                    live_in[row + word] |= bit;
                }
            };
            for inst in &block.insts {
                inst.kind.for_each_use(|operand| read(operand, &mut self.live_in, &assigned));
                for def in inst.kind.defs() {
                    if let Some((word, bit)) = self.column_of[def.index()].map(split) {
                        assigned[row + word] |= bit;
                    }
                }
            }
            block.term.for_each_use(|operand| read(operand, &mut self.live_in, &assigned));
        }
        let unreachable = body.blocks.keys().filter(|block| !cfg.is_reachable(*block));
        let order: Vec<BlockId> = cfg.reverse_postorder().iter().rev().copied().chain(unreachable).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for block in &order {
                let row = block.index() * words;
                for word in 0..words {
                    let mut out = 0;
                    for successor in cfg.successors(*block) {
                        out |= self.live_in[successor.index() * words + word];
                    }
                    self.live_out[row + word] = out;
                    let new = self.live_in[row + word] | (out & !assigned[row + word]);
                    changed |= new != self.live_in[row + word];
                    self.live_in[row + word] = new;
                }
            }
        }
    }

    /// The registers that are live when a block starts, in no particular but a fixed order.
    pub fn live_in(&self, block: BlockId) -> impl Iterator<Item = Reg> {
        self.row(&self.live_in, block)
    }

    /// The registers that are live when a block ends, in no particular but a fixed order.
    pub fn live_out(&self, block: BlockId) -> impl Iterator<Item = Reg> {
        self.row(&self.live_out, block)
    }

    /// True if the register is live when the block starts.
    pub fn is_live_in(&self, block: BlockId, reg: Reg) -> bool {
        self.bit(&self.live_in, block, reg)
    }

    /// True if the register is live when the block ends.
    pub fn is_live_out(&self, block: BlockId, reg: Reg) -> bool {
        self.bit(&self.live_out, block, reg)
    }

    /// The registers that are live after an instruction; the index behind the last one stands for the
    /// terminator. This walks back from the end of the block: use [`Self::walk_back`] for all instructions.
    pub fn live_after(&self, body: &Body, block: BlockId, inst: usize) -> RegSet {
        let mut live = RegSet::new();
        live.extend(self.live_out(block));
        let content = &body.blocks[block];
        if inst < content.insts.len() {
            content.term.for_each_use(|operand| add_use(&mut live, operand));
        }
        for inst in content.insts.iter().skip(inst + 1).rev() {
            for def in inst.kind.defs() {
                live.remove(*def);
            }
            inst.kind.for_each_use(|operand| add_use(&mut live, operand));
        }
        live
    }

    /// Calls `f` for the terminator (with the index behind the last instruction) and then for each
    /// instruction from the last to the first, with the registers that are live after it.
    pub fn walk_back(&self, body: &Body, block: BlockId, mut f: impl FnMut(usize, &RegSet)) {
        let mut live = RegSet::new();
        live.extend(self.live_out(block));
        let content = &body.blocks[block];
        f(content.insts.len(), &live);
        content.term.for_each_use(|operand| add_use(&mut live, operand));
        for (index, inst) in content.insts.iter().enumerate().rev() {
            f(index, &live);
            for def in inst.kind.defs() {
                live.remove(*def);
            }
            inst.kind.for_each_use(|operand| add_use(&mut live, operand));
        }
    }

    fn row<'a>(&'a self, matrix: &'a [u64], block: BlockId) -> impl Iterator<Item = Reg> + 'a {
        let row = &matrix[block.index() * self.words..][..self.words];
        row.iter().enumerate().flat_map(move |(word, &bits)| {
            let ones = std::iter::successors(Some(bits), |bits| Some(bits & bits.wrapping_sub(1)));
            ones.take_while(|bits| *bits != 0)
                .map(move |bits| self.columns[word * 64 + bits.trailing_zeros() as usize])
        })
    }

    fn bit(&self, matrix: &[u64], block: BlockId, reg: Reg) -> bool {
        self.column_of[reg.index()]
            .map(split)
            .is_some_and(|(word, bit)| matrix[block.index() * self.words + word] & bit != 0)
    }
}

fn add_use(live: &mut RegSet, operand: &Operand) {
    if let Operand::Reg(reg) = operand {
        live.insert(*reg);
    }
}

fn split(column: u32) -> (usize, u64) {
    (column as usize / 64, 1 << (column % 64))
}

/// Gives a column to each register that some block reads before assigning it; no other is ever live at a
/// boundary.
fn exposed_registers(body: &Body) -> (Vec<Reg>, Vec<Option<u32>>) {
    let mut columns = Vec::new();
    let mut column_of = vec![None; body.regs.len()];
    let mut assigned_in: Vec<Option<BlockId>> = vec![None; body.regs.len()];
    for (id, block) in body.blocks.iter() {
        let mut read = |operand: &Operand, assigned_in: &[Option<BlockId>]| {
            if let Operand::Reg(reg) = operand
                && assigned_in[reg.index()] != Some(id)
                && column_of[reg.index()].is_none()
            {
                column_of[reg.index()] = Some(columns.len() as u32);
                columns.push(*reg);
            }
        };
        for inst in &block.insts {
            inst.kind.for_each_use(|operand| read(operand, &assigned_in));
            for def in inst.kind.defs() {
                assigned_in[def.index()] = Some(id);
            }
        }
        block.term.for_each_use(|operand| read(operand, &assigned_in));
    }
    (columns, column_of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbitrary;
    use crate::text::parse;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_loop_keeps_its_counter_alive() {
        let text = "func f0 \"f\"(r0: i32) -> (i32) {
            b0: r1 = copy i32 0 jump b1
            b1: r1 = add i32 r1, 1 r2 = cmp eq i32 r1, r0 br r2 ? b2 : b1
            b2: forget r0 return r1 }";
        let program = parse(text).unwrap();
        let body = program.functions.values().next().unwrap().body.as_ref().unwrap();
        let liveness = Liveness::new(body, &Cfg::new(body));
        let set = |regs: &mut dyn Iterator<Item = Reg>| regs.map(|reg| reg.index()).collect::<BTreeSet<_>>();
        let b = BlockId::new;
        assert_eq!(set(&mut liveness.live_in(b(0))), [0].into());
        assert_eq!(set(&mut liveness.live_out(b(0))), [0, 1].into());
        assert_eq!(set(&mut liveness.live_in(b(2))), [1].into());
        assert!(liveness.is_live_out(b(1), Reg::new(0)) && !liveness.is_live_in(b(1), Reg::new(2)));
        let after = |block, inst| set(&mut liveness.live_after(body, b(block), inst).iter());
        assert_eq!(after(1, 0), [0, 1].into());
        assert_eq!(after(1, 1), [0, 1, 2].into());
        assert_eq!(after(1, 2), [0, 1].into());
        assert_eq!(after(2, 1), [].into());
    }

    /// By definition: a walk from the start of a block meets a read before an assignment.
    fn is_read_first(body: &Body, reg: Reg, start: BlockId) -> bool {
        let mut seen = BTreeSet::new();
        let mut stack = vec![start];
        'blocks: while let Some(block) = stack.pop() {
            if !seen.insert(block) {
                continue;
            }
            let mut read = false;
            for inst in &body.blocks[block].insts {
                inst.kind.for_each_use(|operand| read |= *operand == Operand::Reg(reg));
                if read {
                    return true;
                }
                if inst.kind.defs().contains(&reg) {
                    continue 'blocks;
                }
            }
            body.blocks[block].term.for_each_use(|operand| read |= *operand == Operand::Reg(reg));
            if read {
                return true;
            }
            stack.extend(body.blocks[block].term.successors());
        }
        false
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn agrees_with_the_definition(program in arbitrary::program()) {
            for body in program.functions.values().filter_map(|function| function.body.as_ref()) {
                let liveness = Liveness::new(body, &Cfg::new(body));
                for block in body.blocks.keys() {
                    for reg in body.regs.keys() {
                        prop_assert_eq!(liveness.is_live_in(block, reg), is_read_first(body, reg, block));
                        prop_assert_eq!(liveness.is_live_out(block, reg), liveness.live_out(block).any(|r| r == reg));
                    }
                    liveness.walk_back(body, block, |index, live| {
                        let after: Vec<Reg> = liveness.live_after(body, block, index).iter().collect();
                        assert_eq!(after, live.iter().collect::<Vec<_>>());
                    });
                }
            }
        }
    }
}
