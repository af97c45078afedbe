//! What is remembered of a path without abstraction: the inputs that were read and the conditions on them.

use heapproof_explore::Trail;
use heapproof_ir::{BlockId, FuncId};
use heapproof_logic::Term;

/// Where an input comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A call that gives an arbitrary value.
    Call,
    /// Memory or a variable that was never written.
    Uninitialised,
    /// Anything else that the environment decides.
    Environment,
}

/// A place of the program: function, block, index of the instruction.
pub type Position = (FuncId, BlockId, usize);

/// An input that was read.
#[derive(Clone, Debug)]
pub struct Input {
    /// The variable that stands for it.
    pub var: Term,
    /// Where it comes from.
    pub origin: Origin,
    /// The instruction that read it; none at the start of the program.
    pub at: Option<Position>,
}

#[derive(Clone, Debug)]
enum Entry {
    Input(Input),
    Condition(Term),
}

/// The inputs and conditions of a path. Cheap to copy: paths share what they have in common.
#[derive(Clone, Debug, Default)]
pub struct Journal {
    entries: Trail<Entry>,
}

impl Journal {
    /// An input is read.
    pub fn note_input(&mut self, input: Input) {
        self.entries = self.entries.then(Entry::Input(input));
    }

    /// A condition holds from here on.
    pub fn note_condition(&mut self, condition: Term) {
        self.entries = self.entries.then(Entry::Condition(condition));
    }

    /// The inputs in the order in which they are read.
    pub fn inputs(&self) -> Vec<Input> {
        let inputs = self.entries.backwards().filter_map(|entry| match entry {
            Entry::Input(input) => Some(input.clone()),
            Entry::Condition(_) => None,
        });
        let mut inputs: Vec<Input> = inputs.collect();
        inputs.reverse();
        inputs
    }

    /// What holds on the path.
    pub fn conditions(&self) -> Vec<Term> {
        let conditions = self.entries.backwards().filter_map(|entry| match entry {
            Entry::Condition(term) => Some(term.clone()),
            Entry::Input(_) => None,
        });
        conditions.collect()
    }
}
