//! `//@ client` lines: what a person says about how functions are called.
//!
//! `//@ client list_free: consumes l` is about a parameter, `//@ client json_string: lends` about the result or the function.

use std::collections::BTreeMap;

/// A word of an annotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// The function takes the argument over.
    Consumes,
    /// The argument stays the client's, and lives on.
    Keeps,
    /// The result is the client's.
    Gives,
    /// The result is lent.
    Lends,
    /// NULL may be passed.
    Null,
    /// NULL is not passed.
    NotNull,
    /// Any value may be passed.
    Any,
    /// No client calls it.
    Skip,
}

/// The annotations of some files.
#[derive(Clone, Debug, Default)]
pub struct Annotations {
    /// By function: the word and the parameter.
    by_function: BTreeMap<String, Vec<(Word, Option<String>)>>,
    /// Lines that could not be read: file, line and what is wrong.
    pub mistakes: Vec<(String, usize, String)>,
}

impl Annotations {
    /// Adds the lines of a file.
    pub fn read(&mut self, file: &str, text: &str) {
        for (at, line) in text.lines().enumerate() {
            let Some(rest) = line.trim_start().strip_prefix("//@ client ") else { continue };
            if let Err(why) = self.line(rest) {
                self.mistakes.push((file.to_owned(), at + 1, why));
            }
        }
    }

    fn line(&mut self, rest: &str) -> Result<(), String> {
        let (function, words) =
            rest.split_once(':').ok_or("`//@ client FUNCTION: WORD PARAMETER` is expected")?;
        for part in words.split(',') {
            let mut parts = part.split_whitespace();
            let word = match parts.next() {
                Some("consumes") => Word::Consumes,
                Some("keeps") => Word::Keeps,
                Some("gives") => Word::Gives,
                Some("lends") => Word::Lends,
                Some("null") => Word::Null,
                Some("not-null") => Word::NotNull,
                Some("any") => Word::Any,
                Some("skip") => Word::Skip,
                other => {
                    let other = other.unwrap_or("nothing");
                    return Err(format!(
                        "`{other}` is no word of `//@ client`: these are consumes, keeps, gives, lends, null, not-null, any, skip"
                    ));
                }
            };
            let parameter = parts.next().map(str::to_owned);
            let is_of_parameter = !matches!(word, Word::Gives | Word::Lends | Word::Skip);
            if is_of_parameter && parameter.is_none() {
                return Err("the name of a parameter is missing".to_owned());
            }
            self.by_function.entry(function.trim().to_owned()).or_default().push((word, parameter));
        }
        Ok(())
    }

    /// The words about a function.
    pub fn of<'a>(&'a self, function: &str) -> impl Iterator<Item = &'a Word> {
        self.by_function.get(function).into_iter().flatten().map(|(word, _)| word)
    }

    /// The words about a parameter.
    pub fn of_parameter<'a>(&'a self, function: &str, parameter: &str) -> impl Iterator<Item = &'a Word> {
        let parameter = parameter.to_owned();
        let all = self.by_function.get(function).into_iter().flatten();
        all.filter(move |(_, name)| name.as_deref() == Some(parameter.as_str())).map(|(word, _)| word)
    }

    /// The functions that are annotated.
    pub fn functions(&self) -> impl Iterator<Item = &str> {
        self.by_function.keys().map(String::as_str)
    }
}
