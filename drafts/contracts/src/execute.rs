//! From a function with its contract to obligations: every path between cut points (entry, loop heads, exits) is
//! executed symbolically, and each obligation on the way is one question to the solver.

use crate::annotation::{ClauseKind, Expr, Mistake, Position, Statement, StatementKind};
use crate::condition::{
    Context, Ctype, Formula, Frame, FrameKind, Lookup, Shown, Typed, Vocabulary, global_address, limit, unsigned, wrapped,
};
use crate::place::{Annotated, Annotations, Contract, loops, parameters};
use heapproof_ir::loops::Loops;
use heapproof_ir::{
    BinOp, BlockId, Body, Callee, CastOp, CmpOp, FuncId, Inst, InstKind, LocalId, Operand, Program, Reg, Span, Terminator, Ty,
    TypeId, ctype, sign_extend,
};
use heapproof_logic::{Answer, Name, Op, Solver, Sort, Term};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// Paths of one function that are followed.
const MOST_PATHS: u32 = 2_000;
/// Calls of functions without a contract inside each other.
const MOST_FRAMES: usize = 8;

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
}

/// Why a path goes no further.
enum Stop {
    Limit(String),
    Mistake(Mistake),
}

impl From<Mistake> for Stop {
    fn from(mistake: Mistake) -> Stop {
        Stop::Mistake(mistake)
    }
}

/// The value of a register.
#[derive(Clone, Debug)]
enum Val {
    /// An integer, with sign.
    Int(Term),
    /// A pointer, and the place in a structure that it was made to point to.
    Pointer(Term, Option<(TypeId, i128)>),
    /// A bit.
    Bit(Term),
    /// Anything.
    Unknown,
}

#[derive(Clone, Debug)]
struct Activation {
    func: FuncId,
    block: BlockId,
    inst: usize,
    regs: BTreeMap<Reg, Val>,
    locals: BTreeMap<LocalId, Term>,
    results: Vec<Reg>,
    open: Vec<BlockId>,
    /// The heap and the arguments at its entry, for `\old`.
    entry: Term,
    args: Vec<Val>,
}

#[derive(Clone, Debug)]
struct State {
    heap: Term,
    frames: Vec<Activation>,
}

/// Verifies one function.
pub struct Verifier<'a> {
    program: &'a Program,
    annotations: &'a Annotations,
    words: &'a Vocabulary,
    formula: &'a Formula<'a>,
    solver: &'a mut dyn Solver,
    deadline: Option<Instant>,
    root: FuncId,
    entry_heap: Term,
    entry_args: Vec<Val>,
    count: u64,
    paths: u32,
    outcome: Outcome,
    loops: BTreeMap<FuncId, Loops>,
}

impl<'a> Verifier<'a> {
    /// Verifies a function that has a contract. The solver knows the axioms.
    pub fn verify(
        program: &'a Program,
        annotations: &'a Annotations,
        formula: &'a Formula<'a>,
        solver: &'a mut dyn Solver,
        func: FuncId,
        deadline: Option<Instant>,
    ) -> Result<Outcome, Mistake> {
        let words = formula.words;
        let entry_heap = Term::var(Name::Numbered("h", 0), words.heap.clone());
        let mut verifier = Verifier {
            program,
            annotations,
            words,
            formula,
            solver,
            deadline,
            root: func,
            entry_heap,
            entry_args: Vec::new(),
            count: 0,
            paths: MOST_PATHS,
            outcome: Outcome::default(),
            loops: BTreeMap::new(),
        };
        verifier.solver.push();
        let result = verifier.start();
        verifier.solver.pop();
        match result {
            Ok(()) => {}
            Err(Stop::Limit(what)) => verifier.limit(None, what),
            Err(Stop::Mistake(mistake)) => return Err(mistake),
        }
        Ok(verifier.outcome)
    }

    fn start(&mut self) -> Result<(), Stop> {
        let body = self.body(self.root)?;
        for ty in &self.program.functions[self.root].params {
            let value = self.fresh_val(*ty);
            self.entry_args.push(value);
        }
        let laws = self.words.laws(&self.entry_heap);
        self.assume(laws);
        let contract = self.contract(self.root).cloned().unwrap_or_default();
        for clause in contract.clauses(ClauseKind::Requires) {
            let term = self.clause(&clause.expr, self.root, &self.entry_args.clone(), &self.entry_heap.clone(), None)?;
            self.solver.assert(&term);
        }
        // What cannot hold would make everything shown.
        if self.solver.check(&[]) == Ok(Answer::Unsat) {
            return Err(Stop::Limit("no state satisfies what the function requires".to_owned()));
        }
        let mut state = State { heap: self.entry_heap.clone(), frames: Vec::new() };
        self.enter(&mut state, self.root, body, self.entry_args.clone(), Vec::new())?;
        self.explore(state)
    }

    fn contract(&self, func: FuncId) -> Option<&'a Contract> {
        self.annotations.functions.get(&func).and_then(|annotated| annotated.contract.as_ref())
    }

    fn annotated(&self, func: FuncId) -> Option<&'a Annotated> {
        self.annotations.functions.get(&func)
    }

    fn body(&self, func: FuncId) -> Result<&'a Body, Stop> {
        let function = &self.program.functions[func];
        function.body.as_ref().ok_or_else(|| Stop::Limit(format!("`{}` has neither a body nor a contract", function.name)))
    }

    fn loops(&mut self, func: FuncId) -> &Loops {
        let program = self.program;
        self.loops.entry(func).or_insert_with(|| loops(program.functions[func].body.as_ref().expect("a body")))
    }

    fn limit(&mut self, span: Option<Span>, what: impl Into<String>) {
        self.outcome.limits.insert((span, what.into()));
    }

    fn fresh(&mut self, sort: Sort) -> Term {
        self.count += 1;
        Term::var(Name::Numbered("x", self.count), sort)
    }

    fn fresh_heap(&mut self) -> Term {
        self.count += 1;
        Term::var(Name::Numbered("h", self.count), self.words.heap.clone())
    }

    /// A value of a type that nothing is known of.
    fn fresh_val(&mut self, ty: Ty) -> Val {
        match ty {
            Ty::Ptr => Val::Pointer(self.fresh(self.words.pointer.clone()), None),
            Ty::Int(1) => Val::Bit(self.fresh(Sort::Bool)),
            Ty::Int(width) if width <= 64 => {
                let number = self.fresh(Sort::Int);
                let half = 1i128 << (width - 1);
                let range = [Term::int_le(Term::int(-half), number.clone()), Term::int_lt(number.clone(), Term::int(half))];
                self.solver.assert(&Term::and(range));
                Val::Int(number)
            }
            _ => Val::Unknown,
        }
    }

    fn int(&mut self, val: &Val, width: u8) -> Term {
        match val {
            Val::Int(term) => term.clone(),
            Val::Pointer(term, _) => self.words.num(term),
            Val::Bit(term) => Term::ite(term.clone(), Term::int(-1), Term::int(0)),
            Val::Unknown => match self.fresh_val(Ty::Int(width.clamp(2, 64))) {
                Val::Int(term) => term,
                _ => unreachable!("an integer"),
            },
        }
    }

    fn pointer(&mut self, val: &Val) -> Term {
        match val {
            Val::Pointer(term, _) => term.clone(),
            Val::Int(term) => self.words.from_int(term.clone()),
            Val::Bit(_) | Val::Unknown => self.fresh(self.words.pointer.clone()),
        }
    }

    fn bit(&mut self, val: &Val) -> Term {
        match val {
            Val::Bit(term) => term.clone(),
            Val::Int(term) => Term::ne(term.clone(), Term::int(0)),
            Val::Pointer(..) | Val::Unknown => self.fresh(Sort::Bool),
        }
    }

    fn operand(&mut self, state: &State, operand: &Operand) -> Val {
        let frame = state.frames.last().expect("a frame");
        match operand {
            Operand::Reg(reg) => match frame.regs.get(reg) {
                Some(val) => val.clone(),
                None => {
                    let ty = self.program.functions[frame.func].body.as_ref().map(|body| body.regs[*reg].ty);
                    ty.map_or(Val::Unknown, |ty| self.fresh_val(ty))
                }
            },
            Operand::Int { bits, width: 1 } => Val::Bit(Term::truth(*bits == 1)),
            Operand::Int { bits, width } if *width <= 64 => Val::Int(Term::int(sign_extend(*bits, *width))),
            Operand::Null => Val::Pointer(self.words.null(), None),
            Operand::Global(global) => {
                let global = &self.program.globals[*global];
                Val::Pointer(global_address(self.words, &global.name), global.ctype.map(|ty| (ty, 0)))
            }
            Operand::Local(local) => match frame.locals.get(local) {
                Some(object) => Val::Pointer(self.words.ptr(object.clone(), Term::int(0)), None),
                None => Val::Unknown,
            },
            Operand::Undef(ty) => self.fresh_val(*ty),
            Operand::Func(_) | Operand::Float { .. } | Operand::Int { .. } => Val::Unknown,
        }
    }

    /// Something has to hold. It is asked, and then taken to hold.
    fn oblige(&mut self, goal: Term, kind: Kind, at: Position, span: Option<Span>) -> Result<(), Stop> {
        self.outcome.obligations += 1;
        if goal.as_bool() == Some(true) {
            return Ok(());
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Stop::Limit("the time is over".to_owned()));
        }
        self.solver.push();
        self.solver.assert(&goal.clone().not());
        let answer = self.solver.check(&[]);
        self.solver.pop();
        let why = match answer {
            Ok(Answer::Unsat) => None,
            Ok(Answer::Sat) => Some("there is a counterexample".to_owned()),
            Ok(Answer::Unknown(reason)) => Some(reason.to_string()),
            Err(failure) => Some(failure.to_string()),
        };
        if let Some(why) = why {
            self.outcome.failures.insert(Failure { at, span, kind, why });
        }
        self.solver.assert(&goal);
        Ok(())
    }

    fn assume(&mut self, terms: impl IntoIterator<Item = Term>) {
        terms.into_iter().for_each(|term| self.solver.assert(&term));
    }

    /// A clause of the contract of a function for given arguments: in a heap, with the heap at its entry for `\old`.
    fn clause(
        &mut self,
        expr: &Expr,
        func: FuncId,
        args: &[Val],
        heap: &Term,
        after: Option<(&Term, Option<&Val>)>,
    ) -> Result<Term, Stop> {
        let names = self.names(func, args, None);
        let before = Context { heap: heap.clone(), lookup: &names, old: None };
        let Some((heap, result)) = after else { return Ok(self.formula.truth(expr, &before)?) };
        let with_result = self.names(func, args, Some(result));
        let context = Context { heap: heap.clone(), lookup: &with_result, old: Some(&before) };
        Ok(self.formula.truth(expr, &context)?)
    }

    /// The parameters of a function by name, and its result.
    fn names(&mut self, func: FuncId, args: &[Val], result: Option<Option<&Val>>) -> Names {
        let function = &self.program.functions[func];
        let mut names = Names::default();
        if let Some(body) = &function.body {
            for (param, val) in parameters(body).into_iter().zip(args) {
                if let Some((name, ty)) = param {
                    names.variables.insert(name, self.typed(val, ty));
                }
            }
        }
        let result_type = function.ctype.and_then(|ty| match &self.program.types[ctype::strip(&self.program.types, ty)] {
            heapproof_ir::CType::Function { result, .. } => Some(*result),
            _ => None,
        });
        names.result = result.flatten().map(|val| self.typed(val, result_type));
        names
    }

    fn typed(&mut self, val: &Val, ty: Option<TypeId>) -> Typed {
        let ty = ty.map_or(Ctype::Math, Ctype::Of);
        let value = match ty.show(self.program) {
            Shown::Pointer(_) => self.pointer(val),
            Shown::Int { size, signed } => {
                let bits = 8 * size as u32;
                let number = self.int(val, bits as u8);
                if signed { number } else { unsigned(number, bits) }
            }
            _ => match val {
                Val::Pointer(term, _) | Val::Int(term) | Val::Bit(term) => term.clone(),
                Val::Unknown => return Typed { value: None, ty, address: None },
            },
        };
        Typed::value(value, ty)
    }

    /// An annotation in a body.
    fn statement(&mut self, state: &State, statement: &Statement) -> Result<(Term, bool), Stop> {
        let frame = state.frames.last().expect("a frame");
        let body = self.body(frame.func)?;
        let mut names = Names::default();
        let mut lines: BTreeMap<String, u32> = BTreeMap::new();
        let mut add = |this: &mut Self, variable: &heapproof_ir::Variable, typed: &dyn Fn(&mut Self) -> Typed| {
            let line = variable.span.line;
            if line > statement.at.line || lines.get(&variable.name).is_some_and(|known| *known > line) {
                return;
            }
            lines.insert(variable.name.clone(), line);
            names.variables.insert(variable.name.clone(), typed(this));
        };
        for (reg, info) in body.regs.iter() {
            if let Some(variable) = &info.variable {
                let val = frame.regs.get(&reg).cloned().unwrap_or(Val::Unknown);
                add(self, variable, &|this: &mut Self| this.typed(&val, variable.ctype));
            }
        }
        for (local, info) in body.locals.iter() {
            if let (Some(variable), Some(object)) = (&info.variable, frame.locals.get(&local)) {
                let address = self.words.ptr(object.clone(), Term::int(0));
                let ty = variable.ctype.map_or(Ctype::Void, Ctype::Of);
                add(self, variable, &|_: &mut Self| Typed { value: None, ty: ty.clone(), address: Some(address.clone()) });
            }
        }
        let (func, args, entry) = (frame.func, frame.args.clone(), frame.entry.clone());
        let old_names = self.names(func, &args, None);
        let old = Context { heap: entry, lookup: &old_names, old: None };
        let context = Context { heap: state.heap.clone(), lookup: &names, old: Some(&old) };
        Ok(match statement.kind {
            StatementKind::Block | StatementKind::Unblock => (self.formula.pointer(&statement.expr, &context)?, true),
            _ => (self.formula.truth(&statement.expr, &context)?, false),
        })
    }

    fn frame_of(&mut self, func: FuncId, args: &[Val], heap: &Term) -> Result<Frame, Stop> {
        let names = self.names(func, args, None);
        let context = Context { heap: heap.clone(), lookup: &names, old: None };
        let mut frame = Frame::default();
        for clause in self.contract(func).into_iter().flat_map(|contract| &contract.clauses) {
            match clause.kind {
                ClauseKind::Modifies => frame.modifies.extend(self.formula.set(&clause.expr, &context)?),
                ClauseKind::Frees => frame.frees.extend(self.formula.set(&clause.expr, &context)?),
                ClauseKind::Requires | ClauseKind::Ensures => {}
            }
        }
        Ok(frame)
    }

    /// The frame of the whole function has to be kept so far.
    fn oblige_frame(&mut self, state: &State, span: Option<Span>) -> Result<(), Stop> {
        let entry = self.entry_heap.clone();
        if state.heap == entry {
            return Ok(());
        }
        let frame = self.frame_of(self.root, &self.entry_args.clone(), &entry)?;
        for (which, goal) in frame.obligations(self.formula, &entry, &state.heap) {
            let (kind, clause) = match which {
                FrameKind::Modifies => (Kind::Modifies, ClauseKind::Modifies),
                FrameKind::Frees => (Kind::Frees, ClauseKind::Frees),
            };
            let at = self.contract(self.root).and_then(|contract| contract.clauses(clause).next().map(|clause| clause.at));
            let line = self.program.functions[self.root].span.line;
            self.oblige(goal, kind, at.unwrap_or(Position { line, column: 1 }), span)?;
        }
        Ok(())
    }

    fn enter(&mut self, state: &mut State, func: FuncId, body: &Body, args: Vec<Val>, results: Vec<Reg>) -> Result<(), Stop> {
        let regs = body.params.iter().copied().zip(args.iter().cloned()).collect();
        let mut frame = Activation {
            func,
            block: Body::ENTRY,
            inst: 0,
            regs,
            locals: BTreeMap::new(),
            results,
            open: Vec::new(),
            entry: state.heap.clone(),
            args,
        };
        for (local, info) in body.locals.iter() {
            if !info.scoped {
                let object = self.new_object(state, Term::int(info.size.into()), false);
                frame.locals.insert(local, object);
            }
        }
        state.frames.push(frame);
        if self.loops(func).iter().any(|(_, this)| this.header == Body::ENTRY) {
            return Err(Stop::Limit("a loop begins where the function begins".to_owned()));
        }
        if !self.loops(func).irreducible_edges().is_empty() {
            return Err(Stop::Limit("a loop with several entries".to_owned()));
        }
        Ok(())
    }

    /// A new object of a size.
    fn new_object(&mut self, state: &mut State, size: Term, is_blocking: bool) -> Term {
        let object = self.fresh(self.words.object.clone());
        let heap = self.fresh_heap();
        self.assume([
            self.words.is_alloc(&state.heap, &object).not(),
            self.words.is_alloc(&self.entry_heap, &object).not(),
            Term::ne(object.clone(), self.words.null_object()),
            Term::ne(object.clone(), self.words.obj(&self.words.nowhere)),
            Term::eq(self.words.size(&object), size),
        ]);
        let after = self.formula.after_allocation(&state.heap, &heap, &object, is_blocking);
        self.assume(after);
        state.heap = heap;
        object
    }

    fn end_object(&mut self, state: &mut State, object: &Term) {
        let heap = self.fresh_heap();
        let after = self.formula.after_end(&state.heap, &heap, object);
        self.assume(after);
        state.heap = heap;
    }

    /// Follows all paths from a state.
    fn explore(&mut self, mut state: State) -> Result<(), Stop> {
        loop {
            let frame = state.frames.last().expect("a frame");
            let (func, id, index) = (frame.func, frame.block, frame.inst);
            let block = &self.body(func)?.blocks[id];
            if let Some(annotated) = self.annotated(func)
                && let Some(statements) = annotated.statements.get(&(id, index))
            {
                for statement in statements {
                    self.annotation(&mut state, statement)?;
                }
            }
            match block.insts.get(index) {
                Some(inst) => {
                    state.frames.last_mut().expect("a frame").inst += 1;
                    if !self.step(&mut state, inst)? {
                        return Ok(());
                    }
                }
                None => match &block.term {
                    Terminator::Jump(to) => {
                        if !self.go(&mut state, *to, block.term_span)? {
                            return Ok(());
                        }
                    }
                    Terminator::Branch { cond, then, otherwise } => {
                        let cond = self.operand(&state, cond);
                        let cond = self.bit(&cond);
                        self.split(&state, [(cond.clone(), *then), (cond.not(), *otherwise)], block.term_span)?;
                        return Ok(());
                    }
                    Terminator::Switch { value, width, cases, default } => {
                        let value = self.operand(&state, value);
                        let value = self.int(&value, *width);
                        let is = |bits: &u128| Term::eq(value.clone(), Term::int(sign_extend(*bits, *width)));
                        let mut ways: Vec<(Term, BlockId)> = cases.iter().map(|(bits, to)| (is(bits), *to)).collect();
                        ways.push((Term::and(cases.iter().map(|(bits, _)| is(bits).not())), *default));
                        self.split(&state, ways, block.term_span)?;
                        return Ok(());
                    }
                    Terminator::Return(values) => {
                        let values: Vec<Val> = values.iter().map(|value| self.operand(&state, value)).collect();
                        let frame = state.frames.pop().expect("a frame");
                        if state.frames.is_empty() {
                            return self.finish(&mut state, &frame, values.first(), block.term_span);
                        }
                        for object in frame.locals.values() {
                            self.end_object(&mut state, object);
                        }
                        let caller = state.frames.last_mut().expect("a caller");
                        caller.regs.extend(frame.results.iter().copied().zip(values));
                    }
                    Terminator::Unreachable => return Err(Stop::Limit("the end of a function without a result".to_owned())),
                },
            }
        }
    }

    fn split(
        &mut self,
        state: &State,
        ways: impl IntoIterator<Item = (Term, BlockId)>,
        span: Span,
    ) -> Result<(), Stop> {
        for (condition, to) in ways {
            if condition.as_bool() == Some(false) {
                continue;
            }
            self.path()?;
            self.solver.push();
            self.solver.assert(&condition);
            let mut state = state.clone();
            let went = match self.go(&mut state, to, span) {
                Ok(true) => self.explore(state),
                Ok(false) => Ok(()),
                Err(stop) => Err(stop),
            };
            self.solver.pop();
            went?;
        }
        Ok(())
    }

    fn path(&mut self) -> Result<(), Stop> {
        self.paths = self.paths.checked_sub(1).ok_or_else(|| Stop::Limit("there are too many paths".to_owned()))?;
        Ok(())
    }

    /// Goes to a block; false if the path ends there, at the head of a loop.
    fn go(&mut self, state: &mut State, to: BlockId, span: Span) -> Result<bool, Stop> {
        let func = state.frames.last().expect("a frame").func;
        let inside: Vec<(BlockId, bool)> =
            self.loops(func).iter().map(|(_, this)| (this.header, this.blocks.contains(&to))).collect();
        let frame = state.frames.last_mut().expect("a frame");
        frame.open.retain(|header| inside.iter().any(|(known, has)| known == header && *has));
        let is_back = frame.open.contains(&to);
        frame.block = to;
        frame.inst = 0;
        if !inside.iter().any(|(header, _)| *header == to) {
            return Ok(true);
        }
        let invariants: Vec<Statement> =
            self.annotated(func).and_then(|annotated| annotated.invariants.get(&to)).cloned().unwrap_or_default();
        let kind = if is_back { Kind::Kept } else { Kind::Entry };
        for invariant in &invariants {
            let (term, _) = self.statement(state, invariant)?;
            self.oblige(term, kind, invariant.at, Some(span))?;
        }
        self.oblige_frame(state, Some(span))?;
        if is_back {
            return Ok(false);
        }
        self.havoc(state, func, to)?;
        for invariant in &invariants {
            let (term, _) = self.statement(state, invariant)?;
            self.solver.assert(&term);
        }
        state.frames.last_mut().expect("a frame").open.push(to);
        Ok(true)
    }

    /// Any round of a loop: what it may change is not known.
    fn havoc(&mut self, state: &mut State, func: FuncId, header: BlockId) -> Result<(), Stop> {
        let body = self.body(func)?;
        let blocks = match self.loops(func).iter().find(|(_, this)| this.header == header) {
            Some((_, this)) => this.blocks.clone(),
            None => Vec::new(),
        };
        let mut effects = Effects::default();
        let mut assigned: BTreeSet<Reg> = BTreeSet::new();
        for block in &blocks {
            for inst in &body.blocks[*block].insts {
                assigned.extend(inst.kind.defs());
                effects.add(&inst.kind);
            }
        }
        if let Some(annotated) = self.annotated(func) {
            let is_ghost = |statement: &Statement| matches!(statement.kind, StatementKind::Block | StatementKind::Unblock);
            let mut inside = annotated.statements.iter().filter(|((block, _), _)| blocks.contains(block));
            effects.blocking |= inside.any(|(_, statements)| statements.iter().any(is_ghost));
        }
        for reg in assigned {
            let val = self.fresh_val(body.regs[reg].ty);
            state.frames.last_mut().expect("a frame").regs.insert(reg, val);
        }
        if !effects.any() {
            return Ok(());
        }
        if effects.locals {
            return Err(Stop::Limit("a variable whose address is taken, inside a loop".to_owned()));
        }
        let heap = self.fresh_heap();
        let entry = self.entry_heap.clone();
        let frame = self.frame_of(self.root, &self.entry_args.clone(), &entry)?;
        let kept = frame.assumptions(self.formula, &entry, &heap, &heap.to_string());
        self.assume(kept);
        self.assume(self.words.laws(&heap));
        if !effects.allocation {
            let same = self.formula.same_allocation(&state.heap, &heap);
            self.assume(same);
        }
        if !effects.blocking {
            let same = self.formula.same_blocking(&state.heap, &heap);
            self.assume(same);
        }
        state.heap = heap;
        Ok(())
    }

    fn annotation(&mut self, state: &mut State, statement: &Statement) -> Result<(), Stop> {
        let (term, _) = self.statement(state, statement)?;
        match statement.kind {
            StatementKind::Assert => self.oblige(term, Kind::Assert, statement.at, None)?,
            StatementKind::Assume => {
                self.outcome.assumes = true;
                self.solver.assert(&term);
            }
            StatementKind::Block | StatementKind::Unblock => {
                let heap = self.fresh_heap();
                let after = if statement.kind == StatementKind::Block {
                    self.formula.after_block(&state.heap, &heap, &term)
                } else {
                    let founded = self.formula.stays_founded_without(&state.heap, &term);
                    self.oblige(founded, Kind::Founded, statement.at, None)?;
                    self.formula.after_unblock(&state.heap, &heap, &term)
                };
                self.assume(after);
                state.heap = heap;
            }
            StatementKind::LoopInvariant => {}
        }
        Ok(())
    }

    /// The end of the function.
    fn finish(&mut self, state: &mut State, frame: &Activation, result: Option<&Val>, span: Span) -> Result<(), Stop> {
        for object in frame.locals.values() {
            self.end_object(state, object);
        }
        let contract = self.contract(self.root).cloned().unwrap_or_default();
        let (args, entry, heap) = (self.entry_args.clone(), self.entry_heap.clone(), state.heap.clone());
        for clause in contract.clauses(ClauseKind::Ensures) {
            let term = self.clause(&clause.expr, self.root, &args, &entry, Some((&heap, result)))?;
            self.oblige(term, Kind::Ensures, clause.at, Some(span))?;
        }
        self.oblige_frame(state, Some(span))
    }

    fn set(&mut self, state: &mut State, reg: Reg, val: Val) {
        state.frames.last_mut().expect("a frame").regs.insert(reg, val);
    }

    /// An access of some bytes.
    fn access(&mut self, state: &State, address: &Term, bytes: i128, span: Span) -> Result<(), Stop> {
        let goal = self.words.is_valid(&state.heap, address, bytes);
        self.oblige(goal, Kind::Access, position(span), Some(span))
    }

    /// Executes an instruction; false if the path ends.
    fn step(&mut self, state: &mut State, inst: &Inst) -> Result<bool, Stop> {
        let span = inst.span;
        match &inst.kind {
            InstKind::Copy { dst, src } => {
                let val = self.operand(state, src);
                self.set(state, *dst, val);
            }
            InstKind::Forget { dst } => {
                let func = state.frames.last().expect("a frame").func;
                let val = self.fresh_val(self.body(func)?.regs[*dst].ty);
                self.set(state, *dst, val);
            }
            InstKind::Bin { dst, op, width, a, b } => {
                let (a, b) = (self.operand(state, a), self.operand(state, b));
                let val = self.binary(*op, *width, &a, &b, span)?;
                self.set(state, *dst, val);
            }
            InstKind::Cmp { dst, op, ty, a, b } => {
                let (a, b) = (self.operand(state, a), self.operand(state, b));
                let holds = self.compare(state, *op, *ty, &a, &b);
                self.set(state, *dst, Val::Bit(holds));
            }
            InstKind::Cast { dst, op, from, to, a } => {
                let val = self.operand(state, a);
                let val = self.cast(*op, *from, *to, &val);
                self.set(state, *dst, val);
            }
            InstKind::Select { dst, ty, cond, a, b } => {
                let cond = self.operand(state, cond);
                let cond = self.bit(&cond);
                let (a, b) = (self.operand(state, a), self.operand(state, b));
                let val = match ty {
                    Ty::Ptr => Val::Pointer(Term::ite(cond, self.pointer(&a), self.pointer(&b)), None),
                    Ty::Int(1) => Val::Bit(Term::ite(cond, self.bit(&a), self.bit(&b))),
                    Ty::Int(width) => Val::Int(Term::ite(cond, self.int(&a, *width), self.int(&b, *width))),
                    Ty::Float(_) => Val::Unknown,
                };
                self.set(state, *dst, val);
            }
            InstKind::PtrAdd { dst, base, offset, index, within } => {
                let base = self.operand(state, base);
                let mut pointer = self.pointer(&base);
                let inherited = match &base {
                    Val::Pointer(_, place) => *place,
                    _ => None,
                };
                let place = match within {
                    Some(ty) => Some((*ty, i128::from(*offset))),
                    None => inherited.map(|(ty, at)| (ty, at + i128::from(*offset))),
                };
                pointer = self.words.plus(&pointer, Term::int((*offset).into()));
                if let Some((index, scale)) = index {
                    let bits = u32::from(self.words.pointer_bytes) * 8;
                    let index = self.operand(state, index);
                    let index = self.int(&index, bits as u8);
                    let bytes = Term::int_mul(index, Term::int((*scale).into()));
                    pointer = self.words.plus(&pointer, wrapped(bytes, bits));
                }
                let place = if index.is_some() { None } else { place };
                self.set(state, *dst, Val::Pointer(pointer, place));
            }
            InstKind::Load { dst, ty, ptr } => {
                let address = self.operand(state, ptr);
                let address = self.pointer(&address);
                let bytes = ty.bytes(self.program.target) as u8;
                self.access(state, &address, bytes.into(), span)?;
                let val = self.load(state, *ty, bytes, &address);
                self.set(state, *dst, val);
            }
            InstKind::Store { ty, value, ptr } => {
                let (value, address) = (self.operand(state, value), self.operand(state, ptr));
                self.store(state, *ty, &value, &address, span)?;
            }
            InstKind::ScopeStart { local } => {
                let frame = state.frames.last().expect("a frame");
                let size = self.body(frame.func)?.locals[*local].size;
                if let Some(object) = frame.locals.get(local).cloned() {
                    self.end_object(state, &object);
                }
                let object = self.new_object(state, Term::int(size.into()), false);
                state.frames.last_mut().expect("a frame").locals.insert(*local, object);
            }
            InstKind::ScopeEnd { local } => {
                if let Some(object) = state.frames.last_mut().expect("a frame").locals.remove(local) {
                    self.end_object(state, &object);
                }
            }
            InstKind::Call { results, callee, args } => return self.call(state, results, callee, args, span),
            InstKind::IntUn { dst, .. }
            | InstKind::FloatBin { dst, .. }
            | InstKind::FloatUn { dst, .. }
            | InstKind::FloatCmp { dst, .. } => {
                let ty = inst.kind.result_ty().unwrap_or(Ty::Ptr);
                let val = self.fresh_val(ty);
                self.set(state, *dst, val);
            }
            InstKind::CopyBlock { .. }
            | InstKind::FillBlock { .. }
            | InstKind::Alloca { .. }
            | InstKind::StackSave { .. }
            | InstKind::StackRestore { .. }
            | InstKind::VaStart { .. }
            | InstKind::VaCopy { .. }
            | InstKind::VaEnd { .. } => {
                return self.beyond(span, "a block of memory, a stack or a list of arguments");
            }
            InstKind::Unsupported { what, .. } => return self.beyond(span, what),
        }
        Ok(true)
    }

    /// The path meets something that is not handled.
    fn beyond(&mut self, span: Span, what: &str) -> Result<bool, Stop> {
        self.limit(Some(span), format!("{what} is not handled by this engine"));
        Ok(false)
    }

    fn load(&mut self, state: &State, ty: Ty, bytes: u8, address: &Term) -> Val {
        let Some(content) = self.words.mem(&state.heap, bytes, address) else { return Val::Unknown };
        let is_pointer = *content.sort() == self.words.pointer;
        match ty {
            Ty::Ptr => Val::Pointer(content, None),
            Ty::Int(width) if u32::from(width) == 8 * u32::from(bytes) => {
                if is_pointer { Val::Pointer(content, None) } else { Val::Int(content) }
            }
            Ty::Int(_) | Ty::Float(_) => self.fresh_val(ty),
        }
    }

    fn store(&mut self, state: &mut State, ty: Ty, value: &Val, address: &Val, span: Span) -> Result<(), Stop> {
        let place = match address {
            Val::Pointer(_, place) => *place,
            _ => None,
        };
        let pointer = self.pointer(address);
        let bytes = ty.bytes(self.program.target) as u8;
        self.access(state, &pointer, bytes.into(), span)?;
        let is_pointer = ty == Ty::Ptr;
        let content = if bytes == self.words.pointer_bytes {
            match (ty, value) {
                (Ty::Float(_), _) => self.fresh(self.words.pointer.clone()),
                _ => self.pointer(value),
            }
        } else {
            match ty {
                Ty::Int(width) if u32::from(width) == 8 * u32::from(bytes) => self.int(value, width),
                _ => match limit(bytes).map(|_| self.fresh_val(Ty::Int(8 * bytes))) {
                    Some(Val::Int(term)) => term,
                    _ => self.fresh(Sort::Int),
                },
            }
        };
        let through: Vec<bool> = self
            .words
            .fields
            .iter()
            .map(|field| place.is_some_and(|(ty, at)| names_field(self.program, ty, at, field.owner, field.offset)))
            .collect();
        if is_pointer {
            for (index, through) in through.iter().enumerate() {
                let founded = self.formula.stays_founded(&state.heap, &pointer, &content, index, *through);
                self.oblige(founded, Kind::Founded, position(span), Some(span))?;
            }
        }
        let heap = self.fresh_heap();
        let after =
            self.formula.after_store(&state.heap, &heap, &pointer, bytes, &content, &|index| through[index], is_pointer);
        self.assume(after);
        state.heap = heap;
        Ok(())
    }

    fn binary(&mut self, op: BinOp, width: u8, a: &Val, b: &Val, span: Span) -> Result<Val, Stop> {
        if width == 1 {
            let (a, b) = (self.bit(a), self.bit(b));
            return Ok(Val::Bit(match op {
                BinOp::And | BinOp::Mul => Term::and([a, b]),
                BinOp::Or => Term::or([a, b]),
                BinOp::Xor | BinOp::Add | BinOp::Sub => Term::eq(a, b).not(),
                _ => self.fresh(Sort::Bool),
            }));
        }
        if width > 64 {
            return Ok(Val::Unknown);
        }
        let bits = u32::from(width);
        let (x, y) = (self.int(a, width), self.int(b, width));
        let fitted = |term: Term| Val::Int(once_wrapped(term, bits));
        Ok(match op {
            BinOp::Add => fitted(Term::int_add(x, y)),
            BinOp::Sub => fitted(Term::int_sub(x, y)),
            BinOp::Mul => Val::Int(wrapped(Term::int_mul(x, y), bits)),
            BinOp::Shl if y.as_int().is_some_and(|by| (0..i128::from(width)).contains(&by)) => {
                let factor = 1i128 << y.as_int().unwrap_or(0);
                Val::Int(wrapped(Term::int_mul(x, Term::int(factor)), bits))
            }
            BinOp::UDiv | BinOp::URem | BinOp::SDiv | BinOp::SRem => {
                self.oblige(Term::ne(y.clone(), Term::int(0)), Kind::Divisor, position(span), Some(span))?;
                match op {
                    BinOp::UDiv | BinOp::URem => {
                        let op = if op == BinOp::UDiv { Op::IntDiv } else { Op::IntMod };
                        let result = Term::op(op, [unsigned(x, bits), unsigned(y, bits)]);
                        Val::Int(wrapped(result, bits))
                    }
                    _ => self.fresh_val(Ty::Int(width)),
                }
            }
            _ => self.fresh_val(Ty::Int(width)),
        })
    }

    fn compare(&mut self, state: &State, op: CmpOp, ty: Ty, a: &Val, b: &Val) -> Term {
        if ty == Ty::Ptr {
            return self.compare_pointers(state, op, a, b);
        }
        let Ty::Int(width) = ty else { return self.fresh(Sort::Bool) };
        if width == 1 && matches!(op, CmpOp::Eq | CmpOp::Ne) {
            let equal = Term::eq(self.bit(a), self.bit(b));
            return if op == CmpOp::Eq { equal } else { equal.not() };
        }
        if width > 64 || width == 1 {
            return self.fresh(Sort::Bool);
        }
        let (x, y) = (self.int(a, width), self.int(b, width));
        let bits = u32::from(width);
        let (ux, uy) = (unsigned(x.clone(), bits), unsigned(y.clone(), bits));
        match op {
            CmpOp::Eq => Term::eq(x, y),
            CmpOp::Ne => Term::ne(x, y),
            CmpOp::Ult => Term::int_lt(ux, uy),
            CmpOp::Ule => Term::int_le(ux, uy),
            CmpOp::Ugt => Term::int_lt(uy, ux),
            CmpOp::Uge => Term::int_le(uy, ux),
            CmpOp::Slt => Term::int_lt(x, y),
            CmpOp::Sle => Term::int_le(x, y),
            CmpOp::Sgt => Term::int_lt(y, x),
            CmpOp::Sge => Term::int_le(y, x),
        }
    }

    fn compare_pointers(&mut self, state: &State, op: CmpOp, a: &Val, b: &Val) -> Term {
        let (p, q) = (self.pointer(a), self.pointer(b));
        let unknown = self.fresh(Sort::Bool);
        let (o, r) = (self.words.obj(&p), self.words.obj(&q));
        if matches!(op, CmpOp::Eq | CmpOp::Ne) {
            // A pointer to what is gone may or may not have the address of something new.
            let mut equal = Term::eq(p.clone(), q.clone());
            if p != self.words.null() && q != self.words.null() {
                let heap = &state.heap;
                let both = [Term::ne(o.clone(), self.words.null_object()), Term::ne(r.clone(), self.words.null_object())];
                let gone = Term::or([self.words.is_alloc(heap, &o).not(), self.words.is_alloc(heap, &r).not()]);
                let maybe = Term::and([Term::and(both), gone, Term::ne(o, r), unknown]);
                equal = Term::or([equal, maybe]);
            }
            return if op == CmpOp::Eq { equal } else { equal.not() };
        }
        let (x, y) = (self.words.off(&p), self.words.off(&q));
        let holds = match op {
            CmpOp::Ult | CmpOp::Slt => Term::int_lt(x, y),
            CmpOp::Ule | CmpOp::Sle => Term::int_le(x, y),
            CmpOp::Ugt | CmpOp::Sgt => Term::int_lt(y, x),
            _ => Term::int_le(y, x),
        };
        let inside = Term::and([Term::eq(o.clone(), r), Term::ne(o, self.words.null_object())]);
        Term::ite(inside, holds, unknown)
    }

    fn cast(&mut self, op: CastOp, from: Ty, to: Ty, val: &Val) -> Val {
        match (op, from, to) {
            (CastOp::PtrToInt | CastOp::IntToPtr, _, _) => match val {
                Val::Int(term) => Val::Int(term.clone()),
                other => Val::Pointer(self.pointer(other), None),
            },
            (CastOp::ZExt, Ty::Int(1), Ty::Int(_)) => {
                let bit = self.bit(val);
                Val::Int(Term::ite(bit, Term::int(1), Term::int(0)))
            }
            (CastOp::ZExt, Ty::Int(width), Ty::Int(wide)) if wide <= 64 => {
                let number = self.int(val, width);
                Val::Int(unsigned(number, width.into()))
            }
            (CastOp::SExt, Ty::Int(width), Ty::Int(wide)) if wide <= 64 => Val::Int(self.int(val, width)),
            (CastOp::Trunc, Ty::Int(_), Ty::Int(1)) => {
                let number = self.int(val, 64);
                Val::Bit(Term::eq(Term::op(Op::IntMod, [number, Term::int(2)]), Term::int(1)))
            }
            (CastOp::Trunc, Ty::Int(width), Ty::Int(narrow)) if width <= 64 => {
                let number = self.int(val, width);
                Val::Int(wrapped(number, narrow.into()))
            }
            _ => self.fresh_val(to),
        }
    }

    fn call(
        &mut self,
        state: &mut State,
        results: &[Reg],
        callee: &Callee,
        args: &[Operand],
        span: Span,
    ) -> Result<bool, Stop> {
        let Callee::Direct(func) = callee else { return self.beyond(span, "a call through a pointer") };
        let args: Vec<Val> = args.iter().map(|arg| self.operand(state, arg)).collect();
        let function = &self.program.functions[*func];
        if self.contract(*func).is_some() && function.body.is_some() {
            return self.call_by_contract(state, results, *func, &args, span);
        }
        match (&function.body, function.name.as_str()) {
            (Some(body), _) => {
                if state.frames.len() >= MOST_FRAMES {
                    return self.beyond(span, "a deep nesting of calls without contracts");
                }
                self.enter(state, *func, body, args, results.to_vec())?;
                Ok(true)
            }
            (None, "malloc") => self.malloc(state, results, &args),
            (None, "free") => {
                let pointer = args.first().map_or_else(|| self.words.null(), |arg| self.pointer(arg));
                self.free(state, &pointer, span)
            }
            (None, "abort" | "exit" | "_Exit") => Ok(false),
            (None, name) => {
                let what = format!("the call of `{name}`, which has neither a body nor a contract,");
                self.beyond(span, &what)
            }
        }
    }

    fn malloc(&mut self, state: &mut State, results: &[Reg], args: &[Val]) -> Result<bool, Stop> {
        let Some(dst) = results.first().copied() else { return Ok(true) };
        let bits = u32::from(self.words.pointer_bytes) * 8;
        let size = args.first().map_or_else(|| Term::int(0), |arg| self.int(arg, bits as u8));
        // It may fail.
        self.path()?;
        let mut failed = state.clone();
        let null = self.words.null();
        self.set(&mut failed, dst, Val::Pointer(null, None));
        self.solver.push();
        let explored = self.explore(failed);
        self.solver.pop();
        explored?;
        let object = self.new_object(state, unsigned(size, bits), true);
        self.set(state, dst, Val::Pointer(self.words.ptr(object, Term::int(0)), None));
        Ok(true)
    }

    fn free(&mut self, state: &mut State, pointer: &Term, span: Span) -> Result<bool, Stop> {
        let is_null = Term::eq(pointer.clone(), self.words.null());
        let object = self.words.obj(pointer);
        let is_start =
            Term::and([self.words.is_alloc(&state.heap, &object), Term::eq(self.words.off(pointer), Term::int(0))]);
        self.oblige(Term::or([is_null.clone(), is_start]), Kind::Free, position(span), Some(span))?;
        // Nothing happens for a null pointer.
        self.path()?;
        self.solver.push();
        self.solver.assert(&is_null);
        let explored = self.explore(state.clone());
        self.solver.pop();
        explored?;
        self.solver.assert(&is_null.not());
        self.end_object(state, &object);
        Ok(true)
    }

    fn call_by_contract(
        &mut self,
        state: &mut State,
        results: &[Reg],
        func: FuncId,
        args: &[Val],
        span: Span,
    ) -> Result<bool, Stop> {
        self.outcome.callees.insert(func);
        let contract = self.contract(func).cloned().unwrap_or_default();
        for clause in contract.clauses(ClauseKind::Requires) {
            let term = self.clause(&clause.expr, func, args, &state.heap, None)?;
            self.oblige(term, Kind::Requires, position(span), Some(span))?;
        }
        let (before, after) = (state.heap.clone(), self.fresh_heap());
        let frame = self.frame_of(func, args, &before)?;
        let kept = frame.assumptions(self.formula, &before, &after, &after.to_string());
        self.assume(kept);
        self.assume(self.words.laws(&after));
        let mut values = Vec::new();
        for ty in &self.program.functions[func].results {
            values.push(self.fresh_val(*ty));
        }
        for clause in contract.clauses(ClauseKind::Ensures) {
            let term = self.clause(&clause.expr, func, args, &before, Some((&after, values.first())))?;
            self.solver.assert(&term);
        }
        state.heap = after;
        for (reg, val) in results.iter().zip(values) {
            self.set(state, *reg, val);
        }
        Ok(true)
    }
}

/// Names of one state.
#[derive(Default)]
struct Names {
    variables: BTreeMap<String, Typed>,
    result: Option<Typed>,
}

impl Lookup for Names {
    fn variable(&self, name: &str) -> Option<Typed> {
        self.variables.get(name).cloned()
    }

    fn result(&self) -> Option<Typed> {
        self.result.clone()
    }
}

/// What a loop may do to the heap.
#[derive(Default)]
struct Effects {
    content: bool,
    allocation: bool,
    blocking: bool,
    locals: bool,
}

impl Effects {
    fn add(&mut self, inst: &InstKind) {
        match inst {
            InstKind::Store { .. } | InstKind::CopyBlock { .. } | InstKind::FillBlock { .. } => self.content = true,
            InstKind::Call { .. } => (self.content, self.allocation, self.blocking) = (true, true, true),
            InstKind::ScopeStart { .. } | InstKind::ScopeEnd { .. } | InstKind::Alloca { .. } | InstKind::StackRestore { .. } => {
                self.locals = true;
                self.allocation = true;
            }
            _ => {}
        }
    }

    fn any(&self) -> bool {
        self.content || self.allocation || self.blocking || self.locals
    }
}

fn position(span: Span) -> Position {
    Position { line: span.line, column: span.column }
}

/// True if an offset in a type is that of a link field.
fn names_field(program: &Program, ty: TypeId, at: i128, owner: TypeId, offset: i128) -> bool {
    let ty = ctype::strip(&program.types, ty);
    if ty == owner {
        return at == offset;
    }
    ctype::members(&program.types, ty).iter().any(|member| {
        let start = i128::from(member.bit_offset / 8);
        let size = ctype::size_of(&program.types, member.ty, program.target.pointer_bytes()).unwrap_or(0);
        at >= start && at < start + i128::from(size) && names_field(program, member.ty, at - start, owner, offset)
    })
}

/// A number that is at most one range away from what fits.
fn once_wrapped(number: Term, bits: u32) -> Term {
    if number.as_int().is_some() {
        return wrapped(number, bits);
    }
    let (half, range) = (1i128 << (bits - 1), Term::int(1 << bits));
    let low = Term::int_lt(number.clone(), Term::int(-half));
    let high = Term::int_le(Term::int(half), number.clone());
    Term::ite(
        low,
        Term::int_add(number.clone(), range.clone()),
        Term::ite(high, Term::int_sub(number.clone(), range), number),
    )
}
