//! What is kept between runs: one file for each key, written whole and checked when it is read.
//!
//! A file that was damaged, cut short or written by another version is as good as missing. Files are made beside their place and
//! renamed, so several runs may use a cache at once. A full disk costs the result's place in the cache, not the result.

use blake3::Hash;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// The form of the files. Another form has another folder.
const VERSION: &str = "v1";
/// What each file begins with.
const MAGIC: &[u8; 16] = b"heapproof-cache1";
/// The most bytes of an entry.
const MOST_BYTES: u64 = 256 << 20;

/// A cache; without a folder it keeps nothing.
#[derive(Debug, Default)]
pub struct Cache {
    folder: Option<PathBuf>,
    damaged: AtomicU64,
    unwritten: AtomicU64,
}

/// What a cache holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Entries.
    pub entries: u64,
    /// Their bytes.
    pub bytes: u64,
}

impl Cache {
    /// The cache in a folder, which is made when something is kept.
    pub fn new(folder: Option<PathBuf>) -> Self {
        Cache { folder: folder.map(|folder| folder.join(VERSION)), ..Cache::default() }
    }

    /// The folder under the user's cache directory.
    pub fn usual_folder() -> Option<PathBuf> {
        let absolute = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let base = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
        Some(base.join("heapproof"))
    }

    /// True if it keeps anything.
    pub fn is_on(&self) -> bool {
        self.folder.is_some()
    }

    /// Entries that were found damaged so far.
    pub fn damaged(&self) -> u64 {
        self.damaged.load(Ordering::Relaxed)
    }

    /// Entries that could not be written so far.
    pub fn unwritten(&self) -> u64 {
        self.unwritten.load(Ordering::Relaxed)
    }

    /// What is kept under a key.
    pub fn get(&self, kind: &str, key: &Hash) -> Option<Vec<u8>> {
        let place = self.place(kind, key)?;
        let mut bytes = Vec::new();
        let mut file = File::open(&place).ok()?;
        let read = Read::by_ref(&mut file).take(MOST_BYTES).read_to_end(&mut bytes);
        let payload = read.ok().and_then(|_| checked(&bytes, key));
        match payload {
            Some(payload) => {
                // What was used lately is trimmed last.
                let _ = file.set_modified(SystemTime::now());
                Some(payload.to_vec())
            }
            None => {
                self.damaged.fetch_add(1, Ordering::Relaxed);
                let _ = std::fs::remove_file(&place);
                None
            }
        }
    }

    /// Keeps something under a key.
    pub fn put(&self, kind: &str, key: &Hash, payload: &[u8]) {
        let Some(place) = self.place(kind, key) else { return };
        if write(&place, key, payload).is_err() {
            self.unwritten.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn place(&self, kind: &str, key: &Hash) -> Option<PathBuf> {
        let name = key.to_hex();
        let (first, rest) = name.as_str().split_at(2);
        Some(self.folder.as_ref()?.join(kind).join(first).join(rest))
    }

    /// What it holds.
    pub fn size(&self) -> Size {
        let mut size = Size::default();
        for (_, bytes, _) in self.entries() {
            size.entries += 1;
            size.bytes += bytes;
        }
        size
    }

    /// Removes what was not used for some time, and then what was used longest ago until at most so many bytes are left.
    pub fn trim(&self, unused: Option<Duration>, most_bytes: Option<u64>) -> Size {
        let mut entries = self.entries();
        entries.sort_by_key(|(_, _, used)| *used);
        let mut left: u64 = entries.iter().map(|(_, bytes, _)| bytes).sum();
        let mut removed = Size::default();
        let now = SystemTime::now();
        for (path, bytes, used) in entries {
            let is_old = unused.is_some_and(|unused| now.duration_since(used).is_ok_and(|age| age >= unused));
            let is_much = most_bytes.is_some_and(|most| left > most);
            if (is_old || is_much) && std::fs::remove_file(&path).is_ok() {
                left -= bytes;
                removed.entries += 1;
                removed.bytes += bytes;
            }
        }
        removed
    }

    fn entries(&self) -> Vec<(PathBuf, u64, SystemTime)> {
        let Some(folder) = &self.folder else { return Vec::new() };
        let walk = ignore::WalkBuilder::new(folder).standard_filters(false).build();
        let files = walk.flatten().filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()));
        files
            .filter_map(|entry| {
                let metadata = entry.metadata().ok()?;
                Some((entry.path().to_owned(), metadata.len(), metadata.modified().ok()?))
            })
            .collect()
    }
}

/// An entry is the magic, its key, the hash of its payload, and the payload.
fn checked<'a>(bytes: &'a [u8], key: &Hash) -> Option<&'a [u8]> {
    let rest = bytes.strip_prefix(MAGIC)?.strip_prefix(key.as_bytes())?;
    let (hash, payload) = rest.split_at_checked(blake3::OUT_LEN)?;
    (blake3::hash(payload).as_bytes() == hash).then_some(payload)
}

fn write(place: &Path, key: &Hash, payload: &[u8]) -> io::Result<()> {
    let folder = place.parent().ok_or(io::ErrorKind::NotFound)?;
    std::fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    for part in [MAGIC.as_slice(), key.as_bytes(), blake3::hash(payload).as_bytes(), payload] {
        file.write_all(part)?;
    }
    file.persist(place).map(drop).map_err(|error| error.error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only_file(folder: &Path) -> PathBuf {
        let cache = Cache::new(Some(folder.to_owned()));
        cache.entries().remove(0).0
    }

    #[test]
    fn what_is_put_is_got() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(Some(folder.path().to_owned()));
        let (a, b) = (blake3::hash(b"a"), blake3::hash(b"b"));
        cache.put("result", &a, b"payload");
        assert_eq!(cache.get("result", &a).as_deref(), Some(&b"payload"[..]));
        assert_eq!((cache.get("result", &b), cache.get("other", &a)), (None, None));
        assert_eq!(cache.size().entries, 1);
        assert_eq!(cache.trim(Some(Duration::from_secs(1000)), None).entries, 0);
        assert_eq!(cache.trim(None, Some(0)).entries, 1);
        assert_eq!(cache.get("result", &a), None);
    }

    #[test]
    fn damage_of_any_byte_and_any_length_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(Some(folder.path().to_owned()));
        let key = blake3::hash(b"a");
        cache.put("result", &key, b"payload");
        let path = only_file(folder.path());
        let good = std::fs::read(&path).unwrap();
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 0x40;
            std::fs::write(&path, &bad).unwrap();
            assert_eq!(cache.get("result", &key), None, "byte {at}");
            std::fs::write(&path, &good[..at]).unwrap();
            assert_eq!(cache.get("result", &key), None, "length {at}");
        }
        assert_eq!(cache.damaged(), 2 * good.len() as u64);
        std::fs::write(&path, &good).unwrap();
        assert!(cache.get("result", &key).is_some());
    }

    #[test]
    fn an_entry_under_the_name_of_another_is_not_taken() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(Some(folder.path().to_owned()));
        let (a, b) = (blake3::hash(b"a"), blake3::hash(b"b"));
        cache.put("result", &a, b"of a");
        let (from, to) = (cache.place("result", &a).unwrap(), cache.place("result", &b).unwrap());
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::copy(from, to).unwrap();
        assert_eq!(cache.get("result", &b), None);
    }

    #[test]
    fn a_place_that_takes_nothing_is_no_error() {
        // Nothing can be made below a file.
        let file = tempfile::NamedTempFile::new().unwrap();
        let cache = Cache::new(Some(file.path().to_owned()));
        cache.put("result", &blake3::hash(b"a"), b"payload");
        assert_eq!((cache.get("result", &blake3::hash(b"a")), cache.unwritten()), (None, 1));
        let full = Cache::new(Some("/dev/full/x".into()));
        full.put("result", &blake3::hash(b"a"), b"payload");
        assert_eq!(full.unwritten(), 1);
        assert!(!Cache::new(None).is_on());
    }
}
