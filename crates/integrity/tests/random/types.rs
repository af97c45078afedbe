//! Random node types: links, pointers to links, arrays of links of any length, unions with links, and nodes inside of nodes.

use std::fmt::Write;

/// A node type. A number comes first in a node.
pub struct Type {
    pub size: usize,
    /// Links at their offsets, with the types that they lead to, also those of parts and of short arrays.
    pub links: Vec<(usize, usize)>,
    /// Arrays of links: offset, number, type.
    pub arrays: Vec<(usize, usize, usize)>,
    /// Unions of a link and a number.
    pub unions: Vec<(usize, usize)>,
    /// Pointers to pointers.
    pub cells: Vec<(usize, usize)>,
    /// Nodes inside: offset and type.
    pub parts: Vec<(usize, usize)>,
    /// The members as text.
    members: String,
}

/// Arrays of more links than this are slots.
const MOST_LINKS: usize = 8;

pub fn structure(node: usize) -> usize {
    10 + 3 * node
}

/// Some types, and the text of all that they need.
pub fn types(random: &mut fastrand::Rng) -> (Vec<Type>, String) {
    let count = random.usize(1..=3);
    let rich = random.bool();
    let mut extra = 10 + 3 * count;
    let mut more = String::new();
    let mut all: Vec<Type> = Vec::new();
    for node in 0..count {
        let mut one = Type {
            size: 8,
            links: Vec::new(),
            arrays: Vec::new(),
            unions: Vec::new(),
            cells: Vec::new(),
            parts: Vec::new(),
            members: "0 \"v\" t0".to_owned(),
        };
        for index in 0..random.usize(1..=3) {
            let to = random.usize(0..count);
            let kind = if rich && (index > 0 || node > 0) { random.u8(0..9) } else { 0 };
            let (at, pointer) = (one.size, structure(to) + 1);
            let (size, ctype) = match kind {
                4 => {
                    one.cells.push((at, to));
                    (8, structure(to) + 2)
                }
                5 => {
                    let length = [2, 4, 16][random.usize(0..3)];
                    let _ = writeln!(more, "type t{extra} = array t{pointer} count {length}");
                    one.arrays.push((at, length, to));
                    if length <= MOST_LINKS {
                        one.links.extend((0..length).map(|i| (at + 8 * i, to)));
                    }
                    extra += 1;
                    (8 * length, extra - 1)
                }
                6 => {
                    let members = format!("0 \"p\" t{pointer}; 0 \"x\" t0");
                    let _ = writeln!(more, "type t{extra} = union size 8 @0:1:0 {{ {members} }}");
                    one.unions.push((at, to));
                    extra += 1;
                    (8, extra - 1)
                }
                7 | 8 if node > 0 => {
                    let inner = random.usize(0..node);
                    let part: &Type = &all[inner];
                    one.parts.push((at, inner));
                    one.parts.extend(part.parts.iter().map(|(o, t)| (at + o, *t)));
                    one.links.extend(part.links.iter().map(|(o, t)| (at + o, *t)));
                    one.arrays.extend(part.arrays.iter().map(|(o, n, t)| (at + o, *n, *t)));
                    one.cells.extend(part.cells.iter().map(|(o, t)| (at + o, *t)));
                    one.unions.extend(part.unions.iter().map(|(o, t)| (at + o, *t)));
                    (part.size, structure(inner))
                }
                _ => {
                    one.links.push((at, to));
                    (8, pointer)
                }
            };
            let _ = write!(one.members, "; {} \"l{index}\" t{ctype}", 8 * at);
            one.size += size;
        }
        if one.links.is_empty() {
            let (at, to) = (one.size, node);
            one.links.push((at, to));
            let _ = write!(one.members, "; {} \"own\" t{}", 8 * at, structure(to) + 1);
            one.size += 8;
        }
        all.push(one);
    }
    let mut out = String::new();
    for (node, one) in all.iter().enumerate() {
        let own = structure(node);
        let (size, members) = (one.size, &one.members);
        let _ = writeln!(out, "type t{own} = struct \"s{node}\" size {size} @0:1:0 {{ {members} }}");
        let _ = writeln!(out, "type t{} = pointer t{own}\ntype t{} = pointer t{}", own + 1, own + 2, own + 1);
    }
    (all, out + &more)
}
