//! Dominators: block a dominates block b if every path from the entry to b passes a.
//!
//! Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm (2001), by iteration in reverse postorder.

use crate::cfg::Cfg;
use crate::program::{BlockId, Body};
use cranelift_entity::EntityRef;

/// The dominator tree of the reachable blocks of one body.
#[derive(Clone, Debug)]
pub struct Dominators {
    /// The immediate dominator; none for the entry and for unreachable blocks.
    idom: Vec<Option<BlockId>>,
    /// The first and last number of a block's subtree in a walk over the tree, so that dominance is containment.
    interval: Vec<Option<(u32, u32)>>,
}

impl Dominators {
    /// Computes the tree.
    pub fn new(cfg: &Cfg) -> Dominators {
        let order = cfg.reverse_postorder();
        // In terms of positions in the order: the entry is 0 and a dominator has a smaller position.
        let mut idom: Vec<Option<usize>> = vec![None; order.len()];
        if let Some(entry) = idom.first_mut() {
            *entry = Some(0);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (position, block) in order.iter().enumerate().skip(1) {
                let known = cfg
                    .predecessors(*block)
                    .iter()
                    .filter_map(|predecessor| cfg.position(*predecessor))
                    .filter(|predecessor| idom[*predecessor].is_some());
                let new = known.reduce(|a, b| common(&idom, a, b));
                if new != idom[position] {
                    idom[position] = new;
                    changed = true;
                }
            }
        }
        let mut this =
            Dominators { idom: vec![None; cfg.num_blocks()], interval: vec![None; cfg.num_blocks()] };
        for (position, block) in order.iter().enumerate().skip(1) {
            this.idom[block.index()] = idom[position].map(|dominator| order[dominator]);
        }
        this.number(order);
        this
    }

    /// Numbers the tree: sizes of subtrees from the leaves up, first numbers from the root down.
    fn number(&mut self, order: &[BlockId]) {
        let mut size = vec![1u32; self.idom.len()];
        for block in order.iter().rev() {
            if let Some(parent) = self.idom[block.index()] {
                size[parent.index()] += size[block.index()];
            }
        }
        let mut next = vec![0u32; self.idom.len()];
        for block in order {
            let first = match self.idom[block.index()] {
                None => 0,
                Some(parent) => {
                    let first = next[parent.index()];
                    next[parent.index()] += size[block.index()];
                    first
                }
            };
            next[block.index()] = first + 1;
            self.interval[block.index()] = Some((first, first + size[block.index()] - 1));
        }
    }

    /// The closest other block that dominates a block; none for the entry and unreachable blocks.
    pub fn immediate_dominator(&self, block: BlockId) -> Option<BlockId> {
        self.idom[block.index()]
    }

    /// True if `a` dominates `b`; a block dominates itself. False if one is unreachable.
    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        match (self.interval[a.index()], self.interval[b.index()]) {
            (Some((first, last)), Some((inner, _))) => (first..=last).contains(&inner),
            _ => false,
        }
    }

    /// The dominators of a block from itself up to the entry; only itself if it is unreachable.
    pub fn dominators(&self, block: BlockId) -> impl Iterator<Item = BlockId> {
        std::iter::successors(Some(block), |block| self.immediate_dominator(*block))
    }
}

/// The closest common ancestor of two positions.
fn common(idom: &[Option<usize>], mut a: usize, mut b: usize) -> usize {
    while a != b {
        let higher = a.max(b);
        // Known, since only known positions are compared and their ancestors are known.
        let parent = idom[higher].unwrap_or(Body::ENTRY.index());
        (a, b) = (a.min(b), parent);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfg::tests::graph;

    #[test]
    fn a_diamond_is_dominated_by_its_top() {
        let body = graph(&[&[1, 2], &[3], &[3], &[], &[3]]);
        let dominators = Dominators::new(&Cfg::new(&body));
        let b = BlockId::new;
        assert_eq!(dominators.immediate_dominator(b(3)), Some(b(0)));
        assert_eq!(dominators.immediate_dominator(b(1)), Some(b(0)));
        assert_eq!(dominators.immediate_dominator(b(0)), None);
        assert_eq!(dominators.immediate_dominator(b(4)), None);
        assert!(dominators.dominates(b(0), b(3)) && dominators.dominates(b(3), b(3)));
        assert!(!dominators.dominates(b(1), b(3)) && !dominators.dominates(b(4), b(3)));
        assert_eq!(dominators.dominators(b(3)).collect::<Vec<_>>(), [b(3), b(0)]);
    }

    /// By definition: a dominates b if b cannot be reached when a is removed.
    #[test]
    fn agrees_with_the_definition_on_small_graphs() {
        for seed in 0..300 {
            let body = crate::cfg::tests::random_graph(seed, 8);
            let cfg = Cfg::new(&body);
            let dominators = Dominators::new(&cfg);
            for a in body.blocks.keys().filter(|a| cfg.is_reachable(*a)) {
                let mut seen = [false; 8];
                let mut stack = if a == Body::ENTRY { vec![] } else { vec![Body::ENTRY] };
                while let Some(block) = stack.pop() {
                    if block != a && !std::mem::replace(&mut seen[block.index()], true) {
                        stack.extend(cfg.successors(block));
                    }
                }
                for b in body.blocks.keys().filter(|b| cfg.is_reachable(*b)) {
                    assert_eq!(dominators.dominates(a, b), !seen[b.index()], "{a} {b} seed {seed}");
                }
            }
        }
    }
}
