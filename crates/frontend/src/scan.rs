//! One file compiled on its own, with all that the result depends on: the files that clang opened, what it found, and what it
//! looked for in vain. So it can be known later, without clang, whether the result would still be the same.

use crate::clang::{built_in, compile_and_record};
use crate::source::Source;
use crate::{Error, FileOptions, Options};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// What clang asked the file system.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Asked {
    /// The file was opened; its content counts.
    Opened(PathBuf),
    /// The folder's entries were listed.
    Listed(PathBuf),
    /// It was there; nothing else was asked.
    Found(PathBuf),
    /// It was not there, or could not be opened.
    Missing(PathBuf),
}

/// What a linker would see of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Symbols {
    /// Defined.
    pub defined: BTreeSet<String>,
    /// Defined, but another definition would take precedence.
    pub weak: BTreeSet<String>,
    /// Used and not defined.
    pub used: BTreeSet<String>,
}

/// A compiled file.
#[derive(Debug)]
pub struct Scan {
    /// The bitcode; or why there is none.
    pub bitcode: Result<Vec<u8>, Error>,
    /// What clang asked the file system, by absolute paths; nothing if that is not known, since clang crashed or was ended.
    pub asked: Option<BTreeSet<Asked>>,
    /// Its symbols.
    pub symbols: Symbols,
}

/// Compiles a file with its options. `record` is a place for a file that is removed again. The program's own clang does it, in a
/// process of its own: nothing is returned where the program has no modes, or another clang is wanted.
pub fn scan(file: &FileOptions, options: &Options, record: &Path) -> Option<Scan> {
    built_in(options)?;
    let source = match Source::open(&file.path) {
        Ok(source) => source.compiled_as(Some(file)),
        Err(error) => return Some(Scan { bitcode: Err(error), asked: None, symbols: Symbols::default() }),
    };
    let compiled = compile_and_record(&source, options, Some(record));
    let bytes = std::fs::read(record).ok();
    let _ = std::fs::remove_file(record);
    let (mut asked, mut symbols) = (BTreeSet::new(), Symbols::default());
    for entry in bytes.iter().flat_map(|bytes| bytes.split(|byte| *byte == 0)) {
        let Some((kind, name)) = entry.split_first() else { continue };
        let path = || absolute(&file.folder, name);
        match kind {
            b'F' => {
                asked.insert(Asked::Opened(path()));
            }
            b'D' => {
                asked.insert(Asked::Listed(path()));
            }
            b'S' => {
                asked.insert(Asked::Found(path()));
            }
            b'N' => {
                asked.insert(Asked::Missing(path()));
            }
            b'd' => {
                symbols.defined.insert(text(name));
            }
            b'w' => {
                symbols.weak.insert(text(name));
            }
            _ => {
                symbols.used.insert(text(name));
            }
        }
    }
    // The file itself was read here, if clang could not.
    asked.insert(Asked::Opened(absolute(&file.folder, source.told().as_os_str().as_bytes())));
    let is_complete = bytes.is_some() && matches!(compiled, Ok(_) | Err(Error::Rejected { .. }));
    Some(Scan { bitcode: compiled.map(|made| made.bytes), asked: is_complete.then_some(asked), symbols })
}

fn absolute(folder: &Path, name: &[u8]) -> PathBuf {
    folder.join(OsStr::from_bytes(name))
}

fn text(name: &[u8]) -> String {
    String::from_utf8_lossy(name).into_owned()
}
