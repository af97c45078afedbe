//! Addresses at different offsets that each node has of itself, or of what is nested below it: a node that holds how much of it is used.

use super::{Joiner, NoJoin, Place, Res, Side};
use crate::graph::{Addr, Def, State, Sym, SymId, Tg, Val};
use crate::number::Range;
use std::collections::BTreeSet;

/// An address in a node: `base + scale * index`, the index in a range.
struct Own {
    base: Addr,
    scale: i128,
    index: Range,
}

fn own(state: &State, val: Val) -> Option<Own> {
    let (base, scale, index) = match val {
        Val::Addr(base) => (base, 0, Range::one(0)),
        Val::Sym(id) => match state.syms[&id].def {
            Def::At(base, index, scale) => (base, scale, state.range(Val::Sym(index), state.pointer_bits())),
            _ => return None,
        },
        _ => return None,
    };
    let fits = matches!(base.tg, Tg::Region | Tg::All) && scale >= 0;
    fits.then_some(Own { base, scale: scale.into(), index })
}

impl Own {
    /// The range of the index if the address is `start + scale * index`.
    fn rescaled(&self, start: i128, scale: i128) -> Option<Range> {
        let (first, factor) = ((i128::from(self.base.off) - start) / scale, self.scale / scale);
        let end = |index: i128| index.checked_mul(factor)?.checked_add(first);
        Some(Range { lo: end(self.index.lo)?, hi: end(self.index.hi)? })
    }
}

impl Joiner<'_> {
    /// Joins addresses with different offsets.
    pub(super) fn any_offsets(&mut self, a: Val, b: Val, place: Place) -> Res<Val> {
        match place.level == 0 || self.measures(place) {
            true => self.offsets(a, b, place),
            false => self.own_offsets(a, b, place),
        }
    }

    /// Joins addresses with different offsets that nodes hold: the index is one per node, and nothing else is known of it.
    fn own_offsets(&mut self, a: Val, b: Val, place: Place) -> Res<Val> {
        let width = self.out.pointer_bits();
        if let Some(&known) = self.numbers.get(&(a, b, width)) {
            return Ok(known);
        }
        let (Some(x), Some(y)) = (own(self.left.state, a), own(self.right.state, b)) else {
            return Err(NoJoin::Address);
        };
        let apart = i128::from(x.base.off) - i128::from(y.base.off);
        let scale = super::offsets::gcd(super::offsets::gcd(x.scale, y.scale), apart.abs());
        if scale == 0 || scale > i128::from(i32::MAX) {
            return Err(NoJoin::Address);
        }
        let start = i128::from(x.base.off).rem_euclid(scale);
        let (Some(mine), Some(theirs)) = (x.rescaled(start, scale), y.rescaled(start, scale)) else {
            return Err(NoJoin::Address);
        };
        let at = |base: Addr| Addr { off: start as i64, ..base };
        let range = self.inside(at(x.base), scale, (mine, theirs), self.grown(mine, theirs, width));
        let base = self.addresses(at(x.base), at(y.base), place.lift)?;
        self.lose_both();
        let index = self.per_node(range, place.level);
        let sym = Sym {
            range: Range::full(width),
            def: Def::At(base, index, scale as i64),
            ..self.plain(place.level)
        };
        let joined = Val::Sym(self.out.add_sym(sym));
        self.numbers.insert((a, b, width), joined);
        Ok(joined)
    }

    /// Copies an address with an index that has no counterpart on the other side.
    pub(super) fn copy_indexed(
        &mut self,
        side: Side,
        add: u32,
        level: u32,
        id: SymId,
        (base, index, scale): (Addr, SymId, i64),
    ) -> Res<Val> {
        if let Some(&copy) = self.side(side).copied.get(&id) {
            return Ok(Val::Sym(copy));
        }
        let state = self.side(side).state;
        let sym = state.syms[&id].clone();
        if sym.level + add == 0 || !matches!(base.tg, Tg::Region | Tg::All) {
            return Err(NoJoin::Levels);
        }
        let level = if sym.level == 0 { level } else { sym.level + add };
        let Val::Addr(base) = self.copy_value(side, add, level, Val::Addr(base))? else {
            return Err(NoJoin::Address);
        };
        // What the index has to do with other numbers is not kept.
        self.lose_both();
        let index = match self.side(side).copied.get(&index) {
            // The beginning of the block.
            Some(&known) if self.out.syms[&known].level == level => known,
            _ => self.per_node(state.range(Val::Sym(index), state.pointer_bits()), level),
        };
        let copy = self.out.add_sym(Sym { def: Def::At(base, index, scale), ..self.plain(level) });
        self.side_mut(side).copied.insert(id, copy);
        Ok(Val::Sym(copy))
    }

    fn plain(&self, level: u32) -> Sym {
        let width = self.out.pointer_bits();
        let (not, functions) = (BTreeSet::new(), BTreeSet::new());
        let range = Range::full(width);
        Sym { width, range, not, def: Def::Free, functions, level, uninit: false, depth: 0 }
    }

    /// A number that each node has for itself.
    fn per_node(&mut self, range: Range, level: u32) -> SymId {
        let sym = Sym { range, ..self.plain(level) };
        self.out.add_sym(sym)
    }
}
