//! `--compile-commands`: how a build compiles its files, from a compilation database.

use super::args::{LimitArgs, Source, TargetName};
use super::compiler;
use super::output::words;
use crate::watch::within;
use heapproof_frontend::FileOptions;
use serde::Deserialize;
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The most bytes of a database.
const MOST_BYTES: u64 = 64 << 20;

/// How one file is compiled.
#[derive(Debug, Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    #[serde(default)]
    arguments: Vec<String>,
    #[serde(default)]
    command: String,
}

/// Gives each file the options of the database; all of its C files are taken if none is given.
pub fn apply(source: &mut Source, limits: LimitArgs) -> Result<(), String> {
    let Some(path) = source.compile_commands.clone() else { return Ok(()) };
    let entries = read(&path, limits)?;
    if source.files.is_empty() {
        let is_c = |entry: &&Entry| entry.file.extension().is_some_and(|e| e == "c" || e == "i");
        for entry in entries.iter().filter(is_c) {
            let name = entry.name();
            if !source.files.contains(&name) {
                source.files.push(name);
            }
        }
    }
    let mut machines = Vec::new();
    for file in &source.files {
        let wanted = std::path::absolute(file).ok().map(|file| file.canonicalize().unwrap_or(file));
        let mut all = entries.iter().filter(|entry| wanted.is_some() && entry.place() == wanted);
        let entry =
            all.next().ok_or_else(|| format!("{} says nothing of {}", path.display(), file.display()))?;
        let (options, target) = entry.options(file);
        for other in all {
            let (others, machine) = other.options(file);
            if (&others.arguments, &others.folder, machine) != (&options.arguments, &options.folder, target) {
                source.left_out.push(format!(
                    "{} as `{}` compiles it",
                    file.display(),
                    other.line().join(" ")
                ));
            }
        }
        source.entries.push(options);
        machines.push(target);
    }
    match machines.as_slice() {
        [] => Err(format!("{} has no C file", path.display())),
        [first, rest @ ..] if rest.iter().any(|other| other != first) => {
            Err(format!("{} compiles the files for different machines (-m32)", path.display()))
        }
        [Some(target), ..] => {
            source.target = *target;
            Ok(())
        }
        [None, ..] => Ok(()),
    }
}

fn read(path: &Path, limits: LimitArgs) -> Result<Vec<Entry>, String> {
    let failed = |why: &dyn std::fmt::Display| format!("cannot read {}: {why}", path.display());
    let deadline = Instant::now() + Duration::from_secs_f64(limits.timeout);
    let file = path.to_owned();
    let text = within(Some(deadline), move || {
        let mut text = Vec::new();
        File::open(file)?.take(MOST_BYTES + 1).read_to_end(&mut text).map(|_| text)
    });
    let text =
        text.ok_or_else(|| failed(&"it does not end within the time limit"))?.map_err(|why| failed(&why))?;
    if text.len() as u64 > MOST_BYTES {
        return Err(failed(&"it is larger than 64 MiB"));
    }
    serde_json::from_slice(&text).map_err(|why| failed(&format_args!("it is no compilation database: {why}")))
}

impl Entry {
    /// The file as it can be opened from here: as it stands there, if that is possible.
    fn name(&self) -> PathBuf {
        match std::env::current_dir() {
            Ok(here) if here == self.directory => self.file.clone(),
            _ => self.directory.join(&self.file),
        }
    }

    /// The file, for comparison.
    fn place(&self) -> Option<PathBuf> {
        let path = std::path::absolute(self.directory.join(&self.file)).ok()?;
        Some(path.canonicalize().unwrap_or(path))
    }

    /// The words of the command.
    fn line(&self) -> Vec<String> {
        if self.arguments.is_empty() { words(&self.command) } else { self.arguments.clone() }
    }

    /// The options of the file, and the machine that they name.
    fn options(&self, path: &Path) -> (FileOptions, Option<TargetName>) {
        let line = self.line();
        let file = self.file.to_string_lossy();
        let options = line.into_iter().skip(1).filter(|word| *word != file).map(OsString::from);
        let compiler::Split { ours, clang } = compiler::of_build(options);
        let target = ours.iter().rev().find_map(|word| match word.to_str() {
            Some("--target=ilp32") => Some(TargetName::Ilp32),
            Some("--target=lp64") => Some(TargetName::Lp64),
            _ => None,
        });
        (
            FileOptions {
                path: path.to_owned(),
                arguments: clang,
                folder: self.directory.clone(),
                bitcode: None,
            },
            target,
        )
    }
}
