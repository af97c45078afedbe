//! Annotations as text that is read back as the same.

use super::ast::{BinaryOp, Expr, ExprKind, FieldRef, SetOp, TypeName, UnaryOp};
use std::fmt;

/// How strongly operators bind; what binds less than its place needs parentheses.
const WEAKEST: u8 = 0;
const IMPLIES: u8 = 1;
const OR: u8 = 2;
const AND: u8 = 3;
const COMPARISON: u8 = 4;
const SUM: u8 = 5;
const PRODUCT: u8 = 6;
const UNARY: u8 = 7;
const POSTFIX: u8 = 8;

impl fmt::Display for TypeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)?;
        match self.stars {
            0 => Ok(()),
            stars => write!(f, " {}", "*".repeat(stars as usize)),
        }
    }
}

impl fmt::Display for FieldRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.owner, self.field)
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text(self, WEAKEST))
    }
}

fn operator(op: BinaryOp) -> (&'static str, u8) {
    match op {
        BinaryOp::Implies => ("==>", IMPLIES),
        BinaryOp::Or => ("||", OR),
        BinaryOp::And => ("&&", AND),
        BinaryOp::Eq => ("==", COMPARISON),
        BinaryOp::Ne => ("!=", COMPARISON),
        BinaryOp::Lt => ("<", COMPARISON),
        BinaryOp::Le => ("<=", COMPARISON),
        BinaryOp::Gt => (">", COMPARISON),
        BinaryOp::Ge => (">=", COMPARISON),
        BinaryOp::Add => ("+", SUM),
        BinaryOp::Sub => ("-", SUM),
        BinaryOp::Mul => ("*", PRODUCT),
        BinaryOp::Div => ("/", PRODUCT),
        BinaryOp::Mod => ("%", PRODUCT),
    }
}

fn list(all: &[Expr]) -> String {
    all.iter().map(|one| text(one, WEAKEST)).collect::<Vec<String>>().join(", ")
}

/// The text of an expression for a place that needs at least such a binding.
fn text(expr: &Expr, needed: u8) -> String {
    let any = |expr: &Expr| text(expr, WEAKEST);
    let (shown, binds) = match &expr.kind {
        ExprKind::Number(number) if *number < 0 => (number.to_string(), UNARY),
        ExprKind::Number(number) => (number.to_string(), POSTFIX),
        ExprKind::Name(name) => (name.clone(), POSTFIX),
        ExprKind::Result => ("\\result".to_owned(), POSTFIX),
        ExprKind::Old(inner) => (format!("\\old({})", any(inner)), POSTFIX),
        ExprKind::Unary(op, inner) => {
            let sign = match op {
                UnaryOp::Not => "!",
                UnaryOp::Minus => "-",
                UnaryOp::Deref => "*",
                UnaryOp::Address => "&",
            };
            (format!("{sign}{}", text(inner, UNARY)), UNARY)
        }
        ExprKind::Binary(op, a, b) => {
            let (sign, binds) = operator(*op);
            // `==>` groups to the right, comparisons do not chain, all else groups to the left.
            let (left, right) = match binds {
                IMPLIES => (OR, IMPLIES),
                COMPARISON => (SUM, SUM),
                other => (other, other + 1),
            };
            (format!("{} {sign} {}", text(a, left), text(b, right)), binds)
        }
        ExprKind::Member { of, field, arrow } => {
            (format!("{}{}{field}", text(of, POSTFIX), if *arrow { "->" } else { "." }), POSTFIX)
        }
        ExprKind::Index(of, index) => (format!("{}[{}]", text(of, POSTFIX), any(index)), POSTFIX),
        ExprKind::Cast(ty, inner) => (format!("({ty}){}", text(inner, UNARY)), UNARY),
        ExprKind::SizeOf(ty) => (format!("sizeof({ty})"), POSTFIX),
        ExprKind::Obj(inner) => (format!("Obj({})", any(inner)), POSTFIX),
        ExprKind::Off(inner) => (format!("Off({})", any(inner)), POSTFIX),
        ExprKind::Block(from, field) => (format!("block({}, {field})", any(from)), POSTFIX),
        ExprKind::Alloc(inner) => (format!("alloc({})", any(inner)), POSTFIX),
        ExprKind::Blocking(inner) => (format!("BS({})", any(inner)), POSTFIX),
        ExprKind::In(element, set) => (format!("in({}, {})", any(element), any(set)), POSTFIX),
        ExprKind::Forall { ty, var, set, body } => {
            let gap = if ty.stars > 0 { "" } else { " " };
            (format!("\\forall {ty}{gap}{var} \\in {}; {}", any(set), any(body)), WEAKEST)
        }
        ExprKind::Call(name, args) => (format!("{name}({})", list(args)), POSTFIX),
        ExprKind::Let { var, value, body } => {
            (format!("\\let {var} = {}; {}", any(value), any(body)), WEAKEST)
        }
        ExprKind::Nothing => ("\\nothing".to_owned(), POSTFIX),
        ExprKind::Elements(all) => (format!("{{{}}}", list(all)), POSTFIX),
        ExprKind::BlockingSet => ("BS".to_owned(), POSTFIX),
        ExprKind::List(from, field) => (format!("list({}, {field})", any(from)), POSTFIX),
        ExprKind::Array(from, count) => (format!("array({}, {})", any(from), any(count)), POSTFIX),
        ExprKind::Shift { set, by } if *by < 0 => (format!("decr({}, {})", any(set), -by), POSTFIX),
        ExprKind::Shift { set, by } => (format!("incr({}, {by})", any(set)), POSTFIX),
        ExprKind::DerefSet(set) => (format!("deref({})", any(set)), POSTFIX),
        ExprKind::Sets(op, a, b) => {
            let name = match op {
                SetOp::Union => "union",
                SetOp::Inter => "inter",
                SetOp::Diff => "diff",
            };
            (format!("{name}({}, {})", any(a), any(b)), POSTFIX)
        }
    };
    if binds < needed { format!("({shown})") } else { shown }
}

#[cfg(test)]
mod tests {
    use super::super::{Comment, Position, parse_contract};

    fn read(text: &str) -> String {
        let start = Position { line: 1, column: 1 };
        let comment = Comment { start, end_line: 1, text: format!("ensures {text};"), is_block: true };
        let clauses = parse_contract(&comment, &|name| name == "T").expect("a clause");
        clauses[0].expr.to_string()
    }

    #[test]
    fn what_is_printed_is_read_back() {
        let texts = [
            "a ==> b ==> c",
            "(a ==> b) ==> c",
            "a - (b - c) - d",
            "(a || b) && !(c && d)",
            "(\\forall T *x \\in \\old(list(h, struct n.f)); x == NULL || x->f->g[i].k == *p) && !BS(&h->f)",
            "!(\\forall int *x \\in union(incr(array(a, n), 8), decr({p, q}, 4)); !in(x, inter(BS, deref({p}))))",
            "\\let q = \\old(p); ((T *)((char *)x - 16))->state == 0 || -n * (k % 2) <= sizeof(T)",
            "ends(p, n + 1) && Obj(\\result) != Obj(p) && Off(p) == 0 && alloc((T *)p) && block(p, T.f) == NULL",
        ];
        for text in texts {
            assert_eq!(read(text), text);
        }
    }
}
