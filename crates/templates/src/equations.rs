//! Linear equations as a domain.

use crate::domain::{Domain, Expr, Side, eval};
use heapproof_logic::{Model, Term, Value};
use std::fmt::Write;

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
