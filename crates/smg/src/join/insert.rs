//! What one side of a join has and the other lacks: empty segments and 0/1 objects (sections 3.2 and 4 of the paper).

use super::{Input, Joiner, NoJoin, NodeMeetsSegment, Place, Res, Side};
use crate::graph::{Addr, Def, ObjId, Object, Seg, Storage, Sym, SymId, Text, Tg, Val};
use crate::tree::Kids;
use crate::twins::Twins;
use std::collections::{BTreeMap, BTreeSet};

/// The address of the last node of a segment whose first one is given.
fn last_of(first: Val) -> Val {
    match first {
        Val::Addr(addr) => Val::Addr(Addr { tg: Tg::Last, ..addr }),
        other => other,
    }
}

impl Joiner<'_> {
    /// Joins a segment of one side with nothing on the other: it is empty there. `None` if there is no segment.
    pub(super) fn insert_segment(
        &mut self,
        a: Val,
        b: Val,
        place: Place,
        from: Option<(ObjId, ObjId, ObjId)>,
    ) -> Option<Res<Val>> {
        for (side, own, other) in [(Side::Left, a, b), (Side::Right, b, a)] {
            if let Some(known) = self.first_again(side, own, other) {
                return Some(Ok(known));
            }
            if let Some((id, seg)) = self.first_of(side, own) {
                return Some(self.insert(side, id, seg, other, place, from));
            }
            if let Some((id, seg)) = self.whole_list(side, own, other) {
                let inserted = self.insert(side, id, seg, other, place, from);
                return Some(inserted.map(last_of));
            }
        }
        for (side, own, other) in [(Side::Left, a, b), (Side::Right, b, a)] {
            if let Some((id, seg)) = self.only_node(side, own, other) {
                return Some(self.insert(side, id, seg, other, place, from));
            }
        }
        self.way_back(Side::Left, a, b, place).or_else(|| self.way_back(Side::Right, b, a, place))
    }

    /// Joins a node with the end of a segment of the other side, where that is to be tried.
    pub(super) fn node_after_segment(
        &mut self,
        a: Val,
        b: Val,
        place: Place,
        from: Option<(ObjId, ObjId, ObjId)>,
    ) -> Option<Val> {
        let (Val::Addr(x), Val::Addr(y)) = (a, b) else { return None };
        if self.nodes != NodeMeetsSegment::MayFollow {
            return None;
        }
        let follows =
            self.follows(Side::Left, x, Side::Right, b) || self.follows(Side::Right, y, Side::Left, a);
        if !follows {
            return None;
        }
        let before = self.clone();
        match self.insert_segment(a, b, place, from) {
            Some(Ok(joined)) => Some(joined),
            _ => {
                *self = before;
                None
            }
        }
    }

    /// True if a node has no next one, but a segment of the other side has.
    fn follows(&self, side: Side, node: Addr, other: Side, first: Val) -> bool {
        let Some((id, seg)) = self.first_of(other, first) else { return false };
        let Input { state, map, .. } = self.side(side);
        let ptr = state.pointer_bytes();
        let next = self.side(other).state.object(id).peek(seg.next, ptr);
        node.tg == Tg::Region
            && !map.contains_key(&node.obj)
            && state.object(node.obj).peek(seg.next, ptr) == Some(Val::ZERO)
            && matches!(next, Some(Val::Addr(Addr { tg: Tg::Region, .. })))
    }

    /// The segment whose first node an address means, if it was not met before.
    fn first_of(&self, side: Side, val: Val) -> Option<(ObjId, Seg)> {
        let Input { state, map, .. } = self.side(side);
        match val {
            Val::Addr(addr) if addr.tg == Tg::First && !map.contains_key(&addr.obj) => {
                let seg = state.object(addr.obj).seg?;
                (seg.head == addr.off).then_some((addr.obj, seg))
            }
            _ => None,
        }
    }

    /// The doubly linked list, from null to null, whose last node an address means, where the other side has null.
    fn whole_list(&self, side: Side, val: Val, other: Val) -> Option<(ObjId, Seg)> {
        let Input { state, map, .. } = self.side(side);
        let Val::Addr(Addr { obj, off, tg: Tg::Last }) = val else { return None };
        let (object, ptr) = (state.object(obj), state.pointer_bytes());
        let seg = object.seg.filter(|seg| seg.head == off)?;
        let ends = [object.next(ptr), object.prev(ptr), Some(other)];
        (!map.contains_key(&obj) && ends == [Some(Val::ZERO); 3]).then_some((obj, seg))
    }

    /// The first node of a segment that was met before, and is empty on the other side: where nothing is, it means the same as then.
    fn first_again(&self, side: Side, val: Val, other: Val) -> Option<Val> {
        let Input { state, map, met, .. } = self.side(side);
        let Val::Addr(Addr { obj, off, tg: Tg::First }) = val else { return None };
        let same = met.get(&obj) == Some(&other) || met.contains_key(&obj) && fault!(101);
        let fits = state.object(obj).seg.is_some_and(|seg| seg.head == off) && same;
        fits.then(|| Val::Addr(Addr { obj: map[&obj], off, tg: Tg::First }))
    }

    /// The only node of a cyclic list below one of the nodes being merged, where the list of the other node is empty: its
    /// head points to itself.
    fn only_node(&self, side: Side, val: Val, other: Val) -> Option<(ObjId, Seg)> {
        let (o1, o2, _) = self.merging?;
        let (own, others) = side.ordered(o1, o2);
        let Input { state, map, .. } = self.side(side);
        let (Val::Addr(link), Val::Addr(empty)) = (val, other) else { return None };
        let node = state.objects.get(&link.obj)?;
        if empty.obj != others
            || link.tg != Tg::Region
            || link.obj == own
            || map.contains_key(&link.obj)
            || node.seg.is_some()
            || node.maybe
            || !node.valid
            || node.storage != Storage::Heap
            || link.off < 0
        {
            return None;
        }
        let tg = if state.object(own).seg.is_some() { Tg::All } else { Tg::Region };
        let back = Val::Addr(Addr { obj: own, off: empty.off, tg });
        let mut links = node.cells.iter().filter(|(_, cell)| cell.val == back).map(|(off, _)| *off);
        let (next, prev) = (links.next()?, links.next()?);
        let alone = links.next().is_none();
        alone.then_some((
            link.obj,
            Seg { head: link.off, next, prev: Some(prev), min: 1, kids: Kids::NONE, twins: Twins::NONE },
        ))
    }

    /// The link back from behind an inserted segment: it means the last node, or what comes before where there is none.
    fn way_back(&mut self, side: Side, val: Val, other: Val, place: Place) -> Option<Res<Val>> {
        let Val::Addr(Addr { obj, off, tg: Tg::Last | Tg::Region }) = val else { return None };
        let Input { state, map, .. } = self.side(side);
        let out = *map.get(&obj)?;
        if !self.inserted.contains(&out) {
            return None;
        }
        let ptr = state.pointer_bytes();
        let seg = self.out.object(out).seg?;
        let prev = state.object(obj).peek(seg.prev?, ptr)?;
        if prev == Val::ZERO && other == Val::ZERO {
            // Nothing comes before.
            return Some(Ok(Val::Addr(Addr { obj: out, off, tg: Tg::Last })));
        }
        let (Val::Addr(prev), Val::Addr(other)) = (prev, other) else { return None };
        let (x, y) = side.ordered(prev, other);
        let known = self.out.object(out).prev(ptr)?;
        Some(self.addresses(x, y, place.lift).and_then(|joined| {
            if known == Val::Addr(joined) {
                Ok(Val::Addr(Addr { obj: out, off, tg: Tg::Last }))
            } else {
                Err(NoJoin::Address)
            }
        }))
    }

    pub(super) fn insert(
        &mut self,
        side: Side,
        id: ObjId,
        seg: Seg,
        other: Val,
        place: Place,
        from: Option<(ObjId, ObjId, ObjId)>,
    ) -> Res<Val> {
        let state = self.side(side).state;
        let ptr = state.pointer_bytes();
        let mut object = state.object(id).clone();
        object.seg = Some(Seg { min: if fault!(9) { seg.min } else { 0 }, ..seg });
        object.level += place.lift.of(side);
        object.level = self.own_level(object.level)?;
        if self.is_shared_below(side.other(), other, object.level) {
            return Err(NoJoin::Levels);
        }
        let next = state.object(id).peek(seg.next, ptr).ok_or(NoJoin::Objects)?;
        let content = std::mem::take(&mut object.cells);
        let source = state.object(id);
        let add = place.lift.of(side) + u32::from(source.seg.is_none());
        let inner = object.level + 1;
        self.copy_measures(side, add, inner, source, &mut object)?;
        let text = object.text;
        object.length = self.length_or_none(side, state.object(id), place.lift);
        if object.level > 0
            && object.tags.take().is_some() | object.each.is_some() | !object.orders.is_empty()
        {
            self.lose_both();
        }
        object.each = None;
        object.orders = Vec::new();
        let kinds = std::mem::take(&mut object.kinds);
        let out = self.out.add(object);
        self.inserted.insert(out);
        self.side_mut(side).map.insert(id, out);
        self.side_mut(side).keeps &= seg.min == 0;
        self.side_mut(side.other()).keeps &= side == Side::Right && fault!(10);
        (self.differences.lengths, self.differences.tags) = (true, true);
        self.differences.shapes = true;
        // The content besides the links has no counterpart: it is copied, as far as it is nested or known already.
        // What hangs on a region is beside it, what hangs on a segment is nested below it.
        let number_level = self.out.object(out).level + 1;
        for (off, cell) in content {
            if off == seg.next || Some(off) == seg.prev {
                continue;
            }
            let val = self.copy_value(side, add, number_level, cell.val)?;
            self.out.object_mut(out).put(off, cell.len, val);
        }
        self.copy_kinds(side, add, out, &kinds)?;
        if let Some(prev) = seg.prev
            && source.peek(prev, ptr) == Some(Val::ZERO)
        {
            self.out.object_mut(out).put(prev, ptr, Val::ZERO);
        } else if let Some(prev) = seg.prev {
            let (l, r, before) = from.ok_or(NoJoin::Address)?;
            let owner = side.ordered(l, r).0;
            let expected = state.object(id).peek(prev, ptr);
            let Some(Val::Addr(back)) = expected else { return Err(NoJoin::Address) };
            if back.obj != owner {
                return Err(NoJoin::Address);
            }
            // The node before is the last one of a segment, or each of its nodes has a list of its own.
            let own = self.out.object(out).level > self.out.object(before).level;
            let tg = match (self.out.object(before).seg, back.tg, own) {
                (None, Tg::Region, _) => Tg::Region,
                // Only a doubly linked segment knows its last node.
                (Some(seg), Tg::Region | Tg::Last, false) if seg.prev.is_some() => Tg::Last,
                (Some(_), Tg::Region | Tg::All, true) => Tg::All,
                _ => return Err(NoJoin::Address),
            };
            let val = Val::Addr(Addr { obj: before, off: back.off, tg });
            self.out.object_mut(out).put(prev, ptr, val);
        }
        let (a, b) = side.ordered(next, other);
        let joined = self.values(a, b, place, from)?;
        self.out.object_mut(out).put(seg.next, ptr, joined);
        self.out.set_text(out, text);
        // Not before it is known what follows: a segment that only leads to itself is nowhere where it is empty.
        self.side_mut(side).met.insert(id, other);
        Ok(Val::Addr(Addr { obj: out, off: seg.head, tg: Tg::First }))
    }

    /// True if what elements of a row would lead to is a heap object that they share: it is most likely that of one element, met before.
    fn is_shared_below(&self, side: Side, val: Val, level: u32) -> bool {
        let Input { state, map, .. } = self.side(side);
        let met = state.target(val).and_then(|obj| map.get(&obj)).map(|out| self.out.object(*out));
        self.out.rows && met.is_some_and(|met| met.storage == Storage::Heap && met.level < level)
    }

    /// A heap block of one side meets null on the other: a 0/1 object, if each node of a list has its own.
    pub(super) fn optional(&mut self, a: Val, b: Val, place: Place) -> Res<Val> {
        let (addr, side) = match (a, b) {
            (Val::Addr(addr), Val::Int(0)) => (addr, Side::Left),
            (Val::Int(0), Val::Addr(addr)) => (addr, Side::Right),
            _ => return Err(NoJoin::Address),
        };
        let Input { state, absent, map, .. } = self.side(side);
        let state = *state;
        if let Some(&out) = map.get(&addr.obj) {
            // Absent in one field, absent in all of them.
            let known = absent.contains(&addr.obj);
            return if known { Ok(Val::Addr(Addr { obj: out, ..addr })) } else { Err(NoJoin::Sharing) };
        }
        let object = state.object(addr.obj);
        let add = place.lift.of(side);
        let nested = object.level + add > 0 && place.level > 0;
        if !nested
            || object.seg.is_some()
            || !object.valid
            || object.storage != Storage::Heap
            || addr.off != 0
            || addr.tg != Tg::Region
        {
            return Err(NoJoin::Address);
        }
        self.side_mut(side).keeps &= object.maybe;
        self.side_mut(side).absent.insert(addr.obj);
        self.side_mut(side.other()).keeps = false;
        self.differences.shapes = true;
        // It is absent together with all below it, so it may not hold anything that is there without it.
        if self.holds_any(side, addr.obj) {
            return Err(NoJoin::Sharing);
        }
        let val = self.copy_value(side, add, place.level, Val::Addr(addr))?;
        if let Val::Addr(copy) = val {
            self.out.object_mut(copy.obj).maybe = !fault!(17);
        }
        Ok(val)
    }

    /// True if an object of a side leads to one that the result has already.
    fn holds_any(&self, side: Side, id: ObjId) -> bool {
        let Input { state, map: known, .. } = self.side(side);
        // A half leads back to the other one, which is there anyhow.
        let other = state.bond(id).map(|bond| bond.obj);
        let mut work = vec![id];
        let mut seen = BTreeSet::new();
        while let Some(id) = work.pop() {
            let object = state.object(id);
            match known.contains_key(&id) && other != Some(id) {
                true if object.valid && object.storage == Storage::Heap => return true,
                false if other != Some(id) && seen.insert(id) => {
                    work.extend(state.targets(id));
                }
                // Variables are there anyhow.
                _ => {}
            }
        }
        false
    }

    /// Copies a value of one side that has no counterpart on the other, with all that hangs on it. `add` lifts levels,
    /// `level` is that of the numbers inside.
    pub(super) fn copy_value(&mut self, side: Side, add: u32, level: u32, val: Val) -> Res<Val> {
        let state = self.side(side).state;
        match val {
            Val::Int(_) | Val::Func(_) => Ok(val),
            Val::Sym(id) => {
                let sym = state.syms[&id].clone();
                if let Def::At(base, index, scale) = sym.def {
                    return match self.looks_inside() {
                        true => self.copy_related(side, add, level, (id, base, index, scale)),
                        false => self.copy_indexed(side, add, level, id, (base, index, scale)),
                    };
                }
                if state.target(val).is_some() {
                    return Err(NoJoin::Levels);
                }
                if sym.level + add == 0 && self.merging.is_none() {
                    // Shared by all nodes, and perhaps with others: which symbol of the result it is, is not known.
                    if self.out.kinds.is_none() {
                        return Err(NoJoin::Levels);
                    }
                    self.side_mut(side).keeps = false;
                }
                let known = &self.side(side).copied;
                if let Some(&copy) = known.get(&id) {
                    return Ok(Val::Sym(copy));
                }
                let level = if sym.level == 0 { level } else { sym.level + add };
                let range = state.range(val, sym.width);
                let copy = self.out.add_sym(Sym { def: Def::Free, depth: 0, level, range, ..(*sym).clone() });
                let known = &mut self.side_mut(side).copied;
                known.insert(id, copy);
                Ok(Val::Sym(copy))
            }
            Val::Addr(addr) => self.copy_address(side, add, level, addr),
        }
    }

    /// Copies an address with an unknown index.
    fn copy_related(
        &mut self,
        side: Side,
        add: u32,
        level: u32,
        (id, base, index, scale): (SymId, Addr, SymId, i64),
    ) -> Res<Val> {
        if let Some(&copy) = self.side(side).copied.get(&id) {
            return Ok(Val::Sym(copy));
        }
        let sym = self.side(side).state.syms[&id].clone();
        let copies = (
            self.copy_value(side, add, level, Val::Addr(base))?,
            self.copy_value(side, add, level, Val::Sym(index))?,
        );
        let (Val::Addr(base), Val::Sym(index)) = copies else { return Err(NoJoin::Levels) };
        let level = self.out.syms[&index].level;
        let def = Def::At(base, index, scale);
        let copy = self.out.add_sym(Sym { def, level, ..(*sym).clone() });
        self.side_mut(side).copied.insert(id, copy);
        Ok(Val::Sym(copy))
    }

    /// Copies the numbers that describe a block, if each node has its own.
    fn copy_measures(&mut self, side: Side, add: u32, level: u32, from: &Object, to: &mut Object) -> Res<()> {
        (to.size_sym, to.text) = (None, None);
        // Without its beginning nothing would be known of its addresses.
        if let Some(begin) = from.begin {
            let copy = self.copy_value(side, add, level, Val::Sym(begin))?;
            let Val::Sym(copy) = copy else { return Err(NoJoin::Objects) };
            to.begin = Some(copy);
        }
        let sizes = self.looks_inside() && level == 1;
        let texts = sizes || !self.looks_inside() && level > 0;
        let mut copy = |id: SymId, kept: bool| match kept {
            true => match self.copy_value(side, add, level, Val::Sym(id)) {
                Ok(Val::Sym(copy)) => Some(copy),
                _ => None,
            },
            false => None,
        };
        to.size_sym = from.size_sym.and_then(|id| copy(id, sizes));
        to.text = from.text.and_then(|text| Some(Text { len: copy(text.len, texts)?, ..text }));
        if to.size_sym.is_some() != from.size_sym.is_some() || to.text.is_some() != from.text.is_some() {
            self.lose_both();
        }
        Ok(())
    }

    fn copy_address(&mut self, side: Side, add: u32, level: u32, addr: Addr) -> Res<Val> {
        let state = self.side(side).state;
        let map = &self.side(side).map;
        if let Some(&obj) = map.get(&addr.obj) {
            let target = self.out.object(obj);
            let tg = match (addr.tg, target.seg) {
                // A link back to the node that has it.
                (Tg::Region, Some(_)) if level > target.level && add > 0 => Tg::All,
                (Tg::Region, Some(_)) | (Tg::Among(_), _) => return Err(NoJoin::Address),
                (tg, _) => tg,
            };
            return Ok(Val::Addr(Addr { obj, tg, ..addr }));
        }
        if self.outside.contains(&addr.obj) {
            return Ok(Val::Addr(addr));
        }
        let object = state.object(addr.obj).clone();
        if object.level + add == 0 || object.storage != Storage::Heap {
            return Err(NoJoin::Levels);
        }
        if let Some((o1, o2, _)) = self.merging
            && [o1, o2].contains(&addr.obj)
        {
            return Err(NoJoin::Sharing);
        }
        let mut shell = object.clone();
        shell.cells = BTreeMap::new();
        shell.kinds = Vec::new();
        if shell.length.is_some() || shell.tags.is_some() || shell.each.is_some() || !shell.orders.is_empty()
        {
            self.lose_both();
        }
        (shell.length, shell.tags, shell.each) = (None, None, None);
        shell.orders = Vec::new();
        shell.level += add;
        let inner = if object.seg.is_some() { shell.level + 1 } else { level.max(shell.level) };
        self.copy_measures(side, add, inner, &object, &mut shell)?;
        let text = shell.text;
        let obj = self.out.add(shell);
        self.side_mut(side).map.insert(addr.obj, obj);
        for (off, cell) in object.cells {
            let val = self.copy_value(side, add, inner, cell.val)?;
            self.out.object_mut(obj).put(off, cell.len, val);
        }
        self.out.set_text(obj, text);
        self.copy_kinds(side, add, obj, &object.kinds)?;
        Ok(Val::Addr(Addr { obj, ..addr }))
    }
}
