//! The attempts at a proof, one after the other, and what each of them tells the next ones.

use crate::care::Care;

use crate::apart::{Question, Start};
use crate::engine::{Analysis, Options, attempt};
use crate::graph::State;
use crate::shape::Outline;
use crate::tree::Trees;
use crate::trouble::{Trouble, TroubleKind};
use heapproof_engine::Spot;
use heapproof_explore::Exhausted;
use heapproof_ir::Program;
use std::collections::BTreeSet;
use std::rc::Rc;

/// What was noticed in an attempt that others are good for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Noticed {
    /// Configurations were made simpler where many met.
    pub simplified: bool,
    /// Limits ended it.
    pub limited: bool,
    /// Lists whose nodes may be of different kinds.
    pub mixed: bool,
    /// Arrays of pointers at an unknown index.
    pub rows: bool,
    /// Nodes with several children.
    pub branches: bool,
    /// Lists whose last nodes may have been merged too soon.
    pub ends: bool,
    /// Trouble in a call that may be a proof of its own.
    pub apart: bool,
}

impl Noticed {
    /// This and what a configuration shows.
    pub fn and_in(self, state: &State, trees: &Trees) -> Noticed {
        Noticed {
            mixed: self.mixed || state.has_mixed_neighbours(),
            branches: self.branches || state.has_branches(trees),
            ends: self.ends || state.has_ends_to_merge(),
            ..self
        }
    }

    fn and(self, other: Noticed) -> Noticed {
        Noticed {
            simplified: self.simplified || other.simplified,
            limited: self.limited || other.limited,
            mixed: self.mixed || other.mixed,
            rows: self.rows || other.rows,
            branches: self.branches || other.branches,
            ends: self.ends || other.ends,
            apart: self.apart || other.apart,
        }
    }
}

/// Analyses a program: first with the joins that make it fast, then more and more carefully.
pub fn analyse(program: &Program, options: &Options) -> Analysis {
    analyse_with(program, options, &Care::ATTEMPTS)
}

/// The same where others have shown that no execution's first violation is an error of content, but for some.
pub fn analyse_only(program: &Program, options: &Options, only: Option<&BTreeSet<Spot>>) -> Analysis {
    analyse_by(program, options, &Care::ATTEMPTS, only)
}

/// Analyses a program with these attempts; there is at least one.
pub fn analyse_with(program: &Program, options: &Options, attempts: &[Care]) -> Analysis {
    analyse_by(program, options, attempts, None)
}

/// What the attempts have found so far.
#[derive(Default)]
struct Known {
    best: Option<Analysis>,
    left: Option<BTreeSet<Spot>>,
    states: u64,
    cut: Option<Exhausted>,
    noticed: Noticed,
    /// The first attempt gave way to others.
    yielded: bool,
    /// How blocks may be cut in two.
    cuts: usize,
    profiles: Vec<String>,
}

fn analyse_by(
    program: &Program,
    options: &Options,
    attempts: &[Care],
    only: Option<&BTreeSet<Spot>>,
) -> Analysis {
    let outline = Rc::new(Outline::of(program));
    answer(&Question { program, options, only, outline, start: Start::Program }, attempts)
}

/// Makes the attempts at a question.
pub fn answer(question: &Question<'_>, attempts: &[Care]) -> Analysis {
    let Question { program, only, .. } = *question;
    let mut known = Known { cuts: crate::halves::cuts(program).len(), ..Known::default() };
    for (index, &care) in attempts.iter().enumerate() {
        let is_last = known.best.is_none() && index + 1 == attempts.len();
        if !is_last && (known.is_idle(program, care) || !known.is_worth_it(care)) {
            continue;
        }
        // Each attempt covers all executions, so what one of them excludes need not be excluded again.
        let left = known.left.clone();
        let analysis = attempt(&Question { only: left.as_ref().or(only), ..question.clone() }, care);
        known.profiles.extend(analysis.profiles.iter().cloned());
        if analysis.is_proof() {
            return Analysis { states: known.states + analysis.states, profiles: known.profiles, ..analysis };
        }
        known.add(care, analysis);
        if known.cut == Some(Exhausted::Cancelled) {
            break;
        }
    }
    let best = known.best.expect("there is at least one attempt");
    let profiles = known.profiles;
    Analysis { states: known.states, cut: known.cut, left: known.left, profiles, ..best }
}

impl Known {
    /// True if an attempt has nothing to do: the program has not what it is good for, or the first one did the same.
    fn is_idle(&self, program: &Program, care: Care) -> bool {
        let useless = care.sorted && !crate::order::are_compared(program)
            || care.inside
                && !care.sorted
                && match &self.best {
                    Some(best) if is_cut_short(best) => !crate::relation::has_blocks_of_any_size(program),
                    _ => !crate::relation::are_useful(program),
                };
        useless
            || care.rows && !self.noticed.rows
            || care.overlaid.is_some_and(|nth| nth >= self.cuts)
            || care.kinds && !self.noticed.mixed
            || care.trees && !self.noticed.branches
            || care.apart && !self.noticed.apart
            || care == Care::SIMPLE && !self.yielded
            || care == Care::PATIENT && !self.noticed.ends
    }

    fn is_worth_it(&self, care: Care) -> bool {
        self.best.as_ref().is_none_or(|best| care.is_worth_it(&best.troubles, self.noticed))
    }

    fn add(&mut self, care: Care, analysis: Analysis) {
        self.states += analysis.states;
        self.noticed = self.noticed.and(analysis.noticed);
        // What stands in its way is told by those that see the whole.
        if care.apart {
            self.cut = self.cut.or(analysis.cut.filter(|why| *why == Exhausted::Cancelled));
            return;
        }
        let limited = |t: &Trouble| matches!(t.kind, TroubleKind::Limit(_));
        if care.yields
            && (analysis.noticed.branches || self.cuts > 0 && analysis.troubles.iter().any(limited))
        {
            self.yielded = true;
            return;
        }
        self.noticed.limited |= analysis.troubles.iter().any(|t| matches!(t.kind, TroubleKind::Limit(_)));
        self.cut = self.cut.or(analysis.cut);
        self.left = analysis.left.clone().or(self.left.take());
        self.best = match self.best.take() {
            // What is suspected without any abstraction is more than a suspicion of the abstraction.
            Some(known) if !(is_clearer(&analysis, &known) || care.exact && suspects(&analysis)) => {
                Some(known)
            }
            _ => Some(analysis),
        };
    }
}

fn is_cut_short(analysis: &Analysis) -> bool {
    analysis.troubles.iter().all(|trouble| matches!(trouble.kind, TroubleKind::Limit(_)))
}

/// True if an analysis tells more about what may be wrong than another one.
fn is_clearer(new: &Analysis, known: &Analysis) -> bool {
    suspects(new) && (!suspects(known) || new.troubles.len() < known.troubles.len())
}

/// True if only errors stand in the way of a proof, no gap and no limit.
fn suspects(analysis: &Analysis) -> bool {
    analysis.troubles.iter().all(|trouble| matches!(trouble.kind, TroubleKind::Suspicion(_)))
}
