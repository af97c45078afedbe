//! Heaps: a *base* is a memory of which only facts are known; a *layer* is one step of the program over another heap.
//!
//! Questions about a layer are answered by formulas about what lies below: contents through stores, and for every link
//! field what is reachable (`R`) and the first blocking pointer (`B`), by the updates of section 5 of the paper and the
//! ones for changes of `BS` that it leaves out. No quantifier is needed for that; only the end of an object, which may
//! cut a list anywhere, has a predicate of its own.

use super::words::{Pointer, PointerFunction, Words, limit, unsigned, wrapped};
use heapproof_logic::{Function, Op, Sort, Term};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The widths of accesses in bytes.
pub const WIDTHS: [u8; 4] = [1, 2, 4, 8];

/// What lies in some bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Content {
    /// As many bytes as a pointer has.
    Word(Pointer),
    /// A number with sign.
    Int(Term),
}

/// A step of the program.
#[derive(Clone, Debug)]
pub enum Step {
    /// Bytes are stored.
    Store {
        /// Where.
        at: Pointer,
        /// How many.
        bytes: u8,
        /// What; none if it is not known.
        value: Option<Content>,
        /// For each link field, what happens to its links.
        links: Vec<Change>,
    },
    /// A pointer becomes blocking.
    Block(Pointer),
    /// A pointer is blocking no longer.
    Unblock(Pointer),
    /// A new object; all its pointers are blocking if it comes from `malloc`.
    New {
        /// It.
        object: Term,
        /// It comes from `malloc`.
        blocking: bool,
    },
    /// An object ends.
    End(Term),
}

/// What a store does to the links of a field.
#[derive(Clone, Debug)]
pub enum Change {
    /// The cell of this pointer leads elsewhere, if the condition holds.
    Lead {
        /// The pointer whose cell it is.
        base: Pointer,
        /// It is a link from now on.
        makes: Term,
    },
    /// The cell of this pointer is a link from now on if the condition holds, and none otherwise.
    Copy {
        /// The pointer whose cell it is.
        base: Pointer,
        /// It is a link from now on.
        makes: Term,
    },
    /// The cells of these pointers are links no longer.
    Kill(Vec<Pointer>),
}

/// The words of a base.
pub struct Base {
    pub(super) alloc: Source,
    pub(super) blocking: Source,
    /// Contents by width; for the width of a pointer, object and offset.
    pub(super) ints: [Function; 4],
    pub(super) word: PointerFunction,
    pub(super) fields: Vec<FieldWords>,
}

/// The words of a link field in a base.
pub(super) struct FieldWords {
    pub link: Function,
    pub next: PointerFunction,
    pub reach: Function,
    pub block: PointerFunction,
}

/// Where a base has something from.
pub(super) enum Source {
    /// It is not known.
    Own(Function),
    /// It is as in another heap.
    As(Heap),
}

enum Node {
    Base(Base),
    Layer(Heap, Step),
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Question {
    Mem(u8, Pointer),
    Alloc(Term),
    Blocking(Pointer),
    Link(usize, Pointer),
    Reach(usize, Pointer, Pointer),
    Block(usize, Pointer),
}

#[derive(Clone)]
enum Known {
    Term(Term),
    Content(Content),
    Pointer(Pointer),
}

struct Inner {
    id: u64,
    node: Node,
    known: RefCell<HashMap<Question, Known>>,
}

/// A heap.
#[derive(Clone)]
pub struct Heap(Rc<Inner>);

impl PartialEq for Heap {
    fn eq(&self, other: &Heap) -> bool {
        self.0.id == other.0.id
    }
}

impl Heap {
    fn new(words: &Words, node: Node) -> Heap {
        Heap(Rc::new(Inner { id: words.next(), node, known: RefCell::default() }))
    }

    /// A heap of which nothing is known; allocation and blocking pointers may be those of other heaps.
    pub fn base(words: &Words, alloc: Option<&Heap>, blocking: Option<&Heap>) -> Heap {
        let number = words.next();
        let pointer = || vec![words.object.clone(), Sort::Int];
        let function =
            |name: String, args: Vec<Sort>, result: &Sort| Function::new(name.as_str(), args, result.clone());
        let pair = |name: String| words.pointer_function(&name);
        let fields = words.fields.iter().enumerate().map(|(index, field)| {
            let named = |what: &str| format!("{what}.{}{index}.{number}", field.name);
            FieldWords {
                link: function(named("link"), pointer(), &Sort::Bool),
                next: pair(named("next")),
                reach: function(named("reach"), [pointer(), pointer()].concat(), &Sort::Bool),
                block: pair(named("block")),
            }
        });
        let base = Base {
            alloc: match alloc {
                Some(heap) => Source::As(heap.clone()),
                None => {
                    Source::Own(function(format!("alloc.{number}"), vec![words.object.clone()], &Sort::Bool))
                }
            },
            blocking: match blocking {
                Some(heap) => Source::As(heap.clone()),
                None => Source::Own(function(format!("bs.{number}"), pointer(), &Sort::Bool)),
            },
            ints: WIDTHS.map(|width| function(format!("mem{width}.{number}"), pointer(), &Sort::Int)),
            word: pair(format!("mem.{number}")),
            fields: fields.collect(),
        };
        Heap::new(words, Node::Base(base))
    }

    /// The heap after a step.
    pub fn after(&self, words: &Words, step: Step) -> Heap {
        Heap::new(words, Node::Layer(self.clone(), step))
    }

    /// The words of a base.
    pub(super) fn as_base(&self) -> Option<&Base> {
        match &self.0.node {
            Node::Base(base) => Some(base),
            Node::Layer(..) => None,
        }
    }

    /// The last step and the heap before it.
    pub fn last(&self) -> Option<(&Heap, &Step)> {
        match &self.0.node {
            Node::Base(_) => None,
            Node::Layer(below, step) => Some((below, step)),
        }
    }

    /// The number of the heap: equal heaps have equal ones.
    pub fn id(&self) -> u64 {
        self.0.id
    }

    fn recall(&self, question: Question, find: impl FnOnce() -> Known) -> Known {
        if let Some(known) = self.0.known.borrow().get(&question) {
            return known.clone();
        }
        let found = find();
        self.0.known.borrow_mut().insert(question, found.clone());
        found
    }

    fn recall_term(&self, question: Question, find: impl FnOnce() -> Term) -> Term {
        match self.recall(question, || Known::Term(find())) {
            Known::Term(term) => term,
            _ => unreachable!("the kind follows from the question"),
        }
    }

    /// The content of some bytes; none for a width that no access has.
    pub fn mem(&self, words: &Words, bytes: u8, p: &Pointer) -> Option<Content> {
        if !WIDTHS.contains(&bytes) {
            return None;
        }
        let found =
            self.recall(Question::Mem(bytes, p.clone()), || Known::Content(self.find_mem(words, bytes, p)));
        match found {
            Known::Content(content) => Some(content),
            _ => None,
        }
    }

    /// The pointer that is stored at a pointer.
    pub fn word(&self, words: &Words, p: &Pointer) -> Pointer {
        match self.mem(words, words.word, p) {
            Some(Content::Word(pointer)) => pointer,
            _ => unreachable!("a word is a pointer"),
        }
    }

    fn find_mem(&self, words: &Words, bytes: u8, p: &Pointer) -> Content {
        match &self.0.node {
            Node::Base(base) => base.mem(words, bytes, p),
            Node::Layer(below, step) => {
                let rest = || below.mem(words, bytes, p).expect("the width is known");
                match step {
                    Step::Store { at, bytes: wide, value, .. } => {
                        self.through(words, (at, *wide, value), bytes, p, rest)
                    }
                    Step::Block(_) | Step::Unblock(_) => rest(),
                    Step::New { object, .. } | Step::End(object) => {
                        let inside = Term::eq(p.object.clone(), object.clone());
                        let unknown = self.unknown(words, bytes, p);
                        choose(&inside, &unknown, rest)
                    }
                }
            }
        }
    }

    /// A read of some bytes after a store.
    fn through(
        &self,
        words: &Words,
        (at, wide, value): (&Pointer, u8, &Option<Content>),
        bytes: u8,
        p: &Pointer,
        rest: impl FnOnce() -> Content,
    ) -> Content {
        let unknown = || self.unknown(words, bytes, p);
        if let Some(distance) = p.distance(at) {
            if distance >= i128::from(wide) || distance + i128::from(bytes) <= 0 {
                return rest();
            }
            let Some(value) = value else { return unknown() };
            if distance == 0 && bytes == wide {
                return value.clone();
            }
            // A wide read of bytes that were all stored one by one needs nothing of what was there before.
            if wide < bytes
                && let Some(number) = self.known_bytes(words, bytes, p)
            {
                return number;
            }
            return spliced(words, (value, wide), distance, bytes, rest).unwrap_or_else(unknown);
        }
        let same_object = Term::eq(p.object.clone(), at.object.clone());
        if same_object.as_bool() == Some(false) {
            return rest();
        }
        let offset = |term: &Term, more: i128| Term::int_add(term.clone(), Term::int(more));
        let overlap = Term::and([
            same_object.clone(),
            Term::int_lt(p.offset.clone(), offset(&at.offset, wide.into())),
            Term::int_lt(at.offset.clone(), offset(&p.offset, bytes.into())),
        ]);
        let rest = rest();
        let outside = if fault!(18) { rest } else { choose(&overlap, &unknown(), || rest.clone()) };
        match value {
            Some(value) if bytes == wide => {
                let here = Term::and([same_object, Term::eq(p.offset.clone(), at.offset.clone())]);
                choose(&here, value, || outside)
            }
            _ => outside,
        }
    }

    /// The number that some bytes hold, if each of them is a known number.
    fn known_bytes(&self, words: &Words, bytes: u8, p: &Pointer) -> Option<Content> {
        let mut sum = 0i128;
        for index in 0..bytes {
            let Some(Content::Int(byte)) = self.mem(words, 1, &p.at(index.into())) else { return None };
            sum += byte.as_int()?.rem_euclid(256) << (8 * u32::from(index));
        }
        let number = wrapped(Term::int(sum), 8 * u32::from(bytes));
        Some(if bytes == words.word { Content::Word(words.number(number)) } else { Content::Int(number) })
    }

    fn unknown(&self, words: &Words, bytes: u8, p: &Pointer) -> Content {
        let args = vec![words.object.clone(), Sort::Int];
        let name = format!("any{bytes}.{}", self.0.id);
        if bytes == words.word {
            return Content::Word(words.pointer_function(&name).apply(p));
        }
        let number = Function::new(name.as_str(), args, Sort::Int).apply(p.parts());
        Content::Int(within(number, bytes))
    }

    /// An object is allocated.
    pub fn alloc(&self, object: &Term) -> Term {
        self.recall_term(Question::Alloc(object.clone()), || match &self.0.node {
            Node::Base(base) => match &base.alloc {
                Source::Own(function) => function.apply([object.clone()]),
                Source::As(heap) => heap.alloc(object),
            },
            Node::Layer(below, step) => {
                let changed = |which: &Term, now: bool| {
                    let is = Term::eq(object.clone(), which.clone());
                    Term::ite(is, Term::truth(now), below.alloc(object))
                };
                match step {
                    Step::New { object: new, .. } => changed(new, true),
                    Step::End(old) => changed(old, false),
                    _ => below.alloc(object),
                }
            }
        })
    }

    /// A pointer is blocking.
    pub fn blocking(&self, p: &Pointer) -> Term {
        self.recall_term(Question::Blocking(p.clone()), || match &self.0.node {
            Node::Base(base) => match &base.blocking {
                Source::Own(function) => function.apply(p.parts()),
                Source::As(heap) => heap.blocking(p),
            },
            Node::Layer(below, step) => {
                let rest = below.blocking(p);
                match step {
                    Step::Block(e) => Term::or([p.equals(e), rest]),
                    Step::Unblock(e) => Term::and([p.equals(e).not(), rest]),
                    Step::New { object, blocking: true } => {
                        Term::or([Term::eq(p.object.clone(), object.clone()), rest])
                    }
                    _ => rest,
                }
            }
        })
    }

    /// The cell of a field at a pointer is a link.
    pub fn link(&self, field: usize, p: &Pointer) -> Term {
        self.recall_term(Question::Link(field, p.clone()), || match &self.0.node {
            Node::Base(base) => base.fields[field].link.apply(p.parts()),
            Node::Layer(below, step) => {
                let rest = below.link(field, p);
                match step {
                    Step::Store { links, .. } => match &links[field] {
                        Change::Lead { base, makes } => {
                            Term::or([Term::and([makes.clone(), p.equals(base)]), rest])
                        }
                        Change::Copy { .. } if fault!(8) => rest,
                        Change::Copy { base, makes } => Term::ite(p.equals(base), makes.clone(), rest),
                        Change::Kill(_) if fault!(6) => rest,
                        Change::Kill(bases) => {
                            Term::and([rest].into_iter().chain(bases.iter().map(|base| p.equals(base).not())))
                        }
                    },
                    Step::New { object, .. } | Step::End(object) => {
                        Term::and([rest, Term::ne(p.object.clone(), object.clone())])
                    }
                    Step::Block(_) | Step::Unblock(_) => rest,
                }
            }
        })
    }

    /// A pointer is in the list from another one.
    pub fn reach(&self, words: &Words, field: usize, u: &Pointer, v: &Pointer) -> Term {
        self.recall_term(Question::Reach(field, u.clone(), v.clone()), || self.find_reach(words, field, u, v))
    }

    fn find_reach(&self, words: &Words, field: usize, u: &Pointer, v: &Pointer) -> Term {
        let (below, step) = match &self.0.node {
            Node::Base(base) => {
                let [a, b] = u.parts();
                let [c, d] = v.parts();
                return base.fields[field].reach.apply([a, b, c, d]);
            }
            Node::Layer(below, step) => (below, step),
        };
        let reach = |a: &Pointer, b: &Pointer| below.reach(words, field, a, b);
        match step {
            Step::Store { links, value, .. } => match &links[field] {
                Change::Lead { base, makes } | Change::Copy { base, makes } => {
                    let y = lead(words, value);
                    let through = Term::and([makes.clone(), reach(u, base)]);
                    let new = Term::or([
                        Term::and([reach(u, v), Term::or([reach(base, v).not(), Term::truth(fault!(1))])]),
                        v.equals(base),
                        Term::and([
                            Term::or([below.blocking(&y).not(), Term::truth(fault!(2))]),
                            reach(&y, v),
                        ]),
                    ]);
                    let rest = match &links[field] {
                        Change::Copy { .. } => {
                            cut_all(words, below, field, std::slice::from_ref(base), u, v).0
                        }
                        _ => reach(u, v),
                    };
                    Term::ite(through, new, rest)
                }
                Change::Kill(_) if fault!(7) => reach(u, v),
                Change::Kill(bases) => cut_all(words, below, field, bases, u, v).0,
            },
            Step::Block(_) if fault!(4) => reach(u, v),
            Step::Block(e) => {
                let cut = Term::and([u.equals(e).not(), reach(u, e)]);
                Term::ite(cut, Term::and([reach(u, v), reach(e, v).not()]), reach(u, v))
            }
            Step::Unblock(_) if fault!(5) => reach(u, v),
            Step::Unblock(e) => {
                let stopped = below.block(words, field, u).equals(e);
                Term::or([reach(u, v), Term::and([stopped, reach(e, v)])])
            }
            Step::New { object, .. } => {
                let inside = Term::eq(u.object.clone(), object.clone());
                Term::ite(inside, u.equals(v), reach(u, v))
            }
            Step::End(_) if fault!(19) => reach(u, v),
            Step::End(_) => {
                let touched = self.touched(words, field).apply(u.parts());
                let args = [u.parts(), v.parts()].concat();
                let name = format!("cut.{field}.{}", self.0.id);
                let sorts = vec![words.object.clone(), Sort::Int, words.object.clone(), Sort::Int];
                let rest = Function::new(name.as_str(), sorts, Sort::Bool).apply(args);
                Term::ite(touched, Term::and([rest, reach(u, v)]), reach(u, v))
            }
        }
    }

    /// The first blocking pointer after a pointer.
    pub fn block(&self, words: &Words, field: usize, u: &Pointer) -> Pointer {
        let found = self
            .recall(Question::Block(field, u.clone()), || Known::Pointer(self.find_block(words, field, u)));
        match found {
            Known::Pointer(pointer) => pointer,
            _ => unreachable!("the kind follows from the question"),
        }
    }

    fn find_block(&self, words: &Words, field: usize, u: &Pointer) -> Pointer {
        let (below, step) = match &self.0.node {
            Node::Base(base) => {
                return base.fields[field].block.apply(u);
            }
            Node::Layer(below, step) => (below, step),
        };
        let rest = below.block(words, field, u);
        match step {
            Step::Store { links, value, .. } => match &links[field] {
                Change::Lead { base, makes } | Change::Copy { base, makes } => {
                    let y = lead(words, value);
                    let through = Term::and([makes.clone(), below.reach(words, field, u, base)]);
                    let stops = if fault!(3) { Term::truth(false) } else { below.blocking(&y) };
                    let new = Pointer::choose(&stops, &y, &below.block(words, field, &y));
                    let rest = match &links[field] {
                        Change::Copy { .. } => {
                            let cut = cut_all(words, below, field, std::slice::from_ref(base), u, u).1;
                            Pointer::choose(&cut, &words.nowhere, &rest)
                        }
                        _ => rest,
                    };
                    Pointer::choose(&through, &new, &rest)
                }
                Change::Kill(bases) => {
                    let cut = cut_all(words, below, field, bases, u, u).1;
                    Pointer::choose(&cut, &words.nowhere, &rest)
                }
            },
            Step::Block(e) => {
                let cut = Term::and([u.equals(e).not(), below.reach(words, field, u, e)]);
                Pointer::choose(&cut, e, &rest)
            }
            Step::Unblock(e) => Pointer::choose(&rest.equals(e), &below.block(words, field, e), &rest),
            Step::New { object, .. } => {
                let inside = Term::eq(u.object.clone(), object.clone());
                Pointer::choose(&inside, &words.nowhere, &rest)
            }
            Step::End(_) => {
                let touched = self.touched(words, field).apply(u.parts());
                Pointer::choose(&touched, &words.nowhere, &rest)
            }
        }
    }

    /// The predicate of lists that the end of an object cuts.
    pub(super) fn touched(&self, words: &Words, field: usize) -> Function {
        let name = format!("touched.{field}.{}", self.0.id);
        Function::new(name.as_str(), vec![words.object.clone(), Sort::Int], Sort::Bool)
    }

    /// Some bytes lie inside one allocated object.
    pub fn valid(&self, words: &Words, p: &Pointer, bytes: Term) -> Term {
        Term::and([
            self.alloc(&p.object),
            Term::int_le(Term::int(0), p.offset.clone()),
            Term::int_le(Term::int_add(p.offset.clone(), bytes), words.size(&p.object)),
        ])
    }
}

impl Base {
    fn mem(&self, words: &Words, bytes: u8, p: &Pointer) -> Content {
        if bytes == words.word {
            return Content::Word(self.word.apply(p));
        }
        let index = WIDTHS.iter().position(|known| *known == bytes).expect("the width is known");
        Content::Int(self.ints[index].apply(p.parts()))
    }
}

/// Where a link leads after a store.
fn lead(words: &Words, value: &Option<Content>) -> Pointer {
    match value {
        Some(Content::Word(pointer)) => pointer.clone(),
        _ => words.nowhere.clone(),
    }
}

/// What is left of a list when cells are links no longer, and whether it was cut.
fn cut_all(
    words: &Words,
    below: &Heap,
    field: usize,
    bases: &[Pointer],
    u: &Pointer,
    v: &Pointer,
) -> (Term, Term) {
    let reach = |a: &Pointer, b: &Pointer| below.reach(words, field, a, b);
    let is_cut = |base: &Pointer| Term::and([below.link(field, base), reach(u, base)]);
    let stays = |base: &Pointer| Term::or([is_cut(base).not(), v.equals(base), reach(base, v).not()]);
    let left = Term::and([reach(u, v)].into_iter().chain(bases.iter().map(stays)));
    (left, Term::or(bases.iter().map(is_cut)))
}

fn choose(condition: &Term, then: &Content, otherwise: impl FnOnce() -> Content) -> Content {
    match condition.as_bool() {
        Some(true) => return then.clone(),
        Some(false) => return otherwise(),
        None => {}
    }
    match (then, otherwise()) {
        (Content::Word(a), Content::Word(b)) => Content::Word(Pointer::choose(condition, a, &b)),
        (Content::Int(a), Content::Int(b)) => Content::Int(Term::ite(condition.clone(), a.clone(), b)),
        _ => unreachable!("contents of one width are of one kind"),
    }
}

/// A number that is in the range of some bytes, whatever the term says.
fn within(term: Term, bytes: u8) -> Term {
    match limit(bytes) {
        Some(half) => {
            let inside =
                [Term::int_le(Term::int(-half), term.clone()), Term::int_lt(term.clone(), Term::int(half))];
            Term::ite(Term::and(inside), term, Term::int(0))
        }
        None => term,
    }
}

/// A read that overlaps a store of another width or place at a known distance, byte by byte (little endian).
fn spliced(
    words: &Words,
    (value, wide): (&Content, u8),
    distance: i128,
    bytes: u8,
    rest: impl FnOnce() -> Content,
) -> Option<Content> {
    let number = |content: &Content, bytes: u8| match content {
        Content::Int(term) => Some(unsigned(term.clone(), 8 * u32::from(bytes))),
        Content::Word(pointer) if pointer.object == words.null_object => {
            Some(unsigned(pointer.offset.clone(), 8 * u32::from(bytes)))
        }
        Content::Word(_) => None,
    };
    let power = |bytes: i128| Term::int(1i128 << (8 * bytes));
    let low = |term: Term, bytes: i128| Term::op(Op::IntMod, [term, power(bytes)]);
    let high = |term: Term, bytes: i128| Term::op(Op::IntDiv, [term, power(bytes)]);
    let (stored, read) = (i128::from(wide), i128::from(bytes));
    let value = number(value, wide)?;
    // The stored bytes that are read, moved to their place.
    let (from, to) = (distance.max(0), (distance + read).min(stored));
    let part = low(high(value, if fault!(17) { 0 } else { from }), to - from);
    let place = from - distance;
    let moved = Term::int_mul(part, power(place));
    let all = if to - from == read {
        moved
    } else {
        let old = number(&rest(), bytes)?;
        let below = low(old.clone(), place);
        let above = Term::int_mul(high(old, place + to - from), power(place + to - from));
        Term::int_add(Term::int_add(below, moved), above)
    };
    let signed = wrapped(all, 8 * u32::from(bytes));
    Some(if bytes == words.word { Content::Word(words.number(signed)) } else { Content::Int(signed) })
}
