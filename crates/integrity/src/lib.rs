//! Engine `integrity`: functions of a module, each on its own, on data structures of any shape.
//!
//! The paper is Duck, Jaffar and Yap, "Shape neutral analysis of graph-based data-structures". Node types come from the structures
//! of the program (`nodes.rs`), the solver for their constraints is generated as constraint handling rules (`rules.rs`). The integrity
//! constraint (every link of a node is null or a node of the right type) is assumed and shown at cut points: entry,
//! exit, loop heads, and calls that are not entered (`function.rs`). In between, paths are executed one by one (`exec.rs`).
//! A block that was just allocated is own memory of the function until its address is stored or handed over; only then
//! it has to be a node, so `malloc` without zeroing is no worse than with it.
//!
//! A node may be freed if nothing leads to it at the next cut point. Where that needs to know the shape, the function is not decided.

/// True if the deliberate fault of this number is switched on. Never without the feature `faults`, which is there to see
/// whether the tests notice.
macro_rules! fault {
    ($number:literal) => {
        cfg!(feature = "faults") && crate::FAULT.load(std::sync::atomic::Ordering::Relaxed) == $number
    };
}

/// The deliberate fault that is switched on, with the feature `faults`; 0 for none.
#[doc(hidden)]
pub static FAULT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);

mod callbacks;
mod calls;
mod engine;
mod entry;
mod exec;
mod facts;
pub mod formula;
mod function;
mod generate;
mod globals;
mod memory;
mod picture;
mod prove;
mod publish;
mod ranges;
pub mod requires;
pub mod rules;
mod state;
mod step;
mod summary;
mod world;

pub use engine::Integrity;
pub use generate::{Found, MOST_RUNS};

use crate::function::{Prover, back_callers};
use crate::state::{Hint, State, Sym};
use heapproof_chr::syntax::{Comparison, Formula, Term};
use heapproof_chr::{Answer, Options, Solver, SyntaxError};
use heapproof_engine::{Environment, Resolutions};
use heapproof_ir::nodes::{Link, NodeType, Nodes};
use heapproof_ir::{CType, FuncId, Program, Span, TypeId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Why a function is not proved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Why {
    /// A pointer that is dereferenced may be null.
    #[error("a pointer that is dereferenced may be null")]
    MayBeNull,
    /// An address that is not known to be a node.
    #[error("what is accessed is not known to be a node of its type")]
    NoNode,
    /// A pointer to a link that is not known to be one.
    #[error("what is accessed is not known to be a link")]
    NoCell,
    /// An access outside of a node or block.
    #[error("this is no field of the node, or lies outside of the block")]
    Outside,
    /// An address of unknown origin.
    #[error("nothing is known about the address that is accessed")]
    Wild,
    /// A block that is too small for its type becomes a node.
    #[error("a block that is too small for its type becomes a node")]
    TooSmall,
    /// An argument that is not known to be a node.
    #[error("an argument is not known to be null or a node")]
    BadArgument,
    /// The constraint is not shown.
    #[error("a link may be neither null nor a node here")]
    NotClosed,
    /// A variable or result that is not known to be a node.
    #[error("a variable or result is not known to be null or a node")]
    BadPointer,
    /// A node on the stack is linked when its scope ends.
    #[error("a link may lead to a node on the stack whose scope ends")]
    LinkedLocal,
    /// More paths than can be followed.
    #[error("there are too many paths")]
    TooManyPaths,
    /// What is called or kept as a function may be something else.
    #[error("this may be no function, or one that touches nodes")]
    NoFunction,
    /// Memory is freed.
    #[error("memory is freed, which needs to know the shape")]
    Frees,
    /// An external function.
    #[error("`{0}` is not known to this engine")]
    External(String),
    /// A callee with a precondition.
    #[error("`{0}` has a precondition of its own")]
    CalleeRequires(String),
    /// A callee that is not proved.
    #[error("`{0}`, which is called, is not proved")]
    Callee(String),
    /// Something that the engine does not cover.
    #[error("{0} is not covered")]
    Unsupported(&'static str),
    /// A limit.
    #[error("{0}")]
    Limit(&'static str),
}

/// Where and why the proof of a function ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// Why.
    pub why: Why,
    /// Where.
    pub span: Span,
}

impl Stop {
    fn new(why: Why, span: Span) -> Stop {
        Stop { why, span }
    }
}

/// What was found out about a function.
#[derive(Clone, Debug)]
pub struct FunctionResult {
    /// The function.
    pub function: FuncId,
    /// Its name.
    pub name: String,
    /// `Ok` if it is proved.
    pub result: Result<(), Stop>,
    /// The proof uses that these functions keep the constraint.
    pub uses: BTreeSet<FuncId>,
    /// What it calls.
    pub called: BTreeSet<FuncId>,
    /// It calls functions that it was given.
    pub called_back: bool,
    /// Pointers to functions in nodes are written.
    pub writes_functions: bool,
    /// It may set a pointer to a function in a node to null.
    pub nulls_functions: bool,
    /// Nodes are freed.
    pub frees_nodes: bool,
    /// Parameters of static functions that could not be shown to be other than null.
    pub unshown: BTreeSet<(FuncId, usize)>,
    /// How many goals were solved.
    pub goals: u64,
    /// How long the proof took, with the search for facts.
    pub elapsed: std::time::Duration,
}

/// What is known of calls of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Summary {
    changes: BTreeSet<Link>,
    /// Links that are never null afterwards where they were not before.
    keeps: BTreeSet<Link>,
    result_not_null: bool,
    not_null_if: BTreeSet<usize>,
}

/// Goals that were asked, as text for people: `None` keeps none.
pub type Dump = Option<Vec<String>>;

/// Says whether to end.
pub type Over<'a> = &'a (dyn Fn() -> bool + Sync);

#[derive(Clone)]
struct Analysis<'a> {
    program: &'a Program,
    environment: &'a Environment,
    resolutions: Arc<Resolutions>,
    nodes: Arc<Nodes>,
    globals: Arc<globals::Globals>,
    solver: Solver,
    loop_free: BTreeSet<FuncId>,
    summaries: BTreeMap<FuncId, Summary>,
    /// The proof uses that these keep the constraint.
    uses: BTreeSet<FuncId>,
    /// All that is called, or could be.
    called: BTreeSet<FuncId>,
    called_back: bool,
    /// Which functions of the module values are known to be.
    function_names: BTreeMap<Sym, FuncId>,
    /// Functions that may write pointers to functions in nodes, themselves or by calls.
    function_writers: BTreeSet<FuncId>,
    /// Functions that may set pointers to functions in nodes to null, and all that call them.
    function_nullers: BTreeSet<FuncId>,
    /// Functions that call through pointers, and all that call them.
    back_callers: BTreeSet<FuncId>,
    /// The analysed function is one of these.
    may_write_functions: bool,
    may_null_functions: bool,
    /// Functions that may free nodes, themselves or by calls.
    freers: BTreeSet<FuncId>,
    /// A node was freed, to be compared with that.
    frees_nodes: bool,
    /// Functions that need their callbacks; the others bear null.
    needs_callbacks: BTreeSet<FuncId>,
    /// Parameters of static functions that are taken not to be null: all calls show it.
    assumed: BTreeMap<FuncId, BTreeSet<usize>>,
    /// Such parameters of which a call could not show it.
    unshown: BTreeSet<(FuncId, usize)>,
    /// A pointer to a function in a node was written, to be compared with that.
    nulls_functions: bool,
    writes_functions: bool,
    /// Links that were written, to be compared with what the summary says.
    touched: BTreeSet<Link>,
    /// Obligations are shown; otherwise only candidates for facts are tried.
    checking: bool,
    /// Small functions are entered.
    entering: bool,
    /// More kinds of facts are tried.
    rich: bool,
    /// Results of arithmetic, by what they depend on.
    computed: BTreeMap<(String, Vec<Sym>), Sym>,
    /// Comparisons of numbers, by what stands for their truth.
    comparisons: BTreeMap<Sym, ranges::Compared>,
    vars: u32,
    goals: u64,
    dump: Dump,
    over: Option<Over<'a>>,
}

/// The whole answer.
#[derive(Clone, Debug)]
pub struct Report {
    /// One entry for each function with a body.
    pub functions: Vec<FunctionResult>,
    /// The generated rules.
    pub rules: String,
    /// The goals that were solved, if asked for.
    pub goals: Dump,
}

/// Analyses all functions that have a body, as far as there is time.
pub fn analyse(
    program: &Program,
    environment: &Environment,
    keep_goals: bool,
    over: Option<Over<'_>>,
) -> Result<Report, SyntaxError> {
    let nodes = Nodes::new(program);
    let text = rules::text(&nodes);
    let options = Options { steps: 300_000, conflicts: 3_000 };
    let solver = Solver::new(&rules::rules(&nodes)?, options)?;
    let base = Analysis {
        program,
        environment,
        resolutions: Arc::new(Resolutions::new(program, environment)),
        globals: Arc::new(globals::Globals::new(program, &nodes)),
        nodes: Arc::new(nodes),
        solver,
        loop_free: BTreeSet::new(),
        summaries: BTreeMap::new(),
        uses: BTreeSet::new(),
        called: BTreeSet::new(),
        called_back: false,
        function_names: BTreeMap::new(),
        function_writers: BTreeSet::new(),
        function_nullers: BTreeSet::new(),
        back_callers: back_callers(program),
        may_write_functions: false,
        may_null_functions: false,
        freers: BTreeSet::new(),
        frees_nodes: false,
        needs_callbacks: BTreeSet::new(),
        assumed: BTreeMap::new(),
        unshown: BTreeSet::new(),
        writes_functions: false,
        nulls_functions: false,
        touched: BTreeSet::new(),
        checking: false,
        entering: true,
        rich: false,
        computed: BTreeMap::new(),
        comparisons: BTreeMap::new(),
        vars: 0,
        goals: 0,
        dump: keep_goals.then(Vec::new),
        over,
    };
    let mut prover = Prover::new(base);
    let functions = prover.run();
    Ok(Report { functions, rules: text, goals: keep_goals.then_some(prover.dump) })
}

/// Looks for states in which a function goes wrong, by running it in small graphs.
pub fn search(program: &Program, environment: &Environment, function: FuncId, over: Over<'_>) -> Vec<Found> {
    let nodes = Nodes::new(program);
    let Some(body) = program.functions[function].body.as_ref() else { return Vec::new() };
    let names = entry::parameter_names(body);
    let generator = generate::Generator::new(program, &nodes, environment, function, names);
    generator.map(|generator| generator.search(over)).unwrap_or_default()
}

impl Analysis<'_> {
    fn is_over(&self) -> bool {
        self.over.is_some_and(|over| over())
    }

    /// Whether the path implies the formula.
    fn holds(&mut self, state: &State, formula: &Formula) -> bool {
        let mut goal = self.background();
        goal.extend(state.path.iter().cloned());
        goal.push(formula.clone().negated());
        let goal = Formula::And(goal);
        self.goals += 1;
        let answer = self.solver.solve_formula(goal.clone());
        let shown = answer == Ok(Answer::Unsat);
        if self.checking
            && let Some(dump) = &mut self.dump
        {
            dump.push(format!("// {}\n{goal};\n", if shown { "unsat" } else { "unknown" }));
        }
        shown
    }

    /// Whether the path may be taken.
    fn feasible(&mut self, state: &State) -> bool {
        !self.holds(state, &Formula::Bool(false))
    }

    /// What is true of all heaps.
    fn background(&self) -> Vec<Formula> {
        let sets: Vec<Term> =
            (0..self.nodes.types.len()).map(|t| state::node_set(&self.nodes, NodeType(t))).collect();
        let mut all: Vec<Formula> = sets.iter().map(|n| Formula::holds("nodes", vec![n.clone()])).collect();
        for (position, a) in sets.iter().enumerate() {
            for (offset, b) in sets[position + 1..].iter().enumerate() {
                let other = NodeType(position + 1 + offset);
                if fault!(54) || !self.nodes.may_start_alike(NodeType(position), other) {
                    all.push(Formula::holds("apart", vec![a.clone(), b.clone()]));
                }
            }
            for part in &self.nodes.types[position].parts {
                let name = rules::part_name(&self.nodes, NodeType(position), part);
                all.push(Formula::holds(name, vec![a.clone(), sets[part.node.0].clone()]));
            }
        }
        all
    }

    /// Something that must be shown. It is taken for granted as long as facts are only looked for.
    fn obligation(&mut self, state: &State, formula: &Formula) -> bool {
        !self.checking || self.holds(state, formula)
    }

    fn parameter_types(&self, function: FuncId) -> Vec<Option<TypeId>> {
        let info = &self.program.functions[function];
        let ctype =
            info.ctype.map(|t| &self.program.types[heapproof_ir::ctype::strip(&self.program.types, t)]);
        match ctype {
            Some(CType::Function { params, .. }) if params.len() == info.params.len() => {
                params.iter().map(|t| Some(*t)).collect()
            }
            _ => vec![None; info.params.len()],
        }
    }

    fn result_type(&self, function: FuncId) -> Option<TypeId> {
        let info = &self.program.functions[function];
        match info.ctype.map(|t| &self.program.types[heapproof_ir::ctype::strip(&self.program.types, t)]) {
            Some(CType::Function { result, .. }) => Some(*result),
            _ => None,
        }
    }

    /// The type of node that a function's result is.
    fn result_node(&self, function: FuncId) -> Option<NodeType> {
        match self.hint_of(self.result_type(function)) {
            Hint::Node(node, _) => Some(node),
            _ => None,
        }
    }
}

/// `a != 0`.
fn not_null(s: Sym) -> Formula {
    Formula::Compare(Comparison::Differs, s.term(), Term::Int(0))
}
