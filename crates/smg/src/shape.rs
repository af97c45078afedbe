//! What the engine knows of each function before it executes anything.

use crate::tree::Trees;
use heapproof_ir::cfg::Cfg;
use heapproof_ir::liveness::Liveness;
use heapproof_ir::wto::Wto;
use heapproof_ir::{BlockId, Body, Callee, FuncId, InstKind, Operand, Program, Span, Terminator};
use std::collections::{BTreeMap, BTreeSet};

/// What is known of a program before anything is executed.
pub struct Outline {
    /// The control flow of the functions with code.
    pub shapes: BTreeMap<FuncId, Shape>,
    /// The numbers at which ranges stop growing first.
    pub constants: BTreeSet<i128>,
    /// The numbers that the program writes down, which may tell nodes apart.
    pub tags: BTreeSet<i128>,
    /// The structures whose nodes may be merged to trees.
    pub trees: Trees,
}

impl Outline {
    /// Looks at a program.
    pub fn of(program: &Program) -> Outline {
        Outline {
            shapes: shapes(program),
            constants: constants(program),
            tags: crate::care::tags(program),
            trees: Trees::of(program),
        }
    }
}

/// The control flow of a function.
pub struct Shape {
    /// The blocks with their predecessors.
    pub cfg: Cfg,
    /// The order in which blocks are executed, with the loops.
    pub wto: Wto,
    /// The registers that are still read.
    pub live: Liveness,
    /// The address of an object whose scope is not marked may outlive the scope.
    pub escape: Option<Span>,
    /// It has loops or calls functions with code.
    pub takes_long: bool,
    /// How many of its instructions call functions with code.
    pub calls: usize,
}

impl Shape {
    /// True for a block to which a loop is left.
    pub fn is_behind_loop(&self, block: BlockId) -> bool {
        let around: Vec<BlockId> = self.wto.heads(block).collect();
        let left =
            |from: &BlockId| self.wto.heads(*from).any(|head| head != block && !around.contains(&head));
        self.cfg.predecessors(block).iter().any(left)
    }

    /// True if paths come together at a block.
    pub fn is_meeting(&self, block: BlockId) -> bool {
        self.wto.is_head(block) || self.cfg.predecessors(block).len() > 1
    }
}

/// The shapes of all functions with code.
fn shapes(program: &Program) -> BTreeMap<FuncId, Shape> {
    let bodies = program.functions.iter().filter_map(|(id, f)| Some((id, f.body.as_ref()?)));
    bodies
        .map(|(id, body)| {
            let cfg = Cfg::new(body);
            let (wto, live) = (Wto::new(&cfg), Liveness::new(body, &cfg));
            let has_loop = body.blocks.keys().any(|block| wto.is_head(block));
            let calls = calls(program, body);
            let takes_long = has_loop || calls > 0;
            (id, Shape { cfg, wto, live, escape: heapproof_ir::scope::escape(body), takes_long, calls })
        })
        .collect()
}

/// How many instructions call functions with code.
fn calls(program: &Program, body: &Body) -> usize {
    let is_call = |inst: &&heapproof_ir::Inst| match &inst.kind {
        InstKind::Call { callee: Callee::Direct(func), .. } => program.functions[*func].body.is_some(),
        InstKind::Call { .. } => true,
        _ => false,
    };
    body.blocks.values().flat_map(|block| &block.insts).filter(is_call).count()
}

/// The numbers of the program, at which ranges stop growing first.
fn constants(program: &Program) -> BTreeSet<i128> {
    let mut numbers = BTreeSet::from([-1, 0, 1]);
    let mut note = |bits: u128, width: u8| {
        let number = heapproof_ir::sign_extend(bits, width);
        numbers.extend([number.saturating_sub(1), number, number.saturating_add(1)]);
    };
    for body in program.functions.values().filter_map(|f| f.body.as_ref()) {
        for block in body.blocks.values() {
            for inst in &block.insts {
                if matches!(inst.kind, InstKind::Cmp { .. }) {
                    inst.kind.for_each_use(|operand| {
                        if let Operand::Int { bits, width } = operand {
                            note(*bits, *width);
                        }
                    });
                }
                if let InstKind::Select { a, b, .. } = &inst.kind {
                    for operand in [a, b] {
                        if let Operand::Int { bits, width } = operand {
                            note(*bits, *width);
                        }
                    }
                }
            }
            if let Terminator::Switch { cases, width, .. } = &block.term {
                cases.iter().for_each(|(bits, _)| note(*bits, *width));
            }
        }
    }
    numbers
}
