//! Orders of numbers that both sides of a join imply, each in its own way.

use super::Joiner;
use crate::graph::{State, SymId, Val};
use std::collections::{BTreeMap, BTreeSet};

impl Joiner<'_> {
    /// An index that is below the number of elements on both sides is so in the result, also where a side knows it only
    /// from their ranges: 0 of at least 1, and 7 of at least 8.
    pub(super) fn infer_orders(&mut self) {
        let counts: BTreeSet<SymId> = self
            .out
            .objects
            .values()
            .filter_map(|object| object.size_sym)
            .map(|s| self.out.count_of(s))
            .collect();
        if counts.is_empty() {
            return;
        }
        let joined = |val: &Val| if let Val::Sym(id) = val { Some(*id) } else { None };
        let pairs: BTreeMap<SymId, (Val, Val)> =
            self.numbers.iter().filter_map(|(pair, val)| Some((joined(val)?, *pair))).collect();
        for count in counts {
            let Some(&(l, r)) = pairs.get(&count) else { continue };
            for (&id, &(a, b)) in &pairs {
                if self.out.may_be_below(id, count) && is_less(self.left, a, l) && is_less(self.right, b, r) {
                    self.out.sym_mut(id).below = Some(count);
                }
            }
        }
    }
}

/// True if a number is known to be less than another one, from their ranges or otherwise.
fn is_less(state: &State, a: Val, b: Val) -> bool {
    let width = |val: Val| if let Val::Sym(id) = val { Some(state.syms[&id].width) } else { None };
    let Some(width) = width(a).or(width(b)) else { return false };
    state.range(a, width).hi - i128::from(fault!(46)) < state.range(b, width).lo || state.is_below(a, b)
}
