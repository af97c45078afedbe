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

/// True if different offsets into an object are like different numbers: it is a region that holds no addresses, so they
/// are no different fields of a node.
fn is_array(state: &State, obj: ObjId) -> bool {
    let object = state.object(obj);
    object.seg.is_none()
        && !object.maybe
        && object.level == 0
        && object
            .cells
            .values()
            .all(|cell| state.target(cell.val).is_none() || state.part(cell.val).is_some())
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
        if !self.out.relates
            || self.merging.is_some()
            || place.lift != Lift::NONE
            || place.level > 0
            || !is_array(self.left.state, x.obj)
            || !is_array(self.right.state, y.obj)
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
        let range = self.grown(mine, theirs, width);
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
                && object.used_as.is_none()
                && matches!(object.storage, Storage::Heap | Storage::Alloca)
                && object.cells.values().all(|cell| state.target(cell.val).is_none())
        };
        let fits = self.out.relates && self.merging.is_none() && lift == Lift::NONE;
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

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}
