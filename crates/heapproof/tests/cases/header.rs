//! A case: a C file whose header comments state the truth; the format is in `cases/README.md`.

use heapproof_ir::Target;
use heapproof_verdict::{ErrorClass, PropertySet, Verdict};
use std::path::{Path, PathBuf};

/// A place where an error of a class is right.
pub type Stated = (ErrorClass, u32);

/// What the header says of one function.
#[derive(Debug, Clone)]
pub struct Function {
    pub name: String,
    pub verdict: Verdict,
    pub errors: Vec<Stated>,
}

/// A program or a module with its truth.
#[derive(Debug, Clone)]
pub struct Case {
    /// Folder and file name, and the macro that a variant defines.
    pub name: String,
    pub path: PathBuf,
    pub target: Target,
    pub property: PropertySet,
    pub verdict: Verdict,
    /// Classes and lines that are right, the proper one first.
    pub errors: Vec<Stated>,
    /// A module without `main` is judged function by function.
    pub has_main: bool,
    pub functions: Vec<Function>,
    /// What functions may assume, by name.
    pub requires: Vec<(String, String)>,
    /// Macros of a variant, as options of the compiler.
    pub defines: Vec<String>,
}

/// The folder of all cases.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases")
}

/// Every C file below a folder, in order.
pub fn c_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            c_files(&path, found);
        } else if path.extension().is_some_and(|e| e == "c") {
            found.push(path);
        }
    }
}

/// The lines `// key: value` at the start of a file.
struct Header<'t>(Vec<(&'t str, &'t str)>);

impl<'t> Header<'t> {
    fn of(text: &'t str) -> Self {
        let lines = text.lines().map_while(|line| line.strip_prefix("// "));
        let pairs = lines.filter_map(|line| line.split_once(": "));
        Self(pairs.map(|(key, value)| (key, value.trim())).collect())
    }

    fn all(&self, key: &str) -> impl Iterator<Item = &'t str> {
        self.0.iter().filter(move |(k, _)| *k == key).map(|(_, value)| *value)
    }

    fn need(&self, key: &str) -> Result<&'t str, String> {
        self.all(key).next().ok_or_else(|| format!("no `// {key}:` line"))
    }
}

fn verdict(word: &str) -> Result<Verdict, String> {
    match word {
        "safe" => Ok(Verdict::Safe),
        "unsafe" => Ok(Verdict::Unsafe),
        "unknown" => Ok(Verdict::Unknown),
        other => Err(format!("verdict {other}")),
    }
}

/// Reads `CLASS line N`.
fn stated(text: &str) -> Result<Stated, String> {
    let mut words = text.split_whitespace();
    let class = words.next().and_then(|word| word.parse().ok());
    let line = words.nth(1).and_then(|word| word.trim_end_matches(',').parse().ok());
    class.zip(line).ok_or_else(|| format!("`{text}` is not a class and a line"))
}

/// Reads `NAME VERDICT [CLASS line N]`.
fn function(text: &str, also: &[Stated]) -> Result<Function, String> {
    let (name, rest) = text.split_once(' ').ok_or_else(|| format!("`function: {text}`"))?;
    let (word, error) = rest.split_once(' ').unwrap_or((rest, ""));
    let verdict = verdict(word)?;
    let mut errors = if error.is_empty() { Vec::new() } else { vec![stated(error)?] };
    errors.extend_from_slice(also);
    Ok(Function { name: name.to_owned(), verdict, errors })
}

fn property(name: &str) -> Result<PropertySet, String> {
    let name = if name == "memcleanup" { "memsafety+memcleanup" } else { name };
    name.parse().map_err(|error| format!("{error}"))
}

/// Reads a case.
pub fn read(path: &Path) -> Result<Case, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let header = Header::of(&text);
    let name = path.strip_prefix(folder()).unwrap().with_extension("");
    let name = name.to_string_lossy().into_owned();
    if header.need("case")? != name {
        return Err(format!("the header calls it {}", header.need("case")?));
    }
    let target = match header.need("target")? {
        "lp64" => Target::Lp64,
        "ilp32" => Target::Ilp32,
        other => return Err(format!("target {other}")),
    };
    let errors = header.all("error").chain(header.all("also")).map(stated).collect::<Result<Vec<_>, _>>()?;
    let functions =
        header.all("function").map(|text| function(text, &errors)).collect::<Result<Vec<_>, _>>()?;
    let requires = header
        .all("requires")
        .map(|text| text.split_once(": ").ok_or_else(|| format!("`requires: {text}`")))
        .map(|pair| pair.map(|(name, formula)| (name.to_owned(), formula.to_owned())))
        .collect::<Result<Vec<_>, _>>()?;
    let verdict = verdict(header.need("verdict")?)?;
    let has_main = text.lines().any(|line| line.contains(" main("));
    if verdict == Verdict::Unsafe && errors.is_empty() && functions.is_empty() {
        return Err("unsafe, but no `// error:` line".to_owned());
    }
    let property = property(header.need("property")?)?;
    let defines = Vec::new();
    Ok(Case {
        name,
        path: path.to_owned(),
        target,
        property,
        verdict,
        errors,
        has_main,
        functions,
        requires,
        defines,
    })
}
