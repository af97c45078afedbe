//! Annotations: what stands in comments that begin with `@`.

mod active;
mod ast;
mod lexer;
mod parser;
mod print;
mod rewrite;

pub use active::Branches;
pub use ast::{
    BinaryOp, Clause, ClauseKind, Expr, ExprKind, FieldRef, Predicate, SetOp, Statement, StatementKind,
    TypeName, UnaryOp,
};
pub use parser::{parse_contract, parse_predicates, parse_statement};

use std::fmt;

/// A position in a file; line and column count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// A mistake in an annotation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Mistake {
    /// Where it is.
    pub at: Position,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub suggestion: Option<String>,
}

impl Mistake {
    /// A mistake at a position.
    pub fn new(at: Position, message: impl Into<String>) -> Mistake {
        Mistake { at, message: message.into(), suggestion: None }
    }

    /// With what to do about it.
    pub fn with(self, suggestion: impl Into<String>) -> Mistake {
        Mistake { suggestion: Some(suggestion.into()), ..self }
    }

    /// The mistake as a compiler tells it: the line of the source and a caret.
    pub fn show(&self, file: &str, text: &str) -> String {
        let line = text.lines().nth(self.at.line as usize - 1).unwrap_or_default();
        let gutter = format!("{:>5}", self.at.line);
        let blank: String =
            line.chars().take(self.at.column as usize - 1).map(|c| if c == '\t' { c } else { ' ' }).collect();
        let mut shown = format!("{file}:{}:{}: error: {}", self.at.line, self.at.column, self.message);
        shown.push_str(&format!("\n{gutter} | {line}\n      | {blank}^"));
        if let Some(suggestion) = &self.suggestion {
            shown.push_str(&format!("\nnote: {suggestion}"));
        }
        shown
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.at.line, self.at.column, self.message)
    }
}

/// A comment with an annotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// Where its text begins, after the `@`.
    pub start: Position,
    /// The last line of it.
    pub end_line: u32,
    /// Its text.
    pub text: String,
    /// It is `/*@ … */`, not `//@ …`.
    pub is_block: bool,
}

/// The annotations of a file. Comments in strings do not count.
pub fn comments(text: &str) -> Vec<Comment> {
    let mut found = Vec::new();
    let mut scanner = Scanner { chars: text.chars().collect(), index: 0, line: 1, column: 1 };
    while let Some(c) = scanner.peek(0) {
        match (c, scanner.peek(1)) {
            ('"' | '\'', _) => scanner.skip_literal(c),
            ('/', Some('/')) => {
                let is_annotation = scanner.peek(2) == Some('@');
                let comment = scanner.comment(is_annotation, |scanner| scanner.peek(0) == Some('\n'));
                found.extend(
                    comment.filter(|_| is_annotation).map(|comment| Comment { is_block: false, ..comment }),
                );
            }
            ('/', Some('*')) => {
                let is_annotation = scanner.peek(2) == Some('@');
                let comment = scanner.comment(is_annotation, |scanner| {
                    scanner.peek(0) == Some('*') && scanner.peek(1) == Some('/')
                });
                scanner.next();
                scanner.next();
                found.extend(comment.filter(|_| is_annotation));
            }
            _ => drop(scanner.next()),
        }
    }
    found
}

struct Scanner {
    chars: Vec<char>,
    index: usize,
    line: u32,
    column: u32,
}

impl Scanner {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.index + ahead).copied()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek(0)?;
        self.index += 1;
        if c == '\n' {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
        Some(c)
    }

    fn skip_literal(&mut self, quote: char) {
        self.next();
        while let Some(c) = self.next() {
            match c {
                '\\' => drop(self.next()),
                // A quote in a line of its own, as in an #error, ends with the line.
                '\n' => return,
                c if c == quote => return,
                _ => {}
            }
        }
    }

    /// Reads a comment up to its end, which is not read.
    fn comment(&mut self, is_annotation: bool, is_end: impl Fn(&Scanner) -> bool) -> Option<Comment> {
        for _ in 0..if is_annotation { 3 } else { 2 } {
            self.next();
        }
        let start = Position { line: self.line, column: self.column };
        let mut text = String::new();
        while !is_end(self) {
            match self.next() {
                Some(c) => text.push(c),
                None => break,
            }
        }
        Some(Comment { start, end_line: self.line, text, is_block: true })
    }
}
