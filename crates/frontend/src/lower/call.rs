//! Calls of functions.

use super::Unsupported;
use super::body::Builder;
use super::open::MARK;
use crate::llvm::{Type, TypeKind, Value};
use heapproof_ir::{BinOp, Callee, CopyKind, FuncId, InstKind, Local, LocalId, Operand, Reg, Ty};

impl<'m> Builder<'_, 'm> {
    pub fn call(&mut self, value: Value<'m>, dst: &[Reg]) -> Result<(), Unsupported> {
        let mut called = value.called_value();
        while let Some(aliasee) = called.aliasee() {
            called = aliasee;
        }
        if called.is_inline_asm() {
            return self.inline_asm(value, called, dst);
        }
        if called.is_function() && called.name().starts_with("llvm.") {
            return self.intrinsic(&called.name(), value, dst);
        }
        if let Some(what) = called.name().strip_prefix(MARK).filter(|_| called.is_function()) {
            return self.mark(what, value, dst);
        }
        let callee = match self.module.functions.get(&called) {
            Some(&function) => Callee::Direct(function),
            None => Callee::Indirect(self.single(called)?),
        };
        let mut copies = Vec::new();
        let args = self.arguments(value, &mut copies)?;
        if let Callee::Direct(function) = callee {
            self.check_signature(function, &args, dst)?;
        }
        self.emit(InstKind::Call { results: dst.to_vec(), callee, args });
        for local in copies {
            self.emit(InstKind::ScopeEnd { local });
        }
        Ok(())
    }

    fn arguments(
        &mut self,
        value: Value<'m>,
        copies: &mut Vec<LocalId>,
    ) -> Result<Vec<Operand>, Unsupported> {
        let fixed = value.called_type().params().len() as u32;
        let mut args = Vec::new();
        for index in 0..value.argument_count() {
            let argument = value.operand(index);
            match value.byval_argument(index) {
                Some(ty) if index >= fixed => self.variadic_structure(argument, ty, &mut args)?,
                Some(ty) => args.push(self.argument_copy(argument, ty, copies)?),
                _ if index >= fixed && argument.ty().kind() == TypeKind::Vector => {
                    args.push(self.packed(argument)?);
                }
                _ => args.extend(self.operand(argument)?),
            }
        }
        Ok(args)
    }

    /// A structure passed by value is read at the call; the callee makes its own copy of this copy.
    fn argument_copy(
        &mut self,
        argument: Value<'m>,
        ty: Type<'m>,
        copies: &mut Vec<LocalId>,
    ) -> Result<Operand, Unsupported> {
        let from = self.single(argument)?;
        let size = self.module.layout.alloc_size(ty);
        let align = self.module.layout.align(ty);
        let local =
            self.body.locals.push(Local { size, align, scoped: true, unmarked: false, variable: None });
        copies.push(local);
        self.emit(InstKind::ScopeStart { local });
        let (to, len) = (Operand::Local(local), self.pointer_int(size));
        self.emit(InstKind::CopyBlock { kind: CopyKind::Struct, to, from, len });
        Ok(to)
    }

    /// A structure among the variadic arguments, as the words that it fills on the stack.
    fn variadic_structure(
        &mut self,
        argument: Value<'m>,
        ty: Type<'m>,
        args: &mut Vec<Operand>,
    ) -> Result<(), Unsupported> {
        let word = self.module.program.target.pointer_bytes();
        if self.module.layout.align(ty) > word {
            return Err("an over-aligned structure among variadic arguments".to_owned());
        }
        let base = self.single(argument)?;
        let size = self.module.layout.alloc_size(ty);
        for offset in (0..size).step_by(word as usize) {
            let bytes = word.min(size - offset);
            args.push(self.load_bytes(base, offset, bytes, word));
        }
        Ok(())
    }

    /// Loads a few bytes as the low part of a word.
    fn load_bytes(&mut self, base: Operand, offset: u64, bytes: u64, word: u64) -> Operand {
        let width = (word * 8) as u8;
        let mut result: Option<Operand> = None;
        let mut done = 0;
        while done < bytes {
            // The largest power of two that still fits.
            let piece = 1 << (bytes - done).ilog2();
            let loaded = self.temporary(Ty::Int((piece * 8) as u8));
            let ptr = self.at_offset(base, offset + done);
            self.emit(InstKind::Load { dst: loaded, ty: Ty::Int((piece * 8) as u8), ptr });
            let wide = self.resize(Operand::Reg(loaded), Ty::Int(width));
            result = Some(match result {
                None => wide,
                Some(low) => {
                    let (moved, sum) = (self.temporary(Ty::Int(width)), self.temporary(Ty::Int(width)));
                    let b = Operand::Int { bits: u128::from(done * 8), width };
                    self.emit(InstKind::Bin { dst: moved, op: BinOp::Shl, width, a: wide, b });
                    let b = Operand::Reg(moved);
                    self.emit(InstKind::Bin { dst: sum, op: BinOp::Or, width, a: low, b });
                    Operand::Reg(sum)
                }
            });
            done += piece;
        }
        result.unwrap_or(Operand::Int { bits: 0, width })
    }

    /// Refuses a direct call that does not fit the definition (possible with old-style declarations).
    fn check_signature(&self, id: FuncId, args: &[Operand], dst: &[Reg]) -> Result<(), Unsupported> {
        let function = &self.module.program.functions[id];
        let types: Vec<_> = args.iter().map(|arg| self.body.operand_ty(arg)).collect();
        let results: Vec<_> = dst.iter().map(|&reg| self.body.regs[reg].ty).collect();
        let fits =
            if function.variadic { types.starts_with(&function.params) } else { types == function.params };
        // A call through a wrong type of a function without code is for the model of the function to judge.
        let defined = function.span.is_known();
        if defined && !(fits && results == function.results) {
            return Err(format!("a call of `{}` that does not fit its definition", function.name));
        }
        Ok(())
    }
}
