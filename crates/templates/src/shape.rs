//! Rows about several witnesses of one allocation at once: which block leads to which, and where their links were last written.
//!
//! Where a program moves blocks between lists, the place of the last write to a block's link (its *tag*) tells the lists apart, as the
//! symbolic loop paths of the paper do (section IV-C), but block by block. A row says, for blocks `u`, `v`, `w` of one allocation: a pointer that
//! leads to `w`, or a link from `u` to `w`, tells something about tags; a tag tells something about the numbers in a block.

use crate::choose::{Chooser, Dim, MOVES, Unfold, bounds, unfolded};
use crate::combine::{Alike, Guarded};
use crate::domain::{Domain, Holds, OneOf, Owner};
use crate::elements::relations;
use crate::plan::Key;
use crate::ssa::{Kind, Obligation, Site};
use crate::value::{Value, obj_term};
use heapproof_logic::{Op, Sort, Term};
use std::collections::{BTreeSet, HashMap};

/// With more tags nothing is said.
const MOST_TAGS: usize = 6;
/// The most pointers whose targets are spoken about.
const MOST_POINTERS: usize = 8;
/// The most numbers that fields are compared with.
const MOST_NUMBERS: usize = 6;
/// The most parts of a condition that must not hold.
const MOST_PARTS: usize = 24;
/// The largest condition that is considered.
const LARGEST: usize = 400;

/// What must hold of the fields of one block, in terms of variables that stand for them.
struct Clause {
    claim: Term,
    fields: Vec<(Term, Key)>,
}

impl Chooser<'_> {
    /// All rows about the blocks of an allocation.
    pub fn shapes(&self, domains: &mut Vec<Box<dyn Domain>>) {
        for site in &self.ssa.sites {
            let tags = self.tags(site);
            if site.links.is_empty() || tags.len() < 2 || tags.len() > MOST_TAGS || site.witnesses.len() < 3 {
                continue;
            }
            let mut rows: Vec<Vec<Box<dyn Domain>>> = Vec::new();
            for choice in choices(&site.witnesses) {
                let mut here = Vec::new();
                self.pointer_rows(site, choice, &mut here);
                self.link_rows(site, choice, &tags, &mut here);
                if self.ssa.is_about_memory {
                    self.life_rows(site, choice[0], &tags, &mut here);
                } else {
                    self.number_rows(site, choice[0], &tags, &mut here);
                }
                rows.push(here);
            }
            domains.extend(
                transposed(rows)
                    .into_iter()
                    .map(|choices| -> Box<dyn Domain> { Box::new(Alike { choices }) }),
            );
        }
    }

    /// The tags that blocks of an allocation may have.
    fn tags(&self, site: &Site) -> BTreeSet<u8> {
        let mut tags = BTreeSet::from([0]);
        let mut seen = BTreeSet::new();
        let at_heads = self.ssa.loops.iter().flat_map(|l| {
            let of_vars = l.vars.iter().filter(|v| v.owner.is_some_and(|(rest, _)| rest == site.rest));
            of_vars.filter(|v| matches!(v.key, Key::Tag(_))).map(|v| v.latch.clone())
        });
        let mut stack: Vec<Term> = at_heads.collect();
        while let Some(term) = stack.pop() {
            if !seen.insert(term.clone()) {
                continue;
            }
            if let Some(bits) = term.as_bits() {
                tags.insert(bits as u8);
            } else if let Some(definition) = self.definitions.get(&term) {
                stack.push(definition.clone());
            } else if matches!(term.kind(), heapproof_logic::Kind::Op(Op::Ite)) {
                stack.extend(term.args()[1..].iter().cloned());
            }
        }
        tags
    }

    /// The condition that a witness was made.
    fn made(&self, obj: u32) -> Term {
        match self.l.state.get(&Key::Made(obj)) {
            Some(Value::Int(bit)) => Term::eq(bit.clone(), Term::bits(1, 1)),
            _ => Term::truth(false),
        }
    }

    fn tag(&self, obj: u32) -> Term {
        match self.l.state.get(&Key::Tag(obj)) {
            Some(Value::Int(tag)) => tag.clone(),
            _ => Term::bits(0, 8),
        }
    }

    /// The condition that a link of one block leads to another.
    pub fn leads(&self, from: u32, (off, len): (u64, u64), to: u32) -> Term {
        match self.l.state.get(&Key::Cell(from, off, len)) {
            Some(Value::Ptr(p)) => Term::and([p.is(to), self.made(from), self.made(to)]),
            _ => Term::truth(false),
        }
    }

    /// Pointers of the program that may lead to blocks of an allocation.
    fn pointers(&self, site: &Site) -> Vec<Key> {
        let leads = |(key, value): (&Key, &Value)| match (key, value) {
            (Key::Reg(..), Value::Ptr(p)) if site.witnesses.iter().all(|w| p.may_be(*w)) => Some(*key),
            _ => None,
        };
        let mut seen = BTreeSet::new();
        let is_new = |key: &Key| match &self.l.state[key] {
            Value::Ptr(p) => seen.insert(p.obj.clone()),
            Value::Int(_) => false,
        };
        self.l.state.iter().filter_map(leads).filter(is_new).take(MOST_POINTERS).collect()
    }

    /// The condition that a pointer of the program leads to a block.
    fn is(&self, pointer: Key, to: u32) -> Term {
        match self.l.state.get(&pointer) {
            Some(Value::Ptr(p)) => Term::and([p.is(to), self.made(to)]),
            _ => Term::truth(false),
        }
    }

    /// A row that holds where some condition does.
    pub fn row(&self, site: &Site, witnesses: &[u32], when: Term, inner: Box<dyn Domain>) -> Box<dyn Domain> {
        let owners: BTreeSet<Owner> = witnesses.iter().map(|w| (site.rest, *w)).collect();
        Box::new(Guarded { when: Some(self.both(&when)), owners: Some(owners), inner })
    }

    /// The tag of a block is one of a few.
    fn one_tag(&self, of: u32) -> Box<dyn Domain> {
        let expr = self.both(&self.tag(of));
        Box::new(OneOf { expr, values: BTreeSet::new(), most: MOST_TAGS - 1 })
    }

    /// What a pointer of the program tells about the tag of its block, and of blocks that lead to that.
    fn pointer_rows(&self, site: &Site, [w, u, _]: [u32; 3], rows: &mut Vec<Box<dyn Domain>>) {
        for pointer in self.pointers(site) {
            let is = self.is(pointer, w);
            rows.push(self.row(site, &[w], is.clone(), self.one_tag(w)));
            for link in &site.links {
                let when = Term::and([is.clone(), self.leads(u, *link, w)]);
                rows.push(self.row(site, &[u, w], when, self.one_tag(u)));
            }
        }
    }

    /// What a link tells about the tags of both blocks, and of another that leads to the same block.
    fn link_rows(
        &self,
        site: &Site,
        [w, u, v]: [u32; 3],
        tags: &BTreeSet<u8>,
        rows: &mut Vec<Box<dyn Domain>>,
    ) {
        for (link, tag) in site.links.iter().flat_map(|link| tags.iter().map(move |tag| (link, tag))) {
            let has = Term::eq(self.tag(u), Term::bits(u128::from(*tag), 8));
            let when = Term::and([self.leads(u, *link, w), has]);
            rows.push(self.row(site, &[u, w], when.clone(), self.one_tag(w)));
            let when = Term::and([when, self.leads(v, *link, w)]);
            rows.push(self.row(site, &[u, v, w], when, self.one_tag(v)));
        }
    }

    /// What a tag tells about the numbers in a block.
    fn number_rows(&self, site: &Site, w: u32, tags: &BTreeSet<u8>, rows: &mut Vec<Box<dyn Domain>>) {
        let clauses = self.clauses(site, w);
        for tag in tags {
            let has = Term::eq(self.tag(w), Term::bits(u128::from(*tag), 8));
            let when = Term::and([self.made(w), has]);
            let mut inner: Vec<Box<dyn Domain>> = Vec::new();
            for (expr, signed) in self.fields_of(w) {
                self.bounds(&expr, signed, &mut inner);
                self.relations(&expr, signed, &mut inner);
            }
            let claims = clauses.iter().filter_map(|clause| self.placed(clause));
            inner.extend(claims.map(|claim| self.holds(&claim)));
            rows.extend(inner.into_iter().map(|inner| self.row(site, &[w], when.clone(), inner)));
        }
    }

    /// What a tag tells about the life of a block.
    fn life_rows(&self, site: &Site, w: u32, tags: &BTreeSet<u8>, rows: &mut Vec<Box<dyn Domain>>) {
        let Some(Value::Int(life)) = self.l.state.get(&Key::Live(w)) else { return };
        for tag in tags {
            let has = Term::eq(self.tag(w), Term::bits(u128::from(*tag), 8));
            let lives = OneOf { expr: self.both(life), values: BTreeSet::new(), most: 1 };
            rows.push(self.row(site, &[w], Term::and([self.made(w), has]), Box::new(lives)));
        }
    }

    fn holds(&self, claim: &Term) -> Box<dyn Domain> {
        Box::new(Holds { expr: self.both(claim), claimed: true, seen: false })
    }

    /// The numbers in a block at the head of the loop.
    fn fields_of(&self, obj: u32) -> Vec<(Term, bool)> {
        let number = |(key, value): (&Key, &Value)| match (key, value) {
            (Key::Cell(of, ..), Value::Int(term)) if *of == obj => Some((term.clone(), true)),
            _ => None,
        };
        let all = self.l.state.iter().filter_map(number);
        all.filter(|(term, _)| matches!(term.sort(), Sort::Bits(2..=64))).collect()
    }

    /// Bounds on a number at the head of the loop.
    pub fn bounds(&self, term: &Term, signed: bool, rows: &mut Vec<Box<dyn Domain>>) {
        rows.extend(bounds(&self.both(term), signed, self.thresholds, MOVES.1));
    }

    /// A field and the numbers of the program that are no fields: which is less, which is not greater.
    fn relations(&self, field: &Term, signed: bool, rows: &mut Vec<Box<dyn Domain>>) {
        let is_neutral = |d: &&Dim| d.expr.back.vars().iter().all(|v| self.neutral.contains(v));
        let numbers = self.dims.iter().filter(is_neutral);
        let numbers = numbers.filter(|d| d.expr.back.width() == field.width() && d.expr.back != *field);
        let field = self.both(field);
        for other in numbers.take(MOST_NUMBERS) {
            relations(&field, &other.expr, signed, rows);
        }
    }

    /// A clause about the fields as they are at the head of this loop.
    fn placed(&self, clause: &Clause) -> Option<Term> {
        let mut replace = HashMap::new();
        for (var, key) in &clause.fields {
            let Some(Value::Int(term)) = self.l.state.get(key) else { return None };
            replace.insert(var.clone(), term.clone());
        }
        Some(clause.claim.substituted(&replace)).filter(|claim| !claim.is_constant())
    }

    /// What must not happen, read as a condition on the fields of one block that a pointer leads to.
    fn clauses(&self, site: &Site, witness: u32) -> Vec<Clause> {
        let pointers: BTreeSet<&Term> =
            self.ssa.derefs.iter().filter(|d| d.rest == site.rest).map(|d| &d.pointer).collect();
        let here: HashMap<Term, Term> =
            pointers.into_iter().filter(|p| p.is_var()).map(|p| (p.clone(), obj_term(witness))).collect();
        let mut fields: HashMap<Term, Key> = HashMap::new();
        for l in &self.ssa.loops {
            for (key, value) in &l.state {
                if let (Key::Cell(obj, ..), Value::Int(term)) = (key, value)
                    && *obj == witness
                    && term.is_var()
                {
                    fields.insert(term.clone(), *key);
                }
            }
        }
        let is_error = |o: &&Obligation| matches!(o.kind, Kind::Error(..));
        let mut clauses: Vec<Clause> = Vec::new();
        for obligation in self.ssa.obligations.iter().filter(is_error) {
            if let Some(clause) = self.clause(&obligation.bad, &here, &fields)
                && clauses.iter().all(|known| known.claim != clause.claim)
            {
                clauses.push(clause);
            }
        }
        clauses
    }

    fn clause(&self, bad: &Term, here: &HashMap<Term, Term>, fields: &HashMap<Term, Key>) -> Option<Clause> {
        let first = self.ssa.loops.first().map_or(0, |l| l.before);
        let mut parts = Vec::new();
        let mut kept = Vec::new();
        let mut used: BTreeSet<Term> = BTreeSet::new();
        self.conjuncts(bad, &mut parts);
        for part in parts.into_iter().take(MOST_PARTS) {
            let Some(part) = self.specialised(&part, here, fields) else { continue };
            let vars = part.vars();
            let is_known = |v: &Term| fields.contains_key(v) || self.ssa.number(v) <= Some(first);
            if !part.is_constant() && vars.iter().all(is_known) && vars.iter().any(|v| fields.contains_key(v))
            {
                used.extend(vars.into_iter().filter(|v| fields.contains_key(v)));
                kept.push(part);
            }
        }
        let claim = Term::not(Term::and(kept));
        let fields = used.into_iter().map(|var| (var.clone(), fields[&var])).collect();
        (!claim.is_constant()).then_some(Clause { claim, fields })
    }

    /// The parts of a conjunction, through the names of guards.
    fn conjuncts(&self, term: &Term, parts: &mut Vec<Term>) {
        let mut stack = vec![term.clone()];
        let mut seen = BTreeSet::new();
        while let Some(term) = stack.pop() {
            if seen.len() > LARGEST || !seen.insert(term.clone()) {
                continue;
            }
            match (term.kind(), self.definitions.get(&term)) {
                (heapproof_logic::Kind::Op(Op::And), _) => stack.extend(term.args().iter().cloned()),
                (_, Some(definition)) if self.ssa.loops.iter().all(|l| l.guard != term) => {
                    stack.push(definition.clone());
                }
                _ => parts.push(term),
            }
        }
    }

    /// A condition in terms of fields of one block, where some pointers lead to it.
    fn specialised(
        &self,
        term: &Term,
        here: &HashMap<Term, Term>,
        fields: &HashMap<Term, Key>,
    ) -> Option<Term> {
        unfolded(term.substituted(here), LARGEST, |var| match self.definitions.get(var) {
            Some(definition) if !fields.contains_key(var) => Unfold::Into(definition.substituted(here)),
            _ => Unfold::Keep,
        })
    }
}

/// All ways to choose three of some witnesses, in order.
fn choices(witnesses: &[u32]) -> Vec<[u32; 3]> {
    let mut all = Vec::new();
    for w in witnesses {
        for u in witnesses.iter().filter(|u| *u != w) {
            all.extend(witnesses.iter().filter(|v| *v != w && *v != u).map(|v| [*w, *u, *v]));
        }
    }
    all
}

/// The rows of all choices, row by row. Choices that lack some are left out.
pub fn transposed(rows: Vec<Vec<Box<dyn Domain>>>) -> Vec<Vec<Box<dyn Domain>>> {
    let count = rows.first().map_or(0, Vec::len);
    let mut all: Vec<Vec<Box<dyn Domain>>> = (0..count).map(|_| Vec::new()).collect();
    for choice in rows.into_iter().filter(|choice| choice.len() == count) {
        all.iter_mut().zip(choice).for_each(|(row, domain)| row.push(domain));
    }
    all
}
