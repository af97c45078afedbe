//! The words, numbers, strings and signs of the text form.

use super::parse::ParseError;
use std::borrow::Cow;

/// A piece of the text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Token<'a> {
    /// A letter or `_`, then letters, digits and `_`.
    Word(&'a str),
    /// A digit, then whatever may belong to a number.
    Number(&'a str),
    /// What stands between the quotes, escapes and all.
    String(&'a str),
    /// A sign of one to three characters.
    Sign(&'static str),
    /// Anything else.
    Unknown(char),
    /// The text is over.
    End,
}

pub(super) struct Lexer<'a> {
    source: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(source: &'a str) -> Lexer<'a> {
        Lexer { source, at: 0 }
    }

    /// The next token and where it starts.
    pub(super) fn next(&mut self) -> (Token<'a>, usize) {
        self.skip_space();
        let start = self.at;
        let rest = &self.source[start..];
        let Some(&first) = rest.as_bytes().first() else { return (Token::End, start) };
        let token = match first {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => Token::Word(self.take(word_len(rest))),
            b'0'..=b'9' => Token::Number(self.take(number_len(rest))),
            b'"' => match string_len(rest) {
                Some(len) => {
                    let quoted = self.take(len);
                    Token::String(&quoted[1..len - 1])
                }
                None => Token::Unknown('"'),
            },
            _ => match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
                Some(sign) => {
                    self.at += sign.len();
                    Token::Sign(sign)
                }
                None => Token::Unknown(rest.chars().next().unwrap_or('\0')),
            },
        };
        (token, start)
    }

    fn take(&mut self, len: usize) -> &'a str {
        let taken = &self.source[self.at..self.at + len];
        self.at += len;
        taken
    }

    fn skip_space(&mut self) {
        let bytes = self.source.as_bytes();
        loop {
            match bytes.get(self.at) {
                Some(b' ' | b'\n' | b'\t' | b'\r') => self.at += 1,
                Some(b'/') if bytes.get(self.at + 1) == Some(&b'/') => {
                    while !matches!(bytes.get(self.at), None | Some(b'\n')) {
                        self.at += 1;
                    }
                }
                _ => return,
            }
        }
    }
}

/// Longer signs before their beginnings.
const SIGNS: &[&str] = &["...", "->", "<-", "(", ")", "{", "}", ",", ":", ";", "=", "+", "-", "*", "?", "@"];

fn word_len(text: &str) -> usize {
    text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count()
}

fn number_len(text: &str) -> usize {
    let bytes = text.as_bytes();
    let hexadecimal = text.starts_with("0x");
    let mut len = 0;
    while let Some(byte) = bytes.get(len) {
        let exponent_sign = matches!(byte, b'+' | b'-')
            && !hexadecimal
            && matches!(bytes[len - 1], b'e' | b'E')
            && bytes.get(len + 1).is_some_and(u8::is_ascii_digit);
        let fraction = *byte == b'.' && bytes.get(len + 1).is_some_and(u8::is_ascii_digit);
        if !byte.is_ascii_alphanumeric() && !exponent_sign && !fraction {
            break;
        }
        len += 1;
    }
    len
}

/// Length of a string with its quotes; none if it does not end.
fn string_len(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (index, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            b'"' if !escaped => return Some(index + 1),
            b'\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    None
}

/// The content of a string; an error says what is wrong with an escape.
pub(super) fn unescape(content: &str) -> Result<Cow<'_, [u8]>, &'static str> {
    if !content.contains('\\') {
        return Ok(Cow::Borrowed(content.as_bytes()));
    }
    const WRONG: &str = "an escape (\\\\ \\\" \\n \\t \\r \\0 \\xNN \\u{N})";
    let mut out = Vec::with_capacity(content.len());
    let mut rest = content;
    while let Some(index) = rest.find('\\') {
        out.extend_from_slice(&rest.as_bytes()[..index]);
        let escape = &rest[index + 1..];
        let mut len = 1;
        match escape.as_bytes().first() {
            Some(b'\\') => out.push(b'\\'),
            Some(b'"') => out.push(b'"'),
            Some(b'n') => out.push(b'\n'),
            Some(b't') => out.push(b'\t'),
            Some(b'r') => out.push(b'\r'),
            Some(b'0') => out.push(0),
            Some(b'x') => {
                let digits = escape.get(1..3).filter(|digits| !digits.starts_with('+')).ok_or(WRONG)?;
                out.push(u8::from_str_radix(digits, 16).map_err(|_| WRONG)?);
                len = 3;
            }
            Some(b'u') => {
                let end = escape.find('}').ok_or(WRONG)?;
                let digits = escape[..end].strip_prefix("u{").ok_or(WRONG)?;
                let code = u32::from_str_radix(digits, 16).map_err(|_| WRONG)?;
                let c = char::from_u32(code).ok_or(WRONG)?;
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                len = end + 1;
            }
            _ => return Err(WRONG),
        }
        rest = &escape[len..];
    }
    out.extend_from_slice(rest.as_bytes());
    Ok(Cow::Owned(out))
}

/// An error at a byte of the source.
pub(super) fn error_at(source: &str, at: usize, expected: String, found: Token<'_>) -> ParseError {
    let before = source.get(..at).unwrap_or(source);
    let line_start = before.rfind('\n').map_or(0, |index| index + 1);
    let found = match found {
        Token::Word(text) | Token::Number(text) => format!("`{text}`"),
        Token::String(text) => format!("\"{}\"", text.chars().take(40).collect::<String>()),
        Token::Sign(sign) => format!("`{sign}`"),
        Token::Unknown('"') => "a string that does not end".to_owned(),
        Token::Unknown(c) => format!("`{}`", c.escape_default()),
        Token::End => "the end of the text".to_owned(),
    };
    ParseError {
        line: before.bytes().filter(|byte| *byte == b'\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
        expected,
        found,
    }
}
