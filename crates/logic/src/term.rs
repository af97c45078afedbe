//! Terms: bit vectors of a width, and truth values.

use std::rc::Rc;

/// A variable. Equal numbers are the same variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var {
    /// Its number.
    pub id: u32,
    /// Its width in bits.
    pub width: u8,
}

/// Operations on two bit vectors of one width, with the meaning that SMT-LIB gives them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BvOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
}

/// Relations of two bit vectors of one width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BvRel {
    Eq,
    Ult,
    Ule,
    Slt,
    Sle,
}

/// A term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// A variable.
    Var(Var),
    /// A number of a width.
    Number(u128, u8),
    /// An operation.
    Op(BvOp, Rc<Term>, Rc<Term>),
    /// The low bits of a bit vector.
    Low(Rc<Term>, u8),
    /// A bit vector made wider by zeros, or by its sign.
    Wide {
        /// What is made wider.
        term: Rc<Term>,
        /// By how many bits.
        by: u8,
        /// By its sign.
        sign: bool,
    },
    /// A relation: a truth value.
    Rel(BvRel, Rc<Term>, Rc<Term>),
    /// The opposite of a truth value.
    Not(Rc<Term>),
    /// One of several truth values holds.
    Any(Vec<Term>),
}

impl Term {
    /// A number; bits above the width are dropped.
    pub fn number(number: u128, width: u8) -> Term {
        let mask = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
        Term::Number(number & mask, width)
    }

    /// An operation.
    pub fn op(op: BvOp, a: Term, b: Term) -> Term {
        Term::Op(op, Rc::new(a), Rc::new(b))
    }

    /// A relation.
    pub fn rel(rel: BvRel, a: Term, b: Term) -> Term {
        Term::Rel(rel, Rc::new(a), Rc::new(b))
    }

    /// The opposite of a truth value.
    pub fn negated(self) -> Term {
        match self {
            Term::Not(term) => Rc::unwrap_or_clone(term),
            other => Term::Not(Rc::new(other)),
        }
    }

    /// A bit vector in another width: cut, or made wider by zeros or its sign.
    pub fn resized(self, from: u8, to: u8, sign: bool) -> Term {
        match to.cmp(&from) {
            std::cmp::Ordering::Equal => self,
            std::cmp::Ordering::Less => Term::Low(Rc::new(self), to),
            std::cmp::Ordering::Greater => Term::Wide { term: Rc::new(self), by: to - from, sign },
        }
    }

    /// Calls `f` for every variable in it.
    pub fn for_each_var(&self, f: &mut impl FnMut(Var)) {
        match self {
            Term::Var(var) => f(*var),
            Term::Number(..) => {}
            Term::Op(_, a, b) | Term::Rel(_, a, b) => {
                a.for_each_var(f);
                b.for_each_var(f);
            }
            Term::Low(term, _) | Term::Wide { term, .. } | Term::Not(term) => term.for_each_var(f),
            Term::Any(terms) => terms.iter().for_each(|term| term.for_each_var(f)),
        }
    }
}
