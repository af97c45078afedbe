//! What C leaves open, as `open.cpp` marks it: targets of assignments that depend on the order of evaluation, other operands whose
//! order matters, and what `__builtin_constant_p` answers.

use super::body::Builder;
use super::{Lowering, Unsupported};
use crate::llvm::Value;
use heapproof_ir::{
    Block, BlockId, Body, Callee, CastOp, CmpOp, FuncId, Function, Inst, InstKind, Operand, Reg, RegInfo,
    Span, Terminator, Ty,
};

/// How the names of the marks begin.
pub const MARK: &str = "__heapproof_";

/// The function that says with which block a compound literal ends, and returns its address.
pub const LITERAL: &str = "__heapproof_literal";

impl<'m> Builder<'_, 'm> {
    /// A call of a function that stands for something open.
    pub fn mark(&mut self, what: &str, call: Value<'m>, dst: &[Reg]) -> Result<(), Unsupported> {
        if let Some(which) = what.strip_prefix("open ") {
            return Err(format!("{which}, whose order C leaves open, where it matters"));
        }
        match (what, dst) {
            ("target", _) => {
                let before = self.single(call.operand(1))?;
                self.targets.insert(call.operand(0).int_constant(), before);
                Ok(())
            }
            ("chosen", &[dst]) => {
                let after = self.single(call.operand(1))?;
                let before = self.targets.get(&call.operand(0).int_constant()).copied();
                let before = before.ok_or("an assignment in an unusual order")?;
                let callee = Callee::Direct(self.module.chosen_target());
                self.emit(InstKind::Call { results: vec![dst], callee, args: vec![before, after] });
                Ok(())
            }
            ("literal", &[dst]) => {
                let src = self.single(call.operand(4))?;
                self.emit(InstKind::Copy { dst, src });
                Ok(())
            }
            ("maybe", &[dst]) => {
                self.either(dst);
                Ok(())
            }
            ("never", dst) => self.constant_result(dst, 0),
            _ => Err(format!("the mark {what}")),
        }
    }

    /// Zero or one, whichever an optimiser makes of it.
    pub fn either(&mut self, dst: Reg) {
        let (a, from, to) = (Operand::Undef(Ty::Int(1)), Ty::Int(1), self.body.regs[dst].ty);
        self.emit(match to == from {
            true => InstKind::Copy { dst, src: a },
            false => InstKind::Cast { dst, op: CastOp::ZExt, from, to, a },
        });
    }
}

impl Lowering<'_> {
    /// A function that takes two places and returns one of them, any if they differ.
    fn chosen_target(&mut self) -> FuncId {
        const NAME: &str = "(target before or after the value)";
        if let Some(known) = self.program.function(NAME) {
            return known;
        }
        let mut body = Body::default();
        let mut register = |ty| body.regs.push(RegInfo { ty, variable: None });
        let (before, after) = (register(Ty::Ptr), register(Ty::Ptr));
        let (equal, any) = (register(Ty::Int(1)), register(Ty::Int(1)));
        body.params = vec![before, after];
        let [before, after] = [before, after].map(Operand::Reg);
        let mut block = |kinds: Vec<InstKind>, term| {
            let insts = kinds.into_iter().map(|kind| Inst { kind, span: Span::NONE }).collect();
            body.blocks.push(Block { insts, term, term_span: Span::NONE })
        };
        let [differ, old, new] = [1, 2, 3].map(BlockId::from_u32);
        let compared = InstKind::Cmp { dst: equal, op: CmpOp::Eq, ty: Ty::Ptr, a: before, b: after };
        let branch = Terminator::Branch { cond: Operand::Reg(equal), then: new, otherwise: differ };
        block(vec![compared], branch);
        let free = InstKind::Copy { dst: any, src: Operand::Undef(Ty::Int(1)) };
        block(vec![free], Terminator::Branch { cond: Operand::Reg(any), then: old, otherwise: new });
        block(Vec::new(), Terminator::Return(vec![before]));
        block(Vec::new(), Terminator::Return(vec![after]));
        self.program.functions.push(Function {
            name: NAME.to_owned(),
            params: vec![Ty::Ptr, Ty::Ptr],
            results: vec![Ty::Ptr],
            variadic: false,
            internal: true,
            ctype: None,
            span: Span::NONE,
            body: Some(body),
        })
    }
}
