//! The fields of an object: what is known of its bytes, under the names of C.

use crate::graph::{Addr, Object, State, Storage, Tg, Val};
use crate::halves::Half;
use crate::tree::Kids;
use heapproof_ir::describe::member_at;
use heapproof_ir::{CType, Program, TypeId, ctype};
use std::collections::{BTreeMap, BTreeSet};

/// What is known of some bytes.
#[derive(Clone, Copy, Debug)]
pub enum Content {
    /// A value of this many bytes.
    Value(Val, u64),
    /// All are zero.
    Zero,
    /// They were never written.
    Unset,
    /// Nothing.
    Unknown,
    /// What the link at this offset is, in each node.
    Same(u64),
    /// The other half of the block, which is not known.
    Elsewhere,
}

/// Some bytes of an object.
#[derive(Clone, Debug)]
pub struct Field {
    /// Where they start.
    pub offset: u64,
    /// What C calls them.
    pub name: String,
    /// What is known.
    pub content: Content,
}

/// More scalars than this in a row that say the same become one field.
const SAME: usize = 3;
/// More scalars of a type are not looked at.
const LEAVES: usize = 512;

/// The C type of an object.
pub fn type_of(program: &Program, state: &State, id: crate::graph::ObjId) -> Option<TypeId> {
    let object = state.object(id);
    match object.storage {
        Storage::Global(global, _) => program.globals[global].ctype,
        Storage::Heap | Storage::Kind => object.used_as,
        Storage::Alloca | Storage::Stream(_) | Storage::Foreign | Storage::Arguments | Storage::Part => None,
        Storage::Local | Storage::Constant => variable(program, state, id)?.ctype,
    }
}

/// The C variable that lives in an object.
pub fn variable<'p>(
    program: &'p Program,
    state: &State,
    id: crate::graph::ObjId,
) -> Option<&'p heapproof_ir::Variable> {
    for frame in state.frames.iter().filter(|frame| !frame.cut) {
        let body = program.functions[frame.func].body.as_ref()?;
        if let Some((local, _)) = frame.locals.iter().find(|(_, at)| **at == id) {
            return body.locals[*local].variable.as_ref();
        }
    }
    None
}

/// The fields of an object, by offset.
pub fn of(program: &Program, object: &Object, ty: Option<TypeId>) -> Vec<Field> {
    let pointer = program.target.pointer_bytes();
    let mut leaves = Vec::new();
    if let Some(ty) = ty {
        collect(program, ty, 0, &mut leaves);
    }
    // What follows a path through a tree is no field of one node.
    let hole = object.seg.filter(|seg| seg.kids != Kids::NONE).map(|seg| seg.next);
    let name = |offset: u64| match ty.and_then(|ty| member_at(&program.types, ty, offset, pointer)) {
        Some(_) if hole == Some(offset) => "below".to_owned(),
        name => name.unwrap_or_default(),
    };
    let links: BTreeSet<u64> =
        object.seg.iter().flat_map(|seg| [Some(seg.next), seg.prev]).flatten().collect();
    let mut fields: Vec<Field> = object
        .cells
        .iter()
        .map(|(&offset, cell)| Field {
            offset,
            name: name(offset),
            content: Content::Value(cell.val, cell.len),
        })
        .collect();
    for (&start, &end) in &object.zeros {
        let mut inner: BTreeSet<u64> =
            leaves.iter().filter(|(at, len)| start <= *at && at + len <= end).map(|(at, _)| *at).collect();
        inner.extend(links.iter().filter(|at| (start..end).contains(at)));
        if inner.is_empty() {
            let name = if end - start > 8 { format!("… {}", end - 1) } else { name(start) };
            fields.push(Field { offset: start, name, content: Content::Zero });
        }
        let (named, rest): (Vec<u64>, Vec<u64>) = inner.into_iter().partition(|at| links.contains(at));
        let named = named.into_iter();
        fields.extend(named.map(|offset| Field { offset, name: name(offset), content: Content::Zero }));
        fields.extend(alike(&rest, &name, Content::Zero));
    }
    let covered = |at: u64| {
        object.cells.range(..=at).next_back().is_some_and(|(off, cell)| at < off + cell.len)
            || object.zeros.range(..=at).next_back().is_some_and(|(_, end)| at < *end)
    };
    let kids = object.seg.map_or(Kids::NONE, |seg| seg.kids);
    let twins: BTreeMap<u64, u64> = object.seg.iter().flat_map(|seg| seg.twins(pointer)).collect();
    let is_silent = |at: &u64| !covered(*at) && !kids.has(*at, pointer) && !twins.contains_key(at);
    let silent: Vec<u64> = leaves.iter().map(|(at, _)| *at).filter(is_silent).collect();
    let content = if object.fresh { Content::Unset } else { Content::Unknown };
    fields.extend(alike(&silent, &name, content));
    fields.extend(twins.iter().map(|(&offset, &link)| Field {
        offset,
        name: name(offset),
        content: Content::Same(link),
    }));
    fields.sort_by_key(|field| field.offset);
    if !object.kinds.is_empty() {
        // What nodes hold besides their links is shown for each kind.
        fields.retain(|field| links.contains(&field.offset) || twins.contains_key(&field.offset));
    }
    fields.extend(object.kinds.iter().enumerate().map(|(index, &obj)| Field {
        offset: object.size + index as u64,
        name: format!("kind {}", index + 1),
        content: Content::Value(Val::Addr(Addr { obj, off: 0, tg: Tg::Region }), pointer),
    }));
    match object.half {
        Some(half) => with_bond(fields, object, half, name(half.cut.at), pointer),
        None => fields,
    }
}

/// The fields of half of a block, and where the other half is.
fn with_bond(mut fields: Vec<Field>, object: &Object, half: Half, link: String, pointer: u64) -> Vec<Field> {
    fields.retain(|field| half.has(field.offset as i64) && field.offset < object.size);
    let content = match object.peek(object.size, pointer) {
        Some(val @ Val::Addr(_)) => Content::Value(val, pointer),
        _ => Content::Elsewhere,
    };
    let (offset, name) = match half.link {
        true => (object.size, "rest of the block".to_owned()),
        false => (half.cut.at, link.split('.').next().unwrap_or_default().to_owned()),
    };
    fields.push(Field { offset, name, content });
    fields.sort_by_key(|field| field.offset);
    fields
}

/// Fields with the same content; many become one.
fn alike(offsets: &[u64], name: &impl Fn(u64) -> String, content: Content) -> Vec<Field> {
    match offsets {
        [first, .., last] if offsets.len() > SAME => {
            let name = format!("{} … {}", name(*first), name(*last));
            vec![Field { offset: *first, name, content }]
        }
        _ => offsets.iter().map(|&offset| Field { offset, name: name(offset), content }).collect(),
    }
}

/// The offsets and sizes of the scalars of a type.
fn collect(program: &Program, ty: TypeId, base: u64, leaves: &mut Vec<(u64, u64)>) {
    let (types, pointer) = (&program.types, program.target.pointer_bytes());
    if leaves.len() >= LEAVES {
        return;
    }
    match &types[ctype::strip(types, ty)] {
        CType::Struct { members, .. } => {
            for member in members {
                match member.bit_width {
                    Some(_) => {}
                    None => collect(program, member.ty, base + member.bit_offset / 8, leaves),
                }
            }
        }
        CType::Array { element, count } => {
            let size = ctype::size_of(types, *element, pointer).unwrap_or(0);
            for index in 0..count.unwrap_or(0).min(LEAVES as u64) {
                collect(program, *element, base + index * size, leaves);
            }
        }
        _ => {
            if let Some(size) = ctype::size_of(types, ty, pointer) {
                leaves.push((base, size));
            }
        }
    }
}
