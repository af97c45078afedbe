//! What always holds: of objects, of the contents of a base, and of lists (figure 11 of the paper), as quantifiers with triggers.

use super::heap::{FieldWords, Heap, Source, Step, WIDTHS};
use super::words::{LARGEST, Pointer, PointerFunction, Words, limit};
use heapproof_ir::Program;
use heapproof_logic::Term;

/// A quantifier over pointers.
fn law(vars: &[&Pointer], triggers: Vec<Vec<Term>>, body: Term) -> Term {
    Term::forall(vars.iter().flat_map(|pointer| pointer.parts()).collect(), triggers, body)
}

impl Words {
    /// Facts about objects that no heap changes. Globals are different objects.
    pub fn axioms(&self, program: &Program) -> Vec<Term> {
        let o = self.bound_object();
        let size = self.size(&o);
        let mut objects = vec![self.null_object.clone(), self.nowhere.object.clone()];
        let mut facts = vec![Term::forall(
            vec![o],
            vec![vec![size.clone()]],
            Term::and([Term::int_le(Term::int(0), size.clone()), Term::int_le(size, Term::int(LARGEST))]),
        )];
        // The number of an integer is known, that of an address only has a range.
        let p = self.bound();
        let number = self.num(&p);
        let half = limit(self.word).unwrap_or(i128::MAX);
        let known = Term::or([
            Term::ne(p.object.clone(), self.null_object.clone()),
            Term::int_lt(p.offset.clone(), Term::int(-half)),
            Term::int_le(Term::int(half), p.offset.clone()),
            Term::eq(number.clone(), p.offset.clone()),
        ]);
        let range =
            [Term::int_le(Term::int(-half), number.clone()), Term::int_lt(number.clone(), Term::int(half))];
        facts.push(law(&[&p], vec![vec![number]], Term::and([known].into_iter().chain(range))));
        for global in program.globals.values() {
            let object = self.global(&global.name);
            facts.push(Term::eq(self.size(&object), Term::int(global.size.into())));
            objects.push(object);
        }
        facts.push(Term::distinct(objects));
        facts
    }

    /// What holds of a base: globals are allocated, numbers have the range of their bytes, and the laws of lists.
    pub fn laws(&self, program: &Program, heap: &Heap) -> Vec<Term> {
        let Some(base) = heap.as_base() else { return Vec::new() };
        let p = self.bound();
        let mut all = Vec::new();
        if let Source::Own(alloc) = &base.alloc {
            all.push(alloc.apply([self.null_object.clone()]).not());
            all.push(alloc.apply([self.nowhere.object.clone()]).not());
            let globals = program.globals.values().map(|global| alloc.apply([self.global(&global.name)]));
            all.extend(globals);
        }
        if let Source::Own(blocking) = &base.blocking {
            all.push(blocking.apply(self.nowhere.parts()).not());
        }
        for (index, width) in WIDTHS.into_iter().enumerate() {
            let content = match width == self.word {
                true => base.word.apply(&p).offset,
                false => base.ints[index].apply(p.parts()),
            };
            if let Some(half) = limit(width) {
                let range = [
                    Term::int_le(Term::int(-half), content.clone()),
                    Term::int_lt(content.clone(), Term::int(half)),
                ];
                let trigger = if width == self.word { base.word.call(&p) } else { content };
                all.push(law(&[&p], vec![vec![trigger]], Term::and(range)));
            }
        }
        for (index, field) in base.fields.iter().enumerate() {
            all.extend(self.lists(heap, &base.word, index, field));
        }
        all
    }

    /// The axioms of figure 11, with lists that may end at a cell that is no link.
    fn lists(&self, heap: &Heap, word: &PointerFunction, index: usize, field: &FieldWords) -> Vec<Term> {
        let [x, y, z] = [self.bound(), self.bound(), self.bound()];
        let offset = self.fields[index].offset;
        let reach = |a: &Pointer, b: &Pointer| heap.reach(self, index, a, b);
        let next = field.next.apply(&x);
        let link = field.link.apply(x.parts());
        let block = |a: &Pointer| field.block.apply(a);
        let blocking = |a: &Pointer| heap.blocking(a);
        let stop = block(&x);
        let cell = x.at(offset);
        let (xy, yx, yz, xz) = (reach(&x, &y), reach(&y, &x), reach(&y, &z), reach(&x, &z));
        let content = word.apply(&x);
        // The pointer whose cell lies at x.
        let owner = x.at(-offset);
        let owner_link = field.link.apply(owner.parts());
        let no = Term::not;
        let steps = |body: Term| law(&[&x], vec![vec![field.next.call(&x)]], body);
        vec![
            // Links are cells of allocated objects, and hold what they lead to.
            law(
                &[&x],
                vec![vec![link.clone()]],
                Term::implies(link.clone(), heap.valid(self, &cell, Term::int(self.word.into()))),
            ),
            law(
                &[&x],
                vec![vec![word.call(&x)]],
                Term::implies(owner_link, field.next.apply(&owner).equals(&content)),
            ),
            // Reflexivity, antisymmetry, transitivity, ordering.
            law(&[&x, &y], vec![vec![xy.clone()]], Term::and([reach(&x, &x), reach(&y, &y)])),
            law(
                &[&x, &y],
                vec![vec![xy.clone(), yx.clone()]],
                Term::or([no(xy.clone()), no(yx), x.equals(&y)]),
            ),
            law(
                &[&x, &y, &z],
                vec![vec![xy.clone(), yz.clone()]],
                Term::or([no(xy.clone()), no(yz.clone()), xz.clone()]),
            ),
            // Which of two members comes first is looked at where somebody asks for one of them from the other.
            law(
                &[&x, &y, &z],
                vec![vec![xy.clone(), xz.clone(), yz.clone()]],
                Term::or([
                    no(xy.clone()),
                    no(xz.clone()),
                    yz,
                    Term::and([reach(&z, &y), Term::truth(!fault!(16))]),
                ]),
            ),
            // One step.
            steps(Term::or([no(link.clone()), blocking(&next), reach(&x, &next)])),
            law(
                &[&x, &z],
                vec![vec![xz.clone(), field.next.call(&x)]],
                Term::or([
                    no(xz.clone()),
                    x.equals(&z),
                    Term::and([link.clone(), no(blocking(&next)), reach(&next, &z)]),
                ]),
            ),
            law(&[&x, &z], vec![vec![xz.clone()]], Term::or([no(xz), x.equals(&z), link.clone()])),
            // Lists are well founded.
            steps(Term::or([
                no(link.clone()),
                no(reach(&next, &x)),
                Term::and([blocking(&next), Term::truth(!fault!(15))]),
            ])),
            law(
                &[&x, &y],
                vec![vec![xy.clone()]],
                Term::or([no(xy.clone()), no(blocking(&y)), x.equals(&y)]),
            ),
            // What stops a list.
            steps(Term::or([no(link.clone()), no(blocking(&next)), stop.equals(&next)])),
            law(
                &[&x],
                vec![vec![field.block.call(&x)]],
                Term::and([
                    Term::or([stop.equals(&self.nowhere), blocking(&stop)]),
                    Term::or([link, stop.equals(&self.nowhere)]),
                ]),
            ),
            law(&[&x, &y], vec![vec![xy.clone()]], Term::implies(xy, stop.equals(&block(&y)))),
        ]
    }

    /// No list leads to an object that is about to be made.
    pub fn leads_nowhere(&self, heap: &Heap, field: usize, object: &Term) -> Term {
        let (u, v) = (self.bound(), self.bound());
        let v = Pointer { object: object.clone(), ..v };
        let reach = heap.reach(self, field, &u, &v);
        let vars = vec![u.object.clone(), u.offset.clone(), v.offset.clone()];
        let patterns = super::formula::triggers(&reach, &vars);
        Term::forall(vars, patterns, Term::or([reach.not(), u.equals(&v)]))
    }

    /// What a step adds that the formulas for its layer do not say.
    pub fn step_facts(&self, heap: &Heap) -> Vec<Term> {
        match heap.last() {
            Some((below, Step::End(object))) => {
                let fields = 0..self.fields.len();
                fields.map(|field| self.cut_lists(heap, below, object, field)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// A list that the end of an object cuts has a link there.
    fn cut_lists(&self, heap: &Heap, below: &Heap, object: &Term, field: usize) -> Term {
        let u = self.bound();
        let y = self.pointer_function(&format!("hit.{field}.{}", heap.id())).apply(&u);
        let touched = heap.touched(self, field).apply(u.parts());
        let why = Term::and([
            below.reach(self, field, &u, &y),
            below.link(field, &y),
            Term::eq(y.object.clone(), object.clone()),
        ]);
        law(&[&u], vec![vec![touched.clone()]], Term::implies(touched, why))
    }
}
