//! The verdicts of functions as a table, at the end of the text.

use heapproof_verdict::{FunctionAnswer, Verdict};
use std::fmt::Write;

/// One line for each function: verdict, name, place, and what there is to say.
pub fn table(functions: &[FunctionAnswer]) -> String {
    let mut out = String::new();
    let width = functions.iter().map(|f| f.name.chars().count()).max().unwrap_or(0);
    for function in functions {
        let verdict = match function.verdict {
            Verdict::Safe => "safe",
            Verdict::Unsafe => "unsafe",
            Verdict::Unknown => "unknown",
        };
        let place = format!("{}:{}", function.file, function.line);
        let _ = write!(out, "{verdict:<8} {:<width$}  {place}", function.name);
        let mut remarks: Vec<String> = Vec::new();
        remarks
            .extend(function.violations.first().map(|v| format!("{} at line {}", v.class, v.location.line)));
        remarks.extend(function.reason.clone().filter(|_| function.verdict == Verdict::Unknown));
        remarks.extend(function.requires.iter().map(|text| format!("requires {text}")));
        if !remarks.is_empty() {
            let _ = write!(out, "  {}", remarks.join("; "));
        }
        out.push('\n');
        if let Some(state) = function.state.as_ref().filter(|_| function.verdict == Verdict::Unsafe) {
            for line in state.lines() {
                let _ = writeln!(out, "         {line}");
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapproof_verdict::ErrorClass;

    #[test]
    fn one_line_for_each_function() {
        let function = |name: &str, verdict| FunctionAnswer {
            name: name.to_owned(),
            file: "list.c".to_owned(),
            line: 7,
            verdict,
            violations: Vec::new(),
            suspicions: Vec::new(),
            reason: Some("a loop has no invariant".to_owned()),
            assumptions: Vec::new(),
            requires: Vec::new(),
            state: None,
            elapsed_ms: 3,
        };
        let mut bad = function("list_remove", Verdict::Unsafe);
        let mut found = crate::samples::use_after_free("list.c").violations.remove(0);
        found.class = ErrorClass::DataStructure;
        bad.violations.push(found);
        bad.state = Some("list -> node -> null".to_owned());
        bad.requires.push("node != NULL".to_owned());
        let all = [function("list_add", Verdict::Safe), bad, function("list_sort", Verdict::Unknown)];
        assert_eq!(
            table(&all),
            "safe     list_add     list.c:7\n\
             unsafe   list_remove  list.c:7  data-structure at line 6; requires node != NULL\n         \
             list -> node -> null\n\
             unknown  list_sort    list.c:7  a loop has no invariant\n"
        );
    }
}
