//! Join of two addresses of one object with different offsets, and of two blocks of different sizes (section 2.2 of the
//! paper): an address with an unknown index, and a block whose size is a number.

use super::relations::Tie;
use super::{Joiner, Lift, NoJoin, Place, Res};
use crate::graph::{Addr, Def, ObjId, Object, State, Storage, Sym, SymId, Tg, Val};
use crate::number::Range;
use crate::relation::Form;
use heapproof_numbers::Linear;
use std::collections::BTreeSet;

/// An address of a region: `base + scale * index`.
struct Indexed {
    obj: ObjId,
    base: i128,
    scale: i128,
    index: Form,
    /// The symbol of the index, if it is one.
    symbol: Option<SymId>,
}

fn indexed(state: &State, val: Val) -> Option<Indexed> {
    match val {
        Val::Addr(Addr { obj, off, tg: Tg::Region }) => {
            Some(Indexed { obj, base: off.into(), scale: 0, index: Linear::constant(0), symbol: None })
        }
        Val::Sym(id) if state.syms[&id].level == 0 => match state.syms[&id].def {
            Def::At(Addr { obj, off, tg: Tg::Region }, index, scale) => Some(Indexed {
                obj,
                base: off.into(),
                scale: scale.into(),
                index: state.form_of(index)?,
                symbol: Some(index),
            }),
            _ => None,
        },
        _ => None,
    }
}

/// True if different offsets into an object are like different numbers: it is a region that holds no addresses there, so they
/// are no different fields of a node.
fn is_array(state: &State, obj: ObjId, (lo, hi): (i128, i128)) -> bool {
    let object = state.object(obj);
    let is_there = |off: u64, len: u64| i128::from(off) < hi && i128::from(off + len) > lo;
    let mut cells = object.cells.iter().filter(|(off, cell)| is_there(**off, cell.len));
    object.seg.is_none() && !object.maybe && object.level == 0 && {
        cells.all(|(_, cell)| state.target(cell.val).is_none())
    }
}

/// From which offset to which an address may lead.
fn reach(state: &State, val: Val) -> Option<(i128, i128)> {
    let bounds = state.offset(val).and_then(|offset| state.bounds(&offset));
    bounds.map(|range| (range.lo, range.hi)).or_else(|| state.place(val).map(|(_, lo, hi)| (lo, hi)))
}

fn hull((a, b): ((i128, i128), (i128, i128))) -> (i128, i128) {
    (a.0.min(b.0), a.1.max(b.1))
}

/// True if a side says no more of a symbol than that it is in a range.
fn says_no_more(state: &State, symbol: SymId, range: Range) -> bool {
    let sym = &state.syms[&symbol];
    sym.def == Def::Free && sym.not.is_empty() && sym.range.covers(range)
}

impl Joiner<'_> {
    /// Joins addresses with different offsets.
    pub(super) fn offsets(&mut self, a: Val, b: Val, place: Place) -> Res<Val> {
        let width = self.out.pointer_bits();
        if let Some(&known) = self.numbers.get(&(a, b, width)) {
            return Ok(known);
        }
        let (Some(x), Some(y)) = (indexed(self.left.state, a), indexed(self.right.state, b)) else {
            return Err(NoJoin::Address);
        };
        let between = reach(self.left.state, a).zip(reach(self.right.state, b)).map(hull);
        if !self.out.relates
            || self.merging.is_some()
            || place.lift != Lift::NONE
            || place.level > 0
            || between.is_none_or(|between| {
                !is_array(self.left.state, x.obj, between) || !is_array(self.right.state, y.obj, between)
            })
        {
            return Err(NoJoin::Address);
        }
        let scale = gcd(gcd(x.scale.abs(), y.scale.abs()), (x.base - y.base).abs());
        if scale == 0 || scale > i128::from(i32::MAX) {
            return Err(NoJoin::Address);
        }
        let start = x.base.rem_euclid(scale);
        let index = |side: &Indexed| {
            Linear::constant((side.base - start) / scale).plus(&side.index, side.scale / scale)
        };
        let (Some(left), Some(right)) = (index(&x), index(&y)) else { return Err(NoJoin::Address) };
        let (Some(mine), Some(theirs)) = (self.left.state.bounds(&left), self.right.state.bounds(&right))
        else {
            return Err(NoJoin::Address);
        };
        let grown = self.grown(mine, theirs, width);
        let base = Addr { obj: x.obj, off: start as i64, tg: Tg::Region };
        let range = self.inside(base, scale, (mine, theirs), grown);
        if !Range::full(width).covers(range) {
            return Err(NoJoin::Address);
        }
        let obj = self.objects(x.obj, y.obj, place.lift)?;
        let id = self.index(left, right, range);
        // A side with the same base and scale says no more than that, if its index does not.
        let keeps = |state: &State, side: &Indexed| {
            (side.base, side.scale) == (start, scale)
                && side.symbol.is_some_and(|symbol| says_no_more(state, symbol, range))
        };
        self.left.keeps &= keeps(self.left.state, &x);
        self.right.keeps &= keeps(self.right.state, &y);
        let base = Addr { obj, off: start as i64, tg: Tg::Region };
        let joined = self.out.derived(width, Range::full(width), Def::At(base, id, scale as i64));
        self.numbers.insert((a, b, width), joined);
        Ok(joined)
    }

    /// Whether two objects have one size (none), or two that are joined to a number: forms on both sides and its range.
    pub(super) fn sizes(&self, x: &Object, y: &Object, lift: Lift) -> Res<Option<(Form, Form, Range)>> {
        if x.size == y.size && x.exact == y.exact {
            return Ok(None);
        }
        let plain = |state: &State, object: &Object| {
            object.seg.is_none()
                && !object.maybe
                && object.valid
                && object.level == 0
                && matches!(object.storage, Storage::Heap | Storage::Alloca)
                && object.cells.values().all(|cell| state.target(cell.val).is_none())
        };
        // Of one structure and of different sizes: several of them, or one with an array at its end.
        let alike = x.used_as == y.used_as;
        let fits = alike && self.out.relates && self.merging.is_none() && lift == Lift::NONE;
        if !fits || !plain(self.left.state, x) || !plain(self.right.state, y) {
            return Err(NoJoin::Objects);
        }
        let (Some(mine), Some(theirs)) = (self.left.state.size_form(x), self.right.state.size_form(y)) else {
            return Err(NoJoin::Objects);
        };
        let (Some(a), Some(b)) = (self.left.state.bounds(&mine), self.right.state.bounds(&theirs)) else {
            return Err(NoJoin::Objects);
        };
        let range = self.grown(a, b, self.out.pointer_bits());
        Ok(Some((mine, theirs, range)))
    }

    /// Gives a joined block a size that is a number.
    pub(super) fn set_sizes(
        &mut self,
        object: &mut Object,
        (x, y): (&Object, &Object),
        (mine, theirs, range): (Form, Form, Range),
    ) {
        let id = self.index(mine, theirs, range);
        object.size = x.size.min(y.size);
        (object.exact, object.size_sym) = (false, Some(id));
        let keeps = |state: &State, side: &Object| {
            side.size == object.size
                && !side.exact
                && side.size_sym.is_some_and(|symbol| says_no_more(state, symbol, range))
        };
        self.left.keeps &= keeps(self.left.state, x);
        self.right.keeps &= keeps(self.right.state, y);
    }

    /// A new number that is one form on the left side and another one on the right side.
    fn index(&mut self, left: Form, right: Form, range: Range) -> SymId {
        if let Some(tie) = self.indices.iter().find(|tie| tie.left == left && tie.right == right) {
            return tie.id;
        }
        let width = self.out.pointer_bits();
        let (not, functions) = (BTreeSet::new(), BTreeSet::new());
        let sym = Sym { width, range, not, def: Def::Free, functions, level: 0, uninit: false, depth: 0 };
        let id = self.out.add_sym(sym);
        self.indices.push(Tie { id, left, right });
        self.in_registers.insert(id);
        id
    }
}

pub(super) fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}
