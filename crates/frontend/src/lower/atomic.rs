//! Atomic updates as load, operation and store: there is one thread.

use super::Unsupported;
use super::body::Builder;
use crate::llvm::Value;
use heapproof_ir::{BinOp, CmpOp, InstKind, Operand, Reg, Ty};
use llvm_sys::LLVMAtomicRMWBinOp as Rmw;

impl<'m> Builder<'_, 'm> {
    pub fn atomic_update(&mut self, value: Value<'m>, dst: Reg) -> Result<(), Unsupported> {
        let ptr = self.single(value.operand(0))?;
        let operand = self.single(value.operand(1))?;
        let ty = self.body.regs[dst].ty;
        self.emit(InstKind::Load { dst, ty, ptr });
        let new = match (value.atomic_operation(), ty) {
            (Rmw::LLVMAtomicRMWBinOpXchg, _) => operand,
            (operation, Ty::Int(width)) => self.updated(operation, width, Operand::Reg(dst), operand)?,
            _ => return Err("an atomic operation of this type".to_owned()),
        };
        self.emit(InstKind::Store { ty, value: new, ptr });
        Ok(())
    }

    fn updated(&mut self, operation: Rmw, width: u8, a: Operand, b: Operand) -> Result<Operand, Unsupported> {
        let ty = Ty::Int(width);
        let new = self.temporary(ty);
        let op = match operation {
            Rmw::LLVMAtomicRMWBinOpAdd => BinOp::Add,
            Rmw::LLVMAtomicRMWBinOpSub => BinOp::Sub,
            Rmw::LLVMAtomicRMWBinOpAnd | Rmw::LLVMAtomicRMWBinOpNand => BinOp::And,
            Rmw::LLVMAtomicRMWBinOpOr => BinOp::Or,
            Rmw::LLVMAtomicRMWBinOpXor => BinOp::Xor,
            Rmw::LLVMAtomicRMWBinOpMax => return Ok(self.chosen(CmpOp::Sgt, ty, a, b)),
            Rmw::LLVMAtomicRMWBinOpMin => return Ok(self.chosen(CmpOp::Slt, ty, a, b)),
            Rmw::LLVMAtomicRMWBinOpUMax => return Ok(self.chosen(CmpOp::Ugt, ty, a, b)),
            Rmw::LLVMAtomicRMWBinOpUMin => return Ok(self.chosen(CmpOp::Ult, ty, a, b)),
            other => return Err(format!("the atomic operation {other:?}")),
        };
        self.emit(InstKind::Bin { dst: new, op, width, a, b });
        if operation == Rmw::LLVMAtomicRMWBinOpNand {
            let inverted = self.temporary(ty);
            let b = Operand::Int { bits: heapproof_ir::mask(width), width };
            self.emit(InstKind::Bin { dst: inverted, op: BinOp::Xor, width, a: Operand::Reg(new), b });
            return Ok(Operand::Reg(inverted));
        }
        Ok(Operand::Reg(new))
    }

    /// `a op b ? a : b`
    pub fn chosen(&mut self, op: CmpOp, ty: Ty, a: Operand, b: Operand) -> Operand {
        let (cond, dst) = (self.temporary(Ty::BOOL), self.temporary(ty));
        self.emit(InstKind::Cmp { dst: cond, op, ty, a, b });
        self.emit(InstKind::Select { dst, ty, cond: Operand::Reg(cond), a, b });
        Operand::Reg(dst)
    }

    pub fn compare_exchange(&mut self, value: Value<'m>, dst: &[Reg]) -> Result<(), Unsupported> {
        let &[old, success] = dst else { return Err("an atomic exchange of this type".to_owned()) };
        let ptr = self.single(value.operand(0))?;
        let (expected, desired) = (self.single(value.operand(1))?, self.single(value.operand(2))?);
        let ty = self.body.regs[old].ty;
        self.emit(InstKind::Load { dst: old, ty, ptr });
        let a = Operand::Reg(old);
        self.emit(InstKind::Cmp { dst: success, op: CmpOp::Eq, ty, a, b: expected });
        let new = self.temporary(ty);
        self.emit(InstKind::Select { dst: new, ty, cond: Operand::Reg(success), a: desired, b: a });
        self.emit(InstKind::Store { ty, value: Operand::Reg(new), ptr });
        Ok(())
    }
}
