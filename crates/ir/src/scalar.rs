//! Scalar types of registers and memory accesses, and the data model of the target.

use serde::{Deserialize, Serialize};

/// The data model: sizes and alignments of the machine. Both are little endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Target {
    /// x86_64-linux-gnu: `long` and pointers have 64 bits.
    Lp64,
    /// i386-linux-gnu: `int`, `long` and pointers have 32 bits.
    Ilp32,
}

impl Target {
    /// Size of a pointer in bytes.
    pub fn pointer_bytes(self) -> u64 {
        match self {
            Target::Lp64 => 8,
            Target::Ilp32 => 4,
        }
    }

    /// Size of a pointer in bits.
    pub fn pointer_bits(self) -> u8 {
        (self.pointer_bytes() * 8) as u8
    }

    /// Alignment that `malloc` guarantees.
    pub fn malloc_align(self) -> u64 {
        match self {
            Target::Lp64 => 16,
            Target::Ilp32 => 8,
        }
    }

    /// The name used on the command line and in the text form.
    pub fn name(self) -> &'static str {
        match self {
            Target::Lp64 => "lp64",
            Target::Ilp32 => "ilp32",
        }
    }
}

/// A floating point format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum FloatKind {
    /// IEEE binary32, `float`.
    F32,
    /// IEEE binary64, `double`.
    F64,
    /// The 80 bit format of the x87, `long double`.
    X87,
    /// IEEE binary128, `__float128`.
    F128,
}

impl FloatKind {
    /// Number of significant bits of the format's encoding.
    pub fn bits(self) -> u8 {
        match self {
            FloatKind::F32 => 32,
            FloatKind::F64 => 64,
            FloatKind::X87 => 80,
            FloatKind::F128 => 128,
        }
    }
}

/// The type of a register or of a memory access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Ty {
    /// An integer of 1 to 128 bits, without sign.
    Int(u8),
    /// A pointer.
    Ptr,
    /// A floating point number.
    Float(FloatKind),
}

impl Ty {
    /// A Boolean, the result of comparisons.
    pub const BOOL: Ty = Ty::Int(1);

    /// Number of bits of a value.
    pub fn bits(self, target: Target) -> u8 {
        match self {
            Ty::Int(width) => width,
            Ty::Ptr => target.pointer_bits(),
            Ty::Float(kind) => kind.bits(),
        }
    }

    /// Number of bytes that a load or store of this type touches.
    pub fn bytes(self, target: Target) -> u64 {
        u64::from(self.bits(target)).div_ceil(8)
    }
}

/// The `width` low bits set.
pub fn mask(width: u8) -> u128 {
    if width >= 128 { u128::MAX } else { (1u128 << width) - 1 }
}

/// The value of the `width` low bits of `bits` read as a signed number.
pub fn sign_extend(bits: u128, width: u8) -> i128 {
    debug_assert!((1..=128).contains(&width));
    let shift = 128 - u32::from(width);
    ((bits << shift) as i128) >> shift
}
