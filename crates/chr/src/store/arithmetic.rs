//! Numbers of the store: which nodes arithmetic knows, and what equality and arithmetic tell each other.

use super::*;

impl Store<'_> {
    pub(super) fn is_arithmetic(&self, node: Node) -> bool {
        node == ZERO || self.lin_of.contains_key(&node)
    }

    pub(super) fn lin_var(&mut self, node: Node) -> LinVar {
        if let Some(&var) = self.lin_of.get(&node) {
            return var;
        }
        let var = self.linear.new_var();
        self.lin_of.insert(node, var);
        // Equalities that were followed before the node was known to arithmetic are told to it later.
        let equalities = self.uses[node.0 as usize].iter().copied();
        self.untold.extend(equalities.filter(|v| matches!(self.atoms[v.0 as usize], Atom::Equal(..))));
        self.link_class(node);
        var
    }

    /// Tells arithmetic about a node's class: the equality with another arithmetic member becomes a literal.
    pub(super) fn link_class(&mut self, node: Node) {
        let other = self.equality.class(node).iter().copied().find(|&m| m != node && self.is_arithmetic(m));
        if let Some(other) = other {
            self.link(node, other);
        }
    }

    pub(super) fn link(&mut self, a: Node, b: Node) {
        if let Some(difference) = self.equality.difference(Value::node(a), Value::node(b)) {
            let lit = self.equal(Value::node(a), Value::node(b).plus(difference));
            if let Truth::Lit(lit) = lit {
                self.look_at(lit.var());
            }
        }
    }

    /// The arithmetic variable for `x - y`.
    pub fn difference_var(&mut self, x: Node, y: Node) -> LinVar {
        if y == ZERO {
            return self.lin_var(x);
        }
        if let Some(&var) = self.differences.get(&(x, y)) {
            return var;
        }
        let (a, b) = (self.lin_var(x), self.lin_var(y));
        let var = self.linear.new_row(&[(a, 1), (b, -1)]);
        self.differences.insert((x, y), var);
        var
    }

    /// The node that is the sum of others, each times a number.
    pub fn sum(&mut self, terms: Vec<(Node, i128)>) -> Node {
        if let Some(&node) = self.sums.get(&terms) {
            return node;
        }
        let lin: Vec<(LinVar, i128)> = terms.iter().map(|&(n, c)| (self.lin_var(n), c)).collect();
        let node = self.fresh("sum").base;
        let var = self.linear.new_row(&lin);
        self.lin_of.insert(node, var);
        self.sums.insert(terms, node);
        node
    }

    /// Differences that bounds fix to one number, as literals of the equality solver.
    pub fn tell_equality(&mut self) -> Result<bool, Conflict> {
        let mut pairs: Vec<((Node, Node), LinVar)> = self.differences.iter().map(|(k, v)| (*k, *v)).collect();
        pairs.extend(self.lin_of.iter().map(|(&n, &v)| ((n, ZERO), v)));
        let mut told = false;
        for ((x, y), var) in pairs {
            let Some((at, reasons)) = self.linear.fixed(var) else { continue };
            let (a, b) = (Value::node(x), Value::node(y).plus(at));
            if self.equality.equal(a, b) {
                continue;
            }
            if let Truth::Lit(lit) = self.equal(a, b)
                && self.sat.value(lit) != Some(true)
            {
                told = true;
                self.imply(&reasons, Some(lit))?;
            }
        }
        Ok(self.tell_sums()? || told)
    }

    /// Sums of which equality knows all parts.
    pub(super) fn tell_sums(&mut self) -> Result<bool, Conflict> {
        let mut told = false;
        let sums: Vec<(Vec<(Node, i128)>, Node)> = self.sums.iter().map(|(t, n)| (t.clone(), *n)).collect();
        for (terms, sum) in sums {
            let mut total = Some(0i128);
            let mut why = Vec::new();
            for &(node, factor) in &terms {
                let number = self.equality.number(Value::node(node));
                let part = number.and_then(|n| n.checked_mul(factor));
                total = total.zip(part).and_then(|(t, p)| t.checked_add(p));
                if total.is_none() {
                    break;
                }
                self.equality.explain(Value::node(node), Value::number(0), &mut why);
            }
            let Some(total) = total else { continue };
            if self.equality.equal(Value::node(sum), Value::number(total)) {
                continue;
            }
            if let Truth::Lit(lit) = self.equal(Value::node(sum), Value::number(total)) {
                told = true;
                self.imply(&why, Some(lit))?;
            }
        }
        Ok(told)
    }

    /// Differences that are excluded but have exactly that value in the solution of the arithmetic: one more choice.
    pub fn split_difference(&mut self) -> Result<bool, Conflict> {
        for index in 0..self.atoms.len() {
            let var = BoolVar(index as u32);
            let Atom::Equal(x, y, k) = self.atoms[index] else { continue };
            if self.value(var) != Some(false) {
                continue;
            }
            let known = |n: Node| self.equality.class(n).iter().any(|&m| self.is_arithmetic(m));
            if !known(x) || !known(y) {
                continue;
            }
            let missing: Vec<Node> = [x, y].into_iter().filter(|&n| !self.is_arithmetic(n)).collect();
            if !missing.is_empty() {
                for node in missing {
                    self.lin_var(node);
                }
                return Ok(true);
            }
            let number = |s: &Store, n: Node| match s.lin_of.get(&n) {
                Some(&v) => s.linear.value(v).integer(),
                None => Some(0),
            };
            let (Some(a), Some(b)) = (number(self, x), number(self, y)) else { continue };
            if a - b != k {
                continue;
            }
            let (a, b) = (Value::node(x), Value::node(y));
            let below = self.at_most(a.plus(1), b.plus(k));
            let above = self.at_most(b.plus(k + 1), a);
            let (Truth::Lit(below), Truth::Lit(above)) = (below, above) else { continue };
            if self.sat.value(below) == Some(true) || self.sat.value(above) == Some(true) {
                continue;
            }
            self.add_clause(&[Lit::new(var, true), below, above])?;
            let choice = self.new_choice(vec![below, above]);
            self.activate(choice);
            return Ok(true);
        }
        Ok(false)
    }

    /// A node with a value that is no integer: the literal of one of its sides.
    pub fn split_fraction(&mut self) -> Option<Lit> {
        let (node, floor) = self.lin_of.iter().find_map(|(&node, &var)| {
            let value = self.linear.value(var);
            value.integer().is_none().then(|| (node, value.floor()))
        })?;
        match self.at_most(Value::node(node), Value::number(floor)) {
            Truth::Lit(lit) if self.sat.value(lit).is_none() => Some(lit),
            _ => None,
        }
    }
}
