//! LLVM module to `ir`, at once and completely: what has no meaning becomes a located `Unsupported`.

mod aggregate;
mod alias;
mod asm;
mod atomic;
mod body;
mod call;
mod closing;
mod constant;
mod debug;
mod extent;
mod fpclass;
mod global;
mod inst;
mod intrinsic;
mod lifetime;
mod literals;
mod open;
mod overflow;
mod padding;
mod phi;
mod startup;
mod terminator;
mod types;
mod variadic;
mod vector;
mod wide;

use crate::llvm::{BasicBlock, Layout, Meta, Module, Value};
use crate::source::{Source, Sources};
use debug::DebugInfo;
use heapproof_ir::{Body, FuncId, Function, GlobalId, Inst, InstKind, Program, Span, Target, Variable};
use std::collections::{HashMap, HashSet};

/// Why something does not lower, in words.
type Unsupported = String;

/// Lowers a whole module.
pub fn program<'m>(
    module: &'m Module,
    files: &[Source],
    sources: &'m mut Sources,
    target: Target,
) -> Program {
    let mut lowering = Lowering::new(module, files, sources, target);
    let is_ours = |name: &str| name.starts_with("llvm.") || name.starts_with(open::MARK);
    let functions: Vec<_> = module.functions().filter(|f| !is_ours(&f.name())).collect();
    let globals: Vec<_> = module.globals().filter(|g| !g.name().starts_with("llvm.")).collect();
    for &global in &globals {
        lowering.declare_global(global);
    }
    for &function in &functions {
        lowering.declare_function(function);
    }
    for &function in &functions {
        lowering.import_variables(function);
    }
    lowering.debug.finish(&mut lowering.program.types, &mut lowering.program.files);
    for &global in &globals {
        lowering.define_global(global);
    }
    for &function in &functions {
        lowering.define_function(function);
    }
    lowering.name_aliases(module);
    lowering.run_before_main(module);
    lowering.distrust_assembly(&module.assembly());
    lowering.debug.tell_compiled(lowering.sources);
    literals::separate(&mut lowering.program);
    lowering.program
}

/// What is known while a module is lowered.
struct Lowering<'m> {
    layout: Layout<'m>,
    program: Program,
    globals: HashMap<Value<'m>, GlobalId>,
    functions: HashMap<Value<'m>, FuncId>,
    debug: DebugInfo<'m>,
    /// The C variables by their `alloca` or argument.
    variables: HashMap<Value<'m>, Variable>,
    /// Where the variables are declared: the scope, and the instruction that tells.
    declarations: HashMap<Value<'m>, (Option<Meta<'m>>, Value<'m>)>,
    /// The `alloca`s that are declared as parameters.
    parameters: HashSet<Value<'m>>,
    sources: &'m mut Sources,
    /// Numbers that stand for the addresses of labels.
    labels: HashMap<BasicBlock<'m>, u64>,
}

impl<'m> Lowering<'m> {
    fn new(module: &'m Module, files: &[Source], sources: &'m mut Sources, target: Target) -> Self {
        let mut program = Program {
            target,
            files: Default::default(),
            types: Default::default(),
            globals: Default::default(),
            functions: Default::default(),
        };
        let any = module.functions().next().or_else(|| module.globals().next());
        let debug = DebugInfo::new(files, any, &mut program.files);
        Lowering {
            layout: module.layout(),
            program,
            globals: HashMap::new(),
            functions: HashMap::new(),
            debug,
            variables: HashMap::new(),
            declarations: HashMap::new(),
            parameters: HashSet::new(),
            sources,
            labels: HashMap::new(),
        }
    }

    /// Assembly outside functions may define, rename and alias any symbol, so no execution is known to be what it
    /// seems: every function begins with what is not supported.
    fn distrust_assembly(&mut self, text: &str) {
        let harmless = |line: &str| line.is_empty() || line.starts_with('#') || line.starts_with(".ident");
        let Some(first) = text.lines().map(str::trim).find(|line| !harmless(line)) else { return };
        let what = format!("assembly outside functions: `{first}`");
        for function in self.program.functions.values_mut() {
            let Some(body) = &mut function.body else { continue };
            let kind = InstKind::Unsupported { results: Vec::new(), what: what.clone() };
            body.blocks[Body::ENTRY].insts.insert(0, Inst { kind, span: function.span });
        }
    }

    fn declare_function(&mut self, value: Value<'m>) {
        let ty = value.value_type();
        let params = ty.params().into_iter().flat_map(|p| self.parts_or_none(p)).collect();
        let results = self.parts_or_none(ty.result());
        let (ctype, span) = match value.subprogram() {
            Some(meta) => (
                self.debug.subprogram_type(meta, value, &mut self.program.types),
                self.debug.declaration(meta.scope_file(), meta.subprogram_line(), 0, &mut self.program.files),
            ),
            None => (None, Span::NONE),
        };
        let function = Function {
            name: value.name(),
            params,
            results,
            variadic: ty.is_variadic(),
            internal: value.is_internal(),
            ctype,
            span,
            body: None,
        };
        self.functions.insert(value, self.program.functions.push(function));
    }

    /// The number that stands for the address of a label. Such an address is only ever compared and jumped to.
    fn label_code(&mut self, block: BasicBlock<'m>) -> u64 {
        const BASE: u64 = 0x1000_0000;
        let next = BASE + 16 * self.labels.len() as u64;
        *self.labels.entry(block).or_insert(next)
    }
}
