//! Which templates a loop gets: what the program compares, counts with and asserts says which rows may help.

use crate::combine::Guarded;
use crate::domain::{Bound, Domain, Expr, Holds, LowBits, OneOf, Owner};
use crate::equations::Equations;
use crate::ssa::{Loop, LoopVar, Role, Ssa};
use crate::strategy::Template;
use crate::value::{NULL, obj_term};
use heapproof_logic::{BvOp, BvRel, Kind, Sort, Term};
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
/// The most times that the names in a term are replaced by what they stand for.
const MOST_UNFOLDINGS: u32 = 40;
/// With so few numbers all pairs of them are considered.
const FEW: usize = 4;

/// A number that a loop changes, or that it compares with.
#[derive(Clone, Debug)]
pub struct Dim {
    /// The number.
    pub expr: Expr,
    /// It has a sign.
    pub signed: bool,
    /// The loop changes it.
    pub changes: bool,
    /// It says something only then.
    pub when: Option<Expr>,
}

/// How often a bound on one number, and on two, may move before it is searched for.
pub const MOVES: (u32, u32) = (10, 4);

/// Which templates are tried, one level after the other; each may use what the levels before have shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Points-to rows and few values.
    Targets,
    /// Points-to rows, few values, conditions of the program.
    Conditions,
    /// Intervals and equations.
    Numbers,
    /// Differences and sums of pairs, low bits.
    Pairs,
    /// Elements of arrays.
    Elements,
    /// All of these for each branch of the loop on its own.
    Branches,
    /// Which blocks of an allocation lead to which.
    Shapes,
    /// Numbers of one block for each state of it, and of two blocks of which one leads to the other.
    Blocks,
}

impl Level {
    /// All about numbers, the cheapest first.
    pub const NUMBERS: [Level; 6] =
        [Level::Conditions, Level::Numbers, Level::Elements, Level::Blocks, Level::Pairs, Level::Branches];
    /// Those for several blocks of an allocation.
    pub const SHAPES: [Level; 2] = [Level::Targets, Level::Shapes];
}

/// Chooses the templates of all loops.
pub fn templates(ssa: &Ssa, level: Level) -> Vec<Template> {
    let definitions: HashMap<Term, Term> = ssa.definitions.iter().cloned().collect();
    let thresholds = Arc::new(thresholds(ssa));
    let neutral = neutral(ssa);
    let choose = |(n, l): (usize, &Loop)| {
        let domains = Chooser::new(ssa, l, &definitions, &thresholds, &neutral).domains(level);
        let hits = domains.iter().map(|domain| hits(ssa, n, domain.as_ref(), &neutral)).collect();
        Template { domains, hits, reached: false }
    };
    ssa.loops.iter().enumerate().map(choose).collect()
}

/// What may be assumed of reads in a loop while a domain is examined: witnesses that it does not speak about are free.
///
/// A claim speaks about a witness if it speaks about a field of it, or about an object at all: `p` leads to no witness, say.
fn hits(ssa: &Ssa, l: usize, domain: &dyn Domain, neutral: &BTreeSet<Term>) -> Term {
    let vars: BTreeSet<Term> = domain.exprs().iter().flat_map(|e| e.back.vars()).collect();
    if fault!(22) {
        return ssa.hits_in_loop(l, &BTreeSet::new());
    }
    if let Some(owners) = domain.owners() {
        return ssa.hits_in_loop(l, owners);
    }
    let mut owners: BTreeSet<Owner> = BTreeSet::new();
    for var in vars {
        let mut all = ssa.loops.iter().flat_map(|l| &l.vars);
        let known = all.find(|v| v.back == var || v.phi == var);
        match known.and_then(|v| v.owner) {
            Some(owner) if known.is_some_and(|v| matches!(v.role, Role::Number { .. } | Role::Ghost)) => {
                owners.insert(owner);
            }
            _ if neutral.contains(&var) || fault!(23) => {}
            // It may depend on which blocks are witnesses: no choice is left.
            _ => return Term::truth(true),
        }
    }
    ssa.hits_in_loop(l, &owners)
}

/// Variables whose value is that of a number of the program, whichever blocks are witnesses.
fn neutral(ssa: &Ssa) -> BTreeSet<Term> {
    let numbers = ssa
        .loops
        .iter()
        .flat_map(|l| &l.vars)
        .filter(|v| v.owner.is_none() && matches!(v.role, Role::Number { .. } | Role::Ghost));
    let mut neutral: BTreeSet<Term> = ssa.inputs.iter().map(|input| input.value.clone()).collect();
    neutral.extend(numbers.map(|v| v.back.clone()));
    neutral.extend(ssa.loops.iter().map(|l| l.select.clone()));
    for (var, definition) in &ssa.definitions {
        if definition.vars().iter().all(|v| neutral.contains(v)) {
            neutral.insert(var.clone());
        }
    }
    neutral
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

/// Chooses the template of one loop.
pub struct Chooser<'a> {
    /// The formula.
    pub ssa: &'a Ssa,
    /// The loop.
    pub l: &'a Loop,
    /// What variables are.
    pub definitions: &'a HashMap<Term, Term>,
    /// Numbers at which bounds may stay.
    pub thresholds: &'a Arc<Vec<i128>>,
    /// Variables that do not depend on which blocks are witnesses.
    pub neutral: &'a BTreeSet<Term>,
    /// Numbers.
    pub dims: Vec<Dim>,
    /// Conditions over what the loop starts an iteration with.
    pub conditions: Vec<Term>,
    back: HashMap<Term, Term>,
    end: HashMap<Term, Term>,
}

impl<'a> Chooser<'a> {
    fn new(
        ssa: &'a Ssa,
        l: &'a Loop,
        definitions: &'a HashMap<Term, Term>,
        thresholds: &'a Arc<Vec<i128>>,
        neutral: &'a BTreeSet<Term>,
    ) -> Self {
        let mut this = Chooser {
            ssa,
            l,
            definitions,
            thresholds,
            neutral,
            dims: Vec::new(),
            conditions: Vec::new(),
            back: l.vars.iter().map(|v| (v.phi.clone(), v.back.clone())).collect(),
            end: l.vars.iter().map(|v| (v.phi.clone(), v.latch.clone())).collect(),
        };
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
        unfolded(term.clone(), LARGEST, |var| {
            let is_before = self.ssa.number(var).is_some_and(|number| number <= self.l.before);
            if phis.contains(var) || is_before {
                return Unfold::Keep;
            }
            self.definitions.get(var).map_or(Unfold::Fail, |definition| Unfold::Into(definition.clone()))
        })
    }

    /// A term over values at the head, at both sides.
    pub fn both(&self, term: &Term) -> Expr {
        let name = term.to_string();
        let end = if fault!(24) { &self.back } else { &self.end };
        Expr { name, back: term.substituted(&self.back), end: term.substituted(end) }
    }

    fn find_dims(&mut self) {
        for var in &self.l.vars {
            let Role::Number { signed } = var.role else { continue };
            if !matches!(var.back.sort(), Sort::Bits(2..=64)) {
                continue;
            }
            let expr = expr_of(var);
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
        let plain = self.l.vars.iter().filter(|v| v.when.is_none());
        params.extend(plain.flat_map(|v| v.entry.vars()));
        for param in params {
            if matches!(param.sort(), Sort::Bits(2..=64)) && self.ssa.number(&param) <= Some(self.l.before) {
                let name = param.to_string();
                let expr = Expr { name, back: param.clone(), end: param };
                self.dims.push(Dim { expr, signed: true, changes: false, when: None });
            }
        }
    }

    fn domains(self, level: Level) -> Vec<Box<dyn Domain>> {
        let mut domains: Vec<Box<dyn Domain>> = Vec::new();
        match level {
            Level::Targets => self.few_values(&mut domains),
            Level::Conditions => {
                self.few_values(&mut domains);
                self.program_conditions(&mut domains);
                self.orders(&mut domains);
            }
            Level::Numbers => {
                self.dims.iter().filter(|d| d.changes).for_each(|dim| self.intervals(dim, &mut domains));
                self.equations(&mut domains);
            }
            Level::Elements => self.element_rows(&mut domains),
            Level::Branches => self.branches(&mut domains),
            Level::Shapes => self.shapes(&mut domains),
            Level::Blocks => self.blocks(&mut domains),
            Level::Pairs => {
                self.pairs(&mut domains);
                self.remainders(&mut domains);
                for dim in self.dims.iter().filter(|dim| dim.changes) {
                    let bits = LowBits { expr: dim.expr.clone(), known: None };
                    domains.push(guarded(&dim.when, Box::new(bits)));
                }
            }
        }
        domains
    }

    fn few_values(&self, domains: &mut Vec<Box<dyn Domain>>) {
        for var in &self.l.vars {
            let most = match var.role {
                Role::Object => 64,
                Role::Offset | Role::Ghost => 4,
                Role::Number { .. } => 3,
            };
            let inner = Box::new(OneOf { expr: expr_of(var), values: BTreeSet::new(), most });
            let when = var.when.as_ref().map(|(back, end)| Expr {
                name: "made".to_owned(),
                back: back.clone(),
                end: end.clone(),
            });
            domains.push(guarded(&when, inner));
            if var.role == Role::Object && var.owner.is_none() && !self.ssa.sites.is_empty() {
                domains.push(never_null(&expr_of(var)));
            }
            for (obj, back, end) in &var.leads {
                let is = |term: &Term| Term::eq(term.clone(), obj_term(*obj));
                let expr = Expr {
                    name: format!("{} = {obj} ==> made", var.name),
                    back: Term::implies(is(&var.back), back.clone()),
                    end: Term::implies(is(&var.latch), end.clone()),
                };
                let inner = Box::new(Holds { expr, claimed: true, seen: false });
                domains.push(guarded(&when, inner));
            }
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
        for expr in both_signs(&dim.expr, dim.signed) {
            domains.push(guarded(&dim.when, Box::new(Bound::new(expr, self.thresholds, MOVES.0))));
        }
    }

    /// Equations between all numbers of a width.
    pub fn equations(&self, domains: &mut Vec<Box<dyn Domain>>) {
        let widths: BTreeSet<u8> = self.dims.iter().map(|d| d.expr.back.width()).collect();
        for width in widths {
            let chosen = self.dims.iter().filter(|d| d.when.is_none() && d.expr.back.width() == width);
            let exprs: Vec<Expr> = chosen.map(|d| d.expr.clone()).take(MOST_EQUATED).collect();
            if exprs.len() > 1 {
                domains.push(Box::new(Equations::new(exprs)));
            }
        }
    }

    /// The numbers of the loop that a value may be made of; conditions of choices do not count.
    pub fn sources(&self, term: &Term, phi_of: &HashMap<Term, usize>) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut stack = vec![term.clone()];
        while let Some(term) = stack.pop() {
            if !seen.insert(term.clone()) || seen.len() > LARGEST {
                continue;
            }
            if let Some(at) = phi_of.get(&term) {
                found.insert(*at);
            } else if let Some(definition) = self.definitions.get(&term) {
                stack.push(definition.clone());
            } else if matches!(term.kind(), Kind::Op(heapproof_logic::Op::Ite)) {
                stack.extend(term.args()[1..].iter().cloned());
            } else {
                stack.extend(term.args().iter().cloned());
            }
        }
        found
    }

    /// Pairs that the program compares; with few numbers, all pairs.
    fn compared(&self) -> Vec<(&Dim, &Dim)> {
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
        for condition in &self.ssa.conditions {
            for node in Term::dag([condition]).into_iter().filter(is_comparison) {
                if !matches!(node.args()[0].sort(), Sort::Bits(2..=64)) || node.args().len() != 2 {
                    continue;
                }
                let sides: Vec<BTreeSet<usize>> =
                    node.args().iter().map(|side| self.sources(side, &phi_of)).collect();
                for a in &sides[0] {
                    let others = sides[1].iter().filter(|b| *b != a);
                    pairs.extend(others.map(|b| (*a.min(b), *a.max(b))));
                }
            }
        }
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
        let pairs = pairs.into_iter().filter(useful).take(MOST_PAIRS);
        pairs.map(|(a, b)| (&self.dims[a], &self.dims[b])).collect()
    }

    /// Which of two numbers is not less than the other.
    pub fn orders(&self, domains: &mut Vec<Box<dyn Domain>>) {
        for (x, y) in self.compared() {
            let signed = if x.changes { x.signed } else { y.signed };
            let rel = if signed { BvRel::Sle } else { BvRel::Ule };
            for (a, b) in [(x, y), (y, x)] {
                let expr = Expr {
                    name: format!("{} <= {}", a.expr.name, b.expr.name),
                    back: Term::rel(rel, a.expr.back.clone(), b.expr.back.clone()),
                    end: Term::rel(rel, a.expr.end.clone(), b.expr.end.clone()),
                };
                let inner = Box::new(Holds { expr, claimed: true, seen: false });
                domains.push(guarded(&both_made(x, y), inner));
            }
        }
    }

    /// Differences and sums of pairs.
    fn pairs(&self, domains: &mut Vec<Box<dyn Domain>>) {
        for (x, y) in self.compared() {
            let signed = if x.changes { x.signed } else { y.signed };
            let when = both_made(x, y);
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
                domains.push(guarded(
                    &when,
                    Box::new(Bound::new(expr, self.thresholds, MOVES.1).without_search()),
                ));
            }
        }
    }
}

/// A variable of a loop at both places.
fn expr_of(var: &LoopVar) -> Expr {
    Expr { name: var.name.clone(), back: var.back.clone(), end: var.latch.clone() }
}

/// A pointer of the program is not null. That is so or not whichever blocks are witnesses, so the claim speaks about none.
fn never_null(object: &Expr) -> Box<dyn Domain> {
    let name = format!("{} is not null", object.name);
    let expr = mapped(object, &name, |object| Term::not(Term::eq(object, obj_term(NULL))));
    let inner = Box::new(Holds { expr, claimed: true, seen: false });
    Box::new(Guarded { when: None, owners: Some(BTreeSet::new()), inner })
}

/// Both numbers say something.
fn both_made(x: &Dim, y: &Dim) -> Option<Expr> {
    match (&x.when, &y.when) {
        (Some(a), Some(b)) if a != b => Some(Expr {
            name: "both made".to_owned(),
            back: Term::and([a.back.clone(), b.back.clone()]),
            end: Term::and([a.end.clone(), b.end.clone()]),
        }),
        (a, b) => a.clone().or_else(|| b.clone()),
    }
}

/// What becomes of a variable of a term.
pub enum Unfold {
    /// It stays.
    Keep,
    /// It is replaced.
    Into(Term),
    /// The term is of no use.
    Fail,
}

/// A term with its variables replaced again and again; none if it grows too large.
pub fn unfolded(mut term: Term, largest: usize, unfold: impl Fn(&Term) -> Unfold) -> Option<Term> {
    for _ in 0..MOST_UNFOLDINGS {
        let mut replace = HashMap::new();
        for var in term.vars() {
            match unfold(&var) {
                Unfold::Keep => {}
                Unfold::Into(other) => drop(replace.insert(var, other)),
                Unfold::Fail => return None,
            }
        }
        if replace.is_empty() {
            return Some(term);
        }
        term = term.substituted(&replace);
        if Term::dag([&term]).len() > largest {
            return None;
        }
    }
    None
}

/// True for a comparison.
pub fn is_comparison(term: &Term) -> bool {
    matches!(term.kind(), Kind::Op(heapproof_logic::Op::Rel(_) | heapproof_logic::Op::Eq))
}

fn mapped(expr: &Expr, name: &str, f: impl Fn(Term) -> Term) -> Expr {
    Expr { name: name.to_owned(), back: f(expr.back.clone()), end: f(expr.end.clone()) }
}

/// A number in so many more bits that nothing wraps.
pub fn widened(expr: &Expr, signed: bool, by: u8) -> Expr {
    let name = if signed { expr.name.clone() } else { format!("u{}", expr.name) };
    let width = expr.back.width() + by + u8::from(!signed);
    mapped(expr, &name, |term| term.resized(width, signed))
}

/// A number and its negative, so that an upper bound on each makes a range.
fn both_signs(expr: &Expr, signed: bool) -> [Expr; 2] {
    let x = widened(expr, signed, 1);
    let minus = mapped(&x, &format!("-{}", x.name), Term::bv_neg);
    [x, minus]
}

/// The range of a number, between numbers of the program only.
pub fn bounds(
    expr: &Expr,
    signed: bool,
    thresholds: &Arc<Vec<i128>>,
    moves: u32,
) -> impl Iterator<Item = Box<dyn Domain>> {
    both_signs(expr, signed).into_iter().map(move |expr| -> Box<dyn Domain> {
        Box::new(Bound::new(expr, thresholds, moves).without_search())
    })
}

/// A domain under a condition, if there is one.
pub fn guarded(when: &Option<Expr>, inner: Box<dyn Domain>) -> Box<dyn Domain> {
    match when {
        None => inner,
        when => Box::new(Guarded { when: when.clone(), owners: None, inner }),
    }
}
