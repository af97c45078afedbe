//! Compilation databases (`compile_commands.json`, of CMake, Meson, bear and others), records of builds (`heapproof capture`), and
//! the link lines that CMake leaves beside its database.

use crate::words::split;
use crate::{Cause, NotAnalysed};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The most bytes of a database.
const MOST_BYTES: u64 = 64 << 20;

/// One call of a compiler, archiver or linker, as it was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// Where it was made.
    pub directory: PathBuf,
    /// The program and its arguments.
    pub arguments: Vec<String>,
    /// The file that an entry of a database is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// The object that it makes, if an entry of a database says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<PathBuf>,
}

/// What a database says.
#[derive(Clone, Debug, Default)]
pub struct Database {
    /// Its calls, in order.
    pub calls: Vec<Call>,
    /// Entries that cannot be understood.
    pub broken: Vec<NotAnalysed>,
}

/// An entry as it stands in the file.
#[derive(Deserialize)]
struct Entry {
    directory: Option<PathBuf>,
    file: Option<PathBuf>,
    arguments: Option<Vec<String>>,
    command: Option<String>,
    output: Option<PathBuf>,
}

/// Reads a database. Only what is wrong with all of it is an error; broken entries are listed.
pub fn read(path: &Path) -> Result<Database, String> {
    let failed = |why: &dyn std::fmt::Display| format!("cannot read {}: {why}", path.display());
    let mut text = Vec::new();
    let file = File::open(path).map_err(|why| failed(&why))?;
    file.take(MOST_BYTES + 1).read_to_end(&mut text).map_err(|why| failed(&why))?;
    if text.len() as u64 > MOST_BYTES {
        return Err(failed(&"it is larger than 64 MiB"));
    }
    let entries: Vec<serde_json::Value> = serde_json::from_slice(&text)
        .map_err(|why| failed(&format_args!("it is no compilation database: {why}")))?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let mut database = Database::default();
    for (index, entry) in entries.into_iter().enumerate() {
        match understand(entry, &folder) {
            Ok(call) => database.calls.push(call),
            Err(why) => database.broken.push(NotAnalysed {
                cause: Cause::BrokenEntry,
                subject: format!("entry {} of {}", index + 1, path.display()),
                reason: why,
                accepted: false,
            }),
        }
    }
    database.calls.extend(cmake_links(&folder));
    Ok(database)
}

fn understand(entry: serde_json::Value, folder: &Path) -> Result<Call, String> {
    let entry: Entry = serde_json::from_value(entry).map_err(|why| format!("it is no entry: {why}"))?;
    let arguments = match (entry.arguments, entry.command) {
        (Some(arguments), _) if !arguments.is_empty() => arguments,
        (_, Some(command)) => split(&command),
        _ => return Err("it has neither `arguments` nor a `command`".to_owned()),
    };
    if arguments.is_empty() {
        return Err("its command is empty".to_owned());
    }
    let directory = folder.join(entry.directory.ok_or("it has no `directory`")?);
    if !directory.is_dir() {
        return Err(format!("its directory {} is not there", directory.display()));
    }
    Ok(Call { directory, arguments, file: entry.file, output: entry.output })
}

/// The link lines that CMake's generator for make writes: `…/CMakeFiles/NAME.dir/link.txt`, meant from the folder above.
fn cmake_links(folder: &Path) -> Vec<Call> {
    if !folder.join("CMakeFiles").is_dir() {
        return Vec::new();
    }
    let mut calls = Vec::new();
    let walk = ignore::WalkBuilder::new(folder)
        .standard_filters(false)
        .sort_by_file_name(std::ffi::OsStr::cmp)
        .build();
    for file in walk.flatten().filter(|entry| entry.file_name() == "link.txt") {
        let place =
            file.path().ancestors().find(|at| at.file_name().is_some_and(|name| name == "CMakeFiles"));
        let directory = place.and_then(Path::parent);
        let (Some(directory), Ok(text)) = (directory, std::fs::read_to_string(file.path())) else { continue };
        calls.extend(text.lines().map(split).filter(|words| !words.is_empty()).map(|arguments| Call {
            directory: directory.to_owned(),
            arguments,
            file: None,
            output: None,
        }));
    }
    calls
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Result<Database, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("db.json");
        std::fs::write(&path, text).unwrap();
        read(&path)
    }

    #[test]
    fn arguments_and_commands() {
        let text = r#"[{"directory": "/", "file": "a.c", "command": "cc -DX='1 2' -c a.c"},
            {"directory": "/tmp", "file": "b.c", "arguments": ["cc", "-c", "b.c"], "output": "b.o"}]"#;
        let database = read_text(text).unwrap();
        assert_eq!(database.calls[0].arguments, ["cc", "-DX=1 2", "-c", "a.c"]);
        assert_eq!(database.calls[1].output.as_deref(), Some(Path::new("b.o")));
        assert!(database.broken.is_empty());
    }

    #[test]
    fn broken_entries_are_listed_and_the_others_read() {
        let text = r#"[7, {"file": "a.c"}, {"directory": "/", "file": "a.c"}, {"directory": "/none", "file": "a.c",
            "command": "cc"}, {"directory": "/", "command": "  ", "file": "x"}, {"directory": "/", "file": "a.c", "command": "cc -c a.c"}]"#;
        let database = read_text(text).unwrap();
        assert_eq!((database.calls.len(), database.broken.len()), (1, 5));
        assert!(database.broken.iter().all(|entry| entry.cause == Cause::BrokenEntry));
    }

    #[test]
    fn what_is_no_database_is_an_error() {
        for text in ["", "{", "{}", "7", "[1,", "\u{0}"] {
            assert!(read_text(text).unwrap_err().contains("no compilation database"), "{text}");
        }
        assert!(read(Path::new("/dev/zero")).unwrap_err().contains("larger than 64 MiB"));
        assert!(read(Path::new("/no/where.json")).is_err());
    }
}
