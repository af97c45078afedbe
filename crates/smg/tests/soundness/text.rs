//! Programs as lines of text, one statement each, so that faults can be planted without knowing C.
//!
//! A line that ends in `{` opens a block, one that starts with `}` closes one; every other line is a statement.

use fastrand::Rng;

/// Lines of a program.
#[derive(Clone, Debug, Default)]
pub struct Text {
    lines: Vec<String>,
}

impl Text {
    /// Adds the lines of a template: blank lines are left out, and so is the indentation.
    pub fn add(&mut self, template: &str) {
        self.lines.extend(template.lines().map(str::trim).filter(|l| !l.is_empty()).map(str::to_owned));
    }

    /// All lines of another text.
    pub fn append(&mut self, mut other: Text) {
        self.lines.append(&mut other.lines);
    }

    /// The program with indentation.
    pub fn render(&self) -> String {
        let mut out = String::new();
        let mut depth = 0usize;
        for line in &self.lines {
            if line.starts_with('}') {
                depth = depth.saturating_sub(1);
            }
            out.push_str(&"  ".repeat(depth));
            out.push_str(line);
            out.push('\n');
            if line.ends_with('{') {
                depth += 1;
            }
        }
        out
    }

    fn is_statement(&self, at: usize) -> bool {
        let line = &self.lines[at];
        let declares = ["struct ", "static ", "int ", "#"].iter().any(|start| line.starts_with(start));
        line.ends_with(';') && !line.starts_with('}') && !declares
    }

    /// Plants a fault: one small change of the kind that people make. `vars` are pointers to nodes.
    pub fn mutate(&mut self, rng: &mut Rng, vars: &[&str]) {
        // Not every change is possible everywhere; a few attempts are enough.
        for _ in 0..20 {
            let at = rng.usize(..self.lines.len());
            if self.change(at, rng, vars) {
                return;
            }
        }
    }

    fn change(&mut self, at: usize, rng: &mut Rng, vars: &[&str]) -> bool {
        let line = self.lines[at].clone();
        match rng.u8(..10) {
            0 | 1 if self.is_statement(at) => {
                self.lines.remove(at);
            }
            2 if self.is_statement(at) => self.lines.insert(at, line),
            3 if at + 1 < self.lines.len() && self.is_statement(at) && self.is_statement(at + 1) => {
                self.lines.swap(at, at + 1);
            }
            4 | 5 => return self.rename(at, &line, rng, vars),
            6 => return self.weaken(at, &line, rng),
            7 => return self.other_field(at, &line, rng),
            8 if self.is_statement(at) => {
                let (v, w) = (vars[rng.usize(..vars.len())], vars[rng.usize(..vars.len())]);
                let extra = match rng.u8(..8) {
                    0 => format!("free({v});"),
                    1 | 2 => format!("{v} = {w};"),
                    3 => format!("if ({v}) {v} = {v}->next;"),
                    4 => format!("if ({v}) {v}->d = 7;"),
                    5 => format!("{v} = 0;"),
                    6 => format!("if ({v}) {v}->next = {w};"),
                    _ => "while (__VERIFIER_nondet_int()) ;".to_owned(),
                };
                self.lines.insert(at, extra);
            }
            9 => return self.constant(at, &line, rng),
            _ => return false,
        }
        true
    }

    /// Another variable in one place.
    fn rename(&mut self, at: usize, line: &str, rng: &mut Rng, vars: &[&str]) -> bool {
        let mut places = Vec::new();
        for var in vars {
            for (start, _) in line.match_indices(var) {
                let word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '>');
                let end = start + var.len();
                if !word(line[..start].chars().next_back())
                    && !line[end..].chars().next().is_some_and(|c| c.is_alphanumeric() || c == '_')
                {
                    places.push((start, end));
                }
            }
        }
        if places.is_empty() || line.contains('*') && line.contains("struct") {
            return false;
        }
        let (start, end) = places[rng.usize(..places.len())];
        let other = vars[rng.usize(..vars.len())];
        if line[start..end] == *other {
            return false;
        }
        self.lines[at] = format!("{}{other}{}", &line[..start], &line[end..]);
        true
    }

    /// Another condition.
    fn weaken(&mut self, at: usize, line: &str, rng: &mut Rng) -> bool {
        let (Some(open), Some(close)) = (line.find('('), line.rfind(") {")) else { return false };
        let keyword = &line[..open];
        if !keyword.contains("if") && !keyword.contains("while") || line.contains("int main") {
            return false;
        }
        let condition = &line[open + 1..close];
        let new = match rng.u8(..4) {
            0 => format!("!({condition})"),
            1 if keyword.contains("if") => "1".to_owned(),
            2 if keyword.contains("if") => "0".to_owned(),
            _ => match condition.split_once(" && ") {
                Some((first, second)) => (if rng.bool() { first } else { second }).to_owned(),
                None => return false,
            },
        };
        self.lines[at] = format!("{keyword}({new}) {{");
        true
    }

    /// Another field.
    fn other_field(&mut self, at: usize, line: &str, rng: &mut Rng) -> bool {
        let pairs = [("->next", "->prev"), ("->prev", "->next"), ("->next", ""), ("->next", "->next->next")];
        let (from, to) = pairs[rng.usize(..pairs.len())];
        let places: Vec<usize> = line.match_indices(from).map(|(start, _)| start).collect();
        if places.is_empty() {
            return false;
        }
        let start = places[rng.usize(..places.len())];
        self.lines[at] = format!("{}{to}{}", &line[..start], &line[start + from.len()..]);
        true
    }

    /// Another constant.
    fn constant(&mut self, at: usize, line: &str, rng: &mut Rng) -> bool {
        let isolated = |start: usize| {
            let around = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
            !around(line[..start].chars().next_back()) && !around(line[start + 1..].chars().next())
        };
        let places: Vec<usize> =
            line.char_indices().filter(|(s, c)| c.is_ascii_digit() && isolated(*s)).map(|(s, _)| s).collect();
        if places.is_empty() {
            return false;
        }
        let start = places[rng.usize(..places.len())];
        self.lines[at] = format!("{}{}{}", &line[..start], rng.u8(..4), &line[start + 1..]);
        true
    }
}
