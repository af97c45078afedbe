//! Answers as JSON: one object for the files that were checked together.

use crate::known::Entry;
use heapproof_verdict::{Answer, Assumption, FunctionAnswer, Note, Obstacle, Proof, Verdict, Violation};
use serde::Serialize;
use std::collections::BTreeMap;

/// The object, in the order of its keys.
#[derive(Serialize)]
struct Object<'a> {
    verdict: Verdict,
    property: &'a str,
    engine: &'a str,
    files: &'a [String],
    /// Those of functions, too.
    violations: Vec<&'a Violation>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    leaks_at_exit: &'a [Violation],
    suspicions: &'a [Violation],
    reason: Option<&'a str>,
    obstacles: &'a [Obstacle],
    proofs: &'a [Proof],
    functions: &'a [FunctionAnswer],
    assumptions: &'a [Assumption],
    notes: &'a [Note],
    statistics: &'a BTreeMap<String, u64>,
    elapsed_ms: u64,
}

/// The answer as indented JSON, without a line end after it.
pub fn render(answer: &Answer, files: &[String]) -> String {
    let object = Object {
        verdict: answer.verdict,
        property: &answer.property.name,
        engine: &answer.engine,
        files,
        violations: answer
            .violations
            .iter()
            .chain(answer.functions.iter().flat_map(|function| &function.violations))
            .collect(),
        leaks_at_exit: &answer.leaks_at_exit,
        suspicions: &answer.suspicions,
        reason: answer.reason.as_deref(),
        obstacles: &answer.obstacles,
        proofs: &answer.proofs,
        functions: &answer.functions,
        assumptions: &answer.ledger.assumptions,
        notes: &answer.ledger.notes,
        statistics: &answer.statistics,
        elapsed_ms: answer.elapsed_ms,
    };
    serde_json::to_string_pretty(&object).unwrap_or_else(|error| format!("{{\"error\": \"{error}\"}}"))
}

/// The same with a list of all errors and their fingerprints, if there are any.
pub fn with_errors(text: String, errors: &[Entry]) -> String {
    if errors.is_empty() {
        return text;
    }
    let Ok(serde_json::Value::Object(mut object)) = serde_json::from_str(&text) else { return text };
    let Ok(errors) = serde_json::to_value(errors) else { return text };
    object.insert("errors".to_owned(), errors);
    serde_json::to_string_pretty(&object).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn an_error() {
        insta::assert_snapshot!(render(&samples::use_after_free("list.c"), &["list.c".into()]), @r#"
        {
          "verdict": "unsafe",
          "property": "memsafety+assertions",
          "engine": "random",
          "files": [
            "list.c"
          ],
          "violations": [
            {
              "class": "use-after-free",
              "cwe": 416,
              "property": "valid-deref",
              "file": "list.c",
              "line": 6,
              "column": 15,
              "function": "main",
              "message": "reading 4 bytes of a heap block of 16 bytes that was freed",
              "path": [
                {
                  "kind": "allocated",
                  "file": "list.c",
                  "line": 3,
                  "column": 22,
                  "function": "main",
                  "message": "the block is allocated here"
                },
                {
                  "kind": "input",
                  "file": "list.c",
                  "line": 4,
                  "column": 9,
                  "function": "main",
                  "message": "the input is 1"
                },
                {
                  "kind": "branch",
                  "file": "list.c",
                  "line": 4,
                  "column": 9,
                  "function": "main",
                  "message": "the condition holds"
                },
                {
                  "kind": "freed",
                  "file": "list.c",
                  "line": 5,
                  "column": 2,
                  "function": "main",
                  "message": "the block is freed here"
                }
              ],
              "inputs": "1,-1"
            }
          ],
          "suspicions": [],
          "reason": null,
          "obstacles": [],
          "proofs": [],
          "functions": [],
          "assumptions": [],
          "notes": [],
          "statistics": {
            "executions": 12
          },
          "elapsed_ms": 1234
        }
        "#);
    }

    #[test]
    fn not_decided() {
        insta::assert_snapshot!(render(&samples::unknown(), &["a.c".into(), "b.c".into()]), @r#"
        {
          "verdict": "unknown",
          "property": "memsafety+assertions",
          "engine": "random",
          "files": [
            "a.c",
            "b.c"
          ],
          "violations": [],
          "suspicions": [],
          "reason": "1834 executions found no error; random execution cannot prove its absence",
          "obstacles": [],
          "proofs": [],
          "functions": [],
          "assumptions": [
            {
              "kind": "external-function",
              "subject": "read_sensor",
              "location": {
                "file": "a.c",
                "line": 7,
                "column": 3,
                "function": "main"
              },
              "accepted": false
            },
            {
              "kind": "bound",
              "subject": "20000 steps in one execution",
              "location": null,
              "accepted": false
            },
            {
              "kind": "option",
              "subject": "--assume-pure log_line",
              "location": null,
              "accepted": true
            }
          ],
          "notes": [
            {
              "kind": "machine",
              "text": "malloc never fails"
            }
          ],
          "statistics": {},
          "elapsed_ms": 1234
        }
        "#);
    }
}
