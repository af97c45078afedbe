//! Which numbers follow each other in a field of the nodes of a segment: lists whose nodes alternate, or are coloured, or come in groups.
//!
//! A segment of the top level may know the numbers of its first and of its last node, and which pairs of neighbours have. A node that
//! is taken out then has one known number, and the rest of the segment knows what it may begin with.

use crate::graph::{ObjId, Object, Seg, State, Val};
use crate::number::Range;
use heapproof_ir::sign_extend;
use std::collections::BTreeSet;
use std::fmt;
use std::rc::Rc;

/// More numbers than these are not told apart.
const MOST_TAGS: usize = 6;

/// What is known about the words that a field of the nodes of a segment spells. It holds if the segment has nodes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tags {
    /// The offset of the field.
    pub off: u64,
    /// Its length in bytes.
    pub len: u64,
    /// What the first node may have.
    pub first: BTreeSet<u128>,
    /// What the last node may have.
    pub last: BTreeSet<u128>,
    /// What two neighbours may have.
    pub pairs: BTreeSet<(u128, u128)>,
}

impl fmt::Display for Tags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let signed = |tag: &u128| sign_extend(*tag, (8 * self.len) as u8).to_string();
        let list = |tags: &BTreeSet<u128>| tags.iter().map(signed).collect::<Vec<_>>().join(" or ");
        let pairs = self.pairs.iter().map(|(a, b)| format!("{} before {}", signed(a), signed(b)));
        let pairs: Vec<String> = pairs.collect();
        write!(f, "+{} is {} first, {} last", self.off, list(&self.first), list(&self.last))?;
        if pairs.is_empty() { Ok(()) } else { write!(f, ", {}", pairs.join(", ")) }
    }
}

impl Tags {
    /// One node.
    fn one(off: u64, len: u64, tag: u128) -> Tags {
        let tag = BTreeSet::from([tag]);
        Tags { off, len, first: tag.clone(), last: tag, pairs: BTreeSet::new() }
    }

    /// One segment after another; neither is empty.
    fn then(&self, next: &Tags) -> Tags {
        let between = self.last.iter().flat_map(|a| next.first.iter().map(move |b| (*a, *b)));
        let mut pairs: BTreeSet<_> = self.pairs.union(&next.pairs).copied().collect();
        if !fault!(55) {
            pairs.extend(between);
        }
        Tags { first: self.first.clone(), last: next.last.clone(), pairs, ..*self }
    }

    /// Either of two segments.
    pub fn or(&self, other: &Tags) -> Tags {
        Tags {
            first: self.first.union(&other.first).copied().collect(),
            last: self.last.union(&other.last).copied().collect(),
            pairs: self.pairs.union(&other.pairs).copied().collect(),
            ..*self
        }
    }

    /// True if there are not too many numbers.
    pub fn is_small(&self) -> bool {
        let paired = self.pairs.iter().flat_map(|(a, b)| [a, b]);
        let all: BTreeSet<&u128> = self.first.iter().chain(&self.last).chain(paired).collect();
        all.len() <= MOST_TAGS
    }

    /// The numbers that an end of the segment may have.
    pub fn end(&self, first: bool) -> &BTreeSet<u128> {
        if first { &self.first } else { &self.last }
    }

    /// What is left without a node with this number at an end; none if no node is left then.
    fn without(&self, tag: u128, first: bool) -> Option<Tags> {
        let mut rest = self.clone();
        let ends = self.pairs.iter().filter_map(|&(a, b)| match first {
            true => (a == tag).then_some(b),
            false => (b == tag).then_some(a),
        });
        let ends: BTreeSet<u128> = ends.collect();
        if ends.is_empty() {
            return None;
        }
        if first {
            rest.first = ends;
        } else {
            rest.last = ends;
        }
        Some(rest)
    }

    /// True if a node with this number at an end may be the only one.
    fn may_be_alone(&self, tag: u128, first: bool) -> bool {
        self.end(!first).contains(&tag) && !fault!(56)
    }
}

impl Object {
    /// The words that a field spells, if they are known.
    pub fn tags_at(&self, off: u64, len: u64) -> Option<Tags> {
        if let Some(tags) = &self.tags
            && (tags.off, tags.len) == (off, len)
        {
            return Some((**tags).clone());
        }
        let Some(Val::Int(tag)) = self.peek(off, len) else { return None };
        let mut tags = Tags::one(off, len, tag);
        if self.seg.is_some() {
            tags.pairs.insert((tag, tag));
        }
        Some(tags)
    }
}

impl State {
    /// The field whose numbers tell two nodes or segments apart. A link is none: that of a segment is the link of its last node only.
    pub fn tag_field(&self, x: &Object, y: &Object, seg: Seg) -> Option<(u64, u64)> {
        let tells = self.tells.as_ref()?;
        if let Some(tags) = x.tags.as_ref().or(y.tags.as_ref()) {
            return Some((tags.off, tags.len));
        }
        let is_tag = |bits: u128, len: u64| tells.contains(&sign_extend(bits, (8 * len) as u8));
        let ptr = self.pointer_bytes();
        let is_link = |off: u64, len: u64| seg.linked(ptr).any(|link| off < link + ptr && link < off + len);
        // Zeros are no cells.
        let cells = x.cells.iter().chain(&y.cells);
        let fields = cells.map(|(off, cell)| (*off, cell.len)).filter(|(_, len)| *len <= 8);
        let mut fields = fields.filter(|&(off, len)| !is_link(off, len) || fault!(58));
        fields.find(|&(off, len)| match (x.peek(off, len), y.peek(off, len)) {
            (Some(Val::Int(a)), Some(Val::Int(b))) => a != b && is_tag(a, len) && is_tag(b, len),
            _ => false,
        })
    }

    /// What the segment knows that two neighbouring nodes or segments become.
    pub fn tags_of_both(&self, first: ObjId, second: ObjId, seg: Seg) -> Option<Rc<Tags>> {
        let (x, y) = (self.object(first), self.object(second));
        let (off, len) = self.tag_field(x, y, seg).filter(|_| x.level == 0)?;
        let (a, b) = (x.tags_at(off, len)?, y.tags_at(off, len)?);
        let mut both = a.then(&b);
        // A segment that may be empty lets the other one be all there is.
        for (object, other) in [(x, &b), (y, &a)] {
            if object.seg.is_some_and(|seg| seg.min == 0) {
                both = both.or(other);
            }
        }
        both.is_small().then(|| Rc::new(both))
    }

    /// The cases of a node that was taken out of an end of a segment: one for each number that it may have.
    pub fn tagged(self, segment: ObjId, node: ObjId, first: bool) -> Vec<State> {
        let Some(tags) = self.object(segment).tags.clone() else { return vec![self] };
        let mut cases = Vec::new();
        for &tag in tags.end(first) {
            let mut case = self.clone();
            let rest = tags.without(tag, first);
            let possible = case.set_tag(node, &tags, tag)
                && match (&rest, tags.may_be_alone(tag, first)) {
                    (Some(_), true) => true,
                    (Some(_), false) => case.has_a_node(segment),
                    (None, true) => case.may_be_empty(segment) && case.remove(segment),
                    (None, false) => false,
                };
            if let (Some(rest), true) = (rest, possible) {
                case.object_mut(segment).tags = Some(Rc::new(rest));
            }
            if possible {
                cases.push(case);
            }
        }
        cases
    }

    /// The field of a node has a number; so have all others that are equal to it. False if it cannot have that number.
    pub fn set_tag(&mut self, node: ObjId, tags: &Tags, tag: u128) -> bool {
        if let Some(Val::Sym(id)) = self.object(node).peek(tags.off, tags.len)
            && !self.restrict(id, Range::one(sign_extend(tag, (8 * tags.len) as u8)))
        {
            return false;
        }
        self.object_mut(node).put(tags.off, tags.len, Val::Int(tag));
        true
    }

    fn may_be_empty(&self, id: ObjId) -> bool {
        self.object(id).seg.is_some_and(|seg| seg.min == 0)
    }

    /// Takes it that a segment has a node; false if it cannot have one.
    fn has_a_node(&mut self, id: ObjId) -> bool {
        if let Some(seg) = &mut self.object_mut(id).seg {
            seg.min = seg.min.max(1);
        }
        self.has_nodes(id, 1)
    }
}
