//! Numbers of a small width, all of them: what is known about results and after conditions has to hold.

use crate::graph::{Def, State, SymId, Val};
use crate::number::{Range, bits};
use fastrand::Rng;
use heapproof_ir::{BinOp, CmpOp, mask, sign_extend};
use std::collections::BTreeSet;

const WIDTH: u8 = 4;

const COMPARISONS: [CmpOp; 10] = [
    CmpOp::Eq,
    CmpOp::Ne,
    CmpOp::Ult,
    CmpOp::Ule,
    CmpOp::Ugt,
    CmpOp::Uge,
    CmpOp::Slt,
    CmpOp::Sle,
    CmpOp::Sgt,
    CmpOp::Sge,
];

const OPERATIONS: [BinOp; 13] = [
    BinOp::Add,
    BinOp::Sub,
    BinOp::Mul,
    BinOp::UDiv,
    BinOp::SDiv,
    BinOp::URem,
    BinOp::SRem,
    BinOp::Shl,
    BinOp::LShr,
    BinOp::AShr,
    BinOp::And,
    BinOp::Or,
    BinOp::Xor,
];

fn holds(op: CmpOp, x: i128, y: i128) -> bool {
    let (u, v) = (bits(x, WIDTH), bits(y, WIDTH));
    match op {
        CmpOp::Eq => x == y,
        CmpOp::Ne => x != y,
        CmpOp::Ult => u < v,
        CmpOp::Ule => u <= v,
        CmpOp::Ugt => u > v,
        CmpOp::Uge => u >= v,
        CmpOp::Slt => x < y,
        CmpOp::Sle => x <= y,
        CmpOp::Sgt => x > y,
        CmpOp::Sge => x >= y,
    }
}

/// The result as signed number; none where there is none.
fn result(op: BinOp, x: i128, y: i128) -> Option<i128> {
    let (u, v) = (bits(x, WIDTH), bits(y, WIDTH));
    let shift = (v < u128::from(WIDTH)).then_some(v);
    let number = match op {
        BinOp::Add => (x + y) as u128,
        BinOp::Sub => (x - y) as u128,
        BinOp::Mul => (x * y) as u128,
        BinOp::UDiv => u.checked_div(v)?,
        BinOp::URem => u.checked_rem(v)?,
        BinOp::SDiv => x.checked_div(y)? as u128,
        BinOp::SRem => x.checked_rem(y)? as u128,
        BinOp::Shl => u << shift?,
        BinOp::LShr => u >> shift?,
        BinOp::AShr => (x >> shift?) as u128,
        BinOp::And => u & v,
        BinOp::Or => u | v,
        BinOp::Xor => u ^ v,
    };
    Some(sign_extend(number & mask(WIDTH), WIDTH))
}

/// A known number, an unknown one, or one that is computed from another.
fn operand(state: &mut State, rng: &mut Rng, others: &[Val]) -> Val {
    let any = |rng: &mut Rng| i128::from(rng.i8(-8..8));
    match (rng.u8(..5), others.first()) {
        (0, _) => Val::Int(bits(any(rng), WIDTH)),
        (1, Some(&other)) => other,
        (2, Some(&other)) => {
            let by = Val::Int(bits(any(rng), WIDTH));
            let op = [BinOp::Add, BinOp::Sub, BinOp::Mul][rng.usize(..3)];
            state.arithmetic(op, WIDTH, other, by)
        }
        _ => {
            let (x, y) = (any(rng), any(rng));
            let not: BTreeSet<i128> = if rng.bool() { BTreeSet::new() } else { BTreeSet::from([any(rng)]) };
            let range = Range { lo: x.min(y), hi: x.max(y) };
            let Val::Sym(id) = state.unknown(WIDTH) else { return Val::ZERO };
            let sym = state.sym_mut(id);
            (sym.range, sym.not) = (range, not);
            Val::Sym(id)
        }
    }
}

/// The free symbols of a configuration, with all their values.
fn assignments(state: &State) -> Vec<Vec<(SymId, i128)>> {
    let mut all: Vec<Vec<(SymId, i128)>> = vec![Vec::new()];
    for (&id, sym) in state.syms.iter().filter(|(_, sym)| sym.def == Def::Free) {
        let values: Vec<i128> =
            (sym.range.lo..=sym.range.hi).filter(|number| !sym.not.contains(number)).collect();
        all = all
            .into_iter()
            .flat_map(|known| {
                values.iter().map(move |value| {
                    let mut known = known.clone();
                    known.push((id, *value));
                    known
                })
            })
            .collect();
    }
    all
}

/// The value of an operand under an assignment; none if it depends on something else or is not allowed.
fn value(state: &State, val: Val, known: &[(SymId, i128)]) -> Option<i128> {
    match val {
        Val::Int(number) => Some(sign_extend(number & mask(WIDTH), WIDTH)),
        Val::Sym(id) => match state.syms[&id].def {
            Def::Plus(source, by) => Some(value(state, Val::Sym(source), known)? + by),
            Def::Times(source, by) => Some(value(state, Val::Sym(source), known)? * by),
            _ => known.iter().find(|(sym, _)| *sym == id).map(|(_, number)| *number),
        },
        _ => None,
    }
}

/// True if numbers are related as the configuration says. Those of new symbols are looked for.
fn are_related(state: &State, known: &[(SymId, i128)]) -> bool {
    let value = |id: SymId| known.iter().find(|(sym, _)| *sym == id).map_or(i128::MAX, |(_, number)| *number);
    let new: BTreeSet<SymId> =
        state.relations.dimensions().into_iter().filter(|id| value(*id) == i128::MAX).collect();
    match new.first() {
        None => state.relations.constraints().all(|constraint| constraint.holds(value)),
        Some(&id) => {
            let range = state.syms[&id].range;
            (range.lo..=range.hi).any(|number| {
                let known: Vec<(SymId, i128)> = known.iter().copied().chain([(id, number)]).collect();
                are_related(state, &known)
            })
        }
    }
}

/// True if a number may be what the configuration says about a value.
fn allowed(state: &State, val: Val, number: i128) -> bool {
    match val {
        Val::Int(_) => value(state, val, &[]) == Some(number),
        Val::Sym(id) => {
            let range = state.range(val, WIDTH);
            let sym = &state.syms[&id];
            range.lo <= number && number <= range.hi && !sym.not.contains(&number)
        }
        _ => true,
    }
}

#[test]
pub fn conditions_and_results_hold() {
    let mut rng = Rng::with_seed(1);
    for round in 0..12_000 {
        let mut state = State::new(8);
        let a = operand(&mut state, &mut rng, &[]);
        let b = operand(&mut state, &mut rng, &[a]);
        if rng.bool() {
            // What was compared before is remembered.
            let c = operand(&mut state, &mut rng, &[a]);
            let op = COMPARISONS[rng.usize(..COMPARISONS.len())];
            let (x, y) = if rng.bool() { (a, c) } else { (c, b) };
            if !state.assume(op, WIDTH, x, y) {
                continue;
            }
        }
        let before = state.clone();
        let all = assignments(&before);
        let op = COMPARISONS[rng.usize(..COMPARISONS.len())];
        let decided = state.decide(op, WIDTH, a, b);
        let outcomes = state.compare(op, WIDTH, a, b);
        let operation = OPERATIONS[rng.usize(..OPERATIONS.len())];
        let mut after = before.clone();
        let computed = after.arithmetic(operation, WIDTH, a, b);
        for known in all.iter().filter(|known| are_related(&before, known)) {
            let (Some(x), Some(y)) = (value(&before, a, known), value(&before, b, known)) else { continue };
            let truth = holds(op, x, y);
            let what = || format!("round {round}: {a:?} {op:?} {b:?} with {x}, {y}\n{:?}", before.syms);
            assert!(decided.is_none_or(|decided| decided == truth), "decided {}", what());
            let kept = outcomes.iter().any(|(state, outcome)| {
                *outcome == truth
                    && are_related(state, known)
                    && known.iter().all(|(id, number)| allowed(state, Val::Sym(*id), *number))
                    && allowed(state, a, x)
                    && allowed(state, b, y)
            });
            assert!(kept, "assumed {}", what());
            if let Some(number) = result(operation, x, y) {
                assert!(allowed(&after, computed, number), "{operation:?} gives {computed:?}: {}", what());
                let result = match computed {
                    Val::Sym(id) if after.syms[&id].def == Def::Free => Some((id, number)),
                    _ => None,
                };
                let known: Vec<(SymId, i128)> = known.iter().copied().chain(result).collect();
                assert!(are_related(&after, &known), "{operation:?} relates {computed:?}: {}", what());
            }
        }
    }
}

#[test]
pub fn other_widths_hold() {
    let mut rng = Rng::with_seed(2);
    for _ in 0..20_000 {
        let mut state = State::new(8);
        let a = operand(&mut state, &mut rng, &[]);
        let (to, sign) = (rng.u8(2..7), rng.bool());
        let before = state.clone();
        let resized = state.resized(a, WIDTH, to, sign);
        for known in assignments(&before) {
            let Some(x) = value(&before, a, &known) else { continue };
            let wide = if sign { x as u128 } else { bits(x, WIDTH) };
            let number = sign_extend(wide & mask(to), to);
            let fits = match resized {
                Val::Int(found) => sign_extend(found & mask(to), to) == number,
                Val::Sym(id) => {
                    let range = state.range(resized, to);
                    range.lo <= number && number <= range.hi && !state.syms[&id].not.contains(&number)
                }
                _ => true,
            };
            assert!(fits, "{x} as {to} bits is {number}, not {resized:?}");
        }
    }
}
