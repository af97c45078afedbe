//! Answers in the Static Analysis Results Interchange Format 2.1.0, for code hosts and editors.

use crate::source::Sources;
use heapproof_verdict::{Answer, ErrorClass, FunctionAnswer, Location, StepKind, Verdict, Violation};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The most results: code hosts show no more.
const MOST_RESULTS: usize = 5_000;
/// The most steps of a story: the first and the last ones.
const MOST_STEPS: usize = 1_000;
const FIRST_STEPS: usize = 100;
/// The longest description of a rule, in characters.
const LONGEST: usize = 1_024;
/// Where the classes are explained.
const HELP: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/book/src/classes.md");

/// The answer as indented JSON, without a line end after it.
pub fn render(answer: &Answer) -> String {
    let places = &mut Places { sources: Sources::new(), root: repository(), seen: BTreeMap::new() };
    let confirmed =
        answer.violations.iter().chain(of_functions(answer, |f| &f.violations)).map(|v| (v, "error"));
    let suspected =
        answer.suspicions.iter().chain(of_functions(answer, |f| &f.suspicions)).map(|v| (v, "warning"));
    // One result for one place: a second way to it is no second error.
    let mut known = BTreeSet::new();
    let mut shown: Vec<(&Violation, &str)> = confirmed
        .chain(suspected)
        .filter(|(v, _)| known.insert((v.class, &v.location.file, v.location.line, v.location.column)))
        .collect();
    let left_out = shown.len().saturating_sub(MOST_RESULTS);
    shown.truncate(MOST_RESULTS);
    let rules = rules(&shown);
    let results: Vec<_> = shown.iter().map(|(v, level)| result(v, level, &rules, places)).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "heapproof",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules,
            }},
            "automationDetails": { "id": format!("heapproof/{}/", answer.property.name) },
            "invocations": [{
                "executionSuccessful": true,
                "toolExecutionNotifications": notifications(answer, left_out, places),
            }],
            "results": results,
            "columnKind": "unicodeCodePoints",
            "properties": {
                "verdict": answer.verdict,
                "property": answer.property.name,
                "engine": answer.engine,
                "proofs": answer.proofs,
                "functions": functions(answer),
                "assumptions": answer.ledger.assumptions,
                "statistics": answer.statistics,
            },
        }],
    });
    format!("{log:#}")
}

/// Where things are: lines of sources, paths as code hosts want them, and the places that had a result.
struct Places {
    sources: Sources,
    /// The repository in which the program was started.
    root: Option<PathBuf>,
    /// How often a line with the same words had a result.
    seen: BTreeMap<u64, u32>,
}

/// The root of the repository around the working directory.
fn repository() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?.canonicalize().ok()?;
    here.ancestors().find(|folder| folder.join(".git").exists()).map(Path::to_owned)
}

/// What functions have of something.
fn of_functions<'a>(
    answer: &'a Answer,
    part: impl Fn(&'a FunctionAnswer) -> &'a Vec<Violation>,
) -> impl Iterator<Item = &'a Violation> {
    answer.functions.iter().flat_map(part)
}

/// The verdicts of functions; their violations are among the results.
fn functions(answer: &Answer) -> Vec<Value> {
    let function = |f: &FunctionAnswer| {
        json!({
            "name": f.name, "file": f.file, "line": f.line, "verdict": f.verdict, "reason": f.reason,
            "assumptions": f.assumptions, "requires": f.requires, "state": f.state,
        })
    };
    answer.functions.iter().map(function).collect()
}

/// The classes that occur, each once, in the order of the documentation.
fn rules(shown: &[(&Violation, &str)]) -> Vec<Value> {
    let occurs = |class: &ErrorClass| shown.iter().any(|(v, _)| v.class == *class);
    let rule = |class: ErrorClass| {
        let text = crate::explain::of(class);
        let sentence = |text: &str| {
            let mut text: String = text.replace('\n', " ").chars().take(LONGEST - 1).collect();
            if !text.ends_with('.') {
                text.push('.');
            }
            text
        };
        let markdown = format!(
            "{}\n\n```\n{}\n```\n\n**Example**\n\n```c\n{}\n```\n\n**The usual fix:** {}",
            text.meaning, text.picture, text.example, text.fix
        );
        let mut tags = vec!["memory-safety".to_owned()];
        if let Some(cwe) = class.cwe() {
            tags.extend(["security".to_owned(), format!("external/cwe/cwe-{cwe}")]);
        }
        let mut properties = json!({ "tags": tags, "precision": "very-high", "problem.severity": "error" });
        if let Some(severity) = severity(class) {
            properties["security-severity"] = json!(severity);
        }
        let mut rule = json!({
            "id": class.name(),
            "shortDescription": { "text": sentence(text.summary) },
            "fullDescription": { "text": sentence(text.meaning) },
            "help": { "text": sentence(text.fix), "markdown": markdown },
            "helpUri": format!("{HELP}#{}", class.name()),
            "defaultConfiguration": { "level": "error" },
            "properties": properties,
        });
        // A name that differs from the identifier in nothing but its case is none.
        if class.name().contains('-') {
            rule["name"] = json!(camel(class.name()));
        }
        rule
    };
    ErrorClass::ALL.into_iter().filter(occurs).map(rule).collect()
}

/// `UseAfterFree` for `use-after-free`.
fn camel(name: &str) -> String {
    let big = |word: &str| word[..1].to_uppercase() + &word[1..];
    name.split('-').filter(|word| !word.is_empty()).map(big).collect()
}

/// How bad an error of a class is for security, from 0 to 10; code hosts want it as text.
fn severity(class: ErrorClass) -> Option<&'static str> {
    use ErrorClass::*;
    Some(match class {
        OutOfBoundsWrite => "9.3",
        UseAfterFree | DoubleFree | WildDeref => "8.8",
        InvalidFree | UseAfterScope => "8.1",
        OutOfBoundsRead | ReadonlyWrite => "7.1",
        OverlappingCopy => "6.5",
        NullDeref | DivisionByZero => "5.5",
        Leak => "4.3",
        AssertionFailure => "3.3",
        DataStructure | Contract => return None,
    })
}

/// What keeps a verdict from being decided, and what is not shown.
fn notifications(answer: &Answer, left_out: usize, places: &mut Places) -> Vec<Value> {
    let mut list = Vec::new();
    let undecided = answer.reason.iter().filter(|_| answer.verdict == Verdict::Unknown);
    for text in undecided {
        let hints = crate::advice::advice(answer).into_iter().map(|hint| format!(" To do: {hint}."));
        let text = format!("Not decided: {text}.{}", hints.collect::<String>());
        list.push(
            json!({ "level": "warning", "descriptor": { "id": "undecided" }, "message": { "text": text } }),
        );
    }
    for assumption in answer.ledger.assumptions.iter().filter(|a| !a.accepted) {
        let text = format!("{}.", crate::text::plain(assumption.kind, &assumption.subject));
        let mut note =
            json!({ "level": "note", "descriptor": { "id": "assumption" }, "message": { "text": text } });
        if let Some(at) = assumption.location.as_ref().filter(|at| !at.file.is_empty()) {
            note["locations"] = json!([location(at, None, places)]);
        }
        list.push(note);
    }
    if left_out > 0 {
        let text = format!("{left_out} more results are left out; --format json has all of them.");
        list.push(json!({ "level": "note", "descriptor": { "id": "cut" }, "message": { "text": text } }));
    }
    list
}

/// One violation.
fn result(violation: &Violation, level: &str, rules: &[Value], places: &mut Places) -> Value {
    let mut steps: Vec<Value> = violation
        .path
        .iter()
        .map(|step| thread_step(&step.location, &step.message, important(step.kind), places))
        .collect();
    steps.push(thread_step(&violation.location, &violation.message, "essential", places));
    if steps.len() > MOST_STEPS {
        steps.drain(FIRST_STEPS..steps.len() - (MOST_STEPS - FIRST_STEPS));
    }
    for (order, step) in steps.iter_mut().enumerate() {
        step["executionOrder"] = json!(order + 1);
    }
    let name = violation.class.name();
    let mut result = json!({
        "ruleId": name,
        "ruleIndex": rules.iter().position(|rule| rule["id"] == name),
        "level": level,
        "message": { "text": format!("{}.", violation.message) },
        "locations": [location(&violation.location, None, places)],
        "partialFingerprints": { "primaryLocationLineHash": places.fingerprint(violation) },
        "codeFlows": [{ "threadFlows": [{ "locations": steps }] }],
    });
    if let Some(inputs) = &violation.inputs {
        result["properties"] = json!({ "inputs": inputs });
    }
    result
}

impl Places {
    /// What stays when lines move: the class, the function and the words of the line; and how often that was met before.
    fn fingerprint(&mut self, violation: &Violation) -> String {
        let at = &violation.location;
        let line = self.sources.excerpt(&at.file, at.line, 0).map(|excerpt| excerpt.text).unwrap_or_default();
        let words = line.bytes().filter(|byte| !byte.is_ascii_whitespace());
        let head = format!("{}\0{}\0", violation.class, at.function).into_bytes();
        // FNV-1a.
        let hash = head.into_iter().chain(words).fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let times = self.seen.entry(hash).or_default();
        *times += 1;
        format!("{hash:016x}:{times}")
    }

    /// A path from the root of the repository, where it lies in it; links are followed.
    fn path(&self, file: &str) -> String {
        let inside = self.root.as_ref().and_then(|root| {
            let whole = Path::new(file).canonicalize().ok()?;
            Some(whole.strip_prefix(root).ok()?.to_str()?.to_owned())
        });
        inside.unwrap_or_else(|| file.to_owned())
    }
}

fn important(kind: StepKind) -> &'static str {
    match kind {
        StepKind::Allocated | StepKind::Freed | StepKind::ScopeEnded | StepKind::Declared => "essential",
        StepKind::Input | StepKind::Branch | StepKind::Note => "important",
        StepKind::Loop | StepKind::Call => "unimportant",
    }
}

fn thread_step(place: &Location, message: &str, importance: &str, places: &mut Places) -> Value {
    json!({ "location": location(place, Some(message), places), "importance": importance })
}

fn location(place: &Location, message: Option<&str>, places: &mut Places) -> Value {
    let mut physical = json!({ "artifactLocation": { "uri": uri(&places.path(&place.file)) } });
    if place.line > 0 {
        physical["region"] = json!({ "startLine": place.line });
        if place.column > 0 {
            let start = places.sources.characters(&place.file, place.line, place.column);
            let excerpt = places.sources.excerpt(&place.file, place.line, place.column);
            let length =
                excerpt.filter(|excerpt| excerpt.caret.is_some()).map_or(1, |excerpt| excerpt.length);
            physical["region"]["startColumn"] = json!(start);
            physical["region"]["endLine"] = json!(place.line);
            physical["region"]["endColumn"] = json!(start + length as u32);
        }
    }
    let mut location = json!({ "physicalLocation": physical });
    if !place.function.is_empty() {
        location["logicalLocations"] = json!([{ "name": place.function, "kind": "function" }]);
    }
    if let Some(message) = message {
        location["message"] = json!({ "text": format!("{message}.") });
    }
    location
}

/// A path as a relative reference, or from the root; what may not stand in one is escaped.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    if path.starts_with('/') {
        uri.push_str("file://");
    }
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(byte as char);
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    fn log(answer: &Answer) -> Value {
        serde_json::from_str(&render(answer)).unwrap()
    }

    #[test]
    fn an_error() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("my list.c");
        std::fs::write(&path, samples::LIST_C).unwrap();
        let log = log(&samples::use_after_free(path.to_str().unwrap()));
        let run = &log["runs"][0];
        assert_eq!(run["automationDetails"]["id"], "heapproof/memsafety+assertions/");
        let rule = &run["tool"]["driver"]["rules"][0];
        assert_eq!((&rule["id"], &rule["name"]), (&json!("use-after-free"), &json!("UseAfterFree")));
        assert_eq!(rule["properties"]["security-severity"], "8.8");
        assert_eq!(rule["properties"]["precision"], "very-high");
        assert_eq!(rule["properties"]["tags"][2], "external/cwe/cwe-416");
        assert!(rule["help"]["markdown"].as_str().unwrap().contains("```c"));
        let result = &run["results"][0];
        assert_eq!((&result["ruleIndex"], &result["level"]), (&json!(0), &json!("error")));
        let place = &result["locations"][0]["physicalLocation"];
        assert!(place["artifactLocation"]["uri"].as_str().unwrap().ends_with("my%20list.c"));
        let region = json!({ "startLine": 6, "startColumn": 15, "endLine": 6, "endColumn": 20 });
        assert_eq!(place["region"], region);
        let steps = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap();
        assert_eq!(steps.len(), 5);
        assert_eq!(steps[0]["importance"], "essential");
        assert_eq!(steps[4]["executionOrder"], 5);
    }

    #[test]
    fn fingerprints_stay_when_lines_move() {
        let dir = tempfile::tempdir().unwrap();
        let fingerprint = |name: &str, before: &str| {
            let path = dir.path().join(name);
            std::fs::write(&path, format!("{before}{}", samples::LIST_C)).unwrap();
            let mut answer = samples::use_after_free(path.to_str().unwrap());
            answer.violations[0].location.line += before.lines().count() as u32;
            log(&answer)["runs"][0]["results"][0]["partialFingerprints"]["primaryLocationLineHash"].clone()
        };
        let first = fingerprint("a.c", "");
        assert!(first.as_str().unwrap().ends_with(":1"));
        assert_eq!(first, fingerprint("b.c", "/* a comment */\n\n"));
    }

    #[test]
    fn one_result_for_one_place_and_long_stories_are_cut() {
        let mut answer = samples::use_after_free("a.c");
        let step = answer.violations[0].path[0].clone();
        answer.violations[0].path = vec![step; 3 * MOST_STEPS];
        answer.violations.push(answer.violations[0].clone());
        let log = log(&answer);
        let results = log["runs"][0]["results"].as_array().unwrap();
        assert_eq!(results.len(), 1);
        let steps = &results[0]["codeFlows"][0]["threadFlows"][0]["locations"];
        assert_eq!(steps.as_array().unwrap().len(), MOST_STEPS);
    }

    #[test]
    fn paths_become_references() {
        assert_eq!(uri("src/a b.c"), "src/a%20b.c");
        assert_eq!(uri("/tmp/a.c"), "file:///tmp/a.c");
    }

    #[test]
    fn not_decided() {
        let log: Value = serde_json::from_str(&render(&samples::unknown())).unwrap();
        let run = &log["runs"][0];
        assert_eq!(run["results"], json!([]));
        assert_eq!(run["properties"]["verdict"], "unknown");
        let told =
            run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"].as_str().unwrap();
        assert!(told.starts_with("Not decided: 1834 executions") && told.contains("To do: "), "{told}");
    }
}
