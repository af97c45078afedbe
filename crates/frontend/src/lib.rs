//! C source to `ir`, through clang and LLVM bitcode. The only crate that knows LLVM or starts clang.
//!
//! clang is started once per file (no optimisation, debug information, life time markers of the C scopes), its
//! bitcode is read, linked, lowered to owned data and dropped. All that happens in a process of its own (`child.rs`),
//! since LLVM ends the process where it does not bear its input; [`MODES`] have to be among the modes of the program.
//! clang is a part of this program and runs in another process of ours; `--clang` names another one. Where the program has no modes (tests, examples) all of it happens in process,
//! clang included: a start of another clang would cost several times what it does.

mod child;
mod clang;
mod error;
mod lines;
mod llvm;
mod lower;
mod options;
mod scan;
mod source;

pub use error::Error;
pub use options::{Compiled, FileOptions, Options};
pub use scan::{Asked, Scan, Symbols, scan};

use heapproof_process::Mode;
use source::{Source, Sources};
use std::path::PathBuf;

/// What the program is started again for: to be the front end, and to be clang.
pub const MODES: [Mode; 2] = [child::CHILD, clang::BUILT_IN];

/// Compiles and links the files to one program.
pub fn compile(files: &[PathBuf], options: &Options) -> Result<Compiled, Error> {
    let opened = files.iter().map(|path| {
        let special = options.files.iter().find(|special| special.path == *path);
        Source::open(path).map(|source| source.compiled_as(special))
    });
    let sources = opened.collect::<Result<Vec<_>, _>>()?;
    match child::command(options) {
        Some(command) => child::compile(command, sources, options),
        None => compile_here(&sources, options, After::MoreWork),
    }
}

/// What this process does after it has compiled.
#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    /// It goes on.
    MoreWork,
    /// It ends, so nothing needs to be freed.
    Nothing,
}

/// The same in this process.
fn compile_here(files: &[Source], options: &Options, after: After) -> Result<Compiled, Error> {
    let mut module: Option<llvm::Module> = None;
    let mut diagnostics = String::new();
    let mut sources = Sources::new(files);
    for source in files {
        let bitcode = clang::compile(source, options)?;
        diagnostics.push_str(&bitcode.diagnostics);
        match &mut module {
            None => {
                let read = llvm::Module::parse(&bitcode.bytes, options.target);
                module = Some(read.map_err(|why| why.of(&source.path))?);
            }
            Some(module) => {
                module.link(&bitcode.bytes, options.target).map_err(|why| why.of(&source.path))?;
            }
        }
    }
    let Some(module) = module else {
        return Err(Error::Link { why: "no source file was given".to_owned() });
    };
    let mut program = lower::program(&module, files, &mut sources, options.target);
    match after {
        After::MoreWork => drop(module),
        After::Nothing => std::mem::forget(module),
    }
    if options.promote {
        heapproof_ir::passes::run(&mut program);
    }
    Ok(Compiled { program, diagnostics, sources: sources.compiled() })
}
