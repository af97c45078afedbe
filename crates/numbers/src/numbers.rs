//! The integers of a program state: each by itself, and the linear relations between them.
//!
//! A machine integer has two readings, unsigned and signed, and programs compare both. Each reading that a relation needs is
//! a [`Dimension`]; where the sign of an integer is known the two readings are tied by an equality.

use crate::arithmetic::Operation;
use crate::linear::{Constraint, Linear, Normal};
use crate::number::{Comparison, Number, mask};
use crate::simplex::Least;
use crate::system::{Contradiction, Ranges, System};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// How the bits of an integer are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum View {
    Unsigned,
    Signed,
}

/// A reading of an integer: a whole number that relations speak of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub struct Dimension<K> {
    pub key: K,
    pub view: View,
}

/// An operand: an integer of the state, or a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Term<K> {
    Key(K),
    Constant { bits: u128, width: u8 },
}

/// What is known of the integers of a state. Integers that were never named can have any value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Numbers<K: Ord> {
    each: BTreeMap<K, Number>,
    relations: System<Dimension<K>>,
}

impl<K: Ord + Copy> Default for Numbers<K> {
    fn default() -> Self {
        Numbers { each: BTreeMap::new(), relations: System::default() }
    }
}

impl<K: Ord + Copy> Ranges<Dimension<K>> for BTreeMap<K, Number> {
    fn range(&self, dimension: Dimension<K>) -> (i128, i128) {
        let Some(number) = self.get(&dimension.key) else {
            return (i128::from(i64::MIN), i128::from(u64::MAX));
        };
        match dimension.view {
            View::Signed => number.signed_range(),
            View::Unsigned => (number.range().0 as i128, number.range().1 as i128),
        }
    }
}

/// More dimensions than this are not searched for equalities that a join brings.
const MOST_CANDIDATES: usize = 12;

impl<K: Ord + Copy> Numbers<K> {
    /// A new integer, or all that is known of an old one anew.
    pub fn set(&mut self, key: K, number: Number) {
        self.forget(key);
        self.each.insert(key, number);
    }

    /// What is known of an integer by itself.
    pub fn number(&self, key: K) -> Option<Number> {
        self.each.get(&key).copied()
    }

    /// What is known of an operand by itself.
    pub fn of(&self, term: Term<K>) -> Option<Number> {
        match term {
            Term::Key(key) => self.number(key),
            Term::Constant { bits, width } => Some(Number::constant(bits, width)),
        }
    }

    /// The integers, in order.
    pub fn keys(&self) -> impl Iterator<Item = K> {
        self.each.keys().copied()
    }

    /// The relations.
    pub fn relations(&self) -> &System<Dimension<K>> {
        &self.relations
    }

    /// Forgets an integer; what follows for the others stays.
    pub fn forget(&mut self, key: K) {
        for view in [View::Unsigned, View::Signed] {
            self.relations.forget(Dimension { key, view });
        }
        self.each.remove(&key);
    }

    /// Keeps some integers only.
    pub fn keep(&mut self, wanted: impl Fn(K) -> bool) {
        let gone: Vec<K> = self.each.keys().copied().filter(|key| !wanted(*key)).collect();
        gone.into_iter().for_each(|key| self.forget(key));
    }

    /// The same integers under other names. Those without a name are forgotten; two of one name must be equal.
    pub fn renamed<L: Ord + Copy>(mut self, name: impl Fn(K) -> Option<L>) -> Numbers<L> {
        self.keep(|key| name(key).is_some());
        let relations = self.relations.renamed(|d| name(d.key).map(|key| Dimension { key, view: d.view }));
        let mut each: BTreeMap<L, Number> = BTreeMap::new();
        for (key, number) in self.each {
            let Some(new) = name(key) else { continue };
            let known = each.get(&new).and_then(|old| old.meet(number)).unwrap_or(number);
            each.insert(new, known);
        }
        Numbers { each, relations }
    }

    /// A reading of an operand as a linear form.
    pub fn form(&self, term: Term<K>, view: View) -> Linear<Dimension<K>> {
        match (self.of(term).and_then(|n| n.value().map(|_| n)), term) {
            (Some(number), _) => Linear::constant(match view {
                View::Signed => number.signed_range().0,
                View::Unsigned => number.range().0 as i128,
            }),
            (None, Term::Key(key)) => Linear::dimension(Dimension { key, view: self.view_of(key, view) }),
            (None, Term::Constant { .. }) => unreachable!("a constant has a value"),
        }
    }

    /// Integers that are never negative have one reading.
    fn view_of(&self, key: K, view: View) -> View {
        match self.number(key) {
            Some(number) if number.signed_range().0 >= 0 => View::Unsigned,
            _ => view,
        }
    }

    /// After a number became non-negative its signed reading is its unsigned one.
    fn tie_readings(&mut self, keys: &BTreeSet<K>) {
        for key in keys.iter().copied() {
            let Some(number) = self.number(key) else { continue };
            let signed = Dimension { key, view: View::Signed };
            let used = |d: Dimension<K>| self.relations.constraints().any(|c| c.form().factor(d) != 0);
            let gap = match number.signed_range() {
                (least, _) if least >= 0 => 0,
                (_, most) if most < 0 => mask(number.width()) as i128 + 1,
                _ => continue,
            };
            if used(signed) {
                let unsigned = Linear::dimension(Dimension { key, view: View::Unsigned });
                if let Some(form) = unsigned.plus(&Linear::dimension(signed), -1) {
                    let _ = self.relations.add(Constraint::zero(&form.with_offset(-gap)));
                    self.relations.forget(signed);
                }
            }
        }
    }

    /// Takes a comparison as true; an error if it cannot be.
    pub fn assume(&mut self, op: Comparison, a: Term<K>, b: Term<K>) -> Result<(), Contradiction> {
        if self.holds(op, a, b) == Some(false) {
            return Err(Contradiction);
        }
        if let (Some(x), Some(y)) = (self.of(a), self.of(b)) {
            let (x, y) = x.assume(op, y).ok_or(Contradiction)?;
            self.narrow(a, x);
            self.narrow(b, y);
        }
        let keys: BTreeSet<K> = [a, b].into_iter().filter_map(|t| as_key(t)).collect();
        self.tie_readings(&keys);
        if keys.len() == 2 {
            for (view, exact, gap) in readings(op) {
                let form = self.form(b, view).plus(&self.form(a, view), -1);
                let Some(form) = form.and_then(|form| form.plus(&Linear::constant(gap), -1)) else {
                    continue;
                };
                self.relations.add(if exact {
                    Constraint::zero(&form)
                } else {
                    Constraint::not_negative(&form)
                })?;
            }
        }
        self.propagate(keys)
    }

    fn narrow(&mut self, term: Term<K>, number: Number) {
        if let Term::Key(key) = term {
            self.each.insert(key, number);
        }
    }

    /// Lets relations narrow the ranges of the integers that they name, a few rounds.
    fn propagate(&mut self, mut changed: BTreeSet<K>) -> Result<(), Contradiction> {
        for _ in 0..3 {
            let mut next = BTreeSet::new();
            let touched =
                |c: &&Constraint<Dimension<K>>| c.form().factors().any(|(d, _)| changed.contains(&d.key));
            let constraints: Vec<_> = self.relations.constraints().filter(touched).cloned().collect();
            for half in constraints.iter().flat_map(Constraint::halves) {
                for (dimension, factor) in half.factors() {
                    if self.narrow_by(&half, dimension, factor)? {
                        next.insert(dimension.key);
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            self.tie_readings(&next);
            changed = next;
        }
        Ok(())
    }

    /// What `form >= 0` and the ranges of the others say of one dimension; true if that is news.
    fn narrow_by(
        &mut self,
        form: &Linear<Dimension<K>>,
        dimension: Dimension<K>,
        factor: i128,
    ) -> Result<bool, Contradiction> {
        let Some(number) = self.number(dimension.key) else { return Ok(false) };
        // factor * d >= -most(rest)
        let Some(rest) = form.plus(&Linear::dimension(dimension), -factor) else { return Ok(false) };
        let Some(least) = rest.times(-1).and_then(|rest| crate::system::by_ranges(&rest, &self.each)) else {
            return Ok(false);
        };
        let any = Number::any(number.width());
        let limits = match dimension.view {
            View::Unsigned => (0, any.range().1 as i128),
            View::Signed => any.signed_range(),
        };
        let (low, high) = match factor > 0 {
            true => (ceiling(least, factor), limits.1),
            false => (limits.0, -ceiling(least, -factor)),
        };
        if low > limits.1 || high < limits.0 {
            return Err(Contradiction);
        }
        let (low, high) = (low.max(limits.0), high.min(limits.1));
        let narrowed = match dimension.view {
            View::Unsigned => Number::between(low as u128, high as u128, number.width()),
            View::Signed => Number::signed_between(low, high, number.width()),
        };
        let narrowed = narrowed.and_then(|range| number.meet(range)).ok_or(Contradiction)?;
        self.each.insert(dimension.key, narrowed);
        Ok(narrowed != number)
    }

    /// The truth of a comparison where it is always the same.
    pub fn holds(&self, op: Comparison, a: Term<K>, b: Term<K>) -> Option<bool> {
        if a == b {
            return Some(matches!(op, Comparison::Eq | Comparison::Ule | Comparison::Sle));
        }
        if let (Some(x), Some(y)) = (self.of(a), self.of(b))
            && let Some(truth) = x.compare(op, y)
        {
            return Some(truth);
        }
        let (opposite, turned) = op.opposite();
        match op {
            Comparison::Ne => return self.holds(Comparison::Eq, a, b).map(|equal| !equal),
            Comparison::Eq if self.differ(a, b) => return Some(false),
            Comparison::Eq => return self.proves(Comparison::Eq, a, b).then_some(true),
            _ => {}
        }
        if self.proves(op, a, b) {
            return Some(true);
        }
        let (x, y) = if turned { (b, a) } else { (a, b) };
        self.proves(opposite, x, y).then_some(false)
    }

    /// True if one is surely less than the other.
    fn differ(&self, a: Term<K>, b: Term<K>) -> bool {
        let orders = [
            (Comparison::Ult, a, b),
            (Comparison::Ult, b, a),
            (Comparison::Slt, a, b),
            (Comparison::Slt, b, a),
        ];
        orders.into_iter().any(|(op, a, b)| self.proves(op, a, b))
    }

    fn proves(&self, op: Comparison, a: Term<K>, b: Term<K>) -> bool {
        readings(op).into_iter().any(|(view, exact, gap)| {
            let difference = self.form(b, view).plus(&self.form(a, view), -1);
            let Some(form) = difference.and_then(|form| form.plus(&Linear::constant(gap), -1)) else {
                return false;
            };
            let negative = form.times(-1);
            self.relations.entails(&form, &self.each)
                && (!exact || negative.is_some_and(|form| self.relations.entails(&form, &self.each)))
        })
    }

    /// The least value of a form of readings.
    pub fn minimum(&self, form: &Linear<Dimension<K>>) -> Least {
        self.relations.minimum(form, &self.each)
    }

    /// `key = a op b`, in the width of the operands.
    pub fn apply(&mut self, key: K, op: Operation, a: Term<K>, b: Term<K>) {
        let (Some(x), Some(y)) = (self.of(a), self.of(b)) else { return self.forget(key) };
        let result = x.apply(op, y);
        // The result may be one of the operands: relations are made before the old value is gone.
        let forms = self.result_forms(op, a, b, (x, y));
        if as_key(a) == Some(key) || as_key(b) == Some(key) {
            return self.replace(key, result, forms);
        }
        self.set(key, result);
        self.relate(key, forms);
    }

    /// Linear forms that the result equals, by reading.
    fn result_forms(
        &self,
        op: Operation,
        a: Term<K>,
        b: Term<K>,
        (x, y): (Number, Number),
    ) -> Vec<(View, Linear<Dimension<K>>)> {
        let width = x.width();
        let mut forms = Vec::new();
        for view in [View::Unsigned, View::Signed] {
            let (f, g) = (self.form(a, view), self.form(b, view));
            let form = match op {
                Operation::Add => f.plus(&g, 1),
                Operation::Sub => f.plus(&g, -1),
                Operation::Mul => product(&f, &g),
                Operation::Shl if y.value().is_some_and(|by| by < u128::from(width)) => {
                    y.value().and_then(|by| f.times(1 << by))
                }
                _ => None,
            };
            forms.extend(form.filter(|form| self.fits(form, width, view)).map(|form| (view, form)));
        }
        forms
    }

    /// True if all values of the form can be read that way in the width: the operation does not wrap.
    fn fits(&self, form: &Linear<Dimension<K>>, width: u8, view: View) -> bool {
        let any = Number::any(width);
        let (least, most) = match view {
            View::Unsigned => (0, any.range().1 as i128),
            View::Signed => any.signed_range(),
        };
        let above = form.plus(&Linear::constant(least), -1);
        let below = form.times(-1).and_then(|form| form.plus(&Linear::constant(most), 1));
        let holds = |form: Option<Linear<Dimension<K>>>| {
            form.is_some_and(|form| self.relations.entails(&form, &self.each))
        };
        holds(above) && holds(below)
    }

    fn relate(&mut self, key: K, forms: Vec<(View, Linear<Dimension<K>>)>) {
        for (view, form) in forms {
            let own = Linear::dimension(Dimension { key, view: self.view_of(key, view) });
            if let Some(form) = own.plus(&form, -1) {
                // The result has a value, so this cannot contradict.
                let _ = self.relations.add(Constraint::zero(&form));
            }
        }
        let _ = self.propagate(BTreeSet::from([key]));
    }

    /// `key = f(key)`: the old value is forgotten after the new one was related to it.
    fn replace(&mut self, key: K, result: Number, forms: Vec<(View, Linear<Dimension<K>>)>) {
        // A new dimension beside the old ones needs a name of its own: the views of two types of keys.
        let old = std::mem::take(self).renamed(|k| Some(Versioned { key: k, new: false }));
        let mut both = old;
        let new = Versioned { key, new: true };
        both.set(new, result);
        let renamed = |form: Linear<Dimension<K>>| {
            form.renamed(|d| Some(Dimension { key: Versioned { key: d.key, new: false }, view: d.view }))
        };
        both.relate(new, forms.into_iter().filter_map(|(view, form)| Some((view, renamed(form)?))).collect());
        both.forget(Versioned { key, new: false });
        *self = both.renamed(|versioned| Some(versioned.key));
    }

    /// `key` is a cast of another integer to a width.
    pub fn cast(&mut self, key: K, from: K, signed: bool, width: u8) {
        let Some(number) = self.number(from) else { return self.forget(key) };
        let result = match (width < number.width(), signed) {
            (true, _) => number.truncated(width),
            (false, true) => number.sign_extended(width),
            (false, false) => number.zero_extended(width),
        };
        let mut forms = Vec::new();
        for view in [View::Unsigned, View::Signed] {
            let kept = width < number.width() || (view == View::Signed) == signed;
            let form = self.form(Term::Key(from), view);
            if kept && self.fits(&form, width, view) {
                forms.push((view, form));
            }
        }
        self.set(key, result);
        self.relate(key, forms);
    }

    /// What holds on both sides, of the integers that both have.
    pub fn join(&self, other: &Self) -> Self {
        self.merged(other, Number::join, |a, b, mine, theirs| {
            let changed = changed(mine, theirs);
            a.join(b, mine, theirs, &changed)
        })
    }

    /// What holds on both sides and cannot grow for ever.
    pub fn widen(&self, newer: &Self, thresholds: &[i128]) -> Self {
        let each = |a: Number, b: Number| a.widen(b, thresholds);
        self.merged(newer, each, |a, b, mine, theirs| a.widen(b, mine, theirs))
    }

    fn merged(
        &self,
        other: &Self,
        each: impl Fn(Number, Number) -> Number,
        relations: impl Fn(
            &System<Dimension<K>>,
            &System<Dimension<K>>,
            &BTreeMap<K, Number>,
            &BTreeMap<K, Number>,
        ) -> System<Dimension<K>>,
    ) -> Self {
        let (mut a, mut b) = (self.clone(), other.clone());
        a.keep(|key| other.each.contains_key(&key));
        b.keep(|key| self.each.contains_key(&key));
        // Both sides speak of the same readings: signed ones where a number may be negative on either side.
        let both: BTreeMap<K, Number> =
            a.each.iter().map(|(key, number)| (*key, each(*number, b.each[key]))).collect();
        for side in [&mut a, &mut b] {
            side.add_readings(&both);
        }
        let relations = relations(&a.relations, &b.relations, &a.each, &b.each);
        let mut result = Numbers { each: both, relations };
        let keys: BTreeSet<K> = result.each.keys().copied().collect();
        result.tie_readings(&keys);
        // Relations that were kept bound ranges that a widening gave up. Both sides have members: no contradiction.
        let _ = result.propagate(keys);
        result
    }

    /// Numbers that are not negative here but may be so in the result get their signed reading back.
    fn add_readings(&mut self, result: &BTreeMap<K, Number>) {
        for (key, number) in &self.each {
            let wide = result.get(key).is_some_and(|n| n.signed_range().0 < 0);
            let unsigned = Dimension { key: *key, view: View::Unsigned };
            let used = self.relations.constraints().any(|c| c.form().factor(unsigned) != 0);
            if wide && used && number.signed_range().0 >= 0 {
                let signed = Linear::dimension(Dimension { key: *key, view: View::Signed });
                let signed_relations = self.relations.renamed(|d| {
                    let view = if d.key == *key { View::Signed } else { d.view };
                    Some(Dimension { key: d.key, view })
                });
                for constraint in signed_relations.constraints() {
                    let _ = self.relations.add(Normal::Says(constraint.clone()));
                }
                if let Some(form) = Linear::dimension(unsigned).plus(&signed, -1) {
                    let _ = self.relations.add(Constraint::zero(&form));
                }
            }
        }
    }

    /// True if everything that is known here holds there.
    pub fn covers(&self, other: &Self) -> bool {
        let ranges = self
            .each
            .iter()
            .all(|(key, number)| other.each.get(key).is_some_and(|theirs| number.covers(*theirs)));
        ranges && {
            let mut other = other.clone();
            other.add_readings(&self.each);
            self.relations.covers(&other.relations, &other.each)
        }
    }

    /// True if an assignment of values is one of the states.
    pub fn has(&self, values: impl Fn(K) -> u128) -> bool {
        let each = self.each.iter().all(|(key, number)| number.has(values(*key)));
        let reading = |d: Dimension<K>| {
            let width = self.each.get(&d.key).map_or(64, |number| number.width());
            match d.view {
                View::Unsigned => values(d.key) as i128,
                View::Signed => crate::number::signed(values(d.key), width),
            }
        };
        each && self.relations.constraints().all(|constraint| constraint.holds(reading))
    }
}

/// A key before and after an assignment to itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Versioned<K> {
    key: K,
    new: bool,
}

fn as_key<K>(term: Term<K>) -> Option<K> {
    match term {
        Term::Key(key) => Some(key),
        Term::Constant { .. } => None,
    }
}

/// The readings in which a comparison says something: `b - a - gap` is not negative, or zero.
fn readings(op: Comparison) -> Vec<(View, bool, i128)> {
    match op {
        Comparison::Eq => vec![(View::Unsigned, true, 0), (View::Signed, true, 0)],
        Comparison::Ne => Vec::new(),
        Comparison::Ult => vec![(View::Unsigned, false, 1)],
        Comparison::Ule => vec![(View::Unsigned, false, 0)],
        Comparison::Slt => vec![(View::Signed, false, 1)],
        Comparison::Sle => vec![(View::Signed, false, 0)],
    }
}

fn product<D: Ord + Copy>(a: &Linear<D>, b: &Linear<D>) -> Option<Linear<D>> {
    match (a.is_constant(), b.is_constant()) {
        (true, _) => b.times(a.offset()),
        (_, true) => a.times(b.offset()),
        _ => None,
    }
}

fn ceiling(a: i128, by: i128) -> i128 {
    -((-a).div_euclid(by))
}

/// Dimensions that have one value on a side and another on the other: a join may tie them to each other.
fn changed<K: Ord + Copy>(mine: &BTreeMap<K, Number>, theirs: &BTreeMap<K, Number>) -> Vec<Dimension<K>> {
    let constant = |n: &Number| n.value().is_some();
    let differs = mine.iter().filter(|(key, n)| {
        theirs.get(key).is_some_and(|other| *n != other && (constant(n) || constant(other)))
    });
    let dimensions = differs.map(|(key, n)| {
        let negative = n.signed_range().0 < 0 || theirs[key].signed_range().0 < 0;
        Dimension { key: *key, view: if negative { View::Signed } else { View::Unsigned } }
    });
    dimensions.take(MOST_CANDIDATES).collect()
}

impl<K: fmt::Display> fmt::Display for Dimension<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.view {
            View::Unsigned => write!(f, "{}", self.key),
            View::Signed => write!(f, "s({})", self.key),
        }
    }
}

impl<K: Ord + Copy + fmt::Display> fmt::Display for Numbers<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let each = self.each.iter().map(|(key, number)| format!("{key} in {number}"));
        let all: Vec<String> = each.chain(self.relations.constraints().map(ToString::to_string)).collect();
        write!(f, "{}", all.join(", "))
    }
}
