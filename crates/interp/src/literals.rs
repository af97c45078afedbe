//! Addresses of string literals. C leaves open whether literals that agree in their characters share memory, so whether two of their
//! addresses are equal may be up to the compiler.

use heapproof_ir::{Global, GlobalId, GlobalInit, Operand, Program, RelocTarget};
use std::collections::HashSet;
use std::sync::OnceLock;

/// What is known about the literals of a program.
#[derive(Default)]
pub(crate) struct Literals {
    /// Those that the program names at more than one place: one object here, several literals in the source.
    shared: OnceLock<HashSet<GlobalId>>,
}

impl Literals {
    /// True if a literal is named at one place only, so that all its addresses come from there.
    pub fn is_one(&self, program: &Program, literal: GlobalId) -> bool {
        !self.shared.get_or_init(|| shared(program)).contains(&literal)
    }
}

/// The nameless objects that are named at more than one place.
fn shared(program: &Program) -> HashSet<GlobalId> {
    let (mut once, mut more) = (HashSet::new(), HashSet::new());
    let mut name = |global: GlobalId| {
        if program.globals[global].anonymous && !once.insert(global) {
            more.insert(global);
        }
    };
    for body in program.functions.values().filter_map(|function| function.body.as_ref()) {
        for block in body.blocks.values() {
            let mut operand = |operand: &Operand| {
                if let Operand::Global(global) = operand {
                    name(*global);
                }
            };
            block.insts.iter().for_each(|inst| inst.kind.for_each_use(&mut operand));
            block.term.for_each_use(&mut operand);
        }
    }
    for global in program.globals.values() {
        let GlobalInit::Data { relocs, .. } = &global.init else { continue };
        for reloc in relocs {
            if let RelocTarget::Global(target) = reloc.target {
                name(target);
            }
        }
    }
    more
}

/// True if two literals may lie so that a place in one is a place in the other: where they would overlap, they agree.
pub(crate) fn may_meet((a, at): (&Global, i64), (b, bt): (&Global, i64)) -> bool {
    let (Some(x), Some(y)) = (characters(a), characters(b)) else { return true };
    let before = at.min(bt);
    let after = (a.size as i64 - at).min(b.size as i64 - bt);
    // The end of an object may be anywhere.
    if before < 0 || after <= 0 {
        return true;
    }
    (-before..after).all(|by| x((at + by) as usize) == y((bt + by) as usize))
}

/// The bytes of an object without addresses.
fn characters(global: &Global) -> Option<impl Fn(usize) -> u8> {
    match &global.init {
        GlobalInit::Data { bytes, relocs } if relocs.is_empty() => {
            Some(|at| bytes.get(at).copied().unwrap_or(0))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meet(a: (&str, i64), b: (&str, i64)) -> bool {
        let text = |text: &str| format!("size {} align 1 anonymous = \"{text}\\0\"", text.len() + 1);
        let program = format!("global g0 \"a\" {}\nglobal g1 \"b\" {}", text(a.0), text(b.0));
        let program: Program = program.parse().unwrap();
        let globals: Vec<&Global> = program.globals.values().collect();
        may_meet((globals[0], a.1), (globals[1], b.1))
    }

    #[test]
    fn literals_meet_where_their_characters_agree() {
        assert!(meet(("abc", 0), ("abc", 0)));
        // A linker puts the second into the first.
        assert!(meet(("abc", 1), ("bc", 0)));
        assert!(!meet(("abc", 0), ("bc", 0)));
        assert!(!meet(("abc", 0), ("xbc", 0)));
        assert!(!meet(("abc", 1), ("xbc", 1)));
        assert!(!meet(("ab", 0), ("abc", 0)));
        // Behind the last byte anything may lie.
        assert!(meet(("abc", 4), ("xyz", 0)));
    }

    #[test]
    fn a_literal_that_is_named_twice_may_be_two() {
        let text = "global g0 \"a\" size 2 align 1 anonymous = \"x\\0\"\nglobal g1 \"b\" size 2 align 1 anonymous = \"y\\0\"\n\
                    func f0 \"f\"() -> (ptr) {\nb0:\n  r0 = cmp eq ptr g0, g1\n  return g0\n}";
        let program: Program = text.parse().unwrap();
        let literals = Literals::default();
        let ids: Vec<GlobalId> = program.globals.keys().collect();
        assert!(!literals.is_one(&program, ids[0]));
        assert!(literals.is_one(&program, ids[1]));
    }
}
