//! Obligations that were shown in an earlier run (`--cache DIR`).
//!
//! A file of the directory says of one obligation that it was shown. Its name is made from all that was asked, word for word, from the version
//! of this program, and from what the solver says about itself. Nothing undecided is kept: what was not shown is asked again.

use crate::assumed::Obligation;
use heapproof_logic::Config;
use heapproof_logic::smtlib::Script;
use std::collections::hash_map::DefaultHasher;
use std::hash::Hasher;
use std::path::PathBuf;

/// A directory with what was shown.
#[derive(Clone, Debug)]
pub struct Cache {
    directory: PathBuf,
    /// This program and the solver.
    maker: String,
}

impl Cache {
    /// A directory, for a solver; none if the solver does not say its version.
    pub fn new(directory: PathBuf, config: &Config) -> Option<Cache> {
        let solver = config.version()?;
        let maker = format!("heapproof {} and {}", env!("CARGO_PKG_VERSION"), solver.trim());
        Some(Cache { directory, maker })
    }

    /// The file for an obligation.
    pub fn file(&self, obligation: &Obligation) -> PathBuf {
        let mut script = Script::new();
        obligation
            .assumed
            .levels()
            .iter()
            .flat_map(|level| level.iter())
            .for_each(|term| script.assert(term));
        script.assert(&obligation.goal.clone().not());
        let text = script.take();
        // Twice 64 bits with different beginnings.
        let half = |salt: &str| {
            let mut hasher = DefaultHasher::new();
            hasher.write(salt.as_bytes());
            hasher.write(self.maker.as_bytes());
            hasher.write(text.as_bytes());
            hasher.finish()
        };
        self.directory.join(format!("{:016x}{:016x}-{}.shown", half("first"), half("second"), text.len()))
    }

    /// True if the obligation of a file was shown by the same program and solver.
    pub fn knows(&self, file: &PathBuf) -> bool {
        std::fs::read_to_string(file).is_ok_and(|text| text.trim_end() == self.maker)
    }

    /// Keeps that the obligation of a file was shown. What cannot be written is asked again next time.
    pub fn keep(&self, file: &PathBuf) {
        let _ = std::fs::create_dir_all(&self.directory);
        // A file is there whole or not at all.
        let part = file.with_extension(format!("part{}", std::process::id()));
        if std::fs::write(&part, format!("{}\n", self.maker)).is_ok() {
            let _ = std::fs::rename(&part, file);
        }
    }
}
