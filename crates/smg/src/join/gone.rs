//! Join of addresses of freed blocks: nobody may use them, so which block it was, or whether there was one, hardly matters.

use super::{Joiner, Lift, Place, Side, partner};
use crate::graph::{Def, ObjId, Storage, Val};
use crate::number::Range;

impl Joiner<'_> {
    /// A field of a heap block that leads to a freed block on one side, and to another freed block or to a number on the other one: a
    /// number of which nothing is known. Whoever uses it as an address is suspected.
    pub(super) fn gone(
        &mut self,
        a: Val,
        b: Val,
        place: Place,
        from: Option<(ObjId, ObjId, ObjId)>,
    ) -> Option<Val> {
        let (_, _, holder) = from?;
        let top = self.merging.is_none() && place.lift == Lift::NONE && place.level == 0;
        if !top || place.width != self.out.pointer_bits() || self.out.object(holder).storage != Storage::Heap
        {
            return None;
        }
        let sides = [(Side::Left, a), (Side::Right, b)];
        let gone = sides.map(|(side, val)| self.is_gone(side, val));
        let is_number = |(side, val): (Side, Val)| self.side(side).state.is_number(val);
        let fits = sides.into_iter().zip(gone).all(|(value, gone)| gone || is_number(value));
        if !gone.contains(&true) || !fits {
            return None;
        }
        self.differences.shapes = true;
        for (side, val, other) in [(Side::Left, a, b), (Side::Right, b, a)] {
            let any = self.is_any_number(side, val, place.width) || fault!(142);
            let input = self.side_mut(side);
            input.keeps &= any && partner(&mut input.partners, val, other);
        }
        let key = (a, b, place.width);
        let known = self.numbers.get(&key).copied();
        Some(known.unwrap_or_else(|| {
            let joined = self.out.unknown(place.width);
            let uninit = sides.map(|(side, val)| self.is_uninit(side, val));
            if let Val::Sym(id) = joined {
                self.out.sym_mut(id).uninit = uninit.contains(&true);
            }
            self.numbers.insert(key, joined);
            joined
        }))
    }

    fn is_gone(&self, side: Side, val: Val) -> bool {
        let object = match val {
            Val::Addr(addr) => self.side(side).state.object(addr.obj),
            _ => return false,
        };
        !object.valid && object.storage == Storage::Heap
    }

    fn is_uninit(&self, side: Side, val: Val) -> bool {
        matches!(val, Val::Sym(id) if self.side(side).state.syms[&id].uninit)
    }

    /// True for a number of which nothing is known.
    fn is_any_number(&self, side: Side, val: Val, width: u8) -> bool {
        let Val::Sym(id) = val else { return false };
        let sym = &self.side(side).state.syms[&id];
        let free = sym.def == Def::Free && sym.functions.is_empty() && !sym.uninit;
        free && sym.level == 0 && sym.range == Range::full(width) && sym.not.is_empty()
    }
}
