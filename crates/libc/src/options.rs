//! `getopt` and `getopt_long`.

use crate::apply::Call;
use crate::effect::{Content, LibraryObject};
use crate::memory::{Memory, Place};
use crate::{ModelKind, Scalar};

type Res<M, T> = Result<T, <M as Memory>::Stop>;

/// An argument of the command line, as `getopt` gives it: no longer than Linux allows.
pub(crate) static ARGUMENT: LibraryObject = LibraryObject {
    name: "a string of argv",
    size: (1 << 17, 1 << 17),
    content: Content::Text,
    single: false,
};

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
