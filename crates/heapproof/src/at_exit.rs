//! Leaks at exit: blocks that only `main` knows when it returns.
//!
//! Where they are no errors, `main` does not return but calls `exit`, and its variables live until then: so a block that they lead to is
//! reachable at the end, for every engine. The old body is kept: it shows which blocks that concerns.

use crate::engines::random::Generator;
use heapproof_confirm::vector::{Queued, Vector};
use heapproof_confirm::violations;
use heapproof_interp::{self as interp, Options, Outcome, Run};
use heapproof_ir::cfg::Cfg;
use heapproof_ir::{
    BlockId, Body, Callee, FuncId, Function, Inst, InstKind, Operand, Program, RelocTarget, Span, Terminator,
    Ty,
};
use heapproof_verdict::{Location, Property, PropertySet, Violation};
use std::collections::BTreeSet;

/// What to do with a block that is lost because `main` returns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum LeaksAtExit {
    /// Nothing
    Ignore,
    /// It is reported after the errors, and is none
    Note,
    /// It is an error as any leak
    #[default]
    Error,
}

/// `main` as it was.
#[derive(Clone, Debug)]
pub struct Returning {
    main: FuncId,
    body: Body,
}

impl Returning {
    /// Puts the body back.
    pub fn restore(self, program: &mut Program) {
        program.functions[self.main].body = Some(self.body);
    }
}

/// Lets `main` end by `exit`. None if that would change more than leaks: a handler of `atexit` may look at variables of `main` that are
/// no more, and a `main` that is called returns to its caller.
pub fn end_by_exit(program: &mut Program) -> Option<Returning> {
    let main = program.function("main")?;
    let body = program.functions[main].body.clone()?;
    let handlers = ["atexit", "on_exit", "at_quick_exit", "__cxa_atexit"];
    if handlers.iter().any(|name| program.function(name).is_some()) || is_used(program, main) {
        return None;
    }
    let returns = body.blocks.values().any(|block| matches!(block.term, Terminator::Return(_)));
    let known = program.function("exit").map(|id| &program.functions[id]);
    let fits = known.is_none_or(|f| f.body.is_none() && f.params == [Ty::Int(32)] && f.results.is_empty());
    if !returns || !fits {
        return None;
    }
    let exit = program.function("exit").unwrap_or_else(|| program.functions.push(exit()));
    if let Some(body) = &mut program.functions[main].body {
        rewrite(body, exit);
    }
    Some(Returning { main, body })
}

/// Executions that are looked at for leaks at exit, and the most steps of each.
const EXECUTIONS: u64 = 48;
const STEPS: u64 = 20_000;

/// The blocks that only `main` knows when it returns, in some executions. The program is as it was afterwards.
pub fn leaks(program: &mut Program, returning: Returning, options: &Options, seed: u64) -> Vec<Violation> {
    let mut options = Options { max_steps: options.max_steps.min(STEPS), go_on: false, ..options.clone() };
    options.environment.properties = PropertySet::new("leaks", [Property::ValidMemtrack]);
    let mut generator = Generator::new(program, seed);
    let mut runs: Vec<(Vector, BTreeSet<Location>)> = Vec::new();
    for _ in 0..EXECUTIONS {
        let run = generator.run(program, &options);
        let alone = run.inputs.is_empty();
        if !matches!(run.outcome, Outcome::Stopped { .. }) {
            runs.push((Vector::of_records(&run.inputs), locations(&run)));
        }
        if alone {
            break;
        }
    }
    returning.restore(program);
    options.record_path = true;
    let mut all: Vec<Violation> = Vec::new();
    for (inputs, others) in runs {
        let run = interp::run(program, &options, &mut Queued::new(&inputs));
        for leak in violations(&run) {
            if !others.contains(&leak.location) && !all.iter().any(|known| known.location == leak.location) {
                all.push(leak);
            }
        }
    }
    all
}

/// Where an execution has errors.
fn locations(run: &Run) -> BTreeSet<Location> {
    violations(run).into_iter().map(|violation| violation.location).collect()
}

/// The declaration of `exit`.
fn exit() -> Function {
    Function {
        name: "exit".to_owned(),
        params: vec![Ty::Int(32)],
        results: Vec::new(),
        variadic: false,
        internal: false,
        ctype: None,
        span: Span::NONE,
        body: None,
    }
}

/// True if the program calls a function or takes its address.
fn is_used(program: &Program, func: FuncId) -> bool {
    let bodies = program.functions.values().filter_map(|function| function.body.as_ref());
    let mut found = false;
    for block in bodies.flat_map(|body| body.blocks.values()) {
        let mut look = |operand: &Operand| found |= *operand == Operand::Func(func);
        for inst in &block.insts {
            inst.kind.for_each_use(&mut look);
        }
        block.term.for_each_use(&mut look);
        let calls = |inst: &Inst| matches!(inst.kind, InstKind::Call { callee: Callee::Direct(to), .. } if to == func);
        found |= block.insts.iter().any(calls);
    }
    let in_data = program.globals.values().any(|global| match &global.init {
        heapproof_ir::GlobalInit::External => false,
        heapproof_ir::GlobalInit::Data { relocs, .. } => {
            relocs.iter().any(|reloc| reloc.target == RelocTarget::Func(func))
        }
    });
    found || in_data
}

/// True if an instruction only ends the life of variables.
fn ends_life(kind: &InstKind) -> bool {
    matches!(kind, InstKind::Forget { .. } | InstKind::ScopeEnd { .. } | InstKind::StackRestore { .. })
}

/// True if an instruction may stand between the ends of variables and the return: the result is fetched.
fn is_closing(kind: &InstKind) -> bool {
    ends_life(kind) || matches!(kind, InstKind::Copy { .. } | InstKind::Load { ptr: Operand::Local(_), .. })
}

fn rewrite(body: &mut Body, exit: FuncId) {
    let cfg = Cfg::new(body);
    // Blocks in which nothing but the end is left to be done. Successors come first.
    let mut closing: Vec<BlockId> = Vec::new();
    let mut ending: Vec<BlockId> = Vec::new();
    for block in cfg.reverse_postorder().iter().rev() {
        let next = body.blocks[*block].term.successors();
        let ends = match body.blocks[*block].term {
            Terminator::Return(_) => true,
            Terminator::Unreachable => false,
            _ => next.iter().all(|to| closing.contains(to)),
        };
        if ends {
            ending.push(*block);
            if body.blocks[*block].insts.iter().all(|inst| is_closing(&inst.kind)) {
                closing.push(*block);
            }
        }
    }
    for id in ending {
        let block = &mut body.blocks[id];
        let start = block.insts.iter().rposition(|inst| !is_closing(&inst.kind)).map_or(0, |at| at + 1);
        let tail = block.insts.split_off(start);
        block.insts.extend(tail.into_iter().filter(|inst| !ends_life(&inst.kind)));
        if let Terminator::Return(values) = &block.term {
            let zero = Operand::Int { bits: 0, width: 32 };
            let status = values.first().copied().unwrap_or(zero);
            let is_int = body.operand_ty(&status) == Ty::Int(32);
            let args = vec![if is_int { status } else { zero }];
            let kind = InstKind::Call { results: Vec::new(), callee: Callee::Direct(exit), args };
            let block = &mut body.blocks[id];
            block.insts.push(Inst { kind, span: block.term_span });
            block.term = Terminator::Unreachable;
        }
    }
}
