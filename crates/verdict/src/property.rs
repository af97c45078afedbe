//! The properties that are checked and the ways to name them.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// An elementary property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Property {
    /// Every access lies wholly inside one live object.
    ValidDeref,
    /// Every release is of the null pointer or of the start of a live heap block.
    ValidFree,
    /// No live heap block becomes unreachable.
    ValidMemtrack,
    /// No block copy between overlapping areas.
    NoOverlap,
    /// No live heap block is left at a normal end of the program: a return from `main`, or `exit`.
    MemCleanup,
    /// No live heap block is left at any end of the program: at `abort`, a failed assertion or an error call neither.
    ValidMemcleanup,
    /// The error function is never called.
    UnreachCall,
    /// No assertion fails and no integer is divided by zero.
    Assertions,
    /// No index leaves an array that is a member, or a row of an array.
    Bounds,
    /// Every function keeps all nodes valid, all links closed and all nodes apart.
    DataStructure,
    /// Every function keeps its contract.
    Contracts,
}

impl Property {
    /// True if a leak violates it.
    pub fn is_about_leaks(self) -> bool {
        matches!(self, Property::ValidMemtrack | Property::MemCleanup | Property::ValidMemcleanup)
    }

    /// All elementary properties.
    pub const ALL: [Property; 11] = [
        Property::ValidDeref,
        Property::ValidFree,
        Property::ValidMemtrack,
        Property::NoOverlap,
        Property::MemCleanup,
        Property::ValidMemcleanup,
        Property::UnreachCall,
        Property::Assertions,
        Property::Bounds,
        Property::DataStructure,
        Property::Contracts,
    ];

    /// The properties of whole programs: all but those of single functions.
    pub const OF_PROGRAMS: [Property; 8] = [
        Property::ValidDeref,
        Property::ValidFree,
        Property::ValidMemtrack,
        Property::NoOverlap,
        Property::MemCleanup,
        Property::ValidMemcleanup,
        Property::UnreachCall,
        Property::Assertions,
    ];

    /// The name in answers; those of SV-COMP where it has one.
    pub fn name(self) -> &'static str {
        match self {
            Property::ValidDeref => "valid-deref",
            Property::ValidFree => "valid-free",
            Property::ValidMemtrack => "valid-memtrack",
            Property::NoOverlap => "no-overlap",
            Property::MemCleanup => "memcleanup",
            Property::ValidMemcleanup => "valid-memcleanup",
            Property::UnreachCall => "unreach-call",
            Property::Assertions => "assertions",
            Property::Bounds => "bounds",
            Property::DataStructure => "data-structure",
            Property::Contracts => "contracts",
        }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The elementary properties that one run checks together, with the name by which the user asked for them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertySet {
    /// How the set was named: `memsafety`, `memsafety+assertions`, …
    pub name: String,
    /// The members, in order, without repetition.
    pub members: Vec<Property>,
}

impl PropertySet {
    /// A set under a name.
    pub fn new(name: impl Into<String>, members: impl IntoIterator<Item = Property>) -> Self {
        let mut members: Vec<_> = members.into_iter().collect();
        members.sort();
        members.dedup();
        PropertySet { name: name.into(), members }
    }

    /// valid-deref, valid-free, valid-memtrack and no overlapping copies.
    pub fn memsafety() -> Self {
        use Property::*;
        Self::new("memsafety", [ValidDeref, ValidFree, ValidMemtrack, NoOverlap])
    }

    /// What `check` looks for when nothing is asked: memsafety and assertions.
    pub fn default_of_check() -> Self {
        let members = Self::memsafety().members.into_iter().chain([Property::Assertions]);
        Self::new("memsafety+assertions", members)
    }

    /// The same, where a block that is lost because `main` returns is no error.
    pub fn default_without_leaks_at_exit() -> Self {
        let members = Self::default_of_check().members;
        Self::new("memsafety+assertions without leaks at exit", members)
    }

    /// True if the elementary property belongs to the set.
    pub fn has(&self, property: Property) -> bool {
        self.members.contains(&property)
    }

    /// What is checked of a module function by function when nothing is asked.
    pub fn default_of_module(annotated: bool) -> Self {
        let property = if annotated { Property::Contracts } else { Property::DataStructure };
        Self::new(property.name(), [property])
    }

    /// True if the set is about single functions and not about a whole program.
    pub fn is_of_functions(&self) -> bool {
        self.has(Property::DataStructure) || self.has(Property::Contracts)
    }

    /// True if any of the memory properties belongs to the set.
    pub fn concerns_memory(&self) -> bool {
        self.has(Property::ValidDeref) || self.has(Property::ValidFree) || self.has(Property::ValidMemtrack)
    }
}

impl fmt::Display for PropertySet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.name)
    }
}

/// A property that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParsePropertyError {
    /// Neither the name of a property nor a file.
    #[error(
        "unknown property `{0}` (known: memsafety, memcleanup, unreach-call, assertions, bounds, data-structure, contracts, valid-deref, valid-free, valid-memtrack, valid-memcleanup, or a .prp file)"
    )]
    Unknown(String),
    /// A line of a .prp file that states something else than what can be checked.
    #[error("line {line} of the property file asks for something that heapproof does not check: `{text}`")]
    Unsupported {
        /// The line, from 1.
        line: usize,
        /// What it says.
        text: String,
    },
    /// A .prp file that states nothing.
    #[error("the property file states no property")]
    Empty,
}

impl FromStr for PropertySet {
    type Err = ParsePropertyError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut members = Vec::new();
        for part in text.split(['+', ',']) {
            match part.trim() {
                // An index that leaves a part of an object is found as a failing assertion is.
                "bounds" => members.extend([Property::Assertions, Property::Bounds]),
                "memsafety" => members.extend(PropertySet::memsafety().members),
                name => match Property::ALL.into_iter().find(|p| p.name() == name) {
                    Some(property) => members.push(property),
                    None => return Err(ParsePropertyError::Unknown(name.to_owned())),
                },
            }
        }
        Ok(PropertySet::new(text, members))
    }
}

/// Reads SV-COMP's property files: lines such as `CHECK( init(main()), LTL(G valid-free) )`.
pub fn parse_prp(name: &str, text: &str) -> Result<PropertySet, ParsePropertyError> {
    let mut members = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let compact: String = line.chars().filter(|c| !c.is_whitespace()).collect();
        if compact.is_empty() {
            continue;
        }
        let unsupported =
            || ParsePropertyError::Unsupported { line: index + 1, text: line.trim().to_owned() };
        let formula = compact
            .strip_prefix("CHECK(init(main()),LTL(G")
            .and_then(|rest| rest.strip_suffix("))"))
            .ok_or_else(unsupported)?;
        members.push(match formula {
            "valid-deref" => Property::ValidDeref,
            "valid-free" => Property::ValidFree,
            "valid-memtrack" => Property::ValidMemtrack,
            "valid-memcleanup" => Property::ValidMemcleanup,
            "!call(__VERIFIER_error())" | "!call(reach_error())" => Property::UnreachCall,
            _ => return Err(unsupported()),
        });
    }
    if members.is_empty() {
        return Err(ParsePropertyError::Empty);
    }
    Ok(PropertySet::new(name, members))
}
