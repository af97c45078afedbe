//! The words of a C file with their places: enough to find the condition that a branch decides.

use heapproof_verdict::Place;
use std::ops::Range;

/// A name, a number, a literal or a mark.
#[derive(Clone, Debug)]
struct Token {
    bytes: Range<usize>,
    place: Place,
}

/// A file, cut into tokens. Comments and lines of the preprocessor are gone.
#[derive(Debug)]
pub struct Tokens {
    text: String,
    list: Vec<Token>,
}

/// Marks of more than one character that must not be taken apart here.
const LONG_MARKS: [&str; 10] = ["&&", "||", "->", "==", "!=", "<=", ">=", "<<", ">>", "::"];

impl Tokens {
    /// Cuts a text. Bytes that are no characters count as one each, so columns stay what they are.
    pub fn new(bytes: &[u8]) -> Self {
        let mut text = String::with_capacity(bytes.len());
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            text.extend(chunk.invalid().iter().map(|_| '?'));
        }
        let mut cutter = Cutter { text: &text, at: 0, line: 1, start: 0, list: Vec::new() };
        cutter.run();
        let list = cutter.list;
        Tokens { text, list }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// The text of a token; none past the end.
    pub fn get(&self, index: usize) -> &str {
        self.list.get(index).map_or("", |token| &self.text[token.bytes.clone()])
    }

    /// The token before another.
    pub fn before(&self, index: usize) -> &str {
        index.checked_sub(1).map_or("", |before| self.get(before))
    }

    /// The token that starts at a place.
    pub fn at(&self, place: Place) -> Option<usize> {
        self.list.binary_search_by_key(&place, |token| token.place).ok()
    }

    /// The last token that starts at a place or before it.
    pub fn around(&self, place: Place) -> Option<usize> {
        self.list.partition_point(|token| token.place <= place).checked_sub(1)
    }

    /// Where the bracket that opens or closes at an index has its partner; none if there is none.
    pub fn partner(&self, index: usize) -> Option<usize> {
        let (open, close, forward) = match self.get(index) {
            "(" => ("(", ")", true),
            "[" => ("[", "]", true),
            "{" => ("{", "}", true),
            ")" => ("(", ")", false),
            "]" => ("[", "]", false),
            "}" => ("{", "}", false),
            _ => return None,
        };
        let mut depth = 0_i64;
        let mut here = index;
        loop {
            let token = self.get(here);
            depth += i64::from(token == open) - i64::from(token == close);
            if depth == 0 {
                return Some(here);
            }
            here = if forward { here + 1 } else { here.checked_sub(1)? };
            if here >= self.len() {
                return None;
            }
        }
    }

    /// Some tokens as one line: blanks as one, comments gone, nothing that a terminal would obey.
    pub fn quote(&self, range: Range<usize>) -> String {
        let mut quote = String::new();
        let mut end = None;
        for token in self.list.get(range).unwrap_or_default() {
            if end.is_some_and(|end| end < token.bytes.start) {
                quote.push(' ');
            }
            let shown = self.text[token.bytes.clone()].chars();
            quote.extend(shown.map(|c| if c.is_control() { '\u{fffd}' } else { c }));
            end = Some(token.bytes.end);
        }
        quote
    }
}

struct Cutter<'a> {
    text: &'a str,
    at: usize,
    line: u32,
    /// Where the line starts.
    start: usize,
    list: Vec<Token>,
}

impl Cutter<'_> {
    fn rest(&self) -> &[u8] {
        &self.text.as_bytes()[self.at..]
    }

    fn run(&mut self) {
        while let Some(byte) = self.rest().first().copied() {
            match byte {
                b'#' if self.starts_line() => self.skip_directive(),
                b'/' if self.rest().starts_with(b"//") => self.skip_line(),
                b'/' if self.rest().starts_with(b"/*") => self.skip_comment(),
                byte if byte.is_ascii_whitespace() || byte == b'\\' => self.step(),
                b'"' | b'\'' => self.literal(byte),
                byte if byte.is_ascii_digit() => self.token(word_length(self.rest(), true)),
                byte if is_word(byte) => self.token(word_length(self.rest(), false)),
                _ => {
                    let long = LONG_MARKS.iter().any(|mark| self.rest().starts_with(mark.as_bytes()));
                    self.token(if long { 2 } else { 1 });
                }
            }
        }
    }

    fn starts_line(&self) -> bool {
        self.text.as_bytes()[self.start..self.at].iter().all(u8::is_ascii_whitespace)
    }

    /// One byte on.
    fn step(&mut self) {
        let line_end = self.rest()[0] == b'\n';
        self.at += 1;
        if line_end {
            self.line += 1;
            self.start = self.at;
        }
    }

    fn token(&mut self, length: usize) {
        let column = (self.at - self.start) as u32 + 1;
        let place = Place { line: self.line, column };
        self.list.push(Token { bytes: self.at..self.at + length, place });
        for _ in 0..length {
            self.step();
        }
    }

    fn skip_line(&mut self) {
        while !self.rest().is_empty() && self.rest()[0] != b'\n' {
            self.step();
        }
    }

    /// To the end of the line, and of the next one after a backslash.
    fn skip_directive(&mut self) {
        loop {
            let mut last = 0;
            while !self.rest().is_empty() && self.rest()[0] != b'\n' {
                if self.rest().starts_with(b"/*") {
                    self.skip_comment();
                    continue;
                }
                last = if self.rest()[0] == b'\r' { last } else { self.rest()[0] };
                self.step();
            }
            if last != b'\\' || self.rest().is_empty() {
                return;
            }
            self.step();
        }
    }

    fn skip_comment(&mut self) {
        self.at += 2;
        while !self.rest().is_empty() && !self.rest().starts_with(b"*/") {
            self.step();
        }
        self.at = (self.at + 2).min(self.text.len());
    }

    /// A string or a character; one that does not end on its line ends there.
    fn literal(&mut self, quote: u8) {
        let rest = self.rest();
        let mut length = 1;
        while length < rest.len() && rest[length] != quote && rest[length] != b'\n' {
            length += if rest[length] == b'\\' && length + 1 < rest.len() { 2 } else { 1 };
        }
        let length = (length + usize::from(rest.get(length) == Some(&quote))).min(rest.len());
        self.token(length);
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn word_length(bytes: &[u8], number: bool) -> usize {
    bytes.iter().take_while(|byte| is_word(**byte) || number && **byte == b'.').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let tokens = Tokens::new(text.as_bytes());
        (0..tokens.len()).map(|index| tokens.get(index).to_owned()).collect()
    }

    #[test]
    fn what_is_no_code_is_gone() {
        let text = "#define A(x) \\\n  if (x)\nint/* a\nb */é = 'x'+\"\\\"{\"; // c\n a->b&&c1.5";
        assert_eq!(
            words(text),
            ["int", "é", "=", "'x'", "+", "\"\\\"{\"", ";", "a", "->", "b", "&&", "c1", ".", "5"]
        );
    }

    #[test]
    fn places_and_quotes() {
        let tokens = Tokens::new(b"if (a /* x */ &&\n    b)\n  f();");
        assert_eq!(tokens.at(Place { line: 2, column: 5 }), Some(4));
        assert_eq!(tokens.around(Place { line: 2, column: 9 }), Some(5));
        assert_eq!(tokens.quote(0..6), "if (a && b)");
        assert_eq!(tokens.partner(1), Some(5));
        assert_eq!(tokens.partner(5), Some(1));
    }

    #[test]
    fn odd_texts_do_no_harm() {
        for text in ["", "#", "\"", "'\\", "/*", "/*/", "(", "\u{1b}[31m", "#a\\", "\\\n\\"] {
            let tokens = Tokens::new(text.as_bytes());
            tokens.quote(0..tokens.len());
            let _ = tokens.partner(0);
        }
    }
}
