//! `llvm.is.fpclass`: the tests `isnan`, `isinf`, `isfinite`, `isnormal`, `signbit` by comparing bits.

use super::Unsupported;
use super::body::Builder;
use heapproof_ir::{BinOp, CastOp, CmpOp, FloatKind, InstKind, Operand, Reg, Ty, mask};

/// The bits of a format that separate its classes, for magnitudes (the sign bit cleared).
struct Layout {
    /// The least normal number.
    normal: u128,
    /// Infinity; every greater magnitude is not a number.
    infinity: u128,
    /// Set in a quiet NaN.
    quiet: u128,
}

impl Layout {
    fn of(kind: FloatKind) -> Layout {
        // Bits of the exponent and of the fraction; the x87 stores the leading 1 of the fraction.
        let (exponent, fraction, leading) = match kind {
            FloatKind::F32 => (8, 23, 0),
            FloatKind::F64 => (11, 52, 0),
            FloatKind::X87 => (15, 64, 1_u128 << 63),
            FloatKind::F128 => (15, 112, 0),
        };
        let quiet = if leading == 0 { 1 << (fraction - 1) } else { 1 << (fraction - 2) };
        let infinity = (((1_u128 << exponent) - 1) << fraction) | leading;
        Layout { normal: (1 << fraction) | leading, infinity, quiet }
    }
}

/// The bits of a class in LLVM's mask if negative and if positive, and the comparisons that all hold of its members.
type Row = (u128, u128, Vec<(CmpOp, Operand, u128)>);

impl Builder<'_, '_> {
    /// Sets `dst` if the number belongs to one of the classes of LLVM's mask.
    pub fn is_class(
        &mut self,
        kind: FloatKind,
        a: Operand,
        classes: u128,
        dst: Reg,
    ) -> Result<(), Unsupported> {
        let (width, layout) = (kind.bits(), Layout::of(kind));
        let (from, to) = (Ty::Float(kind), Ty::Int(width));
        let bits = self.temporary(to);
        self.emit(InstKind::Cast { dst: bits, op: CastOp::Bits, from, to, a });
        let bits = Operand::Reg(bits);
        let magnitude = self.int_operation(BinOp::And, width, bits, constant(mask(width - 1), width));
        let magnitude =
            if kind == FloatKind::X87 { self.supported(magnitude, width, &layout) } else { magnitude };
        let negative = self.compared(CmpOp::Slt, width, bits, 0);
        let quiet = self.int_operation(BinOp::And, width, magnitude, constant(layout.quiet, width));
        let Layout { normal, infinity, .. } = layout;
        let nan = [(CmpOp::Ugt, magnitude, infinity)];
        let rows: [Row; 6] = [
            (1, 1, [nan[0], (CmpOp::Eq, quiet, 0)].to_vec()),
            (2, 2, [nan[0], (CmpOp::Ne, quiet, 0)].to_vec()),
            (1 << 2, 1 << 9, vec![(CmpOp::Eq, magnitude, infinity)]),
            (1 << 3, 1 << 8, vec![(CmpOp::Uge, magnitude, normal), (CmpOp::Ult, magnitude, infinity)]),
            (1 << 4, 1 << 7, vec![(CmpOp::Ne, magnitude, 0), (CmpOp::Ult, magnitude, normal)]),
            (1 << 5, 1 << 6, vec![(CmpOp::Eq, magnitude, 0)]),
        ];
        let mut result = constant(0, 1);
        for (if_negative, if_positive, conditions) in rows {
            let (minus, plus) = (classes & if_negative != 0, classes & if_positive != 0);
            if !minus && !plus {
                continue;
            }
            let sign = match (minus, plus) {
                (true, true) => constant(1, 1),
                (true, false) => negative,
                _ => self.int_operation(BinOp::Xor, 1, negative, constant(1, 1)),
            };
            let member = conditions.into_iter().fold(sign, |all, (op, value, bound)| {
                let holds = self.compared(op, width, value, bound);
                self.int_operation(BinOp::And, 1, all, holds)
            });
            result = self.int_operation(BinOp::Or, 1, result, member);
        }
        self.emit(InstKind::Copy { dst, src: result });
        Ok(())
    }

    /// The x87 takes a number that is not 0 or subnormal, but lacks its leading 1, for a quiet NaN.
    fn supported(&mut self, magnitude: Operand, width: u8, layout: &Layout) -> Operand {
        let leading = self.int_operation(BinOp::And, width, magnitude, constant(1 << 63, width));
        let without = self.compared(CmpOp::Eq, width, leading, 0);
        let large = self.compared(CmpOp::Uge, width, magnitude, 1 << 64);
        let cond = self.int_operation(BinOp::And, 1, without, large);
        let (dst, ty) = (self.temporary(Ty::Int(width)), Ty::Int(width));
        let a = constant(layout.infinity | layout.quiet, width);
        self.emit(InstKind::Select { dst, ty, cond, a, b: magnitude });
        Operand::Reg(dst)
    }

    fn compared(&mut self, op: CmpOp, width: u8, a: Operand, bound: u128) -> Operand {
        let dst = self.temporary(Ty::BOOL);
        self.emit(InstKind::Cmp { dst, op, ty: Ty::Int(width), a, b: constant(bound, width) });
        Operand::Reg(dst)
    }
}

fn constant(bits: u128, width: u8) -> Operand {
    Operand::Int { bits, width }
}
