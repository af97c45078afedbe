//! Which templates a loop gets: what the program compares, counts with and asserts says which rows may help.

use crate::domain::{Bound, Domain, Equations, Expr, Guarded, Holds, LowBits, OneOf};
use crate::ssa::{Loop, Role, Ssa};
use crate::strategy::Template;
use heapproof_logic::{BvOp, Kind, Sort, Term};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// The most expressions of a system of equations.
const MOST_EQUATED: usize = 10;
/// The most pairs of one loop.
const MOST_PAIRS: usize = 24;
/// The most conditions of one loop.
const MOST_CONDITIONS: usize = 60;
/// The largest condition that is considered.
const LARGEST: usize = 160;
/// With so few numbers all pairs of them are considered.
const FEW: usize = 4;

/// A number that a loop changes, or that it compares with.
#[derive(Clone, Debug)]
struct Dim {
    expr: Expr,
    signed: bool,
    changes: bool,
    when: Option<Expr>,
}

/// How often a bound on one number, and on two, may move before it is searched for.
const MOVES: (u32, u32) = (10, 4);

/// Which templates are tried, one level after the other; each may use what the levels before have shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Points-to rows, few values, conditions of the program.
    Conditions,
    /// Intervals and equations.
    Numbers,
    /// Differences and sums of pairs, low bits.
    Pairs,
}

impl Level {
    /// All, the cheapest first.
    pub const ALL: [Level; 3] = [Level::Conditions, Level::Numbers, Level::Pairs];
}

/// Chooses the templates of all loops.
pub fn templates(ssa: &Ssa, level: Level) -> Vec<Template> {
    let definitions: HashMap<Term, Term> = ssa.definitions.iter().cloned().collect();
    let thresholds = Arc::new(thresholds(ssa));
    let choose = |l: &Loop| Chooser::new(ssa, l, &definitions, &thresholds).template(level);
    ssa.loops.iter().map(choose).collect()
}

/// Numbers at which bounds may stay: the constants of the program and their neighbours.
fn thresholds(ssa: &Ssa) -> Vec<i128> {
    let mut found = BTreeSet::from([-1, 0, 1]);
    let terms = ssa.definitions.iter().map(|(_, term)| term).chain(&ssa.conditions);
    for node in Term::dag(terms) {
        if let (Some(bits), Sort::Bits(width)) = (node.as_bits(), node.sort())
            && *width > 1
            && *width <= 64
        {
            let number = heapproof_ir::sign_extend(bits, *width);
            found.extend([number - 1, number, number + 1, -number - 1, -number, -number + 1]);
        }
    }
    found.into_iter().collect()
}

struct Chooser<'a> {
    ssa: &'a Ssa,
    l: &'a Loop,
    definitions: &'a HashMap<Term, Term>,
    thresholds: &'a Arc<Vec<i128>>,
    dims: Vec<Dim>,
    /// Conditions over what the loop starts an iteration with.
    conditions: Vec<Term>,
}

impl<'a> Chooser<'a> {
    fn new(
        ssa: &'a Ssa,
        l: &'a Loop,
        definitions: &'a HashMap<Term, Term>,
        thresholds: &'a Arc<Vec<i128>>,
    ) -> Self {
        let mut this = Chooser { ssa, l, definitions, thresholds, dims: Vec::new(), conditions: Vec::new() };
        this.find_conditions();
        this.find_dims();
        this
    }

    /// Conditions of the program that depend only on values at the head of this loop and from before it.
    fn find_conditions(&mut self) {
        let phis: BTreeSet<Term> = self.l.vars.iter().map(|v| v.phi.clone()).collect();
        let never = self.ssa.obligations.iter().map(|o| Term::not(o.bad.clone()));
        let mut seen = BTreeSet::new();
        for condition in self.ssa.conditions.iter().cloned().chain(never) {
            let Some(expanded) = self.expanded(&condition, &phis) else { continue };
            if expanded.is_constant() || !expanded.vars().iter().any(|v| phis.contains(v)) {
                continue;
            }
            if seen.insert(expanded.clone()) && self.conditions.len() < MOST_CONDITIONS {
                self.conditions.push(expanded);
            }
        }
    }

    fn expanded(&self, term: &Term, phis: &BTreeSet<Term>) -> Option<Term> {
        let mut term = term.clone();
        for _ in 0..40 {
            let mut replace = HashMap::new();
            for var in term.vars() {
                if phis.contains(&var) {
                    continue;
                }
                let number = self.ssa.number(&var).unwrap_or(u64::MAX);
                match self.definitions.get(&var) {
                    _ if number <= self.l.before => {}
                    Some(definition) => drop(replace.insert(var, definition.clone())),
                    None => return None,
                }
            }
            if replace.is_empty() {
                return Some(term);
            }
            term = term.substituted(&replace);
            if Term::dag([&term]).len() > LARGEST {
                return None;
            }
        }
        None
    }

    /// A term over values at the head, at both sides.
    fn both(&self, term: &Term) -> Expr {
        let back: HashMap<Term, Term> = self.l.vars.iter().map(|v| (v.phi.clone(), v.back.clone())).collect();
        let end: HashMap<Term, Term> = self.l.vars.iter().map(|v| (v.phi.clone(), v.latch.clone())).collect();
        Expr { name: term.to_string(), back: term.substituted(&back), end: term.substituted(&end) }
    }

    fn find_dims(&mut self) {
        for var in &self.l.vars {
            let Role::Number { signed } = var.role else { continue };
            if !matches!(var.back.sort(), Sort::Bits(2..=64)) {
                continue;
            }
            let expr = Expr { name: var.name.clone(), back: var.back.clone(), end: var.latch.clone() };
            let when = var.when.as_ref().map(|(back, end)| Expr {
                name: "made".to_owned(),
                back: back.clone(),
                end: end.clone(),
            });
            self.dims.push(Dim { expr, signed, changes: true, when });
        }
        let phis: BTreeSet<Term> = self.l.vars.iter().map(|v| v.phi.clone()).collect();
        let mut params: BTreeSet<Term> = BTreeSet::new();
        for condition in &self.conditions {
            params.extend(condition.vars().into_iter().filter(|v| !phis.contains(v)));
        }
        params.extend(self.l.vars.iter().flat_map(|v| v.entry.vars()));
        for param in params {
            if matches!(param.sort(), Sort::Bits(2..=64)) && self.ssa.number(&param) <= Some(self.l.before) {
                let name = param.to_string();
                let expr = Expr { name, back: param.clone(), end: param };
                self.dims.push(Dim { expr, signed: true, changes: false, when: None });
            }
        }
    }

    fn template(self, level: Level) -> Template {
        let mut domains: Vec<Box<dyn Domain>> = Vec::new();
        match level {
            Level::Conditions => {
                self.few_values(&mut domains);
                self.program_conditions(&mut domains);
            }
            Level::Numbers => {
                self.dims.iter().filter(|d| d.changes).for_each(|dim| self.intervals(dim, &mut domains));
                self.equations(&mut domains);
            }
            Level::Pairs => {
                self.pairs(&mut domains);
                for dim in self.dims.iter().filter(|dim| dim.changes) {
                    let bits = LowBits { expr: dim.expr.clone(), known: None };
                    domains.push(guarded(&dim.when, Box::new(bits)));
                }
            }
        }
        Template { domains, reached: false }
    }

    fn few_values(&self, domains: &mut Vec<Box<dyn Domain>>) {
        for var in &self.l.vars {
            let most = match var.role {
                Role::Object => 64,
                Role::Offset | Role::Ghost => 4,
                Role::Number { .. } => 3,
            };
            let expr = Expr { name: var.name.clone(), back: var.back.clone(), end: var.latch.clone() };
            let inner = Box::new(OneOf { expr, values: BTreeSet::new(), most });
            let when = var.when.as_ref().map(|(back, end)| Expr {
                name: "made".to_owned(),
                back: back.clone(),
                end: end.clone(),
            });
            domains.push(guarded(&when, inner));
        }
    }

    fn program_conditions(&self, domains: &mut Vec<Box<dyn Domain>>) {
        for condition in &self.conditions {
            for condition in [condition.clone(), Term::not(condition.clone())] {
                let expr = self.both(&condition);
                domains.push(Box::new(Holds { expr, claimed: true, seen: false }));
            }
        }
    }

    fn intervals(&self, dim: &Dim, domains: &mut Vec<Box<dyn Domain>>) {
        let x = widened(&dim.expr, dim.signed, 1);
        let minus = mapped(&x, &format!("-{}", x.name), Term::bv_neg);
        for expr in [x, minus] {
            domains.push(guarded(&dim.when, Box::new(Bound::new(expr, self.thresholds, MOVES.0))));
        }
    }

    fn equations(&self, domains: &mut Vec<Box<dyn Domain>>) {
        let widths: BTreeSet<u8> = self.dims.iter().map(|d| d.expr.back.width()).collect();
        for width in widths {
            let chosen = self.dims.iter().filter(|d| d.when.is_none() && d.expr.back.width() == width);
            let exprs: Vec<Expr> = chosen.map(|d| d.expr.clone()).take(MOST_EQUATED).collect();
            if exprs.len() > 1 {
                domains.push(Box::new(Equations::new(exprs)));
            }
        }
    }

    /// Differences and sums of pairs that the program compares; with few numbers, of all pairs.
    fn pairs(&self, domains: &mut Vec<Box<dyn Domain>>) {
        let phi_of: HashMap<Term, usize> = self
            .l
            .vars
            .iter()
            .map(|v| (&v.back, &v.phi))
            .filter_map(|(back, phi)| {
                let at = self.dims.iter().position(|d| d.expr.back == *back)?;
                Some((phi.clone(), at))
            })
            .chain(
                self.dims
                    .iter()
                    .enumerate()
                    .filter(|(_, d)| !d.changes)
                    .map(|(n, d)| (d.expr.back.clone(), n)),
            )
            .collect();
        let mut pairs: BTreeSet<(usize, usize)> = BTreeSet::new();
        for condition in &self.conditions {
            for node in Term::dag([condition]) {
                if !is_comparison(&node) {
                    continue;
                }
                let found: BTreeSet<usize> =
                    node.vars().iter().filter_map(|v| phi_of.get(v).copied()).collect();
                for a in &found {
                    pairs.extend(found.iter().filter(|b| *b > a).map(|b| (*a, *b)));
                }
            }
        }
        if self.dims.len() <= FEW {
            for a in 0..self.dims.len() {
                pairs.extend((a + 1..self.dims.len()).map(|b| (a, b)));
            }
        }
        let useful = |(a, b): &(usize, usize)| {
            let (x, y) = (&self.dims[*a], &self.dims[*b]);
            (x.changes || y.changes) && x.expr.back.width() == y.expr.back.width()
        };
        for (a, b) in pairs.into_iter().filter(useful).take(MOST_PAIRS) {
            let (x, y) = (&self.dims[a], &self.dims[b]);
            let signed = if x.changes { x.signed } else { y.signed };
            let when = x.when.clone().or_else(|| y.when.clone());
            let (x, y) = (widened(&x.expr, signed, 2), widened(&y.expr, signed, 2));
            let combine = |op: BvOp, sign: &str, negative: bool| {
                let term = |p: &Term, q: &Term| {
                    let t = Term::bv(op, p.clone(), q.clone());
                    if negative { Term::bv_neg(t) } else { t }
                };
                let minus = if negative { "-" } else { "" };
                Expr {
                    name: format!("{minus}({} {sign} {})", x.name, y.name),
                    back: term(&x.back, &y.back),
                    end: term(&x.end, &y.end),
                }
            };
            for expr in [
                combine(BvOp::Sub, "-", false),
                combine(BvOp::Sub, "-", true),
                combine(BvOp::Add, "+", false),
                combine(BvOp::Add, "+", true),
            ] {
                domains.push(guarded(&when, Box::new(Bound::new(expr, self.thresholds, MOVES.1))));
            }
        }
    }
}

fn is_comparison(term: &Term) -> bool {
    matches!(term.kind(), Kind::Op(heapproof_logic::Op::Rel(_) | heapproof_logic::Op::Eq))
}

fn mapped(expr: &Expr, name: &str, f: impl Fn(Term) -> Term) -> Expr {
    Expr { name: name.to_owned(), back: f(expr.back.clone()), end: f(expr.end.clone()) }
}

/// A number in so many more bits that nothing wraps.
fn widened(expr: &Expr, signed: bool, by: u8) -> Expr {
    let name = if signed { expr.name.clone() } else { format!("u{}", expr.name) };
    let width = expr.back.width() + by + u8::from(!signed);
    mapped(expr, &name, |term| term.resized(width, signed))
}

fn guarded(when: &Option<Expr>, inner: Box<dyn Domain>) -> Box<dyn Domain> {
    match when {
        None => inner,
        Some(when) => Box::new(Guarded { when: when.clone(), inner }),
    }
}
