//! Each string literal of the source is an object of its own.
//!
//! clang makes one object of all literals of a file that agree in their characters. C leaves open whether they share memory, so
//! each place that names such an object gets a copy; that copies may be the same memory is for those who compare addresses.

use heapproof_ir::{Global, GlobalId, GlobalInit, Operand, Program, RelocTarget};
use std::collections::HashMap;

/// Literals that are named so far, and the copies that were made.
struct Copies<'p> {
    globals: &'p cranelift_entity::PrimaryMap<GlobalId, Global>,
    /// How often each was named.
    named: HashMap<GlobalId, usize>,
    made: Vec<Global>,
}

impl Copies<'_> {
    /// The object that a place names instead of one that others name, too.
    fn own(&mut self, global: GlobalId) -> GlobalId {
        // The name of a function is a variable, in spite of its being nameless for LLVM.
        let Some(literal) = self.globals.get(global).filter(|g| g.anonymous && g.name.starts_with(".str"))
        else {
            return global;
        };
        let times = self.named.entry(global).or_default();
        *times += 1;
        if *times == 1 {
            return global;
        }
        let name = format!("{} again {}", literal.name, *times - 1);
        self.made.push(Global { name, ..literal.clone() });
        GlobalId::from_u32((self.globals.len() + self.made.len() - 1) as u32)
    }
}

/// Gives each place that names a string literal a literal of its own.
pub fn separate(program: &mut Program) {
    let mut copies = Copies { globals: &program.globals, named: HashMap::new(), made: Vec::new() };
    for body in program.functions.values_mut().filter_map(|function| function.body.as_mut()) {
        for block in body.blocks.values_mut() {
            let mut operand = |operand: &mut Operand| {
                if let Operand::Global(global) = operand {
                    *global = copies.own(*global);
                }
            };
            block.insts.iter_mut().for_each(|inst| inst.kind.for_each_use_mut(&mut operand));
            block.term.for_each_use_mut(&mut operand);
        }
    }
    let mut moved = Vec::new();
    for (holder, global) in &program.globals {
        let GlobalInit::Data { relocs, .. } = &global.init else { continue };
        for (at, reloc) in relocs.iter().enumerate() {
            if let RelocTarget::Global(target) = reloc.target {
                moved.push((holder, at, copies.own(target)));
            }
        }
    }
    let made = copies.made;
    for (holder, at, target) in moved {
        if let GlobalInit::Data { relocs, .. } = &mut program.globals[holder].init {
            relocs[at].target = RelocTarget::Global(target);
        }
    }
    for global in made {
        program.globals.push(global);
    }
}
