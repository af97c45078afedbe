//! Products of unknown numbers, all of them for small ranges: what is noted of products has to hold of all numbers that the conditions leave.

use crate::graph::{State, SymId, Val};
use crate::number::Range;
use crate::products::WIDTH;
use fastrand::Rng;
use heapproof_ir::{BinOp, CmpOp};

const COMPARISONS: [CmpOp; 6] = [CmpOp::Eq, CmpOp::Ne, CmpOp::Slt, CmpOp::Sle, CmpOp::Ult, CmpOp::Ule];

fn holds(op: CmpOp, x: i128, y: i128) -> bool {
    match op {
        CmpOp::Eq => x == y,
        CmpOp::Ne => x != y,
        CmpOp::Slt => x < y,
        CmpOp::Sle => x <= y,
        CmpOp::Ult => (x as u32) < y as u32,
        _ => x as u32 <= y as u32,
    }
}

/// A number that the program computed, as a function of the inputs.
type Value = fn(&[i128]) -> i128;

/// The inputs, and what is computed of them.
const VALUES: [(Value, [usize; 2]); 4] = [
    (|n| n[0] * n[1], [0, 1]),
    (|n| n[2] * n[1], [2, 1]),
    (|n| n[0] * n[2], [0, 2]),
    (|n| (n[0] + 1) * (n[1] - 1), [3, 4]),
];

/// True if a number of the configuration may be this one.
fn allowed(state: &State, val: Val, number: i128) -> bool {
    let range = state.range(val, 32);
    let sign = |bits: u128| i128::from(bits as u32 as i32);
    match val {
        Val::Int(bits) => sign(bits) == number,
        Val::Sym(id) => range.lo <= number && number <= range.hi && !state.syms[&id].not.contains(&number),
        _ => false,
    }
}

/// The numbers that free symbols are; none if a symbol is no input and no product of these.
fn numbers(state: &State, inputs: &[(SymId, i128)], products: &[(Val, i128)]) -> Vec<(SymId, i128)> {
    let mut known = inputs.to_vec();
    for product in state.products() {
        let value = |id: SymId| known.iter().find(|(sym, _)| *sym == id).map(|(_, number)| *number);
        if let ([Some(x), Some(y)], Val::Sym(id)) = (product.of.map(value), product.result) {
            known.push((id, x * y));
        }
    }
    for (val, number) in products {
        if let (Val::Sym(id), Some(form)) = (val, state.form(*val, 32))
            && form == heapproof_numbers::Linear::dimension(*id)
            && !known.iter().any(|(sym, _)| sym == id)
        {
            known.push((*id, *number));
        }
    }
    known
}

#[test]
pub fn products_hold() {
    let mut rng = Rng::with_seed(3);
    for round in 0..3_000 {
        let mut state = State::new(8);
        let mut inputs = Vec::new();
        for _ in 0..3 {
            let (x, y) = (i128::from(rng.i8(-3..7)), i128::from(rng.i8(-3..7)));
            let Val::Sym(id) = state.unknown(32) else { return };
            state.sym_mut(id).range = Range { lo: x.min(y), hi: x.max(y) };
            inputs.push(id);
        }
        let mut operands: Vec<Val> = inputs.iter().map(|id| Val::Sym(*id)).collect();
        operands.push(state.arithmetic(BinOp::Add, 32, operands[0], Val::Int(1)));
        operands.push(state.arithmetic(BinOp::Sub, 32, operands[1], Val::Int(1)));
        let mut products: Vec<(usize, Val)> = Vec::new();
        let mut conditions: Vec<(CmpOp, usize, usize)> = Vec::new();
        let mut possible = true;
        let start = state.clone();
        for _ in 0..7 {
            if rng.bool() {
                let which = rng.usize(..VALUES.len());
                let [a, b] = VALUES[which].1;
                products.push((which, state.arithmetic(BinOp::Mul, 32, operands[a], operands[b])));
            } else {
                let (op, a, b) = (COMPARISONS[rng.usize(..6)], rng.usize(..3), rng.usize(..3));
                conditions.push((op, a, b));
                possible &= state.assume(op, 32, operands[a], operands[b]);
            }
            if rng.u8(..4) == 0 {
                state.settle_terms();
            }
        }
        let all = state.with_facts_of_products();
        let range = |at: usize| start.syms[&inputs[at]].range;
        for x in range(0).lo..=range(0).hi {
            for y in range(1).lo..=range(1).hi {
                for z in range(2).lo..=range(2).hi {
                    let n = [x, y, z];
                    if !conditions.iter().all(|(op, a, b)| holds(*op, n[*a], n[*b])) {
                        continue;
                    }
                    let what = || format!("round {round}: {n:?} {conditions:?} {products:?}");
                    assert!(possible, "excluded: {}", what());
                    for state in [Some(&state), all.as_ref()].into_iter().flatten() {
                        check(state, &inputs, &n, &products, &what());
                    }
                }
            }
        }
    }
}

fn check(state: &State, inputs: &[SymId], n: &[i128; 3], products: &[(usize, Val)], what: &str) {
    let values: Vec<(Val, i128)> = products.iter().map(|(which, val)| (*val, VALUES[*which].0(n))).collect();
    let named: Vec<(SymId, i128)> = inputs.iter().copied().zip(n.iter().copied()).collect();
    let known = numbers(state, &named, &values);
    let value = |id: SymId| known.iter().find(|(sym, _)| *sym == id).map(|(_, number)| *number);
    for (val, number) in values.iter().copied().chain(named.iter().map(|(id, n)| (Val::Sym(*id), *n))) {
        assert!(allowed(state, val, number), "{val:?} is {number}: {what}");
    }
    for constraint in state.relations.constraints() {
        let told = constraint.form().factors().all(|(id, _)| value(id).is_some());
        assert!(!told || constraint.holds(|id| value(id).unwrap_or(0)), "{constraint:?}: {what}");
    }
    for product in state.products() {
        let number = match product.result {
            Val::Sym(id) => value(id),
            val => Some(state.range(val, WIDTH).lo),
        };
        let factors = product.of.map(value);
        if let ([Some(x), Some(y)], Some(number)) = (factors, number) {
            assert_eq!(x * y, number, "{product:?}: {what}");
        }
    }
}
