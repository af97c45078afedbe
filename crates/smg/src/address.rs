//! Addresses as numbers: they have the width of a pointer, and wrap as such numbers do.
//!
//! In a wider register an address stands for its number widened with zeros. Any other number made of an address that is
//! wider or narrower than a pointer is unknown.

use crate::graph::{Addr, State, Tg, Val};
use heapproof_ir::{BinOp, CastOp, mask, sign_extend};

/// No object lies in the first or in the last page of the address space.
pub const PAGE: i128 = 4096;

impl State {
    /// An address some bytes away from another.
    pub fn moved(&self, addr: Addr, by: i64) -> Addr {
        let width = self.pointer_bits();
        let off = addr.off.wrapping_add(by);
        Addr { off: sign_extend(off as u128 & mask(width), width) as i64, ..addr }
    }

    /// True if a cast of a value that is no number changes nothing but the width.
    pub fn is_same_address(&self, op: CastOp, from: u8, to: u8, val: Val) -> bool {
        let pointer = self.pointer_bits();
        match op {
            CastOp::Trunc => to >= pointer,
            CastOp::ZExt => from >= pointer && !matches!(val, Val::Sym(_)),
            CastOp::SExt => from > pointer && !matches!(val, Val::Sym(_)),
            _ => false,
        }
    }

    /// Arithmetic on addresses in numbers that are wider than a pointer: kept where nothing is carried into the upper bits.
    pub fn widened_arithmetic(&mut self, op: BinOp, width: u8, a: Val, b: Val) -> Val {
        let (addr, by) = match (op, a, b) {
            (BinOp::Add, Val::Addr(addr), Val::Int(n)) | (BinOp::Add, Val::Int(n), Val::Addr(addr)) => {
                (addr, Some(sign_extend(n & mask(width), width)))
            }
            (BinOp::Sub, Val::Addr(addr), Val::Int(n)) => {
                (addr, sign_extend(n & mask(width), width).checked_neg())
            }
            _ => return self.unknown(width),
        };
        let off = by.and_then(|by| by.checked_add(i128::from(addr.off)));
        match off {
            Some(off) if width > self.pointer_bits() && addr.tg == Tg::Region && self.holds(addr, off) => {
                Val::Addr(Addr { off: off as i64, ..addr })
            }
            _ => self.unknown(width),
        }
    }

    /// True if an address and another offset of its object lie both inside it, or at its end.
    fn holds(&self, addr: Addr, off: i128) -> bool {
        let object = self.object(addr.obj);
        let inside = self.first_offset(object)..=i128::from(object.size);
        inside.contains(&off) && inside.contains(&i128::from(addr.off))
    }

    /// True if an address is surely so near its object that it does not go around the address space.
    pub fn cannot_wrap(&self, val: Val) -> bool {
        let Some(((obj, _), lo, hi)) = self.place(val) else { return false };
        let object = self.object(obj);
        // Programs have 47 bits of the 64.
        let wide = self.pointer_bits() == 64;
        let room = if wide { i128::from(i64::MAX) } else { i128::from(object.size) + PAGE };
        lo - self.first_offset(object) >= -PAGE && (hi <= room || self.is_within_size(val))
    }

    /// True if the offset of an address is not larger than the unknown size of its object.
    fn is_within_size(&self, val: Val) -> bool {
        let (Some(offset), Some(obj)) = (self.offset(val), self.target(val)) else { return false };
        self.size_form(self.object(obj)).is_some_and(|size| self.is_at_most(&offset, &size, 0))
    }
}
