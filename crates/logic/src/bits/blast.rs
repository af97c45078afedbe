//! Terms as gates: each bit of a value is a literal.

use super::gates::Gates;
use super::sat::Lit;
use crate::{BvOp, BvRel, Kind, Op, Sort, Term, Value};
use std::collections::HashMap;
use std::sync::Arc;

/// The bits of a value, the lowest first; a truth value is one.
pub type Bits = Arc<[Lit]>;

/// A term that has no bits: an integer, an array, a function, a quantifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoBits(pub Term);

/// Terms with their bits.
#[derive(Debug)]
pub struct Blaster {
    /// The gates behind them.
    pub gates: Gates,
    known: HashMap<Term, Bits>,
    /// Variables that have bits, in order.
    vars: Vec<Term>,
}

impl Blaster {
    /// Nothing yet.
    pub fn new() -> Blaster {
        Blaster { gates: Gates::new(), known: HashMap::new(), vars: Vec::new() }
    }

    /// The literal of a truth value.
    pub fn truth(&mut self, term: &Term) -> Result<Lit, NoBits> {
        Ok(self.bits(term)?[0])
    }

    /// A variable that was not seen yet is another name for a term. False if it was seen.
    pub fn name(&mut self, var: &Term, term: &Term) -> Result<bool, NoBits> {
        let bits = self.bits(term)?;
        if self.known.contains_key(var) {
            return Ok(false);
        }
        self.vars.push(var.clone());
        self.known.insert(var.clone(), bits);
        Ok(true)
    }

    /// The variables with their values, given those of all gates.
    pub fn model(&self, values: &[bool]) -> impl Iterator<Item = (Term, Value)> {
        self.vars.iter().map(|var| {
            let is = |lit: &Lit| values[lit.var() as usize] != lit.is_opposite();
            let bits = &self.known[var];
            let value = match var.sort() {
                Sort::Bits(width) => {
                    let number = bits.iter().rev().fold(0, |number, lit| number << 1 | u128::from(is(lit)));
                    Value::bits(number, *width)
                }
                _ => Value::Bool(is(&bits[0])),
            };
            (var.clone(), value)
        })
    }

    /// The bits of a term.
    pub fn bits(&mut self, root: &Term) -> Result<Bits, NoBits> {
        let mut stack = vec![(root, false)];
        while let Some((term, is_ready)) = stack.pop() {
            if self.known.contains_key(term) {
                continue;
            }
            if !is_ready && !term.args().is_empty() {
                stack.push((term, true));
                stack.extend(term.args().iter().rev().map(|arg| (arg, false)));
                continue;
            }
            let bits: Bits = self.node(term)?.into();
            self.known.insert(term.clone(), bits);
        }
        Ok(self.known[root].clone())
    }

    fn node(&mut self, term: &Term) -> Result<Vec<Lit>, NoBits> {
        let width = match term.sort() {
            Sort::Bool => 1,
            Sort::Bits(width) => usize::from(*width),
            _ => return Err(NoBits(term.clone())),
        };
        match term.kind() {
            Kind::Bool(value) => Ok(vec![Lit::TRUE.flipped(!value)]),
            Kind::Bits(bits) => Ok((0..width).map(|n| Lit::FALSE.flipped(bits >> n & 1 == 1)).collect()),
            Kind::Var(_) => {
                self.vars.push(term.clone());
                Ok((0..width).map(|_| self.gates.input()).collect())
            }
            Kind::Op(op) => {
                let args: Vec<Bits> = term.args().iter().map(|arg| self.known[arg].clone()).collect();
                if *op == Op::Bv(BvOp::Add) {
                    return Ok(self.total(term.args()));
                }
                self.operator(*op, width, &args).ok_or_else(|| NoBits(term.clone()))
            }
            Kind::Int(_) | Kind::Call(_) | Kind::Quantifier(_) => Err(NoBits(term.clone())),
        }
    }

    /// A sum, in which the opposite of something is subtracted.
    fn total(&mut self, terms: &[Term]) -> Vec<Lit> {
        let opposite_of = |term: &Term| match term.as_op() {
            Some((Op::Bv(BvOp::Mul), [a, b])) if is_minus_one(a) => Some(b.clone()),
            Some((Op::Bv(BvOp::Mul), [a, b])) if is_minus_one(b) => Some(a.clone()),
            _ => None,
        };
        let (minus, plus): (Vec<&Term>, Vec<&Term>) =
            terms.iter().partition(|term| opposite_of(term).is_some());
        let mut total = vec![Lit::FALSE; self.known[&terms[0]].len()];
        for term in plus {
            total = sum(&mut self.gates, &total, &self.known[term], Lit::FALSE).0;
        }
        for term in minus.into_iter().filter_map(opposite_of) {
            total = difference(&mut self.gates, &total, &self.known[&term]);
        }
        total
    }

    fn operator(&mut self, op: Op, width: usize, args: &[Bits]) -> Option<Vec<Lit>> {
        let gates = &mut self.gates;
        Some(match op {
            Op::Not => vec![!args[0][0]],
            Op::And => vec![gates.all(args.iter().map(|arg| arg[0]).collect())],
            Op::Or => vec![!gates.all(args.iter().map(|arg| !arg[0]).collect())],
            Op::Eq => vec![equal(gates, &args[0], &args[1])],
            Op::Distinct => {
                let mut differ = Vec::new();
                for (n, a) in args.iter().enumerate() {
                    differ.extend(args[..n].iter().map(|b| !equal(gates, a, b)));
                }
                vec![gates.all(differ)]
            }
            Op::Ite => choose(gates, args[0][0], &args[1], &args[2]),
            Op::Bv(op) => {
                let (first, others) = args.split_first()?;
                others.iter().fold(first.to_vec(), |a, b| arithmetic(gates, op, &a, b))
            }
            Op::BvNot => args[0].iter().map(|lit| !*lit).collect(),
            Op::Rel(rel) => vec![order(gates, rel, &args[0], &args[1])],
            Op::Extract { high, low } => args[0][usize::from(low)..=usize::from(high)].to_vec(),
            Op::Concat => args[1].iter().chain(args[0].iter()).copied().collect(),
            Op::ZeroExtend(_) => extended(&args[0], width, Lit::FALSE),
            Op::SignExtend(_) => extended(&args[0], width, *args[0].last()?),
            _ => return None,
        })
    }
}

fn is_minus_one(term: &Term) -> bool {
    term.as_bits().is_some_and(|bits| bits == crate::value::mask(term.width()))
}

fn extended(bits: &[Lit], width: usize, by: Lit) -> Vec<Lit> {
    bits.iter().copied().chain(std::iter::repeat(by)).take(width).collect()
}

fn equal(gates: &mut Gates, a: &[Lit], b: &[Lit]) -> Lit {
    let same = a.iter().zip(b).map(|(a, b)| !gates.xor(*a, *b)).collect();
    gates.all(same)
}

fn choose(gates: &mut Gates, condition: Lit, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    a.iter().zip(b).map(|(a, b)| gates.mux(condition, *a, *b)).collect()
}

fn opposite(bits: &[Lit]) -> Vec<Lit> {
    bits.iter().map(|lit| !*lit).collect()
}

/// The sum, and the bit that is carried out of it.
fn sum(gates: &mut Gates, a: &[Lit], b: &[Lit], mut carry: Lit) -> (Vec<Lit>, Lit) {
    let mut result = Vec::with_capacity(a.len());
    for (a, b) in a.iter().zip(b) {
        let half = gates.xor(*a, *b);
        result.push(gates.xor(half, carry));
        carry = gates.majority(*a, *b, carry);
    }
    (result, carry)
}

fn difference(gates: &mut Gates, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    sum(gates, a, &opposite(b), Lit::TRUE).0
}

fn negative(gates: &mut Gates, a: &[Lit]) -> Vec<Lit> {
    difference(gates, &vec![Lit::FALSE; a.len()], a)
}

/// The number without its sign.
fn magnitude(gates: &mut Gates, a: &[Lit]) -> Vec<Lit> {
    let minus = negative(gates, a);
    choose(gates, a[a.len() - 1], &minus, a)
}

fn order(gates: &mut Gates, rel: BvRel, a: &[Lit], b: &[Lit]) -> Lit {
    let (equals, signed) = match rel {
        BvRel::Ult => (false, false),
        BvRel::Ule => (true, false),
        BvRel::Slt => (false, true),
        BvRel::Sle => (true, true),
    };
    let last = a.len() - 1;
    let mut less = Lit::FALSE.flipped(equals);
    for (n, (a, b)) in a.iter().zip(b).enumerate() {
        let is_sign = signed && n == last;
        less = gates.majority((!*a).flipped(is_sign), b.flipped(is_sign), less);
    }
    less
}

fn arithmetic(gates: &mut Gates, op: BvOp, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let sign = |bits: &[Lit]| bits[bits.len() - 1];
    match op {
        BvOp::Add => sum(gates, a, b, Lit::FALSE).0,
        BvOp::Sub => difference(gates, a, b),
        BvOp::Mul => product(gates, a, b),
        BvOp::UDiv => quotient(gates, a, b).0,
        BvOp::URem => quotient(gates, a, b).1,
        BvOp::SDiv => {
            let (x, y) = (magnitude(gates, a), magnitude(gates, b));
            let plain = quotient(gates, &x, &y).0;
            let minus = negative(gates, &plain);
            let is_minus = gates.xor(sign(a), sign(b));
            choose(gates, is_minus, &minus, &plain)
        }
        BvOp::SRem => {
            let (x, y) = (magnitude(gates, a), magnitude(gates, b));
            let plain = quotient(gates, &x, &y).1;
            let minus = negative(gates, &plain);
            choose(gates, sign(a), &minus, &plain)
        }
        BvOp::Shl => {
            let turned: Vec<Lit> = a.iter().rev().copied().collect();
            let mut shifted = shift(gates, &turned, b, Lit::FALSE);
            shifted.reverse();
            shifted
        }
        BvOp::LShr => shift(gates, a, b, Lit::FALSE),
        BvOp::AShr => shift(gates, a, b, sign(a)),
        BvOp::And => a.iter().zip(b).map(|(a, b)| gates.and(*a, *b)).collect(),
        BvOp::Or => a.iter().zip(b).map(|(a, b)| gates.or(*a, *b)).collect(),
        BvOp::Xor => a.iter().zip(b).map(|(a, b)| gates.xor(*a, *b)).collect(),
    }
}

fn product(gates: &mut Gates, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    if let Some(number) = constant(b) {
        return multiple(gates, a, number);
    }
    if let Some(number) = constant(a) {
        return multiple(gates, b, number);
    }
    let width = a.len();
    let mut result = vec![Lit::FALSE; width];
    for (n, bit) in b.iter().enumerate() {
        let row: Vec<Lit> = a[..width - n].iter().map(|lit| gates.and(*lit, *bit)).collect();
        let upper = sum(gates, &result[n..], &row, Lit::FALSE).0;
        result.truncate(n);
        result.extend(upper);
    }
    result
}

fn constant(bits: &[Lit]) -> Option<u128> {
    let digit = |lit: &Lit| (lit.var() == 0).then_some(u128::from(*lit == Lit::TRUE));
    bits.iter().rev().try_fold(0, |number, lit| Some(number << 1 | digit(lit)?))
}

/// A multiple, by few sums and differences: no two neighbouring digits of the factor, which are 1 or -1, count.
fn multiple(gates: &mut Gates, a: &[Lit], mut factor: u128) -> Vec<Lit> {
    let width = a.len();
    let mut result = vec![Lit::FALSE; width];
    for n in 0..width {
        let digit = if factor & 1 == 1 { 2 - (factor & 3) as i8 } else { 0 };
        factor = match digit {
            1 => factor - 1,
            -1 => factor.wrapping_add(1),
            _ => factor,
        };
        factor >>= 1;
        let (upper, row) = (result.split_off(n), &a[..width - n]);
        result.extend(match digit {
            1 => sum(gates, &upper, row, Lit::FALSE).0,
            -1 => difference(gates, &upper, row),
            _ => upper,
        });
    }
    result
}

/// Quotient and remainder without sign, bit by bit. By zero they are what SMT-LIB says: all ones, and the dividend.
fn quotient(gates: &mut Gates, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
    let width = a.len();
    let divisor = extended(b, width + 1, Lit::FALSE);
    let mut rest = vec![Lit::FALSE; width + 1];
    let mut result = vec![Lit::FALSE; width];
    for n in (0..width).rev() {
        rest.pop();
        rest.insert(0, a[n]);
        let (less, fits) = sum(gates, &rest, &opposite(&divisor), Lit::TRUE);
        result[n] = fits;
        rest = choose(gates, fits, &less, &rest);
    }
    rest.pop();
    (result, rest)
}

/// To the right, and `fill` comes in from the left.
fn shift(gates: &mut Gates, a: &[Lit], by: &[Lit], fill: Lit) -> Vec<Lit> {
    let width = a.len();
    let mut result = a.to_vec();
    let mut too_far = Vec::new();
    for (n, bit) in by.iter().enumerate() {
        if n < 8 && 1 << n < width {
            let moved: Vec<Lit> = (0..width).map(|at| *result.get(at + (1 << n)).unwrap_or(&fill)).collect();
            result = choose(gates, *bit, &moved, &result);
        } else {
            too_far.push(!*bit);
        }
    }
    let near = gates.all(too_far);
    choose(gates, near, &result, &vec![fill; width])
}
