//! How far it is from a block to a suspected error, so that a search goes there and nowhere else.

use crate::state::State;
use heapproof_engine::Place;
use heapproof_ir::cfg::Cfg;
use heapproof_ir::{BlockId, Callee, FuncId, GlobalInit, InstKind, Operand, Program, RelocTarget};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A block of a function.
type At = (FuncId, BlockId);

/// Distances to a position, in blocks, through calls.
pub struct Steer {
    distances: BTreeMap<At, usize>,
}

impl Steer {
    /// The distances to a place. If no block is there, all blocks lead to it.
    pub fn to(program: &Program, place: Option<Place>) -> Steer {
        let mut goals = place.map_or(Vec::new(), |place| goals(program, place));
        if goals.is_empty() {
            goals = blocks(program).collect();
        }
        let graphs: BTreeMap<FuncId, Cfg> =
            program.functions.iter().filter_map(|(id, f)| Some((id, Cfg::new(f.body.as_ref()?)))).collect();
        let callers = callers(program);
        let mut distances: BTreeMap<At, usize> = BTreeMap::new();
        let mut work: VecDeque<_> = goals.into_iter().map(|goal| (goal, 0)).collect();
        while let Some(((func, block), distance)) = work.pop_front() {
            if distances.contains_key(&(func, block)) {
                continue;
            }
            distances.insert((func, block), distance);
            let before = graphs[&func].predecessors(block).iter();
            work.extend(before.map(|&block| ((func, block), distance + 1)));
            if block == heapproof_ir::Body::ENTRY {
                let calls = callers.get(&func).into_iter().flatten();
                work.extend(calls.map(|&at| (at, distance + 1)));
            }
        }
        Steer { distances }
    }

    /// How far the running function is from the position; none if neither it nor a caller leads there.
    pub fn distance(&self, state: &State) -> Option<usize> {
        // What a caller may still reach is behind the end of the running function.
        const RETURN: usize = 1_000;
        let frames = state.frames.iter().rev().enumerate();
        frames
            .into_iter()
            .find_map(|(up, frame)| Some(self.distances.get(&(frame.func, frame.block))? + up * RETURN))
    }
}

fn blocks(program: &Program) -> impl Iterator<Item = At> {
    let bodies = program.functions.iter().filter_map(|(id, f)| Some((id, f.body.as_ref()?)));
    bodies.flat_map(|(id, body)| body.blocks.keys().map(move |block| (id, block)))
}

/// The blocks of a function that have a position.
fn goals(program: &Program, place: Place) -> Vec<At> {
    let Some(body) = &program.functions[place.func].body else { return Vec::new() };
    let there = body.blocks.iter().filter(|(_, block)| {
        block.term_span == place.span || block.insts.iter().any(|inst| inst.span == place.span)
    });
    there.map(|(block, _)| (place.func, block)).collect()
}

/// The blocks that call each function; an indirect call calls every function whose address is taken.
fn callers(program: &Program) -> BTreeMap<FuncId, Vec<At>> {
    let mut callers: BTreeMap<FuncId, Vec<At>> = BTreeMap::new();
    let mut indirect = Vec::new();
    let mut taken: BTreeSet<FuncId> = BTreeSet::new();
    for (func, block) in blocks(program) {
        let body = program.functions[func].body.as_ref().expect("it has blocks");
        for inst in &body.blocks[block].insts {
            if let InstKind::Call { callee, .. } = &inst.kind {
                match callee {
                    Callee::Direct(to) => callers.entry(*to).or_default().push((func, block)),
                    Callee::Indirect(_) => indirect.push((func, block)),
                }
            }
            inst.kind.for_each_use(|operand| {
                if let Operand::Func(func) = operand {
                    taken.insert(*func);
                }
            });
        }
    }
    for global in program.globals.values() {
        if let GlobalInit::Data { relocs, .. } = &global.init {
            taken.extend(relocs.iter().filter_map(|reloc| match reloc.target {
                RelocTarget::Func(func) => Some(func),
                RelocTarget::Global(_) => None,
            }));
        }
    }
    for func in taken {
        callers.entry(func).or_default().extend(&indirect);
    }
    callers
}
