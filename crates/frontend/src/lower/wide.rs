//! Integers of more than 128 bits, which clang uses as the storage of packed bit-fields: words of 64 bits.

use super::Unsupported;
use super::body::Builder;
use super::vector::Placed;
use crate::llvm::Value;
use heapproof_ir::{BinOp, CastOp, CmpOp, InstKind, Operand, Reg, Ty};

impl<'m> Builder<'_, 'm> {
    /// Operations on single bits, and shifts by constants.
    pub fn wide_binary(&mut self, op: BinOp, value: Value<'m>, dst: &[Reg]) -> Result<(), Unsupported> {
        if let BinOp::And | BinOp::Or | BinOp::Xor = op {
            for (dst, a, b) in self.lanes(value, dst)? {
                let Ty::Int(width) = self.body.regs[dst].ty else { return Err(unusual()) };
                self.emit(InstKind::Bin { dst, op, width, a, b });
            }
            return Ok(());
        }
        let parts = self.operand(value.operand(0))?;
        let by = match value.operand(1).wide_constant().as_deref() {
            Some([by @ 0..=0xffff, rest @ ..]) if rest.iter().all(|word| *word == 0) => *by as u32,
            _ => return Err(unusual()),
        };
        match op {
            BinOp::Shl => {
                let sources = self.side_by_side(&parts, by);
                self.assemble(&sources, 0, dst);
            }
            BinOp::LShr => {
                let sources = self.side_by_side(&parts, 0);
                self.assemble(&sources, by, dst);
            }
            BinOp::AShr => {
                let sources = self.sign_extended(&parts, by, dst)?;
                self.assemble(&sources, by, dst);
            }
            _ => return Err(unusual()),
        }
        Ok(())
    }

    /// Conversions to and from shorter integers.
    pub fn wide_cast(&mut self, op: CastOp, source: Value<'m>, dst: &[Reg]) -> Result<(), Unsupported> {
        let parts = self.operand(source)?;
        let sources = match op {
            CastOp::Trunc | CastOp::ZExt | CastOp::Bits => self.side_by_side(&parts, 0),
            CastOp::SExt => self.sign_extended(&parts, 0, dst)?,
            _ => return Err(unusual()),
        };
        self.assemble(&sources, 0, dst);
        Ok(())
    }

    /// Whether all words are the same.
    pub fn wide_compare(&mut self, op: CmpOp, value: Value<'m>, dst: Reg) -> Result<(), Unsupported> {
        let (a, b) = (self.operand(value.operand(0))?, self.operand(value.operand(1))?);
        let (start, combine) = match op {
            CmpOp::Eq => (1, BinOp::And),
            CmpOp::Ne => (0, BinOp::Or),
            _ => return Err(unusual()),
        };
        let mut all = Operand::Int { bits: start, width: 1 };
        for (a, b) in a.into_iter().zip(b) {
            let (dst, ty) = (self.temporary(Ty::Int(1)), self.body.operand_ty(&a));
            self.emit(InstKind::Cmp { dst, op, ty, a, b });
            all = self.int_operation(combine, 1, all, Operand::Reg(dst));
        }
        self.emit(InstKind::Copy { dst, src: all });
        Ok(())
    }

    /// The words of an integer with as many copies of its sign as `dst`, from the bit `first` on, has place for.
    fn sign_extended(
        &mut self,
        parts: &[Operand],
        first: u32,
        dst: &[Reg],
    ) -> Result<Vec<Placed>, Unsupported> {
        let mut sources = self.side_by_side(parts, 0);
        let &(last, start, mut end) = sources.last().ok_or_else(unusual)?;
        let width = (end - start) as u8;
        let by = Operand::Int { bits: u128::from(width - 1), width };
        let sign = self.int_operation(BinOp::AShr, width, last, by);
        let word = self.temporary(Ty::Int(64));
        let (from, to) = (Ty::Int(width), Ty::Int(64));
        let op = match width {
            0..64 => CastOp::SExt,
            64 => CastOp::Bits,
            _ => CastOp::Trunc,
        };
        match op {
            CastOp::Bits => self.emit(InstKind::Copy { dst: word, src: sign }),
            _ => self.emit(InstKind::Cast { dst: word, op, from, to, a: sign }),
        }
        let target = self.module.program.target;
        let bits: u32 = dst.iter().map(|&reg| u32::from(self.body.regs[reg].ty.bits(target))).sum();
        while end < first + bits {
            sources.push((Operand::Reg(word), end, end + 64));
            end += 64;
        }
        Ok(sources)
    }
}

fn unusual() -> Unsupported {
    "arithmetic with integers of more than 128 bits".to_owned()
}
