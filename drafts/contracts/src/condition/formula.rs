//! Annotations as terms, typed with the types of the program.

use super::vocabulary::{Ctype, Shown, Vocabulary, unsigned};
use crate::annotation::{BinaryOp, Expr, ExprKind, FieldRef, Mistake, SetOp, TypeName, UnaryOp};
use heapproof_ir::{CType, Program, TypeId, ctype};
use heapproof_logic::{Op, Sort, Term};
use std::cell::Cell;

/// A value with its type.
#[derive(Clone, Debug)]
pub struct Typed {
    /// The value: a pointer, an integer, an object or a truth value, by its sort. A structure has none.
    pub value: Option<Term>,
    /// Its type.
    pub ty: Ctype,
    /// Where it lies, if it is an object of the program.
    pub address: Option<Term>,
}

impl Typed {
    /// A value that lies nowhere.
    pub fn value(value: Term, ty: Ctype) -> Typed {
        Typed { value: Some(value), ty, address: None }
    }
}

/// What the names of an annotation mean.
pub trait Lookup {
    /// The variable of a name at the place of the annotation.
    fn variable(&self, name: &str) -> Option<Typed>;
    /// The result of the function.
    fn result(&self) -> Option<Typed>;
}

/// A state in which an annotation is read.
pub struct Context<'a> {
    /// The heap.
    pub heap: Term,
    /// The variables.
    pub lookup: &'a dyn Lookup,
    /// The state at the entry of the function, for `\old`.
    pub old: Option<&'a Context<'a>>,
}

/// A part of a set: an element for every value of some variables that satisfy a guard.
#[derive(Clone, Debug)]
pub struct Part {
    /// The variables.
    pub vars: Vec<Term>,
    /// When there is an element.
    pub guard: Term,
    /// The element.
    pub element: Term,
    /// What makes a solver look at it.
    pub triggers: Vec<Vec<Term>>,
    /// How many bytes the cell at the element has.
    pub bytes: i128,
    ty: Ctype,
    shift: i128,
}

type Bound = Vec<(String, Typed)>;

/// Turns annotations into terms.
pub struct Formula<'a> {
    /// The program.
    pub program: &'a Program,
    /// The words.
    pub words: &'a Vocabulary,
    /// The number of the next variable of a quantifier.
    pub next: Cell<u64>,
}

impl Formula<'_> {
    /// A formula.
    pub fn truth(&self, expr: &Expr, context: &Context<'_>) -> Result<Term, Mistake> {
        self.formula(expr, context, &mut Vec::new())
    }

    /// A pointer.
    pub fn pointer(&self, expr: &Expr, context: &Context<'_>) -> Result<Term, Mistake> {
        let typed = self.expr(expr, context, &mut Vec::new())?;
        self.as_pointer(&typed).ok_or_else(|| Mistake::new(expr.at, "a pointer is expected here"))
    }

    /// The parts of a set.
    pub fn set(&self, expr: &Expr, context: &Context<'_>) -> Result<Vec<Part>, Mistake> {
        self.parts(expr, context, &mut Vec::new())
    }

    /// A new variable of a quantifier.
    pub fn fresh(&self, sort: Sort) -> Term {
        self.next.set(self.next.get() + 1);
        Term::bound(1_000 + self.next.get(), sort)
    }

    /// The index of a link field among those that are known.
    pub fn field(&self, field: &FieldRef) -> Result<usize, Mistake> {
        let (owner, offset) = link_field(self.program, field)?;
        let known = self.words.fields.iter().position(|known| (known.owner, known.offset) == (owner, offset));
        known.ok_or_else(|| Mistake::new(field.at, "this field is not known as a link"))
    }

    fn formula(&self, expr: &Expr, context: &Context<'_>, bound: &mut Bound) -> Result<Term, Mistake> {
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => Ok(self.formula(inner, context, bound)?.not()),
            ExprKind::Binary(BinaryOp::Implies, a, b) => {
                Ok(Term::implies(self.formula(a, context, bound)?, self.formula(b, context, bound)?))
            }
            ExprKind::Binary(BinaryOp::And, a, b) => {
                Ok(Term::and([self.formula(a, context, bound)?, self.formula(b, context, bound)?]))
            }
            ExprKind::Binary(BinaryOp::Or, a, b) => {
                Ok(Term::or([self.formula(a, context, bound)?, self.formula(b, context, bound)?]))
            }
            ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), a, b) => {
                let equal = self.equal(a, b, context, bound)?;
                Ok(if *op == BinaryOp::Eq { equal } else { equal.not() })
            }
            ExprKind::Binary(op @ (BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge), a, b) => {
                let (x, y) = (self.expr(a, context, bound)?, self.expr(b, context, bound)?);
                let (x, y) = self.comparable(expr, &x, &y)?;
                Ok(match op {
                    BinaryOp::Lt => Term::int_lt(x, y),
                    BinaryOp::Le => Term::int_le(x, y),
                    BinaryOp::Gt => Term::int_lt(y, x),
                    _ => Term::int_le(y, x),
                })
            }
            ExprKind::Alloc(inner) => {
                let typed = self.expr(inner, context, bound)?;
                let Shown::Pointer(to) = self.decayed(&typed).ty.show(self.program) else {
                    return Err(Mistake::new(inner.at, "`alloc` needs a pointer"));
                };
                let bytes = to.size(self.program).ok_or_else(|| {
                    Mistake::new(inner.at, "the size of what this points to is not known").with("cast it to another type")
                })?;
                let pointer = self.need_pointer(inner, &typed)?;
                Ok(self.words.is_valid(&context.heap, &pointer, i128::from(bytes)))
            }
            ExprKind::Blocking(inner) => {
                let typed = self.expr(inner, context, bound)?;
                Ok(self.words.is_blocking(&context.heap, &self.need_pointer(inner, &typed)?))
            }
            ExprKind::In(element, set) => {
                let typed = self.expr(element, context, bound)?;
                let element = self.need_pointer(element, &typed)?;
                self.member(&element, set, context, bound)
            }
            ExprKind::Forall { ty, var, set, body } => {
                let ty = resolve(self.program, ty)?;
                let mut all = Vec::new();
                for part in self.parts(set, context, bound)? {
                    let value = match ty.show(self.program) {
                        Shown::Int { .. } | Shown::Math => self.words.num(&part.element),
                        _ => part.element.clone(),
                    };
                    bound.push((var.clone(), Typed::value(value, ty.clone())));
                    let body = self.formula(body, context, bound);
                    bound.pop();
                    all.push(Term::forall(part.vars, part.triggers, Term::implies(part.guard, body?)));
                }
                Ok(Term::and(all))
            }
            ExprKind::Old(inner) => self.formula(inner, self.old(expr, context)?, bound),
            _ => {
                let typed = self.expr(expr, context, bound)?;
                // As in C, a number or a pointer holds if it is not zero.
                match &typed.value {
                    Some(value) if *value.sort() == Sort::Bool => Ok(value.clone()),
                    Some(value) if *value.sort() == Sort::Int => Ok(Term::ne(value.clone(), Term::int(0))),
                    _ => match self.as_pointer(&typed) {
                        Some(pointer) => Ok(Term::ne(pointer, self.words.null())),
                        None => Err(Mistake::new(expr.at, "a formula is expected here")),
                    },
                }
            }
        }
    }

    fn old<'c>(&self, expr: &Expr, context: &'c Context<'c>) -> Result<&'c Context<'c>, Mistake> {
        context.old.ok_or_else(|| Mistake::new(expr.at, "`\\old` has no meaning here").with("this is the state at entry already"))
    }

    fn equal(&self, a: &Expr, b: &Expr, context: &Context<'_>, bound: &mut Bound) -> Result<Term, Mistake> {
        let (x, y) = (self.expr(a, context, bound)?, self.expr(b, context, bound)?);
        let sort = |typed: &Typed| typed.value.as_ref().map(|value| value.sort().clone());
        if let (Some(s), Some(t)) = (sort(&x), sort(&y)) {
            let same = s == t && (s == self.words.object || s == Sort::Bool);
            if same {
                return Ok(Term::eq(x.value.expect("a value"), y.value.expect("a value")));
            }
            if s == self.words.object || t == self.words.object {
                return Err(Mistake::new(a.at, "an object is compared with something else")
                    .with("compare `Obj(E)` with `Obj(E)`"));
            }
        }
        let is_pointer = |typed: &Typed| matches!(self.decayed(typed).ty.show(self.program), Shown::Pointer(_));
        if is_pointer(&x) || is_pointer(&y) {
            return Ok(Term::eq(self.need_pointer(a, &x)?, self.need_pointer(b, &y)?));
        }
        let (x, y) = self.comparable(a, &x, &y)?;
        Ok(Term::eq(x, y))
    }

    /// Two numbers; two pointers are compared by their offsets.
    fn comparable(&self, at: &Expr, x: &Typed, y: &Typed) -> Result<(Term, Term), Mistake> {
        match (self.as_int(x), self.as_int(y)) {
            (Some(x), Some(y)) => Ok((x, y)),
            _ => Err(Mistake::new(at.at, "only numbers can be compared like this").with("compare `Off(p)` with `Off(q)`")),
        }
    }

    fn as_int(&self, typed: &Typed) -> Option<Term> {
        let value = typed.value.clone()?;
        match value.sort() {
            Sort::Int => Some(value),
            Sort::Bool => Some(Term::ite(value, Term::int(1), Term::int(0))),
            _ => None,
        }
    }

    fn need_int(&self, expr: &Expr, typed: &Typed) -> Result<Term, Mistake> {
        self.as_int(typed).ok_or_else(|| Mistake::new(expr.at, "a number is expected here"))
    }

    /// An array is a pointer to its first element.
    fn decayed(&self, typed: &Typed) -> Typed {
        match (typed.ty.show(self.program), &typed.address) {
            (Shown::Array(element), Some(address)) => Typed::value(address.clone(), Ctype::Pointer(Box::new(element))),
            _ => typed.clone(),
        }
    }

    fn as_pointer(&self, typed: &Typed) -> Option<Term> {
        let value = self.decayed(typed).value?;
        match value.sort() {
            Sort::Int => Some(self.words.from_int(value)),
            sort if *sort == self.words.pointer => Some(value),
            _ => None,
        }
    }

    fn need_pointer(&self, expr: &Expr, typed: &Typed) -> Result<Term, Mistake> {
        self.as_pointer(typed).ok_or_else(|| Mistake::new(expr.at, "a pointer is expected here"))
    }

    /// An object of a type at an address, with its value.
    pub fn load(&self, heap: &Term, address: Term, ty: Ctype) -> Typed {
        let value = match ty.show(self.program) {
            Shown::Pointer(_) => self.words.mem(heap, self.words.pointer_bytes, &address),
            Shown::Int { size, signed } => u8::try_from(size).ok().and_then(|size| {
                let content = self.words.mem(heap, size, &address)?;
                let number = if *content.sort() == Sort::Int { content } else { self.words.num(&content) };
                Some(if signed { number } else { unsigned(number, 8 * u32::from(size)) })
            }),
            _ => None,
        };
        Typed { value, ty, address: Some(address) }
    }

    fn expr(&self, expr: &Expr, context: &Context<'_>, bound: &mut Bound) -> Result<Typed, Mistake> {
        let wrong = |message: &str| Err(Mistake::new(expr.at, message));
        match &expr.kind {
            ExprKind::Number(number) => Ok(Typed::value(Term::int(*number), Ctype::Math)),
            ExprKind::Name(name) => self.name(name, expr, context, bound),
            ExprKind::Result => match context.lookup.result() {
                Some(result) => Ok(result),
                None => Err(Mistake::new(expr.at, "there is no `\\result` here").with("only `ensures` can speak of it")),
            },
            ExprKind::Old(inner) => self.expr(inner, self.old(expr, context)?, bound),
            ExprKind::Unary(UnaryOp::Minus, inner) => {
                let number = self.expr(inner, context, bound).and_then(|typed| self.need_int(inner, &typed))?;
                Ok(Typed::value(Term::int_sub(Term::int(0), number), Ctype::Math))
            }
            ExprKind::Unary(UnaryOp::Deref, inner) => {
                let typed = self.expr(inner, context, bound)?;
                let pointer = self.need_pointer(inner, &typed)?;
                match self.decayed(&typed).ty.show(self.program) {
                    Shown::Pointer(to) => Ok(self.load(&context.heap, pointer, to)),
                    _ => wrong("only a pointer can be dereferenced"),
                }
            }
            ExprKind::Unary(UnaryOp::Address, inner) => {
                let typed = self.expr(inner, context, bound)?;
                match typed.address {
                    Some(address) => Ok(Typed::value(address, Ctype::Pointer(Box::new(typed.ty)))),
                    None => wrong("this has no address").map_err(|mistake| {
                        mistake.with("a variable whose address the program never takes lies in no memory")
                    }),
                }
            }
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                let (x, y) = (self.expr(a, context, bound)?, self.expr(b, context, bound)?);
                self.sum(expr, (a, x), (b, y), *op == BinaryOp::Sub)
            }
            ExprKind::Binary(op @ (BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod), a, b) => {
                let x = self.expr(a, context, bound).and_then(|typed| self.need_int(a, &typed))?;
                let y = self.expr(b, context, bound).and_then(|typed| self.need_int(b, &typed))?;
                let op = match op {
                    BinaryOp::Mul => Op::IntMul,
                    BinaryOp::Div => Op::IntDiv,
                    _ => Op::IntMod,
                };
                Ok(Typed::value(Term::op(op, [x, y]), Ctype::Math))
            }
            ExprKind::Member { of, field, arrow } => {
                let typed = self.expr(of, context, bound)?;
                let (address, ty) = if *arrow {
                    let pointer = self.need_pointer(of, &typed)?;
                    match self.decayed(&typed).ty.show(self.program) {
                        Shown::Pointer(to) => (pointer, to),
                        _ => return wrong("`->` needs a pointer to a structure"),
                    }
                } else {
                    match typed.address {
                        Some(address) => (address, typed.ty),
                        None => return wrong("`.` needs a structure"),
                    }
                };
                let (offset, ty) = self.member_of(&ty, field, expr)?;
                let address = self.words.plus(&address, Term::int(offset));
                Ok(self.load(&context.heap, address, ty))
            }
            ExprKind::Index(base, index) => {
                let (x, y) = (self.expr(base, context, bound)?, self.expr(index, context, bound)?);
                let sum = self.sum(expr, (base, x), (index, y), false)?;
                match (sum.ty.show(self.program), &sum.value) {
                    (Shown::Pointer(to), Some(pointer)) => Ok(self.load(&context.heap, pointer.clone(), to)),
                    _ => wrong("only an array or a pointer has elements"),
                }
            }
            ExprKind::Cast(ty, inner) => {
                let ty = resolve(self.program, ty)?;
                let typed = self.expr(inner, context, bound)?;
                match ty.show(self.program) {
                    Shown::Pointer(_) => Ok(Typed::value(self.need_pointer(inner, &typed)?, ty)),
                    Shown::Int { .. } | Shown::Math => match self.as_int(&typed) {
                        Some(number) => Ok(Typed::value(number, Ctype::Math)),
                        None => Ok(Typed::value(self.words.num(&self.need_pointer(inner, &typed)?), Ctype::Math)),
                    },
                    _ => wrong("only to numbers and pointers can be cast"),
                }
            }
            ExprKind::SizeOf(ty) => match resolve(self.program, ty)?.size(self.program) {
                Some(size) => Ok(Typed::value(Term::int(size.into()), Ctype::Math)),
                None => wrong("the size of this type is not known"),
            },
            ExprKind::Obj(inner) => {
                let typed = self.expr(inner, context, bound)?;
                Ok(Typed::value(self.words.obj(&self.need_pointer(inner, &typed)?), Ctype::Void))
            }
            ExprKind::Off(inner) => {
                let typed = self.expr(inner, context, bound)?;
                Ok(Typed::value(self.words.off(&self.need_pointer(inner, &typed)?), Ctype::Math))
            }
            ExprKind::Block(inner, field) => {
                let typed = self.expr(inner, context, bound)?;
                let pointer = self.need_pointer(inner, &typed)?;
                let block = &self.words.fields[self.field(field)?].block;
                Ok(Typed::value(block.apply([context.heap.clone(), pointer]), self.decayed(&typed).ty))
            }
            ExprKind::Nothing
            | ExprKind::Elements(_)
            | ExprKind::BlockingSet
            | ExprKind::List(..)
            | ExprKind::Array(..)
            | ExprKind::Shift { .. }
            | ExprKind::DerefSet(_)
            | ExprKind::Sets(..) => wrong("this is a set, not a value"),
            _ => Ok(Typed::value(self.formula(expr, context, bound)?, Ctype::Math)),
        }
    }

    fn name(&self, name: &str, expr: &Expr, context: &Context<'_>, bound: &Bound) -> Result<Typed, Mistake> {
        if let Some((_, typed)) = bound.iter().rev().find(|(known, _)| known == name) {
            return Ok(typed.clone());
        }
        if let Some(typed) = context.lookup.variable(name) {
            // A variable that lies in memory has the value that is there in this state.
            return Ok(match typed.address {
                Some(address) => self.load(&context.heap, address, typed.ty),
                None => typed,
            });
        }
        if name == "NULL" {
            return Ok(Typed::value(self.words.null(), Ctype::Pointer(Box::new(Ctype::Void))));
        }
        if let Some((_, global)) = self.program.globals.iter().find(|(_, global)| global.name == name)
            && let Some(ty) = global.ctype
        {
            return Ok(self.load(&context.heap, global_address(self.words, name), Ctype::Of(ty)));
        }
        let enumerator = self.program.types.values().find_map(|ty| match ty {
            CType::Enum { enumerators, .. } => enumerators.iter().find(|(known, _)| known == name).map(|(_, value)| *value),
            _ => None,
        });
        match enumerator {
            Some(value) => Ok(Typed::value(Term::int(value), Ctype::Math)),
            None => Err(Mistake::new(expr.at, format!("`{name}` is not known here"))
                .with("annotations can use parameters, globals, enumerators and, in a body, variables in scope")),
        }
    }

    fn sum(&self, expr: &Expr, a: (&Expr, Typed), b: (&Expr, Typed), is_minus: bool) -> Result<Typed, Mistake> {
        let (x, y) = (self.decayed(&a.1), self.decayed(&b.1));
        let scaled = |by: &Typed, at: &Expr, to: &Ctype| {
            let size = to.size(self.program).ok_or_else(|| Mistake::new(at.at, "the size of the elements is not known"))?;
            let number = Term::int_mul(self.need_int(at, by)?, Term::int(size.into()));
            Ok(if is_minus { Term::int_sub(Term::int(0), number) } else { number })
        };
        match (x.ty.show(self.program), y.ty.show(self.program)) {
            (Shown::Pointer(to), Shown::Pointer(_)) if is_minus => {
                let size = to.size(self.program).unwrap_or(1).max(1);
                let (p, q) = (self.need_pointer(a.0, &x)?, self.need_pointer(b.0, &y)?);
                let bytes = Term::int_sub(self.words.off(&p), self.words.off(&q));
                Ok(Typed::value(Term::op(Op::IntDiv, [bytes, Term::int(size.into())]), Ctype::Math))
            }
            (Shown::Pointer(to), _) => {
                let pointer = self.need_pointer(a.0, &x)?;
                Ok(Typed::value(self.words.plus(&pointer, scaled(&y, b.0, &to)?), x.ty))
            }
            (_, Shown::Pointer(to)) if !is_minus => {
                let pointer = self.need_pointer(b.0, &y)?;
                Ok(Typed::value(self.words.plus(&pointer, scaled(&x, a.0, &to)?), y.ty))
            }
            _ => {
                let (x, y) = self.comparable(expr, &x, &y)?;
                Ok(Typed::value(if is_minus { Term::int_sub(x, y) } else { Term::int_add(x, y) }, Ctype::Math))
            }
        }
    }

    fn member_of(&self, ty: &Ctype, field: &str, expr: &Expr) -> Result<(i128, Ctype), Mistake> {
        let Shown::Aggregate(_, members) = ty.show(self.program) else {
            return Err(Mistake::new(expr.at, format!("`{field}` is asked of what is no structure")));
        };
        find_member(self.program, members, field).ok_or_else(|| {
            let names: Vec<String> =
                members.iter().filter_map(|member| member.name.as_ref()).map(|name| format!("`{name}`")).collect();
            Mistake::new(expr.at, format!("there is no field `{field}`"))
                .with(format!("the fields are {}", names.join(", ")))
        })
    }

    /// Is a pointer in a set?
    fn member(&self, p: &Term, set: &Expr, context: &Context<'_>, bound: &mut Bound) -> Result<Term, Mistake> {
        match &set.kind {
            ExprKind::Nothing => Ok(Term::truth(false)),
            ExprKind::BlockingSet => Ok(self.words.is_blocking(&context.heap, p)),
            ExprKind::List(from, field) => {
                let typed = self.expr(from, context, bound)?;
                let from = self.need_pointer(from, &typed)?;
                let reach = &self.words.fields[self.field(field)?].reach;
                Ok(reach.apply([context.heap.clone(), from, p.clone()]))
            }
            ExprKind::Shift { set, by } => self.member(&self.words.plus(p, Term::int(-by)), set, context, bound),
            ExprKind::Sets(op, a, b) => {
                let (x, y) = (self.member(p, a, context, bound)?, self.member(p, b, context, bound)?);
                Ok(match op {
                    SetOp::Union => Term::or([x, y]),
                    SetOp::Inter => Term::and([x, y]),
                    SetOp::Diff => Term::and([x, y.not()]),
                })
            }
            ExprKind::Old(inner) => self.member(p, inner, self.old(set, context)?, bound),
            _ => {
                let parts = self.parts(set, context, bound)?;
                Ok(Term::or(parts.iter().map(|part| part.some(|element| Term::eq(element.clone(), p.clone())))))
            }
        }
    }

    fn parts(&self, set: &Expr, context: &Context<'_>, bound: &mut Bound) -> Result<Vec<Part>, Mistake> {
        let words = self.words;
        let part = |vars, guard, element, triggers, ty: Ctype| {
            let bytes = ty.scalar_at(self.program, 0).unwrap_or(1).into();
            Part { vars, guard, element, triggers, bytes, ty, shift: 0 }
        };
        let pointee = |typed: &Typed| match self.decayed(typed).ty.show(self.program) {
            Shown::Pointer(to) => to,
            _ => Ctype::Void,
        };
        match &set.kind {
            ExprKind::Nothing => Ok(Vec::new()),
            ExprKind::Elements(elements) => {
                let mut parts = Vec::new();
                for element in elements {
                    let typed = self.expr(element, context, bound)?;
                    let pointer = self.need_pointer(element, &typed)?;
                    parts.push(part(Vec::new(), Term::truth(true), pointer, Vec::new(), pointee(&typed)));
                }
                Ok(parts)
            }
            ExprKind::BlockingSet => {
                let x = self.fresh(words.pointer.clone());
                let guard = words.is_blocking(&context.heap, &x);
                Ok(vec![part(vec![x.clone()], guard.clone(), x, vec![vec![guard]], Ctype::Void)])
            }
            ExprKind::List(from, field) => {
                let typed = self.expr(from, context, bound)?;
                let start = self.need_pointer(from, &typed)?;
                let x = self.fresh(words.pointer.clone());
                let field = &words.fields[self.field(field)?];
                let guard = field.reach.apply([context.heap.clone(), start, x.clone()]);
                let ty = match pointee(&typed) {
                    Ctype::Void => Ctype::Of(field.owner),
                    ty => ty,
                };
                Ok(vec![part(vec![x.clone()], guard.clone(), x, vec![vec![guard]], ty)])
            }
            ExprKind::Array(from, count) => {
                let typed = self.expr(from, context, bound)?;
                let start = self.need_pointer(from, &typed)?;
                let count = self.expr(count, context, bound).and_then(|typed| self.need_int(count, &typed))?;
                let ty = pointee(&typed);
                let size = i128::from(ty.size(self.program).unwrap_or(1).max(1));
                let x = self.fresh(words.pointer.clone());
                let distance = Term::int_sub(words.off(&x), words.off(&start));
                let guard = Term::and([
                    Term::eq(words.obj(&x), words.obj(&start)),
                    Term::int_le(Term::int(0), distance.clone()),
                    Term::int_lt(distance.clone(), Term::int_mul(count, Term::int(size))),
                    Term::eq(Term::op(Op::IntMod, [distance, Term::int(size)]), Term::int(0)),
                ]);
                Ok(vec![part(vec![x.clone()], guard, x.clone(), vec![vec![words.off(&x)]], ty)])
            }
            ExprKind::Shift { set, by } => {
                let mut parts = self.parts(set, context, bound)?;
                for part in &mut parts {
                    part.shift += by;
                    part.element = words.plus(&part.element, Term::int(*by));
                    part.bytes = part.ty.scalar_at(self.program, part.shift).unwrap_or(1).into();
                }
                Ok(parts)
            }
            ExprKind::DerefSet(set) => {
                let mut parts = self.parts(set, context, bound)?;
                for part in &mut parts {
                    let content = words.mem(&context.heap, words.pointer_bytes, &part.element);
                    part.element = content.expect("a pointer has a width");
                    (part.ty, part.shift, part.bytes) = (Ctype::Void, 0, 1);
                }
                Ok(parts)
            }
            ExprKind::Sets(SetOp::Union, a, b) => {
                let mut parts = self.parts(a, context, bound)?;
                parts.extend(self.parts(b, context, bound)?);
                Ok(parts)
            }
            ExprKind::Sets(op, a, b) => {
                let mut parts = self.parts(a, context, bound)?;
                for part in &mut parts {
                    let other = self.member(&part.element, b, context, bound)?;
                    let other = if *op == SetOp::Diff { other.not() } else { other };
                    part.guard = Term::and([part.guard.clone(), other]);
                }
                Ok(parts)
            }
            ExprKind::Old(inner) => self.parts(inner, self.old(set, context)?, bound),
            _ => Err(Mistake::new(set.at, "a set is expected here")),
        }
    }
}

impl Part {
    /// Something holds of an element.
    pub fn some(&self, holds: impl FnOnce(&Term) -> Term) -> Term {
        let body = Term::and([self.guard.clone(), holds(&self.element)]);
        Term::exists(self.vars.clone(), self.triggers.clone(), body)
    }
}

/// The address of a global.
pub fn global_address(words: &Vocabulary, name: &str) -> Term {
    words.ptr(Term::var(format!("global {name}").as_str(), words.object.clone()), Term::int(0))
}

/// The structure and the offset of a link field.
pub fn link_field(program: &Program, field: &FieldRef) -> Result<(TypeId, i128), Mistake> {
    let ty = resolve(program, &field.owner)?;
    let Shown::Aggregate(owner, members) = ty.show(program) else {
        return Err(Mistake::new(field.at, format!("`{}` is no structure", field.owner.name)));
    };
    match find_member(program, members, &field.field) {
        Some((offset, ty)) if matches!(ty.show(program), Shown::Pointer(_)) => Ok((owner, offset)),
        Some(_) => Err(Mistake::new(field.at, format!("the field `{}` is no pointer", field.field))),
        None => Err(Mistake::new(field.at, format!("`{}` has no field `{}`", field.owner.name, field.field))),
    }
}

/// The offset and the type of a member, also in anonymous members.
fn find_member(program: &Program, members: &[heapproof_ir::Member], name: &str) -> Option<(i128, Ctype)> {
    members.iter().find_map(|member| {
        let offset = i128::from(member.bit_offset / 8);
        match &member.name {
            Some(known) if known == name && member.bit_width.is_none() => Some((offset, Ctype::Of(member.ty))),
            Some(_) => None,
            None => {
                let inner = ctype::members(&program.types, member.ty);
                find_member(program, inner, name).map(|(more, ty)| (offset + more, ty))
            }
        }
    })
}

/// The type of a name.
pub fn resolve(program: &Program, name: &TypeName) -> Result<Ctype, Mistake> {
    let base = base_type(program, &name.name).ok_or_else(|| {
        Mistake::new(name.at, format!("the type `{}` is not known", name.name))
            .with("only types that the program uses are known")
    })?;
    Ok((0..name.stars).fold(base, |ty, _| Ctype::Pointer(Box::new(ty))))
}

fn base_type(program: &Program, name: &str) -> Option<Ctype> {
    if let Some(tag) = name.strip_prefix("struct ").or_else(|| name.strip_prefix("union ")) {
        return ctype::find_aggregate(&program.types, tag).map(Ctype::Of);
    }
    if let Some(tag) = name.strip_prefix("enum ") {
        let found = program.types.iter().find(|(_, ty)| matches!(ty, CType::Enum { name: Some(name), .. } if name == tag));
        return found.map(|(id, _)| Ctype::Of(id));
    }
    let typedef = program.types.iter().find(|(_, ty)| matches!(ty, CType::Typedef { name: known, .. } if known == name));
    if let Some((id, _)) = typedef {
        return Some(Ctype::Of(id));
    }
    let long = program.target.pointer_bytes();
    let mut words: Vec<&str> = name.split(' ').collect();
    words.sort_unstable();
    let int = |size, signed| Some(Ctype::Int { size, signed });
    match words.as_slice() {
        ["void"] => Some(Ctype::Void),
        ["char"] | ["char", "signed"] => int(1, true),
        ["char", "unsigned"] | ["_Bool"] => int(1, false),
        ["short"] | ["int", "short"] => int(2, true),
        ["short", "unsigned"] | ["int", "short", "unsigned"] => int(2, false),
        ["int"] | ["signed"] | ["int", "signed"] => int(4, true),
        ["unsigned"] | ["int", "unsigned"] => int(4, false),
        ["long"] | ["int", "long"] => int(long, true),
        ["long", "unsigned"] | ["int", "long", "unsigned"] => int(long, false),
        ["long", "long"] | ["int", "long", "long"] => int(8, true),
        ["long", "long", "unsigned"] | ["int", "long", "long", "unsigned"] => int(8, false),
        _ => None,
    }
}

/// True for the name of a typedef.
pub fn is_type(program: &Program, name: &str) -> bool {
    program.types.values().any(|ty| matches!(ty, CType::Typedef { name: known, .. } if known == name))
}
