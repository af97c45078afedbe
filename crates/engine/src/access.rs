//! Bad accesses and releases: what class each is, and how a possible one is told. The interpreter and the engines say the same.

use heapproof_verdict::ErrorClass;

/// Reading or writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Bytes are read.
    Read,
    /// Bytes are written.
    Write,
}

impl Access {
    /// The verb, as a noun.
    pub fn word(self) -> &'static str {
        match self {
            Access::Read => "read",
            Access::Write => "write",
        }
    }
}

/// What is wrong with an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadAccess {
    /// The pointer is null, or computed from null.
    Null,
    /// Nothing was ever assigned to the pointer.
    Uninitialised,
    /// The pointer is a number that is no address.
    Number,
    /// Nothing is known about the pointer.
    Unknown,
    /// The heap block was freed.
    Freed,
    /// The stream was closed.
    Closed,
    /// The variable's scope or function has ended.
    Ended,
    /// A function is no data.
    Function,
    /// The object is constant.
    Constant,
    /// Some bytes lie outside the object.
    Outside,
}

impl BadAccess {
    /// The class of the error.
    pub fn class(self, access: Access) -> ErrorClass {
        match (self, access) {
            (BadAccess::Null, _) => ErrorClass::NullDeref,
            (BadAccess::Uninitialised | BadAccess::Number | BadAccess::Unknown, _) => ErrorClass::WildDeref,
            (BadAccess::Freed | BadAccess::Closed, _) => ErrorClass::UseAfterFree,
            (BadAccess::Ended, _) => ErrorClass::UseAfterScope,
            (BadAccess::Constant | BadAccess::Function, Access::Write) => ErrorClass::ReadonlyWrite,
            (BadAccess::Constant | BadAccess::Function | BadAccess::Outside, Access::Read) => {
                ErrorClass::OutOfBoundsRead
            }
            (BadAccess::Outside, Access::Write) => ErrorClass::OutOfBoundsWrite,
        }
    }

    /// How a possible one is told.
    pub fn suspected(self) -> &'static str {
        match self {
            BadAccess::Null => "the pointer may be null",
            BadAccess::Uninitialised => "the pointer may not be initialised",
            BadAccess::Number => "the address belongs to no object",
            BadAccess::Unknown => "nothing is known about the pointer",
            BadAccess::Freed => "the heap block may have been freed",
            BadAccess::Closed => "the stream may have been closed",
            BadAccess::Ended => "the variable may be out of its scope",
            BadAccess::Function => "the address is that of a function",
            BadAccess::Constant => "the object is constant",
            BadAccess::Outside => "the access may lie outside the object",
        }
    }
}

/// What is wrong with a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadRelease {
    /// It is no heap block.
    NotHeap,
    /// It was freed before.
    Freed,
    /// It is not the start of the block.
    Inside,
    /// Nothing is known about the pointer.
    Unknown,
}

impl BadRelease {
    /// The class of the error.
    pub fn class(self) -> ErrorClass {
        match self {
            BadRelease::Freed => ErrorClass::DoubleFree,
            BadRelease::NotHeap | BadRelease::Inside | BadRelease::Unknown => ErrorClass::InvalidFree,
        }
    }

    /// The number in the Common Weakness Enumeration.
    pub fn cwe(self) -> Option<u32> {
        match self {
            BadRelease::Inside => Some(761),
            other => other.class().cwe(),
        }
    }

    /// How a possible one is told.
    pub fn suspected(self) -> &'static str {
        match self {
            BadRelease::NotHeap => "what is freed is no heap block",
            BadRelease::Freed => "the block may be freed already",
            BadRelease::Inside => "the pointer is not the block's start",
            BadRelease::Unknown => "nothing is known about the pointer",
        }
    }
}
