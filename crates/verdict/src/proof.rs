//! Proofs with what they presuppose, and what stands in the way of a decision.

use crate::evidence::Location;
use crate::property::{Property, PropertySet};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;

/// A proof: no execution that keeps the presupposed properties violates those that it shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    /// The engine that made it.
    pub engine: String,
    /// The elementary properties that it shows.
    pub shows: BTreeSet<Property>,
    /// The elementary properties that it takes for granted.
    pub presupposes: BTreeSet<Property>,
}

impl Proof {
    /// A proof of all that is asked, without presuppositions.
    pub fn of(engine: &str, properties: &PropertySet) -> Self {
        let shows = properties.members.iter().copied().collect();
        Proof { engine: engine.to_owned(), shows, presupposes: BTreeSet::new() }
    }
}

/// What of a set of properties some proofs together leave open. A proof counts when all that it presupposes is accepted
/// by the user or shown by a proof that counts.
pub fn left_open(
    asked: &PropertySet,
    proofs: &[Proof],
    accepted: &BTreeSet<Property>,
) -> (Vec<Property>, Vec<Property>) {
    let mut shown: BTreeSet<Property> = BTreeSet::new();
    loop {
        let before = shown.len();
        for proof in proofs {
            if proof.presupposes.iter().all(|p| shown.contains(p) || accepted.contains(p)) {
                shown.extend(&proof.shows);
            }
        }
        if shown.len() == before {
            break;
        }
    }
    let open: Vec<_> = asked.members.iter().copied().filter(|p| !shown.contains(p)).collect();
    let useful = proofs.iter().filter(|proof| open.iter().any(|p| proof.shows.contains(p)));
    let missing: BTreeSet<Property> = useful
        .flat_map(|proof| &proof.presupposes)
        .copied()
        .filter(|p| !shown.contains(p) && !accepted.contains(p))
        .collect();
    (open, missing.into_iter().collect())
}

/// Something that stands in the way of a decision, as data: what the user can do about it follows from the kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Obstacle {
    /// The user's time limit was reached.
    Time,
    /// The part of the time that was meant for an analysis was over.
    TimeShare,
    /// The limit on states of a symbolic analysis was reached.
    States { limit: u64 },
    /// The limit on steps or on the number of concrete executions was reached.
    Steps { limit: u64 },
    /// The limit on memory was reached.
    Memory { limit: u64 },
    /// A function is external and has no model.
    External { name: String, location: Option<Location> },
    /// The engine does not cover something.
    NotCovered { what: String, location: Option<Location> },
    /// An error is suspected and could not be confirmed.
    Suspicion { message: String, location: Option<Location> },
    /// Executions found no error, which proves nothing.
    Inconclusive { text: String },
    /// A proof takes these properties for granted, and nobody has shown them.
    Presupposed { properties: Vec<Property> },
    /// No engine at hand decides these properties.
    NoEngine { properties: Vec<Property> },
    /// A program that helps, such as a solver, did not work.
    Helper { text: String },
    /// Anything else.
    Other { text: String },
}

impl Obstacle {
    /// True if more time, states, steps or memory may help.
    pub fn is_limit(&self) -> bool {
        matches!(
            self,
            Obstacle::Time
                | Obstacle::TimeShare
                | Obstacle::States { .. }
                | Obstacle::Steps { .. }
                | Obstacle::Memory { .. }
        )
    }
}

fn names(properties: &[Property]) -> String {
    properties.iter().map(|p| p.name()).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Obstacle::External { location: Some(at), .. }
        | Obstacle::NotCovered { location: Some(at), .. }
        | Obstacle::Suspicion { location: Some(at), .. } = self
            && at.line > 0
        {
            write!(f, "{}:{}: ", at.file, at.line)?;
        }
        match self {
            Obstacle::Time => write!(f, "the time limit was reached"),
            Obstacle::TimeShare => write!(f, "its share of the time was over"),
            Obstacle::States { limit } => write!(f, "there are more than {limit} configurations"),
            Obstacle::Steps { limit } => write!(f, "the limit of {limit} steps was reached"),
            Obstacle::Memory { limit } => write!(f, "the limit of {limit} bytes of memory was reached"),
            Obstacle::External { name, .. } => write!(f, "the external function `{name}` has no model"),
            Obstacle::NotCovered { what: text, .. }
            | Obstacle::Suspicion { message: text, .. }
            | Obstacle::Inconclusive { text }
            | Obstacle::Helper { text }
            | Obstacle::Other { text } => write!(f, "{text}"),
            Obstacle::Presupposed { properties } => {
                write!(f, "the proof takes for granted what nobody has shown: {}", names(properties))
            }
            Obstacle::NoEngine { properties } => write!(f, "no engine decides {}", names(properties)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Property::*;

    fn proof(shows: &[Property], presupposes: &[Property]) -> Proof {
        Proof {
            engine: "e".to_owned(),
            shows: shows.iter().copied().collect(),
            presupposes: presupposes.iter().copied().collect(),
        }
    }

    #[test]
    fn proofs_are_joined_and_what_nobody_shows_stays_open() {
        let asked = PropertySet::new("a", [Assertions]);
        let content = proof(&[Assertions], &[ValidDeref, ValidFree]);
        let accepted = BTreeSet::new();
        let (open, missing) = left_open(&asked, std::slice::from_ref(&content), &accepted);
        assert_eq!((open, missing), (vec![Assertions], vec![ValidDeref, ValidFree]));
        let memory = proof(&[ValidDeref, ValidFree], &[]);
        assert_eq!(left_open(&asked, &[content.clone(), memory], &accepted), (vec![], vec![]));
        let accepted = BTreeSet::from([ValidDeref, ValidFree]);
        assert_eq!(left_open(&asked, &[content], &accepted), (vec![], vec![]));
        // Two proofs that lean on each other show nothing.
        let circle = [proof(&[Assertions], &[ValidDeref]), proof(&[ValidDeref], &[Assertions])];
        assert_eq!(left_open(&asked, &circle, &BTreeSet::new()).0, vec![Assertions]);
    }
}
