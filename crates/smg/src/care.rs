//! What an attempt at a proof keeps apart: the first one is fast, the later ones are careful.

use crate::attempts::Noticed;
use crate::number::Range;
use crate::trouble::{Trouble, TroubleKind};
use heapproof_explore::Budget;
use heapproof_ir::{InstKind, Operand, Program, Terminator, sign_extend};
use heapproof_verdict::ErrorClass;
use std::collections::BTreeSet;
use std::time::Instant;

/// What stays apart in an attempt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Care {
    /// Less than usual: where many branches meet, whatever can be joined is joined. For programs with too many configurations.
    pub hasty: bool,
    /// Where so many configurations meet, a new one becomes a simpler one that covers it.
    pub simple: Option<usize>,
    /// Lists that tell their length apart, for longer.
    pub lengths: bool,
    /// Nodes whose numbers the program tells apart.
    pub values: bool,
    /// Nothing more, but the nodes of lists are counted and their number is related to counters of the program.
    pub counted: bool,
    /// Nothing more, but segments remember which numbers their nodes have one after the other.
    pub tagged: bool,
    /// Nothing more, but segments know what holds of several numbers of each node.
    pub inside: bool,
    /// The same, and segments know whether their nodes are in order.
    pub sorted: bool,
    /// Segments have nodes of several kinds, where numbers or addresses tell them apart.
    pub kinds: bool,
    /// The nodes to which variables lead.
    pub held: bool,
    /// Nothing more, but arrays of pointers are taken apart at unknown indices.
    pub rows: bool,
    /// The same, but borders between parts of arrays that mean nothing to the program are forgotten.
    pub borders: bool,
    /// Nothing more, but blocks that are on two lists are cut in two in this way, one of those that may help.
    pub overlaid: Option<usize>,
    /// Nothing more, but nodes with several links to their own kind are merged to trees. For programs that have such nodes.
    pub trees: bool,
    /// Lists of two nodes of which one covers the other, if there is nothing before or after them.
    pub patient: bool,
    /// Calls that see no list are proofs of their own, each with the attempts that it needs.
    pub apart: bool,
    /// Ends where a tree is seen, or early where blocks may be on two lists: another attempt will do better.
    pub yields: bool,
    /// Everything: no nodes are merged and no configurations joined. Ends only where there are not many configurations, but
    /// then nothing was lost.
    pub exact: bool,
}

/// The most states of the first attempt where blocks may be on two lists.
const MOST_OF_FIRST: u64 = 4_000;

/// The most states of an attempt that merges nothing.
const MOST_EXACT: u64 = 30_000;

/// The most states of an attempt with nodes of several kinds, and of a patient one.
const MOST_OF_KINDS: u64 = 8_000;

/// Of more configurations than these that are never joined, only equal ones are looked for.
const MOST_COMPARED: usize = 64;

/// From so many configurations on, those that differ in numbers only are joined after branches, too.
const CROWD: usize = 16;

/// A smaller crowd.
const FEW: usize = 6;

/// What is joined at a place that is no loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crowd {
    /// Nothing: there are few.
    None,
    /// Configurations that differ in numbers only.
    Numbers,
    /// Whatever can be joined.
    Shapes,
}

impl Care {
    /// The attempts, in order.
    pub const ATTEMPTS: [Care; 20] = [
        Care { yields: true, ..Care::SIMPLE },
        Care::APART,
        Care::TREES,
        Care::overlaid(0),
        Care::overlaid(1),
        Care::SIMPLE,
        Care::PATIENT,
        Care::BORDERS,
        Care::ROWS,
        Care::KINDS,
        Care::HELD,
        Care { hasty: true, ..Care::SIMPLE },
        Care::QUICK,
        Care::INSIDE,
        Care::SORTED,
        Care { lengths: true, ..Care::QUICK },
        Care::COUNTED,
        Care::TAGGED,
        Care { lengths: true, values: true, ..Care::QUICK },
        Care { exact: true, ..Care::QUICK },
    ];

    /// What an attempt is called in profiles.
    pub fn name(self) -> String {
        let flags = [
            (self.hasty, "hasty"),
            (self.simple.is_some(), "simple"),
            (self.lengths, "lengths"),
            (self.values, "values"),
            (self.counted, "counted"),
            (self.tagged, "tagged"),
            (self.inside, "inside"),
            (self.sorted, "sorted"),
            (self.kinds, "kinds"),
            (self.held, "held"),
            (self.rows, "rows"),
            (self.borders, "borders"),
            (self.overlaid.is_some(), "overlaid"),
            (self.trees, "trees"),
            (self.patient, "patient"),
            (self.apart, "apart"),
            (self.yields, "first"),
            (self.exact, "exact"),
        ];
        let names: Vec<&str> = flags.iter().filter(|(is_set, _)| *is_set).map(|(_, name)| *name).collect();
        if names.is_empty() { "quick".to_owned() } else { names.join(" ") }
    }

    /// Blocks are cut in two in the nth of the ways that may help. There are more cases than elsewhere, so things are made simpler sooner.
    pub const fn overlaid(nth: usize) -> Care {
        Care { overlaid: Some(nth), simple: Some(FEW), ..Care::QUICK }
    }

    /// Nodes are counted.
    pub const COUNTED: Care = Care { lengths: true, counted: true, ..Care::QUICK };

    /// Numbers of each node are related.
    pub const INSIDE: Care = Care { inside: true, ..Care::QUICK };

    /// Lists may be in order.
    pub const SORTED: Care = Care { sorted: true, ..Care::INSIDE };

    /// The order of numbers is followed.
    pub const TAGGED: Care = Care { tagged: true, ..Care::QUICK };

    /// Nodes are of several kinds.
    pub const KINDS: Care = Care { kinds: true, ..Care::QUICK };

    /// Nodes to which variables lead stay.
    pub const HELD: Care = Care { held: true, ..Care::KINDS };

    /// Arrays of pointers are followed.
    pub const ROWS: Care = Care { rows: true, ..Care::QUICK };

    /// Arrays of pointers are followed, and look alike soon.
    pub const BORDERS: Care = Care { borders: true, ..Care::ROWS };

    /// Nodes are merged to trees.
    pub const TREES: Care = Care { trees: true, ..Care::QUICK };

    /// Configurations are made simpler where many meet.
    pub const SIMPLE: Care = Care { simple: Some(CROWD), ..Care::QUICK };

    /// The same, but lists of two nodes that differ stay what they are.
    pub const PATIENT: Care = Care { patient: true, ..Care::SIMPLE };

    /// Calls that see no list are proofs of their own.
    pub const APART: Care = Care { apart: true, ..Care::SIMPLE };

    /// Everything is made simpler, everywhere. For tests.
    #[cfg(test)]
    pub const SIMPLEST: Care = Care { simple: Some(0), ..Care::QUICK };

    const QUICK: Care = Care {
        hasty: false,
        simple: None,
        lengths: false,
        values: false,
        counted: false,
        tagged: false,
        inside: false,
        sorted: false,
        kinds: false,
        held: false,
        rows: false,
        borders: false,
        overlaid: None,
        trees: false,
        patient: false,
        apart: false,
        yields: false,
        exact: false,
    };

    /// True if an attempt may do better than one that gave these troubles, if all that were made noticed this.
    pub fn is_worth_it(self, troubles: &[Trouble], noticed: Noticed) -> bool {
        let has = |kind: fn(&TroubleKind) -> bool| troubles.iter().any(|trouble| kind(&trouble.kind));
        if has(|kind| matches!(kind, TroubleKind::External(_))) {
            return false;
        }
        // Whoever decides on rows and trees knows whether the program has them; the other one comes where the first gave way to trees.
        if self.rows || self.trees || self.apart || self.overlaid.is_some() || self == Care::SIMPLE {
            return true;
        }
        if self == Care::PATIENT {
            return has(|kind| matches!(kind, TroubleKind::Suspicion(_)));
        }
        let limit = noticed.limited || has(|kind| matches!(kind, TroubleKind::Limit(_)));
        // Nodes that cannot be merged make many configurations, too.
        if self.hasty || self.kinds && limit {
            return limit;
        }
        if self.sorted {
            return has(|kind| *kind == TroubleKind::Suspicion(ErrorClass::AssertionFailure));
        }
        if self.inside {
            return has(|kind| match kind {
                TroubleKind::Suspicion(class) => is_about_numbers(*class),
                // Blocks of many sizes below the nodes of a list keep these apart, until they are numbers of each node.
                kind => matches!(kind, TroubleKind::NotCovered | TroubleKind::Limit(_)),
            });
        }
        if self == Care::QUICK {
            return noticed.simplified && !has(|kind| matches!(kind, TroubleKind::Limit(_)));
        }
        let covered = !has(|kind| *kind == TroubleKind::NotCovered);
        self.exact || (covered && has(|kind| matches!(kind, TroubleKind::Suspicion(_))))
    }

    /// What an attempt may spend: each but the last leaves something for those that follow, the first more where it may have to give way to others.
    pub fn budget(self, deadline: Option<Instant>, states: u64, gives_way: bool) -> Budget {
        let left = |at: Instant| at.saturating_duration_since(Instant::now());
        let share = match self {
            _ if gives_way => 0.125,
            Care { exact: true, .. } => 1.0,
            Care { overlaid: Some(0), .. } => 0.75,
            Care { kinds: true, held: false, .. } => 1.0 / 3.0,
            Care { patient: true, .. } => 0.25,
            _ => 0.5,
        };
        let deadline = deadline.map(|at| Instant::now() + left(at).mul_f64(share));
        let most = match self {
            _ if gives_way => (states / 2).min(MOST_OF_FIRST),
            Care { exact: true, .. } => states.min(MOST_EXACT),
            Care { kinds: true, .. } | Care { patient: true, .. } => (states / 2).min(MOST_OF_KINDS),
            _ => states / 2,
        };
        Budget::new(deadline, Some(most))
    }

    /// How configurations meet after branches, where so many are known. Where there are few, what tells them apart may matter.
    pub fn crowd(self, states: usize) -> Crowd {
        let (numbers, shapes) = match self {
            Care { exact: true, .. } => return Crowd::None,
            Care { hasty: true, .. } => (CROWD, 4 * CROWD),
            Care { lengths: false, .. } => (CROWD, usize::MAX),
            _ => (4 * CROWD, 16 * CROWD),
        };
        match states {
            _ if states >= shapes => Crowd::Shapes,
            _ if states >= numbers => Crowd::Numbers,
            _ => Crowd::None,
        }
    }

    /// True if a new configuration is made simpler where so many are known: after branches nodes are merged, since there is no end of lists
    /// of different lengths, and at loops cursors of lists do not matter any more, since they come in any order.
    pub fn simplifies(self, states: usize) -> bool {
        self.simple.is_some_and(|least| states >= least)
    }

    /// True if a new configuration is compared with so many others for more than being equal.
    pub fn compares(self, states: usize) -> bool {
        !self.exact || states <= MOST_COMPARED
    }
}

/// True for errors that hang on numbers more than on shapes.
fn is_about_numbers(class: ErrorClass) -> bool {
    use ErrorClass::{AssertionFailure, DivisionByZero, OutOfBoundsRead, OutOfBoundsWrite};
    matches!(class, OutOfBoundsRead | OutOfBoundsWrite | AssertionFailure | DivisionByZero)
}

impl Range {
    /// True if two numbers are surely different, and one of them is a number of the program.
    pub fn is_told_from(self, other: Range, tags: &BTreeSet<i128>) -> bool {
        let is_tag = |range: Range| range.lo == range.hi && tags.contains(&range.lo);
        self.meet(other).is_none() && (is_tag(self) || is_tag(other))
    }
}

/// The numbers that a program stores, chooses or compares with.
pub fn tags(program: &Program) -> BTreeSet<i128> {
    let mut numbers = BTreeSet::from([0]);
    let mut note = |operand: &Operand| {
        if let Operand::Int { bits, width } = operand {
            numbers.insert(sign_extend(*bits, *width));
        }
    };
    for body in program.functions.values().filter_map(|f| f.body.as_ref()) {
        for block in body.blocks.values() {
            for inst in &block.insts {
                match &inst.kind {
                    InstKind::Cmp { a, b, .. } | InstKind::Select { a, b, .. } => {
                        [a, b].into_iter().for_each(&mut note);
                    }
                    InstKind::Store { value, .. } => note(value),
                    InstKind::Copy { src, .. } => note(src),
                    _ => {}
                }
            }
            if let Terminator::Switch { cases, width, .. } = &block.term {
                let width = *width;
                cases.iter().for_each(|(bits, _)| note(&Operand::Int { bits: *bits, width }));
            }
        }
    }
    numbers
}
