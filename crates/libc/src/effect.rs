//! The language of effects: what a library function reads, writes, opens, closes and gives, one line per function.
//!
//! [`crate::apply`] carries an effect out on any [`crate::Memory`]. Nothing here knows how memory is represented.

use heapproof_ir::Target;

/// How many bytes of an area a function touches, from the address that the argument gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extent {
    /// A fixed number.
    Bytes(u64),
    /// A fixed number that depends on the target: on lp64 and on ilp32.
    Sizes(u64, u64),
    /// The size of a pointer.
    Pointer,
    /// The size of a `long`, `time_t` and other words.
    Word,
    /// The value of an argument.
    Arg(usize),
    /// The product of two arguments.
    Product(usize, usize),
    /// Up to and with the NUL.
    Nul,
    /// Up to and with the NUL, and not more than the value of an argument.
    NulOrArg(usize),
    /// Some bytes, at most the value of an argument: where it stops depends on the content (`memchr`).
    UpToArg(usize),
    /// As many bytes as the string at an argument has, with its NUL.
    StringOf(usize),
    /// Starts at the NUL of the area and takes the string at an argument with its NUL (`strcat`).
    AppendStringOf(usize),
    /// As `AppendStringOf`, and not more characters than an argument says (`strncat`).
    AppendStringOfAtMost(usize, usize),
    /// What a format says: the output with its NUL.
    Format,
    /// What a format says, not more than the value of an argument.
    FormatAtMost(usize),
}

/// A number of some bytes inside a structure that the library fills in, and the values that it can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// Offset on lp64 and on ilp32.
    pub at: (u64, u64),
    /// Bytes on lp64 and on ilp32.
    pub bytes: (u64, u64),
    /// The least value, on lp64 and on ilp32.
    pub low: (i64, i64),
    /// The greatest value, on lp64 and on ilp32.
    pub high: (i64, i64),
}

/// What is in an area after a function wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Content {
    /// Any bytes, no addresses.
    Any,
    /// What was there before; only a call that fails writes it.
    Kept,
    /// A string that ends inside the area.
    Text,
    /// A string of at least so many characters that ends inside the area.
    LongText(u64),
    /// A string that fills the area: its NUL is the last byte.
    WholeText,
    /// Any bytes, but these numbers are in their ranges.
    Fields(&'static [Field]),
    /// As `Fields`, and each number is greater than the one before.
    Rising(&'static [Field]),
    /// The address of a place in the string at an argument.
    PlaceIn(usize),
    /// Other characters in the place of the last ones of a string, so many; its length stays.
    LastCharacters(u64),
}

/// An area that a function reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Area {
    /// The argument that points to it.
    pub arg: usize,
    /// How much of it.
    pub extent: Extent,
    /// The argument may be null; the area is then not touched.
    pub nullable: bool,
    /// What a written area holds afterwards.
    pub content: Content,
}

/// How much input a function stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Amount {
    /// At most as many bytes as an argument says (`read`).
    Bytes(usize),
    /// At most a number of items; the size of one is the first argument, the number the second (`fread`).
    Items(usize, usize),
    /// A string of fewer characters than an argument says, and a NUL (`fgets`).
    Line(usize),
    /// A string of any length (`gets`).
    Unbounded,
}

/// Input that is stored: the environment decides how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Transfer {
    /// The argument that points to the area.
    pub to: usize,
    /// How much.
    pub amount: Amount,
}

/// How a stream or directory argument is used. It must be open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StreamUse {
    /// Read from, written to or moved: what `ferror` and `feof` say may be another thing afterwards.
    Moves,
    /// Only asked.
    Asks,
    /// Closed: its life ends.
    Closes,
}

/// A stream argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StreamArg {
    /// The argument.
    pub arg: usize,
    /// What for.
    pub usage: StreamUse,
    /// What it has to be.
    pub kind: StreamKind,
    /// Null is fine and means all streams or none.
    pub nullable: bool,
}

/// What the library makes and ends on demand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StreamKind {
    /// A `FILE`.
    File,
    /// A `DIR`.
    Directory,
    /// A `struct dirent`, which is gone with its directory.
    Entry,
}

impl StreamKind {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            StreamKind::File => "a stream",
            StreamKind::Directory => "an open directory",
            StreamKind::Entry => "an entry of a directory",
        }
    }

    /// Its size on a target.
    pub fn size_on(self, target: Target) -> u64 {
        match self {
            StreamKind::File | StreamKind::Directory => 216,
            StreamKind::Entry => on(target, (280, 268)),
        }
    }
}

/// An object that the library owns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LibraryObject {
    /// In words; no C name, so that it meets no name of the program.
    pub name: &'static str,
    /// Its size on lp64 and on ilp32; the most that it can be if each call gives another one.
    pub size: (u64, u64),
    /// What it holds after the call.
    pub content: Content,
    /// Whether there is one of it, which every call may overwrite, or one for each call.
    pub single: bool,
}

impl LibraryObject {
    /// The size on a target.
    pub fn size_on(&self, target: Target) -> u64 {
        on(target, self.size)
    }

    /// The least number of characters of the string that it holds.
    pub fn least(&self) -> u64 {
        match self.content {
            Content::LongText(least) => least,
            _ => 0,
        }
    }
}

/// A string of the library that the program may not write, and that the next call may overwrite or end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Passing {
    /// The string.
    pub text: &'static LibraryObject,
    /// What it is in a program that declares `setlocale`.
    pub translated: &'static LibraryObject,
    /// Where the library keeps its address.
    pub place: &'static LibraryObject,
}

/// The part of a pair that a target takes.
pub fn on<T>(target: Target, (lp64, ilp32): (T, T)) -> T {
    match target {
        Target::Lp64 => lp64,
        Target::Ilp32 => ilp32,
    }
}

/// Whether the environment may let a function fail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Failure {
    /// It does not.
    #[default]
    Never,
    /// It may, and gives this number then; 0 is null for a pointer. What it would have written is not known then.
    Gives(i64),
    /// No failure, but it gives this number where what it was given has no answer (`strchr`).
    OrElse(i64),
}

/// Where the result of a function comes from, if it does not fail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ResultOf {
    /// The kind computes it; an engine that does not follow the kind takes any value of the type.
    #[default]
    Kind,
    /// A new heap block.
    NewBlock,
    /// An argument as it is.
    Arg(usize),
    /// A pointer into the string or area of an argument, its end included.
    IntoArg(usize),
    /// A number from 0 to the length of the string at an argument.
    LengthIn(usize),
    /// Any value of the type.
    Input,
    /// Any value of the type from this one on.
    AtLeast(i64),
    /// Any value from the first to the second.
    Between(i64, i64),
    /// How much input was stored, in the unit of the transfer.
    Count,
    /// Any number from 0 to the value of an argument.
    UpTo(usize),
    /// A floating point number from 0 to below 1.
    Fraction,
    /// A pointer into the string at an argument, or an object of the library.
    IntoArgOr(usize, &'static LibraryObject),
    /// An object of the library.
    Object(&'static LibraryObject),
    /// A string that the next call may end.
    Passing(&'static Passing),
    /// A new stream.
    Stream(StreamKind),
    /// This number.
    Number(i64),
}

/// When the environment gives another answer to the same question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Answers {
    /// Whenever it is asked.
    #[default]
    Anew,
    /// The same arguments get the same answer during the whole run (`getpid`, `isatty`).
    Steady,
    /// The same until the stream of the argument is used (`ferror`).
    SteadyForStream,
}

/// The numbers that an argument may be. What a function does with others is not modelled: C leaves it open, and libraries differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Legal {
    /// A character as `int`: C allows -1 to 255, and tables of glibc go from -128 to 255.
    Character,
    /// The base of a number: 0 or 2 to 36.
    Base,
    /// A power of two.
    Alignment,
    /// A power of two, at least the size of a pointer.
    WordAlignment,
}

impl Legal {
    /// True if all numbers from one to another are legal.
    pub fn holds(self, low: i128, high: i128, target: Target) -> bool {
        let power = low == high && low > 0 && low & (low - 1) == 0;
        match self {
            Legal::Character => low >= -128 && high <= 255,
            Legal::Base => low >= 2 && high <= 36 || low == 0 && high == 0,
            Legal::Alignment => power,
            Legal::WordAlignment => power && low >= i128::from(target.pointer_bytes()),
        }
    }

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Legal::Character => "a character from -128 to 255",
            Legal::Base => "a base of 0 or from 2 to 36",
            Legal::Alignment => "a power of two",
            Legal::WordAlignment => "a power of two that is a multiple of a pointer's size",
        }
    }
}

/// What is asked of an argument that is a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Demand {
    /// The argument.
    pub arg: usize,
    /// What it may be.
    pub legal: Legal,
}

/// The effect of a function on memory and control.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    /// What is asked of arguments that are numbers.
    pub demands: Vec<Demand>,
    /// Arguments that are descriptors: with a negative one the call fails.
    pub descriptors: Vec<usize>,
    /// Arguments that must be open streams.
    pub streams: Vec<StreamArg>,
    /// What it reads.
    pub reads: Vec<Area>,
    /// What it writes, if it does not fail.
    pub writes: Vec<Area>,
    /// Input that it stores.
    pub transfer: Option<Transfer>,
    /// It reads the strings that `%s` in the format names and writes through `%n`; the format is this argument.
    pub format: Option<usize>,
    /// It makes a heap block.
    pub allocates: bool,
    /// It frees the block at this argument.
    pub frees: Option<usize>,
    /// It does not return: the program ends there.
    pub ends_program: bool,
    /// It calls a function of the program that it was given.
    pub calls_back: bool,
    /// Whether it may fail.
    pub failure: Failure,
    /// Where the result comes from.
    pub result: ResultOf,
    /// When the result is another one.
    pub answers: Answers,
}

impl Effect {
    /// True if it neither writes, allocates, frees, closes, ends the program nor calls back.
    pub fn is_pure(&self) -> bool {
        self.writes.is_empty()
            && self.transfer.is_none()
            && self.format.is_none()
            && !self.allocates
            && self.frees.is_none()
            && !self.ends_program
            && !self.calls_back
            && !self.streams.iter().any(|stream| stream.usage == StreamUse::Closes)
    }
}
