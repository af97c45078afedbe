//! Vectors: each is taken apart into its elements.

use super::Unsupported;
use super::body::Builder;
use super::types::Part;
use crate::llvm::{Type, TypeKind, Value};
use heapproof_ir::{BinOp, CastOp, InstKind, Local, LocalId, Operand, Reg, Ty};

/// A scalar among bits, from one bit up to but without another.
pub type Placed = (Operand, u32, u32);

impl<'m> Builder<'_, 'm> {
    /// The results and operands of an operation with two operands, element by element.
    pub fn lanes(
        &mut self,
        value: Value<'m>,
        dst: &[Reg],
    ) -> Result<Vec<(Reg, Operand, Operand)>, Unsupported> {
        let (a, b) = (self.operand(value.operand(0))?, self.operand(value.operand(1))?);
        Ok(dst.iter().zip(a).zip(b).map(|((&dst, a), b)| (dst, a, b)).collect())
    }

    /// The scalars of a type and where they lie in memory.
    pub fn places(&self, ty: Type<'m>) -> Result<Vec<Part>, Unsupported> {
        match ty.kind() {
            TypeKind::Vector if !self.module.lane(ty)?.bits(self.module.program.target).is_multiple_of(8) => {
                Err("a vector of single bits in memory".to_owned())
            }
            TypeKind::Int(width @ 129..) if !width.is_multiple_of(8) => {
                Err(format!("an integer of {width} bits in memory"))
            }
            _ => self.module.parts(ty),
        }
    }

    pub fn extract_element(&mut self, value: Value<'m>, dst: Reg) -> Result<(), Unsupported> {
        let (vector, index) = (value.operand(0), value.operand(1));
        let elements = self.operand(vector)?;
        if let Some(index) = index.int_constant() {
            let src = *elements.get(index as usize).ok_or("a vector element that is not there")?;
            self.emit(InstKind::Copy { dst, src });
            return Ok(());
        }
        let ty = self.body.regs[dst].ty;
        let (local, ptr) = self.spilled(vector, index)?;
        self.emit(InstKind::Load { dst, ty, ptr });
        self.emit(InstKind::ScopeEnd { local });
        Ok(())
    }

    pub fn insert_element(&mut self, value: Value<'m>, dst: &[Reg]) -> Result<(), Unsupported> {
        let (vector, index) = (value.operand(0), value.operand(2));
        let mut elements = self.operand(vector)?;
        let element = self.single(value.operand(1))?;
        if let Some(index) = index.int_constant() {
            *elements.get_mut(index as usize).ok_or("a vector element that is not there")? = element;
            for (&dst, src) in dst.iter().zip(elements) {
                self.emit(InstKind::Copy { dst, src });
            }
            return Ok(());
        }
        let ty = self.body.operand_ty(&element);
        let (local, ptr) = self.spilled(vector, index)?;
        self.emit(InstKind::Store { ty, value: element, ptr });
        for (part, &dst) in self.places(value.ty())?.into_iter().zip(dst) {
            let ptr = self.at_offset(Operand::Local(local), part.offset);
            self.emit(InstKind::Load { dst, ty, ptr });
        }
        self.emit(InstKind::ScopeEnd { local });
        Ok(())
    }

    /// A local with the elements of a vector, and the address of the one that is chosen at run time: outside of the
    /// vector it is outside of the local.
    fn spilled(&mut self, vector: Value<'m>, index: Value<'m>) -> Result<(LocalId, Operand), Unsupported> {
        let parts = self.places(vector.ty())?;
        let elements = self.operand(vector)?;
        let index = self.single(index)?;
        let index = self.at_pointer_width(index, false);
        let scale = i64::from(self.module.lane(vector.ty())?.bits(self.module.program.target) / 8);
        let (size, align) = (scale as u64 * parts.len() as u64, self.module.layout.align(vector.ty()));
        let local =
            self.body.locals.push(Local { size, align, scoped: true, unmarked: false, variable: None });
        self.emit(InstKind::ScopeStart { local });
        for (part, value) in parts.iter().zip(elements) {
            let ptr = self.at_offset(Operand::Local(local), part.offset);
            self.emit(InstKind::Store { ty: part.ty, value, ptr });
        }
        let dst = self.temporary(Ty::Ptr);
        let base = Operand::Local(local);
        self.emit(InstKind::PtrAdd { dst, base, offset: 0, index: Some((index, scale)), within: None });
        Ok((local, Operand::Reg(dst)))
    }

    pub fn shuffle(&mut self, value: Value<'m>, dst: &[Reg]) -> Result<(), Unsupported> {
        let mut elements = self.operand(value.operand(0))?;
        elements.extend(self.operand(value.operand(1))?);
        for (&dst, chosen) in dst.iter().zip(value.shuffle_mask()) {
            let src = match chosen {
                Some(index) => *elements.get(index).ok_or("a vector element that is not there")?,
                None => Operand::Undef(self.body.regs[dst].ty),
            };
            self.emit(InstKind::Copy { dst, src });
        }
        Ok(())
    }

    /// A vector as one integer: how it is passed where only its bytes count.
    pub fn packed(&mut self, vector: Value<'m>) -> Result<Operand, Unsupported> {
        let parts = self.operand(vector)?;
        let target = self.module.program.target;
        let bits: u32 = parts.iter().map(|part| u32::from(self.body.operand_ty(part).bits(target))).sum();
        let Some(width) = u8::try_from(bits).ok().filter(|&bits| bits <= 128) else {
            return Err(format!("a vector of {bits} bits among variadic arguments"));
        };
        let dst = self.temporary(Ty::Int(width));
        self.reinterpret(&parts, &[dst]);
        Ok(Operand::Reg(dst))
    }

    /// Assigns the bits of some scalars, first lowest, to other scalars.
    pub fn reinterpret(&mut self, parts: &[Operand], dst: &[Reg]) {
        let sources = self.side_by_side(parts, 0);
        self.assemble(&sources, 0, dst);
    }

    /// Scalars and the bits that they take up, from `start` on.
    pub fn side_by_side(&self, parts: &[Operand], mut start: u32) -> Vec<Placed> {
        let target = self.module.program.target;
        let mut placed = Vec::new();
        for &part in parts {
            let end = start + u32::from(self.body.operand_ty(&part).bits(target));
            placed.push((part, start, end));
            start = end;
        }
        placed
    }

    /// Assigns the bits from `start` on to registers side by side; bits that nothing takes up are 0.
    pub fn assemble(&mut self, sources: &[Placed], mut start: u32, dst: &[Reg]) {
        for &dst in dst {
            let bits = self.body.regs[dst].ty.bits(self.module.program.target);
            let end = start + u32::from(bits);
            let overlapping = sources.iter().filter(|(_, from, to)| *from < end && start < *to);
            let overlapping: Vec<_> = overlapping.copied().collect();
            let whole = match overlapping[..] {
                [(part, from, to)] if (from, to) == (start, end) => part,
                _ => self.gathered(&overlapping, start, bits),
            };
            self.cast_scalar(CastOp::Bits, whole, dst);
            start = end;
        }
    }

    /// The bits from `start` on of scalars that lie side by side, as an integer.
    fn gathered(&mut self, sources: &[Placed], start: u32, width: u8) -> Operand {
        let mut sum: Option<Operand> = None;
        for &(part, from, to) in sources {
            let bits = (to - from) as u8;
            let raw = match self.body.operand_ty(&part) {
                Ty::Int(_) => part,
                _ => {
                    let raw = self.temporary(Ty::Int(bits));
                    self.cast_scalar(CastOp::Bits, part, raw);
                    Operand::Reg(raw)
                }
            };
            let below = start.saturating_sub(from);
            let low = self.shifted(BinOp::LShr, raw, below, bits);
            let resized = self.resize(low, Ty::Int(width));
            let placed = self.shifted(BinOp::Shl, resized, from.saturating_sub(start), width);
            sum = Some(match sum {
                None => placed,
                Some(a) => {
                    let dst = self.temporary(Ty::Int(width));
                    self.emit(InstKind::Bin { dst, op: BinOp::Or, width, a, b: placed });
                    Operand::Reg(dst)
                }
            });
        }
        sum.unwrap_or(Operand::Int { bits: 0, width })
    }

    fn shifted(&mut self, op: BinOp, a: Operand, by: u32, width: u8) -> Operand {
        if by == 0 {
            return a;
        }
        let dst = self.temporary(Ty::Int(width));
        self.emit(InstKind::Bin { dst, op, width, a, b: Operand::Int { bits: u128::from(by), width } });
        Operand::Reg(dst)
    }
}
