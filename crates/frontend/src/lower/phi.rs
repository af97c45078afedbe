//! Phi nodes as copies on the edges. An edge from a branch to a join gets a block of its own.

use super::body::Builder;
use crate::llvm::{BasicBlock, Value};
use heapproof_ir::{Block, BlockId, InstKind, Operand, Reg, Terminator};
use llvm_sys::LLVMOpcode;

impl<'m> Builder<'_, 'm> {
    /// Places the copies for all phi nodes of a block.
    pub fn phi_copies(&mut self, block: BasicBlock<'m>) {
        let phis: Vec<_> = block.instructions().take_while(|i| i.opcode() == LLVMOpcode::LLVMPHI).collect();
        let Some(first) = phis.first() else { return };
        let mut done: Vec<BasicBlock<'m>> = Vec::new();
        for (_, from) in first.incoming() {
            if !done.contains(&from) {
                done.push(from);
                self.edge_copies(&phis, from, self.blocks[&block]);
            }
        }
    }

    fn edge_copies(&mut self, phis: &[Value<'m>], from: BasicBlock<'m>, to: BlockId) {
        let source = self.blocks[&from];
        self.span = self.body.blocks[source].term_span;
        self.insts.clear();
        let mut copies = Vec::new();
        for &phi in phis {
            let incoming = phi.incoming().into_iter().find(|(_, block)| *block == from);
            let Some((value, _)) = incoming else { continue };
            let regs = self.registers(phi);
            match self.operand(value) {
                Ok(parts) => copies.extend(regs.into_iter().zip(parts)),
                Err(what) => self.emit(InstKind::Unsupported { results: regs, what }),
            }
        }
        self.parallel_copies(copies);
        self.place_on_edge(source, to);
    }

    /// Copies as if all at once.
    fn parallel_copies(&mut self, mut copies: Vec<(Reg, Operand)>) {
        let targets: Vec<_> = copies.iter().map(|(dst, _)| *dst).collect();
        let clash = |src: &Operand| matches!(src, Operand::Reg(reg) if targets.contains(reg));
        if copies.len() > 1 && copies.iter().any(|(_, src)| clash(src)) {
            for (_, src) in &mut copies {
                let saved = self.temporary(self.body.operand_ty(src));
                self.emit(InstKind::Copy { dst: saved, src: *src });
                *src = Operand::Reg(saved);
            }
        }
        for (dst, src) in copies {
            self.emit(InstKind::Copy { dst, src });
        }
    }

    /// Puts the pending instructions on the edge between two blocks.
    fn place_on_edge(&mut self, source: BlockId, to: BlockId) {
        let mut insts = std::mem::take(&mut self.insts);
        if let Terminator::Jump(_) = self.body.blocks[source].term {
            self.body.blocks[source].insts.append(&mut insts);
            return;
        }
        let span = self.span;
        let edge = self.body.blocks.push(Block { insts, term: Terminator::Jump(to), term_span: span });
        self.body.blocks[source].term.for_each_successor_mut(|successor| {
            if *successor == to {
                *successor = edge;
            }
        });
    }
}
