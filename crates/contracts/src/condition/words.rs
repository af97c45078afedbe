//! The words of verification conditions, after sections 4, 5 and 7 of the paper on low-level reachability.
//!
//! A pointer is a pair of terms: an object and an offset in bytes; an integer has the null object. What the memory holds is a
//! function of a heap (`heap.rs`). Where a list ends at a cell that is no link, its `block` is a pointer of its own that is
//! equal to no other.

use crate::typed::LinkField;
use heapproof_ir::Program;
use heapproof_logic::{Function, Kind, Op, Sort, Term};
use std::cell::Cell;

/// No object is larger: then sums of offsets and sizes cannot wrap.
pub const LARGEST: i128 = 1 << 46;

/// A pointer: object and offset.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pointer {
    /// The object.
    pub object: Term,
    /// Bytes from its start.
    pub offset: Term,
}

impl Pointer {
    /// Some bytes further on.
    pub fn plus(&self, bytes: Term) -> Pointer {
        Pointer { object: self.object.clone(), offset: Term::int_add(self.offset.clone(), bytes) }
    }

    /// A constant number of bytes further on.
    pub fn at(&self, bytes: i128) -> Pointer {
        if bytes == 0 { self.clone() } else { self.plus(Term::int(bytes)) }
    }

    /// They are equal.
    pub fn equals(&self, other: &Pointer) -> Term {
        Term::and([
            Term::eq(self.object.clone(), other.object.clone()),
            Term::eq(self.offset.clone(), other.offset.clone()),
        ])
    }

    /// One of two.
    pub fn choose(condition: &Term, then: &Pointer, otherwise: &Pointer) -> Pointer {
        let ite = |a: &Term, b: &Term| Term::ite(condition.clone(), a.clone(), b.clone());
        Pointer { object: ite(&then.object, &otherwise.object), offset: ite(&then.offset, &otherwise.offset) }
    }

    /// Object and offset, as arguments.
    pub fn parts(&self) -> [Term; 2] {
        [self.object.clone(), self.offset.clone()]
    }

    /// The application that gives both parts, or the object: what a trigger names.
    pub fn source(&self) -> Term {
        match (self.object.kind(), self.offset.kind()) {
            (Kind::Call(a), Kind::Call(b))
                if a.args().len() == 1 && b.args().len() == 1 && self.object.args() == self.offset.args() =>
            {
                self.object.args()[0].clone()
            }
            _ => self.object.clone(),
        }
    }

    /// The distance from another pointer, if both are surely in the same object and it is a constant.
    pub fn distance(&self, from: &Pointer) -> Option<i128> {
        if self.object != from.object {
            return None;
        }
        Term::int_sub(self.offset.clone(), from.offset.clone()).as_int()
    }
}

/// A function whose values are pointers. They are a sort of their own with two parts, so that a question about either part
/// brings up the whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointerFunction {
    function: Function,
    parts: [Function; 2],
}

impl PointerFunction {
    /// The value for a pointer.
    pub fn apply(&self, p: &Pointer) -> Pointer {
        let whole = self.call(p);
        let [object, offset] = &self.parts;
        Pointer { object: object.apply([whole.clone()]), offset: offset.apply([whole]) }
    }

    /// The value for a pointer as one term.
    pub fn call(&self, p: &Pointer) -> Term {
        self.function.apply(p.parts())
    }

    /// The pointer that a term applies the function to.
    pub fn argument(&self, term: &Term) -> Option<Pointer> {
        match (term.kind(), term.args()) {
            (Kind::Call(function), [object, offset]) if *function == self.function => {
                Some(Pointer { object: object.clone(), offset: offset.clone() })
            }
            _ => None,
        }
    }
}

/// The words that do not depend on a heap.
pub struct Words {
    /// The sort of objects.
    pub object: Sort,
    /// The size of a pointer.
    pub word: u8,
    /// The link fields.
    pub fields: Vec<LinkField>,
    /// The object of integers.
    pub null_object: Term,
    /// The end of a list that ends at no link.
    pub nowhere: Pointer,
    size: Function,
    address: Function,
    count: Cell<u64>,
}

impl Words {
    /// The words for some link fields.
    pub fn new(program: &Program, fields: &[LinkField]) -> Words {
        let object = Sort::named("Obj");
        let nowhere = Pointer { object: Term::var("nowhere", object.clone()), offset: Term::int(0) };
        Words {
            word: program.target.pointer_bytes() as u8,
            fields: fields.to_vec(),
            null_object: Term::var("null", object.clone()),
            nowhere,
            size: Function::new("size", vec![object.clone()], Sort::Int),
            address: Function::new("num", vec![object.clone(), Sort::Int], Sort::Int),
            count: Cell::new(0),
            object,
        }
    }

    /// A function from pointers to pointers.
    pub fn pointer_function(&self, name: &str) -> PointerFunction {
        let whole = Sort::named("Ptr");
        PointerFunction {
            function: Function::new(name, vec![self.object.clone(), Sort::Int], whole.clone()),
            parts: [
                Function::new("obj", vec![whole.clone()], self.object.clone()),
                Function::new("off", vec![whole], Sort::Int),
            ],
        }
    }

    /// A number that was not used.
    pub fn next(&self) -> u64 {
        self.count.set(self.count.get() + 1);
        self.count.get()
    }

    /// A new constant.
    pub fn fresh(&self, what: &'static str, sort: Sort) -> Term {
        Term::var(heapproof_logic::Name::Numbered(what, self.next()), sort)
    }

    /// A new pointer.
    pub fn fresh_pointer(&self, what: &'static str) -> Pointer {
        let number = self.next();
        let name = |part: &str| format!("{what}{number}{part}");
        Pointer {
            object: Term::var(name("o").as_str(), self.object.clone()),
            offset: Term::var(name("i").as_str(), Sort::Int),
        }
    }

    /// A new variable of a quantifier.
    pub fn bound(&self) -> Pointer {
        let (object, offset) = (1_000 + self.next(), 1_000 + self.next());
        Pointer { object: Term::bound(object, self.object.clone()), offset: Term::bound(offset, Sort::Int) }
    }

    /// A new variable of a quantifier for objects.
    pub fn bound_object(&self) -> Term {
        Term::bound(1_000 + self.next(), self.object.clone())
    }

    /// An integer as a pointer.
    pub fn number(&self, number: Term) -> Pointer {
        Pointer { object: self.null_object.clone(), offset: number }
    }

    /// The null pointer.
    pub fn null(&self) -> Pointer {
        self.number(Term::int(0))
    }

    /// The number of a pointer: that of an integer is known, that of an address is not.
    pub fn num(&self, pointer: &Pointer) -> Term {
        if pointer.object == self.null_object {
            // A sum may be out of range.
            let (offset, bits) = (pointer.offset.clone(), 8 * u32::from(self.word));
            return if is_sum(&offset) { wrapped(offset, bits) } else { offset };
        }
        self.address.apply(pointer.parts())
    }

    /// The size of an object.
    pub fn size(&self, object: &Term) -> Term {
        self.size.apply([object.clone()])
    }

    /// The object of a global.
    pub fn global(&self, name: &str) -> Term {
        Term::var(format!("global {name}").as_str(), self.object.clone())
    }
}

/// True for more than one number alone: a sum may leave the range of its parts.
pub fn is_sum(number: &Term) -> bool {
    number.linear().is_some_and(|(constant, parts)| match parts.as_slice() {
        [] => false,
        [(_, 1)] => constant != 0,
        _ => true,
    })
}

/// Half the number of values of some bytes.
pub fn limit(bytes: u8) -> Option<i128> {
    (bytes < 16).then(|| 1i128 << (8 * u32::from(bytes) - 1))
}

/// An integer brought into the range of a number with sign of some bits, as the machine does.
pub fn wrapped(number: Term, bits: u32) -> Term {
    if let Some(value) = number.as_int() {
        let range = 1i128 << bits;
        return Term::int((value + range / 2).rem_euclid(range) - range / 2);
    }
    let (range, half) = (Term::int(1 << bits), Term::int(1 << (bits - 1)));
    let moved = Term::op(Op::IntMod, [Term::int_add(number, half.clone()), range]);
    Term::int_sub(moved, half)
}

/// A number with sign read as one without.
pub fn unsigned(number: Term, bits: u32) -> Term {
    match number.as_int() {
        Some(value) if value >= 0 => number,
        Some(value) => Term::int(value + (1 << bits)),
        None => Term::ite(
            Term::int_lt(number.clone(), Term::int(0)),
            Term::int_add(number.clone(), Term::int(1 << bits)),
            number,
        ),
    }
}
