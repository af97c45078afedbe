//! What is remembered of a path without abstraction: the inputs that were read and the conditions on them.
//!
//! A symbol is a variable of the same number. What the graph does with symbols beyond ranges (products, remainders, …)
//! is written down as a term, so that a solver can tell which inputs take the path. A symbol without a condition is
//! free: then the solver may be too generous, and the replay decides.

use crate::graph::{State, SymId, Val};
use heapproof_explore::Trail;
use heapproof_ir::{BinOp, BlockId, CmpOp, FuncId};
use heapproof_logic::{BvOp, BvRel, Term, Var};

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
#[derive(Clone, Copy, Debug)]
pub struct Input {
    /// The variable that stands for it.
    pub var: Var,
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

/// The inputs and conditions of a path.
#[derive(Clone, Debug, Default)]
pub struct Journal {
    entries: Trail<Entry>,
}

impl Journal {
    /// How much is written down.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The inputs in the order in which they are read.
    pub fn inputs(&self) -> Vec<Input> {
        let inputs = self.entries.backwards().filter_map(|entry| match entry {
            Entry::Input(input) => Some(*input),
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

impl State {
    /// A number as a term.
    fn term(&self, val: Val, width: u8) -> Option<Term> {
        match val {
            Val::Int(number) => Some(Term::number(number, width)),
            Val::Sym(id) => Some(Term::Var(Var { id: id.0, width: self.syms[&id].width }))
                .filter(|_| self.syms[&id].width == width),
            Val::Addr(_) | Val::Func(_) => None,
        }
    }

    fn write_down(&mut self, entry: Entry) {
        if let Some(journal) = &mut self.journal {
            journal.entries = journal.entries.then(entry);
        }
    }

    /// An unknown number is an input.
    pub fn note_input(&mut self, val: Val, origin: Origin) {
        let (Some(_), Val::Sym(id)) = (&self.journal, val) else { return };
        let at = self.frames.last().map(|frame| (frame.func, frame.block, frame.inst));
        let var = Var { id: id.0, width: self.syms[&id].width };
        self.write_down(Entry::Input(Input { var, origin, at }));
    }

    /// A comparison holds on this path.
    pub fn note_condition(&mut self, op: CmpOp, width: u8, a: Val, b: Val) {
        self.note_any(&[(op, width, a, b)]);
    }

    /// One of some comparisons holds on this path.
    pub fn note_any(&mut self, conditions: &[(CmpOp, u8, Val, Val)]) {
        if self.journal.is_none() {
            return;
        }
        let terms = conditions
            .iter()
            .map(|&(op, width, a, b)| Some(comparison(op, self.term(a, width)?, self.term(b, width)?)));
        let Some(mut terms) = terms.collect::<Option<Vec<Term>>>() else { return };
        let term = if terms.len() == 1 { terms.pop() } else { Some(Term::Any(terms)) };
        self.write_down(Entry::Condition(term.expect("there is a condition")));
    }

    /// An unknown number is the result of an operation.
    pub fn note_result(&mut self, result: Val, op: BinOp, width: u8, a: Val, b: Val) {
        if self.journal.is_none() || !matches!(result, Val::Sym(_)) {
            return;
        }
        if let (Some(a), Some(b), Some(result)) =
            (self.term(a, width), self.term(b, width), self.term(result, width))
        {
            let term = Term::rel(BvRel::Eq, result, Term::op(operation(op), a, b));
            self.write_down(Entry::Condition(term));
        }
    }

    /// An unknown number is another one in another width.
    pub fn note_resized(&mut self, result: Val, source: SymId, to: u8, sign: bool) {
        if self.journal.is_none() || !matches!(result, Val::Sym(_)) {
            return;
        }
        let from = self.syms[&source].width;
        if let (Some(source), Some(result)) = (self.term(Val::Sym(source), from), self.term(result, to)) {
            let term = Term::rel(BvRel::Eq, result, source.resized(from, to, sign));
            self.write_down(Entry::Condition(term));
        }
    }
}

fn comparison(op: CmpOp, a: Term, b: Term) -> Term {
    match op {
        CmpOp::Eq => Term::rel(BvRel::Eq, a, b),
        CmpOp::Ne => Term::rel(BvRel::Eq, a, b).negated(),
        CmpOp::Ult => Term::rel(BvRel::Ult, a, b),
        CmpOp::Ule => Term::rel(BvRel::Ule, a, b),
        CmpOp::Ugt => Term::rel(BvRel::Ult, b, a),
        CmpOp::Uge => Term::rel(BvRel::Ule, b, a),
        CmpOp::Slt => Term::rel(BvRel::Slt, a, b),
        CmpOp::Sle => Term::rel(BvRel::Sle, a, b),
        CmpOp::Sgt => Term::rel(BvRel::Slt, b, a),
        CmpOp::Sge => Term::rel(BvRel::Sle, b, a),
    }
}

fn operation(op: BinOp) -> BvOp {
    match op {
        BinOp::Add => BvOp::Add,
        BinOp::Sub => BvOp::Sub,
        BinOp::Mul => BvOp::Mul,
        BinOp::UDiv => BvOp::UDiv,
        BinOp::SDiv => BvOp::SDiv,
        BinOp::URem => BvOp::URem,
        BinOp::SRem => BvOp::SRem,
        BinOp::Shl => BvOp::Shl,
        BinOp::LShr => BvOp::LShr,
        BinOp::AShr => BvOp::AShr,
        BinOp::And => BvOp::And,
        BinOp::Or => BvOp::Or,
        BinOp::Xor => BvOp::Xor,
    }
}
