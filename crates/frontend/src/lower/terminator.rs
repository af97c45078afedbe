//! How blocks end.

use super::Unsupported;
use super::body::Builder;
use crate::llvm::{BasicBlock, Value};
use heapproof_ir::{Block, BlockId, CastOp, InstKind, Operand, Terminator, Ty};
use llvm_sys::LLVMOpcode;

impl<'m> Builder<'_, 'm> {
    /// Lowers the last instruction of a block.
    pub fn terminator(&mut self, inst: Value<'m>) -> Result<Terminator, Unsupported> {
        match inst.opcode() {
            LLVMOpcode::LLVMRet => {
                let mut values = Vec::new();
                for operand in inst.operands() {
                    values.extend(self.operand(operand)?);
                }
                Ok(Terminator::Return(values))
            }
            LLVMOpcode::LLVMBr if !inst.is_conditional() => {
                Ok(Terminator::Jump(self.target(inst.successors()[0])))
            }
            LLVMOpcode::LLVMBr => {
                let cond = self.single(inst.operand(0))?;
                let [then, otherwise] = inst.successors()[..] else {
                    return Err("an unusual branch".to_owned());
                };
                let (then, otherwise) = (self.target(then), self.target(otherwise));
                Ok(Terminator::Branch { cond, then, otherwise })
            }
            LLVMOpcode::LLVMSwitch => self.switch(inst),
            LLVMOpcode::LLVMIndirectBr => self.computed_goto(inst),
            LLVMOpcode::LLVMUnreachable => Ok(Terminator::Unreachable),
            LLVMOpcode::LLVMCallBr => Err("inline assembly that jumps (asm goto)".to_owned()),
            other => Err(format!("the instruction {other:?}")),
        }
    }

    fn target(&self, block: BasicBlock<'m>) -> BlockId {
        self.blocks[&block]
    }

    fn switch(&mut self, inst: Value<'m>) -> Result<Terminator, Unsupported> {
        let value = self.single(inst.operand(0))?;
        let Ty::Int(width) = self.body.operand_ty(&value) else {
            return Err("a switch over something that is no integer".to_owned());
        };
        // Operands: value, default block, then constant and block in turn; successors: default first.
        let successors = inst.successors();
        let default = self.target(successors[0]);
        let mut cases = Vec::new();
        for (index, &successor) in successors.iter().enumerate().skip(1) {
            let constant = inst.operand(2 * index as u32).int_constant();
            cases.push((constant.ok_or("an unusual switch")?, self.target(successor)));
        }
        Ok(Terminator::Switch { value, width, cases, default })
    }

    /// `goto *address` as a switch over the numbers that stand for labels; any other address is undefined.
    fn computed_goto(&mut self, inst: Value<'m>) -> Result<Terminator, Unsupported> {
        let address = self.single(inst.operand(0))?;
        let width = self.module.program.target.pointer_bits();
        let value = self.temporary(Ty::Int(width));
        self.emit(InstKind::Cast {
            dst: value,
            op: CastOp::PtrToInt,
            from: Ty::Ptr,
            to: Ty::Int(width),
            a: address,
        });
        let mut cases: Vec<(u128, BlockId)> = Vec::new();
        for successor in inst.successors() {
            let code = u128::from(self.module.label_code(successor));
            if cases.iter().all(|(known, _)| *known != code) {
                cases.push((code, self.target(successor)));
            }
        }
        let nowhere = Block { insts: Vec::new(), term: Terminator::Unreachable, term_span: self.span };
        let default = self.body.blocks.push(nowhere);
        Ok(Terminator::Switch { value: Operand::Reg(value), width, cases, default })
    }
}
