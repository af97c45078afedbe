//! How far ranges grow where configurations are joined: not at all beyond both sides, or in leaps, so that loops come to an end.

use super::Joiner;
use crate::graph::{State, Val};
use crate::number::Range;
use heapproof_ir::sign_extend;
use std::collections::BTreeSet;

/// How numbers grow when they are joined at a loop.
#[derive(Clone, Copy)]
pub enum Growth<'t> {
    /// To the smallest range that covers both.
    Hull,
    /// To the next of these numbers, or of those that the left side knows.
    Thresholds(&'t BTreeSet<i128>),
}

impl Joiner<'_> {
    /// The range of a number that has these ranges on the sides.
    pub(super) fn grown(&self, left: Range, right: Range, width: u8) -> Range {
        let mut hull = left.hull(right);
        if fault!(14) && hull.hi > hull.lo {
            hull.hi -= 1;
        }
        let Growth::Thresholds(thresholds) = self.growth else { return hull };
        let full = Range::full(width);
        let known = self.known.get_or_init(|| self.left.state.known_numbers());
        if hull.lo < left.lo {
            let below = |numbers: &BTreeSet<i128>| numbers.range(..=hull.lo).next_back().copied();
            hull.lo = below(thresholds).max(below(known)).unwrap_or(full.lo).max(full.lo);
        }
        if hull.hi > left.hi {
            let above = |numbers: &BTreeSet<i128>| numbers.range(hull.hi..).next().copied();
            let next = [above(thresholds), above(known)].into_iter().flatten().min();
            hull.hi = next.unwrap_or(full.hi).min(full.hi);
        }
        hull
    }
}

impl State {
    /// The range of a number, where another one does not cover it: by what is known of several numbers together, too.
    pub(super) fn narrowed(&self, val: Val, range: Range, other: Range) -> Range {
        let (Val::Sym(id), false, false) = (val, other.covers(range), self.relations.is_empty()) else {
            return range;
        };
        let bounds = self.form_of(id).and_then(|form| self.bounds(&form));
        bounds.and_then(|bounds| bounds.meet(range)).unwrap_or(range)
    }

    /// Numbers that are stored, and sizes of objects: counters and indices often end there. They become fewer in a loop, because
    /// what changes there is known no longer; so growth that stops at them ends.
    fn known_numbers(&self) -> BTreeSet<i128> {
        let mut numbers = BTreeSet::new();
        for object in self.objects.values().filter(|object| object.valid && object.level == 0) {
            if object.exact {
                numbers.insert(i128::from(object.size));
            }
            for cell in object.cells.values() {
                if let (Val::Int(bits), 1..=8) = (cell.val, cell.len) {
                    numbers.insert(sign_extend(bits, 8 * cell.len as u8));
                }
            }
        }
        numbers
    }
}
