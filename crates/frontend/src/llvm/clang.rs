//! clang as a part of this program (`clang.cpp`). It costs a quarter of a start of Debian's clang, which spends most of
//! its time on the relocation of its libraries.

use std::ffi::{CString, OsStr, OsString, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::ExitCode;

/// Where clang would be: its headers are found from there.
pub const HOME: &str = concat!(env!("HEAPPROOF_LLVM"), "/bin/clang");

unsafe extern "C" {
    fn heapproof_clang(count: c_int, words: *const *const c_char, record: *const c_char) -> c_int;
    fn heapproof_clang_here(count: c_int, words: *const *const c_char, result: *mut Made);
    fn heapproof_clang_forget(owner: *mut c_void);
}

/// `Result` of `clang.cpp`.
#[repr(C)]
struct Made {
    status: c_int,
    bitcode: *const u8,
    bitcode_length: usize,
    messages: *const u8,
    messages_length: usize,
    owner: *mut c_void,
}

/// True if clang's own headers are there, without which hardly any program compiles.
pub fn usable() -> bool {
    Path::new(concat!(env!("HEAPPROOF_LLVM"), "/lib/clang/19/include/stddef.h")).is_file()
}

/// The first argument of a clang that writes what its result depends on to the file that is the second one.
pub const RECORD: &str = "--heapproof-record";

/// Compiles as clang would with these arguments, bitcode to standard output. For a process of its own: it may end it.
pub fn run(arguments: Vec<OsString>) -> ExitCode {
    let (record, arguments) = match arguments.as_slice() {
        [word, place, rest @ ..] if word == RECORD => (CString::new(place.as_bytes()).ok(), rest),
        all => (None, all),
    };
    let words = std::iter::once(HOME.as_bytes()).chain(arguments.iter().map(|word| word.as_bytes()));
    let Ok(words) = words.map(CString::new).collect::<Result<Vec<_>, _>>() else {
        eprintln!("clang: error: an argument has a NUL byte");
        return ExitCode::FAILURE;
    };
    let pointers: Vec<_> = words.iter().map(|word| word.as_ptr()).chain([std::ptr::null()]).collect();
    let place = record.as_ref().map_or(std::ptr::null(), |place| place.as_ptr());
    // SAFETY: the words and the name live until the call is over, and the list ends in null as that of `main` does.
    let status = unsafe { heapproof_clang(words.len() as c_int, pointers.as_ptr(), place) };
    ExitCode::from(u8::try_from(status).unwrap_or(1))
}

/// The stack that clang counts on.
const STACK: usize = 16 << 20;

/// The same in this process: bitcode, or nothing if the program is refused; and what clang has to say. For tests: a start of the
/// program clang costs more than what it does. Where clang breaks, this process ends.
pub fn run_here<'a>(
    arguments: impl Iterator<Item = &'a OsStr>,
) -> std::io::Result<(Option<Vec<u8>>, Vec<u8>)> {
    let words = std::iter::once(HOME.as_bytes()).chain(arguments.map(OsStr::as_bytes));
    let words = words.map(CString::new).collect::<Result<Vec<_>, _>>()?;
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        let pointers: Vec<_> = words.iter().map(|word| word.as_ptr()).chain([std::ptr::null()]).collect();
        let mut made = std::mem::MaybeUninit::uninit();
        // SAFETY: the words live until the call is over. It fills the result; its texts live until they are forgotten.
        unsafe {
            heapproof_clang_here(words.len() as c_int, pointers.as_ptr(), made.as_mut_ptr());
            let made = made.assume_init();
            let bitcode = text(made.bitcode, made.bitcode_length);
            let messages = text(made.messages, made.messages_length);
            heapproof_clang_forget(made.owner);
            ((made.status == 0).then_some(bitcode), messages)
        }
    })?;
    thread.join().map_err(|_| std::io::Error::other("clang ended in a panic"))
}

/// A copy of some bytes.
///
/// # Safety
///
/// There are as many bytes; where there are none, the address may be null.
unsafe fn text(start: *const u8, length: usize) -> Vec<u8> {
    // SAFETY: see above.
    if length == 0 { Vec::new() } else { unsafe { std::slice::from_raw_parts(start, length) }.to_vec() }
}
