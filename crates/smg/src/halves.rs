//! Blocks that are on two lists at once (not in the paper): such a block is two objects, its *halves*.
//!
//! A list segment owns its nodes, so a node cannot be in two of them. Here the bytes of one of the links are an object of their own,
//! the *link*; the rest of the block is the *main* half. Each of them may be a node of a list, and these lists know nothing of each other. What is
//! kept is that the live main halves and the live links belong together one to one. After its bytes a half has its *bond*: the
//! address of the other half, or null where that is not known. A node of a segment whose bond is null has some half without a bond for its other half.
//!
//! Where the other half is needed, there is a configuration for each that it may be ([`State::with_other_half`]): a region, or a node anywhere in a
//! list, which is cut there. If there is none left, the configuration is impossible; and what is left of one kind without any of the other does not exist.
//! At loops bonds are forgotten, unless something would be lost from sight. Addresses in registers always lead to the half that has
//! the byte. How a block is cut in two is chosen for each attempt; whatever the choice is, nothing else than the form changes.

use crate::graph::{Addr, ObjId, Object, Seg, State, Storage, Tg, Val};
use crate::step::{Executor, Next};
use crate::tree::Kids;
use crate::trouble::Trouble;
use heapproof_ir::nodes::Nodes;
use heapproof_ir::{InstKind, Program};
use std::collections::BTreeSet;

/// How blocks of a size are cut in two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cut {
    /// The size of the blocks.
    pub whole: u64,
    /// Where the link is.
    pub at: u64,
    /// The size of the link.
    pub len: u64,
}

/// Which half of a block an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Half {
    /// How the block was cut.
    pub cut: Cut,
    /// It is the link.
    pub link: bool,
}

impl Half {
    fn other(self) -> Half {
        Half { link: !self.link, ..self }
    }

    /// True if a byte at an offset of this half belongs to it.
    pub fn has(self, off: i64) -> bool {
        let Cut { at, len, .. } = self.cut;
        match self.link {
            true => (0..len as i64).contains(&off),
            false => !(at as i64..(at + len) as i64).contains(&off),
        }
    }

    /// True if an access lies in this half alone, wherever it ends.
    fn holds(self, lo: i128, len: u64) -> bool {
        let (at, end) = (i128::from(self.cut.at), i128::from(self.cut.at + self.cut.len));
        let last = lo + i128::from(len);
        match self.link {
            true => lo >= 0 && last <= i128::from(self.cut.len),
            false => last <= at || lo >= end,
        }
    }

    /// An offset of this half as one of the other.
    fn moved(self, off: i64) -> i64 {
        let at = self.cut.at as i64;
        if self.link { off.wrapping_add(at) } else { off.wrapping_sub(at) }
    }
}

/// The ways to cut blocks that may help with a program: structures with several links, where the program computes the structure
/// from the address of a link that is not the first thing in it. The last link first.
pub fn cuts(program: &Program) -> Vec<Cut> {
    let nodes = Nodes::new(program);
    let mut cuts = BTreeSet::new();
    for body in program.functions.values().filter_map(|function| function.body.as_ref()) {
        let insts = || body.blocks.values().flat_map(|block| &block.insts).map(|inst| &inst.kind);
        let back: BTreeSet<i64> = insts()
            .filter_map(|inst| match inst {
                InstKind::PtrAdd { offset, index: None, within: None, .. } if *offset < 0 => Some(-*offset),
                _ => None,
            })
            .collect();
        for inst in insts() {
            let InstKind::PtrAdd { within: Some(ty), .. } = inst else { continue };
            let Some(node) = nodes.struct_type(program, *ty) else { continue };
            let info = &nodes.types[node.0];
            let links = info
                .parts
                .iter()
                .filter(|part| nodes.links.iter().any(|link| (link.of, link.to) == (part.node, part.node)));
            if links.clone().count() < 2 {
                continue;
            }
            for part in links.filter(|part| part.offset > 0 && back.contains(&(part.offset as i64))) {
                let len = nodes.types[part.node.0].size as u64;
                cuts.insert(Cut { whole: info.size as u64, at: part.offset as u64, len });
            }
        }
    }
    let mut cuts: Vec<Cut> = cuts.into_iter().collect();
    cuts.sort_by_key(|cut| std::cmp::Reverse(cut.at));
    cuts
}

impl State {
    /// What the bond of a half is, if it has one.
    pub fn bond(&self, id: ObjId) -> Option<Addr> {
        let object = self.object(id);
        object.half?;
        match object.peek(object.size, self.pointer_bytes()) {
            Some(Val::Addr(addr)) => Some(addr),
            _ => None,
        }
    }

    /// The half that belongs to another one, where both know it.
    fn other_half(&self, id: ObjId) -> Option<ObjId> {
        let other = self.bond(id)?.obj;
        (self.bond(other)?.obj == id).then_some(other)
    }

    /// The half that belongs to another one for sure.
    pub fn known_other_half(&self, id: ObjId) -> Option<ObjId> {
        self.bond(id).map(|bond| bond.obj).filter(|other| !self.object(*other).maybe)
    }

    fn set_bond(&mut self, id: ObjId, val: Val) {
        let (size, ptr) = (self.object(id).size, self.pointer_bytes());
        self.write(id, size, ptr, val);
    }

    pub fn tie(&mut self, a: ObjId, b: ObjId) {
        let at = |obj: ObjId| Val::Addr(Addr { obj, off: 0, tg: Tg::Region });
        self.set_bond(a, at(b));
        self.set_bond(b, at(a));
    }

    /// Makes a new block two halves, if blocks of its size are cut.
    pub fn cut_in_two(&mut self, block: Val) {
        let Some(id) = self.target(block) else { return };
        let object = self.object(id).clone();
        let Some(cut) = self.cut.filter(|cut| cut.whole == object.size && object.exact) else { return };
        let half = Half { cut, link: false };
        let mut link = Object::region(cut.len, Storage::Heap, object.span);
        link.half = Some(half.other());
        if object.is_zero(cut.at, cut.len) {
            link.put(0, cut.len, Val::ZERO);
        }
        let main = self.object_mut(id);
        main.half = Some(half);
        main.erase(cut.at, cut.len);
        let link = self.add(link);
        self.tie(id, link);
    }

    /// The configurations in which the other half of a region is known. None if they cannot be told.
    pub fn with_other_half(&self, id: ObjId) -> Option<Vec<State>> {
        let states = match self.bond(id) {
            Some(bond) if self.object(bond.obj).maybe => self.split_maybe(bond.obj),
            Some(_) => vec![self.clone()],
            None => self.with_tie(id, 0)?,
        };
        #[cfg(test)]
        crate::audit::covers("other half", self, &states.iter().collect::<Vec<_>>());
        Some(states)
    }

    /// The configurations in which a region belongs together with one of the objects that were made since some time.
    fn with_tie(&self, id: ObjId, since: u32) -> Option<Vec<State>> {
        let wanted = self.object(id).half?.other();
        let (mut found, mut lists) = (Vec::new(), BTreeSet::new());
        for (&other, object) in self.objects.range(ObjId(since)..) {
            let optional = self.other_half(other).filter(|half| self.object(*half).maybe);
            let is_free = self.other_half(other).is_none() || optional.is_some() && !fault!(137);
            if object.half != Some(wanted) || !object.valid || !is_free || other == id {
                continue;
            }
            if object.level > 0 {
                lists.insert(self.list_above(other)?);
            } else if object.seg.is_some() {
                lists.insert(other);
            } else {
                let mut state = match optional {
                    Some(absent) => self.split_maybe(absent).into_iter().next()?,
                    None => self.clone(),
                };
                state.object_mut(other).maybe = false;
                state.tie(id, other);
                found.push(state);
            }
        }
        for list in lists.into_iter().filter(|_| !fault!(133)) {
            let (state, node) = self.cut_anywhere(list)?;
            for state in state {
                found.extend(state.with_tie(id, node.0)?);
            }
        }
        Some(found)
    }

    /// The list of the top level below which an object is.
    fn list_above(&self, id: ObjId) -> Option<ObjId> {
        let tops = self.objects.iter().filter(|(_, object)| object.level == 0 && object.seg.is_some());
        tops.map(|(top, _)| *top).find(|top| self.nested(*top).contains(&id))
    }

    /// A list cut at any of its nodes, with the node. None if that cannot be said.
    fn cut_anywhere(&self, id: ObjId) -> Option<(Vec<State>, ObjId)> {
        let object = self.object(id);
        let Seg { prev, kids, .. } = object.seg?;
        let plain =
            kids == Kids::NONE && object.kinds.is_empty() && object.length.is_none() && object.tags.is_none();
        if prev.is_none() || !plain {
            return None;
        }
        let mut state = self.clone();
        if !state.has_nodes(id, 1) {
            return Some((Vec::new(), id));
        }
        state.cut_at_node(id, u32::MAX)
    }

    /// The objects of the halves that are surely not there: of the other kind none is left that they could belong to.
    pub fn absent_halves(&self) -> BTreeSet<ObjId> {
        let halves = self.objects.iter().filter(|(_, object)| object.half.is_some() && object.valid);
        let single: Vec<(ObjId, Half)> = halves
            .filter(|(id, _)| self.other_half(**id).is_none_or(|other| self.object(other).maybe))
            .filter_map(|(id, object)| Some((*id, object.half?)))
            .collect();
        let has = |half: Half| single.iter().any(|(_, known)| *known == half);
        let alone = single
            .iter()
            .filter(|(id, half)| (!has(half.other()) || fault!(134)) && self.other_half(*id).is_none());
        alone.map(|(id, _)| *id).collect()
    }

    /// Forgets which halves belong together, where each can be found without the other and no variable leads to one of them.
    pub fn forget_bonds(&mut self) {
        if self.cut.is_none() {
            return;
        }
        let mut loose = self.clone();
        let halves: Vec<ObjId> = self
            .objects
            .iter()
            .filter(|(_, object)| object.half.is_some() && object.valid)
            .map(|(id, _)| *id)
            .collect();
        for id in &halves {
            loose.set_bond(*id, Val::ZERO);
        }
        let (values, objects) = loose.roots();
        let seen = loose.reachable(&values, &objects);
        let held: BTreeSet<ObjId> = self
            .frames
            .iter()
            .flat_map(|frame| frame.regs.iter().flatten())
            .filter_map(|val| self.target(*val))
            .collect();
        for id in halves {
            if let Some(other) = self.bond(id).map(|bond| bond.obj)
                && [id, other].iter().all(|half| seen.contains(half) && !held.contains(half))
            {
                self.set_bond(id, Val::ZERO);
            }
        }
    }

    /// What belongs to a set of objects besides: where a half is among them, all that may be its other half.
    pub fn with_halves(&self, mut seen: BTreeSet<ObjId>) -> BTreeSet<ObjId> {
        if self.cut.is_none() || fault!(135) {
            return seen;
        }
        loop {
            let cuts: BTreeSet<Cut> = seen.iter().filter_map(|id| Some(self.object(*id).half?.cut)).collect();
            let kin = |object: &Object| object.half.is_some_and(|half| cuts.contains(&half.cut));
            let more: Vec<ObjId> = self
                .objects
                .iter()
                .filter(|(id, object)| kin(object) && !seen.contains(id))
                .map(|(id, _)| *id)
                .collect();
            if more.is_empty() {
                return seen;
            }
            seen.extend(self.reachable(&[], &more));
        }
    }

    /// Nothing is known of strings in halves: what is written to one may belong to a string that began in the other.
    fn forget_texts_of_halves(&mut self) {
        let texts = self.objects.iter().filter(|(_, object)| object.half.is_some() && object.text.is_some());
        for id in texts.map(|(id, _)| *id).collect::<Vec<_>>() {
            self.set_text(id, None);
        }
    }

    /// The address in a register that leads to the wrong half.
    fn misled(&self) -> Option<Addr> {
        let regs = self.frame().regs.iter().flatten();
        regs.filter_map(|val| match val {
            Val::Addr(addr) => Some(*addr),
            _ => None,
        })
        .find(|addr| {
            let object = self.object(addr.obj);
            object.valid && object.seg.is_none() && object.half.is_some_and(|half| !half.has(addr.off))
        })
    }

    /// The configurations in which the addresses in registers lead to the half that has the byte. None if they cannot be told.
    fn with_right_halves(self) -> Option<Vec<State>> {
        let mut done = Vec::new();
        let mut work = vec![self];
        while let Some(mut state) = work.pop() {
            let Some(addr) = state.misled() else {
                done.push(state);
                continue;
            };
            match state.known_other_half(addr.obj) {
                Some(other) => {
                    let off = state.object(addr.obj).half?.moved(addr.off);
                    let right = Val::Addr(Addr { obj: other, off, tg: Tg::Region });
                    let regs = state.frame_mut().regs.iter_mut().flatten();
                    regs.filter(|val| **val == Val::Addr(addr)).for_each(|val| *val = right);
                    work.push(state);
                }
                None => work.extend(state.with_other_half(addr.obj)?),
            }
        }
        Some(done)
    }

    /// True if a register has an address at an unknown index of a half.
    fn is_vague_about_halves(&self) -> bool {
        let mut regs = self.frame().regs.iter().flatten();
        regs.any(|val| {
            matches!(val, Val::Sym(_)) && self.target(*val).is_some_and(|obj| self.object(obj).half.is_some())
        })
    }
}

impl Executor<'_> {
    /// What follows an instruction, with addresses that lead to the right halves.
    pub fn in_right_halves(&self, next: Vec<State>) -> Next {
        let mut right = Vec::new();
        for mut state in next {
            if !fault!(138) {
                state.forget_texts_of_halves();
            }
            if state.is_vague_about_halves() {
                return self.not_covered(&state, "an index into a block that is on two lists");
            }
            match state.clone().with_right_halves() {
                Some(states) => right.extend(states),
                None => {
                    return self
                        .not_covered(&state, "a block that is on two lists, of which one cannot be cut");
                }
            }
        }
        Ok(right)
    }

    /// An access lies in one half of a block, or the block is whole.
    pub fn check_half(
        &self,
        state: &State,
        obj: ObjId,
        (lo, hi): (i128, i128),
        len: u64,
    ) -> Result<(), Trouble> {
        match state.object(obj).half {
            Some(half) if lo != hi || !half.holds(lo, len) => {
                self.not_covered(state, "an access to both halves of a block that is on two lists")
            }
            _ => Ok(()),
        }
    }

    /// A block is whole.
    pub fn check_whole(&self, state: &State, obj: ObjId) -> Result<(), Trouble> {
        match state.object(obj).half {
            Some(_) => self.not_covered(state, "a block that is on two lists is used as a whole"),
            None => Ok(()),
        }
    }
}
