//! Values and formulas: names, fields and operators get their C types.

use super::LinkField;
use super::ctype::{Ctype, Shown, fields_of, find_member, link_field, resolve, same_type};
use super::names::Scope;
use super::tree::{Form, Int, IntOp, Ptr};
use crate::annotation::{BinaryOp, Expr, ExprKind, FieldRef, Mistake, Predicate, UnaryOp};
use heapproof_ir::{CType, FileId, Program};
use std::cell::Cell;
use std::collections::BTreeSet;

/// Predicates inside each other.
const MOST_CALLS: usize = 40;

/// A value of some kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A pointer.
    Ptr(Ptr),
    /// A number.
    Int(Int),
    /// The object of a pointer.
    Obj(Ptr),
    /// A truth value.
    Form(Form),
}

/// A value with its type.
#[derive(Clone, Debug)]
pub struct Typed {
    /// The value; a structure has none.
    pub value: Option<Value>,
    /// Its type.
    pub ty: Ctype,
    /// Where it lies, if it is an object of the program.
    pub address: Option<Ptr>,
    /// The bytes up to the next scalar, if it is a scalar in a structure, or the address of one.
    pub room: Option<u64>,
}

impl Typed {
    /// A value that lies nowhere.
    pub fn value(value: Value, ty: Ctype) -> Typed {
        Typed { value: Some(value), ty, address: None, room: None }
    }
}

/// Names that quantifiers, `\let` and predicates bind.
#[derive(Clone, Default)]
pub struct Bound {
    pub(super) names: Vec<(String, Typed)>,
    pub(super) calls: usize,
    /// The file of the predicate that is being read.
    pub(super) file: Option<FileId>,
    /// So many of the names were bound outside of the `\old` around.
    pub(super) outside: usize,
}

impl Bound {
    /// Reads what stands inside of `\old`.
    pub(super) fn in_old<T>(&mut self, read: impl FnOnce(&mut Bound) -> T) -> T {
        let before = std::mem::replace(&mut self.outside, self.names.len());
        let result = read(self);
        self.outside = before;
        result
    }
}

/// Turns annotations into trees.
pub struct Elaborator<'a> {
    /// The program.
    pub program: &'a Program,
    /// The link fields.
    pub fields: &'a [LinkField],
    /// The predicates that have names.
    pub predicates: &'a [Predicate],
    /// The number of the next variable of a quantifier.
    pub next: Cell<u32>,
}

impl<'a> Elaborator<'a> {
    /// For a program with link fields and predicates.
    pub fn new(program: &'a Program, fields: &'a [LinkField], predicates: &'a [Predicate]) -> Elaborator<'a> {
        Elaborator { program, fields, predicates, next: Cell::new(0) }
    }

    /// A formula.
    pub fn formula(&self, expr: &Expr, scope: &dyn Scope) -> Result<Form, Mistake> {
        self.form(expr, scope, &mut Bound::default())
    }

    /// A pointer.
    pub fn pointer(&self, expr: &Expr, scope: &dyn Scope) -> Result<Ptr, Mistake> {
        let typed = self.expr(expr, scope, &mut Bound::default())?;
        self.need_pointer(expr, &typed)
    }

    /// The number of a link field.
    pub(super) fn field(&self, field: &FieldRef, file: FileId) -> Result<usize, Mistake> {
        let (owner, offset) = link_field(self.program, Some(file), field)?;
        let is_it = |known: &LinkField| known.offset == offset && same_type(self.program, known.owner, owner);
        let known = self.fields.iter().position(is_it);
        known.ok_or_else(|| Mistake::new(field.at, "this field is not known as a link"))
    }

    pub(super) fn form(&self, expr: &Expr, scope: &dyn Scope, bound: &mut Bound) -> Result<Form, Mistake> {
        let two = |a: &Expr, b: &Expr, bound: &mut Bound| -> Result<(Box<Form>, Box<Form>), Mistake> {
            Ok((Box::new(self.form(a, scope, bound)?), Box::new(self.form(b, scope, bound)?)))
        };
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => Ok(Form::Not(Box::new(self.form(inner, scope, bound)?))),
            ExprKind::Binary(BinaryOp::Implies, a, b) => two(a, b, bound).map(|(a, b)| Form::Implies(a, b)),
            ExprKind::Binary(BinaryOp::And, a, b) => two(a, b, bound).map(|(a, b)| Form::And(a, b)),
            ExprKind::Binary(BinaryOp::Or, a, b) => two(a, b, bound).map(|(a, b)| Form::Or(a, b)),
            ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), a, b) => {
                let equal = self.equal(a, b, scope, bound)?;
                Ok(if *op == BinaryOp::Eq { equal } else { Form::Not(Box::new(equal)) })
            }
            ExprKind::Binary(op @ (BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge), a, b) => {
                let (x, y) = (self.expr(a, scope, bound)?, self.expr(b, scope, bound)?);
                let (x, y) = self.numbers(expr, &x, &y)?;
                Ok(match op {
                    BinaryOp::Lt => Form::IntLt(x, y),
                    BinaryOp::Le => Form::IntLe(x, y),
                    BinaryOp::Gt => Form::IntLt(y, x),
                    _ => Form::IntLe(y, x),
                })
            }
            ExprKind::Alloc(inner) => {
                let typed = self.expr(inner, scope, bound)?;
                let Shown::Pointer(to) = self.decayed(&typed).ty.show(self.program) else {
                    return Err(Mistake::new(inner.at, "`alloc` needs a pointer")
                        .with("give the address: `alloc(&x)`"));
                };
                let bytes = to.size(self.program).ok_or_else(|| {
                    Mistake::new(inner.at, "the size of what this points to is not known")
                        .with("cast it to another type")
                })?;
                Ok(Form::Alloc(self.need_pointer(inner, &typed)?, bytes))
            }
            ExprKind::Blocking(inner) => {
                let typed = self.expr(inner, scope, bound)?;
                Ok(Form::Blocking(self.need_pointer(inner, &typed)?))
            }
            ExprKind::In(element, set) => {
                let typed = self.expr(element, scope, bound)?;
                let element = self.need_pointer(element, &typed)?;
                Ok(Form::In(element, Box::new(self.set_of(set, scope, bound)?)))
            }
            ExprKind::Forall { ty, var, set, body } => {
                let ty = resolve(self.program, Some(bound.file.unwrap_or(scope.file())), ty)?;
                let set = self.set_of(set, scope, bound)?;
                let number = self.next.get();
                self.next.set(number + 1);
                let value = match ty.show(self.program) {
                    Shown::Pointer(_) => Value::Ptr(Ptr::Bound(number)),
                    Shown::Int { size, signed } => {
                        Value::Int(ty.number(self.program, Int::Bound(number, size as u8, signed)))
                    }
                    _ => {
                        return Err(Mistake::new(
                            expr.at,
                            "a variable of `\\forall` is a pointer or a number",
                        )
                        .with("sets have pointers as members: give it a pointer type"));
                    }
                };
                bound.names.push((var.clone(), Typed::value(value, ty)));
                let body = self.form(body, scope, bound);
                bound.names.pop();
                Ok(Form::Forall(number, Box::new(set), Box::new(body?)))
            }
            ExprKind::Old(inner) => {
                let entry = self.entry(expr, scope)?;
                Ok(Form::Old(Box::new(bound.in_old(|bound| self.form(inner, entry, bound))?)))
            }
            ExprKind::Let { var, value, body } => {
                let typed = self.expr(value, scope, bound)?;
                bound.names.push((var.clone(), typed));
                let body = self.form(body, scope, bound);
                bound.names.pop();
                body
            }
            ExprKind::Call(name, args) => self.call(expr, name, args, scope, bound),
            _ => {
                let typed = self.expr(expr, scope, bound)?;
                // As in C, a number or a pointer holds if it is not zero.
                match (&typed.value, self.as_pointer(&typed)) {
                    (Some(Value::Form(form)), _) => Ok(form.clone()),
                    (Some(Value::Int(int)), _) => {
                        Ok(Form::Not(Box::new(Form::IntEq(int.clone(), Int::Const(0)))))
                    }
                    (_, Some(pointer)) => Ok(Form::Not(Box::new(Form::PtrEq(pointer, Ptr::null())))),
                    _ => {
                        Err(Mistake::new(expr.at, "a formula is expected here")
                            .with("compare it with something"))
                    }
                }
            }
        }
    }

    /// A predicate is replaced by what it says about its arguments.
    fn call(
        &self,
        expr: &Expr,
        name: &str,
        args: &[Expr],
        scope: &dyn Scope,
        bound: &mut Bound,
    ) -> Result<Form, Mistake> {
        let Some(predicate) = self.predicates.iter().find(|predicate| predicate.name == name) else {
            let mut known: Vec<String> =
                ["alloc", "BS", "in", "Obj", "Off", "block"].map(|word| format!("`{word}`")).into();
            known.extend(self.predicates.iter().map(|predicate| format!("`{}`", predicate.name)));
            return Err(Mistake::new(expr.at, format!("`{name}` cannot be called in an annotation"))
                .with(format!("known are {}; functions of the program are not", known.join(", "))));
        };
        if predicate.params.len() != args.len() {
            let message = format!("`{name}` has {} arguments, not {}", predicate.params.len(), args.len());
            return Err(Mistake::new(expr.at, message).with("give an argument for each parameter"));
        }
        if bound.calls >= MOST_CALLS {
            return Err(Mistake::new(expr.at, format!("the predicate `{name}` uses itself"))
                .with("predicates are abbreviations; speak of lists by `list(…)`"));
        }
        let file = predicate.file.or(bound.file);
        let mut inner = Bound { calls: bound.calls + 1, file, ..Bound::default() };
        for ((ty, param), arg) in predicate.params.iter().zip(args) {
            let ty = resolve(self.program, predicate.file.or(Some(scope.file())), ty)?;
            let typed = self.expr(arg, scope, bound)?;
            let value = match ty.show(self.program) {
                Shown::Pointer(_) => Value::Ptr(self.need_pointer(arg, &typed)?),
                _ => Value::Int(self.need_int(arg, &typed)?),
            };
            inner.names.push((param.clone(), Typed::value(value, ty)));
        }
        self.form(&predicate.body, scope, &mut inner)
    }

    /// The scope at entry.
    pub(super) fn entry<'s>(&self, expr: &Expr, scope: &'s dyn Scope) -> Result<&'s dyn Scope, Mistake> {
        scope.entry().ok_or_else(|| {
            Mistake::new(expr.at, "`\\old` has no meaning here")
                .with("this is the state at entry already: leave `\\old` out")
        })
    }

    fn equal(&self, a: &Expr, b: &Expr, scope: &dyn Scope, bound: &mut Bound) -> Result<Form, Mistake> {
        let (x, y) = (self.expr(a, scope, bound)?, self.expr(b, scope, bound)?);
        match (&x.value, &y.value) {
            (Some(Value::Obj(p)), Some(Value::Obj(q))) => return Ok(Form::ObjEq(p.clone(), q.clone())),
            (Some(Value::Form(p)), Some(Value::Form(q))) => {
                return Ok(Form::Same(Box::new(p.clone()), Box::new(q.clone())));
            }
            (Some(Value::Obj(_)), _) | (_, Some(Value::Obj(_))) => {
                return Err(Mistake::new(a.at, "an object is compared with something else")
                    .with("compare `Obj(E)` with `Obj(E)`"));
            }
            _ => {}
        }
        let is_pointer =
            |typed: &Typed| matches!(self.decayed(typed).ty.show(self.program), Shown::Pointer(_));
        if is_pointer(&x) || is_pointer(&y) {
            return Ok(Form::PtrEq(self.need_pointer(a, &x)?, self.need_pointer(b, &y)?));
        }
        let (x, y) = self.numbers(a, &x, &y)?;
        Ok(Form::IntEq(x, y))
    }

    fn numbers(&self, at: &Expr, x: &Typed, y: &Typed) -> Result<(Int, Int), Mistake> {
        match (self.as_int(x), self.as_int(y)) {
            (Some(x), Some(y)) => Ok((x, y)),
            _ => Err(Mistake::new(at.at, "only numbers can be compared like this")
                .with("compare `Off(p)` with `Off(q)`")),
        }
    }

    fn as_int(&self, typed: &Typed) -> Option<Int> {
        match typed.value.clone()? {
            Value::Int(int) => Some(int),
            Value::Form(form) => Some(Int::Truth(Box::new(form))),
            Value::Ptr(_) | Value::Obj(_) => None,
        }
    }

    pub(super) fn need_int(&self, expr: &Expr, typed: &Typed) -> Result<Int, Mistake> {
        self.as_int(typed).ok_or_else(|| {
            Mistake::new(expr.at, "a number is expected here").with("the offset of a pointer is `Off(p)`")
        })
    }

    /// An array is a pointer to its first element.
    pub(super) fn decayed(&self, typed: &Typed) -> Typed {
        match (typed.ty.show(self.program), &typed.address) {
            (Shown::Array(element), Some(address)) => {
                Typed::value(Value::Ptr(address.clone()), Ctype::Pointer(Box::new(element)))
            }
            _ => typed.clone(),
        }
    }

    fn as_pointer(&self, typed: &Typed) -> Option<Ptr> {
        match self.decayed(typed).value? {
            Value::Ptr(pointer) => Some(pointer),
            Value::Int(int) => Some(Ptr::Number(Box::new(int))),
            Value::Obj(_) | Value::Form(_) => None,
        }
    }

    pub(super) fn need_pointer(&self, expr: &Expr, typed: &Typed) -> Result<Ptr, Mistake> {
        self.as_pointer(typed).ok_or_else(|| {
            Mistake::new(expr.at, "a pointer is expected here").with("the address of an object is `&x`")
        })
    }

    /// An object of a type at an address, with its value.
    fn load(&self, address: Ptr, ty: Ctype) -> Typed {
        let at = || Box::new(address.clone());
        let value = match ty.show(self.program) {
            Shown::Pointer(_) => Some(Value::Ptr(Ptr::Load(at()))),
            Shown::Int { size, signed } => {
                Some(Value::Int(ty.number(self.program, Int::Load(at(), size as u8, signed))))
            }
            _ => None,
        };
        Typed { value, ty, address: Some(address), room: None }
    }

    pub(super) fn expr(&self, expr: &Expr, scope: &dyn Scope, bound: &mut Bound) -> Result<Typed, Mistake> {
        let wrong = |message: &str, help: &str| Err(Mistake::new(expr.at, message).with(help));
        match &expr.kind {
            ExprKind::Number(number) => Ok(Typed::value(Value::Int(Int::Const(*number)), Ctype::Math)),
            ExprKind::Name(name) => self.name(name, expr, scope, bound),
            ExprKind::Result => self.result(expr, scope),
            ExprKind::Old(inner) => {
                let entry = self.entry(expr, scope)?;
                let typed = self.decayed(&bound.in_old(|bound| self.expr(inner, entry, bound))?);
                let value = match typed.value {
                    Some(Value::Ptr(ptr)) => Value::Ptr(Ptr::Old(Box::new(ptr))),
                    Some(Value::Obj(ptr)) => Value::Obj(Ptr::Old(Box::new(ptr))),
                    Some(Value::Int(int)) => Value::Int(Int::Old(Box::new(int))),
                    Some(Value::Form(form)) => Value::Form(Form::Old(Box::new(form))),
                    None => {
                        return wrong("a structure as a whole has no old value", "write `\\old(s.field)`");
                    }
                };
                Ok(Typed::value(value, typed.ty))
            }
            ExprKind::Unary(UnaryOp::Minus, inner) => {
                let number = self.expr(inner, scope, bound).and_then(|typed| self.need_int(inner, &typed))?;
                Ok(Typed::value(Value::Int(Int::op(IntOp::Sub, Int::Const(0), number)), Ctype::Math))
            }
            ExprKind::Unary(UnaryOp::Deref, inner) => {
                let typed = self.expr(inner, scope, bound)?;
                match self.decayed(&typed).ty.show(self.program) {
                    Shown::Pointer(to) => Ok(self.load(self.need_pointer(inner, &typed)?, to)),
                    _ => wrong("only a pointer can be dereferenced", "cast it: `*(int *)p`"),
                }
            }
            ExprKind::Unary(UnaryOp::Address, inner) => {
                let typed = self.expr(inner, scope, bound)?;
                match typed.address {
                    Some(address) => {
                        let room = typed.room;
                        let pointer = Typed::value(Value::Ptr(address), Ctype::Pointer(Box::new(typed.ty)));
                        Ok(Typed { room, ..pointer })
                    }
                    None => wrong(
                        "this has no address",
                        "a variable whose address the program never takes lies in no memory",
                    ),
                }
            }
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                let (x, y) = (self.expr(a, scope, bound)?, self.expr(b, scope, bound)?);
                self.sum(expr, (a, x), (b, y), *op == BinaryOp::Sub)
            }
            ExprKind::Binary(op @ (BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod), a, b) => {
                let x = self.expr(a, scope, bound).and_then(|typed| self.need_int(a, &typed))?;
                let y = self.expr(b, scope, bound).and_then(|typed| self.need_int(b, &typed))?;
                let op = match op {
                    BinaryOp::Mul => IntOp::Mul,
                    BinaryOp::Div => IntOp::Div,
                    _ => IntOp::Mod,
                };
                if op != IntOp::Mul && !matches!(&y, Int::Const(divisor) if *divisor > 0) {
                    return wrong("only a positive constant can divide", "write the divisor as a number");
                }
                Ok(Typed::value(Value::Int(Int::op(op, x, y)), Ctype::Math))
            }
            ExprKind::Member { of, field, arrow } => self.member(expr, of, field, *arrow, scope, bound),
            ExprKind::Index(base, index) => {
                let (x, y) = (self.expr(base, scope, bound)?, self.expr(index, scope, bound)?);
                let sum = self.sum(expr, (base, x), (index, y), false)?;
                match (sum.ty.show(self.program), sum.value) {
                    (Shown::Pointer(to), Some(Value::Ptr(pointer))) => Ok(self.load(pointer, to)),
                    _ => wrong("only an array or a pointer has elements", "index a pointer or an array"),
                }
            }
            ExprKind::Cast(ty, inner) => {
                let ty = resolve(self.program, Some(bound.file.unwrap_or(scope.file())), ty)?;
                let typed = self.expr(inner, scope, bound)?;
                match ty.show(self.program) {
                    Shown::Pointer(_) => Ok(Typed::value(Value::Ptr(self.need_pointer(inner, &typed)?), ty)),
                    Shown::Int { .. } if ty.is_bool(self.program) => {
                        let form = self.form(inner, scope, bound)?;
                        Ok(Typed::value(Value::Int(Int::Truth(Box::new(form))), Ctype::Math))
                    }
                    Shown::Int { size, signed } => {
                        let number = match self.as_int(&typed) {
                            Some(number) => number,
                            None => Int::Num(Box::new(self.need_pointer(inner, &typed)?)),
                        };
                        let number = ty.number(self.program, number.cast(size as u8, signed));
                        Ok(Typed::value(Value::Int(number), Ctype::Math))
                    }
                    _ => wrong("only to numbers and pointers can be cast", "cast the address: `*(T *)&x`"),
                }
            }
            ExprKind::SizeOf(ty) => {
                match resolve(self.program, Some(bound.file.unwrap_or(scope.file())), ty)?.size(self.program)
                {
                    Some(size) => Ok(Typed::value(Value::Int(Int::Const(size.into())), Ctype::Math)),
                    None => wrong("the size of this type is not known", "only complete types have a size"),
                }
            }
            ExprKind::Obj(inner) => {
                let typed = self.expr(inner, scope, bound)?;
                Ok(Typed::value(Value::Obj(self.need_pointer(inner, &typed)?), Ctype::Void))
            }
            ExprKind::Off(inner) => {
                let typed = self.expr(inner, scope, bound)?;
                Ok(Typed::value(
                    Value::Int(Int::Off(Box::new(self.need_pointer(inner, &typed)?))),
                    Ctype::Math,
                ))
            }
            ExprKind::Block(inner, field) => {
                let typed = self.expr(inner, scope, bound)?;
                let pointer = Box::new(self.need_pointer(inner, &typed)?);
                Ok(Typed::value(
                    Value::Ptr(Ptr::Block(pointer, self.field(field, bound.file.unwrap_or(scope.file()))?)),
                    self.decayed(&typed).ty,
                ))
            }
            ExprKind::Nothing
            | ExprKind::Elements(_)
            | ExprKind::BlockingSet
            | ExprKind::List(..)
            | ExprKind::Array(..)
            | ExprKind::Shift { .. }
            | ExprKind::DerefSet(_)
            | ExprKind::Sets(..) => wrong("this is a set, not a value", "ask for members by `in(E, S)`"),
            _ => Ok(Typed::value(Value::Form(self.form(expr, scope, bound)?), Ctype::Math)),
        }
    }

    fn result(&self, expr: &Expr, scope: &dyn Scope) -> Result<Typed, Mistake> {
        let Some(ty) = scope.result() else {
            return Err(Mistake::new(expr.at, "there is no `\\result` here")
                .with("only `ensures` of a function that returns something can speak of it"));
        };
        let value = match ty.show(self.program) {
            Shown::Pointer(_) => Value::Ptr(Ptr::Result),
            Shown::Int { size, signed } => {
                Value::Int(ty.number(self.program, Int::Result(size as u8, signed)))
            }
            _ => {
                return Err(Mistake::new(expr.at, "the result is neither a number nor a pointer")
                    .with("speak of what the function stores instead"));
            }
        };
        Ok(Typed::value(value, ty))
    }

    fn name(&self, name: &str, expr: &Expr, scope: &dyn Scope, bound: &Bound) -> Result<Typed, Mistake> {
        if let Some(index) = bound.names.iter().rposition(|(known, _)| known == name) {
            let typed = &bound.names[index].1;
            let is_fixed = match &typed.value {
                Some(Value::Ptr(ptr) | Value::Obj(ptr)) => ptr.is_fixed(),
                Some(Value::Int(int)) => int.is_fixed(),
                Some(Value::Form(_)) | None => false,
            } && typed.address.as_ref().is_none_or(Ptr::is_fixed);
            if index < bound.outside && !is_fixed {
                let message = format!("`{name}` stands for what memory holds now, not at entry");
                return Err(Mistake::new(expr.at, message)
                    .with("write the whole inside of `\\old`, or give it a value that stays: `\\old(E)`"));
            }
            return Ok(typed.clone());
        }
        if bound.calls == 0
            && let Some(typed) = scope.variable(name)
        {
            // A variable that lies in memory has the value that is there in this state.
            return Ok(match typed.address {
                Some(address) => self.load(address, typed.ty),
                None => typed,
            });
        }
        if name == "NULL" {
            return Ok(Typed::value(Value::Ptr(Ptr::null()), Ctype::Pointer(Box::new(Ctype::Void))));
        }
        let file = bound.file.unwrap_or(scope.file());
        let unclear = || {
            Mistake::new(expr.at, format!("several things are called `{name}`"))
                .with("give one of them another name")
        };
        let global = scope.codes().global(self.program, Some(file), name).map_err(|()| unclear())?;
        if let Some(id) = global
            && let Some(ty) = self.program.globals[id].ctype
        {
            return Ok(self.load(Ptr::Global(id), Ctype::Of(ty)));
        }
        let enumerators = self.program.types.values().flat_map(|ty| match ty {
            CType::Enum { enumerators, .. } => enumerators.as_slice(),
            _ => &[],
        });
        let values: BTreeSet<i128> =
            enumerators.filter(|(known, _)| known == name).map(|(_, value)| *value).collect();
        match values.iter().collect::<Vec<_>>().as_slice() {
            [value] => Ok(Typed::value(Value::Int(Int::Const(**value)), Ctype::Math)),
            [] => Err(self.unknown_name(name, expr, scope, bound)),
            _ => Err(unclear()),
        }
    }

    fn unknown_name(&self, name: &str, expr: &Expr, scope: &dyn Scope, bound: &Bound) -> Mistake {
        let mut known: Vec<String> = bound.names.iter().map(|(name, _)| name.clone()).collect();
        known.extend(scope.all());
        known.extend(
            self.program
                .globals
                .values()
                .filter(|global| !global.anonymous)
                .map(|global| global.name.clone()),
        );
        let near =
            known.iter().min_by_key(|known| distance(known, name)).filter(|known| distance(known, name) <= 2);
        Mistake::new(expr.at, format!("`{name}` is not known here")).with(match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => "annotations can use parameters, globals, enumerators and, in a body, variables in scope"
                .to_owned(),
        })
    }

    fn sum(
        &self,
        expr: &Expr,
        a: (&Expr, Typed),
        b: (&Expr, Typed),
        is_minus: bool,
    ) -> Result<Typed, Mistake> {
        let (x, y) = (self.decayed(&a.1), self.decayed(&b.1));
        let scaled = |by: &Typed, at: &Expr, to: &Ctype| {
            let size = to.size(self.program).ok_or_else(|| {
                Mistake::new(at.at, "the size of the elements is not known")
                    .with("cast the pointer to `char *` first")
            })?;
            let number = Int::op(IntOp::Mul, self.need_int(at, by)?, Int::Const(size.into()));
            Ok(if is_minus { Int::op(IntOp::Sub, Int::Const(0), number) } else { number })
        };
        match (x.ty.show(self.program), y.ty.show(self.program)) {
            (Shown::Pointer(to), Shown::Pointer(_)) if is_minus => {
                let size = to.size(self.program).unwrap_or(1).max(1);
                let (p, q) = (self.need_pointer(a.0, &x)?, self.need_pointer(b.0, &y)?);
                let bytes = Int::op(IntOp::Sub, Int::Off(Box::new(p)), Int::Off(Box::new(q)));
                Ok(Typed::value(Value::Int(Int::op(IntOp::Div, bytes, Int::Const(size.into()))), Ctype::Math))
            }
            (Shown::Pointer(to), _) => {
                let pointer = self.need_pointer(a.0, &x)?.plus(scaled(&y, b.0, &to)?);
                Ok(Typed::value(Value::Ptr(pointer), x.ty))
            }
            (_, Shown::Pointer(to)) if !is_minus => {
                let pointer = self.need_pointer(b.0, &y)?.plus(scaled(&x, a.0, &to)?);
                Ok(Typed::value(Value::Ptr(pointer), y.ty))
            }
            _ => {
                let (x, y) = self.numbers(expr, &x, &y)?;
                Ok(Typed::value(
                    Value::Int(Int::op(if is_minus { IntOp::Sub } else { IntOp::Add }, x, y)),
                    Ctype::Math,
                ))
            }
        }
    }

    fn member(
        &self,
        expr: &Expr,
        of: &Expr,
        field: &str,
        arrow: bool,
        scope: &dyn Scope,
        bound: &mut Bound,
    ) -> Result<Typed, Mistake> {
        let typed = self.expr(of, scope, bound)?;
        let (address, ty) = if arrow {
            match self.decayed(&typed).ty.show(self.program) {
                Shown::Pointer(to) => (self.need_pointer(of, &typed)?, to),
                _ => {
                    return Err(Mistake::new(expr.at, "`->` needs a pointer to a structure")
                        .with("use `.` for a structure"));
                }
            }
        } else {
            match (typed.address, typed.ty.show(self.program)) {
                (Some(address), Shown::Aggregate(..)) => (address, typed.ty),
                (_, Shown::Pointer(_)) => {
                    return Err(Mistake::new(expr.at, "`.` needs a structure")
                        .with(format!("did you mean `->{field}`?")));
                }
                _ => {
                    return Err(Mistake::new(expr.at, "`.` needs a structure that lies in memory")
                        .with("`\\old` goes around the whole: `\\old(s.field)`"));
                }
            }
        };
        let Shown::Aggregate(_, members) = ty.show(self.program) else {
            return Err(Mistake::new(expr.at, format!("`{field}` is asked of what is no structure"))
                .with("cast the pointer to the structure that you mean"));
        };
        let owner = ty.clone();
        let Some((offset, ty)) = find_member(self.program, members, field) else {
            let is_bits = members.iter().any(|member| member.name.as_deref() == Some(field));
            let mistake = Mistake::new(expr.at, format!("there is no field `{field}`"));
            return Err(if is_bits {
                Mistake::new(expr.at, format!("`{field}` is a bit-field"))
                    .with("annotations cannot speak of bit-fields")
            } else {
                mistake.with(fields_of(members))
            });
        };
        // After a cast the bytes around may be anything.
        let is_cast = matches!(of.kind, ExprKind::Cast(..));
        let room = owner.scalar_at(self.program, offset).map(|(_, bytes)| bytes).filter(|_| !is_cast);
        let is_scalar = !matches!(ty.show(self.program), Shown::Aggregate(..) | Shown::Array(_));
        Ok(Typed { room: room.filter(|_| is_scalar), ..self.load(address.plus(Int::Const(offset)), ty) })
    }
}

/// How many letters differ.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
