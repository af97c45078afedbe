//! What the library keeps between calls: entries of directories, the name of the log, texts of errors, variables of the environment.

use crate::apply::Call;
use crate::effect::{Content, LibraryObject, Passing, ResultOf, StreamKind, on};
use crate::memory::{Memory, Place, Written};
use crate::{ModelKind, Scalar};

type Res<M, T> = Result<T, <M as Memory>::Stop>;

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
    if call.memory.compares_addresses() {
        return Err(call.stop("entries in a program that compares addresses, which may be the same or not,"));
    }
    let mut places = entries(call, call.place(0))?;
    let target = call.memory.target();
    let size = call.size(StreamKind::Entry.size_on(target));
    if call.memory.fails()? {
        // What was given before may be overwritten all the same.
        for at in places {
            call.memory.write(Place { at, arg: 0 }, size, Written::Spoilt)?;
        }
        return Ok(call.memory.number(0, Scalar::Ptr));
    }
    if call.memory.either()? {
        places.swap(0, 1);
    }
    let [given, other] = places.map(|at| Place { at, arg: 0 });
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

/// `openlog(name, …)` keeps the pointer, unless it is null; `closelog()` forgets it.
pub(crate) fn log_name<M: Memory>(call: &mut Call<'_, M>) -> Res<M, Option<M::Value>> {
    let place = Place { at: call.memory.object(&LOG_NAME)?, arg: 0 };
    let name = match call.args.first() {
        Some(name) if call.memory.is_null(*name)? => return Ok(None),
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

/// A call that fails may have written the one object that it would have given, and the parts of a time.
pub(crate) fn spoil<M: Memory>(call: &mut Call<'_, M>) -> Res<M, ()> {
    let given = match call.model.effect.result {
        ResultOf::Object(object) if object.single => Some(object),
        _ => None,
    };
    let parts =
        matches!(call.model.kind, ModelKind::TimeText { local: true }).then_some(&crate::time::BROKEN_DOWN);
    for object in given.into_iter().chain(parts) {
        if let Some(at) = call.memory.global(object.name) {
            let target = call.memory.target();
            let size = call.size(object.size_on(target));
            call.memory.write(Place { at, arg: 0 }, size, Written::Spoilt)?;
        }
    }
    Ok(())
}
