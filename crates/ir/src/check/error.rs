//! What the checker reports: a problem and its place.

use crate::ctype::TypeId;
use crate::inst::CastOp;
use crate::program::{BlockId, FileId, FuncId, GlobalId, LocalId, Reg};
use crate::scalar::Ty;
use std::fmt::{self, Display, Formatter};

/// A rule that a program breaks.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct CheckError {
    /// Where.
    pub place: Place,
    /// What is wrong.
    pub problem: Problem,
}

/// A part of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Place {
    Program,
    Type(TypeId),
    Global(GlobalId),
    Function(FuncId),
    Reg(FuncId, Reg),
    Local(FuncId, LocalId),
    /// The instruction with an index in its block.
    Inst(FuncId, BlockId, usize),
    Terminator(FuncId, BlockId),
}

impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Place::Program => write!(f, "program"),
            Place::Type(id) => write!(f, "type {id}"),
            Place::Global(id) => write!(f, "global {id}"),
            Place::Function(id) => write!(f, "function {id}"),
            Place::Reg(function, id) => write!(f, "function {function}, register {id}"),
            Place::Local(function, id) => write!(f, "function {function}, local {id}"),
            Place::Inst(function, block, index) => {
                write!(f, "function {function}, {block}, instruction {index}")
            }
            Place::Terminator(function, block) => write!(f, "function {function}, {block}, terminator"),
        }
    }
}

/// What is wrong at a place.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum Problem {
    #[error("there is no source file")]
    NoFile,
    #[error("{0} does not exist")]
    NoSuchFile(FileId),
    #[error("type {0} does not exist")]
    NoSuchType(TypeId),
    #[error("global {0} does not exist")]
    NoSuchGlobal(GlobalId),
    #[error("function {0} does not exist")]
    NoSuchFunction(FuncId),
    #[error("register {0} does not exist")]
    NoSuchReg(Reg),
    #[error("local {0} does not exist")]
    NoSuchLocal(LocalId),
    #[error("block {0} does not exist")]
    NoSuchBlock(BlockId),
    #[error("the type contains itself")]
    ContainsItself,
    #[error("member {member} starts outside the type")]
    MemberOutside { member: usize },
    #[error("alignment {0} is not a power of two")]
    Align(u64),
    #[error("there are more initial bytes than the size")]
    TooManyBytes,
    #[error("the relocation at {offset} is not inside the object")]
    RelocOutside { offset: u64 },
    #[error("the relocation at {offset} overlaps the one before")]
    RelocsOverlap { offset: u64 },
    #[error("an integer has 1 to 128 bits, not {0}")]
    Width(u8),
    #[error("the body has no block")]
    NoBlock,
    #[error("{found} parameter registers for {expected} parameters")]
    ParamCount { expected: usize, found: usize },
    #[error("register {0} stands for two parameters")]
    ParamTwice(Reg),
    #[error("operand {index} has type {found} instead of {expected}")]
    OperandType { index: usize, expected: Ty, found: Ty },
    #[error("register {reg} has type {found} instead of {expected}")]
    RegType { reg: Reg, expected: Ty, found: Ty },
    #[error("the bits of a constant do not fit {0}")]
    ConstantBits(Ty),
    #[error("{0} cannot be compared")]
    CmpType(Ty),
    #[error("{op:?} cannot go from {from} to {to}")]
    Cast { op: CastOp, from: Ty, to: Ty },
    #[error("local {0} is not marked as scoped")]
    NotScoped(LocalId),
    #[error("register {0} is assigned twice by one instruction")]
    ResultTwice(Reg),
    #[error("{found} arguments for {expected} parameters of {callee}")]
    ArgCount { callee: FuncId, expected: usize, found: usize },
    #[error("{found} results, not {expected}")]
    ResultCount { expected: usize, found: usize },
    #[error("the function is not variadic")]
    NotVariadic,
}
