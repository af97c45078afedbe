//! What the constraints mean: evaluation of formulas in a given state of heaps and numbers.

use std::collections::BTreeMap;

use heapproof_chr::syntax::{Comparison, Constraint, Formula, Term};

/// A heap: a finite map.
pub type Heap = BTreeMap<i128, i128>;

/// Values of all variables.
#[derive(Clone, Debug, Default)]
pub struct State {
    pub heaps: BTreeMap<String, Heap>,
    pub numbers: BTreeMap<String, i128>,
}

impl State {
    fn heap(&self, term: &Term) -> &Heap {
        match term {
            Term::Var(name) => &self.heaps[name],
            _ => panic!("{term} is no heap"),
        }
    }

    pub fn number(&self, term: &Term) -> i128 {
        match term {
            Term::Var(name) => self.numbers[name],
            Term::Int(n) => *n,
            Term::Add(a, b) => self.number(a) + self.number(b),
            Term::Sub(a, b) => self.number(a) - self.number(b),
            Term::Mul(a, b) => self.number(a) * self.number(b),
            Term::Any => panic!("_ has no value"),
        }
    }

    pub fn eval(&self, formula: &Formula) -> bool {
        formula.is_true(&|c| self.holds(c), &|op, a, b| match (a, b) {
            (Term::Var(a), Term::Var(b)) if self.heaps.contains_key(a) => {
                (self.heaps[a] == self.heaps[b]) == (op == Comparison::Equal)
            }
            _ => op.is_true(self.number(a), self.number(b)),
        })
    }

    pub fn holds(&self, c: &Constraint) -> bool {
        let h = |i: usize| self.heap(&c.args[i]);
        let n = |i: usize| self.number(&c.args[i]);
        match c.name.as_str() {
            "in" => h(0).get(&n(1)) == Some(&n(2)),
            "dom" => h(0).contains_key(&n(1)),
            "emp" => h(0).is_empty(),
            "one" => *h(0) == Heap::from([(n(1), n(2))]),
            "eq" => h(0) == h(1),
            "sub" => h(0).iter().all(|(p, v)| h(1).get(p) == Some(v)),
            "domsub" => h(0).keys().all(|p| h(1).contains_key(p)),
            "alloc" => {
                let mut heap = h(1).clone();
                heap.insert(n(2), n(3)).is_none() && heap == *h(0)
            }
            "assign" => {
                let mut heap = h(1).clone();
                heap.insert(n(2), n(3)).is_some() && heap == *h(0)
            }
            "sep" => {
                let mut union = Heap::new();
                let apart =
                    (1..c.args.len()).all(|i| h(i).iter().all(|(p, v)| union.insert(*p, *v).is_none()));
                apart && union == *h(0)
            }
            other => panic!("{other} has no meaning"),
        }
    }
}
