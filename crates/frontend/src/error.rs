//! Why a file could not be turned into a program.

use std::path::PathBuf;

/// Why a file could not be turned into a program.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum Error {
    /// The file cannot be read.
    #[error("cannot read {}: {why}", path.display())]
    Unreadable { path: PathBuf, why: String },
    /// Something that is not C source was given.
    #[error("{} is not C source: {why}", path.display())]
    NotSource { path: PathBuf, why: String },
    /// No clang.
    #[error("clang-19 was not found ({tried}); install the package clang-19 or name a clang with --clang")]
    ClangMissing { tried: String },
    /// clang refused the file; this is what it said.
    #[error("{diagnostics}")]
    Rejected { path: PathBuf, diagnostics: String },
    /// clang itself failed; this is what it said.
    #[error("clang crashed while it compiled {} ({how})", path.display())]
    Crashed { path: PathBuf, how: String, diagnostics: String },
    /// clang did not come to an end.
    #[error("clang did not finish {} within the time limit", path.display())]
    Timeout { path: PathBuf },
    /// clang needed too much memory.
    #[error("clang needs more than {mib} MiB of memory to compile {}", path.display())]
    OutOfMemory { path: PathBuf, mib: u64 },
    /// What clang wrote could not be read.
    #[error("the bitcode of {} cannot be read: {why}", path.display())]
    Bitcode { path: PathBuf, why: String },
    /// The files do not fit together.
    #[error("the files cannot be linked: {why}")]
    Link { why: String },
}
