//! Domains: what an invariant may say about a loop. Each is a part of a template with parameters (paper, sections II-B and IV).
//!
//! A domain claims something of the values at the end of every iteration. It starts with nothing seen (false), and a model of the solver
//! that breaks its claim is joined into its parameters.

use heapproof_logic::{BvRel, Model, Term, Value};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

/// The two places at which a claim is needed: the loop-back variables, and the values at the end of the last iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Loop-back variables.
    Back,
    /// Values at the end.
    End,
}

/// An expression at both places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// For people.
    pub name: String,
    /// Over loop-back variables.
    pub back: Term,
    /// Over values at the end.
    pub end: Term,
}

impl Expr {
    /// At one place.
    pub fn at(&self, side: Side) -> &Term {
        match side {
            Side::Back => &self.back,
            Side::End => &self.end,
        }
    }
}

/// Part of a template.
pub trait Domain {
    /// What it claims; none if it claims nothing any more.
    fn claim(&self, side: Side) -> Option<Term>;

    /// Makes the claim weaker, so that it holds for the values at the end in a model.
    fn join(&mut self, model: &Model);

    /// Claims nothing from now on.
    fn give_up(&mut self);

    /// For people; empty if nothing is claimed.
    fn describe(&self) -> String;

    /// The expressions that it speaks about.
    fn exprs(&self) -> Vec<&Expr>;

    /// A bound that may be searched for, if that is what it is.
    fn bound(&mut self) -> Option<&mut Bound> {
        None
    }

    /// Where the claim is made at all.
    fn when(&self, _: Side) -> Term {
        Term::truth(true)
    }
}

fn eval(model: &Model, term: &Term) -> Option<Value> {
    model.eval(term).ok()
}

fn constant(value: &Value) -> Option<Term> {
    match value {
        Value::Bool(truth) => Some(Term::truth(*truth)),
        Value::Bits { bits, width } => Some(Term::bits(*bits, *width)),
        _ => None,
    }
}

/// `expr <= value`, as signed numbers.
#[derive(Clone, Debug)]
pub struct Bound {
    /// What is bounded.
    pub expr: Expr,
    /// Where the numbers begin and end.
    pub greatest: i128,
    /// The bound; none before anything was seen.
    pub value: Option<i128>,
    /// Numbers at which it may stay, ascending.
    pub thresholds: Arc<Vec<i128>>,
    /// So often it may still move to one of them; then it is searched for, once.
    pub moves: u32,
    /// Whether it is to be searched for.
    pub search: Search,
    /// It claims nothing.
    pub top: bool,
}

/// The search for a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// Not yet.
    Later,
    /// Now.
    Now,
    /// It was done: if the bound is broken again, there is none.
    Done,
}

impl Bound {
    /// Nothing seen yet. The expression must not wrap.
    pub fn new(expr: Expr, thresholds: &Arc<Vec<i128>>, moves: u32) -> Self {
        let greatest = expr.back.signed_range().1;
        let thresholds = thresholds.clone();
        Bound { expr, greatest, value: None, thresholds, moves, search: Search::Later, top: false }
    }

    /// Without search: numbers of the program, or nothing.
    pub fn without_search(self) -> Self {
        Bound { search: Search::Done, ..self }
    }

    /// The claim for some bound.
    pub fn below(&self, side: Side, bound: i128) -> Term {
        let width = self.expr.back.width();
        let bound = Term::bits(bound as u128 & heapproof_ir::mask(width), width);
        Term::rel(BvRel::Sle, self.expr.at(side).clone(), bound)
    }
}

impl Domain for Bound {
    fn exprs(&self) -> Vec<&Expr> {
        vec![&self.expr]
    }

    fn claim(&self, side: Side) -> Option<Term> {
        if self.top {
            return None;
        }
        Some(self.value.map_or(Term::truth(false), |value| self.below(side, value)))
    }

    fn join(&mut self, model: &Model) {
        let Some(Value::Bits { bits, width }) = eval(model, &self.expr.end) else { return self.give_up() };
        let seen = heapproof_ir::sign_extend(bits, width);
        match self.value {
            Some(value) if value >= seen => {}
            None => {
                self.value = Some(seen);
                self.top = seen >= self.greatest;
            }
            Some(_) => {
                let next = self.thresholds.iter().copied().find(|t| *t >= seen && *t < self.greatest);
                match (next, self.search) {
                    (Some(next), _) if self.moves > 0 => {
                        self.moves -= 1;
                        self.value = Some(next);
                    }
                    (_, Search::Later) => {
                        self.value = Some(seen);
                        self.search = Search::Now;
                    }
                    _ => self.top = true,
                }
            }
        }
    }

    fn give_up(&mut self) {
        self.top = true;
    }

    fn describe(&self) -> String {
        match (self.top, self.value) {
            (false, Some(value)) => format!("{} <= {value}", self.expr.name),
            _ => String::new(),
        }
    }

    fn bound(&mut self) -> Option<&mut Bound> {
        (!self.top).then_some(self)
    }
}

/// An expression has one of a few values. For the objects of pointers these are the points-to rows of the paper (section IV-A).
#[derive(Clone, Debug)]
pub struct OneOf {
    /// What has these values.
    pub expr: Expr,
    /// The values.
    pub values: BTreeSet<Value>,
    /// With more than these nothing is claimed.
    pub most: usize,
}

impl Domain for OneOf {
    fn exprs(&self) -> Vec<&Expr> {
        vec![&self.expr]
    }

    fn claim(&self, side: Side) -> Option<Term> {
        if self.values.len() > self.most {
            return None;
        }
        let equals = |value: &Value| constant(value).map(|value| Term::eq(self.expr.at(side).clone(), value));
        Some(Term::or(self.values.iter().filter_map(equals)))
    }

    fn join(&mut self, model: &Model) {
        match eval(model, &self.expr.end) {
            Some(value) => drop(self.values.insert(value)),
            None => self.give_up(),
        }
    }

    fn give_up(&mut self) {
        self.most = 0;
        self.values.insert(Value::Bool(true));
    }

    fn describe(&self) -> String {
        if self.values.len() > self.most || self.values.is_empty() {
            return String::new();
        }
        let show = |value: &Value| match value {
            Value::Bits { bits, width } => heapproof_ir::sign_extend(*bits, *width).to_string(),
            other => format!("{other:?}"),
        };
        let values: Vec<String> = self.values.iter().map(show).collect();
        format!("{} in {{{}}}", self.expr.name, values.join(", "))
    }
}

/// The low bits of an expression are known.
#[derive(Clone, Debug)]
pub struct LowBits {
    /// Of what.
    pub expr: Expr,
    /// How many, and which; none before anything was seen.
    pub known: Option<(u8, u128)>,
}

impl Domain for LowBits {
    fn exprs(&self) -> Vec<&Expr> {
        vec![&self.expr]
    }

    fn claim(&self, side: Side) -> Option<Term> {
        match self.known {
            None => Some(Term::truth(false)),
            Some((0, _)) => None,
            Some((count, bits)) => {
                let low = Term::extract(count - 1, 0, self.expr.at(side).clone());
                Some(Term::eq(low, Term::bits(bits & heapproof_ir::mask(count), count)))
            }
        }
    }

    fn join(&mut self, model: &Model) {
        let Some(Value::Bits { bits, width }) = eval(model, &self.expr.end) else { return self.give_up() };
        self.known = Some(match self.known {
            None => (width, bits),
            Some((count, known)) => (count.min((known ^ bits).trailing_zeros().min(128) as u8), known),
        });
    }

    fn give_up(&mut self) {
        self.known = Some((0, 0));
    }

    fn describe(&self) -> String {
        match self.known {
            Some((count, bits)) if count > 0 => {
                format!("{} = {} mod 2^{count}", self.expr.name, bits & heapproof_ir::mask(count))
            }
            _ => String::new(),
        }
    }
}

/// A condition that the program itself computes. It is claimed until a model breaks it.
#[derive(Clone, Debug)]
pub struct Holds {
    /// The condition.
    pub expr: Expr,
    /// It is still claimed.
    pub claimed: bool,
    /// Some state was seen.
    pub seen: bool,
}

impl Domain for Holds {
    fn exprs(&self) -> Vec<&Expr> {
        vec![&self.expr]
    }

    fn claim(&self, side: Side) -> Option<Term> {
        match (self.seen, self.claimed) {
            (false, _) => Some(Term::truth(false)),
            (true, true) => Some(self.expr.at(side).clone()),
            (true, false) => None,
        }
    }

    fn join(&mut self, model: &Model) {
        self.seen = true;
        self.claimed &= model.satisfies(&self.expr.end);
    }

    fn give_up(&mut self) {
        self.seen = true;
        self.claimed = false;
    }

    fn describe(&self) -> String {
        if self.claimed && self.seen { self.expr.name.clone() } else { String::new() }
    }
}

/// Sums of multiples of some expressions that are always the same: the affine hull of what was seen.
///
/// The hull is computed in fractions without denominators; what is claimed are equations between bit vectors, so a wrong
/// guess about wrapping is a guess that the solver refutes.
#[derive(Clone, Debug)]
pub struct Equations {
    /// The expressions, all of one width.
    pub exprs: Vec<Expr>,
    /// A point of the hull; none before anything was seen.
    point: Option<Vec<i128>>,
    /// Directions, in echelon form.
    rows: Vec<Vec<i128>>,
    dropped: bool,
}

impl Equations {
    /// Nothing seen yet.
    pub fn new(exprs: Vec<Expr>) -> Self {
        Equations { exprs, point: None, rows: Vec::new(), dropped: false }
    }

    /// The equations: coefficients and the sum.
    fn equations(&self) -> Vec<(Vec<i128>, i128)> {
        let Some(point) = &self.point else { return Vec::new() };
        let mut equations = Vec::new();
        for coefficients in null_space(&self.rows, self.exprs.len()) {
            let mut products = coefficients.iter().zip(point).map(|(c, x)| c.checked_mul(*x));
            let sum = products.try_fold(0i128, |sum, p| sum.checked_add(p?));
            if let Some(sum) = sum
                && coefficients.iter().all(|c| c.unsigned_abs() < 1 << 40)
            {
                equations.push((coefficients, sum));
            }
        }
        equations
    }
}

impl Domain for Equations {
    fn exprs(&self) -> Vec<&Expr> {
        self.exprs.iter().collect()
    }

    fn claim(&self, side: Side) -> Option<Term> {
        if self.dropped {
            return None;
        }
        if self.point.is_none() {
            return Some(Term::truth(false));
        }
        let width = self.exprs.first()?.back.width();
        let number = |n: i128| Term::bits(n as u128 & heapproof_ir::mask(width), width);
        let all = self.equations().into_iter().map(|(coefficients, sum)| {
            let mut left = number(0);
            for (c, expr) in coefficients.iter().zip(&self.exprs) {
                let product = Term::bv(heapproof_logic::BvOp::Mul, number(*c), expr.at(side).clone());
                left = Term::bv(heapproof_logic::BvOp::Add, left, product);
            }
            Term::eq(left, number(sum))
        });
        Some(Term::and(all)).filter(|claim| claim.as_bool() != Some(true))
    }

    fn join(&mut self, model: &Model) {
        let values: Option<Vec<i128>> = self
            .exprs
            .iter()
            .map(|expr| match eval(model, &expr.end)? {
                Value::Bits { bits, width } => Some(heapproof_ir::sign_extend(bits, width)),
                _ => None,
            })
            .collect();
        let Some(values) = values else { return self.give_up() };
        let Some(point) = &self.point else {
            self.point = Some(values);
            return;
        };
        let direction: Vec<i128> = values.iter().zip(point).map(|(a, b)| a - b).collect();
        match reduced(&self.rows, direction) {
            Some(direction) if direction.iter().any(|d| *d != 0) => {
                if !insert(&mut self.rows, direction) {
                    self.give_up();
                }
            }
            // The model breaks a claim, but only modulo the width: nothing better is known.
            Some(_) => self.give_up(),
            None => self.give_up(),
        }
        self.dropped |= self.rows.len() == self.exprs.len();
    }

    fn give_up(&mut self) {
        self.dropped = true;
    }

    fn describe(&self) -> String {
        let mut out = String::new();
        if self.dropped {
            return out;
        }
        for (coefficients, sum) in self.equations() {
            let separator = if out.is_empty() { "" } else { ", " };
            let _ = write!(out, "{separator}");
            let parts = coefficients.iter().zip(&self.exprs).filter(|(c, _)| **c != 0);
            let parts: Vec<String> = parts.map(|(c, e)| format!("{c}*{}", e.name)).collect();
            let _ = write!(out, "{} = {sum}", parts.join(" + "));
        }
        out
    }
}

fn normalised(mut row: Vec<i128>) -> Vec<i128> {
    let gcd = row.iter().fold(0i128, |g, x| gcd(g, *x));
    if gcd > 1 {
        row.iter_mut().for_each(|x| *x /= gcd);
    }
    row
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

fn pivot(row: &[i128]) -> Option<usize> {
    row.iter().position(|x| *x != 0)
}

/// A row without what the others say; none if numbers become too large.
fn reduced(rows: &[Vec<i128>], mut row: Vec<i128>) -> Option<Vec<i128>> {
    for known in rows {
        let at = pivot(known)?;
        if row[at] == 0 {
            continue;
        }
        let (a, b) = (known[at], row[at]);
        let next: Option<Vec<i128>> =
            row.iter().zip(known).map(|(x, k)| x.checked_mul(a)?.checked_sub(k.checked_mul(b)?)).collect();
        row = normalised(next?);
    }
    Some(normalised(row))
}

/// Adds a direction and keeps the form: each pivot is zero in all other rows. False if numbers become too large.
fn insert(rows: &mut Vec<Vec<i128>>, row: Vec<i128>) -> bool {
    let single = [row.clone()];
    for known in rows.iter_mut() {
        match reduced(&single, known.clone()) {
            Some(next) => *known = next,
            None => return false,
        }
    }
    rows.push(row);
    true
}

/// Vectors whose product with every row is zero.
fn null_space(rows: &[Vec<i128>], columns: usize) -> Vec<Vec<i128>> {
    let pivots: Vec<usize> = rows.iter().filter_map(|row| pivot(row)).collect();
    let mut vectors = Vec::new();
    for free in (0..columns).filter(|c| !pivots.contains(c)) {
        // All pivots by their common multiple.
        let scale = rows
            .iter()
            .zip(&pivots)
            .try_fold(1i128, |scale, (row, at)| scale.checked_mul(row[*at] / gcd(scale, row[*at])));
        let Some(scale) = scale else { continue };
        let mut vector = vec![0i128; columns];
        vector[free] = scale;
        let mut fine = true;
        for (row, at) in rows.iter().zip(&pivots) {
            match (scale / row[*at]).checked_mul(-row[free]) {
                Some(x) => vector[*at] = x,
                None => fine = false,
            }
        }
        if fine {
            vectors.push(normalised(vector));
        }
    }
    vectors
}

/// A domain that claims something only where a condition holds: guarded rows, and the members of a power domain.
pub struct Guarded {
    /// The condition.
    pub when: Expr,
    /// What is claimed then.
    pub inner: Box<dyn Domain>,
}

impl Domain for Guarded {
    fn exprs(&self) -> Vec<&Expr> {
        let mut all = self.inner.exprs();
        all.push(&self.when);
        all
    }

    fn claim(&self, side: Side) -> Option<Term> {
        self.inner.claim(side).map(|claim| Term::implies(self.when.at(side).clone(), claim))
    }

    fn join(&mut self, model: &Model) {
        if model.satisfies(&self.when.end) {
            self.inner.join(model);
        }
    }

    fn give_up(&mut self) {
        self.inner.give_up();
    }

    fn describe(&self) -> String {
        let inner = self.inner.describe();
        if inner.is_empty() { inner } else { format!("{} ==> {inner}", self.when.name) }
    }

    fn bound(&mut self) -> Option<&mut Bound> {
        self.inner.bound()
    }

    fn when(&self, side: Side) -> Term {
        Term::and([self.when.at(side).clone(), self.inner.when(side)])
    }
}
