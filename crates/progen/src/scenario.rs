//! The scenarios: what each can go wrong with, and the place a scenario is written at.

use crate::fault::Fault;
use crate::rng::Rng;

mod arithmetic;
mod arrays;
mod buffers;
mod by_value;
mod bytes;
mod control;
mod hash_table;
mod intrusive_list;
mod lifetimes;
mod matrix;
mod pointers;
mod records;
mod singly_list;
mod strings;
mod tree;
mod unions;
mod varargs;

/// A kind of little program.
pub struct Scenario {
    /// Its name, a part of the names of its functions.
    pub name: &'static str,
    /// The errors that it knows how to commit.
    pub variations: &'static [Variation],
    /// Writes it.
    pub emit: fn(&mut Site) -> Part,
}

/// One way to commit an error: the class, and what to put into which holes of the template.
///
/// One line carries the mark `@fault`. For a leak, the allocation carries `@alloc`.
pub type Variation = (Fault, &'static [(&'static str, &'static str)]);

impl Scenario {
    /// Whether it can commit an error of the class.
    pub fn can(&self, fault: Fault) -> bool {
        self.variations.iter().any(|(class, _)| *class == fault)
    }
}

/// The text of a scenario.
pub struct Part {
    /// Types, objects and functions.
    pub text: String,
    /// The function of no arguments, returning an integer, that runs it.
    pub run: String,
}

impl Part {
    /// Number of lines that it adds to a program.
    pub fn lines(&self) -> usize {
        self.text.lines().count() + 3
    }
}

/// All scenarios.
pub const ALL: &[Scenario] = &[
    arithmetic::SCENARIO,
    arrays::SCENARIO,
    buffers::SCENARIO,
    bytes::SCENARIO,
    control::SCENARIO,
    hash_table::SCENARIO,
    intrusive_list::SCENARIO,
    lifetimes::SCENARIO,
    matrix::SCENARIO,
    pointers::SCENARIO,
    records::SCENARIO,
    singly_list::SCENARIO,
    strings::SCENARIO,
    tree::SCENARIO,
    unions::SCENARIO,
    by_value::SCENARIO,
    varargs::SCENARIO,
];

/// Where a scenario is written: its choices, its name, and the error it has to commit.
pub struct Site<'a> {
    /// Source of choices.
    pub rng: &'a mut Rng,
    /// Prefix of all its names at file scope.
    prefix: String,
    /// The error to commit: the text for the holes that it concerns.
    fault: Option<&'static [(&'static str, &'static str)]>,
}

impl<'a> Site<'a> {
    /// The place of the scenario `name`, number `index` of its program, which has to commit an error or not.
    pub fn new(rng: &'a mut Rng, name: &str, index: usize, variation: Option<&Variation>) -> Self {
        Site { rng, prefix: format!("{name}{index}"), fault: variation.map(|(_, texts)| *texts) }
    }

    /// The finished scenario: `template` with its holes and values, and `${p}` for the prefix.
    pub fn part(&mut self, mut holes: Holes, template: &str, values: &[(&str, String)]) -> Part {
        for (name, text) in self.fault.unwrap_or_default() {
            holes.set(name, *text);
        }
        let mut values = values.to_vec();
        values.push(("p", self.prefix.clone()));
        Part { text: holes.fill(template, &values), run: format!("{}_run", self.prefix) }
    }
}

/// Named places in a scenario's template that hold correct code, or none, until a fault replaces it.
pub struct Holes(Vec<(&'static str, String)>);

impl Holes {
    /// The holes with the text of the correct program.
    pub fn new(correct: &[(&'static str, &str)]) -> Self {
        Holes(correct.iter().map(|(name, text)| (*name, text.to_string())).collect())
    }

    /// Replaces the text of one hole.
    pub fn set(&mut self, name: &'static str, text: impl Into<String>) {
        let slot = self.0.iter_mut().find(|(key, _)| *key == name);
        slot.unwrap_or_else(|| panic!("no hole `{name}`")).1 = text.into();
    }

    /// Fills `template` with the holes first and with `values` afterwards, so that holes may use values.
    fn fill(&self, template: &str, values: &[(&str, String)]) -> String {
        let mut all: Vec<(&str, String)> =
            values.iter().map(|(name, _)| (*name, format!("${{{name}}}"))).collect();
        all.extend(self.0.iter().map(|(name, text)| (*name, text.clone())));
        // Twice, because holes may hold holes.
        let inner = crate::template::fill(&crate::template::fill(template, &all), &all);
        crate::template::fill(&inner, values)
    }
}

/// A random selection of `count` of the operations, in random order, each in a block of its own.
fn choose_operations(rng: &mut Rng, operations: &[&str], count: i64) -> String {
    let mut chosen = operations.to_vec();
    rng.shuffle(&mut chosen);
    chosen.truncate(count as usize);
    chosen.iter().map(|operation| crate::c!("{\n    $operation\n}", operation = operation)).collect()
}

/// A list of named values for [`Site::part`].
macro_rules! values {
    ($($key:ident = $value:expr),* $(,)?) => { &[$((stringify!($key), ($value).to_string())),*][..] };
}
use values;
