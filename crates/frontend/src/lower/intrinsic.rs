//! LLVM's intrinsic functions.

use super::Unsupported;
use super::body::{Builder, Parts};
use super::inst::one;
use crate::llvm::{TypeKind, Value};
use heapproof_ir::{
    BinOp, Callee, CastOp, CmpOp, CopyKind, FloatBinOp, FloatUnOp, InstKind, IntUnOp, Operand, Reg, Ty,
};
use llvm_sys::LLVMOpcode;

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
            "is" if rest.starts_with("is.constant") => {
                self.either(dst[0]);
                Ok(())
            }
            "objectsize" => {
                let smallest = call.operand(1).int_constant() == Some(1);
                self.constant_result(dst, if smallest { 0 } else { u128::MAX })
            }
            "trap" | "debugtrap" | "ubsantrap" => self.abort(),
            "frameaddress" if is_kept_for_a_jump(call) => {
                // It goes into a buffer that `__builtin_setjmp` fills anew.
                self.emit(InstKind::Copy { dst: dst[0], src: Operand::Null });
                Ok(())
            }
            "eh" if rest.starts_with("eh.sjlj.setjmp") => self.jump("__builtin_setjmp", call, dst),
            "eh" if rest.starts_with("eh.sjlj.longjmp") => self.jump("__builtin_longjmp", call, dst),
            "frameaddress" | "returnaddress" | "addressofreturnaddress" => {
                Err("the address of a frame or of what it returns to".to_owned())
            }
            "readcyclecounter" => {
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

    pub fn constant_result(&mut self, dst: &[Reg], bits: u128) -> Result<(), Unsupported> {
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

    /// `__builtin_setjmp` or `__builtin_longjmp`.
    fn jump(&mut self, name: &str, call: Value<'m>, dst: &[Reg]) -> Result<(), Unsupported> {
        let buffer = self.single(call.operand(0))?;
        let results = dst.iter().map(|reg| self.body.regs[*reg].ty).collect();
        let function = self.module.program.declared(name, vec![Ty::Ptr], results);
        let (results, callee) = (dst.to_vec(), Callee::Direct(function));
        self.emit(InstKind::Call { results, callee, args: vec![buffer] });
        Ok(())
    }

    /// `__builtin_trap` ends the program like `abort`.
    fn abort(&mut self) -> Result<(), Unsupported> {
        let abort = self.module.program.declared("abort", Vec::new(), Vec::new());
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
            args.push(self.operand(call.operand(index))?);
        }
        if family == "vector" {
            return self.reduction(name, &args, one(dst)?).ok_or_else(unsupported);
        }
        if call.ty().kind() != TypeKind::Vector {
            let args: Option<Vec<_>> = args.iter().map(only).collect();
            return self.scalar_arithmetic(family, name, &args.ok_or_else(unsupported)?, dst);
        }
        for (index, &dst) in dst.iter().enumerate() {
            let lane = |parts: &Parts| only(parts).or(parts.get(index).copied());
            let args: Option<Vec<_>> = args.iter().map(lane).collect();
            self.scalar_arithmetic(family, name, &args.ok_or_else(unsupported)?, &[dst])?;
        }
        Ok(())
    }

    /// All elements of a vector combined; a sum or product of floating point has a first value.
    fn reduction(&mut self, name: &str, args: &[Parts], dst: Reg) -> Option<()> {
        let operation = name.strip_prefix("vector.reduce.")?.split('.').next()?;
        let mut elements = args.iter().flatten().copied();
        let mut sum = elements.next()?;
        let ty = self.body.operand_ty(&sum);
        for element in elements {
            let next = match (ty, min_max(operation), int_binary(operation), float_fold(operation)) {
                (Ty::Int(_), Some(op), _, _) => self.chosen(op, ty, sum, element),
                (Ty::Int(width), None, Some(op), _) => self.int_operation(op, width, sum, element),
                (Ty::Float(kind), None, None, Some(op)) => {
                    let dst = self.temporary(ty);
                    self.emit(InstKind::FloatBin { dst, op, kind, a: sum, b: element });
                    Operand::Reg(dst)
                }
                _ => return None,
            };
            sum = next;
        }
        self.emit(InstKind::Copy { dst, src: sum });
        Some(())
    }

    fn scalar_arithmetic(
        &mut self,
        family: &str,
        name: &str,
        args: &[Operand],
        dst: &[Reg],
    ) -> Result<(), Unsupported> {
        let unsupported = || format!("the intrinsic llvm.{name}");
        let &first = dst.first().ok_or_else(unsupported)?;
        match (self.body.operand_ty(args.first().ok_or_else(unsupported)?), args) {
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
                self.funnel_shift(family, width, [high, low, by], first);
                Ok(())
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

    /// The double word `high:low` shifted, its upper (`fshl`) or lower (`fshr`) half.
    fn funnel_shift(&mut self, family: &str, width: u8, args: [Operand; 3], dst: Reg) {
        let [high, low, by] = args;
        let whole = |bits: u8| Operand::Int { bits: u128::from(bits), width };
        let by = self.int_operation(BinOp::URem, width, by, whole(width));
        // The other word is shifted by the rest of the width, in two steps: the rest may be the whole width.
        let rest = self.int_operation(BinOp::Sub, width, whole(width - 1), by);
        let (near, far, towards, away) = match family {
            "fshl" => (high, low, BinOp::Shl, BinOp::LShr),
            _ => (low, high, BinOp::LShr, BinOp::Shl),
        };
        let a = self.int_operation(towards, width, near, by);
        let once = self.int_operation(away, width, far, whole(1));
        let b = self.int_operation(away, width, once, rest);
        self.emit(InstKind::Bin { dst, op: BinOp::Or, width, a, b });
    }
}

/// True if the address of a frame is only stored, by `__builtin_setjmp` into its buffer.
fn is_kept_for_a_jump(address: Value<'_>) -> bool {
    let mut next = address.following();
    let Some(store) = next.next().filter(|next| next.opcode() == LLVMOpcode::LLVMStore) else { return false };
    let is_jump = |value: &Value<'_>| {
        value.opcode() == LLVMOpcode::LLVMCall
            && value.called_value().name().starts_with("llvm.eh.sjlj.setjmp")
            && value.operand(0) == store.operand(1)
    };
    store.operand(0) == address && next.take(4).any(|value| is_jump(&value))
}

/// The only scalar.
fn only(parts: &Parts) -> Option<Operand> {
    match parts[..] {
        [part] => Some(part),
        _ => None,
    }
}

fn int_binary(operation: &str) -> Option<BinOp> {
    Some(match operation {
        "add" => BinOp::Add,
        "mul" => BinOp::Mul,
        "and" => BinOp::And,
        "or" => BinOp::Or,
        "xor" => BinOp::Xor,
        _ => return None,
    })
}

fn float_fold(operation: &str) -> Option<FloatBinOp> {
    Some(match operation {
        "fadd" => FloatBinOp::Add,
        "fmul" => FloatBinOp::Mul,
        "fmin" => FloatBinOp::Min,
        "fmax" => FloatBinOp::Max,
        _ => return None,
    })
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
