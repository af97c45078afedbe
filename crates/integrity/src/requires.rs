//! What a function may assume, as far as this engine uses it. What it does not use is left out, which is never wrong.

use crate::formula::{Comparison, Formula, Term, parse};

/// A condition on the parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// `p != NULL`
    NotNull(String),
    /// `outside(p, 3)`: p points to so many elements that belong to no node.
    Outside(String, u64),
    /// `outside(p, n)`: the same with a parameter.
    OutsideMany(String, String),
}

/// The conditions of a requirement `F` that are understood: those that are joined by `&&` and stand under nothing else.
pub fn conditions(text: &str) -> Vec<Condition> {
    parts(text).iter().filter_map(condition).collect()
}

/// All conditions of a requirement; none if one of them is not understood.
pub fn all_conditions(text: &str) -> Option<Vec<Condition>> {
    let parts = parts(text);
    if parts.is_empty() { None } else { parts.iter().map(condition).collect() }
}

/// What a requirement joins by `&&`; nothing if it is no formula.
fn parts(text: &str) -> Vec<Formula> {
    let mut todo: Vec<Formula> = parse(text).into_iter().collect();
    let mut found = Vec::new();
    while let Some(formula) = todo.pop() {
        match formula {
            Formula::And(a, b) => todo.extend([*b, *a]),
            other => found.push(other),
        }
    }
    found
}

fn condition(formula: &Formula) -> Option<Condition> {
    match formula {
        Formula::Compare(Comparison::Differs, Term::Name(name), Term::Null | Term::Number(0))
        | Formula::Compare(Comparison::Differs, Term::Null | Term::Number(0), Term::Name(name)) => {
            Some(Condition::NotNull(name.clone()))
        }
        Formula::Shape(shape, args) if shape == "outside" => match &args[..] {
            [Term::Name(p), Term::Number(n)] => Some(Condition::Outside(p.clone(), u64::try_from(*n).ok()?)),
            [Term::Name(p), Term::Name(n)] => Some(Condition::OutsideMany(p.clone(), n.clone())),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_understood() {
        assert_eq!(conditions("n != NULL"), [Condition::NotNull("n".into())]);
        assert_eq!(conditions("outside(val, 1)"), [Condition::Outside("val".into(), 1)]);
        assert_eq!(conditions("tree(t) && p != 0"), [Condition::NotNull("p".into())]);
        assert_eq!(conditions("p != NULL || q != NULL"), []);
        assert_eq!(conditions("\\forall T *x; x->n != 0"), []);
        assert_eq!(conditions("!(a == b && a != NULL && b == a)"), []);
        assert_eq!(conditions("\\forall T *x; x->v > 0 && a != NULL"), []);
        assert_eq!(conditions("outside(data, n)"), [Condition::OutsideMany("data".into(), "n".into())]);
    }
}
