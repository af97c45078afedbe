//! Values of the formula: numbers, and pointers as an object and an offset.

use heapproof_logic::{Sort, Term};
use std::collections::BTreeSet;

/// Names an object of the formula.
pub type Obj = u32;

/// The null pointer leads to this object.
pub const NULL: Obj = 0;
/// An address of which nothing is known: it may be that of any object.
pub const UNKNOWN: Obj = 1;
/// A pointer that was never assigned: following it is an error.
pub const WILD: Obj = 2;
/// The first number of a real object.
pub const FIRST: Obj = 3;

/// Bits of the term that tells the object.
pub const OBJ_BITS: u8 = 16;

/// The most single offsets that are kept apart.
const MOST_OFFSETS: usize = 24;

/// Which offsets a pointer may have, by the text of the program alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Offsets {
    /// One of these.
    Set(BTreeSet<u64>),
    /// Any number `rest + n * step`; a step of 1 says nothing.
    Step {
        /// The distance.
        step: u64,
        /// The least one.
        rest: u64,
    },
}

impl Offsets {
    /// Just one.
    pub fn one(offset: u64) -> Self {
        Offsets::Set(BTreeSet::from([offset]))
    }

    /// Those of both.
    pub fn union(&self, other: &Offsets) -> Offsets {
        if let (Offsets::Set(a), Offsets::Set(b)) = (self, other) {
            let all: BTreeSet<u64> = a.union(b).copied().collect();
            if all.len() <= MOST_OFFSETS {
                return Offsets::Set(all);
            }
        }
        let ((a, ra), (b, rb)) = (self.step(), other.step());
        let step = gcd(gcd(a, b), ra.abs_diff(rb));
        if step == 0 { Offsets::one(ra) } else { Offsets::Step { step, rest: ra % step } }
    }

    /// All moved by a constant; offsets wrap at the width of pointers.
    pub fn plus(&self, by: u64, width: u8) -> Offsets {
        let mask = heapproof_ir::mask(width) as u64;
        match self {
            Offsets::Set(set) if fault!(7) => Offsets::Set(set.iter().map(|o| o + (by & mask)).collect()),
            Offsets::Set(set) => Offsets::Set(set.iter().map(|o| o.wrapping_add(by) & mask).collect()),
            Offsets::Step { step, rest } if step.is_power_of_two() => {
                Offsets::Step { step: *step, rest: rest.wrapping_add(by) % step }
            }
            // Wrapping keeps no rest for other steps; negative constants are kept small this way.
            Offsets::Step { step, rest } => {
                let by = heapproof_ir::sign_extend(u128::from(by & mask), width);
                let by = by.rem_euclid(i128::from(*step)) as u64;
                Offsets::Step { step: *step, rest: (rest + by) % step }
            }
        }
    }

    /// All moved by multiples of a constant.
    pub fn plus_multiples(&self, scale: u64, width: u8) -> Offsets {
        if scale == 0 {
            return self.clone();
        }
        self.union(&self.plus(scale, width)).widened(scale)
    }

    fn widened(&self, scale: u64) -> Offsets {
        let (step, rest) = self.step();
        let step = gcd(step, scale);
        Offsets::Step { step, rest: rest % step }
    }

    /// The distance and the least one; distance 0 for a single offset.
    fn step(&self) -> (u64, u64) {
        match self {
            Offsets::Step { step, rest } => (*step, *rest),
            Offsets::Set(set) => {
                let first = set.first().copied().unwrap_or(0);
                (set.iter().fold(0, |step, o| gcd(step, o - first)), first)
            }
        }
    }

    /// Those at which so many bytes lie inside an object of a size; none if there are too many.
    pub fn inside(&self, size: u64, len: u64, most: usize) -> Option<Vec<u64>> {
        let Some(last) = size.checked_sub(len) else { return Some(Vec::new()) };
        match self {
            Offsets::Set(set) => Some(set.iter().copied().filter(|o| *o <= last).collect()),
            Offsets::Step { step, rest } => {
                let count = if *rest > last { 0 } else { (last - rest) / step + 1 };
                (count <= most as u64).then(|| (0..count).map(|n| rest + n * step).collect())
            }
        }
    }

    /// The only one.
    pub fn single(&self) -> Option<u64> {
        match self {
            Offsets::Set(set) if set.len() == 1 => set.first().copied(),
            _ => None,
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointer {
    /// The object, a bit vector of [`OBJ_BITS`].
    pub obj: Term,
    /// The offset in bytes, a bit vector of the pointer's width.
    pub off: Term,
    /// The objects that it may lead to.
    pub may: BTreeSet<Obj>,
    /// The offsets that it may have.
    pub offsets: Offsets,
}

/// The number of an object as a term.
pub fn obj_term(obj: Obj) -> Term {
    Term::bits(u128::from(obj), OBJ_BITS)
}

impl Pointer {
    /// The start of an object.
    pub fn to(obj: Obj, width: u8) -> Self {
        Pointer {
            obj: obj_term(obj),
            off: Term::bits(0, width),
            may: BTreeSet::from([obj]),
            offsets: Offsets::one(0),
        }
    }

    /// True if it may lead to the object.
    pub fn may_be(&self, obj: Obj) -> bool {
        self.may.contains(&obj)
    }

    /// The condition that it leads to an object.
    pub fn is(&self, obj: Obj) -> Term {
        if !self.may_be(obj) {
            return Term::truth(false);
        }
        if self.may.len() == 1 { Term::truth(true) } else { Term::eq(self.obj.clone(), obj_term(obj)) }
    }
}

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number, or the bits of a floating point number.
    Int(Term),
    /// A pointer.
    Ptr(Pointer),
}

impl Value {
    /// The value under a condition, else another one.
    pub fn ite(condition: &Term, then: &Value, otherwise: &Value, width: u8) -> Value {
        match (then, otherwise) {
            (Value::Int(a), Value::Int(b)) => Value::Int(Term::ite(condition.clone(), a.clone(), b.clone())),
            _ => {
                let (a, b) = (then.pointer(width), otherwise.pointer(width));
                if condition.as_bool() == Some(true) {
                    return Value::Ptr(a);
                }
                if condition.as_bool() == Some(false) {
                    return Value::Ptr(b);
                }
                Value::Ptr(Pointer {
                    obj: Term::ite(condition.clone(), a.obj.clone(), b.obj.clone()),
                    off: Term::ite(condition.clone(), a.off.clone(), b.off.clone()),
                    may: a.may.union(&b.may).copied().collect(),
                    offsets: a.offsets.union(&b.offsets),
                })
            }
        }
    }

    /// As a pointer: the number 0 is null, another number is nothing known.
    pub fn pointer(&self, width: u8) -> Pointer {
        match self {
            Value::Ptr(pointer) => pointer.clone(),
            Value::Int(number) => match number.as_bits() {
                Some(0) => Pointer::to(NULL, width),
                Some(_) => Pointer::to(UNKNOWN, width),
                None => {
                    let Sort::Bits(bits) = number.sort() else { return Pointer::to(UNKNOWN, width) };
                    let zero = Term::eq(number.clone(), Term::bits(0, *bits));
                    Pointer {
                        obj: Term::ite(zero, obj_term(NULL), obj_term(UNKNOWN)),
                        off: Term::bits(0, width),
                        may: BTreeSet::from([NULL, UNKNOWN]),
                        offsets: Offsets::one(0),
                    }
                }
            },
        }
    }
}
