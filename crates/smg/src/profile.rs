//! What a proof spends its configurations on (`--profile-proof`): where they are, how many shapes they have without numbers, and which variables
//! tell them apart.
//!
//! What a variable contributes is what it reaches, looked at alone: so many shapes, and so many with their numbers. If each of several variables has
//! a few shapes and a place has about as many configurations as their product, these variables multiply: nothing of what one reaches
//! goes with what another one reaches. Nothing here has a part in an answer.

use crate::graph::{State, Val};
use crate::trouble::Trouble;
use heapproof_ir::{BlockId, FuncId, Program, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Fewer configurations at a place are not looked into.
const FEW: usize = 4;

/// So many configurations of a place are looked at.
const LOOKED_AT: usize = 256;

/// So many places are told.
const TOLD: usize = 12;

/// So many variables of a place are told.
const VARIABLES: usize = 8;

/// A place of a program.
type Place = (FuncId, BlockId);

/// What was seen at the places of a program.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    places: BTreeMap<Place, Seen>,
    executed: BTreeMap<FuncId, u64>,
}

#[derive(Clone, Debug, Default)]
struct Seen {
    /// Explorations of the function: entries that were analysed, and repetitions.
    times: u64,
    /// Configurations that stayed there, over all explorations.
    all: u64,
    /// The exploration with the most of them.
    fullest: Fullest,
}

/// One exploration at a place.
#[derive(Clone, Debug, Default)]
struct Fullest {
    configurations: usize,
    shapes: usize,
    bytes: usize,
    /// What tells configurations apart, with the number of its shapes, and of these with numbers.
    variables: Vec<(String, usize, usize)>,
}

impl Profile {
    /// A configuration of a function is executed.
    pub fn execute(&mut self, func: FuncId) {
        *self.executed.entry(func).or_default() += 1;
    }

    /// The configurations that stayed at a place when an exploration ended.
    pub fn add(&mut self, program: &Program, place: Place, states: &[&State]) {
        let seen = self.places.entry(place).or_default();
        seen.times += 1;
        seen.all += states.len() as u64;
        if states.len() >= FEW && states.len() > seen.fullest.configurations {
            seen.fullest = Fullest::of(program, states);
        }
    }

    /// The places with the most configurations, as a table.
    pub fn text(&self, program: &Program, title: &str, troubles: &[Trouble]) -> String {
        let mut text = format!("{title}\n");
        for trouble in troubles {
            let _ = writeln!(text, "  ended by: line {}: {}", trouble.span.line, trouble.message);
        }
        let mut executed: Vec<(&FuncId, &u64)> = self.executed.iter().collect();
        executed.sort_by_key(|(func, count)| (std::cmp::Reverse(**count), **func));
        let names = executed.iter().take(VARIABLES);
        let names: Vec<String> =
            names.map(|(func, count)| format!("{} {count}", program.functions[**func].name)).collect();
        let _ = writeln!(text, "  executed: {}", names.join(", "));
        for (place, seen) in self.fullest() {
            let fullest = &seen.fullest;
            let _ = writeln!(
                text,
                "  {}: {} configurations at the most, {} shapes, {} bytes; {} in {} explorations",
                name(program, *place),
                fullest.configurations,
                fullest.shapes,
                fullest.bytes,
                seen.all,
                seen.times
            );
            if !fullest.variables.is_empty() {
                let _ = writeln!(text, "    told apart by {}", fullest.told());
            }
        }
        text
    }

    /// What there is most of, in one sentence.
    pub fn sentence(&self, program: &Program) -> Option<String> {
        let (place, seen) = self.fullest().into_iter().next()?;
        let fullest = &seen.fullest;
        Some(format!(
            "most configurations ({}, of {} shapes) are at {}; what differs: {}",
            fullest.configurations,
            fullest.shapes,
            name(program, *place),
            fullest.told()
        ))
    }

    fn fullest(&self) -> Vec<(&Place, &Seen)> {
        let mut places: Vec<(&Place, &Seen)> =
            self.places.iter().filter(|(_, seen)| seen.fullest.configurations > 0).collect();
        places.sort_by_key(|(place, seen)| (std::cmp::Reverse(seen.all), **place));
        places.truncate(TOLD);
        places
    }
}

impl Fullest {
    fn of(program: &Program, states: &[&State]) -> Fullest {
        let step = states.len().div_ceil(LOOKED_AT).max(1);
        let shapes: BTreeSet<u64> = states.iter().map(|state| state.shape()).collect();
        let mut variables: BTreeMap<String, [BTreeSet<u64>; 2]> = BTreeMap::new();
        for state in states.iter().step_by(step) {
            for (name, part) in parts(program, state) {
                let [shapes, numbers] = variables.entry(name).or_default();
                shapes.insert(part.shape());
                numbers.insert(part.key().fingerprint());
            }
        }
        let mut variables: Vec<(String, usize, usize)> = variables
            .into_iter()
            .map(|(name, [shapes, numbers])| (name, shapes.len(), numbers.len()))
            .filter(|(_, _, numbers)| *numbers > 1)
            .collect();
        variables.sort_by_key(|(_, shapes, numbers)| std::cmp::Reverse((*shapes, *numbers)));
        let bytes = states.iter().map(|state| bytes(state)).sum::<usize>();
        Fullest { configurations: states.len(), shapes: shapes.len(), bytes, variables }
    }

    fn told(&self) -> String {
        let one = |(name, shapes, numbers): &(String, usize, usize)| match shapes {
            1 => format!("`{name}` ({numbers} numbers)"),
            _ => format!("`{name}` ({shapes} shapes, {numbers} with numbers)"),
        };
        let mut told: Vec<String> = self.variables.iter().take(VARIABLES).map(one).collect();
        if self.variables.len() > VARIABLES {
            told.push(format!("{} more", self.variables.len() - VARIABLES));
        }
        if told.is_empty() {
            told.push("how several variables go together".to_owned());
        }
        told.join(", ")
    }
}

/// What each variable reaches, alone.
fn parts(program: &Program, state: &State) -> Vec<(String, State)> {
    let mut bare = state.clone();
    bare.globals.clear();
    for frame in &mut bare.frames {
        frame.regs.iter_mut().for_each(|reg| *reg = None);
        frame.locals.clear();
        frame.allocas.clear();
    }
    let mut found = Vec::new();
    for (&global, &id) in &state.globals {
        if !program.globals[global].constant {
            let mut part = bare.clone();
            part.globals.insert(global, id);
            found.push((program.globals[global].name.clone(), part));
        }
    }
    for (level, frame) in state.frames.iter().enumerate() {
        let body = program.functions[frame.func].body.as_ref().filter(|_| !frame.cut);
        for (slot, val) in frame.regs.iter().enumerate().filter_map(|(slot, val)| Some((slot, (*val)?))) {
            let mut part = bare.clone();
            part.frames[level].regs[slot] = Some(val);
            found.push((register(body, slot, frame.cut), part));
        }
        for (&local, &id) in &frame.locals {
            let named = body.and_then(|body| Some(body.locals[local].variable.as_ref()?.name.clone()));
            let mut part = bare.clone();
            part.frames[level].locals.insert(local, id);
            found.push((named.unwrap_or_else(|| "a temporary".to_owned()), part));
        }
    }
    for (_, part) in &mut found {
        alone(part);
    }
    found
}

/// Only what is still reached.
fn alone(part: &mut State) {
    let (values, objects) = part.roots();
    let reached = part.reachable(&values, &objects);
    part.objects.retain(|id, _| reached.contains(id));
    let used = part.used_syms();
    part.keep_relations(&used);
    part.terms.clear();
}

fn register(body: Option<&heapproof_ir::Body>, slot: usize, cut: bool) -> String {
    if cut {
        return "what the caller holds".to_owned();
    }
    let info = body.and_then(|body| body.regs.values().nth(slot));
    match info.and_then(|info| info.variable.as_ref()) {
        Some(variable) => variable.name.clone(),
        None => format!("an intermediate result ({slot})"),
    }
}

/// About how much memory a configuration has for itself.
fn bytes(state: &State) -> usize {
    let object = size_of::<crate::graph::Object>();
    let own = |count: usize| if count <= 2 { 1 } else { 0 };
    let objects: usize = state
        .objects
        .values()
        .map(|rc| {
            16 + own(std::rc::Rc::strong_count(rc)) * (object + rc.cells.len() * 40 + rc.zeros.len() * 16)
        })
        .sum();
    let syms: usize = state
        .syms
        .values()
        .map(|rc| 16 + own(std::rc::Rc::strong_count(rc)) * size_of::<crate::graph::Sym>())
        .sum();
    let regs: usize = state.frames.iter().map(|frame| frame.regs.len() * size_of::<Option<Val>>()).sum();
    objects + syms + regs
}

fn name(program: &Program, (func, block): Place) -> String {
    let function = &program.functions[func];
    let span = function.body.as_ref().map_or(Span::NONE, |body| {
        let block = &body.blocks[block];
        let spans = block.insts.iter().map(|inst| inst.span).chain([block.term_span]);
        spans.into_iter().find(|span| span.is_known()).unwrap_or(Span::NONE)
    });
    format!("line {} of `{}`", span.line, function.name)
}
