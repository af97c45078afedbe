//! What a build does: the compilations and link lines of a project, and where it is.

use crate::cli::args::Check;
use heapproof_project::call::{self, Compile, Link, normal};
use heapproof_project::config::{Config, NAME, patterns};
use heapproof_project::database::{self, Database};
use heapproof_project::{Cause, NotAnalysed, find};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A compilation, and all places where its object was put.
#[derive(Debug)]
pub struct Entry {
    /// The compilation.
    pub compile: Compile,
    /// The objects: the same compilation may be made several times.
    pub objects: Vec<PathBuf>,
}

/// What is known of a project before anything is compiled.
#[derive(Debug)]
pub struct Project {
    /// Its root.
    pub root: PathBuf,
    /// What its file says.
    pub config: Config,
    /// Its compilations, each once.
    pub entries: Vec<Entry>,
    /// Its link lines.
    pub links: Vec<Link>,
    /// What cannot be analysed.
    pub not_analysed: Vec<NotAnalysed>,
}

/// Reads the description of a build.
pub fn read(args: &Check) -> Result<Project, String> {
    let folder = args.source.files.first().map(|folder| real(folder)).transpose()?;
    let config = folder.as_deref().map(Config::read).transpose()?.unwrap_or_default();
    let of_config = || Some(folder.as_ref()?.join(config.compile_commands.as_ref()?));
    let named = args.source.compile_commands.clone();
    let path = named.or_else(of_config).or_else(|| find::database(folder.as_ref()?));
    let database = match (&path, &folder) {
        (Some(path), _) => database::read(path)?,
        (None, Some(folder)) => find::all_files(folder),
        (None, None) => return Err("a file, a directory or --compile-commands is needed".to_owned()),
    };
    let calls = understood(database);
    let root = match (folder, &path) {
        (Some(folder), _) => folder,
        (None, Some(path)) => root_of(path, &calls.entries)?,
        (None, None) => return Err("there is nothing to check".to_owned()),
    };
    // A database that is named may lie in a project with a file of its own.
    let config = if config == Config::default() { Config::read(&root)? } else { config };
    let mut project = Project { root, config, ..calls };
    project.relative();
    project.exclude()?;
    if project.entries.is_empty() && project.not_analysed.is_empty() {
        let place = path.unwrap_or(project.root);
        return Err(format!("the directory {} has no C file", place.display()));
    }
    Ok(project)
}

fn real(folder: &Path) -> Result<PathBuf, String> {
    folder.canonicalize().map_err(|why| format!("cannot read {}: {why}", folder.display()))
}

/// Says what each call does; equal compilations are one.
fn understood(database: Database) -> Project {
    let mut project = Project {
        root: PathBuf::new(),
        config: Config::default(),
        entries: Vec::new(),
        links: Vec::new(),
        not_analysed: database.broken,
    };
    let mut known: HashMap<(PathBuf, PathBuf, Vec<String>), usize> = HashMap::new();
    for call in &database.calls {
        let done = match call::understand(call) {
            Ok(done) => done,
            Err(reason) => {
                let subject = call.file.as_ref().map_or_else(
                    || call.arguments.join(" "),
                    |file| normal(&call.directory.join(file)).display().to_string(),
                );
                project.not_analysed.push(NotAnalysed {
                    cause: Cause::BrokenEntry,
                    subject,
                    reason,
                    accepted: false,
                });
                continue;
            }
        };
        project.not_analysed.extend(done.not_analysed);
        project.links.extend(done.link);
        if let Some((from, to)) = done.moved {
            project.moved(&from, &to);
        }
        for compile in done.compiles {
            let object = compile.object.clone();
            let key = (compile.source.clone(), compile.directory.clone(), compile.options.clone());
            let at = *known.entry(key).or_insert_with(|| {
                project.entries.push(Entry { compile, objects: Vec::new() });
                project.entries.len() - 1
            });
            project.entries[at].objects.push(object);
        }
    }
    project
}

/// The root of the project that a database belongs to: the folder above it with `heapproof.toml` or `.git`, else the folder that
/// holds it and all sources.
fn root_of(path: &Path, entries: &[Entry]) -> Result<PathBuf, String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = real(folder)?;
    let is_root = |folder: &&Path| folder.join(NAME).is_file() || folder.join(".git").exists();
    if let Some(root) = folder.ancestors().find(is_root) {
        return Ok(root.to_owned());
    }
    let holds_all = |root: &&Path| entries.iter().all(|entry| entry.compile.source.starts_with(root));
    let common = folder.ancestors().find(holds_all).filter(|root| root.parent().is_some());
    Ok(common.unwrap_or(&folder).to_owned())
}

impl Project {
    /// The name of a file: from the root, if it is below.
    pub fn name(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).display().to_string()
    }

    /// A file is at another place, too.
    fn moved(&mut self, from: &Path, to: &Path) {
        let made = |entry: &&mut Entry| entry.objects.iter().any(|object| object == from);
        if let Some(entry) = self.entries.iter_mut().rev().find(made) {
            entry.objects.push(to.to_owned());
        }
        if let Some(link) = self.links.iter().rev().find(|link| link.output == from) {
            self.links.push(Link { output: to.to_owned(), ..link.clone() });
        }
    }

    fn relative(&mut self) {
        let start = format!("{}/", self.root.display());
        for entry in &mut self.not_analysed {
            entry.subject = entry.subject.replace(&start, "");
            entry.reason = entry.reason.replace(&start, "");
        }
    }

    /// Leaves out what the user excluded; that is listed, and accepted.
    fn exclude(&mut self) -> Result<(), String> {
        let excluded = patterns(&self.config.exclude)?;
        let (out, kept) = std::mem::take(&mut self.entries)
            .into_iter()
            .partition(|entry| excluded.is_match(self.name(&entry.compile.source)));
        self.entries = kept;
        for entry in &mut self.not_analysed {
            entry.accepted |= excluded.is_match(&entry.subject);
        }
        let out: Vec<Entry> = out;
        let left_out = out.iter().map(|entry| NotAnalysed {
            cause: Cause::Excluded,
            subject: self.name(&entry.compile.source),
            reason: format!("excluded by {NAME}"),
            accepted: true,
        });
        let left_out: Vec<NotAnalysed> = left_out.collect();
        self.not_analysed.extend(left_out);
        Ok(())
    }
}
