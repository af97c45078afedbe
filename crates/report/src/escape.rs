//! Text that any terminal shows as text: control characters are written as escapes. Names of files and symbols, and
//! whatever else comes from the program under analysis, may hold any character.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fmt::Write;

/// True for characters that move the cursor, end a line or change the order of others.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text as part of one line.
pub fn line(text: &str) -> String {
    escaped(text, |_| false)
}

/// The text as lines of their own: line ends and tabs stay.
pub fn lines(text: &str) -> String {
    escaped(text, |c| c == '\n' || c == '\t')
}

fn escaped(text: &str, stays: impl Fn(char) -> bool) -> String {
    let mut result = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            c if !is_hidden(c) || stays(c) => result.push(c),
            '\n' => result.push_str("\\n"),
            '\t' => result.push_str("\\t"),
            '\r' => result.push_str("\\r"),
            c if (c as u32) < 0x100 => {
                let _ = write!(result, "\\x{:02x}", c as u32);
            }
            c => {
                let _ = write!(result, "\\u{{{:x}}}", c as u32);
            }
        }
    }
    result
}

/// The same value with all texts in it as parts of one line, those of fields that come later included.
pub fn value<T: Serialize + DeserializeOwned>(value: &T) -> Option<T> {
    let mut json = serde_json::to_value(value).ok()?;
    escape_strings(&mut json);
    serde_json::from_value(json).ok()
}

fn escape_strings(value: &mut Value) {
    match value {
        Value::String(text) if text.chars().any(is_hidden) => *text = line(text),
        Value::Array(items) => items.iter_mut().for_each(escape_strings),
        Value::Object(fields) => {
            for (name, value) in fields.iter_mut() {
                match value {
                    // The picture of a state has lines of its own.
                    Value::String(text) if name == "state" => *text = lines(text),
                    value => escape_strings(value),
                }
            }
        }
        _ => {}
    }
}

/// JSON text, in which characters that serde leaves as they are may be hidden ones; they can only be in strings.
pub fn json(text: String) -> String {
    let stays = |c: char| c == '\n' || !is_hidden(c);
    if text.chars().all(stays) {
        return text;
    }
    let mut result = String::with_capacity(text.len());
    for c in text.chars() {
        if stays(c) {
            result.push(c);
        } else {
            let _ = write!(result, "\\u{:04x}", c as u32);
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn control_characters_are_seen() {
        assert_eq!(line("a\x1b[31m\nb\t\u{9b}\u{202e}é"), "a\\x1b[31m\\nb\\t\\x9b\\u{202e}é");
        assert_eq!(lines("a\n\tb\r\x07"), "a\n\tb\\r\\x07");
    }

    #[test]
    fn values_stay_what_they_are() {
        for answer in [samples::safe(), samples::unknown(), samples::use_after_free("list.c")] {
            assert_eq!(value(&answer), Some(answer));
        }
    }

    #[test]
    fn every_text_of_a_value_is_escaped() {
        let mut answer = samples::use_after_free("a\nsafe: .c");
        answer.reason = Some("\x1b]0;\x07".to_owned());
        answer.violations[0].message = "x\ny".to_owned();
        let shown = value(&answer).unwrap();
        assert!(!format!("{}", serde_json::to_value(&shown).unwrap()).contains("\\u00"));
        assert_eq!(shown.reason.as_deref(), Some("\\x1b]0;\\x07"));
        assert_eq!(shown.violations[0].location.file, "a\\nsafe: .c");
    }

    #[test]
    fn json_stays_json() {
        let text = serde_json::to_string_pretty(&["a\u{7f}\u{9b}\u{202e}\n"]).unwrap();
        let escaped = json(text);
        assert!(escaped.is_ascii());
        assert_eq!(serde_json::from_str::<Vec<String>>(&escaped).unwrap(), ["a\u{7f}\u{9b}\u{202e}\n"]);
    }
}
