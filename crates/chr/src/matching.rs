//! Rules at work: constraints that match the heads, guards that ask the built-in solvers, bodies that tell them.
//!
//! A rule that applies becomes a clause "heads and equalities imply body". The clause is a consequence of the rules whatever is
//! decided later, so it stays; the literals of the equalities are its reasons.

use std::collections::HashMap;
use std::rc::Rc;

use crate::compile::{Body, CompiledGuard, CompiledRule, Expr, Pattern};
use crate::equality::{Node, Value};
use crate::sat::{BoolVar, Conflict, Lit};
use crate::store::{Atom, Choice, Store, Truth};
use crate::syntax::Comparison;

/// One application of a rule: which constraints, and the numbers of its guards.
type Instance = (u32, Vec<BoolVar>, Vec<i128>);

/// A body as clauses; those with several literals are choices.
type Clauses = Rc<[(Vec<Lit>, Option<Choice>)]>;

/// Rules applied so far.
#[derive(Debug, Default)]
pub(crate) struct Applied {
    instances: HashMap<Instance, Clauses>,
    /// How many attempts to match there were.
    pub steps: u64,
}

/// The values of a rule's variables while its heads are matched.
#[derive(Clone, Debug)]
struct Binding {
    slots: Vec<Option<Value>>,
    chosen: Vec<Option<BoolVar>>,
    /// Values that must be equal for the match.
    equal: Vec<(Value, Value)>,
    /// Literals that a guard rests on.
    reasons: Vec<Lit>,
    numbers: Vec<i128>,
}

impl Applied {
    /// Tries all ways to apply the rule with the constraint `var` as its head number `position`.
    pub fn try_rule(
        &mut self,
        store: &mut Store<'_>,
        index: u32,
        position: usize,
        var: BoolVar,
    ) -> Result<(), Conflict> {
        let rule = &store.compiled.rules[index as usize];
        let mut binding = Binding {
            slots: vec![None; rule.slots],
            chosen: vec![None; rule.heads.len()],
            equal: Vec::new(),
            reasons: Vec::new(),
            numbers: Vec::new(),
        };
        self.steps += 1;
        if binding.take(store, rule, position, var) {
            self.join(store, index, rule, binding)?;
        }
        Ok(())
    }

    fn join(
        &mut self,
        store: &mut Store<'_>,
        index: u32,
        rule: &CompiledRule,
        binding: Binding,
    ) -> Result<(), Conflict> {
        // The head with the most arguments known comes next.
        let open = (0..rule.heads.len()).filter(|&h| binding.chosen[h].is_none());
        let Some(next) =
            open.max_by_key(|&h| rule.heads[h].args.iter().filter(|p| binding.value(p).is_some()).count())
        else {
            return self.apply(store, index, rule, binding);
        };
        let head = &rule.heads[next];
        let bound = head
            .args
            .iter()
            .filter_map(|p| binding.value(p))
            .min_by_key(|v| store.equality.class(v.base).len());
        for var in store.candidates(head.symbol, head.sign, bound) {
            self.steps += 1;
            let mut attempt = binding.clone();
            if attempt.take(store, rule, next, var) {
                self.join(store, index, rule, attempt)?;
            }
        }
        Ok(())
    }

    fn apply(
        &mut self,
        store: &mut Store<'_>,
        index: u32,
        rule: &CompiledRule,
        mut binding: Binding,
    ) -> Result<(), Conflict> {
        for guard in &rule.guards {
            if !binding.check(store, guard) {
                return Ok(());
            }
        }
        let atoms: Vec<BoolVar> = binding.chosen.iter().flatten().copied().collect();
        let key = (index, atoms.clone(), binding.numbers.clone());
        let clauses = match self.instances.get(&key) {
            Some(clauses) => Rc::clone(clauses),
            None => {
                let clauses = build_clauses(store, &rule.body, &mut binding.slots)?;
                self.instances.insert(key, Rc::clone(&clauses));
                clauses
            }
        };
        let mut reasons = Vec::new();
        for (position, &var) in atoms.iter().enumerate() {
            reasons.push(!Lit::new(var, rule.heads[position].sign));
        }
        let mut why = binding.reasons;
        for &(a, b) in &binding.equal {
            store.equality.explain(a, b, &mut why);
        }
        reasons.extend(why.into_iter().map(|l| !l));
        for (clause, choice) in clauses.iter() {
            if let Some(choice) = choice {
                store.activate(*choice);
            }
            if clause.iter().all(|&l| store.sat.value(l) != Some(true)) {
                let whole: Vec<Lit> = reasons.iter().chain(clause).copied().collect();
                store.add_clause(&whole)?;
            }
        }
        for (head, &var) in rule.heads.iter().zip(&atoms) {
            if head.removed {
                store.hide(var);
            }
        }
        Ok(())
    }
}

impl Binding {
    fn value(&self, pattern: &Pattern) -> Option<Value> {
        match *pattern {
            Pattern::Any => None,
            Pattern::Number(n) => Some(Value::number(n)),
            Pattern::Slot(slot, n) => self.slots[slot].map(|v| v.plus(n)),
        }
    }

    /// Matches a head with a constraint.
    fn take(&mut self, store: &Store<'_>, rule: &CompiledRule, position: usize, var: BoolVar) -> bool {
        let Atom::Holds(_, args) = &store.atoms[var.0 as usize] else { return false };
        for (pattern, &arg) in rule.heads[position].args.iter().zip(args) {
            match self.value(pattern) {
                Some(value) if value == arg => {}
                Some(value) if store.equality.equal(value, arg) => self.equal.push((value, arg)),
                Some(_) => return false,
                None => {
                    if let Pattern::Slot(slot, n) = *pattern {
                        self.slots[slot] = Some(arg.plus(-n));
                    }
                }
            }
        }
        self.chosen[position] = Some(var);
        true
    }

    fn check(&mut self, store: &mut Store<'_>, guard: &CompiledGuard) -> bool {
        match guard {
            CompiledGuard::Let(slot, expr) => {
                let Some(value) = evaluate(store, expr, &mut self.slots) else { return false };
                let Some(number) = store.equality.number(value) else { return false };
                self.equal.push((value, Value::number(number)));
                self.numbers.push(number);
                self.slots[*slot] = Some(Value::number(number));
                true
            }
            CompiledGuard::Known(op, left, right) => {
                let Some(a) = evaluate(store, left, &mut self.slots) else { return false };
                let Some(b) = evaluate(store, right, &mut self.slots) else { return false };
                self.known(store, *op, a, b)
            }
        }
    }

    /// Whether the built-in solvers know the comparison; if so, its reasons are kept.
    fn known(&mut self, store: &mut Store<'_>, op: Comparison, a: Value, b: Value) -> bool {
        if let Some(difference) = store.equality.difference(a, b) {
            let holds = match op {
                Comparison::Equal => difference == 0,
                Comparison::Differs => difference != 0,
                Comparison::Less => difference < 0,
                Comparison::AtMost => difference <= 0,
                Comparison::Greater => difference > 0,
                Comparison::AtLeast => difference >= 0,
            };
            if holds {
                self.equal.push((a, b));
            }
            return holds;
        }
        let known = match op {
            Comparison::Equal => None,
            Comparison::Differs => {
                let (x, y) = if a.base > b.base { (a, b) } else { (b, a) };
                let atom = Atom::Equal(x.base, y.base, y.offset - x.offset);
                store
                    .known_atom(&atom)
                    .map(|v| Lit::new(v, false))
                    .filter(|&l| store.sat.value(l) == Some(true))
            }
            Comparison::Less => bounded(store, a.plus(1), b),
            Comparison::AtMost => bounded(store, a, b),
            Comparison::Greater => bounded(store, b.plus(1), a),
            Comparison::AtLeast => bounded(store, b, a),
        };
        self.reasons.extend(known);
        known.is_some()
    }
}

/// The literal that bounds `a <= b`.
fn bounded(store: &mut Store<'_>, a: Value, b: Value) -> Option<Lit> {
    let k = b.offset - a.offset;
    if a.base > b.base {
        let var = store.difference_var(a.base, b.base);
        store.linear.at_most(var, k)
    } else {
        let var = store.difference_var(b.base, a.base);
        store.linear.at_least(var, -k)
    }
}

/// The value of an expression. Numbers that grow beyond all measure have none.
pub(crate) fn evaluate(store: &mut Store<'_>, expr: &Expr, slots: &mut [Option<Value>]) -> Option<Value> {
    let (terms, constant) = collect(store, expr, slots)?;
    Some(match terms.as_slice() {
        [] => Value::number(constant),
        [(node, 1)] => Value { base: *node, offset: constant },
        _ => Value { base: store.sum(terms), offset: constant },
    })
}

const LARGEST: i128 = 1 << 90;

/// The expression as a sum of nodes, each once and in order, and a number.
fn collect(
    store: &mut Store<'_>,
    expr: &Expr,
    slots: &mut [Option<Value>],
) -> Option<(Vec<(Node, i128)>, i128)> {
    let small = |n: i128| (n.abs() < LARGEST).then_some(n);
    Some(match expr {
        Expr::Int(n) => (Vec::new(), small(*n)?),
        Expr::Fresh => (vec![(store.fresh("_").base, 1)], 0),
        Expr::Slot(slot) => {
            let value = match slots[*slot] {
                Some(value) => value,
                None => *slots[*slot].insert(store.fresh("x")),
            };
            let terms = if value.base == crate::equality::ZERO { Vec::new() } else { vec![(value.base, 1)] };
            (terms, small(value.offset)?)
        }
        Expr::Add(a, b) | Expr::Sub(a, b) => {
            let sign = if matches!(expr, Expr::Add(..)) { 1 } else { -1 };
            let (a, m) = collect(store, a, slots)?;
            let (b, n) = collect(store, b, slots)?;
            let mut sum: std::collections::BTreeMap<Node, i128> = a.into_iter().collect();
            for (node, c) in b {
                let total = sum.entry(node).or_insert(0);
                *total = small(*total + sign * c)?;
            }
            sum.retain(|_, c| *c != 0);
            (sum.into_iter().collect(), small(m + sign * n)?)
        }
        Expr::Mul(a, b) => {
            let (a, m) = collect(store, a, slots)?;
            let (b, n) = collect(store, b, slots)?;
            let (terms, own, factor) = match (a.is_empty(), b.is_empty()) {
                (_, true) => (a, m, n),
                (true, _) => (b, n, m),
                // A product of two unknowns is one more unknown.
                _ => return Some((vec![(store.fresh("product").base, 1)], 0)),
            };
            let mut scaled = Vec::new();
            for (node, c) in terms {
                scaled.push((node, small(c.checked_mul(factor)?)?));
            }
            scaled.retain(|&(_, c)| c != 0);
            (scaled, small(own.checked_mul(factor)?)?)
        }
    })
}

/// A body as clauses.
pub(crate) fn build_clauses(
    store: &mut Store<'_>,
    body: &Body,
    slots: &mut [Option<Value>],
) -> Result<Clauses, Conflict> {
    let mut clauses = Vec::new();
    conjunction(store, body, slots, &mut clauses)?;
    Ok(clauses
        .into_iter()
        .map(|clause| {
            let choice = (clause.len() > 1).then(|| store.new_choice(clause.clone()));
            (clause, choice)
        })
        .collect())
}

fn conjunction(
    store: &mut Store<'_>,
    body: &Body,
    slots: &mut [Option<Value>],
    out: &mut Vec<Vec<Lit>>,
) -> Result<(), Conflict> {
    if let Body::And(parts) = body {
        for part in parts {
            conjunction(store, part, slots, out)?;
        }
        return Ok(());
    }
    let mut clause = Vec::new();
    if !disjunction(store, body, slots, &mut clause)? {
        out.push(clause);
    }
    Ok(())
}

/// Collects the literals of a disjunction; gives true if it holds anyway.
fn disjunction(
    store: &mut Store<'_>,
    body: &Body,
    slots: &mut [Option<Value>],
    clause: &mut Vec<Lit>,
) -> Result<bool, Conflict> {
    if let Body::Or(parts) = body {
        for part in parts {
            if disjunction(store, part, slots, clause)? {
                return Ok(true);
            }
        }
        return Ok(false);
    }
    Ok(match literal(store, body, slots)? {
        Truth::Known(b) => b,
        Truth::Lit(lit) => {
            clause.push(lit);
            false
        }
    })
}

fn literal(store: &mut Store<'_>, body: &Body, slots: &mut [Option<Value>]) -> Result<Truth, Conflict> {
    // A term that cannot be computed is an unknown of its own: nothing follows from it.
    let mut value = |store: &mut Store<'_>, expr: &Expr| match evaluate(store, expr, slots) {
        Some(value) => value,
        None => store.fresh("huge"),
    };
    Ok(match body {
        Body::Bool(b) => Truth::Known(*b),
        Body::Holds { sign, symbol, args } => {
            let args = args.iter().map(|a| value(store, a)).collect();
            store.holds(*symbol, args).signed(*sign)
        }
        Body::Equal { sign, left, right } => {
            let (a, b) = (value(store, left), value(store, right));
            store.equal(a, b).signed(*sign)
        }
        Body::AtMost { sign, left, right } => {
            let (a, b) = (value(store, left), value(store, right));
            store.at_most(a, b).signed(*sign)
        }
        Body::And(_) | Body::Or(_) => {
            let mut clauses = Vec::new();
            conjunction(store, body, slots, &mut clauses)?;
            if clauses.is_empty() {
                return Ok(Truth::Known(true));
            }
            if clauses.iter().any(Vec::is_empty) {
                return Ok(Truth::Known(false));
            }
            if let [clause] = clauses.as_slice()
                && let [lit] = clause.as_slice()
            {
                return Ok(Truth::Lit(*lit));
            }
            Truth::Lit(store.new_part(clauses)?)
        }
    })
}
