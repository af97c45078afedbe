//! Conjunctions of linear constraints between whole numbers, each of which has a range.
//!
//! The lattice is that of polyhedra with a weak join, as in "template inequalities found on the way": equalities join exactly
//! (the affine hull), inequalities are those of either side, moved so far that they hold on both. Entailment is exact over
//! fractions, rounded for whole numbers. All operations are sound for whole numbers; none is complete.

use crate::linear::{Constraint, Linear, Normal, Relation};
use crate::simplex::{Least, Simplex};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The ranges of dimensions, which a system does not keep itself.
pub trait Ranges<D> {
    /// The least and the greatest value.
    fn range(&self, dimension: D) -> (i128, i128);
}

impl<D: Ord> Ranges<D> for BTreeMap<D, (i128, i128)> {
    fn range(&self, dimension: D) -> (i128, i128) {
        self.get(&dimension).copied().unwrap_or((i128::from(i64::MIN), i128::from(u64::MAX)))
    }
}

/// More constraints than this are not kept: those with the most dimensions go first.
const MOST: usize = 48;
/// An inequality with other factors than 1 is moved so many times the largest of these.
const FARTHEST: i128 = 16;
/// Constraints with more dimensions than this are not kept.
const WIDEST: usize = 5;

/// The constraints exclude each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contradiction;

/// A conjunction.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct System<D: Ord> {
    constraints: BTreeSet<Constraint<D>>,
}

impl<D: Ord + Copy> Default for System<D> {
    fn default() -> Self {
        System { constraints: BTreeSet::new() }
    }
}

impl<D: Ord + Copy> System<D> {
    /// The constraints in a fixed order.
    pub fn constraints(&self) -> impl Iterator<Item = &Constraint<D>> {
        self.constraints.iter()
    }

    /// True if nothing is said.
    pub fn is_empty(&self) -> bool {
        self.constraints.is_empty()
    }

    /// The dimensions of which something is said.
    pub fn dimensions(&self) -> BTreeSet<D> {
        self.constraints.iter().flat_map(|c| c.form().factors().map(|(d, _)| d)).collect()
    }

    /// Adds what a normal form says.
    pub fn add(&mut self, normal: Normal<D>) -> Result<(), Contradiction> {
        match normal {
            Normal::True => Ok(()),
            Normal::False => Err(Contradiction),
            Normal::Says(constraint) => {
                self.insert(constraint);
                Ok(())
            }
        }
    }

    fn insert(&mut self, constraint: Constraint<D>) {
        if constraint.form().factors().count() > WIDEST {
            return;
        }
        if constraint.relation() == Relation::NotNegative {
            if self.is_half_of_an_equality(constraint.form()) {
                return;
            }
            if let Some(equality) = self.take_other_half(constraint.form()) {
                return self.insert(equality);
            }
            // Of two inequalities that differ in the constant only, one says all.
            let form = constraint.form();
            let same = |other: &&Constraint<D>| {
                other.relation() == Relation::NotNegative
                    && other.form().with_offset(0) == form.with_offset(0)
            };
            if let Some(other) = self.constraints.iter().find(same).cloned() {
                if other.form().offset() <= form.offset() {
                    return;
                }
                self.constraints.remove(&other);
            }
        }
        if constraint.relation() == Relation::Zero {
            self.constraints.retain(|c| c.relation() == Relation::Zero || !is_implied(c.form(), &constraint));
        }
        self.constraints.insert(constraint);
        if self.constraints.len() > MOST {
            let size =
                |c: &Constraint<D>| (c.relation() == Relation::NotNegative, c.form().factors().count());
            let widest = self.constraints.iter().max_by_key(|c| size(c)).cloned();
            widest.map(|constraint| self.constraints.remove(&constraint));
        }
    }

    /// True if it has no room for all that another one says.
    pub fn is_full_with(&self, other: &Self) -> bool {
        self.constraints.len() + other.constraints.len() > MOST
    }

    /// Without inequalities that follow from the others, whatever the ranges are.
    pub fn tidied(&self) -> Self {
        self.without_implied(&BTreeMap::new(), |c| c.relation() == Relation::NotNegative)
    }

    /// Without what follows from the rest and the ranges.
    pub fn tidied_within(&self, ranges: &impl Ranges<D>) -> Self {
        self.without_implied(ranges, |_| true)
    }

    fn without_implied(&self, ranges: &impl Ranges<D>, among: impl Fn(&Constraint<D>) -> bool) -> Self {
        let mut tidy = self.clone();
        for constraint in self.constraints.iter().filter(|constraint| among(constraint)) {
            tidy.constraints.remove(constraint);
            if !tidy.entails_constraint(constraint, ranges) {
                tidy.constraints.insert(constraint.clone());
            }
        }
        tidy
    }

    /// True if an equality says that a form is a number that is not negative.
    fn is_half_of_an_equality(&self, form: &Linear<D>) -> bool {
        self.constraints.iter().any(|c| c.relation() == Relation::Zero && is_implied(form, c))
    }

    /// Two inequalities in opposite directions that leave one value are an equality: takes the other one out.
    fn take_other_half(&mut self, form: &Linear<D>) -> Option<Constraint<D>> {
        let Normal::Says(opposite) = Constraint::not_negative(&form.times(-1)?) else { return None };
        let Normal::Says(equality) = Constraint::zero(form) else { return None };
        self.constraints.remove(&opposite).then_some(equality)
    }

    /// The constraints that have to do with some dimensions, directly or through others.
    fn around(&self, start: impl Iterator<Item = D>) -> (BTreeSet<D>, Vec<&Constraint<D>>) {
        let mut reached: BTreeSet<D> = start.collect();
        let mut found: Vec<&Constraint<D>> = Vec::new();
        let mut rest: Vec<&Constraint<D>> = self.constraints.iter().collect();
        loop {
            let touches = |c: &Constraint<D>| c.form().factors().any(|(d, _)| reached.contains(&d));
            let (near, far): (Vec<_>, Vec<_>) = rest.into_iter().partition(|c| touches(c));
            if near.is_empty() {
                return (reached, found);
            }
            reached.extend(near.iter().flat_map(|c| c.form().factors().map(|(d, _)| d)));
            found.extend(near);
            rest = far;
        }
    }

    fn tableau(&self, about: impl Iterator<Item = D>, ranges: &impl Ranges<D>) -> Simplex<D> {
        let (dimensions, constraints) = self.around(about);
        let mut simplex = Simplex::new();
        for dimension in dimensions {
            let (least, most) = ranges.range(dimension);
            simplex.dimension(dimension, least, most);
        }
        for constraint in constraints {
            simplex.constrain(constraint.form(), constraint.relation() == Relation::Zero);
        }
        simplex
    }

    /// The least value of a form.
    pub fn minimum(&self, form: &Linear<D>, ranges: &impl Ranges<D>) -> Least {
        self.tableau(form.factors().map(|(d, _)| d), ranges).minimum(form)
    }

    /// True if the form is never negative.
    pub fn entails(&self, form: &Linear<D>, ranges: &impl Ranges<D>) -> bool {
        if form.is_constant() {
            return form.offset() >= 0;
        }
        by_ranges(form, ranges).is_some_and(|least| least >= 0)
            || self.minimum(form, ranges).is_not_negative()
    }

    /// True if the constraint holds.
    pub fn entails_constraint(&self, constraint: &Constraint<D>, ranges: &impl Ranges<D>) -> bool {
        self.constraints.contains(constraint)
            || constraint.halves().iter().all(|half| self.entails(half, ranges))
    }

    /// True if the constraints and ranges surely exclude each other.
    pub fn is_contradiction(&self, ranges: &impl Ranges<D>) -> bool {
        let all = self.dimensions();
        self.tableau(all.into_iter(), ranges).minimum(&Linear::constant(0)) == Least::Infeasible
    }

    /// Forgets a dimension; what follows for the others stays.
    pub fn forget(&mut self, dimension: D) {
        let results = self.without(dimension);
        results.into_iter().for_each(|constraint| self.insert(constraint));
    }

    /// The same without what the others and the ranges say anyway of multiples: where numbers are halved or doubled again and again there is
    /// no end of that.
    pub fn forget_within(&mut self, dimension: D, ranges: &impl Ranges<D>) {
        let (steep, plain): (Vec<_>, Vec<_>) = self.without(dimension).into_iter().partition(is_steep);
        plain.into_iter().for_each(|constraint| self.insert(constraint));
        for constraint in steep {
            if !self.entails(constraint.form(), ranges) {
                self.insert(constraint);
            }
        }
    }

    /// Takes out what speaks of a dimension; gives what follows of it for the others.
    fn without(&mut self, dimension: D) -> Vec<Constraint<D>> {
        let (with, without): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.constraints).into_iter().partition(|c| c.form().factor(dimension) != 0);
        self.constraints = without.into_iter().collect();
        let equality = with.iter().filter(|c| c.relation() == Relation::Zero);
        match equality.min_by_key(|c| c.form().factor(dimension).abs()).cloned() {
            Some(equality) => substituted(&equality, &with, dimension),
            None => combined(&with, dimension),
        }
    }

    /// The same over other dimensions. Constraints about those without a counterpart are left out.
    pub fn renamed<E: Ord + Copy>(&self, name: impl Fn(D) -> Option<E>) -> System<E> {
        let mut result = System::default();
        for constraint in &self.constraints {
            let Some(form) = constraint.form().renamed(&name) else { continue };
            let normal = match constraint.relation() {
                Relation::Zero => Constraint::zero(&form),
                Relation::NotNegative => Constraint::not_negative(&form),
            };
            if let Normal::Says(constraint) = normal {
                result.insert(constraint);
            }
        }
        result
    }

    /// What holds on both sides. Equalities are also looked for between the given dimensions.
    pub fn join(
        &self,
        other: &Self,
        mine: &impl Ranges<D>,
        theirs: &impl Ranges<D>,
        dimensions: &[D],
    ) -> Self {
        let mut result = crate::hull::affine_hull(self, other, mine, theirs, dimensions);
        for (from, to, ranges) in [(self, other, theirs as &dyn Ranges<D>), (other, self, mine)] {
            for half in from.constraints.iter().flat_map(Constraint::halves) {
                if let Some(constraint) = to.weakened(&half, &Dynamic(ranges)) {
                    result.insert(constraint);
                }
            }
        }
        result
    }

    /// The inequality moved so far that it holds here, if that is possible.
    fn weakened(&self, form: &Linear<D>, ranges: &impl Ranges<D>) -> Option<Constraint<D>> {
        let offset = match self.minimum(form, ranges) {
            Least::Value(least) if least >= num_rational::Ratio::from_integer(0) => form.offset(),
            Least::Value(least) => form.offset().checked_sub(least.floor().to_integer())?,
            Least::Infeasible => form.offset(),
            Least::Unbounded | Least::NotKnown => return None,
        };
        // Moved far, an inequality with other factors than 1 says next to nothing, and there is no end of such.
        let steepest = form.factors().map(|(_, factor)| factor.abs()).max()?;
        if steepest > 1 && offset - form.offset() > FARTHEST.checked_mul(steepest)? {
            return None;
        }
        match Constraint::not_negative(&form.with_offset(offset)) {
            // What the ranges say anyway is no relation.
            Normal::Says(c) if by_ranges(c.form(), ranges).is_none_or(|least| least < 0) => Some(c),
            Normal::Says(c) if c.form().factors().count() > 1 && offset == form.offset() => Some(c),
            _ => None,
        }
    }

    /// What held before and still holds: a chain of these ends.
    pub fn widen(&self, newer: &Self, mine: &impl Ranges<D>, theirs: &impl Ranges<D>) -> Self {
        let mut result = crate::hull::affine_hull(self, newer, mine, theirs, &[]);
        for half in self.constraints.iter().flat_map(Constraint::halves) {
            if newer.entails(&half, theirs)
                && let Normal::Says(constraint) = Constraint::not_negative(&half)
            {
                result.insert(constraint);
            }
        }
        result
    }

    /// True if everything that is said here holds there.
    pub fn covers(&self, other: &Self, theirs: &impl Ranges<D>) -> bool {
        self.constraints.iter().all(|constraint| other.entails_constraint(constraint, theirs))
    }
}

/// True for an inequality with other factors than 1.
fn is_steep<D: Ord + Copy>(constraint: &Constraint<D>) -> bool {
    constraint.relation() == Relation::NotNegative
        && constraint.form().factors().any(|(_, factor)| factor.abs() > 1)
}

/// True if an equality of the same dimensions says that a form is not negative.
fn is_implied<D: Ord + Copy>(form: &Linear<D>, equality: &Constraint<D>) -> bool {
    let implies =
        |half: &Linear<D>| half.offset() <= form.offset() && half.with_offset(0) == form.with_offset(0);
    equality.halves().iter().any(implies)
}

/// Ranges behind a reference.
struct Dynamic<'a, D>(&'a dyn Ranges<D>);

impl<D> Ranges<D> for Dynamic<'_, D> {
    fn range(&self, dimension: D) -> (i128, i128) {
        self.0.range(dimension)
    }
}

/// The least value of a form by the ranges of its dimensions alone.
pub(crate) fn by_ranges<D: Ord + Copy>(form: &Linear<D>, ranges: &impl Ranges<D>) -> Option<i128> {
    form.factors().try_fold(form.offset(), |sum, (dimension, factor)| {
        let (least, most) = ranges.range(dimension);
        sum.checked_add(factor.checked_mul(if factor > 0 { least } else { most })?)
    })
}

/// The other constraints with the dimension replaced by what an equality says of it.
fn substituted<D: Ord + Copy>(
    equality: &Constraint<D>,
    all: &[Constraint<D>],
    dimension: D,
) -> Vec<Constraint<D>> {
    let pivot = equality.form().factor(dimension);
    let others = all.iter().filter(|c| *c != equality);
    let replaced = others.filter_map(|constraint| {
        let factor = constraint.form().factor(dimension);
        // |pivot| * constraint - sign(pivot) * factor * equality has no such dimension.
        let form = constraint.form().times(pivot.abs())?.plus(equality.form(), -factor * pivot.signum())?;
        let normal = match constraint.relation() {
            Relation::Zero => Constraint::zero(&form),
            Relation::NotNegative => Constraint::not_negative(&form),
        };
        said(normal)
    });
    replaced.collect()
}

/// All sums of an inequality that bounds the dimension from below and one that bounds it from above.
fn combined<D: Ord + Copy>(all: &[Constraint<D>], dimension: D) -> Vec<Constraint<D>> {
    let (below, above): (Vec<_>, Vec<_>) = all.iter().partition(|c| c.form().factor(dimension) > 0);
    let mut results = Vec::new();
    for low in &below {
        for high in &above {
            let (p, q) = (low.form().factor(dimension), -high.form().factor(dimension));
            let sum = low.form().times(q).and_then(|form| form.plus(high.form(), p));
            results.extend(sum.and_then(|form| said(Constraint::not_negative(&form))));
        }
    }
    results
}

fn said<D: Ord + Copy>(normal: Normal<D>) -> Option<Constraint<D>> {
    match normal {
        Normal::Says(constraint) => Some(constraint),
        // A contradiction is found by whoever asks; leaving it out is sound.
        Normal::True | Normal::False => None,
    }
}

impl<D: Ord + Copy + fmt::Display> fmt::Display for System<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = self.constraints.iter().map(ToString::to_string).collect();
        write!(f, "{}", parts.join(", "))
    }
}
