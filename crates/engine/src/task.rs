//! What an engine is given to do.

use crate::environment::Environment;
use crate::findings::{Artefact, Suspicion};
use crate::remainder::Spot;
use heapproof_ir::Program;
use heapproof_verdict::Violation;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::OnceLock;

/// A file that was given by the user.
#[derive(Debug)]
pub struct Source {
    /// The name as the user wrote it.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
    text: OnceLock<Option<String>>,
}

impl Source {
    /// A file that is read when its text is first asked for.
    pub fn file(path: PathBuf) -> Self {
        Source { name: path.display().to_string(), path, text: OnceLock::new() }
    }

    /// A file with a text that is known already.
    pub fn with_text(name: impl Into<String>, text: impl Into<String>) -> Self {
        let name = name.into();
        let text = OnceLock::from(Some(text.into()));
        Source { path: PathBuf::from(&name), name, text }
    }

    /// The text; none if it is not a regular file (any more) or not text.
    pub fn text(&self) -> Option<&str> {
        let read = || {
            let regular = std::fs::metadata(&self.path).is_ok_and(|data| data.is_file());
            regular.then(|| std::fs::read(&self.path).ok()).flatten().map(|bytes| {
                // Comments may be in any encoding.
                String::from_utf8_lossy(&bytes).into_owned()
            })
        };
        self.text.get_or_init(read).as_deref()
    }
}

/// A question about a program.
#[derive(Debug)]
pub struct Task<'a> {
    /// The program.
    pub program: &'a Program,
    /// The files that it was made of, for engines that read comments.
    pub sources: &'a [Source],
    /// What it runs in and what is asked.
    pub environment: &'a Environment,
    /// Errors that other engines suspect: whoever can, confirms them.
    pub suspicions: &'a [Suspicion],
    /// Errors that are confirmed already: others are looked for.
    pub known: &'a [Violation],
    /// What other engines found out.
    pub artefacts: &'a [Artefact],
    /// Of errors of content only these are of interest: others have shown that no execution's first violation is another
    /// one. An engine that makes use of it gives a remainder instead of a proof.
    pub only: Option<&'a BTreeSet<Spot>>,
}

impl<'a> Task<'a> {
    /// A question that nobody has worked on.
    pub fn new(program: &'a Program, sources: &'a [Source], environment: &'a Environment) -> Self {
        Task { program, sources, environment, suspicions: &[], known: &[], artefacts: &[], only: None }
    }
}
