//! Rows about the fields of blocks. The numbers of one block for each value of a field that the program asks about: the power domain of the
//! paper (section IV-C) over the states of a node. And the numbers of two blocks of which one leads to the other: lists in order.

use crate::choose::{Chooser, guarded, is_comparison};
use crate::combine::Alike;
use crate::domain::{Domain, Expr, Owner};
use crate::elements::relations;
use crate::plan::Key;
use crate::shape::transposed;
use crate::ssa::{LoopVar, Role, Site};
use crate::value::Value;
use heapproof_logic::{BvRel, Kind, Op, Sort, Term};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The most values of a field that are told apart.
const MOST_STATES: usize = 6;
/// The most fields whose values are told apart, in one loop.
const MOST_FIELDS: usize = 4;

impl Chooser<'_> {
    /// All rows about the fields of blocks.
    pub fn blocks(&self, domains: &mut Vec<Box<dyn Domain>>) {
        self.states(domains);
        self.neighbours(domains);
    }

    /// The numbers of a block for each state that it may be in.
    fn states(&self, domains: &mut Vec<Box<dyn Domain>>) {
        let mut fields: BTreeMap<Owner, Vec<&LoopVar>> = BTreeMap::new();
        for var in &self.l.vars {
            let is_number = matches!(var.role, Role::Number { .. });
            if let (Some(owner), true, Sort::Bits(2..=64)) = (var.owner, is_number, var.back.sort()) {
                fields.entry(owner).or_default().push(var);
            }
        }
        let asked = self.asked_values(fields.values().flatten().map(|var| var.phi.clone()).collect());
        for fields in fields.values().filter(|fields| fields.len() > 1) {
            let states = fields.iter().filter_map(|field| Some((field, asked.get(&field.phi)?)));
            for (state, values) in states.filter(|(_, v)| v.len() <= MOST_STATES).take(MOST_FIELDS) {
                let is = |value: &u128| Term::eq(state.phi.clone(), Term::bits(*value, state.phi.width()));
                let none = Term::and(values.iter().map(|value| Term::not(is(value))));
                for condition in values.iter().map(is).chain([none]) {
                    for other in fields.iter().filter(|other| other.phi != state.phi) {
                        let mut rows = Vec::new();
                        self.bounds(&other.phi, true, &mut rows);
                        let when = self.while_made(other, &condition);
                        domains.extend(rows.into_iter().map(|row| guarded(&Some(when.clone()), row)));
                    }
                }
            }
        }
    }

    /// A condition, where a field says something at all.
    fn while_made(&self, field: &LoopVar, condition: &Term) -> Expr {
        let expr = self.both(condition);
        match &field.when {
            None => expr,
            Some((back, end)) => Expr {
                name: format!("made, {}", expr.name),
                back: Term::and([back.clone(), expr.back]),
                end: Term::and([end.clone(), expr.end]),
            },
        }
    }

    /// The constants that the program compares numbers of the loop with, for equality.
    fn asked_values(&self, numbers: Vec<Term>) -> HashMap<Term, BTreeSet<u128>> {
        let positions: HashMap<Term, usize> =
            numbers.iter().enumerate().map(|(n, phi)| (phi.clone(), n)).collect();
        let mut asked: HashMap<Term, BTreeSet<u128>> = HashMap::new();
        let never = self.ssa.obligations.iter().map(|o| &o.bad);
        for node in Term::dag(self.ssa.conditions.iter().chain(never)) {
            if !matches!(node.kind(), Kind::Op(Op::Eq)) {
                continue;
            }
            for (term, other) in [(0, 1), (1, 0)].map(|(a, b)| (&node.args()[a], &node.args()[b])) {
                if let Some(value) = other.as_bits() {
                    let sources = self.sources(term, &positions);
                    let same = sources.iter().map(|n| &numbers[*n]).filter(|n| n.width() == term.width());
                    for number in same {
                        asked.entry(number.clone()).or_default().insert(value);
                    }
                }
            }
        }
        asked
    }

    /// The numbers of two blocks of which one leads to the other: which is less, which is not greater.
    fn neighbours(&self, domains: &mut Vec<Box<dyn Domain>>) {
        for site in self.ssa.sites.iter().filter(|site| site.witnesses.len() == 2) {
            let [u, w] = [site.witnesses[0], site.witnesses[1]];
            let rows = [(u, w), (w, u)].map(|(from, to)| self.neighbour_rows(site, from, to));
            let alike = transposed(rows.into_iter().collect());
            domains
                .extend(alike.into_iter().map(|choices| -> Box<dyn Domain> { Box::new(Alike { choices }) }));
        }
    }

    fn neighbour_rows(&self, site: &Site, from: u32, to: u32) -> Vec<Box<dyn Domain>> {
        let mut rows = Vec::new();
        for link in &site.links {
            let leads = self.leads(from, *link, to);
            if leads.as_bool() == Some(false) {
                continue;
            }
            for (key, value) in &self.l.state {
                let Key::Cell(obj, off, len) = *key else { continue };
                let Value::Int(x) = value else { continue };
                let Some(Value::Int(y)) = self.l.state.get(&Key::Cell(to, off, len)) else { continue };
                if obj != from || !matches!(x.sort(), Sort::Bits(2..=64)) || x.sort() != y.sort() {
                    continue;
                }
                let (x, y) = (self.both(x), self.both(y));
                let mut inner = Vec::new();
                for signed in self.signs(x.back.width()) {
                    relations(&x, &y, signed, &mut inner);
                }
                let claims = inner.into_iter().map(|inner| self.row(site, &[from, to], leads.clone(), inner));
                rows.extend(claims);
            }
        }
        rows
    }

    /// How the program compares numbers of a width: with sign, without, or both.
    fn signs(&self, width: u8) -> Vec<bool> {
        let mut found = BTreeSet::new();
        for node in Term::dag(self.ssa.conditions.iter()).into_iter().filter(is_comparison) {
            if node.args()[0].sort() == &Sort::Bits(width)
                && let Kind::Op(Op::Rel(rel)) = node.kind()
            {
                found.insert(matches!(rel, BvRel::Slt | BvRel::Sle));
            }
        }
        found.into_iter().collect()
    }
}
