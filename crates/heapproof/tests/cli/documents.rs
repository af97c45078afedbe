//! The documents: every file that they name exists, and every option that they name is one of the program.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// All documents of the project.
fn documents() -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect(Path::new(ROOT), &mut found);
    found.sort();
    found
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of the project") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            collect(&path, found);
        } else if name.ends_with(".md") {
            found.push(path);
        }
    }
}

/// What stands between `open` and `close`, at every place of the text.
fn between<'a>(text: &'a str, open: &str, close: char) -> Vec<&'a str> {
    text.match_indices(open)
        .filter_map(|(at, _)| {
            let rest = &text[at + open.len()..];
            rest.find(close).map(|end| &rest[..end])
        })
        .collect()
}

/// The name under which a heading can be linked to.
fn anchor(heading: &str) -> String {
    heading
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
        .map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() })
        .collect()
}

fn has_anchor(file: &Path, wanted: &str) -> bool {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    text.lines().any(|line| line.starts_with('#') && anchor(line.trim_start_matches('#').trim()) == wanted)
}

#[test]
fn every_link_of_a_document_leads_to_a_file() {
    let mut broken = Vec::new();
    for document in documents() {
        let text = std::fs::read_to_string(&document).expect("a document");
        for link in between(&text, "](", ')') {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => document.clone(),
                file => document.parent().expect("a folder").join(file),
            };
            let is_right = target.exists() && (heading.is_empty() || has_anchor(&target, heading));
            if !is_right {
                broken.push(format!("{}: {link}", document.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn every_path_that_a_document_names_exists() {
    let mut missing = Vec::new();
    for document in documents() {
        let text = std::fs::read_to_string(&document).expect("a document");
        for name in between(&text, "`", '`') {
            let is_path =
                ["crates/", "cases/", "docs/", "scripts/"].iter().any(|folder| name.starts_with(folder))
                    && name.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
            // Cases are named without `.c`.
            let exists = |ending: &str| Path::new(ROOT).join(format!("{name}{ending}")).exists();
            if is_path && !exists("") && !exists(".c") {
                missing.push(format!("{}: {name}", document.display()));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// The options that the program has, over all its commands.
fn options() -> BTreeSet<String> {
    let help = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_heapproof")).args(arguments).output();
        String::from_utf8_lossy(&output.expect("the program runs").stdout).into_owned()
    };
    let top = help(&["--help"]);
    let commands = top
        .lines()
        .skip_while(|line| !line.starts_with("Commands:"))
        .skip(1)
        .take_while(|line| !line.is_empty());
    let mut texts = vec![top.clone()];
    for command in commands.filter_map(|line| line.split_whitespace().next()) {
        texts.push(help(&[command, "--help"]));
    }
    texts.iter().flat_map(|text| long_options(text)).collect()
}

/// All words of the form `--word` in a text.
fn long_options(text: &str) -> Vec<String> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
        .filter(|word| word.len() > 3 && word.starts_with("--") && word.as_bytes()[2].is_ascii_alphabetic())
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_option_in_a_command_of_a_document_exists() {
    let known = options();
    assert!(known.contains("--timeout"), "the help lists options: {known:?}");
    let mut unknown = Vec::new();
    for document in documents().iter().filter(|document| !document.ends_with("CHANGELOG.md")) {
        let text = std::fs::read_to_string(document).expect("a document");
        let commands = text.lines().map(|line| line.trim_start().trim_start_matches("$ "));
        for line in commands.filter(|line| line.starts_with("heapproof ")) {
            // What follows `--` is for the compiler or another program.
            let ours = line.split(" -- ").next().unwrap_or(line);
            for option in long_options(ours).into_iter().filter(|option| !known.contains(option)) {
                unknown.push(format!("{}: {option} in `{line}`", document.display()));
            }
        }
    }
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
}
