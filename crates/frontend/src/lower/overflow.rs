//! Arithmetic that says whether its result fits: `llvm.sadd.with.overflow` and its relatives.

use super::body::Builder;
use heapproof_ir::{BinOp, CastOp, CmpOp, InstKind, Operand, Reg, Ty};

impl Builder<'_, '_> {
    /// `{result, overflowed}`.
    pub fn with_overflow(
        &mut self,
        family: &str,
        width: u8,
        a: Operand,
        b: Operand,
        dst: &[Reg],
    ) -> Option<()> {
        let &[result, overflowed] = dst else { return None };
        let (signed, op) = match family {
            "sadd" => (true, BinOp::Add),
            "ssub" => (true, BinOp::Sub),
            "smul" => (true, BinOp::Mul),
            "uadd" => (false, BinOp::Add),
            "usub" => (false, BinOp::Sub),
            "umul" => (false, BinOp::Mul),
            _ => return None,
        };
        if width <= 64 {
            self.by_twice_the_width(op, signed, width, [a, b], result, overflowed);
            return Some(());
        }
        self.emit(InstKind::Bin { dst: result, op, width, a, b });
        let src = match (op, signed) {
            (BinOp::Mul, false) => self.product_overflows(width, a, b),
            (BinOp::Mul, true) => self.signed_product_overflows(width, a, b),
            (_, true) => self.signed_sum_overflows(op, width, [a, b], Operand::Reg(result)),
            (BinOp::Sub, false) => self.integers_compared(CmpOp::Ult, width, a, b),
            (_, false) => self.integers_compared(CmpOp::Ult, width, Operand::Reg(result), a),
        };
        self.emit(InstKind::Copy { dst: overflowed, src });
        Some(())
    }

    fn by_twice_the_width(
        &mut self,
        op: BinOp,
        signed: bool,
        width: u8,
        [a, b]: [Operand; 2],
        result: Reg,
        overflowed: Reg,
    ) {
        let extend = if signed { CastOp::SExt } else { CastOp::ZExt };
        let double = width * 2;
        let (narrow, wide) = (Ty::Int(width), Ty::Int(double));
        let widened = |builder: &mut Self, a| {
            let dst = builder.temporary(wide);
            builder.emit(InstKind::Cast { dst, op: extend, from: narrow, to: wide, a });
            Operand::Reg(dst)
        };
        let (x, y) = (widened(self, a), widened(self, b));
        let exact = self.int_operation(op, double, x, y);
        self.emit(InstKind::Cast { dst: result, op: CastOp::Trunc, from: wide, to: narrow, a: exact });
        let back = widened(self, Operand::Reg(result));
        self.emit(InstKind::Cmp { dst: overflowed, op: CmpOp::Ne, ty: wide, a: exact, b: back });
    }

    /// A sum overflows if its sign is neither that of `a` nor that of `b`, a difference if `a` and `b` differ in sign
    /// and so do `a` and the result.
    fn signed_sum_overflows(
        &mut self,
        op: BinOp,
        width: u8,
        [a, b]: [Operand; 2],
        result: Operand,
    ) -> Operand {
        let one = self.int_operation(BinOp::Xor, width, a, result);
        let other = if op == BinOp::Add { result } else { a };
        let two = self.int_operation(BinOp::Xor, width, b, other);
        let both = self.int_operation(BinOp::And, width, one, two);
        self.integers_compared(CmpOp::Slt, width, both, Operand::Int { bits: 0, width })
    }

    /// Whether the product of unsigned numbers does not fit: division takes it back otherwise.
    fn product_overflows(&mut self, width: u8, a: Operand, b: Operand) -> Operand {
        let (zero, one) = (Operand::Int { bits: 0, width }, Operand::Int { bits: 1, width });
        let none = self.integers_compared(CmpOp::Eq, width, a, zero);
        let dst = self.temporary(Ty::Int(width));
        self.emit(InstKind::Select { dst, ty: Ty::Int(width), cond: none, a: one, b: a });
        let product = self.int_operation(BinOp::Mul, width, Operand::Reg(dst), b);
        let back = self.int_operation(BinOp::UDiv, width, product, Operand::Reg(dst));
        // With 1 in the place of 0 it is always taken back.
        self.integers_compared(CmpOp::Ne, width, back, b)
    }

    /// The same of signed numbers, by their absolute values.
    fn signed_product_overflows(&mut self, width: u8, a: Operand, b: Operand) -> Operand {
        let zero = Operand::Int { bits: 0, width };
        let absolute = |builder: &mut Self, x: Operand| {
            let negated = builder.int_operation(BinOp::Sub, width, zero, x);
            let cond = builder.integers_compared(CmpOp::Slt, width, x, zero);
            let dst = builder.temporary(Ty::Int(width));
            builder.emit(InstKind::Select { dst, ty: Ty::Int(width), cond, a: negated, b: x });
            Operand::Reg(dst)
        };
        let (x, y) = (absolute(self, a), absolute(self, b));
        let too_long = self.product_overflows(width, x, y);
        let product = self.int_operation(BinOp::Mul, width, x, y);
        let signs = self.int_operation(BinOp::Xor, width, a, b);
        let cond = self.integers_compared(CmpOp::Slt, width, signs, zero);
        let most = Operand::Int { bits: heapproof_ir::mask(width - 1), width };
        let least = Operand::Int { bits: 1 << (width - 1), width };
        let limit = self.temporary(Ty::Int(width));
        self.emit(InstKind::Select { dst: limit, ty: Ty::Int(width), cond, a: least, b: most });
        let too_large = self.integers_compared(CmpOp::Ugt, width, product, Operand::Reg(limit));
        self.int_operation(BinOp::Or, 1, too_long, too_large)
    }

    fn integers_compared(&mut self, op: CmpOp, width: u8, a: Operand, b: Operand) -> Operand {
        let dst = self.temporary(Ty::Int(1));
        self.emit(InstKind::Cmp { dst, op, ty: Ty::Int(width), a, b });
        Operand::Reg(dst)
    }
}
