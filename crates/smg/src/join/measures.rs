//! Join of the numbers that describe blocks: their sizes, and where the strings in them end. Below the nodes of a list each node has its own.

use super::{Joiner, Lift, NoJoin, Place, Res};
use crate::graph::{Def, Object, Seg, State, SymId, Text, Val};
use crate::number::Range;
use crate::relation::Form;
use crate::strings::is_never_zero;
use heapproof_numbers::Linear;

/// A string whose bytes are all known is looked at up to this length.
const LONGEST_KNOWN: u64 = 64;

impl Joiner<'_> {
    /// Where the numbers stand that describe a joined object: those of a segment are one per node.
    pub(super) fn measured_at(
        &self,
        x: &Object,
        y: &Object,
        seg: Option<Seg>,
        level: u32,
        lift: Lift,
    ) -> Place {
        let more = |side: &Object| u32::from(seg.is_some() && side.seg.is_none());
        let lift = Lift { left: lift.left + more(x), right: lift.right + more(y) };
        Place { lift, level: level + u32::from(seg.is_some()), width: self.out.pointer_bits() }
    }

    /// True if numbers that describe blocks are kept at a place: at the top, and where each node of a list of the top has its own.
    pub(super) fn measures(&self, place: Place) -> bool {
        let top = self.merging.is_none() && place.lift == Lift::NONE && place.level == 0;
        top || self.looks_inside() && place.level == 1
    }

    pub(super) fn looks_inside(&self) -> bool {
        self.out.relates && self.out.looks_inside
    }

    fn measure(&mut self, a: SymId, b: SymId, place: Place) -> Option<SymId> {
        if self.merging.is_some() && a == b {
            // All nodes share it.
            return Some(a);
        }
        match self.join_numbers(Val::Sym(a), Val::Sym(b), place) {
            Val::Sym(joined) => Some(joined),
            _ => None,
        }
    }

    /// The size as a number, if both sides have one.
    pub(super) fn joined_size(&mut self, x: &Object, y: &Object, place: Place) -> Option<SymId> {
        if let (Some(a), Some(b), true) = (x.size_sym, y.size_sym, self.measures(place)) {
            return self.measure(a, b, place);
        }
        self.left.keeps &= x.size_sym.is_none();
        self.right.keeps &= y.size_sym.is_none();
        None
    }

    /// Where a block begins, if that is a number on both sides. What is known of the start of the block goes with it.
    pub(super) fn joined_begin(&mut self, x: &Object, y: &Object, place: Place) -> Res<Option<SymId>> {
        match (x.begin, y.begin) {
            (None, None) => Ok(None),
            (Some(a), Some(b)) => match self.join_numbers(Val::Sym(a), Val::Sym(b), place) {
                Val::Sym(joined) => {
                    if fault!(97) {
                        self.out.sym_mut(joined).range = self.left.state.range(Val::Sym(a), place.width);
                    }
                    Ok(Some(joined))
                }
                _ => Err(NoJoin::Objects),
            },
            _ => Err(NoJoin::Objects),
        }
    }

    /// The power of two of which the start of a block is a multiple, if that is known on both sides.
    pub(super) fn joined_alignment(&mut self, x: &Object, y: &Object) -> Option<u64> {
        let joined = x.aligned.zip(y.aligned).map(|(a, b)| a.min(b));
        self.left.keeps &= x.aligned == joined;
        self.right.keeps &= y.aligned == joined;
        joined
    }

    /// A string with a length, if both sides have one at the same place.
    pub(super) fn joined_text(&mut self, x: &Object, y: &Object, place: Place) -> Option<Text> {
        // What is used as a structure holds no string as a whole.
        let bytes = x.used_as.is_none() && y.used_as.is_none();
        if place.level > 0 && !self.looks_inside() && (bytes || x.text.is_some() || y.text.is_some()) {
            let start = x.text.or(y.text).map_or(0, |text| text.start);
            return self.some_text(x, y, start, place);
        }
        if self.measures(place) {
            match (x.text, y.text) {
                (Some(a), Some(b)) if a.start == b.start => {
                    let len = self.measure(a.len, b.len, place)?;
                    return Some(Text { start: a.start, len });
                }
                (Some(Text { start, .. }), None) | (None, Some(Text { start, .. })) => {
                    return self.written_text(x, y, start, place);
                }
                (None, None) if self.looks_inside() || bytes => {
                    return self.written_text(x, y, 0, place);
                }
                _ => {}
            }
        }
        self.left.keeps &= x.text.is_none();
        self.right.keeps &= y.text.is_none();
        None
    }

    /// A string of which is known that it ends, and how long it may be.
    fn some_text(&mut self, x: &Object, y: &Object, start: u64, place: Place) -> Option<Text> {
        let lengths = text_range(self.left.state, x, start).zip(text_range(self.right.state, y, start));
        let Some((a, b)) = lengths.filter(|(a, b)| a != b || x.text.is_some() || y.text.is_some()) else {
            self.left.keeps &= x.text.is_none();
            self.right.keeps &= y.text.is_none();
            return None;
        };
        let range = self.grown(a, b, place.width);
        let keeps = |object: &Object, known: Range| object.text.is_some() && known == range;
        self.left.keeps &= keeps(x, a);
        self.right.keeps &= keeps(y, b);
        let Val::Sym(len) = self.out.derived(place.width, range, Def::Free) else { return None };
        self.out.sym_mut(len).level = place.level;
        Some(Text { start, len })
    }

    /// A string of nodes that has known bytes on a side.
    fn written_text(&mut self, x: &Object, y: &Object, start: u64, place: Place) -> Option<Text> {
        let mine = text_form(self.left.state, x, start);
        let theirs = text_form(self.right.state, y, start);
        let bounds = |state: &State, form: &Option<Form>| form.as_ref().and_then(|form| state.bounds(form));
        let (a, b) = (bounds(self.left.state, &mine), bounds(self.right.state, &theirs));
        if let (Some(mine), Some(theirs), Some(a), Some(b)) = (mine, theirs, a, b)
            && (mine != theirs || x.text.is_some() || y.text.is_some())
        {
            let range = self.grown(a, b, place.width);
            let len = self.index(mine, theirs, range, place.level);
            self.lose_both();
            return Some(Text { start, len });
        }
        self.some_text(x, y, start, place)
    }
}

/// The length of the string at an offset of an object, if it is surely known.
fn text_form(state: &State, object: &Object, start: u64) -> Option<Form> {
    if let Some(text) = object.text {
        let inside = object.level > 0 || object.seg.is_some();
        return state
            .form_within(inside, Val::Sym(text.len), state.pointer_bits())
            .filter(|_| text.start == start);
    }
    for len in 0..LONGEST_KNOWN {
        match object.peek(start + len, 1) {
            // What is zero to the end of a block may lie past it.
            Some(Val::Int(0)) if start + len >= object.size && !fault!(140) => return None,
            Some(Val::Int(0)) => return Some(Linear::constant(len.into())),
            Some(Val::Int(_)) => {}
            _ => return None,
        }
    }
    None
}

/// The least and the greatest length of the string at an offset of an object, if there surely is one.
fn text_range(state: &State, object: &Object, start: u64) -> Option<Range> {
    match object.text {
        Some(text) if text.start == start => Some(state.range(Val::Sym(text.len), state.pointer_bits())),
        Some(_) => None,
        None => {
            let most = LONGEST_KNOWN.min(object.size.saturating_sub(start));
            let byte = |len: u64| object.peek(start + len, 1);
            let end = (0..most).find(|len| byte(*len) == Some(Val::ZERO))?;
            let cells = object.cells.range(object.cell_before(start)..start + end);
            if cells.into_iter().any(|(_, cell)| state.target(cell.val).is_some()) {
                return None;
            }
            let never_zero = |val: Val| state.is_number(val) && is_never_zero(state, val);
            let least = (0..end).find(|len| !byte(*len).is_some_and(never_zero));
            Some(Range { lo: least.unwrap_or(end).into(), hi: end.into() })
        }
    }
}

impl State {
    /// The size of an object in bytes, as a node sees it that has the object.
    pub fn size_within(&self, object: &Object) -> Option<Form> {
        let inside = object.level > 0 || object.seg.is_some();
        match object.size_sym {
            _ if object.exact => Some(Linear::constant(object.size.into())),
            Some(size) => self
                .form_within(inside, Val::Sym(size), self.pointer_bits())?
                .times(self.size_unit(object).into()),
            None => None,
        }
    }
}
