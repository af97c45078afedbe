//! Cutting a call out of its surroundings and putting the result back.
//!
//! A function sees what its arguments and the globals reach. The rest of the heap and the frames below are cut off;
//! their addresses of what the function sees, and the numbers that both know, are kept as additional roots (cut points),
//! so that nothing they hold is lost and they can be found again in the result.

use crate::each::translated;
use crate::graph::{Addr, Def, Frame, ObjId, State, Storage, SymId, Text, Tg, Val};
use heapproof_numbers::System;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A call cut out of its surroundings.
pub struct Cut {
    /// The configuration that the function sees: a frame of cut points below the frame of the function.
    pub entry: State,
    /// The surroundings, without the frame of the function.
    rest: State,
    /// The values of the surroundings that became cut points, in order.
    points: Vec<Val>,
}

/// Cuts the current frame, which was just entered, out of its surroundings.
pub fn cut(mut state: State) -> Cut {
    let frame = state.frames.pop().expect("a frame was just entered");
    let seen = seen_objects(&state, &frame);
    let known = seen_symbols(&state, &frame, &seen);
    let points = cut_points(&state, &seen, &known);
    let mut entry = state.clone();
    entry.frames = vec![points_frame(&state, &points, frame.func), frame];
    entry.objects.retain(|id, _| seen.contains(id));
    state.objects.retain(|id, _| !seen.contains(id));
    Cut { entry, rest: state, points }
}

fn points_frame(state: &State, points: &[Val], func: heapproof_ir::FuncId) -> Frame {
    let widths: Rc<[u8]> = points
        .iter()
        .map(|val| match val {
            Val::Sym(id) => state.syms[id].width,
            _ => state.pointer_bits(),
        })
        .collect();
    Frame {
        func,
        block: heapproof_ir::Body::ENTRY,
        inst: 0,
        regs: points.iter().copied().map(Some).collect(),
        widths,
        locals: BTreeMap::new(),
        allocas: Vec::new(),
        cut: true,
        holds_heap: false,
    }
}

/// The values that a function is given.
fn arguments(frame: &Frame) -> impl Iterator<Item = Val> {
    frame.regs.iter().flatten().copied()
}

fn seen_objects(state: &State, frame: &Frame) -> BTreeSet<ObjId> {
    let values: Vec<Val> = arguments(frame).collect();
    let own = frame.locals.values().chain(&frame.allocas);
    let objects: Vec<ObjId> = state.globals.values().chain(own).copied().collect();
    state.with_halves(state.reachable(&values, &objects))
}

/// The symbols in some values, with those they are defined by.
fn closure(state: &State, values: impl Iterator<Item = Val>) -> BTreeSet<SymId> {
    let mut work: Vec<SymId> =
        values.filter_map(|v| if let Val::Sym(id) = v { Some(id) } else { None }).collect();
    let mut found = BTreeSet::new();
    while let Some(id) = work.pop() {
        if found.insert(id) {
            work.extend(state.syms[&id].sources());
        }
    }
    found
}

fn seen_symbols(state: &State, frame: &Frame, seen: &BTreeSet<ObjId>) -> BTreeSet<SymId> {
    let cells = seen.iter().flat_map(|id| state.object(*id).cells.values().map(|cell| cell.val));
    let measures = seen.iter().flat_map(|id| state.object(*id).measures()).map(Val::Sym);
    closure(state, cells.chain(measures).chain(arguments(frame)))
}

/// The values of the surroundings that concern what the function sees.
fn cut_points(state: &State, seen: &BTreeSet<ObjId>, known: &BTreeSet<SymId>) -> Vec<Val> {
    let mut points = Vec::new();
    let mut note = |val: Val| {
        if !points.contains(&val) {
            points.push(val);
        }
    };
    let mut held: Vec<Val> = Vec::new();
    for frame in &state.frames {
        held.extend(frame.regs.iter().flatten());
        for id in frame.locals.values().chain(&frame.allocas) {
            held.push(Val::Addr(Addr { obj: *id, off: 0, tg: Tg::Region }));
        }
    }
    for (id, object) in &state.objects {
        if !seen.contains(id) {
            held.extend(object.cells.values().map(|cell| cell.val));
            held.extend(object.measures().map(Val::Sym));
        }
    }
    let symbols = closure(state, held.iter().copied());
    for id in &symbols {
        if let Def::At(base, ..) = state.syms[id].def {
            held.push(Val::Addr(base));
        }
    }
    for val in held {
        if matches!(val, Val::Addr(addr) if seen.contains(&addr.obj))
            && (!fault!(41) || matches!(val, Val::Addr(Addr { off: 0, .. })))
        {
            note(val);
        }
    }
    if !fault!(42) {
        symbols.intersection(known).for_each(|id| note(Val::Sym(*id)));
        // Numbers of the function that are related to others of the surroundings.
        for constraint in state.relations.constraints() {
            let (seen, other): (Vec<_>, Vec<_>) =
                constraint.form().factors().map(|(id, _)| id).partition(|id| known.contains(id));
            if other.iter().any(|id| symbols.contains(id)) {
                seen.into_iter().for_each(|id| note(Val::Sym(id)));
            }
        }
    }
    for term in &state.terms {
        let (seen, other): (Vec<_>, Vec<_>) = term.symbols().partition(|id| known.contains(id));
        if other.iter().any(|id| symbols.contains(id)) {
            seen.into_iter().for_each(|id| note(Val::Sym(id)));
        }
    }
    // Numbers of the surroundings that the nodes of lists of the function have to do with, and the other way round.
    for (id, object) in &state.objects {
        let theirs = if seen.contains(id) { &symbols } else { known };
        let shared =
            object.each_dimensions().into_iter().filter(|id| theirs.contains(id) && !state.is_own(*id));
        shared.for_each(|id| note(Val::Sym(id)));
    }
    // Numbers between lists in order, of which one is outside.
    let spoken_of = |inside: bool| -> BTreeSet<SymId> {
        let objects = state
            .objects
            .iter()
            .filter(|(id, object)| seen.contains(id) == inside && !object.orders.is_empty());
        objects.flat_map(|(_, object)| object.each_dimensions()).filter(|id| !state.is_own(*id)).collect()
    };
    if state.sorts {
        spoken_of(true).intersection(&spoken_of(false)).for_each(|id| note(Val::Sym(*id)));
    }
    points
}

impl Cut {
    /// True if there are live heap blocks in the surroundings.
    pub fn holds_heap(&self) -> bool {
        self.rest.objects.values().any(|object| object.valid && object.storage == Storage::Heap)
            || self.rest.frames.iter().any(|frame| frame.holds_heap)
    }

    /// Puts an exit of the function back into the surroundings; gives the results of the function too. `None` if the
    /// two cannot be put together.
    pub fn glue(&self, exit: &State) -> Option<(State, Vec<Val>)> {
        let mut state = self.rest.clone();
        let mut objects: BTreeMap<ObjId, ObjId> = BTreeMap::new();
        for (&id, object) in &exit.objects {
            objects.insert(id, state.add((**object).clone()));
        }
        state.rename_kinds(&objects);
        let symbols = rename_symbols(&mut state, exit, &objects);
        let rename = |val: Val| match val {
            Val::Addr(addr) => Val::Addr(Addr { obj: objects[&addr.obj], ..addr }),
            Val::Sym(id) => Val::Sym(symbols[&id]),
            other => other,
        };
        for id in objects.values() {
            if let Some(size) = state.object(*id).size_sym {
                state.object_mut(*id).size_sym = Some(symbols[&size]);
            }
            if let Some(begin) = state.object(*id).begin {
                state.object_mut(*id).begin = Some(symbols[&begin]);
            }
            if let Some(length) = state.object(*id).length {
                state.object_mut(*id).length = Some(rename(length));
            }
            if let Some(text) = state.object(*id).text {
                state.object_mut(*id).text = Some(Text { len: symbols[&text.len], ..text });
            }
            if let Some(each) = state.object(*id).each.clone() {
                let named = each.renamed(|id| symbols.get(&id).copied());
                state.object_mut(*id).each = state.about_nodes(&named);
            }
            let cells: Vec<_> = state.object(*id).cells.iter().map(|(off, cell)| (*off, *cell)).collect();
            for (off, mut cell) in cells {
                cell.val = rename(cell.val);
                state.object_mut(*id).cells.insert(off, cell);
            }
        }
        for (global, id) in &exit.globals {
            state.globals.insert(*global, objects[id]);
        }
        let frame = exit.frames.first()?;
        let mut after: BTreeMap<Val, Val> = BTreeMap::new();
        for (point, reg) in self.points.iter().zip(&frame.regs) {
            let val = rename((*reg)?);
            // Only registers hold addresses of some node.
            if matches!(val, Val::Addr(addr) if addr.tg.is_among()) && self.is_in_an_object(*point) {
                return None;
            }
            after.insert(*point, val);
        }
        self.redirect(&mut state, &after, &objects)?;
        self.relate(&mut state, exit, &symbols, &after);
        let named = |val: Val| after.get(&val).copied().unwrap_or(val);
        let around = self.rest.terms.iter().map(|term| (term, term.renamed(named)));
        // A number of another width is no number of a product.
        let around = around.filter(|(before, term)| before.is_product() <= (before.kinds() == term.kinds()));
        let around = around.map(|(_, term)| term);
        let inside = exit.terms.iter().map(|term| term.renamed(rename));
        // Those of the function first: the surroundings may have other names for what only it has now.
        state.terms = inside.collect();
        for term in around {
            if !state.terms.contains(&term) {
                state.terms.push(term);
            }
        }
        state.keep_products();
        state.unify_quotients();
        let results =
            frame.regs[self.points.len()..].iter().map(|reg| reg.map(rename)).collect::<Option<_>>()?;
        Some((state, results))
    }

    /// True if the surroundings have a value elsewhere than in registers.
    fn is_in_an_object(&self, val: Val) -> bool {
        let mut cells = self.rest.objects.values().flat_map(|object| object.cells.values());
        let mut defs = self.rest.syms.values().map(|sym| sym.def);
        cells.any(|cell| cell.val == val)
            || defs.any(|def| matches!(def, Def::At(base, ..) if Val::Addr(base) == val))
    }

    /// What is known of several numbers: in the function, and in the surroundings, where some have other names now.
    fn relate(
        &self,
        state: &mut State,
        exit: &State,
        symbols: &BTreeMap<SymId, SymId>,
        after: &BTreeMap<Val, Val>,
    ) {
        // Where both do not fit, each comes without what it says twice.
        let crowded = self.rest.rows && self.rest.relations.is_full_with(&exit.relations);
        let tidied = |system: &Rc<System<SymId>>| match crowded {
            true => Rc::new(system.tidied()),
            false => Rc::clone(system),
        };
        state.relations = Rc::new(tidied(&exit.relations).renamed(|id| symbols.get(&id).copied()));
        for constraint in tidied(&self.rest.relations).constraints() {
            state.adopt(constraint, |state, id| {
                let val = after.get(&Val::Sym(id)).copied().unwrap_or(Val::Sym(id));
                state.form(val, self.rest.syms[&id].width)
            });
        }
        for id in self.rest.objects.keys() {
            let Some(each) = state.object(*id).each.clone() else { continue };
            let named = translated(&each, |id| {
                let val = after.get(&Val::Sym(id)).copied().unwrap_or(Val::Sym(id));
                state.form_within(true, val, self.rest.syms[&id].width)
            });
            state.object_mut(*id).each = state.about_nodes(&named);
        }
    }

    /// Maps the values of the surroundings to what they are after the call.
    fn redirect(
        &self,
        state: &mut State,
        after: &BTreeMap<Val, Val>,
        new: &BTreeMap<ObjId, ObjId>,
    ) -> Option<()> {
        let own: BTreeSet<ObjId> = new.values().copied().collect();
        let map = |val: Val| after.get(&val).copied().unwrap_or(val);
        for (id, object) in &mut state.objects {
            if !own.contains(id) && object.cells.values().any(|cell| map(cell.val) != cell.val) {
                for cell in Rc::make_mut(object).cells.values_mut() {
                    cell.val = map(cell.val);
                }
            }
            if !own.contains(id)
                && let Some(length) = object.length
                && map(length) != length
            {
                Rc::make_mut(object).length = Some(if fault!(128) { Val::ZERO } else { map(length) });
            }
        }
        let at = |id: ObjId| match after.get(&Val::Addr(Addr { obj: id, off: 0, tg: Tg::Region })) {
            Some(Val::Addr(addr)) => Some(addr.obj),
            Some(_) => None,
            None => Some(id),
        };
        for frame in &mut state.frames {
            frame.regs.iter_mut().flatten().for_each(|val| *val = map(*val));
            for id in frame.locals.values_mut().chain(frame.allocas.iter_mut()) {
                *id = at(*id)?;
            }
        }
        let ids: Vec<SymId> = self.rest.syms.keys().copied().collect();
        for id in ids {
            let number = |source: SymId| match after.get(&Val::Sym(source)) {
                Some(Val::Sym(new)) => Some(*new),
                Some(_) => None,
                None => Some(source),
            };
            let def = match self.rest.syms[&id].def {
                Def::Free => continue,
                Def::Times(source, by) => number(source).map(|s| Def::Times(s, by)),
                Def::Plus(source, by) => number(source).map(|s| Def::Plus(s, by)),
                Def::Same(source) => number(source).map(Def::Same),
                Def::At(base, index, scale) => match (map(Val::Addr(base)), number(index)) {
                    (Val::Addr(base), Some(index)) => Some(Def::At(base, index, scale)),
                    // An address without its parts would be lost.
                    _ => return None,
                },
            };
            // The old range still holds without the definition.
            let range = self.rest.range(Val::Sym(id), self.rest.syms[&id].width);
            let sym = state.sym_mut(id);
            match def {
                Some(def) => sym.def = def,
                None => (sym.def, sym.range) = (Def::Free, range),
            }
        }
        Some(())
    }
}

fn rename_symbols(
    state: &mut State,
    exit: &State,
    objects: &BTreeMap<ObjId, ObjId>,
) -> BTreeMap<SymId, SymId> {
    let mut symbols = BTreeMap::new();
    for (&id, sym) in &exit.syms {
        symbols.insert(id, state.add_sym((**sym).clone()));
    }
    for (id, new) in &symbols {
        let def = match exit.syms[id].def {
            Def::Free => Def::Free,
            Def::Plus(source, by) => Def::Plus(symbols[&source], by),
            Def::Times(source, by) => Def::Times(symbols[&source], by),
            Def::Same(source) => Def::Same(symbols[&source]),
            Def::At(base, index, scale) => {
                Def::At(Addr { obj: objects[&base.obj], ..base }, symbols[&index], scale)
            }
        };
        state.sym_mut(*new).def = def;
    }
    symbols
}
