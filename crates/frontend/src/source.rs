//! The source of one file: given to clang by its path, or read here where clang could not read it as it should.

use crate::lines::Lines;
use crate::{Error, FileOptions};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most bytes of a source file.
const MOST_BYTES: u64 = 256 << 20;
/// How far binary data are looked for.
const START_BYTES: u64 = 8 << 10;

/// The text of a file that was read here.
pub type Text = Arc<Vec<u8>>;

/// The source of one file.
#[derive(Serialize, Deserialize)]
pub struct Source {
    /// The path as the user gave it.
    #[serde(with = "crate::error::path")]
    pub path: PathBuf,
    /// What clang reads from its standard input, behind [`Source::marker`], instead of the path.
    pub piped: Option<Text>,
    preprocessed: bool,
    /// Arguments for clang for this file alone.
    pub options: Vec<String>,
    /// Where clang is started, if not here.
    pub folder: Option<OsString>,
    /// What clang made of it before.
    pub bitcode: Option<OsString>,
}

impl Source {
    /// Looks at the file; reads all of it if clang could not, or not as it should.
    pub fn open(path: &Path) -> Result<Source, Error> {
        let unreadable = |why: String| Error::Unreadable { path: path.to_owned(), why };
        let not_source = |why: String| Error::NotSource { path: path.to_owned(), why };
        let failed = |why: std::io::Error| unreadable(plain(&why));
        if path.is_dir() {
            return Err(unreadable("it is a directory".to_owned()));
        }
        let mut file = File::open(path).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        let mut text = Vec::new();
        file.by_ref().take(START_BYTES).read_to_end(&mut text).map_err(failed)?;
        if let Some(what) = binary(&text) {
            return Err(not_source(what.to_owned()));
        }
        let preprocessed = path.extension().is_some_and(|e| e == "i");
        // clang looks for options in a file of the name behind the `@`, however the path begins.
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        let only_once = !metadata.is_file() || names_an_open_file(path) || name.starts_with(b"@");
        let mut length = metadata.len();
        if preprocessed || only_once {
            // One byte more than allowed tells that there is more.
            file.take(MOST_BYTES + 1 - text.len() as u64).read_to_end(&mut text).map_err(failed)?;
            length = text.len() as u64;
        }
        if length > MOST_BYTES {
            return Err(not_source(format!("it is larger than {} MiB", MOST_BYTES >> 20)));
        }
        let piped = match (preprocessed, only_once) {
            (true, _) => Some(Arc::new(without_positions(&text))),
            (false, true) => Some(Arc::new(text)),
            (false, false) => None,
        };
        Ok(Source {
            path: path.to_owned(),
            piped,
            preprocessed,
            options: Vec::new(),
            folder: None,
            bitcode: None,
        })
    }

    /// The same, compiled as a build does it.
    pub fn compiled_as(mut self, special: Option<&FileOptions>) -> Source {
        if let Some(special) = special {
            self.options.clone_from(&special.arguments);
            self.folder = Some(special.folder.clone().into_os_string());
            self.bitcode = special.bitcode.clone().map(PathBuf::into_os_string);
        }
        self
    }

    /// A line that says that the next one is the first of the file.
    pub fn marker(&self) -> String {
        let name = self.told().to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"");
        format!("# 1 \"{name}\"\n")
    }

    /// What clang is told about its input.
    pub fn arguments(&self) -> Vec<OsString> {
        let language = if self.preprocessed { "cpp-output" } else { "c" };
        let mut arguments: Vec<OsString> = vec!["-x".into(), language.into()];
        let told = self.told();
        let parent = told.parent().filter(|folder| !folder.as_os_str().is_empty());
        match (&self.piped, parent) {
            (None, _) => arguments.push(told.clone().into_os_string()),
            // Headers beside the file are found as if clang had opened it.
            (Some(_), Some(folder)) => {
                arguments.extend(["-iquote".into(), plain_name(folder).into(), "-".into()])
            }
            (Some(_), None) => arguments.push("-".into()),
        }
        arguments
    }

    /// The path as clang is told it and as debug information names it.
    pub fn told(&self) -> PathBuf {
        match (&self.folder, &self.piped) {
            // The path is meant from here.
            (Some(_), _) => std::path::absolute(&self.path).unwrap_or_else(|_| self.path.clone()),
            (None, Some(_)) => self.path.clone(),
            (None, None) => plain_name(&self.path),
        }
    }
}

/// A path that clang cannot take for an option or for a file with options.
fn plain_name(path: &Path) -> PathBuf {
    match path.as_os_str().as_encoded_bytes().first() {
        Some(b'-' | b'@') => Path::new(".").join(path),
        _ => path.to_owned(),
    }
}

/// The texts of the files that were compiled, those read before and others as far as they are asked for.
#[derive(Default)]
pub struct Sources {
    texts: HashMap<String, Option<Lines>>,
    compiled: BTreeSet<String>,
}

impl Sources {
    /// The given files, with the texts of those that cannot be read again.
    pub fn new(files: &[Source]) -> Sources {
        let mut sources = Sources::default();
        for source in files {
            let name = source.path.to_string_lossy().into_owned();
            if let Some(text) = &source.piped {
                sources.texts.insert(name.clone(), Some(Lines::new(Arc::clone(text))));
            }
            sources.compiled.insert(name);
        }
        sources
    }

    /// Remembers that a file of this name was compiled.
    pub fn add(&mut self, name: &str) {
        if !self.compiled.contains(name) {
            self.compiled.insert(name.to_owned());
        }
    }

    /// The names of all files that were compiled.
    pub fn compiled(self) -> BTreeSet<String> {
        self.compiled
    }

    /// The text of a file that was compiled; positions may name others, by `#line`.
    pub fn text(&mut self, path: &str) -> Option<&Lines> {
        if !self.compiled.contains(path) {
            return None;
        }
        self.texts.entry(path.to_owned()).or_insert_with(|| read_again(path).map(Lines::new)).as_ref()
    }
}

/// Reads a regular file.
fn read_again(path: &str) -> Option<Text> {
    let metadata = std::fs::metadata(path).ok()?;
    let readable = metadata.is_file() && metadata.len() <= MOST_BYTES;
    readable.then(|| std::fs::read(path).ok().map(Arc::new)).flatten()
}

/// What binary data a file with this start holds.
fn binary(start: &[u8]) -> Option<&'static str> {
    match start {
        [b'B', b'C', 0xC0, 0xDE, ..] => Some("it is LLVM bitcode"),
        [0x7F, b'E', b'L', b'F', ..] => Some("it is a compiled ELF file"),
        [b'!', b'<', b'a', b'r', ..] => Some("it is an archive of object files"),
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => Some("it is UTF-16 text; clang needs UTF-8"),
        _ if start.contains(&0) => Some("it is binary: it has NUL bytes"),
        _ => None,
    }
}

/// True for `/dev/stdin`, `/dev/fd/63` and links to them: what they name here is something else for clang.
fn names_an_open_file(path: &Path) -> bool {
    let mut path = path.to_owned();
    // More links than this do not occur; a loop of links could not have been opened.
    for _ in 0..8 {
        if path.starts_with("/dev") || path.starts_with("/proc") {
            return true;
        }
        let Ok(target) = path.read_link() else { return false };
        path = path.parent().unwrap_or(Path::new("/")).join(target);
    }
    false
}

/// The message of an operating system error without its number.
fn plain(why: &std::io::Error) -> String {
    let text = why.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_lowercase(),
        None => text,
    }
}

/// Blanks the line markers of preprocessed text, which point to files that are not there, so that positions are
/// those of the given file.
fn without_positions(text: &[u8]) -> Vec<u8> {
    let mut result = Vec::with_capacity(text.len());
    for line in text.split_inclusive(|&b| b == b'\n') {
        if is_line_marker(line) {
            result.push(b'\n');
        } else {
            result.extend_from_slice(line);
        }
    }
    result
}

/// True for `# 12 "file.c" 3 4` and `#line 12 "file.c"`.
fn is_line_marker(line: &[u8]) -> bool {
    let Some(rest) = line.trim_ascii_start().strip_prefix(b"#") else { return false };
    let rest = rest.trim_ascii_start();
    let rest = rest.strip_prefix(b"line").unwrap_or(rest).trim_ascii_start();
    rest.first().is_some_and(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_markers_are_blanked_and_lines_keep_their_numbers() {
        let text = b"# 1 \"a.c\"\nint x;\n#pragma pack(1)\n # 7 \"b.h\" 3 4\nint y;";
        let result = String::from_utf8(without_positions(text)).unwrap();
        assert_eq!(result, "\nint x;\n#pragma pack(1)\n\nint y;");
    }

    #[test]
    fn names_are_never_options() {
        for (name, told) in [("-x.c", "./-x.c"), ("@r.c", "./@r.c"), ("a/-b.c", "a/-b.c"), ("/a.c", "/a.c")] {
            assert_eq!(plain_name(Path::new(name)), Path::new(told));
        }
    }

    #[test]
    fn only_compiled_files_are_read() {
        assert!(Sources::default().text("/etc/hosts").is_none());
    }

    #[test]
    fn links_to_open_files_are_seen_through() {
        assert!(names_an_open_file(Path::new("/dev/stdin")));
        assert!(names_an_open_file(Path::new("/proc/self/fd/0")));
        assert!(!names_an_open_file(Path::new("a.c")));
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link.c");
        std::os::unix::fs::symlink("/dev/stdin", &link).unwrap();
        assert!(names_an_open_file(&link));
    }
}
