//! Tokens of rule and goal files.

use crate::parse::SyntaxError;
use crate::syntax::Position;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    Name(String),
    /// A name in single quotes: never a keyword.
    Quoted(String),
    Int(i128),
    Sign(&'static str),
    End,
}

impl std::fmt::Display for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Token::Name(n) | Token::Quoted(n) => write!(f, "`{n}`"),
            Token::Int(n) => write!(f, "`{n}`"),
            Token::Sign(s) => write!(f, "`{s}`"),
            Token::End => f.write_str("the end of the text"),
        }
    }
}

/// Longer signs first. A sign of the paper stands for the plain one after it.
const SIGNS: &[(&str, &str)] = &[
    ("<=>", "<=>"),
    ("<->", "<->"),
    ("-->", "-->"),
    ("==>", "==>"),
    ("$!=", "!="),
    ("$<=", "<="),
    ("$>=", ">="),
    ("$=", "="),
    ("$<", "<"),
    ("$>", ">"),
    ("/\\", "/\\"),
    ("\\/", "\\/"),
    ("->", "->"),
    ("!=", "!="),
    ("<=", "<="),
    (">=", ">="),
    (":=", ":="),
    ("~=", "~="),
    ("∧", "/\\"),
    ("∨", "\\/"),
    ("¬", "not"),
    ("⟹", "==>"),
    ("⇒", "==>"),
    ("⟺", "<=>"),
    ("⇔", "<=>"),
    ("→", "->"),
    ("↔", "<->"),
    ("≠", "!="),
    ("≤", "<="),
    ("≥", ">="),
    ("≃", "~="),
    ("∈", "in"),
    ("∉", "notin"),
    ("(", "("),
    (")", ")"),
    (",", ","),
    (";", ";"),
    ("|", "|"),
    ("\\", "\\"),
    ("=", "="),
    ("<", "<"),
    (">", ">"),
    ("+", "+"),
    ("-", "-"),
    ("*", "*"),
];

/// Splits a text into tokens with their positions.
pub(crate) fn tokens(text: &str) -> Result<Vec<(Token, Position)>, SyntaxError> {
    let mut lexer = Lexer { rest: text, at: Position { line: 1, column: 1 } };
    let mut all = Vec::new();
    loop {
        lexer.skip_blank()?;
        let at = lexer.at;
        let token = lexer.next()?;
        let end = token == Token::End;
        all.push((token, at));
        if end {
            return Ok(all);
        }
    }
}

struct Lexer<'a> {
    rest: &'a str,
    at: Position,
}

impl<'a> Lexer<'a> {
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        for c in taken.chars() {
            if c == '\n' {
                self.at = Position { line: self.at.line + 1, column: 1 };
            } else {
                self.at.column += 1;
            }
        }
        self.rest = rest;
        taken
    }

    fn skip_blank(&mut self) -> Result<(), SyntaxError> {
        loop {
            let blank = self.rest.len() - self.rest.trim_start().len();
            self.take(blank);
            if self.rest.starts_with("//") || self.rest.starts_with('#') {
                let line = self.rest.find('\n').unwrap_or(self.rest.len());
                self.take(line);
            } else if self.rest.starts_with("/*") {
                match self.rest.find("*/") {
                    Some(end) => self.take(end + 2),
                    None => return Err(SyntaxError::new(self.at, "this comment has no end")),
                };
            } else {
                return Ok(());
            }
        }
    }

    fn next(&mut self) -> Result<Token, SyntaxError> {
        let Some(first) = self.rest.chars().next() else { return Ok(Token::End) };
        if first.is_ascii_digit() {
            let digits = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
            let at = self.at;
            let number = self.take(digits).parse::<i64>();
            return number
                .map(|n| Token::Int(i128::from(n)))
                .map_err(|_| SyntaxError::new(at, "this number does not fit into 64 bits"));
        }
        if first.is_alphabetic() || first == '_' {
            let name = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
            let end = self.rest.find(|c| !name(c)).unwrap_or(self.rest.len());
            return Ok(Token::Name(self.take(end).to_owned()));
        }
        if first == '\'' {
            let Some(end) = self.rest[1..].find('\'') else {
                return Err(SyntaxError::new(self.at, "this quoted name has no end"));
            };
            let quoted = self.take(end + 2);
            return Ok(Token::Quoted(quoted[1..quoted.len() - 1].to_owned()));
        }
        for (written, sign) in SIGNS {
            if self.rest.starts_with(written) {
                self.take(written.len());
                return Ok(Token::Sign(sign));
            }
        }
        Err(SyntaxError::new(self.at, format!("`{first}` has no meaning here")))
    }
}
