//! C source as markup: comments, literals, keywords and lines of the preprocessor have classes.

use crate::picture::escape;

const KEYWORDS: [&str; 44] = [
    "_Bool", "auto", "bool", "break", "case", "char", "const", "continue", "default", "do", "double", "else",
    "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long", "register", "restrict",
    "return", "short", "signed", "sizeof", "static", "struct", "switch", "typedef", "union", "unsigned",
    "void", "volatile", "while", "size_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "int32_t",
    "int64_t", "NULL",
];

/// The lines of a file. What goes over several lines is closed and opened again at their ends.
pub fn lines(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut out = String::new();
    let mut rest = text;
    let mut blank = true;
    while let Some(c) = rest.chars().next() {
        let (class, length) = token(rest, c, blank);
        let (word, after) = rest.split_at(length);
        blank = if word == "\n" { true } else { blank && word.trim().is_empty() };
        for (index, part) in word.split('\n').enumerate() {
            if index > 0 {
                lines.push(std::mem::take(&mut out));
            }
            let part = escape(&part.replace('\t', "    ").replace('\r', ""));
            match class {
                _ if part.is_empty() => {}
                "" => out.push_str(&part),
                class => out.push_str(&format!("<i class={class}>{part}</i>")),
            }
        }
        rest = after;
    }
    if !out.is_empty() {
        lines.push(out);
    }
    lines
}

/// The class and the length of the token that a text begins with.
fn token(text: &str, first: char, line_begins: bool) -> (&'static str, usize) {
    let until =
        |end: &str, from: usize| text[from..].find(end).map_or(text.len(), |at| from + at + end.len());
    let line = || text.find('\n').unwrap_or(text.len());
    match first {
        _ if text.starts_with("//") => ("c", line()),
        _ if text.starts_with("/*") => ("c", until("*/", 2)),
        '#' if line_begins => ("p", line()),
        '"' | '\'' => ("s", literal(text, first)),
        'a'..='z' | 'A'..='Z' | '_' => {
            let length = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
            (if KEYWORDS.contains(&&text[..length]) { "k" } else { "" }, length)
        }
        '0'..='9' => {
            let length = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '.').unwrap_or(text.len());
            ("n", length)
        }
        _ => ("", first.len_utf8()),
    }
}

/// The length of a literal; one that is not closed ends with its line.
fn literal(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' => return at,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn tokens() {
        let shown = lines("#include <a.h>\nint x = '\\'' /* a\nb */; char *s = \"<\\\"\";");
        assert_eq!(
            shown,
            [
                "<i class=p>#include &lt;a.h&gt;</i>",
                "<i class=k>int</i> x = <i class=s>'\\''</i> <i class=c>/* a</i>",
                "<i class=c>b */</i>; <i class=k>char</i> *s = <i class=s>&quot;&lt;\\&quot;&quot;</i>;",
            ]
        );
        assert!(lines("").is_empty());
        assert_eq!(lines("'"), ["<i class=s>'</i>"]);
    }
}
