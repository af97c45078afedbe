//! Parts of annotations: looked at, and replaced by others.

use super::ast::{Expr, ExprKind};

impl Expr {
    /// The parts of an expression.
    pub fn children(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Number(_)
            | ExprKind::Name(_)
            | ExprKind::Result
            | ExprKind::SizeOf(_)
            | ExprKind::Nothing
            | ExprKind::BlockingSet => Vec::new(),
            ExprKind::Old(a)
            | ExprKind::Unary(_, a)
            | ExprKind::Cast(_, a)
            | ExprKind::Obj(a)
            | ExprKind::Off(a)
            | ExprKind::Alloc(a)
            | ExprKind::Blocking(a)
            | ExprKind::Block(a, _)
            | ExprKind::List(a, _)
            | ExprKind::Member { of: a, .. }
            | ExprKind::Shift { set: a, .. }
            | ExprKind::DerefSet(a) => vec![a],
            ExprKind::Binary(_, a, b)
            | ExprKind::Index(a, b)
            | ExprKind::In(a, b)
            | ExprKind::Array(a, b)
            | ExprKind::Sets(_, a, b)
            | ExprKind::Let { value: a, body: b, .. }
            | ExprKind::Forall { set: a, body: b, .. } => vec![a, b],
            ExprKind::Elements(all) | ExprKind::Call(_, all) => all.iter().collect(),
        }
    }

    /// All parts at any depth, the expression itself first.
    pub fn parts(&self) -> Vec<&Expr> {
        let mut all = vec![self];
        let mut next = 0;
        while let Some(expr) = all.get(next).copied() {
            all.extend(expr.children());
            next += 1;
        }
        all
    }

    /// The expression with some parts replaced, the outermost first.
    pub fn rewritten(&self, replace: &mut dyn FnMut(&Expr) -> Option<Expr>) -> Expr {
        if let Some(new) = replace(self) {
            return new;
        }
        let mut new = self.clone();
        let mut put = |part: &mut Expr| *part = part.rewritten(replace);
        match &mut new.kind {
            ExprKind::Number(_)
            | ExprKind::Name(_)
            | ExprKind::Result
            | ExprKind::SizeOf(_)
            | ExprKind::Nothing
            | ExprKind::BlockingSet => {}
            ExprKind::Old(a)
            | ExprKind::Unary(_, a)
            | ExprKind::Cast(_, a)
            | ExprKind::Obj(a)
            | ExprKind::Off(a)
            | ExprKind::Alloc(a)
            | ExprKind::Blocking(a)
            | ExprKind::Block(a, _)
            | ExprKind::List(a, _)
            | ExprKind::Member { of: a, .. }
            | ExprKind::Shift { set: a, .. }
            | ExprKind::DerefSet(a) => put(a),
            ExprKind::Binary(_, a, b)
            | ExprKind::Index(a, b)
            | ExprKind::In(a, b)
            | ExprKind::Array(a, b)
            | ExprKind::Sets(_, a, b)
            | ExprKind::Let { value: a, body: b, .. }
            | ExprKind::Forall { set: a, body: b, .. } => {
                put(a);
                put(b);
            }
            ExprKind::Elements(all) | ExprKind::Call(_, all) => all.iter_mut().for_each(put),
        }
        new
    }
}
