//! Natural loops: for each header the blocks that can reach one of its back edges without passing the header.

use crate::cfg::Cfg;
use crate::dominators::Dominators;
use crate::program::BlockId;
use cranelift_entity::{EntityRef, PrimaryMap, entity_impl};

/// Names a loop of a body. An outer loop has a smaller number than the loops in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LoopId(u32);
entity_impl!(LoopId, "loop");

/// A natural loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The block through which the loop is entered.
    pub header: BlockId,
    /// The blocks with an edge back to the header, in ascending order.
    pub latches: Vec<BlockId>,
    /// All blocks of the loop and of the loops in it, in ascending order.
    pub blocks: Vec<BlockId>,
    /// The smallest loop around this one.
    pub parent: Option<LoopId>,
    /// Number of loops around this one.
    pub depth: u32,
}

/// The loops of one body.
#[derive(Clone, Debug)]
pub struct Loops {
    loops: PrimaryMap<LoopId, Loop>,
    innermost: Vec<Option<LoopId>>,
    irreducible: Vec<(BlockId, BlockId)>,
}

impl Loops {
    /// Finds the loops.
    pub fn new(cfg: &Cfg, dominators: &Dominators) -> Loops {
        let mut this = Loops {
            loops: PrimaryMap::new(),
            innermost: vec![None; cfg.num_blocks()],
            irreducible: Vec::new(),
        };
        // Headers of outer loops dominate those of inner ones and so come first.
        let mut member_of: Vec<Option<LoopId>> = vec![None; cfg.num_blocks()];
        for (position, &header) in cfg.reverse_postorder().iter().enumerate() {
            let mut latches = Vec::new();
            for &from in cfg.predecessors(header) {
                let retreats = cfg.position(from).is_some_and(|from| from >= position);
                if dominators.dominates(header, from) {
                    latches.push(from);
                } else if retreats {
                    this.irreducible.push((from, header));
                }
            }
            if latches.is_empty() {
                continue;
            }
            let id = this.loops.next_key();
            let mut blocks = vec![header];
            member_of[header.index()] = Some(id);
            let mut stack = latches.clone();
            while let Some(block) = stack.pop() {
                if member_of[block.index()] != Some(id) {
                    member_of[block.index()] = Some(id);
                    blocks.push(block);
                    stack.extend(cfg.predecessors(block).iter().filter(|block| cfg.is_reachable(**block)));
                }
            }
            blocks.sort_unstable();
            let parent = this.innermost[header.index()];
            let depth = parent.map_or(0, |parent| this.loops[parent].depth + 1);
            for block in &blocks {
                this.innermost[block.index()] = Some(id);
            }
            this.loops.push(Loop { header, latches, blocks, parent, depth });
        }
        this
    }

    /// The loops, outer before inner.
    pub fn iter(&self) -> impl Iterator<Item = (LoopId, &Loop)> {
        self.loops.iter()
    }

    /// A loop.
    pub fn get(&self, id: LoopId) -> &Loop {
        &self.loops[id]
    }

    /// The smallest loop that holds a block.
    pub fn innermost(&self, block: BlockId) -> Option<LoopId> {
        self.innermost[block.index()]
    }

    /// The loop that a block is the header of.
    pub fn headed_by(&self, block: BlockId) -> Option<LoopId> {
        self.innermost(block).filter(|id| self.loops[*id].header == block)
    }

    /// True for an edge from a latch to its header.
    pub fn is_back_edge(&self, from: BlockId, to: BlockId) -> bool {
        self.headed_by(to).is_some_and(|id| self.loops[id].latches.binary_search(&from).is_ok())
    }

    /// Edges of cycles with several entries (made by `goto`), which no natural loop describes.
    pub fn irreducible_edges(&self) -> &[(BlockId, BlockId)] {
        &self.irreducible
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfg::tests::graph;

    fn loops(successors: &[&[usize]]) -> Loops {
        let cfg = Cfg::new(&graph(successors));
        Loops::new(&cfg, &Dominators::new(&cfg))
    }

    #[test]
    fn nested_loops_know_each_other() {
        // 0 -> 1 -> 2 <-> 3, 3 -> 1, 1 -> 4
        let loops = loops(&[&[1], &[2, 4], &[3], &[2, 1], &[]]);
        let all: Vec<_> = loops.iter().map(|(_, l)| (l.header.index(), l.depth, l.blocks.len())).collect();
        assert_eq!(all, [(1, 0, 3), (2, 1, 2)]);
        let b = BlockId::new;
        let inner = loops.innermost(b(3)).unwrap();
        assert_eq!(loops.headed_by(b(2)), Some(inner));
        assert_eq!(loops.get(inner).parent, loops.headed_by(b(1)));
        assert_eq!(loops.innermost(b(4)), None);
        assert!(loops.is_back_edge(b(3), b(1)) && loops.is_back_edge(b(3), b(2)));
        assert!(!loops.is_back_edge(b(1), b(2)));
    }

    #[test]
    fn a_cycle_with_two_entries_is_irreducible() {
        let loops = loops(&[&[1, 2], &[2], &[1]]);
        assert_eq!(loops.iter().count(), 0);
        assert_eq!(loops.irreducible_edges().len(), 1);
    }
}
