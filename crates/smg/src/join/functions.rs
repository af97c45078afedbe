//! Join of functions: a value that is one of those of either side.

use super::{Joiner, Place, partner};
use crate::graph::{Def, State, Sym, Val};
use crate::number::Range;
use heapproof_ir::FuncId;
use std::collections::BTreeSet;
use std::rc::Rc;

impl Joiner<'_> {
    /// Joins two values that are functions or null; none if one may be something else.
    pub(super) fn functions(&mut self, a: Val, b: Val, place: Place) -> Option<Val> {
        let (x, y) = (self.left.state.functions_of(a)?, self.right.state.functions_of(b)?);
        let width = self.out.pointer_bits();
        if let Some(&known) = self.numbers.get(&(a, b, width)) {
            return Some(known);
        }
        let functions: BTreeSet<Option<FuncId>> = x.union(&y).copied().collect();
        let info = |state: &State, val: Val| match val {
            Val::Sym(id) => Some(Rc::clone(&state.syms[&id])),
            _ => None,
        };
        let (l, r) = (info(self.left.state, a), info(self.right.state, b));
        let sym = Sym {
            width,
            range: Range::full(width),
            not: BTreeSet::new(),
            def: Def::Free,
            functions,
            level: self.number_level(l.as_deref(), r.as_deref(), place),
            uninit: false,
            depth: 0,
        };
        // A side covers the other if it allows as much and says of no two values that they are equal where the
        // result does not.
        let keeps = |side: Option<&Sym>, lift: u32| {
            side.is_some_and(|side| side.functions == sym.functions && (lift > 0 || side.level == sym.level))
        };
        self.left.keeps &= keeps(l.as_deref(), place.lift.left) && partner(&mut self.left.partners, a, b);
        self.right.keeps &= keeps(r.as_deref(), place.lift.right) && partner(&mut self.right.partners, b, a);
        let joined = Val::Sym(self.out.add_sym(sym));
        self.numbers.insert((a, b, width), joined);
        Some(joined)
    }
}
