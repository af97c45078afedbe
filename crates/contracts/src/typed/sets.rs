//! Sets of pointers, and the size of the scalar that lies at each member.

use super::ctype::{Ctype, Shown};
use super::elaborate::{Bound, Elaborator, Typed};
use super::names::Scope;
use super::tree::Set;
use crate::annotation::{Expr, ExprKind, Mistake, SetOp};

/// What lies at the members of a set, for the size of the cells: a type and an offset into it.
#[derive(Clone)]
pub(super) struct Lies {
    ty: Ctype,
    shift: i128,
}

impl Elaborator<'_> {
    /// A set.
    pub fn set(&self, expr: &Expr, scope: &dyn Scope) -> Result<Set, Mistake> {
        Ok(self.set_of(expr, scope, &mut Bound::default())?.0)
    }

    fn sized(&self, set: Set, lies: Lies) -> (Set, Lies) {
        let bytes = lies.ty.scalar_at(self.program, lies.shift).unwrap_or(1);
        (Set::Sized(Box::new(set), bytes), lies)
    }

    pub(super) fn set_of(
        &self,
        expr: &Expr,
        scope: &dyn Scope,
        bound: &mut Bound,
    ) -> Result<(Set, Lies), Mistake> {
        let pointee = |typed: &Typed| match self.decayed(typed).ty.show(self.program) {
            Shown::Pointer(to) => to,
            _ => Ctype::Void,
        };
        let lies = |ty| Lies { ty, shift: 0 };
        match &expr.kind {
            ExprKind::Nothing => Ok((Set::Nothing, lies(Ctype::Void))),
            ExprKind::BlockingSet => Ok((Set::Blocking, lies(Ctype::Void))),
            ExprKind::Elements(elements) => {
                let mut all = Vec::new();
                let mut ty = Ctype::Void;
                for element in elements {
                    let typed = self.expr(element, scope, bound)?;
                    ty = pointee(&typed);
                    let bytes = ty.scalar_at(self.program, 0).unwrap_or(1);
                    all.push((self.need_pointer(element, &typed)?, bytes));
                }
                Ok((Set::Elements(all), lies(ty)))
            }
            ExprKind::List(from, field) => {
                let typed = self.expr(from, scope, bound)?;
                let start = self.need_pointer(from, &typed)?;
                let field = self.field(field)?;
                let ty = match pointee(&typed) {
                    Ctype::Void => Ctype::Of(self.fields[field].owner),
                    ty => ty,
                };
                Ok(self.sized(Set::List(start, field), lies(ty)))
            }
            ExprKind::Array(from, count) => {
                let typed = self.expr(from, scope, bound)?;
                let start = self.need_pointer(from, &typed)?;
                let count = self.expr(count, scope, bound).and_then(|typed| self.need_int(count, &typed))?;
                let ty = pointee(&typed);
                let size = ty.size(self.program).unwrap_or(1).max(1);
                Ok(self.sized(Set::Array(start, count, size), lies(ty)))
            }
            ExprKind::Shift { set, by } => {
                let (set, lies) = self.set_of(set, scope, bound)?;
                Ok(self.sized(Set::Shift(Box::new(set), *by), Lies { shift: lies.shift + by, ..lies }))
            }
            ExprKind::DerefSet(set) => {
                let (set, _) = self.set_of(set, scope, bound)?;
                Ok(self.sized(Set::Deref(Box::new(set)), lies(Ctype::Void)))
            }
            ExprKind::Sets(op, a, b) => {
                let (left, at) = self.set_of(a, scope, bound)?;
                let (right, _) = self.set_of(b, scope, bound)?;
                let (left, right) = (Box::new(left), Box::new(right));
                let set = match op {
                    SetOp::Union => Set::Union(left, right),
                    SetOp::Inter => Set::Inter(left, right),
                    SetOp::Diff => Set::Diff(left, right),
                };
                Ok((set, at))
            }
            ExprKind::Old(inner) => {
                let entry = self.entry(expr, scope)?;
                let (set, lies) = bound.in_old(|bound| self.set_of(inner, entry, bound))?;
                Ok((Set::Old(Box::new(set)), lies))
            }
            _ => Err(Mistake::new(expr.at, "a set is expected here").with("the set of one value is `{E}`")),
        }
    }
}
