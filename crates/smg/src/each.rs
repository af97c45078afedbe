//! What holds of several numbers in each node of a segment: `slot < slots`, `len <= cap`, `4 * n = size of the block below`.
//!
//! A segment of the top level has a system of constraints between the numbers that its nodes have (one per node, so of level 1) and
//! numbers of level 0. It holds for every node, with the same numbers of level 0. It is kept apart from the relations of the
//! configuration: a segment may be empty, so nothing follows from it for numbers of level 0. A node that is taken out has
//! numbers of its own, and the constraints hold of these.

use crate::graph::{Def, ObjId, Object, State, SymId, Val};
use crate::relation::Form;
use heapproof_numbers::{Constraint, Linear, Normal, Ranges, Relation, System};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The level of a number of which each node of a segment of the top level has one.
const OWN: u32 = 1;

impl Object {
    /// The numbers that the constraints on its nodes speak of.
    pub fn each_dimensions(&self) -> BTreeSet<SymId> {
        self.each.as_ref().map(|each| each.dimensions()).unwrap_or_default()
    }
}

impl State {
    /// True for a number of which each node has its own.
    pub fn is_own(&self, id: SymId) -> bool {
        self.syms.get(&id).is_some_and(|sym| sym.level == OWN)
    }

    /// The numbers that each node of a segment of the top level has: in itself, in what is nested below it, and those that
    /// describe what is nested.
    pub fn own_numbers(&self, segment: ObjId) -> BTreeSet<SymId> {
        let mut found = BTreeSet::new();
        for id in self.nested(segment).into_iter().chain([segment]) {
            let object = self.object(id);
            let cells = object.cells.values().filter_map(|cell| match cell.val {
                Val::Sym(id) => Some(id),
                _ => None,
            });
            for id in cells.chain(object.measures()) {
                let index = match self.syms[&id].def {
                    Def::At(_, index, _) => index,
                    _ => id,
                };
                found.extend([id, index].into_iter().filter(|id| self.is_own(*id)));
            }
        }
        found
    }

    /// A number as a linear form, seen from a node of a segment (where numbers of level 1 are its own) or from elsewhere.
    pub fn form_within(&self, segment: bool, val: Val, width: u8) -> Option<Form> {
        match val {
            Val::Sym(id) if segment && self.is_own(id) => {
                let sym = &self.syms[&id];
                let number = sym.def == Def::Free && sym.width <= 64 && sym.functions.is_empty();
                number.then(|| match sym.range.lo == sym.range.hi {
                    true => Linear::constant(sym.range.lo),
                    false => Linear::dimension(id),
                })
            }
            _ => self.form(val, width),
        }
    }

    /// The configuration as it looks from a node: with what holds in each node of that segment.
    pub fn seen_from(&self, node: ObjId) -> State {
        let mut seen = self.clone();
        if let Some(each) = &self.object(node).each {
            add_all(Rc::make_mut(&mut seen.relations), each);
        }
        seen
    }

    /// What holds in each node holds of the numbers of one that was taken out; false if there can be none.
    pub fn instantiate(&mut self, segment: ObjId, own: &BTreeMap<SymId, SymId>) -> bool {
        let Some(each) = self.object(segment).each.clone() else { return true };
        each.constraints().all(|constraint| {
            let number = |state: &State, id: SymId| match own.get(&id) {
                Some(copy) => state.form_of(*copy),
                None if state.is_own(id) => None,
                None => state.form_of(id),
            };
            self.take(constraint, number)
        })
    }

    /// Gives an object of a node that was taken out the numbers of that node as its measures.
    pub fn own_measures(&mut self, id: ObjId, mut own: impl FnMut(&mut State, Val) -> Val) {
        let object = self.object(id);
        let (size, begin, text) = (object.size_sym, object.begin, object.text);
        let mut number = |state: &mut State, id: SymId| match own(state, Val::Sym(id)) {
            Val::Sym(copy) => copy,
            _ => id,
        };
        if let Some(size) = size {
            let size = number(self, size);
            self.object_mut(id).size_sym = Some(size);
        }
        if let Some(begin) = begin {
            let begin = number(self, begin);
            self.object_mut(id).begin = Some(begin);
        }
        if let Some(text) = text {
            let len = number(self, text.len);
            self.object_mut(id).text = Some(crate::graph::Text { len, ..text });
        }
    }

    /// Forgets all symbols but these in what holds in nodes; what follows for the others stays.
    pub fn keep_each(&mut self, used: &BTreeSet<SymId>) {
        let lacks = |object: &Object| object.each_dimensions().iter().any(|id| !used.contains(id));
        let ids: Vec<ObjId> = self.objects.iter().filter(|(_, o)| lacks(o)).map(|(id, _)| *id).collect();
        for id in ids {
            let mut system = (*self.seen_from(id).relations).clone();
            let gone: Vec<SymId> = system.dimensions().into_iter().filter(|id| !used.contains(id)).collect();
            for id in &gone {
                let (lo, hi) = Ranges::range(self, *id);
                let value = Linear::dimension(*id).plus(&Linear::constant(lo), -1).filter(|_| lo == hi);
                let _ = value.map(|value| system.add(Constraint::zero(&value)));
            }
            gone.into_iter().for_each(|id| system.forget(id));
            self.object_mut(id).each = self.about_nodes(&system);
        }
    }

    /// The constraints of a system that speak of numbers of nodes.
    pub fn about_nodes(&self, system: &System<SymId>) -> Option<Rc<System<SymId>>> {
        let mut about = System::default();
        for constraint in system.constraints() {
            if constraint.form().factors().any(|(id, _)| self.is_own(id)) {
                let _ = about.add(Normal::Says(constraint.clone()));
            }
        }
        (!about.is_empty()).then(|| Rc::new(about))
    }
}

/// Adds the constraints of a system to another.
pub fn add_all(to: &mut System<SymId>, from: &System<SymId>) {
    for constraint in from.constraints() {
        let _ = to.add(Normal::Says(constraint.clone()));
    }
}

/// A system whose symbols are other numbers; what cannot be said is left out.
pub fn translated(system: &System<SymId>, number: impl Fn(SymId) -> Option<Form>) -> System<SymId> {
    let mut result = System::default();
    for constraint in system.constraints() {
        let form = constraint.form();
        let form = form.factors().try_fold(Linear::constant(form.offset()), |sum: Form, (id, factor)| {
            sum.plus(&number(id)?, factor)
        });
        let Some(form) = form else { continue };
        let normal = match constraint.relation() {
            Relation::Zero => Constraint::zero(&form),
            Relation::NotNegative => Constraint::not_negative(&form),
        };
        let _ = result.add(normal);
    }
    result
}
