//! Node types: which structures of a program are nodes of data structures, and where their links are.
//!
//! A node type is a structure that holds pointers to structures. A link is such a pointer, if what it points to is a node type.
//!
//! A node type inside of another one to which there are pointers is a *part*: it is a node of its own, so a pointer may lead to it, and its links are
//! those of its type. A pointer to a pointer to nodes (`T **`) is a link as well, to a link or to a variable. A long array of links is an array of *slots*, which are told apart by their addresses. What a union holds is data, unless all its
//! members have the same links at the same places.

use crate::ctype::{CType, TypeId, pointee, size_of, strip};
use crate::program::Program;
use std::collections::{BTreeMap, BTreeSet};

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
    /// The address of a node, or null.
    Link(Link),
    /// The same in one of many places, which lead to nodes of this type.
    Slot(NodeType),
}

/// A structure inside of a node that is a node itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Offset in bytes.
    pub offset: i128,
    /// Its type.
    pub node: NodeType,
}

/// A long array of links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slots {
    /// Offset in bytes.
    pub offset: i128,
    /// How many.
    pub count: i128,
    /// Where they lead.
    pub to: NodeType,
    /// The C name of the field.
    pub field: String,
}

/// A link at its place in a node, which may be in a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkAt {
    /// Offset in the node.
    pub offset: i128,
    /// Where it leads.
    pub to: NodeType,
    /// The C name of the field.
    pub field: String,
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
    /// Scalars that overlap nothing, by offset, also those of parts. Bit-fields and unions are not among them.
    pub fields: Vec<Field>,
    /// Areas, from and to, of which it is not known where they hold links: flexible arrays of links, long arrays of structures with links.
    pub hazy: Vec<(i128, i128)>,
    /// Nodes inside of it, also those inside of others: these come later.
    pub parts: Vec<Part>,
    /// Long arrays of links.
    pub slots: Vec<Slots>,
    /// All links, with those of its parts and its slots.
    links: Vec<LinkAt>,
}

/// One link.
#[derive(Clone, Debug)]
pub struct LinkInfo {
    /// The type that it is a field of.
    pub of: NodeType,
    /// Offset in bytes from the start of that.
    pub offset: i128,
    /// The type that it points to.
    pub to: NodeType,
    /// A name that is unique and can be written in rules.
    pub name: String,
    /// The C name of the field.
    pub field: String,
    /// It holds the address of a pointer to such nodes (`T **`), not that of a node.
    pub cell: bool,
}

/// All node types of a program.
#[derive(Clone, Debug, Default)]
pub struct Nodes {
    /// The types.
    pub types: Vec<NodeInfo>,
    /// Their links.
    pub links: Vec<LinkInfo>,
    /// The size of a pointer.
    word: i128,
    ids: BTreeMap<TypeId, NodeType>,
    /// By tag; none where two structures have it.
    tags: BTreeMap<String, Option<NodeType>>,
}

/// More scalars of one structure than this are not told apart.
const MOST_SCALARS: usize = 256;
/// An array of more links than this is one of slots.
const MOST_LINKS: u64 = 8;

#[derive(Clone, PartialEq)]
struct Scalar {
    offset: i128,
    size: i128,
    name: String,
    pointer: bool,
    function: bool,
    signed: bool,
    to: Option<TypeId>,
    /// The structure at the end of a pointer to pointers.
    cell: Option<TypeId>,
}

#[derive(Default)]
struct Flat {
    scalars: Vec<Scalar>,
    hazy: Vec<(i128, i128)>,
    /// Structures inside, outer ones first.
    inside: Vec<(i128, TypeId)>,
    /// Long arrays of pointers to structures: offset, number, structure, name.
    slots: Vec<(i128, u64, TypeId, String)>,
    /// A union holds pointers to structures.
    mixed: bool,
}

impl Flat {
    fn has_links(&self) -> bool {
        self.mixed
            || !self.hazy.is_empty()
            || !self.slots.is_empty()
            || self.scalars.iter().any(|s| s.to.is_some())
    }

    /// The same scalars at the same places.
    fn is_like(&self, other: &Flat) -> bool {
        let plain = |flat: &Flat| flat.hazy.is_empty() && flat.slots.is_empty() && !flat.mixed;
        let key = |s: &Scalar| (s.offset, s.size, s.pointer, s.function, s.to, s.cell);
        plain(self) && plain(other) && self.scalars.iter().map(key).eq(other.scalars.iter().map(key))
    }
}

impl Nodes {
    /// Finds the node types of a program.
    pub fn new(program: &Program) -> Nodes {
        let word = i128::from(program.target.pointer_bytes());
        let mut nodes = Nodes { word, ..Nodes::default() };
        let mut flats: Vec<Flat> = Vec::new();
        for (id, ctype) in program.types.iter() {
            let CType::Struct { name, size: Some(size), .. } = ctype else { continue };
            let mut flat = Flat::default();
            flatten(program, id, 0, "", &mut flat);
            if flat.has_links() {
                nodes.add(program, id, name.as_deref(), i128::from(*size), flat, &mut flats);
            }
        }
        let pointed = pointed_to(program);
        for (index, flat) in flats.iter().enumerate() {
            nodes.types[index].parts = nodes.parts(program, NodeType(index), flat, &pointed);
        }
        // Parts come first: their links are those of the nodes around them.
        let mut done = vec![false; flats.len()];
        while let Some(index) =
            (0..flats.len()).find(|&i| !done[i] && nodes.types[i].parts.iter().all(|part| done[part.node.0]))
        {
            done[index] = true;
            for scalar in &flats[index].scalars {
                nodes.add_field(program, NodeType(index), scalar.clone());
            }
            for (offset, count, to, field) in &flats[index].slots {
                nodes.add_slots(program, NodeType(index), *offset, *count, *to, field);
            }
        }
        for index in 0..nodes.types.len() {
            nodes.types[index].links = nodes.collect_links(NodeType(index));
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
                && other.inside.len() == flat.inside.len()
                && other.slots.len() == flat.slots.len()
                && other.scalars.len() == flat.scalars.len()
                && other.scalars.iter().zip(&flat.scalars).all(|(a, b)| {
                    (a.offset, a.size, &a.name, a.pointer) == (b.offset, b.size, &b.name, b.pointer)
                        && a.cell.is_some() == b.cell.is_some()
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
        let (hazy, parts, slots) = (flat.hazy.clone(), Vec::new(), Vec::new());
        let (fields, links) = (Vec::new(), Vec::new());
        self.types.push(NodeInfo { name, ctype: id, size, fields, hazy, parts, slots, links });
        flats.push(flat);
    }

    /// The structures inside of a node that are nodes themselves.
    fn parts(&self, program: &Program, of: NodeType, flat: &Flat, pointed: &Pointed) -> Vec<Part> {
        let inside = flat.inside.iter().filter_map(|&(offset, id)| {
            let node = self.struct_type(program, id).filter(|node| *node != of)?;
            pointed.has(program, id).then_some(Part { offset, node })
        });
        inside.collect()
    }

    /// A long array of links; of something else if its structure is no node.
    fn add_slots(&mut self, program: &Program, node: NodeType, at: i128, count: u64, to: TypeId, name: &str) {
        if let Some(to) = self.struct_type(program, to) {
            let slots = Slots { offset: at, count: i128::from(count), to, field: name.to_owned() };
            self.types[node.0].slots.push(slots);
        }
    }

    fn add_field(&mut self, program: &Program, node: NodeType, scalar: Scalar) {
        let part = self.innermost(node, scalar.offset);
        let shared = (part.0 != node).then(|| self.link_at(part.0, part.1)).flatten();
        let cell = scalar.to.is_none();
        let content = match scalar.to.or(scalar.cell).and_then(|t| self.struct_type(program, t)) {
            Some(_) if shared.is_some() => shared.map_or(Content::Data, Content::Link),
            Some(to) => {
                let name = format!(
                    "{}_{}",
                    self.types[node.0].name,
                    scalar.name.replace(['.', '['], "_").replace(']', "")
                );
                let field = scalar.name.clone();
                self.links.push(LinkInfo { of: node, offset: scalar.offset, to, name, field, cell });
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

    /// The innermost part that holds an offset, and the offset in it; the node itself if there is none.
    pub fn innermost(&self, node: NodeType, offset: i128) -> (NodeType, i128) {
        let holds = |part: &&Part| (0..self.types[part.node.0].size).contains(&(offset - part.offset));
        // Inner parts stand behind those around them.
        match self.types[node.0].parts.iter().rev().find(holds) {
            Some(part) => (part.node, offset - part.offset),
            None => (node, offset),
        }
    }

    /// Whether a node holds one of a type at an offset: itself, or a part.
    pub fn holds_at(&self, node: NodeType, offset: i128, of: NodeType) -> bool {
        let parts = &self.types[node.0].parts;
        node == of && offset == 0 || parts.contains(&Part { offset, node: of })
    }

    /// The type of an object of so many bytes that holds a node of a type at an offset.
    pub fn holder(&self, size: i128, offset: i128, of: NodeType) -> Option<NodeType> {
        let fits = |node: &NodeType| self.types[node.0].size == size && self.holds_at(*node, offset, of);
        std::iter::once(of).chain((0..self.types.len()).map(NodeType)).find(fits)
    }

    /// The type of an object of so many bytes in which there is a link to nodes of a type at an offset.
    pub fn link_holder(&self, size: i128, offset: i128, to: NodeType) -> Option<NodeType> {
        let holds = |node: &NodeType| {
            let fits = self.types[node.0].size == size && size > self.word;
            fits && self.links_of(*node).iter().any(|l| l.offset == offset && l.to == to)
        };
        (0..self.types.len()).map(NodeType).find(holds)
    }

    /// Types that hold nodes of a type, with the offset.
    pub fn containers(&self, of: NodeType) -> Vec<(NodeType, i128)> {
        let all = self.types.iter().enumerate();
        let parts = all.flat_map(|(index, t)| t.parts.iter().map(move |part| (NodeType(index), part)));
        parts.filter(|(_, part)| part.node == of).map(|(node, part)| (node, part.offset)).collect()
    }

    /// The link of a type at an offset, not of its parts.
    pub fn link_at(&self, node: NodeType, offset: i128) -> Option<Link> {
        self.links.iter().position(|l| l.of == node && l.offset == offset).map(Link)
    }

    /// Whether nodes of one type lie at the start of nodes of the other.
    pub fn may_start_alike(&self, a: NodeType, b: NodeType) -> bool {
        let starts = |outer: NodeType, inner: NodeType| {
            self.types[outer.0].parts.iter().any(|part| part.offset == 0 && part.node == inner)
        };
        starts(a, b) || starts(b, a)
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
        // Of a structure inside, or of the rest.
        let crosses = |part: &Part| {
            let (from, to) = (part.offset, part.offset + self.types[part.node.0].size);
            overlaps(from, to) && !(from <= offset && offset + size <= to)
        };
        if info.parts.iter().any(crosses) {
            return None;
        }
        for slots in &info.slots {
            let (from, to) = (slots.offset, slots.offset + slots.count * self.word);
            if overlaps(from, to) {
                let whole = size == self.word && (offset - from) % self.word == 0 && offset >= from;
                return (whole && offset + size <= to).then_some(Content::Slot(slots.to));
            }
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

    /// The links to nodes of a type.
    pub fn links_to(&self, node: NodeType) -> impl Iterator<Item = (Link, &LinkInfo)> {
        self.all_links().filter(move |(_, link)| link.to == node && !link.cell)
    }

    /// The links that hold addresses of pointers to nodes of a type.
    pub fn cell_links_to(&self, node: NodeType) -> impl Iterator<Item = (Link, &LinkInfo)> {
        self.all_links().filter(move |(_, link)| link.to == node && link.cell)
    }

    fn all_links(&self) -> impl Iterator<Item = (Link, &LinkInfo)> {
        self.links.iter().enumerate().map(|(index, link)| (Link(index), link))
    }

    /// The fields of a node that hold addresses of nodes, or those of pointers to nodes.
    fn fields_of(&self, node: NodeType, cell: bool) -> Vec<LinkAt> {
        let mut all = Vec::new();
        for field in &self.types[node.0].fields {
            if let Content::Link(link) = field.content
                && self.links[link.0].cell == cell
            {
                let to = self.links[link.0].to;
                all.push(LinkAt { offset: field.offset, to, field: field.name.clone() });
            }
        }
        all
    }

    /// The pointers to pointers of a node, with those of its parts.
    pub fn cells_of(&self, node: NodeType) -> Vec<LinkAt> {
        self.fields_of(node, true)
    }

    /// The links of a node, with those of its parts and its slots.
    pub fn links_of(&self, node: NodeType) -> &[LinkAt] {
        &self.types[node.0].links
    }

    fn collect_links(&self, node: NodeType) -> Vec<LinkAt> {
        let mut all = self.fields_of(node, false);
        for slots in &self.types[node.0].slots {
            all.extend((0..slots.count).map(|index| LinkAt {
                offset: slots.offset + index * self.word,
                to: slots.to,
                field: format!("{}[{index}]", slots.field),
            }));
        }
        all
    }

    /// Types that slots lead to.
    pub fn slot_types(&self) -> impl Iterator<Item = NodeType> {
        self.types.iter().flat_map(|t| &t.slots).map(|slots| slots.to)
    }
}

fn struct_tag(program: &Program, id: TypeId) -> Option<&str> {
    match &program.types[strip(&program.types, id)] {
        CType::Struct { name, .. } => name.as_deref(),
        _ => None,
    }
}

/// Structures to which there are pointers.
struct Pointed {
    ids: BTreeSet<TypeId>,
    tags: BTreeSet<String>,
}

fn pointed_to(program: &Program) -> Pointed {
    let mut pointed = Pointed { ids: BTreeSet::new(), tags: BTreeSet::new() };
    for (_, ctype) in program.types.iter() {
        if let CType::Pointer { to } = ctype {
            let to = strip(&program.types, *to);
            pointed.ids.insert(to);
            pointed.tags.extend(struct_tag(program, to).map(str::to_owned));
        }
    }
    pointed
}

impl Pointed {
    fn has(&self, program: &Program, id: TypeId) -> bool {
        let id = strip(&program.types, id);
        self.ids.contains(&id) || struct_tag(program, id).is_some_and(|tag| self.tags.contains(tag))
    }
}

/// The same of a type inside of a structure.
fn flatten_inside(program: &Program, id: TypeId, at: i128, path: &str, out: &mut Flat) {
    let structure = strip(&program.types, id);
    if matches!(program.types[structure], CType::Struct { .. }) {
        out.inside.push((at, structure));
    }
    flatten(program, id, at, path, out);
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
                    let at = at + i128::from(member.bit_offset / 8);
                    flatten_inside(program, member.ty, at, &path, out);
                }
            }
        }
        CType::Union { members, .. } => {
            let mut flats = Vec::new();
            for member in members {
                let mut one = Flat::default();
                flatten(program, member.ty, at, path, &mut one);
                flats.push(one);
            }
            let alike = flats.windows(2).all(|pair| pair[0].is_like(&pair[1]));
            if flats.iter().any(Flat::has_links) {
                match flats.into_iter().next() {
                    Some(first) if alike => out.scalars.extend(first.scalars),
                    // What it holds may be a pointer or not: that is data.
                    _ => out.mixed = true,
                }
            }
        }
        CType::Array { element, count } => {
            let mut one = Flat::default();
            flatten(program, *element, at, path, &mut one);
            let step = size_of(&program.types, *element, word);
            let pointer = match &program.types[strip(&program.types, *element)] {
                CType::Pointer { to } => Some(strip(&program.types, *to)),
                _ => None,
            };
            let structure = pointer.filter(|to| matches!(program.types[*to], CType::Struct { .. }));
            match (count, step) {
                (Some(count), _) if *count > MOST_LINKS && structure.is_some() => {
                    out.slots.extend(structure.map(|to| (at, *count, to, path.to_owned())));
                }
                (Some(count), Some(step)) if out.scalars.len() + *count as usize <= MOST_SCALARS => {
                    for index in 0..*count {
                        let at = at + i128::from(index) * i128::from(step);
                        flatten_inside(program, *element, at, &format!("{path}[{index}]"), out);
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
            let cell = match &program.types[to] {
                CType::Pointer { to } => Some(strip(&program.types, *to)),
                _ => None,
            };
            let cell = cell.filter(|t| matches!(program.types[*t], CType::Struct { .. }));
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
                cell,
            });
        }
        other => {
            let name = path.to_owned();
            let signed = matches!(other, CType::Int { signed: true, .. } | CType::Enum { .. });
            let (pointer, function) = (false, false);
            out.scalars.push(Scalar {
                offset: at,
                size,
                name,
                pointer,
                function,
                signed,
                to: None,
                cell: None,
            });
        }
    }
}
