//! Files by content. Each file is read once in a run, however many units depend on it.

use blake3::Hash;
use std::collections::HashMap;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, SystemTime};

/// What a file was when it was hashed: another one has another number, another time of change or another length.
type Stamp = (u64, u64, i64, i64, u64);

/// What is known of files.
#[derive(Debug, Default)]
pub struct Files {
    contents: Mutex<HashMap<PathBuf, Option<(Hash, Stamp)>>>,
    listings: Mutex<HashMap<PathBuf, Option<Hash>>>,
    exists: Mutex<HashMap<PathBuf, bool>>,
}

impl Files {
    /// Nothing is known yet.
    pub fn new() -> Self {
        Files::default()
    }

    /// The hash of a file's content; nothing if it cannot be read.
    pub fn content(&self, path: &Path) -> Option<Hash> {
        if let Some(known) = lock(&self.contents).get(path) {
            return known.map(|(hash, _)| hash);
        }
        let found = hash_file(path);
        lock(&self.contents).insert(path.to_owned(), found);
        found.map(|(hash, _)| hash)
    }

    /// A hash of the names in a folder; nothing if it cannot be listed.
    pub fn listing(&self, path: &Path) -> Option<Hash> {
        if let Some(known) = lock(&self.listings).get(path) {
            return *known;
        }
        let found = hash_listing(path);
        lock(&self.listings).insert(path.to_owned(), found);
        found
    }

    /// True if there is something at this path.
    pub fn exists(&self, path: &Path) -> bool {
        if let Some(known) = lock(&self.exists).get(path) {
            return *known;
        }
        let found = path.exists();
        lock(&self.exists).insert(path.to_owned(), found);
        found
    }

    /// True if the file is still what it was when it was hashed.
    pub fn is_unchanged(&self, path: &Path) -> bool {
        let known = lock(&self.contents).get(path).copied().flatten();
        known.is_some_and(|(_, then)| stamp(path).is_some_and(|(now, _)| now == then))
    }

    /// True if the file was last changed some time before `when`: then what was read after that is what was hashed since.
    pub fn is_older(&self, path: &Path, when: SystemTime) -> bool {
        // Clocks of file systems are coarse.
        const COARSE: Duration = Duration::from_millis(10);
        stamp(path).is_some_and(|(_, changed)| changed + COARSE < when)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn stamp(path: &Path) -> Option<(Stamp, SystemTime)> {
    let metadata = path.metadata().ok()?;
    let stamp = (metadata.dev(), metadata.ino(), metadata.ctime(), metadata.ctime_nsec(), metadata.len());
    let since = Duration::new(u64::try_from(metadata.ctime()).ok()?, metadata.ctime_nsec() as u32);
    Some((stamp, SystemTime::UNIX_EPOCH + since))
}

fn hash_file(path: &Path) -> Option<(Hash, Stamp)> {
    let (before, _) = stamp(path)?;
    if !path.metadata().ok()?.is_file() {
        return None;
    }
    let hash = blake3::hash(&std::fs::read(path).ok()?);
    // One that changes while it is read is not known.
    stamp(path).is_some_and(|(after, _)| after == before).then_some((hash, before))
}

fn hash_listing(path: &Path) -> Option<Hash> {
    let mut names: Vec<_> = std::fs::read_dir(path).ok()?.flatten().map(|entry| entry.file_name()).collect();
    names.sort();
    let mut hasher = blake3::Hasher::new();
    for name in names {
        hasher.update(name.as_bytes()).update(&[0]);
    }
    Some(hasher.finalize())
}

/// Collects parts into a key, so that no two lists of parts look alike.
#[derive(Clone, Debug, Default)]
pub struct Key(blake3::Hasher);

impl Key {
    /// An empty key for a purpose.
    pub fn new(purpose: &str) -> Self {
        Key(blake3::Hasher::new()).with(purpose.as_bytes())
    }

    /// Adds a part.
    pub fn add(&mut self, part: impl AsRef<[u8]>) {
        let part = part.as_ref();
        self.0.update(&(part.len() as u64).to_le_bytes()).update(part);
    }

    /// With one more part.
    pub fn with(mut self, part: impl AsRef<[u8]>) -> Self {
        self.add(part);
        self
    }

    /// The key.
    pub fn finish(&self) -> Hash {
        self.0.finalize()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_tell_lists_apart() {
        let key = |parts: &[&str]| parts.iter().fold(Key::new("test"), |key, part| key.with(part)).finish();
        assert_ne!(key(&["ab", "c"]), key(&["a", "bc"]));
        assert_ne!(key(&["a", ""]), key(&["a"]));
        assert_eq!(key(&["a", "b"]), key(&["a", "b"]));
    }

    #[test]
    fn a_change_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "1").unwrap();
        let files = Files::new();
        assert_eq!(files.content(&path), Some(blake3::hash(b"1")));
        assert!(files.is_unchanged(&path));
        std::fs::write(&path, "22").unwrap();
        assert!(!files.is_unchanged(&path));
        // In one run a file has one content.
        assert_eq!(files.content(&path), Some(blake3::hash(b"1")));
        assert_eq!(files.content(folder.path()), None);
        assert!(!files.is_older(&path, SystemTime::UNIX_EPOCH));
    }
}
