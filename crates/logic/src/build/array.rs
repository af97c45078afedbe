//! Arrays: reads look through writes.

use crate::{Op, Term};

/// How many writes are looked through.
const MOST_WRITES: usize = 1_000;

impl Term {
    /// The element of an array at an index.
    pub fn select(array: Term, index: Term) -> Term {
        select(array, index)
    }

    /// An array with another element at an index.
    pub fn store(array: Term, index: Term, element: Term) -> Term {
        store(array, index, element)
    }
}

pub(super) fn select(array: Term, index: Term) -> Term {
    let mut inner = array;
    for _ in 0..MOST_WRITES {
        let next = match inner.as_op() {
            Some((Op::ConstArray, args)) => return args[0].clone(),
            Some((Op::Store, args)) => match Term::eq(args[1].clone(), index.clone()).as_bool() {
                Some(true) => return args[2].clone(),
                Some(false) => args[0].clone(),
                None => break,
            },
            _ => break,
        };
        inner = next;
    }
    Term::raw(Op::Select, [inner, index])
}

pub(super) fn store(array: Term, index: Term, element: Term) -> Term {
    // What is there already.
    if let Some([read, at]) = element.args_of(Op::Select)
        && (read, at) == (&array, &index)
    {
        return array;
    }
    let under = match array.args_of(Op::Store) {
        // The older element is gone.
        Some([under, at, _]) if *at == index => under.clone(),
        _ => array,
    };
    if let Some([rest]) = under.args_of(Op::ConstArray)
        && *rest == element
    {
        return under;
    }
    Term::raw(Op::Store, [under, index, element])
}
