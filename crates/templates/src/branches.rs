//! Rows for each branch of a loop on its own: the power domain of the paper (section IV-C), over conditions of the program instead of whole
//! symbolic paths (its footnote 8). A condition and its opposite at the head of the loop guard one copy of the rows each.

use crate::choose::{Chooser, Dim, MOVES, bounds, guarded, is_comparison};
use crate::domain::{Domain, Expr, LowBits, OneOf};
use heapproof_logic::{BvOp, Kind, Op, Sort, Term};
use std::collections::BTreeSet;

/// The most conditions that tell branches apart.
const MOST_BRANCHES: usize = 6;
/// The largest divisor whose remainders are told apart.
const MOST_REMAINDERS: u128 = 32;

impl Chooser<'_> {
    /// One copy of the rows for each branch.
    pub fn branches(&self, domains: &mut Vec<Box<dyn Domain>>) {
        for condition in self.deciding() {
            for condition in [condition.clone(), Term::not(condition)] {
                let when = Some(self.both(&condition));
                let mut rows: Vec<Box<dyn Domain>> = Vec::new();
                for dim in self.plain() {
                    rows.extend(bounds(&dim.expr, dim.signed, self.thresholds, MOVES.0));
                    rows.push(Box::new(LowBits { expr: dim.expr.clone(), known: None }));
                }
                self.equations(&mut rows);
                self.orders(&mut rows);
                self.remainders(&mut rows);
                domains.extend(rows.into_iter().map(|row| guarded(&when, row)));
            }
        }
    }

    /// Numbers that the loop changes, in no heap block.
    fn plain(&self) -> impl Iterator<Item = &Dim> {
        self.dims.iter().filter(|d| d.changes && d.when.is_none())
    }

    /// Comparisons of numbers at the head that the program makes: of each with its opposite, one.
    fn deciding(&self) -> Vec<Term> {
        let mut found: Vec<Term> = Vec::new();
        for node in Term::dag(self.conditions.iter()) {
            let is_number = |term: &Term| matches!(term.sort(), Sort::Bits(2..=64));
            let is_plain = |v: &Term| self.neutral.contains(v) || self.l.vars.iter().any(|x| x.phi == *v);
            if is_comparison(&node)
                && node.args().iter().all(is_number)
                && node.vars().iter().all(is_plain)
                && !found.contains(&Term::not(node.clone()))
            {
                found.push(node);
            }
        }
        found.truncate(MOST_BRANCHES);
        found
    }

    /// Remainders by the divisors of the program.
    pub fn remainders(&self, rows: &mut Vec<Box<dyn Domain>>) {
        for (divisor, signed, width) in self.divisors() {
            let same = self.plain().filter(|d| d.expr.back.width() == width);
            for dim in same {
                let op = if signed { BvOp::SRem } else { BvOp::URem };
                let rest = |term: &Term| Term::bv(op, term.clone(), Term::bits(divisor, width));
                let expr = Expr {
                    name: format!("{} % {divisor}", dim.expr.name),
                    back: rest(&dim.expr.back),
                    end: rest(&dim.expr.end),
                };
                let most = divisor as usize - 1;
                rows.push(Box::new(OneOf { expr, values: BTreeSet::new(), most }));
            }
        }
    }

    /// Constants that the program divides by for a remainder; powers of two are for the low bits.
    fn divisors(&self) -> BTreeSet<(u128, bool, u8)> {
        let mut found = BTreeSet::new();
        let terms = self.ssa.definitions.iter().map(|(_, term)| term).chain(&self.ssa.conditions);
        for node in Term::dag(terms) {
            let signed = match node.kind() {
                Kind::Op(Op::Bv(BvOp::URem)) => false,
                Kind::Op(Op::Bv(BvOp::SRem)) => true,
                _ => continue,
            };
            if let Some(divisor) = node.args()[1].as_bits()
                && (2..=MOST_REMAINDERS).contains(&divisor)
                && (signed || !divisor.is_power_of_two())
            {
                found.insert((divisor, signed, node.width()));
            }
        }
        found
    }
}
