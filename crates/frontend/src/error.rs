//! Why a file could not be turned into a program.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Why a file could not be turned into a program.
#[derive(Debug, thiserror::Error, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Error {
    /// The file cannot be read.
    #[error("cannot read {}: {why}", path.display())]
    Unreadable {
        #[serde(with = "path")]
        path: PathBuf,
        why: String,
    },
    /// Something that is not C source was given.
    #[error("{} is not C source: {why}", path.display())]
    NotSource {
        #[serde(with = "path")]
        path: PathBuf,
        why: String,
    },
    /// No clang.
    #[error("clang-19 was not found ({tried}); install the package clang-19 or name a clang with --clang")]
    ClangMissing { tried: String },
    /// The system does not start what is needed.
    #[error("cannot start {program}: {why}")]
    NotStarted { program: String, why: String },
    /// clang refused the file; this is what it said.
    #[error("{diagnostics}")]
    Rejected {
        #[serde(with = "path")]
        path: PathBuf,
        diagnostics: String,
    },
    /// clang itself failed; this is what it said.
    #[error("clang crashed while it compiled {} ({how})", path.display())]
    Crashed {
        #[serde(with = "path")]
        path: PathBuf,
        how: String,
        diagnostics: String,
    },
    /// clang did not come to an end.
    #[error("clang did not finish {} within the time limit", path.display())]
    Timeout {
        #[serde(with = "path")]
        path: PathBuf,
    },
    /// clang needed too much memory.
    #[error("clang needs more than {mib} MiB of memory to compile {}", path.display())]
    OutOfMemory {
        #[serde(with = "path")]
        path: PathBuf,
        mib: u64,
    },
    /// What clang wrote could not be read.
    #[error("the bitcode of {} cannot be read: {why}", path.display())]
    Bitcode {
        #[serde(with = "path")]
        path: PathBuf,
        why: String,
    },
    /// clang compiled for another machine than the one that was asked for.
    #[error("{} was compiled for {found}, but the target is {wanted}; --target lp64 and --target ilp32 choose the target", path.display())]
    Machine {
        #[serde(with = "path")]
        path: PathBuf,
        found: String,
        wanted: String,
    },
    /// The process that reads bitcode came to harm, by input that LLVM does not bear.
    #[error("the bitcode of {files} cannot be read: {how}")]
    Reader { files: String, how: String },
    /// The files do not fit together.
    #[error("the files cannot be linked: {why}")]
    Link { why: String },
}

/// Paths need not be text.
pub mod path {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::ffi::OsString;
    use std::path::{Path, PathBuf};

    pub fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
        path.as_os_str().serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
        OsString::deserialize(deserializer).map(PathBuf::from)
    }
}
