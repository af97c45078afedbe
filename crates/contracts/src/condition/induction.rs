//! What follows by induction: a set that is closed under a link holds whole lists of that link.
//!
//! No first-order axiom says so. From `\forall T *x \in list(h, f); … in(x->g, list(h, f))` follows that every list along
//! `g` that begins in `list(h, f)` stays in it: its elements are reached step by step, and no step leads out.
//! From `\forall T *x \in list(h, f); … x->f->g == x` follows, if `h` stops both lists, that they have the same elements:
//! the list along `g` is the list along `f` backwards, from `h` on.

use super::formula::{Formula, View, triggers};
use crate::typed::{Form, Int, Ptr, Set};
use heapproof_logic::Term;

impl Formula<'_> {
    /// Consequences of a formula that is assumed.
    pub fn induction(&self, form: &Form, view: &View<'_>) -> Vec<Term> {
        match form {
            Form::And(a, b) => [self.induction(a, view), self.induction(b, view)].concat(),
            Form::Old(inner) => self.induction(inner, view.old.unwrap_or(view)),
            Form::Forall(var, set, body) => match list_of(set) {
                Some((head, field)) => self.closed(*var, (head, field), body, view),
                None => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    fn closed(&self, var: u32, (head, field): (&Ptr, usize), body: &Form, view: &View<'_>) -> Vec<Term> {
        let mut all = Vec::new();
        for part in conjuncts(body) {
            if let Form::PtrEq(a, b) = part {
                let back = back_of(a, b, var).or_else(|| back_of(b, a, var));
                all.extend(back.into_iter().flat_map(|offsets| self.backwards((head, field), offsets, view)));
            }
            let Form::In(ptr, set) = part else { continue };
            let Some(offset) = link_at(ptr, var) else { continue };
            if list_of(set) != Some((head, field)) || !is_constant(head) {
                continue;
            }
            for (other, link) in self.words.fields.iter().enumerate() {
                if link.offset == offset && other != field {
                    let head = self.pointer(head, view);
                    let (x, y) = (self.words.bound(), self.words.bound());
                    let inside = |p| view.heap.reach(self.words, field, &head, p);
                    let step = view.heap.reach(self.words, other, &x, &y);
                    let vars = [x.parts(), y.parts()].concat();
                    let (first, second) = (triggers(&inside(&x), &x.parts()), triggers(&step, &vars));
                    let patterns =
                        first.iter().flat_map(|a| second.iter().map(|b| [a.clone(), b.clone()].concat()));
                    let patterns = patterns.collect();
                    let law = Term::or([inside(&x).not(), step.not(), inside(&y)]);
                    all.push(Term::forall(vars, patterns, law));
                }
            }
        }
        all
    }
}

impl Formula<'_> {
    fn backwards(
        &self,
        (head, field): (&Ptr, usize),
        (there, back): (i128, i128),
        view: &View<'_>,
    ) -> Vec<Term> {
        let fields = &self.words.fields;
        if fields[field].offset != there || !is_constant(head) {
            return Vec::new();
        }
        let others = (0..fields.len()).filter(|other| *other != field && fields[*other].offset == back);
        others.map(|other| self.same_elements((head, field), other, view)).collect()
    }

    fn same_elements(&self, (head, field): (&Ptr, usize), other: usize, view: &View<'_>) -> Term {
        let head = self.pointer(head, view);
        let x = self.words.bound();
        let list = |field| view.heap.reach(self.words, field, &head, &x);
        let stops = |field| view.heap.block(self.words, field, &head).equals(&head).not();
        let (forth, back) = (list(field), list(other));
        let patterns = [triggers(&forth, &x.parts()), triggers(&back, &x.parts())].concat();
        let law = Term::or([stops(field), stops(other), Term::eq(forth, back)]);
        Term::forall(x.parts().into(), patterns, law)
    }
}

/// `x->f->g == x`: the offsets of both fields.
fn back_of(a: &Ptr, b: &Ptr, var: u32) -> Option<(i128, i128)> {
    if *b != Ptr::Bound(var) {
        return None;
    }
    let Ptr::Load(at) = a else { return None };
    match &**at {
        Ptr::Plus(base, bytes) => match **bytes {
            Int::Const(back) => Some((link_at(base, var)?, back)),
            _ => None,
        },
        base => Some((link_at(base, var)?, 0)),
    }
}

/// The parts of a conjunction.
fn conjuncts(form: &Form) -> Vec<&Form> {
    match form {
        Form::And(a, b) => [conjuncts(a), conjuncts(b)].concat(),
        other => vec![other],
    }
}

fn list_of(set: &Set) -> Option<(&Ptr, usize)> {
    match set {
        Set::List(head, field) => Some((head, *field)),
        Set::Sized(inner, _) => list_of(inner),
        _ => None,
    }
}

/// The offset of the cell of a variable that is loaded.
fn link_at(ptr: &Ptr, var: u32) -> Option<i128> {
    let Ptr::Load(at) = ptr else { return None };
    match &**at {
        Ptr::Bound(number) if *number == var => Some(0),
        Ptr::Plus(base, bytes) => match (&**base, &**bytes) {
            (Ptr::Bound(number), Int::Const(bytes)) if *number == var => Some(*bytes),
            _ => None,
        },
        _ => None,
    }
}

/// True if a pointer does not depend on variables of quantifiers.
fn is_constant(ptr: &Ptr) -> bool {
    match ptr {
        Ptr::Bound(_) | Ptr::Number(_) => false,
        Ptr::Plus(base, bytes) => is_constant(base) && matches!(**bytes, Int::Const(_)),
        Ptr::Load(at) | Ptr::Old(at) => is_constant(at),
        Ptr::Block(..) => false,
        Ptr::Var(_) | Ptr::Result | Ptr::Global(_) | Ptr::Local(_) => true,
    }
}
