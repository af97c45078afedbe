//! Every case of `cases/` against the truth in its header; see `cases/README.md`.

use heapproof::check::{self, Options};
use heapproof::engines::random::Budget;
use heapproof::progress::Progress;
use heapproof_engine::Environment;
use heapproof_ir::Target;
use heapproof_verdict::{Answer, ErrorClass, PropertySet, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The engine that is measured.
const ENGINE: &str = "auto";

/// A program with its truth.
#[derive(Debug)]
struct Case {
    name: String,
    path: PathBuf,
    target: Target,
    /// What can be checked of what the header asks for; none if no engine can.
    property: Option<PropertySet>,
    verdict: Verdict,
    /// Classes and lines that are right, the proper one first.
    errors: Vec<(ErrorClass, u32)>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases")
}

fn c_files(folder: &Path, found: &mut Vec<PathBuf>) {
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

fn read(path: &Path) -> Result<Case, String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let header: Vec<(&str, &str)> = text
        .lines()
        .map_while(|line| line.strip_prefix("// "))
        .filter_map(|line| line.split_once(": "))
        .map(|(key, value)| (key, value.trim()))
        .collect();
    let get = |key: &str| header.iter().find(|(k, _)| *k == key).map(|(_, value)| *value);
    let need = |key: &str| get(key).ok_or_else(|| format!("no `// {key}:` line"));
    let name = path.strip_prefix(folder()).unwrap().with_extension("");
    let name = name.to_string_lossy().into_owned();
    if need("case")? != name {
        return Err(format!("the header calls it {}", need("case")?));
    }
    let target = match need("target")? {
        "lp64" => Target::Lp64,
        "ilp32" => Target::Ilp32,
        other => return Err(format!("target {other}")),
    };
    let property = match need("property")? {
        "memcleanup" => Some("memsafety+memcleanup".parse().unwrap()),
        "data-structure" => Some("data-structure".parse().unwrap()),
        "contracts" => None,
        name => Some(name.parse().map_err(|e| format!("{e}"))?),
    };
    let verdict = match need("verdict")? {
        "safe" => Verdict::Safe,
        "unsafe" => Verdict::Unsafe,
        other => return Err(format!("verdict {other}")),
    };
    let mut errors = Vec::new();
    for wanted in ["error", "also"] {
        for (_, value) in header.iter().filter(|(key, _)| *key == wanted) {
            let mut words = value.split_whitespace();
            let class = words.next().and_then(|w| w.parse().ok());
            let line = words.nth(1).and_then(|w| w.trim_end_matches(',').parse().ok());
            match (class, line) {
                (Some(class), Some(line)) => errors.push((class, line)),
                _ => return Err(format!("`{wanted}: {value}` is not a class and a line")),
            }
        }
    }
    let main = text.lines().any(|line| line.contains(" main("));
    let property = property.filter(|_| main);
    if verdict == Verdict::Unsafe && errors.is_empty() && main {
        return Err("unsafe, but no `// error:` line".to_owned());
    }
    Ok(Case { name, path: path.to_owned(), target, property, verdict, errors })
}

fn options(case: &Case) -> Options {
    Options {
        max_memory: 64 << 20,
        random: Budget { executions: 600, steps: 1_500_000, first_steps: 4_000, ..Budget::default() },
        configurations: 8_000,
        // What needs a solver has tests of its own; with one this takes too long.
        solver: "/none".to_owned(),
        ..Options::new(Environment::usual(case.target, case.property.clone().unwrap()))
    }
}

/// What is wrong with an answer, if anything.
fn contradiction(case: &Case, answer: &Answer) -> Option<String> {
    match (case.verdict, answer.verdict) {
        // An execution that did not show its error again; what a proof suspects is no contradiction.
        (_, Verdict::Unknown) if !answer.suspicions.is_empty() && answer.engine == "random" => {
            Some(format!("not confirmed: {}", answer.reason.as_deref().unwrap_or_default()))
        }
        (_, Verdict::Unknown) | (Verdict::Safe, Verdict::Safe) => None,
        (Verdict::Unsafe, Verdict::Safe) => Some("unsafe, but the answer is safe".to_owned()),
        (truth, Verdict::Unsafe) => {
            let found = &answer.violations[0];
            // Further confirmed errors of an unsafe program contradict nothing.
            let right = answer.violations.iter().any(|found| {
                let here = Path::new(&found.location.file).file_name() == case.path.file_name();
                here && case.errors.contains(&(found.class, found.location.line))
            });
            if right && truth == Verdict::Unsafe {
                return None;
            }
            let wanted: Vec<String> = case.errors.iter().map(|(c, l)| format!("{c} line {l}")).collect();
            let wanted = if wanted.is_empty() { "safe".to_owned() } else { wanted.join(" or ") };
            let inputs = found.inputs.as_deref().unwrap_or_default();
            Some(format!(
                "is {wanted}, but the answer is {} at {}:{}: {} (inputs {inputs})",
                found.class, found.location.file, found.location.line, found.message
            ))
        }
        (Verdict::Unknown, _) => unreachable!("no case is unknown"),
    }
}

/// Answers, or what went wrong.
fn answers(cases: &[Case]) -> BTreeMap<String, Result<Answer, String>> {
    let queue = Mutex::new(cases.iter());
    let answers = Mutex::new(BTreeMap::new());
    let threads = std::thread::available_parallelism().map_or(2, |n| n.get());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let work = || {
                while let Some(case) = { queue.lock().unwrap().next() } {
                    let check =
                        || check::check(std::slice::from_ref(&case.path), &options(case), &Progress::new());
                    let answer = match std::panic::catch_unwind(check) {
                        Ok(Ok(checked)) => Ok(checked.answer),
                        Ok(Err(failure)) => Err(failure.to_string()),
                        Err(_) => Err("panic".to_owned()),
                    };
                    answers.lock().unwrap().insert(case.name.clone(), answer);
                }
            };
            std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, work).unwrap();
        }
    });
    answers.into_inner().unwrap()
}

/// The names listed under the engine in the record.
fn recorded(text: &str) -> BTreeSet<String> {
    text.lines()
        .skip_while(|line| line.trim() != format!("[{ENGINE}]"))
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.trim().strip_prefix('"')?.split_once('"').map(|(name, _)| name.to_owned()))
        .collect()
}

fn record(unknown: &BTreeSet<String>) -> String {
    let mut text = String::from(
        "# Cases whose truth is known and whose answer is `unknown`, by engine.\n\
         # Rewritten by `UPDATE_CASES=1 cargo test -p heapproof --test cases`; see README.md.\n",
    );
    let _ = write!(text, "\n[{ENGINE}]\nunknown = [\n");
    for name in unknown {
        let _ = writeln!(text, "    \"{name}\",");
    }
    text.push_str("]\n");
    text
}

#[test]
fn cases() {
    let mut files = Vec::new();
    c_files(&folder(), &mut files);
    assert!(files.len() > 200, "where are the cases?");
    let mut wrong = Vec::new();
    let mut cases = Vec::new();
    for path in &files {
        match read(path) {
            Ok(case) => cases.push(case),
            Err(error) => wrong.push(format!("{}: {error}", path.display())),
        }
    }
    cases.retain(|case| case.property.is_some());
    let answers = answers(&cases);
    let mut unknown = BTreeSet::new();
    for case in &cases {
        match &answers[&case.name] {
            Err(error) => wrong.push(format!("{}: {error}", case.name)),
            Ok(answer) => {
                wrong.extend(contradiction(case, answer).map(|text| format!("{}: {text}", case.name)));
                if answer.verdict == Verdict::Unknown {
                    unknown.insert(case.name.clone());
                    if case.verdict == Verdict::Unsafe {
                        println!("{}: {}", case.name, answer.reason.as_deref().unwrap_or_default());
                    }
                }
            }
        }
    }
    println!("{} cases, {} unknown", cases.len(), unknown.len());
    let path = folder().join("imprecision.toml");
    let known = recorded(&std::fs::read_to_string(&path).unwrap_or_default());
    if std::env::var_os("UPDATE_CASES").is_some() {
        std::fs::write(&path, record(&unknown)).unwrap();
    } else {
        wrong.extend(unknown.difference(&known).map(|name| format!("{name}: has become unknown")));
        wrong.extend(
            known.difference(&unknown).map(|name| {
                format!("{name}: is decided now, well done; update the record with UPDATE_CASES=1")
            }),
        );
    }
    assert!(wrong.is_empty(), "{} cases are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_record_is_read_back() {
    let names: BTreeSet<String> = ["a/b", "c/d"].map(String::from).into();
    assert_eq!(recorded(&record(&names)), names);
}
