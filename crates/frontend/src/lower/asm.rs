//! Inline assembly: barriers and the byte swaps of system headers; anything else is unsupported.

use super::Unsupported;
use super::body::Builder;
use crate::llvm::Value;
use heapproof_ir::{BinOp, InstKind, IntUnOp, Operand, Reg, Ty};

impl<'m> Builder<'_, 'm> {
    pub fn inline_asm(&mut self, call: Value<'m>, asm: Value<'m>, dst: &[Reg]) -> Result<(), Unsupported> {
        let (template, constraints) = asm.asm_text();
        let template = template.trim();
        let constraints: Vec<_> = constraints.split(',').collect();
        if template.is_empty() && constraints.iter().all(|c| !c.starts_with("=*")) {
            return self.empty_asm(call, &constraints, dst);
        }
        let tied = constraints.get(1).is_some_and(|c| *c == "0") && constraints[0].starts_with('=');
        if let (&[dst], true, 1) = (dst, tied, call.argument_count()) {
            let a = self.single(call.operand(0))?;
            if let Some(()) = self.byte_swap(template, dst, a) {
                return Ok(());
            }
        }
        Err("inline assembly".to_owned())
    }

    /// No instruction at all: outputs keep the inputs they are tied to, or are unspecified.
    fn empty_asm(&mut self, call: Value<'m>, constraints: &[&str], dst: &[Reg]) -> Result<(), Unsupported> {
        let inputs: Vec<_> =
            constraints.iter().filter(|c| !c.starts_with('=') && !c.starts_with('~')).collect();
        for (index, &dst) in dst.iter().enumerate() {
            let tied = inputs.iter().position(|c| **c == index.to_string());
            let src = match tied {
                Some(input) => self.single(call.operand(input as u32))?,
                None => Operand::Undef(self.body.regs[dst].ty),
            };
            if self.body.operand_ty(&src) != self.body.regs[dst].ty {
                return Err("inline assembly".to_owned());
            }
            self.emit(InstKind::Copy { dst, src });
        }
        Ok(())
    }

    /// `bswap` and the rotation by eight that glibc uses for 16 bits.
    fn byte_swap(&mut self, template: &str, dst: Reg, a: Operand) -> Option<()> {
        let Ty::Int(width) = self.body.regs[dst].ty else { return None };
        if self.body.operand_ty(&a) != Ty::Int(width) {
            return None;
        }
        let words: Vec<_> = template.split_whitespace().collect();
        let swaps = match words[..] {
            ["bswap" | "bswapl" | "bswapq", "$0" | "${0:q}" | "${0:k}"] => width == 32 || width == 64,
            ["rorw" | "rolw" | "xchgb", "$$8,", "${0:w}"] => width == 16,
            _ => false,
        };
        if !swaps {
            return None;
        }
        self.emit(InstKind::IntUn { dst, op: IntUnOp::ByteSwap, width, a });
        Some(())
    }

    /// `a op b` into a new register.
    pub fn int_operation(&mut self, op: BinOp, width: u8, a: Operand, b: Operand) -> Operand {
        let dst = self.temporary(Ty::Int(width));
        self.emit(InstKind::Bin { dst, op, width, a, b });
        Operand::Reg(dst)
    }
}
