//! Places in the text of a program that witnesses name: where a call ends, and where a statement begins.

/// A text in which comments and literals are blanks; all else stays in its place.
#[derive(Clone, Debug)]
pub struct Text {
    lines: Vec<usize>,
    bytes: Vec<u8>,
}

impl Text {
    /// Blanks a text.
    pub fn new(source: &[u8]) -> Text {
        let mut bytes = source.to_vec();
        let mut at = 0;
        let blank = |bytes: &mut Vec<u8>, from: usize, to: usize| {
            for byte in &mut bytes[from..to] {
                if *byte != b'\n' {
                    *byte = b' ';
                }
            }
        };
        while at < bytes.len() {
            let rest = &source[at..];
            let length = match rest {
                [b'/', b'/', ..] => rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len()),
                [b'/', b'*', ..] => {
                    rest[2..].windows(2).position(|two| two == b"*/").map_or(rest.len(), |end| end + 4)
                }
                [quote @ (b'"' | b'\''), ..] => literal(rest, *quote),
                _ => 0,
            };
            blank(&mut bytes, at, at + length);
            at += length.max(1);
        }
        let mut lines = vec![0];
        lines.extend(
            source.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(index, _)| index + 1),
        );
        Text { lines, bytes }
    }

    /// The byte at a line and a column, both from 1.
    fn offset(&self, line: u32, column: u32) -> Option<usize> {
        let start = *self.lines.get((line as usize).checked_sub(1)?)?;
        let at = start + (column as usize).checked_sub(1)?;
        (at <= self.bytes.len()).then_some(at)
    }

    /// Line and column of a byte.
    fn place(&self, offset: usize) -> (u32, u32) {
        let line = self.lines.partition_point(|start| *start <= offset);
        (line as u32, (offset - self.lines[line - 1]) as u32 + 1)
    }

    /// The closing parenthesis of the call that begins at a place.
    pub fn end_of_call(&self, line: u32, column: u32) -> Option<(u32, u32)> {
        let start = self.offset(line, column)?;
        let mut depth = 0;
        for (index, byte) in self.bytes.iter().enumerate().skip(start) {
            match byte {
                b'(' => depth += 1,
                b')' if depth == 1 => return Some(self.place(index)),
                b')' => depth -= 1,
                b';' | b'{' | b'}' if depth == 0 => return None,
                _ => {}
            }
        }
        None
    }

    /// The first character of the statement, or of the part of a loop's head, that holds a place.
    pub fn statement(&self, line: u32, column: u32) -> Option<(u32, u32)> {
        let at = self.offset(line, column.max(1))?.min(self.bytes.len().checked_sub(1)?);
        let mut depth = 0i32;
        let mut start = 0;
        for index in (0..at).rev() {
            match self.bytes[index] {
                b')' => depth += 1,
                b'(' => depth -= 1,
                b';' | b'{' | b'}' if depth <= 0 => {
                    start = index + 1;
                    break;
                }
                _ => {}
            }
        }
        // Lines of the preprocessor are no statements.
        loop {
            start += self.bytes[start..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            if self.bytes.get(start) != Some(&b'#') {
                break;
            }
            start += self.bytes[start..].iter().take_while(|byte| **byte != b'\n').count();
        }
        start = self.heads(start, at);
        (start <= at).then(|| self.place(start))
    }

    /// Skips `else`, `if (…)` and the like, while what follows them still holds the place.
    fn heads(&self, mut start: usize, at: usize) -> usize {
        loop {
            let rest = &self.bytes[start..];
            let length = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
            let end = match &rest[..length] {
                b"else" | b"do" => start + length,
                b"if" | b"for" | b"while" | b"switch" => match self.closing(start + length) {
                    Some(end) => end,
                    None => return start,
                },
                _ => return start,
            };
            let next = end + self.bytes[end..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            if next > at {
                return start;
            }
            start = next;
        }
    }

    /// After the parentheses that come next.
    fn closing(&self, from: usize) -> Option<usize> {
        let mut depth = 0;
        for (index, byte) in self.bytes.iter().enumerate().skip(from) {
            match byte {
                b'(' => depth += 1,
                b')' if depth == 1 => return Some(index + 1),
                b')' => depth -= 1,
                _ if depth == 0 && !byte.is_ascii_whitespace() => return None,
                _ => {}
            }
        }
        None
    }
}

/// The length of a literal; one that is not closed ends with its line.
fn literal(text: &[u8], quote: u8) -> usize {
    let mut escaped = false;
    for (index, byte) in text.iter().enumerate().skip(1) {
        match byte {
            b'\n' if !escaped => return index,
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            byte if *byte == quote => return index + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::Text;

    const SOURCE: &str = "\
#include <a.h>
int main(void) {
    int n = f(\")\", g(1)); /* ; */ *p = 2;
    if (a) { b(); } else if (c(d))
        e = *p;
    for (i = 0; *p < 3; i++) x();
}
";

    #[test]
    fn calls() {
        let text = Text::new(SOURCE.as_bytes());
        assert_eq!(text.end_of_call(3, 13), Some((3, 24)));
        assert_eq!(text.end_of_call(3, 20), Some((3, 23)));
        assert_eq!(text.end_of_call(3, 38), None);
        assert_eq!(text.end_of_call(99, 1), None);
    }

    #[test]
    fn statements() {
        let text = Text::new(SOURCE.as_bytes());
        assert_eq!(text.statement(3, 20), Some((3, 5)));
        assert_eq!(text.statement(3, 38), Some((3, 35)));
        assert_eq!(text.statement(5, 13), Some((5, 9)));
        assert_eq!(text.statement(4, 30), Some((4, 26)));
        assert_eq!(text.statement(4, 9), Some((4, 5)));
        assert_eq!(text.statement(6, 17), Some((6, 17)));
        assert_eq!(text.statement(6, 30), Some((6, 30)));
        assert_eq!(text.statement(2, 5), Some((2, 1)));
        assert_eq!(text.statement(40, 1), None);
        assert_eq!(Text::new(b"").statement(1, 1), None);
    }
}
