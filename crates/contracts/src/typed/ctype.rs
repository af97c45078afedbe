//! C types in annotations. Annotations may have types that the program does not name.

use crate::annotation::{FieldRef, Mistake, TypeName};
use heapproof_ir::{CType, Member, Program, TypeId, ctype};

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
    /// `void`.
    Void,
    /// A pointer.
    Pointer(Box<Ctype>),
}

/// What a type is made of, with typedefs and qualifiers gone.
pub enum Shown<'a> {
    /// A mathematical integer.
    Math,
    /// An integer or an enumeration.
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
            Ctype::Void => Shown::Other,
            Ctype::Pointer(to) => Shown::Pointer((**to).clone()),
            Ctype::Of(id) => {
                let id = ctype::strip(&program.types, *id);
                match &program.types[id] {
                    // What is wider than a machine word has no value here.
                    CType::Int { size: 1 | 2 | 4 | 8, .. } | CType::Enum { size: 1 | 2 | 4 | 8, .. } => {
                        let (size, signed) = match &program.types[id] {
                            CType::Int { size, signed, .. } => (*size, *signed),
                            CType::Enum { size, .. } => (*size, false),
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

    /// The size in bytes.
    pub fn size(&self, program: &Program) -> Option<u64> {
        let pointer = program.target.pointer_bytes();
        match self {
            Ctype::Math => None,
            Ctype::Int { size, .. } => Some(*size),
            Ctype::Void => Some(1),
            Ctype::Pointer(_) => Some(pointer),
            Ctype::Of(id) => match &program.types[ctype::strip(&program.types, *id)] {
                CType::Void => Some(1),
                _ => ctype::size_of(&program.types, *id, pointer),
            },
        }
    }

    /// The size of the scalar at an offset in a value of this type; that of the first one if there is none there.
    pub fn scalar_at(&self, program: &Program, offset: i128) -> Option<u64> {
        match self.show(program) {
            Shown::Aggregate(_, members) => {
                let inside = |member: &&Member| {
                    let start = i128::from(member.bit_offset / 8);
                    let size = Ctype::Of(member.ty).size(program).unwrap_or(0);
                    start <= offset && offset < start + i128::from(size)
                };
                match members.iter().find(inside) {
                    Some(member) => {
                        Ctype::Of(member.ty).scalar_at(program, offset - i128::from(member.bit_offset / 8))
                    }
                    None => Ctype::Of(members.first()?.ty).scalar_at(program, 0),
                }
            }
            Shown::Array(element) => {
                let size = i128::from(element.size(program)?.max(1));
                element.scalar_at(program, offset.rem_euclid(size))
            }
            _ => self.size(program),
        }
    }
}

/// The structure and the offset of a link field.
pub fn link_field(program: &Program, field: &FieldRef) -> Result<(TypeId, i128), Mistake> {
    let ty = resolve(program, &field.owner)?;
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

/// The type of a name.
pub fn resolve(program: &Program, name: &TypeName) -> Result<Ctype, Mistake> {
    let base = base_type(program, &name.name).ok_or_else(|| {
        Mistake::new(name.at, format!("the type `{}` is not known", name.name))
            .with("only types that the program uses are known")
    })?;
    Ok((0..name.stars).fold(base, |ty, _| Ctype::Pointer(Box::new(ty))))
}

fn base_type(program: &Program, name: &str) -> Option<Ctype> {
    if let Some(tag) = name.strip_prefix("struct ").or_else(|| name.strip_prefix("union ")) {
        return ctype::find_aggregate(&program.types, tag).map(Ctype::Of);
    }
    if let Some(tag) = name.strip_prefix("enum ") {
        let found = program
            .types
            .iter()
            .find(|(_, ty)| matches!(ty, CType::Enum { name: Some(name), .. } if name == tag));
        return found.map(|(id, _)| Ctype::Of(id));
    }
    let typedef = program
        .types
        .iter()
        .find(|(_, ty)| matches!(ty, CType::Typedef { name: known, .. } if known == name));
    if let Some((id, _)) = typedef {
        return Some(Ctype::Of(id));
    }
    let long = program.target.pointer_bytes();
    let mut words: Vec<&str> = name.split(' ').collect();
    words.sort_unstable();
    let int = |size, signed| Some(Ctype::Int { size, signed });
    match words.as_slice() {
        ["void"] => Some(Ctype::Void),
        ["char"] | ["char", "signed"] => int(1, true),
        ["char", "unsigned"] | ["_Bool"] => int(1, false),
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
