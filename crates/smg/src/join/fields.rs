//! Join of the fields of two objects (join reinterpretation, section 3.2 of the paper).

use super::{Joiner, Lift, NoJoin, Place, Res};
use crate::graph::{ObjId, Object, Seg, Storage, Val};
use crate::number::Range;
use crate::tree::Kids;
use std::collections::BTreeMap;

impl Joiner<'_> {
    /// Joins the fields of two objects (join reinterpretation).
    pub(super) fn fields(&mut self, l: ObjId, r: ObjId, out: ObjId, lift: Lift) -> Res<()> {
        let (x, y) = (self.left.state.object(l).clone(), self.right.state.object(r).clone());
        let seg = self.out.object(out).seg;
        let inner = Lift {
            left: lift.left + u32::from(seg.is_some() && x.seg.is_none()),
            right: lift.right + u32::from(seg.is_some() && y.seg.is_none()),
        };
        if seg.is_some() && self.out.kinds.is_some() {
            return self.fields_of_kinds((l, r, out), lift, inner);
        }
        let (x, y) = match seg {
            Some(seg) => [x, y].map(|side| side.without_twins(seg, self.out.pointer_bytes())).into(),
            None => (x, y),
        };
        let level = self.out.object(out).level;
        let text = self.out.object(out).text;
        self.views(&x, &y)?;
        let kids = seg.map_or(Kids::NONE, |seg| seg.kids);
        for (off, len) in fields_of(&x, &y) {
            if kids.has(off, self.out.pointer_bytes()) {
                continue;
            }
            let link = seg.is_some_and(|s| s.next == off || s.prev == Some(off));
            let place = Place {
                lift: if link { lift } else { inner },
                level: if link { level } else { level + u32::from(seg.is_some()) },
                width: (len * 8).min(128) as u8,
            };
            match (x.peek(off, len), y.peek(off, len)) {
                (Some(a), Some(b)) => {
                    if x.storage == Storage::Heap {
                        self.note_parted(a, b, place.width);
                    }
                    if level == 0
                        && seg.is_none()
                        && self.left.state.is_number(a)
                        && self.right.state.is_number(b)
                    {
                        let width = place.width;
                        self.note_masks(self.left.state.range(a, width), self.right.state.range(b, width));
                    }
                    let val = self.values(a, b, place, Some((l, r, out)))?;
                    self.out.object_mut(out).put(off, len, val);
                }
                (Some(a), None) if self.left.state.is_number(a) => self.left.keeps = false,
                (None, Some(b)) if self.right.state.is_number(b) => self.right.keeps = false,
                (None, None) => self.lose_both(),
                // An entry that one side has not looked at yet: nothing is lost, it can be looked at again.
                (Some(_), None) if x.storage == Storage::Arguments => self.left.keeps = false,
                (None, Some(_)) if x.storage == Storage::Arguments => self.right.keeps = false,
                _ => return Err(NoJoin::Address),
            }
        }
        self.common_zeros(&x, &y, out);
        if kids != Kids::NONE {
            self.holes((&x, &y), (l, r, out), lift)?;
        }
        // What was put there is what both sides have beside their strings.
        self.out.set_text(out, text);
        let object = self.out.object(out);
        let linked = |seg: Seg| {
            let known = |off: u64| object.peek(off, self.out.pointer_bytes()).is_some();
            known(seg.next) && seg.prev.is_none_or(known)
        };
        // Without its links a segment says nothing about its ends.
        if seg.is_none_or(linked) { Ok(()) } else { Err(NoJoin::Objects) }
    }

    /// Notes numbers that may be two different masks.
    pub(super) fn note_masks(&mut self, x: Range, y: Range) {
        if crate::align::are_two_masks(x, y) {
            self.differences.masks.push((x.lo, y.lo));
        }
    }

    /// Notes numbers that are surely different.
    pub(super) fn note_parted(&mut self, a: Val, b: Val, width: u8) {
        if self.left.state.is_number(a) && self.right.state.is_number(b) {
            let (x, y) = (self.left.state.range(a, width), self.right.state.range(b, width));
            if x.meet(y).is_none() {
                self.differences.parted.push((x, y));
            }
        }
    }

    /// What one side sees in other pieces than the fields that are joined is lost; it must not be an address.
    pub(super) fn views(&mut self, x: &Object, y: &Object) -> Res<()> {
        let fields: BTreeMap<u64, u64> = fields_of(x, y).into_iter().collect();
        let sides =
            [(x, self.left.state, &mut self.left.keeps), (y, self.right.state, &mut self.right.keeps)];
        for (object, state, flag) in sides {
            for (off, cell) in &object.cells {
                if fields.get(off) != Some(&cell.len) {
                    *flag = false;
                    if !state.is_number(cell.val) {
                        return Err(NoJoin::Address);
                    }
                }
            }
        }
        Ok(())
    }

    pub(super) fn common_zeros(&mut self, x: &Object, y: &Object, out: ObjId) {
        for (&start, &end) in &x.zeros {
            for (&low, &high) in y.zeros.range(..end) {
                let (from, to) = (start.max(low), end.min(high));
                let object = self.out.object_mut(out);
                if from < to && object.cells.range(from..to).next().is_none() {
                    object.put(from, to - from, Val::ZERO);
                }
            }
        }
        // A nullified block of one side that is not one of the result is a loss.
        let result = self.out.object(out).clone();
        let kept = |zeros: &BTreeMap<u64, u64>| {
            zeros.iter().all(|(&start, &end)| result.is_zero(start, end - start))
        };
        self.left.keeps &= kept(&x.zeros);
        self.right.keeps &= kept(&y.zeros);
    }
}

/// The fields that at least one side knows as a value, each once, without overlaps of different shape.
pub(super) fn fields_of(x: &Object, y: &Object) -> Vec<(u64, u64)> {
    let mut fields: BTreeMap<u64, u64> = x.cells.iter().map(|(off, cell)| (*off, cell.len)).collect();
    for (&off, cell) in &y.cells {
        let clash = fields.iter().any(|(&o, &l)| o < off + cell.len && off < o + l);
        if !clash {
            fields.insert(off, cell.len);
        } else if fields.get(&off) != Some(&cell.len) {
            // Different views of the same bytes: both are looked at, and what cannot be read is unknown.
            fields.entry(off).or_insert(cell.len);
        }
    }
    fields.into_iter().collect()
}
