//! Questions to real solvers.

use crate::{
    Answer, BvOp, BvRel, Config, Failure, Function, Limits, Op, Process, Reason, Solved, Solver, Sort, Term,
};
use std::time::Duration;

/// No test waits for this: questions are small or limited in steps.
pub const PATIENT: Limits = Limits { time: Duration::from_secs(120), steps: None, memory: None };

pub fn z3() -> Process {
    Process::start(Config::new("z3").with_limits(PATIENT)).expect("z3 is installed")
}

fn cvc5() -> Process {
    Process::start(Config::new("cvc5").with_limits(PATIENT)).expect("cvc5 is installed")
}

fn var(name: &str, width: u8) -> Term {
    Term::var(name, Sort::Bits(width))
}

fn is(term: &Term, number: u128) -> Term {
    Term::eq(term.clone(), Term::bits(number, term.width()))
}

#[test]
fn a_product_is_taken_apart() {
    for mut solver in [z3(), cvc5()] {
        let (a, b) = (var("a", 32), var("b", 32));
        let conditions = [
            is(&Term::bv(BvOp::Mul, a.clone(), b.clone()), 3 * 7919),
            Term::rel(BvRel::Ult, Term::bits(1, 32), a.clone()),
            Term::rel(BvRel::Ult, a.clone(), Term::bits(100, 32)),
            Term::rel(BvRel::Ult, b.clone(), Term::bits(10_000, 32)),
        ];
        let Ok(Solved::Sat(model)) = solver.solve(&conditions) else { panic!("there are factors") };
        assert_eq!((model.bits(&a), model.bits(&b)), (Some(3), Some(7919)));
    }
}

#[test]
fn conditions_come_and_go() {
    for mut solver in [z3(), cvc5()] {
        let x = var("x", 8);
        solver.assert(&Term::rel(BvRel::Ult, x.clone(), Term::bits(10, 8)));
        solver.push();
        solver.assert(&Term::rel(BvRel::Ult, Term::bits(8, 8), x.clone()));
        assert_eq!(solver.check(&[]), Ok(Answer::Sat));
        assert_eq!(solver.model().expect("a model").bits(&x), Some(9));
        solver.push();
        solver.assert(&is(&var("y", 8), 3));
        assert_eq!(solver.check(&[is(&x, 5)]), Ok(Answer::Unsat));
        solver.pop();
        solver.pop();
        assert_eq!(solver.check(&[is(&x, 5), is(&var("y", 8), 4)]), Ok(Answer::Sat));
        assert_eq!(solver.model().expect("a model").bits(&x), Some(5));
        assert_eq!(solver.check(&[]), Ok(Answer::Sat));
    }
}

#[test]
fn a_core_is_enough() {
    for (name, mut solver) in [("z3", z3()), ("cvc5", cvc5())] {
        let (x, y) = (var("x", 8), var("y", 8));
        solver.assert(&Term::rel(BvRel::Ult, x.clone(), y.clone()));
        let none_below = [is(&var("z", 8), 1), is(&y, 0), is(&x, 7)];
        let apart = [is(&var("z", 8), 1), Term::rel(BvRel::Ult, y.clone(), Term::bits(4, 8)), is(&x, 7)];
        for asked in [&none_below, &apart] {
            assert_eq!(solver.check(asked), Ok(Answer::Unsat));
            let core = solver.core().expect("a core");
            assert!(!core.is_empty() && core.iter().all(|term| asked.contains(term)), "{name}: {core:?}");
            // A core may have more than it needs, but without the rest there is still no solution.
            assert_eq!(solver.check(&core), Ok(Answer::Unsat), "{name}: {core:?}");
        }
        assert_eq!(solver.core().map(|core| core.is_empty()), Ok(false));
        assert_eq!(solver.model(), Err(Failure::NoAnswer));
    }
}

#[test]
fn some_questions_need_no_solver() {
    let mut solver = z3();
    let x = var("x", 8);
    assert_eq!(solver.check(&[Term::eq(x.clone(), x.clone())]), Ok(Answer::Sat));
    assert!(solver.model().is_ok());
    assert_eq!(solver.check(&[is(&x, 1), Term::truth(false)]), Ok(Answer::Unsat));
    assert_eq!(solver.core(), Ok(vec![Term::truth(false)]));
    assert_eq!((solver.statistics().calls, solver.statistics().trivial), (0, 2));
}

#[test]
fn models_have_arrays_functions_and_elements() {
    for mut solver in [z3(), cvc5()] {
        let element = Sort::named("Node");
        let next = Function::new("next", vec![element.clone()], element.clone());
        let (a, b) = (Term::var("a", element.clone()), Term::var("b", element));
        let memory = Term::var("m", Sort::array(Sort::Bits(16), Sort::Bits(8)));
        let set = Term::var("s", Sort::array(Sort::Int, Sort::Bool));
        let at = |index| Term::select(memory.clone(), Term::bits(index, 16));
        let weight = Function::new("weight", vec![Sort::Int, Sort::Int], Sort::Int);
        let w = |x, y| weight.apply([Term::int(x), Term::int(y)]);
        let conditions = [
            Term::ne(a.clone(), b.clone()),
            Term::eq(next.apply([a.clone()]), b.clone()),
            Term::eq(next.apply([b]), a),
            is(&at(3), 7),
            is(&at(4), 8),
            Term::int_lt(w(1, 2), w(2, 1)),
            Term::select(set.clone(), Term::int(4)),
            Term::select(set, Term::int(-5)).not(),
        ];
        let model = match solver.solve(&conditions) {
            Ok(Solved::Sat(model)) => model,
            other => panic!("these hold together: {other:?}"),
        };
        for condition in &conditions {
            assert!(model.satisfies(condition), "{condition} in {model:?}");
        }
    }
}

#[test]
fn triggers_make_quantifiers_useful() {
    let mut config = Config::new("z3").with_limits(PATIENT);
    config.options = vec![":auto_config false".to_owned(), ":smt.mbqi false".to_owned()];
    let mut solver = Process::start(config).expect("z3 is installed");
    let reach = Function::new("reach", vec![Sort::Int, Sort::Int], Sort::Bool);
    let [x, y, z] = [1, 2, 3].map(|number| Term::bound(number, Sort::Int));
    let (xy, yz, xz) = (
        reach.apply([x.clone(), y.clone()]),
        reach.apply([y.clone(), z.clone()]),
        reach.apply([x.clone(), z.clone()]),
    );
    let step = Term::implies(Term::and([xy.clone(), yz.clone()]), xz);
    solver.assert(&Term::forall(vec![x, y, z], vec![vec![xy, yz]], step));
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| Term::var(name, Sort::Int));
    for (from, to) in [(&a, &b), (&b, &c), (&c, &d)] {
        solver.assert(&reach.apply([from.clone(), to.clone()]));
    }
    assert_eq!(solver.check(&[reach.apply([a.clone(), d.clone()]).not()]), Ok(Answer::Unsat));
    let answer = solver.check(&[reach.apply([d, a]).not()]).expect("an answer");
    assert!(matches!(answer, Answer::Unknown(Reason::Incomplete(_))), "{answer:?}");
}

#[test]
fn limits_are_kept() {
    let width = 64;
    let (a, b) = (var("a", width), var("b", width));
    let product = Term::bv(BvOp::Mul, a.clone().resized(128, false), b.clone().resized(128, false));
    let hard = [
        Term::eq(product, Term::bits(18_446_744_073_709_551_557 * 4_294_967_291, 128)),
        Term::rel(BvRel::Ult, Term::bits(1, width), a),
        Term::rel(BvRel::Ult, Term::bits(1, width), b),
    ];
    for program in ["z3", "cvc5"] {
        let limits = Limits { steps: Some(10_000), ..PATIENT };
        let mut solver = Process::start(Config::new(program).with_limits(limits)).expect("a solver");
        assert_eq!(solver.solve(&hard), Ok(Solved::Unknown(Reason::Steps)), "{program}");
        // It still answers.
        assert_eq!(
            solver.solve(&[is(&var("c", 8), 3)]).map(|solved| matches!(solved, Solved::Sat(_))),
            Ok(true)
        );
        solver.set_limits(Limits { time: Duration::from_millis(50), steps: None, memory: None });
        assert_eq!(solver.solve(&hard), Ok(Solved::Unknown(Reason::Time)), "{program}");
    }
    let limits = Limits { memory: Some(20), ..PATIENT };
    let mut solver = Process::start(Config::new("z3").with_limits(limits)).expect("z3 is installed");
    assert_eq!(solver.solve(&hard), Ok(Solved::Unknown(Reason::Memory)));
}

#[test]
fn separation_logic_is_decided() {
    let address = Sort::Int;
    let config = Config::separation("cvc5", address.clone(), address.clone()).with_limits(PATIENT);
    let mut solver = Process::start(config).expect("cvc5 is installed");
    let [x, y, z] = ["x", "y", "z"].map(|name| Term::var(name, address.clone()));
    let two = Term::star([Term::points_to(x.clone(), z.clone()), Term::points_to(y.clone(), z.clone())]);
    solver.assert(&two);
    assert_eq!(solver.check(&[Term::eq(x.clone(), y.clone())]), Ok(Answer::Unsat));
    assert_eq!(solver.check(&[]), Ok(Answer::Sat));
    assert_eq!(solver.check(&[Term::eq(x.clone(), Term::sep_nil(address))]), Ok(Answer::Unsat));
    solver.push();
    solver.assert(&Term::op(Op::SepEmp, []));
    assert_eq!(solver.check(&[]), Ok(Answer::Unsat));
    solver.pop();
    assert_eq!(solver.check(&[Term::ne(x, y)]), Ok(Answer::Sat));
}

#[test]
fn dumped_questions_are_read_back() {
    let directory = tempfile::tempdir().expect("a directory");
    let config = Config::new("z3").with_limits(PATIENT).with_dump(Some(directory.path().to_owned()));
    let mut solver = Process::start(config).expect("z3 is installed");
    let (x, y) = (var("x", 8), var("y", 8));
    solver.assert(&Term::rel(BvRel::Ult, x.clone(), y.clone()));
    assert_eq!(solver.check(&[is(&y, 0), is(&x, 1)]), Ok(Answer::Unsat));
    assert_eq!(solver.check(&[is(&y, 5)]), Ok(Answer::Sat));
    let mut files: Vec<_> = std::fs::read_dir(directory.path())
        .expect("files")
        .map(|file| file.expect("a file").path())
        .collect();
    files.sort();
    assert_eq!(files.len(), 2);
    for (file, expected) in files.iter().zip(["unsat", "sat"]) {
        let text = std::fs::read_to_string(file).expect("a file");
        assert!(text.contains(&format!("; {expected}, ")), "{text}");
        for program in ["z3", "cvc5"] {
            let output = std::process::Command::new(program).arg(file).output().expect("a solver");
            assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), expected, "{program}");
        }
    }
}
