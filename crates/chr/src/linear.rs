//! Built-in linear integer arithmetic: the simplex method over the rationals with reasons
//! (Dutertre and de Moura, "A fast linear-arithmetic solver for DPLL(T)").
//!
//! All variables are integers and all rows have integer coefficients, so bounds are integers and `<` is `<=` with one less.
//! What cannot be computed exactly in 128 bits is left undecided: no conflict is ever reported from it.

use std::collections::BTreeMap;

use crate::sat::Lit;

/// A variable of the tableau.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LinVar(pub u32);

/// A fraction with a positive denominator, in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fraction {
    n: i128,
    d: i128,
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a as i128
}

impl Fraction {
    const ZERO: Fraction = Fraction { n: 0, d: 1 };

    fn new(n: i128, d: i128) -> Option<Fraction> {
        if d == 0 || n == i128::MIN || d == i128::MIN {
            return None;
        }
        let g = gcd(n, d).max(1);
        let s = d.signum();
        Some(Fraction { n: s * n / g, d: s * d / g })
    }

    fn int(n: i128) -> Fraction {
        Fraction { n, d: 1 }
    }

    fn add(self, o: Fraction) -> Option<Fraction> {
        let n = self.n.checked_mul(o.d)?.checked_add(o.n.checked_mul(self.d)?)?;
        Fraction::new(n, self.d.checked_mul(o.d)?)
    }

    fn neg(self) -> Fraction {
        Fraction { n: -self.n, d: self.d }
    }

    fn sub(self, o: Fraction) -> Option<Fraction> {
        self.add(o.neg())
    }

    fn mul(self, o: Fraction) -> Option<Fraction> {
        Fraction::new(self.n.checked_mul(o.n)?, self.d.checked_mul(o.d)?)
    }

    fn div(self, o: Fraction) -> Option<Fraction> {
        Fraction::new(self.n.checked_mul(o.d)?, self.d.checked_mul(o.n)?)
    }

    fn cmp_int(self, n: i128) -> Option<std::cmp::Ordering> {
        Some(self.n.cmp(&n.checked_mul(self.d)?))
    }

    /// The value, if it is an integer.
    pub fn integer(self) -> Option<i128> {
        (self.d == 1).then_some(self.n)
    }

    /// The largest integer that is not above.
    pub fn floor(self) -> i128 {
        self.n.div_euclid(self.d)
    }
}

#[derive(Clone, Copy, Debug)]
struct Bound {
    at: i128,
    reason: Lit,
}

#[derive(Debug)]
struct Undo {
    var: LinVar,
    upper: bool,
    old: Option<Bound>,
}

/// Literals that contradict each other.
#[derive(Debug)]
pub struct Contradiction(pub Vec<Lit>);

/// What the check found.
#[derive(Debug)]
pub enum Check {
    /// There is a solution over the rationals.
    Feasible,
    /// There is none, because of these literals.
    Contradiction(Contradiction),
    /// Numbers grew too large or the work took too long.
    GaveUp,
}

/// Bounds of variables and rows of the tableau.
#[derive(Debug, Default)]
pub struct Linear {
    lower: Vec<Option<Bound>>,
    upper: Vec<Option<Bound>>,
    value: Vec<Fraction>,
    /// For a basic variable its row over the others.
    rows: BTreeMap<LinVar, BTreeMap<LinVar, Fraction>>,
    undo: Vec<Undo>,
    broken: bool,
    changed: bool,
}

const PIVOTS: usize = 2_000;

impl Linear {
    /// One more variable without bounds.
    pub fn new_var(&mut self) -> LinVar {
        self.lower.push(None);
        self.upper.push(None);
        self.value.push(Fraction::ZERO);
        LinVar(self.value.len() as u32 - 1)
    }

    /// One more variable that is the given sum.
    pub fn new_row(&mut self, sum: &[(LinVar, i128)]) -> LinVar {
        let var = self.new_var();
        let mut row = BTreeMap::new();
        let built = (|| {
            let mut value = Fraction::ZERO;
            for &(v, c) in sum {
                let c = Fraction::int(c);
                value = value.add(self.value[v.0 as usize].mul(c)?)?;
                match self.rows.get(&v) {
                    Some(basic) => {
                        for (&w, &d) in basic {
                            add_to(&mut row, w, c.mul(d)?)?;
                        }
                    }
                    None => add_to(&mut row, v, c)?,
                }
            }
            Some(value)
        })();
        match built {
            Some(value) => {
                self.value[var.0 as usize] = value;
                self.rows.insert(var, row);
            }
            None => self.broken = true,
        }
        var
    }

    /// Asserts `var <= at`.
    pub fn assert_upper(&mut self, var: LinVar, at: i128, reason: Lit) -> Result<(), Contradiction> {
        let index = var.0 as usize;
        if let Some(low) = self.lower[index].filter(|l| l.at > at) {
            return Err(Contradiction(vec![reason, low.reason]));
        }
        if self.upper[index].is_none_or(|u| u.at > at) {
            self.undo.push(Undo { var, upper: true, old: self.upper[index] });
            self.upper[index] = Some(Bound { at, reason });
            self.after_bound(var);
        }
        Ok(())
    }

    /// Asserts `var >= at`.
    pub fn assert_lower(&mut self, var: LinVar, at: i128, reason: Lit) -> Result<(), Contradiction> {
        let index = var.0 as usize;
        if let Some(up) = self.upper[index].filter(|u| u.at < at) {
            return Err(Contradiction(vec![reason, up.reason]));
        }
        if self.lower[index].is_none_or(|l| l.at < at) {
            self.undo.push(Undo { var, upper: false, old: self.lower[index] });
            self.lower[index] = Some(Bound { at, reason });
            self.after_bound(var);
        }
        Ok(())
    }

    fn after_bound(&mut self, var: LinVar) {
        self.changed = true;
        if !self.rows.contains_key(&var) {
            self.settle(var);
        }
    }

    /// Moves a variable that is not basic between its bounds.
    fn settle(&mut self, var: LinVar) {
        let index = var.0 as usize;
        let target = match (self.below(var), self.above(var)) {
            (Some(true), _) => self.lower[index].map(|b| b.at),
            (_, Some(true)) => self.upper[index].map(|b| b.at),
            (None, _) | (_, None) => {
                self.broken = true;
                None
            }
            _ => None,
        };
        if let Some(at) = target
            && self.move_to(var, Fraction::int(at)).is_none()
        {
            self.broken = true;
        }
    }

    fn below(&self, var: LinVar) -> Option<bool> {
        match self.lower[var.0 as usize] {
            None => Some(false),
            Some(b) => Some(self.value[var.0 as usize].cmp_int(b.at)? == std::cmp::Ordering::Less),
        }
    }

    fn above(&self, var: LinVar) -> Option<bool> {
        match self.upper[var.0 as usize] {
            None => Some(false),
            Some(b) => Some(self.value[var.0 as usize].cmp_int(b.at)? == std::cmp::Ordering::Greater),
        }
    }

    fn move_to(&mut self, var: LinVar, to: Fraction) -> Option<()> {
        let by = to.sub(self.value[var.0 as usize])?;
        self.value[var.0 as usize] = to;
        for (&basic, row) in &self.rows {
            if let Some(&c) = row.get(&var) {
                self.value[basic.0 as usize] = self.value[basic.0 as usize].add(c.mul(by)?)?;
            }
        }
        Some(())
    }

    /// Looks for a solution within all bounds.
    pub fn check(&mut self) -> Check {
        if !self.changed {
            return Check::Feasible;
        }
        for _ in 0..PIVOTS {
            if self.broken {
                return Check::GaveUp;
            }
            let mut bad = None;
            for &basic in self.rows.keys() {
                match (self.below(basic), self.above(basic)) {
                    (Some(true), _) => bad = Some((basic, true)),
                    (_, Some(true)) => bad = Some((basic, false)),
                    (Some(false), Some(false)) => continue,
                    _ => {
                        self.broken = true;
                        return Check::GaveUp;
                    }
                }
                break;
            }
            let Some((basic, grow)) = bad else {
                self.changed = false;
                return Check::Feasible;
            };
            match self.partner(basic, grow) {
                Some(other) => {
                    let bound =
                        if grow { self.lower[basic.0 as usize] } else { self.upper[basic.0 as usize] };
                    let at = bound.map_or(0, |b| b.at);
                    if self.pivot(basic, other, Fraction::int(at)).is_none() {
                        self.broken = true;
                    }
                }
                None => return Check::Contradiction(self.row_reasons(basic, grow)),
            }
        }
        Check::GaveUp
    }

    /// The first variable of the row that can move in the direction that helps.
    fn partner(&self, basic: LinVar, grow: bool) -> Option<LinVar> {
        self.rows[&basic].iter().find_map(|(&var, &c)| {
            let up = (c.n > 0) == grow;
            let index = var.0 as usize;
            let bound = if up { self.upper[index] } else { self.lower[index] };
            let free = match bound {
                None => true,
                Some(b) => self.value[index].cmp_int(b.at).is_none_or(|o| o != std::cmp::Ordering::Equal),
            };
            free.then_some(var)
        })
    }

    fn row_reasons(&self, basic: LinVar, grow: bool) -> Contradiction {
        let own = if grow { self.lower[basic.0 as usize] } else { self.upper[basic.0 as usize] };
        let mut why: Vec<Lit> = own.iter().map(|b| b.reason).collect();
        for (var, c) in &self.rows[&basic] {
            let up = (c.n > 0) == grow;
            let bound = if up { self.upper[var.0 as usize] } else { self.lower[var.0 as usize] };
            why.extend(bound.iter().map(|b| b.reason));
        }
        Contradiction(why)
    }

    /// Swaps the roles of a basic variable and one of its row, and gives the basic one the value `to`.
    fn pivot(&mut self, basic: LinVar, other: LinVar, to: Fraction) -> Option<()> {
        let row = self.rows.remove(&basic)?;
        let c = *row.get(&other)?;
        let step = to.sub(self.value[basic.0 as usize])?.div(c)?;
        let target = self.value[other.0 as usize].add(step)?;
        // other = basic / c - (rest of the row) / c
        let mut solved = BTreeMap::new();
        add_to(&mut solved, basic, Fraction::int(1).div(c)?)?;
        for (&var, &d) in row.iter().filter(|(v, _)| **v != other) {
            add_to(&mut solved, var, d.div(c)?.neg())?;
        }
        self.value[basic.0 as usize] = to;
        self.value[other.0 as usize] = target;
        for (&b, r) in &mut self.rows {
            let Some(d) = r.remove(&other) else { continue };
            self.value[b.0 as usize] = self.value[b.0 as usize].add(d.mul(step)?)?;
            for (&var, &e) in &solved {
                add_to(r, var, d.mul(e)?)?;
            }
        }
        self.rows.insert(other, solved);
        Some(())
    }

    /// The literals that make the variable equal to one number, with that number.
    pub fn fixed(&self, var: LinVar) -> Option<(i128, [Lit; 2])> {
        let (low, up) = (self.lower[var.0 as usize]?, self.upper[var.0 as usize]?);
        (low.at == up.at).then_some((low.at, [low.reason, up.reason]))
    }

    /// Whether the bounds alone make `var <= at`.
    pub fn at_most(&self, var: LinVar, at: i128) -> Option<Lit> {
        self.upper[var.0 as usize].filter(|b| b.at <= at).map(|b| b.reason)
    }

    /// Whether the bounds alone make `var >= at`.
    pub fn at_least(&self, var: LinVar, at: i128) -> Option<Lit> {
        self.lower[var.0 as usize].filter(|b| b.at >= at).map(|b| b.reason)
    }

    /// The value in the solution that the last check found.
    pub fn value(&self, var: LinVar) -> Fraction {
        self.value[var.0 as usize]
    }

    /// Whether numbers grew too large at some time.
    pub fn is_broken(&self) -> bool {
        self.broken
    }

    /// How many bounds were set.
    pub fn mark(&self) -> usize {
        self.undo.len()
    }

    /// Takes back the bounds after `mark`.
    pub fn undo_to(&mut self, mark: usize) {
        while self.undo.len() > mark {
            let Some(undo) = self.undo.pop() else { return };
            let index = undo.var.0 as usize;
            if undo.upper {
                self.upper[index] = undo.old;
            } else {
                self.lower[index] = undo.old;
            }
            self.changed = true;
        }
    }
}

fn add_to(row: &mut BTreeMap<LinVar, Fraction>, var: LinVar, c: Fraction) -> Option<()> {
    let sum = row.get(&var).copied().unwrap_or(Fraction::ZERO).add(c)?;
    if sum.n == 0 {
        row.remove(&var);
    } else {
        row.insert(var, sum);
    }
    Some(())
}
