//! The checker of programs. Everything that works on a [`Program`] may rely on these rules.
//!
//! **Program**
//! - There is a file, and each position names an existing file.
//! - Every id (of a file, type, global, function, register, local or block) names something that exists.
//!
//! **Types**
//! - No type contains itself, other than behind a pointer or in a function type. So typedefs and qualifiers end.
//! - A member of a structure or union of known size starts inside it or at its end.
//!
//! **Globals**
//! - The alignment is a power of two. There are not more initial bytes than the size.
//! - A relocation lies inside the object, and no two overlap.
//!
//! **Functions**
//! - Integer types, those of parameters and results included, have 1 to 128 bits.
//! - A body has a block; the first is the entry (it may have predecessors).
//! - A body has as many parameter registers as the function has parameters, all different, with the types of the
//!   parameters.
//! - The alignment of a local and of an `alloca` is a power of two.
//!
//! **Instructions**
//! - Operands and the result have the types that the instruction says (for `copy`: one type). The bits of a constant
//!   fit its type. Lengths, sizes and the index of `ptradd` have the pointer's width, the byte of
//!   `fillblock` is `i8`, what `stacksave` saves is a pointer.
//! - `cmp` is of integers or pointers.
//! - Casts go between the kinds of types of their name: `trunc` to fewer bits, `zext` and `sext` to more, `ptrtoint` and
//!   `inttoptr` to and from the pointer's width, `bits` between an integer and a float of equal size.
//! - `scope_start` and `scope_end` are of locals that are marked as scoped.
//! - The results of a call (or of `unsupported`) are different registers.
//! - A direct call of a function *with a body* has an argument for each parameter, of its type; more only if the
//!   function is variadic; and a register of the right type for each result. A direct call of an *external*
//!   function may disagree with the declaration (old C allows calls without a prototype). A call of a defined
//!   function with the wrong arguments has to be lowered as an indirect call, of which nothing is known here.
//! - `vastart` is in a variadic function.
//!
//! **Terminators**
//! - The condition of `br` is `i1`; the value of `switch` and its cases fit its width.
//! - `return` has the results of the function.
//!
//! `forget` may be of any register: promotion also makes registers of temporaries that have a scope.

mod body;
mod error;
#[cfg(test)]
mod tests;

pub use error::{CheckError, Place, Problem};

use crate::ctype::{CType, TypeId, Types};
use crate::program::{Global, GlobalInit, Program, RelocTarget, Span};
use crate::scalar::Ty;
use cranelift_entity::EntityRef;

/// Checks a program against the rules above and returns all errors, in the order of the program.
pub fn check(program: &Program) -> Vec<CheckError> {
    let mut checker = Checker { program, place: Place::Program, errors: Vec::new() };
    checker.program();
    checker.errors
}

pub(crate) struct Checker<'a> {
    program: &'a Program,
    /// What is being checked.
    place: Place,
    errors: Vec<CheckError>,
}

impl Checker<'_> {
    fn report(&mut self, problem: Problem) {
        self.errors.push(CheckError { place: self.place, problem });
    }

    fn require(&mut self, holds: bool, problem: Problem) {
        if !holds {
            self.report(problem);
        }
    }

    fn program(&mut self) {
        let program = self.program;
        self.require(!program.files.is_empty(), Problem::NoFile);
        for (id, ctype) in program.types.iter() {
            self.place = Place::Type(id);
            self.ctype(ctype);
        }
        self.containment(&program.types);
        for (id, global) in program.globals.iter() {
            self.place = Place::Global(id);
            self.global(global);
        }
        for (id, function) in program.functions.iter() {
            self.place = Place::Function(id);
            self.span(function.span);
            self.type_id(function.ctype);
            for ty in function.params.iter().chain(&function.results) {
                self.ty(*ty);
            }
            if let Some(body) = &function.body {
                self.body(id, function, body);
            }
        }
    }

    fn span(&mut self, span: Span) {
        // Without files the program has that one error.
        if !self.program.files.is_empty() {
            self.require(self.program.files.is_valid(span.file), Problem::NoSuchFile(span.file));
        }
    }

    fn type_id(&mut self, id: impl Into<Option<TypeId>>) {
        if let Some(id) = id.into() {
            self.require(self.program.types.is_valid(id), Problem::NoSuchType(id));
        }
    }

    fn ty(&mut self, ty: Ty) {
        if let Ty::Int(width) = ty {
            self.require((1..=128).contains(&width), Problem::Width(width));
        }
    }

    fn align(&mut self, align: u64) {
        self.require(align.is_power_of_two(), Problem::Align(align));
    }

    fn ctype(&mut self, ctype: &CType) {
        match ctype {
            CType::Pointer { to: of }
            | CType::Array { element: of, .. }
            | CType::Typedef { of, .. }
            | CType::Qualified { of, .. } => self.type_id(*of),
            CType::Struct { size, members, span, .. } | CType::Union { size, members, span, .. } => {
                self.span(*span);
                for (index, member) in members.iter().enumerate() {
                    self.type_id(member.ty);
                    let bits = size.map_or(u64::MAX, |size| size.saturating_mul(8));
                    self.require(member.bit_offset <= bits, Problem::MemberOutside { member: index });
                }
            }
            CType::Function { result, params, .. } => {
                self.type_id(*result);
                params.iter().for_each(|param| self.type_id(*param));
            }
            CType::Void
            | CType::Int { .. }
            | CType::Float { .. }
            | CType::Enum { .. }
            | CType::Opaque { .. } => {}
        }
    }

    /// Looks for types that contain themselves, without recursion.
    fn containment(&mut self, types: &Types) {
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            New,
            Open,
            Done,
        }
        fn part(ctype: &CType, index: usize) -> Option<TypeId> {
            match ctype {
                CType::Array { element: of, .. }
                | CType::Typedef { of, .. }
                | CType::Qualified { of, .. } => (index == 0).then_some(*of),
                CType::Struct { members, .. } | CType::Union { members, .. } => {
                    members.get(index).map(|member| member.ty)
                }
                _ => None,
            }
        }
        let mut marks = vec![Mark::New; types.len()];
        let mut stack = Vec::new();
        for root in types.keys() {
            if marks[root.index()] == Mark::New {
                marks[root.index()] = Mark::Open;
                stack.push((root, 0));
            }
            while let Some((id, index)) = stack.last_mut() {
                let (at, next) = (*id, part(&types[*id], *index));
                *index += 1;
                match next {
                    None => {
                        marks[at.index()] = Mark::Done;
                        stack.pop();
                    }
                    Some(of) if !types.is_valid(of) => {}
                    Some(of) => match marks[of.index()] {
                        Mark::New => {
                            marks[of.index()] = Mark::Open;
                            stack.push((of, 0));
                        }
                        Mark::Open => {
                            self.place = Place::Type(at);
                            self.report(Problem::ContainsItself);
                        }
                        Mark::Done => {}
                    },
                }
            }
        }
    }

    fn global(&mut self, global: &Global) {
        self.span(global.span);
        self.type_id(global.ctype);
        self.align(global.align);
        let GlobalInit::Data { bytes, relocs } = &global.init else { return };
        self.require(bytes.len() as u64 <= global.size, Problem::TooManyBytes);
        let pointer = self.program.target.pointer_bytes();
        let mut offsets = Vec::with_capacity(relocs.len());
        for reloc in relocs {
            match reloc.target {
                RelocTarget::Global(id) => {
                    self.require(self.program.globals.is_valid(id), Problem::NoSuchGlobal(id));
                }
                RelocTarget::Func(id) => {
                    self.require(self.program.functions.is_valid(id), Problem::NoSuchFunction(id));
                }
            }
            let inside = reloc.offset.checked_add(pointer).is_some_and(|end| end <= global.size);
            self.require(inside, Problem::RelocOutside { offset: reloc.offset });
            offsets.push(reloc.offset);
        }
        offsets.sort_unstable();
        for pair in offsets.windows(2) {
            self.require(pair[1] - pair[0] >= pointer, Problem::RelocsOverlap { offset: pair[1] });
        }
    }
}
