//! Join of two values: numbers, addresses, and addresses that are computed.

use super::{Joiner, NoJoin, Place, Res};
use crate::graph::{Def, ObjId, State, Sym, SymId, Val};
use crate::number::Range;
use std::collections::{BTreeMap, BTreeSet};

impl Joiner<'_> {
    pub(super) fn values(
        &mut self,
        a: Val,
        b: Val,
        place: Place,
        from: Option<(ObjId, ObjId, ObjId)>,
    ) -> Res<Val> {
        if self.merging.is_some() && a == b {
            // Both nodes refer to the same: it is shared, not nested.
            return Ok(a);
        }
        match (a, b) {
            _ if let Some(joined) = self.parts(a, b, place, from) => joined,
            (Val::Int(x), Val::Int(y)) if x == y => Ok(a),
            (Val::Func(f), Val::Func(g)) if f == g => Ok(a),
            _ if let Some(joined) = self.node_after_segment(a, b, place, from) => Ok(joined),
            (Val::Addr(x), Val::Addr(y)) => match self.addresses(x, y, place.lift) {
                Ok(addr) => Ok(Val::Addr(addr)),
                Err(_)
                    if x.off != y.off
                        && let Ok(joined) = self.any_offsets(a, b, place) =>
                {
                    Ok(joined)
                }
                Err(why) => match self.insert_segment(a, b, place, from) {
                    Some(joined) => joined,
                    None => self.gone(a, b, place, from).ok_or(why),
                },
            },
            _ if self.left.state.is_number(a) && self.right.state.is_number(b) => {
                Ok(self.join_numbers(a, b, place))
            }
            _ if let Some(joined) = self.functions(a, b, place) => Ok(joined),
            (Val::Sym(s), Val::Sym(t)) => match self.computed_addresses(s, t, place) {
                Err(why) => self.any_offsets(a, b, place).map_err(|_| why),
                joined => joined,
            },
            (Val::Sym(_), Val::Addr(_)) | (Val::Addr(_), Val::Sym(_))
                if let Ok(joined) = self.any_offsets(a, b, place) =>
            {
                Ok(joined)
            }
            _ => match self.insert_segment(a, b, place, from) {
                Some(joined) => joined,
                None => match self.gone(a, b, place, from) {
                    Some(joined) => Ok(joined),
                    None => self.optional(a, b, place),
                },
            },
        }
    }

    /// Addresses with an unknown index.
    pub(super) fn computed_addresses(&mut self, s: SymId, t: SymId, place: Place) -> Res<Val> {
        let pair = (Val::Sym(s), Val::Sym(t), self.out.pointer_bits());
        if let Some(&known) = self.numbers.get(&pair) {
            return Ok(known);
        }
        let (x, y) = (self.left.state.syms[&s].clone(), self.right.state.syms[&t].clone());
        let (Def::At(base, i, scale), Def::At(other, j, factor)) = (x.def, y.def) else {
            return Err(NoJoin::Address);
        };
        if scale != factor || base.off != other.off {
            return Err(NoJoin::Address);
        }
        let left_base = base;
        let base = self.addresses(base, other, place.lift)?;
        let width = self.out.pointer_bits();
        let index = self.join_numbers(Val::Sym(i), Val::Sym(j), Place { width, ..place });
        let Val::Sym(index) = index else { return Err(NoJoin::Address) };
        let sides = (self.left.state.range(Val::Sym(i), width), self.right.state.range(Val::Sym(j), width));
        let range = self.inside(left_base, scale.into(), sides, self.out.syms[&index].range);
        self.out.sym_mut(index).range = range;
        self.in_registers.insert(index);
        let level = self.number_level(Some(&x), Some(&y), place);
        self.left.keeps &= x.level == level;
        self.right.keeps &= y.level == level;
        self.left.keeps &= partner(&mut self.left.partners, pair.0, pair.1);
        self.right.keeps &= partner(&mut self.right.partners, pair.1, pair.0);
        let sym = Sym { def: Def::At(base, index, scale), level, ..(*x).clone() };
        let joined = Val::Sym(self.out.add_sym(sym));
        self.numbers.insert(pair, joined);
        Ok(joined)
    }

    pub(super) fn join_numbers(&mut self, a: Val, b: Val, place: Place) -> Val {
        let info = |state: &State, val: Val| match val {
            Val::Sym(id) => Some(state.syms[&id].clone()),
            _ => None,
        };
        let (l, r) = (info(self.left.state, a), info(self.right.state, b));
        let width = l.as_ref().or(r.as_ref()).map_or(place.width, |sym| sym.width);
        let level = self.number_level(l.as_deref(), r.as_deref(), place);
        // What is one number per node elsewhere is none outside of these nodes.
        let fits = |known: &Val| !matches!(known, Val::Sym(id) if self.out.syms[id].level > level);
        if let Some(&known) = self.numbers.get(&(a, b, width)).filter(|known| fits(known)) {
            return known;
        }
        let (x, y) = (self.left.state.range(a, width), self.right.state.range(b, width));
        let range = self.grown(x, self.right.state.narrowed(b, y, x), width);
        let def = match (l.as_ref().map(|s| s.def), r.as_ref().map(|s| s.def)) {
            (Some(Def::Plus(s, m)), Some(Def::Plus(t, n))) if m == n && level == 0 => {
                match self.join_numbers(Val::Sym(s), Val::Sym(t), place) {
                    Val::Sym(source) => Def::Plus(source, m),
                    _ => Def::Free,
                }
            }
            (Some(Def::Times(s, m)), Some(Def::Times(t, n))) if m == n && level == 0 => {
                match self.join_numbers(Val::Sym(s), Val::Sym(t), place) {
                    Val::Sym(source) => Def::Times(source, m),
                    _ => Def::Free,
                }
            }
            (Some(Def::Same(s)), Some(Def::Same(t))) if level == 0 => {
                let from = self.left.state.syms[&s].width;
                match self.join_numbers(Val::Sym(s), Val::Sym(t), Place { width: from, ..place }) {
                    Val::Sym(source) if self.out.syms[&source].width == from => Def::Same(source),
                    _ => Def::Free,
                }
            }
            _ => Def::Free,
        };
        let mut not = common_exclusions(self.left.state, self.right.state, a, b, x, y);
        not.extend(self.between(x, y));
        let uninit = l.as_ref().is_some_and(|s| s.uninit) || r.as_ref().is_some_and(|s| s.uninit);
        let depth = match def {
            Def::Plus(source, _) | Def::Same(source) | Def::Times(source, _) => {
                self.out.syms[&source].depth + 1
            }
            Def::Free | Def::At(..) => 0,
        };
        let functions = BTreeSet::new();
        let sym = Sym { width, range, not, def, functions, level, uninit, depth };
        let shared = |side: Option<&Sym>, lift: u32| {
            lift == 0 && side.is_some_and(|s| s.level < sym.level) && !fault!(3)
        };
        // That a number is less than another one, of which nothing is known, tells no node from its neighbours.
        let [x, y] = [x, y].map(|side| match self.merging {
            Some(_) if side.is_most(width) => Range::full(width),
            _ => side,
        });
        let left = says_no_more(l.as_deref(), &sym, x) && partner(&mut self.left.partners, a, b);
        let right = says_no_more(r.as_deref(), &sym, y) && partner(&mut self.right.partners, b, a);
        self.left.keeps &= left && !shared(l.as_deref(), place.lift.left);
        self.right.keeps &= right && !shared(r.as_deref(), place.lift.right);
        self.differences.contents |= !left || !right;
        let id = self.out.add_sym(sym);
        self.numbers.insert((a, b, width), Val::Sym(id));
        Val::Sym(id)
    }

    /// A number of a node of a segment is one per node, unless both sides share it among all nodes.
    pub(super) fn number_level(&self, l: Option<&Sym>, r: Option<&Sym>, place: Place) -> u32 {
        let level = |sym: Option<&Sym>, lift: u32| sym.map(|s| if lift > 0 { place.level } else { s.level });
        match (level(l, place.lift.left), level(r, place.lift.right)) {
            // Two numbers that are merged are not one that all nodes share.
            (Some(x), Some(y)) if self.merging.is_some() && !fault!(2) => x.max(y).max(place.level),
            (Some(x), Some(y)) => x.max(y),
            _ => place.level,
        }
    }
}

/// Numbers that neither side can be.
fn common_exclusions(l: &State, r: &State, a: Val, b: Val, x: Range, y: Range) -> BTreeSet<i128> {
    let of = |state: &State, val: Val| match val {
        Val::Sym(id) => state.syms[&id].not.clone(),
        _ => BTreeSet::new(),
    };
    let (p, q) = (of(l, a), of(r, b));
    let out = |number: &i128, set: &BTreeSet<i128>, range: Range| {
        set.contains(number) || *number < range.lo || *number > range.hi
    };
    p.union(&q).filter(|n| out(n, &p, x) && (out(n, &q, y) || fault!(15))).copied().collect()
}

/// True if a side knows no more about a number than the result does.
fn says_no_more(side: Option<&Sym>, result: &Sym, range: Range) -> bool {
    let Some(side) = side else { return false };
    side.uninit == result.uninit
        && (range.covers(result.range) || fault!(6))
        && (side.not.is_subset(&result.not) || fault!(5))
        && (side.def == Def::Free) == (result.def == Def::Free)
}

/// Notes which value a value was joined with; false if it was another one before: then an equality is lost.
pub(super) fn partner(map: &mut BTreeMap<Val, Val>, of: Val, with: Val) -> bool {
    *map.entry(of).or_insert(with) == with || fault!(4)
}
