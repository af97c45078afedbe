//! What one step of the program does to the heap (section 5 of the paper, and updates of `BS` that it leaves out).

use super::formula::Formula;
use super::vocabulary::{LinkField, WIDTHS};
use heapproof_logic::{Function, Sort, Term};

/// Cells whose links end: those of a field for which this holds.
type Killed<'k> = &'k dyn Fn(&LinkField, &Term) -> Term;

impl Formula<'_> {
    /// A store of some bytes. `through` tells which link field of the program the address names; `pointer` is the value
    /// if it is a whole pointer.
    #[allow(clippy::too_many_arguments)]
    pub fn after_store(
        &self,
        from: &Term,
        to: &Term,
        address: &Term,
        bytes: u8,
        value: &Term,
        through: &dyn Fn(usize) -> bool,
        is_pointer: bool,
    ) -> Vec<Term> {
        let words = self.words;
        let (object, offset) = (words.obj(address), words.off(address));
        let mut all = self.same_allocation(from, to);
        all.extend(self.same_blocking(from, to));
        let p = self.fresh(words.pointer.clone());
        for width in WIDTHS {
            let (Some(before), Some(after)) = (words.mem(from, width, &p), words.mem(to, width, &p)) else { continue };
            let apart = self.apart(&p, width.into(), &object, &offset, bytes.into());
            let kept = Term::or([apart.not(), Term::eq(after.clone(), before)]);
            all.push(Term::forall(vec![p.clone()], vec![vec![after]], kept));
        }
        if let Some(after) = words.mem(to, bytes, address)
            && after.sort() == value.sort()
        {
            all.push(Term::eq(after, value.clone()));
        }
        let killed = |field: &LinkField, p: &Term| {
            let cell = Term::int_add(words.off(p), Term::int(field.offset));
            let near = Term::and([
                Term::eq(words.obj(p), object.clone()),
                Term::int_lt(cell.clone(), Term::int_add(offset.clone(), Term::int(bytes.into()))),
                Term::int_lt(offset.clone(), Term::int_add(cell.clone(), Term::int(words.pointer_bytes.into()))),
            ]);
            if is_pointer { Term::and([near, Term::ne(cell, offset.clone())]) } else { near }
        };
        for (index, field) in words.fields.iter().enumerate() {
            let name = format!("store.{}.{index}", heap_name(to));
            if is_pointer {
                let base = words.plus(address, Term::int(-field.offset));
                let was = field.link.apply([from.clone(), base.clone()]);
                let makes = Term::or([Term::truth(through(index)), was]);
                all.extend(self.linked(from, to, field, &base, value, makes, &killed, &name));
            } else {
                all.extend(self.cut(from, to, field, &killed, &|_, _| Term::truth(false), &name));
            }
        }
        all
    }

    /// What a store of a pointer needs so that lists stay well founded.
    pub fn stays_founded(&self, heap: &Term, address: &Term, value: &Term, field: usize, through: bool) -> Term {
        let (words, field) = (self.words, &self.words.fields[field]);
        let base = words.plus(address, Term::int(-field.offset));
        let was = field.link.apply([heap.clone(), base.clone()]);
        let loops = field.reach.apply([heap.clone(), value.clone(), base]);
        let fine = Term::or([words.is_blocking(heap, value), loops.not()]);
        if through { fine } else { Term::or([was.not(), fine]) }
    }

    /// A pointer becomes blocking.
    pub fn after_block(&self, from: &Term, to: &Term, e: &Term) -> Vec<Term> {
        self.after_blocking(from, to, e, true, |field, u, v, reach, block| {
            let cut = Term::and([Term::ne(u.clone(), e.clone()), reach(u, e)]);
            let _ = field;
            (
                Term::ite(cut.clone(), Term::and([reach(u, v), reach(e, v).not()]), reach(u, v)),
                Term::ite(cut, e.clone(), block(u)),
            )
        })
    }

    /// A pointer is blocking no longer.
    pub fn after_unblock(&self, from: &Term, to: &Term, e: &Term) -> Vec<Term> {
        self.after_blocking(from, to, e, false, |_, u, v, reach, block| {
            let stopped = Term::eq(block(u), e.clone());
            (
                Term::or([reach(u, v), Term::and([stopped.clone(), reach(e, v)])]),
                Term::ite(stopped, block(e), block(u)),
            )
        })
    }

    /// What the end of blocking needs so that lists stay well founded.
    pub fn stays_founded_without(&self, heap: &Term, e: &Term) -> Term {
        Term::and(self.words.fields.iter().map(|field| {
            let block = field.block.apply([heap.clone(), e.clone()]);
            Term::ne(block, e.clone())
        }))
    }

    fn after_blocking(
        &self,
        from: &Term,
        to: &Term,
        e: &Term,
        becomes: bool,
        update: impl Fn(&LinkField, &Term, &Term, &dyn Fn(&Term, &Term) -> Term, &dyn Fn(&Term) -> Term) -> (Term, Term),
    ) -> Vec<Term> {
        let words = self.words;
        let [u, v] = [(); 2].map(|()| self.fresh(words.pointer.clone()));
        let mut all = self.same_allocation(from, to);
        all.extend(self.same_content(from, to));
        let after = words.is_blocking(to, &u);
        let changed = Term::ite(Term::eq(u.clone(), e.clone()), Term::truth(becomes), words.is_blocking(from, &u));
        all.push(Term::forall(vec![u.clone()], vec![vec![after.clone()]], Term::eq(after, changed)));
        for field in &words.fields {
            all.extend(self.same_links(from, to, field));
            let reach = |a: &Term, b: &Term| field.reach.apply([from.clone(), a.clone(), b.clone()]);
            let block = |a: &Term| field.block.apply([from.clone(), a.clone()]);
            let (reached, blocked) = update(field, &u, &v, &reach, &block);
            let new_reach = field.reach.apply([to.clone(), u.clone(), v.clone()]);
            let new_block = field.block.apply([to.clone(), u.clone()]);
            all.push(Term::forall(vec![u.clone(), v.clone()], vec![vec![new_reach.clone()]], Term::eq(new_reach, reached)));
            all.push(Term::forall(vec![u.clone()], vec![vec![new_block.clone()]], Term::eq(new_block, blocked)));
        }
        all
    }

    /// A new object. All its pointers are blocking if it comes from `malloc`.
    pub fn after_allocation(&self, from: &Term, to: &Term, object: &Term, is_blocking: bool) -> Vec<Term> {
        let words = self.words;
        let p = self.fresh(words.pointer.clone());
        let mut all = self.changed_allocation(from, to, object, true);
        all.extend(self.content_but(from, to, object));
        let after = words.is_blocking(to, &p);
        let inside = Term::eq(words.obj(&p), object.clone());
        let now = Term::or([words.is_blocking(from, &p), Term::and([Term::truth(is_blocking), inside])]);
        all.push(Term::forall(vec![p], vec![vec![after.clone()]], Term::eq(after, now)));
        for (index, field) in words.fields.iter().enumerate() {
            let name = format!("new.{}.{index}", heap_name(to));
            // What is not allocated has no links.
            let blocked = |u: &Term, y: &Term| {
                let inside = Term::eq(words.obj(y), object.clone());
                Term::and([Term::truth(is_blocking), Term::ne(y.clone(), u.clone()), inside])
            };
            all.extend(self.cut(from, to, field, &|_, _| Term::truth(false), &blocked, &name));
        }
        all
    }

    /// An object ends.
    pub fn after_end(&self, from: &Term, to: &Term, object: &Term) -> Vec<Term> {
        let words = self.words;
        let mut all = self.changed_allocation(from, to, object, false);
        all.extend(self.content_but(from, to, object));
        all.extend(self.same_blocking(from, to));
        for (index, field) in words.fields.iter().enumerate() {
            let name = format!("end.{}.{index}", heap_name(to));
            let killed = |_: &LinkField, p: &Term| Term::eq(words.obj(p), object.clone());
            all.extend(self.cut(from, to, field, &killed, &|_, _| Term::truth(false), &name));
        }
        all
    }

    /// Some bytes at a pointer do not overlap some others.
    fn apart(&self, p: &Term, width: i128, object: &Term, offset: &Term, bytes: i128) -> Term {
        let words = self.words;
        Term::or([
            Term::ne(words.obj(p), object.clone()),
            Term::int_le(Term::int_add(words.off(p), Term::int(width)), offset.clone()),
            Term::int_le(Term::int_add(offset.clone(), Term::int(bytes)), words.off(p)),
        ])
    }

    /// Allocation stays as it is.
    pub fn same_allocation(&self, from: &Term, to: &Term) -> Vec<Term> {
        let o = self.fresh(self.words.object.clone());
        let (before, after) = (self.words.is_alloc(from, &o), self.words.is_alloc(to, &o));
        vec![Term::forall(vec![o], vec![vec![after.clone()]], Term::eq(after, before))]
    }

    fn changed_allocation(&self, from: &Term, to: &Term, object: &Term, now: bool) -> Vec<Term> {
        let o = self.fresh(self.words.object.clone());
        let (before, after) = (self.words.is_alloc(from, &o), self.words.is_alloc(to, &o));
        let changed = Term::ite(Term::eq(o.clone(), object.clone()), Term::truth(now), before);
        vec![Term::forall(vec![o], vec![vec![after.clone()]], Term::eq(after, changed))]
    }

    /// Blocking pointers stay as they are.
    pub fn same_blocking(&self, from: &Term, to: &Term) -> Vec<Term> {
        let p = self.fresh(self.words.pointer.clone());
        let (before, after) = (self.words.is_blocking(from, &p), self.words.is_blocking(to, &p));
        vec![Term::forall(vec![p], vec![vec![after.clone()]], Term::eq(after, before))]
    }

    fn same_content(&self, from: &Term, to: &Term) -> Vec<Term> {
        let p = self.fresh(self.words.pointer.clone());
        let same = |width: u8| {
            let (before, after) = (self.words.mem(from, width, &p)?, self.words.mem(to, width, &p)?);
            Some(Term::forall(vec![p.clone()], vec![vec![after.clone()]], Term::eq(after, before)))
        };
        WIDTHS.into_iter().filter_map(same).collect()
    }

    /// Contents outside of an object stay.
    fn content_but(&self, from: &Term, to: &Term, object: &Term) -> Vec<Term> {
        let p = self.fresh(self.words.pointer.clone());
        let inside = Term::eq(self.words.obj(&p), object.clone());
        let same = |width: u8| {
            let (before, after) = (self.words.mem(from, width, &p)?, self.words.mem(to, width, &p)?);
            let kept = Term::or([inside.clone(), Term::eq(after.clone(), before)]);
            Some(Term::forall(vec![p.clone()], vec![vec![after]], kept))
        };
        WIDTHS.into_iter().filter_map(same).collect()
    }

    fn same_links(&self, from: &Term, to: &Term, field: &LinkField) -> Vec<Term> {
        let p = self.fresh(self.words.pointer.clone());
        let same = |function: &Function| {
            let (before, after) = (function.apply([from.clone(), p.clone()]), function.apply([to.clone(), p.clone()]));
            Term::forall(vec![p.clone()], vec![vec![after.clone()]], Term::eq(after, before))
        };
        vec![same(&field.link), same(&field.next)]
    }

    /// Some links end and some pointers become blocking; lists without any of them stay as they are.
    fn cut(
        &self,
        from: &Term,
        to: &Term,
        field: &LinkField,
        killed: Killed<'_>,
        blocked: &dyn Fn(&Term, &Term) -> Term,
        name: &str,
    ) -> Vec<Term> {
        let words = self.words;
        let [u, v, y] = [(); 3].map(|()| self.fresh(words.pointer.clone()));
        let at = |function: &Function, heap: &Term| function.apply([heap.clone(), u.clone()]);
        let mut all = Vec::new();
        let stays = Term::and([at(&field.link, from), killed(field, &u).not()]);
        let after = at(&field.link, to);
        all.push(Term::forall(vec![u.clone()], vec![vec![after.clone()]], Term::eq(after, stays)));
        let after = at(&field.next, to);
        all.push(Term::forall(vec![u.clone()], vec![vec![after.clone()]], Term::eq(after, at(&field.next, from))));
        let touched = Function::new(format!("touched.{name}").as_str(), vec![words.pointer.clone()], Sort::Bool);
        let is_touched = touched.apply([u.clone()]);
        let reach = |heap: &Term, a: &Term, b: &Term| field.reach.apply([heap.clone(), a.clone(), b.clone()]);
        let change = Term::or([killed(field, &y), blocked(&u, &y)]);
        let why = Term::exists(
            vec![y.clone()],
            vec![vec![reach(from, &u, &y)]],
            Term::and([reach(from, &u, &y), change]),
        );
        all.push(Term::forall(vec![u.clone()], vec![vec![is_touched.clone()]], Term::implies(is_touched.clone(), why)));
        let (before, after) = (reach(from, &u, &v), reach(to, &u, &v));
        let kept = Term::or([is_touched.clone(), Term::eq(after.clone(), before)]);
        all.push(Term::forall(vec![u.clone(), v], vec![vec![after]], kept));
        let (before, after) = (at(&field.block, from), at(&field.block, to));
        let kept = Term::or([is_touched, Term::eq(after.clone(), before)]);
        all.push(Term::forall(vec![u], vec![vec![after]], kept));
        all
    }

    /// A cell leads to a pointer from now on, if `makes` holds; links that it overlaps otherwise end.
    #[allow(clippy::too_many_arguments)]
    fn linked(
        &self,
        from: &Term,
        to: &Term,
        field: &LinkField,
        base: &Term,
        value: &Term,
        makes: Term,
        killed: Killed<'_>,
        name: &str,
    ) -> Vec<Term> {
        let words = self.words;
        let [u, v, y] = [(); 3].map(|()| self.fresh(words.pointer.clone()));
        let at = |function: &Function, heap: &Term, p: &Term| function.apply([heap.clone(), p.clone()]);
        let here = |p: &Term| Term::and([makes.clone(), Term::eq(p.clone(), base.clone())]);
        let mut all = Vec::new();
        let stays = Term::and([at(&field.link, from, &u), killed(field, &u).not()]);
        let after = at(&field.link, to, &u);
        let now = Term::or([here(&u), stays]);
        all.push(Term::forall(vec![u.clone()], vec![vec![after.clone()]], Term::eq(after, now)));
        let after = at(&field.next, to, &u);
        let now = Term::ite(here(&u), value.clone(), at(&field.next, from, &u));
        all.push(Term::forall(vec![u.clone()], vec![vec![after.clone()]], Term::eq(after, now)));

        let touched = Function::new(format!("touched.{name}").as_str(), vec![words.pointer.clone()], Sort::Bool);
        let is_touched = touched.apply([u.clone()]);
        let reach = |heap: &Term, a: &Term, b: &Term| field.reach.apply([heap.clone(), a.clone(), b.clone()]);
        let why = Term::exists(
            vec![y.clone()],
            vec![vec![reach(from, &u, &y)]],
            Term::and([reach(from, &u, &y), killed(field, &y)]),
        );
        all.push(Term::forall(vec![u.clone()], vec![vec![is_touched.clone()]], Term::implies(is_touched.clone(), why)));

        let through = Term::and([makes.clone(), reach(from, &u, base)]);
        let value_touched = touched.apply([value.clone()]);
        let any = Term::or([is_touched, Term::and([through.clone(), value_touched])]);
        let stops = words.is_blocking(from, value);
        let old = reach(from, &u, &v);
        let new = Term::or([
            Term::and([old.clone(), reach(from, base, &v).not()]),
            Term::eq(v.clone(), base.clone()),
            Term::and([stops.clone().not(), reach(from, value, &v)]),
        ]);
        let after = reach(to, &u, &v);
        let kept = Term::or([any.clone(), Term::eq(after.clone(), Term::ite(through.clone(), new, old))]);
        all.push(Term::forall(vec![u.clone(), v], vec![vec![after]], kept));
        let new = Term::ite(stops, value.clone(), at(&field.block, from, value));
        let after = at(&field.block, to, &u);
        let now = Term::ite(through, new, at(&field.block, from, &u));
        all.push(Term::forall(vec![u], vec![vec![after.clone()]], Term::or([any, Term::eq(after, now)])));
        all
    }
}

/// A heap as part of a name.
fn heap_name(heap: &Term) -> String {
    heap.to_string()
}
