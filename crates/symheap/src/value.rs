//! Values: terms with provenance, and how provenance goes through arithmetic. The interpreter does the same with numbers.

use heapproof_ir::BinOp;
use heapproof_logic::Term;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Names an object of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjId(pub u32);

impl ObjId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Prov {
    /// From no address.
    None,
    /// The null pointer, or an address computed from it.
    Null,
    /// An address of this object, at any offset.
    Object(ObjId),
    /// Computed from addresses of these objects in a way that does not tell which one it belongs to.
    Mixed(Rc<BTreeSet<ObjId>>),
    /// From bytes or a variable that nothing was ever assigned to.
    Uninit,
    /// From an external object or the environment.
    Foreign,
}

/// A scalar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// The bits. An address is the base of its object plus an offset.
    pub term: Term,
    /// Where they came from.
    pub prov: Prov,
}

/// A mask or divisor below a page leaves no trace of where an object is.
const SMALL: u128 = 4096;

impl Value {
    pub fn plain(term: Term) -> Value {
        Value { term, prov: Prov::None }
    }

    pub fn number(bits: u128, width: u8) -> Value {
        Value::plain(Term::bits(bits, width))
    }

    pub fn null(width: u8) -> Value {
        Value { term: Term::bits(0, width), prov: Prov::Null }
    }

    /// The bits, if they are known.
    pub fn known(&self) -> Option<u128> {
        self.term.as_bits()
    }

    /// True if it may hold an address of an object.
    pub fn is_address(&self) -> bool {
        matches!(self.prov, Prov::Object(_) | Prov::Mixed(_))
    }

    /// A plain number that is surely below a page.
    fn is_small(&self) -> bool {
        self.prov == Prov::None && self.term.range().1 < SMALL
    }
}

impl Prov {
    /// A fragment of an address, or a value computed from it.
    pub fn blurred(&self) -> Prov {
        match self {
            Prov::Object(id) => Prov::Mixed(Rc::new(BTreeSet::from([*id]))),
            other => other.clone(),
        }
    }

    fn members(&self) -> BTreeSet<ObjId> {
        match self {
            Prov::Object(id) => BTreeSet::from([*id]),
            Prov::Mixed(set) => (**set).clone(),
            _ => BTreeSet::new(),
        }
    }

    /// Everything that both come from.
    pub fn union(&self, other: &Prov) -> Prov {
        use Prov::*;
        match (self, other) {
            (None | Null, other) | (other, None | Null) => other.blurred(),
            (Object(_) | Mixed(_), _) | (_, Object(_) | Mixed(_)) => {
                let mut all = self.members();
                all.extend(other.members());
                Mixed(Rc::new(all))
            }
            (Uninit, _) | (_, Uninit) => Uninit,
            (Foreign, Foreign) => Foreign,
        }
    }
}

/// The provenance of `a op b`.
pub fn combine(op: BinOp, a: &Value, b: &Value) -> Prov {
    use BinOp::*;
    use Prov::{Foreign, Mixed, None, Null, Object, Uninit};
    let weak = |p: &Prov| matches!(p, None | Null | Uninit | Foreign);
    let small = |v: &Value| v.term.range().1 < SMALL;
    match (&a.prov, &b.prov) {
        (Null, None) => match op {
            Add | Sub | Or | Xor => Null,
            And if !small(b) => Null,
            _ => None,
        },
        (None, Null) => match op {
            Add | Or | Xor => Null,
            And if !small(a) => Null,
            _ => None,
        },
        (None | Null, None | Null) => None,
        (Object(_), p) if weak(p) => match op {
            Add | Sub | Or | Xor => a.prov.clone(),
            And if b.is_small() => None,
            And => a.prov.clone(),
            URem | SRem if small(b) => None,
            _ => a.prov.blurred(),
        },
        (p, Object(_)) if weak(p) => match op {
            Add | Or | Xor => b.prov.clone(),
            And if a.is_small() => None,
            And => b.prov.clone(),
            _ => b.prov.blurred(),
        },
        (Object(x), Object(y)) if x == y => match op {
            Sub => None,
            And | Or if a.term == b.term => a.prov.clone(),
            _ => a.prov.blurred(),
        },
        (Mixed(_), _) | (_, Mixed(_)) | (Object(_), _) | (_, Object(_)) => match op {
            And if a.is_small() || b.is_small() => None,
            URem | SRem if b.is_small() => None,
            _ => a.prov.union(&b.prov),
        },
        _ => a.prov.union(&b.prov),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapproof_logic::Sort;

    fn address(number: u32) -> Value {
        let base = Term::var(heapproof_logic::Name::Numbered("b", number.into()), Sort::Bits(64));
        Value { term: base, prov: Prov::Object(ObjId(number)) }
    }

    #[test]
    fn differences_and_masks_of_addresses() {
        let (p, q) = (address(3), address(4));
        let small = Value::number(7, 64);
        assert_eq!(combine(BinOp::Sub, &p, &p), Prov::None);
        assert_eq!(combine(BinOp::Or, &p, &Value::number(1, 64)), p.prov);
        assert_eq!(combine(BinOp::And, &p, &small), Prov::None);
        assert_eq!(combine(BinOp::Sub, &Value::null(64), &small), Prov::Null);
        let Prov::Mixed(set) = combine(BinOp::Xor, &p, &q) else { panic!() };
        assert_eq!(set.len(), 2);
    }
}
