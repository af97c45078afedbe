//! What simplification is for: the forms that engines rely on.

use crate::{BvOp, BvRel, Name, Op, Sort, Term};
use std::collections::HashMap;

fn x() -> Term {
    Term::var("x", Sort::Bits(64))
}

fn y() -> Term {
    Term::var("y", Sort::Bits(64))
}

fn add(a: Term, b: Term) -> Term {
    Term::bv(BvOp::Add, a, b)
}

fn times(a: Term, by: u128) -> Term {
    Term::bv(BvOp::Mul, a, Term::bits(by, 64))
}

#[test]
fn equal_addresses_are_the_same_term() {
    let one = add(x().plus(8), times(y(), 4));
    let other = add(Term::bv(BvOp::Shl, y(), Term::bits(2, 64)), x()).plus(16).plus(-8);
    assert_eq!(one, other);
    assert_eq!(Term::bv(BvOp::Sub, one.clone(), other), Term::bits(0, 64));
    let (constant, parts) = one.linear().expect("a sum");
    assert_eq!(constant, 8);
    let parts: HashMap<Term, i128> = parts.into_iter().collect();
    assert_eq!(parts, HashMap::from([(x(), 1), (y(), 4)]));
}

#[test]
fn different_offsets_from_one_base_differ() {
    assert_eq!(Term::eq(x().plus(8), x().plus(16)), Term::truth(false));
    assert_eq!(Term::eq(add(x(), y()), add(y(), x())), Term::truth(true));
    // What both have goes.
    assert_eq!(Term::eq(add(x(), y()), add(y(), Term::bits(3, 64))), Term::eq(x(), Term::bits(3, 64)));
}

#[test]
fn bytes_of_a_number_are_the_number_again() {
    let byte = |index: u8| Term::extract(8 * index + 7, 8 * index, x());
    let whole = (1..8).fold(byte(0), |low, index| Term::concat(byte(index), low));
    assert_eq!(whole, x());
    let high = (4..8).rev().map(byte).reduce(Term::concat).expect("bytes");
    let low = (0..4).rev().map(byte).reduce(Term::concat).expect("bytes");
    assert_eq!(Term::concat(high, low.clone()), x());
    assert_eq!(Term::extract(15, 8, low), byte(1));
}

#[test]
fn ranges_decide_orders() {
    let byte = Term::var("b", Sort::Bits(8)).resized(64, false);
    let index = times(byte.clone(), 4).plus(8);
    assert_eq!(index.range(), (8, 8 + 4 * 255));
    assert_eq!(Term::rel(BvRel::Ult, index.clone(), Term::bits(2_000, 64)), Term::truth(true));
    assert_eq!(Term::rel(BvRel::Slt, index, Term::bits(8, 64)), Term::truth(false));
    let rest = Term::bv(BvOp::URem, x(), Term::bits(10, 64));
    assert_eq!(Term::rel(BvRel::Ule, rest, Term::bits(9, 64)), Term::truth(true));
    assert_eq!(Term::rel(BvRel::Ult, x(), Term::bits(0, 64)), Term::truth(false));
    assert_eq!(Term::rel(BvRel::Ult, x(), Term::bits(1, 64)), Term::eq(x(), Term::bits(0, 64)));
}

#[test]
fn truth_values_are_simple() {
    let (p, q) = (Term::var("p", Sort::Bool), Term::var("q", Sort::Bool));
    assert_eq!(Term::and([p.clone(), q.clone()]), Term::and([q.clone(), Term::and([p.clone(), q.clone()])]));
    assert_eq!(Term::or([p.clone(), q.clone(), p.clone().not()]), Term::truth(true));
    assert_eq!(p.clone().not().not(), p);
    let less = Term::rel(BvRel::Slt, x(), y());
    assert_eq!(Term::and([less.clone(), less.not()]), Term::truth(false));
    assert_eq!(Term::ite(p.clone(), Term::truth(true), q.clone()), Term::or([p.clone(), q]));
    let chosen = Term::ite(p.clone(), Term::bits(1, 8), Term::bits(2, 8));
    assert_eq!(Term::eq(chosen.clone(), Term::bits(2, 8)), p.not());
    assert_eq!(Term::eq(chosen, Term::bits(3, 8)), Term::truth(false));
}

#[test]
fn reads_look_through_writes() {
    let memory = Term::var("m", Sort::array(Sort::Bits(64), Sort::Bits(8)));
    let byte = |number| Term::bits(number, 8);
    let written = (0..100)
        .fold(memory.clone(), |memory, index| Term::store(memory, x().plus(index), byte(index as u128)));
    assert_eq!(Term::select(written.clone(), x().plus(3)), byte(3));
    assert_eq!(Term::select(written.clone(), x().plus(200)), Term::select(memory.clone(), x().plus(200)));
    assert_eq!(Term::select(written.clone(), y()).args_of(Op::Select).expect("a read")[0], written);
    assert_eq!(Term::store(memory.clone(), y(), Term::select(memory.clone(), y())), memory);
}

#[test]
fn long_sums_and_conjunctions_stay_cheap() {
    let var = |number| Term::var(Name::Numbered("i", number), Sort::Bits(32));
    let sum = (0..20_000).fold(Term::bits(0, 32), |sum, number| Term::bv(BvOp::Add, sum, var(number)));
    let size: usize = Term::dag([&sum]).iter().map(|term| term.args().len()).sum();
    assert!(size < 30_000, "{size} arguments");
    let flags = (0..20_000).fold(Term::truth(true), |all, number| {
        Term::and([all, Term::var(Name::Numbered("p", number), Sort::Bool)])
    });
    let size: usize = Term::dag([&flags]).iter().map(|term| term.args().len()).sum();
    assert!(size < 30_000, "{size} arguments");
}

#[test]
fn deep_terms_do_not_overflow_the_stack() {
    let memory = Term::var("m", Sort::array(Sort::Bits(64), Sort::Bits(8)));
    let deep = (0..200_000).fold(memory, |memory, index| {
        Term::store(memory, Term::var(Name::Numbered("a", index), Sort::Bits(64)), Term::bits(1, 8))
    });
    assert_eq!(Term::dag([&deep]).len(), 400_002);
    let read = Term::select(deep, x());
    assert!(read.to_string().len() > 1_000_000);
    assert!(crate::Model::new().eval(&read).is_ok());
    assert_eq!(read.simplified(), read);
}

#[test]
fn nodes_that_nobody_holds_are_dropped() {
    let before = crate::nodes();
    for number in 0..2_000_000 {
        Term::var(Name::Numbered("gone", number), Sort::Int);
    }
    assert!(crate::nodes() < before + 1_000_000);
}

#[test]
fn terms_cross_threads() {
    let make = || (0..1_000).fold(x(), |sum, number| add(times(sum, 3), Term::bits(number, 64)));
    let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(make)).collect();
    let terms: Vec<Term> = threads.into_iter().map(|thread| thread.join().expect("a term")).collect();
    assert!(terms.iter().all(|term| *term == terms[0]));
}

#[test]
fn quantifiers_are_instantiated() {
    let (i, j) = (Term::bound(1, Sort::Int), Term::bound(2, Sort::Int));
    let inner = Term::forall(vec![j.clone()], vec![], Term::int_le(j, i.clone()));
    assert!(inner.is_open());
    let outer = Term::forall(vec![i], vec![], inner);
    assert!(!outer.is_open());
    let instance = outer.instance(&[Term::int(5)]).expect("a quantifier");
    assert!(!instance.is_open());
    assert_eq!(instance.instance(&[Term::int(6)]), Some(Term::truth(false)));
}

#[test]
#[should_panic(expected = "bit vectors of widths 8 and 16")]
fn a_mistake_in_sorts_is_told() {
    Term::bv(BvOp::Add, Term::var("a", Sort::Bits(8)), Term::var("b", Sort::Bits(16)));
}
