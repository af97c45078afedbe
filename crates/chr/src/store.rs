//! The constraint store: constraints with their truth values, indexes over them, and the built-in solvers.

mod arithmetic;

use std::collections::{BTreeMap, HashMap, VecDeque};

use crate::compile::{Compiled, EQ, Symbol};
use crate::equality::{Equality, Merge, Node, Value, ZERO};
use crate::linear::{Contradiction, LinVar, Linear};
use crate::sat::{Added, BoolVar, Conflict, Lit, Sat};

/// What a Boolean variable stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Atom {
    /// A part of a formula.
    Part,
    /// A constraint.
    Holds(Symbol, Vec<Value>),
    /// `x - y = k`, where the node `x` is newer than `y`.
    Equal(Node, Node, i128),
    /// `x - y <= k`, where the node `x` is newer than `y`.
    AtMost(Node, Node, i128),
}

/// A literal, or a formula that needs none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Truth {
    Known(bool),
    Lit(Lit),
}

impl Truth {
    pub fn signed(self, sign: bool) -> Truth {
        match self {
            Truth::Known(b) => Truth::Known(b == sign),
            Truth::Lit(l) => Truth::Lit(if sign { l } else { !l }),
        }
    }
}

type Signature = (Symbol, Vec<Value>);

#[derive(Debug)]
enum Undo {
    /// A constraint was entered under its signature.
    Entered(Signature, BoolVar),
    /// A constraint takes no part in matching any more.
    Hidden(BoolVar),
    /// A constraint was made in this level: it must be looked at again in an earlier one.
    Made(BoolVar),
}

#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    equality: usize,
    linear: usize,
    undo: usize,
    active: usize,
    cursor: usize,
}

/// One of these literals must hold, once the rule or formula that it comes from applies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice(pub u32);

/// See the module.
#[derive(Debug)]
pub(crate) struct Store<'a> {
    pub compiled: &'a Compiled,
    pub sat: Sat,
    pub equality: Equality,
    pub linear: Linear,
    pub atoms: Vec<Atom>,
    ids: HashMap<Atom, BoolVar>,
    uses: Vec<Vec<BoolVar>>,
    by_symbol: HashMap<Symbol, Vec<BoolVar>>,
    signatures: HashMap<Signature, Vec<BoolVar>>,
    pub hidden: Vec<bool>,
    queued: Vec<bool>,
    /// Constraints to be looked at: their truth value or their signature changed.
    pub dirty: VecDeque<BoolVar>,
    undo: Vec<Undo>,
    marks: Vec<Mark>,
    choices: Vec<Box<[Lit]>>,
    active: Vec<Choice>,
    cursor: usize,
    parts: HashMap<BoolVar, Vec<Choice>>,
    pub node_names: Vec<String>,
    lin_of: BTreeMap<Node, LinVar>,
    differences: BTreeMap<(Node, Node), LinVar>,
    sums: BTreeMap<Vec<(Node, i128)>, Node>,
    untold: Vec<BoolVar>,
    /// How far the theories have followed the trail.
    pub followed: usize,
    /// Whether rules have guards that ask the built-in solvers.
    pub asks: bool,
}

impl<'a> Store<'a> {
    pub fn new(compiled: &'a Compiled) -> Store<'a> {
        let mut store = Store {
            compiled,
            sat: Sat::new(),
            equality: Equality::default(),
            linear: Linear::default(),
            atoms: Vec::new(),
            ids: HashMap::new(),
            uses: Vec::new(),
            by_symbol: HashMap::new(),
            signatures: HashMap::new(),
            hidden: Vec::new(),
            queued: Vec::new(),
            dirty: VecDeque::new(),
            undo: Vec::new(),
            marks: Vec::new(),
            choices: Vec::new(),
            active: Vec::new(),
            cursor: 0,
            parts: HashMap::new(),
            node_names: Vec::new(),
            lin_of: BTreeMap::new(),
            differences: BTreeMap::new(),
            sums: BTreeMap::new(),
            untold: Vec::new(),
            followed: 0,
            asks: compiled.rules.iter().any(|r| !r.guards.is_empty()),
        };
        store.new_node("0".to_owned());
        store
    }

    pub fn new_node(&mut self, name: String) -> Node {
        let node = self.equality.new_node();
        self.uses.push(Vec::new());
        self.node_names.push(name);
        node
    }

    pub fn fresh(&mut self, name: &str) -> Value {
        let name = format!("{name}'{}", self.equality.len());
        Value::node(self.new_node(name))
    }

    pub fn value(&self, var: BoolVar) -> Option<bool> {
        self.sat.value(Lit::new(var, true))
    }

    /// The literal of a part of a formula, with the clauses that hold when it does.
    pub fn new_part(&mut self, clauses: Vec<Vec<Lit>>) -> Result<Lit, Conflict> {
        let var = self.new_var(Atom::Part);
        let part = Lit::new(var, true);
        let mut choices = Vec::new();
        for clause in clauses {
            let mut whole = clause.clone();
            whole.push(!part);
            self.add_clause(&whole)?;
            if clause.len() > 1 {
                choices.push(self.new_choice(clause));
            }
        }
        self.parts.insert(var, choices);
        Ok(part)
    }

    fn new_var(&mut self, atom: Atom) -> BoolVar {
        let var = self.sat.new_var();
        self.atoms.push(atom);
        self.hidden.push(false);
        self.queued.push(false);
        var
    }

    pub fn new_choice(&mut self, lits: Vec<Lit>) -> Choice {
        self.choices.push(lits.into_boxed_slice());
        Choice(self.choices.len() as u32 - 1)
    }

    pub fn activate(&mut self, choice: Choice) {
        self.active.push(choice);
    }

    /// A literal that would settle the oldest open choice.
    pub fn pick(&mut self) -> Option<Lit> {
        while let Some(&choice) = self.active.get(self.cursor) {
            let lits = &self.choices[choice.0 as usize];
            if lits.iter().any(|&l| self.sat.value(l) == Some(true)) {
                self.cursor += 1;
                continue;
            }
            let mut best: Option<Lit> = None;
            for &lit in lits.iter().filter(|&&l| self.sat.value(l).is_none()) {
                if best.is_none_or(|b| self.sat.activity(lit) > self.sat.activity(b)) {
                    best = Some(lit);
                }
            }
            if best.is_some() {
                return best;
            }
            self.cursor += 1;
        }
        None
    }

    pub fn add_clause(&mut self, lits: &[Lit]) -> Result<(), Conflict> {
        match self.sat.add(lits) {
            Added::Fine => Ok(()),
            Added::Conflict(conflict) => Err(conflict),
        }
    }

    /// Adds "the reasons imply the literal".
    fn imply(&mut self, reasons: &[Lit], then: Option<Lit>) -> Result<(), Conflict> {
        let clause: Vec<Lit> = reasons.iter().map(|&l| !l).chain(then).collect();
        self.add_clause(&clause)
    }

    fn atom(&mut self, atom: Atom, nodes: &[Node]) -> BoolVar {
        if let Some(&var) = self.ids.get(&atom) {
            return var;
        }
        let var = self.new_var(atom.clone());
        if let Atom::Holds(symbol, _) = atom {
            self.by_symbol.entry(symbol).or_default().push(var);
        }
        self.ids.insert(atom, var);
        for (position, &node) in nodes.iter().enumerate() {
            if !nodes[..position].contains(&node) {
                self.uses[node.0 as usize].push(var);
            }
        }
        if !self.marks.is_empty() {
            self.undo.push(Undo::Made(var));
        }
        self.look_at(var);
        var
    }

    pub fn look_at(&mut self, var: BoolVar) {
        if !std::mem::replace(&mut self.queued[var.0 as usize], true) {
            self.dirty.push_back(var);
        }
    }

    pub fn next_dirty(&mut self) -> Option<BoolVar> {
        let var = self.dirty.pop_front()?;
        self.queued[var.0 as usize] = false;
        Some(var)
    }

    pub fn holds(&mut self, symbol: Symbol, args: Vec<Value>) -> Truth {
        if symbol == EQ && args[0] == args[1] {
            return Truth::Known(true);
        }
        let nodes: Vec<Node> = args.iter().map(|v| v.base).collect();
        Truth::Lit(Lit::new(self.atom(Atom::Holds(symbol, args), &nodes), true))
    }

    pub fn equal(&mut self, a: Value, b: Value) -> Truth {
        if a.base == b.base {
            return Truth::Known(a.offset == b.offset);
        }
        let (x, y) = if a.base > b.base { (a, b) } else { (b, a) };
        let atom = Atom::Equal(x.base, y.base, y.offset - x.offset);
        Truth::Lit(Lit::new(self.atom(atom, &[x.base, y.base]), true))
    }

    /// The literal of `a <= b`.
    pub fn at_most(&mut self, a: Value, b: Value) -> Truth {
        if a.base == b.base {
            return Truth::Known(a.offset <= b.offset);
        }
        // a - b <= k, or not (b - a <= -k - 1).
        let k = b.offset - a.offset;
        let (x, y, k, sign) =
            if a.base > b.base { (a.base, b.base, k, true) } else { (b.base, a.base, -k - 1, false) };
        self.difference_var(x, y);
        let var = self.atom(Atom::AtMost(x, y, k), &[x, y]);
        Truth::Lit(Lit::new(var, sign))
    }

    /// An atom that exists already.
    pub fn known_atom(&self, atom: &Atom) -> Option<BoolVar> {
        self.ids.get(atom).copied()
    }

    /// Tells the theories about one more literal of the trail.
    pub fn follow(&mut self, lit: Lit) -> Result<(), Conflict> {
        match self.atoms[lit.var().0 as usize].clone() {
            Atom::Part => {
                if lit.sign() {
                    for choice in self.parts.get(&lit.var()).cloned().unwrap_or_default() {
                        self.activate(choice);
                    }
                }
                Ok(())
            }
            Atom::Holds(symbol, args) => {
                self.look_at(lit.var());
                if symbol == EQ && lit.sign() {
                    self.merge(args[0], args[1], lit)?;
                }
                Ok(())
            }
            Atom::Equal(x, y, k) => self.follow_equal(x, y, k, lit),
            Atom::AtMost(x, y, k) => {
                let var = self.difference_var(x, y);
                let result = if lit.sign() {
                    self.linear.assert_upper(var, k, lit)
                } else {
                    self.linear.assert_lower(var, k + 1, lit)
                };
                self.bounded(result)?;
                self.wake_guards(x, y);
                Ok(())
            }
        }
    }

    fn follow_equal(&mut self, x: Node, y: Node, k: i128, lit: Lit) -> Result<(), Conflict> {
        let (a, b) = (Value::node(x), Value::node(y).plus(k));
        if lit.sign() {
            self.merge(a, b, lit)?;
            return self.tell_linear(x, y, k, lit);
        }
        if self.equality.equal(a, b) {
            let mut why = vec![lit];
            self.equality.explain(a, b, &mut why);
            return self.imply(&why, None);
        }
        self.wake_guards(x, y);
        Ok(())
    }

    fn tell_linear(&mut self, x: Node, y: Node, k: i128, lit: Lit) -> Result<(), Conflict> {
        if !self.is_arithmetic(x) || !self.is_arithmetic(y) {
            return Ok(());
        }
        let var = self.difference_var(x, y);
        let result = self.linear.assert_upper(var, k, lit);
        self.bounded(result)?;
        let result = self.linear.assert_lower(var, k, lit);
        self.bounded(result)
    }

    /// Tells arithmetic the equalities that it missed.
    pub fn tell_untold(&mut self) -> Result<(), Conflict> {
        for index in 0..self.untold.len() {
            let var = self.untold[index];
            if let Atom::Equal(x, y, k) = self.atoms[var.0 as usize]
                && self.value(var) == Some(true)
            {
                self.tell_linear(x, y, k, Lit::new(var, true))?;
            }
        }
        Ok(())
    }

    fn wake_guards(&mut self, x: Node, y: Node) {
        if self.asks {
            for node in [x, y] {
                for member in self.equality.class(node).to_vec() {
                    for var in self.uses[member.0 as usize].clone() {
                        self.look_at(var);
                    }
                }
            }
        }
    }

    fn bounded(&mut self, result: Result<(), Contradiction>) -> Result<(), Conflict> {
        match result {
            Ok(()) => Ok(()),
            Err(Contradiction(why)) => self.imply(&why, None),
        }
    }

    fn merge(&mut self, a: Value, b: Value, reason: Lit) -> Result<(), Conflict> {
        match self.equality.merge(a, b, reason) {
            Merge::Known => Ok(()),
            Merge::Conflict(why) => self.imply(&why, None),
            Merge::Moved(moved) => {
                for &node in &moved {
                    for var in self.uses[node.0 as usize].clone() {
                        self.look_at(var);
                    }
                }
                let arithmetic = moved.iter().copied().find(|&n| self.is_arithmetic(n));
                if let Some(first) = arithmetic {
                    let rest = self.equality.class(first);
                    let kept = &rest[..rest.len() - moved.len()];
                    if let Some(second) = kept.iter().copied().find(|&n| self.is_arithmetic(n)) {
                        self.link(first, second);
                    }
                }
                Ok(())
            }
        }
    }

    /// Looks at a constraint anew: does its value follow from equalities, or from a constraint that is now the same?
    /// Gives its truth value if rules should be tried on it.
    pub fn refresh(&mut self, var: BoolVar) -> Result<Option<bool>, Conflict> {
        match self.atoms[var.0 as usize].clone() {
            Atom::Part => Ok(None),
            Atom::Equal(x, y, k) => self.decided_by_difference(var, x, y, |d| d == k).map(|()| None),
            Atom::AtMost(x, y, k) => self.decided_by_difference(var, x, y, |d| d <= k).map(|()| None),
            Atom::Holds(symbol, args) => self.refresh_constraint(var, symbol, &args),
        }
    }

    fn decided_by_difference(
        &mut self,
        var: BoolVar,
        x: Node,
        y: Node,
        truth: impl Fn(i128) -> bool,
    ) -> Result<(), Conflict> {
        let (a, b) = (Value::node(x), Value::node(y));
        let Some(difference) = self.equality.difference(a, b) else { return Ok(()) };
        let lit = Lit::new(var, truth(difference));
        if self.sat.value(lit) == Some(true) {
            return Ok(());
        }
        let mut why = Vec::new();
        self.equality.explain(a, b, &mut why);
        self.imply(&why, Some(lit))
    }

    fn refresh_constraint(
        &mut self,
        var: BoolVar,
        symbol: Symbol,
        args: &[Value],
    ) -> Result<Option<bool>, Conflict> {
        if symbol == EQ && self.equality.equal(args[0], args[1]) && self.value(var) != Some(true) {
            let mut why = Vec::new();
            self.equality.explain(args[0], args[1], &mut why);
            self.imply(&why, Some(Lit::new(var, true)))?;
        }
        let signature = (symbol, args.iter().map(|&v| self.equality.find(v)).collect::<Vec<_>>());
        let same = self.signatures.entry(signature.clone()).or_default();
        if !same.contains(&var) {
            same.push(var);
            self.undo.push(Undo::Entered(signature.clone(), var));
        }
        let same = same.clone();
        for other in same {
            if other != var {
                self.unify(var, other, args)?;
            }
        }
        Ok(self.value(var).filter(|_| !self.hidden[var.0 as usize]))
    }

    /// Two constraints that are the same by now have the same value; one of them is enough for matching.
    fn unify(&mut self, var: BoolVar, other: BoolVar, args: &[Value]) -> Result<(), Conflict> {
        let (mine, theirs) = (self.value(var), self.value(other));
        if mine.is_some() && mine == theirs {
            if !self.hidden[other.0 as usize] {
                self.hide(var);
            }
            return Ok(());
        }
        let (known, value, open) = match (mine, theirs) {
            (Some(v), _) => (var, v, other),
            (None, Some(v)) => (other, v, var),
            (None, None) => return Ok(()),
        };
        let Atom::Holds(_, others) = self.atoms[other.0 as usize].clone() else { return Ok(()) };
        let mut why = vec![Lit::new(known, value)];
        for (&a, &b) in args.iter().zip(&others) {
            if a != b {
                self.equality.explain(a, b, &mut why);
            }
        }
        self.imply(&why, Some(Lit::new(open, value)))
    }

    pub fn hide(&mut self, var: BoolVar) {
        if !std::mem::replace(&mut self.hidden[var.0 as usize], true) {
            self.undo.push(Undo::Hidden(var));
        }
    }

    /// Constraints that a head could match, given the value of one of its arguments.
    pub fn candidates(&self, symbol: Symbol, sign: bool, bound: Option<Value>) -> Vec<BoolVar> {
        let fits = |var: &BoolVar| {
            self.value(*var) == Some(sign)
                && !self.hidden[var.0 as usize]
                && matches!(self.atoms[var.0 as usize], Atom::Holds(s, _) if s == symbol)
        };
        let all = self.by_symbol.get(&symbol);
        if let Some(value) = bound {
            let class = self.equality.class(value.base);
            let count: usize = class.iter().map(|n| self.uses[n.0 as usize].len()).sum();
            if all.is_some_and(|a| count < a.len()) {
                let mut found: Vec<BoolVar> =
                    class.iter().flat_map(|n| &self.uses[n.0 as usize]).copied().filter(fits).collect();
                found.sort_unstable();
                found.dedup();
                return found;
            }
        }
        all.map(|a| a.iter().copied().filter(fits).collect()).unwrap_or_default()
    }

    /// Opens a level: the theories have followed the whole trail.
    pub fn decide(&mut self, lit: Lit) {
        self.marks.push(Mark {
            equality: self.equality.mark(),
            linear: self.linear.mark(),
            undo: self.undo.len(),
            active: self.active.len(),
            cursor: self.cursor,
        });
        self.sat.decide(lit);
    }

    /// Goes back to `depth` decisions.
    pub fn unwind(&mut self, depth: usize) {
        self.sat.unwind(depth);
        if depth >= self.marks.len() {
            return;
        }
        let mark = self.marks[depth];
        self.marks.truncate(depth);
        self.equality.undo_to(mark.equality);
        self.linear.undo_to(mark.linear);
        self.active.truncate(mark.active);
        self.cursor = mark.cursor;
        self.followed = self.followed.min(self.sat.trail().len());
        let (mut again, mut made) = (Vec::new(), Vec::new());
        while self.undo.len() > mark.undo {
            match self.undo.pop() {
                Some(Undo::Entered(signature, var)) => {
                    if let Some(list) = self.signatures.get_mut(&signature) {
                        list.retain(|&v| v != var);
                    }
                }
                Some(Undo::Hidden(var)) => {
                    self.hidden[var.0 as usize] = false;
                    again.push(var);
                }
                Some(Undo::Made(var)) => {
                    again.push(var);
                    made.push(var);
                }
                None => break,
            }
        }
        if depth > 0 {
            self.undo.extend(made.into_iter().map(Undo::Made));
        }
        for var in again {
            self.look_at(var);
        }
    }
}
