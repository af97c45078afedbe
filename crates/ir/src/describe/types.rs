//! C types in words: their names in C syntax, and the member at an offset.

use crate::ctype::{CType, Member, Qualifier, TypeId, Types, size_of, strip};

/// How deep names and paths go; types that point to themselves have no end.
const DEPTH: u32 = 16;

/// The name of a type in C syntax: `struct node *`, `int[4]`, `char *(*)(int)`.
pub fn type_name(types: &Types, id: TypeId) -> String {
    declare(types, id, String::new(), DEPTH)
}

/// A declaration of `inner` with the type.
fn declare(types: &Types, id: TypeId, inner: String, depth: u32) -> String {
    let simple = |name: &str| if inner.is_empty() { name.to_owned() } else { format!("{name} {inner}") };
    let tagged = |keyword: &str, name: &Option<String>| match name {
        Some(name) => simple(&format!("{keyword} {name}")),
        None => simple(&format!("{keyword} {{…}}")),
    };
    let Some(depth) = depth.checked_sub(1) else { return simple("…") };
    match &types[id] {
        CType::Void => simple("void"),
        CType::Int { name, .. }
        | CType::Float { name, .. }
        | CType::Typedef { name, .. }
        | CType::Opaque { name, .. } => simple(name),
        CType::Enum { name, .. } => tagged("enum", name),
        CType::Struct { name, .. } => tagged("struct", name),
        CType::Union { name, .. } => tagged("union", name),
        CType::Pointer { to } => match types[*to] {
            CType::Array { .. } | CType::Function { .. } => declare(types, *to, format!("(*{inner})"), depth),
            _ => declare(types, *to, format!("*{inner}"), depth),
        },
        CType::Array { element, count } => {
            let count = count.map_or(String::new(), |count| count.to_string());
            let text = declare(types, *element, format!("{inner}[{count}]"), depth);
            // Without a name, `int[4]` is the usual form.
            text.replacen(" [", "[", 1)
        }
        CType::Qualified { qualifier, of } => {
            let word = match qualifier {
                Qualifier::Const => "const",
                Qualifier::Volatile => "volatile",
                Qualifier::Restrict => "restrict",
                Qualifier::Atomic => "_Atomic",
            };
            // A qualified pointer has the word behind the star.
            if matches!(types[*of], CType::Pointer { .. }) {
                let space = if inner.is_empty() { "" } else { " " };
                declare(types, *of, format!("{word}{space}{inner}"), depth)
            } else {
                format!("{word} {}", declare(types, *of, inner, depth))
            }
        }
        CType::Function { result, params, variadic } => {
            let mut list: Vec<String> =
                params.iter().map(|param| declare(types, *param, String::new(), depth)).collect();
            if *variadic {
                list.push("...".to_owned());
            } else if list.is_empty() {
                list.push("void".to_owned());
            }
            declare(types, *result, format!("{inner}({})", list.join(", ")), depth)
        }
    }
}

/// The path from the start of an object of a type to the scalar at a byte offset, such as `pos.x` or
/// `items[3].key` (an array itself gives `[3].key`). None if there is no member.
pub fn member_at(types: &Types, id: TypeId, offset: u64, pointer_bytes: u64) -> Option<String> {
    let found = path_at(types, id, offset, pointer_bytes, false)?;
    let path = found.path.strip_prefix('.').unwrap_or(&found.path);
    (!path.is_empty()).then(|| path.to_owned())
}

/// A part of an object.
pub(super) struct Part {
    /// The path to it, with a leading dot or bracket.
    pub(super) path: String,
    /// Its type.
    pub(super) ctype: TypeId,
    /// How far behind its start the offset lies.
    pub(super) rest: u64,
}

/// The scalar at an offset; with `outermost` the largest part that starts exactly there, if one does.
pub(super) fn path_at(
    types: &Types,
    id: TypeId,
    offset: u64,
    pointer_bytes: u64,
    outermost: bool,
) -> Option<Part> {
    let mut path = String::new();
    let (mut id, mut offset) = (id, offset);
    for _ in 0..DEPTH {
        if outermost && offset == 0 && !path.is_empty() {
            return Some(Part { path, ctype: id, rest: 0 });
        }
        match &types[strip(types, id)] {
            CType::Struct { members, .. } | CType::Union { members, .. } => {
                let member = covering(types, members, offset, pointer_bytes)?;
                if let Some(name) = &member.name {
                    path.push('.');
                    path.push_str(name);
                }
                if member.bit_width.is_some() {
                    return Some(Part { path, ctype: member.ty, rest: 0 });
                }
                (id, offset) = (member.ty, offset - member.bit_offset / 8);
            }
            CType::Array { element, .. } => {
                let size = size_of(types, *element, pointer_bytes).filter(|size| *size > 0)?;
                path.push_str(&format!("[{}]", offset / size));
                (id, offset) = (*element, offset % size);
            }
            _ if offset < size_of(types, id, pointer_bytes).unwrap_or(u64::MAX) => {
                return Some(Part { path, ctype: id, rest: offset });
            }
            _ => return None,
        }
    }
    None
}

/// The member that holds a byte: the first bit-field or the first member that reaches so far.
fn covering<'a>(types: &Types, members: &'a [Member], offset: u64, pointer_bytes: u64) -> Option<&'a Member> {
    members.iter().find(|member| {
        let bits = match member.bit_width {
            Some(width) => width,
            // A flexible array has no end.
            None => size_of(types, member.ty, pointer_bytes).unwrap_or(u64::MAX).saturating_mul(8),
        };
        let first = member.bit_offset / 8;
        let end = member.bit_offset.saturating_add(bits).div_ceil(8);
        (first..end).contains(&offset)
    })
}
