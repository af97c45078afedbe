//! The equalities that two systems have in common (Karr's join of affine spaces).
//!
//! An equality is a row of factors with a constant. Rows that follow from both systems are the intersection of two row
//! spaces: solutions of `x*A = y*B`.

use crate::linear::{Constraint, Linear, Normal, Relation};
use crate::system::{Ranges, System};
use num_rational::Ratio;
use num_traits::{CheckedDiv, CheckedMul, CheckedSub, Zero};
use std::collections::BTreeSet;

type Fraction = Ratio<i128>;
type Row = Vec<Fraction>;

/// A system of the equalities that hold on both sides, between the dimensions of either and some others.
pub fn affine_hull<D: Ord + Copy>(
    a: &System<D>,
    b: &System<D>,
    mine: &impl Ranges<D>,
    theirs: &impl Ranges<D>,
    others: &[D],
) -> System<D> {
    let mut result = System::default();
    let all: BTreeSet<D> =
        a.dimensions().into_iter().chain(b.dimensions()).chain(others.iter().copied()).collect();
    let dimensions: Vec<D> = all.into_iter().collect();
    let (left, right) = (rows(a, &dimensions, mine), rows(b, &dimensions, theirs));
    for row in common_rows(&left, &right).unwrap_or_default() {
        if let Some(form) = form_of(&row, &dimensions)
            && let normal @ Normal::Says(_) = Constraint::zero(&form)
        {
            // A row in both spaces is no contradiction unless both sides are.
            let _ = result.add(normal);
        }
    }
    result
}

/// The equalities of a system, and its dimensions that have one value.
fn rows<D: Ord + Copy>(system: &System<D>, dimensions: &[D], ranges: &impl Ranges<D>) -> Vec<Row> {
    let mut rows = Vec::new();
    for constraint in system.constraints().filter(|c| c.relation() == Relation::Zero) {
        let form = constraint.form();
        let mut row: Row = dimensions.iter().map(|d| Fraction::from_integer(form.factor(*d))).collect();
        row.push(Fraction::from_integer(form.offset()));
        rows.push(row);
    }
    for (index, dimension) in dimensions.iter().enumerate() {
        let (least, most) = ranges.range(*dimension);
        if least == most {
            let mut row = vec![Fraction::zero(); dimensions.len() + 1];
            row[index] = Fraction::from_integer(1);
            row[dimensions.len()] = Fraction::from_integer(-least);
            rows.push(row);
        }
    }
    rows
}

/// A basis of the intersection of two row spaces; nothing if numbers become too large.
fn common_rows(left: &[Row], right: &[Row]) -> Option<Vec<Row>> {
    let (left, right) = (reduced(left)?, reduced(right)?);
    if left.is_empty() || right.is_empty() {
        return Some(Vec::new());
    }
    // Zassenhaus: rows (l, l) and (r, 0); what is reduced to (0, x) spans the intersection.
    let width = left[0].len();
    let zero = vec![Fraction::zero(); width];
    let doubled = left.iter().map(|row| [row.clone(), row.clone()].concat());
    let single = right.iter().map(|row| [row.clone(), zero.clone()].concat());
    let all: Vec<Row> = doubled.chain(single).collect();
    let echelon = reduced(&all)?;
    let second = echelon.into_iter().filter(|row| row[..width].iter().all(Zero::is_zero));
    Some(second.map(|row| row[width..].to_vec()).collect())
}

/// Gauss's elimination: rows with leading ones, without rows of zeros.
fn reduced(rows: &[Row]) -> Option<Vec<Row>> {
    let mut rest: Vec<Row> = rows.to_vec();
    let mut done: Vec<Row> = Vec::new();
    let width = rest.first().map_or(0, Vec::len);
    for column in 0..width {
        let Some(index) = rest.iter().position(|row| !row[column].is_zero()) else { continue };
        let mut pivot = rest.swap_remove(index);
        let lead = pivot[column];
        for part in &mut pivot {
            *part = part.checked_div(&lead)?;
        }
        for row in rest.iter_mut().chain(&mut done) {
            let factor = row[column];
            if factor.is_zero() {
                continue;
            }
            for (at, part) in pivot.iter().enumerate() {
                row[at] = row[at].checked_sub(&part.checked_mul(&factor)?)?;
            }
        }
        done.push(pivot);
    }
    Some(done)
}

fn form_of<D: Ord + Copy>(row: &[Fraction], dimensions: &[D]) -> Option<Linear<D>> {
    let denominators: BTreeSet<i128> = row.iter().map(|part| *part.denom()).collect();
    let mut common: i128 = 1;
    for denominator in denominators {
        let shared = crate::number::gcd(common.unsigned_abs(), denominator.unsigned_abs()) as i128;
        common = (common / shared).checked_mul(denominator)?;
    }
    let whole = |part: &Fraction| i128::checked_mul(*part.numer(), common / part.denom());
    let mut form = Linear::constant(whole(row.last()?)?);
    for (dimension, part) in dimensions.iter().zip(row) {
        form = form.plus(&Linear::dimension(*dimension), whole(part)?)?;
    }
    Some(form)
}
