//! Parts of structure values.

use super::Unsupported;
use super::body::Builder;
use crate::llvm::{Type, TypeKind, Value};
use heapproof_ir::{InstKind, Reg};

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
}
