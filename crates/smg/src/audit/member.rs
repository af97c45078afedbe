//! Whether a concrete memory belongs to a graph: by walking both at the same time, and trying all ways to write the
//! graph out where that is open.

use super::begins;
use super::expand::{decide, expand, first_of_kind, picks, words};
use super::trees::{grown, is_path, ways};
use crate::graph::{Addr, Def, ObjId, Object, State, Storage, SymId, Val};
use crate::rows::{TO_THE_END, Table};
use heapproof_ir::{mask, sign_extend};
use heapproof_numbers::Relation;
use std::collections::{BTreeMap, BTreeSet};

/// Why a walk stopped.
enum Stop {
    /// The memory does not belong to this form of the graph.
    No(String),
    /// It depends on this object.
    Open(ObjId),
    /// A block begins at this offset.
    Begin(ObjId, i128),
}

type Walk<T> = Result<T, Stop>;

fn no<T>(why: impl Into<String>) -> Walk<T> {
    Err(Stop::No(why.into()))
}

struct Walker<'a> {
    memory: &'a State,
    required: &'a BTreeSet<ObjId>,
    graph: &'a State,
    objects: BTreeMap<ObjId, ObjId>,
    back: BTreeMap<ObjId, ObjId>,
    numbers: BTreeMap<SymId, i128>,
    work: Vec<(ObjId, ObjId)>,
    /// The first object on which something depends. All else is looked at before it is written out.
    open: Option<ObjId>,
}

/// `Ok` if the memory belongs to the graph, or if finding out takes too long.
pub fn member(memory: &State, graph: &State) -> Result<(), String> {
    let required = memory.objects.keys().copied().collect();
    belongs(memory, &required, graph, 4000).map(|_| ())
}

/// `Ok(true)` if the memory belongs to the graph, `Ok(false)` if finding out takes too long. Only the required blocks
/// have to be in the graph.
pub fn belongs(
    memory: &State,
    required: &BTreeSet<ObjId>,
    graph: &State,
    mut budget: u32,
) -> Result<bool, String> {
    search(memory, required, graph, &mut budget).map(|()| budget > 0)
}

fn search(memory: &State, required: &BTreeSet<ObjId>, graph: &State, budget: &mut u32) -> Result<(), String> {
    *budget = budget.saturating_sub(1);
    if *budget == 0 {
        return Ok(());
    }
    let mut walker = Walker {
        memory,
        required,
        graph,
        objects: BTreeMap::new(),
        back: BTreeMap::new(),
        numbers: BTreeMap::new(),
        work: Vec::new(),
        open: None,
    };
    let id = match walker.walk() {
        Ok(()) => return Ok(()),
        Err(Stop::No(why)) => return Err(why),
        Err(Stop::Begin(id, at)) => {
            let graph =
                begins::settled(graph, id, at).ok_or_else(|| format!("{id:?} does not begin at {at}"))?;
            return search(memory, required, &graph, budget);
        }
        Err(Stop::Open(id)) => id,
    };
    if begins::is_unsettled(graph, id) {
        let mut cases = begins::possible(graph, id).filter_map(|at| begins::settled(graph, id, at));
        let found = cases.any(|graph| search(memory, required, &graph, budget).is_ok());
        return if found { Ok(()) } else { Err(format!("{id:?} begins nowhere")) };
    }
    let object = graph.object(id);
    if object.level > 0 {
        return Err(format!("{id:?} is nested, but reached from outside"));
    }
    let mut why = String::new();
    if object.maybe {
        for there in [true, false] {
            match search(memory, required, &decide(graph, id, there), budget) {
                Ok(()) => return Ok(()),
                Err(reason) => why += &format!("[{id:?} {there}: {reason}]"),
            }
        }
        return Err(why);
    }
    if is_path(object) {
        for way in ways(graph, id) {
            let Some(graph) = grown(graph, id, way) else { continue };
            match search(memory, required, &graph, budget) {
                Ok(()) => return Ok(()),
                Err(reason) => why += &format!("[{id:?} {way:?}: {reason}]"),
            }
        }
        return Err(why);
    }
    let least = object.seg.map_or(0, |seg| seg.min) as usize;
    let blocks = memory.objects.values().filter(|o| o.valid && o.storage == Storage::Heap).count();
    let most = if object.is_part() { most_elements(memory, object.size) } else { blocks };
    if !object.kinds.is_empty() {
        return search_kinds(memory, required, graph, id, most, budget);
    }
    for count in least..=most.max(least) {
        let picks = picks(graph, id, count);
        let words = words(graph, id, count);
        for (word, picks) in words.iter().flat_map(|word| picks.iter().map(move |picks| (word, picks))) {
            let Some(graph) = expand(graph, id, count, word, &[], picks) else { continue };
            match search(memory, required, &graph, budget) {
                Ok(()) => return Ok(()),
                Err(reason) => why += &format!("[{id:?} {count} nodes {word:?} {picks:?}: {reason}]"),
            }
        }
    }
    Err(why)
}

/// The same for a segment of several kinds: it is empty, or has a first node of one of them.
fn search_kinds(
    memory: &State,
    required: &BTreeSet<ObjId>,
    graph: &State,
    id: ObjId,
    most: usize,
    budget: &mut u32,
) -> Result<(), String> {
    let object = graph.object(id);
    let empty = object.seg.is_some_and(|seg| seg.min == 0);
    let none = empty.then(|| expand(graph, id, 0, &[], &[], &[])).flatten();
    let block = |o: &Object| o.valid && o.storage == Storage::Heap && o.level == 0;
    let node = |o: &Object| block(o) && o.seg.is_none() && !o.maybe;
    let full = graph.objects.values().filter(|o| node(o)).count() > most;
    let kinds = object.kinds.iter().filter(|_| !full);
    let mut why = String::new();
    for case in none.into_iter().chain(kinds.filter_map(|kind| first_of_kind(graph, id, *kind))) {
        match search(memory, required, &case, budget) {
            Ok(()) => return Ok(()),
            Err(reason) if why.len() < 4000 => why += &format!("[{id:?}: {reason}]"),
            Err(_) => {}
        }
    }
    Err(why)
}

/// The most elements that an array of the memory can have.
fn most_elements(memory: &State, stride: u64) -> usize {
    let parts = memory.objects.values().filter(|object| object.is_part()).count();
    let bytes = memory.objects.values().map(|object| object.size).max().unwrap_or(0);
    parts.max((bytes / stride) as usize)
}

impl Walker<'_> {
    fn walk(&mut self) -> Walk<()> {
        let (memory, graph) = (self.memory, self.graph);
        if memory.frames.len() != graph.frames.len() || !memory.globals.keys().eq(graph.globals.keys()) {
            return no("stack");
        }
        for (global, &id) in &graph.globals {
            self.pair(id, memory.globals[global])?;
        }
        for (g, m) in graph.frames.iter().zip(&memory.frames) {
            if !g.locals.keys().eq(m.locals.keys()) || g.allocas.len() != m.allocas.len() {
                return no("locals");
            }
            for (local, &id) in &g.locals {
                self.pair(id, m.locals[local])?;
            }
            for (&a, &b) in g.allocas.iter().zip(&m.allocas) {
                self.pair(a, b)?;
            }
            for (slot, (a, b)) in g.regs.iter().zip(&m.regs).enumerate() {
                if let Some(a) = a {
                    self.value(*a, *b, g.widths[slot], || format!("register {slot}"))?;
                }
            }
        }
        while let Some((id, other)) = self.work.pop() {
            self.content(id, other)?;
        }
        match self.open {
            Some(id) => Err(Stop::Open(id)),
            None => self.relations().and_then(|()| self.terms()).and_then(|()| self.leftovers()),
        }
    }

    /// Numbers are related as the graph says. One that the memory does not show may be any of its range.
    fn relations(&self) -> Walk<()> {
        // What follows for the others from numbers that lie between lists in order.
        let mut relations = (*self.graph.relations).clone();
        let unshown =
            self.graph.relations.dimensions().into_iter().filter(|id| !self.numbers.contains_key(id));
        if self.graph.sorts {
            unshown.for_each(|id| relations.forget(id));
        }
        for constraint in self.graph.relations.constraints().chain(relations.constraints()) {
            let (mut lo, mut hi) = (constraint.form().offset(), constraint.form().offset());
            for (id, factor) in constraint.form().factors() {
                let range = self.graph.syms[&id].range;
                let (x, y) = match self.numbers.get(&id) {
                    Some(number) => (*number, *number),
                    None => (range.lo, range.hi),
                };
                let (x, y) = if factor > 0 { (x, y) } else { (y, x) };
                lo = lo.saturating_add(x.saturating_mul(factor));
                hi = hi.saturating_add(y.saturating_mul(factor));
            }
            let possible = match constraint.relation() {
                Relation::Zero => lo <= 0 && hi >= 0,
                Relation::NotNegative => hi >= 0,
            };
            if !possible {
                return no(format!("{constraint:?} does not hold"));
            }
        }
        Ok(())
    }

    /// Numbers are what the graph says that they were computed of.
    fn terms(&self) -> Walk<()> {
        for term in &self.graph.terms {
            let shown = |val: Val, width: u8| match val {
                Val::Int(number) => Some(number & mask(width)),
                Val::Sym(id) => self.numbers.get(&id).map(|number| *number as u128 & mask(width)),
                Val::Addr(_) | Val::Func(_) => None,
            };
            let (before, after) = (term.op.width_before(), term.op.width());
            let (a, b) = (shown(term.of[0], before), shown(term.of[1], before));
            let (Some(a), Some(b), Some(result)) = (a, b, shown(term.result, after)) else { continue };
            if term.op.apply(a, b).is_some_and(|computed| computed != result) {
                return no(format!("{term:?} does not hold"));
            }
        }
        Ok(())
    }

    /// It depends on this object, which is left for later.
    fn later(&mut self, id: ObjId) -> Walk<()> {
        self.open.get_or_insert(id);
        Ok(())
    }

    /// Blocks that nothing leads to any more are lost on both sides.
    fn leftovers(&self) -> Walk<()> {
        let block = |object: &Object| object.valid && object.storage == Storage::Heap;
        let mut sizes: Vec<u64> = Vec::new();
        for (id, object) in &self.memory.objects {
            if !self.back.contains_key(id) && self.required.contains(id) && block(object) {
                sizes.push(object.size);
            }
        }
        for (id, object) in &self.graph.objects {
            if !self.objects.contains_key(id) && block(object) {
                match sizes.iter().position(|size| *size == object.size) {
                    Some(_) if object.seg.is_some() || object.maybe => return Err(Stop::Open(*id)),
                    Some(at) => {
                        sizes.swap_remove(at);
                    }
                    None => {}
                }
            }
        }
        if sizes.is_empty() { Ok(()) } else { no(format!("blocks of {sizes:?} bytes are missing")) }
    }

    fn pair(&mut self, id: ObjId, other: ObjId) -> Walk<()> {
        let object = self.graph.object(id);
        if object.seg.is_some() || object.maybe || object.level > 0 {
            return self.later(id);
        }
        match (self.objects.get(&id), self.back.get(&other)) {
            (None, None) => {}
            (Some(a), Some(b)) if (*a, *b) == (other, id) => return Ok(()),
            _ => return no(format!("{id:?} and {other:?} have other partners")),
        }
        let memory = self.memory.object(other);
        if object.valid != memory.valid || object.storage != memory.storage || object.half != memory.half {
            return no(format!("{id:?} is not {other:?}"));
        }
        let fits = if object.exact { object.size == memory.size } else { object.size <= memory.size };
        if !fits {
            return no(format!("size of {id:?}"));
        }
        self.objects.insert(id, other);
        self.back.insert(other, id);
        if let (Some(sym), true) = (object.size_sym, object.valid) {
            self.number(sym, i128::from(memory.size) + begins::former_begin(self.graph, id))
                .or_else(|()| no(format!("size of {id:?}")))?;
        }
        if let (Some(text), true) = (object.text, object.valid) {
            let mut rest = text.start..memory.size;
            let Some(end) = rest.find(|at| memory.peek(*at, 1) == Some(Val::ZERO)) else {
                return no(format!("the string in {id:?} has no end"));
            };
            let len = i128::from(end - text.start);
            self.number(text.len, len).or_else(|()| no(format!("length of the string in {id:?}")))?;
        }
        self.work.push((id, other));
        Ok(())
    }

    fn content(&mut self, id: ObjId, other: ObjId) -> Walk<()> {
        let (object, memory) = (self.graph.object(id), self.memory.object(other));
        for (&off, cell) in &object.cells {
            if let (Some(first), None) =
                (self.graph.part(cell.val), memory.cells.get(&off).and_then(|c| self.memory.part(c.val)))
            {
                let table =
                    Table { obj: id, base: off, len: cell.len, stride: self.graph.object(first).size, first };
                self.elements(&table, other)?;
                continue;
            }
            if object.half.is_some() && off == object.size && cell.val == Val::ZERO {
                continue;
            }
            let width = (cell.len * 8).min(128) as u8;
            self.value(cell.val, memory.peek(off, cell.len), width, || format!("{id:?}+{off}"))?;
        }
        for (&start, &end) in &object.zeros {
            for at in start..end.min(memory.size) {
                if memory.peek(at, 1) != Some(Val::ZERO) {
                    return no(format!("{id:?}+{at} is not zero"));
                }
            }
        }
        for (off, cell) in &memory.cells {
            let known = object.cells.get(off).is_some_and(|c| c.len == cell.len)
                || self.graph.table_at(id, *off, off + cell.len).is_some();
            // Which half belongs to it, it need not know.
            let bond = object.half.is_some() && *off == memory.size;
            if matches!(cell.val, Val::Addr(_)) && !known && !bond && !object.vague {
                return no(format!("the address at {id:?}+{off} is not known"));
            }
        }
        Ok(())
    }

    /// The elements of a table lie one after the other in an array of the memory.
    fn elements(&mut self, table: &Table, other: ObjId) -> Walk<()> {
        let (graph, memory) = (self.graph, self.memory.object(other));
        let end = if table.len == TO_THE_END { memory.size } else { table.base + table.len };
        let mut at = table.base;
        for part in graph.parts(table) {
            let object = graph.object(part);
            if object.seg.is_some() {
                return self.later(part);
            }
            if at + table.stride > end {
                return no(format!("{part:?} lies outside its array"));
            }
            for (&off, cell) in object.cells.range(..table.stride) {
                let width = (cell.len * 8).min(128) as u8;
                self.value(cell.val, memory.peek(at + off, cell.len), width, || format!("{part:?}+{off}"))?;
            }
            for (&start, &stop) in object.zeros.range(..table.stride) {
                for byte in start..stop.min(table.stride) {
                    if memory.peek(at + byte, 1) != Some(Val::ZERO) {
                        return no(format!("{part:?}+{byte} is not zero"));
                    }
                }
            }
            for (&off, cell) in memory.cells.range(at..at + table.stride) {
                if matches!(cell.val, Val::Addr(_)) && !object.cells.contains_key(&(off - at)) {
                    return no(format!("the address at {part:?}+{} is not known", off - at));
                }
            }
            at += table.stride;
        }
        if at == end { Ok(()) } else { no(format!("{:?} has more elements", table.obj)) }
    }

    fn value(&mut self, a: Val, b: Option<Val>, width: u8, place: impl Fn() -> String) -> Walk<()> {
        let wrong = |what: &str| no(format!("{}: {what} ({a:?} for {b:?})", place()));
        match (a, b) {
            (Val::Addr(x), Some(Val::Addr(y))) => self.address(x, y),
            (Val::Addr(x), _) => {
                let object = self.graph.object(x.obj);
                if object.seg.is_some() || object.maybe {
                    return self.later(x.obj);
                }
                wrong("no address")
            }
            (Val::Int(x), Some(Val::Int(y))) if (x ^ y) & mask(width) == 0 => Ok(()),
            (Val::Func(f), Some(Val::Func(g))) if f == g => Ok(()),
            (Val::Int(_) | Val::Func(_), _) => wrong("other value"),
            (Val::Sym(id), b) => match (self.graph.syms[&id].def, b) {
                (def @ Def::At(base, ..), Some(Val::Addr(y)))
                    if begins::is_unsettled(self.graph, base.obj) =>
                {
                    match begins::counts_from_begin(self.graph, def) && base.off != y.off {
                        true => wrong("distance from the beginning"),
                        false => self.later(base.obj),
                    }
                }
                (Def::At(base, index, scale), Some(Val::Addr(y))) => {
                    let distance = i128::from(y.off) - i128::from(base.off);
                    if scale == 0 || distance % i128::from(scale) != 0 {
                        return wrong("index");
                    }
                    self.number(index, distance / i128::from(scale)).or_else(|()| wrong("index"))?;
                    self.address(Addr { off: y.off, ..base }, y)
                }
                (Def::At(..), _) => wrong("no address"),
                (_, Some(b)) if !self.graph.syms[&id].functions.is_empty() => {
                    let (sym, found) = (&self.graph.syms[&id], self.memory.functions_of(b));
                    let function = found.and_then(|set| set.first().copied());
                    match sym.functions.iter().position(|known| Some(*known) == function) {
                        Some(at) => self.number(id, at as i128).or_else(|()| wrong("function")),
                        None => wrong("function"),
                    }
                }
                (_, Some(Val::Int(number))) => {
                    let width = self.graph.syms[&id].width;
                    let number = sign_extend(number & mask(width), width);
                    self.number(id, number).or_else(|()| wrong("number"))
                }
                // The address of what is gone is a number like any other.
                (Def::Free, Some(Val::Addr(y)))
                    if !self.memory.object(y.obj).valid && self.graph.syms[&id].not.is_empty() =>
                {
                    Ok(())
                }
                // Memory that was never written: it can be any number, but no known one.
                (Def::Free, None) if self.graph.syms[&id].not.is_empty() => Ok(()),
                _ => wrong("unknown"),
            },
        }
    }

    fn address(&mut self, x: Addr, y: Addr) -> Walk<()> {
        let object = self.graph.object(x.obj);
        if object.seg.is_some() || object.maybe {
            return self.later(x.obj);
        }
        if begins::is_unsettled(self.graph, x.obj) {
            return Err(Stop::Begin(x.obj, i128::from(x.off) - i128::from(y.off)));
        }
        if x.off != y.off {
            return no(format!("offset {} for {}", x.off, y.off));
        }
        self.pair(x.obj, y.obj)
    }

    fn number(&mut self, id: SymId, number: i128) -> Result<(), ()> {
        let sym = self.graph.syms[&id].clone();
        if number < sym.range.lo || number > sym.range.hi || sym.not.contains(&number) {
            return Err(());
        }
        if sym.level > 0 {
            return Ok(());
        }
        if *self.numbers.entry(id).or_insert(number) != number {
            return Err(());
        }
        match sym.def {
            Def::Plus(source, by) => self.number(source, number.checked_sub(by).ok_or(())?),
            Def::Same(source) => self.number(source, number),
            Def::Times(source, by) if number % by == 0 => self.number(source, number / by),
            Def::Times(..) => Err(()),
            Def::Free | Def::At(..) => Ok(()),
        }
    }
}
