//! Frames: what a call, a loop or a whole function leaves as it was (figure 9, corrected for changes of `BS`).

use super::formula::{Formula, Part, quantified, triggers};
use super::heap::{Content, Heap, WIDTHS};
use super::words::Pointer;
use heapproof_logic::{Function, Sort, Term};

/// What may be changed and freed, evaluated in the first of two heaps.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// The cells that may be changed.
    pub modifies: Vec<Part>,
    /// The objects that may be freed, by their starts.
    pub frees: Vec<Part>,
}

/// Which clause a frame comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameKind {
    /// `modifies`
    Modifies,
    /// `frees`
    Frees,
}

impl Frame {
    /// Some bytes overlap a cell that may be changed.
    pub fn covers(&self, p: &Pointer, bytes: i128) -> Term {
        Term::or(self.modifies.iter().map(|part| match fault!(11) {
            true => part.some(|element| element.equals(p)),
            false => part.overlaps(p, bytes),
        }))
    }

    /// A pointer is in `modifies`.
    fn has(&self, pointer: &Pointer) -> Term {
        Term::or(self.modifies.iter().map(|part| part.some(|element| element.equals(pointer))))
    }

    /// An object may be freed.
    fn may_free(&self, object: &Term) -> Term {
        Term::or(self.frees.iter().map(|part| {
            part.some(|element| {
                Term::and([
                    Term::eq(element.object.clone(), object.clone()),
                    Term::eq(element.offset.clone(), Term::int(0)),
                ])
            })
        }))
    }

    /// The content of some bytes at a pointer is kept, or may change.
    fn keeps_content(
        &self,
        formula: &Formula<'_>,
        from: &Heap,
        to: &Heap,
        p: &Pointer,
        bytes: u8,
    ) -> Option<Term> {
        let words = formula.words;
        let same = match (from.mem(words, bytes, p)?, to.mem(words, bytes, p)?) {
            (Content::Word(a), Content::Word(b)) => a.equals(&b),
            (Content::Int(a), Content::Int(b)) => Term::eq(a, b),
            _ => return None,
        };
        Some(Term::or([
            from.alloc(&p.object).not(),
            to.alloc(&p.object).not(),
            self.covers(p, bytes.into()),
            same,
        ]))
    }

    /// The link of a field at a pointer is kept, or may change.
    fn keeps_link(&self, formula: &Formula<'_>, from: &Heap, to: &Heap, p: &Pointer, field: usize) -> Term {
        let words = formula.words;
        Term::or([
            from.alloc(&p.object).not(),
            to.alloc(&p.object).not(),
            self.covers(&p.at(words.fields[field].offset), words.word.into()),
            Term::eq(to.link(field, p), from.link(field, p)),
        ])
    }

    /// A pointer stays blocking or not, or may change.
    fn keeps_blocking(&self, formula: &Formula<'_>, from: &Heap, to: &Heap, p: &Pointer) -> Term {
        Term::or([is_foreign(formula, from, p), self.has(p), Term::eq(to.blocking(p), from.blocking(p))])
    }

    /// What has to be shown to keep to the frame. Bytes are enough for contents of all widths: a store counts as a change
    /// of all its bytes.
    pub fn obligations(&self, formula: &Formula<'_>, from: &Heap, to: &Heap) -> Vec<(FrameKind, Term)> {
        let words = formula.words;
        // Any pointer and object: they are not known further.
        let p = words.fresh_pointer("any");
        let o = words.fresh("any", words.object.clone());
        let content = self.keeps_content(formula, from, to, &p, 1).into_iter();
        // What is a link is a part of the content: the same bytes may be stored in another way.
        let q = words.fresh_pointer("any");
        let fields = if fault!(14) { 0 } else { words.fields.len() };
        let links = (0..fields).map(|field| self.keeps_link(formula, from, to, &q, field));
        let mut all: Vec<(FrameKind, Term)> =
            content.chain(links).map(|term| (FrameKind::Modifies, term)).collect();
        if !fault!(12) {
            all.push((FrameKind::Modifies, self.keeps_blocking(formula, from, to, &p)));
        }
        let kept = [from.alloc(&o).not(), to.alloc(&o), self.may_free(&o), Term::truth(fault!(13))];
        all.push((FrameKind::Frees, Term::or(kept)));
        all
    }

    /// What may be assumed of two heaps between which the frame was kept, the second a base.
    pub fn assumptions(&self, formula: &Formula<'_>, from: &Heap, to: &Heap) -> Vec<Term> {
        let words = formula.words;
        let p = words.bound();
        let o = words.bound_object();
        let mut all = Vec::new();
        for width in WIDTHS {
            let Some(kept) = self.keeps_content(formula, from, to, &p, width) else { continue };
            let after = match to.mem(words, width, &p) {
                Some(Content::Word(pointer)) => pointer.source(),
                Some(Content::Int(term)) => term,
                None => continue,
            };
            all.push(Term::forall(p.parts().into(), vec![vec![after]], kept));
        }
        let mut all_of = |term: Term, from: Vec<Term>, vars: Vec<Term>| {
            let patterns = from.iter().flat_map(|term| triggers(term, &vars)).collect();
            all.push(Term::forall(vars, patterns, term));
        };
        let kept = self.keeps_blocking(formula, from, to, &p);
        all_of(kept, vec![to.blocking(&p)], p.parts().into());
        let (before, after) = (from.alloc(&o), to.alloc(&o));
        let kept = Term::or([before.clone().not(), after.clone(), self.may_free(&o)]);
        all_of(kept, vec![after, before], vec![o.clone()]);
        for index in 0..words.fields.len() {
            let kept = self.keeps_link(formula, from, to, &p, index);
            all_of(kept, vec![to.link(index, &p)], p.parts().into());
        }
        for index in 0..words.fields.len() {
            all.extend(self.keeps_lists(formula, from, to, index));
        }
        all
    }

    /// Lists without a cell that may change are kept, and what stops them.
    fn keeps_lists(&self, formula: &Formula<'_>, from: &Heap, to: &Heap, field: usize) -> Vec<Term> {
        let words = formula.words;
        let name = format!("changed.{field}.{}", to.id());
        let touched = Function::new(name.as_str(), vec![words.object.clone(), Sort::Int], Sort::Bool);
        let [u, v, y] = [words.bound(), words.bound(), words.bound()];
        let is_touched = touched.apply(u.parts());
        let cell = y.at(words.fields[field].offset);
        let before = from.alloc(&y.object);
        let may_change = Term::or([
            self.covers(&cell, words.word.into()),
            Term::and([before, to.alloc(&y.object).not(), Term::truth(!fault!(9))]),
            is_foreign(formula, from, &y),
            Term::and([
                y.equals(&u).not(),
                Term::eq(to.blocking(&y), from.blocking(&y)).not(),
                Term::truth(!fault!(10)),
            ]),
        ]);
        let stop = from.block(words, field, &u);
        let way =
            quantified(std::slice::from_ref(&y), &from.reach(words, field, &u, &y), may_change.not()).not();
        let why = Term::or([way, Term::and([to.blocking(&stop).not(), stop.equals(&words.nowhere).not()])]);
        let (old, new) = (from.reach(words, field, &u, &v), to.reach(words, field, &u, &v));
        let (stops, block) = (stop, to.block(words, field, &u));
        vec![
            Term::forall(
                u.parts().into(),
                vec![vec![is_touched.clone()]],
                Term::implies(is_touched.clone(), why),
            ),
            Term::forall(
                u.parts().into(),
                vec![vec![block.source()]],
                Term::or([is_touched.clone(), block.equals(&stops)]),
            ),
            Term::forall(
                [u.parts(), v.parts()].concat(),
                vec![vec![new.clone()]],
                Term::or([is_touched, Term::eq(new, old)]),
            ),
        ]
    }
}

/// A pointer into what is not allocated: it may be anything later.
fn is_foreign(formula: &Formula<'_>, heap: &Heap, p: &Pointer) -> Term {
    let words = formula.words;
    Term::and([heap.alloc(&p.object).not(), Term::ne(p.object.clone(), words.null_object.clone())])
}
