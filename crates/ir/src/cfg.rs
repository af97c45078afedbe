//! The control flow graph of a body: successors, predecessors, reachable blocks and reverse postorder.
//!
//! Everything here and in the analyses built on it assumes a body that passed the checker and never recurses,
//! so functions with very many blocks are fine.

use crate::program::{BlockId, Body};
use cranelift_entity::EntityRef;

/// Lists of blocks, one list for each block, in one allocation.
#[derive(Clone, Debug)]
struct Adjacency {
    start: Vec<u32>,
    blocks: Vec<BlockId>,
}

impl Adjacency {
    fn of(&self, block: BlockId) -> &[BlockId] {
        let index = block.index();
        &self.blocks[self.start[index] as usize..self.start[index + 1] as usize]
    }
}

/// The control flow graph of one body.
#[derive(Clone, Debug)]
pub struct Cfg {
    successors: Adjacency,
    predecessors: Adjacency,
    reverse_postorder: Vec<BlockId>,
    position: Vec<Option<u32>>,
}

impl Cfg {
    /// Computes the graph of a body.
    pub fn new(body: &Body) -> Cfg {
        let successors = successors(body);
        let predecessors = reverse(&successors, body.blocks.len());
        let reverse_postorder = reverse_postorder(&successors, body.blocks.len());
        let mut position = vec![None; body.blocks.len()];
        for (index, block) in reverse_postorder.iter().enumerate() {
            position[block.index()] = Some(index as u32);
        }
        Cfg { successors, predecessors, reverse_postorder, position }
    }

    /// Number of blocks, reachable or not.
    pub fn num_blocks(&self) -> usize {
        self.position.len()
    }

    /// The different blocks that may come next, in the order of the terminator.
    pub fn successors(&self, block: BlockId) -> &[BlockId] {
        self.successors.of(block)
    }

    /// The different blocks that may come before, unreachable ones included, in ascending order.
    pub fn predecessors(&self, block: BlockId) -> &[BlockId] {
        self.predecessors.of(block)
    }

    /// The reachable blocks such that a block comes after its predecessors, back edges aside.
    pub fn reverse_postorder(&self) -> &[BlockId] {
        &self.reverse_postorder
    }

    /// The place of a block in the reverse postorder, if it is reachable.
    pub fn position(&self, block: BlockId) -> Option<usize> {
        self.position[block.index()].map(|position| position as usize)
    }

    /// True if the block can be reached from the entry.
    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.position[block.index()].is_some()
    }
}

fn successors(body: &Body) -> Adjacency {
    let mut start = Vec::with_capacity(body.blocks.len() + 1);
    let mut blocks = Vec::with_capacity(body.blocks.len() * 2);
    // The block that listed a successor last: a switch may name one thousands of times.
    let mut listed_by: Vec<Option<BlockId>> = vec![None; body.blocks.len()];
    start.push(0);
    for (id, block) in body.blocks.iter() {
        block.term.for_each_successor(|to| {
            if listed_by[to.index()] != Some(id) {
                listed_by[to.index()] = Some(id);
                blocks.push(to);
            }
        });
        start.push(blocks.len() as u32);
    }
    Adjacency { start, blocks }
}

fn reverse(edges: &Adjacency, count: usize) -> Adjacency {
    let mut start = vec![0u32; count + 1];
    for to in &edges.blocks {
        start[to.index() + 1] += 1;
    }
    for index in 0..count {
        start[index + 1] += start[index];
    }
    let mut next = start.clone();
    let mut blocks = vec![Body::ENTRY; edges.blocks.len()];
    for from in (0..count).map(BlockId::new) {
        for to in edges.of(from) {
            let slot = &mut next[to.index()];
            blocks[*slot as usize] = from;
            *slot += 1;
        }
    }
    Adjacency { start, blocks }
}

fn reverse_postorder(successors: &Adjacency, count: usize) -> Vec<BlockId> {
    let mut order = Vec::with_capacity(count);
    if count == 0 {
        return order;
    }
    let mut seen = vec![false; count];
    let mut stack = vec![(Body::ENTRY, 0)];
    seen[0] = true;
    while let Some((block, next)) = stack.last_mut() {
        // Later successors first, so that the order lists the `then` side of a branch first.
        let all = successors.of(*block);
        if let Some(&to) = all.len().checked_sub(*next + 1).map(|index| &all[index]) {
            *next += 1;
            if !std::mem::replace(&mut seen[to.index()], true) {
                stack.push((to, 0));
            }
        } else {
            order.push(*block);
            stack.pop();
        }
    }
    order.reverse();
    order
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::inst::{Operand, Terminator};
    use crate::program::{Block, Span};

    /// A body with these successors of its blocks and no instructions.
    pub(crate) fn graph(successors: &[&[usize]]) -> Body {
        let mut body = Body::default();
        for to in successors {
            let to: Vec<BlockId> = to.iter().map(|index| BlockId::new(*index)).collect();
            let value = Operand::Int { bits: 0, width: 8 };
            let term = match to[..] {
                [] => Terminator::Return(vec![]),
                [to] => Terminator::Jump(to),
                [ref cases @ .., default] => {
                    let cases = cases.iter().enumerate().map(|(index, to)| (index as u128, *to)).collect();
                    Terminator::Switch { value, width: 8, cases, default }
                }
            };
            body.blocks.push(Block { insts: vec![], term, term_span: Span::NONE });
        }
        body
    }

    /// A graph with up to three successors for each block.
    pub(crate) fn random_graph(seed: u64, count: usize) -> Body {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1);
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        let lists: Vec<Vec<usize>> =
            (0..count).map(|_| (0..random(4)).map(|_| random(count)).collect()).collect();
        graph(&lists.iter().map(|list| &list[..]).collect::<Vec<_>>())
    }

    #[test]
    fn edges_are_listed_once_in_both_directions() {
        let cfg = Cfg::new(&graph(&[&[1, 1, 2], &[2], &[], &[2]]));
        let b = BlockId::new;
        assert_eq!(cfg.successors(b(0)), [b(1), b(2)]);
        assert_eq!(cfg.predecessors(b(2)), [b(0), b(1), b(3)]);
        assert_eq!(cfg.reverse_postorder(), [b(0), b(1), b(2)]);
        assert!(!cfg.is_reachable(b(3)));
        assert_eq!(cfg.position(b(2)), Some(2));
    }

    #[test]
    fn the_order_puts_sources_of_forward_edges_first() {
        let cfg = Cfg::new(&graph(&[&[1, 2], &[3], &[3], &[0, 4], &[]]));
        let b = BlockId::new;
        assert_eq!(cfg.reverse_postorder(), [b(0), b(1), b(2), b(3), b(4)]);
    }
}
