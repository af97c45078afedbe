//! The first NUL of an object as a number, while single bytes are read and written at places that are numbers too.

use crate::graph::{ObjId, Object, State, Storage, Text, Val};
use crate::relation::Form;
use crate::step::assign;
use crate::strings::is_never_zero;
use heapproof_ir::{CmpOp, Reg};
use heapproof_numbers::Linear;

/// Strings are not looked at beyond this offset for a byte that may end them.
const LONGEST: u64 = 4096;

impl State {
    /// The offset of the first NUL at or behind the start of the string that an object is known to hold.
    pub fn end_of(&self, text: Text) -> Option<Form> {
        self.form_of(text.len)?.plus(&Linear::constant(text.start.into()), 1)
    }

    /// What is known of the string of an object after some bytes at an offset were written. To be asked before.
    pub fn text_after(&mut self, obj: ObjId, offset: &Form, len: u64, val: Val) -> Option<Text> {
        let old = self.object(obj).text;
        let nul = len == 1 && self.known(val) == Some(0);
        let kept = old.and_then(|text| self.kept_text(text, offset, len, val));
        // In a block whose size is known, a NUL at a known place is found where it is.
        let placed = offset.is_constant() && self.object(obj).exact;
        if kept.is_some() || !nul || placed || !self.relates || !self.is_never_negative(offset) {
            return kept;
        }
        // There is a NUL now, and perhaps one before.
        let object = self.object(obj);
        if object.level > 0 || object.seg.is_some() {
            return None;
        }
        let len = self.up_to(std::slice::from_ref(offset))?;
        Some(Text { start: 0, len })
    }

    fn kept_text(&mut self, text: Text, offset: &Form, len: u64, val: Val) -> Option<Text> {
        let end = self.end_of(text)?;
        let start = Linear::constant(text.start.into());
        let before_start = self.is_at_most(offset, &start, len.into());
        let behind_end = self.is_at_most(&end, offset, 1);
        if before_start || behind_end || fault!(50) {
            return Some(text);
        }
        let before_end = self.is_at_most(offset, &end, len.into());
        let nul = self.known(val) == Some(0);
        let never_nul =
            len == 1 && self.is_number(val) && self.decide(CmpOp::Ne, 8, val, Val::ZERO) == Some(true);
        if before_end && never_nul {
            return Some(text);
        }
        let inside = self.is_at_most(&start, offset, 0);
        let mut most = Vec::new();
        if nul && len == 1 && inside {
            most.push(offset.clone());
        }
        if before_end || nul && len == 1 {
            most.push(end);
        }
        if most.is_empty() {
            return None;
        }
        let most: Option<Vec<Form>> = most.iter().map(|form| form.plus(&start, -1)).collect();
        Some(Text { len: self.up_to(&most?)?, ..text })
    }

    /// A new number from 0 to the least of some forms.
    fn up_to(&mut self, most: &[Form]) -> Option<crate::graph::SymId> {
        let width = self.pointer_bits();
        let ends: Vec<i128> = most.iter().filter_map(|form| Some(self.bounds(form)?.hi)).collect();
        let hi = ends.into_iter().min()?;
        if hi < 1 {
            return None;
        }
        let Val::Sym(id) = self.derived(width, crate::number::Range { lo: 0, hi }, crate::graph::Def::Free)
        else {
            return None;
        };
        for form in most {
            self.assume_forms(CmpOp::Sle, &Linear::dimension(id), form);
        }
        Some(id)
    }

    /// Reads a byte at an offset that is not behind the first NUL: it is NUL there, and not before. None if that is
    /// not known.
    pub fn read_before_nul(&self, dst: Reg, obj: ObjId, offset: &Form) -> Option<Vec<State>> {
        let text = self.object(obj).text?;
        let end = self.end_of(text)?;
        let start = Linear::constant(text.start.into());
        if !self.is_at_most(&start, offset, 0) || !self.is_at_most(offset, &end, 0) {
            return None;
        }
        let mut next = Vec::new();
        for (op, at_end) in [(CmpOp::Eq, true), (CmpOp::Ne, false)] {
            let mut state = self.clone();
            if state.decide_forms(op, offset, &end) == Some(false) || !state.assume_forms(op, offset, &end) {
                continue;
            }
            let val = if at_end {
                Val::ZERO
            } else {
                let val = state.unknown(8);
                if let Val::Sym(id) = val {
                    state.exclude(id, 0);
                }
                val
            };
            next.push(assign(state, dst, val));
        }
        Some(next)
    }

    /// Reads a byte at an unknown place of an object whose first NUL is known as a number.
    pub fn before_nul(&mut self, dst: Reg, obj: ObjId, ptr: Val) -> Option<Vec<State>> {
        self.find_nul(obj);
        let offset = self.offset(ptr)?;
        self.read_before_nul(dst, obj, &offset)
    }

    /// The string that a copy of some bytes to another block makes, if it takes the NUL of a string along.
    pub fn copied_text(&self, source: ObjId, from: Val, to: Val, bytes: Val) -> Option<Text> {
        let text = self.object(source).text?;
        let (from, to) = (self.offset(from)?, self.offset(to)?);
        let bytes = self.form(bytes, self.pointer_bits())?;
        let whole = self.is_at_most(&self.form_of(text.len)?, &bytes, 1);
        let plain = from == Linear::constant(text.start.into()) && to.is_constant() && whole;
        plain.then(|| Some(Text { start: u64::try_from(to.offset()).ok()?, len: text.len })).flatten()
    }

    /// Sets what is known of the string of an object. Where it has a table nothing is: elements have bytes of their own.
    pub fn set_text(&mut self, obj: ObjId, text: Option<Text>) {
        let text = text.filter(|_| !self.has_table(obj));
        if self.object(obj).text != text {
            self.object_mut(obj).text = text;
        }
    }

    /// The first NUL as a number, where one is known to be at a constant offset.
    pub fn find_nul(&mut self, obj: ObjId) {
        let object = self.object(obj);
        // What is constant never changes, so nothing is noted there.
        let constant = matches!(object.storage, Storage::Global(_, true) | Storage::Constant);
        if object.text.is_some() || constant || !self.relates || object.level > 0 || object.seg.is_some() {
            return;
        }
        let zero = object.zeros.first_key_value().map(|(start, _)| *start);
        // What is zero to the end of a block may lie behind it.
        let Some(at) = zero.filter(|at| *at > 0 && *at < self.least_size(obj)) else { return };
        if let Some(len) = self.up_to(&[Linear::constant(at.into())]) {
            self.set_text(obj, Some(Text { start: 0, len }));
        }
    }

    /// The first NULs of heap blocks as numbers, where they are known to be at constant offsets and may be sooner: a block whose string ends
    /// anywhere covers them then.
    pub fn note_ends(&mut self) {
        if !self.relates {
            return;
        }
        let ends = |id: &ObjId, object: &Object| {
            let (at, _) = object.zeros.first_key_value()?;
            let bytes = object.storage == Storage::Heap && object.valid && object.used_as.is_none();
            let plain = bytes && object.cells.values().all(|cell| self.is_number(cell.val));
            let sooner = |off: u64| !object.peek(off, 1).is_some_and(|val| is_never_zero(self, val));
            (plain && *at < LONGEST && (0..*at).any(sooner)).then_some(*id)
        };
        let found: Vec<ObjId> = self.objects.iter().filter_map(|(id, object)| ends(id, object)).collect();
        found.into_iter().for_each(|id| self.find_nul(id));
    }
}
