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
        if is_comment(template) {
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

    /// No instruction at all: outputs keep the inputs they are tied to, or are unspecified; memory stays as it is.
    fn empty_asm(&mut self, call: Value<'m>, constraints: &[&str], dst: &[Reg]) -> Result<(), Unsupported> {
        let outputs: Vec<_> = constraints.iter().take_while(|c| c.starts_with('=')).collect();
        let inputs = constraints[outputs.len()..].iter().take_while(|c| !c.starts_with('~'));
        // Outputs in memory are arguments, too, and come before the inputs.
        let first = outputs.iter().filter(|c| c.starts_with("=*")).count() as u32;
        let mut tied = vec![None; outputs.len()];
        for (argument, input) in (first..).zip(inputs) {
            if let Some(to) = input.parse::<usize>().ok().and_then(|output| tied.get_mut(output)) {
                *to = Some(call.operand(argument));
            }
        }
        let (mut place, mut result) = (0, dst.iter());
        for (output, tied) in outputs.iter().zip(tied) {
            if output.starts_with("=*") {
                self.kept_in_memory(call, place, output, tied)?;
                place += 1;
                continue;
            }
            let &dst = result.next().ok_or("inline assembly")?;
            let src = match tied {
                Some(input) => self.single(input)?,
                None => Operand::Undef(self.body.regs[dst].ty),
            };
            if self.body.operand_ty(&src) != self.body.regs[dst].ty {
                return Err("inline assembly".to_owned());
            }
            self.emit(InstKind::Copy { dst, src });
        }
        Ok(())
    }

    /// An output that may be in memory: it gets the input that it is tied to.
    fn kept_in_memory(
        &mut self,
        call: Value<'m>,
        place: u32,
        output: &str,
        tied: Option<Value<'m>>,
    ) -> Result<(), Unsupported> {
        match tied {
            Some(input) => {
                let (ptr, value) = (self.single(call.operand(place))?, self.single(input)?);
                let ty = self.body.operand_ty(&value);
                let pointed = call.pointed_type(place).ok_or("inline assembly")?;
                if self.module.scalar(pointed)? != ty {
                    return Err("inline assembly".to_owned());
                }
                self.emit(InstKind::Store { ty, value, ptr });
                Ok(())
            }
            None if output == "=*m" => Ok(()),
            // The compiler may choose a register, whose content nobody knows.
            None => Err("inline assembly".to_owned()),
        }
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

/// Whether there is nothing but comments. In a template `$` stands before operands, which a comment may name.
fn is_comment(template: &str) -> bool {
    let mut rest = template.trim_start();
    while let Some(comment) = rest.strip_prefix("/*") {
        let Some((_, after)) = comment.split_once("*/") else { return false };
        rest = after.trim_start();
    }
    rest.is_empty()
}
