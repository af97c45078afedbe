//! Expressions in parentheses: what solvers write.

use std::fmt;

/// Deeper nesting is refused.
const DEEPEST: usize = 1_000;

/// A word or a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sexpr {
    /// A word, without the bars around it.
    Atom(String),
    /// A text, without the quotes around it.
    Text(String),
    /// A list.
    List(Vec<Sexpr>),
}

impl Sexpr {
    /// Reads all expressions of a text; none if it is malformed.
    pub fn read_all(text: &str) -> Option<Vec<Sexpr>> {
        let mut open: Vec<Vec<Sexpr>> = vec![Vec::new()];
        let mut chars = text.char_indices().peekable();
        while let Some((start, c)) = chars.next() {
            let mut until = |end: char| chars.by_ref().find(|(_, c)| *c == end).map(|(at, _)| at);
            let item = match c {
                c if c.is_whitespace() => continue,
                ';' => {
                    until('\n');
                    continue;
                }
                '(' if open.len() > DEEPEST => return None,
                '(' => {
                    open.push(Vec::new());
                    continue;
                }
                ')' => {
                    let list = open.pop()?;
                    if open.is_empty() {
                        return None;
                    }
                    Sexpr::List(list)
                }
                '|' => Sexpr::Atom(text[start + 1..until('|')?].to_owned()),
                '"' => Sexpr::Text(text[start + 1..until('"')?].to_owned()),
                _ => {
                    let mut end = start + c.len_utf8();
                    while let Some((at, c)) = chars.peek() {
                        if c.is_whitespace() || "()|\";".contains(*c) {
                            break;
                        }
                        end = at + c.len_utf8();
                        chars.next();
                    }
                    Sexpr::Atom(text[start..end].to_owned())
                }
            };
            open.last_mut()?.push(item);
        }
        let all = open.pop()?;
        open.is_empty().then_some(all)
    }

    /// The word that it is.
    pub fn atom(&self) -> Option<&str> {
        match self {
            Sexpr::Atom(word) => Some(word),
            _ => None,
        }
    }

    /// The list that it is.
    pub fn list(&self) -> Option<&[Sexpr]> {
        match self {
            Sexpr::List(items) => Some(items),
            _ => None,
        }
    }

    /// True for this word.
    pub fn is(&self, word: &str) -> bool {
        self.atom() == Some(word)
    }
}

impl fmt::Display for Sexpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sexpr::Atom(word) => f.write_str(word),
            Sexpr::Text(text) => write!(f, "\"{text}\""),
            Sexpr::List(items) => {
                f.write_str("(")?;
                for (index, item) in items.iter().enumerate() {
                    let space = if index > 0 { " " } else { "" };
                    write!(f, "{space}{item}")?;
                }
                f.write_str(")")
            }
        }
    }
}
