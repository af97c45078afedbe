//! What one execution of a program showed, whoever executed it.

use std::collections::BTreeSet;
use std::fmt;

use crate::fault::Fault;

/// Output and end of an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observed {
    /// Everything written to standard output.
    pub stdout: String,
    /// How it ended.
    pub end: End,
}

/// How an execution ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Without an error, with this exit code.
    Exit(i32),
    /// With an error.
    Error {
        /// Its class.
        class: Fault,
        /// Line of the faulty access; for a leak it may be unknown.
        access_line: Option<u32>,
        /// Lines where the objects concerned were allocated, as far as known.
        alloc_lines: BTreeSet<u32>,
    },
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Exit(code) => write!(f, "exit {code}"),
            End::Error { class, access_line, alloc_lines } => {
                write!(f, "{class}")?;
                if let Some(line) = access_line {
                    write!(f, " at line {line}")?;
                }
                if *class == Fault::Leak {
                    write!(f, " of allocations at {alloc_lines:?}")?;
                }
                Ok(())
            }
        }
    }
}

/// Why there is no observation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unobserved {
    /// The program did not compile; the compiler's words.
    NotCompiled(String),
    /// The time limit was hit.
    TimedOut,
    /// The executing tool gave up, with its reason.
    Stopped(String),
    /// A report or answer that was not understood.
    NotUnderstood(String),
    /// A tool could not be started, or a file not written.
    Io(String),
}

impl fmt::Display for Unobserved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unobserved::NotCompiled(text) => write!(f, "does not compile: {text}"),
            Unobserved::TimedOut => write!(f, "time limit"),
            Unobserved::Stopped(text) => write!(f, "stopped: {text}"),
            Unobserved::NotUnderstood(text) => write!(f, "not understood: {text}"),
            Unobserved::Io(text) => write!(f, "{text}"),
        }
    }
}

impl std::error::Error for Unobserved {}

impl From<std::io::Error> for Unobserved {
    fn from(error: std::io::Error) -> Self {
        Unobserved::Io(error.to_string())
    }
}
