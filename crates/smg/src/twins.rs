//! Nodes with a second pointer to their neighbour: a field that is equal to the link of the same node.
//!
//! A segment knows such fields as *twins* of its next or its prev link. In each node, the ends included, a twin holds the same value as the
//! link. So the segment holds nothing there itself: a node that is taken out gets its twins from its links, and whatever changes the
//! links at the ends of a segment changes the twins as well. Nodes become a segment only if all of them have the same twins.

use crate::graph::{ObjId, Object, Seg, State};
use crate::tree::Kids;

/// The fields of each node that are equal to a link: two sets of words of the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Twins {
    /// Equal to the next link.
    next: u64,
    /// Equal to the prev link.
    prev: u64,
}

impl Twins {
    /// No field.
    pub const NONE: Twins = Twins { next: 0, prev: 0 };

    /// Fields at these offsets; those that do not fit are left out.
    pub fn new(next: impl IntoIterator<Item = u64>, prev: impl IntoIterator<Item = u64>, ptr: u64) -> Twins {
        let word = |off: u64| if off.is_multiple_of(ptr) && off / ptr < 64 { 1 << (off / ptr) } else { 0 };
        let words = |words: u64, off: u64| words | word(off);
        Twins { next: next.into_iter().fold(0, words), prev: prev.into_iter().fold(0, words) }
    }

    /// Two numbers for it.
    pub fn bits(self) -> [u64; 2] {
        [self.next, self.prev]
    }
}

impl Seg {
    /// The twins of a segment, each with the link that it is equal to.
    pub fn twins(self, ptr: u64) -> impl Iterator<Item = (u64, u64)> {
        let of = move |words: u64, link: u64| {
            (0..64).filter(move |word| words >> word & 1 == 1).map(move |word| (word * ptr, link))
        };
        let back = self.prev.into_iter().flat_map(move |prev| of(self.twins.prev, prev));
        of(self.twins.next, self.next).chain(back)
    }

    /// The offsets of the links and their twins.
    pub fn linked(self, ptr: u64) -> impl Iterator<Item = u64> {
        [Some(self.next), self.prev].into_iter().flatten().chain(self.twins(ptr).map(|(off, _)| off))
    }

    /// True if a link is the first among its twins, so that all see the list in the same way.
    pub fn is_led_by_links(self, ptr: u64) -> bool {
        self.twins(ptr).all(|(off, link)| link < off)
    }

    /// True if a node of a tree goes on at two kids to the same node: it is a list.
    pub fn is_no_tree(self, kids: Kids, ptr: u64) -> bool {
        self.twins(ptr).any(|(off, link)| link == self.next && kids.has(off, ptr))
    }
}

impl Object {
    /// True for a segment of this shape, and for a node that has the twins.
    pub fn has_twins(&self, seg: Seg, ptr: u64) -> bool {
        let equal = |(off, link): (u64, u64)| {
            let twin = self.peek(off, ptr);
            twin.is_some() && twin == self.peek(link, ptr)
        };
        match self.seg {
            Some(own) => own.twins == seg.twins,
            None => seg.twins(ptr).all(equal),
        }
    }

    /// Forgets what follows from the links of a segment that it becomes.
    pub fn without_twins(mut self, seg: Seg, ptr: u64) -> Object {
        seg.twins(ptr).for_each(|(off, _)| self.erase(off, ptr));
        self
    }

    /// Forgets its own links.
    pub fn without_links(mut self, seg: Seg, ptr: u64) -> Object {
        [Some(seg.next), seg.prev].into_iter().flatten().for_each(|off| self.erase(off, ptr));
        self
    }

    /// The fields, besides a link, that hold the same address.
    fn equal_to(&self, link: u64, ptr: u64) -> Vec<u64> {
        let held = self.cells.get(&link);
        let same = |(off, _): &(&u64, _)| **off != link;
        let cells = self.cells.iter().filter(same).filter(|(_, cell)| cell.len == ptr && Some(*cell) == held);
        cells.map(|(off, _)| *off).collect()
    }
}

impl State {
    /// The twins that two neighbours have to have if they are merged: what is no twin leads to one of them from outside. None if one of
    /// them has not got them.
    pub fn with_twins(&self, first: ObjId, second: ObjId, seg: Seg) -> Option<Seg> {
        let ptr = self.pointer_bytes();
        let (x, y) = (self.object(first), self.object(second));
        let twins = match x.seg.or(y.seg) {
            Some(known) => known.twins,
            None => {
                let back = seg.prev.map(|prev| y.equal_to(prev, ptr));
                Twins::new(x.equal_to(seg.next, ptr), back.into_iter().flatten(), ptr)
            }
        };
        let seg = Seg { twins, ..seg };
        let fit = seg.is_led_by_links(ptr) && x.has_twins(seg, ptr) && (y.has_twins(seg, ptr) || fault!(98));
        fit.then_some(seg)
    }

    /// Gives a node that was taken out of a segment its twins, when it has its links.
    pub fn write_twins(&mut self, node: ObjId, seg: Seg) {
        let ptr = self.pointer_bytes();
        for (off, link) in seg.twins(ptr) {
            let link = if fault!(99) { seg.next } else { link };
            if let Some(val) = self.object(node).peek(link, ptr) {
                self.write(node, off, ptr, val);
            }
        }
    }
}
