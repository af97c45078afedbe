//! What the front end is asked for and what it gives.

use heapproof_ir::{Program, Target};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Instant;

/// How to compile.
#[derive(Clone, Debug)]
pub struct Options {
    /// The data model.
    pub target: Target,
    /// The clang to start; found on the path otherwise.
    pub clang: Option<PathBuf>,
    /// Arguments for clang: -I, -D, -U, -include, -std and whatever the user gave after `--`.
    pub clang_args: Vec<String>,
    /// What is special about single files.
    pub files: Vec<FileOptions>,
    /// Turn scalars whose address is not taken into registers.
    pub promote: bool,
    /// When to kill clang and the process that reads its bitcode.
    pub deadline: Option<Instant>,
    /// The most bytes of memory that they may use.
    pub memory: Option<u64>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            target: Target::Lp64,
            clang: None,
            clang_args: Vec::new(),
            files: Vec::new(),
            promote: true,
            deadline: None,
            memory: None,
        }
    }
}

/// How one file is compiled, where a build has its own way.
#[derive(Clone, Debug)]
pub struct FileOptions {
    /// The path as it is given to [`compile`](crate::compile).
    pub path: PathBuf,
    /// Arguments for clang, before those for all files.
    pub arguments: Vec<String>,
    /// The folder in which clang is started: relative paths in the arguments are meant from there.
    pub folder: PathBuf,
    /// The file as it was compiled before with these options; clang is not started then.
    pub bitcode: Option<PathBuf>,
}

/// A compiled program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Compiled {
    /// The program.
    pub program: Program,
    /// clang's warnings, as clang wrote them.
    pub diagnostics: String,
    /// The names, in the program, of files that were really compiled; others come from `#line`.
    pub sources: BTreeSet<String>,
}
