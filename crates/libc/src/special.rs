//! Functions with more to them than an effect says: `getdelim`, `strtok`, `strsep`, `getopt`, `time`, `getcwd`, `ioctl`.

use crate::apply::Call;
use crate::effect::{Content, Failure, LibraryObject};
use crate::memory::{Access, Memory, Place, Written};
use crate::{ModelKind, Scalar};

type Res<M, T> = Result<T, <M as Memory>::Stop>;

/// Where `strtok` goes on.
pub(crate) static TOKEN_PLACE: LibraryObject =
    LibraryObject { name: "the place of strtok", size: (8, 4), content: Content::Any, single: true };

/// An argument of the command line, as `getopt` gives it.
pub(crate) static ARGUMENT: LibraryObject =
    LibraryObject { name: "a string of argv", size: (4096, 4096), content: Content::Text, single: false };

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
    let was_null = call.memory.is_null(old)?;
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
    // Without a line there need not be a NUL.
    let content = if count.is_some() { Written::Line(length) } else { Written::Spoilt };
    let old = Place { at: old, arg: 0 };
    if fits && !was_null {
        call.memory.check(old, &[bytes], Access::Write)?;
        call.memory.write(old, bytes, content)?;
    } else {
        if !was_null {
            call.memory.release(old)?;
        }
        let room = if was_null { Some(0) } else { call.memory.known(room) };
        let room = match (room, call.memory.known(bytes)) {
            (Some(room), Some(bytes)) => call.size(grown(room as u64, bytes as u64)),
            // At least so much is there.
            _ => bytes,
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
    let text = if from_start { call.args[0] } else { call.memory.load(place, Scalar::Ptr)? };
    if !from_start && call.memory.is_null(text)? {
        return Ok(call.memory.number(0, Scalar::Ptr));
    }
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

/// `getopt(argc, argv, options)` and `getopt_long`: any option of the string, with any argument.
pub(crate) fn get_opt<M: Memory>(call: &mut Call<'_, M>) -> Res<M, M::Value> {
    let long = matches!(call.model.kind, ModelKind::GetOpt { long: true });
    if long && call.memory.either()? {
        return long_option(call);
    }
    let Some(options) = call.memory.text(call.place(2))? else { return Err(call.stop("unknown options")) };
    if call.memory.fails()? {
        set(call, "optarg", Scalar::Ptr, None)?;
        index(call)?;
        return Ok(call.memory.number(-1, Scalar::INT));
    }
    let argument = if options.contains(&b':') && !call.memory.fails()? {
        Some(call.memory.object(&ARGUMENT)?)
    } else {
        None
    };
    let with: Vec<u8> = letters(&options, argument.is_some());
    let result = call.memory.input(Scalar::INT, bounds(&with))?;
    set(call, "optarg", Scalar::Ptr, argument)?;
    let other = call.memory.input(Scalar::INT, Some((0, 255)))?;
    set(call, "optopt", Scalar::INT, Some(other))?;
    index(call)?;
    Ok(result)
}

/// An option of the table `{ name, has argument, flag, value }` that ends with a null name.
fn long_option<M: Memory>(call: &mut Call<'_, M>) -> Res<M, M::Value> {
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
            // No such option.
            set(call, "optarg", Scalar::Ptr, None)?;
            index(call)?;
            return Ok(call.memory.number(i64::from(b'?'), Scalar::INT));
        }
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
        set(call, "optarg", Scalar::Ptr, argument)?;
        index(call)?;
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

/// The options with or without an argument; `?` is among the ones without.
fn letters(options: &[u8], with: bool) -> Vec<u8> {
    let mut found: Vec<u8> = (0..options.len())
        .filter(|at| options[*at] != b':' && (options.get(at + 1) == Some(&b':')) == with)
        .map(|at| options[at])
        .collect();
    if !with {
        found.extend(*b"?:");
    }
    found
}

fn bounds(letters: &[u8]) -> Option<(i64, i64)> {
    Some((i64::from(*letters.iter().min()?), i64::from(*letters.iter().max()?)))
}

/// `optind` moves on.
fn index<M: Memory>(call: &mut Call<'_, M>) -> Res<M, ()> {
    let most = call.memory.known(call.args[0]).map_or(i64::from(i32::MAX), |argc| argc as i64);
    let number = call.memory.input(Scalar::INT, Some((1, most.max(1))))?;
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
    let now = call.memory.input(Scalar::LONG, Some((0, i64::from(i32::MAX))))?;
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
