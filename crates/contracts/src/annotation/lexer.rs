//! Words of annotations.

use super::{Mistake, Position};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Word(String),
    /// `\forall`, `\in`, `\old`, `\result`, `\nothing`, `\valid`.
    Escape(String),
    Number(i128),
    Sign(&'static str),
    End,
}

const SIGNS: [&str; 32] = [
    "==>", "->", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "<<", ">>", "(", ")", "{", "}", "[", "]",
    ",", ";", ".", "+", "-", "*", "/", "%", "<", ">", "!", "&", "=", ":",
];

/// The words of a text that begins at a position.
pub(super) fn lex(text: &str, start: Position) -> Result<Vec<(Position, Token)>, Mistake> {
    let mut tokens = Vec::new();
    let mut rest = text;
    let mut at = start;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '\n' => {
                at = Position { line: at.line + 1, column: 1 };
                rest = &rest[1..];
                // The stars that some like to put at the start of each line.
                let trimmed = rest.trim_start_matches([' ', '\t']);
                if trimmed.starts_with('*')
                    && !trimmed.starts_with("*/")
                    && trimmed[1..].starts_with([' ', '\t'])
                {
                    at.column += (rest.len() - trimmed.len()) as u32 + 1;
                    rest = &trimmed[1..];
                }
                continue;
            }
            c if c.is_whitespace() => c.len_utf8(),
            c if c.is_ascii_alphabetic() || c == '_' => {
                let length = word_length(rest);
                tokens.push((at, Token::Word(rest[..length].to_owned())));
                length
            }
            '\\' => {
                let length = 1 + word_length(&rest[1..]);
                tokens.push((at, Token::Escape(rest[1..length].to_owned())));
                length
            }
            c if c.is_ascii_digit() => {
                let length = word_length(rest);
                tokens.push((at, Token::Number(number(&rest[..length], at)?)));
                length
            }
            _ => match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
                Some(sign) => {
                    tokens.push((at, Token::Sign(sign)));
                    sign.len()
                }
                None => return Err(Mistake::new(at, format!("`{c}` has no meaning in an annotation"))),
            },
        };
        at.column += rest[..length].chars().count() as u32;
        rest = &rest[length..];
    }
    tokens.push((at, Token::End));
    Ok(tokens)
}

fn word_length(text: &str) -> usize {
    text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len())
}

fn number(word: &str, at: Position) -> Result<i128, Mistake> {
    let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => i128::from_str_radix(hex, 16),
        None if digits.len() > 1 && digits.starts_with('0') => i128::from_str_radix(&digits[1..], 8),
        None => digits.parse(),
    };
    value.map_err(|_| Mistake::new(at, format!("`{word}` is no number")))
}
