//! C types as the programmer wrote them, with layout: names of members for messages, kinds of nodes for engines.

use crate::program::Span;
use cranelift_entity::{PrimaryMap, entity_impl};
use serde::{Deserialize, Serialize};

/// Names a C type in [`Types`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TypeId(u32);
entity_impl!(TypeId, "t");

/// All C types of a program.
pub type Types = PrimaryMap<TypeId, CType>;

/// A C type. Sizes are in bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum CType {
    /// `void`.
    Void,
    /// A basic integer type, `char` and `_Bool` included.
    Int { name: String, size: u64, signed: bool },
    /// A basic floating point type.
    Float { name: String, size: u64 },
    /// `enum name`.
    Enum { name: Option<String>, size: u64, enumerators: Vec<(String, i128)> },
    /// A pointer to a type.
    Pointer { to: TypeId },
    /// An array; `count` is unknown for flexible and variable length arrays.
    Array { element: TypeId, count: Option<u64> },
    /// A structure; incomplete when `size` is unknown.
    Struct { name: Option<String>, size: Option<u64>, members: Vec<Member>, span: Span },
    /// A union; incomplete when `size` is unknown.
    Union { name: Option<String>, size: Option<u64>, members: Vec<Member>, span: Span },
    /// A name for another type.
    Typedef { name: String, of: TypeId },
    /// `const`, `volatile`, `restrict` or `_Atomic` in front of a type.
    Qualified { qualifier: Qualifier, of: TypeId },
    /// A function type.
    Function { result: TypeId, params: Vec<TypeId>, variadic: bool },
    /// A type that the front end could not describe.
    Opaque { name: String, size: u64 },
}

/// A type qualifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Qualifier {
    /// `const`
    Const,
    /// `volatile`
    Volatile,
    /// `restrict`
    Restrict,
    /// `_Atomic`
    Atomic,
}

/// A member of a structure or union.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// The name; none for anonymous structures and unions.
    pub name: Option<String>,
    /// The type.
    pub ty: TypeId,
    /// Offset in bits from the start of the aggregate.
    pub bit_offset: u64,
    /// Width in bits if it is a bit-field.
    pub bit_width: Option<u64>,
}

/// Removes typedefs and qualifiers from the outside of a type.
pub fn strip(types: &Types, mut id: TypeId) -> TypeId {
    // A typedef cycle is impossible in C, so this ends.
    loop {
        match &types[id] {
            CType::Typedef { of, .. } | CType::Qualified { of, .. } => id = *of,
            _ => return id,
        }
    }
}

/// Size of a type in bytes where it is known.
pub fn size_of(types: &Types, id: TypeId, pointer_bytes: u64) -> Option<u64> {
    match &types[strip(types, id)] {
        CType::Void | CType::Function { .. } => None,
        CType::Int { size, .. }
        | CType::Float { size, .. }
        | CType::Enum { size, .. }
        | CType::Opaque { size, .. } => Some(*size),
        CType::Pointer { .. } => Some(pointer_bytes),
        CType::Array { element, count } => size_of(types, *element, pointer_bytes)?.checked_mul((*count)?),
        CType::Struct { size, .. } | CType::Union { size, .. } => *size,
        CType::Typedef { .. } | CType::Qualified { .. } => unreachable!("stripped"),
    }
}

/// What a pointer type points to, through typedefs and qualifiers.
pub fn pointee(types: &Types, id: TypeId) -> Option<TypeId> {
    match types[strip(types, id)] {
        CType::Pointer { to } => Some(to),
        _ => None,
    }
}

/// The element type of an array type, through typedefs and qualifiers.
pub fn element(types: &Types, id: TypeId) -> Option<TypeId> {
    match types[strip(types, id)] {
        CType::Array { element, .. } => Some(element),
        _ => None,
    }
}

/// The members of a structure or union, through typedefs and qualifiers; none for other types.
pub fn members(types: &Types, id: TypeId) -> &[Member] {
    match &types[strip(types, id)] {
        CType::Struct { members, .. } | CType::Union { members, .. } => members,
        _ => &[],
    }
}

/// The structure or union with this tag that is complete, else one that is not.
pub fn find_aggregate(types: &Types, tag: &str) -> Option<TypeId> {
    let mut incomplete = None;
    for (id, ctype) in types.iter() {
        if let CType::Struct { name: Some(name), size, .. } | CType::Union { name: Some(name), size, .. } =
            ctype
            && name == tag
        {
            if size.is_some() {
                return Some(id);
            }
            incomplete = incomplete.or(Some(id));
        }
    }
    incomplete
}
