//! Whole projects: how a build makes its programs and libraries, what that means in units, and a cache of results.
//!
//! [`database`] reads compilation databases and records of builds, [`call`] says what one call of a compiler, archiver or linker
//! does, [`plan`] makes units of it all: programs, libraries, modules and annotated files. [`cache`] keeps results by content;
//! [`manifest`] says what a compilation depended on, so that a second run starts no clang. [`report`] is the answer about a
//! project, which shards make in parts.
//!
//! Nothing here knows engines, verdicts of single programs are data, and no unit is run.

pub mod cache;
pub mod call;
pub mod config;
pub mod database;
pub mod files;
pub mod find;
pub mod manifest;
pub mod plan;
pub mod report;
pub mod words;

use serde::{Deserialize, Serialize};

/// Something of a project that was not analysed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NotAnalysed {
    /// Why, as a kind.
    pub cause: Cause,
    /// The file, entry or unit.
    pub subject: String,
    /// Why, in words that a person can act on.
    pub reason: String,
    /// The user said that it is fine.
    #[serde(default)]
    pub accepted: bool,
}

/// Why something was not analysed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// An entry of the database cannot be understood.
    BrokenEntry,
    /// A header is missing, which the build has to make first.
    MissingHeader,
    /// The file does not compile.
    DoesNotCompile,
    /// It is compiled in a way that clang has not, or for another machine.
    OtherCompiler,
    /// It is not C.
    OtherLanguage,
    /// The files of a program do not fit together.
    DoesNotLink,
    /// Its options or annotations do not fit.
    WrongUse,
    /// The process that analysed it came to harm.
    Crashed,
    /// The wall clock or the memory ended it.
    Limit,
    /// The user ended the run.
    Interrupted,
    /// A shard's report is missing.
    MissingShard,
    /// The user excluded it.
    Excluded,
}

impl Cause {
    /// In a few words, for a summary.
    pub fn words(self) -> &'static str {
        match self {
            Cause::BrokenEntry => "entries that cannot be understood",
            Cause::MissingHeader => "a header is missing (build the project first)",
            Cause::DoesNotCompile => "do not compile",
            Cause::OtherCompiler => "compiled for another machine or compiler",
            Cause::OtherLanguage => "not C",
            Cause::DoesNotLink => "do not link",
            Cause::WrongUse => "options or annotations do not fit",
            Cause::Crashed => "the analysis crashed",
            Cause::Limit => "ended by the limit of time or memory",
            Cause::Interrupted => "interrupted",
            Cause::MissingShard => "a shard is missing",
            Cause::Excluded => "excluded",
        }
    }
}
