//! Relations: random operations on three integers of three bits, against the set of all their values.

use crate::{Comparison, Number, Numbers, Operation, Term, evaluate, mask, signed};
use proptest::prelude::*;
use std::collections::BTreeSet;

const WIDTH: u8 = 3;
const KEYS: usize = 3;
type State = [u128; KEYS];

/// A domain element with the states that it must have.
#[derive(Clone, Debug)]
struct Pair {
    numbers: Numbers<usize>,
    states: BTreeSet<State>,
}

impl Pair {
    fn any() -> Pair {
        let mut numbers = Numbers::default();
        (0..KEYS).for_each(|key| numbers.set(key, Number::any(WIDTH)));
        let values = 0..=mask(WIDTH);
        let mut states = BTreeSet::new();
        for a in values.clone() {
            for b in values.clone() {
                states.extend(values.clone().map(|c| [a, b, c]));
            }
        }
        Pair { numbers, states }
    }

    fn check(&self, after: &str) -> Result<(), TestCaseError> {
        for state in &self.states {
            prop_assert!(self.numbers.has(|key| state[key]), "{state:?} lost by {after}: {}", self.numbers);
        }
        Ok(())
    }

    fn do_step(&mut self, step: &Step) -> Result<(), TestCaseError> {
        match *step {
            Step::Assume(op, a, b) => {
                let truth = self.numbers.holds(op, a, b);
                let holds = |state: &State| op.holds(value(a, state), value(b, state), WIDTH);
                if let Some(truth) = truth {
                    prop_assert!(
                        self.states.iter().all(|s| holds(s) == truth),
                        "{op:?} {a:?} {b:?}: {}",
                        self.numbers
                    );
                }
                self.states.retain(holds);
                let possible = self.numbers.assume(op, a, b).is_ok();
                prop_assert!(possible || self.states.is_empty(), "{op:?} {a:?} {b:?}: {}", self.numbers);
            }
            Step::Apply(key, op, a, b) => {
                self.numbers.apply(key, op, a, b);
                let old = std::mem::take(&mut self.states);
                for state in old {
                    let result = evaluate(op, value(a, &state), value(b, &state), WIDTH);
                    // What an operation without a result gives is any value; a few are enough.
                    for result in result.map_or(vec![0, 5, 7], |result| vec![result]) {
                        let mut next = state;
                        next[key] = result;
                        self.states.insert(next);
                    }
                }
            }
            Step::Forget(key) => {
                self.numbers.set(key, Number::any(WIDTH));
                let old = std::mem::take(&mut self.states);
                for state in old {
                    for value in 0..=mask(WIDTH) {
                        let mut next = state;
                        next[key] = value;
                        self.states.insert(next);
                    }
                }
            }
        }
        self.check(&format!("{step:?}"))
    }
}

fn value(term: Term<usize>, state: &State) -> u128 {
    match term {
        Term::Key(key) => state[key],
        Term::Constant { bits, .. } => bits,
    }
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Assume(Comparison, Term<usize>, Term<usize>),
    Apply(usize, Operation, Term<usize>, Term<usize>),
    Forget(usize),
}

fn term() -> impl Strategy<Value = Term<usize>> {
    prop_oneof![
        3 => (0..KEYS).prop_map(Term::Key),
        1 => (0..=mask(WIDTH)).prop_map(|bits| Term::Constant { bits, width: WIDTH }),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let comparison = prop::sample::select(vec![
        Comparison::Eq,
        Comparison::Ne,
        Comparison::Ult,
        Comparison::Ule,
        Comparison::Slt,
        Comparison::Sle,
    ]);
    let operation = prop::sample::select(vec![
        Operation::Add,
        Operation::Sub,
        Operation::Mul,
        Operation::Shl,
        Operation::URem,
        Operation::And,
    ]);
    prop_oneof![
        4 => (comparison, term(), term()).prop_map(|(op, a, b)| Step::Assume(op, a, b)),
        3 => (0..KEYS, operation, term(), term()).prop_map(|(key, op, a, b)| Step::Apply(key, op, a, b)),
        1 => (0..KEYS).prop_map(Step::Forget),
    ]
}

fn run(steps: &[Step]) -> Result<Option<Pair>, TestCaseError> {
    let mut pair = Pair::any();
    for step in steps {
        pair.do_step(step)?;
        if pair.states.is_empty() {
            return Ok(None);
        }
    }
    Ok(Some(pair))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn steps_lose_no_state(steps in prop::collection::vec(step(), 1..8)) {
        run(&steps)?;
    }

    #[test]
    fn joins_lose_no_state(left in prop::collection::vec(step(), 1..6), right in prop::collection::vec(step(), 1..6)) {
        let (Some(a), Some(b)) = (run(&left)?, run(&right)?) else { return Ok(()) };
        let states: BTreeSet<State> = a.states.union(&b.states).copied().collect();
        Pair { numbers: a.numbers.join(&b.numbers), states: states.clone() }.check("join")?;
        Pair { numbers: a.numbers.widen(&b.numbers, &[2]), states }.check("widen")?;
        if a.numbers.covers(&b.numbers) {
            Pair { numbers: a.numbers, states: b.states }.check("covers")?;
        }
    }
}

const W: u8 = 32;

fn constant(value: i64) -> Term<&'static str> {
    Term::Constant { bits: value as u128 & mask(W), width: W }
}

#[test]
fn a_counting_loop_stays_below_its_bound() {
    // for (i = 0; i < n; i++): at the head 0 <= i <= n.
    let mut start = Numbers::default();
    start.set("n", Number::signed_between(1, 1000, W).expect("a range"));
    start.set("i", Number::constant(0, W));
    let mut head = start.clone();
    for turn in 0..5 {
        let mut body = head.clone();
        if body.assume(Comparison::Slt, Term::Key("i"), Term::Key("n")).is_err() {
            break;
        }
        body.apply("i", Operation::Add, Term::Key("i"), constant(1));
        let joined = head.join(&body);
        // A relation has to be found before it can be kept: joins come before widenings.
        head = if turn < 2 { joined } else { head.widen(&joined, &[]) };
    }
    let mut body = head.clone();
    body.assume(Comparison::Slt, Term::Key("i"), Term::Key("n")).expect("the loop is entered");
    assert_eq!(body.holds(Comparison::Ult, Term::Key("i"), Term::Key("n")), Some(true), "{head}");
    assert_eq!(head.holds(Comparison::Sle, Term::Key("i"), Term::Key("n")), Some(true), "{head}");
}

#[test]
fn a_loop_that_counts_down_reaches_minus_one() {
    let mut head = Numbers::default();
    head.set("n", Number::signed_between(1, 1000, W).expect("a range"));
    head.apply("i", Operation::Sub, Term::Key("n"), constant(1));
    for _ in 0..4 {
        let mut body = head.clone();
        body.assume(Comparison::Sle, constant(0), Term::Key("i")).expect("the loop is entered");
        body.apply("i", Operation::Sub, Term::Key("i"), constant(1));
        head = head.widen(&head.join(&body), &[-1]);
    }
    let mut body = head.clone();
    body.assume(Comparison::Sle, constant(0), Term::Key("i")).expect("the loop is entered");
    assert_eq!(body.holds(Comparison::Ult, Term::Key("i"), Term::Key("n")), Some(true), "{head}");
    assert!(signed(head.number("i").expect("a number").range().1, W) < 0, "{head}");
}

#[test]
fn two_counters_stay_together() {
    let mut head = Numbers::default();
    head.set("i", Number::constant(0, W));
    head.set("length", Number::constant(0, W));
    for _ in 0..3 {
        let mut body = head.clone();
        body.assume(Comparison::Slt, Term::Key("i"), constant(100)).expect("the loop is entered");
        body.apply("i", Operation::Add, Term::Key("i"), constant(1));
        body.apply("length", Operation::Add, Term::Key("length"), constant(1));
        head = head.join(&body);
    }
    assert_eq!(head.holds(Comparison::Eq, Term::Key("i"), Term::Key("length")), Some(true), "{head}");
}

#[test]
fn sizes_are_multiples_of_counts() {
    // size = 24 * n; i < n implies 24 * i + 24 <= size.
    let mut numbers = Numbers::default();
    numbers.set("n", Number::between(1, 1 << 20, 64).expect("a range"));
    numbers.set("i", Number::any(64));
    let factor = Term::Constant { bits: 24, width: 64 };
    numbers.apply("size", Operation::Mul, Term::Key("n"), factor);
    numbers.assume(Comparison::Ult, Term::Key("i"), Term::Key("n")).expect("possible");
    numbers.apply("offset", Operation::Mul, Term::Key("i"), factor);
    numbers.apply("end", Operation::Add, Term::Key("offset"), factor);
    assert_eq!(numbers.holds(Comparison::Ule, Term::Key("end"), Term::Key("size")), Some(true), "{numbers}");
}

#[test]
fn a_gap_buffer_keeps_its_order() {
    let mut numbers = Numbers::default();
    for key in ["start", "end", "cap"] {
        numbers.set(key, Number::between(0, 1 << 40, 64).expect("a range"));
    }
    numbers.assume(Comparison::Ule, Term::Key("start"), Term::Key("end")).expect("possible");
    numbers.assume(Comparison::Ule, Term::Key("end"), Term::Key("cap")).expect("possible");
    numbers.assume(Comparison::Ult, Term::Key("start"), Term::Key("end")).expect("possible");
    numbers.apply("start", Operation::Add, Term::Key("start"), Term::Constant { bits: 1, width: 64 });
    assert_eq!(numbers.holds(Comparison::Ule, Term::Key("start"), Term::Key("cap")), Some(true), "{numbers}");
    numbers.forget("end");
    assert_eq!(numbers.holds(Comparison::Ule, Term::Key("start"), Term::Key("cap")), Some(true), "{numbers}");
}

#[test]
fn a_sum_that_may_wrap_says_nothing() {
    let mut numbers = Numbers::default();
    numbers.set("len", Number::any(64));
    numbers.set("need", Number::any(64));
    numbers.set("cap", Number::any(64));
    numbers.apply("sum", Operation::Add, Term::Key("len"), Term::Key("need"));
    numbers.assume(Comparison::Ule, Term::Key("sum"), Term::Key("cap")).expect("possible");
    assert_eq!(numbers.holds(Comparison::Ule, Term::Key("len"), Term::Key("cap")), None, "{numbers}");
}
