//! The program: types with layout, functions, blocks, values, spans and names.
//!
//! This representation is what every engine and the concrete interpreter work on. It knows no compiler,
//! no solver and no engine. Memory is made of *objects* (globals, locals, heap blocks) that are addressed by
//! byte; scalars that do not live in memory are *registers*. Registers may be assigned more than once (there
//! are no phi nodes), so a C variable whose address is never taken is one register.

#[cfg(any(test, feature = "arbitrary"))]
#[doc(hidden)]
pub mod arbitrary;
mod arith;
pub mod binary;
pub mod cfg;
pub mod check;
pub mod ctype;
pub mod describe;
pub mod dominators;
pub mod inst;
pub mod jump;
pub mod liveness;
pub mod loops;
pub mod nodes;
pub mod passes;
pub mod program;
pub mod scope;
pub mod text;
pub mod way;
pub mod wto;

pub use arith::Computed;
pub use ctype::{CType, Member, TypeId, Types};
pub use inst::{
    BinOp, Callee, CastOp, CmpOp, CopyKind, FloatBinOp, FloatCmpOp, FloatUnOp, Inst, InstKind, IntUnOp,
    Operand, Terminator,
};
pub use program::{
    Block, BlockId, Body, FileId, FuncId, Function, Global, GlobalId, GlobalInit, Local, LocalId, Program,
    Reg, RegInfo, Reloc, RelocTarget, Span, Variable,
};
pub use scalar::{FloatKind, Target, Ty, mask, sign_extend};

mod scalar;
