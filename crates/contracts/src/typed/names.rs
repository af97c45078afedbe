//! What names in an annotation mean: parameters in contracts, variables in scope in bodies.

use super::ctype::{Ctype, Shown};
use super::elaborate::{Typed, Value};
use super::tree::{Int, Ptr, Var};
use crate::place::parameters;
use heapproof_ir::{Body, CType, FuncId, Program, Span, TypeId, ctype};

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
}

/// A variable with its type.
pub fn variable(program: &Program, var: Var, ty: Option<TypeId>) -> Typed {
    let ty = ty.map_or(Ctype::Math, Ctype::Of);
    let value = match ty.show(program) {
        Shown::Pointer(_) => Some(Value::Ptr(Ptr::Var(var))),
        Shown::Int { size, signed } => Some(Value::Int(Int::Var(var, size as u8, signed))),
        _ => None,
    };
    Typed { value, ty, address: None }
}

/// The names of a contract: parameters, and the result in `ensures`.
pub struct ContractScope<'a> {
    program: &'a Program,
    func: FuncId,
    /// Where parameters and result have their types from.
    params: Vec<Option<(String, Option<TypeId>)>>,
    entry: Option<Box<ContractScope<'a>>>,
    has_result: bool,
}

impl<'a> ContractScope<'a> {
    /// What holds before the function.
    pub fn before(program: &'a Program, func: FuncId, names: &[String]) -> ContractScope<'a> {
        let function = &program.functions[func];
        let params = match &function.body {
            Some(body) => parameters(body),
            None => prototype(program, func, names),
        };
        ContractScope { program, func, params, entry: None, has_result: false }
    }

    /// What holds after it.
    pub fn after(program: &'a Program, func: FuncId, names: &[String]) -> ContractScope<'a> {
        let entry = ContractScope::before(program, func, names);
        ContractScope {
            params: entry.params.clone(),
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
            self.params.iter().position(|param| param.as_ref().is_some_and(|(known, _)| known == name))?;
        let ty = self.params[index].as_ref().and_then(|(_, ty)| *ty);
        Some(variable(self.program, Var::Param(index), ty))
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
}

/// The names of an annotation in a body: variables that are declared before it.
pub struct BodyScope<'a> {
    program: &'a Program,
    body: &'a Body,
    line: u32,
    entry: ContractScope<'a>,
}

impl<'a> BodyScope<'a> {
    /// The names at a line of a function.
    pub fn new(program: &'a Program, func: FuncId, body: &'a Body, line: u32) -> BodyScope<'a> {
        BodyScope { program, body, line, entry: ContractScope::before(program, func, &[]) }
    }

    fn is_before(&self, span: Span) -> bool {
        span.line <= self.line
    }
}

impl Scope for BodyScope<'_> {
    fn variable(&self, name: &str) -> Option<Typed> {
        // The innermost declaration is the last one before the line.
        let regs = self.body.regs.iter().filter_map(|(reg, info)| {
            let variable = info.variable.as_ref().filter(|variable| variable.name == name)?;
            Some((variable.span, self::variable(self.program, Var::Reg(reg), variable.ctype)))
        });
        let locals = self.body.locals.iter().filter_map(|(local, info)| {
            let variable = info.variable.as_ref().filter(|variable| variable.name == name)?;
            let ty = variable.ctype.map_or(Ctype::Void, Ctype::Of);
            Some((variable.span, Typed { value: None, ty, address: Some(Ptr::Local(local)) }))
        });
        let known = regs.chain(locals).filter(|(span, _)| self.is_before(*span));
        known.max_by_key(|(span, _)| (span.line, span.column)).map(|(_, typed)| typed)
    }

    fn result(&self) -> Option<Ctype> {
        None
    }

    fn entry(&self) -> Option<&dyn Scope> {
        Some(&self.entry)
    }

    fn all(&self) -> Vec<String> {
        let regs = self.body.regs.values().filter_map(|info| info.variable.as_ref());
        let locals = self.body.locals.values().filter_map(|info| info.variable.as_ref());
        regs.chain(locals)
            .filter(|variable| self.is_before(variable.span))
            .map(|variable| variable.name.clone())
            .collect()
    }
}
