//! How far ranges grow where configurations are joined: not at all beyond both sides, or in leaps, so that loops come to an end.

use super::Joiner;
use crate::graph::{Addr, State, Val};
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

impl Joiner<'_> {
    /// The range of an index as it has grown, but not past the end of the object, nor back into the links that it begins with, where the sides stay
    /// between these.
    pub(super) fn inside(
        &self,
        base: Addr,
        scale: i128,
        (left, right): (Range, Range),
        grown: Range,
    ) -> Range {
        let object = self.left.state.object(base.obj);
        let links = object.cells.iter().filter(|(_, cell)| self.left.state.target(cell.val).is_some());
        let links = links.map(|(off, cell)| off + cell.len).max().unwrap_or(0);
        if scale <= 0 || !object.exact {
            return grown;
        }
        let (start, hull) = (i128::from(base.off), left.hull(right));
        let least = -(start - i128::from(links)).div_euclid(scale);
        let most = (i128::from(object.size) - start).div_euclid(scale);
        Range {
            lo: if hull.lo >= least { grown.lo.max(least) } else { grown.lo },
            hi: if hull.hi <= most { grown.hi.min(most) } else { grown.hi },
        }
    }
}

/// So many numbers between two ranges are remembered.
const MOST_BETWEEN: i128 = 8;

impl Joiner<'_> {
    /// The numbers between two ranges, where they are few: the number is none of these.
    pub(super) fn between(&self, left: Range, right: Range) -> std::ops::Range<i128> {
        let (from, to) = (left.hi.min(right.hi).saturating_add(1), left.lo.max(right.lo));
        let few = from < to && to - from <= MOST_BETWEEN;
        if few { from - i128::from(fault!(73))..to } else { 0..0 }
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
