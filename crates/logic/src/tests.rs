//! Questions to z3, checked against the arithmetic of Rust.

use crate::{Answer, BvOp, BvRel, Error, Process, Solver, Term, Var};
use heapproof_process::Limits;
use std::time::Duration;

fn z3() -> Process {
    Process::z3("z3", Duration::from_secs(10), Limits::default()).expect("z3 is installed")
}

fn var(id: u32, width: u8) -> Term {
    Term::Var(Var { id, width })
}

fn value_of(answer: &Answer, id: u32) -> u128 {
    let Answer::Sat(model) = answer else { panic!("no values: {answer:?}") };
    *model.iter().find(|(var, _)| var.id == id).expect("the variable has a value").1
}

#[test]
fn a_product_is_taken_apart() {
    let mut solver = z3();
    let product = Term::op(BvOp::Mul, var(0, 32), var(1, 32));
    let conditions = [
        Term::rel(BvRel::Eq, product, Term::number(3 * 7919, 32)),
        Term::rel(BvRel::Ult, Term::number(1, 32), var(0, 32)),
        Term::rel(BvRel::Ult, var(0, 32), Term::number(100, 32)),
        Term::rel(BvRel::Ult, var(1, 32), Term::number(10_000, 32)),
    ];
    let answer = solver.solve(&conditions).expect("an answer");
    assert_eq!((value_of(&answer, 0), value_of(&answer, 1)), (3, 7919));
}

#[test]
fn questions_do_not_disturb_each_other() {
    let mut solver = z3();
    let is = |number| Term::rel(BvRel::Eq, var(0, 8), Term::number(number, 8));
    assert_eq!(solver.solve(&[is(1), is(2)]).expect("an answer"), Answer::Unsat);
    assert_eq!(value_of(&solver.solve(&[is(2)]).expect("an answer"), 0), 2);
    assert_eq!(solver.solve(&[is(1), is(1).negated()]).expect("an answer"), Answer::Unsat);
    let either = Term::Any(vec![is(3), is(4)]);
    assert_eq!(value_of(&solver.solve(&[either, is(3).negated()]).expect("an answer"), 0), 4);
    assert_eq!(solver.solve(&[Term::Any(Vec::new())]).expect("an answer"), Answer::Unsat);
    assert!(matches!(solver.solve(&[]).expect("an answer"), Answer::Sat(_)));
}

#[test]
fn widths_change_as_in_c() {
    let mut solver = z3();
    let minus_one = Term::number(u128::MAX, 8);
    let signed = Term::rel(BvRel::Eq, minus_one.clone().resized(8, 32, true), var(0, 32));
    let unsigned = Term::rel(BvRel::Eq, minus_one.resized(8, 32, false), var(1, 32));
    let low = Term::rel(BvRel::Eq, Term::number(0x1234, 16).resized(16, 8, false), var(2, 8));
    let answer = solver.solve(&[signed, unsigned, low]).expect("an answer");
    assert_eq!(value_of(&answer, 0), u32::MAX.into());
    assert_eq!(value_of(&answer, 1), 255);
    assert_eq!(value_of(&answer, 2), 0x34);
}

#[test]
fn every_operation_means_what_it_means_in_rust() {
    let mut solver = z3();
    let (x, y) = (0x8000_0123u32, 5u32);
    let (sx, sy) = (x as i32, y as i32);
    let expected = [
        (BvOp::Add, x.wrapping_add(y)),
        (BvOp::Sub, x.wrapping_sub(y)),
        (BvOp::Mul, x.wrapping_mul(y)),
        (BvOp::UDiv, x / y),
        (BvOp::SDiv, (sx / sy) as u32),
        (BvOp::URem, x % y),
        (BvOp::SRem, (sx % sy) as u32),
        (BvOp::Shl, x << y),
        (BvOp::LShr, x >> y),
        (BvOp::AShr, (sx >> sy) as u32),
        (BvOp::And, x & y),
        (BvOp::Or, x | y),
        (BvOp::Xor, x ^ y),
    ];
    for (op, result) in expected {
        let term = Term::op(op, Term::number(x.into(), 32), Term::number(y.into(), 32));
        let answer = solver.solve(&[Term::rel(BvRel::Eq, term, var(0, 32))]).expect("an answer");
        assert_eq!(value_of(&answer, 0), result.into(), "{op:?}");
    }
}

#[test]
fn a_missing_solver_is_told() {
    let why =
        Process::z3("no-such-solver", Duration::from_secs(1), Limits::default()).err().expect("no solver");
    assert!(matches!(why, Error::Start { .. }));
    assert!(why.to_string().starts_with("the solver `no-such-solver` cannot be started: "));
}
