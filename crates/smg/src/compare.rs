//! Equality and inequality of values (section 3.4 of the paper), and comparisons as the program makes them.

use crate::graph::{Addr, Def, Object, State, Storage, Tg, Val};
use crate::relation::Form;
use heapproof_ir::CmpOp;

/// What is known about the equality of two values.
enum Equality {
    /// Equal or not.
    Known(bool),
    /// Both are possible.
    Open,
    /// It depends on the shape: these configurations together are the present one.
    Split(Vec<State>),
    /// The same, and in each it is known whether they are equal.
    Cases(Vec<(State, bool)>),
}

impl State {
    /// All outcomes of a comparison, each with the configuration in which it holds.
    pub fn compare(&self, op: CmpOp, width: u8, a: Val, b: Val) -> Vec<(State, bool)> {
        let outcomes = if self.is_number(a) && self.is_number(b) {
            self.compare_numbers(op, width, a, b)
        } else {
            match op {
                CmpOp::Eq | CmpOp::Ne => self.compare_equal(op == CmpOp::Eq, a, b),
                _ => self.compare_order(op, a, b),
            }
        };
        #[cfg(test)]
        crate::audit::compared(self, op, width, (a, b), &outcomes);
        outcomes
    }

    /// True if a condition that was computed and is still needed has another outcome in another configuration.
    pub fn differs_in_conditions(&self, other: &State) -> bool {
        let (a, b) = (self.frame(), other.frame());
        let outcomes = a.regs.iter().zip(&b.regs).zip(a.widths.iter());
        outcomes.into_iter().any(|((x, y), width)| *width == 1 && x.is_some() && y.is_some() && x != y)
    }

    /// True for values that are not derived from an address or a function.
    pub fn is_number(&self, val: Val) -> bool {
        match val {
            Val::Int(_) => true,
            Val::Sym(id) => self.target(val).is_none() && self.syms[&id].functions.is_empty(),
            Val::Addr(_) | Val::Func(_) => false,
        }
    }

    fn compare_numbers(&self, op: CmpOp, width: u8, a: Val, b: Val) -> Vec<(State, bool)> {
        if let Some(known) = self.decide(op, width, a, b) {
            let mut state = self.clone();
            state.note_decided(if known { op } else { op.negated() }, width, a, b);
            return vec![(state, known)];
        }
        let mut outcomes = Vec::new();
        for (op, outcome) in [(op, true), (op.negated(), false)] {
            let mut state = self.clone();
            if state.assume(op, width, a, b) {
                outcomes.push((state, outcome));
            }
        }
        outcomes
    }

    fn compare_equal(&self, wanted: bool, a: Val, b: Val) -> Vec<(State, bool)> {
        match self.equality(a, b) {
            Equality::Known(equal) => vec![(self.clone(), equal == wanted)],
            Equality::Open => vec![(self.clone(), true), (self.clone(), false)],
            Equality::Cases(cases) => {
                cases.into_iter().map(|(state, equal)| (state, equal == wanted)).collect()
            }
            // The operands may be other values in each part, so they are looked up again by executing the
            // comparison again; here the values are mapped along with the roots.
            Equality::Split(states) => states.into_iter().flat_map(|s| s.again(wanted, a, b, self)).collect(),
        }
    }

    /// Compares in a part of `before`, where the operands may have become other values.
    fn again(&self, wanted: bool, a: Val, b: Val, before: &State) -> Vec<(State, bool)> {
        let (a, b) = (self.follow(a, before), self.follow(b, before));
        let is_gone = |val: Val| matches!(val, Val::Addr(addr) if !self.objects.contains_key(&addr.obj));
        if is_gone(a) || is_gone(b) {
            // Where it leads now cannot be told from it alone: either way.
            return vec![(self.clone(), true), (self.clone(), false)];
        }
        self.compare_equal(wanted, a, b)
    }

    /// What a value of an earlier configuration is after one segment was removed, split or materialised.
    fn follow(&self, val: Val, before: &State) -> Val {
        let Val::Addr(addr) = val else { return val };
        let ptr = self.pointer_bytes();
        if !self.objects.contains_key(&addr.obj) {
            let old = before.object(addr.obj);
            if old.maybe {
                return Val::ZERO;
            }
            // The end that the segment had; where that is the segment itself, the other one.
            let outside = |val: &Val| !matches!(val, Val::Addr(a) if a.obj == addr.obj);
            let (next, prev) = (old.next(ptr).filter(outside), old.prev(ptr).filter(outside));
            let to = match addr.tg {
                Tg::Last => prev.or(next),
                _ => next.or(prev),
            };
            return to.unwrap_or(val);
        }
        val
    }

    fn equality(&self, a: Val, b: Val) -> Equality {
        let (a, b) = (self.settled(a), self.settled(b));
        let per_node = matches!(a, Val::Sym(id) if self.syms[&id].level > 0);
        if a == b && !per_node {
            return Equality::Known(true);
        }
        for val in [a, b] {
            if let Val::Sym(id) = val
                && !self.syms[&id].functions.is_empty()
                && self.syms[&id].level == 0
            {
                return Equality::Split(self.each_function(id));
            }
            if let Val::Addr(addr) = val
                && self.object(addr.obj).maybe
            {
                return Equality::Split(self.split_maybe(addr.obj));
            }
        }
        match (a, b) {
            (Val::Addr(x), Val::Addr(y)) => self.equal_addresses(x, y),
            (Val::Addr(x), Val::Int(0)) | (Val::Int(0), Val::Addr(x)) => self.equals_null(x),
            (Val::Func(_), Val::Func(_) | Val::Int(0)) | (Val::Int(0), Val::Func(_)) => {
                Equality::Known(false)
            }
            _ => self.equal_places(a, b),
        }
    }

    /// Equality of addresses of which at least one has an unknown index.
    fn equal_places(&self, a: Val, b: Val) -> Equality {
        let (Some((x, ..)), Some((y, ..))) = (self.place(a), self.place(b)) else {
            return self.differs_from_null(a, b);
        };
        let (Some(p), Some(q)) = (self.offset(a), self.offset(b)) else { return Equality::Open };
        if x != y || x.1 != Tg::Region || !self.cannot_wrap(a) || !self.cannot_wrap(b) {
            return Equality::Open;
        }
        match self.decide_forms(CmpOp::Eq, &p, &q) {
            Some(equal) => Equality::Known(equal),
            None => {
                let cases = [(CmpOp::Eq, true), (CmpOp::Ne, false)].into_iter().filter_map(|(op, equal)| {
                    let mut state = self.clone();
                    state.assume_forms(op, &p, &q).then_some((state, equal))
                });
                Equality::Cases(cases.collect())
            }
        }
    }

    /// An address with an unknown index inside its object is not null.
    fn differs_from_null(&self, a: Val, b: Val) -> Equality {
        let pointer = match (a, b) {
            (Val::Sym(_), Val::Int(0)) => a,
            (Val::Int(0), Val::Sym(_)) => b,
            _ => return Equality::Open,
        };
        let (Some(((obj, Tg::Region), ..)), Some(offset)) = (self.place(pointer), self.offset(pointer))
        else {
            return Equality::Open;
        };
        let object = self.object(obj);
        let size = self.size_form(object);
        let inside = !object.maybe
            && self.is_never_negative(&offset)
            && size.is_some_and(|size| self.is_at_most(&offset, &size, 0));
        if inside { Equality::Known(false) } else { Equality::Open }
    }

    fn equals_null(&self, x: Addr) -> Equality {
        let object = self.object(x.obj);
        match object.seg {
            Some(seg) if seg.min == 0 => Equality::Split(self.split_empty(x.obj)),
            _ if x.off >= 0 && x.off as u64 <= object.size => Equality::Known(false),
            _ => Equality::Open,
        }
    }

    fn equal_addresses(&self, x: Addr, y: Addr) -> Equality {
        if x.obj == y.obj && x.tg != y.tg && (x.tg.is_among() || y.tg.is_among()) {
            return Equality::Open;
        }
        for addr in [x, y] {
            if self.object(addr.obj).seg.is_some_and(|seg| seg.min == 0) {
                return Equality::Split(self.split_empty(addr.obj));
            }
        }
        let inside = |off: i64, object: &Object| {
            i128::from(off) >= self.first_offset(object) && i128::from(off) < i128::from(object.size)
        };
        if x.obj == y.obj {
            // What lies past the end of one node may be another one.
            let apart = x.off == y.off || [x, y].iter().all(|addr| inside(addr.off, self.object(addr.obj)));
            let min = self.object(x.obj).seg.map_or(2, |seg| seg.min);
            return match (x.tg == y.tg, min) {
                (true, _) => Equality::Known(x.off == y.off),
                (false, 2..) if apart => Equality::Known(false),
                (false, _) if fault!(34) => Equality::Known(false),
                // One node or more: first and last are the same if it is one.
                (false, _) if x.off == y.off && [x.tg, y.tg].iter().all(|tg| *tg != Tg::All) => {
                    Equality::Cases(self.one_or_more(x.obj))
                }
                (false, _) => Equality::Open,
            };
        }
        let (o, p) = (self.object(x.obj), self.object(y.obj));
        let alive = o.valid && p.valid || fault!(33);
        // Global constants may be merged by the linker, but never with anything that is written.
        let literals = matches!((o.storage, p.storage), (Storage::Global(_, true), Storage::Global(_, true)));
        // Two strings of the environment may be the same one.
        let foreign = o.storage == Storage::Foreign && p.storage == Storage::Foreign;
        if alive && !literals && !foreign && inside(x.off, o) && inside(y.off, p) {
            return Equality::Known(false);
        }
        Equality::Open
    }

    fn compare_order(&self, op: CmpOp, a: Val, b: Val) -> Vec<(State, bool)> {
        if let (Some((x, lo, hi)), Some((y, low, high))) = (self.place(a), self.place(b))
            && x == y
            && self.cannot_wrap(a)
            && self.cannot_wrap(b)
        {
            let known = match op {
                CmpOp::Ult if hi < low => Some(true),
                CmpOp::Ult if lo >= high => Some(false),
                CmpOp::Ule if hi <= low => Some(true),
                CmpOp::Ule if lo > high => Some(false),
                CmpOp::Ugt | CmpOp::Uge => {
                    let turned = if op == CmpOp::Ugt { CmpOp::Ult } else { CmpOp::Ule };
                    return self.compare_order(turned, b, a);
                }
                // The sign of an address is not known, and may change inside an object.
                _ => None,
            };
            if let Some(known) = known {
                return vec![(self.clone(), known)];
            }
            if let (CmpOp::Ult | CmpOp::Ule, Some(p), Some(q)) = (op, self.offset(a), self.offset(b)) {
                return self.compare_offsets(op, &p, &q);
            }
        }
        vec![(self.clone(), true), (self.clone(), false)]
    }

    /// The outcomes of a comparison of two offsets.
    fn compare_offsets(&self, op: CmpOp, p: &Form, q: &Form) -> Vec<(State, bool)> {
        if let Some(known) = self.decide_forms(op, p, q) {
            return vec![(self.clone(), known)];
        }
        let cases = [(op, true), (op.negated(), false)].into_iter().filter_map(|(op, holds)| {
            let mut state = self.clone();
            state.assume_forms(op, p, q).then_some((state, holds))
        });
        cases.collect()
    }

    /// Object with target, and the range of offsets, of an address.
    pub fn place(&self, val: Val) -> Option<((crate::graph::ObjId, Tg), i128, i128)> {
        match val {
            Val::Addr(a) => Some(((a.obj, a.tg), i128::from(a.off), i128::from(a.off))),
            Val::Sym(id) => match self.syms[&id].def {
                Def::At(base, index, scale) => {
                    let range = self.range(Val::Sym(index), self.pointer_bits());
                    let scale = i128::from(scale);
                    let ends = (range.lo.checked_mul(scale)?, range.hi.checked_mul(scale)?);
                    let base_off = i128::from(base.off);
                    let (lo, hi) = (ends.0.min(ends.1), ends.0.max(ends.1));
                    Some(((base.obj, base.tg), base_off.checked_add(lo)?, base_off.checked_add(hi)?))
                }
                _ => None,
            },
            Val::Int(_) | Val::Func(_) => None,
        }
    }
}
