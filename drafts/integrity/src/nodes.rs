//! Node types: which structures of the program are nodes, and where their links are.

use heapproof_ir::ctype::{pointee, size_of, strip};
use heapproof_ir::{CType, Program, TypeId};
use std::collections::BTreeMap;

/// A node type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeType(pub usize);

/// A field of a node type that points to nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Link(pub usize);

/// What a scalar of a node holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A number, or a pointer to something that is no node.
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
    /// What it holds.
    pub content: Content,
}

/// One structure.
#[derive(Clone, Debug)]
pub struct NodeInfo {
    /// A name that can be written in rules.
    pub name: String,
    /// Size in bytes.
    pub size: i128,
    /// All scalars, by offset.
    pub fields: Vec<Field>,
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
    /// A name that can be written in rules.
    pub name: String,
}

/// All node types of a program.
#[derive(Clone, Debug, Default)]
pub struct Nodes {
    /// The types.
    pub types: Vec<NodeInfo>,
    /// Their links.
    pub links: Vec<LinkInfo>,
    ids: BTreeMap<TypeId, NodeType>,
}

/// Why node types could not be found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the links of `struct {0}` are not understood: {1}")]
pub struct NotUnderstood(pub String, pub &'static str);

struct Scalar {
    offset: i128,
    size: i128,
    name: String,
    to: Option<TypeId>,
}

const MOST_SCALARS: usize = 256;

impl Nodes {
    /// Finds the structures that have pointers to structures as fields.
    pub fn new(program: &Program) -> Result<Nodes, NotUnderstood> {
        let mut nodes = Nodes::default();
        let mut scalars: BTreeMap<NodeType, Vec<Scalar>> = BTreeMap::new();
        let mut names: BTreeMap<String, NodeType> = BTreeMap::new();
        for (id, ctype) in program.types.iter() {
            let CType::Struct { name, size: Some(size), .. } = ctype else { continue };
            let label = name.clone().unwrap_or_else(|| format!("t{}", scalars.len()));
            let mut found = Vec::new();
            let flat = flatten(program, id, 0, "", &mut found);
            let has_link = found.iter().any(|s| s.to.is_some());
            if !has_link {
                continue;
            }
            if let Err(why) = flat {
                return Err(NotUnderstood(label, why));
            }
            if let Some(&node) = name.as_ref().and_then(|n| names.get(n)) {
                let known: &Vec<Scalar> = &scalars[&node];
                let same = known.len() == found.len()
                    && nodes.types[node.0].size == i128::from(*size)
                    && known.iter().zip(&found).all(|(a, b)| {
                        a.offset == b.offset && a.size == b.size && a.to.is_some() == b.to.is_some()
                    });
                if !same {
                    return Err(NotUnderstood(label, "there are two different structures of this name"));
                }
                nodes.ids.insert(id, node);
                continue;
            }
            let node = NodeType(nodes.types.len());
            let unique = if names.contains_key(&label) { format!("{label}_{}", node.0) } else { label };
            names.insert(unique.clone(), node);
            nodes.ids.insert(id, node);
            nodes.types.push(NodeInfo { name: unique, size: i128::from(*size), fields: Vec::new() });
            scalars.insert(node, found);
        }
        for (node, found) in scalars {
            for scalar in found {
                let to = scalar.to.and_then(|t| nodes.struct_type(program, t));
                let content = match to {
                    Some(to) => {
                        let name = format!("{}_{}", nodes.types[node.0].name, scalar.name);
                        nodes.links.push(LinkInfo { of: node, offset: scalar.offset, to, name });
                        Content::Link(Link(nodes.links.len() - 1))
                    }
                    None => Content::Data,
                };
                nodes.types[node.0].fields.push(Field { offset: scalar.offset, size: scalar.size, content });
            }
        }
        Ok(nodes)
    }

    /// The node type of a structure type.
    pub fn struct_type(&self, program: &Program, id: TypeId) -> Option<NodeType> {
        let id = strip(&program.types, id);
        if let Some(&node) = self.ids.get(&id) {
            return Some(node);
        }
        match &program.types[id] {
            CType::Struct { name: Some(name), .. } => {
                self.types.iter().position(|t| t.name == *name).map(NodeType)
            }
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

    /// The field at an offset, if an access of that size covers exactly it.
    pub fn field(&self, node: NodeType, offset: i128, size: i128) -> Option<&Field> {
        self.types[node.0].fields.iter().find(|f| f.offset == offset && f.size == size)
    }
}

/// All scalars of a type with their offsets. Unions and bit-fields are data if no pointer to a structure is in them.
fn flatten(
    program: &Program,
    id: TypeId,
    at: i128,
    path: &str,
    out: &mut Vec<Scalar>,
) -> Result<(), &'static str> {
    let id = strip(&program.types, id);
    if out.len() > MOST_SCALARS {
        return Err("it is too large");
    }
    match &program.types[id] {
        CType::Struct { members, .. } => {
            for (position, member) in members.iter().enumerate() {
                let name = member.name.clone().unwrap_or_else(|| format!("m{position}"));
                let path = if path.is_empty() { name } else { format!("{path}_{name}") };
                if member.bit_width.is_some() {
                    continue;
                }
                flatten(program, member.ty, at + i128::from(member.bit_offset / 8), &path, out)?;
            }
            Ok(())
        }
        CType::Union { members, .. } => {
            let mut inside = Vec::new();
            for member in members {
                flatten(program, member.ty, at, path, &mut inside)?;
            }
            if inside.iter().any(|s| s.to.is_some()) {
                out.append(&mut inside);
                return Err("there is a union with links");
            }
            Ok(())
        }
        CType::Array { element, count } => {
            let Some(count) = count else { return Ok(()) };
            let Some(size) = size_of(&program.types, *element, program.target.pointer_bytes()) else {
                return Ok(());
            };
            for index in 0..(*count).min(MOST_SCALARS as u64) {
                flatten(
                    program,
                    *element,
                    at + i128::from(index) * i128::from(size),
                    &format!("{path}_{index}"),
                    out,
                )?;
            }
            Ok(())
        }
        CType::Pointer { to } => {
            let to = strip(&program.types, *to);
            let structure = matches!(program.types[to], CType::Struct { .. }).then_some(to);
            let size = i128::from(program.target.pointer_bytes());
            out.push(Scalar { offset: at, size, name: path.to_owned(), to: structure });
            Ok(())
        }
        _ => {
            let size = size_of(&program.types, id, program.target.pointer_bytes()).unwrap_or(0);
            out.push(Scalar { offset: at, size: i128::from(size), name: path.to_owned(), to: None });
            Ok(())
        }
    }
}
