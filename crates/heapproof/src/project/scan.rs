//! Each file compiled once, or found to be unchanged: symbols for the plan, files for the keys.

use super::Interrupted;
use super::entries::{Entry, Project};
use crate::cli::args::Check;
use crate::cli::compiler;
use blake3::Hash;
use heapproof_frontend::{self as frontend, Error, FileOptions, Symbols};
use heapproof_ir::Target;
use heapproof_project::cache::Cache;
use heapproof_project::files::{Files, Key};
use heapproof_project::manifest::{Manifest, Outcome};
use heapproof_project::plan::Object;
use heapproof_project::{Cause, NotAnalysed};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant, SystemTime};

/// What works on a project: results of another tool are not ours.
#[derive(Clone, Debug)]
pub struct Tool {
    id: Hash,
    solver: Hash,
}

impl Tool {
    /// This program and the solver, by content.
    pub fn new(args: &Check) -> Result<Tool, String> {
        let files = Files::new();
        let ourselves = std::env::current_exe().map_err(|why| format!("cannot find this program: {why}"))?;
        let id = files.content(&ourselves).ok_or("cannot read this program")?;
        let solver = heapproof_process::find(args.solver.as_ref());
        // A solver that is not there is one, too.
        let solver = solver.ok().and_then(|path| files.content(&path)).unwrap_or(blake3::hash(b"none"));
        Ok(Tool { id, solver })
    }

    /// The beginning of a key for results that depend on the tool.
    pub fn key(&self, purpose: &str) -> Key {
        Key::new(purpose).with(self.id.as_bytes()).with(self.solver.as_bytes())
    }
}

/// A file of the project, compiled in one way.
#[derive(Debug)]
pub struct Scanned {
    /// How clang compiles it.
    pub file: FileOptions,
    /// For which machine.
    pub target: Target,
    /// Its name from the root.
    pub name: String,
    /// The objects that a build makes of it.
    places: Vec<PathBuf>,
    /// Symbols, if it compiles.
    symbols: Option<Symbols>,
    /// It has contracts.
    annotated: bool,
    /// What it depends on, if that is known for sure.
    pub manifest: Option<Manifest>,
}

/// All files of a project.
#[derive(Debug, Default)]
pub struct Scan {
    /// In the order of the entries.
    pub files: Vec<Scanned>,
    /// What cannot be analysed.
    pub not_analysed: Vec<NotAnalysed>,
    /// Options that were left out.
    pub notes: BTreeSet<String>,
    /// How many files were compiled.
    pub compiled: u64,
    /// The bitcode of these, until the run is over.
    _bitcode: Option<tempfile::TempDir>,
    /// Files by content.
    pub known: Files,
}

impl Scan {
    /// As the plan wants them.
    pub fn objects(&self) -> Vec<Object> {
        let object = |file: &Scanned| Object {
            source: file.name.clone(),
            places: file.places.clone(),
            options: file.file.arguments.clone(),
            symbols: file.symbols.clone(),
            annotated: file.annotated,
        };
        self.files.iter().map(object).collect()
    }
}

/// What one file came to.
struct Done {
    file: Scanned,
    not_analysed: Option<NotAnalysed>,
    notes: Vec<String>,
}

/// How files are compiled in this run.
struct Work<'a> {
    project: &'a Project,
    tool: &'a Tool,
    cache: &'a Cache,
    clang: &'a [String],
    args: &'a Check,
    folder: &'a Path,
    files: Files,
    compiled: AtomicU64,
}

/// Compiles all files of a project that are not known.
pub fn all(
    project: &Project,
    tool: &Tool,
    cache: &Cache,
    clang: &[String],
    args: &Check,
    interrupted: &Interrupted,
) -> Result<Scan, String> {
    let folder = tempfile::Builder::new().prefix("heapproof-").tempdir();
    let folder = folder.map_err(|why| format!("cannot make a temporary directory: {why}"))?;
    let files = Files::new();
    let work =
        Work { project, tool, cache, clang, args, folder: folder.path(), files, compiled: AtomicU64::new(0) };
    let bar = super::run::bar(project.entries.len() as u64, "compiling");
    let done = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..args.project.jobs() {
            scope.spawn(|| {
                while let Some((at, entry)) = take(&next, &project.entries) {
                    let stopped = interrupted.load(Ordering::Relaxed);
                    let made = if stopped { work.left(entry) } else { work.one(at, entry) };
                    bar.inc(1);
                    done.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push((at, made));
                }
            });
        }
    });
    bar.finish_and_clear();
    let mut done = done.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    done.sort_by_key(|(at, _)| *at);
    let compiled = work.compiled.load(Ordering::Relaxed);
    let mut scan = Scan { compiled, known: work.files, _bitcode: Some(folder), ..Scan::default() };
    let start = format!("{}/", project.root.display());
    for (_, one) in done {
        scan.files.push(one.file);
        let from_root =
            |entry: NotAnalysed| NotAnalysed { reason: entry.reason.replace(&start, ""), ..entry };
        scan.not_analysed.extend(one.not_analysed.map(from_root));
        scan.notes.extend(one.notes);
    }
    Ok(scan)
}

/// The next of a list that several threads work on.
pub fn take<'a, T>(next: &AtomicUsize, list: &'a [T]) -> Option<(usize, &'a T)> {
    let at = next.fetch_add(1, Ordering::Relaxed);
    list.get(at).map(|item| (at, item))
}

impl Work<'_> {
    /// How clang compiles an entry.
    fn file(&self, entry: &Entry) -> Scanned {
        let compile = &entry.compile;
        let split = compiler::of_build(compile.options.iter().map(OsString::from));
        let is_32 = split.ours.iter().any(|word| word == "--target=ilp32")
            || self.args.source.target == crate::cli::args::TargetName::Ilp32;
        let mut arguments = split.clang;
        arguments.extend(self.clang.iter().cloned());
        // `__FILE__` is the name from the root, wherever the project is.
        let root = self.project.root.display().to_string();
        if !root.contains('=') && root != "/" {
            arguments.push(format!("-fmacro-prefix-map={root}/="));
        }
        let name = self.project.name(&compile.source);
        Scanned {
            file: FileOptions {
                path: compile.source.clone(),
                arguments,
                folder: compile.directory.clone(),
                bitcode: None,
            },
            target: if is_32 { Target::Ilp32 } else { Target::Lp64 },
            name,
            places: entry.objects.clone(),
            symbols: None,
            annotated: false,
            manifest: None,
        }
    }

    /// A file that is not compiled, since the user ended the run.
    fn left(&self, entry: &Entry) -> Done {
        let file = self.file(entry);
        let not_analysed =
            file.not_analysed(Cause::Interrupted, "the run was interrupted before it was compiled");
        Done { file, not_analysed: Some(not_analysed), notes: Vec::new() }
    }

    fn one(&self, at: usize, entry: &Entry) -> Done {
        let mut file = self.file(entry);
        let key = self.key(&file);
        let known =
            self.cache.get("manifest", &key).and_then(|bytes| postcard::from_bytes::<Manifest>(&bytes).ok());
        let known = known.filter(|manifest| manifest.holds(&self.project.root, &self.files));
        if let Some(manifest) = known {
            return file.with(manifest);
        }
        self.compiled.fetch_add(1, Ordering::Relaxed);
        let started = SystemTime::now();
        let mut left_out = Vec::new();
        let (scan, annotated) = loop {
            let Some(scan) = self.compile(at, &file) else {
                let why = "the files of a project are compiled by heapproof's own clang, which cannot be started (--clang names another)";
                let not_analysed = Some(file.not_analysed(Cause::OtherCompiler, why));
                return Done { file, not_analysed, notes: Vec::new() };
            };
            let unknown =
                scan.bitcode.as_ref().err().map(|error| unknown_options(error, &file.file.arguments));
            match unknown {
                Some(unknown) if !unknown.is_empty() => {
                    file.file.arguments.retain(|word| !unknown.contains(word));
                    left_out.extend(unknown);
                }
                _ => {
                    let text = std::fs::read(&file.file.path).unwrap_or_default();
                    break (scan, text.windows(3).any(|start| start == b"/*@"));
                }
            }
        };
        if let Ok(bytes) = &scan.bitcode {
            let place = self.folder.join(format!("{at}.bc"));
            if std::fs::write(&place, bytes).is_ok() {
                file.file.bitcode = Some(place);
            }
        }
        let outcome = match scan.bitcode {
            Ok(_) => Outcome::Compiled(scan.symbols),
            Err(Error::Rejected { diagnostics, .. }) => Outcome::Rejected(diagnostics),
            Err(other) => {
                let cause = match other {
                    Error::Timeout { .. } | Error::OutOfMemory { .. } => Cause::Limit,
                    Error::Crashed { .. } => Cause::Crashed,
                    _ => Cause::DoesNotCompile,
                };
                let not_analysed = Some(file.not_analysed(cause, &other.to_string()));
                return Done { file, not_analysed, notes: Vec::new() };
            }
        };
        let asked = scan.asked.unwrap_or_default();
        let manifest = Manifest::of(&asked, outcome.clone(), &self.project.root, &self.files, started);
        let manifest =
            manifest.map(|manifest| Manifest { left_out: left_out.clone(), annotated, ..manifest });
        if let Some(bytes) = manifest.as_ref().and_then(|manifest| postcard::to_allocvec(manifest).ok()) {
            self.cache.put("manifest", &key, &bytes);
        }
        file.done(manifest, outcome, annotated, &left_out)
    }

    fn compile(&self, at: usize, file: &Scanned) -> Option<frontend::Scan> {
        let limits = self.args.execution.limits;
        let options = frontend::Options {
            target: file.target,
            clang: self.args.source.clang.clone(),
            deadline: Some(Instant::now() + Duration::from_secs_f64(limits.timeout)),
            memory: Some(limits.memory << 20),
            ..frontend::Options::default()
        };
        frontend::scan(&file.file, &options, &self.folder.join(format!("{at}.rec")))
    }

    /// What a compilation is, wherever the project lies.
    fn key(&self, file: &Scanned) -> Hash {
        let mut key = self.tool.key("manifest");
        file.add_to(&mut key, &self.project.root);
        key.finish()
    }
}

impl Scanned {
    /// Adds the command to a key; the root of the project is left out of it.
    pub fn add_to(&self, key: &mut Key, root: &Path) {
        let root = root.display().to_string();
        key.add(&self.name);
        key.add(self.file.folder.display().to_string().replace(&root, ""));
        key.add(format!("{:?}", self.target));
        for word in &self.file.arguments {
            key.add(word.replace(&root, ""));
        }
    }

    fn with(self, manifest: Manifest) -> Done {
        let (outcome, annotated) = (manifest.outcome.clone(), manifest.annotated);
        let left_out = manifest.left_out.clone();
        let mut file = self;
        file.file.arguments.retain(|word| !left_out.contains(word));
        file.done(Some(manifest), outcome, annotated, &left_out)
    }

    fn done(
        mut self,
        manifest: Option<Manifest>,
        outcome: Outcome,
        annotated: bool,
        left_out: &[String],
    ) -> Done {
        self.manifest = manifest;
        self.annotated = annotated;
        let notes =
            left_out.iter().map(|word| format!("clang does not know `{word}`, which was left out")).collect();
        match outcome {
            Outcome::Compiled(symbols) => {
                self.symbols = Some(symbols);
                Done { file: self, not_analysed: None, notes }
            }
            Outcome::Rejected(diagnostics) => {
                let (cause, why) = why_rejected(&diagnostics);
                Done { not_analysed: Some(self.not_analysed(cause, &why)), file: self, notes }
            }
        }
    }

    fn not_analysed(&self, cause: Cause, why: &str) -> NotAnalysed {
        NotAnalysed { cause, subject: self.name.clone(), reason: why.to_owned(), accepted: false }
    }
}

/// The options that clang does not know, from what it says.
fn unknown_options(error: &Error, arguments: &[String]) -> Vec<String> {
    const WORDS: [&str; 5] = [
        "unknown argument",
        "unsupported option",
        "unsupported argument",
        "unknown target CPU",
        "invalid value",
    ];
    let Error::Rejected { diagnostics, .. } = error else { return Vec::new() };
    let lines = diagnostics.lines().filter(|line| line.contains("error:"));
    let lines = lines.filter(|line| WORDS.iter().any(|words| line.contains(words)));
    let quoted = lines.flat_map(|line| line.split('\'').skip(1).step_by(2));
    let quoted: BTreeSet<&str> = quoted.filter(|word| !word.is_empty()).collect();
    let is_meant = |argument: &&String| {
        let is_option =
            argument.starts_with("-f") || argument.starts_with("-m") || argument.starts_with("--");
        quoted.contains(argument.as_str())
            || is_option && quoted.iter().any(|word| argument.ends_with(&format!("={word}")))
    };
    arguments.iter().filter(is_meant).cloned().collect()
}

/// Why clang refused a file, in words that say what to do.
fn why_rejected(diagnostics: &str) -> (Cause, String) {
    let missing = diagnostics.lines().find_map(|line| {
        let (place, rest) = line.split_once(": fatal error: '")?;
        let (header, _) = rest.split_once("' file not found")?;
        Some((place.split(':').next().unwrap_or(place), header))
    });
    if let Some((place, header)) = missing {
        let place = Path::new(place).file_name().unwrap_or_default().to_string_lossy();
        let why = format!(
            "{place} includes {header}, which is not there: if the build makes it, build the project first; if it belongs to a \
             library, install that; else -I is missing"
        );
        return (Cause::MissingHeader, why);
    }
    let first =
        diagnostics.lines().find(|line| line.contains("error:")).or_else(|| diagnostics.lines().next());
    let first = first.unwrap_or("clang refused it");
    let why = first.rsplit_once('/').map_or(first, |(_, rest)| rest);
    (Cause::DoesNotCompile, why.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_options_are_found() {
        let error = Error::Rejected {
            path: "a.c".into(),
            diagnostics: "clang: error: unknown argument: '-fno-such'\nclang: error: unsupported argument 'zen9' to option '-march='\n\
                          a.c:1: error: unknown type name 'x'\n"
                .to_owned(),
        };
        let arguments = ["-DX=zen9", "-fno-such", "-march=zen9", "x"].map(str::to_owned);
        assert_eq!(unknown_options(&error, &arguments), ["-fno-such", "-march=zen9"]);
    }

    #[test]
    fn a_missing_header_says_what_to_do() {
        let (cause, why) =
            why_rejected("/p/src/a.c:3:10: fatal error: 'config.h' file not found\n 3 | #include\n");
        assert_eq!(cause, Cause::MissingHeader);
        assert!(why.contains("a.c includes config.h") && why.contains("build the project first"), "{why}");
    }
}
