//! The engine alone on the unsafe cases: none of them may be proved.

use crate::oracle::{Opinion, opinion};
use heapproof_frontend as frontend;
use heapproof_ir::Target;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The most configurations of one case.
const CONFIGURATIONS: u64 = 2_000;

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the cases are there").flatten();
    let (folders, mut files): (Vec<PathBuf>, Vec<PathBuf>) =
        entries.map(|entry| entry.path()).partition(|path| path.is_dir());
    files.retain(|path| path.extension().is_some_and(|ext| ext == "c"));
    files.extend(folders.iter().flat_map(|folder| self::files(folder)));
    files
}

/// The least that can be asked so that an error of a class counts: where more is asked, something else may keep the engine from
/// a proof.
fn narrowest(asked: &str, class: Option<&str>) -> Option<&'static str> {
    match (asked, class) {
        ("memcleanup", _) => Some("memsafety,memcleanup"),
        ("assertions", _) => Some("assertions"),
        ("unreach-call", _) => Some("unreach-call"),
        ("memsafety", Some("double-free" | "invalid-free")) => Some("valid-free"),
        ("memsafety", Some("leak" | "overlapping-copy")) => Some("memsafety"),
        ("memsafety", _) => Some("valid-deref"),
        _ => None,
    }
}

/// What the engine says about a case with an error; none if it is no such case.
fn opinion_of(path: &Path) -> Option<Opinion> {
    let text = std::fs::read_to_string(path).expect("a file that can be read");
    let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name));
    let class = field("// error: ").and_then(|error| error.split(' ').next());
    let property = field("// property: ").and_then(|asked| narrowest(asked, class))?;
    if field("// verdict: ") != Some("unsafe") || !text.contains(" main(") {
        return None;
    }
    let target = if field("// target: ") == Some("ilp32") { Target::Ilp32 } else { Target::Lp64 };
    let options = frontend::Options { target, ..frontend::Options::default() };
    let mut program = frontend::compile(&[path.to_owned()], &options).expect("it compiles").program;
    heapproof_libc::link(&mut program, |_| true);
    Some(opinion(&program, &property.parse().expect("known properties"), CONFIGURATIONS))
}

#[test]
fn no_unsafe_case_is_proved() {
    let waiting = Mutex::new(files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases")));
    let next = || waiting.lock().expect("nobody panicked").pop();
    let work = || {
        let mut opinions = Vec::new();
        while let Some(path) = next() {
            let opinion = opinion_of(&path);
            assert!(opinion != Some(Opinion::Proved), "{} is proved", path.display());
            opinions.extend(opinion);
        }
        opinions
    };
    let workers = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let opinions: Vec<Opinion> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no case is proved")).collect()
    });
    let suspected = opinions.iter().filter(|opinion| **opinion == Opinion::Suspected).count();
    let open = opinions.len() - suspected;
    println!("{suspected} suspected, {open} left open");
    // A case that is left open shows nothing.
    assert!(suspected > 100 && suspected > 2 * open, "{suspected} suspected, {open} left open");
}
