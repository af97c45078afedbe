//! LLVM's intrinsic functions.

use super::Unsupported;
use super::body::Builder;
use crate::llvm::Value;
use heapproof_ir::{
    BinOp, Callee, CastOp, CmpOp, CopyKind, FloatBinOp, FloatUnOp, Function, InstKind, IntUnOp, Operand, Reg,
    Span, Ty,
};

impl<'m> Builder<'_, 'm> {
    pub fn intrinsic(&mut self, name: &str, call: Value<'m>, dst: &[Reg]) -> Result<(), Unsupported> {
        let rest = name.strip_prefix("llvm.").unwrap_or(name);
        let family = rest.split('.').next().unwrap_or(rest);
        match family {
            "dbg" | "prefetch" | "assume" | "donothing" | "sideeffect" | "annotation" | "var"
            | "experimental"
                if dst.is_empty() =>
            {
                Ok(())
            }
            "experimental" if rest.starts_with("experimental.noalias") => Ok(()),
            "lifetime" => self.scope(rest, call),
            "memcpy" | "memmove" | "memset" => self.block_operation(family, call),
            "stacksave" => {
                self.emit(InstKind::StackSave { dst: dst[0] });
                Ok(())
            }
            "stackrestore" => {
                let saved = self.single(call.operand(0))?;
                self.emit(InstKind::StackRestore { saved });
                Ok(())
            }
            "va_start" | "va_end" | "va_copy" => self.variadic(family, call),
            "expect" | "ssa" | "launder" | "strip" | "threadlocal" | "annotation" | "ptr" => {
                let src = self.single(call.operand(0))?;
                self.emit(InstKind::Copy { dst: dst[0], src });
                Ok(())
            }
            "ptrmask" => self.masked_pointer(call, dst[0]),
            "is" if rest.starts_with("is.constant") => self.constant_result(dst, 0),
            "objectsize" => {
                let smallest = call.operand(1).int_constant() == Some(1);
                self.constant_result(dst, if smallest { 0 } else { u128::MAX })
            }
            "trap" | "debugtrap" | "ubsantrap" => self.abort(),
            "frameaddress" | "returnaddress" | "addressofreturnaddress" | "readcyclecounter" => {
                let src = Operand::Undef(self.body.regs[dst[0]].ty);
                self.emit(InstKind::Copy { dst: dst[0], src });
                Ok(())
            }
            _ => self.arithmetic(family, rest, call, dst),
        }
    }

    /// An address with some bits cleared.
    fn masked_pointer(&mut self, call: Value<'m>, dst: Reg) -> Result<(), Unsupported> {
        let (pointer, mask) = (self.single(call.operand(0))?, self.single(call.operand(1))?);
        let mask = self.at_pointer_width(mask, true);
        let width = self.module.program.target.pointer_bits();
        let (from, to) = (Ty::Int(width), Ty::Ptr);
        let number = self.temporary(from);
        self.emit(InstKind::Cast { dst: number, op: CastOp::PtrToInt, from: to, to: from, a: pointer });
        let a = self.int_operation(BinOp::And, width, Operand::Reg(number), mask);
        self.emit(InstKind::Cast { dst, op: CastOp::IntToPtr, from, to, a });
        Ok(())
    }

    fn constant_result(&mut self, dst: &[Reg], bits: u128) -> Result<(), Unsupported> {
        let Ty::Int(width) = self.body.regs[dst[0]].ty else { return Err("an unusual intrinsic".into()) };
        let src = Operand::Int { bits: bits & heapproof_ir::mask(width), width };
        self.emit(InstKind::Copy { dst: dst[0], src });
        Ok(())
    }

    fn scope(&mut self, name: &str, call: Value<'m>) -> Result<(), Unsupported> {
        let Operand::Local(local) = self.single(call.operand(1))? else {
            return Err("a scope of something that is no local".to_owned());
        };
        self.emit(if name.starts_with("lifetime.start") {
            InstKind::ScopeStart { local }
        } else {
            InstKind::ScopeEnd { local }
        });
        Ok(())
    }

    /// Structure copies and initialisations; calls of `memcpy` itself are ordinary calls.
    fn block_operation(&mut self, family: &str, call: Value<'m>) -> Result<(), Unsupported> {
        let to = self.single(call.operand(0))?;
        let second = self.single(call.operand(1))?;
        if family == "memcpy" && self.copy_initialiser(call, to, second) {
            return Ok(());
        }
        let len = self.single(call.operand(2))?;
        let len = self.at_pointer_width(len, false);
        let kind = if family == "memcpy" { CopyKind::Struct } else { CopyKind::Move };
        self.emit(if family == "memset" {
            InstKind::FillBlock { to, byte: second, len }
        } else {
            InstKind::CopyBlock { kind, to, from: second, len }
        });
        Ok(())
    }

    fn variadic(&mut self, family: &str, call: Value<'m>) -> Result<(), Unsupported> {
        let list = self.single(call.operand(0))?;
        let inst = match family {
            "va_start" => InstKind::VaStart { list },
            "va_end" => InstKind::VaEnd { list },
            _ => InstKind::VaCopy { to: list, from: self.single(call.operand(1))? },
        };
        self.emit(inst);
        Ok(())
    }

    /// `__builtin_trap` ends the program like `abort`.
    fn abort(&mut self) -> Result<(), Unsupported> {
        let known = self.module.program.function("abort");
        let abort = known.unwrap_or_else(|| {
            self.module.program.functions.push(Function {
                name: "abort".to_owned(),
                params: Vec::new(),
                results: Vec::new(),
                variadic: false,
                internal: false,
                ctype: None,
                span: Span::NONE,
                body: None,
            })
        });
        self.emit(InstKind::Call { results: Vec::new(), callee: Callee::Direct(abort), args: Vec::new() });
        Ok(())
    }

    fn arithmetic(
        &mut self,
        family: &str,
        name: &str,
        call: Value<'m>,
        dst: &[Reg],
    ) -> Result<(), Unsupported> {
        let unsupported = || format!("the intrinsic llvm.{name}");
        let mut args = Vec::new();
        for index in 0..call.argument_count() {
            args.push(self.single(call.operand(index))?);
        }
        let &first = dst.first().ok_or_else(unsupported)?;
        match (self.body.operand_ty(args.first().ok_or_else(unsupported)?), &args[..]) {
            (Ty::Int(width), _) if name.contains(".with.overflow") => {
                self.with_overflow(family, width, args[0], args[1], dst).ok_or_else(unsupported)
            }
            (Ty::Int(width), &[a, ..]) if int_unary(family).is_some() => {
                let op = int_unary(family).ok_or_else(unsupported)?;
                self.emit(InstKind::IntUn { dst: first, op, width, a });
                Ok(())
            }
            (ty @ Ty::Int(_), &[a, b]) if min_max(family).is_some() => {
                let op = min_max(family).ok_or_else(unsupported)?;
                let src = self.chosen(op, ty, a, b);
                self.emit(InstKind::Copy { dst: first, src });
                Ok(())
            }
            (ty @ Ty::Int(width), &[a, _]) if family == "abs" => {
                let negated = self.int_operation(BinOp::Sub, width, Operand::Int { bits: 0, width }, a);
                let src = self.chosen(CmpOp::Sgt, ty, a, negated);
                // The smallest number is its own negation, and neither is greater: both choices agree.
                self.emit(InstKind::Copy { dst: first, src });
                Ok(())
            }
            (Ty::Int(width), &[high, low, by]) if family == "fshl" || family == "fshr" => {
                self.funnel_shift(family, width, [high, low, by], first).ok_or_else(unsupported)
            }
            (Ty::Float(kind), &[a, Operand::Int { bits, .. }]) if name.starts_with("is.fpclass") => {
                self.is_class(kind, a, bits, first)
            }
            (Ty::Float(kind), &[a]) if float_unary(family).is_some() => {
                let op = float_unary(family).ok_or_else(unsupported)?;
                self.emit(InstKind::FloatUn { dst: first, op, kind, a });
                Ok(())
            }
            (Ty::Float(kind), &[a, b]) if float_binary(family).is_some() => {
                let op = float_binary(family).ok_or_else(unsupported)?;
                self.emit(InstKind::FloatBin { dst: first, op, kind, a, b });
                Ok(())
            }
            (Ty::Float(kind), &[a, b, c]) if family == "fmuladd" => {
                // Not fused: clang leaves the choice.
                let product = self.temporary(Ty::Float(kind));
                self.emit(InstKind::FloatBin { dst: product, op: FloatBinOp::Mul, kind, a, b });
                let a = Operand::Reg(product);
                self.emit(InstKind::FloatBin { dst: first, op: FloatBinOp::Add, kind, a, b: c });
                Ok(())
            }
            _ => Err(unsupported()),
        }
    }

    /// `{result, overflowed}` by computing with twice the width.
    fn with_overflow(&mut self, family: &str, width: u8, a: Operand, b: Operand, dst: &[Reg]) -> Option<()> {
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
        let double = width.checked_mul(2).filter(|&w| w <= 128)?;
        let extend = if signed { CastOp::SExt } else { CastOp::ZExt };
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
        Some(())
    }

    /// The double word `high:low` shifted by a constant, its upper (`fshl`) or lower (`fshr`) half.
    fn funnel_shift(&mut self, family: &str, width: u8, args: [Operand; 3], dst: Reg) -> Option<()> {
        let [high, low, by] = args;
        let Operand::Int { bits, .. } = by else { return None };
        let by = bits % u128::from(width);
        if by == 0 {
            let src = if family == "fshl" { high } else { low };
            self.emit(InstKind::Copy { dst, src });
            return Some(());
        }
        let by = if family == "fshl" { by } else { u128::from(width) - by };
        let left = Operand::Int { bits: by, width };
        let right = Operand::Int { bits: u128::from(width) - by, width };
        let a = self.int_operation(BinOp::Shl, width, high, left);
        let b = self.int_operation(BinOp::LShr, width, low, right);
        self.emit(InstKind::Bin { dst, op: BinOp::Or, width, a, b });
        Some(())
    }
}

fn int_unary(family: &str) -> Option<IntUnOp> {
    Some(match family {
        "bswap" => IntUnOp::ByteSwap,
        "bitreverse" => IntUnOp::BitReverse,
        "ctpop" => IntUnOp::PopCount,
        "ctlz" => IntUnOp::LeadingZeros,
        "cttz" => IntUnOp::TrailingZeros,
        _ => return None,
    })
}

fn min_max(family: &str) -> Option<CmpOp> {
    Some(match family {
        "smax" => CmpOp::Sgt,
        "smin" => CmpOp::Slt,
        "umax" => CmpOp::Ugt,
        "umin" => CmpOp::Ult,
        _ => return None,
    })
}

fn float_unary(family: &str) -> Option<FloatUnOp> {
    Some(match family {
        "fabs" => FloatUnOp::Abs,
        "sqrt" => FloatUnOp::Sqrt,
        "floor" => FloatUnOp::Floor,
        "ceil" => FloatUnOp::Ceil,
        "trunc" => FloatUnOp::Trunc,
        "round" => FloatUnOp::Round,
        "roundeven" | "rint" | "nearbyint" => FloatUnOp::RoundEven,
        _ => return None,
    })
}

fn float_binary(family: &str) -> Option<FloatBinOp> {
    Some(match family {
        "copysign" => FloatBinOp::CopySign,
        "minnum" => FloatBinOp::Min,
        "maxnum" => FloatBinOp::Max,
        _ => return None,
    })
}
