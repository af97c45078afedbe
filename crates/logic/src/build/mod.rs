//! Making terms. Every constructor simplifies what it is given, so that a term is in simple form from the start:
//! constants are folded, sums are in linear normal form, conjunctions and disjunctions are flat and sorted, reads of
//! arrays look through writes to other places. All arguments have to have the sorts that the operator needs.

mod array;
mod bits;
mod boolean;
mod extract;
mod linear;
mod order;
mod range;

use crate::value::mask;
use crate::{Kind, MAX_WIDTH, Name, Op, Sort, Term, Value, fold};
use std::collections::HashMap;

impl Term {
    /// A truth value.
    pub fn truth(value: bool) -> Term {
        Term::intern(Kind::Bool(value), Sort::Bool, Default::default())
    }

    /// A bit vector; bits above the width are dropped.
    pub fn bits(bits: u128, width: u8) -> Term {
        assert!((1..=MAX_WIDTH).contains(&width), "no width of a bit vector: {width}");
        Term::intern(Kind::Bits(bits & mask(width)), Sort::Bits(width), Default::default())
    }

    /// An integer.
    pub fn int(value: i128) -> Term {
        Term::intern(Kind::Int(value), Sort::Int, Default::default())
    }

    /// The variable of a name and a sort.
    pub fn var(name: impl Into<Name>, sort: Sort) -> Term {
        Term::intern(Kind::Var(name.into()), sort, Default::default())
    }

    /// The variable of a number, for a quantifier to bind. Nested quantifiers need different numbers.
    pub fn bound(number: u64, sort: Sort) -> Term {
        Term::var(Name::Bound(number), sort)
    }

    /// An operator applied to arguments, simplified.
    pub fn op(op: Op, args: impl IntoIterator<Item = Term>) -> Term {
        let args: Vec<Term> = args.into_iter().collect();
        if let Some(value) = folded(op, &args) {
            return value;
        }
        match op {
            Op::Not => boolean::not(one(op, args)),
            Op::And => boolean::junction(true, args),
            Op::Or => boolean::junction(false, args),
            Op::Distinct => boolean::distinct(args),
            Op::Eq => two(op, args, order::eq),
            Op::Ite => three(op, args, boolean::ite),
            Op::Bv(bv) => bits::nary(bv, args),
            Op::BvNot => bits::not(one(op, args)),
            Op::Rel(rel) => two(op, args, |a, b| order::rel(rel, a, b)),
            Op::Extract { high, low } => extract::extract(high, low, one(op, args)),
            Op::Concat => two(op, args, extract::concat),
            Op::ZeroExtend(by) => extract::extend(by, false, one(op, args)),
            Op::SignExtend(by) => extract::extend(by, true, one(op, args)),
            Op::IntAdd => linear::int_sum(args),
            Op::IntMul => linear::int_product(args),
            Op::IntDiv | Op::IntMod => two(op, args, |a, b| linear::int_division(op, a, b)),
            Op::IntLe => two(op, args, |a, b| order::int_rel(false, a, b)),
            Op::IntLt => two(op, args, |a, b| order::int_rel(true, a, b)),
            Op::Select => two(op, args, array::select),
            Op::Store => three(op, args, array::store),
            Op::SepStar => boolean::star(args),
            Op::BitsToInt
            | Op::IntToBits(_)
            | Op::SepEmp
            | Op::SepWand
            | Op::PointsTo
            | Op::ConstArray
            | Op::SepNil => Term::raw(op, args),
        }
    }

    /// For all values of some variables the body holds. A trigger is a set of terms that together have all
    /// variables: where such terms turn up, a solver looks at the body with their arguments.
    pub fn forall(vars: Vec<Term>, triggers: Vec<Vec<Term>>, body: Term) -> Term {
        Term::bind(true, vars, triggers, body)
    }

    /// For some values of some variables the body holds.
    pub fn exists(vars: Vec<Term>, triggers: Vec<Vec<Term>>, body: Term) -> Term {
        Term::bind(false, vars, triggers, body)
    }

    fn bind(for_all: bool, vars: Vec<Term>, triggers: Vec<Vec<Term>>, body: Term) -> Term {
        if vars.is_empty() || !body.is_open() {
            return body;
        }
        Term::quantifier(for_all, vars, &triggers, body)
    }

    /// The array that has one element everywhere.
    pub fn constant_array(index: Sort, element: Term) -> Term {
        let sort = Sort::array(index, element.sort().clone());
        Term::intern(Kind::Op(Op::ConstArray), sort, std::iter::once(element).collect())
    }

    /// The address of separation logic that is never in the heap.
    pub fn sep_nil(sort: Sort) -> Term {
        Term::intern(Kind::Op(Op::SepNil), sort, Default::default())
    }

    /// The term with other arguments, simplified.
    ///
    /// # Panics
    /// If they have other sorts.
    pub fn with_args(&self, args: Vec<Term>) -> Term {
        match self.kind() {
            Kind::Op(Op::ConstArray) => {
                let Sort::Array(sorts) = self.sort() else { unreachable!("an array") };
                let [element]: [Term; 1] = args.try_into().expect("one element");
                Term::constant_array(sorts.0.clone(), element)
            }
            Kind::Op(Op::SepNil) => self.clone(),
            Kind::Op(op) => Term::op(*op, args),
            Kind::Call(function) => function.apply(args),
            Kind::Quantifier(binder) => {
                let mut args = args.into_iter();
                let body = args.next().expect("a body");
                let counts = self.triggers().into_iter().map(<[Term]>::len);
                let triggers = counts.map(|count| args.by_ref().take(count).collect()).collect();
                Term::bind(binder.for_all, binder.vars.clone(), triggers, body)
            }
            Kind::Var(_) | Kind::Bool(_) | Kind::Bits(_) | Kind::Int(_) => self.clone(),
        }
    }

    /// The term with everything in it made anew by the simplifying constructors.
    pub fn simplified(&self) -> Term {
        self.substituted(&HashMap::new())
    }

    /// The term with some terms (variables, as a rule) replaced by others of the same sort, simplified. What replaces
    /// must not be open, so nothing is caught by a quantifier.
    pub fn substituted(&self, replace: &HashMap<Term, Term>) -> Term {
        debug_assert!(replace.iter().all(|(from, to)| from.sort() == to.sort()), "another sort");
        let mut done: HashMap<Term, Term> = HashMap::new();
        for term in Term::dag([self]) {
            let new = match replace.get(&term) {
                Some(new) => new.clone(),
                None if term.args().is_empty() => term.clone(),
                None => term.with_args(term.args().iter().map(|arg| done[arg].clone()).collect()),
            };
            done.insert(term, new);
        }
        done.remove(self).expect("the root was visited")
    }

    /// The body of a quantifier for given values of its variables.
    pub fn instance(&self, values: &[Term]) -> Option<Term> {
        let Kind::Quantifier(binder) = self.kind() else { return None };
        let replace = binder.vars.iter().cloned().zip(values.iter().cloned()).collect();
        Some(self.args()[0].substituted(&replace))
    }

    /// The variables in it that no quantifier binds.
    pub fn vars(&self) -> Vec<Term> {
        let is_free = |term: &Term| term.is_var() && !matches!(term.kind(), Kind::Var(Name::Bound(_)));
        Term::dag([self]).into_iter().filter(is_free).collect()
    }
}

/// The value of an operator on constants.
fn folded(op: Op, args: &[Term]) -> Option<Term> {
    if args.is_empty() || !args.iter().all(Term::is_constant) || matches!(op, Op::ConstArray) {
        return None;
    }
    let values: Vec<Value> = args.iter().map(value).collect::<Option<_>>()?;
    // Only arrays need the sort of the result, and no array is a constant.
    fold(op, &Sort::Bool, &values).map(|value| value.term())
}

fn value(term: &Term) -> Option<Value> {
    match term.kind() {
        Kind::Bool(value) => Some(Value::Bool(*value)),
        Kind::Bits(bits) => Some(Value::bits(*bits, term.width())),
        Kind::Int(value) => Some(Value::Int(*value)),
        _ => None,
    }
}

fn one(op: Op, args: Vec<Term>) -> Term {
    let [arg]: [Term; 1] = args.try_into().unwrap_or_else(|_| panic!("{op:?} takes one argument"));
    arg
}

fn two(op: Op, args: Vec<Term>, make: impl FnOnce(Term, Term) -> Term) -> Term {
    let [a, b]: [Term; 2] = args.try_into().unwrap_or_else(|_| panic!("{op:?} takes two arguments"));
    make(a, b)
}

fn three(op: Op, args: Vec<Term>, make: impl FnOnce(Term, Term, Term) -> Term) -> Term {
    let [a, b, c]: [Term; 3] = args.try_into().unwrap_or_else(|_| panic!("{op:?} takes three arguments"));
    make(a, b, c)
}
