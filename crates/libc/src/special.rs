//! Functions with more to them than an effect says: `getdelim`, `strtok`, `strsep`, `execv`, `time`, `getcwd`, `ioctl`, `fcntl`.

use crate::apply::{Call, greatest};
use crate::effect::{Content, Failure, LibraryObject, on};
use crate::memory::{Access, CharSet, Memory, Place, Written};
use crate::{ModelKind, Scalar};

type Res<M, T> = Result<T, <M as Memory>::Stop>;

/// Where `strtok` goes on.
pub(crate) static TOKEN_PLACE: LibraryObject =
    LibraryObject { name: "the place of strtok", size: (8, 4), content: Content::Any, single: true };

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
    // A line is not empty: what ends it belongs to it, and the end of the input alone is no line.
    let count = call.memory.amount_from(1, None, Failure::Gives(-1))?;
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
            return without_block(call, was_null);
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

/// There is no memory for a line: the size that was asked for is stored already, as by glibc, and a block without room is forgotten.
fn without_block<M: Memory>(call: &mut Call<'_, M>, was_null: bool) -> Res<M, M::Value> {
    if !was_null {
        return Err(call.stop("a line that does not fit where there is no memory"));
    }
    let (null, room) = (call.memory.number(0, Scalar::Ptr), call.size(FIRST_ROOM));
    call.memory.store(call.place(0), Scalar::Ptr, null)?;
    call.memory.store(call.place(1), Scalar::SIZE, room)?;
    Ok(call.memory.number(-1, call.model.result))
}

/// A block for a line may be larger by so much.
const MOST_SPARE: u64 = 1 << 30;

/// The size of the first block for a line.
const FIRST_ROOM: u64 = 120;

/// The size of the block that glibc takes for a line if the old one does not do.
fn grown(room: u64, bytes: u64) -> u64 {
    let room = if room == 0 { FIRST_ROOM } else { room };
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
    let target = call.memory.target();
    // Only a time that does not fit fails.
    let range = (on(target, (0, -1)), greatest(Scalar::LONG, target));
    let now = call.memory.input(Scalar::LONG, Some(range))?;
    if !null {
        call.memory.store(place, Scalar::LONG, now)?;
    }
    Ok(now)
}

/// The longest path of Linux, with its NUL.
const PATH_MAX: u64 = 4096;

/// `getcwd(area, size)`, `realpath(path, area)`: null, or a path from the root on, in the area or in a new block. A new block of
/// `getcwd` has the size that is asked for; without one it is as large as the path needs.
pub(crate) fn get_path<M: Memory>(
    call: &mut Call<'_, M>,
    area: usize,
    size: Option<usize>,
) -> Res<M, M::Value> {
    call.reads()?;
    let null = call.memory.number(0, Scalar::Ptr);
    if area == 1 && call.memory.is_null(call.args[0])? {
        return Ok(null);
    }
    let fresh = call.memory.is_null(call.args[area])?;
    let asked = match size {
        Some(arg) if !fresh => Some(call.args[arg]),
        Some(arg) => call.memory.less_one(call.args[arg], Scalar::SIZE)?.map(|_| call.args[arg]),
        None => None,
    };
    let room = match asked {
        Some(room) => room,
        None => call.size(PATH_MAX),
    };
    let Some(most) = call.memory.less_one(room, Scalar::SIZE)? else { return Ok(null) };
    if call.memory.known(most) == Some(0) {
        return Ok(null);
    }
    let Some(length) = call.memory.amount_from(1, Some(most), Failure::Gives(0))? else {
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
        Place { at: call.memory.allocate(asked.unwrap_or(bytes))?, arg: area }
    } else {
        call.memory.check(call.place(area), &[bytes, room], Access::Write)?;
        call.place(area)
    };
    call.memory.write(place, bytes, Written::Text(length))?;
    call.memory.only(place, one, &CharSet::new(|c| c == b'/'))?;
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
const PLAIN: [u128; 10] = [0, 1, 2, 3, 4, 8, 10, 11, 1030, 1031];
/// The command of `fcntl` that gives a process, or a group of them as a negative number.
const OWNER: u128 = 9;

/// `fcntl(descriptor, command, …)`.
pub(crate) fn file_control<M: Memory>(call: &mut Call<'_, M>) -> Res<M, M::Value> {
    let Some(command) = call.memory.known(call.args[1]) else { return Err(call.stop("an unknown command")) };
    if command == OWNER {
        return call.memory.input(Scalar::INT, None);
    }
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
