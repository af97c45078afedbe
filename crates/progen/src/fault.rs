//! The error classes that can be planted, in the vocabulary of the whole project.

use std::fmt;
use std::str::FromStr;

/// A class of error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    /// Access through a null pointer, or at a small offset from one.
    NullDeref,
    /// Access through a manufactured, smashed or uninitialised pointer.
    WildDeref,
    /// Write to a string literal or const object.
    ReadonlyWrite,
    /// Access to a freed heap object.
    UseAfterFree,
    /// Second `free` of a heap object.
    DoubleFree,
    /// `free` of something that is not the start of a heap object.
    InvalidFree,
    /// Read outside the object pointed to.
    OutOfBoundsRead,
    /// Write outside the object pointed to.
    OutOfBoundsWrite,
    /// Heap object that nothing points to any more.
    Leak,
    /// Access to a local whose block or function has ended.
    UseAfterScope,
    /// Copy between overlapping areas by a function that forbids it.
    OverlappingCopy,
    /// A failing `assert`.
    AssertionFailure,
    /// Integer division by zero.
    DivisionByZero,
}

impl Fault {
    /// Every class.
    pub const ALL: [Fault; 13] = [
        Fault::NullDeref,
        Fault::WildDeref,
        Fault::ReadonlyWrite,
        Fault::UseAfterFree,
        Fault::DoubleFree,
        Fault::InvalidFree,
        Fault::OutOfBoundsRead,
        Fault::OutOfBoundsWrite,
        Fault::Leak,
        Fault::UseAfterScope,
        Fault::OverlappingCopy,
        Fault::AssertionFailure,
        Fault::DivisionByZero,
    ];

    /// The name used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Fault::NullDeref => "null-deref",
            Fault::WildDeref => "wild-deref",
            Fault::ReadonlyWrite => "readonly-write",
            Fault::UseAfterFree => "use-after-free",
            Fault::DoubleFree => "double-free",
            Fault::InvalidFree => "invalid-free",
            Fault::OutOfBoundsRead => "out-of-bounds-read",
            Fault::OutOfBoundsWrite => "out-of-bounds-write",
            Fault::Leak => "leak",
            Fault::UseAfterScope => "use-after-scope",
            Fault::OverlappingCopy => "overlapping-copy",
            Fault::AssertionFailure => "assertion-failure",
            Fault::DivisionByZero => "division-by-zero",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Fault {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Fault::ALL.into_iter().find(|fault| fault.name() == name).ok_or_else(|| {
            let known: Vec<_> = Fault::ALL.iter().map(|fault| fault.name()).collect();
            format!("no error class `{name}`; there are {}", known.join(", "))
        })
    }
}

/// The error that a generated program commits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planted {
    /// Its class.
    pub class: Fault,
    /// Line of the faulty access; for a leak, line of the allocation that is lost.
    pub line: u32,
    /// Name of the scenario that it is woven into.
    pub scenario: &'static str,
}
