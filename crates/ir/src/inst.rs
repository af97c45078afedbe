//! Instructions, operands and terminators.
//!
//! Integer arithmetic wraps, signed too. Instructions compute on whole registers; memory is touched only by
//! `Load`, `Store`, `Copy*`/`Fill` and calls.

use crate::ctype::TypeId;
use crate::program::{BlockId, FuncId, GlobalId, LocalId, Reg, Span};
use crate::scalar::{FloatKind, Ty};
use serde::{Deserialize, Serialize};

/// A value that an instruction reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Operand {
    /// The present content of a register.
    Reg(Reg),
    /// An integer constant; the bits above `width` are zero.
    Int { bits: u128, width: u8 },
    /// A floating point constant by its encoding.
    Float { bits: u128, kind: FloatKind },
    /// The null pointer.
    Null,
    /// The address of a global.
    Global(GlobalId),
    /// The address of a local's present incarnation.
    Local(LocalId),
    /// The address of a function.
    Func(FuncId),
    /// An unspecified value: each read is a fresh input.
    Undef(Ty),
}

/// An instruction with its source position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inst {
    /// What it does.
    pub kind: InstKind,
    /// Where it came from.
    pub span: Span,
}

/// Integer operation with two operands of one width. Division by zero is a violation of its own;
/// `i_min / -1` wraps; a shift by the width or more gives an unspecified value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
}

/// Integer operation with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum IntUnOp {
    /// Reverses the bytes.
    ByteSwap,
    /// Reverses the bits.
    BitReverse,
    /// Counts the one bits.
    PopCount,
    /// Counts leading zeros; the width for zero.
    LeadingZeros,
    /// Counts trailing zeros; the width for zero.
    TrailingZeros,
}

/// Floating point operation with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum FloatBinOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Min,
    Max,
    CopySign,
}

/// Floating point operation with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum FloatUnOp {
    Neg,
    Abs,
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    Round,
    RoundEven,
}

/// Comparison of integers of one width or of pointers; the result is `i1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum CmpOp {
    Eq,
    Ne,
    Ult,
    Ule,
    Ugt,
    Uge,
    Slt,
    Sle,
    Sgt,
    Sge,
}

/// Comparison of floating point numbers: `O…` is false and `U…` true when one is a NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum FloatCmpOp {
    False,
    Oeq,
    Ogt,
    Oge,
    Olt,
    Ole,
    One,
    Ord,
    Uno,
    Ueq,
    Ugt,
    Uge,
    Ult,
    Ule,
    Une,
    True,
}

/// Conversion between scalar types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum CastOp {
    /// Cuts an integer to fewer bits.
    Trunc,
    /// Widens an integer with zeros.
    ZExt,
    /// Widens an integer with its sign.
    SExt,
    /// The address as an integer of the pointer's width; provenance stays with it.
    PtrToInt,
    /// An integer of the pointer's width as an address.
    IntToPtr,
    /// Float to unsigned integer, towards zero; unspecified when out of range.
    FloatToUInt,
    /// Float to signed integer, towards zero; unspecified when out of range.
    FloatToSInt,
    /// Unsigned integer to float.
    UIntToFloat,
    /// Signed integer to float.
    SIntToFloat,
    /// Between float formats.
    FloatToFloat,
    /// The same bits with another type: int to float, float to int.
    Bits,
}

/// What the two areas of a block copy may have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum CopyKind {
    /// `memmove`: anything.
    Move,
    /// A structure assignment: nothing, or all of it.
    Struct,
    /// `memcpy`: nothing.
    Disjoint,
}

/// The callee of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Callee {
    /// A function of the program, defined or external.
    Direct(FuncId),
    /// Through a pointer.
    Indirect(Operand),
}

/// What an instruction does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum InstKind {
    /// `dst = src`
    Copy { dst: Reg, src: Operand },
    /// `dst` loses its value: a variable at the start or at the end of its scope.
    /// Reading it afterwards gives one input, stable until the next assignment.
    Forget { dst: Reg },
    /// `dst = a op b`, all of type `iwidth`.
    Bin { dst: Reg, op: BinOp, width: u8, a: Operand, b: Operand },
    /// `dst = op a`, both of type `iwidth`.
    IntUn { dst: Reg, op: IntUnOp, width: u8, a: Operand },
    /// `dst = a op b` in the given format.
    FloatBin { dst: Reg, op: FloatBinOp, kind: FloatKind, a: Operand, b: Operand },
    /// `dst = op a` in the given format.
    FloatUn { dst: Reg, op: FloatUnOp, kind: FloatKind, a: Operand },
    /// `dst = a op b` as `i1`; `ty` is an integer type or `ptr`.
    Cmp { dst: Reg, op: CmpOp, ty: Ty, a: Operand, b: Operand },
    /// `dst = a op b` as `i1`.
    FloatCmp { dst: Reg, op: FloatCmpOp, kind: FloatKind, a: Operand, b: Operand },
    /// `dst = (to) a`
    Cast { dst: Reg, op: CastOp, from: Ty, to: Ty, a: Operand },
    /// `dst = cond ? a : b`
    Select { dst: Reg, ty: Ty, cond: Operand, a: Operand, b: Operand },
    /// `dst = base + offset + index * scale`, in bytes; the index is a signed integer of the pointer's width.
    /// `within` is the structure that `base` is taken to point to, where the source says so.
    PtrAdd { dst: Reg, base: Operand, offset: i64, index: Option<(Operand, i64)>, within: Option<TypeId> },
    /// `dst = *(ty *)ptr`
    Load { dst: Reg, ty: Ty, ptr: Operand },
    /// `*(ty *)ptr = value`
    Store { ty: Ty, value: Operand, ptr: Operand },
    /// Copies `len` bytes (an integer of the pointer's width).
    CopyBlock { kind: CopyKind, to: Operand, from: Operand, len: Operand },
    /// Sets `len` bytes (an integer of the pointer's width) to `byte` (an `i8`).
    FillBlock { to: Operand, byte: Operand, len: Operand },
    /// `dst` = a new object of `size` bytes (an integer of the pointer's width) that lives until the frame
    /// returns or a `StackRestore` to an earlier state.
    Alloca { dst: Reg, size: Operand, align: u64, name: Option<String> },
    /// `dst` = the present state of the stack of `Alloca` objects.
    StackSave { dst: Reg },
    /// Ends the life of all `Alloca` objects made since the save.
    StackRestore { saved: Operand },
    /// A new incarnation of a local; an earlier one ends.
    ScopeStart { local: LocalId },
    /// The local's present incarnation ends, if there is one.
    ScopeEnd { local: LocalId },
    /// The local's present incarnation is a constant from here on: it was initialised.
    Seal { local: LocalId },
    /// `results = callee(args)`
    Call { results: Vec<Reg>, callee: Callee, args: Vec<Operand> },
    /// Makes the variadic arguments available through the list at `list`.
    VaStart { list: Operand },
    /// Copies a list.
    VaCopy { to: Operand, from: Operand },
    /// Ends the use of a list.
    VaEnd { list: Operand },
    /// A construct that has no meaning here. Executing it ends the analysis of the path as undecided.
    Unsupported { results: Vec<Reg>, what: String },
}

/// How a block ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Terminator {
    /// Goes on at a block.
    Jump(BlockId),
    /// Goes on at `then` if the `i1` is one.
    Branch { cond: Operand, then: BlockId, otherwise: BlockId },
    /// Goes on at the first case with an equal constant.
    Switch { value: Operand, width: u8, cases: Vec<(u128, BlockId)>, default: BlockId },
    /// Returns to the caller.
    Return(Vec<Operand>),
    /// The source says that this is never reached; the tool does not believe it.
    Unreachable,
}

/// The one list of what each instruction reads, for shared and for mutable walks.
macro_rules! walk_operands {
    ($inst:expr, $f:expr) => {{
        use InstKind::*;
        match $inst {
            Copy { src, .. } => $f(src),
            Bin { a, b, .. } | FloatBin { a, b, .. } | Cmp { a, b, .. } | FloatCmp { a, b, .. } => {
                $f(a);
                $f(b);
            }
            IntUn { a, .. } | FloatUn { a, .. } | Cast { a, .. } => $f(a),
            Select { cond, a, b, .. } => {
                $f(cond);
                $f(a);
                $f(b);
            }
            PtrAdd { base, index, .. } => {
                $f(base);
                if let Some((index, _)) = index {
                    $f(index);
                }
            }
            Load { ptr, .. } => $f(ptr),
            Store { value, ptr, .. } => {
                $f(value);
                $f(ptr);
            }
            CopyBlock { to, from, len, .. } => {
                $f(to);
                $f(from);
                $f(len);
            }
            FillBlock { to, byte, len } => {
                $f(to);
                $f(byte);
                $f(len);
            }
            Alloca { size, .. } => $f(size),
            StackRestore { saved } => $f(saved),
            Call { callee, args, .. } => {
                if let Callee::Indirect(operand) = callee {
                    $f(operand);
                }
                for arg in args {
                    $f(arg);
                }
            }
            VaStart { list } | VaEnd { list } => $f(list),
            VaCopy { to, from } => {
                $f(to);
                $f(from);
            }
            Forget { .. }
            | StackSave { .. }
            | ScopeStart { .. }
            | ScopeEnd { .. }
            | Seal { .. }
            | Unsupported { .. } => {}
        }
    }};
}

impl InstKind {
    /// The registers that it assigns.
    pub fn defs(&self) -> &[Reg] {
        use InstKind::*;
        match self {
            Copy { dst, .. }
            | Forget { dst }
            | Bin { dst, .. }
            | IntUn { dst, .. }
            | FloatBin { dst, .. }
            | FloatUn { dst, .. }
            | Cmp { dst, .. }
            | FloatCmp { dst, .. }
            | Cast { dst, .. }
            | Select { dst, .. }
            | PtrAdd { dst, .. }
            | Load { dst, .. }
            | Alloca { dst, .. }
            | StackSave { dst } => std::slice::from_ref(dst),
            Call { results, .. } | Unsupported { results, .. } => results,
            Store { .. }
            | CopyBlock { .. }
            | FillBlock { .. }
            | StackRestore { .. }
            | ScopeStart { .. }
            | ScopeEnd { .. }
            | Seal { .. }
            | VaStart { .. }
            | VaCopy { .. }
            | VaEnd { .. } => &[],
        }
    }

    /// Calls `f` with each register that it assigns, for replacement.
    pub fn for_each_def_mut(&mut self, mut f: impl FnMut(&mut Reg)) {
        use InstKind::*;
        match self {
            Copy { dst, .. }
            | Forget { dst }
            | Bin { dst, .. }
            | IntUn { dst, .. }
            | FloatBin { dst, .. }
            | FloatUn { dst, .. }
            | Cmp { dst, .. }
            | FloatCmp { dst, .. }
            | Cast { dst, .. }
            | Select { dst, .. }
            | PtrAdd { dst, .. }
            | Load { dst, .. }
            | Alloca { dst, .. }
            | StackSave { dst } => f(dst),
            Call { results, .. } | Unsupported { results, .. } => results.iter_mut().for_each(f),
            Store { .. }
            | CopyBlock { .. }
            | FillBlock { .. }
            | StackRestore { .. }
            | ScopeStart { .. }
            | ScopeEnd { .. }
            | Seal { .. }
            | VaStart { .. }
            | VaCopy { .. }
            | VaEnd { .. } => {}
        }
    }

    /// The type of the result, where the instruction alone tells and there is one result.
    pub fn result_ty(&self) -> Option<Ty> {
        use InstKind::*;
        match self {
            Bin { width, .. } | IntUn { width, .. } => Some(Ty::Int(*width)),
            FloatBin { kind, .. } | FloatUn { kind, .. } => Some(Ty::Float(*kind)),
            Cmp { .. } | FloatCmp { .. } => Some(Ty::BOOL),
            Cast { to, .. } => Some(*to),
            Select { ty, .. } | Load { ty, .. } => Some(*ty),
            PtrAdd { .. } | Alloca { .. } | StackSave { .. } => Some(Ty::Ptr),
            Copy { .. }
            | Forget { .. }
            | Store { .. }
            | CopyBlock { .. }
            | FillBlock { .. }
            | StackRestore { .. }
            | ScopeStart { .. }
            | ScopeEnd { .. }
            | Seal { .. }
            | Call { .. }
            | VaStart { .. }
            | VaCopy { .. }
            | VaEnd { .. }
            | Unsupported { .. } => None,
        }
    }

    /// Calls `f` with each operand that it reads.
    pub fn for_each_use(&self, mut f: impl FnMut(&Operand)) {
        walk_operands!(self, f);
    }

    /// Calls `f` with each operand that it reads, for replacement.
    pub fn for_each_use_mut(&mut self, mut f: impl FnMut(&mut Operand)) {
        walk_operands!(self, f);
    }
}

impl Terminator {
    /// The blocks that may come next, in order, with repetitions.
    pub fn successors(&self) -> Vec<BlockId> {
        match self {
            Terminator::Jump(to) => vec![*to],
            Terminator::Branch { then, otherwise, .. } => vec![*then, *otherwise],
            Terminator::Switch { cases, default, .. } => {
                cases.iter().map(|(_, to)| *to).chain([*default]).collect()
            }
            Terminator::Return(_) | Terminator::Unreachable => vec![],
        }
    }

    /// Calls `f` with each successor, in order, with repetitions.
    pub fn for_each_successor(&self, mut f: impl FnMut(BlockId)) {
        match self {
            Terminator::Jump(to) => f(*to),
            Terminator::Branch { then, otherwise, .. } => {
                f(*then);
                f(*otherwise);
            }
            Terminator::Switch { cases, default, .. } => {
                cases.iter().for_each(|(_, to)| f(*to));
                f(*default);
            }
            Terminator::Return(_) | Terminator::Unreachable => {}
        }
    }

    /// Calls `f` with each operand that it reads.
    pub fn for_each_use(&self, mut f: impl FnMut(&Operand)) {
        match self {
            Terminator::Branch { cond, .. } => f(cond),
            Terminator::Switch { value, .. } => f(value),
            Terminator::Return(values) => values.iter().for_each(f),
            Terminator::Jump(_) | Terminator::Unreachable => {}
        }
    }

    /// Calls `f` with each operand that it reads, for replacement.
    pub fn for_each_use_mut(&mut self, mut f: impl FnMut(&mut Operand)) {
        match self {
            Terminator::Branch { cond, .. } => f(cond),
            Terminator::Switch { value, .. } => f(value),
            Terminator::Return(values) => values.iter_mut().for_each(f),
            Terminator::Jump(_) | Terminator::Unreachable => {}
        }
    }

    /// Calls `f` with each successor, for replacement.
    pub fn for_each_successor_mut(&mut self, mut f: impl FnMut(&mut BlockId)) {
        match self {
            Terminator::Jump(to) => f(to),
            Terminator::Branch { then, otherwise, .. } => {
                f(then);
                f(otherwise);
            }
            Terminator::Switch { cases, default, .. } => {
                cases.iter_mut().for_each(|(_, to)| f(to));
                f(default);
            }
            Terminator::Return(_) | Terminator::Unreachable => {}
        }
    }
}
