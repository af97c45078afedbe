//! What a graph stands for: segments written out as nodes, 0/1 objects decided. Shares nothing with the engine's own
//! materialisation.

use crate::graph::{Addr, Def, ObjId, Object, Seg, State, Storage, Sym, SymId, Tg, Val};
use crate::number::Range;
use crate::tags::Tags;
use heapproof_ir::sign_extend;
use std::collections::{BTreeMap, BTreeSet};

/// The objects that each node of a segment has for itself.
pub fn owned(state: &State, id: ObjId) -> BTreeSet<ObjId> {
    owned_from(state, id, id)
}

/// The same for nodes of one kind.
fn owned_from(state: &State, id: ObjId, from: ObjId) -> BTreeSet<ObjId> {
    let level = state.object(id).level;
    let mut found = BTreeSet::new();
    let mut work = vec![from];
    while let Some(from) = work.pop() {
        let target = |val: Val| match val {
            Val::Addr(addr) => Some(addr.obj),
            Val::Sym(sym) => match state.syms[&sym].def {
                Def::At(base, ..) => Some(base.obj),
                _ => None,
            },
            _ => None,
        };
        let object = state.object(from);
        let targets = object.cells.values().filter_map(|cell| target(cell.val));
        for target in targets.chain(object.kinds.iter().copied()) {
            if target != id && state.object(target).level > level && found.insert(target) {
                work.push(target);
            }
        }
    }
    found
}

/// One node of a segment with all it has for itself.
pub struct Node<'s> {
    /// The graph.
    pub state: &'s State,
    /// What it is written to.
    pub out: &'s mut State,
    /// The segment.
    pub segment: ObjId,
    /// The node.
    pub region: ObjId,
    /// Its own copies of objects.
    pub objects: BTreeMap<ObjId, ObjId>,
    /// Its own copies of numbers.
    pub symbols: BTreeMap<SymId, SymId>,
}

impl Node<'_> {
    fn address(&self, addr: Addr) -> Addr {
        if addr.obj == self.segment && addr.tg == Tg::All {
            return Addr { obj: self.region, off: addr.off, tg: Tg::Region };
        }
        Addr { obj: self.objects.get(&addr.obj).copied().unwrap_or(addr.obj), ..addr }
    }

    fn symbol(&mut self, id: SymId) -> SymId {
        let level = self.state.object(self.segment).level;
        if self.state.syms[&id].level <= level {
            return id;
        }
        if let Some(&copy) = self.symbols.get(&id) {
            return copy;
        }
        let sym = (*self.state.syms[&id]).clone();
        let def = match sym.def {
            Def::Free => Def::Free,
            Def::Plus(source, by) => Def::Plus(self.symbol(source), by),
            Def::Times(source, by) => Def::Times(self.symbol(source), by),
            Def::Same(source) => Def::Same(self.symbol(source)),
            Def::At(base, index, scale) => Def::At(self.address(base), self.symbol(index), scale),
        };
        let copy = self.out.add_sym(Sym { level: sym.level - 1, def, ..sym });
        self.symbols.insert(id, copy);
        copy
    }

    /// Copies the content of an object of the segment.
    pub fn fill(&mut self, from: ObjId, to: ObjId) {
        let mut object: Object = self.out.object(to).clone();
        for (off, cell) in &self.state.object(from).cells {
            let val = match cell.val {
                Val::Addr(addr) => Val::Addr(self.address(addr)),
                Val::Sym(id) => Val::Sym(self.symbol(id)),
                other => other,
            };
            object.cells.insert(*off, crate::graph::Cell { len: cell.len, val });
        }
        let source = self.state.object(from);
        // A kind has no measures of its own: those of the node are known already.
        if source.storage != Storage::Kind {
            object.size_sym = source.size_sym.map(|id| self.symbol(id));
            object.begin = source.begin.map(|id| self.symbol(id));
            object.text = source.text.map(|text| crate::graph::Text { len: self.symbol(text.len), ..text });
        }
        object.kinds.iter_mut().for_each(|kind| *kind = self.objects[kind]);
        *self.out.object_mut(to) = object;
    }
}

impl Object {
    /// Adds the fields that are equal to links.
    fn add_twins(&mut self, seg: Seg, ptr: u64) {
        let [next, prev] = seg.twins.bits();
        for (words, link) in [(next, Some(seg.next)), (prev, seg.prev)] {
            let val = link.and_then(|link| self.peek(link, ptr));
            for word in (0..64).filter(|word| words & 1 << word != 0) {
                self.put(word * ptr, ptr, val.expect("segments have links"));
            }
        }
    }
}

/// The words of tags that so many nodes of a segment may spell; words of nothing if none are known.
pub fn words(state: &State, id: ObjId, count: usize) -> Vec<Vec<u128>> {
    let Some(tags) = state.object(id).tags.clone().filter(|_| count > 0) else { return vec![Vec::new()] };
    let mut words: Vec<Vec<u128>> = tags.first.iter().map(|tag| vec![*tag]).collect();
    for _ in 1..count {
        let longer = words.iter().flat_map(|word| {
            let end = *word.last().expect("words have letters");
            let next = tags.pairs.iter().filter(move |(a, _)| *a == end);
            next.map(|(_, b)| [word.as_slice(), &[*b]].concat())
        });
        words = longer.take(200).collect();
    }
    words.retain(|word| word.last().is_some_and(|end| tags.last.contains(end)));
    words
}

/// Which kinds so many nodes of a segment may be of; nothing if there is one kind.
pub fn kinds(state: &State, id: ObjId, count: usize) -> Vec<Vec<ObjId>> {
    let known = &state.object(id).kinds;
    let mut choices = vec![Vec::new()];
    for _ in 0..if known.is_empty() { 0 } else { count } {
        let longer = choices.iter().flat_map(|choice: &Vec<ObjId>| {
            known.iter().map(move |kind| [choice.as_slice(), &[*kind]].concat())
        });
        choices = longer.take(2000).collect();
    }
    choices
}

/// Adds a node of a segment, of a kind if there are several, with all it has for itself.
fn node(state: &State, out: &mut State, id: ObjId, kind: Option<ObjId>) -> (ObjId, BTreeMap<SymId, SymId>) {
    let object = state.object(id);
    let ptr = state.pointer_bytes();
    let region = out.add(Object {
        seg: None,
        length: None,
        tags: None,
        each: None,
        orders: Vec::new(),
        kinds: Vec::new(),
        ..object.clone()
    });
    if let Some(kind) = kind {
        let node = out.object_mut(region);
        node.zeros = state.object(kind).zeros.clone();
        let ends = object.links().filter(|link| object.peek(*link, ptr) == Some(Val::ZERO));
        ends.for_each(|link| node.put(link, ptr, Val::ZERO));
    }
    let mut objects = BTreeMap::new();
    // Of what hangs on kinds, a node has what hangs on its own.
    for nested in owned_from(state, id, kind.unwrap_or(id)) {
        let mut copy = state.object(nested).clone();
        copy.level -= 1;
        objects.insert(nested, out.add(copy));
    }
    let pairs: Vec<(ObjId, ObjId)> = objects.iter().map(|(a, b)| (*a, *b)).collect();
    let symbols = BTreeMap::new();
    let mut node = Node { state, out, segment: id, region, objects, symbols };
    node.fill(id, region);
    if let Some(kind) = kind {
        node.fill(kind, region);
    }
    pairs.into_iter().for_each(|(from, to)| node.fill(from, to));
    (region, node.symbols)
}

/// The graph with the first node of a segment written out, as one of a kind.
pub fn first_of_kind(state: &State, id: ObjId, kind: ObjId) -> Option<State> {
    let seg = state.object(id).seg?;
    let ptr = state.pointer_bytes();
    let mut out = state.clone();
    let (region, _) = node(state, &mut out, id, Some(kind));
    let at = |obj: ObjId, tg: Tg| Val::Addr(Addr { obj, off: seg.head, tg });
    out.replace_values(|val| if val == at(id, Tg::First) { at(region, Tg::Region) } else { val });
    out.object_mut(region).put(seg.next, ptr, at(id, Tg::First));
    out.object_mut(region).add_twins(seg, ptr);
    let rest = out.object_mut(id);
    rest.seg = Some(Seg { min: seg.min.saturating_sub(1), ..seg });
    if let Some(prev) = seg.prev {
        rest.put(prev, ptr, at(region, Tg::Region));
    }
    Some(out)
}

/// All ways in which addresses of some node of a segment mean one of so many nodes.
pub fn picks(state: &State, id: ObjId, count: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in some_nodes(state, id) {
        let longer =
            all.iter().flat_map(|picks: &Vec<usize>| (0..count).map(|at| [picks.as_slice(), &[at]].concat()));
        all = longer.collect();
    }
    all
}

/// The numbers of the addresses of some node of a segment.
fn some_nodes(state: &State, id: ObjId) -> BTreeSet<u32> {
    let (values, _) = state.roots();
    let cells = state.objects.values().flat_map(|object| object.cells.values().map(|cell| cell.val));
    let all = values.into_iter().chain(cells);
    all.filter_map(|val| match val {
        Val::Addr(Addr { obj, tg: Tg::Among(number), .. }) if obj == id => Some(number),
        _ => None,
    })
    .collect()
}

/// The graph with a segment of the top level written out as `count` nodes, which spell a word and are of these kinds. Addresses of
/// some node are those of the picked ones. `None` if that is no graph: a cycle of no nodes.
pub fn expand(
    state: &State,
    id: ObjId,
    count: usize,
    word: &[u128],
    kinds: &[ObjId],
    picks: &[usize],
) -> Option<State> {
    let object = state.object(id).clone();
    let seg = object.seg?;
    let ptr = state.pointer_bytes();
    let below = owned(state, id);
    let mut out = state.clone();
    if !has_length(&mut out, &object, count) {
        return None;
    }
    let mut nodes = Vec::new();
    for index in 0..count {
        let (region, symbols) = node(state, &mut out, id, kinds.get(index).copied());
        if let Some(each) = &object.each {
            // A number that no node has any more may be another one in each.
            let shared = |id: SymId| (state.syms[&id].level == 0).then_some(id);
            let named = each.renamed(|id| symbols.get(&id).copied().or_else(|| shared(id)));
            crate::each::add_all(std::rc::Rc::make_mut(&mut out.relations), &named);
        }
        nodes.push(region);
    }
    super::orders::relate(&mut out, &nodes, &object.orders);
    if let Some(tags) = &object.tags {
        for (node, tag) in nodes.iter().zip(word) {
            if !has_tag(&mut out, *node, tags, *tag) {
                return None;
            }
        }
    }
    let at = |node: ObjId| Val::Addr(Addr { obj: node, off: seg.head, tg: Tg::Region });
    for pair in nodes.windows(2) {
        out.object_mut(pair[0]).put(seg.next, ptr, at(pair[1]));
        if let Some(prev) = seg.prev {
            out.object_mut(pair[1]).put(prev, ptr, at(pair[0]));
        }
    }
    for node in &nodes {
        out.object_mut(*node).add_twins(seg, ptr);
    }
    out.objects.remove(&id);
    below.iter().for_each(|nested| {
        out.objects.remove(nested);
    });
    let link = |off: u64| object.peek(off, ptr);
    let ends = match (nodes.first(), nodes.last()) {
        (Some(&first), Some(&last)) => (at(first), at(last)),
        _ => {
            let inside = |val: Val| matches!(val, Val::Addr(a) if a.obj == id);
            let (next, prev) = (link(seg.next)?, seg.prev.map_or(Some(Val::ZERO), link)?);
            match (inside(next), inside(prev)) {
                (false, false) => (next, prev),
                (true, false) if seg.prev.is_some() => (prev, prev),
                (false, true) => (next, next),
                _ => return None,
            }
        }
    };
    let numbers: Vec<u32> = some_nodes(state, id).into_iter().collect();
    out.replace_values(|val| match val {
        Val::Addr(Addr { obj, off, tg: Tg::Among(number) }) if obj == id => {
            let at = numbers.iter().position(|known| *known == number).expect("all were looked for");
            Val::Addr(Addr { obj: nodes[picks[at]], off, tg: Tg::Region })
        }
        Val::Addr(a) if a.obj == id && a.tg == Tg::First => ends.0,
        Val::Addr(a) if a.obj == id && a.tg == Tg::Last => ends.1,
        other => other,
    });
    Some(out)
}

/// Takes the number in a field of a node to be this one; false if it is not.
fn has_tag(out: &mut State, node: ObjId, tags: &Tags, tag: u128) -> bool {
    match out.object(node).peek(tags.off, tags.len) {
        Some(Val::Int(known)) => known == tag,
        Some(Val::Sym(id)) => out.restrict(id, Range::one(sign_extend(tag, (8 * tags.len) as u8))),
        _ => {
            out.object_mut(node).put(tags.off, tags.len, Val::Int(tag));
            true
        }
    }
}

/// Takes the length of a segment to be a number; false if it is not.
fn has_length(out: &mut State, object: &Object, count: usize) -> bool {
    match object.length {
        Some(Val::Int(length)) => length == count as u128,
        Some(Val::Sym(id)) => out.restrict(id, Range::one(count as i128)),
        _ => true,
    }
}

/// The graph with a 0/1 object there or not.
pub fn decide(state: &State, id: ObjId, there: bool) -> State {
    let mut out = state.clone();
    if there {
        out.object_mut(id).maybe = false;
        return out;
    }
    let before = reached(&out);
    out.objects.remove(&id);
    out.replace_values(|val| match val {
        Val::Addr(a) if a.obj == id => Val::ZERO,
        other => other,
    });
    let after = reached(&out);
    out.objects.retain(|object, _| after.contains(object) || !before.contains(object));
    out
}

/// The objects that can be reached.
pub fn reached(state: &State) -> BTreeSet<ObjId> {
    let (values, objects) = state.roots();
    state.reachable(&values, &objects)
}
