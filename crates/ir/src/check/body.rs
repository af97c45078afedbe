//! The rules for bodies, instructions and terminators. See [`crate::check`].

use super::{Checker, Place, Problem};
use crate::inst::{Callee, CastOp, InstKind, Operand, Terminator};
use crate::program::{BlockId, Body, FuncId, Function, LocalId, Reg, Variable};
use crate::scalar::{Ty, mask};

impl Checker<'_> {
    pub(super) fn body(&mut self, id: FuncId, function: &Function, body: &Body) {
        self.require(!body.blocks.is_empty(), Problem::NoBlock);
        let (expected, found) = (function.params.len(), body.params.len());
        self.require(expected == found, Problem::ParamCount { expected, found });
        for (index, reg) in body.params.iter().enumerate() {
            self.require(!body.params[..index].contains(reg), Problem::ParamTwice(*reg));
            match function.params.get(index) {
                Some(ty) => self.reg(body, *reg, *ty),
                None => self.require(body.regs.is_valid(*reg), Problem::NoSuchReg(*reg)),
            }
        }
        for (reg, info) in body.regs.iter() {
            self.place = Place::Reg(id, reg);
            self.ty(info.ty);
            self.variable(&info.variable);
        }
        for (local, info) in body.locals.iter() {
            self.place = Place::Local(id, local);
            self.align(info.align);
            self.variable(&info.variable);
        }
        for (block_id, block) in body.blocks.iter() {
            for (index, inst) in block.insts.iter().enumerate() {
                self.place = Place::Inst(id, block_id, index);
                self.span(inst.span);
                self.inst(function, body, &inst.kind);
            }
            self.place = Place::Terminator(id, block_id);
            self.span(block.term_span);
            self.terminator(function, body, &block.term);
        }
    }

    fn variable(&mut self, variable: &Option<Variable>) {
        if let Some(variable) = variable {
            self.type_id(variable.ctype);
            self.span(variable.span);
        }
    }

    /// A register exists and has the type.
    fn reg(&mut self, body: &Body, reg: Reg, expected: Ty) {
        match body.regs.get(reg) {
            None => self.report(Problem::NoSuchReg(reg)),
            Some(info) => {
                let found = info.ty;
                self.require(found == expected, Problem::RegType { reg, expected, found });
            }
        }
    }

    /// An operand is sound in itself; its type if it has one.
    fn operand(&mut self, body: &Body, operand: &Operand) -> Option<Ty> {
        let program = self.program;
        match operand {
            Operand::Reg(reg) => {
                let info = body.regs.get(*reg);
                self.require(info.is_some(), Problem::NoSuchReg(*reg));
                return info.map(|info| info.ty);
            }
            Operand::Int { bits, width } => {
                let ty = Ty::Int(*width);
                self.ty(ty);
                self.require(*bits <= mask(*width), Problem::ConstantBits(ty));
            }
            Operand::Float { bits, kind } => {
                self.require(*bits <= mask(kind.bits()), Problem::ConstantBits(Ty::Float(*kind)));
            }
            Operand::Null => {}
            Operand::Global(id) => self.require(program.globals.is_valid(*id), Problem::NoSuchGlobal(*id)),
            Operand::Local(id) => self.require(body.locals.is_valid(*id), Problem::NoSuchLocal(*id)),
            Operand::Func(id) => self.require(program.functions.is_valid(*id), Problem::NoSuchFunction(*id)),
            Operand::Undef(ty) => self.ty(*ty),
        }
        // Not of a register, so the type needs nothing that might not exist.
        Some(body.operand_ty(operand))
    }

    /// The operands of an instruction, counted from `first`, have one type.
    fn operands(&mut self, body: &Body, first: usize, operands: &[&Operand], expected: Ty) {
        for (offset, operand) in operands.iter().enumerate() {
            if let Some(found) = self.operand(body, operand)
                && found != expected
            {
                self.report(Problem::OperandType { index: first + offset, expected, found });
            }
        }
    }

    fn inst(&mut self, function: &Function, body: &Body, kind: &InstKind) {
        use InstKind::*;
        let pointer_int = Ty::Int(self.program.target.pointer_bits());
        if let (Some(ty), [dst]) = (kind.result_ty(), kind.defs()) {
            self.ty(ty);
            self.reg(body, *dst, ty);
        }
        match kind {
            Copy { dst, src } => {
                if let Some(ty) = self.operand(body, src) {
                    self.reg(body, *dst, ty);
                }
            }
            Forget { dst } => self.require(body.regs.is_valid(*dst), Problem::NoSuchReg(*dst)),
            Bin { width, a, b, .. } => self.operands(body, 0, &[a, b], Ty::Int(*width)),
            IntUn { width, a, .. } => self.operands(body, 0, &[a], Ty::Int(*width)),
            FloatBin { kind, a, b, .. } | FloatCmp { kind, a, b, .. } => {
                self.operands(body, 0, &[a, b], Ty::Float(*kind));
            }
            FloatUn { kind, a, .. } => self.operands(body, 0, &[a], Ty::Float(*kind)),
            Cmp { ty, a, b, .. } => {
                self.ty(*ty);
                self.require(!matches!(ty, Ty::Float(_)), Problem::CmpType(*ty));
                self.operands(body, 0, &[a, b], *ty);
            }
            Cast { op, from, to, a, .. } => {
                self.ty(*from);
                self.operands(body, 0, &[a], *from);
                let (op, from, to) = (*op, *from, *to);
                self.require(cast_is_sound(op, from, to, pointer_int), Problem::Cast { op, from, to });
            }
            Select { ty, cond, a, b, .. } => {
                self.operands(body, 0, &[cond], Ty::BOOL);
                self.operands(body, 1, &[a, b], *ty);
            }
            PtrAdd { base, index, within, .. } => {
                self.operands(body, 0, &[base], Ty::Ptr);
                if let Some((index, _)) = index {
                    self.operands(body, 1, &[index], pointer_int);
                }
                self.type_id(*within);
            }
            Load { ptr, .. } => self.operands(body, 0, &[ptr], Ty::Ptr),
            Store { ty, value, ptr } => {
                self.ty(*ty);
                self.operands(body, 0, &[value], *ty);
                self.operands(body, 1, &[ptr], Ty::Ptr);
            }
            CopyBlock { to, from, len, .. } => {
                self.operands(body, 0, &[to, from], Ty::Ptr);
                self.operands(body, 2, &[len], pointer_int);
            }
            FillBlock { to, byte, len } => {
                self.operands(body, 0, &[to], Ty::Ptr);
                self.operands(body, 1, &[byte], Ty::Int(8));
                self.operands(body, 2, &[len], pointer_int);
            }
            Alloca { size, align, .. } => {
                self.operands(body, 0, &[size], pointer_int);
                self.align(*align);
            }
            StackSave { .. } => {}
            StackRestore { saved: list } | VaEnd { list } => self.operands(body, 0, &[list], Ty::Ptr),
            ScopeStart { local } | ScopeEnd { local } | Seal { local } => self.scope(body, *local),
            Call { results, callee, args } => self.call(body, results, callee, args),
            VaStart { list } => {
                self.require(function.variadic, Problem::NotVariadic);
                self.operands(body, 0, &[list], Ty::Ptr);
            }
            VaCopy { to, from } => self.operands(body, 0, &[to, from], Ty::Ptr),
            Unsupported { results, .. } => self.results(body, results),
        }
    }

    fn scope(&mut self, body: &Body, local: LocalId) {
        match body.locals.get(local) {
            None => self.report(Problem::NoSuchLocal(local)),
            Some(info) => self.require(info.scoped, Problem::NotScoped(local)),
        }
    }

    fn results(&mut self, body: &Body, results: &[Reg]) {
        for (index, reg) in results.iter().enumerate() {
            self.require(body.regs.is_valid(*reg), Problem::NoSuchReg(*reg));
            self.require(!results[..index].contains(reg), Problem::ResultTwice(*reg));
        }
    }

    fn call(&mut self, body: &Body, results: &[Reg], callee: &Callee, args: &[Operand]) {
        self.results(body, results);
        match callee {
            Callee::Indirect(pointer) => self.operands(body, 0, &[pointer], Ty::Ptr),
            Callee::Direct(id) => match self.program.functions.get(*id) {
                None => self.report(Problem::NoSuchFunction(*id)),
                Some(callee) if callee.body.is_some() => {
                    return self.call_defined(body, *id, callee, results, args);
                }
                Some(_) => {}
            },
        }
        for arg in args {
            self.operand(body, arg);
        }
    }

    fn call_defined(
        &mut self,
        body: &Body,
        id: FuncId,
        callee: &Function,
        results: &[Reg],
        args: &[Operand],
    ) {
        let (expected, found) = (callee.params.len(), args.len());
        let enough = found == expected || (callee.variadic && found > expected);
        self.require(enough, Problem::ArgCount { callee: id, expected, found });
        for (index, arg) in args.iter().enumerate() {
            match callee.params.get(index) {
                Some(ty) => self.operands(body, index, &[arg], *ty),
                None => {
                    self.operand(body, arg);
                }
            }
        }
        let (expected, found) = (callee.results.len(), results.len());
        self.require(expected == found, Problem::ResultCount { expected, found });
        for (reg, ty) in results.iter().zip(&callee.results) {
            if body.regs.is_valid(*reg) {
                self.reg(body, *reg, *ty);
            }
        }
    }

    fn terminator(&mut self, function: &Function, body: &Body, term: &Terminator) {
        term.for_each_successor(|to: BlockId| {
            self.require(body.blocks.is_valid(to), Problem::NoSuchBlock(to));
        });
        match term {
            Terminator::Jump(_) | Terminator::Unreachable => {}
            Terminator::Branch { cond, .. } => self.operands(body, 0, &[cond], Ty::BOOL),
            Terminator::Switch { value, width, cases, .. } => {
                let ty = Ty::Int(*width);
                self.ty(ty);
                self.operands(body, 0, &[value], ty);
                for (bits, _) in cases {
                    self.require(*bits <= mask(*width), Problem::ConstantBits(ty));
                }
            }
            Terminator::Return(values) => {
                let (expected, found) = (function.results.len(), values.len());
                self.require(expected == found, Problem::ResultCount { expected, found });
                for (index, value) in values.iter().enumerate() {
                    match function.results.get(index) {
                        Some(ty) => self.operands(body, index, &[value], *ty),
                        None => {
                            self.operand(body, value);
                        }
                    }
                }
            }
        }
    }
}

fn cast_is_sound(op: CastOp, from: Ty, to: Ty, pointer_int: Ty) -> bool {
    use Ty::{Float, Int, Ptr};
    match (op, from, to) {
        (CastOp::Trunc, Int(from), Int(to)) => from > to,
        (CastOp::ZExt | CastOp::SExt, Int(from), Int(to)) => from < to,
        (CastOp::PtrToInt, Ptr, to @ Int(_)) => to == pointer_int,
        (CastOp::IntToPtr, from @ Int(_), Ptr) => from == pointer_int,
        (CastOp::FloatToUInt | CastOp::FloatToSInt, Float(_), Int(_)) => true,
        (CastOp::UIntToFloat | CastOp::SIntToFloat, Int(_), Float(_)) => true,
        (CastOp::FloatToFloat, Float(_), Float(_)) => true,
        (CastOp::Bits, Int(width), Float(kind)) | (CastOp::Bits, Float(kind), Int(width)) => {
            width == kind.bits()
        }
        _ => false,
    }
}
