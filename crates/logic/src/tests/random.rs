//! Random terms: simplified they have the same value in every model, z3 agrees, and they can be written and read.

use super::solvers::z3;
use crate::{BvOp, BvRel, Function, Meaning, Model, Op, Solved, Solver, Sort, Term, Value, smtlib};
use proptest::prelude::*;

const OPS: [BvOp; 13] = [
    BvOp::Add,
    BvOp::Sub,
    BvOp::Mul,
    BvOp::UDiv,
    BvOp::SDiv,
    BvOp::URem,
    BvOp::SRem,
    BvOp::Shl,
    BvOp::LShr,
    BvOp::AShr,
    BvOp::And,
    BvOp::Or,
    BvOp::Xor,
];
const RELS: [BvRel; 4] = [BvRel::Ult, BvRel::Ule, BvRel::Slt, BvRel::Sle];

/// Makes a term as it stands from random numbers.
struct Maker<'a> {
    choices: std::slice::Iter<'a, u32>,
    /// Bit vectors and truth values only.
    plain: bool,
}

fn array_sort() -> Sort {
    Sort::array(Sort::Bits(4), Sort::Bits(8))
}

fn function() -> Function {
    Function::new("f", vec![Sort::Bits(8)], Sort::Bits(8))
}

impl Maker<'_> {
    fn pick(&mut self, below: u32) -> u32 {
        self.choices.next().copied().unwrap_or(0) % below
    }

    fn var(&mut self, sort: Sort) -> Term {
        let name = ["x", "y", "z"][self.pick(3) as usize];
        Term::var(name, sort)
    }

    fn bits(&mut self, width: u8, depth: u32) -> Term {
        if depth == 0 {
            return match self.pick(3) {
                0 => Term::bits([0, 1, 2, 3, u128::MAX, 0x80, 0x7f, 0xf0][self.pick(8) as usize], width),
                _ => self.var(Sort::Bits(width)),
            };
        }
        let below = depth - 1;
        match self.pick(12) {
            0..=4 => {
                let op = OPS[self.pick(13) as usize];
                Term::raw(Op::Bv(op), [self.bits(width, below), self.bits(width, below)])
            }
            5 => Term::raw(Op::BvNot, [self.bits(width, below)]),
            6 => Term::raw(Op::Ite, [self.truth(below), self.bits(width, below), self.bits(width, below)]),
            7 => {
                let (low, above) = (self.pick(5) as u8, self.pick(4) as u8);
                let inner = self.bits(width + low + above, below);
                Term::raw(Op::Extract { high: low + width - 1, low }, [inner])
            }
            8 if width > 1 => {
                let part = 1 + self.pick(u32::from(width) - 1) as u8;
                Term::raw(Op::Concat, [self.bits(width - part, below), self.bits(part, below)])
            }
            9 if width > 1 => {
                let part = 1 + self.pick(u32::from(width) - 1) as u8;
                let op = if self.pick(2) == 0 {
                    Op::ZeroExtend(width - part)
                } else {
                    Op::SignExtend(width - part)
                };
                Term::raw(op, [self.bits(part, below)])
            }
            8.. if self.plain => self.var(Sort::Bits(width)),
            10 if width == 8 => Term::raw(Op::Select, [self.array(below), self.bits(4, below)]),
            11 if width == 8 => function().apply([self.bits(8, below)]),
            _ => Term::raw(Op::IntToBits(width), [self.int(below)]),
        }
    }

    fn array(&mut self, depth: u32) -> Term {
        match self.pick(4) {
            0 => Term::constant_array(Sort::Bits(4), self.bits(8, 0)),
            1 if depth > 0 => {
                Term::raw(Op::Ite, [self.truth(depth - 1), self.array(depth - 1), self.array(depth - 1)])
            }
            2 | 3 if depth > 0 => {
                let (index, element) = (self.bits(4, depth - 1), self.bits(8, depth - 1));
                Term::raw(Op::Store, [self.array(depth - 1), index, element])
            }
            _ => self.var(array_sort()),
        }
    }

    fn int(&mut self, depth: u32) -> Term {
        if depth == 0 {
            return match self.pick(2) {
                0 => Term::int(i128::from(self.pick(9)) - 4),
                _ => self.var(Sort::Int),
            };
        }
        let below = depth - 1;
        match self.pick(6) {
            0 | 1 => Term::raw(Op::IntAdd, [self.int(below), self.int(below)]),
            2 => Term::raw(Op::IntMul, [self.int(below), self.int(below)]),
            3 => Term::raw(Op::BitsToInt, [self.bits(5, below)]),
            4 => {
                let op = if self.pick(2) == 0 { Op::IntDiv } else { Op::IntMod };
                let by = Term::int([1, 2, 3, -2, -1][self.pick(5) as usize]);
                Term::raw(op, [self.int(below), by])
            }
            _ => Term::raw(Op::Ite, [self.truth(below), self.int(below), self.int(below)]),
        }
    }

    fn truth(&mut self, depth: u32) -> Term {
        if depth == 0 {
            return self.var(Sort::Bool);
        }
        let below = depth - 1;
        let width = [1, 4, 8, 13][self.pick(4) as usize];
        match self.pick(12) {
            0 => Term::raw(Op::Not, [self.truth(below)]),
            1 => Term::raw(Op::And, [self.truth(below), self.truth(below), self.truth(below)]),
            2 => Term::raw(Op::Or, [self.truth(below), self.truth(below), self.truth(below)]),
            3 => Term::raw(Op::Eq, [self.truth(below), self.truth(below)]),
            4 => Term::raw(Op::Ite, [self.truth(below), self.truth(below), self.truth(below)]),
            5..=7 | 9 if self.plain => {
                let rel = RELS[self.pick(4) as usize];
                Term::raw(Op::Rel(rel), [self.bits(width, below), self.bits(width, below)])
            }
            5 => Term::raw(Op::Eq, [self.int(below), self.int(below)]),
            6 => Term::raw(Op::IntLe, [self.int(below), self.int(below)]),
            7 => Term::raw(Op::IntLt, [self.int(below), self.int(below)]),
            8 => Term::raw(Op::Distinct, [self.bits(2, below), self.bits(2, below), self.bits(2, below)]),
            9 => Term::raw(Op::Eq, [self.array(below), self.array(below)]),
            10 => {
                let rel = RELS[self.pick(4) as usize];
                Term::raw(Op::Rel(rel), [self.bits(width, below), self.bits(width, below)])
            }
            _ => Term::raw(Op::Eq, [self.bits(width, below), self.bits(width, below)]),
        }
    }
}

fn term(choices: &[u32], depth: u32) -> Term {
    Maker { choices: choices.iter(), plain: false }.truth(depth)
}

/// A truth value about bit vectors.
pub fn plain_term(choices: &[u32], depth: u32) -> Term {
    Maker { choices: choices.iter(), plain: true }.truth(depth)
}

/// Random values for all variables of a term.
pub fn model(term: &Term, seeds: &[u64]) -> Model {
    let mut model = Model::new();
    let mut seeds = seeds.iter().cycle();
    let mut seed = move || *seeds.next().expect("there is a seed");
    for var in term.vars() {
        let number = seed();
        let value = match var.sort() {
            Sort::Bool => Value::Bool(number & 1 == 1),
            Sort::Bits(width) => Value::bits(number.into(), *width),
            Sort::Int => Value::Int(i128::from(number % 41) - 20),
            sort => {
                let start = Value::default_of(sort)
                    .store(Value::bits(number.into(), 4), Value::bits(seed().into(), 8));
                start.expect("an array")
            }
        };
        model.set(var, value);
    }
    let x = Term::bound(9, Sort::Bits(8));
    let body = Term::bv(BvOp::Xor, x.clone(), Term::bits(seed().into(), 8));
    model.define(function(), Meaning { params: vec![x], body });
    model
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn simplified_terms_have_the_same_value(
        choices in proptest::collection::vec(any::<u32>(), 1..120),
        depth in 1u32..6,
        seeds in proptest::collection::vec(any::<u64>(), 12),
    ) {
        let plain = term(&choices, depth);
        let simple = plain.simplified();
        prop_assert_eq!(plain.sort(), simple.sort());
        for shift in 0..4 {
            let model = model(&plain, &seeds[shift..]);
            // Without a value (an integer that is too large) simplification may find one.
            if let Ok(value) = model.eval(&plain) {
                prop_assert_eq!(model.eval(&simple), Ok(value), "{} became {}", plain, simple);
            }
        }
    }

    #[test]
    fn simplification_of_simple_terms_changes_nothing_that_counts(
        choices in proptest::collection::vec(any::<u32>(), 1..80),
        seeds in proptest::collection::vec(any::<u64>(), 8),
    ) {
        let simple = term(&choices, 4).simplified();
        let again = simple.simplified();
        let model = model(&simple, &seeds);
        if let Ok(value) = model.eval(&simple) {
            prop_assert_eq!(model.eval(&again), Ok(value));
        }
    }

    #[test]
    fn written_terms_are_read_back(choices in proptest::collection::vec(any::<u32>(), 1..80)) {
        let simple = term(&choices, 4).simplified();
        // A name stands for one sort in a text.
        let by_name: Vec<Term> = simple.vars();
        let unique = |var: &Term| format!("{var}_{}", var.sort().to_string().replace([' ', '(', ')'], "_"));
        let rename = by_name.iter().map(|var| {
            (var.clone(), Term::var(unique(var).as_str(), var.sort().clone()))
        }).collect();
        let renamed = simple.substituted(&rename);
        let names: Vec<String> = renamed.vars().iter().map(Term::to_string).collect();
        let vars = renamed.vars();
        let scope: Vec<(&str, Term)> = names.iter().map(String::as_str).zip(vars).collect();
        if !renamed.to_string().contains("(f ") {
            let read = smtlib::read_terms(&renamed.to_string(), &scope).expect("readable");
            let back: std::collections::HashMap<Term, Term> = rename.into_iter().map(|(a, b)| (b, a)).collect();
            let (again, first) = (read[0].substituted(&back), renamed.substituted(&back));
            let model = model(&first, &[3, 5, 7]);
            if let Ok(value) = model.eval(&first) {
                prop_assert_eq!(model.eval(&again), Ok(value));
            }
        }
    }
}

/// z3 shows that simplification changes nothing, on terms from a fixed seed.
#[test]
fn z3_agrees_with_simplification() {
    let mut solver = z3();
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32
    };
    let mut decided = 0;
    for _ in 0..150 {
        let choices: Vec<u32> = (0..60).map(|_| next()).collect();
        let plain = term(&choices, 3);
        let simple = plain.simplified();
        match solver.solve(&[Term::raw(Op::Not, [Term::raw(Op::Eq, [plain.clone(), simple.clone()])])]) {
            Ok(Solved::Unsat) => decided += 1,
            Ok(Solved::Unknown(_)) => {}
            other => panic!("{plain} became {simple}: {other:?}"),
        }
    }
    assert!(decided > 100, "z3 decided only {decided}");
}
