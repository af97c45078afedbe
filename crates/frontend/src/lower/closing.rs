//! The closing brace of a function, where clang does not tell it.
//!
//! Variables die at the closing brace, and that is where a leak of what they held is reported. clang gives a function
//! that ends in `return 0;` the position of that statement as its end, so the brace is looked up in the source.

use crate::lines::Lines;
use crate::source::Sources;
use heapproof_ir::Span;

/// The brace right after a `return` statement at this position, or the position itself.
pub fn closing_brace(sources: &mut Sources, path: &str, span: Span) -> Span {
    sources.text(path).and_then(|text| brace_after_return(text, span)).unwrap_or(span)
}

fn brace_after_return(text: &Lines, span: Span) -> Option<Span> {
    let start = text.offset_of(span.line, span.column)?;
    if !text[start..].starts_with(b"return") {
        return None;
    }
    let semicolon = start + text[start..].iter().position(|&b| b == b';')?;
    // `return ';';` and the like: leave it to the position that clang gave.
    if text[start..semicolon].iter().any(|b| matches!(b, b'"' | b'\'' | b'{' | b'}' | b'/')) {
        return None;
    }
    let brace = skip_blanks_and_comments(text, semicolon + 1)?;
    (text.get(brace) == Some(&b'}')).then(|| text.position_of(brace, span))
}

fn skip_blanks_and_comments(text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match text.get(at..)? {
            [b' ' | b'\t' | b'\r' | b'\n', ..] => at += 1,
            [b'/', b'/', ..] => at += text[at..].iter().position(|&b| b == b'\n')?,
            [b'/', b'*', ..] => at += text[at + 2..].windows(2).position(|w| w == b"*/")? + 4,
            _ => return Some(at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn closing(text: &str, line: u32, column: u32) -> Option<(u32, u32)> {
        let span = Span { line, column, ..Span::NONE };
        brace_after_return(&Lines::from(text), span).map(|s| (s.line, s.column))
    }

    #[test]
    fn finds_the_brace_after_the_last_return() {
        assert_eq!(closing("int f(void) {\n  return 0; // done\n  /* bye */ }\n", 2, 3), Some((3, 13)));
        assert_eq!(closing("int f(void) { return 0; }", 1, 15), Some((1, 25)));
    }

    #[test]
    fn leaves_anything_else_alone() {
        assert_eq!(closing("int f(void) {\n  return 0; g(); }\n", 2, 3), None);
        assert_eq!(closing("int f(void) {\n  END; }\n", 2, 3), None);
        assert_eq!(closing("int f(void) { return ';'; }", 1, 15), None);
        assert_eq!(closing("", 3, 3), None);
    }
}
