//! Join of the numbers that describe blocks: their sizes, and where the strings in them end. Below the nodes of a list each node has its own.

use super::{Joiner, Lift, NoJoin, Place, Res};
use crate::graph::{Object, Seg, State, SymId, Text, Val};
use crate::relation::Form;
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
        if self.measures(place) {
            match (x.text, y.text) {
                (Some(a), Some(b)) if a.start == b.start => {
                    let len = self.measure(a.len, b.len, place)?;
                    return Some(Text { start: a.start, len });
                }
                (Some(Text { start, .. }), None) | (None, Some(Text { start, .. }))
                    if self.looks_inside() =>
                {
                    return self.written_text(x, y, start, place);
                }
                (None, None) if self.looks_inside() => return self.written_text(x, y, 0, place),
                _ => {}
            }
        }
        self.left.keeps &= x.text.is_none();
        self.right.keeps &= y.text.is_none();
        None
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
        self.left.keeps &= x.text.is_none();
        self.right.keeps &= y.text.is_none();
        None
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
            Some(Val::Int(0)) => return Some(Linear::constant(len.into())),
            Some(Val::Int(_)) => {}
            _ => return None,
        }
    }
    None
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
