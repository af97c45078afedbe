//! What is remembered of a path without abstraction: the inputs that were read and the conditions on them.
//!
//! A symbol is a variable of the same number. What the graph does with symbols beyond ranges (products, remainders, …)
//! is written down as a term, so that a solver can tell which inputs take the path. A symbol without a condition is
//! free: then the solver may be too generous, and the replay decides.

use crate::graph::{State, SymId, Val};
pub use heapproof_confirm::{Input, Journal, Origin};
use heapproof_ir::{BinOp, CmpOp};
use heapproof_logic::{BvOp, BvRel, MAX_WIDTH, Name, Sort, Term};

impl State {
    /// A number as a term.
    fn term(&self, val: Val, width: u8) -> Option<Term> {
        match val {
            Val::Int(number) if (1..=MAX_WIDTH).contains(&width) => Some(Term::bits(number, width)),
            Val::Sym(id) if self.syms[&id].width == width => self.variable(id),
            Val::Int(_) | Val::Sym(_) | Val::Addr(_) | Val::Func(_) => None,
        }
    }

    /// The variable that stands for a symbol.
    fn variable(&self, id: SymId) -> Option<Term> {
        let width = self.syms[&id].width;
        let fits = (1..=MAX_WIDTH).contains(&width);
        fits.then(|| Term::var(Name::Numbered("v", id.0.into()), Sort::Bits(width)))
    }

    fn write_down(&mut self, condition: Term) {
        if let Some(journal) = &mut self.journal {
            journal.note_condition(condition);
        }
    }

    /// An unknown number is an input.
    pub fn note_input(&mut self, val: Val, origin: Origin) {
        let (Some(_), Val::Sym(id)) = (&self.journal, val) else { return };
        let Some(var) = self.variable(id) else { return };
        let at = self.frames.last().map(|frame| (frame.func, frame.block, frame.inst));
        if let Some(journal) = &mut self.journal {
            journal.note_input(Input { var, origin, at });
        }
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
        let Some(terms) = terms.collect::<Option<Vec<Term>>>() else { return };
        self.write_down(Term::or(terms));
    }

    /// An unknown number is the result of an operation.
    pub fn note_result(&mut self, result: Val, op: BinOp, width: u8, a: Val, b: Val) {
        if self.journal.is_none() || !matches!(result, Val::Sym(_)) {
            return;
        }
        if let (Some(a), Some(b), Some(result)) =
            (self.term(a, width), self.term(b, width), self.term(result, width))
        {
            let term = Term::eq(result, Term::bv(operation(op), a, b));
            self.write_down(term);
        }
    }

    /// An unknown number is another one in another width.
    pub fn note_resized(&mut self, result: Val, source: SymId, to: u8, sign: bool) {
        if self.journal.is_none() || !matches!(result, Val::Sym(_)) {
            return;
        }
        let from = self.syms[&source].width;
        if let (Some(source), Some(result)) = (self.term(Val::Sym(source), from), self.term(result, to)) {
            let term = Term::eq(result, source.resized(to, sign));
            self.write_down(term);
        }
    }
}

fn comparison(op: CmpOp, a: Term, b: Term) -> Term {
    match op {
        CmpOp::Eq => Term::eq(a, b),
        CmpOp::Ne => Term::ne(a, b),
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
