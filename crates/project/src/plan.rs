//! Units of a project: programs, libraries, modules and annotated files, from what a build compiles and puts together.
//!
//! Link lines say what a program is made of. Where there are none, a program is a file with `main` and what it needs, by symbols;
//! if that leaves a choice, the unit has a *gap*: its program was guessed, so no proof about it counts as one of the project.

use crate::call::{Link, LinkKind};
use heapproof_frontend::Symbols;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// More loose files than this are not put together.
const MOST_TOGETHER: usize = 50;

/// A compiled file.
#[derive(Clone, Debug)]
pub struct Object {
    /// The source, from the root of the project.
    pub source: String,
    /// Where the object is, or was.
    pub places: Vec<PathBuf>,
    /// How it was compiled.
    pub options: Vec<String>,
    /// Its symbols; none if it does not compile.
    pub symbols: Option<Symbols>,
    /// It has contracts in comments.
    pub annotated: bool,
}

/// What a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnitKind {
    /// A program with `main`.
    Program,
    /// An archive or a shared library.
    Library,
    /// Files without `main` that belong to nothing else.
    Module,
    /// The contracts of a file that is a part of a program.
    Contracts,
}

/// What is analysed at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Its name, which no other unit has.
    pub name: String,
    /// What it is.
    pub kind: UnitKind,
    /// Its objects, as indices, in order.
    pub members: Vec<usize>,
    /// What is not known of it, or not in it: with any of these it cannot be `safe`.
    pub gaps: Vec<String>,
}

/// The units of a project, in the order of their names.
pub fn units(objects: &[Object], links: &[Link], root: &Path) -> Vec<Unit> {
    let links = joined(links);
    let mut planner = Planner::new(objects, &links, root);
    planner.linked();
    planner.programs_by_symbols();
    planner.loose();
    planner.annotated();
    planner.named()
}

/// One line for each file that is made: steps of an archive are joined; of other lines the last one counts.
fn joined(links: &[Link]) -> Vec<Link> {
    let mut joined: Vec<Link> = Vec::new();
    let mut places: HashMap<&Path, usize> = HashMap::new();
    for link in links {
        match places.get(link.output.as_path()) {
            Some(at) if link.kind == LinkKind::Archive && joined[*at].kind == LinkKind::Archive => {
                let new = link.inputs.iter().filter(|input| !joined[*at].inputs.contains(input));
                let new: Vec<PathBuf> = new.cloned().collect();
                joined[*at].inputs.extend(new);
            }
            Some(at) => joined[*at] = link.clone(),
            None => {
                places.insert(&link.output, joined.len());
                joined.push(link.clone());
            }
        }
    }
    joined
}

struct Planner<'a> {
    objects: &'a [Object],
    links: &'a [Link],
    root: &'a Path,
    /// The object at a place; a later compilation takes the place of an earlier one.
    at: HashMap<&'a Path, usize>,
    /// What was put together, by its file.
    made: HashMap<&'a Path, &'a Link>,
    /// Objects that define a symbol.
    definers: HashMap<&'a str, Vec<usize>>,
    units: Vec<Unit>,
    known: BTreeSet<(UnitKind, Vec<usize>)>,
    used: BTreeSet<usize>,
}

impl<'a> Planner<'a> {
    fn new(objects: &'a [Object], links: &'a [Link], root: &'a Path) -> Self {
        let mut at = HashMap::new();
        let mut definers: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, object) in objects.iter().enumerate() {
            at.extend(object.places.iter().map(|place| (place.as_path(), index)));
            for symbol in
                object.symbols.iter().flat_map(|symbols| symbols.defined.iter().chain(&symbols.weak))
            {
                definers.entry(symbol).or_default().push(index);
            }
        }
        let made = links.iter().map(|link| (link.output.as_path(), link)).collect();
        Planner {
            objects,
            links,
            root,
            at,
            made,
            definers,
            units: Vec::new(),
            known: BTreeSet::new(),
            used: BTreeSet::new(),
        }
    }

    fn defines(&self, object: usize, symbol: &str) -> bool {
        let symbols = self.objects[object].symbols.as_ref();
        symbols.is_some_and(|symbols| symbols.defined.contains(symbol) || symbols.weak.contains(symbol))
    }

    fn add(&mut self, kind: UnitKind, name: String, members: Vec<usize>, gaps: Vec<String>) {
        if members.is_empty() || !self.known.insert((kind, members.clone())) {
            return;
        }
        self.used.extend(&members);
        self.units.push(Unit { name, kind, members, gaps });
    }

    /// Programs and libraries by their link lines.
    fn linked(&mut self) {
        for link in self.links {
            let name = self.name_of(&link.output);
            let (direct, lazy, mut gaps) = self.inputs(link, &mut BTreeSet::new());
            let has_main = |members: &[usize]| members.iter().any(|member| self.defines(*member, "main"));
            if link.kind == LinkKind::Program {
                let start = match has_main(&direct) {
                    true => direct,
                    // `main` may be in an archive.
                    false => direct
                        .into_iter()
                        .chain(lazy.iter().copied().filter(|o| self.defines(*o, "main")))
                        .collect(),
                };
                let pool = |candidate: usize| lazy.contains(&candidate);
                let members = self.closure(start, &pool, &mut gaps);
                let kind = if has_main(&members) { UnitKind::Program } else { UnitKind::Library };
                self.add(kind, name, members, gaps);
            } else {
                let members = direct.into_iter().filter(|member| !self.defines(*member, "main")).collect();
                self.add(UnitKind::Library, name, members, gaps);
            }
        }
    }

    /// What a link line takes as a whole, what it takes if it is needed, and what is missing.
    fn inputs(&self, link: &'a Link, seen: &mut BTreeSet<&'a Path>) -> (Vec<usize>, Vec<usize>, Vec<String>) {
        let (mut direct, mut lazy, mut gaps) = (Vec::new(), Vec::new(), Vec::new());
        if !seen.insert(&link.output) {
            return (direct, lazy, gaps);
        }
        let named = link.libraries.iter().flat_map(|name| {
            let files = [format!("lib{name}.a"), format!("lib{name}.so")];
            link.folders.iter().flat_map(move |folder| files.clone().map(|file| folder.join(file)))
        });
        let named: Vec<PathBuf> = named.filter(|path| self.made.contains_key(path.as_path())).collect();
        for input in link.inputs.iter().chain(&named) {
            if let Some(object) = self.at.get(input.as_path()) {
                if !direct.contains(object) {
                    direct.push(*object);
                }
                if self.objects[*object].symbols.is_none() {
                    gaps.push(format!(
                        "{} is a part of it and was not analysed",
                        self.objects[*object].source
                    ));
                }
            } else if let Some(part) = self.made.get(input.as_path()) {
                let (whole, more, missing) = self.inputs(part, seen);
                let place = if is_object(input) { &mut direct } else { &mut lazy };
                place.extend(whole);
                lazy.extend(more);
                gaps.extend(missing);
            } else if is_object(input) {
                gaps.push(format!(
                    "{} is a part of it, and how it is made is not known",
                    self.name_of(input)
                ));
            }
        }
        direct.retain(|object| self.objects[*object].symbols.is_some());
        lazy.retain(|object| self.objects[*object].symbols.is_some());
        (direct, lazy, gaps)
    }

    /// Some objects and what they need, as a linker finds it.
    fn closure(&self, start: Vec<usize>, pool: &dyn Fn(usize) -> bool, gaps: &mut Vec<String>) -> Vec<usize> {
        let mut members = start;
        let mut defined: BTreeSet<&str> = BTreeSet::new();
        let mut strong: BTreeSet<&str> = BTreeSet::new();
        let mut next = 0;
        while next < members.len() {
            // All that is there defines before anything is looked for.
            for member in &members[next..] {
                let symbols = self.objects[*member].symbols.as_ref();
                let symbols = symbols.into_iter();
                for symbols in symbols {
                    defined.extend(symbols.defined.iter().chain(&symbols.weak).map(String::as_str));
                    strong.extend(symbols.defined.iter().map(String::as_str));
                }
            }
            let member = members[next];
            next += 1;
            let Some(symbols) = &self.objects[member].symbols else { continue };
            for symbol in &symbols.used {
                if defined.contains(symbol.as_str()) {
                    continue;
                }
                let Some(found) = self.definition(symbol, member, pool, &strong, gaps) else { continue };
                if !members.contains(&found) {
                    members.push(found);
                    if let Some(symbols) = &self.objects[found].symbols {
                        defined.extend(symbols.defined.iter().chain(&symbols.weak).map(String::as_str));
                        strong.extend(symbols.defined.iter().map(String::as_str));
                    }
                }
            }
        }
        members
    }

    /// The object that defines a symbol for another one.
    fn definition(
        &self,
        symbol: &str,
        for_whom: usize,
        pool: &dyn Fn(usize) -> bool,
        taken: &BTreeSet<&str>,
        gaps: &mut Vec<String>,
    ) -> Option<usize> {
        let fits = |candidate: &usize| {
            let symbols = self.objects[*candidate].symbols.as_ref();
            pool(*candidate)
                && !self.defines(*candidate, "main")
                && symbols.is_some_and(|s| s.defined.iter().all(|name| !taken.contains(name.as_str())))
        };
        let all = self.definers.get(symbol)?;
        let mut candidates: Vec<usize> = all.iter().copied().filter(fits).collect();
        let is_strong = |candidate: &usize| {
            self.objects[*candidate].symbols.as_ref().is_some_and(|s| s.defined.contains(symbol))
        };
        if candidates.iter().any(is_strong) {
            candidates.retain(is_strong);
        }
        // The configuration of the file that needs it.
        let options = &self.objects[for_whom].options;
        if candidates.iter().any(|candidate| self.objects[*candidate].options == *options) {
            candidates.retain(|candidate| self.objects[*candidate].options == *options);
        }
        let first = *candidates.first()?;
        if candidates.len() > 1 {
            let names: Vec<&str> = candidates.iter().map(|c| self.objects[*c].source.as_str()).collect();
            gaps.push(format!(
                "`{symbol}` is defined in {}; which of them belongs to the program is not known (heapproof capture records it)",
                names.join(" and ")
            ));
        }
        Some(first)
    }

    /// Files with `main` that no link line names, with what they need.
    fn programs_by_symbols(&mut self) {
        let mains = (0..self.objects.len()).filter(|object| self.defines(*object, "main"));
        let mains: Vec<usize> = mains.filter(|object| !self.used.contains(object)).collect();
        for main in mains {
            let mut gaps = Vec::new();
            let members = self.closure(vec![main], &|_| true, &mut gaps);
            self.add(UnitKind::Program, self.objects[main].source.clone(), members, gaps);
        }
    }

    /// Files that belong to nothing: those that need each other together.
    fn loose(&mut self) {
        let loose = (0..self.objects.len()).filter(|object| !self.used.contains(object));
        let loose: BTreeSet<usize> = loose.filter(|object| self.objects[*object].symbols.is_some()).collect();
        let mut above: BTreeMap<usize, usize> = loose.iter().map(|object| (*object, *object)).collect();
        for object in &loose {
            for symbol in self.objects[*object].symbols.iter().flat_map(|symbols| &symbols.used) {
                let all = self.definers.get(symbol.as_str()).into_iter().flatten();
                let options = &self.objects[*object].options;
                let mut fits = all.filter(|o| loose.contains(o) && self.objects[**o].options == *options);
                if let (Some(definer), None) = (fits.next(), fits.next()) {
                    let (from, to) = (top(&mut above, *object), top(&mut above, *definer));
                    above.insert(from.max(to), from.min(to));
                }
            }
        }
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for object in &loose {
            groups.entry(top(&mut above, *object)).or_default().push(*object);
        }
        for members in groups.into_values() {
            let is_one = members.len() <= MOST_TOGETHER && !self.collide(&members);
            let parts = if is_one { vec![members] } else { members.into_iter().map(|m| vec![m]).collect() };
            for part in parts {
                let name = self.objects[part[0]].source.clone();
                self.add(UnitKind::Module, name, part, Vec::new());
            }
        }
    }

    /// True if two of them define the same symbol.
    fn collide(&self, members: &[usize]) -> bool {
        let mut seen = BTreeSet::new();
        let symbols = members.iter().filter_map(|member| self.objects[*member].symbols.as_ref());
        symbols.flat_map(|symbols| &symbols.defined).any(|symbol| !seen.insert(symbol))
    }

    /// Contracts of files that are parts of programs: those of modules are asked with the module.
    fn annotated(&mut self) {
        let elsewhere = self.units.iter().filter(|unit| unit.kind != UnitKind::Program);
        let asked: BTreeSet<usize> = elsewhere.flat_map(|unit| unit.members.iter().copied()).collect();
        for index in 0..self.objects.len() {
            let object = &self.objects[index];
            if object.annotated && object.symbols.is_some() && !asked.contains(&index) {
                let name = format!("{} (contracts)", object.source);
                self.add(UnitKind::Contracts, name, vec![index], Vec::new());
            }
        }
    }

    fn name_of(&self, path: &Path) -> String {
        path.strip_prefix(self.root).unwrap_or(path).display().to_string()
    }

    /// Names that no two units share: files that are compiled in several ways are told apart by what differs.
    fn named(mut self) -> Vec<Unit> {
        let mut names: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, unit) in self.units.iter().enumerate() {
            names.entry(unit.name.clone()).or_default().push(index);
        }
        for (name, same) in names.into_iter().filter(|(_, same)| same.len() > 1) {
            let options = |unit: &usize| &self.objects[self.units[*unit].members[0]].options;
            let labels: Vec<String> = same
                .iter()
                .map(|unit| {
                    let is_common = |word: &&String| same.iter().all(|other| options(other).contains(word));
                    let own: Vec<&str> =
                        options(unit).iter().filter(|w| !is_common(w)).map(String::as_str).collect();
                    if own.is_empty() { "no options of its own".to_owned() } else { own.join(" ") }
                })
                .collect();
            let mut seen: HashMap<&str, usize> = HashMap::new();
            for (unit, label) in same.iter().zip(&labels) {
                let count = seen.entry(label).or_insert(0);
                *count += 1;
                let number = if *count > 1 { format!(" #{count}") } else { String::new() };
                self.units[*unit].name = format!("{name} [{label}]{number}");
            }
        }
        self.units.sort_by(|a, b| a.name.cmp(&b.name));
        self.units
    }
}

/// True for the name of an object, which is taken as a whole.
fn is_object(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "o" || e == "lo" || e == "obj")
}

/// The first object of a group.
fn top(above: &mut BTreeMap<usize, usize>, object: usize) -> usize {
    let mut at = object;
    while above[&at] != at {
        at = above[&at];
    }
    above.insert(object, at);
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &str) -> BTreeSet<String> {
        names.split_whitespace().map(str::to_owned).collect()
    }

    fn object(source: &str, defined: &str, used: &str) -> Object {
        let symbols = Symbols { defined: set(defined), weak: BTreeSet::new(), used: set(used) };
        let places = vec![PathBuf::from(format!("/p/{source}.o"))];
        Object {
            source: source.to_owned(),
            places,
            options: vec![],
            symbols: Some(symbols),
            annotated: false,
        }
    }

    fn link(kind: LinkKind, output: &str, inputs: &[&str]) -> Link {
        Link {
            kind,
            output: format!("/p/{output}").into(),
            inputs: inputs.iter().map(|input| format!("/p/{input}").into()).collect(),
            libraries: Vec::new(),
            folders: Vec::new(),
        }
    }

    fn show(units: &[Unit]) -> Vec<(&str, UnitKind, &[usize], usize)> {
        units.iter().map(|u| (u.name.as_str(), u.kind, u.members.as_slice(), u.gaps.len())).collect()
    }

    #[test]
    fn two_programs_share_a_file() {
        let objects = [
            object("a.c", "main", "list printf"),
            object("b.c", "main", "list"),
            object("list.c", "list", "malloc"),
            object("other.c", "other", ""),
        ];
        let units = units(&objects, &[], Path::new("/p"));
        let expected: Vec<(&str, UnitKind, &[usize], usize)> = vec![
            ("a.c", UnitKind::Program, &[0, 2], 0),
            ("b.c", UnitKind::Program, &[1, 2], 0),
            ("other.c", UnitKind::Module, &[3], 0),
        ];
        assert_eq!(show(&units), expected);
    }

    #[test]
    fn link_lines_decide() {
        let objects = [
            object("main.c", "main", "f"),
            object("f1.c", "f", ""),
            object("f2.c", "f", "g"),
            object("g.c", "g", ""),
            object("h.c", "h", ""),
        ];
        let links = [
            link(LinkKind::Archive, "libx.a", &["g.c.o", "h.c.o"]),
            link(LinkKind::Program, "prog", &["main.c.o", "f2.c.o", "libx.a", "crt.o"]),
        ];
        let units = units(&objects, &links, Path::new("/p"));
        let expected: Vec<(&str, UnitKind, &[usize], usize)> = vec![
            ("f1.c", UnitKind::Module, &[1], 0),
            ("libx.a", UnitKind::Library, &[3, 4], 0),
            // Of the archive only what is needed; and `crt.o` is not known.
            ("prog", UnitKind::Program, &[0, 2, 3], 1),
        ];
        assert_eq!(show(&units), expected);
    }

    #[test]
    fn a_guess_is_a_gap() {
        let objects = [object("main.c", "main", "f"), object("f1.c", "f", ""), object("f2.c", "f", "")];
        let units = units(&objects, &[], Path::new("/p"));
        assert_eq!(units.iter().find(|unit| unit.name == "main.c").unwrap().gaps.len(), 1);
        assert!(units.iter().any(|unit| unit.name == "f2.c"));
    }

    #[test]
    fn every_configuration_is_in_a_unit() {
        let with = |mut object: Object, option: &str| {
            object.options = vec!["-Wall".to_owned(), option.to_owned()];
            object
        };
        let objects = [
            with(object("a.c", "main", "f"), "-DA"),
            with(object("a.c", "main", "f"), "-DB"),
            with(object("f.c", "f", ""), "-DA"),
            with(object("f.c", "f", ""), "-DB"),
        ];
        let units = units(&objects, &[], Path::new("/p"));
        let expected: Vec<(&str, UnitKind, &[usize], usize)> =
            vec![("a.c [-DA]", UnitKind::Program, &[0, 2], 0), ("a.c [-DB]", UnitKind::Program, &[1, 3], 0)];
        assert_eq!(show(&units), expected);
    }

    #[test]
    fn files_that_need_each_other_are_one_module() {
        let objects = [
            object("a.c", "a", "b"),
            object("b.c", "b", ""),
            object("c.c", "c", "d"),
            object("e.c", "e", ""),
        ];
        let units = units(&objects, &[], Path::new("/p"));
        assert_eq!(units.iter().map(|unit| unit.members.len()).collect::<Vec<_>>(), [2, 1, 1]);
    }

    #[test]
    fn a_program_with_a_part_that_does_not_compile_has_a_gap() {
        let mut objects = [object("main.c", "main", "f"), object("f.c", "f", "")];
        objects[1].symbols = None;
        let links = [link(LinkKind::Program, "prog", &["main.c.o", "f.c.o"])];
        let units = units(&objects, &links, Path::new("/p"));
        assert_eq!(show(&units), [("prog", UnitKind::Program, &[0][..], 1)]);
    }
}
