//! The meaning of operators, against the arithmetic of Rust and against z3.

use super::solvers::z3;
use crate::{BvOp, BvRel, Model, Op, Solved, Solver, Sort, Term, Value};

fn bits(number: u32) -> Term {
    Term::bits(number.into(), 32)
}

fn value(term: &Term) -> u128 {
    Model::new().eval(term).expect("a value").as_bits().expect("bits")
}

#[test]
fn every_operation_means_what_it_means_in_rust() {
    for (x, y) in [(0x8000_0123u32, 5u32), (7, 0xffff_fffd), (0xffff_ffff, 31), (12, 12)] {
        let (sx, sy) = (x as i32, y as i32);
        let expected = [
            (BvOp::Add, x.wrapping_add(y)),
            (BvOp::Sub, x.wrapping_sub(y)),
            (BvOp::Mul, x.wrapping_mul(y)),
            (BvOp::UDiv, x / y),
            (BvOp::SDiv, sx.wrapping_div(sy) as u32),
            (BvOp::URem, x % y),
            (BvOp::SRem, sx.wrapping_rem(sy) as u32),
            (BvOp::Shl, x.checked_shl(y).unwrap_or(0)),
            (BvOp::LShr, x.checked_shr(y).unwrap_or(0)),
            (BvOp::AShr, (sx >> y.min(31)) as u32),
            (BvOp::And, x & y),
            (BvOp::Or, x | y),
            (BvOp::Xor, x ^ y),
        ];
        for (op, result) in expected {
            assert_eq!(value(&Term::raw(Op::Bv(op), [bits(x), bits(y)])), result.into(), "{op:?} {x} {y}");
            assert_eq!(Term::bv(op, bits(x), bits(y)), bits(result), "{op:?} {x} {y}");
        }
        let orders =
            [(BvRel::Ult, x < y), (BvRel::Ule, x <= y), (BvRel::Slt, sx < sy), (BvRel::Sle, sx <= sy)];
        for (rel, result) in orders {
            assert_eq!(Term::rel(rel, bits(x), bits(y)), Term::truth(result), "{rel:?} {x} {y}");
        }
    }
}

#[test]
fn widths_change_as_in_c() {
    let minus_one = Term::bits(0xff, 8);
    assert_eq!(minus_one.clone().resized(32, true), bits(u32::MAX));
    assert_eq!(minus_one.resized(32, false), bits(255));
    assert_eq!(Term::bits(0x1234, 16).resized(8, false), Term::bits(0x34, 8));
    let wide = Term::concat(Term::bits(1, 64), Term::bits(2, 64));
    assert_eq!(value(&wide), (1 << 64) | 2);
}

#[test]
fn integers_divide_as_smt_lib_says() {
    for (a, b) in [(7, 2), (-7, 2), (7, -2), (-7, -2)] {
        let quotient = Term::op(Op::IntDiv, [Term::int(a), Term::int(b)]);
        let remainder = Term::op(Op::IntMod, [Term::int(a), Term::int(b)]);
        assert_eq!(remainder.as_int(), Some(1));
        assert_eq!(Term::int_add(Term::int_mul(quotient, Term::int(b)), remainder), Term::int(a));
    }
    let by_zero = Term::op(Op::IntDiv, [Term::int(1), Term::int(0)]);
    assert!(!by_zero.is_constant() && Model::new().eval(&by_zero).is_err());
    let huge = Term::int_add(Term::int(i128::MAX), Term::int(1));
    assert!(!huge.is_constant() && Model::new().eval(&huge).is_err());
}

#[test]
fn arrays_keep_what_is_stored() {
    let sort = Sort::array(Sort::Bits(1), Sort::Bits(8));
    let array = Term::var("a", sort.clone());
    let index = |bit| Term::bits(bit, 1);
    let full = |rest: u128| {
        let start = Term::constant_array(Sort::Bits(1), Term::bits(rest, 8));
        let one = Term::raw(Op::Store, [start, index(0), Term::bits(1, 8)]);
        Term::raw(Op::Store, [one, index(1), Term::bits(2, 8)])
    };
    // All elements are written out: what the rest would be does not matter.
    assert!(Model::new().satisfies(&Term::raw(Op::Eq, [full(5), full(6)])));
    let mut model = Model::new();
    model.set(array.clone(), Model::new().eval(&full(9)).expect("a value"));
    assert!(model.satisfies(&Term::raw(Op::Eq, [Term::select(array, index(1)), Term::bits(2, 8)])));
    assert_eq!(Value::default_of(&sort).sort(), sort);
}

#[test]
fn small_quantifiers_have_a_value() {
    let x = Term::bound(1, Sort::Bits(4));
    let y = Term::bound(2, Sort::Bits(4));
    let sum = Term::eq(Term::bv(BvOp::Add, x.clone(), y.clone()), Term::bits(0, 4));
    let inverse = Term::forall(vec![x], vec![], Term::exists(vec![y], vec![], sum));
    assert!(!inverse.is_open());
    assert!(Model::new().satisfies(&inverse));
    let wide = Term::bound(3, Sort::Bits(64));
    let zero = Term::forall(vec![wide.clone()], vec![], Term::eq(wide, Term::bits(0, 64)));
    assert!(Model::new().eval(&zero).is_err());
}

#[test]
fn z3_agrees_on_edges() {
    let mut solver = z3();
    let numbers = [0u128, 1, 5, 7, 8, 15];
    let ops = [BvOp::UDiv, BvOp::SDiv, BvOp::URem, BvOp::SRem, BvOp::Shl, BvOp::LShr, BvOp::AShr];
    let mut all = Vec::new();
    for op in ops {
        for a in numbers {
            for b in numbers {
                let term = Term::raw(Op::Bv(op), [Term::bits(a, 4), Term::bits(b, 4)]);
                let result = Term::bits(value(&term), 4);
                all.push(Term::raw(Op::Not, [Term::raw(Op::Eq, [term, result])]));
            }
        }
    }
    assert_eq!(solver.solve(&[Term::raw(Op::Or, all)]), Ok(Solved::Unsat));
}
