//! The solver in this process: every term has its value, z3 agrees, names and levels work.

use super::random::{model, plain_term};
use super::solvers::z3;
use crate::{Answer, BvOp, Config, Failure, Op, Quick, Solved, Solver, Sort, Term};
use proptest::prelude::*;

/// Without another solver behind it.
fn alone() -> Quick {
    Quick::new(Config::new("no-such-solver"))
}

fn var(name: &str, width: u8) -> Term {
    Term::var(name, Sort::Bits(width))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn terms_have_their_value(
        choices in proptest::collection::vec(any::<u32>(), 1..120),
        depth in 1u32..5,
        seeds in proptest::collection::vec(any::<u64>(), 12),
    ) {
        let term = plain_term(&choices, depth);
        let model = model(&term, &seeds);
        let value = model.eval(&term).expect("there are bits only").term();
        let mut solver = alone();
        for var in term.vars() {
            solver.assert(&Term::raw(Op::Eq, [var.clone(), model.get(&var).expect("it has a value").term()]));
        }
        let is = Term::raw(Op::Eq, [term.clone(), value]);
        prop_assert_eq!(solver.check(std::slice::from_ref(&is)), Ok(Answer::Sat), "{}", &term);
        prop_assert_eq!(solver.check(&[Term::raw(Op::Not, [is])]), Ok(Answer::Unsat), "{}", &term);
    }
}

/// Terms from a fixed seed, one after the other in one solver, some of them kept for a while.
#[test]
fn z3_agrees() {
    let (mut quick, mut slow) = (alone(), z3());
    let mut state = 7u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32
    };
    let mut depth = 0;
    for _ in 0..300 {
        let choices: Vec<u32> = (0..60).map(|_| next()).collect();
        let term = plain_term(&choices, 3);
        let (fast, slowly) =
            (quick.solve(std::slice::from_ref(&term)), slow.solve(std::slice::from_ref(&term)));
        match (&fast, &slowly) {
            (Ok(Solved::Sat(model)), Ok(Solved::Sat(_))) => assert!(model.satisfies(&term), "{term}"),
            (Ok(Solved::Unsat), Ok(Solved::Unsat)) => continue,
            (_, Ok(Solved::Unknown(_))) => continue,
            _ => panic!("{term}: {fast:?}, {slowly:?}"),
        }
        if depth < 3 {
            depth += 1;
            [&mut quick as &mut dyn Solver, &mut slow].into_iter().for_each(|solver| {
                solver.push();
                solver.assert(&term);
            });
        } else if next() % 3 == 0 {
            depth -= 1;
            quick.pop();
            slow.pop();
        }
    }
}

#[test]
fn a_variable_may_be_named_in_a_circle() {
    let (x, y) = (var("x", 8), var("y", 8));
    let plus = |term: &Term, by: u128| Term::raw(Op::Bv(BvOp::Add), [term.clone(), Term::bits(by, 8)]);
    let mut solver = alone();
    solver.assert(&Term::raw(Op::Eq, [x.clone(), plus(&y, 1)]));
    solver.assert(&Term::raw(Op::Eq, [y.clone(), plus(&x, 255)]));
    assert_eq!(solver.check(&[]), Ok(Answer::Sat));
    let model = solver.model().expect("there is one");
    assert_eq!(model.bits(&x), model.bits(&y).map(|y| (y + 1) & 255));
    solver.assert(&Term::raw(Op::Eq, [y, x]));
    assert_eq!(solver.check(&[]), Ok(Answer::Unsat));
}

#[test]
fn a_core_has_what_is_needed() {
    let (x, y) = (var("x", 8), var("y", 8));
    let is = |term: &Term, number: u128| Term::eq(term.clone(), Term::bits(number, 8));
    let mut solver = alone();
    solver.assert(&Term::eq(Term::bv(BvOp::Mul, x.clone(), Term::bits(2, 8)), y.clone()));
    let assumed = [is(&var("z", 8), 4), is(&y, 7)];
    assert_eq!(solver.check(&assumed), Ok(Answer::Unsat));
    assert_eq!(solver.core(), Ok(vec![is(&y, 7)]));
}

#[test]
fn what_has_no_bits_goes_to_the_other_solver() {
    let i = Term::var("i", Sort::Int);
    let asked = Term::eq(i.clone(), Term::int(3));
    assert!(matches!(alone().check(std::slice::from_ref(&asked)), Err(Failure::Start { .. })));
    let mut solver = Quick::new(Config::new("z3"));
    let Ok(Solved::Sat(model)) = solver.solve(&[asked]) else { panic!("it has a model") };
    assert_eq!(model.get(&i).and_then(|value| value.as_int()), Some(3));
}

#[test]
fn a_hard_question_goes_to_the_other_solver() {
    let (x, y) = (var("x", 64), var("y", 64));
    let product = Term::bv(BvOp::Mul, x.clone(), y.clone());
    let other = Term::bv(BvOp::Mul, Term::bv(BvOp::Add, x, Term::bits(1, 64)), y.clone());
    let differ = Term::raw(Op::Not, [Term::raw(Op::Eq, [Term::bv(BvOp::Add, product, y), other])]);
    assert!(matches!(alone().check(&[differ]), Err(Failure::Start { .. })));
}
