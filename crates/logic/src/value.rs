//! Values: what terms stand for in a model.

use crate::{Name, Sort, Term};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A bit vector.
    Bits {
        /// Its bits; those above the width are zero.
        bits: u128,
        /// Its width.
        width: u8,
    },
    /// An integer.
    Int(i128),
    /// An array: a few elements, and what all others are. Elements that are like the others are left out.
    Array {
        /// The sort of the array.
        sort: Sort,
        /// The elements that differ from `rest`.
        elements: BTreeMap<Value, Value>,
        /// All other elements.
        rest: Box<Value>,
    },
    /// An element of an uninterpreted sort, under the name that a solver gave it.
    Element(Sort, Arc<str>),
}

impl Value {
    /// A bit vector; bits above the width are dropped.
    pub fn bits(bits: u128, width: u8) -> Value {
        Value::Bits { bits: bits & mask(width), width }
    }

    /// Its sort.
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Bits { width, .. } => Sort::Bits(*width),
            Value::Int(_) => Sort::Int,
            Value::Array { sort, .. } | Value::Element(sort, _) => sort.clone(),
        }
    }

    /// A value of a sort: false, zero, the array of these.
    pub fn default_of(sort: &Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Int => Value::Int(0),
            Sort::Bits(width) => Value::bits(0, *width),
            Sort::Array(sorts) => Value::Array {
                sort: sort.clone(),
                elements: BTreeMap::new(),
                rest: Box::new(Value::default_of(&sorts.1)),
            },
            Sort::Named(_) => Value::Element(sort.clone(), "default".into()),
        }
    }

    /// The truth value that it is.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The bits that it has.
    pub fn as_bits(&self) -> Option<u128> {
        match self {
            Value::Bits { bits, .. } => Some(*bits),
            _ => None,
        }
    }

    /// The integer that it is.
    pub fn as_int(&self) -> Option<i128> {
        match self {
            Value::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// The element of an array.
    pub fn select(&self, index: &Value) -> Option<Value> {
        match self {
            Value::Array { elements, rest, .. } => Some(elements.get(index).unwrap_or(rest).clone()),
            _ => None,
        }
    }

    /// An array with another element.
    pub fn store(mut self, index: Value, value: Value) -> Option<Value> {
        let Value::Array { elements, rest, .. } = &mut self else { return None };
        if **rest == value {
            elements.remove(&index);
        } else {
            elements.insert(index, value);
        }
        Some(self)
    }

    /// True if both are the same value. Unlike `==` this knows arrays whose elements are all written out.
    pub fn is_same(&self, other: &Value) -> bool {
        let (Value::Array { sort, elements: a, rest }, Value::Array { elements: b, rest: other_rest, .. }) =
            (self, other)
        else {
            return self == other;
        };
        let keys: BTreeSet<&Value> = a.keys().chain(b.keys()).collect();
        let has_rest = match sort {
            Sort::Array(sorts) => match sorts.0 {
                Sort::Bool => keys.len() < 2,
                Sort::Bits(width) => width >= 64 || (keys.len() as u64) < 1 << width,
                _ => true,
            },
            _ => true,
        };
        let are_same = |key: &Value| a.get(key).unwrap_or(rest).is_same(b.get(key).unwrap_or(other_rest));
        keys.into_iter().all(are_same) && (!has_rest || rest.is_same(other_rest))
    }

    /// The term that stands for it; an element of an uninterpreted sort is a variable of its name.
    pub fn term(&self) -> Term {
        match self {
            Value::Bool(value) => Term::truth(*value),
            Value::Bits { bits, width } => Term::bits(*bits, *width),
            Value::Int(value) => Term::int(*value),
            Value::Element(sort, name) => Term::var(Name::Text(name.clone()), sort.clone()),
            Value::Array { sort, elements, rest } => {
                let Sort::Array(sorts) = sort else { unreachable!("an array has the sort of one") };
                let start = Term::constant_array(sorts.0.clone(), rest.term());
                elements
                    .iter()
                    .fold(start, |array, (index, value)| Term::store(array, index.term(), value.term()))
            }
        }
    }
}

/// The bits of a width.
pub(crate) fn mask(width: u8) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// Bits as a number with sign.
pub(crate) fn signed(bits: u128, width: u8) -> i128 {
    let unused = 128 - u32::from(width);
    ((bits << unused) as i128) >> unused
}
