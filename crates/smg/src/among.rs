//! Addresses of some node of a doubly linked segment; which one is not known ([`Tg::Among`]).
//!
//! Cursors may follow each other in any order, and each order is a configuration of its own as long as the list is cut into pieces
//! at every cursor. Where too many configurations meet, the pieces are merged, and cursors in the middle become such
//! addresses. Two of them with the same number are equal, others may or may not be. Only registers hold them, and only
//! at the top level. A segment that one of them leads to has a node. In a doubly linked list each node leads to all others, so nothing
//! is lost from sight. To use such an address, the list is cut there again ([`State::open`]).

use crate::graph::{Addr, Def, ObjId, Seg, State, Tg, Val};
use heapproof_ir::Operand;
use std::collections::{BTreeMap, BTreeSet};

/// More cursors of one segment are not followed like this.
const MOST: usize = 8;

/// Where a node of a segment that is cut may be.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    /// It is the node at which the segment is cut.
    Node(ObjId),
    /// It is in a segment that is left.
    Rest(ObjId),
}

impl Tg {
    /// True for some node of a segment.
    pub fn is_among(self) -> bool {
        matches!(self, Tg::Among(_))
    }
}

impl State {
    /// The numbers of the addresses of some node of a segment.
    pub fn among(&self, id: ObjId) -> BTreeSet<u32> {
        let regs = self.frames.iter().flat_map(|frame| frame.regs.iter().flatten());
        regs.filter_map(|val| match val {
            Val::Addr(Addr { obj, tg: Tg::Among(number), .. }) if *obj == id => Some(*number),
            _ => None,
        })
        .collect()
    }

    /// True if a register holds an address of some node of a segment.
    pub fn has_vague_cursors(&self) -> bool {
        let mut regs = self.frames.iter().flat_map(|frame| frame.regs.iter().flatten());
        regs.any(|val| matches!(val, Val::Addr(addr) if addr.tg.is_among()))
    }

    /// The address in an operand, if it is that of some node of a segment.
    pub fn some_node(&self, operand: &Operand) -> Option<Addr> {
        let Operand::Reg(reg) = operand else { return None };
        match self.frame().regs[reg.as_u32() as usize] {
            Some(Val::Addr(addr)) if addr.tg.is_among() => Some(addr),
            _ => None,
        }
    }

    /// Cuts a segment at some node of it: the nodes before, the node, the nodes after it.
    pub(crate) fn cut_at(&self, id: ObjId, number: u32) -> Vec<State> {
        self.cut_at_node(id, number).map_or(Vec::new(), |(states, _)| states)
    }

    /// The same, with the node. None if there can be no node.
    pub(crate) fn cut_at_node(&self, id: ObjId, number: u32) -> Option<(Vec<State>, ObjId)> {
        let mut state = self.clone();
        let seg = state.object(id).seg?;
        let prev = seg.prev?;
        let before = state.duplicate(id);
        state.replace_values(|val| match val {
            Val::Addr(addr) if addr.obj == id && addr.tg == Tg::First => {
                Val::Addr(Addr { obj: before, ..addr })
            }
            other => other,
        });
        let node = state.pull_out(id, Tg::Among(number), None)?;
        let ptr = state.pointer_bytes();
        let at = |obj: ObjId, tg: Tg| Val::Addr(Addr { obj, off: seg.head, tg });
        state.write(before, seg.next, ptr, at(node, Tg::Region));
        state.write(node, prev, ptr, at(before, Tg::Last));
        state.write(node, seg.next, ptr, at(id, Tg::First));
        state.write(id, prev, ptr, at(node, Tg::Region));
        state.write_twins(node, seg);
        state.put_in_order(before, node, false);
        state.put_in_order(id, node, true);
        for part in [before, id] {
            state.object_mut(part).seg = Some(Seg { min: 0, ..seg });
        }
        let parts = [Part::Rest(before), Part::Node(node), Part::Rest(id)];
        Some((state.distributed(id, if fault!(79) { &parts[1..] } else { &parts }), node))
    }

    /// The configurations in which each address of some node of a segment is of one of the parts that it was cut into.
    pub(crate) fn distributed(self, id: ObjId, parts: &[Part]) -> Vec<State> {
        let mut states = vec![self];
        let numbers = states[0].among(id);
        for number in numbers {
            let choices =
                states.iter().flat_map(|state| parts.iter().map(|part| state.chosen(id, number, *part)));
            states = choices.collect();
        }
        states
    }

    /// The first or the last node was taken out of a segment: it is the one that an address means, or it is not.
    pub(crate) fn taken_out(self, id: ObjId, node: ObjId) -> Vec<State> {
        self.distributed(id, &[Part::Node(node), Part::Rest(id)])
    }

    /// All addresses of some node of a segment are of this one, its only node. Always true.
    pub(crate) fn is_the_only_one(&mut self, id: ObjId, node: ObjId) -> bool {
        for number in self.among(id) {
            *self = self.chosen(id, number, Part::Node(node));
        }
        true
    }

    fn chosen(&self, id: ObjId, number: u32, part: Part) -> State {
        let mut state = self.clone();
        state.replace_values(|val| match (val, part) {
            (Val::Addr(addr), Part::Node(obj)) if addr.obj == id && addr.tg == Tg::Among(number) => {
                Val::Addr(Addr { obj, tg: Tg::Region, ..addr })
            }
            (Val::Addr(addr), Part::Rest(obj)) if addr.obj == id && addr.tg == Tg::Among(number) => {
                Val::Addr(Addr { obj, ..addr })
            }
            (other, _) => other,
        });
        if let Part::Rest(obj) = part
            && let Some(seg) = &mut state.object_mut(obj).seg
        {
            seg.min = seg.min.max(1);
        }
        state
    }

    /// True for the address of some node of a segment, at any index.
    pub fn is_some_node(&self, val: Val) -> bool {
        match val {
            Val::Addr(addr) => addr.tg.is_among(),
            Val::Sym(id) => match self.syms[&id].def {
                Def::At(base, ..) => base.tg.is_among(),
                Def::Plus(source, _) | Def::Same(source) => self.is_some_node(Val::Sym(source)),
                _ => false,
            },
            Val::Int(_) | Val::Func(_) => false,
        }
    }

    /// The operand of an instruction that has to be a certain node, if it is some node of a segment.
    pub fn has_to_be_cut(&self, a: Val, b: Val) -> Option<Addr> {
        let (Val::Addr(x), Val::Addr(y)) = (a, b) else { return None };
        let open = |addr: Addr| self.object(addr.obj).seg.is_some();
        (x != y && open(x) && open(y)).then_some(())?;
        [x, y].into_iter().find(|addr| addr.tg.is_among())
    }

    /// The cases in which no register holds an end of a doubly linked segment that may be empty.
    pub fn with_cursors_inside(self) -> Vec<State> {
        let mut regs = self.frames.iter().flat_map(|frame| frame.regs.iter().flatten());
        let empty = regs.find_map(|val| match val {
            Val::Addr(Addr { obj, tg: Tg::First | Tg::Last, .. }) => {
                self.object(*obj).seg.filter(|seg| seg.prev.is_some() && seg.min == 0).map(|_| *obj)
            }
            _ => None,
        });
        match empty {
            Some(id) => self.split_empty(id).into_iter().flat_map(State::with_cursors_inside).collect(),
            None => vec![self],
        }
    }

    /// After two nodes were merged: addresses of nodes in the middle become those of some node. New ones only if
    /// the merge is a loose one. The end of what may be empty may be outside of it.
    pub(crate) fn blur(&mut self, before: &State, merged: [ObjId; 2], segment: ObjId, loose: bool) {
        let object = self.object(segment);
        let fits = object.level == 0
            && object.length.is_none()
            && object.tags.is_none()
            && before.kinds.is_none()
            && object.seg.is_some_and(|seg| seg.prev.is_some() && seg.min > 0);
        if !fits {
            return;
        }
        let has_nodes = |id: ObjId| before.object(id).seg.is_none_or(|seg| seg.min > 0);
        let mut numbers: BTreeMap<(ObjId, Tg), u32> = BTreeMap::new();
        for frame in &mut self.frames {
            for val in frame.regs.iter_mut().flatten() {
                let Val::Addr(addr) = val else { continue };
                if !merged.contains(&addr.obj) || !has_nodes(addr.obj) || !(addr.tg.is_among() || loose) {
                    continue;
                }
                let next = numbers.len() as u32;
                let number =
                    *numbers.entry((addr.obj, if fault!(80) { Tg::First } else { addr.tg })).or_insert(next);
                if number < MOST as u32 {
                    *addr = Addr { obj: segment, off: addr.off, tg: Tg::Among(number) };
                }
            }
        }
    }
}
