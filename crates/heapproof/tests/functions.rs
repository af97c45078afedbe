//! Every module of `cases/` that is judged function by function, against the lines `// function:` of its header.

use heapproof::check::{self, Options};
use heapproof::progress::Progress;
use heapproof_engine::Environment;
use heapproof_ir::Target;
use heapproof_verdict::Verdict;
use std::path::{Path, PathBuf};

/// Functions whose truth is known and whose answer is `unknown`: they free nodes, for which one has to know the shape.
const UNKNOWN: [&str; 9] = [
    "aanode_free",
    "aatree_free",
    "bst_delete",
    "bst_free",
    "dlist_delete_link",
    "dlist_free",
    "slist_delete_link",
    "slist_free",
    "slist_free_1",
];

fn modules() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/dsic");
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    found.retain(|path| path.file_name().unwrap().to_string_lossy().starts_with("lib_"));
    found.sort();
    found
}

/// What is wrong, and which functions are not decided.
fn judge(path: &Path, defines: &[&str]) -> (Vec<String>, Vec<String>) {
    let text = std::fs::read_to_string(path).unwrap();
    let header: Vec<(&str, &str)> =
        text.lines().map_while(|line| line.strip_prefix("// ")?.split_once(": ")).collect();
    let mut environment = Environment::usual(Target::Lp64, "data-structure".parse().unwrap());
    for (_, value) in header.iter().filter(|(key, _)| *key == "requires") {
        let (name, formula) = value.split_once(": ").unwrap();
        environment.requires.entry(name.to_owned()).or_default().push(formula.to_owned());
    }
    let mut options = Options::new(environment);
    options.frontend.clang_args.extend(defines.iter().map(|d| (*d).to_owned()));
    let checked = check::check(&[path.to_owned()], &options, &Progress::new()).unwrap();
    let also: Vec<&str> =
        header.iter().filter(|(key, _)| ["also", "error"].contains(key)).map(|(_, value)| *value).collect();
    let (mut wrong, mut unknown) = (Vec::new(), Vec::new());
    for (_, value) in header.iter().filter(|(key, _)| *key == "function") {
        let words: Vec<&str> = value.split(' ').collect();
        let answer = checked.answer.functions.iter().find(|f| f.name == words[0]).unwrap();
        match (words[1], answer.verdict) {
            (_, Verdict::Unknown) => unknown.push(answer.name.clone()),
            ("safe", Verdict::Safe) => {}
            ("unsafe", Verdict::Unsafe) => {
                let told: Vec<String> = answer
                    .violations
                    .iter()
                    .map(|v| format!("{} line {}", v.class, v.location.line))
                    .collect();
                let stated = |t: &String| words[2..].join(" ") == *t || also.contains(&t.as_str());
                if !told.iter().any(stated) {
                    wrong.push(format!("{}: {value}, but {told:?}", path.display()));
                }
            }
            (_, verdict) => wrong.push(format!("{}: {value}, but {verdict:?}", path.display())),
        }
    }
    (wrong, unknown)
}

fn check_all(defines: &[&str], skip: &str) {
    let (mut wrong, mut unknown) = (Vec::new(), Vec::new());
    for path in modules().iter().filter(|path| !path.ends_with(skip)) {
        let (bad, open) = judge(path, defines);
        wrong.extend(bad);
        unknown.extend(open);
    }
    unknown.sort();
    unknown.dedup();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(unknown, UNKNOWN);
}

#[test]
fn every_function_of_the_modules() {
    check_all(&[], "none");
}

#[test]
fn every_function_with_zeroed_memory() {
    check_all(&["-DZMALLOC"], "lib_dlist_copy_unsafe.c");
}
