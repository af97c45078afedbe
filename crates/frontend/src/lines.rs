//! A text with its lines: from line and column to an offset and back, without reading it from the start.

use crate::source::Text;
use heapproof_ir::Span;
use std::ops::Deref;

/// A text and where its lines begin.
pub struct Lines {
    text: Text,
    starts: Vec<usize>,
}

impl Lines {
    /// Looks for the lines of a text.
    pub fn new(text: Text) -> Lines {
        let ends = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect();
        Lines { text, starts }
    }

    /// Where a line and column lie.
    pub fn offset_of(&self, line: u32, column: u32) -> Option<usize> {
        let start = self.starts.get(line.checked_sub(1)? as usize)?;
        let offset = start + column.checked_sub(1)? as usize;
        (offset < self.text.len()).then_some(offset)
    }

    /// The position of an offset, in the file of another position.
    pub fn position_of(&self, offset: usize, near: Span) -> Span {
        let line = self.starts.partition_point(|start| *start <= offset);
        let column = (offset - self.starts[line - 1]) as u32 + 1;
        Span { file: near.file, line: line as u32, column }
    }
}

impl Deref for Lines {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.text
    }
}

#[cfg(test)]
impl From<&str> for Lines {
    fn from(text: &str) -> Lines {
        Lines::new(Text::new(text.as_bytes().to_vec()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_offsets_agree() {
        let lines = Lines::from("ab\n\nc\n");
        for (offset, place) in [(0, (1, 1)), (1, (1, 2)), (2, (1, 3)), (3, (2, 1)), (4, (3, 1)), (5, (3, 2))]
        {
            assert_eq!(lines.offset_of(place.0, place.1), Some(offset));
            let found = lines.position_of(offset, Span::NONE);
            assert_eq!((found.line, found.column), place);
        }
        assert_eq!(lines.position_of(6, Span::NONE).line, 4);
        for (line, column) in [(0, 1), (1, 0), (4, 1), (9, 1), (1, 99)] {
            assert_eq!(lines.offset_of(line, column), None);
        }
    }
}
