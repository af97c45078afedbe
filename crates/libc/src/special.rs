//! Functions with more to them than an effect says: `getdelim`, `strtok`, `strsep`, `execv`, `getopt`, `time`, `getcwd`, `ioctl`.

use crate::apply::{Call, greatest};
use crate::effect::{Content, Failure, LibraryObject, Passing, StreamKind, on};
use crate::errno::{EINVAL, ERANGE};
use crate::memory::{Access, Memory, Place, Written};
use crate::{ModelKind, Scalar};

type Res<M, T> = Result<T, <M as Memory>::Stop>;

/// Where `strtok` goes on.
pub(crate) static TOKEN_PLACE: LibraryObject =
    LibraryObject { name: "the place of strtok", size: (8, 4), content: Content::Any, single: true };

/// An argument of the command line, as `getopt` gives it: no longer than Linux allows.
pub(crate) static ARGUMENT: LibraryObject = LibraryObject {
    name: "a string of argv",
    size: (1 << 17, 1 << 17),
    content: Content::Text,
    single: false,
};

/// `getline(char **line, size_t *size, FILE *)` and `getdelim`: -1, or the number of characters. A line that is not known to fit
/// into the old block gets a new one; the old one's life ends, as with `realloc`.
pub(crate) fn get_delim<M: Memory>(call: &mut Call<'_, M>) -> Res<M, M::Value> {
    call.streams()?;
    let (line, size) = (call.place(0), call.place(1));
    let word = call.memory.target().pointer_bytes();
    let word = call.size(word);
    call.memory.check(line, &[word], Access::Write)?;
    call.memory.check(size, &[word], Access::Write)?;
    let old = call.memory.load(line, Scalar::Ptr)?;
    let room = call.memory.load(size, Scalar::SIZE)?;
    // Without room a block is not looked at; glibc forgets it.
    let was_null = call.memory.is_null(old)? || call.memory.less_one(room, Scalar::SIZE)?.is_none();
    let count = call.memory.amount(None, Failure::Gives(-1))?;
    // Also at the end of the input there is a block afterwards.
    let length = match count {
        Some(count) => count,
        None => call.size(0),
    };
    let one = call.size(1);
    let bytes = call.memory.sum(length, one)?;
    let fits = match (call.memory.known(room), call.memory.known(bytes)) {
        (Some(room), Some(bytes)) => bytes <= room,
        _ => false,
    };
    if !was_null && call.memory.known(bytes).is_none() {
        // As much as there is said to be may be written before there is another block.
        call.memory.check(Place { at: old, arg: 0 }, &[bytes, room], Access::Write)?;
    }
    // Without a line there need not be a NUL.
    let content = if count.is_some() { Written::Line(length) } else { Written::Spoilt };
    let old = Place { at: old, arg: 0 };
    if fits && !was_null {
        call.memory.check(old, &[bytes], Access::Write)?;
        call.memory.write(old, bytes, content)?;
    } else {
        if call.memory.allocation_fails()? {
            return Ok(call.memory.number(-1, call.model.result));
        }
        if !was_null {
            call.memory.release(old)?;
        }
        let room = if was_null { Some(0) } else { call.memory.known(room) };
        let room = match (room, call.memory.known(bytes)) {
            (Some(room), Some(bytes)) => call.size(grown(room as u64, bytes as u64)),
            // At least so much is there.
            _ => {
                let most = call.size(MOST_SPARE);
                let spare = call.memory.computed_size(0, most)?;
                call.memory.sum(bytes, spare)?
            }
        };
        let block = call.memory.allocate(room)?;
        call.memory.write(Place { at: block, arg: 0 }, bytes, content)?;
        call.memory.store(line, Scalar::Ptr, block)?;
        call.memory.store(size, Scalar::SIZE, room)?;
    }
    Ok(match count {
        Some(count) => call.memory.convert(count, Scalar::SIZE, call.model.result),
        None => call.memory.number(-1, call.model.result),
    })
}

/// A block for a line may be larger by so much.
const MOST_SPARE: u64 = 1 << 30;

/// The size of the block that glibc takes for a line if the old one does not do.
fn grown(room: u64, bytes: u64) -> u64 {
    const FIRST: u64 = 120;
    let room = if room == 0 { FIRST } else { room };
    if bytes <= room { room } else { bytes.max(room.saturating_mul(2)) }
}

/// `strtok(s, set)` and `strtok_r(s, set, place)`.
pub(crate) fn str_tok<M: Memory>(call: &mut Call<'_, M>, reentrant: bool) -> Res<M, M::Value> {
    call.memory.length(call.place(1), None)?;
    let place =
        if reentrant { call.place(2) } else { Place { at: call.memory.object(&TOKEN_PLACE)?, arg: 0 } };
    let from_start = !call.memory.is_null(call.args[0])?;
    // Before the first string there is no place: null, which glibc reads from.
    let text = if from_start { call.args[0] } else { call.memory.load(place, Scalar::Ptr)? };
    cut(call, Place { at: text, arg: 0 }, place)
}

/// `strsep(&s, set)`.
pub(crate) fn str_sep<M: Memory>(call: &mut Call<'_, M>) -> Res<M, M::Value> {
    call.memory.length(call.place(1), None)?;
    let place = call.place(0);
    let text = call.memory.load(place, Scalar::Ptr)?;
    if call.memory.is_null(text)? {
        return Ok(call.memory.number(0, Scalar::Ptr));
    }
    cut(call, Place { at: text, arg: 0 }, place)
}

/// Cuts a token out of a string: null at the end, or the token, after which a NUL is written and the place moved.
fn cut<M: Memory>(call: &mut Call<'_, M>, text: Place<M::Value>, place: Place<M::Value>) -> Res<M, M::Value> {
    let length = call.memory.length(text, None)?;
    let word = call.memory.target().pointer_bytes();
    let word = call.size(word);
    call.memory.check(place, &[word], Access::Write)?;
    let none = call.memory.either()?;
    let null = call.memory.number(0, Scalar::Ptr);
    if none {
        if matches!(call.model.kind, ModelKind::StrSep) {
            // The last token.
            call.memory.store(place, Scalar::Ptr, null)?;
            return Ok(text.at);
        }
        let end = call.memory.moved(text.at, length)?;
        call.memory.store(place, Scalar::Ptr, end)?;
        return Ok(null);
    }
    let (start, next) = (call.memory.computed_size(0, length)?, call.memory.computed_size(0, length)?);
    let token = call.memory.moved(text.at, start)?;
    let next = call.memory.moved(text.at, next)?;
    // A NUL somewhere in the string: it ends where it ended, or before.
    let one = call.size(1);
    let bytes = call.memory.sum(length, one)?;
    call.memory.check(text, &[bytes], Access::Write)?;
    call.memory.write(text, bytes, Written::Line(length))?;
    call.memory.store(place, Scalar::Ptr, next)?;
    Ok(token)
}

/// `execv(path, strings)` and relatives: all strings have to be there, and the null pointer behind them. No list is an empty one.
pub(crate) fn exec<M: Memory>(call: &mut Call<'_, M>, list: bool) -> Res<M, M::Value> {
    call.memory.length(call.place(0), None)?;
    if !list {
        for arg in 1..call.model.params.len() {
            strings(call, arg)?;
        }
    }
    for arg in (1..).take_while(|_| list) {
        if arg == call.args.len() {
            return Err(call.stop("arguments without a null pointer at the end"));
        }
        if call.memory.is_null(call.args[arg])? {
            break;
        }
        call.memory.length(call.place(arg), None)?;
    }
    Ok(call.memory.number(-1, Scalar::INT))
}

/// An array of strings that ends with a null pointer.
fn strings<M: Memory>(call: &mut Call<'_, M>, arg: usize) -> Res<M, ()> {
    let table = call.place(arg);
    if call.memory.is_null(table.at)? || call.memory.is_command_line(table.at, None)? {
        return Ok(());
    }
    let word = call.memory.target().pointer_bytes();
    for entry in 0.. {
        let by = call.size(entry * word);
        let at = call.memory.moved(table.at, by)?;
        let string = call.memory.load(Place { at, ..table }, Scalar::Ptr)?;
        if call.memory.is_null(string)? {
            break;
        }
        call.memory.length(Place { at: string, ..table }, None)?;
    }
    Ok(())
}

/// An option of one letter.
struct Letter {
    letter: u8,
    takes: Takes,
}

/// Whether an option has an argument.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    Nothing,
    Argument,
    /// An argument, or none.
    Perhaps,
}

/// A string of options as glibc reads it.
struct Options {
    /// Arguments that are no options are given in their place, as an option 1.
    in_order: bool,
    /// What an option without its argument gives.
    missing: u8,
    letters: Vec<Letter>,
    /// There is an option `W;`.
    words: bool,
}

impl Options {
    fn new(text: &[u8]) -> Options {
        let (in_order, rest) = match text {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] => (false, rest),
            _ => (false, text),
        };
        let missing = if rest.first() == Some(&b':') { b':' } else { b'?' };
        let mut letters = Vec::new();
        for (at, &letter) in rest.iter().enumerate().filter(|(_, c)| !matches!(c, b':' | b';')) {
            let takes = match rest[at + 1..] {
                [b':', b':', ..] => Takes::Perhaps,
                [b':', ..] => Takes::Argument,
                _ => Takes::Nothing,
            };
            letters.push(Letter { letter, takes });
        }
        Options { in_order, missing, letters, words: rest.windows(2).any(|pair| pair == b"W;") }
    }
}

/// `getopt(argc, argv, options)` and `getopt_long`: any option of the string, with any argument. What is no option may move behind
/// the options.
pub(crate) fn get_opt<M: Memory>(call: &mut Call<'_, M>) -> Res<M, M::Value> {
    let long = matches!(call.model.kind, ModelKind::GetOpt { long: true });
    if !call.memory.is_command_line(call.args[1], Some(call.args[0]))? {
        return Err(call.stop("an array that is not known to be the command line"));
    }
    if let Some(at) = call.memory.global("optind") {
        let index = call.memory.load(Place { at, arg: 1 }, Scalar::INT)?;
        if call.memory.known(index) != Some(0) && call.memory.less_one(index, Scalar::INT)?.is_none() {
            return Err(call.stop("a negative `optind`"));
        }
    }
    let Some(text) = call.memory.text(call.place(2))? else { return Err(call.stop("unknown options")) };
    let options = Options::new(&text);
    if long && options.words {
        return Err(call.stop("the option `W;`"));
    }
    if call.memory.fails()? {
        return given(call, None, -1);
    }
    if options.in_order && call.memory.either()? {
        let argument = call.memory.object(&ARGUMENT)?;
        return given(call, Some(argument), 1);
    }
    if long && call.memory.either()? {
        return long_option(call, options.missing);
    }
    for Letter { letter, takes } in options.letters {
        if call.memory.either()? {
            let argument = match takes {
                Takes::Nothing => None,
                Takes::Perhaps if call.memory.either()? => None,
                Takes::Argument | Takes::Perhaps => Some(call.memory.object(&ARGUMENT)?),
            };
            return given(call, argument, letter.into());
        }
    }
    refused(call, options.missing)
}

/// An option that is not known, or that lacks its argument.
fn refused<M: Memory>(call: &mut Call<'_, M>, missing: u8) -> Res<M, M::Value> {
    let result = if missing != b'?' && call.memory.either()? { missing } else { b'?' };
    let other = call.memory.input(Scalar::INT, None)?;
    set(call, "optopt", Scalar::INT, Some(other))?;
    given(call, None, result.into())
}

/// What is found, with its argument.
fn given<M: Memory>(call: &mut Call<'_, M>, argument: Option<M::Value>, result: i64) -> Res<M, M::Value> {
    settle(call, argument)?;
    Ok(call.memory.number(result, Scalar::INT))
}

/// Changes what every call changes.
fn settle<M: Memory>(call: &mut Call<'_, M>, argument: Option<M::Value>) -> Res<M, ()> {
    index(call)?;
    set(call, "optarg", Scalar::Ptr, argument)?;
    call.memory.permute(call.args[1]);
    Ok(())
}

/// An option of the table `{ name, has argument, flag, value }` that ends with a null name.
fn long_option<M: Memory>(call: &mut Call<'_, M>, missing: u8) -> Res<M, M::Value> {
    let word = call.memory.target().pointer_bytes();
    let table = call.place(3);
    let mut entry = 0;
    loop {
        let field = |call: &mut Call<'_, M>, index: u64, ty: Scalar| -> Res<M, M::Value> {
            let by = call.size((4 * entry + index) * word);
            let at = call.memory.moved(table.at, by)?;
            call.memory.load(Place { at, ..table }, ty)
        };
        let name = field(call, 0, Scalar::Ptr)?;
        if call.memory.is_null(name)? {
            // No such option, or not a right one.
            return refused(call, missing);
        }
        call.memory.length(Place { at: name, ..table }, None)?;
        if !call.memory.either()? {
            entry += 1;
            continue;
        }
        let takes = field(call, 1, Scalar::INT)?;
        let (flag, value) = (field(call, 2, Scalar::Ptr)?, field(call, 3, Scalar::INT)?);
        let no_flag = call.memory.is_null(flag)?;
        let (number, no_index) =
            (call.memory.number(entry as i64, Scalar::INT), call.memory.is_null(call.args[4])?);
        let argument = match call.memory.known(takes) {
            Some(0) => None,
            Some(1) => Some(call.memory.object(&ARGUMENT)?),
            _ if call.memory.either()? => None,
            _ => Some(call.memory.object(&ARGUMENT)?),
        };
        settle(call, argument)?;
        if !no_index {
            call.memory.store(call.place(4), Scalar::INT, number)?;
        }
        if no_flag {
            return Ok(value);
        }
        call.memory.store(Place { at: flag, ..table }, Scalar::INT, value)?;
        return Ok(call.memory.number(0, Scalar::INT));
    }
}

/// `optind` moves on.
fn index<M: Memory>(call: &mut Call<'_, M>) -> Res<M, ()> {
    let number = call.memory.input(Scalar::INT, Some((1, i64::from(i32::MAX))))?;
    set(call, "optind", Scalar::INT, Some(number))
}

/// Sets an object of the library that the program uses by name.
fn set<M: Memory>(call: &mut Call<'_, M>, name: &str, ty: Scalar, value: Option<M::Value>) -> Res<M, ()> {
    let Some(at) = call.memory.global(name) else { return Ok(()) };
    let value = value.unwrap_or_else(|| call.memory.number(0, ty));
    call.memory.store(Place { at, arg: 0 }, ty, value)
}

/// `posix_memalign(place, align, size)`.
pub(crate) fn posix_memalign<M: Memory>(call: &mut Call<'_, M>) -> Res<M, M::Value> {
    let word = call.memory.target().pointer_bytes();
    let word = call.size(word);
    call.memory.check(call.place(0), &[word], Access::Write)?;
    if call.memory.allocation_fails()? {
        return Ok(call.memory.number(ENOMEM, Scalar::INT));
    }
    let block = call.memory.allocate(call.args[2])?;
    call.memory.store(call.place(0), Scalar::Ptr, block)?;
    Ok(call.memory.number(0, Scalar::INT))
}

/// `time(t)`: the result is also stored.
pub(crate) fn time<M: Memory>(call: &mut Call<'_, M>) -> Res<M, M::Value> {
    let null = call.memory.is_null(call.args[0])?;
    let place = call.place(0);
    if !null {
        let word = call.memory.target().pointer_bytes();
        let word = call.size(word);
        call.memory.check(place, &[word], Access::Write)?;
    }
    let most = greatest(Scalar::LONG, call.memory.target());
    let now = call.memory.input(Scalar::LONG, Some((-1, most)))?;
    if !null {
        call.memory.store(place, Scalar::LONG, now)?;
    }
    Ok(now)
}

/// The longest path of Linux, with its NUL.
const PATH_MAX: u64 = 4096;

/// `getcwd(area, size)`, `realpath(path, area)`: null, or a path in the area or in a new block.
pub(crate) fn get_path<M: Memory>(
    call: &mut Call<'_, M>,
    area: usize,
    size: Option<usize>,
) -> Res<M, M::Value> {
    call.reads()?;
    let fresh = call.memory.is_null(call.args[area])?;
    let room = match size {
        Some(arg) if !fresh => call.args[arg],
        _ => call.size(PATH_MAX),
    };
    let null = call.memory.number(0, Scalar::Ptr);
    let Some(most) = call.memory.less_one(room, Scalar::SIZE)? else { return Ok(null) };
    let Some(length) = call.memory.amount(Some(most), Failure::Gives(0))? else {
        if !fresh {
            call.memory.write(call.place(area), room, Written::Spoilt)?;
        }
        return Ok(null);
    };
    let one = call.size(1);
    let bytes = call.memory.sum(length, one)?;
    if fresh && call.memory.allocation_fails()? {
        return Ok(null);
    }
    let place = if fresh {
        Place { at: call.memory.allocate(bytes)?, arg: area }
    } else {
        call.memory.check(call.place(area), &[bytes, room], Access::Write)?;
        call.place(area)
    };
    call.memory.write(place, bytes, Written::Text(length))?;
    Ok(place.at)
}

/// The requests of `ioctl` that are modelled: number, and how many bytes are written; none are written by those that set.
const REQUESTS: [(u128, u64); 2] = [(0x5413, 8), (0x541b, 4)];

/// `ioctl(descriptor, request, area)`.
pub(crate) fn control<M: Memory>(call: &mut Call<'_, M>) -> Res<M, M::Value> {
    let request = call.memory.known(call.args[1]);
    let found = REQUESTS.iter().find(|(number, _)| Some(*number) == request);
    let (Some((_, bytes)), true) = (found, call.args.len() > 2) else {
        return Err(call.stop("its request"));
    };
    let size = call.size(*bytes);
    call.memory.check(call.place(2), &[size], Access::Write)?;
    if call.memory.fails()? {
        return Ok(call.memory.number(-1, Scalar::INT));
    }
    call.memory.write(call.place(2), size, Written::Any)?;
    Ok(call.memory.number(0, Scalar::INT))
}

/// The commands of `fcntl` about locks: number, and whether the lock is stored.
const LOCKS: [(u128, bool); 6] = [(5, true), (6, false), (7, false), (36, true), (37, false), (38, false)];
/// Commands of `fcntl` that take and give a number.
const PLAIN: [u128; 11] = [0, 1, 2, 3, 4, 8, 9, 10, 11, 1030, 1031];

/// `fcntl(descriptor, command, …)`.
pub(crate) fn file_control<M: Memory>(call: &mut Call<'_, M>) -> Res<M, M::Value> {
    let Some(command) = call.memory.known(call.args[1]) else { return Err(call.stop("an unknown command")) };
    if PLAIN.contains(&command) {
        return call.memory.input(Scalar::INT, Some((-1, i64::from(i32::MAX))));
    }
    let found = LOCKS.iter().find(|(number, _)| *number == command);
    let (Some((_, stored)), true) = (found, call.args.len() > 2) else {
        return Err(call.stop("its command"));
    };
    let bytes = on(call.memory.target(), (32, 16));
    let size = call.size(bytes);
    call.memory.check(call.place(2), &[size], Access::Read)?;
    if *stored {
        call.memory.check(call.place(2), &[size], Access::Write)?;
    }
    if call.memory.fails()? {
        return Ok(call.memory.number(-1, Scalar::INT));
    }
    if *stored {
        call.memory.write(call.place(2), size, Written::Any)?;
    }
    Ok(call.memory.number(0, Scalar::INT))
}

/// The memory is used up.
const ENOMEM: i64 = 12;

/// Where a directory has the addresses of its entries.
const ENTRIES: [u64; 2] = [160, 176];

/// A new directory. Its entries are at one of two places, which live as long as it does.
pub(crate) fn open_directory<M: Memory>(call: &mut Call<'_, M>) -> Res<M, M::Value> {
    let directory = call.memory.open(StreamKind::Directory)?;
    for offset in ENTRIES {
        let entry = call.memory.open(StreamKind::Entry)?;
        let by = call.size(offset);
        let at = call.memory.moved(directory, by)?;
        call.memory.store(Place { at, arg: 0 }, Scalar::Ptr, entry)?;
    }
    Ok(directory)
}

/// The entries of an open directory.
pub(crate) fn entries<M: Memory>(
    call: &mut Call<'_, M>,
    directory: Place<M::Value>,
) -> Res<M, [M::Value; 2]> {
    let mut entry = |offset| -> Res<M, M::Value> {
        let by = call.size(offset);
        let at = call.memory.moved(directory.at, by)?;
        call.memory.load(Place { at, ..directory }, Scalar::Ptr)
    };
    Ok([entry(ENTRIES[0])?, entry(ENTRIES[1])?])
}

/// The size of a name in an entry.
const NAME: u64 = 256;

/// `readdir(dir)`: null, or an entry; the others of the directory may be overwritten.
pub(crate) fn read_entry<M: Memory>(call: &mut Call<'_, M>) -> Res<M, M::Value> {
    call.streams()?;
    if call.memory.fails()? {
        return Ok(call.memory.number(0, Scalar::Ptr));
    }
    let mut places = entries(call, call.place(0))?;
    if call.memory.either()? {
        places.swap(0, 1);
    }
    let [given, other] = places.map(|at| Place { at, arg: 0 });
    let target = call.memory.target();
    let size = call.size(StreamKind::Entry.size_on(target));
    call.memory.write(other, size, Written::Spoilt)?;
    call.memory.write(given, size, Written::Any)?;
    let (by, room) = (call.size(on(target, (19, 11))), call.size(NAME));
    let at = call.memory.moved(given.at, by)?;
    call.fill_text(Place { at, arg: 0 }, room, 1)?;
    Ok(given.at)
}

/// The name that the log was given.
pub static LOG_NAME: LibraryObject =
    LibraryObject { name: "the name in the log", size: (8, 4), content: Content::Any, single: true };

/// `openlog(name, …)` keeps the pointer, `closelog()` forgets it.
pub(crate) fn log_name<M: Memory>(call: &mut Call<'_, M>) -> Res<M, Option<M::Value>> {
    let place = Place { at: call.memory.object(&LOG_NAME)?, arg: 0 };
    let name = match call.args.first() {
        Some(name) => *name,
        None => call.memory.number(0, Scalar::Ptr),
    };
    call.memory.store(place, Scalar::Ptr, name)?;
    Ok(None)
}

/// What goes to the log begins with the name.
pub(crate) fn read_log_name<M: Memory>(call: &mut Call<'_, M>) -> Res<M, ()> {
    let Some(at) = call.memory.global(LOG_NAME.name) else { return Ok(()) };
    let name = call.memory.load(Place { at, arg: 0 }, Scalar::Ptr)?;
    if !call.memory.is_null(name)? {
        call.memory.length(Place { at: name, arg: 0 }, None)?;
    }
    Ok(())
}

/// `strerror_r(number, area, size)` of POSIX: 0, or an error number; the text is cut off.
pub(crate) fn error_text<M: Memory>(call: &mut Call<'_, M>) -> Res<M, M::Value> {
    let (area, room) = (call.place(1), call.args[2]);
    let small = call.memory.number(ERANGE.into(), Scalar::INT);
    let Some(most) = call.memory.less_one(room, Scalar::SIZE)? else { return Ok(small) };
    let length = match call.memory.amount(Some(most), Failure::Never)? {
        Some(length) => length,
        None => return Err(call.stop("its failure")),
    };
    let one = call.size(1);
    let bytes = call.memory.sum(length, one)?;
    call.memory.check(area, &[bytes, room], Access::Write)?;
    let result = match (call.memory.fails()?, call.memory.known(call.args[0])) {
        (false, _) => call.memory.number(0, Scalar::INT),
        (true, Some(0..KNOWN_ERRORS)) => small,
        (true, _) if call.memory.either()? => small,
        (true, _) => call.memory.number(EINVAL.into(), Scalar::INT),
    };
    call.memory.write(area, bytes, Written::Text(length))?;
    Ok(result)
}

/// Error numbers below this one have a text, but for two.
const KNOWN_ERRORS: u128 = 41;

/// True if the program uses the table of variables itself.
pub(crate) fn own_environment<M: Memory>(call: &mut Call<'_, M>) -> bool {
    ["environ", "__environ", "_environ"].into_iter().any(|name| call.memory.global(name).is_some())
}

/// A variable of the environment, which may have been set by the program.
static SET_VARIABLE: LibraryObject = LibraryObject {
    name: "a string of the environment",
    size: (1 << 46, 1 << 30),
    content: Content::Text,
    single: false,
};

/// The value of a variable of the environment.
pub(crate) fn variable<M: Memory>(
    call: &mut Call<'_, M>,
    object: &'static LibraryObject,
) -> Res<M, M::Value> {
    let object = if call.memory.declares("setenv") { &SET_VARIABLE } else { object };
    call.memory.object(object)
}

/// A string that the next call may end: the one before is gone.
pub(crate) fn passing<M: Memory>(call: &mut Call<'_, M>, passing: &'static Passing) -> Res<M, M::Value> {
    let place = Place { at: call.memory.object(passing.place)?, arg: 0 };
    let before = call.memory.load(place, Scalar::Ptr)?;
    let first = call.memory.is_null(before)?;
    let object = if call.memory.declares("setlocale") { passing.translated } else { passing.text };
    let text = call.memory.object(object)?;
    call.memory.protect(text);
    if !first {
        call.memory.retire(before)?;
    }
    call.memory.store(place, Scalar::Ptr, text)?;
    Ok(text)
}

/// The parts of a time that the library keeps are overwritten.
pub(crate) fn renew_parts<M: Memory>(call: &mut Call<'_, M>) -> Res<M, ()> {
    let object = &crate::time::BROKEN_DOWN;
    match call.memory.global(object.name) {
        Some(at) => call.renew(object, at),
        None => Ok(()),
    }
}
