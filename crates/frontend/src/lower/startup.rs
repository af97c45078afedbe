//! What runs before `main`: functions with the `constructor` attribute, and those listed in `.init_array` and its like; and
//! functions with the `destructor` attribute, which run at the end.
//!
//! The former are called and the latter given to `atexit` at the start of `main`, once: `main` may call itself.

use super::Lowering;
use crate::llvm::{Module, TypeKind, Value};
use heapproof_ir::{
    Block, Body, Callee, CmpOp, FuncId, Global, GlobalId, GlobalInit, Inst, InstKind, Operand, RegInfo, Span,
    Terminator, Ty,
};

/// When a function runs: the array that lists it, and its priority there.
type Moment = (u8, u128);

/// The priority of a constructor that states none.
const LAST: u128 = 65535;

const INT: Ty = Ty::Int(32);

impl<'m> Lowering<'m> {
    /// Lets `main` call what the loader runs before it, and give `atexit` what the loader runs after it.
    pub(super) fn run_before_main(&mut self, module: &'m Module) {
        let mut calls: Vec<InstKind> = Vec::new();
        let mut at_exit = Vec::new();
        match self.functions_of(in_order(table(module, "llvm.global_dtors"))) {
            Ok(functions) => at_exit = functions,
            Err(what) => calls.push(unsupported(what)),
        }
        match self.startup(module) {
            Ok(functions) => calls.extend(functions.into_iter().map(call)),
            Err(what) => calls.push(unsupported(what)),
        }
        let other = |name: &str| [".fini_array", ".ctors", ".dtors"].iter().any(|s| name.starts_with(s));
        if module.globals().any(|global| global.section().is_some_and(|name| other(&name))) {
            calls.push(unsupported("an object in the section .fini_array, .ctors or .dtors"));
        }
        let code = |name: &str| name == ".init" || name == ".fini";
        if module.functions().any(|function| function.section().is_some_and(|name| code(&name))) {
            calls.push(unsupported("code in the section .init or .fini"));
        }
        let Some(main) = self.program.function("main") else { return };
        if (calls.is_empty() && at_exit.is_empty()) || self.program.functions[main].body.is_none() {
            return;
        }
        let done = self.program.globals.push(Global {
            name: ".constructors".to_owned(),
            size: 1,
            align: 1,
            constant: false,
            anonymous: true,
            init: GlobalInit::Data { bytes: Vec::new(), relocs: Vec::new() },
            ctype: None,
            span: Span::NONE,
        });
        let at_exit = self.given_to_atexit(at_exit).unwrap_or_else(|what| {
            calls.push(unsupported(what));
            Vec::new()
        });
        if let Some(body) = &mut self.program.functions[main].body {
            let mut all = Vec::new();
            for mut kind in at_exit {
                if let InstKind::Call { results, .. } = &mut kind {
                    results.push(body.regs.push(RegInfo { ty: INT, variable: None }));
                }
                all.push(kind);
            }
            all.extend(calls);
            call_once(body, all, done);
        }
    }

    /// Calls of `atexit`, without a place for the result. What it is given runs in the opposite order, these functions after all
    /// that the program gives it.
    fn given_to_atexit(&mut self, functions: Vec<FuncId>) -> Result<Vec<InstKind>, &'static str> {
        if functions.is_empty() {
            return Ok(Vec::new());
        }
        let atexit = self.program.declared("atexit", vec![Ty::Ptr], vec![INT]);
        let known = &self.program.functions[atexit];
        if known.body.is_some() || known.results != [INT] || known.params != [Ty::Ptr] {
            return Err("the destructor attribute beside another function `atexit`");
        }
        let callee = || Callee::Direct(atexit);
        let given = functions.into_iter().map(|function| InstKind::Call {
            results: Vec::new(),
            callee: callee(),
            args: vec![Operand::Func(function)],
        });
        Ok(given.collect())
    }

    /// The functions that run before `main`, in order.
    fn startup(&self, module: &'m Module) -> Result<Vec<FuncId>, &'static str> {
        let mut found = in_order(table(module, "llvm.global_ctors"));
        let constructors = found.len();
        for global in module.globals() {
            let Some(moment) = global.section().and_then(|name| moment(&name)) else { continue };
            let Some(content) = global.initializer() else { continue };
            for function in pointers(content) {
                if found[..constructors].iter().any(|(other, _)| *other == moment) {
                    return Err("constructors and .init_array in one program");
                }
                found.push((moment, function));
            }
        }
        self.functions_of(found)
    }

    /// The functions of a table in order.
    fn functions_of(&self, mut found: Vec<(Moment, Value<'m>)>) -> Result<Vec<FuncId>, &'static str> {
        found.sort_by_key(|(moment, _)| *moment);
        let mut functions = Vec::new();
        for (_, mut function) in found.into_iter().filter(|(_, f)| !f.is_null_constant()) {
            while let Some(aliasee) = function.aliasee() {
                function = aliasee;
            }
            let id = *self
                .functions
                .get(&function)
                .ok_or("an unusual entry among what runs before or after `main`")?;
            let known = &self.program.functions[id];
            if !known.params.is_empty() || !known.results.is_empty() {
                return Err("a function with parameters or a result that runs before or after `main`");
            }
            functions.push(id);
        }
        Ok(functions)
    }
}

/// The functions of a table of LLVM with their priorities.
fn in_order(table: Vec<Value<'_>>) -> Vec<(Moment, Value<'_>)> {
    let entries = table.into_iter().filter_map(|entry| {
        let (priority, function) = (entry.element(0)?, entry.element(1)?);
        Some(((1, priority.int_constant().unwrap_or(LAST)), function))
    });
    entries.collect()
}

/// The entries of a table of LLVM.
fn table<'m>(module: &'m Module, name: &str) -> Vec<Value<'m>> {
    let table = module.globals().find(|g| g.name() == name).and_then(|g| g.initializer());
    table.map(|t| (0..t.ty().count() as u32).filter_map(|i| t.element(i)).collect()).unwrap_or_default()
}

/// When the functions listed in a section run.
fn moment(section: &str) -> Option<Moment> {
    if section.starts_with(".preinit_array") {
        return Some((0, 0));
    }
    let rest = section.strip_prefix(".init_array")?;
    Some((1, rest.strip_prefix('.').and_then(|priority| priority.parse().ok()).unwrap_or(LAST)))
}

/// The pointers in an initialiser: one, or an array of them.
fn pointers(content: Value<'_>) -> Vec<Value<'_>> {
    match content.ty().kind() {
        TypeKind::Array => (0..content.ty().count() as u32).filter_map(|i| content.element(i)).collect(),
        _ => vec![content],
    }
}

fn call(function: FuncId) -> InstKind {
    InstKind::Call { results: Vec::new(), callee: Callee::Direct(function), args: Vec::new() }
}

fn unsupported(what: &str) -> InstKind {
    InstKind::Unsupported { results: Vec::new(), what: what.to_owned() }
}

/// Puts calls in front of a body that happen at the first entry only.
fn call_once(body: &mut Body, calls: Vec<InstKind>, done: GlobalId) {
    let byte = Ty::Int(8);
    let (flag, first) = (
        body.regs.push(RegInfo { ty: byte, variable: None }),
        body.regs.push(RegInfo { ty: Ty::BOOL, variable: None }),
    );
    let number = |bits| Operand::Int { bits, width: 8 };
    let block = |kinds: Vec<InstKind>, term| Block {
        insts: kinds.into_iter().map(|kind| Inst { kind, span: Span::NONE }).collect(),
        term,
        term_span: Span::NONE,
    };
    let empty = block(Vec::new(), Terminator::Unreachable);
    let start = body.blocks.push(empty);
    let mut once = vec![InstKind::Store { ty: byte, value: number(1), ptr: Operand::Global(done) }];
    once.extend(calls);
    let once = body.blocks.push(block(once, Terminator::Jump(start)));
    let test = vec![
        InstKind::Load { dst: flag, ty: byte, ptr: Operand::Global(done) },
        InstKind::Cmp { dst: first, op: CmpOp::Eq, ty: byte, a: Operand::Reg(flag), b: number(0) },
    ];
    let branch = Terminator::Branch { cond: Operand::Reg(first), then: once, otherwise: start };
    body.blocks[start] = std::mem::replace(&mut body.blocks[Body::ENTRY], block(test, branch));
}
