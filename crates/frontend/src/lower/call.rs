//! Calls of functions.

use super::Unsupported;
use super::body::Builder;
use super::open::MARK;
use super::variadic::VariadicArea;
use crate::llvm::{Type, Value};
use heapproof_ir::{Callee, CopyKind, FuncId, InstKind, Local, LocalId, Operand, Reg};

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
        let mut area = VariadicArea::default();
        for index in 0..value.argument_count() {
            let argument = value.operand(index);
            match value.byval_argument(index) {
                _ if index >= fixed => args.extend(self.variadic_argument(value, index, &mut area)?),
                Some(ty) => args.push(self.argument_copy(argument, ty, copies)?),
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
