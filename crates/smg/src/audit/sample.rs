//! Concrete memories of a graph: graphs without segments, 0/1 objects and unknown numbers.

use super::expand::{decide, expand, kinds, picks, reached, words};
use super::trees::{grown, is_path, ways};
use crate::graph::{Addr, Def, ObjId, State, SymId, Val};
use crate::number::{Range, bits};
use fastrand::Rng;
use heapproof_ir::{mask, sign_extend};
use std::collections::BTreeMap;

/// The most objects of a sample.
const MOST: usize = 80;

/// Of about so many relations some are forgotten: what is drawn then may be no memory of the graph.
const MOST_RELATIONS: usize = 46;

/// A random concrete memory of a graph, if one is found.
pub fn sample(state: &State, rng: &mut Rng) -> Option<State> {
    match state.cut {
        // Halves come out even by chance.
        Some(_) => (0..8).find_map(|_| super::halves::tied(sample_once(state, rng)?, rng)),
        None => sample_once(state, rng),
    }
}

fn sample_once(state: &State, rng: &mut Rng) -> Option<State> {
    let mut state = state.clone();
    let kept = reached(&state);
    state.objects.retain(|id, _| kept.contains(id));
    while let Some((id, maybe)) = undecided(&state) {
        state = if maybe {
            decide(&state, id, rng.bool())
        } else if is_path(state.object(id)) {
            let ways = ways(&state, id);
            // Trees are small: they often end.
            let way = if rng.bool() { ways[0] } else { ways[rng.usize(..ways.len())] };
            grown(&state, id, way)?
        } else {
            let least = state.object(id).seg.map_or(0, |seg| seg.min) as usize;
            let count = match state.object(id).length {
                Some(Val::Int(length)) => length as usize,
                _ => least + [0, 0, 1, 1, 2][rng.usize(..5)],
            };
            // A cycle has a node, and words may have other lengths.
            let others = least.max(1)..least + 4;
            std::iter::once(count).chain(others).find_map(|count| written_out(&state, id, count, rng))?
        };
        if state.objects.len() > MOST || state.relations.constraints().count() >= MOST_RELATIONS {
            return None;
        }
    }
    for _ in 0..30 {
        if let Some(numbers) = numbers(&state, rng) {
            return concrete(&state, &numbers, rng);
        }
    }
    None
}

fn written_out(state: &State, id: ObjId, count: usize, rng: &mut Rng) -> Option<State> {
    let words = words(state, id, count);
    let word = rng.choice(&words)?;
    let kinds = kinds(state, id, count);
    let picks = picks(state, id, count);
    expand(state, id, count, word, rng.choice(&kinds)?, rng.choice(&picks)?)
}

/// An object of the top level that stands for others.
pub fn undecided(state: &State) -> Option<(ObjId, bool)> {
    let (&id, object) = state
        .objects
        .iter()
        .find(|(_, object)| object.level == 0 && (object.seg.is_some() || object.maybe))?;
    Some((id, object.maybe))
}

fn numbers(state: &State, rng: &mut Rng) -> Option<BTreeMap<SymId, i128>> {
    let mut known = related(state, rng)?;
    computed(state, rng, &mut known)?;
    for &id in state.syms.keys() {
        number(state, id, rng, &mut known)?;
    }
    Some(known)
}

/// Values of what was computed. None if it has another value already.
fn computed(state: &State, rng: &mut Rng, known: &mut BTreeMap<SymId, i128>) -> Option<()> {
    for term in &state.terms {
        let bits = |val: Val, rng: &mut Rng, known: &mut BTreeMap<SymId, i128>| match val {
            Val::Int(bits) => Some(bits),
            Val::Sym(id) => number(state, id, rng, known).map(|number| number as u128),
            Val::Addr(_) | Val::Func(_) => None,
        };
        let result = term.op.apply(bits(term.of[0], rng, known)?, bits(term.of[1], rng, known)?)?;
        let width = term.op.width();
        let value = sign_extend(result, width);
        match term.result {
            Val::Sym(id) if !known.contains_key(&id) && state.syms[&id].def == Def::Free => {
                let sym = &state.syms[&id];
                let fits = sym.range.lo <= value && value <= sym.range.hi && !sym.not.contains(&value);
                known.insert(id, value);
                fits.then_some(())?;
            }
            val => (bits(val, rng, known)? & mask(width) == result).then_some(())?,
        }
    }
    Some(())
}

/// Values of the free symbols that relations speak of: random ones, moved until all relations hold.
fn related(state: &State, rng: &mut Rng) -> Option<BTreeMap<SymId, i128>> {
    let dimensions = state.relations.dimensions();
    let mut known: BTreeMap<SymId, i128> =
        dimensions.iter().map(|id| (*id, free(state.syms[id].range, rng))).collect();
    for _ in 0..60 {
        let broken: Vec<_> =
            state.relations.constraints().filter(|constraint| !constraint.holds(|id| known[&id])).collect();
        let allowed = |id: &SymId| !state.syms[id].not.contains(&known[id]);
        if broken.is_empty() {
            return dimensions.iter().all(allowed).then_some(known);
        }
        let form = broken[rng.usize(..broken.len())].form();
        let factors: Vec<(SymId, i128)> = form.factors().collect();
        let (id, factor) = factors[rng.usize(..factors.len())];
        // The least change that makes the form zero, or not negative.
        let value = form.value(|id| known[&id])?;
        let range = state.syms[&id].range;
        let moved = known[&id] + -(value.div_euclid(factor.abs())) * factor.signum();
        known.insert(id, moved.clamp(range.lo, range.hi));
    }
    None
}

fn number(state: &State, id: SymId, rng: &mut Rng, known: &mut BTreeMap<SymId, i128>) -> Option<i128> {
    if let Some(&number) = known.get(&id) {
        return Some(number);
    }
    let sym = state.syms[&id].clone();
    let value = match sym.def {
        // Which of the functions it is.
        Def::Free if !sym.functions.is_empty() => rng.usize(..sym.functions.len()) as i128,
        Def::Free => free(sym.range, rng),
        Def::Plus(source, by) => number(state, source, rng, known)?.checked_add(by)?,
        Def::Same(source) => number(state, source, rng, known)?,
        Def::Times(source, by) => number(state, source, rng, known)?.checked_mul(by)?,
        Def::At(_, index, _) => {
            number(state, index, rng, known)?;
            known.insert(id, 0);
            return Some(0);
        }
    };
    let fits = sym.range.lo <= value && value <= sym.range.hi && !sym.not.contains(&value);
    if !fits {
        return None;
    }
    known.insert(id, value);
    Some(value)
}

fn free(range: Range, rng: &mut Rng) -> i128 {
    let near = match rng.u8(..6) {
        0 => range.lo,
        1 => range.hi,
        2 => 0,
        3 => rng.i128(-3..=3),
        4 => i128::from(rng.i64(..)),
        _ => i128::from(rng.i32(..)),
    };
    near.clamp(range.lo, range.hi)
}

fn concrete(state: &State, numbers: &BTreeMap<SymId, i128>, rng: &mut Rng) -> Option<State> {
    let mut out = state.clone();
    let value = |val: Val| match val {
        Val::Sym(id) => match state.syms[&id].def {
            Def::At(base, index, scale) => {
                let off = i128::from(base.off) + numbers[&index] * i128::from(scale);
                Val::Addr(Addr { off: off as i64, ..base })
            }
            _ => match state.syms[&id].functions.iter().nth(numbers[&id] as usize) {
                Some(function) => function.map_or(Val::ZERO, Val::Func),
                None => Val::Int(bits(numbers[&id], state.syms[&id].width)),
            },
        },
        other => other,
    };
    let ids: Vec<ObjId> = out.objects.keys().copied().collect();
    for id in ids {
        let mut object = out.object(id).clone();
        let cells = std::mem::take(&mut object.cells);
        for (off, cell) in cells {
            object.put(off, cell.len, value(cell.val));
        }
        if !object.exact {
            object.exact = true;
            object.size = match object.size_sym.take() {
                // A size below the least one is no size.
                Some(sym) => u64::try_from(numbers[&sym]).ok().filter(|size| *size >= object.size)?,
                None => object.size + rng.u64(..3) * 8,
            };
        }
        if let Some(text) = state.object(id).text {
            object.text = None;
            write_text(&mut object, text.start, u64::try_from(numbers[&text.len]).ok()?)?;
        }
        *out.object_mut(id) = object;
    }
    for frame in &mut out.frames {
        for (reg, width) in frame.regs.iter_mut().zip(frame.widths.iter()) {
            *reg = Some(match *reg {
                Some(val) => value(val),
                None => Val::Int(rng.u128(..) & heapproof_ir::mask(*width)),
            });
        }
    }
    for (id, object) in &state.objects {
        if let Some(begin) = object.begin {
            super::begins::count_from_begin(&mut out, *id, numbers[&begin])?;
            let object = out.object_mut(*id);
            (object.begin, object.aligned) = (None, None);
        }
    }
    out.syms.clear();
    out.relations = Default::default();
    out.terms.clear();
    Some(out)
}

/// Writes a string of a length to where nothing else is known; none if that contradicts what is known.
fn write_text(object: &mut crate::graph::Object, start: u64, len: u64) -> Option<()> {
    if start.checked_add(len)? >= object.size || len > 4096 {
        return None;
    }
    for at in start..=start + len {
        let byte = if at == start + len { Val::ZERO } else { Val::Int(1) };
        let is_address = |(off, cell): (&u64, &crate::graph::Cell)| {
            at < off + cell.len && matches!(cell.val, Val::Addr(_) | Val::Func(_))
        };
        match object.peek(at, 1) {
            Some(Val::Int(known)) if (known == 0) != (at == start + len) => return None,
            Some(_) => {}
            // Bytes of addresses are not known; here none of them is NUL.
            None if object.cells.range(..=at).next_back().is_some_and(is_address) => {
                (at < start + len).then_some(())?;
            }
            None => object.put(at, 1, byte),
        }
    }
    Some(())
}
