//! C types in annotations. Annotations may have types that the program does not name.

use super::tree::{Int, IntOp};
use crate::annotation::{FieldRef, Mistake, TypeName};
use heapproof_ir::{CType, FileId, Member, Program, TypeId, ctype};

/// A C type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ctype {
    /// A mathematical integer.
    Math,
    /// A type of the program.
    Of(TypeId),
    /// A basic type.
    Int {
        /// In bytes.
        size: u64,
        /// With sign.
        signed: bool,
    },
    /// `_Bool`.
    Bool,
    /// `void`.
    Void,
    /// A pointer.
    Pointer(Box<Ctype>),
}

/// What a type is made of, with typedefs and qualifiers gone.
pub enum Shown<'a> {
    /// A mathematical integer.
    Math,
    /// An integer, or an enumeration as if it had a sign (see `number`).
    Int {
        /// In bytes.
        size: u64,
        /// With sign.
        signed: bool,
    },
    /// A pointer to a type.
    Pointer(Ctype),
    /// A structure or union with its members.
    Aggregate(TypeId, &'a [Member]),
    /// An array of a type.
    Array(Ctype),
    /// Anything else.
    Other,
}

impl Ctype {
    /// What the type is made of.
    pub fn show<'a>(&self, program: &'a Program) -> Shown<'a> {
        match self {
            Ctype::Math => Shown::Math,
            Ctype::Int { size, signed } => Shown::Int { size: *size, signed: *signed },
            Ctype::Bool => Shown::Int { size: 1, signed: false },
            Ctype::Void => Shown::Other,
            Ctype::Pointer(to) => Shown::Pointer((**to).clone()),
            Ctype::Of(id) => {
                let id = ctype::strip(&program.types, *id);
                match &program.types[id] {
                    // What is wider than a machine word has no value here.
                    CType::Int { size: 1 | 2 | 4 | 8, .. } | CType::Enum { size: 1 | 2 | 4 | 8, .. } => {
                        let (size, signed) = match &program.types[id] {
                            CType::Int { size, signed, .. } => (*size, *signed),
                            CType::Enum { size, .. } => (*size, true),
                            _ => unreachable!("an integer"),
                        };
                        Shown::Int { size, signed }
                    }
                    CType::Pointer { to } => Shown::Pointer(Ctype::Of(*to)),
                    CType::Array { element, .. } => Shown::Array(Ctype::Of(*element)),
                    CType::Struct { members, .. } | CType::Union { members, .. } => {
                        Shown::Aggregate(id, members)
                    }
                    _ => Shown::Other,
                }
            }
        }
    }

    /// A number of this type, read as `show` says.
    pub fn number(&self, program: &Program, number: Int) -> Int {
        match self {
            Ctype::Of(id) => {
                let id = ctype::strip(&program.types, *id);
                match &program.types[id] {
                    CType::Enum { .. } => Int::Enum(Box::new(number), id),
                    // It is 0 or 1; the code looks at its lowest bit.
                    _ if self.is_bool(program) => Int::op(IntOp::Mod, number, Int::Const(2)),
                    _ => number,
                }
            }
            _ => number,
        }
    }

    /// True for `_Bool`.
    pub fn is_bool(&self, program: &Program) -> bool {
        match self {
            Ctype::Bool => true,
            Ctype::Of(id) => {
                let ty = &program.types[ctype::strip(&program.types, *id)];
                matches!(ty, CType::Int { name, .. } if name == "_Bool")
            }
            _ => false,
        }
    }

    /// The size in bytes.
    pub fn size(&self, program: &Program) -> Option<u64> {
        let pointer = program.target.pointer_bytes();
        match self {
            Ctype::Math => None,
            Ctype::Int { size, .. } => Some(*size),
            Ctype::Bool | Ctype::Void => Some(1),
            Ctype::Pointer(_) => Some(pointer),
            Ctype::Of(id) => match &program.types[ctype::strip(&program.types, *id)] {
                CType::Void => Some(1),
                _ => ctype::size_of(&program.types, *id, pointer),
            },
        }
    }

    /// The type of the scalar at an offset in a value of this type; that of the first one if there is none there. With the bytes
    /// from there to the next scalar: the padding after a scalar is no cell, and counts as a part of the one before it.
    pub fn scalar_at(&self, program: &Program, offset: i128) -> Option<(Ctype, u64)> {
        match self.show(program) {
            Shown::Aggregate(_, members) => {
                let start = |member: &Member| i128::from(member.bit_offset / 8);
                let inside = |member: &&Member| {
                    let size = Ctype::Of(member.ty).size(program).unwrap_or(0);
                    start(member) <= offset && offset < start(member) + i128::from(size)
                };
                let (member, offset) = match members.iter().find(inside) {
                    Some(member) => (member, offset),
                    None => (members.first()?, start(members.first()?)),
                };
                let (ty, bytes) = Ctype::Of(member.ty).scalar_at(program, offset - start(member))?;
                let end = start(member) + i128::from(Ctype::Of(member.ty).size(program)?);
                // Only after the last scalar of a member there may be more padding.
                let is_last = offset + i128::from(bytes) == end;
                let later = members.iter().map(start).filter(|next| *next >= end).min();
                let next = later.or(self.size(program).map(i128::from)).unwrap_or(end).max(end);
                Some((ty, bytes + if is_last { u64::try_from(next - end).unwrap_or(0) } else { 0 }))
            }
            Shown::Array(element) => {
                let size = i128::from(element.size(program)?.max(1));
                element.scalar_at(program, offset.rem_euclid(size))
            }
            _ => Some((self.clone(), self.size(program)?)),
        }
    }
}

/// The structure and the offset of a link field.
pub fn link_field(
    program: &Program,
    file: Option<FileId>,
    field: &FieldRef,
) -> Result<(TypeId, i128), Mistake> {
    let ty = resolve(program, file, &field.owner)?;
    let Shown::Aggregate(owner, members) = ty.show(program) else {
        return Err(Mistake::new(field.at, format!("`{}` is no structure", field.owner.name))
            .with("a link is a pointer field of a structure: `struct NAME.FIELD`"));
    };
    match find_member(program, members, &field.field) {
        Some((offset, ty)) if matches!(ty.show(program), Shown::Pointer(_)) => Ok((owner, offset)),
        Some(_) => Err(Mistake::new(field.at, format!("the field `{}` is no pointer", field.field))
            .with("lists are linked by fields that are pointers")),
        None => Err(Mistake::new(field.at, format!("`{}` has no field `{}`", field.owner.name, field.field))
            .with(fields_of(members))),
    }
}

/// The fields of a structure, in words.
pub fn fields_of(members: &[Member]) -> String {
    let names: Vec<String> =
        members.iter().filter_map(|member| member.name.as_ref()).map(|name| format!("`{name}`")).collect();
    format!("the fields are {}", names.join(", "))
}

/// The offset and the type of a member, also in anonymous members.
pub fn find_member(program: &Program, members: &[Member], name: &str) -> Option<(i128, Ctype)> {
    members.iter().find_map(|member| {
        let offset = i128::from(member.bit_offset / 8);
        match &member.name {
            Some(known) if known == name && member.bit_width.is_none() => {
                Some((offset, Ctype::Of(member.ty)))
            }
            Some(_) => None,
            None => {
                let inner = ctype::members(&program.types, member.ty);
                find_member(program, inner, name).map(|(more, ty)| (offset + more, ty))
            }
        }
    })
}

/// The type of a name in a file.
pub fn resolve(program: &Program, file: Option<FileId>, name: &TypeName) -> Result<Ctype, Mistake> {
    let found = base_type(program, file, &name.name).map_err(|Unclear| {
        Mistake::new(name.at, format!("there are several types `{}`", name.name))
            .with("use the type of a variable, or give one of them another name")
    })?;
    let base = found.ok_or_else(|| {
        Mistake::new(name.at, format!("the type `{}` is not known", name.name))
            .with("only types that the program uses are known")
    })?;
    Ok((0..name.stars).fold(base, |ty, _| Ctype::Pointer(Box::new(ty))))
}

/// Several types have the name.
struct Unclear;

/// The one of some types that a name means in a file: types that are the same count as one.
fn only(program: &Program, file: Option<FileId>, all: &[TypeId]) -> Result<Option<TypeId>, Unclear> {
    let agree = |all: &[TypeId]| all.iter().all(|ty| same_type(program, *ty, all[0]));
    if all.is_empty() || agree(all) {
        return Ok(all.first().copied());
    }
    let is_here = |ty: &&TypeId| match &program.types[**ty] {
        CType::Struct { span, .. } | CType::Union { span, .. } => Some(span.file) == file,
        _ => false,
    };
    let here: Vec<TypeId> = all.iter().filter(is_here).copied().collect();
    if here.is_empty() || !agree(&here) { Err(Unclear) } else { Ok(here.first().copied()) }
}

/// True if two types are laid out the same and have the same names: two files have one of them each.
pub fn same_type(program: &Program, a: TypeId, b: TypeId) -> bool {
    same_within(program, a, b, 8)
}

fn same_within(program: &Program, a: TypeId, b: TypeId, depth: u32) -> bool {
    let (a, b) = (ctype::strip(&program.types, a), ctype::strip(&program.types, b));
    let Some(depth) = depth.checked_sub(1).filter(|_| a != b) else { return true };
    match (&program.types[a], &program.types[b]) {
        (
            CType::Struct { name, size, members, .. },
            CType::Struct { name: other, size: bytes, members: others, .. },
        )
        | (
            CType::Union { name, size, members, .. },
            CType::Union { name: other, size: bytes, members: others, .. },
        ) => {
            let same = |(x, y): (&Member, &Member)| {
                (&x.name, x.bit_offset, x.bit_width) == (&y.name, y.bit_offset, y.bit_width)
                    && same_within(program, x.ty, y.ty, depth)
            };
            (name, size) == (other, bytes)
                && members.len() == others.len()
                && members.iter().zip(others).all(same)
        }
        (CType::Pointer { to }, CType::Pointer { to: other }) => same_tag(program, *to, *other),
        (CType::Array { element, count }, CType::Array { element: other, count: number }) => {
            count == number && same_within(program, *element, *other, depth)
        }
        (CType::Function { .. }, CType::Function { .. }) => true,
        (x, y) => x == y,
    }
}

/// True if what two pointers point to has the same name, as far as it has one.
fn same_tag(program: &Program, a: TypeId, b: TypeId) -> bool {
    let (a, b) = (ctype::strip(&program.types, a), ctype::strip(&program.types, b));
    match (&program.types[a], &program.types[b]) {
        (
            CType::Struct { name, .. } | CType::Union { name, .. },
            CType::Struct { name: other, .. } | CType::Union { name: other, .. },
        ) => name == other,
        (CType::Pointer { to }, CType::Pointer { to: other }) => same_tag(program, *to, *other),
        (CType::Function { .. }, CType::Function { .. }) => true,
        (CType::Array { element, .. }, CType::Array { element: other, .. }) => {
            same_tag(program, *element, *other)
        }
        (x, y) => x == y,
    }
}

fn base_type(program: &Program, file: Option<FileId>, name: &str) -> Result<Option<Ctype>, Unclear> {
    let known = |is: &dyn Fn(&CType) -> bool| {
        let all: Vec<TypeId> = program.types.iter().filter(|(_, ty)| is(ty)).map(|(id, _)| id).collect();
        only(program, file, &all).map(|ty| ty.map(Ctype::Of))
    };
    if let Some(tag) = name.strip_prefix("struct ").or_else(|| name.strip_prefix("union ")) {
        let has = |ty: &CType, complete: bool| match ty {
            CType::Struct { name: Some(name), size, .. } | CType::Union { name: Some(name), size, .. } => {
                name == tag && size.is_some() == complete
            }
            _ => false,
        };
        let complete = known(&|ty| has(ty, true))?;
        return if complete.is_some() { Ok(complete) } else { known(&|ty| has(ty, false)) };
    }
    if let Some(tag) = name.strip_prefix("enum ") {
        return known(&|ty| matches!(ty, CType::Enum { name: Some(name), .. } if name == tag));
    }
    let typedef = known(&|ty| matches!(ty, CType::Typedef { name: known, .. } if known == name))?;
    if typedef.is_some() {
        return Ok(typedef);
    }
    Ok(basic_type(program, name))
}

/// A type of C itself.
fn basic_type(program: &Program, name: &str) -> Option<Ctype> {
    let long = program.target.pointer_bytes();
    let mut words: Vec<&str> = name.split(' ').collect();
    words.sort_unstable();
    let int = |size, signed| Some(Ctype::Int { size, signed });
    match words.as_slice() {
        ["void"] => Some(Ctype::Void),
        ["char"] | ["char", "signed"] => int(1, true),
        ["_Bool"] => Some(Ctype::Bool),
        ["char", "unsigned"] => int(1, false),
        ["short"] | ["int", "short"] => int(2, true),
        ["short", "unsigned"] | ["int", "short", "unsigned"] => int(2, false),
        ["int"] | ["signed"] | ["int", "signed"] => int(4, true),
        ["unsigned"] | ["int", "unsigned"] => int(4, false),
        ["long"] | ["int", "long"] => int(long, true),
        ["long", "unsigned"] | ["int", "long", "unsigned"] => int(long, false),
        ["long", "long"] | ["int", "long", "long"] => int(8, true),
        ["long", "long", "unsigned"] | ["int", "long", "long", "unsigned"] => int(8, false),
        _ => None,
    }
}

/// True for the name of a typedef.
pub fn is_type(program: &Program, name: &str) -> bool {
    program.types.values().any(|ty| matches!(ty, CType::Typedef { name: known, .. } if known == name))
}
