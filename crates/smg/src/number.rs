//! Ranges of numbers, in the signed view of their width, and what conditions tell about unknown numbers.

use crate::graph::{Def, State, Sym, SymId, Val};
use crate::products::product_range;
use heapproof_ir::{BinOp, CmpOp, mask, sign_extend};
use std::collections::BTreeSet;

/// All numbers from `lo` to `hi`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Range {
    /// The smallest.
    pub lo: i128,
    /// The largest.
    pub hi: i128,
}

impl Range {
    /// All numbers of a width.
    pub fn full(width: u8) -> Range {
        if width >= 128 {
            return Range { lo: i128::MIN, hi: i128::MAX };
        }
        let half = 1i128 << (width - 1);
        Range { lo: -half, hi: half - 1 }
    }

    /// One number.
    pub fn one(number: i128) -> Range {
        Range { lo: number, hi: number }
    }

    /// What both contain.
    pub fn meet(self, other: Range) -> Option<Range> {
        let range = Range { lo: self.lo.max(other.lo), hi: self.hi.min(other.hi) };
        (range.lo <= range.hi).then_some(range)
    }

    /// What either contains, and all between.
    pub fn hull(self, other: Range) -> Range {
        Range { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// True if all of `other` is in it.
    pub fn covers(self, other: Range) -> bool {
        self.lo <= other.lo && other.hi <= self.hi
    }

    /// True if more than half of all numbers of a width are in it.
    pub fn is_most(self, width: u8) -> bool {
        let half = |range: Range| range.hi / 2 - range.lo / 2;
        half(self) > half(Range::full(width)) / 2
    }

    /// The range moved by a number, or everything if that may wrap.
    fn checked(lo: Option<i128>, hi: Option<i128>, width: u8) -> Range {
        match (lo, hi) {
            (Some(lo), Some(hi)) if Range::full(width).covers(Range { lo, hi }) => Range { lo, hi },
            _ => Range::full(width),
        }
    }
}

/// A number as it is written in C for its width.
fn signed(bits: u128, width: u8) -> i128 {
    sign_extend(bits & mask(width), width)
}

/// A signed number as bits.
pub fn bits(number: i128, width: u8) -> u128 {
    number as u128 & mask(width)
}

impl State {
    /// A value as a known number, if its range leaves only one.
    pub fn known(&self, val: Val) -> Option<u128> {
        match val {
            Val::Int(number) => Some(number),
            Val::Sym(id) if self.is_number(val) => {
                let range = self.sym_range(id);
                (range.lo == range.hi).then(|| bits(range.lo, self.syms[&id].width))
            }
            Val::Sym(_) | Val::Addr(_) | Val::Func(_) => None,
        }
    }

    /// The range of a value in the signed view of a width.
    pub fn range(&self, val: Val, width: u8) -> Range {
        match val {
            Val::Int(number) => Range::one(signed(number, width)),
            Val::Sym(id) => self.sym_range(id),
            Val::Addr(_) | Val::Func(_) => Range::full(width),
        }
    }

    fn sym_range(&self, id: SymId) -> Range {
        let sym = &self.syms[&id];
        let derived = match sym.def {
            Def::Plus(source, by) => {
                let from = self.sym_range(source);
                Range::checked(from.lo.checked_add(by), from.hi.checked_add(by), sym.width)
            }
            Def::Same(source) => self.sym_range(source),
            Def::Times(source, by) => {
                let from = self.sym_range(source);
                Range::checked(from.lo.checked_mul(by), from.hi.checked_mul(by), sym.width)
            }
            Def::Free | Def::At(..) => return sym.range,
        };
        sym.range.meet(derived).unwrap_or(sym.range)
    }

    /// Keeps only the numbers of a range; false if none is left.
    pub fn restrict(&mut self, id: SymId, range: Range) -> bool {
        let Some(mut narrowed) = self.sym_range(id).meet(range) else { return false };
        let sym = self.syms[&id].clone();
        while sym.not.contains(&narrowed.lo) {
            if narrowed.lo == narrowed.hi {
                return false;
            }
            narrowed.lo += 1;
        }
        while sym.not.contains(&narrowed.hi) {
            if narrowed.lo == narrowed.hi {
                return false;
            }
            narrowed.hi -= 1;
        }
        if sym.level == 0 && narrowed != sym.range {
            self.sym_mut(id).range = narrowed;
        }
        match sym.def {
            Def::Plus(source, by) => {
                let full = Range::full(sym.width);
                let from = self.sym_range(source);
                let wraps = from.lo.checked_add(by).is_none_or(|n| n < full.lo)
                    || from.hi.checked_add(by).is_none_or(|n| n > full.hi);
                (wraps && !fault!(27))
                    || self.restrict(source, Range { lo: narrowed.lo - by, hi: narrowed.hi - by })
            }
            Def::Same(source) => self.restrict(source, narrowed),
            Def::Times(source, by) => {
                let (lo, hi) = (-(-narrowed.lo).div_euclid(by), narrowed.hi.div_euclid(by));
                lo <= hi && self.restrict(source, Range { lo, hi })
            }
            Def::Free | Def::At(..) => true,
        }
    }

    /// Removes one number; false if nothing is left.
    pub fn exclude(&mut self, id: SymId, number: i128) -> bool {
        let range = self.sym_range(id);
        if number < range.lo || number > range.hi {
            return true;
        }
        if self.syms[&id].level == 0 {
            self.sym_mut(id).not.insert(number + i128::from(fault!(29)));
            const MOST: usize = 16;
            if self.syms[&id].not.len() > MOST {
                self.sym_mut(id).not.pop_first();
            }
        }
        let (def, width) = (self.syms[&id].def, self.syms[&id].width);
        match def {
            Def::Plus(source, by)
                if Range::full(width).covers(Range::one(number.saturating_sub(by)))
                    && !self.exclude(source, number - by) =>
            {
                return false;
            }
            Def::Same(source) if !self.exclude(source, number) => return false,
            _ => {}
        }
        self.restrict(id, range)
    }

    /// A symbol with a range and a source; the same source gives the same symbol.
    pub fn derived(&mut self, width: u8, range: Range, def: Def) -> Val {
        if range.lo == range.hi {
            return Val::Int(bits(range.lo, width));
        }
        if def != Def::Free {
            let known =
                self.syms.iter().find(|(_, sym)| sym.def == def && sym.width == width && sym.level == 0);
            if let Some((&id, _)) = known {
                return Val::Sym(id);
            }
        }
        let depth = match def {
            Def::Plus(source, _) | Def::Same(source) | Def::Times(source, _) | Def::At(_, source, _) => {
                self.syms[&source].depth + 1
            }
            Def::Free => 0,
        };
        // A longer chain is cut: nothing is carried back through it.
        const DEEPEST: u32 = 12;
        let def = if depth > DEEPEST && !matches!(def, Def::At(..)) { Def::Free } else { def };
        let depth = if def == Def::Free { 0 } else { depth };
        let (not, functions) = (BTreeSet::new(), BTreeSet::new());
        let (level, uninit) = (0, false);
        Val::Sym(self.add_sym(Sym { width, range, not, def, functions, level, uninit, depth }))
    }

    /// `a op b` for numbers.
    pub fn arithmetic(&mut self, op: BinOp, width: u8, a: Val, b: Val) -> Val {
        if let (Val::Int(x), Val::Int(y)) = (a, b)
            && let Some(number) = compute(op, width, x, y)
        {
            return Val::Int(number);
        }
        let (x, y) = (self.range(a, width), self.range(b, width));
        let check = |lo, hi| Range::checked(lo, hi, width);
        match (op, a, b) {
            (BinOp::Add, Val::Sym(s), Val::Int(n)) | (BinOp::Add, Val::Int(n), Val::Sym(s)) => {
                self.shifted(s, signed(n, width), width)
            }
            (BinOp::Sub, Val::Sym(s), Val::Int(n)) => self.shifted(s, -signed(n, width), width),
            (BinOp::Sub, Val::Sym(s), Val::Sym(t)) if s == t && self.syms[&s].level == 0 => Val::ZERO,
            (BinOp::Xor, Val::Sym(s), Val::Sym(t)) if s == t && self.syms[&s].level == 0 => Val::ZERO,
            (BinOp::Add | BinOp::Sub, ..)
                if let Some(tied) = self.tied_sum(width, a, b, if op == BinOp::Add { 1 } else { -1 }) =>
            {
                tied
            }
            (BinOp::Add, ..) => {
                let range = check(x.lo.checked_add(y.lo), x.hi.checked_add(y.hi));
                self.derived(width, range, Def::Free)
            }
            (BinOp::Sub, ..) => {
                let range = check(x.lo.checked_sub(y.hi), x.hi.checked_sub(y.lo));
                self.derived(width, range, Def::Free)
            }
            (BinOp::Mul, Val::Sym(s), Val::Int(n)) | (BinOp::Mul, Val::Int(n), Val::Sym(s))
                if signed(n, width) > 0 && self.syms[&s].width == width =>
            {
                self.multiplied(s, signed(n, width), width)
            }
            (BinOp::Mul, ..) if let Some(product) = self.product(width, a, b) => product,
            (BinOp::Mul, ..) => {
                let range = product_range(x, y)
                    .map_or(Range::full(width), |range| check(Some(range.lo), Some(range.hi)));
                self.derived(width, range, Def::Free)
            }
            (BinOp::Xor, other, Val::Int(n)) | (BinOp::Xor, Val::Int(n), other)
                if n & mask(width) == mask(width) && width > 1 =>
            {
                self.inverted(other, width)
            }
            (BinOp::And, ..)
                if y.hi < 0
                    && let Some(masked) = self.masked_number(a, b, width) =>
            {
                masked
            }
            (BinOp::And, ..)
                if x.hi < 0
                    && let Some(masked) = self.masked_number(b, a, width) =>
            {
                masked
            }
            (BinOp::And, ..) if x.lo >= 0 || y.lo >= 0 => {
                let hi = match (x.lo >= 0, y.lo >= 0) {
                    (true, true) => x.hi.min(y.hi),
                    (true, false) => x.hi,
                    _ => y.hi,
                };
                let val = self.derived(width, Range { lo: 0, hi }, Def::Free);
                for (whole, range) in [(a, x), (b, y)] {
                    if range.lo >= 0 {
                        self.note_at_most(val, whole, width, 0);
                    }
                }
                val
            }
            (BinOp::URem, ..) if y.lo > 0 => {
                let hi = if x.lo >= 0 { x.hi.min(y.hi - 1) } else { y.hi - 1 };
                let val = self.derived(width, Range { lo: 0, hi }, Def::Free);
                self.note_rest(val, (a, x), b, width);
                val
            }
            (BinOp::SRem, ..) if y.lo > 0 => {
                let hi = if x.hi > 0 { x.hi.min(y.hi - 1) } else { 0 };
                let lo = if x.lo < 0 { x.lo.max(1 - y.hi) } else { 0 };
                let val = self.derived(width, Range { lo, hi }, Def::Free);
                self.note_rest(val, (a, x), b, width);
                val
            }
            (BinOp::UDiv | BinOp::SDiv, ..) if x.lo >= 0 && y.lo > 0 => {
                let range = Range { lo: x.lo / y.hi, hi: x.hi / y.lo };
                if y.lo == y.hi {
                    return self.quotient(a, y.lo, range, width);
                }
                let val = self.derived(width, range, Def::Free);
                self.note_at_most(val, a, width, 0);
                val
            }
            (BinOp::LShr, _, Val::Int(n)) if n < u128::from(width) && n > 0 => {
                let range = if x.lo >= 0 {
                    Range { lo: x.lo >> n, hi: x.hi >> n }
                } else {
                    Range { lo: 0, hi: (mask(width) >> n) as i128 }
                };
                match x.lo >= 0 && n < 62 {
                    true => self.quotient(a, 1 << n, range, width),
                    false => self.derived(width, range, Def::Free),
                }
            }
            (BinOp::AShr, _, Val::Int(n)) if n < u128::from(width) => {
                let range = Range { lo: x.lo >> n, hi: x.hi >> n };
                match n < 62 {
                    true => self.quotient(a, 1 << n, range, width),
                    false => self.derived(width, range, Def::Free),
                }
            }
            (BinOp::Shl, Val::Sym(s), Val::Int(n))
                if n < 32 && n + 1 < u128::from(width) && self.syms[&s].width == width =>
            {
                self.multiplied(s, 1 << n, width)
            }
            (BinOp::Shl, _, Val::Int(n)) if n < 64 && n < u128::from(width) => {
                let by = 1i128 << n;
                let range = check(x.lo.checked_mul(by), x.hi.checked_mul(by));
                self.derived(width, range, Def::Free)
            }
            (BinOp::Shl, ..) if x.lo >= 0 && is_shift(y, width) => {
                let range = check(x.lo.checked_mul(1 << y.lo), x.hi.checked_mul(1 << y.hi));
                self.derived(width, range, Def::Free)
            }
            (BinOp::LShr | BinOp::AShr, ..) if x.lo >= 0 && is_shift(y, width) => {
                self.derived(width, Range { lo: x.lo >> y.hi, hi: x.hi >> y.lo }, Def::Free)
            }
            (BinOp::Or | BinOp::Xor, ..) if x.lo >= 0 && y.lo >= 0 => {
                // No bit above the highest one of both.
                let hi =
                    x.hi.max(y.hi)
                        .checked_add(1)
                        .map_or(i128::MAX, |n| n.unsigned_abs().next_power_of_two() as i128 - 1);
                let lo = if op == BinOp::Or { x.lo.max(y.lo) } else { 0 };
                self.derived(width, Range { lo, hi: hi.min(Range::full(width).hi) }, Def::Free)
            }
            _ => self.unknown(width),
        }
    }

    /// A rest is below a divisor that is positive, and at most what is divided where that is not negative.
    fn note_rest(&mut self, rest: Val, (a, x): (Val, Range), b: Val, width: u8) {
        self.note_at_most(rest, b, width, 1);
        if x.lo >= 0 {
            self.note_at_most(rest, a, width, 0);
        }
    }

    fn shifted(&mut self, source: SymId, by: i128, width: u8) -> Val {
        if by == 0 {
            return Val::Sym(source);
        }
        // A chain of additions hangs on its first symbol.
        let (root, total) = match self.syms[&source].def {
            Def::Plus(root, before) => (root, before.checked_add(by)),
            _ => (source, Some(by)),
        };
        let Some(total) = total.filter(|_| self.syms[&root].width == width) else {
            return self.unknown(width);
        };
        if total == 0 {
            return Val::Sym(root);
        }
        let from = self.sym_range(source);
        let range = Range::checked(from.lo.checked_add(by), from.hi.checked_add(by), width);
        if range == Range::full(width) {
            return match self.shifted_range(source, by, width) {
                Some(range) => self.derived(width, range, Def::Plus(root, total)),
                // It may wrap: nothing can be carried back to the source.
                None => self.derived(width, range, Def::Free),
            };
        }
        self.derived(width, range, Def::Plus(root, total))
    }

    /// The range of a sum that does not wrap because of relations.
    fn shifted_range(&self, source: SymId, by: i128, width: u8) -> Option<Range> {
        if self.relations.is_empty() {
            return None;
        }
        let sum = self.form_of(source)?.plus(&crate::relation::Form::constant(by), 1)?;
        self.range_within(&sum, width).filter(|range| *range != Range::full(width))
    }

    /// A symbol times a positive number.
    fn multiplied(&mut self, source: SymId, by: i128, width: u8) -> Val {
        if by == 1 {
            return Val::Sym(source);
        }
        let from = self.sym_range(source);
        let (lo, hi) = (from.lo.checked_mul(by), from.hi.checked_mul(by));
        match (lo, hi) {
            (Some(lo), Some(hi)) if Range::full(width).covers(Range { lo, hi }) => {
                self.derived(width, Range { lo, hi }, Def::Times(source, by))
            }
            _ => match self.multiplied_range(source, by, width) {
                Some(range) => self.derived(width, range, Def::Times(source, by)),
                // It may wrap: nothing can be carried back to the source.
                None => self.derived(width, Range::full(width), Def::Free),
            },
        }
    }

    /// The range of a multiple that does not wrap because of relations.
    fn multiplied_range(&self, source: SymId, by: i128, width: u8) -> Option<Range> {
        if self.relations.is_empty() {
            return None;
        }
        let multiple = self.form_of(source)?.times(by)?;
        self.bounds(&multiple).filter(|range| Range::full(width).covers(*range) || fault!(111))
    }

    /// Widens with zeros or the sign, or cuts.
    pub fn resized(&mut self, val: Val, from: u8, to: u8, sign: bool) -> Val {
        match val {
            Val::Int(number) => {
                let wide = if sign { signed(number, from) as u128 } else { number & mask(from) };
                Val::Int(wide & mask(to))
            }
            Val::Sym(id) => self.resized_symbol(id, from, to, sign),
            other => other,
        }
    }

    fn resized_symbol(&mut self, id: SymId, from: u8, to: u8, sign: bool) -> Val {
        let range = self.sym_range(id);
        let target = Range::full(to);
        if target.covers(range) && (range.lo >= 0 || sign || to <= from) {
            return self.derived(to, range, Def::Same(id));
        }
        if !sign && to > from {
            return self.derived(to, Range { lo: 0, hi: mask(from) as i128 }, Def::Free);
        }
        self.unknown(to)
    }

    /// Decides a comparison of numbers from their ranges.
    pub fn decide(&self, op: CmpOp, width: u8, a: Val, b: Val) -> Option<bool> {
        let same = matches!((a, b), (Val::Sym(s), Val::Sym(t)) if s == t && (self.syms[&s].level == 0 || fault!(28)));
        if same {
            return Some(matches!(op, CmpOp::Eq | CmpOp::Ule | CmpOp::Uge | CmpOp::Sle | CmpOp::Sge));
        }
        self.decide_by_ranges(op, width, a, b).or_else(|| self.decide_by_relations(op, width, a, b))
    }

    fn decide_by_ranges(&self, op: CmpOp, width: u8, a: Val, b: Val) -> Option<bool> {
        let (x, y) = (self.range(a, width), self.range(b, width));
        match op {
            CmpOp::Eq | CmpOp::Ne => {
                let equal = if x.lo == x.hi && x == y {
                    Some(true)
                } else if x.meet(y).is_none() || self.excluded(a, y) || self.excluded(b, x) {
                    Some(false)
                } else {
                    None
                };
                equal.map(|e| e == (op == CmpOp::Eq))
            }
            CmpOp::Slt => less(x, y),
            CmpOp::Sgt => less(y, x),
            CmpOp::Sle => less(y, x).map(|b| !b),
            CmpOp::Sge => less(x, y).map(|b| !b),
            CmpOp::Ult => unsigned_less(x, y),
            CmpOp::Ugt => unsigned_less(y, x),
            CmpOp::Ule => unsigned_less(y, x).map(|b| !b),
            CmpOp::Uge => unsigned_less(x, y).map(|b| !b),
        }
    }

    /// True if a symbol is described by another one, or is that one.
    pub fn depends_on(&self, id: SymId, other: SymId) -> bool {
        let mut work = vec![id];
        while let Some(id) = work.pop() {
            if id == other {
                return true;
            }
            work.extend(self.syms[&id].sources());
        }
        false
    }

    fn excluded(&self, val: Val, number: Range) -> bool {
        match val {
            Val::Sym(id) => number.lo == number.hi && self.syms[&id].not.contains(&number.lo),
            _ => false,
        }
    }

    /// Takes a comparison of numbers as true; false if that cannot be.
    pub fn assume(&mut self, op: CmpOp, width: u8, a: Val, b: Val) -> bool {
        if let Some(known) = self.decide(op, width, a, b) {
            return known;
        }
        let (op, a, b) = upwards(op, a, b);
        let possible = self.narrow(op, width, a, b)
            && self.assume_by_relations(op, width, a, b)
            && self.hand_on_values();
        self.note_products_of([a, b], width);
        possible
    }

    /// What follows for ranges from a comparison that relations decide: they may be forgotten before the numbers are.
    pub fn note_decided(&mut self, op: CmpOp, width: u8, a: Val, b: Val) {
        if self.decide_by_ranges(op, width, a, b).is_none() {
            let (op, a, b) = upwards(op, a, b);
            let mut narrower = self.clone();
            if narrower.narrow(op, width, a, b) {
                *self = narrower;
            }
        }
    }

    /// Narrows the ranges of two numbers to those with which a comparison holds; false if none is left.
    fn narrow(&mut self, op: CmpOp, width: u8, a: Val, b: Val) -> bool {
        let (x, y) = (self.range(a, width), self.range(b, width));
        let full = Range::full(width);
        match op {
            CmpOp::Eq => self.keep(a, y) && self.keep(b, x),
            CmpOp::Ne => {
                let mut possible = true;
                if y.lo == y.hi
                    && let Val::Sym(id) = a
                {
                    possible &= self.exclude(id, y.lo);
                }
                if x.lo == x.hi
                    && let Val::Sym(id) = b
                {
                    possible &= self.exclude(id, x.lo);
                }
                possible
            }
            CmpOp::Slt => {
                self.keep(a, Range { lo: full.lo, hi: y.hi - 1 - i128::from(fault!(26)) })
                    && self.keep(b, Range { lo: x.lo + 1, hi: full.hi })
            }
            CmpOp::Sle => {
                self.keep(a, Range { lo: full.lo, hi: y.hi }) && self.keep(b, Range { lo: x.lo, hi: full.hi })
            }
            CmpOp::Ult | CmpOp::Ule => {
                let strict = i128::from(op == CmpOp::Ult);
                let mut possible = true;
                if y.lo >= 0 {
                    // Below a number without sign bit: no sign bit either.
                    possible &= self.keep(a, Range { lo: 0, hi: y.hi - strict });
                }
                if x.lo >= 0 && y.lo >= 0 {
                    possible &= self.keep(b, Range { lo: x.lo + strict, hi: full.hi });
                } else if let Val::Sym(id) = b
                    && x.lo >= 0
                {
                    // Above a number without sign bit: with sign bit, or not one of the first numbers.
                    const MOST: i128 = 8;
                    possible &= (0..(x.lo + strict).min(MOST)).all(|number| self.exclude(id, number));
                }
                possible
            }
            _ => true,
        }
    }

    fn keep(&mut self, val: Val, range: Range) -> bool {
        if range.lo > range.hi {
            return false;
        }
        match val {
            Val::Sym(id) => self.restrict(id, range),
            Val::Int(_) | Val::Addr(_) | Val::Func(_) => true,
        }
    }
}

/// True if all numbers of a range are amounts by which a number of a width can be shifted.
fn is_shift(range: Range, width: u8) -> bool {
    range.lo >= 0 && range.hi < i128::from(width.min(63))
}

/// The same comparison without "greater".
fn upwards(op: CmpOp, a: Val, b: Val) -> (CmpOp, Val, Val) {
    match op {
        CmpOp::Sgt => (CmpOp::Slt, b, a),
        CmpOp::Sge => (CmpOp::Sle, b, a),
        CmpOp::Ugt => (CmpOp::Ult, b, a),
        CmpOp::Uge => (CmpOp::Ule, b, a),
        other => (other, a, b),
    }
}

fn less(x: Range, y: Range) -> Option<bool> {
    if x.hi < y.lo {
        Some(true)
    } else if x.lo >= y.hi {
        Some(false)
    } else {
        None
    }
}

fn unsigned_less(x: Range, y: Range) -> Option<bool> {
    match (x.lo >= 0, x.hi < 0, y.lo >= 0, y.hi < 0) {
        // Equal signs compare as they are.
        (true, _, true, _) | (_, true, _, true) => less(x, y),
        // A number with the sign bit is the larger one.
        (true, _, _, true) => Some(!fault!(30)),
        (_, true, true, _) => Some(false),
        _ => None,
    }
}

/// The result for known numbers; none where it is undefined.
pub(crate) fn compute(op: BinOp, width: u8, x: u128, y: u128) -> Option<u128> {
    op.compute(width, x & mask(width), y & mask(width)).bits()
}
