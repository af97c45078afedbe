//! A weak topological order of the blocks: nested components with heads, such that every cycle passes the
//! head of a component that it lies in. Fixpoint iteration follows it, so inner loops settle first.
//!
//! Bourdoncle: Efficient chaotic iteration strategies with widenings (1993), figure 4, with the two
//! recursions turned into an explicit stack.

use crate::cfg::Cfg;
use crate::program::{BlockId, Body};
use cranelift_entity::EntityRef;
use std::fmt::{self, Display, Formatter};

/// An element of the order, which is flat: components are bracketed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WtoItem {
    /// A block that is no head.
    Block(BlockId),
    /// A component starts with its head.
    Open(BlockId),
    /// The component opened last ends.
    Close,
}

/// A weak topological order of the reachable blocks of one body.
#[derive(Clone, Debug)]
pub struct Wto {
    items: Vec<WtoItem>,
    /// For each reachable block its place among the blocks.
    position: Vec<Option<u32>>,
    /// The head of the smallest component that a block lies in; heads lie in their own.
    head: Vec<Option<BlockId>>,
    /// For a head, that of the component around its own.
    outer: Vec<Option<BlockId>>,
    is_head: Vec<bool>,
}

/// A call of one of the paper's two functions.
enum Frame {
    Visit { block: BlockId, next: usize, low: u32, in_loop: bool },
    Component { head: BlockId, next: usize },
}

impl Wto {
    /// Computes the order.
    pub fn new(cfg: &Cfg) -> Wto {
        let mut items = if cfg.num_blocks() == 0 { Vec::new() } else { reversed_items(cfg) };
        items.reverse();
        let count = cfg.num_blocks();
        let mut this = Wto {
            items: Vec::new(),
            position: vec![None; count],
            head: vec![None; count],
            outer: vec![None; count],
            is_head: vec![false; count],
        };
        let mut heads = Vec::new();
        let mut next = 0;
        for item in &items {
            match *item {
                WtoItem::Close => {
                    heads.pop();
                }
                WtoItem::Block(block) | WtoItem::Open(block) => {
                    this.position[block.index()] = Some(next);
                    next += 1;
                    if matches!(item, WtoItem::Open(_)) {
                        this.is_head[block.index()] = true;
                        this.outer[block.index()] = heads.last().copied();
                        heads.push(block);
                    }
                    this.head[block.index()] = heads.last().copied();
                }
            }
        }
        this.items = items;
        this
    }

    /// The order with its brackets.
    pub fn items(&self) -> &[WtoItem] {
        &self.items
    }

    /// The place of a block in the order, if it is reachable.
    pub fn position(&self, block: BlockId) -> Option<usize> {
        self.position[block.index()].map(|position| position as usize)
    }

    /// True if the block is the head of a component: where to widen.
    pub fn is_head(&self, block: BlockId) -> bool {
        self.is_head[block.index()]
    }

    /// The heads of the components that a block lies in, from the inside out; a head lies in its own.
    pub fn heads(&self, block: BlockId) -> impl Iterator<Item = BlockId> {
        std::iter::successors(self.head[block.index()], |head| self.outer[head.index()])
    }
}

/// The paper puts elements in front of a list; here they are put behind, so all is reversed. While a component
/// is worked on nothing is added outside it, so one list serves all levels.
fn reversed_items(cfg: &Cfg) -> Vec<WtoItem> {
    /// The number of a block whose place is settled.
    const SETTLED: u32 = u32::MAX;
    let mut items = Vec::new();
    let mut number = vec![0u32; cfg.num_blocks()];
    let mut count = 0;
    let mut pending = Vec::new();
    let mut frames = Vec::new();
    let mut visit = |block: BlockId, number: &mut [u32], pending: &mut Vec<BlockId>| {
        pending.push(block);
        count += 1;
        number[block.index()] = count;
        Frame::Visit { block, next: 0, low: count, in_loop: false }
    };
    frames.push(visit(Body::ENTRY, &mut number, &mut pending));
    // What the visit that ended last returned.
    let mut returned: Option<u32> = None;
    while let Some(frame) = frames.last_mut() {
        match frame {
            Frame::Visit { block, next, low, in_loop } => {
                if let Some(min) = returned.take()
                    && min <= *low
                {
                    *low = min;
                    *in_loop = true;
                }
                if let Some(&to) = cfg.successors(*block).get(*next) {
                    *next += 1;
                    if number[to.index()] == 0 {
                        let frame = visit(to, &mut number, &mut pending);
                        frames.push(frame);
                    } else {
                        returned = Some(number[to.index()]);
                    }
                    continue;
                }
                let (block, low, in_loop) = (*block, *low, *in_loop);
                frames.pop();
                if low != number[block.index()] {
                    returned = Some(low);
                    continue;
                }
                // The paper returns the number here too, but it is greater than any that the caller knows.
                number[block.index()] = SETTLED;
                // The blocks of the component are visited once more, without the head.
                while let Some(other) = pending.pop()
                    && other != block
                {
                    number[other.index()] = 0;
                }
                if in_loop {
                    items.push(WtoItem::Close);
                    frames.push(Frame::Component { head: block, next: 0 });
                } else {
                    items.push(WtoItem::Block(block));
                }
            }
            Frame::Component { head, next } => {
                returned = None;
                if let Some(&to) = cfg.successors(*head).get(*next) {
                    *next += 1;
                    if number[to.index()] == 0 {
                        let frame = visit(to, &mut number, &mut pending);
                        frames.push(frame);
                    }
                } else {
                    items.push(WtoItem::Open(*head));
                    frames.pop();
                }
            }
        }
    }
    items
}

impl Display for Wto {
    /// As in the paper: `0 1 (2 3 (4 5) 6) 7`.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, item) in self.items.iter().enumerate() {
            if index > 0 && *item != WtoItem::Close {
                f.write_str(" ")?;
            }
            match item {
                WtoItem::Block(block) => write!(f, "{}", block.index())?,
                WtoItem::Open(head) => write!(f, "({}", head.index())?,
                WtoItem::Close => f.write_str(")")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfg::tests::{graph, random_graph};

    fn wto(successors: &[&[usize]]) -> String {
        Wto::new(&Cfg::new(&graph(successors))).to_string()
    }

    #[test]
    fn the_example_of_the_paper() {
        // Figure 1, with the numbers less one.
        let text = wto(&[&[1], &[2, 7], &[3], &[4, 6], &[5], &[4, 6], &[2, 7], &[]]);
        assert_eq!(text, "0 1 (2 3 (4 5) 6) 7");
    }

    #[test]
    fn a_self_loop_is_a_component() {
        assert_eq!(wto(&[&[1], &[1, 2], &[]]), "0 (1) 2");
    }

    #[test]
    fn heads_go_from_the_inside_out() {
        let wto = Wto::new(&Cfg::new(&graph(&[&[1], &[2, 3], &[2, 1], &[]])));
        assert_eq!(wto.to_string(), "0 (1 (2)) 3");
        let b = BlockId::new;
        assert_eq!(wto.heads(b(2)).collect::<Vec<_>>(), [b(2), b(1)]);
        assert_eq!(wto.heads(b(3)).count(), 0);
        assert!(wto.is_head(b(2)) && !wto.is_head(b(0)));
        assert_eq!(wto.position(b(3)), Some(3));
    }

    /// The definition: an edge against the order goes to the head of a component that holds its source.
    #[test]
    fn edges_backwards_go_to_heads_around_them() {
        for seed in 0..500 {
            let body = random_graph(seed, 9);
            let cfg = Cfg::new(&body);
            let wto = Wto::new(&cfg);
            for &from in cfg.reverse_postorder() {
                assert!(wto.position(from).is_some(), "seed {seed}: {wto}");
                for &to in cfg.successors(from) {
                    let backwards = wto.position(to) <= wto.position(from);
                    assert!(!backwards || wto.heads(from).any(|head| head == to), "seed {seed}: {wto}");
                }
            }
        }
    }

    #[test]
    fn deep_nesting_does_not_recurse() {
        let count = 50_000;
        let chain: Vec<Vec<usize>> =
            (0..count).map(|index| if index + 1 < count { vec![index + 1] } else { vec![] }).collect();
        let chain: Vec<&[usize]> = chain.iter().map(|to| &to[..]).collect();
        let cfg = Cfg::new(&graph(&chain));
        assert_eq!(Wto::new(&cfg).items().len(), count);
        let dominators = crate::dominators::Dominators::new(&cfg);
        assert!(dominators.dominates(Body::ENTRY, BlockId::new(count - 1)));
        assert_eq!(crate::loops::Loops::new(&cfg, &dominators).iter().count(), 0);
    }
}
