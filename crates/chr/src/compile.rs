//! Rules and goals with names resolved: what the search works with.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::heap;
use crate::parse::{self, SyntaxError};
use crate::syntax::{Comparison, Constraint, Formula, Goal, Guard, Head, Position, Rule, Rules, Term};

/// A name of a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Symbol(pub u32);

/// `eq` of heaps is known to the equality solver as well.
pub(crate) const EQ: Symbol = Symbol(0);

#[derive(Clone, Debug)]
pub(crate) enum Expr {
    Slot(usize),
    Fresh,
    Int(i128),
    Add(Box<Expr>, Box<Expr>),
    Sub(Box<Expr>, Box<Expr>),
    Mul(Box<Expr>, Box<Expr>),
}

/// A formula in negation normal form.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    Bool(bool),
    Holds { sign: bool, symbol: Symbol, args: Vec<Expr> },
    Equal { sign: bool, left: Expr, right: Expr },
    AtMost { sign: bool, left: Expr, right: Expr },
    And(Vec<Body>),
    Or(Vec<Body>),
}

/// What an argument of a head must look like.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pattern {
    Any,
    Number(i128),
    /// The value in the slot plus a number.
    Slot(usize, i128),
}

#[derive(Clone, Debug)]
pub(crate) struct CompiledHead {
    pub sign: bool,
    pub symbol: Symbol,
    pub args: Vec<Pattern>,
    pub removed: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum CompiledGuard {
    Known(Comparison, Expr, Expr),
    Let(usize, Expr),
}

#[derive(Clone, Debug)]
pub(crate) struct CompiledRule {
    pub heads: Vec<CompiledHead>,
    pub guards: Vec<CompiledGuard>,
    pub body: Body,
    pub slots: usize,
    /// Whether the body has alternatives: such rules wait for the others.
    pub splits: bool,
}

#[derive(Debug)]
pub(crate) struct CompiledGoal {
    pub body: Body,
    pub names: Vec<String>,
}

/// Names, sorts and rules of one solver.
#[derive(Clone, Debug, Default)]
pub(crate) struct Compiled {
    pub rules: Vec<CompiledRule>,
    names: Vec<String>,
    arity: Vec<usize>,
    sorts: HashMap<Symbol, Vec<bool>>,
    by_name: HashMap<(String, usize), Symbol>,
    fixed: HashMap<String, (usize, Position)>,
    /// Names with numbers of arguments that are declared: one name may have several.
    declared: BTreeSet<(String, usize)>,
    partitions: BTreeSet<usize>,
}

impl Compiled {
    pub fn new(rules: &Rules) -> Result<Compiled, SyntaxError> {
        let mut compiled = Compiled::default();
        for (name, sorts) in heap::SORTS.iter().filter(|(n, _)| *n == "eq").chain(heap::SORTS) {
            let symbol = compiled.intern(name, sorts.len());
            compiled.sorts.insert(symbol, sorts.chars().map(|c| c == 'h').collect());
            compiled.fixed.insert((*name).to_owned(), (sorts.len(), Position::default()));
        }
        let built_in = |name: &str| heap::SORTS.iter().any(|(known, _)| *known == name);
        for t in rules.types.iter().filter(|t| !built_in(&t.name)) {
            compiled.declared.insert((t.name.clone(), t.sorts.len()));
        }
        for t in &rules.types {
            let constraint =
                Constraint { name: t.name.clone(), args: vec![Term::Any; t.sorts.len()], at: t.at };
            let symbol = compiled.symbol(&constraint)?;
            compiled.sorts.entry(symbol).or_insert_with(|| t.sorts.iter().map(|s| s == "heap").collect());
        }
        let built_in = parse::rules(heap::RULES)?;
        for rule in built_in.rules.iter().chain(&rules.rules) {
            compiled.add_rule(rule)?;
        }
        Ok(compiled)
    }

    pub fn name(&self, symbol: Symbol) -> &str {
        &self.names[symbol.0 as usize]
    }

    fn intern(&mut self, name: &str, arity: usize) -> Symbol {
        let next = Symbol(self.names.len() as u32);
        *self.by_name.entry((name.to_owned(), arity)).or_insert_with(|| {
            self.names.push(name.to_owned());
            self.arity.push(arity);
            next
        })
    }

    /// The symbol of a constraint; a name has one number of arguments everywhere, except `sep` and what is declared otherwise.
    fn symbol(&mut self, constraint: &Constraint) -> Result<Symbol, SyntaxError> {
        let (name, arity) = (constraint.name.as_str(), constraint.args.len());
        if name == "sep" {
            if arity < 3 {
                return Err(SyntaxError::new(constraint.at, "`sep` needs a heap and at least two parts"));
            }
            let symbol = self.intern(name, arity);
            self.sorts.insert(symbol, vec![true; arity]);
            if self.partitions.insert(arity - 1) {
                for rule in parse::rules(&heap::partition_rules(arity - 1))?.rules {
                    self.add_rule(&rule)?;
                }
            }
            return Ok(symbol);
        }
        if self.declared.contains(&(name.to_owned(), arity)) {
            return Ok(self.intern(name, arity));
        }
        let &mut (first, at) = self.fixed.entry(name.to_owned()).or_insert((arity, constraint.at));
        if first != arity {
            let place = if at == Position::default() { String::new() } else { format!(" at {at}") };
            let message = format!("`{name}` has {arity} arguments here and {first}{place}");
            return Err(SyntaxError::new(constraint.at, message));
        }
        Ok(self.intern(name, arity))
    }

    pub fn goal(&mut self, goal: &Goal) -> Result<CompiledGoal, SyntaxError> {
        let mut scope = Scope::default();
        self.find_heaps(&goal.formula, &mut scope)?;
        let body = self.body(&goal.formula, true, &mut scope, goal.at, 0)?;
        let mut names = vec![String::new(); scope.slots.len()];
        for (name, slot) in scope.slots {
            names[slot] = name;
        }
        Ok(CompiledGoal { body, names })
    }

    fn add_rule(&mut self, rule: &Rule) -> Result<(), SyntaxError> {
        let mut scope = Scope::default();
        for head in rule.kept.iter().chain(&rule.removed) {
            self.find_heaps(&Formula::Holds(head.constraint.clone()), &mut scope)?;
        }
        self.find_heaps(&rule.body, &mut scope)?;
        let mut heads = Vec::new();
        for (head, removed) in
            rule.kept.iter().map(|h| (h, false)).chain(rule.removed.iter().map(|h| (h, true)))
        {
            heads.push(self.head(head, removed, &mut scope)?);
        }
        if heads.is_empty() {
            return Err(SyntaxError::new(rule.at, "a rule needs a head"));
        }
        let mut guards = Vec::new();
        for guard in &rule.guards {
            guards.push(match guard {
                Guard::Known(op, a, b) => {
                    CompiledGuard::Known(*op, bound(a, &scope, rule.at)?, bound(b, &scope, rule.at)?)
                }
                Guard::Let(name, term) => {
                    let expr = bound(term, &scope, rule.at)?;
                    // A second value has to be the same one.
                    match scope.slots.contains_key(name) {
                        true => {
                            let first = bound(&Term::var(name), &scope, rule.at)?;
                            CompiledGuard::Known(Comparison::Equal, first, expr)
                        }
                        false => CompiledGuard::Let(scope.slot(name), expr),
                    }
                }
            });
        }
        let body = self.body(&rule.body, true, &mut scope, rule.at, 0)?;
        let splits = has_choice(&body);
        self.rules.push(CompiledRule { heads, guards, body, slots: scope.slots.len(), splits });
        Ok(())
    }

    fn head(&mut self, head: &Head, removed: bool, scope: &mut Scope) -> Result<CompiledHead, SyntaxError> {
        let symbol = self.symbol(&head.constraint)?;
        let mut args = Vec::new();
        for term in &head.constraint.args {
            args.push(match linear_pattern(term) {
                Some((None, n)) => Pattern::Number(n),
                Some((Some(name), n)) => Pattern::Slot(scope.slot(&name), n),
                None if *term == Term::Any => Pattern::Any,
                None => {
                    let message =
                        format!("`{term}` in a head: only a variable, a number, or their sum can be matched");
                    return Err(SyntaxError::new(head.constraint.at, message));
                }
            });
        }
        Ok(CompiledHead { sign: !head.negated, symbol, args, removed })
    }

    /// Marks the variables that stand where a heap is expected, and those that equal them.
    fn find_heaps(&mut self, formula: &Formula, scope: &mut Scope) -> Result<(), SyntaxError> {
        loop {
            let before = scope.heaps.len();
            self.mark_heaps(formula, scope)?;
            if scope.heaps.len() == before {
                return Ok(());
            }
        }
    }

    fn mark_heaps(&mut self, formula: &Formula, scope: &mut Scope) -> Result<(), SyntaxError> {
        match formula {
            Formula::Bool(_) => {}
            Formula::Holds(c) => {
                let symbol = self.symbol(c)?;
                if let Some(sorts) = self.sorts.get(&symbol) {
                    for (term, _) in c.args.iter().zip(sorts).filter(|(_, heap)| **heap) {
                        if let Term::Var(name) = term {
                            scope.heaps.insert(name.clone());
                        }
                    }
                }
            }
            Formula::Compare(_, Term::Var(a), Term::Var(b)) => {
                if scope.heaps.contains(a) || scope.heaps.contains(b) {
                    scope.heaps.insert(a.clone());
                    scope.heaps.insert(b.clone());
                }
            }
            Formula::Compare(..) => {}
            Formula::Not(f) => self.mark_heaps(f, scope)?,
            Formula::And(all) | Formula::Or(all) => {
                for f in all {
                    self.mark_heaps(f, scope)?;
                }
            }
            Formula::Iff(a, b) => {
                self.mark_heaps(a, scope)?;
                self.mark_heaps(b, scope)?;
            }
        }
        Ok(())
    }

    fn body(
        &mut self,
        formula: &Formula,
        sign: bool,
        scope: &mut Scope,
        at: Position,
        iffs: u32,
    ) -> Result<Body, SyntaxError> {
        Ok(match formula {
            Formula::Bool(b) => Body::Bool(*b == sign),
            Formula::Holds(c) => {
                let symbol = self.symbol(c)?;
                let mut args = Vec::new();
                for (position, term) in c.args.iter().enumerate() {
                    let heap = self.sorts.get(&symbol).is_some_and(|s| s.get(position) == Some(&true));
                    if heap && !matches!(term, Term::Var(_) | Term::Any) {
                        return Err(SyntaxError::new(
                            c.at,
                            format!("`{term}` stands where a heap is expected"),
                        ));
                    }
                    args.push(scope.expr(term));
                }
                Body::Holds { sign, symbol, args }
            }
            Formula::Compare(op, a, b) => {
                let heap = [a, b].iter().any(|t| matches!(t, Term::Var(n) if scope.heaps.contains(n)));
                if heap {
                    let sign = match op {
                        Comparison::Equal => sign,
                        Comparison::Differs => !sign,
                        _ => {
                            return Err(SyntaxError::new(at, format!("`{a} {op} {b}`: heaps have no order")));
                        }
                    };
                    let args = vec![scope.expr(a), scope.expr(b)];
                    return Ok(Body::Holds { sign, symbol: EQ, args });
                }
                let (left, right) = (scope.expr(a), scope.expr(b));
                match op {
                    Comparison::Equal => Body::Equal { sign, left, right },
                    Comparison::Differs => Body::Equal { sign: !sign, left, right },
                    Comparison::AtMost => Body::AtMost { sign, left, right },
                    Comparison::Greater => Body::AtMost { sign: !sign, left, right },
                    Comparison::AtLeast => Body::AtMost { sign, left: right, right: left },
                    Comparison::Less => Body::AtMost { sign: !sign, left: right, right: left },
                }
            }
            Formula::Not(f) => self.body(f, !sign, scope, at, iffs)?,
            Formula::And(all) | Formula::Or(all) => {
                let mut parts = Vec::new();
                for f in all {
                    parts.push(self.body(f, sign, scope, at, iffs)?);
                }
                if matches!(formula, Formula::And(_)) == sign { Body::And(parts) } else { Body::Or(parts) }
            }
            Formula::Iff(a, b) => {
                if iffs >= 6 {
                    return Err(SyntaxError::new(at, "`<->` is nested too deep"));
                }
                let mut side = |f: &Formula, s: bool, scope: &mut Scope| self.body(f, s, scope, at, iffs + 1);
                let implies = |a: Body, b: Body| Body::Or(vec![a, b]);
                // a <-> b is (not a or b) and (a or not b); a xor b is (a or b) and (not a or not b).
                Body::And(vec![
                    implies(side(a, false, scope)?, side(b, sign, scope)?),
                    implies(side(a, true, scope)?, side(b, !sign, scope)?),
                ])
            }
        })
    }
}

fn has_choice(body: &Body) -> bool {
    match body {
        Body::Or(parts) => parts.len() > 1,
        Body::And(parts) => parts.iter().any(has_choice),
        _ => false,
    }
}

/// `x`, `n`, `x + n`, `x - n`.
fn linear_pattern(term: &Term) -> Option<(Option<String>, i128)> {
    Some(match term {
        Term::Var(name) => (Some(name.clone()), 0),
        Term::Int(n) => (None, *n),
        Term::Add(a, b) => match (linear_pattern(a)?, linear_pattern(b)?) {
            ((Some(_), _), (Some(_), _)) => return None,
            ((x, m), (y, n)) => (x.or(y), m + n),
        },
        Term::Sub(a, b) => match (linear_pattern(a)?, linear_pattern(b)?) {
            ((x, m), (None, n)) => (x, m - n),
            _ => return None,
        },
        Term::Any | Term::Mul(..) => return None,
    })
}

/// An expression of a guard: all its variables have values.
fn bound(term: &Term, scope: &Scope, at: Position) -> Result<Expr, SyntaxError> {
    let both = |a: &Term, b: &Term| Ok((Box::new(bound(a, scope, at)?), Box::new(bound(b, scope, at)?)));
    Ok(match term {
        Term::Var(name) => match scope.slots.get(name) {
            Some(&slot) => Expr::Slot(slot),
            None => return Err(SyntaxError::new(at, format!("`{name}` of the guard occurs in no head"))),
        },
        Term::Any => return Err(SyntaxError::new(at, "`_` in a guard has no value")),
        Term::Int(n) => Expr::Int(*n),
        Term::Add(a, b) => both(a, b).map(|(a, b)| Expr::Add(a, b))?,
        Term::Sub(a, b) => both(a, b).map(|(a, b)| Expr::Sub(a, b))?,
        Term::Mul(a, b) => both(a, b).map(|(a, b)| Expr::Mul(a, b))?,
    })
}

#[derive(Default)]
struct Scope {
    slots: BTreeMap<String, usize>,
    heaps: BTreeSet<String>,
}

impl Scope {
    fn slot(&mut self, name: &str) -> usize {
        let next = self.slots.len();
        *self.slots.entry(name.to_owned()).or_insert(next)
    }

    fn expr(&mut self, term: &Term) -> Expr {
        match term {
            Term::Var(name) => Expr::Slot(self.slot(name)),
            Term::Any => Expr::Fresh,
            Term::Int(n) => Expr::Int(*n),
            Term::Add(a, b) => Expr::Add(Box::new(self.expr(a)), Box::new(self.expr(b))),
            Term::Sub(a, b) => Expr::Sub(Box::new(self.expr(a)), Box::new(self.expr(b))),
            Term::Mul(a, b) => Expr::Mul(Box::new(self.expr(a)), Box::new(self.expr(b))),
        }
    }
}
