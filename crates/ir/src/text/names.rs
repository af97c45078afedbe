//! The words of the text form, one table for each enumeration, used by the printer and the parser.

use crate::ctype::Qualifier;
use crate::inst::{BinOp, CastOp, CmpOp, CopyKind, FloatBinOp, FloatCmpOp, FloatUnOp, IntUnOp};
use crate::scalar::{FloatKind, Target};

/// An enumeration with a word for each value.
pub(super) trait Words: Copy + Sized + 'static {
    fn word(self) -> &'static str;
    fn from_word(word: &str) -> Option<Self>;
}

macro_rules! words {
    ($type:ident { $($variant:ident = $word:literal),* $(,)? }) => {
        impl Words for $type {
            fn word(self) -> &'static str {
                match self { $($type::$variant => $word),* }
            }
            fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some($type::$variant),)* _ => None }
            }
        }
    };
}

words!(Target { Lp64 = "lp64", Ilp32 = "ilp32" });
words!(FloatKind { F32 = "float32", F64 = "float64", X87 = "x87", F128 = "float128" });
words!(Qualifier { Const = "const", Volatile = "volatile", Restrict = "restrict", Atomic = "atomic" });
words!(BinOp {
    Add = "add",
    Sub = "sub",
    Mul = "mul",
    UDiv = "udiv",
    SDiv = "sdiv",
    URem = "urem",
    SRem = "srem",
    Shl = "shl",
    LShr = "lshr",
    AShr = "ashr",
    And = "and",
    Or = "or",
    Xor = "xor",
});
words!(IntUnOp {
    ByteSwap = "byteswap",
    BitReverse = "bitreverse",
    PopCount = "popcount",
    LeadingZeros = "leadingzeros",
    TrailingZeros = "trailingzeros",
});
words!(FloatBinOp {
    Add = "fadd",
    Sub = "fsub",
    Mul = "fmul",
    Div = "fdiv",
    Rem = "frem",
    Min = "fmin",
    Max = "fmax",
    CopySign = "fcopysign",
});
words!(FloatUnOp {
    Neg = "fneg",
    Abs = "fabs",
    Sqrt = "fsqrt",
    Floor = "ffloor",
    Ceil = "fceil",
    Trunc = "ftrunc",
    Round = "fround",
    RoundEven = "froundeven",
});
words!(CmpOp {
    Eq = "eq",
    Ne = "ne",
    Ult = "ult",
    Ule = "ule",
    Ugt = "ugt",
    Uge = "uge",
    Slt = "slt",
    Sle = "sle",
    Sgt = "sgt",
    Sge = "sge",
});
words!(FloatCmpOp {
    False = "false",
    Oeq = "oeq",
    Ogt = "ogt",
    Oge = "oge",
    Olt = "olt",
    Ole = "ole",
    One = "one",
    Ord = "ord",
    Uno = "uno",
    Ueq = "ueq",
    Ugt = "ugt",
    Uge = "uge",
    Ult = "ult",
    Ule = "ule",
    Une = "une",
    True = "true",
});
words!(CastOp {
    Trunc = "trunc",
    ZExt = "zext",
    SExt = "sext",
    PtrToInt = "ptrtoint",
    IntToPtr = "inttoptr",
    FloatToUInt = "ftoui",
    FloatToSInt = "ftosi",
    UIntToFloat = "uitof",
    SIntToFloat = "sitof",
    FloatToFloat = "ftof",
    Bits = "bits",
});
words!(CopyKind { Move = "move", Struct = "struct", Disjoint = "disjoint" });
