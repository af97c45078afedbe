//! Functions of the program that only read: a comparison that does has the same result whenever it is made, and makes no other
//! difference.

use crate::Outside;
use heapproof_ir::{Callee, FuncId, GlobalInit, InstKind, Operand, Program, RelocTarget};
use std::collections::BTreeSet;

/// True if a function is called by its name only, and the argument at this place is always a function that only reads.
pub(crate) fn is_given_readers(program: &Program, callee: FuncId, arg: usize) -> bool {
    let mut fine = !is_in_data(program, callee);
    let mut readers = Readers { program, known: BTreeSet::new() };
    for body in program.functions.values().filter_map(|function| function.body.as_ref()) {
        for block in body.blocks.values() {
            for inst in &block.insts {
                inst.kind.for_each_use(|operand| fine &= *operand != Operand::Func(callee));
                if let InstKind::Call { callee: Callee::Direct(called), args, .. } = &inst.kind
                    && *called == callee
                {
                    fine &= matches!(args.get(arg), Some(Operand::Func(given)) if readers.has(*given));
                }
            }
            block.term.for_each_use(|operand| fine &= *operand != Operand::Func(callee));
        }
    }
    fine
}

fn is_in_data(program: &Program, function: FuncId) -> bool {
    program.globals.values().any(|global| match &global.init {
        GlobalInit::Data { relocs, .. } => {
            relocs.iter().any(|reloc| reloc.target == RelocTarget::Func(function))
        }
        GlobalInit::External => false,
    })
}

struct Readers<'a> {
    program: &'a Program,
    /// What was found to read only, or is being looked at.
    known: BTreeSet<FuncId>,
}

impl Readers<'_> {
    /// True if a function writes nothing but its own variables, asks the environment nothing that changes it, and returns.
    fn has(&mut self, function: FuncId) -> bool {
        if !self.known.insert(function) {
            return true;
        }
        let program = self.program;
        let found = match &program.functions[function].body {
            None => crate::lookup(&program.functions[function].name).is_some_and(|model| {
                model.effect.is_pure() && model.outside() == Outside::Nothing && !model.no_return
            }),
            Some(body) => {
                body.blocks.values().flat_map(|block| &block.insts).all(|inst| self.reads_only(&inst.kind))
            }
        };
        if !found {
            // What was found meanwhile may rest on it.
            self.known.clear();
        }
        found
    }

    fn reads_only(&mut self, inst: &InstKind) -> bool {
        use InstKind::*;
        let own = |operand: &Operand| matches!(operand, Operand::Local(_));
        match inst {
            Store { ptr, .. } => own(ptr),
            CopyBlock { to, .. } | FillBlock { to, .. } => own(to),
            Call { callee: Callee::Direct(callee), .. } => self.has(*callee),
            Call { .. } | Alloca { .. } | StackSave { .. } | StackRestore { .. } => false,
            VaStart { .. } | VaCopy { .. } | VaEnd { .. } | Unsupported { .. } => false,
            Copy { .. } | Forget { .. } | Bin { .. } | IntUn { .. } | FloatBin { .. } | FloatUn { .. } => {
                true
            }
            Cmp { .. } | FloatCmp { .. } | Cast { .. } | Select { .. } | PtrAdd { .. } | Load { .. } => true,
            ScopeStart { .. } | ScopeEnd { .. } | Seal { .. } => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_functions_only_read() {
        let given = |compare: &str| {
            let text = format!(
                "func f0 \"qsort\"(ptr, i64, i64, ptr)\nfunc f1 \"strcmp\"(ptr, ptr) -> (i32)\nfunc f2 \"rand\"() -> (i32)\n\
                 global g0 \"n\" size 4 align 4 = bytes 00\n\
                 func f3 \"compare\"(r0: ptr, r1: ptr) -> (i32) {{\nb0:\n{compare}\nreturn r2 }}\n\
                 func f4 \"main\"() {{\nb0:\ncall f0(g0, i64 1, i64 4, f3)\nreturn }}"
            );
            let program: Program = text.parse().unwrap();
            is_given_readers(&program, program.function("qsort").unwrap(), 3)
        };
        assert!(given("r2 = load i32 r0"));
        assert!(given("r2: i32 = call f1(r0, r1)"));
        assert!(!given("r2: i32 = call f2()\nstore i32 r2 -> g0"));
        assert!(!given("r3 = copy ptr f0\nr2 = load i32 r0"));
        assert!(!given("r2: i32 = call *r0()"));
    }
}
