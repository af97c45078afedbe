//! What a modelled function does: the cases that an engine matches on.

use crate::Scalar;

/// How the size of a new block is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SizeArg {
    /// One argument, in bytes.
    Bytes(usize),
    /// The product of two arguments; the block cannot be had if it overflows.
    Product(usize, usize),
}

/// Whether an allocation may give null.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fallible {
    /// Only if the user said that `malloc` may fail.
    IfAsked,
    /// Never.
    Never,
}

/// What a block or string copy returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CopyResult {
    /// The destination.
    Start,
    /// Behind the last byte written; for strings, their new NUL.
    End,
    /// Nothing.
    Nothing,
}

/// Which occurrence a search gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FindFrom {
    /// The first; null if there is none.
    Front,
    /// The first; the end of the string if there is none.
    FrontOrEnd,
    /// The last; null if there is none.
    Back,
}

/// Whether a comparison tells upper from lower case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareCase {
    /// It does.
    Exact,
    /// It does not.
    Folded,
}

/// What `strspn` and its relatives give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SpanKind {
    /// The length of the start made of given characters.
    Accept,
    /// The length of the start without given characters.
    Reject,
    /// The first given character, or null.
    Find,
}

/// Where formatted output goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PrintSink {
    /// Standard output; the format is argument 0.
    Stdout,
    /// The stream of argument 0.
    Stream,
    /// The descriptor of argument 0.
    Descriptor,
    /// The log of the system; argument 0 is the priority.
    Log,
    /// The area of argument 0.
    Area,
    /// The area of argument 0, at most argument 1 bytes; the format is argument 2.
    BoundedArea,
    /// A new block whose address goes to where argument 0 points.
    NewBlock,
}

impl PrintSink {
    /// The argument that is the format.
    pub fn format_arg(self) -> usize {
        match self {
            PrintSink::Stdout => 0,
            PrintSink::BoundedArea => 2,
            _ => 1,
        }
    }
}

/// Where formatted input comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScanSource {
    /// Standard input; the format is argument 0.
    Stdin,
    /// The stream of argument 0.
    Stream,
    /// The string of argument 0.
    Text,
}

impl ScanSource {
    /// The argument that is the format.
    pub fn format_arg(self) -> usize {
        match self {
            ScanSource::Stdin => 0,
            ScanSource::Stream | ScanSource::Text => 1,
        }
    }
}

/// A class of characters of `ctype.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum CharClass {
    Alpha,
    Digit,
    Alnum,
    Upper,
    Lower,
    Space,
    Blank,
    Punct,
    Print,
    Graph,
    Cntrl,
    XDigit,
    Ascii,
}

impl CharClass {
    /// True if the character belongs to the class in the C locale.
    pub fn holds(self, c: u8) -> bool {
        match self {
            CharClass::Alpha => c.is_ascii_alphabetic(),
            CharClass::Digit => c.is_ascii_digit(),
            CharClass::Alnum => c.is_ascii_alphanumeric(),
            CharClass::Upper => c.is_ascii_uppercase(),
            CharClass::Lower => c.is_ascii_lowercase(),
            CharClass::Space => matches!(c, b' ' | b'\t' | b'\n' | 0x0b | 0x0c | b'\r'),
            CharClass::Blank => matches!(c, b' ' | b'\t'),
            CharClass::Punct => c.is_ascii_punctuation(),
            CharClass::Print => matches!(c, 0x20..=0x7e),
            CharClass::Graph => c.is_ascii_graphic(),
            CharClass::Cntrl => c.is_ascii_control(),
            CharClass::XDigit => c.is_ascii_hexdigit(),
            CharClass::Ascii => c.is_ascii(),
        }
    }
}

/// A function of `math.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum MathFunction {
    Sqrt,
    Cbrt,
    Fabs,
    Floor,
    Ceil,
    Trunc,
    Round,
    Rint,
    Exp,
    Exp2,
    Log,
    Log2,
    Log10,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Pow,
    Atan2,
    Fmod,
    Hypot,
    Fmin,
    Fmax,
    Copysign,
    Fma,
    Expm1,
    Log1p,
}

/// What a modelled function does. Arguments are in C's order unless said otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ModelKind {
    /// A new heap block.
    Alloc {
        /// How large.
        size: SizeArg,
        /// It is full of zeros; otherwise uninitialised.
        zeroed: bool,
        /// The argument that holds the alignment.
        align: Option<usize>,
        /// Whether it may give null.
        fallible: Fallible,
    },
    /// `alloca`: a block that lives until the caller returns.
    Alloca,
    /// `posix_memalign(void **, align, size)`.
    PosixMemalign,
    /// `realloc`: ends the life of the old block, moved or not; size 0 frees and gives null.
    Realloc {
        /// The new size.
        size: SizeArg,
    },
    /// `free(p)`.
    Free,
    /// `strdup(s)`, or `strndup(s, n)` if bounded.
    DupString {
        /// Argument 1 is the most characters.
        bounded: bool,
    },
    /// `memcpy(to, from, n)` and relatives.
    CopyBytes {
        /// The areas may overlap.
        overlap: bool,
        /// Arguments 0 and 1 are source and destination (`bcopy`).
        swapped: bool,
        /// What it returns.
        result: CopyResult,
    },
    /// `memset(to, byte, n)`, or `bzero(to, n)` if zero.
    Fill {
        /// There is no byte argument.
        zero: bool,
    },
    /// `memcmp(a, b, n)`: reads all n bytes of both.
    CompareBytes,
    /// `memchr(s, c, n)`.
    FindByte {
        /// From which end.
        from: FindFrom,
    },
    /// `strlen(s)`, or `strnlen(s, n)`.
    StrLen {
        /// Argument 1 is the most.
        bounded: bool,
    },
    /// `strcpy(to, from)`; bounded is `strncpy(to, from, n)`, which fills up with NUL.
    StrCopy {
        /// Argument 2 is the number of bytes written.
        bounded: bool,
        /// What it returns.
        result: CopyResult,
    },
    /// `strcat(to, from)`, `strncat(to, from, n)`.
    StrCat {
        /// Argument 2 is the most characters appended.
        bounded: bool,
    },
    /// `strcmp(a, b)`, `strncmp(a, b, n)`.
    StrCompare {
        /// Argument 2 is the most characters compared.
        bounded: bool,
        /// Whether case matters.
        case: CompareCase,
    },
    /// `strchr(s, c)` and relatives.
    StrFind {
        /// Which occurrence.
        from: FindFrom,
    },
    /// `strstr(s, what)`.
    StrStr {
        /// Whether case matters.
        case: CompareCase,
    },
    /// `strspn(s, set)` and relatives.
    StrSpan(SpanKind),
    /// `strtok(s, set)`, which remembers its place; `strtok_r(s, set, place)` is told it.
    StrTok {
        /// Argument 2 is the place.
        reentrant: bool,
    },
    /// `strsep(&s, set)`.
    StrSep,
    /// `__heapproof_is_live(p)`: whether the object that a pointer came from still lives.
    IsLive,
    /// The `printf` family.
    Print {
        /// Where it goes.
        sink: PrintSink,
        /// The arguments come as a `va_list`.
        list: bool,
    },
    /// `puts(s)`.
    Puts,
    /// `fputs(s, stream)`.
    PutString,
    /// `putchar(c)`, `putc(c, stream)`.
    PutChar {
        /// Argument 1 is the stream; standard output otherwise.
        stream: bool,
    },
    /// `fwrite(from, size, count, stream)`.
    WriteItems,
    /// `write(fd, from, n)`.
    WriteDescriptor,
    /// `perror(s)`.
    PrintError,
    /// The `scanf` family.
    Scan {
        /// Where it comes from.
        source: ScanSource,
        /// The arguments come as a `va_list`.
        list: bool,
    },
    /// `getline(line, size, stream)`, `getdelim(line, size, delimiter, stream)`.
    GetDelim {
        /// Argument 2 is the delimiter.
        delimiter: bool,
    },
    /// `getopt(argc, argv, options)`, `getopt_long(argc, argv, options, table, index)`.
    GetOpt {
        /// There is a table of long options.
        long: bool,
    },
    /// `execv(path, strings)`, `execve(path, strings, environment)`, `execl(path, string, …, NULL)`.
    Exec {
        /// The strings are arguments.
        list: bool,
    },
    /// `setbuf(stream, buffer)` and relatives: the stream uses the buffer until it is closed.
    SetBuffer,
    /// `exit(code)`.
    Exit {
        /// Functions given to `atexit` run.
        handlers: bool,
    },
    /// `abort()`.
    Abort,
    /// `atexit(function)`.
    AtExit,
    /// The handler of a failed `assert`.
    AssertFail {
        /// The argument with the text of the condition.
        text: Option<usize>,
    },
    /// `reach_error()`, `__VERIFIER_error()`.
    ReachError,
    /// `__VERIFIER_assume(condition)`.
    Assume,
    /// `__VERIFIER_assert(condition)`.
    Assert,
    /// `isalpha(c)` and relatives.
    IsChar(CharClass),
    /// `tolower(c)`.
    ToLower,
    /// `toupper(c)`.
    ToUpper,
    /// `atoi(s)`, `strtol(s, end, base)`.
    ParseInt {
        /// The type of the result.
        value: Scalar,
        /// Arguments 1 and 2 are the end and the base.
        full: bool,
    },
    /// `atof(s)`, `strtod(s, end)`.
    ParseFloat {
        /// The type of the result.
        value: Scalar,
        /// Argument 1 is the end.
        full: bool,
    },
    /// `abs(n)`.
    Abs,
    /// `getenv(name)`: null or a string.
    GetEnv,
    /// `setenv(name, value, overwrite)` and relatives: what `getenv` gives may be another thing afterwards.
    SetEnv,
    /// `time(t)`: any time, also stored.
    Time,
    /// `gmtime(t)`, `localtime(t)` and relatives: the parts of a time.
    BreakTime {
        /// In the zone of the environment.
        local: bool,
    },
    /// `mktime(parts)`, `timegm(parts)`: the time of parts, which are brought into their ranges.
    MakeTime {
        /// In the zone of the environment.
        local: bool,
    },
    /// `asctime(parts)`, `ctime(t)` and relatives: the text of a time.
    TimeText {
        /// Of a time in the zone of the environment; of its parts otherwise.
        local: bool,
    },
    /// `readdir(dir)`: an entry, which the next call may overwrite.
    ReadEntry,
    /// 1 if the engine knows the argument, which the meaning of the call may not depend on.
    IsKnown,
    /// `openlog(name, …)`, `closelog()`: the library keeps the pointer.
    LogName,
    /// `ungetc(c, stream)`.
    PutBack,
    /// `difftime(end, start)`.
    DiffTime,
    /// GNU's `basename(path)`.
    PathPart,
    /// `getcwd(area, size)`, `realpath(path, area)`: a new block if there is no area.
    GetPath {
        /// The argument that is the area.
        area: usize,
        /// The argument that is its size; it has room for the longest path otherwise.
        size: Option<usize>,
    },
    /// `ioctl(descriptor, request, …)`.
    Control,
    /// `fcntl(descriptor, command, …)`.
    FileControl,
    /// A function of `math.h`.
    Math {
        /// Which.
        function: MathFunction,
        /// The type of arguments and result.
        value: Scalar,
    },
    /// What the effect says, and nothing more.
    Effect,
    /// Known and not modelled, or only in executions: [`crate::jump`].
    Unsupported,
}

impl ModelKind {
    /// True if it changes memory in ways that the effect does not tell.
    pub fn is_more_than_its_effect(self) -> bool {
        use ModelKind::*;
        matches!(
            self,
            Control | FileControl | GetOpt { .. } | LogName | ReadEntry | TimeText { .. } | BreakTime { .. }
        )
    }
}
