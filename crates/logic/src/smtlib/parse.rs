//! Terms and models from text. Text of a solver may be anything: nothing here panics on it.

use super::{Sexpr, write};
use crate::{BvOp, BvRel, Function, Kind, Meaning, Model, Name, Op, Sort, Term, Value};
use std::collections::HashMap;

/// Text that makes no sense here, shortened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` makes no sense here")]
pub struct Unreadable(pub String);

fn unreadable<T>(what: &Sexpr) -> Result<T, Unreadable> {
    Err(Unreadable(what.to_string().chars().take(200).collect()))
}

/// What names mean.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    pub terms: HashMap<String, Term>,
    pub functions: HashMap<String, Function>,
    bound: u64,
}

impl Scope {
    fn sort(&self, text: &Sexpr) -> Result<Sort, Unreadable> {
        match text {
            Sexpr::Atom(word) => Ok(match word.as_str() {
                "Bool" => Sort::Bool,
                "Int" => Sort::Int,
                name => Sort::named(name),
            }),
            Sexpr::List(items) => match items.as_slice() {
                [underscore, bits, width] if underscore.is("_") && bits.is("BitVec") => {
                    let width = width.atom().and_then(|width| width.parse().ok());
                    match width.filter(|width| (1..=crate::MAX_WIDTH).contains(width)) {
                        Some(width) => Ok(Sort::Bits(width)),
                        None => unreadable(text),
                    }
                }
                [array, index, element] if array.is("Array") => {
                    Ok(Sort::array(self.sort(index)?, self.sort(element)?))
                }
                _ => unreadable(text),
            },
            Sexpr::Text(_) => unreadable(text),
        }
    }

    /// Reads a term.
    pub fn term(&mut self, text: &Sexpr) -> Result<Term, Unreadable> {
        match text {
            Sexpr::Atom(word) => self.word(word).map_or_else(|| unreadable(text), Ok),
            Sexpr::Text(_) => unreadable(text),
            Sexpr::List(items) => self.list(items, text),
        }
    }

    fn word(&self, word: &str) -> Option<Term> {
        if let Some(term) = self.terms.get(word) {
            return Some(term.clone());
        }
        let bits = |digits: &str, base: u32, each: usize| {
            let width = u8::try_from(digits.len() * each)
                .ok()
                .filter(|width| (1..=crate::MAX_WIDTH).contains(width))?;
            u128::from_str_radix(digits, base).ok().map(|bits| Term::bits(bits, width))
        };
        match word {
            "true" => Some(Term::truth(true)),
            "false" => Some(Term::truth(false)),
            "sep.emp" => Some(Term::sep_emp()),
            _ => match (word.strip_prefix("#x"), word.strip_prefix("#b")) {
                (Some(digits), _) => bits(digits, 16, 4),
                (_, Some(digits)) => bits(digits, 2, 1),
                _ => match self.functions.get(word) {
                    Some(function) if function.args().is_empty() => Some(function.apply([])),
                    _ if word.starts_with(|c: char| c.is_ascii_digit()) => word.parse().ok().map(Term::int),
                    _ => None,
                },
            },
        }
    }

    fn list(&mut self, items: &[Sexpr], text: &Sexpr) -> Result<Term, Unreadable> {
        let Some((head, args)) = items.split_first() else { return unreadable(text) };
        match head {
            Sexpr::Atom(word) => match (word.as_str(), args) {
                ("_", [name, width]) => constant(name, width).map_or_else(|| unreadable(text), Ok),
                ("as", [name, sort]) => self.element(name, sort, text),
                ("let", [bindings, body]) => self.lets(bindings, body, text),
                ("forall" | "exists", [vars, body]) => self.quantifier(word == "forall", vars, body, text),
                ("!", [body, ..]) => self.term(body),
                _ => {
                    let args = args.iter().map(|arg| self.term(arg)).collect::<Result<Vec<Term>, _>>()?;
                    self.apply(word, args).map_or_else(|| unreadable(text), Ok)
                }
            },
            Sexpr::List(words) => {
                let args = args.iter().map(|arg| self.term(arg)).collect::<Result<Vec<Term>, _>>()?;
                match words.as_slice() {
                    [word, konst, sort] if word.is("as") && konst.is("const") => {
                        match (self.sort(sort)?, args.as_slice()) {
                            (Sort::Array(sorts), [element]) if sorts.1 == *element.sort() => {
                                Ok(Term::constant_array(sorts.0.clone(), element.clone()))
                            }
                            _ => unreadable(text),
                        }
                    }
                    [word, rest @ ..] if word.is("_") => {
                        indexed(rest).and_then(|op| checked(op, args)).map_or_else(|| unreadable(text), Ok)
                    }
                    _ => unreadable(text),
                }
            }
            Sexpr::Text(_) => unreadable(text),
        }
    }

    /// `(as NAME SORT)`: the address nil, or an element of an uninterpreted sort.
    fn element(&mut self, name: &Sexpr, sort: &Sexpr, text: &Sexpr) -> Result<Term, Unreadable> {
        let sort = self.sort(sort)?;
        match (name.atom(), &sort) {
            (Some("sep.nil"), _) => Ok(Term::sep_nil(sort)),
            (Some(name), Sort::Named(_)) => Ok(Term::var(name, sort)),
            _ => unreadable(text),
        }
    }

    fn lets(&mut self, bindings: &Sexpr, body: &Sexpr, text: &Sexpr) -> Result<Term, Unreadable> {
        let mut new = Vec::new();
        for binding in bindings.list().unwrap_or_default() {
            match binding.list() {
                Some([Sexpr::Atom(name), value]) => new.push((name.clone(), self.term(value)?)),
                _ => return unreadable(text),
            }
        }
        self.within(new, body)
    }

    /// Reads a term with more names.
    fn within(&mut self, new: Vec<(String, Term)>, body: &Sexpr) -> Result<Term, Unreadable> {
        let old: Vec<(String, Option<Term>)> =
            new.into_iter().map(|(name, term)| (name.clone(), self.terms.insert(name, term))).collect();
        let result = self.term(body);
        for (name, term) in old.into_iter().rev() {
            match term {
                Some(term) => self.terms.insert(name, term),
                None => self.terms.remove(&name),
            };
        }
        result
    }

    fn params(&mut self, vars: &Sexpr) -> Result<Vec<(String, Term)>, Unreadable> {
        let mut params = Vec::new();
        for var in vars.list().unwrap_or_default() {
            let Some([Sexpr::Atom(name), sort]) = var.list() else { return unreadable(vars) };
            self.bound += 1;
            params.push((name.clone(), Term::bound(self.bound, self.sort(sort)?)));
        }
        Ok(params)
    }

    fn quantifier(
        &mut self,
        for_all: bool,
        vars: &Sexpr,
        body: &Sexpr,
        text: &Sexpr,
    ) -> Result<Term, Unreadable> {
        let params = self.params(vars)?;
        let vars = params.iter().map(|(_, var)| var.clone()).collect();
        let body = self.within(params, body)?;
        if *body.sort() != Sort::Bool {
            return unreadable(text);
        }
        Ok(if for_all { Term::forall(vars, Vec::new(), body) } else { Term::exists(vars, Vec::new(), body) })
    }

    fn apply(&mut self, word: &str, args: Vec<Term>) -> Option<Term> {
        if let Some(function) = self.functions.get(word) {
            let fits = function.args().len() == args.len()
                && function.args().iter().zip(&args).all(|(s, a)| s == a.sort());
            return fits.then(|| function.apply(args));
        }
        match (word, args.as_slice()) {
            ("=>", _) => {
                let mut args = args.into_iter().rev();
                let last = args.next().filter(|term| *term.sort() == Sort::Bool)?;
                args.try_fold(last, |b, a| (*a.sort() == Sort::Bool).then(|| Term::implies(a, b)))
            }
            ("xor", [a, b]) => checked(Op::Eq, vec![a.clone(), b.clone()]).map(Term::not),
            ("=", [_, _, ..]) => {
                let pairs: Option<Vec<Term>> =
                    args.windows(2).map(|pair| checked(Op::Eq, pair.to_vec())).collect();
                pairs.map(Term::and)
            }
            ("-", [a]) if *a.sort() == Sort::Int => Some(Term::int_sub(Term::int(0), a.clone())),
            ("-", [a, b]) if *a.sort() == Sort::Int && *b.sort() == Sort::Int => {
                Some(Term::int_sub(a.clone(), b.clone()))
            }
            ("bvneg", [a]) => a.sort().width().map(|_| Term::bv_neg(a.clone())),
            (">" | ">=" | "bvugt" | "bvuge" | "bvsgt" | "bvsge", [a, b]) => {
                let turned = match word {
                    ">" => Op::IntLt,
                    ">=" => Op::IntLe,
                    "bvugt" => Op::Rel(BvRel::Ult),
                    "bvuge" => Op::Rel(BvRel::Ule),
                    "bvsgt" => Op::Rel(BvRel::Slt),
                    _ => Op::Rel(BvRel::Sle),
                };
                checked(turned, vec![b.clone(), a.clone()])
            }
            _ => checked(operator(word)?, args),
        }
    }
}

/// An operator on arguments, if they fit.
fn checked(op: Op, args: Vec<Term>) -> Option<Term> {
    op.accepts(&args).then(|| Term::op(op, args))
}

/// `(_ bvN WIDTH)`.
fn constant(name: &Sexpr, width: &Sexpr) -> Option<Term> {
    let bits = name.atom()?.strip_prefix("bv")?.parse().ok()?;
    let width = width.atom()?.parse().ok().filter(|width| (1..=crate::MAX_WIDTH).contains(width))?;
    Some(Term::bits(bits, width))
}

fn indexed(words: &[Sexpr]) -> Option<Op> {
    let number = |index: usize| words.get(index)?.atom()?.parse::<u8>().ok();
    Some(match words.first()?.atom()? {
        "extract" => Op::Extract { high: number(1)?, low: number(2)? },
        "zero_extend" => Op::ZeroExtend(number(1)?),
        "sign_extend" => Op::SignExtend(number(1)?),
        "int2bv" | "int_to_bv" => Op::IntToBits(number(1)?),
        _ => return None,
    })
}

fn operator(word: &str) -> Option<Op> {
    const OPERATIONS: [BvOp; 13] = [
        BvOp::Add,
        BvOp::Sub,
        BvOp::Mul,
        BvOp::UDiv,
        BvOp::SDiv,
        BvOp::URem,
        BvOp::SRem,
        BvOp::Shl,
        BvOp::LShr,
        BvOp::AShr,
        BvOp::And,
        BvOp::Or,
        BvOp::Xor,
    ];
    if let Some(op) = OPERATIONS.into_iter().find(|op| write::operation(*op) == word) {
        return Some(Op::Bv(op));
    }
    Some(match word {
        "not" => Op::Not,
        "and" => Op::And,
        "or" => Op::Or,
        "distinct" => Op::Distinct,
        "ite" => Op::Ite,
        "bvnot" => Op::BvNot,
        "bvult" => Op::Rel(BvRel::Ult),
        "bvule" => Op::Rel(BvRel::Ule),
        "bvslt" => Op::Rel(BvRel::Slt),
        "bvsle" => Op::Rel(BvRel::Sle),
        "concat" => Op::Concat,
        "bv2nat" | "ubv_to_int" => Op::BitsToInt,
        "+" => Op::IntAdd,
        "*" => Op::IntMul,
        "div" => Op::IntDiv,
        "mod" => Op::IntMod,
        "<=" => Op::IntLe,
        "<" => Op::IntLt,
        "select" => Op::Select,
        "store" => Op::Store,
        "sep" => Op::SepStar,
        "wand" => Op::SepWand,
        "pto" => Op::PointsTo,
        _ => return None,
    })
}

/// Reads terms in which names stand for the given terms.
pub fn read_terms(text: &str, names: &[(&str, Term)]) -> Result<Vec<Term>, Unreadable> {
    let all = Sexpr::read_all(text).ok_or_else(|| Unreadable(text.chars().take(200).collect()))?;
    let terms = names.iter().map(|(name, term)| ((*name).to_owned(), term.clone())).collect();
    let mut scope = Scope { terms, ..Scope::default() };
    all.iter().map(|text| scope.term(text)).collect()
}

/// Reads a value of a sort.
pub(crate) fn read_value(text: &Sexpr, sort: &Sort) -> Result<Value, Unreadable> {
    // Elements of uninterpreted sorts are bare words of the solver's choice.
    if let (Some(word), Sort::Named(_)) = (text.atom(), sort) {
        return Ok(Value::Element(sort.clone(), word.into()));
    }
    let value = value_of(&Scope::default().term(text)?);
    match value.filter(|value| value.sort() == *sort) {
        Some(value) => Ok(value),
        None => unreadable(text),
    }
}

/// A term without unknown parts as a value.
fn value_of(term: &Term) -> Option<Value> {
    let mut values: HashMap<Term, Value> = HashMap::new();
    for term in Term::dag([term]) {
        let args: Vec<Value> =
            term.args().iter().map(|arg| values.get(arg).cloned()).collect::<Option<_>>()?;
        let value = match term.kind() {
            Kind::Bool(value) => Value::Bool(*value),
            Kind::Bits(bits) => Value::bits(*bits, term.width()),
            Kind::Int(number) => Value::Int(*number),
            Kind::Var(Name::Text(name)) if matches!(term.sort(), Sort::Named(_)) => {
                Value::Element(term.sort().clone(), name.clone())
            }
            Kind::Op(op) => crate::fold(*op, term.sort(), &args)?,
            _ => return None,
        };
        values.insert(term, value);
    }
    values.remove(term)
}

/// A definition of a model: name, parameters, sort, body.
struct Definition<'a> {
    name: &'a str,
    params: &'a Sexpr,
    sort: Sort,
    body: &'a Sexpr,
}

/// Reads what a solver answers to `(get-model)`. The scope has the declared variables and functions under their names.
pub(crate) fn read_model(text: &Sexpr, scope: &Scope) -> Result<Model, Unreadable> {
    let Some(items) = text.list() else { return unreadable(text) };
    let mut scope = scope.clone();
    let mut definitions = Vec::new();
    for item in items {
        match item.list() {
            // Elements of uninterpreted sorts.
            Some([word, Sexpr::Atom(name), args, sort])
                if word.is("declare-fun") && args.list() == Some(&[]) =>
            {
                let sort = scope.sort(sort)?;
                scope.terms.insert(name.clone(), Term::var(name.as_str(), sort));
            }
            Some([word, Sexpr::Atom(name), params, sort, body]) if word.is("define-fun") => {
                definitions.push(Definition { name, params, sort: scope.sort(sort)?, body });
            }
            _ => {}
        }
    }
    // Helping functions of the solver.
    for Definition { name, params, sort, .. } in &definitions {
        if !scope.functions.contains_key(*name) && !scope.terms.contains_key(*name) {
            let args = scope.params(params)?.iter().map(|(_, var)| var.sort().clone()).collect();
            scope.functions.insert((*name).to_owned(), Function::new(*name, args, sort.clone()));
        }
    }
    let mut model = Model::new();
    for definition in &definitions {
        let Definition { name, params, body, .. } = definition;
        if let Some(var) = scope.terms.get(*name).cloned() {
            let value = scope.value(body, var.sort(), &definitions)?;
            model.set(var, value);
            continue;
        }
        let params = scope.params(params)?;
        let vars: Vec<Term> = params.iter().map(|(_, var)| var.clone()).collect();
        let body = scope.within(params, body)?;
        if let Some(function) = scope.functions.get(*name)
            && body.sort() == function.result()
            && vars.iter().map(Term::sort).eq(function.args())
        {
            model.define(function.clone(), Meaning { params: vars, body });
        }
    }
    Ok(model)
}

impl Scope {
    /// A value of a sort; arrays may be given by a function.
    fn value(&mut self, body: &Sexpr, sort: &Sort, all: &[Definition<'_>]) -> Result<Value, Unreadable> {
        let Sort::Array(sorts) = sort else { return read_value(body, sort) };
        let value = match body.list() {
            Some([word, array, index, element]) if word.is("store") => {
                let array = self.value(array, sort, all)?;
                array.store(self.value(index, &sorts.0, all)?, self.value(element, &sorts.1, all)?)
            }
            Some([word, params, body]) if word.is("lambda") => self.table(params, body, sort)?,
            Some([word, what, function]) if word.is("_") && what.is("as-array") => {
                match all.iter().find(|definition| function.is(definition.name)) {
                    Some(definition) => self.table(definition.params, definition.body, sort)?,
                    None => None,
                }
            }
            _ => return read_value(body, sort),
        };
        value.map_or_else(|| unreadable(body), Ok)
    }

    /// A function of one argument that only compares it with constants, as an array.
    fn table(&mut self, params: &Sexpr, body: &Sexpr, sort: &Sort) -> Result<Option<Value>, Unreadable> {
        let params = self.params(params)?;
        let ([(_, param)], Sort::Array(sorts)) = (params.as_slice(), sort) else { return Ok(None) };
        let param = param.clone();
        let body = self.within(params, body)?;
        if *param.sort() != sorts.0 || *body.sort() != sorts.1 {
            return Ok(None);
        }
        let mut keys: Vec<(Term, Value)> = Vec::new();
        for term in Term::dag([&body]) {
            if !term.args().contains(&param) {
                continue;
            }
            let Some([a, b]) = term.args_of(Op::Eq) else { return Ok(None) };
            let Some(key) = value_of(if *a == param { b } else { a }) else { return Ok(None) };
            keys.push((term, key));
        }
        // Which comparison holds is all that counts.
        let with = |chosen: Option<&Value>| {
            let holds = |(term, key): &(Term, Value)| (term.clone(), Term::truth(chosen == Some(key)));
            value_of(&body.substituted(&keys.iter().map(holds).collect()))
        };
        let Some(rest) = with(None) else { return Ok(None) };
        let mut array =
            Value::Array { sort: sort.clone(), elements: Default::default(), rest: Box::new(rest) };
        for (_, key) in &keys {
            let stored = with(Some(key)).and_then(|value| array.store(key.clone(), value));
            let Some(stored) = stored else { return Ok(None) };
            array = stored;
        }
        Ok(Some(array))
    }
}
