//! The text of a file as C sees it, as far as scopes and jumps need it: blocks, statements, and what stands before an annotation.

use crate::annotation::Position;
use heapproof_ir::{FileId, GlobalId, Program, Span};
use std::collections::BTreeMap;

/// A text whose comments, strings and directives are blank.
#[derive(Clone, Debug, Default)]
pub struct Code {
    chars: Vec<char>,
    /// Where each line begins.
    lines: Vec<usize>,
}

impl Code {
    /// Of a text.
    pub fn new(text: &str) -> Code {
        let all: Vec<char> = text.chars().collect();
        let mut chars = Vec::with_capacity(all.len());
        let mut at = 0;
        while at < all.len() {
            let end = blank_end(&all, at, chars.iter().rev().take_while(|c| **c != '\n').all(|c| *c == ' '));
            match end {
                Some(end) => {
                    chars.extend(all[at..end].iter().map(|c| if *c == '\n' { '\n' } else { ' ' }));
                    at = end;
                }
                None => {
                    chars.push(all[at]);
                    at += 1;
                }
            }
        }
        let starts = chars.iter().enumerate().filter(|(_, c)| **c == '\n').map(|(at, _)| at + 1);
        let lines = [0].into_iter().chain(starts).collect();
        Code { chars, lines }
    }

    /// The place of a position. Columns of compilers count bytes; here that is exact enough, since only names matter.
    fn place(&self, at: Position) -> usize {
        let line = self.lines.get(at.line as usize - 1).copied().unwrap_or(self.chars.len());
        (line + (at.column as usize).saturating_sub(1)).min(self.chars.len())
    }

    /// True if the declaration at a position is in scope at another one.
    pub fn is_in_scope(&self, declared: Position, at: Position) -> bool {
        let (from, here) = (self.place(declared), self.place(at));
        here >= from && here <= self.end_of_scope(from)
    }

    /// Where the scope of what is declared at a place ends.
    fn end_of_scope(&self, from: usize) -> usize {
        let mut depth = 0;
        for at in (0..from).rev() {
            match self.chars[at] {
                ')' | ']' | '}' => depth += 1,
                '(' if depth == 0 => {
                    // What the head of a `for` declares lives as long as the loop; a parameter as long as the function.
                    let close = self.closing(at);
                    return self.end_of_statement(close + 1);
                }
                '{' if depth == 0 => return self.closing(at),
                '(' | '[' | '{' => depth -= 1,
                _ => {}
            }
        }
        self.chars.len()
    }

    /// The bracket that closes the one at a place.
    fn closing(&self, open: usize) -> usize {
        let mut depth = 0;
        for at in open..self.chars.len() {
            match self.chars[at] {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => {
                    depth -= 1;
                    if depth == 0 {
                        return at;
                    }
                }
                _ => {}
            }
        }
        self.chars.len()
    }

    fn skip_blanks(&self, mut at: usize) -> usize {
        while self.chars.get(at).is_some_and(|c| c.is_whitespace()) {
            at += 1;
        }
        at
    }

    fn word(&self, at: usize) -> String {
        self.chars[at.min(self.chars.len())..].iter().take_while(|c| is_word(**c)).collect()
    }

    /// Where the statement ends that begins at a place.
    fn end_of_statement(&self, from: usize) -> usize {
        let at = self.skip_blanks(from);
        let word = self.word(at);
        let after = at + word.chars().count();
        match (self.chars.get(at), word.as_str()) {
            (None, _) => self.chars.len(),
            (Some('{'), _) => self.closing(at),
            (_, "if" | "for" | "while" | "switch") => {
                let open = self.skip_blanks(after);
                let end = self.end_of_statement(self.closing(open) + 1);
                let next = self.skip_blanks(end + 1);
                if word == "if" && self.word(next) == "else" { self.end_of_statement(next + 4) } else { end }
            }
            (_, "do") => self.end_of_simple(self.end_of_statement(after) + 1),
            _ => self.end_of_simple(at),
        }
    }

    /// The semicolon that ends an expression or a declaration.
    fn end_of_simple(&self, from: usize) -> usize {
        let mut at = from;
        while let Some(c) = self.chars.get(at) {
            match c {
                ';' | '}' => return at,
                '(' | '[' | '{' => at = self.closing(at),
                _ => {}
            }
            at += 1;
        }
        at
    }

    /// True if control never comes from the statement before a position: that jumps away, whatever happens.
    pub fn follows_jump(&self, at: Position) -> bool {
        let end = self.place(at);
        let mut before = (0..end).rev().filter(|at| !self.chars[*at].is_whitespace());
        let Some(last) = before.next().filter(|last| self.chars[*last] == ';') else { return false };
        let starts = |at: &usize| matches!(self.chars[*at], ';' | '{' | '}');
        let Some(start) = (0..last).rev().find(starts) else { return false };
        // Labels stand before a statement; a colon after a question mark is none.
        let question = (start + 1..last).find(|at| self.chars[*at] == '?').unwrap_or(last);
        let label = (start + 1..question).rev().find(|at| self.chars[*at] == ':');
        let first = self.skip_blanks(label.unwrap_or(start) + 1);
        matches!(self.word(first).as_str(), "return" | "goto" | "break" | "continue")
    }

    /// What stands between a position and another one.
    pub fn between(&self, from: Position, to: Position) -> String {
        let (from, to) = (self.place(from), self.place(to));
        self.chars[from.min(to)..to].iter().collect()
    }

    /// True if the next thing after a position is the end of a block at the level of a function.
    pub fn ends_function(&self, at: Position) -> bool {
        let next = self.skip_blanks(self.place(at));
        if self.chars.get(next) != Some(&'}') {
            return false;
        }
        let depth = self.chars[..=next].iter().fold(0i64, |depth, c| match c {
            '{' => depth + 1,
            '}' => depth - 1,
            _ => depth,
        });
        depth == 0
    }

    /// The column where a name stands first on a line.
    fn column_of(&self, line: u32, name: &str) -> Option<u32> {
        let start = self.place(Position { line, column: 1 });
        let end = self.place(Position { line: line + 1, column: 1 });
        let name: Vec<char> = name.chars().collect();
        let at = (start..end).find(|at| self.has_word(*at, &name))?;
        u32::try_from(at - start + 1).ok()
    }

    fn has_word(&self, at: usize, name: &[char]) -> bool {
        let is_start = at == 0 || !is_word(self.chars[at - 1]);
        let after = self.chars.get(at + name.len());
        is_start && self.chars[at..].starts_with(name) && !after.is_some_and(|c| is_word(*c))
    }

    /// The last declaration before a position that has a name, from its first word.
    pub fn last_declaration(&self, before: Position, name: &str) -> Option<String> {
        let end = self.place(before);
        let name: Vec<char> = name.chars().collect();
        let at = (0..end).rev().find(|at| self.has_word(*at, &name))?;
        let starts = |at: &usize| matches!(self.chars[*at], ';' | '{' | '}');
        let start = (0..at).rev().find(starts).map_or(0, |at| at + 1);
        Some(self.chars[start..at].iter().collect())
    }
}

/// The texts of the files of a program.
#[derive(Clone, Debug, Default)]
pub struct Codes(BTreeMap<FileId, Code>);

impl Codes {
    /// Adds the text of a file.
    pub fn add(&mut self, file: FileId, text: &str) {
        self.0.insert(file, Code::new(text));
    }

    /// The text of a file.
    pub fn of(&self, file: FileId) -> Option<&Code> {
        self.0.get(&file)
    }

    /// True if a declaration is in scope at a position of a file. Where the text is not known, it is if it stands before.
    pub fn sees(&self, declared: Span, file: FileId, at: Position) -> bool {
        if declared.file != file {
            return true;
        }
        let from = Position { line: declared.line, column: declared.column.max(1) };
        self.of(file).map_or(from.line <= at.line, |code| code.is_in_scope(from, at))
    }

    /// A declaration whose column is not known, with the column where its name stands first on its line.
    pub fn named(&self, span: Span, name: &str) -> Span {
        let column = self.of(span.file).and_then(|code| code.column_of(span.line, name));
        Span { column: column.unwrap_or(span.column.max(1)), ..span }
    }

    /// The variable with static storage that a name means in a file outside of functions; an error if that is not clear.
    pub fn global(
        &self,
        program: &Program,
        file: Option<FileId>,
        name: &str,
    ) -> Result<Option<GlobalId>, ()> {
        let is_named = |(id, global): (GlobalId, &heapproof_ir::Global)| {
            (!global.anonymous && source_name(&global.name) == name).then_some(id)
        };
        let all: Vec<GlobalId> = program.globals.iter().filter_map(is_named).collect();
        let Some(file) = file else {
            return match all.as_slice() {
                [] => Ok(None),
                [one] => Ok(Some(*one)),
                _ => Err(()),
            };
        };
        let here =
            |id: &&GlobalId| program.globals[**id].span.file == file && program.globals[**id].span.is_known();
        let own: Vec<GlobalId> = all.iter().filter(here).copied().collect();
        let seen: Vec<GlobalId> = match own.is_empty() {
            false => own,
            // What another file has for itself is not visible here.
            true => all.into_iter().filter(|id| !self.is_of_another(program, *id)).collect(),
        };
        match seen.as_slice() {
            [] => Ok(None),
            [one] => Ok(Some(*one)),
            _ => Err(()),
        }
    }

    /// True for a variable that a C file, not a header, declares as `static`.
    fn is_of_another(&self, program: &Program, id: GlobalId) -> bool {
        let span = program.globals[id].span;
        let is_header = program.files.get(span.file).is_some_and(|name| name.ends_with(".h"));
        let declaration = self.of(span.file).filter(|_| !is_header && span.is_known());
        let at = Position { line: span.line.max(1), column: span.column.max(1) };
        declaration.is_some_and(|code| {
            // The column of a global is not known: the last declaration that begins on its line or before it.
            let end = Position { line: at.line + 1, column: 1 };
            code.last_declaration(end, source_name(&program.globals[id].name))
                .is_some_and(|text| text.split(|c: char| !is_word(c)).any(|word| word == "static"))
        })
    }
}

/// The name of a symbol in the source: linking adds a number to names that several files have. What is static in a function has
/// the name of the function in front, with a dot, and is found by its own rule.
pub fn source_name(symbol: &str) -> &str {
    match symbol.rsplit_once('.') {
        Some((name, number)) if !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit()) => name,
        _ => symbol,
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Where a comment, a literal or a directive ends that begins at a place.
fn blank_end(all: &[char], at: usize, is_first: bool) -> Option<usize> {
    let rest = &all[at..];
    let find = |from: usize, end: &[char]| {
        (at + from..all.len())
            .find(|place| all[*place..].starts_with(end))
            .map_or(all.len(), |found| found + end.len())
    };
    match rest {
        ['/', '/', ..] => Some(find(2, &['\n']) - usize::from(rest.contains(&'\n'))),
        ['/', '*', ..] => Some(find(2, &['*', '/'])),
        ['#', ..] if is_first => {
            // A line that ends with a backslash goes on.
            let mut end = at;
            while end < all.len() && (all[end] != '\n' || all[end - 1] == '\\') {
                end += 1;
            }
            Some(end)
        }
        [quote @ ('"' | '\''), ..] => {
            let mut end = at + 1;
            while end < all.len() && all[end] != *quote && all[end] != '\n' {
                end += if all[end] == '\\' { 2 } else { 1 };
            }
            Some((end + 1).min(all.len()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::Code;
    use crate::annotation::Position;

    const TEXT: &str = "int f(int c) {\n\
        int x = 1; // }\n\
        { int x = 2; g = '}'; }\n\
        h = x;\n\
        for (int i = 0; i < 3; i++) if (i) { g = i; } else\n\
        g = 2;\n\
        if (c) return 1;\n\
        switch (c) { case 1: g = 1; break;\n\
        default: return c ? 1 : 2;\n\
        }\n\
        L: return 0;\n\
        }\n";

    fn at(line: u32, column: u32) -> Position {
        Position { line, column }
    }

    #[test]
    fn scopes_end_with_their_block() {
        let code = Code::new(TEXT);
        let sees = |line, column, from| code.is_in_scope(at(line, column), at(from, 1));
        assert!(sees(2, 5, 4) && sees(2, 5, 11));
        assert!(!sees(3, 7, 4));
        assert!(sees(5, 10, 6) && !sees(5, 10, 7));
        assert!(sees(1, 11, 9));
    }

    #[test]
    fn jumps_are_seen() {
        let code = Code::new(TEXT);
        let jumps: Vec<u32> = (1..=12).filter(|line| code.follows_jump(at(*line, 1))).collect();
        assert_eq!(jumps, [9, 10, 12]);
        assert!(code.ends_function(at(12, 1)) && !code.ends_function(at(10, 1)));
    }
}
