//! Answers in the Static Analysis Results Interchange Format 2.1.0, for code hosts and editors.

use crate::source::Sources;
use heapproof_verdict::{Answer, ErrorClass, FunctionAnswer, Location, StepKind, Verdict, Violation};
use serde_json::{Value, json};

/// The answer as indented JSON, without a line end after it.
pub fn render(answer: &Answer) -> String {
    let sources = &mut Sources::new();
    let confirmed =
        answer.violations.iter().chain(of_functions(answer, |f| &f.violations)).map(|v| (v, "error"));
    let suspected =
        answer.suspicions.iter().chain(of_functions(answer, |f| &f.suspicions)).map(|v| (v, "warning"));
    let results: Vec<_> = confirmed.chain(suspected).map(|(v, level)| result(v, level, sources)).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "heapproof",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules(answer),
            }},
            "invocations": [{
                "executionSuccessful": true,
                "toolExecutionNotifications": notifications(answer),
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

/// What functions have of something.
fn of_functions<'a>(
    answer: &'a Answer,
    part: impl Fn(&'a FunctionAnswer) -> &'a Vec<Violation>,
) -> impl Iterator<Item = &'a Violation> {
    answer.functions.iter().flat_map(part)
}

/// All violations and suspicions, also those of functions.
fn all(answer: &Answer) -> impl Iterator<Item = &Violation> {
    let functions = of_functions(answer, |f| &f.violations).chain(of_functions(answer, |f| &f.suspicions));
    answer.violations.iter().chain(&answer.suspicions).chain(functions)
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
fn rules(answer: &Answer) -> Vec<Value> {
    let occurs = |class: &ErrorClass| all(answer).any(|v| v.class == *class);
    let rule = |class: ErrorClass| {
        let text = crate::explain::of(class);
        let mut rule = json!({
            "id": class.name(),
            "shortDescription": { "text": text.summary },
            "fullDescription": { "text": text.meaning },
            "help": { "text": text.fix },
        });
        if let Some(cwe) = class.cwe() {
            rule["properties"] = json!({ "tags": ["security", format!("external/cwe/cwe-{cwe}")] });
        }
        rule
    };
    ErrorClass::ALL.into_iter().filter(occurs).map(rule).collect()
}

/// What keeps a verdict from being decided.
fn notifications(answer: &Answer) -> Vec<Value> {
    let reason = answer.reason.iter().filter(|_| answer.verdict == Verdict::Unknown);
    reason.map(|text| json!({ "level": "warning", "message": { "text": text } })).collect()
}

/// One violation.
fn result(violation: &Violation, level: &str, sources: &mut Sources) -> Value {
    let mut steps: Vec<Value> = violation
        .path
        .iter()
        .map(|step| thread_step(&step.location, &step.message, important(step.kind), sources))
        .collect();
    steps.push(thread_step(&violation.location, &violation.message, "essential", sources));
    let mut result = json!({
        "ruleId": violation.class.name(),
        "level": level,
        "message": { "text": violation.message },
        "locations": [location(&violation.location, None, sources)],
        "codeFlows": [{ "threadFlows": [{ "locations": steps }] }],
    });
    if let Some(inputs) = &violation.inputs {
        result["properties"] = json!({ "inputs": inputs });
    }
    result
}

fn important(kind: StepKind) -> &'static str {
    match kind {
        StepKind::Allocated | StepKind::Freed | StepKind::ScopeEnded | StepKind::Declared => "essential",
        StepKind::Input | StepKind::Branch | StepKind::Note => "important",
        StepKind::Loop | StepKind::Call => "unimportant",
    }
}

fn thread_step(place: &Location, message: &str, importance: &str, sources: &mut Sources) -> Value {
    json!({ "location": location(place, Some(message), sources), "importance": importance })
}

fn location(place: &Location, message: Option<&str>, sources: &mut Sources) -> Value {
    let mut physical = json!({ "artifactLocation": { "uri": uri(&place.file) } });
    if place.line > 0 {
        physical["region"] = json!({ "startLine": place.line });
        if place.column > 0 {
            physical["region"]["startColumn"] =
                json!(sources.characters(&place.file, place.line, place.column));
        }
    }
    let mut location = json!({ "physicalLocation": physical });
    if !place.function.is_empty() {
        location["logicalLocations"] = json!([{ "name": place.function, "kind": "function" }]);
    }
    if let Some(message) = message {
        location["message"] = json!({ "text": message });
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

    #[test]
    fn an_error() {
        insta::assert_snapshot!(render(&samples::use_after_free("my list.c")), @r#"
        {
          "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
          "version": "2.1.0",
          "runs": [
            {
              "tool": {
                "driver": {
                  "name": "heapproof",
                  "version": "0.1.0",
                  "informationUri": "https://github.com/heapproof/heapproof",
                  "rules": [
                    {
                      "id": "use-after-free",
                      "shortDescription": {
                        "text": "access to a heap block that was freed"
                      },
                      "fullDescription": {
                        "text": "The program reads or writes a heap block after it was given to free (or to realloc, which\nends the life of the old block even if it does not move). The memory may belong to another\nblock by then: the program reads garbage or destroys other data."
                      },
                      "help": {
                        "text": "Take what is still needed out of the block before it is freed (`next = p->next; free(p);`),\nand remove every pointer to the block from the data structure first. After\n`q = realloc(p, n)` use only q."
                      },
                      "properties": {
                        "tags": [
                          "security",
                          "external/cwe/cwe-416"
                        ]
                      }
                    }
                  ]
                }
              },
              "invocations": [
                {
                  "executionSuccessful": true,
                  "toolExecutionNotifications": []
                }
              ],
              "results": [
                {
                  "ruleId": "use-after-free",
                  "level": "error",
                  "message": {
                    "text": "reading 4 bytes of a heap block of 16 bytes that was freed"
                  },
                  "locations": [
                    {
                      "physicalLocation": {
                        "artifactLocation": {
                          "uri": "my%20list.c"
                        },
                        "region": {
                          "startLine": 6,
                          "startColumn": 15
                        }
                      },
                      "logicalLocations": [
                        {
                          "name": "main",
                          "kind": "function"
                        }
                      ]
                    }
                  ],
                  "codeFlows": [
                    {
                      "threadFlows": [
                        {
                          "locations": [
                            {
                              "location": {
                                "physicalLocation": {
                                  "artifactLocation": {
                                    "uri": "my%20list.c"
                                  },
                                  "region": {
                                    "startLine": 3,
                                    "startColumn": 22
                                  }
                                },
                                "logicalLocations": [
                                  {
                                    "name": "main",
                                    "kind": "function"
                                  }
                                ],
                                "message": {
                                  "text": "the block is allocated here"
                                }
                              },
                              "importance": "essential"
                            },
                            {
                              "location": {
                                "physicalLocation": {
                                  "artifactLocation": {
                                    "uri": "my%20list.c"
                                  },
                                  "region": {
                                    "startLine": 4,
                                    "startColumn": 9
                                  }
                                },
                                "logicalLocations": [
                                  {
                                    "name": "main",
                                    "kind": "function"
                                  }
                                ],
                                "message": {
                                  "text": "the input is 1"
                                }
                              },
                              "importance": "important"
                            },
                            {
                              "location": {
                                "physicalLocation": {
                                  "artifactLocation": {
                                    "uri": "my%20list.c"
                                  },
                                  "region": {
                                    "startLine": 4,
                                    "startColumn": 9
                                  }
                                },
                                "logicalLocations": [
                                  {
                                    "name": "main",
                                    "kind": "function"
                                  }
                                ],
                                "message": {
                                  "text": "the condition holds"
                                }
                              },
                              "importance": "important"
                            },
                            {
                              "location": {
                                "physicalLocation": {
                                  "artifactLocation": {
                                    "uri": "my%20list.c"
                                  },
                                  "region": {
                                    "startLine": 5,
                                    "startColumn": 2
                                  }
                                },
                                "logicalLocations": [
                                  {
                                    "name": "main",
                                    "kind": "function"
                                  }
                                ],
                                "message": {
                                  "text": "the block is freed here"
                                }
                              },
                              "importance": "essential"
                            },
                            {
                              "location": {
                                "physicalLocation": {
                                  "artifactLocation": {
                                    "uri": "my%20list.c"
                                  },
                                  "region": {
                                    "startLine": 6,
                                    "startColumn": 15
                                  }
                                },
                                "logicalLocations": [
                                  {
                                    "name": "main",
                                    "kind": "function"
                                  }
                                ],
                                "message": {
                                  "text": "reading 4 bytes of a heap block of 16 bytes that was freed"
                                }
                              },
                              "importance": "essential"
                            }
                          ]
                        }
                      ]
                    }
                  ],
                  "properties": {
                    "inputs": "1,-1"
                  }
                }
              ],
              "columnKind": "unicodeCodePoints",
              "properties": {
                "verdict": "unsafe",
                "property": "memsafety+assertions",
                "engine": "random",
                "proofs": [],
                "functions": [],
                "assumptions": [],
                "statistics": {
                  "executions": 12
                }
              }
            }
          ]
        }
        "#);
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
        assert!(told.starts_with("1834 executions"), "{told}");
    }
}
