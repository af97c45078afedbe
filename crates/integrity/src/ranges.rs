//! Numbers: the least and the greatest value that they may have, as far as the path and the facts at loop heads tell.
//!
//! A number of some bits stands for its value with sign. Ranges decide which elements of an array an index may mean.

use crate::exec::Next;
use crate::facts::{Facts, Shape};
use crate::state::*;
use crate::{Analysis, Stop};
use heapproof_chr::syntax::{Comparison, Formula, Term};
use heapproof_ir::inst::{CmpOp, Operand};
use heapproof_ir::{BinOp, Body, InstKind, Reg, Terminator, Ty, sign_extend};

/// The least and the greatest value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The least value.
    pub low: i128,
    /// The greatest value.
    pub high: i128,
}

/// An index that may have so many values is looked at in as many cases.
const MOST_CASES: i128 = 8;

impl Range {
    /// One value.
    pub fn exactly(n: i128) -> Range {
        Range { low: n, high: n }
    }

    /// All numbers of so many bits.
    fn of_width(width: u8) -> Range {
        let half = 1i128 << (width.clamp(1, 64) - 1);
        Range { low: -half, high: half - 1 }
    }

    fn is_within(self, other: Range) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    fn is_empty(self) -> bool {
        self.low > self.high
    }

    /// The value, if there is only one.
    pub fn value(self) -> Option<i128> {
        (self.low == self.high).then_some(self.low)
    }

    /// How many values there are.
    fn count(self) -> i128 {
        self.high - self.low + 1
    }
}

impl State {
    /// The range of a number, if something is known of it.
    pub fn range(&self, s: Sym) -> Option<Range> {
        match s.var {
            None => Some(Range::exactly(s.offset)),
            Some(_) => self.ranges.get(&s).copied(),
        }
    }

    /// A number lies in a range as well; false if that cannot be.
    fn narrow(&mut self, s: Sym, to: Range) -> bool {
        let now = self.range(s).unwrap_or(to);
        let both = Range { low: now.low.max(to.low), high: now.high.min(to.high) };
        if s.var.is_some() && !both.is_empty() {
            self.ranges.insert(s, both);
        }
        !both.is_empty()
    }
}

impl Analysis<'_> {
    /// The path goes on where a formula holds: what it says of numbers. False if that cannot be.
    pub(crate) fn learn_range(&self, state: &mut State, formula: &Formula) -> bool {
        let Some((s, op, n)) = about_number(formula) else { return true };
        let compared = self.comparisons.get(&s).copied();
        match (op, compared) {
            (Comparison::Equal, Some(of)) if n == 0 => compared_as(state, of, false),
            (Comparison::Differs, Some(of)) if n == 0 => compared_as(state, of, true),
            (Comparison::Equal, _) => state.narrow(s, Range::exactly(n)),
            (Comparison::Differs, _) => match state.range(s) {
                Some(Range { low, high }) if low == n => state.narrow(s, Range { low: n + 1, high }),
                Some(Range { low, high }) if high == n => state.narrow(s, Range { low, high: n - 1 }),
                _ => true,
            },
            _ => true,
        }
    }

    /// The range of a result of arithmetic that does not wrap.
    pub(crate) fn computed_range(
        &self,
        state: &State,
        op: BinOp,
        width: u8,
        a: Sym,
        b: Sym,
    ) -> Option<Range> {
        if width > 64 {
            return None;
        }
        let all = Range::of_width(width);
        let known = |s: Sym| state.range(s).filter(|r| r.is_within(all));
        let (x, y) = (known(a).unwrap_or(all), known(b).unwrap_or(all));
        let result = match op {
            BinOp::Add => Range { low: x.low + y.low, high: x.high + y.high },
            BinOp::Sub => Range { low: x.low - y.high, high: x.high - y.low },
            BinOp::Mul => {
                let ends = [x.low * y.low, x.low * y.high, x.high * y.low, x.high * y.high];
                Range { low: *ends.iter().min()?, high: *ends.iter().max()? }
            }
            // The bits of what is not negative.
            BinOp::And if x.low >= 0 || y.low >= 0 => {
                let high = [x, y].iter().filter(|r| r.low >= 0).map(|r| r.high).min()?;
                Range { low: 0, high }
            }
            BinOp::URem if y.low > 0 => Range { low: 0, high: y.high - 1 },
            BinOp::SRem if y.low > 0 => {
                Range { low: if x.low >= 0 { 0 } else { 1 - y.high }, high: y.high - 1 }
            }
            BinOp::LShr => {
                let by = y.value().filter(|by| (1..i128::from(width)).contains(by))?;
                Range { low: 0, high: (1i128 << (i128::from(width) - by)) - 1 }
            }
            _ => return None,
        };
        (result.is_within(all) && result != all).then_some(result)
    }

    /// A state for each value of an index; none if there are too many, or if there is only one.
    pub(crate) fn split_index(&mut self, state: &State, index: Sym) -> Option<Next> {
        let range = state.range(index).filter(|r| (2..=MOST_CASES).contains(&r.count()))?;
        let mut states = Vec::new();
        for n in range.low..=range.high {
            let mut one = state.clone();
            let number = Sym { var: None, offset: n };
            if self.learn(&mut one, &equal(index, number)) {
                one.ranges.insert(index, Range::exactly(n));
                states.push(one);
            }
        }
        Some(Next::Again(states))
    }

    /// Ranges of variables at a loop head: they grow until they hold.
    pub(crate) fn range_facts(
        &mut self,
        body: &Body,
        shape: &Shape,
        live: &[Reg],
        state: &mut State,
        known: &mut Facts,
        first: bool,
    ) -> Result<(), Stop> {
        for &reg in live {
            let Ty::Int(width) = body.regs[reg].ty else { continue };
            let now = match self.eval(state, &Operand::Reg(reg))? {
                Value::Sym(s, _) if (2..=64).contains(&width) => state.range(s),
                _ => None,
            };
            let before = known.ranges.get(&reg).copied();
            let (Some(now), true) = (now, first || before.is_some()) else {
                known.ranges.remove(&reg);
                continue;
            };
            let before = before.unwrap_or(now);
            if fault!(53) && !first {
                continue;
            }
            let all = Range::of_width(width);
            let low = match now.low < before.low {
                true => shape.thresholds.iter().rev().copied().find(|t| *t <= now.low).unwrap_or(all.low),
                false => before.low,
            };
            let high = match now.high > before.high {
                true => shape.thresholds.iter().copied().find(|t| *t >= now.high).unwrap_or(all.high),
                false => before.high,
            };
            let grown = Range { low: low.max(all.low), high: high.min(all.high) };
            if grown == all {
                known.ranges.remove(&reg);
            } else {
                known.ranges.insert(reg, grown);
            }
        }
        known.ranges.retain(|reg, _| live.contains(reg));
        Ok(())
    }
}

/// A comparison turned out like this.
fn compared_as(state: &mut State, (op, width, a, b): Compared, holds: bool) -> bool {
    let all = Range::of_width(width);
    let known = |state: &State, s: Sym| state.range(s).unwrap_or(all);
    let (x, y) = (known(state, a), known(state, b));
    match (op, holds) {
        (CmpOp::Slt, true) => {
            state.narrow(a, Range { low: x.low, high: y.high - 1 })
                && state.narrow(b, Range { low: x.low + 1, high: y.high })
        }
        (CmpOp::Slt, false) => {
            state.narrow(a, Range { low: y.low, high: x.high })
                && state.narrow(b, Range { low: y.low, high: x.high })
        }
        // Without sign: what is below a number that is not negative is not negative either.
        (CmpOp::Ult, true) if y.low >= 0 => {
            let low = x.low.max(0);
            state.narrow(a, Range { low: 0, high: y.high - 1 })
                && (x.low < 0 || state.narrow(b, Range { low: low + 1, high: y.high }))
        }
        (CmpOp::Ult, false) if x.low >= 0 => {
            state.narrow(b, Range { low: 0, high: x.high })
                && (y.low < 0 || state.narrow(a, Range { low: y.low, high: x.high }))
        }
        _ => true,
    }
}

/// A comparison: its kind, the number of bits, and what is compared.
pub(crate) type Compared = (CmpOp, u8, Sym, Sym);

/// `s = n` or `s != n`.
fn about_number(formula: &Formula) -> Option<(Sym, Comparison, i128)> {
    match formula {
        Formula::Compare(op, Term::Var(name), Term::Int(n)) => {
            let var = name.strip_prefix('v')?.parse().ok()?;
            Some((Sym { var: Some(var), offset: 0 }, *op, *n))
        }
        Formula::Not(inner) => {
            let (s, op, n) = about_number(inner)?;
            let op = match op {
                Comparison::Equal => Comparison::Differs,
                Comparison::Differs => Comparison::Equal,
                _ => return None,
            };
            Some((s, op, n))
        }
        _ => None,
    }
}

/// The numbers that a function compares with, and their neighbours, in order.
pub(crate) fn thresholds(body: &Body) -> Vec<i128> {
    let mut found = vec![0];
    let mut add = |bits: u128, width: u8| {
        let n = sign_extend(bits, width);
        found.extend([n - 1, n, n + 1]);
    };
    for block in body.blocks.values() {
        for inst in &block.insts {
            if let InstKind::Cmp { a, b, .. } = &inst.kind {
                for operand in [a, b] {
                    if let Operand::Int { bits, width } = operand {
                        add(*bits, *width);
                    }
                }
            }
        }
        if let Terminator::Switch { width, cases, .. } = &block.term {
            cases.iter().for_each(|(case, _)| add(*case, *width));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
