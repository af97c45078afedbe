//! Annotations with all types resolved: what both the prover and the interpreter evaluate.

use heapproof_ir::{GlobalId, LocalId, Reg, TypeId};

/// A variable of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Var {
    /// A parameter, by its value at entry.
    Param(usize),
    /// A variable in a register.
    Reg(Reg),
}

/// A pointer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ptr {
    /// A number as a pointer.
    Number(Box<Int>),
    /// A variable.
    Var(Var),
    /// A variable of a quantifier.
    Bound(u32),
    /// The result of the function.
    Result,
    /// The address of a global.
    Global(GlobalId),
    /// The address of a local object.
    Local(LocalId),
    /// Some bytes further on.
    Plus(Box<Ptr>, Box<Int>),
    /// What is stored at a pointer.
    Load(Box<Ptr>),
    /// The first blocking pointer after a pointer, by the number of the link field.
    Block(Box<Ptr>, usize),
    /// In the state at entry.
    Old(Box<Ptr>),
}

/// An integer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Int {
    /// A constant.
    Const(i128),
    /// A variable with its size in bytes.
    Var(Var, u8, bool),
    /// A variable of a quantifier, read as a number of this size.
    Bound(u32, u8, bool),
    /// The result of the function, with its size in bytes.
    Result(u8, bool),
    /// What is stored at a pointer, with its size in bytes; with sign?
    Load(Box<Ptr>, u8, bool),
    /// The offset of a pointer.
    Off(Box<Ptr>),
    /// The number of an address.
    Num(Box<Ptr>),
    /// Sum, difference and product of mathematics, quotient and rest of C (rounded towards zero).
    Op(IntOp, Box<Int>, Box<Int>),
    /// Brought into the range of a C type with a size in bytes; with sign?
    Cast(Box<Int>, u8, bool),
    /// The value of an enumeration, read with sign. Whether its type has a sign is not known: what is negative is some number that
    /// depends on it and on the type.
    Enum(Box<Int>, TypeId),
    /// One if it holds, otherwise zero.
    Truth(Box<Form>),
    /// In the state at entry.
    Old(Box<Int>),
}

/// An operation on integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum IntOp {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
}

/// A formula.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Form {
    Truth(bool),
    Not(Box<Form>),
    And(Box<Form>, Box<Form>),
    Or(Box<Form>, Box<Form>),
    Implies(Box<Form>, Box<Form>),
    Same(Box<Form>, Box<Form>),
    PtrEq(Ptr, Ptr),
    ObjEq(Ptr, Ptr),
    IntEq(Int, Int),
    IntLt(Int, Int),
    IntLe(Int, Int),
    /// So many bytes from a pointer on lie in one allocated object.
    Alloc(Ptr, u64),
    Blocking(Ptr),
    In(Ptr, Box<Set>),
    /// The variable takes each member of the set.
    Forall(u32, Box<Set>, Box<Form>),
    Old(Box<Form>),
}

/// A set of pointers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Set {
    Nothing,
    /// Pointers, each with the size of the scalar at it.
    Elements(Vec<(Ptr, u64)>),
    Blocking,
    /// A list by the number of its link field.
    List(Ptr, usize),
    /// So many elements of a size from a pointer on.
    Array(Ptr, Int, u64),
    Shift(Box<Set>, i128),
    Deref(Box<Set>),
    Union(Box<Set>, Box<Set>),
    Inter(Box<Set>, Box<Set>),
    Diff(Box<Set>, Box<Set>),
    /// Like the set inside; the scalars at its members have this size.
    Sized(Box<Set>, u64),
    Old(Box<Set>),
}

impl Int {
    /// True if the number is the same in every state of a call.
    pub fn is_fixed(&self) -> bool {
        match self {
            Int::Const(_) | Int::Var(..) | Int::Bound(..) | Int::Result(..) | Int::Old(_) => true,
            Int::Load(..) | Int::Truth(_) => false,
            Int::Off(ptr) | Int::Num(ptr) => ptr.is_fixed(),
            Int::Op(_, a, b) => a.is_fixed() && b.is_fixed(),
            Int::Cast(inner, ..) | Int::Enum(inner, _) => inner.is_fixed(),
        }
    }

    /// A number as C converts it to a type of some bytes.
    pub fn cast(self, size: u8, signed: bool) -> Int {
        let bits = 8 * u32::from(size);
        let (low, high) = match signed {
            true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
            false => (0, (1i128 << bits) - 1),
        };
        match self {
            Int::Const(value) if low <= value && value <= high => Int::Const(value),
            Int::Var(_, known, with)
            | Int::Load(_, known, with)
            | Int::Result(known, with)
            | Int::Bound(_, known, with)
                if (known, with) == (size, signed) || (known < size && (!with || signed)) =>
            {
                self
            }
            other => Int::Cast(Box::new(other), size, signed),
        }
    }

    /// A sum or another operation.
    pub fn op(op: IntOp, a: Int, b: Int) -> Int {
        if let (Int::Const(x), Int::Const(y)) = (&a, &b) {
            let folded = match op {
                IntOp::Add => x.checked_add(*y),
                IntOp::Sub => x.checked_sub(*y),
                IntOp::Mul => x.checked_mul(*y),
                IntOp::Div => x.checked_div(*y),
                IntOp::Mod => x.checked_rem(*y),
            };
            if let Some(value) = folded {
                return Int::Const(value);
            }
        }
        Int::Op(op, Box::new(a), Box::new(b))
    }
}

impl Ptr {
    /// True if the pointer is the same in every state of a call.
    pub fn is_fixed(&self) -> bool {
        match self {
            Ptr::Number(int) => int.is_fixed(),
            Ptr::Plus(base, bytes) => base.is_fixed() && bytes.is_fixed(),
            Ptr::Load(_) | Ptr::Block(..) => false,
            Ptr::Var(_) | Ptr::Bound(_) | Ptr::Result | Ptr::Global(_) | Ptr::Local(_) | Ptr::Old(_) => true,
        }
    }

    /// The null pointer.
    pub fn null() -> Ptr {
        Ptr::Number(Box::new(Int::Const(0)))
    }

    /// Some bytes further on.
    pub fn plus(self, bytes: Int) -> Ptr {
        match (self, bytes) {
            (ptr, Int::Const(0)) => ptr,
            (Ptr::Plus(base, more), bytes) => Ptr::Plus(base, Box::new(Int::op(IntOp::Add, *more, bytes))),
            (ptr, bytes) => Ptr::Plus(Box::new(ptr), Box::new(bytes)),
        }
    }
}
