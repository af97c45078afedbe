//! The state of the program at a place of the formula, and how states of several ways are joined.

use crate::plan::{Key, ObjKind, Plan};
use crate::ssa::Ssa;
use crate::value::{Pointer, Value, WILD};
use heapproof_ir::{Global, GlobalInit, Program, RelocTarget};
use heapproof_logic::{Sort, Term};
use std::collections::{BTreeMap, BTreeSet};

/// A guard, and the values of all variables where it holds.
#[derive(Clone, Debug)]
pub struct State {
    /// The place is reached.
    pub guard: Term,
    /// The variables.
    pub vars: BTreeMap<Key, Value>,
}

impl State {
    /// True if the place is surely not reached.
    pub fn is_dead(&self) -> bool {
        self.guard.as_bool() == Some(false)
    }
}

/// The content of some bytes of a global at the start.
pub fn initial(program: &Program, plan: &mut Plan, global: &Global, off: u64, len: u64) -> Option<Value> {
    let GlobalInit::Data { bytes, relocs } = &global.init else { return None };
    let word = program.target.pointer_bytes();
    let touches = |at: u64| at < off + len && at + word > off;
    let mut touching = relocs.iter().filter(|r| touches(r.offset));
    if let Some(reloc) = touching.next() {
        if reloc.offset != off || len != word || touching.next().is_some() {
            return None;
        }
        let obj = match reloc.target {
            RelocTarget::Global(global) => plan.object(ObjKind::Global(global)),
            RelocTarget::Func(func) => plan.object(ObjKind::Function(func)),
        };
        let width = program.target.pointer_bits();
        let base = Pointer::to(obj, width);
        let by = reloc.addend as u64;
        return Some(Value::Ptr(Pointer {
            off: Term::bits(u128::from(by) & heapproof_ir::mask(width), width),
            offsets: base.offsets.plus(by, width),
            ..base
        }));
    }
    if len > 16 {
        return None;
    }
    let byte = |at: u64| u128::from(bytes.get(at as usize).copied().unwrap_or(0));
    let number = (0..len).fold(0u128, |n, i| n | byte(off + i) << (8 * i));
    Some(Value::Int(Term::bits(number, (8 * len) as u8)))
}

/// A value that may be anything: a number of a width, or a pointer that was never assigned.
pub fn anything(ssa: &mut Ssa, name: &str, is_pointer: bool, bits: u8, width: u8) -> Value {
    if is_pointer {
        Value::Ptr(Pointer::to(WILD, width))
    } else {
        Value::Int(ssa.fresh(name, Sort::Bits(bits)))
    }
}

/// Joins the states of several ways to one place.
pub fn merge(
    ssa: &mut Ssa,
    mut states: Vec<State>,
    width: u8,
    default: &dyn Fn(Key) -> Option<Value>,
    name: &dyn Fn(Key) -> String,
) -> Option<State> {
    states.retain(|state| !state.is_dead());
    let last = states.pop()?;
    if states.is_empty() {
        return Some(last);
    }
    let guard = Term::or(states.iter().chain([&last]).map(|s| s.guard.clone()));
    let guard = if fault!(14) { states[0].guard.clone() } else { ssa.define("g", guard) };
    let keys: BTreeSet<Key> = states.iter().chain([&last]).flat_map(|s| s.vars.keys().copied()).collect();
    let mut vars = BTreeMap::new();
    for key in keys {
        let get = |state: &State| state.vars.get(&key).cloned().or_else(|| default(key));
        let known: Vec<Option<Value>> = states.iter().map(get).collect();
        let in_last = get(&last);
        if matches!(key, Key::Reg(..)) && (in_last.is_none() || known.iter().any(Option::is_none)) {
            // Not assigned on all ways: whoever reads it gets anything.
            continue;
        }
        let all: Vec<&Value> = known.iter().chain([&in_last]).flatten().collect();
        let Some(first) = all.first().map(|value| (*value).clone()) else { continue };
        if all.iter().all(|value| **value == first) {
            vars.insert(key, first);
            continue;
        }
        let mut value = in_last;
        for (state, known) in states.iter().zip(known).rev() {
            value = match (known, value) {
                (Some(new), Some(old)) => Some(Value::ite(&state.guard, &new, &old, width)),
                (new, old) => new.or(old),
            };
        }
        if let Some(value) = value {
            vars.insert(key, named(ssa, &name(key), value));
        }
    }
    Some(State { guard, vars })
}

/// The value under names of the formula.
pub fn named(ssa: &mut Ssa, name: &str, value: Value) -> Value {
    match value {
        Value::Int(term) => Value::Int(ssa.define(name, term)),
        Value::Ptr(p) => Value::Ptr(Pointer {
            obj: ssa.define(&format!("{name}.obj"), p.obj),
            off: match p.offsets.single() {
                Some(only) => Term::bits(u128::from(only) & heapproof_ir::mask(p.off.width()), p.off.width()),
                None => ssa.define(&format!("{name}.off"), p.off),
            },
            ..p
        }),
    }
}
