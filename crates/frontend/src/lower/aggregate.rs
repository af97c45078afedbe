//! Parts of structure values and elements of vectors.

use super::Unsupported;
use super::body::Builder;
use crate::llvm::{Type, TypeKind, Value};
use heapproof_ir::{BinOp, CastOp, InstKind, Operand, Reg, Ty};

impl<'m> Builder<'_, 'm> {
    pub fn extract_value(&mut self, value: Value<'m>, dst: &[Reg]) -> Result<(), Unsupported> {
        let whole = self.operand(value.operand(0))?;
        let first = self.first_part(value.operand(0).ty(), &value.aggregate_indices())?;
        for (index, &dst) in dst.iter().enumerate() {
            let src = *whole.get(first + index).ok_or("a member that is not there")?;
            self.emit(InstKind::Copy { dst, src });
        }
        Ok(())
    }

    pub fn insert_value(&mut self, value: Value<'m>, dst: &[Reg]) -> Result<(), Unsupported> {
        let mut whole = self.operand(value.operand(0))?;
        let first = self.first_part(value.ty(), &value.aggregate_indices())?;
        for (index, part) in self.operand(value.operand(1))?.into_iter().enumerate() {
            *whole.get_mut(first + index).ok_or("a member that is not there")? = part;
        }
        for (&dst, src) in dst.iter().zip(whole) {
            self.emit(InstKind::Copy { dst, src });
        }
        Ok(())
    }

    /// How many scalars stand before a member.
    fn first_part(&self, mut ty: Type<'m>, path: &[u32]) -> Result<usize, Unsupported> {
        let mut first = 0;
        for &index in path {
            if ty.kind() == TypeKind::Struct {
                let members = ty.members();
                for &member in &members[..index as usize] {
                    first += self.module.parts(member)?.len();
                }
                ty = members[index as usize];
            } else {
                ty = ty.element();
                first += self.module.parts(ty)?.len() * index as usize;
            }
        }
        Ok(first)
    }

    /// An element of a vector, which is one integer: shift and cut.
    pub fn extract_element(&mut self, value: Value<'m>, dst: Reg) -> Result<(), Unsupported> {
        let (vector, shift) = self.element_position(value, value.operand(0), value.operand(1))?;
        let Ty::Int(width) = self.body.operand_ty(&vector) else { return Err("a vector operation".into()) };
        let shifted = self.temporary(Ty::Int(width));
        self.emit(InstKind::Bin { dst: shifted, op: BinOp::LShr, width, a: vector, b: shift });
        let ty = self.body.regs[dst].ty;
        let bits = Ty::Int(ty.bits(self.module.program.target));
        let cut = self.resize(Operand::Reg(shifted), bits);
        self.emit(match ty {
            Ty::Int(_) => InstKind::Copy { dst, src: cut },
            Ty::Ptr => InstKind::Cast { dst, op: CastOp::IntToPtr, from: bits, to: ty, a: cut },
            Ty::Float(_) => InstKind::Cast { dst, op: CastOp::Bits, from: bits, to: ty, a: cut },
        });
        Ok(())
    }

    /// A vector with one element replaced: mask, shift and or.
    pub fn insert_element(&mut self, value: Value<'m>, dst: Reg) -> Result<(), Unsupported> {
        let (vector, shift) = self.element_position(value, value.operand(0), value.operand(2))?;
        let Operand::Int { bits: distance, .. } = shift else { return Err("a vector operation".into()) };
        let Ty::Int(width) = self.body.operand_ty(&vector) else { return Err("a vector operation".into()) };
        let element = self.single(value.operand(1))?;
        let ty = self.body.operand_ty(&element);
        let bits = ty.bits(self.module.program.target);
        let raw = match ty {
            Ty::Int(_) => element,
            _ => {
                let op = if ty == Ty::Ptr { CastOp::PtrToInt } else { CastOp::Bits };
                let raw = self.temporary(Ty::Int(bits));
                self.emit(InstKind::Cast { dst: raw, op, from: ty, to: Ty::Int(bits), a: element });
                Operand::Reg(raw)
            }
        };
        let wide = self.resize(raw, Ty::Int(width));
        let moved = self.temporary(Ty::Int(width));
        self.emit(InstKind::Bin { dst: moved, op: BinOp::Shl, width, a: wide, b: shift });
        let keep = !(heapproof_ir::mask(bits) << distance) & heapproof_ir::mask(width);
        let kept = self.temporary(Ty::Int(width));
        let b = Operand::Int { bits: keep, width };
        self.emit(InstKind::Bin { dst: kept, op: BinOp::And, width, a: vector, b });
        let (a, b) = (Operand::Reg(kept), Operand::Reg(moved));
        self.emit(InstKind::Bin { dst, op: BinOp::Or, width, a, b });
        Ok(())
    }

    /// The vector as an integer and the distance of an element in bits.
    fn element_position(
        &mut self,
        of: Value<'m>,
        vector: Value<'m>,
        index: Value<'m>,
    ) -> Result<(Operand, Operand), Unsupported> {
        let element = if of.ty().kind() == TypeKind::Vector { of.ty().element() } else { of.ty() };
        let bits = u128::from(self.module.scalar(element)?.bits(self.module.program.target));
        let index = index.int_constant().ok_or("a vector element that is chosen at run time")?;
        let width = self.module.vector_bits(vector.ty())?;
        if index * bits >= u128::from(width) {
            return Err("a vector element that is not there".to_owned());
        }
        Ok((self.single(vector)?, Operand::Int { bits: index * bits, width }))
    }
}
