//! How far an expression or a declarator reaches in the source.
//!
//! Debug information gives positions, but not the ends of full expressions. They are looked up in the text, on the safe
//! side: what is found may reach farther than the expression, but not less far, macros with several statements aside.

use crate::lines::Lines;
use heapproof_ir::Span;

/// Line and column.
pub type Place = (u32, u32);

/// From the start of the statement around `first` to the end of the full expression around `last`.
pub fn full_expression(text: &Lines, first: Span, last: Span) -> Option<(Place, Place)> {
    let start = statement_start(text, text.offset_of(first.line, first.column)?);
    let end = end_after(text, text.offset_of(last.line, last.column)?, false);
    Some((place(text, start, first), place(text, end, last)))
}

/// From the name of a variable to the end of its initialiser.
pub fn declarator(text: &Lines, name: Span) -> Option<(Place, Place)> {
    let start = text.offset_of(name.line, name.column)?;
    let end = end_after(text, start, true);
    Some(((name.line, name.column), place(text, end, name)))
}

fn place(text: &Lines, offset: usize, near: Span) -> Place {
    let span = text.position_of(offset, near);
    (span.line, span.column)
}

fn statement_start(text: &[u8], from: usize) -> usize {
    text[..from].iter().rposition(|b| matches!(b, b';' | b'{' | b'}')).map_or(0, |at| at + 1)
}

/// Where an expression ends that covers an offset: at a semicolon, at the parenthesis that ends a condition, or at the
/// comma of the next declarator.
fn end_after(text: &[u8], from: usize, comma: bool) -> usize {
    let mut depth = 0usize;
    let mut at = from;
    while at < text.len() {
        match text[at] {
            b'"' | b'\'' => at = end_of_literal(text, at),
            b'/' if text[at..].starts_with(b"//") || text[at..].starts_with(b"/*") => {
                at = end_of_comment(text, at);
            }
            b'(' | b'[' | b'{' => depth += 1,
            b'}' if depth == 0 => return at,
            b')' | b']' if depth == 0 => {
                let next = text[at + 1..].iter().find(|b| !b.is_ascii_whitespace());
                if comma || next.is_some_and(|b| *b == b'{' || *b == b'_' || b.is_ascii_alphabetic()) {
                    return at;
                }
            }
            b')' | b']' | b'}' => depth -= 1,
            b';' if depth == 0 => return at,
            b',' if depth == 0 && comma => return at,
            _ => {}
        }
        at += 1;
    }
    text.len()
}

/// The last byte of a string or character constant.
fn end_of_literal(text: &[u8], from: usize) -> usize {
    let mut at = from + 1;
    while at < text.len() && text[at] != text[from] && text[at] != b'\n' {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    at
}

/// The last byte of a comment.
fn end_of_comment(text: &[u8], from: usize) -> usize {
    let end = match text[from + 1] {
        b'/' => text[from..].iter().position(|b| *b == b'\n'),
        _ => text[from + 2..].windows(2).position(|w| w == b"*/").map(|n| n + 3),
    };
    end.map_or(text.len(), |n| from + n)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(line: u32, column: u32) -> Span {
        Span { line, column, ..Span::NONE }
    }

    #[test]
    fn full_expressions() {
        let text = &Lines::from("{ a; x = f(g().p, \";\") + 1; b; }");
        assert_eq!(full_expression(text, span(1, 12), span(1, 16)), Some(((1, 5), (1, 27))));
        let text = &Lines::from("while (g().n) { b; }");
        assert_eq!(full_expression(text, span(1, 8), span(1, 12)), Some(((1, 1), (1, 13))));
        let text = &Lines::from("x = g(({ a; b; }), g().n /* ; */\n); c;");
        assert_eq!(full_expression(text, span(1, 5), span(1, 5)), Some(((1, 1), (2, 2))));
    }

    #[test]
    fn declarators() {
        let text = &Lines::from("const int a = f(1, 2), b[] = { 1, 2 };");
        assert_eq!(declarator(text, span(1, 11)), Some(((1, 11), (1, 22))));
        assert_eq!(declarator(text, span(1, 24)), Some(((1, 24), (1, 38))));
        assert_eq!(declarator(text, span(9, 1)), None);
    }
}
