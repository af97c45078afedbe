//! Values that are one of several functions: what callbacks in nodes of a list become when the nodes are merged.

use crate::graph::{State, SymId, Val};
use heapproof_ir::FuncId;
use std::collections::BTreeSet;

impl State {
    /// The functions that a value may be, null among them; none if it may be something else.
    pub fn functions_of(&self, val: Val) -> Option<BTreeSet<Option<FuncId>>> {
        match val {
            Val::Func(function) => Some(BTreeSet::from([Some(function)])),
            Val::Int(0) => Some(BTreeSet::from([None])),
            Val::Sym(id) => Some(self.syms[&id].functions.clone()).filter(|set| !set.is_empty()),
            Val::Int(_) | Val::Addr(_) => None,
        }
    }

    /// The value if it is one known function or null.
    pub fn settled(&self, val: Val) -> Val {
        match val {
            Val::Sym(id) if self.syms.get(&id).is_some_and(|sym| sym.functions.len() == 1) => {
                self.syms[&id].functions.first().copied().flatten().map_or(Val::ZERO, Val::Func)
            }
            other => other,
        }
    }

    /// One configuration for each function that an unknown one may be.
    pub fn each_function(&self, id: SymId) -> Vec<State> {
        let part = |function: &Option<FuncId>| {
            let mut state = self.clone();
            state.sym_mut(id).functions = BTreeSet::from([*function]);
            let settled = state.settled(Val::Sym(id));
            state.replace_values(|val| if val == Val::Sym(id) { settled } else { val });
            state
        };
        let parts: Vec<State> = self.syms[&id].functions.iter().map(part).collect();
        #[cfg(test)]
        crate::audit::covers("each_function", self, &parts.iter().collect::<Vec<_>>());
        parts
    }
}
