//! C source to `ir`, through clang and LLVM bitcode. The only crate that knows LLVM or starts clang.

mod error;
mod options;

pub use error::Error;
pub use options::{Compiled, Options};

use std::path::PathBuf;

/// Compiles and links the files to one program.
pub fn compile(files: &[PathBuf], options: &Options) -> Result<Compiled, Error> {
    let _ = (files, options);
    unimplemented!()
}
