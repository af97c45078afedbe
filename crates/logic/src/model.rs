//! Models: values of variables and functions, and the value that a term has in one.

use crate::{Function, Kind, Name, Sort, Term, Value, fold};
use std::collections::{BTreeMap, HashMap};

/// Quantifiers are evaluated over at most this many values.
const MOST_VALUES: u128 = 1 << 10;

/// Values for variables and functions. What is not named has the default value of its sort.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    vars: BTreeMap<Term, Value>,
    functions: BTreeMap<Function, Meaning>,
}

/// What a function does: variables for its arguments, and a term over them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meaning {
    /// The arguments.
    pub params: Vec<Term>,
    /// The result.
    pub body: Term,
}

/// Why a term has no value that can be computed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoValue {
    /// A quantifier over too many values.
    #[error("a quantifier ranges over too many values")]
    Quantifier,
    /// An operator without a value: a division by zero, an integer that is too large, separation logic.
    #[error("`{0}` has no value that can be computed")]
    Operator(Term),
}

impl Model {
    /// An empty model.
    pub fn new() -> Model {
        Model::default()
    }

    /// Gives a variable a value.
    pub fn set(&mut self, var: Term, value: Value) {
        debug_assert!(var.is_var() && value.sort() == *var.sort(), "{var} is no variable of {value:?}");
        self.vars.insert(var, value);
    }

    /// Gives a function a meaning.
    pub fn define(&mut self, function: Function, meaning: Meaning) {
        self.functions.insert(function, meaning);
    }

    /// The value of a variable, if the model names it.
    pub fn get(&self, var: &Term) -> Option<&Value> {
        self.vars.get(var)
    }

    /// The bits of a variable, if the model names it.
    pub fn bits(&self, var: &Term) -> Option<u128> {
        self.get(var)?.as_bits()
    }

    /// The variables with their values.
    pub fn vars(&self) -> impl Iterator<Item = (&Term, &Value)> {
        self.vars.iter()
    }

    /// The functions with their meanings.
    pub fn functions(&self) -> impl Iterator<Item = (&Function, &Meaning)> {
        self.functions.iter()
    }

    /// The value of a term.
    pub fn eval(&self, term: &Term) -> Result<Value, NoValue> {
        self.eval_in(term, &HashMap::new())
    }

    /// True if a truth value surely holds.
    pub fn satisfies(&self, term: &Term) -> bool {
        self.eval(term) == Ok(Value::Bool(true))
    }

    fn eval_in(&self, root: &Term, bound: &HashMap<Term, Value>) -> Result<Value, NoValue> {
        let mut values: HashMap<Term, Value> = HashMap::new();
        let mut stack = vec![(root, false)];
        while let Some((term, is_ready)) = stack.pop() {
            if values.contains_key(term) {
                continue;
            }
            let is_binder = matches!(term.kind(), Kind::Quantifier(_));
            if !is_ready && !is_binder && !term.args().is_empty() {
                stack.push((term, true));
                stack.extend(term.args().iter().map(|arg| (arg, false)));
                continue;
            }
            let value = self.node(term, bound, &values)?;
            values.insert(term.clone(), value);
        }
        Ok(values.remove(root).expect("the root has a value"))
    }

    /// The value of a node whose arguments have values.
    fn node(
        &self,
        term: &Term,
        bound: &HashMap<Term, Value>,
        values: &HashMap<Term, Value>,
    ) -> Result<Value, NoValue> {
        let args = || term.args().iter().map(|arg| values[arg].clone()).collect::<Vec<Value>>();
        match term.kind() {
            Kind::Bool(value) => Ok(Value::Bool(*value)),
            Kind::Bits(bits) => Ok(Value::bits(*bits, term.width())),
            Kind::Int(value) => Ok(Value::Int(*value)),
            Kind::Var(_) => {
                let known = bound.get(term).or_else(|| self.vars.get(term));
                Ok(known.cloned().unwrap_or_else(|| unnamed(term)))
            }
            Kind::Op(op) => fold(*op, term.sort(), &args()).ok_or_else(|| NoValue::Operator(term.clone())),
            Kind::Call(function) => match self.functions.get(function) {
                None => Ok(Value::default_of(term.sort())),
                Some(meaning) => {
                    let params = meaning.params.iter().cloned().zip(args()).collect();
                    self.eval_in(&meaning.body, &params)
                }
            },
            Kind::Quantifier(binder) => self.quantifier(term, binder.for_all, &binder.vars, bound),
        }
    }

    fn quantifier(
        &self,
        term: &Term,
        for_all: bool,
        vars: &[Term],
        bound: &HashMap<Term, Value>,
    ) -> Result<Value, NoValue> {
        let ranges: Vec<Vec<Value>> =
            vars.iter().map(|var| values_of(var.sort())).collect::<Option<_>>().ok_or(NoValue::Quantifier)?;
        let count = ranges.iter().try_fold(1u128, |count, range| count.checked_mul(range.len() as u128));
        let count = count.filter(|count| *count <= MOST_VALUES).ok_or(NoValue::Quantifier)?;
        for number in 0..count {
            let mut rest = number;
            let mut inner = bound.clone();
            for (var, range) in vars.iter().zip(&ranges) {
                inner.insert(var.clone(), range[(rest % range.len() as u128) as usize].clone());
                rest /= range.len() as u128;
            }
            if self.eval_in(&term.args()[0], &inner)? != Value::Bool(for_all) {
                return Ok(Value::Bool(!for_all));
            }
        }
        Ok(Value::Bool(for_all))
    }
}

/// The value of a variable that a model does not name. One of an uninterpreted sort stands for an element of its name:
/// that is how the elements of a solver are written.
fn unnamed(var: &Term) -> Value {
    match (var.kind(), var.sort()) {
        (Kind::Var(Name::Text(name)), Sort::Named(_)) => Value::Element(var.sort().clone(), name.clone()),
        _ => Value::default_of(var.sort()),
    }
}

/// All values of a small sort.
fn values_of(sort: &Sort) -> Option<Vec<Value>> {
    match sort {
        Sort::Bool => Some(vec![Value::Bool(false), Value::Bool(true)]),
        Sort::Bits(width) if *width <= 10 => {
            Some((0..1 << width).map(|bits| Value::bits(bits, *width)).collect())
        }
        _ => None,
    }
}
