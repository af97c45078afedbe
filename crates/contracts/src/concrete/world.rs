//! What a concrete state tells an annotation: contents, allocation, blocking pointers, links and variables.

use crate::typed::{LinkField, Var};
use heapproof_interp::{Object, ObjectId, Piece, Scalar, Snapshot};
use heapproof_ir::{GlobalId, LocalId};
use std::collections::{BTreeMap, BTreeSet};

/// A pointer: an object, or none for an integer, and bytes from its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Spot {
    /// The object.
    pub object: Option<u32>,
    /// The offset.
    pub offset: i128,
}

impl Spot {
    /// The null pointer.
    pub const NULL: Spot = Spot { object: None, offset: 0 };

    /// Some bytes further on.
    pub fn at(self, bytes: i128) -> Spot {
        Spot { offset: self.offset + bytes, ..self }
    }
}

/// A concrete state. Where it has no answer, the annotation has no value.
pub trait World {
    /// The pointer that is stored somewhere.
    fn word(&mut self, at: Spot) -> Option<Spot>;
    /// The number, with sign, that is stored somewhere in so many bytes.
    fn int(&mut self, at: Spot, bytes: u8) -> Option<i128>;
    /// The size of an object that is allocated.
    fn allocated(&mut self, object: u32) -> Option<u64>;
    /// A pointer is blocking.
    fn blocking(&mut self, p: Spot) -> Option<bool>;
    /// All blocking pointers, if they can be listed.
    fn all_blocking(&mut self) -> Option<Vec<Spot>>;
    /// The cell of a field at a pointer is a link.
    fn link(&mut self, field: usize, p: Spot) -> bool;
    /// The object of a global.
    fn global(&mut self, id: GlobalId) -> Option<u32>;
    /// The object of a local.
    fn local(&mut self, local: LocalId) -> Option<u32>;
    /// A variable as a pointer.
    fn var(&mut self, var: Var) -> Option<Spot>;
    /// The result as a pointer.
    fn result(&mut self) -> Option<Spot>;
}

/// What only annotations know of a state.
#[derive(Clone, Debug, Default)]
pub struct Ghosts {
    /// Pointers that are blocking, or are not.
    pub blocking: BTreeMap<Spot, bool>,
    /// Objects from `malloc`: all their pointers are blocking, if nothing else is said.
    pub fresh: BTreeSet<u32>,
    /// The cells that are links, by field and pointer.
    pub links: BTreeSet<(usize, Spot)>,
}

impl Ghosts {
    /// A pointer is blocking.
    pub fn is_blocking(&self, p: Spot) -> bool {
        let fresh = p.object.is_some_and(|object| self.fresh.contains(&object));
        self.blocking.get(&p).copied().unwrap_or(fresh)
    }
}

/// A state of a run, with what annotations know of it.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The state.
    pub snapshot: Snapshot,
    /// What annotations know.
    pub ghosts: Ghosts,
    /// The arguments at entry.
    pub args: Vec<Option<Spot>>,
    /// The result, at the end.
    pub result: Option<Spot>,
    /// The size of a pointer.
    pub word: u64,
    /// Objects that end with the function.
    pub ended: BTreeSet<u32>,
}

impl Seen {
    /// A value as a pointer.
    pub fn spot(scalar: Scalar) -> Option<Spot> {
        match scalar {
            Scalar::Unset | Scalar::Function(_) => None,
            // With sign, as memory holds it.
            Scalar::Number(bits) => Some(Spot { object: None, offset: signed(bits, 8) }),
            Scalar::Address { object, offset } => {
                Some(Spot { object: Some(object.0), offset: offset.into() })
            }
        }
    }

    fn object(&self, object: u32) -> Option<&Object> {
        let found = self.snapshot.objects.get(&ObjectId(object))?;
        (found.live && !self.ended.contains(&object)).then_some(found)
    }

    /// The bytes of an object by offset.
    pub fn pieces(&self, object: u32) -> Option<&[(u64, Piece)]> {
        self.object(object)?.content.as_deref()
    }
}

/// A number of some bytes, with sign.
pub fn signed(bits: u128, bytes: u8) -> i128 {
    heapproof_ir::sign_extend(bits, 8 * bytes)
}

impl World for Seen {
    fn word(&mut self, at: Spot) -> Option<Spot> {
        let pieces = self.pieces(at.object?)?;
        let offset = u64::try_from(at.offset).ok()?;
        let index = pieces.binary_search_by_key(&offset, |(at, _)| *at).ok()?;
        if let Piece::Address(scalar) = pieces[index].1 {
            return Seen::spot(scalar);
        }
        let number = self.int(at, self.word as u8)?;
        Some(Spot { object: None, offset: number })
    }

    fn int(&mut self, at: Spot, bytes: u8) -> Option<i128> {
        let pieces = self.pieces(at.object?)?;
        let mut bits = 0u128;
        for index in 0..bytes {
            let offset = u64::try_from(at.offset).ok()? + u64::from(index);
            let found = pieces.binary_search_by_key(&offset, |(at, _)| *at).ok()?;
            match pieces[found].1 {
                Piece::Byte(byte) => bits |= u128::from(byte) << (8 * index),
                Piece::Address(_) => return None,
            }
        }
        Some(signed(bits, bytes))
    }

    fn allocated(&mut self, object: u32) -> Option<u64> {
        self.object(object).map(|object| object.size)
    }

    fn blocking(&mut self, p: Spot) -> Option<bool> {
        Some(self.ghosts.is_blocking(p))
    }

    fn all_blocking(&mut self) -> Option<Vec<Spot>> {
        if !self.ghosts.fresh.is_empty() {
            return None;
        }
        Some(self.ghosts.blocking.iter().filter(|(_, is)| **is).map(|(p, _)| *p).collect())
    }

    fn link(&mut self, field: usize, p: Spot) -> bool {
        self.ghosts.links.contains(&(field, p))
            && p.object.is_some_and(|object| self.object(object).is_some())
    }

    fn global(&mut self, id: GlobalId) -> Option<u32> {
        self.snapshot.globals.get(&id).map(|object| object.0)
    }

    fn local(&mut self, local: LocalId) -> Option<u32> {
        self.snapshot.locals.get(&local).map(|object| object.0)
    }

    fn var(&mut self, var: Var) -> Option<Spot> {
        match var {
            Var::Param(index) => self.args.get(index).copied().flatten(),
            Var::Reg(reg) => Seen::spot(*self.snapshot.regs.get(reg.as_u32() as usize)?),
        }
    }

    fn result(&mut self) -> Option<Spot> {
        self.result
    }
}

/// Takes out the links of cells that some bytes overlap.
pub fn kill_links(ghosts: &mut Ghosts, fields: &[LinkField], at: Spot, bytes: u64, word: u64) {
    let (first, last) = (at.offset - i128::from(word) + 1, at.offset + i128::from(bytes) - 1);
    ghosts.links.retain(|(field, p)| {
        let cell = p.offset + fields[*field].offset;
        p.object != at.object || cell < first || cell > last
    });
}
