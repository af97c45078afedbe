//! Addresses and numbers whose low bits are cut off: `(a + 7) & ~7` (section 4 of the paper, address alignment).
//!
//! `a & t` is `a` less some of the bits that `t` lacks, so it lies between `a - c` and `a`, where `c = ~t = -1 - t`. If `c + 1` is a
//! power of two, a number becomes a multiple of it. An address does if the start of its object is a multiple, too.

use crate::graph::{Addr, Def, State, Tg, Val};
use crate::number::{Range, bits};
use crate::relation::Form;
use crate::step::Executor;
use heapproof_ir::{BinOp, CmpOp};
use heapproof_numbers::Linear;

/// More bits than these are not cut off with a bound.
const MOST_BITS: i128 = 1 << 32;

/// So many masks are told apart.
const MOST_MASKS: usize = 4;

/// The least and the greatest of them are not farther apart.
const MOST_APART: i128 = 1024;

impl Executor<'_> {
    /// Remembers which numbers are masks, or cut off by one, where that is a variable.
    pub fn note_masks(&self, state: &State, a: Val, b: Val, width: u8) {
        for val in [a, b] {
            let range = state.range(val, width);
            if state.is_number(val) && range.lo == range.hi && is_low_bits(-1 - range.lo) {
                self.masks.borrow_mut().extend([range.lo, -1 - range.lo]);
            }
        }
    }
}

impl State {
    /// The bits that a mask cuts off, as a number that is not negative; none if the mask may keep the sign away.
    fn cut_off(&self, mask: Val, width: u8) -> Option<(Form, Range)> {
        let off = Linear::constant(-1).plus(&self.form(mask, width)?, -1)?;
        let range = self.bounds(&off)?;
        (range.lo >= 0 && range.hi < MOST_BITS).then_some((off, range))
    }

    /// `~a`, which is `-1 - a`.
    pub fn inverted(&mut self, a: Val, width: u8) -> Val {
        match self.form(a, width).and_then(|form| Linear::constant(-1).plus(&form, -1)) {
            Some(form) => {
                let inverted = self.number_of(&form, width);
                if let (Val::Sym(from), Val::Sym(to)) = (a, inverted) {
                    let not: Vec<i128> = self.syms[&from].not.iter().map(|number| -1 - number).collect();
                    not.into_iter().for_each(|number| {
                        self.exclude(to, number);
                    });
                }
                inverted
            }
            None => self.unknown(width),
        }
    }

    /// A configuration for each of the masks that a number may be, where these are a few; none if there is nothing to tell apart.
    pub fn each_mask(&self, a: Val, b: Val, width: u8) -> Option<Vec<State>> {
        let open = |val: Val| self.cut_off(val, width).filter(|(_, cut)| cut.lo < cut.hi);
        let (off, _) = [a, b].into_iter().find_map(open)?;
        let mut factors = off.factors();
        let (Some((id, 1 | -1)), None) = (factors.next(), factors.next()) else { return None };
        let (range, not) = (self.range(Val::Sym(id), width), &self.syms[&id].not);
        if range.hi - range.lo > MOST_APART {
            return None;
        }
        let masks: Vec<i128> = (range.lo..=range.hi).filter(|number| !not.contains(number)).collect();
        let cases = masks.iter().filter_map(|number| {
            let mut state = self.clone();
            state.restrict(id, Range::one(*number)).then_some(state)
        });
        (masks.len() <= MOST_MASKS).then(|| cases.collect())
    }

    /// `a & mask` for numbers; none if the mask is none that cuts off low bits.
    pub fn masked_number(&mut self, a: Val, mask: Val, width: u8) -> Option<Val> {
        let (off, cut) = self.cut_off(mask, width)?;
        let whole = self.range(a, width);
        let step = step(cut, i128::MAX);
        if step > 1 {
            let multiple = Range { lo: whole.lo.div_euclid(step), hi: whole.hi.div_euclid(step) };
            let quotient = self.quotient(a, step, multiple, width);
            return Some(self.arithmetic(BinOp::Mul, width, quotient, Val::Int(bits(step, width))));
        }
        let a = self.form(a, width)?;
        let least = self.bounds(&a.plus(&off, -1)?)?.lo.max(if whole.lo >= 0 { 0 } else { i128::MIN });
        let range = Range { lo: least, hi: whole.hi }.meet(Range::full(width))?;
        let val = self.derived(width, range, Def::Free);
        if let Some(form) = self.form(val, width) {
            self.note_between(&form, &a, &off);
        }
        Some(val)
    }

    /// `ptr & mask` for an address of a region whose start is a multiple of `align`.
    pub fn masked_address(&mut self, ptr: Val, mask: Val, align: i128) -> Option<Val> {
        let width = self.pointer_bits();
        let ((obj, Tg::Region), ..) = self.place(ptr)? else { return None };
        let (off, cut) = self.cut_off(mask, width)?;
        let offset = self.offset(ptr)?;
        let whole = self.bounds(&offset)?;
        let step = step(cut, align);
        // With fewer bits than those that are known of the start, it is known how far the address moves.
        let exact = step > cut.hi || fault!(72);
        let least = self.bounds(&offset.plus(&off, -1)?)?.lo;
        let least = if exact { whole.lo.div_euclid(step) } else { -(-least).div_euclid(step) };
        let index = Range { lo: least, hi: whole.hi.div_euclid(step) };
        let full = Range::full(width);
        if !full.covers(Range { lo: index.lo.checked_mul(step)?, hi: index.hi.checked_mul(step)? }) {
            return None;
        }
        let base = |off: i128| Addr { obj, off: off as i64, tg: Tg::Region };
        let multiple = cut.hi + 1;
        if cut.lo == cut.hi
            && !exact
            && index.lo < index.hi
            && multiple.unsigned_abs().is_power_of_two()
            && matches!(ptr, Val::Addr(_))
            && let Some(seen) = self.seen_from_aligned(obj, multiple, step, index)
        {
            return Some(seen);
        }
        match self.derived(width, index, Def::Free) {
            Val::Sym(id) => {
                let form = Linear::dimension(id).times(step)?;
                self.note_between(&form, &offset, &off);
                Some(self.derived(width, full, Def::At(base(0), id, step as i64)))
            }
            _ => Some(Val::Addr(base(index.lo * step))),
        }
    }

    /// Remembers that a number is at most another one, and at least that less a third one.
    fn note_between(&mut self, val: &Form, most: &Form, less: &Form) {
        self.assume_forms(CmpOp::Sle, val, most);
        if let Some(least) = most.plus(less, -1) {
            self.assume_forms(CmpOp::Sle, &least, val);
        }
    }

    /// An address of a region plus or minus a number, as numbers of the width of a pointer.
    pub fn address_plus(&mut self, ptr: Val, number: Val, times: i64) -> Val {
        match self.place(ptr) {
            Some(((obj, Tg::Region), ..)) => self.moved_by(obj, ptr, 0, number, times),
            _ => self.unknown(self.pointer_bits()),
        }
    }
}

/// What a number is a multiple of when these bits are cut off, as far as its origin is a multiple of `align`.
fn step(cut: Range, align: i128) -> i128 {
    let whole = cut.hi + 1;
    if cut.lo == cut.hi && whole.unsigned_abs().is_power_of_two() { whole.min(align) } else { 1 }
}

/// True for a number that has its low bits only, at least one: what a mask cuts off.
fn is_low_bits(number: i128) -> bool {
    number > 0 && number < MOST_BITS && (number + 1).unsigned_abs().is_power_of_two()
}

/// True for two numbers with different low bits only, which may be masks.
pub fn are_two_masks(x: Range, y: Range) -> bool {
    let is_mask =
        |range: Range| range.lo == range.hi && (is_low_bits(range.lo) || is_low_bits(-1 - range.lo));
    x != y && is_mask(x) && is_mask(y)
}
