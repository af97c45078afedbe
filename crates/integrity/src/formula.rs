//! The language of `--requires`: read, and evaluated in a concrete state.
//!
//! ```text
//! F ::= F ==> F | F || F | F && F | !F | (F) | \forall T *x; F | t < t | p(t, …)
//! t ::= NULL | number | x | *t | t->field | t->field[number]
//! p ::= outside | owned | tree | dlist | reach
//! ```

pub use heapproof_chr::syntax::Comparison;

/// A formula.
#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    /// `a ==> b`
    Implies(Box<Formula>, Box<Formula>),
    /// `a || b`
    Or(Box<Formula>, Box<Formula>),
    /// `a && b`
    And(Box<Formula>, Box<Formula>),
    /// `!a`
    Not(Box<Formula>),
    /// `\forall T *x; F`
    ForAll(String, String, Box<Formula>),
    /// A comparison.
    Compare(Comparison, Term, Term),
    /// A shape.
    Shape(String, Vec<Term>),
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    /// `NULL`
    Null,
    /// A number.
    Number(i128),
    /// A parameter or a bound variable.
    Name(String),
    /// `*t`
    Deref(Box<Term>),
    /// `t->field`, with an index in brackets as part of the name.
    Field(Box<Term>, String),
}

/// Why a text is no formula.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the requirement `{0}` is not understood at `{1}`")]
pub struct NotUnderstood(pub String, pub String);

const SHAPES: [&str; 5] = ["outside", "owned", "tree", "dlist", "reach"];

/// Reads a formula.
pub fn parse(text: &str) -> Result<Formula, NotUnderstood> {
    let mut reader = Reader { rest: text };
    let formula = reader.implication();
    reader.blank();
    match formula {
        Some(formula) if reader.rest.is_empty() => Ok(formula),
        _ => Err(NotUnderstood(text.to_owned(), reader.rest.chars().take(12).collect())),
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn blank(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, token: &str) -> bool {
        self.blank();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn name(&mut self) -> Option<String> {
        self.blank();
        let end = self.rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        self.rest = rest;
        Some(name.to_owned())
    }

    fn number(&mut self) -> Option<i128> {
        self.blank();
        let negative = self.rest.starts_with('-');
        let digits = self.rest.strip_prefix('-').unwrap_or(self.rest);
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let value: i128 = digits[..end].parse().ok()?;
        self.rest = digits[end..].trim_start_matches(['u', 'U', 'l', 'L']);
        Some(if negative { -value } else { value })
    }

    fn implication(&mut self) -> Option<Formula> {
        let left = self.disjunction()?;
        if self.take("==>") {
            return Some(Formula::Implies(Box::new(left), Box::new(self.implication()?)));
        }
        Some(left)
    }

    fn disjunction(&mut self) -> Option<Formula> {
        let mut left = self.conjunction()?;
        while self.take("||") {
            left = Formula::Or(Box::new(left), Box::new(self.conjunction()?));
        }
        Some(left)
    }

    fn conjunction(&mut self) -> Option<Formula> {
        let mut left = self.unary()?;
        while self.take("&&") {
            left = Formula::And(Box::new(left), Box::new(self.unary()?));
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<Formula> {
        if self.take("\\forall") {
            let mut of = self.name()?;
            if of == "struct" {
                of = self.name()?;
            }
            let pointer = self.take("*");
            let name = self.name()?;
            let all = pointer && self.take(";");
            let body = self.implication()?;
            return all.then(|| Formula::ForAll(of, name, Box::new(body)));
        }
        let before = self.rest;
        if self.take("!") && !self.rest.starts_with('=') {
            return Some(Formula::Not(Box::new(self.unary()?)));
        }
        self.rest = before;
        if self.take("(") {
            if let Some(inner) = self.implication()
                && self.take(")")
            {
                return Some(inner);
            }
            self.rest = before;
        }
        self.atom()
    }

    fn atom(&mut self) -> Option<Formula> {
        let before = self.rest;
        if let Some(name) = self.name()
            && SHAPES.contains(&name.as_str())
            && self.take("(")
        {
            let mut args = vec![self.term()?];
            while self.take(",") {
                args.push(self.term()?);
            }
            return self.take(")").then_some(Formula::Shape(name, args));
        }
        self.rest = before;
        let a = self.term()?;
        let operators = [
            ("==", Comparison::Equal),
            ("!=", Comparison::Differs),
            ("<=", Comparison::AtMost),
            (">=", Comparison::AtLeast),
            ("<", Comparison::Less),
            (">", Comparison::Greater),
        ];
        let op = operators.iter().find(|(token, _)| self.take(token)).map(|(_, op)| *op);
        match op {
            Some(op) => Some(Formula::Compare(op, a, self.term()?)),
            // A number or pointer alone says that it is not zero.
            None => Some(Formula::Compare(Comparison::Differs, a, Term::Null)),
        }
    }

    fn term(&mut self) -> Option<Term> {
        if self.take("*") {
            return Some(Term::Deref(Box::new(self.term()?)));
        }
        if let Some(number) = self.number() {
            return Some(Term::Number(number));
        }
        let mut term = if self.take("(") {
            let inner = self.term()?;
            self.take(")").then_some(inner)?
        } else {
            match self.name()?.as_str() {
                "NULL" => Term::Null,
                name => Term::Name(name.to_owned()),
            }
        };
        while self.take("->") {
            let mut field = self.name()?;
            loop {
                if self.take("[") {
                    let index = self.number()?;
                    field = self.take("]").then(|| format!("{field}[{index}]"))?;
                } else if self.take(".") {
                    field = format!("{field}.{}", self.name()?);
                } else {
                    break;
                }
            }
            term = Term::Field(Box::new(term), field);
        }
        Some(term)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language() {
        for text in [
            "n != NULL",
            "t != NULL && 1 <= t->n && t->n <= 3",
            "\\forall T234 *x; 1 <= x->n && x->n <= 3",
            "tree(*link)",
            "dlist(list) && (node == NULL || reach(list, node))",
            "outside(data, n)",
            "!(a == b) ==> a->c[2] > -1",
        ] {
            assert!(parse(text).is_ok(), "{text}");
        }
        for text in ["", "a ==", "forall x", "tree(", "a b"] {
            assert!(parse(text).is_err(), "{text}");
        }
        let both = parse("a != NULL && !b").unwrap();
        let is = |name: &str, op| Formula::Compare(op, Term::Name(name.to_owned()), Term::Null);
        let not = Formula::Not(Box::new(is("b", Comparison::Differs)));
        assert_eq!(both, Formula::And(Box::new(is("a", Comparison::Differs)), Box::new(not)));
    }
}
