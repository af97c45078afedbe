//! Sets of pointers, and the size of the cell that lies at each member.

use super::ctype::{Ctype, Shown};
use super::elaborate::{Bound, Elaborator, Typed};
use super::names::Scope;
use super::tree::Set;
use crate::annotation::{Expr, ExprKind, Mistake, SetOp};

/// A part of a set, at whose members the same lies: a type, an offset into it, and the bytes of the cell if they are known better.
struct Part {
    set: Set,
    ty: Ctype,
    shift: i128,
    room: Option<u64>,
}

impl Elaborator<'_> {
    /// A set.
    pub fn set(&self, expr: &Expr, scope: &dyn Scope) -> Result<Set, Mistake> {
        self.set_of(expr, scope, &mut Bound::default())
    }

    pub(super) fn set_of(&self, expr: &Expr, scope: &dyn Scope, bound: &mut Bound) -> Result<Set, Mistake> {
        let parts = self.parts(expr, scope, bound)?;
        let sets = parts.into_iter().map(|part| self.sized(part));
        Ok(sets.reduce(|a, b| Set::Union(Box::new(a), Box::new(b))).unwrap_or(Set::Nothing))
    }

    /// A part with the size of its cells.
    fn sized(&self, part: Part) -> Set {
        let scalar = part.ty.scalar_at(self.program, part.shift);
        let bytes = part.room.or(scalar.map(|(_, bytes)| bytes)).unwrap_or(1);
        Set::Sized(Box::new(part.set), bytes)
    }

    fn parts(&self, expr: &Expr, scope: &dyn Scope, bound: &mut Bound) -> Result<Vec<Part>, Mistake> {
        let pointee = |typed: &Typed| match self.decayed(typed).ty.show(self.program) {
            Shown::Pointer(to) => to,
            _ => Ctype::Void,
        };
        let one = |set, ty| vec![Part { set, ty, shift: 0, room: None }];
        match &expr.kind {
            ExprKind::Nothing => Ok(Vec::new()),
            ExprKind::BlockingSet => Ok(one(Set::Blocking, Ctype::Void)),
            ExprKind::Elements(elements) => {
                let mut all = Vec::new();
                for element in elements {
                    let typed = self.expr(element, scope, bound)?;
                    let set = Set::Elements(vec![(self.need_pointer(element, &typed)?, 1)]);
                    all.push(Part { set, ty: pointee(&typed), shift: 0, room: typed.room });
                }
                Ok(all)
            }
            ExprKind::List(from, field) => {
                let typed = self.expr(from, scope, bound)?;
                let start = self.need_pointer(from, &typed)?;
                let field = self.field(field, bound.file.unwrap_or(scope.file()))?;
                let ty = match pointee(&typed) {
                    Ctype::Void => Ctype::Of(self.fields[field].owner),
                    ty => ty,
                };
                Ok(one(Set::List(start, field), ty))
            }
            ExprKind::Array(from, count) => {
                let typed = self.expr(from, scope, bound)?;
                let start = self.need_pointer(from, &typed)?;
                let count = self.expr(count, scope, bound).and_then(|typed| self.need_int(count, &typed))?;
                let ty = pointee(&typed);
                let size = ty.size(self.program).unwrap_or(1).max(1);
                Ok(one(Set::Array(start, count, size), ty))
            }
            ExprKind::Shift { set, by } => {
                let moved = |part: Part| Part {
                    set: Set::Shift(Box::new(part.set), *by),
                    shift: part.shift + by,
                    room: None,
                    ..part
                };
                Ok(self.parts(set, scope, bound)?.into_iter().map(moved).collect())
            }
            ExprKind::DerefSet(set) => {
                let read = |part: Part| {
                    let scalar = part.ty.scalar_at(self.program, part.shift);
                    let ty = match scalar.map(|(ty, _)| ty.show(self.program)) {
                        Some(Shown::Pointer(to)) => to,
                        _ => Ctype::Void,
                    };
                    Part { set: Set::Deref(Box::new(part.set)), ty, shift: 0, room: None }
                };
                Ok(self.parts(set, scope, bound)?.into_iter().map(read).collect())
            }
            ExprKind::Sets(SetOp::Union, a, b) => {
                let mut all = self.parts(a, scope, bound)?;
                all.extend(self.parts(b, scope, bound)?);
                Ok(all)
            }
            ExprKind::Sets(op, a, b) => {
                let left = self.parts(a, scope, bound)?;
                let right = self.set_of(b, scope, bound)?;
                let chosen = |part: Part| {
                    let (left, right) = (Box::new(part.set), Box::new(right.clone()));
                    let set = match op {
                        SetOp::Diff => Set::Diff(left, right),
                        _ => Set::Inter(left, right),
                    };
                    Part { set, ..part }
                };
                Ok(left.into_iter().map(chosen).collect())
            }
            ExprKind::Old(inner) => {
                let entry = self.entry(expr, scope)?;
                let parts = bound.in_old(|bound| self.parts(inner, entry, bound))?;
                Ok(parts.into_iter().map(|part| Part { set: Set::Old(Box::new(part.set)), ..part }).collect())
            }
            _ => Err(Mistake::new(expr.at, "a set is expected here").with("the set of one value is `{E}`")),
        }
    }
}
