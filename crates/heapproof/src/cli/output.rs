//! Writing: a reader that went away is no error, and nothing here panics.

use super::args::Colour;
use heapproof_report::escape;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

/// Writes to standard output; says what is wrong if it cannot, and false.
#[must_use]
pub fn out(bytes: &[u8]) -> bool {
    let mut stdout = io::stdout().lock();
    printed(stdout.write_all(bytes).and_then(|()| stdout.flush()))
}

/// True unless writing failed, which is told; a reader that went away has seen enough.
pub fn printed(result: io::Result<()>) -> bool {
    match result {
        Err(why) if why.kind() != io::ErrorKind::BrokenPipe => {
            complain(format_args!("cannot write to the standard output: {why}"));
            false
        }
        _ => true,
    }
}

/// What a program under analysis wrote: as it is, but on a terminal as text.
#[must_use]
pub fn out_of_program(bytes: &[u8]) -> bool {
    match io::stdout().is_terminal() {
        true => out(escape::lines(&String::from_utf8_lossy(bytes)).as_bytes()),
        false => out(bytes),
    }
}

/// The same for standard error.
pub fn err_of_program(bytes: &[u8]) {
    match io::stderr().is_terminal() {
        true => err_text(&String::from_utf8_lossy(bytes)),
        false => err(bytes),
    }
}

/// Writes text of others, such as clang's, to standard error, without its control characters.
pub fn err_text(text: &str) {
    err(escape::lines(text).as_bytes());
}

/// Writes to standard error.
pub fn err(bytes: &[u8]) {
    let _ = io::stderr().lock().write_all(bytes);
}

/// A line of our own on standard error.
pub fn complain(message: impl Display) {
    err_text(&format!("heapproof: error: {message}\n"));
}

/// A remark on standard error.
pub fn remark(message: impl Display) {
    err_text(&format!("heapproof: {message}\n"));
}

/// `1 second`, `2.5 seconds`.
pub fn seconds(number: f64) -> String {
    format!("{number} second{}", if number == 1.0 { "" } else { "s" })
}

/// True if colours are wanted on the stream.
pub fn colour(choice: Colour, stream: &impl anstream::stream::RawStream) -> bool {
    match choice {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto => anstream::AutoStream::choice(stream) != anstream::ColorChoice::Never,
    }
}

/// An argument as a shell has to be given it.
pub fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-+=/.,:%@^".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else if text.chars().any(char::is_control) {
        // What shells read as the same characters.
        format!("$'{}'", escape::line(&text.replace('\\', "\\\\").replace('\'', "\\'")))
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

/// Splits a line into words as a shell does: blanks separate, quotes and backslashes protect.
pub fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (Some(q), c) if q == c => quote = None,
            (None | Some('"'), '\\') => word.get_or_insert_default().extend(chars.next()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_quotes() {
        assert_eq!(words(" a  'b c' \"d\\\"e\" f\\ g '' "), ["a", "b c", "d\"e", "f g", ""]);
        assert_eq!(quoted("a/b.c"), "a/b.c");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(words(&quoted("it's $x")), ["it's $x"]);
    }
}
