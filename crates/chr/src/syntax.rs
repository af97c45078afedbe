//! Rules and goals as they are written: terms, formulas, heads, guards, and their text form.

use std::fmt;

/// Where something stands in a text: line and column, both from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// A variable.
    Var(String),
    /// `_`: a variable that occurs nowhere else.
    Any,
    /// An integer.
    Int(i128),
    /// A sum.
    Add(Box<Term>, Box<Term>),
    /// A difference.
    Sub(Box<Term>, Box<Term>),
    /// A product.
    Mul(Box<Term>, Box<Term>),
}

impl Term {
    /// The variable of that name.
    pub fn var(name: impl Into<String>) -> Term {
        Term::Var(name.into())
    }

    /// This plus a number.
    pub fn plus(self, n: i128) -> Term {
        if n == 0 { self } else { Term::Add(Box::new(self), Box::new(Term::Int(n))) }
    }
}

/// How two terms are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `!=`
    Differs,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

/// A constraint `name(terms)`; without terms a Boolean variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// The name.
    pub name: String,
    /// The arguments.
    pub args: Vec<Term>,
    /// Where it stands.
    pub at: Position,
}

impl Constraint {
    /// A constraint that was not read from a text.
    pub fn new(name: impl Into<String>, args: Vec<Term>) -> Constraint {
        Constraint { name: name.into(), args, at: Position::default() }
    }
}

/// A formula without quantifiers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// `true` or `false`.
    Bool(bool),
    /// A constraint.
    Holds(Constraint),
    /// A comparison.
    Compare(Comparison, Term, Term),
    /// Negation.
    Not(Box<Formula>),
    /// Conjunction.
    And(Vec<Formula>),
    /// Disjunction.
    Or(Vec<Formula>),
    /// Equivalence.
    Iff(Box<Formula>, Box<Formula>),
}

impl Comparison {
    /// Whether it is true of two numbers.
    pub fn is_true(self, a: i128, b: i128) -> bool {
        match self {
            Comparison::Equal => a == b,
            Comparison::Differs => a != b,
            Comparison::Less => a < b,
            Comparison::AtMost => a <= b,
            Comparison::Greater => a > b,
            Comparison::AtLeast => a >= b,
        }
    }
}

impl Formula {
    /// The truth of the formula, if that of its constraints and comparisons is known.
    pub fn is_true(
        &self,
        holds: &dyn Fn(&Constraint) -> bool,
        compare: &dyn Fn(Comparison, &Term, &Term) -> bool,
    ) -> bool {
        match self {
            Formula::Bool(b) => *b,
            Formula::Holds(constraint) => holds(constraint),
            Formula::Compare(op, a, b) => compare(*op, a, b),
            Formula::Not(inner) => !inner.is_true(holds, compare),
            Formula::And(all) => all.iter().all(|f| f.is_true(holds, compare)),
            Formula::Or(all) => all.iter().any(|f| f.is_true(holds, compare)),
            Formula::Iff(a, b) => a.is_true(holds, compare) == b.is_true(holds, compare),
        }
    }

    /// `name(args)`.
    pub fn holds(name: impl Into<String>, args: Vec<Term>) -> Formula {
        Formula::Holds(Constraint::new(name, args))
    }

    /// The negation.
    pub fn negated(self) -> Formula {
        match self {
            Formula::Not(f) => *f,
            Formula::Bool(b) => Formula::Bool(!b),
            f => Formula::Not(Box::new(f)),
        }
    }

    /// `self -> then`.
    pub fn implies(self, then: Formula) -> Formula {
        Formula::Or(vec![self.negated(), then])
    }
}

/// A constraint that a rule looks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Whether its negation is looked for.
    pub negated: bool,
    /// The constraint.
    pub constraint: Constraint,
}

/// What must be known for a rule to apply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guard {
    /// The built-in solvers know that the comparison holds.
    Known(Comparison, Term, Term),
    /// The term is a number, which the variable stands for from here on.
    Let(String, Term),
}

/// A rule: when constraints like the heads are known and the guards hold, so does the body.
///
/// The heads in `removed` are then replaced by the body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Heads that stay.
    pub kept: Vec<Head>,
    /// Heads that go.
    pub removed: Vec<Head>,
    /// Conditions.
    pub guards: Vec<Guard>,
    /// What follows. Variables that occur only here are new ones.
    pub body: Formula,
    /// Where the rule stands.
    pub at: Position,
}

impl Rule {
    /// A propagation rule that was not read from a text.
    pub fn propagation(heads: Vec<Constraint>, body: Formula) -> Rule {
        Rule {
            kept: heads.into_iter().map(|constraint| Head { negated: false, constraint }).collect(),
            removed: Vec::new(),
            guards: Vec::new(),
            body,
            at: Position::default(),
        }
    }

    /// What the negation of a constraint means: `not head --> body`, which is the same as `==>`.
    pub fn negation(head: Constraint, body: Formula) -> Rule {
        Rule {
            kept: vec![Head { negated: true, constraint: head }],
            removed: Vec::new(),
            guards: Vec::new(),
            body,
            at: Position::default(),
        }
    }
}

/// The sorts of a constraint's arguments: `type p(heap, num);`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeDeclaration {
    /// The constraint.
    pub name: String,
    /// The names of the sorts.
    pub sorts: Vec<String>,
    /// Where it stands.
    pub at: Position,
}

/// A solver as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// Declared sorts.
    pub types: Vec<TypeDeclaration>,
    /// The rules, in order.
    pub rules: Vec<Rule>,
}

/// A formula to be solved, with the place where it starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// The formula. Its variables are looked for.
    pub formula: Formula,
    /// Where it starts.
    pub at: Position,
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Comparison::Equal => "=",
            Comparison::Differs => "!=",
            Comparison::Less => "<",
            Comparison::AtMost => "<=",
            Comparison::Greater => ">",
            Comparison::AtLeast => ">=",
        })
    }
}

fn plain(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_' || c == '\'')
        && !["_", "not", "true", "false", "type", "xor"].contains(&name)
}

fn write_name(f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
    if plain(name) { f.write_str(name) } else { write!(f, "'{name}'") }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Var(name) => write_name(f, name),
            Term::Any => f.write_str("_"),
            Term::Int(n) => write!(f, "{n}"),
            Term::Add(a, b) => match &**b {
                Term::Int(n) if *n < 0 && *n > i128::MIN => write!(f, "{a} - {}", -n),
                Term::Add(..) | Term::Sub(..) => write!(f, "{a} + ({b})"),
                _ => write!(f, "{a} + {b}"),
            },
            Term::Sub(a, b) => match &**b {
                Term::Add(..) | Term::Sub(..) => write!(f, "{a} - ({b})"),
                _ => write!(f, "{a} - {b}"),
            },
            Term::Mul(a, b) => {
                for (position, side) in [a, b].into_iter().enumerate() {
                    if position == 1 {
                        f.write_str(" * ")?;
                    }
                    match &**side {
                        Term::Add(..) | Term::Sub(..) => write!(f, "({side})")?,
                        Term::Mul(..) if position == 1 => write!(f, "({side})")?,
                        _ => write!(f, "{side}")?,
                    }
                }
                Ok(())
            }
        }
    }
}

fn separated<T: fmt::Display>(f: &mut fmt::Formatter<'_>, items: &[T], by: &str) -> fmt::Result {
    for (position, item) in items.iter().enumerate() {
        if position > 0 {
            f.write_str(by)?;
        }
        write!(f, "{item}")?;
    }
    Ok(())
}

impl fmt::Display for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_name(f, &self.name)?;
        if !self.args.is_empty() {
            f.write_str("(")?;
            separated(f, &self.args, ", ")?;
            f.write_str(")")?;
        }
        Ok(())
    }
}

impl Formula {
    fn write(&self, f: &mut fmt::Formatter<'_>, inside: u8) -> fmt::Result {
        if let Formula::And(items) | Formula::Or(items) = self
            && let [item] = items.as_slice()
        {
            return item.write(f, inside);
        }
        let own = match self {
            Formula::Iff(..) => 0,
            Formula::Or(_) => 1,
            Formula::And(_) => 2,
            _ => 3,
        };
        if own < inside {
            f.write_str("(")?;
        }
        match self {
            Formula::Bool(b) => write!(f, "{b}")?,
            Formula::Holds(c) => write!(f, "{c}")?,
            Formula::Compare(op, a, b) => write!(f, "{a} {op} {b}")?,
            Formula::Not(inner) => {
                f.write_str("not ")?;
                let mut inner = &**inner;
                while let Formula::And(items) | Formula::Or(items) = inner
                    && let [item] = items.as_slice()
                {
                    inner = item;
                }
                match inner {
                    Formula::Compare(..) => {
                        f.write_str("(")?;
                        inner.write(f, 0)?;
                        f.write_str(")")?;
                    }
                    _ => inner.write(f, 3)?,
                }
            }
            Formula::And(items) | Formula::Or(items) => {
                let (by, empty) = match self {
                    Formula::And(_) => (" /\\ ", "true"),
                    _ => (" \\/ ", "false"),
                };
                if items.is_empty() {
                    f.write_str(empty)?;
                }
                for (position, item) in items.iter().enumerate() {
                    if position > 0 {
                        f.write_str(by)?;
                    }
                    item.write(f, own + 1)?;
                }
            }
            Formula::Iff(a, b) => {
                a.write(f, 3)?;
                f.write_str(" <-> ")?;
                b.write(f, 3)?;
            }
        }
        if own < inside {
            f.write_str(")")?;
        }
        Ok(())
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, 0)
    }
}

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.negated { "not " } else { "" }, self.constraint)
    }
}

impl fmt::Display for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Guard::Known(op, a, b) => write!(f, "{a} {op} {b}"),
            Guard::Let(name, term) => {
                write_name(f, name)?;
                write!(f, " := {term}")
            }
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        separated(f, &self.kept, " /\\ ")?;
        if !self.kept.is_empty() && !self.removed.is_empty() {
            f.write_str(" \\ ")?;
        }
        separated(f, &self.removed, " /\\ ")?;
        f.write_str(if self.removed.is_empty() { " ==> " } else { " <=> " })?;
        if !self.guards.is_empty() {
            separated(f, &self.guards, " /\\ ")?;
            f.write_str(" | ")?;
        }
        write!(f, "{};", self.body)
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for t in &self.types {
            f.write_str("type ")?;
            write_name(f, &t.name)?;
            f.write_str("(")?;
            separated(f, &t.sorts, ", ")?;
            f.write_str(");\n")?;
        }
        for rule in &self.rules {
            writeln!(f, "{rule}")?;
        }
        Ok(())
    }
}
