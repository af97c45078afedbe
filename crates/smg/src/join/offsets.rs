//! Join of two addresses of one object with different offsets, and of two blocks of different sizes (section 2.2 of the
//! paper): an address with an unknown index, and a block whose size is a number.

use super::relations::Tie;
use super::{Joiner, NoJoin, Place, Res};
use crate::graph::{Addr, Def, ObjId, Object, State, Storage, Sym, SymId, Tg, Val};
use crate::number::Range;
use crate::relation::Form;
use crate::rows::{TO_THE_END, divided};
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
        Val::Sym(id) if state.syms[&id].level <= u32::from(state.looks_inside) => match state.syms[&id].def {
            Def::At(Addr { obj, off, tg: Tg::Region }, index, scale) => Some(Indexed {
                obj,
                base: off.into(),
                scale: scale.into(),
                index: state.form_within(state.syms[&id].level > 0, Val::Sym(index), state.pointer_bits())?,
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
    object.seg.is_none() && !object.maybe && object.level <= u32::from(state.looks_inside) && {
        cells.all(|(_, cell)| state.target(cell.val).is_none() || state.part(cell.val).is_some())
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
        let between = match place.level {
            0 => reach(self.left.state, a).zip(reach(self.right.state, b)).map(hull),
            _ => Some((i128::MIN, i128::MAX)),
        };
        if !self.out.relates
            || !self.measures(place)
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
        // Nodes that are merged may point into one and the same.
        let same = self.merging.is_some() && x.obj == y.obj;
        let obj = if same { x.obj } else { self.objects(x.obj, y.obj, place.lift)? };
        let id = self.index(left, right, range, place.level);
        // A side with the same base and scale says no more than that, if its index does not.
        let keeps = |state: &State, side: &Indexed| {
            (side.base, side.scale) == (start, scale)
                && side.symbol.is_some_and(|symbol| says_no_more(state, symbol, range))
        };
        self.left.keeps &= keeps(self.left.state, &x);
        self.right.keeps &= keeps(self.right.state, &y);
        let base = Addr { obj, off: start as i64, tg: Tg::Region };
        let joined = self.out.derived(width, Range::full(width), Def::At(base, id, scale as i64));
        if let Val::Sym(id) = joined {
            self.out.sym_mut(id).level = place.level;
        }
        self.numbers.insert((a, b, width), joined);
        Ok(joined)
    }

    /// Whether two objects have one size (none), or two that are joined to a number: forms on both sides and its range.
    pub(super) fn sizes(&self, x: &Object, y: &Object, place: Place) -> Res<Option<(Form, Form, Range)>> {
        if x.size == y.size && x.exact == y.exact {
            return Ok(None);
        }
        let plain = |state: &State, object: &Object| {
            let plain = |val: Val| state.target(val).is_none() || state.part(val).is_some();
            let block = object.seg.is_none() && object.cells.values().all(|cell| plain(cell.val));
            // Nodes of one type, each with an array of its own at the end.
            let node = self.looks_inside() && x.used_as.is_some() && x.used_as == y.used_as;
            (block || node)
                && !object.maybe
                && object.valid
                && matches!(object.storage, Storage::Heap | Storage::Alloca)
        };
        // Of one structure and of different sizes: several of them, or one with an array at its end.
        let alike = x.used_as == y.used_as;
        if alike && self.forgets_sizes(place) && plain(self.left.state, x) && plain(self.right.state, y) {
            return Ok(None);
        }
        let fits = alike && self.out.relates && self.measures(place);
        if !fits || !plain(self.left.state, x) || !plain(self.right.state, y) {
            return Err(NoJoin::Objects);
        }
        let (Some(mine), Some(theirs)) = (self.left.state.size_within(x), self.right.state.size_within(y))
        else {
            return Err(NoJoin::Objects);
        };
        let (Some(a), Some(b)) = (self.left.state.bounds(&mine), self.right.state.bounds(&theirs)) else {
            return Err(NoJoin::Objects);
        };
        let grown = self.grown(a, b, self.out.pointer_bits());
        let possible = self.out.sizes_of_blocks();
        let range = match possible.covers(a) && possible.covers(b) {
            true => grown.meet(possible).unwrap_or(grown),
            false => grown,
        };
        // A table has a whole number of elements.
        let whole =
            |stride: u64| [&mine, &theirs].iter().all(|form| divided(form, stride).is_some_and(|d| d.1 == 0));
        if self.stride_of_both(x, y).is_some_and(|stride| !whole(stride)) {
            return Err(NoJoin::Objects);
        }
        Ok(Some((mine, theirs, range)))
    }

    /// True where blocks of different sizes become blocks of at least the less of them: below the elements of arrays.
    fn forgets_sizes(&self, place: Place) -> bool {
        place.level > 0 && !self.measures(place)
    }

    /// Gives a joined block the least size of both sides.
    pub(super) fn set_least_size(&mut self, object: &mut Object, x: &Object, y: &Object) {
        if x.size != y.size || x.exact != y.exact {
            (object.size, object.exact) = (x.size.min(y.size), false);
            let keeps = |side: &Object| side.size == object.size && !side.exact;
            self.left.keeps &= keeps(x);
            self.right.keeps &= keeps(y);
        }
    }

    /// Gives a joined block a size that is a number.
    pub(super) fn set_sizes(
        &mut self,
        object: &mut Object,
        (x, y): (&Object, &Object),
        (mine, theirs, range): (Form, Form, Range),
        level: u32,
    ) {
        let theirs = if fault!(62) && level > 0 { mine.clone() } else { theirs };
        object.size = x.size.min(y.size);
        object.exact = false;
        if let Some(stride) = self.stride_of_both(x, y) {
            object.size_sym = self.count_of_both(object.size, (x, y), (mine, theirs, range), stride);
            return;
        }
        let id = self.index(mine, theirs, range, level);
        object.size_sym = Some(id);
        let keeps = |state: &State, side: &Object| {
            side.size == object.size
                && !side.exact
                && side.size_sym.is_some_and(|symbol| says_no_more(state, symbol, range))
        };
        self.left.keeps &= keeps(self.left.state, x);
        self.right.keeps &= keeps(self.right.state, y);
    }

    /// The size of the elements of two tables that go on to the end of their blocks.
    fn stride_of_both(&self, x: &Object, y: &Object) -> Option<u64> {
        let stride = |state: &State, object: &Object| {
            let cell = object.cells.values().find(|cell| cell.len == TO_THE_END)?;
            state.part(cell.val).map(|part| state.object(part).size)
        };
        stride(self.left.state, x).filter(|found| stride(self.right.state, y) == Some(*found))
    }

    /// The size of a joined table, as a number of elements.
    fn count_of_both(
        &mut self,
        least: u64,
        (x, y): (&Object, &Object),
        (mine, theirs, range): (Form, Form, Range),
        stride: u64,
    ) -> Option<SymId> {
        let (mine, theirs) = (divided(&mine, stride)?.0, divided(&theirs, stride)?.0);
        let (by, width) = (i128::from(stride), self.out.pointer_bits());
        let counts = Range { lo: range.lo.div_euclid(by), hi: range.hi.div_euclid(by) };
        let keeps = |state: &State, side: &Object| {
            let count = side.size_sym.and_then(|size| match state.syms[&size].def {
                Def::Times(count, factor) if factor == by => Some(count),
                _ => None,
            });
            let says_enough = count.is_some_and(|count| says_no_more(state, count, counts));
            side.size == least && !side.exact && says_enough
        };
        let kept = (keeps(self.left.state, x), keeps(self.right.state, y));
        self.left.keeps &= kept.0;
        self.right.keeps &= kept.1;
        let id = self.index(mine, theirs, counts, 0);
        match self.out.derived(width, range, Def::Times(id, by)) {
            Val::Sym(size) => Some(size),
            _ => None,
        }
    }

    /// A new number that is one form on the left side and another one on the right side.
    pub(super) fn index(&mut self, left: Form, right: Form, range: Range, level: u32) -> SymId {
        let known =
            |tie: &&Tie| tie.left == left && tie.right == right && self.out.syms[&tie.id].level == level;
        if let Some(tie) = self.indices.iter().find(known) {
            return tie.id;
        }
        let width = self.out.pointer_bits();
        let (not, functions) = (BTreeSet::new(), BTreeSet::new());
        let sym = Sym { width, range, not, def: Def::Free, functions, level, uninit: false, depth: 0 };
        let id = self.out.add_sym(sym);
        self.indices.push(Tie { id, left, right });
        self.in_registers.insert(id);
        id
    }
}

pub(super) fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}
