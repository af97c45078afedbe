//! Other names of functions (`__attribute__((alias("f")))`): calls through them call the function itself, so the name alone is a function that does nothing
//! else. Whoever looks at a module function by function has to see that it can be called from elsewhere.

use super::Lowering;
use crate::llvm::Module;
use heapproof_ir::{
    Block, Body, Callee, FuncId, Function, Inst, InstKind, Operand, Reg, RegInfo, Terminator, Ty,
};

impl<'m> Lowering<'m> {
    /// Adds a function for every other name that is visible to other files.
    pub(super) fn name_aliases(&mut self, module: &'m Module) {
        for alias in module.aliases() {
            let mut named = alias;
            while let Some(aliasee) = named.aliasee() {
                named = aliasee;
            }
            let known = self.functions.get(&named).copied();
            let Some(id) =
                known.filter(|id| !alias.is_internal() && self.program.functions[*id].body.is_some())
            else {
                continue;
            };
            if self.program.functions[id].variadic {
                // It cannot be called with the same arguments.
                self.program.functions[id].internal = false;
                continue;
            }
            let function = calling(id, &self.program.functions[id], alias.name());
            self.program.functions.push(function);
        }
    }
}

/// A function that calls another one with its own arguments, and returns what that returns.
fn calling(id: FuncId, called: &Function, name: String) -> Function {
    let mut body = Body::default();
    let mut new = |ty: &Ty| body.regs.push(RegInfo { ty: *ty, variable: None });
    let params: Vec<Reg> = called.params.iter().map(&mut new).collect();
    let results: Vec<Reg> = called.results.iter().map(&mut new).collect();
    let kind = InstKind::Call {
        results: results.clone(),
        callee: Callee::Direct(id),
        args: params.iter().map(|reg| Operand::Reg(*reg)).collect(),
    };
    body.params = params;
    body.blocks.push(Block {
        insts: vec![Inst { kind, span: called.span }],
        term: Terminator::Return(results.into_iter().map(Operand::Reg).collect()),
        term_span: called.span,
    });
    Function { name, internal: false, body: Some(body), ..called.clone() }
}
