//! Frames: what a call, a loop or a whole function leaves as it was (figure 9, corrected for changes of `BS`).

use super::formula::{Formula, Part};
use super::vocabulary::WIDTHS;
use heapproof_logic::{Function, Sort, Term};

/// What may be changed and freed, evaluated in the first of two heaps.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// The cells that may be changed.
    pub modifies: Vec<Part>,
    /// The objects that may be freed, by their starts.
    pub frees: Vec<Part>,
}

impl Frame {
    /// Some bytes overlap a cell that may be changed.
    fn covers(&self, formula: &Formula<'_>, object: &Term, offset: &Term, bytes: i128) -> Term {
        let words = formula.words;
        Term::or(self.modifies.iter().map(|part| {
            part.some(|element| {
                let start = words.off(element);
                Term::and([
                    Term::eq(words.obj(element), object.clone()),
                    Term::int_lt(start.clone(), Term::int_add(offset.clone(), Term::int(bytes))),
                    Term::int_lt(offset.clone(), Term::int_add(start, Term::int(part.bytes))),
                ])
            })
        }))
    }

    /// A pointer is in `modifies`.
    fn has(&self, pointer: &Term) -> Term {
        Term::or(self.modifies.iter().map(|part| part.some(|element| Term::eq(element.clone(), pointer.clone()))))
    }

    /// An object may be freed.
    fn may_free(&self, formula: &Formula<'_>, object: &Term) -> Term {
        let words = formula.words;
        Term::or(self.frees.iter().map(|part| {
            part.some(|element| {
                Term::and([Term::eq(words.obj(element), object.clone()), Term::eq(words.off(element), Term::int(0))])
            })
        }))
    }

    /// The content of some bytes at a pointer is kept, or may change.
    fn keeps_content(&self, formula: &Formula<'_>, from: &Term, to: &Term, p: &Term, bytes: u8) -> Option<Term> {
        let words = formula.words;
        let (before, after) = (words.mem(from, bytes, p)?, words.mem(to, bytes, p)?);
        let object = words.obj(p);
        Some(Term::or([
            words.is_alloc(from, &object).not(),
            words.is_alloc(to, &object).not(),
            self.covers(formula, &object, &words.off(p), bytes.into()),
            Term::eq(after, before),
        ]))
    }

    /// The link of a field at a pointer is kept, or may change.
    fn keeps_link(&self, formula: &Formula<'_>, from: &Term, to: &Term, p: &Term, field: usize) -> Term {
        let (words, field) = (formula.words, &formula.words.fields[field]);
        let object = words.obj(p);
        let at = |function: &Function, heap: &Term| function.apply([heap.clone(), p.clone()]);
        let cell = Term::int_add(words.off(p), Term::int(field.offset));
        Term::or([
            words.is_alloc(from, &object).not(),
            words.is_alloc(to, &object).not(),
            self.covers(formula, &object, &cell, words.pointer_bytes.into()),
            Term::and([
                Term::eq(at(&field.link, to), at(&field.link, from)),
                Term::eq(at(&field.next, to), at(&field.next, from)),
            ]),
        ])
    }

    /// A pointer stays blocking or not, or may change.
    fn keeps_blocking(&self, formula: &Formula<'_>, from: &Term, to: &Term, p: &Term) -> Term {
        let words = formula.words;
        Term::or([
            self.is_foreign(formula, from, p),
            self.has(p),
            Term::eq(words.is_blocking(to, p), words.is_blocking(from, p)),
        ])
    }

    /// A pointer into what is not allocated: it may be anything later.
    fn is_foreign(&self, formula: &Formula<'_>, heap: &Term, p: &Term) -> Term {
        let words = formula.words;
        let object = words.obj(p);
        Term::and([words.is_alloc(heap, &object).not(), Term::ne(object, words.null_object())])
    }

    /// What has to be shown to keep to the frame, each with a name for it.
    pub fn obligations(&self, formula: &Formula<'_>, from: &Term, to: &Term) -> Vec<(FrameKind, Term)> {
        let words = formula.words;
        // Any pointer and object: they are not known further.
        let p = Term::var("some pointer", words.pointer.clone());
        let o = Term::var("some object", words.object.clone());
        let mut all = Vec::new();
        for width in WIDTHS {
            all.extend(self.keeps_content(formula, from, to, &p, width).map(|term| (FrameKind::Modifies, term)));
        }
        for field in 0..words.fields.len() {
            all.push((FrameKind::Modifies, self.keeps_link(formula, from, to, &p, field)));
        }
        all.push((FrameKind::Modifies, self.keeps_blocking(formula, from, to, &p)));
        let kept = [words.is_alloc(from, &o).not(), words.is_alloc(to, &o), self.may_free(formula, &o)];
        all.push((FrameKind::Frees, Term::or(kept)));
        all
    }

    /// What may be assumed of two heaps between which the frame was kept. `name` makes it different from others.
    pub fn assumptions(&self, formula: &Formula<'_>, from: &Term, to: &Term, name: &str) -> Vec<Term> {
        let words = formula.words;
        let p = formula.fresh(words.pointer.clone());
        let o = formula.fresh(words.object.clone());
        let mut all = Vec::new();
        for width in WIDTHS {
            if let (Some(kept), Some(after)) =
                (self.keeps_content(formula, from, to, &p, width), words.mem(to, width, &p))
            {
                all.push(Term::forall(vec![p.clone()], vec![vec![after]], kept));
            }
        }
        let blocking = words.is_blocking(to, &p);
        all.push(Term::forall(vec![p.clone()], vec![vec![blocking]], self.keeps_blocking(formula, from, to, &p)));
        let kept = Term::or([words.is_alloc(from, &o).not(), words.is_alloc(to, &o), self.may_free(formula, &o)]);
        all.push(Term::forall(vec![o.clone()], vec![vec![words.is_alloc(to, &o)], vec![words.is_alloc(from, &o)]], kept));
        for index in 0..words.fields.len() {
            let field = &words.fields[index];
            let at = |function: &Function| function.apply([to.clone(), p.clone()]);
            let triggers = vec![vec![at(&field.link)], vec![at(&field.next)]];
            all.push(Term::forall(vec![p.clone()], triggers, self.keeps_link(formula, from, to, &p, index)));
            all.extend(self.keeps_lists(formula, from, to, index, &format!("touched.{name}.{index}")));
        }
        all
    }

    /// Lists without a cell that may change are kept, and what stops them.
    fn keeps_lists(&self, formula: &Formula<'_>, from: &Term, to: &Term, index: usize, name: &str) -> Vec<Term> {
        let (words, field) = (formula.words, &formula.words.fields[index]);
        let touched = Function::new(name, vec![words.pointer.clone()], Sort::Bool);
        let [u, v, y] = [(); 3].map(|()| formula.fresh(words.pointer.clone()));
        let is_touched = touched.apply([u.clone()]);
        let reach = |heap: &Term, a: &Term, b: &Term| field.reach.apply([heap.clone(), a.clone(), b.clone()]);
        let block = |heap: &Term| field.block.apply([heap.clone(), u.clone()]);
        let cell = Term::int_add(words.off(&y), Term::int(field.offset));
        let object = words.obj(&y);
        let foreign = self.is_foreign(formula, from, &y);
        let may_change = Term::or([
            self.covers(formula, &object, &cell, words.pointer_bytes.into()),
            Term::and([words.is_alloc(from, &object), words.is_alloc(to, &object).not()]),
            foreign,
            Term::and([Term::ne(y.clone(), u.clone()), self.has(&y)]),
        ]);
        let on_the_way = Term::and([reach(from, &u, &y), may_change]);
        let stop = block(from);
        let why = Term::or([
            Term::exists(vec![y.clone()], vec![vec![reach(from, &u, &y)]], on_the_way),
            self.has(&stop),
            Term::and([self.is_foreign(formula, from, &stop), Term::ne(stop.clone(), words.nowhere.clone())]),
        ]);
        vec![
            Term::forall(vec![u.clone()], vec![vec![is_touched.clone()]], Term::implies(is_touched.clone(), why)),
            Term::forall(
                vec![u.clone()],
                vec![vec![block(to)]],
                Term::or([is_touched.clone(), Term::eq(block(to), block(from))]),
            ),
            Term::forall(
                vec![u.clone(), v.clone()],
                vec![vec![reach(to, &u, &v)]],
                Term::or([is_touched, Term::eq(reach(to, &u, &v), reach(from, &u, &v))]),
            ),
        ]
    }
}

/// Which clause a frame comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameKind {
    /// `modifies`
    Modifies,
    /// `frees`
    Frees,
}
