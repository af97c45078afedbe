//! Debug information to C types, variables and positions.

use crate::llvm::{Meta, MetaKind, Type, Value};
use crate::source::{Source, Sources};
use cranelift_entity::PrimaryMap;
use heapproof_ir::ctype::Qualifier;
use heapproof_ir::{CType, FileId, Member, Span, TypeId, Types, Variable};
use std::collections::HashMap;

/// DWARF tags.
mod tag {
    pub const ARRAY: u16 = 0x01;
    pub const ENUMERATION: u16 = 0x04;
    pub const MEMBER: u16 = 0x0d;
    pub const POINTER: u16 = 0x0f;
    pub const STRUCTURE: u16 = 0x13;
    pub const TYPEDEF: u16 = 0x16;
    pub const UNION: u16 = 0x17;
    pub const CONST: u16 = 0x26;
    pub const VOLATILE: u16 = 0x35;
    pub const RESTRICT: u16 = 0x37;
    pub const ATOMIC: u16 = 0x47;
}

/// What was read from the debug information so far.
pub struct DebugInfo<'m> {
    types: HashMap<Meta<'m>, TypeId>,
    /// Types that have an id but no description yet.
    pending: Vec<(Meta<'m>, TypeId, Value<'m>)>,
    void: Option<TypeId>,
    files: HashMap<Meta<'m>, FileId>,
    /// Any value of the module: LLVM's C API reads nodes with its help.
    any: Option<Value<'m>>,
    /// Names of files that were compiled, besides the given ones.
    compiled: Vec<String>,
    /// The files by the names that clang knows them by.
    paths: HashMap<String, FileId>,
    /// Structures and unions by LLVM's name, such as `struct.node`; `None` if several have it.
    aggregates: HashMap<String, Option<TypeId>>,
}

impl<'m> DebugInfo<'m> {
    pub fn new(inputs: &[Source], any: Option<Value<'m>>, files: &mut PrimaryMap<FileId, String>) -> Self {
        let mut paths = HashMap::new();
        for source in inputs {
            let told = source.told().to_string_lossy().into_owned();
            let given = source.path.to_string_lossy().into_owned();
            paths.entry(told).or_insert_with(|| files.push(given));
        }
        DebugInfo {
            types: HashMap::new(),
            pending: Vec::new(),
            void: None,
            files: HashMap::new(),
            any,
            compiled: Vec::new(),
            paths,
            aggregates: HashMap::new(),
        }
    }

    fn file(&mut self, file: Meta<'m>, files: &mut PrimaryMap<FileId, String>) -> FileId {
        if let Some(&id) = self.files.get(&file) {
            return id;
        }
        // The operand of a file that holds the checksum of what was compiled; a name from `#line` has none.
        const CHECKSUM: usize = 2;
        let name = file.file_name();
        if self.any.is_some_and(|any| file.string_operand(any, CHECKSUM).is_some()) {
            self.compiled.push(name.clone());
        }
        let id = *self.paths.entry(name.clone()).or_insert_with(|| files.push(name));
        self.files.insert(file, id);
        id
    }

    /// Tells which files were compiled, as far as positions named them.
    pub fn tell_compiled(&mut self, sources: &mut Sources) {
        self.compiled.drain(..).for_each(|name| sources.add(&name));
    }

    /// The position of an instruction.
    pub fn span(&mut self, inst: Value<'m>, files: &mut PrimaryMap<FileId, String>) -> Span {
        let Some(location) = inst.debug_location() else { return Span::NONE };
        let (line, column) = location.line_and_column();
        self.declaration(location.location_file(), line, column, files)
    }

    /// A position in a file.
    pub fn declaration(
        &mut self,
        file: Option<Meta<'m>>,
        line: u32,
        column: u32,
        files: &mut PrimaryMap<FileId, String>,
    ) -> Span {
        match file {
            Some(file) if line != 0 => Span { file: self.file(file, files), line, column },
            _ => Span::NONE,
        }
    }

    /// The C type of a function.
    pub fn subprogram_type(&mut self, meta: Meta<'m>, of: Value<'m>, types: &mut Types) -> Option<TypeId> {
        const TYPE: usize = 4;
        let ty = (*meta.operands(of).get(TYPE)?)?;
        Some(self.reference(Some(ty), of, types))
    }

    /// Name and type of a local variable.
    pub fn local_variable(&mut self, meta: Meta<'m>, of: Value<'m>, types: &mut Types) -> Option<Variable> {
        (meta.kind() == MetaKind::LocalVariable).then(|| self.variable(meta, of, types))?
    }

    /// Name and type of a global; string literals have a type only.
    pub fn global_variable(
        &mut self,
        of: Value<'m>,
        types: &mut Types,
    ) -> Option<(Meta<'m>, Option<TypeId>)> {
        const TYPE: usize = 3;
        let meta = of.global_debug()?.global_variable()?;
        let ty = meta.operands(of).get(TYPE).copied().flatten();
        Some((meta, ty.map(|ty| self.reference(Some(ty), of, types))))
    }

    fn variable(&mut self, meta: Meta<'m>, of: Value<'m>, types: &mut Types) -> Option<Variable> {
        const NAME: usize = 1;
        const TYPE: usize = 3;
        let name = meta.string_operand(of, NAME)?;
        let ty = meta.operands(of).get(TYPE).copied().flatten();
        let ctype = ty.map(|ty| self.reference(Some(ty), of, types));
        Some(Variable { name, ctype, span: Span::NONE })
    }

    /// The id of a type; its description follows by [`finish`](Self::finish).
    fn reference(&mut self, meta: Option<Meta<'m>>, of: Value<'m>, types: &mut Types) -> TypeId {
        let Some(meta) = meta else {
            return *self.void.get_or_insert_with(|| types.push(CType::Void));
        };
        if let Some(&id) = self.types.get(&meta) {
            return id;
        }
        let id = types.push(CType::Void);
        self.types.insert(meta, id);
        self.pending.push((meta, id, of));
        id
    }

    /// Describes all types that were referred to.
    pub fn finish(&mut self, types: &mut Types, files: &mut PrimaryMap<FileId, String>) {
        while let Some((meta, id, of)) = self.pending.pop() {
            let mut described = self.describe(meta, of, types);
            if let CType::Struct { span, .. } | CType::Union { span, .. } = &mut described {
                *span = self.declaration(meta.scope_file(), meta.type_line(), 0, files);
            }
            self.remember_aggregate(&described, id);
            types[id] = described;
        }
    }

    fn remember_aggregate(&mut self, ty: &CType, id: TypeId) {
        let key = match ty {
            CType::Struct { name: Some(name), size: Some(_), .. } => format!("struct.{name}"),
            CType::Union { name: Some(name), size: Some(_), .. } => format!("union.{name}"),
            _ => return,
        };
        self.aggregates.entry(key).and_modify(|known| *known = None).or_insert(Some(id));
    }

    /// The C type of an LLVM structure type.
    pub fn aggregate(&self, ty: Type<'m>) -> Option<TypeId> {
        *self.aggregates.get(&ty.struct_name()?)?
    }

    fn describe(&mut self, meta: Meta<'m>, of: Value<'m>, types: &mut Types) -> CType {
        match meta.kind() {
            MetaKind::BasicType => basic_type(meta),
            MetaKind::DerivedType => self.derived_type(meta, of, types),
            MetaKind::CompositeType => self.composite_type(meta, of, types),
            MetaKind::SubroutineType => self.function_type(meta, of, types),
            _ => CType::Opaque { name: "?".to_owned(), size: 0 },
        }
    }

    fn derived_type(&mut self, meta: Meta<'m>, of: Value<'m>, types: &mut Types) -> CType {
        let to = self.base_type(meta, of, types);
        let qualified = |qualifier| CType::Qualified { qualifier, of: to };
        match meta.tag() {
            tag::POINTER => CType::Pointer { to },
            tag::TYPEDEF => CType::Typedef { name: meta.type_name(), of: to },
            tag::CONST => qualified(Qualifier::Const),
            tag::VOLATILE => qualified(Qualifier::Volatile),
            tag::RESTRICT => qualified(Qualifier::Restrict),
            tag::ATOMIC => qualified(Qualifier::Atomic),
            _ => CType::Opaque { name: meta.type_name(), size: meta.type_bits() / 8 },
        }
    }

    fn base_type(&mut self, meta: Meta<'m>, of: Value<'m>, types: &mut Types) -> TypeId {
        const BASE: usize = 3;
        let base = meta.operands(of).get(BASE).copied().flatten();
        self.reference(base, of, types)
    }

    fn composite_type(&mut self, meta: Meta<'m>, of: Value<'m>, types: &mut Types) -> CType {
        const ELEMENTS: usize = 4;
        let elements = meta.operands(of).get(ELEMENTS).copied().flatten();
        let elements: Vec<_> =
            elements.map(|list| list.operands(of)).unwrap_or_default().into_iter().flatten().collect();
        let name = Some(meta.type_name()).filter(|name| !name.is_empty());
        let size = (!meta.is_forward_declaration()).then(|| meta.type_bits() / 8);
        let span = Span::NONE;
        match meta.tag() {
            tag::STRUCTURE => CType::Struct { name, size, members: self.members(&elements, of, types), span },
            tag::UNION => CType::Union { name, size, members: self.members(&elements, of, types), span },
            // LLVM's C API does not tell the values of enumerators.
            tag::ENUMERATION => CType::Enum { name, size: meta.type_bits() / 8, enumerators: Vec::new() },
            tag::ARRAY => {
                let element = self.base_type(meta, of, types);
                array_type(&elements, element, of, types)
            }
            _ => CType::Opaque { name: name.unwrap_or_default(), size: meta.type_bits() / 8 },
        }
    }

    fn members(&mut self, elements: &[Meta<'m>], of: Value<'m>, types: &mut Types) -> Vec<Member> {
        let members = elements.iter().filter(|m| m.kind() == MetaKind::DerivedType && m.tag() == tag::MEMBER);
        members
            .map(|m| Member {
                name: Some(m.type_name()).filter(|name| !name.is_empty()),
                ty: self.base_type(*m, of, types),
                bit_offset: m.type_bit_offset(),
                bit_width: m.is_bit_field().then(|| m.type_bits()),
            })
            .collect()
    }

    fn function_type(&mut self, meta: Meta<'m>, of: Value<'m>, types: &mut Types) -> CType {
        const TYPES: usize = 3;
        let list = meta.operands(of).get(TYPES).copied().flatten();
        let list = list.map(|list| list.operands(of)).unwrap_or_default();
        let result = self.reference(list.first().copied().flatten(), of, types);
        // A hole after the result stands for `...`.
        let variadic = list.len() > 1 && list.last().is_some_and(Option::is_none);
        let params =
            list.iter().skip(1).flatten().map(|param| self.reference(Some(*param), of, types)).collect();
        CType::Function { result, params, variadic }
    }
}

/// A basic type. LLVM's C API does not tell its encoding, but its name does.
fn basic_type(meta: Meta<'_>) -> CType {
    let (name, size) = (meta.type_name(), meta.type_bits() / 8);
    if ["float", "double", "_Float"].iter().any(|part| name.contains(part)) {
        return CType::Float { name, size };
    }
    let signed = !name.contains("unsigned") && name != "_Bool" && name != "bool";
    CType::Int { name, size, signed }
}

/// An array of one or more dimensions, the outermost first.
fn array_type<'m>(ranges: &[Meta<'m>], innermost: TypeId, of: Value<'m>, types: &mut Types) -> CType {
    let counts: Vec<_> = ranges
        .iter()
        .filter(|m| m.kind() == MetaKind::Subrange)
        .map(|m| m.int_operand(of, 0).filter(|&count| count != u64::MAX))
        .collect();
    let mut element = innermost;
    for &count in counts.iter().skip(1).rev() {
        element = types.push(CType::Array { element, count });
    }
    CType::Array { element, count: counts.first().copied().flatten() }
}
