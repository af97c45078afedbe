//! What an engine has to offer so that the library functions can be carried out on its memory.
//!
//! An engine implements [`Memory`] once and gets every model of the table by [`crate::apply`]. It may still follow single
//! kinds itself where it can do better (a concrete engine computes `strlen`, a symbolic one copies known bytes).
//!
//! *Order.* `apply` first does everything that can go wrong or that depends on a case distinction (checks, lengths of strings,
//! choices), then changes memory. So an engine that finds that a call has to be looked at in several cases may give up the
//! call as long as nothing was changed, and carry it out again in each case.
//!
//! *Choices.* Where the environment decides ([`Memory::fails`], [`Memory::amount`], [`Memory::input`]), a concrete engine asks its
//! inputs; an abstract one has to cover all of them. One that keeps single cases apart carries the call out once for each
//! sequence of choices.
//!
//! *Sizes* are values of the pointer's width. None of them wraps: an engine that cannot say so stops.

use crate::effect::{Failure, LibraryObject, StreamKind, StreamUse};
use crate::{Model, Scalar};
use heapproof_ir::Target;

/// A set of characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CharSet(Box<[bool; 256]>);

impl CharSet {
    /// The characters of which something holds.
    pub fn new(mut holds: impl FnMut(u8) -> bool) -> Self {
        CharSet(Box::new(std::array::from_fn(|c| holds(c as u8))))
    }

    /// True if a character is in the set.
    pub fn contains(&self, c: u8) -> bool {
        self.0[usize::from(c)]
    }

    /// The first character of the set from this one on, around the end.
    pub fn next_from(&self, c: u8) -> Option<u8> {
        (0..=255u8).map(|by| c.wrapping_add(by)).find(|c| self.contains(*c))
    }
}

/// Reading or writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Access {
    Read,
    Write,
}

/// An address that a function was given, directly or through memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<V> {
    /// The address.
    pub at: V,
    /// The argument that it is or that it came by, for messages.
    pub arg: usize,
}

/// What an area holds after it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written<V> {
    /// Any bytes, no addresses.
    Any,
    /// A string of exactly this many characters at the start of the area; any bytes after its NUL.
    Text(V),
    /// As many bytes of input, then a NUL. The input may have NULs inside.
    Line(V),
    /// The environment gave up on the way: any part of the area may have been written with any bytes.
    Spoilt,
}

/// The memory of an engine, as library functions see it.
pub trait Memory {
    /// A value of the program.
    type Value: Copy;
    /// Why the call cannot go on: an error of the program, a limit of the engine, cases to be told apart.
    type Stop;

    /// The data model.
    fn target(&self) -> Target;

    /// A number of a type.
    fn number(&mut self, number: i64, ty: Scalar) -> Self::Value;

    /// The bits of a value, if it is one number.
    fn known(&self, value: Self::Value) -> Option<u128>;

    /// True if an `int` may be NUL as a character.
    fn may_be_nul(&self, value: Self::Value) -> bool {
        self.known(value).is_none_or(|value| value as u8 == 0)
    }

    /// True if a pointer is null. Both cases may have to be told apart.
    fn is_null(&mut self, pointer: Self::Value) -> Result<bool, Self::Stop>;

    /// The sum of two sizes.
    fn sum(&mut self, a: Self::Value, b: Self::Value) -> Result<Self::Value, Self::Stop>;

    /// The product of two sizes; where it overflows, more than any object has.
    fn product(&mut self, a: Self::Value, b: Self::Value) -> Result<Self::Value, Self::Stop>;

    /// True if a size is at most another one. Both cases may have to be told apart.
    fn at_most(&mut self, a: Self::Value, b: Self::Value) -> Result<bool, Self::Stop>;

    /// The smaller one of two sizes.
    fn smaller(&mut self, a: Self::Value, b: Self::Value) -> Result<Self::Value, Self::Stop> {
        Ok(if self.at_most(a, b)? { a } else { b })
    }

    /// A number of a type less one, as a size; none if it is not positive. Both cases may have to be told apart.
    fn less_one(&mut self, number: Self::Value, ty: Scalar) -> Result<Option<Self::Value>, Self::Stop>;

    /// A number of one type as one of another.
    fn convert(&mut self, value: Self::Value, from: Scalar, to: Scalar) -> Self::Value;

    /// A pointer moved by a size.
    fn moved(&mut self, pointer: Self::Value, by: Self::Value) -> Result<Self::Value, Self::Stop>;

    /// An access of the smallest one of some sizes has to lie inside a live object. No bytes are always fine.
    fn check(
        &mut self,
        place: Place<Self::Value>,
        sizes: &[Self::Value],
        access: Access,
    ) -> Result<(), Self::Stop>;

    /// An area that is written must not overlap one that is read. Both were checked; they have these sizes.
    fn apart(
        &mut self,
        written: (Place<Self::Value>, Self::Value),
        read: (Place<Self::Value>, Self::Value),
    ) -> Result<(), Self::Stop>;

    /// True if an address is one in the table of the command line, which holds so many strings from there on, or any number of
    /// them, and a null pointer at its end.
    fn is_command_line(
        &mut self,
        _table: Self::Value,
        _count: Option<Self::Value>,
    ) -> Result<bool, Self::Stop> {
        Ok(false)
    }

    /// Entries of the command line behind this one may have changed places.
    fn permute(&mut self, _table: Self::Value) {}

    /// The length of a string without its NUL, which has to be in its object, or in reach if there is a greatest number of
    /// characters that are looked at.
    fn length(
        &mut self,
        place: Place<Self::Value>,
        most: Option<Self::Value>,
    ) -> Result<Self::Value, Self::Stop>;

    /// The characters of a string, if they are known; it is checked as by [`Memory::length`].
    fn text(&mut self, place: Place<Self::Value>) -> Result<Option<Vec<u8>>, Self::Stop>;

    /// An area that was checked gets new content. Addresses in it are overwritten.
    fn write(
        &mut self,
        place: Place<Self::Value>,
        size: Self::Value,
        content: Written<Self::Value>,
    ) -> Result<(), Self::Stop>;

    /// Reads a value; checked.
    fn load(&mut self, place: Place<Self::Value>, ty: Scalar) -> Result<Self::Value, Self::Stop>;

    /// Stores a value; checked.
    fn store(&mut self, place: Place<Self::Value>, ty: Scalar, value: Self::Value) -> Result<(), Self::Stop>;

    /// An answer of the environment: any value of the type, or one of a range.
    fn input(&mut self, ty: Scalar, range: Option<(i64, i64)>) -> Result<Self::Value, Self::Stop>;

    /// An answer of the environment: a `double` from 0 to below 1.
    fn fraction(&mut self) -> Result<Self::Value, Self::Stop>;

    /// How much the environment gives, at most so much; none if it fails. `most` is a size or there is no limit.
    fn amount(
        &mut self,
        most: Option<Self::Value>,
        failure: Failure,
    ) -> Result<Option<Self::Value>, Self::Stop> {
        self.amount_from(0, most, failure)
    }

    /// As [`Memory::amount`], and at least so much if it does not fail. The least is not above `most`.
    fn amount_from(
        &mut self,
        least: u64,
        most: Option<Self::Value>,
        failure: Failure,
    ) -> Result<Option<Self::Value>, Self::Stop>;

    /// So many characters that the environment just wrote are of a set. An engine may forget that.
    fn only(
        &mut self,
        _place: Place<Self::Value>,
        _length: Self::Value,
        _set: &CharSet,
    ) -> Result<(), Self::Stop> {
        Ok(())
    }

    /// Whether the environment lets the call fail.
    fn fails(&mut self) -> Result<bool, Self::Stop>;

    /// Whether the input has what the next conversion of a format takes.
    fn matches(&mut self) -> Result<bool, Self::Stop>;

    /// One of two cases, which follows from what the function was given, in a way that is not described here.
    fn either(&mut self) -> Result<bool, Self::Stop>;

    /// A value of a type that follows from what the function was given, in a way that is not described here.
    fn computed(&mut self, ty: Scalar) -> Result<Self::Value, Self::Stop>;

    /// As [`Memory::computed`], where not every value is possible: an engine that shows executions cannot go on.
    fn guessed(&mut self, ty: Scalar) -> Result<Self::Value, Self::Stop> {
        self.computed(ty)
    }

    /// A size that follows from what the function was given: from the first to the second.
    fn computed_size(&mut self, least: u64, most: Self::Value) -> Result<Self::Value, Self::Stop>;

    /// Whether a block cannot be had; never unless the user said that `malloc` may fail.
    fn allocation_fails(&mut self) -> Result<bool, Self::Stop>;

    /// A new heap block with unknown content, as from `malloc`. Whether it can be had was asked before.
    fn allocate(&mut self, size: Self::Value) -> Result<Self::Value, Self::Stop>;

    /// Ends the life of a heap block, as `free`.
    fn release(&mut self, place: Place<Self::Value>) -> Result<(), Self::Stop>;

    /// The address of an object of the library: the one that there is, or a new one. What it holds is up to `apply` in
    /// the first case; a new one holds a string or unknown bytes, as its description says.
    fn object(&mut self, object: &'static LibraryObject) -> Result<Self::Value, Self::Stop>;

    /// The program may not write an object of the library that it was just given.
    fn protect(&mut self, pointer: Self::Value);

    /// A string that the library gave may be gone now. An engine that only follows what happens in every library does nothing.
    fn retire(&mut self, pointer: Self::Value) -> Result<(), Self::Stop>;

    /// A new stream, or what belongs to one.
    fn open(&mut self, kind: StreamKind) -> Result<Self::Value, Self::Stop>;

    /// An argument has to be an open stream of a kind. It is not closed yet.
    fn stream(
        &mut self,
        place: Place<Self::Value>,
        kind: StreamKind,
        usage: StreamUse,
    ) -> Result<(), Self::Stop>;

    /// Ends the life of a stream that was checked. The standard streams stay.
    fn close(&mut self, place: Place<Self::Value>) -> Result<(), Self::Stop>;

    /// The program compares addresses with each other, or makes numbers of them.
    fn compares_addresses(&self) -> bool;

    /// The program declares a function of this name.
    fn declares(&self, function: &str) -> bool;

    /// The program has an object of this name that the library defines (`optarg`): its address.
    fn global(&mut self, name: &str) -> Option<Self::Value>;

    /// The call is not modelled; `what` is what about it.
    fn not_modelled(&self, model: &Model, what: &str) -> Self::Stop;
}
