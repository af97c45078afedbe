//! The built-in solvers and rules against the meaning of the constraints, on heaps of up to five cells.
//!
//! A goal that holds in some state has a solution, so `unsat` for it would be wrong. Goals are made to hold in a random state.

mod semantics;

use std::collections::BTreeMap;

use heapproof_chr::syntax::{Comparison, Constraint, Formula, Head, Rule, Rules, Term};
use heapproof_chr::{Answer, Options, Solver, heap, parse};
use proptest::prelude::*;
use semantics::{Heap, State};

const HEAPS: [&str; 4] = ["H", "G", "F", "E"];
const NUMBERS: [&str; 4] = ["p", "q", "v", "w"];

fn state() -> impl Strategy<Value = State> {
    let heap = prop::collection::btree_map(0i128..5, 0i128..4, 0..=5);
    let related = prop::collection::vec(0u8..8, 3);
    (prop::collection::vec(heap, 4), prop::collection::vec(0i128..5, 4), related).prop_map(
        |(heaps, numbers, related)| {
            let mut state = State::default();
            for (name, n) in NUMBERS.iter().zip(&numbers) {
                state.numbers.insert((*name).to_owned(), *n);
            }
            let mut heaps = heaps;
            // Heaps without any relation satisfy no interesting constraint: half of them are made from others.
            for (position, kind) in related.iter().enumerate() {
                heaps[position] = relate(*kind, &heaps, position, &numbers);
            }
            for (name, heap) in HEAPS.iter().zip(heaps) {
                state.heaps.insert((*name).to_owned(), heap);
            }
            state
        },
    )
}

/// A heap that stands in one of the built-in relations to later ones.
fn relate(kind: u8, heaps: &[Heap], position: usize, numbers: &[i128]) -> Heap {
    let (own, next) = (heaps[position].clone(), heaps[position + 1].clone());
    match kind {
        0 => next,
        1 | 2 => next.into_iter().chain([(numbers[0], numbers[2])]).collect(),
        3 => next.into_iter().filter(|(p, _)| *p != numbers[1]).collect(),
        4 => heaps[position + 1..].iter().rev().flatten().map(|(p, v)| (*p, *v)).collect(),
        _ => own,
    }
}

fn number() -> impl Strategy<Value = Term> {
    prop_oneof![
        6 => (0usize..4).prop_map(|i| Term::var(NUMBERS[i])),
        2 => ((0usize..4), -2i128..3).prop_map(|(i, n)| Term::var(NUMBERS[i]).plus(n)),
        1 => (0i128..5).prop_map(Term::Int),
        1 => ((0usize..4), (0usize..4))
            .prop_map(|(i, j)| Term::Add(Box::new(Term::var(NUMBERS[i])), Box::new(Term::var(NUMBERS[j])))),
        1 => (0usize..4).prop_map(|i| Term::Mul(Box::new(Term::Int(2)), Box::new(Term::var(NUMBERS[i])))),
    ]
}

fn heap_term() -> impl Strategy<Value = Term> {
    (0usize..4).prop_map(|i| Term::var(HEAPS[i]))
}

fn atom() -> impl Strategy<Value = Formula> {
    let constraint = |name: &'static str, args: Vec<Term>| Formula::holds(name, args);
    let op = prop_oneof![
        Just(Comparison::Equal),
        Just(Comparison::Differs),
        Just(Comparison::Less),
        Just(Comparison::AtMost),
        Just(Comparison::Greater),
        Just(Comparison::AtLeast)
    ];
    prop_oneof![
        3 => (heap_term(), number(), number()).prop_map(move |(h, p, v)| constraint("in", vec![h, p, v])),
        3 => (heap_term(), number()).prop_map(move |(h, p)| constraint("dom", vec![h, p])),
        1 => heap_term().prop_map(move |h| constraint("emp", vec![h])),
        1 => (heap_term(), number(), number()).prop_map(move |(h, p, v)| constraint("one", vec![h, p, v])),
        1 => (heap_term(), heap_term()).prop_map(move |(h, g)| constraint("eq", vec![h, g])),
        2 => (heap_term(), heap_term()).prop_map(move |(h, g)| constraint("sub", vec![h, g])),
        2 => (heap_term(), heap_term()).prop_map(move |(h, g)| constraint("domsub", vec![h, g])),
        2 => (heap_term(), heap_term(), heap_term()).prop_map(move |(h, g, f)| constraint("sep", vec![h, g, f])),
        1 => (heap_term(), heap_term(), heap_term(), heap_term())
            .prop_map(move |(h, g, f, e)| constraint("sep", vec![h, g, f, e])),
        2 => (heap_term(), heap_term(), number(), number())
            .prop_map(move |(h, g, p, v)| constraint("alloc", vec![h, g, p, v])),
        2 => (heap_term(), heap_term(), number(), number())
            .prop_map(move |(h, g, p, v)| constraint("assign", vec![h, g, p, v])),
        4 => (op, number(), number()).prop_map(|(op, a, b)| Formula::Compare(op, a, b)),
    ]
}

fn formula() -> impl Strategy<Value = Formula> {
    atom().prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..4).prop_map(Formula::And),
            prop::collection::vec(inner.clone(), 1..4).prop_map(Formula::Or),
            inner.clone().prop_map(Formula::negated),
            (inner.clone(), inner).prop_map(|(a, b)| Formula::Iff(Box::new(a), Box::new(b))),
        ]
    })
}

fn solve(formula: &Formula) -> Answer {
    let options = Options { steps: 300_000, conflicts: 2_000 };
    Solver::new(&Rules::default(), options).unwrap().solve_formula(formula.clone()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_has_a_solution_is_never_unsat(state in state(), parts in prop::collection::vec(formula(), 1..9)) {
        let true_parts: Vec<Formula> =
            parts.into_iter().map(|f| if state.eval(&f) { f } else { f.negated() }).collect();
        let goal = Formula::And(true_parts);
        prop_assert!(state.eval(&goal));
        prop_assert_ne!(solve(&goal), Answer::Unsat, "{}", goal);
    }

    #[test]
    fn what_is_printed_means_the_same(state in state(), parts in prop::collection::vec(formula(), 1..4)) {
        let formula = Formula::And(parts);
        let again = parse::goals(&formula.to_string()).unwrap();
        prop_assert_eq!(again.len(), 1);
        prop_assert_eq!(state.eval(&again[0].formula), state.eval(&formula), "{}", formula);
    }
}

/// All heaps with addresses below `addresses` and values below `values`.
fn all_heaps(addresses: i128, values: i128) -> Vec<Heap> {
    let mut heaps = vec![Heap::new()];
    for address in 0..addresses {
        for heap in heaps.clone() {
            for value in 0..values {
                let mut more = heap.clone();
                more.insert(address, value);
                heaps.push(more);
            }
        }
    }
    heaps
}

fn variables(rule: &Rule) -> (Vec<String>, Vec<String>, Vec<String>) {
    let (mut heaps, mut numbers, mut fresh) = (Vec::new(), Vec::new(), Vec::new());
    let heads: Vec<&Head> = rule.kept.iter().chain(&rule.removed).collect();
    fn names(c: &Constraint, out: &mut Vec<String>) {
        fn walk(t: &Term, out: &mut Vec<String>) {
            match t {
                Term::Var(n) if !out.contains(n) => out.push(n.clone()),
                Term::Add(a, b) | Term::Sub(a, b) | Term::Mul(a, b) => {
                    walk(a, out);
                    walk(b, out);
                }
                _ => {}
            }
        }
        c.args.iter().for_each(|t| walk(t, out));
    }
    let mut bound = Vec::new();
    heads.iter().for_each(|h| names(&h.constraint, &mut bound));
    let mut all = bound.clone();
    fn body(f: &Formula, all: &mut Vec<String>) {
        match f {
            Formula::Holds(c) => names(c, all),
            Formula::Not(f) => body(f, all),
            Formula::And(fs) | Formula::Or(fs) => fs.iter().for_each(|f| body(f, all)),
            Formula::Compare(_, a, b) => names(&Constraint::new("", vec![a.clone(), b.clone()]), all),
            _ => {}
        }
    }
    body(&rule.body, &mut all);
    for name in all {
        if name.chars().next().is_some_and(char::is_uppercase) {
            heaps.push(name);
        } else if bound.contains(&name) {
            numbers.push(name);
        } else {
            fresh.push(name);
        }
    }
    (heaps, numbers, fresh)
}

/// A state in which the heads hold and the body does not, whatever its new variables are.
fn counterexample(rule: &Rule, addresses: i128, values: i128) -> Option<State> {
    let (heaps, numbers, fresh) = variables(rule);
    let pool = all_heaps(addresses, values);
    let top = addresses.max(values);
    let heads = |state: &State| {
        rule.kept.iter().chain(&rule.removed).all(|h| state.holds(&h.constraint) != h.negated)
    };
    let mut found = None;
    let mut state = State::default();
    each_heap(&heaps, &pool, &mut state, &mut |state| {
        each_number(&numbers, top, state, &mut |state| {
            if found.is_none() && heads(state) {
                let mut saved = false;
                each_number(&fresh, top, &mut state.clone(), &mut |inner| saved |= inner.eval(&rule.body));
                if !saved {
                    found = Some(state.clone());
                }
            }
        });
    });
    found
}

fn each_heap(names: &[String], pool: &[Heap], state: &mut State, visit: &mut dyn FnMut(&mut State)) {
    match names.split_first() {
        None => visit(state),
        Some((name, rest)) => {
            for heap in pool {
                state.heaps.insert(name.clone(), heap.clone());
                each_heap(rest, pool, state, visit);
            }
        }
    }
}

fn each_number(names: &[String], top: i128, state: &mut State, visit: &mut dyn FnMut(&mut State)) {
    match names.split_first() {
        None => visit(state),
        Some((name, rest)) => {
            for n in 0..top {
                state.numbers.insert(name.clone(), n);
                each_number(rest, top, state, visit);
            }
        }
    }
}

#[test]
fn every_built_in_rule_is_true() {
    let rules = parse::rules(&(heap::RULES.to_owned() + &heap::partition_rules(2))).unwrap();
    assert!(rules.rules.len() > 30);
    for rule in &rules.rules {
        let heaps = variables(rule).0.len();
        let (addresses, values) = if heaps < 3 { (3, 2) } else { (2, 2) };
        if let Some(state) = counterexample(rule, addresses, values) {
            panic!("{rule} is wrong in {state:?}");
        }
    }
    let three = parse::rules(&heap::partition_rules(3)).unwrap();
    for rule in &three.rules {
        assert!(counterexample(rule, 2, 1).is_none(), "{rule}");
    }
}

/// Rules with one head left out or one sign turned around: the enumeration sees that they are wrong.
#[test]
fn deliberate_faults_in_rules_are_caught() {
    let rules = parse::rules(&(heap::RULES.to_owned() + &heap::partition_rules(2))).unwrap();
    let mut missed = BTreeMap::new();
    let mut faults = 0;
    for rule in &rules.rules {
        let small = if variables(rule).0.len() < 3 { (3, 2) } else { (2, 2) };
        for (what, wrong) in wrong_twins(rule) {
            faults += 1;
            if counterexample(&wrong, small.0, small.1).is_none() {
                missed.insert(wrong.to_string(), what);
            }
        }
    }
    assert!(faults > 60, "{faults}");
    assert!(missed.is_empty(), "{missed:#?}");
}

fn wrong_twins(rule: &Rule) -> Vec<(&'static str, Rule)> {
    let mut twins = Vec::new();
    // Without a head some variables would not be bound: only heads whose variables the others bind as well.
    for position in 0..rule.kept.len() {
        let mut twin = rule.clone();
        twin.kept.remove(position);
        if !twin.kept.is_empty() && variables(&twin).2 == variables(rule).2 {
            twins.push(("one head less", twin));
        }
    }
    if let Formula::Or(parts) = &rule.body {
        for position in 0..parts.len() {
            let mut fewer = parts.clone();
            fewer.remove(position);
            twins.push(("one case less", Rule { body: Formula::Or(fewer), ..rule.clone() }));
        }
    } else if !matches!(rule.body, Formula::Bool(false)) && variables(rule).2.is_empty() {
        twins.push(("body negated", Rule { body: rule.body.clone().negated(), ..rule.clone() }));
    }
    twins
}
