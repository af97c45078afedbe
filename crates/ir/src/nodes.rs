//! Node types: which structures of a program are nodes of data structures, and where their links are.
//!
//! A node type is a structure that holds pointers to structures. A link is such a pointer, if what it points to is a node type.

use crate::ctype::{CType, TypeId, pointee, size_of, strip};
use crate::program::Program;
use std::collections::BTreeMap;

/// A node type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeType(pub usize);

/// A field of a node type that points to nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Link(pub usize);

/// What a part of a node holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Numbers, or pointers to something that is no node.
    Data,
    /// The address of a node of this type, or null.
    Link(Link),
}

/// A scalar of a node.
#[derive(Clone, Debug)]
pub struct Field {
    /// Offset in bytes.
    pub offset: i128,
    /// Size in bytes.
    pub size: i128,
    /// Its C name, with those of the members around it.
    pub name: String,
    /// What it holds.
    pub content: Content,
    /// It holds an address.
    pub pointer: bool,
    /// It holds the address of a function.
    pub function: bool,
    /// It is a number with a sign.
    pub signed: bool,
}

/// One structure.
#[derive(Clone, Debug)]
pub struct NodeInfo {
    /// A name that is unique and can be written in rules.
    pub name: String,
    /// The structure.
    pub ctype: TypeId,
    /// Size in bytes.
    pub size: i128,
    /// Scalars that overlap nothing, by offset. Bit-fields and unions are not among them.
    pub fields: Vec<Field>,
    /// Parts, from and to, of which it is not known whether they hold links: unions with links, flexible or long arrays of links.
    pub hazy: Vec<(i128, i128)>,
}

/// One link.
#[derive(Clone, Debug)]
pub struct LinkInfo {
    /// The type that it is a field of.
    pub of: NodeType,
    /// Offset in bytes.
    pub offset: i128,
    /// The type that it points to.
    pub to: NodeType,
    /// A name that is unique and can be written in rules.
    pub name: String,
    /// The C name of the field.
    pub field: String,
}

/// All node types of a program.
#[derive(Clone, Debug, Default)]
pub struct Nodes {
    /// The types.
    pub types: Vec<NodeInfo>,
    /// Their links.
    pub links: Vec<LinkInfo>,
    ids: BTreeMap<TypeId, NodeType>,
    /// By tag; none where two structures have it.
    tags: BTreeMap<String, Option<NodeType>>,
}

/// More links of one structure than this are not told apart.
const MOST_SCALARS: usize = 256;

#[derive(Clone, PartialEq)]
struct Scalar {
    offset: i128,
    size: i128,
    name: String,
    pointer: bool,
    function: bool,
    signed: bool,
    to: Option<TypeId>,
}

#[derive(Default)]
struct Flat {
    scalars: Vec<Scalar>,
    hazy: Vec<(i128, i128)>,
}

impl Flat {
    fn has_links(&self) -> bool {
        !self.hazy.is_empty() || self.scalars.iter().any(|s| s.to.is_some())
    }
}

impl Nodes {
    /// Finds the node types of a program.
    pub fn new(program: &Program) -> Nodes {
        let mut nodes = Nodes::default();
        let mut flats: Vec<Flat> = Vec::new();
        for (id, ctype) in program.types.iter() {
            let CType::Struct { name, size: Some(size), .. } = ctype else { continue };
            let mut flat = Flat::default();
            flatten(program, id, 0, "", &mut flat);
            if flat.has_links() {
                nodes.add(program, id, name.as_deref(), i128::from(*size), flat, &mut flats);
            }
        }
        for (index, flat) in flats.into_iter().enumerate() {
            for scalar in flat.scalars {
                nodes.add_field(program, NodeType(index), scalar);
            }
        }
        nodes
    }

    fn add(
        &mut self,
        program: &Program,
        id: TypeId,
        tag: Option<&str>,
        size: i128,
        flat: Flat,
        flats: &mut Vec<Flat>,
    ) {
        let same = |known: &usize| {
            let other: &Flat = &flats[*known];
            tag.is_some()
                && struct_tag(program, self.types[*known].ctype) == tag
                && self.types[*known].size == size
                && other.hazy == flat.hazy
                && other.scalars.len() == flat.scalars.len()
                && other.scalars.iter().zip(&flat.scalars).all(|(a, b)| {
                    (a.offset, a.size, &a.name, a.pointer) == (b.offset, b.size, &b.name, b.pointer)
                        && a.to.and_then(|t| struct_tag(program, t))
                            == b.to.and_then(|t| struct_tag(program, t))
                })
        };
        // Files of one program describe the same structure each on its own.
        if let Some(known) = (0..self.types.len()).find(same) {
            self.ids.insert(id, NodeType(known));
            return;
        }
        let node = NodeType(self.types.len());
        let label = tag.map_or_else(|| format!("t{}", node.0), str::to_owned);
        let taken = self.types.iter().any(|t| t.name == label);
        let name = if taken { format!("{label}_{}", node.0) } else { label };
        if let Some(tag) = tag {
            self.tags.entry(tag.to_owned()).and_modify(|known| *known = None).or_insert(Some(node));
        }
        self.ids.insert(id, node);
        self.types.push(NodeInfo { name, ctype: id, size, fields: Vec::new(), hazy: flat.hazy.clone() });
        flats.push(flat);
    }

    fn add_field(&mut self, program: &Program, node: NodeType, scalar: Scalar) {
        let content = match scalar.to.and_then(|t| self.struct_type(program, t)) {
            Some(to) => {
                let name = format!(
                    "{}_{}",
                    self.types[node.0].name,
                    scalar.name.replace(['.', '['], "_").replace(']', "")
                );
                let field = scalar.name.clone();
                self.links.push(LinkInfo { of: node, offset: scalar.offset, to, name, field });
                Content::Link(Link(self.links.len() - 1))
            }
            None => Content::Data,
        };
        let Scalar { offset, size, name, pointer, function, signed, .. } = scalar;
        self.types[node.0].fields.push(Field { offset, size, name, content, pointer, function, signed });
    }

    /// The node type of a structure type.
    pub fn struct_type(&self, program: &Program, id: TypeId) -> Option<NodeType> {
        let id = strip(&program.types, id);
        match &program.types[id] {
            CType::Struct { .. } if self.ids.contains_key(&id) => self.ids.get(&id).copied(),
            // Declared only here, defined elsewhere.
            CType::Struct { name: Some(name), size: None, .. } => self.tags.get(name).copied().flatten(),
            _ => None,
        }
    }

    /// The node type that a pointer type points to.
    pub fn pointer_to(&self, program: &Program, id: TypeId) -> Option<NodeType> {
        self.struct_type(program, pointee(&program.types, id)?)
    }

    /// The node type that a pointer to a pointer leads to.
    pub fn link_to(&self, program: &Program, id: TypeId) -> Option<NodeType> {
        self.pointer_to(program, pointee(&program.types, id)?)
    }

    /// What an access to some bytes of a node touches: one whole link, or data only. None if it is neither, or outside.
    pub fn access(&self, node: NodeType, offset: i128, size: i128) -> Option<Content> {
        let info = &self.types[node.0];
        let overlaps = |from: i128, to: i128| from < offset + size && offset < to;
        if offset < 0 || size <= 0 || offset + size > info.size {
            return None;
        }
        if info.hazy.iter().any(|&(from, to)| overlaps(from, to)) {
            return None;
        }
        let mut links = info
            .fields
            .iter()
            .filter(|f| f.content != Content::Data && overlaps(f.offset, f.offset + f.size));
        match links.next() {
            None => Some(Content::Data),
            Some(field) if field.offset == offset && field.size == size => Some(field.content),
            Some(_) => None,
        }
    }

    /// The links of a type with their offsets.
    pub fn links_of(&self, node: NodeType) -> impl Iterator<Item = (Link, &LinkInfo)> {
        let all = self.links.iter().enumerate().filter(move |(_, link)| link.of == node);
        all.map(|(index, link)| (Link(index), link))
    }
}

fn struct_tag(program: &Program, id: TypeId) -> Option<&str> {
    match &program.types[strip(&program.types, id)] {
        CType::Struct { name, .. } => name.as_deref(),
        _ => None,
    }
}

/// All scalars of a type with their offsets.
fn flatten(program: &Program, id: TypeId, at: i128, path: &str, out: &mut Flat) {
    let id = strip(&program.types, id);
    let word = program.target.pointer_bytes();
    let size = size_of(&program.types, id, word).map_or(0, i128::from);
    match &program.types[id] {
        CType::Struct { members, .. } => {
            for (position, member) in members.iter().enumerate() {
                let name = member.name.clone().unwrap_or_else(|| format!("m{position}"));
                let path = if path.is_empty() { name } else { format!("{path}.{name}") };
                if member.bit_width.is_none() {
                    flatten(program, member.ty, at + i128::from(member.bit_offset / 8), &path, out);
                }
            }
        }
        CType::Union { members, .. } => {
            let mut inside = Flat::default();
            for member in members {
                flatten(program, member.ty, at, path, &mut inside);
            }
            if inside.has_links() {
                out.hazy.push((at, at + size));
            }
        }
        CType::Array { element, count } => {
            let mut one = Flat::default();
            flatten(program, *element, at, path, &mut one);
            let step = size_of(&program.types, *element, word);
            match (count, step) {
                (Some(count), Some(step)) if out.scalars.len() + *count as usize <= MOST_SCALARS => {
                    for index in 0..*count {
                        let at = at + i128::from(index) * i128::from(step);
                        flatten(program, *element, at, &format!("{path}[{index}]"), out);
                    }
                }
                // What lies there is data, or nobody knows how many links.
                _ if one.has_links() => {
                    out.hazy.push((at, if count.is_some() { at + size } else { i128::MAX }))
                }
                _ => {}
            }
        }
        CType::Pointer { to } => {
            let to = strip(&program.types, *to);
            let structure = matches!(program.types[to], CType::Struct { .. }).then_some(to);
            let function = matches!(program.types[to], CType::Function { .. });
            let name = path.to_owned();
            let signed = false;
            out.scalars.push(Scalar {
                offset: at,
                size,
                name,
                pointer: true,
                function,
                signed,
                to: structure,
            });
        }
        other => {
            let name = path.to_owned();
            let signed = matches!(other, CType::Int { signed: true, .. } | CType::Enum { .. });
            let (pointer, function) = (false, false);
            out.scalars.push(Scalar { offset: at, size, name, pointer, function, signed, to: None });
        }
    }
}
