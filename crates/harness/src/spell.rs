//! C types as C text: declarators, and definitions of the structures that a client declares objects of.

use heapproof_ir::ctype::{CType, TypeId, strip};
use heapproof_ir::{Program, Types};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Names of the standard library that stay as they are, with their headers.
const KEPT: [(&str, &str); 17] = [
    ("size_t", "stddef.h"),
    ("ptrdiff_t", "stddef.h"),
    ("ssize_t", "sys/types.h"),
    ("FILE", "stdio.h"),
    ("time_t", "time.h"),
    ("int8_t", "stdint.h"),
    ("int16_t", "stdint.h"),
    ("int32_t", "stdint.h"),
    ("int64_t", "stdint.h"),
    ("uint8_t", "stdint.h"),
    ("uint16_t", "stdint.h"),
    ("uint32_t", "stdint.h"),
    ("uint64_t", "stdint.h"),
    ("intptr_t", "stdint.h"),
    ("uintptr_t", "stdint.h"),
    ("intmax_t", "stdint.h"),
    ("uintmax_t", "stdint.h"),
];

/// Writes types, and remembers what has to be declared for them.
pub(crate) struct Speller<'a> {
    program: &'a Program,
    /// Headers of the standard library that are needed.
    pub headers: BTreeSet<&'static str>,
    /// Definitions, in an order in which they compile.
    pub definitions: String,
    defined: BTreeSet<String>,
    /// Tags that are only named.
    pub named: BTreeSet<String>,
    /// The declarations come from headers of the library.
    pub given: bool,
}

impl<'a> Speller<'a> {
    pub fn new(program: &'a Program, given: bool) -> Self {
        Speller {
            program,
            headers: BTreeSet::new(),
            definitions: String::new(),
            defined: BTreeSet::new(),
            named: BTreeSet::new(),
            given,
        }
    }

    fn types(&self) -> &'a Types {
        &self.program.types
    }

    /// A declaration of a name with a type.
    pub fn declare(&mut self, ty: TypeId, name: &str) -> String {
        let spaced = |base: &str, name: &str| match name {
            "" => base.to_owned(),
            _ => format!("{base} {name}"),
        };
        match &self.types()[ty] {
            CType::Void => spaced("void", name),
            CType::Int { name: base, .. } | CType::Float { name: base, .. } => spaced(base, name),
            CType::Opaque { name: base, .. } => spaced(base, name),
            CType::Enum { name: Some(tag), .. } => {
                self.define_enum(tag);
                spaced(&format!("enum {tag}"), name)
            }
            CType::Enum { name: None, .. } => spaced("int", name),
            CType::Struct { name: Some(tag), .. } | CType::Union { name: Some(tag), .. } => {
                let keyword = self.keyword(ty);
                self.named.insert(format!("{keyword} {tag}"));
                spaced(&format!("{keyword} {tag}"), name)
            }
            CType::Struct { name: None, .. } | CType::Union { name: None, .. } => {
                let body = self.body(ty);
                spaced(&format!("{} {body}", self.keyword(ty)), name)
            }
            CType::Typedef { name: alias, of } => {
                if let Some((_, header)) = KEPT.iter().find(|(kept, _)| kept == alias) {
                    self.headers.insert(header);
                    return spaced(alias, name);
                }
                if self.is_nameless(*of) || self.given {
                    self.define_alias(alias, *of);
                    return spaced(alias, name);
                }
                self.declare(*of, name)
            }
            CType::Qualified { qualifier, of } => {
                use heapproof_ir::ctype::Qualifier::*;
                let word = match qualifier {
                    Const => "const",
                    Volatile => "volatile",
                    Restrict => "restrict",
                    Atomic => "_Atomic",
                };
                if matches!(self.types()[*of], CType::Pointer { .. }) {
                    return self.declare(*of, spaced(word, name).as_str());
                }
                format!("{word} {}", self.declare(*of, name))
            }
            CType::Pointer { to } => {
                let to = *to;
                let bare = strip_qualifiers(self.types(), to);
                let inner = match self.types()[bare] {
                    CType::Array { .. } | CType::Function { .. } => format!("(*{name})"),
                    _ => format!("*{name}"),
                };
                self.declare(to, &inner)
            }
            CType::Array { element, count } => {
                let count = count.map_or(String::new(), |count| count.to_string());
                self.declare(*element, &format!("{name}[{count}]"))
            }
            CType::Function { result, params, variadic } => {
                let (result, variadic) = (*result, *variadic);
                let mut shown: Vec<String> = params.clone().iter().map(|p| self.declare(*p, "")).collect();
                if variadic {
                    shown.push("...".to_owned());
                }
                let shown = if shown.is_empty() { "void".to_owned() } else { shown.join(", ") };
                self.declare(result, &format!("{name}({shown})"))
            }
        }
    }

    fn keyword(&self, ty: TypeId) -> &'static str {
        if matches!(self.types()[ty], CType::Union { .. }) { "union" } else { "struct" }
    }

    fn is_nameless(&self, ty: TypeId) -> bool {
        matches!(
            self.types()[ty],
            CType::Struct { name: None, .. }
                | CType::Union { name: None, .. }
                | CType::Enum { name: None, .. }
        )
    }

    fn define_enum(&mut self, tag: &str) {
        if !self.given && self.defined.insert(format!("enum {tag}")) {
            // Values are chosen as integers; the names of the library are not needed.
            let _ = writeln!(self.definitions, "enum {tag} {{ heapproof_{tag} = -1 }};");
        }
    }

    fn define_alias(&mut self, alias: &str, of: TypeId) {
        if self.given || !self.defined.insert(alias.to_owned()) {
            return;
        }
        let line = match self.types()[of] {
            CType::Enum { .. } => format!("typedef int {alias};\n"),
            _ => format!("typedef {} {} {alias};\n", self.keyword(of), self.body(of)),
        };
        self.definitions.push_str(&line);
    }

    /// Defines what has to be complete for objects of a type.
    pub fn complete(&mut self, ty: TypeId) {
        if self.given {
            return;
        }
        let ty = match &self.types()[ty] {
            CType::Typedef { name, of } if self.is_nameless(*of) => {
                let (name, of) = (name.clone(), *of);
                return self.define_alias(&name, of);
            }
            CType::Typedef { of, .. } | CType::Qualified { of, .. } => return self.complete(*of),
            CType::Array { element, .. } => return self.complete(*element),
            CType::Struct { name: Some(tag), .. } | CType::Union { name: Some(tag), .. } => {
                if !self.defined.insert(format!("{} {tag}", self.keyword(ty))) {
                    return;
                }
                ty
            }
            _ => return,
        };
        let body = self.body(ty);
        if let CType::Struct { name: Some(tag), .. } | CType::Union { name: Some(tag), .. } =
            &self.types()[ty]
        {
            let keyword = self.keyword(ty);
            self.definitions.push_str(&format!("{keyword} {tag} {body};\n"));
        }
    }

    fn body(&mut self, ty: TypeId) -> String {
        let (CType::Struct { members, .. } | CType::Union { members, .. }) = &self.types()[ty] else {
            return String::new();
        };
        let mut text = String::from("{");
        for member in members.clone() {
            self.complete(member.ty);
            let shown = self.declare(member.ty, member.name.as_deref().unwrap_or(""));
            match member.bit_width {
                Some(width) => drop(write!(text, " {shown} : {width};")),
                None => drop(write!(text, " {shown};")),
            }
        }
        text.push_str(" }");
        text
    }
}

fn strip_qualifiers(types: &Types, mut ty: TypeId) -> TypeId {
    while let CType::Qualified { of, .. } = &types[ty] {
        ty = *of;
    }
    // Only what is spelled out is put into brackets; a name of the standard library stays.
    if let CType::Typedef { name, .. } = &types[ty]
        && KEPT.iter().any(|(kept, _)| kept == name)
    {
        return ty;
    }
    strip(types, ty)
}
