//! Domains: what an invariant may say about a loop. Each is a part of a template with parameters (paper, sections II-B and IV).
//!
//! A domain claims something of the values at the end of every iteration. It starts with nothing seen (false), and a model of the solver
//! that breaks its claim is joined into its parameters.

use heapproof_logic::{BvRel, Model, Term, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The two places at which a claim is needed: the loop-back variables, and the values at the end of the last iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Loop-back variables.
    Back,
    /// Values at the end.
    End,
}

/// An expression at both places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// For people.
    pub name: String,
    /// Over loop-back variables.
    pub back: Term,
    /// Over values at the end.
    pub end: Term,
}

impl Expr {
    /// At one place.
    pub fn at(&self, side: Side) -> &Term {
        match side {
            Side::Back => &self.back,
            Side::End => &self.end,
        }
    }
}

/// Part of a template.
pub trait Domain {
    /// What it claims; none if it claims nothing any more.
    fn claim(&self, side: Side) -> Option<Term>;

    /// Makes the claim weaker, so that it holds for the values at the end in a model.
    fn join(&mut self, model: &Model);

    /// Claims nothing from now on.
    fn give_up(&mut self);

    /// For people; empty if nothing is claimed.
    fn describe(&self) -> String;

    /// The expressions that it speaks about.
    fn exprs(&self) -> Vec<&Expr>;

    /// A bound that may be searched for, if that is what it is.
    fn bound(&mut self) -> Option<&mut Bound> {
        None
    }

    /// The witnesses that the claim speaks about, if that cannot be told from its expressions.
    fn owners(&self) -> Option<&BTreeSet<Owner>> {
        None
    }

    /// What was found so far, if a domain of the same kind about other witnesses can take it over.
    fn parameters(&self) -> Option<Parameters> {
        None
    }

    /// Takes over what was found for other witnesses.
    fn adopt(&mut self, _: &Parameters) {}

    /// Where the claim is made at all.
    fn when(&self, _: Side) -> Term {
        Term::truth(true)
    }
}

/// What a domain has found so far.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Parameters {
    Values { values: BTreeSet<Value>, most: usize },
    Bound { value: Option<i128>, moves: u32, top: bool },
    Holds { claimed: bool, seen: bool },
}

/// A witness: the rest of its allocation, and itself.
pub type Owner = (u32, u32);

/// The value of a term in a model.
pub fn eval(model: &Model, term: &Term) -> Option<Value> {
    model.eval(term).ok()
}

fn constant(value: &Value) -> Option<Term> {
    match value {
        Value::Bool(truth) => Some(Term::truth(*truth)),
        Value::Bits { bits, width } => Some(Term::bits(*bits, *width)),
        _ => None,
    }
}

/// `expr <= value`, as signed numbers.
#[derive(Clone, Debug)]
pub struct Bound {
    /// What is bounded.
    pub expr: Expr,
    /// Where the numbers begin and end.
    pub greatest: i128,
    /// The bound; none before anything was seen.
    pub value: Option<i128>,
    /// Numbers at which it may stay, ascending.
    pub thresholds: Arc<Vec<i128>>,
    /// So often it may still move to one of them; then it is searched for, once.
    pub moves: u32,
    /// Whether it is to be searched for.
    pub search: Search,
    /// It claims nothing.
    pub top: bool,
}

/// The search for a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// Not yet.
    Later,
    /// Now.
    Now,
    /// It was done: if the bound is broken again, there is none.
    Done,
}

impl Bound {
    /// Nothing seen yet. The expression must not wrap.
    pub fn new(expr: Expr, thresholds: &Arc<Vec<i128>>, moves: u32) -> Self {
        let greatest = expr.back.signed_range().1;
        let thresholds = thresholds.clone();
        Bound { expr, greatest, value: None, thresholds, moves, search: Search::Later, top: false }
    }

    /// Without search: numbers of the program, or nothing.
    pub fn without_search(self) -> Self {
        Bound { search: Search::Done, ..self }
    }

    /// The claim for some bound.
    pub fn below(&self, side: Side, bound: i128) -> Term {
        let width = self.expr.back.width();
        let bound = Term::bits(bound as u128 & heapproof_ir::mask(width), width);
        Term::rel(BvRel::Sle, self.expr.at(side).clone(), bound)
    }
}

impl Domain for Bound {
    fn exprs(&self) -> Vec<&Expr> {
        vec![&self.expr]
    }

    fn claim(&self, side: Side) -> Option<Term> {
        if self.top {
            return None;
        }
        Some(self.value.map_or(Term::truth(false), |value| self.below(side, value)))
    }

    fn join(&mut self, model: &Model) {
        let Some(Value::Bits { bits, width }) = eval(model, &self.expr.end) else { return self.give_up() };
        let seen = heapproof_ir::sign_extend(bits, width);
        match self.value {
            Some(value) if value >= seen => {}
            None => {
                self.value = Some(seen);
                self.top = seen >= self.greatest;
            }
            Some(_) => {
                let next = self.thresholds.iter().copied().find(|t| *t >= seen && *t < self.greatest);
                match (next, self.search) {
                    (Some(next), _) if self.moves > 0 => {
                        self.moves -= 1;
                        self.value = Some(next);
                    }
                    (_, Search::Later) => {
                        self.value = Some(seen);
                        self.search = Search::Now;
                    }
                    _ => self.top = true,
                }
            }
        }
    }

    fn give_up(&mut self) {
        self.top = true;
    }

    fn describe(&self) -> String {
        match (self.top, self.value) {
            (false, Some(value)) => format!("{} <= {value}", self.expr.name),
            _ => String::new(),
        }
    }

    fn bound(&mut self) -> Option<&mut Bound> {
        (!self.top).then_some(self)
    }

    fn parameters(&self) -> Option<Parameters> {
        Some(Parameters::Bound { value: self.value, moves: self.moves, top: self.top })
    }

    fn adopt(&mut self, parameters: &Parameters) {
        if let Parameters::Bound { value, moves, top } = parameters {
            (self.value, self.moves, self.top) = (*value, *moves, *top);
        }
    }
}

/// An expression has one of a few values. For the objects of pointers these are the points-to rows of the paper (section IV-A).
#[derive(Clone, Debug)]
pub struct OneOf {
    /// What has these values.
    pub expr: Expr,
    /// The values.
    pub values: BTreeSet<Value>,
    /// With more than these nothing is claimed.
    pub most: usize,
}

impl Domain for OneOf {
    fn exprs(&self) -> Vec<&Expr> {
        vec![&self.expr]
    }

    fn claim(&self, side: Side) -> Option<Term> {
        if self.values.len() > self.most {
            return None;
        }
        let equals = |value: &Value| constant(value).map(|value| Term::eq(self.expr.at(side).clone(), value));
        Some(Term::or(self.values.iter().filter_map(equals)))
    }

    fn join(&mut self, model: &Model) {
        match eval(model, &self.expr.end) {
            Some(value) => drop(self.values.insert(value)),
            None => self.give_up(),
        }
    }

    fn give_up(&mut self) {
        self.most = 0;
        self.values.insert(Value::Bool(true));
    }

    fn describe(&self) -> String {
        if self.values.len() > self.most || self.values.is_empty() {
            return String::new();
        }
        let show = |value: &Value| match value {
            Value::Bits { bits, width } => heapproof_ir::sign_extend(*bits, *width).to_string(),
            other => format!("{other:?}"),
        };
        let values: Vec<String> = self.values.iter().map(show).collect();
        format!("{} in {{{}}}", self.expr.name, values.join(", "))
    }

    fn parameters(&self) -> Option<Parameters> {
        Some(Parameters::Values { values: self.values.clone(), most: self.most })
    }

    fn adopt(&mut self, parameters: &Parameters) {
        if let Parameters::Values { values, most } = parameters {
            self.values.clone_from(values);
            self.most = *most;
        }
    }
}

/// The low bits of an expression are known.
#[derive(Clone, Debug)]
pub struct LowBits {
    /// Of what.
    pub expr: Expr,
    /// How many, and which; none before anything was seen.
    pub known: Option<(u8, u128)>,
}

impl Domain for LowBits {
    fn exprs(&self) -> Vec<&Expr> {
        vec![&self.expr]
    }

    fn claim(&self, side: Side) -> Option<Term> {
        match self.known {
            None => Some(Term::truth(false)),
            Some((0, _)) => None,
            Some((count, bits)) => {
                let low = Term::extract(count - 1, 0, self.expr.at(side).clone());
                Some(Term::eq(low, Term::bits(bits & heapproof_ir::mask(count), count)))
            }
        }
    }

    fn join(&mut self, model: &Model) {
        let Some(Value::Bits { bits, width }) = eval(model, &self.expr.end) else { return self.give_up() };
        self.known = Some(match self.known {
            None => (width, bits),
            Some((count, known)) => (count.min((known ^ bits).trailing_zeros().min(128) as u8), known),
        });
    }

    fn give_up(&mut self) {
        self.known = Some((0, 0));
    }

    fn describe(&self) -> String {
        match self.known {
            Some((count, bits)) if count > 0 => {
                format!("{} = {} mod 2^{count}", self.expr.name, bits & heapproof_ir::mask(count))
            }
            _ => String::new(),
        }
    }
}

/// A condition that the program itself computes. It is claimed until a model breaks it.
#[derive(Clone, Debug)]
pub struct Holds {
    /// The condition.
    pub expr: Expr,
    /// It is still claimed.
    pub claimed: bool,
    /// Some state was seen.
    pub seen: bool,
}

impl Domain for Holds {
    fn exprs(&self) -> Vec<&Expr> {
        vec![&self.expr]
    }

    fn claim(&self, side: Side) -> Option<Term> {
        match (self.seen, self.claimed) {
            (false, _) => Some(Term::truth(false)),
            (true, true) => Some(self.expr.at(side).clone()),
            (true, false) => None,
        }
    }

    fn join(&mut self, model: &Model) {
        self.seen = true;
        self.claimed &= model.satisfies(&self.expr.end);
    }

    fn give_up(&mut self) {
        self.seen = true;
        self.claimed = false;
    }

    fn describe(&self) -> String {
        if self.claimed && self.seen { self.expr.name.clone() } else { String::new() }
    }

    fn parameters(&self) -> Option<Parameters> {
        Some(Parameters::Holds { claimed: self.claimed, seen: self.seen })
    }

    fn adopt(&mut self, parameters: &Parameters) {
        if let Parameters::Holds { claimed, seen } = parameters {
            (self.claimed, self.seen) = (*claimed, *seen);
        }
    }
}
