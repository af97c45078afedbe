//! Annotations as terms.

use super::heap::{Content, Heap};
use super::words::{Pointer, Words, unsigned, wrapped};
use crate::typed::{Form, Int, IntOp, Ptr, Set, Var};
use heapproof_ir::{LocalId, Program};
use heapproof_logic::{Function, Kind, Op, Sort, Term};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What variables are in a state.
pub trait Variables {
    /// The value of a variable as a pointer.
    fn pointer(&self, var: Var) -> Pointer;
    /// The value of a variable as a number with sign.
    fn number(&self, var: Var) -> Term;
    /// The object of a local.
    fn local(&self, local: LocalId) -> Term;
    /// The result of the function, as a pointer.
    fn result_pointer(&self) -> Pointer;
    /// The result of the function, as a number with sign.
    fn result_number(&self) -> Term;
}

/// A state in which an annotation is read.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The heap.
    pub heap: &'a Heap,
    /// The variables.
    pub variables: &'a dyn Variables,
    /// The state at the entry of the function, for `\old`.
    pub old: Option<&'a View<'a>>,
}

/// What a term is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It is assumed.
    Fact,
    /// Its negation is assumed: what holds for all is asked for one that is not known further.
    Goal,
    /// Both.
    Both,
}

impl Mode {
    fn opposite(self) -> Mode {
        match self {
            Mode::Fact => Mode::Goal,
            Mode::Goal => Mode::Fact,
            Mode::Both => Mode::Both,
        }
    }
}

/// A part of a set: an element for every value of some variables that satisfy a guard.
#[derive(Clone, Debug)]
pub struct Part {
    /// The variables.
    pub vars: Vec<Pointer>,
    /// When there is an element.
    pub guard: Term,
    /// The element.
    pub element: Pointer,
    /// How many bytes the cell at the element has.
    pub bytes: i128,
    /// For an array: its start, the number of its elements and their size.
    pub array: Option<(Pointer, Term, i128)>,
}

/// The values of the variables of quantifiers.
type Bound = BTreeMap<u32, Pointer>;

/// Turns trees into terms.
pub struct Formula<'a> {
    /// The program.
    pub program: &'a Program,
    /// The words.
    pub words: &'a Words,
    definitions: RefCell<Vec<Term>>,
    names: RefCell<HashMap<Pointer, Pointer>>,
}

impl<'a> Formula<'a> {
    /// For a program and its words.
    pub fn new(program: &'a Program, words: &'a Words) -> Formula<'a> {
        Formula { program, words, definitions: RefCell::default(), names: RefCell::default() }
    }

    /// What names for values of memory mean that were made since the last call: to be assumed together with the terms.
    pub fn definitions(&self) -> Vec<Term> {
        self.names.borrow_mut().clear();
        self.definitions.take()
    }

    /// A formula as a term.
    pub fn truth(&self, form: &Form, view: &View<'_>, mode: Mode) -> Term {
        self.form(form, view, &mut Bound::new(), mode)
    }

    /// A pointer.
    pub fn pointer(&self, ptr: &Ptr, view: &View<'_>) -> Pointer {
        self.ptr(ptr, view, &Bound::new())
    }

    /// The parts of a set.
    pub fn set(&self, set: &Set, view: &View<'_>) -> Vec<Part> {
        self.parts(set, view, &Bound::new())
    }

    fn form(&self, form: &Form, view: &View<'_>, bound: &mut Bound, mode: Mode) -> Term {
        match form {
            Form::Truth(value) => Term::truth(*value),
            Form::Not(inner) => self.form(inner, view, bound, mode.opposite()).not(),
            Form::And(a, b) => Term::and([self.form(a, view, bound, mode), self.form(b, view, bound, mode)]),
            Form::Or(a, b) => Term::or([self.form(a, view, bound, mode), self.form(b, view, bound, mode)]),
            Form::Implies(a, b) => {
                Term::implies(self.form(a, view, bound, mode.opposite()), self.form(b, view, bound, mode))
            }
            Form::Same(a, b) => {
                Term::eq(self.form(a, view, bound, Mode::Both), self.form(b, view, bound, Mode::Both))
            }
            Form::PtrEq(a, b) => self.ptr(a, view, bound).equals(&self.ptr(b, view, bound)),
            Form::ObjEq(a, b) => Term::eq(self.ptr(a, view, bound).object, self.ptr(b, view, bound).object),
            Form::IntEq(a, b) => Term::eq(self.int(a, view, bound), self.int(b, view, bound)),
            Form::IntLt(a, b) => Term::int_lt(self.int(a, view, bound), self.int(b, view, bound)),
            Form::IntLe(a, b) => Term::int_le(self.int(a, view, bound), self.int(b, view, bound)),
            Form::Alloc(ptr, bytes) => {
                let pointer = self.ptr(ptr, view, bound);
                view.heap.valid(self.words, &pointer, Term::int((*bytes).into()))
            }
            Form::Blocking(ptr) => view.heap.blocking(&self.ptr(ptr, view, bound)),
            Form::In(ptr, set) => self.member(&self.ptr(ptr, view, bound), set, view, bound),
            Form::Forall(var, set, body) => self.forall(*var, set, body, view, bound, mode),
            Form::Old(inner) => self.form(inner, view.old.unwrap_or(view), bound, mode),
        }
    }

    fn forall(
        &self,
        var: u32,
        set: &Set,
        body: &Form,
        view: &View<'_>,
        bound: &mut Bound,
        mode: Mode,
    ) -> Term {
        let is_open = bound.values().any(|pointer| pointer.object.is_open() || pointer.offset.is_open());
        let mut all = Vec::new();
        for part in self.parts(set, view, bound) {
            if mode == Mode::Goal && !is_open {
                // One that is not known further stands for all.
                let replace = part.vars.iter().flat_map(|var| {
                    let one = self.words.fresh_pointer("some");
                    var.parts().into_iter().zip(one.parts())
                });
                let replace = replace.collect();
                let guard = part.guard.substituted(&replace);
                let element = Pointer {
                    object: part.element.object.substituted(&replace),
                    offset: part.element.offset.substituted(&replace),
                };
                bound.insert(var, self.named(element));
                let body = self.form(body, view, bound, mode);
                all.push(Term::implies(guard, body));
            } else {
                bound.insert(var, part.element.clone());
                let body = self.form(body, view, bound, mode);
                all.push(match mode {
                    Mode::Fact => self.known_of_all(&part, &body, view),
                    _ => quantified(&part.vars, &part.guard, body),
                });
            }
            bound.remove(&var);
        }
        if mode == Mode::Fact && !is_open {
            all.extend(self.ends_of_array(var, set, body, view, bound));
        }
        Term::and(all)
    }

    /// What holds of all elements of an array holds of the first and the last one: said aloud, since no trigger names them.
    fn ends_of_array(
        &self,
        var: u32,
        set: &Set,
        body: &Form,
        view: &View<'_>,
        bound: &mut Bound,
    ) -> Vec<Term> {
        let (from, count, size) = match set {
            Set::Array(from, count, size) => (from, count, size),
            Set::Sized(inner, _) => return self.ends_of_array(var, inner, body, view, bound),
            _ => return Vec::new(),
        };
        let (start, count) = (self.ptr(from, view, bound), self.int(count, view, bound));
        let last = Term::int_mul(Term::int_sub(count.clone(), Term::int(1)), Term::int((*size).into()));
        let some = Term::int_lt(Term::int(0), count);
        [start.clone(), start.plus(last)]
            .into_iter()
            .map(|element| {
                bound.insert(var, element);
                let body = self.form(body, view, bound, Mode::Fact);
                bound.remove(&var);
                Term::implies(some.clone(), body)
            })
            .collect()
    }

    /// A list has its first element; said aloud, so that what holds of all elements is looked at for it.
    fn has_first(&self, from: &Pointer, field: usize, view: &View<'_>) {
        let first = view.heap.reach(self.words, field, from, from);
        if !first.is_open() && first.as_bool().is_none() {
            self.definitions.borrow_mut().push(first);
        }
    }

    /// A name for a pointer that is the result of a case distinction.
    pub fn named(&self, pointer: Pointer) -> Pointer {
        if pointer.object.is_open() || pointer.offset.is_open() {
            return pointer;
        }
        let is_plain = |term: &Term| !matches!(term.as_op(), Some((Op::Ite, _)));
        if is_plain(&pointer.object) && is_plain(&pointer.offset) {
            return pointer;
        }
        if let Some(name) = self.names.borrow().get(&pointer) {
            return name.clone();
        }
        let name = self.words.fresh_pointer("v");
        self.names.borrow_mut().insert(pointer.clone(), name.clone());
        let mut definitions = self.definitions.borrow_mut();
        definitions.push(Term::eq(name.object.clone(), pointer.object));
        definitions.push(Term::eq(name.offset.clone(), pointer.offset));
        name
    }

    /// A name for a number that is the result of a case distinction.
    pub fn named_int(&self, term: Term) -> Term {
        if term.is_open() || !matches!(term.as_op(), Some((Op::Ite, _))) {
            return term;
        }
        let name = self.words.fresh("v", Sort::Int);
        self.definitions.borrow_mut().push(Term::eq(name.clone(), term));
        name
    }

    fn ptr(&self, ptr: &Ptr, view: &View<'_>, bound: &Bound) -> Pointer {
        match ptr {
            Ptr::Number(int) => self.words.number(self.int(int, view, bound)),
            Ptr::Var(var) => view.variables.pointer(*var),
            Ptr::Bound(number) => bound[number].clone(),
            Ptr::Result => view.variables.result_pointer(),
            Ptr::Global(id) => {
                Pointer { object: self.words.global(&self.program.globals[*id].name), offset: Term::int(0) }
            }
            Ptr::Local(local) => Pointer { object: view.variables.local(*local), offset: Term::int(0) },
            Ptr::Plus(base, bytes) => self.ptr(base, view, bound).plus(self.int(bytes, view, bound)),
            Ptr::Load(at) => self.named(view.heap.word(self.words, &self.ptr(at, view, bound))),
            Ptr::Block(from, field) => {
                self.named(view.heap.block(self.words, *field, &self.ptr(from, view, bound)))
            }
            Ptr::Old(inner) => self.ptr(inner, view.old.unwrap_or(view), bound),
        }
    }

    fn int(&self, int: &Int, view: &View<'_>, bound: &Bound) -> Term {
        let typed = |number: Term, size: u8, signed: bool| {
            if signed { number } else { unsigned(number, 8 * u32::from(size)) }
        };
        match int {
            Int::Const(value) => Term::int(*value),
            Int::Var(var, size, signed) => typed(view.variables.number(*var), *size, *signed),
            Int::Bound(number, size, signed) => {
                let bits = 8 * u32::from(*size);
                typed(wrapped(self.words.num(&bound[number]), bits), *size, *signed)
            }
            Int::Result(size, signed) => typed(view.variables.result_number(), *size, *signed),
            Int::Load(at, size, signed) => {
                let at = self.ptr(at, view, bound);
                let number = match view.heap.mem(self.words, *size, &at) {
                    Some(Content::Int(term)) => term,
                    Some(Content::Word(pointer)) => self.words.num(&self.named(pointer)),
                    None => self.words.fresh("odd", Sort::Int),
                };
                typed(self.named_int(number), *size, *signed)
            }
            Int::Off(ptr) => self.ptr(ptr, view, bound).offset,
            Int::Num(ptr) => self.words.num(&self.ptr(ptr, view, bound)),
            Int::Op(op, a, b) => {
                let (a, b) = (self.int(a, view, bound), self.int(b, view, bound));
                match op {
                    IntOp::Add => Term::int_add(a, b),
                    IntOp::Sub => Term::int_sub(a, b),
                    IntOp::Mul => Term::int_mul(a, b),
                    IntOp::Div => quotient(&a, &b),
                    IntOp::Mod => {
                        let whole = Term::int_mul(quotient(&a, &b), b);
                        Term::int_sub(a, whole)
                    }
                }
            }
            Int::Truth(form) => {
                let holds = self.form(form, view, &mut bound.clone(), Mode::Both);
                Term::ite(holds, Term::int(1), Term::int(0))
            }
            Int::Cast(inner, size, signed) => {
                let number = self.int(inner, view, bound);
                typed(wrapped(number, 8 * u32::from(*size)), *size, *signed)
            }
            Int::Enum(inner, ty) => {
                let number = self.int(inner, view, bound);
                let name = format!("enum.{ty}");
                let other = Function::new(name.as_str(), vec![Sort::Int], Sort::Int).apply([number.clone()]);
                Term::ite(Term::int_lt(number.clone(), Term::int(0)), other, number)
            }
            Int::Old(inner) => self.int(inner, view.old.unwrap_or(view), bound),
        }
    }

    /// Is a pointer in a set?
    fn member(&self, p: &Pointer, set: &Set, view: &View<'_>, bound: &Bound) -> Term {
        match set {
            Set::Nothing => Term::truth(false),
            Set::Blocking => view.heap.blocking(p),
            Set::List(from, field) => {
                let from = self.ptr(from, view, bound);
                view.heap.reach(self.words, *field, &from, p)
            }
            Set::Shift(inner, by) => self.member(&p.at(-by), inner, view, bound),
            Set::Sized(inner, _) => self.member(p, inner, view, bound),
            Set::Union(a, b) => Term::or([self.member(p, a, view, bound), self.member(p, b, view, bound)]),
            Set::Inter(a, b) => Term::and([self.member(p, a, view, bound), self.member(p, b, view, bound)]),
            Set::Diff(a, b) => {
                Term::and([self.member(p, a, view, bound), self.member(p, b, view, bound).not()])
            }
            Set::Old(inner) => self.member(p, inner, view.old.unwrap_or(view), bound),
            Set::Array(from, count, size) => {
                let (start, count) = (self.ptr(from, view, bound), self.int(count, view, bound));
                in_array(p, &start, &count, (*size).into())
            }
            Set::Elements(_) | Set::Deref(_) => {
                let parts = self.parts(set, view, bound);
                Term::or(parts.iter().map(|part| part.some(|element| element.equals(p))))
            }
        }
    }

    fn parts(&self, set: &Set, view: &View<'_>, bound: &Bound) -> Vec<Part> {
        let words = self.words;
        let one = |x: Pointer, guard: Term| {
            vec![Part { vars: vec![x.clone()], guard, element: x, bytes: 1, array: None }]
        };
        match set {
            Set::Nothing => Vec::new(),
            Set::Elements(elements) => elements
                .iter()
                .map(|(ptr, bytes)| Part {
                    vars: Vec::new(),
                    guard: Term::truth(true),
                    element: self.ptr(ptr, view, bound),
                    bytes: (*bytes).into(),
                    array: None,
                })
                .collect(),
            Set::Blocking | Set::List(..) => {
                let x = words.bound();
                if let Set::List(from, field) = set {
                    self.has_first(&self.ptr(from, view, bound), *field, view);
                }
                let guard = self.member(&x, set, view, bound);
                one(x, guard)
            }
            Set::Array(from, count, size) => {
                let start = self.ptr(from, view, bound);
                let count = self.int(count, view, bound);
                let x = words.bound();
                let guard = in_array(&x, &start, &count, (*size).into());
                let mut parts = one(x, guard);
                parts[0].array = Some((start, count, (*size).into()));
                parts
            }
            Set::Shift(inner, by) => {
                let mut parts = self.parts(inner, view, bound);
                for part in &mut parts {
                    part.element = part.element.at(*by);
                    part.array = part.array.take().map(|(start, count, size)| (start.at(*by), count, size));
                }
                parts
            }
            Set::Deref(inner) => {
                let mut parts = self.parts(inner, view, bound);
                for part in &mut parts {
                    part.element = self.named(view.heap.word(words, &part.element));
                    part.bytes = 1;
                    part.array = None;
                }
                parts
            }
            Set::Union(a, b) => {
                let mut parts = self.parts(a, view, bound);
                parts.extend(self.parts(b, view, bound));
                parts
            }
            Set::Inter(a, b) | Set::Diff(a, b) => {
                let is_difference = matches!(set, Set::Diff(..));
                let mut parts = self.parts(a, view, bound);
                for part in &mut parts {
                    let other = self.member(&part.element, b, view, bound);
                    let other = if is_difference { other.not() } else { other };
                    part.guard = Term::and([part.guard.clone(), other]);
                    part.array = None;
                }
                parts
            }
            Set::Sized(inner, bytes) => {
                let mut parts = self.parts(inner, view, bound);
                parts.iter_mut().for_each(|part| part.bytes = (*bytes).into());
                parts
            }
            Set::Old(inner) => self.parts(inner, view.old.unwrap_or(view), bound),
        }
    }
}

/// The quotient by a positive number, rounded towards zero as C does.
fn quotient(a: &Term, b: &Term) -> Term {
    let minus = |term: Term| Term::int_sub(Term::int(0), term);
    let floor = |term: Term| Term::op(Op::IntDiv, [term, b.clone()]);
    let negative = Term::int_lt(a.clone(), Term::int(0));
    Term::ite(negative, minus(floor(minus(a.clone()))), floor(a.clone()))
}

/// A pointer is one of the elements of an array.
fn in_array(p: &Pointer, start: &Pointer, count: &Term, size: i128) -> Term {
    let distance = Term::int_sub(p.offset.clone(), start.offset.clone());
    let size = Term::int(size);
    Term::and([
        Term::eq(p.object.clone(), start.object.clone()),
        Term::int_le(Term::int(0), distance.clone()),
        Term::int_lt(distance.clone(), Term::int_mul(count.clone(), size.clone())),
        Term::eq(Term::op(Op::IntMod, [distance, size]), Term::int(0)),
    ])
}

impl Part {
    /// Some bytes overlap a cell of the part.
    pub fn overlaps(&self, p: &Pointer, bytes: i128) -> Term {
        let end = |pointer: &Pointer, bytes: Term| Term::int_add(pointer.offset.clone(), bytes);
        let meet = |start: &Pointer, length: Term| {
            Term::and([
                Term::eq(start.object.clone(), p.object.clone()),
                Term::int_lt(start.offset.clone(), end(p, Term::int(bytes))),
                Term::int_lt(p.offset.clone(), end(start, length)),
            ])
        };
        match &self.array {
            // The cells of an array follow each other: together they are one stretch.
            Some((start, count, size)) if *size == self.bytes => {
                let some = Term::int_lt(Term::int(0), count.clone());
                Term::and([some, meet(start, Term::int_mul(count.clone(), Term::int(*size)))])
            }
            _ => self.some(|element| meet(element, Term::int(self.bytes))),
        }
    }

    /// Something holds of an element.
    pub fn some(&self, holds: impl FnOnce(&Pointer) -> Term) -> Term {
        quantified(&self.vars, &self.guard, holds(&self.element).not()).not()
    }
}

/// Whatever satisfies the guard satisfies the body. Quantifiers inside each other become one, so that they are looked at
/// together.
pub fn quantified(vars: &[Pointer], guard: &Term, body: Term) -> Term {
    if vars.is_empty() {
        return Term::implies(guard.clone(), body);
    }
    quantified_where(vars, guard, body, &[], &[])
}

/// Like `quantified`, but looked at only where some terms occur, and by some other triggers, too.
pub fn quantified_where(
    vars: &[Pointer],
    guard: &Term,
    body: Term,
    occur: &[Term],
    also: &[Vec<Term>],
) -> Term {
    let mut all: Vec<Term> = vars.iter().flat_map(Pointer::parts).collect();
    let mut patterns = triggers(guard, &all);
    patterns.iter_mut().for_each(|pattern| pattern.extend(occur.iter().cloned()));
    patterns.extend(also.iter().cloned());
    let mut inner_body = body.clone();
    if let Kind::Quantifier(binder) = body.kind()
        && binder.for_all
    {
        let inner: Vec<Vec<Term>> = body.triggers().into_iter().map(<[Term]>::to_vec).collect();
        patterns =
            patterns.iter().flat_map(|a| inner.iter().map(|b| [a.clone(), b.clone()].concat())).collect();
        all.extend(binder.vars.iter().cloned());
        inner_body = body.args()[0].clone();
    }
    let whole = Term::implies(guard.clone(), inner_body);
    if whole.as_bool().is_some() {
        return whole;
    }
    if patterns.is_empty() {
        patterns = triggers(&whole, &all);
    }
    Term::forall(all, patterns, whole)
}

/// Applications that have all the variables among their arguments, alone or two together. Those of lists come first.
pub fn triggers(term: &Term, vars: &[Term]) -> Vec<Vec<Term>> {
    let wanted: BTreeSet<&Term> = vars.iter().collect();
    let mut found: Vec<(bool, Term, BTreeSet<&Term>)> = Vec::new();
    for term in Term::dag([term]) {
        let Kind::Call(function) = term.kind() else { continue };
        let direct: BTreeSet<&Term> = term.args().iter().filter_map(|arg| wanted.get(arg).copied()).collect();
        let is_plain = term.args().iter().all(|arg| !arg.is_open() || wanted.contains(arg));
        if !direct.is_empty() && is_plain {
            found.push((function.name().to_string().contains("reach"), term.clone(), direct));
        }
    }
    let lists: Vec<_> = found.iter().filter(|(is_list, ..)| *is_list).cloned().collect();
    let all = covering(&lists, wanted.len());
    if all.is_empty() { covering(&found, wanted.len()) } else { all }
}

fn covering(some: &[(bool, Term, BTreeSet<&Term>)], count: usize) -> Vec<Vec<Term>> {
    let single = some.iter().filter(|(_, _, has)| has.len() == count);
    let mut all: Vec<Vec<Term>> = single.map(|(_, term, _)| vec![term.clone()]).collect();
    if !all.is_empty() {
        return all;
    }
    for (index, (_, a, has)) in some.iter().enumerate() {
        for (_, b, more) in &some[index + 1..] {
            if has.union(more).count() == count {
                all.push(vec![a.clone(), b.clone()]);
            }
        }
    }
    all
}
