//! Terms as text. Terms that occur several times are written once, so that the text stays as small as the graph.

use super::names::quoted;
use crate::{BvOp, BvRel, Kind, Op, Term};
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::fmt::Write;

/// Deeper terms get a name of their own: parsers are recursive.
const DEEPEST: u32 = 200;

/// How variables, functions and terms that were defined before are named.
pub(super) trait Naming {
    /// The name of a variable, or of a term that was defined before.
    fn known(&self, term: &Term) -> Option<String>;
    /// The name of the function that is called.
    fn function(&self, call: &Term) -> String;
}

/// Names as they are, for people.
struct Plain;

impl Naming for Plain {
    fn known(&self, term: &Term) -> Option<String> {
        match term.kind() {
            Kind::Var(name) => Some(quoted(&name.to_string())),
            _ => None,
        }
    }

    fn function(&self, call: &Term) -> String {
        match call.kind() {
            Kind::Call(function) => quoted(&function.name().to_string()),
            _ => unreachable!("no function is called"),
        }
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text(self, &Plain))
    }
}

/// A term as text, with `let` for what occurs several times.
pub(super) fn text(term: &Term, naming: &dyn Naming) -> String {
    let mut writer = Writer { out: String::new(), naming, local: HashMap::new(), count: 0 };
    writer.scope(term);
    writer.out
}

/// The terms in `root` (without itself) that should have a name: they occur several times, or lie deep. Arguments come
/// before what uses them. Nothing inside quantifiers, and nothing that has a name already.
pub(super) fn shared(root: &Term, is_known: &dyn Fn(&Term) -> bool) -> Vec<Term> {
    let mut order = Vec::new();
    let mut seen = HashSet::new();
    let mut stack = vec![(root, 0)];
    let mut uses: HashMap<&Term, u32> = HashMap::new();
    while let Some((term, next)) = stack.pop() {
        let Some(arg) = inside(term).get(next) else {
            order.push(term);
            continue;
        };
        stack.push((term, next + 1));
        if arg.args().is_empty() || is_known(arg) {
            continue;
        }
        *uses.entry(arg).or_default() += 1;
        if seen.insert(arg) {
            stack.push((arg, 0));
        }
    }
    order.pop();
    let mut height: HashMap<&Term, u32> = HashMap::new();
    order.retain(|term| {
        let below = inside(term).iter().filter_map(|arg| height.get(arg)).max().copied().unwrap_or(0);
        let is_shared = uses[term] > 1 || below >= DEEPEST;
        height.insert(term, if is_shared { 0 } else { below + 1 });
        is_shared
    });
    order.into_iter().cloned().collect()
}

/// The arguments that are not inside a quantifier.
fn inside(term: &Term) -> &[Term] {
    match term.kind() {
        Kind::Quantifier(_) => &[],
        _ => term.args(),
    }
}

enum Item<'a> {
    Term(&'a Term),
    Close,
}

struct Writer<'a> {
    out: String,
    naming: &'a dyn Naming,
    /// Names given by `let`.
    local: HashMap<Term, String>,
    count: u32,
}

impl Writer<'_> {
    fn known(&self, term: &Term) -> Option<String> {
        self.local.get(term).cloned().or_else(|| self.naming.known(term))
    }

    /// A term with the `let`s that it needs.
    fn scope(&mut self, root: &Term) {
        let names = shared(root, &|term| self.known(term).is_some());
        for term in &names {
            self.count += 1;
            let name = format!("$t{}", self.count);
            let _ = write!(self.out, "(let (({name} ");
            self.plain(term);
            self.out.push_str(")) ");
            self.local.insert(term.clone(), name);
        }
        self.plain(root);
        self.out.extend(names.iter().map(|_| ')'));
        names.iter().for_each(|term| {
            self.local.remove(term);
        });
    }

    /// A term, without any new `let`; its own name is not used.
    fn plain(&mut self, root: &Term) {
        let mut stack = vec![Item::Term(root)];
        while let Some(item) = stack.pop() {
            let Item::Term(term) = item else {
                self.out.push(')');
                continue;
            };
            if !self.out.ends_with(['(', ' ']) && !self.out.is_empty() {
                self.out.push(' ');
            }
            if let Some(name) = self.known(term) {
                self.out.push_str(&name);
                continue;
            }
            match term.kind() {
                Kind::Bool(value) => drop(write!(self.out, "{value}")),
                Kind::Bits(bits) => self.bits(*bits, term.width()),
                Kind::Int(number) if *number < 0 => drop(write!(self.out, "(- {})", number.unsigned_abs())),
                Kind::Int(number) => drop(write!(self.out, "{number}")),
                Kind::Var(_) => unreachable!("a variable has a name"),
                Kind::Quantifier(_) => self.quantifier(term),
                Kind::Call(_) => {
                    let name = self.naming.function(term);
                    self.open(&name, term.args(), &mut stack);
                }
                Kind::Op(op) => self.operator(*op, term, &mut stack),
            }
        }
    }

    fn bits(&mut self, bits: u128, width: u8) {
        let _ = if width.is_multiple_of(4) {
            write!(self.out, "#x{bits:0width$x}", width = usize::from(width) / 4)
        } else {
            write!(self.out, "#b{bits:0width$b}", width = usize::from(width))
        };
    }

    fn open<'t>(&mut self, head: &str, args: &'t [Term], stack: &mut Vec<Item<'t>>) {
        if args.is_empty() {
            self.out.push_str(head);
            return;
        }
        self.out.push('(');
        self.out.push_str(head);
        stack.push(Item::Close);
        stack.extend(args.iter().rev().map(Item::Term));
    }

    fn operator<'t>(&mut self, op: Op, term: &'t Term, stack: &mut Vec<Item<'t>>) {
        let args = term.args();
        match (op, args) {
            (Op::And, []) | (Op::Distinct, [] | [_]) => self.out.push_str("true"),
            (Op::Or, []) => self.out.push_str("false"),
            (Op::IntAdd, []) => self.out.push('0'),
            (Op::IntMul, []) => self.out.push('1'),
            (
                Op::And | Op::Or | Op::IntAdd | Op::IntMul | Op::SepStar | Op::Bv(BvOp::Add | BvOp::Mul),
                [arg],
            ) => {
                stack.push(Item::Term(arg));
            }
            (Op::Bv(BvOp::Mul), [factor, rest])
                if factor.as_bits().is_some_and(|bits| bits == crate::value::mask(term.width())) =>
            {
                self.open("bvneg", std::slice::from_ref(rest), stack);
            }
            (Op::ConstArray, _) => self.open(&format!("(as const {})", term.sort()), args, stack),
            (Op::SepNil, _) => drop(write!(self.out, "(as sep.nil {})", term.sort())),
            _ => self.open(&head(op), args, stack),
        }
    }

    fn quantifier(&mut self, term: &Term) {
        let Kind::Quantifier(binder) = term.kind() else { unreachable!("a quantifier") };
        self.out.push_str(if binder.for_all { "(forall (" } else { "(exists (" });
        for var in &binder.vars {
            let _ = write!(self.out, "({} {})", Plain.known(var).unwrap_or_default(), var.sort());
        }
        self.out.push_str(") ");
        let triggers = term.triggers();
        if !triggers.is_empty() {
            self.out.push_str("(! ");
        }
        self.scope(&term.args()[0]);
        for trigger in &triggers {
            self.out.push_str(" :pattern (");
            trigger.iter().for_each(|term| self.plain(term));
            self.out.push(')');
        }
        if !triggers.is_empty() {
            self.out.push(')');
        }
        self.out.push(')');
    }
}

fn head(op: Op) -> String {
    let name = match op {
        Op::Not => "not",
        Op::And => "and",
        Op::Or => "or",
        Op::Eq => "=",
        Op::Distinct => "distinct",
        Op::Ite => "ite",
        Op::Bv(op) => operation(op),
        Op::BvNot => "bvnot",
        Op::Rel(rel) => relation(rel),
        Op::Concat => "concat",
        Op::Extract { high, low } => return format!("(_ extract {high} {low})"),
        Op::ZeroExtend(by) => return format!("(_ zero_extend {by})"),
        Op::SignExtend(by) => return format!("(_ sign_extend {by})"),
        Op::IntToBits(width) => return format!("(_ int2bv {width})"),
        Op::BitsToInt => "bv2nat",
        Op::IntAdd => "+",
        Op::IntMul => "*",
        Op::IntDiv => "div",
        Op::IntMod => "mod",
        Op::IntLe => "<=",
        Op::IntLt => "<",
        Op::Select => "select",
        Op::Store => "store",
        Op::SepEmp => "sep.emp",
        Op::SepStar => "sep",
        Op::SepWand => "wand",
        Op::PointsTo => "pto",
        Op::ConstArray | Op::SepNil => unreachable!("written with a sort"),
    };
    name.to_owned()
}

/// The name of an operation.
pub(super) fn operation(op: BvOp) -> &'static str {
    match op {
        BvOp::Add => "bvadd",
        BvOp::Sub => "bvsub",
        BvOp::Mul => "bvmul",
        BvOp::UDiv => "bvudiv",
        BvOp::SDiv => "bvsdiv",
        BvOp::URem => "bvurem",
        BvOp::SRem => "bvsrem",
        BvOp::Shl => "bvshl",
        BvOp::LShr => "bvlshr",
        BvOp::AShr => "bvashr",
        BvOp::And => "bvand",
        BvOp::Or => "bvor",
        BvOp::Xor => "bvxor",
    }
}

fn relation(rel: BvRel) -> &'static str {
    match rel {
        BvRel::Ult => "bvult",
        BvRel::Ule => "bvule",
        BvRel::Slt => "bvslt",
        BvRel::Sle => "bvsle",
    }
}
