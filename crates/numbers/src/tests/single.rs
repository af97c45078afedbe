//! One number: every operation covers all results, and loses little where nothing need be lost.

use crate::{Comparison, Number, Operation, evaluate, mask, signed};
use proptest::prelude::*;

const WIDTH: u8 = 4;
const OPERATIONS: [Operation; 13] = [
    Operation::Add,
    Operation::Sub,
    Operation::Mul,
    Operation::UDiv,
    Operation::URem,
    Operation::SDiv,
    Operation::SRem,
    Operation::And,
    Operation::Or,
    Operation::Xor,
    Operation::Shl,
    Operation::LShr,
    Operation::AShr,
];
const COMPARISONS: [Comparison; 6] =
    [Comparison::Eq, Comparison::Ne, Comparison::Ult, Comparison::Ule, Comparison::Slt, Comparison::Sle];

/// The smallest number that the domain has for some values.
fn hull(values: &[u128]) -> Number {
    let mut all = values.iter().map(|value| Number::constant(*value, WIDTH));
    let first = all.next().expect("a value");
    all.fold(first, Number::join)
}

fn members(number: Number) -> Vec<u128> {
    (0..=mask(number.width())).filter(|value| number.has(*value)).collect()
}

fn some_number() -> impl Strategy<Value = Number> {
    let hulls = prop::collection::vec(0..=mask(WIDTH), 1..5).prop_map(|values| hull(&values));
    let ranges = (0..=mask(WIDTH), 0..=mask(WIDTH), 1_u128..5).prop_map(|(a, b, stride)| {
        let range = Number::between(a.min(b), a.max(b), WIDTH).expect("ordered");
        range.with_stride(stride, a.min(b) % stride).expect("its least member fits")
    });
    prop_oneof![hulls, ranges]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn operations_cover_their_results(a in some_number(), b in some_number(), op in 0..OPERATIONS.len()) {
        let op = OPERATIONS[op];
        let result = a.apply(op, b);
        for x in members(a) {
            for y in members(b) {
                if let Some(value) = evaluate(op, x, y, WIDTH) {
                    prop_assert!(result.has(value), "{x} {op:?} {y} = {value} not in {result:?} of {a:?}, {b:?}");
                }
            }
        }
    }

    #[test]
    fn casts_cover_their_results(a in some_number(), width in 1_u8..9) {
        for x in members(a) {
            if width >= WIDTH {
                prop_assert!(a.zero_extended(width).has(x));
                prop_assert!(a.sign_extended(width).has(signed(x, WIDTH) as u128 & mask(width)));
            } else {
                prop_assert!(a.truncated(width).has(x & mask(width)), "{x} of {a:?} in {:?}", a.truncated(width));
            }
        }
    }

    #[test]
    fn joins_and_widenings_cover_both(a in some_number(), b in some_number(), limit in -8_i128..16) {
        let (joined, widened) = (a.join(b), a.widen(b, &[limit]));
        for x in members(a).into_iter().chain(members(b)) {
            prop_assert!(joined.has(x) && widened.has(x), "{x} of {a:?}, {b:?}: {joined:?}, {widened:?}");
        }
        prop_assert!(joined.covers(a) && joined.covers(b));
    }

    #[test]
    fn covering_is_what_it_says(a in some_number(), b in some_number()) {
        if a.covers(b) {
            prop_assert!(members(b).into_iter().all(|x| a.has(x)));
        }
    }

    #[test]
    fn meets_lose_no_common_member(a in some_number(), b in some_number()) {
        let met = a.meet(b);
        for x in members(a).into_iter().filter(|x| b.has(*x)) {
            prop_assert!(met.is_some_and(|met| met.has(x)), "{x} of {a:?} and {b:?}: {met:?}");
        }
    }

    #[test]
    fn comparisons_decide_and_refine(a in some_number(), b in some_number(), op in 0..COMPARISONS.len()) {
        let op = COMPARISONS[op];
        let (decided, refined) = (a.compare(op, b), a.assume(op, b));
        for x in members(a) {
            for y in members(b) {
                let truth = op.holds(x, y, WIDTH);
                prop_assert!(decided.is_none_or(|decided| decided == truth), "{x} {op:?} {y}: {a:?} {b:?}");
                if truth {
                    prop_assert!(refined.is_some_and(|(p, q)| p.has(x) && q.has(y)), "{x} {op:?} {y}: {a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn widening_ends(start in some_number(), others in prop::collection::vec(some_number(), 40)) {
        let mut current = start;
        let mut changes = 0;
        for other in others {
            let next = current.widen(other, &[3, 7]);
            changes += usize::from(next != current);
            current = next;
        }
        prop_assert!(changes <= 24, "{changes}");
    }
}

#[test]
fn the_usual_facts_are_kept() {
    let index = Number::between(0, 9, 32).expect("a range");
    let offset = index.apply(Operation::Mul, Number::constant(24, 32));
    assert_eq!((offset.range(), offset.stride()), ((0, 216), (24, 0)));
    let masked = Number::any(32).apply(Operation::And, Number::constant(7, 32));
    assert_eq!(masked.range(), (0, 7));
    let rest = Number::any(64).apply(Operation::URem, Number::constant(10, 64));
    assert_eq!(rest.range(), (0, 9));
    let aligned = Number::any(64).apply(Operation::And, Number::constant(!15_u64 as u128, 64));
    assert_eq!(aligned.bits().1 & 15, 15);
    let decreased =
        Number::between(1, 100, 32).expect("a range").apply(Operation::Sub, Number::constant(1, 32));
    assert_eq!(decreased.range(), (0, 99));
    assert_eq!(Number::signed_between(-1, 5, 32).expect("a range").to_string(), "-1..5");
}
