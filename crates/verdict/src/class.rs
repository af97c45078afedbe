//! The error classes: one vocabulary everywhere, each with its CWE number.

use crate::property::Property;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The kind of an error in a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorClass {
    /// Access through the null pointer, or through an address computed from it.
    NullDeref,
    /// Access through an uninitialised or manufactured pointer.
    WildDeref,
    /// Write to a string literal or to another constant object.
    ReadonlyWrite,
    /// Access to a heap block after it was freed.
    UseAfterFree,
    /// Second release of a heap block.
    DoubleFree,
    /// Release of something that is not the start of a heap block.
    InvalidFree,
    /// Read outside the object that the pointer belongs to.
    OutOfBoundsRead,
    /// Write outside the object that the pointer belongs to.
    OutOfBoundsWrite,
    /// A heap block that nothing refers to any more, or that is left at the end.
    Leak,
    /// Access to a local variable whose scope or function has ended.
    UseAfterScope,
    /// A block copy between areas that overlap.
    OverlappingCopy,
    /// A failing assertion, or a call of the error function.
    AssertionFailure,
    /// Integer division by zero.
    DivisionByZero,
    /// A broken data structure (integrity engine).
    DataStructure,
    /// A broken contract (contracts engine).
    Contract,
}

impl ErrorClass {
    /// All classes in the order of the documentation.
    pub const ALL: [ErrorClass; 15] = [
        ErrorClass::NullDeref,
        ErrorClass::WildDeref,
        ErrorClass::ReadonlyWrite,
        ErrorClass::UseAfterFree,
        ErrorClass::DoubleFree,
        ErrorClass::InvalidFree,
        ErrorClass::OutOfBoundsRead,
        ErrorClass::OutOfBoundsWrite,
        ErrorClass::Leak,
        ErrorClass::UseAfterScope,
        ErrorClass::OverlappingCopy,
        ErrorClass::AssertionFailure,
        ErrorClass::DivisionByZero,
        ErrorClass::DataStructure,
        ErrorClass::Contract,
    ];

    /// The name that users and programs see.
    pub fn name(self) -> &'static str {
        match self {
            ErrorClass::NullDeref => "null-deref",
            ErrorClass::WildDeref => "wild-deref",
            ErrorClass::ReadonlyWrite => "readonly-write",
            ErrorClass::UseAfterFree => "use-after-free",
            ErrorClass::DoubleFree => "double-free",
            ErrorClass::InvalidFree => "invalid-free",
            ErrorClass::OutOfBoundsRead => "out-of-bounds-read",
            ErrorClass::OutOfBoundsWrite => "out-of-bounds-write",
            ErrorClass::Leak => "leak",
            ErrorClass::UseAfterScope => "use-after-scope",
            ErrorClass::OverlappingCopy => "overlapping-copy",
            ErrorClass::AssertionFailure => "assertion-failure",
            ErrorClass::DivisionByZero => "division-by-zero",
            ErrorClass::DataStructure => "data-structure",
            ErrorClass::Contract => "contract",
        }
    }

    /// The number in the Common Weakness Enumeration, where there is one.
    /// An interior pointer given to `free` is CWE-761; [`Violation::cwe`](crate::Violation) says so.
    pub fn cwe(self) -> Option<u32> {
        match self {
            ErrorClass::NullDeref => Some(476),
            ErrorClass::WildDeref => Some(824),
            ErrorClass::ReadonlyWrite => Some(787),
            ErrorClass::UseAfterFree => Some(416),
            ErrorClass::DoubleFree => Some(415),
            ErrorClass::InvalidFree => Some(590),
            ErrorClass::OutOfBoundsRead => Some(125),
            ErrorClass::OutOfBoundsWrite => Some(787),
            ErrorClass::Leak => Some(401),
            ErrorClass::UseAfterScope => Some(562),
            ErrorClass::OverlappingCopy => Some(475),
            ErrorClass::AssertionFailure => Some(617),
            ErrorClass::DivisionByZero => Some(369),
            ErrorClass::DataStructure | ErrorClass::Contract => None,
        }
    }

    /// The properties that an error of this class violates. A leak found at the end of the program only because
    /// nothing is left alive is told apart by the engine; assertion failures come from `assert` or `reach_error`.
    pub fn properties(self) -> &'static [Property] {
        match self {
            ErrorClass::NullDeref
            | ErrorClass::WildDeref
            | ErrorClass::ReadonlyWrite
            | ErrorClass::UseAfterFree
            | ErrorClass::OutOfBoundsRead
            | ErrorClass::OutOfBoundsWrite
            | ErrorClass::UseAfterScope => &[Property::ValidDeref],
            ErrorClass::DoubleFree | ErrorClass::InvalidFree => &[Property::ValidFree],
            ErrorClass::Leak => &[Property::ValidMemtrack, Property::MemCleanup, Property::ValidMemcleanup],
            ErrorClass::OverlappingCopy => &[Property::NoOverlap],
            ErrorClass::AssertionFailure => &[Property::Assertions, Property::UnreachCall],
            ErrorClass::DivisionByZero => &[Property::Assertions],
            ErrorClass::DataStructure => &[Property::DataStructure],
            ErrorClass::Contract => &[Property::Contracts],
        }
    }
}

impl fmt::Display for ErrorClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// There is no error class of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown error class `{0}`")]
pub struct ParseClassError(pub String);

impl FromStr for ErrorClass {
    type Err = ParseClassError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|class| class.name() == text)
            .ok_or_else(|| ParseClassError(text.to_owned()))
    }
}
