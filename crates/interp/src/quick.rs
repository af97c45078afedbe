//! Instructions on ordinary integers of at most 64 bits and on ordinary bytes: the same as in `exec.rs`, without what is rare.
//!
//! A value is wide (128 bits and a provenance), and moving it about costs more than computing. Here only what an instruction needs is
//! read, and whatever is not ordinary is left to the general code, which does the whole instruction.

use crate::machine::Machine;
use crate::value::Prov;
use heapproof_ir::{BinOp, CastOp, CmpOp, InstKind, Operand, Reg, Ty};

/// The `width` low bits set, for 1 to 64.
#[inline(always)]
fn low(width: u8) -> u64 {
    u64::MAX >> (64 - u32::from(width))
}

/// The bits of a width read as a signed number, for 1 to 64.
#[inline(always)]
fn signed(bits: u64, width: u8) -> i64 {
    let unused = 64 - u32::from(width);
    ((bits << unused) as i64) >> unused
}

#[inline(always)]
fn is_small(width: u8) -> bool {
    (1..=64).contains(&width)
}

impl Machine<'_, '_> {
    /// An ordinary integer.
    #[inline(always)]
    pub fn small(&self, operand: &Operand) -> Option<u64> {
        match operand {
            Operand::Reg(reg) => {
                let value = &self.regs[self.top.regs + reg.as_u32() as usize];
                if value.prov == Prov::None { Some(value.bits as u64) } else { None }
            }
            Operand::Int { bits, .. } => Some(*bits as u64),
            _ => None,
        }
    }

    /// The address in a register, and what it is of.
    #[inline(always)]
    fn held(&self, operand: &Operand) -> Option<(u64, Prov)> {
        let Operand::Reg(reg) = operand else { return None };
        let value = &self.regs[self.top.regs + reg.as_u32() as usize];
        if value.prov == Prov::Forgotten { None } else { Some((value.bits as u64, value.prov)) }
    }

    #[inline(always)]
    fn set_small(&mut self, reg: Reg, bits: u64, prov: Prov) {
        let value = &mut self.regs[self.top.regs + reg.as_u32() as usize];
        value.bits = u128::from(bits);
        value.prov = prov;
    }

    /// Executes an instruction if it is an ordinary one; false if nothing was done. Nobody must want to hear of accesses and
    /// comparisons.
    #[inline(always)]
    pub fn quickly(&mut self, kind: &InstKind) -> bool {
        match kind {
            InstKind::Copy { dst, src } => {
                let wide = match src {
                    Operand::Reg(from) => self.regs[self.top.regs + from.as_u32() as usize].bits >> 64 != 0,
                    Operand::Int { width, .. } => *width > 64,
                    _ => true,
                };
                let Some(bits) = self.small(src).filter(|_| !wide) else { return false };
                self.set_small(*dst, bits, Prov::None);
                true
            }
            InstKind::Bin { dst, op, width, a, b } if is_small(*width) => {
                let (Some(a), Some(b)) = (self.small(a), self.small(b)) else { return false };
                let Some(bits) = compute(*op, *width, a, b) else { return false };
                self.set_small(*dst, bits, Prov::None);
                true
            }
            InstKind::Cmp { dst, op, ty, a, b } => {
                let width = match ty {
                    Ty::Int(width) => *width,
                    _ => return false,
                };
                if !is_small(width) {
                    return false;
                }
                let (Some(a), Some(b)) = (self.small(a), self.small(b)) else { return false };
                self.set_small(*dst, holds(*op, width, a, b).into(), Prov::None);
                true
            }
            InstKind::Cast { dst, op, from: Ty::Int(from), to: Ty::Int(to), a }
                if is_small(*from) && is_small(*to) =>
            {
                let Some(a) = self.small(a) else { return false };
                let bits = match op {
                    CastOp::Trunc => a & low(*to),
                    CastOp::ZExt => a & low(*from),
                    CastOp::SExt => signed(a, *from) as u64 & low(*to),
                    _ => return false,
                };
                self.set_small(*dst, bits, Prov::None);
                true
            }
            InstKind::PtrAdd { dst, base, offset, index, .. } => {
                let Some((base, prov)) = self.pointer(base) else { return false };
                let mut delta = *offset as u64;
                if let Some((index, scale)) = index {
                    let Some(index) = self.small(index) else { return false };
                    delta = delta.wrapping_add(index.wrapping_mul(*scale as u64));
                }
                self.set_small(*dst, base.wrapping_add(delta) & low(self.word_bits), prov);
                true
            }
            InstKind::Load { dst, ty, ptr } => {
                let Some((at, Prov::Object(id))) = self.pointer(ptr) else { return false };
                if *ty == Ty::Ptr {
                    return match self.mem.read_pointer_quickly(id, at, self.word_bytes) {
                        Some((bits, prov)) => {
                            self.set_small(*dst, bits, prov);
                            true
                        }
                        None => false,
                    };
                }
                let (n, width) = match ty {
                    Ty::Int(width @ (8 | 16 | 32 | 64)) => (u64::from(*width) / 8, *width),
                    _ => return false,
                };
                let Some(bits) = self.mem.read_quickly(id, at, n) else { return false };
                self.set_small(*dst, bits & low(width), Prov::None);
                true
            }
            InstKind::Store { ty, value, ptr } => {
                let Some((at, Prov::Object(id))) = self.pointer(ptr) else { return false };
                let n = match ty {
                    Ty::Int(width @ (8 | 16 | 32 | 64)) => u64::from(*width) / 8,
                    _ => return false,
                };
                let Some(value) = self.small(value) else { return false };
                self.mem.write_quickly(id, at, n, value)
            }
            _ => false,
        }
    }

    /// The address that an operand is.
    #[inline(always)]
    fn pointer(&self, operand: &Operand) -> Option<(u64, Prov)> {
        match operand {
            Operand::Reg(_) => self.held(operand),
            Operand::Global(id) => {
                let object = self.globals[id.as_u32() as usize];
                Some((self.mem.get(object).base, Prov::Object(object)))
            }
            Operand::Local(id) => {
                let object = self.locals[self.top.locals + id.as_u32() as usize]?;
                Some((self.mem.get(object).base, Prov::Object(object)))
            }
            _ => None,
        }
    }
}

/// As `BinOp::compute`; none where that is no plain result.
#[inline(always)]
fn compute(op: BinOp, width: u8, a: u64, b: u64) -> Option<u64> {
    let inside = b < u64::from(width);
    Some(match op {
        BinOp::Add => a.wrapping_add(b) & low(width),
        BinOp::Sub => a.wrapping_sub(b) & low(width),
        BinOp::Mul => a.wrapping_mul(b) & low(width),
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::Shl if inside => (a << b) & low(width),
        BinOp::LShr if inside => a >> b,
        BinOp::AShr if inside => (signed(a, width) >> b) as u64 & low(width),
        BinOp::UDiv if b != 0 => a / b,
        BinOp::URem if b != 0 => a % b,
        BinOp::SDiv if b != 0 => signed(a, width).wrapping_div(signed(b, width)) as u64 & low(width),
        BinOp::SRem if b != 0 => signed(a, width).wrapping_rem(signed(b, width)) as u64 & low(width),
        _ => return None,
    })
}

/// As `CmpOp::holds`.
#[inline(always)]
fn holds(op: CmpOp, width: u8, a: u64, b: u64) -> bool {
    let (x, y) = (signed(a, width), signed(b, width));
    match op {
        CmpOp::Eq => a == b,
        CmpOp::Ne => a != b,
        CmpOp::Ult => a < b,
        CmpOp::Ule => a <= b,
        CmpOp::Ugt => a > b,
        CmpOp::Uge => a >= b,
        CmpOp::Slt => x < y,
        CmpOp::Sle => x <= y,
        CmpOp::Sgt => x > y,
        CmpOp::Sge => x >= y,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapproof_ir::{Computed, mask};

    const OPS: [BinOp; 13] = [
        BinOp::Add,
        BinOp::Sub,
        BinOp::Mul,
        BinOp::UDiv,
        BinOp::SDiv,
        BinOp::URem,
        BinOp::SRem,
        BinOp::And,
        BinOp::Or,
        BinOp::Xor,
        BinOp::Shl,
        BinOp::LShr,
        BinOp::AShr,
    ];
    const COMPARISONS: [CmpOp; 10] = [
        CmpOp::Eq,
        CmpOp::Ne,
        CmpOp::Ult,
        CmpOp::Ule,
        CmpOp::Ugt,
        CmpOp::Uge,
        CmpOp::Slt,
        CmpOp::Sle,
        CmpOp::Sgt,
        CmpOp::Sge,
    ];

    #[test]
    fn quick_arithmetic_is_arithmetic() {
        let edges =
            [0u64, 1, 2, 3, 7, 8, 31, 32, 63, 64, 127, 128, 255, 1 << 31, u64::MAX >> 1, 1 << 63, u64::MAX];
        for width in [1, 7, 8, 16, 31, 32, 33, 63, 64] {
            for a in edges.map(|a| a & low(width)) {
                for b in edges.map(|b| b & low(width)) {
                    let (wide_a, wide_b) = (u128::from(a), u128::from(b));
                    for op in OPS {
                        if let Some(bits) = compute(op, width, a, b) {
                            let expected = op.compute(width, wide_a, wide_b);
                            assert_eq!(Computed::Bits(bits.into()), expected, "{op:?} {width} {a} {b}");
                            assert_eq!(u128::from(bits) & !mask(width), 0);
                        }
                    }
                    for op in COMPARISONS {
                        assert_eq!(
                            holds(op, width, a, b),
                            op.holds(width, wide_a, wide_b),
                            "{op:?} {width} {a} {b}"
                        );
                    }
                }
            }
        }
    }
}
