//! Borders between the parts of a table that mean nothing to the program any more.
//!
//! A hash table is accessed at one index after the other, and what was found there stays a part of its own: null, or a list that has a
//! node. Where some elements hold null or an address already, neither of these says much, once no number of the program tells
//! where the element lies. Then it becomes one row with its neighbours, and all tables look alike again.

use crate::closing::Kind;
use crate::graph::{Def, ObjId, Object, State, Storage, Val};
use crate::relation::Form;
use crate::rows::Table;
use heapproof_numbers::Linear;
use std::rc::Rc;

/// The numbers that a program has.
struct Numbers {
    variables: Vec<Form>,
    fields: Vec<Form>,
}

impl State {
    /// Forgets what is not used, and what relations say twice: where a function is called or left, configurations look alike then.
    pub(crate) fn tidied_for_call(mut self) -> State {
        self.collect_garbage();
        self.relations = Rc::new(self.relations.tidied_within(&self));
        self
    }

    /// The table with two neighbouring parts as one row, where their border means nothing.
    pub(crate) fn with_border_gone(&self, table: &Table, alike: bool) -> Option<State> {
        if self.object(table.obj).level > 0 {
            return None;
        }
        let parts = self.parts(table);
        let count = self.count(table)?;
        let mut numbers = None;
        let mut border: Form = Linear::constant(0);
        for pair in parts.windows(2) {
            border = border.plus(&self.part_length(pair[0])?, 1)?;
            let fits =
                self.is_loosely_like(pair[0], pair[1]) || alike && self.is_like(pair[0], self, pair[1]);
            if !fits || pair.iter().any(|part| self.is_in_use(*part)) {
                continue;
            }
            let numbers = numbers.get_or_insert_with(|| self.numbers_in_use(&count));
            if !self.is_meant(&border, &count, numbers)
                && let Some(next) = self.as_one_row(pair[0], pair[1])
            {
                return Some(next);
            }
        }
        None
    }

    /// True if elements of one part may be what those of the other are, and null as well.
    fn is_loosely_like(&self, part: ObjId, other: ObjId) -> bool {
        let (a, b) = (self.kinds(part), self.kinds(other));
        let held = |kind: &Kind| matches!(kind, Kind::Null | Kind::Held | Kind::Either);
        let fits = |a: &Kind, b: &Kind| match (a, b) {
            (Kind::Either, other) | (other, Kind::Either) => held(other),
            _ => a == b,
        };
        a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| fits(a, b))
    }

    /// True if variables lead to what an element has.
    fn is_in_use(&self, part: ObjId) -> bool {
        let held: Vec<ObjId> = self.targets(part).filter(|id| !self.object(*id).is_part()).collect();
        let below = self.reachable(&[], &held);
        let (values, objects) = self.roots();
        values.into_iter().filter_map(|val| self.target(val)).chain(objects).any(|id| below.contains(&id))
    }

    /// The numbers that the program has, but for those that are the number of all elements.
    fn numbers_in_use(&self, count: &Form) -> Numbers {
        let mut variables = Vec::new();
        for frame in &self.frames {
            let regs = frame.regs.iter().zip(frame.widths.iter());
            variables.extend(regs.filter_map(|(val, width)| self.index_or_number((*val)?, *width)));
        }
        let mut fields = Vec::new();
        for object in self.objects.values().filter(|object| !object.is_part() && object.level == 0) {
            let numbers = if self.is_variable(object) { &mut variables } else { &mut fields };
            let cells = object.cells.values().filter(|cell| cell.len <= 8);
            numbers.extend(cells.filter_map(|cell| self.index_or_number(cell.val, 8 * cell.len as u8)));
        }
        let terms = self.terms.iter().flat_map(|term| term.symbols());
        fields.extend(terms.filter_map(|id| self.form_of(id)));
        let is_all = |form: &Form| self.apart(form, count) == Some(0);
        for numbers in [&mut variables, &mut fields] {
            let mut known = Vec::new();
            numbers.retain(|form| {
                let new = !known.contains(form) && !is_all(form);
                known.push(form.clone());
                new
            });
        }
        Numbers { variables, fields }
    }

    /// A number, or the index of an address.
    fn index_or_number(&self, val: Val, width: u8) -> Option<Form> {
        match val {
            Val::Sym(id) => match self.syms.get(&id)?.def {
                Def::At(_, index, _) => self.form_of(index),
                _ => self.form_of(id),
            },
            _ => self.form(val, width),
        }
    }

    /// True for a variable that is kept in memory.
    fn is_variable(&self, object: &Object) -> bool {
        matches!(object.storage, Storage::Local | Storage::Global(..)) && object.size <= 8
    }

    /// True if a number of the program says where a border is: it is there, or just before, or a variable is on one side of it.
    fn is_meant(&self, border: &Form, count: &Form, numbers: &Numbers) -> bool {
        let is_there = |number: &Form| matches!(self.apart(border, number), Some(0 | 1));
        numbers.variables.iter().chain(&numbers.fields).any(is_there)
            || numbers.variables.iter().any(|number| {
                let apart = border.plus(number, -1).and_then(|apart| self.bounds(&apart));
                apart.is_none_or(|apart| apart.lo >= 0 || apart.hi <= 1) && self.is_index(number, count)
            })
    }

    /// True if a number may be an index that counts: not always the same, and of an element other than the first.
    fn is_index(&self, number: &Form, count: &Form) -> bool {
        !number.is_constant()
            && !self.is_at_most(number, &Linear::constant(0), 0)
            && !self.is_at_most(count, number, 0)
    }

    /// How much greater a number is than another, if that is known.
    fn apart(&self, a: &Form, b: &Form) -> Option<i128> {
        let apart = self.bounds(&a.plus(b, -1)?)?;
        (apart.lo == apart.hi).then_some(apart.lo)
    }
}
