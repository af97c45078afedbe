//! C source to `ir`, through clang and LLVM bitcode. The only crate that knows LLVM or starts clang.
//!
//! clang is started once per file (no optimisation, debug information, life time markers of the C scopes), its
//! bitcode is read in process, linked, lowered to owned data and dropped.

mod clang;
mod error;
mod llvm;
mod lower;
mod options;
mod source;

pub use error::Error;
pub use options::{Compiled, Options};

use std::path::PathBuf;

/// Compiles and links the files to one program.
pub fn compile(files: &[PathBuf], options: &Options) -> Result<Compiled, Error> {
    let mut module: Option<llvm::Module> = None;
    let mut diagnostics = String::new();
    let mut sources = source::Sources::default();
    for path in files {
        let bitcode = clang::compile(path, options)?;
        diagnostics.push_str(&bitcode.diagnostics);
        if let Some(text) = bitcode.text {
            sources.insert(path, text);
        }
        match &mut module {
            None => {
                let read = llvm::Module::parse(&bitcode.bytes);
                module = Some(read.map_err(|why| Error::Bitcode { path: path.clone(), why })?);
            }
            Some(module) => module.link(&bitcode.bytes).map_err(|why| Error::Link { why })?,
        }
    }
    let Some(module) = module else {
        return Err(Error::Link { why: "no source file was given".to_owned() });
    };
    let mut program = lower::program(&module, files, sources, options.target);
    drop(module);
    if options.promote {
        heapproof_ir::passes::run(&mut program);
    }
    Ok(Compiled { program, diagnostics })
}
