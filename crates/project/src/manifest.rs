//! What a compilation depended on, so that it can be known without clang whether its result still holds.

use crate::files::{Files, Key};
use blake3::Hash;
use heapproof_frontend::{Asked, Symbols};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What clang said of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// It compiles; these are its symbols.
    Compiled(Symbols),
    /// It was refused; this is what clang said.
    Rejected(String),
}

/// What a compilation depended on, and what it made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Files that were opened, with the hashes of their content.
    pub opened: Vec<(Place, [u8; 32])>,
    /// Folders that were listed, with the hashes of their names.
    pub listed: Vec<(Place, [u8; 32])>,
    /// What was there.
    pub found: Vec<Place>,
    /// What was looked for in vain.
    pub missing: Vec<Place>,
    /// Options that clang did not know, and that were left out.
    pub left_out: Vec<String>,
    /// The source has contracts in comments.
    pub annotated: bool,
    /// What clang made of it.
    pub outcome: Outcome,
}

/// A path: below the root of the project, or absolute. So a manifest also holds for another copy of the project.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place(PathBuf);

impl Place {
    /// A path as it is kept.
    pub fn of(path: &Path, root: &Path) -> Place {
        Place(path.strip_prefix(root).map_or_else(|_| path.to_owned(), Path::to_owned))
    }

    /// The path as it can be opened.
    pub fn at(&self, root: &Path) -> PathBuf {
        root.join(&self.0)
    }
}

impl Manifest {
    /// Of a compilation that has just been made. Nothing if a file may have changed since it was read.
    pub fn of(
        asked: &BTreeSet<Asked>,
        outcome: Outcome,
        root: &Path,
        files: &Files,
        started: SystemTime,
    ) -> Option<Manifest> {
        let mut manifest = Manifest {
            opened: vec![],
            listed: vec![],
            found: vec![],
            missing: vec![],
            left_out: vec![],
            annotated: false,
            outcome,
        };
        for asked in asked {
            match asked {
                Asked::Opened(path) if path.is_dir() => manifest.found.push(Place::of(path, root)),
                Asked::Opened(path) => {
                    if !files.is_older(path, started) {
                        return None;
                    }
                    manifest.opened.push((Place::of(path, root), *files.content(path)?.as_bytes()));
                }
                Asked::Listed(path) => {
                    manifest.listed.push((Place::of(path, root), *files.listing(path)?.as_bytes()));
                }
                Asked::Found(path) => manifest.found.push(Place::of(path, root)),
                Asked::Missing(path) => manifest.missing.push(Place::of(path, root)),
            }
        }
        Some(manifest)
    }

    /// True if clang would find and not find the same.
    pub fn holds(&self, root: &Path, files: &Files) -> bool {
        let is = |hash: &[u8; 32], now: Option<Hash>| now.is_some_and(|now| now.as_bytes() == hash);
        self.opened.iter().all(|(place, hash)| is(hash, files.content(&place.at(root))))
            && self.found.iter().all(|place| files.exists(&place.at(root)))
            && self.missing.iter().all(|place| !files.exists(&place.at(root)))
            && self.listed.iter().all(|(place, hash)| is(hash, files.listing(&place.at(root))))
    }

    /// Adds to a key what a result that was made from this compilation depends on.
    pub fn add_to(&self, key: &mut Key) {
        for (place, hash) in &self.opened {
            key.add(place.0.as_os_str().as_bytes());
            key.add(hash);
        }
    }

    /// The files that were opened.
    pub fn files<'a>(&'a self, root: &'a Path) -> impl Iterator<Item = PathBuf> + 'a {
        self.opened.iter().map(|(place, _)| place.at(root))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn it_holds_until_something_changes() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let path = |name: &str| root.join(name);
        for name in ["a.c", "a.h"] {
            std::fs::write(path(name), name).unwrap();
        }
        let asked = BTreeSet::from([
            Asked::Opened(path("a.c")),
            Asked::Opened(path("a.h")),
            Asked::Missing(path("inc/a.h")),
            Asked::Found(path("a.h")),
        ]);
        let later = SystemTime::now() + Duration::from_secs(3600);
        let outcome = Outcome::Compiled(Symbols::default());
        let make = |when| Manifest::of(&asked, outcome.clone(), root, &Files::new(), when);
        let manifest = make(later).unwrap();
        assert!(manifest.holds(root, &Files::new()));
        // A file that changed after the compilation began may not be what was read.
        assert!(make(SystemTime::UNIX_EPOCH).is_none());
        // A header that is found earlier now.
        std::fs::create_dir(path("inc")).unwrap();
        std::fs::write(path("inc/a.h"), "").unwrap();
        assert!(!manifest.holds(root, &Files::new()));
        std::fs::remove_file(path("inc/a.h")).unwrap();
        assert!(manifest.holds(root, &Files::new()));
        std::fs::write(path("a.h"), "/* a comment */").unwrap();
        assert!(!manifest.holds(root, &Files::new()));
        std::fs::remove_file(path("a.h")).unwrap();
        assert!(!manifest.holds(root, &Files::new()));
    }
}
