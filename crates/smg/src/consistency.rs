//! What every graph has to fulfil by itself: the consistency conditions of section 2.2 of the paper. In debug builds they
//! are checked after every instruction; tests switch the check on with [`check_graphs`].

use crate::graph::{Addr, Def, ObjId, Object, Seg, State, Storage, SymId, Tg, Val};
use crate::order::Order;
use crate::tree::Kids;
use crate::twins::Twins;
use heapproof_ir::InstKind;
use std::sync::atomic::{AtomicU64, Ordering};

/// Every how many graphs one is checked; 0 for none.
static PERIOD: AtomicU64 = AtomicU64::new(if cfg!(debug_assertions) { 1 } else { 0 });

/// How many graphs came by while the check was on.
static SEEN: AtomicU64 = AtomicU64::new(0);

/// Checks one of `period` graphs from now on, in all threads, and panics at a malformed one: for tests. 0 ends it.
pub fn check_graphs(period: u64) {
    PERIOD.store(period, Ordering::Relaxed);
}

/// How many graphs were met while [`check_graphs`] was in force.
pub fn graphs_met() -> u64 {
    SEEN.load(Ordering::Relaxed)
}

#[cfg(test)]
thread_local! {
    static CHECKED: std::cell::Cell<Option<u64>> = const { std::cell::Cell::new(None) };
}

/// Does something with every graph of this thread checked; returns how many were.
#[cfg(test)]
pub fn checking(work: impl FnOnce()) -> u64 {
    CHECKED.set(Some(0));
    work();
    CHECKED.take().unwrap_or(0)
}

fn is_wanted() -> bool {
    #[cfg(test)]
    if let Some(count) = CHECKED.get() {
        CHECKED.set(Some(count + 1));
        return true;
    }
    let period = PERIOD.load(Ordering::Relaxed);
    period != 0 && SEEN.fetch_add(1, Ordering::Relaxed).is_multiple_of(period)
}

/// Fails if an instruction left a graph that is malformed.
pub fn check_after(state: &State, inst: &InstKind) {
    if is_wanted() {
        assert_eq!(malformed(state), None, "after {inst:?}");
    }
}

/// Fails if something made a malformed graph.
pub fn check(what: &str, state: &State) {
    if is_wanted() {
        assert_eq!(malformed(state), None, "{what}");
    }
}

/// Says what is wrong with a graph.
pub fn malformed(state: &State) -> Option<String> {
    let (values, objects) = state.roots();
    if let Some(id) = objects.iter().find(|id| !state.objects.contains_key(id)) {
        return Some(format!("the variable {id:?} is gone"));
    }
    for val in values {
        if let Some(why) = value(state, val, 0, false) {
            return Some(format!("register: {why}"));
        }
    }
    let proper = |id: &SymId| state.syms.get(id).is_some_and(|sym| sym.level == 0 && sym.width <= 64);
    if let Some(id) = state.relations.dimensions().iter().find(|id| !proper(id)) {
        return Some(format!("a relation speaks of {id:?}"));
    }
    let computed = state.terms.iter().flat_map(|term| term.symbols());
    if let Some(id) = computed.into_iter().find(|id| state.syms.get(id).is_none_or(|sym| sym.level > 0)) {
        return Some(format!("a term speaks of {id:?}"));
    }
    if state.kinds.is_some() && state.has_vague_cursors() {
        return Some("kinds of nodes together with addresses of some node".to_owned());
    }
    for (id, object) in &state.objects {
        if let Some(why) = nodes(state, *id, object) {
            return Some(format!("{id:?}: {why}"));
        }
        let inner = object.level + u32::from(object.seg.is_some());
        let level = |id: &SymId| state.syms.get(id).is_none_or(|sym| sym.level > inner);
        if let Some(id) = [object.size_sym, object.begin, object.text.map(|text| text.len)]
            .iter()
            .flatten()
            .find(|id| level(id))
        {
            return Some(format!("{id:?} describes more than one object"));
        }
        if object.text.is_some() && state.has_table(*id) {
            return Some(format!("{id:?} has a string and a table"));
        }
        if object.begin.is_some() && object.aligned.is_none() {
            return Some(format!("{id:?} begins anywhere"));
        }
        if let Some(why) = orders(state, object) {
            return Some(format!("{id:?}: {why}"));
        }
        if let Some(why) = layout(object).or_else(|| kinds(state, object)) {
            return Some(format!("{id:?}: {why}"));
        }
        for (off, cell) in &object.cells {
            if state.is_some_node(cell.val) {
                return Some(format!("{id:?}+{off} leads to some node of a list"));
            }
            let link = object.seg.is_some_and(|seg| seg.next == *off || seg.prev == Some(*off));
            let inner = object.level + u32::from(object.seg.is_some() && !link);
            if let Some(why) = value(state, cell.val, inner, inner > 0 && !link || object.level > 0) {
                return Some(format!("{id:?}+{off}: {why}"));
            }
        }
        if let Some(seg) = object.seg {
            let ptr = state.pointer_bytes();
            let known = |off| object.peek(off, ptr).is_some();
            if !known(seg.next) || seg.prev.is_some_and(|off| !known(off)) || object.maybe {
                return Some(format!("{id:?} is no proper segment"));
            }
            if !has_proper_twins(object, seg, ptr) {
                return Some(format!("{id:?} holds what follows from its links"));
            }
            if !is_proper_path(object, seg, ptr) {
                return Some(format!("{id:?} is no proper path through a tree"));
            }
        }
    }
    None
}

/// Says what is wrong with what holds in each node of a segment: it is one of the top level, and each constraint speaks of a free number
/// that its nodes have.
fn nodes(state: &State, id: ObjId, object: &Object) -> Option<String> {
    let each = object.each.as_ref()?;
    if object.seg.is_none() || object.level > 0 {
        return Some("relations in nodes of what is no list of the top level".to_owned());
    }
    let proper = |id: &SymId| {
        let sym = state.syms.get(id);
        sym.is_some_and(|sym| sym.level <= 1 && sym.width <= 64 && sym.def == Def::Free)
    };
    let own = state.own_numbers(id);
    each.constraints().find_map(|constraint| {
        let numbers: Vec<SymId> = constraint.form().factors().map(|(id, _)| id).collect();
        // A number whose cell was overwritten stays until what is unused is forgotten; nothing is instantiated from it.
        let speaks = numbers.iter().any(|id| own.contains(id) || state.is_own(*id));
        let odd = numbers.iter().find(|id| !proper(id));
        match odd {
            Some(odd) => {
                Some(format!("{constraint:?} speaks of {odd:?}, which is {:?}", state.syms.get(odd)))
            }
            None => {
                (!speaks).then(|| format!("{constraint:?} says nothing of its nodes, which have {own:?}"))
            }
        }
    })
}

/// Says what is wrong with the orders of a segment: each is one of a field in which each node has a number of its own.
fn orders(state: &State, object: &Object) -> Option<String> {
    let may_be = object.orders.is_empty() || object.may_be_in_order() && state.sorts;
    let own = |order: &Order| state.own_key(object, order.off, order.len).is_some();
    let twice = object.orders.windows(2).any(|pair| pair[0].weak() >= pair[1].weak());
    let wrong = !may_be || twice || !object.orders.iter().all(own);
    wrong.then(|| format!("it cannot be in order: {:?}", object.orders))
}

/// A path goes on at the first of its fields; nothing is said of the others. It has no way back and is not counted.
fn is_proper_path(object: &Object, seg: Seg, ptr: u64) -> bool {
    let others = seg.kids.offsets(ptr).skip(1);
    let silent = |off: u64| {
        let apart = |start: u64, end: u64| end <= off || off + ptr <= start;
        object.cells.iter().all(|(start, cell)| apart(*start, start + cell.len))
            && object.zeros.iter().all(|(start, end)| apart(*start, *end))
    };
    seg.kids == Kids::NONE
        || seg.kids.offsets(ptr).next() == Some(seg.next)
            && seg.prev.is_none()
            && object.length.is_none()
            && object.tags.is_none()
            && object.each.is_none()
            && others.into_iter().all(silent)
}

/// A segment holds nothing where its nodes have twins of their links, nor do kinds of its nodes.
fn has_proper_twins(object: &Object, seg: Seg, ptr: u64) -> bool {
    let apart = |off: u64| {
        let outside = |start: u64, end: u64| end <= off || off + ptr <= start;
        object.cells.iter().all(|(start, cell)| outside(*start, start + cell.len))
            && object.zeros.iter().all(|(start, end)| outside(*start, *end))
            && (off + ptr <= object.size || !object.exact)
    };
    (seg.twins == Twins::NONE || seg.kids == Kids::NONE)
        && seg.is_led_by_links(ptr)
        && seg.twins(ptr).all(|(off, _)| apart(off))
}

/// Says what is wrong with the fields of an object: they lie inside it and do not overlap.
fn layout(object: &Object) -> Option<String> {
    let cells = object.cells.iter().map(|(off, cell)| (*off, off + cell.len));
    let zeros = object.zeros.iter().map(|(start, end)| (*start, *end));
    let mut areas: Vec<(u64, u64)> = cells.chain(zeros).collect();
    areas.sort_unstable();
    if let Some(pair) = areas.windows(2).find(|pair| pair[0].1 > pair[1].0) {
        return Some(format!("the fields {:?} and {:?} overlap", pair[0], pair[1]));
    }
    if !object.valid && !areas.is_empty() {
        return Some("an object that is gone has content".to_owned());
    }
    match areas.last() {
        // A part has its link after its element, a table may go to an end that is not known.
        Some(last)
            if object.exact
                && last.1 > object.size + if object.is_part() || object.half.is_some() { 8 } else { 0 }
                && last.1 - last.0 != crate::rows::TO_THE_END =>
        {
            Some(format!("the field {last:?} ends outside"))
        }
        _ => None,
    }
}

/// Says what is wrong with the kinds of an object.
fn kinds(state: &State, object: &Object) -> Option<String> {
    if object.kinds.is_empty() {
        return None;
    }
    let ptr = state.pointer_bytes();
    let links = || object.seg.into_iter().flat_map(|seg| seg.linked(ptr));
    let is_link = |at: u64| links().any(|link| (link..link + ptr).contains(&at));
    let cells = object.cells.iter().map(|(off, cell)| *off..off + cell.len);
    let zeros = object.zeros.iter().map(|(start, end)| *start..*end);
    let bare = cells.chain(zeros).flatten().all(is_link);
    if object.kinds.len() < 2 || object.seg.is_none() || !bare || object.each.is_some() {
        return Some("it is no proper segment of several kinds".to_owned());
    }
    let proper = |kind: &Object| {
        kind.storage == Storage::Kind
            && kind.level == object.level + 1
            && kind.size == object.size
            && kind.seg.is_none()
            && kind.kinds.is_empty()
            && links().all(|link| kind.cells.range(link..link + ptr).next().is_none())
    };
    let kinds = object.kinds.iter().map(|kind| state.objects.get(kind));
    let improper = kinds.into_iter().any(|kind| !kind.is_some_and(|kind| proper(kind)));
    improper.then(|| "a kind of its nodes is not proper".to_owned())
}

/// Says what is wrong with a value at a place where things of this level are seen.
fn value(state: &State, val: Val, level: u32, nested: bool) -> Option<String> {
    match val {
        Val::Addr(addr) => address(state, addr, level, nested),
        Val::Sym(id) => symbol(state, id, level, nested),
        Val::Int(_) | Val::Func(_) => None,
    }
}

fn symbol(state: &State, id: SymId, level: u32, nested: bool) -> Option<String> {
    let Some(sym) = state.syms.get(&id) else { return Some(format!("{id:?} is gone")) };
    if sym.range.lo > sym.range.hi {
        return Some(format!("{id:?} has no value"));
    }
    match sym.def {
        Def::Plus(source, _) | Def::Same(source) | Def::Times(source, _) => {
            symbol(state, source, level, nested)
        }
        Def::At(base, index, _) => {
            address(state, base, level, nested).or_else(|| symbol(state, index, level, nested))
        }
        Def::Free => None,
    }
}

fn address(state: &State, addr: Addr, level: u32, nested: bool) -> Option<String> {
    let Some(object) = state.objects.get(&addr.obj) else { return Some(format!("{addr:?} leads nowhere")) };
    let fits = match (addr.tg, object.seg) {
        (Tg::Region, None) => true,
        (Tg::First, Some(seg)) => addr.off == seg.head,
        (Tg::Last, Some(seg)) => addr.off == seg.head && seg.prev.is_some(),
        (Tg::All, Some(_)) => nested && object.level < level,
        (Tg::Among(_), Some(seg)) => seg.prev.is_some() && seg.min > 0 && object.level == 0 && !nested,
        _ => false,
    };
    if !fits || object.level > level || object.storage == Storage::Kind {
        return Some(format!("{addr:?} does not fit {:?} of level {}", object.seg, object.level));
    }
    None
}
