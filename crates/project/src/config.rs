//! `heapproof.toml` at the root of a project: what would otherwise be repeated on every command line.

use globset::{Glob, GlobSet, GlobSetBuilder};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The name of the file.
pub const NAME: &str = "heapproof.toml";

/// What the file says.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Config {
    /// Files that are not looked at; patterns from the root of the project.
    pub exclude: Vec<String>,
    /// The compilation database, from the root.
    pub compile_commands: Option<PathBuf>,
    /// What all units are asked.
    #[serde(flatten)]
    pub all: UnitConfig,
    /// What some units are asked; the last that fits counts.
    pub unit: Vec<Selected>,
}

/// How units are analysed.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct UnitConfig {
    /// The property.
    pub property: Option<String>,
    /// Functions to start at or to look at.
    pub entry: Vec<String>,
    /// `malloc` and its relatives may return NULL.
    pub malloc_may_fail: Option<bool>,
    /// External functions that change no memory.
    pub assume_pure: Vec<String>,
    /// External functions that may change what pointers given to them point to.
    pub havoc: Vec<String>,
    /// The counted budget.
    pub budget: Option<u64>,
    /// Seconds after which a unit is ended.
    pub timeout: Option<f64>,
    /// The most memory of a unit, in MiB.
    pub memory: Option<u64>,
    /// The engine.
    pub engine: Option<String>,
}

/// What some units are asked.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Selected {
    /// Which ones: a pattern of names of units.
    pub name: String,
    /// How they are analysed.
    #[serde(flatten)]
    pub how: UnitConfig,
}

impl UnitConfig {
    /// As options of `heapproof check`.
    pub fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let mut option = |name: &str, value: Option<String>| {
            words.extend(value.map(|value| format!("--{name}={value}")));
        };
        option("property", self.property.clone());
        for name in &self.entry {
            option("entry", Some(name.clone()));
        }
        for name in &self.assume_pure {
            option("assume-pure", Some(name.clone()));
        }
        for name in &self.havoc {
            option("havoc", Some(name.clone()));
        }
        option("engine", self.engine.clone());
        option("budget", self.budget.map(|budget| budget.to_string()));
        option("timeout", self.timeout.map(|seconds| seconds.to_string()));
        option("memory", self.memory.map(|mib| mib.to_string()));
        if self.malloc_may_fail == Some(true) {
            words.push("--malloc-may-fail".to_owned());
        }
        words
    }
}

impl Config {
    /// Reads the file of a project; nothing is said if there is none.
    pub fn read(root: &Path) -> Result<Config, String> {
        let path = root.join(NAME);
        match std::fs::read_to_string(&path) {
            Ok(text) => Config::parse(&text).map_err(|why| format!("{}: {why}", path.display())),
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => Ok(Config::default()),
            Err(why) => Err(format!("cannot read {}: {why}", path.display())),
        }
    }

    fn parse(text: &str) -> Result<Config, String> {
        // Keys that nobody knows are mistakes; a flattened part would swallow them.
        let table: toml::Table = text.parse().map_err(|why: toml::de::Error| why.to_string())?;
        known(&table, &["exclude", "compile-commands", "unit"])?;
        for unit in table.get("unit").and_then(toml::Value::as_array).into_iter().flatten() {
            known(unit.as_table().ok_or("`unit` is a list of tables: [[unit]]")?, &["name"])?;
        }
        let config: Config = toml::from_str(text).map_err(|why| why.to_string())?;
        patterns(&config.exclude)?;
        for unit in &config.unit {
            patterns(std::slice::from_ref(&unit.name))?;
        }
        Ok(config)
    }

    /// The options for a unit.
    pub fn words(&self, unit: &str) -> Vec<String> {
        let fits =
            |some: &&Selected| patterns(std::slice::from_ref(&some.name)).is_ok_and(|set| set.is_match(unit));
        // A later option takes the place of an earlier one.
        let special = self.unit.iter().filter(fits).flat_map(|some| some.how.words());
        self.all.words().into_iter().chain(special).collect()
    }
}

/// The keys of [`UnitConfig`].
const KEYS: [&str; 9] =
    ["property", "entry", "malloc-may-fail", "assume-pure", "havoc", "budget", "timeout", "memory", "engine"];

fn known(table: &toml::Table, more: &[&str]) -> Result<(), String> {
    match table.keys().find(|key| !KEYS.contains(&key.as_str()) && !more.contains(&key.as_str())) {
        Some(key) => {
            Err(format!("there is no key `{key}`; known are {}, {}", more.join(", "), KEYS.join(", ")))
        }
        None => Ok(()),
    }
}

/// Patterns of paths or names.
pub fn patterns(texts: &[String]) -> Result<GlobSet, String> {
    let mut builder = GlobSetBuilder::new();
    for text in texts {
        builder.add(Glob::new(text).map_err(|why| format!("`{text}` is no pattern: {why}"))?);
    }
    builder.build().map_err(|why| why.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_with_all() {
        let text = "exclude = [\"tests/**\"]\nproperty = \"memsafety\"\nbudget = 500\nhavoc = [\"log\"]\n\
                    [[unit]]\nname = \"src/*\"\nbudget = 9\nmalloc-may-fail = true\n";
        let config = Config::parse(text).unwrap();
        assert_eq!(config.exclude, ["tests/**"]);
        assert_eq!(config.words("lib/x"), ["--property=memsafety", "--havoc=log", "--budget=500"]);
        assert_eq!(config.words("src/x").last().unwrap(), "--malloc-may-fail");
        assert!(config.words("src/x").contains(&"--budget=9".to_owned()));
    }

    #[test]
    fn mistakes_are_named() {
        for (text, word) in [
            ("exlude = []", "no key `exlude`"),
            ("[[unit]]\nname = \"a\"\nbudgt = 1", "no key `budgt`"),
            ("exclude = [\"a[\"]", "no pattern"),
            ("budget = \"x\"", "invalid type"),
            ("unit = 7", ""),
            ("[", ""),
        ] {
            let why = Config::parse(text).unwrap_err();
            assert!(why.contains(word), "{text}: {why}");
        }
    }
}
