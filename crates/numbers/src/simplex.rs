//! The least value of a linear form under linear constraints, exactly: the simplex method with bounded variables.
//!
//! Rows are kept as "basic variable = combination of the others", as solvers modulo theories do it. Numbers are fractions of
//! 128 bits; where one would not fit, the answer is that nothing is known, which is sound for every use here.

use crate::linear::Linear;
use num_rational::Ratio;
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub, Zero};
use std::collections::BTreeMap;

type Fraction = Ratio<i128>;

/// The least value of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Least {
    /// This one; it need not be reached by whole numbers.
    Value(Fraction),
    /// There is none: it may be arbitrarily small.
    Unbounded,
    /// The constraints exclude each other.
    Infeasible,
    /// Too much work, or numbers too large.
    NotKnown,
}

impl Least {
    /// True if the form, whose values are whole numbers, is never negative.
    pub fn is_not_negative(self) -> bool {
        match self {
            Least::Value(least) => least > Fraction::from_integer(-1),
            Least::Infeasible => true,
            Least::Unbounded | Least::NotKnown => false,
        }
    }
}

/// More steps than this are not made.
const MOST_STEPS: usize = 400;

/// Too much work, or numbers too large.
struct GaveUp;

type Res<T> = Result<T, GaveUp>;

/// A system of linear constraints in the form that the method works on.
pub struct Simplex<D: Ord> {
    columns: BTreeMap<D, usize>,
    least: Vec<Option<Fraction>>,
    most: Vec<Option<Fraction>>,
    value: Vec<Fraction>,
    /// The basic variables with their combinations of the others.
    rows: BTreeMap<usize, Vec<Fraction>>,
    steps: usize,
    broken: bool,
}

impl<D: Ord + Copy> Simplex<D> {
    /// No constraints.
    pub fn new() -> Self {
        Simplex {
            columns: BTreeMap::new(),
            least: Vec::new(),
            most: Vec::new(),
            value: Vec::new(),
            rows: BTreeMap::new(),
            steps: 0,
            broken: false,
        }
    }

    fn variable(&mut self, least: Option<i128>, most: Option<i128>) -> usize {
        self.least.push(least.map(Fraction::from_integer));
        self.most.push(most.map(Fraction::from_integer));
        let start = least.or(most).unwrap_or(0);
        self.value.push(Fraction::from_integer(start));
        for row in self.rows.values_mut() {
            row.push(Fraction::zero());
        }
        self.value.len() - 1
    }

    /// Adds a dimension with its range. Dimensions come before constraints.
    pub fn dimension(&mut self, dimension: D, least: i128, most: i128) {
        let index = self.variable(Some(least), Some(most));
        self.columns.insert(dimension, index);
    }

    /// Says that a form is at least 0 (`exact`: is 0).
    pub fn constrain(&mut self, form: &Linear<D>, exact: bool) {
        if self.define(form, Some(-form.offset()), exact.then_some(-form.offset())).is_err() {
            self.broken = true;
        }
    }

    /// A new basic variable that equals the form without its constant.
    fn define(&mut self, form: &Linear<D>, least: Option<i128>, most: Option<i128>) -> Res<usize> {
        let index = self.variable(least, most);
        let mut row = vec![Fraction::zero(); self.value.len()];
        for (dimension, factor) in form.factors() {
            let column = *self.columns.get(&dimension).ok_or(GaveUp)?;
            let factor = Fraction::from_integer(factor);
            match self.rows.get(&column) {
                None => row[column] = plus(row[column], factor)?,
                Some(combination) => {
                    for (at, part) in combination.clone().iter().enumerate() {
                        row[at] = plus(row[at], times(*part, factor)?)?;
                    }
                }
            }
        }
        self.value[index] = self.value_of(&row)?;
        self.rows.insert(index, row);
        Ok(index)
    }

    fn value_of(&self, row: &[Fraction]) -> Res<Fraction> {
        let parts = row.iter().zip(&self.value).filter(|(factor, _)| !factor.is_zero());
        let mut sum = Fraction::zero();
        for (factor, value) in parts {
            sum = plus(sum, times(*factor, *value)?)?;
        }
        Ok(sum)
    }

    /// The least value of a form under the constraints.
    pub fn minimum(&mut self, form: &Linear<D>) -> Least {
        if self.broken {
            return Least::NotKnown;
        }
        match self.search(form) {
            Ok(least) => least,
            Err(GaveUp) => Least::NotKnown,
        }
    }

    fn search(&mut self, form: &Linear<D>) -> Res<Least> {
        if !self.repair()? {
            return Ok(Least::Infeasible);
        }
        let goal = self.define(form, None, None)?;
        let least = self.descend(goal)?;
        Ok(match least {
            true => Least::Value(plus(self.value[goal], Fraction::from_integer(form.offset()))?),
            false => Least::Unbounded,
        })
    }

    /// Moves basic variables into their bounds; false if that cannot be.
    fn repair(&mut self) -> Res<bool> {
        loop {
            // The variable of the smallest index goes first, so the method cannot run in circles.
            let Some((basic, goal)) = self.rows.keys().find_map(|b| Some((*b, self.violated(*b)?))) else {
                return Ok(true);
            };
            let rises = self.value[basic] < goal;
            let row = &self.rows[&basic];
            let helps = |column: &usize| {
                let factor = row[*column];
                !factor.is_zero() && self.can_move(*column, (factor > Fraction::zero()) == rises)
            };
            let Some(column) = (0..row.len()).filter(|c| !self.rows.contains_key(c)).find(helps) else {
                return Ok(false);
            };
            let by = over(minus(goal, self.value[basic])?, row[column])?;
            self.move_by(column, by)?;
            self.pivot(basic, column)?;
        }
    }

    fn violated(&self, index: usize) -> Option<Fraction> {
        let value = self.value[index];
        self.least[index]
            .filter(|least| value < *least)
            .or_else(|| self.most[index].filter(|most| value > *most))
    }

    fn can_move(&self, index: usize, up: bool) -> bool {
        match up {
            true => self.most[index].is_none_or(|most| self.value[index] < most),
            false => self.least[index].is_none_or(|least| self.value[index] > least),
        }
    }

    /// Changes a variable that is not basic and all that depend on it.
    fn move_by(&mut self, column: usize, by: Fraction) -> Res<()> {
        self.value[column] = plus(self.value[column], by)?;
        for (basic, row) in &self.rows {
            if !row[column].is_zero() {
                self.value[*basic] = plus(self.value[*basic], times(row[column], by)?)?;
            }
        }
        Ok(())
    }

    /// Makes a variable basic in place of another.
    fn pivot(&mut self, basic: usize, column: usize) -> Res<()> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return Err(GaveUp);
        }
        let row = self.rows.remove(&basic).ok_or(GaveUp)?;
        let factor = row[column];
        let mut solved = Vec::with_capacity(row.len());
        for (at, part) in row.iter().enumerate() {
            solved.push(match at {
                at if at == column => Fraction::zero(),
                at if at == basic => over(Fraction::from_integer(1), factor)?,
                _ => over(minus(Fraction::zero(), *part)?, factor)?,
            });
        }
        for other in self.rows.values_mut() {
            let share = std::mem::replace(&mut other[column], Fraction::zero());
            if share.is_zero() {
                continue;
            }
            for (at, part) in solved.iter().enumerate().filter(|(_, part)| !part.is_zero()) {
                other[at] = plus(other[at], times(*part, share)?)?;
            }
        }
        self.rows.insert(column, solved);
        Ok(())
    }

    /// Lets the goal fall as far as it can; false if it falls without end.
    fn descend(&mut self, goal: usize) -> Res<bool> {
        loop {
            let row = &self.rows[&goal];
            let helps = |column: &usize| {
                let factor = row[*column];
                !factor.is_zero() && self.can_move(*column, factor < Fraction::zero())
            };
            let Some(column) = (0..row.len()).filter(|c| !self.rows.contains_key(c)).find(helps) else {
                return Ok(true);
            };
            let up = row[column] < Fraction::zero();
            let Some((room, stopper)) = self.room(goal, column, up)? else { return Ok(false) };
            let by = if up { room } else { minus(Fraction::zero(), room)? };
            self.move_by(column, by)?;
            match stopper {
                Some(basic) => self.pivot(basic, column)?,
                None => self.steps += 1,
            }
            if self.steps > MOST_STEPS {
                return Err(GaveUp);
            }
        }
    }

    /// How far a variable can move until it or a basic variable meets a bound, and which basic one that is.
    fn room(&self, goal: usize, column: usize, up: bool) -> Res<Option<(Fraction, Option<usize>)>> {
        let own = match up {
            true => self.most[column].map(|most| minus(most, self.value[column])),
            false => self.least[column].map(|least| minus(self.value[column], least)),
        };
        let mut tightest = own.transpose()?.map(|room| (room, None));
        for (basic, row) in self.rows.iter().filter(|(basic, _)| **basic != goal) {
            let factor = row[column];
            if factor.is_zero() {
                continue;
            }
            let rises = (factor > Fraction::zero()) == up;
            let bound = if rises { self.most[*basic] } else { self.least[*basic] };
            let Some(bound) = bound else { continue };
            let distance = minus(bound, self.value[*basic])?;
            let room = over(distance, factor)?;
            let room = if up { room } else { minus(Fraction::zero(), room)? };
            if tightest.as_ref().is_none_or(|(best, _)| room < *best) {
                tightest = Some((room, Some(*basic)));
            }
        }
        Ok(tightest)
    }
}

impl<D: Ord + Copy> Default for Simplex<D> {
    fn default() -> Self {
        Self::new()
    }
}

/// A whole number.
fn whole(number: Option<i128>) -> Res<Fraction> {
    number.map(Fraction::from_integer).ok_or(GaveUp)
}

/// True if both are whole numbers, as most are: these need no common divisor.
fn are_whole(a: &Fraction, b: &Fraction) -> bool {
    *a.denom() == 1 && *b.denom() == 1
}

fn plus(a: Fraction, b: Fraction) -> Res<Fraction> {
    match are_whole(&a, &b) {
        true => whole(a.numer().checked_add(b.numer())),
        false => a.checked_add(&b).ok_or(GaveUp),
    }
}

fn minus(a: Fraction, b: Fraction) -> Res<Fraction> {
    match are_whole(&a, &b) {
        true => whole(a.numer().checked_sub(b.numer())),
        false => a.checked_sub(&b).ok_or(GaveUp),
    }
}

fn times(a: Fraction, b: Fraction) -> Res<Fraction> {
    match are_whole(&a, &b) {
        true => whole(a.numer().checked_mul(b.numer())),
        false => a.checked_mul(&b).ok_or(GaveUp),
    }
}

fn over(a: Fraction, b: Fraction) -> Res<Fraction> {
    match (a.denom(), *b.numer(), b.denom()) {
        (_, 1, 1) => Ok(a),
        (1, -1, 1) => whole(0i128.checked_sub(*a.numer())),
        _ => a.checked_div(&b).ok_or(GaveUp),
    }
}
