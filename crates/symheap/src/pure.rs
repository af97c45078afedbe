//! The pure part of a state: inputs, conditions, the ranges that follow from them, a model that satisfies them.

use heapproof_confirm::{Input, Journal, Origin, Position};
use heapproof_ir::mask;
use heapproof_logic::{BvRel, Model, Name, Op, Sort, Term};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Ranges of bit vectors, without sign, that follow from the conditions of a path.
#[derive(Clone, Debug, Default)]
pub struct Ranges(Rc<BTreeMap<Term, (u128, u128)>>);

impl Ranges {
    /// The range of a term.
    pub fn of(&self, term: &Term) -> (u128, u128) {
        term.range_with(&|term| self.0.get(term).copied())
    }

    fn signed(&self, term: &Term) -> (i128, i128) {
        term.signed_range_with(&|term| self.0.get(term).copied())
    }

    /// Whether a condition holds, as far as ranges tell.
    pub fn decide(&self, condition: &Term) -> Option<bool> {
        if let Some(known) = condition.as_bool() {
            return Some(known);
        }
        let (op, args) = condition.as_op()?;
        match op {
            Op::Not => self.decide(&args[0]).map(|holds| !holds),
            Op::And => {
                let all: Vec<_> = args.iter().map(|arg| self.decide(arg)).collect();
                match () {
                    () if all.contains(&Some(false)) => Some(false),
                    () if all.iter().all(|one| *one == Some(true)) => Some(true),
                    () => None,
                }
            }
            Op::Or => {
                let all: Vec<_> = args.iter().map(|arg| self.decide(arg)).collect();
                match () {
                    () if all.contains(&Some(true)) => Some(true),
                    () if all.iter().all(|one| *one == Some(false)) => Some(false),
                    () => None,
                }
            }
            Op::Eq if args[0].sort().width().is_some() => {
                let (a, b) = (self.of(&args[0]), self.of(&args[1]));
                match () {
                    () if a.1 < b.0 || b.1 < a.0 => Some(false),
                    () if a == b && a.0 == a.1 => Some(true),
                    () => None,
                }
            }
            Op::Rel(rel @ (BvRel::Ult | BvRel::Ule)) => {
                let (a, b) = (self.of(&args[0]), self.of(&args[1]));
                ordered(rel == BvRel::Ult, a, b)
            }
            Op::Rel(rel) => {
                let (a, b) = (self.signed(&args[0]), self.signed(&args[1]));
                ordered(rel == BvRel::Slt, a, b)
            }
            _ => None,
        }
    }

    /// A condition holds from here on.
    fn learn(&mut self, condition: &Term, holds: bool) {
        let Some((op, args)) = condition.as_op() else { return };
        match (op, holds) {
            (Op::Not, _) => self.learn(&args[0], !holds),
            (Op::And, true) | (Op::Or, false) => args.iter().for_each(|arg| self.learn(arg, holds)),
            (Op::Eq, true) if args[0].sort().width().is_some() => {
                let (a, b) = (self.of(&args[0]), self.of(&args[1]));
                let both = (a.0.max(b.0), a.1.min(b.1));
                self.narrow(&args[0], both);
                self.narrow(&args[1], both);
            }
            (Op::Eq, false) if args[0].sort().width().is_some() => {
                self.exclude(&args[0], &args[1]);
                self.exclude(&args[1], &args[0]);
            }
            (Op::Rel(rel), _) => {
                let (strict, signed) =
                    (matches!(rel, BvRel::Ult | BvRel::Slt), matches!(rel, BvRel::Slt | BvRel::Sle));
                // Not (a < b) is b <= a.
                let (a, b) = if holds { (&args[0], &args[1]) } else { (&args[1], &args[0]) };
                let strict = strict == holds;
                if signed {
                    self.learn_signed(a, b, strict);
                } else {
                    let (x, y) = (self.of(a), self.of(b));
                    let step = u128::from(strict);
                    self.narrow(a, (0, y.1.saturating_sub(step)));
                    self.narrow(b, (x.0 + step, u128::MAX));
                }
            }
            _ => {}
        }
    }

    fn learn_signed(&mut self, a: &Term, b: &Term, strict: bool) {
        let (x, y) = (self.signed(a), self.signed(b));
        let step = i128::from(strict);
        self.narrow_signed(a, (x.0, x.1.min(y.1 - step)));
        self.narrow_signed(b, (y.0.max(x.0 + step), y.1));
    }

    /// A signed range is a range without sign if all of it has one sign.
    fn narrow_signed(&mut self, term: &Term, (low, high): (i128, i128)) {
        if low <= high && (low < 0) == (high < 0) {
            let top = mask(term.width());
            self.narrow(term, (low as u128 & top, high as u128 & top));
        }
    }

    /// Two terms differ: a bound of one may be no value of it.
    fn exclude(&mut self, term: &Term, other: &Term) {
        let ((low, high), (from, to)) = (self.of(term), self.of(other));
        if from != to {
            return;
        }
        if from == low && low < high {
            self.narrow(term, (low + 1, high));
        } else if from == high && low < high {
            self.narrow(term, (low, high - 1));
        }
    }

    fn narrow(&mut self, term: &Term, (low, high): (u128, u128)) {
        if term.is_constant() {
            return;
        }
        let (least, most) = self.of(term);
        let new = (low.max(least), high.min(most));
        if new.0 <= new.1 && new != (least, most) {
            Rc::make_mut(&mut self.0).insert(term.clone(), new);
            self.narrow_inside(term, new);
        }
    }

    /// What a range tells about the number inside an extension.
    fn narrow_inside(&mut self, term: &Term, (low, high): (u128, u128)) {
        match term.as_op() {
            Some((Op::ZeroExtend(_), args)) => {
                let top = mask(args[0].width());
                self.narrow(&args[0], (low.min(top), high.min(top)));
            }
            Some((Op::SignExtend(_), args)) if high <= mask(args[0].width()) >> 1 => {
                self.narrow(&args[0], (low, high));
            }
            _ => {}
        }
    }
}

fn ordered<T: Ord>(strict: bool, a: (T, T), b: (T, T)) -> Option<bool> {
    match strict {
        true if a.1 < b.0 => Some(true),
        true if a.0 >= b.1 => Some(false),
        false if a.1 <= b.0 => Some(true),
        false if a.0 > b.1 => Some(false),
        _ => None,
    }
}

/// What is known of numbers on a path.
#[derive(Clone, Debug)]
pub struct Pure {
    /// Inputs and conditions.
    pub journal: Journal,
    /// What follows from the conditions.
    pub ranges: Ranges,
    /// Satisfies all conditions, if there is one.
    pub model: Option<Rc<Model>>,
    /// How many variables there are.
    next: u64,
    /// What was decided in the instruction that is executed.
    decided: Vec<(Term, bool)>,
    /// The variables that the instruction made so far; executed again, it takes the same ones.
    made: Vec<Term>,
    taken: usize,
    /// The heap is restored before the instruction is executed again, so what is kept there is lost, too.
    pub restores: bool,
}

impl Default for Pure {
    fn default() -> Self {
        Pure {
            journal: Journal::default(),
            ranges: Ranges::default(),
            model: Some(Rc::default()),
            next: 0,
            decided: Vec::new(),
            made: Vec::new(),
            taken: 0,
            restores: false,
        }
    }
}

impl Pure {
    /// The next instruction begins.
    pub fn advance(&mut self) {
        if !self.decided.is_empty() || !self.made.is_empty() {
            self.decided.clear();
            self.made.clear();
        }
        self.taken = 0;
    }

    /// The instruction is executed again, with what was decided.
    pub fn again(&mut self) {
        self.taken = 0;
    }

    /// True if neither has read inputs or made variables since they were one.
    pub fn has_same_variables(&self, other: &Pure) -> bool {
        self.next == other.next
    }

    /// What the instruction decided so far about a condition.
    pub fn decided(&self, condition: &Term) -> Option<bool> {
        self.decided.iter().find(|(known, _)| known == condition).map(|(_, holds)| *holds)
    }

    /// A number that nothing is known of. It is an input if an origin is given. `kept` says that the state keeps it, so that the
    /// instruction, executed again, does not ask for it again.
    pub fn fresh(&mut self, width: u8, input: Option<(Origin, Option<Position>)>, kept: bool) -> Term {
        let again = !kept || self.restores;
        if again
            && let Some(var) = self.made.get(self.taken)
            && var.width() == width
        {
            self.taken += 1;
            return var.clone();
        }
        let name = Name::Numbered("v", self.next << 8 | u64::from(width));
        self.next += 1;
        let var = Term::var(name, Sort::Bits(width));
        if again {
            self.made.truncate(self.taken);
            self.made.push(var.clone());
            self.taken += 1;
        }
        if let Some((origin, at)) = input {
            self.journal.note_input(Input { var: var.clone(), origin, at });
        }
        var
    }

    /// A condition holds from here on; `model` satisfies it together with all others, if there is one.
    pub fn assume(&mut self, condition: &Term, model: Option<Rc<Model>>) {
        self.model = model;
        if condition.as_bool() == Some(true) {
            return;
        }
        self.ranges.learn(condition, true);
        self.journal.note_condition(condition.clone());
    }

    /// A decision of the instruction.
    pub fn note_decision(&mut self, condition: &Term, holds: bool) {
        self.decided.push((condition.clone(), holds));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn x() -> Term {
        Term::var("x", Sort::Bits(32))
    }

    fn number(n: i64) -> Term {
        Term::bits(n as u128, 32)
    }

    #[test]
    fn conditions_give_ranges() {
        let mut ranges = Ranges::default();
        ranges.learn(&Term::rel(BvRel::Sle, number(0), x()), true);
        ranges.learn(&Term::rel(BvRel::Slt, x(), number(10)), true);
        assert_eq!(ranges.of(&x()), (0, 9));
        let index = Term::bv(heapproof_logic::BvOp::Mul, x().resized(64, true), Term::bits(4, 64));
        assert_eq!(ranges.of(&index), (0, 36));
        assert_eq!(ranges.decide(&Term::rel(BvRel::Ult, index.clone(), Term::bits(37, 64))), Some(true));
        assert_eq!(ranges.decide(&Term::rel(BvRel::Ult, index, Term::bits(36, 64))), None);
        assert_eq!(ranges.decide(&Term::eq(x(), number(-1))), Some(false));
        ranges.learn(&Term::eq(x(), number(9)), false);
        assert_eq!(ranges.of(&x()), (0, 8));
    }

    #[test]
    fn negative_numbers_are_large_ones() {
        let mut ranges = Ranges::default();
        ranges.learn(&Term::rel(BvRel::Slt, x(), number(-5)), true);
        assert_eq!(ranges.decide(&Term::rel(BvRel::Slt, x(), number(0))), Some(true));
        assert_eq!(ranges.decide(&Term::rel(BvRel::Ult, number(7), x())), Some(true));
    }

    #[test]
    fn an_instruction_that_is_executed_again_reads_the_same_inputs() {
        let mut pure = Pure::default();
        let kept = pure.fresh(8, Some((Origin::Uninitialised, None)), true);
        let first = pure.fresh(8, Some((Origin::Call, None)), false);
        pure.again();
        assert_eq!(pure.fresh(8, Some((Origin::Call, None)), false), first);
        assert_ne!(first, kept);
        assert_eq!(pure.journal.inputs().len(), 2);
        pure.advance();
        assert_ne!(pure.fresh(8, Some((Origin::Call, None)), false), first);
    }
}
