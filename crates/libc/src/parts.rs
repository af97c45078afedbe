//! Library functions that are programs in C (`crates/libc/parts`), kept compiled: every engine executes them like any other
//! function of the program. A test of the front end compiles them anew and compares.

use heapproof_ir::{
    Body, Callee, FuncId, Function, Global, GlobalId, GlobalInit, InstKind, Operand, Program, RelocTarget,
    Target,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// The functions, one on each line.
const NAMES: &str = include_str!("../parts/names");

static LP64: LazyLock<Program> = LazyLock::new(|| parse(include_str!("../parts/lp64.ir")));
static ILP32: LazyLock<Program> = LazyLock::new(|| parse(include_str!("../parts/ilp32.ir")));
static SORTED: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| NAMES.lines().collect());

fn parse(text: &str) -> Program {
    text.parse().unwrap_or_else(|error| panic!("the parts of the library: {error}"))
}

/// True if a function is one of them.
pub(crate) fn has(name: &str) -> bool {
    SORTED.contains(name)
}

/// Gives bodies to the `wanted` functions of the parts, which the program declares as the library has them and does not define.
/// The instructions have no positions. The names of the functions are returned.
pub(crate) fn link(program: &mut Program, wanted: &impl Fn(&str) -> bool) -> Vec<&'static str> {
    let declared: Vec<(FuncId, &'static str)> = program
        .functions
        .iter()
        .filter(|(_, function)| function.body.is_none())
        .filter_map(|(id, function)| Some((id, *SORTED.get(function.name.as_str())?)))
        .filter(|(_, name)| wanted(name))
        .collect();
    if declared.is_empty() {
        return Vec::new();
    }
    let library: &'static Program = match program.target {
        Target::Lp64 => &LP64,
        Target::Ilp32 => &ILP32,
    };
    let mut import = Import { program, library, functions: BTreeMap::new(), globals: BTreeMap::new() };
    let mut linked = Vec::new();
    for (id, name) in declared {
        let Some(part) = library.function(name) else { continue };
        let (own, other) = (&import.program.functions[id], &library.functions[part]);
        if own.params == other.params && own.results == other.results && own.variadic == other.variadic {
            import.functions.insert(part, id);
            linked.push((id, part, name));
        }
    }
    for (id, part, _) in &linked {
        import.give_body(*id, *part);
    }
    linked.into_iter().map(|(_, _, name)| name).collect()
}

/// What was copied from the library to the program so far.
struct Import<'a> {
    program: &'a mut Program,
    library: &'static Program,
    functions: BTreeMap<FuncId, FuncId>,
    globals: BTreeMap<GlobalId, GlobalId>,
}

impl Import<'_> {
    fn give_body(&mut self, id: FuncId, part: FuncId) {
        let mut body = self.library.functions[part].body.clone();
        if let Some(body) = &mut body {
            self.rename(body);
        }
        self.program.functions[id].body = body;
    }

    /// What a body names becomes what the program has in its place.
    fn rename(&mut self, body: &mut Body) {
        for block in body.blocks.values_mut() {
            for inst in &mut block.insts {
                inst.kind.for_each_use_mut(|operand| self.rename_operand(operand));
                if let InstKind::Call { callee: Callee::Direct(func), .. } = &mut inst.kind {
                    *func = self.function(*func);
                }
            }
            block.term.for_each_use_mut(|operand| self.rename_operand(operand));
        }
    }

    fn rename_operand(&mut self, operand: &mut Operand) {
        match operand {
            Operand::Global(global) => *global = self.global(*global),
            Operand::Func(func) => *func = self.function(*func),
            _ => {}
        }
    }

    /// A function that a part calls: one of its own, which the program does not see, or one that the program may define.
    fn function(&mut self, part: FuncId) -> FuncId {
        if let Some(known) = self.functions.get(&part) {
            return *known;
        }
        let function = &self.library.functions[part];
        // A part that calls the model of the function that it stands for.
        if let Some(name) = function.name.strip_suffix(" itself") {
            let id = self.program.functions.push(Function { name: name.to_owned(), ..function.clone() });
            self.functions.insert(part, id);
            return id;
        }
        if function.body.is_none()
            && let Some(own) = self.program.function(&function.name)
        {
            self.functions.insert(part, own);
            return own;
        }
        let mut copy = Function { body: None, ..function.clone() };
        if function.body.is_some() {
            (copy.name, copy.internal) = (format!("{} in the C library", function.name), true);
        }
        let id = self.program.functions.push(copy);
        self.functions.insert(part, id);
        self.give_body(id, part);
        id
    }

    fn global(&mut self, part: GlobalId) -> GlobalId {
        if let Some(known) = self.globals.get(&part) {
            return *known;
        }
        let global = &self.library.globals[part];
        if let (GlobalInit::External, Some(own)) = (&global.init, self.program.global(&global.name)) {
            self.globals.insert(part, own);
            return own;
        }
        let name = match global.init {
            GlobalInit::External => global.name.clone(),
            GlobalInit::Data { .. } => format!("{} in the C library", global.name),
        };
        let id = self.program.globals.push(Global { name, ..global.clone() });
        self.globals.insert(part, id);
        let mut init = global.init.clone();
        if let GlobalInit::Data { relocs, .. } = &mut init {
            for reloc in relocs {
                reloc.target = match reloc.target {
                    RelocTarget::Global(global) => RelocTarget::Global(self.global(global)),
                    RelocTarget::Func(func) => RelocTarget::Func(self.function(func)),
                };
            }
        }
        self.program.globals[id].init = init;
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_are_valid_on_both_targets() {
        for library in [&*LP64, &*ILP32] {
            assert_eq!(heapproof_ir::check::check(library), []);
            assert!(SORTED.iter().all(|name| library.function(name).is_some()));
        }
    }

    #[test]
    fn only_fitting_declarations_are_linked() {
        let linked = |text: &str| {
            let mut program = text.parse().unwrap();
            let names = link(&mut program, &|_: &str| true);
            assert_eq!(heapproof_ir::check::check(&program), []);
            names
        };
        assert_eq!(linked("func f0 \"lrand48\"() -> (i64)"), ["lrand48"]);
        assert_eq!(linked("func f0 \"lrand48\"() -> (i32)"), [""; 0]);
        assert_eq!(linked("target ilp32\nfunc f0 \"lrand48\"() -> (i32)"), ["lrand48"]);
    }
}
