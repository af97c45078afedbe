//! What is assumed on a path, level by level, and what has to follow from it.

use crate::execute::Failure;
use heapproof_ir::{BlockId, FuncId};
use heapproof_logic::Term;
use std::sync::Arc;

/// Assumptions in levels: what was said since a level began is forgotten with it.
#[derive(Clone, Debug, Default)]
pub struct Assumed {
    levels: Vec<Arc<Vec<Term>>>,
}

impl Assumed {
    /// With what always holds.
    pub fn new(axioms: Vec<Term>) -> Assumed {
        Assumed { levels: vec![Arc::new(axioms)] }
    }

    /// Begins a level.
    pub fn push(&mut self) {
        self.levels.push(Arc::default());
    }

    /// Ends the last level.
    pub fn pop(&mut self) {
        self.levels.pop();
    }

    /// Something holds from now on.
    pub fn assert(&mut self, term: &Term) {
        if let Some(level) = self.levels.last_mut() {
            Arc::make_mut(level).push(term.clone());
        }
    }

    /// The levels, the first one first.
    pub fn levels(&self) -> &[Arc<Vec<Term>>] {
        &self.levels
    }
}

/// Something that has to follow from assumptions.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// The function whose contract it belongs to.
    pub func: FuncId,
    /// What is assumed.
    pub assumed: Assumed,
    /// What has to follow.
    pub goal: Term,
    /// What is told if it does not.
    pub failure: Failure,
    /// The loop invariant that it is about: function, head of the loop, number.
    pub invariant: Option<(FuncId, BlockId, usize)>,
}
