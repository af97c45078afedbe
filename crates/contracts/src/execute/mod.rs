//! From a function with its contract to obligations: every path between cut points (entry, loop heads, exits) is
//! executed symbolically, and each obligation on the way is one question to the solver.

mod calls;
mod contract;
mod memory;
mod outside;
mod paths;
mod step;
mod values;

use crate::annotation::Position;
use crate::assumed::{Assumed, Obligation};
use crate::condition::{Formula, Heap, Words};
use crate::place::loops;
use crate::signature::odd_signature;
use crate::spec::{ContractSpec, Spec};
use crate::vacuous::{Call, Vacuous};
use heapproof_engine::Environment;
use heapproof_ir::cfg::Cfg;
use heapproof_ir::liveness::Liveness;
use heapproof_ir::loops::Loops;
use heapproof_ir::{BlockId, Body, FuncId, LocalId, Program, Reg, Span};
use heapproof_logic::Term;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;
use values::Val;

/// Paths of one function that are followed.
const MOST_PATHS: u32 = 2_000;
/// Obligations of one function.
const MOST_OBLIGATIONS: usize = 10_000;

/// What an obligation is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// An access lies in allocated memory.
    Access,
    /// What is freed is the start of an allocated object, or null.
    Free,
    /// A clause of the contract of the function.
    Ensures,
    /// The function changes nothing else.
    Modifies,
    /// The function frees nothing else.
    Frees,
    /// A clause of the contract of a callee.
    Requires,
    /// A loop invariant holds at first.
    Entry,
    /// A loop invariant is kept.
    Kept,
    /// Lists stay well founded.
    Founded,
    /// An assertion.
    Assert,
    /// A divisor is not zero.
    Divisor,
    /// A pointer that is kept lies in its object or at its end.
    Outside,
    /// What is written is no constant.
    Constant,
}

/// An obligation that was not shown.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Failure {
    /// The line of the clause or the statement.
    pub at: Position,
    /// Where in the code it had to hold.
    pub span: Option<Span>,
    /// What it is about.
    pub kind: Kind,
    /// Why it was not shown: the solver's words.
    pub why: String,
}

/// What came out for a function.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Obligations that were not shown.
    pub failures: BTreeSet<Failure>,
    /// What the engine cannot handle, with its place.
    pub limits: BTreeSet<(Option<Span>, String)>,
    /// How many obligations there were.
    pub obligations: u64,
    /// The functions whose contracts were used.
    pub callees: BTreeSet<FuncId>,
    /// It rests on an `assume`.
    pub assumes: bool,
    /// Nothing is known to satisfy what the function requires, or what a prototype ensures.
    pub vacuous: Option<Vacuous>,
    /// The calls of prototypes by their contracts.
    pub calls: Vec<Call>,
    /// Functions without a body that it calls, of which the user or a contract says what they do.
    pub external: BTreeSet<FuncId>,
    /// It rests on pointers being aligned as C demands.
    pub aligned: bool,
    /// It rests on what is freed coming from `malloc`.
    pub frees: bool,
}

impl Outcome {
    /// Everything was shown.
    pub fn is_shown(&self) -> bool {
        self.failures.is_empty() && self.limits.is_empty() && self.vacuous.is_none()
    }
}

/// Why a path goes no further.
struct Stop(String);

impl Stop {
    fn new(what: impl Into<String>) -> Stop {
        Stop(what.into())
    }
}

/// A function that is being executed.
#[derive(Clone)]
struct Activation {
    func: FuncId,
    block: BlockId,
    inst: usize,
    regs: BTreeMap<Reg, Val>,
    locals: BTreeMap<LocalId, Term>,
    results: Vec<Reg>,
    open: Vec<BlockId>,
    /// The heap and the arguments at its entry, for `\old`.
    entry: Heap,
    args: Vec<Val>,
}

#[derive(Clone)]
struct State {
    heap: Heap,
    frames: Vec<Activation>,
}

impl State {
    fn top(&self) -> &Activation {
        self.frames.last().expect("a function is running")
    }

    fn top_mut(&mut self) -> &mut Activation {
        self.frames.last_mut().expect("a function is running")
    }

    fn set(&mut self, reg: Reg, val: Val) {
        self.top_mut().regs.insert(reg, val);
    }
}

/// What is looked at together.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// The program.
    pub program: &'a Program,
    /// What is said of it.
    pub spec: &'a Spec,
    /// What it runs in.
    pub environment: &'a Environment,
    /// When to give up.
    pub deadline: Option<Instant>,
}

/// Verifies one function.
pub struct Verifier<'a> {
    program: &'a Program,
    spec: &'a Spec,
    environment: &'a Environment,
    words: &'a Words,
    formula: &'a Formula<'a>,
    assumed: Assumed,
    obligations: Vec<Obligation>,
    deadline: Option<Instant>,
    root: FuncId,
    entry_heap: Heap,
    entry_args: Vec<Val>,
    /// The loop invariant that obligations are about.
    about: Option<(FuncId, BlockId, usize)>,
    /// Objects that were made on the way.
    made: BTreeSet<Term>,
    /// Offsets of pointers that are multiples of the size of a pointer, as C demands.
    aligned: BTreeSet<Term>,
    paths: u32,
    outcome: Outcome,
    loops: BTreeMap<FuncId, Loops>,
    liveness: BTreeMap<FuncId, Liveness>,
}

impl<'a> Verifier<'a> {
    /// Goes through a function that has a contract, and gives what has to be shown of it.
    pub fn verify(
        question: Question<'a>,
        formula: &'a Formula<'a>,
        axioms: &[Term],
        func: FuncId,
    ) -> (Outcome, Vec<Obligation>) {
        let mut verifier = Verifier::new(question, formula, axioms, func);
        verifier.assumed.push();
        if let Err(Stop(what)) = verifier.start() {
            verifier.limit(None, what);
        }
        (verifier.outcome, verifier.obligations)
    }

    fn new(question: Question<'a>, formula: &'a Formula<'a>, axioms: &[Term], func: FuncId) -> Verifier<'a> {
        let words = formula.words;
        Verifier {
            program: question.program,
            spec: question.spec,
            environment: question.environment,
            words,
            formula,
            assumed: Assumed::new(axioms.to_vec()),
            obligations: Vec::new(),
            deadline: question.deadline,
            root: func,
            entry_heap: Heap::base(words, None, None),
            entry_args: Vec::new(),
            about: None,
            made: BTreeSet::new(),
            aligned: BTreeSet::new(),
            paths: MOST_PATHS,
            outcome: Outcome::default(),
            loops: BTreeMap::new(),
            liveness: BTreeMap::new(),
        }
    }

    /// Obligations that are shown only if a clause of `requires` cannot hold together with those before it.
    pub fn contradictions(
        question: Question<'a>,
        formula: &'a Formula<'a>,
        axioms: &[Term],
        func: FuncId,
    ) -> Vec<Obligation> {
        let words = formula.words;
        let mut verifier = Verifier::new(question, formula, axioms, func);
        verifier.assumed.push();
        for ty in &question.program.functions[func].params {
            let value = verifier.fresh_val(*ty);
            verifier.entry_args.push(value);
        }
        let laws = words.laws(question.program, &verifier.entry_heap);
        verifier.assume(laws);
        let (args, entry) = (verifier.entry_args.clone(), verifier.entry_heap.clone());
        for clause in question.spec.contract(func).map_or(&[][..], |contract| &contract.requires) {
            let term = verifier.before_call(&clause.form, &args, &entry, crate::condition::Mode::Fact);
            verifier.assume([term]);
            let why = "it was not asked".to_owned();
            let failure = Failure { at: clause.at, span: None, kind: Kind::Requires, why };
            let (assumed, goal) = (verifier.assumed.clone(), Term::truth(false));
            verifier.obligations.push(Obligation { func, assumed, goal, failure, invariant: None });
        }
        verifier.obligations
    }

    /// What numbers of the types of a function's parameters and result satisfy if some formulas without memory hold.
    pub fn arithmetic(
        question: Question<'a>,
        formula: &'a Formula<'a>,
        func: FuncId,
        forms: &[&crate::typed::Form],
    ) -> Vec<Term> {
        let mut verifier = Verifier::new(question, formula, &[], func);
        let function = &question.program.functions[func];
        let args: Vec<Val> = function.params.iter().map(|ty| verifier.fresh_val(*ty)).collect();
        let result = function.results.first().map(|ty| verifier.fresh_val(*ty));
        let heap = verifier.entry_heap.clone();
        for form in forms {
            let mode = crate::condition::Mode::Both;
            let term = verifier.after_call(form, &args, (&heap, &heap), result.as_ref(), mode);
            verifier.assume([term]);
        }
        verifier.assumed.levels().iter().flat_map(|level| level.iter().cloned()).collect()
    }

    /// That nothing holds at a place.
    fn impossible(&self, at: Position) -> Obligation {
        let failure = Failure { at, span: None, kind: Kind::Requires, why: "it was not asked".to_owned() };
        let (func, assumed, goal) = (self.root, self.assumed.clone(), Term::truth(false));
        Obligation { func, assumed, goal, failure, invariant: None }
    }

    fn start(&mut self) -> Result<(), Stop> {
        let body = self.body(self.root)?;
        if let Some(what) = odd_signature(self.program, self.root) {
            return Err(Stop(format!("{what} is not handled by this engine")));
        }
        for ty in &self.program.functions[self.root].params {
            let value = self.fresh_val(*ty);
            self.entry_args.push(value);
        }
        let laws = self.words.laws(self.program, &self.entry_heap);
        self.assume(laws);
        self.assume_requires()?;
        let mut state = State { heap: self.entry_heap.clone(), frames: Vec::new() };
        self.enter(&mut state, self.root, body, self.entry_args.clone(), Vec::new())?;
        self.explore(state)
    }

    fn contract(&self, func: FuncId) -> Option<&'a ContractSpec> {
        self.spec.contract(func)
    }

    fn body(&self, func: FuncId) -> Result<&'a Body, Stop> {
        let function = &self.program.functions[func];
        function
            .body
            .as_ref()
            .ok_or_else(|| Stop(format!("`{}` has neither a body nor a contract", function.name)))
    }

    fn loops(&mut self, func: FuncId) -> &Loops {
        let program = self.program;
        self.loops
            .entry(func)
            .or_insert_with(|| loops(program.functions[func].body.as_ref().expect("a body")))
    }

    /// The registers that are read after the start of a block.
    fn live(&mut self, func: FuncId, block: BlockId) -> Vec<Reg> {
        let program = self.program;
        let liveness = self.liveness.entry(func).or_insert_with(|| {
            let body = program.functions[func].body.as_ref().expect("a body");
            Liveness::new(body, &Cfg::new(body))
        });
        liveness.live_in(block).collect()
    }

    fn limit(&mut self, span: Option<Span>, what: impl Into<String>) {
        self.outcome.limits.insert((span, what.into()));
    }

    /// The path meets something that is not handled.
    fn beyond(&mut self, span: Span, what: &str) -> Result<bool, Stop> {
        self.limit(Some(span), format!("{what} is not handled by this engine"));
        Ok(false)
    }

    /// Facts from now on.
    fn assume(&mut self, terms: impl IntoIterator<Item = Term>) {
        for definition in self.formula.definitions() {
            self.assumed.assert(&definition);
        }
        for term in terms {
            if term.as_bool() != Some(true) {
                self.assumed.assert(&term);
            }
        }
    }

    /// Something has to hold. It is asked later, and taken to hold from here on if that needs no quantifier.
    fn oblige(&mut self, goal: Term, kind: Kind, at: Position, span: Option<Span>) -> Result<(), Stop> {
        self.outcome.obligations += 1;
        if goal.as_bool() == Some(true) {
            self.formula.definitions();
            return Ok(());
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Stop::new("the time is over"));
        }
        if self.obligations.len() >= MOST_OBLIGATIONS {
            return Err(Stop::new("there are too many obligations"));
        }
        self.assumed.push();
        self.assume([]);
        let failure = Failure { at, span, kind, why: "it was not asked".to_owned() };
        let (func, assumed) = (self.root, self.assumed.clone());
        self.obligations.push(Obligation {
            func,
            assumed,
            goal: goal.clone(),
            failure,
            invariant: self.about,
        });
        self.assumed.pop();
        if matches!(kind, Kind::Access | Kind::Free | Kind::Divisor | Kind::Outside) {
            self.assumed.assert(&goal);
        }
        Ok(())
    }
}

fn position(span: Span) -> Position {
    Position { line: span.line, column: span.column }
}
