//! The texts that annotations are read from: the files that were given, and headers that they include.

use crate::annotation::Mistake;
use crate::place::Annotations;
use crate::spec::Spec;
use heapproof_engine::Source;
use heapproof_ir::Program;
use std::collections::BTreeMap;

/// Texts by the names that the program has for its files.
pub struct Texts(Vec<(String, String)>);

impl Texts {
    /// Reads the files of a program. Headers of the system have no annotations for us.
    pub fn read(program: &Program, sources: &[Source]) -> Texts {
        let mut all = Vec::new();
        for name in program.files.values() {
            let given = sources.iter().find(|source| source.name == *name);
            let text = match given {
                Some(source) => source.text().map(str::to_owned),
                None if name.starts_with("/usr/") || !name.ends_with(".h") => None,
                None => std::fs::read(name).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
            };
            all.extend(text.map(|text| (name.clone(), text)));
        }
        Texts(all)
    }

    /// The annotations in them and what the user requires besides, or the mistakes as a compiler tells them.
    pub fn spec(
        &self,
        program: &Program,
        requires: &BTreeMap<String, Vec<String>>,
    ) -> Result<(Annotations, Spec), Vec<String>> {
        let texts: Vec<(&str, &str)> =
            self.0.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let mut annotations = Annotations::read(program, &texts);
        for (name, formulas) in requires {
            annotations.require(program, name, formulas);
        }
        match Spec::new(program, &annotations) {
            Ok(spec) => Ok((annotations, spec)),
            Err(mut mistakes) => {
                mistakes.sort_by(|(a, x), (b, y)| (a, x.at).cmp(&(b, y.at)));
                Err(mistakes.iter().map(|(file, mistake)| self.show(file, mistake)).collect())
            }
        }
    }

    /// The text of a file.
    pub fn of(&self, file: &str) -> &str {
        self.0.iter().find(|(name, _)| name == file).map_or("", |(_, text)| text)
    }

    fn show(&self, file: &str, mistake: &Mistake) -> String {
        match self.0.iter().find(|(name, _)| name == file) {
            Some((_, text)) => mistake.show(file, text),
            // What was given on the command line has no lines.
            None => {
                let help =
                    mistake.suggestion.as_ref().map_or(String::new(), |text| format!("\nnote: {text}"));
                format!("{file}: error: {}{help}", mistake.message)
            }
        }
    }
}

/// The mistakes in the annotations of a program, as a compiler tells them.
pub fn mistakes(program: &Program, sources: &[Source]) -> Vec<String> {
    Texts::read(program, sources).spec(program, &BTreeMap::new()).err().unwrap_or_default()
}
