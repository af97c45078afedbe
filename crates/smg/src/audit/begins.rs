//! Blocks that begin at an offset that is a number: in a concrete memory they begin at 0.

use crate::graph::{Addr, Cell, Def, ObjId, State, Text, Val};
use crate::number::Range;

/// The graph in which a block begins at a known offset, with offsets counted from there; none if it cannot begin there.
pub fn settled(graph: &State, id: ObjId, at: i128) -> Option<State> {
    let mut out = graph.clone();
    let begin = graph.object(id).begin?;
    if at < 0 || !out.restrict(begin, Range::one(at)) {
        return None;
    }
    count_from_begin(&mut out, id, at)?;
    out.object_mut(id).aligned = None;
    Some(out)
}

/// Counts offsets of a block from its beginning.
pub fn count_from_begin(out: &mut State, id: ObjId, at: i128) -> Option<()> {
    let moved = |off: u64| u64::try_from(i128::from(off) - at).ok();
    let object = out.object_mut(id);
    let cells: Option<Vec<(u64, Cell)>> =
        object.cells.iter().map(|(off, c)| Some((moved(*off)?, *c))).collect();
    object.cells = cells?.into_iter().collect();
    let zeros: Option<Vec<(u64, u64)>> =
        object.zeros.iter().map(|(from, to)| Some((moved(*from)?, moved(*to)?))).collect();
    object.zeros = zeros?.into_iter().collect();
    if let Some(text) = object.text {
        object.text = Some(Text { start: moved(text.start)?, ..text });
    }
    object.size = moved(object.size).unwrap_or(0);
    let by = i64::try_from(at).ok()?;
    let earlier = |val: Val| match val {
        Val::Addr(addr) if addr.obj == id => Val::Addr(Addr { off: addr.off - by, ..addr }),
        other => other,
    };
    out.replace_values(earlier);
    Some(())
}

/// True if offsets of a block are not counted from its beginning yet. Afterwards it has no alignment any more.
pub fn is_unsettled(graph: &State, id: ObjId) -> bool {
    let object = graph.object(id);
    let region = object.seg.is_none() && !object.maybe && object.level == 0;
    object.begin.is_some() && object.aligned.is_some() && region
}

/// Where a block began before offsets were counted from its beginning.
pub fn former_begin(graph: &State, id: ObjId) -> i128 {
    graph.object(id).begin.map_or(0, |begin| graph.range(Val::Sym(begin), graph.pointer_bits()).lo)
}

/// The offsets at which a block may begin, where these are not many.
pub fn possible(graph: &State, id: ObjId) -> std::ops::RangeInclusive<i128> {
    const MOST: i128 = 128;
    match graph.object(id).begin.map(|begin| graph.range(Val::Sym(begin), graph.pointer_bits())) {
        Some(range) => range.lo..=range.hi.min(range.lo + MOST),
        None => 0..=0,
    }
}

/// True if an address is one of the beginning of its block, moved by a constant.
pub fn counts_from_begin(graph: &State, def: Def) -> bool {
    matches!(def, Def::At(base, index, 1) if graph.object(base.obj).begin == Some(index))
}
