//! Linear forms over dimensions and the constraints made of them.

use crate::number::gcd;
use std::collections::BTreeMap;
use std::fmt;

/// A sum of multiples of dimensions and a constant, in whole numbers that do not wrap.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Linear<D: Ord> {
    factors: BTreeMap<D, i128>,
    constant: i128,
}

/// Coefficients beyond this are not followed: a constraint that has one is left out.
const LARGEST: i128 = 1 << 80;

impl<D: Ord + Copy> Linear<D> {
    /// A number.
    pub fn constant(constant: i128) -> Self {
        Linear { factors: BTreeMap::new(), constant }
    }

    /// A dimension.
    pub fn dimension(dimension: D) -> Self {
        Linear { factors: BTreeMap::from([(dimension, 1)]), constant: 0 }
    }

    /// The dimensions with their factors, none of which is 0.
    pub fn factors(&self) -> impl Iterator<Item = (D, i128)> {
        self.factors.iter().map(|(dimension, factor)| (*dimension, *factor))
    }

    /// The factor of a dimension.
    pub fn factor(&self, dimension: D) -> i128 {
        self.factors.get(&dimension).copied().unwrap_or(0)
    }

    /// The constant part.
    pub fn offset(&self) -> i128 {
        self.constant
    }

    /// True if there is no dimension in it.
    pub fn is_constant(&self) -> bool {
        self.factors.is_empty()
    }

    /// This and a multiple of another; nothing if the numbers become too large.
    pub fn plus(&self, other: &Self, times: i128) -> Option<Self> {
        let mut sum = self.clone();
        sum.constant = within(sum.constant.checked_add(other.constant.checked_mul(times)?)?)?;
        for (dimension, factor) in other.factors() {
            let new = within(sum.factor(dimension).checked_add(factor.checked_mul(times)?)?)?;
            if new == 0 {
                sum.factors.remove(&dimension);
            } else {
                sum.factors.insert(dimension, new);
            }
        }
        Some(sum)
    }

    /// A multiple.
    pub fn times(&self, times: i128) -> Option<Self> {
        Linear::constant(0).plus(self, times)
    }

    /// The same with another constant.
    pub fn with_offset(&self, constant: i128) -> Self {
        Linear { factors: self.factors.clone(), constant }
    }

    /// The same over other dimensions; nothing if one of them has no counterpart.
    pub fn renamed<E: Ord + Copy>(&self, name: impl Fn(D) -> Option<E>) -> Option<Linear<E>> {
        let mut result = Linear::constant(self.constant);
        for (dimension, factor) in self.factors() {
            result = result.plus(&Linear::dimension(name(dimension)?), factor)?;
        }
        Some(result)
    }

    /// The value where every dimension has one.
    pub fn value(&self, of: impl Fn(D) -> i128) -> Option<i128> {
        self.factors().try_fold(self.constant, |sum, (d, factor)| sum.checked_add(factor.checked_mul(of(d))?))
    }

    /// The greatest common divisor of the factors; 0 if there are none.
    fn divisor(&self) -> i128 {
        self.factors().fold(0, |all, (_, factor)| gcd(all, factor.unsigned_abs())) as i128
    }

    fn divided(&self, by: i128, constant: i128) -> Self {
        let factors = self.factors().map(|(dimension, factor)| (dimension, factor / by)).collect();
        Linear { factors, constant }
    }
}

fn within(number: i128) -> Option<i128> {
    (number.unsigned_abs() <= LARGEST.unsigned_abs()).then_some(number)
}

/// Whether a form is zero or not negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Relation {
    Zero,
    NotNegative,
}

/// A linear equality or inequality between whole numbers, divided by what its factors have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Constraint<D: Ord> {
    relation: Relation,
    form: Linear<D>,
}

/// What a constraint without dimensions says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Normal<D: Ord> {
    /// It always holds.
    True,
    /// It never holds.
    False,
    /// It says something of dimensions.
    Says(Constraint<D>),
}

impl<D: Ord + Copy> Constraint<D> {
    /// `form == 0`.
    pub fn zero(form: &Linear<D>) -> Normal<D> {
        let divisor = form.divisor();
        if divisor == 0 {
            return if form.constant == 0 { Normal::True } else { Normal::False };
        }
        if form.constant % divisor != 0 {
            return Normal::False;
        }
        let divided = form.divided(divisor, form.constant / divisor);
        // One of the two ways to write an equality is chosen.
        let positive = divided.factors().next().is_none_or(|(_, factor)| factor > 0);
        let form = if positive { divided } else { negated(&divided) };
        Normal::Says(Constraint { relation: Relation::Zero, form })
    }

    /// `form >= 0`. The constant is rounded down to what whole numbers can reach.
    pub fn not_negative(form: &Linear<D>) -> Normal<D> {
        let divisor = form.divisor();
        if divisor == 0 {
            return if form.constant >= 0 { Normal::True } else { Normal::False };
        }
        let form = form.divided(divisor, form.constant.div_euclid(divisor));
        Normal::Says(Constraint { relation: Relation::NotNegative, form })
    }

    /// Zero or not negative.
    pub fn relation(&self) -> Relation {
        self.relation
    }

    /// The form.
    pub fn form(&self) -> &Linear<D> {
        &self.form
    }

    /// True if the constraint holds of values.
    pub fn holds(&self, of: impl Fn(D) -> i128) -> bool {
        let value = self.form.value(of);
        match self.relation {
            Relation::Zero => value == Some(0),
            Relation::NotNegative => value.is_some_and(|value| value >= 0),
        }
    }

    /// The inequalities that say the same.
    pub fn halves(&self) -> Vec<Linear<D>> {
        match self.relation {
            Relation::NotNegative => vec![self.form.clone()],
            Relation::Zero => vec![self.form.clone(), negated(&self.form)],
        }
    }
}

fn negated<D: Ord + Copy>(form: &Linear<D>) -> Linear<D> {
    let factors = form.factors().map(|(dimension, factor)| (dimension, -factor)).collect();
    Linear { factors, constant: -form.constant }
}

impl<D: Ord + Copy + fmt::Display> fmt::Display for Linear<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (dimension, factor)) in self.factors().enumerate() {
            match (index, factor < 0) {
                (0, false) => {}
                (0, true) => write!(f, "-")?,
                (_, false) => write!(f, " + ")?,
                (_, true) => write!(f, " - ")?,
            }
            match factor.abs() {
                1 => write!(f, "{dimension}")?,
                factor => write!(f, "{factor}*{dimension}")?,
            }
        }
        match (self.factors.is_empty(), self.constant) {
            (true, constant) => write!(f, "{constant}"),
            (false, 0) => Ok(()),
            (false, constant) if constant < 0 => write!(f, " - {}", -constant),
            (false, constant) => write!(f, " + {constant}"),
        }
    }
}

impl<D: Ord + Copy + fmt::Display> fmt::Display for Constraint<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.relation == Relation::Zero { "==" } else { ">=" };
        write!(f, "{} {sign} 0", self.form)
    }
}
