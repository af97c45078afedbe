//! Formulas that may be invariants of a loop: from the contract, the guard, and what loops over lists and arrays usually keep.
//!
//! Nothing here has to be true: what does not hold is thrown away later.

use super::site::{Cursor, Site, conjuncts};
use crate::annotation::{BinaryOp, Clause, ClauseKind, Expr, ExprKind, FieldRef, Predicate};
use crate::typed::link_field;
use heapproof_ir::{Program, TypeId};
use std::collections::BTreeSet;

/// Predicates inside each other.
const DEEPEST: u32 = 20;
/// The most candidates of a loop.
const MOST: usize = 400;

/// A list that the contract speaks of.
struct Chain {
    head: String,
    field: FieldRef,
    owner: TypeId,
}

/// What a contract speaks of.
pub struct Speech {
    requires: Vec<Expr>,
    ensures: Vec<Expr>,
    chains: Vec<Chain>,
    /// What lists end at.
    stops: Vec<String>,
    /// Fields that are looked at, without the links.
    fields: Vec<String>,
}

impl Speech {
    /// Of the clauses of a contract.
    pub fn new(program: &Program, clauses: &[Clause], predicates: &[Predicate]) -> Speech {
        let mut speech = Speech {
            requires: Vec::new(),
            ensures: Vec::new(),
            chains: Vec::new(),
            stops: vec!["NULL".to_owned()],
            fields: Vec::new(),
        };
        for clause in clauses {
            let whole = expanded(&clause.expr, predicates, DEEPEST);
            let bound = bound_names(&whole);
            let is_free = |expr: &Expr| {
                expr.parts().iter().all(|part| match &part.kind {
                    ExprKind::Name(name) => !bound.contains(name),
                    ExprKind::Result => false,
                    _ => true,
                })
            };
            for part in whole.parts() {
                speech.note(program, part, &is_free);
            }
            let parts = conjuncts(&whole).into_iter().cloned();
            match clause.kind {
                ClauseKind::Requires => speech.requires.extend(parts),
                ClauseKind::Ensures => speech.ensures.extend(parts),
                ClauseKind::Modifies | ClauseKind::Frees => {}
            }
        }
        let links: BTreeSet<&str> = speech.chains.iter().map(|chain| chain.field.field.as_str()).collect();
        speech.fields.retain(|field| !links.contains(field.as_str()));
        speech
    }

    fn note(&mut self, program: &Program, part: &Expr, is_free: &dyn Fn(&Expr) -> bool) {
        match &part.kind {
            ExprKind::List(from, field) | ExprKind::Block(from, field) if is_free(from) => {
                let Ok((owner, _)) = link_field(program, None, field) else { return };
                let head = plain(from).to_string();
                let is_same = |chain: &Chain| chain.head == head && chain.field.field == field.field;
                if !self.chains.iter().any(is_same) {
                    self.chains.push(Chain { head, field: field.clone(), owner });
                }
            }
            ExprKind::Binary(BinaryOp::Eq, a, b) => {
                for (block, stop) in [(a, b), (b, a)] {
                    let stop_text = stop.to_string();
                    if matches!(block.kind, ExprKind::Block(..))
                        && is_free(stop)
                        && !self.stops.contains(&stop_text)
                    {
                        self.stops.push(stop_text);
                    }
                }
            }
            ExprKind::Member { field, arrow: true, .. } if !self.fields.contains(field) => {
                self.fields.push(field.clone());
            }
            _ => {}
        }
    }
}

/// A pointer at entry is looked for as it is now, too.
fn plain(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Old(inner) => plain(inner),
        _ => expr,
    }
}

fn bound_names(expr: &Expr) -> BTreeSet<String> {
    let names = expr.parts().into_iter().filter_map(|part| match &part.kind {
        ExprKind::Forall { var, .. } | ExprKind::Let { var, .. } => Some(var.clone()),
        _ => None,
    });
    names.collect()
}

/// With what predicates stand for.
fn expanded(expr: &Expr, predicates: &[Predicate], depth: u32) -> Expr {
    if depth == 0 {
        return expr.clone();
    }
    expr.rewritten(&mut |part| {
        let ExprKind::Call(name, args) = &part.kind else { return None };
        let predicate = predicates.iter().find(|known| known.name == *name)?;
        let body = predicate.body.rewritten(&mut |inner| {
            let ExprKind::Name(name) = &inner.kind else { return None };
            let index = predicate.params.iter().position(|(_, known)| known == name)?;
            args.get(index).cloned()
        });
        Some(expanded(&body, predicates, depth - 1))
    })
}

/// Every part with a text replaced.
fn replaced(expr: &Expr, from: &str, to: &Expr) -> Expr {
    expr.rewritten(&mut |part| (part.to_string() == from).then(|| to.clone()))
}

fn name(text: &str, like: &Expr) -> Expr {
    Expr { at: like.at, kind: ExprKind::Name(text.to_owned()) }
}

/// Candidates in the order in which they were thought of, each once.
struct Collected {
    known: BTreeSet<String>,
    all: Vec<String>,
}

impl Collected {
    fn add(&mut self, text: String) {
        if self.all.len() < MOST && self.known.insert(text.clone()) {
            self.all.push(text);
        }
    }
}

/// Candidates for the invariants of a loop.
pub fn candidates(speech: &Speech, site: &Site) -> Vec<String> {
    let mut found = Collected { known: BTreeSet::new(), all: Vec::new() };
    of_contract(speech, site, &mut found);
    of_guard(speech, site, &mut found);
    of_numbers(speech, site, &mut found);
    for cursor in &site.cursors {
        of_cursor(speech, site, cursor, &mut found);
        for other in site.cursors.iter().filter(|other| other.name != cursor.name) {
            of_pair(speech, site, (cursor, other), &mut found);
        }
    }
    if site.changes_heap {
        of_heads(speech, &mut found);
    }
    found.all
}

/// What the contract says holds all the time.
fn of_contract(speech: &Speech, site: &Site, found: &mut Collected) {
    if site.changes_heap {
        speech.requires.iter().for_each(|part| found.add(part.to_string()));
    }
    let names = site.cursors.iter().map(|cursor| &cursor.name).chain(&site.counters);
    let names: Vec<&String> = names.collect();
    for part in &speech.ensures {
        let has_result = part.parts().iter().any(|inner| inner.kind == ExprKind::Result);
        if !has_result {
            found.add(part.to_string());
            continue;
        }
        for variable in &names {
            let to = name(variable, part);
            let new = part.rewritten(&mut |inner| matches!(inner.kind, ExprKind::Result).then(|| to.clone()));
            found.add(new.to_string());
        }
    }
}

/// What the guard said of the next node holds of this one after a step; and strict comparisons hold or the loop ends.
fn of_guard(speech: &Speech, site: &Site, found: &mut Collected) {
    for part in &site.guard {
        found.add(part.to_string());
        for cursor in &site.cursors {
            for chain in speech.chains.iter().filter(|chain| cursor.to == Some(chain.owner)) {
                let next = format!("{}->{}", cursor.name, chain.field.field);
                found.add(replaced(part, &next, &name(&cursor.name, part)).to_string());
            }
        }
        if let ExprKind::Binary(op, a, b) = &part.kind {
            match op {
                BinaryOp::Lt | BinaryOp::Ne => found.add(format!("{a} <= {b}")),
                BinaryOp::Gt => found.add(format!("{a} >= {b}")),
                _ => {}
            }
        }
    }
}

fn of_numbers(speech: &Speech, site: &Site, found: &mut Collected) {
    for counter in &site.counters {
        found.add(format!("0 <= {counter}"));
        for bound in &site.bounds {
            found.add(format!("{counter} <= {bound}"));
            found.add(format!("{counter} >= {bound}"));
        }
        for part in speech.ensures.iter().chain(&speech.requires) {
            let ExprKind::Forall { set, .. } = &part.kind else { continue };
            let ExprKind::Array(_, count) = &set.kind else { continue };
            // What holds of the whole array holds of its first part so far.
            found.add(replaced(part, &count.to_string(), &name(counter, part)).to_string());
        }
    }
}

/// The lists of a contract, now and at entry.
fn lists(speech: &Speech, site: &Site, chain: &Chain) -> Vec<String> {
    let mut all = Vec::new();
    for known in speech.chains.iter().filter(|known| known.field.field == chain.field.field) {
        let list = format!("list({}, {})", known.head, known.field);
        if site.changes_heap {
            all.push(format!("\\old({list})"));
        }
        all.push(list);
    }
    all
}

fn of_cursor(speech: &Speech, site: &Site, cursor: &Cursor, found: &mut Collected) {
    let v = &cursor.name;
    found.add(format!("{v} != NULL"));
    found.add(format!("{v} == NULL || alloc({v})"));
    for chain in speech.chains.iter().filter(|chain| cursor.to == Some(chain.owner)) {
        let field = &chain.field;
        for list in lists(speech, site, chain) {
            found.add(format!("in({v}, {list})"));
            speech.stops.iter().for_each(|stop| found.add(format!("{v} == {stop} || in({v}, {list})")));
        }
        // What is required of the list holds of the rest of it.
        for part in &speech.requires {
            found.add(replaced(part, &chain.head, &name(v, part)).to_string());
        }
        // What is ensured holds of what the cursor has passed.
        for part in &speech.ensures {
            let ExprKind::Forall { ty, var, set, body } = &part.kind else { continue };
            let gap = if ty.stars > 0 { "" } else { " " };
            for stop in &speech.stops {
                found.add(format!(
                    "\\forall {ty}{gap}{var} \\in {set}; ({body}) || ({v} != {stop} && in({var}, list({v}, {field})))"
                ));
            }
        }
        if site.changes_heap {
            of_rest(speech, chain, v, found);
        }
    }
}

/// What is kept of the rest of a list while the loop changes memory.
fn of_rest(speech: &Speech, chain: &Chain, v: &str, found: &mut Collected) {
    let field = &chain.field;
    let (owner, rest) = (&field.owner, format!("list({v}, {field})"));
    for stop in &speech.stops {
        for known in speech.chains.iter().filter(|known| known.field.field == field.field) {
            let old = format!("\\old(list({}, {field}))", known.head);
            found.add(format!("\\forall {owner} *x \\in {rest}; x == {stop} || in(x, {old})"));
            found.add(format!("\\forall {owner} *x \\in {rest}; x == {stop} || (in(x, {old}) && alloc(x))"));
        }
        for looked_at in &speech.fields {
            found.add(format!(
                "\\forall {owner} *x \\in {rest}; x == {stop} || x->{looked_at} == \\old(x->{looked_at})"
            ));
        }
    }
}

/// Two pointers that go together, such as a node and the one before it, or two lists that share the elements.
fn of_pair(speech: &Speech, site: &Site, (one, other): (&Cursor, &Cursor), found: &mut Collected) {
    let (v, w) = (&one.name, &other.name);
    for chain in
        speech.chains.iter().filter(|chain| one.to == Some(chain.owner) && other.to == Some(chain.owner))
    {
        let field = &chain.field;
        found.add(format!("{v} == NULL || {v}->{} == {w}", field.field));
        found.add(format!("{v} != NULL || {w} == {}", chain.head));
        if !site.changes_heap {
            continue;
        }
        let owner = &field.owner;
        let (left, right) = (format!("list({v}, {field})"), format!("list({w}, {field})"));
        for stop in &speech.stops {
            found.add(format!("\\forall {owner} *x \\in {left}; x == {stop} || !in(x, {right})"));
        }
        for known in speech.chains.iter().filter(|known| known.field.field == field.field) {
            let old = format!("\\old(list({}, {field}))", known.head);
            found.add(format!("\\forall {owner} *x \\in {old}; in(x, {left}) || in(x, {right})"));
            for stop in &speech.stops {
                found.add(format!(
                    "\\forall {owner} *x \\in {old}; x == {stop} || in(x, {left}) || in(x, {right})"
                ));
                found.add(format!(
                    "\\forall {owner} *x \\in {left}; x == {stop} || (in(x, {old}) && !in(x, {right}))"
                ));
            }
        }
    }
}

/// How lists of the contract relate to what they were at entry, where a loop moves elements between them.
fn of_heads(speech: &Speech, found: &mut Collected) {
    for a in &speech.chains {
        let owner = &a.field.owner;
        let list = |chain: &Chain| format!("list({}, {})", chain.head, chain.field);
        let (now, old) = (list(a), format!("\\old({})", list(a)));
        found.add(format!("\\forall {owner} *x \\in {now}; in(x, {old})"));
        found.add(format!("\\forall {owner} *x \\in {old}; in(x, {now})"));
        for b in &speech.chains {
            if a.head == b.head || a.field.field != b.field.field {
                continue;
            }
            let (other, other_old) = (list(b), format!("\\old({})", list(b)));
            found.add(format!("\\forall {owner} *x \\in {now}; in(x, {old}) || in(x, {other_old})"));
            found.add(format!("\\forall {owner} *x \\in {old}; in(x, {now}) || in(x, {other})"));
        }
    }
}
