//! Makes the formula of a program: functions are inlined, loops are unwound some times and then cut (paper, section II-C).

use crate::memory::asks_about_content;
use crate::options::Unwinding;
use crate::plan::{Context, Key, ObjKind, Plan};
use crate::ssa::{Kind, Site, Ssa};
use crate::state::{State, initial, merge};
use crate::value::{Pointer, Value};
use heapproof_engine::{Environment, Place, Resolutions};
use heapproof_ir::cfg::Cfg;
use heapproof_ir::dominators::Dominators;
use heapproof_ir::liveness::Liveness;
use heapproof_ir::loops::{LoopId, Loops};
use heapproof_ir::{BlockId, Body, FuncId, Program, Reg, Span, Terminator, Ty};
use heapproof_logic::{Sort, Term};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// The most instructions of a formula.
const MOST_WORK: u64 = 40_000;
/// The most times that the formula is made.
const MOST_ROUNDS: u32 = 40;

/// Why there is no formula.
#[derive(Clone, Debug)]
pub enum NoFormula {
    /// The program has no such function.
    NoEntry,
    /// It is too large.
    TooLarge,
    /// The time is over.
    Time,
}

/// A body with its graph.
pub struct Code {
    /// The control flow.
    pub cfg: Cfg,
    /// The loops.
    pub loops: Loops,
    /// Live registers.
    pub liveness: Liveness,
}

/// A function that is being followed.
pub struct Frame {
    /// The function.
    pub func: FuncId,
    /// Its registers carry this context.
    pub id: Context,
    /// Its graph.
    pub code: Rc<Code>,
    /// Its ends: states and results.
    pub ends: Vec<(State, Vec<Value>)>,
}

/// Makes formulas.
pub struct Builder<'p> {
    /// The program.
    pub program: &'p Program,
    /// What it runs in.
    pub environment: &'p Environment,
    /// What calls do.
    pub resolutions: Resolutions,
    /// How loops are treated.
    pub unwinding: Unwinding,
    /// Blocks of an allocation in a loop that are followed exactly.
    pub witnesses: u8,
    /// What is known.
    pub plan: Plan,
    /// The formula so far.
    pub ssa: Ssa,
    /// Calls and copies of loops around.
    pub context: Context,
    /// Functions around.
    pub stack: Vec<FuncId>,
    /// The loop that is cut around, of those in the formula.
    pub cut: Option<usize>,
    /// The loop-select guards of the loops around that are in a turn before their last one.
    pub earlier: Vec<Term>,
    /// Bits of a pointer.
    pub width: u8,
    work: u64,
    codes: HashMap<FuncId, Rc<Code>>,
    /// Content of globals at the start of which nothing is known.
    initials: BTreeMap<Key, Value>,
    is_time_over: &'p dyn Fn() -> bool,
    over: bool,
}

impl<'p> Builder<'p> {
    /// For a program.
    pub fn new(
        program: &'p Program,
        environment: &'p Environment,
        unwinding: Unwinding,
        witnesses: u8,
        is_time_over: &'p dyn Fn() -> bool,
    ) -> Self {
        Builder {
            program,
            environment,
            resolutions: Resolutions::new(program, environment),
            unwinding,
            witnesses,
            plan: Plan::default(),
            ssa: Ssa::default(),
            context: 0,
            stack: Vec::new(),
            cut: None,
            earlier: Vec::new(),
            width: program.target.pointer_bits(),
            work: 0,
            codes: HashMap::new(),
            initials: BTreeMap::new(),
            is_time_over,
            over: false,
        }
    }

    /// Makes the formula again and again until nothing new is found out.
    pub fn build(mut self) -> Result<(Ssa, Plan), NoFormula> {
        let entry = self.program.function(self.environment.entry()).ok_or(NoFormula::NoEntry)?;
        if self.program.functions[entry].body.is_none() {
            return Err(NoFormula::NoEntry);
        }
        for _ in 0..MOST_ROUNDS {
            self.plan.grew = false;
            self.ssa = Ssa::default();
            self.ssa.witnesses = self.witnesses;
            self.ssa.is_about_memory = !asks_about_content(&self.environment.properties);
            self.work = 0;
            self.context = 0;
            self.stack.clear();
            self.initials.clear();
            self.make_elements();
            self.cut = None;
            self.start(entry);
            if self.over {
                return Err(if (self.is_time_over)() { NoFormula::Time } else { NoFormula::TooLarge });
            }
            if !self.plan.grew {
                self.ssa.sites = self.sites();
                return Ok((self.ssa, self.plan));
            }
        }
        Err(NoFormula::TooLarge)
    }

    fn sites(&self) -> Vec<Site> {
        let all = self.plan.witnesses().into_iter();
        all.map(|(rest, witnesses)| Site { rest, witnesses, links: self.plan.links(rest) }).collect()
    }

    fn start(&mut self, entry: FuncId) {
        let function = &self.program.functions[entry];
        let state = State { guard: Term::truth(true), vars: BTreeMap::new() };
        let params = function.params.clone();
        let args: Vec<Value> = params.iter().map(|ty| self.argument(*ty)).collect();
        if function.params.len() > 2 || self.environment.argv.is_some() {
            let place = Place { func: entry, span: function.span };
            self.not_covered(&state, place, "the arguments of the program");
        }
        if function.name == "main"
            && let Some(Value::Int(argc)) = args.first()
        {
            let one = Term::bits(1, argc.width());
            self.ssa.facts.push(Term::rel(heapproof_logic::BvRel::Sle, one, argc.clone()));
        }
        self.function(entry, state, args);
    }

    fn argument(&mut self, ty: Ty) -> Value {
        match ty {
            Ty::Ptr => Value::Ptr(Pointer::to(crate::value::UNKNOWN, self.width)),
            ty => Value::Int(self.ssa.fresh("arg", Sort::Bits(ty.bits(self.program.target)))),
        }
    }

    /// Follows a function from its entry to its returns; none if it never returns.
    pub fn function(
        &mut self,
        func: FuncId,
        mut state: State,
        args: Vec<Value>,
    ) -> Option<(State, Vec<Value>)> {
        let body = self.program.functions[func].body.as_ref()?;
        let code = self.code(func, body);
        let place = Place { func, span: self.program.functions[func].span };
        if !code.loops.irreducible_edges().is_empty() {
            self.not_covered(&state, place, "a loop that is entered at several places");
            return None;
        }
        let id = self.context;
        let mut frame = Frame { func, id, code: code.clone(), ends: Vec::new() };
        for (reg, value) in body.params.iter().zip(args) {
            state.vars.insert(Key::Reg(id, *reg), value);
        }
        for (local, data) in &body.locals {
            if !data.scoped {
                let obj = self.plan.object(ObjKind::Local(id, local));
                self.note_rebirth(&state, obj);
                self.plan.note_local(obj, data.size);
                self.new_content(&mut state, obj, false);
                self.set_life(&mut state, obj, true);
                self.set_size(&mut state, obj, Term::bits(u128::from(data.size), self.width));
            }
        }
        self.stack.push(func);
        let mut pending = BTreeMap::from([(Body::ENTRY, vec![state])]);
        let order = code.cfg.reverse_postorder().to_vec();
        self.region(&mut frame, &order, None, &mut pending);
        for state in pending.values().flatten() {
            self.not_covered(state, place, "blocks in an order that is not followed");
        }
        self.stack.pop();
        self.join_ends(&frame, body)
    }

    fn join_ends(&mut self, frame: &Frame, body: &Body) -> Option<(State, Vec<Value>)> {
        let mut states = Vec::new();
        for (mut state, values) in frame.ends.iter().cloned() {
            state.vars.retain(|key, _| !matches!(key, Key::Reg(id, _) if *id == frame.id));
            for local in body.locals.keys() {
                let obj = self.plan.object(ObjKind::Local(frame.id, local));
                self.set_life(&mut state, obj, false);
            }
            // Results travel through registers that no function has.
            for (n, value) in values.into_iter().enumerate() {
                state.vars.insert(Key::Reg(u32::MAX, Reg::from_u32(n as u32)), value);
            }
            states.push(state);
        }
        let mut state = self.merge(states)?;
        let count = frame.ends.first().map_or(0, |(_, values)| values.len());
        let results = (0..count)
            .map(|n| state.vars.remove(&Key::Reg(u32::MAX, Reg::from_u32(n as u32))))
            .collect::<Option<Vec<_>>>()?;
        Some((state, results))
    }

    fn code(&mut self, func: FuncId, body: &Body) -> Rc<Code> {
        let make = || {
            let cfg = Cfg::new(body);
            let loops = Loops::new(&cfg, &Dominators::new(&cfg));
            let liveness = Liveness::new(body, &cfg);
            Rc::new(Code { cfg, loops, liveness })
        };
        self.codes.entry(func).or_insert_with(make).clone()
    }

    /// Follows some blocks in order, from what waits before them.
    pub fn region(
        &mut self,
        frame: &mut Frame,
        blocks: &[BlockId],
        scope: Option<LoopId>,
        pending: &mut BTreeMap<BlockId, Vec<State>>,
    ) {
        for block in blocks {
            let code = frame.code.clone();
            if code.loops.innermost(*block) != scope {
                let headed = code.loops.headed_by(*block);
                if let Some(inner) = headed.filter(|id| code.loops.get(*id).parent == scope) {
                    self.follow_loop(frame, inner, pending);
                }
                continue;
            }
            let Some(states) = pending.remove(block) else { continue };
            let Some(state) = self.merge(states) else { continue };
            self.block(frame, *block, state, pending);
        }
    }

    fn block(
        &mut self,
        frame: &mut Frame,
        block: BlockId,
        mut state: State,
        pending: &mut BTreeMap<BlockId, Vec<State>>,
    ) {
        let body = self.program.functions[frame.func].body.as_ref().expect("it is being followed");
        let data = &body.blocks[block];
        for (index, inst) in data.insts.iter().enumerate() {
            self.work += 1;
            if self.over || self.work > MOST_WORK || self.work.is_multiple_of(256) && (self.is_time_over)() {
                self.over = true;
                return;
            }
            self.instruction(frame, (block, index), inst, &mut state);
            if state.is_dead() {
                return;
            }
        }
        let place = Place { func: frame.func, span: data.term_span };
        let mut go = |to: BlockId, state: State| {
            if !state.is_dead() {
                pending.entry(to).or_default().push(state);
            }
        };
        match &data.term {
            Terminator::Jump(to) => go(*to, state),
            Terminator::Branch { cond, then, otherwise } => {
                let cond = self.truth(frame, &state, cond);
                self.note_condition(&cond);
                let opposite = if fault!(13) { cond.clone() } else { Term::not(cond.clone()) };
                let other = self.constrained(&state, opposite);
                let taken = self.constrained(&state, cond);
                go(*then, taken);
                go(*otherwise, other);
            }
            Terminator::Switch { value, width, cases, default } => {
                let value = self.number(frame, &state, value, *width);
                let mut rest = state;
                for (constant, to) in cases {
                    let equal = Term::eq(value.clone(), Term::bits(*constant, *width));
                    self.note_condition(&equal);
                    let taken = self.constrained(&rest, equal.clone());
                    go(*to, taken);
                    rest = self.constrained(&rest, Term::not(equal));
                }
                if !fault!(15) {
                    go(*default, rest);
                }
            }
            Terminator::Return(values) => {
                let values = values.iter().map(|value| self.operand(frame, &state, value)).collect();
                frame.ends.push((state, values));
            }
            Terminator::Unreachable => self.not_covered(&state, place, "code that is declared unreachable"),
        }
    }

    /// The value of a variable that nothing was assigned to yet.
    pub fn default(&mut self, key: Key) -> Option<Value> {
        match key {
            Key::Cell(obj, off, len) => match self.plan.kind(obj) {
                Some(ObjKind::Global(global)) => {
                    let data = &self.program.globals[global];
                    let known = initial(self.program, &mut self.plan, data, off, len);
                    Some(known.unwrap_or_else(|| self.unknown_at_start(key, len)))
                }
                Some(ObjKind::Element(parent, _)) => match self.plan.kind(parent) {
                    Some(ObjKind::Global(_)) => {
                        let known = self.first_element(parent, len);
                        Some(known.unwrap_or_else(|| self.unknown_at_start(key, len)))
                    }
                    _ => None,
                },
                _ => None,
            },
            Key::Live(obj) => {
                let lives = matches!(self.plan.kind(obj), Some(ObjKind::Global(_)));
                Some(Value::Int(Term::bits(u128::from(lives), 1)))
            }
            Key::Made(_) | Key::Sealed(_) => Some(Value::Int(Term::bits(0, 1))),
            Key::Tag(_) => Some(Value::Int(Term::bits(0, 8))),
            Key::Size(obj) => match self.plan.kind(obj) {
                Some(ObjKind::Global(global)) => {
                    Some(Value::Int(Term::bits(u128::from(self.program.globals[global].size), self.width)))
                }
                _ => None,
            },
            Key::Reg(..) => None,
        }
    }

    /// The content of a global at the start of which nothing is known: the same whoever asks.
    fn unknown_at_start(&mut self, key: Key, len: u64) -> Value {
        if let Some(value) = self.initials.get(&key) {
            return value.clone();
        }
        let name = self.name(key);
        let bits = (8 * len.min(16)) as u8;
        let value = if fault!(8) { Term::bits(1, bits) } else { self.ssa.fresh(&name, Sort::Bits(bits)) };
        let value = Value::Int(value);
        self.initials.insert(key, value.clone());
        value
    }

    /// Joins states.
    pub fn merge(&mut self, states: Vec<State>) -> Option<State> {
        let keys: BTreeSet<Key> = match states.len() {
            0 | 1 => BTreeSet::new(),
            _ => states.iter().flat_map(|s| s.vars.keys().copied()).collect(),
        };
        let names: BTreeMap<Key, String> = keys.iter().map(|k| (*k, self.name(*k))).collect();
        let missing = keys.iter().filter(|k| states.iter().any(|s| !s.vars.contains_key(k)));
        let defaults: BTreeMap<Key, Value> =
            missing.filter_map(|k| self.default(*k).map(|value| (*k, value))).collect();
        let name = |key: Key| names.get(&key).cloned().unwrap_or_default();
        merge(&mut self.ssa, states, self.width, &|key| defaults.get(&key).cloned(), &name)
    }

    /// The state where a condition holds as well.
    pub fn constrained(&mut self, state: &State, condition: Term) -> State {
        let guard = match condition.as_bool() {
            Some(true) => state.guard.clone(),
            Some(false) => condition,
            None => self.ssa.define("g", Term::and([state.guard.clone(), condition])),
        };
        let dead = guard.as_bool() == Some(false);
        let vars = if dead { BTreeMap::new() } else { state.vars.clone() };
        State { guard, vars }
    }

    /// The state goes on only where a condition holds.
    pub fn assume(&mut self, state: &mut State, condition: Term) {
        match condition.as_bool() {
            Some(true) => {}
            Some(false) => state.guard = condition,
            None => state.guard = self.ssa.define("g", Term::and([state.guard.clone(), condition])),
        }
    }

    /// Something must hold here; the state goes on where it does.
    pub fn require(&mut self, state: &mut State, holds: Term, kind: Kind, place: Place, message: &str) {
        if holds.as_bool() == Some(true) || fault!(17) && self.cut.is_some() {
            return;
        }
        let bad = Term::and([state.guard.clone(), Term::not(holds.clone())]);
        self.oblige(kind, bad, place, message);
        self.assume(state, holds);
    }

    /// Something that is not understood is reached here.
    pub fn not_covered(&mut self, state: &State, place: Place, what: &str) {
        if fault!(18) && what == "recursion"
            || fault!(19) && what == "more iterations of a loop"
            || fault!(20)
        {
            return;
        }
        self.oblige(Kind::Coverage, state.guard.clone(), place, what);
    }

    /// A truth value that the program computes: what invariants may speak about.
    pub fn note_condition(&mut self, condition: &Term) {
        if !condition.is_constant() {
            self.ssa.conditions.push(condition.clone());
        }
    }

    /// The place of an instruction.
    pub fn place(&self, frame: &Frame, span: Span) -> Place {
        Place { func: frame.func, span }
    }
}
