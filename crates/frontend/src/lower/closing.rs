//! The closing brace of a function, where clang does not tell it.
//!
//! Variables die at the closing brace, and that is where a leak of what they held is reported. clang gives a function
//! that ends in `return 0;` the position of that statement as its end, so the brace is looked up in the source.

use crate::source::Sources;
use heapproof_ir::Span;

/// The brace right behind a `return` statement at this position, or the position itself.
pub fn closing_brace(sources: &mut Sources, path: &str, span: Span) -> Span {
    sources.text(path).and_then(|text| brace_after_return(text, span)).unwrap_or(span)
}

fn brace_after_return(text: &[u8], span: Span) -> Option<Span> {
    let start = offset_of(text, span.line, span.column)?;
    if !text[start..].starts_with(b"return") {
        return None;
    }
    let semicolon = start + text[start..].iter().position(|&b| b == b';')?;
    // `return ';';` and the like: leave it to the position that clang gave.
    if text[start..semicolon].iter().any(|b| matches!(b, b'"' | b'\'' | b'{' | b'}' | b'/')) {
        return None;
    }
    let brace = skip_blanks_and_comments(text, semicolon + 1)?;
    (text.get(brace) == Some(&b'}')).then(|| position_of(text, brace, span))
}

/// Where a line and column lie in a text.
pub fn offset_of(text: &[u8], line: u32, column: u32) -> Option<usize> {
    let mut start = 0;
    for _ in 1..line {
        start += text[start..].iter().position(|&b| b == b'\n')? + 1;
    }
    let offset = start + column.checked_sub(1)? as usize;
    (offset < text.len()).then_some(offset)
}

/// The position of an offset, in the file of another.
pub fn position_of(text: &[u8], offset: usize, near: Span) -> Span {
    let before = &text[..offset];
    let line = before.iter().filter(|&&b| b == b'\n').count() as u32 + 1;
    let column = (offset - before.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1)) as u32 + 1;
    Span { file: near.file, line, column }
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
        brace_after_return(text.as_bytes(), span).map(|s| (s.line, s.column))
    }

    #[test]
    fn finds_the_brace_behind_the_last_return() {
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
