//! Which functions are called as their C types say: one register for each parameter, and one for the result.

use heapproof_ir::{CType, FuncId, Program, Ty, TypeId, ctype};

/// Why contracts cannot speak of the parameters and the result of a function; none if they can.
pub fn odd_signature(program: &Program, func: FuncId) -> Option<&'static str> {
    let function = &program.functions[func];
    let Some(ty) = function.ctype else { return Some("a function whose type is not known") };
    let CType::Function { result, params, .. } = &program.types[ctype::strip(&program.types, ty)] else {
        return Some("a function whose type is not known");
    };
    if function.variadic {
        return Some("a function with a variable number of arguments");
    }
    let is_void = program.types[ctype::strip(&program.types, *result)] == CType::Void;
    let results: Vec<TypeId> = if is_void { Vec::new() } else { vec![*result] };
    let fits = |types: &[TypeId], registers: &[Ty]| {
        types.len() == registers.len()
            && types.iter().zip(registers).all(|(ty, register)| is_in_register(program, *ty, *register))
    };
    // Old definitions do not say the types of their parameters.
    let is_old = params.is_empty() && !function.params.is_empty();
    if !fits(&results, &function.results) || (!is_old && !fits(params, &function.params)) {
        return Some("a structure, or another wide value, that is passed or returned");
    }
    None
}

/// True if a value of a type is handed over in such a register.
fn is_in_register(program: &Program, ty: TypeId, register: Ty) -> bool {
    match (&program.types[ctype::strip(&program.types, ty)], register) {
        (CType::Pointer { .. } | CType::Array { .. } | CType::Function { .. }, Ty::Ptr) => true,
        (CType::Int { size, .. } | CType::Enum { size, .. }, Ty::Int(_)) => *size <= 8,
        (CType::Float { .. }, Ty::Float(_)) => true,
        _ => false,
    }
}
