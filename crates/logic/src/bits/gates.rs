//! Gates over the variables of the search: equal gates are one, and a gate becomes clauses when a question first depends on it.

use super::sat::{Lit, Sat};
use std::collections::HashMap;

/// What a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Gate {
    /// Free.
    Input,
    /// Both hold.
    And(Lit, Lit),
    /// One of them holds.
    Xor(Lit, Lit),
    /// The second if the first holds, else the third.
    Mux(Lit, Lit, Lit),
    /// At least two of them hold.
    Majority(Lit, Lit, Lit),
}

impl Gate {
    fn inputs(self) -> impl Iterator<Item = Lit> {
        let (some, count) = match self {
            Gate::Input => ([Lit::TRUE; 3], 0),
            Gate::And(a, b) | Gate::Xor(a, b) => ([a, b, a], 2),
            Gate::Mux(a, b, c) | Gate::Majority(a, b, c) => ([a, b, c], 3),
        };
        some.into_iter().take(count)
    }
}

/// See the module.
#[derive(Debug)]
pub struct Gates {
    gates: Vec<Gate>,
    known: HashMap<Gate, Lit>,
    /// It is in the clauses of the search.
    written: Vec<bool>,
    /// The search.
    pub sat: Sat,
}

impl Gates {
    /// Only the literal that holds.
    pub fn new() -> Gates {
        Gates { gates: vec![Gate::Input], known: HashMap::new(), written: vec![true], sat: Sat::new() }
    }

    /// A free variable.
    pub fn input(&mut self) -> Lit {
        self.add(Gate::Input)
    }

    fn add(&mut self, gate: Gate) -> Lit {
        self.gates.push(gate);
        self.written.push(false);
        Lit::of(self.sat.add_var())
    }

    fn known(&mut self, gate: Gate) -> Lit {
        if let Some(lit) = self.known.get(&gate) {
            return *lit;
        }
        let lit = self.add(gate);
        self.known.insert(gate, lit);
        lit
    }

    /// Both hold.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        match (a, b) {
            (Lit::FALSE, _) | (_, Lit::FALSE) => Lit::FALSE,
            (Lit::TRUE, other) | (other, Lit::TRUE) => other,
            _ if a == b => a,
            _ if a == !b => Lit::FALSE,
            _ => self.known(Gate::And(a.min(b), a.max(b))),
        }
    }

    /// One of them holds, or both.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// One of them holds, not both.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let flip = a.is_opposite() != b.is_opposite();
        let (a, b) = (Lit::of(a.var()), Lit::of(b.var()));
        let plain = match (a, b) {
            _ if a == b => Lit::FALSE,
            (Lit::TRUE, other) | (other, Lit::TRUE) => !other,
            _ => self.known(Gate::Xor(a.min(b), a.max(b))),
        };
        plain.flipped(flip)
    }

    /// One of two by a condition.
    pub fn mux(&mut self, condition: Lit, a: Lit, b: Lit) -> Lit {
        if condition.is_opposite() && condition != Lit::FALSE {
            return self.mux(!condition, b, a);
        }
        match (condition, a, b) {
            (Lit::TRUE, ..) => a,
            (Lit::FALSE, ..) => b,
            _ if a == b => a,
            _ if a == !b => !self.xor(condition, a),
            (_, Lit::TRUE, _) => self.or(condition, b),
            (_, Lit::FALSE, _) => self.and(!condition, b),
            (_, _, Lit::TRUE) => self.or(!condition, a),
            (_, _, Lit::FALSE) => self.and(condition, a),
            _ if a == condition => self.or(condition, b),
            _ if a == !condition => self.and(!condition, b),
            _ if b == condition => self.and(condition, a),
            _ if b == !condition => self.or(!condition, a),
            _ => {
                let flip = a.is_opposite();
                self.known(Gate::Mux(condition, a.flipped(flip), b.flipped(flip))).flipped(flip)
            }
        }
    }

    /// At least two of three hold.
    pub fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut all = [a, b, c];
        all.sort();
        let [a, b, c] = all;
        match (a, b, c) {
            _ if a == b => a,
            _ if b == c => b,
            _ if a == !b => c,
            _ if b == !c => a,
            (Lit::TRUE, ..) => self.or(b, c),
            (Lit::FALSE, ..) => self.and(b, c),
            _ => self.known(Gate::Majority(a, b, c)),
        }
    }

    /// All of some hold.
    pub fn all(&mut self, mut lits: Vec<Lit>) -> Lit {
        while lits.len() > 1 {
            lits =
                lits.chunks(2).map(|pair| pair.get(1).map_or(pair[0], |b| self.and(pair[0], *b))).collect();
        }
        lits.first().copied().unwrap_or(Lit::TRUE)
    }

    /// The question depends on some literals, and so on all gates below them.
    pub fn want(&mut self, roots: impl IntoIterator<Item = Lit>) {
        let mut stack: Vec<u32> = roots.into_iter().map(Lit::var).collect();
        while let Some(var) = stack.pop() {
            if self.sat.want(var) {
                stack.extend(self.gates[var as usize].inputs().map(Lit::var));
                if !std::mem::replace(&mut self.written[var as usize], true) {
                    self.write(var);
                }
            }
        }
    }

    fn write(&mut self, var: u32) {
        let x = Lit::of(var);
        let sat = &mut self.sat;
        match self.gates[var as usize] {
            Gate::Input => {}
            Gate::And(a, b) => {
                sat.add_clause(&[!x, a]);
                sat.add_clause(&[!x, b]);
                sat.add_clause(&[x, !a, !b]);
            }
            Gate::Xor(a, b) => {
                sat.add_clause(&[!x, a, b]);
                sat.add_clause(&[!x, !a, !b]);
                sat.add_clause(&[x, !a, b]);
                sat.add_clause(&[x, a, !b]);
            }
            Gate::Mux(c, a, b) => {
                sat.add_clause(&[!c, !a, x]);
                sat.add_clause(&[!c, a, !x]);
                sat.add_clause(&[c, !b, x]);
                sat.add_clause(&[c, b, !x]);
                sat.add_clause(&[!a, !b, x]);
                sat.add_clause(&[a, b, !x]);
            }
            Gate::Majority(a, b, c) => {
                for (p, q) in [(a, b), (a, c), (b, c)] {
                    sat.add_clause(&[!p, !q, x]);
                    sat.add_clause(&[p, q, !x]);
                }
            }
        }
    }

    /// The values of all variables, as they follow from those of the inputs in the last model.
    pub fn values(&self) -> Vec<bool> {
        let mut values: Vec<bool> = Vec::with_capacity(self.gates.len());
        for (var, gate) in self.gates.iter().enumerate() {
            let is = |lit: Lit| values[lit.var() as usize] != lit.is_opposite();
            let value = match *gate {
                Gate::Input => self.sat.value(var as u32).unwrap_or(false),
                Gate::And(a, b) => is(a) && is(b),
                Gate::Xor(a, b) => is(a) != is(b),
                Gate::Mux(c, a, b) => {
                    if is(c) {
                        is(a)
                    } else {
                        is(b)
                    }
                }
                Gate::Majority(a, b, c) => u8::from(is(a)) + u8::from(is(b)) + u8::from(is(c)) > 1,
            };
            values.push(value);
        }
        values
    }
}
