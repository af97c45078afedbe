//! What names in an annotation mean: parameters in contracts, variables in scope in bodies.

use super::ctype::{Ctype, Shown};
use super::elaborate::{Typed, Value};
use super::tree::{Int, Ptr, Var};
use crate::annotation::Position;
use crate::code::{Codes, source_name};
use crate::place::{first_line, loops, parameters};
use heapproof_ir::{BlockId, Body, CType, FileId, FuncId, InstKind, Program, Reg, Span, Ty, TypeId, ctype};
use std::collections::BTreeSet;

/// The names of a place.
pub trait Scope {
    /// The variable of a name.
    fn variable(&self, name: &str) -> Option<Typed>;
    /// The type of the result, if there is one here.
    fn result(&self) -> Option<Ctype>;
    /// The names at the entry of the function; none if this is the entry.
    fn entry(&self) -> Option<&dyn Scope>;
    /// All names, for suggestions.
    fn all(&self) -> Vec<String>;
    /// The file that names are looked up in.
    fn file(&self) -> FileId;
    /// The texts of the files.
    fn codes(&self) -> &Codes;
}

/// A variable with its type.
pub fn variable(program: &Program, var: Var, ty: Option<TypeId>) -> Typed {
    let ty = ty.map_or(Ctype::Math, Ctype::Of);
    let value = match ty.show(program) {
        Shown::Pointer(_) => Some(Value::Ptr(Ptr::Var(var))),
        Shown::Int { size, signed } => {
            Some(Value::Int(ty.number(program, Int::Var(var, size as u8, signed))))
        }
        _ => None,
    };
    Typed { value, ty, address: None, room: None }
}

/// The names of a contract: parameters, and the result in `ensures`.
pub struct ContractScope<'a> {
    program: &'a Program,
    codes: &'a Codes,
    /// The file that the contract stands in.
    file: FileId,
    /// The names of the parameters in the source.
    names: Vec<String>,
    func: FuncId,
    /// Where parameters and result have their types from.
    params: Vec<Option<(String, Option<TypeId>)>>,
    entry: Option<Box<ContractScope<'a>>>,
    has_result: bool,
}

impl<'a> ContractScope<'a> {
    /// What holds before the function.
    pub fn before(
        program: &'a Program,
        (codes, file): (&'a Codes, FileId),
        func: FuncId,
        names: &[String],
    ) -> ContractScope<'a> {
        let function = &program.functions[func];
        let params = match &function.body {
            Some(body) => parameters(body),
            None => prototype(program, func, names),
        };
        let names = names.to_vec();
        ContractScope { program, codes, file, names, func, params, entry: None, has_result: false }
    }

    /// What holds after it.
    pub fn after(
        program: &'a Program,
        place: (&'a Codes, FileId),
        func: FuncId,
        names: &[String],
    ) -> ContractScope<'a> {
        let entry = ContractScope::before(program, place, func, names);
        ContractScope {
            params: entry.params.clone(),
            names: names.to_vec(),
            codes: entry.codes,
            file: entry.file,
            program,
            func,
            entry: Some(Box::new(entry)),
            has_result: true,
        }
    }
}

/// The parameters of a function without a body: their names come from the source.
fn prototype(program: &Program, func: FuncId, names: &[String]) -> Vec<Option<(String, Option<TypeId>)>> {
    let types = match program.functions[func].ctype.map(|ty| &program.types[ctype::strip(&program.types, ty)])
    {
        Some(CType::Function { params, .. }) => params.clone(),
        _ => Vec::new(),
    };
    names.iter().zip(types).map(|(name, ty)| Some((name.clone(), Some(ty)))).collect()
}

/// The type of the result of a function.
fn result_type(program: &Program, func: FuncId) -> Option<Ctype> {
    let ty = program.functions[func].ctype?;
    match &program.types[ctype::strip(&program.types, ty)] {
        CType::Function { result, .. } => Some(Ctype::Of(*result)),
        _ => None,
    }
}

impl Scope for ContractScope<'_> {
    fn variable(&self, name: &str) -> Option<Typed> {
        let index =
            self.params.iter().position(|param| param.as_ref().is_some_and(|(known, _)| known == name));
        let Some(index) = index else {
            // A parameter that has no value here hides what else has its name.
            let is_parameter = self.names.iter().any(|known| known == name);
            return is_parameter.then_some(Typed { value: None, ty: Ctype::Void, address: None, room: None });
        };
        let ty = self.params[index].as_ref().and_then(|(_, ty)| *ty);
        let typed = variable(self.program, Var::Param(index), ty);
        Some(converted(typed, self.program.functions[self.func].params.get(index).copied()))
    }

    fn result(&self) -> Option<Ctype> {
        let ty = self.has_result.then(|| result_type(self.program, self.func))??;
        let is_void = matches!(ty, Ctype::Of(id) if self.program.types[ctype::strip(&self.program.types, id)] == CType::Void);
        (!is_void).then_some(ty)
    }

    fn entry(&self) -> Option<&dyn Scope> {
        self.entry.as_deref().map(|entry| entry as &dyn Scope)
    }

    fn all(&self) -> Vec<String> {
        self.params.iter().flatten().map(|(name, _)| name.clone()).collect()
    }

    fn file(&self) -> FileId {
        self.file
    }

    fn codes(&self) -> &Codes {
        self.codes
    }
}

/// A parameter that is handed over as a wider number than it is.
fn converted(typed: Typed, handed: Option<Ty>) -> Typed {
    match (&typed.value, handed) {
        (Some(Value::Int(Int::Var(var, size, signed))), Some(Ty::Int(bits)))
            if bits > 1 && u32::from(bits) != 8 * u32::from(*size) =>
        {
            let number = Int::Cast(Box::new(Int::Var(*var, bits.div_ceil(8), true)), *size, *signed);
            Typed { value: Some(Value::Int(number)), ..typed }
        }
        _ => typed,
    }
}

/// The names of an annotation in a body: variables that are declared before it.
pub struct BodyScope<'a> {
    program: &'a Program,
    func: FuncId,
    body: &'a Body,
    at: Position,
    /// Variables that the head of a `for` declares.
    declared: BTreeSet<Reg>,
    entry: ContractScope<'a>,
}

impl<'a> BodyScope<'a> {
    /// The names at a place of a function.
    pub fn new(
        program: &'a Program,
        codes: &'a Codes,
        func: FuncId,
        body: &'a Body,
        at: Position,
    ) -> BodyScope<'a> {
        let declared = BTreeSet::new();
        let place = (codes, program.functions[func].span.file);
        let entry = ContractScope::before(program, place, func, &[]);
        BodyScope { program, func, body, at, declared, entry }
    }

    /// The names at a place before a loop, with those that the head of the loop declares: they have a value before it begins.
    pub fn at_loop(
        program: &'a Program,
        codes: &'a Codes,
        func: FuncId,
        body: &'a Body,
        (at, header): (Position, BlockId),
    ) -> BodyScope<'a> {
        let mut scope = BodyScope::new(program, codes, func, body, at);
        let file = program.functions[func].span.file;
        let all = loops(body);
        let Some((_, this)) = all.iter().find(|(_, this)| this.header == header) else { return scope };
        let Some(first) = first_line(body, file, this) else { return scope };
        let outside = body.blocks.iter().filter(|(id, _)| !this.blocks.contains(id));
        for inst in outside.flat_map(|(_, block)| &block.insts) {
            let is_value = !matches!(inst.kind, InstKind::Forget { .. });
            for reg in inst.kind.defs().iter().filter(|_| is_value && inst.span.line == first) {
                let variable = body.regs[*reg].variable.as_ref();
                if variable.is_some_and(|variable| variable.span.line == first) {
                    scope.declared.insert(*reg);
                }
            }
        }
        scope
    }

    fn is_before(&self, span: Span) -> bool {
        self.entry.codes.sees(span, self.entry.file, self.at)
    }

    fn is_visible(&self, reg: Reg, span: Span) -> bool {
        self.is_before(span) || self.declared.contains(&reg)
    }

    /// Variables of the function with static storage.
    fn statics<'s>(&'s self, name: &'s str) -> impl Iterator<Item = (Span, Typed)> + 's {
        let function = self.program.functions[self.func].span;
        self.program.globals.iter().filter_map(move |(id, global)| {
            let (_, known) = source_name(&global.name).rsplit_once('.')?;
            let is_inside = global.span.file == function.file && global.span.line >= function.line;
            if global.anonymous || known != name || !is_inside {
                return None;
            }
            // Its column is not known: it is declared where its name stands first on its line.
            let span = self.entry.codes.named(global.span, name);
            let ty = global.ctype.map_or(Ctype::Void, Ctype::Of);
            let typed = Typed { value: None, ty, address: Some(Ptr::Global(id)), room: None };
            self.is_before(span).then_some((span, typed))
        })
    }
}

impl Scope for BodyScope<'_> {
    fn variable(&self, name: &str) -> Option<Typed> {
        // The innermost declaration is the last one before the line.
        let regs = self.body.regs.iter().filter_map(|(reg, info)| {
            let variable = info.variable.as_ref().filter(|variable| variable.name == name)?;
            let typed = self::variable(self.program, Var::Reg(reg), variable.ctype);
            self.is_visible(reg, variable.span).then_some((variable.span, typed))
        });
        let locals = self.body.locals.iter().filter_map(|(local, info)| {
            let variable = info.variable.as_ref().filter(|variable| variable.name == name)?;
            let ty = variable.ctype.map_or(Ctype::Void, Ctype::Of);
            let typed = Typed { value: None, ty, address: Some(Ptr::Local(local)), room: None };
            self.is_before(variable.span).then_some((variable.span, typed))
        });
        let all = regs.chain(locals).chain(self.statics(name));
        all.max_by_key(|(span, _)| (span.line, span.column)).map(|(_, typed)| typed)
    }

    fn result(&self) -> Option<Ctype> {
        None
    }

    fn entry(&self) -> Option<&dyn Scope> {
        Some(&self.entry)
    }

    fn all(&self) -> Vec<String> {
        let regs = self.body.regs.iter().filter_map(|(reg, info)| {
            info.variable.as_ref().filter(|variable| self.is_visible(reg, variable.span))
        });
        let locals = self.body.locals.values().filter_map(|info| info.variable.as_ref());
        let locals = locals.filter(|variable| self.is_before(variable.span));
        regs.chain(locals).map(|variable| variable.name.clone()).collect()
    }

    fn file(&self) -> FileId {
        self.entry.file
    }

    fn codes(&self) -> &Codes {
        self.entry.codes
    }
}
