//! Lines of source files for messages: any file, readable or not, gives a line that can be shown, or none.

use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The most bytes of a file that are searched for a line.
const MOST_BYTES: u64 = 64 << 20;
/// The most bytes of one line that are kept.
const LONGEST_LINE: usize = 1 << 16;
/// The most columns of a line that are shown.
const WINDOW: usize = 120;
/// What comes in the place of a tab, as GCC does it.
const TAB_STOP: usize = 8;

/// A line ready to be shown, with the place of the caret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The text: no control characters, no tabs, at most some hundred columns.
    pub text: String,
    /// Columns before the caret; none if the column is not known.
    pub caret: Option<usize>,
    /// Columns that the marked name takes, at least 1.
    pub length: usize,
    /// Columns before the caret that belong to it: what an assignment operator assigns to.
    pub before: usize,
}

/// Gives lines of files and remembers them.
#[derive(Debug, Default)]
pub struct Sources {
    /// The files that may be shown; all if there is no such list.
    shown: Option<BTreeSet<String>>,
    /// What paths are relative to, if not to the current directory.
    folder: PathBuf,
    lines: HashMap<(String, u32), Option<Vec<u8>>>,
}

impl Sources {
    /// Nothing read yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Only these files are read: a program can name others with `#line`.
    pub fn only(shown: Option<BTreeSet<String>>) -> Self {
        Sources { shown, ..Self::default() }
    }

    /// Paths are relative to this folder.
    pub fn below(folder: &Path) -> Self {
        Sources { folder: folder.to_owned(), ..Self::default() }
    }

    /// The line (from 1) of the file.
    pub fn text(&mut self, file: &str, line: u32) -> Option<String> {
        self.line(file, line).map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    }

    /// The line (from 1) of the file with the byte column (from 1; 0 if unknown) marked.
    pub fn excerpt(&mut self, file: &str, line: u32, column: u32) -> Option<Excerpt> {
        show(self.line(file, line)?, column as usize)
    }

    /// The column in characters (from 1) of a byte column (from 1); the same where the line cannot be read.
    pub fn characters(&mut self, file: &str, line: u32, column: u32) -> u32 {
        let before = (column as usize).saturating_sub(1);
        match self.line(file, line).and_then(|bytes| bytes.get(..before)) {
            // Counts the bytes that begin a character, and those that are part of none.
            Some(bytes) => 1 + String::from_utf8_lossy(bytes).chars().count() as u32,
            None => column,
        }
    }

    fn line(&mut self, file: &str, line: u32) -> Option<&[u8]> {
        if self.shown.as_ref().is_some_and(|shown| !shown.contains(file)) {
            return None;
        }
        self.lines
            .entry((file.to_owned(), line))
            .or_insert_with(|| read_line(&self.folder.join(file), line))
            .as_deref()
    }
}

/// Reads one line of a regular file, without its end.
fn read_line(file: &Path, line: u32) -> Option<Vec<u8>> {
    // A directory, a pipe or a device is not read: it may never end.
    if line == 0 || !std::fs::metadata(file).ok()?.is_file() {
        return None;
    }
    let mut reader = BufReader::new(File::open(file).ok()?.take(MOST_BYTES));
    for _ in 1..line {
        if reader.skip_until(b'\n').ok()? == 0 {
            return None;
        }
    }
    let mut bytes = Vec::new();
    reader.take(LONGEST_LINE as u64).read_until(b'\n', &mut bytes).ok()?;
    while matches!(bytes.last(), Some(b'\n' | b'\r')) {
        bytes.pop();
    }
    (!bytes.is_empty()).then_some(bytes)
}

/// Turns bytes into something that any terminal shows in the columns that are counted here.
fn show(bytes: &[u8], column: usize) -> Option<Excerpt> {
    let mut cells: Vec<char> = Vec::new();
    let mut caret = None;
    let mut length = 1;
    let mut offset = 0;
    let mut width = 0;
    let known = column >= 1 && column <= bytes.len() + 1;
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            // The caret goes to the character that holds the byte.
            if known && caret.is_none() && column - 1 < offset + c.len_utf8() {
                caret = Some(width);
                length = name_length(&bytes[offset..]);
            }
            offset += c.len_utf8();
            match c {
                '\t' => {
                    let blanks = TAB_STOP - width % TAB_STOP;
                    cells.extend(std::iter::repeat_n(' ', blanks));
                    width += blanks;
                }
                c => {
                    let c = if c.is_control() || c.width().is_none() { '\u{fffd}' } else { c };
                    width += c.width().unwrap_or(1);
                    cells.push(c);
                }
            }
        }
        for _ in chunk.invalid() {
            if known && caret.is_none() && column - 1 < offset + 1 {
                caret = Some(width);
            }
            offset += 1;
            width += 1;
            cells.push('\u{fffd}');
        }
    }
    if known && caret.is_none() {
        caret = Some(width);
    }
    let odd = cells.iter().filter(|c| **c == '\u{fffd}').count();
    if odd * 3 > cells.len() {
        // Not text: showing it helps nobody.
        return None;
    }
    let mut excerpt = crop(cells, caret, length);
    excerpt.before = excerpt.caret.map_or(0, |caret| left_operand(&excerpt.text, caret));
    Some(excerpt)
}

/// How many columns before an assignment operator its left operand begins; 0 for anything else.
fn left_operand(text: &str, operator: usize) -> usize {
    let bytes = text.as_bytes();
    let (Some(before), Some(at)) = (bytes.get(..operator), bytes.get(operator..)) else { return 0 };
    let assigns = match at {
        [b'=', b'=', ..] => false,
        [b'=', ..] | [b'+', b'+', ..] | [b'-', b'-', ..] => true,
        [b'<', b'<', b'=', ..] | [b'>', b'>', b'=', ..] => true,
        [b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^', b'=', ..] => true,
        _ => false,
    };
    // In other text a byte may not be a column.
    if !assigns || !before.is_ascii() {
        return 0;
    }
    let mut start = operator;
    let mut depth = 0;
    for (index, byte) in before.iter().enumerate().rev() {
        match byte {
            b')' | b']' => depth += 1,
            b'(' | b'[' if depth > 0 => depth -= 1,
            b'(' | b'[' | b';' | b',' | b'{' | b'}' | b'=' | b':' | b'?' if depth == 0 => break,
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            start = index;
        }
    }
    operator - (start + statement_head(&text[start..operator]))
}

/// The length of `else`, `if (…)` and the like at the start of a statement, with the blanks behind.
fn statement_head(text: &str) -> usize {
    let mut rest = text;
    loop {
        let name = name_length(rest.as_bytes());
        let behind = match rest.get(..name) {
            Some("else" | "do") => &rest[name..],
            Some("if" | "for" | "while" | "switch") => after_parentheses(&rest[name..]),
            _ => return text.len() - rest.len(),
        };
        rest = behind.trim_start();
    }
}

/// What stands behind the parentheses that a text starts with.
fn after_parentheses(text: &str) -> &str {
    let mut depth = 0;
    for (index, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return &text[index + 1..],
            ')' => depth -= 1,
            _ => {}
        }
    }
    ""
}

/// The length of the C name or number at the start of the bytes, at least 1.
fn name_length(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count().max(1)
}

/// Cuts a long line to a window around the caret.
fn crop(cells: Vec<char>, caret: Option<usize>, length: usize) -> Excerpt {
    let all: String = cells.iter().collect();
    if all.width() <= WINDOW {
        return Excerpt { text: all.trim_end().to_owned(), caret, length, before: 0 };
    }
    let start = caret.unwrap_or(0).saturating_sub(WINDOW / 2);
    let mut text = String::new();
    let mut column = 0;
    let mut skipped = None;
    let mut shown = 0;
    for c in cells {
        let width = c.width().unwrap_or(0);
        if column >= start {
            if skipped.is_none() {
                skipped = Some(column);
                if column > 0 {
                    text.push_str("...");
                }
            }
            if shown + width > WINDOW {
                text.push_str("...");
                break;
            }
            shown += width;
            text.push(c);
        }
        column += width;
    }
    let skipped = skipped.unwrap_or(0);
    let lead = if skipped > 0 { 3 } else { 0 };
    let caret = caret.map(|caret| caret.saturating_sub(skipped) + lead);
    Excerpt { text, caret, length: length.min(WINDOW / 2), before: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn mark(bytes: &[u8], column: usize) -> Option<(String, Option<usize>, usize)> {
        show(bytes, column).map(|e| (e.text, e.caret, e.length))
    }

    #[test]
    fn names_are_underlined() {
        assert_eq!(mark(b"  p->next = 0;", 6), Some(("  p->next = 0;".into(), Some(5), 4)));
    }

    #[test]
    fn what_is_assigned_to_is_marked() {
        let before = |line: &str, operator: &str| {
            let column = line.find(operator).unwrap() + 1;
            show(line.as_bytes(), column).unwrap().before
        };
        assert_eq!(before("    a->b[i + 1] = x;", "="), "a->b[i + 1] ".len());
        assert_eq!(before("for (i = 0; *p; p++) *p += 1;", "+="), "*p ".len());
        assert_eq!(before("else if (f(a)) *(int *)p = 1;", "="), "*(int *)p ".len());
        assert_eq!(before("f(a, *b = 1)", "="), "*b ".len());
        assert_eq!(before("    list->length++;", "++"), "list->length".len());
        assert_eq!(before("if (a == b)", "=="), 0);
        assert_eq!(before("é = *p = 1;", "= 1"), 0);
        assert_eq!(before("= 1", "="), 0);
    }

    #[test]
    fn tabs_and_wide_characters_move_the_caret() {
        assert_eq!(mark(b"\tx = 1;", 2), Some(("        x = 1;".into(), Some(8), 1)));
        assert_eq!(mark("\"日本\" y".as_bytes(), 10), Some(("\"日本\" y".into(), Some(7), 1)));
    }

    #[test]
    fn columns_outside_the_line_do_no_harm() {
        assert_eq!(mark(b"x", 0).unwrap().1, None);
        assert_eq!(mark(b"x", 2).unwrap().1, Some(1));
        assert_eq!(mark(b"x", 77).unwrap().1, None);
        assert_eq!(mark("é".as_bytes(), 2).unwrap().1, Some(0));
    }

    #[test]
    fn invalid_bytes_are_replaced_and_binary_lines_hidden() {
        assert_eq!(mark(b"abc\xff d", 6), Some(("abc\u{fffd} d".into(), Some(5), 1)));
        assert_eq!(mark(b"\x00\x01\x02\xfe", 1), None);
    }

    #[test]
    fn long_lines_are_cut_around_the_caret() {
        let line = format!("{}needle{}", "a ".repeat(5000), " b".repeat(5000));
        let excerpt = show(line.as_bytes(), 10_001).unwrap();
        assert!(excerpt.text.width() <= WINDOW + 6);
        let caret = excerpt.caret.unwrap();
        assert_eq!(&excerpt.text[caret..caret + excerpt.length], "needle");
    }

    #[test]
    fn columns_in_characters() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all("char *s = \"é日\"; f(*p);\n".as_bytes()).unwrap();
        let name = file.path().to_str().unwrap();
        let mut sources = Sources::new();
        assert_eq!(sources.characters(name, 1, 12), 12);
        assert_eq!(sources.characters(name, 1, 21), 18);
        assert_eq!(sources.characters(name, 1, 99), 99);
        assert_eq!(sources.characters(name, 7, 5), 5);
        assert_eq!(sources.characters("/nonexistent/file.c", 1, 5), 5);
    }

    #[test]
    fn odd_files_give_nothing() {
        let mut sources = Sources::new();
        assert_eq!(sources.excerpt("/nonexistent/file.c", 1, 1), None);
        assert_eq!(sources.excerpt("/", 1, 1), None);
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(b"one\r\ntwo\n").unwrap();
        let name = file.path().to_str().unwrap();
        assert_eq!(sources.excerpt(name, 1, 1).unwrap().text, "one");
        assert_eq!(sources.excerpt(name, 2, 1).unwrap().text, "two");
        assert_eq!(sources.excerpt(name, 3, 1), None);
        assert_eq!(sources.excerpt(name, 0, 1), None);
    }
}
