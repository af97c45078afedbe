//! The engine alone on the unsafe cases: none of them may be proved.

use crate::oracle::{Opinion, opinion};
use heapproof_frontend as frontend;
use heapproof_ir::Target;
use std::path::{Path, PathBuf};

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

#[test]
fn no_unsafe_case_is_proved() {
    let (mut suspected, mut open) = (0, 0);
    for path in files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases")) {
        let text = std::fs::read_to_string(&path).expect("a file that can be read");
        let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name));
        let class = field("// error: ").and_then(|error| error.split(' ').next());
        let Some(property) = field("// property: ").and_then(|asked| narrowest(asked, class)) else {
            continue;
        };
        if field("// verdict: ") != Some("unsafe") || !text.contains(" main(") {
            continue;
        }
        let target = if field("// target: ") == Some("ilp32") { Target::Ilp32 } else { Target::Lp64 };
        let options = frontend::Options { target, ..frontend::Options::default() };
        let program = frontend::compile(std::slice::from_ref(&path), &options).expect("it compiles").program;
        let properties = property.parse().expect("known properties");
        match opinion(&program, &properties, CONFIGURATIONS) {
            Opinion::Proved => panic!("{} is proved", path.display()),
            Opinion::Suspected => suspected += 1,
            Opinion::Open => open += 1,
        }
    }
    println!("{suspected} suspected, {open} left open");
    // A case that is left open shows nothing.
    assert!(suspected > 100 && suspected > 2 * open, "{suspected} suspected, {open} left open");
}
