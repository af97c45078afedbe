//! What annotations consist of.

use super::Position;
use heapproof_ir::FileId;

/// A type as it is written: a name and stars.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeName {
    /// Where it stands.
    pub at: Position,
    /// The words, such as `struct node` or `unsigned long`.
    pub name: String,
    /// The number of stars after it.
    pub stars: u32,
}

/// A field of a structure, such as `struct node.next`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldRef {
    /// Where it stands.
    pub at: Position,
    /// The structure.
    pub owner: TypeName,
    /// The field.
    pub field: String,
}

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum UnaryOp {
    Not,
    Minus,
    Deref,
    Address,
}

/// An operator with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Implies,
    Or,
    And,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Add,
    Sub,
    Mul,
    Div,
    Mod,
}

/// An operation on sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum SetOp {
    Union,
    Inter,
    Diff,
}

/// An expression: a value, a truth value, or a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// Where it begins.
    pub at: Position,
    /// What it is.
    pub kind: ExprKind,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ExprKind {
    Number(i128),
    Name(String),
    Result,
    Old(Box<Expr>),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    Member {
        of: Box<Expr>,
        field: String,
        arrow: bool,
    },
    Index(Box<Expr>, Box<Expr>),
    Cast(TypeName, Box<Expr>),
    SizeOf(TypeName),
    Obj(Box<Expr>),
    Off(Box<Expr>),
    Block(Box<Expr>, FieldRef),
    Alloc(Box<Expr>),
    Blocking(Box<Expr>),
    In(Box<Expr>, Box<Expr>),
    Forall {
        ty: TypeName,
        var: String,
        set: Box<Expr>,
        body: Box<Expr>,
    },
    /// A predicate with a name.
    Call(String, Vec<Expr>),
    /// A name for a value.
    Let {
        var: String,
        value: Box<Expr>,
        body: Box<Expr>,
    },
    Nothing,
    Elements(Vec<Expr>),
    BlockingSet,
    List(Box<Expr>, FieldRef),
    Array(Box<Expr>, Box<Expr>),
    Shift {
        set: Box<Expr>,
        by: i128,
    },
    DerefSet(Box<Expr>),
    Sets(SetOp, Box<Expr>, Box<Expr>),
}

/// What a clause of a contract says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ClauseKind {
    Requires,
    Ensures,
    Modifies,
    Frees,
}

/// A clause of a contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Where it begins.
    pub at: Position,
    /// What it says.
    pub kind: ClauseKind,
    /// About what.
    pub expr: Expr,
}

/// What an annotation in a body says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatementKind {
    /// It holds whenever the loop is about to test its condition.
    LoopInvariant,
    /// The pointer becomes blocking.
    Block,
    /// The pointer is blocking no longer.
    Unblock,
    /// It holds here, and has to be shown.
    Assert,
    /// It is taken to hold here.
    Assume,
}

/// An annotation in a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Where it begins.
    pub at: Position,
    /// What it says.
    pub kind: StatementKind,
    /// About what.
    pub expr: Expr,
}

/// A formula with a name: `predicate NAME(T x, …) = F;`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predicate {
    /// Where it begins.
    pub at: Position,
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub params: Vec<(TypeName, String)>,
    /// What it says.
    pub body: Expr,
    /// The file that it stands in.
    pub file: Option<FileId>,
}
