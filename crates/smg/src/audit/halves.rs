//! Halves of blocks in concrete memories: there all of them know each other.

use crate::graph::{Addr, ObjId, State, Storage, Tg, Val};
use crate::halves::Cut;
use fastrand::Rng;
use std::collections::BTreeMap;

/// Ties the halves of a memory that do not know each other, at random. None if they do not come out even.
pub fn tied(mut memory: State, rng: &mut Rng) -> Option<State> {
    let single = |link: bool| -> Vec<ObjId> {
        let halves = memory.objects.iter().filter(|(id, object)| {
            object.valid && object.half.is_some_and(|half| half.link == link) && memory.bond(**id).is_none()
        });
        halves.map(|(id, _)| *id).collect()
    };
    let (mains, mut links) = (single(false), single(true));
    rng.shuffle(&mut links);
    if mains.len() != links.len() {
        return None;
    }
    for (main, link) in mains.into_iter().zip(links) {
        memory.tie(main, link);
    }
    Some(memory)
}

/// Cuts the blocks of a concrete memory in two, as the engine does with its own.
pub fn cut_all(memory: &mut State, cut: Cut) {
    memory.cut = Some(cut);
    let mut links: BTreeMap<ObjId, ObjId> = BTreeMap::new();
    let blocks = memory
        .objects
        .iter()
        .filter(|(_, object)| object.storage == Storage::Heap && object.size == cut.whole);
    for id in blocks.map(|(id, _)| *id).collect::<Vec<_>>() {
        let whole = memory.object(id).clone();
        memory.cut_in_two(Val::Addr(Addr { obj: id, off: 0, tg: Tg::Region }));
        let link = memory.bond(id).expect("it was just cut").obj;
        links.insert(id, link);
        let inside = |start: u64, end: u64| cut.at <= start && end <= cut.at + cut.len;
        for (start, cell) in whole.cells.iter().filter(|(start, cell)| inside(**start, **start + cell.len)) {
            memory.write(link, start - cut.at, cell.len, cell.val);
        }
        for at in (cut.at..cut.at + cut.len).filter(|at| whole.is_zero(*at, 1)) {
            memory.write(link, at - cut.at, 1, Val::ZERO);
        }
        if !whole.valid {
            crate::step::end_life(memory, &[id, link]);
        }
    }
    let area = cut.at as i64..(cut.at + cut.len) as i64;
    memory.replace_values(|val| match val {
        Val::Addr(addr) if area.contains(&addr.off) && links.contains_key(&addr.obj) => {
            Val::Addr(Addr { obj: links[&addr.obj], off: addr.off - area.start, ..addr })
        }
        other => other,
    });
}
