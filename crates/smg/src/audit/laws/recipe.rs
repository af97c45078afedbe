//! Plans of random graphs in pairs: the second is the first with changes, so that they can often be joined.

use proptest::prelude::*;
use proptest::strategy::BoxedStrategy;

/// How the nodes of a list are linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Links {
    /// There are links back.
    pub double: bool,
    /// The links lie behind 8 other bytes.
    pub inside: bool,
    /// The last node leads to a variable, which leads to the first one.
    pub ring: bool,
}

/// A number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    Absent,
    Known(u8),
    /// An unknown number of each node by itself.
    Own {
        lo: i8,
        more: u8,
        not: Option<i8>,
    },
    /// An unknown number that is the same for all nodes of a segment.
    Shared {
        lo: i8,
        more: u8,
    },
    /// The unknown number of the whole graph.
    Common,
}

/// What hangs on a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Below {
    Absent,
    Null,
    /// A block of its own.
    Block(Number),
    /// A block of its own, or null.
    Maybe(Number),
    /// A block that leads back to the node.
    Back,
    /// A list of its own with at least so many nodes.
    List(u8, Number),
    /// A block of its own that begins at an offset up to this one, with the address of its beginning.
    Begins(u8),
    /// One of the blocks of the whole graph.
    Common(u8),
    /// A block that was freed.
    Freed,
    /// What follows it, a second time.
    Next,
    /// What comes before it, a second time; nothing if there are no links back.
    Prev,
}

/// A node or a segment.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// The least number of nodes of a segment.
    pub segment: Option<u8>,
    pub data: Number,
    /// The bytes behind the data are zero; unknown otherwise.
    pub padded: bool,
    pub below: Below,
}

/// How a node of the second graph differs.
#[derive(Clone, Copy, Debug)]
pub enum Change {
    Keep,
    Gone,
    Segment(Option<u8>),
    Data(Number),
    /// The number has another least value.
    Least,
    /// The number excludes this one.
    Not(i8),
    /// The number is one per node if it was shared, and shared if it was one per node.
    Sharing,
    Below(Below),
    /// Another one of the common blocks.
    Block,
    Padded,
    Twice,
}

/// What a register holds besides lists.
#[derive(Clone, Copy, Debug)]
pub enum Extra {
    Unset,
    Number(Number),
    /// The common number plus one.
    Next,
    /// A number below the common one.
    Below,
    /// Four times the common number.
    Times,
    /// The common number in another width.
    Wide,
    /// An address with the common number as index.
    Indexed,
    /// The common block.
    Block,
    /// A freed block.
    Freed,
    /// A block of at least so many bytes; how many is the common number.
    Sized(u8),
    /// A block that begins at an offset up to this one.
    Begins(u8),
}

/// A list.
#[derive(Clone, Debug)]
pub struct List {
    pub links: Links,
    pub pieces: Vec<Piece>,
    /// A register holds the last node.
    pub last: bool,
    /// A register holds the second node.
    pub middle: bool,
    /// Registers hold these nodes of the first segment that has one; the first node of the list otherwise.
    pub cursors: [Option<u8>; 2],
}

/// A graph.
#[derive(Clone, Debug)]
pub struct Recipe {
    pub lists: Vec<List>,
    pub extras: Vec<Extra>,
    /// The range of the common number.
    pub common: (i8, u8),
}

/// Two graphs, and what chance decides while they are looked at.
#[derive(Clone, Debug)]
pub struct Plan {
    pub left: Recipe,
    pub right: Recipe,
    pub seed: u64,
}

fn range() -> impl Strategy<Value = (i8, u8)> {
    (prop_oneof![Just(0i8), -3i8..4, any::<i8>()], prop_oneof![0u8..4, any::<u8>()])
}

fn number() -> BoxedStrategy<Number> {
    prop_oneof![
        1 => Just(Number::Absent),
        3 => (0u8..4).prop_map(Number::Known),
        3 => (range(), proptest::option::weighted(0.3, -3i8..4))
            .prop_map(|((lo, more), not)| Number::Own { lo, more, not }),
        1 => range().prop_map(|(lo, more)| Number::Shared { lo, more }),
        1 => Just(Number::Common),
    ]
    .boxed()
}

fn below() -> BoxedStrategy<Below> {
    prop_oneof![
        4 => Just(Below::Absent),
        4 => Just(Below::Null),
        3 => number().prop_map(Below::Block),
        3 => number().prop_map(Below::Maybe),
        2 => Just(Below::Back),
        3 => (0u8..3, number()).prop_map(|(least, data)| Below::List(least, data)),
        2 => (1u8..4).prop_map(Below::Begins),
        2 => (0u8..3).prop_map(Below::Common),
        1 => Just(Below::Freed),
        3 => Just(Below::Next),
        2 => Just(Below::Prev),
    ]
    .boxed()
}

fn segment() -> BoxedStrategy<Option<u8>> {
    prop_oneof![2 => Just(None), 3 => (0u8..3).prop_map(Some)].boxed()
}

fn piece() -> impl Strategy<Value = Piece> {
    (segment(), number(), any::<bool>(), below()).prop_map(|(segment, data, padded, below)| Piece {
        segment,
        data,
        padded,
        below,
    })
}

fn change() -> BoxedStrategy<Change> {
    prop_oneof![
        12 => Just(Change::Keep),
        2 => Just(Change::Gone),
        4 => segment().prop_map(Change::Segment),
        4 => number().prop_map(Change::Data),
        2 => Just(Change::Sharing),
        2 => Just(Change::Least),
        2 => (-3i8..4).prop_map(Change::Not),
        2 => below().prop_map(Change::Below),
        2 => Just(Change::Block),
        1 => Just(Change::Padded),
        2 => Just(Change::Twice),
    ]
    .boxed()
}

fn other_sharing(number: Number) -> Number {
    match number {
        Number::Own { lo, more, .. } => Number::Shared { lo, more },
        Number::Shared { lo, more } => Number::Own { lo, more, not: None },
        other => other,
    }
}

fn changed(pieces: &[(Piece, Change)]) -> Vec<Piece> {
    let mut all = Vec::new();
    for (piece, change) in pieces {
        let mut piece = *piece;
        match *change {
            Change::Keep => {}
            Change::Gone => continue,
            Change::Segment(segment) => piece.segment = segment,
            Change::Data(data) => piece.data = data,
            Change::Least => {
                if let Number::Own { lo, more, .. } = &mut piece.data
                    && (1..u8::MAX).contains(more)
                    && *lo < i8::MAX
                {
                    (*lo, *more) = (*lo + 1, *more - 1);
                }
            }
            Change::Not(number) => {
                if let Number::Own { not, .. } = &mut piece.data {
                    *not = Some(number);
                }
            }
            Change::Sharing => piece.data = other_sharing(piece.data),
            Change::Below(below) => piece.below = below,
            Change::Block => {
                if let Below::Common(which) = &mut piece.below {
                    *which = (*which + 1) % 3;
                }
            }
            Change::Padded => piece.padded = !piece.padded,
            Change::Twice => all.push(piece),
        }
        all.push(piece);
    }
    all
}

/// A list twice, the second time with changes. Its nodes are mostly alike, so that they can be merged.
fn lists() -> impl Strategy<Value = (List, List)> {
    let links = (any::<bool>(), any::<bool>(), any::<bool>()).prop_map(|(double, inside, ring)| Links {
        double,
        inside,
        ring,
    });
    let pieces =
        (piece(), proptest::collection::vec((change(), change()), 0..4)).prop_map(|(model, changes)| {
            changes
                .into_iter()
                .map(|(first, second)| {
                    let piece = changed(&[(model, first)]).first().copied().unwrap_or(model);
                    (piece, second)
                })
                .collect::<Vec<_>>()
        });
    let kept = proptest::bool::weighted(0.3);
    let cursor = || proptest::option::weighted(0.3, 0u8..2);
    let cursors = (cursor(), cursor(), cursor(), cursor());
    let middle = proptest::bool::weighted(0.15);
    (links, pieces, kept, middle, cursors).prop_map(|(links, pieces, last, middle, (a, b, c, d))| {
        let all = pieces.iter().map(|(piece, _)| *piece).collect();
        let left = List { links, pieces: all, last, middle, cursors: [a, b] };
        let right = List { pieces: changed(&pieces), cursors: [c, d], ..left.clone() };
        (left, right)
    })
}

fn extra() -> impl Strategy<Value = (Extra, Extra)> {
    let one = prop_oneof![
        1 => Just(Extra::Unset),
        3 => number().prop_map(Extra::Number),
        1 => Just(Extra::Next),
        1 => Just(Extra::Below),
        1 => Just(Extra::Times),
        1 => Just(Extra::Wide),
        1 => Just(Extra::Indexed),
        1 => Just(Extra::Block),
        1 => Just(Extra::Freed),
        1 => (0u8..3).prop_map(Extra::Sized),
        1 => (1u8..4).prop_map(Extra::Begins),
    ];
    (one.boxed(), proptest::option::weighted(0.2, number().prop_map(Extra::Number))).prop_map(
        |(first, other)| match first {
            // A register has one width.
            Extra::Unset | Extra::Number(_) | Extra::Next | Extra::Below | Extra::Times => {
                (first, other.unwrap_or(first))
            }
            Extra::Begins(most) if other.is_some() => (first, Extra::Begins(most % 3 + 1)),
            _ => (first, first),
        },
    )
}

/// Pairs of graphs.
pub fn plan() -> impl Strategy<Value = Plan> {
    let common = (range(), proptest::option::weighted(0.2, range()));
    (proptest::collection::vec(lists(), 1..3), proptest::collection::vec(extra(), 0..4), common, any::<u64>())
        .prop_map(|(lists, extras, (common, other), seed)| {
            let (left, right) = lists.into_iter().unzip();
            let (first, second) = extras.into_iter().unzip();
            Plan {
                left: Recipe { lists: left, extras: first, common },
                right: Recipe { lists: right, extras: second, common: other.unwrap_or(common) },
                seed,
            }
        })
}
