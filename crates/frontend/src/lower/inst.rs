//! Instructions and constant expressions.

use super::body::Builder;
use super::{Lowering, Unsupported};
use crate::llvm::{TypeKind, Value};
use heapproof_ir::{
    BinOp, CastOp, CmpOp, FloatBinOp, FloatCmpOp, FloatKind, FloatUnOp, InstKind, Operand, Reg, Ty, TypeId,
};
use llvm_sys::{LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate};

impl<'m> Builder<'_, 'm> {
    /// Lowers an instruction that is not the last of its block.
    pub fn instruction(&mut self, inst: Value<'m>) -> Result<(), Unsupported> {
        let dst = self.registers(inst);
        self.operation(inst.opcode(), inst, &dst)
    }

    /// Lowers an instruction or constant expression into the given registers.
    pub fn operation(
        &mut self,
        opcode: LLVMOpcode,
        value: Value<'m>,
        dst: &[Reg],
    ) -> Result<(), Unsupported> {
        use LLVMOpcode::*;
        match opcode {
            // Copies on the edges take their place.
            LLVMPHI => Ok(()),
            LLVMAlloca => self.alloca(value, dst),
            LLVMLoad => self.load(value, dst),
            LLVMStore => self.store(value),
            LLVMGetElementPtr => self.gep(value, one(dst)?),
            LLVMCall => self.call(value, dst),
            LLVMICmp => self.compare(value, dst),
            LLVMFCmp => self.float_compare(value, dst),
            LLVMSelect => self.select(value, dst),
            LLVMFreeze => self.copy(value.operand(0), dst),
            LLVMExtractValue => self.extract_value(value, dst),
            LLVMInsertValue => self.insert_value(value, dst),
            LLVMExtractElement => self.extract_element(value, one(dst)?),
            LLVMInsertElement => self.insert_element(value, dst),
            LLVMShuffleVector => self.shuffle(value, dst),
            LLVMAtomicRMW => self.atomic_update(value, one(dst)?),
            LLVMAtomicCmpXchg => self.compare_exchange(value, dst),
            LLVMFence => Ok(()),
            LLVMVAArg => self.va_arg(value, dst),
            LLVMFNeg => self.float_negate(value, dst),
            _ => {
                if let Some(op) = cast_op(opcode) {
                    self.cast(op, value, dst)
                } else if let Some(op) = int_op(opcode) {
                    self.binary(op, value, dst)
                } else if let Some(op) = float_op(opcode) {
                    self.float_binary(op, value, dst)
                } else {
                    Err(format!("the instruction {opcode:?}"))
                }
            }
        }
    }

    fn copy(&mut self, from: Value<'m>, dst: &[Reg]) -> Result<(), Unsupported> {
        let parts = self.operand(from)?;
        for (&dst, src) in dst.iter().zip(parts) {
            self.emit(InstKind::Copy { dst, src });
        }
        Ok(())
    }

    /// A VLA or a call of `alloca`; variables became locals before.
    fn alloca(&mut self, value: Value<'m>, dst: &[Reg]) -> Result<(), Unsupported> {
        let Some(&dst) = dst.first() else { return Ok(()) };
        let count = self.single(value.operand(0))?;
        let count = self.at_pointer_width(count, false);
        let element = self.module.layout.alloc_size(value.allocated_type());
        let size = match count {
            Operand::Int { bits, .. } => self.pointer_int((bits as u64).wrapping_mul(element)),
            _ if element == 1 => count,
            _ => {
                let width = self.module.program.target.pointer_bits();
                let product = self.temporary(Ty::Int(width));
                let b = self.pointer_int(element);
                self.emit(InstKind::Bin { dst: product, op: BinOp::Mul, width, a: count, b });
                Operand::Reg(product)
            }
        };
        let name = self.module.variables.get(&value).map(|variable| variable.name.clone());
        self.emit(InstKind::Alloca { dst, size, align: value.alignment().max(1), name });
        Ok(())
    }

    /// Widens or cuts an integer to the pointer's width.
    pub fn at_pointer_width(&mut self, operand: Operand, signed: bool) -> Operand {
        let width = self.module.program.target.pointer_bits();
        let Ty::Int(from) = self.body.operand_ty(&operand) else { return operand };
        if let Operand::Int { bits, .. } = operand {
            let bits = if signed { heapproof_ir::sign_extend(bits, from) as u128 } else { bits };
            return Operand::Int { bits: bits & heapproof_ir::mask(width), width };
        }
        let op = match from.cmp(&width) {
            std::cmp::Ordering::Equal => return operand,
            std::cmp::Ordering::Greater => CastOp::Trunc,
            std::cmp::Ordering::Less if signed => CastOp::SExt,
            std::cmp::Ordering::Less => CastOp::ZExt,
        };
        let dst = self.temporary(Ty::Int(width));
        self.emit(InstKind::Cast { dst, op, from: Ty::Int(from), to: Ty::Int(width), a: operand });
        Operand::Reg(dst)
    }

    fn load(&mut self, value: Value<'m>, dst: &[Reg]) -> Result<(), Unsupported> {
        let parts = self.places(value.ty())?;
        let ptr = self.single(value.operand(0))?;
        for (part, &dst) in parts.iter().zip(dst) {
            let ptr = self.at_offset(ptr, part.offset);
            self.emit(InstKind::Load { dst, ty: part.ty, ptr });
        }
        Ok(())
    }

    fn store(&mut self, value: Value<'m>) -> Result<(), Unsupported> {
        let parts = self.places(value.operand(0).ty())?;
        let values = self.operand(value.operand(0))?;
        let ptr = self.single(value.operand(1))?;
        for (part, value) in parts.iter().zip(values) {
            let ptr = self.at_offset(ptr, part.offset);
            self.emit(InstKind::Store { ty: part.ty, value, ptr });
        }
        Ok(())
    }

    /// The address `offset` bytes behind another.
    pub fn at_offset(&mut self, base: Operand, offset: u64) -> Operand {
        if offset == 0 {
            return base;
        }
        let dst = self.temporary(Ty::Ptr);
        self.emit(InstKind::PtrAdd { dst, base, offset: offset as i64, index: None, within: None });
        Operand::Reg(dst)
    }

    fn gep(&mut self, value: Value<'m>, dst: Reg) -> Result<(), Unsupported> {
        let base = self.single(value.operand(0))?;
        let within = self.within(value);
        let mut offset = 0i64;
        let mut scaled = Vec::new();
        for step in self.module.gep_steps(value) {
            match step {
                Step::Constant(bytes) => offset = offset.wrapping_add(bytes),
                Step::Scaled(index, scale) => {
                    let index = self.single(index)?;
                    scaled.push((self.at_pointer_width(index, true), scale));
                }
            }
        }
        let Some(last) = scaled.pop() else {
            self.emit(InstKind::PtrAdd { dst, base, offset, index: None, within });
            return Ok(());
        };
        let mut base = base;
        for index in scaled {
            let sum = self.temporary(Ty::Ptr);
            self.emit(InstKind::PtrAdd { dst: sum, base, offset: 0, index: Some(index), within: None });
            base = Operand::Reg(sum);
        }
        self.emit(InstKind::PtrAdd { dst, base, offset, index: Some(last), within });
        Ok(())
    }

    /// The structure that a member is taken of.
    fn within(&self, value: Value<'m>) -> Option<TypeId> {
        let ty = value.gep_source_type();
        (ty.kind() == TypeKind::Struct).then(|| self.module.debug.aggregate(ty))?
    }

    fn compare(&mut self, value: Value<'m>, dst: &[Reg]) -> Result<(), Unsupported> {
        if let TypeKind::Int(129..) = value.operand(0).ty().kind() {
            return self.wide_compare(compare_op(value.int_predicate()), value, one(dst)?);
        }
        let (ty, op) = (self.module.lane(value.operand(0).ty())?, compare_op(value.int_predicate()));
        for (dst, a, b) in self.lanes(value, dst)? {
            self.emit(InstKind::Cmp { dst, op, ty, a, b });
        }
        Ok(())
    }

    fn float_compare(&mut self, value: Value<'m>, dst: &[Reg]) -> Result<(), Unsupported> {
        let kind = self.float_kind(value.operand(0))?;
        let op = float_compare_op(value.float_predicate());
        for (dst, a, b) in self.lanes(value, dst)? {
            self.emit(InstKind::FloatCmp { dst, op, kind, a, b });
        }
        Ok(())
    }

    fn select(&mut self, value: Value<'m>, dst: &[Reg]) -> Result<(), Unsupported> {
        let conds = self.operand(value.operand(0))?;
        let (a, b) = (self.operand(value.operand(1))?, self.operand(value.operand(2))?);
        for (index, ((&dst, a), b)) in dst.iter().zip(a).zip(b).enumerate() {
            let ty = self.body.regs[dst].ty;
            // One condition for all, or one for each element of a vector.
            let cond = *conds.get(index).unwrap_or(&conds[0]);
            self.emit(InstKind::Select { dst, ty, cond, a, b });
        }
        Ok(())
    }

    fn float_negate(&mut self, value: Value<'m>, dst: &[Reg]) -> Result<(), Unsupported> {
        let kind = self.float_kind(value)?;
        for (&dst, a) in dst.iter().zip(self.operand(value.operand(0))?) {
            self.emit(InstKind::FloatUn { dst, op: FloatUnOp::Neg, kind, a });
        }
        Ok(())
    }

    fn binary(&mut self, op: BinOp, value: Value<'m>, dst: &[Reg]) -> Result<(), Unsupported> {
        if let TypeKind::Int(129..) = value.ty().kind() {
            return self.wide_binary(op, value, dst);
        }
        let Ty::Int(width) = self.module.lane(value.ty())? else {
            return Err("an integer operation on something else".to_owned());
        };
        for (dst, a, b) in self.lanes(value, dst)? {
            self.emit(InstKind::Bin { dst, op, width, a, b });
        }
        Ok(())
    }

    fn float_binary(&mut self, op: FloatBinOp, value: Value<'m>, dst: &[Reg]) -> Result<(), Unsupported> {
        let kind = self.float_kind(value)?;
        for (dst, a, b) in self.lanes(value, dst)? {
            self.emit(InstKind::FloatBin { dst, op, kind, a, b });
        }
        Ok(())
    }

    fn float_kind(&self, value: Value<'m>) -> Result<FloatKind, Unsupported> {
        match self.module.lane(value.ty())? {
            Ty::Float(kind) => Ok(kind),
            _ => Err("an operation of floating point on something else".to_owned()),
        }
    }

    fn cast(&mut self, op: CastOp, value: Value<'m>, dst: &[Reg]) -> Result<(), Unsupported> {
        let source = value.operand(0);
        let vector = |v: Value<'m>| v.ty().kind() == TypeKind::Vector;
        if (vector(value) || vector(source)) && op == CastOp::Bits {
            let parts = self.operand(source)?;
            self.reinterpret(&parts, dst);
            return Ok(());
        }
        let wide = |v: Value<'m>| matches!(v.ty().kind(), TypeKind::Int(129..));
        if wide(value) || wide(source) {
            return self.wide_cast(op, source, dst);
        }
        for (&dst, a) in dst.iter().zip(self.operand(source)?) {
            self.cast_scalar(op, a, dst);
        }
        Ok(())
    }

    /// Converts a scalar.
    pub fn cast_scalar(&mut self, op: CastOp, a: Operand, dst: Reg) {
        let (from, to) = (self.body.operand_ty(&a), self.body.regs[dst].ty);
        let pointer = Ty::Int(self.module.program.target.pointer_bits());
        match op {
            CastOp::PtrToInt if to != pointer => {
                let whole = self.temporary(pointer);
                self.emit(InstKind::Cast { dst: whole, op, from, to: pointer, a });
                let resized = self.resize(Operand::Reg(whole), to);
                self.emit(InstKind::Copy { dst, src: resized });
            }
            CastOp::IntToPtr if from != pointer => {
                let a = self.at_pointer_width(a, false);
                self.emit(InstKind::Cast { dst, op, from: pointer, to, a });
            }
            CastOp::Bits if from == to => self.emit(InstKind::Copy { dst, src: a }),
            CastOp::Bits if from == Ty::Ptr => {
                self.emit(InstKind::Cast { dst, op: CastOp::PtrToInt, from, to, a });
            }
            CastOp::Bits if to == Ty::Ptr => {
                self.emit(InstKind::Cast { dst, op: CastOp::IntToPtr, from, to, a });
            }
            _ => self.emit(InstKind::Cast { dst, op, from, to, a }),
        }
    }

    /// Cuts or widens an integer with zeros.
    pub fn resize(&mut self, a: Operand, to: Ty) -> Operand {
        let from = self.body.operand_ty(&a);
        let (Ty::Int(have), Ty::Int(want)) = (from, to) else { return a };
        if have == want {
            return a;
        }
        let op = if have > want { CastOp::Trunc } else { CastOp::ZExt };
        let dst = self.temporary(to);
        self.emit(InstKind::Cast { dst, op, from, to, a });
        Operand::Reg(dst)
    }

    /// `va_arg` on i386, where the list is a pointer to the next argument.
    fn va_arg(&mut self, value: Value<'m>, dst: &[Reg]) -> Result<(), Unsupported> {
        let target = self.module.program.target;
        if target != heapproof_ir::Target::Ilp32 {
            return Err("va_arg of this type".to_owned());
        }
        let list = self.single(value.operand(0))?;
        let parts = self.places(value.ty())?;
        let at = self.temporary(Ty::Ptr);
        self.emit(InstKind::Load { dst: at, ty: Ty::Ptr, ptr: list });
        let size = self.module.layout.alloc_size(value.ty()).next_multiple_of(target.pointer_bytes());
        let next = self.at_offset(Operand::Reg(at), size);
        self.emit(InstKind::Store { ty: Ty::Ptr, value: next, ptr: list });
        for (part, &dst) in parts.iter().zip(dst) {
            let ptr = self.at_offset(Operand::Reg(at), part.offset);
            self.emit(InstKind::Load { dst, ty: part.ty, ptr });
        }
        Ok(())
    }
}

/// A step of address arithmetic.
pub enum Step<'m> {
    /// A number of bytes.
    Constant(i64),
    /// An index times a number of bytes.
    Scaled(Value<'m>, i64),
}

impl<'m> Lowering<'m> {
    /// The address arithmetic of a `getelementptr`.
    pub(super) fn gep_steps(&self, value: Value<'m>) -> Vec<Step<'m>> {
        let mut steps = Vec::new();
        let mut ty = value.gep_source_type();
        for (position, index) in value.operands().skip(1).enumerate() {
            if position > 0 && ty.kind() == TypeKind::Struct {
                let member = index.int_constant().unwrap_or_default() as u32;
                steps.push(Step::Constant(self.layout.member_offset(ty, member) as i64));
                ty = ty.members()[member as usize];
                continue;
            }
            if position > 0 {
                ty = ty.element();
            }
            let size = self.layout.alloc_size(ty) as i64;
            let width = match index.ty().kind() {
                TypeKind::Int(width @ 1..=128) => width as u8,
                _ => 64,
            };
            steps.push(match index.int_constant() {
                Some(bits) => {
                    Step::Constant((heapproof_ir::sign_extend(bits, width) as i64).wrapping_mul(size))
                }
                None => Step::Scaled(index, size),
            });
        }
        steps
    }

    /// The distance of a constant `getelementptr`.
    pub(super) fn constant_gep_offset(&self, value: Value<'m>) -> Option<i64> {
        self.gep_steps(value).into_iter().try_fold(0i64, |sum, step| match step {
            Step::Constant(bytes) => Some(sum.wrapping_add(bytes)),
            Step::Scaled(..) => None,
        })
    }
}

/// The only register of a scalar instruction.
pub(super) fn one(dst: &[Reg]) -> Result<Reg, Unsupported> {
    match dst {
        [reg] => Ok(*reg),
        _ => Err("an operation on a value of an unusual type".to_owned()),
    }
}

fn cast_op(opcode: LLVMOpcode) -> Option<CastOp> {
    use LLVMOpcode::*;
    Some(match opcode {
        LLVMTrunc => CastOp::Trunc,
        LLVMZExt => CastOp::ZExt,
        LLVMSExt => CastOp::SExt,
        LLVMFPToUI => CastOp::FloatToUInt,
        LLVMFPToSI => CastOp::FloatToSInt,
        LLVMUIToFP => CastOp::UIntToFloat,
        LLVMSIToFP => CastOp::SIntToFloat,
        LLVMFPTrunc | LLVMFPExt => CastOp::FloatToFloat,
        LLVMPtrToInt => CastOp::PtrToInt,
        LLVMIntToPtr => CastOp::IntToPtr,
        LLVMBitCast | LLVMAddrSpaceCast => CastOp::Bits,
        _ => return None,
    })
}

fn int_op(opcode: LLVMOpcode) -> Option<BinOp> {
    use LLVMOpcode::*;
    Some(match opcode {
        LLVMAdd => BinOp::Add,
        LLVMSub => BinOp::Sub,
        LLVMMul => BinOp::Mul,
        LLVMUDiv => BinOp::UDiv,
        LLVMSDiv => BinOp::SDiv,
        LLVMURem => BinOp::URem,
        LLVMSRem => BinOp::SRem,
        LLVMShl => BinOp::Shl,
        LLVMLShr => BinOp::LShr,
        LLVMAShr => BinOp::AShr,
        LLVMAnd => BinOp::And,
        LLVMOr => BinOp::Or,
        LLVMXor => BinOp::Xor,
        _ => return None,
    })
}

fn float_op(opcode: LLVMOpcode) -> Option<FloatBinOp> {
    use LLVMOpcode::*;
    Some(match opcode {
        LLVMFAdd => FloatBinOp::Add,
        LLVMFSub => FloatBinOp::Sub,
        LLVMFMul => FloatBinOp::Mul,
        LLVMFDiv => FloatBinOp::Div,
        LLVMFRem => FloatBinOp::Rem,
        _ => return None,
    })
}

fn compare_op(predicate: LLVMIntPredicate) -> CmpOp {
    use LLVMIntPredicate::*;
    match predicate {
        LLVMIntEQ => CmpOp::Eq,
        LLVMIntNE => CmpOp::Ne,
        LLVMIntUGT => CmpOp::Ugt,
        LLVMIntUGE => CmpOp::Uge,
        LLVMIntULT => CmpOp::Ult,
        LLVMIntULE => CmpOp::Ule,
        LLVMIntSGT => CmpOp::Sgt,
        LLVMIntSGE => CmpOp::Sge,
        LLVMIntSLT => CmpOp::Slt,
        LLVMIntSLE => CmpOp::Sle,
    }
}

fn float_compare_op(predicate: LLVMRealPredicate) -> FloatCmpOp {
    use LLVMRealPredicate::*;
    match predicate {
        LLVMRealPredicateFalse => FloatCmpOp::False,
        LLVMRealOEQ => FloatCmpOp::Oeq,
        LLVMRealOGT => FloatCmpOp::Ogt,
        LLVMRealOGE => FloatCmpOp::Oge,
        LLVMRealOLT => FloatCmpOp::Olt,
        LLVMRealOLE => FloatCmpOp::Ole,
        LLVMRealONE => FloatCmpOp::One,
        LLVMRealORD => FloatCmpOp::Ord,
        LLVMRealUNO => FloatCmpOp::Uno,
        LLVMRealUEQ => FloatCmpOp::Ueq,
        LLVMRealUGT => FloatCmpOp::Ugt,
        LLVMRealUGE => FloatCmpOp::Uge,
        LLVMRealULT => FloatCmpOp::Ult,
        LLVMRealULE => FloatCmpOp::Ule,
        LLVMRealUNE => FloatCmpOp::Une,
        LLVMRealPredicateTrue => FloatCmpOp::True,
    }
}
