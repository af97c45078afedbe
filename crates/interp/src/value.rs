//! Values: bits with provenance, and how provenance goes through arithmetic.

use heapproof_ir::BinOp;
use std::collections::HashMap;

/// Names an object of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ObjId(pub u32);

impl ObjId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Names a set of objects in [`Mixes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct MixId(pub u32);

impl MixId {
    /// Any object at all.
    pub const ANY: MixId = MixId(0);
}

/// Where the bits of a value came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Prov {
    /// From no address.
    None,
    /// The null pointer, or an address computed from it.
    Null,
    /// An address of this object, at any offset.
    Object(ObjId),
    /// Computed from addresses of these objects in a way that does not tell which one it belongs to.
    Mixed(MixId),
    /// From bytes or a variable that nothing was ever assigned to.
    Uninit,
    /// From an external object.
    Foreign,
    /// Only in registers: it has no value yet.
    Forgotten,
}

/// A scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    /// The encoding; bits above the width are zero.
    pub bits: u128,
    /// Where it came from.
    pub prov: Prov,
}

impl Value {
    pub const NULL: Value = Value { bits: 0, prov: Prov::Null };
    pub const FORGOTTEN: Value = Value { bits: 0, prov: Prov::Forgotten };

    #[inline]
    pub fn plain(bits: u128) -> Value {
        Value { bits, prov: Prov::None }
    }

    /// The address that a pointer holds.
    #[inline]
    pub fn addr(self) -> u64 {
        self.bits as u64
    }
}

/// The largest set that is kept apart; larger ones are [`MixId::ANY`].
const LARGEST_MIX: usize = 6;

/// Interned sets of objects.
#[derive(Debug)]
pub(crate) struct Mixes {
    sets: Vec<Vec<ObjId>>,
    index: HashMap<Vec<ObjId>, MixId>,
}

impl Mixes {
    pub fn new() -> Self {
        Mixes { sets: vec![Vec::new()], index: HashMap::new() }
    }

    /// True if the set has one member: then it is known where a value comes from, if not how.
    pub fn is_single(&self, mix: MixId) -> bool {
        self.members(mix).is_some_and(|members| members.len() == 1)
    }

    /// The members of a set; `None` if it may be any object.
    pub fn members(&self, mix: MixId) -> Option<&[ObjId]> {
        if mix == MixId::ANY { None } else { Some(&self.sets[mix.0 as usize]) }
    }

    fn intern(&mut self, mut set: Vec<ObjId>) -> Prov {
        set.sort();
        set.dedup();
        if set.len() > LARGEST_MIX {
            return Prov::Mixed(MixId::ANY);
        }
        if let Some(id) = self.index.get(&set) {
            return Prov::Mixed(*id);
        }
        let id = MixId(self.sets.len() as u32);
        self.sets.push(set.clone());
        self.index.insert(set, id);
        Prov::Mixed(id)
    }

    /// A fragment of an address of one object, or a value computed from it.
    pub fn blur(&mut self, prov: Prov) -> Prov {
        match prov {
            Prov::Object(id) => self.intern(vec![id]),
            other => other,
        }
    }

    /// Everything that both come from.
    pub fn union(&mut self, a: Prov, b: Prov) -> Prov {
        use Prov::*;
        match (a, b) {
            (None | Null | Forgotten, other) | (other, None | Null | Forgotten) => self.blur(other),
            (Mixed(MixId::ANY), _) | (_, Mixed(MixId::ANY)) => Mixed(MixId::ANY),
            (Object(_) | Mixed(_), Object(_) | Mixed(_)) => {
                let mut set = Vec::new();
                for prov in [a, b] {
                    match prov {
                        Object(id) => set.push(id),
                        Mixed(mix) => set.extend(&self.sets[mix.0 as usize]),
                        _ => {}
                    }
                }
                self.intern(set)
            }
            (address @ (Object(_) | Mixed(_)), Uninit | Foreign)
            | (Uninit | Foreign, address @ (Object(_) | Mixed(_))) => self.blur(address),
            (Uninit, _) | (_, Uninit) => Uninit,
            (Foreign, Foreign) => Foreign,
        }
    }

    /// The provenance of `a op b`.
    pub fn combine(&mut self, op: BinOp, a: Value, b: Value) -> Prov {
        use BinOp::*;
        use Prov::{Foreign, None, Null, Object, Uninit};
        // A mask or divisor below a page leaves no trace of where an object is.
        const SMALL: u128 = 4096;
        let weak = |p: Prov| matches!(p, None | Null | Uninit | Foreign);
        match (a.prov, b.prov) {
            (Null, None) => match op {
                Add | Sub | Or | Xor => Null,
                And if b.bits >= SMALL => Null,
                _ => None,
            },
            (None, Null) => match op {
                Add | Or | Xor => Null,
                And if a.bits >= SMALL => Null,
                _ => None,
            },
            (None | Null, None | Null) => None,
            (Object(_), p) if weak(p) => match op {
                Add | Sub | Or | Xor => a.prov,
                And if b.bits < SMALL && p == None => None,
                And => a.prov,
                URem | SRem if b.bits < SMALL => None,
                _ => self.blur(a.prov),
            },
            (p, Object(_)) if weak(p) => match op {
                Add | Or | Xor => b.prov,
                And if a.bits < SMALL && p == None => None,
                And => b.prov,
                _ => self.blur(b.prov),
            },
            (Object(x), Object(y)) if x == y => match op {
                Sub => None,
                Add | Or | Xor if a.bits & b.bits == 0 => a.prov,
                And | Or if a.bits == b.bits => a.prov,
                _ => self.blur(a.prov),
            },
            _ => match op {
                And if (a.bits < SMALL && a.prov == None) || (b.bits < SMALL && b.prov == None) => None,
                URem | SRem if b.bits < SMALL && b.prov == None => None,
                _ => self.union(a.prov, b.prov),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_and_masks_of_addresses() {
        let mut mixes = Mixes::new();
        let p = Value { bits: 0x1000, prov: Prov::Object(ObjId(3)) };
        let q = Value { bits: 0x2000, prov: Prov::Object(ObjId(4)) };
        assert_eq!(mixes.combine(BinOp::Sub, p, p), Prov::None);
        assert_eq!(mixes.combine(BinOp::Or, p, Value::plain(1)), p.prov);
        assert_eq!(mixes.combine(BinOp::And, p, Value::plain(7)), Prov::None);
        assert_eq!(mixes.combine(BinOp::Sub, Value::NULL, Value::plain(8)), Prov::Null);
        assert_eq!(mixes.combine(BinOp::Sub, Value::NULL, Value::NULL), Prov::None);
        let hashed = Value { bits: 0x100, prov: mixes.combine(BinOp::LShr, p, Value::plain(4)) };
        assert_eq!(mixes.combine(BinOp::URem, hashed, Value::plain(64)), Prov::None);
        let Prov::Mixed(mix) = mixes.combine(BinOp::Xor, p, q) else { panic!() };
        assert_eq!(mixes.members(mix), Some(&[ObjId(3), ObjId(4)][..]));
    }

    #[test]
    fn large_sets_are_any_object() {
        let mut mixes = Mixes::new();
        let mut prov = Prov::None;
        for id in 0..20 {
            prov = mixes.union(prov, Prov::Object(ObjId(id)));
        }
        assert_eq!(prov, Prov::Mixed(MixId::ANY));
    }
}
