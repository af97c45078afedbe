//! A grid of ordinary C: every type in every position, and every operation on every pair of numbers.
//!
//! A *point* is a function without parameters that computes a number from values which pass through one position. A *batch* is a
//! program of two files with many points and a `main` that prints the number of each. What is right is what the native program
//! prints ([`native`]); the points are without undefined behaviour, so all compilers agree.

mod leaf;
pub mod native;
mod numbers;
mod pairs;
mod positions;
mod types;

use positions::POSITIONS;
use std::fmt::Write;
use types::Type;

/// One combination of a type and a position, or of two types and an operation.
#[derive(Clone, Debug)]
pub struct Point {
    /// Type and position.
    pub name: String,
    /// The function: `int function(void)`.
    pub function: String,
}

/// A program with many points.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Names and texts of its C files; `main` is in the first one.
    pub files: Vec<(String, String)>,
    /// Its points, in the order in which `main` prints them.
    pub points: Vec<Point>,
    /// gcc 12 knows all its types.
    pub gcc: bool,
}

/// Which points are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Selection {
    /// Types that exist only with 64 bits are left out.
    pub ilp32: bool,
    /// Of the points of each type, and of the pairs of types, every so many-th, beginning with one that differs from type to type.
    pub every: usize,
    /// The most types in one batch.
    pub types: usize,
}

/// Selects points of one type after another, so that over all types each position is taken equally often.
struct Turns {
    every: usize,
    count: usize,
}

impl Turns {
    fn take(&mut self) -> bool {
        self.count += 1;
        (self.count - 1).is_multiple_of(self.every)
    }
}

/// The batches of a selection, always the same.
pub fn batches(selection: Selection) -> Vec<Batch> {
    let mut turns = Turns { every: selection.every, count: 0 };
    let usable = |t: &Type| t.ilp32 || !selection.ilp32;
    let (known, new): (Vec<Type>, Vec<Type>) = types::types().into_iter().filter(usable).partition(|t| t.gcc);
    let mut batches = Vec::new();
    for (group, gcc) in [(known, true), (new, false)] {
        for some in group.chunks(selection.types) {
            let name = format!("types{}", batches.len());
            batches.push(of_types(&name, some, gcc, &mut turns));
        }
    }
    batches.extend(pairs::batches(selection));
    batches.retain(|batch| !batch.points.is_empty());
    batches
}

/// The texts of a batch while it is written.
struct Text {
    name: String,
    first: String,
    second: String,
    points: Vec<Point>,
}

impl Text {
    fn new(name: &str) -> Self {
        let shared = format!("{}{}", leaf::PRELUDE, types::SHARED);
        Text {
            name: name.to_owned(),
            first: format!("{shared}int printf(const char *, ...);\n{}", leaf::OBJECTS),
            second: shared,
            points: Vec::new(),
        }
    }

    /// The name of the next point's function.
    fn next_function(&self) -> String {
        format!("point_{}_{}", self.name, self.points.len())
    }

    fn finish(mut self, gcc: bool) -> Batch {
        let _ = writeln!(
            self.first,
            "#ifndef FIRST\n#define FIRST 0\n#endif\n#ifndef LAST\n#define LAST 1000000\n#endif"
        );
        self.first += "static int (*const points[])(void) = {\n";
        for point in &self.points {
            let _ = writeln!(self.first, "  {},", point.function);
        }
        let _ = writeln!(
            self.first,
            "}};\n#ifndef NO_MAIN\nint main(void) {{\n  for (int i = FIRST; i < {} && i <= LAST; i++) printf(\"%d %d\\n\", i, points[i]());\n  return 0;\n}}\n#endif",
            self.points.len()
        );
        let files =
            vec![(format!("{}.c", self.name), self.first), (format!("{}_other.c", self.name), self.second)];
        Batch { files, points: self.points, gcc }
    }
}

fn of_types(name: &str, types: &[Type], gcc: bool, turns: &mut Turns) -> Batch {
    let mut text = Text::new(name);
    for t in types {
        let mut definition = t.declaration.clone();
        definition += &leaf::maker(&t.name, &t.alternatives);
        definition += &leaf::reader(&t.name, &t.alternatives);
        text.first += &definition;
        text.second += &definition;
        for position in POSITIONS.iter().filter(|position| position.which.includes(t)) {
            if !turns.take() {
                continue;
            }
            let function = text.next_function();
            let fill = |template: &str| {
                template
                    .replace("$T", &t.name)
                    .replace("$P", t.promoted.unwrap_or(&t.name))
                    .replace("$f", &function)
                    .replace("$0", leaf::zeros(&t.alternatives))
                    .replace("$1", &leaf::initialiser(&t.alternatives, 1))
                    .replace("$2", &leaf::initialiser(&t.alternatives, 2))
                    .replace("make(", &format!("make_{}(", t.name))
                    .replace("see(", &format!("SEE(read_{}, ", t.name))
            };
            let point = format!("{}: {}", t.name, position.name);
            let (before, after) = position.outside.split_once("$after").unwrap_or((position.outside, ""));
            let _ = writeln!(text.first, "/* {point} */\n{}", fill(before));
            let _ = writeln!(
                text.first,
                "int {function}(void) {{ u64 h = 0; for (unsigned k = 1; k < 4; k++) {{\n  {}\n}} return fold(h); }}\n{}",
                fill(position.body),
                fill(after)
            );
            if !position.other_file.is_empty() {
                let _ = writeln!(text.second, "/* {point} */\n{}", fill(position.other_file));
            }
            text.points.push(Point { name: point, function });
        }
    }
    text.finish(gcc)
}
