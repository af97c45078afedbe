//! clang as a part of this program (`clang.cpp`). It costs a quarter of a start of Debian's clang, which spends most of
//! its time on the relocation of its libraries.

use std::ffi::{CString, OsString, c_char, c_int};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::ExitCode;

/// Where clang would be: its headers are found from there.
pub const HOME: &str = concat!(env!("HEAPPROOF_LLVM"), "/bin/clang");

unsafe extern "C" {
    fn heapproof_clang(count: c_int, words: *const *const c_char) -> c_int;
}

/// True if clang's own headers are there, without which hardly any program compiles.
pub fn usable() -> bool {
    Path::new(concat!(env!("HEAPPROOF_LLVM"), "/lib/clang/19/include/stddef.h")).is_file()
}

/// Compiles as clang would with these arguments, bitcode to standard output. For a process of its own: it may end it.
pub fn run(arguments: Vec<OsString>) -> ExitCode {
    let words = std::iter::once(HOME.as_bytes()).chain(arguments.iter().map(|word| word.as_bytes()));
    let Ok(words) = words.map(CString::new).collect::<Result<Vec<_>, _>>() else {
        eprintln!("clang: error: an argument has a NUL byte");
        return ExitCode::FAILURE;
    };
    let pointers: Vec<_> = words.iter().map(|word| word.as_ptr()).chain([std::ptr::null()]).collect();
    // SAFETY: the words live until the call is over, and the list ends in null as that of `main` does.
    let status = unsafe { heapproof_clang(words.len() as c_int, pointers.as_ptr()) };
    ExitCode::from(u8::try_from(status).unwrap_or(1))
}
